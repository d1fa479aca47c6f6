//! Sequences with values for their open arguments.

use crate::statements::{Statement, StatementArgument};
use crate::symbolic::{Contents, InputValue, RunInput};

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

    /// Returns the sequence without one statement; `None` if a later statement uses its result.
    #[must_use]
    pub fn without(&self, number: usize) -> Option<Concrete> {
        let later = &self.statements[number + 1..];
        let from: usize = self.statements[..number].iter().map(Statement::open).sum();
        let values = from..from + self.statements[number].open();
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
