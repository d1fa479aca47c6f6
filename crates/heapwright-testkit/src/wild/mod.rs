//! The corpus: every verb on classes of libraries that nobody chose by hand, and what the tests that come out do on a JVM.
//!
//! Invariant: which classes are tried follows from the list of libraries alone ([`Library::classes`]).

mod calls;
mod library;
mod mains;
mod process;
mod report;
mod suite;
mod verb;

pub use calls::{Calls, Difference, try_calls};
pub use library::{Library, libraries};
pub use mains::{Fate, Fates, plain_programs, try_program};
pub use report::Report;
pub use suite::SuiteRun;
pub use verb::{Outcome, VERBS, Verb, VerbRun};

use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::jdk::Jdk;

/// How the corpus is tried.
#[derive(Clone, Debug)]
pub struct Trial {
    /// The program.
    pub program: PathBuf,
    /// The folder that everything is written below.
    pub folder: PathBuf,
    /// The JDK whose library is run and whose compiler is used.
    pub jdk: Jdk,
    /// The JDKs that tests run on.
    pub runtimes: Vec<Jdk>,
    /// What each verb gets as `--time-limit`.
    pub time_limit: Duration,
    /// Processes at a time.
    pub jobs: usize,
}

/// Tries verbs on some classes of a library, compiles the tests that come out, and runs them.
///
/// # Panics
/// If a process cannot be started or a folder cannot be written.
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
            let suite = suite::run(trial, library, verb, &folder.join(verb.name));
            report.suites.extend(suite);
        }
    }
    report
}

/// Where a verb writes what it makes of a class.
fn output_folder(library_folder: &Path, verb: &Verb, class: &str) -> PathBuf {
    library_folder.join(verb.name).join("tests").join(class)
}
