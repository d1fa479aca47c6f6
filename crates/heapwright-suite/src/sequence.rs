//! Sequences of calls that build an object, as plain owned data.

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::types::{MethodDescriptor, simple_name};
use crate::variables::variables;
use crate::{Access, ClassSig, Literal, MethodSig, ModelError, Structure, literal};

/// Name of constructors in a [`MethodSig`].
pub const CONSTRUCTOR: &str = "<init>";

/// Calls in order, and the index of the one whose object they build.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Sequence {
    /// Calls.
    pub steps: Vec<Step>,
    /// Index of the call whose new object or result the sequence builds.
    pub object: usize,
}

/// Call of a sequence.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Step {
    /// Method; a constructor's name is [`CONSTRUCTOR`].
    pub method: Arc<MethodSig>,
    /// Class that is instantiated, or whose method is called.
    pub class: Arc<ClassSig>,
    /// Index of the call that made or returned the receiver; `None` for constructors and static
    /// methods. In a script, it is the enclosing object for an inner class's constructor, whose
    /// first parameter it is.
    pub receiver: Option<usize>,
    /// Arguments, one for each parameter except the enclosing object.
    pub arguments: Vec<Input>,
    /// Declared type of the variable for the object made or returned; `None` if it is unused. The
    /// object has this class, whatever the method's return type is.
    pub made: Option<Arc<ClassSig>>,
    /// Way of writing the call, if the types known to the compiler are known. Otherwise
    /// [`MethodSig::is_overloaded`] tells whether arguments are cast.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spelling: Option<CallSyntax>,
    /// Whether the elements of its last argument, if that is a new array, may be separate
    /// arguments. The last parameter must be `T...` with a non-generic type, and no other method
    /// may have the same name.
    #[serde(
        default,
        rename = "spreads",
        skip_serializing_if = "std::ops::Not::not"
    )]
    pub is_variadic: bool,
    /// Body of the anonymous class that a constructor's call declares and instantiates; its class
    /// may then be abstract, or an interface.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub body: Option<AnonymousBody>,
}

/// Body of an anonymous class.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct AnonymousBody {
    /// Type arguments of its superclass or interface, none generic themselves. Without them a
    /// generic type is raw.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub contents: Vec<Arc<ClassSig>>,
    /// Methods, each of which implements an abstract one.
    pub methods: Vec<AnonymousMethod>,
    /// Whether the class implements a functional interface, so that a lambda may replace it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_functional: bool,
    /// Whether it has a constructor to call, as classes do and interfaces do not.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub extends_class: bool,
    /// Whether its supertype has methods that are not abstract.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub has_code: bool,
    /// Whether a mock replaces it where it can.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_mock: bool,
}

/// Method of an anonymous class.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AnonymousMethod {
    /// Abstract method that it implements.
    pub method: Arc<MethodSig>,
    /// Access: public, protected or of the package.
    pub access: Access,
    /// Erased parameter types.
    pub parameters: Vec<Arc<ClassSig>>,
    /// Whether the last parameter is `T...`.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_variadic: bool,
    /// Erased result type; `None` if void.
    pub returns: Option<Arc<ClassSig>>,
    /// Type arguments of its result, none generic themselves. Without them a generic type is raw.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub returned_contents: Vec<Arc<ClassSig>>,
    /// Outcomes of its calls in order; the last one is that of all further calls, too.
    pub outcomes: Vec<StubOutcome>,
    /// Whether the test makes no call of it, so that a mock needs no answer.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_unasked: bool,
    /// Arguments of each of its calls, if they are plain values: a mock answers these alone.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub asked_with: Vec<Vec<Literal>>,
}

/// Outcome of a call of an anonymous class's method.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum StubOutcome {
    /// Returns nothing: the method is void.
    Nothing,
    /// Returns a value or object.
    Value(Input),
    /// Returns the argument for the parameter with this number.
    Parameter(usize),
    /// Calls a method of the argument for a parameter, which takes nothing, and returns nothing: the
    /// method is void.
    Runs {
        /// Number of the parameter.
        parameter: usize,
        /// Name of the method.
        method: String,
    },
    /// Throws a new exception.
    Throws {
        /// Class of the exception.
        class: Arc<ClassSig>,
        /// Arguments of its constructor.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        arguments: Vec<Literal>,
    },
}

/// Way of writing a call with known types, so that the compiler selects the method.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CallSyntax {
    /// Whether boxes are written as primitives.
    pub unboxes: bool,
    /// Arguments that are cast to the types of their parameters.
    pub casts: Casts,
    /// Type arguments of these casts, a list for each argument; without them generic types are
    /// raw.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cast_contents: Vec<Vec<Arc<ClassSig>>>,
    /// Classes that these casts name; for arrays, the element classes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cast_classes: Vec<Arc<ClassSig>>,
    /// Whether the new object has type arguments, which the compiler infers: `new Tree<>()`.
    pub is_diamond: bool,
}

/// Selection of the arguments of a call that are cast to the types of their parameters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Casts {
    /// None.
    #[default]
    None,
    /// Arguments whose type only the parameter determines: null and lambdas.
    Untyped,
    /// All arguments with another type.
    All,
}

/// Argument of a call.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Input {
    /// Value that the source of a test can express.
    Literal(Literal),
    /// Object that the call with this index made or returned.
    Object(usize),
}

impl Step {
    /// Whether the call is of a constructor.
    #[must_use]
    pub fn is_constructor(&self) -> bool {
        self.method.is_constructor()
    }

    /// Indices of the calls whose objects it uses.
    pub(crate) fn uses(&self) -> impl Iterator<Item = usize> {
        let arguments = self.arguments.iter().filter_map(Input::object);
        let answers = self.answers().filter_map(Input::object);
        self.receiver.into_iter().chain(arguments).chain(answers)
    }

    /// Renumbers the calls whose objects it uses.
    pub(crate) fn renumber(&mut self, number: &impl Fn(usize) -> usize) {
        self.receiver = self.receiver.map(number);
        let arguments = self.arguments.iter_mut();
        let methods = self.body.iter_mut().flat_map(|body| &mut body.methods);
        let outcomes = methods.flat_map(|method| &mut method.outcomes);
        let answers = outcomes.filter_map(|outcome| match outcome {
            StubOutcome::Value(answer) => Some(answer),
            _ => None,
        });
        let inputs = arguments.chain(answers);
        inputs.for_each(|input| input.renumber(number));
    }

    /// Values and objects that the methods of its anonymous class return.
    pub fn answers(&self) -> impl Iterator<Item = &Input> {
        let methods = self.body.iter().flat_map(|body| &body.methods);
        let outcomes = methods.flat_map(|method| &method.outcomes);
        outcomes.filter_map(|outcome| match outcome {
            StubOutcome::Value(answer) => Some(answer),
            _ => None,
        })
    }

    /// Parameter types of its arguments.
    pub(crate) fn parameters<'t>(&self, types: &'t MethodDescriptor) -> &'t [String] {
        let enclosing = usize::from(self.is_constructor() && self.receiver.is_some());
        types.parameters.get(enclosing..).unwrap_or_default()
    }

    /// Checks that it uses existing objects, by `is_made`, and literals with valid types.
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

    /// Formats the call for people, with the names of the objects it uses.
    pub(crate) fn show(&self, f: &mut fmt::Formatter<'_>, names: &[String]) -> fmt::Result {
        let class = simple_name(&self.class.name);
        if let Some((method, outcome)) = self.body.as_ref().and_then(AnonymousBody::as_lambda) {
            let parameters = literal::lambda_parameters(method.parameters.len(), |_| false);
            let outcome = outcome.shown(&parameters, names);
            return f.write_str(&literal::lambda(&parameters, &outcome));
        }
        match self.receiver {
            Some(outer) if self.is_constructor() => write!(f, "{}.new {class}", names[outer])?,
            _ if self.is_constructor() => write!(f, "new {class}")?,
            Some(receiver) => write!(f, "{}.{}", names[receiver], self.method.name)?,
            None => write!(f, "{class}.{}", self.method.name)?,
        }
        write!(f, "({})", shown_all(&self.arguments, names))?;
        match &self.body {
            Some(body) => write!(f, " {{{}}}", body.shown(names)),
            None => Ok(()),
        }
    }
}

impl fmt::Display for Step {
    /// Formats a call that uses no objects for people.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.show(f, &[])
    }
}

impl AnonymousBody {
    /// Classes that its source names.
    pub(crate) fn classes(&self) -> impl Iterator<Item = &ClassSig> {
        let methods = self.methods.iter();
        let types = methods.flat_map(|method| {
            let thrown = method.outcomes.iter().filter_map(StubOutcome::thrown);
            method
                .parameters
                .iter()
                .chain(&method.returns)
                .chain(&method.returned_contents)
                .chain(thrown)
        });
        self.contents.iter().chain(types).map(|class| &**class)
    }

    /// Method and outcome of the lambda that replaces the class, if one does.
    pub(crate) fn as_lambda(&self) -> Option<(&AnonymousMethod, &StubOutcome)> {
        match (&self.methods[..], self.is_functional) {
            ([method], true) => match &method.outcomes[..] {
                [outcome] => Some((method, outcome)),
                _ => None,
            },
            _ => None,
        }
    }

    /// Formats the outcomes for people, with the names of the objects: `size -> 3 then 0, name ->
    /// "a"`. Methods that only return are left out.
    fn shown(&self, names: &[String]) -> String {
        let methods = self.methods.iter().filter(|method| {
            let mut outcomes = method.outcomes.iter();
            !outcomes.all(|outcome| *outcome == StubOutcome::Nothing)
        });
        let methods = methods.map(|method| {
            let parameters = literal::parameters(method.parameters.len(), |_| false);
            let outcomes = method.outcomes.iter();
            let outcomes = outcomes.map(|outcome| outcome.shown(&parameters, names));
            let outcomes = outcomes.collect::<Vec<_>>().join(" then ");
            format!("{} -> {outcomes}", method.method.name)
        });
        methods.collect::<Vec<_>>().join(", ")
    }
}

impl StubOutcome {
    /// Formats the outcome for people, with the names of the parameters and the objects.
    fn shown(&self, parameters: &[String], names: &[String]) -> String {
        match self {
            StubOutcome::Nothing => "{}".to_owned(),
            StubOutcome::Value(value) => value.shown(names),
            StubOutcome::Parameter(number) => parameters[*number].clone(),
            StubOutcome::Runs { parameter, method } => {
                format!("{}.{method}()", parameters[*parameter])
            }
            StubOutcome::Throws { class, .. } => format!("throw {}", class.simple_name()),
        }
    }

    /// Class of the exception that is thrown, if one is.
    pub(crate) fn thrown(&self) -> Option<&Arc<ClassSig>> {
        match self {
            StubOutcome::Throws { class, .. } => Some(class),
            _ => None,
        }
    }
}

impl Input {
    /// Index of the call whose object it is.
    pub(crate) fn object(&self) -> Option<usize> {
        match self {
            Input::Object(object) => Some(*object),
            Input::Literal(_) => None,
        }
    }

    /// Renumbers the call whose object it is.
    pub(crate) fn renumber(&mut self, number: &impl Fn(usize) -> usize) {
        if let Input::Object(object) = self {
            *object = number(*object);
        }
    }

    /// Value, if it is no call's object.
    #[must_use]
    pub fn literal(&self) -> Option<&Literal> {
        match self {
            Input::Object(_) => None,
            Input::Literal(literal) => Some(literal),
        }
    }

    /// Formats the input for people.
    pub(crate) fn shown(&self, names: &[String]) -> String {
        match self {
            Input::Object(object) => names[*object].clone(),
            Input::Literal(value) => shown(value),
        }
    }
}

impl Sequence {
    /// Whether the result of a call is used by a later one, or is the sequence's object.
    #[must_use]
    pub fn is_used(&self, call: usize) -> bool {
        let mut uses = self.steps.iter().flat_map(Step::uses);
        self.object == call || uses.any(|used| used == call)
    }

    /// Names of the variables for results of calls; empty for unused ones.
    #[must_use]
    pub fn variables(&self) -> Vec<String> {
        names(std::slice::from_ref(&self)).remove(0)
    }

    /// Checks that calls use results of earlier ones, and literals with valid types.
    ///
    /// # Errors
    /// Describes the first invalid call.
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

/// Names of the variables of sequences in one method, as [`variables`](Sequence::variables) for
/// one.
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
    /// Formats the calls for people: `searchTree = new SearchTree(); searchTree.insert(0)`.
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

/// Formats inputs for people, separated by commas.
pub(crate) fn shown_all(inputs: &[Input], names: &[String]) -> String {
    let inputs = inputs.iter().map(|input| input.shown(names));
    inputs.collect::<Vec<_>>().join(", ")
}

/// Formats a literal for people.
pub(crate) fn shown(value: &Literal) -> String {
    Structure::default().shown(value)
}
