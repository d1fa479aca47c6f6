//! Tests of a method that differ only in their values, as rows of one parameterised test.
//!
//! Invariant: a row makes the same calls and assertions as the test that it stands for.

use std::collections::BTreeSet;

use super::TestOrigin;
use super::names::{capitalised, identifier};
use super::scope::Scope;
use crate::types::{binary_name, simple_name, split_array};
use crate::variables::{is_keyword, numbered};
use crate::{Action, CallOutcome, Input, Literal, Observation, Script, Value, literal};

/// Minimum number of rows.
const MIN_ROWS: usize = 3;
/// Maximum number of parameters.
const MAX_PARAMETERS: usize = 6;
/// Maximum length of a line of values.
const MAX_LINE: usize = 100;

/// Parameterised test.
#[derive(Clone, Debug)]
pub(super) struct Table {
    /// Script of each row.
    pub of: Vec<TestOrigin>,
    /// Script with parameters for the values that differ.
    pub script: Script,
    pub columns: Vec<Column>,
}

/// Parameter, with its value in each row.
#[derive(Clone, Debug)]
pub(super) struct Column {
    pub name: String,
    values: Vec<Literal>,
}

/// Place of a value in a script.
struct Slot<'s> {
    literal: &'s mut Literal,
    /// Wished name of its parameter.
    name: String,
}

/// Test of a script, or several in one.
pub(super) enum Merged {
    /// The script with this index among those given.
    Single(usize),
    Table(Box<Table>),
}

/// Merges scripts that differ only in their values, in the order of the first ones.
pub(super) fn merged(scope: &mut Scope, scripts: &[(TestOrigin, &Script)]) -> Vec<Merged> {
    let mut shapes: Vec<(Script, Vec<usize>)> = Vec::new();
    for (number, (_, script)) in scripts.iter().enumerate() {
        let shape = shape(scope, script);
        match shapes.iter_mut().find(|(known, _)| *known == shape) {
            Some((_, members)) => members.push(number),
            None => shapes.push((shape, vec![number])),
        }
    }
    let mut all: Vec<(usize, Merged)> = Vec::new();
    for (_, members) in shapes {
        let rows: Vec<(TestOrigin, &Script)> =
            members.iter().map(|&number| scripts[number]).collect();
        match table(scope, &rows) {
            Some(table) => all.push((members[0], Merged::Table(Box::new(table)))),
            None => all.extend(
                members
                    .into_iter()
                    .map(|number| (number, Merged::Single(number))),
            ),
        }
    }
    all.sort_by_key(|(first, _)| *first);
    all.into_iter().map(|(_, merged)| merged).collect()
}

/// Parameterised test of scripts of one shape, if they are enough and have few parameters.
fn table(scope: &mut Scope, rows: &[(TestOrigin, &Script)]) -> Option<Table> {
    let (_, first) = rows.first()?;
    let is_own = |script: &Script| {
        script.label.name.is_none() && !matches!(script.outcome, CallOutcome::Failed(_))
    };
    if rows.len() < MIN_ROWS || !is_own(first) {
        return None;
    }
    let mut values: Vec<Vec<Literal>> = Vec::new();
    let mut names = Vec::new();
    for (_, script) in rows {
        let mut script = (*script).clone();
        let slots = slots(scope, &mut script);
        names = slots.iter().map(|slot| slot.name.clone()).collect();
        values.push(slots.into_iter().map(|slot| slot.literal.clone()).collect());
    }
    let mut columns: Vec<Column> = Vec::new();
    // Column of each place, if its values differ.
    let mut places = Vec::new();
    for (place, name) in names.into_iter().enumerate() {
        let column: Vec<Literal> = values.iter().map(|row| row[place].clone()).collect();
        if column.iter().all(|value| is_same(value, &column[0])) {
            places.push(None);
            continue;
        }
        let is_known = |known: &Column| {
            let mut pairs = known.values.iter().zip(&column);
            pairs.all(|(one, other)| is_same(one, other))
        };
        let known = columns.iter().position(is_known);
        places.push(Some(known.unwrap_or(columns.len())));
        if known.is_none() {
            columns.push(Column {
                name,
                values: column,
            });
        }
    }
    if columns.is_empty() || columns.len() > MAX_PARAMETERS {
        return None;
    }
    name_apart(&mut columns, first);
    let mut script = (*first).clone();
    for (slot, place) in slots(scope, &mut script).into_iter().zip(places) {
        if let Some(place) = place {
            let like = Box::new(slot.literal.clone());
            let name = columns[place].name.clone();
            *slot.literal = Literal::Parameter { name, like };
        }
    }
    Some(Table {
        of: rows.iter().map(|(of, _)| *of).collect(),
        script,
        columns,
    })
}

/// Gives parameters names that differ from each other and from those of variables.
fn name_apart(columns: &mut [Column], script: &Script) {
    let wishes: Vec<String> = columns.iter().map(|column| column.name.clone()).collect();
    let taken: BTreeSet<String> = script.variables().into_iter().collect();
    for (column, name) in columns.iter_mut().zip(numbered(&wishes)) {
        column.name = name;
        while taken.contains(&column.name) || is_keyword(&column.name) {
            column.name.push_str("Value");
        }
    }
}

/// Whether two values are the same, bit for bit.
fn is_same(one: &Literal, other: &Literal) -> bool {
    match (one, other) {
        (Literal::Value(one), Literal::Value(other))
        | (Literal::Boxed(one), Literal::Boxed(other)) => match (one, other) {
            (Value::Float(one), Value::Float(other)) => one.to_bits() == other.to_bits(),
            (Value::Double(one), Value::Double(other)) => one.to_bits() == other.to_bits(),
            _ => one == other,
        },
        _ => one == other,
    }
}

/// Script with default values; equal for scripts that differ only in their values.
fn shape(scope: &mut Scope, script: &Script) -> Script {
    let mut script = script.clone();
    for slot in slots(scope, &mut script) {
        *slot.literal = blank(slot.literal);
    }
    script
}

/// Default value of the same type.
fn blank(literal: &Literal) -> Literal {
    match literal {
        Literal::Value(value) => Literal::Value(default_of(*value)),
        Literal::Boxed(value) => Literal::Boxed(default_of(*value)),
        Literal::String(_) => Literal::String(String::new()),
        Literal::EnumConstant { class, .. } => Literal::EnumConstant {
            class: class.clone(),
            name: String::new(),
        },
        Literal::Array { class, .. } => Literal::Array {
            class: class.clone(),
            elements: Vec::new(),
        },
        other => other.clone(),
    }
}

fn default_of(value: Value) -> Value {
    match value {
        Value::Boolean(_) => Value::Boolean(false),
        Value::Byte(_) => Value::Byte(0),
        Value::Short(_) => Value::Short(0),
        Value::Char(_) => Value::Char(0),
        Value::Int(_) => Value::Int(0),
        Value::Long(_) => Value::Long(0),
        Value::Float(_) => Value::Float(0.0),
        Value::Double(_) => Value::Double(0.0),
        other => other,
    }
}

/// Values of a script that a parameter can stand for, in their order.
fn slots<'s>(scope: &mut Scope, script: &'s mut Script) -> Vec<Slot<'s>> {
    let mut found = Vec::new();
    for statement in &mut script.statements {
        let wish = statement.name.clone();
        match &mut statement.action {
            Action::Call(step) if step.body.is_none() => {
                add_arguments(scope, &mut found, step.is_variadic, &mut step.arguments);
            }
            Action::Literal { value, .. } => add(scope, &mut found, value, wish),
            _ => {}
        }
    }
    if let CallOutcome::Returned(value) = &mut script.outcome {
        add(scope, &mut found, value, Some("expected".to_owned()));
    }
    for seen in &mut script.after {
        let expected = |name: &str| {
            let short = name.strip_prefix("get").filter(|rest| !rest.is_empty());
            Some(format!(
                "expected{}",
                capitalised(&identifier(short.unwrap_or(name)))
            ))
        };
        match seen {
            Observation::Call { call, then, value } => {
                let wish = expected(&then.last().unwrap_or(call).method.name);
                add_arguments(scope, &mut found, call.is_variadic, &mut call.arguments);
                add(scope, &mut found, value, wish);
            }
            Observation::Field { access, value } => {
                let wish = expected(&access.field.name);
                add(scope, &mut found, value, wish);
            }
            Observation::Object { value, .. } => {
                add(
                    scope,
                    &mut found,
                    value,
                    Some("expectedElements".to_owned()),
                );
            }
            // Stubs stay apart: a row holds values alone.
            Observation::Message { .. } | Observation::Cause { .. } | Observation::Calls { .. } => {
            }
        }
    }
    found
}

fn add_arguments<'s>(
    scope: &mut Scope,
    found: &mut Vec<Slot<'s>>,
    is_variadic: bool,
    arguments: &'s mut [Input],
) {
    for argument in arguments {
        if let Input::Literal(literal) = argument {
            for value in values(literal, is_variadic) {
                add(scope, found, value, None);
            }
        }
    }
}

/// Values of an argument: the elements of a variable number of arguments, else the argument itself.
fn values(argument: &mut Literal, is_variadic: bool) -> Vec<&mut Literal> {
    if !is_variadic || !matches!(argument, Literal::Array { .. }) {
        return vec![argument];
    }
    match argument {
        Literal::Array { elements, .. } => elements.iter_mut().collect(),
        _ => Vec::new(),
    }
}

/// Adds a value if a parameter can have its type.
fn add<'s>(
    scope: &mut Scope,
    found: &mut Vec<Slot<'s>>,
    literal: &'s mut Literal,
    wish: Option<String>,
) {
    let Some(class) = class_of(literal) else {
        return;
    };
    let is_plain = match literal {
        Literal::Array { class, elements } => {
            let (element, dimensions) = split_array(class);
            let is_string = element == "java.lang.String";
            dimensions == 1
                && (is_string || !element.contains('.'))
                && elements.iter().all(|element| class_of(element).is_some())
        }
        _ => true,
    };
    if is_plain && scope.bare_name(&class).is_some() {
        let name = wish.unwrap_or_else(|| noun(&class));
        found.push(Slot { literal, name });
    }
}

/// Class of a value that a parameter can stand for, by binary name.
fn class_of(literal: &Literal) -> Option<String> {
    match literal {
        Literal::Value(value) => value.descriptor().map(binary_name),
        Literal::Boxed(value) => value.box_class().map(str::to_owned),
        Literal::String(_) => Some("java.lang.String".to_owned()),
        Literal::EnumConstant { class, .. } => Some(class.name.clone()),
        Literal::Array { class, .. } => Some(class.clone()),
        _ => None,
    }
}

/// Noun for a value of a class.
fn noun(class: &str) -> String {
    let (element, dimensions) = split_array(class);
    let noun = match element.as_str() {
        "boolean" | "java.lang.Boolean" => "flag",
        "char" | "java.lang.Character" => "letter",
        "java.lang.String" => "text",
        "byte" | "short" | "int" | "long" | "float" | "double" => "number",
        "java.lang.Byte" | "java.lang.Short" | "java.lang.Integer" | "java.lang.Long"
        | "java.lang.Float" | "java.lang.Double" => "number",
        other => {
            let simple = identifier(&simple_name(other));
            let (first, rest) = simple.split_at(1);
            return first.to_ascii_lowercase() + rest;
        }
    };
    match dimensions {
        0 => noun.to_owned(),
        _ => format!("{noun}s"),
    }
}

impl Table {
    /// Number of a parameter.
    pub fn number_of(&self, name: &str) -> Option<usize> {
        self.columns.iter().position(|column| column.name == name)
    }

    /// Declarations of the parameters.
    pub fn declared(&self, scope: &mut Scope) -> String {
        let declared = self.columns.iter().map(|column| {
            let class = class_of(&column.values[0]).unwrap_or_default();
            let class = scope.bare_name(&class).unwrap_or_default();
            format!("{class} {}", column.name)
        });
        declared.collect::<Vec<_>>().join(", ")
    }

    /// Rows as texts that JUnit converts, one value each; `None` if it cannot convert one, or if one
    /// is long.
    pub fn texts(&self) -> Option<Vec<String>> {
        let rows = (0..self.of.len()).map(|row| {
            let cells = self.columns.iter().map(|column| cell(&column.values[row]));
            let cells: Option<Vec<String>> = cells.collect();
            let row = literal::string(&cells?.join(", "));
            Some(row).filter(|row| row.len() <= MAX_LINE)
        });
        rows.collect()
    }

    /// Rows as lists of arguments in Java.
    pub fn arguments(&self, scope: &mut Scope) -> Vec<String> {
        let rows = (0..self.of.len()).map(|row| {
            let cells = self.columns.iter().map(|column| {
                let value = &column.values[row];
                let argument = super::arguments::literal_argument(scope, value);
                argument.unboxed.unwrap_or(argument.source)
            });
            cells.collect::<Vec<_>>().join(", ")
        });
        rows.collect()
    }
}

/// Value as a cell of a line of values, or `None` if a line cannot contain it.
fn cell(value: &Literal) -> Option<String> {
    match value {
        Literal::Value(value) | Literal::Boxed(value) => match value {
            Value::Char(unit) => text_cell(&char::from_u32(u32::from(*unit))?.to_string()),
            Value::Null | Value::Ref(_) => None,
            other => Some(literal::plain(*other)),
        },
        Literal::String(text) => text_cell(text),
        Literal::EnumConstant { name, .. } => Some(name.clone()),
        _ => None,
    }
}

/// Text as a cell, quoted where that changes its meaning.
fn text_cell(text: &str) -> Option<String> {
    if !text.chars().all(|letter| matches!(letter, ' '..='~')) {
        return None;
    }
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || ".:;/+-_ ".contains(letter);
    let is_bare = !text.is_empty() && text.trim() == text && text.chars().all(is_plain);
    Some(match is_bare {
        true => text.to_owned(),
        false => format!("'{}'", text.replace('\'', "''")),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_quoted_where_they_must_be() {
        let rows = [
            ("a b", Some("a b")),
            ("", Some("''")),
            (" a", Some("' a'")),
            ("a,b", Some("'a,b'")),
            ("it's", Some("'it''s'")),
            ("#", Some("'#'")),
            ("\n", None),
        ];
        for (text, expected) in rows {
            assert_eq!(text_cell(text).as_deref(), expected);
        }
    }
}
