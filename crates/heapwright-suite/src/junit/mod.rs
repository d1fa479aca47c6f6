//! JUnit 5 and JUnit 4 test classes from a suite.
//!
//! The test of a case rebuilds its structure, asserts the invariant, makes one call, asserts what was
//! observed and the invariant again; that of a script is its statements and what was seen. The sources are pure ASCII, compile under
//! `javac -Xlint:all -Werror --release 17` with JUnit alone, and every case is either in a test or
//! in [`JunitOutput::skipped`].

mod agree;
mod arguments;
mod behaviour;
mod build;
mod call;
mod calls_data;
mod contract;
mod data;
mod names;
mod scope;
mod script;
mod steps;
mod support;

use std::collections::BTreeSet;

use crate::types::package as package_of;
use crate::{Call, Case, ModelError, Outcome, Suite, literal};

use scope::Scope;

/// The JUnit a test class is written for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum JunitVersion {
    /// JUnit 4, any release of it.
    Four,
    /// JUnit 5 (Jupiter); large suites need its `junit-jupiter-params`.
    #[default]
    Five,
}

/// How a suite is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JunitOptions {
    /// The JUnit to write for.
    pub version: JunitVersion,
    /// Simple name of the test class; by default the class under test's with `HeapwrightTest`.
    pub test_class: Option<String>,
    /// The package of the tests; by default the class under test's. No test can be in one of the JDK's.
    pub package: Option<String>,
    /// With more structures than this, one parameterised test over a data file is written.
    pub max_structures_in_source: usize,
    /// Test methods a class; further ones go to `…2Test`, `…3Test`.
    pub max_methods_per_class: usize,
}

/// A file to be written, relative to the root of the test sources or resources.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextFile {
    /// With `/` between folders: `a/b/TreeHeapwrightTest.java`.
    pub path: String,
    /// Whether it belongs to the sources or to the resources.
    pub kind: FileKind,
    /// The whole text, in ASCII, with `\n` at the end of each line.
    pub contents: String,
}

/// Where a file belongs in a project that keeps sources and resources apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FileKind {
    /// `src/test/java`.
    Source,
    /// `src/test/resources`; must be on the class path, beside the compiled test class.
    Resource,
}

/// What became of a suite.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JunitOutput {
    /// The files, test class first.
    pub files: Vec<TextFile>,
    /// How many tests JUnit will find in them.
    pub tests: usize,
    /// The cases that no test on a plain JDK can make.
    pub skipped: Vec<SkippedCase>,
}

/// A case that is in no test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SkippedCase {
    /// Its index in the suite; scripts count on after the cases.
    pub case: usize,
    /// Why, as half a sentence.
    pub reason: String,
}

/// The most bytecode instructions a case may take in a method; the format's limit is 64 KiB,
/// and an instruction with its operands takes three bytes here.
const MAX_WEIGHT: usize = 12_000;
/// The same for a class, whose limit is 65,535 constants.
const MAX_CLASS_WEIGHT: usize = 60_000;
/// The most tests that are methods of their own if calls make their inputs, which can be many lines.
const MAX_CALLS_IN_SOURCE: usize = 1_000;

/// Writes a suite as JUnit test classes.
///
/// # Errors
/// If the suite breaks its own invariant ([`Suite::check`]).
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
            None => cases.push(case),
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
            None => scripts.push(script),
        }
    }
    let has_failed = |case: &&Case| {
        let mut calls = case.calls.iter();
        calls.any(|call| matches!(call.outcome, Outcome::Failed(_)))
    };
    let (labelled, others): (Vec<&Case>, Vec<&Case>) =
        cases.iter().partition(|case| has_own_method(case));
    let made = others.iter().filter(|case| case.made_by.is_some());
    let is_large = !others.iter().any(has_failed)
        && (others.len() > options.max_structures_in_source
            || made.map(|case| case.calls.len()).sum::<usize>() > MAX_CALLS_IN_SOURCE
            || others.iter().any(|case| build::weight(case) > MAX_WEIGHT));
    let target = Target::new(suite, options);
    let as_methods = if is_large { labelled } else { cases };
    let max_methods = options.max_methods_per_class.max(1);
    let (mut files, mut tests) =
        behaviour::write(suite, &as_methods, &scripts, &target, max_methods);
    if is_large {
        let (further, more) = write_data(suite, &others, target, files.len() + 1);
        files.extend(further);
        tests += more;
    }
    Ok(JunitOutput {
        files,
        tests,
        skipped,
    })
}

/// Whether a case stays a method in a large suite: data has no room for a label, for a call on nothing,
/// or for a constructor.
fn has_own_method(case: &Case) -> bool {
    let is_bare = case.input.objects.is_empty() && case.made_by.is_none();
    let mut calls = case.calls.iter();
    let is_special = |call: &Call| !call.label.is_empty() || call.method.is_constructor();
    (is_bare || calls.any(is_special)) && build::weight(case) <= MAX_WEIGHT
}

/// Writes data files, their test classes numbered from `number` on: those whose input calls make go into
/// one of their own.
fn write_data(
    suite: &Suite,
    cases: &[&Case],
    target: Target,
    number: usize,
) -> (Vec<TextFile>, usize) {
    let (by_calls, by_fields): (Vec<&Case>, Vec<&Case>) =
        cases.iter().partition(|case| case.made_by.is_some());
    let numbered = |number| Target {
        class: behaviour::numbered(&target.class, number),
        ..target.clone()
    };
    let (mut files, mut tests) = calls_data::write(suite, &by_calls, &numbered(number));
    let second = number + usize::from(!files.is_empty());
    let (further, more) = data::write(suite, &by_fields, &numbered(second));
    files.extend(further);
    tests += more;
    (files, tests)
}

impl Default for JunitOptions {
    fn default() -> JunitOptions {
        JunitOptions {
            version: JunitVersion::Five,
            test_class: None,
            package: None,
            max_structures_in_source: 50,
            max_methods_per_class: 500,
        }
    }
}

impl JunitVersion {
    fn assertions_class(self) -> &'static str {
        match self {
            JunitVersion::Four => "org.junit.Assert",
            JunitVersion::Five => "org.junit.jupiter.api.Assertions",
        }
    }

    fn test_annotation(self) -> &'static str {
        match self {
            JunitVersion::Four => "org.junit.Test",
            JunitVersion::Five => "org.junit.jupiter.api.Test",
        }
    }

    /// What marks a method that runs before each test.
    fn before_annotation(self) -> &'static str {
        match self {
            JunitVersion::Four => "org.junit.Before",
            JunitVersion::Five => "org.junit.jupiter.api.BeforeEach",
        }
    }

    /// The modifier, with a space, of what JUnit itself must see.
    fn visibility(self) -> &'static str {
        match self {
            JunitVersion::Four => "public ",
            JunitVersion::Five => "",
        }
    }
}

/// The name and place of a test class.
#[derive(Clone, Debug)]
struct Target {
    version: JunitVersion,
    package: String,
    class: String,
    folder: String,
}

impl Target {
    fn new(suite: &Suite, options: &JunitOptions) -> Target {
        let package = options.package.clone();
        let package = package.unwrap_or_else(|| package_of(&suite.class_under_test.name));
        let folder = match package.as_str() {
            "" => String::new(),
            package => format!("{}/", package.replace('.', "/")),
        };
        Target {
            version: options.version,
            package,
            class: options
                .test_class
                .clone()
                .unwrap_or_else(|| default_test_class(suite)),
            folder,
        }
    }

    /// The path of a file beside the test class.
    fn path(&self, name: &str) -> String {
        format!("{}{name}", self.folder)
    }
}

/// `OuterInnerHeapwrightTest` for `a.b.Outer$Inner`.
fn default_test_class(suite: &Suite) -> String {
    let class = &suite.class_under_test;
    let name = match &class.source_name {
        Some(name) => name
            .strip_prefix(&package_of(&class.name))
            .unwrap_or(name)
            .replace('.', ""),
        None => class.name.rsplit('.').next().unwrap_or_default().to_owned(),
    };
    format!("{name}HeapwrightTest")
}

/// The annotation for warnings that the tests cannot avoid, as its own line; empty if there are
/// none.
fn suppressions(suite: &Suite, scope: &Scope) -> String {
    let mut warnings = BTreeSet::new();
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

/// What tests with raw types cannot avoid.
const RAW_WARNINGS: [&str; 2] = ["rawtypes", "unchecked"];

fn suppress(warnings: &[&str]) -> String {
    let quoted = warnings.iter().map(|warning| format!("\"{warning}\""));
    let quoted: Vec<String> = quoted.collect();
    format!("@SuppressWarnings({{{}}})\n", quoted.join(", "))
}

/// The name of the class under test as a comment can show it.
fn shown_class(suite: &Suite) -> String {
    literal::ascii(&suite.class_under_test.name)
}
