//! Numbers for sums, so that a machine word can stand for one.

use std::collections::hash_map::Entry;

use rustc_hash::FxHashMap;

use crate::linear::Linear;
use crate::store::Var;

/// The number of a term.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TermId(pub u32);

/// Hash-consed sums: equal sums have the same number. The first ones are the variables, in order.
#[derive(Clone, Debug, Default)]
pub struct Terms {
    sums: Vec<Linear>,
    numbers: FxHashMap<Linear, TermId>,
    variables: u32,
}

impl Terms {
    /// The terms of `variables` variables.
    #[must_use]
    pub fn new(variables: u32) -> Terms {
        let mut terms = Terms::default();
        for variable in 0..variables {
            terms.intern(Linear::variable(Var(variable)));
        }
        terms.variables = variables;
        terms
    }

    /// The number of a sum.
    pub fn intern(&mut self, sum: Linear) -> TermId {
        let next = TermId(self.sums.len() as u32);
        match self.numbers.entry(sum) {
            Entry::Occupied(known) => *known.get(),
            Entry::Vacant(free) => {
                self.sums.push(free.key().clone());
                *free.insert(next)
            }
        }
    }

    /// The variable that a term is, if it is one.
    #[must_use]
    pub fn as_variable(&self, term: TermId) -> Option<Var> {
        (term.0 < self.variables).then_some(Var(term.0))
    }

    /// The sum with a number.
    ///
    /// # Panics
    /// There is no term with this number.
    #[must_use]
    pub fn sum(&self, term: TermId) -> &Linear {
        &self.sums[term.0 as usize]
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.sums.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.sums.is_empty()
    }

    /// Forgets all terms but the first `length`.
    pub fn truncate(&mut self, length: usize) {
        while self.sums.len() > length {
            if let Some(sum) = self.sums.pop() {
                self.numbers.remove(&sum);
            }
        }
    }
}
