//! Grammars of random code: rows of text that are read and expanded.
//!
//! A row is `SORT [WEIGHT] : TEXT`. In the text, `\n` ends a line, and these parts are filled in:
//!
//! | part | is |
//! | --- | --- |
//! | `` `int` `` | code of the sort `int` by another row |
//! | `` `stmt*` ``, `` `stmt+` `` | none to two, one to three pieces of code of a sort |
//! | `` `$int` `` | a variable of the sort: one in scope, or a new field or parameter |
//! | `` `%int` `` | a static field, one there or a new one by a row of the sort `static int` |
//! | `` `@int` `` | the name of a new local variable, in scope in the rest of the text |
//! | `` `@int+` `` | likewise, in scope behind the next piece of code |
//! | `` `@int^` `` | likewise, in scope behind the text, in the rest of the list around it |
//! | `` `N.int` `` | a field of type `int` of the member class `N`, one there or a new one |
//! | `` `1` `` | the first name in this text, by any of these, once more |
//! | `` `?int` `` | a local variable of the sort |
//! | `` `=` `` | the name of the static field that the text declares |
//! | `` `#int` `` | a constant by a row of the sort `#int`, which is no part of the shape |
//! | `` `!` `` | a place that the twin of the class notes |
//!
//! A row `type N : TEXT` declares the member class `N`, which code is made of that mentions it in a
//! sort; `` `fields N` `` are its fields.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use super::tree::{Part, Tree};
use crate::random::Random;

/// Place whose line the twin notes.
pub const MARK: &str = "/*!*/";

/// Most levels of rows below one another.
const DEPTH: usize = 5;
/// Most variables of a kind that code makes for itself.
const MOST_VARIABLES: usize = 3;

/// Rows, by sort.
pub struct Grammar {
    rows: HashMap<String, Vec<Row>>,
    types: BTreeMap<String, Row>,
}

struct Row {
    weight: u64,
    pieces: Vec<Piece>,
}

/// Levels of rows that each row takes at least, by sort; most of all for rows that cannot be used.
type Heights = HashMap<String, Vec<usize>>;

enum Piece {
    Text(Arc<str>),
    Code(String),
    List(String, u64, u64),
    Variable(String),
    Static(String),
    Local(String, Visible),
    Member(String, String),
    Fields(String),
    Constant(String),
    Scoped(String),
    Again(usize),
    Own,
}

/// Where a local variable is in scope.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Visible {
    /// In what follows in the row.
    Here,
    /// In what follows, but for the first piece of code.
    Behind,
    /// Behind the row, in the rest of the list around it.
    Outside,
}

impl Grammar {
    /// Reads rows.
    ///
    /// # Panics
    /// A row is wrong, or a sort has none.
    #[must_use]
    pub fn read(texts: &[&str]) -> Grammar {
        let mut grammar = Grammar {
            rows: HashMap::new(),
            types: BTreeMap::new(),
        };
        for line in texts.iter().flat_map(|text| text.lines()) {
            if line.trim().is_empty() || line.starts_with("# ") {
                continue;
            }
            let (head, text) = line
                .split_once(" : ")
                .unwrap_or_else(|| panic!("no row: {line}"));
            let (sort, weight) = match head.trim().rsplit_once(' ') {
                Some((sort, weight)) if weight.bytes().all(|byte| byte.is_ascii_digit()) => {
                    (sort.trim(), weight.parse().unwrap_or(1))
                }
                _ => (head.trim(), 1),
            };
            let row = Row {
                weight,
                pieces: pieces(text),
            };
            match sort.strip_prefix("type ") {
                Some(name) => drop(grammar.types.insert(name.to_owned(), row)),
                None => grammar.rows.entry(sort.to_owned()).or_default().push(row),
            }
        }
        for (sort, heights) in grammar.heights(&|_| true) {
            assert!(!heights.contains(&usize::MAX), "a row of {sort} has no end");
        }
        grammar
    }

    /// Sorts of which there are variables, and of which there are static fields, sorted.
    #[must_use]
    pub fn sorts(&self) -> (Vec<&str>, Vec<&str>) {
        let pieces = || {
            self.rows
                .values()
                .flatten()
                .chain(self.types.values())
                .flat_map(|row| &row.pieces)
        };
        let variables: BTreeSet<&str> = pieces()
            .filter_map(|piece| match piece {
                Piece::Variable(sort) => Some(&**sort),
                _ => None,
            })
            .collect();
        let statics: BTreeSet<&str> = pieces()
            .filter_map(|piece| match piece {
                Piece::Static(sort) => Some(&**sort),
                _ => None,
            })
            .collect();
        (
            variables.into_iter().collect(),
            statics.into_iter().collect(),
        )
    }

    /// Finds the height of each row, if these variables and static fields can be used.
    fn heights(&self, is_usable: &dyn Fn(&Piece) -> bool) -> Heights {
        let mut heights: Heights = self
            .rows
            .iter()
            .map(|(sort, rows)| (sort.clone(), vec![usize::MAX; rows.len()]))
            .collect();
        loop {
            let least: HashMap<&String, usize> = heights
                .iter()
                .map(|(sort, rows)| (sort, rows.iter().copied().min().unwrap_or(0)))
                .collect();
            let of = |piece: &Piece| match piece {
                Piece::Code(sort) | Piece::Constant(sort) => *least
                    .get(sort)
                    .unwrap_or_else(|| panic!("no row for {sort}")),
                Piece::List(sort, 1.., _) => least[sort],
                piece if is_usable(piece) => 0,
                _ => usize::MAX,
            };
            let of_row = |row: &Row| {
                row.pieces
                    .iter()
                    .map(of)
                    .max()
                    .unwrap_or(0)
                    .saturating_add(1)
            };
            let next: Heights = self
                .rows
                .iter()
                .map(|(sort, rows)| (sort.clone(), rows.iter().map(of_row).collect()))
                .collect();
            if next == heights {
                return next;
            }
            heights = next;
        }
    }

    /// Trees of a sort that are only a text: what a minimiser puts in the place of others.
    #[must_use]
    pub fn simplest(&self, sort: &str) -> Vec<Tree> {
        let rows = self.rows.get(sort).into_iter().flatten();
        let texts = rows.filter_map(|row| match &row.pieces[..] {
            [Piece::Text(text)] => Some(Tree::text(sort, text)),
            [] => Some(Tree::text(sort, "")),
            _ => None,
        });
        texts.take(4).collect()
    }
}

/// Pieces of a row's text.
fn pieces(text: &str) -> Vec<Piece> {
    let text = text.replace("\\n", "\n");
    let parts = text.split('`').enumerate();
    let pieces = parts.filter(|(number, part)| number % 2 == 1 || !part.is_empty());
    pieces
        .map(
            |(number, part)| match (number % 2, part.split_at_checked(1)) {
                (0, _) | (_, None) => Piece::Text(part.into()),
                (_, Some(("$", sort))) => Piece::Variable(sort.to_owned()),
                (_, Some(("%", sort))) => Piece::Static(sort.to_owned()),
                (_, Some(("@", sort))) => match (sort.strip_suffix('^'), sort.strip_suffix('+')) {
                    (Some(sort), _) => Piece::Local(sort.to_owned(), Visible::Outside),
                    (_, Some(sort)) => Piece::Local(sort.to_owned(), Visible::Behind),
                    _ => Piece::Local(sort.to_owned(), Visible::Here),
                },
                (_, Some(("#", _))) => Piece::Constant(part.to_owned()),
                (_, Some(("!", ""))) => Piece::Text(MARK.into()),
                (_, Some(("=", ""))) => Piece::Own,
                (_, Some(("?", sort))) => Piece::Scoped(sort.to_owned()),
                _ if let Ok(number) = part.parse::<usize>() => Piece::Again(number - 1),
                _ => match (
                    part.strip_suffix('*'),
                    part.strip_suffix('+'),
                    part.split_once('.'),
                ) {
                    (Some(sort), _, _) => Piece::List(sort.to_owned(), 0, 2),
                    (_, Some(sort), _) => Piece::List(sort.to_owned(), 1, 3),
                    (_, _, Some((class, sort))) if class.chars().count() <= 2 => {
                        Piece::Member(class.to_owned(), sort.to_owned())
                    }
                    _ => match part.strip_prefix("fields ") {
                        Some(class) => Piece::Fields(class.to_owned()),
                        None => Piece::Code(part.to_owned()),
                    },
                },
            },
        )
        .collect()
}

/// Name and sort.
type Variable = (String, String);

/// Where a new variable comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// It is a field of the class.
    Field,
    /// It is a parameter of the method if it has one of these types, or there are none; a field otherwise.
    Parameter(&'static [&'static str]),
}

/// Expands rows to the code of one class.
pub struct Writer<'g> {
    grammar: &'g Grammar,
    heights: Heights,
    /// Where new variables come from.
    pub source: Source,
    /// Modifier of fields of the class.
    pub modifier: &'static str,
    random: Random,
    next_name: usize,
    /// Name of the static field or method that is being declared.
    naming: String,
    locals: Vec<Variable>,
    /// Fields of the class and of its member classes, by class; those of the class under no name.
    fields: BTreeMap<String, Vec<Variable>>,
    /// Static fields, with their declarations.
    statics: Vec<(Variable, Tree)>,
    parameters: Vec<Variable>,
}

impl<'g> Writer<'g> {
    /// Creates a writer of one class, which has variables and static fields of a few sorts: `most` and
    /// `most_static` of them.
    pub fn new(grammar: &'g Grammar, seed: u64, most: u64, most_static: u64) -> Self {
        let mut random = Random::new(seed);
        let mut some = |all: Vec<&'g str>, most: u64| -> BTreeSet<&'g str> {
            let number = random.below(most + 1);
            (0..number)
                .map(|_| all[random.below(all.len() as u64) as usize])
                .collect()
        };
        let (variables, statics) = grammar.sorts();
        let mut variables = some(variables, most);
        let statics = some(statics, most_static);
        if random.below(4) > 0 || variables.is_empty() {
            variables.insert("int");
        }
        let heights = grammar.heights(&|piece| match piece {
            Piece::Variable(sort) => variables.contains(&**sort),
            Piece::Static(sort) => statics.contains(&**sort),
            _ => true,
        });
        Writer {
            grammar,
            heights,
            source: Source::Field,
            modifier: "",
            random,
            next_name: 0,
            naming: String::new(),
            locals: Vec::new(),
            fields: BTreeMap::new(),
            statics: Vec::new(),
            parameters: Vec::new(),
        }
    }

    /// Number below `bound`.
    pub fn below(&mut self, bound: u64) -> u64 {
        self.random.below(bound)
    }

    /// Code of a sort.
    pub fn code(&mut self, sort: &str) -> Tree {
        let scope = self.locals.len();
        let tree = self.expand(sort, DEPTH);
        self.locals.truncate(scope);
        tree
    }

    /// Ends a method: its parameters, each followed by a comma but the last.
    pub fn parameters(&mut self) -> Tree {
        let all = std::mem::take(&mut self.parameters);
        let mut parts = Vec::new();
        for (name, sort) in all {
            if !parts.is_empty() {
                parts.push(Part::Text(", ".into()));
            }
            parts.push(Part::Text(format!("{sort} ").into()));
            parts.push(Part::Leaf(name));
        }
        Tree {
            sort: "parameters".into(),
            parts,
        }
    }

    /// Declarations of static fields, of fields, and of member classes, in this order.
    pub fn declarations(&mut self) -> Vec<Tree> {
        let mut all = Vec::new();
        for (name, sort) in self.fields.get("").cloned().unwrap_or_default() {
            all.push(field(&format!("{}{sort}", self.modifier), &name));
        }
        // A member class may mention another one in its fields.
        let mut written: Vec<String> = Vec::new();
        loop {
            let statics = self.statics.iter().map(|one| &one.1);
            let mentioned = all
                .iter()
                .chain(statics)
                .map(Tree::code)
                .collect::<Vec<_>>()
                .join(" ");
            let known = self
                .fields
                .keys()
                .map(String::as_str)
                .collect::<Vec<_>>()
                .join(" ");
            let is_wanted = |name: &str| {
                let words = |text: &str| {
                    text.split(|c: char| !c.is_alphanumeric())
                        .any(|word| word == name)
                };
                words(&mentioned) || words(&known)
            };
            let grammar = self.grammar;
            let mut types = grammar.types.iter();
            let Some((name, row)) =
                types.find(|(name, _)| !written.contains(name) && is_wanted(name))
            else {
                all.splice(0..0, self.statics.drain(..).map(|one| one.1));
                return all;
            };
            written.push(name.clone());
            let tree = self.fill("type", row, DEPTH);
            all.push(tree);
        }
    }

    /// Whether code that was written mentions a member class.
    pub fn mention(&mut self, code: &Tree) {
        let code = code.code();
        for name in self.grammar.types.keys() {
            if code
                .split(|c: char| !c.is_alphanumeric())
                .any(|word| word == name)
            {
                self.fields.entry(name.clone()).or_default();
            }
        }
    }

    fn expand(&mut self, sort: &str, depth: usize) -> Tree {
        let grammar = self.grammar;
        let rows = grammar
            .rows
            .get(sort)
            .unwrap_or_else(|| panic!("no row for {sort}"));
        let heights = &self.heights[sort];
        let least = heights.iter().copied().min().unwrap_or(0);
        let fitting = rows
            .iter()
            .zip(heights)
            .filter(|one| *one.1 <= depth.max(least) && *one.1 < usize::MAX);
        let fitting: Vec<&Row> = fitting.map(|one| one.0).collect();
        let total: u64 = fitting.iter().map(|row| row.weight).sum();
        let mut drawn = self.random.below(total.max(1));
        for row in fitting {
            if drawn < row.weight {
                return self.fill(sort, row, depth);
            }
            drawn -= row.weight;
        }
        unreachable!("a row of {sort} fits")
    }

    fn fill(&mut self, sort: &str, row: &Row, depth: usize) -> Tree {
        let scope = self.locals.len();
        let (mut behind, mut leaving) = (Vec::new(), Vec::new());
        let below = depth.saturating_sub(1);
        let (mut parts, mut names) = (Vec::new(), Vec::new());
        for piece in &row.pieces {
            let mut named = |name: String| {
                names.push(name.clone());
                Part::Leaf(name)
            };
            parts.push(match piece {
                Piece::Text(text) => Part::Text(Arc::clone(text)),
                Piece::Code(sort) => {
                    let tree = self.expand(sort, below);
                    self.locals.append(&mut behind);
                    Part::Child(tree)
                }
                Piece::Constant(sort) => Part::Leaf(self.expand(sort, below).code()),
                Piece::List(sort, least, most) => {
                    let inner = self.locals.len();
                    let is_possible = self.heights[sort].iter().any(|height| *height < usize::MAX);
                    let number = if is_possible {
                        least + self.random.below(most - least + 1)
                    } else {
                        0
                    };
                    let trees = (0..number).map(|_| self.expand(sort, below)).collect();
                    self.locals.truncate(inner);
                    Part::List(trees)
                }
                Piece::Variable(sort) => {
                    let variable = named(self.variable(sort));
                    self.locals.append(&mut behind);
                    variable
                }
                Piece::Scoped(sort) => named(self.scoped(sort)),
                Piece::Static(sort) => named(self.static_field(sort)),
                Piece::Member(class, sort) => named(self.member(class, sort)),
                Piece::Again(number) => Part::Leaf(names[*number].clone()),
                Piece::Own => Part::Leaf(self.naming.clone()),
                Piece::Local(sort, visible) => {
                    let name = self.name("k");
                    let scope = match visible {
                        Visible::Here => &mut self.locals,
                        Visible::Behind => &mut behind,
                        Visible::Outside => &mut leaving,
                    };
                    scope.push((name.clone(), sort.clone()));
                    named(name)
                }
                Piece::Fields(class) => {
                    let fields = self.fields.get(class).cloned().unwrap_or_default();
                    Part::List(
                        fields
                            .iter()
                            .map(|(name, sort)| field(sort, name))
                            .collect(),
                    )
                }
            });
        }
        self.locals.truncate(scope);
        self.locals.extend(leaving);
        Tree {
            sort: sort.into(),
            parts,
        }
    }

    fn name(&mut self, prefix: &str) -> String {
        self.next_name += 1;
        format!("{prefix}{}", self.next_name)
    }

    /// Enters fields that the class inherits.
    pub fn inherit(&mut self, fields: &[(&str, &str)]) {
        let named = fields
            .iter()
            .map(|&(name, sort)| (name.to_owned(), sort.to_owned()));
        self.locals.extend(named);
    }

    /// What `write` returns, which sees no fields of the class.
    pub fn without_fields(&mut self, write: impl FnOnce(&mut Self) -> Tree) -> Tree {
        let fields = self.fields.remove("");
        let tree = write(self);
        self.fields
            .extend(fields.map(|fields| (String::new(), fields)));
        tree
    }

    fn variable(&mut self, sort: &str) -> String {
        let is_field = match self.source {
            Source::Field => true,
            Source::Parameter([]) => false,
            // What calls change are fields, most often.
            Source::Parameter(sorts) => {
                !sorts.contains(&sort) || !self.modifier.is_empty() && self.random.below(3) > 0
            }
        };
        let fields = self.fields.entry(String::new()).or_default();
        let known = self.locals.iter().chain(&self.parameters).chain(&*fields);
        let mut fitting: Vec<String> = known
            .filter(|one| one.1 == sort)
            .map(|one| one.0.clone())
            .collect();
        let (own, prefix) = match is_field {
            true => (fields, "f"),
            false => (&mut self.parameters, "p"),
        };
        let wants_new = own.len() < MOST_VARIABLES && self.random.below(6) == 0;
        if !fitting.is_empty() && !wants_new {
            return fitting.swap_remove(self.random.below(fitting.len() as u64) as usize);
        }
        self.next_name += 1;
        let name = format!("{prefix}{}", self.next_name);
        own.push((name.clone(), sort.to_owned()));
        name
    }

    fn scoped(&mut self, sort: &str) -> String {
        let fitting: Vec<String> = self
            .locals
            .iter()
            .filter(|one| one.1 == sort)
            .map(|one| one.0.clone())
            .collect();
        fitting[self.random.below(fitting.len() as u64) as usize].clone()
    }

    fn member(&mut self, class: &str, sort: &str) -> String {
        let own = self.fields.entry(class.to_owned()).or_default();
        let fitting: Vec<String> = own
            .iter()
            .filter(|one| one.1 == sort)
            .map(|one| one.0.clone())
            .collect();
        if fitting.is_empty() || own.len() < 2 && self.random.below(4) == 0 {
            let name = self.name("f");
            self.fields
                .entry(class.to_owned())
                .or_default()
                .push((name.clone(), sort.to_owned()));
            return name;
        }
        fitting[self.random.below(fitting.len() as u64) as usize].clone()
    }

    fn static_field(&mut self, sort: &str) -> String {
        let known = self
            .statics
            .iter()
            .filter(|one| one.0.1 == sort)
            .map(|one| one.0.0.clone());
        let fitting: Vec<String> = known.collect();
        if fitting.is_empty() || self.statics.len() < MOST_VARIABLES && self.random.below(4) == 0 {
            let name = self.name("s");
            // The declaration is made apart from what is in scope.
            let locals = std::mem::take(&mut self.locals);
            let outer = std::mem::replace(&mut self.naming, name.clone());
            let tree = self.expand(&format!("static {sort}"), 2);
            self.naming = outer;
            self.locals = locals;
            self.statics.push(((name.clone(), sort.to_owned()), tree));
            return name;
        }
        fitting[self.random.below(fitting.len() as u64) as usize].clone()
    }
}

/// Declaration of a field.
fn field(sort: &str, name: &str) -> Tree {
    let parts = vec![
        Part::Text(format!("{sort} ").into()),
        Part::Leaf(name.to_owned()),
        Part::Text(";\n".into()),
    ];
    Tree {
        sort: "field".into(),
        parts,
    }
}
