//! A job on a Ray cluster: several nodes on this machine, of which one is lost.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

use heapwright_testkit::fixtures::{self, project};
use heapwright_testkit::jdk::jdks;
use heapwright_testkit::python::Python;

use crate::common::{program, sources_of, text};

const RAY: &str = "ray==2.60.0";

/// Command of Python with Ray and the package of this project, in a folder.
fn python(packages: &[&str], folder: &tempfile::TempDir) -> Command {
    let python = Python::with(packages);
    let mut command = python.command();
    let paths = [package().join("src"), python.packages().to_owned()];
    command.env("PYTHONPATH", std::env::join_paths(paths).unwrap());
    command.env("RAY_USAGE_STATS_ENABLED", "0");
    // Ray keeps a token of the cluster there.
    command.env("HOME", folder.path());
    // Ray keeps the address of the last cluster there, which other tests would connect to.
    command.env("RAY_TMPDIR", folder.path());
    command.env("JAVA_HOME", &jdks()[0].home);
    command.current_dir(folder.path());
    command
}

fn package() -> PathBuf {
    project().join("python").join("heapwright-ray")
}

/// Command line of a search in trees of so many nodes.
fn search(nodes: &str) -> Vec<String> {
    let classes = fixtures::classes();
    let words = ["enumerate", "-p", classes.to_str().unwrap(), "-c"];
    let search = ["fixtures.tree.SearchTree", "--args", nodes];
    let more = ["--search", "korat", "--format", "jsonl", "-o"];
    let all = words.iter().chain(&search).chain(&more);
    all.map(|word| (*word).to_owned()).collect()
}

/// Runs a search as a whole into the file `whole`.
fn run_whole(nodes: &str, folder: &tempfile::TempDir) {
    let mut whole = program();
    whole.args(search(nodes)).arg("whole");
    whole.env("JAVA_HOME", &jdks()[0].home);
    let output = whole.current_dir(folder.path()).output().unwrap();
    assert!(output.status.success(), "{output:?}");
}

fn is_whole(folder: &tempfile::TempDir, output: &Output) {
    let read = |name| fs::read(folder.path().join(name)).unwrap_or_default();
    assert!(output.status.success(), "{output:?}");
    assert!(read("merged") == read("whole"), "{output:?}");
}

#[test]
#[ignore = "servers: Ray"]
fn a_cluster_that_loses_a_node_finds_what_one_run_finds() {
    let folder = tempfile::tempdir().unwrap();
    run_whole("8", &folder);
    let mut cluster = python(&[RAY], &folder);
    cluster.arg(sources_of("ray").join("lose_a_node.py"));
    cluster
        .arg(program().get_program())
        .arg(folder.path().join("job"));
    let output = cluster.args(search("8")).arg("merged").output().unwrap();
    is_whole(&folder, &output);
    let said = text(&output.stderr);
    let (_, after) = said.split_once("a node is lost").expect(&said);
    assert!(after.contains(" running, "), "{said}");
    assert!(said.contains(" 0 running, 0 failed, 0 waiting"), "{said}");
}

#[test]
#[ignore = "servers: Ray"]
fn the_command_line_plans_a_job_or_goes_on_with_it() {
    let folder = tempfile::tempdir().unwrap();
    run_whole("5", &folder);
    let job = folder.path().join("job");
    let run = |more: &[&str], search: &[String]| {
        let mut command = python(&[RAY], &folder);
        command.args(["-m", "heapwright_ray"]).arg(&job).args(more);
        command.args(search).output().unwrap()
    };
    let program = program();
    let program = ["--program", program.get_program().to_str().unwrap()];
    let refuses = |output: Output, message: &str| {
        let error = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        assert!(error.contains(message), "{error}");
        assert!(!error.contains("Traceback"), "{error}");
    };
    refuses(run(&program, &[]), "error: heapwright: there is no folder");
    let missing = run(&["--program", "no-heapwright"], &[]);
    refuses(missing, "error: no-heapwright cannot be started");
    let words = [&["--".to_owned()][..], &search("5"), &["merged".to_owned()]].concat();
    let output = run(&[&program[..], &["--parts", "2"]].concat(), &words);
    is_whole(&folder, &output);
    refuses(run(&program, &words), "holds a job");
    fs::remove_file(folder.path().join("merged")).unwrap();
    is_whole(&folder, &run(&program, &[]));
}

#[test]
#[ignore = "servers: Ray"]
fn the_package_is_typed_and_builds() {
    let folder = tempfile::tempdir().unwrap();
    let mut types = python(&["mypy==2.4.1"], &folder);
    types.args(["-m", "mypy", "--strict", "--ignore-missing-imports"]);
    let output = types.arg(package().join("src")).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let mut wheel = python(&[RAY, "hatchling==1.27.0"], &folder);
    wheel.args([
        "-m",
        "pip",
        "wheel",
        "--no-deps",
        "--no-build-isolation",
        "-w",
        ".",
    ]);
    let output = wheel.arg(package()).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let mut files = fs::read_dir(folder.path()).unwrap();
    let is_wheel = |name: &str| name == "heapwright_ray-0.1.0-py3-none-any.whl";
    assert!(files.any(|file| is_wheel(file.unwrap().file_name().to_str().unwrap())));
}
