//! Classes that a request names, or that match its patterns.

use anyhow::{Context, ensure};
use heapwright_jvm::classpath::ClassPath;
use regex::Regex;

use super::ClassPathArgs;

/// Binary names of the classes under test in the order of the request, each once; those of a
/// pattern in alphabetical order. Anonymous and local classes match no pattern.
///
/// # Errors
/// The class path cannot be read, or a pattern matches no class.
pub fn named_classes(wanted: &[String], class_path: &ClassPathArgs) -> anyhow::Result<Vec<String>> {
    let is_pattern = |name: &String| name.contains(['*', '?']);
    let mut on_class_path: Vec<String> = Vec::new();
    if wanted.iter().any(is_pattern) {
        let config = class_path.config()?;
        let own = &class_path.project.own_classes;
        let searched = if own.is_empty() {
            &config.class_path
        } else {
            own
        };
        let searched = ClassPath::open(searched, &[], config.jdk.feature)?;
        let names = searched.class_names().into_iter();
        let names = names.filter(|name| has_source_name(name));
        on_class_path.extend(names.map(|name| name.replace('/', ".")));
    }
    let mut named: Vec<String> = Vec::new();
    for class in wanted {
        let fitting = match is_pattern(class) {
            true => fitting(class, &on_class_path)?,
            false => vec![class.clone()],
        };
        ensure!(
            !fitting.is_empty(),
            "no class of the class path fits {class}: * stands for part of a name, ** for names of packages \
             and member classes too"
        );
        for class in fitting {
            if !named.contains(&class) {
                named.push(class);
            }
        }
    }
    Ok(named)
}

/// Those of the names that a pattern matches.
///
/// # Errors
/// The pattern is too long.
pub fn fitting(pattern: &str, names: &[String]) -> anyhow::Result<Vec<String>> {
    let expression = expression(pattern)?;
    let fits = names.iter().filter(|name| expression.is_match(name));
    Ok(fits.cloned().collect())
}

/// Whether a name or a pattern means one of the classes. A member class may have the name that it
/// has in sources.
pub fn class_name_fits(wanted: &str, names: &[String]) -> bool {
    let plain = wanted.replace('$', ".");
    let is_named = names.iter().any(|name| name.replace('$', ".") == plain);
    is_named || fitting(wanted, names).is_ok_and(|fitting| !fitting.is_empty())
}

/// Whether source code can name a class: anonymous and local classes and `package-info` have no
/// name.
fn has_source_name(internal: &str) -> bool {
    let simple = internal.rsplit('/').next().unwrap_or(internal);
    simple != "package-info"
        && simple
            .split('$')
            .skip(1)
            .all(|part| !part.starts_with(|first: char| first.is_ascii_digit()))
}

/// Translates a pattern to a regular expression.
fn expression(pattern: &str) -> anyhow::Result<Regex> {
    let mut text = "^".to_owned();
    let mut rest = pattern;
    while let Some(first) = rest.chars().next() {
        let (taken, expression) = match first {
            '*' if rest.starts_with("**") => (2, ".*".to_owned()),
            '*' => (1, "[^.$]*".to_owned()),
            '?' => (1, "[^.$]".to_owned()),
            other => (other.len_utf8(), regex::escape(&other.to_string())),
        };
        text += &expression;
        rest = &rest[taken..];
    }
    Regex::new(&(text + "$")).with_context(|| format!("--class {pattern}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_stop_at_dots_and_member_classes() {
        let names = ["a.B", "a.Bc", "a.B$C", "a.b.B", "ab.B"];
        let fitting = |pattern: &str| {
            let pattern = expression(pattern).unwrap();
            let fits = names.iter().filter(|name| pattern.is_match(name));
            fits.copied().collect::<Vec<_>>()
        };
        assert_eq!(fitting("a.*"), ["a.B", "a.Bc"]);
        assert_eq!(fitting("a.**"), ["a.B", "a.Bc", "a.B$C", "a.b.B"]);
        assert_eq!(fitting("a.B?"), ["a.Bc"]);
        assert_eq!(fitting("a.B$*"), ["a.B$C"]);
        assert_eq!(fitting("**.B"), ["a.B", "a.b.B", "ab.B"]);
    }

    #[test]
    fn classes_without_a_name_in_the_source_fit_nothing() {
        let named = ["a/B", "a/B$C", "a/B$1", "a/B$1Local", "a/package-info"];
        let kept = named.into_iter().filter(|name| has_source_name(name));
        assert_eq!(kept.collect::<Vec<_>>(), ["a/B", "a/B$C"]);
    }
}
