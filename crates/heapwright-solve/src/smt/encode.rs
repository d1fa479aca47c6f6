//! Translation of terms to SMT-LIB's theories. Tests compare it with the evaluator.

use rustc_hash::FxHashMap;

use super::SolverError;
use super::op::{Format, Op, Rounding, TranslationTarget};
use super::pool::TermPool;
use super::term::{Binary, Node, Sort, Term, Unary, VariableRange};

/// Encoder with a memo of translations by digest, so that a pool may discard terms.
#[derive(Debug)]
pub(super) struct Encoder<T: TranslationTarget> {
    pub(super) target: T,
    known: FxHashMap<u128, T::Term>,
    /// Whether variables are mathematical integers, converted to bits where necessary. All
    /// conditions of a query must be translated in the same mode.
    is_unbounded: bool,
}

type Encoded<T> = Result<<T as TranslationTarget>::Term, SolverError>;

impl<T: TranslationTarget> Encoder<T> {
    pub(super) fn new(target: T) -> Encoder<T> {
        Encoder {
            target,
            known: FxHashMap::default(),
            is_unbounded: false,
        }
    }

    /// Creates an encoder; `is_unbounded` selects the mode for conditions over mathematical
    /// integers.
    pub(super) fn with_integers(target: T, is_unbounded: bool) -> Encoder<T> {
        Encoder {
            is_unbounded,
            ..Encoder::new(target)
        }
    }

    /// Number of memoised terms.
    pub(super) fn len(&self) -> usize {
        self.known.len()
    }

    /// Translates a term to a Boolean, a bit vector, an integer or a floating-point number.
    pub(super) fn encode(&mut self, pool: &TermPool, term: Term) -> Encoded<T> {
        let mut open = vec![term];
        while let Some(&next) = open.last() {
            if self.known.contains_key(&pool.digest(next)) {
                open.pop();
                continue;
            }
            let before = open.len();
            let missing = |operand: &Term| !self.known.contains_key(&pool.digest(*operand));
            open.extend(pool.node(next).operands().filter(missing));
            if open.len() == before {
                let encoded = self.node(pool, next)?;
                self.known.insert(pool.digest(next), encoded);
                open.pop();
            }
        }
        Ok(self.of(pool, term))
    }

    /// Translates a literal: a condition or its negation.
    pub(super) fn literal(&mut self, pool: &TermPool, atom: Term, holds: bool) -> Encoded<T> {
        let encoded = self.encode(pool, atom)?;
        if holds {
            Ok(encoded)
        } else {
            self.target.apply(Op::Not, &[&encoded])
        }
    }

    fn of(&self, pool: &TermPool, term: Term) -> T::Term {
        self.known[&pool.digest(term)].clone()
    }

    fn node(&mut self, pool: &TermPool, term: Term) -> Encoded<T> {
        match *pool.node(term) {
            Node::Const { sort, bits } => self.constant(sort, bits),
            Node::Var { number, input } => self.variable(number, input),
            Node::Unary(operation, operand) => self.unary(pool, operation, operand),
            Node::Binary(operation, left, right) => {
                let sort = pool.sort(left);
                if let Some(compared) = self.compared(pool, operation, left, right)? {
                    return Ok(compared);
                }
                let (left, right) = (self.of(pool, left), self.of(pool, right));
                self.binary(operation, sort, &left, &right)
            }
            Node::Ite(condition, then, otherwise) => {
                let operands = [condition, then, otherwise].map(|term| self.of(pool, term));
                self.target
                    .apply(Op::Ite, &[&operands[0], &operands[1], &operands[2]])
            }
        }
    }

    fn constant(&mut self, sort: Sort, bits: u64) -> Encoded<T> {
        match sort {
            Sort::Bool => self.target.truth(bits != 0),
            Sort::Int => self.target.bits(32, bits),
            Sort::Long => self.target.bits(64, bits),
            Sort::Unbounded => self.target.integer((bits as i64).into()),
            Sort::Float => self.of_bits(Format::Single, bits),
            Sort::Double => self.of_bits(Format::Double, bits),
        }
    }

    fn of_bits(&mut self, format: Format, bits: u64) -> Encoded<T> {
        let bits = self.target.bits(format.width(), bits)?;
        self.target.apply(Op::FpOfBits(format), &[&bits])
    }

    fn variable(&mut self, number: u32, input: VariableRange) -> Encoded<T> {
        if self.is_integer(input) {
            let value = self.target.integer_variable(number)?;
            let width = width_of(input.sort());
            return self.target.apply(Op::IntToBits(width), &[&value]);
        }
        let bits = self.target.variable(number, width(input))?;
        let op = match input {
            VariableRange::Boolean => Op::ZeroExtend(31),
            VariableRange::Byte => Op::SignExtend(24),
            VariableRange::Char => Op::ZeroExtend(16),
            VariableRange::Short => Op::SignExtend(16),
            VariableRange::Int | VariableRange::Long => return Ok(bits),
            VariableRange::Float => Op::FpOfBits(Format::Single),
            VariableRange::Double => Op::FpOfBits(Format::Double),
        };
        self.target.apply(op, &[&bits])
    }

    fn unary(&mut self, pool: &TermPool, operation: Unary, operand: Term) -> Encoded<T> {
        use Unary::*;
        if let IntToUnbounded | LongToUnbounded = operation {
            return self.number(pool, operand);
        }
        let value = self.of(pool, operand);
        let floating = matches!(pool.sort(operand), Sort::Float | Sort::Double);
        let op = match operation {
            Not => Op::Not,
            Neg if floating => Op::FpNeg,
            Neg if pool.sort(operand) == Sort::Unbounded => Op::IntNeg,
            UnboundedToInt => Op::IntToBits(32),
            UnboundedToLong => Op::IntToBits(64),
            IntToUnbounded | LongToUnbounded => unreachable!("see above"),
            Neg => Op::BvNeg,
            IntToLong => Op::SignExtend(32),
            LongToInt => Op::Low(32),
            IntToByte => return self.narrow(&value, 8, Op::SignExtend(24)),
            IntToChar => return self.narrow(&value, 16, Op::ZeroExtend(16)),
            IntToShort => return self.narrow(&value, 16, Op::SignExtend(16)),
            IntToFloat | LongToFloat => Op::FpOfSigned(Format::Single),
            IntToDouble | LongToDouble => Op::FpOfSigned(Format::Double),
            FloatToInt => return self.saturated(Format::Single, 32, &value),
            FloatToLong => return self.saturated(Format::Single, 64, &value),
            DoubleToInt => return self.saturated(Format::Double, 32, &value),
            DoubleToLong => return self.saturated(Format::Double, 64, &value),
            FloatToDouble => Op::FpOfFp(Format::Double),
            DoubleToFloat => Op::FpOfFp(Format::Single),
            FloatBits => return self.bits_of(pool, Format::Single, operand, &value),
            DoubleBits => return self.bits_of(pool, Format::Double, operand, &value),
            BitsToFloat => Op::FpOfBits(Format::Single),
            BitsToDouble => Op::FpOfBits(Format::Double),
            BoolToInt => {
                let (one, zero) = (self.target.bits(32, 1)?, self.target.bits(32, 0)?);
                return self.target.apply(Op::Ite, &[&value, &one, &zero]);
            }
            Sqrt => Op::FpSqrt,
            Floor => Op::FpRound(Rounding::Floor),
            Ceil => Op::FpRound(Rounding::Ceil),
            Rint => Op::FpRound(Rounding::NearestEven),
            Abs => Op::FpAbs,
            IsNan => Op::FpIsNan,
        };
        self.target.apply(op, &[&value])
    }

    fn narrow(&mut self, value: &T::Term, width: u32, extend: Op) -> Encoded<T> {
        let low = self.target.apply(Op::Low(width), &[value])?;
        self.target.apply(extend, &[&low])
    }

    /// Float-to-integer conversion (JVMS §6.5 d2i): 0 for NaN, otherwise saturated and truncated.
    fn saturated(&mut self, format: Format, width: u32, value: &T::Term) -> Encoded<T> {
        let bound = (2.0_f64).powi(width as i32 - 1);
        let of = |number: f64| match format {
            Format::Single => u64::from((number as f32).to_bits()),
            Format::Double => number.to_bits(),
        };
        let (high, low) = (
            self.of_bits(format, of(bound))?,
            self.of_bits(format, of(-bound))?,
        );
        let least = 1_u64 << (width - 1);
        let target = &mut self.target;
        let truncated = target.apply(Op::FpToSigned(width), &[value])?;
        let is_high = target.apply(Op::FpLe, &[&high, value])?;
        let most = target.bits(width, least - 1)?;
        let below = target.apply(Op::Ite, &[&is_high, &most, &truncated])?;
        let is_low = target.apply(Op::FpLe, &[value, &low])?;
        let least = target.bits(width, least)?;
        let within = target.apply(Op::Ite, &[&is_low, &least, &below])?;
        let is_nan = target.apply(Op::FpIsNan, &[value])?;
        let zero = target.bits(width, 0)?;
        target.apply(Op::Ite, &[&is_nan, &zero, &within])
    }

    fn bits_of(
        &mut self,
        pool: &TermPool,
        format: Format,
        operand: Term,
        value: &T::Term,
    ) -> Encoded<T> {
        let bits = match *pool.node(operand) {
            Node::Var { number, .. } => self.target.variable(number, format.width())?,
            _ => self.target.ieee_bits(format, value)?,
        };
        let is_nan = self.target.apply(Op::FpIsNan, &[value])?;
        let nan = match format {
            Format::Single => 0x7FC0_0000,
            Format::Double => 0x7FF8_0000_0000_0000,
        };
        let nan = self.target.bits(format.width(), nan)?;
        self.target.apply(Op::Ite, &[&is_nan, &nan, &bits])
    }

    fn binary(
        &mut self,
        operation: Binary,
        sort: Sort,
        left: &T::Term,
        right: &T::Term,
    ) -> Encoded<T> {
        let op = match sort {
            Sort::Bool => of_bools(operation),
            Sort::Int | Sort::Long => {
                if let Binary::Shl | Binary::Shr | Binary::Ushr = operation {
                    return self.shift(operation, sort, left, right);
                }
                of_integers(operation)
            }
            Sort::Unbounded => return self.integers(operation, left, right),
            Sort::Float | Sort::Double if operation == Binary::Rem => {
                return self.truncated_remainder(left, right);
            }
            Sort::Float | Sort::Double => of_floating(operation),
        };
        self.target.apply(op, &[left, right])
    }

    /// Converts a bounded integer to a mathematical one.
    fn number(&mut self, pool: &TermPool, term: Term) -> Encoded<T> {
        let bits = match *pool.node(term) {
            Node::Const { .. } => {
                return self
                    .target
                    .integer(pool.integer_of(term).unwrap_or(0).into());
            }
            Node::Var { number, .. } if self.is_unbounded => {
                return self.target.integer_variable(number);
            }
            Node::Unary(Unary::IntToLong, inner) => return self.number(pool, inner),
            _ => self.encode(pool, term)?,
        };
        let width = width_of(pool.sort(term));
        let zero = self.target.bits(width, 0)?;
        let turn = self.target.integer(1 << width)?;
        let target = &mut self.target;
        let is_negative = target.apply(Op::BvSlt, &[&bits, &zero])?;
        let value = target.apply(Op::BitsToInt, &[&bits])?;
        let below = target.apply(Op::IntSub, &[&value, &turn])?;
        target.apply(Op::Ite, &[&is_negative, &below, &value])
    }

    /// Translates a comparison of `int`s or `long`s to one of mathematical integers, if it needs no
    /// bits.
    fn compared(
        &mut self,
        pool: &TermPool,
        operation: Binary,
        left: Term,
        right: Term,
    ) -> Result<Option<T::Term>, SolverError> {
        let is_order = matches!(
            operation,
            Binary::Eq | Binary::Same | Binary::Lt | Binary::Le
        );
        let is_number = |mut term: Term| {
            while let Node::Unary(Unary::IntToLong, inner) = *pool.node(term) {
                term = inner;
            }
            matches!(pool.node(term), Node::Const { .. } | Node::Var { .. })
        };
        let are_numbers = pool.is_integer(left) && is_number(left) && is_number(right);
        if !self.is_unbounded || !is_order || !are_numbers {
            return Ok(None);
        }
        let (left, right) = (self.number(pool, left)?, self.number(pool, right)?);
        self.integers(operation, &left, &right).map(Some)
    }

    fn integers(&mut self, operation: Binary, left: &T::Term, right: &T::Term) -> Encoded<T> {
        let op = match operation {
            Binary::Add => Op::IntAdd,
            Binary::Sub => Op::IntSub,
            Binary::Mul => Op::IntMul,
            Binary::Eq | Binary::Same => Op::Equal,
            Binary::Lt => Op::IntLt,
            Binary::Le => Op::IntLe,
            Binary::Div | Binary::Rem => return self.truncated(operation, left, right),
            _ => unreachable!("{operation:?} of Unbounded"),
        };
        self.target.apply(op, &[left, right])
    }

    /// Truncated division (JLS §15.17), from the Euclidean quotient and remainder of the dividend's
    /// magnitude, negated for a negative dividend.
    fn truncated(&mut self, operation: Binary, left: &T::Term, right: &T::Term) -> Encoded<T> {
        let target = &mut self.target;
        let zero = target.integer(0)?;
        let is_quotient = operation == Binary::Div;
        let op = if is_quotient { Op::IntDiv } else { Op::IntMod };
        let negated = target.apply(Op::IntNeg, &[left])?;
        let above = target.apply(op, &[left, right])?;
        let below = target.apply(op, &[&negated, right])?;
        let below = target.apply(Op::IntNeg, &[&below])?;
        let is_below = target.apply(Op::IntLt, &[left, &zero])?;
        let result = target.apply(Op::Ite, &[&is_below, &below, &above])?;
        let by_zero = if is_quotient {
            let (one, minus) = (target.integer(1)?, target.integer(-1)?);
            target.apply(Op::Ite, &[&is_below, &one, &minus])?
        } else {
            left.clone()
        };
        let is_zero = target.apply(Op::Equal, &[right, &zero])?;
        target.apply(Op::Ite, &[&is_zero, &by_zero, &result])
    }

    /// Whether variables of this range are mathematical integers.
    pub(super) fn is_integer(&self, input: VariableRange) -> bool {
        self.is_unbounded && input.range().is_some()
    }

    /// Range condition of a variable encoded as a mathematical integer; `None` for others.
    pub(super) fn range(
        &mut self,
        pool: &TermPool,
        number: u32,
    ) -> Result<Option<T::Term>, SolverError> {
        let input = pool.input(number).filter(|&input| self.is_integer(input));
        let Some((least, most)) = input.and_then(VariableRange::range) else {
            return Ok(None);
        };
        let target = &mut self.target;
        let variable = target.integer_variable(number)?;
        let (least, most) = (target.integer(least.into())?, target.integer(most.into())?);
        let above = target.apply(Op::IntLe, &[&least, &variable])?;
        let below = target.apply(Op::IntLe, &[&variable, &most])?;
        target.apply(Op::And, &[&above, &below]).map(Some)
    }

    /// Shift (JLS §15.19): only the low five or six bits of the distance count.
    fn shift(
        &mut self,
        operation: Binary,
        sort: Sort,
        left: &T::Term,
        right: &T::Term,
    ) -> Encoded<T> {
        let target = &mut self.target;
        let mask = target.bits(32, if sort == Sort::Int { 31 } else { 63 })?;
        let mut distance = target.apply(Op::BvAnd, &[right, &mask])?;
        if sort == Sort::Long {
            distance = target.apply(Op::ZeroExtend(32), &[&distance])?;
        }
        let op = match operation {
            Binary::Shl => Op::BvShl,
            Binary::Shr => Op::BvAshr,
            _ => Op::BvLshr,
        };
        target.apply(op, &[left, &distance])
    }

    /// Remainder (JLS §15.17.3), from the IEEE remainder of the magnitudes. The latter lies within
    /// half a divisor of zero; a negative one is increased by the divisor. Both steps are exact.
    /// The sign is the dividend's.
    fn truncated_remainder(&mut self, left: &T::Term, right: &T::Term) -> Encoded<T> {
        let target = &mut self.target;
        let dividend = target.apply(Op::FpAbs, &[left])?;
        let divisor = target.apply(Op::FpAbs, &[right])?;
        let nearest = target.apply(Op::FpRemainder, &[&dividend, &divisor])?;
        let is_below = target.apply(Op::FpIsNegative, &[&nearest])?;
        let more = target.apply(Op::FpAdd, &[&nearest, &divisor])?;
        let magnitude = target.apply(Op::Ite, &[&is_below, &more, &nearest])?;
        let negated = target.apply(Op::FpNeg, &[&magnitude])?;
        let is_negative = target.apply(Op::FpIsNegative, &[left])?;
        target.apply(Op::Ite, &[&is_negative, &negated, &magnitude])
    }
}

fn width_of(sort: Sort) -> u32 {
    if sort == Sort::Int { 32 } else { 64 }
}

pub(super) fn width(input: VariableRange) -> u32 {
    match input {
        VariableRange::Boolean => 1,
        VariableRange::Byte => 8,
        VariableRange::Char | VariableRange::Short => 16,
        VariableRange::Int | VariableRange::Float => 32,
        VariableRange::Long | VariableRange::Double => 64,
    }
}

fn of_bools(operation: Binary) -> Op {
    match operation {
        Binary::And => Op::And,
        Binary::Or => Op::Or,
        Binary::Xor => Op::Xor,
        Binary::Eq | Binary::Same => Op::Equal,
        _ => unreachable!("{operation:?} of Bool"),
    }
}

fn of_integers(operation: Binary) -> Op {
    match operation {
        Binary::Add => Op::BvAdd,
        Binary::Sub => Op::BvSub,
        Binary::Mul => Op::BvMul,
        Binary::Div => Op::BvSdiv,
        Binary::Rem => Op::BvSrem,
        Binary::And => Op::BvAnd,
        Binary::Or => Op::BvOr,
        Binary::Xor => Op::BvXor,
        Binary::Eq | Binary::Same => Op::Equal,
        Binary::Lt => Op::BvSlt,
        Binary::Le => Op::BvSle,
        Binary::Ult => Op::BvUlt,
        Binary::Ule => Op::BvUle,
        Binary::Shl | Binary::Shr | Binary::Ushr => unreachable!("shifts have their own"),
    }
}

fn of_floating(operation: Binary) -> Op {
    match operation {
        Binary::Add => Op::FpAdd,
        Binary::Sub => Op::FpSub,
        Binary::Mul => Op::FpMul,
        Binary::Div => Op::FpDiv,
        Binary::Eq => Op::FpEq,
        Binary::Lt => Op::FpLt,
        Binary::Le => Op::FpLe,
        Binary::Same => Op::Equal,
        _ => unreachable!("{operation:?} of floating point"),
    }
}
