//! Proofs by induction of `heapwright verify`: verdicts are those of runs on a real JVM with all small
//! arguments, and what violates a property only after very many iterations is never proven.

use std::path::PathBuf;

use expect_test::{Expect, expect};
use heapwright_testkit::fixtures::verifiers;
use heapwright_testkit::jdk::jdks;
use heapwright_testkit::junit::join;

use crate::common::text;
use crate::verify::{classes, summary, verify};

/// Methods that only other than small arguments violate.
const RARE: [&str; 5] = [
    "rareException",
    "rareAssertion",
    "rareWrap",
    "rareStack",
    "rareFinally",
];

/// Class with loops that fill arrays.
const ARRAYS: &str = "verify.LongArrays";

/// Class with loops and recursive methods that change objects.
const OBJECTS: &str = "verify.Objects";

/// Methods that no search can decide.
const DEEP: [&str; 6] = [
    "deepOverflow",
    "deepExceptionOfALoop",
    "deepIteration",
    "deepHash",
    "deepHandler",
    "deepResult",
];

/// Methods, with whether some small arguments violate them on a real JVM.
fn run_with_small_arguments(class: &str) -> Vec<(String, bool)> {
    let run = jdks()[0]
        .java()
        .args(["-ea", "-cp"])
        .arg(join(&[verifiers(), PathBuf::from(classes())]))
        .arg(class)
        .output()
        .unwrap();
    assert_eq!(text(&run.stderr), "");
    let lines = text(&run.stdout);
    let lines = lines.lines().map(|line| line.split_once(' ').unwrap());
    let found: Vec<(String, bool)> = lines
        .map(|(method, is_violated)| (method.to_owned(), is_violated == "true"))
        .collect();
    assert!(!found.is_empty());
    found
}

fn request<'a>(method: &'a str, options: &[&'a str]) -> Vec<&'a str> {
    [&["-c", "verify.Induction", "-m", method], options].concat()
}

/// Compares what a proof tells, but for the numbers of paths and searches, which depend on the time.
fn proves(arguments: &[&str], expected: &Expect) {
    let output = verify(&[&["--jobs", "1"], arguments].concat());
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let told = text(&output.stdout);
    let (told, _) = told.trim_end().rsplit_once('\n').unwrap();
    expected.assert_eq(told);
}

#[test]
#[ignore = "long"]
fn verdicts_are_those_of_runs() {
    for class in ["verify.Induction", ARRAYS, OBJECTS] {
        for (method, is_violated) in run_with_small_arguments(class) {
            assert_eq!(is_violated, method.starts_with("fails"), "{method}");
            let summary = summary(&["-c", class, "-m", &method]);
            let verdict = if is_violated { "false" } else { "true" };
            assert_eq!(summary["verdict"], verdict, "{method}: {summary}");
            let induction = summary["induction"].as_array().unwrap();
            assert_eq!(induction.is_empty(), is_violated, "{method}: {summary}");
        }
    }
}

#[test]
fn arrays_of_any_length_are_terms() {
    let untouched = summary(&["-c", ARRAYS, "-m", "untouched"]);
    assert_eq!(untouched["verdict"], "true", "{untouched}");
    assert_eq!(untouched["induction"], serde_json::json!([]));
    let narrowing = summary(&["-c", ARRAYS, "-m", "deepNarrowing", "--loop-k", "6"]);
    assert_eq!(narrowing["verdict"], "unknown", "{narrowing}");
    let exhausting = summary(&["-c", ARRAYS, "-m", "exhausting"]);
    assert_eq!(exhausting["verdict"], "unknown", "{exhausting}");
}

#[test]
fn facts_about_elements_are_told() {
    proves(
        &["-c", ARRAYS, "-m", "holdsForElementsFilled"],
        &expect![[r#"
            true: assertions
              by induction over the loop at verify.LongArrays.holdsForElementsFilled(int, int):8
                invariant (\forall int index; 0 <= index && index < i; numbers[index] == index)"#]],
    );
    proves(
        &["-c", ARRAYS, "-m", "holdsForCheckedObjects"],
        &expect![[r#"
            true: assertions
              by induction over the loop at verify.LongArrays.holdsForCheckedObjects(int, int):48
                invariant (\forall int index; 0 <= index && index < i; objects[index] != null)
              by induction over the loop at verify.LongArrays.holdsForCheckedObjects(int, int):51"#]],
    );
}

#[test]
fn what_holds_of_objects_is_told() {
    proves(
        &["-c", OBJECTS, "-m", "holdsForSentinels"],
        &expect![[r#"
            true: assertions
              by induction over the loop at verify.Objects.holdsForSentinels(int, int):224
              by induction over the calls of verify.Objects$Sorted.add(int):62
                requires this != null
              by induction over the objects of verify.Objects$Sorted
                invariant next == null ==> 2147483647 <= value"#]],
    );
    proves(
        &["-c", OBJECTS, "-m", "holdsForCountedDeposits"],
        &expect![[r#"
            true: assertions
              by induction over the loop at verify.Objects.holdsForCountedDeposits(int, int):99, after 1 iteration
                invariant i - account.balance == \old(i) - \old(account.balance)
                invariant account.balance <= n"#]],
    );
    let told = summary(&["-c", OBJECTS, "-m", "holdsForSentinels"]);
    let of_class = told["induction"].as_array().unwrap();
    let of_class = of_class.iter().find(|one| one["kind"] == "class").unwrap();
    assert_eq!(of_class["class"], "verify.Objects$Sorted");
    assert!(of_class["method"].is_null() && of_class["line"].is_null());
}

#[test]
fn changes_of_objects_after_very_many_iterations_are_not_ruled_out() {
    for method in ["deepCount", "deepChange", "deepCalls"] {
        let summary = summary(&["-c", OBJECTS, "-m", method, "--loop-k", "6"]);
        assert_eq!(summary["verdict"], "unknown", "{method}: {summary}");
        assert_eq!(summary["induction"], serde_json::json!([]));
    }
}

#[test]
fn what_few_inputs_violate_is_refuted() {
    for method in RARE {
        let summary = summary(&request(method, &[]));
        assert_eq!(summary["verdict"], "false", "{method}: {summary}");
    }
}

#[test]
fn what_is_violated_after_very_many_iterations_is_not_proven() {
    for method in DEEP {
        let summary = summary(&request(method, &["--loop-k", "6"]));
        assert_eq!(summary["verdict"], "unknown", "{method}: {summary}");
        assert_eq!(summary["induction"], serde_json::json!([]));
    }
}

#[test]
fn a_stack_that_overflows_is_an_exception() {
    let options = ["--property", "no-exception", "--loop-k", "6"];
    let summary = summary(&request("holdsForNestedRecursion", &options));
    assert_ne!(summary["verdict"], "true", "{summary}");
}

#[test]
fn invariants_are_told() {
    proves(
        &request("holdsForNestedRecursion", &[]),
        &expect![[r#"
        true: assertions
          by induction over the calls of verify.Induction.climb(int):18
            ensures n <= 50 ==> \result == 46
            ensures 50 < n ==> \result == n - 5"#]],
    );
    proves(
        &request("holdsForCounters", &[]),
        &expect![[r#"
        true: assertions
          by induction over the loop at verify.Induction.holdsForCounters(int):200, after 1 iteration
            invariant i <= n"#]],
    );
    proves(
        &request("holdsForParity", &[]),
        &expect![[r#"
            true: assertions
              by induction over the calls of verify.Induction.isEven(int):102
                requires 0 <= n
                ensures \result == -n % 2 + 1"#]],
    );
    let summary = summary(&request("holdsForPreconditions", &[]));
    let told = serde_json::to_string_pretty(&summary["induction"]).unwrap();
    expect![[r#"
        [
          {
            "after": 0,
            "class": "verify.Induction",
            "ensures": [
              "1 <= \\result"
            ],
            "file": "Induction.java",
            "holds": [
              "1 <= a",
              "1 <= b"
            ],
            "kind": "method",
            "line": 35,
            "method": "common(int, int)"
          }
        ]"#]]
    .assert_eq(&told);
}
