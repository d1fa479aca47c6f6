//! Proofs about goals that no test covers: whether any sequence could reach them.
//!
//! `infeasibility` runs methods on open objects (`runner`), and `invariants` infers facts that every call
//! keeps. `completeness` decides whether sequences do all that other Java code could do. Both read
//! `code_under_test`.

pub(super) mod code_under_test;
pub(super) mod completeness;
pub(super) mod infeasibility;
mod invariants;
mod runner;
