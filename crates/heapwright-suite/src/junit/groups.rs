//! Tests grouped by the method under test, as nested classes.

use std::collections::BTreeSet;

use super::names::{capitalised, identifier};
use crate::types::{MethodDescriptor, binary_name, package, simple_name, split_array};
use crate::{MethodSig, Script, Step, literal};

/// Number of tests up to which a class has no nested classes.
const MAX_FLAT: usize = 8;
/// Minimum number of methods under test of a class with nested classes.
const MIN_METHODS: usize = 3;

/// Tests of one method.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Group {
    /// Names for its class, the better ones first.
    names: [String; 3],
    /// Method with the types of its parameters, for people.
    pub title: String,
    /// Indices of its tests, ascending.
    pub members: Vec<usize>,
}

/// Groups of a class's tests in the order of their first tests; `None` if the class stays flat.
/// `count` is the number of tests, rows included.
pub(super) fn groups(scripts: &[&Script], count: usize, under_test: &str) -> Option<Vec<Group>> {
    if count <= MAX_FLAT || scripts.iter().any(|script| script.label.name.is_some()) {
        return None;
    }
    let found = by_method(scripts)?;
    if found.len() < MIN_METHODS {
        return None;
    }
    let groups = found.iter().map(|(step, members)| Group {
        names: names(step, &found, under_test),
        title: title(step, under_test),
        members: members.clone(),
    });
    Some(groups.collect())
}

/// Calls of the methods under test, each with the indices of its tests, in the order of the first ones; `None`
/// if a test has no call.
pub(super) fn by_method<'s>(scripts: &[&'s Script]) -> Option<Vec<(&'s Step, Vec<usize>)>> {
    let mut found: Vec<(&Step, Vec<usize>)> = Vec::new();
    for (number, script) in scripts.iter().enumerate() {
        let (step, _) = script.call_under_test()?;
        match found.iter_mut().find(|(known, _)| is_same(known, step)) {
            Some((_, members)) => members.push(number),
            None => found.push((step, vec![number])),
        }
    }
    Some(found)
}

/// Whether two calls are of one method.
fn is_same(one: &Step, other: &Step) -> bool {
    let key = |step: &Step| {
        (
            step.class.name.clone(),
            step.method.name.clone(),
            step.method.descriptor.clone(),
        )
    };
    key(one) == key(other)
}

/// Names for the class of a method: `Remove`, `RemoveIntString` beside an overload, with its
/// class if that is not the one under test.
fn names(step: &Step, all: &[(&Step, Vec<usize>)], under_test: &str) -> [String; 3] {
    let plain = match step.method.is_constructor() {
        true => format!("New{}", capitalised(&identifier(&step.class.simple_name()))),
        false => capitalised(&identifier(&step.method.name)),
    };
    let with_types = format!("{plain}{}", type_words(&step.method));
    let is_alike = |other: &Step| {
        let (one, other) = (&step.method.name, &other.method.name);
        one.eq_ignore_ascii_case(other)
    };
    let is_only = all
        .iter()
        .filter(|(other, _)| is_alike(other))
        .all(|(other, _)| is_same(other, step));
    let first = match is_only || step.method.is_constructor() && with_types == plain {
        true => plain,
        false => with_types.clone(),
    };
    let class = match step.class.name == under_test {
        true => String::new(),
        false => capitalised(&identifier(&step.class.simple_name())),
    };
    let second = format!("{class}{with_types}");
    let third = format!("{second}Method");
    [first, second, third]
}

/// Types of the parameters as a part of a name: `IntString`.
fn type_words(method: &MethodSig) -> String {
    let types = MethodDescriptor::parse(&method.descriptor).unwrap_or_default();
    let words = types.parameters.iter().map(|parameter| {
        let (element, dimensions) = split_array(&binary_name(parameter));
        let simple = capitalised(&identifier(&simple_name(&element)));
        format!("{simple}{}", "Array".repeat(dimensions))
    });
    words.collect()
}

/// Method for people: `remove(int, String)`, `Node.key()`.
fn title(step: &Step, under_test: &str) -> String {
    let types = MethodDescriptor::parse(&step.method.descriptor).unwrap_or_default();
    let parameters = types.parameters.iter().map(|parameter| {
        let (element, dimensions) = split_array(&binary_name(parameter));
        format!("{}{}", simple_name(&element), "[]".repeat(dimensions))
    });
    let parameters = parameters.collect::<Vec<_>>().join(", ");
    let class = simple_name(&step.class.name);
    let name = match step.method.is_constructor() {
        true => format!("new {class}"),
        false if step.class.name == under_test => step.method.name.clone(),
        false => format!("{class}.{}", step.method.name),
    };
    format!("{name}({parameters})")
}

impl Group {
    /// Name of its class that hides no name which `source` uses, and that differs from the names
    /// `taken` in more than the case of letters; it is added to them.
    pub fn class(&self, source: &BTreeSet<&str>, taken: &mut BTreeSet<String>) -> String {
        let base = &self.names[2];
        let numbered = (2..).map(|number| format!("{base}{number}"));
        let mut wanted = self.names.iter().cloned().chain(numbered);
        let is_free = |name: &String| {
            !source.contains(name.as_str()) && !taken.contains(&name.to_ascii_lowercase())
        };
        let name = wanted.find(is_free).unwrap_or_default();
        taken.insert(name.to_ascii_lowercase());
        name
    }

    /// Title as a literal.
    pub fn title(&self) -> String {
        literal::string(&self.title)
    }
}

/// Words of a source, which the names of nested classes must not hide, with the names of a
/// package's own classes.
pub(super) fn words(text: &str) -> BTreeSet<&str> {
    let is_part = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '$');
    text.split(|letter| !is_part(letter)).collect()
}

/// Package and simple name of a class's outermost class, lower case: names that are taken.
pub(super) fn taken(test_class: &str, under_test: &str) -> BTreeSet<String> {
    let package = package(under_test);
    let simple = under_test.strip_prefix(&package).unwrap_or(under_test);
    let outermost = simple.trim_start_matches('.').split('$').next();
    [test_class, outermost.unwrap_or_default()]
        .into_iter()
        .map(str::to_ascii_lowercase)
        .collect()
}
