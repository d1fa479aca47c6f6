//! Calls of stubs: how a test keeps them, and what it asserts of them.
//!
//! A mock keeps its calls itself. A lambda or an anonymous class adds the arguments of each call to a
//! list in a variable of the test; calls without arguments are counted.
//!
//! Invariant: a method of a stub that is no mock keeps its calls if an observation is about them.

use super::arguments::{listed, literal_argument};
use super::assertions::{self, Actual};
use super::build::{Built, Expression, OBJECT};
use super::lines::BodyLine;
use super::mocks::{MATCHERS, MOCKITO, matcher};
use super::scope::Scope;
use super::steps;
use crate::types::{MethodDescriptor, binary_name, primitive_keyword};
use crate::{
    Action, AnonymousMethod, Literal, MethodSig, Observation, Script, Statement, Step, StubCalls,
    Value, literal,
};

/// Variable that keeps the calls of a stub's method.
#[derive(Clone, Debug)]
pub(super) struct KeptCalls {
    /// The stub.
    stub: usize,
    /// Name and descriptor of the method.
    method: (String, String),
    /// Name of the variable.
    variable: String,
    /// Type of its elements as a binary name, if calls have one argument.
    element: String,
}

/// Methods of stubs whose calls a script asserts something of, each once, with the stub.
fn observed(script: &Script) -> Vec<(usize, &MethodSig)> {
    let mut found: Vec<(usize, &MethodSig)> = Vec::new();
    for seen in &script.after {
        if let Observation::Calls { stub, method, .. } = seen
            && !found.contains(&(*stub, method))
        {
            found.push((*stub, method));
        }
    }
    found
}

/// Declares the variables that keep the calls of a stub which is no mock, and lets its methods, which
/// are written next, use them.
pub(super) fn keep(
    scope: &mut Scope,
    script: &Script,
    (stub, statement): (usize, &Statement),
) -> Vec<String> {
    let mut lines = Vec::new();
    for (_, method) in observed(script).into_iter().filter(|one| one.0 == stub) {
        let variable = free(scope, &format!("{}Calls", method.name));
        let types = MethodDescriptor::parse(&method.descriptor).unwrap_or_default();
        let mut element = OBJECT.to_owned();
        match &types.parameters[..] {
            [] => {
                let counter = scope.import("java.util.concurrent.atomic.AtomicInteger");
                lines.push(format!("{counter} {variable} = new {counter}();"));
            }
            parameters => {
                let list = scope.import("java.util.List");
                let held = match parameters {
                    [parameter] => {
                        let given = own_method(statement, method);
                        let given = given.map(|method| method.parameters[0].name.clone());
                        let name = given.unwrap_or_else(|| binary_name(parameter));
                        let (class, source) = element_type(scope, &name);
                        element = class;
                        source
                    }
                    _ => format!("{list}<{}>", scope.lang("Object")),
                };
                let array_list = scope.import("java.util.ArrayList");
                lines.push(format!("{list}<{held}> {variable} = new {array_list}<>();"));
            }
        }
        scope.kept_calls.push(KeptCalls {
            stub,
            method: key(method),
            variable,
            element,
        });
    }
    scope.written_stub = Some(stub);
    lines
}

fn key(method: &MethodSig) -> (String, String) {
    (method.name.clone(), method.descriptor.clone())
}

/// Method of an anonymous class, if a statement makes an object of one.
fn own_method<'s>(statement: &'s Statement, method: &MethodSig) -> Option<&'s AnonymousMethod> {
    let Action::Call(Step {
        body: Some(body), ..
    }) = &statement.action
    else {
        return None;
    };
    let mut methods = body.methods.iter();
    methods.find(|own| key(&own.method) == key(method))
}

/// Type of a list's elements, as a binary name and in source code: the class of a parameter, unless
/// it has type parameters or cannot be named.
fn element_type(scope: &mut Scope, class: &str) -> (String, String) {
    let boxed = match class {
        "boolean" => "java.lang.Boolean",
        "byte" => "java.lang.Byte",
        "short" => "java.lang.Short",
        "char" => "java.lang.Character",
        "int" => "java.lang.Integer",
        "long" => "java.lang.Long",
        "float" => "java.lang.Float",
        "double" => "java.lang.Double",
        other => other,
    };
    let before = std::mem::take(&mut scope.uses_raw_types);
    let name = scope.type_name(boxed);
    let is_raw = std::mem::replace(&mut scope.uses_raw_types, before);
    match name.filter(|_| !is_raw) {
        Some(name) => (boxed.to_owned(), name),
        None => (OBJECT.to_owned(), scope.lang("Object")),
    }
}

/// Expression that keeps a call in the method of the stub that is written now; `names` are those of
/// the parameters. `None` if nothing is asserted of its calls.
pub(super) fn kept(scope: &mut Scope, method: &MethodSig, names: &[String]) -> Option<String> {
    let stub = scope.written_stub?;
    let mut known = scope.kept_calls.iter();
    let key = key(method);
    let kept = known.find(|kept| kept.stub == stub && kept.method == key)?;
    let variable = kept.variable.clone();
    Some(match names {
        [] => format!("{variable}.incrementAndGet()"),
        [name] => format!("{variable}.add({name})"),
        names => {
            let arrays = scope.import("java.util.Arrays");
            format!("{variable}.add({arrays}.asList({}))", names.join(", "))
        }
    })
}

/// Assertions of the calls of a stub's method, all that a script has.
pub(super) fn assertions(
    scope: &mut Scope,
    built: &Built,
    script: &Script,
    (stub, method): (usize, &MethodSig),
) -> Vec<BodyLine> {
    let seen = script.after.iter().enumerate();
    let seen = seen.filter_map(|(number, seen)| match seen {
        Observation::Calls {
            stub: other,
            method: called,
            asserted,
        } if *other == stub && **called == *method => Some((number, asserted)),
        _ => None,
    });
    let seen: Vec<(usize, &StubCalls)> = seen.collect();
    let key = key(method);
    let mut kept = scope.kept_calls.iter();
    let kept = kept.find(|kept| kept.stub == stub && kept.method == key);
    match kept.cloned() {
        Some(kept) => of_variable(scope, built, &kept, (method, &seen)),
        None => of_mock(scope, built, (stub, method), &seen).unwrap_or_default(),
    }
}

/// Assertions about the variable that keeps the calls.
fn of_variable(
    scope: &mut Scope,
    built: &Built,
    kept: &KeptCalls,
    (method, seen): (&MethodSig, &[(usize, &StubCalls)]),
) -> Vec<BodyLine> {
    let types = MethodDescriptor::parse(&method.descriptor).unwrap_or_default();
    let variable = &kept.variable;
    let mut lines: Vec<BodyLine> = Vec::new();
    let is_whole = |asserted: &StubCalls| matches!(asserted, StubCalls::With { .. });
    let has_whole = seen.iter().any(|(_, asserted)| is_whole(asserted));
    for (number, asserted) in seen {
        let text = match asserted {
            // The list has that many elements.
            StubCalls::Count(_) if has_whole => continue,
            StubCalls::Count(count) => {
                let size = match types.parameters.is_empty() {
                    true => format!("{variable}.get()"),
                    false => format!("{variable}.size()"),
                };
                match (count, types.parameters.is_empty()) {
                    (0, false) => assertions::truth(scope, &format!("{variable}.isEmpty()"), true),
                    _ => {
                        let actual = Actual {
                            source: &size,
                            static_type: "int",
                        };
                        assertions::equal(scope, &count.to_string(), actual)
                    }
                }
            }
            StubCalls::With { all, .. } => {
                let calls = all.0.iter().map(|arguments| {
                    let sources = sources(scope, built, arguments);
                    match &sources[..] {
                        [only] => only.clone(),
                        all => list(scope, all, arguments.contains(&Literal::Value(Value::Null))),
                    }
                });
                let calls: Vec<String> = calls.collect();
                let null = [Literal::Value(Value::Null)];
                let has_null = all.0.iter().any(|arguments| arguments[..] == null);
                let expected = list(scope, &calls, has_null);
                let actual = Actual {
                    source: variable,
                    static_type: OBJECT,
                };
                assertions::equal(scope, &expected, actual)
            }
            StubCalls::Argument {
                parameter,
                class,
                then,
                value,
            } => {
                let (mut source, mut given) = match &types.parameters[..] {
                    [_] => (format!("{variable}.get(0)"), kept.element.clone()),
                    _ => (
                        format!("{variable}.get(0).get({parameter})"),
                        OBJECT.to_owned(),
                    ),
                };
                if !then.is_empty() && given != class.name {
                    let Some(name) = scope.type_name(&class.name) else {
                        continue;
                    };
                    source = format!("(({name}) {source})");
                    given.clone_from(&class.name);
                }
                of_value(scope, built, (source, given), (then, value))
            }
        };
        if !lines.iter().any(|line| line.text == text) {
            lines.push(BodyLine {
                text,
                observation: Some(*number),
            });
        }
    }
    lines
}

/// Expression of a list.
fn list(scope: &mut Scope, elements: &[String], has_null: bool) -> String {
    let elements_text = elements.join(", ");
    match scope.release < super::arguments::FACTORIES || has_null {
        true => listed(scope, &elements_text, elements.len()),
        false => format!("{}.of({elements_text})", scope.import("java.util.List")),
    }
}

/// Expressions of arguments as objects.
fn sources(scope: &mut Scope, built: &Built, arguments: &[Literal]) -> Vec<String> {
    let arguments = arguments.iter().map(|argument| match argument {
        Literal::Value(value @ Value::Ref(_)) => built.value(*value),
        other => literal_argument(scope, other).as_object(),
    });
    arguments.collect()
}

/// Assertion of an object's value, or that of the last of several calls on it.
fn of_value(
    scope: &mut Scope,
    built: &Built,
    (source, static_type): (String, String),
    (then, value): (&[Step], &Literal),
) -> String {
    let mut held = vec![Expression {
        source,
        static_type,
    }];
    for step in then {
        let step = Step {
            receiver: Some(0),
            ..step.clone()
        };
        let called = steps::expression(scope, &held, &step);
        held = vec![Expression {
            source: called.source,
            static_type: called.given,
        }];
    }
    let actual = Actual {
        source: &held[0].source,
        static_type: &held[0].static_type,
    };
    assertions::returned(scope, built, value, actual)
}

/// Verifications of a mock; `None` if a test cannot make the call.
fn of_mock(
    scope: &mut Scope,
    built: &Built,
    (stub, method): (usize, &MethodSig),
    seen: &[(usize, &StubCalls)],
) -> Option<Vec<BodyLine>> {
    let types = MethodDescriptor::parse(&method.descriptor).ok()?;
    let mock = built.expressions.get(stub)?;
    // A verified call declares them, too.
    scope.stubbed_exceptions.extend(method.exceptions.clone());
    let any = |scope: &mut Scope| {
        let any = types.parameters.iter();
        let any = any.map(|parameter| matcher(scope, parameter, method.is_overloaded));
        any.collect::<Option<Vec<String>>>()
    };
    let name = literal::ascii(&method.name);
    let mut lines: Vec<BodyLine> = Vec::new();
    let mut add = |text: String, number: usize| {
        lines.push(BodyLine {
            text,
            observation: Some(number),
        });
    };
    for (number, asserted) in seen {
        match asserted {
            StubCalls::Count(count) => {
                let verified = verified(scope, &mock.source, *count);
                let arguments = any(scope)?.join(", ");
                add(format!("{verified}.{name}({arguments});"), *number);
            }
            StubCalls::With {
                arguments, times, ..
            } => {
                let verified = verified(scope, &mock.source, *times);
                let arguments = arguments.iter().zip(&types.parameters);
                let arguments: Vec<String> = arguments
                    .map(|(argument, parameter)| {
                        exact(scope, built, argument, parameter, method.is_overloaded)
                    })
                    .collect::<Option<_>>()?;
                let arguments = arguments.join(", ");
                add(format!("{verified}.{name}({arguments});"), *number);
            }
            StubCalls::Argument { .. } => {}
        }
    }
    let parts = seen.iter().filter_map(|(number, asserted)| match asserted {
        StubCalls::Argument {
            parameter,
            class,
            then,
            value,
        } => Some((*number, *parameter, class, &then[..], value)),
        _ => None,
    });
    let parts: Vec<_> = parts.collect();
    let Some(&(first, ..)) = parts.first() else {
        return Some(lines);
    };
    let mut matchers = any(scope)?;
    let mut captured: Vec<(usize, String)> = Vec::new();
    for &(number, parameter, class, then, value) in &parts {
        let place = matchers.get_mut(parameter)?;
        if then.is_empty() {
            let source = exact(scope, built, value, &types.parameters[parameter], false)?;
            *place = match value {
                Literal::Value(Value::Null) => {
                    format!("{}()", scope.static_import(MATCHERS, "isNull"))
                }
                Literal::Value(Value::Ref(_)) => {
                    format!("{}({source})", scope.static_import(MATCHERS, "same"))
                }
                _ => format!("{}({source})", scope.static_import(MATCHERS, "eq")),
            };
        } else if !captured.iter().any(|(known, _)| *known == parameter) {
            let class = scope.bare_name(&class.name)?;
            let captor = scope.import("org.mockito.ArgumentCaptor");
            let variable = free(scope, &format!("{name}Argument"));
            add(
                format!("{captor}<{class}> {variable} = {captor}.forClass({class}.class);"),
                number,
            );
            *place = format!("{variable}.capture()");
            captured.push((parameter, variable));
        }
    }
    let verified = verified(scope, &mock.source, 1);
    add(
        format!("{verified}.{name}({});", matchers.join(", ")),
        first,
    );
    for &(number, parameter, class, then, value) in &parts {
        if let Some((_, variable)) = captured.iter().find(|(known, _)| *known == parameter)
            && !then.is_empty()
        {
            let source = (format!("{variable}.getValue()"), class.name.clone());
            add(of_value(scope, built, source, (then, value)), number);
        }
    }
    Some(lines)
}

/// Free name of a variable.
fn free(scope: &mut Scope, name: &str) -> String {
    let numbered = (2..).map(|number| format!("{name}{number}"));
    let mut names = std::iter::once(name.to_owned()).chain(numbered);
    let name = names.find(|name| !scope.locals.contains(name));
    let name = name.unwrap_or_default();
    scope.locals.insert(name.clone());
    literal::ascii(&name)
}

/// Beginning of the verification that a mock was called so many times.
fn verified(scope: &mut Scope, mock: &str, count: usize) -> String {
    let verify = scope.static_import(MOCKITO, "verify");
    match count {
        0 => {
            let never = scope.static_import(MOCKITO, "never");
            format!("{verify}({mock}, {never}())")
        }
        1 => format!("{verify}({mock})"),
        _ => {
            let times = scope.static_import(MOCKITO, "times");
            format!("{verify}({mock}, {times}({count}))")
        }
    }
}

/// Argument of a verified call.
fn exact(
    scope: &mut Scope,
    built: &Built,
    argument: &Literal,
    parameter: &str,
    is_overloaded: bool,
) -> Option<String> {
    let source = match argument {
        Literal::Value(value @ Value::Ref(_)) => built.value(*value),
        other => {
            let argument = literal_argument(scope, other);
            argument.unboxed.unwrap_or(argument.source)
        }
    };
    let is_null = *argument == Literal::Value(Value::Null);
    match is_null && is_overloaded && primitive_keyword(parameter).is_none() {
        true => Some(format!(
            "({}) {source}",
            scope.type_name(&binary_name(parameter))?
        )),
        false => Some(source),
    }
}
