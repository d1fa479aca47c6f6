//! Choice points and the search over them.
//!
//! A search walks the tree of choices of a deterministic program. The machine stops before it reads
//! an unchosen slot; the search sets a mark, chooses a value and lets it run on. At a leaf it goes
//! back to the newest mark with an untried alternative.

pub mod bits;
mod canonical;
mod criterion;
mod depth_first;
mod determinism;
pub mod external;
mod korat;
mod lazy;
mod partition;
mod progress;
mod reached;
mod search;
mod space;
mod span;
pub mod symbolic;
mod workers;

pub use heapwright_solve::Count;

pub use canonical::{
    CanonicalForm, Canonicalizer, ClassNumbers, NotMade, Omits, OutOfScope, SizeLimits,
};
pub use criterion::{ClassName, Coverage, Criterion, FailureCount, InClass, NoClass};
pub use depth_first::Tree;
pub use determinism::{Dependence, dependence};
pub use korat::KoratSearch;
pub use lazy::{AtEnd, Cube, LazySearch};
pub use partition::{Part, partition};
pub use progress::{End, Leaf, Progress, QUERY, SearchError, Visit};
pub use reached::{FormSet, Record};
pub use search::{Explorer, Search, SearchCallback, Strategy, Visitor};
pub use space::{Choice, ClassDomain, ClassDomainId, Domain, Entry, StateSpace};
pub use span::{ParseSpanError, Span};
pub use workers::{PartState, SearchState, WorkerEvent, Workers};
