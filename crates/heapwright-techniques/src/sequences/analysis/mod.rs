//! Static analyses: effects of invokables, and influences between them.
//!
//! `dataflow` computes effects, `criteria` decides whether one invokable can influence another, and
//! `candidates` enumerates the sequences that this relation admits.

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
mod text_forms;
