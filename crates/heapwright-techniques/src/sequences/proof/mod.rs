//! Proofs that no sequence can reach the goals that no test covers.
//!
//! `verdict` collects reasons. `infeasibility` runs methods on open objects (`runner`), and
//! `invariants` infers facts that every call preserves. `completeness` decides whether sequences
//! can do everything that other Java code could do. All of them use `subject_code`.

mod completeness;
mod infeasibility;
mod invariants;
mod runner;
mod subject_code;
mod verdict;
