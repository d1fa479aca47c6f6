//! `generate` in a project with tests: new ones are tried together with them.

use std::path::PathBuf;
use std::process::Output;

use heapwright_testkit::fixtures::{compile, files};
use heapwright_testkit::jdk::{compilers, jdks};
use heapwright_testkit::junit;
use serde_json::Value;
use tempfile::TempDir;

use crate::common::{program, sources_of, summary_of, text, with_enough_time};

const OPTIONS: [&str; 4] = ["-g", "-nowarn", "--release", "17"];

/// Compiles the project's classes into `classes` below a folder.
fn compiled_to(folder: &TempDir) -> PathBuf {
    let main = files(&sources_of("together/main"), "java");
    let classes = folder.path().join("classes");
    compile(&compilers()[0], &main, &[], &classes, &OPTIONS);
    classes
}

/// Runs a project's tests with the new ones of a class; returns the folder, the summary and the
/// messages.
fn generate(class: &str, tests: &[&str]) -> (TempDir, Value, String) {
    let folder = tempfile::tempdir().unwrap();
    let console = junit::jars().console;
    let classes = compiled_to(&folder);
    let sources = sources_of("together/tests/acme");
    let tests: Vec<_> = { tests.iter() }
        .map(|name| sources.join(format!("{name}.java")))
        .collect();
    let to = folder.path().join("test-classes");
    compile(
        &compilers()[0],
        &tests,
        &[classes, console.clone()],
        &to,
        &OPTIONS,
    );
    let output = program()
        .current_dir(folder.path())
        .args([
            "generate",
            "--no-config",
            "-p",
            "classes",
            "-c",
            class,
            "-o",
            "tests",
            "--json",
        ])
        .args([
            "--try-with",
            "test-classes",
            "--time-per-class",
            "6s",
            "-j",
            "1",
        ])
        .arg("--test-classpath")
        .arg(console)
        .arg("--jdk")
        .arg(&jdks()[0].home)
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let summary = summary_of(&output);
    (folder, summary, text(&output.stderr))
}

/// Names of the tests that were taken back, with the reasons.
fn removed(summary: &Value) -> Vec<(&str, &str)> {
    let removed = summary["tests_removed"].as_array().unwrap().iter();
    removed
        .map(|one| {
            (
                one["test"].as_str().unwrap(),
                one["reason"].as_str().unwrap(),
            )
        })
        .collect()
}

/// Text of the test class in a folder.
fn written(folder: &TempDir) -> String {
    let files = files(&folder.path().join("tests"), "java");
    assert_eq!(files.len(), 1, "{files:?}");
    std::fs::read_to_string(&files[0]).unwrap()
}

#[test]
#[ignore = "long"]
fn a_new_test_that_makes_one_of_the_project_fail_is_taken_back() {
    let (folder, summary, messages) = generate("acme.Mode", &["ModeTest", "RedTest"]);
    let removed = removed(&summary);
    let [(test, reason)] = removed[..] else {
        panic!("{removed:?}");
    };
    let why = "acme.ModeTest.noModeIsSet() fails behind it: ";
    assert!(reason.starts_with(why), "{reason}");
    let text = written(&folder);
    assert!(!text.contains(test), "{text}");
    assert_eq!(text.matches("@Test").count(), 1, "{text}");
    assert_eq!(summary["tests"], 1);
    // What failed before is named, and is no reason to take anything back.
    let red = "1 test of the project failed here before anything was written";
    assert!(messages.contains(red), "{messages}");
    assert!(messages.contains("acme.RedTest.isRed()"), "{messages}");
}

#[test]
#[ignore = "long"]
fn a_new_test_that_one_of_the_project_makes_fail_is_taken_back() {
    let (folder, summary, messages) = generate("acme.Size", &["ASizeTest"]);
    let removed = removed(&summary);
    assert!(!removed.is_empty(), "{messages}");
    for (test, reason) in removed {
        assert!(test.starts_with("doubled"), "{test}");
        let why = "fails together with the tests of the project: ";
        assert!(reason.starts_with(why), "{reason}");
    }
    let text = written(&folder);
    assert!(text.contains("isLarge("), "{text}");
    assert!(!text.contains("doubled("), "{text}");
}

/// Where tests run in parallel, none runs beside the new ones, which set and read static state.
#[test]
fn new_tests_are_apart_where_tests_run_in_parallel() {
    let folder = tempfile::tempdir().unwrap();
    compiled_to(&folder);
    let generate_in = |limit: &str| {
        program()
            .current_dir(folder.path())
            .args([
                "generate",
                "--no-config",
                "-p",
                "classes",
                "-c",
                "acme.Mode",
            ])
            .args([
                "-o",
                "src/test/java",
                "--time-per-class",
                limit,
                "--no-cache",
                "--jdk",
            ])
            .arg(&jdks()[0].home)
            .arg("--test-classpath")
            .arg(junit::jars().console)
            .output()
            .unwrap()
    };
    let generate = || {
        let is_done = |output: &Output| output.status.code() == Some(0);
        let output = with_enough_time(6_000, generate_in, is_done);
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        let tests = folder
            .path()
            .join("src/test/java/acme/ModeHeapwrightTest.java");
        std::fs::read_to_string(tests).unwrap()
    };
    assert!(!generate().contains("Isolated"));
    let resources = folder.path().join("src/test/resources");
    std::fs::create_dir_all(&resources).unwrap();
    let parallel = "junit.jupiter.execution.parallel.enabled = true\n";
    std::fs::write(resources.join("junit-platform.properties"), parallel).unwrap();
    let text = generate();
    assert!(
        text.contains("import org.junit.jupiter.api.parallel.Isolated;"),
        "{text}"
    );
    assert!(
        text.contains("@Isolated\nclass ModeHeapwrightTest"),
        "{text}"
    );
}
