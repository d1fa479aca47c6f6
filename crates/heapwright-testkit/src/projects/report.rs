//! Table of the trials.

use std::collections::BTreeSet;
use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use super::{Build, Generation, Refusals};

/// What came of a project.
#[derive(Clone, Debug)]
pub struct Trial {
    /// Name of the project.
    pub name: String,
    /// Value of `--time-limit`.
    pub limit: Duration,
    /// Build without new tests.
    pub before: Build,
    /// The run that wrote tests.
    pub generation: Generation,
    /// Builds with the new tests.
    pub after: [Build; 2],
    /// What linters say.
    pub refusals: Refusals,
    /// Files that the run has changed or made and does not name.
    pub foreign: Vec<PathBuf>,
}

/// Results of several projects.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// One for each project that builds.
    pub trials: Vec<Trial>,
}

/// Heads of the table's columns.
const HEADS: [&str; 16] = [
    "project",
    "before",
    "after",
    "again",
    "files",
    "tests",
    "branches",
    "of",
    "mutants noticed",
    "of",
    "s",
    "lost",
    "not begun",
    "refused",
    "silent",
    "exit code, faults",
];

impl Trial {
    /// What is worse with the new tests than without.
    #[must_use]
    pub fn red(&self) -> BTreeSet<String> {
        let builds = self.after.iter();
        builds
            .flat_map(|build| build.worse_than(&self.before))
            .collect()
    }

    /// Whether the run took much longer than it was allowed.
    #[must_use]
    pub fn is_late(&self) -> bool {
        self.generation.took > self.limit + self.limit / 10 + Duration::from_secs(5)
    }

    /// Whether it meets every target.
    #[must_use]
    pub fn is_met(&self) -> bool {
        let run = &self.generation;
        let is_clean = run.faults.is_empty() && run.silent.is_empty() && run.lost == 0;
        let is_accepted = self.red().is_empty() && self.refusals.what.is_empty();
        is_clean && is_accepted && self.foreign.is_empty() && !self.is_late()
    }

    /// Row of the table.
    #[must_use]
    pub fn row(&self) -> String {
        let run = &self.generation;
        let colour = |build: &Build| {
            let worse = build.worse_than(&self.before);
            let colour = if worse.is_empty() { "green" } else { "red" };
            let failing = match build.failed.len() {
                0 => String::new(),
                failing => format!(" ({failing} fail)"),
            };
            format!("{colour} {}{failing}", build.tests)
        };
        let refused = match self.refusals.are_known {
            true => self.refusals.what.len().to_string(),
            false => "unknown".to_owned(),
        };
        let code = run
            .exit_code
            .map_or("killed".to_owned(), |code| code.to_string());
        let cells = [
            self.name.clone(),
            colour(&self.before),
            colour(&self.after[0]),
            colour(&self.after[1]),
            run.files.len().to_string(),
            run.tests.to_string(),
            run.branches[0].to_string(),
            run.branches[1].to_string(),
            run.mutants[0].to_string(),
            run.mutants[1].to_string(),
            format!("{:.0}", run.took.as_secs_f64()),
            run.lost.to_string(),
            run.not_begun.to_string(),
            refused,
            run.silent.len().to_string(),
            format!("{code}, {}", run.faults.len()),
        ];
        row(&cells)
    }

    /// Lines that say what misses a target.
    #[must_use]
    pub fn details(&self) -> Vec<String> {
        let run = &self.generation;
        let foreign = self.foreign.iter().map(|file| file.display().to_string());
        let kinds = [
            ("red", self.red().into_iter().collect()),
            ("refused", self.refusals.what.clone()),
            ("fault", run.faults.clone()),
            ("silent", run.silent.clone()),
            ("changed", foreign.collect()),
        ];
        let mut lines: Vec<String> = kinds
            .into_iter()
            .flat_map(|(kind, what)| what.into_iter().map(move |what| format!("{kind}: {what}")))
            .collect();
        if self.is_late() {
            lines.push(format!("late: {:.0} s", run.took.as_secs_f64()));
        }
        lines
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", head())?;
        for trial in &self.trials {
            writeln!(f, "{}", trial.row())?;
        }
        let sum = |of: &dyn Fn(&Trial) -> usize| self.trials.iter().map(of).sum::<usize>();
        writeln!(
            f,
            "\n{} projects; red builds: {}, refused files: {}, lost tests: {}, classes not begun: {}, silent classes: {}, faults: {}, changed files: {}, late runs: {}",
            self.trials.len(),
            sum(&|trial| usize::from(!trial.red().is_empty())),
            sum(&|trial| trial.refusals.what.len()),
            sum(&|trial| trial.generation.lost),
            sum(&|trial| trial.generation.not_begun),
            sum(&|trial| trial.generation.silent.len()),
            sum(&|trial| trial.generation.faults.len()),
            sum(&|trial| trial.foreign.len()),
            sum(&|trial| usize::from(trial.is_late())),
        )
    }
}

/// Head of the table.
#[must_use]
pub fn head() -> String {
    let rule = format!("| --- |{}", " ---: |".repeat(HEADS.len() - 1));
    format!("{}\n{rule}", row(&HEADS.map(str::to_owned)))
}

fn row(cells: &[String]) -> String {
    format!("| {} |", cells.join(" | "))
}
