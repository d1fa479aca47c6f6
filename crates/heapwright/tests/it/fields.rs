//! `heapwright fields`: comparison with all structures, what is shown and written, and messages on
//! bad input.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;
use std::sync::OnceLock;

use expect_test::expect;
use heapwright_testkit::fixtures::{Fixture, compile, files, without_seconds};
use heapwright_testkit::jdk::{compilers, jdks};
use heapwright_testkit::junit;
use serde_json::Value;

use crate::common::{program, summary_of, text, with_enough_time};

/// The fixtures of the package `fields`.
fn classes() -> &'static Path {
    static CLASSES: OnceLock<PathBuf> = OnceLock::new();
    CLASSES.get_or_init(|| {
        let fixture = Fixture::new(&["-g", "-nowarn", "--release", "17"]);
        fixture.package("fields").classes()
    })
}

fn heapwright(verb: &str, class: &str, arguments: &[&str]) -> Output {
    program()
        .args([
            verb,
            "--no-config",
            "--junit-check",
            "none",
            "-c",
            class,
            "-p",
        ])
        .arg(classes())
        .args(["--jdk", jdks()[0].home.to_str().unwrap()])
        .args(arguments)
        .output()
        .unwrap()
}

fn summary(class: &str, arguments: &[&str]) -> Value {
    let output = heapwright("fields", class, &[arguments, &["--json"]].concat());
    summary_of(&output)
}

/// Temporary file with some text.
fn file(text: &str) -> tempfile::NamedTempFile {
    let file = tempfile::NamedTempFile::new().unwrap();
    fs::write(file.path(), text).unwrap();
    file
}

/// The pairs of a suite are those of all structures that Korat's search finds.
#[test]
fn all_pairs_of_all_structures_are_covered() {
    for (class, scope) in [
        ("fields.SortedList", "6"),
        ("fields.SearchTree", "5"),
        ("fields.TreeSet", "5"),
        ("fields.AvlTree", "5"),
        ("fields.BinomialHeap", "4"),
        ("fields.Odd$Unread", "3"),
        ("fields.Odd$Mixed", "2"),
    ] {
        let arguments = ["--scope", scope, "--format", "jsonl"];
        let all = heapwright("enumerate", class, &arguments);
        assert_eq!(all.status.code(), Some(0), "{}", text(&all.stderr));
        let structures = file(&text(&all.stdout));
        let path = structures.path().to_str().unwrap();
        let measured = summary(class, &["--measure", path, "--scope", scope]);
        let missing = measured["missing"].as_array().unwrap();
        assert!(missing.is_empty(), "{class}: {missing:?}");
        assert!(measured["wanted"].as_u64().unwrap() > 0, "{class}");
        assert_eq!(measured["others"], 0, "{class}: {measured}");
        let named = "other values than null of fields that the invariant does not name: spare";
        let left_out = measured["without"].as_array().unwrap();
        let is_named = left_out.iter().any(|one| one == named);
        assert_eq!(
            is_named,
            class == "fields.Odd$Unread",
            "{class}: {measured}"
        );
        // The same holds for the pairs of the suite, by definition.
        let suite = heapwright("fields", class, &arguments);
        let structures = file(&text(&suite.stdout));
        let path = structures.path().to_str().unwrap();
        let measured = summary(class, &["--measure", path, "--scope", scope]);
        assert_eq!(measured["covered"], measured["wanted"], "{class}");
    }
}

#[test]
fn suites_are_shown() {
    let output = heapwright(
        "fields",
        "fields.SearchTree",
        &["--scope", "2", "--format", "text"],
    );
    expect![[r#"
        SearchTree{}
        SearchTree{root: Node{value: 0}}
        SearchTree{root: Node{value: 1, left: Node{value: 0}}}
        SearchTree{root: Node{value: 0, right: Node{value: 1}}}
    "#]]
    .assert_eq(&text(&output.stdout));
    expect![[r#"
        scope 1: 2 structures in … s; left 1, right 1, root 2; 2 of 4 paths valid
        scope 2: 4 structures in … s; left 3, right 3, root 2; 4 of 13 paths valid
        … s; complete"#]]
    .assert_eq(&without_seconds(&text(&output.stderr)));
}

#[test]
fn pairs_can_be_asked_for() {
    let wanted = file("# two\nleft: Node0 -> Node1\n\nright: Node1 -> Node2\n");
    let wanted = wanted.path().to_str().unwrap();
    let found = summary("fields.SearchTree", &["--scope", "5", "--pairs", wanted]);
    assert_eq!(found["suite_size"], 2);
    assert_eq!(found["scopes"][2]["stopped_by"], "pairs");
    assert_eq!(found["missing"].as_array().unwrap().len(), 0);
    let none = file("left: Node0 -> Node0\nleft: Node0 -> null");
    let none = none.path().to_str().unwrap();
    let output = heapwright(
        "fields",
        "fields.SearchTree",
        &["--scope", "2", "--pairs", none],
    );
    expect![[r#"
        scope 1: 1 structure in … s; left 1, right 0, root 0; 2 of 4 paths valid
        scope 2: 1 structure in … s; left 1, right 0, root 0; 4 of 13 paths valid
        … s; complete
        heapwright: 1 pair in no structure within scope 2, as left: Node0 -> Node0"#]]
    .assert_eq(&without_seconds(&format!(
        "{}{}",
        text(&output.stdout),
        text(&output.stderr)
    )));
}

#[test]
fn a_plot_is_drawn() {
    let folder = tempfile::tempdir().unwrap();
    let plot = folder.path().join("plot.svg");
    let arguments = ["--scope", "7", "--estimate", "size", "--plot"];
    let arguments = [&arguments[..], &[plot.to_str().unwrap()]].concat();
    let output = heapwright("fields", "fields.SearchTree", &arguments);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let svg = fs::read_to_string(plot).unwrap();
    for part in ["left 17 of 17", "right 20 of 20", "stroke-dasharray"] {
        assert!(svg.contains(part), "{part}: {svg}");
    }
}

/// The tests of a suite compile without a warning and pass on real JVMs, with inputs built by
/// calls.
#[test]
fn tests_pass() {
    for class in [
        "SearchTree",
        "TreeSet",
        "AvlTree",
        "BinomialHeap",
        "SortedList",
    ] {
        let folder = tempfile::tempdir().unwrap();
        let source = folder.path().join("source");
        let arguments = [
            "--scope",
            "4",
            "--format",
            "junit",
            "-m",
            "insert",
            "-m",
            "remove",
            "-m",
            "contains",
            "-o",
            source.to_str().unwrap(),
        ];
        let summary = summary(&format!("fields.{class}"), &arguments);
        let (suite, tests) = (&summary["suite_size"], summary["tests"].as_u64().unwrap());
        assert_eq!(
            &summary["prefer_api"]["inputs"], suite,
            "{class}: {summary}"
        );
        assert!(
            summary["prefer_api"]["by_calls"].as_u64() > Some(0),
            "{class}: {summary}"
        );
        let built = folder.path().join("built");
        let jars = junit::jars();
        let class_path = [jars.console, classes().to_owned()];
        let options = ["-Xlint:all", "-Werror", "--release", "17"];
        let sources = files(&source, "java");
        compile(&compilers()[0], &sources, &class_path, &built, &options);
        for resource in files(&source, "txt") {
            let to = built.join(resource.strip_prefix(&source).unwrap());
            fs::create_dir_all(to.parent().unwrap()).unwrap();
            fs::copy(&resource, to).unwrap();
        }
        for jdk in jdks() {
            let java = jdk.home.join("bin/java");
            let classes = [classes().to_owned()];
            let report = junit::run_console_with(&java, std::slice::from_ref(&built), &classes);
            let counts = (report.found as u64, report.succeeded as u64);
            assert_eq!(counts, (tests, tests), "{class}: {}", report.output);
        }
    }
}

/// Checks that a wrong or interrupted request ends with one message that contains all of `parts`.
fn says(class: &str, arguments: &[&str], status: i32, parts: &[&str]) {
    let output = heapwright("fields", class, arguments);
    let err = text(&output.stderr);
    assert_eq!(
        output.status.code(),
        Some(status),
        "{class} {arguments:?}: {err}"
    );
    for part in parts {
        assert!(err.contains(part), "{part:?} is not in {err:?}");
    }
    assert!(!err.contains("panicked"), "{err}");
}

#[test]
fn bad_input_is_named() {
    let tree = "fields.SearchTree";
    says("fields.Odd$Plain", &[], 2, &["has no invariant", "repOK"]);
    let none = ["--invariant", "none"];
    says("fields.Odd$Plain", &none, 2, &["what an invariant accepts"]);
    says(
        "fields.Odd$Missing",
        &[],
        2,
        &["fields.Odd$Missing not found"],
    );
    says("fields.Odd$Never", &[], 4, &[]);
    says(
        "fields.Odd$Unread",
        &["--scope", "3"],
        0,
        &["never reads spare"],
    );
    says(
        "fields.Odd$Throwing",
        &["--scope", "2"],
        0,
        &["NullPointerException"],
    );
    says(
        "fields.Odd$Endless",
        &["--scope", "1", "--loop-k", "5"],
        0,
        &["--loop-k"],
    );
    // A default bound makes the claim partial.
    says("fields.Odd$Endless", &["--scope", "1"], 3, &["--loop-k"]);
    says(
        "fields.Odd$Deep",
        &["--scope", "1", "--loop-k", "5"],
        0,
        &["--loop-k"],
    );
    says(
        "fields.Odd$Endless",
        &["--scope", "1", "--max-steps", "100"],
        3,
        &["--max-steps"],
    );
    let hard = ["--scope", "2", "--solver-work", "100"];
    says("fields.Odd$Hard", &hard, 3, &["--solver-work"]);
    let limited = ["--scope", "12", "--time-limit", "200ms"];
    says(tree, &limited, 3, &[]);
    says(tree, &["--scope", "0"], 2, &["--scope"]);
    says(tree, &["--format", "junit"], 2, &["-o"]);
    says(tree, &["--format", "jsonl", "--json"], 2, &["-o"]);
    says(tree, &["-o", "x"], 2, &["--format"]);
    let junit = ["--format", "junit", "-o", "x", "-m", "shake"];
    says(tree, &junit, 2, &["no method shake", "insert(int)"]);
    let few = ["--estimate", "size", "--small-scope", "2", "--scope", "4"];
    says(tree, &few, 2, &["average", "at least 3", "2"]);
    let far = [
        "--estimate",
        "size",
        "--regression",
        "exponential",
        "--small-scope",
        "3",
        "--scope",
        "1000",
    ];
    says(tree, &far, 2, &["scope", "past"]);
    let run = |limit: &str| {
        let far = [
            "--estimate",
            "time",
            "--regression",
            "exponential",
            "--scope",
            "900",
            "--time-limit",
            limit,
        ];
        heapwright("fields", tree, &far)
    };
    let is_estimated = |output: &Output| text(&output.stderr).contains("searched whole");
    let output = with_enough_time(2_000, run, is_estimated);
    assert_eq!(output.status.code(), Some(3), "{output:?}");
    let said = text(&output.stderr);
    assert!(
        said.contains("past all numbers") && said.contains("searched whole"),
        "{said}"
    );
    says(
        tree,
        &["--estimate", "size", "--scope", "3"],
        0,
        &["nothing is estimated"],
    );
}

#[test]
fn bad_files_are_named() {
    let tree = "fields.SearchTree";
    let with = |option: &str, content: &str, parts: &[&str]| {
        let file = file(content);
        let path = file.path().to_str().unwrap();
        says(tree, &[option, path], 2, &[parts, &[path]].concat());
    };
    says(tree, &["--pairs", "nowhere"], 2, &["nowhere"]);
    with("--pairs", "left: Node0", &[":1", "left: Node0 -> Node1"]);
    with("--pairs", "\n", &["no pairs"]);
    with("--measure", "{}", &[":1", "no list of objects"]);
    with("--measure", "\nno", &[":2", "not JSON"]);
    let other = r#"{"objects":[{"class":"a.B","fields":{}}]}"#;
    with("--measure", other, &[":1", "a.B", "fields.SearchTree"]);
    let dangling = r#"{"objects":[{"class":"fields.SearchTree","fields":{"root":{"ref":7}}}]}"#;
    with("--measure", dangling, &[":1", "7"]);
    let unknown = file("top: Node0 -> null");
    let path = unknown.path().to_str().unwrap();
    says(
        tree,
        &["--pairs", path],
        2,
        &["no reference field top", "left, right, root"],
    );
}
