//! Statements that make a call on a structure and on a converted object of another class, and
//! assert equal outcomes.

use std::sync::Arc;

use super::arguments::{arguments, arguments_before};
use super::assertions::{self, Actual};
use super::build::{Built, OBJECT};
use super::call::{direct, reflective, with_copy};
use super::scope::Scope;
use super::support::Helper;
use crate::types::MethodDescriptor;
use crate::{
    Call, CallOutcome, Case, Conversion, Counterpart, Label, Literal, Structure, Value, literal,
};

/// Writes both calls and the assertion; `expression` is the call on the structure.
pub(super) fn statements(
    scope: &mut Scope,
    built: &Built,
    input: &Structure,
    call: &Call,
    counterpart: &Counterpart,
    expression: &str,
) -> Vec<String> {
    scope.helper(Helper::Outcome);
    scope.helper(Helper::Content);
    // A class that cannot be named is refused earlier.
    let class = scope.type_name(&counterpart.class.name).unwrap_or_default();
    let copy = built.value(Value::Ref(input.objects.len()));
    let made = converted(scope, counterpart, &class, &copy);
    let there = other_call(scope, built, input, call, counterpart);
    let is_void = |descriptor: &str| descriptor.ends_with('V');
    let run = |expression: &str, descriptor: &str| match is_void(descriptor) {
        true => format!("outcome(() -> {{ {expression}; return null; }})"),
        false => format!("outcome(() -> {expression})"),
    };
    let there = run(&there, &counterpart.method.descriptor);
    let here = run(expression, &call.method.descriptor);
    let mut statements = vec![format!("{class} other = {made};")];
    if counterpart.is_of_contents {
        let after = converted(scope, counterpart, &class, &built.value(Value::Ref(0)));
        statements.extend([format!("{there};"), format!("{here};")]);
        if counterpart.observers.is_empty() {
            statements.push(equal(scope, "content(other)", &format!("content({after})")));
        } else {
            statements.push(format!("{class} otherAfter = {after};"));
        }
        statements.extend(counterpart.observers.iter().map(|name| {
            let name = literal::ascii(name);
            let observed = |on: &str| format!("content(outcome(() -> {on}.{name}()))");
            equal(scope, &observed("other"), &observed("otherAfter"))
        }));
    } else {
        let object = scope.type_name(OBJECT).unwrap_or_default();
        statements.extend([
            format!("{object} expected = {there};"),
            equal(scope, "content(expected)", &format!("content({here})")),
        ]);
    }
    statements
}

/// Assertion that two objects are equal.
fn equal(scope: &mut Scope, expected: &str, actual: &str) -> String {
    let actual = Actual {
        source: actual,
        static_type: OBJECT,
    };
    assertions::equal(scope, expected, actual)
}

/// Expression that converts the structure to an object of the other class.
fn converted(scope: &mut Scope, counterpart: &Counterpart, class: &str, from: &str) -> String {
    let mut cast = |parameter: &str| match scope.type_name(parameter) {
        // Without the cast, another overload might fit better.
        Some(name) if parameter.starts_with("java.") => format!("({name}) {from}"),
        _ => from.to_owned(),
    };
    match &counterpart.conversion {
        Conversion::Constructor { parameter } => format!("new {class}({})", cast(parameter)),
        Conversion::Static {
            class: owner,
            name,
            parameter,
        } => {
            let argument = cast(parameter);
            let owner = scope.type_name(owner).unwrap_or_default();
            format!("{owner}.{}({argument})", literal::ascii(name))
        }
        Conversion::Receiver { name } => format!("{from}.{}()", literal::ascii(name)),
    }
}

/// Call on the other object, with primitives boxed where its method takes references.
fn other_call(
    scope: &mut Scope,
    built: &Built,
    input: &Structure,
    call: &Call,
    counterpart: &Counterpart,
) -> String {
    let types = MethodDescriptor::parse(&counterpart.method.descriptor).unwrap_or_default();
    let boxed = |(argument, parameter): (&Literal, &String)| match argument {
        Literal::Value(value) if value.descriptor().is_some() && parameter.len() > 1 => {
            Literal::Boxed(*value)
        }
        other => other.clone(),
    };
    let there = Call {
        method: Arc::clone(&counterpart.method),
        args: arguments_before(input, call)
            .iter()
            .zip(&types.parameters)
            .map(boxed)
            .collect(),
        outcome: CallOutcome::ReturnedVoid,
        invariant_holds_after: true,
        then: Vec::new(),
        label: Label::default(),
    };
    let case = Case {
        input: input.clone(),
        construction: None,
        calls: Vec::new(),
    };
    let doubled = with_copy(&case).input;
    let arguments = arguments(scope, built, &doubled, &there, &types);
    let (method, on) = (&there.method, Some("other"));
    let plain = direct(
        scope,
        &method.declaring_class,
        on,
        method,
        (&types.parameters, None),
        &arguments,
    );
    plain.unwrap_or_else(|| reflective(scope, on, method, &types, &arguments))
}
