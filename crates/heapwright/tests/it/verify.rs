//! `heapwright verify`: texts and summaries of verdicts, properties, bad requests. Counterexamples are
//! run on a real JVM, too.

use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};
use std::sync::OnceLock;

use expect_test::{Expect, expect};
use heapwright_testkit::fixtures::without_seconds;
use heapwright_testkit::jdk::jdks;
use heapwright_testkit::verified::{self, SPURIOUS, replay, units};
use serde_json::Value;

use crate::common::{program, summary_of, text, without_measures};

/// The fixtures of the package `verify`.
pub fn classes() -> &'static str {
    static CLASSES: OnceLock<PathBuf> = OnceLock::new();
    CLASSES.get_or_init(verified::classes).to_str().unwrap()
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

/// Checks that a program is refuted, and that it ends as told on a real JVM.
pub fn refutes(class: &str, arguments: &[&str], options: &[&str]) -> Value {
    let summary = summary(&[options, &[class], arguments].concat());
    assert_eq!(summary["verdict"], "false", "{summary}");
    let violation = &summary["violation"];
    let run = replay(class, arguments, &played(violation));
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
fn verdicts_have_texts_and_exit_codes() {
    prints(
        &["verify.Clamp"],
        0,
        &expect![[r#"
            true: assertions
            3 paths in 1 search; … s"#]],
    );
    prints(
        &["--loop-k", "5", "verify.Countdown"],
        3,
        &expect![[r#"
            unknown: assertions; partial, without more iterations (--loop-k)
            7 paths in 1 search; … s"#]],
    );
    prints(
        &["--scope", "3", "--bounded", "verify.Word"],
        0,
        &expect![[r#"
            true up to --scope 3: assertions
            2 paths in 2 searches; … s"#]],
    );
    prints(
        &["verify.Outside"],
        3,
        &expect![[r#"
            unknown: assertions; partial, without unsupported operations
              1 path: unsupported: java.lang.ProcessBuilder.start(): processes are not started
            2 paths in 1 search; … s"#]],
    );
    prints(
        &["-c", "verify.Quotient", "-m", "checked"],
        1,
        &expect![[r#"
            false: assertions
              java.lang.AssertionError
                at verify.Quotient.checked(int[], java.lang.String):12
              numbers = [5, 0]
              text = "ab"
            6 paths in 1 search; … s"#]],
    );
    let unknown = summary(&["--loop-k", "5", "verify.Countdown"]);
    assert_eq!(unknown["verdict"], "unknown");
    assert_eq!(unknown["violation"], Value::Null);
    assert!(unknown["rounds"][0]["cut"]["loops"].as_u64() > Some(0));
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
fn the_stand_in_notices_inputs_that_do_not_fit() {
    let other = serde_json::json!({"inputs": [{"type": "int", "value": 3}]});
    let run = replay("verify.Kinds", &[], &played(&other));
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
