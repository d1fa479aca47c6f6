//! Random classes, from a seed or from a file that was kept.

use super::grammar::{Grammar, MARK, Source, Writer};
use super::tree::{Part, Tree};

/// What is judged of a class.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// The structures that its invariant accepts, and calls on them.
    Structures,
    /// Paths and assertions of its methods.
    Methods,
    /// What sequences of calls reach.
    Apis,
    /// The structures that calls build.
    Builds,
}

/// Kinds, with their names.
pub const KINDS: [(&str, Kind); 4] = [
    ("structures", Kind::Structures),
    ("methods", Kind::Methods),
    ("apis", Kind::Apis),
    ("builds", Kind::Builds),
];

/// Imports of all classes, on the line of the package.
const IMPORTS: &str = "import java.util.*; import java.util.function.*; import java.util.stream.*; \
                       import java.util.concurrent.*; import java.util.concurrent.atomic.*;";

/// A subclass that the program under trial does not see, for the member class `B`.
const SUBCLASS: &str =
    "class BX extends A.B { static int n; protected int hook() { return n++ % 3; } }";

/// A class, `A`, with its member classes.
#[derive(Clone, Debug)]
pub struct Case {
    /// What is judged.
    pub kind: Kind,
    /// Scope of the searches for structures.
    pub scope: u32,
    /// Seed of the inputs.
    pub seed: u64,
    /// The code as a tree, if it was generated.
    pub tree: Option<Tree>,
    /// The code.
    pub code: String,
}

impl Case {
    /// Generates a class.
    #[must_use]
    pub fn generate(kind: Kind, grammar: &Grammar, seed: u64) -> Case {
        let (most, most_static) = match kind {
            Kind::Structures => (3, seed % 3 / 2),
            Kind::Methods => (6, 4),
            Kind::Apis => (4, 2),
            Kind::Builds => (3, 0),
        };
        let mut writer = Writer::new(grammar, seed, most, most_static);
        let tree = match kind {
            Kind::Structures => structures(&mut writer),
            Kind::Methods => methods(&mut writer),
            Kind::Apis => api(&mut writer),
            Kind::Builds => builds(&mut writer),
        };
        let scope = [2, 2, 2, 2, 1, 3][writer.below(6) as usize];
        Case {
            kind,
            scope,
            seed,
            code: tree.code(),
            tree: Some(tree),
        }
    }

    /// The same case with other code.
    #[must_use]
    pub fn with(&self, tree: Tree) -> Case {
        Case {
            code: tree.code(),
            tree: Some(tree),
            kind: self.kind,
            scope: self.scope,
            seed: self.seed,
        }
    }

    /// A case that was kept: its first line is a comment with its kind, its scope and its seed.
    ///
    /// # Panics
    /// It is not such a text.
    #[must_use]
    pub fn kept(text: &str) -> Case {
        let (head, code) = text.split_once('\n').unwrap_or_default();
        let words: Vec<&str> = head.split(' ').collect();
        let ["//", kind, "scope", scope, "seed", seed, ..] = words[..] else {
            panic!("no case: {head}");
        };
        let kind = KINDS.iter().find(|one| one.0 == kind);
        Case {
            kind: kind.unwrap_or_else(|| panic!("no kind: {head}")).1,
            scope: scope.parse().unwrap_or(2),
            seed: seed.parse().unwrap_or(1),
            tree: None,
            code: code.to_owned(),
        }
    }

    /// Text from which [`Case::kept`] reads the case; `why` ends its first line.
    #[must_use]
    pub fn to_keep(&self, why: &str) -> String {
        let kind = KINDS
            .iter()
            .find(|one| one.1 == self.kind)
            .map_or("", |one| one.0);
        format!(
            "// {kind} scope {} seed {} {why}\n{}",
            self.scope, self.seed, self.code
        )
    }

    /// Source of the class in a package.
    #[must_use]
    pub fn source(&self, package: &str) -> String {
        format!("package {package}; {IMPORTS}\n{}", self.code)
    }

    /// Source files of the class in a package: the class as it is, or its twin, which notes the lines
    /// that it comes by.
    #[must_use]
    pub fn sources(&self, package: &str, is_twin: bool) -> Vec<(&'static str, String)> {
        let mut text = self.source(package);
        if is_twin {
            let noted = |(number, line): (usize, &str)| {
                line.replace(MARK, &format!("judge.H.l({});", number + 1)) + "\n"
            };
            text = text.lines().enumerate().map(noted).collect();
        }
        let mut sources = vec![("A.java", text)];
        if is_twin && self.code.contains("class B {\nprotected int hook()") {
            sources.push(("BX.java", format!("package {package}; {SUBCLASS}")));
        }
        let own = self.code.lines().find_map(|line| {
            let parameters = line
                .trim_start_matches("public ")
                .trim_start_matches("protected ");
            parameters.strip_prefix("A(")?.strip_suffix(") {")
        });
        if is_twin
            && self.kind == Kind::Apis
            && !self.code.contains("final class A")
            && let Some(parameters) = own
        {
            sources.push((
                "AX.java",
                format!(
                    "package {package}; {}",
                    subclass("AX", parameters, &self.code)
                ),
            ));
        }
        sources
    }
}

/// Class with an invariant and some methods.
fn structures(writer: &mut Writer<'_>) -> Tree {
    let head = writer.code("head");
    if head.code().contains("Base") {
        writer.inherit(&[("base", "int[]"), ("size", "int"), ("other", "Base")]);
    }
    writer.source = Source::Field;
    let invariant = writer.code("repOK");
    writer.mention(&invariant);
    if writer.below(3) == 0 {
        // Fields that the invariant does not read.
        writer.code("boolean");
    }
    writer.source = Source::Parameter(&["int", "boolean", "String", "N", "E"]);
    let mut methods = Vec::new();
    for number in 0..writer.below(3) {
        let method = writer.code("method");
        methods.push(finished(writer, method, &format!("m{number}"), ""));
    }
    class(writer, head, Some(invariant), methods)
}

/// Class with methods, all static ones or all of objects.
fn methods(writer: &mut Writer<'_>) -> Tree {
    let head = writer.code("head");
    writer.source = Source::Parameter(&[]);
    let all = (0..2 + writer.below(5)).map(|number| {
        let method = writer.code("method");
        let code = method.code();
        let prefix = ["huge", "slow"]
            .into_iter()
            .find(|label| code.contains(&format!("/*{label}*/")));
        let prefix = prefix.unwrap_or("m");
        finished(writer, method, &format!("{prefix}{number}"), "static ")
    });
    let all = all.collect();
    class(writer, head, None, all)
}

/// Class whose state calls change.
fn api(writer: &mut Writer<'_>) -> Tree {
    if writer.below(6) == 0 {
        let constants = writer.code("enum");
        return class(writer, constants, None, Vec::new());
    }
    writer.modifier = "private ";
    writer.source = Source::Parameter(&["int", "boolean", "String", "N", "int[]", "Object"]);
    // A field of each sort comes before the parameters.
    let head = writer.code("head");
    let constructor = writer.code("ctor");
    let mut all = vec![finished(writer, constructor, "A", "")];
    for number in 0..1 + writer.below(3) {
        let method = writer.code("method");
        all.push(finished(writer, method, &format!("m{number}"), ""));
    }
    if writer.below(3) == 0 {
        writer.source = Source::Parameter(&[]);
        let method = writer.without_fields(|writer| writer.code("fixed"));
        all.push(finished(writer, method, "fixed", ""));
    }
    if writer.below(3) == 0 || all.iter().any(|tree| tree.code().contains("hook()")) {
        all.push(writer.code("hook"));
    }
    if writer.below(2) == 0 {
        all.push(writer.code("member"));
    }
    let own = all[0].code();
    let parameters = own
        .split_once("A(")
        .and_then(|(_, rest)| rest.split_once(") {"))
        .map(|one| one.0.to_owned());
    let has_subclass = writer.below(2) == 0 && !head.code().contains("final");
    let mut tree = class(writer, head, None, all);
    if has_subclass && let Some(parameters) = parameters {
        let subclass = Tree::text("subclass", &(subclass("Sub", &parameters, "") + "\n"));
        tree.parts.push(Part::List(vec![subclass]));
    }
    tree
}

/// Subclass with a constructor like the class's. What code calls that may be overridden is unknown code.
fn subclass(name: &str, parameters: &str, code: &str) -> String {
    let names: Vec<&str> = parameters
        .split(", ")
        .filter_map(|one| one.rsplit(' ').next())
        .collect();
    let mut text = format!(
        "class {name} extends A {{ public {name}({parameters}) {{ super({}); }}",
        names.join(", ")
    );
    if code.contains("void init()") {
        text += " protected void init() { judge.H.callback(this); }";
    }
    if code.contains("int hook()") {
        text += " protected int hook() { return judge.H.callback(this); }";
    }
    text + " }"
}

/// Class that is enumerated by calls.
fn builds(writer: &mut Writer<'_>) -> Tree {
    writer.modifier = "private ";
    let head = writer.code("head");
    let invariant = writer.code("repOK");
    writer.source = Source::Parameter(&["int", "boolean"]);
    let constructor = writer.code("ctor");
    let mut all = vec![finished(writer, constructor, "A", "")];
    for number in 0..1 + writer.below(4) {
        let method = writer.code("method");
        all.push(finished(writer, method, &format!("m{number}"), ""));
    }
    let invariant = (writer.below(3) > 0).then_some(invariant);
    class(writer, head, invariant, all)
}

/// Class, with what its code mentions.
fn class(writer: &mut Writer<'_>, head: Tree, invariant: Option<Tree>, methods: Vec<Tree>) -> Tree {
    methods.iter().for_each(|method| writer.mention(method));
    let mut parts = vec![Part::Child(head), Part::List(writer.declarations())];
    parts.extend(invariant.map(Part::Child));
    parts.extend([Part::List(methods), Part::Text("}\n".into())]);
    Tree {
        sort: "class".into(),
        parts,
    }
}

/// Method with its name and its parameters.
fn finished(writer: &mut Writer<'_>, method: Tree, name: &str, is_static: &str) -> Tree {
    let parameters = writer.parameters();
    let mut parts = Vec::new();
    for part in method.parts {
        let Part::Text(text) = &part else {
            parts.push(part);
            continue;
        };
        let text = text.replace("STATIC ", is_static);
        let place = text
            .split_once("NAME(PARAMS)")
            .or_else(|| text.split_once("A(PARAMS)"));
        let Some((before, after)) = place else {
            parts.push(part);
            continue;
        };
        parts.push(Part::Text(before.into()));
        parts.push(Part::Leaf(format!("{name}(")));
        parts.push(Part::Child(parameters.clone()));
        parts.push(Part::Text(format!("){after}").into()));
    }
    Tree { parts, ..method }
}
