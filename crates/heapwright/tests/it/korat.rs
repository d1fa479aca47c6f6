//! `heapwright korat`: options and output are those of Korat 1.0. The expected output was compared
//! with Korat's, except for identity hashes.

use std::process::Output;

use expect_test::{Expect, expect};
use heapwright_testkit::fixtures;
use heapwright_testkit::jdk::jdks;

use crate::common::{program, text};

fn korat(arguments: &[&str]) -> Output {
    program()
        .arg("korat")
        .arg("--jdk")
        .arg(&jdks()[0].home)
        .arg("-p")
        .arg(fixtures::classes())
        .args(arguments)
        .output()
        .unwrap()
}

/// Checks both streams, without times, and the exit code.
fn check(arguments: &[&str], code: i32, expected: &Expect) {
    let output = korat(arguments);
    let shown = format!("{}{}", text(&output.stdout), text(&output.stderr));
    let shown: Vec<&str> = shown
        .lines()
        .map(|line| match line.strip_prefix("Overall time: ") {
            Some(time) => {
                let seconds = time.strip_suffix(" s.").unwrap();
                assert!(
                    seconds.contains('.') && seconds.parse::<f64>().is_ok(),
                    "{time}"
                );
                "Overall time: …"
            }
            None => line,
        })
        .collect();
    expected.assert_eq(&shown.join("\n"));
    assert_eq!(output.status.code(), Some(code));
}

const LIST: [&str; 4] = [
    "--class",
    "fixtures.list.SinglyLinkedList",
    "--args",
    "2,1,true",
];

#[test]
fn counts() {
    check(
        &LIST,
        0,
        &expect![[r#"

        Start of Korat Execution for fixtures.list.SinglyLinkedList (repOK, [2, 1, true])

        Total explored:10
        New found:3

        End of Korat Execution
        Overall time: …"#]],
    );
    check(
        &[
            "-c",
            "fixtures.tree.SearchTree",
            "-a",
            "3",
            "-n",
            "finSearchTree",
            "-r",
            "repOK",
        ],
        0,
        &expect![[r#"

            Start of Korat Execution for fixtures.tree.SearchTree (repOK, [3])

            Total explored:178
            New found:15

            End of Korat Execution
            Overall time: …"#]],
    );
}

#[test]
fn vectors_and_structures() {
    check(
        &[&LIST[..], &["--printCandVects", "--print"]].concat(),
        0,
        &expect![[r#"

            Start of Korat Execution for fixtures.list.SinglyLinkedList (repOK, [2, 1, true])

            [0]fixtures.list.SinglyLinkedList@278dde6c.header -> class fixtures.list.SinglyLinkedList$Entry:3
            [1]fixtures.list.SinglyLinkedList@278dde6c.size -> int:2
            [2]fixtures.list.SinglyLinkedList$Entry@f1bbcd8.element -> class java.lang.Integer:2
            [3]fixtures.list.SinglyLinkedList$Entry@f1bbcd8.next -> class fixtures.list.SinglyLinkedList$Entry:3
            [4]fixtures.list.SinglyLinkedList$Entry@36a99b44.element -> class java.lang.Integer:2
            [5]fixtures.list.SinglyLinkedList$Entry@36a99b44.next -> class fixtures.list.SinglyLinkedList$Entry:3

            0 0 0 0 0 0  :: 0 
            1 0 0 0 0 0  :: 0 2 3 1 ***
            fixtures.list.SinglyLinkedList@f1bbcd8
            1 1 0 0 0 0  :: 0 2 3 1 
            1 0 0 1 0 0  :: 0 2 3 
            1 0 0 2 0 0  :: 0 2 3 5 1 
            1 1 0 2 0 0  :: 0 2 3 5 1 ***
            fixtures.list.SinglyLinkedList@36a99b44
            1 1 0 2 1 0  :: 0 2 3 5 1 ***
            fixtures.list.SinglyLinkedList@36a99b44
            1 0 0 2 0 1  :: 0 2 3 5 
            1 0 0 2 0 2  :: 0 2 3 5 
            1 0 1 0 0 0  :: 0 2 
            Total explored:10
            New found:3

            End of Korat Execution
            Overall time: …"#]],
    );
}

#[test]
fn progress_every_few_candidates() {
    check(
        &["-c", "fixtures.tree.SearchTree", "-a", "2", "-g", "12"],
        0,
        &expect![[r#"

            Start of Korat Execution for fixtures.tree.SearchTree (repOK, [2])

            Total explored:12
            New found:4
            1 2 0 2 0 0 0 1  :: 0 2 3 5 6 1 4 7 

            Total explored:24
            New found:5
            1 2 2 0 1 0 0 0  :: 0 2 3 5 6 1 4 7 

            Total explored:31
            New found:5

            End of Korat Execution
            Overall time: …"#]],
    );
}

#[test]
fn a_part_of_the_search() {
    let tree = ["-c", "fixtures.tree.SearchTree", "-a", "2"];
    check(
        &[&tree[..], &["-A", "3", "-e", "6", "-D"]].concat(),
        0,
        &expect![[r#"

            Start of Korat Execution for fixtures.tree.SearchTree (repOK, [2])

            [0]fixtures.tree.SearchTree@278dde6c.root -> class fixtures.tree.SearchTree$Node:3
            [1]fixtures.tree.SearchTree@278dde6c.size -> int:3
            [2]fixtures.tree.SearchTree$Node@f1bbcd8.left -> class fixtures.tree.SearchTree$Node:3
            [3]fixtures.tree.SearchTree$Node@f1bbcd8.right -> class fixtures.tree.SearchTree$Node:3
            [4]fixtures.tree.SearchTree$Node@f1bbcd8.key -> int:2
            [5]fixtures.tree.SearchTree$Node@36a99b44.left -> class fixtures.tree.SearchTree$Node:3
            [6]fixtures.tree.SearchTree$Node@36a99b44.right -> class fixtures.tree.SearchTree$Node:3
            [7]fixtures.tree.SearchTree$Node@36a99b44.key -> int:2

            1 0 0 0 0 0 0 0  :: 0 2 3 1 
            1 1 0 0 0 0 0 0  :: 0 2 3 1 4 ***
            1 1 0 0 1 0 0 0  :: 0 2 3 1 4 ***
            Total explored:3
            New found:2

            End of Korat Execution
            Overall time: …"#]],
    );
    check(
        &[&tree[..], &["--maxStructs", "2"]].concat(),
        3,
        &expect![[r#"

            Start of Korat Execution for fixtures.tree.SearchTree (repOK, [2])

            Total explored:5
            New found:2

            End of Korat Execution
            Overall time: …
            heapwright: stopped by --maxStructs"#]],
    );
    // An end before the start is never reached.
    let counts = |options: &[&str]| {
        let output = korat(&[&tree[..], options].concat());
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        text(&output.stdout)
            .lines()
            .filter_map(|line| line.split_once(':'))
            .filter(|(name, _)| !name.starts_with("Overall"))
            .map(|(_, count)| count.to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(counts(&["--cvStart", "4", "--cvEnd", "4"]), ["27", "4"]);
    assert_eq!(counts(&["--cvStart", "31"]), ["0", "0"]);
    assert_eq!(counts(&["--cvEnd", "99"]), ["31", "5"]);
    // Numbers below the meaningful ones mean none.
    for none in [
        &["--maxStructs", "-1"][..],
        &["--maxStructs=-1"],
        &["-M", "0"],
        &["--cvStart", "-1", "--cvEnd", "-1"],
        &["--progress", "-1"],
        &["-x", "-1", "-W", "-1", "-F", "-4"],
    ] {
        assert_eq!(counts(none), ["31", "5"], "{none:?}");
    }
    for wrong in [["-M", "two"], ["--cvStart", "-2"], ["-e", "-3"]] {
        let output = korat(&[&tree[..], &wrong].concat());
        assert_eq!(output.status.code(), Some(2), "{wrong:?}");
    }
}

#[test]
fn options_from_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("options");
    let file_name = file.to_str().unwrap();
    let lines = "# a tree\n--class fixtures.tree.SearchTree\n  --args 2  -M 2\n";
    std::fs::write(&file, lines).unwrap();
    let found = |options: &[&str]| {
        let output = korat(&[&["--config", file_name], options].concat());
        let stdout = text(&output.stdout);
        let line = stdout.lines().find(|line| line.starts_with("New found:"));
        (line.map(str::to_owned), output.status.code())
    };
    let counted = |count: &str| Some(format!("New found:{count}"));
    assert_eq!(found(&[]), (counted("2"), Some(3)));
    // The command line overrides the file.
    assert_eq!(found(&["-M", "-1"]), (counted("5"), Some(0)));
    assert_eq!(
        found(&["--args", "3", "--maxStructs", "0"]),
        (counted("15"), Some(0))
    );
    let message = |file: &str| {
        let output = korat(&["-G", file]);
        assert_eq!(output.status.code(), Some(2));
        text(&output.stderr)
    };
    std::fs::write(&file, "--args 2").unwrap();
    let expected = "heapwright: no class is given: name it with --class\n";
    assert_eq!(message(file_name), expected);
    std::fs::write(&file, "--colour 2").unwrap();
    let wrong = message(file_name);
    assert!(wrong.contains("with the options in ") && wrong.contains("'--colour'"));
    let missing = message("no-such-file");
    assert!(missing.contains("failed to read the options in no-such-file"));
    let nothing = korat(&[]);
    assert_eq!(nothing.status.code(), Some(2));
    assert!(text(&nothing.stderr).contains("--class"));
}

#[test]
fn options_without_a_meaning() {
    for option in [
        &["--visualize"][..],
        &["--serialize", "file"],
        &["--listeners", "a.B"],
        &["--excludePackages", "a"],
        &["--cvFile", "file"],
    ] {
        let output = korat(&[&LIST[..], option].concat());
        assert_eq!(output.status.code(), Some(2));
        assert!(output.stdout.is_empty());
        let message = text(&output.stderr);
        assert!(
            message.contains(&format!("{} is not supported: ", option[0])),
            "{message}"
        );
    }
    check(
        &[&LIST[..], &["-w", "-x", "10", "--dumpBytecodes"]].concat(),
        0,
        &expect![[r#"

            Start of Korat Execution for fixtures.list.SinglyLinkedList (repOK, [2, 1, true])

            Total explored:10
            New found:3

            End of Korat Execution
            Overall time: …
            heapwright: --cvWrite does nothing: no file of candidate vectors is written; --cvStart needs none
            heapwright: --cvExpected does nothing: no file of candidate vectors is written; --cvStart needs none
            heapwright: --dumpBytecodes does nothing: no bytecode is changed, so none is dumped"#]],
    );
}

#[test]
fn what_is_missing() {
    check(
        &["-c", "fixtures.Missing", "-a", "1"],
        2,
        &expect![[r#"

        Start of Korat Execution for fixtures.Missing (repOK, [1])

        heapwright: class fixtures.Missing not found on the class path; did you mean fixtures.list.Ring, fixtures.list.Ring$Player, fixtures.set.DisjointSet?"#]],
    );
    check(
        &[&LIST[..], &["--predicate", "isSorted"]].concat(),
        2,
        &expect![[r#"

            Start of Korat Execution for fixtures.list.SinglyLinkedList (isSorted, [2, 1, true])

            heapwright: class fixtures.list.SinglyLinkedList has no invariant (a boolean instance method without parameters) isSorted; it has repOK"#]],
    );
    check(
        &[&LIST[..], &["--finitization", "finOther"]].concat(),
        2,
        &expect![[r#"

            Start of Korat Execution for fixtures.list.SinglyLinkedList (repOK, [2, 1, true])

            heapwright: class fixtures.list.SinglyLinkedList has no finitization method finOther with 3 parameters; it has finSinglyLinkedList with 3 parameters"#]],
    );
}
