//! Tests of a method that differ only in their values, as rows of one parameterised test, or as calls of one
//! method where the framework has no such tests.
//!
//! Invariant: a row makes the same calls and assertions as the test that it stands for.

use std::collections::BTreeSet;

use super::TestOrigin;
use super::details::is_number;
use super::names::{capitalised, identifier};
use super::scope::Scope;
use crate::types::{MethodDescriptor, binary_name, simple_name, split_array};
use crate::variables::{is_keyword, numbered, property_of};
use crate::{
    Action, CallOutcome, Input, Literal, Observation, Script, Step, StubCalls, StubOutcome, Value,
    literal,
};

/// Minimum number of rows of a parameterised test, and of tests that call one method.
const MIN_ROWS: usize = 2;
const MIN_CALLS: usize = 3;
/// Minimum number of statements and observations of two tests that become one, and in a method that tests
/// call. Of shorter ones each stays by itself where the other one fails.
const MIN_SHARED: usize = 5;
/// Wished name of the parameter for what the call under test returns.
const EXPECTED: &str = "expected";
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
    /// Whether null may stand beside texts.
    is_nullable: bool,
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
        script.label.name.is_none()
            && script.exchange.is_none()
            && !matches!(script.outcome, CallOutcome::Failed(_))
    };
    let is_long = first.statements.len() + first.after.len() >= MIN_SHARED;
    let is_enough = match (scope.has_parameters, rows.len()) {
        (true, MIN_ROWS) | (false, MIN_CALLS..) => is_long,
        (true, count) => count > MIN_ROWS,
        (false, _) => false,
    };
    if !is_enough || !is_own(first) {
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
    if columns.is_empty()
        || columns.len() > MAX_PARAMETERS
        || rows.len() == MIN_ROWS && !is_pair(first, &columns)
    {
        return None;
    }
    name_apart(&mut columns, first);
    let mut script = (*first).clone();
    for (slot, place) in slots(scope, &mut script).into_iter().zip(places) {
        if let Some(place) = place {
            let like = Box::new(columns[place].example().clone());
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

/// Whether two tests are one but for numbers and texts: what else differs is told better by two names.
fn is_pair(script: &Script, columns: &[Column]) -> bool {
    let is_truth = |literal: &Literal| matches!(literal, Literal::Value(Value::Boolean(_)));
    let mut values = columns.iter().flat_map(|column| &column.values);
    let is_named = |column: &Column| column.name == EXPECTED && is_truth(&column.values[0]);
    values.all(|value| !matches!(value, Literal::EnumConstant { .. } | Literal::Array { .. }))
        && !(columns.iter().any(is_named)
            && matches!(&script.outcome, CallOutcome::Returned(value) if is_truth(value)))
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
    // Of a mock a test has no method that it does not ask, and no calls but those that it verifies.
    for statement in &mut script.statements {
        let body = match &mut statement.action {
            Action::Call(step) => step.body.as_mut().filter(|body| body.is_mock),
            _ => None,
        };
        let methods = body.into_iter().flat_map(|body| &mut body.methods);
        for method in methods.filter(|method| method.is_unasked) {
            method.outcomes.clear();
            method.asked_with.clear();
        }
    }
    let mocks = mocks(&script);
    for seen in &mut script.after {
        if let Observation::Calls {
            stub,
            asserted: StubCalls::With { all, .. },
            ..
        } = seen
            && mocks.contains(stub)
        {
            all.0.clear();
        }
    }
    for slot in slots(scope, &mut script) {
        *slot.literal = blank(slot.literal, slot.is_nullable);
    }
    script
}

/// Statements that make mocks.
fn mocks(script: &Script) -> BTreeSet<usize> {
    let statements = script.statements.iter().enumerate();
    let mocks = statements.filter(|(_, statement)| match &statement.action {
        Action::Call(step) => step.body.as_ref().is_some_and(|body| body.is_mock),
        Action::Literal { value, .. } => matches!(value, Literal::Lambda { is_mock: true, .. }),
        _ => false,
    });
    mocks.map(|(place, _)| place).collect()
}

/// Default value of the same type; that of a text is null where null may stand beside it.
fn blank(literal: &Literal, is_nullable: bool) -> Literal {
    match literal {
        Literal::Value(value) => Literal::Value(default_of(*value)),
        Literal::Boxed(value) => Literal::Boxed(default_of(*value)),
        Literal::String(_) if is_nullable => Literal::Value(Value::Null),
        Literal::String(_) => Literal::String(String::new()),
        Literal::EnumConstant { class, .. } => Literal::EnumConstant {
            class: class.clone(),
            name: String::new(),
        },
        Literal::Array { class, .. } => Literal::Array {
            class: class.clone(),
            elements: Vec::new(),
        },
        Literal::New(step) => Literal::New(Box::new(Step {
            arguments: Vec::new(),
            spelling: None,
            ..(**step).clone()
        })),
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
    let mocks = mocks(script);
    let mut slots = Slots {
        scope,
        found: Vec::new(),
    };
    for statement in &mut script.statements {
        let wish = statement.name.clone();
        match &mut statement.action {
            Action::Call(step) => slots.add_call(step),
            Action::Literal { value, .. } => slots.add(value, wish, true),
            Action::NewArray { elements, .. } => slots.add_inputs(elements),
            Action::StoreElement { value, .. } => slots.add_inputs(std::slice::from_mut(value)),
            Action::StoreField { access, value } => {
                if let Input::Literal(value) = value {
                    slots.add(value, Some(access.field.name.clone()), false);
                }
            }
            Action::LoadElement { .. } | Action::LoadField { .. } => {}
        }
    }
    if let CallOutcome::Returned(value) = &mut script.outcome {
        slots.add(value, Some(EXPECTED.to_owned()), true);
    }
    for seen in &mut script.after {
        let expected = |name: &str| Some(format!("expected{}", capitalised(&property(name))));
        match seen {
            Observation::Call { call, then, value } => {
                let wish = expected(&then.last().unwrap_or(call).method.name);
                slots.add_call(call);
                slots.add(value, wish, true);
            }
            Observation::Field { access, value } => {
                let wish = expected(&access.field.name);
                slots.add(value, wish, true);
            }
            Observation::Object { value, .. } => {
                slots.add(value, Some("expectedElements".to_owned()), false);
            }
            Observation::Message { text } => {
                slots.add(text, Some("expectedMessage".to_owned()), false);
            }
            Observation::Calls { stub, asserted, .. } => {
                let others = match asserted {
                    StubCalls::With { all, .. } => all.0.iter().map(Vec::len).sum(),
                    _ => 0,
                };
                let values = asserted.values_mut();
                let values: Vec<&mut Literal> = values.collect();
                let shown = match mocks.contains(stub) {
                    true => values.len() - others,
                    false => values.len(),
                };
                // Lists of arguments cannot have null.
                for value in values.into_iter().take(shown) {
                    slots.add(value, Some("sent".to_owned()), false);
                }
            }
            Observation::Cause { .. } => {}
        }
    }
    slots.found
}

/// Collects the values that a parameter can stand for.
struct Slots<'c, 's> {
    scope: &'c mut Scope,
    found: Vec<Slot<'s>>,
}

impl<'s> Slots<'_, 's> {
    /// Adds the arguments of a call, and what the methods of its anonymous class answer.
    fn add_call(&mut self, step: &'s mut Step) {
        let enclosing = usize::from(step.is_constructor() && step.receiver.is_some());
        let mut names = step.method.parameters.iter().skip(enclosing);
        let is_variadic = step.is_variadic;
        for argument in &mut step.arguments {
            let name = names.next().filter(|name| name.len() > 1);
            let Input::Literal(literal) = argument else {
                continue;
            };
            for value in values(literal, is_variadic) {
                self.add(value, name.cloned(), !is_variadic);
            }
        }
        let is_mock = step.body.as_ref().is_some_and(|body| body.is_mock);
        let methods = step.body.iter_mut().flat_map(|body| &mut body.methods);
        for method in methods.filter(|method| !(is_mock && method.is_unasked)) {
            for argument in method.asked_with.iter_mut().flatten() {
                self.add(argument, None, false);
            }
            for outcome in &mut method.outcomes {
                if let StubOutcome::Value(Input::Literal(value)) = outcome {
                    self.add(value, Some(property(&method.method.name)), false);
                }
            }
        }
    }

    fn add_inputs(&mut self, inputs: &'s mut [Input]) {
        for input in inputs {
            if let Input::Literal(literal) = input {
                self.add(literal, None, false);
            }
        }
    }

    /// Adds a value if a parameter can have its type. Where `is_nullable`, null may stand beside texts.
    fn add(&mut self, literal: &'s mut Literal, wish: Option<String>, is_nullable: bool) {
        let is_null = *literal == Literal::Value(Value::Null);
        let class = match class_of(literal) {
            Some(class) => class,
            None if is_null && is_nullable => "java.lang.String".to_owned(),
            None => return,
        };
        if is_null || is_plain(literal) && self.scope.bare_name(&class).is_some() {
            self.found.push(Slot {
                literal,
                name: wish.unwrap_or_else(|| noun(&class)),
                is_nullable,
            });
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

/// Whether a value has no parts but plain ones.
fn is_plain(literal: &Literal) -> bool {
    match literal {
        Literal::Array { class, elements } => {
            let (element, dimensions) = split_array(class);
            let is_string = element == "java.lang.String";
            dimensions == 1
                && (is_string || !element.contains('.'))
                && elements.iter().all(|element| class_of(element).is_some())
        }
        Literal::Contents { elements, .. } => elements.iter().all(is_part),
        Literal::New(step) => {
            let mut arguments = step.arguments.iter().map(Input::literal);
            step.body.is_none() && arguments.all(|argument| argument.is_some_and(is_part))
        }
        _ => true,
    }
}

/// Whether a value can be a part of another one.
fn is_part(literal: &Literal) -> bool {
    let is_known = class_of(literal).is_some();
    let is_null = *literal == Literal::Value(Value::Null);
    (is_known || is_null || matches!(literal, Literal::Contents { .. })) && is_plain(literal)
}

/// Class of a value that a parameter can stand for, by binary name.
fn class_of(literal: &Literal) -> Option<String> {
    match literal {
        Literal::Value(value) => value.descriptor().map(binary_name),
        Literal::Boxed(value) => value.box_class().map(str::to_owned),
        Literal::String(_) => Some("java.lang.String".to_owned()),
        Literal::EnumConstant { class, .. } => Some(class.name.clone()),
        Literal::Array { class, .. } => Some(class.clone()),
        Literal::New(step) => {
            let types = MethodDescriptor::parse(&step.method.descriptor).ok()?;
            let is_own = step.is_constructor() || binary_name(&types.returns) == step.class.name;
            (is_own && !step.class.is_generic).then(|| step.class.name.clone())
        }
        _ => None,
    }
}

/// Name of the value that a method returns, without `get`.
fn property(method: &str) -> String {
    let name = identifier(method);
    property_of(&name, "get").unwrap_or(name)
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

impl Column {
    /// A value that tells the type: the first that is not null.
    fn example(&self) -> &Literal {
        let mut values = self.values.iter();
        let typed = values.find(|value| class_of(value).is_some());
        typed.unwrap_or(&self.values[0])
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
            let class = class_of(column.example()).unwrap_or_default();
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
                let source = argument.unboxed.unwrap_or(argument.source);
                // Alone it would be taken for all arguments.
                match argument.is_alone_an_array && self.columns.len() == 1 {
                    true => format!("({}) {source}", scope.lang("Object")),
                    false => source,
                }
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
        Literal::New(step) if is_number(step) => match &step.arguments[0] {
            Input::Literal(Literal::String(number)) => text_cell(number),
            _ => None,
        },
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
