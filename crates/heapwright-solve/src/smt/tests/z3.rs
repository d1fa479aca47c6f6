//! Z3 against the evaluator.

use proptest::prelude::*;

use super::{FLOATING, INPUTS, INTEGER, UNARIES, assignment, bits, build, steps};
use crate::smt::path::Literal;
use crate::smt::pool::Difficulty;
use crate::smt::z3::{Library, solve};
use crate::smt::{Assignment, Binary, Input, Pool, Sort, Term, Verdict, eval};

const LIMIT: u32 = 50_000_000;

/// Whether Z3 finds that a term has the evaluator's value, and no other.
fn agrees(pool: &mut Pool, term: Term, assignment: &Assignment) -> Result<(), TestCaseError> {
    let value = pool.evaluate(term, assignment);
    let numbers = pool.variables(term).to_vec();
    let same = |pool: &mut Pool, term: Term, bits: u64| {
        let constant = pool.constant(pool.sort(term), bits);
        Literal::of(pool.binary(Binary::Same, term, constant))
    };
    let mut literals: Vec<Literal> = Vec::new();
    for &number in &numbers {
        let input = pool.input(number).expect("it was made");
        let variable = pool.variable(number, input);
        literals.push(same(pool, variable, assignment.get(number)));
    }
    let of_term = same(pool, term, value);
    let library = Library::load(None).expect("Z3");
    for (literal, expected) in [(of_term, Verdict::Sat), (of_term.negated(), Verdict::Unsat)] {
        literals.push(literal);
        let found = solve(library, LIMIT, pool, &literals, &numbers).expect("Z3");
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

fn input_of(sort: Sort) -> Option<Input> {
    INPUTS.into_iter().rev().find(|input| input.sort() == sort)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn operations_on_one_operand_mean_the_same_to_z3((operation, sort) in prop::sample::select(UNARIES.to_vec()), bits in bits()) {
        let mut pool = Pool::plain();
        let Some(input) = input_of(sort) else { return Ok(()) };
        let variable = pool.variable(0, input);
        let term = pool.unary(operation, variable);
        let assignment = [(0, eval::canonical(sort, bits))].into_iter().collect();
        agrees(&mut pool, term, &assignment)?;
    }

    #[test]
    fn operations_on_two_operands_mean_the_same_to_z3(
        (operation, sort) in prop_oneof![
            (prop::sample::select(INTEGER.to_vec()), prop::sample::select(vec![Sort::Int, Sort::Long])),
            (prop::sample::select(FLOATING.to_vec()), prop::sample::select(vec![Sort::Float, Sort::Double])),
        ],
        a in bits(),
        b in bits(),
    ) {
        let mut pool = Pool::plain();
        let is_shift = matches!(operation, Binary::Shl | Binary::Shr | Binary::Ushr);
        let right = if is_shift { Sort::Int } else { sort };
        let (Some(left), Some(right)) = (input_of(sort), input_of(right)) else { return Ok(()) };
        let (left, other) = (pool.variable(0, left), pool.variable(1, right));
        let term = pool.binary(operation, left, other);
        if pool.difficulty(term) == Difficulty::Hopeless {
            return Ok(());
        }
        let values = [(0, eval::canonical(sort, a)), (1, eval::canonical(right.sort(), b))];
        agrees(&mut pool, term, &values.into_iter().collect())?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(80))]

    #[test]
    fn terms_mean_the_same_to_z3(steps in steps(30), assignment in assignment()) {
        for mut pool in [Pool::new(), Pool::plain()] {
            for term in build(&mut pool, &steps).into_iter().rev().take(3) {
                if pool.difficulty(term) != Difficulty::Hopeless && pool.size(term) < 60 {
                    agrees(&mut pool, term, &assignment)?;
                }
            }
        }
    }
}
