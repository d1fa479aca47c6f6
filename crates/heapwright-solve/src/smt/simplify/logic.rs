//! Simplification rules for conditions.

use crate::smt::pool::TermPool;
use crate::smt::term::{Binary, Node, Sort, Term, Unary};

/// Comparison of two terms as a set of allowed orders (`ways`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Order {
    left: Term,
    right: Term,
    is_unsigned: bool,
    ways: u8,
}

const LESS: u8 = 1;
const EQUAL: u8 = 2;
const GREATER: u8 = 4;
/// One of the terms is NaN.
const UNORDERED: u8 = 8;

impl TermPool {
    /// Simplifies the negation of a condition that is not a constant.
    pub(super) fn simplified_not(&mut self, a: Term) -> Option<Term> {
        use Binary::{Le, Lt, Ule, Ult};
        match *self.node(a) {
            Node::Unary(Unary::Not, inner) => Some(inner),
            // Floating point is excluded: neither `<` nor `>=` holds of NaN.
            Node::Binary(operation @ (Lt | Le | Ult | Ule), left, right)
                if self.compares_integers(left) =>
            {
                let opposite = match operation {
                    Lt => Le,
                    Le => Lt,
                    Ult => Ule,
                    _ => Ult,
                };
                Some(self.binary(opposite, right, left))
            }
            _ => None,
        }
    }

    /// Simplifies an operation on conditions; constants go to the right.
    pub(super) fn simplified_logic(&mut self, operation: Binary, a: Term, b: Term) -> Option<Term> {
        use Binary::{And, Eq, Or};
        if a == b {
            return Some(match operation {
                And | Or => a,
                Eq => self.bool(true),
                _ => self.bool(false),
            });
        }
        match (operation, self.constant_of(b)) {
            (And, Some(1)) | (Or, Some(0)) => return Some(a),
            (And | Or, Some(_)) => return Some(b),
            (Eq, Some(1)) => return Some(a),
            (Eq, Some(_)) => return Some(self.not(a)),
            (_, Some(0)) => return Some(a),
            (_, Some(_)) => return Some(self.not(a)),
            (_, None) => {}
        }
        if self.are_opposite(a, b) {
            return Some(self.bool(operation != And && operation != Eq));
        }
        match operation {
            Eq => {
                let differ = self.binary(Binary::Xor, a, b);
                Some(self.not(differ))
            }
            Binary::Xor => match (*self.node(a), *self.node(b)) {
                (Node::Unary(Unary::Not, inner), _) => {
                    let differ = self.binary(operation, inner, b);
                    Some(self.not(differ))
                }
                (_, Node::Unary(Unary::Not, inner)) => {
                    let differ = self.binary(operation, a, inner);
                    Some(self.not(differ))
                }
                _ => None,
            },
            _ => self
                .absorbed(operation, a, b)
                .or_else(|| self.merged_orders(operation, a, b)),
        }
    }

    /// Whether one condition is syntactically the other's negation.
    fn are_opposite(&self, a: Term, b: Term) -> bool {
        let negated = |term: Term| match *self.node(term) {
            Node::Unary(Unary::Not, inner) => Some(inner),
            _ => None,
        };
        negated(a) == Some(b) || negated(b) == Some(a)
    }

    /// Absorption: `a && (a && b)`, `a && (a || b)` and similar forms.
    fn absorbed(&mut self, operation: Binary, a: Term, b: Term) -> Option<Term> {
        use Binary::{And, Or};
        for (a, b) in [(a, b), (b, a)] {
            if let Node::Binary(inner @ (And | Or), left, right) = *self.node(b)
                && (left == a || right == a)
            {
                return Some(if inner == operation { b } else { a });
            }
        }
        None
    }

    /// Merges two comparisons of the same terms.
    fn merged_orders(&mut self, operation: Binary, a: Term, b: Term) -> Option<Term> {
        let (first, second) = (self.order(a)?, self.order(b)?);
        if first.left != second.left || first.right != second.right {
            return None;
        }
        let both_signs = first.is_unsigned != second.is_unsigned;
        let is_symmetric = |order: Order| {
            let ways = order.ways & (LESS | GREATER);
            ways == 0 || ways == LESS | GREATER
        };
        if both_signs && !is_symmetric(first) && !is_symmetric(second) {
            return None;
        }
        let is_unsigned = if is_symmetric(first) {
            second.is_unsigned
        } else {
            first.is_unsigned
        };
        let ways = if operation == Binary::And {
            first.ways & second.ways
        } else {
            first.ways | second.ways
        };
        self.in_order(Order {
            is_unsigned,
            ways,
            ..first
        })
    }

    /// Normalised comparison of two terms that are not constants.
    fn order(&self, condition: Term) -> Option<Order> {
        use Binary::{Eq, Le, Lt, Ule, Ult};
        let (negated, comparison) = match *self.node(condition) {
            Node::Unary(Unary::Not, inner) => (true, inner),
            _ => (false, condition),
        };
        let Node::Binary(operation @ (Eq | Le | Lt | Ule | Ult), left, right) =
            *self.node(comparison)
        else {
            return None;
        };
        let all = self.ways(left)?;
        let ways = match operation {
            Eq => EQUAL,
            Lt | Ult => LESS,
            _ => LESS | EQUAL,
        };
        let ways = if negated { all & !ways } else { ways };
        let is_unsigned = matches!(operation, Ule | Ult);
        if !self.goes_before(right, left) {
            return Some(Order {
                left,
                right,
                is_unsigned,
                ways,
            });
        }
        let kept = ways & (EQUAL | UNORDERED);
        let turned = (ways & LESS) << 2 | (ways & GREATER) >> 2 | kept;
        Some(Order {
            left: right,
            right: left,
            is_unsigned,
            ways: turned,
        })
    }

    fn ways(&self, operand: Term) -> Option<u8> {
        match self.sort(operand) {
            Sort::Int | Sort::Long | Sort::Unbounded => Some(LESS | EQUAL | GREATER),
            Sort::Float | Sort::Double => Some(LESS | EQUAL | GREATER | UNORDERED),
            Sort::Bool => None,
        }
    }

    /// Condition for a set of allowed orders, if a single comparison expresses it.
    fn in_order(&mut self, order: Order) -> Option<Term> {
        use Binary::{Eq, Le, Lt, Ule, Ult};
        let Order {
            left,
            right,
            is_unsigned,
            ways,
        } = order;
        let all = self.ways(left)?;
        let (less, at_most) = if is_unsigned { (Ult, Ule) } else { (Lt, Le) };
        let plain = |ways: u8| {
            Some(match ways {
                LESS => (less, left, right),
                GREATER => (less, right, left),
                EQUAL => (Eq, left, right),
                3 => (at_most, left, right),
                6 => (at_most, right, left),
                _ => return None,
            })
        };
        if ways == 0 || ways == all {
            return Some(self.bool(ways != 0));
        }
        if let Some((operation, a, b)) = plain(ways) {
            return Some(self.binary(operation, a, b));
        }
        let (operation, a, b) = plain(all & !ways)?;
        let fails = self.binary(operation, a, b);
        Some(self.not(fails))
    }
}
