//! Steering: restricts and orders the paths of a symbolic search by knowledge of the code.

use std::cell::Cell;

use heapwright_jvm::probes::ProbeVisit;
use heapwright_jvm::{BranchSuccessor, MethodId, ReadPosition};

use super::cuts::InputCut;

/// Side of a fork that a path did not take.
#[derive(Clone, Debug, Default)]
pub struct Untaken {
    /// Target of the side, if the fork is a condition with two successors.
    pub other: Option<(MethodId, BranchSuccessor)>,
    /// Target of the side that is tried first, if the fork is such a condition.
    pub first: Option<(MethodId, BranchSuccessor)>,
    /// Positions of the frames with known methods, the innermost first, as bytecode indices; at
    /// most [`SITES`] of them.
    pub sites: Vec<(MethodId, u16)>,
    /// Whether the fork lies in a callee of the first of these frames.
    pub is_called: bool,
}

/// Number of frames whose positions are recorded.
pub(super) const SITES: usize = 3;

/// Extent of the lookahead behind a side for goals that are still open.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Lookahead {
    /// To the end of the call.
    Call,
    /// To the next jump in known code.
    Jump,
    /// The side itself only.
    Side,
}

/// Strategy that restricts and orders the paths of a search.
///
/// Its decisions may depend only on the path and on the results of earlier paths, so that a path is
/// the same wherever it is walked. A strategy states only what it decides; the defaults leave a
/// search depth first and whole. [`Steering::and`] composes strategies.
pub trait Steering {
    /// Begins the search proper, after the first runs.
    fn begin(&mut self) {}

    /// Records a probe on the path; returns whether to continue the path.
    fn visit(&mut self, visit: ProbeVisit) -> bool {
        let _ = visit;
        true
    }

    /// Whether no more paths are wanted; called once at the end of each.
    fn is_over(&self) -> bool {
        false
    }

    /// Returns a mark for the current position, which only visits change.
    fn mark(&self) -> usize {
        0
    }

    /// Restores the position of a mark.
    fn undo_to(&mut self, mark: usize) {
        let _ = mark;
    }

    /// Whether the true side of a branch in a method is tried first; `None` if the order does not
    /// matter.
    fn holds_first(
        &self,
        method: MethodId,
        holds: BranchSuccessor,
        fails: BranchSuccessor,
    ) -> Option<bool> {
        let _ = (method, holds, fails);
        None
    }

    /// Whether a path past the one that is replayed takes the untaken side of a branch instead of
    /// the first, which the search then leaves out. For searches that claim nothing.
    fn leaves_first_out(&self, untaken: &Untaken) -> bool {
        let _ = untaken;
        false
    }

    /// Whether the code of a method is known.
    fn knows(&self, method: MethodId) -> bool {
        let _ = method;
        false
    }

    /// Whether an untaken side is still wanted after enough paths of the statement, with a
    /// lookahead of this extent.
    fn wants(&self, untaken: &Untaken, extent: Lookahead) -> bool {
        let _ = (untaken, extent);
        false
    }

    /// Records a cut beside the path at its current position.
    fn cut(&mut self, cut: InputCut) {
        let _ = cut;
    }

    /// Records where the path that ends has read static state of the program and the world.
    fn note_reads(&mut self, reads: &[ReadPosition]) {
        let _ = reads;
    }

    /// Whether the strategy itself bounds loops and recursion of a method.
    fn bounds(&self, method: MethodId) -> bool {
        let _ = method;
        false
    }

    /// Composes two strategies: both restrict the paths, and the other one orders the branches on
    /// which this one has no preference.
    fn and<S: Steering>(self, other: S) -> Both<Self, S>
    where
        Self: Sized,
    {
        Both {
            first: self,
            second: other,
            positions: Vec::new(),
        }
    }
}

/// Visits all paths, in depth-first order.
#[derive(Clone, Copy, Debug, Default)]
pub struct DepthFirst;

impl Steering for DepthFirst {}

/// Ends a search after a number of paths.
#[derive(Clone, Debug)]
pub struct AtMost(Cell<u64>);

impl AtMost {
    /// Creates a strategy for at most `paths` paths, but at least one.
    #[must_use]
    pub fn new(paths: u64) -> AtMost {
        AtMost(Cell::new(paths))
    }
}

impl Steering for AtMost {
    fn is_over(&self) -> bool {
        let left = self.0.get().saturating_sub(1);
        self.0.set(left);
        left == 0
    }
}

/// Two composed strategies; see [`Steering::and`].
#[derive(Clone, Debug)]
pub struct Both<A, B> {
    first: A,
    second: B,
    /// Marks of the two before each visit.
    positions: Vec<(usize, usize)>,
}

impl<A: Steering, B: Steering> Steering for Both<A, B> {
    fn begin(&mut self) {
        self.first.begin();
        self.second.begin();
        self.positions.clear();
    }

    fn visit(&mut self, visit: ProbeVisit) -> bool {
        self.positions.push((self.first.mark(), self.second.mark()));
        self.first.visit(visit) && self.second.visit(visit)
    }

    fn is_over(&self) -> bool {
        // Both count the path.
        let is_over = self.first.is_over();
        self.second.is_over() || is_over
    }

    fn mark(&self) -> usize {
        self.positions.len()
    }

    fn undo_to(&mut self, mark: usize) {
        if let Some(&(first, second)) = self.positions.get(mark) {
            self.first.undo_to(first);
            self.second.undo_to(second);
            self.positions.truncate(mark);
        }
    }

    fn holds_first(
        &self,
        method: MethodId,
        holds: BranchSuccessor,
        fails: BranchSuccessor,
    ) -> Option<bool> {
        let first = self.first.holds_first(method, holds, fails);
        first.or_else(|| self.second.holds_first(method, holds, fails))
    }

    fn leaves_first_out(&self, untaken: &Untaken) -> bool {
        self.first.leaves_first_out(untaken) || self.second.leaves_first_out(untaken)
    }

    fn knows(&self, method: MethodId) -> bool {
        self.first.knows(method) || self.second.knows(method)
    }

    fn wants(&self, untaken: &Untaken, extent: Lookahead) -> bool {
        self.first.wants(untaken, extent) || self.second.wants(untaken, extent)
    }

    fn cut(&mut self, cut: InputCut) {
        self.first.cut(cut);
        self.second.cut(cut);
    }

    fn note_reads(&mut self, reads: &[ReadPosition]) {
        self.first.note_reads(reads);
        self.second.note_reads(reads);
    }

    fn bounds(&self, method: MethodId) -> bool {
        self.first.bounds(method) || self.second.bounds(method)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Records points, and refuses those past a bound.
    struct UpTo(u32, Vec<u32>);

    impl Steering for UpTo {
        fn visit(&mut self, visit: ProbeVisit) -> bool {
            self.1.push(visit.point);
            visit.point <= self.0
        }

        fn mark(&self) -> usize {
            self.1.len()
        }

        fn undo_to(&mut self, mark: usize) {
            self.1.truncate(mark);
        }
    }

    fn at(point: u32) -> ProbeVisit {
        ProbeVisit {
            point,
            depth: 1,
            thrown: None,
        }
    }

    #[test]
    fn both_restrict_and_go_back_together() {
        let mut both = UpTo(5, vec![]).and(UpTo(3, vec![9])).and(DepthFirst);
        assert!(both.visit(at(1)));
        let mark = both.mark();
        assert!(both.visit(at(2)));
        assert!(!both.visit(at(4)));
        assert!(!both.visit(at(6)));
        both.undo_to(mark);
        assert_eq!(both.mark(), mark);
        assert_eq!(both.first.first.1, [1]);
        assert_eq!(both.first.second.1, [9, 1]);
        assert!(both.visit(at(3)));
        both.undo_to(0);
        assert_eq!(both.first.second.1, [9]);
    }

    #[test]
    fn each_part_counts_every_path() {
        let both = AtMost::new(2).and(AtMost::new(3));
        assert!(!both.is_over());
        assert!(both.is_over());
        assert!(both.second.is_over());
    }
}
