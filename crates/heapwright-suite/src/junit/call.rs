//! Statements that make one call and assert its observed outcome.
//!
//! The call is plain Java if the compiler is sure to select the method under test, otherwise it
//! uses reflection.

use std::sync::Arc;

use super::JunitVersion;
use super::arguments::{ArgumentExpression, arguments, arguments_before};
use super::assertions::{self, Actual};
use super::build::{Built, OBJECT};
use super::scope::Scope;
use super::support::Helper;
use crate::types::{MethodDescriptor, binary_name};
use crate::variables::is_valid_source_name;
use crate::{
    Body, Call, CallOutcome, CallSyntax, Case, Casts, InvariantSig, Label, Literal, MethodSig,
    Requirement, Structure, Value, literal,
};

/// Assertion of the invariant on the root.
pub(super) fn invariant(
    scope: &mut Scope,
    built: &Built,
    invariant: &InvariantSig,
    holds: bool,
) -> String {
    let is_typed = built.static_type(0) != "java.lang.Object";
    invariant_of(
        scope,
        &built.value(Value::Ref(0)),
        is_typed,
        invariant,
        holds,
    )
}

/// Like `invariant`, on any object; `is_typed` tells whether its expression has the type of its
/// class.
pub(super) fn invariant_of(
    scope: &mut Scope,
    receiver: &str,
    is_typed: bool,
    invariant: &InvariantSig,
    holds: bool,
) -> String {
    let is_accessible = scope.can_use(invariant.access, &invariant.declaring_class);
    let name = literal::ascii(&invariant.name);
    let expression = if is_accessible && is_typed {
        format!("{receiver}.{name}()")
    } else {
        scope.helper(Helper::Invoke);
        let class = literal::string(&invariant.declaring_class);
        format!("(boolean) invoke({receiver}, {class}, \"{name}()\")")
    };
    assertions::truth(scope, &expression, holds)
}

/// Writes the call and the assertion of its outcome.
pub(super) fn statements(
    scope: &mut Scope,
    built: &Built,
    input: &Structure,
    call: &Call,
    types: &MethodDescriptor,
) -> Vec<String> {
    let (expression, is_typed) = expression(scope, built, input, call, types);
    match &call.outcome {
        CallOutcome::Failed(Requirement::Satisfies(oracle)) => {
            let result = (types.returns != "V").then_some((expression.as_str(), is_typed));
            let mut statements = Vec::new();
            if result.is_none() {
                statements.push(format!("{expression};"));
            }
            statements.push(satisfied(scope, built, input, call, oracle, result));
            statements
        }
        CallOutcome::Failed(Requirement::Agrees(counterpart)) => {
            super::agree::statements(scope, built, input, call, counterpart, &expression)
        }
        CallOutcome::Failed(Requirement::Keeps(contract)) => {
            super::contract::statements(scope, built, input, call, *contract)
        }
        CallOutcome::Failed(Requirement::MakesValid) => {
            let class = is_typed
                .then(|| scope.type_name(&call.method.declaring_class))
                .flatten();
            let class = class.unwrap_or_else(|| "Object".to_owned());
            vec![format!("{class} made = {expression};")]
        }
        CallOutcome::Failed(Requirement::KeepsArgument {
            thrown: Some(class),
            ..
        }) => assertions::threw(scope, &class.name, &expression, None),
        plain => {
            let given = match is_typed {
                true => binary_name(&types.returns),
                false => OBJECT.to_owned(),
            };
            outcome(scope, built, plain, &expression, &given)
        }
    }
}

/// Statement that evaluates the expression of a call, and the assertion of its outcome. `given`
/// is the expression's type as a binary name. For a violated requirement only the call is
/// written.
pub(super) fn outcome(
    scope: &mut Scope,
    built: &Built,
    outcome: &CallOutcome,
    expression: &str,
    given: &str,
) -> Vec<String> {
    match outcome {
        CallOutcome::ReturnedVoid | CallOutcome::Failed(_) => vec![format!("{expression};")],
        CallOutcome::Threw { class, .. } => assertions::threw(scope, &class.name, expression, None),
        CallOutcome::ReturnedObject { class: None } => {
            let actual = Actual {
                source: expression,
                static_type: given,
            };
            vec![assertions::nullness(scope, actual, false)]
        }
        CallOutcome::ReturnedObject { class: Some(class) } => {
            assertions::has_class(scope, class, expression)
        }
        CallOutcome::Returned(expected) => {
            let actual = Actual {
                source: expression,
                static_type: given,
            };
            vec![assertions::returned(scope, built, expected, actual)]
        }
    }
}

/// Time limit of a call that must terminate, in seconds.
const MAX_SECONDS: u32 = 5;

/// Whether the outcome is compared with the structure before the call, which therefore needs two
/// copies.
pub(super) fn needs_copy(call: &Call) -> bool {
    let CallOutcome::Failed(requirement) = &call.outcome else {
        return false;
    };
    matches!(
        requirement,
        Requirement::Satisfies(_) | Requirement::Agrees(_)
    )
}

/// Case with a second copy of its structure after the first; nothing changes the copy.
pub(super) fn with_copy(case: &Case) -> Case {
    let mut doubled = case.clone();
    let count = case.input.objects.len();
    let moved = |value: Value| match value {
        Value::Ref(target) => Value::Ref(target + count),
        other => other,
    };
    for object in &case.input.objects {
        let mut copy = object.clone();
        match &mut copy.body {
            Body::Fields(fields) => fields
                .iter_mut()
                .for_each(|field| field.value = moved(field.value)),
            Body::Array(elements) => elements
                .iter_mut()
                .for_each(|element| *element = moved(*element)),
            Body::Boxed(_) | Body::String(_) | Body::EnumConstant(_) => {}
        }
        doubled.input.objects.push(copy);
    }
    doubled
}

/// Asserts that the copy, the arguments, the receiver and the result, if there is one, satisfy an
/// oracle. `result` is an expression, and whether it has the method's type.
fn satisfied(
    scope: &mut Scope,
    built: &Built,
    input: &Structure,
    call: &Call,
    oracle: &Arc<MethodSig>,
    result: Option<(&str, bool)>,
) -> String {
    let case = Case {
        input: input.clone(),
        construction: None,
        calls: Vec::new(),
    };
    let doubled = with_copy(&case).input;
    let mut args = vec![Literal::Value(Value::Ref(input.objects.len()))];
    args.extend(arguments_before(input, call));
    args.push(Literal::Value(Value::Ref(0)));
    let asked = Call {
        method: Arc::clone(oracle),
        args,
        outcome: CallOutcome::ReturnedVoid,
        invariant_holds_after: true,
        then: Vec::new(),
        label: Label::default(),
    };
    let types = MethodDescriptor::parse(&oracle.descriptor).unwrap_or_default();
    let arguments = arguments(scope, built, &doubled, &asked, &types);
    let plain = match result {
        Some((_, false)) => None,
        _ => direct(
            scope,
            &oracle.declaring_class,
            None,
            oracle,
            (&types.parameters, None),
            &arguments,
        ),
    };
    let mut expression = plain.unwrap_or_else(|| {
        format!(
            "(boolean) {}",
            reflective(scope, None, oracle, &types, &arguments)
        )
    });
    if let Some((result, _)) = result {
        expression.truncate(expression.len() - 1);
        expression.push_str(&format!(", {result})"));
    }
    assertions::truth(scope, &expression, true)
}

/// Attribute of the annotation of JUnit 4 or TestNG that limits the time of a call that must terminate.
pub(super) fn time_limit(version: JunitVersion, outcome: &CallOutcome) -> String {
    match (outcome, version) {
        (CallOutcome::Failed(Requirement::Ends), JunitVersion::Four) => {
            format!("(timeout = {MAX_SECONDS}_000)")
        }
        (CallOutcome::Failed(Requirement::Ends), JunitVersion::TestNg) => {
            format!("(timeOut = {MAX_SECONDS}_000)")
        }
        _ => String::new(),
    }
}

/// Guards the statements of a test so that other tests still run. JUnit 5's time limit stops a
/// call that must terminate, and a handler catches an `OutOfMemoryError`, which would end the
/// whole JUnit run.
pub(super) fn guarded(
    scope: &mut Scope,
    outcome: &CallOutcome,
    statements: Vec<String>,
) -> Vec<String> {
    let is_timed = matches!(outcome, CallOutcome::Failed(Requirement::Ends));
    let fills_memory = match outcome {
        CallOutcome::Failed(Requirement::DoesNotThrow(class)) => class == NO_MEMORY,
        _ => is_timed,
    };
    let statements = match fills_memory {
        true => without_memory(scope, statements),
        false => statements,
    };
    if !is_timed || scope.version != JunitVersion::Five {
        return statements;
    }
    let assertion = scope.assertion("assertTimeoutPreemptively");
    let duration = scope.import("java.time.Duration");
    let mut lines = vec![format!(
        "{assertion}({duration}.ofSeconds({MAX_SECONDS}), () -> {{"
    )];
    lines.extend(statements.into_iter().map(indented));
    lines.push("});".to_owned());
    lines
}

/// Error of a full heap.
const NO_MEMORY: &str = "java.lang.OutOfMemoryError";

/// Statements with a handler that fails the test on a full heap.
fn without_memory(scope: &Scope, statements: Vec<String>) -> Vec<String> {
    let mut lines = vec!["try {".to_owned()];
    lines.extend(statements.into_iter().map(indented));
    let (error, failure) = (scope.lang("OutOfMemoryError"), scope.lang("AssertionError"));
    lines.push(format!("}} catch ({error} throwable) {{"));
    lines.push(format!("    throw new {failure}(throwable);"));
    lines.push("}".to_owned());
    lines
}

pub(super) fn indented(line: String) -> String {
    match line.is_empty() {
        true => line,
        false => format!("    {}", line.replace('\n', "\n    ")),
    }
}

/// Expression of the call under test, and whether it has the method's type.
fn expression(
    scope: &mut Scope,
    built: &Built,
    input: &Structure,
    call: &Call,
    types: &MethodDescriptor,
) -> (String, bool) {
    let method = &call.method;
    let arguments = arguments(scope, built, input, call, types);
    let receiver = (!method.is_static).then(|| built.value(Value::Ref(0)));
    let is_known = receiver.is_none() || built.static_type(0) != OBJECT;
    let plain = match is_known {
        true => {
            let class = &method.declaring_class;
            direct(
                scope,
                class,
                receiver.as_deref(),
                method,
                (&types.parameters, None),
                &arguments,
            )
        }
        false => None,
    };
    match plain {
        Some(plain) => (plain, true),
        None => {
            let call = reflective(scope, receiver.as_deref(), method, types, &arguments);
            (call, false)
        }
    }
}

/// Call as plain Java; `class` names the class of a static method or constructor. `None` if it
/// cannot be written so. The receiver of a constructor is the enclosing object.
pub(super) fn direct(
    scope: &mut Scope,
    class: &str,
    receiver: Option<&str>,
    method: &MethodSig,
    (parameters, spelling): (&[String], Option<&CallSyntax>),
    arguments: &[ArgumentExpression],
) -> Option<String> {
    if !method.is_accessible
        || method.has_twin
        || !(method.is_constructor() || is_valid_source_name(&method.name))
    {
        return None;
    }
    let casts = match (spelling, method.is_overloaded) {
        (Some(spelling), _) => spelling.casts,
        (None, true) => Casts::All,
        (None, false) => Casts::None,
    };
    let unboxes = spelling.map_or(!method.is_overloaded, |spelling| spelling.unboxes);
    let is_diamond = spelling.is_some_and(|spelling| spelling.is_diamond);
    let mut sources = Vec::new();
    for (place, (argument, parameter)) in arguments.iter().zip(parameters).enumerate() {
        if !argument.fits {
            return None;
        }
        let expected = binary_name(parameter);
        // A single null for an array is ambiguous with a parameter `T...`.
        let is_null = argument.static_type == "null";
        let is_ambiguous = match casts {
            Casts::All => true,
            Casts::Untyped => is_null || argument.target.is_some(),
            Casts::None => spelling.is_none() && parameter.starts_with('[') && is_null,
        };
        if is_ambiguous && argument.static_type != expected {
            let contents = spelling.and_then(|spelling| spelling.cast_contents.get(place));
            let contents = contents.map_or([].as_slice(), Vec::as_slice);
            let cast = match scope.parameterized(&expected, contents) {
                Some(cast) => cast,
                None => scope.type_name(&expected)?,
            };
            sources.push(format!("({cast}) {}", argument.source));
        } else {
            // With a single candidate method, the compiler boxes as intended.
            let unboxed = argument.unboxed.as_ref().filter(|_| unboxes);
            sources.push(unboxed.unwrap_or(&argument.source).clone());
        }
    }
    let sources = sources.join(", ");
    let name = literal::ascii(&method.name);
    Some(match receiver {
        Some(outer) if method.is_constructor() => {
            let class = scope.type_name(class)?;
            let simple = class.rsplit('.').next().unwrap_or_default();
            format!("{outer}.new {simple}({sources})")
        }
        Some(receiver) => format!("{receiver}.{name}({sources})"),
        None if is_diamond => format!("new {}<>({sources})", scope.bare_name(class)?),
        None if method.is_constructor() => format!("new {}({sources})", scope.type_name(class)?),
        None => format!("{}.{name}({sources})", scope.bare_name(class)?),
    })
}

/// Call by reflection; a static method or constructor has no receiver.
pub(super) fn reflective(
    scope: &mut Scope,
    receiver: Option<&str>,
    method: &MethodSig,
    types: &MethodDescriptor,
    arguments: &[ArgumentExpression],
) -> String {
    let class = literal::string(&method.declaring_class);
    let name = literal::string(&signature(&method.name, method.has_twin, types));
    let (helper, helper_name, mut all) = match method.is_constructor() {
        true => (
            Helper::ConstructHidden,
            "constructHidden",
            vec![class, name],
        ),
        false => {
            let receiver = receiver.unwrap_or("null").to_owned();
            (Helper::Invoke, "invoke", vec![receiver, class, name])
        }
    };
    scope.helper(helper);
    all.extend(arguments.iter().map(|argument| {
        match argument.is_alone_an_array && arguments.len() == 1 {
            true => format!("(Object) {}", argument.source),
            false => argument.as_object(),
        }
    }));
    format!("{helper_name}({})", all.join(", "))
}

/// Signature `insert(int,java.lang.Object)`, with types as by `Class.getName()`; for a method
/// with a twin `insert(int):boolean`.
pub(super) fn signature(name: &str, has_twin: bool, types: &MethodDescriptor) -> String {
    let parameters: Vec<String> = types
        .parameters
        .iter()
        .map(|text| binary_name(text))
        .collect();
    let returned = match has_twin {
        true => format!(":{}", binary_name(&types.returns)),
        false => String::new(),
    };
    format!("{name}({}){returned}", parameters.join(","))
}
