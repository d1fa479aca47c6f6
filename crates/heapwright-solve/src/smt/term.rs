//! What terms are made of: sorts, operations, and the values of variables.
//!
//! A value of any sort is 64 bits: of a `Bool` 0 or 1, of an `Int` its 32 bits with zeros above, of
//! a `Long` its own, of a `Float` or `Double` those of `floatToIntBits` and `doubleToLongBits`, so
//! that there is one NaN of each; of an `Unbounded` its lowest 64, which are all that a constant has.

/// What a term's value is: Java's computational types (JVMS §2.11.1), and truth.
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
    /// A mathematical integer: what `int`s and `long`s are where arithmetic is not to wrap.
    Unbounded,
}

impl Sort {
    /// Whether its values are integers, of whatever size.
    pub(super) fn is_integral(self) -> bool {
        matches!(self, Sort::Int | Sort::Long | Sort::Unbounded)
    }
}

/// What a variable ranges over. Those narrower than an `int` are terms of sort `Int`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Input {
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

impl Input {
    /// The sort of a variable's term.
    #[must_use]
    pub fn sort(self) -> Sort {
        match self {
            Input::Boolean | Input::Byte | Input::Char | Input::Short | Input::Int => Sort::Int,
            Input::Long => Sort::Long,
            Input::Float => Sort::Float,
            Input::Double => Sort::Double,
        }
    }

    /// The least and greatest value; `None` for floating point.
    #[must_use]
    pub fn range(self) -> Option<(i64, i64)> {
        match self {
            Input::Boolean => Some((0, 1)),
            Input::Byte => Some((i8::MIN.into(), i8::MAX.into())),
            Input::Char => Some((0, u16::MAX.into())),
            Input::Short => Some((i16::MIN.into(), i16::MAX.into())),
            Input::Int => Some((i32::MIN.into(), i32::MAX.into())),
            Input::Long => Some((i64::MIN, i64::MAX)),
            Input::Float | Input::Double => None,
        }
    }
}

/// How many generations numbers tell apart: in a debug build one that its pool has forgotten is not
/// taken for the one that has its place now.
pub(super) const GENERATIONS: u32 = if cfg!(debug_assertions) { 256 } else { 1 };

/// The number of a term in its [`Pool`](super::Pool). Operands have smaller numbers than what is
/// made of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Term(pub(super) u32);

impl Term {
    /// The number, for a machine word to hold.
    #[must_use]
    pub fn number(self) -> u32 {
        self.0
    }

    /// The term of a number that [`Term::number`] gave.
    #[must_use]
    pub fn from_number(number: u32) -> Term {
        Term(number)
    }

    /// The term at a place of its pool that was given away so often before.
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

/// How a term is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Node {
    /// A value.
    Const {
        /// Its sort.
        sort: Sort,
        /// Its bits.
        bits: u64,
    },
    /// A variable.
    Var {
        /// Its number, the caller's.
        number: u32,
        /// What it ranges over.
        input: Input,
    },
    /// An operation on one operand.
    Unary(Unary, Term),
    /// An operation on two.
    Binary(Binary, Term, Term),
    /// The second operand where the first, a `Bool`, is true, else the third.
    Ite(Term, Term, Term),
}

impl Node {
    /// What the node is made of, left to right.
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
    /// Of a `Bool`.
    Not,
    /// `-x` of all numbers.
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
    /// 1 where true, else 0.
    BoolToInt,
    /// `Math.sqrt`, of a `Float` too, rounded to its own sort.
    Sqrt,
    /// `Math.floor`
    Floor,
    /// `Math.ceil`
    Ceil,
    /// `Math.rint`
    Rint,
    /// `Math.abs` of floating point.
    Abs,
    /// `Float.isNaN`, `Double.isNaN`
    IsNan,
    /// The same integer without bounds.
    IntToUnbounded,
    /// The same integer without bounds.
    LongToUnbounded,
    /// Its lowest 32 bits, as `l2i`.
    UnboundedToInt,
    /// Its lowest 64 bits.
    UnboundedToLong,
}

/// Operations on two operands of one sort, but for shifts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Binary {
    /// `+` of all numbers, as all up to `Rem`.
    Add,
    /// `-`
    Sub,
    /// `*`
    Mul,
    /// `/`; of integers by zero 1 below zero, else -1, as SMT-LIB has it.
    Div,
    /// `%`, truncated; of integers by zero the dividend, as SMT-LIB has it.
    Rem,
    /// Of integers bit by bit, of `Bool`, as the next two.
    And,
    /// `|`
    Or,
    /// `^`
    Xor,
    /// `<<` by an `Int`, of which five or six bits count, as with the next two.
    Shl,
    /// `>>`
    Shr,
    /// `>>>`
    Ushr,
    /// `==` of all sorts; of floating point IEEE's.
    Eq,
    /// `<` of all numbers, signed, IEEE's.
    Lt,
    /// `<=` likewise.
    Le,
    /// `Integer.compareUnsigned(x, y) < 0`, of `Long` too.
    Ult,
    /// `Integer.compareUnsigned(x, y) <= 0`, of `Long` too.
    Ule,
    /// Whether the bits are the same: NaN is NaN, -0 is not 0.
    Same,
}

/// Values for variables.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Assignment {
    /// By number, ascending.
    values: Vec<(u32, u64)>,
}

impl Assignment {
    /// All variables are 0.
    #[must_use]
    pub fn new() -> Assignment {
        Assignment::default()
    }

    /// The bits of a variable; 0 where it has none.
    #[must_use]
    pub fn get(&self, number: u32) -> u64 {
        match self.values.binary_search_by_key(&number, |value| value.0) {
            Ok(place) => self.values[place].1,
            Err(_) => 0,
        }
    }

    /// Gives a variable its bits, which must be in its range.
    pub fn set(&mut self, number: u32, bits: u64) {
        match self.values.binary_search_by_key(&number, |value| value.0) {
            Ok(place) => self.values[place].1 = bits,
            Err(place) => self.values.insert(place, (number, bits)),
        }
    }

    /// Takes over the values of another.
    pub(super) fn extend(&mut self, other: &Assignment) {
        if self.values.is_empty() {
            self.values.clone_from(&other.values);
            return;
        }
        for (number, bits) in other.iter() {
            self.set(number, bits);
        }
    }

    /// The variables that were given a value, ascending, with it.
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
