//! What tells a test from others of the same method and outcome: the settings and properties of its
//! objects, the sizes of its collections, and the message of its exception.

use super::display;
use super::names::{capitalised, describe, identifier};
use crate::variables::plural;
use crate::{Action, Input, Literal, Observation, Script, Step, Value};

/// Maximum number of words of a message.
const MAX_WORDS: usize = 4;
/// Names of methods that add something to a collection.
const ADDERS: [&str; 4] = ["add", "put", "addLast", "push"];

/// Detail of a test, as a part of its name and in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Detail {
    pub name: String,
    pub words: String,
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
}

/// Returns the details of a test, those that say most first.
pub(super) fn details(script: &Script) -> Vec<Detail> {
    let mut details = Vec::new();
    let message = script.after.iter().find_map(|seen| match seen {
        Observation::Message { text } => Some(of_message(text)),
        _ => None,
    });
    details.extend(message.flatten());
    let Some((_, before)) = script.call_under_test() else {
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
    details
}

/// Beginning of a message, up to its first number or sign.
fn of_message(text: &str) -> Option<Detail> {
    let is_word = |word: &&str| word.chars().all(|letter| letter.is_ascii_alphabetic());
    let words: Vec<&str> = text
        .split(' ')
        .take_while(is_word)
        .take(MAX_WORDS)
        .collect();
    (words.len() > 1).then(|| {
        let lower: Vec<String> = words.iter().map(|word| word.to_lowercase()).collect();
        let name = lower.iter().map(|word| capitalised(word));
        Detail {
            name: format!("saying{}", name.collect::<String>()),
            words: format!("saying {}", words.join(" ")),
        }
    })
}

fn of_setter(script: &Script, step: &Step) -> Option<Detail> {
    let property = step.method.name.strip_prefix("set")?;
    let first = property
        .chars()
        .next()
        .filter(|first| first.is_uppercase())?;
    let property = format!("{}{}", first.to_lowercase(), &property[first.len_utf8()..]);
    match &step.arguments[..] {
        [Input::Literal(value)] => of_property(script, &property, value),
        _ => None,
    }
}

fn of_property(script: &Script, property: &str, value: &Literal) -> Option<Detail> {
    let value = match value {
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
    let added = match &step.arguments[..] {
        [Input::Object(added)] if adds(step) => *added,
        _ => return None,
    };
    let class = script.statements.get(added)?.made()?.simple_name();
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
