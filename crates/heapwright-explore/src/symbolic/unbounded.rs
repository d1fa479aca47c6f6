//! Unbounded integers, for the reading in which arithmetic does not wrap.
//!
//! Values of `int`s and `long`s remain terms of these sorts. A result of arithmetic is the
//! *narrowed* form of a mathematical integer; arithmetic, comparisons, selections and widening to
//! `long` operate on that integer. All else (bit operations, casts to narrower types, conversions
//! to floating point) uses the term itself: Java's value. Inputs keep their ranges, and computation
//! with concrete values is Java's.

use heapwright_solve::smt::{Binary, Node, Sort, Term, Unary};

use super::machine::SymbolicMachine;

/// Products with more nodes wrap, because their values would have too many digits.
const MAX_SIZE: u32 = 1 << 10;

impl SymbolicMachine {
    /// Returns the mathematical integer whose narrowed form a term is.
    fn narrowed(&self, term: Term) -> Option<Term> {
        match *self.pool.node(term) {
            Node::Unary(Unary::UnboundedToInt | Unary::UnboundedToLong, inner) => Some(inner),
            _ => None,
        }
    }

    /// Converts an `int` or `long` to a mathematical integer.
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

    /// Converts a mathematical integer to a value of a sort.
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

    /// Result of arithmetic; `None` for operations that wrap or are not arithmetic.
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

    /// Negation, if it does not wrap.
    pub(super) fn unbounded_negated(&mut self, term: Term) -> Option<Term> {
        if self.wraps(term) {
            return None;
        }
        let sort = self.pool.sort(term);
        let lifted = self.lifted(term);
        let negated = self.pool.unary(Unary::Neg, lifted);
        Some(self.lowered(negated, sort))
    }

    /// Operands of a comparison, as mathematical integers if one of them may exceed its sort.
    pub(super) fn comparable(&mut self, a: Term, b: Term) -> (Term, Term) {
        if self.narrowed(a).is_none() && self.narrowed(b).is_none() {
            return (a, b);
        }
        (self.lifted(a), self.lifted(b))
    }

    /// Condition that an index lies below a length, if either may exceed its sort.
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

    /// Selects one of two values without wrapping them.
    pub(super) fn choice(&mut self, condition: Term, a: Term, b: Term) -> Term {
        let sort = self.pool.sort(a);
        let (lifted, other) = self.comparable(a, b);
        let chosen = self.pool.ite(condition, lifted, other);
        if self.pool.sort(chosen) == sort {
            return chosen;
        }
        self.lowered(chosen, sort)
    }

    /// Widens an `int` to a `long`.
    pub(super) fn widened(&mut self, term: Term) -> Term {
        match self.narrowed(term) {
            Some(inner) => self.lowered(inner, Sort::Long),
            None => self.pool.unary(Unary::IntToLong, term),
        }
    }
}
