//! `measure`: existing tests of JUnit on the engine, with JaCoCo's coverage and PIT's mutants.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;
use std::time::Duration;

use expect_test::expect;
use heapwright_testkit::coverage::coverage;
use heapwright_testkit::fixtures::{Fixture, project, without_seconds};
use heapwright_testkit::jdk::{compilers, jdks};
use heapwright_testkit::junit::{self, join};
use heapwright_testkit::mutation_by_pit::mutants;
use serde_json::{Value, json};

use crate::common::{
    has_ended_by_itself, in_time, program, summary_of, text, with_enough_time, without_measures,
};
use crate::summaries::faults;

const OPTIONS: [&str; 4] = ["-g", "-nowarn", "--release", "17"];

/// Classes under test.
fn classes() -> &'static Path {
    static CLASSES: OnceLock<PathBuf> = OnceLock::new();
    CLASSES.get_or_init(|| Fixture::new(&OPTIONS).package("measured").classes())
}

/// Fixture of tests, without sources.
fn suite() -> Fixture {
    let jars = junit::jars();
    let fixture = Fixture::new(&OPTIONS).against(classes());
    fixture.against(&jars.console).against(&jars.junit4)
}

/// The tests in the project.
fn tests() -> &'static Path {
    static TESTS: OnceLock<PathBuf> = OnceLock::new();
    TESTS.get_or_init(|| {
        suite()
            .folder(&project().join("fixtures/tests/measured"))
            .classes()
    })
}

/// Runs the verb on the classes that match a pattern.
pub(crate) fn measure(pattern: &str, tests: &Path, further: &[&str]) -> Output {
    command(pattern, tests, further).output().unwrap()
}

fn command(pattern: &str, tests: &Path, further: &[&str]) -> Command {
    let jars = junit::jars();
    let path = join(&[
        classes().to_owned(),
        jars.console,
        jars.junit4,
        jars.hamcrest,
    ]);
    let mut command = program();
    command
        .args(["measure", "--no-config", "-c", pattern, "-p"])
        .arg(path);
    command.arg("--jdk").arg(&jdks()[0].home);
    command.arg("--tests").arg(tests).args(further);
    command
}

/// Compiles one test class.
pub(crate) fn one_test(name: &str, source: &str) -> PathBuf {
    suite().text(name, source).classes()
}

#[test]
fn counts_are_those_of_jacoco() {
    let output = measure("measured.*", tests(), &["--json", "--mutants", "none"]);
    let summary = summary_of(&output);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let of_jacoco = coverage(&compilers()[0], classes(), tests(), &[], |_| true);
    let keys = ["instructions", "branches", "lines"];
    let counts = |class: &Value| {
        keys.map(|key| {
            let count = |what: &str| class[format!("{key}_{what}")].as_u64().unwrap() as u32;
            (count("covered"), count("total"))
        })
    };
    let by_class = summary["by_class"].as_array().unwrap().iter();
    let found: BTreeMap<String, _> = by_class
        .map(|class| (class["class"].as_str().unwrap().to_owned(), counts(class)))
        .collect();
    let of_jacoco = of_jacoco.classes.into_iter().map(|(class, of)| {
        let of = of.counters;
        let shares = [of.instructions, of.branches, of.lines];
        (class, shares.map(|share| (share.covered, share.total)))
    });
    // Its reports leave out classes without code.
    let of_jacoco = of_jacoco.filter(|(_, shares)| shares[0].1 > 0);
    assert_eq!(found, of_jacoco.collect());
    // Not everything is covered, and not nothing.
    let (covered, total) = counts(&summary)[0];
    assert!(covered > 300 && covered < total, "{covered} of {total}");
}

#[test]
fn tests_are_counted_as_junit_counts_them() {
    let summary = summary_of(&measure(
        "measured.*",
        tests(),
        &["--json", "--mutants", "none"],
    ));
    let run = junit::run_console_with(
        &jdks()[0].home.join("bin/java"),
        &[tests().to_owned()],
        &[classes().to_owned()],
    );
    assert_eq!(summary["tests_passed"], run.succeeded, "{summary}");
    assert_eq!(summary["tests"], run.found, "{summary}");
    let skipped = json!([
        {"test": "measured.AccountRulesTest.later", "reason": "not yet", "refused": false},
        {"test": "measured.AccountTest.later()", "reason": "not yet", "refused": false},
        {
            "test": "measured.AccountTest.onlySometimes()",
            "reason": "org.opentest4j.TestAbortedException: Assumption failed: a rich owner",
            "refused": false
        },
    ]);
    let mut found: Vec<Value> = summary["skipped"].as_array().unwrap().clone();
    found.sort_by_key(|test| test["test"].as_str().unwrap().to_owned());
    assert_eq!(Value::Array(found), skipped);
}

/// Names of PIT's operators, as options and as classes.
const OPERATORS: [(&str, &str); 15] = [
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
    (
        "REMOVE_CONDITIONALS_EQUAL_IF",
        "RemoveConditionalMutator_EQUAL_IF",
    ),
    (
        "REMOVE_CONDITIONALS_EQUAL_ELSE",
        "RemoveConditionalMutator_EQUAL_ELSE",
    ),
    (
        "REMOVE_CONDITIONALS_ORDER_IF",
        "RemoveConditionalMutator_ORDER_IF",
    ),
    (
        "REMOVE_CONDITIONALS_ORDER_ELSE",
        "RemoveConditionalMutator_ORDER_ELSE",
    ),
];

/// Mutants by class, method, line, operator and description, with their number.
type Counts = BTreeMap<(String, String, u32, String, String), usize>;

/// The mutants that a summary lists as alive.
fn listed(summary: &Value) -> Counts {
    let mut found = Counts::new();
    for mutant in summary["mutants_alive"].as_array().unwrap() {
        let text = |key: &str| mutant[key].as_str().unwrap().to_owned();
        let mut named = OPERATORS.iter();
        let named = named.find(|(name, _)| mutant["operator"] == *name);
        let key = (
            text("class"),
            text("method"),
            mutant["line"].as_u64().unwrap() as u32,
            named.unwrap().1.to_owned(),
            text("description"),
        );
        *found.entry(key).or_default() += 1;
    }
    found
}

/// Holds the mutants and verdicts by a group of operators against those by a group of PIT.
fn check_against_pit(group: &str, group_of_pit: Option<&str>) {
    let options = ["--json", "--mutants", group];
    let summary = summary_of(&measure("measured.*", tests(), &options));
    assert_eq!(faults(&summary, "measure"), Vec::<String>::new());
    // A test that reaches no mutant leaves all of them alive.
    let nothing = one_test(
        "NothingTest",
        "class NothingTest { @org.junit.jupiter.api.Test void nothing() {} }",
    );
    let all = listed(&summary_of(&measure("measured.*", &nothing, &options)));
    let patterns = ["measured.*".to_owned()];
    let of_pit = mutants(&compilers()[0], classes(), tests(), &patterns, group_of_pit);
    let (mut all_of_pit, mut alive_of_pit) = (Counts::new(), Counts::new());
    for mutant in of_pit {
        if mutant.operator.contains("Switch") {
            continue;
        }
        let (class, method) = (mutant.class, mutant.method);
        let key = (
            class,
            method,
            mutant.line,
            mutant.operator,
            mutant.description,
        );
        *all_of_pit.entry(key.clone()).or_default() += 1;
        if !mutant.is_killed {
            *alive_of_pit.entry(key).or_default() += 1;
        }
    }
    assert_eq!(all, all_of_pit);
    assert_eq!(listed(&summary), alive_of_pit);
    assert!(summary["killed"].as_u64() > Some(80), "{summary}");
}

#[test]
#[ignore = "servers: PIT"]
fn mutants_are_judged_as_by_pit() {
    check_against_pit("defaults", None);
}

#[test]
#[ignore = "servers: PIT"]
fn removed_conditions_are_judged_as_by_pit() {
    check_against_pit("stronger", Some("STRONGER"));
}

#[test]
fn results_do_not_depend_on_the_number_of_workers() {
    let run = |jobs: &str| {
        let output = measure("measured.*", tests(), &["--json", "--jobs", jobs]);
        without_measures(summary_of(&output))
    };
    assert_eq!(run("1"), run("3"));
}

/// Methods that are named count alone, with their lambdas, and as they do among all.
#[test]
fn methods_under_test_can_be_named() {
    let run = |methods: &[&str]| {
        let methods: Vec<&str> = methods.iter().flat_map(|name| ["-m", name]).collect();
        summary_of(&measure(
            "measured.*",
            tests(),
            &[&["--json"], &methods[..]].concat(),
        ))
    };
    let all = run(&[]);
    let named = run(&["doubled", "withdraw(long)", "Account"]);
    let alive = |summary: &Value, methods: &[&str]| {
        let alive = summary["mutants_alive"].as_array().unwrap().iter();
        let own = alive.filter(|mutant| methods.contains(&mutant["method"].as_str().unwrap()));
        own.cloned().collect::<Vec<Value>>()
    };
    let names = [
        "withdraw",
        "<init>",
        "doubled",
        "lambda$doubled$0",
        "lambda$doubled$1",
    ];
    let found = alive(&named, &names);
    assert_eq!(found, *named["mutants_alive"].as_array().unwrap());
    let own =
        |mutant: &Value| mutant["method"] != "<init>" || mutant["class"] == "measured.Account";
    let of_all: Vec<Value> = alive(&all, &names).into_iter().filter(own).collect();
    assert_eq!(found, of_all);
    let keys = [
        "mutants",
        "killed",
        "branches_covered",
        "branches_total",
        "lines_total",
    ];
    let counts = |summary: &Value| keys.map(|key| summary[key].as_u64().unwrap());
    expect!["[20, 18, 9, 10, 16]"].assert_eq(&format!("{:?}", counts(&named)));
    assert_eq!(named["tests_passed"], all["tests_passed"]);
}

const FAILING: &str = "package measured;
    import static org.junit.jupiter.api.Assertions.*;
    import org.junit.jupiter.api.*;
    class AgeTest {
        final Account account = new Account(\"Di\", 7);
        @Test void wrong() { assertEquals(8, account.balance()); }
        @Test void right() { assertFalse(account.withdraw(8)); }
        @Test void connects() throws Exception {
            assertTrue(account.withdraw(5));
            new java.net.Socket(\"localhost\", 1).close();
        }
    }
    class EndlessTest {
        @Test void endless() {
            assertTrue(new Account(\"Di\", 7).withdraw(7));
            for (int i = 0; i >= 0; i++) {
                i &= 7;
            }
        }
    }
    class OtherTest {
        @Test void exits() { System.exit(4); }
    }
    class BrokenTest {
        @BeforeAll static void fail() { throw new IllegalStateException(\"no \" + \"set-up\"); }
        @Test void never() {}
    }";

#[test]
fn tests_that_do_not_pass_are_named() {
    let tests = one_test("AgeTest", FAILING);
    let sources = project().join("fixtures/src");
    let options = [
        "--max-steps",
        "3000000",
        "--jvm-timeout",
        "3s",
        "--sources",
        sources.to_str().unwrap(),
    ];
    let output = measure("measured.Account", &tests, &options);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let printed = without_seconds(&text(&output.stdout));
    let lines = printed.lines();
    let lines = lines.filter(|line| line.contains("Test") || line.contains("tests pass"));
    let lines: Vec<&str> = lines.collect();
    expect![[r#"
        measured.AgeTest.connects() fails: java.net.ConnectException: Connection refused
        measured.AgeTest.wrong() fails: org.opentest4j.AssertionFailedError: expected: <8> but was: <0>
        measured.BrokenTest fails: java.lang.IllegalStateException: no set-up
        measured.OtherTest.exits() fails: it ends the JVM
        measured.EndlessTest.endless() could not be run: it does not end within 3000000 instructions (--max-steps)
        1 of 6 tests pass, 4 fail, 1 not run; at least 54 of 190 instructions, 4 of 18 branches, 15 of 42 lines, 5 of 37 mutants killed; … s; partial, without 1 test that could not be run"#]]
    .assert_eq(&lines.join("\n"));
    let alive = "measured.Account.withdraw:37 removed negation: no test that was run notices it\n    \
                 if (balance - amount < -limit) {\n";
    assert!(printed.contains(alive), "{printed}");
}

/// Tests of which one starts a process, which the engine refuses.
const OUTSIDE: &str = "package measured;
    import static org.junit.jupiter.api.Assertions.*;
    import org.junit.jupiter.api.Test;
    class OutsideTest {
        final Account account = new Account(\"Di\", 7);
        @Test void right() { assertFalse(account.withdraw(8)); }
        @Test void outside() {
            assertTrue(account.withdraw(5));
            try {
                new ProcessBuilder(\"unheard-of-program\").start();
                fail();
            } catch (java.io.IOException missing) {
                assertEquals(-5, account.balance());
            } catch (UnsupportedOperationException refused) {
                throw new AssertionError(\"refused\");
            }
        }
    }";

/// A test fails only if it does so on a JVM, too. Where it is not measured there, figures are lower
/// bounds.
#[test]
fn a_test_that_fails_on_the_engine_alone_is_not_run() {
    let tests = one_test("OutsideTest", OUTSIDE);
    let output = measure("measured.Account", &tests, &["--json", "--on", "engine"]);
    assert_eq!(output.status.code(), Some(3), "{output:?}");
    let summary = summary_of(&output);
    let counts = ["tests_passed", "tests_failed", "tests_not_run"].map(|key| &summary[key]);
    assert_eq!(counts, [1, 0, 1], "{summary}");
    assert_eq!(summary["lower_bound"], true);
    let text = text(&measure("measured.Account", &tests, &["--on", "engine"]).stdout);
    let last = text.lines().last().unwrap();
    assert!(
        last.starts_with("1 of 2 tests pass, 1 not run; at least "),
        "{last}"
    );
}

/// What the engine refuses a JVM measures, and both make one result: that of a JVM alone.
#[test]
fn what_the_engine_refuses_a_jvm_measures() {
    let tests = one_test("OutsideTest", OUTSIDE);
    let run = |on: &str| {
        let output = measure("measured.Account", &tests, &["--json", "--on", on]);
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        summary_of(&output)
    };
    let (both, jvm) = (run("auto"), run("jvm"));
    assert_eq!(verdicts(&both), verdicts(&jvm));
    assert_eq!(
        (&both["tests_passed"], &both["lower_bound"]),
        (&json!(2), &json!(false))
    );
    let engine = summary_of(&measure(
        "measured.Account",
        &tests,
        &["--json", "--on", "engine"],
    ));
    assert!(
        engine["killed"].as_u64() < both["killed"].as_u64(),
        "{engine} {both}"
    );
    assert!(engine["lines_covered"].as_u64() < both["lines_covered"].as_u64());
}

/// Coverage of each class, and the mutants that are alive.
pub(crate) fn verdicts(summary: &Value) -> Vec<Value> {
    let mut alive = summary["mutants_alive"].as_array().unwrap().clone();
    alive.sort_by_key(Value::to_string);
    let keys = [
        "by_class",
        "mutants",
        "killed",
        "mutants_not_reached",
        "tests_passed",
    ];
    let counts = keys.iter().map(|key| summary[*key].clone());
    counts.chain([Value::Array(alive)]).collect()
}

/// The engine and a JVM observe the same and judge the same mutants in the same way.
#[test]
#[ignore = "long"]
fn the_engine_and_a_jvm_agree() {
    let run = |on: &str| {
        let options = ["--json", "--mutants", "all", "--on", on];
        let output = measure("measured.*", tests(), &options);
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        summary_of(&output)
    };
    let (engine, jvm) = (run("engine"), run("jvm"));
    assert_eq!(verdicts(&engine), verdicts(&jvm));
    assert!(jvm["killed"].as_u64() > Some(80), "{jvm}");
}

/// A JVM that does not start is an error with what it says, or makes the result partial.
#[test]
fn a_jvm_that_does_not_start_is_explained() {
    let tests = one_test("OutsideTest", OUTSIDE);
    let wrong = ["--jvm-arg=-XX:NoSuchOption"];
    let alone = measure(
        "measured.Account",
        &tests,
        &[&wrong[..], &["--on", "jvm"]].concat(),
    );
    let message = refused(&alone, &[]);
    assert!(
        message.contains("the JVM does not start: Unrecognized VM option 'NoSuchOption'"),
        "{message}"
    );
    let both = measure(
        "measured.Account",
        &tests,
        &[&wrong[..], &["--json"]].concat(),
    );
    assert_eq!(both.status.code(), Some(3), "{both:?}");
    let summary = summary_of(&both);
    assert_eq!(summary["tests_not_run"], 1, "{summary}");
    let reason = summary["skipped"][0]["reason"].as_str().unwrap();
    assert!(
        reason.contains("no JVM has run it: the JVM does not start"),
        "{reason}"
    );
}

/// Standard error of a wrong request, with paths replaced.
fn refused(output: &Output, paths: &[(&Path, &str)]) -> String {
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert!(output.stdout.is_empty(), "{output:?}");
    let mut message = text(&output.stderr);
    for (path, name) in paths {
        message = message.replace(path.to_str().unwrap(), name);
    }
    message
}

#[test]
fn wrong_requests_are_explained() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let (sources, empty, plain) = (path("sources"), path("empty"), path("plain"));
    std::fs::create_dir_all(sources.join("a")).unwrap();
    std::fs::write(
        sources.join("a/OneTest.java"),
        "package a; class OneTest {}",
    )
    .unwrap();
    std::fs::create_dir(&empty).unwrap();
    suite()
        .text("Plain", "package measured; class Plain {}")
        .copied_to(&plain);
    let known = [(folder.path(), "DIR")];
    let message = |tests: &Path| refused(&measure("measured.Account", tests, &[]), &known);
    expect![[r#"
        heapwright: DIR/missing does not exist: --tests names the folder or jar of compiled tests
    "#]]
    .assert_eq(&message(&path("missing")));
    expect![[r#"
        heapwright: DIR/empty has no class files: --tests names the folder or jar of compiled tests
    "#]]
    .assert_eq(&message(&empty));
    expect![[r#"
        heapwright: no tests found in DIR/plain
    "#]]
    .assert_eq(&message(&plain));
    let uncompiled = message(&sources);
    let command = "DIR/sources has Java sources only; compile them first: javac -g -d OUT -cp ";
    assert!(uncompiled.contains(command), "{uncompiled}");

    let gone = measure("measured.Account", tests(), &["-m", "gone"]);
    expect![[r#"
        heapwright: class measured.Account has no method gone; it has Account(java.lang.String,long), owner(), balance(), deposit(long), withdraw(long), check(long), largest(), movements(), last(int), interest(int), Savings(java.lang.String), lock(int), pass(int), withdraw(long), never()
    "#]].assert_eq(&refused(&gone, &[]));

    // Another version of a class under test among the tests.
    let other = "package measured; public class Account {}";
    suite().text("Account", other).copied_to(&path("twice"));
    let twice = refused(
        &measure("measured.Account", &path("twice"), &[]),
        &[(folder.path(), "DIR"), (classes(), "CLASSES")],
    );
    expect![[r#"
        heapwright: class measured.Account is in DIR/twice/measured/Account.class and, with other contents, in CLASSES/measured/Account.class: leave one of them out
    "#]]
    .assert_eq(&twice);

    // The framework is not on the class path.
    let output = program()
        .args(["measure", "--no-config", "-c", "measured.Account", "-p"])
        .arg(classes())
        .arg("--jdk")
        .arg(&jdks()[0].home)
        .arg("--tests")
        .arg(tests())
        .output()
        .unwrap();
    expect![[r#"
        heapwright: tests of JUnit 5 need org.junit.jupiter:junit-jupiter-engine and org.junit.platform:junit-platform-launcher on the class path
    "#]]
    .assert_eq(&refused(&output, &[]));
}

/// Tests that were compiled against other versions of the classes fail by name.
#[test]
fn tests_of_another_version_fail() {
    let newer = Fixture::new(&OPTIONS).text(
        "Account",
        "package measured; public class Account { public Account(String owner, long limit) {}
         public int score() { return 1; } }",
    );
    let jars = junit::jars();
    let tests = Fixture::new(&OPTIONS)
        .against(&newer.classes())
        .against(&jars.console)
        .text(
            "ScoreTest",
            "package measured; class ScoreTest { @org.junit.jupiter.api.Test void scores() {
             new Account(\"Al\", 0).score(); } }",
        )
        .classes();
    let output = measure("measured.Account", &tests, &["--json"]);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let summary = summary_of(&output);
    let reason = "java.lang.NoSuchMethodError: 'int measured.Account.score()'";
    let failing =
        json!([{"test": "measured.ScoreTest.scores()", "reason": reason, "refused": false}]);
    assert_eq!(summary["failing"], failing);
}

/// A library that is missing is named, where the framework cannot even find the tests.
#[test]
fn a_missing_library_is_named() {
    let jars = junit::jars();
    let library = "package library; public class Box {}";
    let library = Fixture::new(&OPTIONS).text("Box", library).classes();
    let test = "package measured; class BoxTest {
        library.Box box(library.Box box) { return box; }
        @org.junit.jupiter.api.Test void boxes() { box(null); }
    }";
    let tests = Fixture::new(&OPTIONS).against(&library);
    let tests = tests.against(&jars.console).text("BoxTest", test).classes();
    let output = measure("measured.Account", &tests, &["--json"]);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let reason = "java.lang.NoClassDefFoundError: library/Box";
    let failing = json!([{"test": "measured.BoxTest", "reason": reason, "refused": false}]);
    assert_eq!(summary_of(&output)["failing"], failing);
}

/// A limit of time holds, and says that the result is partial.
#[test]
fn a_limit_of_time_holds() {
    let endless = "package measured; class EndlessTest {
        @org.junit.jupiter.api.Test void endless() { for (int i = 0; i >= 0; i++) { i &= 7; } }
    }";
    let tests = one_test("EndlessTest", endless);
    let run = |limit: &str| {
        let steps = "1000000000000";
        let limits = ["--json", "--time-limit", limit, "--max-steps", steps];
        let mut command = command("measured.Account", &tests, &limits);
        let limit = limit.strip_suffix("ms").unwrap().parse().unwrap();
        in_time(
            &mut command,
            Duration::from_millis(limit) + Duration::from_secs(3),
        )
    };
    let output = with_enough_time(1_000, run, has_ended_by_itself);
    assert_eq!(output.status.code(), Some(3), "{output:?}");
    assert_eq!(summary_of(&output)["stopped_by"], "--time-limit");
}

/// Mutants that no test was run on before a limit are neither alive nor killed.
#[test]
fn what_was_not_tried_is_told() {
    let tests = one_test(
        "FirstTest",
        "package measured; class FirstTest {
            @org.junit.jupiter.api.Test void right() { new Account(\"Di\", 7).withdraw(8); }
        }
        class LastTest {
            @org.junit.jupiter.api.Test void endless() { for (int i = 0; i >= 0; i++) { i &= 7; } }
        }",
    );
    let run = |limit: &str, more: &[&str]| {
        let limits = ["--time-limit", limit, "--max-steps", "1000000000000"];
        measure("measured.Account", &tests, &[&limits, more].concat())
    };
    // On a slow machine the time may be over before the mutants are known.
    let has_mutants = |output: &Output| {
        let summary: Value = serde_json::from_slice(&output.stdout).unwrap_or_default();
        summary["mutants"].as_u64() > Some(0)
    };
    let output = with_enough_time(4_000, |limit| run(limit, &["--json"]), has_mutants);
    let summary = summary_of(&output);
    assert_eq!(
        (&summary["killed"], &summary["lower_bound"]),
        (&json!(0), &json!(true))
    );
    assert_eq!(summary["mutants_untried"], summary["mutants"], "{summary}");
    assert_eq!(summary["mutants_alive"], json!([]));
    let has_mutants = |output: &Output| text(&output.stdout).contains(" mutants killed");
    let output = with_enough_time(4_000, |limit| run(limit, &[]), has_mutants);
    let text = text(&output.stdout);
    assert!(
        text.contains("0 of 37 mutants killed (37 not tried)"),
        "{text}"
    );
}
