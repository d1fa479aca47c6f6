//! Determines the static state to restore before each test, so that tests pass in any order.
//!
//! Invariant: as little as possible is restored. Each retained test then has the same outcome and
//! goals after every other changing test, and after all others in both orders.

use std::collections::BTreeSet;

use heapwright_jvm::Vm;
use heapwright_suite::{CallOutcome, Label, Script, Statement};

use super::minimal::SequenceTest;
use super::replay::Replayer;
use super::script::TestOutcome;
use super::statics::Change;
use super::typing::add_types;
use super::writer::{ScriptWriter, StatementResults, refer_behind};
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
        (replayer, goals): (&mut Replayer<'_>, &mut GoalTable),
        tests: &[SequenceTest],
        changes: &[Change],
        stops: &dyn Fn() -> bool,
    ) -> Result<Resets, Error> {
        let mut resets = Resets {
            obstacles: vec![None; tests.len()],
            ..Resets::default()
        };
        if changes.is_empty() {
            return Ok(resets);
        }
        let mut order = TestOrder {
            alone: Vec::new(),
            tests,
            stops,
            changing: changes
                .iter()
                .flat_map(|change| change.by.clone())
                .collect(),
        };
        for test in tests {
            order.go_on()?;
            order
                .alone
                .push(self.outcome(vm, (replayer, goals), &test.concrete, 0)?);
        }
        let mut reset = Concrete::default();
        let mut disturbed = self.disturbed(vm, (replayer, goals), &order, &reset)?;
        if disturbed.is_empty() {
            return Ok(resets);
        }
        let able = changes
            .iter()
            .filter_map(|change| change.reset.as_ref().ok());
        let mut able: Vec<&Concrete> = able.collect();
        reset = self.together(&able);
        disturbed = self.disturbed(vm, (replayer, goals), &order, &reset)?;
        let trials = tests.len() * (order.changing.len() + 2 * tests.len());
        for change in changes.iter().rev() {
            let Ok(own) = &change.reset else {
                continue;
            };
            let fewer: Vec<&Concrete> =
                able.iter().copied().filter(|other| *other != own).collect();
            if fewer.is_empty() || trials * able.len() > MAX_TRIALS {
                break;
            }
            let without = self.together(&fewer);
            if self.disturbed(vm, (replayer, goals), &order, &without)? == disturbed {
                (able, reset) = (fewer, without);
            }
        }
        for test in disturbed {
            let why = changes.iter().filter_map(|change| {
                let why = change.reset.as_ref().err()?;
                Some(format!("{}: {why}", change.name))
            });
            let why: Vec<String> = why.collect();
            let why = match why.is_empty() {
                true => "not all that they change is restored".to_owned(),
                false => why.join("; "),
            };
            resets.obstacles[test] = Some(Obstacle::Statics(why));
        }
        let made = replayer.run(vm, &reset, &mut |vm, ran| {
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
            thrown: Vec::new(),
        };
        match self.statements(vm, &reset, &held)? {
            Ok(statements) => {
                let mut script = Script {
                    label: Label::default(),
                    statements,
                    outcome: CallOutcome::ReturnedVoid,
                    after: Vec::new(),
                    invariant_holds_after: None,
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

    /// Returns the tests whose outcome differs after others, with `reset` in between.
    fn disturbed(
        &mut self,
        vm: &mut Vm,
        (replayer, goals): (&mut Replayer<'_>, &mut GoalTable),
        order: &TestOrder<'_>,
        reset: &Concrete,
    ) -> Result<BTreeSet<usize>, Error> {
        let mut disturbed = BTreeSet::new();
        let behind: Vec<Concrete> = order
            .tests
            .iter()
            .map(|test| reset.behind(&test.concrete))
            .collect();
        for (number, test) in order.tests.iter().enumerate() {
            let all: Vec<usize> = (0..behind.len()).filter(|other| *other != number).collect();
            let alone = order.changing.iter().map(|&other| vec![other]);
            let backwards = all.iter().rev().copied().collect();
            for before in alone.chain([all, backwards]) {
                order.go_on()?;
                let mut first = Concrete::default();
                for other in before {
                    first = behind[other].behind(&first);
                }
                let count = first.statements.len();
                let joined = test.concrete.behind(&first);
                let seen = self.outcome(vm, (replayer, goals), &joined, count)?;
                if !is_the_same(test, &order.alone[number], seen, count) {
                    disturbed.insert(number);
                    break;
                }
            }
        }
        Ok(disturbed)
    }
}

/// Tests that are to be independent of their order.
struct TestOrder<'t> {
    tests: &'t [SequenceTest],
    /// The outcome of each test alone.
    alone: Vec<Option<TestOutcome>>,
    /// The tests that change static state.
    changing: BTreeSet<usize>,
    /// Whether no time is left.
    stops: &'t dyn Fn() -> bool,
}

impl TestOrder<'_> {
    fn go_on(&self) -> Result<(), Error> {
        match (self.stops)() {
            true => Err(Error::Stopped),
            false => Ok(()),
        }
    }
}

/// Whether a test after further statements has the same outcome and still reaches its goals.
fn is_the_same(
    test: &SequenceTest,
    alone: &Option<TestOutcome>,
    behind: Option<TestOutcome>,
    statements: usize,
) -> bool {
    let Some((alone, behind)) = alone.clone().zip(behind) else {
        return false;
    };
    let mut script = Script {
        label: Label::default(),
        statements: Vec::new(),
        outcome: alone.outcome,
        after: alone.after,
        invariant_holds_after: None,
    };
    refer_behind(&mut script, statements);
    // Goals of earlier statements do not depend on the order.
    let goals = test.goals.iter();
    let mut goals = goals.filter(|goal| alone.reached.contains(goal));
    is_same(
        &(script.outcome, script.after),
        &(behind.outcome, behind.after),
    ) && goals.all(|goal| behind.reached.contains(goal))
}
