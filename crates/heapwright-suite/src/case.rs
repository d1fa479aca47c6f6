//! Test cases as plain owned data: a structure, independent calls on it and what was observed.
//!
//! The input may consist of several structures: the receiver's, and behind it what a further argument
//! reaches besides.
//!
//! Invariant ([`Suite::check`]): every structure is whole, and every reference in an argument or
//! an outcome names an object of the case's own input.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::sequence::CONSTRUCTOR;
use crate::types::{self, MethodDescriptor};
use crate::{Access, ClassSig, ModelError, Script, Sequence, Statement, Structure, Value};

/// The tests of one class.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Suite {
    /// The class under test; its package is the package of the tests.
    pub class_under_test: Arc<ClassSig>,
    /// The method that says whether a structure is well formed, if there is one.
    pub invariant: Option<InvariantSig>,
    /// The cases, in the order in which they are written.
    pub cases: Vec<Case>,
    /// The scripts, which are written after the cases.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub scripts: Vec<Script>,
    /// Classes of `java.lang` that classes of the tests' package hide, by their simple names.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hides: Vec<String>,
    /// What puts static state back before each test, in order: loads, stores and calls. Objects are
    /// known as they are in a script.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub resets: Vec<Statement>,
    /// Whether a class, field or method that the tests use is marked deprecated: the tests then
    /// suppress javac's warning.
    pub uses_deprecated: bool,
}

/// One input, and calls that are made on it, each on a fresh copy.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Case {
    /// The structure; its root is the receiver, or what the first argument reaches if there is none.
    /// Empty if no call is on it or refers to it.
    pub input: Structure,
    /// Calls that make it: its other objects then have no names, and neither arguments nor outcomes
    /// refer to them.
    pub made_by: Option<Sequence>,
    /// The calls, independent of each other. With none, the invariant alone is asserted.
    pub calls: Vec<Call>,
}

/// One call and what was observed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Call {
    /// The method under test.
    pub method: Arc<MethodSig>,
    /// One argument a parameter.
    pub args: Vec<Literal>,
    /// How the call ended.
    pub outcome: Outcome,
    /// What the invariant said of the root after the call. Not read if the suite has no
    /// invariant, or the root is neither the receiver nor of the class under test.
    pub invariant_holds_after: bool,
    /// What its test is called, and what is said of it there.
    #[serde(default, skip_serializing_if = "Label::is_empty")]
    pub label: Label,
}

/// What a test is called and what is said of it, where that does not follow from its call. A test with
/// a label is a method of its own also in a large suite.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Label {
    /// The name of the test method. Writers leave out what no identifier in ASCII can hold, and make
    /// it unique. Without one it is named after its call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Lines of a comment, without marks.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub note: Vec<String>,
}

/// A value that the source of a test can write down.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Literal {
    /// A primitive, null, or an object of the input structure.
    Value(Value),
    /// A box around a primitive.
    Boxed(Value),
    /// A `java.lang.String`.
    String(String),
    /// A constant of an enum.
    EnumConstant {
        /// The enum that declares it.
        class: Arc<ClassSig>,
        /// Its name.
        name: String,
    },
    /// A static field that holds a constant. No outcome is one.
    StaticField {
        /// The class that declares it.
        class: Arc<ClassSig>,
        /// Its name.
        name: String,
        /// Its type, by binary name.
        field_type: String,
    },
    /// A class, as `Tick.class`. No outcome is one.
    Class(Arc<ClassSig>),
    /// An object that these calls make. No outcome is one.
    Made(Sequence),
    /// A new array. No outcome is one.
    Array {
        /// Its class as `Class.getName()` gives it: `[I`.
        class: String,
        /// What it holds; no object of the input.
        elements: Vec<Literal>,
    },
    /// A new collection. No outcome is one.
    Held {
        /// Its class.
        holder: Holder,
        /// What it holds, in order, of a map each key before its value; no object of the input, and
        /// no null.
        elements: Vec<Literal>,
    },
    /// A lambda that answers all calls alike. No outcome is one.
    Lambda {
        /// The functional interface.
        interface: Arc<ClassSig>,
        /// How many parameters it has.
        parameters: usize,
        /// What it returns; none if that is nothing.
        answer: Option<Box<Literal>>,
        /// Whether it is cast to the interface, raw, since its place does not say which it is of.
        is_raw: bool,
    },
    /// What a public static method without parameters returns: `Comparator.naturalOrder()`. No outcome is
    /// one.
    Factory {
        /// The class that declares it.
        class: Arc<ClassSig>,
        /// Its name.
        method: String,
        /// Whether it is cast to the class, raw, since its place does not say which it is of.
        is_raw: bool,
        /// Its type argument where that is written, since the compiler does not work it out.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        of: Option<Arc<ClassSig>>,
    },
}

/// The collections that tests make of literals.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Holder {
    /// A `java.util.ArrayList`.
    List,
    /// A `java.util.LinkedHashSet`.
    Set,
    /// A `java.util.LinkedHashMap`, whose keys are comparable and in their order.
    Map,
}

/// How a call ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Outcome {
    /// It returned this. A reference is asserted to be the same object, all else to be equal.
    Returned(Literal),
    /// It is a `void` method and returned.
    ReturnedVoid,
    /// It returned an object that has no simple literal.
    ReturnedObject {
        /// The binary name of its class, if that too is to be asserted.
        class: Option<String>,
    },
    /// It threw an exception of exactly this class.
    Threw {
        /// The class of the exception.
        class: Arc<ClassSig>,
    },
    /// It did not do what is required of it. The test asserts the requirement, and fails.
    Failed(Requirement),
}

/// What a method must do, and did not do in the run that a reproducer repeats.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Requirement {
    /// It throws nothing.
    Returns,
    /// It throws no exception of this class, by binary name, which it threw in that run.
    DoesNotThrow(String),
    /// The invariant holds afterwards.
    KeepsInvariant,
    /// The invariant holds afterwards for an argument, too.
    KeepsArgument {
        /// The argument, an object of the input.
        argument: usize,
        /// The class of the exception that the call ends by, if it does.
        thrown: Option<Arc<ClassSig>>,
    },
    /// The invariant holds for the object that it makes: a constructor, or a static method.
    MakesValid,
    /// It ends, and the invariant's run after it.
    Ends,
    /// An oracle says yes: a static method that takes the structure before the call, the arguments,
    /// the structure after it, and the result if there is one.
    Satisfies(Arc<MethodSig>),
    /// It comes to what another implementation comes to.
    Agrees(Arc<Counterpart>),
    /// It keeps a contract; what it has an argument for is that.
    Keeps(Contract),
}

/// What `Object`, `Comparable` and `Cloneable` ask of a class. Those of two objects are about the
/// root and the argument, an equal object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Contract {
    /// `equals` is true of an object and itself.
    Reflexive,
    /// `equals` is false of null.
    UnequalToNull,
    /// `equals` says the same of two objects whichever is asked.
    Symmetric,
    /// Two objects that `equals` says are equal have the same hash code. The method is `equals`.
    SameHashCode,
    /// `hashCode` gives the same twice.
    SteadyHashCode,
    /// `toString` is not null.
    NamedByString,
    /// `compareTo` is 0 of an object and itself.
    OrderedAsItself,
    /// `compareTo` changes its sign with its arguments.
    Antisymmetric,
    /// `clone` is not null.
    Cloned,
    /// `clone` is not the object itself.
    ClonedApart,
}

impl Contract {
    /// Its name, for programs.
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

    /// Whether it is about two objects.
    #[must_use]
    pub fn is_of_two(self) -> bool {
        matches!(
            self,
            Contract::Symmetric | Contract::SameHashCode | Contract::Antisymmetric
        )
    }
}

/// What a method is compared with.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Counterpart {
    /// The other implementation.
    pub class: Arc<ClassSig>,
    /// How an object of it is made of the structure.
    pub conversion: Conversion,
    /// Its method.
    pub method: Arc<MethodSig>,
    /// Whether what the two hold after the calls is compared, not what the calls come to.
    pub is_of_contents: bool,
    /// The methods of the other class by which these are compared, in order; where there are none,
    /// they are compared as values are.
    pub observers: Vec<String>,
}

/// What makes an object of another class of a structure.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Conversion {
    /// A constructor with one parameter.
    Constructor {
        /// The parameter's type, as `a.b.Tree`.
        parameter: String,
    },
    /// A static method with one parameter.
    Static {
        /// Binary name of the class that declares it.
        class: String,
        /// Its name.
        name: String,
        /// The parameter's type, as `a.b.Tree`.
        parameter: String,
    },
    /// A method of the structure's root without parameters.
    Receiver {
        /// Its name.
        name: String,
    },
}

/// A method, as far as a test that calls it must know it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MethodSig {
    /// Binary name of the class that declares it.
    pub declaring_class: String,
    /// Its name; of a constructor `<init>`.
    pub name: String,
    /// Parameter and return types: `(ILjava/lang/Object;)Z`.
    pub descriptor: String,
    /// Whether it is static, or a constructor.
    pub is_static: bool,
    /// Whether code in the package of the class under test may call it.
    pub is_accessible: bool,
    /// Whether another method with this name and number of parameters can be called on the same
    /// receiver, so that arguments need casts to choose this one.
    pub is_overloaded: bool,
    /// Whether its class declares another method with this name and these parameters, which Java cannot
    /// say: Scala does.
    pub has_twin: bool,
    /// Binary names of the exceptions in its `throws` clause.
    pub exceptions: Vec<String>,
}

/// The method that says whether a structure is well formed: `boolean`, not static, no parameters.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct InvariantSig {
    /// Binary name of the class that declares it.
    pub declaring_class: String,
    /// Its name.
    pub name: String,
    /// Who may call it.
    pub access: Access,
}

impl Suite {
    /// Checks the invariant of this module.
    ///
    /// # Errors
    /// Names the first thing that breaks it.
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
        let objects = match self.made_by {
            Some(_) => 1,
            None => self.input.objects.len(),
        };
        for call in &self.calls {
            call.check(objects)?;
        }
        Ok(())
    }

    /// The calls that make its input and arguments.
    pub fn sequences(&self) -> impl Iterator<Item = &Sequence> {
        let arguments = self.calls.iter().flat_map(|call| &call.args);
        let made = arguments.filter_map(|literal| match literal {
            Literal::Made(sequence) => Some(sequence),
            _ => None,
        });
        self.made_by.iter().chain(made)
    }
}

impl MethodSig {
    /// Whether it is a constructor.
    #[must_use]
    pub fn is_constructor(&self) -> bool {
        self.name == CONSTRUCTOR
    }
}

impl Label {
    /// Whether it says nothing.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.name.is_none() && self.note.is_empty()
    }
}

impl Call {
    /// Checks it against the number of objects that it can refer to.
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
            Outcome::Returned(literal) => Some((literal, &descriptor.returns)),
            Outcome::ReturnedVoid
            | Outcome::ReturnedObject { .. }
            | Outcome::Threw { .. }
            | Outcome::Failed(_) => None,
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
        Ok(())
    }
}

impl Literal {
    /// Checks that it can stand where a method expects the type of a descriptor.
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

    /// Whether it is the primitive of a descriptor, or a reference where that is one.
    pub(crate) fn has_kind_of(&self, descriptor: &str) -> bool {
        match (self, types::primitive_keyword(descriptor)) {
            (Literal::Value(value), Some(_)) => value.descriptor() == Some(descriptor),
            (Literal::Value(value), None) => value.descriptor().is_none(),
            (_, keyword) => keyword.is_none(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_are_held_to_their_descriptor() {
        let check = |descriptor: &str, args: &[Literal], outcome: Outcome| {
            let method = MethodSig {
                declaring_class: "C".to_owned(),
                name: "m".to_owned(),
                descriptor: descriptor.to_owned(),
                is_static: false,
                is_accessible: true,
                is_overloaded: false,
                has_twin: false,
                exceptions: Vec::new(),
            };
            Call {
                method: Arc::new(method),
                args: args.to_vec(),
                outcome,
                invariant_holds_after: true,
                label: Label::default(),
            }
            .check(0)
        };
        let int = Literal::Value(Value::Int(1));
        let boxed = Literal::Boxed(Value::Int(1));
        let null = Literal::Value(Value::Null);
        let object = "(Ljava/lang/Object;)V";
        assert_eq!(
            check("(I)V", std::slice::from_ref(&int), Outcome::ReturnedVoid),
            Ok(())
        );
        assert_eq!(
            check(object, std::slice::from_ref(&boxed), Outcome::ReturnedVoid),
            Ok(())
        );
        assert_eq!(check("()I", &[], Outcome::Returned(int.clone())), Ok(()));
        for (descriptor, args, outcome) in [
            ("(I)V", vec![], Outcome::ReturnedVoid),
            ("(J)V", vec![int.clone()], Outcome::ReturnedVoid),
            ("(I)V", vec![null], Outcome::ReturnedVoid),
            (object, vec![int.clone()], Outcome::ReturnedVoid),
            (
                object,
                vec![Literal::Value(Value::Ref(0))],
                Outcome::ReturnedVoid,
            ),
            ("()I", vec![], Outcome::Returned(boxed)),
            ("()V", vec![], Outcome::Returned(int)),
            ("()", vec![], Outcome::ReturnedVoid),
        ] {
            check(descriptor, &args, outcome).expect_err(descriptor);
        }
    }
}
