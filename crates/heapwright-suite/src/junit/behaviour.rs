//! Small suites: one test method per behaviour.
//!
//! Test methods are independent. A large suite is split into several classes, in order.

use std::collections::{BTreeSet, VecDeque};

use super::build::{self, Built};
use super::details::Apart;
use super::lines::{BodyLine, fold_comment};
use super::names::UniqueNames;
use super::scope::Scope;
use super::steps;
use super::{
    FileKind, JunitOutput, Numbered, TestClassTarget, TestOrigin, TextFile, call, groups, lines,
    names, script, settings, test_class, tests_of,
};
use crate::types::MethodDescriptor;
use crate::{
    Action, Call, CallOutcome, Case, Label, Literal, MethodSig, Requirement, Script, Suite, Value,
    literal,
};

/// Name of the method that runs before each test.
const RESETS: &str = "resetStatics";
/// Name of the method that runs after each test.
const PUT_BACK: &str = "putBackStatics";

/// Number of lines of a class of scripts from which on it is several classes.
const MAX_LINES: usize = 600;

/// Test with its subject.
type Test<'s> = (TestOrigin, TestSubject<'s>);

/// Subject of a test method.
#[derive(Clone, Copy)]
pub(super) enum TestSubject<'s> {
    /// Call on the input of a case, or the input alone.
    Case(&'s Case, Option<&'s Call>),
    Script(&'s Script),
}

impl<'s> TestSubject<'s> {
    fn weight(self) -> usize {
        match self {
            TestSubject::Case(case, _) => build::weight(case),
            TestSubject::Script(script) => script::weight(script),
        }
    }

    /// Script of the test, if it is one.
    pub fn script(self) -> Option<&'s Script> {
        match self {
            TestSubject::Case(..) => None,
            TestSubject::Script(script) => Some(script),
        }
    }

    /// Wished names of the test method, the best one first, given what tells it from its siblings.
    pub fn names(self, apart: &Apart) -> Vec<String> {
        match self {
            TestSubject::Case(case, call) => vec![names::of_case(case, call)],
            TestSubject::Script(script) => names::of_script(script, apart),
        }
    }

    pub fn label(self) -> Option<&'s Label> {
        match self {
            TestSubject::Case(_, call) => call.map(|call| &call.label),
            TestSubject::Script(script) => Some(&script.label),
        }
    }

    pub fn outcome(self) -> Option<&'s CallOutcome> {
        match self {
            TestSubject::Case(_, call) => call.map(|call| &call.outcome),
            TestSubject::Script(script) => Some(&script.outcome),
        }
    }

    /// Lines of the test method, and of the statements that make its mocks.
    pub fn body(self, suite: &Suite, scope: &mut Scope) -> Vec<BodyLine> {
        scope.locals.clear();
        scope.stubbed_exceptions.clear();
        scope.preparations = Some(Vec::new());
        let body = match self {
            TestSubject::Case(case, call) => {
                let body = body(suite, scope, case, call).into_iter();
                body.map(BodyLine::from).collect()
            }
            TestSubject::Script(script) => script::body(suite, scope, script),
        };
        let prepared = scope.preparations.take().unwrap_or_default();
        let mut lines: Vec<BodyLine> = prepared.into_iter().map(BodyLine::from).collect();
        if !lines.is_empty() && !body.iter().any(|line| line.text.is_empty()) {
            lines.push(BodyLine::default());
        }
        lines.extend(body);
        lines
    }

    /// Methods that the test calls.
    pub fn methods(self) -> Vec<&'s MethodSig> {
        match self {
            TestSubject::Case(case, call) => {
                let steps = case.sequences().flat_map(|sequence| &sequence.steps);
                let methods = steps.map(|step| &step.method);
                let calls = call.iter().flat_map(|call| call.with_later());
                let methods = methods.chain(calls.map(|call| &call.method));
                methods.map(AsRef::as_ref).collect()
            }
            TestSubject::Script(script) => script.calls().map(|step| &*step.method).collect(),
        }
    }
}

/// Writes the test classes.
pub(super) fn write(
    suite: &Suite,
    cases: &[Numbered<'_, Case>],
    scripts: &[Numbered<'_, Script>],
    target: &TestClassTarget,
    max_methods: usize,
) -> JunitOutput {
    let scope = Scope::new(suite, target);
    let mut names = UniqueNames::default();
    if !suite.resets.is_empty() {
        names.unique(RESETS.to_owned());
    }
    names.unique(PUT_BACK.to_owned());
    let of_cases = cases.iter().flat_map(|&(number, case)| {
        tests_of(suite, (number, case)).into_iter().map(move |of| {
            let call = match of {
                TestOrigin::Case(_, Some(call)) => case.calls.get(call),
                _ => None,
            };
            (of, TestSubject::Case(case, call))
        })
    });
    let of_scripts = scripts.iter();
    let of_scripts = of_scripts
        .map(|&(number, script)| (TestOrigin::Script(number), TestSubject::Script(script)));
    let tests: Vec<Test<'_>> = of_cases.chain(of_scripts).collect();
    let mut output = JunitOutput::default();
    let mut left: VecDeque<Vec<Test<'_>>> = chunks(&tests, max_methods);
    while let Some(chunk) = left.pop_front() {
        let index = output.files.len();
        let class = numbered(&target.class, index + 1);
        let mut scope = scope.fresh();
        let before = names.clone();
        let written = test_class::write(suite, &mut scope, (&class, index), &chunk, &mut names);
        if written.text.lines().count() > MAX_LINES
            && let Some((first, second)) = halves(&chunk)
        {
            names = before;
            left.push_front(second);
            left.push_front(first);
            continue;
        }
        output.methods.extend(written.methods);
        output.rows.extend(written.rows);
        output.files.push(TextFile {
            path: target.path(&format!("{class}.java")),
            kind: FileKind::Source,
            contents: written.text,
        });
    }
    output
}

/// Parts of a class of scripts that is too long: the tests of some methods under test, and those of the
/// others; those of one method are cut in the middle. `None` if it has one test, or other tests.
fn halves<'s>(tests: &[Test<'s>]) -> Option<(Vec<Test<'s>>, Vec<Test<'s>>)> {
    let scripts = tests.iter().map(|(_, test)| test.script());
    let scripts: Vec<&Script> = scripts.collect::<Option<_>>()?;
    let groups = groups::by_method(&scripts)?;
    if tests.len() < 2 {
        return None;
    }
    let half = tests.len() / 2;
    let mut sizes = groups.iter().scan(0, |count, (_, members)| {
        *count += members.len();
        Some(*count)
    });
    let end = sizes.find(|&count| count >= half).unwrap_or(half);
    let cut = if end < tests.len() { end } else { half };
    let of_methods = groups.iter().flat_map(|(_, members)| members);
    let mut first: Vec<Test<'s>> = of_methods.map(|&number| tests[number]).collect();
    let second = first.split_off(cut);
    Some((first, second))
}

/// Splits the tests into classes within the limits of the class file format.
fn chunks<'s>(mut tests: &[Test<'s>], max_methods: usize) -> VecDeque<Vec<Test<'s>>> {
    let mut chunks = VecDeque::new();
    while !tests.is_empty() {
        let mut weight = 0;
        let fitting = tests.iter().take(max_methods).take_while(|(_, test)| {
            weight += test.weight();
            weight <= super::MAX_CLASS_WEIGHT
        });
        let (chunk, rest) = tests.split_at(fitting.count().max(1));
        chunks.push_back(chunk.to_vec());
        tests = rest;
    }
    chunks
}

/// Numbers a test class: `Tree2Test` for the second class of `TreeTest`, which build tools still
/// recognise as a test.
pub(super) fn numbered(class: &str, number: usize) -> String {
    match (number, class.strip_suffix("Test")) {
        (1, _) => class.to_owned(),
        (_, Some(stem)) => format!("{stem}{number}Test"),
        (_, None) => format!("{class}{number}"),
    }
}

/// Body and `throws` clause of the method that restores static state before each test, if there is
/// any.
pub(super) fn reset_body(suite: &Suite, scope: &mut Scope) -> Option<(String, &'static str)> {
    if suite.resets.is_empty() {
        return None;
    }
    let body = script::resets(suite, scope);
    let calls = suite.resets.iter();
    let calls = calls.filter_map(|statement| match &statement.action {
        Action::Call(step) => Some(&*step.method),
        _ => None,
    });
    let throws = throws(&body, &calls.collect::<Vec<_>>(), &[]);
    Some((indented(&body), throws))
}

/// Method that restores static state before each test.
pub(super) fn resets(scope: &mut Scope, (body, throws): &(String, &str)) -> String {
    let annotation = scope.import(scope.version.before_annotation());
    let visibility = scope.version.visibility();
    format!("    @{annotation}\n    {visibility}void {RESETS}(){throws} {{\n{body}    }}\n")
}

/// Members that put back static state for other test classes: a field for the value before the test
/// of each static field that tests set, and a method that runs after it. A framework makes an object
/// for each test, or one before all. What only reflection can set is reset as before each test, with
/// the `throws` clause of that method. Settings of the virtual machine are put back first.
pub(super) fn kept_statics(
    suite: &Suite,
    scope: &mut Scope,
    scripts: &[&Script],
    reset_throws: &str,
) -> Option<String> {
    let statements = scripts.iter().flat_map(|script| &script.statements);
    let mut known = BTreeSet::new();
    let (mut fields, settings) = settings::kept(scope, scripts);
    let mut body = String::new();
    for statement in statements.chain(&suite.resets) {
        let Action::StoreField { access, .. } = &statement.action else {
            continue;
        };
        let field = &access.field;
        let name = (field.declaring_class.clone(), field.name.clone());
        if access.receiver.is_some() || !known.insert(name) {
            continue;
        }
        let Some((source, class)) = script::static_field(scope, access) else {
            continue;
        };
        let kept = match known.iter().filter(|other| other.1 == field.name).count() {
            1 => format!("{}Before", literal::ascii(&field.name)),
            number => format!("{}Before{number}", literal::ascii(&field.name)),
        };
        fields += &format!("    private final {class} {kept} = {source};\n");
        body += &format!("        {source} = {kept};\n");
    }
    let mut resets = suite.resets.iter();
    let is_reset = resets.any(|statement| changes_hidden_state(scope, &statement.action));
    if fields.is_empty() && settings.is_empty() && !is_reset {
        return None;
    }
    let (reset, throws) = match is_reset {
        true => (format!("        {RESETS}();\n"), reset_throws),
        false => (String::new(), ""),
    };
    if !fields.is_empty() {
        fields.push('\n');
    }
    let annotation = scope.import(scope.version.after_annotation());
    let visibility = scope.version.visibility();
    Some(format!(
        "{fields}    @{annotation}\n    {visibility}void {PUT_BACK}(){throws} {{\n{settings}{reset}{body}    }}\n"
    ))
}

/// Whether a statement that restores static state changes anything but a static field which tests
/// can name.
fn changes_hidden_state(scope: &mut Scope, action: &Action) -> bool {
    match action {
        Action::StoreField { access, .. } => {
            access.receiver.is_some() || script::static_field(scope, access).is_none()
        }
        Action::StoreElement { .. } => true,
        Action::Call(step) => step.receiver.is_some(),
        Action::Literal { .. }
        | Action::NewArray { .. }
        | Action::LoadElement { .. }
        | Action::LoadField { .. } => false,
    }
}

/// Lines of a method without a note.
pub(super) fn indented(body: &[String]) -> String {
    // Only anonymous classes have several lines.
    let body = body.iter().flat_map(|line| line.split('\n'));
    let lines = body.flat_map(lines::wrap).map(|line| match line.as_str() {
        "" => "\n".to_owned(),
        line => format!("        {line}\n"),
    });
    lines.collect()
}

/// Lines of the body without indentation; empty lines separate set-up, call and assertions.
fn body(suite: &Suite, scope: &mut Scope, case: &Case, call: Option<&Call>) -> Vec<String> {
    let needs_input = call.is_none_or(|call| !call.method.is_static || mentions_input(call));
    let is_judged = needs_input && call.is_none_or(|call| has_invariant(suite, case, call));
    let invariant = suite.invariant.as_ref().filter(|_| is_judged);
    let mut built = match call {
        _ if !needs_input => Built::default(),
        Some(call) if call::needs_copy(call) => build::build(scope, &call::with_copy(case)),
        _ if case.construction.is_some() => Built::default(),
        _ => build::build(scope, case),
    };
    let construction = case.construction.as_ref();
    let construction = construction.filter(|_| needs_input && built.expressions.is_empty());
    steps::build(scope, construction, call, &mut built);
    let mut lines = built.statements.clone();
    if let Some(invariant) = invariant {
        lines.push(call::invariant(scope, &built, invariant, true));
    }
    if let Some(call) = call {
        if !lines.is_empty() {
            lines.push(String::new());
        }
        let mut checked = Vec::new();
        // `Suite::check` has parsed it before.
        if let Ok(types) = MethodDescriptor::parse(&call.method.descriptor) {
            checked = call::statements(scope, &built, &case.input, call, &types);
        }
        if let (CallOutcome::Failed(Requirement::MakesValid), Some(invariant)) =
            (&call.outcome, &suite.invariant)
        {
            let is_typed = checked.iter().any(|line| !line.starts_with("Object made"));
            checked.push(call::invariant_of(scope, "made", is_typed, invariant, true));
        }
        if let Some(invariant) = invariant {
            let holds = call.invariant_holds_after;
            checked.push(call::invariant(scope, &built, invariant, holds));
        }
        if let Some(invariant) = invariant {
            for argument in held_to_invariant(case, call) {
                let is_typed = built.static_type(argument) != build::OBJECT;
                let source = built.value(Value::Ref(argument));
                let holds = call::invariant_of(scope, &source, is_typed, invariant, true);
                checked.push(holds);
            }
        }
        for later in &call.then {
            if let Ok(types) = MethodDescriptor::parse(&later.method.descriptor) {
                checked.extend(call::statements(scope, &built, &case.input, later, &types));
            }
        }
        lines.extend(call::guarded(scope, &call.outcome, checked));
    }
    lines
}

/// Whether the invariant applies to the root: it is the receiver, or an object of the class under
/// test.
fn has_invariant(suite: &Suite, case: &Case, call: &Call) -> bool {
    let root = case.input.objects.first();
    !call.method.is_static || root.is_none_or(|root| root.class == suite.class_under_test)
}

/// Arguments for which the invariant must hold after a call.
fn held_to_invariant(case: &Case, call: &Call) -> Vec<usize> {
    match &call.outcome {
        CallOutcome::Failed(Requirement::KeepsArgument { argument, .. }) => vec![*argument],
        CallOutcome::Failed(Requirement::Ends) => {
            let own = case.input.reached();
            let arguments = call.args.iter().filter_map(|argument| match argument {
                Literal::Value(Value::Ref(target)) if *target >= own => Some(*target),
                _ => None,
            });
            arguments.collect()
        }
        _ => Vec::new(),
    }
}

fn mentions_input(call: &Call) -> bool {
    let is_reference = |literal: &Literal| matches!(literal, Literal::Value(Value::Ref(_)));
    !call.then.is_empty() || call.mentions(&is_reference)
}

/// The `throws` clause with a leading space. `stubbed` are the exceptions of further methods.
pub(super) fn throws(body: &[String], methods: &[&MethodSig], stubbed: &[String]) -> &'static str {
    let is_part = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '$' | '.');
    let calls = |name: &str| {
        // A method of the same name on another object does not count.
        let lines = body
            .iter()
            .flat_map(|line| line.match_indices(name).map(move |at| (line, at)));
        let mut before = lines.map(|(line, (at, _))| &line[..at]);
        before.any(|before| !before.ends_with(is_part))
    };
    let exceptions: Vec<&String> = methods
        .iter()
        .flat_map(|method| &method.exceptions)
        .chain(stubbed)
        .collect();
    let is_other = |name: &&String| !name.ends_with("Exception");
    if calls("invoke(") || calls("constructHidden(") || exceptions.iter().any(is_other) {
        " throws Throwable"
    } else if !exceptions.is_empty()
        || [
            "allocate(",
            "construct(",
            "newArray(",
            "constant(",
            "set(",
            "setDeclared(",
            "get(",
        ]
        .iter()
        .any(|name| calls(name))
    {
        " throws Exception"
    } else {
        ""
    }
}

/// Lines of a label's note as comments.
pub(super) fn comment(label: &Label) -> Vec<String> {
    let lines = label.note.iter().flat_map(|line| line.lines());
    lines
        .flat_map(|line| fold_comment(&format!("// {}", literal::comment(line))))
        .collect()
}
