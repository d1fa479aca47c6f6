//! The conditions of a path, and which way a further one can turn out.

use std::path::PathBuf;

use super::pool::Pool;
use super::term::{Assignment, Term};

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

/// How far a solver goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Z3's units of work (`rlimit`) a query.
    pub work: u64,
}

impl Default for Limits {
    /// A few seconds at most for any query.
    fn default() -> Limits {
        Limits { work: 20_000_000 }
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
    /// Calls of the solver.
    pub solver_calls: u64,
    /// Its units of work.
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
    /// Z3 does what it must not.
    #[error("failed to ask Z3: {0}")]
    Z3(String),
}

/// Where a path stood.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mark {
    conditions: usize,
}

/// The conditions of a path.
#[derive(Debug)]
pub struct PathSolver {
    #[expect(dead_code, reason = "read once there is a solver")]
    limits: Limits,
    conditions: Vec<Term>,
    statistics: Statistics,
}

impl PathSolver {
    /// No conditions. Z3 is not loaded before it is needed.
    #[must_use]
    pub fn new(limits: Limits) -> PathSolver {
        PathSolver {
            limits,
            conditions: Vec::new(),
            statistics: Statistics::default(),
        }
    }

    /// Where the path stands.
    #[must_use]
    pub fn mark(&self) -> Mark {
        Mark {
            conditions: self.conditions.len(),
        }
    }

    /// Takes back what was asserted since.
    pub fn undo_to(&mut self, mark: Mark) {
        self.conditions.truncate(mark.conditions);
    }

    /// Adds a condition, which must be possible with those before.
    pub fn assert(&mut self, _pool: &Pool, condition: Term) {
        self.conditions.push(condition);
    }

    /// Which way a condition can turn out. Nothing is asserted.
    ///
    /// # Errors
    /// Z3 is needed and missing, or fails.
    pub fn decide(&mut self, pool: &Pool, condition: Term) -> Result<Decision, SolverError> {
        self.statistics.queries += 1;
        Ok(match pool.constant_of(condition) {
            Some(0) => Decision {
                holds: Verdict::Unsat,
                fails: Verdict::Sat,
            },
            Some(_) => Decision {
                holds: Verdict::Sat,
                fails: Verdict::Unsat,
            },
            None => Decision {
                holds: Verdict::Unknown,
                fails: Verdict::Unknown,
            },
        })
    }

    /// What was asserted, oldest first.
    #[must_use]
    pub fn conditions(&self) -> &[Term] {
        &self.conditions
    }

    /// Values that make all conditions true, which depend on the set of conditions alone; `None`
    /// where none were found within the limits.
    ///
    /// # Errors
    /// Z3 is needed and missing, or fails.
    pub fn model(&mut self, _pool: &Pool) -> Result<Option<Assignment>, SolverError> {
        Ok(None)
    }

    /// What was asked so far.
    #[must_use]
    pub fn statistics(&self) -> &Statistics {
        &self.statistics
    }
}

/// The conditions as a script in SMT-LIB 2.6.
#[must_use]
pub fn smt_lib(_pool: &Pool, _conditions: &[Term], _name: impl Fn(u32) -> String) -> String {
    String::new()
}
