//! Contracts of `Object`, `Comparable` and `Cloneable` as assertions.

use super::arguments::{ArgumentExpression, arguments};
use super::assertions::{self, Actual};
use super::build::{Built, Expression, OBJECT};
use super::call::direct;
use super::scope::Scope;
use super::steps;
use crate::types::MethodDescriptor;
use crate::{Call, Contract, Input, Step, Structure};

/// Writes the assertions of a contract on the receiver and the argument of a call.
pub(super) fn statements(
    scope: &mut Scope,
    built: &Built,
    input: &Structure,
    call: &Call,
    contract: Contract,
) -> Vec<String> {
    let types = MethodDescriptor::parse(&call.method.descriptor).unwrap_or_default();
    let given = arguments(scope, built, input, call, &types);
    let this = ArgumentExpression::variable(&built.expressions[0], true);
    let other = given.first().unwrap_or(&this).clone();
    let (x, y) = (this.source.clone(), other.source.clone());
    let class = &call.method.declaring_class;
    let mut ask = |receiver: &str, given: &[ArgumentExpression]| {
        let plain = direct(
            scope,
            class,
            Some(receiver),
            &call.method,
            (&types.parameters, None),
            given,
        );
        plain.unwrap_or_default()
    };
    let there = ask(&x, &given);
    let back = ask(&y, &[this]);
    assertions(scope, contract, (&x, &y), (&there, &back))
}

/// Writes the assertions of a contract on the call under test of a script.
pub(super) fn of_step(
    scope: &mut Scope,
    held: &[Expression],
    step: &Step,
    contract: Contract,
) -> Vec<String> {
    let other = step.arguments.first().and_then(Input::object);
    let source = |place: Option<usize>| {
        let expression = place.and_then(|place| held.get(place));
        expression.map_or("", |expression| expression.source.as_str())
    };
    let (x, y) = (source(step.receiver), source(other.or(step.receiver)));
    let there = steps::expression(scope, held, step).source;
    let back = match (step.receiver, other) {
        (Some(receiver), Some(other)) => {
            let turned = Step {
                receiver: Some(other),
                arguments: vec![Input::Object(receiver)],
                ..step.clone()
            };
            steps::expression(scope, held, &turned).source
        }
        _ => there.clone(),
    };
    assertions(scope, contract, (x, y), (&there, &back))
}

/// Assertions of a contract of two objects. `there` is the call on the first with the second,
/// `back` the reverse; for a contract of one object both are the same.
fn assertions(
    scope: &mut Scope,
    contract: Contract,
    (x, y): (&str, &str),
    (there, back): (&str, &str),
) -> Vec<String> {
    let mut equal = |expected: &str, actual: &str| {
        // Both are primitive, but for the results of reflective calls.
        assertions::equal(scope, expected, of(actual, OBJECT))
    };
    match contract {
        Contract::Reflexive => vec![assertions::truth(scope, there, true)],
        Contract::UnequalToNull => vec![assertions::truth(scope, there, false)],
        Contract::Symmetric => vec![equal(there, back)],
        Contract::SameHashCode => {
            let codes = equal(&format!("{x}.hashCode()"), &format!("{y}.hashCode()"));
            vec![assertions::truth(scope, there, true), codes]
        }
        Contract::SteadyHashCode => vec![equal(there, there)],
        Contract::OrderedAsItself => vec![equal("0", there)],
        Contract::Antisymmetric => {
            let integer = scope.type_name("java.lang.Integer").unwrap_or_default();
            let (one, other) = (
                format!("{integer}.signum({there})"),
                format!("-{integer}.signum({back})"),
            );
            vec![assertions::equal(scope, &one, of(&other, "int"))]
        }
        Contract::NamedByString | Contract::Cloned => {
            vec![assertions::nullness(scope, of(there, OBJECT), false)]
        }
        Contract::ClonedApart => vec![assertions::not_same(scope, x, there)],
    }
}

/// Expression of a static type.
fn of<'a>(source: &'a str, static_type: &'a str) -> Actual<'a> {
    Actual {
        source,
        static_type,
    }
}
