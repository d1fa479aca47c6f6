//! What a solver answers, how far it goes, and what it has done.

use std::path::PathBuf;

/// Whether something can be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// Some assignment makes it so.
    Sat,
    /// None does.
    Unsat,
    /// The work allowed was not enough to tell, or the solver cannot tell.
    Unknown,
}

/// Which way a condition can turn out, all of the path's holding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Decision {
    /// Whether the condition can hold.
    pub holds: Verdict,
    /// Whether it can fail.
    pub fails: Verdict,
}

impl Decision {
    /// It holds always, or never.
    pub(super) fn sure(holds: bool) -> Decision {
        let (yes, no) = (Verdict::Sat, Verdict::Unsat);
        let (holds, fails) = if holds { (yes, no) } else { (no, yes) };
        Decision { holds, fails }
    }
}

/// How far a solver goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Z3's units of work (`rlimit`) a query.
    pub work: u64,
}

impl Default for Limits {
    /// A second or two at most for most queries.
    fn default() -> Limits {
        Limits { work: 4_000_000 }
    }
}

/// What was asked and who answered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Conditions asked about.
    pub queries: u64,
    /// Sides of conditions answered by a set of conditions met before.
    pub cache_hits: u64,
    /// Conditions decided without a solver or a model.
    pub decided_cheaply: u64,
    /// Sides of conditions that a known assignment makes true.
    pub by_model: u64,
    /// Calls of a solver: of that for linear integers where it can tell, else of Z3.
    pub solver_calls: u64,
    /// Steps of the one, units of work of the other.
    pub work: u64,
    /// Sides of conditions that stayed unknown.
    pub unknown: u64,
}

impl Statistics {
    /// Adds what another solver did.
    pub fn add(&mut self, other: &Statistics) {
        self.queries += other.queries;
        self.cache_hits += other.cache_hits;
        self.decided_cheaply += other.decided_cheaply;
        self.by_model += other.by_model;
        self.solver_calls += other.solver_calls;
        self.work += other.work;
        self.unknown += other.unknown;
    }

    /// What was done since these were taken of the same solver.
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

/// Why no answer can be had.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SolverError {
    /// The library that `HEAPWRIGHT_Z3` names cannot be used.
    #[error("failed to load Z3 from {}, which HEAPWRIGHT_Z3 names: {reason}", file.display())]
    NamedLibrary {
        /// The file.
        file: PathBuf,
        /// Why.
        reason: String,
    },
    /// There is no library.
    #[error(
        "failed to load Z3, which conditions over symbolic values need: install Z3 4.13 or later, \
         or set HEAPWRIGHT_Z3 to the file of its library (libz3.so); looked for it as\n  {looked}"
    )]
    NoLibrary {
        /// Where it was looked for, and why it was not taken, a line each.
        looked: String,
    },
    /// The question was ended before its end, as was asked.
    #[error("failed to ask Z3 to the end: it was stopped")]
    Stopped,
    /// Z3 does what it must not.
    #[error("failed to ask Z3: {0}")]
    Z3(String),
}
