//! What tests are to reach in the code under test, and what a run reached of it.
//!
//! `goal_table` lists the goals that `goal_sites` finds in code, and `probes` puts probes where goals need
//! them. `reached` reads a run from the probes that it came by; `trees` keeps the paths of runs.
//! `steering` makes searches that `branch_order` and `reachability` lead to what is not reached yet.

pub(super) mod branch_order;
mod goal;
mod goal_sites;
mod goal_table;
mod probes;
pub(super) mod reachability;
mod reached;
mod steering;
mod string_switch;
mod text;
mod tree_text;
mod trees;

pub use goal::{Goal, PathId, Side, Site};
pub use goal_table::Goals;
pub(super) use steering::steered_search;
pub use trees::{ConstraintTrees, Leaf, RunEnd};
