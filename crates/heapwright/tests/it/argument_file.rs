//! Arguments from a file: `heapwright @FILE`.

use std::fs;

use heapwright_testkit::fixtures::Fixture;
use heapwright_testkit::jdk::jdks;

use crate::common::{program, summary_of, text};

const SAMPLE: &str =
    "package sample; public class Sample { int size; boolean repOK() { return size >= 0; } }";

/// The file has an argument a line, which may have spaces; further arguments follow.
#[test]
fn arguments_of_a_file_come_before_the_others() {
    let classes = Fixture::new(&["--release", "17"]).text("Sample", SAMPLE);
    let classes = classes.classes();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("with spaces");
    fs::create_dir(&path).unwrap();
    let lines = format!(
        "enumerate\n--json\n--class=sample.Sample\n--jdk\n{}\n-p\n{}\n",
        jdks()[0].home.display(),
        classes.display()
    );
    fs::write(path.join("arguments"), lines).unwrap();
    let output = program()
        .current_dir(folder.path())
        .args(["@with spaces/arguments", "--scope", "4"])
        .output()
        .unwrap();
    assert_eq!(summary_of(&output)["valid"], 4, "{output:?}");
}

/// Elsewhere the sign is part of an argument.
#[test]
fn only_the_first_argument_names_a_file() {
    let output = program()
        .args(["enumerate", "--scope", "1", "-c", "@nothing"])
        .output()
        .unwrap();
    let errors = text(&output.stderr);
    assert!(
        errors.contains("@nothing") && !errors.contains("the file"),
        "{errors}"
    );
}

#[test]
fn a_missing_file_is_named() {
    let output = program().arg("@missing").output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let errors = text(&output.stderr);
    assert!(
        errors.starts_with("heapwright: failed to read arguments from the file missing: "),
        "{errors}"
    );
}
