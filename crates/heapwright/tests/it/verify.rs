//! `heapwright verify` on the command line: verdicts, properties, bad requests; every counterexample
//! is run on a real JVM, too.

use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};
use std::sync::OnceLock;

use expect_test::{Expect, expect};
use heapwright_testkit::fixtures::{Fixture, verifiers, without_seconds};
use heapwright_testkit::jdk::jdks;
use heapwright_testkit::junit::join;
use serde_json::Value;

use crate::common::{program, sources_of, summary_of, text, without_measures};

/// Exit status of a stand-in to which the inputs do not fit.
const SPURIOUS: i32 = 90;

/// The fixtures of the package `verify`.
pub fn classes() -> &'static str {
    static CLASSES: OnceLock<PathBuf> = OnceLock::new();
    let all = Fixture::new(&["--release", "17", "-g", "-nowarn"])
        .against(&verifiers())
        .package("verify");
    CLASSES.get_or_init(|| all.classes()).to_str().unwrap()
}

/// Command without a class.
fn command(arguments: &[&str]) -> Command {
    let mut command = program();
    command
        .args(["verify", "-p", classes()])
        .args(["--jdk", jdks()[0].home.to_str().unwrap()])
        .args(["--time-limit", "300s"])
        .args(arguments);
    command
}

pub fn verify(arguments: &[&str]) -> Output {
    command(arguments).output().unwrap()
}

/// Runs a request and compares standard output followed by standard error.
pub fn prints(arguments: &[&str], status: i32, expected: &Expect) {
    // One worker: several may end a search of several paths at different times.
    let output = verify(&[&["--jobs", "1"], arguments].concat());
    let err = text(&output.stderr);
    expected.assert_eq(&without_seconds(&format!("{}{err}", text(&output.stdout))));
    assert_eq!(output.status.code(), Some(status), "{err}");
}

pub fn summary(arguments: &[&str]) -> Value {
    summary_of(&verify(&[&["--json"], arguments].concat()))
}

/// Checks that a wrong request ends with one message that contains all of `parts`.
fn refuses(arguments: &[&str], parts: &[&str]) {
    let output = verify(arguments);
    let err = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{err}");
    assert_eq!(text(&output.stdout), "");
    for part in parts {
        assert!(err.contains(part), "{part:?} is not in {err:?}");
    }
    assert!(!err.contains("panicked"), "{err}");
}

/// Inputs of a counterexample, as the stand-in in `tests/verify` reads them.
fn played(violation: &Value) -> String {
    let mut lines = String::new();
    for input in violation["inputs"].as_array().unwrap() {
        let (kind, value) = (input["type"].as_str().unwrap(), &input["value"]);
        let value = match value {
            Value::String(number) if kind == "float" || kind == "double" => number.clone(),
            Value::String(text) => units(text.encode_utf16()),
            Value::Object(chars) => {
                let chars = chars["chars"].as_array().unwrap();
                units(chars.iter().map(|unit| unit.as_u64().unwrap() as u16))
            }
            value => value.to_string(),
        };
        writeln!(lines, "{kind} {value}").unwrap();
    }
    lines
}

fn units(units: impl Iterator<Item = u16>) -> String {
    let units: Vec<String> = units.map(|unit| unit.to_string()).collect();
    units.join(",")
}

/// Runs the main method of a class on a real JVM with the inputs of a counterexample.
fn replayed(class: &str, arguments: &[&str], violation: &Value) -> Output {
    let stand_in = Fixture::new(&["--release", "17"])
        .folder(&sources_of("verify"))
        .classes();
    let folder = tempfile::tempdir().unwrap();
    let inputs = folder.path().join("inputs");
    fs::write(&inputs, played(violation)).unwrap();
    jdks()[0]
        .java()
        .arg("-ea")
        .arg(format!("-Dinputs={}", inputs.display()))
        .arg("-cp")
        .arg(join(&[stand_in, verifiers(), PathBuf::from(classes())]))
        .arg(class)
        .args(arguments)
        .output()
        .unwrap()
}

/// Checks that a program is refuted, and that it ends as told on a real JVM.
pub fn refutes(class: &str, arguments: &[&str], options: &[&str]) -> Value {
    let summary = summary(&[options, &[class], arguments].concat());
    assert_eq!(summary["verdict"], "false", "{summary}");
    let violation = &summary["violation"];
    let run = replayed(class, arguments, violation);
    let err = text(&run.stderr);
    assert_eq!(run.status.code(), Some(1), "{err}");
    let mut expected = format!(
        "Exception in thread \"main\" {}\n",
        violation["what"].as_str().unwrap()
    );
    for place in violation["trace"].as_array().unwrap() {
        let (class, method) = (place["class"].as_str(), place["method"].as_str());
        let method = method.unwrap().split_once('(').unwrap().0;
        let (file, line) = (place["file"].as_str().unwrap(), &place["line"]);
        writeln!(expected, "\tat {}.{method}({file}:{line})", class.unwrap()).unwrap();
    }
    assert_eq!(err, expected);
    summary
}

#[test]
fn a_counterexample_has_an_input_of_each_kind() {
    prints(
        &["verify.Kinds"],
        1,
        &expect![[r#"
            false: assertions
              java.lang.AssertionError: all as expected
                at verify.Kinds.main(java.lang.String[]):20
              true at verify.Kinds.main(java.lang.String[]):8
              -7 at verify.Kinds.main(java.lang.String[]):9
              '"' at verify.Kinds.main(java.lang.String[]):10
              300 at verify.Kinds.main(java.lang.String[]):11
              2000000001 at verify.Kinds.main(java.lang.String[]):12
              8000000004L at verify.Kinds.main(java.lang.String[]):13
              0.5f at verify.Kinds.main(java.lang.String[]):14
              -1.0000000000000002e300 at verify.Kinds.main(java.lang.String[]):15
              "a\"" at verify.Kinds.main(java.lang.String[]):16
            11 paths in 1 search; … s"#]],
    );
}

#[test]
fn json_is_one_object() {
    let mut summary = without_measures(refutes("verify.Kinds", &[], &[]));
    summary["version"].take();
    let text = serde_json::to_string_pretty(&summary).unwrap();
    expect![[r#"
        {
          "class": "verify.Kinds",
          "explored": 11,
          "explored_unit": "paths",
          "files": [],
          "induction": [],
          "property": "assertions",
          "rounds": [
            {
              "chances": [],
              "complete": false,
              "cut": {},
              "loops": 4,
              "merged": false,
              "paths": 11,
              "refused": {},
              "scope": 3,
              "steps": 2000000
            }
          ],
          "solver": {
            "by_model": 0,
            "cache_hits": 0,
            "calls": 0,
            "decided_cheaply": 0,
            "queries": 0,
            "unknown": 0,
            "work": 0
          },
          "status": "complete",
          "stopped_by": null,
          "tests": null,
          "verb": "verify",
          "verdict": "false",
          "version": null,
          "violation": {
            "arguments": {},
            "inputs": [
              {
                "class": "verify.Kinds",
                "file": "Kinds.java",
                "line": 8,
                "method": "main(java.lang.String[])",
                "name": null,
                "type": "boolean",
                "value": true
              },
              {
                "class": "verify.Kinds",
                "file": "Kinds.java",
                "line": 9,
                "method": "main(java.lang.String[])",
                "name": null,
                "type": "byte",
                "value": -7
              },
              {
                "class": "verify.Kinds",
                "file": "Kinds.java",
                "line": 10,
                "method": "main(java.lang.String[])",
                "name": null,
                "type": "char",
                "value": 34
              },
              {
                "class": "verify.Kinds",
                "file": "Kinds.java",
                "line": 11,
                "method": "main(java.lang.String[])",
                "name": null,
                "type": "short",
                "value": 300
              },
              {
                "class": "verify.Kinds",
                "file": "Kinds.java",
                "line": 12,
                "method": "main(java.lang.String[])",
                "name": null,
                "type": "int",
                "value": 2000000001
              },
              {
                "class": "verify.Kinds",
                "file": "Kinds.java",
                "line": 13,
                "method": "main(java.lang.String[])",
                "name": null,
                "type": "long",
                "value": 8000000004
              },
              {
                "class": "verify.Kinds",
                "file": "Kinds.java",
                "line": 14,
                "method": "main(java.lang.String[])",
                "name": null,
                "type": "float",
                "value": 0.5
              },
              {
                "class": "verify.Kinds",
                "file": "Kinds.java",
                "line": 15,
                "method": "main(java.lang.String[])",
                "name": null,
                "type": "double",
                "value": -1.0000000000000002e+300
              },
              {
                "class": "verify.Kinds",
                "file": "Kinds.java",
                "line": 16,
                "method": "main(java.lang.String[])",
                "name": null,
                "type": "java.lang.String",
                "value": "a\""
              }
            ],
            "trace": [
              {
                "class": "verify.Kinds",
                "file": "Kinds.java",
                "line": 20,
                "method": "main(java.lang.String[])"
              }
            ],
            "what": "java.lang.AssertionError: all as expected"
          },
          "without": []
        }"#]]
    .assert_eq(&text);
}

#[test]
fn no_input_violates_what_holds() {
    prints(
        &["verify.Clamp"],
        0,
        &expect![[r#"
            true: assertions
            3 paths in 1 search; … s"#]],
    );
    assert_eq!(summary(&["verify.Clamp"])["verdict"], "true");
}

#[test]
fn bounds_become_wider_until_a_violation_is_found() {
    let countdown = refutes("verify.Countdown", &[], &[]);
    let loops: Vec<u64> = rounds(&countdown, "loops");
    assert!(loops.len() > 1 && loops.is_sorted(), "{loops:?}");
    let word = refutes("verify.Word", &[], &[]);
    let scopes: Vec<u64> = rounds(&word, "scope");
    assert!(scopes.len() > 1 && scopes.is_sorted(), "{scopes:?}");
}

fn rounds(summary: &Value, bound: &str) -> Vec<u64> {
    let rounds = summary["rounds"].as_array().unwrap();
    rounds
        .iter()
        .map(|round| round[bound].as_u64().unwrap())
        .collect()
}

#[test]
fn bounds_become_wider_until_nothing_is_cut_off() {
    prints(
        &["verify.Filling"],
        0,
        &expect![[r#"
            true: assertions
            40 paths in 3 searches; … s"#]],
    );
    prints(
        &["verify.Countdown", "20"],
        1,
        &expect![[r#"
            false: assertions
              java.lang.AssertionError: 20 steps
                at verify.Countdown.main(java.lang.String[]):16
              20 at verify.Countdown.main(java.lang.String[]):9
            41 paths in 3 searches; … s"#]],
    );
    refutes("verify.Countdown", &["20"], &[]);
}

#[test]
fn strings_that_an_assumption_wants_are_not_overlooked() {
    for case in ["length", "text", "beginning", "branch"] {
        let found = refutes("verify.Assumed", &[case], &[]);
        assert!(found["rounds"].as_array().unwrap().len() > 1, "{found}");
        let bounded = summary(&["--scope", "3", "verify.Assumed", case]);
        assert_eq!(bounded["verdict"], "unknown", "{case}: {bounded}");
    }
}

#[test]
fn elements_beyond_the_first_bounds_are_not_overlooked() {
    let beyond = refutes("verify.Beyond", &[], &[]);
    assert_eq!(beyond["rounds"][0]["complete"], true);
    assert!(
        beyond["rounds"][0]["cut"]["lengths"].as_u64() > Some(0),
        "{beyond}"
    );
}

#[test]
fn texts_of_values_are_read_back() {
    let special = refutes("verify.Special", &[], &[]);
    let inputs = special["violation"]["inputs"].as_array().unwrap();
    let values: Vec<String> = inputs
        .iter()
        .map(|input| input["value"].to_string())
        .collect();
    expect![[r#"
        "NaN"
        "-Infinity"
        -0.0
        -9223372036854775808
        55296
        "<\n\"\\€&]]>""#]]
    .assert_eq(&values.join("\n"));
    // The first search has short strings in Latin-1 alone.
    assert!(rounds(&special, "scope").len() > 1, "{special}");
}

#[test]
fn bounds_that_cut_something_off_leave_it_unknown() {
    prints(
        &["--loop-k", "5", "verify.Countdown"],
        3,
        &expect![[r#"
            unknown: assertions; partial, without more iterations (--loop-k)
            7 paths in 1 search; … s"#]],
    );
    prints(
        &["--scope", "3", "verify.Word"],
        3,
        &expect![[r#"
            unknown: assertions; partial, without longer strings and arrays (--scope)
            2 paths in 2 searches; … s"#]],
    );
    prints(
        &["--scope", "3", "--bounded", "verify.Word"],
        0,
        &expect![[r#"
            true up to --scope 3: assertions
            2 paths in 2 searches; … s"#]],
    );
    let unknown = summary(&["--loop-k", "5", "verify.Countdown"]);
    assert_eq!(unknown["verdict"], "unknown");
    assert_eq!(unknown["violation"], Value::Null);
    assert!(unknown["rounds"][0]["cut"]["loops"].as_u64() > Some(0));
}

#[test]
fn what_is_refused_leaves_it_unknown() {
    prints(
        &["verify.Outside"],
        3,
        &expect![[r#"
            unknown: assertions; partial, without unsupported operations
              1 path: unsupported: java.lang.ProcessBuilder.start(): processes are not started
            2 paths in 1 search; … s"#]],
    );
    let unknown = summary(&["verify.Outside"]);
    let refused = unknown["rounds"][0]["refused"].as_object().unwrap();
    assert!(
        refused.keys().any(|key| key.contains("Process")),
        "{refused:?}"
    );
}

#[test]
fn exceptions_count_by_property() {
    assert_eq!(summary(&["verify.Quotient"])["verdict"], "true");
    refutes(
        "verify.Quotient",
        &[],
        &["--property", "no-runtime-exception"],
    );
    prints(
        &["--property", "no-runtime-exception", "verify.Quotient"],
        1,
        &expect![[r#"
            false: no-runtime-exception
              java.lang.ArithmeticException: / by zero
                at verify.Quotient.quotient(int, int):8
                at verify.Quotient.main(java.lang.String[]):20
              0 at verify.Quotient.main(java.lang.String[]):16
              0 at verify.Quotient.main(java.lang.String[]):18
            1 path in 1 search; … s"#]],
    );
}

#[test]
fn messages_of_exceptions_tell_inputs() {
    for case in ["index", "list", "size", "parsed", "text"] {
        let options = ["--property", "no-runtime-exception"];
        let summary = summary(&[&options[..], &["verify.Messages", case]].concat());
        assert_eq!(summary["verdict"], "false", "{case}: {summary}");
        let run = replayed("verify.Messages", &[case], &summary["violation"]);
        let first = text(&run.stderr);
        let first = first.lines().next().unwrap();
        let what = summary["violation"]["what"].as_str().unwrap();
        assert_eq!(first, format!("Exception in thread \"main\" {what}"));
    }
    // Natives read texts as a whole.
    for case in ["interned", "named"] {
        refutes("verify.Messages", &[case], &[]);
    }
    // The cause that later users of a class get repeats the message.
    let summary = summary(&["verify.Messages", "initialiser"]);
    assert_eq!(summary["verdict"], "unknown", "{summary}");
}

#[test]
fn a_deadlock_is_a_violation() {
    let deadlock = ["--property", "no-deadlock", "verify.Locks"];
    prints(
        &deadlock,
        1,
        &expect![[r#"
            false: no-deadlock
              main enters a monitor of java.lang.Object, held by Thread-0; Thread-0 enters a monitor of java.lang.Object, held by main
            1 path in 1 search; … s"#]],
    );
    prints(
        &["verify.Locks"],
        3,
        &expect![[r#"
            unknown: assertions; partial, without unsupported operations, other schedules of threads
            2 paths in 2 searches; … s"#]],
    );
}

#[test]
fn properties_are_read_from_files() {
    let folder = tempfile::tempdir().unwrap();
    let property = |text: &str| {
        let file = folder.path().join("property.prp");
        fs::write(&file, text).unwrap();
        file.to_str().unwrap().to_owned()
    };
    let file = property("CHECK( init(Main.main()), LTL(G assert) )\n");
    let asserted = summary(&["--property", &file, "verify.Quotient"]);
    assert_eq!(asserted["property"], "assertions");
    assert_eq!(asserted["verdict"], "true");

    let formula = "CHECK( init(Main.main()), LTL(G ! uncaught(java.lang.RuntimeException)) )";
    let file = property(formula);
    let thrown = summary(&["--property", &file, "verify.Quotient"]);
    assert_eq!(thrown["property"], "no-runtime-exception");
    assert_eq!(thrown["verdict"], "false");

    let file = property("CHECK( init(main()), LTL(G valid-memsafety) )\n");
    let parts = ["property.prp", "\"G valid-memsafety\"", "G assert"];
    refuses(&["--property", &file, "verify.Quotient"], &parts);
    let file = property("no property at all");
    refuses(
        &["--property", &file, "verify.Quotient"],
        &["property.prp", "CHECK( init(Main.main()), LTL(G assert) )"],
    );
    refuses(
        &["--property", "no-such", "verify.Quotient"],
        &[
            "no-such",
            "assertions, no-runtime-exception, no-exception, no-deadlock",
        ],
    );
}

#[test]
fn a_method_has_open_arguments() {
    let method = ["-c", "verify.Quotient", "-m", "checked"];
    prints(
        &method,
        1,
        &expect![[r#"
            false: assertions
              java.lang.AssertionError
                at verify.Quotient.checked(int[], java.lang.String):12
              numbers = [5, 0]
              text = "ab"
            6 paths in 1 search; … s"#]],
    );
    let method = ["-c", "verify.Quotient", "-m", "quotient"];
    prints(
        &method,
        0,
        &expect![[r#"
            true: assertions
            2 paths in 1 search; … s"#]],
    );
    let thrown = [&["--property", "no-runtime-exception"][..], &method].concat();
    prints(
        &thrown,
        1,
        &expect![[r#"
            false: no-runtime-exception
              java.lang.ArithmeticException: / by zero
                at verify.Quotient.quotient(int, int):8
              dividend = 0
              divisor = 0
            1 path in 1 search; … s"#]],
    );
    calls(
        "verify.Quotient.checked(new int[] {5, 0}, \"ab\")",
        "AssertionError",
    );
    calls("verify.Quotient.quotient(0, 0)", "ArithmeticException");
}

/// Checks that a call, from the package of the fixtures, throws an exception on a real JVM.
pub fn calls(call: &str, exception: &str) {
    let source = format!(
        "package verify;\nclass Calls {{ public static void main(String[] a) {{ {call}; }} }}\n"
    );
    let caller = Fixture::new(&["--release", "17"])
        .against(PathBuf::from(classes()).as_path())
        .text("Calls", &source)
        .classes();
    let run = jdks()[0]
        .java()
        .args(["-ea", "-cp"])
        .arg(join(&[caller, PathBuf::from(classes())]))
        .arg("verify.Calls")
        .output()
        .unwrap();
    let err = text(&run.stderr);
    assert!(err.contains(&format!("java.lang.{exception}")), "{err}");
    assert_eq!(run.status.code(), Some(1), "{err}");
}

#[test]
fn the_stand_in_notices_inputs_that_do_not_fit() {
    let other = serde_json::json!({"inputs": [{"type": "int", "value": 3}]});
    let run = replayed("verify.Kinds", &[], &other);
    assert_eq!(run.status.code(), Some(SPURIOUS), "{run:?}");
}

#[test]
fn wrong_requests_are_named() {
    refuses(&["verify.None"], &["verify.None"]);
    refuses(&["verify.Library"], &["verify.Library", "main"]);
    refuses(&["-c", "verify.Quotient", "-m", "none"], &["none"]);
    refuses(&["-c", "verify.Quotient"], &["--method"]);
    refuses(&[], &["MAIN"]);
}

/// Methods of the fixture about merging, with whether their assertions hold.
const MERGING: [(&str, bool); 19] = [
    ("holdsForLocals", true),
    ("failsForLocals", false),
    ("holdsForFields", true),
    ("holdsForStatics", true),
    ("failsForStatics", false),
    ("holdsForElements", true),
    ("holdsForReferences", true),
    ("holdsForReturns", true),
    ("failsForReturns", false),
    ("holdsForExceptions", true),
    ("holdsForSwitches", true),
    ("holdsForCalls", true),
    ("holdsForInputs", true),
    ("failsForInputs", false),
    ("holdsForLoops", true),
    ("failsForLoops", false),
    ("holdsForManyBranches", true),
    ("failsForManyBranches", false),
    ("holdsForNestedCalls", true),
];

#[test]
#[ignore = "long"]
fn merged_states_have_the_verdicts_of_paths() {
    for (method, holds) in MERGING {
        for merge in ["always", "never", "auto"] {
            // Paths alone are too many there.
            if merge == "never" && method.contains("ManyBranches") {
                continue;
            }
            let request = ["-c", "verify.Merging", "-m", method, "--merge", merge];
            let summary = summary(&request);
            let verdict = if holds { "true" } else { "false" };
            assert_eq!(
                summary["verdict"], verdict,
                "{method} --merge {merge}: {summary}"
            );
        }
    }
}

#[test]
fn polynomials_of_floating_point_numbers_have_verdicts() {
    for method in [
        "holdsForSine",
        "failsForSine",
        "holdsForSteps",
        "failsForSums",
        "holdsForRemainders",
        "failsNearTwo",
        "holdsForConversions",
    ] {
        let summary = summary(&["-c", "verify.Polynomials", "-m", method]);
        let verdict = match method.starts_with("holds") {
            true => "true",
            false => "false",
        };
        assert_eq!(summary["verdict"], verdict, "{method}: {summary}");
    }
}

#[test]
fn calls_deeper_than_the_stack_are_cut_off() {
    prints(
        &["verify.Deep"],
        3,
        &expect![[r#"
        unknown: assertions; partial, without runs that a limit of the machine ended
        1 path in 1 search; … s"#]],
    );
}
