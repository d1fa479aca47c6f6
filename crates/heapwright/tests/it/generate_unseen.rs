//! `generate` on programs unlike those that it was made with: code behind exceptions, what classes
//! inherit from the library, type variables, bits of NaN, large interfaces, collections in collections.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use heapwright_testkit::fixtures::{Fixture, files};
use heapwright_testkit::jdk::jdks;

use crate::common::{program, summary_of, text};

fn classes() -> &'static Path {
    static CLASSES: OnceLock<PathBuf> = OnceLock::new();
    CLASSES.get_or_init(|| {
        Fixture::new(&["-g", "-nowarn", "--release", "17"])
            .package("unseen")
            .classes()
    })
}

/// Generates tests for a class, all of which hold on a JVM and cover its branches. Returns the tests.
fn generate(class: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    let output = program()
        .args([
            "generate",
            "--no-config",
            "--json",
            "--time-per-class",
            "6s",
        ])
        .args(["-c", &format!("unseen.{class}"), "-p"])
        .arg(classes())
        .args(["--jdk", jdks()[0].home.to_str().unwrap(), "-o"])
        .arg(folder.path())
        .output()
        .unwrap();
    let errors = text(&output.stderr);
    assert!(!errors.contains("left out that do not"), "{errors}");
    let summary = summary_of(&output);
    let number = |key: &str| summary[key].as_u64().unwrap();
    assert_eq!(summary["verified"], true, "{summary}");
    assert_eq!(number("dropped"), 0, "{summary}");
    assert_eq!(
        number("branches_covered"),
        number("branches_total"),
        "{summary}"
    );
    std::fs::read_to_string(&files(folder.path(), "java")[0]).unwrap()
}

/// No branch leads to a return behind a call that throws, nor to a handler that only logs.
#[test]
fn returns_and_handlers_behind_exceptions_have_tests() {
    let tests = generate("Station");
    let thrown = "throw new Station.OutOfReach(\"\", 0)";
    assert!(tests.contains(thrown), "{tests}");
    for method in ["twice", "sum", "shout"] {
        let is_normal =
            |line: &str| line.contains(&format!("void {method}_")) && line.contains("_returns");
        assert!(tests.lines().any(is_normal), "{method}: {tests}");
    }
}

/// The tests of a method that return come before those that throw.
#[test]
fn normal_cases_come_first() {
    let tests = generate("Locator");
    let names: Vec<&str> = tests
        .lines()
        .filter_map(|line| line.trim().strip_prefix("void "))
        .collect();
    let of_get = names.iter().filter(|name| name.starts_with("get_"));
    let throws: Vec<bool> = of_get.map(|name| name.contains("_throws")).collect();
    assert!(
        throws.is_sorted() && throws.contains(&true) && !throws[0],
        "{tests}"
    );
    assert!(tests.contains("put(Object.class, "), "{tests}");
}

#[test]
fn inherited_methods_of_the_library_fill_objects() {
    let tests = generate("Playlist");
    assert!(tests.contains(".add(\""), "{tests}");
    let tests = generate("Readings");
    assert!(tests.contains("Readings<Integer>"), "{tests}");
    assert!(tests.contains(".add("), "{tests}");
}

#[test]
fn arrays_of_comparable_type_variables_have_their_own_class() {
    let tests = generate("Peaks");
    assert!(tests.contains("new Integer[] {"), "{tests}");
}

#[test]
fn null_is_cast_where_overloads_accept_it_alike() {
    let tests = generate("Overloads");
    assert!(tests.contains("(String) null"), "{tests}");
}

/// A test must not depend on bits of a NaN that differ between machines.
#[test]
fn bits_of_nan_are_those_of_the_constant() {
    let tests = generate("Encoder");
    // Those of a NaN that arithmetic makes.
    for bits in ["-2251799813685248", "9221120237041090560"] {
        assert!(
            !tests.contains(&format!("({bits}L, Encoder.ratio")),
            "{tests}"
        );
    }
}

#[test]
fn nodes_of_documents_are_made_by_the_jdk() {
    let tests = generate("Outline");
    assert!(tests.contains(".createElement(\""), "{tests}");
}

/// Collections are the JDK's, wherever they are held.
#[test]
fn collections_in_collections_are_real_ones() {
    let tests = generate("Timetable");
    assert!(tests.contains("Map<String, List<Integer>>"), "{tests}");
    assert!(tests.contains("List<Runnable>"), "{tests}");
    assert!(!tests.contains("new List"), "{tests}");
}

#[test]
fn executors_run_their_tasks() {
    let tests = generate("Relay");
    assert!(tests.contains("x -> x.run()"), "{tests}");
}
