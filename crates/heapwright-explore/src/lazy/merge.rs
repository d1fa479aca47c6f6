//! Merging of paths after a branch whose sides join.
//!
//! If the sides of a branch join without side effects (`Vm::pure_join`), the paths between are
//! explored at once. Those that end are leaves. Those that reach the join differ only in their
//! constraints on open values. They become one path with the disjunction of these constraints, as a
//! table over the variables concerned. The cost of independent branches is then a sum instead of a
//! product.
//!
//! Merging depends on the path alone, so a path is the same wherever it is walked.

use heapwright_jvm::{Exit, Vm};
use heapwright_solve::{Linear, Table, Var};

use super::machine::Condition;
use super::{Fork, LazySearch};

/// Most forks between a branch and its join.
const MAX_FORKS: usize = 6;
/// Most combinations of values of the variables concerned.
const MAX_ROWS: usize = 1 << 10;
/// Most instructions between a branch and its join, and on a path that ends.
const MAX_STEPS: u64 = 2_000;

/// Outcome of an attempt to merge.
pub(super) enum MergeOutcome {
    /// The paths are merged, and the machine stands at the join.
    Once,
    /// All paths ended as leaves on which the predicate does not hold.
    Ended,
    /// The paths cannot be merged; the machine stands before the branch.
    Not,
}

/// Constraints of a path: conditions, and whether each holds.
type Way = Vec<(Condition, bool)>;

impl LazySearch<'_> {
    /// Explores the paths from a branch on an open condition to its join.
    pub(super) fn merge(&mut self, vm: &mut Vm, condition: &Condition) -> MergeOutcome {
        if matches!(condition, Condition::OneOf(..)) {
            return MergeOutcome::Not;
        }
        let Some(frame) = vm.frames().last().copied() else {
            return MergeOutcome::Not;
        };
        let Some(join) = vm.pure_join(frame.method, frame.pc) else {
            return MergeOutcome::Not;
        };
        let depth = vm.frames().len();
        let (store, terms) = (self.machine.store.mark(), self.machine.terms.len());
        let (used, floor) = (self.used_before.len(), self.trail.forks.len());
        let (choices, steps) = (self.trail.progress.choices, vm.steps_left());
        vm.break_at(Some(join));
        let explored = vm.with_mark(|vm| self.explore_ways(vm, condition, floor, depth));
        self.watch_for_cut(vm);
        self.trail.forks.truncate(floor);
        self.machine.store.undo_to(store);
        self.machine.terms.truncate(terms);
        self.forget_use(used);
        self.machine.decided = None;
        self.machine.open = None;
        vm.limit_steps(steps);
        self.trail.progress.choices = choices;
        let merged = explored.and_then(|(ways, leaves)| {
            if ways.is_empty() {
                self.trail.progress.explored += leaves.saturating_sub(1);
                return Some(MergeOutcome::Ended);
            }
            self.assert_one_of(&ways)?;
            self.trail.progress.explored += leaves;
            vm.jump_to(join);
            Some(MergeOutcome::Once)
        });
        merged.unwrap_or(MergeOutcome::Not)
    }

    /// Returns the paths that reach the join, and the number of leaves on the others. `None` if a
    /// path needs more than decisions on conditions, or ends other than by returning false.
    fn explore_ways(
        &mut self,
        vm: &mut Vm,
        condition: &Condition,
        floor: usize,
        depth: usize,
    ) -> Option<(Vec<Way>, u64)> {
        let (mut ways, mut leaves) = (Vec::new(), 0);
        self.fork(vm, condition.clone());
        if self.trail.forks.len() == floor {
            // One side is infeasible, so there is nothing to merge.
            return None;
        }
        loop {
            vm.limit_steps(MAX_STEPS);
            match vm.run(&mut self.machine) {
                Exit::Branch if self.trail.forks.len() - floor < MAX_FORKS => {
                    // References are open or chosen independently: no table relates them.
                    let condition = self.machine.open.take()?;
                    if matches!(condition, Condition::OneOf(..)) {
                        return None;
                    }
                    self.fork(vm, condition);
                    continue;
                }
                Exit::Break if vm.frames().len() == depth => ways.push(self.way(floor)),
                Exit::Done(0) => leaves += 1,
                _ => return None,
            }
            if !self.next_way(vm, floor) {
                return Some((ways, leaves));
            }
        }
    }

    /// Constraints of the forks above `floor`.
    fn way(&self, floor: usize) -> Way {
        let conditions = self.trail.forks[floor..]
            .iter()
            .map(|node| match &node.fork {
                Fork::Branch { condition, holds } => Some((condition.clone(), *holds)),
                _ => None,
            });
        conditions.flatten().collect()
    }

    /// Advances to the next path from the branch; false if there is none.
    fn next_way(&mut self, vm: &mut Vm, floor: usize) -> bool {
        while self.trail.forks.len() > floor {
            let top = self.trail.forks.len() - 1;
            self.undo_to(vm, top);
            if let Fork::Branch { condition, holds } = &mut self.trail.forks[top].fork
                && *holds
            {
                *holds = false;
                let condition = condition.clone();
                if self.assume(&condition, false) {
                    self.machine.decided = Some(false);
                    return true;
                }
                self.undo_to(vm, top);
            }
            self.trail.forks.pop();
        }
        false
    }

    /// Asserts that one of the paths was taken; `None` if there are too many combinations.
    fn assert_one_of(&mut self, ways: &[Way]) -> Option<()> {
        if let [way] = ways {
            let mut all = way.iter();
            return all
                .all(|(condition, holds)| self.assume(condition, *holds))
                .then_some(());
        }
        let mut variables: Vec<Var> = Vec::new();
        for (condition, _) in ways.iter().flatten() {
            if let Condition::Sum(sum, _) = condition {
                variables.extend(sum.terms.iter().map(|term| term.0));
            }
        }
        variables.sort_unstable();
        variables.dedup();
        let mut rows: Vec<Vec<i64>> = vec![Vec::new()];
        for &variable in &variables {
            let values: Vec<i64> = self.machine.store.values(variable).collect();
            if rows.len() * values.len() > MAX_ROWS {
                return None;
            }
            rows = rows
                .iter()
                .flat_map(|row| {
                    values.iter().map(move |&value| {
                        let mut longer = row.clone();
                        longer.push(value);
                        longer
                    })
                })
                .collect();
        }
        let all = rows.len();
        rows.retain(|row| {
            ways.iter().any(|way| {
                way.iter()
                    .all(|(condition, holds)| is_met(condition, &variables, row) == *holds)
            })
        });
        if rows.len() == all {
            return Some(());
        }
        self.machine
            .store
            .assert_table(Table { variables, rows })
            .then_some(())
    }
}

fn is_met(condition: &Condition, variables: &[Var], row: &[i64]) -> bool {
    let value = |variable: Var| {
        variables
            .binary_search(&variable)
            .map_or(0, |place| row[place])
    };
    match condition {
        Condition::OneOf(variable, choices) => choices.contains(&value(*variable)),
        Condition::Sum(Linear { terms, constant }, relation) => {
            let sum = terms.iter().fold(*constant, |sum, &(variable, factor)| {
                sum + factor * value(variable)
            });
            relation.holds(sum)
        }
    }
}
