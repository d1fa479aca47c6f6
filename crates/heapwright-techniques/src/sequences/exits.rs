//! Which side of a branch is tried first: the one from which the method returns sooner, so that of the
//! paths of a call the short ones come first. It depends on the code alone, so that a path is found
//! again by the sides it took. When enough paths of a call were taken, only sides go on that nothing has
//! reached.

use std::cell::RefCell;
use std::rc::Rc;

use heapwright_explore::symbolic::Steering;
use heapwright_jvm::listing::{Listing, Step};
use heapwright_jvm::probes::Visit;
use heapwright_jvm::{MethodId, Side};
use rustc_hash::{FxHashMap, FxHashSet};

use super::goals::Goals;
use super::places::ways;

/// What a call counts, in instructions.
const CALL: u32 = 50;
/// What the end by an exception counts.
const THROWS: u32 = 1_000_000;

/// How far it is from places in code to where their methods return.
pub struct Exits {
    distances: FxHashMap<(MethodId, u16), u32>,
    open: Open,
}

/// Places in code that lead to what is not reached yet.
pub type Open = Rc<RefCell<FxHashSet<(MethodId, u16)>>>;

impl Exits {
    /// Of code under test.
    #[must_use]
    pub fn new(goals: &Goals, open: Open) -> Exits {
        let mut distances = FxHashMap::default();
        for (&method, listing) in &goals.listings {
            for (listed, distance) in listing.instructions.iter().zip(distances_in(listing)) {
                distances.insert((method, listed.at), distance);
            }
        }
        Exits { distances, open }
    }
}

/// Of each instruction.
fn distances_in(listing: &Listing) -> Vec<u32> {
    let instructions = &listing.instructions;
    let mut distances = vec![u32::MAX; instructions.len()];
    let mut has_changed = true;
    while has_changed {
        has_changed = false;
        for (place, listed) in instructions.iter().enumerate().rev() {
            let own = match &listed.step {
                Step::Return(_) => 0,
                Step::Throw => THROWS,
                step => {
                    let mut to = ways(listing, listed.at);
                    match step {
                        Step::Goto(target) => to.push(*target),
                        step if step.falls_through() => {
                            to.extend(instructions.get(place + 1).map(|next| next.at));
                        }
                        _ => {}
                    }
                    let next = to
                        .iter()
                        .filter_map(|&at| Some(distances[listing.place(at)?]));
                    let cost = match step {
                        Step::Invoke(..) => CALL,
                        _ => 1,
                    };
                    next.min().unwrap_or(u32::MAX).saturating_add(cost)
                }
            };
            if own < distances[place] {
                distances[place] = own;
                has_changed = true;
            }
        }
    }
    distances
}

impl Steering for Exits {
    fn begin(&mut self) {}

    fn visit(&mut self, _: Visit) -> bool {
        true
    }

    fn is_over(&self) -> bool {
        false
    }

    fn mark(&self) -> usize {
        0
    }

    fn undo_to(&mut self, _: usize) {}

    fn holds_first(&self, method: MethodId, holds: Side, fails: Side) -> Option<bool> {
        let distance = |side: Side| match side {
            Side::Throws => Some(THROWS),
            Side::At(at) => self.distances.get(&(method, at)).copied(),
        };
        Some(distance(holds)? <= distance(fails)?)
    }

    fn wants(&self, method: MethodId, side: Side) -> bool {
        matches!(side, Side::At(at) if self.open.borrow().contains(&(method, at)))
    }

    fn bounds(&self, _: MethodId) -> bool {
        false
    }
}
