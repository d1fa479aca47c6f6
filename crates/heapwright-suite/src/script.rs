//! Tests that are one run of statements on objects that they share, as plain owned data.
//!
//! Invariant ([`Script::check`]): a statement uses only what earlier ones hold, values stand where
//! they fit, and the last statement is the call under test.

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::sequence::{shown, shown_all};
use crate::types::{MethodDescriptor, element_descriptor};
use crate::variables::wished;
use crate::{
    ClassSig, FieldSig, Input, Label, Literal, ModelError, Outcome, Requirement, Step, Value,
};

/// One test: statements in order, what the last of them came to, and what was seen afterwards.
///
/// Everywhere in it an object is known by the number of the statement that made or loaded it: as
/// [`Input::Object`], and in results as [`Value::Ref`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Script {
    /// What its test is called and what is said of it.
    #[serde(default, skip_serializing_if = "Label::is_empty")]
    pub label: Label,
    /// The statements. The last is the call under test.
    pub statements: Vec<Statement>,
    /// How the call under test ended. What it failed to do, if so, concerns no other structure.
    pub outcome: Outcome,
    /// What was seen afterwards, asserted in this order.
    pub after: Vec<Observation>,
    /// The object of which the suite's invariant is asserted at the end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub invariant_holds_after: Option<usize>,
}

/// One statement.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Statement {
    /// What it does.
    pub action: Action,
    /// What its variable is called, if it has one and the name can be had; otherwise it is named after
    /// its class.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The class of the exception that it ends by, of a call before the one under test.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub thrown: Option<Arc<ClassSig>>,
    /// The type arguments of its variable, none generic themselves. Without them what is generic is raw.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub contents: Vec<Arc<ClassSig>>,
    /// The class that the compiler knows what it gives to be of, by its binary name, where type arguments
    /// tell more than the descriptor of what is called.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub given: Option<String>,
}

/// What a statement does. `made` is what a variable for its object is declared as; there is one if the
/// object is used. But for calls, a statement that only makes or loads what nobody uses is not
/// written.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Action {
    /// A call.
    Call(Step),
    /// Holds a value: `Integer key = 5`.
    Literal {
        /// The value; no object.
        value: Literal,
        /// The type of its variable.
        made: Arc<ClassSig>,
    },
    /// Makes an array.
    NewArray {
        /// What it holds.
        elements: Vec<Input>,
        /// Its class: `[I`, `[La.b.C;`.
        made: Arc<ClassSig>,
    },
    /// Reads an element.
    LoadElement {
        /// The array.
        array: usize,
        /// Where in it, from 0.
        index: u32,
        /// The type of its variable.
        made: Arc<ClassSig>,
    },
    /// Writes an element.
    StoreElement {
        /// The array.
        array: usize,
        /// Where in it, from 0.
        index: u32,
        /// What it is to hold.
        value: Input,
    },
    /// Reads a field.
    LoadField {
        /// Which.
        access: FieldAccess,
        /// The type of its variable.
        made: Arc<ClassSig>,
    },
    /// Writes a field.
    StoreField {
        /// Which.
        access: FieldAccess,
        /// What it is to hold.
        value: Input,
    },
}

/// A field of an object or a class.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FieldAccess {
    /// The object; none if the field is static.
    pub receiver: Option<usize>,
    /// A class that declares the field, or inherits it and hides it by no other.
    pub class: Arc<ClassSig>,
    /// The field.
    pub field: Arc<FieldSig>,
}

/// Something that was seen after the call under test.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Observation {
    /// What a call returned.
    Call {
        /// The call. Nothing is held of it.
        call: Step,
        /// Asserted as [`Outcome::Returned`] is.
        value: Literal,
    },
    /// What a field held.
    Field {
        /// Which.
        access: FieldAccess,
        /// Asserted as [`Outcome::Returned`] is.
        value: Literal,
    },
}

impl Script {
    /// Whether what a statement made or loaded is used by a later one or in what is asserted.
    #[must_use]
    pub fn is_used(&self, statement: usize) -> bool {
        let returned = match &self.outcome {
            Outcome::Returned(literal) => referred(literal),
            _ => None,
        };
        let mut uses = self.statements.iter().flat_map(Statement::uses);
        uses.any(|used| used == statement)
            || returned == Some(statement)
            || self.uses_after().any(|used| used == statement)
    }

    /// The names of the variables, a statement each; empty for those that have none.
    #[must_use]
    pub fn variables(&self) -> Vec<String> {
        let held = |(number, statement)| self.held(number, statement);
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

    /// What the variable of a statement is declared as, if it has one.
    fn held<'s>(&self, number: usize, statement: &'s Statement) -> Option<&'s ClassSig> {
        statement.made().filter(|_| self.is_used(number))
    }

    /// The call under test, and the statements before it; none of a script that is not whole.
    #[must_use]
    pub fn call_under_test(&self) -> Option<(&Step, &[Statement])> {
        let (last, before) = self.statements.split_last()?;
        match &last.action {
            Action::Call(step) => Some((step, before)),
            _ => None,
        }
    }

    /// How the call under test ended, for people: `returned 3`, `threw a.B`; nothing if it only
    /// returned.
    #[must_use]
    pub fn ending(&self) -> String {
        match &self.outcome {
            Outcome::Returned(Literal::Value(Value::Ref(place))) => {
                let name = self.variables().swap_remove(*place);
                format!("returned {name}")
            }
            Outcome::Returned(literal) => format!("returned {}", shown(literal)),
            Outcome::ReturnedObject { class: Some(class) } => format!("returned a {class}"),
            Outcome::Threw { class } => format!("threw {}", class.name),
            Outcome::ReturnedVoid
            | Outcome::ReturnedObject { class: None }
            | Outcome::Failed(_) => String::new(),
        }
    }

    /// The calls, those of observers included.
    pub fn calls(&self) -> impl Iterator<Item = &Step> {
        let statements = self.statements.iter();
        let calls = statements.filter_map(|statement| match &statement.action {
            Action::Call(step) => Some(step),
            _ => None,
        });
        calls.chain(self.after.iter().filter_map(|seen| match seen {
            Observation::Call { call, .. } => Some(call),
            Observation::Field { .. } => None,
        }))
    }

    /// The fields that it names.
    pub(crate) fn fields(&self) -> impl Iterator<Item = &FieldAccess> {
        let statements = self.statements.iter();
        let fields = statements.filter_map(|statement| match &statement.action {
            Action::LoadField { access, .. } | Action::StoreField { access, .. } => Some(access),
            _ => None,
        });
        fields.chain(self.after.iter().filter_map(|seen| match seen {
            Observation::Field { access, .. } => Some(access),
            Observation::Call { .. } => None,
        }))
    }

    /// The literals that it names.
    pub(crate) fn literals(&self) -> impl Iterator<Item = &Literal> {
        let values = self.statements.iter().flat_map(Statement::literals);
        let returned = match &self.outcome {
            Outcome::Returned(literal) => Some(literal),
            _ => None,
        };
        let seen = self.after.iter().flat_map(|seen| {
            let (inputs, value) = match seen {
                Observation::Call { call, value } => (call.arguments.as_slice(), value),
                Observation::Field { value, .. } => ([].as_slice(), value),
            };
            inputs.iter().filter_map(Input::literal).chain([value])
        });
        values.chain(returned).chain(seen)
    }

    fn uses_after(&self) -> impl Iterator<Item = usize> {
        let seen = self.after.iter().flat_map(|seen| match seen {
            Observation::Call { call, value } => call.uses().chain(referred(value)).collect(),
            Observation::Field { access, value } => {
                let receiver = access.receiver.into_iter();
                receiver.chain(referred(value)).collect::<Vec<_>>()
            }
        });
        seen.chain(self.invariant_holds_after)
    }

    /// Checks the invariant of this module.
    ///
    /// # Errors
    /// Names the first statement that breaks it.
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
        // What throws makes nothing.
        let end = match self.outcome {
            Outcome::Threw { .. } => last,
            _ => self.statements.len(),
        };
        let is_there = |target: usize| made_by(&self.statements[..end], target).is_some();
        let check_value = |value: &Literal, call: &Step| {
            let types = MethodDescriptor::parse(&call.method.descriptor)?;
            value.check(&call.method, &types.returns)
        };
        match &self.outcome {
            Outcome::Returned(value) => {
                check_value(value, call)?;
                let before = &self.statements[..last];
                if referred(value).is_some_and(|target| made_by(before, target).is_none()) {
                    return Err(bad(
                        "it returns an object that no statement before it holds",
                    ));
                }
            }
            Outcome::Failed(Requirement::Keeps(contract)) => {
                let other = call.arguments.first().and_then(Input::object);
                if call.receiver.is_none() || contract.is_of_two() && other.is_none() {
                    return Err(bad("its contract is about an object that is not there"));
                }
            }
            Outcome::Failed(
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
                Observation::Call { call, value } => {
                    call.check(is_there)?;
                    check_value(value, call)?;
                }
                Observation::Field { access, value } => {
                    if !value.has_kind_of(&access.field.descriptor) {
                        return Err(bad("a field seen after it has another type"));
                    }
                }
            }
        }
        Ok(())
    }
}

impl Statement {
    /// What a variable for its object is declared as.
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

    /// The values that it takes.
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

    /// The numbers of the statements whose objects it uses.
    fn uses(&self) -> impl Iterator<Item = usize> {
        let on = match &self.action {
            Action::Call(step) => step.receiver,
            Action::LoadElement { array, .. } | Action::StoreElement { array, .. } => Some(*array),
            Action::LoadField { access, .. } | Action::StoreField { access, .. } => access.receiver,
            Action::Literal { .. } | Action::NewArray { .. } => None,
        };
        let inputs = self.inputs().iter().filter_map(Input::object);
        on.into_iter().chain(inputs)
    }

    fn literals(&self) -> impl Iterator<Item = &Literal> {
        let held = match &self.action {
            Action::Literal { value, .. } => Some(value),
            _ => None,
        };
        held.into_iter()
            .chain(self.inputs().iter().filter_map(Input::literal))
    }

    /// Checks it behind the statements before it.
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

    /// Writes it as people do, with the names of what it uses.
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

/// What a variable for the object of one of these statements is declared as.
fn made_by(statements: &[Statement], number: usize) -> Option<&ClassSig> {
    statements.get(number).and_then(Statement::made)
}

/// The object that a result is.
fn referred(value: &Literal) -> Option<usize> {
    match value {
        Literal::Value(Value::Ref(target)) => Some(*target),
        _ => None,
    }
}

impl fmt::Display for Script {
    /// The statements as people write them down: `tree = new SearchTree(); tree.remove(6)`.
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
