//! What `sequences` says of goals that are hard to reach or to assert: no more than is so.

#![expect(
    clippy::unwrap_used,
    reason = "a test ends where what it needs is missing"
)]

use std::path::Path;
use std::process::Command;

use heapwright_testkit::fixtures::{compile, project};
use heapwright_testkit::jdk::{compilers, jdks};

/// The table of a method's goals.
fn table(folder: &Path, class: &str, method: &str) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_heapwright"))
        .current_dir(folder)
        .args(["sequences", "--table", "-p", "classes", "-o", "tests"])
        .args(["-c", class, "-m", method, "--max-length", "4", "--jdk"])
        .arg(&jdks()[0].home)
        .output()
        .unwrap();
    String::from_utf8(output.stdout).unwrap()
}

/// What became of the goal whose line has this in it.
fn fate<'t>(table: &'t str, goal: &str) -> &'t str {
    let line = table.lines().find(|line| line.contains(goal));
    let line = line.unwrap_or_else(|| panic!("no {goal} in\n{table}"));
    line.rsplit_once(&format!("{goal}: ")).unwrap().1
}

#[test]
fn nothing_is_claimed_that_is_not_so() {
    let folder = tempfile::tempdir().unwrap();
    let source = project().join("fixtures/src/sequences/Itself.java");
    let classes = folder.path().join("classes");
    compile(&compilers()[0], &[source], &[], &classes, &["-g"]);
    let table = |method: &str| table(folder.path(), "sequences.Itself", method);

    // An object is tried where the code asks whether it is the receiver.
    assert!(fate(&table("is"), "the same").starts_with("covered by test"));
    // What no source can write down is no reason to fail.
    assert_eq!(
        fate(&table("isWithin"), "the same"),
        "reached, but in no test: an array of its input holds itself, or a string half a surrogate pair"
    );
    // Strings are tried up to a length: that no longer one does it is not said.
    assert_eq!(
        fate(&table("isLong"), "isLong:14 greater"),
        "not reached up to length 4"
    );
    // Hash codes of objects and of classes are others in the next run.
    for method in ["number", "kind"] {
        let table = table(method);
        assert!(
            table.contains("reached, but in no test: it depends on identity hash codes"),
            "{table}"
        );
    }
}

#[test]
fn tests_of_a_class_of_the_jdk_have_a_package_of_their_own() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("classes")).unwrap();
    table(folder.path(), "java.util.OptionalInt", "isPresent");
    let test = "tests/heapwright/java/util/OptionalIntHeapwrightTest.java";
    let text = std::fs::read_to_string(folder.path().join(test)).unwrap();
    assert!(
        text.contains("java.util.OptionalInt optionalInt = "),
        "{text}"
    );
    assert!(
        text.starts_with("package heapwright.java.util;\n"),
        "{text}"
    );
}
