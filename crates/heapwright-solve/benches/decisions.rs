//! Benchmark of branch decisions on one thread, without and with solvers, and of memory growth:
//! `cargo bench -p heapwright-solve`.

use std::time::Instant;

use heapwright_solve::smt::{
    Binary, Limits, PathSolver, Satisfiability, SolverError, Term, TermPool, VariableRange,
};

fn main() -> Result<(), SolverError> {
    report("constants", 2_000_000, 1, constants)?;
    report("orders", 200_000, 1, orders)?;
    report("offsets", 20_000, 1, |pool, numbers| {
        linear(pool, numbers, 1)
    })?;
    report("sums", 3_000, 3, |pool, numbers| linear(pool, numbers, 2))
}

/// Deterministic pseudo-random number generator.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }
}

fn report(
    name: &str,
    decisions: u64,
    rounds: u64,
    condition: fn(&mut TermPool, &mut Numbers) -> Term,
) -> Result<(), SolverError> {
    let mut solver = PathSolver::new(Limits::default());
    let (mut pool, mut numbers) = (TermPool::new(), Numbers(1));
    let conditions: Vec<Term> = (0..4096)
        .map(|_| condition(&mut pool, &mut numbers))
        .collect();
    for round in 1..=rounds {
        let before = *solver.statistics();
        let start = Instant::now();
        walk(&mut pool, &mut solver, &mut numbers, &conditions, decisions)?;
        let seconds = start.elapsed().as_secs_f64();
        let spent = solver.statistics().since(&before);
        println!(
            "{name:10} {round}: {:>9.0} decisions/s, {:>7.0} calls of solvers/s, {:>5.1} % cheap, {} by model, {} cached, {} unknown, {} MiB",
            decisions as f64 / seconds,
            spent.solver_calls as f64 / seconds,
            100.0 * spent.decided_cheaply as f64 / decisions as f64,
            spent.by_model,
            spent.cache_hits,
            spent.unknown,
            resident(),
        );
    }
    Ok(())
}

/// Asserts up to eight conditions and takes them back at random, as a search does.
fn walk(
    pool: &mut TermPool,
    solver: &mut PathSolver,
    numbers: &mut Numbers,
    conditions: &[Term],
    decisions: u64,
) -> Result<(), SolverError> {
    let mut marks = Vec::new();
    for _ in 0..decisions {
        if marks.len() == 8 {
            let depth = numbers.below(8) as usize;
            solver.undo_to(marks[depth]);
            marks.truncate(depth);
        }
        let condition = conditions[numbers.below(conditions.len() as u64) as usize];
        let decision = solver.decide(pool, condition)?;
        let taken = match (decision.holds, decision.fails) {
            (Satisfiability::Unsat, _) => false,
            (_, Satisfiability::Unsat) => true,
            _ => numbers.below(2) == 0,
        };
        let taken = if taken {
            condition
        } else {
            pool.not(condition)
        };
        marks.push(solver.mark());
        solver.assert(pool, taken);
    }
    if let Some(&start) = marks.first() {
        solver.undo_to(start);
    }
    Ok(())
}

fn variable(pool: &mut TermPool, numbers: &mut Numbers) -> Term {
    pool.variable(numbers.below(8) as u32, VariableRange::Int)
}

fn operation(numbers: &mut Numbers) -> Binary {
    [Binary::Lt, Binary::Lt, Binary::Le, Binary::Eq][numbers.below(4) as usize]
}

fn constants(pool: &mut TermPool, numbers: &mut Numbers) -> Term {
    let (x, k) = (variable(pool, numbers), numbers.below(1000) as i32 - 500);
    let k = pool.int(k);
    let operation = operation(numbers);
    pool.binary(operation, x, k)
}

fn orders(pool: &mut TermPool, numbers: &mut Numbers) -> Term {
    let (x, y) = (variable(pool, numbers), variable(pool, numbers));
    let operation = operation(numbers);
    pool.binary(operation, x, y)
}

/// Compares the sum of `variables` variables and a constant with a further variable.
fn linear(pool: &mut TermPool, numbers: &mut Numbers, variables: u32) -> Term {
    let mut sum = pool.int(numbers.below(1000) as i32 - 500);
    for _ in 0..variables {
        let x = variable(pool, numbers);
        let operation = [Binary::Add, Binary::Add, Binary::Sub][numbers.below(3) as usize];
        sum = pool.binary(operation, sum, x);
    }
    let (operation, y) = (operation(numbers), variable(pool, numbers));
    pool.binary(operation, sum, y)
}

/// Resident memory of the process in MiB; 0 where the system does not report it.
fn resident() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmRSS:"));
    let kib = line.and_then(|line| line.split_whitespace().nth(1)?.parse::<u64>().ok());
    kib.unwrap_or(0) / 1024
}
