//! Candidate values tried before a solver is called, and reduction of values in a model.
//!
//! All functions except `repair` depend on the literals alone, not on earlier queries.

use rustc_hash::FxHashSet;

use super::eval;
use super::path::PathLiteral;
use super::pool::TermPool;
use super::term::{Assignment, Node, Sort, Term, Unary, VariableRange};

/// Most nodes evaluated for a set of literals.
const MAX_WORK: u64 = 200_000;
/// Most values tried for a variable.
const MAX_VALUES: usize = 40;

/// Search for values that satisfy literals.
struct CandidateSearch<'a> {
    pool: &'a TermPool,
    literals: &'a [PathLiteral],
    work: u64,
}

/// Values that satisfy all literals, if found within a few tries.
pub(super) fn find(
    pool: &TermPool,
    literals: &[PathLiteral],
    variables: &[u32],
) -> Option<Assignment> {
    let mut search = CandidateSearch {
        pool,
        literals,
        work: 0,
    };
    let constants = constants(pool, literals);
    let choices: Vec<(u32, Vec<u64>)> = variables
        .iter()
        .filter_map(|&number| Some((number, values(pool.input(number)?, &constants))))
        .collect();
    let mut assignment: Assignment = choices.iter().map(|(number, _)| (*number, 0)).collect();
    let mut best = search.fulfilled(&assignment)?;
    while best < literals.len() {
        let before = best;
        for (number, values) in &choices {
            let mut kept = assignment.get(*number);
            for &value in values {
                assignment.set(*number, value);
                let fulfilled = search.fulfilled(&assignment)?;
                if fulfilled > best {
                    (best, kept) = (fulfilled, value);
                }
            }
            assignment.set(*number, kept);
        }
        if best == before {
            return search.pair(&choices);
        }
    }
    Some(assignment)
}

/// Moves the values of an assignment towards zero while all literals remain true.
pub(super) fn shrink(
    pool: &TermPool,
    literals: &[PathLiteral],
    assignment: &Assignment,
) -> Assignment {
    let mut search = CandidateSearch {
        pool,
        literals,
        work: 0,
    };
    let mut smaller = assignment.clone();
    for (number, _) in assignment.iter() {
        let Some(input) = pool.input(number) else {
            continue;
        };
        let mut low: Option<u64> = None;
        for _ in 0..80 {
            let bits = smaller.get(number);
            let Some(next) = nearer(input.sort(), bits, low) else {
                break;
            };
            smaller.set(number, next);
            match search.fulfilled(&smaller) {
                Some(fulfilled) if fulfilled == literals.len() => {}
                Some(_) => {
                    smaller.set(number, bits);
                    low = Some(next);
                }
                None => {
                    smaller.set(number, bits);
                    return smaller;
                }
            }
        }
    }
    smaller
}

/// Modifies an assignment that satisfies `literals` to satisfy a further literal as well. One
/// variable of a comparison is changed by the difference of the sides, and a second one if that
/// falsifies another literal.
pub(super) fn repair(
    pool: &TermPool,
    literals: &[PathLiteral],
    literal: PathLiteral,
    model: &Assignment,
) -> Option<Assignment> {
    let mut tries = MAX_REPAIRS;
    repaired(pool, literals, literal, model, 3, &mut tries)
}

/// Most changes tried.
const MAX_REPAIRS: u32 = 200;

fn repaired(
    pool: &TermPool,
    literals: &[PathLiteral],
    wanted: PathLiteral,
    model: &Assignment,
    depth: u32,
    tries: &mut u32,
) -> Option<Assignment> {
    let depth = depth.checked_sub(1)?;
    let mut model = model.clone();
    for &number in pool.variables(wanted.atom) {
        let input = pool.input(number)?;
        let Some((least, most)) = input.range() else {
            continue;
        };
        let bits = model.get(number);
        let value = eval::integer(input.sort(), bits);
        let gap = gap(pool, wanted.atom, &model)?;
        for near in [0, 1, -1] {
            for gap in [gap, gap.wrapping_neg()] {
                let moved = value.wrapping_add(gap).wrapping_add(near);
                let moved = eval::of_integer(input.sort(), moved);
                let is_in_range = (least..=most).contains(&eval::integer(input.sort(), moved));
                if !is_in_range || moved == bits {
                    continue;
                }
                *tries = tries.checked_sub(1)?;
                model.set(number, moved);
                if !wanted.is_true(pool, &model) {
                    continue;
                }
                let mut failing = literals
                    .iter()
                    .copied()
                    .filter(|literal| !literal.is_true(pool, &model));
                match (failing.next(), failing.next()) {
                    (None, _) => return Some(model),
                    (Some(next), None) if depth > 0 => {
                        let mut all = literals.to_vec();
                        all.push(wanted);
                        if let Some(found) = repaired(pool, &all, next, &model, depth, tries) {
                            return Some(found);
                        }
                    }
                    _ => {}
                }
            }
        }
        model.set(number, bits);
    }
    None
}

/// Difference of the sides of an integer comparison.
fn gap(pool: &TermPool, atom: Term, model: &Assignment) -> Option<i64> {
    match *pool.node(atom) {
        Node::Unary(Unary::Not, inner) => gap(pool, inner, model),
        Node::Binary(_, a, b) if pool.sort(a).is_integral() => {
            let value = |term| eval::integer(pool.sort(term), pool.evaluate(term, model));
            Some(value(b).wrapping_sub(value(a)))
        }
        _ => None,
    }
}

/// Value between `low`, which is known to fail, and one that works. `None` as `low` means that zero
/// is untried.
fn nearer(sort: Sort, bits: u64, low: Option<u64>) -> Option<u64> {
    match sort {
        Sort::Int | Sort::Long => {
            let value = eval::integer(sort, bits);
            let next = match low {
                None if value == 0 => return None,
                None => 0,
                Some(low) => {
                    let low = eval::integer(sort, low);
                    let middle = i128::midpoint(low.into(), value.into()) as i64;
                    if middle == low || middle == value {
                        return None;
                    }
                    middle
                }
            };
            Some(eval::of_integer(sort, next))
        }
        // Tries zero, then the number without its fraction.
        Sort::Float | Sort::Double => {
            let truncated = match sort {
                Sort::Float => eval::of_float(eval::to_float(bits).trunc()),
                _ => eval::of_double(eval::to_double(bits).trunc()),
            };
            match low {
                None if bits != 0 => Some(0),
                Some(0) if truncated != bits => Some(truncated),
                _ => None,
            }
        }
        Sort::Bool | Sort::Unbounded => None,
    }
}

impl CandidateSearch<'_> {
    /// Number of true literals; `None` once the work limit is reached.
    fn fulfilled(&mut self, assignment: &Assignment) -> Option<usize> {
        let mut count = 0;
        for literal in self.literals {
            self.work += u64::from(self.pool.size(literal.atom));
            if self.work >= MAX_WORK {
                return None;
            }
            count += usize::from(literal.is_true(self.pool, assignment));
        }
        Some(count)
    }

    /// Tries all pairs of values, if there are two variables.
    fn pair(&mut self, choices: &[(u32, Vec<u64>)]) -> Option<Assignment> {
        let [(first, ones), (second, others)] = choices else {
            return None;
        };
        for &one in ones {
            for &other in others {
                let assignment = [(*first, one), (*second, other)].into_iter().collect();
                if self.fulfilled(&assignment)? == self.literals.len() {
                    return Some(assignment);
                }
            }
        }
        None
    }
}

/// Constants in the literals, with their sorts, in order of occurrence.
fn constants(pool: &TermPool, literals: &[PathLiteral]) -> Vec<(Sort, u64)> {
    let mut seen: FxHashSet<Term> = FxHashSet::default();
    let mut open: Vec<Term> = literals.iter().rev().map(|literal| literal.atom).collect();
    let mut constants = Vec::new();
    while let Some(term) = open.pop() {
        if !seen.insert(term) {
            continue;
        }
        if let Node::Const { sort, bits } = *pool.node(term)
            && !constants.contains(&(sort, bits))
            && constants.len() < MAX_VALUES
        {
            constants.push((sort, bits));
        }
        open.extend(pool.node(term).operands());
    }
    constants
}

/// Candidate values for a variable, simplest first.
fn values(input: VariableRange, constants: &[(Sort, u64)]) -> Vec<u64> {
    let mut values = match input.range() {
        Some(range) => integers(input.sort(), range, constants),
        None => numbers(input.sort(), constants),
    };
    let mut seen = FxHashSet::default();
    values.retain(|&value| seen.insert(value));
    values.truncate(MAX_VALUES);
    values
}

fn integers(sort: Sort, (least, most): (i64, i64), constants: &[(Sort, u64)]) -> Vec<u64> {
    let mut values = vec![0, 1, -1, 2, 3];
    for &(sort, bits) in constants {
        let value = match sort {
            Sort::Int | Sort::Long | Sort::Unbounded => eval::integer(sort, bits),
            Sort::Float => eval::to_float(bits) as i64,
            Sort::Double => eval::to_double(bits) as i64,
            Sort::Bool => continue,
        };
        values.extend([
            value,
            value.wrapping_add(1),
            value.wrapping_sub(1),
            value.wrapping_neg(),
        ]);
    }
    values.extend([least, most]);
    values.retain(|&value| least <= value && value <= most);
    values
        .into_iter()
        .map(|value| eval::of_integer(sort, value))
        .collect()
}

fn numbers(sort: Sort, constants: &[(Sort, u64)]) -> Vec<u64> {
    let mut values = vec![0.0, 1.0, -1.0, 0.5, -0.5, 2.0];
    for &(own, bits) in constants {
        let value = match own {
            Sort::Int | Sort::Long | Sort::Unbounded => eval::integer(own, bits) as f64,
            Sort::Float => f64::from(eval::to_float(bits)),
            Sort::Double => eval::to_double(bits),
            Sort::Bool => continue,
        };
        let (up, down) = match sort {
            Sort::Float => {
                let value = value as f32;
                (f64::from(value.next_up()), f64::from(value.next_down()))
            }
            _ => (value.next_up(), value.next_down()),
        };
        values.extend([
            value,
            value + 1.0,
            value - 1.0,
            up,
            down,
            -value,
            value.sqrt(),
        ]);
    }
    values.extend([f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -0.0]);
    let bits = |value: f64| match sort {
        Sort::Float => eval::of_float(value as f32),
        _ => eval::of_double(value),
    };
    // The last values are retained even if there are many constants.
    let values: Vec<u64> = values.into_iter().map(bits).collect();
    let (many, last) = values.split_at(values.len() - 4);
    let many = &many[..many.len().min(MAX_VALUES - 4)];
    [many, last].concat()
}
