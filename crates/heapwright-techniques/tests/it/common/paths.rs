//! The compiled methods of `fixtures/src/symbolic`, and the requests for their paths.

use std::path::PathBuf;

use heapwright_explore::symbolic::{InputBounds, Limits};
use heapwright_techniques::symbolic::SymbolicRequest;
use heapwright_testkit::fixtures::{Fixture, files, project};

/// Loop bound, unless a class sets another one in its first line.
const LOOPS: u32 = 4;

/// Creates a request for a method; without a name, for all public ones of the class.
pub fn request(class: &str, method: &str) -> SymbolicRequest {
    let source = source_of(class);
    let first = source.lines().next().unwrap_or_default();
    let own = first.strip_prefix("// Loops: ");
    SymbolicRequest {
        class: class.to_owned(),
        methods: match method {
            "" => Vec::new(),
            method => vec![method.to_owned()],
        },
        bounds: InputBounds {
            loops: own.map_or(LOOPS, |loops| loops.parse().expect("a number")),
            utf16: first == "// Strings: utf16",
            ..InputBounds::default()
        },
        limits: Limits::default(),
        step_limit: 1_000_000,
        scripts: false,
        merges: false,
    }
}

fn source_of(class: &str) -> String {
    let file = format!("fixtures/src/{}.java", class.replace('.', "/"));
    std::fs::read_to_string(project().join(file)).expect("a source")
}

/// Returns the folder of the compiled fixtures, and the classes with methods to check.
pub fn compiled() -> (PathBuf, Vec<String>) {
    let fixture = Fixture::new(&["-g", "-nowarn"]).package("symbolic");
    let sources = files(&project().join("fixtures/src/symbolic"), "java");
    let names = sources.iter().map(|source| {
        let name = source.file_stem().expect("a file's name").to_string_lossy();
        format!("symbolic.{name}")
    });
    let names = names.filter(|name| {
        // Helper classes are marked in their first line.
        !source_of(name).starts_with("// Not checked by itself")
    });
    (fixture.classes(), names.collect())
}
