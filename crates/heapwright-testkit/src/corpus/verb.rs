//! Runs of a verb on a class.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, ExitStatus};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use serde_json::Value as Json;

use super::{Library, Trial, output_folder};
use crate::junit::join;
use crate::process;

/// Verb of the program with its arguments for a small scope.
#[derive(Debug)]
pub struct Verb {
    /// Name in the table and of its folder.
    pub name: &'static str,
    /// Command-line name and options, except for class path, class, limits and output.
    arguments: &'static [&'static str],
    /// Kind of its output.
    writes: Writes,
    /// Keys of its summary that count its output.
    useful: &'static [&'static str],
}

/// Kind of files that a verb writes into its output folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Writes {
    /// Tests that must pass.
    Tests,
    /// Tests that must fail.
    Reproducers,
    /// No output folder.
    Nothing,
}

/// Verbs to try.
pub const VERBS: &[Verb] = &[
    Verb {
        name: "sequences",
        arguments: &["sequences", "--format", "junit"],
        writes: Writes::Tests,
        useful: &["tests"],
    },
    Verb {
        name: "generate",
        arguments: &["generate", "--format", "junit"],
        writes: Writes::Tests,
        useful: &["tests"],
    },
    Verb {
        name: "api",
        arguments: &[
            "enumerate",
            "--from",
            "api",
            "--scope",
            "2",
            "--format",
            "junit",
            "--max-tests",
            "200",
        ],
        writes: Writes::Tests,
        useful: &["tests"],
    },
    Verb {
        name: "paths",
        arguments: &["paths", "--criterion", "all-branches", "--format", "junit"],
        writes: Writes::Tests,
        useful: &["cases"],
    },
    Verb {
        name: "structures",
        arguments: &[
            "enumerate",
            "--scope",
            "2",
            "--invariant",
            "none",
            "--format",
            "junit",
            "--max-tests",
            "200",
        ],
        writes: Writes::Tests,
        useful: &["tests"],
    },
    Verb {
        name: "check",
        arguments: &["check", "--scope", "2", "--invariant", "none"],
        writes: Writes::Reproducers,
        useful: &["calls"],
    },
    Verb {
        name: "builders",
        arguments: &["builders", "--scope", "2"],
        writes: Writes::Nothing,
        useful: &["structures"],
    },
];

/// Outcome of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Outcome {
    /// Output, and no cut.
    Fine,
    /// Output, cut off by a limit.
    Partial,
    /// No output.
    Nothing,
    /// No output, because the class has no code that may be called.
    NoCode,
    /// The request was refused.
    Refused,
    /// Internal fault: a panic, a signal, or an undocumented exit status.
    Broken,
    /// The time limit was exceeded.
    Overrun,
}

/// Run of a verb on a class.
#[derive(Clone, Debug)]
pub struct VerbRun {
    /// Name of the verb.
    pub verb: &'static str,
    /// Class.
    pub class: String,
    /// Outcome.
    pub outcome: Outcome,
    /// Branches that the tests cover, and branches of the class; zero for verbs without tests.
    pub branches: [u64; 2],
    /// Reported reason, without names and numbers so that equal reasons are equal texts.
    pub reason: String,
    /// Time beyond the limit.
    pub overrun: Duration,
    /// Maximum observed memory, in bytes.
    pub peak_memory: u64,
    /// Refusals of the engine, with their number of occurrences.
    pub refusals: BTreeMap<String, u64>,
}

/// Tolerated time beyond the limit.
const GRACE: Duration = Duration::from_secs(2);
/// Time beyond the limit after which a run is killed.
const PATIENCE: Duration = Duration::from_secs(20);

impl Verb {
    /// Whether its output are tests that must pass.
    pub(super) fn writes_tests(&self) -> bool {
        self.writes == Writes::Tests
    }

    /// Runs the verb on classes, several at a time; returns the runs in the order of the classes.
    pub(super) fn on_all(
        &self,
        trial: &Trial,
        library: &Library,
        classes: &[String],
        folder: &Path,
    ) -> Vec<VerbRun> {
        let class_path = library.jars();
        let next = AtomicUsize::new(0);
        let runs = Mutex::new(Vec::new());
        thread::scope(|scope| {
            for _ in 0..trial.jobs {
                scope.spawn(|| {
                    while let Some(class) = classes.get(next.fetch_add(1, Ordering::Relaxed)) {
                        let run = self.on(trial, &class_path, class, folder);
                        if let Ok(mut runs) = runs.lock() {
                            runs.push(run);
                        }
                    }
                });
            }
        });
        let mut runs = runs.into_inner().unwrap_or_default();
        runs.sort_by(|a, b| a.class.cmp(&b.class));
        runs
    }

    fn on(
        &self,
        trial: &Trial,
        class_path: &[std::path::PathBuf],
        class: &str,
        folder: &Path,
    ) -> VerbRun {
        let output = output_folder(folder, self, class);
        let made = fs::create_dir_all(&output);
        made.unwrap_or_else(|error| panic!("failed to make {}: {error}", output.display()));
        let mut command = Command::new(&trial.program);
        command
            .args(self.arguments)
            .args(["--no-config", "--json", "-c", class]);
        if self.writes != Writes::Nothing {
            command.arg("-o").arg(&output);
        }
        command
            .arg("--time-limit")
            .arg(format!("{}ms", trial.time_limit.as_millis()));
        command
            .args(["--max-memory", "1g", "--jdk"])
            .arg(&trial.jdk.home);
        if !class_path.is_empty() {
            command.arg("-p").arg(join(class_path));
        }
        let log = folder.join(self.name).join(format!("{class}.log"));
        let ended = process::run(command, trial.time_limit + PATIENCE, &log);
        let summary: Json = serde_json::from_str(ended.output.trim()).unwrap_or_default();
        let number = |key: &&str| summary[*key].as_u64().unwrap_or(0);
        let is_useful = self.useful.iter().map(number).sum::<u64>() > 0;
        let is_late = ended.took > trial.time_limit + GRACE;
        let outcome = match ended.status.and_then(|status: ExitStatus| status.code()) {
            _ if is_late => Outcome::Overrun,
            _ if ended.errors.contains("panicked at") => Outcome::Broken,
            Some(0 | 1) if is_useful => Outcome::Fine,
            Some(3) if is_useful => Outcome::Partial,
            Some(4) if ended.errors.contains("nothing to run: ") => Outcome::NoCode,
            Some(0 | 1 | 3 | 4) => Outcome::Nothing,
            Some(2) => Outcome::Refused,
            _ => Outcome::Broken,
        };
        VerbRun {
            verb: self.name,
            class: class.to_owned(),
            outcome,
            reason: reason(outcome, &ended.errors),
            branches: ["branches_covered", "branches_total"].map(|key| number(&key)),
            overrun: ended.took.saturating_sub(trial.time_limit),
            peak_memory: ended.peak_memory,
            refusals: refusals(&ended.output, &ended.errors),
        }
    }
}

/// Most informative line about a run without output; empty if there was output.
fn reason(outcome: Outcome, errors: &str) -> String {
    let line = match outcome {
        Outcome::Fine | Outcome::Partial => None,
        Outcome::Broken => errors.lines().find(|line| line.contains("panicked at")),
        _ => errors.lines().rfind(|line| line.starts_with("heapwright:")),
    };
    without_names(line.or(errors.lines().last()).unwrap_or_default())
}

/// Refusals of the engine in the outputs, with their number of occurrences.
fn refusals(output: &str, errors: &str) -> BTreeMap<String, u64> {
    let mut found = BTreeMap::new();
    for text in [output, errors] {
        for (at, key) in text.match_indices("unsupported: ") {
            let rest = &text[at + key.len()..];
            let end = rest.find(['"', '\n', '\\']).unwrap_or(rest.len());
            *found.entry(rest[..end].trim().to_owned()).or_insert(0) += 1;
        }
    }
    found
}

/// Message without names of classes and numbers.
fn without_names(line: &str) -> String {
    let words = line
        .trim_start_matches("heapwright: ")
        .split(' ')
        .map(|word| {
            let is_name = word.matches('.').count() > 1 && !word.contains(".rs");
            if is_name { "…" } else { word }
        });
    words
        .collect::<Vec<_>>()
        .join(" ")
        .chars()
        .take(120)
        .collect()
}
