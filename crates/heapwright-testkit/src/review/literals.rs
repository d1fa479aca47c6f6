//! Literals that people do not write, and numbers in names.

use super::sources::MainSources;
use super::tokens::{Kind, Token};

/// Magnitude of integers above which they look like random ones.
const LARGE: u128 = 1_000_000;
/// Words that end in digits.
const WORDS: [&str; 22] = [
    "utf8", "utf16", "utf32", "sha1", "sha256", "sha384", "sha512", "md5", "base32", "base64",
    "iso8601", "ipv4", "ipv6", "http1", "http2", "crc32", "int32", "int64", "log4", "s3", "h2",
    "x509",
];
/// Words before digits that only count tests.
const COUNTED: [&str; 3] = ["test", "case", "scenario"];

/// Value of a literal if it is an integer.
pub(super) fn integer(literal: &str) -> Option<u128> {
    let digits = literal.replace('_', "").to_ascii_lowercase();
    let digits = digits.strip_suffix('l').unwrap_or(&digits);
    if let Some(digits) = digits.strip_prefix("0x") {
        return u128::from_str_radix(digits, 16).ok();
    }
    if let Some(digits) = digits.strip_prefix("0b") {
        return u128::from_str_radix(digits, 2).ok();
    }
    digits.parse().ok()
}

/// Whether a literal is one that people do not write, and that the program under test does not have.
pub(super) fn is_unnatural(token: &Token, main: &MainSources) -> bool {
    match token.kind {
        Kind::Number => integer(&token.text)
            .is_some_and(|value| value > LARGE && !main.integers.contains(&value)),
        Kind::Text | Kind::Letter if main.texts.contains(&token.text) => false,
        Kind::Text => {
            let Some(text) = plain(token.content()) else {
                return true;
            };
            let says_nothing = !text.chars().any(char::is_alphanumeric);
            says_nothing && !text.trim().is_empty()
        }
        Kind::Letter => plain(token.content()).is_none(),
        Kind::Word | Kind::Symbol => false,
    }
}

/// Text that a literal stands for; `None` if it has an escape or a control character beside line
/// ends, tabs, quotes and backslashes.
fn plain(content: &str) -> Option<String> {
    let mut text = String::new();
    let mut characters = content.chars();
    while let Some(character) = characters.next() {
        let plain = match character {
            '\\' => match characters.next()? {
                'n' | '\n' => '\n',
                't' => '\t',
                's' => ' ',
                quoted @ ('"' | '\'' | '\\') => quoted,
                _ => return None,
            },
            '\n' | '\t' => character,
            _ if character.is_control() => return None,
            _ => character,
        };
        text.push(plain);
    }
    Some(text)
}

/// Whether a name ends in a number that says nothing: it belongs to no word, and the test does not
/// have it as a literal.
pub(super) fn is_numbered(name: &str, body: &[Token]) -> bool {
    let trimmed = |name: &str| {
        let before = name.trim_end_matches(|last: char| last.is_ascii_digit());
        before.len()
    };
    let mut before = &name[..trimmed(name)];
    if before.len() == name.len() {
        return false;
    }
    // `12Point50` is one number.
    if let Some(whole) = before.strip_suffix("Point")
        && trimmed(whole) < whole.len()
    {
        before = &name[..trimmed(whole)];
    }
    let digits = name[before.len()..].replace("Point", "");
    if before.ends_with('_') {
        return true;
    }
    let lower = name.to_lowercase();
    if WORDS.iter().any(|word| lower.ends_with(word)) {
        return false;
    }
    let is_counted = COUNTED
        .iter()
        .any(|word| before.to_lowercase().ends_with(word));
    let has = |token: &Token| {
        let of_token = token.text.chars().filter(char::is_ascii_digit);
        token.kind != Kind::Word && of_token.eq(digits.chars())
    };
    is_counted || !body.iter().any(has)
}

#[cfg(test)]
mod tests {
    use super::super::tokens::tokens;
    use super::*;

    #[test]
    fn literals_are_natural_or_not() {
        let mut main = MainSources::default();
        main.add("A", "class A { String a = \"|\"; long b = 86_400_000; }");
        let unnatural = |literal: &str| is_unnatural(&tokens(literal)[0], &main);
        for natural in [
            "\"Ann\"",
            "\"\"",
            "\"  \"",
            "\"\\n\"",
            "\"|\"",
            "\"4\"",
            "86400000L",
            "1000000",
            "'a'",
            "'\\''",
            "12.5e9",
        ] {
            assert!(!unnatural(natural), "{natural}");
        }
        for literal in [
            "\"a\\u0000\"",
            "\"\\b\"",
            "\"#\"",
            "1000001",
            "0x7fffffffL",
            "'\\0'",
            "\"'!\"",
        ] {
            assert!(unnatural(literal), "{literal}");
        }
    }

    #[test]
    fn names_are_numbered_or_not() {
        let is = |name: &str, body: &str| is_numbered(name, &tokens(body));
        assert!(is("adds_2", "add(2);"));
        assert!(is("test0", "add(0);"));
        assert!(is("addsItem3", "add(1);"));
        assert!(!is("returns10", "assertEquals(10L, x);"));
        assert!(!is(
            "returns1250",
            "assertEquals(new BigDecimal(\"12.50\"), x);"
        ));
        assert!(!is(
            "returns12Point50",
            "assertEquals(new BigDecimal(\"12.50\"), x);"
        ));
        assert!(is("returns12Point50", "assertEquals(50, x);"));
        assert!(is("movesToPoint3", "assertEquals(5, x);"));
        assert!(!is("readsUtf8", ""));
        assert!(!is("adds", ""));
    }
}
