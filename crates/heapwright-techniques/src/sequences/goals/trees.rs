//! Constraint trees: the paths that methods were seen to take (thesis, 3.3).
//!
//! A node is a decision in a method's own code, or a call: which path of which method it took, by
//! number and never as a copy. So a path is stored once, in the tree of its method, whoever calls it.
//!
//! Invariant: two runs have the same path if and only if they came by the same probes in calls that
//! lay in each other alike, and ended alike. What probes stand at makes paths finer or coarser.

use std::collections::{BTreeMap, BTreeSet};

use heapwright_code::ways;
use heapwright_jvm::listing::{Listing, Step};
use heapwright_jvm::probes::Visit;
use heapwright_jvm::{ClassId, MethodId, Vm};
use rustc_hash::FxHashMap;

use super::goal::PathId;

/// How a path ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Leaf {
    /// The method returns.
    Returned,
    /// It throws, after the probe at a bytecode index: an exception of the class, as it comes to code
    /// with probes or to the end of the run; none if code without probes has handled it.
    Threw(Option<ClassId>, u16),
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunEnd {
    /// The call returned.
    Returned,
    /// It threw an exception of this class.
    Threw(ClassId),
    /// It was not followed to its end.
    Left,
}

/// What a node stands for. Where an exception or a call comes from is the bytecode index of the last
/// probe before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Turn {
    /// From the jump at a bytecode index to that at another, the number of the way on.
    Way(u16, u16, u16),
    /// An exception that comes from the first index is handled at the second.
    Caught(u16, u16, ClassId),
    /// A call takes a path.
    Call(u16, PathId),
}

/// The number of the node that stands for a method's start. It is not counted.
pub(super) const START: u32 = 0;

/// The paths of one method.
#[derive(Clone, Debug, Default)]
pub(super) struct Tree {
    /// Of each node but the start the parent, and what it stands for.
    pub(super) nodes: Vec<(u32, Turn)>,
    node_numbers: FxHashMap<(u32, Turn), u32>,
    /// Of each path the last node, and how it ends.
    pub(super) paths: Vec<(u32, Leaf)>,
    path_numbers: FxHashMap<(u32, Leaf), u32>,
    /// Nodes at which a run was not followed further.
    pub(super) left: BTreeSet<u32>,
}

impl Tree {
    fn turn(&mut self, parent: u32, turn: Turn) -> u32 {
        let next = self.nodes.len() as u32 + 1;
        let number = *self.node_numbers.entry((parent, turn)).or_insert(next);
        if number == next {
            self.nodes.push((parent, turn));
        }
        number
    }

    fn end(&mut self, node: u32, leaf: Leaf) -> u32 {
        let next = self.paths.len() as u32 + 1;
        let number = *self.path_numbers.entry((node, leaf)).or_insert(next);
        if number == next {
            self.paths.push((node, leaf));
        }
        number
    }
}

/// A call that has not ended.
#[derive(Clone, Copy, Debug)]
struct Open {
    method: MethodId,
    /// How many frames there are with it.
    depth: u32,
    node: u32,
    /// The bytecode index of the last probe it came by.
    last: u16,
}

/// The trees of all methods that were seen.
#[derive(Clone, Debug, Default)]
pub struct ConstraintTrees {
    pub(super) trees: BTreeMap<MethodId, Tree>,
}

impl ConstraintTrees {
    /// Enters the probes that a run of a method came by, and so the paths of all that it called; the
    /// path it took, if it was followed to its end. `listings` has the code of all methods with
    /// probes, which stand at their starts, their returns, their handlers, what jumps and where to.
    pub fn enter(
        &mut self,
        vm: &Vm,
        listings: &BTreeMap<MethodId, Listing>,
        method: MethodId,
        visits: &[Visit],
        end: RunEnd,
    ) -> Option<PathId> {
        let mut stack: Vec<Open> = Vec::new();
        // What is called by nobody else that has probes.
        let mut outermost: Vec<PathId> = Vec::new();
        for visit in visits {
            let point = vm.point(visit.point);
            // What has ended since.
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
                stack.push(Open {
                    method: point.method,
                    depth: visit.depth,
                    node: START,
                    last: point.at,
                });
                continue;
            };
            let turn = match visit.thrown {
                Some(class) => Some(Turn::Caught(top.last, point.at, class)),
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

    /// The last call has ended. `thrown` is what it threw if it did not return.
    fn close(
        &mut self,
        listings: &BTreeMap<MethodId, Listing>,
        stack: &mut Vec<Open>,
        outermost: &mut Vec<PathId>,
        thrown: Option<ClassId>,
    ) {
        let Some(open) = stack.pop() else {
            return;
        };
        let leaf = match step(listings, open) {
            Some(Step::Return(_)) => Leaf::Returned,
            _ => Leaf::Threw(thrown, open.last),
        };
        let tree = self.trees.entry(open.method).or_default();
        let path = PathId {
            method: open.method,
            number: tree.end(open.node, leaf),
        };
        match stack.last_mut() {
            Some(caller) => {
                let tree = self.trees.entry(caller.method).or_default();
                caller.node = tree.turn(caller.node, Turn::Call(caller.last, path));
            }
            None => outermost.push(path),
        }
    }

    /// The path of a method under test that came to `called`. That is its own path, unless what ran
    /// in its place has no probes: code of the library, or of a class that is not under test.
    fn whole(&mut self, method: MethodId, called: &[PathId], end: RunEnd) -> PathId {
        if let &[path] = called
            && path.method == method
            && matches!(self.leaf(path), Some(Leaf::Returned)) == (end == RunEnd::Returned)
        {
            return path;
        }
        let tree = self.trees.entry(method).or_default();
        let mut node = START;
        for &path in called {
            node = tree.turn(node, Turn::Call(0, path));
        }
        let leaf = match end {
            RunEnd::Threw(class) => Leaf::Threw(Some(class), 0),
            _ => Leaf::Returned,
        };
        PathId {
            method,
            number: tree.end(node, leaf),
        }
    }

    /// How a path ends.
    #[must_use]
    pub fn leaf(&self, path: PathId) -> Option<Leaf> {
        let paths = &self.trees.get(&path.method)?.paths;
        let number = (path.number as usize).checked_sub(1)?;
        Some(paths.get(number)?.1)
    }

    /// The paths that a path of a method refers to, in the order of its calls.
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
            if let Turn::Call(_, path) = turn {
                calls.push(path);
            }
            node = parent;
        }
        calls.reverse();
        calls
    }

    /// The methods that were seen.
    pub fn methods(&self) -> impl Iterator<Item = MethodId> {
        self.trees.keys().copied()
    }

    /// The paths of a method.
    pub fn paths(&self, method: MethodId) -> impl Iterator<Item = PathId> {
        let paths = self.trees.get(&method).map_or(0, |tree| tree.paths.len());
        (1..=paths as u32).map(move |number| PathId { method, number })
    }

    /// How many paths and how many nodes there are in all trees, the starts of methods apart.
    #[must_use]
    pub fn size(&self) -> (u64, u64) {
        let sizes = self.trees.values();
        let sizes = sizes.map(|tree| (tree.paths.len() as u64, tree.nodes.len() as u64));
        sizes.fold((0, 0), |sum, size| (sum.0 + size.0, sum.1 + size.1))
    }
}

/// The instruction at the last probe of a call.
fn step(listings: &BTreeMap<MethodId, Listing>, open: Open) -> Option<&Step> {
    let listing = listings.get(&open.method)?;
    let place = listing.place(open.last)?;
    Some(&listing.instructions[place].step)
}

/// The way that a call took from its last probe to the next.
fn way(listings: &BTreeMap<MethodId, Listing>, open: Open, to: u16) -> Option<Turn> {
    let ways = ways(listings.get(&open.method)?, open.last);
    let way = ways.iter().position(|&way| way == to)?;
    (ways.len() > 1).then_some(Turn::Way(open.last, to, way as u16))
}

/// Whether a call that comes by the probe at its start may come from its last one, rather than that
/// it has ended and there is a further call.
fn repeats(listings: &BTreeMap<MethodId, Listing>, open: Open) -> bool {
    let Some(listing) = listings.get(&open.method) else {
        return false;
    };
    let mut place = listing.place(open.last);
    // Code without a jump that has ways ends, or comes back to where it was.
    for _ in &listing.instructions {
        let Some(listed) = place.and_then(|place| listing.instructions.get(place)) else {
            return false;
        };
        match &listed.step {
            Step::Branch(..) | Step::Switch(_) => return ways(listing, listed.at).contains(&0),
            Step::Goto(0) => return true,
            Step::Goto(to) => place = listing.place(*to),
            step if step.falls_through() => place = place.map(|place| place + 1),
            _ => return false,
        }
    }
    false
}
