//! All assignments of some variables, one after the other.

use std::ops::Range;

use crate::store::{Mark, Store, Var};

/// Goes through the assignments of some variables that fulfil every relation of a store. Those that
/// stand in a relation change slowest; the others turn like the wheels of a counter, without a look
/// at the store.
#[derive(Debug)]
pub struct Assignments {
    store: Store,
    start: Mark,
    /// Those in relations first.
    values: Vec<(Var, i64)>,
    related: usize,
    /// For each variable in a relation that has a value: where the store stood before, and the
    /// values left, last first.
    levels: Vec<(Mark, Vec<i64>)>,
    /// For each other variable all its values, and the place of its own.
    wheels: Vec<(Vec<i64>, usize)>,
    started: bool,
    /// The values from this one on, up to the next, are those that changed last.
    changed: Range<usize>,
}

impl Assignments {
    /// The assignments of `variables`, each named once.
    #[must_use]
    pub fn new(store: Store, variables: &[Var]) -> Assignments {
        let (related, free): (Vec<Var>, Vec<Var>) = variables
            .iter()
            .partition(|&&variable| store.is_related(variable));
        let wheels: Vec<(Vec<i64>, usize)> = free
            .iter()
            .rev()
            .map(|&variable| (store.values(variable).collect(), 0))
            .collect();
        let order = related.iter().chain(free.iter().rev());
        Assignments {
            start: store.mark(),
            values: order.map(|&variable| (variable, 0)).collect(),
            related: related.len(),
            levels: Vec::new(),
            wheels,
            started: false,
            changed: 0..0,
            store,
        }
    }

    /// Goes on to the next assignment; false if there is none.
    pub fn advance(&mut self) -> bool {
        match self.turn() {
            Some(changed) => {
                self.changed = changed;
                true
            }
            None => false,
        }
    }

    /// What the last step has changed, all of it the first time.
    #[must_use]
    pub fn changed(&self) -> &[(Var, i64)] {
        &self.values[self.changed.clone()]
    }

    /// The assignment.
    #[must_use]
    pub fn values(&self) -> &[(Var, i64)] {
        &self.values
    }

    /// The store, with the values that stand in relations put in.
    #[must_use]
    pub fn store(&self) -> &Store {
        &self.store
    }

    fn turn(&mut self) -> Option<Range<usize>> {
        let all = 0..self.values.len();
        if !self.started {
            self.started = true;
            if self.related > 0 {
                self.open_level();
                self.advance_related()?;
            }
            for (wheel, value) in self.wheels.iter().zip(&mut self.values[self.related..]) {
                value.1 = wheel.0[0];
            }
            return Some(all);
        }
        for turned in 0..self.wheels.len() {
            let (wheel, place) = &mut self.wheels[turned];
            *place += 1;
            let is_on = *place < wheel.len();
            if !is_on {
                *place = 0;
            }
            self.values[self.related + turned].1 = wheel[*place];
            if is_on {
                return Some(self.related..self.related + turned + 1);
            }
        }
        if self.related == 0 {
            return None;
        }
        self.advance_related()?;
        Some(all)
    }

    /// The store as it was given.
    #[must_use]
    pub fn into_store(mut self) -> Store {
        self.store.undo_to(self.start);
        self.store
    }

    fn advance_related(&mut self) -> Option<()> {
        loop {
            let depth = self.levels.len().checked_sub(1)?;
            let (mark, left) = &mut self.levels[depth];
            let (mark, value) = (*mark, left.pop());
            self.store.undo_to(mark);
            let Some(value) = value else {
                self.levels.pop();
                continue;
            };
            let variable = self.values[depth].0;
            if self.store.restrict(variable, &[value], true) {
                self.values[depth].1 = value;
                if self.levels.len() == self.related {
                    return Some(());
                }
                self.open_level();
            }
        }
    }

    fn open_level(&mut self) {
        let variable = self.values[self.levels.len()].0;
        let mut values: Vec<i64> = self.store.values(variable).collect();
        values.reverse();
        self.levels.push((self.store.mark(), values));
    }
}
