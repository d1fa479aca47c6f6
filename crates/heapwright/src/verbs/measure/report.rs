//! Results of `measure`, for people and for programs.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::ops::Range;
use std::path::PathBuf;
use std::time::Duration;

use heapwright_techniques::measure::{
    Counters, CoveredClass, JudgedMutant, MeasureReport, MutantFate, Share, TestOutcome,
};

use super::MeasureArgs;
use super::summary::{ClassCounts, TestReason, TestsSummary};
use crate::exit;
use crate::files::{counted, grouped};
use crate::report::claim::Claim;
use crate::report::mutants::AliveMutant;
use crate::report::summary::{Body, Head};

/// Maximum number of surviving mutants and of tests that are shown with a reason.
const MOST_SHOWN: usize = 50;

/// Results of a measurement.
pub struct Measured<'a> {
    pub arguments: &'a MeasureArgs,
    /// The classes of the request.
    pub classes: &'a [String],
    pub report: &'a MeasureReport,
    pub stopped_by: Option<&'static str>,
    pub elapsed: Duration,
}

impl Measured<'_> {
    /// Claim about the tests and mutants.
    pub fn claim(&self) -> Claim {
        let report = self.report;
        let stopped_by = report
            .is_interrupted
            .then(|| self.stopped_by.unwrap_or("a signal"));
        let mut claim = Claim::ended(stopped_by);
        let refused = self.tests(|outcome| matches!(outcome, TestOutcome::NotRun(_)));
        if refused > 0 {
            let tests = counted(refused as u64, "test");
            claim = claim.with_gap(format!("{tests} that could not be run"));
        }
        for (class, _) in &report.lost {
            claim = claim.with_gap(format!("further tests of {class}"));
        }
        for (class, reason) in &report.gaps {
            claim = claim.with_gap(format!("what a JVM runs of {class}: {reason}"));
        }
        let unknown = self.fate(MutantFate::Unknown);
        if unknown > 0 {
            let mutants = counted(unknown, "mutant");
            claim = claim.with_gap(format!("{mutants} that could not be judged"));
        }
        claim
    }

    /// Whether coverage and the number of killed mutants are only lower bounds. A mutant that could
    /// not be judged may be killed; a test that fails counts nowhere.
    pub fn is_lower_bound(&self) -> bool {
        self.claim().exit_code().is_some()
    }

    /// Exit code of the verb.
    pub fn exit_code(&self) -> exit::ExitCode {
        match self.tests(|outcome| matches!(outcome, TestOutcome::Failed(_))) {
            0 => self.claim().exit_code().unwrap_or(exit::ExitCode::Done),
            _ => exit::ExitCode::Found,
        }
    }

    /// Number of tests with such an outcome.
    fn tests(&self, is_such: impl Fn(&TestOutcome) -> bool) -> usize {
        let tests = self.report.tests.iter();
        tests.filter(|test| is_such(&test.outcome)).count()
    }

    /// Number of mutants with such a verdict.
    fn fate(&self, fate: MutantFate) -> u64 {
        let mutants = self.report.mutants.iter();
        mutants.filter(|mutant| mutant.fate == fate).count() as u64
    }

    fn killed(&self, mutants: Range<usize>) -> u64 {
        let mutants = self.report.mutants[mutants].iter();
        let killed = mutants.filter(|mutant| mutant.fate == MutantFate::Killed);
        killed.count() as u64
    }

    fn has_mutants(&self) -> bool {
        self.arguments.mutants.group().is_some()
    }

    fn total(&self) -> Counters {
        let mut total = Counters::default();
        for class in &self.report.classes {
            total += class.counters;
        }
        total
    }

    /// The tests that do not pass, those with such an outcome.
    fn reasons(&self, is_failing: bool) -> Vec<TestReason> {
        let tests = self.report.tests.iter();
        let told = tests.filter_map(|test| {
            let (reason, refused) = match (&test.outcome, is_failing) {
                (TestOutcome::Failed(reason), true) | (TestOutcome::Skipped(reason), false) => {
                    (reason, false)
                }
                (TestOutcome::NotRun(reason), false) => (reason, true),
                _ => return None,
            };
            Some(TestReason {
                test: test.name.clone(),
                reason: reason.clone(),
                refused,
            })
        });
        told.collect()
    }

    /// Table of coverage, surviving mutants and tests that do not pass, for people.
    pub fn text(&self) -> String {
        let mut text = String::new();
        let mut rows = Vec::new();
        for class in &self.report.classes {
            let (mutants, killed) = self.mutants_of(class);
            rows.push((class.name.clone(), class.counters, killed, mutants));
            for method in &class.methods {
                let killed = self.killed(method.mutants.clone());
                let mutants = method.mutants.len() as u64;
                rows.push((
                    format!("  {}", method.text),
                    method.counters,
                    killed,
                    mutants,
                ));
            }
        }
        let width = rows.iter().map(|row| row.0.chars().count()).max();
        let width = width.unwrap_or_default();
        let head = if self.has_mutants() { "mutants" } else { "" };
        let _ = writeln!(
            text,
            "{:width$} {:>16} {:>14} {:>14} {head:>14}",
            "", "instructions", "branches", "lines"
        );
        for (name, counters, killed, total) in rows {
            let mutants = if self.has_mutants() {
                shown(Share {
                    covered: killed,
                    total,
                })
            } else {
                String::new()
            };
            let line = format!(
                "{name:width$} {:>16} {:>14} {:>14} {mutants:>14}",
                shown(counters.instructions),
                shown(counters.branches),
                shown(counters.lines),
            );
            text += line.trim_end();
            text.push('\n');
        }
        self.add_mutants(&mut text);
        for (is_failing, what) in [(true, "fails"), (false, "skipped")] {
            let told = self.reasons(is_failing);
            for reason in told.iter().take(MOST_SHOWN) {
                let why = one_line(&reason.reason);
                let _ = match (reason.refused, why.is_empty()) {
                    (true, _) => writeln!(text, "{} could not be run: {why}", reason.test),
                    (_, true) => writeln!(text, "{} {what}", reason.test),
                    _ => writeln!(text, "{} {what}: {why}", reason.test),
                };
            }
            add_rest(&mut text, told.len(), "test");
        }
        for (class, reason) in &self.report.lost {
            let _ = writeln!(
                text,
                "further tests of {class} were not run: {}",
                one_line(reason)
            );
        }
        text + &self.last_line()
    }

    fn add_mutants(&self, text: &mut String) {
        let is_bound = self.is_lower_bound();
        let mut sources = Sources::new(self);
        let mutants = self.report.mutants.iter();
        // What a limit has left open is counted in the last line.
        let is_open = |fate| match fate {
            MutantFate::Unknown => self.report.is_interrupted,
            fate => fate == MutantFate::Untried,
        };
        let alive: Vec<&JudgedMutant> = mutants
            .filter(|mutant| mutant.fate != MutantFate::Killed && !is_open(mutant.fate))
            .collect();
        for mutant in alive.iter().take(MOST_SHOWN) {
            let line = mutant
                .line
                .map(|line| format!(":{line}"))
                .unwrap_or_default();
            let fate = match mutant.fate {
                MutantFate::NotReached if is_bound => "no test that was run reaches it",
                MutantFate::NotReached => "no test reaches it",
                MutantFate::Unknown => "could not be judged",
                _ if is_bound => "no test that was run notices it",
                _ => "no test notices it",
            };
            let JudgedMutant {
                class,
                method,
                description,
                ..
            } = mutant;
            let _ = writeln!(text, "{class}.{method}{line} {description}: {fate}");
            if let Some(source) = mutant.line.and_then(|line| sources.line(class, line)) {
                let _ = writeln!(text, "    {source}");
            }
        }
        add_rest(text, alive.len(), "mutant");
    }

    fn last_line(&self) -> String {
        let total = self.total();
        let passed = self.tests(|outcome| *outcome == TestOutcome::Passed);
        let failed = self.tests(|outcome| matches!(outcome, TestOutcome::Failed(_)));
        let all = self.report.tests.len();
        let mut text = format!(
            "{} of {} pass",
            grouped(passed as u64),
            counted(all as u64, "test")
        );
        if failed > 0 {
            let _ = write!(text, ", {} fail", grouped(failed as u64));
        }
        let not_run = self.tests(|outcome| matches!(outcome, TestOutcome::NotRun(_)));
        let skipped = all - passed - failed - not_run;
        for (count, what) in [(skipped, "skipped"), (not_run, "not run")] {
            if count > 0 {
                let _ = write!(text, ", {} {what}", grouped(count as u64));
            }
        }
        let least = match self.is_lower_bound() {
            true => "at least ",
            false => "",
        };
        let of = |share: Share| format!("{} of {}", grouped(share.covered), grouped(share.total));
        let _ = write!(
            text,
            "; {least}{} instructions, {} branches, {} lines",
            of(total.instructions),
            of(total.branches),
            of(total.lines)
        );
        if self.has_mutants() {
            let share = Share {
                covered: self.fate(MutantFate::Killed),
                total: self.report.mutants.len() as u64,
            };
            let _ = write!(text, ", {} mutants killed", of(share));
            let untried = self.fate(MutantFate::Untried);
            if untried > 0 {
                let _ = write!(text, " ({} not tried)", grouped(untried));
            }
        }
        let _ = writeln!(
            text,
            "; {:.2} s; {}",
            self.elapsed.as_secs_f64(),
            self.claim()
        );
        text
    }

    fn mutants_of(&self, class: &CoveredClass) -> (u64, u64) {
        let ranges = class.methods.iter().map(|method| method.mutants.clone());
        ranges.fold((0, 0), |(all, killed), range| {
            (all + range.len() as u64, killed + self.killed(range))
        })
    }

    /// Summary for programs.
    pub fn summary(&self) -> Body<TestsSummary> {
        let report = self.report;
        let alive = report.mutants.iter();
        let is_alive = |fate| !matches!(fate, MutantFate::Killed | MutantFate::Untried);
        let alive = alive.filter(|mutant| is_alive(mutant.fate));
        let (killed, mutants) = (self.fate(MutantFate::Killed), report.mutants.len() as u64);
        let (failing, skipped) = (self.reasons(true), self.reasons(false));
        let by_class = report.classes.iter().map(|class| {
            let (mutants, killed) = self.mutants_of(class);
            ClassCounts {
                class: class.name.clone(),
                coverage: class.counters.into(),
                mutants,
                killed,
            }
        });
        let lost = report.lost.iter().map(|(class, reason)| TestReason {
            test: class.clone(),
            reason: reason.clone(),
            refused: true,
        });
        let own = TestsSummary {
            lower_bound: self.is_lower_bound(),
            coverage: self.total().into(),
            mutants,
            killed,
            mutation_score: (mutants > 0).then(|| killed as f64 / mutants as f64),
            mutants_not_reached: self.fate(MutantFate::NotReached),
            mutants_unknown: self.fate(MutantFate::Unknown),
            mutants_untried: self.fate(MutantFate::Untried),
            mutants_alive: alive
                .map(|mutant| AliveMutant {
                    class: mutant.class.clone(),
                    method: mutant.method.clone(),
                    line: mutant.line,
                    operator: mutant.operator.into(),
                    description: mutant.description.clone(),
                })
                .collect(),
            tests_passed: self.tests(|outcome| *outcome == TestOutcome::Passed),
            tests_failed: failing.len(),
            tests_skipped: skipped.len(),
            tests_not_run: skipped.iter().filter(|test| test.refused).count(),
            failing,
            skipped,
            lost: lost.collect(),
            by_class: by_class.collect(),
        };
        Head::of_classes(self.classes, &self.claim(), self.elapsed.as_secs_f64())
            .explored(report.steps, "instructions")
            .tests(Some(report.tests.len()))
            .with(own)
    }
}

fn shown(share: Share) -> String {
    format!("{}/{}", share.covered, share.total)
}

/// Text without line breaks and other control characters, not too long.
fn one_line(text: &str) -> String {
    const MOST: usize = 200;
    let first = text.lines().next().unwrap_or_default();
    let shown: String = first.chars().take(MOST).collect();
    shown.replace(char::is_control, " ")
}

fn add_rest(text: &mut String, all: usize, noun: &str) {
    if all > MOST_SHOWN {
        let rest = counted((all - MOST_SHOWN) as u64, noun);
        let _ = writeln!(text, "and {rest} more (--json lists all)");
    }
}

/// Lines of source files, each read once.
struct Sources<'a> {
    folders: &'a [PathBuf],
    /// Source file of each class, from its package's folder on.
    files: BTreeMap<&'a str, PathBuf>,
    read: BTreeMap<PathBuf, Vec<String>>,
}

impl<'a> Sources<'a> {
    fn new(measured: &Measured<'a>) -> Sources<'a> {
        let classes = measured.report.classes.iter();
        let files = classes.filter_map(|class| {
            let package = class
                .name
                .rsplit_once('.')
                .map_or("", |(package, _)| package);
            let folder = PathBuf::from(package.replace('.', "/"));
            Some((
                class.name.as_str(),
                folder.join(class.source_file.as_ref()?),
            ))
        });
        Sources {
            folders: &measured.arguments.reports.sources,
            files: files.collect(),
            read: BTreeMap::new(),
        }
    }

    /// Line of the source of a class, without its indentation; none if there is no such file.
    fn line(&mut self, class: &str, line: u16) -> Option<&str> {
        let file = self.files.get(class)?;
        let folders = self.folders;
        let lines = self.read.entry(file.clone()).or_insert_with(|| {
            let read = |folder: &PathBuf| fs::read_to_string(folder.join(file)).ok();
            let text = folders.iter().find_map(read).unwrap_or_default();
            text.lines().map(|line| line.trim().to_owned()).collect()
        });
        let line = lines.get(usize::from(line).checked_sub(1)?)?;
        (!line.is_empty()).then_some(line.as_str())
    }
}
