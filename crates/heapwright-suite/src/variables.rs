//! Names for local variables of generated Java: after their classes, no two alike, none a keyword.

use std::collections::{BTreeMap, BTreeSet};

use crate::literal;
use crate::types::{simple_name, split_array};

/// A name for a variable of each class, in order: `searchTree`, or `node0`, `node1` where a class
/// comes several times.
pub fn variables<'a>(classes: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    let bases: Vec<String> = classes.into_iter().map(base_name).collect();
    let mut totals: BTreeMap<&str, usize> = BTreeMap::new();
    for base in &bases {
        *totals.entry(base).or_default() += 1;
    }
    let mut taken: BTreeSet<String> = BTreeSet::new();
    let mut next: BTreeMap<&str, usize> = BTreeMap::new();
    let mut names = Vec::new();
    for base in &bases {
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

/// `searchTree` for `a.SearchTree`, `ints` for `[I`, `nodes` for `[La.Node;`.
fn base_name(class: &str) -> String {
    let (element, dimensions) = split_array(class);
    let simple = simple_name(&element);
    let capitals = simple
        .chars()
        .take_while(|letter| letter.is_uppercase())
        .count();
    // `URLParser` is `urlParser`.
    let lowered = match capitals {
        0 | 1 => 1,
        all if all == simple.chars().count() => all,
        several => several - 1,
    };
    let mut name: String = simple
        .chars()
        .enumerate()
        .flat_map(|(at, letter)| {
            let lower = (at < lowered).then(|| letter.to_lowercase());
            let kept = (at >= lowered).then_some(letter);
            lower.into_iter().flatten().chain(kept)
        })
        .collect();
    if dimensions > 0 {
        name.push('s');
    }
    name
}

/// Whether a name is a keyword, or one that generated text uses itself.
fn is_taken(name: &str) -> bool {
    is_keyword(name) || matches!(name, "java" | "thrown" | "throwable" | "result")
}

/// Whether a name is a keyword of Java's, a literal included.
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
        ] {
            assert_eq!(variables(classes.iter().copied()), names);
        }
    }
}
