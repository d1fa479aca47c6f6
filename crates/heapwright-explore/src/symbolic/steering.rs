//! Where a path may go: what somebody who knows the code says as a path enters its blocks.

use heapwright_jvm::probes::Visit;
use heapwright_jvm::{MethodId, Side};

use super::cuts::Cut;

/// A side of a fork that a path did not take.
#[derive(Clone, Debug, Default)]
pub struct Untaken {
    /// Where it leads, if the fork is a condition with two ways on.
    pub other: Option<(MethodId, Side)>,
    /// Where the frames stand whose methods somebody knows, the innermost first, as bytecode indices: at
    /// most [`SITES`] of them.
    pub sites: Vec<(MethodId, u16)>,
    /// Whether the fork is not in the first of these but in what it has called.
    pub is_called: bool,
}

/// Of how many frames it is noted where they stand.
pub(super) const SITES: usize = 3;

/// How far is looked behind a side for something that is still waited for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Extent {
    /// Through the rest of the call.
    Call,
    /// To the next jump in code that somebody knows.
    Jump,
    /// No further than the side itself.
    Side,
}

/// Follows a path by the probes that it comes by, and may end it.
///
/// What it says may depend on the path alone, and on what was found on paths before it: a path is
/// then the same wherever it is walked.
pub trait Steering {
    /// The search begins; what was before was a trial.
    fn begin(&mut self);

    /// The path has come to a probe; whether it is wanted further.
    fn visit(&mut self, visit: Visit) -> bool;

    /// Whether no more paths are wanted; asked at the end of each.
    fn is_over(&self) -> bool;

    /// Where it stands.
    fn mark(&self) -> usize;

    /// Goes back to where it stood.
    fn undo_to(&mut self, mark: usize);

    /// Whether of a branch in a method the side on which the condition holds is to be tried first;
    /// `None` if that does not matter.
    fn holds_first(&self, method: MethodId, holds: Side, fails: Side) -> Option<bool>;

    /// Whether it knows the code of a method.
    fn knows(&self, method: MethodId) -> bool {
        let _ = method;
        false
    }

    /// Whether a side that a path did not take is wanted though enough paths were taken of the
    /// statement, as far as is looked.
    fn wants(&self, untaken: &Untaken, extent: Extent) -> bool {
        let _ = (untaken, extent);
        false
    }

    /// Something is cut off beside the path, where it stands now.
    fn cut(&mut self, cut: Cut) {
        let _ = cut;
    }

    /// Whether it bounds loops and recursion of a method itself.
    fn bounds(&self, method: MethodId) -> bool;
}
