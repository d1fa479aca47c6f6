//! Searches that are steered towards open goals.

use heapwright_explore::symbolic::{Steering, SymbolicSearch};
use heapwright_jvm::Vm;

use super::branch_order::{OpenSides, ShortestFirst};
use super::goal_table::GoalTable;
use super::rarity::{RarestFirst, SharedBranchCounts};
use super::reachability::Open;
use crate::sequences::model::SequencesRequest;
use crate::sequences::plan::SearchPlan;

/// Creates a search for sequences of a plan, with probes placed for its goals.
pub(in crate::sequences) fn steered_search<'a>(
    vm: &mut Vm,
    plan: &'a SearchPlan,
    request: &SequencesRequest,
    goals: &mut GoalTable,
    open: Open,
    counts: SharedBranchCounts,
) -> SymbolicSearch<'a> {
    let mut search = SymbolicSearch::of_scripts(
        &plan.classes,
        request.values,
        request.limits,
        request.step_limit,
    );
    search.ask_at(goals.probe(vm));
    let order = ShortestFirst::new(vm, goals, plan);
    search.steer(
        order
            .and(OpenSides::new(goals, open.clone()))
            .and(RarestFirst::new(counts, open)),
    );
    search
}
