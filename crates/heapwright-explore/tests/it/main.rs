//! Tests of the searches on small programs.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod common;
mod control;
mod criteria;
mod cubes;
mod forms;
mod induction;
mod numbers;
mod references;
mod strategies;
mod strings;
mod structures;
mod tree;
