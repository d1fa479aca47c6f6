//! Calls on local variables, and statements that make the objects of a test by calls.
//!
//! The result of a call is one local variable, assigned once, if it is used.

use std::sync::Arc;

use super::anonymous;
use super::arguments::{self, ArgumentExpression};
use super::build::{Built, Expression, OBJECT};
use super::call;
use super::mocks;
use super::scope::Scope;
use crate::sequence::names;
use crate::types::{MethodDescriptor, binary_name};
use crate::{Call, ClassSig, Input, Literal, Sequence, Step, Value};

/// Writes the calls that make the receiver, if they are given, and the arguments of a call.
pub(super) fn build(
    scope: &mut Scope,
    receiver: Option<&Sequence>,
    call: Option<&Call>,
    built: &mut Built,
) {
    let args = call.map_or([].as_slice(), |call| call.args.as_slice());
    let arguments = args.iter().map(|literal| match literal {
        Literal::Made(sequence) => Some(sequence),
        _ => None,
    });
    let arguments: Vec<Option<&Sequence>> = arguments.collect();
    let all: Vec<&Sequence> = receiver
        .into_iter()
        .chain(arguments.iter().copied().flatten())
        .collect();
    let mut names = names(&all).into_iter();
    let mut write = |sequence: &Sequence| {
        let names = names.next().unwrap_or_default();
        let mut made = statements(scope, sequence, &names, &mut built.statements);
        made.swap_remove(sequence.object)
    };
    built.expressions.extend(receiver.map(&mut write));
    let made = arguments
        .into_iter()
        .map(|argument| argument.map(&mut write));
    built.made = made.collect();
}

/// Reason why a test cannot make these calls, if there is one: a class that cannot be named.
pub(super) fn obstacle(sequence: &Sequence) -> Option<String> {
    let mut steps = sequence.steps.iter();
    if let Some(step) = steps.find(|step| step.is_constructor() && step.receiver.is_some()) {
        return Some(format!("{} is an inner class", step.class.name));
    }
    let classes = sequence.steps.iter().flat_map(|step| {
        let made = step.made.iter().filter(|_| !step.is_constructor());
        made.chain([&step.class])
    });
    let mut unnamed = classes.filter(|class| class.source_name.is_none());
    let class = unnamed.next()?;
    Some(format!("{} cannot be named in a test", class.name))
}

/// Writes the calls; returns the expressions of their results, empty for unused ones.
fn statements(
    scope: &mut Scope,
    sequence: &Sequence,
    names: &[String],
    to: &mut Vec<String>,
) -> Vec<Expression> {
    let mut held: Vec<Expression> = Vec::new();
    for (step, name) in sequence.steps.iter().zip(names) {
        if let Some((lines, variable)) = mocks::declared(scope, &held, step, &[], name) {
            to.extend(lines);
            held.push(variable);
            continue;
        }
        let CallSource { source, given, .. } = expression(scope, &held, step);
        let made = step.made.as_deref().filter(|_| !name.is_empty());
        let (line, variable) = statement(scope, made, &[], name, (&source, &given));
        to.push(line);
        held.push(variable);
    }
    held
}

/// Makes an expression a statement, which declares a variable if `made` is given; returns the
/// statement and the variable. `given` is the expression's type as a binary name, `contents` are
/// type arguments.
pub(super) fn statement(
    scope: &mut Scope,
    made: Option<&ClassSig>,
    contents: &[Arc<ClassSig>],
    name: &str,
    (source, given): (&str, &str),
) -> (String, Expression) {
    let Some(class) = made else {
        return (format!("{source};"), Expression::none());
    };
    let (static_type, declared) = match scope.parameterized(&class.name, contents) {
        Some(declared) => (class.name.clone(), declared),
        None => scope.variable_type(&class.name),
    };
    let is_exact = given == static_type || static_type == OBJECT;
    let cast = match is_exact {
        true => String::new(),
        false => format!("({declared}) "),
    };
    let variable = Expression {
        source: name.to_owned(),
        static_type,
    };
    (format!("{declared} {name} = {cast}{source};"), variable)
}

/// Source of a call.
pub(super) struct CallSource {
    /// Expression.
    pub source: String,
    /// Type as a binary name; `Object` if the call uses reflection.
    pub given: String,
    /// Whether the call uses reflection.
    pub is_reflective: bool,
}

/// Expression of a call and its type.
pub(super) fn expression(scope: &mut Scope, held: &[Expression], step: &Step) -> CallSource {
    let types = MethodDescriptor::parse(&step.method.descriptor).unwrap_or_default();
    let arguments = arguments_of(scope, held, step, &types);
    let (class, method) = (&step.class.name, &*step.method);
    let receiver = step.receiver.map(|receiver| &held[receiver]);
    let given = match step.is_constructor() {
        true => class.clone(),
        false => binary_name(&types.returns),
    };
    let plain = match &step.body {
        Some(body) => creation(scope, held, step, (&types, &arguments))
            .and_then(|source| anonymous::expression(scope, held, class, &source, body)),
        None => direct(scope, held, step, (&types, &arguments)),
    };
    if let Some(source) = plain {
        return CallSource {
            source,
            given,
            is_reflective: false,
        };
    }
    let (receiver, arguments) = match receiver {
        Some(outer) if step.is_constructor() => {
            let outer = ArgumentExpression::variable(outer, true);
            (None, [outer].into_iter().chain(arguments).collect())
        }
        receiver => (receiver.map(|receiver| receiver.source.as_str()), arguments),
    };
    CallSource {
        source: call::reflective(scope, receiver, method, &types, &arguments),
        given: OBJECT.to_owned(),
        is_reflective: true,
    }
}

/// Arguments of the superclass' constructor in the call that makes a stub.
pub(super) fn superclass_arguments(
    scope: &mut Scope,
    held: &[Expression],
    step: &Step,
) -> Option<String> {
    let types = MethodDescriptor::parse(&step.method.descriptor).unwrap_or_default();
    let arguments = arguments_of(scope, held, step, &types);
    let source = creation(scope, held, step, (&types, &arguments))?;
    Some(source[source.find('(')?..].to_owned())
}

/// Call of the superclass' constructor by an anonymous class, as that of a new object.
fn creation(
    scope: &mut Scope,
    held: &[Expression],
    step: &Step,
    given: (&MethodDescriptor, &[ArgumentExpression]),
) -> Option<String> {
    let uses_raw_types = scope.uses_raw_types;
    let source = direct(scope, held, step, given);
    // The body determines the type arguments of its class.
    scope.uses_raw_types = uses_raw_types;
    source
}

fn arguments_of(
    scope: &mut Scope,
    held: &[Expression],
    step: &Step,
    types: &MethodDescriptor,
) -> Vec<ArgumentExpression> {
    let arguments = step.arguments.iter().zip(step.parameters(types));
    arguments
        .map(|(input, parameter)| argument(scope, held, input, parameter))
        .collect()
}

/// Call as plain Java, if it can be written so.
fn direct(
    scope: &mut Scope,
    held: &[Expression],
    step: &Step,
    (types, arguments): (&MethodDescriptor, &[ArgumentExpression]),
) -> Option<String> {
    let method = &*step.method;
    let receiver = step.receiver.map(|receiver| &held[receiver]);
    let is_known = receiver
        .is_none_or(|receiver| receiver.static_type != OBJECT || method.declaring_class == OBJECT);
    if !is_known {
        return None;
    }
    let receiver = receiver.map(|receiver| receiver.source.as_str());
    let parameters = step.parameters(types);
    let spread = spread(scope, step, parameters, arguments);
    let (parameters, written) = match &spread {
        Some((parameters, arguments)) => (&parameters[..], &arguments[..]),
        None => (parameters, arguments),
    };
    call::direct(
        scope,
        &step.class.name,
        receiver,
        method,
        (parameters, step.spelling.as_ref()),
        written,
    )
}

/// Parameters and arguments of a call, with the elements of a last array as separate arguments.
fn spread(
    scope: &mut Scope,
    step: &Step,
    parameters: &[String],
    arguments: &[ArgumentExpression],
) -> Option<(Vec<String>, Vec<ArgumentExpression>)> {
    let (last, before) = parameters.split_last()?;
    let Some(Input::Literal(Literal::Array { class, elements })) = step.arguments.last() else {
        return None;
    };
    // A single null or array could be taken for the array itself.
    let is_alone = match &elements[..] {
        [only] => matches!(only, Literal::Value(Value::Null) | Literal::Array { .. }),
        _ => false,
    };
    if !step.is_variadic || is_alone || binary_name(last) != *class {
        return None;
    }
    let element = last.strip_prefix('[')?;
    let mut all = arguments.get(..before.len())?.to_vec();
    let elements = elements.iter();
    all.extend(elements.map(|element| arguments::literal_argument(scope, element)));
    let mut parameters = before.to_vec();
    parameters.resize(all.len(), element.to_owned());
    Some((parameters, all))
}

/// Argument for a parameter with the type of a descriptor.
pub(super) fn argument(
    scope: &mut Scope,
    held: &[Expression],
    input: &Input,
    parameter: &str,
) -> ArgumentExpression {
    match input {
        Input::Object(object) => {
            let variable = &held[*object];
            ArgumentExpression::variable(variable, variable.fits(&binary_name(parameter)))
        }
        Input::Literal(literal) => arguments::literal_argument(scope, literal),
    }
}
