//! `heapwright check`: what is printed, reproducers that fail on a real JVM, shards, and messages on
//! wrong requests.

use std::path::{Path, PathBuf};
use std::process::Output;
use std::sync::OnceLock;

use expect_test::{Expect, expect};
use heapwright_testkit::fixtures::{self, compile, files, project, without_seconds};
use heapwright_testkit::jdk::{compilers, jdks};
use heapwright_testkit::{junit, seeded};
use serde_json::Value;

use crate::common::{has_ended_by_itself, program, summary_of, text, with_enough_time};

/// The fixtures, compiled by the oldest compiler.
fn classes() -> &'static str {
    static CLASSES: OnceLock<PathBuf> = OnceLock::new();
    CLASSES.get_or_init(fixtures::classes).to_str().unwrap()
}

/// Folder of the fixtures' sources.
fn sources() -> &'static str {
    static SOURCES: OnceLock<PathBuf> = OnceLock::new();
    let folder = || project().join("fixtures/src");
    SOURCES.get_or_init(folder).to_str().unwrap()
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
    for fault in seeded::faults() {
        let (to, scope) = (source.to_str().unwrap(), fault.scope.to_string());
        let mut options = vec!["--scope", &scope, "--json", "-o", to, "--junit", version];
        let oracle = fault.oracle.iter().flat_map(|oracle| ["--oracle", oracle]);
        let against = fault
            .against
            .iter()
            .flat_map(|against| ["--against", against]);
        options.extend(oracle.chain(against).chain(further.iter().copied()));
        let output = check(&fault.class, &options);
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
        without_seconds(&text(&output.stdout)).replace(sources(), "SOURCES"),
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
    says(
        "probe.Counter",
        &["--scope", "3", "--search", "korat"],
        &expect![[r#"
            add(int): 3 structures × 3 calls, all keep the invariant
            Counter (scope 3): 3 structures, 9 calls, 4 candidates explored, … s; complete; no counterexample
            exit 0
        "#]],
    );
}

#[test]
fn draws_what_was_found_and_shows_its_line() {
    says(
        "faults.ArrayDeque",
        &["--scope", "2", "--draw", "--sources", sources()],
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
              --> SOURCES/faults/ArrayDeque.java:16:9
               |
            16 |         slots[head] = value;
               |         ^^^^^^^^^^^^^^^^^^^^
            addFirst(int): 20 structures × 2 calls in 5 runs, 20 fail; 4 rejected
            addLast(int): 20 structures × 2 calls in 6 runs, all keep the invariant; 4 rejected
            removeFirst(): 20 structures × 1 call in 7 runs, all keep the invariant; 10 rejected
            ArrayDeque (scope 2): 20 structures, 100 calls, 4 leaves explored, … s; complete; 1 counterexample
            exit 1
        "#]],
    );
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

/// Oracles, every kind of argument, and constructors pass through reproducers.
#[test]
fn reproducers_fail() {
    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().join("src");
    for (class, scope, oracle) in [
        (
            "probe.Counter",
            "3",
            &["--oracle", "add=probe.Rules.adds"][..],
        ),
        ("probe.Numbers", "2", &["--oracle", "twice=isTwice"]),
        ("probe.Range", "2", &[]),
    ] {
        let to = ["--scope", scope, "-o", source.to_str().unwrap()];
        let output = check(class, &[&to[..], oracle].concat());
        assert_eq!(output.status.code(), Some(1), "{output:?}");
    }
    let test = source.join("probe/CounterCounterexampleTest.java");
    let test = std::fs::read_to_string(test).unwrap();
    assert!(
        test.contains("assertTrue(Rules.adds(counter1, 0, counter0))"),
        "{test}"
    );
    let class_path = [junit::jars().console, classes().into()];
    let options = ["-Xlint:all", "-Werror", "--release", "17"];
    let (tests, compiled) = (files(&source, "java"), folder.path().join("classes"));
    compile(&compilers()[0], &tests, &class_path, &compiled, &options);
    let java = jdks()[0].home.join("bin").join("java");
    let report = junit::run_console_with(&java, &[compiled], &[classes().into()]);
    assert_eq!((report.found, report.failed), (6, 6), "{}", report.output);
    // Each is in the summary of failures, too.
    let failures = report.output.matches("expected: <true> but was: <false>");
    assert_eq!(failures.count(), 12, "{}", report.output);
}

#[test]
fn wrong_requests_are_named() {
    let scope = ["--scope", "2"];
    for (class, arguments, expected) in [
        (
            "probe.Box",
            &["--oracle", "take=probe.Rules.adds"][..],
            expect![[r#"
                heapwright: class probe.Rules has no oracle static boolean adds(probe.Box before, probe.Box after, int result) for take(); it has adds(probe.Counter,int,probe.Counter)

                exit 2
            "#]],
        ),
        (
            "probe.Box",
            &["-m", "put(char)"],
            expect![[r#"
                heapwright: class probe.Box has no method put(char); it has put(int), put(java.lang.String,probe.Box,int[],java.lang.Runtime), take(), takeAll(long,long,long,long,long,long,long,long,long,long,long,long,long,long,long,long,long,long,long,long,long)

                exit 2
            "#]],
        ),
        (
            "probe.Box",
            &["-m", "take", "--against", "probe.Missing"],
            expect![[r#"
                heapwright: class probe.Missing not found on the class path; did you mean probe.Twin, probe.Plain, probe.Range?

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
    let run = |limit: &str| {
        let options = ["--args", "12", "--json", "--time-limit", limit];
        check("fixtures.tree.SearchTree", &options)
    };
    let output = with_enough_time(300, run, has_ended_by_itself);
    assert_eq!(output.status.code(), Some(3), "{output:?}");
    let summary = summary_of(&output);
    assert_eq!(summary["status"], "stopped");
    assert_eq!(summary["stopped_by"], "--time-limit");
    // It also stops a call that does not end.
    let options = ["--scope", "3", "--max-steps", "1000000000000"];
    let limit = ["--time-limit", "300ms"];
    let output = check("faults.PurgeList", &[&options[..], &limit].concat());
    assert_eq!(output.status.code(), Some(3), "{output:?}");
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
        // On a busy machine a process may be too slow to end by itself, and leaves no file, or is
        // done before anybody notices that its time is over.
        let is_file = files.iter().all(|file| file.is_file());
        let merged = merge(&files, &["--json"]);
        if !is_file || merged.status.success() {
            continue;
        }
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
    let run = |limit: &str| check(class, &["--args", "6", "--time-limit", limit, "--json"]);
    let output = with_enough_time(1, run, has_ended_by_itself);
    let prefix = summary_of(&output)["resume"].as_str().unwrap().to_owned();
    let output = check(class, &["--args", "6", "-m", "insert", "--resume", &prefix]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("request (counts, structures, calls or paths)"));
}
