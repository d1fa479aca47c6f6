//! Terms over open values, and decision procedures for them.
//!
//! [`Store`] holds variables over finite integer domains and linear relations between them, on a
//! trail. [`Terms`] numbers sums of variables, so that a machine word can represent one. [`count`]
//! counts the assignments of a store. [`smt`] has terms over Java's values in full, and decides
//! them. The crate is independent of heaps.

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
pub use terms::{SumInterpretation, SumTerm, TermId, Terms};
