//! Semantics of operations on mathematical integers.
//!
//! Constants are limited to the range of `long`; an operation with a larger result is not folded.

use num_bigint::BigInt;
use num_traits::{One, Zero};
use rustc_hash::FxHashMap;

use super::eval;
use super::pool::TermPool;
use super::term::{Assignment, Binary, Node, Sort, Term, Unary};

/// Value of any sort.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum UnboundedValue {
    Bits(u64),
    /// Value of an `Unbounded`.
    Integer(BigInt),
}

impl UnboundedValue {
    /// Bits of the value; the lowest 64 of an integer.
    pub(super) fn bits(&self) -> u64 {
        match self {
            UnboundedValue::Bits(bits) => *bits,
            UnboundedValue::Integer(value) => {
                // A negative integer has the two's complement of its magnitude.
                let low = value.magnitude().iter_u64_digits().next().unwrap_or(0);
                if value.sign() == num_bigint::Sign::Minus {
                    low.wrapping_neg()
                } else {
                    low
                }
            }
        }
    }
}

/// Folds an operation on a constant, if the result is a constant.
pub(super) fn folded_unary(operation: Unary, sort: Sort, bits: u64) -> Option<u64> {
    let value = bits as i64;
    match operation {
        Unary::Neg if sort == Sort::Unbounded => value.checked_neg().map(|value| value as u64),
        // An integer beyond the range of `int` must not be narrowed: unbounded arithmetic may
        // continue on it.
        Unary::UnboundedToInt => i32::try_from(value).ok().map(eval::of_int),
        _ => Some(eval::unary(operation, sort, bits)),
    }
}

/// Folds an operation on two constants, if the result is a constant.
pub(super) fn folded_binary(operation: Binary, sort: Sort, a: u64, b: u64) -> Option<u64> {
    if sort != Sort::Unbounded {
        return Some(eval::binary(operation, sort, a, b));
    }
    match binary(operation, &BigInt::from(a as i64), &BigInt::from(b as i64)) {
        UnboundedValue::Bits(bits) => Some(bits),
        UnboundedValue::Integer(value) => i64::try_from(value).ok().map(|value| value as u64),
    }
}

fn binary(operation: Binary, a: &BigInt, b: &BigInt) -> UnboundedValue {
    use Binary::*;
    UnboundedValue::Integer(match operation {
        Add => a + b,
        Sub => a - b,
        Mul => a * b,
        // Division by zero as for `Int` and `Long`.
        Div if b.is_zero() => BigInt::one() * if *a < BigInt::zero() { 1 } else { -1 },
        Div => a / b,
        Rem if b.is_zero() => a.clone(),
        Rem => a % b,
        Eq | Same => return UnboundedValue::Bits(u64::from(a == b)),
        Lt => return UnboundedValue::Bits(u64::from(a < b)),
        Le => return UnboundedValue::Bits(u64::from(a <= b)),
        _ => unreachable!("{operation:?} of Unbounded"),
    })
}

/// Evaluates a term, each node once, operands first.
pub(super) fn evaluate(pool: &TermPool, term: Term, assignment: &Assignment) -> UnboundedValue {
    let mut values: FxHashMap<Term, UnboundedValue> = FxHashMap::default();
    let mut open = vec![term];
    while let Some(&next) = open.last() {
        match of_node(pool, next, assignment, &values) {
            Ok(value) => {
                values.insert(next, value);
                open.pop();
            }
            Err(missing) => open.push(missing),
        }
    }
    values[&term].clone()
}

/// Value of a node, or an operand to be evaluated first.
fn of_node(
    pool: &TermPool,
    term: Term,
    assignment: &Assignment,
    values: &FxHashMap<Term, UnboundedValue>,
) -> Result<UnboundedValue, Term> {
    if !pool.is_unbounded(term) {
        return Ok(UnboundedValue::Bits(eval::evaluate(pool, term, assignment)));
    }
    let known = |term: Term| values.get(&term).ok_or(term);
    Ok(match *pool.node(term) {
        Node::Const { bits, .. } => UnboundedValue::Integer(BigInt::from(bits as i64)),
        Node::Var { number, .. } => UnboundedValue::Bits(assignment.get(number)),
        Node::Unary(operation, operand) => match (operation, known(operand)?) {
            (Unary::Neg, UnboundedValue::Integer(value)) => UnboundedValue::Integer(-value),
            (Unary::IntToUnbounded, value) => {
                UnboundedValue::Integer(BigInt::from(eval::to_int(value.bits())))
            }
            (Unary::LongToUnbounded, value) => {
                UnboundedValue::Integer(BigInt::from(value.bits() as i64))
            }
            (_, value) => {
                UnboundedValue::Bits(eval::unary(operation, pool.sort(operand), value.bits()))
            }
        },
        Node::Binary(operation, left, right) => match (known(left)?, known(right)?) {
            (UnboundedValue::Integer(a), UnboundedValue::Integer(b)) => binary(operation, a, b),
            (a, b) => {
                let sort = pool.sort(left);
                UnboundedValue::Bits(eval::binary(operation, sort, a.bits(), b.bits()))
            }
        },
        Node::Ite(condition, then, otherwise) => {
            let holds = known(condition)?.bits() != 0;
            known(if holds { then } else { otherwise })?.clone()
        }
    })
}
