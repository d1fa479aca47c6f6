//! Operations of SMT-LIB's theories that terms are translated to (Core, FixedSizeBitVectors,
//! FloatingPoint, Ints), and the targets of the translation: Z3's library, or text.

use super::SolverError;

/// Floating-point format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Format {
    Single,
    Double,
}

impl Format {
    pub(super) fn width(self) -> u32 {
        match self {
            Format::Single => 32,
            Format::Double => 64,
        }
    }
}

/// Rounding of a floating-point number to an integral one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Rounding {
    Floor,
    Ceil,
    NearestEven,
}

/// Operation of a target. Rounding is to nearest, ties to even, unless specified.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Op {
    Not,
    And,
    Or,
    Xor,
    Ite,
    Equal,
    BvNeg,
    BvAdd,
    BvSub,
    BvMul,
    BvSdiv,
    BvSrem,
    BvAnd,
    BvOr,
    BvXor,
    BvShl,
    BvLshr,
    BvAshr,
    BvSlt,
    BvSle,
    BvUlt,
    BvUle,
    /// Lowest bits, of this number.
    Low(u32),
    /// Sign extension by this many bits.
    SignExtend(u32),
    /// Zero extension by this many bits.
    ZeroExtend(u32),
    FpNeg,
    FpAbs,
    FpAdd,
    FpSub,
    FpMul,
    FpDiv,
    /// IEEE remainder, which rounds its quotient to nearest.
    FpRemainder,
    FpSqrt,
    FpRound(Rounding),
    FpLt,
    FpLe,
    FpEq,
    FpIsNan,
    FpIsNegative,
    FpOfBits(Format),
    FpOfFp(Format),
    FpOfSigned(Format),
    /// Truncation to an integer of this many bits.
    FpToSigned(u32),
    IntNeg,
    IntAdd,
    IntSub,
    IntMul,
    /// Euclidean division: the remainder is not negative.
    IntDiv,
    /// Euclidean remainder.
    IntMod,
    IntLt,
    IntLe,
    /// Lowest bits, of this number.
    IntToBits(u32),
    /// Conversion of bits to a non-negative number.
    BitsToInt,
}

/// Target of the translation.
pub(super) trait TranslationTarget {
    /// Term of the target.
    type Term: Clone;

    fn truth(&mut self, value: bool) -> Result<Self::Term, SolverError>;

    fn bits(&mut self, width: u32, bits: u64) -> Result<Self::Term, SolverError>;

    /// Creates a variable of this many bits.
    fn variable(&mut self, number: u32, width: u32) -> Result<Self::Term, SolverError>;

    /// Creates a constant mathematical integer.
    fn integer(&mut self, value: i128) -> Result<Self::Term, SolverError>;

    /// Creates a variable that is a mathematical integer.
    fn integer_variable(&mut self, number: u32) -> Result<Self::Term, SolverError>;

    fn apply(&mut self, op: Op, operands: &[&Self::Term]) -> Result<Self::Term, SolverError>;

    /// Bits of a floating-point number that is not NaN.
    fn ieee_bits(&mut self, format: Format, number: &Self::Term)
    -> Result<Self::Term, SolverError>;
}
