//! Calls of stubs: how a test keeps them, and what it asserts of them.
//!
//! A mock keeps its calls itself. A lambda or an anonymous class adds the arguments of each call to a
//! list in a variable of the test; calls without arguments are counted. What an argument was like at
//! the time of a call is added to a list by stubs of either kind.
//!
//! Invariant: a method of a stub that is no mock keeps its calls if an observation is about them, and
//! that of any stub keeps the states that an observation is about.

use super::arguments::{listed, literal_argument};
use super::assertions::{self, Actual};
use super::build::{Built, Expression, OBJECT};
use super::lines::BodyLine;
use super::mocks::{MATCHERS, MOCKITO, matcher};
use super::names::capitalised;
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
    /// Variable of the stub with a dot, if a field of the stub keeps them.
    holder: String,
    /// Type of its elements as a binary name, if calls have one argument.
    element: String,
}

/// Object that keeps calls.
pub(super) struct ListOfCalls {
    /// Type of its variable.
    pub declared: String,
    /// Expression that makes it.
    pub made: String,
    /// Type of its elements as a binary name, if calls have one argument.
    pub element: String,
}

/// Variable that keeps what an argument of a stub's method was like at each call.
#[derive(Clone, Debug)]
pub(super) struct KeptStates {
    /// The stub.
    stub: usize,
    /// Name and descriptor of the method.
    method: (String, String),
    /// Number of the parameter.
    parameter: usize,
    /// Class of the arguments, as a binary name.
    class: String,
    /// Calls on them.
    then: Vec<Step>,
    /// Name of the variable.
    variable: String,
}

/// Methods of stubs whose calls a script asserts something of, states of arguments apart, each once,
/// with the stub.
fn observed(script: &Script) -> Vec<(usize, &MethodSig)> {
    let mut found: Vec<(usize, &MethodSig)> = Vec::new();
    for seen in &script.after {
        if let Observation::Calls {
            stub,
            method,
            asserted,
        } = seen
            && !matches!(asserted, StubCalls::State { .. })
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
        let list = list_of(scope, method, own_method(statement, method));
        lines.push(format!("{} {variable} = {};", list.declared, list.made));
        scope.kept_calls.push(KeptCalls {
            stub,
            method: key(method),
            variable,
            holder: String::new(),
            element: list.element,
        });
    }
    scope.written_stub = Some(stub);
    lines
}

/// Object that keeps the calls of a method; `own` is the method of an anonymous class.
pub(super) fn list_of(
    scope: &mut Scope,
    method: &MethodSig,
    own: Option<&AnonymousMethod>,
) -> ListOfCalls {
    let types = MethodDescriptor::parse(&method.descriptor).unwrap_or_default();
    let (held, element) = match &types.parameters[..] {
        [] => {
            let counter = scope.import("java.util.concurrent.atomic.AtomicInteger");
            return ListOfCalls {
                made: format!("new {counter}()"),
                declared: counter,
                element: OBJECT.to_owned(),
            };
        }
        [parameter] => {
            let given = own.map(|method| method.parameters[0].name.clone());
            let name = given.unwrap_or_else(|| binary_name(parameter));
            let (class, source) = element_type(scope, &name);
            (source, class)
        }
        _ => {
            let list = scope.import("java.util.List");
            let object = scope.lang("Object");
            (format!("{list}<{object}>"), OBJECT.to_owned())
        }
    };
    let list = scope.import("java.util.List");
    let array_list = scope.import("java.util.ArrayList");
    ListOfCalls {
        declared: format!("{list}<{held}>"),
        made: format!("new {array_list}<>()"),
        element,
    }
}

impl KeptCalls {
    /// Calls of a method of a stub that a field of it keeps.
    pub fn in_field(
        (stub, method): (usize, &MethodSig),
        (holder, field): (&str, &str),
        element: String,
    ) -> KeptCalls {
        KeptCalls {
            stub,
            method: key(method),
            variable: field.to_owned(),
            holder: format!("{holder}."),
            element,
        }
    }
}

/// Expression that keeps a call in a variable; `names` are those of the parameters.
pub(super) fn kept_in(scope: &mut Scope, variable: &str, names: &[String]) -> String {
    match names {
        [] => format!("{variable}.incrementAndGet()"),
        [name] => format!("{variable}.add({name})"),
        names => {
            let arrays = scope.import("java.util.Arrays");
            format!("{variable}.add({arrays}.asList({}))", names.join(", "))
        }
    }
}

/// Declares the variables that keep what arguments of a stub's methods, which are written next, are
/// like at each call.
pub(super) fn keep_states(scope: &mut Scope, script: &Script, stub: usize) -> Vec<String> {
    let mut lines = Vec::new();
    for seen in &script.after {
        let Observation::Calls {
            stub: of,
            method,
            asserted:
                StubCalls::State {
                    parameter,
                    class,
                    then,
                    ..
                },
        } = seen
        else {
            continue;
        };
        let Some(last) = then.last().filter(|_| *of == stub) else {
            continue;
        };
        let types = MethodDescriptor::parse(&last.method.descriptor).unwrap_or_default();
        let (_, held) = element_type(scope, &binary_name(&types.returns));
        let list = scope.import("java.util.List");
        let array_list = scope.import("java.util.ArrayList");
        let variable = free(scope, &state_name(&method.name, then));
        lines.push(format!("{list}<{held}> {variable} = new {array_list}<>();"));
        scope.kept_states.push(KeptStates {
            stub,
            method: key(method),
            parameter: *parameter,
            class: class.name.clone(),
            then: then.clone(),
            variable,
        });
    }
    lines
}

/// Name of a list of states: `saveStatus` of `getStatus` at calls of `save`.
fn state_name(method: &str, then: &[Step]) -> String {
    let mut name = method.to_owned();
    for step in then {
        let own = &step.method.name;
        let rest = ["get", "is"].iter().find_map(|start| {
            let rest = own.strip_prefix(start)?;
            rest.starts_with(char::is_uppercase).then_some(rest)
        });
        name.push_str(&capitalised(rest.unwrap_or(own)));
    }
    name
}

/// Variables of the stub that is written now which keep states of arguments of a method.
fn states(scope: &Scope, method: &MethodSig) -> Vec<KeptStates> {
    let key = key(method);
    let all = scope.kept_states.iter();
    let own = all.filter(|kept| Some(kept.stub) == scope.written_stub && kept.method == key);
    own.cloned().collect()
}

/// Whether the stub that is written now keeps what arguments of a method are like.
pub(super) fn keeps_states(scope: &Scope, method: &MethodSig) -> bool {
    !states(scope, method).is_empty()
}

/// Expressions that keep what arguments are like; `argument` gives the expression for a parameter of a
/// class, and the static type if it is another one.
pub(super) fn kept_states(
    scope: &mut Scope,
    method: &MethodSig,
    argument: impl Fn(usize, &str) -> Option<(String, Option<String>)>,
) -> Vec<String> {
    let mut kept = Vec::new();
    for state in states(scope, method) {
        let Some(name) = scope.bare_name(&state.class) else {
            continue;
        };
        let Some((mut source, given)) = argument(state.parameter, &name) else {
            continue;
        };
        if given.is_some_and(|given| given != state.class) {
            source = format!("(({name}) {source})");
        }
        let (source, _) = asked(scope, (source, state.class), &state.then);
        kept.push(format!("{}.add({source})", state.variable));
    }
    kept
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

/// Expressions that keep a call in the method of the stub that is written now; `names` are those of
/// the parameters, `types` their static types as binary names, none if they are not known. None if
/// nothing is asserted of its calls.
pub(super) fn kept(
    scope: &mut Scope,
    method: &MethodSig,
    names: &[String],
    types: &[String],
) -> Vec<String> {
    let mut known = scope.kept_calls.iter();
    let key = key(method);
    let kept = known.find(|kept| Some(kept.stub) == scope.written_stub && kept.method == key);
    let variable = kept.map(|kept| kept.variable.clone());
    let kept = variable.map(|variable| kept_in(scope, &variable, names));
    let states = kept_states(scope, method, |parameter, _| {
        let given = types.get(parameter).cloned().unwrap_or_default();
        Some((names.get(parameter)?.clone(), Some(given)))
    });
    kept.into_iter().chain(states).collect()
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
    let mut lines = of_states(scope, built, (stub, &key), &seen);
    let is_state = |asserted: &StubCalls| matches!(asserted, StubCalls::State { .. });
    let others = seen.into_iter().filter(|(_, asserted)| !is_state(asserted));
    let others: Vec<(usize, &StubCalls)> = others.collect();
    let mut kept = scope.kept_calls.iter();
    let kept = kept.find(|kept| kept.stub == stub && kept.method == key);
    lines.extend(match kept.cloned() {
        Some(kept) => of_variable(scope, built, &kept, (method, &others)),
        None => of_mock(scope, built, (stub, method), &others).unwrap_or_default(),
    });
    lines
}

/// Assertions about the variables that keep what arguments were like.
fn of_states(
    scope: &mut Scope,
    built: &Built,
    (stub, method): (usize, &(String, String)),
    seen: &[(usize, &StubCalls)],
) -> Vec<BodyLine> {
    let mut lines = Vec::new();
    for (number, asserted) in seen {
        let StubCalls::State {
            parameter,
            then,
            values,
            ..
        } = asserted
        else {
            continue;
        };
        let mut kept = scope.kept_states.iter();
        let kept = kept.find(|kept| {
            (kept.stub, kept.parameter) == (stub, *parameter)
                && kept.method == *method
                && kept.then == *then
        });
        let Some(variable) = kept.map(|kept| kept.variable.clone()) else {
            continue;
        };
        let sources = sources(scope, built, values);
        let expected = list(
            scope,
            &sources,
            values.contains(&Literal::Value(Value::Null)),
        );
        let actual = Actual {
            source: &variable,
            static_type: OBJECT,
        };
        lines.push(BodyLine {
            text: assertions::equal(scope, &expected, actual),
            observation: Some(*number),
        });
    }
    lines
}

/// Assertions about the variable that keeps the calls.
fn of_variable(
    scope: &mut Scope,
    built: &Built,
    kept: &KeptCalls,
    (method, seen): (&MethodSig, &[(usize, &StubCalls)]),
) -> Vec<BodyLine> {
    let types = MethodDescriptor::parse(&method.descriptor).unwrap_or_default();
    let variable = &format!("{}{}", kept.holder, kept.variable);
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
            // Written apart.
            StubCalls::State { .. } => continue,
            StubCalls::Argument {
                call: (call, _),
                parameter,
                class,
                then,
                value,
            } => {
                let (mut source, mut given) = match &types.parameters[..] {
                    [_] => (format!("{variable}.get({call})"), kept.element.clone()),
                    _ => (
                        format!("{variable}.get({call}).get({parameter})"),
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
pub(super) fn list(scope: &mut Scope, elements: &[String], has_null: bool) -> String {
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
    let (source, static_type) = asked(scope, (source, static_type), then);
    let actual = Actual {
        source: &source,
        static_type: &static_type,
    };
    assertions::returned(scope, built, value, actual)
}

/// Expression of the last of several calls, each on the result of the one before, and its type, given
/// those of the object of the first. A result of a type variable is cast.
pub(super) fn asked(
    scope: &mut Scope,
    (mut source, mut static_type): (String, String),
    then: &[Step],
) -> (String, String) {
    for step in then {
        if static_type == OBJECT
            && step.method.declaring_class != OBJECT
            && let Some(name) = scope.type_name(&step.class.name)
        {
            source = format!("(({name}) {source})");
            static_type.clone_from(&step.class.name);
        }
        let on = Expression {
            source,
            static_type,
        };
        let step = Step {
            receiver: Some(0),
            ..step.clone()
        };
        let called = steps::expression(scope, &[on], &step);
        (source, static_type) = (called.source, called.given);
    }
    (source, static_type)
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
            StubCalls::Argument { .. } | StubCalls::State { .. } => {}
        }
    }
    let mut count = 1;
    let parts = seen.iter().filter_map(|(number, asserted)| match asserted {
        StubCalls::Argument {
            call: (call, calls),
            parameter,
            class,
            then,
            value,
        } => {
            count = *calls;
            Some((*number, *call, *parameter, class, &then[..], value))
        }
        _ => None,
    });
    let parts: Vec<_> = parts.collect();
    let Some(&(first, ..)) = parts.first() else {
        return Some(lines);
    };
    let mut matchers = any(scope)?;
    let mut captured: Vec<(usize, String)> = Vec::new();
    for &(number, _, parameter, class, then, value) in &parts {
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
    let verified = verified(scope, &mock.source, count);
    add(
        format!("{verified}.{name}({});", matchers.join(", ")),
        first,
    );
    for &(number, call, parameter, class, then, value) in &parts {
        if let Some((_, variable)) = captured.iter().find(|(known, _)| *known == parameter)
            && !then.is_empty()
        {
            let value_of = match count {
                1 => format!("{variable}.getValue()"),
                _ => format!("{variable}.getAllValues().get({call})"),
            };
            let source = (value_of, class.name.clone());
            add(of_value(scope, built, source, (then, value)), number);
        }
    }
    Some(lines)
}

/// Free name of a variable.
pub(super) fn free(scope: &mut Scope, name: &str) -> String {
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
