//! `--invariant none`: every reachable structure counts, once each.

use std::collections::BTreeSet;
use std::process::Output;

use heapwright_testkit::fixtures::{self, files};
use heapwright_testkit::jdk::jdks;

use crate::common::program;

fn run(verb: &str, arguments: &[&str]) -> Output {
    let jdks = jdks();
    let output = program()
        .args([verb, "--jdk", jdks[0].home.to_str().unwrap()])
        .args(["-c", "loose.Anything", "-p"])
        .arg(fixtures::classes())
        .args(arguments)
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    output
}

fn valid(invariant: &str, search: &str, scope: &str) -> u64 {
    let request = ["--invariant", invariant, "--search", search];
    let output = run(
        "enumerate",
        &[&request[..], &["--scope", scope, "--json"]].concat(),
    );
    let summary: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    summary["valid"].as_u64().unwrap()
}

/// Comparison with an invariant that reads all fields.
#[test]
fn as_many_as_a_method_accepts_that_reads_everything() {
    for scope in ["1", "2"] {
        let read = valid("visitsAll", "korat", scope);
        assert!(read > 50);
        for search in ["lazy", "korat"] {
            assert_eq!(valid("none", search, scope), read, "{search} {scope}");
        }
    }
}

#[test]
fn each_is_listed_once() {
    let listed = ["lazy", "korat"].map(|search| {
        let request = ["--invariant", "none", "--search", search, "--scope", "1"];
        let output = run("enumerate", &[&request[..], &["--format", "text"]].concat());
        let text = String::from_utf8(output.stdout).unwrap();
        let lines: BTreeSet<String> = text.lines().map(str::to_owned).collect();
        assert_eq!(lines.len(), text.lines().count(), "{search}");
        lines
    });
    assert_eq!(listed[0], listed[1]);
    assert_eq!(listed[0].len() as u64, valid("none", "lazy", "1"));
}

#[test]
fn tests_assert_no_invariant() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_str().unwrap();
    let request = ["--invariant", "none", "--scope", "1", "--limit", "20"];
    run_partial(&[&request[..], &["--format", "junit", "-o", path]].concat());
    let written = files(folder.path(), "java");
    let text = std::fs::read_to_string(&written[0]).unwrap();
    assert!(text.contains("flip()"), "{text}");
    assert!(
        !text.contains("holds") && !text.contains("visitsAll"),
        "{text}"
    );
}

/// Runs a command that `--limit` ends.
fn run_partial(arguments: &[&str]) {
    let jdks = jdks();
    let status = program()
        .args(["enumerate", "--jdk", jdks[0].home.to_str().unwrap()])
        .args(["-c", "loose.Anything", "-p"])
        .arg(fixtures::classes())
        .args(arguments)
        .status()
        .unwrap();
    assert_eq!(status.code(), Some(3));
}

#[test]
fn check_says_what_it_looked_at() {
    let output = run(
        "check",
        &["--invariant", "none", "--scope", "1", "-m", "flip"],
    );
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains(", all end as expected\n"), "{text}");
}
