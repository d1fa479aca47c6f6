//! Enumeration of all assignments of some variables.

use std::ops::Range;

use crate::store::{Mark, Store, Var};

/// Enumerates the assignments of some variables that satisfy every relation of a store. Related
/// variables change slowest; the others advance like the digits of a counter, without access to the
/// store.
#[derive(Debug)]
pub struct Assignments {
    store: Store,
    start: Mark,
    /// Current values, related variables first.
    values: Vec<(Var, i64)>,
    related: usize,
    /// For each assigned related variable: the store's mark before, and the untried values, last
    /// first.
    levels: Vec<(Mark, Vec<i64>)>,
    /// For each other variable: all its values, and the index of the current one.
    wheels: Vec<(Vec<i64>, usize)>,
    started: bool,
    /// Range of the values that changed in the last step.
    changed: Range<usize>,
}

impl Assignments {
    /// Creates an enumeration for `variables`, which must be distinct.
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

    /// Advances to the next assignment; false if there is none.
    pub fn advance(&mut self) -> bool {
        match self.turn() {
            Some(changed) => {
                self.changed = changed;
                true
            }
            None => false,
        }
    }

    /// Values changed by the last step; all of them after the first.
    #[must_use]
    pub fn changed(&self) -> &[(Var, i64)] {
        &self.values[self.changed.clone()]
    }

    /// Current assignment.
    #[must_use]
    pub fn values(&self) -> &[(Var, i64)] {
        &self.values
    }

    /// Store with the values of the related variables asserted.
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

    /// Returns the store in its original state.
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
