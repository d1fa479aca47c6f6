//! Where a path may go: what somebody who knows the code says as a path enters its blocks.

use heapwright_jvm::probes::Visit;
use heapwright_jvm::{MethodId, Side};

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

    /// Whether a side that a path did not take is wanted though enough paths were taken of the
    /// statement.
    fn wants(&self, method: MethodId, side: Side) -> bool {
        let _ = (method, side);
        false
    }

    /// Whether it bounds loops and recursion of a method itself.
    fn bounds(&self, method: MethodId) -> bool;
}
