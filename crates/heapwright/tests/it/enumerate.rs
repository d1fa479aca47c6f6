//! `heapwright enumerate` on the fixtures: counts equal Korat's, tests pass on real JVMs, and
//! messages name errors.

use std::path::Path;
use std::process::Output;

use expect_test::{Expect, expect};
use heapwright_testkit::fixtures::{self, compile, files, project, without_seconds};
use heapwright_testkit::jdk::{Jdk, all_jdks, compilers, jdks};
use heapwright_testkit::junit;

use crate::common::{program, summary_of, text};

fn heapwright(arguments: &[&str]) -> Output {
    program().args(arguments).output().unwrap()
}

fn enumerate(jdk: &Jdk, arguments: &[&str]) -> Output {
    let classes = fixtures::classes();
    let mut all = vec![
        "enumerate",
        "--jdk",
        jdk.home.to_str().unwrap(),
        "-p",
        classes.to_str().unwrap(),
    ];
    all.extend_from_slice(arguments);
    heapwright(&all)
}

/// Rows of a list of counts: class, arguments, explored, valid. Arguments are quoted if they
/// contain commas.
fn rows(csv: &str) -> Vec<[String; 4]> {
    csv.lines()
        .skip(1)
        .filter(|line| !line.trim().is_empty())
        .map(|line| {
            let (class, rest) = line.split_once(',').unwrap();
            let (arguments, counts) = match rest.strip_prefix('"') {
                Some(quoted) => quoted.split_once("\",").unwrap(),
                None => rest.split_once(',').unwrap(),
            };
            let (explored, valid) = counts.split_once(',').unwrap();
            [class, arguments, explored, valid].map(str::to_owned)
        })
        .collect()
}

/// Counting may merge structures that the invariant does not distinguish.
#[test]
fn counts_are_those_of_korat() {
    assert_counts(&[&["--count"]]);
}

/// A limit that is never reached forces every structure to be created.
#[test]
#[ignore = "long"]
fn counts_are_those_of_korat_in_every_way() {
    assert_counts(&[
        &["--limit", "1000000000"],
        &["--count", "--search", "korat"],
        &["--limit", "1000000000", "--search", "korat"],
    ]);
}

/// Compares the counts of requests that end in each of some ways with those that Korat has.
fn assert_counts(ways: &[&[&str]]) {
    let csv = std::fs::read_to_string(project().join("fixtures").join("korat-counts.csv")).unwrap();
    let rows = rows(&csv);
    assert!(rows.len() >= 60, "only {} rows", rows.len());
    let mut wrong = Vec::new();
    let jdk = &jdks()[0];
    for [class, arguments, explored, valid] in &rows {
        for &way in ways {
            let is_korat = way.contains(&"korat");
            let keys = if is_korat { "explored valid" } else { "valid" };
            let expected = if is_korat {
                format!("{explored} {valid}")
            } else {
                valid.clone()
            };
            let mut request = vec!["-c", class, "--args", arguments, "--json"];
            request.extend_from_slice(way);
            let output = enumerate(jdk, &request);
            let found = serde_json::from_slice::<serde_json::Value>(&output.stdout)
                .map(|summary| {
                    let counts: Vec<String> = keys
                        .split(' ')
                        .map(|key| summary[key].to_string())
                        .collect();
                    counts.join(" ")
                })
                .unwrap_or_else(|_| text(&output.stderr));
            if found != expected {
                let feature = jdk.feature;
                wrong.push(format!(
                    "{class} {arguments} {way:?} on {feature}: {found}, not {expected}"
                ));
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "{} of {} rows differ:\n{}",
        wrong.len(),
        rows.len(),
        wrong.join("\n")
    );
}

#[test]
fn space_of_the_worked_example() {
    let output = enumerate(
        &jdks()[0],
        &[
            "-c",
            "fixtures.list.StrictlySortedList",
            "--args",
            "0,3,4,3",
            "--json",
        ],
    );
    let summary = summary_of(&output);
    assert_eq!(summary["candidates"], 3_200_000);
    assert_eq!(summary["valid"], 8);
    assert_eq!(summary["status"], "complete");
}

/// Korat counts the same: `finBoxes` sums to the arguments of another row.
#[test]
fn arguments_of_boxed_types() {
    let request = ["-c", "fixtures.set.Committee", "--json", "--args"];
    let boxes = [
        "1,0,1,0.5,1.5,true,x",
        "--finitization",
        "finBoxes",
        "--search",
        "korat",
    ];
    let found = summary_of(&enumerate(&jdks()[0], &[&request[..], &boxes[..]].concat()));
    assert_eq!(
        (&found["explored"], &found["valid"]),
        (&15.into(), &9.into())
    );
    for (arguments, wrong) in [
        (
            "x,0,true",
            "argument 1 is \"x\", which is no java.lang.Integer",
        ),
        (
            "1,0,1",
            "argument 3 is \"1\", which is no java.lang.Boolean",
        ),
    ] {
        let output = enumerate(&jdks()[0], &[&request[..], &[arguments]].concat());
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        assert!(text(&output.stderr).contains(wrong), "{output:?}");
    }
}

/// Generates tests for a class, compiles them without a warning and runs them on every JDK.
fn generated_tests_pass(class: &str, bounds: &[&str], junit: &str) {
    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().join("src");
    let mut arguments = vec![
        "-c",
        class,
        "--format",
        "junit",
        "--json",
        "--junit",
        junit,
        "-o",
        source.to_str().unwrap(),
    ];
    arguments.extend_from_slice(bounds);
    let output = enumerate(&jdks()[0], &arguments);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let tests = summary_of(&output)["tests"].as_u64().unwrap() as usize;
    assert!(tests > 10, "{class}: only {tests} tests");
    let jars = junit::jars();
    let class_path = [
        jars.console,
        jars.junit4,
        jars.hamcrest,
        fixtures::classes(),
        fixtures::api(),
    ];
    let classes = folder.path().join("classes");
    compile(
        &compilers()[0],
        &files(&source, "java"),
        &class_path,
        &classes,
        &["-Xlint:all", "-Werror", "--release", "17"],
    );
    for resource in files(&source, "txt") {
        let to = classes.join(resource.strip_prefix(&source).unwrap());
        std::fs::create_dir_all(to.parent().unwrap()).unwrap();
        std::fs::copy(&resource, to).unwrap();
    }
    for jdk in jdks() {
        let java = jdk.home.join("bin").join("java");
        let report = run_console(&java, &classes);
        assert_eq!(
            (report.found, report.succeeded),
            (tests, tests),
            "{class} on {}:\n{}",
            jdk.feature,
            report.output
        );
    }
}

fn run_console(java: &Path, classes: &Path) -> junit::LauncherReport {
    // Tests are searched for only in their own folder.
    let rest = [fixtures::classes(), fixtures::api()];
    junit::run_console_with(java, &[classes.to_owned()], &rest)
}

#[test]
#[ignore = "long"]
fn generated_tests_pass_on_real_jvms() {
    generated_tests_pass("fixtures.tree.RedBlackTree", &["--args", "3"], "4");
    generated_tests_pass("fixtures.list.DoublyLinkedList", &["--args", "4,3"], "5");
    generated_tests_pass("fixtures.plain.TextBuffer", &["--scope", "2"], "4");
}

#[test]
#[ignore = "long"]
fn generated_tests_of_further_classes_pass_on_real_jvms() {
    generated_tests_pass("fixtures.tree.SearchTree", &["--args", "3"], "5");
    generated_tests_pass(
        "fixtures.list.SinglyLinkedList",
        &["--args", "3,2,false"],
        "5",
    );
    generated_tests_pass("fixtures.tree.SearchTreeRecursive", &["--scope", "3"], "4");
    generated_tests_pass("fixtures.stack.ArrayStack", &["--scope", "2"], "5");
    generated_tests_pass("fixtures.plain.BoundedStack", &["--scope", "2"], "5");
}

#[test]
#[ignore = "long"]
fn large_suites_are_data() {
    generated_tests_pass("fixtures.tree.AvlTree", &["--args", "4,4"], "5");
    generated_tests_pass("fixtures.tree.SearchTree", &["--args", "4"], "4");
}

/// Calls that show the state follow in all forms: methods, data, and inputs made by calls.
#[test]
#[ignore = "long"]
fn the_state_after_calls_is_asserted() {
    let delete = ["--call", "delete", "--observe", "keys", "--args"];
    for (args, junit) in [("3,3", "5"), ("3,4", "5"), ("3,4", "4"), ("3,4", "testng")] {
        let bounds = [&delete[..], &[args]].concat();
        match junit {
            // Written only; the launcher has no engine for it.
            "testng" => {
                let reader = written("TreeDelete", &bounds, junit, "java");
                assert_eq!(reader.matches("split(call, \"then\")").count(), 1);
            }
            _ => generated_tests_pass("fixtures.koratplus.TreeDelete", &bounds, junit),
        }
    }
    let bounds = ["--args", "4", "--prefer-api", "--call", "insert"];
    let observed = ["--observe", "size", "--observe", "min"];
    generated_tests_pass(
        "fixtures.tree.SearchTree",
        &[&bounds[..], &observed].concat(),
        "5",
    );
    let bounds = [&delete[..], &["1,1"]].concat();
    expect![[r#"
        package fixtures.koratplus;

        import static org.junit.jupiter.api.Assertions.assertEquals;
        import static org.junit.jupiter.api.Assertions.assertFalse;
        import static org.junit.jupiter.api.Assertions.assertTrue;

        import java.lang.reflect.Field;
        import org.junit.jupiter.api.Test;

        /** Behaviour of fixtures.koratplus.TreeDelete, written by Heapwright. */
        class TreeDeleteStructuresTest {
            @Test
            void delete_onTreeDelete_returnsFalse() throws Exception {
                TreeDelete treeDelete = new TreeDelete();
                set(treeDelete, "value", 1);
                set(treeDelete, "root", null);
                set(treeDelete, "size", 0);
                assertTrue(treeDelete.repOK());

                assertFalse(treeDelete.delete());
                assertTrue(treeDelete.repOK());
                assertEquals("", treeDelete.keys());
            }

            @Test
            void delete_on1Node_returnsTrue() throws Exception {
                TreeDelete treeDelete = new TreeDelete();
                TreeDelete.Node node = new TreeDelete.Node();
                set(treeDelete, "value", 1);
                set(treeDelete, "root", node);
                set(treeDelete, "size", 1);
                node.key = 1;
                node.left = null;
                node.right = null;
                assertTrue(treeDelete.repOK());

                assertTrue(treeDelete.delete());
                assertTrue(treeDelete.repOK());
                assertEquals("", treeDelete.keys());
            }

            /** Sets a field, looked for in the object's class and then in its superclasses. */
            private static void set(Object object, String name, Object value) throws Exception {
                for (Class<?> type = object.getClass(); type != null; type = type.getSuperclass()) {
                    for (Field field : type.getDeclaredFields()) {
                        if (field.getName().equals(name)) {
                            field.setAccessible(true);
                            field.set(object, value);
                            return;
                        }
                    }
                }
                throw new NoSuchFieldException(name);
            }
        }
        // Checksum 4dd6d157 of what Heapwright wrote: edited files are not overwritten.
    "#]]
    .assert_eq(&written("TreeDelete", &bounds, "5", "java"));
    let bounds = [&delete[..], &["3,4"]].concat();
    let data = written("TreeDelete", &bounds, "5", "structures.txt");
    let later: Vec<&str> = data.lines().filter(|line| line.contains("then")).collect();
    // Two lines of the head have the word, too.
    assert_eq!(later.len(), 2 + 148);
    expect![[r##"
        # After "then" comes a call on the same structure that shows its state.
        @0=TreeDelete value=1 | delete() -> false then keys() -> ""
        @0=TreeDelete value=2 | delete() -> false then keys() -> """##]]
    .assert_eq(&later[1..4].join("\n"));
}

/// File that is written for a class of `fixtures.koratplus`, by its ending.
fn written(class: &str, bounds: &[&str], junit: &str, ending: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    let named = format!("fixtures.koratplus.{class}");
    let to = folder.path().to_str().unwrap();
    let arguments = [
        "-c", &named, "--format", "junit", "--junit", junit, "-o", to,
    ];
    let output = enumerate(&jdks()[0], &[&arguments[..], bounds].concat());
    assert!(output.status.success(), "{}", text(&output.stderr));
    let file = format!("fixtures/koratplus/{class}StructuresTest.{ending}");
    std::fs::read_to_string(folder.path().join(file)).unwrap()
}

#[test]
fn calls_of_tests_are_named() {
    let tree = ["-c", "fixtures.koratplus.TreeDelete", "--args", "1,1"];
    let check = |further: &[&str], expected: Expect| {
        check(&[&tree[..], further].concat(), 2, &expected);
    };
    let junit = ["--format", "junit", "-o", "nowhere"];
    check(
        &[&junit[..], &["--call", "gone"]].concat(),
        expect![
            "heapwright: class fixtures.koratplus.TreeDelete has no method gone; it has contains(), delete(), position()"
        ],
    );
    check(
        &[&junit[..], &["--observe", "find(int)"]].concat(),
        expect![
            "heapwright: class fixtures.koratplus.TreeDelete has no method find(int); it has contains(), delete(), keys(), find(), repOK(), position()"
        ],
    );
    check(
        &["--observe", "keys"],
        expect!["heapwright: --call and --observe concern tests: they require --format junit"],
    );
    check(
        &["--from", "api", "--observe", "keys"],
        expect![
            "heapwright: --observe is of searches from the invariant: it does not go with --from api"
        ],
    );
}

#[test]
fn results_are_the_same_twice_and_on_every_jdk() {
    let mut all = Vec::new();
    for jdk in all_jdks().iter().chain(&all_jdks()[..1]) {
        let output = enumerate(
            jdk,
            &[
                "-c",
                "fixtures.tree.RedBlackTree",
                "--args",
                "3",
                "--format",
                "jsonl",
            ],
        );
        assert!(output.status.success(), "{}", text(&output.stderr));
        assert_eq!(text(&output.stdout).lines().count(), 12);
        all.push(text(&output.stdout));
    }
    all.dedup();
    assert_eq!(all.len(), 1);
}

/// Checks the output of a request, without times, and its exit code.
fn check(arguments: &[&str], code: i32, expected: &Expect) {
    let output = enumerate(&jdks()[0], arguments);
    let shown = format!("{}{}", text(&output.stdout), text(&output.stderr));
    expected.assert_eq(&without_seconds(&shown));
    assert_eq!(output.status.code(), Some(code));
}

#[test]
fn summary_and_lines() {
    check(
        &[
            "-c",
            "fixtures.tree.SearchTree",
            "--args",
            "2",
            "--format",
            "text",
        ],
        0,
        &expect![[r#"
            SearchTree{size: 0}
            SearchTree{root: Node{key: 1}, size: 1}
            SearchTree{root: Node{key: 2}, size: 1}
            SearchTree{root: Node{key: 1, right: Node{key: 2}}, size: 2}
            SearchTree{root: Node{key: 2, left: Node{key: 1}}, size: 2}
            SearchTree (2): 5 structures in 4 cubes, 17 leaves explored, … s; complete"#]],
    );
    check(
        &["-c", "fixtures.tree.SearchTree", "--args", "4,0,4,0,3"],
        0,
        &expect![
            "SearchTree (4,0,4,0,3): 51 structures in 23 cubes, 179 leaves explored, … s; complete"
        ],
    );
    check(
        &[
            "-c",
            "fixtures.tree.SearchTree",
            "--scope",
            "2",
            "--explain-bounds",
        ],
        0,
        &expect![[r#"
            [bounds]
            scope = 2

            [bounds.objects]
            "fixtures.tree.SearchTree" = 1 # scope 2: one, as nothing refers to it; the root
            "fixtures.tree.SearchTree$Node" = 2 # scope 2: N objects

            [bounds.fields]
            "fixtures.tree.SearchTree.root" = ["null", "fixtures.tree.SearchTree$Node"] # scope 2: null or an object
            "fixtures.tree.SearchTree.size" = "0..1" # scope 2: 0 to N-1
            "fixtures.tree.SearchTree$Node.key" = "0..1" # scope 2: 0 to N-1
            "fixtures.tree.SearchTree$Node.left" = ["null", "fixtures.tree.SearchTree$Node"] # scope 2: null or an object
            "fixtures.tree.SearchTree$Node.right" = ["null", "fixtures.tree.SearchTree$Node"] # scope 2: null or an object"#]],
    );
    check(
        &[
            "-c",
            "fixtures.tree.SearchTree",
            "--args",
            "5",
            "--search",
            "korat",
            "--limit",
            "10",
        ],
        3,
        &expect![[r#"
            SearchTree (5): 10 structures, 26 candidates explored, … s; stopped by --limit
            heapwright: to resume: --resume …"#]],
    );
    check(
        &[
            "-c",
            "fixtures.tree.SearchTree",
            "--args",
            "5",
            "--limit",
            "10",
        ],
        3,
        &expect![[r#"
            SearchTree (5): 10 structures in 3 cubes, 8 leaves explored, … s; stopped by --limit
            heapwright: to resume: --resume …"#]],
    );
}

#[test]
fn bad_requests() {
    check(
        &["-c", "fixtures.tree.SaerchTree", "--scope", "2"],
        2,
        &expect![
            "heapwright: class fixtures.tree.SaerchTree not found on the class path; did you mean fixtures.tree.SearchTree, fields.SearchTree, fixtures.tree.SearchTree$Node?"
        ],
    );
    check(
        &["-c", "fixtures.tree.SearchTree"],
        2,
        &expect![
            "heapwright: no bounds are given: --scope N derives them, --args A,B,… calls the class's finitization method"
        ],
    );
    check(
        &["-c", "fixtures.tree.SearchTree", "--args", "1,2"],
        2,
        &expect![
            "heapwright: class fixtures.tree.SearchTree has no finitization method finSearchTree with 2 parameters; it has finSearchTree with 1 parameters, finSearchTree with 5 parameters"
        ],
    );
    check(
        &["-c", "fixtures.tree.SearchTree", "--args", "x"],
        2,
        &expect![[
            r#"heapwright: fixtures.tree.SearchTree.finSearchTree(int): argument 1 is "x", which is no int"#
        ]],
    );
    check(
        &["-c", "fixtures.tree.SearchTree", "--scope", "0"],
        2,
        &expect!["heapwright: a scope is at least 1: there is no object with 0 objects"],
    );
    check(
        &[
            "-c",
            "fixtures.tree.SearchTree",
            "--scope",
            "2",
            "--invariant",
            "isOk",
        ],
        2,
        &expect![
            "heapwright: class fixtures.tree.SearchTree has no invariant (a boolean instance method without parameters) isOk; it has isEmpty, repOK"
        ],
    );
}

/// Tests beyond the limit are those of the largest structures.
#[test]
fn too_many_tests() {
    let folder = tempfile::tempdir().unwrap();
    check(
        &[
            "-c",
            "fixtures.tree.SearchTree",
            "--args",
            "3",
            "--max-tests",
            "100",
            "--format",
            "junit",
            "--junit-check",
            "none",
            "-o",
            folder.path().to_str().unwrap(),
        ],
        3,
        &expect![[r#"
            SearchTree (3): 15 structures in 9 cubes, 53 leaves explored, … s; stopped by --max-tests; 100 tests written
            heapwright: 125 tests of the largest structures are not written: --max-tests 100 has no room for them"#]],
    );
    let written = folder
        .path()
        .join("fixtures/tree/SearchTreeStructuresTest.java");
    let written = std::fs::read_to_string(written).unwrap();
    assert_eq!(written.matches("@Test").count(), 100);
}

#[test]
fn bad_class_paths() {
    let folder = tempfile::tempdir().unwrap();
    let missing = folder.path().join("missing");
    let broken = folder.path().join("broken.jar");
    std::fs::write(&broken, "not a jar").unwrap();
    for (path, what) in [
        (&missing, "does not exist"),
        (&broken, "not a folder nor a readable jar"),
    ] {
        let output = heapwright(&[
            "enumerate",
            "-p",
            path.to_str().unwrap(),
            "-c",
            "A",
            "--scope",
            "1",
        ]);
        assert_eq!(output.status.code(), Some(2));
        let message = text(&output.stderr);
        assert!(
            message.contains(what) && message.contains(path.to_str().unwrap()),
            "{message}"
        );
    }
}

#[test]
fn output_that_cannot_be_written() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    std::fs::write(&file, "").unwrap();
    let below = file.join("out.jsonl");
    let arguments = [
        "-c",
        "fixtures.tree.SearchTree",
        "--args",
        "2",
        "--format",
        "jsonl",
        "-o",
    ];
    let output = enumerate(
        &jdks()[0],
        &[&arguments[..], &[below.to_str().unwrap()]].concat(),
    );
    assert_eq!(output.status.code(), Some(2), "{}", text(&output.stderr));
    assert!(
        text(&output.stderr).contains("failed to make the folder"),
        "{}",
        text(&output.stderr)
    );
}

#[test]
fn structures_are_drawn_as_text() {
    let words = [
        "-c",
        "fixtures.tree.SearchTree",
        "--args",
        "2",
        "--limit",
        "4",
        "--format",
        "boxes",
    ];
    let output = enumerate(&jdks()[0], &words);
    expect![[r#"
        1
        ┌────────────┐
        │ SearchTree │
        ├────────────┤
        │ size = 0   │
        └────────────┘

        2
        ┌────────────┐
        │ SearchTree │
        ├────────────┤
        │ size = 1   │
        └──────┬─────┘
               │ root
               ▼
          ┌─────────┐
          │ Node    │
          ├─────────┤
          │ key = 1 │
          └─────────┘

        3
        ┌────────────┐
        │ SearchTree │
        ├────────────┤
        │ size = 1   │
        └──────┬─────┘
               │ root
               ▼
          ┌─────────┐
          │ Node    │
          ├─────────┤
          │ key = 2 │
          └─────────┘

        4
        ┌────────────┐
        │ SearchTree │
        ├────────────┤
        │ size = 2   │
        └──────┬─────┘
               │ root
               ▼
          ┌─────────┐
          │ Node    │
          ├─────────┤
          │ key = 1 │
          └────┬────┘
               └────┐
                    │ right
                    ▼
               ┌─────────┐
               │ Node    │
               ├─────────┤
               │ key = 2 │
               └─────────┘
    "#]]
    .assert_eq(&text(&output.stdout));
}
