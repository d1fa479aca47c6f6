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
    /// methods. In a script, of an inner class's constructor the enclosing object, which its first
    /// parameter is for.
    pub receiver: Option<usize>,
    /// One argument a parameter, but for the enclosing object.
    pub arguments: Vec<Input>,
    /// What a variable for the object made or returned is declared as; none if nothing is done with
    /// it. The object is of this class, whatever the method says that it returns.
    pub made: Option<Arc<ClassSig>>,
    /// What is known of how the compiler takes the call; of others [`MethodSig::is_overloaded`] says
    /// whether arguments are cast.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spelling: Option<Spelling>,
    /// Whether the elements of its last argument, if that is a new array, may stand as arguments: its last
    /// parameter is `T...`, of a type that is not generic, and no other method has its name.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub spreads: bool,
}

/// How a call is written whose types are known, so that the compiler takes it for what it is.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Spelling {
    /// Whether boxes are written as the primitives in them.
    pub unboxes: bool,
    /// Which arguments are cast to the types of their parameters.
    pub casts: Casts,
    /// The type arguments of these casts, an argument each; without them what is generic is raw.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cast_contents: Vec<Vec<Arc<ClassSig>>>,
    /// The classes that these casts name, of arrays that of the elements.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cast_classes: Vec<Arc<ClassSig>>,
    /// Whether what it makes has type arguments, which the compiler works out: `new Tree<>()`.
    pub is_diamond: bool,
}

/// Which arguments of a call are cast to the types of their parameters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Casts {
    /// None.
    #[default]
    None,
    /// Those whose type is only known from the parameter: null and lambdas.
    Untyped,
    /// All that are of another type.
    All,
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

    /// The numbers of the calls whose objects it uses.
    pub(crate) fn uses(&self) -> impl Iterator<Item = usize> {
        let arguments = self.arguments.iter().filter_map(Input::object);
        self.receiver.into_iter().chain(arguments)
    }

    /// The types of what its arguments are for.
    pub(crate) fn parameters<'t>(&self, types: &'t MethodDescriptor) -> &'t [String] {
        let enclosing = usize::from(self.is_constructor() && self.receiver.is_some());
        types.parameters.get(enclosing..).unwrap_or_default()
    }

    /// Checks that it uses objects that `is_made` says are there, and literals where they fit.
    pub(crate) fn check(&self, is_made: impl Fn(usize) -> bool) -> Result<(), ModelError> {
        let method = &self.method;
        let types = MethodDescriptor::parse(&method.descriptor)?;
        let parameters = self.parameters(&types);
        if parameters.len() != self.arguments.len() {
            return Err(ModelError::ArgumentCount {
                method: method.name.clone(),
                expected: parameters.len(),
                actual: self.arguments.len(),
            });
        }
        if let Some(target) = self.uses().find(|&target| !is_made(target)) {
            return Err(ModelError::DanglingArgument {
                method: method.name.clone(),
                target,
            });
        }
        for (argument, expected) in self.arguments.iter().zip(parameters) {
            if let Input::Literal(literal) = argument {
                literal.check(method, expected)?;
            }
        }
        Ok(())
    }

    /// Writes it as people do, with the names of what it uses.
    pub(crate) fn show(&self, f: &mut fmt::Formatter<'_>, names: &[String]) -> fmt::Result {
        let class = simple_name(&self.class.name);
        match self.receiver {
            Some(outer) if self.is_constructor() => write!(f, "{}.new {class}", names[outer])?,
            _ if self.is_constructor() => write!(f, "new {class}")?,
            Some(receiver) => write!(f, "{}.{}", names[receiver], self.method.name)?,
            None => write!(f, "{class}.{}", self.method.name)?,
        }
        write!(f, "({})", shown_all(&self.arguments, names))
    }
}

impl Input {
    /// The number of the call whose object it is.
    pub(crate) fn object(&self) -> Option<usize> {
        match self {
            Input::Object(object) => Some(*object),
            Input::Literal(_) => None,
        }
    }

    /// The value that it is, if it is no call's object.
    pub(crate) fn literal(&self) -> Option<&Literal> {
        match self {
            Input::Object(_) => None,
            Input::Literal(literal) => Some(literal),
        }
    }

    /// The input as people write it.
    pub(crate) fn shown(&self, names: &[String]) -> String {
        match self {
            Input::Object(object) => names[*object].clone(),
            Input::Literal(value) => shown(value),
        }
    }
}

impl Sequence {
    /// Whether what a call made or returned is used by a later one, or is the object itself.
    #[must_use]
    pub fn is_used(&self, call: usize) -> bool {
        let mut uses = self.steps.iter().flat_map(Step::uses);
        self.object == call || uses.any(|used| used == call)
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
            step.check(|target| is_made(target, number))?;
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
            step.show(f, &names)?;
        }
        Ok(())
    }
}

/// Inputs for people, with commas between.
pub(crate) fn shown_all(inputs: &[Input], names: &[String]) -> String {
    let inputs = inputs.iter().map(|input| input.shown(names));
    inputs.collect::<Vec<_>>().join(", ")
}

/// A literal for people.
pub(crate) fn shown(value: &Literal) -> String {
    Structure::default().shown(value)
}
