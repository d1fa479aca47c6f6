//! What a release consists of: `dist/release.py` packs the program of this build, and the packages
//! are installed where nothing else is, and run.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

use heapwright_testkit::fixtures::{Fixture, project};
use heapwright_testkit::jdk::compilers;
use heapwright_testkit::programs::installed;
use heapwright_testkit::python::{Python, interpreter};
use serde_json::Value;

use crate::common::text;

const COUNTER: &str = "package shop;

public class Counter {
    private int count;

    public int add(int more) {
        if (more * more == 361) {
            count++;
        }
        return count;
    }
}
";

/// Files of a release of this build for this platform.
fn release() -> &'static Path {
    static RELEASE: OnceLock<PathBuf> = OnceLock::new();
    let packed = || {
        let output = Path::new(env!("CARGO_TARGET_TMPDIR")).join("packages");
        if output.exists() {
            fs::remove_dir_all(&output).unwrap();
        }
        let mut release = Command::new(interpreter());
        release.arg(project().join("dist/release.py"));
        release.args(["--program", env!("CARGO_BIN_EXE_heapwright")]);
        release.arg("--output").arg(&output);
        succeeds(&mut release);
        output
    };
    RELEASE.get_or_init(packed)
}

fn succeeds(command: &mut Command) -> Output {
    let output = command.output().unwrap();
    assert!(output.status.success(), "{command:?}: {output:?}");
    output
}

/// The file of the release with this beginning and end.
fn file(beginning: &str, end: &str) -> PathBuf {
    let files = fs::read_dir(release())
        .unwrap()
        .map(|file| file.unwrap().path());
    let is_wanted = |file: &PathBuf| {
        let name = file.file_name().unwrap().to_str().unwrap();
        name.starts_with(beginning) && name.ends_with(end)
    };
    let files: Vec<PathBuf> = files.filter(is_wanted).collect();
    assert_eq!(files.len(), 1, "{beginning}…{end}: {files:?}");
    files[0].clone()
}

/// Generates a test that needs the solver, by the program in an environment without anything but a
/// JDK and these folders of programs.
fn generates(mut program: Command, folders: &[PathBuf]) {
    let jdk = &compilers()[0].home;
    let folders = folders.iter().cloned().chain([jdk.join("bin")]);
    let output = tempfile::tempdir().unwrap();
    program.env_clear();
    program.env("PATH", std::env::join_paths(folders).unwrap());
    program.env("HOME", output.path());
    let classes = Fixture::new(&["-g"]).text("Counter", COUNTER).classes();
    program
        .args(["generate", "-c", "shop.Counter", "-p"])
        .arg(classes);
    program.arg("-o").arg(output.path().join("tests"));
    let run = succeeds(&mut program);
    let said = text(&run.stderr);
    assert!(!said.contains("Z3"), "{said}");
    let test = output.path().join("tests/shop/CounterHeapwrightTest.java");
    let test = fs::read_to_string(test).unwrap();
    assert!(test.contains("19") && test.contains("@Test"), "{test}");
}

fn folder_of(program: &str) -> PathBuf {
    let path = std::env::var_os("PATH").unwrap();
    let mut folders = std::env::split_paths(&path);
    folders
        .find(|folder| folder.join(program).is_file())
        .unwrap()
}

#[test]
#[ignore = "servers: PyPI and npm"]
fn the_archive_has_all_that_belongs_to_the_program() {
    let archive = file("heapwright-", ".tar.gz");
    let output = succeeds(Command::new("tar").arg("-tzf").arg(&archive));
    let listed = text(&output.stdout);
    let top = archive
        .file_name()
        .unwrap()
        .to_str()
        .unwrap()
        .trim_end_matches(".tar.gz");
    for wanted in [
        "bin/heapwright",
        "lib/heapwright/libz3.so",
        "share/man/man1/heapwright.1",
        "share/man/man1/heapwright-generate.1",
        "share/bash-completion/completions/heapwright",
        "share/zsh/site-functions/_heapwright",
        "share/fish/vendor_completions.d/heapwright.fish",
        "LICENSE-APACHE",
        "LICENSE-MIT",
        "LICENSE-Z3",
        "LICENSES-THIRD-PARTY",
        "README.md",
    ] {
        let name = format!("{top}/{wanted}");
        assert!(
            listed.lines().any(|line| line == name),
            "{wanted}:\n{listed}"
        );
    }
    let folder = tempfile::tempdir().unwrap();
    succeeds(
        Command::new("tar")
            .arg("-xzf")
            .arg(&archive)
            .arg("-C")
            .arg(folder.path()),
    );
    let top = folder.path().join(top);
    let licences = fs::read_to_string(top.join("LICENSES-THIRD-PARTY")).unwrap();
    assert!(
        licences.contains("serde_json ") && licences.contains("rmcp "),
        "{licences}"
    );
    generates(Command::new(top.join("bin/heapwright")), &[]);
}

#[test]
#[ignore = "servers: PyPI and npm"]
fn checksums_and_the_bill_of_materials_are_of_the_release() {
    let sums = file("SHA256SUMS", "");
    let mut check = Command::new("sha256sum");
    let checked = succeeds(
        check
            .args(["--check", "--strict"])
            .arg(&sums)
            .current_dir(release()),
    );
    let files = fs::read_dir(release()).unwrap().count();
    assert_eq!(
        text(&checked.stdout).lines().count(),
        files - 1,
        "{checked:?}"
    );
    let bill = fs::read_to_string(file("heapwright-", ".cdx.json")).unwrap();
    let bill: Value = serde_json::from_str(&bill).unwrap();
    let component = &bill["metadata"]["component"];
    assert_eq!(component["name"], "heapwright");
    assert_eq!(component["version"], env!("CARGO_PKG_VERSION"));
    let components = bill["components"].as_array().unwrap();
    let has = |name: &str| components.iter().any(|component| component["name"] == name);
    assert!(has("rmcp") && has("z3-solver") && has("heapwright-jvm"));
    // Tests are no part of the program.
    assert!(!has("heapwright-testkit") && !has("jsonschema"));
}

#[test]
#[ignore = "servers: PyPI and npm"]
fn the_wheel_runs_in_a_fresh_environment() {
    let folder = tempfile::tempdir().unwrap();
    let environment = folder.path().join("environment");
    // Unlike the module of the standard library, this one is whole in all distributions.
    let virtualenv = Python::with(&["virtualenv==21.15.11"]);
    let mut make = virtualenv.command();
    succeeds(make.args(["-m", "virtualenv", "--quiet"]).arg(&environment));
    let mut pip = Command::new(environment.join("bin/python"));
    pip.args([
        "-m",
        "pip",
        "install",
        "--quiet",
        "--no-index",
        "--disable-pip-version-check",
    ]);
    succeeds(pip.arg(file("heapwright-", ".whl")));
    let program = environment.join("bin/heapwright");
    let version = succeeds(Command::new(&program).arg("--version"));
    let expected = format!("heapwright {}\n", env!("CARGO_PKG_VERSION"));
    assert_eq!(text(&version.stdout), expected);
    generates(Command::new(program), &[]);
    assert!(environment.join("share/man/man1/heapwright.1").is_file());
}

#[test]
#[ignore = "servers: PyPI and npm"]
fn the_packages_for_npm_run_by_npx() {
    let folder = tempfile::tempdir().unwrap();
    let version = env!("CARGO_PKG_VERSION");
    let npm = installed(&["npm"], "npm", "tests install packages with npm");
    let mut npm = Command::new(npm);
    npm.args([
        "install",
        "--silent",
        "--offline",
        "--no-audit",
        "--no-fund",
        "--prefix",
    ]);
    npm.arg(folder.path());
    npm.arg(file(&format!("heapwright-{version}"), ".tgz"));
    succeeds(npm.arg(file("heapwright-linux-", ".tgz")));
    let mut npx = Command::new(folder_of("npx").join("npx"));
    npx.args(["--offline", "--no", "heapwright"])
        .current_dir(folder.path());
    generates(npx, &[folder_of("node"), PathBuf::from("/bin")]);
    // Without the package of the platform it is said what is missing.
    fs::remove_dir_all(folder.path().join("node_modules/@heapwright")).unwrap();
    let launcher = folder.path().join("node_modules/.bin/heapwright");
    let output = Command::new(launcher).arg("--version").output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    let said = text(&output.stderr);
    assert!(
        said.starts_with("heapwright: there is no package @heapwright/linux-"),
        "{said}"
    );
}
