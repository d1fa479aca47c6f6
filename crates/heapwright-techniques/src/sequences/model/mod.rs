//! Data shared by all layers: requests, and sequences with values.
//!
//! **Invariant:** this module neither reads code nor runs it.

mod concrete;
mod phases;
mod request;

pub use concrete::Concrete;
pub use phases::{Memory, Phases};
pub use request::{
    BoundExtension, CoverageCriterion, MemberAccess, SequenceBounds, SequencesRequest, ValuesByType,
};
