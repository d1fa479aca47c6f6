//! `heapwright list`: the classes of a project or class path, and what can be done for each.
//!
//! Class files are read, and nothing is run.

mod args;

use std::fmt::Write as _;
use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Context, anyhow};
use heapwright_jvm::classfile::{self, ClassFile, MethodInfo};
use heapwright_jvm::classpath::ClassPath;
use heapwright_jvm::name::Names;
use heapwright_techniques::target::INVARIANT_NAMES;
use schemars::JsonSchema;
use serde::Serialize;

use crate::exit;
use crate::files::{grouped, print};
use crate::options::named_classes;
use crate::report::claim::Claim;
use crate::report::summary::Head;

pub use args::ListArgs;

/// Access flags (JVMS tables 4.1-B and 4.6-A).
const PUBLIC: u16 = 0x0001;
const STATIC: u16 = 0x0008;
const INTERFACE: u16 = 0x0200;
const ABSTRACT: u16 = 0x0400;
const SYNTHETIC: u16 = 0x1000;
const ANNOTATION: u16 = 0x2000;
const ENUM: u16 = 0x4000;

/// Verbs in the order in which they are told.
const VERBS: [&str; 9] = [
    "generate",
    "measure",
    "check",
    "enumerate",
    "builders",
    "compare",
    "korat",
    "paths",
    "run",
];

/// Keys of the summary of `list`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ListSummary {
    /// The classes, in the order of the request.
    by_class: Vec<ListedClass>,
}

/// Class and what can be done for it.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ListedClass {
    /// Binary name.
    class: String,
    /// `class`, `abstract class`, `interface`, `enum`, `record` or `annotation`.
    kind: &'static str,
    /// Number of public methods and constructors that it declares.
    public_methods: usize,
    /// Method that decides whether an object is well-formed, if there is one.
    invariant: Option<String>,
    /// Korat's method that sets bounds, if there is one.
    finitization: Option<String>,
    /// Verbs that have a use for the class.
    verbs: Vec<&'static str>,
}

/// Lists classes.
///
/// # Errors
/// The class path cannot be read, or a class is not there.
pub fn run(arguments: &ListArgs) -> anyhow::Result<ExitCode> {
    let start = Instant::now();
    let wanted = match arguments.classes.is_empty() {
        true => vec!["**".to_owned()],
        false => arguments.classes.clone(),
    };
    let classes = named_classes(&wanted, &arguments.class_path)?;
    let config = arguments.class_path.config()?;
    let class_path = ClassPath::open(&config.class_path, &[], config.jdk.feature)?;
    let listed: Vec<ListedClass> = classes
        .iter()
        .map(|class| listed(class, &class_path))
        .collect::<anyhow::Result<_>>()?;
    if arguments.output.json {
        Head::of_classes(&classes, &Claim::ended(None), start.elapsed().as_secs_f64())
            .explored(classes.len() as u64, "classes")
            .with(ListSummary { by_class: listed })
            .print("list")?;
    } else {
        print(&table(&listed))?;
    }
    Ok(exit::ExitCode::Done.into())
}

/// Reads a class and tells what can be done for it.
fn listed(class: &str, class_path: &ClassPath) -> anyhow::Result<ListedClass> {
    let found = class_path.find(&class.replace('.', "/"))?;
    let (bytes, _) = found.ok_or_else(|| anyhow!("no class {class} is on the class path"))?;
    let mut names = Names::default();
    let file = classfile::parse(&bytes, &mut names)
        .map_err(|error| anyhow!("{error}"))
        .with_context(|| format!("class {class}"))?;
    let simple = class.rsplit(['.', '$']).next().unwrap_or(class);
    let methods = || {
        file.methods
            .iter()
            .filter(|method| method.flags & SYNTHETIC == 0)
    };
    let is_instance = |method: &&MethodInfo| method.flags & STATIC == 0;
    let named = |method: &MethodInfo| names.text(method.name).to_owned();
    let has_type = |method: &&MethodInfo, text: &str| names.text(method.descriptor) == text;
    let invariant = INVARIANT_NAMES.iter().find(|name| {
        let mut predicates = methods()
            .filter(is_instance)
            .filter(|method| has_type(method, "()Z"));
        predicates.any(|method| named(method) == **name)
    });
    let finitization = format!("fin{simple}");
    let mut statics = methods().filter(|method| !is_instance(method));
    let has_finitization = statics.clone().any(|method| named(method) == finitization);
    let has_main = statics
        .any(|method| named(method) == "main" && has_type(&method, "([Ljava/lang/String;)V"));
    let is_concrete = file.flags & (ABSTRACT | INTERFACE) == 0;
    let has_code = methods().any(|method| method.code.is_some() && named(method) != "<clinit>");
    let is_built = is_concrete
        && methods().any(|method| named(method) == "<init>" && method.flags & PUBLIC != 0);
    let is_useful = |verb: &str| match verb {
        "generate" | "measure" | "paths" => has_code,
        "check" => is_concrete && invariant.is_some(),
        "enumerate" => is_concrete && (invariant.is_some() || is_built),
        "builders" => is_built,
        "compare" => is_built && invariant.is_some(),
        "korat" => has_finitization && invariant.is_some(),
        "run" => has_main,
        _ => false,
    };
    Ok(ListedClass {
        class: class.to_owned(),
        kind: kind(&file, &names),
        public_methods: methods()
            .filter(|method| method.flags & PUBLIC != 0 && named(method) != "<clinit>")
            .count(),
        invariant: invariant.map(|name| (*name).to_owned()),
        finitization: has_finitization.then_some(finitization),
        verbs: VERBS.into_iter().filter(|verb| is_useful(verb)).collect(),
    })
}

fn kind(file: &ClassFile, names: &Names) -> &'static str {
    let has = |flag: u16| file.flags & flag != 0;
    let extends = file.super_name.map(|name| names.text(name));
    match () {
        () if has(ANNOTATION) => "annotation",
        () if has(INTERFACE) => "interface",
        () if has(ENUM) => "enum",
        () if extends == Some("java/lang/Record") => "record",
        () if has(ABSTRACT) => "abstract class",
        () => "class",
    }
}

/// Table of the classes, for people.
fn table(listed: &[ListedClass]) -> String {
    let width = |text: fn(&ListedClass) -> &str, head: &str| {
        let widths = listed.iter().map(|class| text(class).chars().count());
        widths.chain([head.len()]).max().unwrap_or_default()
    };
    let name = width(|class| &class.class, "class");
    let kind = width(|class| class.kind, "kind");
    let invariant = width(
        |class| class.invariant.as_deref().unwrap_or("-"),
        "invariant",
    );
    let mut text = String::new();
    let _ = writeln!(
        text,
        "{:name$}  {:kind$}  {:>7}  {:invariant$}  verbs",
        "class", "kind", "methods", "invariant"
    );
    for class in listed {
        let line = format!(
            "{:name$}  {:kind$}  {:>7}  {:invariant$}  {}",
            class.class,
            class.kind,
            class.public_methods,
            class.invariant.as_deref().unwrap_or("-"),
            class.verbs.join(" ")
        );
        let _ = writeln!(text, "{}", line.trim_end());
    }
    let plural = if listed.len() == 1 { "" } else { "es" };
    let _ = writeln!(text, "{} class{plural}", grouped(listed.len() as u64));
    text
}
