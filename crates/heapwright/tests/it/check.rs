//! `heapwright check`: planted faults are found in the smallest scope that shows them. Reproducers
//! fail on a real JVM for the same reason, and wrong requests are named.

use std::path::{Path, PathBuf};
use std::process::Output;
use std::sync::OnceLock;

use expect_test::{Expect, expect};
use heapwright_testkit::fixtures::{self, compile, files, project, without_seconds};
use heapwright_testkit::jdk::{compilers, jdks};
use heapwright_testkit::junit;
use serde_json::Value;

use crate::common::{program, sources_of, summary_of, text};

/// Fixtures and the classes in `tests/check`, compiled by the oldest compiler.
fn classes() -> &'static str {
    static CLASSES: OnceLock<PathBuf> = OnceLock::new();
    let all = || fixtures::all().folder(&sources_of("check")).classes();
    CLASSES.get_or_init(all).to_str().unwrap()
}

fn check(class: &str, arguments: &[&str]) -> Output {
    program()
        .args([
            "check",
            "--junit-check",
            "none",
            "-p",
            classes(),
            "-c",
            class,
        ])
        .args(["--jdk", jdks()[0].home.to_str().unwrap()])
        .args(arguments)
        .output()
        .unwrap()
}

/// Planted fault and the scope that shows it.
struct Fault {
    class: String,
    method: String,
    scope: u32,
    objects: u64,
    kind: String,
    oracle: String,
    against: String,
}

impl Fault {
    fn check(&self, scope: u32, further: &[&str]) -> Output {
        let scope = scope.to_string();
        let mut arguments = vec!["--scope", &scope, "--json"];
        if !self.oracle.is_empty() {
            arguments.extend(["--oracle", &self.oracle]);
        }
        if !self.against.is_empty() {
            arguments.extend(["--against", &self.against]);
        }
        arguments.extend_from_slice(further);
        check(&self.class, &arguments)
    }
}

fn faults() -> Vec<Fault> {
    let csv = std::fs::read_to_string(project().join("fixtures").join("faults.csv")).unwrap();
    let faults: Vec<Fault> = csv
        .lines()
        .skip(1)
        .map(|line| {
            let row: Vec<&str> = line.split(',').collect();
            Fault {
                class: format!("faults.{}", row[0]),
                method: row[1].to_owned(),
                scope: row[2].parse().unwrap(),
                objects: row[3].parse().unwrap(),
                kind: row[4].to_owned(),
                oracle: row[5].to_owned(),
                against: row[6].to_owned(),
            }
        })
        .collect();
    let sources = files(&project().join("fixtures/src/faults"), "java");
    assert_eq!(faults.len(), sources.len(), "each class has a row");
    faults
}

#[test]
#[ignore = "long"]
fn faults_are_found_where_they_first_show() {
    for fault in faults() {
        let Fault { class, scope, .. } = &fault;
        if *scope > 1 {
            let output = fault.check(scope - 1, &[]);
            assert!(output.status.success(), "{class}, smaller: {output:?}");
        }
        // A larger scope finds no smaller counterexample.
        for scope in [*scope, scope + 1] {
            let output = fault.check(scope, &[]);
            assert_eq!(output.status.code(), Some(1), "{class}: {output:?}");
            let summary = summary_of(&output);
            // A method is not called on structures after one on which it did not end.
            let mut methods = summary["methods"].as_array().unwrap().iter();
            let is_whole = methods.all(|method| method["left_out"] == 0);
            let status = if is_whole { "complete" } else { "partial" };
            assert_eq!(summary["status"], status, "{class}");
            let found = summary["counterexamples"].as_array().unwrap();
            assert_eq!(found.len(), 1, "{class} {scope}: {found:?}");
            let method = found[0]["method"].as_str().unwrap();
            assert_eq!(method.split('(').next(), Some(fault.method.as_str()));
            assert_eq!(found[0]["kind"], *fault.kind, "{class} {scope}");
            assert_eq!(found[0]["objects"], fault.objects, "{class} {scope}");
        }
    }
}

/// JUnit's message for a reproducer's failure.
fn failure_on_jvm(kind: &str, reason: &str, version: &str) -> String {
    match kind {
        "does-not-end" if version == "4" => "timed out after 5000 milliseconds".to_owned(),
        "does-not-end" => "timed out after 5000 ms".to_owned(),
        // JUnit prints the message of the exception.
        "throws" => {
            let line = reason.lines().next().unwrap();
            line.split_once(": ").unwrap().1.to_owned()
        }
        "disagrees" if version == "4" => "expected:<".to_owned(),
        "disagrees" => "expected: <".to_owned(),
        _ if version == "4" => "java.lang.AssertionError".to_owned(),
        _ => "expected: <true> but was: <false>".to_owned(),
    }
}

/// Writes the reproducers of all faults, compiles them without a warning and runs them. Returns the
/// number of those that were reported as built by calls.
fn reproducers_fail_alike(version: &str, further: &[&str], java: &Path) -> usize {
    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().join("src");
    let (mut expected, mut by_calls) = (Vec::new(), 0);
    for fault in faults() {
        let to = source.to_str().unwrap();
        let options = [&["-o", to, "--junit", version], further].concat();
        let output = fault.check(fault.scope, &options);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        by_calls += usize::from(said.contains("1 of 1 inputs are made by calls"));
        let found = summary_of(&output)["counterexamples"][0].clone();
        let reason = found["reason"].as_str().unwrap().to_owned();
        expected.push((
            format!("{}_", fault.method),
            failure_on_jvm(&fault.kind, &reason, version),
        ));
    }
    let classes_of_tests = folder.path().join("classes");
    let jars = junit::jars();
    let class_path = [jars.console, jars.junit4, jars.hamcrest, classes().into()];
    let options = ["-Xlint:all", "-Werror", "--release", "17"];
    let sources = files(&source, "java");
    compile(
        &compilers()[0],
        &sources,
        &class_path,
        &classes_of_tests,
        &options,
    );
    let report = junit::run_console_with(java, &[classes_of_tests], &[classes().into()]);
    assert_eq!(
        (report.found, report.failed),
        (expected.len(), expected.len()),
        "{}",
        report.output
    );
    for (name, failure) in expected {
        let mut lines = report.output.lines();
        assert!(
            lines.any(|line| line.contains(&name) && line.contains(&failure)),
            "no test {name} with {failure} in:\n{}",
            report.output
        );
    }
    by_calls
}

#[test]
#[ignore = "long"]
fn reproducers_fail_on_real_jvms_for_the_same_reason() {
    let calls = &["--prefer-api"][..];
    let mut options = [("5", calls), ("4", &[])].into_iter().cycle();
    for jdk in jdks() {
        let java = jdk.home.join("bin").join("java");
        let (version, further) = options.next().unwrap();
        let by_calls = reproducers_fail_alike(version, further, &java);
        // Most are built by calls where the class allows it.
        assert_eq!(by_calls > 5, !further.is_empty(), "{by_calls}");
    }
}

#[test]
fn drawings_are_written_beside_the_tests() {
    let folder = tempfile::tempdir().unwrap();
    let to = folder.path().to_str().unwrap();
    let output = check("faults.AvlTree", &["--scope", "3", "-o", to]);
    assert_eq!(output.status.code(), Some(1));
    let drawing = folder.path().join("faults/AvlTreeCounterexample1.svg");
    let drawing = std::fs::read_to_string(drawing).unwrap();
    for text in ["before insert(1)", "after: breaks the invariant repOK"] {
        assert!(drawing.contains(text), "{text}");
    }
    // Handwritten files are preserved.
    let test = folder.path().join("faults/AvlTreeCounterexampleTest.java");
    std::fs::write(&test, "class ByHand {}\n").unwrap();
    let output = check("faults.AvlTree", &["--scope", "3", "-o", to]);
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(std::fs::read_to_string(&test).unwrap(), "class ByHand {}\n");
}

/// Output of a run on both streams, and its exit code.
fn says(class: &str, arguments: &[&str], expected: &Expect) {
    let output = check(class, arguments);
    let printed = format!(
        "{}{}\nexit {}\n",
        text(&output.stderr),
        without_seconds(&text(&output.stdout)),
        output.status.code().unwrap()
    );
    expected.assert_eq(&printed);
}

#[test]
fn says_what_was_covered() {
    says(
        "fixtures.tree.SearchTree",
        &["--args", "3"],
        &expect![[r#"
            size(): 15 structures × 1 call in 9 runs, all keep the invariant
            isEmpty(): 15 structures × 1 call in 9 runs, all keep the invariant
            contains(int): 15 structures × 4 calls in 48 runs, all keep the invariant
            insert(int): 15 structures × 4 calls in 48 runs, all keep the invariant
            remove(int): 15 structures × 4 calls in 48 runs, all keep the invariant
            min(): 15 structures × 1 call in 9 runs, all keep the invariant; 1 rejected
            SearchTree (3): 15 structures, 225 calls, 53 leaves explored, … s; complete; no counterexample
            exit 0
        "#]],
    );
}

#[test]
fn draws_what_was_found() {
    says(
        "faults.ArrayDeque",
        &["--scope", "2", "--draw"],
        &expect![[r#"
            ArrayDeque.addFirst(0) throws java.lang.ArrayIndexOutOfBoundsException: Index -1 out of bounds for length 1
                at faults.ArrayDeque.addFirst(int):16
              before:
                ┌────────────┐
                │ ArrayDeque │
                ├────────────┤
                │ head = 0   │
                │ size = 0   │
                └──────┬─────┘
                       │ slots
                       ▼
                  ┌────────┐
                  │ int[1] │
                  ├────────┤
                  │ 0      │
                  └────────┘
              threw java.lang.ArrayIndexOutOfBoundsException
              after:
                ┌────────────┐
                │ ArrayDeque │
                ├────────────┤
                │ head = -1  │
                │ size = 0   │
                └──────┬─────┘
                       │ slots
                       ▼
                  ┌────────┐
                  │ int[1] │
                  ├────────┤
                  │ 0      │
                  └────────┘
            addFirst(int): 20 structures × 2 calls in 5 runs, 20 fail; 4 rejected
            addLast(int): 20 structures × 2 calls in 6 runs, all keep the invariant; 4 rejected
            removeFirst(): 20 structures × 1 call in 7 runs, all keep the invariant; 10 rejected
            ArrayDeque (scope 2): 20 structures, 100 calls, 4 leaves explored, … s; complete; 1 counterexample
            exit 1
        "#]],
    );
}

#[test]
fn shows_the_line_that_throws() {
    let sources = project().join("fixtures/src");
    let sources = sources.to_str().unwrap();
    let output = check("faults.ArrayDeque", &["--scope", "2", "--sources", sources]);
    let printed = text(&output.stdout).replace(sources, "SOURCES");
    let excerpt: String = printed
        .lines()
        .filter(|line| line.contains(['|', '>']))
        .map(|line| format!("{line}\n"))
        .collect();
    expect![[r#"
          --> SOURCES/faults/ArrayDeque.java:16:9
           |
        16 |         slots[head] = value;
           |         ^^^^^^^^^^^^^^^^^^^^
    "#]]
    .assert_eq(&excerpt);
}

#[test]
fn says_what_was_found() {
    says(
        "faults.PurgeList",
        &["--scope", "3"],
        &expect![[r#"
            PurgeList.removeAll(1) does not end (the limit of instructions in one run was reached, at faults.PurgeList.removeAll(int):18)
              before: PurgeList{first: Node{value: 0, next: Node{value: 1, next: Node{value: 1}}}}
              did not end
              after:  PurgeList{first: Node{value: 0, next: Node{value: 1, next: Node{value: 1}}}}
            removeAll(int): 18 structures, 53 calls in 21 runs, 1 fail; not called on 22 structures after it did not end
            PurgeList (scope 3): 40 structures, 53 calls, 10 leaves explored, … s; partial, without calls on 22 structures after one that did not end; 1 counterexample
            exit 1
        "#]],
    );
    says(
        "faults.ArrayDeque",
        &["--scope", "2"],
        &expect![[r#"
            ArrayDeque.addFirst(0) throws java.lang.ArrayIndexOutOfBoundsException: Index -1 out of bounds for length 1
                at faults.ArrayDeque.addFirst(int):16
              before: ArrayDeque{slots: int[]{0}, head: 0, size: 0}
              threw java.lang.ArrayIndexOutOfBoundsException
              after:  ArrayDeque{slots: int[]{0}, head: -1, size: 0}
            addFirst(int): 20 structures × 2 calls in 5 runs, 20 fail; 4 rejected
            addLast(int): 20 structures × 2 calls in 6 runs, all keep the invariant; 4 rejected
            removeFirst(): 20 structures × 1 call in 7 runs, all keep the invariant; 10 rejected
            ArrayDeque (scope 2): 20 structures, 100 calls, 4 leaves explored, … s; complete; 1 counterexample
            exit 1
        "#]],
    );
}

#[test]
fn methods_are_chosen_by_name_and_types() {
    says(
        "probe.Box",
        &["--scope", "2", "-m", "put(int)", "-m", "take"],
        &expect![[r#"
            put(int): 2 structures × 2 calls in 1 run, all keep the invariant
            take(): 2 structures × 1 call, all keep the invariant
            Box (scope 2): 2 structures, 6 calls, 1 leaf explored, … s; complete; no counterexample
            exit 0
        "#]],
    );
    says(
        "probe.Box",
        &["--scope", "2"],
        &expect![[r#"
            heapwright: takeAll(long,long,long,long,long,long,long,long,long,long,long,long,long,long,long,long,long,long,long,long,long) is not called: its parameters have more than 49932 combinations of values
            put(int): 2 structures × 2 calls in 1 run, all keep the invariant
            put(java.lang.String,probe.Box,int[],java.lang.Runtime): 2 structures, 256 calls, all keep the invariant; 112 rejected; only null for java.lang.Runtime
            take(): 2 structures × 1 call, all keep the invariant
            Box (scope 2): 2 structures, 262 calls, 1 leaf explored, … s; partial, without objects of java.lang.Runtime, calls of takeAll(long,long,long,long,long,long,long,long,long,long,long,long,long,long,long,long,long,long,long,long,long); no counterexample
            exit 3
        "#]],
    );
    says(
        "probe.Box",
        &["--scope", "2", "-m", "put(char)"],
        &expect![[r#"
            heapwright: class probe.Box has no method put(char); it has put(int), put(java.lang.String,probe.Box,int[],java.lang.Runtime), take(), takeAll(long,long,long,long,long,long,long,long,long,long,long,long,long,long,long,long,long,long,long,long,long)

            exit 2
        "#]],
    );
}

/// Types that nothing implements have objects of anonymous classes, those of the library objects
/// that its members make.
#[test]
fn types_without_values_have_objects_that_calls_make() {
    says(
        "api.Reception",
        &["--scope", "2"],
        &expect![[r#"
            admit(api.Reception$Guest): 2 structures, 10 calls, all keep the invariant; 4 rejected
            read(java.io.Reader): 2 structures, 6 calls, all keep the invariant; 2 rejected
            size(java.nio.charset.Charset): 2 structures, 6 calls, all keep the invariant; 2 rejected
            day(java.time.LocalDate): 2 structures, 8 calls, all keep the invariant; 2 rejected
            follows(java.util.Comparator,java.lang.String): 2 structures, 24 calls, all keep the invariant; 12 rejected
            apply(java.util.function.Function): 2 structures, 4 calls, all keep the invariant; 2 rejected
            seat(api.Reception$Host,api.Reception$Guest): 2 structures, 50 calls, all keep the invariant; 20 rejected
            total(): 2 structures × 1 call, all keep the invariant
            Reception (scope 2): 2 structures, 110 calls, 1 leaf explored, … s; complete, without other objects of api.Reception$Guest, api.Reception$Host, java.io.Reader, java.nio.charset.Charset, java.time.LocalDate, java.util.Comparator, java.util.function.Function; no counterexample
            exit 0
        "#]],
    );
    says(
        "api.Party",
        &["--scope", "1"],
        &expect![[r#"
            Party.share(new Guest() {age -> 0, name -> ""}) throws java.lang.ArithmeticException: / by zero
                at api.Party.share(api.Reception$Guest):6
              before: Party{}
              threw java.lang.ArithmeticException
              after:  Party{}
            share(api.Reception$Guest): 1 structure, 5 calls, 1 fail; 2 rejected
            Party (scope 1): 1 structure, 5 calls, 1 leaf explored, … s; complete, without other objects of api.Reception$Guest; 1 counterexample
            exit 1
        "#]],
    );
}

/// Scripted objects end loops and throw. What they throw is expected, also as a cause.
#[test]
fn objects_with_scripts_reach_what_constant_ones_do_not() {
    says(
        "api.Ferry",
        &["--scope", "1"],
        &expect![[r#"
        Ferry.load(new Dock() {next -> true then false, weight -> 0}) breaks the invariant repOK
          before: Ferry{load: 0}
          returned 1
          after:  Ferry{load: 1}
        Ferry.weigh(new Dock() {next -> throw IllegalStateException, weight -> throw IOException}) throws java.lang.ArithmeticException: / by zero
            at api.Ferry.weigh(api.Ferry$Dock):27
          before: Ferry{load: 0}
          threw java.lang.ArithmeticException
          after:  Ferry{load: 0}
        load(api.Ferry$Dock): 1 structure, 5 calls, 1 fail; 2 rejected
        weigh(api.Ferry$Dock): 1 structure, 5 calls, 1 fail; 1 rejected
        pass(api.Ferry$Dock): 1 structure, 5 calls, all keep the invariant; 2 rejected
        stop(api.Ferry$Dock): 1 structure, 5 calls, all keep the invariant; 2 rejected
        Ferry (scope 1): 1 structure, 20 calls, 1 leaf explored, … s; complete, without other objects of api.Ferry$Dock; 2 counterexamples
        exit 1
    "#]],
    );
}

#[test]
fn refusals_are_expected_and_counted() {
    says(
        "probe.Refuser",
        &["--scope", "2"],
        &expect![[r#"
            Refuser.nullOfItsOwn(0) throws java.lang.NullPointerException: Cannot invoke "String.length()" because "<local2>" is null
                at probe.Refuser.nullOfItsOwn(int):31
              before: Refuser{count: 0}
              threw java.lang.NullPointerException
              after:  Refuser{count: 0}
            Refuser.own() throws probe.Refuser$Full: full
                at probe.Refuser.own():41
              before: Refuser{count: 0}
              threw probe.Refuser$Full
              after:  Refuser{count: 0}
            Refuser.late(1) breaks the invariant repOK
              before: Refuser{count: 0}
              threw java.lang.IllegalStateException
              after:  Refuser{count: -1}
            usual(int): 1 structure × 2 calls, all keep the invariant; 1 rejected
            declared(): 1 structure × 1 call, all keep the invariant; 1 rejected
            nullArgument(java.lang.String): 1 structure × 4 calls, all keep the invariant; 1 rejected
            nullOfItsOwn(int): 1 structure × 2 calls, 1 fail
            bounds(int): 1 structure × 2 calls, all keep the invariant; 1 rejected
            own(): 1 structure × 1 call, 1 fail
            late(int): 1 structure × 2 calls, 1 fail
            Refuser (scope 2): 1 structure, 14 calls, 2 leaves explored, … s; complete; 3 counterexamples
            exit 1
        "#]],
    );
    says(
        "probe.Refuser",
        &[
            "--scope",
            "2",
            "--expect-exception",
            "IndexOutOfBoundsException",
            "--expect-exception",
            "probe.Refuser$Full",
        ],
        &expect![[r#"
            Refuser.nullOfItsOwn(0) throws java.lang.NullPointerException: Cannot invoke "String.length()" because "<local2>" is null
                at probe.Refuser.nullOfItsOwn(int):31
              before: Refuser{count: 0}
              threw java.lang.NullPointerException
              after:  Refuser{count: 0}
            Refuser.late(1) breaks the invariant repOK
              before: Refuser{count: 0}
              threw java.lang.IllegalStateException
              after:  Refuser{count: -1}
            usual(int): 1 structure × 2 calls, all keep the invariant; 1 rejected
            declared(): 1 structure × 1 call, all keep the invariant; 1 rejected
            nullArgument(java.lang.String): 1 structure × 4 calls, all keep the invariant; 1 rejected
            nullOfItsOwn(int): 1 structure × 2 calls, 1 fail
            bounds(int): 1 structure × 2 calls, all keep the invariant; 1 rejected
            own(): 1 structure × 1 call, all keep the invariant; 1 rejected
            late(int): 1 structure × 2 calls, 1 fail
            Refuser (scope 2): 1 structure, 14 calls, 2 leaves explored, … s; complete; 2 counterexamples
            exit 1
        "#]],
    );
}

#[test]
fn what_the_engine_refuses_is_counted() {
    says(
        "probe.Worker",
        &["--scope", "1"],
        &expect![[r#"
            heapwright: 4 calls met an unsupported operation and have no result; the first: start(): unsupported: java.lang.Thread.start(): threads are not run
            start(): 2 structures × 1 call; 2 refused
            leave(): 2 structures × 1 call; 2 refused
            isBusy(): 2 structures × 1 call, all keep the invariant
            Worker (scope 1): 2 structures, 6 calls, 1 leaf explored, … s; partial, without an answer on 4 calls; no counterexample
            exit 3
        "#]],
    );
}

#[test]
#[ignore = "long"]
fn invariants_that_fail_afterwards_are_told_apart() {
    says(
        "probe.Stuck",
        &["--scope", "2"],
        &expect![[r#"
            heapwright: no result for 1 call of eat(), which takes more memory than there is, at probe.Stuck.eat():22 (--max-memory); the smallest is eat() on Stuck{mode: 0}
            Stuck.loop() leaves an object whose invariant repOK does not end (more than 10000000 instructions, at probe.Stuck.repOK():27)
              before: Stuck{mode: 0}
              returned
              after:  Stuck{mode: 100}
            Stuck.fault() leaves an object whose invariant repOK throws java.lang.IllegalStateException
              before: Stuck{mode: 0}
              returned
              after:  Stuck{mode: 101}
            Stuck.recurse() throws java.lang.StackOverflowError
                at probe.Stuck.recurse():16
                at probe.Stuck.recurse():16
                at probe.Stuck.recurse():16
                at probe.Stuck.recurse():16
                at probe.Stuck.recurse():16
                at probe.Stuck.recurse():16
                at probe.Stuck.recurse():16
                at probe.Stuck.recurse():16
              before: Stuck{mode: 0}
              threw java.lang.StackOverflowError
              after:  Stuck{mode: 0}
            loop(): 1 structure × 1 call, 1 fail; not called on 1 structure after it did not end
            fault(): 2 structures × 1 call, 2 fail
            recurse(): 2 structures × 1 call, 2 fail
            eat(): 1 structure × 1 call; 1 at a limit; not called on 1 structure after it did not end
            Stuck (scope 2): 2 structures, 6 calls, 1 leaf explored, … s; partial, without other values of the depth of the stack, an answer on 1 call, calls on 2 structures after one that did not end; 3 counterexamples
            exit 1
        "#]],
    );
}

#[test]
fn oracles_see_the_state_before() {
    let oracle = ["--scope", "3", "--oracle", "add=probe.Rules.adds"];
    says(
        "probe.Counter",
        &oracle,
        &expect![[r#"
            Counter.add(0) fails the oracle probe.Rules.adds(probe.Counter, int, probe.Counter)
              before: Counter{cell: Cell{value: 2}}
              returned
              after:  Counter{cell: Cell{value: 3}}
            add(int): 3 structures × 3 calls, 1 fail
            Counter (scope 3): 3 structures, 9 calls, 2 leaves explored, … s; complete; 1 counterexample
            exit 1
        "#]],
    );
    let folder = tempfile::tempdir().unwrap();
    let to = folder.path().to_str().unwrap();
    let output = check("probe.Counter", &[&oracle[..], &["-o", to]].concat());
    assert_eq!(output.status.code(), Some(1));
    let test = folder.path().join("probe/CounterCounterexampleTest.java");
    let test = std::fs::read_to_string(test).unwrap();
    assert!(
        test.contains("assertTrue(Rules.adds(counter1, 0, counter0))"),
        "{test}"
    );
}

/// Arrays, longs, enums and objects of the structure pass through an oracle and a reproducer.
#[test]
fn oracles_take_every_kind_of_argument() {
    let arguments = ["--scope", "2", "--oracle", "twice=isTwice"];
    says(
        "probe.Numbers",
        &arguments,
        &expect![[r#"
            Numbers.twice(this.first, 1, true) fails the oracle probe.Numbers.isTwice(java.lang.Object, probe.Numbers$Cell, long, boolean, probe.Numbers, long)
              before: Numbers{first: Cell{number: 1}, counts: int[]{0, 0}}
              returned 0
              after:  Numbers{first: Cell{number: 1}, counts: int[]{0, 0}}
            Numbers.add(LEFT, 0) breaks the invariant repOK
              before: Numbers{first: Cell{number: 0, next: Cell{number: 0}}, counts: int[]{0, 0}}
              returned
              after:  Numbers{first: Cell{number: 0, next: Cell{number: 0, next: Cell{number: 0}}}, counts: int[]{1, 0}}
            add(probe.Numbers$Side,long): 24 structures × 6 calls in 6 runs, 64 fail; 48 rejected
            twice(probe.Numbers$Cell,long,boolean): 24 structures, 256 calls, 12 fail
            Numbers (scope 2): 24 structures, 400 calls, 7 leaves explored, … s; complete; 2 counterexamples
            exit 1
        "#]],
    );
    let folder = tempfile::tempdir().unwrap();
    let to = folder.path().to_str().unwrap();
    check("probe.Numbers", &[&arguments[..], &["-o", to]].concat());
    let test = folder.path().join("probe/NumbersCounterexampleTest.java");
    let jars = junit::jars();
    let class_path = [jars.console, classes().into()];
    let options = ["-Xlint:all", "-Werror", "--release", "17"];
    let compiled = folder.path().join("classes");
    compile(&compilers()[0], &[test], &class_path, &compiled, &options);
    let java = jdks()[0].home.join("bin").join("java");
    let report = junit::run_console_with(&java, &[compiled], &[classes().into()]);
    assert_eq!((report.found, report.failed), (2, 2), "{}", report.output);
    assert!(report.output.contains("expected: <true> but was: <false>"));
}

#[test]
fn what_makes_objects_is_called() {
    says(
        "probe.Range",
        &["--scope", "2"],
        &expect![[r#"
        Range.Range(0) makes an object that breaks the invariant repOK
          returned
          after:  Range{low: 1, high: 0}
        Range.turned(this) makes an object that breaks the invariant repOK
          before: Range{low: 0, high: 1}
          returned an probe.Range
          after:  Range{low: 1, high: 0}
        Range.empty(this) breaks the invariant repOK
          before: Range{low: 0, high: 0}
          returned
          after:  Range{low: 0, high: -1}
        Range(int,int): 4 calls, all keep the invariant; 1 rejected
        Range(int): 2 calls, 1 fail
        between(int,int): 4 calls, all keep the invariant
        turned(probe.Range): 3 structures, 6 calls, 1 fail; 3 rejected
        empty(probe.Range): 3 structures, 6 calls in 2 runs, 3 fail; 3 rejected
        Range (scope 2): 3 structures, 22 calls, 2 leaves explored, … s; complete; 3 counterexamples
        exit 1
    "#]],
    );
    says(
        "probe.Numbers",
        &["--scope", "1", "-m", "Numbers"],
        &expect![[r#"
            heapwright: the invariant holds for no structure within the bounds, which --explain-bounds shows
            Numbers.Numbers() makes an object that breaks the invariant repOK
              returned
              after:  Numbers{counts: int[]{0, 0}}
            Numbers(): 1 call, 1 fail
            Numbers (scope 1): 0 structures, 1 call, 2 leaves explored, … s; complete; 1 counterexample
            exit 1
        "#]],
    );
    let folder = tempfile::tempdir().unwrap();
    let to = folder.path().to_str().unwrap();
    let output = check("probe.Range", &["--scope", "2", "-o", to]);
    assert_eq!(output.status.code(), Some(1));
    let test = folder.path().join("probe/RangeCounterexampleTest.java");
    let class_path = [junit::jars().console, classes().into()];
    let options = ["-Xlint:all", "-Werror", "--release", "17"];
    let compiled = folder.path().join("classes");
    compile(&compilers()[0], &[test], &class_path, &compiled, &options);
    let java = jdks()[0].home.join("bin").join("java");
    let report = junit::run_console_with(&java, &[compiled], &[classes().into()]);
    assert_eq!((report.found, report.failed), (3, 3), "{}", report.output);
    assert!(report.output.contains("expected: <true> but was: <false>"));
}

#[test]
fn another_implementation_must_come_to_the_same() {
    says(
        "probe.Box",
        &[
            "--scope",
            "2",
            "-m",
            "put",
            "-m",
            "take",
            "--against",
            "probe.Twin",
        ],
        &expect![[r#"
            heapwright: put(java.lang.String,probe.Box,int[],java.lang.Runtime) is not compared: probe.Twin has no such method
            heapwright: the states of objects after calls are compared by take(): probe.Twin has no equals and is no Iterable or Map
            Box.put(0) disagrees with probe.Twin.put(int): that throws java.lang.IllegalStateException
              before: Box{value: 0}
              returned
              after:  Box{value: 0}
            put(int): 2 structures × 2 calls, 4 fail
            put(java.lang.String,probe.Box,int[],java.lang.Runtime): 2 structures, 256 calls, all keep the invariant; 112 rejected; only null for java.lang.Runtime
            take(): 2 structures × 1 call, all keep the invariant and agree with probe.Twin
            Box (scope 2): 2 structures, 262 calls, 1 leaf explored, … s; complete, without objects of java.lang.Runtime; 1 counterexample
            exit 1
        "#]],
    );
    says(
        "faults.UseOrderedMap",
        &["--scope", "2", "--against", "java.util.LinkedHashMap"],
        &expect![[r#"
            UseOrderedMap.put(0, 0) disagrees with java.util.LinkedHashMap: that holds {1=0, 0=0} then, not {0=0, 1=0}
              before: UseOrderedMap{first: Entry{key: 0, value: 0, next: Entry{key: 1, value: 0}}}
              returned 0
              after:  UseOrderedMap{first: Entry{key: 0, value: 0, next: Entry{key: 1, value: 0}}}
            get(int): 13 structures × 2 calls, all keep the invariant and agree with java.util.LinkedHashMap
            put(int,int): 13 structures × 4 calls, 16 fail
            UseOrderedMap (scope 2): 13 structures, 78 calls, 13 leaves explored, … s; complete; 1 counterexample
            exit 1
        "#]],
    );
    says(
        "faults.RingDeque",
        &["--scope", "2", "--against", "java.util.ArrayDeque"],
        &expect![[r#"
            RingDeque.pollLast() disagrees with java.util.ArrayDeque.pollLast(): that returns 0
              before: RingDeque{slots: int[]{0, 1}, head: 0, size: 1}
              returned 1
              after:  RingDeque{slots: int[]{0, 1}, head: 0, size: 0}
            pollFirst(): 20 structures × 1 call, all keep the invariant and agree with java.util.ArrayDeque
            pollLast(): 20 structures × 1 call, 4 fail
            size(): 20 structures × 1 call, all keep the invariant and agree with java.util.ArrayDeque
            iterator(): 20 structures × 1 call, all keep the invariant and agree with java.util.ArrayDeque
            RingDeque (scope 2): 20 structures, 80 calls, 4 leaves explored, … s; complete; 1 counterexample
            exit 1
        "#]],
    );
    for (class, other, expected) in [
        (
            "probe.Box",
            "probe.Plain",
            expect![[r#"
            heapwright: class probe.Plain cannot be used: there is no way from Box to it; any of these would do: Plain(Box), static Plain Plain.from(Box), each with Box or a supertype, or Plain Box.toPlain()

            exit 2
        "#]],
        ),
        (
            "probe.Box",
            "java.util.Collection",
            expect![[r#"
            heapwright: class java.util.Collection cannot be used: objects to compare with are made of it, so it must neither be private nor abstract

            exit 2
        "#]],
        ),
        (
            "probe.Box",
            "probe.Missing",
            expect![[r#"
                heapwright: class probe.Missing not found on the class path; did you mean probe.Twin, probe.Plain, probe.Range?

                exit 2
            "#]],
        ),
    ] {
        says(
            class,
            &["--scope", "2", "-m", "take", "--against", other][..],
            &expected,
        );
    }
}

#[test]
fn wrong_requests_are_named() {
    let scope = ["--scope", "2"];
    for (class, arguments, expected) in [
        (
            "probe.Box",
            &["--oracle", "put=none"][..],
            expect![[r#"
            heapwright: oracle put=none: an oracle is for one method, and here it could be put(int), put(java.lang.String,probe.Box,int[],java.lang.Runtime); say --oracle 'name(types)=none', or name one method with -m

            exit 2
        "#]],
        ),
        (
            "probe.Box",
            &["--oracle", "takeAll"],
            expect![[r#"
            heapwright: oracle takeAll: an oracle is for one method, and here it could be put(int), put(java.lang.String,probe.Box,int[],java.lang.Runtime), take(); say --oracle 'name(types)=takeAll', or name one method with -m

            exit 2
        "#]],
        ),
        (
            "probe.Box",
            &["--oracle", "take=probe.Rules.adds"],
            expect![[r#"
                heapwright: class probe.Rules has no oracle static boolean adds(probe.Box before, probe.Box after, int result) for take(); it has adds(probe.Counter,int,probe.Counter)

                exit 2
            "#]],
        ),
        (
            "probe.Box",
            &["--expect-exception", "NoSuch"],
            expect![[r#"
                heapwright: class NoSuch not found on the class path

                exit 2
            "#]],
        ),
        (
            "probe.Box",
            &["--expect-exception", "java.lang.String"],
            expect![[r#"
                heapwright: class java.lang.String cannot be used: it is no exception

                exit 2
            "#]],
        ),
        (
            "probe.Missing",
            &[],
            expect![[r#"
                heapwright: class probe.Missing not found on the class path; did you mean probe.Twin, probe.Plain, probe.Range?

                exit 2
            "#]],
        ),
        (
            "probe.Silent",
            &[],
            expect![[r#"
                heapwright: there is no method to call: name some with -m
                Silent (scope 2): 2 structures, 0 calls, 1 leaf explored, … s; complete; no counterexample
                exit 4
            "#]],
        ),
    ] {
        says(class, &[&scope[..], arguments].concat(), &expected);
    }
    says(
        "probe.Box",
        &[],
        &expect![[r#"
        heapwright: no bounds are given: --scope N derives them, --args A,B,… calls the class's finitization method

        exit 2
    "#]],
    );
}

#[test]
fn time_limit_stops() {
    let output = check(
        "fixtures.tree.SearchTree",
        &["--args", "12", "--time-limit", "300ms", "--json"],
    );
    assert_eq!(output.status.code(), Some(3), "{output:?}");
    let summary = summary_of(&output);
    assert_eq!(summary["status"], "stopped");
    assert_eq!(summary["stopped_by"], "--time-limit");
}

/// The time limit also stops a call that does not end.
#[test]
fn time_limit_stops_a_long_call() {
    let limits = ["--time-limit", "300ms", "--max-steps", "1000000000000"];
    let output = check(
        "faults.PurgeList",
        &[&["--scope", "3"], &limits[..]].concat(),
    );
    assert_eq!(output.status.code(), Some(3), "{output:?}");
}

/// Correct classes have no counterexample, on each JDK.
#[test]
fn nothing_is_found_where_nothing_is_wrong() {
    for (class, bounds) in [
        ("tree.SearchTree", "4"),
        ("tree.AvlTree", "5,5"),
        ("tree.RedBlackTree", "4"),
        ("tree.BinaryTree", "4,4,4"),
        ("list.DoublyLinkedList", "4,3"),
        ("list.SortedList", "4,1,4"),
        ("heap.HeapArray", "2,4,1"),
        ("map.LruCache", "3,3,4000000000"),
        ("queue.TwoStackQueue", "4,1"),
    ] {
        let class = format!("fixtures.{class}");
        let output = check(&class, &["--args", bounds, "--json"]);
        let summary = summary_of(&output);
        assert!(output.status.success(), "{class}: {summary}");
        assert!(
            summary["calls"].as_u64().unwrap() > 50,
            "{class}: {summary}"
        );
    }
}

#[test]
fn calls_on_cubes_are_counted_as_calls() {
    for (class, scope) in [
        ("probe.Box", "3"),
        ("probe.Counter", "3"),
        ("probe.Numbers", "2"),
        ("probe.Refuser", "2"),
        ("probe.Worker", "2"),
    ] {
        let counted = |search: &str| {
            let output = check(class, &["--scope", scope, "--json", "--search", search]);
            let mut summary = summary_of(&output);
            assert_eq!(summary["search"], search);
            for method in summary["methods"].as_array_mut().unwrap() {
                method["runs"].take();
            }
            (output.status.code(), summary["methods"].take())
        };
        assert_eq!(counted("lazy"), counted("korat"), "{class}");
    }
}

/// Both streams and the exit code are the same with any number of workers.
#[test]
#[ignore = "long"]
fn workers_say_what_one_says() {
    for (class, bounds) in [
        ("fixtures.tree.SearchTree", ["--args", "7"]),
        ("fixtures.list.DoublyLinkedList", ["--args", "6,5"]),
        ("faults.HashTable", ["--scope", "7"]),
        ("faults.PurgeList", ["--scope", "5"]),
        ("faults.ParentTree", ["--scope", "5"]),
        ("probe.Stuck", ["--scope", "4"]),
        ("probe.Range", ["--scope", "4"]),
    ] {
        for search in ["lazy", "korat"] {
            let said = |jobs: &str| {
                let options = ["--search", search, "-j", jobs];
                let output = check(class, &[&bounds[..], &options].concat());
                let printed = without_seconds(&text(&output.stdout));
                (printed, text(&output.stderr), output.status.code())
            };
            let one = said("1");
            for jobs in ["2", "3"] {
                assert_eq!(said(jobs), one, "{class} {search} {jobs}");
            }
        }
    }
}

/// Runs `merge`.
fn merge(files: &[PathBuf], arguments: &[&str]) -> Output {
    program()
        .arg("merge")
        .args(files)
        .args(arguments)
        .output()
        .unwrap()
}

/// Runs a shard and returns its file.
fn shard(folder: &Path, class: &str, arguments: &[&str], shard: &str) -> PathBuf {
    let file = folder.join(format!("{class} {}", shard.replace('/', " of ")));
    let mut all = arguments.to_vec();
    all.extend(["--shard", shard, "-o", file.to_str().unwrap()]);
    let output = check(class, &all);
    assert!(output.status.code().unwrap() != 2, "{output:?}");
    file
}

/// Summary without machine-dependent keys.
fn counts(summary: &Value) -> Value {
    let mut counts = summary.clone();
    for key in ["seconds", "peak_memory_bytes", "shards", "files", "verb"] {
        counts.as_object_mut().unwrap().remove(key);
    }
    counts
}

#[test]
fn shards_make_one_run() {
    let folder = tempfile::tempdir().unwrap();
    for (class, bounds) in [
        ("fixtures.tree.SearchTree", ["--args", "4"]),
        ("faults.AvlTree", ["--scope", "4"]),
        ("faults.LeftistHeap", ["--scope", "3"]),
        ("faults.ArrayDeque", ["--scope", "3"]),
        ("probe.Range", ["--scope", "3"]),
    ] {
        let whole = check(class, &[bounds[0], bounds[1], "--json"]);
        let mut files: Vec<PathBuf> = (1..=3)
            .map(|number| shard(folder.path(), class, &bounds, &format!("{number}/3")))
            .collect();
        files.reverse();
        let tests = folder.path().join(class);
        let merged = merge(&files, &["--json", "-o", tests.to_str().unwrap()]);
        assert_eq!(merged.status.code(), whole.status.code(), "{merged:?}");
        assert_eq!(counts(&summary_of(&merged)), counts(&summary_of(&whole)));
        let found = summary_of(&whole)["counterexamples"]
            .as_array()
            .unwrap()
            .len();
        assert_eq!(
            files_written(&summary_of(&merged)),
            found + usize::from(found > 0)
        );
    }
}

fn files_written(summary: &Value) -> usize {
    summary["files"].as_array().unwrap().len()
}

#[test]
fn shards_of_different_searches_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let class = "faults.AvlTree";
    let one = shard(folder.path(), class, &["--scope", "2"], "1/2");
    let merges = |other: &Path, expected: &str| {
        let output = merge(&[one.clone(), other.to_owned()], &[]);
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        let said = text(&output.stderr);
        assert!(said.contains(expected), "{expected} in {said}");
    };
    merges(&one, "are both shard 1/2");
    for (arguments, expected) in [
        (&["--scope", "3"][..], "the bounds or invariant differs"),
        (
            &["--scope", "2", "-m", "insert"],
            "the request (counts, structures, calls or paths) differs",
        ),
    ] {
        let other = shard(folder.path(), class, arguments, "2/2");
        merges(&other, expected);
    }
    let other = shard(folder.path(), "faults.Ring", &["--scope", "2"], "2/2");
    merges(&other, "of class faults.Ring");
    let whole = std::fs::read(&one).unwrap();
    let cut = folder.path().join("cut");
    std::fs::write(&cut, &whole[..whole.len() / 2]).unwrap();
    merges(&cut, "cut off");
    std::fs::write(&cut, "else").unwrap();
    merges(&cut, "");
}

/// Sum of a count over two parts.
fn added(parts: &[Value], key: &str) -> u64 {
    parts.iter().map(|part| part[key].as_u64().unwrap()).sum()
}

#[test]
fn stopped_runs_are_gone_on_with() {
    let folder = tempfile::tempdir().unwrap();
    let bounds = ["--args", "6"];
    let class = "fixtures.tree.SearchTree";
    let whole = summary_of(&check(class, &["--args", "6", "--json"]));
    // One shard is stopped before it has done anything, the other one at any time or not at all.
    for (limits, jobs) in [
        (["1ms", "1h"], "1"),
        (["1h", "1ms"], "2"),
        (["1ms", "150ms"], "2"),
    ] {
        let files: Vec<PathBuf> = (1..=2)
            .zip(limits)
            .map(|(number, limit)| {
                let limited = ["--args", "6", "--time-limit", limit, "-j", jobs];
                shard(folder.path(), class, &limited, &format!("{number}/2"))
            })
            .collect();
        let merged = merge(&files, &["--json"]);
        assert_eq!(merged.status.code(), Some(3), "{merged:?}");
        let merged = summary_of(&merged);
        assert_eq!(merged["stopped_by"], "--time-limit");
        let prefix = merged["resume"].as_str().unwrap();
        let rest = check(
            class,
            &[&bounds[..], &["--json", "--resume", prefix]].concat(),
        );
        assert!(rest.status.success(), "{rest:?}");
        let parts = [merged.clone(), summary_of(&rest)];
        for key in ["explored", "structures", "calls", "runs", "rejected_calls"] {
            assert_eq!(
                added(&parts, key),
                whole[key].as_u64().unwrap(),
                "{key} {limits:?}"
            );
        }
    }
    // A prefix is valid only for its own request.
    let output = check(class, &["--args", "6", "--time-limit", "1ms", "--json"]);
    let prefix = summary_of(&output)["resume"].as_str().unwrap().to_owned();
    let output = check(class, &["--args", "6", "-m", "insert", "--resume", &prefix]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("request (counts, structures, calls or paths)"));
}
