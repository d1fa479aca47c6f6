//! Terms over Java's values, and what decides conditions over them.
//!
//! A [`Pool`] makes terms, simplified as they are made; its evaluator says what they mean. A
//! [`PathSolver`] holds the conditions of a path and says which way a further one can turn out.
//! Stages in the order in which they are asked: constants, sets of values of single variables
//! (`sets`), orders of variables (`orders`), independent parts (`path`), answers already known
//! (`cache`), linear arithmetic (`integers`), Z3 (`z3`). Invariant: no answer depends on what was asked before.

mod bounds;
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
mod sets;
mod simplify;
mod smt_lib;
mod solver;
mod term;
mod unbounded;
mod z3;

pub use decision::{Decision, Limits, SolverError, Statistics, Verdict};
pub use display::Display;
pub use pool::Pool;
pub use smt_lib::smt_lib;
pub use solver::{Mark, PathSolver};
pub use term::{Assignment, Binary, Input, Node, Sort, Term, Unary};
pub use z3::Stopper;

#[cfg(test)]
mod tests;
