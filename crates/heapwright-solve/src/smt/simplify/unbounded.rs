//! Simplification rules for mathematical integers. Nothing wraps; a rule whose constant would
//! exceed a `long` does not apply.
//!
//! Comparisons equivalent to those of `int`s or `long`s are rewritten to these.

use crate::smt::bounds;
use crate::smt::pool::TermPool;
use crate::smt::term::{Binary, Node, Sort, Term, Unary};

impl TermPool {
    /// Simplifies a conversion from or to `Unbounded`.
    pub(super) fn simplified_conversion(&mut self, operation: Unary, a: Term) -> Option<Term> {
        use Unary::*;
        match (operation, *self.node(a)) {
            (UnboundedToInt, Node::Unary(IntToUnbounded, inner))
            | (UnboundedToLong, Node::Unary(LongToUnbounded, inner)) => Some(inner),
            (UnboundedToInt, Node::Unary(LongToUnbounded, inner)) => {
                Some(self.unary(LongToInt, inner))
            }
            (UnboundedToLong, Node::Unary(IntToUnbounded, inner)) => {
                Some(self.unary(IntToLong, inner))
            }
            (LongToUnbounded, Node::Unary(IntToLong, inner)) => {
                Some(self.unary(IntToUnbounded, inner))
            }
            (
                IntToUnbounded | LongToUnbounded,
                Node::Unary(UnboundedToInt | UnboundedToLong, t),
            ) => {
                let all = bounds::of_sort(self.sort(a));
                let (least, most) = self.bounds(t);
                (all.0 < least && most < all.1).then_some(t)
            }
            _ => None,
        }
    }

    /// Simplifies an operation on mathematical integers; constants go to the right of commutative
    /// operations.
    pub(super) fn simplified_unbounded(
        &mut self,
        operation: Binary,
        a: Term,
        b: Term,
    ) -> Option<Term> {
        use Binary::*;
        match operation {
            Add => self.unbounded_sum(a, b),
            Sub => self.unbounded_difference(a, b),
            Mul => self.unbounded_product(a, b),
            Div | Rem => self.unbounded_quotient(operation, a, b),
            _ => self.unbounded_comparison(operation, a, b),
        }
    }

    fn unbounded(&mut self, value: i64) -> Term {
        self.constant(Sort::Unbounded, value as u64)
    }

    fn moved(&mut self, term: Term, constant: i64) -> Term {
        let constant = self.unbounded(constant);
        self.binary(Binary::Add, term, constant)
    }

    fn unbounded_sum(&mut self, a: Term, b: Term) -> Option<Term> {
        if let Some(more) = self.integer_of(b) {
            if more == 0 {
                return Some(a);
            }
            let (inner, constant) = self.offset(a)?;
            let constant = constant.checked_add(more)?;
            return Some(self.moved(inner, constant));
        }
        for (a, b) in [(a, b), (b, a)] {
            if let Some((inner, constant)) = self.offset(a) {
                let sum = self.binary(Binary::Add, inner, b);
                return Some(self.moved(sum, constant));
            }
            match *self.node(a) {
                Node::Unary(Unary::Neg, inner) => return Some(self.binary(Binary::Sub, b, inner)),
                Node::Binary(Binary::Sub, left, right) if right == b => return Some(left),
                _ => {}
            }
        }
        None
    }

    fn unbounded_difference(&mut self, a: Term, b: Term) -> Option<Term> {
        if a == b {
            return Some(self.unbounded(0));
        }
        if let Some(less) = self.integer_of(b) {
            return less.checked_neg().map(|more| self.moved(a, more));
        }
        if self.integer_of(a) == Some(0) {
            return Some(self.unary(Unary::Neg, b));
        }
        if self.integer_of(a).is_some() {
            return None;
        }
        if let Some((inner, constant)) = self.offset(a) {
            let difference = self.binary(Binary::Sub, inner, b);
            return Some(self.moved(difference, constant));
        }
        if let Some((inner, constant)) = self.offset(b) {
            let constant = constant.checked_neg()?;
            let difference = self.binary(Binary::Sub, a, inner);
            return Some(self.moved(difference, constant));
        }
        match (*self.node(a), *self.node(b)) {
            (_, Node::Unary(Unary::Neg, inner)) => Some(self.binary(Binary::Add, a, inner)),
            (_, Node::Binary(Binary::Sub, left, right)) if left == a => Some(right),
            (Node::Binary(Binary::Add, left, right), _) if left == b => Some(right),
            (Node::Binary(Binary::Add, left, right), _) if right == b => Some(left),
            _ => None,
        }
    }

    fn unbounded_product(&mut self, a: Term, b: Term) -> Option<Term> {
        let factor = self.integer_of(b)?;
        match (factor, *self.node(a)) {
            (0, _) => Some(b),
            (1, _) => Some(a),
            (-1, _) => Some(self.unary(Unary::Neg, a)),
            (_, Node::Binary(Binary::Mul, inner, other)) => {
                let product = self.integer_of(other)?.checked_mul(factor)?;
                let product = self.unbounded(product);
                Some(self.binary(Binary::Mul, inner, product))
            }
            _ => None,
        }
    }

    fn unbounded_quotient(&mut self, operation: Binary, a: Term, b: Term) -> Option<Term> {
        let divisor = self.integer_of(b)?;
        let is_quotient = operation == Binary::Div;
        let (least, most) = self.bounds(a);
        let magnitude = divisor.unsigned_abs();
        let is_far = least == i64::MIN || most == i64::MAX;
        match divisor {
            0 => None,
            1 if is_quotient => Some(a),
            -1 if is_quotient => Some(self.unary(Unary::Neg, a)),
            1 | -1 => Some(self.unbounded(0)),
            _ if !is_far && least.unsigned_abs().max(most.unsigned_abs()) < magnitude => {
                Some(if is_quotient { self.unbounded(0) } else { a })
            }
            // The remainder has the sign of the dividend.
            _ if !is_quotient && divisor < 0 => {
                let positive = divisor.checked_neg()?;
                let positive = self.unbounded(positive);
                Some(self.binary(operation, a, positive))
            }
            _ => None,
        }
    }

    fn unbounded_comparison(&mut self, operation: Binary, a: Term, b: Term) -> Option<Term> {
        use Binary::{Eq, Le, Lt, Sub};
        if a == b {
            return Some(self.bool(operation != Lt));
        }
        let known = bounds::binary(operation, Sort::Unbounded, self.bounds(a), self.bounds(b));
        if known.0 == known.1 {
            return Some(self.bool(known.0 != 0));
        }
        if let Some((a, b)) = self.bounded_sides(a, b) {
            return Some(self.binary(operation, a, b));
        }
        // Constants move to the right, unless they are the whole left side.
        if let Some((inner, constant)) = self.offset(a) {
            let less = constant.checked_neg()?;
            let other = match self.integer_of(b) {
                Some(value) => {
                    let value = value.checked_add(less)?;
                    self.unbounded(value)
                }
                None => self.moved(b, less),
            };
            return Some(self.binary(operation, inner, other));
        }
        if let (Some(value), Some((inner, constant))) = (self.integer_of(a), self.offset(b)) {
            let value = value.checked_sub(constant)?;
            let value = self.unbounded(value);
            return Some(self.binary(operation, value, inner));
        }
        match (
            self.integer_of(a),
            *self.node(a),
            self.integer_of(b),
            *self.node(b),
        ) {
            (_, Node::Binary(Sub, left, right), Some(0), _) => {
                Some(self.binary(operation, left, right))
            }
            (Some(0), _, _, Node::Binary(Sub, left, right)) => {
                Some(self.binary(operation, right, left))
            }
            (_, Node::Unary(Unary::Neg, inner), Some(value), _) => {
                let value = value.checked_neg()?;
                let value = self.unbounded(value);
                Some(self.binary(operation, value, inner))
            }
            (_, _, Some(value), _) if operation == Le => {
                let next = value.checked_add(1)?;
                let next = self.unbounded(next);
                Some(self.binary(Lt, a, next))
            }
            (Some(value), ..) if operation == Lt => {
                let next = value.checked_add(1)?;
                let next = self.unbounded(next);
                Some(self.binary(Le, next, b))
            }
            (_, Node::Unary(Unary::Neg, left), _, Node::Unary(Unary::Neg, right))
                if operation != Eq =>
            {
                Some(self.binary(operation, right, left))
            }
            _ => None,
        }
    }

    /// Both sides of a comparison as `int`s or `long`s, if possible; the bounds imply that a
    /// constant is in the range of the other side.
    fn bounded_sides(&mut self, a: Term, b: Term) -> Option<(Term, Term)> {
        let (left, right) = (self.bounded(a), self.bounded(b));
        match (left, right) {
            (Some(left), Some(right)) => match (self.sort(left), self.sort(right)) {
                (Sort::Int, Sort::Long) => Some((self.unary(Unary::IntToLong, left), right)),
                (Sort::Long, Sort::Int) => Some((left, self.unary(Unary::IntToLong, right))),
                _ => Some((left, right)),
            },
            (Some(left), None) => {
                let value = self.integer_of(b)?;
                Some((left, self.integer(self.sort(left), value)))
            }
            (None, Some(right)) => {
                let value = self.integer_of(a)?;
                Some((self.integer(self.sort(right), value), right))
            }
            (None, None) => None,
        }
    }

    /// Operand of a widening to a mathematical integer.
    fn bounded(&self, term: Term) -> Option<Term> {
        match *self.node(term) {
            Node::Unary(Unary::IntToUnbounded | Unary::LongToUnbounded, inner) => Some(inner),
            _ => None,
        }
    }
}
