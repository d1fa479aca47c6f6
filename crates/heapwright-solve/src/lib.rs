//! Terms over the values nobody has fixed yet, and what decides them.
//!
//! [`Store`] holds variables over finite domains of integers and the linear relations between
//! them, on a trail; [`Terms`] names sums of variables, so that a machine word can stand for one;
//! [`count`] says how many assignments a store leaves. [`smt`] has terms over Java's values in full,
//! and decides them. Nothing here knows of heaps.

mod assignments;
pub mod count;
mod domain;
mod linear;
mod number;
pub mod smt;
mod store;
mod terms;

pub use assignments::Assignments;
pub use domain::Domain;
pub use linear::{Linear, Relation};
pub use number::Count;
pub use store::{Constraint, Mark, Store, Table, Var};
pub use terms::{Sort, Term, TermId, Terms};
