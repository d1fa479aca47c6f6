//! Quality of suites whose structures a policy selects: branches and mutants of the methods under
//! test, by subjects of the papers on Korat+ and on field coverage.
//!
//! Invariant: the suites of a subject differ in their structures alone. They make the same calls on
//! each, and are judged by the same branches and mutants.

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::fixtures::{Fixture, api, compile, files};
use crate::jdk::Jdk;
use crate::junit::{jars, join};

/// Class whose structures are selected, with the methods under test.
#[derive(Clone, Copy, Debug)]
pub struct Subject {
    /// Binary name.
    pub class: &'static str,
    /// Folder of its sources in `fixtures/src`.
    package: &'static str,
    /// Verb that selects structures and writes tests of them.
    verb: &'static str,
    /// Option of the verb that names a method which tests call.
    option: &'static str,
    /// Methods that tests call.
    called: &'static [&'static str],
    /// Methods that these call, which are under test, too.
    helpers: &'static [&'static str],
    /// Method that shows the state after a call, if the result does not say all.
    question: Option<&'static str>,
}

/// Policy of selection, with its name in the tables and its options.
pub type Policy = (&'static str, &'static [&'static str]);

/// Subjects of the paper on Korat+, each with its criterion.
pub const KORAT_PLUS: [(Subject, &str); 3] = [
    (
        Subject {
            called: &["isSet"],
            helpers: &["toSet"],
            question: None,
            ..of_korat("fixtures.koratplus.ListToSet")
        },
        "eqClass",
    ),
    (
        Subject {
            called: &["merge"],
            helpers: &["united", "inOrder", "link"],
            ..of_korat("fixtures.koratplus.HeapMerge")
        },
        "eqClass",
    ),
    (of_korat("fixtures.koratplus.TreeDelete"), "position"),
];

/// Subjects of the paper on field coverage.
pub const FIELDS: [Subject; 5] = [
    of_fields("fields.SortedList", &[]),
    of_fields("fields.SearchTree", &[]),
    of_fields(
        "fields.TreeSet",
        &[
            "recolored",
            "found",
            "lighten",
            "isBlack",
            "turn",
            "replace",
        ],
    ),
    of_fields(
        "fields.AvlTree",
        &[
            "inserted",
            "removed",
            "balanced",
            "turnedRight",
            "turnedLeft",
            "measure",
            "height",
        ],
    ),
    of_fields(
        "fields.BinomialHeap",
        &["find", "removeRoot", "united", "link", "merged"],
    ),
];

/// Policies of the paper on field coverage: all pairs, and its estimates of sizes and times.
pub const FIELDS_POLICIES: [Policy; 7] = [
    ("fet", &[]),
    (
        "size, linear",
        &["--estimate", "size", "--regression", "linear"],
    ),
    (
        "size, average",
        &["--estimate", "size", "--regression", "average"],
    ),
    (
        "size, quadratic",
        &["--estimate", "size", "--regression", "quadratic"],
    ),
    (
        "time, quadratic",
        &["--estimate", "time", "--regression", "quadratic"],
    ),
    (
        "time, average",
        &["--estimate", "time", "--regression", "average"],
    ),
    (
        "time, exponential",
        &["--estimate", "time", "--regression", "exponential"],
    ),
];

const fn of_korat(class: &'static str) -> Subject {
    Subject {
        class,
        package: "fixtures/koratplus",
        verb: "enumerate",
        option: "--call",
        called: &["delete"],
        helpers: &[],
        question: Some("keys"),
    }
}

const fn of_fields(class: &'static str, helpers: &'static [&'static str]) -> Subject {
    Subject {
        class,
        package: "fields",
        verb: "fields",
        option: "--method",
        called: &["insert", "remove", "contains"],
        helpers,
        question: Some("elements"),
    }
}

/// What a suite covers and notices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Quality {
    /// Number of structures.
    pub structures: u64,
    /// Number of tests.
    pub tests: u64,
    /// Number of mutants.
    pub mutants: u64,
    /// Mutants that no test notices.
    pub alive: u64,
    /// Branches that tests take.
    pub covered: u64,
    /// Number of branches.
    pub branches: u64,
}

/// Program that writes suites and judges them.
#[derive(Clone, Debug)]
pub struct QualityJudge {
    /// The `heapwright` program.
    pub program: PathBuf,
    /// JDK that compiles and runs everything.
    pub jdk: Jdk,
    /// Value of `--mutants`.
    pub operators: String,
    /// Whether tests are tried on a real JVM before they are written.
    pub is_checked: bool,
}

impl Subject {
    /// Options of a policy by equivalence classes in Korat's order: all structures, Korat's pruning
    /// by a criterion, or the first structure of each class.
    #[must_use]
    pub fn korat_policies(criterion: &str) -> [(&'static str, Vec<&str>); 3] {
        let korat = ["--search", "korat"];
        let pruned = ["--search", "korat", "--eq-class", criterion];
        [
            ("Korat", korat.to_vec()),
            ("Korat+", pruned.to_vec()),
            (
                "one per class",
                [&pruned[..], &["--one-per-class"]].concat(),
            ),
        ]
    }

    /// Simple name.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.class.rsplit('.').next().unwrap_or(self.class)
    }

    fn classes(&self) -> PathBuf {
        let fixture = Fixture::new(&["-g", "-nowarn", "--release", "17"]);
        fixture.against(&api()).package(self.package).classes()
    }
}

impl QualityJudge {
    /// Writes the suite of the structures that options select, and judges it.
    ///
    /// # Panics
    /// The program does not end with the suite, javac refuses it, or one of its tests fails.
    #[must_use]
    pub fn quality(&self, subject: &Subject, options: &[&str]) -> Quality {
        let folder = tempfile::tempdir().expect("a folder that can be written");
        let (sources, compiled) = (folder.path().join("sources"), folder.path().join("classes"));
        let classes = subject.classes();
        let written = self.suite(subject, options, &classes, &sources);
        let junit = jars();
        let class_path = [classes, api(), junit.console];
        compile(
            &self.jdk,
            &files(&sources, "java"),
            &class_path,
            &compiled,
            &["-nowarn"],
        );
        for data in files(&sources, "txt") {
            let to = compiled.join(data.strip_prefix(&sources).unwrap_or(&data));
            fs::copy(&data, to).expect("a folder that can be written");
        }
        let mut measure = self.verb("measure", subject, &class_path);
        for method in subject.called.iter().chain(subject.helpers) {
            measure.args(["--method", method]);
        }
        // The test that reads all structures of a large suite is long.
        measure.args(["--max-steps", "1000000000000"]);
        measure
            .args(["--mutants", &self.operators, "--tests"])
            .arg(&compiled);
        let measured = summary(measure);
        let count =
            |of: &Value, key: &str| of[key].as_u64().unwrap_or_else(|| panic!("{key}: {of}"));
        Quality {
            structures: count(
                &written,
                match subject.verb {
                    "fields" => "suite_size",
                    _ => "tests",
                },
            ),
            tests: count(&measured, "tests_passed"),
            mutants: count(&measured, "mutants"),
            alive: count(&measured, "mutants") - count(&measured, "killed"),
            covered: count(&measured, "branches_covered"),
            branches: count(&measured, "branches_total"),
        }
    }

    /// Writes a suite; returns the summary.
    fn suite(&self, subject: &Subject, options: &[&str], classes: &Path, to: &Path) -> Value {
        let mut command = self.verb(subject.verb, subject, &[classes.to_owned()]);
        command.args(options);
        for method in subject.called {
            command.args([subject.option, method]);
        }
        if let Some(question) = subject.question {
            command.args(["--observe", question]);
        }
        if !self.is_checked {
            command.args(["--junit-check", "none"]);
        }
        command.args(["--max-tests", "1000000", "--format", "junit", "-o"]);
        command.arg(to);
        summary(command)
    }

    fn verb(&self, verb: &str, subject: &Subject, class_path: &[PathBuf]) -> Command {
        let mut command = Command::new(&self.program);
        command.args([verb, "--no-config", "--json", "-c", subject.class, "-p"]);
        command.arg(join(class_path));
        command.arg("--jdk").arg(&self.jdk.home);
        command
    }
}

/// Runs a verb to its complete end; returns the summary.
fn summary(mut command: Command) -> Value {
    let output = command
        .output()
        .unwrap_or_else(|error| panic!("failed to start {command:?}: {error}"));
    let summary: Value = serde_json::from_slice(&output.stdout).unwrap_or_default();
    let errors = String::from_utf8_lossy(&output.stderr);
    let failing = &summary["failing"][0];
    let code = output.status.code();
    assert_eq!(code, Some(0), "{command:?}: {errors} {failing}");
    summary
}

impl fmt::Display for Quality {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} structures, {} tests, {} of {} mutants alive, {} of {} branches",
            self.structures, self.tests, self.alive, self.mutants, self.covered, self.branches
        )
    }
}
