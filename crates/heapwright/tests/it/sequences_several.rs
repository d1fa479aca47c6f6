//! `heapwright sequences` with several classes at once.

use std::path::Path;
use std::process::Output;

use heapwright_testkit::fixtures::{Fixture, files, project, without_seconds};
use heapwright_testkit::jdk::jdks;

use crate::common::program;

/// Compiles three of the fixtures' classes, one with a member class, and a broken one.
fn classes(folder: &Path) {
    let fixtures = project().join("fixtures/src/sequences");
    let named = ["Bmi", "HeapArray", "Grades", "BadInit"];
    let sources = named.map(|name| fixtures.join(format!("{name}.java")));
    let to = folder.join("classes");
    let fixture = sources
        .into_iter()
        .fold(Fixture::new(&["-g"]), Fixture::file);
    fixture.copied_to(&to);
    std::fs::write(to.join("sequences/Cut.class"), [0xCA, 0xFE, 0xBA, 0xBE]).unwrap();
}

fn sequences(folder: &Path, arguments: &[&str]) -> Output {
    program()
        .current_dir(folder)
        .args(["sequences", "--no-config", "-p", "classes", "--jdk"])
        .arg(&jdks()[0].home)
        .args(arguments)
        .output()
        .unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// Files and messages are the same with any number of workers.
#[test]
#[ignore = "long"]
fn classes_side_by_side_come_to_what_each_does_alone() {
    let folder = tempfile::tempdir().unwrap();
    classes(folder.path());
    let run = |jobs: &str| {
        let arguments = ["-c", "sequences.*", "--jobs", jobs, "-o", jobs];
        let output = sequences(folder.path(), &arguments);
        // The broken class makes the result partial.
        assert_eq!(output.status.code(), Some(3), "{output:?}");
        let files = files(&folder.path().join(jobs), "java").into_iter();
        let files = files.map(|file| {
            let name = file.file_name().unwrap().to_str().unwrap().to_owned();
            (name, std::fs::read_to_string(file).unwrap())
        });
        let files: Vec<(String, String)> = files.collect();
        let error = text(&output.stderr);
        (files, without_seconds(&text(&output.stdout)), error)
    };
    let (one, printed, error) = run("1");
    let named: Vec<&str> = one.iter().map(|(name, _)| &name[..]).collect();
    assert_eq!(
        named,
        [
            "BmiHeapwrightTest.java",
            "GradesHeapwrightTest.java",
            "HeapArrayHeapwrightTest.java"
        ]
    );
    assert!(error.contains("heapwright: sequences.Cut: "), "{error}");
    assert!(error.contains("heapwright: sequences.BadInit: "), "{error}");
    let summaries: Vec<&str> = printed
        .lines()
        .filter(|line| line.contains(" for "))
        .collect();
    let starts = ["Bmi: ", "Grades: ", "HeapArray: ", "5 classes: "];
    for (summary, start) in summaries.iter().zip(starts) {
        assert!(summary.starts_with(start), "{printed}");
    }
    assert_eq!(summaries.len(), starts.len(), "{printed}");
    assert_eq!(run("4"), (one.clone(), printed, error));

    // Each class alone gives the same files.
    for (name, contents) in one {
        let class = format!(
            "sequences.{}",
            name.strip_suffix("HeapwrightTest.java").unwrap()
        );
        let output = sequences(folder.path(), &["-c", &class, "-o", "alone"]);
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        let alone = folder.path().join("alone/sequences").join(&name);
        assert_eq!(std::fs::read_to_string(alone).unwrap(), contents);
    }
}

#[test]
fn sums_are_of_all_classes() {
    let folder = tempfile::tempdir().unwrap();
    classes(folder.path());
    let classes = ["-c", "sequences.Bmi", "-c", "sequences.Grades**", "--json"];
    let output = sequences(folder.path(), &classes);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let all: serde_json::Value = serde_json::from_str(&text(&output.stdout)).unwrap();
    let each = all["by_class"].as_array().unwrap();
    let named: Vec<&str> = each
        .iter()
        .map(|class| class["class"].as_str().unwrap())
        .collect();
    assert_eq!(
        named,
        [
            "sequences.Bmi",
            "sequences.Grades",
            "sequences.Grades$Grade"
        ]
    );
    for key in [
        "tests",
        "goals_covered",
        "goals_total",
        "branches_total",
        "explored",
    ] {
        let sum: u64 = each.iter().map(|class| class[key].as_u64().unwrap()).sum();
        assert_eq!(all[key], sum, "{key}");
    }
    assert_eq!(all["status"], "complete");
}

#[test]
fn a_pattern_that_fits_nothing_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    classes(folder.path());
    let output = sequences(folder.path(), &["-c", "sequence.*"]);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    let told = text(&output.stderr);
    assert!(
        told.contains("no class of the class path fits sequence.*"),
        "{told}"
    );
}
