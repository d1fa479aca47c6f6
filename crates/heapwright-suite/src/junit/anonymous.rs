//! Anonymous classes in tests, and the lambdas that replace them.
//!
//! A method whose calls differ counts them in a field of its own.

use std::collections::BTreeSet;

use super::arguments::{ArgumentExpression, literal_argument};
use super::build::Expression;
use super::call;
use super::scope::Scope;
use super::steps;
use super::stub_calls;
use crate::{
    Access, AnonymousBody, AnonymousMethod, ClassSig, Input, Literal, StubOutcome, Value, literal,
};

/// Exception that needs no declaration.
const UNCHECKED: &str = "java.lang.IllegalStateException";

/// Expression of a new object of an anonymous class, in lines; `creation` is the call of its
/// superclass' constructor. `held` are the variables that it may return.
pub(super) fn expression(
    scope: &mut Scope,
    held: &[Expression],
    class: &str,
    creation: &str,
    body: &AnonymousBody,
) -> Option<String> {
    if let Some((method, outcome)) = body.as_lambda() {
        return lambda(scope, held, method, outcome);
    }
    let arguments = &creation[creation.find('(')?..];
    let name = match scope.parameterized(class, &body.contents) {
        Some(name) => name,
        None => scope.type_name(class)?,
    };
    let mut lines = vec![format!("new {name}{arguments} {{")];
    let methods: Vec<&AnonymousMethod> = body.methods.iter().collect();
    lines.extend(members(scope, held, &methods)?);
    lines.push("}".to_owned());
    Some(lines.join("\n"))
}

/// Lines of the members of an anonymous class with some methods.
pub(super) fn members(
    scope: &mut Scope,
    held: &[Expression],
    methods: &[&AnonymousMethod],
) -> Option<Vec<String>> {
    let mut lines = Vec::new();
    let mut counters = BTreeSet::new();
    let mut declarations = Vec::new();
    for method in methods {
        let counter = match method.outcomes.len() {
            0 | 1 => String::new(),
            _ => counter(scope, &method.method.name, &mut counters),
        };
        if !counter.is_empty() {
            lines.push(format!("    private int {counter};"));
        }
        declarations.push(declaration(scope, held, method, &counter)?);
    }
    for method in declarations {
        if !lines.is_empty() {
            lines.push(String::new());
        }
        lines.push(format!("    @{}", scope.lang("Override")));
        lines.extend(method.into_iter().map(call::indented));
    }
    Some(lines)
}

/// Lambda with one outcome.
fn lambda(
    scope: &mut Scope,
    held: &[Expression],
    method: &AnonymousMethod,
    outcome: &StubOutcome,
) -> Option<String> {
    let count = method.parameters.len();
    let is_taken = |name: &str| scope.locals.contains(name);
    let names = literal::lambda_parameters(count, is_taken);
    let kept = stub_calls::kept(scope, &method.method, &names, &[]);
    if !kept.is_empty() {
        let body = match (&kept[..], outcome) {
            ([only], StubOutcome::Nothing) => only.clone(),
            (all, StubOutcome::Nothing) => format!("{{ {}; }}", all.join("; ")),
            (all, outcome) => {
                let statement = statement(scope, held, &names, outcome)?;
                format!("{{ {}; {statement} }}", all.join("; "))
            }
        };
        return Some(literal::lambda(&names, &body));
    }
    let body = match outcome {
        StubOutcome::Nothing => "{}".to_owned(),
        StubOutcome::Parameter(number) => names.get(*number)?.clone(),
        StubOutcome::Value(value) => value_of(scope, held, value).source,
        StubOutcome::Runs { parameter, method } => {
            format!("{}.{}()", names.get(*parameter)?, literal::ascii(method))
        }
        StubOutcome::Throws { .. } => format!("{{ {} }}", statement(scope, held, &names, outcome)?),
    };
    Some(literal::lambda(&names, &body))
}

/// Name of the field that counts the calls of a method.
fn counter(scope: &Scope, method: &str, known: &mut BTreeSet<String>) -> String {
    let numbered = (2..).map(|number| format!("{method}Calls{number}"));
    let mut names = std::iter::once(format!("{method}Calls")).chain(numbered);
    let name = names.find(|name| !scope.locals.contains(name) && !known.contains(name));
    let name = name.unwrap_or_default();
    known.insert(name.clone());
    literal::ascii(&name)
}

/// Names of the parameters of a method.
pub(super) fn parameters(scope: &Scope, method: &AnonymousMethod) -> Vec<String> {
    let is_taken = |name: &str| scope.locals.contains(name);
    literal::parameters(method.parameters.len(), is_taken)
}

/// Type that a method returns.
pub(super) fn returned(scope: &mut Scope, method: &AnonymousMethod) -> Option<String> {
    let Some(class) = &method.returns else {
        return Some("void".to_owned());
    };
    match scope.parameterized(&class.name, &method.returned_contents) {
        Some(name) => Some(name),
        None => scope.type_name(&class.name),
    }
}

/// Lines of a method; `counter` counts its calls.
fn declaration(
    scope: &mut Scope,
    held: &[Expression],
    method: &AnonymousMethod,
    counter: &str,
) -> Option<Vec<String>> {
    let names = parameters(scope, method);
    let types = method.parameters.iter().map(|class| class.name.clone());
    let types: Vec<String> = types.collect();
    let kept = stub_calls::kept(scope, &method.method, &names, &types);
    let body = body(scope, held, &names, method, counter)?;
    let body = kept.into_iter().map(|kept| format!("{kept};")).chain(body);
    with_body(scope, method, &names, body.collect())
}

/// Lines of a method, given those of its body; `names` are those of the parameters.
pub(super) fn with_body(
    scope: &mut Scope,
    method: &AnonymousMethod,
    names: &[String],
    body: Vec<String>,
) -> Option<Vec<String>> {
    let access = match method.access {
        Access::Public => "public ",
        Access::Protected => "protected ",
        Access::Package | Access::Private => "",
    };
    let mut parameters = Vec::new();
    for (class, name) in method.parameters.iter().zip(names) {
        parameters.push(format!("{} {name}", scope.type_name(&class.name)?));
    }
    if let Some(last) = parameters.last_mut().filter(|_| method.is_variadic) {
        *last = last.replacen("[] ", "... ", 1);
    }
    let returns = returned(scope, method)?;
    let mut thrown = BTreeSet::new();
    for class in method.outcomes.iter().filter_map(StubOutcome::thrown) {
        if class.name != UNCHECKED {
            thrown.insert(scope.type_name(&class.name)?);
        }
    }
    let thrown: Vec<String> = thrown.into_iter().collect();
    let throws = match thrown.is_empty() {
        true => String::new(),
        false => format!(" throws {}", thrown.join(", ")),
    };
    let name = literal::ascii(&method.method.name);
    let mut lines = vec![format!(
        "{access}{returns} {name}({}){throws} {{",
        parameters.join(", ")
    )];
    lines.extend(body.into_iter().map(call::indented));
    lines.push("}".to_owned());
    Some(lines)
}

/// Lines of a method's body.
fn body(
    scope: &mut Scope,
    held: &[Expression],
    names: &[String],
    method: &AnonymousMethod,
    counter: &str,
) -> Option<Vec<String>> {
    let Some((last, before)) = method.outcomes.split_last() else {
        return Some(Vec::new());
    };
    let Some(first) = before.first() else {
        return Some(match last {
            StubOutcome::Nothing => Vec::new(),
            last => vec![statement(scope, held, names, last)?],
        });
    };
    if before.iter().any(|outcome| outcome != first) {
        let mut lines = vec![format!("switch ({counter}++) {{")];
        for (number, outcome) in method.outcomes.iter().enumerate() {
            lines.push(match number == before.len() {
                true => "    default:".to_owned(),
                false => format!("    case {number}:"),
            });
            let statement = statement(scope, held, names, outcome)?;
            lines.push(format!("        {statement}"));
        }
        lines.push("}".to_owned());
        return Some(lines);
    }
    let count = before.len();
    if let Some(value) = chosen(scope, held, (first, last), counter, count) {
        return Some(vec![format!("return {value};")]);
    }
    let mut lines = vec![
        format!("if ({counter}++ < {count}) {{"),
        format!("    {}", statement(scope, held, names, first)?),
        "}".to_owned(),
    ];
    if *last != StubOutcome::Nothing {
        lines.push(statement(scope, held, names, last)?);
    }
    Some(lines)
}

/// Expression that has one value in the first `count` calls and another one later; `None` if the two
/// have no common type.
fn chosen(
    scope: &mut Scope,
    held: &[Expression],
    (first, last): (&StubOutcome, &StubOutcome),
    counter: &str,
    count: usize,
) -> Option<String> {
    let (StubOutcome::Value(first), StubOutcome::Value(last)) = (first, last) else {
        return None;
    };
    let truth = |input: &Input| match input.literal() {
        Some(Literal::Value(Value::Boolean(truth))) => Some(*truth),
        _ => None,
    };
    match (truth(first), truth(last)) {
        (Some(true), Some(false)) => return Some(format!("{counter}++ < {count}")),
        (Some(false), Some(true)) => return Some(format!("{counter}++ >= {count}")),
        _ => {}
    }
    let (first, last) = (value_of(scope, held, first), value_of(scope, held, last));
    let is_null = |value: &ArgumentExpression| value.static_type == "null";
    let is_common = first.static_type == last.static_type || is_null(&first) || is_null(&last);
    is_common.then(|| format!("{counter}++ < {count} ? {} : {}", first.source, last.source))
}

/// Statement of an outcome; `names` are those of the parameters.
fn statement(
    scope: &mut Scope,
    held: &[Expression],
    names: &[String],
    outcome: &StubOutcome,
) -> Option<String> {
    Some(match outcome {
        StubOutcome::Nothing => "return;".to_owned(),
        StubOutcome::Value(value) => format!("return {};", value_of(scope, held, value).source),
        StubOutcome::Parameter(number) => format!("return {};", names.get(*number)?),
        StubOutcome::Runs { parameter, method } => {
            format!("{}.{}();", names.get(*parameter)?, literal::ascii(method))
        }
        StubOutcome::Throws { class, arguments } => {
            format!("throw {};", exception(scope, class, arguments)?)
        }
    })
}

/// Expression of a new exception.
pub(super) fn exception(
    scope: &mut Scope,
    class: &ClassSig,
    arguments: &[Literal],
) -> Option<String> {
    let name = scope.type_name(&class.name)?;
    let arguments = arguments
        .iter()
        .map(|argument| literal_argument(scope, argument).source);
    let arguments: Vec<String> = arguments.collect();
    Some(format!("new {name}({})", arguments.join(", ")))
}

/// Returned value, a box as its primitive.
pub(super) fn value_of(
    scope: &mut Scope,
    held: &[Expression],
    value: &Input,
) -> ArgumentExpression {
    let mut value = steps::argument(scope, held, value, "Ljava/lang/Object;");
    if let Some(unboxed) = value.unboxed.take() {
        value.source = unboxed;
    }
    value
}
