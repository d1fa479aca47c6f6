//! Semantics of the operations: the reference for the simplifier and for the translation to SMT.

use rustc_hash::FxHashMap;

use super::pool::TermPool;
use super::term::{Assignment, Binary, Node, Sort, Term, Unary, VariableRange};
use super::unbounded;

/// Size in nodes beyond which shared subterms are memoised during evaluation.
const SMALL: u32 = 64;

/// Sort of the result of a unary operation.
pub(super) fn unary_sort(operation: Unary, operand: Sort) -> Sort {
    use Unary::*;
    match operation {
        Not | IsNan => Sort::Bool,
        Neg | Sqrt | Floor | Ceil | Rint | Abs => operand,
        LongToInt | UnboundedToInt | IntToByte | IntToChar | IntToShort | FloatToInt
        | DoubleToInt | FloatBits | BoolToInt => Sort::Int,
        IntToLong | FloatToLong | DoubleToLong | DoubleBits | UnboundedToLong => Sort::Long,
        IntToFloat | LongToFloat | DoubleToFloat | BitsToFloat => Sort::Float,
        IntToDouble | LongToDouble | FloatToDouble | BitsToDouble => Sort::Double,
        IntToUnbounded | LongToUnbounded => Sort::Unbounded,
    }
}

/// Sort of the result of a binary operation; `left` is the sort of the left operand.
pub(super) fn binary_sort(operation: Binary, left: Sort) -> Sort {
    use Binary::*;
    match operation {
        Add | Sub | Mul | Div | Rem | And | Or | Xor | Shl | Shr | Ushr => left,
        Eq | Lt | Le | Ult | Ule | Same => Sort::Bool,
    }
}

/// Whether a unary operation takes an operand of this sort.
pub(super) fn takes(operation: Unary, operand: Sort) -> bool {
    use Unary::*;
    match operation {
        Not | BoolToInt => operand == Sort::Bool,
        Neg => operand != Sort::Bool,
        IntToLong | IntToByte | IntToChar | IntToShort | IntToFloat | IntToDouble | BitsToFloat
        | IntToUnbounded => operand == Sort::Int,
        LongToInt | LongToFloat | LongToDouble | BitsToDouble | LongToUnbounded => {
            operand == Sort::Long
        }
        FloatToInt | FloatToLong | FloatToDouble | FloatBits => operand == Sort::Float,
        DoubleToInt | DoubleToLong | DoubleToFloat | DoubleBits => operand == Sort::Double,
        Sqrt | Floor | Ceil | Rint | Abs | IsNan => matches!(operand, Sort::Float | Sort::Double),
        UnboundedToInt | UnboundedToLong => operand == Sort::Unbounded,
    }
}

/// Whether a binary operation takes operands of these sorts. The distance of a shift is an `Int`;
/// otherwise both sorts are the same.
pub(super) fn takes_both(operation: Binary, left: Sort, right: Sort) -> bool {
    use Binary::*;
    let is_bits = matches!(left, Sort::Int | Sort::Long);
    match operation {
        Shl | Shr | Ushr => is_bits && right == Sort::Int,
        Add | Sub | Mul | Div | Rem | Lt | Le => left != Sort::Bool && left == right,
        And | Or | Xor => (is_bits || left == Sort::Bool) && left == right,
        Ult | Ule => is_bits && left == right,
        Eq | Same => left == right,
    }
}

/// Canonical bits of a value: zero upper bits, a single NaN.
pub(super) fn canonical(sort: Sort, bits: u64) -> u64 {
    match sort {
        Sort::Bool => u64::from(bits != 0),
        Sort::Int => bits & 0xFFFF_FFFF,
        Sort::Long | Sort::Unbounded => bits,
        Sort::Float => of_float(to_float(bits)),
        Sort::Double => of_double(to_double(bits)),
    }
}

pub(super) fn to_int(bits: u64) -> i32 {
    bits as u32 as i32
}

pub(super) fn of_int(value: i32) -> u64 {
    u64::from(value as u32)
}

pub(super) fn to_float(bits: u64) -> f32 {
    f32::from_bits(bits as u32)
}

pub(super) fn of_float(value: f32) -> u64 {
    if value.is_nan() {
        return 0x7FC0_0000;
    }
    value.to_bits().into()
}

pub(super) fn to_double(bits: u64) -> f64 {
    f64::from_bits(bits)
}

pub(super) fn of_double(value: f64) -> u64 {
    if value.is_nan() {
        return 0x7FF8_0000_0000_0000;
    }
    value.to_bits()
}

/// Converts bits to a value in a variable's range, by truncation.
pub(super) fn in_range(input: VariableRange, bits: u64) -> u64 {
    let narrow = |operation| unary(operation, Sort::Int, bits);
    match input {
        VariableRange::Boolean => bits & 1,
        VariableRange::Byte => narrow(Unary::IntToByte),
        VariableRange::Char => narrow(Unary::IntToChar),
        VariableRange::Short => narrow(Unary::IntToShort),
        _ => canonical(input.sort(), bits),
    }
}

/// Value of an `Int` or `Long`, or of an `Unbounded` constant.
pub(super) fn integer(sort: Sort, bits: u64) -> i64 {
    match sort {
        Sort::Int => to_int(bits).into(),
        _ => bits as i64,
    }
}

/// Bits of an `Int` or `Long`, wrapped.
pub(super) fn of_integer(sort: Sort, value: i64) -> u64 {
    match sort {
        Sort::Int => of_int(value as i32),
        _ => value as u64,
    }
}

/// Evaluates a unary operation; for `Unbounded`, the result's lowest 64 bits.
pub(super) fn unary(operation: Unary, sort: Sort, bits: u64) -> u64 {
    use Unary::*;
    let int = to_int(bits);
    let long = bits as i64;
    let float = to_float(bits);
    let double = to_double(bits);
    match operation {
        Not => bits ^ 1,
        Neg => match sort {
            Sort::Int => of_int(int.wrapping_neg()),
            Sort::Float => of_float(-float),
            Sort::Double => of_double(-double),
            _ => long.wrapping_neg() as u64,
        },
        IntToLong | IntToUnbounded => i64::from(int) as u64,
        LongToInt | UnboundedToInt => of_int(long as i32),
        IntToByte => of_int((int as i8).into()),
        IntToChar => of_int((int as u16).into()),
        IntToShort => of_int((int as i16).into()),
        IntToFloat => of_float(int as f32),
        IntToDouble => of_double(int.into()),
        LongToFloat => of_float(long as f32),
        LongToDouble => of_double(long as f64),
        // `as` saturates and maps NaN to 0, like JVMS §6.5 d2i.
        FloatToInt => of_int(float as i32),
        FloatToLong => float as i64 as u64,
        FloatToDouble => of_double(float.into()),
        DoubleToInt => of_int(double as i32),
        DoubleToLong => double as i64 as u64,
        DoubleToFloat => of_float(double as f32),
        FloatBits | DoubleBits | BoolToInt | LongToUnbounded | UnboundedToLong => bits,
        BitsToFloat => of_float(float),
        BitsToDouble => of_double(double),
        Sqrt => floating(sort, bits, f32::sqrt, f64::sqrt),
        Floor => floating(sort, bits, f32::floor, f64::floor),
        Ceil => floating(sort, bits, f32::ceil, f64::ceil),
        Rint => floating(sort, bits, f32::round_ties_even, f64::round_ties_even),
        Abs => floating(sort, bits, f32::abs, f64::abs),
        IsNan => match sort {
            Sort::Float => float.is_nan().into(),
            _ => double.is_nan().into(),
        },
    }
}

fn floating(sort: Sort, bits: u64, float: fn(f32) -> f32, double: fn(f64) -> f64) -> u64 {
    match sort {
        Sort::Float => of_float(float(to_float(bits))),
        _ => of_double(double(to_double(bits))),
    }
}

/// Evaluates a binary operation; `sort` is that of the left operand. The module `unbounded` handles
/// operations on `Unbounded`.
pub(super) fn binary(operation: Binary, sort: Sort, a: u64, b: u64) -> u64 {
    match sort {
        Sort::Bool => of_bools(operation, a, b),
        Sort::Int => of_ints(operation, to_int(a), to_int(b)),
        Sort::Long => of_longs(operation, a as i64, b as i64),
        Sort::Float => of_floats(operation, to_float(a), to_float(b)),
        Sort::Double => of_doubles(operation, to_double(a), to_double(b)),
        Sort::Unbounded => unreachable!("{operation:?} of more than bits"),
    }
}

fn of_bools(operation: Binary, a: u64, b: u64) -> u64 {
    use Binary::*;
    match operation {
        And => a & b,
        Or => a | b,
        Xor => a ^ b,
        Eq | Same => u64::from(a == b),
        _ => unreachable!("{operation:?} of Bool"),
    }
}

macro_rules! of_integers {
    ($name:ident, $type:ty, $unsigned:ty, $result:expr) => {
        fn $name(operation: Binary, a: $type, b: $type) -> u64 {
            use Binary::*;
            let result: $type = match operation {
                Add => a.wrapping_add(b),
                Sub => a.wrapping_sub(b),
                Mul => a.wrapping_mul(b),
                Div if b == 0 => {
                    if a < 0 {
                        1
                    } else {
                        -1
                    }
                }
                Div => a.wrapping_div(b),
                Rem if b == 0 => a,
                Rem => a.wrapping_rem(b),
                And => a & b,
                Or => a | b,
                Xor => a ^ b,
                Shl => a.wrapping_shl(b as u32),
                Shr => a.wrapping_shr(b as u32),
                Ushr => (a as $unsigned).wrapping_shr(b as u32) as $type,
                Eq | Same => return u64::from(a == b),
                Lt => return u64::from(a < b),
                Le => return u64::from(a <= b),
                Ult => return u64::from((a as $unsigned) < (b as $unsigned)),
                Ule => return u64::from((a as $unsigned) <= (b as $unsigned)),
            };
            $result(result)
        }
    };
}

of_integers!(of_ints, i32, u32, of_int);
of_integers!(of_longs, i64, u64, |value: i64| value as u64);

macro_rules! of_floating {
    ($name:ident, $type:ty, $result:expr) => {
        fn $name(operation: Binary, a: $type, b: $type) -> u64 {
            use Binary::*;
            let result: $type = match operation {
                Add => a + b,
                Sub => a - b,
                Mul => a * b,
                Div => a / b,
                // Rust's `%` is C's `fmod`, as JLS §15.17.3 requires.
                Rem => a % b,
                Eq => return u64::from(a == b),
                Lt => return u64::from(a < b),
                Le => return u64::from(a <= b),
                Same => return u64::from($result(a) == $result(b)),
                _ => unreachable!("{operation:?} of floating point"),
            };
            $result(result)
        }
    };
}

of_floating!(of_floats, f32, of_float);
of_floating!(of_doubles, f64, of_double);

/// Bits of a term's value.
pub(super) fn evaluate(pool: &TermPool, term: Term, assignment: &Assignment) -> u64 {
    if pool.is_unbounded(term) {
        return unbounded::evaluate(pool, term, assignment).bits();
    }
    if pool.size(term) <= SMALL {
        return evaluate_small(pool, term, assignment);
    }
    evaluate_shared(pool, term, assignment)
}

fn evaluate_small(pool: &TermPool, term: Term, assignment: &Assignment) -> u64 {
    match *pool.node(term) {
        Node::Const { bits, .. } => bits,
        Node::Var { number, .. } => assignment.get(number),
        Node::Unary(operation, operand) => {
            let bits = evaluate_small(pool, operand, assignment);
            unary(operation, pool.sort(operand), bits)
        }
        Node::Binary(operation, left, right) => {
            let a = evaluate_small(pool, left, assignment);
            let b = evaluate_small(pool, right, assignment);
            binary(operation, pool.sort(left), a, b)
        }
        Node::Ite(condition, then, otherwise) => {
            let holds = evaluate_small(pool, condition, assignment) != 0;
            evaluate_small(pool, if holds { then } else { otherwise }, assignment)
        }
    }
}

/// Evaluates every node once, operands first, without recursion.
fn evaluate_shared(pool: &TermPool, term: Term, assignment: &Assignment) -> u64 {
    let mut values: FxHashMap<Term, u64> = FxHashMap::default();
    let mut open = vec![term];
    while let Some(&next) = open.last() {
        let known = |term: &Term| values.get(term).copied();
        let value = match pool.node(next) {
            Node::Const { bits, .. } => Ok(*bits),
            Node::Var { number, .. } => Ok(assignment.get(*number)),
            Node::Unary(operation, operand) => known(operand)
                .map(|bits| unary(*operation, pool.sort(*operand), bits))
                .ok_or(*operand),
            Node::Binary(operation, left, right) => match (known(left), known(right)) {
                (Some(a), Some(b)) => Ok(binary(*operation, pool.sort(*left), a, b)),
                (None, _) => Err(*left),
                (_, None) => Err(*right),
            },
            Node::Ite(condition, then, otherwise) => match known(condition) {
                None => Err(*condition),
                Some(holds) => {
                    let side = if holds != 0 { then } else { otherwise };
                    known(side).ok_or(*side)
                }
            },
        };
        match value {
            Ok(bits) => {
                values.insert(next, bits);
                open.pop();
            }
            Err(missing) => open.push(missing),
        }
    }
    values[&term]
}
