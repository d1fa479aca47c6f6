//! Result of the search: counts, outcome, and the sequences found.

use std::collections::{BTreeMap, BTreeSet};

use crate::sequences::goals::GoalTable;
use crate::sequences::model::{Concrete, Memory, Phases};
use crate::symbolic::{CutBy, CutCounts};

/// Counts of the search's work.
#[derive(Clone, Debug, Default)]
pub struct SearchCounts {
    /// Candidate sequences formed: they end with a method under test.
    pub generated: u64,
    /// Candidate sequences with at least one path run to its end.
    pub explored: u64,
    /// Paths run to their ends.
    pub paths: u64,
    /// Paths cut by a limit, by kind of limit.
    pub cuts: CutCounts,
    /// Paths that returned from the last permitted statement of a sequence.
    pub at_length: u64,
    /// Paths with an operation that the engine refuses.
    pub refused: u64,
    /// Calls that threw after a change of state that no further statement observes.
    pub unobserved_changes: u64,
    /// The solver's work, including comparisons of states.
    pub work: u64,
    /// The maximum length that was explored completely.
    pub max_length: u32,
    /// Components retained.
    pub components: u64,
    /// Whether the effort since the last new goal is beyond [`SequenceBounds::patience`].
    ///
    /// [`SequenceBounds::patience`]: crate::sequences::model::SequenceBounds::patience
    pub is_in_vain: bool,
}

impl SearchCounts {
    /// Returns the number of paths cut by a limit.
    #[must_use]
    pub fn cut(&self) -> u64 {
        self.cuts.values().sum()
    }

    /// Counts a path cut by a bound.
    pub(in crate::sequences) fn note_cut(&mut self, by: CutBy) {
        *self.cuts.entry(by).or_default() += 1;
    }
}

/// Outcome of the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SearchOutcome {
    /// All goals are reached.
    AllReached,
    /// There are no further sequences, so no sequence reaches the remaining goals.
    Closed,
    /// All sequences up to the maximum length are explored.
    Length,
    /// The maximum number of paths was run.
    Paths,
    /// Nothing new was reached for longer than the request's patience.
    InVain,
    /// The search was stopped.
    Stopped,
}

/// A sequence whose path reached a new goal.
#[derive(Clone, Debug)]
pub struct FoundSequence {
    /// The sequence with values.
    pub concrete: Concrete,
    /// Whether it ends with a failing assertion.
    pub fails_assertion: bool,
}

/// Result of the search.
pub struct Explored {
    /// The goals.
    pub goals: GoalTable,
    /// For each goal, whether it was reached, and if so whether without a failing assertion and without
    /// the exception of an unguarded null.
    pub reached: Vec<Option<bool>>,
    /// Goals that such an exception reached, of which there are no tests.
    pub of_nulls: BTreeSet<usize>,
    /// The sequences found, in order.
    pub found: Vec<FoundSequence>,
    /// Sequences such as people write first, few of each method.
    pub usual: Vec<Concrete>,
    /// The sequences from which the random search varied others.
    pub varied: Vec<Concrete>,
    /// The outcome.
    pub ending: SearchOutcome,
    /// Number of nondeterministic results used by runs.
    pub nondeterministic_results: u64,
    /// Number of solver queries.
    pub queries: u64,
    /// States met, and those of them that others subsume.
    pub states: (u64, u64),
    /// Goals on paths for which the solver found no values.
    pub unsolved: BTreeSet<usize>,
    /// Counts of the work done.
    pub counts: SearchCounts,
    /// Numbers of calls that did not return, by outcome.
    pub mishaps: BTreeMap<String, u64>,
    /// Time by phase.
    pub phases: Phases,
    /// Memory by phase.
    pub memory: Memory,
    /// Whether an exhausted search covered all arguments of sequences.
    pub is_whole: bool,
    /// Arguments that were not all tried, with the number of relevant invokables affected.
    pub untried: CutCounts,
}

impl Explored {
    /// Whether every possible sequence was explored without cuts, refusals or unobserved changes.
    pub(in crate::sequences) fn is_closed(&self) -> bool {
        self.ending == SearchOutcome::Closed
            && self.is_whole
            && self.counts.cut() == 0
            && self.counts.refused == 0
            && self.counts.unobserved_changes == 0
            && self.counts.explored > 0
    }
}
