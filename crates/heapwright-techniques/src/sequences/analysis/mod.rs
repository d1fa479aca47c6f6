//! Facts that code tells before anything runs: effects of invokables, and which influences which.
//!
//! `dataflow` computes effects, `criteria` answers whether one invokable can influence another, and
//! `candidates` enumerates the sequences that these answers admit.

pub(super) mod candidates;
pub(super) mod criteria;
pub(super) mod dataflow;
pub(super) mod effects;
mod method_code;
pub(super) mod nondeterminism;
pub(super) mod receivers;
mod spanning_tree;
pub(super) mod static_analysis;
mod string_constants;
