//! Variation of sequences: other values, further statements, fewer statements, other objects, two
//! sequences in one.

use std::ops::Range;

use heapwright_jvm::Vm;

use super::drafts::{Draft, Drafter};
use super::values::{OpenParameter, compacted};
use crate::sequences::model::Concrete;
use crate::statements::{Statement, StatementArgument};

/// Maximum number of calls that are appended at once.
const CALLS: usize = 24;

/// Maximum number of times that a statement is repeated at once.
const REPEATS: usize = 8;

/// Returns the first statements of a sequence, with their values.
pub(super) fn truncated(concrete: &Concrete, statements: usize) -> Concrete {
    let mut shorter = concrete.clone();
    shorter.statements.truncate(statements);
    let values = shorter.statements.iter().map(Statement::open).sum();
    shorter.input.roots.truncate(values);
    shorter
}

/// Whether statements take results of earlier ones only, and each open argument has a value.
pub(super) fn is_well_formed(concrete: &Concrete) -> bool {
    let mut values = 0;
    for (number, statement) in concrete.statements.iter().enumerate() {
        for argument in &statement.arguments {
            let is_known = match *argument {
                StatementArgument::Result(place) => place < number,
                StatementArgument::Repeated(value) => value < values,
                _ => true,
            };
            values += usize::from(*argument == StatementArgument::Open);
            if !is_known {
                return false;
            }
        }
    }
    values == concrete.input.roots.len()
}

/// Returns the numbers of the values of a statement.
fn values_of(concrete: &Concrete, statement: usize) -> Range<usize> {
    let before = concrete.statements[..statement].iter();
    let from = before.map(Statement::open).sum();
    from..from + concrete.statements[statement].open()
}

impl Drafter<'_, '_> {
    /// Returns a variation of a sequence with the same last call. Statements that are inserted call
    /// the given invokables.
    pub fn varied(&mut self, vm: &mut Vm, draft: &Draft, invokables: &[usize]) -> Option<Concrete> {
        let has_values = !draft.concrete.input.roots.is_empty();
        let kind = match draft.concrete.statements.len() {
            1 => 0,
            _ => self.random.below(100),
        };
        match kind {
            0..62 if has_values => {
                let mut concrete = draft.concrete.clone();
                self.change_values(vm, &mut concrete);
                Some(concrete)
            }
            62..74 => self.insert(vm, draft, invokables),
            74..82 => self.remove(&draft.concrete),
            82..89 => self.redirect(vm, draft),
            _ => self.repeat(&draft.concrete),
        }
    }

    /// Appends some calls of the given invokables.
    pub fn append_some(&mut self, vm: &mut Vm, draft: &mut Draft, invokables: &[usize]) {
        let count = match self.random.is_likely(60) {
            true => 1,
            false => 1 + self.random.below(CALLS),
        };
        let mut last = None;
        for _ in 0..count {
            // Runs of the same call reach states that alternating ones seldom do.
            let same = last.filter(|_| self.random.is_likely(40));
            let Some(invokable) = same.or_else(|| self.random.pick(invokables).copied()) else {
                return;
            };
            last = Some(invokable);
            let before = draft.clone();
            if !self.append(vm, draft, invokable) {
                *draft = before;
            }
        }
    }

    /// Changes some values.
    pub fn change_values(&mut self, vm: &mut Vm, concrete: &mut Concrete) {
        let count = concrete.input.roots.len();
        if count == 0 {
            return;
        }
        // Values of the last statements matter more often.
        for _ in 0..1 + self.random.few(3) {
            let number = match self.random.is_likely(50) {
                true => count - 1 - self.random.few(count - 1),
                false => self.random.below(count),
            };
            let Some((invokable, place)) = parameter_of(concrete, number) else {
                continue;
            };
            let Some((descriptor, _)) = self.plan.open_parameter(invokable, place) else {
                continue;
            };
            let same = match self.random.is_likely(15) {
                true => self.plan.values_of(concrete, descriptor),
                false => Vec::new(),
            };
            let input = &mut concrete.input;
            let value = input.roots[number].1.clone();
            input.roots[number].1 = match self.random.pick(&same) {
                Some(&other) => input.roots[other].1.clone(),
                None => {
                    let parameter = OpenParameter {
                        descriptor,
                        texts: self.plan.texts(invokable),
                    };
                    self.values
                        .changed(vm, self.random, &value, parameter, input)
                }
            };
        }
        compacted(&mut concrete.input);
    }

    /// Inserts a statement with those that create its arguments.
    pub fn insert(&mut self, vm: &mut Vm, draft: &Draft, invokables: &[usize]) -> Option<Concrete> {
        let whole = &draft.concrete;
        // The last call stays the last one.
        let room = whole.statements.len().checked_sub(self.first)?;
        let at = self.first + self.random.below(room);
        let mut head = Draft {
            concrete: truncated(whole, at),
            objects: draft
                .objects
                .iter()
                .copied()
                .filter(|object| object.0 < at)
                .collect(),
        };
        let values = head.concrete.input.roots.len();
        let invokable = *self.random.pick(invokables)?;
        if !self.append(vm, &mut head, invokable) {
            return None;
        }
        let further = head.concrete.statements.len() - at;
        let further_values = head.concrete.input.roots.len() - values;
        let mut joined = head.concrete;
        for statement in &whole.statements[at..] {
            let mut statement = statement.clone();
            for argument in &mut statement.arguments {
                match argument {
                    StatementArgument::Result(place) if *place >= at => *place += further,
                    StatementArgument::Repeated(value) if *value >= values => {
                        *value += further_values;
                    }
                    _ => {}
                }
            }
            joined.statements.push(statement);
        }
        joined
            .input
            .roots
            .extend_from_slice(&whole.input.roots[values..]);
        (joined.statements.len() <= self.length).then_some(joined)
    }

    /// Removes a statement whose result no other takes.
    pub fn remove(&mut self, concrete: &Concrete) -> Option<Concrete> {
        let room = concrete.statements.len().checked_sub(self.first + 1)?;
        let number = self.first + self.random.below(room.max(1));
        let mut shorter = concrete.without(number)?;
        compacted(&mut shorter.input);
        (!shorter.statements.is_empty()).then_some(shorter)
    }

    /// Replaces the object that a statement takes by another one that the draft has.
    pub fn redirect(&mut self, vm: &mut Vm, draft: &Draft) -> Option<Concrete> {
        let mut concrete = draft.concrete.clone();
        let number = self.random.below(concrete.statements.len());
        let statement = &mut concrete.statements[number];
        let place = self.random.below(statement.arguments.len());
        let taking = self.plan.roles[statement.invokable].takes.get(place)?;
        let mut fitting = self.plan.fitting(vm, taking, draft);
        fitting.retain(|&other| other < number);
        let argument = statement.arguments.get_mut(place)?;
        let StatementArgument::Result(_) = argument else {
            return None;
        };
        *argument = StatementArgument::Result(*self.random.pick(&fitting)?);
        Some(concrete)
    }

    /// Repeats a statement with all its values and arguments, directly behind it.
    pub fn repeat(&mut self, concrete: &Concrete) -> Option<Concrete> {
        let room = concrete.statements.len().checked_sub(self.first)?;
        let number = self.first + self.random.below(room);
        let statement = concrete.statements.get(number)?.clone();
        let values = values_of(concrete, number);
        let roots = concrete.input.roots[values.clone()].to_vec();
        let times = 1 + self.random.below(REPEATS);
        let mut repeated = truncated(concrete, number + 1);
        for _ in 0..times {
            repeated.statements.push(statement.clone());
            repeated.input.roots.extend_from_slice(&roots);
        }
        for later in &concrete.statements[number + 1..] {
            let mut later = later.clone();
            for argument in &mut later.arguments {
                match argument {
                    StatementArgument::Result(place) if *place > number => *place += times,
                    StatementArgument::Repeated(value) if *value >= values.end => {
                        *value += times * values.len();
                    }
                    _ => {}
                }
            }
            repeated.statements.push(later);
        }
        let rest = &concrete.input.roots[values.end..];
        repeated.input.roots.extend_from_slice(rest);
        (repeated.statements.len() <= self.length).then_some(repeated)
    }

    /// Joins two sequences; calls that follow may take objects of both.
    pub fn join(&self, draft: &Draft, other: &Draft) -> Option<Draft> {
        // The first statements are those that begin every sequence.
        if self.first > 0 {
            return None;
        }
        let shift = draft.concrete.statements.len();
        let joined = Draft {
            concrete: other.concrete.behind(&draft.concrete),
            objects: draft
                .objects
                .iter()
                .copied()
                .chain(
                    other
                        .objects
                        .iter()
                        .map(|&(place, class)| (place + shift, class)),
                )
                .collect(),
        };
        (joined.concrete.statements.len() < self.length).then_some(joined)
    }
}

/// Returns the invokable and the place of the parameter of a value.
fn parameter_of(concrete: &Concrete, value: usize) -> Option<(usize, usize)> {
    let mut number = 0;
    for statement in &concrete.statements {
        for (place, argument) in statement.arguments.iter().enumerate() {
            if *argument == StatementArgument::Open {
                if number == value {
                    return Some((statement.invokable, place));
                }
                number += 1;
            }
        }
    }
    None
}
