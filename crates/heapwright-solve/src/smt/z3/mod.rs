//! Z3 in process: an incremental solver that follows the path, and fresh ones for results that must
//! not depend on earlier queries.

#[expect(
    unsafe_code,
    reason = "Z3 is a C library; every block says why it is safe"
)]
mod library;

pub(super) use library::Library;
pub use library::{FoundLibrary, Stopper, find_library, limit_memory};

use library::{Context, Model, Solver};

use super::encode::{Encoder, width};
use super::op::TranslationTarget;
use super::path::PathLiteral;
use super::pool::TermPool;
use super::{Assignment, Satisfiability, SolverError, eval};

/// Limits after which a context is recreated: number of terms, of queries, and work (which Z3
/// counts in 32 bits). They bound memory.
const MAX_TERMS: usize = 200_000;
const MAX_ASKED: u32 = 20_000;
const MAX_WORK: u64 = 1 << 31;

/// Result of a check by Z3.
#[derive(Clone, Debug)]
pub(super) struct CheckResult {
    pub(super) verdict: Satisfiability,
    /// Model, if `verdict` is `Sat`.
    pub(super) model: Option<Assignment>,
    /// Units of work.
    pub(super) work: u64,
}

impl CheckResult {
    /// Result of a query for which the memory did not suffice.
    pub(super) fn unknown() -> CheckResult {
        CheckResult {
            verdict: Satisfiability::Unknown,
            model: None,
            work: 0,
        }
    }
}

/// Solver whose scopes are the literals of a path, synchronised at each query.
#[derive(Debug)]
pub(super) struct Incremental {
    library: Library,
    limit: u32,
    /// Dropped before its context, which it holds.
    solver: Solver,
    encoder: Encoder<Context>,
    /// Digests of the asserted literals, one for each scope.
    scopes: Vec<u128>,
    work: u64,
    asked: u32,
}

impl Incremental {
    pub(super) fn new(library: Library, limit: u32) -> Result<Incremental, SolverError> {
        let context = Context::new(library, Vec::new())?;
        let solver = Solver::new(&context, true)?;
        solver.limit(limit)?;
        Ok(Incremental {
            library,
            limit,
            solver,
            encoder: Encoder::new(context),
            scopes: Vec::new(),
            work: 0,
            asked: 0,
        })
    }

    /// Decides whether the literals of the path, and a further one, can hold; the model covers
    /// `variables`.
    pub(super) fn check(
        &mut self,
        pool: &TermPool,
        path: impl Iterator<Item = (u128, PathLiteral)>,
        literal: Option<PathLiteral>,
        variables: &[u32],
        stopper: &Stopper,
    ) -> Result<CheckResult, SolverError> {
        let is_full = self.encoder.len() > MAX_TERMS || self.asked >= MAX_ASKED;
        if is_full || self.work > MAX_WORK {
            *self = Incremental::new(self.library, self.limit)?;
        }
        self.asked += 1;
        self.follow(pool, path, stopper)?;
        self.solver.push(stopper)?;
        if let Some(literal) = literal {
            let asked = self.encoder.literal(pool, literal.atom, literal.holds)?;
            self.solver.assert(&asked)?;
        }
        let verdict = self.solver.check(stopper)?;
        let model = match verdict {
            Satisfiability::Sat => Some(values(
                pool,
                &mut self.encoder,
                &self.solver.model()?,
                variables,
            )?),
            _ => None,
        };
        let work = self.solver.work()?;
        self.solver.pop(1)?;
        let before = std::mem::replace(&mut self.work, work);
        Ok(CheckResult {
            verdict,
            model,
            work: work.saturating_sub(before),
        })
    }

    /// Pops the scopes that are not on the path, and pushes those that are missing.
    fn follow(
        &mut self,
        pool: &TermPool,
        path: impl Iterator<Item = (u128, PathLiteral)>,
        stopper: &Stopper,
    ) -> Result<(), SolverError> {
        let mut depth = 0;
        for (digest, literal) in path {
            if self.scopes.get(depth) != Some(&digest) {
                if self.scopes.len() > depth {
                    self.solver.pop(self.scopes.len() - depth)?;
                    self.scopes.truncate(depth);
                }
                let condition = self.encoder.literal(pool, literal.atom, literal.holds)?;
                self.solver.push(stopper)?;
                self.scopes.push(digest);
                self.solver.assert(&condition)?;
            }
            depth += 1;
        }
        if self.scopes.len() > depth {
            self.solver.pop(self.scopes.len() - depth)?;
            self.scopes.truncate(depth);
        }
        Ok(())
    }
}

/// Decides literals in a fresh solver, with variables named by rank, so that the result depends on
/// the literals alone.
pub(super) fn solve(
    library: Library,
    limit: u32,
    pool: &TermPool,
    literals: &[PathLiteral],
    variables: &[u32],
    stopper: &Stopper,
) -> Result<CheckResult, SolverError> {
    let context = Context::new(library, variables.to_vec())?;
    let solver = Solver::new(&context, false)?;
    solver.limit(limit)?;
    let is_unbounded = literals
        .iter()
        .any(|literal| pool.is_unbounded(literal.atom));
    let mut encoder = Encoder::with_integers(context, is_unbounded);
    for &number in variables {
        if let Some(range) = encoder.range(pool, number)? {
            solver.assert(&range)?;
        }
    }
    for literal in literals {
        let condition = encoder.literal(pool, literal.atom, literal.holds)?;
        solver.assert(&condition)?;
    }
    let verdict = solver.check(stopper)?;
    let model = match verdict {
        Satisfiability::Sat => Some(values(pool, &mut encoder, &solver.model()?, variables)?),
        _ => None,
    };
    Ok(CheckResult {
        verdict,
        model,
        work: solver.work()?,
    })
}

fn values(
    pool: &TermPool,
    encoder: &mut Encoder<Context>,
    model: &Model,
    variables: &[u32],
) -> Result<Assignment, SolverError> {
    let mut assignment = Assignment::new();
    for &number in variables {
        let Some(input) = pool.input(number) else {
            continue;
        };
        let bits = if encoder.is_integer(input) {
            model.integer(&encoder.target.integer_variable(number)?)? as u64
        } else {
            model.bits(&encoder.target.variable(number, width(input))?)?
        };
        assignment.set(number, eval::in_range(input, bits));
    }
    Ok(assignment)
}
