//! Comparison of linear arithmetic with Z3.

use std::path::PathBuf;

use proptest::collection::vec;
use proptest::prelude::*;

use super::bits;
use crate::smt::decision::StageOutcome;
use crate::smt::integers;
use crate::smt::path::PathLiteral;
use crate::smt::z3::{Library, Stopper, solve};
use crate::smt::{
    Assignment, Binary, Limits, PathSolver, Satisfiability, Sort, Term, TermPool, Unary,
    VariableRange,
};

/// Sum of two variables and a constant, with an operation on it.
#[derive(Clone, Debug)]
struct Sum {
    terms: Vec<(u32, i32)>,
    constant: i32,
    shape: Shape,
}

#[derive(Clone, Copy, Debug)]
enum Shape {
    Plain,
    Wide,
    Masked(u32),
    Narrowed(Unary),
    Shifted(i32),
}

#[derive(Clone, Debug)]
struct Comparison {
    operation: Binary,
    sides: [Sum; 2],
    holds: bool,
}

/// Constants, including those at which sums wrap.
fn constant() -> impl Strategy<Value = i32> {
    prop_oneof![
        4 => -20..20_i32,
        1 => bits().prop_map(|bits| bits as i32),
        1 => (-3..3_i32).prop_map(|more| i32::MIN.wrapping_add(more)),
        1 => (-3..3_i32).prop_map(|more| (1 << 30) + more),
    ]
}

fn sum() -> impl Strategy<Value = Sum> {
    let factor = prop_oneof![6 => -1..=1_i32, 3 => -5..=5_i32, 1 => constant()];
    let narrowing = vec![Unary::IntToByte, Unary::IntToChar, Unary::IntToShort];
    let shape = prop_oneof![
        8 => Just(Shape::Plain),
        1 => Just(Shape::Wide),
        1 => prop::sample::select(vec![1, 8, 16, 31]).prop_map(Shape::Masked),
        1 => prop::sample::select(narrowing).prop_map(Shape::Narrowed),
        1 => (0..40).prop_map(Shape::Shifted),
    ];
    (vec((0..5_u32, factor), 0..3), constant(), shape).prop_map(|(terms, constant, shape)| Sum {
        terms,
        constant,
        shape,
    })
}

fn comparison() -> impl Strategy<Value = Comparison> {
    use Binary::{Eq, Le, Lt, Ule, Ult};
    let operation = prop::sample::select(vec![Eq, Eq, Lt, Lt, Le, Le, Ult, Ule]);
    (operation, sum(), sum(), any::<bool>()).prop_map(|(operation, left, right, holds)| {
        Comparison {
            operation,
            sides: [left, right],
            holds,
        }
    })
}

fn of_sum(pool: &mut TermPool, sum: &Sum) -> Term {
    let inputs = [
        VariableRange::Int,
        VariableRange::Int,
        VariableRange::Int,
        VariableRange::Byte,
        VariableRange::Char,
    ];
    let mut total = pool.int(sum.constant);
    for &(number, factor) in &sum.terms {
        let variable = pool.variable(number, inputs[number as usize]);
        let factor = pool.int(factor);
        let product = pool.binary(Binary::Mul, variable, factor);
        total = pool.binary(Binary::Add, total, product);
    }
    match sum.shape {
        Shape::Plain => total,
        Shape::Wide => {
            let wide = pool.unary(Unary::IntToLong, total);
            let other = pool.variable(5, VariableRange::Long);
            let both = pool.binary(Binary::Add, wide, other);
            pool.unary(Unary::LongToInt, both)
        }
        Shape::Masked(bits) => {
            let mask = pool.int(((1_i64 << bits) - 1) as i32);
            pool.binary(Binary::And, total, mask)
        }
        Shape::Narrowed(operation) => pool.unary(operation, total),
        Shape::Shifted(by) => {
            let by = pool.int(by);
            pool.binary(Binary::Shl, total, by)
        }
    }
}

/// Builds the sum without wrapping, except for narrowing operations.
fn of_unbounded_sum(pool: &mut TermPool, sum: &Sum) -> Term {
    let mut total = pool.constant(Sort::Unbounded, i64::from(sum.constant) as u64);
    for &(number, factor) in &sum.terms {
        let one = Sum {
            terms: vec![(number, 1)],
            constant: 0,
            shape: sum.shape,
        };
        let variable = of_sum(pool, &one);
        let variable = pool.unary(Unary::IntToUnbounded, variable);
        let factor = pool.constant(Sort::Unbounded, i64::from(factor) as u64);
        let product = pool.binary(Binary::Mul, variable, factor);
        total = pool.binary(Binary::Add, total, product);
    }
    match sum.shape {
        Shape::Masked(_) => {
            let narrow = pool.unary(Unary::UnboundedToInt, total);
            pool.unary(Unary::IntToUnbounded, narrow)
        }
        _ => total,
    }
}

fn of_comparison(pool: &mut TermPool, comparison: &Comparison, sort: Sort) -> PathLiteral {
    let is_signed = !matches!(comparison.operation, Binary::Ult | Binary::Ule);
    let sides = comparison.sides.each_ref().map(|sum| match sort {
        Sort::Unbounded if is_signed => of_unbounded_sum(pool, sum),
        Sort::Long => {
            let sum = of_sum(pool, sum);
            pool.unary(Unary::IntToLong, sum)
        }
        _ => of_sum(pool, sum),
    });
    PathLiteral {
        atom: pool.binary(comparison.operation, sides[0], sides[1]),
        holds: comparison.holds,
    }
}

fn sorts() -> impl Strategy<Value = Sort> {
    prop::sample::select(vec![Sort::Int, Sort::Long, Sort::Unbounded])
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(250))]

    #[test]
    fn linear_arithmetic_tells_what_z3_tells(
        comparisons in vec((comparison(), sorts()), 1..6),
        alternative in comparison(),
    ) {
        for mut pool in [TermPool::new(), TermPool::plain()] {
            let mut literals: Vec<PathLiteral> = comparisons
                .iter()
                .map(|(comparison, sort)| of_comparison(&mut pool, comparison, *sort))
                .collect();
            let alternative = of_comparison(&mut pool, &alternative, Sort::Int);
            literals[0].atom = pool.binary(Binary::Or, literals[0].atom, alternative.atom);
            let found = integers::solve(&pool, &literals, &[0, 1, 2, 3, 4, 5]).0;
            let shown = || literals.iter()
                .map(|literal| format!("{} is {}", pool.display(literal.atom), literal.holds))
                .collect::<Vec<_>>();
            match found {
                StageOutcome::Values(values) => for literal in &literals {
                    prop_assert!(literal.is_true(&pool, &values), "{:?} of {:?}", values, shown());
                },
                StageOutcome::Impossible => {
                    let library = Library::of_process().ok().flatten().expect("Z3");
                    let mut numbers: Vec<u32> = literals.iter().flat_map(|literal| pool.variables(literal.atom)).copied().collect();
                    numbers.sort_unstable();
                    numbers.dedup();
                    let checked = solve(library, 2_000_000, &pool, &literals, &numbers, &Stopper::default()).expect("Z3");
                    prop_assert_ne!(checked.verdict, Satisfiability::Sat, "{:?}", shown());
                }
                StageOutcome::Open => {}
            }
        }
    }
}

/// Comparison of `Σ factors · variables`, over four `int`s, with a constant.
fn condition(pool: &mut TermPool, factors: [i32; 4], operation: Binary, constant: i32) -> Term {
    let mut sum = pool.int(0);
    for (number, factor) in (0..).zip(factors) {
        let (variable, factor) = (pool.variable(number, VariableRange::Int), pool.int(factor));
        let product = pool.binary(Binary::Mul, variable, factor);
        sum = pool.binary(Binary::Add, sum, product);
    }
    let constant = pool.int(constant);
    pool.binary(operation, sum, constant)
}

/// Solver that fails where it needs Z3.
fn alone() -> PathSolver {
    PathSolver::with_library(Limits::default(), PathBuf::from("there is none"))
}

/// Every path of linear conditions is decided without Z3, and its model does not depend on earlier
/// queries.
#[test]
fn linear_conditions_need_no_z3() {
    use Binary::{Eq, Le, Lt};
    let mut pool = TermPool::new();
    let conditions = [
        ([1, 2, 0, 0], Lt, 10),
        ([0, 1, -1, 0], Le, 3),
        ([3, 0, 1, 0], Eq, 20),
        ([0, -1, 0, 2], Lt, 7),
        ([1, 1, 1, 1], Eq, 0),
        ([0, 0, 5, -2], Le, 1),
        ([1, 0, 0, -1], Lt, 100),
    ];
    let conditions = conditions.map(|(factors, operation, constant)| {
        let condition = condition(&mut pool, factors, operation, constant);
        [condition, pool.not(condition)]
    });
    let mut solver = alone();
    let start = solver.mark();
    let mut paths = 0;
    for path in 0..1_u32 << conditions.len() {
        solver.undo_to(start);
        let mut fresh = alone();
        let is_possible = conditions.iter().enumerate().all(|(place, sides)| {
            let condition = sides[(path >> place & 1) as usize];
            let decision = solver.decide(&pool, condition).expect("no Z3");
            assert_ne!(decision.holds, Satisfiability::Unknown);
            solver.assert(&pool, condition);
            decision.holds == Satisfiability::Sat
        });
        if !is_possible {
            continue;
        }
        paths += 1;
        for sides in conditions.iter().enumerate().rev() {
            fresh.assert(&pool, sides.1[(path >> sides.0 & 1) as usize]);
        }
        let model = solver.model(&pool).expect("no Z3").expect("a model");
        assert_eq!(fresh.model(&pool).expect("no Z3"), Some(model));
    }
    assert_eq!(paths, 128);
    assert_eq!(solver.statistics().unknown, 0);
}

/// A condition infeasible for integers may be feasible for wrapping `int`s, and is decided exactly.
#[test]
fn wrapping_is_decided_exactly() {
    let mut pool = TermPool::new();
    let [x, y] = [0, 1].map(|number| pool.variable(number, VariableRange::Int));
    let (zero, one, seven) = (pool.int(0), pool.int(1), pool.int(7));
    let more = pool.binary(Binary::Add, x, one);
    let wraps = PathLiteral::of(pool.binary(Binary::Lt, more, x));
    let sum = pool.binary(Binary::Add, x, y);
    let is_negative = PathLiteral::of(pool.binary(Binary::Lt, sum, zero));
    let are_positive = [x, y].map(|term| PathLiteral::of(pool.binary(Binary::Lt, zero, term)));
    let is_small = PathLiteral::of(pool.binary(Binary::Lt, y, seven));
    let most = pool.int(i32::MAX - 5);
    let is_far = PathLiteral::of(pool.binary(Binary::Lt, x, most));
    let two = pool.int(2);
    let twice = pool.binary(Binary::Mul, y, two);
    let is_even = PathLiteral::of(pool.binary(Binary::Eq, twice, seven));
    let solve = |literals: &[PathLiteral]| match integers::solve(&pool, literals, &[0, 1]).0 {
        StageOutcome::Values(values) => Some([0, 1].map(|number| values.get(number) as u32 as i32)),
        StageOutcome::Impossible => None,
        StageOutcome::Open => panic!("open"),
    };
    assert_eq!(solve(&[wraps]), Some([i32::MAX, 0]));
    assert_eq!(solve(&[is_even]), None);
    let literals = [is_negative, are_positive[0], are_positive[1], is_small];
    let values = solve(&literals).expect("some");
    assert!(
        values[0] >= i32::MAX - 5 && (1..7).contains(&values[1]),
        "{values:?}"
    );
    let mut literals = literals.to_vec();
    literals.push(is_far);
    assert_eq!(solve(&literals), None);
}

/// Sum of three variables, of products of two, and of a constant.
#[derive(Clone, Debug)]
struct Polynomial {
    factors: [i32; 3],
    products: Vec<(u32, u32, i32)>,
    constant: i32,
}

fn polynomial() -> impl Strategy<Value = Polynomial> {
    let products = vec((0..3_u32, 0..3_u32, -2..=2_i32), 0..3);
    let constant = prop_oneof![4 => -30..30_i32, 1 => constant()];
    (prop::array::uniform3(-2..=2_i32), products, constant).prop_map(
        |(factors, products, constant)| Polynomial {
            factors,
            products,
            constant,
        },
    )
}

fn of_polynomial(pool: &mut TermPool, polynomial: &Polynomial) -> Term {
    let variable = |pool: &mut TermPool, number| pool.variable(number, VariableRange::Int);
    let mut total = pool.int(polynomial.constant);
    let mut add = |pool: &mut TermPool, term, factor| {
        let factor = pool.int(factor);
        let product = pool.binary(Binary::Mul, term, factor);
        total = pool.binary(Binary::Add, total, product);
    };
    for (number, factor) in (0..).zip(polynomial.factors) {
        let term = variable(pool, number);
        add(pool, term, factor);
    }
    for &(first, second, factor) in &polynomial.products {
        let (first, second) = (variable(pool, first), variable(pool, second));
        let term = pool.binary(Binary::Mul, first, second);
        add(pool, term, factor);
    }
    total
}

/// Conditions that variables lie in ranges of this width, from these numbers on.
fn within(pool: &mut TermPool, least: [i32; 3], width: i32) -> Vec<PathLiteral> {
    let mut literals = Vec::new();
    for (number, least) in (0..).zip(least) {
        let variable = pool.variable(number, VariableRange::Int);
        let (least, most) = (pool.int(least), pool.int(least.saturating_add(width)));
        for atom in [
            pool.binary(Binary::Le, least, variable),
            pool.binary(Binary::Le, variable, most),
        ] {
            literals.push(PathLiteral { atom, holds: true });
        }
    }
    literals
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// Conditions with products are found infeasible only if no values satisfy them.
    #[test]
    fn products_are_never_wrongly_infeasible(
        least in prop::array::uniform3(prop_oneof![
            4 => -6..6_i32,
            1 => -46_343..-46_335_i32,
            1 => 46_335..46_343_i32,
            1 => constant(),
        ]),
        comparisons in vec(
            (prop::sample::select(vec![Binary::Eq, Binary::Lt, Binary::Le]), polynomial(), polynomial(), any::<bool>()),
            1..4,
        ),
    ) {
        const WIDTH: i32 = 5;
        for mut pool in [TermPool::new(), TermPool::plain()] {
            let mut literals = within(&mut pool, least, WIDTH);
            for (operation, left, right, holds) in &comparisons {
                let sides = [left, right].map(|side| of_polynomial(&mut pool, side));
                let atom = pool.binary(*operation, sides[0], sides[1]);
                literals.push(PathLiteral { atom, holds: *holds });
            }
            let numbers = [0, 1, 2];
            let found = integers::solve(&pool, &literals, &numbers).0;
            let ranges = least.map(|least| least..=least.saturating_add(WIDTH));
            let [first, second, third] = ranges;
            let mut all = first.flat_map(|a| {
                let third = third.clone();
                second.clone().flat_map(move |b| third.clone().map(move |c| [a, b, c]))
            });
            let satisfies = |values: [i32; 3]| {
                let values = numbers.into_iter().zip(values.map(|value| u64::from(value as u32)));
                let values: Assignment = values.collect();
                literals.iter().all(|literal| literal.is_true(&pool, &values))
            };
            match found {
                StageOutcome::Impossible => prop_assert!(!all.any(satisfies)),
                StageOutcome::Values(values) => {
                    prop_assert!(literals.iter().all(|literal| literal.is_true(&pool, &values)));
                }
                StageOutcome::Open => {}
            }
        }
    }
}

/// Indices of a matrix that is stored by rows lie within it.
#[test]
fn indices_of_matrices_need_no_z3() {
    use Binary::{Add, Le, Lt, Mul};
    let mut pool = TermPool::new();
    let [row, column, size] = [0, 1, 2].map(|number| pool.variable(number, VariableRange::Int));
    let (zero, most) = (pool.int(0), pool.int(46_340));
    let (start, end) = (pool.binary(Mul, row, size), pool.binary(Mul, size, size));
    let index = pool.binary(Add, start, column);
    let known = [
        (Le, zero, row),
        (Lt, row, size),
        (Le, zero, column),
        (Lt, column, size),
        (Le, size, most),
    ];
    let literal = |pool: &mut TermPool, (operation, left, right), holds| PathLiteral {
        atom: pool.binary(operation, left, right),
        holds,
    };
    let known = known.map(|all| literal(&mut pool, all, true));
    for claim in [(Le, zero, index), (Lt, index, end)] {
        let mut literals = known.to_vec();
        literals.push(literal(&mut pool, claim, false));
        let found = integers::solve(&pool, &literals, &[0, 1, 2]).0;
        assert!(matches!(found, StageOutcome::Impossible));
    }
    let mut literals = known.to_vec();
    literals.push(literal(&mut pool, (Lt, start, most), false));
    let found = integers::solve(&pool, &literals, &[0, 1, 2]).0;
    assert!(!matches!(found, StageOutcome::Impossible));
}
