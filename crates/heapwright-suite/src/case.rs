//! Test cases as plain owned data: a structure, independent calls on it, and their observed
//! outcomes.
//!
//! The input may consist of several structures: the receiver's, followed by the further objects
//! that an argument reaches.
//!
//! Invariant ([`Suite::check`]): every structure is well formed, and every reference in an
//! argument or an outcome names an object of the case's own input.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::sequence::CONSTRUCTOR;
use crate::types::{self, MethodDescriptor};
use crate::{Access, ClassSig, ModelError, Script, Sequence, Statement, Step, Structure, Value};

/// Tests of one class.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Suite {
    /// Class under test; its package is the package of the tests.
    pub class_under_test: Arc<ClassSig>,
    /// Method that returns whether a structure is well formed, if there is one.
    pub invariant: Option<InvariantSig>,
    /// Cases, in the order in which they are written.
    pub cases: Vec<Case>,
    /// Scripts, which are written after the cases.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub scripts: Vec<Script>,
    /// Classes of `java.lang` that are hidden by classes of the tests' package, by simple name.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hides: Vec<String>,
    /// Loads, stores and calls that restore static state before each test, in order. Objects are
    /// referenced as in a script.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub resets: Vec<Statement>,
    /// Whether the tests use a deprecated class, field or method and therefore suppress javac's
    /// warning.
    pub uses_deprecated: bool,
}

/// One input, and calls on it, each on a fresh copy.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Case {
    /// The structure; its root is the receiver, or without one the object that the first argument
    /// reaches. Empty if no call uses it.
    pub input: Structure,
    /// Calls that make the structure. Objects other than its root then have no names, and neither
    /// arguments nor outcomes refer to them.
    #[serde(rename = "made_by")]
    pub construction: Option<Sequence>,
    /// Calls, independent of each other. Without any, only the invariant is asserted.
    pub calls: Vec<Call>,
}

/// One call and its observed outcome.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Call {
    /// Method under test.
    pub method: Arc<MethodSig>,
    /// Arguments, one for each parameter.
    pub args: Vec<Literal>,
    /// Outcome of the call.
    pub outcome: CallOutcome,
    /// Result of the invariant on the root after the call. Ignored if the suite has no invariant,
    /// or the root is neither the receiver nor of the class under test.
    pub invariant_holds_after: bool,
    /// Calls of methods without parameters on the root afterwards, in order, whose outcomes show the
    /// state. They have neither a label nor further calls.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub then: Vec<Call>,
    /// Name of the test and comment in it.
    #[serde(default, skip_serializing_if = "Label::is_empty")]
    pub label: Label,
}

/// Name of a test and a comment, instead of those derived from its call. A test with a label is a
/// method of its own also in a large suite.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Label {
    /// Name of the test method. Writers omit characters that are invalid in ASCII identifiers and
    /// make the name unique. Without it, the name derives from the call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Lines of a comment, without comment marks.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub note: Vec<String>,
}

/// Value that has a literal or simple expression in the source of a test.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Literal {
    /// A primitive, null, or an object of the input structure.
    Value(Value),
    /// Box of a primitive.
    Boxed(Value),
    /// A `java.lang.String`.
    String(String),
    /// Constant of an enum.
    EnumConstant {
        /// Declaring enum.
        class: Arc<ClassSig>,
        /// Name.
        name: String,
    },
    /// Static field with a constant. Never an outcome.
    StaticField {
        /// Declaring class.
        class: Arc<ClassSig>,
        /// Name.
        name: String,
        /// Type, by binary name.
        field_type: String,
    },
    /// Class literal, as `Tick.class`.
    Class(Arc<ClassSig>),
    /// Object that these calls make. Never an outcome.
    Made(Sequence),
    /// New array. An outcome is an array with equal elements.
    Array {
        /// Class as by `Class.getName()`: `[I`.
        class: String,
        /// Elements; none is an object of the input.
        elements: Vec<Literal>,
    },
    /// New collection. Never an outcome.
    Held {
        /// Kind of the collection.
        holder: CollectionKind,
        /// Elements in order; in a map each key precedes its value. None is null or an object of
        /// the input.
        elements: Vec<Literal>,
    },
    /// Lambda that returns the same on every call. Never an outcome.
    Lambda {
        /// Functional interface.
        interface: Arc<ClassSig>,
        /// Method that it implements.
        method: Arc<MethodSig>,
        /// Returned value; `None` if void.
        answer: Option<Box<Literal>>,
        /// Whether it is cast to the raw interface, because its context does not determine the
        /// type.
        is_raw: bool,
        /// Whether the interface has default methods.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        has_code: bool,
        /// Whether a mock replaces it where it can.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        is_mock: bool,
    },
    /// Object that a call without a receiver makes in place, all arguments literals:
    /// `new StringReader("a")`. An outcome is an object equal to it.
    New(Box<Step>),
    /// Value equal to all objects with the same contents: `List.of("a", "b")`. Only an outcome, or
    /// part of one.
    Contents {
        /// Kind of the value.
        kind: ContentsKind,
        /// Elements in order; in a map each key precedes its value. Only those of a list may be
        /// null.
        elements: Vec<Literal>,
    },
    /// Call of a public static method without parameters: `Comparator.naturalOrder()`. Never an
    /// outcome.
    Factory {
        /// Declaring class.
        class: Arc<ClassSig>,
        /// Name.
        method: String,
        /// Whether it is cast to the raw class, because its context does not determine the type.
        is_raw: bool,
        /// Explicit type argument, if the compiler cannot infer it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        of: Option<Arc<ClassSig>>,
    },
    /// Parameter of the test method. Only the writer of tests makes it.
    Parameter {
        /// Name.
        name: String,
        /// One of its values, no parameter itself.
        like: Box<Literal>,
    },
}

/// Kinds of collections that tests make of literals.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum CollectionKind {
    /// A `java.util.ArrayList`.
    List,
    /// A `java.util.LinkedHashSet`.
    Set,
    /// A `java.util.LinkedHashMap` with comparable keys in their order.
    Map,
}

/// Kinds of values that are compared by their contents.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ContentsKind {
    /// A `java.util.List`.
    List,
    /// A `java.util.Set`.
    Set,
    /// A `java.util.Map`.
    Map,
    /// A `java.util.Map.Entry`: its key and its value.
    Entry,
    /// A `java.util.Optional`, with at most one element.
    Optional,
    /// A `java.util.OptionalInt`, with at most one element.
    OptionalInt,
    /// A `java.util.OptionalLong`, with at most one element.
    OptionalLong,
    /// A `java.util.OptionalDouble`, with at most one element.
    OptionalDouble,
}

impl ContentsKind {
    /// Binary name of the class or interface.
    #[must_use]
    pub fn class(self) -> &'static str {
        match self {
            ContentsKind::List => "java.util.List",
            ContentsKind::Set => "java.util.Set",
            ContentsKind::Map => "java.util.Map",
            ContentsKind::Entry => "java.util.Map$Entry",
            ContentsKind::Optional => "java.util.Optional",
            ContentsKind::OptionalInt => "java.util.OptionalInt",
            ContentsKind::OptionalLong => "java.util.OptionalLong",
            ContentsKind::OptionalDouble => "java.util.OptionalDouble",
        }
    }
}

/// Outcome of a call.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum CallOutcome {
    /// Returned this value. A reference is asserted to be the same object, other values to be
    /// equal, arrays to have equal elements.
    Returned(Literal),
    /// Returned from a `void` method.
    ReturnedVoid,
    /// Returned an object without a simple literal.
    ReturnedObject {
        /// Binary name of its class, if it is asserted, too.
        class: Option<String>,
    },
    /// Threw an exception of exactly this class.
    Threw {
        /// Class of the exception.
        class: Arc<ClassSig>,
        /// Whether the program refuses the call by it, as code of a guard does. No test asserts
        /// this.
        #[serde(default)]
        refuses: bool,
    },
    /// Violated a requirement. The test asserts the requirement and fails.
    Failed(Requirement),
}

/// Requirement that a method violated in the run that a reproducer repeats.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Requirement {
    /// Throws nothing.
    Returns,
    /// Does not throw an exception of this class, by binary name, as it did in that run.
    DoesNotThrow(String),
    /// Preserves the invariant.
    KeepsInvariant,
    /// Preserves the invariant of an argument, too.
    KeepsArgument {
        /// Argument, an object of the input.
        argument: usize,
        /// Class of the exception that the call throws, if it does.
        thrown: Option<Arc<ClassSig>>,
    },
    /// Makes an object that satisfies the invariant: of a constructor, or a static method.
    MakesValid,
    /// Terminates, as does the invariant after it.
    Ends,
    /// Satisfies an oracle: a static method with the structure before the call, the arguments,
    /// the structure after it, and the result if there is one.
    Satisfies(Arc<MethodSig>),
    /// Has the same outcome as another implementation.
    Agrees(Arc<Counterpart>),
    /// Satisfies a contract, about its argument if it has one.
    Keeps(Contract),
}

/// Contract of `Object`, `Comparable` or `Cloneable`. Contracts of two objects are about the root
/// and the argument, an equal object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Contract {
    /// `x.equals(x)`.
    Reflexive,
    /// `!x.equals(null)`.
    UnequalToNull,
    /// `x.equals(y) == y.equals(x)`.
    Symmetric,
    /// `x.equals(y)` implies equal hash codes. The method is `equals`.
    SameHashCode,
    /// `hashCode` returns the same value twice.
    SteadyHashCode,
    /// `toString` does not return null.
    NamedByString,
    /// `x.compareTo(x) == 0`.
    OrderedAsItself,
    /// `x.compareTo(y)` and `y.compareTo(x)` have opposite signs, or are both 0.
    Antisymmetric,
    /// `clone` does not return null.
    Cloned,
    /// `clone` does not return the object itself.
    ClonedApart,
}

impl Contract {
    /// Name in output for programs.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Contract::Reflexive => "reflexive",
            Contract::UnequalToNull => "unequal-to-null",
            Contract::Symmetric => "symmetric",
            Contract::SameHashCode => "same-hash-code",
            Contract::SteadyHashCode => "steady-hash-code",
            Contract::NamedByString => "named-by-string",
            Contract::OrderedAsItself => "ordered-as-itself",
            Contract::Antisymmetric => "antisymmetric",
            Contract::Cloned => "cloned",
            Contract::ClonedApart => "cloned-apart",
        }
    }

    /// Whether the contract is about two objects.
    #[must_use]
    pub fn is_of_two(self) -> bool {
        matches!(
            self,
            Contract::Symmetric | Contract::SameHashCode | Contract::Antisymmetric
        )
    }
}

/// Implementation with which a method is compared.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Counterpart {
    /// The other implementation.
    pub class: Arc<ClassSig>,
    /// Conversion of the structure to an object of it.
    pub conversion: Conversion,
    /// Its method.
    pub method: Arc<MethodSig>,
    /// Whether the contents of both objects after the calls are compared instead of the outcomes
    /// of the calls.
    pub is_of_contents: bool,
    /// Methods of the other class by which contents are compared, in order. Without any, they are
    /// compared as values.
    pub observers: Vec<String>,
}

/// Conversion of a structure to an object of another class.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Conversion {
    /// Constructor with one parameter.
    Constructor {
        /// Type of the parameter, as `a.b.Tree`.
        parameter: String,
    },
    /// Static method with one parameter.
    Static {
        /// Binary name of the declaring class.
        class: String,
        /// Name.
        name: String,
        /// Type of the parameter, as `a.b.Tree`.
        parameter: String,
    },
    /// Method of the structure's root without parameters.
    Receiver {
        /// Name.
        name: String,
    },
}

/// Method, as far as a test that calls it needs to know it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MethodSig {
    /// Binary name of the declaring class.
    pub declaring_class: String,
    /// Name; `<init>` for a constructor.
    pub name: String,
    /// Parameter and return types: `(ILjava/lang/Object;)Z`.
    pub descriptor: String,
    /// Whether it is static, or a constructor.
    pub is_static: bool,
    /// Whether code in the package of the class under test may call it.
    pub is_accessible: bool,
    /// Whether the receiver has another method with this name and number of parameters, so that
    /// arguments need casts to select this one.
    pub is_overloaded: bool,
    /// Whether its class declares another method with this name and these parameters. Java cannot
    /// express this, but Scala does.
    pub has_twin: bool,
    /// Binary names of the exceptions in its `throws` clause.
    pub exceptions: Vec<String>,
    /// Names of its parameters, as far as the class file has them: empty where it has not.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parameters: Vec<String>,
}

/// Method that returns whether a structure is well formed: `boolean`, not static, no parameters.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct InvariantSig {
    /// Binary name of the declaring class.
    pub declaring_class: String,
    /// Name.
    pub name: String,
    /// Access modifier.
    pub access: Access,
}

impl Suite {
    /// Checks the invariant of this module.
    ///
    /// # Errors
    /// Describes the first violation.
    pub fn check(&self) -> Result<(), ModelError> {
        for case in &self.cases {
            case.check()?;
        }
        for script in &self.scripts {
            script.check()?;
        }
        for (number, statement) in self.resets.iter().enumerate() {
            statement.check(&self.resets[..number])?;
        }
        Ok(())
    }
}

impl Case {
    fn check(&self) -> Result<(), ModelError> {
        let needs_input = |call: &Call| !call.method.is_static;
        let is_bare = self.input.objects.is_empty() && !self.calls.is_empty();
        if !is_bare || self.calls.iter().any(needs_input) {
            self.input.check()?;
        }
        for sequence in self.sequences() {
            sequence.check()?;
        }
        let objects = match self.construction {
            Some(_) => 1,
            None => self.input.objects.len(),
        };
        for call in &self.calls {
            call.check(objects)?;
        }
        Ok(())
    }

    /// Calls that make its input and arguments.
    pub fn sequences(&self) -> impl Iterator<Item = &Sequence> {
        let arguments = self.calls.iter().flat_map(|call| &call.args);
        let made = arguments.filter_map(|literal| match literal {
            Literal::Made(sequence) => Some(sequence),
            _ => None,
        });
        self.construction.iter().chain(made)
    }
}

impl MethodSig {
    /// Whether it is a constructor.
    #[must_use]
    pub fn is_constructor(&self) -> bool {
        self.name == CONSTRUCTOR
    }

    /// Number of its parameters.
    #[must_use]
    pub fn parameter_count(&self) -> usize {
        MethodDescriptor::parse(&self.descriptor).map_or(0, |types| types.parameters.len())
    }
}

impl Label {
    /// Whether it has neither a name nor a note.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.name.is_none() && self.note.is_empty()
    }
}

impl Call {
    /// The call and those after it.
    pub fn with_later(&self) -> impl Iterator<Item = &Call> {
        std::iter::once(self).chain(&self.then)
    }

    /// Whether a condition holds of one of its literals: an argument or the result, of later calls too.
    pub fn mentions(&self, is_such: &dyn Fn(&Literal) -> bool) -> bool {
        self.with_later().any(|call| {
            let is_returned =
                matches!(&call.outcome, CallOutcome::Returned(literal) if is_such(literal));
            is_returned || call.args.iter().any(is_such)
        })
    }

    /// Checks the call, given the number of objects that it can refer to.
    fn check(&self, objects: usize) -> Result<(), ModelError> {
        let descriptor = MethodDescriptor::parse(&self.method.descriptor)?;
        if descriptor.parameters.len() != self.args.len() {
            return Err(ModelError::ArgumentCount {
                method: self.method.name.clone(),
                expected: descriptor.parameters.len(),
                actual: self.args.len(),
            });
        }
        let result = match &self.outcome {
            CallOutcome::Returned(literal) => Some((literal, &descriptor.returns)),
            CallOutcome::ReturnedVoid
            | CallOutcome::ReturnedObject { .. }
            | CallOutcome::Threw { .. }
            | CallOutcome::Failed(_) => None,
        };
        let arguments = self.args.iter().zip(&descriptor.parameters);
        for (literal, expected) in arguments.chain(result) {
            literal.check(&self.method, expected)?;
            if let Literal::Value(Value::Ref(target)) = literal
                && *target >= objects
            {
                return Err(ModelError::DanglingArgument {
                    method: self.method.name.clone(),
                    target: *target,
                });
            }
        }
        self.then.iter().try_for_each(|call| call.check(objects))
    }
}

impl Literal {
    /// Checks that it can be used where a method expects the type of a descriptor.
    pub(crate) fn check(&self, method: &MethodSig, expected: &str) -> Result<(), ModelError> {
        if self.has_kind_of(expected) {
            return Ok(());
        }
        Err(ModelError::WrongType {
            method: method.name.clone(),
            literal: Box::new(self.clone()),
            expected: types::binary_name(expected),
        })
    }

    /// Value of its type: one of its values for a parameter, else the literal itself.
    pub(crate) fn like(&self) -> &Literal {
        match self {
            Literal::Parameter { like, .. } => like,
            other => other,
        }
    }

    /// Whether it is of a descriptor's primitive type, or both are references.
    pub(crate) fn has_kind_of(&self, descriptor: &str) -> bool {
        match (self, types::primitive_keyword(descriptor)) {
            (Literal::Value(value), Some(_)) => value.descriptor() == Some(descriptor),
            (Literal::Value(value), None) => value.descriptor().is_none(),
            (Literal::Parameter { like, .. }, _) => like.has_kind_of(descriptor),
            (_, keyword) => keyword.is_none(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_are_held_to_their_descriptor() {
        let check = |descriptor: &str, args: &[Literal], outcome: CallOutcome| {
            let method = MethodSig {
                declaring_class: "C".to_owned(),
                name: "m".to_owned(),
                descriptor: descriptor.to_owned(),
                is_static: false,
                is_accessible: true,
                is_overloaded: false,
                has_twin: false,
                exceptions: Vec::new(),
                parameters: Vec::new(),
            };
            Call {
                method: Arc::new(method),
                args: args.to_vec(),
                outcome,
                invariant_holds_after: true,
                then: Vec::new(),
                label: Label::default(),
            }
            .check(0)
        };
        let int = Literal::Value(Value::Int(1));
        let boxed = Literal::Boxed(Value::Int(1));
        let null = Literal::Value(Value::Null);
        let object = "(Ljava/lang/Object;)V";
        assert_eq!(
            check(
                "(I)V",
                std::slice::from_ref(&int),
                CallOutcome::ReturnedVoid
            ),
            Ok(())
        );
        assert_eq!(
            check(
                object,
                std::slice::from_ref(&boxed),
                CallOutcome::ReturnedVoid
            ),
            Ok(())
        );
        assert_eq!(
            check("()I", &[], CallOutcome::Returned(int.clone())),
            Ok(())
        );
        for (descriptor, args, outcome) in [
            ("(I)V", vec![], CallOutcome::ReturnedVoid),
            ("(J)V", vec![int.clone()], CallOutcome::ReturnedVoid),
            ("(I)V", vec![null], CallOutcome::ReturnedVoid),
            (object, vec![int.clone()], CallOutcome::ReturnedVoid),
            (
                object,
                vec![Literal::Value(Value::Ref(0))],
                CallOutcome::ReturnedVoid,
            ),
            ("()I", vec![], CallOutcome::Returned(boxed)),
            ("()V", vec![], CallOutcome::Returned(int)),
            ("()", vec![], CallOutcome::ReturnedVoid),
        ] {
            check(descriptor, &args, outcome).expect_err(descriptor);
        }
    }
}
