//! Progress of the search.

use std::collections::{BTreeMap, BTreeSet};

use heapwright_explore::symbolic::States;

use super::component::Unsolved;
use super::outcome::{FoundSequence, SearchCounts};
use crate::sequences::goals::GoalTable;
use crate::sequences::model::{CoverageCriterion, Memory};

/// Goals that paths have reached, and sequences and states found.
pub(super) struct ExplorationProgress {
    pub goals: GoalTable,
    /// For each goal, whether it was reached, and if so whether without a failing assertion.
    pub reached: Vec<Option<bool>>,
    pub states: States,
    pub found: Vec<FoundSequence>,
    /// Goals on paths for which the solver found no values; each with the components and call of
    /// the first path.
    pub unsolved: Unsolved,
    /// Goals reached only with inputs that no source can express.
    pub unwritten: BTreeSet<usize>,
    /// Goals reached only by paths that throw, with the maximum length of a better sequence.
    pub thrown: BTreeMap<usize, usize>,
    pub counts: SearchCounts,
    pub mishaps: BTreeMap<String, u64>,
    pub memory: Memory,
}

impl ExplorationProgress {
    /// Returns the initial state.
    pub fn new(goals: GoalTable) -> ExplorationProgress {
        ExplorationProgress {
            reached: vec![None; goals.all.len()],
            goals,
            states: States::new(),
            found: Vec::new(),
            unsolved: Unsolved::new(),
            unwritten: BTreeSet::new(),
            thrown: BTreeMap::new(),
            counts: SearchCounts::default(),
            mishaps: BTreeMap::new(),
            memory: Memory::default(),
        }
    }

    /// Returns the number of goals that no path reached.
    pub fn open_goals(&self) -> usize {
        self.reached
            .iter()
            .filter(|reached| reached.is_none())
            .count()
    }

    /// Counts the goals that are none of the criterion as reached, so that no search aims at them
    /// any longer.
    pub fn give_up_places(&mut self) {
        let listed = self.goals.listed();
        for reached in self.reached.iter_mut().skip(listed) {
            *reached = Some(true);
        }
    }

    /// Whether a path reaches a goal for the first time, or the first time without a failing
    /// assertion.
    pub fn is_new(&self, goals: &[usize], fails_assertion: bool) -> bool {
        goals.iter().any(|&goal| match self.reached[goal] {
            None => true,
            Some(is_clean) => !is_clean && !fails_assertion,
        })
    }

    /// Whether a sequence of `length` statements that returns is better than those that reached the
    /// same goals before, which throw.
    pub fn is_better(&self, goals: &[usize], length: usize) -> bool {
        let is_better = |most: &usize| length <= *most;
        goals
            .iter()
            .any(|goal| self.thrown.get(goal).is_some_and(is_better))
    }

    /// Records the goals that a sequence reached. If it throws, `thrown` is the maximum length of a
    /// better one.
    pub fn record(&mut self, goals: &[usize], thrown: Option<usize>, fails_assertion: bool) {
        let is_place = matches!(
            self.goals.criterion,
            CoverageCriterion::Branches | CoverageCriterion::Statements
        );
        for &goal in goals {
            let reached = &mut self.reached[goal];
            match thrown {
                None => {
                    self.thrown.remove(&goal);
                }
                Some(most) if reached.is_none() && is_place => {
                    self.thrown.insert(goal, most);
                }
                Some(_) => {}
            }
            *reached = Some(reached.unwrap_or(false) || !fails_assertion);
        }
    }

    /// Restores earlier counts of runs; the solver work since then stays counted.
    pub fn drop_counts(&mut self, counts: SearchCounts, mishaps: BTreeMap<String, u64>) {
        self.mishaps = mishaps;
        self.counts = SearchCounts {
            work: self.counts.work,
            ..counts
        };
    }
}

/// State restored when the search starts again.
#[derive(Default)]
pub(super) struct ProgressSnapshot {
    pub reached: Vec<Option<bool>>,
    /// Number of sequences found.
    pub found: usize,
    pub counts: SearchCounts,
    pub mishaps: BTreeMap<String, u64>,
}
