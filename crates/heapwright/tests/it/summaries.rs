//! All summaries for programs begin alike, whatever the verb.

use std::path::{Path, PathBuf};
use std::process::Output;

use heapwright_testkit::fixtures;
use heapwright_testkit::jdk::jdks;
use serde_json::Value;

use crate::common::{program, summary_of};

fn run(arguments: &[&str]) -> Output {
    let jdk = &jdks()[0].home;
    let mut command = program();
    command.args(arguments);
    if arguments[0] != "merge" {
        command.args(["-p", fixtures::classes().to_str().unwrap()]);
        command.arg("--jdk").arg(jdk);
    }
    command.arg("--json").output().unwrap()
}

/// What is wrong with the head of a summary, whose verb is this.
fn faults(summary: &Value, verb: &str) -> Vec<String> {
    let is_text_or_null = |value: &Value| value.is_string() || value.is_null();
    let are_texts =
        |value: &Value| (value.as_array()).is_some_and(|all| all.iter().all(Value::is_string));
    let solver = &summary["solver"];
    let is_counted = solver["queries"].is_u64() && solver["unknown"].is_u64();
    let is_timed = solver["seconds"].is_null() || solver["seconds"].is_f64();
    let units = ["candidates", "leaves", "sequences", "paths", "structures"];
    let unit = summary["explored_unit"].as_str().unwrap_or_default();
    let has = |key: &str| summary.get(key).is_some();
    let status = summary["status"].as_str().unwrap_or_default();
    let checks = [
        ("verb", summary["verb"] == verb),
        ("version", summary["version"] == env!("CARGO_PKG_VERSION")),
        (
            "class",
            summary["class"].is_string() != are_texts(&summary["classes"]),
        ),
        (
            "status",
            ["complete", "partial", "stopped"].contains(&status),
        ),
        ("without", are_texts(&summary["without"])),
        (
            "stopped_by",
            has("stopped_by") && is_text_or_null(&summary["stopped_by"]),
        ),
        (
            "stopped",
            summary["stopped_by"].is_string() == (status == "stopped"),
        ),
        ("seconds", summary["seconds"].is_f64()),
        ("explored", summary["explored"].is_u64()),
        ("explored_unit", units.contains(&unit)),
        (
            "solver",
            has("solver") && (solver.is_null() || is_counted && is_timed),
        ),
        (
            "peak_memory_bytes",
            summary["peak_memory_bytes"].as_u64() > Some(1 << 20),
        ),
        (
            "tests",
            has("tests") && (summary["tests"].is_null() || summary["tests"].is_u64()),
        ),
        ("files", are_texts(&summary["files"])),
    ];
    let wrong = checks.iter().filter(|(_, holds)| !holds);
    wrong
        .map(|(key, _)| format!("{verb}: {key} in {summary}"))
        .collect()
}

#[test]
fn all_summaries_have_one_head() {
    let tree = "fixtures.tree.SearchTree";
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (tests, lines, shard) = (path("tests"), path("lines.txt"), path("shard"));
    let junit = [
        "enumerate",
        "-c",
        tree,
        "--scope",
        "1",
        "--format",
        "junit",
        "-o",
        &tests,
    ];
    let runs: [&[&str]; 15] = [
        &["enumerate", "-c", tree, "--scope", "2"],
        &[
            "enumerate",
            "-c",
            tree,
            "--scope",
            "2",
            "--search",
            "korat",
            "--limit",
            "1",
        ],
        &[
            "enumerate",
            "-c",
            tree,
            "--scope",
            "2",
            "--format",
            "text",
            "-o",
            &lines,
        ],
        &junit,
        &[
            "enumerate",
            "-c",
            tree,
            "--scope",
            "2",
            "--shard",
            "1/1",
            "-o",
            &shard,
        ],
        &["merge", &shard],
        &["enumerate", "--from", "api", "-c", tree, "--scope", "2"],
        &["builders", "-c", tree, "--scope", "2"],
        &["compare", "-c", tree, "--scope", "2"],
        &["check", "-c", tree, "--scope", "2"],
        &["fields", "-c", tree, "--scope", "2"],
        &["paths", "-c", "paths.Lcm", "-m", "lcm"],
        &["sequences", "-c", "sequences.Bmi"],
        &["sequences", "-c", "sequences.Bmi", "-c", "sequences.Grades"],
        &[
            "run",
            "--symbolic",
            "-c",
            "paths.Lcm",
            "-m",
            "lcm",
            "--loop-k",
            "1",
        ],
    ];
    let mut wrong = Vec::new();
    for arguments in runs {
        let output = run(arguments);
        assert!(output.status.code() < Some(4), "{arguments:?}: {output:?}");
        let summary = summary_of(&output);
        wrong.extend(faults(&summary, arguments[0]));
        let files: Vec<PathBuf> = serde_json::from_value(summary["files"].clone()).unwrap();
        let is_written = arguments.contains(&"-o");
        assert_eq!(!files.is_empty(), is_written, "{arguments:?}: {files:?}");
        assert!(
            files.iter().all(|file| Path::new(file).is_file()),
            "{files:?}"
        );
        if arguments == junit {
            assert!(summary["tests"].as_u64() > Some(0), "{summary}");
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
}

#[test]
fn a_run_that_ends_before_it_began_has_the_same_head() {
    for verb in ["paths", "sequences"] {
        let arguments = [verb, "-c", "paths.Lcm", "--time-limit", "1ms"];
        let summary = summary_of(&run(&arguments));
        assert_eq!(faults(&summary, verb), Vec::<String>::new());
        assert_eq!(summary["stopped_by"], "--time-limit", "{summary}");
    }
}
