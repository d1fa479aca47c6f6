//! Constituents of terms: sorts, operations, and the values of variables.
//!
//! A value of any sort is 64 bits. A `Bool` is 0 or 1, an `Int` its 32 bits with zeros above, a
//! `Long` its own bits. A `Float` or `Double` has the bits of `floatToIntBits` or
//! `doubleToLongBits`, so there is one NaN of each. An `Unbounded` has its lowest 64 bits, which
//! suffice for constants.

/// Sort of a term: Java's computational types (JVMS §2.11.1), truth values, and mathematical
/// integers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Sort {
    /// True or false: a condition.
    Bool,
    /// 32 bits, two's complement.
    Int,
    /// 64 bits, two's complement.
    Long,
    /// IEEE 754 binary32.
    Float,
    /// IEEE 754 binary64.
    Double,
    /// Mathematical integer, for `int`s and `long`s in arithmetic that does not wrap.
    Unbounded,
}

impl Sort {
    /// Whether the values are integers of any size.
    pub(super) fn is_integral(self) -> bool {
        matches!(self, Sort::Int | Sort::Long | Sort::Unbounded)
    }
}

/// Range of a variable. Ranges narrower than `int` have terms of sort `Int`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum VariableRange {
    /// 0 or 1.
    Boolean,
    /// -128 to 127.
    Byte,
    /// 0 to 65,535.
    Char,
    /// -32,768 to 32,767.
    Short,
    /// Every `int`.
    Int,
    /// Every `long`.
    Long,
    /// Every `float`, all NaNs being one.
    Float,
    /// Every `double`, all NaNs being one.
    Double,
}

impl VariableRange {
    /// Sort of a variable's term.
    #[must_use]
    pub fn sort(self) -> Sort {
        match self {
            VariableRange::Boolean
            | VariableRange::Byte
            | VariableRange::Char
            | VariableRange::Short
            | VariableRange::Int => Sort::Int,
            VariableRange::Long => Sort::Long,
            VariableRange::Float => Sort::Float,
            VariableRange::Double => Sort::Double,
        }
    }

    /// Least and greatest value; `None` for floating point.
    #[must_use]
    pub fn range(self) -> Option<(i64, i64)> {
        match self {
            VariableRange::Boolean => Some((0, 1)),
            VariableRange::Byte => Some((i8::MIN.into(), i8::MAX.into())),
            VariableRange::Char => Some((0, u16::MAX.into())),
            VariableRange::Short => Some((i16::MIN.into(), i16::MAX.into())),
            VariableRange::Int => Some((i32::MIN.into(), i32::MAX.into())),
            VariableRange::Long => Some((i64::MIN, i64::MAX)),
            VariableRange::Float | VariableRange::Double => None,
        }
    }
}

/// Number of generations that term numbers distinguish. In a debug build, a discarded term is not
/// confused with the one that reuses its index.
pub(super) const GENERATIONS: u32 = if cfg!(debug_assertions) { 256 } else { 1 };

/// Number of a term in its [`TermPool`](super::TermPool). Operands have smaller numbers than the
/// terms that use them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Term(pub(super) u32);

impl Term {
    /// Returns the number, to be stored in a machine word.
    #[must_use]
    pub fn number(self) -> u32 {
        self.0
    }

    /// Returns the term of a number obtained from [`Term::number`].
    #[must_use]
    pub fn from_number(number: u32) -> Term {
        Term(number)
    }

    /// Returns the term at an index of its pool that was reused `generation` times.
    pub(super) fn at(place: usize, generation: u8) -> Term {
        Term(place as u32 * GENERATIONS + u32::from(generation) % GENERATIONS)
    }

    pub(super) fn index(self) -> usize {
        (self.0 / GENERATIONS) as usize
    }

    pub(super) fn generation(self) -> u8 {
        (self.0 % GENERATIONS) as u8
    }
}

/// Structure of a term.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Node {
    /// Constant value.
    Const {
        /// Sort of the constant.
        sort: Sort,
        /// Bits of the constant.
        bits: u64,
    },
    /// A variable.
    Var {
        /// Number of the variable, chosen by the caller.
        number: u32,
        /// Range of the variable.
        input: VariableRange,
    },
    /// Operation on one operand.
    Unary(Unary, Term),
    /// Operation on two operands.
    Binary(Binary, Term, Term),
    /// Second operand if the first, a `Bool`, is true, otherwise the third.
    Ite(Term, Term, Term),
}

impl Node {
    /// Returns the operands, left to right.
    pub fn operands(&self) -> impl Iterator<Item = Term> + use<> {
        let operands = match *self {
            Node::Const { .. } | Node::Var { .. } => [None; 3],
            Node::Unary(_, a) => [Some(a), None, None],
            Node::Binary(_, a, b) => [Some(a), Some(b), None],
            Node::Ite(a, b, c) => [Some(a), Some(b), Some(c)],
        };
        operands.into_iter().flatten()
    }
}

/// Operations on one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Unary {
    /// Negation of a `Bool`.
    Not,
    /// `-x` for all numbers.
    Neg,
    /// `i2l`
    IntToLong,
    /// `l2i`
    LongToInt,
    /// `i2b`
    IntToByte,
    /// `i2c`
    IntToChar,
    /// `i2s`
    IntToShort,
    /// `i2f`
    IntToFloat,
    /// `i2d`
    IntToDouble,
    /// `l2f`
    LongToFloat,
    /// `l2d`
    LongToDouble,
    /// `f2i`
    FloatToInt,
    /// `f2l`
    FloatToLong,
    /// `f2d`
    FloatToDouble,
    /// `d2i`
    DoubleToInt,
    /// `d2l`
    DoubleToLong,
    /// `d2f`
    DoubleToFloat,
    /// `Float.floatToIntBits`
    FloatBits,
    /// `Float.intBitsToFloat`
    BitsToFloat,
    /// `Double.doubleToLongBits`
    DoubleBits,
    /// `Double.longBitsToDouble`
    BitsToDouble,
    /// 1 for true, otherwise 0.
    BoolToInt,
    /// `Math.sqrt`; for a `Float` rounded to its own sort.
    Sqrt,
    /// `Math.floor`
    Floor,
    /// `Math.ceil`
    Ceil,
    /// `Math.rint`
    Rint,
    /// `Math.abs` for floating point.
    Abs,
    /// `Float.isNaN`, `Double.isNaN`
    IsNan,
    /// The same integer without bounds.
    IntToUnbounded,
    /// The same integer without bounds.
    LongToUnbounded,
    /// Lowest 32 bits, as `l2i`.
    UnboundedToInt,
    /// Lowest 64 bits.
    UnboundedToLong,
}

/// Operations on two operands of one sort, except shifts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Binary {
    /// `+` for all numbers, like the following up to `Rem`.
    Add,
    /// `-`
    Sub,
    /// `*`
    Mul,
    /// `/`; integer division by zero gives 1 for a negative dividend, otherwise -1, as in SMT-LIB.
    Div,
    /// `%`, truncated; an integer remainder by zero is the dividend, as in SMT-LIB.
    Rem,
    /// `&`, bitwise for integers, logical for `Bool`, like the next two.
    And,
    /// `|`
    Or,
    /// `^`
    Xor,
    /// `<<` by an `Int`, of which the low five or six bits count, like the next two.
    Shl,
    /// `>>`
    Shr,
    /// `>>>`
    Ushr,
    /// `==` for all sorts; IEEE's for floating point.
    Eq,
    /// `<` for all numbers, signed; IEEE's for floating point.
    Lt,
    /// `<=`, like `Lt`.
    Le,
    /// `Integer.compareUnsigned(x, y) < 0`, of `Long` too.
    Ult,
    /// `Integer.compareUnsigned(x, y) <= 0`, of `Long` too.
    Ule,
    /// Identity of bits: NaN equals NaN, -0 differs from 0.
    Same,
}

/// Values of variables.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Assignment {
    /// Pairs of number and bits, ascending by number.
    values: Vec<(u32, u64)>,
}

impl Assignment {
    /// Creates an assignment in which all variables are 0.
    #[must_use]
    pub fn new() -> Assignment {
        Assignment::default()
    }

    /// Returns the bits of a variable; 0 by default.
    #[must_use]
    pub fn get(&self, number: u32) -> u64 {
        match self.values.binary_search_by_key(&number, |value| value.0) {
            Ok(place) => self.values[place].1,
            Err(_) => 0,
        }
    }

    /// Sets the bits of a variable, which must be in its range.
    pub fn set(&mut self, number: u32, bits: u64) {
        match self.values.binary_search_by_key(&number, |value| value.0) {
            Ok(place) => self.values[place].1 = bits,
            Err(place) => self.values.insert(place, (number, bits)),
        }
    }

    /// Adds the values of another assignment, which take precedence.
    pub(super) fn extend(&mut self, other: &Assignment) {
        if self.values.is_empty() {
            self.values.clone_from(&other.values);
            return;
        }
        for (number, bits) in other.iter() {
            self.set(number, bits);
        }
    }

    /// Iterates over the variables with a value, ascending.
    pub fn iter(&self) -> impl Iterator<Item = (u32, u64)> + '_ {
        self.values.iter().copied()
    }
}

impl FromIterator<(u32, u64)> for Assignment {
    fn from_iter<I: IntoIterator<Item = (u32, u64)>>(values: I) -> Assignment {
        let mut assignment = Assignment::new();
        for (number, bits) in values {
            assignment.set(number, bits);
        }
        assignment
    }
}
