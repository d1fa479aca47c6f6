//! Branch order: the side with the shorter distance to a return comes first, so that short paths of
//! a call come first. The order depends on the code alone, so the sides taken identify a path
//! again. Once a call has enough paths, only useful sides continue: those unreached, or those from
//! which an open goal is reachable. For library code, which has no goals, reachability is judged
//! from its caller.

use std::cell::RefCell;

use heapwright_code::ControlFlow;
use heapwright_explore::symbolic::{Lookahead, Steering, Untaken};
use heapwright_jvm::listing::{ListedOperation, Listing};
use heapwright_jvm::{BranchSuccessor, MethodId, Vm};
use rustc_hash::FxHashMap;

use super::goal_table::GoalTable;
use super::reachability::{Open, ReachabilityCache, TraversalResult, Until};
use crate::sequences::plan::SearchPlan;
use crate::statements::Invokable;

/// Cost of a call, in instructions.
const CALL: u32 = 50;
/// Cost of an end by an exception, in instructions.
const THROWS: u32 = 1_000_000;

/// Tries the side first from which a return of the method is nearer.
pub struct ShortestFirst {
    /// Distances from code locations to the returns of their methods.
    distances: FxHashMap<(MethodId, u16), u32>,
}

impl ShortestFirst {
    /// Computes the distances for the code under test, and for the stubs of a plan.
    #[must_use]
    pub fn new(vm: &Vm, goals: &GoalTable, plan: &SearchPlan) -> ShortestFirst {
        let mut order = ShortestFirst {
            distances: FxHashMap::default(),
        };
        for (&method, listing) in &goals.listings {
            order.add(method, listing);
        }
        let stubs = plan.invokables.iter().filter_map(Invokable::scripted_stub);
        for &method in stubs.flat_map(|stub| &vm.class(stub.class).methods) {
            if let Ok(listing) = vm.listing(method) {
                order.add(method, &listing);
            }
        }
        order
    }

    fn add(&mut self, method: MethodId, listing: &Listing) {
        let all = distances_in(listing, &ControlFlow::new(listing));
        let located = listing.instructions.iter().zip(all);
        let located = located.map(|(listed, distance)| ((method, listed.at), distance));
        self.distances.extend(located);
    }
}

/// Wants the untaken sides from which an open goal is reachable.
pub struct OpenSides {
    code: FxHashMap<MethodId, ControlFlow>,
    open: Open,
    followed: RefCell<ReachabilityCache>,
}

impl OpenSides {
    /// Reads the code under test; `open` has the goals, also those that open later.
    #[must_use]
    pub fn new(goals: &GoalTable, open: Open) -> OpenSides {
        let listings = goals.listings.iter();
        OpenSides {
            code: listings
                .map(|(&method, listing)| (method, ControlFlow::new(listing)))
                .collect(),
            open,
            followed: RefCell::default(),
        }
    }

    /// Whether an open goal is reachable from a side.
    fn leads(&self, untaken: &Untaken, until: Until) -> bool {
        let open = self.open.borrow();
        let mut followed = self.followed.borrow_mut();
        for (number, &(method, at)) in untaken.sites.iter().enumerate() {
            let Some(code) = self.code.get(&method) else {
                return false;
            };
            let from = match untaken.other {
                _ if number > 0 || untaken.is_called => code.successors_at(at),
                Some((_, BranchSuccessor::At(to))) => vec![to],
                Some((_, BranchSuccessor::Throws)) => code.handlers_at(at),
                None => vec![at],
            };
            match followed.met(method, code, from, until, &open) {
                TraversalResult::Open => return true,
                TraversalResult::End => {}
                TraversalResult::Nothing => return false,
            }
        }
        false
    }
}

/// Returns the distance from each instruction to a return.
fn distances_in(listing: &Listing, flow: &ControlFlow) -> Vec<u32> {
    let step = |number: usize| &listing.instructions[number].step;
    let cost = |number| match step(number) {
        ListedOperation::Return(_) => 0,
        ListedOperation::Throw => THROWS,
        ListedOperation::Invoke(..) => CALL,
        _ => 1,
    };
    let ends = |number| {
        matches!(
            step(number),
            ListedOperation::Return(_) | ListedOperation::Throw
        )
    };
    flow.distances(cost, ends)
}

impl Steering for ShortestFirst {
    fn holds_first(
        &self,
        method: MethodId,
        holds: BranchSuccessor,
        fails: BranchSuccessor,
    ) -> Option<bool> {
        let distance = |side: BranchSuccessor| match side {
            BranchSuccessor::Throws => Some(THROWS),
            BranchSuccessor::At(at) => self.distances.get(&(method, at)).copied(),
        };
        Some(distance(holds)? <= distance(fails)?)
    }
}

impl Steering for OpenSides {
    fn knows(&self, method: MethodId) -> bool {
        self.code.contains_key(&method)
    }

    fn wants(&self, untaken: &Untaken, extent: Lookahead) -> bool {
        let is_open = match untaken.other {
            Some((method, BranchSuccessor::At(at))) => self.open.borrow().contains((method, at)),
            _ => false,
        };
        is_open
            || match extent {
                Lookahead::Side => false,
                Lookahead::Jump => self.leads(untaken, Until::Jump),
                Lookahead::Call => self.leads(untaken, Until::End),
            }
    }
}
