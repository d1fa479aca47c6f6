//! Set of symbolic states, with a subsumption check.
//!
//! A state is subsumed by another of the same shape if the other allows all of its values. Each
//! variable of the other is matched with the term at its place, and the state's conditions must
//! then imply the other's. The implication is checked with sets of values and orders alone, as a
//! solver would take longer than exploring the state. The check is sound but incomplete: a reported
//! subsumption holds, some are missed.

use std::sync::Arc;

use heapwright_solve::smt::{
    Binary, Limits, Node, PathSolver, Satisfiability, Statistics, Term, TermPool, VariableRange,
};
use rustc_hash::FxHashMap;

use super::PathState;

/// Number of variable kinds that the numbering of variables distinguishes.
const KINDS: u32 = 16;
/// Most states of a shape that a state is compared with.
const MAX_HELD: usize = 64;

/// States, in the order of their insertion.
pub struct States {
    /// States of each shape, each with the number of statements that led to it.
    by_shape: FxHashMap<Arc<[u64]>, Vec<(PathState, usize)>>,
    pool: TermPool,
    solver: PathSolver,
    met: u64,
    subsumed: u64,
}

impl Default for States {
    fn default() -> States {
        States::new()
    }
}

impl States {
    /// Creates an empty set.
    #[must_use]
    pub fn new() -> States {
        States {
            by_shape: FxHashMap::default(),
            pool: TermPool::new(),
            solver: PathSolver::new(Limits::default()),
            met: 0,
            subsumed: 0,
        }
    }

    /// Removes all states.
    pub fn clear(&mut self) {
        self.by_shape.clear();
        (self.met, self.subsumed) = (0, 0);
    }

    /// Number of states offered, and of those that were subsumed by earlier ones.
    #[must_use]
    pub fn counts(&self) -> (u64, u64) {
        (self.met, self.subsumed)
    }

    /// Memory of the states in bytes.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        let held = self.by_shape.iter().map(|(shape, states)| {
            let states = states.iter().map(|(state, _)| state.bytes());
            size_of_val(&shape[..]) + states.sum::<usize>()
        });
        held.sum::<usize>() as u64
    }

    /// Statistics of the solver.
    #[must_use]
    pub fn statistics(&self) -> &Statistics {
        self.solver.statistics()
    }

    /// Adds a state reached by `length` statements, unless an earlier state reached by at most as
    /// many subsumes it; returns whether it was added.
    pub fn add(&mut self, state: PathState, length: usize) -> bool {
        self.met += 1;
        let known = self.by_shape.remove(&state.shape).unwrap_or_default();
        let is_known = self.is_known(&state, &known, length);
        let shape = Arc::clone(&state.shape);
        let known = self.by_shape.entry(shape).insert_entry(known).into_mut();
        if is_known {
            self.subsumed += 1;
            return false;
        }
        known.push((state, length));
        true
    }

    /// Whether an earlier state subsumes this one, which is not added.
    pub fn subsumes(&mut self, state: &PathState) -> bool {
        let known = self.by_shape.remove(&state.shape).unwrap_or_default();
        let is_known = self.is_known(state, &known, usize::MAX);
        if !known.is_empty() {
            self.by_shape.insert(Arc::clone(&state.shape), known);
        }
        is_known
    }

    /// Whether a state of the same shape, reached by at most `length` statements, subsumes this
    /// one.
    fn is_known(&mut self, state: &PathState, known: &[(PathState, usize)], length: usize) -> bool {
        let shorter = known.iter().filter(|other| other.1 <= length);
        let shorter: Vec<&PathState> = shorter.map(|other| &other.0).collect();
        let held = &shorter[..shorter.len().min(MAX_HELD)];
        shorter.contains(&state) || self.is_implied(state, held)
    }

    fn is_implied(&mut self, state: &PathState, known: &[&PathState]) -> bool {
        if known.is_empty() {
            return false;
        }
        let (mark, length) = (self.solver.mark(), self.pool.len());
        let mut own = Importer::new(state);
        for (number, node) in state.nodes.iter().enumerate() {
            if let Node::Var {
                number: variable,
                input,
            } = *node
            {
                let variable = self.pool.variable(variable * KINDS + input as u32, input);
                own.terms[number] = Some(variable);
            }
        }
        for &condition in &state.conditions {
            if let Some(condition) = own.import(&mut self.pool, condition) {
                self.solver.assert(&self.pool, condition);
            }
        }
        let found = known.iter().any(|other| self.implies(&mut own, other));
        self.solver.undo_to(mark);
        self.pool.truncate(length);
        found
    }

    /// Whether the state whose conditions are asserted has only values that `other` allows.
    fn implies(&mut self, own: &mut Importer<'_>, other: &PathState) -> bool {
        let mut others = Importer::new(other);
        let mut wanted = Vec::new();
        for (&here, &there) in own.state.terms.iter().zip(&other.terms) {
            let Some(held) = own.import(&mut self.pool, here) else {
                return false;
            };
            let place = there.number() as usize;
            match other.nodes[place] {
                Node::Var { input, .. } if others.terms[place].is_none() => {
                    if !self.is_within(held, input) {
                        return false;
                    }
                    others.terms[place] = Some(held);
                }
                _ => wanted.push((held, there)),
            }
        }
        // Variables outside the shape may have any values: variables with the same numbers are
        // used.
        for (place, node) in other.nodes.iter().enumerate() {
            if let Node::Var { number, input } = *node
                && others.terms[place].is_none()
            {
                let same = Node::Var { number, input };
                let Some(here) = own.state.nodes.iter().position(|node| *node == same) else {
                    return false;
                };
                others.terms[place] = own.terms[here];
            }
        }
        let mut conditions = Vec::new();
        for (held, there) in wanted {
            let Some(there) = others.import(&mut self.pool, there) else {
                return false;
            };
            conditions.push(self.pool.binary(Binary::Same, held, there));
        }
        for &condition in &other.conditions {
            let Some(condition) = others.import(&mut self.pool, condition) else {
                return false;
            };
            conditions.push(condition);
        }
        for condition in conditions {
            match self.pool.constant_of(condition) {
                Some(1) => continue,
                Some(_) => return false,
                None => {}
            }
            if self.solver.decide_at_once(&self.pool, condition).fails != Satisfiability::Unsat {
                return false;
            }
        }
        true
    }

    /// Whether all values of a term lie in a variable's range.
    fn is_within(&self, term: Term, input: VariableRange) -> bool {
        match *self.pool.node(term) {
            Node::Var { input: held, .. } => held == input,
            Node::Const { bits, .. } => match (input, input.range()) {
                (VariableRange::Long, _) | (_, None) => true,
                (_, Some((least, greatest))) => {
                    (least..=greatest).contains(&i64::from(bits as u32 as i32))
                }
            },
            _ => !matches!(
                input,
                VariableRange::Boolean
                    | VariableRange::Byte
                    | VariableRange::Char
                    | VariableRange::Short
            ),
        }
    }
}

/// Translator of a state's terms into a pool.
struct Importer<'a> {
    state: &'a PathState,
    terms: Vec<Option<Term>>,
}

impl Importer<'_> {
    fn new(state: &PathState) -> Importer<'_> {
        Importer {
            state,
            terms: vec![None; state.nodes.len()],
        }
    }

    /// Returns the term in the pool; `None` if it contains an unmatched variable.
    fn import(&mut self, pool: &mut TermPool, term: Term) -> Option<Term> {
        let mut open = vec![term];
        while let Some(&next) = open.last() {
            let place = next.number() as usize;
            if self.terms[place].is_some() {
                open.pop();
                continue;
            }
            let node = self.state.nodes[place];
            let before = open.len();
            let missing = node.operands();
            open.extend(missing.filter(|operand| self.terms[operand.number() as usize].is_none()));
            if open.len() > before {
                continue;
            }
            let of = |operand: Term| self.terms[operand.number() as usize];
            self.terms[place] = Some(match node {
                Node::Const { sort, bits } => pool.constant(sort, bits),
                Node::Var { .. } => return None,
                Node::Unary(operation, a) => pool.unary(operation, of(a)?),
                Node::Binary(operation, a, b) => pool.binary(operation, of(a)?, of(b)?),
                Node::Ite(a, b, c) => pool.ite(of(a)?, of(b)?, of(c)?),
            });
            open.pop();
        }
        self.terms[term.number() as usize]
    }
}
