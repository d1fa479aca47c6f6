//! `generate` on programs unlike those that it was made with: code behind exceptions, what classes
//! inherit from the library, type variables, bits of NaN, large interfaces, collections in collections.

use std::path::{Path, PathBuf};
use std::process::Output;
use std::sync::OnceLock;

use heapwright_testkit::fixtures::{Fixture, files};
use heapwright_testkit::jdk::jdks;
use serde_json::Value;

use crate::common::{program, summary_of, text, with_enough_time};

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
    generate_from(class, classes())
}

/// The same with classes in another folder.
fn generate_from(class: &str, classes: &Path) -> String {
    let folder = tempfile::tempdir().unwrap();
    let run = |limit: &str| {
        program()
            .args([
                "generate",
                "--no-config",
                "--json",
                "--time-per-class",
                limit,
            ])
            .args(["-c", &format!("unseen.{class}"), "-p"])
            .arg(classes)
            .args(["--jdk", jdks()[0].home.to_str().unwrap(), "-o"])
            .arg(folder.path())
            .output()
            .unwrap()
    };
    let is_covered = |output: &Output| {
        let summary: Value = serde_json::from_slice(&output.stdout).unwrap_or_default();
        summary["branches_covered"] == summary["branches_total"]
    };
    let output = with_enough_time(6_000, run, is_covered);
    let errors = text(&output.stderr);
    for what in [
        "left out that the compiler refuses",
        "left out on which the JVM disagrees",
    ] {
        assert!(!errors.contains(what), "{errors}");
    }
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
#[ignore = "long"]
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
#[ignore = "long"]
fn inherited_methods_of_the_library_fill_objects() {
    let tests = generate("Playlist");
    assert!(tests.contains(".add(\""), "{tests}");
    let tests = generate("Readings");
    assert!(tests.contains("Readings<Integer>"), "{tests}");
    let mut fills = ["add", "offer", "push"].into_iter();
    let fills = fills.any(|name| tests.contains(&format!("readings.{name}")));
    assert!(fills, "{tests}");
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
#[ignore = "long"]
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

/// What a generator made is no goal, and is called nevertheless.
#[test]
fn generated_methods_are_no_goals() {
    let tests = generate("Badge");
    assert!(tests.contains("isLong("), "{tests}");
    for method in ["equals_", "hashCode_", "toString_"] {
        assert!(!tests.contains(&format!("void {method}")), "{tests}");
    }
}

/// Libraries have classes that need others which a program does not have.
#[test]
fn what_a_library_lacks_costs_no_class_its_tests() {
    let folder = tempfile::tempdir().unwrap();
    for file in files(classes(), "class") {
        let name = file.strip_prefix(classes()).unwrap();
        if !name.ends_with("Absent.class") {
            let to = folder.path().join(name);
            std::fs::create_dir_all(to.parent().unwrap()).unwrap();
            std::fs::copy(&file, to).unwrap();
        }
    }
    let tests = generate_from("Porter", folder.path());
    assert!(tests.contains("carry("), "{tests}");
}

/// An array that is given twice is one object in the test, too.
#[test]
fn an_array_that_is_given_twice_has_a_variable() {
    let tests = generate("Switchboard");
    assert!(tests.contains("isOpen("), "{tests}");
}

/// An assertion that an argument fails is no fault, through calls that hand the argument on.
#[test]
fn assertions_on_arguments_handed_on_are_no_faults() {
    let folder = tempfile::tempdir().unwrap();
    let output = program()
        .args([
            "generate",
            "--no-config",
            "--json",
            "-c",
            "unseen.Guarded",
            "-p",
        ])
        .arg(classes())
        .args([
            "--jdk",
            jdks()[0].home.to_str().unwrap(),
            "--time-per-class",
            "6s",
            "-o",
        ])
        .arg(folder.path())
        .output()
        .unwrap();
    let summary = summary_of(&output);
    let faults = summary["failing_behaviours"].as_array().unwrap();
    assert!(faults.iter().all(|one| one["sure"] != true), "{summary}");
    let errors = faults
        .iter()
        .filter(|one| one["exception"] == "java.lang.AssertionError");
    assert_eq!(errors.count(), 0, "{summary}");
}
