//! Programs to verify, in `fixtures/src/verify`, and their runs on a real JVM with the inputs of a
//! counterexample.

use std::fs;
use std::path::PathBuf;
use std::process::Output;
use std::sync::OnceLock;

use crate::fixtures::{Fixture, project, verifiers};
use crate::jdk::jdks;
use crate::junit::join;

/// Exit status of a run to which the inputs do not fit.
pub const SPURIOUS: i32 = 90;

/// Folder of the compiled programs.
///
/// # Panics
/// javac fails.
#[must_use]
pub fn classes() -> PathBuf {
    static CLASSES: OnceLock<PathBuf> = OnceLock::new();
    let programs = || {
        let options = ["--release", "17", "-g", "-nowarn"];
        let fixture = Fixture::new(&options).against(&verifiers());
        fixture.package("verify").classes()
    };
    CLASSES.get_or_init(programs).clone()
}

/// Runs the main method of a program with a stand-in that plays back inputs: a line each, its type
/// and its value.
///
/// # Panics
/// The JVM cannot be started.
#[must_use]
pub fn replay(class: &str, arguments: &[&str], inputs: &str) -> Output {
    let stand_in = project().join("crates/heapwright-testkit/java/stand-in");
    let stand_in = Fixture::new(&["--release", "17"]).folder(&stand_in);
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("inputs");
    fs::write(&file, inputs).expect("the inputs");
    let mut java = jdks()[0].java();
    java.arg("-ea")
        .arg(format!("-Dinputs={}", file.display()))
        .arg("-cp")
        .arg(join(&[stand_in.classes(), verifiers(), classes()]))
        .arg(class)
        .args(arguments);
    java.output().expect("a run")
}

/// Value of a string among the inputs of [`replay`].
#[must_use]
pub fn units(units: impl Iterator<Item = u16>) -> String {
    let units: Vec<String> = units.map(|unit| unit.to_string()).collect();
    units.join(",")
}

/// Checks that a call, from the package of the programs, throws an exception on a real JVM.
///
/// # Panics
/// It does not, or javac refuses the call.
pub fn assert_throws(call: &str, exception: &str) {
    let source = format!(
        "package verify;\nclass Calls {{ public static void main(String[] a) {{ {call}; }} }}\n"
    );
    let caller = Fixture::new(&["--release", "17"])
        .against(&classes())
        .text("Calls", &source)
        .classes();
    let mut java = jdks()[0].java();
    java.args(["-ea", "-cp"])
        .arg(join(&[caller, classes()]))
        .arg("verify.Calls");
    let run = java.output().expect("a run");
    let err = String::from_utf8_lossy(&run.stderr);
    assert!(err.contains(&format!("java.lang.{exception}")), "{err}");
    assert_eq!(run.status.code(), Some(1), "{err}");
}
