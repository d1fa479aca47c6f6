//! Test classes of a suite for JUnit 5, JUnit 4 and TestNG.
//!
//! The test of a case rebuilds its structure, asserts the invariant, makes one call, and asserts
//! the observed outcome and the invariant again. The test of a script consists of its statements
//! and assertions of the observations. The sources are pure ASCII and compile under
//! `javac -Xlint:all -Werror --release 17` with JUnit alone. Every case is either in a test or in
//! [`JunitOutput::skipped`].

mod agree;
mod anonymous;
mod arguments;
mod assertions;
mod behaviour;
mod build;
mod call;
mod calls_data;
mod contract;
mod data;
mod details;
mod display;
mod groups;
mod lines;
mod mocks;
mod mvc;
mod names;
mod parameters;
mod scope;
mod script;
mod set_up;
mod settings;
mod steps;
mod stub_calls;
mod stub_classes;
mod style;
mod support;
mod test_class;
mod written;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use crate::types::package as package_of;
use crate::variables::sayable;
use crate::{Call, CallOutcome, Case, ClassSig, ModelError, Suite, literal};

use scope::Scope;

pub use assertions::AssertionLibrary;
pub use style::{ImportLayout, Indentation, LineEnd, SeenStyle, Style};
pub use written::{ExistingTest, existing_tests, without_tests};

/// Test framework, and version of JUnit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum JunitVersion {
    /// Any release of JUnit 4.
    Four,
    /// JUnit 5 (Jupiter); large suites need its `junit-jupiter-params`.
    #[default]
    Five,
    /// TestNG from release 7 on.
    TestNg,
}

/// How test classes of JUnit 5 are kept apart from others that run at the same time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Isolation {
    /// Tests run one after the other.
    #[default]
    None,
    /// The tests of a class run one after the other, which all of JUnit 5.3 or later can have.
    SameThread,
    /// No other test runs beside those of the class, as JUnit 5.7 or later can have it.
    Isolated,
}

/// Options of the writer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JunitOptions {
    /// JUnit version.
    pub version: JunitVersion,
    /// What is done where the tests of the project run in parallel.
    pub isolation: Isolation,
    /// Library of the assertions.
    pub assertions: AssertionLibrary,
    /// Whether scripts that differ only in their values become one parameterised test, for which
    /// JUnit 5 needs its `junit-jupiter-params`.
    pub has_parameters: bool,
    /// Whether JUnit 4 has `assertThrows`, as it does since 4.13.
    pub has_throws: bool,
    /// Whether AssertJ has `assertThatObject`, as it does since 3.12.
    pub has_that_object: bool,
    /// Whether tests can set fields by `ReflectionTestUtils` of Spring's tests.
    pub has_reflection_utils: bool,
    /// Feature version of Java whose language and library the tests may use: 8 or newer.
    pub release: u32,
    /// Whether arrangement that tests have in common is made once, where that is shorter.
    pub shares_arrangement: bool,
    /// Simple name of the test class; by default that of the class under test with
    /// `HeapwrightTest`.
    pub test_class: Option<String>,
    /// Package of the tests; by default that of the class under test. It cannot be one of the
    /// JDK's.
    pub package: Option<String>,
    /// Number of structures above which one parameterised test over a data file is written.
    pub max_structures_in_source: usize,
    /// Maximum number of test methods per class; further ones go to `…2Test`, `…3Test`.
    pub max_methods_per_class: usize,
    /// Number of columns from which lines of tests are broken.
    pub width: usize,
    /// Compiler warnings, by the names of javac's checks, that the classes suppress beside those
    /// that the writer knows of.
    pub suppressed: BTreeSet<String>,
    /// Tests that are disabled, with the reasons.
    pub disabled: BTreeMap<TestOrigin, String>,
}

/// File to be written, relative to the root of the test sources or resources.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextFile {
    /// Path with `/` between folders: `a/b/TreeHeapwrightTest.java`.
    pub path: String,
    /// Whether it belongs to the sources or to the resources.
    pub kind: FileKind,
    /// Contents in ASCII, with `\n` at the end of each line.
    pub contents: String,
}

/// Location of a file in a project with separate sources and resources.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FileKind {
    /// `src/test/java`.
    Source,
    /// `src/test/resources`; must be on the class path, beside the compiled test class.
    Resource,
}

/// Files and tests of a suite.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct JunitOutput {
    /// Files, test class first.
    pub files: Vec<TextFile>,
    /// Tests that are methods of their own, in the order of the files.
    pub methods: Vec<TestMethod>,
    /// Tests that are rows of a parameterised method.
    pub rows: Vec<TestRows>,
    /// Cases that no test on a plain JDK can make.
    pub skipped: Vec<SkippedCase>,
}

impl JunitOutput {
    /// Number of tests that JUnit finds in the files.
    #[must_use]
    pub fn tests(&self) -> usize {
        let rows = self.rows.iter().map(|rows| rows.of.len());
        self.methods.len() + rows.sum::<usize>()
    }

    /// Appends the output of another writer.
    fn append(&mut self, further: JunitOutput) {
        let before = self.files.len();
        self.files.extend(further.files);
        let methods = further.methods.into_iter();
        self.methods.extend(methods.map(|method| TestMethod {
            file: before + method.file,
            ..method
        }));
        let rows = further.rows.into_iter();
        self.rows.extend(rows.map(|rows| TestRows {
            file: before + rows.file,
            ..rows
        }));
    }
}

/// Part of a suite that a test covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TestOrigin {
    /// Case, by its index: one of its calls, or the input alone.
    Case(usize, Option<usize>),
    /// Script, by its index.
    Script(usize),
}

/// Test that is a method of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TestMethod {
    /// Index of its file.
    pub file: usize,
    /// Name.
    pub name: String,
    /// Lines in the file, numbered from 1, annotations included.
    pub lines: Range<usize>,
    /// Lines that assert each observation of a script; a range is empty if none do.
    pub observations: Vec<Range<usize>>,
    /// Case or script.
    pub of: TestOrigin,
}

/// Tests of a parameterised method.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TestRows {
    /// Index of its file.
    pub file: usize,
    /// Name of the method.
    pub method: String,
    /// Lines in the file, as those of a [`TestMethod`]; empty if the rows are in a data file.
    pub lines: Range<usize>,
    /// Lines that assert each observation, as those of a [`TestMethod`].
    pub observations: Vec<Range<usize>>,
    /// Case or script of each row, in the order of the data.
    pub of: Vec<TestOrigin>,
}

impl TestRows {
    /// Rows of the first file's data.
    fn of_data(of: Vec<TestOrigin>) -> TestRows {
        TestRows {
            file: 0,
            method: "behaviour".to_owned(),
            lines: 0..0,
            observations: Vec::new(),
            of,
        }
    }
}

/// Case without a test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SkippedCase {
    /// Index in the suite; those of scripts follow those of cases.
    pub case: usize,
    /// Reason, as half a sentence.
    pub reason: String,
}

/// Maximum number of bytecode instructions of a case in a method. The format's limit is 64 KiB,
/// and an instruction with its operands takes three bytes here.
const MAX_WEIGHT: usize = 12_000;
/// Maximum number of bytecode instructions in a class, whose limit is 65,535 constants.
const MAX_CLASS_WEIGHT: usize = 60_000;
/// Maximum number of test methods for inputs made by calls, which can have many lines.
const MAX_CALLS_IN_SOURCE: usize = 1_000;

/// Writes a suite as JUnit test classes.
///
/// # Errors
/// The suite violates its invariant ([`Suite::check`]).
pub fn write_junit(suite: &Suite, options: &JunitOptions) -> Result<JunitOutput, ModelError> {
    suite.check()?;
    let mut skipped = Vec::new();
    let mut cases = Vec::new();
    for (index, case) in suite.cases.iter().enumerate() {
        match build::obstacle(case) {
            Some(reason) => skipped.push(SkippedCase {
                case: index,
                reason,
            }),
            None => cases.push((index, case)),
        }
    }
    let mut scripts = Vec::new();
    for (index, script) in suite.scripts.iter().enumerate() {
        let too_long = || "it is too long for a method".to_owned();
        let is_too_long = script::weight(script) > MAX_WEIGHT;
        match script::obstacle(script).or_else(|| is_too_long.then(too_long)) {
            Some(reason) => skipped.push(SkippedCase {
                case: suite.cases.len() + index,
                reason,
            }),
            None => scripts.push((index, script)),
        }
    }
    let has_failed = |case: &Case| {
        let mut calls = case.calls.iter();
        calls.any(|call| matches!(call.outcome, CallOutcome::Failed(_)))
    };
    let (labelled, others): (Vec<Numbered<'_, Case>>, Vec<Numbered<'_, Case>>) =
        cases.iter().partition(|(_, case)| has_own_method(case));
    let mut plain = others.iter().map(|&(_, case)| case);
    let made = plain.clone().filter(|case| case.construction.is_some());
    let calls = made.map(|case| case.calls.len()).sum::<usize>();
    let is_large = !plain.clone().any(has_failed)
        && (others.len() > options.max_structures_in_source
            || calls > MAX_CALLS_IN_SOURCE
            || plain.any(|case| build::weight(case) > MAX_WEIGHT));
    let target = TestClassTarget::new(suite, options);
    let as_methods = if is_large { labelled } else { cases };
    let max_methods = options.max_methods_per_class.max(1);
    let mut output = behaviour::write(suite, &as_methods, &scripts, &target, max_methods);
    if is_large {
        let number = output.files.len() + 1;
        output.append(write_data(suite, &others, target, number));
    }
    output.skipped = skipped;
    Ok(output)
}

/// Case or script with its index in the suite.
type Numbered<'s, T> = (usize, &'s T);

/// Whether a case stays a method in a large suite, because data cannot represent a label, a call
/// without input, or a constructor.
fn has_own_method(case: &Case) -> bool {
    let is_bare = case.input.objects.is_empty() && case.construction.is_none();
    let mut calls = case.calls.iter();
    let is_special = |call: &Call| !call.label.is_empty() || call.method.is_constructor();
    (is_bare || calls.any(is_special)) && build::weight(case) <= MAX_WEIGHT
}

/// Writes data files with test classes numbered from `number` on. Cases with inputs made by calls
/// go into a file of their own.
fn write_data(
    suite: &Suite,
    cases: &[Numbered<'_, Case>],
    target: TestClassTarget,
    number: usize,
) -> JunitOutput {
    let (by_calls, by_fields): (Vec<Numbered<'_, Case>>, Vec<Numbered<'_, Case>>) = cases
        .iter()
        .partition(|(_, case)| case.construction.is_some());
    let numbered = |number| TestClassTarget {
        class: behaviour::numbered(&target.class, number),
        ..target.clone()
    };
    let mut output = calls_data::write(suite, &by_calls, &numbered(number));
    let second = number + usize::from(!output.files.is_empty());
    output.append(data::write(suite, &by_fields, &numbered(second)));
    output
}

/// Tests of a suite.
#[must_use]
pub fn origins(suite: &Suite) -> Vec<TestOrigin> {
    let cases = suite.cases.iter().enumerate();
    let of_cases = cases.flat_map(|case| tests_of(suite, case));
    let of_scripts = (0..suite.scripts.len()).map(TestOrigin::Script);
    of_cases.chain(of_scripts).collect()
}

/// Tests of a case in a data file: its calls, or the input alone if the suite has an invariant.
fn tests_of(suite: &Suite, (number, case): Numbered<'_, Case>) -> Vec<TestOrigin> {
    if case.calls.is_empty() {
        // Without an invariant there is no assertion about a structure alone.
        let is_alone = suite.invariant.is_some();
        return is_alone
            .then_some(TestOrigin::Case(number, None))
            .into_iter()
            .collect();
    }
    let calls = 0..case.calls.len();
    calls
        .map(|call| TestOrigin::Case(number, Some(call)))
        .collect()
}

impl Default for JunitOptions {
    fn default() -> JunitOptions {
        JunitOptions {
            version: JunitVersion::Five,
            isolation: Isolation::None,
            assertions: AssertionLibrary::Framework,
            has_parameters: true,
            has_throws: false,
            has_that_object: true,
            has_reflection_utils: false,
            release: 17,
            shares_arrangement: true,
            test_class: None,
            package: None,
            max_structures_in_source: 50,
            max_methods_per_class: 500,
            width: lines::WIDTH,
            suppressed: BTreeSet::new(),
            disabled: BTreeMap::new(),
        }
    }
}

impl JunitVersion {
    fn assertions_class(self) -> &'static str {
        match self {
            JunitVersion::Four => "org.junit.Assert",
            JunitVersion::Five => "org.junit.jupiter.api.Assertions",
            JunitVersion::TestNg => "org.testng.Assert",
        }
    }

    fn test_annotation(self) -> &'static str {
        match self {
            JunitVersion::Four => "org.junit.Test",
            JunitVersion::Five => "org.junit.jupiter.api.Test",
            JunitVersion::TestNg => "org.testng.annotations.Test",
        }
    }

    /// Annotation of a method that runs before each test.
    fn before_annotation(self) -> &'static str {
        match self {
            JunitVersion::Four => "org.junit.Before",
            JunitVersion::Five => "org.junit.jupiter.api.BeforeEach",
            JunitVersion::TestNg => "org.testng.annotations.BeforeMethod",
        }
    }

    /// Annotation of a method that runs after each test.
    fn after_annotation(self) -> &'static str {
        match self {
            JunitVersion::Four => "org.junit.After",
            JunitVersion::Five => "org.junit.jupiter.api.AfterEach",
            JunitVersion::TestNg => "org.testng.annotations.AfterMethod",
        }
    }

    /// Modifier, with a space, of members that the test framework accesses.
    fn visibility(self) -> &'static str {
        match self {
            JunitVersion::Four | JunitVersion::TestNg => "public ",
            JunitVersion::Five => "",
        }
    }
}

/// Name and location of a test class.
#[derive(Clone, Debug)]
struct TestClassTarget {
    version: JunitVersion,
    isolation: Isolation,
    assertions: AssertionLibrary,
    has_parameters: bool,
    has_throws: bool,
    has_that_object: bool,
    has_reflection_utils: bool,
    release: u32,
    shares_arrangement: bool,
    width: usize,
    package: String,
    class: String,
    folder: String,
    suppressed: BTreeSet<String>,
    disabled: BTreeMap<TestOrigin, String>,
}

impl TestClassTarget {
    fn new(suite: &Suite, options: &JunitOptions) -> TestClassTarget {
        let package = options.package.clone();
        let package = package.unwrap_or_else(|| package_of(&suite.class_under_test.name));
        let folder = match package.as_str() {
            "" => String::new(),
            package => format!("{}/", package.replace('.', "/")),
        };
        TestClassTarget {
            version: options.version,
            isolation: options.isolation,
            assertions: options.assertions,
            has_parameters: options.has_parameters,
            has_throws: options.has_throws || options.version != JunitVersion::Four,
            has_that_object: options.has_that_object,
            has_reflection_utils: options.has_reflection_utils,
            release: options.release,
            shares_arrangement: options.shares_arrangement,
            width: options.width,
            package,
            class: options
                .test_class
                .clone()
                .unwrap_or_else(|| default_test_class(&suite.class_under_test, "Heapwright")),
            folder,
            suppressed: options.suppressed.clone(),
            disabled: options.disabled.clone(),
        }
    }

    /// Path of a file beside the test class.
    fn path(&self, name: &str) -> String {
        format!("{}{name}", self.folder)
    }
}

/// Default name of a test class: `OuterInnerHeapwrightTest` for `a.b.Outer$Inner` and the kind
/// `Heapwright`. Characters invalid in Java names become `_`.
#[must_use]
pub fn default_test_class(class: &ClassSig, kind: &str) -> String {
    let name = match &class.source_name {
        Some(name) => name
            .strip_prefix(&package_of(&class.name))
            .unwrap_or(name)
            .replace('.', ""),
        None => class.name.rsplit('.').next().unwrap_or_default().to_owned(),
    };
    sayable(&format!("{name}{kind}Test"))
}

/// Annotations of a test class, each on a line.
fn annotations(suite: &Suite, scope: &mut Scope) -> String {
    const PARALLEL: &str = "org.junit.jupiter.api.parallel";
    let isolation = match scope.isolation {
        Isolation::None => String::new(),
        Isolation::SameThread => {
            let execution = scope.import(&format!("{PARALLEL}.Execution"));
            let mode = scope.import(&format!("{PARALLEL}.ExecutionMode"));
            format!("@{execution}({mode}.SAME_THREAD)\n")
        }
        Isolation::Isolated => format!("@{}\n", scope.import(&format!("{PARALLEL}.Isolated"))),
    };
    isolation + &suppressions(suite, scope)
}

/// Annotation for warnings that the tests cannot avoid, as a line of its own; empty if there are
/// none.
fn suppressions(suite: &Suite, scope: &Scope) -> String {
    let mut warnings: BTreeSet<&str> = scope.suppressed.iter().map(String::as_str).collect();
    if scope.uses_raw_types {
        warnings.extend(RAW_WARNINGS);
    }
    if suite.uses_deprecated {
        warnings.extend(["deprecation", "removal"]);
    }
    if warnings.is_empty() {
        return String::new();
    }
    suppress(&warnings.into_iter().collect::<Vec<_>>())
}

/// Warnings that tests with raw types cannot avoid.
const RAW_WARNINGS: [&str; 2] = ["rawtypes", "unchecked"];

fn suppress(warnings: &[&str]) -> String {
    let quoted = warnings.iter().map(|warning| format!("\"{warning}\""));
    let quoted: Vec<String> = quoted.collect();
    format!("@SuppressWarnings({{{}}})\n", quoted.join(", "))
}

/// Name of the class under test for a comment.
fn shown_class(suite: &Suite) -> String {
    literal::ascii(&suite.class_under_test.name)
}
