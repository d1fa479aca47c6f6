//! Measurement of existing tests: coverage and mutation score of classes, by running JUnit's own
//! bytecode on the engine.
//!
//! [`runner`] runs test classes and tells what they observe, and [`outside`] has virtual machines do
//! so with those that the engine cannot run; [`crate::coverage`] says where the code under test is observed and changed, and counts as JaCoCo does. Mutants are
//! those of [`crate::mutation`].
//!
//! Invariant: results do not depend on the number of workers, as each class runs from the same state
//! and verdicts keep the first killer in the order of the work. A test that cannot be run is named,
//! never lost.

mod halves;
mod machine;
mod outside;
mod progress;
mod runner;
mod verdicts;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use heapwright_jvm::Vm;

use crate::Error;
use crate::coverage::{Fact, TestsByLine};
use crate::existing::ExistingCoverage;
use crate::mutation::OperatorGroup;

pub use crate::coverage::{Counters, CoveredClass, CoveredLine, CoveredMethod, Share};
use outside::{Judging, Outside, OutsideTests};
pub use outside::{
    OutsideClassFile, OutsideCode, OutsideEnd, OutsideError, OutsideEvent, OutsideJvm, OutsideJvms,
    OutsideMutant, OutsideOutcome, OutsideRequest, OutsideRun, OutsideUnit, OutsideUnits,
    OutsideWindow,
};
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
    /// Where tests run.
    pub on: MeasuredOn,
}

/// Where tests run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MeasuredOn {
    /// On the engine, and what does not pass there outside as well.
    #[default]
    Both,
    /// On the engine. Outside it is only found out whether a test fails there, too.
    Engine,
    /// On a virtual machine outside.
    Jvm,
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
    /// Classes of which not all runs were observed, with the reasons.
    pub gaps: Vec<(String, String)>,
    /// Why no virtual machine outside has run tests that it should have.
    pub no_jvm: Option<String>,
}

/// Instructions of mutants of a class from which on several machines share them.
const WORTH_SHARING: u64 = 50_000_000;

/// Runs all tests on the original code, and then on the mutants that they reach. `own` has the
/// driver on its class path, as have the machines that `more` creates for further workers, as far as
/// memory permits. `jvms` starts virtual machines outside of the engine, if there are any. `progress` shows
/// where the run is.
///
/// # Errors
/// A class under test is missing or cannot be used.
pub fn measure(
    own: Vm,
    more: &(dyn Fn() -> Option<Vm> + Sync),
    request: &MeasureRequest,
    jvms: Option<&dyn OutsideJvms>,
    (stops, progress): (&(dyn Fn() -> bool + Sync), &MeasureProgress),
) -> Result<MeasureReport, Error> {
    let mut own = Runner::new(own, request, stops)?;
    let crew = Crew {
        more,
        request,
        stops,
        progress,
    };
    let tests: Vec<usize> = (0..request.tests.len()).collect();
    let mut runs = match request.on {
        MeasuredOn::Jvm => vec![ClassRun::default(); tests.len()],
        _ if own.defect.is_some() => {
            let mut run = ClassRun::default();
            run.lost.clone_from(&own.defect);
            vec![run; tests.len()]
        }
        _ => crew.run(
            &mut own,
            MeasurePhase::Tests,
            &tests,
            &|&number| number,
            &|runner, &number| runner.observe(&request.tests[number]),
        ),
    };
    let mut facts = vec![Fact::default(); own.plan.points.len()];
    for run in &mut runs {
        for (all, observed) in facts.iter_mut().zip(std::mem::take(&mut run.facts)) {
            all.join(observed);
        }
        run.facts.clear();
    }
    // Class files with probes are made only where something runs on it.
    let prepare = |own: &Runner<'_>| jvms.map(|jvms| Outside::new(jvms, &own.vm, &own.plan));
    let mut outside = None;
    if request.on == MeasuredOn::Jvm || runs.iter().any(ClassRun::is_open) {
        outside = prepare(&own);
    }
    if let Some(outside) = &mut outside {
        crew.observe_outside(outside, &mut runs, &mut facts);
    }
    let by_line = number_tests(&own, &mut runs);
    let missing = outside.as_ref().and_then(|outside| outside.missing.clone());
    let mut report = MeasureReport {
        classes: own.plan.coverage(&own.vm, (&facts, &by_line), None),
        steps: runs.iter().map(|run| run.steps).sum(),
        is_interrupted: runs.iter().any(|run| run.is_interrupted)
            || missing == Some(OutsideError::Stopped),
        ..MeasureReport::default()
    };
    let are_all_seen = !report.is_interrupted;
    let verdicts = Verdicts::new(own.plan.mutants.len());
    if are_all_seen && !own.plan.mutants.is_empty() {
        let mut doubts;
        (report.is_interrupted, doubts) = crew.judge(&mut own, &runs, &verdicts);
        if !doubts.is_empty() && request.on == MeasuredOn::Both {
            outside = outside.or_else(|| prepare(&own));
        }
        if let Some(outside) = &mut outside
            && !report.is_interrupted
        {
            let goes_on = crew.judge_outside(outside, &own, &mut runs, (&verdicts, &mut doubts));
            report.is_interrupted = !goes_on;
        }
        for mutant in doubts.into_values().flatten() {
            verdicts.doubt(mutant);
        }
    }
    let states = (are_all_seen, report.is_interrupted);
    report.mutants = mutants(&own, &facts, &verdicts, states);
    let is_noticed = |mutant: usize| report.mutants[mutant].fate == MutantFate::Killed;
    report.existing = own.plan.existing(&own.vm, &facts, &is_noticed);
    for (class, run) in request.tests.iter().zip(runs) {
        let lost = run.lost.clone().map(|reason| (class.clone(), reason));
        report.lost.extend(lost);
        report.tests.extend_from_slice(run.all());
    }
    if let Some(outside) = outside {
        if request.on != MeasuredOn::Engine {
            report.gaps = outside.gaps;
        }
        report.no_jvm = match outside.missing {
            Some(OutsideError::NoJvm(reason)) => Some(reason),
            _ => None,
        };
    }
    Ok(report)
}

/// Numbers the tests of all classes; returns those that come to each line.
fn number_tests(own: &Runner<'_>, runs: &mut [ClassRun]) -> TestsByLine {
    let mut by_line = TestsByLine::default();
    let mut tests = 0;
    for run in runs {
        run.first_test = tests;
        tests += run.all().len();
        let mut visited: BTreeMap<usize, BTreeSet<u32>> = BTreeMap::new();
        for (test, points) in run.visited() {
            visited.entry(test).or_default().extend(points);
        }
        for (test, points) in run.outside.iter().flat_map(|outside| outside.visited()) {
            visited.entry(test).or_default().extend(points);
        }
        for (test, points) in visited {
            let points: Vec<u32> = points.into_iter().collect();
            own.plan
                .add_tests(&mut by_line, run.first_test + test, &points);
        }
    }
    by_line
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

/// Mutants that the engine could not judge by a test class, by the number of the class.
type Doubts = BTreeMap<usize, BTreeSet<usize>>;

/// The workers of a measurement.
struct Crew<'a> {
    more: &'a (dyn Fn() -> Option<Vm> + Sync),
    request: &'a MeasureRequest,
    stops: &'a (dyn Fn() -> bool + Sync),
    progress: &'a MeasureProgress,
}

impl Crew<'_> {
    /// Runs outside what is to run there.
    fn observe_outside(
        &self,
        outside: &mut Outside<'_>,
        runs: &mut [ClassRun],
        facts: &mut Vec<Fact>,
    ) {
        let on = self.request.on;
        let is_meant = |run: &ClassRun| on == MeasuredOn::Jvm || run.is_open();
        let meant: Vec<usize> = (0..runs.len()).filter(|&at| is_meant(&runs[at])).collect();
        if runs.iter().any(|run| run.is_interrupted) {
            for number in meant {
                runs[number].settle(Some(&OutsideError::Stopped));
            }
            return;
        }
        self.progress.begin(MeasurePhase::Tests, meant.len(), 1);
        for number in meant {
            let class = &self.request.tests[number];
            self.progress.take(0, class);
            let facts = (on != MeasuredOn::Engine).then_some(&mut *facts);
            outside.observe(class, &mut runs[number], facts);
            runs[number].settle(outside.missing.as_ref());
            self.progress.finish(0);
        }
    }

    /// Judges outside the mutants that are still open; those
    /// of the engine's doubts that are judged are none any more. Returns false if everything is to stop.
    fn judge_outside(
        &self,
        outside: &mut Outside<'_>,
        own: &Runner<'_>,
        runs: &mut [ClassRun],
        (verdicts, doubts): (&Verdicts, &mut Doubts),
    ) -> bool {
        if self.request.on == MeasuredOn::Engine {
            return true;
        }
        for &number in doubts.keys() {
            // What these cover is known already.
            let mut facts = vec![Fact::default(); own.plan.points.len()];
            if runs[number].outside.is_none() {
                let class = &self.request.tests[number];
                outside.observe(class, &mut runs[number], Some(&mut facts));
            }
        }
        let mut order: Vec<usize> = (0..runs.len()).collect();
        order.retain(|&at| runs[at].outside.is_some());
        order.sort_by_key(|&at| runs[at].outside.as_ref().map(OutsideTests::time));
        if order.is_empty() {
            return true;
        }
        self.progress.begin(MeasurePhase::Mutants, order.len(), 1);
        let none = BTreeSet::new();
        for &number in &order {
            let doubted = doubts.get(&number).unwrap_or(&none);
            let is_wanted = |point: u32, counts: bool| {
                let mut mutants = own.plan.points[point as usize].mutants.clone();
                mutants
                    .any(|mutant| verdicts.is_open(mutant) && (counts || doubted.contains(&mutant)))
            };
            let class = &self.request.tests[number];
            self.progress.take(0, class);
            outside.observe_alone(class, &mut runs[number], &is_wanted);
            self.progress.finish(0);
        }
        if outside.missing == Some(OutsideError::Stopped) {
            return false;
        }
        let judging = order.iter().filter_map(|&number| {
            Some(Judging {
                class: &self.request.tests[number],
                first_test: runs[number].first_test,
                tests: runs[number].outside.as_ref()?,
                doubted: doubts.get(&number).unwrap_or(&none),
            })
        });
        let judging: Vec<Judging<'_>> = judging.collect();
        let (alive, is_interrupted) = outside::judge(
            outside,
            (&own.vm, &own.plan),
            &judging,
            (verdicts, u32::MAX / 2),
            (self.request.jobs, self.progress),
        );
        for (mutant, class) in alive {
            if let Some(doubted) = doubts.get_mut(&order[class]) {
                doubted.remove(&mutant);
            }
        }
        !is_interrupted
    }

    /// Judges the mutants, by the quickest tests first, and by the test classes with the fewest
    /// instructions first. Returns whether everything is to stop, and what could not be judged.
    fn judge(
        &self,
        own: &mut Runner<'_>,
        runs: &[ClassRun],
        verdicts: &Verdicts,
    ) -> (bool, Doubts) {
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
        let judged = self.run(
            own,
            MeasurePhase::Mutants,
            &work,
            &|&(number, _)| number,
            &|runner, &(number, share)| {
                let class = &self.request.tests[number];
                runner.judge(class, &runs[number], verdicts, share)
            },
        );
        let mut doubts = Doubts::new();
        for ((class, _), run) in work.iter().zip(&judged) {
            let open = run.doubted.iter().copied();
            let open = open.filter(|&mutant| verdicts.is_open(mutant));
            doubts.entry(*class).or_default().extend(open);
        }
        doubts.retain(|_, mutants| !mutants.is_empty());
        (judged.iter().any(|run| run.is_interrupted), doubts)
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
