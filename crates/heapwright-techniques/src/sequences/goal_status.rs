//! Determines the fate of each goal, and the cuts that may cause a goal to be missed.

use std::collections::{BTreeMap, BTreeSet};

use super::explore::{Explored, SearchOutcome};
use super::model::{CoverageCriterion, SequencesRequest};
use super::plan::RequestSubject;
use super::report::GoalStatus;
use super::suite::Selection;
use crate::observe::Obstacle;
use crate::symbolic::{CutBy, CutCounts};

/// Returns the fates that the tests show, given the goals that existing tests cover, and the
/// obstacles that keep goals out of the tests.
pub(super) fn of_tests(
    explored: &Explored,
    selection: &Selection,
    before: &BTreeSet<usize>,
    is_late: bool,
) -> (Vec<GoalStatus>, Vec<Obstacle>) {
    let max_length = explored.counts.max_length;
    let reached = explored.reached.iter();
    let mut fates: Vec<GoalStatus> = reached
        .enumerate()
        .map(|(goal, reached)| match reached {
            None => GoalStatus::Open(max_length),
            Some(false) if explored.of_nulls.contains(&goal) => {
                GoalStatus::NotAsserted(Obstacle::UnguardedNull.to_string())
            }
            Some(false) => GoalStatus::Assertion,
            Some(true) if is_late => GoalStatus::NotAsserted(Obstacle::Time.to_string()),
            Some(true) => {
                GoalStatus::NotAsserted("as a test writes it down it goes another way".into())
            }
        })
        .collect();
    fates.resize(explored.goals.all.len(), GoalStatus::Open(max_length));
    for (number, test) in selection.tests.iter().enumerate().rev() {
        for &goal in &test.goals {
            fates[goal] = GoalStatus::Covered(number);
        }
    }
    for &goal in before {
        fates[goal] = GoalStatus::CoveredBefore;
    }
    let mut obstacles = Vec::new();
    for (reached, obstacle) in &selection.untold {
        let is_told = |goal: usize| {
            matches!(
                fates[goal],
                GoalStatus::Covered(_) | GoalStatus::CoveredBefore
            )
        };
        let lost: Vec<usize> = reached
            .iter()
            .copied()
            .filter(|&goal| !is_told(goal))
            .collect();
        for &goal in &lost {
            fates[goal] = GoalStatus::NotAsserted(obstacle.to_string());
        }
        // Undeclared behaviour is reported as a finding instead.
        if !lost.is_empty() && !matches!(obstacle, Obstacle::Undeclared(_)) {
            obstacles.push(obstacle.clone());
        }
    }
    (fates, obstacles)
}

/// Returns the goals whose fate is still open.
pub(super) fn open(fates: &[GoalStatus]) -> Vec<usize> {
    let open = |goal: &usize| matches!(fates[*goal], GoalStatus::Open(_));
    (0..fates.len()).filter(open).collect()
}

/// Marks open goals as infeasible with the given reasons, or, if in `unsolved`, as reached by a
/// path for which the solver found no values. Returns the number of the latter.
pub(super) fn settle(
    fates: &mut [GoalStatus],
    open: &[usize],
    mut infeasible: BTreeMap<usize, String>,
    unsolved: &BTreeSet<usize>,
) -> u64 {
    let mut count = 0;
    for &goal in open {
        if let Some(reason) = infeasible.remove(&goal) {
            fates[goal] = GoalStatus::Infeasible(reason);
        } else if unsolved.contains(&goal) {
            let reason =
                "a path reaches it, for which the solver found no values within its limits";
            fates[goal] = GoalStatus::NotAsserted(reason.to_owned());
            count += 1;
        }
    }
    count
}

impl RequestSubject {
    /// Returns the cuts that may cause goals to be missed; empty if no goal can be missed.
    pub(super) fn cuts(
        &self,
        request: &SequencesRequest,
        explored: &Explored,
        fates: &[GoalStatus],
        unsolved: u64,
    ) -> CutCounts {
        let counts = &explored.counts;
        let is_open = |fate: &GoalStatus| matches!(fate, GoalStatus::Open(_));
        // There may be paths beyond those listed as goals.
        let is_missed = request.criterion == CoverageCriterion::Paths
            || fates.iter().any(is_open)
            || unsolved > 0;
        if !is_missed {
            return CutCounts::new();
        }
        let is_above = |&goal: &usize| {
            let method = explored.goals.all.get(goal).map(|goal| goal.method());
            method.is_some_and(|method| self.above.contains(&method))
        };
        let above = open(fates).into_iter().filter(is_above).count() as u64;
        let selects = !self.plan.is_whole || !request.pools.is_empty() || self.lacks_members;
        let is_at_length = explored.ending == SearchOutcome::Length;
        let mut cut = CutCounts::from([(CutBy::Solutions, unsolved)]);
        cut.extend(counts.cuts.clone());
        cut.extend(explored.untried.clone());
        cut.extend([
            (CutBy::Refusals, counts.refused),
            (CutBy::Thrown, counts.unobserved_changes),
            (CutBy::Extensions, above),
            (
                CutBy::Statements,
                u64::from(is_at_length) * counts.at_length.max(1),
            ),
            (CutBy::Selection, u64::from(selects)),
            // Sequences are extended where a statement's effects reach what the next one reads.
            (CutBy::Effects, u64::from(!self.analysis.flows.are_whole())),
        ]);
        cut.retain(|_, count| *count > 0);
        cut
    }
}
