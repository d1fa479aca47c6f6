//! Comparison of the stages of a path's solver.

use expect_test::expect;
use proptest::collection::vec;
use proptest::prelude::*;

use super::{bits, build, steps};
use crate::smt::pool::Difficulty;
use crate::smt::{
    Binary, Decision, Limits, PathSolver, Satisfiability, SolverError, Sort, Stopper, Term,
    TermPool, Unary, VariableRange, smt_lib,
};

/// Move of a random walk: a condition by its number with the preferred side, or going back to a
/// mark.
#[derive(Clone, Copy, Debug)]
enum Move {
    Take(usize, bool),
    Back(usize),
}

fn moves(most: usize) -> impl Strategy<Value = Vec<Move>> {
    let one = prop_oneof![
        5 => (any::<usize>(), any::<bool>()).prop_map(|(condition, side)| Move::Take(condition, side)),
        1 => any::<usize>().prop_map(Move::Back),
    ];
    vec(one, 4..most)
}

/// Condition over a few integers, mostly simple.
#[derive(Clone, Debug)]
struct Condition {
    operation: Binary,
    left: Sum,
    right: Sum,
    negated: bool,
}

#[derive(Clone, Debug)]
struct Sum(Vec<(u32, i32)>, i32);

fn sum() -> impl Strategy<Value = Sum> {
    let factor = prop_oneof![6 => Just(1), 1 => Just(-1), 1 => -5..5_i32];
    let constant =
        prop_oneof![4 => Just(0), 4 => -20..20_i32, 1 => bits().prop_map(|bits| bits as i32)];
    (vec((0..6_u32, factor), 0..3), constant).prop_map(|(terms, constant)| Sum(terms, constant))
}

fn condition() -> impl Strategy<Value = Condition> {
    let operation = prop::sample::select(vec![Binary::Eq, Binary::Lt, Binary::Le, Binary::Ult]);
    (operation, sum(), sum(), any::<bool>()).prop_map(|(operation, left, right, negated)| {
        Condition {
            operation,
            left,
            right,
            negated,
        }
    })
}

fn variable(pool: &mut TermPool, number: u32) -> Term {
    let inputs = [
        VariableRange::Int,
        VariableRange::Int,
        VariableRange::Int,
        VariableRange::Byte,
        VariableRange::Char,
        VariableRange::Boolean,
    ];
    pool.variable(number, inputs[number as usize])
}

fn of_sum(pool: &mut TermPool, sum: &Sum) -> Term {
    let mut total = pool.int(sum.1);
    for &(number, factor) in &sum.0 {
        let (variable, factor) = (variable(pool, number), pool.int(factor));
        let product = pool.binary(Binary::Mul, variable, factor);
        total = pool.binary(Binary::Add, total, product);
    }
    total
}

fn of_condition(pool: &mut TermPool, condition: &Condition) -> Term {
    let (left, right) = (
        of_sum(pool, &condition.left),
        of_sum(pool, &condition.right),
    );
    let term = pool.binary(condition.operation, left, right);
    if condition.negated {
        pool.not(term)
    } else {
        term
    }
}

/// Performs a walk and compares each result with that of a fresh solver without any of the stages.
fn walk(pool: &mut TermPool, conditions: &[Term], moves: &[Move]) -> Result<(), TestCaseError> {
    let mut solver = PathSolver::new(Limits::default());
    let mut marks = Vec::new();
    for &step in moves {
        match step {
            Move::Back(to) => {
                if !marks.is_empty() {
                    let to = to % marks.len();
                    solver.undo_to(marks[to]);
                    marks.truncate(to);
                }
            }
            Move::Take(number, side) => {
                let condition = conditions[number % conditions.len()];
                let found = solver.decide(pool, condition).expect("Z3");
                prop_assert_eq!(
                    found,
                    from_scratch(pool, solver.conditions(), condition),
                    "{} on {:?}",
                    pool.display(condition),
                    shown(pool, &solver)
                );
                let is_true = match (found.holds, found.fails) {
                    (Satisfiability::Sat, Satisfiability::Sat) => side,
                    (holds, _) => holds == Satisfiability::Sat,
                };
                let taken = if is_true {
                    condition
                } else {
                    pool.not(condition)
                };
                marks.push(solver.mark());
                solver.assert(pool, taken);
            }
        }
    }
    let model = solver.model(pool).expect("Z3");
    let model = model.expect("the path is possible");
    for &condition in solver.conditions() {
        prop_assert_eq!(
            pool.evaluate(condition, &model),
            1,
            "{}",
            pool.display(condition)
        );
    }
    // The fresh solver has another history.
    let mut fresh = PathSolver::new(Limits::default());
    for &condition in solver.conditions().iter().rev() {
        fresh.assert(pool, condition);
    }
    prop_assert_eq!(fresh.model(pool).expect("Z3"), Some(model));
    Ok(())
}

fn from_scratch(pool: &TermPool, path: &[Term], condition: Term) -> Decision {
    let mut bare = PathSolver::bare(Limits::default());
    for &condition in path {
        bare.assert(pool, condition);
    }
    bare.decide(pool, condition).expect("Z3")
}

fn shown(pool: &TermPool, solver: &PathSolver) -> Vec<String> {
    let conditions = solver.conditions().iter();
    conditions
        .map(|&condition| pool.display(condition).to_string())
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(250))]

    #[test]
    fn walks_over_integers_are_decided_as_from_scratch(conditions in vec(condition(), 3..12), moves in moves(14)) {
        let mut pool = TermPool::new();
        let conditions: Vec<Term> =
            conditions.iter().map(|condition| of_condition(&mut pool, condition)).collect();
        walk(&mut pool, &conditions, &moves)?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn walks_over_anything_are_decided_as_from_scratch(steps in steps(40), moves in moves(7)) {
        let mut pool = TermPool::new();
        let terms = build(&mut pool, &steps);
        let is_fit = |&term: &Term| {
            pool.sort(term) == Sort::Bool
                && pool.difficulty(term) == Difficulty::Easy
                && pool.size(term) < 40
        };
        let conditions: Vec<Term> = terms.into_iter().filter(is_fit).collect();
        if !conditions.is_empty() {
            walk(&mut pool, &conditions, &moves)?;
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(30))]

    #[test]
    fn what_is_hard_is_answered_alike_by_who_knows_nothing_else(steps in steps(40), moves in moves(6)) {
        let mut pool = TermPool::new();
        let terms = build(&mut pool, &steps);
        let is_fit = |&term: &Term| pool.sort(term) == Sort::Bool && pool.size(term) < 40;
        let conditions: Vec<Term> = terms.into_iter().filter(is_fit).collect();
        let limits = Limits { work: 500_000 };
        let mut solver = PathSolver::new(limits);
        let start = solver.mark();
        for step in moves {
            let Move::Take(number, side) = step else {
                solver.undo_to(start);
                continue;
            };
            let Some(&condition) = conditions.get(number % conditions.len().max(1)) else {
                break;
            };
            let found = solver.decide(&pool, condition).expect("Z3");
            let mut fresh = PathSolver::new(limits);
            for &condition in solver.conditions() {
                fresh.assert(&pool, condition);
            }
            prop_assert_eq!(found, fresh.decide(&pool, condition).expect("Z3"), "{}", pool.display(condition));
            prop_assert_eq!(solver.model(&pool).expect("Z3"), fresh.model(&pool).expect("Z3"));
            let is_true = match (found.holds, found.fails) {
                (Satisfiability::Unsat, _) => false,
                (_, Satisfiability::Unsat) => true,
                _ => side,
            };
            let taken = if is_true { condition } else { pool.not(condition) };
            solver.assert(&pool, taken);
        }
    }
}

/// Comparisons of variables with one another and with constants need no solver.
#[test]
fn orders_are_decided_without_a_solver() {
    let mut pool = TermPool::new();
    let keys: Vec<Term> = (0..6)
        .map(|number| pool.variable(number, VariableRange::Int))
        .collect();
    let mut solver = PathSolver::new(Limits::default());
    for (place, &key) in keys.iter().enumerate() {
        for &other in &keys[..place] {
            let above = pool.binary(Binary::Lt, other, key);
            assert_eq!(
                solver.decide(&pool, above).expect("no Z3").holds,
                Satisfiability::Sat
            );
            solver.assert(&pool, above);
        }
    }
    let circle = pool.binary(Binary::Lt, keys[5], keys[0]);
    assert_eq!(
        solver.decide(&pool, circle).expect("no Z3").holds,
        Satisfiability::Unsat
    );
    let model = solver.model(&pool).expect("no Z3").expect("a model");
    let values: Vec<u64> = (0..6).map(|number| model.get(number)).collect();
    assert_eq!(values, [0, 1, 2, 3, 4, 5]);
    assert_eq!(solver.statistics().solver_calls, 0);
}

/// Condition that the cubes of seven `double`s have the sum 1234.567, which none of the candidates
/// satisfies; the variables are too many for boxes.
fn hard(pool: &mut TermPool) -> Term {
    let mut sum = pool.constant(Sort::Double, 0.0_f64.to_bits());
    for number in 0..7 {
        let x = pool.variable(number, VariableRange::Double);
        let square = pool.binary(Binary::Mul, x, x);
        let cube = pool.binary(Binary::Mul, square, x);
        sum = pool.binary(Binary::Add, sum, cube);
    }
    let number = pool.constant(Sort::Double, 1234.567_f64.to_bits());
    pool.binary(Binary::Eq, sum, number)
}

#[test]
fn too_little_work_leaves_a_condition_unknown_and_counted() {
    let mut pool = TermPool::new();
    let condition = hard(&mut pool);
    let mut solver = PathSolver::new(Limits { work: 1000 });
    let decision = solver.decide(&pool, condition).expect("Z3");
    assert_eq!(
        (decision.holds, decision.fails),
        (Satisfiability::Unknown, Satisfiability::Sat)
    );
    assert_eq!(solver.statistics().unknown, 1);
    solver.assert(&pool, condition);
    assert_eq!(solver.model(&pool).expect("Z3"), None);
    // Conditions without shared variables are decided as before.
    let other = pool.variable(8, VariableRange::Int);
    let third = pool.variable(9, VariableRange::Int);
    let (sum, seven) = (pool.binary(Binary::Add, other, third), pool.int(7));
    let other = pool.binary(Binary::Lt, sum, seven);
    let decision = solver.decide(&pool, other).expect("Z3");
    assert_eq!(
        (decision.holds, decision.fails),
        (Satisfiability::Sat, Satisfiability::Sat)
    );
}

#[test]
fn a_path_that_cannot_be_taken_teaches_nothing_about_others() {
    let mut pool = TermPool::new();
    let x = pool.variable(0, VariableRange::Int);
    // Two masks disagree on a bit.
    let contradiction = [(3, 1), (6, 2)].map(|(mask, is)| {
        let (mask, is) = (pool.int(mask), pool.int(is));
        let masked = pool.binary(Binary::And, x, mask);
        pool.binary(Binary::Eq, masked, is)
    });
    let [y, z] = [1, 2].map(|number| pool.variable(number, VariableRange::Int));
    let [mixed, both] = [Binary::Xor, Binary::And].map(|operation| pool.binary(operation, y, z));
    let [first, second] = [0x2468_ACF1, 0x102].map(|number| pool.int(number));
    let link = pool.binary(Binary::Eq, mixed, first);
    let question = pool.binary(Binary::Eq, both, second);

    let mut solver = PathSolver::new(Limits { work: 10_000_000 });
    solver.assert(&pool, link);
    let start = solver.mark();
    for condition in contradiction {
        solver.assert(&pool, condition);
    }
    let decision = solver.decide(&pool, question).expect("Z3");
    assert_eq!(
        (decision.holds, decision.fails),
        (Satisfiability::Unsat, Satisfiability::Unsat)
    );
    // Z3 has looked at the question, and at the path.
    assert_eq!(solver.statistics().solver_calls, 2);
    assert_eq!(solver.model(&pool).expect("Z3"), None);
    solver.undo_to(start);
    let decision = solver.decide(&pool, question).expect("Z3");
    assert_eq!(
        (decision.holds, decision.fails),
        (Satisfiability::Sat, Satisfiability::Sat)
    );
}

#[test]
fn floating_point_remainders_are_decided_without_z3() {
    let mut pool = TermPool::new();
    let x = pool.variable(0, VariableRange::Double);
    let three = pool.constant(Sort::Double, 3.0_f64.to_bits());
    let rest = pool.binary(Binary::Rem, x, three);
    let mut solver = PathSolver::new(Limits::default());
    let impossible = pool.binary(Binary::Lt, three, rest);
    let decision = solver.decide(&pool, impossible).expect("no Z3");
    assert_eq!(
        (decision.holds, decision.fails),
        (Satisfiability::Unsat, Satisfiability::Sat)
    );
    let one = pool.constant(Sort::Double, 1.0_f64.to_bits());
    let possible = pool.binary(Binary::Eq, rest, one);
    assert_eq!(
        solver.decide(&pool, possible).expect("no Z3").holds,
        Satisfiability::Sat
    );
}

#[test]
fn a_library_that_cannot_be_used_is_named() {
    let mut pool = TermPool::new();
    let condition = hard(&mut pool);
    let folder = env!("CARGO_MANIFEST_DIR");
    let mut text = String::new();
    for file in ["src/none.so", "Cargo.toml"] {
        let file = std::path::Path::new(folder).join(file);
        let mut solver = PathSolver::with_library(Limits::default(), file);
        let error = solver.decide(&pool, condition).expect_err("no library");
        let whole = error.to_string().replace(folder, "…");
        // The text after the first colon is the system's.
        text += whole.split(": ").next().unwrap_or(&whole);
        text += "\n";
    }
    expect![[r#"
        failed to load Z3 from …/src/none.so, which HEAPWRIGHT_Z3 names
        failed to load Z3 from …/Cargo.toml, which HEAPWRIGHT_Z3 names
    "#]]
    .assert_eq(&text);
}

/// A query that would take hours ends when another thread stops it, and is not counted.
#[test]
fn a_question_is_stopped() {
    let mut pool = TermPool::new();
    let factors = [0, 1].map(|number| pool.variable(number, VariableRange::Long));
    let (one, most) = (pool.long(1), pool.long(1 << 31));
    let mut solver = PathSolver::new(Limits { work: u64::MAX });
    for factor in factors {
        for (low, high) in [(one, factor), (factor, most)] {
            let condition = pool.binary(Binary::Lt, low, high);
            solver.assert(&pool, condition);
        }
    }
    let product = pool.binary(Binary::Mul, factors[0], factors[1]);
    let number = pool.long(2_147_483_629 * 2_147_483_587);
    let condition = pool.binary(Binary::Eq, product, number);
    let stopper = Stopper::default();
    solver.stop_by(stopper.clone());
    let is_done = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(false));
    let seen = is_done.clone();
    let asker = std::thread::spawn(move || {
        while !seen.load(std::sync::atomic::Ordering::Relaxed) {
            std::thread::sleep(std::time::Duration::from_millis(10));
            stopper.stop();
        }
    });
    let before = *solver.statistics();
    let decision = solver.decide(&pool, condition);
    is_done.store(true, std::sync::atomic::Ordering::Relaxed);
    assert_eq!(decision, Err(SolverError::Stopped));
    assert_eq!(*solver.statistics(), before);
    asker.join().expect("it ends");
}

#[test]
fn a_library_that_is_nowhere_is_asked_for() {
    let looked = "/usr/lib/libz3.so (Z3 4.8 is too old), libz3.so (not found)".to_owned();
    expect![[r#"
        failed to find Z3 4.13 or later: install it, put its library (libz3.so) beside the program, or name it in HEAPWRIGHT_Z3; tried /usr/lib/libz3.so (Z3 4.8 is too old), libz3.so (not found)
    "#]]
    .assert_eq(&format!("{}\n", SolverError::NoLibrary { looked }));
}

#[test]
fn scripts_for_other_solvers() {
    let mut pool = TermPool::new();
    let (x, y) = (
        pool.variable(0, VariableRange::Int),
        pool.variable(1, VariableRange::Char),
    );
    let (z, truth) = (
        pool.variable(2, VariableRange::Double),
        pool.variable(3, VariableRange::Boolean),
    );
    let sum = pool.binary(Binary::Add, x, y);
    let shifted = pool.binary(Binary::Shl, sum, truth);
    let less = pool.binary(Binary::Lt, shifted, y);
    let rounded = pool.unary(Unary::DoubleToInt, z);
    let equal = pool.binary(Binary::Eq, rounded, shifted);
    let text = smt_lib(&pool, &[less, equal], |number| format!("key {number}"));
    expect![[r#"
        (set-option :produce-models true)
        (set-logic QF_BVFP)
        (declare-const |key 0| (_ BitVec 32))
        (declare-const |key 1| (_ BitVec 16))
        (declare-const |key 2| (_ BitVec 64))
        (declare-const |key 3| (_ BitVec 1))
        (define-fun _t1 () (_ BitVec 32) (bvshl (bvadd |key 0| ((_ zero_extend 16) |key 1|)) (bvand ((_ zero_extend 31) |key 3|) #x0000001f)))
        (assert (bvslt _t1 ((_ zero_extend 16) |key 1|)))
        (define-fun _t2 () Bool (fp.leq ((_ to_fp 11 53) #x41e0000000000000) ((_ to_fp 11 53) |key 2|)))
        (define-fun _t3 () (_ BitVec 32) (ite _t2 #x7fffffff ((_ fp.to_sbv 32) RTZ ((_ to_fp 11 53) |key 2|))))
        (define-fun _t4 () Bool (fp.leq ((_ to_fp 11 53) |key 2|) ((_ to_fp 11 53) #xc1e0000000000000)))
        (define-fun _t5 () (_ BitVec 32) (ite (fp.isNaN ((_ to_fp 11 53) |key 2|)) #x00000000 (ite _t4 #x80000000 _t3)))
        (assert (= _t1 _t5))
        (check-sat)
        (get-model)
    "#]].assert_eq(&text);
}
