//! How control goes on from places in code under test, and whether it comes to what is not reached yet.
//!
//! Invariant: it depends on the code and on what is open alone; what it remembers is of one version of
//! the latter.

use std::cell::RefCell;
use std::rc::Rc;

use heapwright_code::ControlFlow;
use heapwright_jvm::MethodId;
use rustc_hash::{FxHashMap, FxHashSet};

use super::goal::Site;

/// Places in code that lead to what is not reached yet.
#[derive(Debug, Default)]
pub struct OpenPlaces {
    places: FxHashSet<Site>,
    /// How often they were others.
    version: u64,
}

/// The same, as those who tell and those who ask share it.
pub type Open = Rc<RefCell<OpenPlaces>>;

impl OpenPlaces {
    /// These are open now.
    pub fn set(&mut self, places: impl Iterator<Item = Site>) {
        self.places.clear();
        self.places.extend(places);
        self.version += 1;
    }

    /// Whether a place is.
    #[must_use]
    pub fn contains(&self, site: Site) -> bool {
        self.places.contains(&site)
    }
}

/// How far control is followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Until {
    /// To the ways on from the next jump.
    Jump,
    /// To wherever it can go.
    End,
}

/// What comes of following it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Met {
    /// Something open.
    Open,
    /// The end of the method.
    End,
    /// Neither.
    Nothing,
}

/// What comes of going on from some places of a method.
fn follow(
    method: MethodId,
    flow: &ControlFlow,
    from: &[u16],
    until: Until,
    open: &OpenPlaces,
) -> Met {
    let mut todo: Vec<usize> = from.iter().filter_map(|&at| flow.place(at)).collect();
    let mut seen: FxHashSet<usize> = todo.iter().copied().collect();
    let mut met = Met::Nothing;
    while let Some(number) = todo.pop() {
        if open.contains((method, flow.at(number))) {
            return Met::Open;
        }
        if flow.is_return(number) {
            met = Met::End;
        }
        for &next in flow.next(number) {
            if flow.is_fork(number) && until == Until::Jump {
                if open.contains((method, flow.at(next))) {
                    return Met::Open;
                }
            } else if seen.insert(next) {
                todo.push(next);
            }
        }
    }
    met
}

/// What was found out of following control while the same was open.
#[derive(Default)]
pub(super) struct Followed {
    version: u64,
    known: FxHashMap<(MethodId, Vec<u16>, Until), Met>,
}

impl Followed {
    /// What comes of going on from some places of a method.
    pub fn met(
        &mut self,
        method: MethodId,
        flow: &ControlFlow,
        from: Vec<u16>,
        until: Until,
        open: &OpenPlaces,
    ) -> Met {
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
