//! The methods of `fixtures/src/symbolic`, compiled, and what is asked of their paths.

use std::path::{Path, PathBuf};

use heapwright_explore::symbolic::{Bounds, Limits};
use heapwright_techniques::symbolic::Request;
use heapwright_testkit::fixtures::{compile, files, project};
use heapwright_testkit::jdk::compilers;

/// How often loops go round, unless a class says otherwise in its first line.
const LOOPS: u32 = 4;

/// A request for a method; for all public ones of the class if it has no name.
pub fn request(class: &str, method: &str) -> Request {
    let source = source_of(class);
    let first = source.lines().next().unwrap_or_default();
    let own = first.strip_prefix("// Loops: ");
    Request {
        class: class.to_owned(),
        methods: match method {
            "" => Vec::new(),
            method => vec![method.to_owned()],
        },
        bounds: Bounds {
            loops: own.map_or(LOOPS, |loops| loops.parse().expect("a number")),
            utf16: first == "// Strings: utf16",
            ..Bounds::default()
        },
        limits: Limits::default(),
        step_limit: 1_000_000,
        scripts: false,
    }
}

fn source_of(class: &str) -> String {
    let file = format!("fixtures/src/{}.java", class.replace('.', "/"));
    std::fs::read_to_string(project().join(file)).expect("a source")
}

/// Compiles the fixtures; their folder, and the classes with methods to check.
pub fn compiled(to: &Path) -> (PathBuf, Vec<String>) {
    let jdk = &compilers()[0];
    let sources = files(&project().join("fixtures/src/symbolic"), "java");
    let classes = to.join("symbolic");
    compile(jdk, &sources, &[], &classes, &["-g", "-nowarn"]);
    let names = sources.iter().map(|source| {
        let name = source.file_stem().expect("a file's name").to_string_lossy();
        format!("symbolic.{name}")
    });
    let names = names.filter(|name| {
        // Helper classes say so in their first line.
        !source_of(name).starts_with("// Not checked by itself")
    });
    (classes, names.collect())
}
