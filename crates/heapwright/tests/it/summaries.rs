//! Summaries for programs have the same head for all verbs.

use std::path::{Path, PathBuf};
use std::process::Output;

use heapwright_testkit::fixtures;
use heapwright_testkit::jdk::jdks;
use jsonschema::Validator;
use serde_json::Value;

use crate::common::{has_ended_by_itself, program, summary_of, with_enough_time};

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

/// Errors of a summary: violations of its verb's schema, and keys that contradict each other.
pub fn faults(summary: &Value, verb: &str) -> Vec<String> {
    let units = [
        "candidates",
        "leaves",
        "sequences",
        "paths",
        "structures",
        "instructions",
    ];
    let unit = summary["explored_unit"].as_str().unwrap_or_default();
    let is_stopped = summary["status"] == "stopped";
    let checks = [
        ("verb", summary["verb"] == verb),
        ("version", summary["version"] == env!("CARGO_PKG_VERSION")),
        (
            "class",
            summary["class"].is_string() != summary["classes"].is_array(),
        ),
        (
            "stopped_by",
            summary["stopped_by"].is_string() == is_stopped,
        ),
        ("explored_unit", units.contains(&unit)),
        (
            "peak_memory_bytes",
            summary["peak_memory_bytes"].as_u64() > Some(1 << 20),
        ),
    ];
    let wrong = checks.iter().filter(|(_, holds)| !holds);
    let wrong = wrong.map(|(key, _)| format!("{verb}: {key} in {summary}"));
    let schema = schema(verb);
    let errors = schema.iter_errors(summary);
    let errors = errors.map(|error| format!("{verb}: {error} at {}", error.instance_path()));
    wrong.chain(errors).collect()
}

/// Schema that the program prints for a verb. It allows no other keys.
fn schema(verb: &str) -> Validator {
    let output = program().args(["schema", verb]).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let mut schema: Value = serde_json::from_slice(&output.stdout).unwrap();
    jsonschema::meta::validate(&schema).unwrap();
    for definition in schema["$defs"].as_object_mut().unwrap().values_mut() {
        if definition["type"] == "object" {
            definition["unevaluatedProperties"] = false.into();
        }
    }
    jsonschema::validator_for(&schema).unwrap()
}

#[test]
#[ignore = "long"]
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
    let paths = path("paths");
    let runs: [&[&str]; 20] = [
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
        &["paths", "-c", "paths.Lcm", "--shard", "1/1", "-o", &paths],
        &["merge", &paths],
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
        &["verify", "-c", "verify.Quotient", "-m", "checked"],
        &["verify", "-c", "verify.Quotient", "-m", "quotient"],
        &["verify", "--loop-k", "1", "verify.Countdown"],
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
        let limited = |limit: &str| run(&[verb, "-c", "paths.Lcm", "--time-limit", limit]);
        let summary = summary_of(&with_enough_time(1, limited, has_ended_by_itself));
        assert_eq!(faults(&summary, verb), Vec::<String>::new());
        assert_eq!(summary["stopped_by"], "--time-limit", "{summary}");
    }
}

/// The schema must reject something: it is not trivially true.
#[test]
fn a_schema_refuses_what_is_no_summary() {
    let summary = summary_of(&run(&[
        "fields",
        "-c",
        "fixtures.tree.SearchTree",
        "--scope",
        "1",
    ]));
    assert_eq!(faults(&summary, "fields"), Vec::<String>::new());
    let edits: [fn(&mut Value); 4] = [
        |summary| summary["seconds"] = "1".into(),
        |summary| drop(summary.as_object_mut().unwrap().remove("without")),
        |summary| summary["suite_size"] = (-1).into(),
        |summary| summary["further"] = 1.into(),
    ];
    for (number, edit) in edits.iter().enumerate() {
        let mut wrong = summary.clone();
        edit(&mut wrong);
        assert!(!schema("fields").is_valid(&wrong), "edit {number}");
    }
}
