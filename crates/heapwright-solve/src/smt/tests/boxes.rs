//! Comparison of ranges, and of branch and prune, with the evaluator.

use proptest::collection::vec;
use proptest::prelude::*;

use super::{assignment, bits, build, steps};
use crate::smt::boxes::{self, BoxOutcome};
use crate::smt::eval;
use crate::smt::path::PathLiteral;
use crate::smt::ranges::{self, Range};
use crate::smt::{Binary, Sort, TermPool, Unary, VariableRange};

/// Whether a range contains a value.
fn contains(range: Range, sort: Sort, bits: u64) -> bool {
    match range {
        Range::Integer((least, most)) => {
            let value = match sort {
                Sort::Bool => bits as i64,
                sort => eval::integer(sort, bits),
            };
            least <= value && value <= most
        }
        Range::Number(interval) => {
            let value = match sort {
                Sort::Float => f64::from(eval::to_float(bits)),
                _ => eval::to_double(bits),
            };
            match value.is_nan() {
                true => interval.may_be_nan,
                false => {
                    interval.low.total_cmp(&value).is_le()
                        && value.total_cmp(&interval.high).is_le()
                }
            }
        }
    }
}

/// Range of all values given.
fn hull(sort: Sort, values: &[u64]) -> Range {
    let ranges = values.iter().map(|&bits| Range::of_bits(sort, bits));
    ranges.reduce(Range::union).unwrap()
}

const UNARIES: [Unary; 15] = [
    Unary::Neg,
    Unary::Abs,
    Unary::Sqrt,
    Unary::Floor,
    Unary::Ceil,
    Unary::Rint,
    Unary::IsNan,
    Unary::FloatToInt,
    Unary::FloatToLong,
    Unary::FloatToDouble,
    Unary::FloatBits,
    Unary::DoubleToInt,
    Unary::DoubleToLong,
    Unary::DoubleToFloat,
    Unary::DoubleBits,
];

const BINARIES: [Binary; 9] = [
    Binary::Add,
    Binary::Sub,
    Binary::Mul,
    Binary::Div,
    Binary::Rem,
    Binary::Eq,
    Binary::Lt,
    Binary::Le,
    Binary::Same,
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4_000))]

    #[test]
    fn ranges_contain_results(a in vec(bits(), 1..4), b in vec(bits(), 1..4), is_float: bool) {
        let sort = if is_float { Sort::Float } else { Sort::Double };
        let canonical = |all: &[u64]| -> Vec<u64> {
            all.iter().map(|&bits| eval::canonical(sort, bits)).collect()
        };
        let (a, b) = (canonical(&a), canonical(&b));
        let (of_a, of_b) = (hull(sort, &a), hull(sort, &b));
        for operation in UNARIES {
            if !eval::takes(operation, sort) {
                continue;
            }
            let range = ranges::unary(operation, sort, of_a);
            for &x in &a {
                let value = eval::unary(operation, sort, x);
                let result = eval::unary_sort(operation, sort);
                prop_assert!(contains(range, result, value), "{operation:?} {a:x?}: {range:?}");
            }
        }
        for operation in BINARIES {
            let range = ranges::binary(operation, sort, of_a, of_b);
            for (&x, &y) in a.iter().flat_map(|x| b.iter().map(move |y| (x, y))) {
                let value = eval::binary(operation, sort, x, y);
                let result = eval::binary_sort(operation, sort);
                prop_assert!(contains(range, result, value), "{operation:?} {a:x?} {b:x?}: {range:?}");
            }
        }
    }

    /// Whatever values are tried, an impossible condition has none.
    #[test]
    fn impossible_conditions_have_no_values(steps in steps(40), tried in vec(assignment(), 40)) {
        let mut pool = TermPool::new();
        let terms = build(&mut pool, &steps);
        for term in terms {
            if pool.sort(term) != Sort::Bool || pool.variables(term).len() > 3 {
                continue;
            }
            for holds in [true, false] {
                let literal = PathLiteral { atom: term, holds };
                let variables = pool.variables(term).to_vec();
                match boxes::solve(&pool, &[literal], &variables).0 {
                    BoxOutcome::Open => {}
                    BoxOutcome::Impossible => {
                        for values in &tried {
                            prop_assert!(!literal.is_true(&pool, values), "{}", pool.display(term));
                        }
                    }
                    BoxOutcome::Values(values) => prop_assert!(literal.is_true(&pool, &values)),
                }
            }
        }
    }
}

/// Conditions of a division that circuits of bits take minutes for.
#[test]
fn divisions_are_decided() {
    let mut pool = TermPool::new();
    let x = pool.variable(0, VariableRange::Float);
    let hundred = pool.constant(Sort::Double, 100.0_f64.to_bits());
    let wide = pool.unary(Unary::FloatToDouble, x);
    let quotient = pool.binary(Binary::Div, hundred, wide);
    let quotient = pool.unary(Unary::DoubleToInt, quotient);
    let limit = pool.int(100);
    let is_less = pool.binary(Binary::Lt, quotient, limit);
    let one = pool.constant(Sort::Float, 1.0_f32.to_bits().into());
    let is_over = pool.binary(Binary::Lt, one, x);
    let literal = |atom, holds| PathLiteral { atom, holds };
    let solved = |literals: &[PathLiteral]| boxes::solve(&pool, literals, &[0]).0;
    let over = solved(&[literal(is_over, true), literal(is_less, false)]);
    assert!(matches!(over, BoxOutcome::Impossible));
    let under = solved(&[literal(is_over, false), literal(is_less, false)]);
    assert!(matches!(under, BoxOutcome::Values(_)));
}
