//! Calls of the library's own methods, made by `java` and by `heapwright run`, with their
//! outcomes compared.

use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use super::Trial;
use crate::fixtures::{compile, files};
use crate::process::run;

/// Sources of the program that writes the calls, and of the program that makes them.
const GENERATOR: &str = include_str!("../../java/CallsGenerator.java");
const MAIN: &str = include_str!("../../java/Calls.java.in");

/// Number of calls per process.
const RANGE: usize = 200;
/// Time limit of a process.
const LIMIT: Duration = Duration::from_secs(60);
/// Time limit of a call on `java`, in milliseconds.
const WAIT: &str = "500";

/// Call with different outcomes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Expression.
    pub call: String,
    /// Outcome on `java`.
    pub expected: String,
    /// Outcome on the engine.
    pub actual: String,
}

/// Outcomes of all calls.
#[derive(Clone, Debug, Default)]
pub struct Calls {
    /// Number of calls with equal outcomes.
    pub equal: usize,
    /// Number of calls refused by the engine, by refusal.
    pub refused: BTreeMap<String, usize>,
    /// Calls that end differently: with another or no exception, or with an object of another
    /// class.
    pub different: Vec<Difference>,
    /// Calls with another value of the same class, which may depend on time, chance or the
    /// machine.
    pub other_values: Vec<Difference>,
    /// Number of calls that did not end on `java`.
    pub endless: usize,
}

/// Makes every `step`-th of the calls. Its programs are written below `folder`.
///
/// # Panics
/// A process cannot be started or a folder cannot be written.
#[must_use]
pub fn try_calls(trial: &Trial, step: usize, folder: &Path) -> Calls {
    let _ = fs::remove_dir_all(folder);
    fs::create_dir_all(folder).expect("a folder that can be written");
    let generator = folder.join("CallsGenerator.java");
    for (path, text) in [
        (&generator, GENERATOR),
        (&folder.join("Calls.java.in"), MAIN),
    ] {
        fs::write(path, text).expect("a file that can be written");
    }
    let mut java = trial.jdk.java();
    java.arg(&generator).arg(folder).arg(step.to_string());
    let generated = run(java, LIMIT, &folder.join("generator"));
    let is_done = generated.status.is_some_and(|status| status.success());
    assert!(is_done, "{}", generated.errors);
    fs::remove_file(&generator).expect("a file of ours");
    let classes = folder.join("classes");
    let sources = files(folder, "java");
    compile(&trial.jdk, &sources, &[], &classes, &["-nowarn"]);
    let calls = fs::read_to_string(folder.join("calls.txt")).expect("what was generated");
    let calls: Vec<&str> = calls.lines().collect();

    // Calls on the JVM write and delete real files.
    let place = folder.join("place");
    fs::create_dir_all(&place).expect("a folder that can be written");
    let on_java = |first: usize, end: usize| {
        let mut java = trial.jdk.java();
        java.current_dir(&place);
        java.args(["-Duser.language=en", "-Duser.country=US", "-cp"]);
        java.arg(&classes).arg("Calls");
        java.args([&first.to_string(), &end.to_string(), WAIT]);
        java
    };
    let on_engine = |first: usize, end: usize| {
        let mut engine = Command::new(&trial.program);
        engine.current_dir(&place);
        engine.arg("run").arg("--jdk").arg(&trial.jdk.home);
        engine.arg("-p").arg(&classes).arg("Calls");
        engine.args([&first.to_string(), &end.to_string()]);
        engine
    };
    let expected = outcomes(&on_java, calls.len(), &folder.join("java"));
    let actual = outcomes(&on_engine, calls.len(), &folder.join("engine"));
    let mut all = Calls::default();
    for ((call, expected), actual) in calls.iter().zip(expected).zip(actual) {
        all.add(call, expected, actual);
    }
    all
}

/// Outcome of each call.
fn outcomes(command: &dyn Fn(usize, usize) -> Command, calls: usize, log: &Path) -> Vec<String> {
    let mut outcomes = Vec::new();
    while outcomes.len() < calls {
        let first = outcomes.len();
        let end = calls.min(first + RANGE);
        let ended = run(command(first, end), LIMIT, log);
        for line in ended.output.lines() {
            let marked = line.strip_prefix('@').and_then(|line| line.split_once(' '));
            if let Some((_, outcome)) =
                marked.filter(|(number, _)| *number == outcomes.len().to_string())
            {
                outcomes.push(outcome.trim_end().to_owned());
            }
        }
        if outcomes.len() < end {
            let said = ended
                .errors
                .lines()
                .rfind(|line| line.starts_with("heapwright: "));
            let reason = match (ended.status, said) {
                (None, _) => "does not end",
                (Some(_), Some(said)) => said.trim_start_matches("heapwright: "),
                (Some(_), None) => "ends the process",
            };
            outcomes.push(reason.to_owned());
        }
    }
    outcomes
}

impl Calls {
    fn add(&mut self, call: &str, expected: String, actual: String) {
        let is_outcome =
            |outcome: &str| outcome.starts_with("returned ") || outcome.starts_with("threw ");
        if !is_outcome(&expected) {
            self.endless += 1;
            return;
        }
        if actual == expected {
            self.equal += 1;
            return;
        }
        if let Some(what) = actual.strip_prefix("unsupported: ") {
            // Refusal without the name of a file or class.
            let what = what.split(" of ").next().unwrap_or(what);
            *self.refused.entry(what.to_owned()).or_default() += 1;
            return;
        }
        // A word and a class.
        let kind = |outcome: &str| -> Vec<String> {
            outcome.split(' ').take(2).map(str::to_owned).collect()
        };
        let list = match kind(&actual) == kind(&expected) {
            true => &mut self.other_values,
            false => &mut self.different,
        };
        list.push(Difference {
            call: call.to_owned(),
            expected,
            actual,
        });
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.call)?;
        writeln!(f, "    java:   {}", self.expected)?;
        write!(f, "    engine: {}", self.actual)
    }
}

impl fmt::Display for Calls {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (list, what) in [
            (&self.other_values, "other value"),
            (&self.different, "different"),
        ] {
            for difference in list {
                writeln!(f, "{what}: {difference}")?;
            }
        }
        writeln!(f, "{:6} equal", self.equal)?;
        writeln!(f, "{:6} refused", self.refused.values().sum::<usize>())?;
        writeln!(f, "{:6} of another value", self.other_values.len())?;
        writeln!(f, "{:6} different", self.different.len())?;
        writeln!(f, "{:6} without an end on the JVM", self.endless)?;
        let mut refused: Vec<_> = self.refused.iter().collect();
        refused.sort_by_key(|&(what, &count)| (usize::MAX - count, what));
        for (what, count) in refused {
            writeln!(f, "{count:6} refused: {what}")?;
        }
        Ok(())
    }
}
