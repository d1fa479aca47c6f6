//! Faults without a handwritten oracle: each verb that runs code finds them, and their reproducers
//! fail on real JVMs for the reported reason. Correct classes have no findings.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;
use std::sync::OnceLock;

use heapwright_testkit::fixtures::{Fixture, compile, files};
use heapwright_testkit::jdk::{compilers, jdks};
use heapwright_testkit::junit;
use serde_json::Value as Json;

use crate::common::program;

fn classes() -> &'static Path {
    static CLASSES: OnceLock<PathBuf> = OnceLock::new();
    CLASSES.get_or_init(|| {
        Fixture::new(&["--release", "17"])
            .package("oracles")
            .classes()
    })
}

/// Fault: its class, its report, and the failure of its reproducer.
struct Fault {
    class: &'static str,
    kind: &'static str,
    method: &'static str,
    reason: &'static str,
    fails: &'static str,
}

const fn fault(
    class: &'static str,
    kind: &'static str,
    method: &'static str,
    reason: &'static str,
    fails: &'static str,
) -> Fault {
    Fault {
        class,
        kind,
        method,
        reason,
        fails,
    }
}

const SKEWED: Fault = fault(
    "Skewed",
    "breaks-contract",
    "equals(java.lang.Object)",
    "equals is not symmetric",
    "expected: <",
);
const MARKED: Fault = fault(
    "Marked",
    "breaks-contract",
    "hashCode()",
    "hashCode differs on equal structures",
    "but was: <",
);
const RANKED: Fault = fault(
    "Ranked",
    "breaks-contract",
    "compareTo(",
    "compareTo does not change its sign with its arguments",
    "but was: <",
);
const TRUSTING: Fault = fault(
    "Trusting",
    "breaks-contract",
    "equals(java.lang.Object)",
    "throws java.lang.NullPointerException",
    "NullPointerException",
);
const CELLS: Fault = fault(
    "Cells",
    "throws",
    "newest()",
    "java.lang.ArrayIndexOutOfBoundsException",
    "Index -1 out of bounds for length 2",
);
const PURSE: Fault = fault(
    "Purse",
    "breaks-invariant",
    "",
    "repOK",
    "expected: <true> but was: <false>",
);

fn run(verb: &[&str], class: &str, folder: &Path) -> (Output, Json) {
    let class = format!("oracles.{class}");
    let output = program()
        .args(verb)
        .args(["--no-config", "--json", "-c", &class, "-p"])
        .arg(classes())
        .args(["--jdk", jdks()[0].home.to_str().unwrap(), "-o"])
        .arg(folder.join("tests"))
        .output()
        .unwrap();
    let summary = serde_json::from_slice(&output.stdout);
    let summary = summary.unwrap_or_else(|_| panic!("{class}: no summary: {output:?}"));
    (output, summary)
}

/// Findings as kind, method and reason, under the key of any verb.
fn findings(summary: &Json) -> Vec<(String, String, String)> {
    let text = |value: &Json| value.as_str().unwrap_or_default().to_owned();
    let listed =
        ["counterexamples", "failing_behaviours"].map(|key| summary[key].as_array().cloned());
    let listed = listed.into_iter().flatten().flatten();
    let listed = listed.map(|one| {
        (
            text(&one["kind"]),
            text(&one["method"]),
            text(&one["reason"]),
        )
    });
    // A search from the API reports failures as text only.
    let failures = summary["failures"].as_array().cloned().unwrap_or_default();
    let failures = failures
        .into_iter()
        .map(|one| (String::new(), String::new(), text(&one["text"])));
    listed.chain(failures).collect()
}

/// Checks that a verb finds these faults and no others in their classes, and that each reproducer
/// fails for the same reason.
fn finds(verb: &[&str], faults: &[&Fault]) {
    let folder = tempfile::tempdir().unwrap();
    for fault in faults {
        let (output, summary) = run(verb, fault.class, folder.path());
        assert_eq!(output.status.code(), Some(1), "{}: {output:?}", fault.class);
        let found = findings(&summary);
        assert!(!found.is_empty(), "{}: {summary}", fault.class);
        for (kind, method, reason) in &found {
            let is_it = kind.is_empty() || kind == fault.kind && method.starts_with(fault.method);
            assert!(is_it, "{}: {found:?}", fault.class);
            assert!(reason.contains(fault.reason), "{}: {found:?}", fault.class);
        }
    }
    let sources: Vec<_> = files(folder.path(), "java").into_iter().collect();
    let reproducers = tempfile::tempdir().unwrap();
    let mut tests = 0;
    for source in sources {
        let name = source.file_name().unwrap().to_string_lossy().into_owned();
        if name.ends_with("FailureTest.java") || name.ends_with("CounterexampleTest.java") {
            let text = fs::read_to_string(&source).unwrap();
            tests += text.matches("@Test").count();
            fs::write(reproducers.path().join(name), text).unwrap();
        }
    }
    assert!(tests >= faults.len(), "{tests} reproducers");
    let built = tempfile::tempdir().unwrap();
    let jars = junit::jars();
    let class_path = [jars.console, classes().to_owned()];
    let options = ["-Xlint:all", "-Werror", "--release", "17"];
    let sources = files(reproducers.path(), "java");
    compile(
        &compilers()[0],
        &sources,
        &class_path,
        built.path(),
        &options,
    );
    for jdk in jdks() {
        let java = jdk.home.join("bin").join("java");
        let report =
            junit::run_console_with(&java, &[built.path().to_owned()], &[classes().to_owned()]);
        let counts = (report.succeeded, report.failed);
        assert_eq!(counts, (0, tests), "{}", report.output);
        for fault in faults {
            let is_said = report.output.contains(fault.fails);
            assert!(is_said, "{}: {}", fault.class, report.output);
        }
    }
}

/// Checks that a verb finds nothing in a correct class, or with oracles disabled.
fn finds_nothing(verb: &[&str], class: &str) {
    let folder = tempfile::tempdir().unwrap();
    let (output, summary) = run(verb, class, folder.path());
    assert_ne!(
        output.status.code(),
        Some(1),
        "{verb:?} {class}: {output:?}"
    );
    assert_eq!(findings(&summary), [], "{verb:?} {class}");
    let sources = files(folder.path(), "java").into_iter();
    let mut names = sources.map(|source| source.to_string_lossy().into_owned());
    assert!(
        !names.any(|name| name.ends_with("FailureTest.java")),
        "{verb:?} {class}"
    );
}

#[test]
#[ignore = "long"]
fn check_finds_them() {
    let bounds = ["check", "--scope", "3"];
    finds(&bounds, &[&TRUSTING, &CELLS, &PURSE]);
    let without = [&bounds[..], &["--invariant", "none"]].concat();
    finds(&without, &[&SKEWED, &MARKED, &RANKED]);
    finds_nothing(&bounds, "Tidy");
    finds_nothing(&[&without[..], &["--contracts", "none"]].concat(), "Skewed");
    // Only the named methods are called.
    finds_nothing(&[&without[..], &["-m", "grow"]].concat(), "Skewed");
}

#[test]
#[ignore = "long"]
fn sequences_finds_them() {
    let verb = ["sequences", "--format", "junit"];
    finds(&verb, &[&SKEWED, &TRUSTING, &CELLS, &PURSE]);
    finds_nothing(&verb, "Tidy");
    finds_nothing(&[&verb[..], &["--contracts", "none"]].concat(), "Trusting");
    finds_nothing(&[&verb[..], &["--invariant", "none"]].concat(), "Purse");
    let expected = ["--expect-exception", "ArrayIndexOutOfBoundsException"];
    finds_nothing(&[&verb[..], &expected].concat(), "Cells");
}

/// Goals that only a failing call reaches are not covered, and no regression test asserts the
/// failure.
#[test]
fn what_fails_is_in_no_regression_test() {
    let folder = tempfile::tempdir().unwrap();
    let (_, summary) = run(&["sequences", "--format", "junit"], "Cells", folder.path());
    assert_eq!(summary["goals_total"], 5);
    assert_eq!(summary["goals_covered"], 4);
    let tests = folder.path().join("tests/oracles/CellsHeapwrightTest.java");
    let tests = fs::read_to_string(tests).unwrap();
    assert!(!tests.contains("ArrayIndexOutOfBounds"), "{tests}");
}

#[test]
#[ignore = "long"]
fn enumerate_from_the_api_finds_them() {
    let verb = [
        "enumerate",
        "--from",
        "api",
        "--format",
        "junit",
        "--scope",
        "2",
    ];
    finds(&verb, &[&SKEWED, &MARKED, &TRUSTING, &CELLS, &PURSE]);
    finds(&[&verb[..], &["--int-range", "0:3"]].concat(), &[&RANKED]);
    finds_nothing(&verb, "Tidy");
    finds_nothing(&[&verb[..], &["--contracts", "none"]].concat(), "Marked");
    finds_nothing(&[&verb[..], &["--invariant", "none"]].concat(), "Purse");
}

#[test]
fn fields_finds_them() {
    let verb = ["fields", "--format", "junit", "--scope", "2"];
    finds(&verb, &[&TRUSTING, &CELLS]);
    finds_nothing(&[&verb[..], &["--contracts", "none"]].concat(), "Trusting");
}

#[test]
#[ignore = "long"]
fn paths_finds_them_where_inputs_are_valid() {
    let verb = ["paths", "--format", "junit"];
    let valid = [&verb[..], &["--precondition"]].concat();
    finds(&valid, &[&TRUSTING, &CELLS, &PURSE]);
    finds_nothing(&valid, "Tidy");
    // No code is known to create such an object.
    finds_nothing(&verb, "Cells");
    finds_nothing(&[&valid[..], &["--contracts", "none"]].concat(), "Trusting");
}
