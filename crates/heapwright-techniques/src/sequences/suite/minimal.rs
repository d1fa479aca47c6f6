//! Tests as sequences with what they gain, and minimises sequences.

use std::collections::BTreeMap;

use heapwright_jvm::Vm;
use heapwright_suite::Observation;

use super::dependencies::Dependencies;
use super::replay::Replayer;
use super::stub_scripts::with_simple_scripts;
use crate::Error;
use crate::sequences::goals::GoalTable;
use crate::sequences::model::Concrete;
use crate::sequences::plan::SearchPlan;
use crate::statements::StatementArgument;
use crate::watch::Watch;

/// A sequence, the goals that it reaches and the mutants that it notices.
#[derive(Clone, Debug)]
pub struct SequenceTest {
    /// The sequence.
    pub concrete: Concrete,
    /// The numbers of the goals, ascending.
    pub goals: Vec<usize>,
    /// Further goals that observers reach at its end, each with the observations that do. Filled in
    /// with mutation analysis.
    pub answered: BTreeMap<usize, Vec<Observation>>,
    /// The numbers of the mutants, ascending; empty without mutation analysis.
    pub kills: Vec<usize>,
    /// Whether it shows a large state, of which it asserts all that can be observed.
    pub is_rich: bool,
    /// Whether it shows a usual case, with all that collaborators are told.
    pub is_usual: bool,
    /// The number of its values that a user has given, of a usual case.
    pub given: usize,
}

impl SequenceTest {
    /// Creates a test before any mutation analysis.
    pub fn new(concrete: Concrete, goals: Vec<usize>) -> SequenceTest {
        SequenceTest {
            concrete,
            goals,
            answered: BTreeMap::new(),
            kills: Vec::new(),
            is_rich: false,
            is_usual: false,
            given: 0,
        }
    }

    /// What the suite would lose without the test.
    pub(super) fn gains(&self) -> impl Iterator<Item = Gain> {
        let goals = self.goals.iter().chain(self.answered.keys());
        let goals = goals.map(|&goal| Gain::Goal(goal));
        let mutants = self.kills.iter().map(|&mutant| Gain::Mutant(mutant));
        goals.chain(mutants)
    }
}

/// A goal or a mutant, by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Gain {
    Goal(usize),
    Mutant(usize),
}

/// Injects nothing into the object that the last statement creates: no call follows that could tell.
fn with_bare_end(plan: &SearchPlan, mut concrete: Concrete) -> Concrete {
    let Some(last) = concrete.statements.last_mut() else {
        return concrete;
    };
    let count = plan.invokables[last.invokable].injected().count();
    let repeats = |argument: &StatementArgument| matches!(argument, StatementArgument::Repeated(_));
    if count == 0 || last.arguments.iter().any(repeats) {
        return concrete;
    }
    let open = last.open();
    let injected = last.arguments[..count].iter_mut();
    let dropped = injected.filter_map(|argument| {
        let given = std::mem::replace(argument, StatementArgument::Null);
        (given == StatementArgument::Open).then_some(())
    });
    let first = concrete.input.roots.len() - open;
    concrete.input.roots.drain(first..first + dropped.count());
    concrete.sliced(0)
}

/// Removes from each sequence the statements that its goals do not need, and simplifies the scripts
/// of its stubs. Once results are to be left as they are, sequences stay as they are, and all but a
/// few are dropped.
///
/// # Errors
/// A class is missing, or no memory is left.
pub fn shortened(
    vm: &mut Vm,
    plan: &SearchPlan,
    replayer: &mut Replayer<'_>,
    goals: &mut GoalTable,
    found: Vec<Concrete>,
    watch: Watch<'_>,
) -> Result<Vec<SequenceTest>, Error> {
    let mut tests: Vec<SequenceTest> = Vec::new();
    let mut dependencies = Dependencies::new(vm, goals);
    for concrete in found {
        if watch.has_enough(tests.len()) {
            break;
        }
        let concrete = with_bare_end(plan, concrete);
        let seen = replayer.last_reached(vm, goals, &concrete, &mut |vm| dependencies.note(vm))?;
        dependencies.initialize(vm);
        let Some(reached) = seen else {
            continue;
        };
        let mut test = SequenceTest::new(concrete, reached);
        test = with_simple_scripts(vm, (plan, replayer), goals, test, watch.closes)?;
        let mut number = test.concrete.statements.len().saturating_sub(1);
        while number > 0 && !(watch.closes)() {
            number -= 1;
            let Some(shorter) = test.concrete.without(number) else {
                continue;
            };
            if let Some(reached) = replayer.reached(vm, goals, &shorter)?
                && test.goals.iter().all(|goal| reached.contains(goal))
            {
                test = SequenceTest::new(shorter, reached);
            }
        }
        if !tests.iter().any(|other| other.concrete == test.concrete) {
            tests.push(test);
        }
    }
    Ok(tests)
}
