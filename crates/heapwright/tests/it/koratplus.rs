//! Pruning by a criterion: counts equal those of Korat+, no class is lost, and errors name unusable
//! criteria.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;
use std::process::Output;
use std::sync::OnceLock;

use expect_test::{Expect, expect};
use heapwright_testkit::fixtures::{self, Fixture, project, without_seconds};
use heapwright_testkit::jdk::jdks;

use crate::common::{program, text};

/// Structures with x from 0 to 2 and y from 0 to 1, read in this order, and criteria for them.
const PAIR: &str = r#"
import java.math.BigInteger;
import java.util.*;
import korat.finitization.*;
import korat.finitization.impl.*;
public class Pair {
    enum Sort {
        LOW { public String toString() { return "hidden"; } },
        MIDDLE, HIGH
    }
    record Point(int x, int y) {}
    static class Other { public boolean equals(Object other) { return true; } }

    int x, y;
    int[] fixed = {4, 5};
    public boolean repOK() { return x >= 0 && y >= 0; }

    public int first() { return x; }
    public int second() { return y; }

    public boolean isZero() { return x == 0; }
    public byte asByte() { return (byte) (x - 1); }
    public char letter() { return (char) ('a' + x); }
    public long large() { return x + (1L << 40); }
    public double half() { return x / 2.0; }
    public Integer boxed() { return x == 0 ? null : Integer.valueOf(x + 1000); }
    public String text() { return "x" + x; }
    public Sort sort() { return x == 0 ? Sort.LOW : x == 1 ? Sort.HIGH : Sort.MIDDLE; }
    public BigInteger power() { return BigInteger.TWO.pow(64 + x); }
    public boolean[] flags() { return new boolean[] {x > 0, x > 1}; }
    public Object[] nested() { return new Object[] {new int[] {x}, null}; }
    public Object mixed() { return x == 0 ? (Object) 1 : x == 1 ? "1" : (Object) 1L; }
    public Object point() { return new Point(x, 0); }
    public List<Integer> list() { return List.of(x); }

    public int throwsOnOne() {
        if (x == 1) throw new IllegalStateException("odd");
        return x;
    }
    public int changes() { int old = y; y = 1 - old; return old; }
    public int putsBack() { int old = y; y = 7; y = old; return old; }
    public int constant() { return fixed[0]; }
    public int starts() {
        if (x == 1) new Thread(() -> { }).start();
        return x;
    }
    public int loops() {
        while (x == 1) { }
        return x;
    }
    public Object unnamed() { return new Other(); }
    public Object unnamedWithin() { return List.of(new Other()); }
    public void nothing() {}
    public static int shared() { return 1; }
    public int with(int parameter) { return parameter; }

    public static IFinitization finPair() {
        IFinitization f = FinitizationFactory.create(Pair.class);
        f.set("x", f.createIntSet(0, 2));
        f.set("y", f.createIntSet(0, 1));
        return f;
    }
}
"#;

/// Folders of the fixtures and of `Pair`.
fn classes() -> &'static str {
    static CLASSES: OnceLock<String> = OnceLock::new();
    CLASSES.get_or_init(|| {
        let pair = Fixture::new(&["--release", "17"]).text("Pair", PAIR);
        let pair = pair.against(&fixtures::api()).classes();
        let path = std::env::join_paths([fixtures::classes(), pair]).unwrap();
        path.into_string().unwrap()
    })
}

fn heapwright(verb: &str, arguments: &[&str]) -> Output {
    program()
        .arg(verb)
        .arg("--jdk")
        .arg(&jdks()[0].home)
        .args(["-p", classes()])
        .args(arguments)
        .output()
        .unwrap()
}

/// Number of classes that the `korat` verb counts, and their names separated by blanks.
fn covered(arguments: &[&str]) -> (u64, String) {
    let output = heapwright("korat", arguments);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let stdout = text(&output.stdout);
    let (_, after) = stdout.split_once("Classes covered: ").unwrap();
    let mut lines = after.lines();
    let count = lines.next().unwrap().parse().unwrap();
    let names = lines.next().unwrap().strip_suffix(" --").unwrap();
    (count, names.to_owned())
}

fn counts(arguments: &[&str]) -> [u64; 3] {
    let output = heapwright(
        "enumerate",
        &[arguments, &["--json", "--search", "korat"]].concat(),
    );
    let summary: serde_json::Value = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|_| panic!("no summary: {}", text(&output.stderr)));
    ["explored", "valid", "classes_found"].map(|key| summary[key].as_u64().unwrap_or(0))
}

/// Row of `koratplus-counts.csv`.
struct Row {
    class: String,
    args: String,
    criterion: String,
    plain: [u64; 3],
    pruned: [u64; 3],
}

fn rows() -> Vec<Row> {
    let file: PathBuf = project().join("fixtures").join("koratplus-counts.csv");
    let csv = fs::read_to_string(file).unwrap();
    let row = |line: &str| {
        let [class, rest] =
            <[&str; 2]>::try_from(line.splitn(2, ",\"").collect::<Vec<_>>()).unwrap();
        let (args, rest) = rest.split_once("\",").unwrap();
        let (criterion, numbers) = rest.split_once(',').unwrap();
        let n: Vec<u64> = numbers.split(',').map(|n| n.parse().unwrap()).collect();
        Row {
            class: class.to_owned(),
            args: args.to_owned(),
            criterion: criterion.to_owned(),
            plain: [n[0], n[1], 0],
            pruned: [n[2], n[3], n[4]],
        }
    };
    csv.lines().skip(1).map(row).collect()
}

#[test]
fn counts_are_those_of_korat_plus() {
    let rows = rows();
    assert!(rows.len() >= 14);
    for row in rows {
        let request = ["-c", &row.class, "--args", &row.args];
        let pruned = [&request[..], &["--eq-class", &row.criterion]].concat();
        let case = format!("{} {}", row.class, row.args);
        assert_eq!(counts(&request), row.plain, "{case}");
        assert_eq!(counts(&pruned), row.pruned, "{case}");
        // A limit that is never reached forces every structure to be created.
        let made = [&pruned[..], &["--limit", "1000000000"]].concat();
        assert_eq!(counts(&made), row.pruned, "{case}");
    }
}

/// The lazy search covers as many classes with no more structures, and has the same output with any
/// number of workers.
#[test]
#[ignore = "long"]
fn the_lazy_search_covers_the_classes() {
    for row in rows() {
        let request = [
            "-c",
            &row.class,
            "--args",
            &row.args,
            "--eq-class",
            &row.criterion,
        ];
        let case = format!("{} {}", row.class, row.args);
        let lines = |jobs: &str, more: &[&str]| {
            let output = heapwright(
                "enumerate",
                &[&request[..], &["--jobs", jobs], more].concat(),
            );
            assert_eq!(output.status.code(), Some(0), "{output:?}");
            text(&output.stdout) + &without_seconds(&text(&output.stderr))
        };
        let summary = |jobs: &str| {
            let mut summary: serde_json::Value =
                serde_json::from_str(&lines(jobs, &["--json"])).unwrap();
            for key in ["seconds", "peak_memory_bytes"] {
                summary.as_object_mut().unwrap().remove(key);
            }
            summary
        };
        let one = summary("1");
        assert_eq!(one["search"], "lazy");
        assert_eq!(one["classes_found"].as_u64(), Some(row.pruned[2]), "{case}");
        assert!(one["valid"].as_u64() <= Some(row.pruned[1]), "{case}");
        assert_eq!(summary("2"), one, "{case}");
        assert_eq!(summary("3"), one, "{case}");
        let kept = lines("1", &["--one-per-class", "--format", "text"]);
        assert_eq!(
            kept.lines().count() as u64,
            row.pruned[2] + 1,
            "{case}: {kept}"
        );
        let by_many = lines("3", &["--one-per-class", "--format", "text"]);
        assert_eq!(by_many, kept, "{case}");
    }
}

#[test]
fn no_class_is_lost() {
    for row in rows() {
        let request = ["-c", &row.class, "-a", &row.args, "-Q", &row.criterion];
        let all = covered(&[&request[..], &["-i"]].concat());
        let pruned = covered(&[&request[..], &["-q"]].concat());
        assert_eq!(all.0, row.pruned[2]);
        // The first structure of a class is never left out.
        assert_eq!(pruned, all, "{} {}", row.class, row.args);
    }
}

#[test]
fn the_first_of_each_class() {
    let tree = [
        "-c",
        "fixtures.koratplus.TreeDelete",
        "--args",
        "3,3",
        "--eq-class",
        "position",
        "--format",
        "text",
        "--search",
        "korat",
    ];
    let lines = |further: &[&str]| {
        let output = heapwright("enumerate", &[&tree[..], further].concat());
        let summary = without_seconds(&text(&output.stderr));
        (text(&output.stdout), summary, output.status.code())
    };
    let (all, summary, _) = lines(&[]);
    assert_eq!(
        summary.trim_end(),
        "TreeDelete (3,3): 43 structures in 8 classes, 500 candidates explored, … s; complete"
    );
    let (first, summary, code) = lines(&["--one-per-class"]);
    expect![[r#"
        TreeDelete{value: 1, size: 0}
        TreeDelete{value: 1, root: Node{key: 1}, size: 1}
        TreeDelete{value: 1, root: Node{key: 1, right: Node{key: 2}}, size: 2}
        TreeDelete{value: 1, root: Node{key: 2, left: Node{key: 1}}, size: 2}
        TreeDelete{value: 1, root: Node{key: 3, left: Node{key: 1, right: Node{key: 2}}}, size: 3}
        TreeDelete{value: 2, root: Node{key: 2, left: Node{key: 1}}, size: 2}
        TreeDelete{value: 2, root: Node{key: 3, left: Node{key: 2, left: Node{key: 1}}}, size: 3}
        TreeDelete{value: 2, root: Node{key: 2, left: Node{key: 1}, right: Node{key: 3}}, size: 3}
    "#]]
    .assert_eq(&first);
    assert_eq!(
        (summary.trim_end(), code),
        (
            "TreeDelete (3,3): 43 structures in 8 classes, one of each kept, 500 candidates explored, … s; complete",
            Some(0)
        )
    );
    let all: BTreeSet<&str> = all.lines().collect();
    assert!(first.lines().all(|line| all.contains(line)));
    // The limit counts retained structures; a class that was not reached is not covered.
    let (three, summary, code) = lines(&["--one-per-class", "--limit", "3"]);
    assert_eq!(
        three.lines().collect::<Vec<_>>(),
        first.lines().take(3).collect::<Vec<_>>()
    );
    assert!(
        summary.contains(" in 3 classes, one of each kept, "),
        "{summary}"
    );
    assert!(summary.trim_end().ends_with("stopped by --limit"));
    assert_eq!(code, Some(3));
}

#[test]
fn output_of_the_korat_verb() {
    let output = heapwright(
        "korat",
        &["-c", "Pair", "-n", "finPair", "-q", "--eqClass", "first"],
    );
    let stdout = text(&output.stdout);
    let (before_time, _) = stdout.split_once("Overall").unwrap();
    expect![[r#"

        Start of Korat Execution for Pair (repOK, [])

        Total explored:3
        New found:3
        Classes covered: 3
        0 1 2 --

        End of Korat Execution
    "#]]
    .assert_eq(before_time);
    // A part of the search reports the classes of that part.
    let part = ["-c", "Pair", "-n", "finPair", "-i", "-Q", "first"];
    assert_eq!(
        covered(&[&part[..], &["-A", "2"]].concat()),
        (2, "1 2".to_owned())
    );
    assert_eq!(
        covered(&[&part[..], &["-e", "4"]].concat()),
        (2, "0 1".to_owned())
    );
}

/// Checks the exit code and the messages for a criterion of `Pair`.
fn check(criterion: &str, further: &[&str], code: i32, expected: &Expect) {
    check_in("korat", criterion, further, code, expected);
}

fn check_in(search: &str, criterion: &str, further: &[&str], code: i32, expected: &Expect) {
    let mut request = vec!["-c", "Pair", "--finitization", "finPair"];
    request.extend(["--search", search, "--eq-class", criterion]);
    request.extend(further);
    let output = heapwright("enumerate", &request);
    let shown = format!("{}{}", text(&output.stdout), text(&output.stderr));
    let shown: Vec<&str> = shown
        .lines()
        .filter(|line| !line.contains("    at java."))
        .collect();
    expected.assert_eq(&without_seconds(&shown.join("\n")));
    assert_eq!(output.status.code(), Some(code));
}

#[test]
fn criteria_that_go_wrong() {
    check(
        "throwsOnOne",
        &[],
        3,
        &expect![[r#"
        Pair: 4 structures in 2 classes, 4 candidates explored, … s; partial, without a class on 2 candidates
        heapwright: the criterion Pair.throwsOnOne() named no class for the structure on 2 candidates; the first is candidate 2: java.lang.IllegalStateException: odd
            at Pair.throwsOnOne():37"#]],
    );
    check(
        "starts",
        &[],
        3,
        &expect![[r#"
        Pair: 4 structures in 2 classes, 4 candidates explored, … s; partial, without a class on 2 candidates
        heapwright: the criterion Pair.starts() named no class for the structure on 2 candidates; the first is candidate 2: unsupported: java.lang.Thread.start(): threads are not run
            at Pair.starts():44"#]],
    );
    check(
        "loops",
        &["--max-steps", "10000"],
        3,
        &expect![[r#"
            Pair: 1 structures in 1 class, 1 candidate explored, … s; stopped by --max-steps
            heapwright: stopped: Pair.loops() on candidate 2 (the limit of instructions in one run was reached); --max-steps and --max-memory raise the limits"#]],
    );
    check(
        "changes",
        &[],
        0,
        &expect![[r#"
        Pair: 6 structures in 2 classes, 6 candidates explored, … s; complete
        heapwright: the criterion Pair.changes() changed the structure, which was undone, on 6 candidates; the first is candidate 1"#]],
    );
    check(
        "constant",
        &[],
        0,
        &expect![[r#"
        Pair: 6 structures in 1 class, 6 candidates explored, … s; complete
        heapwright: the criterion Pair.constant() read nothing that is chosen, so that it tells no two structures apart, on 6 candidates; the first is candidate 1"#]],
    );
    check(
        "unnamed",
        &[],
        3,
        &expect![[r#"
        Pair: 6 structures in 0 classes, 6 candidates explored, … s; partial, without a class on 6 candidates
        heapwright: the criterion Pair.unnamed() named no class for the structure on 6 candidates; the first is candidate 1: its value, an object of Pair$Other, names no class: no toString shows it by value"#]],
    );
    check(
        "unnamedWithin",
        &[],
        3,
        &expect![[r#"
        Pair: 6 structures in 0 classes, 6 candidates explored, … s; partial, without other values of identity hash codes, a class on 6 candidates
        heapwright: the criterion Pair.unnamedWithin() named no class for the structure on 6 candidates; the first is candidate 1: its value, an object of java.util.ImmutableCollections$List12, names no class: no toString shows it by value"#]],
    );
}

/// The same in the lazy search, with open values and any number of workers.
#[test]
fn criteria_that_go_wrong_in_the_lazy_search() {
    for jobs in ["1", "3"] {
        let check = |criterion: &str, further: &[&str], code: i32, expected: Expect| {
            let further = [further, &["--jobs", jobs]].concat();
            check_in("lazy", criterion, &further, code, &expected);
        };
        check(
            "throwsOnOne",
            &[],
            3,
            expect![[r#"
            Pair: 3 structures in 1 cube in 2 classes, 1 leaf explored, … s; partial, without a class on 1 leaf
            heapwright: the criterion Pair.throwsOnOne() named no class for the structure on 1 structure; the first is leaf 1: java.lang.IllegalStateException: odd
                at Pair.throwsOnOne():37"#]],
        );
        check(
            "starts",
            &[],
            3,
            expect![[r#"
            Pair: 3 structures in 1 cube in 2 classes, 1 leaf explored, … s; partial, without a class on 1 leaf
            heapwright: the criterion Pair.starts() named no class for the structure on 1 structure; the first is leaf 1: unsupported: java.lang.Thread.start(): threads are not run
                at Pair.starts():44"#]],
        );
        check(
            "loops",
            &["--max-steps", "10000"],
            3,
            expect![[r#"
            Pair: 2 structures in 1 cube in 2 classes, 1 leaf explored, … s; stopped by --max-steps
            heapwright: stopped: Pair.loops() on leaf 2 (the limit of instructions in one run was reached); --max-steps and --max-memory raise the limits"#]],
        );
        check(
            "changes",
            &[],
            0,
            expect![[r#"
            Pair: 2 structures in 1 cube in 2 classes, 1 leaf explored, … s; complete
            heapwright: the criterion Pair.changes() changed the structure, which was undone, on 2 structures; the first is leaf 1"#]],
        );
        check(
            "constant",
            &[],
            0,
            expect![[r#"
            Pair: 1 structures in 1 cube in 1 class, 1 leaf explored, … s; complete
            heapwright: the criterion Pair.constant() read nothing that is chosen, so that it tells no two structures apart, on 1 structure; the first is leaf 1"#]],
        );
        check(
            "unnamed",
            &[],
            3,
            expect![[r#"
            Pair: 1 structures in 1 cube in 0 classes, 1 leaf explored, … s; partial, without a class on 1 leaf
            heapwright: the criterion Pair.unnamed() named no class for the structure on 1 structure; the first is leaf 1: its value, an object of Pair$Other, names no class: no toString shows it by value"#]],
        );
    }
}

#[test]
fn methods_that_are_no_criteria() {
    for name in ["nothing", "shared", "with", "missing"] {
        let output = heapwright(
            "enumerate",
            &[
                "-c",
                "Pair",
                "--finitization",
                "finPair",
                "--eq-class",
                name,
            ],
        );
        assert_eq!(output.status.code(), Some(2));
        let message = text(&output.stderr);
        let expected = format!(
            "heapwright: class Pair has no criterion (an instance method without parameters that \
             returns something) {name}; it has repOK, first, second, "
        );
        assert!(message.starts_with(&expected), "{message}");
    }
    let output = heapwright("enumerate", &["-c", "Pair", "--one-per-class"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("--eq-class"));
    // Korat+ looks for a criterion of this name by default.
    let output = heapwright("korat", &["-c", "Pair", "-n", "finPair", "-q"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("returns something) eqClass; it has"));
}
