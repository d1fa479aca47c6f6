//! Sequences with values for their open arguments.

use std::collections::BTreeSet;
use std::ops::Range;

use heapwright_jvm::descriptor::Kind;

use crate::statements::{Statement, StatementArgument};
use crate::symbolic::{Contents, InputValue, RunInput};

/// Returns the statements whose results a statement takes.
fn results(statement: &Statement) -> impl Iterator<Item = usize> {
    let arguments = statement.arguments.iter();
    arguments.filter_map(|argument| match argument {
        StatementArgument::Result(place) => Some(*place),
        _ => None,
    })
}

/// A sequence with values for its open arguments.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Concrete {
    /// The statements; the last one calls the method under test. No argument is an
    /// `StatementArgument::OneOf`.
    pub statements: Vec<Statement>,
    /// The values, in the order of the open arguments.
    pub input: RunInput,
}

impl Concrete {
    /// Returns this sequence appended to another one with which it shares no objects and no values.
    #[must_use]
    pub fn behind(&self, other: &Concrete) -> Concrete {
        let values = other.statements.iter().map(Statement::open).sum();
        let objects = other.input.objects.len();
        let renumbered = |value: &InputValue| match value {
            InputValue::Object(number) => InputValue::Object(number + objects),
            value => value.clone(),
        };
        let mut joined = other.clone();
        let own = self.statements.iter();
        let own = own.map(|statement| statement.shifted(other.statements.len(), values));
        joined.statements.extend(own);
        let roots = self.input.roots.iter();
        let roots = roots.map(|(name, value)| (name.clone(), renumbered(value)));
        joined.input.roots.extend(roots);
        for object in &self.input.objects {
            let mut object = object.clone();
            match &mut object.contents {
                Contents::Fields(fields) => {
                    for (.., value) in fields {
                        *value = renumbered(value);
                    }
                }
                Contents::Elements(elements) => {
                    for value in elements {
                        *value = renumbered(value);
                    }
                }
                Contents::Text(_) => {}
            }
            joined.input.objects.push(object);
        }
        joined
    }

    /// Returns the sequence with a statement repeated some times with all its values and arguments,
    /// directly behind it. Later statements take the result of the first.
    #[must_use]
    pub fn repeating(&self, number: usize, times: usize) -> Concrete {
        let values = self.places(number);
        let mut repeated = self.clone();
        repeated.statements.truncate(number + 1);
        repeated.input.roots.truncate(values.end);
        for _ in 0..times {
            repeated.statements.push(self.statements[number].clone());
            let roots = &self.input.roots[values.clone()];
            repeated.input.roots.extend_from_slice(roots);
        }
        for later in &self.statements[number + 1..] {
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
        let rest = &self.input.roots[values.end..];
        repeated.input.roots.extend_from_slice(rest);
        repeated
    }

    /// Returns the sequence without the statements from `first` on that neither make nor take an
    /// object that the last statement needs. What is left may depend on them by static state.
    #[must_use]
    pub fn sliced(&self, first: usize) -> Concrete {
        let last = self.statements.len().saturating_sub(1);
        let mut needed: BTreeSet<usize> =
            self.statements[last..].iter().flat_map(results).collect();
        let mut kept = BTreeSet::new();
        for number in (first..last).rev() {
            let statement = &self.statements[number];
            let takes_needed =
                results(statement).any(|place| place >= first && needed.contains(&place));
            if needed.contains(&number) || takes_needed {
                kept.insert(number);
                needed.extend(results(statement));
            }
        }
        let mut sliced = self.clone();
        for number in (first..last).rev().filter(|number| !kept.contains(number)) {
            if let Some(shorter) = sliced.without(number) {
                sliced = shorter;
            }
        }
        sliced
    }

    /// Whether equal calls on the same object take the results of two statements, as those do that put them
    /// into a collection.
    #[must_use]
    pub fn are_elements(&self, one: usize, other: usize) -> bool {
        let takers = |place: usize| {
            let all = self.statements.iter();
            all.filter(move |taker| taker.takes(place) && taker.arguments.len() > 1)
        };
        takers(one).any(|first| {
            takers(other).any(|second| {
                first.invokable == second.invokable && first.arguments[0] == second.arguments[0]
            })
        })
    }

    /// Returns the places of a statement's values among all.
    #[must_use]
    pub fn places(&self, number: usize) -> Range<usize> {
        let before: usize = self.statements[..number].iter().map(Statement::open).sum();
        before..before + self.statements[number].open()
    }

    /// Returns the number of characters of all texts.
    #[must_use]
    pub fn characters(&self) -> usize {
        let objects = self.input.objects.iter();
        let texts = objects.map(|object| match &object.contents {
            Contents::Text(units) => units.len(),
            _ => 0,
        });
        texts.sum()
    }

    /// Returns the contents of a statement's open values.
    #[must_use]
    pub fn values(&self, number: usize) -> Vec<(&InputValue, Option<&Contents>)> {
        let values = self.input.roots[self.places(number)].iter();
        let values = values.map(|(_, value)| match value {
            InputValue::Object(object) => (
                &InputValue::Null,
                Some(&self.input.objects[*object].contents),
            ),
            value => (value, None),
        });
        values.collect()
    }

    /// Returns the sequence with another number in the later of two equal statements, the last one that it
    /// has; `None` if there is none.
    #[must_use]
    pub fn apart(&self, earlier: usize, later: usize) -> Option<Concrete> {
        if self.statements[earlier] != self.statements[later] {
            return None;
        }
        let is_number = |place: &usize| {
            let value = &self.input.roots[*place].1;
            matches!(value, InputValue::Primitive(kind, _) if !matches!(kind, Kind::Boolean | Kind::Char | Kind::Float | Kind::Double))
        };
        let place = self.places(later).rev().find(is_number)?;
        let is_used = |number: &u64| {
            let mut roots = self.input.roots.iter();
            roots
                .any(|(_, value)| matches!(value, InputValue::Primitive(_, slot) if slot == number))
        };
        let number = (1..).find(|number| !is_used(number))?;
        let mut apart = self.clone();
        if let InputValue::Primitive(_, slot) = &mut apart.input.roots[place].1 {
            *slot = number;
        }
        Some(apart)
    }

    /// Returns the sequence without one statement, whose result an earlier one replaces; `None` unless
    /// both call the same.
    #[must_use]
    pub fn fused(&self, earlier: usize, later: usize) -> Option<Concrete> {
        if self.statements[earlier].invokable != self.statements[later].invokable {
            return None;
        }
        let mut fused = self.clone();
        for statement in &mut fused.statements[later + 1..] {
            for argument in &mut statement.arguments {
                if *argument == StatementArgument::Result(later) {
                    *argument = StatementArgument::Result(earlier);
                }
            }
        }
        fused.without(later)
    }

    /// Returns the sequence without one statement, with null in place of its result.
    #[must_use]
    pub fn without_result(&self, number: usize) -> Option<Concrete> {
        let mut without = self.clone();
        for statement in &mut without.statements[number + 1..] {
            for argument in &mut statement.arguments {
                if *argument == StatementArgument::Result(number) {
                    *argument = StatementArgument::Null;
                }
            }
        }
        without.without(number)
    }

    /// Returns the sequence without one statement; `None` if a later statement uses its result.
    #[must_use]
    pub fn without(&self, number: usize) -> Option<Concrete> {
        let later = &self.statements[number + 1..];
        let values = self.places(number);
        let uses = |argument: &StatementArgument| match argument {
            StatementArgument::Repeated(value) => values.contains(value),
            argument => argument.can_be(number),
        };
        if later
            .iter()
            .any(|statement| statement.arguments.iter().any(uses))
        {
            return None;
        }
        let mut shorter = self.clone();
        shorter.statements.remove(number);
        shorter.input.roots.drain(values.clone());
        for statement in &mut shorter.statements[number..] {
            for argument in &mut statement.arguments {
                match argument {
                    StatementArgument::Result(place) if *place > number => *place -= 1,
                    StatementArgument::Repeated(value) if *value >= values.end => {
                        *value -= values.len()
                    }
                    _ => {}
                }
            }
        }
        Some(shorter)
    }
}
