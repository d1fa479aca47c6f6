//! Solution sets of conditions on one variable of few values, such as a byte, from the condition's
//! table of values.
//!
//! Every term of the condition is evaluated once, for all values of the variable together. This
//! decides what has no simpler rule: the tables of scanners, hashes and shifts of one character.

use rustc_hash::FxHashMap;

use super::eval;
use super::pool::TermPool;
use super::sets::Set;
use super::term::{Node, Term};

/// Maximum number of values of the variable.
const MAX_VALUES: i64 = 256;
/// Maximum number of terms of a condition.
const MAX_TERMS: usize = 4_096;

/// Values of a condition's only variable, between `least` and `most`, for which the condition
/// holds; `None` if there are too many values or terms.
pub(super) fn of_condition(
    pool: &TermPool,
    condition: Term,
    number: u32,
    (least, most): (i64, i64),
) -> Option<Set> {
    if most.saturating_sub(least) >= MAX_VALUES || pool.is_unbounded(condition) {
        return None;
    }
    let sort = pool.input(number)?.sort();
    let values: Vec<u64> = (least..=most)
        .map(|value| eval::of_integer(sort, value))
        .collect();
    let table = table(pool, condition, &values)?;
    let mut set = Set::default();
    let mut start = None;
    // The value past the last one ends the last interval.
    for (value, holds) in (least..).zip(table.iter().map(|&bits| bits != 0).chain([false])) {
        match (start, holds) {
            (None, true) => start = Some(value),
            (Some(from), false) => {
                set.push(from, value - 1);
                start = None;
            }
            _ => {}
        }
    }
    Some(set)
}

/// Values of a term for each value of its only variable.
fn table(pool: &TermPool, term: Term, values: &[u64]) -> Option<Vec<u64>> {
    let mut tables: FxHashMap<Term, Vec<u64>> = FxHashMap::default();
    let mut open = vec![term];
    while let Some(&next) = open.last() {
        if tables.contains_key(&next) {
            open.pop();
            continue;
        }
        let node = pool.node(next);
        let before = open.len();
        open.extend(node.operands().filter(|one| !tables.contains_key(one)));
        if open.len() > before {
            continue;
        }
        let of = |term: Term| tables[&term].iter().copied();
        let table = match *node {
            Node::Const { bits, .. } => vec![bits; values.len()],
            Node::Var { .. } => values.to_vec(),
            Node::Unary(operation, a) => {
                let sort = pool.sort(a);
                of(a).map(|a| eval::unary(operation, sort, a)).collect()
            }
            Node::Binary(operation, a, b) => {
                let sort = pool.sort(a);
                let both = of(a).zip(of(b));
                both.map(|(a, b)| eval::binary(operation, sort, a, b))
                    .collect()
            }
            Node::Ite(is, a, b) => {
                let sides = of(is).zip(of(a).zip(of(b)));
                sides
                    .map(|(is, (a, b))| if is != 0 { a } else { b })
                    .collect()
            }
        };
        if tables.len() >= MAX_TERMS {
            return None;
        }
        tables.insert(next, table);
    }
    tables.remove(&term)
}

#[cfg(test)]
mod tests {
    use super::super::term::{Assignment, Binary, VariableRange};
    use super::*;

    fn holds(pool: &TermPool, condition: Term, value: i64) -> bool {
        let mut assignment = Assignment::new();
        assignment.set(0, eval::of_integer(VariableRange::Byte.sort(), value));
        pool.evaluate(condition, &assignment) != 0
    }

    #[test]
    fn sets_are_those_of_the_evaluator() {
        let mut pool = TermPool::new();
        let byte = pool.variable(0, VariableRange::Byte);
        let [five, three, two] = [5, 3, 2].map(|number| pool.int(number));
        let product = pool.binary(Binary::Mul, byte, byte);
        let rest = pool.binary(Binary::Rem, product, five);
        let shifted = pool.binary(Binary::Shl, byte, three);
        let mixed = pool.binary(Binary::Xor, shifted, rest);
        let is_small = pool.binary(Binary::Lt, rest, two);
        let chosen = pool.ite(is_small, mixed, product);
        let conditions = [
            pool.binary(Binary::Eq, rest, two),
            pool.binary(Binary::Lt, mixed, product),
            pool.binary(Binary::Le, chosen, five),
        ];
        for condition in conditions {
            let set = of_condition(&pool, condition, 0, (-128, 127)).expect("a byte");
            for value in -128..=127 {
                let is_in = set.pieces().iter().any(|&(a, b)| (a..=b).contains(&value));
                assert_eq!(is_in, holds(&pool, condition, value), "{value}");
            }
            let pairs = set.pieces().windows(2);
            assert!(pairs.into_iter().all(|pair| pair[0].1 + 1 < pair[1].0));
        }
    }

    #[test]
    fn variables_of_many_values_have_no_table() {
        let mut pool = TermPool::new();
        let char = pool.variable(0, VariableRange::Char);
        let product = pool.binary(Binary::Mul, char, char);
        let condition = pool.binary(Binary::Eq, product, char);
        assert_eq!(of_condition(&pool, condition, 0, (0, 0xFFFF)), None);
    }
}
