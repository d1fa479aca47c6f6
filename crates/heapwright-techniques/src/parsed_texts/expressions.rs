//! Texts that regular expressions of `java.util.regex` match: short ones of plain characters first.
//!
//! An expression is read as one of the `regex-syntax` crate, whose notation differs in few places; what is
//! derived is therefore only likely to match, and the caller asks `Pattern`. Expressions with references to
//! groups have no texts. Conditions on the text ahead at the beginning of an expression, as those on
//! passwords, are met by a text for each before that of the rest.

use regex_syntax::hir::{Class, Hir, HirKind};

/// Maximum number of texts of an expression, and of characters of one.
const TEXTS: usize = 4;
const LENGTH: usize = 200;
/// Characters of texts, the plainest first.
const PLAIN: &str = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ1234567890-_. @/:,;+#%&=!?()$*'\"[]{}<>^~|\\`";
/// Notations of `Pattern` that are others here.
const ESCAPES: [(&str, &str); 17] = [
    ("p{Lower}", "[[:lower:]]"),
    ("p{Upper}", "[[:upper:]]"),
    ("p{Alpha}", "[[:alpha:]]"),
    ("p{Digit}", "[[:digit:]]"),
    ("p{Alnum}", "[[:alnum:]]"),
    ("p{Punct}", "[[:punct:]]"),
    ("p{Graph}", "[[:graph:]]"),
    ("p{Print}", "[[:print:]]"),
    ("p{Blank}", "[[:blank:]]"),
    ("p{XDigit}", "[[:xdigit:]]"),
    ("p{Space}", "[[:space:]]"),
    ("p{IsAlphabetic}", "[[:alpha:]]"),
    ("p{IsLetter}", "[[:alpha:]]"),
    ("p{IsDigit}", "[[:digit:]]"),
    ("h", "[ \\t]"),
    ("R", "\\n"),
    ("Z", "\\z"),
];

/// Returns texts that an expression is likely to match as a whole, the shortest one first; none if it
/// cannot be read.
#[must_use]
pub fn matched(expression: &str) -> Vec<String> {
    let (ahead, rest) = conditions(expression);
    let read = |expression: &str| regex_syntax::parse(&translated(expression)).ok();
    let ahead: Option<Vec<Hir>> = ahead.into_iter().map(read).collect();
    let (Some(ahead), Some(rest)) = (ahead, read(rest)) else {
        return Vec::new();
    };
    let mut texts: Vec<String> = Vec::new();
    for turn in 0..TEXTS {
        let mut text = String::new();
        let style = Style {
            turn,
            is_full: turn % 2 == 1,
        };
        let mut all = ahead.iter().chain([&rest]);
        let is_made = all.all(|part| style.append(part, &mut text).is_some());
        if is_made && !texts.contains(&text) {
            texts.push(text);
        }
    }
    texts
}

/// Way in which texts are derived.
#[derive(Clone, Copy)]
struct Style {
    /// The number of the first alternative, and of the first character of sets.
    turn: usize,
    /// Whether what may be left out is there.
    is_full: bool,
}

impl Style {
    /// Appends a text that an expression matches; `None` if it is too long, or there is none.
    fn append(self, part: &Hir, text: &mut String) -> Option<()> {
        match part.kind() {
            HirKind::Empty | HirKind::Look(_) => {}
            HirKind::Literal(literal) => text.push_str(std::str::from_utf8(&literal.0).ok()?),
            HirKind::Class(class) => text.push(self.character(class, 0)?),
            HirKind::Capture(group) => self.append(&group.sub, text)?,
            HirKind::Concat(parts) => {
                for part in parts {
                    self.append(part, text)?;
                }
            }
            HirKind::Alternation(parts) => {
                self.append(&parts[self.turn % parts.len()], text)?;
            }
            HirKind::Repetition(repetition) => {
                let most = repetition.max.unwrap_or(u32::MAX);
                let further = u32::from(self.is_full && repetition.min < most);
                for number in 0..repetition.min + further {
                    match repetition.sub.kind() {
                        HirKind::Class(class) => text.push(self.character(class, number as usize)?),
                        _ => self.append(&repetition.sub, text)?,
                    }
                    if text.len() > LENGTH {
                        return None;
                    }
                }
            }
        }
        (text.len() <= LENGTH).then_some(())
    }

    /// Returns a character of a set: the one with this number among the plain ones, from that of the turn on.
    fn character(self, class: &Class, number: usize) -> Option<char> {
        let ranges: Vec<(char, char)> = match class {
            Class::Unicode(class) => {
                let ranges = class.iter();
                ranges.map(|range| (range.start(), range.end())).collect()
            }
            Class::Bytes(class) => {
                let ranges = class.iter();
                let range = ranges.map(|range| (range.start().into(), range.end().into()));
                range.collect()
            }
        };
        let is_in = |one: &char| ranges.iter().any(|(from, to)| (from..=to).contains(&one));
        let plain: Vec<char> = PLAIN.chars().filter(is_in).collect();
        match plain.len() {
            0 => ranges.first().map(|range| range.0),
            count => Some(plain[(self.turn + number) % count]),
        }
    }
}

/// Takes apart the conditions on the text ahead with which an expression begins, and the rest of it.
/// Conditions that something is not ahead are left out.
fn conditions(expression: &str) -> (Vec<&str>, &str) {
    let mut conditions = Vec::new();
    let mut rest = expression.strip_prefix('^').unwrap_or(expression);
    while let Some(inner) = rest
        .strip_prefix("(?=")
        .or_else(|| rest.strip_prefix("(?!"))
    {
        let Some(end) = closing(inner) else {
            break;
        };
        if rest.starts_with("(?=") {
            // What may precede what is asked for is nothing.
            conditions.push(inner[..end].strip_prefix(".*").unwrap_or(&inner[..end]));
        }
        rest = &inner[end + 1..];
    }
    (conditions, rest)
}

/// Returns the place of the bracket that closes a group.
fn closing(inner: &str) -> Option<usize> {
    let (mut depth, mut sets, mut is_escaped) = (0, 0, false);
    for (place, one) in inner.char_indices() {
        match one {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            '[' => sets += 1,
            ']' if sets > 0 => sets -= 1,
            _ if sets > 0 => {}
            '(' => depth += 1,
            ')' if depth == 0 => return Some(place),
            ')' => depth -= 1,
            _ => {}
        }
    }
    None
}

/// Returns an expression in the notation of the crate.
fn translated(expression: &str) -> String {
    let mut text = String::new();
    let mut rest = expression;
    while let Some(place) = rest.find('\\') {
        text.push_str(&rest[..place]);
        rest = &rest[place + 1..];
        if let Some(quoted) = rest.strip_prefix('Q') {
            let end = quoted.find("\\E").unwrap_or(quoted.len());
            text.push_str(&regex_syntax::escape(&quoted[..end]));
            rest = quoted.get(end + 2..).unwrap_or_default();
            continue;
        }
        let mut escapes = ESCAPES.iter();
        if let Some((own, other)) = escapes.find(|(own, _)| rest.starts_with(own)) {
            text.push_str(other);
            rest = &rest[own.len()..];
            continue;
        }
        let mut characters = rest.chars();
        let Some(next) = characters.next() else {
            break;
        };
        // The crate knows no escapes of characters that need none.
        if next.is_ascii_alphanumeric() || next.is_ascii_punctuation() && !"<>".contains(next) {
            text.push('\\');
        }
        text.push(next);
        rest = characters.as_str();
    }
    text.push_str(rest);
    text
}

#[cfg(test)]
mod tests {
    use super::matched;

    #[test]
    fn texts_are_short_and_plain() {
        let first = |expression: &str| matched(expression).into_iter().next();
        let expected = [
            ("[a-z]+@[a-z]+\\.(com|org)", "a@a.com"),
            ("[A-Z]{2}\\d{6}", "AB123456"),
            ("^(?<year>\\d{4})-(\\d\\d)?$", "1234-"),
            ("(?i)ab?|c", "a"),
            ("\\p{Upper}\\p{Alnum}*", "A"),
            ("\\Qa.b\\E[^a-z]", "a.bA"),
            ("(?=.*\\d)(?=.*[A-Z])[a-zA-Z\\d]{3,}", "1Aabc"),
            ("", ""),
        ];
        for (expression, text) in expected {
            assert_eq!(first(expression).as_deref(), Some(text), "{expression}");
        }
        assert_eq!(
            matched("[a-z]+@[a-z]+\\.(com|org)"),
            ["a@a.com", "bc@bc.org", "c@c.com", "de@de.org"]
        );
    }

    #[test]
    fn expressions_that_are_not_read_have_no_texts() {
        for expression in ["(a)\\1", "a(?<=a)b", "(?>a)b", "(", "[", "a{300}"] {
            assert!(matched(expression).is_empty(), "{expression}");
        }
    }
}
