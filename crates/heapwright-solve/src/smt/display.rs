//! Terms in Java notation.

use std::fmt;

use super::eval;
use super::pool::TermPool;
use super::term::{Binary, Node, Sort, Term, Unary};

/// Displayable term. Shared operands are written at each occurrence; operands nested too deeply are
/// written as `…`.
#[derive(Clone, Copy, Debug)]
pub struct Display<'a, N> {
    pool: &'a TermPool,
    term: Term,
    name: N,
}

/// Greatest nesting depth of written operations.
const DEPTH: u32 = 100;

/// Precedence levels of operators, as in JLS §15, lowest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Precedence {
    Choice,
    Or,
    And,
    BitOr,
    BitXor,
    BitAnd,
    Equality,
    Order,
    Shift,
    Sum,
    Product,
    Prefix,
    Whole,
}

impl<'a> Display<'a, fn(u32) -> String> {
    pub(super) fn new(pool: &'a TermPool, term: Term) -> Self {
        Display {
            pool,
            term,
            name: |number| format!("x{number}"),
        }
    }
}

impl<'a, N> Display<'a, N> {
    /// Replaces the names of the variables, given their numbers.
    pub fn with_names<M: Fn(u32) -> String>(self, name: M) -> Display<'a, M> {
        Display {
            pool: self.pool,
            term: self.term,
            name,
        }
    }
}

impl<N: Fn(u32) -> String> fmt::Display for Display<'_, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(f, self.term, Precedence::Choice, DEPTH)
    }
}

impl<N: Fn(u32) -> String> Display<'_, N> {
    /// Writes a term in a context that requires at least the precedence `level`.
    fn write(
        &self,
        f: &mut fmt::Formatter<'_>,
        term: Term,
        level: Precedence,
        depth: u32,
    ) -> fmt::Result {
        let Some(depth) = depth.checked_sub(1) else {
            return f.write_str("…");
        };
        if let Node::Unary(operation, operand) = *self.pool.node(term)
            && is_unwritten(operation)
        {
            return self.write(f, operand, level, depth);
        }
        let own = self.level(term);
        if own < level {
            f.write_str("(")?;
        }
        match *self.pool.node(term) {
            Node::Const { sort, bits } => write_constant(f, sort, bits)?,
            Node::Var { number, .. } => f.write_str(&(self.name)(number))?,
            Node::Unary(operation, operand) => self.write_unary(f, operation, operand, depth)?,
            Node::Binary(operation, left, right) => {
                self.write_binary(f, operation, (left, right), depth)?;
            }
            Node::Ite(condition, then, otherwise) => {
                self.write(f, condition, Precedence::Or, depth)?;
                f.write_str(" ? ")?;
                self.write(f, then, Precedence::Or, depth)?;
                f.write_str(" : ")?;
                self.write(f, otherwise, Precedence::Choice, depth)?;
            }
        }
        if own < level {
            f.write_str(")")?;
        }
        Ok(())
    }

    fn write_unary(
        &self,
        f: &mut fmt::Formatter<'_>,
        operation: Unary,
        operand: Term,
        depth: u32,
    ) -> fmt::Result {
        if operation == Unary::Not
            && let Node::Binary(Binary::Eq, left, right) = *self.pool.node(operand)
        {
            return self.write_infix(f, " != ", Precedence::Equality, (left, right), depth);
        }
        if let Some(prefix) = prefix(operation) {
            f.write_str(prefix)?;
            return self.write(f, operand, Precedence::Prefix, depth);
        }
        write!(f, "{}(", function(operation))?;
        self.write(f, operand, Precedence::Choice, depth)?;
        f.write_str(")")
    }

    fn write_binary(
        &self,
        f: &mut fmt::Formatter<'_>,
        operation: Binary,
        (left, right): (Term, Term),
        depth: u32,
    ) -> fmt::Result {
        let is_logic = self.pool.sort(left) == Sort::Bool;
        let is_constant = |term: Term| self.pool.constant_of(term).is_some();
        if let Some((infix, level)) = infix(operation, is_logic) {
            return match operation {
                Binary::Lt if is_constant(left) => {
                    self.write_infix(f, " > ", level, (right, left), depth)
                }
                Binary::Le if is_constant(left) => {
                    self.write_infix(f, " >= ", level, (right, left), depth)
                }
                Binary::Add if self.pool.integer_of(right).is_some_and(|value| value < 0) => {
                    self.write(f, left, level, depth)?;
                    let value = self.pool.integer_of(right).unwrap_or(0);
                    let suffix = if self.pool.sort(right) == Sort::Long {
                        "L"
                    } else {
                        ""
                    };
                    write!(f, " - {}{suffix}", value.unsigned_abs())
                }
                _ => self.write_infix(f, infix, level, (left, right), depth),
            };
        }
        let class = match self.pool.sort(left) {
            Sort::Long => "Long",
            _ => "Integer",
        };
        let (before, after) = match operation {
            Binary::Ult => (format!("{class}.compareUnsigned("), ") < 0"),
            Binary::Ule => (format!("{class}.compareUnsigned("), ") <= 0"),
            _ => ("same(".to_owned(), ")"),
        };
        f.write_str(&before)?;
        self.write(f, left, Precedence::Choice, depth)?;
        f.write_str(", ")?;
        self.write(f, right, Precedence::Choice, depth)?;
        f.write_str(after)
    }

    fn write_infix(
        &self,
        f: &mut fmt::Formatter<'_>,
        infix: &str,
        level: Precedence,
        (left, right): (Term, Term),
        depth: u32,
    ) -> fmt::Result {
        self.write(f, left, level, depth)?;
        f.write_str(infix)?;
        self.write(f, right, level.next(), depth)
    }

    fn level(&self, term: Term) -> Precedence {
        match *self.pool.node(term) {
            Node::Const { sort, bits } => match sort {
                sort if sort.is_integral() && eval::integer(sort, bits) < 0 => Precedence::Prefix,
                _ => Precedence::Whole,
            },
            Node::Var { .. } => Precedence::Whole,
            Node::Unary(Unary::Not, operand)
                if matches!(self.pool.node(operand), Node::Binary(Binary::Eq, ..)) =>
            {
                Precedence::Equality
            }
            Node::Unary(operation, operand) if is_unwritten(operation) => self.level(operand),
            Node::Unary(operation, _) if prefix(operation).is_some() => Precedence::Prefix,
            Node::Unary(..) => Precedence::Whole,
            Node::Binary(Binary::Ult | Binary::Ule, ..) => Precedence::Order,
            Node::Binary(operation, left, _) => {
                let is_logic = self.pool.sort(left) == Sort::Bool;
                infix(operation, is_logic).map_or(Precedence::Whole, |(_, level)| level)
            }
            Node::Ite(..) => Precedence::Choice,
        }
    }
}

impl Precedence {
    /// Required level of a right operand.
    fn next(self) -> Precedence {
        use Precedence::*;
        match self {
            Choice => Or,
            Or => And,
            And => BitOr,
            BitOr => BitXor,
            BitXor => BitAnd,
            BitAnd => Equality,
            Equality => Order,
            Order => Shift,
            Shift => Sum,
            Sum => Product,
            Product => Prefix,
            Prefix | Whole => Whole,
        }
    }
}

fn write_constant(f: &mut fmt::Formatter<'_>, sort: Sort, bits: u64) -> fmt::Result {
    match sort {
        Sort::Bool => write!(f, "{}", bits != 0),
        Sort::Int => write!(f, "{}", eval::to_int(bits)),
        Sort::Long => write!(f, "{}L", bits as i64),
        Sort::Unbounded => write!(f, "{}", bits as i64),
        Sort::Float => write_number(f, "Float", f64::from(eval::to_float(bits)), || {
            format!("{:?}f", eval::to_float(bits))
        }),
        Sort::Double => write_number(f, "Double", eval::to_double(bits), || {
            format!("{:?}", eval::to_double(bits))
        }),
    }
}

fn write_number(
    f: &mut fmt::Formatter<'_>,
    class: &str,
    value: f64,
    text: impl Fn() -> String,
) -> fmt::Result {
    if value.is_nan() {
        write!(f, "{class}.NaN")
    } else if value == f64::INFINITY {
        write!(f, "{class}.POSITIVE_INFINITY")
    } else if value == f64::NEG_INFINITY {
        write!(f, "{class}.NEGATIVE_INFINITY")
    } else {
        f.write_str(&text())
    }
}

/// Whether a conversion is omitted: Java has no type for unbounded integers.
fn is_unwritten(operation: Unary) -> bool {
    use Unary::*;
    matches!(
        operation,
        IntToUnbounded | LongToUnbounded | UnboundedToInt | UnboundedToLong
    )
}

fn prefix(operation: Unary) -> Option<&'static str> {
    use Unary::*;
    Some(match operation {
        Not => "!",
        Neg => "-",
        IntToByte => "(byte) ",
        IntToChar => "(char) ",
        IntToShort => "(short) ",
        LongToInt | FloatToInt | DoubleToInt => "(int) ",
        IntToLong | FloatToLong | DoubleToLong => "(long) ",
        IntToFloat | LongToFloat | DoubleToFloat => "(float) ",
        IntToDouble | LongToDouble | FloatToDouble => "(double) ",
        _ => return None,
    })
}

fn function(operation: Unary) -> &'static str {
    match operation {
        Unary::FloatBits => "Float.floatToIntBits",
        Unary::BitsToFloat => "Float.intBitsToFloat",
        Unary::DoubleBits => "Double.doubleToLongBits",
        Unary::BitsToDouble => "Double.longBitsToDouble",
        Unary::Sqrt => "Math.sqrt",
        Unary::Floor => "Math.floor",
        Unary::Ceil => "Math.ceil",
        Unary::Rint => "Math.rint",
        Unary::Abs => "Math.abs",
        Unary::IsNan => "isNaN",
        _ => "toInt",
    }
}

fn infix(operation: Binary, is_logic: bool) -> Option<(&'static str, Precedence)> {
    Some(match operation {
        Binary::And if is_logic => (" && ", Precedence::And),
        Binary::Or if is_logic => (" || ", Precedence::Or),
        Binary::Add => (" + ", Precedence::Sum),
        Binary::Sub => (" - ", Precedence::Sum),
        Binary::Mul => (" * ", Precedence::Product),
        Binary::Div => (" / ", Precedence::Product),
        Binary::Rem => (" % ", Precedence::Product),
        Binary::And => (" & ", Precedence::BitAnd),
        Binary::Or => (" | ", Precedence::BitOr),
        Binary::Xor => (" ^ ", Precedence::BitXor),
        Binary::Shl => (" << ", Precedence::Shift),
        Binary::Shr => (" >> ", Precedence::Shift),
        Binary::Ushr => (" >>> ", Precedence::Shift),
        Binary::Eq => (" == ", Precedence::Equality),
        Binary::Lt => (" < ", Precedence::Order),
        Binary::Le => (" <= ", Precedence::Order),
        Binary::Ult | Binary::Ule | Binary::Same => return None,
    })
}
