//! Sequences of calls that build an object, as plain owned data.

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::types::{MethodDescriptor, simple_name};
use crate::variables::variables;
use crate::{ClassSig, Literal, MethodSig, ModelError, Structure};

/// The name of constructors in a [`MethodSig`].
pub const CONSTRUCTOR: &str = "<init>";

/// Calls in order, and which of them made or returned the object that they build.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Sequence {
    /// The calls.
    pub steps: Vec<Step>,
    /// The number of the call whose object or result this is about.
    pub object: usize,
}

/// A call of a sequence.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Step {
    /// The method; a constructor's name is [`CONSTRUCTOR`].
    pub method: Arc<MethodSig>,
    /// The class that is made, or whose method is called.
    pub class: Arc<ClassSig>,
    /// The number of the call that made or returned the receiver; none of constructors and static
    /// methods.
    pub receiver: Option<usize>,
    /// One argument a parameter.
    pub arguments: Vec<Input>,
    /// What a variable for the object made or returned is declared as; none if nothing is done with
    /// it. The object is of this class, whatever the method says that it returns.
    pub made: Option<Arc<ClassSig>>,
}

/// An argument of a call.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Input {
    /// A value that the source of a test can write down.
    Literal(Literal),
    /// What the call with this number made or returned.
    Object(usize),
}

impl Step {
    /// Whether it is a constructor.
    #[must_use]
    pub fn is_constructor(&self) -> bool {
        self.method.is_constructor()
    }
}

impl Sequence {
    /// Whether what a call made or returned is used by a later one, or is the object itself.
    #[must_use]
    pub fn is_used(&self, call: usize) -> bool {
        let uses = |step: &Step| {
            let is_argument = step.arguments.contains(&Input::Object(call));
            is_argument || step.receiver == Some(call)
        };
        self.object == call || self.steps.iter().any(uses)
    }

    /// The names of the variables that hold what calls made or returned; empty for those not used.
    #[must_use]
    pub fn variables(&self) -> Vec<String> {
        names(std::slice::from_ref(&self)).remove(0)
    }

    /// Checks that calls use what earlier ones made, and literals where they fit.
    ///
    /// # Errors
    /// Names the first call that does not.
    pub fn check(&self) -> Result<(), ModelError> {
        let is_made = |number: usize, by: usize| {
            number < by
                && self
                    .steps
                    .get(number)
                    .is_some_and(|step| step.made.is_some())
        };
        for (number, step) in self.steps.iter().enumerate() {
            let method = &step.method;
            let descriptor = MethodDescriptor::parse(&method.descriptor)?;
            if descriptor.parameters.len() != step.arguments.len() {
                return Err(ModelError::ArgumentCount {
                    method: method.name.clone(),
                    expected: descriptor.parameters.len(),
                    actual: step.arguments.len(),
                });
            }
            let arguments = step.arguments.iter().filter_map(|argument| match argument {
                Input::Object(object) => Some(*object),
                Input::Literal(_) => None,
            });
            for target in step.receiver.into_iter().chain(arguments) {
                if !is_made(target, number) {
                    return Err(ModelError::DanglingArgument {
                        method: method.name.clone(),
                        target,
                    });
                }
            }
            for (argument, expected) in step.arguments.iter().zip(&descriptor.parameters) {
                if let Input::Literal(literal) = argument {
                    literal.check(method, expected)?;
                }
            }
        }
        match is_made(self.object, self.steps.len()) {
            true => Ok(()),
            false => Err(ModelError::EmptyStructure),
        }
    }
}

/// The names of the variables of sequences that stand in one method, as
/// [`variables`](Sequence::variables) gives those of one.
pub(crate) fn names(sequences: &[&Sequence]) -> Vec<Vec<String>> {
    let is_held = |sequence: &Sequence, call: usize| {
        sequence.is_used(call) && sequence.steps[call].made.is_some()
    };
    let classes = sequences.iter().flat_map(|sequence| {
        let steps = sequence.steps.iter().enumerate();
        let held = steps.filter(|&(call, _)| is_held(sequence, call));
        held.filter_map(|(_, step)| step.made.as_deref())
    });
    let mut names = variables(classes.map(|class| class.name.as_str())).into_iter();
    let of = sequences.iter().map(|sequence| {
        (0..sequence.steps.len())
            .map(|call| match is_held(sequence, call) {
                true => names.next().unwrap_or_default(),
                false => String::new(),
            })
            .collect()
    });
    of.collect()
}

impl fmt::Display for Sequence {
    /// The calls as people write them down: `searchTree = new SearchTree(); searchTree.insert(0)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = self.variables();
        for (number, step) in self.steps.iter().enumerate() {
            if number > 0 {
                f.write_str("; ")?;
            }
            if !names[number].is_empty() {
                write!(f, "{} = ", names[number])?;
            }
            let class = simple_name(&step.class.name);
            match step.receiver {
                _ if step.is_constructor() => write!(f, "new {class}")?,
                Some(receiver) => write!(f, "{}.{}", names[receiver], step.method.name)?,
                None => write!(f, "{class}.{}", step.method.name)?,
            }
            f.write_str("(")?;
            for (place, argument) in step.arguments.iter().enumerate() {
                if place > 0 {
                    f.write_str(", ")?;
                }
                match argument {
                    Input::Object(object) => f.write_str(&names[*object])?,
                    Input::Literal(value) => f.write_str(&shown(value))?,
                }
            }
            f.write_str(")")?;
        }
        Ok(())
    }
}

/// A literal for people.
fn shown(value: &Literal) -> String {
    Structure::default().shown(value)
}
