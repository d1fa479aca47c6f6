//! Steers paths to sides of branches that few paths took, so that each new path differs from those
//! before it.

use std::cell::RefCell;
use std::hash::{BuildHasher, BuildHasherDefault};
use std::rc::Rc;

use heapwright_explore::symbolic::{Steering, Untaken};
use heapwright_jvm::{BranchSuccessor, MethodId};
use rustc_hash::{FxHashMap, FxHasher};

use super::reachability::Open;

/// Numbers of times that paths took sides of branches.
#[derive(Debug, Default)]
pub struct BranchCounts {
    /// Whether paths are steered by the counts.
    pub is_on: bool,
    /// Counts by [`side_key`].
    counts: FxHashMap<u64, u32>,
}

/// Counts, shared by the search that adds to them and the steering that reads them.
pub type SharedBranchCounts = Rc<RefCell<BranchCounts>>;

/// Returns the key of a side of a branch: its target, and the calls through which it is reached.
#[must_use]
pub fn side_key(side: (MethodId, BranchSuccessor), sides: &Untaken) -> u64 {
    let callers = sides.sites.get(usize::from(!sides.is_called)..);
    BuildHasherDefault::<FxHasher>::default().hash_one((side, callers))
}

impl BranchCounts {
    /// Counts a side.
    pub fn add(&mut self, key: u64) {
        *self.counts.entry(key).or_default() += 1;
    }

    fn of(&self, key: u64) -> u32 {
        self.counts.get(&key).copied().unwrap_or_default()
    }
}

/// Takes the side of a branch that is an open goal, or else was taken less often.
pub struct RarestFirst {
    counts: SharedBranchCounts,
    open: Open,
}

impl RarestFirst {
    /// Steers by shared counts while these are on.
    #[must_use]
    pub fn new(counts: SharedBranchCounts, open: Open) -> RarestFirst {
        RarestFirst { counts, open }
    }

    fn is_open(&self, side: (MethodId, BranchSuccessor)) -> bool {
        match side {
            (method, BranchSuccessor::At(at)) => self.open.borrow().contains((method, at)),
            (_, BranchSuccessor::Throws) => false,
        }
    }
}

impl Steering for RarestFirst {
    fn leaves_first_out(&self, sides: &Untaken) -> bool {
        let counts = self.counts.borrow();
        let (true, Some(first), Some(other)) = (counts.is_on, sides.first, sides.other) else {
            return false;
        };
        match (self.is_open(first), self.is_open(other)) {
            (false, true) => true,
            (true, false) => false,
            _ => {
                let of = |side| counts.of(side_key(side, sides));
                of(other) < of(first)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn open_sides_come_first_and_then_rare_ones() {
        let (counts, open) = (SharedBranchCounts::default(), Open::default());
        let steering = RarestFirst::new(counts.clone(), open.clone());
        let side = |at| (MethodId(1), BranchSuccessor::At(at));
        let sides = Untaken {
            first: Some(side(3)),
            other: Some(side(9)),
            ..Untaken::default()
        };
        assert!(!steering.leaves_first_out(&sides));
        counts.borrow_mut().add(side_key(side(3), &sides));
        assert!(!steering.leaves_first_out(&sides), "the counts are off");
        counts.borrow_mut().is_on = true;
        assert!(steering.leaves_first_out(&sides));
        open.borrow_mut().set([(MethodId(1), 3)].into_iter());
        assert!(!steering.leaves_first_out(&sides));
        open.borrow_mut().set([(MethodId(1), 9)].into_iter());
        assert!(steering.leaves_first_out(&sides));
    }
}
