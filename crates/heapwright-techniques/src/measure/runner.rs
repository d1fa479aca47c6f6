//! Runs the test classes on one machine, each from the same state.
//!
//! The driver's Java classes let the frameworks on the class path find and run the tests, and call
//! [`Event`] methods, at which the machine stops. A class runs once on the original code, and then
//! with a fork at each instruction that has mutants. There the mutant's run goes on to the end of the
//! test, and the machine goes back. Quick tests judge before slow ones, in a run of their own
//! ([`Speed`]), and a run of a class ends where its later tests reach no open mutant.
//!
//! Invariant: a run of a class does not depend on those before it, so each comes to the same windows:
//! the running of a test, or the time between two.

use std::collections::BTreeSet;
use std::rc::Rc;

use heapwright_jvm::patches::Patch;
use heapwright_jvm::state::MarkId;
use heapwright_jvm::{Exit, Limit, MethodId, Ref, SlotLocation, Vm};

use super::machine::{Mode, TestMachine};
use super::outside::OutsideTests;
use super::verdicts::Verdicts;
use super::{MeasureRequest, MeasuredOn, TestOutcome, TestResult};
use crate::Error;
use crate::coverage::{CodePlan, CodeSelection, Fact};

/// Java classes that run tests, for the engine's class path.
mod driver {
    include!(concat!(env!("OUT_DIR"), "/driver.rs"));
}

pub use driver::CLASSES as DRIVER;

/// Methods of the driver that report events, with their descriptors.
const EVENTS: [(&str, &str); 4] = [
    ("started", "(Ljava/lang/String;)V"),
    ("finished", "(ILjava/lang/String;)V"),
    ("skipped", "(Ljava/lang/String;Ljava/lang/String;)V"),
    ("broken", "(Ljava/lang/String;Ljava/lang/String;)V"),
];
/// Numbers with which the driver reports how a test ends.
const PASSED: u64 = 0;
const FAILED: u64 = 2;

/// Instructions that a mutant may execute for each one of the original, and in addition; beyond
/// them it does not end.
const STEPS_PER_STEP: u64 = 20;
const MORE_STEPS: u64 = 100_000;
/// Instructions between two questions whether to stop.
const SLICE: u64 = 5_000_000;
/// Instructions in which a test may handle the exception that it does not end.
const STEPS_TO_END: u64 = 10_000_000;
/// Libraries that change classes as these are loaded, by an agent or a class loader, with the first words of their classes'
/// names.
const CHANGING: [(&str, &str); 2] = [("mockit/", "JMockit"), ("org/powermock/", "PowerMock")];
/// Number of exceptions in place of refused operations in one test.
const MOST_REFUSALS: u32 = 1_000;

/// What a framework reports.
enum Event {
    Started(String),
    Finished(u64, String),
    Skipped(String, String),
    Broken(String, String),
}

/// Reason for which a run has stopped.
enum Stop {
    Event(Event),
    /// At a probe whose mutants are to be judged.
    Mutants(u32),
    /// The run has ended, or cannot go on.
    End(Exit),
    /// Everything is to stop.
    Interrupted,
}

/// Speed of tests, by the instructions that they execute on the original code. What is between tests
/// is slow, as a mutant of it runs to the end of the class.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Speed {
    Quick,
    Slow,
}

impl Speed {
    /// All speeds, the quickest first.
    pub const ALL: [Speed; 2] = [Speed::Quick, Speed::Slow];

    fn of(steps: u64) -> Speed {
        match steps {
            ..3_000_000 => Speed::Quick,
            3_000_000.. => Speed::Slow,
        }
    }
}

/// Share of the work of judging mutants by a class.
#[derive(Clone, Copy, Debug)]
pub(super) struct WorkShare {
    /// Speed of the tests that judge.
    pub speed: Speed,
    /// Place of these tests in the order of judging.
    pub turn: u32,
    /// Number of this part of the points with mutants, below the number of `parts`.
    pub part: usize,
    /// Number of parts.
    pub parts: usize,
}

impl WorkShare {
    fn has(self, point: usize) -> bool {
        point % self.parts == self.part
    }
}

/// Running of a test, or the time between two.
#[derive(Clone, Debug)]
struct Window {
    /// Number of the test; `None` if no test is running.
    test: Option<usize>,
    /// Points with mutants that are visited.
    points: Vec<u32>,
    /// All points that are visited.
    visited: Vec<u32>,
}

/// What a run of a class found.
#[derive(Clone, Debug, Default)]
pub(super) struct ClassRun {
    /// Its tests, in the order in which they end.
    pub tests: Vec<TestResult>,
    /// Groups of tests that fail as a whole.
    pub is_broken: bool,
    /// Reason why further tests of it did not run, if so.
    pub lost: Option<String>,
    /// Instructions executed.
    pub steps: u64,
    /// What was observed at the probes.
    pub facts: Vec<Fact>,
    windows: Vec<Window>,
    /// Number of its first test among those of all classes.
    pub first_test: usize,
    /// Whether everything was to stop before its end.
    pub is_interrupted: bool,
    /// Mutants that could not run to the end of a test.
    pub doubted: BTreeSet<usize>,
    /// All tests, with those that a virtual machine outside has run; none if there is none.
    pub all: Option<Vec<TestResult>>,
    /// What that has found.
    pub outside: Option<OutsideTests>,
}

impl ClassRun {
    /// Rough number of instructions that mutants execute if each runs in all tests that reach it, to
    /// half their length.
    pub fn work(&self) -> u64 {
        let windows = self.windows.iter().map(|window| {
            let test = window.test.and_then(|number| self.tests.get(number));
            test.map_or(0, |test| test.steps / 2 * window.points.len() as u64)
        });
        windows.sum()
    }

    /// Points that each test visits, by the number of the test.
    pub fn visited(&self) -> impl Iterator<Item = (usize, &[u32])> {
        let windows = self.windows.iter();
        windows.filter_map(|window| Some((window.test?, &window.visited[..])))
    }
}

/// Machine with the code under test and the driver.
pub(super) struct Runner<'a> {
    pub vm: Vm,
    pub plan: CodePlan,
    /// Why the frameworks do not run here, if so.
    pub defect: Option<String>,
    machine: TestMachine,
    patches: Vec<Option<Patch>>,
    /// Mutants of which all later tests of the class were run.
    settled: BTreeSet<usize>,
    /// Probes of the driver's events.
    events: [u32; EVENTS.len()],
    run: MethodId,
    /// State in which every class begins.
    root: MarkId,
    /// Memory withheld for handlers of an `OutOfMemoryError`.
    reserve: u32,
    /// Number of instructions at which the current run is to end.
    budget_end: u64,
    request: &'a MeasureRequest,
    stops: &'a (dyn Fn() -> bool + Sync),
}

/// What is known while a class runs.
#[derive(Default)]
struct Progress {
    found: ClassRun,
    /// The running test, with the number of instructions at its start.
    test: Option<(String, u64)>,
    /// What the engine has refused in this test, or since the last one.
    refusal: Option<String>,
    refusals: u32,
    is_late: bool,
    /// Instructions that mutants have executed.
    aside: u64,
    /// Number of the current window.
    window: usize,
    /// Number of the next window in which mutants are judged.
    next: Option<usize>,
}

/// What the judging of mutants by a class needs.
#[derive(Clone, Copy)]
struct Judging<'a> {
    /// Run on the original code.
    original: &'a ClassRun,
    verdicts: &'a Verdicts,
    share: WorkShare,
}

impl<'a> Runner<'a> {
    /// Prepares a machine, which has the driver on its class path.
    ///
    /// # Errors
    /// A class is missing or cannot be used, or the driver cannot be started.
    pub fn new(
        mut vm: Vm,
        request: &'a MeasureRequest,
        stops: &'a (dyn Fn() -> bool + Sync),
    ) -> Result<Runner<'a>, Error> {
        let failure = |reason: String| Error::BadClass {
            class: "heapwright.measure.Driver".to_owned(),
            reason,
        };
        let missing = || failure("a method is missing".to_owned());
        let mut load = |name: &str| {
            let class = vm.load_class(name);
            class.map_err(|error| failure(format!("{error:?}")))
        };
        let (driver, events) = (
            load("heapwright/measure/Driver")?,
            load("heapwright/measure/Events")?,
        );
        let method = |vm: &Vm, class, name: &str, descriptor: &str| {
            vm.declared_method(class, name, descriptor)
                .ok_or_else(missing)
        };
        let mut probes = [0; EVENTS.len()];
        for (probe, (name, descriptor)) in probes.iter_mut().zip(EVENTS) {
            let event = method(&vm, events, name, descriptor)?;
            *probe = vm.probe(event, &[0]);
        }
        let run = method(&vm, driver, "run", "(Ljava/lang/String;)V")?;
        let prepare = method(&vm, driver, "prepare", "()V")?;
        let code = CodeSelection {
            classes: &request.classes,
            methods: &request.methods,
            mutants: request.mutants,
        };
        let plan = CodePlan::new(&mut vm, &code)?;
        vm.run_threads(true);
        let defect = match request.on {
            MeasuredOn::Jvm => None,
            _ => vm.call_static(prepare, &[]).err(),
        };
        if let Some(reason) = &defect
            && request.on == MeasuredOn::Engine
        {
            return Err(failure(reason.clone()));
        }
        let root = vm.mark();
        let reserve = vm.heap.withhold_beyond(u64::MAX);
        let points: Rc<[_]> = plan.points.clone().into();
        let first = match plan.points.is_empty() {
            true => u32::MAX,
            false => plan.first,
        };
        Ok(Runner {
            machine: TestMachine::new(first, points),
            defect,
            patches: vec![None; plan.mutants.len()],
            vm,
            plan,
            settled: BTreeSet::new(),
            events: probes,
            run,
            root,
            reserve,
            budget_end: u64::MAX,
            request,
            stops,
        })
    }

    /// Runs the tests of a class on the original code.
    pub fn observe(&mut self, class: &str) -> ClassRun {
        self.machine.mode = Mode::Observes;
        let mut found = self.run_class(class, None);
        found.facts = self.machine.take_facts();
        found
    }

    /// Judges by a share of the tests of a class a share of the mutants that they reach. `original` is
    /// their run on the original code.
    pub fn judge(
        &mut self,
        class: &str,
        original: &ClassRun,
        verdicts: &Verdicts,
        share: WorkShare,
    ) -> ClassRun {
        let judging = Judging {
            original,
            verdicts,
            share,
        };
        if self.next_window(judging, 0).is_none() {
            return ClassRun::default();
        }
        self.settled.clear();
        for (point, observed) in self.plan.points.iter().enumerate() {
            let mut numbers = observed.mutants.clone();
            self.machine.armed[point] =
                share.has(point) && numbers.any(|number| verdicts.is_open_in(share.turn, number));
        }
        self.run_class(class, Some(judging))
    }

    /// The first window from a number on in which open mutants are reached that are to be judged there.
    fn next_window(&self, judging: Judging<'_>, from: usize) -> Option<usize> {
        let original = judging.original;
        let judges = |window: &Window| match window.test {
            Some(number) => original.tests.get(number).is_some_and(|test| {
                test.outcome == TestOutcome::Passed && Speed::of(test.steps) == judging.share.speed
            }),
            None => judging.share.speed == Speed::Slow && !original.is_broken,
        };
        let is_open = |point: &u32| {
            let point = *point as usize;
            let mut mutants = self.plan.points[point].mutants.clone();
            let Judging {
                share, verdicts, ..
            } = judging;
            share.has(point) && mutants.any(|mutant| verdicts.is_open_in(share.turn, mutant))
        };
        let mut windows = original.windows.iter().enumerate().skip(from);
        let found = windows.find(|(_, window)| judges(window) && window.points.iter().any(is_open));
        found.map(|(number, _)| number)
    }

    /// Ends a window: notes what it visited on the original code.
    fn end_window(&mut self, progress: &mut Progress) {
        let visited = self.machine.begin_window();
        if self.machine.mode == Mode::Observes {
            let has_mutants = |point: &u32| !self.plan.points[*point as usize].mutants.is_empty();
            let points = visited.iter().copied().filter(has_mutants).collect();
            let number = progress.found.tests.len();
            let test = progress.test.is_some().then_some(number);
            progress.found.windows.push(Window {
                test,
                points,
                visited,
            });
        }
    }

    /// Enters the current window: mutants are judged there, or not.
    fn enter_window(&mut self, judging: Judging<'_>, progress: &mut Progress) {
        if progress.next.is_none_or(|next| next <= progress.window) {
            progress.next = self.next_window(judging, progress.window);
        }
        let is_next = progress.next == Some(progress.window);
        self.machine.mode = if is_next { Mode::Judges } else { Mode::Passes };
    }

    fn run_class(&mut self, class: &str, judging: Option<Judging<'_>>) -> ClassRun {
        let begun = self.vm.steps();
        let mut progress = Progress::default();
        self.machine.begin_window();
        if let Some(judging) = judging {
            self.enter_window(judging, &mut progress);
        }
        self.budget_end = begun + self.request.max_steps;
        let exit = match self.vm.new_string(class) {
            Ok(name) => self.vm.call(self.run, &[name.slot()]).err(),
            Err(fault) => Some(Exit::Unsupported(format!("{fault:?}"))),
        };
        match exit {
            None => self.follow(class, judging, &mut progress),
            Some(exit) => progress.found.lost = Some(self.vm.exit_text(&exit)),
        }
        self.end_window(&mut progress);
        if let (Some((name, from)), Some(reason)) = (&progress.test, &progress.found.lost) {
            let test = TestResult {
                class: class.to_owned(),
                name: name.clone(),
                outcome: TestOutcome::NotRun(reason.clone()),
                steps: self.vm.steps() - from,
            };
            progress.found.tests.push(test);
        }
        progress.found.steps = self.vm.steps() - begun - progress.aside;
        self.blame_library(&mut progress.found.tests);
        self.go_back(self.root);
        progress.found
    }

    /// Says of tests that fail with a library which needs a JVM that they need one.
    fn blame_library(&self, tests: &mut [TestResult]) {
        let failed = |test: &&mut TestResult| matches!(test.outcome, TestOutcome::Failed(_));
        let mut failing = tests.iter_mut().filter(failed).peekable();
        if failing.peek().is_none() {
            return;
        }
        let is_loaded = |prefix: &str| {
            let mut classes = self.vm.loaded_classes();
            classes.any(|class| self.vm.class_name(class).starts_with(prefix))
        };
        let Some((_, library)) = CHANGING.iter().find(|(prefix, _)| is_loaded(prefix)) else {
            return;
        };
        for test in failing {
            let why = "changes classes as they are loaded, which needs a JVM (--on auto)";
            test.outcome = TestOutcome::NotRun(format!("{library} {why}"));
        }
    }

    /// Goes back to a mark, and gives back what an `OutOfMemoryError` has taken.
    fn go_back(&mut self, mark: MarkId) {
        self.vm.undo_to(mark);
        self.vm.heap.withhold_again(self.reserve);
    }

    /// Runs on until the end of the class.
    fn follow(&mut self, class: &str, judging: Option<Judging<'_>>, progress: &mut Progress) {
        loop {
            match self.advance() {
                Stop::Event(event) => {
                    self.end_window(progress);
                    self.note(class, event, progress);
                    if let Some(judging) = judging {
                        progress.window += 1;
                        self.enter_window(judging, progress);
                        if progress.next.is_none() {
                            return;
                        }
                    }
                }
                Stop::Mutants(probe) => {
                    if let Some(judging) = judging {
                        let before = self.vm.steps();
                        let goes_on = self.judge_at(probe, judging, progress);
                        let aside = self.vm.steps() - before;
                        progress.aside += aside;
                        self.budget_end += aside;
                        if let Some((_, from)) = &mut progress.test {
                            *from += aside;
                        }
                        if !goes_on {
                            progress.found.is_interrupted = true;
                            return;
                        }
                    }
                }
                Stop::Interrupted => {
                    progress.found.is_interrupted = true;
                    return;
                }
                Stop::End(Exit::Done(_)) => return,
                Stop::End(exit) => {
                    if let Err(reason) = self.refuse(exit, progress) {
                        progress.found.lost = Some(reason);
                        return;
                    }
                }
            }
        }
    }

    /// Runs on until something is to be done.
    fn advance(&mut self) -> Stop {
        loop {
            if (self.stops)() {
                return Stop::Interrupted;
            }
            let left = self.budget_end.saturating_sub(self.vm.steps());
            self.vm.limit_steps(left.min(SLICE));
            match self.vm.run(&mut self.machine) {
                Exit::Pruned => {
                    let Some(probe) = self.machine.take_stop() else {
                        return Stop::End(Exit::Pruned);
                    };
                    return match self.machine.point(probe) {
                        Some(_) => Stop::Mutants(probe),
                        None => Stop::Event(self.event(probe)),
                    };
                }
                Exit::Limit(Limit::Steps) if self.vm.steps() < self.budget_end => {}
                exit => return Stop::End(exit),
            }
        }
    }

    /// Reads the event whose method is about to run.
    fn event(&self, probe: u32) -> Event {
        let base = self.vm.frames().last().map_or(0, |frame| frame.base);
        let slot = |index: u32| self.vm.slot_at(SlotLocation::Register(base + index));
        let text = |index: u32| match Ref::from_slot(slot(index)) {
            object if object.is_null() => String::new(),
            object => self.vm.string_text(object),
        };
        match self.events.iter().position(|&event| event == probe) {
            Some(0) => Event::Started(text(0)),
            Some(1) => Event::Finished(slot(0), text(1)),
            Some(2) => Event::Skipped(text(0), text(1)),
            _ => Event::Broken(text(0), text(1)),
        }
    }

    /// Throws an exception in place of what the engine refuses, so that the other tests can run.
    ///
    /// # Errors
    /// The run cannot go on; the text says why.
    fn refuse(&mut self, exit: Exit, progress: &mut Progress) -> Result<(), String> {
        let mut exit = exit;
        loop {
            let mut text = self.vm.exit_text(&exit);
            let (class, is_end) = match &exit {
                Exit::Unsupported(_) | Exit::InvalidClass(_) => {
                    ("java/lang/UnsupportedOperationException", false)
                }
                Exit::Limit(Limit::Steps) => ("java/lang/InternalError", true),
                Exit::Exited(status) => return Err(format!("it exits with status {status}")),
                _ => return Err(text),
            };
            progress.refusals += 1;
            if is_end && progress.is_late || progress.refusals > MOST_REFUSALS {
                return Err(text);
            }
            if is_end {
                progress.is_late = true;
                self.budget_end += STEPS_TO_END;
                text = format!(
                    "it does not end within {} instructions (--max-steps)",
                    self.request.max_steps
                );
            }
            let thrown = self.vm.throw_instead(class, &text);
            progress.refusal.get_or_insert(text);
            match thrown {
                None => return Ok(()),
                Some(next) => exit = next,
            }
        }
    }

    /// Notes what a framework reports.
    fn note(&mut self, class: &str, event: Event, progress: &mut Progress) {
        let steps = self.vm.steps();
        self.budget_end = steps + self.request.max_steps;
        let add = |found: &mut ClassRun, name: String, outcome: TestOutcome, steps: u64| {
            let class = class.to_owned();
            found.tests.push(TestResult {
                class,
                name,
                outcome,
                steps,
            });
        };
        let found = &mut progress.found;
        match event {
            Event::Started(name) => {
                progress.test = Some((name, steps));
                (progress.refusal, progress.refusals) = (None, 0);
            }
            Event::Finished(how, reason) => {
                let outcome = match (progress.refusal.take(), how) {
                    (Some(refusal), _) => TestOutcome::NotRun(refusal),
                    (None, PASSED) => TestOutcome::Passed,
                    (None, FAILED) => TestOutcome::Failed(reason),
                    (None, _) => TestOutcome::Skipped(reason),
                };
                let (name, from) = progress.test.take().unwrap_or_default();
                add(found, name, outcome, steps - from);
            }
            Event::Skipped(name, reason) => add(found, name, TestOutcome::Skipped(reason), 0),
            Event::Broken(name, reason) => {
                found.is_broken = true;
                let outcome = match progress.refusal.take() {
                    Some(refusal) => TestOutcome::NotRun(refusal),
                    None => TestOutcome::Failed(reason),
                };
                add(found, name, outcome, 0);
            }
        }
        progress.is_late = false;
    }

    /// Judges the open mutants of the instruction at which the run stands. Returns false if
    /// everything is to stop.
    fn judge_at(&mut self, probe: u32, judging: Judging<'_>, progress: &mut Progress) -> bool {
        let Judging {
            original,
            verdicts,
            share: WorkShare { turn, .. },
        } = judging;
        let Some(point) = self.machine.point(probe) else {
            return true;
        };
        let number = progress.found.tests.len();
        let steps = match &progress.test {
            Some(_) => match original.tests.get(number) {
                Some(test) if test.outcome == TestOutcome::Passed => test.steps,
                // Nothing can be told by a test that does not pass.
                _ => return true,
            },
            None if original.is_broken => return true,
            None => original.steps,
        };
        let mutants = self.plan.points[point].mutants.clone();
        for mutant in mutants.clone() {
            if !verdicts.is_open_in(turn, mutant) || self.settled.contains(&mutant) {
                continue;
            }
            let Some(mut patch) = self.patch(mutant) else {
                continue;
            };
            let usual = self.budget_end;
            self.budget_end = self.vm.steps() + steps * STEPS_PER_STEP + MORE_STEPS;
            let mark = self.vm.mark();
            self.vm.exchange(&mut patch);
            self.machine.mode = Mode::Passes;
            self.machine.pass(probe);
            let verdict = self.run_mutant(original, number, progress.test.is_some());
            self.vm.exchange(&mut patch);
            self.patches[mutant] = Some(patch);
            self.go_back(mark);
            self.vm.forget(mark);
            self.machine.mode = Mode::Judges;
            self.budget_end = usual;
            if !matches!(verdict, Verdict::Interrupted) {
                verdicts.try_on(mutant);
            }
            match verdict {
                Verdict::Killed => {
                    let test = progress
                        .test
                        .is_some()
                        .then_some(original.first_test + number);
                    verdicts.kill(mutant, turn, test);
                }
                Verdict::Alive => {}
                Verdict::Unknown => {
                    progress.found.doubted.insert(mutant);
                }
                Verdict::Interrupted => return false,
            }
            if progress.test.is_none() {
                self.settled.insert(mutant);
            }
        }
        let mut open = mutants.filter(|mutant| !self.settled.contains(mutant));
        self.machine.armed[point] = open.any(|mutant| verdicts.is_open_in(turn, mutant));
        self.machine.pass(probe);
        true
    }

    /// Prepared change of a mutant, which is put back after its use. `None` if nothing is changed.
    fn patch(&mut self, mutant: usize) -> Option<Patch> {
        if let Some(patch) = self.patches[mutant].take() {
            return Some(patch);
        }
        let planned = self.plan.mutants[mutant].clone();
        planned.patch(&mut self.vm).ok().flatten()
    }

    /// Runs a mutant to the end of the test, or of the class where no test is running. `number` is
    /// that of the current or next test.
    fn run_mutant(&mut self, original: &ClassRun, number: usize, is_in_test: bool) -> Verdict {
        let mut number = number;
        loop {
            match self.advance() {
                Stop::Event(Event::Finished(how, _)) => {
                    let before = original.tests.get(number).map(|test| &test.outcome);
                    if how == FAILED && before == Some(&TestOutcome::Passed) {
                        return Verdict::Killed;
                    }
                    if is_in_test {
                        return Verdict::Alive;
                    }
                    number += 1;
                }
                Stop::Event(Event::Broken(..)) => return Verdict::Killed,
                Stop::Event(Event::Skipped(..)) => number += 1,
                Stop::Event(Event::Started(_)) | Stop::Mutants(_) => {}
                Stop::End(Exit::Done(_)) if !is_in_test => return Verdict::Alive,
                Stop::End(Exit::Unsupported(_) | Exit::InvalidClass(_)) => return Verdict::Unknown,
                // A test that does not end without the mutant either tells nothing of it.
                Stop::End(_) if { original.tests.get(number) }.is_some_and(is_not_run) => {
                    return Verdict::Unknown;
                }
                Stop::End(_) => return Verdict::Killed,
                Stop::Interrupted => return Verdict::Interrupted,
            }
        }
    }
}

fn is_not_run(test: &TestResult) -> bool {
    matches!(test.outcome, TestOutcome::NotRun(_))
}

/// What a run of a mutant tells.
enum Verdict {
    Killed,
    Alive,
    Unknown,
    Interrupted,
}
