//! Progress of the search.

use std::collections::{BTreeMap, BTreeSet};

use heapwright_explore::symbolic::{PathOutcome, States};
use heapwright_jvm::Vm;

use super::component::Unsolved;
use super::outcome::{FoundSequence, SearchCounts};
use crate::misuse::is_of_unguarded_null;
use crate::sequences::goals::GoalTable;
use crate::sequences::model::{CoverageCriterion, Memory};

/// Goals that paths have reached, and sequences and states found.
pub(super) struct ExplorationProgress {
    pub goals: GoalTable,
    /// For each goal, whether it was reached, and if so whether without a failing assertion and without
    /// the exception of an unguarded null.
    pub reached: Vec<Option<bool>>,
    /// Whether tests must not end with the exception of an unguarded null.
    pub refuses_nulls: bool,
    /// Goals that such an exception reached.
    pub of_nulls: BTreeSet<usize>,
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
            refuses_nulls: false,
            of_nulls: BTreeSet::new(),
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

    /// Whether no test can end with the exception with which a path ends: a failing assertion, or that
    /// of an unguarded null.
    pub fn is_unfit(&self, vm: &Vm, outcome: &PathOutcome) -> bool {
        match *outcome {
            PathOutcome::Threw(thrown) => {
                self.is_of_null(vm, outcome)
                    || vm.class_name(vm.heap.class_of(thrown)) == "java/lang/AssertionError"
            }
            _ => false,
        }
    }

    /// Whether a path ends with the exception of an unguarded null, which tests must not have.
    pub fn is_of_null(&self, vm: &Vm, outcome: &PathOutcome) -> bool {
        match *outcome {
            PathOutcome::Threw(thrown) => self.refuses_nulls && is_of_unguarded_null(vm, thrown),
            _ => false,
        }
    }

    /// Whether a path reaches a goal for the first time, or the first time fit for a test.
    pub fn is_new(&self, goals: &[usize], is_unfit: bool) -> bool {
        goals.iter().any(|&goal| match self.reached[goal] {
            None => true,
            Some(is_clean) => !is_clean && !is_unfit,
        })
    }

    /// Records the goals of a path that ends with the exception of an unguarded null.
    pub fn record_null(&mut self, goals: &[usize]) {
        for &goal in goals {
            self.reached[goal].get_or_insert(false);
        }
        self.of_nulls.extend(goals);
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
    pub fn record(&mut self, goals: &[usize], thrown: Option<usize>, is_unfit: bool) {
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
            *reached = Some(reached.unwrap_or(false) || !is_unfit);
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
