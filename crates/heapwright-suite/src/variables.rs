//! Names for local variables of generated Java: derived from classes, unique, no keywords.

use std::collections::{BTreeMap, BTreeSet};

use crate::literal;
use crate::types::{simple_name, split_array};

/// Name for a variable of each class, in order: `searchTree`, or `node0`, `node1` if a class
/// occurs several times.
pub fn variables<'a>(classes: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    numbered(&classes.into_iter().map(base_name).collect::<Vec<_>>())
}

/// Like `variables`, with each variable's wished name if that is valid, else one derived from its
/// class.
pub fn wished<'a>(variables: impl IntoIterator<Item = (Option<&'a str>, &'a str)>) -> Vec<String> {
    let bases = variables.into_iter().map(|(wish, class)| {
        let wish = wish.filter(|wish| is_variable_name(wish));
        wish.map_or_else(|| base_name(class), str::to_owned)
    });
    numbered(&bases.collect::<Vec<_>>())
}

/// Whether a name is valid for a variable in generated text: ASCII, beginning with a lower-case
/// letter.
fn is_variable_name(name: &str) -> bool {
    let is_part = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    name.starts_with(|first: char| first.is_ascii_lowercase())
        && name.chars().all(is_part)
        && !is_taken(name)
}

/// Unique name for each base, with numbers where several are the same.
pub fn numbered(bases: &[String]) -> Vec<String> {
    let mut totals: BTreeMap<&str, usize> = BTreeMap::new();
    for base in bases {
        *totals.entry(base).or_default() += 1;
    }
    let mut taken: BTreeSet<String> = BTreeSet::new();
    let mut next: BTreeMap<&str, usize> = BTreeMap::new();
    let mut names = Vec::new();
    for base in bases {
        let number = next.entry(base).or_default();
        loop {
            let name = if totals[base.as_str()] == 1 && *number == 0 && !is_taken(base) {
                base.clone()
            } else if base.ends_with(|last: char| last.is_ascii_digit()) {
                format!("{base}_{number}")
            } else {
                format!("{base}{number}")
            };
            *number += 1;
            if taken.insert(name.clone()) {
                names.push(literal::ascii(&name));
                break;
            }
        }
    }
    names
}

/// Base name of a class: `searchTree` for `a.SearchTree`, `ints` for `[I`, `nodes` for
/// `[La.Node;`, `value` for `int`.
fn base_name(class: &str) -> String {
    if is_keyword(class) {
        return "value".to_owned();
    }
    let (element, dimensions) = split_array(class);
    let simple = simple_name(&element);
    let capitals = simple
        .chars()
        .take_while(|letter| letter.is_uppercase())
        .count();
    // `URLParser` becomes `urlParser`.
    let lowered = match capitals {
        0 | 1 => 1,
        all if all == simple.chars().count() => all,
        several => several - 1,
    };
    let name: String = simple
        .chars()
        .enumerate()
        .flat_map(|(at, letter)| {
            let lower = (at < lowered).then(|| letter.to_lowercase());
            let kept = (at >= lowered).then_some(letter);
            lower.into_iter().flatten().chain(kept)
        })
        .collect();
    if dimensions > 0 {
        return plural(&name);
    }
    name
}

/// Plural of a name: `nodes`, `boxes`, `entries`.
pub fn plural(name: &str) -> String {
    let is_hissing = ["s", "x", "z", "ch", "sh"]
        .iter()
        .any(|end| name.ends_with(end));
    let stem = name.strip_suffix('y').unwrap_or_default();
    if stem.ends_with(|last: char| last.is_alphabetic() && !"aeiou".contains(last)) {
        return format!("{stem}ies");
    }
    format!("{name}{}", if is_hissing { "es" } else { "s" })
}

/// Whether a name is a keyword, or is used by generated text itself.
fn is_taken(name: &str) -> bool {
    // A variable would hide the packages whose names begin with its name.
    let is_package = matches!(
        name,
        "com" | "edu" | "io" | "java" | "javax" | "net" | "org"
    );
    is_keyword(name) || is_package || matches!(name, "thrown" | "throwable" | "result")
}

/// Returns the name of the property that a method with a prefix as `get` or `set` is for: `email` of
/// `setEmail`.
#[must_use]
pub fn property_of(method: &str, prefix: &str) -> Option<String> {
    let mut letters = method.strip_prefix(prefix)?.chars();
    let first = letters.next().filter(|first| first.is_uppercase())?;
    Some(first.to_lowercase().chain(letters).collect())
}

/// Whether a name is valid in Java source: of a class with its package, or of a member.
pub fn is_valid_source_name(name: &str) -> bool {
    name.split('.').all(|part| {
        part.starts_with(|first: char| is_part(first) && !first.is_numeric())
            && part.chars().all(is_part)
            && !is_keyword(part)
    })
}

/// Converts a name that is no keyword to one valid in Java source; a valid name is unchanged.
pub fn sayable(name: &str) -> String {
    let is_late = name.starts_with(char::is_numeric);
    let letters = name.chars();
    let letters = letters.map(|letter| if is_part(letter) { letter } else { '_' });
    is_late.then_some('_').into_iter().chain(letters).collect()
}

/// Whether a letter is valid in Java names after the first position.
fn is_part(letter: char) -> bool {
    letter.is_alphanumeric() || matches!(letter, '_' | '$')
}

/// Whether a name is a keyword or a literal of Java.
pub fn is_keyword(name: &str) -> bool {
    const KEYWORDS: &str = " abstract assert boolean break byte case catch char class const \
        continue default do double else enum extends false final finally float for goto if \
        implements import instanceof int interface long native new null package private \
        protected public return short static strictfp super switch synchronized this throw \
        throws transient true try void volatile while _ ";
    KEYWORDS.contains(&format!(" {name} "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_no_keywords_and_differ() {
        for (classes, names) in [
            (&["a.SearchTree", "a.Node"][..], &["searchTree", "node"][..]),
            (&["a.Node", "b.Node"], &["node0", "node1"]),
            (
                &["a.Enum", "a.Default", "a.Java"],
                &["enum0", "default0", "java0"],
            ),
            (
                &["URLParser", "X1", "X1", "[I"],
                &["urlParser", "x1_0", "x1_1", "ints"],
            ),
            (
                &["[La.Box;", "[La.Entry;", "[La.Key;", "[La.Branch;"],
                &["boxes", "entries", "keys", "branches"],
            ),
        ] {
            assert_eq!(variables(classes.iter().copied()), names);
        }
    }

    #[test]
    fn names_that_java_has_not_are_made_sayable() {
        for (name, expected) in [
            ("-Base64Test", "_Base64Test"),
            ("2DTest", "_2DTest"),
            ("a b+cTest", "a_b_cTest"),
            ("Gr\u{f6}\u{df}e$1Test", "Gr\u{f6}\u{df}e$1Test"),
        ] {
            assert_eq!(sayable(name), expected);
            assert!(is_valid_source_name(expected));
        }
        assert!(!is_valid_source_name("-Base64Test"));
    }

    #[test]
    fn wishes_are_granted_where_they_can_be() {
        let wishes = [
            (Some("key"), "java.lang.Integer"),
            (None, "a.Key"),
            (Some("class"), "a.Node"),
            (Some("Upper"), "int"),
            (Some("gr\u{f6}\u{df}e"), "[I"),
            (Some("result"), "a.Result"),
            (Some("key0"), "a.Node"),
        ];
        let expected = ["key0", "key1", "node", "value", "ints", "result0", "key0_1"];
        assert_eq!(wished(wishes), expected);
    }
}
