//! `heapwright verify` of numbers that are no terms: results of elementary functions, and texts.

use heapwright_testkit::jdk::all_jdks;

use serde_json::Value;

use crate::common::{program, summary_of};
use crate::verify::{classes, refutes, summary};

/// Functions of `fixtures/src/verify/Elementary.java`, those of two operands, and first operands.
const FUNCTIONS: [&str; 15] = [
    "sin", "cos", "tan", "asin", "acos", "atan", "exp", "expm1", "log", "log1p", "log10", "sinh",
    "cosh", "tanh", "cbrt",
];
const FUNCTIONS_OF_TWO: [&str; 3] = ["atan2", "hypot", "pow"];
const FIRST_OPERANDS: [&str; 7] = ["0.0", "-0.0", "-0.3", "1.5", "-4.0", "Infinity", "NaN"];

/// First JDK whose texts of floating-point numbers are exact.
const EXACT_TEXTS: u32 = 19;

fn have_verdicts(methods: &[&str], verify: impl Fn(&str) -> Value) {
    for method in methods {
        let summary = verify(method);
        let verdict = match method.starts_with("holds") {
            true => "true",
            false => "false",
        };
        assert_eq!(summary["verdict"], verdict, "{method}: {summary}");
    }
}

/// Checks that no result of a function is excluded by the facts that a search rests on.
fn allow_all_results(function: &[&str]) {
    for class in ["Math", "StrictMath"] {
        let summary = refutes("verify.Elementary", &[&[class], function].concat(), &[]);
        // Without the facts, another search would find the same.
        let rounds = summary["rounds"].as_array().unwrap();
        assert_eq!(rounds.len(), 1, "{class}, {function:?}: {summary}");
    }
}

#[test]
#[ignore = "long"]
fn facts_of_elementary_functions_hold_of_all_implementations() {
    for function in FUNCTIONS {
        allow_all_results(&[function]);
    }
}

#[test]
#[ignore = "long"]
fn facts_of_functions_of_two_operands_hold_of_all_implementations() {
    for function in FUNCTIONS_OF_TWO {
        for operand in FIRST_OPERANDS {
            allow_all_results(&[function, operand]);
        }
    }
}

#[test]
fn elementary_functions_have_verdicts() {
    have_verdicts(
        &[
            "holdsForTheCircle",
            "failsForTheCircle",
            "holdsForTheSameOperand",
            "holdsForTheLogisticFunction",
            "failsForTheLogisticFunction",
            "holdsForLogarithms",
            "failsForLogarithms",
            "holdsForSquares",
            "failsForCubes",
            "holdsForDistances",
            "failsWhereThereIsNone",
        ],
        |method| summary(&["-c", "verify.Elementary", "-m", method]),
    );
}

#[test]
fn texts_of_numbers_are_parsed_as_these_numbers() {
    have_verdicts(
        &[
            "holdsForInts",
            "holdsForShorts",
            "holdsForLongs",
            "failsForLongs",
            "failsForTooLarge",
            "holdsInOneRadix",
            "failsInTwoRadixes",
            "failsWithMore",
        ],
        |method| summary(&["-c", "verify.Printed", "-m", method]),
    );
}

#[test]
#[ignore = "servers: a second JDK"]
fn texts_of_floating_point_numbers_are_exact() {
    let jdk = all_jdks()
        .into_iter()
        .find(|jdk| jdk.feature >= EXACT_TEXTS);
    let jdk = jdk.expect("a JDK with exact texts");
    have_verdicts(&["holdsForDoubles", "failsForDoubles"], |method| {
        let mut command = program();
        command.args(["verify", "--json", "--time-limit", "300s", "-p", classes()]);
        command.arg("--jdk").arg(&jdk.home);
        command.args(["-c", "verify.Printed", "-m", method]);
        summary_of(&command.output().unwrap())
    });
}
