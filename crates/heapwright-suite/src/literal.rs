//! Java literals, and text escaped for Java source.
//!
//! All output is pure ASCII and valid in every Java release.

use crate::Value;

/// String literal with its quotes.
#[must_use]
pub fn string(text: &str) -> String {
    units(&text.encode_utf16().collect::<Vec<_>>())
}

/// Like [`string`], of UTF-16 units, which need not be paired.
#[must_use]
pub fn units(units: &[u16]) -> String {
    let mut literal = String::from("\"");
    for &unit in units {
        push_unit(&mut literal, unit, '"');
    }
    literal.push('"');
    literal
}

/// Character literal with its quotes.
#[must_use]
pub fn character(unit: u16) -> String {
    let mut literal = String::from("'");
    push_unit(&mut literal, unit, '\'');
    literal.push('\'');
    literal
}

/// Expression whose static type is exactly that of the value; `None` for a reference to an
/// object.
#[must_use]
pub fn value(value: Value) -> Option<String> {
    Some(match value {
        Value::Ref(_) => return None,
        Value::Null => "null".to_owned(),
        Value::Boolean(truth) => truth.to_string(),
        Value::Byte(number) => format!("(byte) {number}"),
        Value::Short(number) => format!("(short) {number}"),
        Value::Char(unit) => character(unit),
        Value::Int(i32::MIN) => "Integer.MIN_VALUE".to_owned(),
        Value::Int(i32::MAX) => "Integer.MAX_VALUE".to_owned(),
        Value::Int(number) => number.to_string(),
        Value::Long(i64::MIN) => "Long.MIN_VALUE".to_owned(),
        Value::Long(i64::MAX) => "Long.MAX_VALUE".to_owned(),
        Value::Long(number) => format!("{number}L"),
        Value::Float(number) if number.is_nan() => "Float.NaN".to_owned(),
        Value::Float(f32::INFINITY) => "Float.POSITIVE_INFINITY".to_owned(),
        Value::Float(f32::NEG_INFINITY) => "Float.NEGATIVE_INFINITY".to_owned(),
        Value::Float(number) => format!("{number:?}f"),
        Value::Double(number) if number.is_nan() => "Double.NaN".to_owned(),
        Value::Double(f64::INFINITY) => "Double.POSITIVE_INFINITY".to_owned(),
        Value::Double(f64::NEG_INFINITY) => "Double.NEGATIVE_INFINITY".to_owned(),
        Value::Double(number) => format!("{number:?}"),
    })
}

/// Value in the format of `Integer.parseInt`, `Double.parseDouble` and so on; characters are
/// quoted, references are `@1`.
#[must_use]
pub fn plain(value: Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Ref(target) => format!("@{target}"),
        Value::Boolean(truth) => truth.to_string(),
        Value::Byte(number) => number.to_string(),
        Value::Short(number) => number.to_string(),
        Value::Char(unit) => character(unit),
        Value::Int(number) => number.to_string(),
        Value::Long(number) => number.to_string(),
        Value::Float(number) if number.is_infinite() => infinity(number > 0.0),
        Value::Float(number) => format!("{number:?}"),
        Value::Double(number) if number.is_infinite() => infinity(number > 0.0),
        Value::Double(number) => format!("{number:?}"),
    }
}

fn infinity(is_positive: bool) -> String {
    if is_positive { "Infinity" } else { "-Infinity" }.to_owned()
}

/// Name with letters beyond ASCII as Unicode escapes, which Java accepts anywhere in a source.
#[must_use]
pub fn ascii(name: &str) -> String {
    if name.is_ascii() {
        return name.to_owned();
    }
    let mut escaped = String::new();
    for unit in name.encode_utf16() {
        match u8::try_from(unit) {
            Ok(byte) if byte.is_ascii() => escaped.push(char::from(byte)),
            _ => push_escape(&mut escaped, unit),
        }
    }
    escaped
}

/// Text for a comment. A backslash that would begin a Unicode escape is doubled, because Java
/// also interprets escapes in comments.
#[must_use]
pub fn comment(text: &str) -> String {
    let mut plain = String::new();
    let mut backslashes = 0;
    for letter in text.chars() {
        if letter == 'u' && backslashes % 2 == 1 {
            plain.push('\\');
        }
        backslashes = match letter {
            '\\' => backslashes + 1,
            _ => 0,
        };
        plain.push(match letter.is_control() {
            true => ' ',
            false => letter,
        });
    }
    ascii(&plain)
}

fn push_unit(literal: &mut String, unit: u16, quote: char) {
    match u8::try_from(unit) {
        Ok(b'\n') => literal.push_str("\\n"),
        Ok(b'\r') => literal.push_str("\\r"),
        Ok(b'\t') => literal.push_str("\\t"),
        Ok(b'\\') => literal.push_str("\\\\"),
        Ok(byte) if char::from(byte) == quote => {
            literal.push('\\');
            literal.push(quote);
        }
        Ok(byte @ b' '..=b'~') => literal.push(char::from(byte)),
        _ => push_escape(literal, unit),
    }
}

fn push_escape(text: &mut String, unit: u16) {
    text.push_str(&format!("\\u{unit:04x}"));
}

/// Names of parameters.
const LETTERS: &str = "abcdefghijklmnopqrstuvwxyz";

/// Free names for the parameters of a method.
#[must_use]
pub(crate) fn parameters(count: usize, is_taken: impl Fn(&str) -> bool) -> Vec<String> {
    free(LETTERS, count, is_taken)
}

/// Free names for the parameters of a lambda.
#[must_use]
pub fn lambda_parameters(count: usize, is_taken: impl Fn(&str) -> bool) -> Vec<String> {
    match count {
        1 => free("xyzwvu", 1, is_taken),
        _ => free(LETTERS, count, is_taken),
    }
}

fn free(letters: &str, count: usize, is_taken: impl Fn(&str) -> bool) -> Vec<String> {
    let single = letters.chars().map(String::from);
    let numbered = (1..).map(|number| format!("x{number}"));
    let free = single.chain(numbered).filter(|name| !is_taken(name));
    free.take(count).collect()
}

/// Lambda with parameters and a body: `x -> true`, `(a, b) -> -1`, `() -> {}`.
#[must_use]
pub fn lambda(parameters: &[String], body: &str) -> String {
    let parameters = match parameters {
        [only] => only.clone(),
        all => format!("({})", all.join(", ")),
    };
    format!("{parameters} -> {body}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_of_lambdas_have_names_that_are_free() {
        let taken = |name: &str| matches!(name, "x" | "b");
        for (parameters, answer, written) in [
            (0, "7", "() -> 7"),
            (1, "{}", "y -> {}"),
            (2, "-1", "(a, c) -> -1"),
        ] {
            let names = lambda_parameters(parameters, taken);
            assert_eq!(lambda(&names, answer), written);
        }
        assert_eq!(
            lambda(&lambda_parameters(1, |_| false), "true"),
            "x -> true"
        );
    }

    #[test]
    fn text_is_ascii_and_quoted() {
        assert_eq!(
            string("a\"b\\\n\u{e9}\u{1f600}"),
            r#""a\"b\\\n\u00e9\ud83d\ude00""#
        );
        assert_eq!(character(u16::from(b'\'')), r"'\''");
        assert_eq!(character(0xd800), r"'\ud800'");
        assert_eq!(character(0), r"'\u0000'");
        assert_eq!(ascii("Bäume"), r"B\u00e4ume");
        assert_eq!(
            comment("c != '\\u000a'\nd \\\\u \u{e9}"),
            r"c != '\\u000a' d \\u \u00e9"
        );
    }

    #[test]
    fn numbers_keep_type_and_value() {
        for (number, expected) in [
            (Value::Byte(-128), "(byte) -128"),
            (Value::Long(5), "5L"),
            (Value::Long(i64::MIN), "Long.MIN_VALUE"),
            (Value::Float(1.5), "1.5f"),
            (Value::Float(f32::from_bits(1)), "1e-45f"),
            (Value::Double(-0.0), "-0.0"),
            (Value::Double(5e-324), "5e-324"),
            (Value::Double(f64::NAN), "Double.NaN"),
        ] {
            assert_eq!(value(number).unwrap(), expected);
        }
        assert_eq!(plain(Value::Double(f64::NEG_INFINITY)), "-Infinity");
    }
}
