//! `heapwright enumerate --from api`, `builders` and `compare` on the fixtures.

use std::process::Output;

use expect_test::{Expect, expect};
use heapwright_testkit::fixtures::{self, without_seconds};
use heapwright_testkit::jdk::{Jdk, jdks};
use serde_json::Value;

use crate::common::{program, summary_of, text};

fn run(jdk: &Jdk, verb: &str, arguments: &[&str]) -> Output {
    program()
        .args([
            verb,
            "--no-config",
            "--jdk",
            jdk.home.to_str().unwrap(),
            "-p",
        ])
        .arg(fixtures::classes())
        .args(arguments)
        .output()
        .unwrap()
}

fn from_api(jdk: &Jdk, arguments: &[&str]) -> Output {
    let mut all = vec!["--from", "api"];
    all.extend_from_slice(arguments);
    run(jdk, "enumerate", &all)
}

/// Summary without the keys that change from run to run.
fn settled(output: &Output) -> Value {
    let mut summary = summary_of(output);
    for key in [
        "seconds",
        "peak_memory_bytes",
        "bytes_per_structure",
        "peak_disk_bytes",
    ] {
        summary.as_object_mut().unwrap().remove(key);
    }
    summary
}

#[track_caller]
fn fails(output: &Output, code: i32, expected: &Expect) {
    assert_eq!(output.status.code(), Some(code), "{output:?}");
    expected.assert_eq(&text(&output.stderr));
}

#[test]
fn comparisons_have_exit_codes() {
    for (class, verdict, code) in [
        ("compare.Tree", "equal", 0),
        ("compare.Tree$NeverEmpty", "invariant-in-api", 1),
        // Structures outside the bounds may hide a difference.
        ("compare.Slots$Shared", "equal", 3),
        ("compare.Slots$Never", "nothing", 4),
    ] {
        let arguments = ["-c", class, "--scope", "2", "--witnesses", "2", "--json"];
        let output = run(&jdks()[0], "compare", &arguments);
        let summary = summary_of(&output);
        assert_eq!(summary["verdict"], verdict, "{output:?}");
        let outside = summary["outside_bounds"] != 0;
        assert_eq!(outside, code == 3, "{class}: {output:?}");
        assert_eq!(output.status.code(), Some(code), "{class}: {output:?}");
        let witnesses = &summary["api_witnesses"];
        let named = witnesses.to_string().contains("rootIsRight");
        assert_eq!(named, code == 1, "{class}: {output:?}");
    }
}

#[test]
fn structures_come_with_their_calls() {
    let output = from_api(
        &jdks()[0],
        &["-c", "compare.Pool", "--scope", "1", "--format", "text"],
    );
    expect![[r#"
        Pool{size: 0}  // pool = new Pool()
        Pool{top: Node{value: 0}, size: 1}  // pool = new Pool(); pool.push(0)
        Pool{spare: Node{}, size: 0}  // pool = new Pool(); pool.push(0); pool.pop()
    "#]]
    .assert_eq(&text(&output.stdout));
    let output = from_api(
        &jdks()[0],
        &[
            "-c",
            "compare.Pool",
            "--scope",
            "1",
            "--format",
            "jsonl",
            "--limit",
            "2",
        ],
    );
    let lines: Vec<Value> = text(&output.stdout)
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(lines.len(), 2);
    assert_eq!(lines[1]["calls"], "pool = new Pool(); pool.push(0)");
    assert_eq!(lines[1]["objects"][0]["class"], "compare.Pool");
}

/// Types that nothing implements have objects of anonymous classes, those of the library objects
/// that its members make.
#[test]
fn types_without_values_have_objects_that_calls_make() {
    let arguments = ["-c", "api.Reception", "--scope", "2", "--format", "text"];
    let output = from_api(&jdks()[0], &arguments);
    let printed = format!(
        "{}{}",
        text(&output.stdout),
        without_seconds(&text(&output.stderr))
    );
    expect![[r#"
        Reception{total: 0}  // reception = new Reception()
        Reception{total: 2}  // reception = new Reception(); reception.admit(new Guest() {age -> 1, name -> "a"})
        Reception: 2 structures, 73 sequences explored in 3 iterations, 0 bytes a structure, fields omitted: modCount|serialVersionUID, … s; complete, without other objects of api.Reception$Guest, api.Reception$Host, java.io.Reader, java.nio.charset.Charset, java.time.LocalDate, java.util.Comparator, java.util.function.Function"#]].assert_eq(&without_bytes(&printed));
}

#[test]
fn checks_find_what_is_wrong_with_the_shortest_calls() {
    for jdk in &jdks() {
        let output = from_api(
            jdk,
            &[
                "-c",
                "api.Bag",
                "--scope",
                "3",
                "--check-invariant",
                "--check-contracts",
                "--property",
                "isEven",
                "--property",
                "api.Bag.isSmall",
            ],
        );
        fails(
            &output,
            1,
            &expect![[r#"
                heapwright: bag = new Bag(): api.Bag.hashCode() differs on equal structures (37 calls in all)
                heapwright: bag = new Bag(): api.Bag.clone() is the structure itself (40 calls in all)
                heapwright: bag = new Bag(); bag.take(): java.lang.NullPointerException
                        at api.Bag.take():31
                heapwright: bag = new Bag(); bag.put(0): api.Bag.isEven(api.Bag) is false (30 calls in all)
                heapwright: bag = new Bag(); bag.put(0): api.Bag.equals(java.lang.Object) is false of a structure and itself (3 calls in all)
                heapwright: bag = new Bag(); bag.put(0): api.Bag.compareTo(java.lang.Object) is not 0 of a structure and itself (39 calls in all)
                heapwright: bag = new Bag(); bag.put(0): api.Bag.compareTo(java.lang.Object) does not change its sign with its arguments (39 calls in all)
                heapwright: bag = new Bag(); bag.put(0); bag.put(0): api.Bag.isSmall() is false (36 calls in all)
                heapwright: bag = new Bag(); bag.put(0); bag.put(0): api.Bag.toString() is null (9 calls in all)
                heapwright: bag = new Bag(); bag.put(0); bag.put(0); bag.count(0): does not end within --max-steps (18 calls in all)
                heapwright: bag = new Bag(); bag.put(0); bag.put(0); bag.check(): java.lang.AssertionError: two
                        at api.Bag.check():54 (9 calls in all)
                heapwright: bag = new Bag(); bag.put(0); bag.put(0); bag.put(0): api.Bag.repOK() is false (27 calls in all)
            "#]],
        );
    }
}

#[test]
fn builders_are_written_into_the_settings_and_used() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("heapwright.toml");
    std::fs::write(&file, "# ours\nmax-tests = 7\n").unwrap();
    let path = file.to_str().unwrap();
    let jdk = &jdks()[0];
    let output = run(
        jdk,
        "builders",
        &["-c", "compare.Pool", "--scope", "3", "-o", path],
    );
    assert!(output.status.success(), "{output:?}");
    expect![[r#"
        # ours
        max-tests = 7

        [builders]
        "compare.Pool" = [
            'compare\.Pool\.<init>\(\)',
            'compare\.Pool\.push\(java\.lang\.Object\)',
            'compare\.Pool\.pop\(\)',
        ]
    "#]]
    .assert_eq(&std::fs::read_to_string(&file).unwrap());
    let enumerate = |more: &[&str]| {
        let output = program()
            .args(["enumerate", "--from", "api", "--config", path, "-p"])
            .arg(fixtures::classes())
            .args(["--jdk", jdk.home.to_str().unwrap()])
            .args(["--scope", "2", "--json"])
            .args(more)
            .output()
            .unwrap();
        summary_of(&output)
    };
    let class = ["-c", "compare.Pool"];
    let all = [&class[..], &["--no-builders"]].concat();
    let (with, without) = (enumerate(&class), enumerate(&all));
    assert_eq!(with["structures"], without["structures"]);
    let explored = |summary: &Value| summary["explored"].as_u64().unwrap();
    // All methods of the class are builders.
    assert_eq!(explored(&with), explored(&without));
    let text = "class = \"compare.Pool\"\n[builders]\n\"compare.Pool\" = ['<init>', 'push']\n";
    std::fs::write(&file, text).unwrap();
    assert!(explored(&enumerate(&class)) < explored(&with));
    // The class may be named by the file, too.
    assert_eq!(explored(&enumerate(&[])), explored(&enumerate(&class)));
}

#[test]
fn a_beapi_configuration_says_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let properties = folder.path().join("scope3.properties");
    let methods = folder.path().join("builders");
    let literals = folder.path().join("literals3.txt");
    std::fs::write(
        &properties,
        "max.objects=3\nmax.array.objects=3\nsave.array.null=true\nomit.fields=modCount|OTHER\n",
    )
    .unwrap();
    std::fs::write(
        &methods,
        "compare.Tree.<init>\\(\\)\ncompare.Tree.add\\(int\\)\n#no\n",
    )
    .unwrap();
    std::fs::write(
        &literals,
        "START CLASSLITERALS\nCLASSNAME\njava.lang.Integer\nLITERALS\nint:0\nint:1\nint:2\nEND CLASSLITERALS\n",
    )
    .unwrap();
    let jdk = &jdks()[0];
    let theirs = from_api(
        jdk,
        &[
            "-c",
            "compare.Tree",
            "--beapi-config",
            properties.to_str().unwrap(),
            "--methods-file",
            methods.to_str().unwrap(),
            "--literals-file",
            literals.to_str().unwrap(),
            "--json",
        ],
    );
    let ours = from_api(
        jdk,
        &[
            "-c",
            "compare.Tree",
            "--scope",
            "3",
            "--omit-fields",
            "modCount|OTHER",
            "--json",
        ],
    );
    assert_eq!(settled(&theirs), settled(&ours));
    assert_eq!(settled(&ours)["structures"], 15);
}

#[test]
fn bad_requests_are_named() {
    let jdk = &jdks()[0];
    let refused = |arguments: &[&str], expected: Expect| {
        fails(&from_api(jdk, arguments), 2, &expected);
    };
    refused(
        &["-c", "compare.Tree"],
        expect![[r#"
            heapwright: say how large: --scope N allows N objects a class and the integers 0 to N-1, --max-objects or --beapi-config say it otherwise
        "#]],
    );
    refused(
        &["-c", "compare.Tree", "--scope", "0"],
        expect![[r#"
            heapwright: a scope of 0 has no structures
        "#]],
    );
    refused(
        &["-c", "compare.Tree", "--scope", "2", "--methods", "insert"],
        expect![[r#"
            heapwright: class compare.Tree has no public constructor or method that fits insert; it has <init>(), add(int)
        "#]],
    );
    refused(
        &["-c", "compare.Tree", "--scope", "2", "--methods", "add("],
        expect![[r#"
            heapwright: "add(" is no regular expression: regex parse error:
                ^(?:add()$
                 ^
            error: unclosed group
        "#]],
    );
    refused(
        &["-c", "compare.Tree", "--scope", "2", "--methods", "add"],
        expect![[r#"
            heapwright: class compare.Tree cannot be used: no public constructor or static method among those allowed makes an instance without having one
        "#]],
    );
    refused(
        &["-c", "java.util.Iterator", "--scope", "2"],
        expect![[r#"
            heapwright: class java.util.Iterator cannot be used: no public constructor or static method among those allowed makes an instance without having one
        "#]],
    );
    refused(
        &["-c", "compare.Tree", "--scope", "2", "--int-range", "5:1"],
        expect![[r#"
            heapwright: --int-range 5:1: nothing is from 5 to 1
        "#]],
    );
    refused(
        &[
            "-c",
            "compare.Tree",
            "--scope",
            "2",
            "--property",
            "isSorted",
        ],
        expect![[r#"
            heapwright: class compare.Tree has no property (a boolean method without parameters, or a static one that takes a structure) isSorted; it has rootIsRight, repOK
        "#]],
    );
    refused(
        &[
            "-c",
            "compare.Tree",
            "--scope",
            "2",
            "--shard",
            "1/2",
            "-o",
            "x",
        ],
        expect![[r#"
            heapwright: --shard is of searches from the invariant: it does not go with --from api
        "#]],
    );
}

#[test]
fn what_counts_without_end_is_cut_and_said() {
    let output = from_api(&jdks()[0], &["-c", "api.Counter", "--scope", "1"]);
    assert_eq!(output.status.code(), Some(3), "{output:?}");
    expect![[r#"Counter: 16 structures, 31 sequences explored in 16 iterations, 0 bytes a structure, fields omitted: modCount|serialVersionUID, … s; complete up to 16 calls on an object, more build more (--max-length)"#]]
    .assert_eq(&without_bytes(&without_seconds(&text(&output.stdout))));
}

#[test]
fn static_state_goes_back_and_refusals_are_counted() {
    for jdk in &jdks() {
        let output = from_api(
            jdk,
            &["-c", "api.Shared", "--scope", "3", "--format", "text"],
        );
        // Each construction counts from 0 again, so there is one structure.
        expect![[r#"
            Shared{number: 1}  // shared = new Shared()
        "#]]
        .assert_eq(&text(&output.stdout));
        let errors = text(&output.stderr);
        assert!(
            errors.contains("shared.runInBackground(): is refused"),
            "{errors}"
        );
        assert!(errors.contains("shared.save(): is refused"), "{errors}");
    }
}

#[test]
fn calls_that_leave_something_else_each_time_are_named() {
    let output = from_api(
        &jdks()[0],
        &["-c", "api.Unsteady", "--scope", "1", "--max-length", "3"],
    );
    let errors = text(&output.stderr);
    for expected in [
        "unsteady.touch(): field made of api.Unsteady depends on the clock",
        "unsteady.mark(): field hash of api.Unsteady depends on identity hash codes",
    ] {
        assert!(errors.contains(expected), "{errors}");
    }
    // java.util.HashMap of numbers is steady, and so are objects compared by identity.
    let steady = from_api(
        &jdks()[0],
        &["-c", "compare.Pool", "--scope", "2", "--check-invariant"],
    );
    assert_eq!(text(&steady.stderr), "");
}

/// Text with 0 instead of the bytes of a structure, which depend on the growth of memory.
fn without_bytes(text: &str) -> String {
    let Some((before, after)) = text.split_once(" bytes a structure") else {
        return text.to_owned();
    };
    let start = before.trim_end_matches(|c: char| c.is_ascii_digit()).len();
    format!("{}0 bytes a structure{after}", &before[..start])
}

/// A finite search is completed; an infinite one, of a counter, is ended.
#[test]
fn a_search_that_comes_nearer_to_its_end_goes_on() {
    let jdk = &jdks()[0];
    let heap = ["--from", "api", "-c", "api.BinaryHeap", "--json"];
    let constructor = [
        "--methods",
        "BinaryHeap\\(\\)",
        "--methods",
        "insert|removeLeast",
    ];
    for methods in [&[][..], &constructor] {
        let output = run(
            jdk,
            "enumerate",
            &[&heap, methods, &["--scope", "3"]].concat(),
        );
        let summary = settled(&output);
        let found = ["status", "structures", "iterations"].map(|key| summary[key].to_string());
        assert_eq!(found, ["\"complete\"", "902", "26"]);
    }
    let counter = [
        "--from",
        "api",
        "-c",
        "api.Counter",
        "--scope",
        "2",
        "--json",
    ];
    let output = run(jdk, "enumerate", &counter);
    let summary = settled(&output);
    let found = ["status", "stopped_by", "iterations"].map(|key| summary[key].to_string());
    assert_eq!(found, ["\"stopped\"", "\"--max-length\"", "16"]);
    assert_eq!(output.status.code(), Some(3));
}

/// If no structure is within the bounds, a message names the parts of a new object that are
/// outside.
#[test]
fn no_structure_has_a_reason() {
    let jdk = &jdks()[0];
    let arguments = ["-c", "api.BinaryHeap", "--scope", "3"];
    let output = run(jdk, "enumerate", &arguments);
    expect![[r#"
        heapwright: no structure is within the bounds; in a new BinaryHeap api.BinaryHeap.values holds an array of length 5: a larger --scope or [bounds.fields] of heapwright.toml allows that, --explain-bounds shows the bounds
    "#]]
    .assert_eq(&text(&output.stderr));
    // The same holds for structures that calls build.
    let alone = ["-c", "java.util.ArrayDeque", "--methods", "<init>\\(\\)"];
    let output = from_api(jdk, &[&alone[..], &["--scope", "3"]].concat());
    expect![[r#"
        heapwright: no structure is within the scope: one has an array of 17, and at most 16 are within it: --max-array-objects 17
    "#]].assert_eq(&text(&output.stderr));
    assert_eq!(output.status.code(), Some(4));
    let lifted = ["--scope", "3", "--max-array-objects", "17"];
    let output = from_api(jdk, &[&alone[..], &lifted].concat());
    assert_eq!(output.status.code(), Some(0), "{output:?}");
}

/// A claim names the parts left out. An interface's `hashCode`, inherited from `Object`, is not
/// among its methods.
#[test]
fn complete_says_without_what() {
    let jdk = &jdks()[0];
    let summary = |arguments: &[&str]| {
        let output = from_api(jdk, &[arguments, &["--json"]].concat());
        let summary = summary_of(&output);
        let claim = ["status", "without", "refused"].map(|key| summary[key].clone());
        (Value::from_iter(claim), output.status.code())
    };
    let queue = ["-c", "java.util.PriorityQueue", "--scope", "1"];
    expect![[r#"(Array [String("complete"), Array [String("calls of <init>(java.util.SortedSet)"), String("other objects of java.util.Comparator, java.util.function.Consumer, java.util.function.IntFunction, java.util.function.Predicate")], Number(0)], Some(0))"#]].assert_eq(&format!("{:?}", summary(&queue)));
    let shared = ["-c", "api.Shared", "--scope", "3"];
    expect![[r#"(Array [String("partial"), Array [String("an answer on 2 calls"), String("other values of static fields api.Shared.last")], Number(2)], Some(3))"#]].assert_eq(&format!("{:?}", summary(&shared)));
    // Nor is a comparison complete if a call had no result, although the common structures are
    // equal.
    let compared = [&shared[..], &["--invariant", "none", "--json"]].concat();
    let output = run(jdk, "compare", &compared);
    let found = ["verdict", "status"].map(|key| summary_of(&output)[key].to_string());
    assert_eq!(found, ["\"equal\"", "\"partial\""]);
    assert_eq!(output.status.code(), Some(3));
    // A claim may be limited to a number of calls.
    let ended = from_api(jdk, &[&shared[..], &["--max-length", "1"]].concat());
    let line = text(&ended.stdout);
    let claim = line.rsplit("; ").next().unwrap();
    expect![[r#"
        complete up to 1 calls on an object, more build more (--max-length), without other values of static fields api.Shared.last
    "#]].assert_eq(claim);
}
