//! Which side of a branch is tried first: the one from which the method returns sooner, so that of the
//! paths of a call the short ones come first. It depends on the code alone, so that a path is found
//! again by the sides it took. When enough paths of a call were taken, only sides go on that nothing has
//! reached, or that code behind them is still to reach something by: of library code, which has no goals,
//! it is the code that called it.

use std::cell::RefCell;

use heapwright_code::ControlFlow;
use heapwright_explore::symbolic::{Extent, Steering, Untaken};
use heapwright_jvm::listing::{Listing, Step};
use heapwright_jvm::probes::Visit;
use heapwright_jvm::{MethodId, Side};
use rustc_hash::FxHashMap;

use super::goal_table::Goals;
use super::reachability::{Followed, Met, Open, Until};

/// What a call counts, in instructions.
const CALL: u32 = 50;
/// What the end by an exception counts.
const THROWS: u32 = 1_000_000;

/// How far it is from places in code to where their methods return.
pub struct Exits {
    distances: FxHashMap<(MethodId, u16), u32>,
    code: FxHashMap<MethodId, ControlFlow>,
    open: Open,
    followed: RefCell<Followed>,
}

impl Exits {
    /// Of code under test.
    #[must_use]
    pub fn new(goals: &Goals, open: Open) -> Exits {
        let mut distances = FxHashMap::default();
        let mut code = FxHashMap::default();
        for (&method, listing) in &goals.listings {
            let flow = ControlFlow::new(listing);
            let all = distances_in(listing, &flow);
            for (listed, distance) in listing.instructions.iter().zip(all) {
                distances.insert((method, listed.at), distance);
            }
            code.insert(method, flow);
        }
        Exits {
            distances,
            code,
            open,
            followed: RefCell::default(),
        }
    }

    /// Whether something open is met behind a side.
    fn leads(&self, untaken: &Untaken, until: Until) -> bool {
        let open = self.open.borrow();
        let mut followed = self.followed.borrow_mut();
        for (number, &(method, at)) in untaken.sites.iter().enumerate() {
            let Some(code) = self.code.get(&method) else {
                return false;
            };
            let from = match untaken.other {
                _ if number > 0 || untaken.is_called => code.behind(at),
                Some((_, Side::At(to))) => vec![to],
                Some((_, Side::Throws)) => code.caught(at),
                None => vec![at],
            };
            match followed.met(method, code, from, until, &open) {
                Met::Open => return true,
                Met::End => {}
                Met::Nothing => return false,
            }
        }
        false
    }
}

/// How far it is from each instruction to where the method returns.
fn distances_in(listing: &Listing, flow: &ControlFlow) -> Vec<u32> {
    let step = |number: usize| &listing.instructions[number].step;
    let cost = |number| match step(number) {
        Step::Return(_) => 0,
        Step::Throw => THROWS,
        Step::Invoke(..) => CALL,
        _ => 1,
    };
    let ends = |number| matches!(step(number), Step::Return(_) | Step::Throw);
    flow.distances(cost, ends)
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

    fn knows(&self, method: MethodId) -> bool {
        self.code.contains_key(&method)
    }

    fn wants(&self, untaken: &Untaken, extent: Extent) -> bool {
        let is_open = match untaken.other {
            Some((method, Side::At(at))) => self.open.borrow().contains((method, at)),
            _ => false,
        };
        is_open
            || match extent {
                Extent::Side => false,
                Extent::Jump => self.leads(untaken, Until::Jump),
                Extent::Call => self.leads(untaken, Until::End),
            }
    }

    fn bounds(&self, _: MethodId) -> bool {
        false
    }
}
