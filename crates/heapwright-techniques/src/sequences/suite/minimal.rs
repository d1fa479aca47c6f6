//! Minimises sequences, and selects few that together reach all goals reached.

use heapwright_jvm::Vm;
use rustc_hash::FxHashMap;

use super::replay::Replayer;
use super::stub_scripts::with_simple_scripts;
use crate::Error;
use crate::sequences::goals::GoalTable;
use crate::sequences::model::Concrete;
use crate::sequences::plan::SearchPlan;
use crate::watch::Watch;

/// A sequence and the goals that it reaches.
#[derive(Clone, Debug)]
pub struct SequenceTest {
    /// The sequence.
    pub concrete: Concrete,
    /// The numbers of the goals, ascending.
    pub goals: Vec<usize>,
}

/// Removes from each sequence the statements that its goals do not need, and simplifies the scripts of
/// its stubs. Once results are to be left as they are, sequences stay as they are, and all but a few
/// are dropped.
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
    for concrete in found {
        if watch.has_enough(tests.len()) {
            break;
        }
        let Some(reached) = replayer.reached(vm, goals, &concrete)? else {
            continue;
        };
        let mut test = SequenceTest {
            concrete,
            goals: reached,
        };
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
                test = SequenceTest {
                    concrete: shorter,
                    goals: reached,
                };
            }
        }
        if !tests.iter().any(|other| other.concrete == test.concrete) {
            tests.push(test);
        }
    }
    Ok(tests)
}

/// Removes sequences whose goals other sequences reach; earlier ones are removed first.
#[must_use]
pub fn needed(tests: &[SequenceTest]) -> Vec<SequenceTest> {
    // A later sequence often reaches the goals of an earlier one.
    let mut times: FxHashMap<usize, u32> = FxHashMap::default();
    for goal in tests.iter().flat_map(|test| &test.goals) {
        *times.entry(*goal).or_default() += 1;
    }
    let mut kept = Vec::new();
    for test in tests {
        let needed = test.goals.iter().any(|goal| times[goal] == 1);
        if needed {
            kept.push(test.clone());
        } else {
            for goal in &test.goals {
                *times.entry(*goal).or_default() -= 1;
            }
        }
    }
    kept
}
