//! What all searches come to: leaves, counts, and how they end.

use std::ops::ControlFlow;

use heapwright_jvm::{Exit, Limit, Ref};
use heapwright_solve::Count;

/// How a candidate's run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Leaf {
    /// The predicate holds.
    Valid,
    /// The predicate does not hold.
    Invalid,
    /// The predicate threw this exception, which counts as not holding.
    Threw(Ref),
    /// The run came upon something that is refused, is broken or ends the program, or it reached a
    /// limit: the candidate can be neither kept nor dropped.
    Refused(Box<Exit>),
}

/// Counts of a search so far.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Candidates, or leaves of a lazy search, on which the predicate was decided.
    pub explored: Count,
    /// Structures on which it holds.
    pub valid: Count,
    /// Leaves of a lazy search that stand for valid structures.
    pub cubes: u64,
    /// Those on which it threw an exception.
    pub threw: u64,
    /// Candidates on which the predicate came to no answer, because it came upon something that is
    /// refused or reached a limit.
    pub refused: u64,
    /// Those of them on which it reached a limit of one run.
    pub limited: u64,
    /// Bytecode instructions run.
    pub steps: u64,
    /// Choices made.
    pub choices: u64,
    /// Questions that a symbolic search asked its solver on the way to the leaves.
    pub queries: u64,
}

impl Progress {
    /// Counts a leaf on which the predicate came to no answer.
    pub(crate) fn count_refused(&mut self, exit: &Exit) {
        self.refused += 1;
        self.limited += u64::from(matches!(exit, Exit::Limit(_)));
    }

    /// Leaves come to, those without an answer included.
    #[must_use]
    pub fn leaves(&self) -> Count {
        let mut leaves = self.explored.clone();
        leaves += self.refused;
        leaves
    }
}

impl std::ops::AddAssign<&Progress> for Progress {
    fn add_assign(&mut self, other: &Progress) {
        self.explored += &other.explored;
        self.valid += &other.valid;
        self.cubes += other.cubes;
        self.threw += other.threw;
        self.refused += other.refused;
        self.limited += other.limited;
        self.steps += other.steps;
        self.choices += other.choices;
    }
}

/// What a visitor says to a candidate. One that breaks off has not taken it: it is not counted.
pub type Visit = ControlFlow<()>;

/// How a search has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// Every candidate was visited.
    Complete,
    /// The visitor broke off.
    ByVisitor,
    /// Between two slices the answer was to stop.
    Interrupted,
    /// The criterion has reached this limit after the last candidate visited.
    Limit(Limit),
}

/// Why a search could not go on.
#[derive(Debug, thiserror::Error)]
pub enum SearchError {
    /// The predicate cannot be called.
    #[error("the invariant cannot be run: {0}")]
    NotCallable(String),
    /// The predicate leaves a change behind; where, for people.
    #[error(
        "the invariant changes the structure ({0}), which the lazy search cannot follow: let it \
         put back what it changes, or use --search korat"
    )]
    Changes(String),
    /// The search was to start at a path that its tree does not have.
    #[error("the prefix leads to choices that this search does not make")]
    Misfit,
}
