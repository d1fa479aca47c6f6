//! Z3's memory limit, which holds for a whole process, hence this program of its own.

use heapwright_solve::smt::{
    Binary, Limits, PathSolver, Satisfiability, TermPool, VariableRange, limit_memory,
};

/// Z3's own tables take some mebibytes; the circuits of many remainders take gigabytes.
const MEMORY: u64 = 64 << 20;

#[test]
fn queries_beyond_the_memory_limit_are_unknown_and_later_ones_are_decided() {
    limit_memory(MEMORY);
    let mut pool = TermPool::new();
    let mut solver = PathSolver::new(Limits { work: u64::MAX });
    let variables: Vec<_> = (0..40)
        .map(|number| pool.variable(number, VariableRange::Long))
        .collect();
    let mut product = variables[0];
    for &variable in &variables[1..] {
        let square = pool.binary(Binary::Mul, product, product);
        product = pool.binary(Binary::Rem, square, variable);
    }
    let wanted = pool.long(0x1234_5678_9ABC_DEF1);
    let is_wanted = pool.binary(Binary::Eq, product, wanted);
    let decision = solver.decide(&pool, is_wanted).unwrap();
    assert_eq!(decision.holds, Satisfiability::Unknown);

    let square = pool.binary(Binary::Mul, variables[0], variables[1]);
    let number = pool.long(1_000_003 * 1_000_033);
    let is_square = pool.binary(Binary::Eq, square, number);
    let decision = solver.decide(&pool, is_square).unwrap();
    assert_eq!(decision.fails, Satisfiability::Sat);
}
