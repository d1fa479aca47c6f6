//! Sequences of calls that build an object, as plain owned data.

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::{ClassSig, Literal, MethodSig, literal};

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
        self.method.name == CONSTRUCTOR
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
        let mut names: Vec<String> = Vec::new();
        for (number, step) in self.steps.iter().enumerate() {
            if !self.is_used(number) {
                names.push(String::new());
                continue;
            }
            let base = variable(&step.class.name);
            let is_free = |name: &String| !names.contains(name);
            let numbered = (2..).map(|number| format!("{base}{number}"));
            let mut candidates = std::iter::once(base.clone()).chain(numbered);
            names.push(candidates.find(is_free).unwrap_or(base));
        }
        names
    }
}

/// A name for a variable of a class: `searchTree`.
fn variable(class: &str) -> String {
    let simple = class.rsplit(['.', '$']).next().unwrap_or(class);
    let mut letters = simple.chars();
    let first = letters.next().filter(|first| first.is_alphabetic());
    match first {
        Some(first) => first.to_lowercase().chain(letters).collect(),
        None => "object".to_owned(),
    }
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
            let class = step.class.name.rsplit(['.', '$']).next().unwrap_or("");
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
    match value {
        Literal::Value(value) | Literal::Boxed(value) => literal::plain(*value),
        Literal::String(text) => literal::string(text),
        Literal::EnumConstant { name, .. } => name.clone(),
    }
}
