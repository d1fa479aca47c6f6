//! Names of test methods from method, input and outcome, as in
//! `insert_on3Nodes_with2_returnsTrue`.
//!
//! Every name is an identifier in ASCII, and no two in a suite are equal.

use std::collections::{BTreeMap, BTreeSet};

use super::build::local_names;
use super::details::{Apart, is_number};
use super::display::effect;
use super::mvc::{status_name, telling_status};
use crate::types::simple_name;
use crate::variables::{is_keyword, plural};
use crate::{
    Action, Body, Call, CallOutcome, Case, ClassSig, ContentsKind, Contract, Input, Literal,
    MethodSig, Observation, Requirement, Script, Statement, Step, Structure, StubCalls,
    StubOutcome, Value, literal,
};

/// Maximum length of a part of a name that represents a text.
const MAX_TEXT: usize = 20;
/// Maximum length of the name of a script's test, and of one that tells it from another test.
const MAX_NAME: usize = 56;
const MAX_LONG_NAME: usize = 70;
/// Number of digits of an escape in a source.
const ESCAPE: usize = 4;

/// Set of unique names.
#[derive(Clone, Debug, Default)]
pub(super) struct UniqueNames {
    taken: BTreeSet<String>,
    /// Number of requests for each name.
    wanted: BTreeMap<String, usize>,
}

impl UniqueNames {
    /// Returns the wanted name, or a variant of it if it is taken.
    pub fn unique(&mut self, base: String) -> String {
        self.unique_by(base, |base, number| format!("{base}_{number}"))
    }

    /// Returns the first of the wanted names that is not taken, or a variant of the first one.
    pub fn unique_of(&mut self, mut names: Vec<String>) -> String {
        let free = names.iter().position(|name| !self.taken.contains(name));
        self.unique(names.swap_remove(free.unwrap_or_default()))
    }

    /// Returns the first of the wanted words that are not taken, or the first with a number.
    pub fn unique_words(&mut self, mut words: Vec<String>) -> String {
        let free = words.iter().position(|words| !self.taken.contains(words));
        let words = words.swap_remove(free.unwrap_or_default());
        self.unique_by(words, |words, number| format!("{words} ({number})"))
    }

    fn unique_by(&mut self, base: String, numbered: fn(&str, usize) -> String) -> String {
        let count = self.wanted.entry(base.clone()).or_default();
        loop {
            *count += 1;
            let name = match *count {
                1 => base.clone(),
                number => numbered(&base, number),
            };
            if self.taken.insert(name.clone()) {
                return name;
            }
        }
    }
}

/// Name of the test of a call, or of the invariant alone.
pub(super) fn of_case(case: &Case, call: Option<&Call>) -> String {
    let locals = || local_names(&case.input);
    match call {
        None => format!("invariant_on{}_holds", describe_input(&case.input)),
        Some(call) => match &call.label.name {
            Some(name) => method_name(name),
            None => describe_call(&case.input, call, &locals()),
        },
    }
}

/// Names of the test of a script, the best one first: `remove_afterInsert_withNull_returnsFalse`. Those behind
/// the first one tell it from its siblings.
pub(super) fn of_script(script: &Script, apart: &Apart) -> Vec<String> {
    let Some((step, before)) = script
        .call_under_test()
        .filter(|_| script.label.name.is_none())
    else {
        return vec![method_name(
            script.label.name.as_deref().unwrap_or_default(),
        )];
    };
    let mut locals = script.variables();
    // A variable with a literal is described by the literal.
    for (local, statement) in locals.iter_mut().zip(before) {
        if let Action::Literal { value, .. } = &statement.action {
            *local = describe(value, &[]);
        }
    }
    without_needless_numbers(script, step, &mut locals);
    let receiver = step.receiver.filter(|_| !step.is_constructor());
    let on = receiver.map(|receiver| describe_history(before, receiver, step));
    let on = on.unwrap_or_default();
    // What a parameterised test expects says enough of its arguments.
    let is_expected = matches!(
        script.outcome,
        CallOutcome::Returned(Literal::Parameter { .. })
    );
    let named = step.arguments.iter().filter(|input| {
        let literal = input.literal();
        let is_row = is_expected && literal.is_some_and(has_parameter);
        // Beside the object of the call a mock says nothing by its kind.
        let is_told = receiver.is_some() && is_collaborator(before, input);
        !is_row && !is_told
    });
    let arguments = named.map(|input| match input {
        Input::Literal(literal) => describe(literal, &locals),
        Input::Object(object) => describe(&Literal::Value(Value::Ref(*object)), &locals),
    });
    let with = joined(arguments);
    let effect = match &script.outcome {
        CallOutcome::ReturnedVoid => effect(script),
        _ => None,
    };
    let outcome = match effect {
        _ if let Some(status) = telling_status(script) => status_name(status),
        Some((name, value)) => format!("{}Is{}", identifier(name), describe(value, &locals)),
        None => match called(script) {
            Some(called) => format!("calls{}", capitalised(&identifier(called))),
            None => describe_outcome(&script.outcome, &locals),
        },
    };
    let kind = kind_of_outcome(&script.outcome).filter(|_| telling_status(script).is_none());
    let short = kind.unwrap_or_else(|| outcome.clone());
    let outcome = match is_readable(&script.outcome) {
        true => outcome,
        false => short.clone(),
    };
    let method = describe_method(&step.method);
    let forms = [
        format!("{method}{on}{with}_{outcome}"),
        format!("{method}{on}{with}_{short}"),
        format!("{method}{on}_{outcome}"),
        format!("{method}{on}_{short}"),
        format!("{method}_{short}"),
    ];
    let fitting = forms.iter().find(|form| form.len() <= MAX_NAME);
    let mut name = fitting.unwrap_or(&forms[4]).clone();
    name.truncate(MAX_NAME);
    let longer = forms.iter().take_while(|form| **form != name);
    let longer = longer.filter(|form| form.len() <= MAX_LONG_NAME).cloned();
    let further = longer.collect::<Vec<_>>();
    let shorter = [&name, &forms[4], &method];
    let mut detailed = apart.all().filter_map(|detail| {
        let forms = shorter.map(|form| format!("{form}_{}", detail.name));
        forms.into_iter().find(|form| form.len() <= MAX_LONG_NAME)
    });
    let own: Vec<String> = detailed.by_ref().take(apart.own.len()).collect();
    let shared: Vec<String> = detailed.collect();
    std::iter::once(name)
        .chain(own)
        .chain(further)
        .chain(shared)
        .collect()
}

/// Whether a literal is a parameter or has one.
pub(super) fn has_parameter(literal: &Literal) -> bool {
    match literal {
        Literal::Parameter { .. } => true,
        Literal::Array { elements, .. } => elements.iter().any(has_parameter),
        _ => false,
    }
}

/// Whether a returned value says something as a part of a name.
fn is_readable(outcome: &CallOutcome) -> bool {
    let is_simple = |literal: &Literal| {
        matches!(
            literal,
            Literal::Value(_) | Literal::Boxed(_) | Literal::EnumConstant { .. }
        )
    };
    match outcome {
        CallOutcome::Returned(Literal::New(step)) => is_number(step),
        CallOutcome::Returned(
            Literal::Contents { elements, .. } | Literal::Array { elements, .. },
        ) => elements.iter().all(is_simple),
        CallOutcome::Returned(Literal::String(text)) => {
            let is_word = |letter: char| letter.is_ascii_alphanumeric();
            text.is_empty() || text.len() <= MAX_TEXT && text.chars().any(is_word)
        }
        _ => true,
    }
}

/// Returned value by its kind alone: `returnsList`.
fn kind_of_outcome(outcome: &CallOutcome) -> Option<String> {
    let kind = match outcome {
        CallOutcome::Returned(literal) => match literal {
            Literal::String(_) => "String".to_owned(),
            Literal::Array { .. } => "Array".to_owned(),
            Literal::Contents { kind, elements } if !elements.is_empty() => format!("{kind:?}"),
            Literal::New(step) => capitalised(&identifier(&step.class.simple_name())),
            _ => return None,
        },
        _ => return None,
    };
    Some(format!("returns{kind}"))
}

/// Removes the numbers of variables that are the only ones of their kind in the name.
fn without_needless_numbers(script: &Script, step: &Step, locals: &mut [String]) {
    let returned = match &script.outcome {
        CallOutcome::Returned(Literal::Value(Value::Ref(place))) => Some(*place),
        _ => None,
    };
    let named = step.arguments.iter().filter_map(|input| match input {
        Input::Object(place) => Some(*place),
        Input::Literal(_) => None,
    });
    let named: BTreeSet<usize> = named.chain(returned).collect();
    let stem = |place: usize| {
        let name = locals.get(place).map_or("", String::as_str);
        name.trim_end_matches(|last: char| last.is_ascii_digit())
            .to_owned()
    };
    let stems: Vec<(usize, String)> = named
        .into_iter()
        .map(|place| (place, stem(place)))
        .collect();
    for (place, stem) in &stems {
        let is_ours = locals.contains(&format!("{stem}0"));
        let is_only = stems
            .iter()
            .all(|(other, name)| other == place || name != stem);
        if is_ours && is_only && !stem.is_empty() {
            locals[*place].clone_from(stem);
        }
    }
}

/// Describes the earlier calls on an object: `_onNewTree`, `_afterInsert`, `_after2Inserts`,
/// `_afterInsertAndRemove`, `_after5Calls`.
fn describe_history(before: &[Statement], receiver: usize, call: &Step) -> String {
    let (calls, made) = history(before, receiver);
    let calls: Vec<String> = calls
        .iter()
        .map(|name| capitalised(&identifier(name)))
        .collect();
    match (calls.as_slice(), made) {
        ([], Some(_)) if let Some(told) = told(before, receiver, call) => {
            told.map_or_else(String::new, |told| told.as_name())
        }
        ([], Some(class)) => {
            format!("_onNew{}", capitalised(&identifier(&class.simple_name())))
        }
        ([], None) => String::new(),
        ([only], _) => format!("_after{only}"),
        ([first, rest @ ..], _) if rest.iter().all(|name| name == first) => {
            format!("_after{}{}", calls.len(), plural(first))
        }
        ([first, second], _) => format!("_after{first}And{second}"),
        _ => format!("_after{}Calls", calls.len()),
    }
}

/// Method of a collaborator that a test first sees called, if the call under test returns nothing.
pub(super) fn called(script: &Script) -> Option<&str> {
    let mut seen = script.after.iter();
    let called = seen.find_map(|seen| match seen {
        Observation::Calls {
            method, asserted, ..
        } => (*asserted != StubCalls::Count(0)).then_some(method.name.as_str()),
        _ => None,
    });
    called.filter(|_| script.outcome == CallOutcome::ReturnedVoid)
}

/// What a collaborator answers.
pub(super) struct Told<'s> {
    method: &'s str,
    answer: CollaboratorAnswer,
}

/// Kind of an answer, the more telling ones first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum CollaboratorAnswer {
    Throws,
    IsEmpty,
    IsPresent,
    IsNotEmpty,
    IsFalse,
    IsTrue,
    IsNull,
}

impl Told<'_> {
    /// Part of a name: `_whenFindAllIsEmpty`, `_whenHasErrors`.
    pub fn as_name(&self) -> String {
        let method = capitalised(&identifier(self.method));
        match self.answer {
            CollaboratorAnswer::IsTrue => format!("_when{method}"),
            answer => format!("_when{method}{answer:?}"),
        }
    }

    /// Words: ` when findAll is empty`.
    pub fn as_words(&self) -> String {
        let words = match self.answer {
            CollaboratorAnswer::Throws => "throws",
            CollaboratorAnswer::IsEmpty => "is empty",
            CollaboratorAnswer::IsNull => "is null",
            CollaboratorAnswer::IsPresent => "is present",
            CollaboratorAnswer::IsNotEmpty => "is not empty",
            CollaboratorAnswer::IsFalse => "is false",
            CollaboratorAnswer::IsTrue => return format!(" when {}", self.method),
        };
        format!(" when {} {words}", self.method)
    }
}

/// Whether an argument is a mock.
pub(super) fn is_collaborator(before: &[Statement], input: &Input) -> bool {
    let made = input.object().and_then(|place| before.get(place));
    matches!(made.map(|made| &made.action), Some(Action::Call(step)) if step.body.as_ref().is_some_and(|body| body.is_mock))
}

/// The most telling answer of the collaborators of a call; `None` if it has none, `None` inside if nothing is
/// asked of them.
pub(super) fn told<'s>(
    before: &'s [Statement],
    receiver: usize,
    call: &Step,
) -> Option<Option<Told<'s>>> {
    let answers = answers_of_collaborators(before, receiver, call, false)?;
    Some(answers.into_iter().next())
}

/// Answers of the collaborators that the constructor of an object takes, and of the mocks that a call of its
/// method takes, the most telling ones first; `None` if they take none. `has_null` tells whether null alone is
/// one, which is what a mock answers that nobody told anything.
pub(super) fn answers_of_collaborators<'s>(
    before: &'s [Statement],
    receiver: usize,
    call: &Step,
    has_null: bool,
) -> Option<Vec<Told<'s>>> {
    let step = |place: usize| match &before.get(place)?.action {
        Action::Call(step) => Some(step),
        _ => None,
    };
    let mocks = call.arguments.iter();
    let mocks = mocks.filter(|input| is_collaborator(before, input));
    let injected = before
        .iter()
        .filter_map(|statement| match &statement.action {
            Action::StoreField { access, value } => {
                (access.receiver == Some(receiver)).then_some(value)
            }
            _ => None,
        });
    let given: Vec<&Input> = step(receiver)?.arguments.iter().chain(injected).collect();
    let is_lambda = |input: &Input| match input {
        Input::Literal(literal) => matches!(literal, Literal::Lambda { .. }),
        Input::Object(place) => matches!(
            &before.get(*place).map(|made| &made.action),
            Some(Action::Literal {
                value: Literal::Lambda { .. },
                ..
            })
        ),
    };
    let has_lambdas = given.iter().any(|input| is_lambda(input));
    let bodies = given
        .into_iter()
        .chain(mocks)
        .filter_map(|input| step(input.object()?)?.body.as_ref());
    let bodies: Vec<_> = bodies.collect();
    if bodies.is_empty() && !has_lambdas {
        return None;
    }
    let methods = bodies.iter().flat_map(|body| &body.methods);
    let asked = methods.filter(|method| !method.is_unasked);
    let told = asked.filter_map(|method| {
        let answers = method.outcomes.iter();
        let answers = answers.filter_map(|outcome| answer(before, outcome));
        let answers: Vec<CollaboratorAnswer> = answers.collect();
        // Null behind something else is what makes the difference.
        let is_null = answers.len() > 1 && answers.contains(&CollaboratorAnswer::IsNull);
        let answer = match is_null {
            true => CollaboratorAnswer::IsNull,
            false => {
                let known = answers.iter().copied();
                known
                    .filter(|one| has_null || *one != CollaboratorAnswer::IsNull)
                    .min()?
            }
        };
        Some((
            !is_null,
            Told {
                method: &method.method.name,
                answer,
            },
        ))
    });
    let mut told: Vec<(bool, Told<'s>)> = told.collect();
    told.sort_by_key(|(is_plain, told)| {
        let is_failure = told.answer == CollaboratorAnswer::Throws;
        (!is_failure, *is_plain, told.answer)
    });
    Some(told.into_iter().map(|(_, told)| told).collect())
}

fn answer(before: &[Statement], outcome: &StubOutcome) -> Option<CollaboratorAnswer> {
    let value = match outcome {
        StubOutcome::Throws { .. } => return Some(CollaboratorAnswer::Throws),
        StubOutcome::Value(value) => value,
        StubOutcome::Nothing | StubOutcome::Parameter(_) | StubOutcome::Runs { .. } => return None,
    };
    let place = match value {
        Input::Literal(Literal::Value(Value::Null)) => return Some(CollaboratorAnswer::IsNull),
        Input::Literal(Literal::Value(Value::Boolean(truth))) => {
            return Some(match truth {
                true => CollaboratorAnswer::IsTrue,
                false => CollaboratorAnswer::IsFalse,
            });
        }
        Input::Literal(_) => return None,
        Input::Object(place) => *place,
    };
    let Action::Call(made) = &before.get(place)?.action else {
        return None;
    };
    if !made.class.name.starts_with("java.util.") {
        return Some(CollaboratorAnswer::IsPresent);
    }
    let is_filled = before.iter().any(
        |statement| matches!(&statement.action, Action::Call(step) if step.receiver == Some(place)),
    );
    Some(match (made.is_constructor(), made.arguments.is_empty()) {
        (false, false) => CollaboratorAnswer::IsPresent,
        (true, _) if is_filled => CollaboratorAnswer::IsNotEmpty,
        _ => CollaboratorAnswer::IsEmpty,
    })
}

/// Names of the earlier calls on an object, and its class if a constructor made it.
pub(super) fn history(before: &[Statement], receiver: usize) -> (Vec<&str>, Option<&ClassSig>) {
    let calls = before
        .iter()
        .filter_map(|statement| match &statement.action {
            Action::Call(step) if step.receiver == Some(receiver) && !step.is_constructor() => {
                Some(step.method.name.as_str())
            }
            _ => None,
        });
    let made = before.get(receiver).and_then(|made| match &made.action {
        Action::Call(step) if step.is_constructor() => Some(&*step.class),
        _ => None,
    });
    (calls.collect(), made)
}

/// Converts a given name to one that does not collide with methods of `Object`.
fn method_name(given: &str) -> String {
    let name = identifier(given);
    let is_inherited = matches!(
        name.as_str(),
        "clone"
            | "finalize"
            | "getClass"
            | "hashCode"
            | "notify"
            | "notifyAll"
            | "toString"
            | "wait"
    );
    match is_inherited || is_keyword(&name) {
        true => format!("{name}_"),
        false => name,
    }
}

fn describe_call(input: &Structure, call: &Call, locals: &[String]) -> String {
    let mut text = describe_method(&call.method);
    if !call.method.is_static {
        text.push_str(&format!("_on{}", describe_input(input)));
    }
    text.push_str(&joined(
        call.args.iter().map(|argument| describe(argument, locals)),
    ));
    text + "_" + &describe_outcome(&call.outcome, locals)
}

fn describe_method(method: &MethodSig) -> String {
    match method.is_constructor() {
        true => format!("new{}", identifier(&simple_name(&method.declaring_class))),
        false => identifier(&method.name),
    }
}

/// Arguments as a part of a name; empty if there are none.
fn joined(arguments: impl Iterator<Item = String>) -> String {
    let arguments: Vec<String> = arguments.collect();
    match arguments.is_empty() {
        true => String::new(),
        false => format!("_with{}", arguments.join("And")),
    }
}

/// Describes an input: `3Nodes` for a tree of three, `HeapArray` for a single object.
fn describe_input(structure: &Structure) -> String {
    let mut nodes = structure
        .objects
        .iter()
        .skip(1)
        .filter(|object| matches!(object.body, Body::Fields(_)))
        .map(|object| &object.class.name);
    let count = structure.node_count();
    let Some(class) = nodes.next() else {
        let root = structure.objects.first();
        return root.map_or(String::new(), |root| identifier(&root.class.simple_name()));
    };
    let kind = if nodes.all(|other| other == class) {
        identifier(&simple_name(class))
    } else {
        "Object".to_owned()
    };
    match count {
        1 => format!("1{kind}"),
        _ => format!("{count}{kind}s"),
    }
}

pub(super) fn describe(literal: &Literal, locals: &[String]) -> String {
    match literal {
        Literal::Value(Value::Ref(target)) => capitalised(&letters(
            locals.get(*target).map_or("object", String::as_str),
        )),
        Literal::Value(value) | Literal::Boxed(value) => describe_value(*value),
        Literal::String(text) => {
            let plain: String = text
                .chars()
                .filter(char::is_ascii_alphanumeric)
                .take(MAX_TEXT)
                .collect();
            match text.as_str() {
                "" => "EmptyString".to_owned(),
                _ => format!("String{}", capitalised(&plain)),
            }
        }
        Literal::EnumConstant { name, .. } | Literal::StaticField { name, .. } => {
            capitalised(&identifier(name))
        }
        Literal::Class(class) => capitalised(&identifier(&class.simple_name())) + "Class",
        Literal::Parameter { name, .. } => capitalised(name),
        Literal::Array { elements, .. } => describe_all("Array", elements, locals),
        Literal::Lambda {
            interface, answer, ..
        } => {
            let answer = answer.as_ref().map(|answer| describe(answer, locals));
            let interface = capitalised(&identifier(&interface.simple_name()));
            interface + &answer.unwrap_or_default()
        }
        Literal::New(step) if is_number(step) => match &step.arguments[..] {
            [Input::Literal(Literal::String(number))] => describe_number(number),
            [Input::Literal(number)] => describe(number, locals),
            _ => capitalised(&step.class.simple_name()),
        },
        Literal::New(step) => {
            let arguments = step.arguments.iter().filter_map(Input::literal);
            let arguments = arguments.map(|argument| describe(argument, locals));
            capitalised(&identifier(&step.class.simple_name())) + &arguments.collect::<String>()
        }
        Literal::Factory { method, .. } => capitalised(&identifier(method)),
        Literal::Held { holder, elements } => {
            describe_all(&format!("{holder:?}"), elements, locals)
        }
        Literal::Contents { kind, elements } => describe_contents(*kind, elements, locals),
        Literal::Made(sequence) => {
            let made = sequence
                .steps
                .get(sequence.object)
                .and_then(|step| step.made.as_ref());
            made.map_or("Object".to_owned(), |class| {
                capitalised(&identifier(&class.simple_name()))
            })
        }
    }
}

/// Describes contents: `EmptyList`, `List1And2`, `ListOf5`.
fn describe_contents(kind: ContentsKind, elements: &[Literal], locals: &[String]) -> String {
    let name = format!("{kind:?}");
    let count = match kind {
        ContentsKind::Map => elements.len() / 2,
        _ => elements.len(),
    };
    match count {
        0..=2 => describe_all(&name, elements, locals),
        _ => format!("{name}Of{count}"),
    }
}

fn describe_all(name: &str, elements: &[Literal], locals: &[String]) -> String {
    if elements.is_empty() {
        return format!("Empty{name}");
    }
    let elements = elements.iter().map(|element| describe(element, locals));
    format!("{name}{}", elements.collect::<Vec<_>>().join("And"))
}

fn describe_value(value: Value) -> String {
    match value {
        Value::Int(i32::MIN) | Value::Long(i64::MIN) => return "MinValue".to_owned(),
        Value::Int(i32::MAX) | Value::Long(i64::MAX) => return "MaxValue".to_owned(),
        Value::Char(unit) => {
            return match u8::try_from(unit) {
                Ok(byte) if byte.is_ascii_alphanumeric() => {
                    format!("Char{}", char::from(byte))
                }
                _ => format!("Char{unit}"),
            };
        }
        _ => {}
    }
    let plain = literal::plain(value);
    describe_number(plain.strip_suffix(".0").unwrap_or(&plain))
}

/// Describes a number: `Minus3`, `12Point50`.
fn describe_number(plain: &str) -> String {
    let text = match plain.strip_prefix('-') {
        Some(rest) => format!("Minus{}", capitalised(rest)),
        None => capitalised(plain),
    };
    text.replace('.', "Point").replace('-', "Minus")
}

fn describe_outcome(outcome: &CallOutcome, locals: &[String]) -> String {
    match outcome {
        CallOutcome::Returned(literal) => format!("returns{}", describe(literal, locals)),
        CallOutcome::ReturnedVoid => "returns".to_owned(),
        CallOutcome::ReturnedObject { class } => match class {
            Some(class) => format!("returns{}", capitalised(&identifier(&simple_name(class)))),
            None => "returnsObject".to_owned(),
        },
        CallOutcome::Threw { class, .. } => format!("throws{}", describe_exception(&class.name)),
        CallOutcome::Failed(requirement) => match requirement {
            Requirement::Returns => "returns".to_owned(),
            Requirement::DoesNotThrow(class) => {
                format!("doesNotThrow{}", describe_exception(class))
            }
            Requirement::KeepsInvariant => "keepsInvariant".to_owned(),
            Requirement::KeepsArgument { .. } => "keepsArgument".to_owned(),
            Requirement::MakesValid => "makesValid".to_owned(),
            Requirement::Ends => "ends".to_owned(),
            Requirement::Satisfies(oracle) => {
                format!("satisfies{}", capitalised(&identifier(&oracle.name)))
            }
            Requirement::Agrees(other) => {
                let name = identifier(&simple_name(&other.class.name));
                format!("agreesWith{}", capitalised(&name))
            }
            Requirement::Keeps(contract) => describe_contract(*contract).to_owned(),
        },
    }
}

fn describe_contract(contract: Contract) -> &'static str {
    match contract {
        Contract::Reflexive => "isReflexive",
        Contract::UnequalToNull => "isFalse",
        Contract::Symmetric => "isSymmetric",
        Contract::SameHashCode => "impliesSameHashCode",
        Contract::SteadyHashCode => "isSteady",
        Contract::NamedByString | Contract::Cloned => "isNotNull",
        Contract::OrderedAsItself => "is0",
        Contract::Antisymmetric => "isAntisymmetric",
        Contract::ClonedApart => "isAnotherObject",
    }
}

/// Describes an exception: `NullPointer` for `java.lang.NullPointerException`.
fn describe_exception(class: &str) -> String {
    let simple = identifier(&simple_name(class));
    let short = match simple.strip_suffix("Exception") {
        Some(short) if !short.is_empty() => short,
        _ => &simple,
    };
    capitalised(short)
}

pub(super) fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    match letters.next() {
        Some(first) => first.to_ascii_uppercase().to_string() + letters.as_str(),
        None => String::new(),
    }
}

/// Reduces a Java name to ASCII letters and digits.
pub(super) fn identifier(name: &str) -> String {
    let kept = letters(&name.replace("[]", "Array"));
    match kept.chars().next() {
        Some(first) if !first.is_ascii_digit() => kept,
        _ => format!("x{kept}"),
    }
}

/// Reduces a text to characters that a name can contain after its first letter; escapes are
/// removed.
fn letters(text: &str) -> String {
    let mut parts = text.split("\\u");
    let first = parts.next().unwrap_or_default();
    let behind = parts.filter_map(|part| part.get(ESCAPE..));
    let kept = first.chars().chain(behind.flat_map(str::chars));
    kept.filter(|letter| letter.is_ascii_alphanumeric() || *letter == '_')
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::literal::ascii;

    #[test]
    fn escapes_are_no_part_of_a_name() {
        for name in ["größe", "Größe_1", "ß", "size"] {
            assert_eq!(letters(&ascii(name)), letters(name));
        }
        assert_eq!(letters(&ascii("größe")), "gre");
    }
}
