//! Body of a test that is one run of statements: arrangement, the call under test, assertions.
//!
//! The result of a statement is one local variable, assigned once, if it is used.

use super::JunitVersion;
use super::assertions::{self, Actual, Detail};
use super::build::{self, Built, Expression, OBJECT};
use super::call;
use super::contract;
use super::lines::BodyLine;
use super::mocks;
use super::mvc;
use super::scope::Scope;
use super::steps;
use super::stub_calls;
use super::stub_classes;
use super::support::Helper;
use crate::types::{binary_name, element_descriptor, is_platform, primitive_keyword};
use crate::{
    Access, Action, CallOutcome, ClassSig, FieldAccess, Input, Label, Literal, Observation,
    Requirement, Script, Statement, Step, Suite, literal,
};

/// Lines of the body without indentation; empty lines separate the arrangement, the call under
/// test and the assertions.
pub(super) fn body(suite: &Suite, scope: &mut Scope, script: &Script) -> Vec<BodyLine> {
    let Some((reduced, kept)) = mvc::reduced(script) else {
        return whole_body(suite, scope, script);
    };
    let mut lines = whole_body(suite, scope, &reduced);
    for line in &mut lines {
        line.observation = line.observation.and_then(|seen| kept.get(seen).copied());
    }
    lines
}

/// Lines of the body of a script that is written as it is.
fn whole_body(suite: &Suite, scope: &mut Scope, script: &Script) -> Vec<BodyLine> {
    // `Suite::check` has ensured that there is one.
    let Some((step, before)) = script.call_under_test() else {
        return Vec::new();
    };
    let names = scope.roles.names(script);
    let taken = scope.parameters.iter().chain(scope.roles.taken());
    scope.locals = names.iter().chain(taken).cloned().collect();
    scope.kept_calls.clear();
    scope.kept_states.clear();
    let mut built = Built::default();
    for (number, (statement, name)) in before.iter().zip(&names).enumerate() {
        let variable = arrange(scope, &mut built, script, (number, statement, name));
        built.expressions.push(variable);
    }
    scope.written_stub = None;
    let exchange = script.exchange.as_ref();
    let exchange = exchange.map(|exchange| mvc::exchange(scope, &mut built, step, exchange));
    let mut lines = std::mem::take(&mut built.statements);
    if !lines.is_empty() {
        lines.push(String::new());
    }
    let mut lines: Vec<BodyLine> = lines.into_iter().map(BodyLine::from).collect();
    let name = names.last().map_or("", String::as_str);
    let mut act = match exchange {
        Some(performed) => Act {
            called: vec![performed],
            ..Act::default()
        },
        // No other assertion about the object is possible.
        None if is_bare(script, step, name) => {
            let source = steps::expression(scope, &built.expressions, step).source;
            let object = Actual {
                source: &source,
                static_type: OBJECT,
            };
            Act {
                checked: vec![assertions::nullness(scope, object, false).into()],
                ..Act::default()
            }
        }
        None => act(scope, &mut built, script, step, name),
    };
    act.checked.extend(observed(scope, &built, script));
    if let (Some(object), Some(invariant)) = (script.invariant_holds_after, &suite.invariant) {
        let of = &built.expressions[object];
        let is_typed = of.static_type != OBJECT;
        let holds = call::invariant_of(scope, &of.source, is_typed, invariant, true);
        act.checked.push(holds.into());
    }
    if !act.called.is_empty() && !act.checked.is_empty() {
        act.called.push(BodyLine::default());
    }
    act.called.append(&mut act.checked);
    match script.outcome {
        CallOutcome::Failed(_) => {
            let statements = act.called.into_iter().map(|line| line.text).collect();
            let guarded = call::guarded(scope, &script.outcome, statements);
            lines.extend(guarded.into_iter().map(BodyLine::from));
        }
        _ => lines.extend(act.called),
    }
    lines
}

/// The call under test, and assertions.
#[derive(Default)]
struct Act {
    /// Statements that make the call and assert nothing of its outcome, or keep its exception.
    called: Vec<BodyLine>,
    /// Assertions, of the call itself if no statement makes it.
    checked: Vec<BodyLine>,
}

/// Whether a test only makes an object by a constructor.
fn is_bare(script: &Script, step: &Step, name: &str) -> bool {
    let asserts_nothing = script.after.is_empty() && script.invariant_holds_after.is_none();
    asserts_nothing
        && step.is_constructor()
        && script.outcome == CallOutcome::ReturnedVoid
        && name.is_empty()
}

/// Assertions of the observations; those of one object are asserted together if they are many.
fn observed(scope: &mut Scope, built: &Built, script: &Script) -> Vec<BodyLine> {
    let mut lines = Vec::new();
    let mut rest = script.after.iter().enumerate().peekable();
    while let Some((number, seen)) = rest.next() {
        if scope.uses_assertj() && seen.is_of_exception() {
            // The assertion of the exception has it.
            continue;
        }
        if let Observation::Calls { stub, method, .. } = seen {
            let of_method = |seen: &Observation| match seen {
                Observation::Calls {
                    stub: other,
                    method: called,
                    ..
                } => other == stub && called == method,
                _ => false,
            };
            // The first observation of a method's calls has the assertions of all.
            if !script.after[..number].iter().any(of_method) {
                let of_calls = stub_calls::assertions(scope, built, script, (*stub, method));
                lines.extend(of_calls);
            }
            continue;
        }
        let line = |text: String, observation| BodyLine {
            text,
            observation: Some(observation),
        };
        let mut of_object = vec![line(observe(scope, built, seen), number)];
        if let Some(object) = observed_object(seen).filter(|_| scope.version == JunitVersion::Five)
        {
            while let Some((number, seen)) =
                rest.next_if(|(_, seen)| observed_object(seen) == Some(object))
            {
                of_object.push(line(observe(scope, built, seen), number));
            }
        }
        match of_object.len() < MIN_TOGETHER {
            true => lines.extend(of_object),
            false => lines.extend(together(scope, of_object)),
        }
    }
    lines
}

/// Number of observations of one object from which they are asserted together.
const MIN_TOGETHER: usize = 3;

/// Object that an observation asks something of.
fn observed_object(seen: &Observation) -> Option<usize> {
    match seen {
        Observation::Call { call, .. } => call.receiver,
        Observation::Field { access, .. } => access.receiver,
        Observation::Object { .. }
        | Observation::Message { .. }
        | Observation::Cause { .. }
        | Observation::Calls { .. } => None,
    }
}

/// Statement that makes all of some assertions, even if one of them fails.
fn together(scope: &mut Scope, assertions: Vec<BodyLine>) -> Vec<BodyLine> {
    let all = scope.assertion("assertAll");
    let last = assertions.len() - 1;
    let lines = assertions.into_iter().enumerate().map(|(at, line)| {
        let end = if at == last { ");" } else { "," };
        let assertion = line.text.trim_end_matches(';');
        BodyLine {
            text: format!("        () -> {assertion}{end}"),
            ..line
        }
    });
    std::iter::once(format!("{all}(").into())
        .chain(lines)
        .collect()
}

/// Lines that restore static state, without indentation.
pub(super) fn resets(suite: &Suite, scope: &mut Scope) -> Vec<String> {
    let script = resetting(suite);
    let names = script.variables();
    let mut built = Built::default();
    for (number, (statement, name)) in script.statements.iter().zip(&names).enumerate() {
        let variable = arrange(scope, &mut built, &script, (number, statement, name));
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
        settings: Vec::new(),
        exchange: None,
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

/// Writes a statement of a script before the call under test; returns its variable.
pub(super) fn arrange(
    scope: &mut Scope,
    built: &mut Built,
    script: &Script,
    (number, statement, name): (usize, &Statement, &str),
) -> Expression {
    scope.written_stub = Some(number);
    let states = stub_calls::keep_states(scope, script, number);
    built.statements.extend(states);
    let held = built.expressions.as_slice();
    let mock = match &statement.action {
        Action::Call(step) if statement.thrown.is_none() => {
            mocks::declared(scope, held, step, &statement.contents, name)
        }
        Action::Literal { value, .. } => mocks::of_literal(scope, value, name),
        _ => None,
    };
    let stub = match mock {
        None if !name.is_empty() => stub_classes::declared(scope, held, script, number, name),
        mock => mock,
    };
    let is_made = scope.roles.is_made(number);
    if let Some((lines, variable)) = stub {
        // The field declares it.
        let lines = lines.into_iter().skip(usize::from(is_made));
        let lines = lines.map(|line| scope.roles.assigned(number, line));
        built.statements.extend(lines);
        return variable;
    }
    if is_made {
        let roles = std::mem::take(&mut scope.roles);
        let variable = roles.expression(scope, number, statement);
        scope.roles = roles;
        return variable;
    }
    let kept = stub_calls::keep(scope, script, (number, statement));
    built.statements.extend(kept);
    let held = built.expressions.as_slice();
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
        let lines = assertions::threw(scope, &thrown.name, &source, None);
        built.statements.extend(in_block(lines));
        return Expression::none();
    }
    let made = statement.made().filter(|_| !name.is_empty());
    let given = (source.as_str(), given.as_str());
    let (line, variable) = steps::statement(scope, made, &statement.contents, name, given);
    built.statements.push(scope.roles.assigned(number, line));
    variable
}

/// Expression of a call and its type: the type known of the statement, unless the call uses
/// reflection.
fn typed(call: steps::CallSource, statement: Option<&Statement>) -> (String, String) {
    let known = statement.filter(|_| !call.is_reflective);
    let given = known.and_then(|statement| statement.given.clone());
    (call.source, given.unwrap_or(call.given))
}

/// Encloses lines in a block, to which their variables are local; a single line stays as it is.
fn in_block(lines: Vec<String>) -> Vec<String> {
    if lines.len() == 1 {
        return lines;
    }
    let inner = lines.into_iter().map(call::indented);
    std::iter::once("{".to_owned())
        .chain(inner)
        .chain(["}".to_owned()])
        .collect()
}

/// The call under test and the assertion of its outcome.
fn act(scope: &mut Scope, built: &mut Built, script: &Script, step: &Step, name: &str) -> Act {
    let lines = |lines: Vec<String>| lines.into_iter().map(BodyLine::from).collect();
    if let CallOutcome::Failed(Requirement::Keeps(contract)) = script.outcome {
        return Act {
            checked: lines(contract::of_step(scope, &built.expressions, step, contract)),
            ..Act::default()
        };
    }
    let last = script.statements.last();
    let (mut source, mut given) = typed(steps::expression(scope, &built.expressions, step), last);
    let mut act = Act::default();
    if let Some(made) = step.made.as_deref().filter(|_| !name.is_empty()) {
        let contents = last.map_or([].as_slice(), |last| &last.contents);
        let call = (source.as_str(), given.as_str());
        let (line, variable) = steps::statement(scope, Some(made), contents, name, call);
        let line = scope.roles.assigned(script.statements.len() - 1, line);
        act.called.push(line.into());
        source.clone_from(&variable.source);
        given.clone_from(&variable.static_type);
        built.expressions.push(variable);
        if matches!(
            script.outcome,
            CallOutcome::ReturnedVoid | CallOutcome::Failed(_)
        ) {
            return act;
        }
    }
    match &script.outcome {
        CallOutcome::Threw { class, .. } => {
            let statement = threw(scope, script, &class.name, &source);
            let is_held = script.after.iter().any(Observation::is_of_exception);
            match is_held && !scope.uses_assertj() {
                true => act.called.extend(statement),
                false => act.checked.extend(statement),
            }
        }
        // Later assertions look at the object.
        CallOutcome::ReturnedObject { class }
            if !name.is_empty()
                && class.as_ref().is_none_or(|class| {
                    Some(class) == step.made.as_ref().map(|made| &made.name)
                }) => {}
        outcome @ (CallOutcome::ReturnedVoid | CallOutcome::Failed(_)) => {
            act.called = lines(call::outcome(scope, built, outcome, &source, &given));
        }
        outcome => act.checked = lines(call::outcome(scope, built, outcome, &source, &given)),
    }
    act
}

/// Asserts that the call under test throws an exception, which is kept if something is asserted of
/// it.
fn threw(scope: &mut Scope, script: &Script, class: &str, source: &str) -> Vec<BodyLine> {
    let details = script.after.iter().enumerate();
    let details = details.filter_map(|(number, seen)| Some((number, detail(seen)?)));
    let (numbers, details): (Vec<usize>, Vec<Detail>) = details.unzip();
    if !scope.uses_assertj() {
        let variable = thrown(scope);
        let variable = (!details.is_empty()).then_some(variable.as_str());
        let lines = assertions::threw(scope, class, source, variable);
        return lines.into_iter().map(BodyLine::from).collect();
    }
    let lines = assertions::threw_by_assertj(scope, class, source, &details);
    // The details are lines of their own, those of a class without a name before the last one.
    let is_named = scope.bare_name(class).is_some();
    let start = usize::from(is_named) + 1;
    let lines = lines.into_iter().enumerate().map(|(at, text)| BodyLine {
        text,
        observation: at
            .checked_sub(start)
            .and_then(|detail| numbers.get(detail).copied()),
    });
    lines.collect()
}

/// What an observation asserts of an exception, if it is about one.
fn detail(seen: &Observation) -> Option<Detail> {
    match seen {
        Observation::Message { text } => Some(Detail::Message(match text {
            Literal::String(text) => literal::string(text),
            Literal::Parameter { name, .. } => name.clone(),
            _ => return None,
        })),
        Observation::Cause { class } => Some(Detail::Cause(class.name.clone())),
        _ => None,
    }
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
            let called = steps::expression(scope, held, call);
            let known = call.made.as_ref().filter(|_| !called.is_reflective);
            let given = known.map_or(called.given, |made| made.name.clone());
            (
                stub_calls::asked(scope, (called.source, given), then),
                value,
            )
        }
        Observation::Field { access, value } => (load(scope, held, access), value),
        Observation::Object { object, value } => {
            let object = &held[*object];
            let known = (object.source.clone(), object.static_type.clone());
            (known, value)
        }
        // Written apart.
        Observation::Calls { .. } => return String::new(),
        Observation::Message { .. } | Observation::Cause { .. } => {
            let variable = thrown(scope);
            let detail = detail(seen).map(|detail| assertions::detail(scope, &variable, &detail));
            return detail.unwrap_or_default();
        }
    };
    let actual = Actual {
        source: &source,
        static_type: &given,
    };
    assertions::returned(scope, built, value, actual)
}

/// Literal and its type, which is `Object` if the variable's type needs a cast.
fn constant(scope: &mut Scope, value: &Literal, made: &ClassSig) -> (String, String) {
    let argument = super::arguments::literal_argument(scope, value);
    // The declaration says whether the type is raw.
    let uses_raw_types = scope.uses_raw_types;
    let given = match argument.static_type == OBJECT {
        true => OBJECT.to_owned(),
        false => scope.variable_type(&made.name).0,
    };
    scope.uses_raw_types = uses_raw_types;
    (argument.unboxed.unwrap_or(argument.source), given)
}

fn new_array(
    scope: &mut Scope,
    built: &mut Built,
    elements: &[Input],
    made: &ClassSig,
    name: &str,
) -> Expression {
    let is_default = |input: &Input| matches!(input, Input::Literal(Literal::Value(value)) if value.is_default());
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

/// Source and type of a static field that tests can read and set; `None` if only reflection can.
pub(super) fn static_field(scope: &mut Scope, access: &FieldAccess) -> Option<(String, String)> {
    let field = &access.field;
    let class = scope.type_name(&binary_name(&field.descriptor));
    let class = class.filter(|_| !field.is_final)?;
    let owner = owner(scope, &[], access)?;
    Some((format!("{owner}.{}", literal::ascii(&field.name)), class))
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
            let receiver = receiver(held, access);
            let value = steps::argument(scope, held, value, &field.descriptor).as_object();
            if scope.has_reflection_utils && is_found_by_name(held, access) {
                let utils = scope.import(REFLECTION_UTILS);
                return format!("{utils}.setField({receiver}, \"{name}\", {value});");
            }
            scope.helper(Helper::SetDeclared);
            let class = literal::string(&field.declaring_class);
            format!("setDeclared({receiver}, {class}, \"{name}\", {value});")
        }
    }
}

/// Class of Spring's tests that sets fields.
const REFLECTION_UTILS: &str = "org.springframework.test.util.ReflectionTestUtils";

/// Whether the name of a field alone says which one of an object it is: none of a subclass hides it.
fn is_found_by_name(held: &[Expression], access: &FieldAccess) -> bool {
    let receiver = access.receiver.map(|receiver| &held[receiver]);
    receiver.is_some_and(|receiver| receiver.static_type == access.class.name)
}

/// Object of a field as an argument of helpers.
fn receiver<'h>(held: &'h [Expression], access: &FieldAccess) -> &'h str {
    access
        .receiver
        .map_or("null", |receiver| held[receiver].source.as_str())
}
