//! What a program reads from outside, and numbers in strings, under `heapwright verify`; every
//! counterexample that a test can make is run on a real JVM, too.

use std::io::Write as _;
use std::process::Stdio;

use expect_test::expect;
use heapwright_testkit::jdk::jdks;
use serde_json::{Value, json};

use crate::common::text;
use crate::verify::{classes, prints, refutes, summary, verify};

fn verdict(arguments: &[&str]) -> Value {
    summary(arguments)["verdict"].take()
}

/// Bytes that standard input has in a violation.
fn standard_input(violation: &Value) -> Vec<u8> {
    let mut bytes = Vec::new();
    for input in violation["inputs"].as_array().unwrap() {
        match input["name"].as_str().unwrap() {
            "line of System.in" => {
                bytes.extend_from_slice(input["value"].as_str().unwrap().as_bytes());
                bytes.push(b'\n');
            }
            "byte of System.in" => bytes.push(input["value"].as_i64().unwrap() as u8),
            "System.in fails" => assert_eq!(input["value"], false),
            name => assert!(
                name.ends_with(" of System.in") || name.starts_with("System.in "),
                "{name}"
            ),
        }
    }
    bytes
}

/// Checks that a case of `verify.Console` is refuted, and that it ends as told on a real JVM.
fn refutes_console(case: &str) {
    let mut summary = summary(&["verify.Console", case]);
    assert_eq!(summary["verdict"], "false", "{summary}");
    let violation = summary["violation"].take();
    let mut java = jdks()[0]
        .java()
        .args(["-ea", "-cp", classes(), "verify.Console", case])
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut pipe = java.stdin.take().unwrap();
    pipe.write_all(&standard_input(&violation)).unwrap();
    drop(pipe);
    let output = java.wait_with_output().unwrap();
    let err = text(&output.stderr);
    let line = &violation["trace"][0]["line"];
    let what = violation["what"].as_str().unwrap();
    assert_eq!(output.status.code(), Some(1), "{err}");
    assert!(
        err.contains(what) && err.contains(&format!("(Console.java:{line})")),
        "{err}"
    );
}

#[test]
fn standard_input_is_open() {
    for case in ["lines", "bytes", "count"] {
        refutes_console(case);
    }
    assert_eq!(verdict(&["verify.Console", "end"]), "true");
    assert_eq!(verdict(&["verify.Console", "closed"]), "true");
    let fixed = summary(&["--world", "fixed", "verify.Console", "end"]);
    assert_eq!(fixed["verdict"], "unknown", "{fixed}");
    assert_eq!(
        fixed["rounds"][0]["chances"],
        json!(["standard input", "the default charset"])
    );
}

#[test]
fn inputs_from_outside_are_shown() {
    prints(
        &["verify.Console", "lines"],
        1,
        &expect![[r#"
            false: assertions
              java.lang.AssertionError
                at verify.Console.main(java.lang.String[]):15
              System.in fails = false at verify.Console.main(java.lang.String[]):13
              System.in ends = false at verify.Console.main(java.lang.String[]):13
              line of System.in = "" at verify.Console.main(java.lang.String[]):13
              System.in fails = false at verify.Console.main(java.lang.String[]):14
              System.in ends = false at verify.Console.main(java.lang.String[]):14
              line of System.in = "ab" at verify.Console.main(java.lang.String[]):14
            7 paths in 1 search; … s"#]],
    );
    prints(
        &["verify.Surroundings", "variable"],
        1,
        &expect![[r#"
            false: assertions
              java.lang.AssertionError
                at verify.Surroundings.main(java.lang.String[]):16
              $MODE is set = true at verify.Surroundings.main(java.lang.String[]):14
              $MODE = "on" at verify.Surroundings.main(java.lang.String[]):14
            4 paths in 1 search; … s"#]],
    );
    let output = verify(&["--jobs", "1", "verify.Surroundings", "bad.example.org"]);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let said = text(&output.stdout);
    // The last line has the number of paths, which depends on the JDK's library.
    let (said, _) = said.trim_end().rsplit_once('\n').unwrap();
    expect![[r#"
            false: assertions
              java.lang.AssertionError
                at verify.Surroundings.talk(java.lang.String):42
                at verify.Surroundings.main(java.lang.String[]):33
              bad.example.org is unknown = false at verify.Surroundings.talk(java.lang.String):38
              IPv4 address of bad.example.org = 0 at verify.Surroundings.talk(java.lang.String):38
              connection is refused = false at verify.Surroundings.talk(java.lang.String):38
              host is unreachable = false at verify.Surroundings.talk(java.lang.String):38
              local port = 'a' at verify.Surroundings.talk(java.lang.String):38
              connection is reset = false at verify.Surroundings.talk(java.lang.String):40
              connection is reset = false at verify.Surroundings.talk(java.lang.String):41
              socket ends = false at verify.Surroundings.talk(java.lang.String):41
              line of socket = "quit" at verify.Surroundings.talk(java.lang.String):41"#]]
    .assert_eq(said);
}

#[test]
fn surroundings_are_open() {
    for case in ["variable", "clock", "dice", "random", "bad.example.org"] {
        assert_eq!(verdict(&["verify.Surroundings", case]), "false", "{case}");
    }
    assert_eq!(
        verdict(&["verify.Surroundings", "good.example.org"]),
        "true"
    );
}

#[test]
fn numbers_in_strings_are_found() {
    for case in ["int", "message", "looked"] {
        refutes("verify.Numerals", &[case], &[]);
    }
}

#[test]
#[ignore = "long"]
fn numbers_in_strings_of_all_kinds_are_found() {
    for case in ["long", "float", "double", "none", "written"] {
        refutes("verify.Numerals", &[case], &[]);
    }
}

#[test]
fn numbers_in_strings_of_any_length_need_no_characters() {
    for case in ["twice", "halves"] {
        assert_eq!(verdict(&["verify.Numerals", case]), "true", "{case}");
    }
}
