//! Results common to all searches: leaves, counts and ends of a search.

use std::ops::ControlFlow;

use heapwright_jvm::{Exit, Limit, Ref};
use heapwright_solve::Count;

/// Cost of a query to a solver, in instructions.
pub const QUERY: u64 = 1_000;

/// Outcome of a candidate's run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Leaf {
    /// The predicate holds.
    Valid,
    /// The predicate does not hold.
    Invalid,
    /// The predicate threw this exception, which counts as not holding.
    Threw(Ref),
    /// The run reached a limit, ended the program, or met code that is refused or broken. The
    /// candidate is neither accepted nor rejected.
    Refused(Box<Exit>),
}

/// Counts of a search so far.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Candidates, or leaves of a lazy search, on which the predicate was decided.
    pub explored: Count,
    /// Structures that satisfy the predicate.
    pub valid: Count,
    /// Leaves of a lazy search that stand for valid structures.
    pub cubes: u64,
    /// Explored candidates or leaves on which the predicate threw an exception.
    pub threw: u64,
    /// Candidates on which the predicate gave no result, because it met refused code or reached a
    /// limit.
    pub refused: u64,
    /// Refused candidates on which the predicate reached a limit of one run.
    pub limited: u64,
    /// Bytecode instructions run.
    pub steps: u64,
    /// Cost of the leaves in instructions, besides those run.
    pub leaf_cost: u64,
    /// Choices made.
    pub choices: u64,
    /// Queries of a symbolic search to its solver on the paths to the leaves.
    pub queries: u64,
}

impl Progress {
    /// Counts a leaf on which the predicate was decided, and its cost in instructions.
    pub(crate) fn count_explored(&mut self, cost: u64) {
        self.explored += 1;
        self.leaf_cost += cost;
    }

    /// Counts a leaf on which the predicate gave no result, and its cost in instructions.
    pub(crate) fn count_refused(&mut self, exit: &Exit, cost: u64) {
        self.refused += 1;
        self.leaf_cost += cost;
        self.limited += u64::from(matches!(exit, Exit::Limit(_)));
    }

    /// Work of the search, in instructions. Where most fields remain unread, a search visits many
    /// leaves and runs hardly any instruction.
    #[must_use]
    pub fn work(&self) -> u64 {
        self.steps + self.leaf_cost + self.queries * QUERY
    }

    /// Number of leaves reached, including those without a result.
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
        self.leaf_cost += other.leaf_cost;
        self.choices += other.choices;
    }
}

/// Result of a visitor. A candidate at which the visitor breaks off is not counted.
pub type Visit = ControlFlow<()>;

/// Reason for the end of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// Every candidate was visited.
    Complete,
    /// The visitor broke off.
    ByVisitor,
    /// `ask` broke off between two slices.
    Interrupted,
    /// The criterion reached this limit after the last candidate visited.
    Limit(Limit),
}

/// Error that prevents a search from continuing.
#[derive(Debug, thiserror::Error)]
pub enum SearchError {
    /// The predicate cannot be called.
    #[error("the invariant cannot be run: {0}")]
    NotCallable(String),
    /// The predicate changes the structure permanently; the text names the place for people.
    #[error(
        "the invariant changes the structure ({0}), which the lazy search cannot follow: let it \
         put back what it changes, or use --search korat"
    )]
    Changes(String),
    /// The search was started at a path that its tree does not have.
    #[error("the prefix leads to choices that this search does not make")]
    Misfit,
}
