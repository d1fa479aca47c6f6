//! Measurement of existing tests: coverage and mutation score of classes, by running JUnit's own
//! bytecode on the engine.
//!
//! [`runner`] runs test classes and tells what they observe; [`crate::coverage`]
//! says where the code under test is observed and changed, and counts as JaCoCo does. Mutants are
//! those of [`crate::mutation`].
//!
//! Invariant: results do not depend on the number of workers, as each class runs from the same state
//! and verdicts keep the first killer in the order of the work. A test that cannot be run is named,
//! never lost.

mod machine;
mod progress;
mod runner;
mod verdicts;

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use heapwright_jvm::Vm;

use crate::Error;
use crate::coverage::{Fact, TestsByLine};
use crate::existing::ExistingCoverage;
use crate::mutation::OperatorGroup;

pub use crate::coverage::{Counters, CoveredClass, CoveredLine, CoveredMethod, Share};
pub use progress::{MeasurePhase, MeasureProgress, MeasureState};
pub use runner::DRIVER;
use runner::{ClassRun, Runner, Speed, WorkShare};
use verdicts::Verdicts;

/// Request to measure tests.
#[derive(Clone, Debug)]
pub struct MeasureRequest {
    /// Binary names of the classes under test. Those nested in them belong to them.
    pub classes: Vec<String>,
    /// Methods under test of these classes, by name or as `remove(int)`; all if empty. Lambdas belong
    /// to the method that they are in.
    pub methods: Vec<String>,
    /// Binary names of the classes that may have tests; others are skipped.
    pub tests: Vec<String>,
    /// Operators of the mutants; `None` for coverage alone.
    pub mutants: Option<OperatorGroup>,
    /// Maximum number of instructions of a test.
    pub max_steps: u64,
    /// Number of workers, at least 1.
    pub jobs: usize,
}

/// Result of a test, or of a group of tests that is skipped or fails as a whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TestResult {
    /// Binary name of the class that was run.
    pub class: String,
    /// Name of the test: class, method and row.
    pub name: String,
    /// How it ended.
    pub outcome: TestOutcome,
    /// Instructions that it executed.
    pub steps: u64,
}

/// End of a test on the original code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TestOutcome {
    /// It passes.
    Passed,
    /// It fails with this exception.
    Failed(String),
    /// Its framework skips it, for this reason.
    Skipped(String),
    /// It could not be run to its end, for this reason.
    NotRun(String),
}

/// Mutant with the verdict of the tests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JudgedMutant {
    /// Binary name of the class.
    pub class: String,
    /// Name of the method.
    pub method: String,
    /// Source line, if the class file has it.
    pub line: Option<u16>,
    /// PIT's name of the operator.
    pub operator: &'static str,
    /// Description of the change.
    pub description: String,
    /// The verdict.
    pub fate: MutantFate,
    /// Number of the first test that kills it, quick tests before slow ones, then those of classes
    /// with few instructions. `None` if none does, or if it is killed between two tests.
    pub killer: Option<usize>,
}

/// Verdict on a mutant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MutantFate {
    /// A test fails on it, does not end or exhausts memory.
    Killed,
    /// All tests that ran and reach it pass.
    Alive,
    /// No test that ran reaches it.
    NotReached,
    /// A test of it needs what the engine refuses, or there was no time for all of them, and the
    /// others pass.
    Unknown,
    /// No test was run on it before the run was stopped.
    Untried,
}

/// Result of a measurement.
#[derive(Clone, Debug, Default)]
pub struct MeasureReport {
    /// The tests, by class.
    pub tests: Vec<TestResult>,
    /// Classes with the reason why further tests of them did not run.
    pub lost: Vec<(String, String)>,
    /// Classes under test with code.
    pub classes: Vec<CoveredClass>,
    /// Mutants in the order of the code.
    pub mutants: Vec<JudgedMutant>,
    /// What the tests cover and notice, for a search for further ones.
    pub existing: ExistingCoverage,
    /// Instructions executed on the original code.
    pub steps: u64,
    /// Whether it was stopped before its end.
    pub is_interrupted: bool,
}

/// Instructions of mutants of a class from which on several machines share them.
const WORTH_SHARING: u64 = 50_000_000;

/// Runs all tests on the original code, and then on the mutants that they reach. `own` has the
/// driver on its class path, as have the machines that `more` creates for further workers, as far as
/// memory permits. `progress` shows where the run is.
///
/// # Errors
/// A class under test is missing or cannot be used.
pub fn measure(
    own: Vm,
    more: &(dyn Fn() -> Option<Vm> + Sync),
    request: &MeasureRequest,
    stops: &(dyn Fn() -> bool + Sync),
    progress: &MeasureProgress,
) -> Result<MeasureReport, Error> {
    let mut own = Runner::new(own, request, stops)?;
    let crew = Crew {
        more,
        request,
        stops,
        progress,
    };
    let tests: Vec<usize> = (0..request.tests.len()).collect();
    let mut runs = crew.run(
        &mut own,
        MeasurePhase::Tests,
        &tests,
        &|&number| number,
        &|runner, &number| runner.observe(&request.tests[number]),
    );
    let mut facts = vec![Fact::default(); own.plan.points.len()];
    let mut by_line = TestsByLine::default();
    let mut tests = 0;
    for run in &mut runs {
        run.first_test = tests;
        tests += run.tests.len();
        for (test, points) in run.visited() {
            own.plan
                .add_tests(&mut by_line, run.first_test + test, points);
        }
        for (all, observed) in facts.iter_mut().zip(std::mem::take(&mut run.facts)) {
            all.join(observed);
        }
        run.facts.clear();
    }
    let mut report = MeasureReport {
        classes: own.plan.coverage(&own.vm, &facts, &by_line),
        steps: runs.iter().map(|run| run.steps).sum(),
        is_interrupted: runs.iter().any(|run| run.is_interrupted),
        ..MeasureReport::default()
    };
    let are_all_seen = !report.is_interrupted;
    let verdicts = Verdicts::new(own.plan.mutants.len());
    if !report.is_interrupted && !own.plan.mutants.is_empty() {
        let judged = crew.judge(&mut own, &runs, &verdicts);
        report.is_interrupted = judged.iter().any(|run| run.is_interrupted);
    }
    report.mutants = mutants(
        &own,
        &facts,
        &verdicts,
        (are_all_seen, report.is_interrupted),
    );
    let is_noticed = |mutant: usize| report.mutants[mutant].fate == MutantFate::Killed;
    report.existing = own.plan.existing(&own.vm, &facts, &is_noticed);
    for (class, run) in request.tests.iter().zip(runs) {
        report.tests.extend(run.tests);
        let lost = run.lost.map(|reason| (class.clone(), reason));
        report.lost.extend(lost);
    }
    Ok(report)
}

/// The mutants with their verdicts. Those without one are open if the run was stopped: after all tests
/// were run on the original code (`are_all_seen`), or before.
fn mutants(
    own: &Runner<'_>,
    facts: &[Fact],
    verdicts: &Verdicts,
    (are_all_seen, is_interrupted): (bool, bool),
) -> Vec<JudgedMutant> {
    let vm = &own.vm;
    let mut reached = vec![false; own.plan.mutants.len()];
    for (point, fact) in own.plan.points.iter().zip(facts) {
        for number in point.mutants.clone() {
            reached[number] |= fact.is_reached();
        }
    }
    let numbered = own.plan.mutants.iter().enumerate();
    let judged = numbered.map(|(number, mutant)| {
        let method = vm.method(mutant.method);
        JudgedMutant {
            class: vm.binary_name(method.class),
            method: vm.text(method.name).to_owned(),
            line: mutant.line,
            operator: mutant.operator.name(),
            description: mutant.description.clone(),
            fate: match reached[number] {
                true if !verdicts.is_open(number) => MutantFate::Killed,
                false if are_all_seen => MutantFate::NotReached,
                _ if is_interrupted && !verdicts.is_tried(number) => MutantFate::Untried,
                _ if is_interrupted => MutantFate::Unknown,
                false => MutantFate::NotReached,
                true if verdicts.is_doubted(number) => MutantFate::Unknown,
                true => MutantFate::Alive,
            },
            killer: verdicts.killer(number),
        }
    });
    judged.collect()
}

/// The workers of a measurement.
struct Crew<'a> {
    more: &'a (dyn Fn() -> Option<Vm> + Sync),
    request: &'a MeasureRequest,
    stops: &'a (dyn Fn() -> bool + Sync),
    progress: &'a MeasureProgress,
}

impl Crew<'_> {
    /// Judges the mutants, by the quickest tests first, and by the test classes with the fewest
    /// instructions first.
    fn judge(&self, own: &mut Runner<'_>, runs: &[ClassRun], verdicts: &Verdicts) -> Vec<ClassRun> {
        let passes = |run: &ClassRun| {
            let mut tests = run.tests.iter();
            tests.any(|test| test.outcome == TestOutcome::Passed)
        };
        let mut order: Vec<usize> = (0..runs.len()).filter(|&at| passes(&runs[at])).collect();
        order.sort_by_key(|&number| runs[number].steps);
        let mut work = Vec::new();
        let mut turn = 0;
        for speed in Speed::ALL {
            for &number in &order {
                turn += 1;
                let parts = match runs[number].work() {
                    WORTH_SHARING.. => self.request.jobs.div_ceil(order.len()),
                    _ => 1,
                };
                let share = |part| WorkShare {
                    speed,
                    turn,
                    part,
                    parts,
                };
                work.extend((0..parts).map(|part| (number, share(part))));
            }
        }
        self.run(
            own,
            MeasurePhase::Mutants,
            &work,
            &|&(number, _)| number,
            &|runner, &(number, share)| {
                let class = &self.request.tests[number];
                runner.judge(class, &runs[number], verdicts, share)
            },
        )
    }

    /// Does pieces of work, taken in order; returns what was found, in their order. `class_of` is the
    /// number of a piece's test class.
    fn run<P: Sync>(
        &self,
        own: &mut Runner<'_>,
        phase: MeasurePhase,
        pieces: &[P],
        class_of: &(dyn Fn(&P) -> usize + Sync),
        work: &(dyn Fn(&mut Runner<'_>, &P) -> ClassRun + Sync),
    ) -> Vec<ClassRun> {
        let count = pieces.len();
        let workers = self.request.jobs.min(count).max(1);
        self.progress.begin(phase, count, workers);
        let next = AtomicUsize::new(0);
        let found = Mutex::new(vec![ClassRun::default(); count]);
        let take_all = |worker: usize, runner: &mut Runner<'_>| {
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                let Some(piece) = pieces.get(number) else {
                    return;
                };
                let class = &self.request.tests[class_of(piece)];
                self.progress.take(worker, class);
                let run = work(runner, piece);
                self.progress.finish(worker);
                let mut found = found.lock().unwrap_or_else(PoisonError::into_inner);
                found[number] = run;
            }
        };
        let take_all = &take_all;
        std::thread::scope(|scope| {
            for worker in 1..workers {
                scope.spawn(move || {
                    // Without memory for another machine, the first worker does all.
                    let vm = (self.more)();
                    let runner = vm.map(|vm| Runner::new(vm, self.request, self.stops));
                    if let Some(Ok(mut runner)) = runner {
                        take_all(worker, &mut runner);
                    }
                });
            }
            take_all(0, own);
        });
        found.into_inner().unwrap_or_else(PoisonError::into_inner)
    }
}
