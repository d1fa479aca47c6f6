//! `heapwright mcp`, as a client of the protocol from PyPI sees it. The client checks each result
//! against the schema that the server declares.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use heapwright_testkit::fixtures::{self, Fixture};
use heapwright_testkit::jdk::jdks;
use heapwright_testkit::junit;
use heapwright_testkit::python::Python;
use serde_json::{Value, json};

use crate::common::sources_of;

/// A class with a test that leaves something out, and a branch that nothing reaches.
const ACCOUNT: &str = "package bank;

public class Account {
    private int balance;

    public void deposit(int amount) {
        if (amount <= 0) {
            throw new IllegalArgumentException(\"amount\");
        }
        balance += amount;
    }

    public boolean isRich() {
        return balance > 1000;
    }

    public boolean isLucky(int day) {
        return day * day == 7;
    }
}
";

const ACCOUNT_TEST: &str = "package bank;

import static org.junit.jupiter.api.Assertions.assertFalse;

import org.junit.jupiter.api.Test;

class AccountTest {
    @Test
    void isPoor() {
        Account account = new Account();
        account.deposit(3);
        assertFalse(account.isRich());
    }
}
";

fn account() -> PathBuf {
    Fixture::new(&["-g", "--release", "17"])
        .text("Account", ACCOUNT)
        .classes()
}

/// What the client has seen after the calls of a plan.
fn client(mode: &str, plan: &Value) -> Value {
    let output = client_command(mode, plan).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    serde_json::from_slice(&output.stdout).unwrap()
}

fn client_command(mode: &str, plan: &Value) -> Command {
    let mut command = Python::with(&["mcp==2.3.0"]).command();
    command.arg(sources_of("mcp").join("client.py"));
    command.arg(env!("CARGO_BIN_EXE_heapwright")).arg(mode);
    command.arg(plan.to_string());
    command.env("JAVA_HOME", &jdks()[0].home);
    command
}

/// Call of a tool on classes.
fn call(tool: &str, classes: &Path, arguments: &Value) -> Value {
    let mut all = json!({"class_path": [classes]});
    let keys = arguments.as_object().unwrap().clone();
    all.as_object_mut().unwrap().extend(keys);
    json!({"tool": tool, "arguments": all})
}

fn names(values: &Value, key: &str) -> Vec<String> {
    let values = values.as_array().unwrap().iter();
    values
        .map(|value| value[key].as_str().unwrap().to_owned())
        .collect()
}

#[test]
#[ignore = "servers: a client"]
fn tools_say_what_they_take_and_give() {
    let seen = client("auto", &json!([]));
    assert_eq!(seen["server"], "heapwright");
    assert!(seen["instructions"].as_str().unwrap().contains("measure"));
    let tools = &seen["tools"];
    let expected = ["generate", "check", "measure", "verify", "explain"];
    assert_eq!(names(tools, "name"), expected);
    for tool in tools.as_array().unwrap() {
        for schema in ["inputSchema", "outputSchema"] {
            jsonschema::meta::validate(&tool[schema]).unwrap();
            assert_eq!(tool[schema]["type"], "object", "{tool}");
        }
        let input = tool["inputSchema"]["properties"].as_object().unwrap();
        for (name, property) in input {
            assert!(property["description"].is_string(), "{name}: {property}");
        }
        assert!(input.contains_key("directory"), "{input:?}");
        let reads = tool["annotations"]["readOnlyHint"] == true;
        assert_eq!(reads, !input.contains_key("output"), "{tool}");
    }
}

#[test]
#[ignore = "servers: a client"]
fn a_check_returns_its_counterexamples() {
    let folder = tempfile::tempdir().unwrap();
    let asked = json!({
        "directory": folder.path(), "class": "faults.SortedList", "scope": 3,
        "output": "found", "include_sources": true
    });
    let right = json!({"class": "fixtures.tree.SearchTree", "scope": 2});
    let plan = json!([
        call("check", &fixtures::classes(), &asked),
        call("check", &fixtures::classes(), &right),
    ]);
    let seen = client("auto", &plan);
    let [found, right] = &seen["calls"].as_array().unwrap()[..] else {
        panic!("two calls: {seen}");
    };
    assert_eq!(found["is_error"], false, "{found}");
    assert!(found["progress"].as_u64() > Some(0), "{found}");
    let structured = &found["structured"];
    assert_eq!(structured["outcome"], "found");
    let counterexample = &structured["summary"]["counterexamples"][0];
    assert_eq!(counterexample["kind"], "throws", "{counterexample}");
    let method = counterexample["method"].as_str().unwrap();
    let arguments = counterexample["arguments"].as_array().unwrap();
    assert!(method.starts_with("insert("), "{counterexample}");
    assert_eq!(arguments.len(), 1, "{counterexample}");
    assert!(
        counterexample["before"]
            .as_str()
            .unwrap()
            .starts_with("SortedList{")
    );
    let text = found["text"][0].as_str().unwrap();
    assert!(text.contains("counterexamples: 1"), "{text}");
    let source = &structured["sources"][0];
    let file = folder.path().join(source["file"].as_str().unwrap());
    assert_eq!(
        std::fs::read_to_string(file).unwrap(),
        source["text"].as_str().unwrap()
    );
    assert!(
        source["text"]
            .as_str()
            .unwrap()
            .contains("SortedListCounterexample"),
        "{source}"
    );

    assert_eq!(right["structured"]["outcome"], "done", "{right}");
    assert_eq!(right["structured"]["summary"]["counterexamples"], json!([]));
    assert_eq!(right["structured"]["sources"], json!([]));
}

#[test]
#[ignore = "servers: a client"]
fn a_measure_returns_its_numbers_and_what_tests_miss() {
    let jars = junit::jars();
    let classes = account();
    let tests = Fixture::new(&["-g", "--release", "17"])
        .against(&classes)
        .against(&jars.console)
        .text("AccountTest", ACCOUNT_TEST)
        .classes();
    let arguments = json!({
        "class_path": [classes, jars.console], "classes": ["bank.*"], "tests": [tests]
    });
    let seen = client(
        "legacy",
        &json!([{"tool": "measure", "arguments": arguments}]),
    );
    let structured = &seen["calls"][0]["structured"];
    assert_eq!(structured["outcome"], "done", "{seen}");
    let summary = &structured["summary"];
    assert_eq!(summary["tests_passed"], 1);
    assert_eq!(
        [&summary["branches_covered"], &summary["branches_total"]],
        [2, 6]
    );
    let alive = summary["mutants_alive"].as_array().unwrap();
    let is_deposit = |mutant: &&Value| mutant["method"] == "deposit" && mutant["line"] == 7;
    assert!(alive.iter().any(|mutant| is_deposit(&mutant)), "{summary}");
}

#[test]
#[ignore = "servers: a client"]
fn a_generate_returns_tests_and_explain_what_has_none() {
    let classes = account();
    let project = tempfile::tempdir().unwrap();
    // Settings for runs that write tests change nothing in those that do not.
    let settings = "[generate]\noutput = \"written\"\nmutants = \"stronger\"\n";
    std::fs::write(project.path().join("heapwright.toml"), settings).unwrap();
    let directory = project.path();
    let plan = json!([
        call("generate", &classes, &json!({"classes": ["bank.Account"]})),
        call(
            "explain",
            &classes,
            &json!({"class": "bank.Account", "directory": directory})
        ),
    ]);
    let seen = client("auto", &plan);
    let [generated, explained] = &seen["calls"].as_array().unwrap()[..] else {
        panic!("two calls: {seen}");
    };
    let structured = &generated["structured"];
    assert_eq!(structured["outcome"], "done", "{generated}");
    assert_eq!(
        structured["sources"][0]["file"],
        "bank/AccountHeapwrightTest.java"
    );
    let source = structured["sources"][0]["text"].as_str().unwrap();
    assert!(source.contains("IllegalArgumentException"), "{source}");
    assert_eq!(structured["summary"]["verified"], true);
    // The folder of the tests does not stay.
    assert_eq!(structured["summary"]["files"], json!([]));
    assert!(structured["summary"]["mutants"].as_u64() > Some(0));

    assert!(!directory.join("written").exists());
    let structured = &explained["structured"];
    assert_eq!(structured["summary"]["mutants"], 0, "{explained}");
    let members = structured["members"].as_str().unwrap();
    let deposit = members
        .lines()
        .find(|line| line.starts_with("deposit(int)"));
    assert!(deposit.unwrap().contains("balance"), "{members}");
    let missing = &structured["summary"]["goals_not_covered"];
    assert_eq!(names(missing, "goal"), ["isLucky:18 equal"], "{missing}");
    assert_eq!(missing[0]["status"], "infeasible");
    assert!(
        missing[0]["reason"]
            .as_str()
            .unwrap()
            .starts_with("infeasible: ")
    );
    assert_eq!(structured["sources"], json!([]));
}

#[test]
#[ignore = "servers: a client"]
fn a_verify_returns_the_inputs_of_a_violation() {
    let classes = Fixture::new(&["-g", "--release", "17"])
        .against(&fixtures::verifiers())
        .package("verify")
        .classes();
    let plan = json!([
        call(
            "verify",
            &classes,
            &json!({"main": "verify.Countdown", "arguments": ["25"]})
        ),
        call(
            "verify",
            &classes,
            &json!({"main": "verify.Countdown", "loop_k": 2})
        ),
        call(
            "verify",
            &classes,
            &json!({
                "class": "verify.Quotient", "method": "quotient", "property": "no-runtime-exception"
            })
        ),
        call("verify", &classes, &json!({"main": "verify.Clamp"})),
    ]);
    let seen = client("auto", &plan);
    let calls = seen["calls"].as_array().unwrap();
    let outcomes: Vec<[&str; 2]> = calls
        .iter()
        .map(|call| {
            let structured = &call["structured"];
            let verdict = &structured["summary"]["verdict"];
            [
                structured["outcome"].as_str().unwrap(),
                verdict.as_str().unwrap(),
            ]
        })
        .collect();
    let expected = [
        ["found", "false"],
        ["partial", "unknown"],
        ["found", "false"],
        ["done", "true"],
    ];
    assert_eq!(outcomes, expected, "{seen}");
    let violation = &calls[0]["structured"]["summary"]["violation"];
    assert_eq!(violation["inputs"][0]["value"], 20, "{violation}");
    let violation = &calls[2]["structured"]["summary"]["violation"];
    assert_eq!(violation["arguments"]["divisor"], 0, "{violation}");
}

#[test]
#[ignore = "servers: a client"]
fn wrong_requests_are_errors_with_the_programs_message() {
    let classes = account();
    let plan = json!([
        call(
            "check",
            &classes,
            &json!({"class": "bank.Acount", "scope": 1})
        ),
        call(
            "check",
            &classes,
            &json!({"class": "bank.Account", "scop": 1})
        ),
        call("generate", &classes, &json!({"classes": 1})),
        call(
            "measure",
            &classes,
            &json!({"directory": "no such", "classes": ["A"], "tests": []})
        ),
    ]);
    let seen = client("auto", &plan);
    let calls = seen["calls"].as_array().unwrap();
    let messages = calls.iter().map(|call| {
        assert_eq!(call["is_error"], true, "{call}");
        call["text"][0].as_str().unwrap().to_owned()
    });
    let messages: Vec<String> = messages.collect();
    assert_eq!(
        messages[0],
        "class bank.Acount not found on the class path; did you mean bank.Account?"
    );
    assert_eq!(
        messages[1],
        "check has no argument scop; did you mean scope?"
    );
    assert!(
        messages[2].starts_with("wrong arguments of generate: invalid type"),
        "{messages:?}"
    );
    assert_eq!(messages[3], "directory: no such is no folder");
}

/// Call that takes minutes, on a class path that names this folder.
fn long_call(folder: &Path) -> Value {
    let path = [fixtures::classes(), folder.to_owned()];
    let mut long = json!({"tool": "check", "arguments": {
        "class": "fixtures.tree.SearchTree", "scope": 12, "time_limit_seconds": 600
    }});
    long["arguments"]["class_path"] = json!(path);
    long
}

/// Number of processes whose command line names the folder.
#[cfg(unix)]
fn runs_in(folder: &Path) -> usize {
    let output = Command::new("ps")
        .args(["-A", "-ww", "-o", "args="])
        .output()
        .unwrap();
    let processes = String::from_utf8(output.stdout).unwrap();
    let name = format!("--classpath={}", folder.display());
    processes
        .lines()
        .filter(|line| line.contains(&name))
        .count()
}

/// Waits until no run is left, for less time than the run was given.
#[cfg(unix)]
fn wait_for_end(folder: &Path) {
    let start = Instant::now();
    while runs_in(folder) > 0 {
        assert!(
            start.elapsed() < Duration::from_secs(120),
            "the run goes on"
        );
        thread::sleep(Duration::from_millis(50));
    }
}

#[cfg(unix)]
#[test]
#[ignore = "servers: a client"]
fn a_cancelled_run_ends_and_the_next_call_is_served() {
    let folder = tempfile::tempdir().unwrap();
    let mut cancelled = long_call(folder.path());
    cancelled["end"] = "cancel".into();
    let next = call("explain", &account(), &json!({"class": "bank.Account"}));
    let seen = client("auto", &json!([cancelled, next]));
    assert_eq!(seen["calls"][0]["cancelled"], true);
    assert_eq!(seen["calls"][1]["is_error"], false, "{seen}");
    wait_for_end(folder.path());
}

#[cfg(unix)]
#[test]
#[ignore = "servers: a client"]
fn a_run_ends_when_its_client_goes_away() {
    let folder = tempfile::tempdir().unwrap();
    let mut left = long_call(folder.path());
    left["end"] = "leave".into();
    let mut client = client_command("auto", &json!([left])).spawn().unwrap();
    let mut runs = 0;
    while client.try_wait().unwrap().is_none() {
        runs = runs.max(runs_in(folder.path()));
        thread::sleep(Duration::from_millis(50));
    }
    assert_eq!(runs, 1);
    wait_for_end(folder.path());
}
