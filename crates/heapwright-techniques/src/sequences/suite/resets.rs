//! Determines the static state to restore before each test, so that tests pass in any order.
//!
//! Invariant: as little as possible is restored. Each retained test then has the same outcome and
//! goals after every changing test, and after all tests in both orders. The tests that come first
//! run once, and all tests follow from that state.

use std::collections::BTreeSet;
use std::rc::Rc;

use heapwright_jvm::Vm;
use heapwright_suite::{CallOutcome, Label, Script, Statement};

use super::minimal::SequenceTest;
use super::replay::{ReplayedRun, Replayer};
use super::script::TestOutcome;
use super::statics::Changes;
use super::typing::add_types;
use super::writer::{ScriptWriter, StatementResults};
use crate::Error;
use crate::observe::{Obstacle, is_same};
use crate::sequences::goals::GoalTable;
use crate::sequences::model::Concrete;

/// Maximum number of trial runs that check whether a change need not be restored.
const MAX_TRIALS: usize = 20_000;

/// Static state restored before each test.
#[derive(Debug, Default)]
pub(super) struct Resets {
    /// The statements that restore it.
    pub statements: Vec<Statement>,
    /// For each test, the reason why it cannot be retained, if any.
    pub obstacles: Vec<Option<Obstacle>>,
}

impl ScriptWriter<'_> {
    /// Determines the part of the changed static state to restore.
    ///
    /// # Errors
    /// A class is missing, no memory is left, or it was stopped.
    pub(super) fn resets(
        &mut self,
        vm: &mut Vm,
        replay: &mut OrderReplay<'_, '_>,
        tests: &[SequenceTest],
        changes: &Changes,
    ) -> Result<Resets, Error> {
        let mut resets = Resets {
            obstacles: vec![None; tests.len()],
            ..Resets::default()
        };
        if changes.found.is_empty() {
            return Ok(resets);
        }
        let mut set = TestSet {
            alone: Vec::new(),
            tests,
            orders: changes
                .representatives
                .iter()
                .map(|&test| vec![test])
                .chain([(0..tests.len()).collect(), (0..tests.len()).rev().collect()])
                .collect(),
        };
        for test in tests {
            set.alone.push(self.run_test(vm, &mut replay.tests, test)?);
        }
        let mut reset = Concrete::default();
        let mut disturbed = self.disturbed(vm, replay, &set, &reset)?;
        if disturbed.is_empty() {
            return Ok(resets);
        }
        let found = &changes.found;
        let able = found.iter().filter_map(|change| change.reset.as_ref().ok());
        let mut able: Vec<&Concrete> = able.collect();
        reset = self.together(&able);
        disturbed = self.disturbed(vm, replay, &set, &reset)?;
        let trials = tests.len() * set.orders.len();
        for change in found.iter().rev() {
            let Ok(own) = &change.reset else {
                continue;
            };
            let fewer: Vec<&Concrete> =
                able.iter().copied().filter(|other| *other != own).collect();
            if fewer.is_empty() || trials * able.len() > MAX_TRIALS {
                break;
            }
            let without = self.together(&fewer);
            if self.disturbed(vm, replay, &set, &without)? == disturbed {
                (able, reset) = (fewer, without);
            }
        }
        for test in disturbed {
            let why = found.iter().filter_map(|change| {
                let why = change.reset.as_ref().err()?;
                Some(format!("{}: {why}", change.name))
            });
            let why: Vec<String> = why.collect();
            let why = match why.is_empty() {
                true => "what these leave cannot be put back whole".to_owned(),
                false => why.join("; "),
            };
            resets.obstacles[test] = Some(Obstacle::Statics(why));
        }
        let made = replay.tests.replayer.run(vm, &reset, &mut |vm, ran| {
            let count = reset.statements.len();
            let objects = (0..count).map(|place| ran.search.object(place));
            let classes = objects.map(|object| {
                let object = object.filter(|object| !object.is_null())?;
                Some(vm.heap.class_of(object))
            });
            classes.collect()
        })?;
        let held = StatementResults {
            made: made.unwrap_or_default(),
            ..StatementResults::default()
        };
        match self.statements(vm, &reset, &held, &[])? {
            Ok(written) => {
                let mut script = Script {
                    label: Label::default(),
                    statements: written.statements,
                    outcome: CallOutcome::ReturnedVoid,
                    after: Vec::new(),
                    invariant_holds_after: None,
                    settings: Vec::new(),
                    exchange: None,
                };
                add_types(vm, &mut self.reader, &mut script);
                resets.statements = script.statements;
            }
            Err(obstacle) => resets.obstacles.fill(Some(obstacle)),
        }
        Ok(resets)
    }

    /// Joins statements that restore several places, loading each object once.
    fn together(&self, resets: &[&Concrete]) -> Concrete {
        let mut all = Concrete::default();
        for reset in resets {
            all = reset.behind(&all);
        }
        all.with_shared_loads(self.plan)
    }

    /// Returns the tests whose outcome differs after others, with `reset` in between. Settings of
    /// the virtual machine are as before, since test classes put them back.
    fn disturbed(
        &mut self,
        vm: &mut Vm,
        replay: &mut OrderReplay<'_, '_>,
        set: &TestSet<'_>,
        reset: &Concrete,
    ) -> Result<BTreeSet<usize>, Error> {
        let settings = Rc::clone(&self.settings);
        let mut disturbed = BTreeSet::new();
        for order in &set.orders {
            let mut first = Concrete::default();
            for &other in order {
                first = reset.behind(&set.tests[other].concrete).behind(&first);
            }
            let mut run_each = |vm: &mut Vm| -> Result<(), Error> {
                for (number, test) in set.tests.iter().enumerate() {
                    if disturbed.contains(&number) {
                        continue;
                    }
                    let seen = self.run_test(vm, &mut replay.tests, test)?;
                    if !is_the_same(test, set.alone[number].as_ref(), seen) {
                        disturbed.insert(number);
                    }
                }
                Ok(())
            };
            let last = &mut |vm: &mut Vm, _: &ReplayedRun<'_, '_>| {
                settings.put_back(vm);
                run_each(vm)
            };
            match replay.before.run(vm, &first, last)? {
                Some(each) => each?,
                None => disturbed.extend(0..set.tests.len()),
            }
        }
        Ok(disturbed)
    }

    fn run_test(
        &mut self,
        vm: &mut Vm,
        replay: &mut TestReplay<'_, '_>,
        test: &SequenceTest,
    ) -> Result<Option<TestOutcome>, Error> {
        if (replay.stops)() {
            return Err(Error::Stopped);
        }
        let run = (&mut *replay.replayer, &mut *replay.goals);
        self.outcome(vm, run, &test.concrete)
    }
}

/// Replay of tests in several orders.
pub(super) struct OrderReplay<'r, 'a> {
    /// The replayer of the tests that come first.
    pub before: Replayer<'a>,
    pub tests: TestReplay<'r, 'a>,
}

/// Replay of one test after others.
pub(super) struct TestReplay<'r, 'a> {
    pub replayer: &'r mut Replayer<'a>,
    pub goals: &'r mut GoalTable,
    /// Whether no time is left.
    pub stops: &'r dyn Fn() -> bool,
}

/// Tests that are to be independent of their order.
struct TestSet<'t> {
    tests: &'t [SequenceTest],
    /// The outcome of each test alone.
    alone: Vec<Option<TestOutcome>>,
    /// The tests, by their numbers, after which each test is tried: one for each state that some
    /// test leaves, and all in both directions.
    orders: Vec<Vec<usize>>,
}

/// Whether a test has the same outcome after others as alone, and still reaches its goals.
fn is_the_same(
    test: &SequenceTest,
    alone: Option<&TestOutcome>,
    behind: Option<TestOutcome>,
) -> bool {
    let Some((alone, behind)) = alone.zip(behind) else {
        return false;
    };
    // Goals of earlier statements do not depend on the order.
    let goals = test.goals.iter();
    let mut goals = goals.filter(|goal| alone.reached.contains(goal));
    is_same(
        &(&alone.outcome, &alone.after),
        &(&behind.outcome, &behind.after),
    ) && goals.all(|goal| behind.reached.contains(goal))
}
