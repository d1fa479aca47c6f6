//! Proofs about goals that no test covers: whether any sequence could reach them.
//!
//! `verdict` gathers reasons. `infeasibility` runs methods on open objects (`runner`), and `invariants`
//! infers facts that every call keeps. `completeness` decides whether sequences do all that other Java code
//! could do. All read `subject_code`.

mod completeness;
mod infeasibility;
mod invariants;
mod runner;
mod subject_code;
mod verdict;
