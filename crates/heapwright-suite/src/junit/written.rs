//! Text of a test class that was written before: its tests, and the class without some of them.
//!
//! Invariant: what is left of a test stays as it is, to the letter. Tests are found by their tokens, as
//! formatters of a project may have moved them.

use std::fmt;
use std::ops::Range;

use crate::tokens::{Token, TokenKind, tokens};

/// Simple names of the annotations of test methods.
const TESTS: [&str; 2] = ["Test", "ParameterizedTest"];
/// Simple name of the annotation of nested classes with tests.
const NESTED: &str = "Nested";

/// Test in the text of a test class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExistingTest {
    /// Simple name of the nested class that it is in; empty for the test class itself.
    pub nested: String,
    /// Name of the method.
    pub method: String,
    /// Its lines from 0, annotations included.
    pub lines: Range<usize>,
    /// Number of tests that it is: its rows, if it has any.
    pub rows: usize,
}

impl fmt::Display for ExistingTest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.nested.is_empty() {
            true => f.write_str(&self.method),
            false => write!(f, "{}.{}", self.nested, self.method),
        }
    }
}

/// Method or class in the body of a class.
struct Member<'t> {
    /// Its lines from 0, annotations and comments before it included.
    lines: Range<usize>,
    /// Name of a method; `None` for a class and for an initializer.
    method: Option<&'t str>,
    is_nested_class: bool,
    is_test: bool,
    /// Whether it has no annotation.
    is_plain: bool,
    /// Simple name of the nested class that it is in; empty for the test class itself.
    nested: &'t str,
    rows: Rows<'t>,
}

/// Rows of a test, or those that a method gives.
#[derive(Clone, Copy)]
enum Rows<'t> {
    /// Number of the rows in its annotation, or in its body.
    Own(usize),
    /// Literal with the name of the method that gives them.
    Of(&'t str),
}

/// Returns the tests of a class that Heapwright wrote, in order, whatever its formatting.
#[must_use]
pub fn existing_tests(source: &str) -> Vec<ExistingTest> {
    let members = members(source);
    let rows_of = |member: &Member<'_>| match member.rows {
        Rows::Own(count) => count,
        Rows::Of(giver) => {
            let giver = Some(giver.trim_matches('"'));
            let giver = members.iter().find(|other| other.method == giver);
            match giver.map(|giver| giver.rows) {
                Some(Rows::Own(count)) => count,
                _ => 0,
            }
        }
    };
    let tests = members.iter().filter(|member| member.is_test);
    let tests = tests.map(|member| ExistingTest {
        nested: member.nested.to_owned(),
        method: member.method.unwrap_or_default().to_owned(),
        lines: member.lines.clone(),
        rows: rows_of(member).max(1),
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
                false => member.is_plain && member.method.is_some_and(|name| is_once(&text, name)),
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

/// Members of the test class and of its nested classes, in order.
fn members(source: &str) -> Vec<Member<'_>> {
    let is_text = |token: &Token<'_>| token.kind != TokenKind::Space;
    let code: Vec<Token<'_>> = tokens(source).filter(is_text).collect();
    let lines = LineStarts::of(source);
    let mut members = Vec::new();
    // Annotations of the class may have braces in their parentheses.
    let mut depth = 0_usize;
    let body = code.iter().position(|token| {
        let is_body = depth == 0 && token.text == "{";
        depth += usize::from(token.opens());
        depth = depth.saturating_sub(usize::from(token.closes()));
        is_body
    });
    if let Some(body) = body {
        add_members(&code[body + 1..], "", &lines, &mut members);
    }
    members
}

/// Adds the members of a class whose body these tokens begin with, and those of its nested classes
/// with tests.
fn add_members<'t>(
    code: &[Token<'t>],
    nested: &'t str,
    lines: &LineStarts,
    members: &mut Vec<Member<'t>>,
) {
    let (mut start, mut depth) = (0, 0_usize);
    let mut body = None;
    for (at, token) in code.iter().enumerate() {
        if token.kind == TokenKind::Comment {
            // One behind a member, on its last line, is no part of the next.
            let before = at
                .checked_sub(1)
                .map(|before| lines.number(code[before].at));
            if at == start && before == Some(lines.number(token.at)) {
                start += 1;
            }
            continue;
        }
        match token.text {
            _ if token.opens() => {
                if depth == 0 && token.text == "{" {
                    body = Some(at);
                }
                depth += 1;
            }
            // The end of the class.
            _ if token.closes() && depth == 0 => return,
            _ if token.closes() => depth -= 1,
            _ => {}
        }
        if depth > 0 {
            continue;
        }
        let head = &code[start..body.unwrap_or(at)];
        match (token.text, body) {
            // A field, which may have a body in its value.
            (";", _) => {}
            ("}", Some(body)) if !is_field(head) => {
                let name = add_member(head, &code[start..=at], (nested, lines), members);
                if let Some(class) = name {
                    add_members(&code[body + 1..at + 1], class, lines, members);
                }
            }
            _ => continue,
        }
        (start, body) = (at + 1, None);
    }
}

/// Whether the tokens before a body are those of a field with a value.
fn is_field(head: &[Token<'_>]) -> bool {
    let (_, declaration) = annotations_and_declaration(head);
    declaration.iter().any(|token| token.text == "=")
}

/// Adds a member with a body, given the tokens before that, and all of them. Returns the name of a
/// nested class with tests.
fn add_member<'t>(
    head: &[Token<'t>],
    whole: &[Token<'t>],
    (nested, lines): (&'t str, &LineStarts),
    members: &mut Vec<Member<'t>>,
) -> Option<&'t str> {
    let (annotations, declaration) = annotations_and_declaration(head);
    let before = |mark: &str| {
        let at = declaration.iter().position(|token| token.text == mark)?;
        declaration.get(at.checked_sub(1)?)
    };
    let behind = |word: &str| {
        let at = declaration.iter().position(|token| token.text == word)?;
        declaration.get(at + 1)
    };
    let method = before("(").map(|name| name.text);
    let class = behind("class").filter(|_| method.is_none());
    let class = class.map(|name| name.text);
    let is_nested_class = class.is_some() && annotations.contains(&NESTED);
    let place = |token: Option<&Token<'t>>| token.map_or(0, |token| lines.number(token.at));
    members.push(Member {
        lines: place(whole.first())..place(whole.last()) + 1,
        method,
        is_nested_class,
        is_test: method.is_some() && annotations.iter().any(|name| TESTS.contains(name)),
        is_plain: annotations.is_empty(),
        nested,
        rows: rows(head, whole),
    });
    class.filter(|_| is_nested_class)
}

/// Rows of a member, by the tokens before its body and by all.
fn rows<'t>(head: &[Token<'t>], whole: &[Token<'t>]) -> Rows<'t> {
    let literals_of = |annotation: &str| {
        let at = head.iter().position(|token| token.text == annotation)?;
        let inside = head[at + 1..].iter();
        let inside = inside.take_while(|token| token.text != ")");
        let literals = inside.filter(|token| token.kind == TokenKind::Literal);
        Some(literals.map(|token| token.text).collect::<Vec<_>>())
    };
    if let Some(rows) = literals_of("CsvSource") {
        return Rows::Own(rows.len());
    }
    if let Some(givers) = literals_of("MethodSource") {
        return givers.first().map_or(Rows::Own(0), |giver| Rows::Of(giver));
    }
    let made = whole.windows(3).filter(|three| {
        let texts = [three[0].text, three[1].text, three[2].text];
        texts == ["Arguments", ".", "of"]
    });
    Rows::Own(made.count())
}

/// Simple names of the annotations before a declaration, and its other tokens.
fn annotations_and_declaration<'h, 't>(
    head: &'h [Token<'t>],
) -> (Vec<&'t str>, Vec<&'h Token<'t>>) {
    let (mut annotations, mut declaration) = (Vec::new(), Vec::new());
    let is = |at: usize, mark: &str| head.get(at).is_some_and(|token| token.text == mark);
    let mut at = 0;
    while let Some(token) = head.get(at) {
        at += 1;
        if token.text != "@" {
            declaration.extend(token.is_code().then_some(token));
            continue;
        }
        while is(at + 1, ".") {
            at += 2;
        }
        annotations.extend(head.get(at).map(|name| name.text));
        at += 1;
        let mut depth = 0_usize;
        while depth > 0 || is(at, "(") {
            let Some(token) = head.get(at) else {
                break;
            };
            depth += usize::from(token.opens());
            depth = depth.saturating_sub(usize::from(token.closes()));
            at += 1;
            if depth == 0 {
                break;
            }
        }
    }
    (annotations, declaration)
}

/// Places in a source where its lines begin.
struct LineStarts(Vec<usize>);

impl LineStarts {
    fn of(source: &str) -> LineStarts {
        let ends = source.match_indices('\n').map(|(at, _)| at + 1);
        LineStarts(std::iter::once(0).chain(ends).collect())
    }

    /// Number of the line that has a place, from 0.
    fn number(&self, at: usize) -> usize {
        self.0.partition_point(|&start| start <= at) - 1
    }
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
@SuppressWarnings({"deprecation", "removal"})
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
                    Arguments.of(1), Arguments.of(2), Arguments.of(3));
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
        let found = tests.iter().map(|test| {
            (
                &test.nested[..],
                &test.method[..],
                test.lines.clone(),
                test.rows,
            )
        });
        assert_eq!(
            found.collect::<Vec<_>>(),
            [
                ("", "made", 17..23, 1),
                ("Size", "size_ofTwo", 26..34, 2),
                ("Size", "size_ofNone", 35..39, 1),
                ("Fill", "fill", 43..48, 3),
            ]
        );
    }

    /// The same tests with their lines, as formatters would write the class.
    #[test]
    fn formatting_hides_no_test() {
        let tabs = SOURCE.replace("    ", "\t");
        let spaces = SOURCE.replace("    ", "  ");
        for text in [&tabs, &spaces] {
            assert_eq!(existing_tests(text), existing_tests(SOURCE));
            let tests = existing_tests(text);
            let left = without_tests(text, &tests[..2]);
            let of_canonical = without_tests(SOURCE, &existing_tests(SOURCE)[..2]);
            let is_space = |letter: char| letter == ' ' || letter == '\t';
            assert_eq!(
                left.replace(is_space, ""),
                of_canonical.replace(is_space, "")
            );
        }
        let moved = "class T\n{\n  Runnable r = new Runnable() {\n    public void run() {}\n  };\n\n  @Test @A(\"{\")\n  \
                     public void t()\n    throws E\n  {\n    f();\n  }\n  int i = 0; // Behind.\n  // Before.\n\n  @a.b.Test\n  void u() {}\n}\n";
        let tests = existing_tests(moved);
        let found = tests
            .iter()
            .map(|test| (&test.method[..], test.lines.clone()));
        assert_eq!(found.collect::<Vec<_>>(), [("t", 6..12), ("u", 13..17)]);
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
@SuppressWarnings({"deprecation", "removal"})
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
