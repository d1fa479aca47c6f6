//! `heapwright enumerate` on faulty programs and requests: it reports the error and its place,
//! preserves its results, and never panics.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use std::sync::OnceLock;

use expect_test::{Expect, expect};
use heapwright_testkit::fixtures::{self, Fixture, without_seconds};
use heapwright_testkit::jdk::jdks;
use tempfile::TempDir;

#[cfg(target_os = "linux")]
use crate::common::wait_for_work;
use crate::common::{has_ended_by_itself, program, text, with_enough_time};

/// Invariants that misbehave on one of three candidates.
const INVARIANTS: [(&str, &str); 8] = [
    (
        "Throws",
        "if (x == 1) throw new IllegalStateException(\"odd\");",
    ),
    ("Loops", "while (x == 1) { }"),
    ("Recurses", "if (x == 1) return repOK() && repOK();"),
    ("Starts", "if (x == 1) new Thread(() -> { }).start();"),
    ("Leaves", "if (x == 1) System.exit(0);"),
    (
        "Opens",
        "if (x == 1) try { new java.io.FileOutputStream(\"secret\").write(1); } catch (java.io.IOException e) { }",
    ),
    ("Needs", "if (x == 1) return Missing.answer();"),
    (
        "Eats",
        "if (x == 1) { Object[] all = null; while (true) all = new Object[] {all, new int[1000]}; }",
    ),
];

/// Invalid finitization methods, named by their errors.
const FINITIZATIONS: [(&str, &str); 10] = [
    (
        "finThrows",
        "if (true) throw new IllegalArgumentException(\"no such size\");",
    ),
    ("finNull", "if (true) return null;"),
    ("finLoops", "while (n >= 0) { }"),
    ("finUnknownField", "f.set(\"color\", f.createIntSet(0, n));"),
    (
        "finUnknownClass",
        "f.set(\"Leaf.x\", f.createIntSet(0, n));",
    ),
    (
        "finEmpty",
        "IIntSet none = f.createIntSet(0); none.removeInt(0); f.set(\"x\", none);",
    ),
    ("finWrongType", "f.set(\"x\", f.createBooleanSet());"),
    (
        "finTwice",
        "f.set(\"x\", f.createIntSet(0, n)); f.set(\"x\", f.createIntSet(0, n));",
    ),
    (
        "finNoCollection",
        "f.addAll(\"next\", f.createObjSet(Other.class, n));",
    ),
    (
        "finFixedCollection",
        "f.addAll(\"fixed\", f.createObjSet(Other.class, n));",
    ),
];

const MARKS: &str = "
import java.util.*;
import korat.finitization.*;
import korat.finitization.impl.*;
public class Marks {
    public static class Node { Node next, other; boolean mark; }
    Node root;
    static int runs;
    int number;

    boolean walk(Node node) {
        if (node == null) return true;
        if (node.mark) return false;
        node.mark = true;
        boolean answer = walk(node.next) && walk(node.other);
        node.mark = false;
        return answer;
    }
    /** Writes, and puts back what it wrote. */
    public boolean restores() { return walk(root); }
    /** The same without a write. */
    public boolean reads() {
        Set<Node> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        return reads(root, seen);
    }
    static boolean reads(Node node, Set<Node> path) {
        if (node == null) return true;
        if (!path.add(node)) return false;
        boolean answer = reads(node.next, path) && reads(node.other, path);
        path.remove(node);
        return answer;
    }
    /** Writes to a field that is chosen, to one that is not, and to a static one. */
    public boolean leaves() {
        boolean answer = walk(root);
        runs++;
        number = runs;
        if (root != null) { root.mark = !root.mark; root.other = root; }
        return answer;
    }
    public static IFinitization finMarks(int n) {
        IFinitization f = FinitizationFactory.create(Marks.class);
        IObjSet nodes = f.createObjSet(Node.class, n, true);
        f.set(\"root\", nodes);
        f.set(\"Node.next\", nodes);
        f.set(\"Node.other\", nodes);
        return f;
    }
}";

/// An invariant in passes, one of which throws and one of which does not end; the last refuses some
/// cells.
const PASSES: &str = "
public class Passes {
    static class Cell { Cell next; int value; }
    Cell first;

    public boolean throwsFirst() { return isQuiet(-1) && isFlat(3); }
    public boolean throwsLast() { return isFlat(3) && isQuiet(-1); }
    public boolean throwsAndRefuses() { return isQuiet(-1) && isFlat(1); }
    public boolean loopsFirst() { return isQuiet(1) && isFlat(3); }

    boolean isQuiet(int endless) {
        int count = 0;
        for (Cell cell = first; cell != null; cell = cell.next) {
            count++;
            if (count == 3) throw new IllegalStateException(\"many\");
            while (count == 2 && endless > 0) { }
        }
        return true;
    }
    boolean isFlat(int most) {
        Cell cell = first;
        for (int count = 0; count < 3 && cell != null; count++) {
            if (cell.value >= most) return false;
            if (count == most) return false;
            cell = cell.next;
        }
        return true;
    }
}";

/// The folder of the compiled classes.
fn classes() -> &'static Path {
    static CLASSES: OnceLock<TempDir> = OnceLock::new();
    let folder = CLASSES.get_or_init(|| {
        let folder = tempfile::tempdir().unwrap();
        let classes = folder.path();
        fixture().copied_to(classes);
        fs::remove_file(classes.join("Missing.class")).unwrap();
        // These two classes are never loaded.
        fs::write(classes.join("Garbage.class"), "not a class").unwrap();
        let mut newer = fs::read(classes.join("Large.class")).unwrap();
        newer[6..8].copy_from_slice(&[0, 200]);
        fs::write(classes.join("Newer.class"), newer).unwrap();
        folder
    });
    folder.path()
}

fn fixture() -> Fixture {
    let mut fixture = Fixture::new(&["--release", "17", "-nowarn"]).against(&fixtures::api());
    for (class, body) in INVARIANTS {
        let text = format!(
            "public class {class} {{\n int x;\n boolean repOK() {{\n {body}\n return true;\n }}\n}}\n"
        );
        fixture = fixture.text(class, &text);
    }
    let endless = (
        "finEndless",
        "IIntSet all = f.createIntSet(0); while (n > 0) all.addInt(n++); f.set(\"x\", all);",
    );
    let negative = (
        "finNone",
        "f.set(\"next\", f.createObjSet(Other.class, -n));",
    );
    let methods: String = FINITIZATIONS
        .iter()
        .chain([&negative, &endless])
        .map(|(name, body)| {
            format!(
                "public static IFinitization {name}(int n) {{\n\
                 IFinitization f = FinitizationFactory.create(Finitized.class);\n{body}\nreturn f;\n}}\n"
            )
        })
        .collect();
    let finitized = format!(
        "import korat.finitization.*;\nimport korat.finitization.impl.*;\n\
         public class Finitized {{\nint x;\nOther next; java.util.List<Other> fixed = java.util.List.of();\n\
         public static class Other {{ }}\n\
         public boolean repOK() {{ return x == 0; }}\n{methods}}}\n"
    );
    let missing = "class Missing { static boolean answer() { return true; } }";
    let large =
        "public class Large { Large a, b, c; int x, y, z; boolean repOK() { return true; } }";
    fixture
        .text("Missing", missing)
        .text("Large", large)
        .text("Marks", MARKS)
        .text("Passes", PASSES)
        .text("Finitized", &finitized)
}

fn enumerate(arguments: &[&str]) -> Output {
    program()
        .arg("enumerate")
        .arg("--jdk")
        .arg(&jdks()[0].home)
        .arg("-p")
        .arg(classes())
        .args(arguments)
        .output()
        .unwrap()
}

/// Whether a line is a frame of the library or of the finitization package.
fn is_in_library(line: &str) -> bool {
    ["java.", "jdk.", "korat."].iter().any(|package| {
        line.trim_start()
            .strip_prefix("at ")
            .is_some_and(|place| place.starts_with(package))
    })
}

/// Checks the output of a request, without times and with frames cut off, and its exit code.
fn check(arguments: &[&str], code: i32, expected: &Expect) {
    let output = enumerate(arguments);
    let shown = format!("{}{}", text(&output.stdout), text(&output.stderr));
    let shown = shown.replace(&classes().display().to_string(), "CLASSES");
    let shown: Vec<&str> = shown.lines().filter(|line| !is_in_library(line)).collect();
    expected.assert_eq(&without_seconds(&shown.join("\n")));
    assert_eq!(output.status.code(), Some(code));
}

#[test]
fn an_invariant_that_leaves_a_change() {
    let request = ["-c", "Marks", "--args", "2", "--invariant", "leaves"];
    check(
        &request,
        2,
        &expect![
            "heapwright: the invariant changes the structure (Marks.number), which the lazy search cannot follow: let it put back what it changes, or use --search korat"
        ],
    );
    let korat = [&request[..], &["--search", "korat"]].concat();
    assert_eq!(enumerate(&korat).status.code(), Some(0));
}

#[test]
fn an_invariant_that_throws() {
    check(
        &["-c", "Throws", "--scope", "3"],
        0,
        &expect![[r#"
            Throws (scope 3): 2 structures in 1 cube, 2 leaves explored, … s; complete
            heapwright: the invariant threw an exception on 1 leaf, counted as not valid; the first is leaf 2: java.lang.IllegalStateException: odd
                at Throws.repOK():4"#]],
    );
    check(
        &["-c", "Recurses", "--scope", "3"],
        0,
        &expect![[r#"
            Recurses (scope 3): 2 structures in 1 cube, 2 leaves explored, … s; complete, without other values of the depth of the stack
            heapwright: the invariant threw an exception on 1 leaf, counted as not valid; the first is leaf 2: java.lang.StackOverflowError
                at Recurses.repOK():4
                at Recurses.repOK():4
                at Recurses.repOK():4
                at Recurses.repOK():4
                at Recurses.repOK():4
                at Recurses.repOK():4
                at Recurses.repOK():4
                at Recurses.repOK():4"#]],
    );
    check(
        &["-c", "Needs", "--scope", "3"],
        3,
        &expect![[r#"
            Needs (scope 3): 2 structures in 1 cube, 1 leaf explored, … s; partial, without an answer on 1 leaf
            heapwright: the invariant came to no answer on 1 leaf, left out; the first is leaf 2: unsupported: Missing, which Needs needs, is not on the class path"#]],
    );
}

/// An exception may stay unnoticed only if another pass rejects the candidate anyway.
#[test]
fn a_pass_that_throws() {
    check(
        &["-c", "Passes", "--scope", "3", "--invariant", "throwsFirst"],
        0,
        &expect![[r#"
            Passes (scope 3): 13 structures in 3 cubes, 5 leaves explored, … s; complete
            heapwright: the invariant threw an exception on 2 leaves, counted as not valid; the first is leaf 3: java.lang.IllegalStateException: many
                at Passes.isQuiet(int):15
                at Passes.throwsFirst():6"#]],
    );
    check(
        &["-c", "Passes", "--scope", "3", "--invariant", "throwsLast"],
        0,
        &expect![[r#"
            Passes (scope 3): 13 structures in 3 cubes, 7 leaves explored, … s; complete
            heapwright: the invariant threw an exception on 4 leaves, counted as not valid; the first is leaf 3: java.lang.IllegalStateException: many
                at Passes.isQuiet(int):15
                at Passes.throwsLast():7"#]],
    );
    check(
        &[
            "-c",
            "Passes",
            "--scope",
            "3",
            "--invariant",
            "throwsAndRefuses",
        ],
        0,
        &expect![[r#"
            Passes (scope 3): 2 structures in 2 cubes, 6 leaves explored, … s; complete
            heapwright: the invariant threw an exception on 1 leaf, counted as not valid; the first is leaf 3: java.lang.IllegalStateException: many
                at Passes.isQuiet(int):15
                at Passes.throwsAndRefuses():8"#]],
    );
    check(
        &[
            "-c",
            "Passes",
            "--scope",
            "3",
            "--invariant",
            "loopsFirst",
            "--max-steps",
            "3000000",
        ],
        3,
        &expect![[r#"
            Passes (scope 3): 4 structures in 2 cubes, 2 leaves explored, … s; partial, without an answer on 1 leaf
            heapwright: the invariant came to no answer on 1 leaf, left out; the first is leaf 3: the limit of instructions in one run was reached (--max-steps)
                at Passes.isQuiet(int):16
                at Passes.loopsFirst():9"#]],
    );
}

#[test]
fn an_invariant_that_does_not_end() {
    check(
        &[
            "-c",
            "Loops",
            "--scope",
            "3",
            "--max-steps",
            "3000000",
            "--format",
            "text",
        ],
        3,
        &expect![[r#"
            Loops{x: 0}
            Loops{x: 2}
            heapwright: the invariant came to no answer on 1 leaf, left out; the first is leaf 2: the limit of instructions in one run was reached (--max-steps)
                at Loops.repOK():4
            Loops (scope 3): 2 structures in 1 cube, 1 leaf explored, … s; partial, without an answer on 1 leaf"#]],
    );
    check(
        &["-c", "Eats", "--scope", "3", "--max-memory", "64m"],
        3,
        &expect![[r#"
            Eats (scope 3): 2 structures in 1 cube, 1 leaf explored, … s; partial, without an answer on 1 leaf
            heapwright: the invariant came to no answer on 1 leaf, left out; the first is leaf 2: the limit of memory for Java objects was reached (--max-memory)
                at Eats.repOK():4"#]],
    );
}

#[test]
fn an_invariant_that_asks_for_what_is_refused() {
    check(
        &["-c", "Starts", "--scope", "3", "--format", "text"],
        3,
        &expect![[r#"
            Starts{x: 0}
            Starts{x: 2}
            heapwright: the invariant came to no answer on 1 leaf, left out; the first is leaf 2: unsupported: java.lang.Thread.start(): threads are not run
                at Starts.repOK():4
            Starts (scope 3): 2 structures in 1 cube, 1 leaf explored, … s; partial, without an answer on 1 leaf"#]],
    );
    check(
        &["-c", "Opens", "--scope", "3"],
        3,
        &expect![[r#"
            Opens (scope 3): 2 structures in 1 cube, 1 leaf explored, … s; partial, without an answer on 1 leaf
            heapwright: the invariant came to no answer on 1 leaf, left out; the first is leaf 2: unsupported: changes of files: tests change temporary ones only
                at Opens.repOK():4"#]],
    );
    check(
        &["-c", "Leaves", "--scope", "3"],
        3,
        &expect![[r#"
            Leaves (scope 3): 2 structures in 1 cube, 1 leaf explored, … s; partial, without an answer on 1 leaf
            heapwright: the invariant came to no answer on 1 leaf, left out; the first is leaf 2: the program exited with 0
                at Leaves.repOK():4"#]],
    );
}

#[test]
fn an_invariant_that_writes() {
    let run = |invariant: &str, search: &str| {
        let output = enumerate(&[
            "--search",
            search,
            "-c",
            "Marks",
            "--args",
            "3",
            "--invariant",
            invariant,
            "--format",
            "jsonl",
        ]);
        assert!(output.status.success(), "{output:?}");
        text(&output.stdout)
    };
    for search in ["lazy", "korat"] {
        assert_eq!(run("restores", search), run("reads", search));
        assert_eq!(run("restores", search).lines().count(), 21);
    }
    let first = run("leaves", "korat");
    assert_eq!(first, run("leaves", "korat"));
    assert_eq!(first.lines().count(), 21);
}

#[test]
fn a_finitization_that_cannot_be_used() {
    let expected = [
        expect![[r#"
            heapwright: the finitization Finitized.finThrows(int) failed: Finitized.finThrows(int): java.lang.IllegalArgumentException: no such size
                at Finitized.finThrows(int):10"#]],
        expect!["heapwright: the finitization Finitized.finNull(int) failed: it returned null"],
        expect![[r#"
            heapwright: the finitization Finitized.finLoops(int) failed: Finitized.finLoops(int): the limit of instructions in one run was reached
                at Finitized.finLoops(int):20"#]],
        expect![
            "heapwright: the finitization bounds Finitized.color, but Finitized has no field color"
        ],
        expect![[r#"
            heapwright: the finitization Finitized.finUnknownClass(int) failed: Finitized.finUnknownClass(int): java.lang.IllegalArgumentException: there is no class Leaf, nor Leaf, nor Finitized$Leaf
                at Finitized.finUnknownClass(int):30"#]],
        expect![[r#"
            heapwright: the finitization Finitized.finEmpty(int) failed: korat.finitization.impl.Finitization.describe(): java.lang.IllegalArgumentException: field Finitized.x has an empty int set"#]],
        expect!["heapwright: Finitized.x is of type int, its range of type boolean"],
        expect![[r#"
            heapwright: the finitization Finitized.finTwice(int) failed: Finitized.finTwice(int): java.lang.IllegalArgumentException: field Finitized.x has a domain already
                at Finitized.finTwice(int):45"#]],
        expect![
            "heapwright: addAll on Finitized.next, which is of type Finitized$Other: it must be a java.util.Collection"
        ],
        expect![
            "heapwright: addAll on Finitized.fixed failed: java.util.ImmutableCollections$AbstractImmutableCollection.add(java.lang.Object): java.lang.UnsupportedOperationException"
        ],
    ];
    for ((name, _), expected) in FINITIZATIONS.iter().zip(&expected) {
        let mut request = vec!["-c", "Finitized", "--finitization", name, "--args", "2"];
        request.extend(["--max-steps", "1000000"]);
        check(&request, 2, expected);
    }
}

/// As in Korat, a negative number of objects means none.
#[test]
fn a_finitization_of_no_objects() {
    check(
        &[
            "-c",
            "Finitized",
            "--finitization",
            "finNone",
            "--args",
            "2",
            "--explain-bounds",
        ],
        0,
        &expect![[r##"
            # From the finitization; [bounds] of heapwright.toml adjusts derived bounds.

            [bounds.objects]
            "Finitized" = 1 # finitization; the root
            "Finitized$Other" = 0 # finitization

            [bounds.fields]
            "Finitized.next" = ["Finitized$Other"] # finitization"##]],
    );
}

#[test]
fn a_space_beyond_all_numbers() {
    let summary = |scope: &str| {
        let output = enumerate(&["-c", "Large", "--scope", scope, "--limit", "1", "--json"]);
        assert_eq!(output.status.code(), Some(3), "{output:?}");
        serde_json::from_slice::<serde_json::Value>(&output.stdout).unwrap()
    };
    // Two objects, each with three references of three values and three integers of two values.
    assert_eq!(summary("2")["candidates"], 27 * 8 * 27 * 8);
    let summary = summary("8");
    // (9^3 * 8^3)^8
    assert_eq!(
        summary["candidates"],
        "376686377243952195401306999861472444605792256"
    );
    assert_eq!(summary["status"], "stopped");
    assert_eq!(summary["stopped_by"], "--limit");
}

#[test]
fn classes_that_cannot_be_read() {
    check(
        &["-c", "Garbage", "--scope", "1"],
        2,
        &expect![
            "heapwright: class Garbage cannot be used: CLASSES/Garbage.class: malformed class file: invalid file prefix at 4 in start"
        ],
    );
    let newer = enumerate(&["-c", "Newer", "--scope", "1"]);
    assert_eq!(newer.status.code(), Some(2), "{newer:?}");
    let reason = format!(
        "heapwright: class Newer cannot be used: it is compiled for Java 156, and the JDK in {} is {}",
        jdks()[0].home.display(),
        jdks()[0].feature
    );
    assert!(text(&newer.stderr).starts_with(&reason), "{newer:?}");
    check(
        &["-c", "Missing", "--scope", "1"],
        2,
        &expect!["heapwright: class Missing not found on the class path"],
    );
}

#[test]
fn times_and_numbers_that_are_none() {
    for arguments in [
        ["--scope", "3", "--time-limit", "soon"],
        ["--scope", "3", "--limit", "-1"],
        ["--scope", "-1", "--limit", "1"],
        ["--scope", "3", "--max-memory", "12"],
        ["--scope", "3", "--format", "png"],
    ] {
        let output = enumerate(&[&["-c", "Throws"], &arguments[..]].concat());
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        assert!(output.stdout.is_empty());
    }
}

/// A device that is always full.
#[cfg(target_os = "linux")]
#[test]
fn no_room_left() {
    let full = || {
        fs::OpenOptions::new()
            .write(true)
            .open("/dev/full")
            .unwrap()
    };
    for arguments in [
        &["-c", "Throws", "--scope", "3"][..],
        &["-c", "Throws", "--scope", "3", "--json"],
        &["-c", "Throws", "--scope", "3", "--explain-bounds"],
        &["-c", "Throws", "--scope", "3", "--format", "text"],
    ] {
        let output = program()
            .args(["enumerate", "-p"])
            .arg(classes())
            .args(arguments)
            .stdout(full())
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        let message = text(&output.stderr);
        assert!(
            message.contains("failed to write to standard output: No space left"),
            "{message}"
        );
    }
    let arguments = ["-c", "Throws", "--scope", "3", "--format", "text", "-o"];
    let output = enumerate(&[&arguments[..], &["/dev/full"]].concat());
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert!(text(&output.stderr).contains("failed to write /dev/full: No space left"));
    let output = enumerate(&[&arguments[..], &["/proc/nowhere/out"]].concat());
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert!(text(&output.stderr).contains("failed to make the folder /proc/nowhere"));
}

#[test]
fn a_search_that_takes_too_long() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("all.jsonl");
    let search = |limit: &str| {
        enumerate(&[
            "-c",
            "Large",
            "--scope",
            "6",
            "--time-limit",
            limit,
            "--json",
            "--format",
            "jsonl",
            "-o",
            file.to_str().unwrap(),
        ])
    };
    let output = with_enough_time(300, search, has_ended_by_itself);
    assert_eq!(output.status.code(), Some(3), "{output:?}");
    let summary: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(summary["status"], "stopped");
    assert_eq!(summary["stopped_by"], "--time-limit");
    let written = fs::read_to_string(&file).unwrap();
    assert_eq!(
        written.lines().count() as u64,
        summary["valid"].as_u64().unwrap()
    );
    for line in written.lines() {
        serde_json::from_str::<serde_json::Value>(line).unwrap();
    }
}

/// Ctrl-C during one run of the invariant.
#[cfg(target_os = "linux")]
#[test]
fn an_interrupted_search() {
    let mut child = program();
    let child = child
        .args(["enumerate", "-p"])
        .arg(classes())
        .args([
            "-c",
            "Loops",
            "--scope",
            "3",
            "--format",
            "text",
            "--max-steps",
        ])
        .arg(u64::MAX.to_string())
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    // After a second of work it is at the endless leaf.
    wait_for_work(child.id(), 100);
    let killed = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status();
    assert!(killed.unwrap().success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(3), "{output:?}");
    assert_eq!(text(&output.stdout), "Loops{x: 0}\nLoops{x: 2}\n");
    assert!(
        text(&output.stderr).contains("stopped by Ctrl-C"),
        "{output:?}"
    );
}

#[test]
fn domains_without_end() {
    check(
        &["-c", "Large", "--scope", "4000000000"],
        2,
        &expect![[r#"
            heapwright: a scope of 4000000000 is more than can be searched: at most 1048576"#]],
    );
    let output = enumerate(&[
        "-c",
        "Finitized",
        "--args",
        "1",
        "--finitization",
        "finEndless",
    ]);
    let error = text(&output.stderr);
    let message = "heapwright: the finitization Finitized.finEndless(int) failed: \
                   Finitized.finEndless(int): the limit of instructions in one run was reached";
    assert!(error.starts_with(message), "{error}");
    assert_eq!(output.status.code(), Some(2));
}

fn heapwright(arguments: &[&str], classes: &Path) -> Output {
    program()
        .arg(arguments[0])
        .arg("--jdk")
        .arg(&jdks()[0].home)
        .arg("-p")
        .arg(classes)
        .args(&arguments[1..])
        .output()
        .unwrap()
}

#[test]
fn invariants_that_depend_on_more_than_the_structure_are_named() {
    for (invariant, what) in [
        ("byHash", Some("identity hash codes")),
        ("byOrder", Some("identity hash codes")),
        ("byTime", Some("the clock")),
        ("bySet", None),
    ] {
        let request = [
            "-c",
            "loose.Unsteady",
            "--invariant",
            invariant,
            "--scope",
            "3",
        ];
        for verb in [
            &["enumerate", "--search", "lazy"][..],
            &["enumerate", "--search", "korat"],
            &["check"],
        ] {
            let output = heapwright(&[verb, &request[..]].concat(), &fixtures::classes());
            let error = text(&output.stderr);
            match what {
                Some(what) => {
                    let message = format!(
                        "heapwright: the invariant loose.Unsteady.{invariant}() depends on {what}: \
                         it accepts a structure in one run and rejects it in the next\n"
                    );
                    assert_eq!((error, output.status.code()), (message, Some(2)));
                }
                None => assert!(!error.contains("depends on"), "{error}"),
            }
        }
    }
}

/// The prefix depends on classes that only the invariant calls.
#[test]
fn a_prefix_of_another_helper_is_refused() {
    let compiled = |least: u32| {
        let rule =
            format!("class Rule {{ static boolean allows(int x) {{ return x >= {least}; }} }}");
        let middle = "class Rules { static boolean allow(int x) { return Rule.allows(x); } }";
        let ruled =
            "public class Ruled { int x, y; boolean repOK() { return Rules.allow(x) && y > 0; } }";
        let fixture = Fixture::new(&["--release", "17"]).text("Rule", &rule);
        let fixture = fixture.text("Rules", middle).text("Ruled", ruled);
        fixture.classes()
    };
    let (first, second) = (compiled(1), compiled(2));
    let request = [
        "enumerate",
        "-c",
        "Ruled",
        "--scope",
        "5",
        "--format",
        "text",
        "-j",
        "1",
    ];
    let stopped = heapwright(&[&request[..], &["--limit", "3"]].concat(), &first);
    let error = text(&stopped.stderr);
    let prefix = error.split_once("--resume ").unwrap().1.trim();
    let resumed =
        |classes: &Path| heapwright(&[&request[..], &["--resume", prefix]].concat(), classes);
    assert_eq!(resumed(&first).status.code(), Some(0));
    let refused = resumed(&second);
    let message = "the prefix to resume from is of another version of the classes for class Ruled";
    assert!(text(&refused.stderr).contains(message), "{refused:?}");
    assert_eq!(refused.status.code(), Some(2));
}
