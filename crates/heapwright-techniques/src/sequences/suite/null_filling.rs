//! Replaces null arguments by objects where a call throws because of null. A test such as
//! `transferTo(null, 0)` may reach all goals, but says little.
//!
//! The search may end before it creates a suitable object. Other sequences or a constructor can
//! create one. Invariant: a test generated here returns, and reaches all goals of the test that it
//! may replace.

use heapwright_explore::symbolic::PathOutcome;
use heapwright_jvm::descriptor::{self, Kind};
use heapwright_jvm::{ClassId, Vm};

use super::minimal::SequenceTest;
use super::replay::Replayer;
use crate::Error;
use crate::sequences::goals::GoalTable;
use crate::sequences::model::Concrete;
use crate::sequences::plan::{ArgumentSource, SearchPlan};
use crate::statements::{Statement, StatementArgument};
use crate::symbolic::{InputValue, RunInput};

/// Maximum number of alternatives to create an object that are tried for one argument.
const MAX_MADE: usize = 4;
/// Maximum number of sequences searched for such alternatives.
const MAX_LOOKED_AT: usize = 200;

/// Adds, after each test that throws and passes null, one that returns with objects instead, if it
/// reaches the same goals.
///
/// # Errors
/// A class is missing, or no memory is left.
pub fn with_objects(
    vm: &mut Vm,
    plan: &SearchPlan,
    replayer: &mut Replayer<'_>,
    goals: &mut GoalTable,
    tests: Vec<SequenceTest>,
    stops: &dyn Fn() -> bool,
) -> Result<Vec<SequenceTest>, Error> {
    let mut all = Vec::new();
    for test in &tests {
        all.push(test.clone());
        if stops() {
            continue;
        }
        let Some(last) = test.concrete.statements.last() else {
            continue;
        };
        let nulls = last.arguments.iter().enumerate();
        let nulls = nulls.filter(|(_, argument)| **argument == StatementArgument::Null);
        let nulls: Vec<usize> = nulls.map(|(place, _)| place).collect();
        if nulls.is_empty() || returned(vm, plan, replayer, goals, &test.concrete)?.is_some() {
            continue;
        }
        let each = nulls.iter().map(std::slice::from_ref);
        let together = (nulls.len() > 1).then_some(&nulls[..]);
        'tried: for places in each.chain(together) {
            for number in 0..MAX_MADE {
                let Some(other) = filled(vm, plan, &tests, &test.concrete, places, number) else {
                    break;
                };
                if let Some(reached) = returned(vm, plan, replayer, goals, &other)?
                    && test.goals.iter().all(|goal| reached.contains(goal))
                {
                    all.push(SequenceTest::new(other, reached));
                    break 'tried;
                }
            }
        }
    }
    Ok(all)
}

/// Returns the goals that a test reaches, if its last call returns.
fn returned(
    vm: &mut Vm,
    plan: &SearchPlan,
    replayer: &mut Replayer<'_>,
    goals: &mut GoalTable,
    concrete: &Concrete,
) -> Result<Option<Vec<usize>>, Error> {
    let last = concrete.statements.last();
    let Some(method) = last.and_then(|last| plan.roles[last.invokable].under_test) else {
        return Ok(None);
    };
    let reached = replayer.run(vm, concrete, &mut |vm, ran| {
        let has_returned = matches!(ran.outcome, PathOutcome::Returned(_));
        has_returned.then(|| ran.reached(vm, goals, method))
    })?;
    Ok(reached.flatten())
}

/// Returns a test with objects at some positions of its last call, each from the alternative with
/// this number; `None` if there are fewer.
fn filled(
    vm: &Vm,
    plan: &SearchPlan,
    tests: &[SequenceTest],
    concrete: &Concrete,
    places: &[usize],
    number: usize,
) -> Option<Concrete> {
    let mut front = concrete.clone();
    let mut last = front.statements.pop()?;
    let values: usize = front.statements.iter().map(Statement::open).sum();
    let own = front.input.roots.split_off(values);
    for &place in places {
        let taking = plan.roles[last.invokable].takes.get(place)?;
        let made = creations(vm, plan, tests, taking).into_iter().nth(number)?;
        front = made.behind(&front);
        last.arguments[place] = StatementArgument::Result(front.statements.len() - 1);
    }
    let further = front.input.roots.len() - values;
    for argument in &mut last.arguments {
        match argument {
            StatementArgument::Repeated(value) if *value >= values => *value += further,
            _ => {}
        }
    }
    front.statements.push(last);
    front.input.roots.extend(own);
    Some(front)
}

/// Returns sequences whose last statement creates an object for a parameter, short ones first.
fn creations(
    vm: &Vm,
    plan: &SearchPlan,
    tests: &[SequenceTest],
    taking: &ArgumentSource,
) -> Vec<Concrete> {
    let gives = |statement: &Statement| {
        let class = given(vm, plan, statement.invokable);
        class.is_some_and(|class| taking.accepts(vm, class))
            && !plan.is_support(statement)
            && statement
                .arguments
                .iter()
                .all(|one| *one != StatementArgument::Null)
    };
    let mut ways: Vec<Concrete> = Vec::new();
    for test in tests.iter().take(MAX_LOOKED_AT) {
        let statements = &test.concrete.statements;
        let before = statements.len().saturating_sub(1);
        for number in (0..before).filter(|&number| gives(&statements[number])) {
            let way = up_to(&test.concrete, number);
            if !ways.iter().any(|other| other.statements == way.statements) {
                ways.push(way);
            }
        }
    }
    // Constructors that no test has used yet.
    for invokable in 0..plan.invokables.len() {
        let takes = &plan.roles[invokable].takes;
        let statement = Statement {
            invokable,
            arguments: vec![StatementArgument::Open; takes.len()],
        };
        let is_new = !ways.iter().any(|way| {
            let last = way.statements.last();
            last.is_some_and(|last| last.invokable == invokable)
        });
        let is_constructor = plan.invokables[invokable].kind.is_constructor();
        if is_new
            && is_constructor
            && takes.iter().all(|taking| taking.is_open)
            && gives(&statement)
        {
            let names = plan.open_names(std::slice::from_ref(&statement));
            let roots = names.into_iter().map(|(name, kind)| match kind {
                Kind::Reference => (name, InputValue::Null),
                kind => (name, InputValue::Primitive(kind, 0)),
            });
            ways.push(Concrete {
                input: RunInput {
                    roots: roots.collect(),
                    objects: Vec::new(),
                },
                statements: vec![statement],
            });
        }
    }
    ways.sort_by_key(|way| way.statements.len());
    ways
}

/// Returns the class of an invokable's result, unless that is an array.
fn given(vm: &Vm, plan: &SearchPlan, invokable: usize) -> Option<ClassId> {
    let gives = plan.invokables[invokable].result.as_deref()?;
    let is_object = Kind::of(gives) == Kind::Reference && !gives.starts_with('[');
    is_object.then(|| vm.loaded_class(descriptor::class_name(gives)))?
}

/// Returns the part of a sequence that creates the result of one of its statements.
fn up_to(concrete: &Concrete, number: usize) -> Concrete {
    let mut way = concrete.clone();
    way.statements.truncate(number + 1);
    let values = way.statements.iter().map(Statement::open).sum();
    way.input.roots.truncate(values);
    for other in (0..number).rev() {
        if let Some(shorter) = way.without(other) {
            way = shorter;
        }
    }
    way
}
