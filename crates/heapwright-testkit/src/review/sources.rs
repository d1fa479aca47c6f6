//! Tests and what they test, as declared in Java sources.

use std::collections::{BTreeMap, BTreeSet};

use super::literals::integer;
use super::tokens::{Kind, Token, arguments, closing, is_called, tokens};

/// Annotations of tests.
const TESTS: [&str; 4] = ["Test", "ParameterizedTest", "RepeatedTest", "TestTemplate"];
/// Ends of names of test classes; the longer ones come first.
const SUFFIXES: [&str; 6] = [
    "HeapwrightTest",
    "_ESTest",
    "TestCase",
    "Tests",
    "Test",
    "IT",
];

/// Source with tests.
pub(super) struct TestFile {
    pub(super) tokens: Vec<Token>,
    /// Simple name of the class under test, by the name of the test class.
    pub(super) subject: String,
    pub(super) tests: Vec<Test>,
    /// Declared classes and interfaces.
    pub(super) types: Vec<Type>,
    /// Methods that are no tests, with their bodies.
    pub(super) helpers: BTreeMap<String, Vec<Token>>,
}

/// Test method.
pub(super) struct Test {
    pub(super) name: String,
    pub(super) line: usize,
    /// Tokens of its annotations but for its displayed name.
    pub(super) annotations: Vec<Token>,
    pub(super) body: Vec<Token>,
    /// Place of its name among the tokens of the file.
    at: usize,
}

/// Declared class.
pub(super) struct Type {
    pub(super) name: String,
    pub(super) line: usize,
    /// Number of lines.
    pub(super) lines: usize,
    /// Whether no other class is around it.
    pub(super) is_outer: bool,
    /// Whether a test is in it.
    pub(super) has_tests: bool,
}

/// What tests may have from the sources of the program under test.
#[derive(Default)]
pub(super) struct MainSources {
    /// Strings and characters, with their quotes.
    pub(super) texts: BTreeSet<String>,
    /// Values of integers.
    pub(super) integers: BTreeSet<u128>,
    /// Of each class its methods, with whether all of the name only give or set a field.
    methods: BTreeMap<String, BTreeMap<String, bool>>,
}

impl TestFile {
    /// Reads a source; `name` is that of the file without its extension.
    pub(super) fn of(name: &str, source: &str) -> Self {
        let tokens = tokens(source);
        let mut tests = Vec::new();
        let mut annotations = Vec::new();
        let (mut is_test, mut at) = (false, 0);
        while at < tokens.len() {
            if tokens[at].is("@") && tokens.get(at + 1).is_some_and(Token::is_word) {
                let end = annotation(&tokens, at);
                let path: Vec<&Token> = tokens[at + 1..end]
                    .iter()
                    .take_while(|token| token.is_word() || token.is("."))
                    .collect();
                let name = path.last().map_or("", |token| token.text.as_str());
                is_test |= TESTS.contains(&name);
                if name != "DisplayName" {
                    annotations.extend_from_slice(&tokens[at..end]);
                }
                at = end;
                continue;
            }
            if is_test && is_called(&tokens, at) {
                let body = body(&tokens, at).unwrap_or(at..at);
                let end = body.end.max(at);
                tests.push(Test {
                    name: tokens[at].text.clone(),
                    line: tokens[at].line,
                    annotations: std::mem::take(&mut annotations),
                    body: tokens[body].to_vec(),
                    at,
                });
                (is_test, at) = (false, end);
            } else if tokens[at].kind == Kind::Symbol && "{};".contains(&tokens[at].text) {
                annotations.clear();
                is_test = false;
            }
            at += 1;
        }
        let mut helpers = methods(&tokens);
        helpers.retain(|name, _| tests.iter().all(|test| test.name != *name));
        Self {
            subject: subject(name).to_owned(),
            types: types(&tokens, &tests),
            tests,
            helpers: helpers
                .into_iter()
                .map(|(name, bodies)| (name, bodies.concat()))
                .collect(),
            tokens,
        }
    }
}

/// Place behind the annotation at `at`.
fn annotation(tokens: &[Token], at: usize) -> usize {
    let mut end = at + 2;
    while tokens.get(end).is_some_and(|token| token.is(".")) {
        end += 2;
    }
    match tokens.get(end) {
        Some(token) if token.is("(") => closing(tokens, end) + 1,
        _ => end.min(tokens.len()),
    }
}

/// Places of the tokens in the body of the method whose name is at `at`; `None` if there is none.
fn body(tokens: &[Token], at: usize) -> Option<std::ops::Range<usize>> {
    let mut open = closing(tokens, at + 1) + 1;
    let is_thrown = |token: &Token| token.is_word() || token.is(".") || token.is(",");
    while tokens.get(open).is_some_and(is_thrown) {
        open += 1;
    }
    let is_body = tokens.get(open)?.is("{");
    is_body.then(|| open + 1..closing(tokens, open))
}

/// Methods with their bodies, those of anonymous classes included.
fn methods(tokens: &[Token]) -> BTreeMap<String, Vec<Vec<Token>>> {
    let mut methods: BTreeMap<String, Vec<Vec<Token>>> = BTreeMap::new();
    for at in 1..tokens.len() {
        let before = &tokens[at - 1];
        let is_type = before.is_word() && !before.is("new") && !before.is_keyword();
        let is_declared = is_type || before.is(">") || before.is("]");
        if !is_declared || !is_called(tokens, at) {
            continue;
        }
        if let Some(body) = body(tokens, at) {
            let bodies = methods.entry(tokens[at].text.clone()).or_default();
            bodies.push(tokens[body].to_vec());
        }
    }
    methods
}

fn types(tokens: &[Token], tests: &[Test]) -> Vec<Type> {
    let mut types = Vec::new();
    let mut outer_end = 0;
    for at in 0..tokens.len() {
        let is_kind = ["class", "interface", "enum", "record"]
            .iter()
            .any(|kind| tokens[at].is(kind));
        let is_literal = at > 0 && tokens[at - 1].is(".");
        let is_named = tokens.get(at + 1).is_some_and(Token::is_word);
        if !is_kind || is_literal || !is_named {
            continue;
        }
        let behind = tokens.iter().skip(at);
        let Some(open) = behind
            .take_while(|token| !token.is(";"))
            .position(|token| token.is("{"))
        else {
            continue;
        };
        let close = closing(tokens, at + open);
        let is_outer = at >= outer_end;
        if is_outer {
            outer_end = close;
        }
        types.push(Type {
            name: tokens[at + 1].text.clone(),
            line: tokens[at].line,
            lines: tokens[close].line + 1 - tokens[at].line,
            is_outer,
            has_tests: tests.iter().any(|test| (at..close).contains(&test.at)),
        });
    }
    types
}

/// Name of the class that a test class is for.
fn subject(name: &str) -> &str {
    // `FooHeapwright2Test` is a second class for `Foo`.
    let before = name.strip_suffix("Test").unwrap_or_default();
    let before = before.trim_end_matches(|last: char| last.is_ascii_digit());
    let generated = before.strip_suffix("Heapwright");
    let mut others = SUFFIXES
        .iter()
        .filter_map(|suffix| name.strip_suffix(suffix));
    generated.or_else(|| others.next()).unwrap_or(name)
}

impl MainSources {
    /// Adds a source; `name` is that of the file without its extension.
    pub(super) fn add(&mut self, name: &str, source: &str) {
        let tokens = tokens(source);
        for token in &tokens {
            match token.kind {
                Kind::Text | Kind::Letter => {
                    self.texts.insert(token.text.clone());
                }
                Kind::Number => self.integers.extend(integer(&token.text)),
                Kind::Word | Kind::Symbol => {}
            }
        }
        let methods = methods(&tokens).into_iter();
        let methods =
            methods.map(|(name, bodies)| (name, bodies.iter().all(|body| is_of_field(body))));
        self.methods.insert(name.to_owned(), methods.collect());
    }

    /// Whether a method only gives or sets a field, as far as is known.
    pub(super) fn is_accessor(&self, class: &str, method: &str) -> bool {
        let known = self.methods.get(class);
        if let Some(is_accessor) = known.and_then(|methods| methods.get(method)) {
            return *is_accessor;
        }
        let is_property = |prefix: &str| {
            let rest = method.strip_prefix(prefix).unwrap_or_default();
            rest.starts_with(|first: char| first.is_uppercase())
        };
        ["get", "set", "is"].into_iter().any(is_property)
    }
}

/// Whether a body is `return field;` or `this.field = value;`.
fn is_of_field(body: &[Token]) -> bool {
    let words: Vec<&str> = body.iter().map(|token| token.text.as_str()).collect();
    let is_name = |word: &str| word.starts_with(|first: char| first.is_alphabetic());
    match words[..] {
        ["return", field, ";"] | ["return", "this", ".", field, ";"] => is_name(field),
        ["this", ".", _, "=", value, ";"] | [_, "=", value, ";"] => is_name(value),
        _ => false,
    }
}

/// Calls in a body: places of their names.
pub(super) fn calls(body: &[Token]) -> impl Iterator<Item = usize> {
    (0..body.len()).filter(|&at| is_called(body, at))
}

/// Names of the calls that follow a call on its result.
pub(super) fn chain(body: &[Token], name: usize) -> Vec<usize> {
    let mut chain = Vec::new();
    let mut end = closing(body, name + 1) + 1;
    while body.get(end).is_some_and(|token| token.is("."))
        && end + 1 < body.len()
        && is_called(body, end + 1)
    {
        chain.push(end + 1);
        end = closing(body, end + 2) + 1;
    }
    chain
}

/// Whether a word is in the brackets of a call.
pub(super) fn has_argument(body: &[Token], name: usize, word: &str) -> bool {
    arguments(body, name).iter().any(|token| token.is(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_and_helpers_are_told_apart() {
        let source = "class CartTest {\n\
             @Nested class Add {\n\
             @org.junit.jupiter.api.Test @DisplayName(\"a (b)\")\n\
             void adds() throws Exception { if (x) { y(); } }\n\
             @ParameterizedTest @CsvSource({\"1\", \"2\"}) void many(int a) { } }\n\
             private static int count(String s) { return s.length(); }\n\
             static class Stub implements A {\n public int a() { return 1; }\n } }";
        let file = TestFile::of("CartTest", source);
        let names: Vec<(&str, usize)> = file
            .tests
            .iter()
            .map(|test| (test.name.as_str(), test.line))
            .collect();
        assert_eq!(names, [("adds", 4), ("many", 5)]);
        assert!(
            file.tests[0]
                .annotations
                .iter()
                .all(|token| token.kind != Kind::Text)
        );
        assert_eq!(file.tests[1].annotations.len(), 11);
        assert_eq!(file.subject, "Cart");
        assert_eq!(file.helpers.keys().collect::<Vec<_>>(), ["a", "count"]);
        let types: Vec<(&str, usize, bool, bool)> = file
            .types
            .iter()
            .map(|class| {
                (
                    class.name.as_str(),
                    class.lines,
                    class.is_outer,
                    class.has_tests,
                )
            })
            .collect();
        let expected = [
            ("CartTest", 9, true, true),
            ("Add", 4, false, true),
            ("Stub", 3, false, false),
        ];
        assert_eq!(types, expected);
    }

    #[test]
    fn the_class_under_test_is_named_by_its_tests() {
        for name in [
            "CartTest",
            "CartHeapwrightTest",
            "CartHeapwright2Test",
            "Cart_ESTest",
        ] {
            assert_eq!(subject(name), "Cart");
        }
    }

    #[test]
    fn accessors_are_known_by_their_code() {
        let mut sources = MainSources::default();
        sources.add(
            "Cart",
            "class Cart { int getTotal() { return a * 2; } int size() { return size; } \
             void setOwner(String owner) { this.owner = owner; } }",
        );
        let is_accessor = |name: &str| sources.is_accessor("Cart", name);
        assert!(is_accessor("size") && is_accessor("setOwner") && is_accessor("getName"));
        assert!(!is_accessor("getTotal") && !is_accessor("issue") && !is_accessor("add"));
    }
}
