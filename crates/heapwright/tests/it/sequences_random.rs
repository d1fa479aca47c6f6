//! `heapwright sequences`: the random search, its seed, and what it reaches.

use std::process::{Child, Stdio};

use heapwright_testkit::fixtures::Fixture;
use heapwright_testkit::jdk::jdks;

use crate::common::{program, summary_of, text, without_measures};

/// Starts a search for the class whose branches need many calls or a checksum.
fn begun(arguments: &[&str]) -> Child {
    begun_on("sequences.Odometer", arguments)
}

fn begun_on(class: &str, arguments: &[&str]) -> Child {
    let classes = Fixture::new(&["-g", "-nowarn"]).package("sequences");
    let mut command = program();
    command
        .args(["sequences", "-c", class, "--jdk"])
        .arg(&jdks()[0].home)
        .arg("-p")
        .arg(classes.classes())
        .args(arguments);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().unwrap()
}

fn printed(search: Child) -> String {
    text(&search.wait_with_output().unwrap().stdout)
}

#[test]
fn many_calls_and_checksums_are_found() {
    let summary = summary_of(&begun(&["--json"]).wait_with_output().unwrap());
    assert_eq!(
        summary["goals_covered"], summary["goals_total"],
        "{summary}"
    );
    assert_eq!(summary["status"], "complete", "{summary}");
}

/// A search alone finds what four at once find.
#[test]
fn sequences_depend_on_the_seed_alone() {
    let alone = printed(begun(&["--seed", "7"]));
    let together: Vec<Child> = (0..4).map(|_| begun(&["--seed", "7"])).collect();
    for search in together {
        assert_eq!(printed(search), alone);
    }
    let summaries = [7, 7].map(|seed: u32| {
        let output = begun(&["--seed", &seed.to_string(), "--json"]).wait_with_output();
        without_measures(summary_of(&output.unwrap()))
    });
    assert_eq!(summaries[0], summaries[1]);
}

/// Public fields are null until somebody sets them, and statements take what they hold.
#[test]
fn a_sequence_ends_where_a_field_of_null_is_taken() {
    let search = begun_on("sequences.Track", &["--json", "--max-length", "3"]);
    let output = search.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let summary = summary_of(&output);
    let branches = ["goals_covered", "goals_total"].map(|key| summary[key].as_u64());
    assert_eq!(branches, [Some(2), Some(3)], "{summary}");
}

/// What is wrong is collected, and only if that is empty something happens: its size tells how far
/// a call is from that.
#[test]
#[ignore = "long"]
fn values_that_are_all_valid_are_found() {
    let search = begun_on("sequences.Signup", &["--json"]);
    let summary = summary_of(&search.wait_with_output().unwrap());
    let branches = ["goals_covered", "goals_total"].map(|key| summary[key].as_u64());
    assert_eq!(branches, [Some(28), Some(28)], "{summary}");
}

/// A static initializer asks for the number of the process, which a test cannot know.
#[test]
fn what_depends_on_the_process_is_not_asserted() {
    let folder = tempfile::tempdir().unwrap();
    let tests = folder.path().to_str().unwrap();
    let search = begun_on(
        "sequences.Journal",
        &["--json", "--format", "junit", "-o", tests],
    );
    let summary = summary_of(&search.wait_with_output().unwrap());
    assert!(summary["tests"].as_u64() >= Some(3), "{summary}");
    let written =
        std::fs::read_to_string(folder.path().join("sequences/JournalHeapwrightTest.java"));
    let written = written.unwrap();
    assert!(
        written.contains(".add(") && !written.contains("process 1"),
        "{written}"
    );
}
