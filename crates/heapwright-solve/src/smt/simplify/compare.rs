//! Simplification rules for comparisons of numbers.
//!
//! A comparison of an integer with a constant has one of four forms: `x < k`, `k <= x`, `x == k`
//! and its negation. The last two are preferred where equivalent.

use crate::smt::bounds;
use crate::smt::eval;
use crate::smt::pool::TermPool;
use crate::smt::term::{Binary, Node, Term, Unary};

impl TermPool {
    /// Simplifies a comparison of `Int` or `Long`.
    pub(super) fn simplified_comparison(
        &mut self,
        operation: Binary,
        a: Term,
        b: Term,
    ) -> Option<Term> {
        use Binary::{Eq, Le, Lt, Ule, Ult};
        if a == b {
            return Some(self.bool(matches!(operation, Eq | Le | Ule)));
        }
        let sort = self.sort(a);
        let known = bounds::binary(operation, sort, self.bounds(a), self.bounds(b));
        if known.0 == known.1 {
            return Some(self.bool(known.0 != 0));
        }
        if let (Node::Unary(Unary::IntToLong, inner), Node::Unary(Unary::IntToLong, other)) =
            (*self.node(a), *self.node(b))
        {
            return Some(self.binary(operation, inner, other));
        }
        match operation {
            Eq => self.simplified_equality(a, b),
            Lt | Le => self.simplified_order(operation, a, b),
            _ => {
                let are_positive = self.bounds(a).0 >= 0 && self.bounds(b).0 >= 0;
                let signed = if operation == Ult { Lt } else { Le };
                are_positive.then(|| self.binary(signed, a, b))
            }
        }
    }

    fn simplified_equality(&mut self, a: Term, b: Term) -> Option<Term> {
        use Binary::{Add, And, Eq, Shl, Sub, Xor};
        let Some(value) = self.integer_of(b) else {
            if let (Node::Binary(Shl, x, by), Node::Binary(Shl, y, same)) =
                (*self.node(a), *self.node(b))
                && by == same
                && self.fits_shifted(x, by)
                && self.fits_shifted(y, by)
            {
                return Some(self.binary(Eq, x, y));
            }
            if let (
                Node::Unary(Unary::FloatBits | Unary::DoubleBits, x),
                Node::Unary(Unary::FloatBits | Unary::DoubleBits, y),
            ) = (*self.node(a), *self.node(b))
            {
                return Some(self.binary(Binary::Same, x, y));
            }
            let ((x, c), (y, d)) = (self.offset(a)?, self.offset(b)?);
            let moved = self.plus(y, d.wrapping_sub(c));
            return Some(self.binary(Eq, x, moved));
        };
        let sort = self.sort(a);
        match *self.node(a) {
            Node::Binary(Add, inner, constant) => {
                let constant = self.integer_of(constant)?;
                let moved = self.integer(sort, value.wrapping_sub(constant));
                Some(self.binary(Eq, inner, moved))
            }
            Node::Binary(Sub, left, right) => {
                if let Some(constant) = self.integer_of(left) {
                    let moved = self.integer(sort, constant.wrapping_sub(value));
                    return Some(self.binary(Eq, right, moved));
                }
                (value == 0).then(|| self.binary(Eq, left, right))
            }
            Node::Binary(Xor, left, right) => {
                if let Some(mask) = self.integer_of(right) {
                    let moved = self.integer(sort, value ^ mask);
                    return Some(self.binary(Eq, left, moved));
                }
                (value == 0).then(|| self.binary(Eq, left, right))
            }
            Node::Binary(And, _, mask) => {
                let mask = self.integer_of(mask)?;
                (value & !mask != 0).then(|| self.bool(false))
            }
            Node::Binary(Shl, inner, by) if self.fits_shifted(inner, by) => {
                if value == 0 {
                    return Some(self.binary(Eq, inner, b));
                }
                let distance = self.integer_of(by)?;
                if value >> distance << distance != value {
                    return Some(self.bool(false));
                }
                let moved = self.integer(sort, value >> distance);
                Some(self.binary(Eq, inner, moved))
            }
            Node::Unary(Unary::Neg, inner) => {
                let moved = self.integer(sort, value.wrapping_neg());
                Some(self.binary(Eq, inner, moved))
            }
            Node::Unary(Unary::FloatBits | Unary::DoubleBits, inner) => {
                let bits = eval::of_integer(sort, value);
                let number = self.constant(self.sort(inner), bits);
                // There is one NaN, with bits of its own.
                Some(match self.constant_of(number) == Some(bits) {
                    true => self.binary(Binary::Same, inner, number),
                    false => self.bool(false),
                })
            }
            Node::Unary(Unary::IntToLong, inner) => {
                // The bounds imply that the value is an `int`.
                let narrow = self.int(value as i32);
                Some(self.binary(Eq, inner, narrow))
            }
            _ if value == 1 && self.bounds(a) == (0, 1) => {
                let zero = self.integer(sort, 0);
                let is_zero = self.binary(Eq, a, zero);
                Some(self.not(is_zero))
            }
            _ => None,
        }
    }

    fn simplified_order(&mut self, operation: Binary, a: Term, b: Term) -> Option<Term> {
        use Binary::{Le, Lt};
        // `x <= k` is `x < k + 1`, and `k < x` is `k + 1 <= x`; the bounds imply that `k + 1`
        // exists.
        if let Some(value) = self.integer_of(b) {
            if operation == Le {
                let next = self.integer(self.sort(b), value + 1);
                return Some(self.binary(Lt, a, next));
            }
            return self.below(a, value);
        }
        if let (Node::Binary(Binary::Shl, x, by), Node::Binary(Binary::Shl, y, same)) =
            (*self.node(a), *self.node(b))
            && by == same
            && self.fits_shifted(x, by)
            && self.fits_shifted(y, by)
        {
            return Some(self.binary(operation, x, y));
        }
        if let Some(value) = self.integer_of(a) {
            if operation == Lt {
                let next = self.integer(self.sort(a), value + 1);
                return Some(self.binary(Le, next, b));
            }
            let is_below = self.below(b, value)?;
            return Some(self.not(is_below));
        }
        None
    }

    /// Simplifies `a < value`, which is neither always true nor always false.
    fn below(&mut self, a: Term, value: i64) -> Option<Term> {
        use Binary::{Add, Eq, Lt, Shl, Sub};
        let sort = self.sort(a);
        let (least, most) = self.bounds(a);
        if value == least + 1 {
            let least = self.integer(sort, least);
            return Some(self.binary(Eq, a, least));
        }
        if value == most {
            let most = self.integer(sort, most);
            let is_most = self.binary(Eq, a, most);
            return Some(self.not(is_most));
        }
        match *self.node(a) {
            Node::Unary(Unary::IntToLong, inner) => {
                let narrow = self.int(value as i32);
                Some(self.binary(Lt, inner, narrow))
            }
            Node::Binary(Add, inner, constant) => {
                let constant = self.integer_of(constant)?;
                let (low, high) = self.bounds(inner);
                let all = bounds::of_sort(sort);
                let stays =
                    low.checked_add(constant)? >= all.0 && high.checked_add(constant)? <= all.1;
                if !stays {
                    return None;
                }
                let moved = self.integer(sort, value.checked_sub(constant)?);
                Some(self.binary(Lt, inner, moved))
            }
            Node::Binary(Shl, inner, by) if self.fits_shifted(inner, by) => {
                let distance = self.integer_of(by)?;
                // The quotient is rounded up: `2x < 5` is `x < 3`.
                let moved = -((-value) >> distance);
                let moved = self.integer(sort, moved);
                Some(self.binary(Lt, inner, moved))
            }
            Node::Binary(Sub, left, right) if value == 0 || value == 1 => {
                let (x, y) = (self.bounds(left), self.bounds(right));
                let all = bounds::of_sort(sort);
                let stays = x.0.checked_sub(y.1)? >= all.0 && x.1.checked_sub(y.0)? <= all.1;
                let operation = if value == 0 { Lt } else { Binary::Le };
                stays.then(|| self.binary(operation, left, right))
            }
            _ => None,
        }
    }

    /// Simplifies a comparison of `Float` or `Double`.
    pub(super) fn simplified_floating_comparison(
        &mut self,
        operation: Binary,
        a: Term,
        b: Term,
    ) -> Option<Term> {
        use Binary::{Eq, Le, Lt, Same};
        use Unary::{FloatToDouble, IntToDouble, IsNan};
        if a == b {
            return Some(match operation {
                Same => self.bool(true),
                Lt => self.bool(false),
                _ => {
                    let is_nan = self.unary(IsNan, a);
                    self.not(is_nan)
                }
            });
        }
        let is_nan = |term: Term| {
            let bits = self.constant_of(term)?;
            Some(eval::unary(IsNan, self.sort(term), bits) != 0)
        };
        if is_nan(a) == Some(true) || is_nan(b) == Some(true) {
            if operation != Same {
                return Some(self.bool(false));
            }
            return Some(self.unary(IsNan, if is_nan(a) == Some(true) { b } else { a }));
        }
        match (*self.node(a), *self.node(b)) {
            (Node::Unary(FloatToDouble, inner), Node::Unary(FloatToDouble, other)) => {
                Some(self.binary(operation, inner, other))
            }
            (Node::Unary(IntToDouble, inner), Node::Unary(IntToDouble, other)) => {
                Some(self.binary(operation, inner, other))
            }
            (Node::Unary(IntToDouble, inner), Node::Const { bits, .. }) if operation != Same => {
                let value = eval::to_double(bits);
                let bound = if operation == Le {
                    value.floor()
                } else {
                    value.ceil()
                };
                if operation == Eq && bound != value {
                    return Some(self.bool(false));
                }
                let (inner, bound) = (self.unary(Unary::IntToLong, inner), self.long(bound as i64));
                Some(self.binary(operation, inner, bound))
            }
            (Node::Const { bits, .. }, Node::Unary(IntToDouble, inner))
                if matches!(operation, Lt | Le) =>
            {
                let value = eval::to_double(bits);
                let bound = if operation == Lt {
                    value.floor()
                } else {
                    value.ceil()
                };
                let (inner, bound) = (self.unary(Unary::IntToLong, inner), self.long(bound as i64));
                Some(self.binary(operation, bound, inner))
            }
            _ => None,
        }
    }

    /// Whether a comparison is one of integers.
    pub(super) fn compares_integers(&self, operand: Term) -> bool {
        self.sort(operand).is_integral()
    }
}
