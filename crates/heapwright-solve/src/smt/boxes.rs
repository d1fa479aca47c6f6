//! Branch and prune: intervals of terms over boxes of values, which are halved until each part is
//! refuted, or values in it satisfy all literals (Michel, Rueher and Lebbah 2001).
//!
//! All functions depend on the literals alone, not on earlier queries.

use rustc_hash::FxHashMap;

use super::decision::StageOutcome;
use super::eval;
use super::path::PathLiteral;
use super::pool::TermPool;
use super::ranges::{self, Interval, Range, bits_of, number};
use super::sets;
use super::term::{Assignment, Binary, Node, Term, VariableRange};

/// Most variables of a problem: each doubles the number of parts of one size.
const MAX_VARIABLES: usize = 6;
/// Most nodes of all terms.
const MAX_NODES: usize = 1_000;
/// Points tried before boxes are split.
const SAMPLES: u64 = 400;
/// Magnitude up to which numbers are halved by value; greater ones are by order of magnitude.
const MODERATE: f64 = 65_536.0;

/// Searches values that satisfy all literals, in at most `limit` evaluations of nodes; returns their
/// number, too.
pub(super) fn search(
    pool: &TermPool,
    literals: &[PathLiteral],
    variables: &[u32],
    limit: u64,
) -> (StageOutcome, u64) {
    let Some(mut search) = BoxSearch::new(pool, literals, variables) else {
        return (StageOutcome::Open, 0);
    };
    let outcome = search.run(limit);
    (outcome, search.work)
}

/// Values of a variable in a box: keys that are in the order of the values, and NaN.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Domain {
    least: i64,
    most: i64,
    may_be_nan: bool,
}

struct BoxSearch<'p> {
    pool: &'p TermPool,
    literals: &'p [PathLiteral],
    variables: Vec<(u32, VariableRange)>,
    nodes: Vec<CompiledNode>,
    /// Places of the literals' atoms.
    atoms: Vec<usize>,
    ranges: Vec<Range>,
    work: u64,
}

/// Term with the places of its operands, which come before it.
#[derive(Clone, Copy, Debug)]
struct CompiledNode {
    term: Term,
    node: Node,
    operands: [usize; 3],
}

impl<'p> BoxSearch<'p> {
    /// Compiles literals; `None` if there is no floating point in them, or they are too large.
    fn new(
        pool: &'p TermPool,
        literals: &'p [PathLiteral],
        variables: &[u32],
    ) -> Option<BoxSearch<'p>> {
        if variables.len() > MAX_VARIABLES {
            return None;
        }
        let inputs = variables.iter();
        let inputs = inputs.map(|&number| Some((number, pool.input(number)?)));
        let mut search = BoxSearch {
            pool,
            literals,
            variables: inputs.collect::<Option<Vec<_>>>()?,
            nodes: Vec::new(),
            atoms: Vec::new(),
            ranges: Vec::new(),
            work: 0,
        };
        let mut places = FxHashMap::default();
        for literal in literals {
            let place = search.compile(literal.atom, &mut places)?;
            search.atoms.push(place);
        }
        let is_floating = |node: &CompiledNode| ranges::is_floating(pool.sort(node.term));
        let has_some = search.nodes.iter().any(is_floating);
        has_some.then_some(search)
    }

    /// Place of a term, with all below it.
    fn compile(&mut self, term: Term, places: &mut FxHashMap<Term, usize>) -> Option<usize> {
        let mut open = vec![term];
        while let Some(&next) = open.last() {
            let node = *self.pool.node(next);
            let missing = node
                .operands()
                .find(|operand| !places.contains_key(operand));
            if let Some(missing) = missing {
                open.push(missing);
                continue;
            }
            open.pop();
            if places.contains_key(&next) {
                continue;
            }
            if self.nodes.len() >= MAX_NODES {
                return None;
            }
            let mut operands = [0; 3];
            for (place, operand) in operands.iter_mut().zip(node.operands()) {
                *place = places[&operand];
            }
            places.insert(next, self.nodes.len());
            self.nodes.push(CompiledNode {
                term: next,
                node,
                operands,
            });
        }
        places.get(&term).copied()
    }

    fn run(&mut self, limit: u64) -> StageOutcome {
        let Some(whole) = self.whole() else {
            return StageOutcome::Impossible;
        };
        if let Some(values) = self.sampled(&whole, limit / 4) {
            return StageOutcome::Values(values);
        }
        // Each box with the variable that is split first.
        let mut open = vec![(whole, 0)];
        while let Some((part, next)) = open.pop() {
            if self.work >= limit {
                return StageOutcome::Open;
            }
            if self.is_refuted(&part) {
                continue;
            }
            let middle = self.middle(&part);
            if self.satisfies(&middle) {
                return StageOutcome::Values(middle);
            }
            let count = part.len();
            let split = (0..count).map(|step| (next + step) % count);
            // A box of one point was its own middle.
            let Some((place, halves)) = split.into_iter().find_map(|place| {
                let (_, input) = self.variables[place];
                Some((place, part[place].halves(input)?))
            }) else {
                continue;
            };
            for half in halves {
                let mut inner = part.clone();
                inner[place] = half;
                open.push((inner, place + 1));
            }
        }
        StageOutcome::Impossible
    }

    /// Box of all values that satisfy the literals on single variables; `None` if it is empty.
    fn whole(&self) -> Option<Vec<Domain>> {
        let domains = self.variables.iter().map(|&(number, input)| {
            let mut domain = Domain::of(input);
            for literal in self.literals {
                domain.restrict(self.pool, *literal, number, input);
            }
            (domain.may_be_nan || domain.least <= domain.most).then_some(domain)
        });
        domains.collect()
    }

    /// First of some points of a box that satisfies all literals.
    fn sampled(&mut self, whole: &[Domain], limit: u64) -> Option<Assignment> {
        let mut state: u64 = 0x9E37_79B9_7F4A_7C15;
        for _ in 0..SAMPLES {
            if self.work >= limit {
                break;
            }
            let mut values = Assignment::new();
            for (&(number, input), domain) in self.variables.iter().zip(whole) {
                // Numbers by xorshift64.
                state ^= state << 13;
                state ^= state >> 7;
                state ^= state << 17;
                values.set(number, domain.sample(input, state));
            }
            if self.satisfies(&values) {
                return Some(values);
            }
        }
        None
    }

    /// Point in the midst of a box.
    fn middle(&self, part: &[Domain]) -> Assignment {
        let variables = self.variables.iter().zip(part);
        let values = variables.map(|(&(number, input), domain)| {
            let bits = match domain.least > domain.most {
                true => nan(input),
                false => bits(input, domain.middle(input)),
            };
            (number, bits)
        });
        values.collect()
    }

    fn satisfies(&mut self, values: &Assignment) -> bool {
        self.work += self.nodes.len() as u64;
        let mut literals = self.literals.iter();
        literals.all(|literal| literal.is_true(self.pool, values))
    }

    /// Whether a literal is false at all points of a box.
    fn is_refuted(&mut self, part: &[Domain]) -> bool {
        self.work += self.nodes.len() as u64;
        self.ranges.clear();
        for place in 0..self.nodes.len() {
            let range = self.range(part, self.nodes[place]);
            self.ranges.push(range);
        }
        let mut atoms = self.atoms.iter().zip(self.literals);
        atoms.any(|(&place, literal)| match self.ranges[place] {
            Range::Integer((least, most)) => least == most && (least != 0) != literal.holds,
            Range::Number(_) => false,
        })
    }

    fn range(&self, part: &[Domain], compiled: CompiledNode) -> Range {
        let CompiledNode {
            term,
            node,
            operands: [first, second, third],
        } = compiled;
        let sort = self.pool.sort(term);
        let range = match node {
            Node::Const { bits, .. } if ranges::is_floating(sort) => {
                return Range::Number(Interval::point(number(sort, bits)));
            }
            Node::Const { .. } => return Range::Integer(self.pool.bounds(term)),
            Node::Var { number, input } => {
                let known = self.variables.iter().position(|known| known.0 == number);
                known.map_or(ranges::all(sort), |place| part[place].range(input))
            }
            Node::Unary(operation, operand) => {
                ranges::unary(operation, self.pool.sort(operand), self.ranges[first])
            }
            Node::Binary(operation, operand, _) => {
                let sort = self.pool.sort(operand);
                ranges::binary(operation, sort, self.ranges[first], self.ranges[second])
            }
            Node::Ite(..) => match self.ranges[first] {
                Range::Integer((1, 1)) => self.ranges[second],
                Range::Integer((0, 0)) => self.ranges[third],
                _ => ranges::joined(self.ranges[second], self.ranges[third]),
            },
        };
        match range {
            Range::Integer(found) => {
                let known = self.pool.bounds(term);
                Range::Integer((known.0.max(found.0), known.1.min(found.1)))
            }
            range => range,
        }
    }
}

impl Domain {
    fn of(input: VariableRange) -> Domain {
        match input.range() {
            Some((least, most)) => Domain {
                least,
                most,
                may_be_nan: false,
            },
            None => Domain {
                least: key(input, f64::NEG_INFINITY),
                most: key(input, f64::INFINITY),
                may_be_nan: true,
            },
        }
    }

    /// Removes values for which a literal that compares this variable with a constant is false.
    fn restrict(&mut self, pool: &TermPool, literal: PathLiteral, own: u32, input: VariableRange) {
        if input.range().is_some() {
            if let Some((number, set)) = sets::of_condition(pool, literal.atom, literal.holds)
                && number == own
                && let Some((least, most)) = set.bounds()
            {
                self.least = self.least.max(least);
                self.most = self.most.min(most);
            }
            return;
        }
        let PathLiteral { atom, holds } = literal.stripped(pool);
        let Node::Binary(operation, a, b) = *pool.node(atom) else {
            return;
        };
        let is_own =
            |term: Term| matches!(*pool.node(term), Node::Var { number, .. } if number == own);
        let constant = |term: Term| {
            pool.constant_of(term)
                .map(|bits| number(pool.sort(term), bits))
        };
        let (bound, is_left) = match (constant(a), constant(b)) {
            (None, Some(bound)) if is_own(a) => (bound, true),
            (Some(bound), None) if is_own(b) => (bound, false),
            _ => return,
        };
        if bound.is_nan() {
            return;
        }
        // Zeros of both signs are equal, so that the outer one is the bound.
        let (below, above) = match bound == 0.0 {
            true => (key(input, -0.0), key(input, 0.0)),
            false => (key(input, bound), key(input, bound)),
        };
        match (operation, holds, is_left) {
            (Binary::Eq, true, _) => {
                self.least = self.least.max(below);
                self.most = self.most.min(above);
            }
            (Binary::Lt, true, true) | (Binary::Le, false, false) => {
                self.most = self.most.min(below - 1);
            }
            (Binary::Le, true, true) | (Binary::Lt, false, false) => {
                self.most = self.most.min(above);
            }
            (Binary::Lt, true, false) | (Binary::Le, false, true) => {
                self.least = self.least.max(above + 1);
            }
            (Binary::Le, true, false) | (Binary::Lt, false, true) => {
                self.least = self.least.max(below);
            }
            _ => return,
        }
        // A comparison with NaN is false.
        self.may_be_nan &= !holds;
    }

    fn range(self, input: VariableRange) -> Range {
        match input.range() {
            Some(_) => Range::Integer((self.least, self.most)),
            None => Range::Number(
                Interval {
                    least: value(input, self.least),
                    most: value(input, self.most),
                    may_be_nan: self.may_be_nan,
                }
                .with_zeros(),
            ),
        }
    }

    /// Key in the midst.
    fn middle(&self, input: VariableRange) -> i64 {
        let by_key = i128::midpoint(self.least.into(), self.most.into()) as i64;
        if input.range().is_some() {
            return by_key;
        }
        let (least, most) = (value(input, self.least), value(input, self.most));
        let is_moderate = least.abs() <= MODERATE && most.abs() <= MODERATE;
        let is_narrow = least > 0.0 && most / least < MODERATE
            || most < 0.0 && least / most < MODERATE
            || least <= 0.0 && most >= 0.0;
        if !is_moderate || !is_narrow {
            return by_key;
        }
        key(input, f64::midpoint(least, most)).clamp(self.least, self.most)
    }

    /// Halves; `None` if there is one value.
    fn halves(self, input: VariableRange) -> Option<[Domain; 2]> {
        if self.least > self.most {
            return None;
        }
        if self.may_be_nan {
            let none = Domain {
                least: 1,
                most: 0,
                may_be_nan: true,
            };
            let numbers = Domain {
                may_be_nan: false,
                ..self
            };
            return Some([none, numbers]);
        }
        if self.least == self.most {
            return None;
        }
        let middle = self.middle(input).min(self.most - 1);
        let low = Domain {
            most: middle,
            ..self
        };
        let high = Domain {
            least: middle + 1,
            ..self
        };
        Some([high, low])
    }

    /// Bits of a value chosen by random bits.
    fn sample(self, input: VariableRange, random: u64) -> u64 {
        if self.least > self.most {
            return nan(input);
        }
        let share = (random >> 11) as f64 / (1_u64 << 53) as f64;
        if input.range().is_none() {
            let (least, most) = (value(input, self.least), value(input, self.most));
            if least.abs() <= MODERATE && most.abs() <= MODERATE {
                let chosen = key(input, least + (most - least) * share);
                return bits(input, chosen.clamp(self.least, self.most));
            }
        }
        let span = i128::from(self.most) - i128::from(self.least);
        let chosen = i128::from(self.least) + (span as f64 * share) as i128;
        bits(
            input,
            chosen.clamp(self.least.into(), self.most.into()) as i64,
        )
    }
}

/// Key of a number of a variable: bits that are in the order of the numbers, -0 before 0.
fn key(input: VariableRange, number: f64) -> i64 {
    match input {
        VariableRange::Float => {
            let bits = (number as f32).to_bits() as i32;
            i64::from(if bits < 0 { i32::MIN ^ !bits } else { bits })
        }
        _ => {
            let bits = number.to_bits() as i64;
            if bits < 0 { i64::MIN ^ !bits } else { bits }
        }
    }
}

/// Bits of a variable's value with a key.
fn bits(input: VariableRange, key: i64) -> u64 {
    match input {
        VariableRange::Float | VariableRange::Double => bits_of(input.sort(), value(input, key)),
        input => eval::of_integer(input.sort(), key),
    }
}

/// Number of a floating-point variable with a key.
fn value(input: VariableRange, key: i64) -> f64 {
    match input {
        VariableRange::Float => {
            let key = key as i32;
            let bits = if key < 0 { i32::MIN ^ !key } else { key };
            f32::from_bits(bits as u32).into()
        }
        _ => f64::from_bits(if key < 0 { i64::MIN ^ !key } else { key } as u64),
    }
}

fn nan(input: VariableRange) -> u64 {
    bits_of(input.sort(), f64::NAN)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::Sort;
    use super::super::tests::{assignment, build, steps};
    use super::super::unbounded::{self, UnboundedValue};
    use super::*;

    /// Domain with a value of a variable, and as many keys on both sides as fit.
    fn around(input: VariableRange, value: u64, below: i64, above: i64) -> Domain {
        let all = Domain::of(input);
        if input.range().is_none() && number(input.sort(), value).is_nan() {
            return Domain {
                least: all.least.max(below),
                most: all.most.min(above),
                may_be_nan: true,
            };
        }
        let own = match input.range() {
            Some(_) => eval::integer(input.sort(), value),
            None => key(input, number(input.sort(), value)),
        };
        Domain {
            least: own.saturating_sub(below).max(all.least),
            most: own.saturating_add(above).min(all.most),
            may_be_nan: below % 2 == 1,
        }
    }

    fn contains(range: Range, sort: Sort, value: u64) -> bool {
        match range {
            Range::Integer((least, most)) => (least..=most).contains(&eval::integer(sort, value)),
            Range::Number(interval) => {
                let value = number(sort, value);
                match value.is_nan() {
                    true => interval.may_be_nan,
                    false => {
                        (interval.least..=interval.most).contains(&value)
                            && (value != 0.0 || interval.least.to_bits() != 0)
                    }
                }
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(6000))]

        #[test]
        fn ranges_contain_the_values_of_all_terms(
            steps in steps(50),
            values in assignment(),
            spans in prop::collection::vec((0_u32..63, 0_u32..63, any::<u64>()), 16)
        ) {
            let mut pool = TermPool::new();
            let all = build(&mut pool, &steps);
            let conditions = all.iter().filter(|&&term| pool.sort(term) == Sort::Bool);
            let literals: Vec<PathLiteral> = conditions
                .map(|&atom| PathLiteral { atom, holds: pool.evaluate(atom, &values) != 0 })
                .collect();
            let mut variables = Vec::new();
            for literal in &literals {
                variables.extend_from_slice(pool.variables(literal.atom));
            }
            variables.sort_unstable();
            variables.dedup();
            variables.truncate(MAX_VARIABLES);
            let Some(mut search) = BoxSearch::new(&pool, &literals, &variables) else {
                return Ok(());
            };
            let part: Vec<Domain> = search
                .variables
                .iter()
                .zip(&spans)
                .map(|(&(number, input), &(below, above, noise))| {
                    let below = (noise >> below >> 1) as i64;
                    around(input, values.get(number), below, (noise >> above >> 1) as i64)
                })
                .collect();
            prop_assert!(!search.is_refuted(&part));
            for (compiled, &range) in search.nodes.iter().zip(&search.ranges) {
                let term = compiled.term;
                let sort = pool.sort(term);
                let value = match unbounded::evaluate(&pool, term, &values) {
                    UnboundedValue::Integer(value) if sort == Sort::Unbounded => {
                        let Ok(value) = i64::try_from(value) else { continue };
                        value as u64
                    }
                    _ => pool.evaluate(term, &values),
                };
                prop_assert!(
                    contains(range, sort, value),
                    "{value:x} of {} is not in {range:?}", pool.display(term)
                );
            }
            // A search does not lose the values, and what it finds satisfies the literals.
            match super::search(&pool, &literals, &variables, 20_000).0 {
                StageOutcome::Impossible => prop_assert!(false, "there are values"),
                StageOutcome::Values(found) => {
                    prop_assert!(literals.iter().all(|literal| literal.is_true(&pool, &found)));
                }
                StageOutcome::Open => {}
            }
        }
    }

    /// Outcome of a search for `from < x < to` with a further condition.
    fn between(
        from: f64,
        to: f64,
        further: impl FnOnce(&mut TermPool, Term) -> Term,
    ) -> StageOutcome {
        let mut pool = TermPool::new();
        let x = pool.variable(0, VariableRange::Double);
        let [from, to] =
            [from, to].map(|bound| pool.constant(Sort::Double, eval::of_double(bound)));
        let above = pool.binary(Binary::Lt, from, x);
        let below = pool.binary(Binary::Lt, x, to);
        let further = further(&mut pool, x);
        let literals = [above, below, further].map(PathLiteral::of);
        search(&pool, &literals, &[0], 4_000_000).0
    }

    /// Condition that x - x³/6 is greater than a number.
    fn cubic_is_above(pool: &mut TermPool, x: Term, number: f64) -> Term {
        let [six, number] =
            [6.0, number].map(|number| pool.constant(Sort::Double, eval::of_double(number)));
        let square = pool.binary(Binary::Mul, x, x);
        let cube = pool.binary(Binary::Mul, square, x);
        let sixth = pool.binary(Binary::Div, cube, six);
        let value = pool.binary(Binary::Sub, x, sixth);
        pool.binary(Binary::Lt, number, value)
    }

    #[test]
    fn polynomials_are_decided() {
        let most = 2.0 * f64::sqrt(2.0) / 3.0;
        let above = |number: f64| between(-2.0, 2.0, |pool, x| cubic_is_above(pool, x, number));
        assert_eq!(above(most + 1e-6), StageOutcome::Impossible);
        assert!(matches!(above(most - 1e-6), StageOutcome::Values(_)));
    }

    #[test]
    fn values_next_to_bounds_are_found() {
        let found = between(1.0, 2.0, |pool, x| {
            let last = pool.constant(Sort::Double, eval::of_double(2.0_f64.next_down()));
            pool.binary(Binary::Le, last, x)
        });
        let expected = [(0, eval::of_double(2.0_f64.next_down()))]
            .into_iter()
            .collect();
        assert_eq!(found, StageOutcome::Values(expected));
        let none = between(1.0, 1.0_f64.next_up(), |pool, _| pool.bool(true));
        assert_eq!(none, StageOutcome::Impossible);
    }

    #[test]
    fn the_only_value_with_a_property_may_be_none() {
        // x != x holds for NaN alone, which is between no numbers.
        let differs = |pool: &mut TermPool, x: Term| {
            let is = pool.binary(Binary::Eq, x, x);
            pool.not(is)
        };
        assert_eq!(between(0.0, 1.0, differs), StageOutcome::Impossible);
        let mut pool = TermPool::new();
        let x = pool.variable(0, VariableRange::Float);
        let literals = [PathLiteral::of(differs(&mut pool, x))];
        let expected = [(0, nan(VariableRange::Float))].into_iter().collect();
        let (found, _) = search(&pool, &literals, &[0], 1_000_000);
        assert_eq!(found, StageOutcome::Values(expected));
    }
}
