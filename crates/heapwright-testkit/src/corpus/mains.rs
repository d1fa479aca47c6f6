//! Independent main programs, such as a JDK's own regression tests, run by `java` and by
//! `heapwright run`.

use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::Trial;
use crate::fixtures;
use crate::process::{Ended, run};

/// Time limit of each run of a program.
const LIMIT: Duration = Duration::from_secs(40);
/// Marks of files that are no plain main programs, because they need other files, modules or
/// tools.
const NOT_PLAIN: [&str; 8] = [
    "@modules",
    "@library",
    "@build",
    "@run testng",
    "@run junit",
    "main/othervm",
    "--add-",
    "import jdk.test",
];

/// Result of a program.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ProgramOutcome {
    /// Both runs printed the same and ended alike.
    Equal,
    /// The engine refuses it, with this refusal.
    Refused(String),
    /// `java` itself prints something else in a second run, because of random numbers, times or
    /// threads.
    Unsteady,
    /// The runs differ; their outputs are in this folder.
    Different(PathBuf),
    /// It does not compile by itself, or `java` exceeds the time limit.
    NotTried,
    /// The engine exceeds the time limit.
    TooLong,
}

/// Results of programs, by source file.
#[derive(Clone, Debug, Default)]
pub struct Fates(pub BTreeMap<PathBuf, ProgramOutcome>);

/// Plain main programs below a folder, sorted.
#[must_use]
pub fn plain_programs(folder: &Path) -> Vec<PathBuf> {
    let mut files = fixtures::files(folder, "java");
    files.retain(|file| {
        let text = fs::read(file).unwrap_or_default();
        let text = String::from_utf8_lossy(&text);
        text.contains("public static void main")
            && !NOT_PLAIN.iter().any(|mark| text.contains(mark))
    });
    files
}

/// Compiles a program, runs it on both machines and compares. Classes and outputs are written
/// below `folder`.
///
/// # Panics
/// A process cannot be started or a folder cannot be written.
#[must_use]
pub fn try_program(trial: &Trial, source: &Path, folder: &Path) -> ProgramOutcome {
    let _ = fs::remove_dir_all(folder);
    fs::create_dir_all(folder).expect("a folder that can be written");
    let mut javac = trial.jdk.javac();
    javac.args(["-nowarn", "-Xlint:none", "-encoding", "UTF-8", "-d"]);
    javac.arg(folder).arg("-sourcepath");
    javac.arg(source.parent().unwrap_or(source)).arg(source);
    if !succeeded(&run(javac, LIMIT, &folder.join("javac"))) {
        return ProgramOutcome::NotTried;
    }
    let name = main_class(source);
    let expect = |log: &str| {
        let mut java = trial.jdk.java();
        java.args(["-Duser.language=en", "-Duser.country=US", "-cp", "."]);
        java.arg(&name).current_dir(folder);
        run(java, LIMIT, &folder.join(log))
    };
    let expected = expect("java");
    let mut engine = std::process::Command::new(&trial.program);
    engine.arg("run").arg("--jdk").arg(&trial.jdk.home);
    engine.args(["-p", ".", &name]).current_dir(folder);
    if expected.status.is_none() {
        return ProgramOutcome::NotTried;
    }
    let fate = compare(
        &expected,
        &run(engine, LIMIT, &folder.join("engine")),
        folder,
    );
    match fate {
        ProgramOutcome::Different(_) if !agree(&expected, &expect("again")) => {
            ProgramOutcome::Unsteady
        }
        fate => fate,
    }
}

/// Whether two runs printed the same, but for identity hash codes, and ended alike.
fn agree(one: &Ended, other: &Ended) -> bool {
    one.status == other.status && without_hashes(&one.output) == without_hashes(&other.output)
}

/// Replaces what `Object.toString` prints behind a class name by `@`.
fn without_hashes(output: &str) -> String {
    let mut parts = output.split('@');
    let mut kept = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let is_digit = |digit: char| digit.is_ascii_digit() || ('a'..='f').contains(&digit);
        let rest = part.trim_start_matches(is_digit);
        let is_hash = part.len() - rest.len() <= 8 && !rest.starts_with(char::is_alphanumeric);
        kept.push('@');
        kept.push_str(if is_hash { rest } else { part });
    }
    kept
}

fn succeeded(ended: &Ended) -> bool {
    ended.status.is_some_and(|status| status.success())
}

fn compare(expected: &Ended, actual: &Ended, folder: &Path) -> ProgramOutcome {
    if actual.status.is_none() {
        return ProgramOutcome::TooLong;
    }
    let refusal = actual.errors.lines().rev().find_map(|line| {
        let line = line.strip_prefix("heapwright: ")?;
        Some(line.strip_prefix("unsupported: ").unwrap_or(line))
    });
    match refusal {
        Some(refusal) => ProgramOutcome::Refused(refusal.to_owned()),
        None if agree(expected, actual) => ProgramOutcome::Equal,
        None => ProgramOutcome::Different(folder.to_owned()),
    }
}

/// Class that has the name of its source file.
fn main_class(source: &Path) -> String {
    let text = fs::read(source).unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    let package = text.lines().find_map(|line| {
        let name = line.trim().strip_prefix("package ")?;
        Some(name.trim_end_matches(';').trim().to_owned())
    });
    let class = source.file_stem().unwrap_or_default().to_string_lossy();
    match package {
        Some(package) => format!("{package}.{class}"),
        None => class.into_owned(),
    }
}

impl fmt::Display for Fates {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut refusals: BTreeMap<&str, usize> = BTreeMap::new();
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for (source, fate) in &self.0 {
            let kind = match fate {
                ProgramOutcome::Equal => "equal",
                ProgramOutcome::Refused(what) => {
                    // Refusal without the name of a file or class.
                    let what = what.split(" of ").next().unwrap_or(what);
                    *refusals.entry(what).or_default() += 1;
                    "refused"
                }
                ProgramOutcome::Different(folder) => {
                    writeln!(f, "different: {} ({})", source.display(), folder.display())?;
                    "different"
                }
                ProgramOutcome::Unsteady => "unsteady",
                ProgramOutcome::TooLong => {
                    writeln!(f, "too long: {}", source.display())?;
                    "too long"
                }
                ProgramOutcome::NotTried => "not tried",
            };
            *counts.entry(kind).or_default() += 1;
        }
        for (kind, count) in counts {
            writeln!(f, "{count:6} {kind}")?;
        }
        let mut refusals: Vec<_> = refusals.into_iter().collect();
        refusals.sort_by_key(|&(what, count)| (usize::MAX - count, what));
        for (what, count) in refusals {
            writeln!(f, "{count:6} refused: {what}")?;
        }
        Ok(())
    }
}
