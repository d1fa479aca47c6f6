//! Style of a project's sources: what sources show of it, and a pass that gives it to tests.
//!
//! Invariant: the pass changes white space outside of literals, the order of imports, and the
//! comment before the package; a comment may become several lines; what is assigned once may become
//! `final`. All other tokens stay.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::lines::{COMMENT_CONTINUATION, WIDTH, broken, fold};
use crate::tokens::{Token, TokenKind, tokens};

/// Columns of an indentation in the text of the writers.
const WRITTEN: usize = 4;
/// Columns of a tab where nothing says how many it has.
const TAB: usize = 4;

/// Style of sources. The default is that of the writers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Style {
    /// Indentation of a level.
    pub indentation: Indentation,
    /// Maximum number of columns of a line.
    pub width: usize,
    /// End of a line.
    pub line_end: LineEnd,
    /// Whether the last line ends as the others do.
    pub has_final_line_end: bool,
    /// Order of imports.
    pub imports: ImportLayout,
    /// Text before the package, with its line ends; may be empty.
    pub header: String,
    /// Whether local variables are `final` that are assigned once.
    pub final_variables: bool,
    /// Whether parameters of methods are `final`.
    pub final_parameters: bool,
}

/// Indentation of a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Indentation {
    /// So many spaces.
    Spaces(usize),
    /// A tab, which counts as so many columns.
    Tabs {
        /// Number of columns.
        width: usize,
    },
}

/// End of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum LineEnd {
    /// Line feed.
    Lf,
    /// Carriage return and line feed.
    CrLf,
}

/// Order of imports: groups, and empty lines between them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImportLayout(Vec<ImportPlace>);

#[derive(Clone, Debug, PartialEq, Eq)]
enum ImportPlace {
    EmptyLine,
    /// Imports of names with a prefix.
    Group {
        is_static: bool,
        prefix: String,
    },
}

/// What is known of a style.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SeenStyle {
    /// Indentation of a level.
    pub indentation: Option<Indentation>,
    /// Maximum number of columns of a line.
    pub width: Option<usize>,
    /// End of a line.
    pub line_end: Option<LineEnd>,
    /// Whether the last line ends as the others do.
    pub has_final_line_end: Option<bool>,
    /// Order of imports.
    pub imports: Option<ImportLayout>,
    /// Text before the package; empty if sources have none in common.
    pub header: Option<String>,
    /// Whether local variables are `final` that are assigned once.
    pub final_variables: Option<bool>,
    /// Whether parameters of methods are `final`.
    pub final_parameters: Option<bool>,
}

impl Default for Style {
    fn default() -> Style {
        SeenStyle::default().into_style()
    }
}

impl Style {
    /// Gives a test class that a writer has written this style.
    #[must_use]
    pub fn apply(&self, source: &str) -> String {
        let (head, body) = source.split_at(head_length(source));
        let mut text = self.header.clone();
        let (mut imports, mut others) = (Vec::new(), String::new());
        for line in head.lines() {
            match line.strip_prefix("import ") {
                Some(_) => imports.push(line),
                None if line.is_empty() => {}
                None => others += &format!("{line}\n\n"),
            }
        }
        text += &others;
        let laid_out = self.imports.laid_out(&imports);
        text += &laid_out;
        if !laid_out.is_empty() {
            text.push('\n');
        }
        let kinds = LineKinds::of(body);
        let finals = Finals::of(body, self);
        let mut at = 0;
        for line in body.split_inclusive('\n') {
            match kinds.inside(at) {
                Some(TokenKind::Literal) => text += line,
                None => {
                    let breaks = self.breaks_lines() && !kinds.begins_text_block(at, line);
                    self.add_line(&finals.added_to(line), breaks, &mut text);
                }
                Some(_) => self.add_line(line, false, &mut text),
            }
            at += line.len();
        }
        if !self.has_final_line_end {
            text.truncate(text.trim_end_matches('\n').len());
        }
        match self.line_end {
            LineEnd::Lf => text,
            LineEnd::CrLf => text.replace('\n', "\r\n"),
        }
    }

    /// Whether lines may be too long that a writer has left whole, or broken for its indentation.
    fn breaks_lines(&self) -> bool {
        self.width != WIDTH
            || self.indentation.columns() > WRITTEN
            || self.final_variables
            || self.final_parameters
    }

    /// Adds a line with its indentation, broken if it may be and is too long.
    fn add_line(&self, line: &str, may_break: bool, text: &mut String) {
        let line = line.trim_end_matches('\n');
        let content = line.trim_start_matches(' ');
        let spaces = line.len() - content.len();
        if content.is_empty() {
            text.push('\n');
            return;
        }
        let mut left = vec![(spaces / WRITTEN, spaces % WRITTEN, content.to_owned())];
        while let Some((levels, rest, content)) = left.pop() {
            let columns = levels * self.indentation.columns() + rest;
            let parts = match may_break {
                true if content.starts_with("// ") && columns + content.len() > self.width => {
                    let width = self.width.saturating_sub(columns);
                    fold(&content, COMMENT_CONTINUATION, width)
                }
                true => broken(&content, columns, self.width),
                false => vec![content],
            };
            let mut parts = parts.into_iter();
            let first = parts.next().unwrap_or_default();
            text.push_str(&self.indentation.text(levels));
            text.push_str(&" ".repeat(rest));
            text.push_str(&first);
            text.push('\n');
            // What continues the line is broken again where its indentation is wider than a writer's.
            let parts: Vec<_> = parts
                .map(|part| {
                    let content = part.trim_start_matches(' ');
                    let spaces = part.len() - content.len();
                    (levels + spaces / WRITTEN, rest, content.to_owned())
                })
                .collect();
            left.extend(parts.into_iter().rev());
        }
    }
}

/// Words that begin no declaration of a local variable or a method.
const NO_TYPES: [&str; 14] = [
    "assert", "case", "catch", "do", "else", "for", "if", "import", "new", "package", "return",
    "switch", "throw", "while",
];
/// Modifiers of members.
const MODIFIERS: [&str; 8] = [
    "abstract",
    "final",
    "private",
    "protected",
    "public",
    "static",
    "transient",
    "volatile",
];
/// Words before the name of a type that is declared.
const TYPES: [&str; 4] = ["class", "enum", "interface", "record"];
const FINAL: &str = "final ";

/// Name of the variable that a line declares with a value, without modifiers but `final`.
fn declared(line: &str) -> Option<&str> {
    let line = line.trim().strip_prefix(FINAL).unwrap_or(line.trim());
    let end = line
        .find(" = ")
        .or_else(|| line.strip_suffix(" =").map(str::len))?;
    let (kind, name) = line[..end].rsplit_once(' ')?;
    let first = kind.split([' ', '<', '[']).next()?;
    let is_kind = kind.starts_with(|letter: char| letter.is_alphabetic())
        && !kind.contains(['(', '"', '=', '@'])
        && !MODIFIERS.contains(&first)
        && !NO_TYPES.contains(&first);
    let is_name = !name.is_empty()
        && name
            .chars()
            .all(|letter| letter.is_alphanumeric() || letter == '_');
    (is_kind && is_name).then_some(name)
}

/// Places of the parameters in a line that begins the body of a method, if it does.
fn parameters(line: &str) -> Option<Vec<Range<usize>>> {
    let open = line.find('(')?;
    let before = line[..open].trim();
    let close = open + line[open..].find(')')?;
    let is_body = line.trim_end().ends_with('{');
    let first = before.split(' ').next()?;
    let is_method = before.contains(' ')
        && !before.contains(['=', '.', '"', '@', '}'])
        && !before.split(' ').any(|word| TYPES.contains(&word))
        && !NO_TYPES.contains(&first)
        && !line.contains("->")
        && close > open + 1;
    if !is_body || !is_method {
        return None;
    }
    let mut found = Vec::new();
    let (mut depth, mut start) = (0, open + 1);
    for (at, letter) in line[..close]
        .char_indices()
        .skip_while(|(at, _)| *at <= open)
    {
        match letter {
            '<' => depth += 1,
            '>' => depth -= 1,
            ',' if depth == 0 => {
                found.push(start..at);
                start = at + 1;
            }
            _ => {}
        }
    }
    found.push(start..close);
    Some(found)
}

/// Whether the local variable that a line declares is `final`, if it declares one.
fn variable_of(line: &str) -> Option<bool> {
    // A field is one level deep.
    let depth = line.len() - line.trim_start().len();
    let is_local = depth > WRITTEN || line.starts_with("\t\t");
    let is_it = is_local && declared(line).is_some();
    is_it.then(|| line.trim_start().starts_with(FINAL))
}

/// Whether all parameters of the method that begins on a line are `final`, if there are any.
fn parameter_of(line: &str) -> Option<bool> {
    let mut parameters = parameters(line)?.into_iter();
    Some(parameters.all(|place| line[place].trim().starts_with(FINAL)))
}

/// Whether nine in ten are `final`; `None` if there are too few to tell.
fn most_are_final(all: impl Iterator<Item = bool>) -> Option<bool> {
    const FEWEST: usize = 10;
    let all: Vec<bool> = all.collect();
    let finals = all.iter().filter(|is_final| **is_final).count();
    (all.len() >= FEWEST).then_some(10 * finals >= 9 * all.len())
}

/// Whether the local variables of a source that are assigned once are `final`.
fn variables_of(source: &str) -> Vec<bool> {
    let assigned = assigned_names(source);
    let is_once = |line: &&str| declared(line).is_some_and(|name| !assigned.contains(name));
    let lines = source.lines().filter(is_once);
    lines.filter_map(variable_of).collect()
}

/// Names that something is assigned to beside their declarations.
fn assigned_names(body: &str) -> BTreeSet<&str> {
    let mut left: BTreeMap<&str, usize> = BTreeMap::new();
    let is_word = |letter: char| letter.is_alphanumeric() || letter == '_';
    let mut rest = 0;
    while let Some(begin) = body[rest..].find(is_word) {
        let begin = rest + begin;
        let end = body[begin..].find(|letter| !is_word(letter));
        let end = end.map_or(body.len(), |end| begin + end);
        rest = end;
        let after = body[end..].trim_start_matches(' ');
        let operator = after.trim_start_matches(|letter| "+-*/%&|^<>".contains(letter));
        let is_assigned = operator.starts_with('=')
            && !operator.starts_with("==")
            && !(after.starts_with(['<', '>']) && after[1..].starts_with('='));
        let is_counted = after.starts_with("++") || after.starts_with("--");
        let before = body[..begin].trim_end_matches(' ');
        let is_counted = is_counted || before.ends_with("++") || before.ends_with("--");
        if is_assigned || is_counted {
            *left.entry(&body[begin..end]).or_default() += 1;
        }
    }
    for name in body.lines().filter_map(declared) {
        if let Some(count) = left.get_mut(name) {
            *count = count.saturating_sub(1);
        }
    }
    let assigned = left.into_iter().filter(|(_, count)| *count > 0);
    assigned.map(|(name, _)| name).collect()
}

/// Variables and parameters of a test class that are `final` in a style.
struct Finals<'s> {
    style: &'s Style,
    /// Names that something is assigned to beside their declarations.
    assigned: BTreeSet<&'s str>,
}

impl<'s> Finals<'s> {
    fn of(body: &'s str, style: &'s Style) -> Finals<'s> {
        // Most styles have none.
        let assigned = match style.final_variables || style.final_parameters {
            true => assigned_names(body),
            false => BTreeSet::new(),
        };
        Finals { style, assigned }
    }

    /// A line with `final` before what is assigned once.
    fn added_to<'l>(&self, line: &'l str) -> Cow<'l, str> {
        let is_once = |name: &str| !self.assigned.contains(name);
        if self.style.final_variables
            && variable_of(line) == Some(false)
            && declared(line).is_some_and(is_once)
        {
            let at = line.len() - line.trim_start().len();
            return Cow::Owned(format!("{}{FINAL}{}", &line[..at], &line[at..]));
        }
        let places = self.style.final_parameters.then(|| parameters(line));
        let Some(places) = places.flatten() else {
            return Cow::Borrowed(line);
        };
        let mut text = line.to_owned();
        for place in places.into_iter().rev() {
            let parameter = line[place.clone()].trim_start();
            let name = parameter.rsplit(' ').next().unwrap_or_default();
            if !parameter.starts_with(FINAL) && parameter.contains(' ') && is_once(name) {
                text.insert_str(place.end - parameter.len(), FINAL);
            }
        }
        Cow::Owned(text)
    }
}

/// Length of the beginning of a source that has its package and its imports.
fn head_length(source: &str) -> usize {
    let is_head = |line: &&str| {
        let line = line.trim_end();
        line.is_empty() || line.starts_with("package ") || line.starts_with("import ")
    };
    let head = source.split_inclusive('\n').take_while(is_head);
    head.map(str::len).sum()
}

/// Tokens with several lines.
struct LineKinds(Vec<(Range<usize>, TokenKind)>);

impl LineKinds {
    fn of(source: &str) -> LineKinds {
        let long = tokens(source)
            .filter(|token| token.kind != TokenKind::Space && token.text.contains('\n'));
        let long = long.map(|token| (token.at..token.at + token.text.len(), token.kind));
        LineKinds(long.collect())
    }

    /// Kind of the token that a place is inside of.
    fn inside(&self, at: usize) -> Option<TokenKind> {
        let mut inside = self.0.iter();
        let found = inside.find(|(place, _)| place.start < at && at < place.end);
        found.map(|(_, kind)| *kind)
    }

    /// Whether a text block begins on a line.
    fn begins_text_block(&self, at: usize, line: &str) -> bool {
        let mut begun = self.0.iter();
        begun.any(|(place, kind)| {
            *kind == TokenKind::Literal && (at..at + line.len()).contains(&place.start)
        })
    }
}

impl Indentation {
    /// Columns of a level.
    fn columns(self) -> usize {
        match self {
            Indentation::Spaces(columns) | Indentation::Tabs { width: columns } => columns,
        }
    }

    fn text(self, levels: usize) -> String {
        match self {
            Indentation::Spaces(columns) => " ".repeat(columns * levels),
            Indentation::Tabs { .. } => "\t".repeat(levels),
        }
    }
}

impl ImportLayout {
    /// Reads a layout in the notation of `ij_java_imports_layout`: groups as `java.**`, all others as
    /// `*`, those of static members after `$`, and `|` for an empty line. What is missing of `*` and
    /// `$*` is added.
    #[must_use]
    pub fn parse(notation: &str) -> ImportLayout {
        let words = notation.split(',').map(str::trim);
        let places = words.filter(|word| !word.is_empty()).map(|word| {
            let name = word.trim_start_matches('$');
            match word {
                "|" => ImportPlace::EmptyLine,
                _ => ImportPlace::Group {
                    is_static: word.starts_with('$'),
                    prefix: name.trim_end_matches('*').to_owned(),
                },
            }
        });
        let mut places: Vec<ImportPlace> = places.collect();
        for is_static in [false, true] {
            let all = ImportPlace::Group {
                is_static,
                prefix: String::new(),
            };
            if !places.contains(&all) {
                places.extend([ImportPlace::EmptyLine, all]);
            }
        }
        ImportLayout(places)
    }

    /// Number of the group of an import, without the word `import`: that of the longest prefix.
    fn group_of(&self, import: &str) -> Option<usize> {
        let of_static = import.strip_prefix("static ");
        let name = of_static.unwrap_or(import);
        let places = self.0.iter().enumerate();
        let fitting = places.filter_map(|(number, place)| match place {
            ImportPlace::Group { is_static, prefix } => {
                let fits = *is_static == of_static.is_some() && name.starts_with(prefix.as_str());
                fits.then_some((prefix.len(), number))
            }
            ImportPlace::EmptyLine => None,
        });
        fitting.max_by_key(|(length, _)| *length).map(|(_, at)| at)
    }

    /// Whether an empty line stands between two groups.
    fn separates(&self, first: usize, second: usize) -> bool {
        let mut between = self.0[first..second].iter();
        between.any(|place| *place == ImportPlace::EmptyLine)
    }

    /// Imports, a line each, in their groups; those of a group keep their order.
    fn laid_out(&self, lines: &[&str]) -> String {
        let mut groups: BTreeMap<usize, Vec<&str>> = BTreeMap::new();
        for line in lines {
            let import = line.trim_start_matches("import ");
            let group = self.group_of(import).unwrap_or_default();
            groups.entry(group).or_default().push(line);
        }
        let mut text = String::new();
        let mut last = None;
        for (group, lines) in groups {
            if last.is_some_and(|last| self.separates(last, group)) {
                text.push('\n');
            }
            for line in lines {
                text += line;
                text.push('\n');
            }
            last = Some(group);
        }
        text
    }

    /// Layouts that projects have, the writers' first.
    fn known() -> impl Iterator<Item = ImportLayout> {
        const GROUPS: [&str; 5] = [
            "*",
            "*,|,javax.**,java.**",
            "java.**,|,javax.**,|,*",
            "java.**,javax.**,|,*",
            "java.**,|,javax.**,|,org.**,|,com.**,|,*",
        ];
        let notations = GROUPS.into_iter().flat_map(|groups| {
            [
                format!("$*,|,{groups}"),
                format!("{groups},|,$*"),
                format!("$*,{groups}"),
                format!("{groups},$*"),
            ]
        });
        notations.map(|notation| ImportLayout::parse(&notation))
    }

    /// Whether the imports of a source are in this layout. Each has the number of empty lines before
    /// it.
    fn fits(&self, imports: &[(String, bool)]) -> bool {
        let groups = imports.iter().map(|(import, _)| self.group_of(import));
        let Some(groups) = groups.collect::<Option<Vec<usize>>>() else {
            return false;
        };
        let mut pairs = groups.windows(2).zip(&imports[1..]);
        pairs.all(|(pair, (_, is_separate))| {
            pair[0] <= pair[1] && self.separates(pair[0], pair[1]) == *is_separate
        })
    }
}

impl SeenStyle {
    /// What sources of a project show of its style.
    #[must_use]
    pub fn of_sources(sources: &[String]) -> SeenStyle {
        let mut indentations = Vec::new();
        let mut imports = Vec::new();
        for source in sources {
            indentations.extend(indentations_of(source));
            let own = imports_of(source);
            if own.len() > 1 {
                imports.push(own);
            }
        }
        let mut best: Option<(usize, ImportLayout)> = None;
        for layout in ImportLayout::known() {
            let fitting = imports.iter().filter(|imports| layout.fits(imports));
            let fitting = fitting.count();
            if fitting > best.as_ref().map_or(0, |(most, _)| *most) {
                best = Some((fitting, layout));
            }
        }
        let ends = sources.iter().filter(|source| source.contains('\n'));
        let line_ends = ends.map(|source| match source.contains("\r\n") {
            true => LineEnd::CrLf,
            false => LineEnd::Lf,
        });
        let whole = sources.iter().filter(|source| !source.trim().is_empty());
        let lines = sources.iter().flat_map(|source| source.lines());
        SeenStyle {
            indentation: most_common(indentations),
            width: None,
            line_end: most_common(line_ends),
            has_final_line_end: most_common(whole.map(|source| source.ends_with('\n'))),
            imports: best.map(|(_, layout)| layout),
            header: shared_header(sources),
            final_variables: most_are_final(sources.iter().flat_map(|source| variables_of(source))),
            final_parameters: most_are_final(lines.filter_map(parameter_of)),
        }
    }

    /// This style where it is known, else the other one.
    #[must_use]
    pub fn or(self, other: SeenStyle) -> SeenStyle {
        SeenStyle {
            indentation: self.indentation.or(other.indentation),
            width: self.width.or(other.width),
            line_end: self.line_end.or(other.line_end),
            has_final_line_end: self.has_final_line_end.or(other.has_final_line_end),
            imports: self.imports.or(other.imports),
            header: self.header.or(other.header),
            final_variables: self.final_variables.or(other.final_variables),
            final_parameters: self.final_parameters.or(other.final_parameters),
        }
    }

    /// This style where it is known, else that of the writers.
    #[must_use]
    pub fn into_style(self) -> Style {
        let first = || ImportLayout::known().next();
        let imports = self.imports.or_else(first);
        Style {
            indentation: self.indentation.unwrap_or(Indentation::Spaces(WRITTEN)),
            width: self.width.unwrap_or(WIDTH),
            line_end: self.line_end.unwrap_or(LineEnd::Lf),
            has_final_line_end: self.has_final_line_end.unwrap_or(true),
            imports: imports.unwrap_or_else(|| ImportLayout::parse("")),
            header: self.header.unwrap_or_default(),
            final_variables: self.final_variables.unwrap_or_default(),
            final_parameters: self.final_parameters.unwrap_or_default(),
        }
    }
}

/// The value that is there most often, of several ones the first in their order.
fn most_common<T: Ord + Clone>(values: impl IntoIterator<Item = T>) -> Option<T> {
    let mut counts: BTreeMap<T, usize> = BTreeMap::new();
    for value in values {
        *counts.entry(value).or_default() += 1;
    }
    let most = counts.values().copied().max()?;
    counts
        .into_iter()
        .find(|(_, count)| *count == most)
        .map(|(value, _)| value)
}

/// Indentations of the members of top-level classes.
fn indentations_of(source: &str) -> Vec<Indentation> {
    let mut found = Vec::new();
    let mut depth = 0_usize;
    let mut before = "";
    for token in tokens(source) {
        if token.kind == TokenKind::Space {
            before = token.text;
            continue;
        }
        let is_first = before.contains('\n');
        let indentation = before.rsplit('\n').next().unwrap_or_default();
        before = "";
        if is_first && depth == 1 && token.is_code() && !token.closes() {
            match indentation.len() {
                _ if indentation.starts_with('\t') => {
                    found.push(Indentation::Tabs { width: TAB });
                }
                columns @ 1..=8 => found.push(Indentation::Spaces(columns)),
                _ => {}
            }
        }
        depth += usize::from(token.opens());
        depth = depth.saturating_sub(usize::from(token.closes()));
    }
    found
}

/// Imports of a source without the word `import`, and whether an empty line is before each.
fn imports_of(source: &str) -> Vec<(String, bool)> {
    let mut imports = Vec::new();
    let mut is_separate = false;
    let head = header_of(source).map_or(0, str::len);
    for line in source[head..].lines().map(str::trim) {
        match line.strip_prefix("import ") {
            Some(import) => {
                imports.push((import.to_owned(), is_separate));
                is_separate = false;
            }
            None if line.is_empty() => is_separate = true,
            // Behind the imports.
            None if line.contains('{') => break,
            None => {}
        }
    }
    imports
}

/// Words of licences, by which a comment of a single source is known to be none of its own.
const OF_LICENCES: [&str; 5] = ["copyright", "licen", "spdx", "\u{a9}", "(c)"];

/// Tenths of the sources that have a header which new files get.
const SHARED_TENTHS: usize = 9;

/// Text before the package that nearly all sources have but for years and layout, as most of them have
/// it; where nearly all have a licence but not the same words, that of more than half. Empty if they have
/// none in common, `None` if there are no sources with a package or an import.
fn shared_header(sources: &[String]) -> Option<String> {
    let headers = sources.iter().filter_map(|source| header_of(source));
    let headers: Vec<(String, &str)> = headers.map(|text| (words_of_header(text), text)).collect();
    let words = most_common(headers.iter().map(|(words, _)| words))?.clone();
    let alike = headers.iter().filter(|(other, _)| *other == words);
    let alike: Vec<String> = alike.map(|(_, text)| text.replace('\r', "")).collect();
    let are_nearly_all = |count: usize| 10 * count >= SHARED_TENTHS * headers.len();
    let is_licence = |words: &str| {
        let text = words.to_lowercase();
        OF_LICENCES.iter().any(|word| text.contains(word))
    };
    let is_most_common_licence = || {
        let licences = headers.iter().filter(|(words, _)| is_licence(words));
        2 * alike.len() > headers.len() && are_nearly_all(licences.count()) && is_licence(&words)
    };
    let is_shared = are_nearly_all(alike.len()) || is_most_common_licence();
    if words.is_empty() || !is_shared || headers.len() == 1 && !is_licence(&words) {
        return Some(String::new());
    }
    most_common(alike)
}

/// Comments and white space before the package or the first import of a source.
fn header_of(source: &str) -> Option<&str> {
    let first = tokens(source).find(Token::is_code)?;
    let is_head = ["package", "import"].contains(&first.text);
    is_head.then(|| &source[..first.at])
}

/// Text of a header for comparison: without years, ranges of years, white space, and the signs that
/// make it a comment.
fn words_of_header(header: &str) -> String {
    const YEAR: &str = "YEAR";
    let is_sign = |letter: char| matches!(letter, '*' | '/');
    let words = tokens(header).flat_map(|token| token.text.split_whitespace());
    let words = words.map(|word| word.trim_matches(is_sign));
    let words = words.filter(|word| !word.is_empty());
    let words = words.map(|word| {
        let mut text = String::new();
        let mut rest = word;
        while let Some(at) = rest.find(|letter: char| letter.is_ascii_digit()) {
            let digits = rest[at..].find(|letter: char| !letter.is_ascii_digit());
            let end = digits.map_or(rest.len(), |digits| at + digits);
            let number = &rest[at..end];
            text += &rest[..at];
            text += match number.len() == 4 && ["19", "20"].contains(&&number[..2]) {
                true => YEAR,
                false => number,
            };
            rest = &rest[end..];
        }
        text + rest
    });
    let text = words.collect::<Vec<_>>().join(" ");
    let range = [" - ", "-", ", ", ",", " \u{2013} ", "\u{2013}"];
    range.iter().fold(text, |text, between| {
        text.replace(&format!("{YEAR}{between}{YEAR}"), YEAR)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const WRITTEN_CLASS: &str = r#"package a;

import static org.junit.jupiter.api.Assertions.assertEquals;

import a.b.C;
import java.util.List;
import javax.a.B;

/** Behaviour of a.Box, written by Heapwright. */
class BoxHeapwrightTest {
    /**
     * Text.
     */
    @Test
    void made() {
        // Of a box with many things in it, which are named one after the other.
        assertEquals(List.of("one, two", "three"), Box.of("one, two", "three", "four").words());
        String block = """
            kept
                as it is""";
        String text = "    spaces";
    }

    @Nested
    class Size {
        int size;
    }
}
"#;

    #[test]
    fn variables_and_parameters_are_final_where_those_of_sources_are() {
        let sources = |line: &str| {
            vec![format!(
                "class A {{\n{}    void of() {{\n        int count = 0;\n        count++;\n    }}\n}}\n",
                line.repeat(10)
            )]
        };
        let finals =
            "    void of(final int a, final Map<A, B> b) {\n        final int c = a;\n    }\n";
        let seen = SeenStyle::of_sources(&sources(finals));
        assert_eq!(
            (seen.final_variables, seen.final_parameters),
            (Some(true), Some(true))
        );
        let plain = finals.replace(FINAL, "");
        let other = SeenStyle::of_sources(&sources(&plain));
        assert_eq!(
            (other.final_variables, other.final_parameters),
            (Some(false), Some(false))
        );
        let source = "class A {\n    int field = 1;\n    void of(int a, Map<A, B> b) {\n        int c = a;\n        \
                      A.List<A> d = e(\n                c);\n        int count = 0;\n        count++;\n        \
                      if (c == 1) {\n            f(x -> {\n            });\n        } else if (c == 2) {\n        }\n    }\n    \
                      record C(int a) {\n    }\n}\n";
        let expected = source
            .replace("int a, Map", "final int a, final Map")
            .replace("        int c =", "        final int c =")
            .replace("        A.List", "        final A.List");
        assert_eq!(seen.into_style().apply(source), expected);
        assert_eq!(other.into_style().apply(source), source);
    }

    fn style(indentation: Indentation, width: usize) -> Style {
        Style {
            indentation,
            width,
            ..Style::default()
        }
    }

    /// Code of a source, with the imports sorted.
    fn code(source: &str) -> Vec<String> {
        let code = tokens(source).filter(Token::is_code);
        let text: String = code.map(|token| format!("{}\n", token.text)).collect();
        let mut parts: Vec<String> = text.split(";\n").map(str::to_owned).collect();
        parts[1..5].sort();
        parts
    }

    #[test]
    fn the_default_is_the_style_of_the_writers() {
        assert_eq!(Style::default().apply(WRITTEN_CLASS), WRITTEN_CLASS);
        let long = format!("class A {{\n    int i = f({}1);\n}}\n", "100, ".repeat(30));
        assert_eq!(Style::default().apply(&long), long);
    }

    #[test]
    fn lines_have_the_indentation_and_the_width() {
        let text = style(Indentation::Tabs { width: 8 }, 80).apply(WRITTEN_CLASS);
        let body = &text[text.find("class").unwrap()..];
        let expected = "class BoxHeapwrightTest {\n\t/**\n\t * Text.\n\t */\n\t@Test\n\tvoid made() {\n\t\t// Of a box with many \
                        things in it, which are named one after\n\t\t//     the other.\n\t\tassertEquals(List.of(\"one, two\", \
                        \"three\"),\n\t\t\t\tBox.of(\"one, two\", \"three\", \"four\").words());\n\t\tString block = \
                        \"\"\"\n            kept\n                as it is\"\"\";\n\t\tString text = \"    spaces\";\n\t}\n\n\
                        \t@Nested\n\tclass Size {\n\t\tint size;\n\t}\n}\n";
        assert_eq!(body, expected);
        assert_eq!(code(&text), code(WRITTEN_CLASS));
        let text = style(Indentation::Spaces(2), 60).apply(WRITTEN_CLASS);
        assert!(
            text.contains("\n  /**\n   * Text.\n   */\n  @Test\n"),
            "{text}"
        );
        assert!(text.contains("\n    assertEquals(List.of("), "{text}");
        assert!(
            text.lines()
                .all(|line| line.len() <= 60 || line.starts_with("import"))
        );
        assert_eq!(code(&text), code(WRITTEN_CLASS));
    }

    #[test]
    fn lines_end_as_the_style_says() {
        let mut style = Style {
            line_end: LineEnd::CrLf,
            ..Style::default()
        };
        let text = style.apply(WRITTEN_CLASS);
        assert_eq!(text.replace("\r\n", "\n"), WRITTEN_CLASS);
        assert_eq!(text.matches("\r\n").count(), text.matches('\n').count());
        style.has_final_line_end = false;
        assert!(style.apply(WRITTEN_CLASS).ends_with("\r\n}"));
    }

    #[test]
    fn imports_and_header_come_before_the_class() {
        let style = Style {
            imports: ImportLayout::parse("java.**,javax.**,|,*,|,$*"),
            header: "/* Acme. */\n\n".to_owned(),
            ..Style::default()
        };
        let head = "/* Acme. */\n\npackage a;\n\nimport java.util.List;\nimport javax.a.B;\n\nimport a.b.C;\n\n\
                    import static org.junit.jupiter.api.Assertions.assertEquals;\n\n/** Behaviour";
        let text = style.apply(WRITTEN_CLASS);
        assert!(text.starts_with(head), "{text}");
        assert_eq!(
            style.apply("class A {\n}\n"),
            "/* Acme. */\n\nclass A {\n}\n"
        );
    }

    fn seen(sources: &[&str]) -> SeenStyle {
        let sources: Vec<String> = sources.iter().map(|source| (*source).to_owned()).collect();
        SeenStyle::of_sources(&sources)
    }

    #[test]
    fn sources_show_their_indentation() {
        let tabs = "package a;\n/**\n  * A.\n  */\nclass A {\n\tint i;\n\tvoid f() {\n\t\tg(\n  1);\n\t}\n}\n";
        let spaces = "class A {\n  int i;\n\n  // B\n  int j;\n}\n";
        assert_eq!(
            seen(&[tabs]).indentation,
            Some(Indentation::Tabs { width: 4 })
        );
        assert_eq!(seen(&[spaces]).indentation, Some(Indentation::Spaces(2)));
        assert_eq!(
            seen(&[tabs, spaces, spaces]).indentation,
            Some(Indentation::Spaces(2))
        );
        assert_eq!(
            seen(&["interface A {}"]),
            SeenStyle {
                has_final_line_end: Some(false),
                ..SeenStyle::default()
            }
        );
        let windows = spaces.replace('\n', "\r\n");
        assert_eq!(seen(&[&windows]).line_end, Some(LineEnd::CrLf));
        assert_eq!(seen(&[&windows, tabs, tabs]).line_end, Some(LineEnd::Lf));
    }

    #[test]
    fn sources_show_their_order_of_imports() {
        for notation in [
            "$*,|,*",
            "*,|,$*",
            "*,$*",
            "java.**,|,javax.**,|,*,|,$*",
            "*,|,javax.**,java.**,|,$*",
            "$*,|,java.**,|,javax.**,|,org.**,|,com.**,|,*",
        ] {
            let style = Style {
                imports: ImportLayout::parse(notation),
                ..Style::default()
            };
            let source =
                WRITTEN_CLASS.replace("import a.b.C;\n", "import com.b.C;\nimport org.a.B;\n");
            let source = style.apply(&source);
            let layout = seen(&[&source]).imports.unwrap();
            let again = Style {
                imports: layout,
                ..Style::default()
            };
            assert_eq!(again.apply(&source), source, "{notation}");
        }
        assert_eq!(seen(&["import a.B;\nclass A {}\n"]).imports, None);
        let commented = "/** {@link A} */\npackage a;\nimport a.B;\n\nimport static a.B.C;\n";
        let last = ImportLayout::parse("*,|,$*");
        assert_eq!(seen(&[commented]).imports, Some(last));
    }

    #[test]
    fn the_header_of_all_sources_is_theirs() {
        let of =
            |year: &str| format!("/*\n * Copyright {year} Acme\n */\n\npackage a;\nclass A {{}}\n");
        let header = |year: &str| Some(format!("/*\n * Copyright {year} Acme\n */\n\n"));
        assert_eq!(seen(&[&of("2019")]).header, header("2019"));
        let range = of("2019-2024");
        assert_eq!(
            seen(&[&of("2019"), &range, &range, "/** A. */\nclass B {}\n"]).header,
            header("2019-2024")
        );
        // Another layout, and a file in many without it.
        let framed = "/***\n  Copyright 2019 Acme\n  */\npackage a;\n";
        let mut sources = vec![range.as_str(); 9];
        sources.splice(..3, [framed, "package a;\n", &range]);
        assert_eq!(seen(&sources).header, Some(String::new()));
        sources.push(framed);
        sources.push(&range);
        assert_eq!(seen(&sources).header, header("2019-2024"));
        let none = Some(String::new());
        assert_eq!(seen(&[&of("2019"), "package a;\n"]).header, none);
        assert_eq!(seen(&[&of("2019"), "// Other.\npackage a;\n"]).header, none);
        // Two licences, of which one is the common one, and none that is.
        let other = "/* Licensed to Acme in other words. */\npackage a;\n";
        assert_eq!(seen(&[&range, &range, other]).header, header("2019-2024"));
        assert_eq!(seen(&[&range, other]).header, none);
        // A comment of one source may be about that source.
        assert_eq!(seen(&["/* Small. */\npackage a;\n"]).header, none);
        let same = "/* Acme's. */\npackage a;\n";
        assert_eq!(
            seen(&[same, same]).header,
            Some("/* Acme's. */\n".to_owned())
        );
        assert_eq!(seen(&["class A {}\n"]).header, None);
    }
}
