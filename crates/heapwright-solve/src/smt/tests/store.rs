//! Comparison of Z3 with the store of finite domains, where both apply.

use proptest::collection::vec;
use proptest::prelude::*;

use crate::smt::{Binary, Limits, PathSolver, Term, TermPool, Unary, VariableRange};
use crate::{Assignments, Domain, Linear, Relation, Store, Var};

const VARIABLES: u32 = 3;

fn relation() -> impl Strategy<Value = (Vec<i64>, i64, Relation)> {
    let relation = prop::sample::select(vec![
        Relation::Zero,
        Relation::NonZero,
        Relation::AtMostZero,
    ]);
    (vec(-3..=3_i64, VARIABLES as usize), -8..=8_i64, relation)
}

/// Comparison of the sum, as a term, with zero.
fn condition(
    pool: &mut TermPool,
    (factors, constant, relation): &(Vec<i64>, i64, Relation),
) -> Term {
    let mut sum = pool.int(*constant as i32);
    for (number, &factor) in (0..).zip(factors) {
        let (variable, factor) = (
            pool.variable(number, VariableRange::Int),
            pool.int(factor as i32),
        );
        let product = pool.binary(Binary::Mul, variable, factor);
        sum = pool.binary(Binary::Add, sum, product);
    }
    let zero = pool.int(0);
    match relation {
        Relation::Zero => pool.binary(Binary::Eq, sum, zero),
        Relation::NonZero => {
            let equal = pool.binary(Binary::Eq, sum, zero);
            pool.unary(Unary::Not, equal)
        }
        Relation::AtMostZero => pool.binary(Binary::Le, sum, zero),
    }
}

fn in_store(relations: &[(Vec<i64>, i64, Relation)], most: i64) -> usize {
    let mut store = Store::default();
    let domain = Domain::new(0..=most).expect("it is small");
    let variables: Vec<Var> = (0..VARIABLES).map(|_| store.add(&domain)).collect();
    for (factors, constant, relation) in relations {
        let mut sum = Linear::constant(*constant);
        for (&variable, &factor) in variables.iter().zip(factors) {
            sum = sum
                .plus(&Linear::variable(variable), factor)
                .expect("it fits");
        }
        if !store.assert(&sum, *relation) {
            return 0;
        }
    }
    let mut assignments = Assignments::new(store, &variables);
    let mut count = 0;
    while assignments.advance() {
        count += 1;
    }
    count
}

/// Counts models one by one, each excluded after its discovery.
fn by_models(relations: &[(Vec<i64>, i64, Relation)], most: i64) -> usize {
    let mut pool = TermPool::new();
    let mut solver = PathSolver::new(Limits::default());
    let variables: Vec<Term> = (0..VARIABLES)
        .map(|number| pool.variable(number, VariableRange::Int))
        .collect();
    for &variable in &variables {
        let (zero, most) = (pool.int(0), pool.int(most as i32));
        for (low, high) in [(zero, variable), (variable, most)] {
            let within = pool.binary(Binary::Le, low, high);
            solver.assert(&pool, within);
        }
    }
    for relation in relations {
        let condition = condition(&mut pool, relation);
        solver.assert(&pool, condition);
    }
    let mut count = 0;
    while let Some(model) = solver.model(&pool).expect("Z3") {
        count += 1;
        let mut differs = pool.bool(false);
        for (number, &variable) in (0..).zip(&variables) {
            let value = pool.int(model.get(number) as i32);
            let same = pool.binary(Binary::Eq, variable, value);
            let other = pool.not(same);
            differs = pool.binary(Binary::Or, differs, other);
        }
        solver.assert(&pool, differs);
    }
    count
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn as_many_solutions_as_the_store_finds(relations in vec(relation(), 1..5), most in 1..3_i64) {
        prop_assert_eq!(by_models(&relations, most), in_store(&relations, most));
    }
}
