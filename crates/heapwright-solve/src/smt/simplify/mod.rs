//! Simplification of terms on creation; each rule holds for all values.
//!
//! Invariant: a rule's result is simpler than its input in a fixed order, so rewriting terminates.
//! The order prefers constants to the right, sums before differences, and one form of `<` and `<=`
//! with constants. Rules never depend on the numbers of terms, which depend on history.

mod arithmetic;
mod compare;
mod logic;
mod unbounded;

use super::eval;
use super::pool::TermPool;
use super::term::{Binary, Node, Sort, Term, Unary};

/// Greatest nesting of selections between constants that is simplified.
const TREE_DEPTH: u32 = 6;

impl TermPool {
    /// Simplifies an operation on one term.
    pub(super) fn simplified_unary(&mut self, operation: Unary, a: Term) -> Option<Term> {
        use Unary::*;
        if operation == BoolToInt {
            let (one, zero) = (self.int(1), self.int(0));
            return Some(self.ite(a, one, zero));
        }
        if let Some(tree) = self.in_tree(a, &mut |pool, leaf| pool.unary(operation, leaf)) {
            return Some(tree);
        }
        match (operation, *self.node(a)) {
            (Not, _) => self.simplified_not(a),
            (Neg, Node::Unary(Neg, inner)) | (LongToInt, Node::Unary(IntToLong, inner)) => {
                Some(inner)
            }
            (Neg, Node::Binary(Binary::Sub, left, right)) if self.sort(a).is_integral() => {
                Some(self.binary(Binary::Sub, right, left))
            }
            (IntToUnbounded | LongToUnbounded | UnboundedToInt | UnboundedToLong, _) => {
                self.simplified_conversion(operation, a)
            }
            (LongToInt, Node::Binary(binary, left, right)) => {
                self.narrowed_operation(binary, left, right)
            }
            (IntToByte | IntToChar | IntToShort, node) => self.narrowed(operation, a, node),
            (DoubleToFloat, Node::Unary(FloatToDouble, inner))
            | (DoubleToInt, Node::Unary(IntToDouble, inner))
            | (BitsToFloat, Node::Unary(FloatBits, inner))
            | (BitsToDouble, Node::Unary(DoubleBits, inner)) => Some(inner),
            (DoubleToLong, Node::Unary(IntToDouble, inner)) => Some(self.unary(IntToLong, inner)),
            (Abs, Node::Unary(Neg | Abs, inner)) => Some(self.unary(Abs, inner)),
            (Floor | Ceil | Rint, _) if self.is_integral(a) => Some(a),
            (IsNan, Node::Unary(Neg | Abs | FloatToDouble | Floor | Ceil | Rint, inner)) => {
                Some(self.unary(IsNan, inner))
            }
            (IsNan, Node::Unary(IntToFloat | IntToDouble | LongToFloat | LongToDouble, _)) => {
                Some(self.bool(false))
            }
            _ => None,
        }
    }

    /// Simplifies an operation on two terms.
    pub(super) fn simplified_binary(
        &mut self,
        operation: Binary,
        a: Term,
        b: Term,
    ) -> Option<Term> {
        use Binary::*;
        if operation == Same && !self.is_floating(a) {
            return Some(self.binary(Eq, a, b));
        }
        if matches!(operation, Add | Mul | And | Or | Xor | Eq | Same) && self.goes_before(b, a) {
            return Some(self.binary(operation, b, a));
        }
        if let Some(tree) = self.operation_in_tree(operation, a, b) {
            return Some(tree);
        }
        match (operation, self.sort(a)) {
            (And | Or | Xor | Eq, Sort::Bool) => self.simplified_logic(operation, a, b),
            (_, Sort::Unbounded) => self.simplified_unbounded(operation, a, b),
            (Eq | Lt | Le | Ult | Ule, Sort::Int | Sort::Long) => {
                self.simplified_comparison(operation, a, b)
            }
            (Eq | Lt | Le | Same, _) => self.simplified_floating_comparison(operation, a, b),
            (_, Sort::Int | Sort::Long) => self.simplified_arithmetic(operation, a, b),
            (_, _) => self.simplified_floating(operation, a, b),
        }
    }

    /// Simplifies a selection.
    pub(super) fn simplified_ite(&mut self, condition: Term, a: Term, b: Term) -> Option<Term> {
        if let Some(holds) = self.constant_of(condition) {
            return Some(if holds != 0 { a } else { b });
        }
        if a == b {
            return Some(a);
        }
        if let Node::Unary(Unary::Not, negated) = *self.node(condition) {
            return Some(self.ite(negated, b, a));
        }
        match (*self.node(a), *self.node(b)) {
            (Node::Ite(inner, then, _), _) if inner == condition => {
                return Some(self.ite(condition, then, b));
            }
            (_, Node::Ite(inner, _, otherwise)) if inner == condition => {
                return Some(self.ite(condition, a, otherwise));
            }
            (_, Node::Ite(inner, then, otherwise)) if then == a => {
                let either = self.binary(Binary::Or, condition, inner);
                return Some(self.ite(either, a, otherwise));
            }
            _ => {}
        }
        if self.sort(a) == Sort::Bool {
            return self.choice_of_truths(condition, a, b);
        }
        let Node::Binary(Binary::Eq, left, right) = *self.node(condition) else {
            return None;
        };
        if !self.is_integer(a) {
            return None;
        }
        // For a 0-or-1 integer `x`, `x == 0 ? n : n << 1` is `n << x`, as is `x == 0 ? n : n << x`.
        if let Node::Binary(Binary::Shl, shifted, by) = *self.node(b)
            && shifted == a
            && self.bounds(left) == (0, 1)
            && self.sort(left) == Sort::Int
            && self.integer_of(right) == Some(0)
            && (by == left || self.integer_of(by) == Some(1))
        {
            return Some(self.binary(Binary::Shl, a, left));
        }
        // Simplifies `x == k ? k : x`, and `x == 0 ? 0 : 1` for a 0-or-1 integer.
        let is_truth = self.bounds(left) == (0, 1) && self.sort(a) == self.sort(left);
        let (zero, one) = (self.integer_of(a) == Some(0), self.integer_of(b) == Some(1));
        let same = (left == b && right == a) || (left == a && right == b);
        if same {
            return Some(b);
        }
        (is_truth && self.integer_of(right) == Some(0) && zero && one).then_some(left)
    }

    fn choice_of_truths(&mut self, condition: Term, a: Term, b: Term) -> Option<Term> {
        let not = |pool: &mut TermPool| pool.not(condition);
        match (self.constant_of(a), self.constant_of(b)) {
            (Some(1), Some(_)) => Some(condition),
            (Some(_), Some(_)) => Some(not(self)),
            (Some(1), None) => Some(self.binary(Binary::Or, condition, b)),
            (Some(_), None) => {
                let fails = not(self);
                Some(self.binary(Binary::And, fails, b))
            }
            (None, Some(1)) => {
                let fails = not(self);
                Some(self.binary(Binary::Or, fails, a))
            }
            (None, Some(_)) => Some(self.binary(Binary::And, condition, a)),
            (None, None) => None,
        }
    }

    /// Applies an operation to the leaves of a selection between constants.
    fn in_tree(
        &mut self,
        term: Term,
        operation: &mut impl FnMut(&mut TermPool, Term) -> Term,
    ) -> Option<Term> {
        if !matches!(self.node(term), Node::Ite(..)) || !self.is_tree(term, TREE_DEPTH) {
            return None;
        }
        Some(self.mapped(term, operation))
    }

    fn mapped(
        &mut self,
        term: Term,
        operation: &mut impl FnMut(&mut TermPool, Term) -> Term,
    ) -> Term {
        if let Node::Ite(condition, then, otherwise) = *self.node(term) {
            let then = self.mapped(then, operation);
            let otherwise = self.mapped(otherwise, operation);
            return self.ite(condition, then, otherwise);
        }
        operation(self, term)
    }

    /// Whether a term is a constant, or a shallow tree of selections between constants.
    fn is_tree(&self, term: Term, depth: u32) -> bool {
        match *self.node(term) {
            Node::Const { .. } => true,
            Node::Ite(_, then, otherwise) if depth > 0 => {
                self.is_tree(then, depth - 1) && self.is_tree(otherwise, depth - 1)
            }
            _ => false,
        }
    }

    fn operation_in_tree(&mut self, operation: Binary, a: Term, b: Term) -> Option<Term> {
        if self.constant_of(b).is_some() {
            return self.in_tree(a, &mut |pool, leaf| pool.binary(operation, leaf, b));
        }
        if self.constant_of(a).is_some() {
            return self.in_tree(b, &mut |pool, leaf| pool.binary(operation, a, leaf));
        }
        None
    }

    /// Whether the first operand of a symmetric operation goes to the left: constants last,
    /// otherwise by first variables.
    fn goes_before(&self, a: Term, b: Term) -> bool {
        let rank = |term: Term| {
            let is_constant = self.constant_of(term).is_some();
            let first = self.variables(term).first().copied();
            (is_constant, first, self.size(term), self.digest(term))
        };
        a != b && rank(a) < rank(b)
    }

    fn narrowed(&mut self, operation: Unary, a: Term, node: Node) -> Option<Term> {
        use Unary::*;
        let all = super::bounds::unary(operation, Sort::Int, (i64::MIN, i64::MAX));
        let (least, most) = self.bounds(a);
        if all.0 <= least && most <= all.1 {
            return Some(a);
        }
        match (operation, node) {
            (IntToByte, Node::Unary(IntToByte | IntToChar | IntToShort, inner))
            | (IntToChar | IntToShort, Node::Unary(IntToChar | IntToShort, inner)) => {
                Some(self.unary(operation, inner))
            }
            (_, Node::Binary(Binary::And, inner, mask)) => {
                let kept = if operation == IntToByte { 0xFF } else { 0xFFFF };
                let mask = self.integer_of(mask)?;
                (mask & kept == kept).then(|| self.unary(operation, inner))
            }
            _ => None,
        }
    }

    /// Rewrites `(int) (a + b)` of widened `int`s to their sum, and likewise for all operations
    /// that carry upwards only.
    fn narrowed_operation(&mut self, operation: Binary, a: Term, b: Term) -> Option<Term> {
        use Binary::{Add, And, Mul, Or, Sub, Xor};
        if !matches!(operation, Add | Sub | Mul | And | Or | Xor) {
            return None;
        }
        let mut narrow = |term: Term| match *self.node(term) {
            Node::Unary(Unary::IntToLong, inner) => Some(inner),
            Node::Const { bits, .. } => Some(self.int(bits as i32)),
            _ => None,
        };
        let (a, b) = (narrow(a)?, narrow(b)?);
        Some(self.binary(operation, a, b))
    }

    pub(super) fn is_floating(&self, term: Term) -> bool {
        matches!(self.sort(term), Sort::Float | Sort::Double)
    }

    pub(super) fn is_integer(&self, term: Term) -> bool {
        matches!(self.sort(term), Sort::Int | Sort::Long)
    }

    /// Whether a floating-point number has no fraction, or is not finite.
    fn is_integral(&self, term: Term) -> bool {
        use Unary::*;
        matches!(
            self.node(term),
            Node::Unary(
                Floor | Ceil | Rint | IntToFloat | IntToDouble | LongToFloat | LongToDouble,
                _
            )
        )
    }

    /// Value of an integer constant.
    pub(super) fn integer_of(&self, term: Term) -> Option<i64> {
        let sort = self.sort(term);
        let bits = self.constant_of(term)?;
        sort.is_integral().then(|| eval::integer(sort, bits))
    }

    /// Creates an integer constant of a sort, wrapped.
    pub(super) fn integer(&mut self, sort: Sort, value: i64) -> Term {
        self.constant(sort, eval::of_integer(sort, value))
    }
}
