//! Claims that depend on the world, or on what other calls have left in static state: each row of
//! `tests/claims/Worlds.java`, `Begun.java`, `Statics.java` and `Tables.java`, a method with the words that claims on it have.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::Output;
use std::sync::OnceLock;

use heapwright_testkit::fixtures::Fixture;
use heapwright_testkit::jdk::jdks;
use serde_json::Value;

use crate::common::{program, sources_of, summary_of, text};

/// Classes in `tests/claims`.
fn classes() -> &'static str {
    static CLASSES: OnceLock<PathBuf> = OnceLock::new();
    let own = Fixture::new(&["--release", "17", "-g"]).folder(&sources_of("claims"));
    CLASSES.get_or_init(|| own.classes()).to_str().unwrap()
}

fn run(arguments: &[&str]) -> Output {
    let (verb, rest) = arguments.split_first().unwrap();
    program()
        .args([verb, "-p", classes(), "--json"])
        .args(["--jdk", jdks()[0].home.to_str().unwrap()])
        .args(rest)
        .output()
        .unwrap()
}

/// Methods of a class with the columns of the comments behind them.
fn rows(class: &str) -> Vec<(String, Vec<String>)> {
    let source = sources_of("claims").join(format!("{class}.java"));
    let source = std::fs::read_to_string(source).unwrap();
    let rows = source.lines().filter_map(|line| {
        let (code, columns) = line.split_once(" // ")?;
        let name = code
            .trim()
            .strip_prefix("public static int ")?
            .split('(')
            .next()?;
        let columns = columns.split('|').map(|column| column.trim().to_owned());
        Some((name.to_owned(), columns.collect()))
    });
    rows.collect()
}

/// Why `paths` reaches no branch to `return 1` of each method.
fn reasons(class: &str) -> BTreeMap<String, String> {
    let output = run(&["paths", "-c", class, "--criterion", "all-branches"]);
    let summary = summary_of(&output);
    let mut reasons = BTreeMap::new();
    for missing in summary["uncovered"].as_array().unwrap() {
        let method = missing["point"]
            .as_str()
            .unwrap()
            .split(',')
            .next()
            .unwrap();
        let reason = missing["reason"].as_str().unwrap();
        // A proof beside another reason is that of another branch.
        let known: &mut String = reasons.entry(method.to_owned()).or_default();
        if known.is_empty() || known == PROVED {
            reason.clone_into(known);
        }
    }
    reasons
}

const PROVED: &str = "infeasible, proved";

/// What the methods return on a JVM with some options, by their names.
fn on_jvm(class: &str, options: &[&str], names: &[&str]) -> BTreeMap<String, i32> {
    let output = jdks()[0]
        .java()
        .args(options)
        .args(["-cp", classes(), &format!("claims.{class}$Print")])
        .args(names)
        .output()
        .unwrap();
    let printed = text(&output.stdout);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let lines = printed.lines().map(|line| {
        let (name, value) = line.split_once(' ').unwrap();
        (name.to_owned(), value.parse().unwrap())
    });
    lines.collect()
}

#[test]
fn a_branch_that_another_world_takes_is_not_infeasible() {
    for class in ["Worlds", "Begun"] {
        let reasons = reasons(&format!("claims.{class}"));
        for (name, columns) in rows(class) {
            let reason = reasons.get(&name).map(String::as_str);
            let (reason, expected) = (reason.unwrap_or("covered"), &columns[0]);
            let is_right = match expected.as_str() {
                "-" => true,
                "proved" => reason == PROVED,
                source => {
                    reason.starts_with("not reached without")
                        && reason.contains(&format!("other values of {source}"))
                }
            };
            assert!(is_right, "{name}: {reason}, not {expected}");
        }
    }
}

#[test]
#[ignore = "long"]
fn a_program_is_true_only_in_all_worlds() {
    for (name, columns) in rows("Worlds") {
        if columns[1] == "-" {
            continue;
        }
        let summary = summary_of(&run(&["verify", "claims.Worlds", &name]));
        assert_eq!(summary["verdict"], columns[1].as_str(), "{name}: {summary}");
        let without = summary["without"].to_string();
        let is_named = ["proved", "-"].contains(&columns[0].as_str())
            || columns[1] == "false"
            || without.contains(&columns[0]);
        // A program begins in a fresh machine, in which these are known.
        let is_known = ["the callers", "the state of the thread"].contains(&columns[0].as_str());
        assert!(
            is_named || columns[1] == "true" && is_known,
            "{name}: {without}"
        );
    }
}

#[test]
fn what_is_proved_holds_on_a_jvm_in_two_worlds() {
    let rows = rows("Worlds");
    let called = rows.iter().filter(|(_, columns)| columns[1] != "-");
    let names: Vec<&str> = called.map(|(name, _)| name.as_str()).collect();
    let plain = on_jvm("Worlds", &[], &names);
    let other = [
        "-Duser.language=tr",
        "-Duser.country=TR",
        "-Duser.timezone=Asia/Tokyo",
        "-Dfile.encoding=ISO-8859-1",
        "-Dclaims.debug=true",
        "-XX:ActiveProcessorCount=3",
        "-Xss256k",
        "-Xmx200m",
    ];
    let other = on_jvm("Worlds", &other, &names);
    for (name, columns) in &rows {
        if columns[0] == "proved" && columns[1] != "-" {
            assert_eq!((plain[name], other[name]), (0, 0), "{name}");
        }
    }
    for name in [
        "locale",
        "lowerCase",
        "format",
        "zone",
        "bytes",
        "property",
        "processors",
    ] {
        assert!(
            plain[name] + other[name] > 0,
            "{name}: the row is no counterexample"
        );
    }
}

/// Classes with rows about static state.
const STATICS: [&str; 2] = ["Statics", "Tables"];

#[test]
fn a_branch_that_a_second_call_takes_is_not_infeasible() {
    for class in STATICS {
        let reasons = reasons(&format!("claims.{class}"));
        for (name, columns) in rows(class) {
            let reason = reasons.get(&name).map(String::as_str);
            let reason = reason.unwrap_or("covered");
            match columns[0].as_str() {
                "proved" => assert_eq!(reason, PROVED, "{name}"),
                _ => assert!(
                    reason.starts_with("not reached without")
                        && reason.contains("other values of static fields"),
                    "{name}: {reason}"
                ),
            }
        }
    }
}

#[test]
fn a_verdict_on_a_method_names_its_static_state() {
    for class in STATICS {
        for (name, columns) in rows(class) {
            let method = format!("{name}()");
            let output = run(&["verify", "-c", &format!("claims.{class}"), "-m", &method]);
            let without = summary_of(&output)["without"].take();
            let without = without.as_array().unwrap().iter();
            let without: Vec<&str> = without.filter_map(Value::as_str).collect();
            match (columns[0].as_str(), name.as_str()) {
                // It reads a field behind the branch.
                ("proved", "laterRead") => {}
                ("proved", _) => assert_eq!(without, [""; 0], "{name}"),
                (field, _) => {
                    let is_named = |left_out: &&str| {
                        left_out.starts_with("other values of static fields")
                            && left_out.contains(field)
                    };
                    assert!(without.iter().any(is_named), "{name}: {without:?}");
                }
            }
        }
    }
}

#[test]
fn what_a_second_call_returns_is_as_told() {
    for class in STATICS {
        let rows = rows(class);
        let names: Vec<&str> = rows.iter().map(|(name, _)| name.as_str()).collect();
        let returned = on_jvm(class, &[], &names);
        for (name, columns) in &rows {
            let expected = i32::from(columns[0] != "proved");
            assert_eq!(returned[name], expected, "{name}");
        }
    }
}
