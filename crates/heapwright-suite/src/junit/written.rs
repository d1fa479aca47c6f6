//! Text of a test class that was written before: its tests, and the class without some of them.
//!
//! Invariant: what is left of a test stays as it is, to the letter.

use std::fmt;
use std::ops::Range;

/// Annotations of test methods.
const TESTS: [&str; 2] = ["@Test", "@ParameterizedTest"];

/// Test in the text of a test class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExistingTest {
    /// Simple name of the nested class that it is in; empty for the test class itself.
    pub nested: String,
    /// Name of the method.
    pub method: String,
    /// Its lines from 0, annotations included.
    pub lines: Range<usize>,
}

impl fmt::Display for ExistingTest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.nested.is_empty() {
            true => f.write_str(&self.method),
            false => write!(f, "{}.{}", self.nested, self.method),
        }
    }
}

/// Member of a class in the text.
struct Member<'t> {
    /// Its lines from 0, annotations included.
    lines: Range<usize>,
    /// First line behind the annotations.
    declaration: &'t str,
    is_nested_class: bool,
    is_test: bool,
    /// Whether it has no annotation.
    is_plain: bool,
    /// Simple name of the nested class that it is in; empty for the test class itself.
    nested: &'t str,
}

/// Spaces of an indentation.
const INDENTATION: usize = 4;

/// Returns the tests of a class that Heapwright wrote, in order.
#[must_use]
pub fn existing_tests(source: &str) -> Vec<ExistingTest> {
    let members = members(source).into_iter();
    let tests = members.filter(|member| member.is_test).map(|member| {
        let (method, nested) = (member.method().unwrap_or_default(), member.nested);
        ExistingTest {
            nested: nested.to_owned(),
            method: method.to_owned(),
            lines: member.lines,
        }
    });
    tests.collect()
}

/// Returns the text of a class without some of its tests, and without what only they need: their
/// rows, nested classes, private methods and imports.
#[must_use]
pub fn without_tests(source: &str, left_out: &[ExistingTest]) -> String {
    let ranges: Vec<Range<usize>> = left_out.iter().map(|test| test.lines.clone()).collect();
    let mut text = without_lines(source, &ranges);
    loop {
        let unused: Vec<Range<usize>> = {
            let members = members(&text);
            let is_unused = |member: &&Member<'_>| match member.is_nested_class {
                true => {
                    let is_inside = |other: &Member<'_>| {
                        other.lines.start > member.lines.start && other.lines.end < member.lines.end
                    };
                    !members.iter().any(is_inside)
                }
                false => {
                    member.is_plain && member.method().is_some_and(|name| is_once(&text, name))
                }
            };
            let unused = members.iter().filter(is_unused);
            unused.map(|member| member.lines.clone()).collect()
        };
        if unused.is_empty() {
            break;
        }
        text = without_lines(&text, &unused);
    }
    let imports = text.lines().enumerate().filter_map(|(number, line)| {
        let imported = line.strip_prefix("import ")?.strip_suffix(';')?;
        let name = imported.rsplit('.').next()?;
        is_once(&text, name).then_some(number..number + 1)
    });
    let imports: Vec<Range<usize>> = imports.collect();
    without_lines(&text, &imports)
}

impl<'t> Member<'t> {
    /// Name of a method.
    fn method(&self) -> Option<&'t str> {
        let (before, _) = self.declaration.split_once('(')?;
        before.rsplit(' ').next()
    }
}

/// Members of the test class and of its nested classes, in order.
fn members(source: &str) -> Vec<Member<'_>> {
    let lines: Vec<&str> = source.lines().collect();
    let mut members = Vec::new();
    for member in members_at(&lines, 0..lines.len(), INDENTATION, "") {
        let within = member.lines.clone();
        let class = member.declaration.trim_start().strip_prefix("class ");
        let class = class.and_then(|class| class.split(' ').next());
        let is_nested_class = member.is_nested_class;
        members.push(member);
        if let Some(class) = class.filter(|_| is_nested_class) {
            members.extend(members_at(&lines, within, 2 * INDENTATION, class));
        }
    }
    members
}

/// Members among some lines whose declarations have this indentation, in order.
fn members_at<'t>(
    lines: &[&'t str],
    within: Range<usize>,
    indentation: usize,
    nested: &'t str,
) -> Vec<Member<'t>> {
    let depth = |line: &str| line.len() - line.trim_start_matches(' ').len();
    let end = format!("{}}}", " ".repeat(indentation));
    let ends = within.filter(|&at| lines[at] == end);
    let members = ends.filter_map(|last| {
        let declared = lines[..last].iter().rposition(|line| {
            !line.is_empty()
                && depth(line) == indentation
                && !line[indentation..].starts_with(['}', '@'])
        })?;
        let mut first = declared;
        while first > 0 && depth(lines[first - 1]) >= indentation {
            first -= 1;
        }
        let annotations = || lines[first..declared].iter();
        let has = |name: &str| {
            annotations().any(|line| {
                let text = line.trim_start();
                depth(line) == indentation && text.split('(').next() == Some(name)
            })
        };
        Some(Member {
            lines: first..last + 1,
            declaration: lines[declared],
            is_nested_class: has("@Nested"),
            is_test: TESTS.into_iter().any(has),
            is_plain: first == declared,
            nested,
        })
    });
    members.collect()
}

/// Whether a name occurs once as a word.
fn is_once(text: &str, name: &str) -> bool {
    let is_part = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '$');
    let whole = text.match_indices(name).filter(|(at, _)| {
        let (before, behind) = (&text[..*at], &text[at + name.len()..]);
        !before.ends_with(is_part) && !behind.starts_with(is_part)
    });
    whole.count() == 1
}

/// Removes lines, and the empty lines that then separate nothing.
fn without_lines(text: &str, left_out: &[Range<usize>]) -> String {
    let mut kept: Vec<&str> = Vec::new();
    for (number, line) in text.lines().enumerate() {
        if left_out.iter().any(|lines| lines.contains(&number)) {
            continue;
        }
        let is_separated = kept
            .last()
            .is_some_and(|last| last.is_empty() || last.ends_with('{'));
        if line.is_empty() && is_separated {
            continue;
        }
        if line.trim_start() == "}" && kept.last().is_some_and(|last| last.is_empty()) {
            kept.pop();
        }
        kept.push(line);
    }
    kept.iter().flat_map(|line| [line, "\n"]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOURCE: &str = r#"package a;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;

/** Behaviour of a.Box, written by Heapwright. */
class BoxHeapwrightTest {
    @BeforeEach
    void resetStatics() {
        Box.made = 0;
    }

    @Test
    void made() {
        for (int i = 0; i < 2; i++) {
            assertEquals(0, box());
        }
    }

    @Nested
    class Size {
        @ParameterizedTest(name = "a")
        @CsvSource({
            "1, 2",
            "2, 3"
        })
        void size_ofTwo(int a, int b) {
            assertEquals(a, b);
        }

        @Test
        void size_ofNone() {
            assertEquals(0, List.of().size());
        }
    }

    @Nested
    class Fill {
        @ParameterizedTest
        @MethodSource("rowsOfFill")
        void fill(int a) {
            assertTrue(a > 0);
        }

        static Stream<Arguments> rowsOfFill() {
            return Stream.of(
                    Arguments.of(1));
        }
    }

    private static int box() {
        return 0;
    }
}
"#;

    #[test]
    fn tests_are_found_with_their_lines() {
        let tests = existing_tests(SOURCE);
        let found = tests
            .iter()
            .map(|test| (&test.nested[..], &test.method[..], test.lines.clone()));
        assert_eq!(
            found.collect::<Vec<_>>(),
            [
                ("", "made", 16..22),
                ("Size", "size_ofTwo", 25..33),
                ("Size", "size_ofNone", 34..38),
                ("Fill", "fill", 42..47),
            ]
        );
    }

    #[test]
    fn what_only_removed_tests_need_goes_with_them() {
        let tests = existing_tests(SOURCE);
        assert_eq!(without_tests(SOURCE, &[]), SOURCE);
        let left = without_tests(
            SOURCE,
            &[tests[0].clone(), tests[2].clone(), tests[3].clone()],
        );
        let expected = r#"package a;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;

/** Behaviour of a.Box, written by Heapwright. */
class BoxHeapwrightTest {
    @BeforeEach
    void resetStatics() {
        Box.made = 0;
    }

    @Nested
    class Size {
        @ParameterizedTest(name = "a")
        @CsvSource({
            "1, 2",
            "2, 3"
        })
        void size_ofTwo(int a, int b) {
            assertEquals(a, b);
        }
    }
}
"#;
        assert_eq!(left, expected);
        assert_eq!(existing_tests(&without_tests(SOURCE, &tests)), []);
    }
}
