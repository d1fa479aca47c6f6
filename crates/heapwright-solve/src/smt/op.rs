//! The operations of SMT-LIB's theories Core, FixedSizeBitVectors and FloatingPoint that terms are
//! translated to, and what they are applied to: Z3's library, or text.

use super::SolverError;

/// A floating-point format.
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

/// How a floating-point number is rounded to an integral one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Rounding {
    Floor,
    Ceil,
    NearestEven,
}

/// An operation. Where one rounds and does not say how, it is to nearest, ties to even.
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
    /// The bits below this one.
    Low(u32),
    /// With so many more bits above, all like the highest.
    SignExtend(u32),
    /// With so many zeros above.
    ZeroExtend(u32),
    FpNeg,
    FpAbs,
    FpAdd,
    FpSub,
    FpMul,
    FpDiv,
    /// IEEE's remainder, which rounds its quotient to nearest.
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
    /// Truncated, to so many bits.
    FpToSigned(u32),
    IntNeg,
    IntAdd,
    IntSub,
    IntMul,
    /// Euclid's: the remainder is not negative.
    IntDiv,
    /// Euclid's.
    IntMod,
    IntLt,
    IntLe,
    /// The lowest so many bits.
    IntToBits(u32),
    /// The bits as a number that is not negative.
    BitsToInt,
}

/// What operations are applied to.
pub(super) trait Target {
    /// A term there.
    type Term: Clone;

    fn truth(&mut self, value: bool) -> Result<Self::Term, SolverError>;

    fn bits(&mut self, width: u32, bits: u64) -> Result<Self::Term, SolverError>;

    /// A variable of so many bits.
    fn variable(&mut self, number: u32, width: u32) -> Result<Self::Term, SolverError>;

    /// A mathematical integer.
    fn integer(&mut self, value: i128) -> Result<Self::Term, SolverError>;

    /// A variable that is a mathematical integer.
    fn integer_variable(&mut self, number: u32) -> Result<Self::Term, SolverError>;

    fn apply(&mut self, op: Op, operands: &[&Self::Term]) -> Result<Self::Term, SolverError>;

    /// The bits of a floating-point number that is not NaN.
    fn ieee_bits(&mut self, format: Format, number: &Self::Term)
    -> Result<Self::Term, SolverError>;
}
