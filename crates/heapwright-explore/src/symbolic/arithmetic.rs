//! Terms for Java's operations and comparisons.

use heapwright_jvm::descriptor::Kind;
use heapwright_jvm::{Comparison, Operation};
use heapwright_solve::smt::{Binary, Node, Term, Unary, VariableRange};

use super::machine::SymbolicMachine;

impl SymbolicMachine {
    pub(super) fn compared(&mut self, comparison: Comparison, kind: Kind, a: u64, b: u64) -> Term {
        let (a, b) = (self.term(a, kind), self.term(b, kind));
        if comparison == Comparison::Below
            && let Some(condition) = self.unbounded_below(a, b)
        {
            return condition;
        }
        let (a, b) = self.comparable(a, b);
        let pool = &mut self.pool;
        match comparison {
            Comparison::Eq => pool.binary(Binary::Eq, a, b),
            Comparison::Ne => {
                let equal = pool.binary(Binary::Eq, a, b);
                pool.not(equal)
            }
            Comparison::Lt => pool.binary(Binary::Lt, a, b),
            Comparison::Ge => pool.binary(Binary::Le, b, a),
            Comparison::Gt => pool.binary(Binary::Lt, b, a),
            Comparison::Le => pool.binary(Binary::Le, a, b),
            Comparison::Below => pool.binary(Binary::Ult, a, b),
        }
    }

    /// Returns the condition whose 0-or-1 encoding an int term is.
    pub(super) fn condition_of(&mut self, term: Term) -> Option<Term> {
        match *self.pool.node(term) {
            Node::Unary(Unary::BoolToInt, condition) => Some(condition),
            Node::Ite(condition, one, zero)
                if self.pool.constant_of(one) == Some(1)
                    && self.pool.constant_of(zero) == Some(0) =>
            {
                Some(condition)
            }
            Node::Ite(condition, zero, one)
                if self.pool.constant_of(zero) == Some(0)
                    && self.pool.constant_of(one) == Some(1) =>
            {
                Some(self.pool.not(condition))
            }
            Node::Const { bits, .. } if bits <= 1 => Some(self.pool.bool(bits == 1)),
            _ => None,
        }
    }

    /// Returns the condition that a variable of type boolean is true.
    pub(super) fn boolean_of(&mut self, term: Term) -> Option<Term> {
        let Node::Var { input, .. } = *self.pool.node(term) else {
            return None;
        };
        let zero = self.pool.int(0);
        let fails = self.pool.binary(Binary::Eq, term, zero);
        (input == VariableRange::Boolean).then(|| self.pool.not(fails))
    }

    /// Three-way comparison, with result -1, 0 or 1; `unordered` if an operand is NaN.
    fn sign(&mut self, a: Term, b: Term, unordered: i32) -> Term {
        let (a, b) = self.comparable(a, b);
        let pool = &mut self.pool;
        let (less, equal) = (pool.binary(Binary::Lt, a, b), pool.binary(Binary::Eq, a, b));
        let (minus, zero, one) = (pool.int(-1), pool.int(0), pool.int(1));
        if unordered < 0 {
            let greater = pool.binary(Binary::Lt, b, a);
            let rest = pool.ite(equal, zero, minus);
            pool.ite(greater, one, rest)
        } else {
            let rest = pool.ite(equal, zero, one);
            pool.ite(less, minus, rest)
        }
    }

    pub(super) fn computed(
        &mut self,
        operation: Operation,
        kind: Kind,
        a: u64,
        b: u64,
    ) -> Option<Term> {
        use Operation as O;
        let left = self.term(a, kind);
        let unary = match operation {
            O::Neg => Unary::Neg,
            O::Sqrt => Unary::Sqrt,
            O::Floor => Unary::Floor,
            O::Ceil => Unary::Ceil,
            O::Rint => Unary::Rint,
            O::Abs => Unary::Abs,
            O::Bits => match kind {
                Kind::Float => Unary::FloatBits,
                Kind::Double => Unary::DoubleBits,
                Kind::Long => Unary::BitsToDouble,
                _ => Unary::BitsToFloat,
            },
            O::Convert(target) => return self.converted(left, kind, target),
            _ => return self.computed_of_two(operation, kind, left, b),
        };
        if unary == Unary::Neg
            && let Some(negated) = self.unbounded_negated(left)
        {
            return Some(negated);
        }
        Some(self.pool.unary(unary, left))
    }

    fn computed_of_two(
        &mut self,
        operation: Operation,
        kind: Kind,
        left: Term,
        b: u64,
    ) -> Option<Term> {
        use Operation as O;
        let is_shift = matches!(operation, O::Shl | O::Shr | O::Ushr);
        let right = self.term(b, if is_shift { Kind::Int } else { kind });
        let binary = match operation {
            O::Add => Binary::Add,
            O::Sub => Binary::Sub,
            O::Mul => Binary::Mul,
            O::Div => Binary::Div,
            O::Rem => Binary::Rem,
            O::And => Binary::And,
            O::Or => Binary::Or,
            O::Xor => Binary::Xor,
            O::Shl => Binary::Shl,
            O::Shr => Binary::Shr,
            O::Ushr => Binary::Ushr,
            O::Sign => return Some(self.sign(left, right, -1)),
            O::SignUp => return Some(self.sign(left, right, 1)),
            _ => return None,
        };
        if binary == Binary::Shr
            && let Some(length) = self.characters(left, right)
        {
            return Some(length);
        }
        if let Some(result) = self.unbounded_result(binary, left, right) {
            return Some(result);
        }
        let is_logical = matches!(binary, Binary::And | Binary::Or | Binary::Xor);
        if is_logical && kind == Kind::Int {
            let conditions = match (self.condition_of(left), self.condition_of(right)) {
                (Some(left), None) => (Some(left), self.boolean_of(right)),
                (None, Some(right)) => (self.boolean_of(left), Some(right)),
                conditions => conditions,
            };
            if let (Some(left), Some(right)) = conditions {
                let both = self.pool.binary(binary, left, right);
                return Some(self.pool.unary(Unary::BoolToInt, both));
            }
        }
        Some(self.pool.binary(binary, left, right))
    }

    fn converted(&mut self, term: Term, from: Kind, to: Kind) -> Option<Term> {
        use Kind::{Double, Float, Int, Long};
        let unary = match (from, to) {
            (Int, Kind::Byte) => Unary::IntToByte,
            (Int, Kind::Char) => Unary::IntToChar,
            (Int, Kind::Short) => Unary::IntToShort,
            (Int, Kind::Boolean) => {
                if self.condition_of(term).is_some() {
                    return Some(term);
                }
                let one = self.pool.int(1);
                return Some(self.pool.binary(Binary::And, term, one));
            }
            (Int, Long) => return Some(self.widened(term)),
            (Int, Float) => Unary::IntToFloat,
            (Int, Double) => Unary::IntToDouble,
            (Long, Int) => Unary::LongToInt,
            (Long, Float) => Unary::LongToFloat,
            (Long, Double) => Unary::LongToDouble,
            (Float, Int) => Unary::FloatToInt,
            (Float, Long) => Unary::FloatToLong,
            (Float, Double) => Unary::FloatToDouble,
            (Double, Int) => Unary::DoubleToInt,
            (Double, Long) => Unary::DoubleToLong,
            (Double, Float) => Unary::DoubleToFloat,
            _ => return None,
        };
        Some(self.pool.unary(unary, term))
    }
}
