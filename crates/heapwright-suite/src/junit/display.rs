//! Tests in words: method, arguments, state and outcome, as in `remove with 1 after insert returns
//! false`.

use super::details::{Apart, is_number};
use super::mvc::telling_status;
use super::names::{called, history, is_collaborator, told};
use crate::types::{binary_name, simple_name};
use crate::{
    Action, CallOutcome, ContentsKind, Contract, Input, Literal, Observation, Requirement, Script,
    Step, Value, literal,
};

/// Maximum number of characters of a text in it.
const MAX_TEXT: usize = 24;
/// Maximum number of characters of the whole, and with what tells it from another one.
const MAX_WORDS: usize = 84;
const MAX_LONG_WORDS: usize = 110;
/// Maximum number of elements of a list that is written out.
const MAX_ELEMENTS: usize = 4;

/// Words for the test of a script, and longer ones with what tells it from its siblings.
pub(super) fn forms_of_script(script: &Script, apart: &Apart) -> Vec<String> {
    let words = of_script(script, &|_| String::new());
    let longer = apart
        .all()
        .map(|detail| format!("{words} {}", detail.words));
    let longer = longer.filter(|words| words.chars().count() <= MAX_LONG_WORDS);
    std::iter::once(words.clone()).chain(longer).collect()
}

/// Words for a value.
pub(super) fn value(script: &Script, literal: &Literal) -> String {
    let parameter = &|_: &str| String::new();
    Words { script, parameter }.literal(literal)
}

/// Words for the test of a script; empty if it has a name of its own. `parameter` gives the words
/// of a parameter.
pub(super) fn of_script(script: &Script, parameter: &dyn Fn(&str) -> String) -> String {
    let Some((step, _)) = script
        .call_under_test()
        .filter(|_| script.label.name.is_none())
    else {
        return String::new();
    };
    let words = Words { script, parameter };
    let arguments = words.arguments(step);
    let (state, outcome) = (words.state(step), words.outcome(step));
    let count = match step.arguments.len() {
        _ if state.starts_with(" when ") => String::new(),
        1 => " with an argument".to_owned(),
        count => format!(" with {count} arguments"),
    };
    let method = method(step);
    let short = words.kind_of_outcome(step);
    let forms = [
        format!("{method}{arguments}{state}{outcome}"),
        format!("{method}{arguments}{state}{short}"),
        format!("{method}{count}{state}{outcome}"),
        format!("{method}{count}{state}{short}"),
    ];
    let fits = |form: &&String| form.chars().count() <= MAX_WORDS;
    let fitting = forms.iter().find(fits);
    fitting.unwrap_or(&forms[3]).clone()
}

/// Pattern of `MessageFormat` that gives a text; `parameters` are those that it has.
pub(super) fn pattern(words: &str, parameters: usize) -> String {
    let mut pattern = words
        .replace('\'', "''")
        .replace('{', "'{'")
        .replace('}', "'}'");
    for number in 0..parameters {
        pattern = pattern.replace(&placeholder(number), &format!("{{{number}}}"));
    }
    pattern
}

/// Text that stands for a parameter until the pattern is made; no literal of a source has it.
pub(super) fn placeholder(number: usize) -> String {
    format!("\u{1}{number}\u{2}")
}

/// Method or constructor, as it is called.
fn method(step: &Step) -> String {
    match step.method.is_constructor() {
        true => format!("new {}", step.class.simple_name()),
        false => step.method.name.clone(),
    }
}

/// Words of a class's name in lower case: `search tree`, `box array`.
fn spaced(class: &str) -> String {
    let simple = simple_name(class).replace("[]", " array");
    let mut words = String::new();
    let mut before = None;
    let mut letters = simple.chars().peekable();
    while let Some(letter) = letters.next() {
        let is_start = letter.is_uppercase()
            && before.is_some_and(|before: char| {
                before.is_lowercase() || letters.peek().is_some_and(|next| next.is_lowercase())
            });
        if is_start && !words.ends_with(' ') {
            words.push(' ');
        }
        let is_abbreviated = letters.peek().is_some_and(|next| next.is_uppercase())
            || before.is_some_and(char::is_uppercase) && letters.peek().is_none();
        match is_abbreviated && letter.is_uppercase() {
            true => words.push(letter),
            false => words.extend(letter.to_lowercase()),
        }
        before = Some(letter);
    }
    words
}

/// Words with the article of their sound.
fn with_article(words: &str) -> String {
    let is_vowel = words.starts_with(['a', 'e', 'i', 'o', 'A', 'E', 'I', 'O']);
    match is_vowel {
        true => format!("an {words}"),
        false => format!("a {words}"),
    }
}

/// Writer of the words of a script.
struct Words<'a> {
    script: &'a Script,
    parameter: &'a dyn Fn(&str) -> String,
}

impl Words<'_> {
    /// Arguments of the call under test: ` with 1 and "a"`.
    fn arguments(&self, step: &Step) -> String {
        let before = &self.script.statements[..self.script.statements.len() - 1];
        let named = step.arguments.iter();
        let is_on_object = step.receiver.is_some() && !step.is_constructor();
        let named = named.filter(|input| !(is_on_object && is_collaborator(before, input)));
        let arguments = named.map(|input| match input {
            Input::Literal(literal) => self.literal(literal),
            Input::Object(place) => self.object(*place),
        });
        match &arguments.collect::<Vec<_>>()[..] {
            [] => String::new(),
            [only] => format!(" with {only}"),
            [first @ .., last] => format!(" with {} and {last}", first.join(", ")),
        }
    }

    /// Earlier calls on the receiver: ` on a new search tree`, ` after insert`.
    fn state(&self, step: &Step) -> String {
        let Some(receiver) = step.receiver.filter(|_| !step.is_constructor()) else {
            return String::new();
        };
        let before = &self.script.statements[..self.script.statements.len() - 1];
        let (calls, made) = history(before, receiver);
        match (&calls[..], made) {
            ([], Some(_)) if let Some(told) = told(before, receiver, step) => {
                told.map_or_else(String::new, |told| told.as_words())
            }
            ([], Some(class)) => format!(" on a new {}", spaced(&class.name)),
            ([], None) => String::new(),
            ([only], _) => format!(" after {only}"),
            ([first, rest @ ..], _) if rest.iter().all(|name| name == first) => {
                format!(" after {} calls of {first}", calls.len())
            }
            ([first, second], _) => format!(" after {first} and {second}"),
            _ => format!(" after {} calls", calls.len()),
        }
    }

    /// Outcome of the call under test, with what is seen first if it returns nothing.
    fn outcome(&self, step: &Step) -> String {
        match &self.script.outcome {
            _ if telling_status(self.script).is_some() => self.kind_of_outcome(step),
            CallOutcome::Returned(literal) => format!(" returns {}", self.literal(literal)),
            CallOutcome::ReturnedVoid => match self.effect() {
                Some((name, value)) => format!(", then {name} is {}", self.literal(value)),
                None => match called(self.script) {
                    Some(called) => format!(" calls {called}"),
                    None => self.kind_of_outcome(step),
                },
            },
            _ => self.kind_of_outcome(step),
        }
    }

    /// Name and result of the first observer that is asked without arguments.
    fn effect(&self) -> Option<(&str, &Literal)> {
        effect(self.script)
    }

    /// Outcome of the call under test without its value.
    fn kind_of_outcome(&self, step: &Step) -> String {
        match &self.script.outcome {
            _ if let Some(status) = telling_status(self.script) => {
                format!(" responds with {status}")
            }
            CallOutcome::Returned(literal) => {
                let types = crate::types::MethodDescriptor::parse(&step.method.descriptor);
                let returns = types.map(|types| binary_name(&types.returns));
                let kind = match literal {
                    Literal::Contents { elements, .. } | Literal::Array { elements, .. }
                        if elements.is_empty() =>
                    {
                        self.literal(literal)
                    }
                    _ => with_article(&spaced(&returns.unwrap_or_default())),
                };
                format!(" returns {kind}")
            }
            CallOutcome::ReturnedVoid if step.method.is_constructor() => " succeeds".to_owned(),
            CallOutcome::ReturnedVoid => " returns".to_owned(),
            CallOutcome::ReturnedObject { class } => match class {
                Some(class) => format!(" returns {}", with_article(&spaced(class))),
                None => " returns an object".to_owned(),
            },
            CallOutcome::Threw { class, .. } => format!(" throws {}", class.simple_name()),
            CallOutcome::Failed(requirement) => format!(" {}", required(requirement)),
        }
    }

    /// Object of a statement: its literal, or its class with an article.
    fn object(&self, place: usize) -> String {
        let Some(statement) = self.script.statements.get(place) else {
            return "an object".to_owned();
        };
        match (&statement.action, statement.made()) {
            (Action::Literal { value, .. }, _) => self.literal(value),
            (_, Some(class)) => with_article(&spaced(&class.name)),
            (_, None) => "an object".to_owned(),
        }
    }

    /// Object of a statement that is there already: `the depot`.
    fn known(&self, place: usize) -> String {
        let statement = self.script.statements.get(place);
        match statement.map(|statement| (&statement.action, statement.made())) {
            Some((Action::Literal { value, .. }, _)) => self.literal(value),
            Some((_, Some(class))) => format!("the {}", spaced(&class.name)),
            _ => "the object".to_owned(),
        }
    }

    fn literal(&self, literal: &Literal) -> String {
        match literal {
            Literal::Parameter { name, .. } => (self.parameter)(name),
            Literal::Value(Value::Ref(place)) => self.known(*place),
            Literal::Value(value) | Literal::Boxed(value) => plain(*value),
            Literal::String(text) => quoted(text),
            Literal::EnumConstant { name, .. } => name.clone(),
            Literal::StaticField { class, name, .. } => format!("{}.{name}", class.simple_name()),
            Literal::Class(class) => format!("{}.class", class.simple_name()),
            Literal::Array { elements, .. } => self.elements("array", elements),
            Literal::Held { holder, elements } => {
                self.elements(&format!("{holder:?}").to_lowercase(), elements)
            }
            Literal::Contents { kind, elements } => self.contents(*kind, elements),
            Literal::Lambda { interface, .. } => with_article(&spaced(&interface.name)),
            Literal::New(step) if is_number(step) => match &step.arguments[0] {
                Input::Literal(Literal::String(number)) => number.clone(),
                Input::Literal(number) => self.literal(number),
                Input::Object(place) => self.object(*place),
            },
            Literal::New(step) => with_article(&spaced(&step.class.name)),
            Literal::Factory { class, .. } => with_article(&spaced(&class.name)),
            Literal::Made(_) => "an object".to_owned(),
        }
    }

    fn contents(&self, kind: ContentsKind, elements: &[Literal]) -> String {
        match (kind, elements) {
            (ContentsKind::Map, elements) => match elements.len() / 2 {
                0 => "an empty map".to_owned(),
                1 => "a map with an entry".to_owned(),
                count => format!("a map with {count} entries"),
            },
            (ContentsKind::Entry, [key, value]) => {
                format!("{}={}", self.literal(key), self.literal(value))
            }
            (ContentsKind::List | ContentsKind::Set, _) => {
                self.elements(&format!("{kind:?}").to_lowercase(), elements)
            }
            (_, []) => "an empty optional".to_owned(),
            (_, elements) => {
                let elements = elements.iter().map(|element| self.literal(element));
                format!("an optional {}", elements.collect::<String>())
            }
        }
    }

    /// A few elements in brackets, or their number.
    fn elements(&self, kind: &str, elements: &[Literal]) -> String {
        let is_plain = |element: &Literal| {
            matches!(
                element,
                Literal::Value(_)
                    | Literal::Boxed(_)
                    | Literal::String(_)
                    | Literal::EnumConstant { .. }
                    | Literal::Parameter { .. }
            )
        };
        match elements {
            [] => format!("an empty {kind}"),
            all if all.len() <= MAX_ELEMENTS && all.iter().all(is_plain) => {
                let all = all.iter().map(|element| self.literal(element));
                format!("[{}]", all.collect::<Vec<_>>().join(", "))
            }
            [_] => format!("{} of one element", with_article(kind)),
            all => format!("{} of {} elements", with_article(kind), all.len()),
        }
    }
}

/// Name and result of the first observer on the object under test that is asked without
/// arguments, if its result is no object.
pub(super) fn effect(script: &Script) -> Option<(&str, &Literal)> {
    let number = script.statements.len().checked_sub(1)?;
    let (step, _) = script.call_under_test()?;
    let subject = match step.is_constructor() {
        true => number,
        false => step.receiver?,
    };
    let first = script.after.first()?;
    let (name, value) = match first {
        Observation::Call { call, then, value }
            if then.is_empty() && call.arguments.is_empty() && call.receiver == Some(subject) =>
        {
            (&call.method.name, value)
        }
        Observation::Field { access, value } if access.receiver == Some(subject) => {
            (&access.field.name, value)
        }
        _ => return None,
    };
    let is_plain = match value {
        Literal::Value(value) => !matches!(value, Value::Ref(_)),
        Literal::Boxed(_) | Literal::String(_) | Literal::EnumConstant { .. } => true,
        Literal::Parameter { .. } => true,
        _ => false,
    };
    is_plain.then_some((name.as_str(), value))
}

/// Value for people; characters are in quotes.
fn plain(value: Value) -> String {
    match value {
        Value::Int(i32::MIN) | Value::Long(i64::MIN) => "MIN_VALUE".to_owned(),
        Value::Int(i32::MAX) | Value::Long(i64::MAX) => "MAX_VALUE".to_owned(),
        _ => literal::plain(value),
    }
}

/// Text in quotes, cut if it is long; what cannot be printed is a question mark.
fn quoted(text: &str) -> String {
    let shown: String = text
        .chars()
        .take(MAX_TEXT)
        .map(|letter| match letter {
            ' '..='~' => letter,
            _ => '?',
        })
        .collect();
    let end = match text.chars().nth(MAX_TEXT) {
        Some(_) => "...",
        None => "",
    };
    format!("\"{shown}{end}\"")
}

/// Requirement that was violated.
fn required(requirement: &Requirement) -> String {
    match requirement {
        Requirement::Returns => "returns".to_owned(),
        Requirement::DoesNotThrow(class) => format!("does not throw {}", simple_name(class)),
        Requirement::KeepsInvariant => "keeps the invariant".to_owned(),
        Requirement::KeepsArgument { .. } => "keeps the invariant of its argument".to_owned(),
        Requirement::MakesValid => "makes a valid object".to_owned(),
        Requirement::Ends => "ends".to_owned(),
        Requirement::Satisfies(oracle) => format!("satisfies {}", oracle.name),
        Requirement::Agrees(other) => format!("agrees with {}", other.class.simple_name()),
        Requirement::Keeps(contract) => kept(*contract).to_owned(),
    }
}

fn kept(contract: Contract) -> &'static str {
    match contract {
        Contract::Reflexive => "is reflexive",
        Contract::UnequalToNull => "is false",
        Contract::Symmetric => "is symmetric",
        Contract::SameHashCode => "implies the same hash code",
        Contract::SteadyHashCode => "is steady",
        Contract::NamedByString | Contract::Cloned => "is not null",
        Contract::OrderedAsItself => "is 0",
        Contract::Antisymmetric => "is antisymmetric",
        Contract::ClonedApart => "is another object",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_classes_are_words() {
        let rows = [
            ("a.SearchTree", "search tree"),
            ("a.Outer$URLParser", "URL parser"),
            ("X", "x"),
            ("a.HTTP", "HTTP"),
            ("java.lang.Integer", "integer"),
        ];
        for (class, words) in rows {
            assert_eq!(spaced(class), words);
        }
        assert_eq!(with_article("account"), "an account");
    }

    #[test]
    fn patterns_escape_what_has_a_meaning() {
        let words = format!(
            "f with '{{' and {} returns {}",
            placeholder(1),
            placeholder(0)
        );
        assert_eq!(pattern(&words, 2), "f with '''{''' and {1} returns {0}");
    }
}
