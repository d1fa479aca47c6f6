//! Joins what the engine and a virtual machine outside tell of the tests of a class.
//!
//! Invariant: a test that passes on the engine counts with what it does there, and one counts as failing
//! only if it fails outside, too.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::outside::{OutsideEnd, OutsideError, OutsideTests};
use super::runner::ClassRun;
use super::{TestOutcome, TestResult};

/// Outcome of a test that did not pass on the engine, and of which an outcome outside is known.
fn joined(on_engine: &TestOutcome, outside: &TestResult, counts: bool) -> TestOutcome {
    match (on_engine, &outside.outcome) {
        (TestOutcome::Failed(reason), TestOutcome::Passed) if !counts => {
            TestOutcome::NotRun(format!("{reason}; it passes on a JVM"))
        }
        (TestOutcome::Failed(reason), TestOutcome::NotRun(other)) => {
            TestOutcome::NotRun(format!("{reason}; {other}"))
        }
        (TestOutcome::NotRun(_), TestOutcome::Passed | TestOutcome::Skipped(_)) if !counts => {
            on_engine.clone()
        }
        (TestOutcome::NotRun(reason), TestOutcome::NotRun(_)) => {
            TestOutcome::NotRun(reason.clone())
        }
        (_, outcome) => outcome.clone(),
    }
}

impl ClassRun {
    /// Whether a virtual machine outside has to run it: not all of its tests pass.
    pub fn is_open(&self) -> bool {
        let mut tests = self.tests.iter();
        self.lost.is_some()
            || tests.any(|test| {
                matches!(
                    test.outcome,
                    TestOutcome::Failed(_) | TestOutcome::NotRun(_)
                )
            })
    }

    /// All its tests, with their outcomes here and there.
    pub fn all(&self) -> &[TestResult] {
        self.all.as_ref().unwrap_or(&self.tests)
    }

    /// Says of tests that fail on the engine, and of which no outcome outside is known, that they could
    /// not be run.
    pub fn settle(&mut self, missing: Option<&OutsideError>) {
        let end = self.outside.as_ref().map(|outside| outside.end);
        let reason = match missing {
            None if end == Some(OutsideEnd::Endless) => {
                "on a JVM a test before it does not end in time (--jvm-timeout)".to_owned()
            }
            None if end == Some(OutsideEnd::JvmEnded) => {
                "on a JVM a test before it ends the JVM".to_owned()
            }
            None => "it is not run on a JVM".to_owned(),
            Some(OutsideError::Stopped) => "there was no time to run it on a JVM".to_owned(),
            Some(OutsideError::NoJvm(reason)) => format!("no JVM has run it: {reason}"),
        };
        let outside = self.outside.iter().flat_map(|outside| &outside.tests);
        let known: BTreeSet<&str> = outside.map(|test| &*test.name).collect();
        let all = self.all.get_or_insert_with(|| self.tests.clone());
        for (test, own) in all.iter_mut().zip(&self.tests) {
            let is_same = test.name == own.name && test.outcome == own.outcome;
            let why = match &own.outcome {
                TestOutcome::Failed(why) => why,
                TestOutcome::NotRun(why) if missing.is_some() => why,
                _ => continue,
            };
            if is_same && !known.contains(&*test.name) {
                test.outcome = TestOutcome::NotRun(format!("{why}; {reason}"));
            }
        }
    }

    /// Takes over the outcomes of tests that did not pass on the engine, and further tests. Where runs
    /// outside do not count (`counts`), a test that passes only there could not be run.
    pub fn adopt(&mut self, mut outside: OutsideTests, counts: bool) {
        let is_open = |test: &TestResult| {
            matches!(
                test.outcome,
                TestOutcome::Failed(_) | TestOutcome::NotRun(_)
            )
        };
        let mut all = self.tests.clone();
        let mut by_name: BTreeMap<&str, VecDeque<usize>> = BTreeMap::new();
        for (number, test) in self.tests.iter().enumerate() {
            by_name.entry(&test.name).or_default().push_back(number);
        }
        let mut further = Vec::new();
        for (place, test) in outside.tests.iter().enumerate() {
            let same = by_name.get_mut(&*test.name);
            outside.numbers.push(None);
            outside.places.push(None);
            match same.and_then(VecDeque::pop_front) {
                Some(number) => {
                    outside.places[place] = Some(number);
                    if is_open(&self.tests[number]) {
                        all[number].outcome = joined(&self.tests[number].outcome, test, counts);
                        outside.numbers[place] = Some(number).filter(|_| counts);
                    }
                }
                None => further.push(place),
            }
        }
        // What failed as a group on the engine may have tests here.
        let gone: BTreeSet<usize> = by_name.into_values().flatten().collect();
        let is_whole = outside.end == OutsideEnd::Done;
        let mut free = gone
            .into_iter()
            .filter(|&number| is_whole && is_open(&self.tests[number]));
        for place in further.into_iter().filter(|_| counts) {
            let test = outside.tests[place].clone();
            let number = match free.next() {
                Some(number) => {
                    all[number] = test;
                    number
                }
                None => {
                    all.push(test);
                    all.len() - 1
                }
            };
            (outside.numbers[place], outside.places[place]) = (Some(number), Some(number));
        }
        match self.tests.is_empty() {
            _ if !counts => {}
            _ if is_whole => self.lost = None,
            true => self.lost = Some("a test of it ends the JVM, or does not end".to_owned()),
            false => {}
        }
        self.all = Some(all);
        self.outside = Some(outside);
    }
}
