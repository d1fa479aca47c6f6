//! A suite of tests made of what exploring found: replayed, cut to what is needed, written down.

mod failing;
pub(super) mod minimal;
pub(super) mod null_filling;
mod observers;
pub(super) mod replay;
mod resets;
pub(super) mod selection;
mod statements;
mod statics;
mod typing;
mod writer;
