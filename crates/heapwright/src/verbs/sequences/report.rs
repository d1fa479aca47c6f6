//! Report of the tests by sequences of a class.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use heapwright_jvm::Vm;
use heapwright_project::BuildRoot;
use heapwright_report::RunPart;
use heapwright_suite::Suite;
use heapwright_techniques::findings::FaultKind;
use heapwright_techniques::measure::Share;
use heapwright_techniques::sequences::goals::Goal;
use heapwright_techniques::sequences::{
    GoalStatus, RequestSubject, SequencesReport, explore::SearchOutcome,
};
use heapwright_techniques::symbolic::CutBy;
use serde::{Deserialize, Serialize};

use super::args::{CoverageCriterionName, SequencesArgs};
use super::existing::ExistingTests;
use super::run_report::{self, WrittenFiles};
use super::summary::{
    BytesByPhase, GoalNotCovered, NotCovered, RemovedTest, SecondsByPhase, SequencesSummary, Totals,
};
use crate::exit;
use crate::files::{counted, grouped};
use crate::interrupt::StopSignal;
use crate::junit::{TestWriter, failures_of, package_of_tests, warn_of_skipped};
use crate::options::FailurePlace;
use crate::report::claim::Claim;
use crate::report::findings::{self, FailingBehaviour, ReportedFindings};
use crate::report::mutants::AliveMutant;
use crate::report::summary::{Body, Head, Solver, Status};

/// Maximum number of distinct failures reported.
const MAX_MISHAPS: usize = 5;
/// Reason why a goal has no test if its test did not compile or did not hold.
const LEFT_OUT: &str = "the test for it was left out before tests were written";

/// Reason why a goal has no test if that would state what a test contradicts that stays.
const DISPUTED: &str = "a test that stays expects another behaviour: --accept takes the new one";

/// Results of a class.
pub struct SequencesResults<'a> {
    pub arguments: &'a SequencesArgs,
    pub writer: Option<&'a TestWriter>,
    /// Tests that were there before.
    pub existing: &'a ExistingTests,
    pub interrupt: &'a StopSignal,
    /// Name of the class in the request.
    pub class: &'a str,
    pub subject: &'a RequestSubject,
    pub report: SequencesReport,
    pub stopped_by: Option<&'static str>,
    /// Limit that ended the run before all tests were tried, if any.
    pub unwritten_by: Option<&'static str>,
    /// Number of tests that were left out before they were written.
    pub dropped: usize,
    /// Whether the tests were run on a JVM.
    pub is_verified: bool,
    pub analysed: Duration,
    pub start: Instant,
}

/// Report of a class.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct ClassReport {
    /// Tests, a line each, or the output that replaces them.
    pub lines: Vec<String>,
    /// Notices for standard error.
    pub notices: Vec<String>,
    /// Goal table and summary for people.
    pub summary: String,
    /// Summary for programs; none if nothing was explored.
    pub result: Option<Body<SequencesSummary>>,
    /// Exit code of the class.
    pub code: Option<exit::ExitCode>,
    /// Files of tests.
    pub files: Vec<PathBuf>,
    /// Data for reports, if they were asked for.
    pub part: Option<RunPart>,
    /// Instructions that the engine ran.
    pub steps: u64,
    /// Whether the run was stopped before the search began.
    pub is_unsearched: bool,
}

impl ClassReport {
    /// Notes that tests, so many with all their rows, were taken back after they were written, and the
    /// file that went with them. What they cover and notice stays counted.
    pub fn take_back(&mut self, tests: Vec<RemovedTest>, rows: usize, gone: Option<&Path>) {
        self.files.retain(|file| Some(&**file) != gone);
        let Some(result) = &mut self.result else {
            return;
        };
        // Nothing is left where no test class stands beside the one that is gone.
        let is_none_left = gone.is_some_and(|gone| {
            let mut files = self.files.iter();
            !files.any(|file| file.parent() == gone.parent())
        });
        let left = |count: usize| match is_none_left {
            true => 0,
            false => count.saturating_sub(rows),
        };
        result.head.tests = result.head.tests.map(left);
        if is_none_left && self.code == Some(exit::ExitCode::Done) {
            self.code = Some(exit::ExitCode::Partial);
        }
        if let Some(own) = &mut result.own {
            own.tests_removed.extend(tests);
        }
    }

    /// Whether it is that of an earlier run.
    pub fn is_cached(&self) -> bool {
        let own = self.result.as_ref().and_then(|result| result.own.as_ref());
        own.is_some_and(|own| own.cached)
    }
}

/// Where the tests of a project are, its failing behaviours, and what to type next; `None` outside of
/// a project and without tests.
pub fn conclusion<'r>(
    arguments: &SequencesArgs,
    told: impl IntoIterator<Item = &'r ClassReport>,
) -> Option<String> {
    let output = arguments.output.as_deref()?;
    let build = BuildRoot::find(&std::path::absolute(output).ok()?)?;
    let (mut files, mut tests, mut failing) = (BTreeSet::new(), 0, 0);
    for report in told {
        files.extend(report.files.iter().filter(|file| file.starts_with(output)));
        let Some(result) = &report.result else {
            continue;
        };
        tests += result.head.tests.unwrap_or_default();
        let own = result.own.as_ref();
        failing += own.map_or(0, |own| own.failing_behaviours.len());
    }
    if tests == 0 || files.is_empty() {
        return None;
    }
    let apart = match arguments.junit.failures.unwrap_or(FailurePlace::Apart) {
        FailurePlace::Apart => failures_of(output),
        FailurePlace::Tests | FailurePlace::Failing => output.to_owned(),
    };
    let failures = match failing {
        0 => String::new(),
        count => format!(
            "; {} in {}",
            counted(count as u64, "failing behaviour"),
            apart.display()
        ),
    };
    Some(format!(
        "{} in {}{failures}; next: {} test\n",
        counted(files.len() as u64, "file"),
        output.display(),
        build.tool.command()
    ))
}

/// Covered branches and all, for people.
pub fn of_branches(share: Share) -> String {
    let (covered, total) = (grouped(share.covered), grouped(share.total));
    format!("{covered} of {total} branches")
}

impl SequencesResults<'_> {
    /// Limit of time or signal that has cut the run, if one has, with what its tests cover and notice if
    /// all of them hold, and what it has found to fail.
    pub fn cut(&self, vm: &Vm) -> Option<(String, Totals, Vec<FailingBehaviour>)> {
        let claim = self.claim();
        let by = claim.stopped_by()?;
        if ["--patience", "--max-paths"].contains(&by) {
            return None;
        }
        let all = (0..self.report.suite.scripts.len()).collect();
        let failing = ReportedFindings::of(&self.report.failing);
        Some((by.to_owned(), self.totals(vm, &all), failing.behaviours()))
    }

    /// Writes JUnit tests, if they are requested, and creates the report.
    ///
    /// # Errors
    /// The tests cannot be written.
    pub fn into_report(mut self, vm: &mut Vm) -> anyhow::Result<ClassReport> {
        let report = &self.report;
        let mut obstacles: BTreeMap<String, u64> = BTreeMap::new();
        for obstacle in &report.obstacles {
            *obstacles.entry(obstacle.to_string()).or_default() += 1;
        }
        let notices = obstacles.into_iter().map(|(obstacle, count)| {
            let sequences = counted(count, "sequence");
            format!("{sequences} in no test: {obstacle}")
        });
        let mut notices: Vec<String> = notices.collect();
        let mut found = ReportedFindings::of(&report.failing);
        let mut tests = report.suite.scripts.len();
        let mut kept: BTreeSet<usize> = (0..tests).collect();
        let (mut lines, mut files) = (Vec::new(), Vec::new());
        let mut written_files = WrittenFiles::default();
        match (self.arguments.output.as_deref(), self.writer) {
            (Some(folder), Some(writer)) => {
                let package = package_of_tests(vm, self.subject.class);
                let mut suite = report.suite.clone();
                let stays = self.undisputed(&suite);
                suite.scripts = stays
                    .iter()
                    .map(|&number| suite.scripts[number].clone())
                    .collect();
                let whole = suite.scripts.len();
                let number = self.existing.next_number(self.class);
                let interrupt = self.interrupt;
                let mut written =
                    writer.write_numbered(suite, number, package.clone(), folder, interrupt)?;
                written.number_scripts(&stays);
                if self.stopped_by.is_none() && written.stopped_by.is_none() {
                    self.existing.remove_lost(self.class, &written.files)?;
                }
                warn_of_skipped(&written.skipped, whole, "sequences");
                let failing = report.failing.clone();
                let reproducers =
                    findings::write(failing, (writer, self.interrupt), package, folder)?;
                found.locate(&reproducers.methods, 0);
                files = reproducers.files;
                files.extend(written.files);
                written_files = WrittenFiles {
                    tests: Some(written.methods),
                    reproducers: reproducers.methods,
                };
                tests = written.tests;
                self.dropped = whole - written.scripts.len();
                self.is_verified = writer.runs_tests() && written.stopped_by.is_none();
                self.unwritten_by = written.stopped_by;
                let stays: BTreeSet<usize> = stays.into_iter().collect();
                self.report.retain_tests(&stays, DISPUTED);
                self.report.retain_tests(&written.scripts, LEFT_OUT);
                kept = written.scripts;
            }
            _ if self.arguments.print_tree => {
                let text = report.goals.trees.text(vm, &report.goals);
                lines.extend(text.lines().map(str::to_owned));
            }
            _ => lines = self.lines(),
        }
        notices.extend(found.lines());
        let claim = self.claim();
        let code = match tests {
            _ if found.are_sure() || !self.existing.changed(self.class).is_empty() => {
                exit::ExitCode::Found
            }
            0 if claim.status() != Status::Stopped => exit::ExitCode::Nothing,
            1.. if self.is_done(&claim) => exit::ExitCode::Done,
            _ => claim.exit_code().unwrap_or(exit::ExitCode::Done),
        };
        let is_reported = self.arguments.reports.report.is_some();
        let part = is_reported.then(|| run_report::part(&self, vm, &written_files));
        Ok(ClassReport {
            part,
            lines,
            notices,
            summary: self.table(vm) + &self.summary(vm, &kept, tests),
            result: Some(self.result(vm, &kept, tests, &found)),
            code: Some(code),
            files,
            steps: 0,
            is_unsearched: false,
        })
    }

    /// Numbers of the scripts that call no method of which a test that stays states another behaviour.
    fn undisputed(&self, suite: &Suite) -> Vec<usize> {
        let scripts = suite.scripts.iter().enumerate();
        let stays = scripts.filter(|(_, script)| {
            let mut calls = script.calls();
            !calls.any(|step| self.existing.disputes(self.class, &step.method))
        });
        stays.map(|(number, _)| number).collect()
    }

    /// Claim about the goals that no test reaches.
    fn claim(&self) -> Claim {
        let report = &self.report;
        let stopped_by = match report.ending {
            SearchOutcome::Stopped => Some(self.stopped_by.unwrap_or("a limit")),
            SearchOutcome::Paths => Some("--max-paths"),
            SearchOutcome::InVain => Some("--patience"),
            _ => self.unwritten_by,
        };
        let cut = report.cut.keys().copied();
        Claim::new(stopped_by, cut, |by| self.arguments.is_asked(by))
    }

    /// Whether a run that has written tests did what it was asked in the time and the number of paths
    /// that it had, be goals open or not, and tried its tests.
    fn is_done(&self, claim: &Claim) -> bool {
        let is_asked =
            |by: &str| by.starts_with("--time") || ["--max-paths", "--patience"].contains(&by);
        let ended = claim.stopped_by().is_none_or(is_asked);
        !self.arguments.strict && ended && self.unwritten_by.is_none()
    }

    /// Reason why the exploration ended, for people.
    fn ending(&self) -> String {
        let is_whole = self.report.cut.is_empty();
        match self.report.ending {
            SearchOutcome::AllReached if is_whole => "all reached".to_owned(),
            SearchOutcome::Closed if is_whole => "no further sequence does anything new".to_owned(),
            _ => self.claim().to_string(),
        }
    }

    /// Extent of the search for goals that no sequence reaches.
    fn missed(&self, length: u32) -> String {
        let is_stopped = matches!(
            self.report.ending,
            SearchOutcome::Stopped | SearchOutcome::Paths | SearchOutcome::InVain
        );
        match (length, is_stopped) {
            (0, true) => "not reached: the search was stopped".to_owned(),
            (_, true) => {
                format!("not reached up to length {length}; then the search was stopped")
            }
            (_, false) => format!("not reached up to length {length}"),
        }
    }

    /// What stands in the way of a test for a goal; empty if nothing does.
    pub fn obstacle(&self, fate: &GoalStatus) -> String {
        match self.not_covered(fate) {
            Some((NotCovered::Infeasible, _)) | None => String::new(),
            Some((_, reason)) => reason,
        }
    }

    /// Lines of the tests: statements and outcome.
    fn lines(&self) -> Vec<String> {
        let scripts = self.report.suite.scripts.iter();
        scripts
            .map(|script| {
                let ending = script.ending();
                match ending.is_empty() {
                    true => script.to_string(),
                    false => format!("{script} // {ending}"),
                }
            })
            .collect()
    }

    /// Status and reason of a goal without a test; none if it has one.
    fn not_covered(&self, fate: &GoalStatus) -> Option<(NotCovered, String)> {
        Some(match fate {
            GoalStatus::Covered(_) | GoalStatus::CoveredBefore => return None,
            GoalStatus::Assertion => (
                NotCovered::AssertionFails,
                "reached only where an assertion fails".to_owned(),
            ),
            GoalStatus::NotAsserted(reason) => (
                NotCovered::NotAsserted,
                format!("reached, but in no test: {reason}"),
            ),
            GoalStatus::Infeasible(reason) => {
                (NotCovered::Infeasible, format!("infeasible: {reason}"))
            }
            GoalStatus::Open(length) => (NotCovered::NotReached, self.missed(*length)),
        })
    }

    /// Goals without a test.
    fn goals_not_covered(&self, vm: &Vm) -> Vec<GoalNotCovered> {
        let goals = self.report.goals.all.iter().zip(&self.report.fates);
        goals
            .filter_map(|(&goal, fate)| {
                let (status, reason) = self.not_covered(fate)?;
                let goal = self.report.goals.text(vm, goal);
                Some(GoalNotCovered {
                    goal,
                    status,
                    reason,
                })
            })
            .collect()
    }

    /// Table of goals: all, or only those that no test reaches.
    fn table(&self, vm: &Vm) -> String {
        let mut text = String::new();
        for (&goal, fate) in self.report.goals.all.iter().zip(&self.report.fates) {
            let fate = match fate {
                GoalStatus::Covered(test) if self.arguments.table => {
                    format!("covered by test {}", test + 1)
                }
                GoalStatus::CoveredBefore if self.arguments.table => {
                    "covered by an existing test".to_owned()
                }
                other => match self.not_covered(other) {
                    Some((_, reason)) => reason,
                    None => continue,
                },
            };
            let goal = self.report.goals.text(vm, goal);
            let _ = writeln!(text, "  {goal}: {fate}");
        }
        for alive in self.alive(vm) {
            let line = alive
                .line
                .map(|line| format!(":{line}"))
                .unwrap_or_default();
            let AliveMutant {
                method,
                description,
                ..
            } = alive;
            let _ = writeln!(text, "  {method}{line} {description}: no test notices it");
        }
        text
    }

    /// Mutants that no test notices.
    fn alive(&self, vm: &Vm) -> Vec<AliveMutant> {
        let Some(mutation) = &self.report.mutation else {
            return Vec::new();
        };
        let killed = mutation.killed();
        let numbered = mutation.mutants.iter().enumerate();
        let alive =
            numbered.filter(|(number, mutant)| !killed.contains(number) && !mutant.is_equivalent);
        alive
            .map(|(_, mutant)| {
                let method = vm.method(mutant.method);
                AliveMutant {
                    class: vm.binary_name(method.class),
                    method: vm.text(method.name).to_owned(),
                    line: mutant.line,
                    operator: mutant.operator.name().into(),
                    description: mutant.description.clone(),
                }
            })
            .collect()
    }

    fn summary(&self, vm: &Vm, kept: &BTreeSet<usize>, tests: usize) -> String {
        let report = &self.report;
        let (covered, infeasible) = self.covered();
        let class = vm.binary_name(self.subject.class);
        let name = class.rsplit('.').next().unwrap_or(&class);
        let mut text = format!(
            "{name}: {} for {} of {} {}",
            counted(tests as u64, "test"),
            grouped(covered),
            grouped(report.goals.all.len() as u64),
            self.arguments.criterion.noun(),
        );
        if infeasible > 0 {
            let _ = write!(text, ", {} infeasible", grouped(infeasible));
        }
        let (branches, _) = self.branches(vm, kept);
        if branches.total > 0 {
            let _ = write!(text, ", {}", of_branches(branches));
        }
        if let Some(mutation) = &report.mutation {
            let _ = write!(
                text,
                ", {} of {} mutants",
                grouped(mutation.killed().len() as u64),
                grouped(mutation.mutants.len() as u64)
            );
        }
        if self.existing.coverage.is_some() {
            let (covered, killed) = self.covered_before();
            let _ = write!(
                text,
                " ({} and {} by existing tests)",
                counted(covered, "goal"),
                counted(killed, "mutant")
            );
        }
        let counts = &report.counts;
        let length = match counts.max_length {
            0 => "no length in full".to_owned(),
            length => format!("up to length {length}"),
        };
        let _ = writeln!(
            text,
            "; {}, {}, {length}, {:.2} s; {}",
            counted(counts.explored, "sequence"),
            counted(counts.paths, "path"),
            self.start.elapsed().as_secs_f64(),
            self.ending()
        );
        if !counts.cuts.is_empty() {
            let cuts = counts.cuts.iter();
            let cuts: Vec<String> = cuts
                .map(|(by, &count)| format!("{by} {}", counted(count, "time")))
                .collect();
            let _ = writeln!(text, "heapwright: left out by limits: {}", cuts.join(", "));
        }
        let is_enough = self.existing.coverage.is_some();
        if counts.refused > 0 || tests == 0 && !is_enough {
            let mut mishaps: Vec<(&String, &u64)> = report.abnormal_outcomes.iter().collect();
            mishaps.sort_by_key(|(_, times)| std::cmp::Reverse(**times));
            for (what, times) in mishaps.iter().take(MAX_MISHAPS) {
                // Messages may contain values of the tested code.
                let what = what.replace(char::is_control, "?");
                let _ = writeln!(text, "heapwright: {what} ({})", counted(**times, "time"));
            }
            let further = mishaps.len().saturating_sub(MAX_MISHAPS) as u64;
            if further > 0 {
                let _ = writeln!(
                    text,
                    "heapwright: and {} of other kinds",
                    counted(further, "end")
                );
            }
        }
        if report.goals.all.is_empty() {
            let name = self.class;
            let _ = writeln!(
                text,
                "heapwright: nothing to test: no method of {name} has code"
            );
        }
        text
    }

    /// Number of goals that a test covers, and number of goals proved infeasible.
    fn covered(&self) -> (u64, u64) {
        let fates = &self.report.fates;
        let covered = fates
            .iter()
            .filter(|fate| matches!(fate, GoalStatus::Covered(_) | GoalStatus::CoveredBefore));
        let infeasible = fates
            .iter()
            .filter(|fate| matches!(fate, GoalStatus::Infeasible(_)));
        (covered.count() as u64, infeasible.count() as u64)
    }

    /// Numbers of goals that existing tests cover, and of mutants that they notice.
    fn covered_before(&self) -> (u64, u64) {
        let fates = self.report.fates.iter();
        let covered = fates.filter(|fate| matches!(fate, GoalStatus::CoveredBefore));
        let mutation = self.report.mutation.as_ref();
        let killed = mutation.map_or(0, |mutation| mutation.killed_before.len());
        (covered.count() as u64, killed as u64)
    }

    /// Branches that the tests with these numbers and those that were there before cover, and of these how
    /// many are proved infeasible. As JaCoCo counts them; where coverage was not asked for, those among the
    /// goals.
    fn branches(&self, vm: &Vm, kept: &BTreeSet<usize>) -> (Share, u64) {
        let report = &self.report;
        let fates = report.goals.all.iter().zip(&report.fates);
        let fates = fates.filter(|(goal, _)| matches!(goal, Goal::Branch(..)));
        let infeasible = |fate: &GoalStatus| matches!(fate, GoalStatus::Infeasible(_));
        let mut share = Share::default();
        let mut all_infeasible = 0;
        for (_, fate) in fates {
            share.total += 1;
            let is_covered = matches!(fate, GoalStatus::Covered(_) | GoalStatus::CoveredBefore);
            share.covered += u64::from(is_covered);
            all_infeasible += u64::from(infeasible(fate));
        }
        if self.arguments.criterion != CoverageCriterionName::Branches {
            let (covered, total) = report.branch_counts();
            share = Share { covered, total };
        }
        if let Some(coverage) = &report.coverage {
            let before = self.existing.coverage.as_deref();
            let classes = coverage.classes(vm, kept, before);
            let counters = classes.iter().map(|class| class.counters.branches);
            share = counters.fold(Share::default(), |all, one| Share {
                covered: all.covered + one.covered,
                total: all.total + one.total,
            });
        }
        (share, all_infeasible)
    }

    /// Counts of the goals and mutants, and of the branches that the tests with these numbers cover.
    fn totals(&self, vm: &Vm, kept: &BTreeSet<usize>) -> Totals {
        let report = &self.report;
        let (covered, infeasible) = self.covered();
        let (covered_before, killed_before) = self.covered_before();
        let (branches, branches_infeasible) = self.branches(vm, kept);
        let mutation = report.mutation.as_ref();
        Totals {
            goals_covered: covered,
            goals_infeasible: infeasible,
            goals_covered_before: covered_before,
            goals_total: report.goals.all.len() as u64,
            branches_covered: branches.covered,
            branches_infeasible,
            branches_total: branches.total,
            mutants: mutation.map_or(0, |mutation| mutation.mutants.len() as u64),
            killed: mutation.map_or(0, |mutation| mutation.killed().len() as u64),
            killed_before,
            mutants_equivalent: mutation.map_or(0, |mutation| mutation.equivalent() as u64),
            tests_kept: self.existing.kept(self.class) as u64,
            sequences_generated: report.counts.generated,
            sequences_explored: report.counts.explored,
        }
    }

    fn result(
        &self,
        vm: &Vm,
        kept: &BTreeSet<usize>,
        tests: usize,
        found: &ReportedFindings,
    ) -> Body<SequencesSummary> {
        let report = &self.report;
        let cut = report.cut.iter();
        let (states, states_subsumed) = report.states;
        let (tree_paths, tree_nodes) = report.goals.trees.size();
        let phases = &report.phases;
        let totals = self.totals(vm, kept);
        let own = SequencesSummary {
            criterion: self.arguments.criterion.goals().into(),
            totals,
            branch_coverage: totals.branch_coverage(),
            mutation_score: totals.mutation_score(),
            goals_not_covered: self.goals_not_covered(vm),
            mutants_alive: self.alive(vm),
            tests_removed: self.existing.removed(self.class),
            tests_changed: self.existing.changed(self.class),
            dropped: self.dropped,
            verified: self.is_verified,
            cached: false,
            max_length: report.counts.max_length,
            paths: report.counts.paths,
            paths_cut: report.counts.cut(),
            cut: cut.map(|(by, &count)| (by.name().into(), count)).collect(),
            paths_refused: report.counts.refused,
            failing_behaviours: found.behaviours(),
            invariant_broken: found.count(FaultKind::BreaksInvariant),
            tree_paths,
            tree_nodes,
            states,
            states_subsumed,
            seconds_by_phase: SecondsByPhase {
                analysis: self.analysed.as_secs_f64(),
                generating: phases.generating.as_secs_f64(),
                running: phases.running().as_secs_f64(),
                solving: phases.solving.as_secs_f64(),
                matching: phases.matching.as_secs_f64(),
                proving: phases.proving.as_secs_f64(),
                tests: phases.tests.as_secs_f64(),
            },
            bytes_by_phase: BytesByPhase {
                generating: report.memory.generating,
                running: report.memory.running,
                solving: report.memory.solving,
                matching: report.memory.matching,
            },
        };
        let seconds = self.start.elapsed().as_secs_f64();
        Head::new(self.class, &self.claim(), seconds)
            .explored(report.counts.paths, "paths")
            .solver(Solver {
                queries: report.queries,
                unknown: report.cut.get(&CutBy::Work).copied().unwrap_or_default(),
                seconds: Some(phases.solving.as_secs_f64()),
                stages: None,
            })
            .tests(Some(tests))
            .with(own)
    }
}
