//! Steering: restricts and orders the paths of a symbolic search by knowledge of the code.

use heapwright_jvm::probes::Visit;
use heapwright_jvm::{BranchSuccessor, MethodId};

use super::cuts::Cut;

/// Side of a fork that a path did not take.
#[derive(Clone, Debug, Default)]
pub struct Untaken {
    /// Target of the side, if the fork is a condition with two successors.
    pub other: Option<(MethodId, BranchSuccessor)>,
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

/// Observer of the probes on a path that can end the path.
///
/// Its decisions may depend only on the path and on the results of earlier paths, so that a path is
/// the same wherever it is walked.
pub trait Steering {
    /// Begins the search proper, after the first runs.
    fn begin(&mut self);

    /// Records a probe on the path; returns whether to continue the path.
    fn visit(&mut self, visit: Visit) -> bool;

    /// Whether no more paths are wanted; called at the end of each.
    fn is_over(&self) -> bool;

    /// Returns a mark for the current position.
    fn mark(&self) -> usize;

    /// Restores the position of a mark.
    fn undo_to(&mut self, mark: usize);

    /// Whether the true side of a branch in a method is tried first; `None` if the order does not
    /// matter.
    fn holds_first(
        &self,
        method: MethodId,
        holds: BranchSuccessor,
        fails: BranchSuccessor,
    ) -> Option<bool>;

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
    fn cut(&mut self, cut: Cut) {
        let _ = cut;
    }

    /// Whether the steering itself bounds loops and recursion of a method.
    fn bounds(&self, method: MethodId) -> bool;
}
