//! Constraint trees: the paths that methods were seen to take (thesis, 3.3).
//!
//! A node is a decision in a method's own code, or a call with the number of the path taken by the
//! callee. Each path is therefore stored once, in the tree of its method, whatever the caller.
//!
//! Invariant: two runs have the same path exactly if they visited the same probes in the same
//! nesting of calls and ended alike. The placement of probes determines the granularity of paths.

use std::collections::{BTreeMap, BTreeSet};

use heapwright_code::branch_targets;
use heapwright_jvm::listing::{ListedOperation, Listing};
use heapwright_jvm::probes::ProbeVisit;
use heapwright_jvm::{ClassId, MethodId, Vm};
use rustc_hash::FxHashMap;

use super::goal::PathId;

/// End of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PathLeaf {
    /// The method returns.
    Returned,
    /// It throws after the probe at a bytecode index. The class is that of the exception on arrival
    /// at code with probes or at the run's end. `None` if code without probes handled it.
    Threw(Option<ClassId>, u16),
}

/// End of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunEnd {
    /// The call returned.
    Returned,
    /// It threw an exception of this class.
    Threw(ClassId),
    /// It was abandoned before its end.
    Left,
}

/// Decision of a node. Exceptions and calls are located at the bytecode index of the last probe
/// before them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum PathStep {
    /// The edge from the jump at one bytecode index to another index, with the number of the edge.
    Way(u16, u16, u16),
    /// An exception from the first index is caught at the second.
    Caught(u16, u16, ClassId),
    /// A call takes a path of the callee.
    Call(u16, PathId),
}

/// The number of the root node, which stands for the method's start and is not counted.
pub(super) const START: u32 = 0;

/// The paths of one method.
#[derive(Clone, Debug, Default)]
pub(super) struct PathTree {
    /// For each node except the root, its parent and its decision.
    pub(super) nodes: Vec<(u32, PathStep)>,
    node_numbers: FxHashMap<(u32, PathStep), u32>,
    /// For each path, its last node and its end.
    pub(super) paths: Vec<(u32, PathLeaf)>,
    path_numbers: FxHashMap<(u32, PathLeaf), u32>,
    /// Nodes at which a run was abandoned.
    pub(super) left: BTreeSet<u32>,
}

impl PathTree {
    fn turn(&mut self, parent: u32, turn: PathStep) -> u32 {
        let next = self.nodes.len() as u32 + 1;
        let number = *self.node_numbers.entry((parent, turn)).or_insert(next);
        if number == next {
            self.nodes.push((parent, turn));
        }
        number
    }

    fn end(&mut self, node: u32, leaf: PathLeaf) -> u32 {
        let next = self.paths.len() as u32 + 1;
        let number = *self.path_numbers.entry((node, leaf)).or_insert(next);
        if number == next {
            self.paths.push((node, leaf));
        }
        number
    }
}

/// An active call.
#[derive(Clone, Copy, Debug)]
struct ActiveCall {
    method: MethodId,
    /// Number of frames up to and including it.
    depth: u32,
    node: u32,
    /// The bytecode index of the last probe visited.
    last: u16,
}

/// The trees of all methods seen.
#[derive(Clone, Debug, Default)]
pub struct ConstraintTrees {
    pub(super) trees: BTreeMap<MethodId, PathTree>,
}

impl ConstraintTrees {
    /// Enters the probes that a run of a method visited, and thereby the paths of all callees.
    /// Returns the run's path, if it was followed to its end. `listings` has the code of all
    /// methods with probes. Probes are at starts, returns, handlers, jumps and jump targets.
    pub fn enter(
        &mut self,
        vm: &Vm,
        listings: &BTreeMap<MethodId, Listing>,
        method: MethodId,
        visits: &[ProbeVisit],
        end: RunEnd,
    ) -> Option<PathId> {
        let mut stack: Vec<ActiveCall> = Vec::new();
        // Paths of calls without a caller that has probes.
        let mut outermost: Vec<PathId> = Vec::new();
        for visit in visits {
            let point = vm.point(visit.point);
            // Close the calls that have ended since.
            while let Some(&top) = stack.last()
                && top.depth >= visit.depth
            {
                let is_same = top.depth == visit.depth && top.method == point.method;
                let goes_on = visit.thrown.is_some() || point.at != 0 || repeats(listings, top);
                if is_same && goes_on {
                    break;
                }
                self.close(listings, &mut stack, &mut outermost, visit.thrown);
            }
            let Some(top) = stack.last_mut().filter(|top| top.depth == visit.depth) else {
                stack.push(ActiveCall {
                    method: point.method,
                    depth: visit.depth,
                    node: START,
                    last: point.at,
                });
                continue;
            };
            let turn = match visit.thrown {
                Some(class) => Some(PathStep::Caught(top.last, point.at, class)),
                None => way(listings, *top, point.at),
            };
            if let Some(turn) = turn {
                let tree = self.trees.entry(top.method).or_default();
                top.node = tree.turn(top.node, turn);
            }
            top.last = point.at;
        }
        if end == RunEnd::Left {
            for open in stack {
                let tree = self.trees.entry(open.method).or_default();
                tree.left.insert(open.node);
            }
            return None;
        }
        let thrown = match end {
            RunEnd::Threw(class) => Some(class),
            _ => None,
        };
        while !stack.is_empty() {
            self.close(listings, &mut stack, &mut outermost, thrown);
        }
        Some(self.whole(method, &outermost, end))
    }

    /// Closes the innermost call; `thrown` is its exception if it did not return.
    fn close(
        &mut self,
        listings: &BTreeMap<MethodId, Listing>,
        stack: &mut Vec<ActiveCall>,
        outermost: &mut Vec<PathId>,
        thrown: Option<ClassId>,
    ) {
        let Some(open) = stack.pop() else {
            return;
        };
        let leaf = match step(listings, open) {
            Some(ListedOperation::Return(_)) => PathLeaf::Returned,
            _ => PathLeaf::Threw(thrown, open.last),
        };
        let tree = self.trees.entry(open.method).or_default();
        let path = PathId {
            method: open.method,
            number: tree.end(open.node, leaf),
        };
        match stack.last_mut() {
            Some(caller) => {
                let tree = self.trees.entry(caller.method).or_default();
                caller.node = tree.turn(caller.node, PathStep::Call(caller.last, path));
            }
            None => outermost.push(path),
        }
    }

    /// Returns the path of a method under test whose run made the calls `called`. It is the
    /// method's own path unless code without probes ran instead, such as library code.
    fn whole(&mut self, method: MethodId, called: &[PathId], end: RunEnd) -> PathId {
        if let &[path] = called
            && path.method == method
            && matches!(self.leaf(path), Some(PathLeaf::Returned)) == (end == RunEnd::Returned)
        {
            return path;
        }
        let tree = self.trees.entry(method).or_default();
        let mut node = START;
        for &path in called {
            node = tree.turn(node, PathStep::Call(0, path));
        }
        let leaf = match end {
            RunEnd::Threw(class) => PathLeaf::Threw(Some(class), 0),
            _ => PathLeaf::Returned,
        };
        PathId {
            method,
            number: tree.end(node, leaf),
        }
    }

    /// Returns the end of a path.
    #[must_use]
    pub fn leaf(&self, path: PathId) -> Option<PathLeaf> {
        let paths = &self.trees.get(&path.method)?.paths;
        let number = (path.number as usize).checked_sub(1)?;
        Some(paths.get(number)?.1)
    }

    /// Returns the paths of callees that a path of a method refers to, in the order of its calls.
    #[must_use]
    pub fn calls(&self, path: PathId) -> Vec<PathId> {
        let mut calls = Vec::new();
        let Some(tree) = self.trees.get(&path.method) else {
            return calls;
        };
        let last = tree.paths.get((path.number as usize).wrapping_sub(1));
        let mut node = last.map_or(START, |last| last.0);
        while node != START {
            let (parent, turn) = tree.nodes[node as usize - 1];
            if let PathStep::Call(_, path) = turn {
                calls.push(path);
            }
            node = parent;
        }
        calls.reverse();
        calls
    }

    /// Returns the methods seen.
    pub fn methods(&self) -> impl Iterator<Item = MethodId> {
        self.trees.keys().copied()
    }

    /// Returns the paths of a method.
    pub fn paths(&self, method: MethodId) -> impl Iterator<Item = PathId> {
        let paths = self.trees.get(&method).map_or(0, |tree| tree.paths.len());
        (1..=paths as u32).map(move |number| PathId { method, number })
    }

    /// Returns the numbers of paths and of nodes in all trees, without root nodes.
    #[must_use]
    pub fn size(&self) -> (u64, u64) {
        let sizes = self.trees.values();
        let sizes = sizes.map(|tree| (tree.paths.len() as u64, tree.nodes.len() as u64));
        sizes.fold((0, 0), |sum, size| (sum.0 + size.0, sum.1 + size.1))
    }
}

/// Returns the instruction at the last probe of a call.
fn step(listings: &BTreeMap<MethodId, Listing>, open: ActiveCall) -> Option<&ListedOperation> {
    let listing = listings.get(&open.method)?;
    let place = listing.place(open.last)?;
    Some(&listing.instructions[place].step)
}

/// Returns the edge that a call took from its last probe to the next, if its last probe is a fork.
fn way(listings: &BTreeMap<MethodId, Listing>, open: ActiveCall, to: u16) -> Option<PathStep> {
    let ways = branch_targets(listings.get(&open.method)?, open.last);
    let way = ways.iter().position(|&way| way == to)?;
    (ways.len() > 1).then_some(PathStep::Way(open.last, to, way as u16))
}

/// Whether the start probe may belong to a jump back in this call, rather than to a new call.
fn repeats(listings: &BTreeMap<MethodId, Listing>, open: ActiveCall) -> bool {
    let Some(listing) = listings.get(&open.method) else {
        return false;
    };
    let mut place = listing.place(open.last);
    // Code without forks returns or repeats an instruction within this many steps.
    for _ in &listing.instructions {
        let Some(listed) = place.and_then(|place| listing.instructions.get(place)) else {
            return false;
        };
        match &listed.step {
            ListedOperation::Branch(..) | ListedOperation::Switch(_) => {
                return branch_targets(listing, listed.at).contains(&0);
            }
            ListedOperation::Goto(0) => return true,
            ListedOperation::Goto(to) => place = listing.place(*to),
            step if step.falls_through() => place = place.map(|place| place + 1),
            _ => return false,
        }
    }
    false
}
