//! How control goes on from places in code under test, and whether it comes to what is not reached yet.
//!
//! Invariant: it depends on the code and on what is open alone; what it remembers is of one version of
//! the latter.

use std::cell::RefCell;
use std::rc::Rc;

use heapwright_jvm::MethodId;
use heapwright_jvm::listing::{Handler, Listing, Step};
use rustc_hash::{FxHashMap, FxHashSet};

use super::goals::Site;
use super::places::ways;

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

/// A method's code.
pub(super) struct Onward {
    at: Vec<u16>,
    /// The instructions that each can lead to.
    next: Vec<Vec<usize>>,
    /// Whether each chooses one.
    is_jump: Vec<bool>,
    is_return: Vec<bool>,
    handlers: Vec<Handler>,
}

impl Onward {
    pub fn new(listing: &Listing) -> Onward {
        let instructions = &listing.instructions;
        let mut next = Vec::new();
        let mut is_jump = Vec::new();
        for (place, listed) in instructions.iter().enumerate() {
            let mut to = ways(listing, listed.at);
            is_jump.push(to.len() > 1);
            match &listed.step {
                Step::Return(_) | Step::Throw => {}
                Step::Goto(target) => to.push(*target),
                step if step.falls_through() => {
                    to.extend(instructions.get(place + 1).map(|next| next.at));
                }
                _ => {}
            }
            let places = to.iter().filter_map(|&at| listing.place(at));
            next.push(places.collect());
        }
        let returns = |step: &Step| matches!(step, Step::Return(_));
        Onward {
            at: instructions.iter().map(|listed| listed.at).collect(),
            next,
            is_jump,
            is_return: instructions.iter().map(|one| returns(&one.step)).collect(),
            handlers: listing.handlers.clone(),
        }
    }

    /// The instructions that each leads to, by number.
    pub fn next(&self, place: usize) -> &[usize] {
        &self.next[place]
    }

    fn place(&self, at: u16) -> Option<usize> {
        self.at.binary_search(&at).ok()
    }

    /// Where an exception at a place is caught.
    pub fn caught(&self, at: u16) -> Vec<u16> {
        let handlers = self.handlers.iter();
        let own = handlers.filter(|handler| (handler.start..handler.end).contains(&at));
        own.map(|handler| handler.target).collect()
    }

    /// Where it goes on behind a call, the handlers of what it throws included.
    pub fn behind(&self, at: u16) -> Vec<u16> {
        let next = self.place(at).map(|place| &self.next[place]);
        let next = next.into_iter().flatten().map(|&place| self.at[place]);
        next.chain(self.caught(at)).collect()
    }

    /// What comes of going on from some places.
    fn follow(&self, method: MethodId, from: &[u16], until: Until, open: &OpenPlaces) -> Met {
        let mut todo: Vec<usize> = from.iter().filter_map(|&at| self.place(at)).collect();
        let mut seen: FxHashSet<usize> = todo.iter().copied().collect();
        let mut met = Met::Nothing;
        while let Some(place) = todo.pop() {
            if open.contains((method, self.at[place])) {
                return Met::Open;
            }
            if self.is_return[place] {
                met = Met::End;
            }
            for &next in &self.next[place] {
                if self.is_jump[place] && until == Until::Jump {
                    if open.contains((method, self.at[next])) {
                        return Met::Open;
                    }
                } else if seen.insert(next) {
                    todo.push(next);
                }
            }
        }
        met
    }
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
        code: &Onward,
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
        let met = code.follow(method, &key.1, until, open);
        self.known.insert(key, met);
        met
    }
}
