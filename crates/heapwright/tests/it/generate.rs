//! `generate`: suites that hold on a real JVM, whose mutants are PIT's, noticed where PIT says so.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use heapwright_testkit::coverage::coverage;
use heapwright_testkit::fixtures::{self, Fixture, compile, files};
use heapwright_testkit::jdk::{compilers, jdks};
use heapwright_testkit::junit;
use heapwright_testkit::mutation_by_pit::mutants;
use serde_json::Value;
use tempfile::TempDir;

use crate::common::{program, summary_of};

/// Compiled fixtures, with the lines of mutants.
fn classes() -> &'static Path {
    static CLASSES: OnceLock<PathBuf> = OnceLock::new();
    CLASSES.get_or_init(|| {
        Fixture::new(&["-g", "-nowarn", "--release", "17"])
            .package("sequences")
            .classes()
    })
}

/// Generates tests for a class into a folder; returns the summary.
fn generate(class: &str, folder: &Path) -> Value {
    let output = program()
        .args(["generate", "--no-config", "--json", "-c", class, "-p"])
        .arg(classes())
        .args(["--jdk", jdks()[0].home.to_str().unwrap(), "-o"])
        .arg(folder)
        .output()
        .unwrap();
    summary_of(&output)
}

/// Generates tests for a class; returns the numbers of goals covered and in all, and of mutants
/// killed and in all.
fn reached_in(class: &str) -> [u64; 4] {
    let folder = tempfile::tempdir().unwrap();
    let summary = generate(class, folder.path());
    let keys = ["goals_covered", "goals_total", "killed", "mutants"];
    keys.map(|key| number(&summary, key))
}

/// The object that a statement makes may have another class with another value, which a statement
/// behind it cannot take.
#[test]
fn statements_take_objects_of_their_types_only() {
    assert_eq!(reached_in("sequences.Paper"), [6, 6, 9, 9]);
}

/// The receiver of a static method that makes no object of the class is none that has the invariant.
#[test]
#[ignore = "long"]
fn an_invariant_is_asked_of_objects_of_its_class_only() {
    let folder = tempfile::tempdir().unwrap();
    let output = program()
        .args(["generate", "--no-config", "--json", "--max-paths", "30"])
        .args(["-c", "fixtures.list.DoublyLinkedList", "-p"])
        .arg(fixtures::classes())
        .args(["--jdk", jdks()[0].home.to_str().unwrap(), "-o"])
        .arg(folder.path())
        .output()
        .unwrap();
    let summary = summary_of(&output);
    assert_eq!(number(&summary, "goals_covered"), 8, "{summary}");
}

/// Names of PIT's operators, as options and as classes.
const OPERATORS: [(&str, &str); 11] = [
    ("CONDITIONALS_BOUNDARY", "ConditionalsBoundary"),
    ("NEGATE_CONDITIONALS", "NegateConditionals"),
    ("MATH", "Math"),
    ("INCREMENTS", "Increments"),
    ("INVERT_NEGS", "InvertNegs"),
    ("VOID_METHOD_CALLS", "VoidMethodCall"),
    ("EMPTY_RETURNS", "EmptyObjectReturnVals"),
    ("FALSE_RETURNS", "BooleanFalseReturnVals"),
    ("TRUE_RETURNS", "BooleanTrueReturnVals"),
    ("NULL_RETURNS", "NullReturnVals"),
    ("PRIMITIVE_RETURNS", "PrimitiveReturns"),
];

/// Number of mutants by class, method, line and operator.
type Counts = BTreeMap<(String, String, u32, String), usize>;

const CLASSES: [&str; 15] = [
    "IntStack",
    "BinSearchTree",
    "LinkedList",
    "HeapArray",
    "Bmi",
    "Gcd",
    "Boundaries",
    "Grades",
    "Calculation",
    "CoinBox",
    "TemperatureMonitor",
    "Luhn",
    "Polygon",
    "Notation",
    "Bookcase",
];

/// Generated suites of all classes, and their summaries.
struct Suites {
    _folder: TempDir,
    /// The compiled tests.
    built: PathBuf,
    summaries: BTreeMap<String, Value>,
}

fn suites() -> &'static Suites {
    static SUITES: OnceLock<Suites> = OnceLock::new();
    SUITES.get_or_init(|| {
        let folder = tempfile::tempdir().unwrap();
        let (source, built) = (folder.path().join("source"), folder.path().join("built"));
        let classes_of = CLASSES.map(|class| format!("sequences.{class}"));
        let summaries = classes_of.map(|class| {
            let summary = generate(&class, &source);
            assert_eq!(summary["verified"], true, "{summary}");
            (class, summary)
        });
        let jars = junit::jars();
        let path = [
            jars.console,
            jars.junit4,
            jars.hamcrest,
            classes().to_owned(),
        ];
        compile(
            &compilers()[0],
            &files(&source, "java"),
            &path,
            &built,
            &["--release", "17"],
        );
        Suites {
            _folder: folder,
            built,
            summaries: BTreeMap::from(summaries),
        }
    })
}

/// What a summary says of a number.
fn number(summary: &Value, key: &str) -> u64 {
    summary[key].as_u64().unwrap()
}

/// The mutants are those of PIT, and those that no test notices survive there.
#[test]
#[ignore = "servers: PIT"]
fn mutants_are_those_of_pit() {
    let suites = suites();
    let (mut total, mut alive) = (BTreeMap::new(), Counts::new());
    for (class, summary) in &suites.summaries {
        total.insert(class.clone(), number(summary, "mutants"));
        for mutant in summary["mutants_alive"].as_array().unwrap() {
            let text = |key: &str| mutant[key].as_str().unwrap().to_owned();
            let named = OPERATORS
                .iter()
                .find(|(name, _)| mutant["operator"] == *name);
            let line = mutant["line"].as_u64().unwrap() as u32;
            let operator = named.unwrap().1.to_owned();
            let key = (text("class"), text("method"), line, operator);
            *alive.entry(key).or_default() += 1;
        }
    }
    let patterns = CLASSES.map(|class| format!("sequences.{class},sequences.{class}$*"));
    let (mut total_of_pit, mut alive_of_pit) = (BTreeMap::new(), Counts::new());
    for mutant in mutants(&compilers()[0], classes(), &suites.built, &patterns, None) {
        let outer = mutant.class.split('$').next().unwrap().to_owned();
        *total_of_pit.entry(outer).or_default() += 1;
        if !mutant.is_killed {
            let key = (mutant.class, mutant.method, mutant.line, mutant.operator);
            *alive_of_pit.entry(key).or_default() += 1;
        }
    }
    assert_eq!(total, total_of_pit);
    assert_eq!(alive, alive_of_pit);
}

/// Branches that observers or earlier statements of tests take count as covered: they are.
#[test]
#[ignore = "long"]
fn jacoco_misses_no_branch_that_counts_as_covered() {
    let suites = suites();
    let included = |class: &str| {
        let outer = class.split('$').next().unwrap_or_default();
        suites.summaries.contains_key(outer)
    };
    let of_jacoco = coverage(&compilers()[0], classes(), &suites.built, &[], included);
    let mut missed: BTreeMap<&str, u64> = BTreeMap::new();
    for (class, of) in &of_jacoco.classes {
        let outer = class.split('$').next().unwrap_or_default();
        let branches = of.counters.branches;
        *missed.entry(outer).or_default() += u64::from(branches.total - branches.covered);
    }
    for (class, summary) in &suites.summaries {
        let left = number(summary, "branches_total") - number(summary, "branches_covered");
        assert_eq!(missed[&**class], left, "{class}: {missed:?}, {summary}");
    }
    let all: u64 = suites
        .summaries
        .values()
        .map(|of| number(of, "branches_covered"))
        .sum();
    assert!(all > 150, "{all} branches covered");
}

/// Accessors and questions have no tests of their own where other tests ask them.
#[test]
fn accessors_have_no_tests_of_their_own() {
    let folder = tempfile::tempdir().unwrap();
    let summary = generate("sequences.Postings", folder.path());
    let all = ["branches_covered", "branches_total", "killed", "mutants"];
    let all = all.map(|key| number(&summary, key));
    assert_eq!((all[0], all[2]), (all[1], all[3]), "{summary}");
    let written = files(folder.path(), "java");
    let text = std::fs::read_to_string(&written[0]).unwrap();
    let tested: Vec<&str> = text
        .lines()
        .filter_map(|line| line.trim().strip_prefix("void "))
        .collect();
    assert_eq!(tested.len() as u64, number(&summary, "tests"), "{text}");
    let is_of_post = |name: &&str| name.starts_with("post_");
    assert!(tested.iter().all(is_of_post), "{text}");
}

/// What was read from a text is asked for by words of the text.
#[test]
#[ignore = "long"]
fn observers_are_asked_with_words_of_texts() {
    assert_eq!(reached_in("sequences.Glossary"), [5, 5, 5, 5]);
}

/// Code that asks whether an object is an `Integer` gets others, too.
#[test]
fn arguments_of_any_type_are_not_only_what_the_code_asks_for() {
    assert_eq!(reached_in("sequences.Gatekeeper"), [5, 5, 5, 5]);
}

/// Code of private classes, anonymous classes and lambdas is called through what methods return.
#[test]
#[ignore = "long"]
fn code_that_tests_cannot_name_is_called() {
    let folder = tempfile::tempdir().unwrap();
    let summary = generate("sequences.Bookcase", folder.path());
    let all = ["goals_covered", "goals_infeasible", "goals_total"];
    let all = all.map(|key| number(&summary, key));
    // No cursor is of the abstract class itself.
    assert_eq!(all, [30, 1, 31], "{summary}");
    let alive = summary["mutants_alive"].as_array().unwrap();
    let alive = alive
        .iter()
        .map(|mutant| mutant["method"].as_str().unwrap());
    assert_eq!(alive.collect::<Vec<_>>(), ["widen", "starts"], "{summary}");
    let text = std::fs::read_to_string(&files(folder.path(), "java")[0]).unwrap();
    assert!(!text.contains("getClass"), "{text}");
}

/// Other code holds an object of a hidden class by an interface that no result names: what no test
/// calls is not infeasible for that.
#[test]
fn code_that_other_types_lead_to_is_not_infeasible() {
    let folder = tempfile::tempdir().unwrap();
    let summary = generate("sequences.Kiln", folder.path());
    assert_eq!(number(&summary, "branches_infeasible"), 0, "{summary}");
}
