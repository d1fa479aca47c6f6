//! Simplification rules for arithmetic.

use crate::smt::bounds;
use crate::smt::eval;
use crate::smt::pool::TermPool;
use crate::smt::term::{Binary, Node, Sort, Term, Unary};

impl TermPool {
    /// Simplifies an operation on `Int` or `Long`; constants go to the right of commutative
    /// operations.
    pub(super) fn simplified_arithmetic(
        &mut self,
        operation: Binary,
        a: Term,
        b: Term,
    ) -> Option<Term> {
        use Binary::*;
        match operation {
            Add => self.simplified_sum(a, b),
            Sub => self.simplified_difference(a, b),
            Mul => self.simplified_product(a, b),
            Div | Rem => self.simplified_quotient(operation, a, b),
            And | Or | Xor => self.simplified_bits(operation, a, b),
            _ => self.simplified_shift(operation, a, b),
        }
    }

    /// Term and constant of `term + constant`.
    pub(super) fn offset(&self, term: Term) -> Option<(Term, i64)> {
        match *self.node(term) {
            Node::Binary(Binary::Add, inner, constant) => Some((inner, self.integer_of(constant)?)),
            _ => None,
        }
    }

    /// Constant and term of `constant - term`.
    pub(super) fn reflected(&self, term: Term) -> Option<(i64, Term)> {
        match *self.node(term) {
            Node::Binary(Binary::Sub, constant, inner) => Some((self.integer_of(constant)?, inner)),
            _ => None,
        }
    }

    pub(super) fn plus(&mut self, term: Term, constant: i64) -> Term {
        let sort = self.sort(term);
        let constant = self.integer(sort, constant);
        self.binary(Binary::Add, term, constant)
    }

    fn minus(&mut self, constant: i64, term: Term) -> Term {
        let sort = self.sort(term);
        let constant = self.integer(sort, constant);
        self.binary(Binary::Sub, constant, term)
    }

    fn simplified_sum(&mut self, a: Term, b: Term) -> Option<Term> {
        if let Some(more) = self.integer_of(b) {
            if more == 0 {
                return Some(a);
            }
            if let Some((inner, constant)) = self.offset(a) {
                return Some(self.plus(inner, constant.wrapping_add(more)));
            }
            let (constant, inner) = self.reflected(a)?;
            return Some(self.minus(constant.wrapping_add(more), inner));
        }
        for (a, b) in [(a, b), (b, a)] {
            if let Some((inner, constant)) = self.offset(a) {
                let sum = self.binary(Binary::Add, inner, b);
                return Some(self.plus(sum, constant));
            }
            match *self.node(a) {
                Node::Unary(Unary::Neg, inner) => return Some(self.binary(Binary::Sub, b, inner)),
                Node::Binary(Binary::Sub, left, right) if right == b => return Some(left),
                _ => {}
            }
        }
        None
    }

    fn simplified_difference(&mut self, a: Term, b: Term) -> Option<Term> {
        if a == b {
            let sort = self.sort(a);
            return Some(self.integer(sort, 0));
        }
        if let Some(less) = self.integer_of(b) {
            return Some(self.plus(a, less.wrapping_neg()));
        }
        if let Some(constant) = self.integer_of(a) {
            if let Some((inner, more)) = self.offset(b) {
                return Some(self.minus(constant.wrapping_sub(more), inner));
            }
            if let Some((other, inner)) = self.reflected(b) {
                return Some(self.plus(inner, constant.wrapping_sub(other)));
            }
            return match *self.node(b) {
                Node::Unary(Unary::Neg, inner) => Some(self.plus(inner, constant)),
                _ if constant == 0 => Some(self.unary(Unary::Neg, b)),
                _ => None,
            };
        }
        if let Some((inner, constant)) = self.offset(a) {
            let difference = self.binary(Binary::Sub, inner, b);
            return Some(self.plus(difference, constant));
        }
        if let Some((inner, constant)) = self.offset(b) {
            let difference = self.binary(Binary::Sub, a, inner);
            return Some(self.plus(difference, constant.wrapping_neg()));
        }
        if let Some(divisor) = self.whole_multiples(b, a) {
            return Some(self.binary(Binary::Rem, a, divisor));
        }
        if let Some(divisor) = self.whole_multiples(a, b) {
            let remainder = self.binary(Binary::Rem, b, divisor);
            return Some(self.unary(Unary::Neg, remainder));
        }
        match (*self.node(a), *self.node(b)) {
            (_, Node::Unary(Unary::Neg, inner)) => Some(self.binary(Binary::Add, a, inner)),
            (_, Node::Binary(Binary::Sub, left, right)) if left == a => Some(right),
            (Node::Binary(Binary::Add, left, right), _) if left == b => Some(right),
            (Node::Binary(Binary::Add, left, right), _) if right == b => Some(left),
            (Node::Binary(Binary::Sub, left, right), _) if left == b => {
                Some(self.unary(Unary::Neg, right))
            }
            _ => None,
        }
    }

    /// Constant `c`, not 0, of `x / c * c`: the greatest multiple of it in `x`. The rest is `x % c`
    /// (JLS §15.17.3).
    fn whole_multiples(&self, term: Term, x: Term) -> Option<Term> {
        let Node::Binary(Binary::Mul, quotient, factor) = *self.node(term) else {
            return None;
        };
        match *self.node(quotient) {
            Node::Binary(Binary::Div, dividend, divisor)
                if dividend == x && divisor == factor && self.integer_of(divisor)? != 0 =>
            {
                Some(divisor)
            }
            _ => None,
        }
    }

    fn simplified_product(&mut self, a: Term, b: Term) -> Option<Term> {
        let factor = self.integer_of(b)?;
        match (factor, *self.node(a)) {
            (0, _) => Some(b),
            (1, _) => Some(a),
            (-1, _) => Some(self.unary(Unary::Neg, a)),
            (_, Node::Binary(Binary::Mul, inner, other)) => {
                let product = self.integer_of(other)?.wrapping_mul(factor);
                let product = self.integer(self.sort(a), product);
                Some(self.binary(Binary::Mul, inner, product))
            }
            (_, Node::Unary(Unary::Neg, inner)) => {
                let negated = self.integer(self.sort(a), factor.wrapping_neg());
                Some(self.binary(Binary::Mul, inner, negated))
            }
            _ => None,
        }
    }

    fn simplified_quotient(&mut self, operation: Binary, a: Term, b: Term) -> Option<Term> {
        let divisor = self.integer_of(b)?;
        let is_quotient = operation == Binary::Div;
        let (least, most) = self.bounds(a);
        let magnitude = least.unsigned_abs().max(most.unsigned_abs());
        match divisor {
            0 => None,
            1 if is_quotient => Some(a),
            -1 if is_quotient => Some(self.unary(Unary::Neg, a)),
            _ if divisor.unsigned_abs() == 1 || magnitude < divisor.unsigned_abs() => {
                let zero = self.integer(self.sort(a), 0);
                let is_whole = is_quotient || divisor.unsigned_abs() == 1;
                Some(if is_whole { zero } else { a })
            }
            // The remainder has the sign of the dividend.
            _ if !is_quotient && divisor < 0 && divisor != bounds::of_sort(self.sort(a)).0 => {
                let positive = self.integer(self.sort(a), divisor.wrapping_neg());
                Some(self.binary(operation, a, positive))
            }
            _ => None,
        }
    }

    fn simplified_bits(&mut self, operation: Binary, a: Term, b: Term) -> Option<Term> {
        use Binary::{And, Or, Xor};
        let sort = self.sort(a);
        if a == b {
            return Some(if operation == Xor {
                self.integer(sort, 0)
            } else {
                a
            });
        }
        if let Some(whole) = self.merge_masks(operation, a, b) {
            return Some(whole);
        }
        let mask = self.integer_of(b)?;
        match (operation, mask) {
            (And, 0) | (Or, -1) => return Some(b),
            (And, -1) | (Or | Xor, 0) => return Some(a),
            _ => {}
        }
        if let Node::Binary(same, inner, other) = *self.node(a)
            && same == operation
            && let Some(other) = self.constant_of(other)
        {
            let both = self
                .constant_of(b)
                .map(|bits| eval::binary(same, sort, other, bits))?;
            let both = self.constant(sort, both);
            return Some(self.binary(operation, inner, both));
        }
        // The mask also clears the bits that the cast drops.
        if operation == And
            && let Node::Unary(cast, inner) = *self.node(a)
            && let Some(kept) = kept(cast)
            && mask & !kept == 0
        {
            return Some(self.binary(And, inner, b));
        }
        let (least, most) = self.bounds(a);
        if operation == And && least >= 0 {
            let bits = bounds::ones(most);
            if mask & bits == bits {
                return Some(a);
            }
            if mask & bits == 0 {
                return Some(self.integer(sort, 0));
            }
        }
        None
    }

    /// Term and mask of `term & mask`.
    fn masked(&self, term: Term) -> Option<(Term, u64)> {
        match *self.node(term) {
            Node::Binary(Binary::And, inner, mask) => Some((inner, self.constant_of(mask)?)),
            _ => None,
        }
    }

    /// Rewrites `(x & m) | (x & k)` to `x & (m | k)`.
    fn merge_masks(&mut self, operation: Binary, a: Term, b: Term) -> Option<Term> {
        let ((x, mask), (y, other)) = (self.masked(a)?, self.masked(b)?);
        if operation != Binary::Or || x != y {
            return None;
        }
        let mask = self.constant(self.sort(a), mask | other);
        Some(self.binary(Binary::And, x, mask))
    }

    /// Rewrites `(x >> k) << k` and `((x >> k) & m) << k` to a mask of `x`.
    fn shifted_back(&mut self, a: Term, distance: Term) -> Option<Term> {
        let sort = self.sort(a);
        let all = eval::of_integer(sort, -1);
        let (shifted, mask) = self.masked(a).unwrap_or((a, all));
        let Node::Binary(Binary::Shr | Binary::Ushr, inner, back) = *self.node(shifted) else {
            return None;
        };
        let by = self.constant_of(distance)?;
        if back != distance {
            return None;
        }
        let mask = eval::binary(Binary::Shl, sort, mask, by);
        let mask = self.constant(sort, mask);
        Some(self.binary(Binary::And, inner, mask))
    }

    /// Whether `term << distance` drops no bits and preserves the sign.
    pub(super) fn fits_shifted(&self, term: Term, distance: Term) -> bool {
        let (least, most) = self.bounds(distance);
        let all = bounds::of_sort(self.sort(term));
        let (low, high) = self.bounds(term);
        (0..=most).contains(&least)
            && most < 31
            && i128::from(low) << most >= all.0.into()
            && i128::from(high) << most <= all.1.into()
    }

    /// Rewrites `(x << y) >> y` to `x` if no bits were dropped.
    fn unshifted(&self, operation: Binary, a: Term, distance: Term) -> Option<Term> {
        match *self.node(a) {
            Node::Binary(Binary::Shl, inner, by)
                if operation == Binary::Shr
                    && by == distance
                    && self.fits_shifted(inner, distance) =>
            {
                Some(inner)
            }
            _ => None,
        }
    }

    fn simplified_shift(&mut self, operation: Binary, a: Term, b: Term) -> Option<Term> {
        use Binary::{Shr, Ushr};
        if self.integer_of(a) == Some(0) {
            return Some(a);
        }
        if operation == Ushr && self.bounds(a).0 >= 0 {
            return Some(self.binary(Shr, a, b));
        }
        if let Some(inner) = self.unshifted(operation, a, b) {
            return Some(inner);
        }
        let sort = self.sort(a);
        let given = self.integer_of(b)?;
        let distance = bounds::distance(sort, given);
        if distance == 0 {
            return Some(a);
        }
        if i64::from(distance) != given {
            let distance = self.int(distance as i32);
            return Some(self.binary(operation, a, distance));
        }
        if operation == Binary::Shl
            && let Some(bits) = self.shifted_back(a, b)
        {
            return Some(bits);
        }
        let Node::Binary(same, inner, other) = *self.node(a) else {
            return None;
        };
        let both = distance + bounds::distance(sort, self.integer_of(other)?);
        let width = if sort == Sort::Int { 32 } else { 64 };
        if same != operation {
            return None;
        }
        if both < width {
            let both = self.int(both as i32);
            return Some(self.binary(operation, inner, both));
        }
        if operation == Shr {
            let all = self.int(width as i32 - 1);
            return Some(self.binary(operation, inner, all));
        }
        Some(self.integer(sort, 0))
    }

    /// Simplifies a floating-point operation. `x + 0` is not `x` (it is 0 for -0), but `x - 0` and
    /// `x + -0` are.
    pub(super) fn simplified_floating(
        &mut self,
        operation: Binary,
        a: Term,
        b: Term,
    ) -> Option<Term> {
        use Binary::{Add, Div, Mul, Sub};
        let sort = self.sort(a);
        let of = |value: f64| match sort {
            Sort::Float => eval::of_float(value as f32),
            _ => eval::of_double(value),
        };
        let constant = self.constant_of(b)?;
        let is = |value: f64| constant == of(value);
        match operation {
            _ if is(f64::NAN) => Some(b),
            Add if is(-0.0) => Some(a),
            Sub if is(0.0) => Some(a),
            Mul | Div if is(1.0) => Some(a),
            Mul | Div if is(-1.0) => Some(self.unary(Unary::Neg, a)),
            _ => None,
        }
    }
}

/// Mask of the bits that a cast preserves.
fn kept(cast: Unary) -> Option<i64> {
    match cast {
        Unary::IntToByte => Some(0xFF),
        Unary::IntToChar | Unary::IntToShort => Some(0xFFFF),
        _ => None,
    }
}
