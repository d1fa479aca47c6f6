//! What exploring works on, how far it goes, and what it comes to.

use std::collections::{BTreeMap, BTreeSet};

use crate::sequences::goals::Goals;
use crate::sequences::model::{Concrete, Memory, Phases};
use crate::symbolic::{CutBy, CutCounts};

/// What was done.
#[derive(Clone, Debug, Default)]
pub struct Counts {
    /// Candidate sequences formed: they end with a method under test.
    pub generated: u64,
    /// Of these, those of which a path was run to its end.
    pub explored: u64,
    /// Paths run to their ends.
    pub paths: u64,
    /// Paths that were not followed further, or that a limit left out, by which.
    pub cuts: CutCounts,
    /// Paths that returned from the last statement that a sequence may have.
    pub at_length: u64,
    /// Paths that came upon something that is refused.
    pub refused: u64,
    /// Calls that threw when they had changed something that no statement then looks at.
    pub altered: u64,
    /// The solver's work, to hold states against each other too.
    pub work: u64,
    /// The longest length that was done in full.
    pub max_length: u32,
    /// Components that were kept.
    pub components: u64,
}

impl Counts {
    /// Paths that were not followed further, or that a limit left out.
    #[must_use]
    pub fn cut(&self) -> u64 {
        self.cuts.values().sum()
    }

    /// Counts a path that a bound has cut.
    pub(in crate::sequences) fn note_cut(&mut self, by: CutBy) {
        *self.cuts.entry(by).or_default() += 1;
    }
}

/// How exploring ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// Nothing is left to reach.
    AllReached,
    /// There is no further sequence: what was not reached no sequence reaches.
    Closed,
    /// All sequences up to the length are explored.
    Length,
    /// As many paths were run as may be.
    Paths,
    /// It was stopped.
    Stopped,
}

/// A path that reached a goal first.
#[derive(Clone, Debug)]
pub struct Found {
    /// The sequence, with values.
    pub concrete: Concrete,
    /// Whether it ends by a failing assertion.
    pub fails_assertion: bool,
}

/// What exploring comes to.
pub struct Explored {
    /// The goals.
    pub goals: Goals,
    /// Whether each was reached, and if so whether without failing an assertion.
    pub reached: Vec<Option<bool>>,
    /// What was found, in order.
    pub found: Vec<Found>,
    /// How it ended.
    pub ending: Ending,
    /// How often runs took something by chance.
    pub chances: u64,
    /// What solvers were asked.
    pub queries: u64,
    /// States met, and those of them that others subsume.
    pub states: (u64, u64),
    /// Goals that paths came by of which the solver found no values.
    pub unsolved: BTreeSet<usize>,
    /// What was done.
    pub counts: Counts,
    /// How calls ended otherwise than by returning, with how often.
    pub mishaps: BTreeMap<String, u64>,
    /// The time that it took.
    pub phases: Phases,
    /// The memory that it took.
    pub memory: Memory,
    /// Whether everything that sequences may be made of was tried, where they came to an end.
    pub is_whole: bool,
    /// What of that was not, with the number of invokables that may still reach something.
    pub untried: CutCounts,
}

impl Explored {
    /// Whether every sequence that may be formed was explored, and nothing was cut off, refused or changed.
    pub(in crate::sequences) fn is_closed(&self) -> bool {
        self.ending == Ending::Closed
            && self.is_whole
            && self.counts.cut() == 0
            && self.counts.refused == 0
            && self.counts.altered == 0
            && self.counts.explored > 0
    }
}
