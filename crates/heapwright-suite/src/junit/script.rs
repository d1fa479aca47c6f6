//! Body of a test that is one run of statements: arrangement, the call under test, assertions.
//!
//! The result of a statement is one local variable, assigned once, if it is used.

use super::JunitVersion;
use super::build::{self, Built, Expression, OBJECT};
use super::call;
use super::contract;
use super::mocks;
use super::scope::Scope;
use super::steps;
use super::support::Helper;
use crate::types::{binary_name, element_descriptor, is_platform, primitive_keyword};
use crate::{
    Access, Action, CallOutcome, ClassSig, FieldAccess, Input, Label, Literal, Observation,
    Requirement, Script, Statement, Step, Suite, literal,
};

/// Lines of the body without indentation; an empty line separates the arrangement from the call
/// under test.
pub(super) fn body(suite: &Suite, scope: &mut Scope, script: &Script) -> Vec<String> {
    // `Suite::check` has ensured that there is one.
    let Some((step, before)) = script.call_under_test() else {
        return Vec::new();
    };
    let names = script.variables();
    scope.locals = names.iter().cloned().collect();
    let mut built = Built::default();
    for (statement, name) in before.iter().zip(&names) {
        let variable = arrange(scope, &mut built, statement, name);
        built.expressions.push(variable);
    }
    let mut lines = std::mem::take(&mut built.statements);
    if !lines.is_empty() {
        lines.push(String::new());
    }
    let name = names.last().map_or("", String::as_str);
    let is_bare = script.after.is_empty() && script.invariant_holds_after.is_none();
    let is_bare = is_bare
        && step.is_constructor()
        && script.outcome == CallOutcome::ReturnedVoid
        && name.is_empty();
    let mut checked = match is_bare {
        // No other assertion about the object is possible.
        true => {
            let not_null = scope.assertion("assertNotNull");
            let object = steps::expression(scope, &built.expressions, step).source;
            vec![format!("{not_null}({object});")]
        }
        false => act(scope, &mut built, script, step, name),
    };
    for seen in &script.after {
        checked.push(observe(scope, &built, seen));
    }
    if let (Some(object), Some(invariant)) = (script.invariant_holds_after, &suite.invariant) {
        let of = &built.expressions[object];
        let is_typed = of.static_type != OBJECT;
        let holds = call::invariant_of(scope, &of.source, is_typed, invariant, true);
        checked.push(holds);
    }
    lines.extend(call::guarded(scope, &script.outcome, checked));
    lines
}

/// Lines that restore static state, without indentation.
pub(super) fn resets(suite: &Suite, scope: &mut Scope) -> Vec<String> {
    let script = resetting(suite);
    let names = script.variables();
    let mut built = Built::default();
    for (statement, name) in script.statements.iter().zip(&names) {
        let variable = arrange(scope, &mut built, statement, name);
        built.expressions.push(variable);
    }
    built.statements
}

/// Statements that restore static state as a script without assertions.
pub(super) fn resetting(suite: &Suite) -> Script {
    Script {
        label: Label::default(),
        statements: suite.resets.clone(),
        outcome: CallOutcome::ReturnedVoid,
        after: Vec::new(),
        invariant_holds_after: None,
    }
}

/// Reason why a test on a plain JDK cannot run a script, if there is one.
pub(super) fn obstacle(script: &Script) -> Option<String> {
    let mut stores = script
        .statements
        .iter()
        .filter_map(|statement| match &statement.action {
            Action::StoreField { access, .. } => Some(access),
            _ => None,
        });
    let is_constant = |access: &&FieldAccess| access.receiver.is_none() && access.field.is_final;
    if let Some(access) = stores.find(is_constant) {
        let field = &access.field;
        return Some(format!(
            "{}.{} is static and final and cannot be set",
            field.declaring_class, field.name
        ));
    }
    let mut fields = script.fields().map(|access| &access.field);
    let hidden = fields
        .find(|field| is_platform(&field.declaring_class) && field.access != Access::Public)?;
    Some(format!(
        "fields of {} belong to the JDK and cannot be used from outside",
        hidden.declaring_class
    ))
}

/// Upper bound for the instructions and constants of a script, as [`build::weight`].
pub(super) fn weight(script: &Script) -> usize {
    let statements = script.statements.len() + script.after.len();
    let literals = script
        .literals()
        .map(|literal| 4usize.saturating_add(build::literal_weight(literal)));
    let calls = build::CALL_WEIGHT.saturating_mul(statements);
    literals.fold(calls, usize::saturating_add)
}

/// Writes a statement before the call under test; returns its variable.
fn arrange(scope: &mut Scope, built: &mut Built, statement: &Statement, name: &str) -> Expression {
    let held = built.expressions.as_slice();
    let mock = match &statement.action {
        Action::Call(step) if statement.thrown.is_none() => {
            mocks::declared(scope, held, step, &statement.contents, name)
        }
        Action::Literal { value, .. } => mocks::of_literal(scope, value, name),
        _ => None,
    };
    if let Some((lines, variable)) = mock {
        built.statements.extend(lines);
        return variable;
    }
    let (source, given) = match &statement.action {
        Action::Call(step) => typed(steps::expression(scope, held, step), Some(statement)),
        Action::StoreElement {
            array,
            index,
            value,
        } => {
            let array = &held[*array];
            let element = element_descriptor(&array.static_type).unwrap_or_default();
            let value = fitted(scope, held, value, element);
            built
                .statements
                .push(format!("{}[{index}] = {value};", array.source));
            return Expression::none();
        }
        Action::StoreField { access, value } => {
            let line = store(scope, held, access, value);
            built.statements.push(line);
            return Expression::none();
        }
        _ if name.is_empty() => return Expression::none(),
        Action::Literal { value, made } => constant(scope, value, made),
        Action::NewArray { elements, made } => {
            return new_array(scope, built, elements, made, name);
        }
        Action::LoadElement { array, index, .. } => {
            let array = &held[*array];
            let element = element_descriptor(&array.static_type).unwrap_or_default();
            (format!("{}[{index}]", array.source), binary_name(element))
        }
        Action::LoadField { access, .. } => load(scope, held, access),
    };
    if let Some(thrown) = &statement.thrown {
        let lines = call::threw(scope, &thrown.name, &source);
        built.statements.extend(in_block(scope, lines));
        return Expression::none();
    }
    let made = statement.made().filter(|_| !name.is_empty());
    let given = (source.as_str(), given.as_str());
    let (line, variable) = steps::statement(scope, made, &statement.contents, name, given);
    built.statements.push(line);
    variable
}

/// Expression of a call and its type: the type known of the statement, unless the call uses
/// reflection.
fn typed(call: steps::CallSource, statement: Option<&Statement>) -> (String, String) {
    let known = statement.filter(|_| !call.is_reflective);
    let given = known.and_then(|statement| statement.given.clone());
    (call.source, given.unwrap_or(call.given))
}

/// Encloses lines in a block, to which their variables are local; a single line for JUnit 5 stays
/// as it is.
fn in_block(scope: &Scope, lines: Vec<String>) -> Vec<String> {
    if lines.len() == 1 && scope.version == JunitVersion::Five {
        return lines;
    }
    let inner = lines.into_iter().map(call::indented);
    std::iter::once("{".to_owned())
        .chain(inner)
        .chain(["}".to_owned()])
        .collect()
}

/// The call under test and the assertion of its outcome.
fn act(
    scope: &mut Scope,
    built: &mut Built,
    script: &Script,
    step: &Step,
    name: &str,
) -> Vec<String> {
    if let CallOutcome::Failed(Requirement::Keeps(contract)) = script.outcome {
        return contract::of_step(scope, &built.expressions, step, contract);
    }
    let last = script.statements.last();
    let (mut source, mut given) = typed(steps::expression(scope, &built.expressions, step), last);
    let mut lines = Vec::new();
    if let Some(made) = step.made.as_deref().filter(|_| !name.is_empty()) {
        let contents = last.map_or([].as_slice(), |last| &last.contents);
        let call = (source.as_str(), given.as_str());
        let (line, variable) = steps::statement(scope, Some(made), contents, name, call);
        lines.push(line);
        source.clone_from(&variable.source);
        given.clone_from(&variable.static_type);
        built.expressions.push(variable);
        if matches!(
            script.outcome,
            CallOutcome::ReturnedVoid | CallOutcome::Failed(_)
        ) {
            return lines;
        }
    }
    match &script.outcome {
        CallOutcome::Threw { class } if script.after.iter().any(Observation::is_of_exception) => {
            let thrown = thrown(scope);
            lines.extend(call::threw_held(scope, &class.name, &source, &thrown));
        }
        // Later assertions look at the object.
        CallOutcome::ReturnedObject { class }
            if !name.is_empty()
                && class.as_ref().is_none_or(|class| {
                    Some(class) == step.made.as_ref().map(|made| &made.name)
                }) => {}
        outcome => lines.extend(call::outcome(scope, built, outcome, &source, &given)),
    }
    lines
}

/// Name of the variable for the exception that the call under test throws.
fn thrown(scope: &Scope) -> String {
    let numbered = (1..).map(|number| format!("thrown{number}"));
    let names = std::iter::once("thrown".to_owned()).chain(numbered);
    let mut free = names.filter(|name| !scope.locals.contains(name));
    free.next().unwrap_or_default()
}

fn observe(scope: &mut Scope, built: &Built, seen: &Observation) -> String {
    let held = built.expressions.as_slice();
    let ((source, given), value) = match seen {
        Observation::Call { call, then, value } => {
            let mut seen = typed(steps::expression(scope, held, call), None);
            for step in then {
                let (source, static_type) = seen;
                let on = Expression {
                    source,
                    static_type,
                };
                let step = Step {
                    receiver: Some(0),
                    ..step.clone()
                };
                seen = typed(steps::expression(scope, &[on], &step), None);
            }
            (seen, value)
        }
        Observation::Field { access, value } => (load(scope, held, access), value),
        Observation::Object { object, value } => {
            let object = &held[*object];
            let known = (object.source.clone(), object.static_type.clone());
            (known, value)
        }
        Observation::Message { text } => {
            let equals = scope.assertion("assertEquals");
            let text = literal::string(text);
            return format!("{equals}({text}, {}.getMessage());", thrown(scope));
        }
        Observation::Cause { class } => {
            let equals = scope.assertion("assertEquals");
            let cause = format!("{}.getCause().getClass()", thrown(scope));
            return match scope.bare_name(&class.name) {
                Some(name) => format!("{equals}({name}.class, {cause});"),
                None => {
                    let name = literal::string(&class.name);
                    format!("{equals}({name}, {cause}.getName());")
                }
            };
        }
    };
    call::returned(scope, built, value, &source, &given)
}

/// Literal and its type, which is `Object` if the variable's type needs a cast.
fn constant(scope: &mut Scope, value: &Literal, made: &ClassSig) -> (String, String) {
    let argument = super::arguments::literal_argument(scope, value);
    let given = match argument.static_type == OBJECT {
        true => OBJECT.to_owned(),
        false => scope.variable_type(&made.name).0,
    };
    (argument.unboxed.unwrap_or(argument.source), given)
}

fn new_array(
    scope: &mut Scope,
    built: &mut Built,
    elements: &[Input],
    made: &ClassSig,
    name: &str,
) -> Expression {
    let is_default = |input: &Input| matches!(input, Input::Literal(Literal::Value(value)) if build::is_default(*value));
    let (static_type, declared) = scope.variable_type(&made.name);
    let is_named = static_type == made.name;
    let element = element_descriptor(&static_type)
        .unwrap_or_default()
        .to_owned();
    let mut sources = Vec::new();
    for input in elements {
        sources.push(fitted(scope, &built.expressions, input, &element));
    }
    let value = match is_named && !elements.iter().all(is_default) {
        true => format!("{{{}}}", sources.join(", ")),
        false => build::blank_array(scope, &made.name, elements.len()),
    };
    built
        .statements
        .push(format!("{declared} {name} = {value};"));
    if !is_named {
        let stored = sources.iter().zip(elements).enumerate();
        let stored = stored.filter(|(_, (_, input))| !is_default(input));
        let lines = stored.map(|(at, (source, _))| format!("{name}[{at}] = {source};"));
        built.statements.extend(lines);
    }
    Expression {
        source: name.to_owned(),
        static_type,
    }
}

/// Value for a place with the type of a descriptor, with a cast if it is needed and the type can
/// be named.
fn fitted(scope: &mut Scope, held: &[Expression], input: &Input, expected: &str) -> String {
    let argument = steps::argument(scope, held, input, expected);
    let source = argument.unboxed.unwrap_or(argument.source);
    let expected = binary_name(expected);
    match scope
        .type_name(&expected)
        .filter(|_| expected != OBJECT && !argument.fits)
    {
        Some(cast) => format!("({cast}) {source}"),
        None => source,
    }
}

/// Object or class of a field that can be used without reflection.
fn owner(scope: &mut Scope, held: &[Expression], access: &FieldAccess) -> Option<String> {
    let field = &access.field;
    if !scope.can_use(field.access, &field.declaring_class) {
        return None;
    }
    let class = &access.class.name;
    let Some(receiver) = access.receiver else {
        return scope.type_name(class);
    };
    let receiver = &held[receiver];
    if receiver.static_type == *class {
        return Some(receiver.source.clone());
    }
    // The static type of the expression selects among several fields of one name.
    let cast = scope.type_name(class)?;
    Some(format!("(({cast}) {})", receiver.source))
}

/// Expression of a field and its type as a binary name.
fn load(scope: &mut Scope, held: &[Expression], access: &FieldAccess) -> (String, String) {
    let field = &access.field;
    let name = literal::ascii(&field.name);
    if let Some(owner) = owner(scope, held, access) {
        return (format!("{owner}.{name}"), binary_name(&field.descriptor));
    }
    scope.helper(Helper::Get);
    let receiver = receiver(held, access);
    let class = literal::string(&field.declaring_class);
    let source = format!("get({receiver}, {class}, \"{name}\")");
    (source, OBJECT.to_owned())
}

fn store(scope: &mut Scope, held: &[Expression], access: &FieldAccess, value: &Input) -> String {
    let field = &access.field;
    let name = literal::ascii(&field.name);
    let expected = binary_name(&field.descriptor);
    let can_be_cast =
        primitive_keyword(&field.descriptor).is_some() || scope.type_name(&expected).is_some();
    let is_direct = !field.is_final && can_be_cast;
    let owner = owner(scope, held, access).filter(|_| is_direct);
    match owner {
        Some(owner) => {
            let value = fitted(scope, held, value, &field.descriptor);
            format!("{owner}.{name} = {value};")
        }
        None => {
            scope.helper(Helper::SetDeclared);
            let receiver = receiver(held, access);
            let class = literal::string(&field.declaring_class);
            let value = steps::argument(scope, held, value, &field.descriptor).as_object();
            format!("setDeclared({receiver}, {class}, \"{name}\", {value});")
        }
    }
}

/// Object of a field as an argument of helpers.
fn receiver<'h>(held: &'h [Expression], access: &FieldAccess) -> &'h str {
    access
        .receiver
        .map_or("null", |receiver| held[receiver].source.as_str())
}
