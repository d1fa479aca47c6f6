//! Measurement on a virtual machine outside of the engine, of the tests that the engine cannot run, or
//! of all.
//!
//! The code under test gets its probes and mutants as class files. **Invariant:** the points are those
//! of the [`CodePlan`], and the mutants the same changes, so that both halves make one result. A
//! test class runs as a whole and in its order; a mutant is there only in the windows that come to it.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use heapwright_jvm::Vm;
use heapwright_jvm::listing::ListedOperation;
use heapwright_jvm::rewriting::{ClassProbe, JumpProbe};

use super::runner::ClassRun;
use super::verdicts::Verdicts;
use super::{TestOutcome, TestResult};
use crate::coverage::{CodePlan, Fact, Jump};

/// Class whose static methods probes call, see [`Vm::probed_class_file`].
const HOOKS: &str = "heapwright/agent/Probes";
/// Time without an event in which a mutant may run, and for each second that the longest test of the
/// class takes on the original code. Beyond it does not end.
const TIME: Duration = Duration::from_secs(4);
const TIME_PER_TIME: u32 = 10;

/// Virtual machine outside of the engine, which runs whole test classes.
pub trait OutsideJvm {
    /// Runs the tests of a class on the code with probes.
    ///
    /// # Errors
    /// There is no virtual machine, or no time.
    fn observe(&mut self, code: &OutsideCode, class: &str) -> Result<OutsideRun, OutsideError>;

    /// Runs the tests of a class, with a mutant in some of their windows.
    ///
    /// # Errors
    /// There is no virtual machine, or no time.
    fn judge(
        &mut self,
        code: &OutsideCode,
        class: &str,
        judged: &OutsideJudging<'_>,
    ) -> Result<OutsideRun, OutsideError>;
}

/// Reason for which nothing runs outside.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OutsideError {
    /// Everything is to stop.
    Stopped,
    /// There is no virtual machine, for this reason.
    NoJvm(String),
}

/// Classes under test for a virtual machine outside.
#[derive(Clone, Debug, Default)]
pub struct OutsideCode {
    /// The classes with code.
    pub classes: Vec<OutsideClassFile>,
    /// Number of slots that their probes set.
    pub slots: u32,
    /// For each switch its keys in ascending order, with the number of the slot behind the first one.
    pub tables: Vec<Vec<(i32, u32)>>,
}

/// Class under test.
#[derive(Clone, Debug)]
pub struct OutsideClassFile {
    /// Internal name.
    pub name: String,
    /// Its file.
    pub original: Vec<u8>,
    /// The same with probes.
    pub probed: Vec<u8>,
}

/// Mutant that is judged.
#[derive(Clone, Copy, Debug)]
pub struct OutsideJudging<'a> {
    /// The internal name of its class, and the file; none runs the original code.
    pub mutant: Option<(&'a str, &'a [u8])>,
    /// Windows in which it is there, as ranges whose ends belong to them.
    pub windows: &'a [(usize, usize)],
    /// Time without an event after which a test does not end.
    pub silence: Duration,
    /// Whether a new virtual machine is to run it.
    pub is_fresh: bool,
}

/// Event of a framework.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OutsideEvent {
    /// A test begins.
    Started(String),
    /// The test that began last ends; it fails, or is skipped, for a reason.
    Finished(OutsideOutcome),
    /// A test or a group of tests is not run, for a reason.
    Skipped(String, String),
    /// A group of tests fails as a whole, for a reason.
    Broken(String, String),
}

/// End of a test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OutsideOutcome {
    /// It passes.
    Passed,
    /// It fails with this exception.
    Failed(String),
    /// It is skipped, for this reason.
    Skipped(String),
}

/// How a run of a class ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OutsideEnd {
    /// All tests were run.
    #[default]
    Done,
    /// The virtual machine has ended.
    JvmEnded,
    /// No event came in time.
    Endless,
}

/// Time up to an event, or up to the end.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OutsideWindow {
    /// Slots that were set, in ascending order.
    pub slots: Vec<u32>,
    /// How long it took.
    pub time: Duration,
}

/// Run of a class.
#[derive(Clone, Debug, Default)]
pub struct OutsideRun {
    /// The events, in order.
    pub events: Vec<OutsideEvent>,
    /// The window before each event, and the one behind the last.
    pub windows: Vec<OutsideWindow>,
    /// How it ended.
    pub end: OutsideEnd,
    /// Why the mutant was not run, if so.
    pub refused: Option<String>,
    /// Classes under test, by their internal names, of which another version was loaded.
    pub foreign: Vec<String>,
}

/// Slots of the probes.
struct Slots {
    /// First slot of each point: that of coming there; then that of falling in, and those of the ways
    /// behind it.
    firsts: Vec<u32>,
}

impl Slots {
    /// Notes in facts that a slot is set; returns the point if it says that control comes there.
    fn note(&self, slot: u32, facts: &mut [Fact]) -> Option<u32> {
        let point = self.firsts.partition_point(|&first| first <= slot) - 1;
        let fact = facts.get_mut(point)?;
        match slot - self.firsts[point] {
            0 => {
                fact.reach(None);
                Some(point as u32)
            }
            1 => {
                fact.reach((point as u32).checked_sub(1));
                None
            }
            way => {
                fact.go(way as usize - 2);
                None
            }
        }
    }
}

/// Tests of a class on the virtual machine outside.
#[derive(Clone, Debug, Default)]
pub(super) struct OutsideTests {
    /// The tests, in the order in which they end.
    pub tests: Vec<TestResult>,
    /// Number of each among all tests of the class, if it counts with what it does here.
    pub numbers: Vec<Option<usize>>,
    /// Number of each among all tests of the class, whether it counts or not.
    pub places: Vec<Option<usize>>,
    /// The test of each window, and the points that are visited in it.
    windows: Vec<(Option<usize>, BTreeSet<u32>)>,
    is_broken: bool,
    longest: Duration,
    time: Duration,
    pub end: OutsideEnd,
}

/// Measurement outside.
pub(super) struct Outside<'a> {
    jvm: &'a mut dyn OutsideJvm,
    code: OutsideCode,
    slots: Slots,
    /// Why nothing runs outside, once that is known.
    pub missing: Option<OutsideError>,
    /// Classes that cannot be observed, with the reasons.
    pub gaps: Vec<(String, String)>,
    /// Whether mutants have run on the current virtual machine, which may then not be as it was.
    is_used: bool,
}

impl<'a> Outside<'a> {
    /// Prepares the code of a plan.
    pub fn new(jvm: &'a mut dyn OutsideJvm, vm: &Vm, plan: &CodePlan) -> Outside<'a> {
        let mut code = OutsideCode::default();
        let mut firsts = Vec::new();
        let mut gaps = Vec::new();
        for (class, methods) in plan.probed() {
            let mut probes = Vec::new();
            for method in methods {
                for (at, &place) in method.places.iter().enumerate() {
                    let point = method.first + at;
                    let first = code.slots;
                    firsts.push(first);
                    code.slots += 2;
                    let jump = match &plan.points[point].jump {
                        None => None,
                        Some(Jump::Branch(_)) => {
                            code.slots += 2;
                            Some(JumpProbe::Branch(first + 2))
                        }
                        Some(Jump::Switch(keys)) => {
                            let table = code.tables.len() as u32;
                            let keys = keys.iter().map(|(&key, &to)| (key, to as u32));
                            let keys: Vec<(i32, u32)> = keys.collect();
                            code.slots += 1 + keys.iter().map(|key| key.1).max().unwrap_or(0);
                            code.tables.push(keys);
                            Some(JumpProbe::Switch(first + 2, table))
                        }
                    };
                    let before = place.checked_sub(1).filter(|_| at > 0);
                    let before = before.map(|before| &method.listing.instructions[before].step);
                    let falls = before.is_some_and(|step| {
                        step.falls_through() && !matches!(step, ListedOperation::Branch(..))
                    });
                    probes.push(ClassProbe {
                        method: method.method,
                        at: method.listing.instructions[place].at,
                        reached: first,
                        fell: falls.then_some(first + 1),
                        jump,
                    });
                }
            }
            let Some(file) = vm.class(class).file.as_ref().filter(|_| !probes.is_empty()) else {
                continue;
            };
            let probed = vm.probed_class_file(class, &probes, HOOKS);
            let probed = probed.unwrap_or_else(|reason| {
                gaps.push((vm.binary_name(class), reason));
                file.bytes.clone()
            });
            code.classes.push(OutsideClassFile {
                name: vm.class_name(class).to_owned(),
                original: file.bytes.clone(),
                probed,
            });
        }
        Outside {
            jvm,
            code,
            slots: Slots { firsts },
            missing: None,
            gaps,
            is_used: false,
        }
    }

    /// Runs the tests of a class on the original code. `run` is what the engine has found of it. What is
    /// observed here is added to the facts; without these it only tells whether tests fail here, too.
    pub fn observe(&mut self, class: &str, run: &mut ClassRun, facts: Option<&mut Vec<Fact>>) {
        if self.missing.is_some() {
            return;
        }
        let found = match self.jvm.observe(&self.code, class) {
            Ok(found) => found,
            Err(error) => {
                self.missing = Some(error);
                return;
            }
        };
        for name in &found.foreign {
            let gap = (
                name.replace('/', "."),
                "tests load another version of it".to_owned(),
            );
            if !self.gaps.contains(&gap) {
                self.gaps.push(gap);
            }
        }
        let counts = facts.is_some();
        let mut unused = Vec::new();
        let facts = facts.unwrap_or(&mut unused);
        let mut outside = OutsideTests {
            end: found.end,
            ..OutsideTests::default()
        };
        let mut running = None;
        let mut events = found.events.into_iter();
        for window in found.windows {
            outside.time += window.time;
            let slots = window.slots.into_iter();
            let points = slots
                .filter_map(|slot| self.slots.note(slot, facts))
                .collect();
            let event = events.next();
            let is_test = running.is_some();
            if is_test {
                outside.longest = outside.longest.max(window.time);
            }
            outside
                .windows
                .push((is_test.then_some(outside.tests.len()), points));
            let (name, outcome) = match event {
                Some(OutsideEvent::Started(name)) => {
                    running = Some(name);
                    continue;
                }
                Some(OutsideEvent::Finished(outcome)) => {
                    let outcome = match outcome {
                        OutsideOutcome::Passed => TestOutcome::Passed,
                        OutsideOutcome::Failed(reason) => TestOutcome::Failed(reason),
                        OutsideOutcome::Skipped(reason) => TestOutcome::Skipped(reason),
                    };
                    (running.take().unwrap_or_default(), outcome)
                }
                Some(OutsideEvent::Skipped(name, reason)) => (name, TestOutcome::Skipped(reason)),
                Some(OutsideEvent::Broken(name, reason)) => {
                    outside.is_broken = true;
                    (name, TestOutcome::Failed(reason))
                }
                None => match (running.take(), found.end) {
                    (None, _) | (_, OutsideEnd::Done) => continue,
                    (Some(name), OutsideEnd::JvmEnded) => {
                        (name, TestOutcome::Failed("it ends the JVM".to_owned()))
                    }
                    (Some(name), OutsideEnd::Endless) => {
                        let reason = "it does not end on a JVM in time (--jvm-timeout)";
                        (name, TestOutcome::NotRun(reason.to_owned()))
                    }
                },
            };
            outside.tests.push(TestResult {
                class: class.to_owned(),
                name,
                outcome,
                steps: 0,
            });
        }
        run.adopt(outside, counts);
    }

    /// Judges the mutants that are still open by the tests of a class, and those that the engine could
    /// not judge by this class (`doubted`) by all of them. `turn` is the place of the class in the order
    /// of judging. Returns false if everything is to stop.
    pub fn judge(
        &mut self,
        (vm, plan): (&Vm, &CodePlan),
        (class, run): (&str, &ClassRun),
        (verdicts, turn): (&Verdicts, u32),
        doubted: &mut BTreeSet<usize>,
    ) -> bool {
        let Some(outside) = &run.outside else {
            return true;
        };
        let silence = TIME + outside.longest * TIME_PER_TIME;
        for (number, windows) in outside.windows_by_mutant(plan, doubted) {
            if !verdicts.is_open_in(turn, number) {
                continue;
            }
            let mutant = &plan.mutants[number];
            let file = vm.patched_class_file(mutant.method, mutant.at, mutant.change);
            let Ok(Some(file)) = file else {
                verdicts.doubt(number);
                continue;
            };
            let name = vm.class_name(vm.method(mutant.method).class);
            let judging = OutsideJudging {
                mutant: Some((name, &file)),
                windows: &windows,
                silence,
                is_fresh: false,
            };
            let mut judge =
                |judging: &OutsideJudging<'_>| self.jvm.judge(&self.code, class, judging);
            let verdict = judge(&judging).and_then(|found| {
                let verdict = outside.verdict(&found, &windows);
                let is_doubtful = matches!(verdict, OutsideVerdict::Killed(_)) && self.is_used;
                self.is_used = found.end == OutsideEnd::Done;
                if !is_doubtful {
                    return Ok(verdict);
                }
                if self.is_used {
                    let original = OutsideJudging {
                        mutant: None,
                        windows: &[],
                        ..judging
                    };
                    if outside.holds(&judge(&original)?) {
                        return Ok(verdict);
                    }
                }
                let fresh = OutsideJudging {
                    is_fresh: true,
                    ..judging
                };
                let found = judge(&fresh)?;
                self.is_used = found.end == OutsideEnd::Done;
                Ok(outside.verdict(&found, &windows))
            });
            match verdict {
                Ok(OutsideVerdict::Killed(test)) => {
                    let test = test.map(|test| run.first_test + test);
                    verdicts.try_on(number);
                    verdicts.kill(number, turn, test);
                }
                Ok(OutsideVerdict::Alive) => {
                    verdicts.try_on(number);
                    doubted.remove(&number);
                }
                Ok(OutsideVerdict::Unknown) => verdicts.doubt(number),
                Err(OutsideError::Stopped) => return false,
                Err(error) => {
                    verdicts.doubt(number);
                    self.missing = Some(error);
                    return true;
                }
            }
        }
        true
    }
}

/// What a run of a mutant tells.
enum OutsideVerdict {
    /// A test fails on it, by its number in the class, or what is between tests.
    Killed(Option<usize>),
    Alive,
    Unknown,
}

impl OutsideTests {
    /// Tests that count with what they do here, with their numbers among all tests of the class and the
    /// points that they visit.
    pub fn visited(&self) -> impl Iterator<Item = (usize, &BTreeSet<u32>)> {
        let windows = self.windows.iter();
        windows.filter_map(|(test, points)| Some((self.number((*test)?)?, points)))
    }

    /// Number of a test among all tests of the class, if it counts with what it does here.
    fn number(&self, test: usize) -> Option<usize> {
        self.numbers.get(test).copied().flatten()
    }

    fn passes(&self, test: usize) -> bool {
        let test = self.tests.get(test);
        test.is_some_and(|test| test.outcome == TestOutcome::Passed)
    }

    /// Number of a test among all tests of the class.
    fn place(&self, test: usize) -> Option<usize> {
        self.places.get(test).copied().flatten()
    }

    /// How long they took.
    pub fn time(&self) -> Duration {
        self.time
    }

    /// Windows that come to each mutant and can judge it, as ranges. Behind one between tests all do.
    /// Tests that do not count here judge what the engine doubts.
    fn windows_by_mutant(
        &self,
        plan: &CodePlan,
        doubted: &BTreeSet<usize>,
    ) -> BTreeMap<usize, Vec<(usize, usize)>> {
        let mut found: BTreeMap<usize, Vec<(usize, usize)>> = BTreeMap::new();
        let last = self.windows.len().saturating_sub(1);
        for (number, (test, points)) in self.windows.iter().enumerate() {
            let (can_judge, counts) = match test {
                Some(test) => (self.passes(*test), self.number(*test).is_some()),
                None => (!self.is_broken, true),
            };
            if !can_judge {
                continue;
            }
            let points = points.iter().map(|&point| &plan.points[point as usize]);
            for mutant in points.flat_map(|point| point.mutants.clone()) {
                if !counts && !doubted.contains(&mutant) {
                    continue;
                }
                let windows = found.entry(mutant).or_default();
                if windows.last().is_none_or(|before| before.1 < number) {
                    windows.push((number, if test.is_none() { last } else { number }));
                }
            }
        }
        found
    }

    fn verdict(&self, found: &OutsideRun, asked: &[(usize, usize)]) -> OutsideVerdict {
        if found.refused.is_some() {
            return OutsideVerdict::Unknown;
        }
        let is_asked = |window: usize| {
            asked
                .iter()
                .any(|&(from, to)| (from..=to).contains(&window))
        };
        let test_of = |window: usize| self.windows.get(window).and_then(|window| window.0);
        for (window, event) in found.events.iter().enumerate() {
            match event {
                OutsideEvent::Finished(OutsideOutcome::Failed(_)) if is_asked(window) => {
                    if let Some(test) = test_of(window).filter(|&test| self.passes(test)) {
                        return OutsideVerdict::Killed(self.place(test));
                    }
                }
                OutsideEvent::Broken(..) if is_asked(window) => {
                    return OutsideVerdict::Killed(None);
                }
                _ => {}
            }
        }
        let last = found.events.len();
        match found.end {
            OutsideEnd::Done => OutsideVerdict::Alive,
            _ if is_asked(last) => {
                OutsideVerdict::Killed(test_of(last).and_then(|test| self.place(test)))
            }
            _ => OutsideVerdict::Unknown,
        }
    }

    /// Whether another run on the original code is like the first one.
    fn holds(&self, again: &OutsideRun) -> bool {
        let failures = |outcome: &TestOutcome| matches!(outcome, TestOutcome::Failed(_));
        let first = self
            .tests
            .iter()
            .filter(|test| failures(&test.outcome))
            .count();
        let failing = again.events.iter().filter(|event| {
            matches!(
                event,
                OutsideEvent::Finished(OutsideOutcome::Failed(_)) | OutsideEvent::Broken(..)
            )
        });
        again.end == self.end && failing.count() <= first
    }
}
