//! Results, limits and statistics of solvers.

use std::path::PathBuf;

use super::term::Assignment;

/// Satisfiability of a condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Satisfiability {
    /// Some assignment satisfies it.
    Sat,
    /// No assignment satisfies it.
    Unsat,
    /// The work limit was too small, or the solver is incomplete.
    Unknown,
}

/// Feasibility of both sides of a condition on a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Decision {
    /// Whether the condition can hold.
    pub holds: Satisfiability,
    /// Whether it can fail.
    pub fails: Satisfiability,
}

impl Decision {
    /// Decision for a condition that always or never holds.
    pub(super) fn sure(holds: bool) -> Decision {
        let (yes, no) = (Satisfiability::Sat, Satisfiability::Unsat);
        let (holds, fails) = if holds { (yes, no) } else { (no, yes) };
        Decision { holds, fails }
    }
}

/// Outcome of a stage for a set of literals.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum StageOutcome {
    /// Values that satisfy all literals.
    Values(Assignment),
    /// There are none.
    Impossible,
    /// The literals are none that the stage is for, or it would take too much.
    Open,
}

/// Limits of a solver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Units of Z3's work (`rlimit`) for each query.
    pub work: u64,
}

impl Default for Limits {
    /// Allows at most a second or two for most queries.
    fn default() -> Limits {
        Limits { work: 4_000_000 }
    }
}

/// Statistics of queries and of the stages that decided them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Number of conditions decided.
    pub queries: u64,
    /// Sides of conditions decided by a cached set of conditions.
    pub cache_hits: u64,
    /// Conditions decided without a solver or a model.
    pub decided_cheaply: u64,
    /// Sides of conditions that a known assignment satisfies.
    pub by_model: u64,
    /// Solver calls: of the linear integer solver or of branch and prune where these decide, otherwise
    /// of Z3.
    pub solver_calls: u64,
    /// Steps of the linear integer solver, nodes of branch and prune, and units of work of Z3.
    pub work: u64,
    /// Sides of conditions that remained unknown.
    pub unknown: u64,
}

impl Statistics {
    /// Adds the statistics of another solver.
    pub fn add(&mut self, other: &Statistics) {
        self.queries += other.queries;
        self.cache_hits += other.cache_hits;
        self.decided_cheaply += other.decided_cheaply;
        self.by_model += other.by_model;
        self.solver_calls += other.solver_calls;
        self.work += other.work;
        self.unknown += other.unknown;
    }

    /// Returns the difference from earlier statistics of the same solver.
    #[must_use]
    pub fn since(&self, before: &Statistics) -> Statistics {
        Statistics {
            queries: self.queries - before.queries,
            cache_hits: self.cache_hits - before.cache_hits,
            decided_cheaply: self.decided_cheaply - before.decided_cheaply,
            by_model: self.by_model - before.by_model,
            solver_calls: self.solver_calls - before.solver_calls,
            work: self.work - before.work,
            unknown: self.unknown - before.unknown,
        }
    }
}

/// Error of a solver.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SolverError {
    /// The library named by `HEAPWRIGHT_Z3` cannot be used.
    #[error("failed to load Z3 from {}, which HEAPWRIGHT_Z3 names: {reason}", file.display())]
    NamedLibrary {
        /// Path of the library.
        file: PathBuf,
        /// Reason for the failure.
        reason: String,
    },
    /// No library was found.
    #[error(
        "failed to find Z3 4.13 or later: install it, put its library (libz3.so) beside the program, \
         or name it in HEAPWRIGHT_Z3; tried {looked}"
    )]
    NoLibrary {
        /// Files tried, each with the reason for rejecting it.
        looked: String,
    },
    /// The query was stopped on request.
    #[error("failed to ask Z3 to the end: it was stopped")]
    Stopped,
    /// The query needs more memory than Z3 may take.
    #[error("failed to ask Z3 to the end: its memory is used up")]
    Memory,
    /// Z3 reported an unexpected error.
    #[error("failed to ask Z3: {0}")]
    Z3(String),
}
