//! Literals of a path, their constraints on single variables, and independent parts.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::bounds::{self, Bounds};
use super::orders::{OrderOutcome, OrderProblem, OrderRelation};
use super::pool::{self, Difficulty, TermPool};
use super::sets::{self, Set};
use super::term::{Assignment, Binary, Node, Sort, Term, Unary};
use super::{Decision, Satisfiability, eval};

/// Most nodes of a term that is analysed with the bounds of the path.
const MAX_SIZE: u32 = 48;

/// Condition, or its negation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PathLiteral {
    pub(super) atom: Term,
    pub(super) holds: bool,
}

impl PathLiteral {
    pub(super) fn of(condition: Term) -> PathLiteral {
        PathLiteral {
            atom: condition,
            holds: true,
        }
    }

    pub(super) fn negated(self) -> PathLiteral {
        PathLiteral {
            holds: !self.holds,
            ..self
        }
    }

    /// Removes leading negations, so that `x` and `not(not(x))` agree.
    pub(super) fn stripped(mut self, pool: &TermPool) -> PathLiteral {
        while let Node::Unary(Unary::Not, inner) = *pool.node(self.atom) {
            self = PathLiteral {
                atom: inner,
                holds: !self.holds,
            };
        }
        self
    }

    /// Digest that is independent of the pool's form of negations.
    pub(super) fn digest(self, pool: &TermPool) -> u128 {
        let PathLiteral { atom, mut holds } = self.stripped(pool);
        let digest = match *pool.node(atom) {
            Node::Binary(Binary::Le, a, b) if pool.sort(a).is_integral() => {
                holds = !holds;
                pool.digest_of(&Node::Binary(Binary::Lt, b, a))
            }
            Node::Binary(Binary::Ule, a, b) => {
                holds = !holds;
                pool.digest_of(&Node::Binary(Binary::Ult, b, a))
            }
            _ => pool.digest(atom),
        };
        pool::combine(&[6, u128::from(holds), digest])
    }

    pub(super) fn is_true(self, pool: &TermPool, assignment: &Assignment) -> bool {
        (pool.evaluate(self.atom, assignment) != 0) == self.holds
    }
}

/// Meaning of a literal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum LiteralMeaning {
    /// Membership of a variable in a set.
    Member(u32, Set),
    /// Relation between two variables.
    Order(u32, OrderRelation, u32),
    /// Any other condition; `is_hard` if solvers may not terminate on it.
    Other { is_hard: bool },
}

impl LiteralMeaning {
    pub(super) fn of(pool: &TermPool, literal: PathLiteral) -> LiteralMeaning {
        if let Some((variable, set)) = sets::of_condition(pool, literal.atom, literal.holds) {
            return LiteralMeaning::Member(variable, set);
        }
        let PathLiteral { atom, holds } = literal.stripped(pool);
        let variable = |term: Term| match *pool.node(term) {
            Node::Var { number, .. } => Some(number),
            _ => None,
        };
        if let Node::Binary(operation, a, b) = *pool.node(atom)
            && pool.is_integer(a)
            && let (Some(a), Some(b)) = (variable(a), variable(b))
        {
            match (operation, holds) {
                (Binary::Eq, true) => return LiteralMeaning::Order(a, OrderRelation::Equal, b),
                (Binary::Eq, false) => return LiteralMeaning::Order(a, OrderRelation::Differs, b),
                (Binary::Lt, true) => return LiteralMeaning::Order(a, OrderRelation::Less, b),
                (Binary::Lt, false) => return LiteralMeaning::Order(b, OrderRelation::AtMost, a),
                (Binary::Le, true) => return LiteralMeaning::Order(a, OrderRelation::AtMost, b),
                (Binary::Le, false) => return LiteralMeaning::Order(b, OrderRelation::Less, a),
                _ => {}
            }
        }
        LiteralMeaning::Other {
            is_hard: pool.difficulty(atom) != Difficulty::Easy,
        }
    }

    pub(super) fn is_hard(&self) -> bool {
        matches!(self, LiteralMeaning::Other { is_hard: true })
    }
}

#[derive(Clone, Debug)]
struct PathEntry {
    literal: PathLiteral,
    digest: u128,
    meaning: LiteralMeaning,
    variables: SmallVec<[u32; 2]>,
    /// Domain of the variable before the literal, if it is a `Member`.
    before: Option<Set>,
    /// Whether the literal contradicts those before.
    contradicts: bool,
}

#[derive(Clone, Debug)]
struct PathVariable {
    domain: Set,
    /// Literals that contain the variable; the next field counts those that are no `Member`.
    literals: SmallVec<[u32; 4]>,
    related: u32,
    seen: u64,
}

/// Literals connected by shared variables.
#[derive(Clone, Debug, Default)]
pub(super) struct LiteralComponent {
    /// Indices of the literals on the path, ascending.
    pub(super) literals: Vec<u32>,
    pub(super) variables: Vec<u32>,
}

/// Literals asserted so far.
#[derive(Clone, Debug, Default)]
pub(super) struct AssertedPath {
    entries: Vec<PathEntry>,
    /// Number of the last traversal that visited each literal.
    seen: Vec<u64>,
    walks: u64,
    variables: FxHashMap<u32, PathVariable>,
    /// Number of literals that contradict those before.
    contradictions: usize,
    /// Whether all literals are treated as one part.
    pub(super) is_whole: bool,
}

impl AssertedPath {
    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }

    pub(super) fn literal(&self, place: u32) -> PathLiteral {
        self.entries[place as usize].literal
    }

    pub(super) fn digest(&self, place: u32) -> u128 {
        self.entries[place as usize].digest
    }

    pub(super) fn meaning(&self, place: u32) -> &LiteralMeaning {
        &self.entries[place as usize].meaning
    }

    pub(super) fn is_contradictory(&self) -> bool {
        self.contradictions > 0
    }

    /// Asserts a condition; a conjunction is split into its conjuncts.
    pub(super) fn assert(&mut self, pool: &TermPool, literal: PathLiteral) {
        let mut open = vec![literal];
        while let Some(literal) = open.pop() {
            let literal = literal.stripped(pool);
            match *pool.node(literal.atom) {
                Node::Binary(Binary::And, a, b) if literal.holds => {
                    open.extend([b, a].map(PathLiteral::of));
                }
                Node::Binary(Binary::Or, a, b) if !literal.holds => {
                    open.extend([b, a].map(|side| PathLiteral::of(side).negated()));
                }
                _ => self.push(pool, literal),
            }
        }
    }

    fn push(&mut self, pool: &TermPool, literal: PathLiteral) {
        let mut meaning = LiteralMeaning::of(pool, literal);
        let mut before = None;
        let mut contradicts = pool.constant_of(literal.atom) == Some(u64::from(!literal.holds));
        if let LiteralMeaning::Member(number, set) = &meaning {
            let variable = self.variable(pool, *number);
            let narrowed = variable.domain.intersection(set);
            if narrowed.is_too_long() {
                meaning = LiteralMeaning::Other { is_hard: false };
            } else {
                contradicts |= narrowed.is_empty();
                before = Some(std::mem::replace(&mut variable.domain, narrowed));
            }
        }
        let is_member = matches!(meaning, LiteralMeaning::Member(..));
        let place = self.entries.len() as u32;
        for &number in pool.variables(literal.atom) {
            let variable = self.variable(pool, number);
            variable.literals.push(place);
            variable.related += u32::from(!is_member);
        }
        self.contradictions += usize::from(contradicts);
        self.seen.push(0);
        self.entries.push(PathEntry {
            digest: literal.digest(pool),
            variables: pool.variables(literal.atom).into(),
            literal,
            meaning,
            before,
            contradicts,
        });
    }

    /// Removes all literals after the first `length`; the pool may have discarded their terms.
    pub(super) fn truncate(&mut self, length: usize) {
        while self.entries.len() > length
            && let Some(entry) = self.entries.pop()
        {
            self.seen.pop();
            self.contradictions -= usize::from(entry.contradicts);
            for number in &entry.variables {
                if let Some(variable) = self.variables.get_mut(number) {
                    variable.literals.pop();
                    if !matches!(entry.meaning, LiteralMeaning::Member(..)) {
                        variable.related -= 1;
                    }
                }
            }
            if let (LiteralMeaning::Member(number, _), Some(before)) = (entry.meaning, entry.before)
                && let Some(variable) = self.variables.get_mut(&number)
            {
                variable.domain = before;
            }
        }
    }

    fn variable(&mut self, pool: &TermPool, number: u32) -> &mut PathVariable {
        self.variables
            .entry(number)
            .or_insert_with(|| PathVariable {
                domain: all_values(pool, number),
                literals: SmallVec::new(),
                related: 0,
                seen: 0,
            })
    }

    fn domain(&self, pool: &TermPool, number: u32) -> Set {
        match self.variables.get(&number) {
            Some(variable) => variable.domain.clone(),
            None => all_values(pool, number),
        }
    }

    /// Decides a condition by the domains of single variables.
    pub(super) fn decide(
        &self,
        pool: &TermPool,
        literal: PathLiteral,
        meaning: &LiteralMeaning,
    ) -> Option<Decision> {
        if let LiteralMeaning::Member(number, set) = meaning {
            let known = self.variables.get(number);
            let all;
            let domain = match known {
                Some(variable) => &variable.domain,
                None => {
                    all = all_values(pool, *number);
                    &all
                }
            };
            let (holds, fails) = (domain.intersection(set), domain.without(set));
            if holds.is_empty() || fails.is_empty() {
                return Some(Decision::sure(fails.is_empty()));
            }
            if known.is_none_or(|variable| variable.related == 0) {
                return Some(Decision {
                    holds: Satisfiability::Sat,
                    fails: Satisfiability::Sat,
                });
            }
            return None;
        }
        if pool.size(literal.atom) > MAX_SIZE {
            return None;
        }
        let (least, most) = self.bounds(pool, literal.atom);
        (least == most).then(|| Decision::sure((least != 0) == literal.holds))
    }

    /// Bounds of a term on this path, or for all values of its variables if it is large.
    pub(super) fn bounds_of(&self, pool: &TermPool, term: Term) -> Bounds {
        match pool.size(term) <= MAX_SIZE {
            true => self.bounds(pool, term),
            false => pool.bounds(term),
        }
    }

    /// Bounds of a term under the domains of its variables on this path.
    fn bounds(&self, pool: &TermPool, term: Term) -> Bounds {
        let known = pool.bounds(term);
        let found = match *pool.node(term) {
            Node::Const { .. } => return known,
            Node::Var { number, input } => {
                let domain = self.variables.get(&number).map(|variable| &variable.domain);
                match domain.and_then(Set::bounds) {
                    Some(bounds) if input.range().is_some() => bounds,
                    _ => known,
                }
            }
            Node::Unary(operation, a) => {
                bounds::unary(operation, pool.sort(a), self.bounds(pool, a))
            }
            Node::Binary(operation, a, b) if pool.sort(a) == Sort::Bool => {
                truth_bounds(operation, self.bounds(pool, a), self.bounds(pool, b))
            }
            Node::Binary(operation, a, b) => bounds::binary(
                operation,
                pool.sort(a),
                self.bounds(pool, a),
                self.bounds(pool, b),
            ),
            Node::Ite(condition, a, b) => match self.bounds(pool, condition) {
                (1, 1) => self.bounds(pool, a),
                (0, 0) => self.bounds(pool, b),
                _ => {
                    let (a, b) = (self.bounds(pool, a), self.bounds(pool, b));
                    (a.0.min(b.0), a.1.max(b.1))
                }
            },
        };
        (known.0.max(found.0), known.1.min(found.1))
    }

    /// Parts that contain any of these variables, in the order of the variables.
    pub(super) fn parts(&mut self, pool: &TermPool, variables: &[u32]) -> Vec<LiteralComponent> {
        if self.is_whole {
            return vec![LiteralComponent {
                literals: (0..self.entries.len() as u32).collect(),
                variables: self.all_variables(variables),
            }];
        }
        self.walks += 1;
        let parts = variables.iter().map(|&start| self.part(pool, start));
        parts.filter(|part| !part.variables.is_empty()).collect()
    }

    /// All parts of the path.
    pub(super) fn all_parts(&mut self, pool: &TermPool) -> Vec<LiteralComponent> {
        let variables = self.all_variables(&[]);
        self.parts(pool, &variables)
    }

    fn all_variables(&self, more: &[u32]) -> Vec<u32> {
        let own = self.entries.iter().flat_map(|entry| &entry.variables);
        let mut variables: Vec<u32> = own.chain(more).copied().collect();
        variables.sort_unstable();
        variables.dedup();
        variables
    }

    /// Part of a variable; empty if the traversal has visited it.
    fn part(&mut self, pool: &TermPool, start: u32) -> LiteralComponent {
        let mut part = LiteralComponent::default();
        let mut open = vec![start];
        while let Some(number) = open.pop() {
            let walks = self.walks;
            let variable = self.variable(pool, number);
            if std::mem::replace(&mut variable.seen, walks) == walks {
                continue;
            }
            part.variables.push(number);
            let Some(variable) = self.variables.get(&number) else {
                continue;
            };
            for &place in &variable.literals {
                if std::mem::replace(&mut self.seen[place as usize], walks) != walks {
                    part.literals.push(place);
                    let others = &self.entries[place as usize].variables;
                    open.extend(others.iter().filter(|&&other| other != number));
                }
            }
        }
        part.literals.sort_unstable();
        part.variables.sort_unstable();
        part
    }

    /// Values for the variables of parts and of a further literal, if these contain only
    /// comparisons of variables; `None` otherwise.
    pub(super) fn ordered(
        &self,
        pool: &TermPool,
        parts: &[LiteralComponent],
        more: Option<&LiteralMeaning>,
    ) -> Option<Ordered> {
        let literals = || parts.iter().flat_map(|part| &part.literals);
        let meanings = literals().map(|&place| self.meaning(place)).chain(more);
        if meanings
            .clone()
            .any(|meaning| matches!(meaning, LiteralMeaning::Other { .. }))
        {
            return None;
        }
        let mut numbers: Vec<u32> = parts
            .iter()
            .flat_map(|part| &part.variables)
            .copied()
            .collect();
        numbers.sort_unstable();
        if numbers
            .iter()
            .any(|&number| pool.input(number).and_then(|input| input.range()).is_none())
        {
            return None;
        }
        let mut problem = OrderProblem {
            domains: numbers
                .iter()
                .map(|&number| self.domain(pool, number))
                .collect(),
            relations: Vec::new(),
        };
        let place = |number: u32| numbers.binary_search(&number).unwrap_or(0);
        for meaning in meanings {
            match *meaning {
                LiteralMeaning::Order(a, relation, b) => {
                    problem.relations.push((place(a), relation, place(b)));
                }
                LiteralMeaning::Member(number, ref set) => {
                    let domain = &mut problem.domains[place(number)];
                    *domain = domain.intersection(set);
                }
                LiteralMeaning::Other { .. } => {}
            }
        }
        Some(match problem.solve() {
            OrderOutcome::Impossible => Ordered::Impossible,
            OrderOutcome::Open => Ordered::Open,
            OrderOutcome::Values(values) => {
                let bits = |(number, value): (u32, i64)| {
                    let sort = pool.input(number).map_or(Sort::Long, |input| input.sort());
                    (number, eval::of_integer(sort, value))
                };
                Ordered::Values(numbers.iter().copied().zip(values).map(bits).collect())
            }
        })
    }
}

/// Outcome of the analysis of comparisons alone.
#[derive(Clone, Debug)]
pub(super) enum Ordered {
    Values(Assignment),
    Impossible,
    Open,
}

fn all_values(pool: &TermPool, number: u32) -> Set {
    let range = pool.input(number).and_then(|input| input.range());
    let (least, most) = range.unwrap_or((i64::MIN, i64::MAX));
    Set::interval(least, most)
}

pub(super) fn truth_bounds(operation: Binary, a: Bounds, b: Bounds) -> Bounds {
    match operation {
        Binary::And => (a.0 & b.0, a.1 & b.1),
        Binary::Or => (a.0 | b.0, a.1 | b.1),
        _ if a.0 != a.1 || b.0 != b.1 => (0, 1),
        Binary::Xor => (a.0 ^ b.0, a.0 ^ b.0),
        _ => (1 - (a.0 ^ b.0), 1 - (a.0 ^ b.0)),
    }
}
