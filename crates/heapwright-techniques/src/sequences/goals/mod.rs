//! Goals in the code under test, and the goals that a run reached.
//!
//! `goal_table` lists the goals that `goal_sites` finds in code, and `probes` places the probes
//! that goals need. `reached` derives the goals that a run reached from its probes; `trees` stores
//! the paths of runs. `steering` creates searches that `branch_order` and `reachability` guide to
//! open goals, and `rarity` to branches that few paths took.

pub(super) mod branch_order;
mod goal;
mod goal_sites;
mod goal_table;
mod probes;
pub(super) mod rarity;
pub(super) mod reachability;
mod reached;
mod steering;
mod text;
mod tree_text;
mod trees;

pub use goal::{CodeLocation, Goal, OperandOrder, PathId};
pub use goal_table::GoalTable;
pub(super) use steering::steered_search;
pub use trees::{ConstraintTrees, PathLeaf, RunEnd};
