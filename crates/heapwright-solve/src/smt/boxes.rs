//! Conditions on few variables with floating-point numbers, by branch and prune: a box of ranges of
//! the variables is discarded if a condition fails on all of it, and otherwise split.
//!
//! Invariant: the outcome depends on the literals alone. Values are checked by the evaluator, and
//! boxes are discarded by ranges alone.

use rustc_hash::FxHashMap;

use super::eval;
use super::path::PathLiteral;
use super::pool::TermPool;
use super::ranges::{self, Interval, Range};
use super::term::{Assignment, Node, Sort, Term, VariableRange};

/// Most variables.
const MAX_VARIABLES: usize = 3;
/// Most nodes that are evaluated, over all boxes.
const MAX_WORK: u64 = 400_000;

/// What is known of some literals.
pub(super) enum BoxOutcome {
    /// Nothing within the limit of work.
    Open,
    /// No values satisfy them.
    Impossible,
    /// Values that satisfy them.
    Values(Assignment),
}

/// Values of a variable: keys from the first to the second, in the order of the values.
type Keys = (i64, i64);

/// Solves literals of which a term is a floating-point number; returns the work, too.
pub(super) fn solve(
    pool: &TermPool,
    literals: &[PathLiteral],
    variables: &[u32],
) -> (BoxOutcome, u64) {
    let Some(problem) = BoxProblem::new(pool, literals, variables) else {
        return (BoxOutcome::Open, 0);
    };
    problem.solve()
}

/// Operands of a node, as places among the nodes.
#[derive(Clone, Copy)]
struct BoxNode {
    node: Node,
    sort: Sort,
    operands: [usize; 3],
}

struct BoxProblem<'a> {
    pool: &'a TermPool,
    literals: &'a [PathLiteral],
    /// Variables with their ranges.
    variables: Vec<(u32, VariableRange)>,
    /// Nodes of the literals, operands first.
    nodes: Vec<BoxNode>,
    /// Places of the literals' atoms.
    atoms: Vec<usize>,
}

impl<'a> BoxProblem<'a> {
    fn new(
        pool: &'a TermPool,
        literals: &'a [PathLiteral],
        variables: &[u32],
    ) -> Option<BoxProblem<'a>> {
        if variables.len() > MAX_VARIABLES {
            return None;
        }
        let inputs = variables
            .iter()
            .map(|&number| Some((number, pool.input(number)?)));
        let mut problem = BoxProblem {
            pool,
            literals,
            variables: inputs.collect::<Option<_>>()?,
            nodes: Vec::new(),
            atoms: Vec::new(),
        };
        let mut places = FxHashMap::default();
        for literal in literals {
            if pool.is_unbounded(literal.atom) {
                return None;
            }
            let place = problem.add(literal.atom, &mut places)?;
            problem.atoms.push(place);
        }
        let is_floating = |node: &BoxNode| matches!(node.sort, Sort::Float | Sort::Double);
        problem.nodes.iter().any(is_floating).then_some(problem)
    }

    /// Adds a term and its operands; `None` if there are too many.
    fn add(&mut self, term: Term, places: &mut FxHashMap<Term, usize>) -> Option<usize> {
        let mut open = vec![term];
        while let Some(&next) = open.last() {
            if places.contains_key(&next) {
                open.pop();
                continue;
            }
            let node = *self.pool.node(next);
            let before = open.len();
            open.extend(
                node.operands()
                    .filter(|operand| !places.contains_key(operand)),
            );
            if open.len() > before {
                continue;
            }
            let mut operands = [0; 3];
            for (place, operand) in operands.iter_mut().zip(node.operands()) {
                *place = places[&operand];
            }
            places.insert(next, self.nodes.len());
            self.nodes.push(BoxNode {
                node,
                sort: self.pool.sort(next),
                operands,
            });
            if self.nodes.len() as u64 > MAX_WORK {
                return None;
            }
            open.pop();
        }
        places.get(&term).copied()
    }

    fn solve(&self) -> (BoxOutcome, u64) {
        let whole: Vec<Keys> = self
            .variables
            .iter()
            .map(|&(_, input)| keys(input))
            .collect();
        let mut boxes = vec![whole];
        let mut work = 0;
        let mut ranges = Vec::with_capacity(self.nodes.len());
        while let Some(next) = boxes.pop() {
            work += 2 * self.nodes.len() as u64;
            if work > MAX_WORK {
                return (BoxOutcome::Open, work);
            }
            self.evaluate(&next, &mut ranges);
            let truths = self.atoms.iter().map(|&atom| ranges[atom].truth());
            let mut truths = truths.zip(self.literals);
            if truths.any(|(truth, literal)| truth == Some(!literal.holds)) {
                continue;
            }
            let tried = self.inner(&next);
            if self
                .literals
                .iter()
                .all(|literal| literal.is_true(self.pool, &tried))
            {
                return (BoxOutcome::Values(tried), work);
            }
            let widest = (0..next.len()).max_by_key(|&place| width(next[place]));
            let Some(place) = widest.filter(|&place| width(next[place]) > 0) else {
                continue;
            };
            let (least, most) = next[place];
            // NaN is apart from all numbers.
            let middle = match is_nan(self.variables[place].1, most) {
                true => most - 1,
                false => least.wrapping_add((width(next[place]) / 2) as i64),
            };
            let (mut low, mut high) = (next.clone(), next);
            low[place] = (least, middle);
            high[place] = (middle + 1, most);
            boxes.extend([high, low]);
        }
        (BoxOutcome::Impossible, work)
    }

    /// Ranges of all nodes on a box.
    fn evaluate(&self, keys: &[Keys], ranges: &mut Vec<Range>) {
        ranges.clear();
        for BoxNode {
            node,
            sort,
            operands,
        } in &self.nodes
        {
            let operand = |place: usize| ranges[operands[place]];
            let sort_of = |place: usize| self.nodes[operands[place]].sort;
            let range = match *node {
                Node::Const { sort, bits } => Range::of_bits(sort, bits),
                Node::Var { number, .. } => {
                    let mut variables = self.variables.iter();
                    match variables.position(|&(variable, _)| variable == number) {
                        Some(place) => range_of(self.variables[place].1, keys[place]),
                        None => Range::of_sort(*sort),
                    }
                }
                Node::Unary(operation, _) => ranges::unary(operation, sort_of(0), operand(0)),
                Node::Binary(operation, ..) => {
                    ranges::binary(operation, sort_of(0), operand(0), operand(1))
                }
                Node::Ite(..) => match operand(0).truth() {
                    Some(true) => operand(1),
                    Some(false) => operand(2),
                    None => operand(1).union(operand(2)),
                },
            };
            ranges.push(range);
        }
    }

    /// Values in a box: those next to zero.
    fn inner(&self, keys: &[Keys]) -> Assignment {
        let values = self.variables.iter().zip(keys);
        let values = values.map(|(&(number, input), &(least, most))| {
            let key = 0.clamp(least, most);
            (number, bits_of(input, key))
        });
        values.collect()
    }
}

/// Number of values in a range of keys, less one.
fn width((least, most): Keys) -> u64 {
    most.wrapping_sub(least) as u64
}

/// Keys of all values. That of NaN comes after infinity.
fn keys(input: VariableRange) -> Keys {
    match input {
        VariableRange::Float => (float_key(f32::NEG_INFINITY), float_key(f32::INFINITY) + 1),
        VariableRange::Double => (double_key(f64::NEG_INFINITY), double_key(f64::INFINITY) + 1),
        input => input.range().unwrap_or((i64::MIN, i64::MAX)),
    }
}

/// Whether a key is that of NaN.
fn is_nan(input: VariableRange, key: i64) -> bool {
    input.range().is_none() && key == keys(input).1
}

/// Key of a number: of 0.0 it is 0, of -0.0 -1.
fn float_key(value: f32) -> i64 {
    let bits = i64::from(value.to_bits() as i32);
    if bits < 0 {
        i64::from(i32::MIN) - 1 - bits
    } else {
        bits
    }
}

/// Likewise.
fn double_key(value: f64) -> i64 {
    let bits = value.to_bits() as i64;
    if bits < 0 {
        i64::MIN - (bits + 1)
    } else {
        bits
    }
}

fn float_of(key: i64) -> f32 {
    let bits = if key < 0 {
        i64::from(i32::MIN) - 1 - key
    } else {
        key
    };
    f32::from_bits(bits as u32)
}

fn double_of(key: i64) -> f64 {
    let bits = if key < 0 { i64::MIN - (key + 1) } else { key };
    f64::from_bits(bits as u64)
}

/// Bits of the value with a key.
fn bits_of(input: VariableRange, key: i64) -> u64 {
    match input {
        VariableRange::Float if is_nan(input, key) => eval::of_float(f32::NAN),
        VariableRange::Float => eval::of_float(float_of(key)),
        VariableRange::Double if is_nan(input, key) => eval::of_double(f64::NAN),
        VariableRange::Double => eval::of_double(double_of(key)),
        input => eval::of_integer(input.sort(), key),
    }
}

/// Values with the keys of a range.
fn range_of(input: VariableRange, (least, most): Keys) -> Range {
    if input.range().is_some() {
        return Range::Integer((least, most));
    }
    let may_be_nan = is_nan(input, most);
    if may_be_nan && least == most {
        return Range::of_bits(input.sort(), bits_of(input, most));
    }
    let number = |key: i64| match input {
        VariableRange::Float => f64::from(float_of(key)),
        _ => double_of(key),
    };
    Range::Number(Interval {
        may_be_nan,
        ..Interval::between(number(least), number(most - i64::from(may_be_nan)))
    })
}
