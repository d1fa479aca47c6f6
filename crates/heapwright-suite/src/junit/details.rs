//! What tells a test from others of the same method and outcome: the settings and properties of its
//! objects, the sizes of its collections, answers of its collaborators, arguments, earlier calls, what is
//! seen after the call, and the message of its exception.

use std::collections::BTreeMap;

use super::display;
use super::names::{answers_of_collaborators, capitalised, describe, has_parameter, identifier};
use crate::types::{MethodDescriptor, binary_name, is_platform, simple_name};
use crate::variables::{plural, property_of};
use crate::{Action, Input, Literal, Observation, Script, Statement, Step, StubCalls, Value};

/// Maximum number of words of a message, and minimum number of their letters.
const MAX_WORDS: usize = 4;
const MIN_MESSAGE: usize = 3;
/// Maximum number of characters of a text that is part of a name.
const MAX_TEXT: usize = 20;
/// Names of methods that add something to a collection.
const ADDERS: [&str; 4] = ["add", "put", "addLast", "push"];
/// Maximum number of details that are paired with each other.
const MAX_PAIRED: usize = 12;
/// Classes of numbers that are made of one literal.
const NUMBERS: [&str; 2] = ["java.math.BigDecimal", "java.math.BigInteger"];

/// Detail of a test, as a part of its name and in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Detail {
    pub name: String,
    pub words: String,
}

/// Details of a test beside those of its siblings, which have the same name without them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Apart {
    /// Those that no sibling has.
    pub own: Vec<Detail>,
    /// Those that some siblings have.
    pub shared: Vec<Detail>,
}

impl Detail {
    fn of_words(words: &[&str]) -> Detail {
        let (first, rest) = words.split_first().unwrap_or((&"", &[]));
        let rest = rest.iter().map(|word| match word.parse::<usize>() {
            Ok(number) => number.to_string(),
            Err(_) => capitalised(&identifier(word)),
        });
        Detail {
            name: identifier(first) + &rest.collect::<String>(),
            words: words.join(" "),
        }
    }

    /// Both details in one.
    fn and(&self, other: &Detail) -> Detail {
        Detail {
            name: format!("{}And{}", self.name, capitalised(&other.name)),
            words: format!("{} and {}", self.words, other.words),
        }
    }
}

impl Apart {
    /// All details, those that say most first: what only this test has, what some siblings have, and
    /// two of the latter together.
    pub fn all(&self) -> impl Iterator<Item = Detail> {
        let paired = &self.shared[..self.shared.len().min(MAX_PAIRED)];
        let pairs = paired.iter().enumerate();
        let pairs = pairs.flat_map(|(at, one)| {
            let others = paired[at + 1..].iter();
            others.map(|other| one.and(other))
        });
        let single = self.own.iter().chain(&self.shared).cloned();
        single.chain(pairs)
    }
}

/// Tells tests apart whose names are the same without their details: `all` has the name and the details
/// of each. What all of them have says nothing.
pub(super) fn apart(all: &[(String, &Vec<Detail>)]) -> Vec<Apart> {
    let mut siblings: BTreeMap<&str, Vec<&[Detail]>> = BTreeMap::new();
    for (name, details) in all {
        siblings.entry(name).or_default().push(details);
    }
    let apart = all.iter().map(|(name, details)| {
        let siblings = &siblings[name.as_str()];
        let mut apart = Apart::default();
        for detail in *details {
            let has = |details: &&&[Detail]| details.iter().any(|other| other.name == detail.name);
            let sharing = siblings.iter().filter(has).count();
            match (sharing, siblings.len()) {
                (_, 1) => apart.shared.push(detail.clone()),
                (1, _) => apart.own.push(detail.clone()),
                (sharing, all) if sharing < all => apart.shared.push(detail.clone()),
                _ => {}
            }
        }
        apart
    });
    apart.collect()
}

/// Returns the details of a test, those that say most first.
pub(super) fn details(script: &Script) -> Vec<Detail> {
    let mut details = Vec::new();
    let message = script.after.iter().find_map(|seen| match seen {
        Observation::Message {
            text: Literal::String(text),
        } => of_message(text),
        _ => None,
    });
    details.extend(message);
    let Some((call, before)) = script.call_under_test() else {
        return details;
    };
    for (at, statement) in before.iter().enumerate() {
        match &statement.action {
            Action::Call(step) => {
                details.extend(of_setter(script, step));
                let count = before[..=at]
                    .iter()
                    .filter(|other| adds_to(&other.action, step));
                details.extend(of_collection(script, step, count.count()));
            }
            Action::StoreField {
                access,
                value: Input::Literal(value),
            } => details.extend(of_property(script, &access.field.name, value)),
            _ => {}
        }
    }
    let receiver = call.receiver.filter(|_| !call.is_constructor());
    let answers =
        receiver.and_then(|receiver| answers_of_collaborators(before, receiver, call, true));
    details.extend(answers.into_iter().flatten().map(|told| Detail {
        name: told.as_name().trim_start_matches('_').to_owned(),
        words: told.as_words().trim_start().to_owned(),
    }));
    details.extend(of_arguments(script, before, call));
    // What stands nearer to the call says more.
    for statement in before.iter().rev() {
        if let Action::Call(step) = &statement.action {
            details.extend(of_earlier(script, before, step, receiver));
        }
    }
    details.extend(script.after.iter().filter_map(|seen| of_seen(script, seen)));
    let mut known: Vec<Detail> = Vec::new();
    for detail in details {
        if !known.iter().any(|other| other.name == detail.name) {
            known.push(detail);
        }
    }
    known
}

/// Details of an earlier call: the arguments of a constructor or of another method without an object,
/// the property that a builder is given, or the call itself.
fn of_earlier(
    script: &Script,
    before: &[Statement],
    step: &Step,
    receiver: Option<usize>,
) -> Vec<Detail> {
    if is_platform(&step.class.name) || step.body.is_some() {
        return Vec::new();
    }
    let name = step.method.name.as_str();
    if step.receiver.is_none() || step.is_constructor() {
        return of_arguments(script, before, step);
    }
    let is_accessor = ["get", "is", "set"].iter().any(|prefix| {
        let rest = name.strip_prefix(prefix).unwrap_or_default();
        rest.starts_with(|first: char| first.is_uppercase())
    });
    if step.receiver == receiver || is_accessor || adds(step) {
        return Vec::new();
    }
    let returns = MethodDescriptor::parse(&step.method.descriptor).map(|types| types.returns);
    let is_builder = returns.is_ok_and(|returns| binary_name(&returns) == step.class.name);
    let value = match &step.arguments[..] {
        [argument] if is_builder => value_of(before, argument),
        _ => None,
    };
    let property = value.and_then(|value| of_value(script, Some(name), value));
    let called = || Detail::of_words(&["after", name]);
    vec![property.unwrap_or_else(called)]
}

/// Details of the arguments of a call.
fn of_arguments(script: &Script, before: &[Statement], step: &Step) -> Vec<Detail> {
    let types = MethodDescriptor::parse(&step.method.descriptor).unwrap_or_default();
    let enclosing = types.parameters.len().saturating_sub(step.arguments.len());
    let arguments = step.arguments.iter().enumerate();
    let details = arguments.filter_map(|(at, argument)| {
        let name = step.method.parameters.get(at + enclosing);
        // A single letter says nothing.
        let name = name.map(String::as_str).filter(|name| name.len() > 1);
        match value_of(before, argument) {
            Some(value) => of_value(script, name, value),
            None => {
                let declared = types.parameters.get(at + enclosing)?;
                of_object(before, name, argument.object()?, &binary_name(declared))
            }
        }
    });
    details.collect()
}

/// Whether a call makes a number.
pub(super) fn is_number(step: &Step) -> bool {
    NUMBERS.contains(&step.class.name.as_str()) && step.arguments.len() == 1
}

/// Value of an argument, if a literal says it.
fn value_of<'s>(before: &'s [Statement], argument: &'s Input) -> Option<&'s Literal> {
    let place = match argument {
        Input::Literal(literal) => return Some(literal),
        Input::Object(place) => *place,
    };
    match &before.get(place)?.action {
        Action::Literal { value, .. } => Some(value),
        Action::Call(step) if step.receiver.is_none() && is_number(step) => {
            step.arguments[0].literal()
        }
        _ => None,
    }
}

/// Detail of a value for a parameter; texts that no name can have are left out.
fn of_value(script: &Script, name: Option<&str>, value: &Literal) -> Option<Detail> {
    let shown = |word: &str| match name {
        Some(name) => Detail::of_words(&["when", name, "is", word]),
        None => Detail::of_words(&["with", word]),
    };
    match (value, name) {
        _ if has_parameter(value) => None,
        (Literal::Value(Value::Boolean(true)), Some(name)) => {
            Some(Detail::of_words(&["when", name]))
        }
        (Literal::Value(Value::Boolean(false)), Some(name)) => {
            Some(Detail::of_words(&["when", "not", name]))
        }
        (Literal::Value(Value::Null), _) => Some(shown("null")),
        (Literal::String(text), Some(_)) if text.is_empty() => Some(shown("empty")),
        (Literal::String(text), _) if !is_readable(text) => None,
        (Literal::String(text), Some(name)) => Some(Detail {
            name: format!(
                "when{}Is{}",
                capitalised(&identifier(name)),
                text.split(|letter: char| !letter.is_ascii_alphanumeric())
                    .map(capitalised)
                    .collect::<String>()
            ),
            words: format!("when {name} is {}", display::value(script, value)),
        }),
        (Literal::Value(_) | Literal::Boxed(_) | Literal::EnumConstant { .. }, Some(name)) => {
            of_property(script, name, value)
        }
        (
            Literal::Value(_)
            | Literal::Boxed(_)
            | Literal::EnumConstant { .. }
            | Literal::String(_),
            None,
        ) => Some(Detail {
            name: format!("with{}", describe(value, &[])),
            words: format!("with {}", display::value(script, value)),
        }),
        _ => None,
    }
}

/// Whether a text can be read in a name.
fn is_readable(text: &str) -> bool {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || " .,:;@+-_/|".contains(letter);
    text.is_empty()
        || text.len() <= MAX_TEXT
            && text.chars().all(is_plain)
            && text.chars().any(|letter| letter.is_ascii_alphanumeric())
}

/// Detail of an object for a parameter: a date; its class, if the parameter's type does not tell that; or
/// that nothing was added to the collection that it is.
fn of_object(
    before: &[Statement],
    name: Option<&str>,
    place: usize,
    declared: &str,
) -> Option<Detail> {
    let Action::Call(made) = &before.get(place)?.action else {
        return None;
    };
    if let Some((part, date)) = of_date(made) {
        return Some(match name {
            Some(name) => Detail {
                name: format!("when{}Is{part}", capitalised(&identifier(name))),
                words: format!("when {name} is {date}"),
            },
            None => Detail {
                name: format!("with{part}"),
                words: format!("with {date}"),
            },
        });
    }
    if made.body.is_some() || !made.is_constructor() {
        return None;
    }
    let class = made.class.simple_name();
    if !is_platform(&made.class.name) {
        let is_told = declared == made.class.name;
        return (!is_told).then(|| match name {
            Some(name) => Detail::of_words(&["when", name, "is", &class]),
            None => Detail::of_words(&["with", &class]),
        });
    }
    let is_filled = before
        .iter()
        .any(|other| matches!(&other.action, Action::Call(step) if step.receiver == Some(place)));
    let is_empty = made.class.name.starts_with("java.util.") && made.arguments.is_empty();
    (is_empty && !is_filled).then(|| match name {
        Some(name) => Detail::of_words(&["when", name, "is", "empty"]),
        None => Detail::of_words(&["with", "empty", &simple_name(declared)]),
    })
}

/// Date that a call makes, as a part of a name and in words: `2024Jan15`.
fn of_date(step: &Step) -> Option<(String, String)> {
    const MONTHS: [&str; 12] = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ];
    let numbers = step.arguments.iter().map(|argument| match argument {
        Input::Literal(Literal::Value(Value::Int(number))) => Some(*number),
        _ => None,
    });
    let numbers: Vec<i32> = numbers.collect::<Option<_>>()?;
    let (year, month, day) = match (step.class.name.as_str(), &numbers[..]) {
        ("java.time.LocalDate", &[year, month, day]) => (year, month, Some(day)),
        ("java.time.YearMonth", &[year, month]) => (year, month, None),
        _ => return None,
    };
    let name = MONTHS.get(usize::try_from(month).ok()?.checked_sub(1)?)?;
    let year_name = describe(&Literal::Value(Value::Int(year)), &[]);
    Some(match day {
        Some(day) => (
            format!("{year_name}{name}{day}"),
            format!("{year:04}-{month:02}-{day:02}"),
        ),
        None => (
            format!("{year_name}{name}"),
            format!("{year:04}-{month:02}"),
        ),
    })
}

/// Detail of what is seen after the call.
fn of_seen(script: &Script, seen: &Observation) -> Option<Detail> {
    match seen {
        Observation::Call { call, then, value } if then.is_empty() && call.arguments.is_empty() => {
            let name = &call.method.name;
            let property = ["get", "is", "has"].iter().find_map(|prefix| {
                let rest = name.strip_prefix(prefix)?;
                rest.starts_with(|first: char| first.is_uppercase())
                    .then_some(rest)
            });
            match value {
                Literal::Value(Value::Boolean(true)) => Some(Detail::of_words(&["then", name])),
                Literal::Value(Value::Boolean(false)) => {
                    Some(Detail::of_words(&["then", "not", name]))
                }
                _ => of_result(script, property.unwrap_or(name), value),
            }
        }
        Observation::Field { access, value } => of_result(script, &access.field.name, value),
        Observation::Calls {
            method, asserted, ..
        } => {
            let name = method.name.as_str();
            let count = match asserted {
                StubCalls::Count(count) => *count,
                StubCalls::With { all, .. } => all.0.len(),
                StubCalls::Argument { call: (_, all), .. } => *all,
                StubCalls::State { values, .. } => values.len(),
            };
            Some(match count {
                0 => Detail::of_words(&["never", "calls", name]),
                1 => Detail::of_words(&["calls", name]),
                _ => Detail::of_words(&["calls", name, &count.to_string(), "times"]),
            })
        }
        _ => None,
    }
}

/// Detail of a plain value that is seen after the call.
fn of_result(script: &Script, name: &str, value: &Literal) -> Option<Detail> {
    let is_plain = match value {
        Literal::Value(value) => !matches!(value, Value::Ref(_)),
        Literal::Boxed(_) | Literal::EnumConstant { .. } => true,
        Literal::String(text) => is_readable(text),
        Literal::New(step) => is_number(step),
        Literal::Contents { elements, .. } => elements.is_empty(),
        _ => false,
    };
    is_plain.then(|| Detail {
        name: format!(
            "then{}Is{}",
            capitalised(&identifier(name)),
            describe(value, &[])
        ),
        words: format!("then {name} is {}", display::value(script, value)),
    })
}

/// Beginning of a message, up to its first number or sign.
fn of_message(text: &str) -> Option<Detail> {
    let mut words: Vec<String> = Vec::new();
    for word in text.split([' ', '_']) {
        let plain = word.trim_end_matches(['.', ',', ':', ';', '!', '?']);
        let is_word = plain.chars().all(|letter| letter.is_ascii_alphabetic());
        if !is_word || plain.is_empty() || words.len() == MAX_WORDS {
            break;
        }
        words.push(plain.to_lowercase());
        if plain != word {
            break;
        }
    }
    let length: usize = words.iter().map(String::len).sum();
    (length >= MIN_MESSAGE).then(|| {
        let name = words.iter().map(|word| capitalised(word));
        Detail {
            name: format!("saying{}", name.collect::<String>()),
            words: format!("saying {}", words.join(" ")),
        }
    })
}

fn of_setter(script: &Script, step: &Step) -> Option<Detail> {
    let property = property_of(&step.method.name, "set")?;
    match &step.arguments[..] {
        [Input::Literal(value)] => of_property(script, &property, value),
        _ => None,
    }
}

fn of_property(script: &Script, property: &str, value: &Literal) -> Option<Detail> {
    let value = match value {
        value if has_parameter(value) => return None,
        Literal::Value(Value::Boolean(true)) => {
            return Some(Detail::of_words(&["when", property]));
        }
        Literal::Lambda { .. } | Literal::Factory { .. } | Literal::Array { .. } => return None,
        value => value,
    };
    Some(Detail {
        name: format!(
            "when{}Is{}",
            capitalised(&identifier(property)),
            describe(value, &[])
        ),
        words: format!("when {property} is {}", display::value(script, value)),
    })
}

/// Size of a collection of objects, from the call that adds the last one so far.
fn of_collection(script: &Script, step: &Step, count: usize) -> Option<Detail> {
    let class = match &step.arguments[..] {
        [Input::Object(added)] if adds(step) => {
            let added = script.statements.get(*added)?;
            added.made()?.simple_name()
        }
        [Input::Literal(_)] if adds(step) => "element".to_owned(),
        _ => return None,
    };
    let kind = match count {
        1 => class.clone(),
        _ => plural(&class),
    };
    Some(Detail::of_words(&["with", &count.to_string(), &kind]))
}

fn adds(step: &Step) -> bool {
    step.receiver.is_some() && ADDERS.contains(&&*step.method.name)
}

/// Whether a statement adds to the collection to which a call does.
fn adds_to(action: &Action, step: &Step) -> bool {
    matches!(action, Action::Call(other) if adds(other) && other.receiver == step.receiver)
}
