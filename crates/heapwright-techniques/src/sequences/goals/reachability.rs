//! Decides whether control can reach an open goal from a location in code under test.
//!
//! Invariant: results depend only on the code and on the open places; cached results belong to one
//! version of the latter.

use std::cell::RefCell;
use std::rc::Rc;

use heapwright_code::ControlFlow;
use heapwright_jvm::MethodId;
use rustc_hash::{FxHashMap, FxHashSet};

use super::goal::CodeLocation;

/// Code locations that are open goals or lead to one.
#[derive(Debug, Default)]
pub struct OpenPlaces {
    places: FxHashSet<CodeLocation>,
    /// Version number, incremented on each change.
    version: u64,
}

/// Open places, shared by the search that sets them and the steering that reads them.
pub type Open = Rc<RefCell<OpenPlaces>>;

impl OpenPlaces {
    /// Sets the open places.
    pub fn set(&mut self, places: impl Iterator<Item = CodeLocation>) {
        self.places.clear();
        self.places.extend(places);
        self.version += 1;
    }

    /// Whether a location is open.
    #[must_use]
    pub fn contains(&self, site: CodeLocation) -> bool {
        self.places.contains(&site)
    }
}

/// Extent of the traversal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Until {
    /// Up to the successors of the next jump.
    Jump,
    /// Throughout the method.
    End,
}

/// Result of the traversal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TraversalResult {
    /// An open place was found.
    Open,
    /// A return of the method was found, but no open place.
    End,
    /// Neither was found.
    Nothing,
}

/// Traverses a method from some locations.
fn follow(
    method: MethodId,
    flow: &ControlFlow,
    from: &[u16],
    until: Until,
    open: &OpenPlaces,
) -> TraversalResult {
    let mut todo: Vec<usize> = from.iter().filter_map(|&at| flow.place(at)).collect();
    let mut seen: FxHashSet<usize> = todo.iter().copied().collect();
    let mut met = TraversalResult::Nothing;
    while let Some(number) = todo.pop() {
        if open.contains((method, flow.at(number))) {
            return TraversalResult::Open;
        }
        if flow.is_return(number) {
            met = TraversalResult::End;
        }
        for &next in flow.next(number) {
            if flow.is_fork(number) && until == Until::Jump {
                if open.contains((method, flow.at(next))) {
                    return TraversalResult::Open;
                }
            } else if seen.insert(next) {
                todo.push(next);
            }
        }
    }
    met
}

/// Cached results of traversals for one version of the open places.
#[derive(Default)]
pub(super) struct ReachabilityCache {
    version: u64,
    known: FxHashMap<(MethodId, Vec<u16>, Until), TraversalResult>,
}

impl ReachabilityCache {
    /// Returns the result of a traversal from some locations of a method.
    pub fn met(
        &mut self,
        method: MethodId,
        flow: &ControlFlow,
        from: Vec<u16>,
        until: Until,
        open: &OpenPlaces,
    ) -> TraversalResult {
        if self.version != open.version {
            self.known.clear();
            self.version = open.version;
        }
        let key = (method, from, until);
        if let Some(&known) = self.known.get(&key) {
            return known;
        }
        let met = follow(method, flow, &key.1, until, open);
        self.known.insert(key, met);
        met
    }
}
