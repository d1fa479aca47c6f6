//! Comparison of Z3 with the evaluator.

use num_bigint::{BigInt, Sign};
use proptest::prelude::*;

use super::{FLOATING, INPUTS, INTEGER, UNARIES, UNBOUNDED, assignment, bits, build, steps};
use crate::smt::path::PathLiteral;
use crate::smt::pool::Difficulty;
use crate::smt::unbounded::{self, UnboundedValue};
use crate::smt::z3::{Library, Stopper, solve};
use crate::smt::{
    Assignment, Binary, Satisfiability, Sort, Term, TermPool, Unary, VariableRange, eval,
};

const LIMIT: u32 = 50_000_000;

/// Whether Z3 finds that a term has the evaluator's value, and no other.
fn agrees(pool: &mut TermPool, term: Term, assignment: &Assignment) -> Result<(), TestCaseError> {
    let value = pool.evaluate(term, assignment);
    let numbers = pool.variables(term).to_vec();
    let same = |pool: &mut TermPool, term: Term, bits: u64| {
        let constant = pool.constant(pool.sort(term), bits);
        PathLiteral::of(pool.binary(Binary::Same, term, constant))
    };
    let mut literals: Vec<PathLiteral> = Vec::new();
    for &number in &numbers {
        let input = pool.input(number).expect("it was made");
        let variable = pool.variable(number, input);
        literals.push(same(pool, variable, assignment.get(number)));
    }
    let of_term = match unbounded::evaluate(pool, term, assignment) {
        UnboundedValue::Bits(bits) => same(pool, term, bits),
        UnboundedValue::Integer(value) => {
            let number = integer(pool, &value);
            PathLiteral::of(pool.binary(Binary::Same, term, number))
        }
    };
    let library = Library::of_process().ok().flatten().expect("Z3");
    for (literal, expected) in [
        (of_term, Satisfiability::Sat),
        (of_term.negated(), Satisfiability::Unsat),
    ] {
        literals.push(literal);
        let found = solve(
            library,
            LIMIT,
            pool,
            &literals,
            &numbers,
            &Stopper::default(),
        )
        .expect("Z3");
        let message = || format!("{} is {value:x} with {assignment:?}", pool.display(term));
        prop_assert_eq!(found.verdict, expected, "{}", message());
        literals.pop();
        if let Some(model) = found.model {
            for &number in &numbers {
                prop_assert_eq!(model.get(number), assignment.get(number), "{}", message());
            }
        }
    }
    Ok(())
}

/// Builds a term of constants for an integer of any size.
fn integer(pool: &mut TermPool, value: &BigInt) -> Term {
    let base = pool.constant(Sort::Unbounded, 1 << 32);
    let mut term = pool.constant(Sort::Unbounded, 0);
    for digit in value.magnitude().iter_u32_digits().rev() {
        let digit = pool.constant(Sort::Unbounded, digit.into());
        let moved = pool.binary(Binary::Mul, term, base);
        term = pool.binary(Binary::Add, moved, digit);
    }
    if value.sign() == Sign::Minus {
        return pool.unary(Unary::Neg, term);
    }
    term
}

/// Variable of a sort; for mathematical integers one in the range of `long`.
fn variable(pool: &mut TermPool, number: u32, sort: Sort) -> Option<Term> {
    if sort == Sort::Unbounded {
        let long = pool.variable(number, VariableRange::Long);
        return Some(pool.unary(Unary::LongToUnbounded, long));
    }
    let input = INPUTS
        .into_iter()
        .rev()
        .find(|input| input.sort() == sort)?;
    Some(pool.variable(number, input))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn operations_on_one_operand_mean_the_same_to_z3((operation, sort) in prop::sample::select(UNARIES.to_vec()), bits in bits()) {
        let mut pool = TermPool::plain();
        let Some(variable) = variable(&mut pool, 0, sort) else { return Ok(()) };
        let term = pool.unary(operation, variable);
        let assignment = [(0, eval::canonical(sort, bits))].into_iter().collect();
        agrees(&mut pool, term, &assignment)?;
    }

    #[test]
    fn operations_on_two_operands_mean_the_same_to_z3(
        (operation, sort) in prop_oneof![
            (prop::sample::select(INTEGER.to_vec()), prop::sample::select(vec![Sort::Int, Sort::Long])),
            (prop::sample::select(UNBOUNDED.to_vec()), Just(Sort::Unbounded)),
            (prop::sample::select(FLOATING.to_vec()), prop::sample::select(vec![Sort::Float, Sort::Double])),
        ],
        a in bits(),
        b in bits(),
    ) {
        let mut pool = TermPool::plain();
        let is_shift = matches!(operation, Binary::Shl | Binary::Shr | Binary::Ushr);
        let right = if is_shift { Sort::Int } else { sort };
        let (Some(left), Some(other)) = (variable(&mut pool, 0, sort), variable(&mut pool, 1, right)) else { return Ok(()) };
        let term = pool.binary(operation, left, other);
        if pool.difficulty(term) == Difficulty::Hopeless {
            return Ok(());
        }
        let values = [(0, eval::canonical(sort, a)), (1, eval::canonical(right, b))];
        agrees(&mut pool, term, &values.into_iter().collect())?;
    }
}

/// Dividends and divisors with small, huge, exact, halfway and undefined quotients.
fn remainder_bits(sort: Sort) -> impl Strategy<Value = u64> {
    let near = (-40..40_i32, 0..4_i32, -2..=2_i64).prop_map(move |(factor, power, more)| {
        let value = f64::from(factor) * 0.5 * f64::from(3_i32.pow(power as u32));
        let bits = match sort {
            Sort::Float => eval::of_float(value as f32),
            _ => eval::of_double(value),
        };
        if value == 0.0 {
            bits
        } else {
            (bits as i64 + more) as u64
        }
    });
    prop_oneof![near, bits()]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    /// Remainder of JLS §15.17.3 by IEEE's remainder.
    #[test]
    fn remainders_of_known_numbers_mean_the_same_to_z3(
        (sort, a, b) in prop::sample::select(vec![Sort::Float, Sort::Double])
            .prop_flat_map(|sort| (Just(sort), remainder_bits(sort), remainder_bits(sort))),
    ) {
        let mut pool = TermPool::plain();
        let (a, b) = (pool.constant(sort, a), pool.constant(sort, b));
        let term = pool.binary(Binary::Rem, a, b);
        agrees(&mut pool, term, &Assignment::new())?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(80))]

    #[test]
    fn terms_mean_the_same_to_z3(steps in steps(30), assignment in assignment()) {
        for mut pool in [TermPool::new(), TermPool::plain()] {
            for term in build(&mut pool, &steps).into_iter().rev().take(3) {
                if pool.difficulty(term) != Difficulty::Hopeless && pool.size(term) < 60 {
                    agrees(&mut pool, term, &assignment)?;
                }
            }
        }
    }
}

/// The number of bits in a word alternates between sums and masks.
#[test]
fn counts_of_bits_are_not_asked_and_hashes_are() {
    use Binary::{Add, And, Mul, Sub, Ushr, Xor};
    let mut pool = TermPool::new();
    let word = pool.variable(0, VariableRange::Long);
    let shifted = |pool: &mut TermPool, term: Term, by: i32| {
        let by = pool.int(by);
        pool.binary(Ushr, term, by)
    };
    let masked = |pool: &mut TermPool, term: Term, mask: i64| {
        let mask = pool.long(mask);
        pool.binary(And, term, mask)
    };
    let (pairs, fours) = (0x5555_5555_5555_5555, 0x3333_3333_3333_3333);
    let high = shifted(&mut pool, word, 1);
    let high = masked(&mut pool, high, pairs);
    let mut bits = pool.binary(Sub, word, high);
    let high = shifted(&mut pool, bits, 2);
    let (low, high) = (
        masked(&mut pool, bits, fours),
        masked(&mut pool, high, fours),
    );
    bits = pool.binary(Add, low, high);
    for by in [4, 8, 16, 32] {
        let high = shifted(&mut pool, bits, by);
        bits = pool.binary(Add, bits, high);
    }
    assert_eq!(pool.difficulty(bits), Difficulty::Hopeless);

    let high = shifted(&mut pool, word, 33);
    let mixed = pool.binary(Xor, word, high);
    let factor = pool.long(31);
    let hash = pool.binary(Mul, mixed, factor);
    let high = shifted(&mut pool, hash, 29);
    let hash = pool.binary(Xor, hash, high);
    assert_eq!(pool.difficulty(hash), Difficulty::Easy);
}
