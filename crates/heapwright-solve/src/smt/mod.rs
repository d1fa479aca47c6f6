//! Terms over Java's values, and decision procedures for conditions over them.
//!
//! A [`TermPool`] creates terms and simplifies them on creation; its evaluator defines their
//! semantics. A [`PathSolver`] holds the conditions of a path and decides the feasibility of
//! further ones. The stages, in order: constants, sets of values of single variables (`sets`,
//! `tabulated`), orders of variables (`orders`), independent parts (`path`), cached results
//! (`cache`), branch and prune over few floating-point variables (`boxes`), linear arithmetic
//! (`integers`), Z3 (`z3`). Invariant: no result depends on earlier queries.

mod bounds;
mod boxes;
mod cache;
mod candidates;
mod decision;
mod display;
mod encode;
mod eval;
mod integers;
mod op;
mod orders;
mod path;
mod pool;
mod ranges;
mod sets;
mod simplify;
mod smt_lib;
mod solver;
mod tabulated;
mod term;
mod unbounded;
mod z3;

pub use decision::{Decision, Limits, Satisfiability, SolverError, Statistics};
pub use display::Display;
pub use pool::TermPool;
pub use smt_lib::smt_lib;
pub use solver::{PathMark, PathSolver};
pub use term::{Assignment, Binary, Node, Sort, Term, Unary, VariableRange};
pub use z3::{FoundLibrary, Stopper, find_library, limit_memory};

#[cfg(test)]
mod tests;
