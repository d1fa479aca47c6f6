//! Facts about a class's fields that every call preserves, and the goals that they make infeasible.
//!
//! A method is a set of paths on open objects. Each path has a condition on the fields before it,
//! and the values that it leaves in them. These are the summaries of Buy et al. (thesis, 4.1.2).
//! Before a call, every fact is assumed for all objects. A fact that some path may break is
//! dropped, until all paths, including those of constructors, preserve all remaining facts
//! (Flanagan and Leino's Houdini). No sequence can therefore create an object that violates a fact,
//! and a goal that no call then reaches is infeasible.
//!
//! **Invariant:** facts concern only fields that no other code than the analysed one can write. A
//! path that is cut preserves no fact about fields that could still be written.

mod fields;
mod inference;
mod report;

pub(super) use inference::prove;
