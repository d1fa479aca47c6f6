//! Integers without bounds, for those who ask for a reading in which arithmetic does not wrap.
//!
//! Values of `int`s and `long`s stay terms of these sorts; one that came of arithmetic is the
//! *narrowed* form of a mathematical integer, and arithmetic, comparisons, choices and the widening
//! to `long` look through that. All else, bits, casts to narrower types and conversions to floating
//! point, takes the term as it is: Java's value. Inputs keep their ranges, and what Java computes
//! with concrete values is Java's.

use heapwright_solve::smt::{Binary, Node, Sort, Term, Unary};

use super::machine::SymbolicMachine;

/// Products of more nodes wrap: their values would have too many digits.
const MAX_SIZE: u32 = 1 << 10;

impl SymbolicMachine {
    /// The mathematical integer that a term is the narrowed form of.
    fn narrowed(&self, term: Term) -> Option<Term> {
        match *self.pool.node(term) {
            Node::Unary(Unary::UnboundedToInt | Unary::UnboundedToLong, inner) => Some(inner),
            _ => None,
        }
    }

    /// An `int` or `long` as a mathematical integer.
    fn lifted(&mut self, term: Term) -> Term {
        if let Some(inner) = self.narrowed(term) {
            return inner;
        }
        let lift = match self.pool.sort(term) {
            Sort::Int => Unary::IntToUnbounded,
            _ => Unary::LongToUnbounded,
        };
        self.pool.unary(lift, term)
    }

    /// A mathematical integer as a value of a sort.
    fn lowered(&mut self, term: Term, sort: Sort) -> Term {
        let narrow = match sort {
            Sort::Int => Unary::UnboundedToInt,
            _ => Unary::UnboundedToLong,
        };
        self.pool.unary(narrow, term)
    }

    fn wraps(&self, term: Term) -> bool {
        !self.is_unbounded || !matches!(self.pool.sort(term), Sort::Int | Sort::Long)
    }

    /// What arithmetic comes to; `None` of what wraps, and of what is no arithmetic.
    pub(super) fn unbounded_result(&mut self, operation: Binary, a: Term, b: Term) -> Option<Term> {
        use Binary::{Add, Div, Mul, Rem, Sub};
        if self.wraps(a) || !matches!(operation, Add | Sub | Mul | Div | Rem) {
            return None;
        }
        let sort = self.pool.sort(a);
        let (a, b) = (self.lifted(a), self.lifted(b));
        let size = self.pool.size(a).saturating_add(self.pool.size(b));
        if operation == Mul && size > MAX_SIZE {
            return None;
        }
        let result = self.pool.binary(operation, a, b);
        Some(self.lowered(result, sort))
    }

    /// `-x`, if it does not wrap.
    pub(super) fn unbounded_negated(&mut self, term: Term) -> Option<Term> {
        if self.wraps(term) {
            return None;
        }
        let sort = self.pool.sort(term);
        let lifted = self.lifted(term);
        let negated = self.pool.unary(Unary::Neg, lifted);
        Some(self.lowered(negated, sort))
    }

    /// The sides of a comparison, as mathematical integers if one of them may be past its sort.
    pub(super) fn comparable(&mut self, a: Term, b: Term) -> (Term, Term) {
        if self.narrowed(a).is_none() && self.narrowed(b).is_none() {
            return (a, b);
        }
        (self.lifted(a), self.lifted(b))
    }

    /// That an index is one of so many places, if it may be past its sort.
    pub(super) fn unbounded_below(&mut self, index: Term, length: Term) -> Option<Term> {
        if self.narrowed(index).is_none() && self.narrowed(length).is_none() {
            return None;
        }
        let (index, length) = self.comparable(index, length);
        let zero = self.pool.constant(Sort::Unbounded, 0);
        let is_least = self.pool.binary(Binary::Le, zero, index);
        let is_below = self.pool.binary(Binary::Lt, index, length);
        Some(self.pool.binary(Binary::And, is_least, is_below))
    }

    pub(super) fn is_below(&mut self, index: Term, bound: i32) -> Term {
        let bound = self.pool.int(bound);
        let (index, bound) = self.comparable(index, bound);
        self.pool.binary(Binary::Lt, index, bound)
    }

    /// One of two values, none of which wraps for it.
    pub(super) fn choice(&mut self, condition: Term, a: Term, b: Term) -> Term {
        let sort = self.pool.sort(a);
        let (lifted, other) = self.comparable(a, b);
        let chosen = self.pool.ite(condition, lifted, other);
        if self.pool.sort(chosen) == sort {
            return chosen;
        }
        self.lowered(chosen, sort)
    }

    /// An `int` as a `long`.
    pub(super) fn widened(&mut self, term: Term) -> Term {
        match self.narrowed(term) {
            Some(inner) => self.lowered(inner, Sort::Long),
            None => self.pool.unary(Unary::IntToLong, term),
        }
    }
}
