//! The corpus: runs every verb on classes of arbitrary libraries, and the generated tests on a
//! JVM.
//!
//! Invariant: the list of libraries alone determines the classes ([`Library::classes`]).

mod calls;
mod library;
mod mains;
mod report;
mod suite;
mod verb;

pub use calls::{Calls, Difference, try_calls};
pub use library::{Library, libraries};
pub use mains::{Fates, ProgramOutcome, plain_programs, try_program};
pub use report::Report;
pub use suite::SuiteRun;
pub use verb::{Outcome, VERBS, Verb, VerbRun};

use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::jdk::Jdk;

/// Configuration of a trial.
#[derive(Clone, Debug)]
pub struct Trial {
    /// The `heapwright` program.
    pub program: PathBuf,
    /// Folder for all output.
    pub folder: PathBuf,
    /// JDK whose library is run and whose compiler is used.
    pub jdk: Jdk,
    /// JDKs on which tests run.
    pub runtimes: Vec<Jdk>,
    /// Value of `--time-limit` for each verb.
    pub time_limit: Duration,
    /// Maximum number of concurrent processes.
    pub jobs: usize,
}

/// Runs verbs on some classes of a library, and compiles and runs the generated tests.
///
/// # Panics
/// A process cannot be started or a folder cannot be written.
pub fn try_library(
    trial: &Trial,
    library: &Library,
    classes: &[String],
    verbs: &[&Verb],
) -> Report {
    let folder = trial.folder.join(library.name());
    let _ = std::fs::remove_dir_all(&folder);
    let mut report = Report::default();
    for verb in verbs {
        report
            .runs
            .extend(verb.on_all(trial, library, classes, &folder));
        if verb.writes_tests() {
            let suite = suite::run(trial, library, classes, verb, &folder.join(verb.name));
            report.suites.push(suite);
        }
    }
    report
}

/// Output folder of a verb for a class.
fn output_folder(library_folder: &Path, verb: &Verb, class: &str) -> PathBuf {
    library_folder.join(verb.name).join("tests").join(class)
}
