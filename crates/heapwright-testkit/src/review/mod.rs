//! Review sheet of JUnit tests, whoever wrote them: counts of what reviewers object to.
//!
//! The sources are read by their tokens; nothing is compiled. A parameterised test counts as one.

mod literals;
mod sources;
mod tokens;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use literals::{is_numbered, is_unnatural};
use sources::{MainSources, Test, TestFile, calls, chain, has_argument};
use tokens::{Kind, Token, arguments, closing, opening};

use crate::fixtures::files;

/// Methods of objects that are tested by the way.
const OF_OBJECTS: [&str; 3] = ["equals", "hashCode", "toString"];
/// Begins of names of assertions and verifications.
const CLAIMS: [&str; 6] = ["assert", "verify", "expect", "andExpect", "should", "fail"];
/// Calls that tell a mock what to answer.
const STUBBING: [&str; 6] = [
    "when",
    "given",
    "doReturn",
    "doThrow",
    "doAnswer",
    "doNothing",
];
/// Number of places that are shown of each count.
const SHOWN: usize = 3;

/// What is counted of tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Objection {
    /// A null argument or collaborator ends in a `NullPointerException`, and that is all.
    NullOnly,
    /// All calls under test are accessors, `equals`, `hashCode` or `toString`.
    AccessorsOnly,
    /// The name ends in a number.
    NumberedName,
    /// A literal that people do not write.
    UnnaturalLiteral,
    /// Neither assertion nor verification.
    NoAssertion,
    /// Only assertions that something is not null.
    NotNullOnly,
    /// The body is that of another test of the class but for its literals, and more than one call of a
    /// method of the class with them.
    Twin,
}

/// Objections with their names.
const OBJECTIONS: [(Objection, &str); 7] = [
    (Objection::NullOnly, "null only"),
    (
        Objection::AccessorsOnly,
        "accessors, equals, hashCode or toString only",
    ),
    (Objection::NumberedName, "numbered names"),
    (Objection::UnnaturalLiteral, "unnatural literals"),
    (Objection::NoAssertion, "no assertion"),
    (Objection::NotNullOnly, "not null only"),
    (Objection::Twin, "equal but for literals"),
];

/// Counts, with their places as `file:line`.
#[derive(Clone, Debug, Default)]
pub struct Review {
    /// Number of tests.
    pub tests: usize,
    /// Number of files with tests.
    pub files: usize,
    /// Places of the tests to which there is each objection.
    pub objections: BTreeMap<Objection, Vec<String>>,
    /// Of each test the number of lines that only stub collaborators.
    stub_lines: Vec<(usize, String)>,
    /// Longest name of a test.
    longest_name: (usize, String),
    /// Lines of the longest test class.
    longest_class: (usize, String),
}

/// What a test states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Claim {
    NotNull,
    ThrowsNullPointer,
    /// What says nothing of the class under test by itself.
    Aside,
    Other,
}

impl Review {
    /// Review of the test sources; `main` are the sources under test, as far as they are known.
    #[must_use]
    pub fn of(tests: &[PathBuf], main: &[PathBuf]) -> Self {
        let mut sources = MainSources::default();
        for file in main {
            sources.add(&stem(file), &text(file));
        }
        let mut review = Self::default();
        for file in tests {
            let name = file.file_name().unwrap_or_default().to_string_lossy();
            review.add_file(&name, &TestFile::of(&stem(file), &text(file)), &sources);
        }
        review
    }

    /// Review of all sources with tests below folders; the others there, and those of the
    /// `src/main` beside a `src/test`, are what is tested.
    #[must_use]
    pub fn of_folders(folders: &[PathBuf]) -> Self {
        let mut below: BTreeSet<PathBuf> = BTreeSet::new();
        for folder in folders {
            below.extend(files(folder, "java"));
            let around = folder
                .ancestors()
                .find(|folder| folder.ends_with("src/test"));
            if let Some(source) = around.and_then(Path::parent) {
                below.extend(files(&source.join("main"), "java"));
            }
        }
        let has_tests = |file: &PathBuf| !TestFile::of("", &text(file)).tests.is_empty();
        let (tests, main): (Vec<PathBuf>, Vec<PathBuf>) = below.into_iter().partition(has_tests);
        Self::of(&tests, &main)
    }

    /// Adds the counts of another review.
    pub fn add(&mut self, other: Self) {
        self.tests += other.tests;
        self.files += other.files;
        for (objection, places) in other.objections {
            self.objections.entry(objection).or_default().extend(places);
        }
        self.stub_lines.extend(other.stub_lines);
        self.longest_name = longer(std::mem::take(&mut self.longest_name), other.longest_name);
        self.longest_class = longer(std::mem::take(&mut self.longest_class), other.longest_class);
    }

    fn add_file(&mut self, name: &str, file: &TestFile, main: &MainSources) {
        self.files += usize::from(!file.tests.is_empty());
        let shapes: Vec<Vec<&str>> = file.tests.iter().map(|test| shape(&test.body)).collect();
        for class in file
            .types
            .iter()
            .filter(|class| class.is_outer && class.has_tests)
        {
            let place = format!("{name}:{}", class.line);
            self.longest_class = longer(
                std::mem::take(&mut self.longest_class),
                (class.lines, place),
            );
        }
        for (at, test) in file.tests.iter().enumerate() {
            let place = format!("{name}:{}", test.line);
            let mut found = objections(file, test, main);
            let has_twin = shapes
                .iter()
                .enumerate()
                .any(|(other, shape)| other != at && *shape == shapes[at]);
            if has_twin && !is_row(file, test) {
                found.push(Objection::Twin);
            }
            for objection in found {
                let places = self.objections.entry(objection).or_default();
                places.push(place.clone());
            }
            self.tests += 1;
            let length = test.name.chars().count();
            let named = format!("{} ({place})", test.name);
            self.longest_name = longer(std::mem::take(&mut self.longest_name), (length, named));
            self.stub_lines.push((stub_lines(file, test), place));
        }
    }
}

/// The longer of two, the first one of equal ones.
fn longer(one: (usize, String), other: (usize, String)) -> (usize, String) {
    if other.0 > one.0 { other } else { one }
}

fn stem(file: &Path) -> String {
    let name = file.file_stem().unwrap_or_default();
    name.to_string_lossy().into_owned()
}

fn text(file: &Path) -> String {
    let text = fs::read(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    String::from_utf8_lossy(&text).into_owned()
}

/// Whether a test only calls a method of its class, with its values.
fn is_row(file: &TestFile, test: &Test) -> bool {
    let body = &test.body;
    let is_own = |name: &Token| file.helpers.contains_key(&name.text);
    body.len() > 2 && is_own(&body[0]) && body[1].is("(") && closing(body, 1) + 2 == body.len()
}

/// Objections to a test by itself.
fn objections(file: &TestFile, test: &Test, main: &MainSources) -> Vec<Objection> {
    let claims = claims(file, test);
    let called = called(file, test);
    let is_by_the_way =
        |name: &&str| OF_OBJECTS.contains(name) || main.is_accessor(&file.subject, name);
    let throws_only = |claim: &Claim| matches!(claim, Claim::ThrowsNullPointer | Claim::Aside);
    let named = test.annotations.iter();
    let named = named.filter(|token| token.kind == Kind::Text);
    let named = named.filter_map(|token| file.helpers.get(token.content()));
    let literals = test.annotations.iter().chain(&test.body);
    let called_here = calls(&test.body).map(|at| test.body[at].text.as_str());
    let helping = called_here.filter_map(|name| file.helpers.get(name));
    let literals = literals.chain(named.chain(helping).flatten());
    let mut literals = literals.filter(|token| !token.is_word());
    let found = [
        (
            Objection::NullOnly,
            claims.contains(&Claim::ThrowsNullPointer) && claims.iter().all(throws_only),
        ),
        (
            Objection::AccessorsOnly,
            !called.is_empty() && called.iter().all(is_by_the_way),
        ),
        (Objection::NumberedName, is_numbered(&test.name, &test.body)),
        (
            Objection::UnnaturalLiteral,
            literals.any(|token| is_unnatural(token, main)),
        ),
        (Objection::NoAssertion, claims.is_empty()),
        (
            Objection::NotNullOnly,
            !claims.is_empty() && claims.iter().all(|claim| *claim == Claim::NotNull),
        ),
    ];
    let found = found.into_iter().filter(|(_, is_found)| *is_found);
    found.map(|(objection, _)| objection).collect()
}

/// What a test states, with the methods of its file that it calls.
fn claims(file: &TestFile, test: &Test) -> Vec<Claim> {
    let variables = variables(file);
    let mut claims = claims_in(&test.body, &variables);
    let expected = test
        .annotations
        .iter()
        .position(|token| token.is("expected"));
    if let Some(expected) = expected {
        let mut behind = test.annotations[expected..].iter();
        claims.push(match behind.any(|token| token.is("NullPointerException")) {
            true => Claim::ThrowsNullPointer,
            false => Claim::Other,
        });
    }
    for at in calls(&test.body) {
        let is_own = at == 0 || !test.body[at - 1].is(".") || test.body[at - 2].is("this");
        let helper = file.helpers.get(&test.body[at].text).filter(|_| is_own);
        claims.extend(
            helper
                .into_iter()
                .flat_map(|body| claims_in(body, &variables)),
        );
    }
    claims
}

/// What a body states; `variables` are those of the class under test, and its name.
fn claims_in(body: &[Token], variables: &BTreeSet<&str>) -> Vec<Claim> {
    let is_under_test = |token: &Token| variables.contains(token.text.as_str());
    let mut claims = Vec::new();
    for at in calls(body) {
        let name = body[at].text.as_str();
        if !CLAIMS.iter().any(|begin| name.starts_with(begin)) && name != "then" {
            continue;
        }
        let chain = chain(body, at);
        let named: Vec<&str> = chain.iter().map(|&at| body[at].text.as_str()).collect();
        let is_null_pointer = has_argument(body, at, "NullPointerException")
            || name == "assertThatNullPointerException"
            || chain
                .iter()
                .any(|&at| has_argument(body, at, "NullPointerException"));
        let is_thrown = name.contains("Throw") || name.contains("Exception");
        claims.push(match name {
            _ if is_thrown && is_null_pointer => Claim::ThrowsNullPointer,
            "fail" | "verifyException" => Claim::Aside,
            _ if is_thrown && !arguments(body, at).iter().any(is_under_test) => Claim::Aside,
            "assertNotNull" => Claim::NotNull,
            _ if name.starts_with("assertThat") && named == ["isNotNull"] => Claim::NotNull,
            _ if has_argument(body, at, "getMessage") => Claim::Aside,
            _ => Claim::Other,
        });
    }
    let catches = body.windows(3).any(|tokens| {
        tokens[0].is("catch") && tokens[1].is("(") && tokens[2].is("NullPointerException")
    });
    if catches {
        claims.push(Claim::ThrowsNullPointer);
    }
    claims
}

/// Variables of the class under test in a file, and the name of the class.
fn variables(file: &TestFile) -> BTreeSet<&str> {
    let subject = file.subject.as_str();
    let mut variables = BTreeSet::from([subject]);
    for tokens in file.tokens.windows(4) {
        let is_declared = tokens[0].is(subject) && tokens[1].is_word();
        if is_declared && tokens[2].kind == Kind::Symbol && "=;,):".contains(&tokens[2].text) {
            variables.insert(tokens[1].text.as_str());
        }
        if tokens[0].is_word() && tokens[1].is("=") && tokens[2].is("new") && tokens[3].is(subject)
        {
            variables.insert(tokens[0].text.as_str());
        }
    }
    variables
}

/// Names of the methods that a test calls on objects of the class under test, or on the class.
fn called<'a>(file: &TestFile, test: &'a Test) -> Vec<&'a str> {
    let subject = file.subject.as_str();
    let variables = variables(file);
    let body = &test.body;
    let is_on_subject = |at: usize| {
        if at < 2 || !body[at - 1].is(".") {
            return false;
        }
        let receiver = &body[at - 2];
        if !receiver.is(")") {
            return variables.contains(receiver.text.as_str());
        }
        let open = opening(body, at - 2);
        open >= 2 && body[open - 1].is(subject) && body[open - 2].is("new")
    };
    calls(body)
        .filter(|&at| is_on_subject(at))
        .map(|at| body[at].text.as_str())
        .collect()
}

/// Body with its literals masked.
fn shape(body: &[Token]) -> Vec<&str> {
    let masked = body.iter().map(|token| match token.kind {
        Kind::Number | Kind::Text | Kind::Letter => "0",
        Kind::Word if ["true", "false", "null"].contains(&token.text.as_str()) => "0",
        Kind::Word | Kind::Symbol => token.text.as_str(),
    });
    masked.collect()
}

/// Lines of a test that only stub collaborators: those that tell mocks what to answer, anonymous
/// classes, and its part of the classes for it in the file.
fn stub_lines(file: &TestFile, test: &Test) -> usize {
    let body = &test.body;
    let mut lines = BTreeSet::new();
    for at in calls(body) {
        if STUBBING.contains(&body[at].text.as_str()) {
            lines.insert(body[at].line);
        }
        let end = closing(body, at + 1) + 1;
        let is_new = body[..at].iter().rev().take_while(|token| !token.is(";"));
        let is_new = is_new
            .take_while(|token| token.is_word() || token.is("."))
            .any(|token| token.is("new"));
        if is_new && body.get(end).is_some_and(|token| token.is("{")) {
            lines.extend(body[at].line..=body[closing(body, end)].line);
        }
    }
    let mut count = lines.len();
    let stubs = file
        .types
        .iter()
        .filter(|class| !class.is_outer && !class.has_tests);
    for stub in stubs {
        let uses = |test: &&Test| test.body.iter().any(|token| token.is(&stub.name));
        if uses(&test) {
            count += stub.lines.div_ceil(file.tests.iter().filter(uses).count());
        }
    }
    count
}

impl fmt::Display for Review {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} tests in {} files", self.tests, self.files)?;
        for (objection, name) in OBJECTIONS {
            let places = self
                .objections
                .get(&objection)
                .map_or(&[][..], Vec::as_slice);
            let share = 100.0 * places.len() as f64 / self.tests.max(1) as f64;
            let shown = places[..places.len().min(SHOWN)].join(", ");
            write!(f, "\n  {name}: {} ({share:.1} %) {shown}", places.len())?;
        }
        let mut lines = self.stub_lines.clone();
        lines.sort();
        let median = lines.get(lines.len() / 2).map_or(0, |(lines, _)| *lines);
        let (most, place) = lines.pop().unwrap_or_default();
        let (name, named) = &self.longest_name;
        let (class, of_class) = &self.longest_class;
        write!(
            f,
            "\n  lines of stubs: median {median}, at most {most} ({place})"
        )?;
        write!(f, "\n  longest name: {name} characters, {named}")?;
        write!(f, "\n  longest class: {class} lines ({of_class})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Review of the tests of a class `Cart`, in a class body; the first line of a body is 1.
    fn review(tests: &str) -> Review {
        let mut main = MainSources::default();
        main.add(
            "Cart",
            "class Cart { int size() { return size; } int total() { return a * 7; } }",
        );
        let mut review = Review::default();
        let source = format!("class CartTest {{ {tests} }}");
        review.add_file("CartTest.java", &TestFile::of("CartTest", &source), &main);
        review
    }

    /// Objections to a test with a body.
    fn objections_to(body: &str) -> Vec<Objection> {
        let review = review(&format!("@Test void adds() {{ {body} }}"));
        review.objections.into_keys().collect()
    }

    #[test]
    fn null_only_tests_are_counted() {
        let null_only = [
            "assertThrows(NullPointerException.class, () -> cart.add(null));",
            "NullPointerException e = assertThrows(NullPointerException.class, () -> cart.add(null)); \
             assertEquals(\"item\", e.getMessage());",
            "try { cart.add(null); fail(\"expected\"); } catch (NullPointerException e) { }",
            "assertThatThrownBy(() -> cart.add(null)).isInstanceOf(NullPointerException.class);",
            "assertThrows(DateTimeException.class, () -> LocalDate.of(0, 0, 0)); \
             assertThrows(NullPointerException.class, () -> cart.add(null));",
        ];
        for body in null_only {
            assert_eq!(objections_to(body), [Objection::NullOnly], "{body}");
        }
        let others = [
            "assertThrows(NullPointerException.class, () -> cart.add(null)); assertEquals(0, n);",
            "assertThrows(IllegalStateException.class, () -> cart.add(null));",
            "assertThrows(IllegalStateException.class, () -> Cart.of(1)); \
             assertThrows(NullPointerException.class, () -> Cart.of(null));",
        ];
        for body in others {
            assert_eq!(objections_to(body), [], "{body}");
        }
        let expected =
            review("@Test(expected = NullPointerException.class) public void a() { b(); }");
        assert_eq!(
            expected.objections[&Objection::NullOnly],
            ["CartTest.java:1"]
        );
    }

    #[test]
    fn tests_of_accessors_are_counted() {
        let accessors = [
            "Cart cart = new Cart(); assertEquals(0, cart.size());",
            "assertEquals(\"Cart\", new Cart(1).toString());",
            "var cart = new Cart(); assertTrue(cart.equals(cart));",
        ];
        for body in accessors {
            assert_eq!(objections_to(body), [Objection::AccessorsOnly], "{body}");
        }
        let others = [
            "Cart cart = new Cart(); cart.add(item); assertEquals(1, cart.size());",
            "Cart cart = new Cart(); assertEquals(7, cart.total());",
            "assertEquals(1, Cart.parse(\"1\").lines());",
        ];
        for body in others {
            assert_eq!(objections_to(body), [], "{body}");
        }
    }

    #[test]
    fn weak_assertions_are_counted() {
        assert_eq!(objections_to("cart.add(1);"), [Objection::NoAssertion]);
        let not_null = "assertNotNull(new Cart());";
        assert_eq!(objections_to(not_null), [Objection::NotNullOnly]);
        let fluent = "assertThat(cart.first()).isNotNull();";
        assert_eq!(objections_to(fluent), [Objection::NotNullOnly]);
        assert_eq!(
            objections_to("assertThat(cart.first()).isNotNull().isEqualTo(1);"),
            []
        );
        assert_eq!(objections_to("verify(mails).send(\"a\");"), []);
        let helped =
            review("@Test void a() { check(1); } void check(int a) { assertEquals(1, a); }");
        assert!(helped.objections.is_empty(), "{helped}");
    }

    #[test]
    fn names_literals_and_twins_are_counted() {
        let review = review(
            "@Test void adds_2() { assertEquals(5000000, cart.add(\"a\")); }\n\
             @Test void adds() { assertEquals(1, cart.add(\"b\")); }\n\
             @Test void removes() { assertEquals(1, cart.remove(\"b\")); }",
        );
        let places = |objection| review.objections[&objection].clone();
        assert_eq!(places(Objection::NumberedName), ["CartTest.java:1"]);
        assert_eq!(places(Objection::UnnaturalLiteral), ["CartTest.java:1"]);
        assert_eq!(
            places(Objection::Twin),
            ["CartTest.java:1", "CartTest.java:2"]
        );
        assert_eq!(
            review.longest_name,
            (7, "removes (CartTest.java:3)".to_owned())
        );
        assert_eq!(review.longest_class, (3, "CartTest.java:1".to_owned()));
    }

    #[test]
    fn rows_of_tests_are_looked_at() {
        let review = review(
            "@ParameterizedTest @MethodSource(\"rows\") void adds(int a) { assertEquals(a, b); }\n\
             static Stream<Integer> rows() { return Stream.of(1000001); }",
        );
        assert_eq!(
            review.objections[&Objection::UnnaturalLiteral],
            ["CartTest.java:1"]
        );
        assert_eq!(review.objections.len(), 1, "{review}");
    }

    #[test]
    fn calls_of_one_method_with_values_are_rows() {
        let review = review(
            "@Test void adds() { check(1, 2); }\n@Test void addsMore() { check(2, 3); }\n\
             @Test void multiplies() { check(7, 1000001); }\n\
             @Test void removes() { a(); check(1, 2); }\n@Test void clears() { a(); check(3, 2); }\n\
             private void check(int a, int b) { assertEquals(b, cart.add(a)); }",
        );
        assert_eq!(
            review.objections[&Objection::Twin],
            ["CartTest.java:4", "CartTest.java:5"]
        );
        assert_eq!(
            review.objections[&Objection::UnnaturalLiteral],
            ["CartTest.java:3"]
        );
    }

    #[test]
    fn lines_of_stubs_are_counted() {
        let review = review(
            "@Test void a() {\n when(x.y()).thenReturn(1);\n doThrow(e).when(x).z();\n assertTrue(b); }\n\
             @Test void b() {\n Ledger ledger = new Ledger() {\n public void book() {\n }\n };\n \
             new Stub(); assertTrue(b); }\n\
             @Test void c() { new Stub(); assertTrue(b); }\n\
             static class Stub {\n int a;\n }",
        );
        let lines: Vec<usize> = review.stub_lines.iter().map(|(lines, _)| *lines).collect();
        assert_eq!(lines, [2, 6, 2]);
        let shown = review.to_string();
        assert!(
            shown.contains("lines of stubs: median 2, at most 6 (CartTest.java:5)"),
            "{shown}"
        );
    }
}
