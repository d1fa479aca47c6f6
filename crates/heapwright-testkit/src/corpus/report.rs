//! Result table of a trial.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Write as _};
use std::time::Duration;

use super::{Outcome, SuiteRun, VERBS, VerbRun};
use crate::coverage::Share;

/// Results of verbs on classes, and of the tests that they wrote.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// One run per verb and class.
    pub runs: Vec<VerbRun>,
    /// Tests of each verb and library.
    pub suites: Vec<SuiteRun>,
}

impl Report {
    /// Adds the results of another library.
    pub fn add(&mut self, other: Report) {
        self.runs.extend(other.runs);
        self.suites.extend(other.suites);
    }

    /// Lines that describe violated requirements.
    #[must_use]
    pub fn faults(&self) -> Vec<String> {
        let broken = self
            .runs
            .iter()
            .filter(|run| matches!(run.outcome, Outcome::Broken | Outcome::Overrun));
        let mut faults: Vec<String> = broken
            .map(|run| {
                format!(
                    "{:?}: {} {}: {}",
                    run.outcome, run.verb, run.class, run.reason
                )
            })
            .collect();
        for suite in &self.suites {
            let kinds = [
                ("uncompilable", &suite.uncompilable),
                ("failing", &suite.failing),
                ("flaky", &suite.flaky),
                ("unfinished", &suite.unfinished),
            ];
            for (kind, which) in kinds {
                faults.extend(
                    which
                        .iter()
                        .map(|what| format!("{kind}: {}: {what}", suite.verb)),
                );
            }
        }
        faults
    }

    /// Whether some verb produced output for a class, or it has no code.
    fn is_useful(&self, class: &str) -> bool {
        let mut of_class = self.runs.iter().filter(|run| run.class == class);
        of_class.any(|run| {
            matches!(
                run.outcome,
                Outcome::Fine | Outcome::Partial | Outcome::NoCode
            )
        })
    }

    fn count(&self, verb: &str, outcome: Outcome) -> usize {
        let of_verb = self.runs.iter().filter(|run| run.verb == verb);
        of_verb.filter(|run| run.outcome == outcome).count()
    }

    /// Number of occurrences of each text, the most frequent first.
    fn frequencies<'t>(texts: impl Iterator<Item = (&'t str, u64)>) -> Vec<(&'t str, u64)> {
        let mut counts = BTreeMap::new();
        for (text, count) in texts {
            *counts.entry(text).or_insert(0) += count;
        }
        let mut sorted: Vec<_> = counts.into_iter().collect();
        sorted.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
        sorted
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "| verb | classes | fine | partial | nothing | no code | refused | broken | overrun | branches covered | branches | covered by JaCoCo | branches by JaCoCo | tests | uncompilable | failing | flaky | longest past its limit, s | most memory, MB |"
        )?;
        writeln!(f, "| --- |{}", " ---: |".repeat(18))?;
        for verb in VERBS {
            let runs: Vec<&VerbRun> = self
                .runs
                .iter()
                .filter(|run| run.verb == verb.name)
                .collect();
            if runs.is_empty() {
                continue;
            }
            let mut row = format!("| {} | {} |", verb.name, runs.len());
            for outcome in [
                Outcome::Fine,
                Outcome::Partial,
                Outcome::Nothing,
                Outcome::NoCode,
                Outcome::Refused,
                Outcome::Broken,
                Outcome::Overrun,
            ] {
                write!(row, " {} |", self.count(verb.name, outcome))?;
            }
            for place in 0..2 {
                let branches = runs.iter().map(|run| run.branches[place]);
                write!(row, " {} |", branches.sum::<u64>())?;
            }
            let suites = self.suites.iter().filter(|suite| suite.verb == verb.name);
            let mut measured = Share::default();
            suites.for_each(|suite| measured += suite.branches);
            write!(row, " {} | {} |", measured.covered, measured.total)?;
            let sum = |of: &dyn Fn(&SuiteRun) -> usize| {
                let suites = self.suites.iter().filter(|suite| suite.verb == verb.name);
                suites.map(of).sum::<usize>()
            };
            write!(
                row,
                " {} | {} | {} | {} |",
                sum(&|suite| suite.tests),
                sum(&|suite| suite.uncompilable.len()),
                sum(&|suite| suite.failing.len() + suite.unfinished.len()),
                sum(&|suite| suite.flaky.len()),
            )?;
            let overrun = runs
                .iter()
                .map(|run| run.overrun)
                .max()
                .unwrap_or(Duration::ZERO);
            let memory = runs.iter().map(|run| run.peak_memory).max().unwrap_or(0);
            writeln!(f, "{row} {:.1} | {} |", overrun.as_secs_f64(), memory >> 20)?;
        }
        let classes: BTreeSet<&str> = self.runs.iter().map(|run| run.class.as_str()).collect();
        let nothing: Vec<&str> = classes
            .iter()
            .copied()
            .filter(|class| !self.is_useful(class))
            .collect();
        let useful = classes.len() - nothing.len();
        writeln!(
            f,
            "\nSomething useful by some verb, or no code: {useful} of {} classes; nothing:",
            classes.len()
        )?;
        for class in nothing {
            writeln!(f, "       {class}")?;
        }
        let useless = self.runs.iter().filter(|run| !run.reason.is_empty());
        let reasons = Self::frequencies(useless.map(|run| (run.reason.as_str(), 1)));
        writeln!(f, "\nReasons for nothing:")?;
        for (reason, count) in reasons {
            writeln!(f, "{count:6} {reason}")?;
        }
        let refusals = self.runs.iter().flat_map(|run| run.refusals.keys());
        writeln!(f, "\nRefusals, by runs in which they came up:")?;
        for (refusal, count) in Self::frequencies(refusals.map(|text| (text.as_str(), 1))) {
            writeln!(f, "{count:6} {refusal}")?;
        }
        writeln!(f, "\nFaults:")?;
        for fault in self.faults() {
            writeln!(f, "  {fault}")?;
        }
        Ok(())
    }
}
