//! Assertions as statements, in the words of the library that the tests use.
//!
//! The other writers say what is asserted; the order of arguments, the names and the types that
//! each library's overloads need are here alone.

use super::JunitVersion;
use super::arguments::literal_argument;
use super::build::{self, Built, OBJECT, OBJECTS, constant_of};
use super::scope::Scope;
use crate::types::primitive_keyword;
use crate::{ContentsKind, Literal, Value, literal};

/// Library of the assertions in tests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum AssertionLibrary {
    /// That of the test framework.
    #[default]
    Framework,
    /// AssertJ's core.
    AssertJ,
}

/// Expression that an assertion is about, and its static type as a binary name.
#[derive(Clone, Copy)]
pub(super) struct Actual<'a> {
    pub source: &'a str,
    pub static_type: &'a str,
}

/// Asserts that a condition is true or false.
pub(super) fn truth(scope: &mut Scope, condition: &str, expected: bool) -> String {
    if scope.uses_assertj() {
        let that = scope.assertion("assertThat");
        let check = if expected { "isTrue" } else { "isFalse" };
        return format!("{that}({condition}).{check}();");
    }
    let name = if expected {
        "assertTrue"
    } else {
        "assertFalse"
    };
    format!("{}({condition});", scope.assertion(name))
}

/// Asserts that a reference is null or not null.
pub(super) fn nullness(scope: &mut Scope, actual: Actual<'_>, is_null: bool) -> String {
    if scope.uses_assertj() {
        let check = if is_null { "isNull" } else { "isNotNull" };
        return format!("{}.{check}();", that(scope, actual));
    }
    let name = if is_null {
        "assertNull"
    } else {
        "assertNotNull"
    };
    format!("{}({});", scope.assertion(name), actual.source)
}

/// Asserts that two expressions are equal.
pub(super) fn equal(scope: &mut Scope, expected: &str, actual: Actual<'_>) -> String {
    if scope.uses_assertj() {
        return format!("{}.isEqualTo({expected});", that(scope, actual));
    }
    of_two(scope, "assertEquals", expected, actual.source)
}

/// Asserts that two expressions are the same object.
pub(super) fn same(scope: &mut Scope, expected: &str, actual: Actual<'_>) -> String {
    if scope.uses_assertj() {
        return format!("{}.isSameAs({expected});", that(scope, actual));
    }
    of_two(scope, "assertSame", expected, actual.source)
}

/// Asserts that two expressions are different objects.
pub(super) fn not_same(scope: &mut Scope, unexpected: &str, actual: &str) -> String {
    if scope.uses_assertj() {
        let actual = Actual {
            source: actual,
            static_type: OBJECT,
        };
        return format!("{}.isNotSameAs({unexpected});", that(scope, actual));
    }
    of_two(scope, "assertNotSame", unexpected, actual)
}

/// Assertion of a test framework about two values, in its order.
fn of_two(scope: &mut Scope, name: &'static str, expected: &str, actual: &str) -> String {
    let name = scope.assertion(name);
    match scope.version {
        JunitVersion::TestNg => format!("{name}({actual}, {expected});"),
        JunitVersion::Four | JunitVersion::Five => format!("{name}({expected}, {actual});"),
    }
}

/// Beginning of an assertion of AssertJ. A type whose overload is not certain is asserted as an
/// object.
fn that(scope: &mut Scope, actual: Actual<'_>) -> String {
    if has_own_assertion(actual.static_type) {
        return format!("{}({})", scope.assertion("assertThat"), actual.source);
    }
    if !scope.has_that_object {
        let object = scope.type_name(OBJECT).unwrap_or_default();
        return format!(
            "{}(({object}) {})",
            scope.assertion("assertThat"),
            actual.source
        );
    }
    format!("{}({})", scope.assertion("assertThatObject"), actual.source)
}

/// Whether AssertJ certainly has one best overload for a static type.
fn has_own_assertion(static_type: &str) -> bool {
    let element = static_type.strip_prefix('[');
    match static_type {
        "boolean" | "byte" | "short" | "char" | "int" | "long" | "float" | "double" => true,
        "java.lang.Boolean"
        | "java.lang.Byte"
        | "java.lang.Short"
        | "java.lang.Character"
        | "java.lang.Integer"
        | "java.lang.Long"
        | "java.lang.Float"
        | "java.lang.Double"
        | "java.lang.String" => true,
        "java.util.List" | "java.util.Collection" | "java.util.Map" | "java.util.Optional" => true,
        "java.util.OptionalInt" | "java.util.OptionalLong" | "java.util.OptionalDouble" => true,
        _ => element.is_some_and(|element| !element.starts_with('[')),
    }
}

/// Asserts that an object is of exactly this class.
pub(super) fn has_class(scope: &mut Scope, class: &str, expression: &str) -> Vec<String> {
    let actual = Actual {
        source: expression,
        static_type: OBJECT,
    };
    if scope.uses_assertj() {
        let check = match scope.bare_name(class) {
            Some(name) => format!("isExactlyInstanceOf({name}.class)"),
            None => class_by_name(scope, class),
        };
        return vec![format!("{}.{check};", that(scope, actual))];
    }
    if let Some(name) = scope.bare_name(class) {
        let found = format!("{expression}.getClass()");
        return vec![of_two(
            scope,
            "assertEquals",
            &format!("{name}.class"),
            &found,
        )];
    }
    let is_part = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    let is_variable = expression.chars().all(is_part);
    let mut statements = Vec::new();
    if !is_variable {
        let object = scope.type_name(OBJECT).unwrap_or_default();
        statements.push(format!("{object} result = {expression};"));
    }
    let result = if is_variable { expression } else { "result" };
    let held = Actual {
        source: result,
        static_type: OBJECT,
    };
    statements.push(nullness(scope, held, false));
    let found = format!("{result}.getClass().getName()");
    let class = literal::string(class);
    statements.push(of_two(scope, "assertEquals", &class, &found));
    statements
}

/// Check of AssertJ that an object is of a class that cannot be named.
fn class_by_name(scope: &Scope, class: &str) -> String {
    let parameter = literal::lambda_parameters(1, |name| scope.locals.contains(name)).remove(0);
    let class = literal::string(class);
    format!("extracting({parameter} -> {parameter}.getClass().getName()).isEqualTo({class})")
}

/// Asserts that an expression has a value.
pub(super) fn returned(
    scope: &mut Scope,
    built: &Built,
    expected: &Literal,
    actual: Actual<'_>,
) -> String {
    let like = expected.like();
    let primitive = match like {
        Literal::Value(value) if actual.static_type == OBJECT => value.descriptor(),
        _ => None,
    };
    let cast = primitive.and_then(primitive_keyword);
    let source = match cast {
        Some(keyword) => format!("({keyword}) {}", actual.source),
        None => actual.source.to_owned(),
    };
    let actual = Actual {
        source: &source,
        static_type: cast.unwrap_or(actual.static_type),
    };
    if let Literal::Parameter { name, like } = expected {
        return match **like {
            Literal::Array { ref class, .. } => equal_arrays(scope, expected, class, actual),
            _ if is_floating(like) && scope.uses_assertj() => {
                let boxed = Actual {
                    static_type: OBJECT,
                    ..actual
                };
                equal(scope, name, boxed)
            }
            _ => equal(scope, name, actual),
        };
    }
    if scope.uses_assertj() && is_nan(expected) && has_own_assertion(actual.static_type) {
        return format!("{}.isNaN();", that(scope, actual));
    }
    let expected = match expected {
        Literal::Value(Value::Boolean(is_true)) => return truth(scope, actual.source, *is_true),
        Literal::Value(Value::Null) => return nullness(scope, actual, true),
        Literal::Value(value @ Value::Ref(_)) => return same(scope, &built.value(*value), actual),
        // JUnit 4 compares floating-point numbers only with a delta.
        Literal::Value(value @ (Value::Float(_) | Value::Double(_)))
            if scope.version == JunitVersion::Four && !scope.uses_assertj() =>
        {
            let class = value.box_class().unwrap_or_default();
            let class = class.trim_start_matches("java.lang.");
            let boxed = format!("{class}.valueOf({})", actual.source);
            return of_two(scope, "assertEquals", &build::boxed(*value), &boxed);
        }
        Literal::Value(value) => built.value(*value),
        // JUnit 5 and AssertJ compare primitives with boxes.
        Literal::Boxed(value) if scope.version == JunitVersion::Five || scope.uses_assertj() => {
            built.value(*value)
        }
        Literal::Boxed(value) => build::boxed(*value),
        Literal::String(text) => literal::string(text),
        Literal::EnumConstant { class, name } => {
            let constant = constant_of(scope, &class.name, name).0;
            return same(scope, &constant, actual);
        }
        Literal::Array { class, .. } => return equal_arrays(scope, expected, class, actual),
        Literal::Contents { kind, elements } => {
            return equal_contents(scope, expected, (*kind, elements.is_empty()), actual);
        }
        Literal::Class(_) | Literal::New(_) => literal_argument(scope, expected).source,
        Literal::StaticField { .. }
        | Literal::Made(_)
        | Literal::Held { .. }
        | Literal::Lambda { .. }
        | Literal::Parameter { .. }
        | Literal::Factory { .. } => return nullness(scope, actual, false),
    };
    let is_empty_text = expected == "\"\"" && actual.static_type == "java.lang.String";
    match scope.uses_assertj() && is_empty_text {
        true => format!("{}.isEmpty();", that(scope, actual)),
        false => equal(scope, &expected, actual),
    }
}

/// Whether a literal is a floating-point number, which AssertJ compares by `==` if it is primitive.
fn is_floating(literal: &Literal) -> bool {
    matches!(
        literal,
        Literal::Value(Value::Float(_) | Value::Double(_))
            | Literal::Boxed(Value::Float(_) | Value::Double(_))
    )
}

fn is_nan(literal: &Literal) -> bool {
    match literal {
        Literal::Value(value) | Literal::Boxed(value) => match value {
            Value::Float(number) => number.is_nan(),
            Value::Double(number) => number.is_nan(),
            _ => false,
        },
        _ => false,
    }
}

/// Assertion that a value has certain contents. TestNG compares two collections in their order
/// unless both are sets.
fn equal_contents(
    scope: &mut Scope,
    expected: &Literal,
    (kind, is_empty): (ContentsKind, bool),
    actual: Actual<'_>,
) -> String {
    let is_sized = matches!(
        actual.static_type,
        "java.util.List" | "java.util.Collection" | "java.util.Map" | "java.util.Optional"
    );
    if scope.uses_assertj() && is_empty && is_sized {
        return format!("{}.isEmpty();", that(scope, actual));
    }
    let expected = literal_argument(scope, expected).source;
    let is_of_sets = kind != ContentsKind::Set || actual.static_type.ends_with("Set");
    if scope.version == JunitVersion::TestNg && !scope.uses_assertj() && !is_of_sets {
        let object = scope.type_name(OBJECT).unwrap_or_default();
        let source = format!("({object}) {}", actual.source);
        return of_two(scope, "assertEquals", &expected, &source);
    }
    equal(scope, &expected, actual)
}

/// Assertion that an array has the elements of an expected one.
fn equal_arrays(scope: &mut Scope, expected: &Literal, class: &str, actual: Actual<'_>) -> String {
    let (cast, static_type) = match actual.static_type.starts_with('[') {
        true => (String::new(), actual.static_type),
        false => {
            let static_type = if class.len() == 2 { class } else { OBJECTS };
            let name = scope.type_name(static_type);
            let cast = name.map_or_else(String::new, |name| format!("({name}) "));
            (cast, static_type)
        }
    };
    let source = format!("{cast}{}", actual.source);
    let held = Actual {
        source: &source,
        static_type,
    };
    if scope.uses_assertj() {
        return elements(scope, expected, held);
    }
    let expected = literal_argument(scope, expected).source;
    match (scope.version, class) {
        (JunitVersion::TestNg, _) => of_two(scope, "assertEquals", &expected, &source),
        // JUnit 4 compares floating-point numbers only with a delta.
        (JunitVersion::Four, "[D" | "[F") => {
            let delta = if class == "[D" { "0.0" } else { "0.0f" };
            let equals = scope.assertion("assertArrayEquals");
            format!("{equals}({expected}, {source}, {delta});")
        }
        _ => of_two(scope, "assertArrayEquals", &expected, &source),
    }
}

/// Assertion of AssertJ about the elements of an array.
fn elements(scope: &mut Scope, expected: &Literal, actual: Actual<'_>) -> String {
    let is_whole = |element: &Literal| {
        matches!(
            element,
            Literal::Value(Value::Null | Value::Ref(_)) | Literal::Array { .. }
        )
    };
    let Literal::Array { elements, .. } = expected else {
        let expected = literal_argument(scope, expected).source;
        return format!("{}.containsExactly({expected});", that(scope, actual));
    };
    if elements.is_empty() && has_own_assertion(actual.static_type) {
        return format!("{}.isEmpty();", that(scope, actual));
    }
    if elements.iter().any(is_whole) || !has_own_assertion(actual.static_type) {
        let expected = literal_argument(scope, expected).source;
        let object = Actual {
            static_type: OBJECT,
            ..actual
        };
        return format!("{}.isEqualTo({expected});", that(scope, object));
    }
    let elements = elements.iter().map(|element| {
        let element = literal_argument(scope, element);
        element.unboxed.unwrap_or(element.source)
    });
    let elements = elements.collect::<Vec<_>>().join(", ");
    format!("{}.containsExactly({elements});", that(scope, actual))
}

/// What is asserted of a thrown exception beside its class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Detail {
    /// Expression of its message.
    Message(String),
    /// Class of its cause.
    Cause(String),
}

/// Statements that assert that an expression throws an exception; with `variable` they keep it
/// there.
pub(super) fn threw(
    scope: &mut Scope,
    class: &str,
    expression: &str,
    variable: Option<&str>,
) -> Vec<String> {
    if scope.uses_assertj() {
        return threw_by_assertj(scope, class, expression, &[]);
    }
    let name = scope.bare_name(class);
    let thrown = variable.unwrap_or("thrown");
    let mut statements = Vec::new();
    let throws = match scope.version {
        JunitVersion::TestNg if variable.is_some() || name.is_none() => "expectThrows",
        _ => "assertThrows",
    };
    match (scope.has_throws, &name) {
        (true, Some(name)) => {
            let throws = scope.assertion(throws);
            let held = variable.map_or_else(String::new, |held| format!("{name} {held} = "));
            statements.push(format!("{held}{throws}({name}.class, () -> {expression});"));
            return statements;
        }
        (true, None) => {
            let throws = scope.assertion(throws);
            statements.push(format!(
                "Throwable {thrown} = {throws}(Throwable.class, () -> {expression});"
            ));
        }
        (false, _) => {
            let not_null = scope.assertion("assertNotNull");
            statements.extend([
                format!("Throwable {thrown} = null;"),
                "try {".to_owned(),
                format!("    {expression};"),
                "} catch (Throwable throwable) {".to_owned(),
                format!("    {thrown} = throwable;"),
                "}".to_owned(),
                format!("{not_null}({thrown});"),
            ]);
        }
    }
    let (expected, found) = match name {
        Some(name) => (format!("{name}.class"), format!("{thrown}.getClass()")),
        None => (
            literal::string(class),
            format!("{thrown}.getClass().getName()"),
        ),
    };
    statements.push(of_two(scope, "assertEquals", &expected, &found));
    statements
}

/// Lines of one statement of AssertJ that asserts that an expression throws an exception, a line
/// for each detail at the end.
pub(super) fn threw_by_assertj(
    scope: &mut Scope,
    class: &str,
    expression: &str,
    details: &[Detail],
) -> Vec<String> {
    let thrown_by = scope.assertion("assertThatThrownBy");
    let (is_instance, by_name) = match scope.bare_name(class) {
        Some(name) => (Some(format!("isInstanceOf({name}.class)")), None),
        None => (None, Some(class_by_name(scope, class))),
    };
    let details = details.iter().map(|detail| match detail {
        Detail::Message(text) => format!("hasMessage({text})"),
        Detail::Cause(class) => match scope.bare_name(class) {
            Some(name) => format!("hasCauseExactlyInstanceOf({name}.class)"),
            None => "hasCause()".to_owned(),
        },
    });
    let details: Vec<String> = details.collect();
    let start = format!("{thrown_by}(() -> {expression})");
    let checks: Vec<String> = is_instance
        .into_iter()
        .chain(details)
        .chain(by_name)
        .collect();
    if let [only] = &checks[..] {
        return vec![format!("{start}.{only};")];
    }
    let last = checks.len() - 1;
    let lines = checks.iter().enumerate().map(|(at, check)| {
        let end = if at == last { ";" } else { "" };
        format!("        .{check}{end}")
    });
    std::iter::once(start).chain(lines).collect()
}

/// Assertion of a part of an exception in a variable.
pub(super) fn detail(scope: &mut Scope, thrown: &str, detail: &Detail) -> String {
    match detail {
        Detail::Message(text) => {
            let message = format!("{thrown}.getMessage()");
            of_two(scope, "assertEquals", text, &message)
        }
        Detail::Cause(class) => {
            let cause = format!("{thrown}.getCause().getClass()");
            match scope.bare_name(class) {
                Some(name) => of_two(scope, "assertEquals", &format!("{name}.class"), &cause),
                None => {
                    let name = literal::string(class);
                    of_two(scope, "assertEquals", &name, &format!("{cause}.getName()"))
                }
            }
        }
    }
}
