//! Hash-consed terms whose numbers fit a machine word.

use std::collections::hash_map::Entry;

use rustc_hash::FxHashMap;

use crate::linear::Linear;

/// Number of a term.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TermId(pub u32);

/// Interpretation of a term's sum.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SumInterpretation {
    /// Value of the sum, which fits into 32 bits.
    Int,
    /// Value of the sum.
    Long,
    /// Sign of the sum: -1, 0 or 1.
    Sign,
    /// Number of a choice that the sum, a variable, represents: no integer.
    Number,
}

/// Sum with an interpretation.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SumTerm {
    /// Underlying sum.
    pub sum: Linear,
    /// Interpretation of the sum.
    pub sort: SumInterpretation,
}

/// Hash-consed terms: equal terms have the same number.
#[derive(Clone, Debug, Default)]
pub struct Terms {
    terms: Vec<SumTerm>,
    numbers: FxHashMap<SumTerm, TermId>,
}

impl Terms {
    /// Returns the number of a term.
    pub fn intern(&mut self, term: SumTerm) -> TermId {
        let next = TermId(self.terms.len() as u32);
        match self.numbers.entry(term) {
            Entry::Occupied(known) => *known.get(),
            Entry::Vacant(free) => {
                self.terms.push(free.key().clone());
                *free.insert(next)
            }
        }
    }

    /// Returns the term with a number.
    ///
    /// # Panics
    /// There is no term with this number.
    #[must_use]
    pub fn get(&self, term: TermId) -> &SumTerm {
        &self.terms[term.0 as usize]
    }

    /// Number of terms.
    #[must_use]
    pub fn len(&self) -> usize {
        self.terms.len()
    }

    /// Whether there are no terms.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }

    /// Discards all terms after the first `length`.
    pub fn truncate(&mut self, length: usize) {
        while self.terms.len() > length {
            if let Some(term) = self.terms.pop() {
                self.numbers.remove(&term);
            }
        }
    }
}
