//! Tests of a class, as a virtual machine outside has run them.
//!
//! A run has windows: the running of a test, or the time between two. **Invariant:** a mutant is there only in
//! the windows that come to it, or while a unit runs alone that does.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use super::{OutsideEnd, OutsideEvent, OutsideOutcome, OutsideRun, OutsideUnit};
use crate::measure::{TestOutcome, TestResult};

/// Tests of a class on the virtual machine outside.
#[derive(Clone, Debug, Default)]
pub(in crate::measure) struct OutsideTests {
    /// The tests, in the order in which they end.
    pub tests: Vec<TestResult>,
    /// Number of those that fail when the class runs.
    failures: usize,
    /// Number of each among all tests of the class, if it counts with what it does here.
    pub numbers: Vec<Option<usize>>,
    /// Number of each among all tests of the class, whether it counts or not.
    pub places: Vec<Option<usize>>,
    /// Unit of each test.
    units: Vec<Option<OutsideUnit>>,
    /// The test of each window, and the points that are visited in it.
    windows: Vec<(Option<usize>, BTreeSet<u32>)>,
    is_broken: bool,
    longest: Duration,
    time: Duration,
    pub end: OutsideEnd,
    /// Units with tests that end the virtual machine, or do not end. The class runs without them.
    pub without: Vec<String>,
    /// The tests of these, and the points that they visit.
    cut: Vec<TestResult>,
    unjudged: BTreeSet<u32>,
    /// How the others ended when they ran first.
    before: BTreeMap<String, TestOutcome>,
    /// Units that can run alone.
    alone: Vec<Unit>,
}

/// Unit that does the same alone as in its class.
#[derive(Clone, Debug)]
pub(in crate::measure) struct Unit {
    pub name: String,
    /// Its tests, by their numbers in the class.
    tests: Vec<usize>,
    /// Points that are visited from its begin to its end, with what runs before and behind it.
    pub points: BTreeSet<u32>,
    pub time: Duration,
}

/// What a run of a mutant tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::measure) enum OutsideVerdict {
    /// A test fails on it, by its number among all tests of the class, or what is between tests.
    Killed(Option<usize>),
    Alive,
    Unknown,
}

/// How the tests of a class can judge a mutant.
#[derive(Debug, Default)]
pub(in crate::measure) struct Judges<'a> {
    /// Units that come to it.
    pub alone: Vec<&'a Unit>,
    /// Windows of the class that come to it, as ranges. Behind one between tests all do.
    pub windows: Vec<(usize, usize)>,
    /// Whether the units do not do all that the windows do.
    pub needs_class: bool,
    /// Whether tests come to it that cannot judge.
    pub has_unjudged: bool,
}

impl OutsideTests {
    /// Takes a run of the class over. Returns whether it is to run once more, without a unit whose test has ended the virtual
    /// machine or does not end.
    pub fn take(
        &mut self,
        class: &str,
        found: OutsideRun,
        may_go_on: bool,
        visited: &dyn Fn(u32) -> Option<u32>,
    ) -> bool {
        self.tests.clear();
        self.units.clear();
        self.windows.clear();
        self.is_broken = false;
        self.end = found.end;
        (self.longest, self.time) = (Duration::ZERO, Duration::ZERO);
        let mut running = None;
        let mut events = found.events.into_iter();
        for window in found.windows {
            self.time += window.time;
            let points = window.slots.into_iter().filter_map(visited).collect();
            let event = events.next();
            let test = running.is_some().then_some(self.tests.len());
            if !self.windows.is_empty() {
                self.longest = self.longest.max(window.time);
            }
            self.windows.push((test, points));
            let ((name, unit), outcome) = match event {
                Some(OutsideEvent::Started(name, unit)) => {
                    running = Some((name, unit));
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
                Some(OutsideEvent::Skipped(name, reason)) => {
                    ((name, None), TestOutcome::Skipped(reason))
                }
                Some(OutsideEvent::Broken(name, reason)) => {
                    self.is_broken = true;
                    ((name, None), TestOutcome::Failed(reason))
                }
                None => match (running.take(), found.end) {
                    (None, _) | (_, OutsideEnd::Done) => continue,
                    (Some(test), OutsideEnd::JvmEnded) => {
                        (test, TestOutcome::Failed("it ends the JVM".to_owned()))
                    }
                    (Some(test), OutsideEnd::Endless) => {
                        let reason = "it does not end on a JVM in time (--jvm-timeout)";
                        (test, TestOutcome::NotRun(reason.to_owned()))
                    }
                },
            };
            self.units.push(unit);
            self.tests.push(TestResult {
                class: class.to_owned(),
                name,
                outcome,
                steps: 0,
            });
        }
        let last = self.units.last().cloned().flatten();
        match last.filter(|unit| !self.without.contains(&unit.name)) {
            Some(unit) if self.end != OutsideEnd::Done && may_go_on => {
                self.cut(unit.name);
                true
            }
            _ => false,
        }
    }

    /// Leaves out a unit in the next run.
    fn cut(&mut self, unit: String) {
        let is_of = |of: &Option<OutsideUnit>| of.as_ref().is_some_and(|of| of.name == unit);
        for (test, points) in &self.windows {
            if test.is_some_and(|test| is_of(&self.units[test])) {
                self.unjudged.extend(points);
            }
        }
        for (test, of) in self.tests.drain(..).zip(&self.units) {
            match is_of(of) {
                true => self.cut.push(test),
                false => {
                    self.before.entry(test.name).or_insert(test.outcome);
                }
            }
        }
        self.without.push(unit);
    }

    /// Adds the tests of the units that are left out. A test that fails without them does not fail for that reason.
    pub fn finish(&mut self) {
        for test in &mut self.tests {
            let TestOutcome::Failed(reason) = &test.outcome else {
                continue;
            };
            self.failures += 1;
            if !self.without.is_empty() {
                test.outcome = self.before.remove(&test.name).unwrap_or_else(|| {
                    let why =
                        "where it ran without a test before it that ends the JVM, or does not end";
                    TestOutcome::NotRun(format!("{reason}, {why}"))
                });
            }
        }
        self.tests.append(&mut self.cut);
        self.units.resize(self.tests.len(), None);
    }

    /// Units with tests that come to points at which mutants are to be judged, with their tests.
    pub fn units_to_run(&self, is_wanted: &dyn Fn(u32, bool) -> bool) -> Vec<(String, Vec<usize>)> {
        let mut members: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for (test, unit) in self.units.iter().enumerate() {
            if let Some(unit) = unit.as_ref().filter(|unit| unit.runs_alone) {
                members.entry(&unit.name).or_default().push(test);
            }
        }
        let mut is_any = false;
        let mut reached: BTreeSet<usize> = BTreeSet::new();
        for (test, points) in &self.windows {
            let counts = test.is_none_or(|test| self.number(test).is_some());
            if points.iter().any(|&point| is_wanted(point, counts)) {
                is_any |= test.is_none();
                reached.extend(test);
            }
        }
        let runs = |test: &usize| {
            matches!(
                self.tests[*test].outcome,
                TestOutcome::Passed | TestOutcome::Skipped(_)
            )
        };
        let wanted = members.into_iter().filter(|(_, tests)| {
            tests.iter().all(runs)
                && tests.iter().any(|&test| self.passes(test))
                && (is_any || tests.iter().any(|test| reached.contains(test)))
        });
        let mut wanted: Vec<(String, Vec<usize>)> = wanted
            .map(|(unit, tests)| (unit.to_owned(), tests))
            .collect();
        wanted.sort_by_key(|(_, tests)| tests[0]);
        wanted
    }

    /// Notes what a unit does alone, if its tests end as they do in the class.
    pub fn add_alone(
        &mut self,
        name: String,
        tests: Vec<usize>,
        found: &OutsideRun,
        (points, time): (BTreeSet<u32>, Duration),
    ) {
        let unit = Unit {
            name,
            tests,
            points,
            time,
        };
        if self.holds_alone(&unit, found) {
            self.alone.push(unit);
        }
    }

    /// Whether the tests of a unit, on the original code, end as they do in the class.
    pub fn holds_alone(&self, unit: &Unit, found: &OutsideRun) -> bool {
        let mut tests = unit.tests.iter().map(|&test| &self.tests[test]);
        let mut running = None;
        for event in &found.events {
            match event {
                OutsideEvent::Started(name, _) => running = Some(name),
                OutsideEvent::Finished(outcome) => {
                    let is_same = tests.next().is_some_and(|test| {
                        running == Some(&test.name)
                            && match outcome {
                                OutsideOutcome::Passed => test.outcome == TestOutcome::Passed,
                                OutsideOutcome::Failed(_) => false,
                                OutsideOutcome::Skipped(_) => {
                                    matches!(test.outcome, TestOutcome::Skipped(_))
                                }
                            }
                    });
                    if !is_same {
                        return false;
                    }
                }
                OutsideEvent::Skipped(..) => {}
                OutsideEvent::Broken(..) => return false,
            }
        }
        found.end == OutsideEnd::Done && tests.next().is_none()
    }

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

    /// How long the longest test took, or the longest time between two; the frameworks start before the first.
    pub fn longest(&self) -> Duration {
        self.longest
    }

    /// The windows that come to each point and can judge.
    pub fn windows_by_point(&self) -> BTreeMap<u32, Vec<usize>> {
        let mut found: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
        for (number, (test, points)) in self.windows.iter().enumerate() {
            if test.map_or(!self.is_broken, |test| self.passes(test)) {
                for &point in points {
                    found.entry(point).or_default().push(number);
                }
            }
        }
        found
    }

    /// Whether tests that cannot judge come to a point.
    pub fn leaves_out(&self, point: u32) -> bool {
        self.unjudged.contains(&point)
    }

    /// How the tests can judge a mutant of a point, to which these windows come. Tests that do not count here
    /// judge what the engine doubts.
    pub fn judges(&self, point: u32, windows: &[usize], is_doubted: bool) -> Judges<'_> {
        let can_judge = |&window: &usize| {
            let test = self.windows[window].0;
            is_doubted || test.is_none_or(|test| self.number(test).is_some())
        };
        let windows: Vec<usize> = windows.iter().copied().filter(can_judge).collect();
        let mut judges = Judges {
            has_unjudged: self.leaves_out(point),
            ..Judges::default()
        };
        if windows.is_empty() {
            return judges;
        }
        let counts = |unit: &&Unit| {
            let mut tests = unit.tests.iter();
            unit.points.contains(&point)
                && tests.any(|&test| is_doubted || self.number(test).is_some())
        };
        judges.alone = self.alone.iter().filter(counts).collect();
        let last = self.windows.len() - 1;
        for window in windows {
            let test = self.windows[window].0;
            judges.needs_class |= match test {
                Some(test) => !{ judges.alone.iter() }.any(|unit| unit.tests.contains(&test)),
                None => judges.alone.is_empty(),
            };
            if judges.windows.last().is_none_or(|before| before.1 < window) {
                let to = if test.is_none() { last } else { window };
                judges.windows.push((window, to));
            }
        }
        let time: Duration = judges.alone.iter().map(|unit| unit.time).sum();
        if time > self.time {
            judges.alone.clear();
            judges.needs_class = true;
        }
        judges
    }

    /// What a run of a unit on a mutant tells.
    pub fn verdict_alone(&self, unit: &Unit, found: &OutsideRun) -> OutsideVerdict {
        if found.refused.is_some() {
            return OutsideVerdict::Unknown;
        }
        let mut tests = unit.tests.iter().copied();
        let mut running = None;
        for event in &found.events {
            match event {
                OutsideEvent::Started(..) => running = tests.next(),
                OutsideEvent::Finished(OutsideOutcome::Failed(_)) => match running {
                    Some(test) if !self.passes(test) => {}
                    test => return OutsideVerdict::Killed(test.and_then(|test| self.place(test))),
                },
                OutsideEvent::Finished(_) => running = None,
                OutsideEvent::Skipped(..) => {}
                OutsideEvent::Broken(..) => return OutsideVerdict::Killed(None),
            }
        }
        match found.end {
            OutsideEnd::Done => OutsideVerdict::Alive,
            _ => OutsideVerdict::Killed(running.and_then(|test| self.place(test))),
        }
    }

    /// What a run of the class tells of a mutant that is there in some windows.
    pub fn verdict(&self, found: &OutsideRun, asked: &[(usize, usize)]) -> OutsideVerdict {
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
    pub fn holds(&self, again: &OutsideRun) -> bool {
        let failing = again.events.iter().filter(|event| {
            matches!(
                event,
                OutsideEvent::Finished(OutsideOutcome::Failed(_)) | OutsideEvent::Broken(..)
            )
        });
        again.end == self.end && failing.count() <= self.failures
    }
}
