//! Numbers for terms, so that a machine word can stand for one.

use std::collections::hash_map::Entry;

use rustc_hash::FxHashMap;

use crate::linear::Linear;

/// The number of a term.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TermId(pub u32);

/// What a term's value is, given its sum's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Sort {
    /// The sum, which fits into 32 bits.
    Int,
    /// The sum.
    Long,
    /// -1, 0 or 1: the sum's sign.
    Sign,
    /// Something that the sum, a variable, only numbers: no integer.
    Number,
}

/// A term.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Term {
    /// What its value is made of.
    pub sum: Linear,
    /// How.
    pub sort: Sort,
}

/// Hash-consed terms: equal ones have the same number.
#[derive(Clone, Debug, Default)]
pub struct Terms {
    terms: Vec<Term>,
    numbers: FxHashMap<Term, TermId>,
}

impl Terms {
    /// The number of a term.
    pub fn intern(&mut self, term: Term) -> TermId {
        let next = TermId(self.terms.len() as u32);
        match self.numbers.entry(term) {
            Entry::Occupied(known) => *known.get(),
            Entry::Vacant(free) => {
                self.terms.push(free.key().clone());
                *free.insert(next)
            }
        }
    }

    /// The term with a number.
    ///
    /// # Panics
    /// There is no term with this number.
    #[must_use]
    pub fn get(&self, term: TermId) -> &Term {
        &self.terms[term.0 as usize]
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.terms.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }

    /// Forgets all terms but the first `length`.
    pub fn truncate(&mut self, length: usize) {
        while self.terms.len() > length {
            if let Some(term) = self.terms.pop() {
                self.numbers.remove(&term);
            }
        }
    }
}
