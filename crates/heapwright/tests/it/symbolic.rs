//! `heapwright run --symbolic` on the command line: its output, independence of the number of
//! workers, and containment: nothing that a method does ends more than its path.

use std::path::PathBuf;
use std::process::{Command, Output};
use std::sync::OnceLock;

use expect_test::{Expect, expect};
use heapwright_testkit::fixtures::{Fixture, without_seconds};
use heapwright_testkit::jdk::jdks;
use serde_json::Value;

use crate::common::{
    has_ended_by_itself, program, sources_of, summary_of, text, with_enough_time, without_measures,
};

/// The fixtures with symbolic inputs and the classes in `tests/symbolic`.
fn classes() -> &'static str {
    static CLASSES: OnceLock<PathBuf> = OnceLock::new();
    let all = Fixture::new(&["-g", "-nowarn"]).package("symbolic");
    let all = all.folder(&sources_of("symbolic"));
    CLASSES.get_or_init(|| all.classes()).to_str().unwrap()
}

fn command(arguments: &[&str]) -> Command {
    let mut command = program();
    command
        .args(["run", "-p", classes()])
        .args(["--jdk", jdks()[0].home.to_str().unwrap()])
        .args(arguments);
    command
}

fn symbolic(class: &str, arguments: &[&str]) -> Output {
    let mut command = command(&["--symbolic", "-c", class]);
    command.args(arguments).output().unwrap()
}

/// Runs a request and compares standard output followed by standard error.
fn prints(class: &str, arguments: &[&str], status: i32, expected: &Expect) {
    let output = symbolic(class, arguments);
    let err = without_seconds(&text(&output.stderr));
    expected.assert_eq(&format!("{}{err}", text(&output.stdout)));
    assert_eq!(output.status.code(), Some(status), "{err}");
}

/// Checks that a wrong or empty request ends with one message that contains all of `parts`.
fn refuses(output: &Output, status: i32, parts: &[&str]) {
    let err = text(&output.stderr);
    assert_eq!(output.status.code(), Some(status), "{err}");
    assert_eq!(text(&output.stdout), "");
    for part in parts {
        assert!(err.contains(part), "{part:?} is not in {err:?}");
    }
    assert!(!err.contains("panicked"), "{err}");
}

fn summary(class: &str, arguments: &[&str]) -> Value {
    let output = symbolic(class, &[arguments, &["--json"]].concat());
    summary_of(&output)
}

#[test]
fn paths_are_lines_with_an_input_each() {
    let expected = expect![[r#"
        sum(Cases,java.lang.String) throws java.lang.NullPointerException if name == null: this = Cases{held: 0}, other = null, name = null
        sum(Cases,java.lang.String) returns 0 if name is a new java.lang.String && name.length != 1 && this.next == null: this = Cases{held: 0}, other = null, name = ""
        sum(Cases,java.lang.String) returns 1 if name is a new java.lang.String && name.length != 1 && this.next == this: this = #0=Cases{next: #0, held: 0}, other = null, name = ""
        sum(Cases,java.lang.String) returns 0 if name is a new java.lang.String && name.length == 1 && (name[0] & 255) != 43 && this.next == null: this = Cases{held: 0}, other = null, name = "\u0000"
        sum(Cases,java.lang.String) returns 1 if name is a new java.lang.String && name.length == 1 && (name[0] & 255) != 43 && this.next == this: this = #0=Cases{next: #0, held: 0}, other = null, name = "\u0000"
        sum(Cases,java.lang.String) throws java.lang.NullPointerException if name is a new java.lang.String && name.length == 1 && (name[0] & 255) == 43 && other == null: this = Cases{held: 0}, other = null, name = "+"
        sum(Cases,java.lang.String) returns 0 = this.held + this.held if name is a new java.lang.String && name.length == 1 && (name[0] & 255) == 43 && other == this: this = #0=Cases{held: 0}, other = #0, name = "+"
        sign(int) returns 0 if x < 1 && x >= 0: x = 0
        sign(int) returns -1 if x < 1 && x < 0: x = -1
        sign(int) returns 1 if x >= 1: x = 1
        sum(Cases,java.lang.String): 7 paths, 6 without more objects (--scope); 14 questions, 0 to the solver (0 work, 0 unknown), 0 from its cache
        sign(int): 3 paths; 4 questions, 0 to the solver (0 work, 0 unknown), 0 from its cache
        … s; complete, without more objects (--scope), characters past Latin-1 (--strings utf16)"#]];
    prints(
        "Cases",
        &["-m", "sign", "-m", "sum", "--scope", "1"],
        0,
        &expected,
    );
}

#[test]
fn json_is_one_object() {
    let mut summary = without_measures(summary("Cases", &["-m", "sum", "--scope", "1"]));
    summary["version"].take();
    let text = serde_json::to_string_pretty(&summary).unwrap();
    expect![[r#"
        {
          "bounded": 0,
          "class": "Cases",
          "cut": {
            "characters": 6,
            "objects": 6
          },
          "decisions": 6,
          "explored": 7,
          "explored_unit": "paths",
          "files": [],
          "fixed": 0,
          "fixed_at": {},
          "integers": "java",
          "paths": [
            {
              "condition": "name == null",
              "method": "sum(Cases,java.lang.String)",
              "model": {
                "name": null,
                "other": null,
                "this": {
                  "class": "Cases",
                  "fields": {
                    "held": 0,
                    "next": null
                  }
                }
              },
              "outcome": "throws java.lang.NullPointerException"
            },
            {
              "condition": "name is a new java.lang.String && name.length != 1 && this.next == null",
              "method": "sum(Cases,java.lang.String)",
              "model": {
                "name": "",
                "other": null,
                "this": {
                  "class": "Cases",
                  "fields": {
                    "held": 0,
                    "next": null
                  }
                }
              },
              "outcome": "returns 0"
            },
            {
              "condition": "name is a new java.lang.String && name.length != 1 && this.next == this",
              "method": "sum(Cases,java.lang.String)",
              "model": {
                "name": "",
                "other": null,
                "this": {
                  "class": "Cases",
                  "fields": {
                    "held": 0,
                    "next": {
                      "ref": 0
                    }
                  },
                  "id": 0
                }
              },
              "outcome": "returns 1"
            },
            {
              "condition": "name is a new java.lang.String && name.length == 1 && (name[0] & 255) != 43 && this.next == null",
              "method": "sum(Cases,java.lang.String)",
              "model": {
                "name": "\u0000",
                "other": null,
                "this": {
                  "class": "Cases",
                  "fields": {
                    "held": 0,
                    "next": null
                  }
                }
              },
              "outcome": "returns 0"
            },
            {
              "condition": "name is a new java.lang.String && name.length == 1 && (name[0] & 255) != 43 && this.next == this",
              "method": "sum(Cases,java.lang.String)",
              "model": {
                "name": "\u0000",
                "other": null,
                "this": {
                  "class": "Cases",
                  "fields": {
                    "held": 0,
                    "next": {
                      "ref": 0
                    }
                  },
                  "id": 0
                }
              },
              "outcome": "returns 1"
            },
            {
              "condition": "name is a new java.lang.String && name.length == 1 && (name[0] & 255) == 43 && other == null",
              "method": "sum(Cases,java.lang.String)",
              "model": {
                "name": "+",
                "other": null,
                "this": {
                  "class": "Cases",
                  "fields": {
                    "held": 0,
                    "next": null
                  }
                }
              },
              "outcome": "throws java.lang.NullPointerException"
            },
            {
              "condition": "name is a new java.lang.String && name.length == 1 && (name[0] & 255) == 43 && other == this",
              "method": "sum(Cases,java.lang.String)",
              "model": {
                "name": "+",
                "other": {
                  "ref": 0
                },
                "this": {
                  "class": "Cases",
                  "fields": {
                    "held": 0,
                    "next": null
                  },
                  "id": 0
                }
              },
              "outcome": "returns 0",
              "result": "this.held + this.held"
            }
          ],
          "refused": 0,
          "solver": {
            "by_model": 0,
            "cache_hits": 0,
            "calls": 0,
            "decided_cheaply": 14,
            "queries": 14,
            "unknown": 0,
            "work": 0
          },
          "status": "complete",
          "stopped_by": null,
          "strings": "latin1",
          "tests": null,
          "unknown": 0,
          "verb": "run",
          "version": null,
          "without": [
            "more objects (--scope)",
            "characters past Latin-1 (--strings utf16)"
          ]
        }"#]].assert_eq(&text);
}

#[test]
fn integers_have_no_bounds_on_request() {
    let options = ["-m", "lcm", "--loop-k", "1", "--integers", "unbounded"];
    let summary = summary("symbolic.Lcm", &options);
    let count = |key: &str| summary[key].as_u64().unwrap();
    assert_eq!(count("explored") - count("bounded"), 9, "{summary}");
    assert_eq!(summary["integers"], "unbounded");
}

/// Strings contain any characters on request; JSON shows those without a JSON string as numbers.
#[test]
fn strings_have_any_characters_on_request() {
    let models = |options: &[&str]| {
        let summary = summary("symbolic.Wide", &[&["--scope", "1"], options].concat());
        let paths = summary["paths"].as_array().unwrap().iter();
        let model = |path: &Value| format!("{} {}\n", path["condition"], path["model"]["s"]);
        paths.map(model).collect::<String>()
    };
    expect![[r#"
        "s == null" null
        "s is a new java.lang.String && s.length != 1" ""
        "s is a new java.lang.String && s.length == 1" "\u0000"
    "#]]
    .assert_eq(&models(&["-m", "half"]));
    expect![[r#"
        "s == null" null
        "s is a new java.lang.String && s.length != 1" ""
        "s is a new java.lang.String && s.length == 1 && s.coder == 0" "\u0000"
        "s is a new java.lang.String && s.length == 1 && s.coder != 0 && s.chars[0] != 55357" "Ā"
        "s is a new java.lang.String && s.length == 1 && s.coder != 0 && s.chars[0] == 55357" {"chars":[55357]}
    "#]]
    .assert_eq(&models(&["-m", "half", "--strings", "utf16"]));
}

#[test]
fn conditions_are_scripts_for_solvers() {
    let expected = expect![[r#"
        ; sum(Cases,java.lang.String) throws java.lang.NullPointerException
        (set-option :produce-models true)
        (set-logic QF_BV)
        (declare-const |name is an object| (_ BitVec 1))
        (assert (= ((_ zero_extend 31) |name is an object|) #x00000000))
        (check-sat)
        (get-model)
        (reset)
        ; sum(Cases,java.lang.String) returns 0
        (set-option :produce-models true)
        (set-logic QF_BV)
        (declare-const |this.next is an object| (_ BitVec 1))
        (declare-const |name is an object| (_ BitVec 1))
        (declare-const |name.length| (_ BitVec 32))
        (define-fun _t1 () Bool (not (= ((_ zero_extend 31) |name is an object|) #x00000000)))
        (assert _t1)
        (assert (bvsle #x00000000 |name.length|))
        (assert (bvslt |name.length| #x00000002))
        (assert (not (= |name.length| #x00000001)))
        (assert (= ((_ zero_extend 31) |this.next is an object|) #x00000000))
        (check-sat)
        (get-model)
        (reset)
        sum(Cases,java.lang.String): 2 paths, 1 without more objects (--scope); 0 questions, 0 to the solver (0 work, 0 unknown), 0 from its cache
        … s; stopped by --limit"#]];
    let arguments = [
        "-m", "sum", "--scope", "1", "--format", "smt2", "--limit", "2",
    ];
    prints("Cases", &arguments, 3, &expected);
}

#[test]
fn scripts_are_in_the_summary_too() {
    let summary = summary("Cases", &["-m", "sign", "--format", "smt2"]);
    for path in summary["paths"].as_array().unwrap() {
        let script = path["script"].as_str().unwrap();
        assert!(script.contains("(check-sat)"), "{script}");
    }
}

#[test]
fn workers_change_nothing() {
    let cases: [(&str, &[&str]); 6] = [
        ("Cases", &["-m", "many", "--scope", "9"]),
        (
            "Cases",
            &["-m", "digits", "-m", "copy", "--max-values", "3"],
        ),
        ("symbolic.Objects", &[]),
        ("symbolic.Library", &["--loop-k", "3"]),
        ("symbolic.Strings", &["--loop-k", "3"]),
        ("symbolic.Inherited", &[]),
    ];
    for (class, arguments) in cases {
        let alone = symbolic(class, &[arguments, &["--jobs", "1"]].concat());
        assert!(matches!(alone.status.code(), Some(0 | 3)), "{alone:?}");
        let paths = text(&alone.stdout);
        let together = symbolic(class, &[arguments, &["--jobs", "3"]].concat());
        assert!(paths == text(&together.stdout), "{class} {arguments:?}");
    }
    let many = symbolic("Cases", &["-m", "many", "--scope", "9"]);
    assert_eq!(text(&many.stdout).lines().count(), 1 + (1 << 10) - 1);
}

#[test]
fn a_limit_leaves_the_first_paths() {
    let all = symbolic("Cases", &["-m", "many"]);
    let all = text(&all.stdout);
    for jobs in ["1", "3"] {
        let output = symbolic("Cases", &["-m", "many", "--limit", "4", "--jobs", jobs]);
        assert_eq!(output.status.code(), Some(3));
        let first: String = all.split_inclusive('\n').take(4).collect();
        assert_eq!(text(&output.stdout), first);
        let err = text(&output.stderr);
        assert!(err.contains("many(boolean[]): 4 paths"), "{err}");
        assert!(err.ends_with("stopped by --limit\n"), "{err}");
    }
    let summary = summary("Cases", &["-m", "many", "--limit", "4"]);
    assert_eq!(summary["status"], "stopped");
    assert_eq!(summary["stopped_by"], "--limit");
    assert_eq!(summary["explored"], 4);
    assert_eq!(summary["paths"].as_array().unwrap().len(), 4);
    // A limit equal to the number of paths does not stop the search.
    let count = all.lines().count().to_string();
    let bounds = ["--limit", &count, "--scope", "3"];
    let output = symbolic("Cases", &[&["-m", "many"][..], &bounds].concat());
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn a_time_limit_stops_what_does_not_end() {
    let run = |limit: &str| {
        let steps = "1000000000000";
        let arguments = ["-m", "endless", "--max-steps", steps, "--time-limit", limit];
        symbolic("Cases", &arguments)
    };
    let output = with_enough_time(2_000, run, has_ended_by_itself);
    assert_eq!(output.status.code(), Some(3), "{output:?}");
    let err = text(&output.stderr);
    assert!(err.ends_with("stopped by --time-limit\n"), "{err}");
}

#[test]
fn paths_go_to_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("paths.txt");
    let to = file.to_str().unwrap();
    let output = symbolic("Cases", &["-m", "sign", "-o", to]);
    assert!(output.status.success());
    assert!(text(&output.stdout).starts_with("sign(int): 3 paths; "));
    let alone = symbolic("Cases", &["-m", "sign"]);
    assert_eq!(std::fs::read(&file).unwrap(), alone.stdout);
    let output = symbolic(
        "Cases",
        &["-m", "sign", "-o", folder.path().to_str().unwrap()],
    );
    assert_eq!(output.status.code(), Some(2), "{output:?}");
}

#[test]
fn wrong_names_are_told_with_those_there_are() {
    let output = symbolic("symbolic.Strngs", &[]);
    refuses(
        &output,
        2,
        &[
            "class symbolic.Strngs not found",
            "did you mean symbolic.Strings",
        ],
    );
    let output = symbolic("symbolic.Ints", &["-m", "absolute"]);
    refuses(
        &output,
        2,
        &["class symbolic.Ints has no method absolute; it has abs(int), "],
    );
    let output = symbolic("symbolic.Ints", &["-m", "abs(long)"]);
    refuses(&output, 2, &["has no method abs(long)"]);
}

#[test]
fn a_class_without_objects_has_no_methods_of_objects() {
    let output = symbolic("Bare", &["-m", "twice"]);
    refuses(
        &output,
        2,
        &[
            "class Bare",
            "it is abstract, and twice() needs an object: name a subclass",
        ],
    );
    let output = symbolic("Bare", &["-m", "size"]);
    refuses(&output, 2, &["class Bare has no method size"]);
    let output = symbolic("Bare", &[]);
    refuses(
        &output,
        4,
        &["nothing to run: Bare is abstract", "name a subclass"],
    );
    let output = symbolic("symbolic.Node", &["-m", "Node"]);
    assert!(output.status.success(), "{output:?}");
}

#[test]
fn methods_of_the_library_are_run() {
    let expected = expect![[r#"
        size() returns 0 = this.size: this = ArrayList{modCount: 0, size: 0}
        isEmpty() returns false if this.size != 0: this = ArrayList{modCount: 0, size: 1}
        isEmpty() returns true if this.size == 0: this = ArrayList{modCount: 0, size: 0}
        size(): 1 path; 0 questions, 0 to the solver (0 work, 0 unknown), 0 from its cache
        isEmpty(): 2 paths; 2 questions, 0 to the solver (0 work, 0 unknown), 0 from its cache
        … s; complete"#]];
    let arguments = ["-m", "size", "-m", "isEmpty", "--scope", "1"];
    prints("java.util.ArrayList", &arguments, 0, &expected);
    let output = symbolic("java.util.ArrayList", &["-m", "grow"]);
    refuses(
        &output,
        2,
        &["class java.util.ArrayList has no method grow"],
    );
}

#[test]
fn options_that_make_no_sense_are_refused() {
    for option in [
        "--max-values",
        "--max-decisions",
        "--max-steps",
        "--solver-work",
        "--limit",
        "--jobs",
    ] {
        let output = symbolic("Cases", &["-m", "sign", option, "0"]);
        refuses(&output, 2, &[option, "0 is not in 1.."]);
    }
    let output = symbolic("Cases", &["-m", "sign", "--time-limit", "soon"]);
    refuses(&output, 2, &["--time-limit", "soon"]);
    let output = symbolic("Cases", &["Cases"]);
    refuses(&output, 2, &["--class: leave out Cases"]);
    let output = command(&["--symbolic"]).output().unwrap();
    refuses(&output, 2, &["--class <CLASS>"]);
    let class = ["-c", "Cases"];
    let values = ["--max-values", "3"];
    let strings = ["--strings", "latin1"];
    for alone in [
        &["--json"][..],
        &["--scope", "3"],
        &values,
        &strings,
        &class,
    ] {
        let output = command(&[alone, &["Cases"]].concat()).output().unwrap();
        refuses(&output, 2, &["required", "--symbolic"]);
    }
}

#[test]
fn a_scope_of_nothing_leaves_null() {
    let expected = expect![[r#"
        isNull(symbolic.Node) returns 1 if n == null: n = null
        isNull(symbolic.Node) returns 0 if n != null: n = Node{key: 0}
        key(symbolic.Node) throws java.lang.NullPointerException if n == null: n = null
        chain(symbolic.Node) returns 0 if a == null: a = null
        isNull(symbolic.Node): 2 paths; 2 questions, 0 to the solver (0 work, 0 unknown), 0 from its cache
        key(symbolic.Node): 1 path, 1 without more objects (--scope); 2 questions, 0 to the solver (0 work, 0 unknown), 0 from its cache
        chain(symbolic.Node): 1 path; 2 questions, 0 to the solver (0 work, 0 unknown), 0 from its cache
        … s; complete, without more objects (--scope)"#]];
    let arguments = ["-m", "isNull", "-m", "key", "-m", "chain", "--scope", "0"];
    prints("symbolic.Objects", &arguments, 0, &expected);
}

#[test]
fn the_solver_is_needed_where_it_is_asked() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let run = |method: &str| {
        let mut command = command(&["--symbolic", "-c", "Cases", "-m", method]);
        command.env("HEAPWRIGHT_Z3", file.path()).output().unwrap()
    };
    let name = file.path().to_str().unwrap();
    let parts = [name, "which HEAPWRIGHT_Z3 names", "Z3 4.13 or later"];
    refuses(&run("product"), 2, &parts);
    assert!(run("sign").status.success());
}

#[test]
fn past_the_solvers_limit_sides_are_unknown() {
    let expected = expect![[r#"
        product(long,long) returns 0 if a < 2L: a = 0L, b = 0L
        product(long,long) returns 0 if a >= 2L && b < 2L: a = 2L, b = 0L
        product(long,long) returns 0 if a >= 2L && b >= 2L && (a == 2147483648L || a >= 2147483649L): a = 2147483648L, b = 2L
        product(long,long) returns 0 if a >= 2L && b >= 2L && !(a == 2147483648L || a >= 2147483649L) && (b >= 2147483649L || b == 2147483648L): a = 2L, b = 2147483648L
        product(long,long) returns 0 if a >= 2L && b >= 2L && !(a == 2147483648L || a >= 2147483649L) && !(b >= 2147483649L || b == 2147483648L) && !(a * b < 1000000016000000064L && a * b == 1000000016000000063L): a = 2L, b = 2L
        product(long,long) returns 1 if a >= 2L && b >= 2L && !(a == 2147483648L || a >= 2147483649L) && !(b >= 2147483649L || b == 2147483648L) && a * b < 1000000016000000064L && a * b == 1000000016000000063L: no input known (unknown)
        product(long,long): 6 paths, 1 of unknown feasibility; 10 questions, 2 to the solver (85 work, 2 unknown), 1 from its cache
        … s; complete"#]];
    prints(
        "Cases",
        &["-m", "product", "--solver-work", "1"],
        0,
        &expected,
    );
    let summary = summary("Cases", &["-m", "product", "--solver-work", "1"]);
    let paths = summary["paths"].as_array().unwrap();
    let unknown = paths.iter().filter(|path| path["unknown"].is_u64()).count();
    assert!(unknown > 0);
    assert_eq!(summary["unknown"], unknown);
}

#[test]
fn what_does_not_end_is_cut_off_and_named() {
    let expected = expect![[r#"
        endless(int) returns 1 if x < 6 && x >= 0: x = 0
        endless(int) returns -1 if x < 6 && x < 0: x = -1
        endless(int) stopped: the limit of instructions in one run was reached (--max-steps) if x >= 6: x = 6
        bottomless(int) returns 1 if x < 6: x = 0
        bottomless(int) stopped: the limit of instructions in one run was reached (--max-steps) if x >= 6: x = 6
        loop(int) returns 0 if n < 1: n = 0
        loop(int) returns 1 if n >= 1 && n < 2: n = 1
        loop(int) returns 2 if n >= 1 && n >= 2 && n < 3: n = 2
        loop(int) not followed: --loop-k if n >= 1 && n >= 2 && n >= 3: n = 3
        recursion(int) not followed: --loop-k if n >= 1 && n - 1 >= 1 && n - 2 >= 1: n = 3
        recursion(int) returns 2 if n >= 1 && n - 1 >= 1 && n - 2 < 1: n = 2
        recursion(int) returns 1 if n >= 1 && n - 1 < 1: n = 1
        recursion(int) returns 0 if n < 1: n = 0
        endless(int): 3 paths, 1 not followed to their end; 4 questions, 0 to the solver (0 work, 0 unknown), 0 from its cache
        bottomless(int): 2 paths, 1 not followed to their end; 2 questions, 0 to the solver (0 work, 0 unknown), 0 from its cache
        loop(int): 4 paths, 1 not followed to their end; 8 questions, 0 to the solver (0 work, 0 unknown), 0 from its cache
        recursion(int): 4 paths, 1 not followed to their end; 8 questions, 0 to the solver (0 work, 0 unknown), 0 from its cache
        … s; complete, without more iterations (--loop-k), longer runs (--max-steps), other values of the depth of the stack"#]];
    let arguments = [
        "-m",
        "endless",
        "-m",
        "bottomless",
        "-m",
        "loop",
        "-m",
        "recursion",
    ];
    let bounds = ["--max-steps", "10000", "--loop-k", "2"];
    prints("Cases", &[&arguments[..], &bounds].concat(), 0, &expected);
    let expected = expect![[r#"
        many(boolean[]) throws java.lang.NullPointerException if flags == null: flags = null
        many(boolean[]) returns 0 if flags is a new [Z && flags.length < 1: flags = []
        many(boolean[]) not followed: --max-decisions if flags is a new [Z && flags.length >= 1: flags = [false]
        made(int) throws java.lang.NegativeArraySizeException if n < 0: n = -1
        made(int) returns 0 = n if n >= 0 && n < 3: n = 0
        made(int) stopped: a new array of open length is longer than the limit (--max-array) if n >= 0 && n >= 3: n = 3
        many(boolean[]): 3 paths, 1 not followed to their end; 8 questions, 0 to the solver (0 work, 0 unknown), 0 from its cache
        made(int): 3 paths, 1 not followed to their end; 4 questions, 0 to the solver (0 work, 0 unknown), 0 from its cache
        … s; complete, without more decisions (--max-decisions), longer arrays that the program makes (--max-array)"#]];
    let arguments = [
        "-m",
        "many",
        "-m",
        "made",
        "--max-decisions",
        "2",
        "--max-array",
        "2",
    ];
    prints("Cases", &arguments, 0, &expected);
}

#[test]
fn what_is_refused_ends_one_path() {
    let expected = expect![[r#"
        file(int) returns 0 if n != 3 && n < 4: n = 0
        file(int) returns 1 if n != 3 && n >= 4: n = 4
        file(int) refused: unsupported: changes of files: tests change temporary ones only if n == 3: n = 3
        thread(int) returns 0 if n != 3 && n < 4: n = 0
        thread(int) returns 1 if n != 3 && n >= 4: n = 4
        thread(int) refused: unsupported: java.lang.Thread.start(): threads are not run if n == 3: n = 3
        exit(int) returns 0 if n != 3: n = 0
        exit(int) refused: the program exited with 3 if n == 3: n = 3
        file(int): 3 paths, 1 refused; 4 questions, 0 to the solver (0 work, 0 unknown), 0 from its cache
        thread(int): 3 paths, 1 refused; 4 questions, 0 to the solver (0 work, 0 unknown), 0 from its cache
        exit(int): 2 paths, 1 refused; 2 questions, 0 to the solver (0 work, 0 unknown), 0 from its cache
        … s; partial, without unsupported operations"#]];
    let arguments = ["-m", "file", "-m", "thread", "-m", "exit"];
    prints("Cases", &arguments, 3, &expected);
    // A program that exits ends only its path.
    assert_eq!(summary("Cases", &["-m", "exit"])["status"], "complete");
}

#[test]
fn values_that_natives_need_are_fixed_and_named() {
    let expected = expect![[r#"
        sleep(long) returns if n < 4L: n = 0L
        sleep(long) returns if n >= 4L && n == 4L: n = 4L (values fixed)
        sleep(long) returns if n >= 4L && n != 4L && n == 5L: n = 5L (values fixed)
        sleep(long) not followed: --max-values if n >= 4L && n != 4L && n != 5L: n = 6L
        copy(int) returns 0 = (n >= 2 ? 2 : 0) + (n >= 1 ? 1 : 0) if n >= 0 && n < 3: n = 0
        copy(int) throws java.lang.ArrayIndexOutOfBoundsException if !(n >= 0 && n < 3) && n == -1: n = -1 (values fixed)
        copy(int) throws java.lang.ArrayIndexOutOfBoundsException if !(n >= 0 && n < 3) && n != -1 && n == -2: n = -2 (values fixed)
        copy(int) not followed: --max-values if !(n >= 0 && n < 3) && n != -1 && n != -2: n = 3
        sleep(long): 4 paths, 1 not followed to their end, 2 with values fixed; 36 questions, 0 to the solver (0 work, 0 unknown), 0 from its cache
          values fixed 1 time at Cases.sleep(long):74
        copy(int): 4 paths, 1 not followed to their end, 2 with values fixed; 36 questions, 0 to the solver (0 work, 0 unknown), 0 from its cache
          values fixed 1 time at Cases.copy(int):80
        … s; complete, without more values (--max-values), other values of the state of the thread"#]];
    let arguments = ["-m", "sleep", "-m", "copy", "--max-values", "2"];
    prints("Cases", &arguments, 0, &expected);
    let summary = summary("Cases", &["-m", "copy", "--max-values", "2"]);
    let fixed_at = summary["fixed_at"].as_object().unwrap();
    assert_eq!(fixed_at.len(), 1, "{fixed_at:?}");
    assert!(
        fixed_at
            .keys()
            .all(|place| place.starts_with("Cases.copy(int):"))
    );
    assert_eq!(summary["fixed"], 2);
}

#[test]
fn constants_of_enums_have_names() {
    let expected = expect![[r#"
        named(symbolic.Values$Operation) throws java.lang.NullPointerException if o == null: o = null
        named(symbolic.Values$Operation) returns 1 if o == PLUS: o = PLUS
        named(symbolic.Values$Operation) returns 2 if o == TIMES: o = TIMES
        named(symbolic.Values$Operation) returns 20 if o == NONE: o = NONE
        ordered(symbolic.Values$Operation,symbolic.Values$Operation) throws java.lang.NullPointerException if a == null: a = null, b = null
        ordered(symbolic.Values$Operation,symbolic.Values$Operation) throws java.lang.NullPointerException if a == PLUS && b == null: a = PLUS, b = null
        named(symbolic.Values$Operation): 4 paths; 2 questions, 0 to the solver (0 work, 0 unknown), 0 from its cache
        ordered(symbolic.Values$Operation,symbolic.Values$Operation): 2 paths; 0 questions, 0 to the solver (0 work, 0 unknown), 0 from its cache
        … s; stopped by --limit"#]];
    prints(
        "symbolic.Values",
        &["-m", "named", "-m", "ordered", "--limit", "6"],
        3,
        &expected,
    );
}

/// A search is complete if only requested bounds cut it off. The claim names no bound that was not
/// reached.
#[test]
fn what_bounds_cut_off_is_said() {
    let mut claims = Vec::new();
    for (method, scope) in [
        ("isLong", "4"),
        ("isShort", "3"),
        ("isWord", "6"),
        ("fifth", "5"),
        ("twice", "2"),
        ("switched", "9"),
        ("isDeep", "4"),
        ("size", "3"),
    ] {
        for bounds in [&[][..], &["--scope", "3"], &["--scope", scope]] {
            let output = symbolic("Edges", &[&["-m", method, "--json"], bounds].concat());
            let summary: Value = serde_json::from_slice(&output.stdout).unwrap();
            let status = summary["status"].as_str().unwrap();
            assert_eq!(
                output.status.code(),
                Some(if status == "partial" { 3 } else { 0 })
            );
            claims.push(format!(
                "{method} {}: {status} {}",
                bounds.join(" "),
                summary["cut"]
            ));
        }
    }
    expect![[r#"
        isLong : partial {"characters":1,"lengths":1}
        isLong --scope 3: complete {"characters":1,"lengths":1}
        isLong --scope 4: complete {"characters":2}
        isShort : complete {"characters":2}
        isShort --scope 3: complete {"characters":2}
        isShort --scope 3: complete {"characters":2}
        isWord : partial {"characters":1,"lengths":1}
        isWord --scope 3: complete {"characters":1,"lengths":1}
        isWord --scope 6: complete {"characters":2}
        fifth : partial {"lengths":1}
        fifth --scope 3: complete {"lengths":1}
        fifth --scope 5: complete {}
        twice : complete {}
        twice --scope 3: complete {}
        twice --scope 2: complete {}
        switched : partial {"lengths":1}
        switched --scope 3: complete {"lengths":1}
        switched --scope 9: complete {}
        isDeep : partial {"objects":3}
        isDeep --scope 3: complete {"objects":3}
        isDeep --scope 4: complete {}
        size : complete {"library_types":1}
        size --scope 3: complete {"library_types":1}
        size --scope 3: complete {"library_types":1}"#]]
    .assert_eq(&claims.join("\n"));
}

#[test]
fn lambdas_return_open_values() {
    let expected = expect![[r#"
        isLate(long) throws java.lang.NullPointerException if this.clock == null: this = Lambdas{}, limit = 0L
        isLate(long) returns false if this.clock is a lambda && this.clock.answer <= limit: this = Lambdas{clock: lambda returning 0L}, limit = 0L
        isLate(long) returns true if this.clock is a lambda && limit < this.clock.answer: this = Lambdas{clock: lambda returning 1L}, limit = 0L
        Lambdas() returns
        tests(java.util.function.Predicate,int) throws java.lang.NullPointerException if wanted == null: wanted = null, number = 0
        tests(java.util.function.Predicate,int) returns 3 if wanted is a lambda && wanted.answer == 0: wanted = lambda returning false, number = 0
        tests(java.util.function.Predicate,int) returns 2 if wanted is a lambda && wanted.answer != 0 && number < 4: wanted = lambda returning true, number = 0
        tests(java.util.function.Predicate,int) returns 1 if wanted is a lambda && wanted.answer != 0 && number >= 4: wanted = lambda returning true, number = 4
        maps(java.util.function.Function) throws java.lang.NullPointerException if length == null: length = null
        maps(java.util.function.Function) returns 2 if length is a lambda && length.answer == null: length = lambda returning null
        maps(java.util.function.Function) returns 2 if length is a lambda && length.answer != null && length.answer is a new java.lang.Integer && length.answer.value != 42: length = lambda returning Integer{value: 0}
        maps(java.util.function.Function) returns 1 if length is a lambda && length.answer != null && length.answer is a new java.lang.Integer && length.answer.value == 42: length = lambda returning Integer{value: 42}
        compares(java.util.Comparator) throws java.lang.NullPointerException if order == null: order = null
        compares(java.util.Comparator) returns 2 if order == INSTANCE: order = INSTANCE
        compares(java.util.Comparator) returns 1 if order == the java.util.Collections$ReverseComparator: order = REVERSE_ORDER
        compares(java.util.Comparator) returns 2 if order is a lambda && order.answer < 1: order = lambda returning 0
        compares(java.util.Comparator) returns 1 if order is a lambda && order.answer >= 1: order = lambda returning 1
        runs(java.lang.Runnable) throws java.lang.NullPointerException if action == null: action = null
        runs(java.lang.Runnable) returns 7 if action is a lambda: action = lambda
        isSame(java.lang.Runnable,java.lang.Runnable) returns true if one == null && other == null: one = null, other = null
        isSame(java.lang.Runnable,java.lang.Runnable) returns false if one == null && other != null: one = null, other = lambda
        isSame(java.lang.Runnable,java.lang.Runnable) returns false if one is a lambda && other == null: one = lambda, other = null
        isSame(java.lang.Runnable,java.lang.Runnable) returns false if one is a lambda && other is a lambda: one = lambda, other = lambda
        makes(java.util.function.Function) throws java.lang.NullPointerException if maker == null: maker = null
        makes(java.util.function.Function) returns 1 if maker is a lambda: maker = lambda
        isLate(long): 3 paths; 4 questions, 0 to the solver (0 work, 0 unknown), 0 from its cache
        Lambdas(): 1 path; 0 questions, 0 to the solver (0 work, 0 unknown), 0 from its cache
        tests(java.util.function.Predicate,int): 4 paths; 6 questions, 0 to the solver (0 work, 0 unknown), 0 from its cache
        maps(java.util.function.Function): 4 paths; 6 questions, 0 to the solver (0 work, 0 unknown), 0 from its cache
        compares(java.util.Comparator): 5 paths; 4 questions, 0 to the solver (0 work, 0 unknown), 0 from its cache
        runs(java.lang.Runnable): 2 paths; 2 questions, 0 to the solver (0 work, 0 unknown), 0 from its cache
        isSame(java.lang.Runnable,java.lang.Runnable): 4 paths; 6 questions, 0 to the solver (0 work, 0 unknown), 0 from its cache
        makes(java.util.function.Function): 2 paths; 2 questions, 0 to the solver (0 work, 0 unknown), 0 from its cache
        … s; complete, without lambdas that return more than one value"#]];
    prints("Lambdas", &[], 0, &expected);
    let summary = summary("Lambdas", &["-m", "tests"]);
    let wanted: Vec<&Value> = (summary["paths"].as_array().unwrap().iter())
        .map(|path| &path["model"]["wanted"])
        .collect();
    assert!(
        wanted.contains(&&serde_json::json!({"lambda": true})),
        "{wanted:?}"
    );
    assert_eq!(
        summary["without"][0],
        "lambdas that return more than one value"
    );
}
