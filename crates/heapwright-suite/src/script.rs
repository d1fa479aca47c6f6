//! Tests that are one run of statements on shared objects, as plain owned data.
//!
//! Invariant ([`Script::check`]): a statement uses only results of earlier ones, values have
//! valid types, and the last statement is the call under test.

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::exchange::Exchange;
use crate::sequence::{shown, shown_all};
use crate::types::{MethodDescriptor, element_descriptor};
use crate::variables::wished;
use crate::{
    CallOutcome, ClassSig, FieldSig, Input, Label, Literal, MethodSig, ModelError, Requirement,
    Step, Value,
};

/// One test: statements in order, the outcome of the last one, and later observations.
///
/// An object is identified by the index of the statement that made or loaded it: as
/// [`Input::Object`], and in results as [`Value::Ref`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Script {
    /// Name of the test and comment in it.
    #[serde(default, skip_serializing_if = "Label::is_empty")]
    pub label: Label,
    /// Statements; the last one is the call under test.
    pub statements: Vec<Statement>,
    /// Outcome of the call under test. A violated requirement concerns no other structure.
    pub outcome: CallOutcome,
    /// Observations after the call, asserted in this order.
    pub after: Vec<Observation>,
    /// Object on which the suite's invariant is asserted at the end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub invariant_holds_after: Option<usize>,
    /// Settings of the virtual machine that it leaves changed, which its class puts back.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub settings: Vec<Setting>,
    /// Request by which the test makes the call under test, if it does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exchange: Option<Exchange>,
}

/// Setting of a virtual machine, which all classes in it share.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Setting {
    /// The default time zone.
    TimeZone,
    /// The default locale, and with it those of all categories.
    Locale,
    /// The default locale for what is shown to people.
    DisplayLocale,
    /// The default locale of formats.
    FormatLocale,
    /// The object with the system properties.
    Properties,
    /// The system property with this name.
    Property(String),
    /// The standard output.
    Output,
    /// The standard error output.
    ErrorOutput,
    /// The standard input.
    Input,
    /// The default handler of uncaught exceptions.
    ExceptionHandler,
    /// The authenticator of network connections.
    Authenticator,
    /// The selector of proxies.
    ProxySelector,
    /// The handler of cookies.
    CookieHandler,
    /// The cache of responses.
    ResponseCache,
    /// The class loader of the thread that runs tests.
    ContextLoader,
    /// The interrupt of the thread that runs tests.
    Interrupt,
}

/// Statement.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Statement {
    /// Action of the statement.
    pub action: Action,
    /// Wished name of its variable, if it has one and the name is free; otherwise the name
    /// derives from the class.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Class of the exception that it throws; only for calls before the one under test.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub thrown: Option<Arc<ClassSig>>,
    /// Type arguments of its variable, none generic themselves. Without them a generic type is
    /// raw.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub contents: Vec<Arc<ClassSig>>,
    /// Static type of its result, by binary name, if type arguments determine it more exactly
    /// than the descriptor of the called method.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub given: Option<String>,
}

/// Action of a statement. `made` is the declared type of the variable for its object, which
/// exists if the object is used. A statement other than a call is omitted if it only makes or
/// loads an unused object.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Action {
    /// Call.
    Call(Step),
    /// Declares a variable for a value: `Integer key = 5`.
    Literal {
        /// Value; no object.
        value: Literal,
        /// Type of its variable.
        made: Arc<ClassSig>,
    },
    /// Creates an array.
    NewArray {
        /// Elements.
        elements: Vec<Input>,
        /// Class: `[I`, `[La.b.C;`.
        made: Arc<ClassSig>,
    },
    /// Reads an array element.
    LoadElement {
        /// Array.
        array: usize,
        /// Index, from 0.
        index: u32,
        /// Type of its variable.
        made: Arc<ClassSig>,
    },
    /// Writes an array element.
    StoreElement {
        /// Array.
        array: usize,
        /// Index, from 0.
        index: u32,
        /// New value.
        value: Input,
    },
    /// Reads a field.
    LoadField {
        /// Field.
        access: FieldAccess,
        /// Type of its variable.
        made: Arc<ClassSig>,
    },
    /// Writes a field.
    StoreField {
        /// Field.
        access: FieldAccess,
        /// New value.
        value: Input,
    },
}

/// Field of an object or a class.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FieldAccess {
    /// Object; `None` if the field is static.
    pub receiver: Option<usize>,
    /// Class that declares the field, or inherits it without hiding it.
    pub class: Arc<ClassSig>,
    /// Field.
    pub field: Arc<FieldSig>,
}

/// Observation after the call under test.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Observation {
    /// Result of a call, or of the last of several.
    Call {
        /// Call; its result has no variable. `made` is the static type of the result, if type arguments
        /// determine it more exactly than the descriptor and further calls need it.
        call: Step,
        /// Further calls, each on the result of the one before; they have no receivers here.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        then: Vec<Step>,
        /// Value, asserted as [`Outcome::Returned`].
        value: Literal,
    },
    /// Value of an object that a statement made: its contents.
    Object {
        /// Object.
        object: usize,
        /// Value, asserted as [`Outcome::Returned`].
        value: Literal,
    },
    /// Message of the exception that the call under test threw.
    Message {
        /// Message: a text.
        text: Literal,
    },
    /// Cause of the exception that the call under test threw.
    Cause {
        /// Its class.
        class: Arc<ClassSig>,
    },
    /// Value of a field.
    Field {
        /// Field.
        access: FieldAccess,
        /// Value, asserted as [`Outcome::Returned`].
        value: Literal,
    },
    /// Calls of a method of a stub during the test.
    Calls {
        /// Stub: an object of an anonymous class, or a lambda in a variable.
        stub: usize,
        /// Method.
        method: Arc<MethodSig>,
        /// What is asserted of them.
        asserted: StubCalls,
    },
}

/// What a test asserts of the calls of a stub's method.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum StubCalls {
    /// Their number.
    Count(usize),
    /// That so many of them have certain arguments.
    With {
        /// Arguments.
        arguments: Vec<Literal>,
        /// Number of the calls with them, at least one.
        times: usize,
        /// Arguments of all calls.
        all: AllCalls,
    },
    /// An argument of a call, or a result of calls on it at the end of the test.
    Argument {
        /// Number of the call, from 0, and of all calls. Of several calls only results of calls on
        /// arguments are asserted.
        call: (usize, usize),
        /// Number of the parameter.
        parameter: usize,
        /// Class of the argument.
        class: Arc<ClassSig>,
        /// Calls on it, each on the result of the one before; they have no receivers here.
        then: Vec<Step>,
        /// Value, asserted as [`Outcome::Returned`].
        value: Literal,
    },
    /// Results of calls on an argument at the time of each call of the method.
    State {
        /// Number of the parameter.
        parameter: usize,
        /// Class of the arguments.
        class: Arc<ClassSig>,
        /// Calls on them, at least one, each on the result of the one before; they have no receivers
        /// here.
        then: Vec<Step>,
        /// The results, one for each call of the method; no objects of statements, no arrays.
        values: Vec<Literal>,
    },
}

/// Arguments of all calls of a stub's method, in order. They have no debugging text: whether two
/// observations are the same does not depend on other calls.
#[derive(Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct AllCalls(pub Vec<Vec<Literal>>);

impl fmt::Debug for AllCalls {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("..")
    }
}

impl StubCalls {
    /// Calls on an argument.
    #[must_use]
    pub fn steps(&self) -> &[Step] {
        match self {
            StubCalls::Argument { then, .. } | StubCalls::State { then, .. } => then,
            StubCalls::Count(_) | StubCalls::With { .. } => &[],
        }
    }

    /// Values that it names.
    pub(crate) fn values(&self) -> impl Iterator<Item = &Literal> {
        let (value, arguments, all) = match self {
            StubCalls::Count(_) => (None, &[][..], &[][..]),
            StubCalls::With { arguments, all, .. } => (None, &arguments[..], &all.0[..]),
            StubCalls::Argument { value, .. } => (Some(value), &[][..], &[][..]),
            StubCalls::State { values, .. } => (None, &values[..], &[][..]),
        };
        value
            .into_iter()
            .chain(arguments)
            .chain(all.iter().flatten())
    }

    /// Values that it names, to change them.
    pub fn values_mut(&mut self) -> impl Iterator<Item = &mut Literal> {
        let (value, arguments, all) = match self {
            StubCalls::Count(_) => (None, &mut [][..], &mut [][..]),
            StubCalls::With { arguments, all, .. } => (None, &mut arguments[..], &mut all.0[..]),
            StubCalls::Argument { value, .. } => (Some(value), &mut [][..], &mut [][..]),
            StubCalls::State { values, .. } => (None, &mut values[..], &mut [][..]),
        };
        value
            .into_iter()
            .chain(arguments)
            .chain(all.iter_mut().flatten())
    }
}

impl Script {
    /// Whether the result of a statement is used by a later one or in an assertion.
    #[must_use]
    pub fn is_used(&self, statement: usize) -> bool {
        let mut uses = self.statements.iter().flat_map(Statement::uses);
        uses.any(|used| used == statement) || self.is_asserted(statement)
    }

    /// Whether an assertion uses the result of a statement.
    pub(crate) fn is_asserted(&self, statement: usize) -> bool {
        let returned = match &self.outcome {
            CallOutcome::Returned(literal) => referred(literal),
            _ => None,
        };
        returned == Some(statement) || self.uses_after().any(|used| used == statement)
    }

    /// Names of the variables, one for each statement; empty for those without one.
    #[must_use]
    pub fn variables(&self) -> Vec<String> {
        self.variables_but(|_| false)
    }

    /// Names of the variables as [`Script::variables`], none for some statements.
    pub(crate) fn variables_but(&self, is_without: impl Fn(usize) -> bool) -> Vec<String> {
        let held =
            |(number, statement)| self.held(number, statement).filter(|_| !is_without(number));
        let classes = self.statements.iter().enumerate().map(held);
        let classes: Vec<Option<&ClassSig>> = classes.collect();
        let wishes = self.statements.iter().zip(&classes);
        let wishes = wishes.filter_map(|(statement, class)| {
            Some((statement.name.as_deref(), class.as_ref()?.name.as_str()))
        });
        let mut names = wished(wishes).into_iter();
        let names = classes.iter().map(|class| match class {
            Some(_) => names.next().unwrap_or_default(),
            None => String::new(),
        });
        names.collect()
    }

    /// Type of a statement's variable, if it has one.
    fn held<'s>(&self, number: usize, statement: &'s Statement) -> Option<&'s ClassSig> {
        statement.made().filter(|_| self.is_used(number))
    }

    /// The call under test, and the statements before it; `None` if the script is invalid.
    #[must_use]
    pub fn call_under_test(&self) -> Option<(&Step, &[Statement])> {
        let (last, before) = self.statements.split_last()?;
        match &last.action {
            Action::Call(step) => Some((step, before)),
            _ => None,
        }
    }

    /// Outcome of the call under test, for people: `returned 3`, `threw a.B`; empty if it only
    /// returned.
    #[must_use]
    pub fn ending(&self) -> String {
        match &self.outcome {
            CallOutcome::Returned(Literal::Value(Value::Ref(place))) => {
                let name = self.variables().swap_remove(*place);
                format!("returned {name}")
            }
            CallOutcome::Returned(literal) => format!("returned {}", shown(literal)),
            CallOutcome::ReturnedObject { class: Some(class) } => format!("returned a {class}"),
            CallOutcome::Threw { class, .. } => format!("threw {}", class.name),
            CallOutcome::ReturnedVoid
            | CallOutcome::ReturnedObject { class: None }
            | CallOutcome::Failed(_) => String::new(),
        }
    }

    /// All calls, those of observers included.
    pub fn calls(&self) -> impl Iterator<Item = &Step> {
        let statements = self.statements.iter();
        let calls = statements.filter_map(|statement| match &statement.action {
            Action::Call(step) => Some(step),
            _ => None,
        });
        let seen = self.after.iter().flat_map(|seen| {
            let (call, then) = match seen {
                Observation::Call { call, then, .. } => (Some(call), &then[..]),
                Observation::Calls { asserted, .. } => (None, asserted.steps()),
                _ => (None, &[][..]),
            };
            call.into_iter().chain(then)
        });
        calls.chain(seen)
    }

    /// All fields that it uses.
    pub(crate) fn fields(&self) -> impl Iterator<Item = &FieldAccess> {
        let statements = self.statements.iter();
        let fields = statements.filter_map(|statement| match &statement.action {
            Action::LoadField { access, .. } | Action::StoreField { access, .. } => Some(access),
            _ => None,
        });
        fields.chain(self.after.iter().filter_map(|seen| match seen {
            Observation::Field { access, .. } => Some(access),
            _ => None,
        }))
    }

    /// All literals that it uses.
    pub(crate) fn literals(&self) -> impl Iterator<Item = &Literal> {
        let values = self.statements.iter().flat_map(Statement::literals);
        let returned = match &self.outcome {
            CallOutcome::Returned(literal) => Some(literal),
            _ => None,
        };
        let seen = self.after.iter().flat_map(|seen| {
            let calls = match seen {
                Observation::Call { call, then, .. } => {
                    [call].into_iter().chain(then).collect::<Vec<_>>()
                }
                _ => Vec::new(),
            };
            let inputs = calls.into_iter().flat_map(|call| &call.arguments);
            let asserted = match seen {
                Observation::Calls { asserted, .. } => Some(asserted.values()),
                _ => None,
            };
            let inputs = inputs.filter_map(Input::literal).chain(seen.value());
            inputs.chain(asserted.into_iter().flatten())
        });
        values.chain(returned).chain(seen)
    }

    /// Indices of the statements whose objects are used after the call under test.
    pub(crate) fn uses_after(&self) -> impl Iterator<Item = usize> {
        let seen = self.after.iter().flat_map(Observation::uses);
        seen.chain(self.invariant_holds_after)
    }

    /// Inserts a statement; what refers to those behind it follows them.
    pub(crate) fn insert(&mut self, at: usize, statement: Statement) {
        let number = |place: usize| place + usize::from(place >= at);
        for later in &mut self.statements[at..] {
            later.renumber(&number);
        }
        self.statements.insert(at, statement);
        self.renumber_seen(number);
    }

    /// Renumbers the objects in assertions.
    pub fn renumber_seen(&mut self, number: impl Fn(usize) -> usize) {
        let refer = |literal: &mut Literal| {
            if let Literal::Value(Value::Ref(place)) = literal {
                *place = number(*place);
            }
        };
        if let CallOutcome::Returned(literal) = &mut self.outcome {
            refer(literal);
        }
        for seen in &mut self.after {
            match seen {
                Observation::Call { call, then, value } => {
                    call.renumber(&number);
                    then.iter_mut().for_each(|step| step.renumber(&number));
                    refer(value);
                }
                Observation::Field { access, value } => {
                    access.receiver = access.receiver.map(&number);
                    refer(value);
                }
                Observation::Object { object, .. } => *object = number(*object),
                Observation::Calls { stub, asserted, .. } => {
                    *stub = number(*stub);
                    asserted.values_mut().for_each(refer);
                }
                Observation::Message { .. } | Observation::Cause { .. } => {}
            }
        }
        self.invariant_holds_after = self.invariant_holds_after.map(&number);
    }

    /// Checks the invariant of this module.
    ///
    /// # Errors
    /// Describes the first statement that violates it.
    pub fn check(&self) -> Result<(), ModelError> {
        for (number, statement) in self.statements.iter().enumerate() {
            statement.check(&self.statements[..number])?;
        }
        let last = self.statements.len().saturating_sub(1);
        let bad = |reason| ModelError::BadStatement {
            statement: last,
            reason,
        };
        let Some((call, _)) = self.call_under_test() else {
            return Err(bad("the last one is no call"));
        };
        // A call that throws has no result.
        let end = match self.outcome {
            CallOutcome::Threw { .. } => last,
            _ => self.statements.len(),
        };
        let is_there = |target: usize| made_by(&self.statements[..end], target).is_some();
        let check_value = |value: &Literal, call: &Step| {
            let types = MethodDescriptor::parse(&call.method.descriptor)?;
            value.check(&call.method, &types.returns)
        };
        match &self.outcome {
            CallOutcome::Returned(value) => {
                check_value(value, call)?;
                let before = &self.statements[..last];
                if referred(value).is_some_and(|target| made_by(before, target).is_none()) {
                    return Err(bad(
                        "it returns an object that no statement before it holds",
                    ));
                }
            }
            CallOutcome::Failed(Requirement::Keeps(contract)) => {
                let other = call.arguments.first().and_then(Input::object);
                if call.receiver.is_none() || contract.is_of_two() && other.is_none() {
                    return Err(bad("its contract is about an object that is not there"));
                }
            }
            CallOutcome::Failed(
                Requirement::KeepsArgument { .. }
                | Requirement::Satisfies(_)
                | Requirement::Agrees(_),
            ) => return Err(bad("its requirement is about a structure")),
            _ => {}
        }
        if self.uses_after().any(|target| !is_there(target)) {
            return Err(bad(
                "what is seen after it is of an object that is not there",
            ));
        }
        for seen in &self.after {
            match seen {
                Observation::Call { call, then, value } => {
                    call.check(is_there)?;
                    for step in then {
                        step.check(is_there)?;
                    }
                    check_value(value, then.last().unwrap_or(call))?;
                }
                Observation::Field { access, value } => {
                    if !value.has_kind_of(&access.field.descriptor) {
                        return Err(bad("a field seen after it has another type"));
                    }
                }
                Observation::Object { value, .. } => {
                    if !value.has_kind_of("Ljava/lang/Object;") {
                        return Err(bad("an object seen after it has a primitive value"));
                    }
                }
                Observation::Calls {
                    method, asserted, ..
                } => {
                    let types = MethodDescriptor::parse(&method.descriptor)?;
                    let count = types.parameters.len();
                    let is_whole = match asserted {
                        StubCalls::Count(_) => true,
                        StubCalls::With { arguments, all, .. } => {
                            let mut all = all.0.iter().chain([arguments]);
                            all.all(|arguments| arguments.len() == count)
                        }
                        StubCalls::Argument { parameter, .. } => *parameter < count,
                        StubCalls::State {
                            parameter, then, ..
                        } => *parameter < count && !then.is_empty(),
                    };
                    if !is_whole {
                        return Err(bad("a call seen after it has other parameters"));
                    }
                }
                Observation::Message { .. } | Observation::Cause { .. } => {
                    if !matches!(self.outcome, CallOutcome::Threw { .. }) {
                        return Err(bad("there is no exception to look at"));
                    }
                }
            }
        }
        Ok(())
    }
}

impl Observation {
    /// Value that it asserts; `None` for parts of an exception, and for calls of stubs.
    #[must_use]
    pub fn value(&self) -> Option<&Literal> {
        match self {
            Observation::Call { value, .. }
            | Observation::Field { value, .. }
            | Observation::Object { value, .. } => Some(value),
            Observation::Message { .. } | Observation::Cause { .. } | Observation::Calls { .. } => {
                None
            }
        }
    }

    /// Indices of the statements whose objects it uses.
    pub(crate) fn uses(&self) -> Vec<usize> {
        match self {
            Observation::Call { call, then, value } => {
                let calls = [call].into_iter().chain(then);
                calls.flat_map(Step::uses).chain(referred(value)).collect()
            }
            Observation::Field { access, value } => {
                let receiver = access.receiver.into_iter();
                receiver.chain(referred(value)).collect()
            }
            Observation::Object { object, .. } => vec![*object],
            Observation::Calls { stub, asserted, .. } => {
                let values = asserted.values().filter_map(referred);
                [*stub].into_iter().chain(values).collect()
            }
            Observation::Message { .. } | Observation::Cause { .. } => Vec::new(),
        }
    }

    /// Whether it is about the exception that the call under test threw.
    #[must_use]
    pub fn is_of_exception(&self) -> bool {
        matches!(
            self,
            Observation::Message { .. } | Observation::Cause { .. }
        )
    }
}

impl Statement {
    /// Declared type of the variable for its object.
    #[must_use]
    pub fn made(&self) -> Option<&ClassSig> {
        match &self.action {
            Action::Call(step) => step.made.as_deref(),
            Action::Literal { made, .. }
            | Action::NewArray { made, .. }
            | Action::LoadElement { made, .. }
            | Action::LoadField { made, .. } => Some(made),
            Action::StoreElement { .. } | Action::StoreField { .. } => None,
        }
    }

    /// Values that it uses.
    fn inputs(&self) -> &[Input] {
        match &self.action {
            Action::Call(step) => &step.arguments,
            Action::NewArray { elements, .. } => elements,
            Action::StoreElement { value, .. } | Action::StoreField { value, .. } => {
                std::slice::from_ref(value)
            }
            Action::Literal { .. } | Action::LoadElement { .. } | Action::LoadField { .. } => &[],
        }
    }

    /// Renumbers the statements whose objects it uses.
    fn renumber(&mut self, number: &impl Fn(usize) -> usize) {
        let inputs = match &mut self.action {
            Action::Call(step) => return step.renumber(number),
            Action::NewArray { elements, .. } => &mut elements[..],
            Action::LoadElement { array, .. } => {
                *array = number(*array);
                &mut []
            }
            Action::StoreElement { array, value, .. } => {
                *array = number(*array);
                std::slice::from_mut(value)
            }
            Action::LoadField { access, .. } => {
                access.receiver = access.receiver.map(number);
                &mut []
            }
            Action::StoreField { access, value } => {
                access.receiver = access.receiver.map(number);
                std::slice::from_mut(value)
            }
            Action::Literal { .. } => &mut [],
        };
        inputs.iter_mut().for_each(|input| input.renumber(number));
    }

    /// Indices of the statements whose objects it uses.
    pub(crate) fn uses(&self) -> impl Iterator<Item = usize> {
        let on = match &self.action {
            Action::Call(step) => step.receiver,
            Action::LoadElement { array, .. } | Action::StoreElement { array, .. } => Some(*array),
            Action::LoadField { access, .. } | Action::StoreField { access, .. } => access.receiver,
            Action::Literal { .. } | Action::NewArray { .. } => None,
        };
        let inputs = self.inputs().iter().filter_map(Input::object);
        let answers = match &self.action {
            Action::Call(step) => Some(step.answers().filter_map(Input::object)),
            _ => None,
        };
        on.into_iter()
            .chain(inputs)
            .chain(answers.into_iter().flatten())
    }

    fn literals(&self) -> impl Iterator<Item = &Literal> {
        let held = match &self.action {
            Action::Literal { value, .. } => Some(value),
            _ => None,
        };
        let step = match &self.action {
            Action::Call(step) => Some(step),
            _ => None,
        };
        let answers = step.into_iter().flat_map(Step::answers);
        let answers = answers.filter_map(Input::literal);
        held.into_iter()
            .chain(answers)
            .chain(self.inputs().iter().filter_map(Input::literal))
    }

    /// Checks the statement, given those before it.
    pub(crate) fn check(&self, before: &[Statement]) -> Result<(), ModelError> {
        let is_made = |target: usize| made_by(before, target).is_some();
        if let Action::Call(step) = &self.action {
            step.check(is_made)?;
        }
        let bad = |reason| ModelError::BadStatement {
            statement: before.len(),
            reason,
        };
        if self.uses().any(|target| !is_made(target)) {
            return Err(bad("it uses an object that no earlier one holds"));
        }
        let is_object =
            |literal: &Literal| matches!(literal, Literal::Made(_)) || referred(literal).is_some();
        if self.literals().any(is_object) {
            return Err(bad("it takes an object for a literal"));
        }
        let array = match &self.action {
            Action::NewArray { made, .. } => Some(&**made),
            Action::LoadElement { array, .. } | Action::StoreElement { array, .. } => {
                made_by(before, *array)
            }
            _ => None,
        };
        let expected = match (&self.action, array) {
            (Action::StoreField { access, .. }, _) => Some(access.field.descriptor.as_str()),
            (_, Some(array)) => match element_descriptor(&array.name) {
                Some(element) => Some(element),
                None => return Err(bad("what it takes for an array is none")),
            },
            _ => None,
        };
        let fits =
            |literal: &Literal| expected.is_none_or(|descriptor| literal.has_kind_of(descriptor));
        match self.literals().all(fits) {
            true => Ok(()),
            false => Err(bad("a value has another type than its place")),
        }
    }

    /// Formats the statement for people, with the names of the objects it uses.
    fn show(&self, f: &mut fmt::Formatter<'_>, names: &[String]) -> fmt::Result {
        match &self.action {
            Action::Call(step) => step.show(f, names),
            Action::Literal { value, .. } => f.write_str(&shown(value)),
            Action::NewArray { elements, made } => {
                write!(
                    f,
                    "{}{{{}}}",
                    made.simple_name(),
                    shown_all(elements, names)
                )
            }
            Action::LoadElement { array, index, .. } => write!(f, "{}[{index}]", names[*array]),
            Action::StoreElement {
                array,
                index,
                value,
            } => write!(f, "{}[{index}] = {}", names[*array], value.shown(names)),
            Action::LoadField { access, .. } => f.write_str(&access.shown(names)),
            Action::StoreField { access, value } => {
                write!(f, "{} = {}", access.shown(names), value.shown(names))
            }
        }
    }
}

impl FieldAccess {
    fn shown(&self, names: &[String]) -> String {
        let name = &self.field.name;
        match self.receiver {
            Some(receiver) => format!("{}.{name}", names[receiver]),
            None => format!("{}.{name}", self.class.simple_name()),
        }
    }
}

/// Declared type of the variable for the object of a statement.
fn made_by(statements: &[Statement], number: usize) -> Option<&ClassSig> {
    statements.get(number).and_then(Statement::made)
}

/// Object that a result refers to.
fn referred(value: &Literal) -> Option<usize> {
    match value {
        Literal::Value(Value::Ref(target)) => Some(*target),
        _ => None,
    }
}

impl fmt::Display for Script {
    /// Formats the statements for people: `tree = new SearchTree(); tree.remove(6)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = self.variables();
        for (number, (statement, name)) in self.statements.iter().zip(&names).enumerate() {
            if number > 0 {
                f.write_str("; ")?;
            }
            if !name.is_empty() {
                write!(f, "{name} = ")?;
            }
            statement.show(f, &names)?;
        }
        Ok(())
    }
}
