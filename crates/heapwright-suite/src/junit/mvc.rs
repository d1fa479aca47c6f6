//! The call under test through a stand-alone `MockMvc`: the request, and what is expected of the response.
//!
//! Invariant: what the handler is not given by the test is in no assertion of it.

use std::collections::BTreeSet;

use super::build::{Built, Expression};
use super::lines::BodyLine;
use super::scope::Scope;
use super::steps;
use super::stub_calls::{free, list};
use crate::exchange::{
    AttributeValue, Exchange, Expectation, JsonElement, KnownExchange, RequestPart,
};
use crate::types::MethodDescriptor;
use crate::{
    Action, CallOutcome, Input, Literal, Observation, Script, Step, StubCalls, Value, literal,
};

const TEST: &str = "org.springframework.test.web.servlet";
const REQUESTS: &str = "org.springframework.test.web.servlet.request.MockMvcRequestBuilders";
const MATCHERS: &str = "org.springframework.test.web.servlet.result.MockMvcResultMatchers";
/// Class that makes the request for a call and notes the facts, where they are not known yet.
const SEEKER: &str = "heapwright.mvc.Exchange";
/// Exception that `perform` declares.
const THROWN: &str = "java.lang.Exception";
/// Maximum length of a request in one line.
const MAX_REQUEST: usize = 80;
/// Statuses with a matcher of their own in all releases.
const STATUSES: [(u16, &str); 22] = [
    (200, "isOk"),
    (201, "isCreated"),
    (202, "isAccepted"),
    (204, "isNoContent"),
    (206, "isPartialContent"),
    (301, "isMovedPermanently"),
    (302, "isFound"),
    (303, "isSeeOther"),
    (304, "isNotModified"),
    (400, "isBadRequest"),
    (401, "isUnauthorized"),
    (403, "isForbidden"),
    (404, "isNotFound"),
    (405, "isMethodNotAllowed"),
    (406, "isNotAcceptable"),
    (409, "isConflict"),
    (410, "isGone"),
    (412, "isPreconditionFailed"),
    (415, "isUnsupportedMediaType"),
    (500, "isInternalServerError"),
    (501, "isNotImplemented"),
    (503, "isServiceUnavailable"),
];

/// Status of the response by which a test is named, if it says more than the outcome of the call.
pub(super) fn telling_status(script: &Script) -> Option<u16> {
    let Some(Exchange::Known(exchange)) = &script.exchange else {
        return None;
    };
    let is_of_view =
        |one: &Expectation| matches!(one, Expectation::View(_) | Expectation::Redirect(_));
    let is_telling = match script.outcome {
        CallOutcome::Threw { .. } => true,
        CallOutcome::Returned(_) | CallOutcome::ReturnedObject { .. } => {
            exchange.status != 200 && !exchange.expected.iter().any(is_of_view)
        }
        CallOutcome::ReturnedVoid | CallOutcome::Failed(_) => false,
    };
    is_telling.then_some(exchange.status)
}

/// Name of a status: `isNotFound`, `isStatus422`.
pub(super) fn status_name(status: u16) -> String {
    let mut known = STATUSES.iter();
    match known.find(|(code, _)| *code == status) {
        Some((_, name)) => (*name).to_owned(),
        None => format!("isStatus{status}"),
    }
}

/// Script as it is written if it makes an exchange, and the numbers of the observations that it keeps: what
/// only the call would be given is not made.
pub(super) fn reduced(script: &Script) -> Option<(Script, Vec<usize>)> {
    let exchange = script.exchange.as_ref()?;
    let (step, _) = script.call_under_test()?;
    let mut reduced = Script {
        outcome: CallOutcome::ReturnedVoid,
        after: Vec::new(),
        invariant_holds_after: None,
        ..script.clone()
    };
    let Exchange::Known(exchange) = exchange else {
        return Some((reduced, Vec::new()));
    };
    let mut kept = Vec::new();
    for (number, seen) in script.after.iter().enumerate() {
        if let Some(seen) = told(script, step, exchange, seen)
            && !reduced.after.contains(&seen)
        {
            reduced.after.push(seen);
            kept.push(number);
        }
    }
    if let Some(Action::Call(step)) = reduced.statements.last_mut().map(|last| &mut last.action) {
        step.made = None;
        for argument in &mut step.arguments {
            if matches!(argument, Input::Object(_)) {
                *argument = Input::Literal(Literal::Value(Value::Null));
            }
        }
    }
    let needed = needed(&reduced, exchange);
    let last = reduced.statements.len() - 1;
    for number in (0..last).filter(|number| !needed.contains(number)) {
        let statement = &mut reduced.statements[number];
        // A constant that nothing uses is not written.
        statement.action = Action::Literal {
            value: Literal::Value(Value::Null),
            made: step.class.clone(),
        };
        statement.thrown = None;
    }
    Some((reduced, kept))
}

/// Observation as it is after the exchange, if it can be made: of collaborators, and of what no request
/// hands on.
fn told(
    script: &Script,
    step: &Step,
    exchange: &KnownExchange,
    seen: &Observation,
) -> Option<Observation> {
    let last = script.statements.len() - 1;
    let is_argument = |place: usize| step.arguments.contains(&Input::Object(place));
    let is_gone = |place: &usize| *place == last || is_argument(*place);
    let is_other = |literal: &Literal| match literal {
        Literal::Value(Value::Ref(place)) if is_argument(*place) => {
            let copied = |&(number, is_equal): &(usize, bool)| {
                is_equal && step.arguments.get(number) == Some(&Input::Object(*place))
            };
            !exchange.copies.iter().any(copied)
        }
        Literal::Value(Value::Ref(place)) => *place == last,
        _ => false,
    };
    let Observation::Calls {
        stub,
        method,
        asserted,
    } = seen
    else {
        let is_of_gone = seen.is_of_exception() || seen.uses().iter().any(is_gone);
        return (!is_of_gone).then(|| seen.clone());
    };
    if is_gone(stub) {
        return None;
    }
    let is_changed = asserted.values().any(is_other);
    let asserted = match asserted {
        StubCalls::With { all, .. } if is_changed => StubCalls::Count(all.0.len()),
        // A copy is another object.
        StubCalls::Argument { then, value, .. }
            if is_changed
                || then.is_empty()
                    && matches!(value, Literal::Value(Value::Ref(place)) if is_gone(place)) =>
        {
            return None;
        }
        StubCalls::State { .. } if is_changed => return None,
        asserted => asserted.clone(),
    };
    Some(Observation::Calls {
        stub: *stub,
        method: method.clone(),
        asserted,
    })
}

/// Statements that the controller, its collaborators or assertions need, with all that these are connected
/// with.
fn needed(script: &Script, exchange: &KnownExchange) -> BTreeSet<usize> {
    let held = exchange
        .expected
        .iter()
        .flat_map(|expected| match expected {
            Expectation::Attribute { value, .. } => held_in(value),
            _ => Vec::new(),
        });
    let last = script.statements.len() - 1;
    let before = || script.statements[..last].iter().enumerate();
    let is_static = |action: &Action| match action {
        Action::Call(step) => step.receiver.is_none() && step.made.is_none(),
        Action::StoreField { access, .. } => access.receiver.is_none(),
        _ => false,
    };
    let statics = before().filter(|(_, statement)| is_static(&statement.action));
    let mut needed: BTreeSet<usize> = script.statements[last].uses().collect();
    needed.extend(script.uses_after());
    needed.extend(held);
    needed.extend(statics.map(|(number, _)| number));
    loop {
        let count = needed.len();
        for (number, statement) in before() {
            let group: Vec<usize> = statement.uses().chain([number]).collect();
            if group.iter().any(|place| needed.contains(place)) {
                needed.extend(group);
            }
        }
        if needed.len() == count {
            return needed;
        }
    }
}

/// Objects of statements in a value.
fn held_in(value: &AttributeValue) -> Vec<usize> {
    match value {
        AttributeValue::Held(place) => vec![*place],
        AttributeValue::List(elements) => elements.iter().flat_map(held_in).collect(),
        _ => Vec::new(),
    }
}

/// Writes the statement that sets up `MockMvc`; returns that which makes the exchange.
pub(super) fn exchange(
    scope: &mut Scope,
    built: &mut Built,
    step: &Step,
    exchange: &Exchange,
) -> BodyLine {
    scope.stubbed_exceptions.push(THROWN.to_owned());
    match exchange {
        Exchange::Sought => seek(scope, &built.expressions, step).into(),
        Exchange::Known(exchange) => {
            let (line, variable) = set_up(scope, &built.expressions, step, exchange);
            built.statements.push(line);
            perform(scope, &built.expressions, &variable, exchange).into()
        }
    }
}

/// Statement that sets up `MockMvc`, and the name of its variable.
fn set_up(
    scope: &mut Scope,
    held: &[Expression],
    step: &Step,
    exchange: &KnownExchange,
) -> (String, String) {
    let controller = controller(held, step);
    let variable = free(scope, "mockMvc");
    let class = scope.import(&format!("{TEST}.MockMvc"));
    let builders = scope.import(&format!("{TEST}.setup.MockMvcBuilders"));
    let views = exchange.views.as_ref().map(|(prefix, suffix)| {
        let resolver =
            scope.import("org.springframework.web.servlet.view.InternalResourceViewResolver");
        let (prefix, suffix) = (literal::string(prefix), literal::string(suffix));
        format!(".setViewResolvers(new {resolver}({prefix}, {suffix}))")
    });
    let views = views.unwrap_or_default();
    let line =
        format!("{class} {variable} = {builders}.standaloneSetup({controller}){views}.build();");
    (line, variable)
}

/// Expression of the object whose handler is called.
fn controller<'h>(held: &'h [Expression], step: &Step) -> &'h str {
    step.receiver
        .map_or("null", |place| held[place].source.as_str())
}

/// Statement that makes the exchange, by the variable that was set up.
fn perform(
    scope: &mut Scope,
    held: &[Expression],
    variable: &str,
    exchange: &KnownExchange,
) -> String {
    let mut text = format!("{variable}.perform({})", request(scope, exchange));
    let status = format!("{}().{}", matcher(scope, "status"), status(exchange.status));
    let others = exchange.expected.iter();
    let others = others.map(|expected| expectation(scope, held, expected));
    for expected in std::iter::once(status).chain(others) {
        text.push_str(&format!("\n        .andExpect({expected})"));
    }
    text.push(';');
    text
}

/// Statement that makes the request for the call and notes the facts.
fn seek(scope: &mut Scope, held: &[Expression], step: &Step) -> String {
    let types = MethodDescriptor::parse(&step.method.descriptor).unwrap_or_default();
    let arguments = step.arguments.iter().zip(&types.parameters);
    let arguments = arguments
        .map(|(input, parameter)| steps::argument(scope, held, input, parameter).as_object());
    let arguments = arguments.collect::<Vec<_>>().join(", ");
    let objects = held.iter().map(|object| match object.source.as_str() {
        "" => "null",
        source => source,
    });
    let objects = objects.collect::<Vec<_>>().join(", ");
    let controller = controller(held, step);
    let handler = literal::string(&format!("{}{}", step.method.name, step.method.descriptor));
    let object = scope.lang("Object");
    format!(
        "{SEEKER}.of({controller}, {handler}, new {object}[] {{{arguments}}}, new {object}[] {{{objects}}});"
    )
}

fn matcher(scope: &mut Scope, name: &'static str) -> &'static str {
    scope.static_import(MATCHERS, name)
}

fn status(status: u16) -> String {
    let mut known = STATUSES.iter();
    match known.find(|(code, _)| *code == status) {
        Some((_, name)) => format!("{name}()"),
        None => format!("is({status})"),
    }
}

/// Expression of the request; its parts are lines of their own where they are long.
fn request(scope: &mut Scope, exchange: &KnownExchange) -> String {
    const BUILDERS: [(&str, &str); 7] = [
        ("GET", "get"),
        ("POST", "post"),
        ("PUT", "put"),
        ("PATCH", "patch"),
        ("DELETE", "delete"),
        ("OPTIONS", "options"),
        ("HEAD", "head"),
    ];
    let mut known = BUILDERS.iter();
    let start = match known.find(|(method, _)| *method == exchange.method) {
        Some((_, builder)) => format!("{}(", scope.static_import(REQUESTS, builder)),
        None => {
            let method = scope.import("org.springframework.http.HttpMethod");
            let request = scope.static_import(REQUESTS, "request");
            let name = literal::string(&exchange.method);
            format!("{request}({method}.valueOf({name}), ")
        }
    };
    let path = std::iter::once(literal::string(&exchange.template));
    let variables = exchange.variables.iter().map(|value| variable(value));
    let path = path.chain(variables).collect::<Vec<_>>().join(", ");
    let parts = exchange.parts.iter().flat_map(|part| of_part(scope, part));
    let parts: Vec<String> = parts.collect();
    let whole = format!("{start}{path}){}", parts.concat());
    match whole.len() <= MAX_REQUEST {
        true => whole,
        false => {
            let lines = parts.iter().map(|part| format!("\n                {part}"));
            format!("{start}{path}){}", lines.collect::<String>())
        }
    }
}

/// Value of a variable of a path: a number as such.
fn variable(value: &str) -> String {
    let is_number = value
        .parse::<i32>()
        .is_ok_and(|number| number.to_string() == value);
    match is_number {
        true => value.to_owned(),
        false => literal::string(value),
    }
}

/// Calls that add a part to a request.
fn of_part(scope: &mut Scope, part: &RequestPart) -> Vec<String> {
    let pair = |kind: &str, name: &str, value: &str| {
        let (name, value) = (literal::string(name), literal::string(value));
        vec![format!(".{kind}({name}, {value})")]
    };
    match part {
        RequestPart::Parameter(name, value) => pair("param", name, value),
        RequestPart::Header(name, value) => pair("header", name, value),
        RequestPart::Body { media_type, text } => {
            let types = scope.import("org.springframework.http.MediaType");
            let media_type = match media_type.as_str() {
                "application/json" => format!("{types}.APPLICATION_JSON"),
                "text/plain" => format!("{types}.TEXT_PLAIN"),
                other => literal::string(other),
            };
            vec![
                format!(".contentType({media_type})"),
                format!(".content({})", literal::string(text)),
            ]
        }
    }
}

/// Argument of `andExpect` for a property of the response.
fn expectation(scope: &mut Scope, held: &[Expression], expected: &Expectation) -> String {
    let string = |text: &str| literal::string(text);
    match expected {
        Expectation::Redirect(url) => {
            format!("{}({})", matcher(scope, "redirectedUrl"), string(url))
        }
        Expectation::Header(name, value) => {
            let header = matcher(scope, "header");
            format!("{header}().string({}, {})", string(name), string(value))
        }
        Expectation::View(name) => format!("{}().name({})", matcher(scope, "view"), string(name)),
        Expectation::Errors(name) => {
            let model = matcher(scope, "model");
            format!("{model}().attributeHasErrors({})", string(name))
        }
        Expectation::Attribute {
            is_flash,
            name,
            value,
        } => {
            let of = matcher(scope, if *is_flash { "flash" } else { "model" });
            match attribute(scope, held, value) {
                Some(value) => format!("{of}().attribute({}, {value})", string(name)),
                None => format!("{of}().attributeExists({})", string(name)),
            }
        }
        Expectation::JsonElement(path, element) => {
            let start = format!("{}({})", matcher(scope, "jsonPath"), string(path));
            match element {
                JsonElement::Text(text) => format!("{start}.value({})", string(text)),
                JsonElement::Constant(source) => format!("{start}.value({source})"),
                JsonElement::Length(length) => format!("{start}.value({length})"),
                JsonElement::Empty => format!("{start}.isEmpty()"),
            }
        }
        Expectation::Json(text) => {
            format!("{}().json({})", matcher(scope, "content"), string(text))
        }
        Expectation::Text(text) => {
            format!("{}().string({})", matcher(scope, "content"), string(text))
        }
    }
}

/// Expression of the value of an attribute, if it has one.
fn attribute(scope: &mut Scope, held: &[Expression], value: &AttributeValue) -> Option<String> {
    match value {
        AttributeValue::Held(place) => {
            let source = &held.get(*place)?.source;
            (!source.is_empty()).then(|| source.clone())
        }
        AttributeValue::Text(text) => Some(literal::string(text)),
        AttributeValue::Constant(source) => Some(source.clone()),
        AttributeValue::List(elements) => {
            let elements = elements.iter();
            let elements: Option<Vec<String>> = elements
                .map(|element| attribute(scope, held, element))
                .collect();
            Some(list(scope, &elements?, false))
        }
        AttributeValue::Other => None,
    }
}
