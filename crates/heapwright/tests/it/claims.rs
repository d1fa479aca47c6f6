//! Claims of reports: no report is complete if a bound that the claim does not name cut something
//! off.

use std::path::PathBuf;
use std::process::Output;
use std::sync::OnceLock;

use expect_test::{Expect, expect};
use heapwright_testkit::fixtures::{Fixture, without_seconds};
use heapwright_testkit::jdk::jdks;
use serde_json::{Value, json};

use crate::common::{program, sources_of, summary_of, text};

/// Classes in `tests/claims`.
fn classes() -> &'static str {
    static CLASSES: OnceLock<PathBuf> = OnceLock::new();
    let own = Fixture::new(&["--release", "17", "-g"]).folder(&sources_of("claims"));
    CLASSES.get_or_init(|| own.classes()).to_str().unwrap()
}

fn run(verb: &str, class: &str, arguments: &[&str]) -> Output {
    program()
        .args([verb, "-p", classes(), "-c", class])
        .args(["--jdk", jdks()[0].home.to_str().unwrap()])
        .args(arguments)
        .output()
        .unwrap()
}

/// Summary and exit code of a run.
fn summary(verb: &str, class: &str, arguments: &[&str]) -> (Value, i32) {
    let output = run(verb, class, &[arguments, &["--json"]].concat());
    (summary_of(&output), output.status.code().unwrap())
}

/// Status, parts left out and exit code.
fn claim(verb: &str, class: &str, arguments: &[&str]) -> (String, Vec<String>, i32) {
    claim_of(&summary(verb, class, arguments))
}

fn claim_of((summary, code): &(Value, i32)) -> (String, Vec<String>, i32) {
    let without = summary["without"].as_array().unwrap().iter();
    let without = without.map(|what| what.as_str().unwrap().to_owned());
    let status = summary["status"].as_str().unwrap().to_owned();
    (status, without.collect(), *code)
}

fn is(claim: (String, Vec<String>, i32), status: &str, without: &[&str], code: i32) {
    let (given, texts, exit) = &claim;
    assert_eq!(
        (
            given.as_str(),
            texts.iter().map(String::as_str).collect(),
            *exit
        ),
        (status, without.to_vec(), code)
    );
}

fn says(verb: &str, class: &str, arguments: &[&str], expected: &Expect) {
    let output = run(verb, class, arguments);
    let both = text(&output.stderr) + &text(&output.stdout);
    let code = output.status.code().unwrap();
    expected.assert_eq(&format!("{}\nexit {code}\n", without_seconds(&both)));
}

#[test]
fn what_only_a_refused_class_reaches_is_not_proved() {
    let of_paths = ["--criterion", "all-branches"];
    let class = "claims.Shapes";
    let without = ["objects of further subclasses", "unsupported operations"];
    is(claim("paths", class, &of_paths), "partial", &without, 3);
    let output = run("paths", class, &of_paths);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(
        said.contains(
            ": not reached without objects of further subclasses, unsupported operations"
        ),
        "{said}"
    );
    assert!(!said.contains("infeasible, proved"), "{said}");
    let (summary, code) = summary("run", class, &["--symbolic"]);
    assert_eq!((&summary["status"], code), (&json!("partial"), 3));
    let [first, second] = without;
    assert_eq!(summary["without"], json!([second, first]));
}

#[test]
fn objects_that_other_code_may_have_are_not_excluded() {
    let class = "claims.Sensors";
    let all = ["--criterion", "all-branches"];
    let of = |method| [&all[..], &["-m", method]].concat();
    let without = ["objects of types that nothing implements"];
    // Without a sensor there is no case.
    for (method, code) in [("changes", 4), ("value", 0)] {
        is(
            claim("paths", class, &of(method)),
            "complete",
            &without,
            code,
        );
        let said = run("paths", class, &of(method));
        let said = text(&said.stderr) + &text(&said.stdout);
        assert!(
            said.contains("not reached without objects of types that nothing implements"),
            "{said}"
        );
        assert!(!said.contains("infeasible, proved"), "{said}");
        let (summary, _) = summary("run", class, &["--symbolic", "-m", method]);
        assert_eq!(summary["without"], json!(without));
    }
    is(claim("paths", class, &of("kept")), "complete", &[], 0);
}

#[test]
fn subclasses_elsewhere_are_not_excluded() {
    let class = "claims.Figures";
    let of = |method| ["--criterion", "all-branches", "-m", method];
    let subclasses = "objects of further subclasses";
    for (method, left_out) in [
        ("rounded", subclasses),
        ("closed", subclasses),
        ("lines", subclasses),
        ("surfaces", subclasses),
        ("stored", subclasses),
        ("words", "objects of other types"),
    ] {
        is(
            claim("paths", class, &of(method)),
            "complete",
            &[left_out],
            0,
        );
        let said = run("paths", class, &of(method));
        let said = text(&said.stderr) + &text(&said.stdout);
        let reason = format!("not reached without {left_out}");
        assert!(said.contains(&reason), "{said}");
    }
    // A class that nothing can extend or only its outer class, a method that nothing can override, and
    // an object that the method has made.
    for (method, covered, infeasible) in [
        ("sides", 1, 1),
        ("folds", 1, 1),
        ("made", 1, 1),
        ("thick", 1, 1),
        ("large", 2, 0),
    ] {
        let (summary, code) = summary("paths", class, &of(method));
        is(claim_of(&(summary.clone(), code)), "complete", &[], 0);
        let reasons = summary["uncovered"].as_array().unwrap().iter();
        let reasons: Vec<&Value> = reasons.map(|goal| &goal["reason"]).collect();
        assert_eq!(
            (&summary["branches_covered"], reasons),
            (
                &json!(covered),
                vec![&json!("infeasible, proved"); infeasible]
            ),
            "{method}: {summary}"
        );
    }
}

/// No branch of these methods is claimed to be infeasible: most can be taken on a JVM.
#[test]
fn types_of_inputs_enums_behind_interfaces_and_contents_of_lists_are_open() {
    for method in ["other", "cast", "word", "rows", "named", "place"] {
        let goals = ["--criterion", "all-branches", "-m", method];
        let (summary, _) = summary("paths", "claims.Kinds", &goals);
        let goals = summary["uncovered"].as_array().unwrap().iter();
        let reasons: Vec<&str> = goals.filter_map(|goal| goal["reason"].as_str()).collect();
        let is_proved = |reason: &&str| reason.starts_with("infeasible");
        assert!(!reasons.iter().any(is_proved), "{method}: {reasons:?}");
    }
}

#[test]
fn inputs_that_static_fields_refer_to_are_not_excluded() {
    let class = "claims.Held";
    let goals = |method| ["--criterion", "all-branches", "-m", method];
    let held = "inputs that static fields refer to";
    for method in ["node", "next", "equal", "empty"] {
        let (status, without, code) = claim("paths", class, &goals(method));
        assert!(
            without.iter().any(|what| what == held),
            "{method}: {without:?}"
        );
        assert_eq!((&*status, code), ("complete", 0), "{method}");
        let (status, without, _) = claim("run", class, &["--symbolic", "-m", method]);
        assert!(
            without.iter().any(|what| what == held),
            "{method}: {without:?}"
        );
        assert_eq!(status, "complete", "{method}");
    }
    let (verdict, _) = summary("verify", class, &["-m", "differs"]);
    assert_eq!(verdict["verdict"], "unknown", "{verdict}");
    // An object that the method has made, and constants, which are inputs themselves.
    for method in ["made", "side"] {
        let (summary, code) = summary("paths", class, &goals(method));
        is(claim_of(&(summary.clone(), code)), "complete", &[], 0);
        let reasons = summary["uncovered"].as_array().unwrap().iter();
        let reasons: Vec<&Value> = reasons.map(|goal| &goal["reason"]).collect();
        assert_eq!(reasons, [&json!("infeasible, proved")], "{method}");
    }
}

#[test]
fn a_search_that_data_flow_guides_names_effects_that_it_does_not_see() {
    let effects = "effects of library code that is not analysed";
    let (_, without, _) = claim(
        "sequences",
        "claims.LibraryEffects",
        &["--max-length", "4", "--time-limit", "20s", "-j", "1"],
    );
    assert!(without.iter().any(|what| what == effects), "{without:?}");
    let (_, without, _) = claim(
        "sequences",
        "claims.Tally",
        &["--max-length", "3", "-j", "1"],
    );
    assert!(!without.iter().any(|what| what == effects), "{without:?}");
}

#[test]
fn a_limit_of_ours_is_no_counterexample() {
    let arguments = ["--scope", "1", "--max-memory", "200m", "-j", "1"];
    let named = ["-m", "caught", "-m", "eats", "-m", "fine", "-m", "many"];
    says(
        "check",
        "claims.Limits",
        &[&arguments[..], &named].concat(),
        &expect![[r#"
            heapwright: many(java.lang.String,java.lang.String,java.lang.String,java.lang.String,java.lang.String,java.lang.String,java.lang.String,java.lang.String,java.lang.String,java.lang.String) is not called: its parameters have more than 104857 combinations of values
            heapwright: some calls have no result; the first: caught(): it depends on how deep a stack is
            heapwright: no result for 1 call of eats(), which takes more memory than there is, at claims.Limits.eats():31 (--max-memory); the smallest is eats() on Limits{depth: 0}
            caught(): 1 structure × 1 call; 1 at a limit
            eats(): 1 structure × 1 call; 1 at a limit
            fine(int): 1 structure × 1 call, all keep the invariant
            Limits (scope 1): 1 structure, 3 calls, 1 leaf explored, … s; partial, without other values of the depth of the stack, an answer on 2 calls, calls of many(java.lang.String,java.lang.String,java.lang.String,java.lang.String,java.lang.String,java.lang.String,java.lang.String,java.lang.String,java.lang.String,java.lang.String); no counterexample
            exit 3
        "#]],
    );
    // A call that exceeds the instruction limit is a counterexample.
    let (spins, code) = summary("check", "claims.Limits", &["--scope", "1", "-m", "spins"]);
    assert_eq!(spins["counterexamples"][0]["kind"], "does-not-end");
    assert_eq!((&spins["status"], code), (&json!("complete"), 1));
    // A stack overflow that depends on the machine is none; one that occurs on all machines is.
    let deep = ["--scope", "1", "-m", "deep", "-m", "bottomless", "-j", "1"];
    let (overflows, code) = summary("check", "claims.Limits", &deep);
    let found = overflows["counterexamples"].as_array().unwrap();
    let methods: Vec<&Value> = found.iter().map(|found| &found["method"]).collect();
    assert_eq!(methods, ["bottomless(int)"]);
    let without = [
        "other values of the depth of the stack",
        "an answer on 1 call",
    ];
    assert_eq!(overflows["without"], json!(without));
    assert_eq!((&overflows["status"], code), (&json!("partial"), 1));
    // A completely checked method gives a complete claim.
    let fine = claim("check", "claims.Limits", &["--scope", "1", "-m", "fine"]);
    is(fine, "complete", &[], 0);
}

#[test]
fn a_search_from_the_api_has_no_answer_where_it_depends_on_the_depth_of_a_stack() {
    says(
        "enumerate",
        "claims.Limits",
        &[
            "--from",
            "api",
            "--scope",
            "1",
            "-j",
            "1",
            "--methods",
            "Limits|caught|deep|bottomless",
        ],
        &expect![[r#"
            heapwright: limits = new Limits(); limits.caught(): is refused: it depends on how deep a stack is
            heapwright: limits = new Limits(); limits.deep(0): is refused: it depends on how deep a stack is
            heapwright: limits = new Limits(); limits.bottomless(0): java.lang.StackOverflowError
                    at claims.Limits.bottomless(int):25
                    at claims.Limits.bottomless(int):25
                    at claims.Limits.bottomless(int):25
                    at claims.Limits.bottomless(int):25
                    at claims.Limits.bottomless(int):25
                    at claims.Limits.bottomless(int):25
                    at claims.Limits.bottomless(int):25
                    at claims.Limits.bottomless(int):25
            Limits: 1 structures, 5 sequences explored in 2 iterations, 58 bytes a structure, fields omitted: modCount|serialVersionUID, … s; partial, without an answer on 2 calls, other values of the depth of the stack
            exit 1
        "#]],
    );
}

#[test]
fn methods_with_too_many_calls_are_missing() {
    let found = claim(
        "check",
        "claims.Limits",
        &["--scope", "1", "-m", "many", "-m", "fine"],
    );
    let many = format!("calls of many({})", ["java.lang.String"; 10].join(","));
    is(found, "partial", &[&many], 3);
}

#[test]
fn types_without_objects_are_named() {
    let null_only = "objects of java.util.List, java.lang.Runnable";
    is(
        claim("enumerate", "claims.Holder", &["--scope", "2"]),
        "complete",
        &[null_only],
        0,
    );
    let (summary, _) = summary("enumerate", "claims.Holder", &["--scope", "2"]);
    assert_eq!(
        summary["bounds"],
        json!({
            "scope": 2,
            "objects": { "claims.Holder": 1 },
            "fields": {
                "claims.Holder.names": ["null"],
                "claims.Holder.tasks": { "length": "0..2", "element": ["null"] },
                "claims.Holder.size": "0..1",
            },
        })
    );
    // The same holds for parameters.
    let with_runtime = format!("{null_only}, java.lang.Runtime");
    is(
        claim("check", "claims.Holder", &["--scope", "2"]),
        "complete",
        &[&with_runtime],
        0,
    );
    // The summary lists the values of the other parameters.
    let (summary, _) = self::summary("check", "claims.Limits", &["--scope", "3", "-m", "fine"]);
    assert_eq!(summary["methods"][0]["arguments"], json!(["0, 1, 2"]));
}

#[test]
fn contracts_of_pairs_that_are_not_made_are_named() {
    let of_scope = |scope| {
        claim(
            "check",
            "claims.Dates",
            &["--scope", scope, "--invariant", "none"],
        )
    };
    is(of_scope("5"), "complete", &[], 0);
    let further = "contracts of further pairs of structures";
    is(of_scope("6"), "complete", &[further], 0);
}

/// Only fields that code reads count; not written or final ones.
#[test]
fn static_fields_that_are_read_are_named() {
    let of = |fields: &str| format!("other values of static fields {fields}");
    let of_invariant = of("claims.Tally.most");
    let of_both = of("claims.Tally.isFrozen, claims.Tally.most");
    let class = "claims.Tally";
    for jobs in ["1", "3"] {
        let given = ["--scope", "4", "-j", jobs];
        let claim = claim("enumerate", class, &given);
        is(claim, "complete", &[&of_invariant], 0);
        is(
            self::claim("check", class, &given),
            "complete",
            &[&of_both],
            0,
        );
    }
    // Objects of this class cover nothing.
    let fields = claim("fields", class, &["--scope", "4"]);
    is(fields, "complete", &[&of_invariant], 4);
    let run = ["--symbolic", "-m", "up"];
    is(claim("run", class, &run), "complete", &[&of_both], 0);
    let run = ["--symbolic", "-m", "reset"];
    is(claim("run", class, &run), "complete", &[], 0);
    for (verb, expected) in [("enumerate", &of_invariant), ("check", &of_both)] {
        let folder = tempfile::tempdir().unwrap();
        let files = ["1/2", "2/2"].map(|shard| {
            let file = folder.path().join(&shard[..1]);
            let file = file.to_str().unwrap().to_owned();
            let output = self::run(
                verb,
                class,
                &["--scope", "4", "--shard", shard, "-o", &file],
            );
            // A shard may contain no structure.
            assert!(matches!(output.status.code(), Some(0 | 4)), "{output:?}");
            file
        });
        let mut merge = program();
        let merged = merge
            .args(["merge", "--json"])
            .args(&files)
            .output()
            .unwrap();
        let code = merged.status.code().unwrap();
        let summary = serde_json::from_slice(&merged.stdout).unwrap();
        is(claim_of(&(summary, code)), "complete", &[expected], 0);
    }
}

#[test]
fn what_is_inherited_from_the_library_is_named() {
    let list = "other values of what is inherited from java.util.AbstractList, java.util.ArrayList";
    is(
        claim("enumerate", "claims.Names", &["--scope", "2"]),
        "complete",
        &[list],
        0,
    );
}

#[test]
#[ignore = "long"]
fn bounds_keep_goals_of_sequences_open() {
    let claim = |arguments: &[&str]| claim("sequences", "claims.Texts", arguments);
    let elements = "longer strings, arrays and collections (--max-elements)";
    let statements = "longer sequences (--max-length)";
    is(claim(&["-m", "isLong"]), "partial", &[elements], 3);
    is(
        claim(&["-m", "isLong", "--max-elements", "4"]),
        "complete",
        &[elements],
        0,
    );
    is(claim(&["-m", "isLate"]), "partial", &[statements], 3);
    is(
        claim(&["-m", "isLate", "--max-length", "5"]),
        "complete",
        &[statements],
        0,
    );
    // A suite that covers all goals is complete, whatever was cut off; unreachable goals are not
    // missing.
    is(claim(&["-m", "isShort"]), "complete", &[], 0);
    is(claim(&["-m", "never"]), "complete", &[], 0);
}

#[test]
fn what_bounds_cut_off_is_counted() {
    let bits = ["-m", "bits", "--goal", "paths", "--max-length", "2"];
    let (summary, code) = summary("sequences", "claims.Texts", &bits);
    assert_eq!((&summary["status"], code), (&json!("partial"), 3));
    assert_eq!(summary["cut"]["paths_per_call"], 1);
    assert_eq!(summary["tests"], 64);
    let all = [&bits[..], &["--paths-per-call", "256"]].concat();
    let (summary, code) = self::summary("sequences", "claims.Texts", &all);
    assert_eq!((&summary["status"], code), (&json!("complete"), 0));
    assert_eq!(summary["tests"], 256);
}

#[test]
fn a_search_that_was_stopped_says_no_length() {
    says(
        "sequences",
        "claims.Texts",
        &["-m", "isLate", "--max-paths", "1"],
        &expect![[r#"
              isLate:20 not less: not reached: the search was stopped
              isLate:20 less: not reached: the search was stopped
            Texts: 0 tests for 0 of 2 goals, 0 of 2 branches; 0 sequences, 1 path, no length in full, … s; stopped by --max-paths
            exit 3
        "#]],
    );
}

/// The engine has one processor. The test passes on a machine with one, too, but not in other trial
/// environments.
#[test]
fn goals_of_tests_that_do_not_hold_are_not_covered() {
    let covered = |check: &str| {
        let folder = tempfile::tempdir().unwrap();
        let to = folder.path().to_str().unwrap();
        let arguments = ["-m", "cores", "-o", to, "--junit-check", check];
        let (summary, _) = summary("sequences", "claims.Texts", &arguments);
        (summary["goals_covered"].clone(), summary["tests"].clone())
    };
    assert_eq!(covered("none"), (json!(1), json!(1)));
    assert_eq!(covered("run"), (json!(0), json!(0)));
}

#[test]
fn scopes_and_estimates_are_part_of_what_fields_claim() {
    let lengths = "longer strings and arrays (--scope)";
    let latin = "characters past Latin-1";
    let words = claim("fields", "claims.Words", &["--scope", "3"]);
    is(words, "complete", &[lengths, latin], 0);
    // Within this scope no word is longer.
    let words = claim("fields", "claims.Words", &["--scope", "7"]);
    is(words, "complete", &[latin], 0);
    let loops = "more iterations (--loop-k)";
    is(
        claim("fields", "claims.Rounds", &["--scope", "2"]),
        "partial",
        &[loops],
        3,
    );
    let asked = ["--scope", "2", "--loop-k", "5"];
    is(
        claim("fields", "claims.Rounds", &asked),
        "complete",
        &[loops],
        0,
    );
    let opens = ["--scope", "2", "--invariant", "opens"];
    is(
        claim("fields", "claims.Rounds", &opens),
        "partial",
        &["unsupported operations"],
        3,
    );
    let estimate = [
        "--scope",
        "5",
        "--small-scope",
        "3",
        "--estimate",
        "size",
        "--invariant",
        "opens",
    ];
    assert_eq!(claim("fields", "claims.Rounds", &estimate).0, "partial");
}

/// Unsupported features are not explored, whatever the verb.
#[test]
fn what_is_refused_is_not_complete() {
    let refused = "an answer on 1 leaf";
    let opens = ["--scope", "2", "--invariant", "opens"];
    is(
        claim("enumerate", "claims.Rounds", &opens),
        "partial",
        &[refused],
        3,
    );
}

/// Code that reaches a goal in ways that no analysis sees: a class elsewhere, another thread, a
/// handle, the command line of a JVM.
#[test]
fn what_unknown_code_may_reach_is_not_infeasible() {
    for class in [
        "HandleField",
        "UpdaterField",
        "InterruptedWait",
        "HookedConstructor",
        "HookedMethod",
        "AssertionStatus",
        "GuardedItem",
        "GuardedShortItem",
    ] {
        let output = run("sequences", &format!("claims.{class}"), &["--table"]);
        let said = text(&output.stderr);
        assert!(!said.contains("infeasible"), "{class}: {said}");
    }
    // Data flow through a handle is followed.
    for class in ["HandleField", "UpdaterField"] {
        let output = run("sequences", &format!("claims.{class}"), &["--table"]);
        let said = text(&output.stderr);
        assert!(!said.contains("not reached"), "{class}: {said}");
    }
}

/// A class that tests cannot extend, and one whose subclass passes one text alone.
#[test]
fn what_other_subclasses_may_pass_to_a_constructor_is_named() {
    for class in ["UnextendedItem", "GuardedItem"] {
        let (status, without, code) = claim("sequences", &format!("claims.{class}"), &[]);
        let others = "other subclasses of abstract classes (--system)".to_owned();
        assert!(without.contains(&others), "{class}: {without:?}");
        assert_eq!(status, "partial", "{class}");
        assert!(matches!(code, 3 | 4), "{class}: {code}");
    }
}

/// Goals are what JaCoCo counts, whether tests can reach it or not.
#[test]
fn all_code_of_a_class_and_its_members_is_a_goal() {
    let output = run("generate", "claims.Overrides", &[]);
    let said = text(&output.stderr) + &text(&output.stdout);
    assert!(said.contains("neverCalled:"), "{said}");
    let others = said.lines().filter(|line| line.contains("not reached"));
    assert_eq!(others.count(), 2, "{said}");
}

#[test]
fn two_inputs_may_be_one_string_or_box() {
    let of = |method: &str| {
        let arguments = [
            "-m",
            method,
            "--criterion",
            "all-branches",
            "--strings",
            "utf16",
        ];
        let output = run("paths", "claims.Identities", &arguments);
        text(&output.stderr) + &text(&output.stdout)
    };
    for method in [
        "ints", "texts", "mixed", "literal", "truth", "cached", "constant", "elements", "fields",
        "copies",
    ] {
        let said = of(method);
        assert!(!said.contains("infeasible, proved"), "{method}: {said}");
    }
    // One object has one value, and what a method makes it was not given.
    for method in ["contradiction", "fresh"] {
        let said = of(method);
        assert!(said.contains("infeasible, proved"), "{method}: {said}");
    }
}

#[test]
fn strings_are_as_long_as_java_allows() {
    for method in ["length", "sum", "multiple", "narrowed"] {
        for strings in ["latin1", "utf16"] {
            let arguments = ["-m", method, "--strings", strings];
            let by_paths = [&arguments[..], &["--criterion", "all-branches"]].concat();
            let output = run("paths", "claims.LongTexts", &by_paths);
            let said = text(&output.stderr) + &text(&output.stdout);
            assert!(!said.contains("infeasible, proved"), "{method}: {said}");
            let symbolic = [&arguments[..], &["--symbolic"]].concat();
            let (_, without, _) = claim("run", "claims.LongTexts", &symbolic);
            let longer = "longer strings and arrays (--scope)".to_owned();
            assert!(without.contains(&longer), "{method}: {without:?}");
        }
    }
}

#[test]
#[ignore = "long"]
fn assertions_are_true_of_all_strings_and_boxes_or_not_at_all() {
    for method in [
        "isShort",
        "sumIsPositive",
        "multipleIsPositive",
        "intsDiffer",
        "textsDiffer",
        "isNoLiteral",
        "isNotTrue",
        "elementsDiffer",
    ] {
        let output = run("verify", "claims.Asserted", &["-m", method]);
        let said = text(&output.stderr) + &text(&output.stdout);
        assert!(!said.contains("true"), "{method}: {said}");
    }
}

/// A class path that lacks a class says nothing of the program, unless the program says so.
#[test]
#[ignore = "long"]
fn what_the_class_path_lacks_is_named_and_no_behaviour() {
    let source = "public class Uses {
        private final int n;
        public Uses(int n) {
            if (n < 0) { throw new IllegalArgumentException(\"n\"); }
            this.n = n + Gone.count();
        }
        public int twice() { return 2 * n; }
        public static int own(int n) {
            if (n == 3) { throw new NoClassDefFoundError(\"no way\"); }
            return n;
        }
    }
    class Gone { static int count() { return 1; } }";
    let folder = tempfile::tempdir().unwrap();
    let classes = folder.path().join("classes");
    Fixture::new(&["-g"])
        .text("Uses", source)
        .copied_to(&classes);
    std::fs::remove_file(classes.join("Gone.class")).unwrap();
    let ran = |arguments: &[&str]| {
        let output = program()
            .args(arguments)
            .args(["--no-config", "-c", "Uses", "-p"])
            .arg(&classes)
            .args(["--jdk", jdks()[0].home.to_str().unwrap()])
            .output()
            .unwrap();
        (
            text(&output.stderr) + &text(&output.stdout),
            output.status.code(),
        )
    };
    let shortly = ["--time-per-class", "6s"];
    let (said, code) = ran(&[&["sequences", "--junit-check", "none"][..], &shortly].concat());
    let named = "Gone, which Uses needs, is not on the class path";
    assert_eq!(said.matches(named).count(), 1, "{said}");
    assert!(!said.contains("is thrown by: "), "{said}");
    // The error that the program makes is an outcome.
    let made = "Uses.own(3) // threw java.lang.NoClassDefFoundError";
    assert!(said.contains(made), "{said}");
    assert_eq!(code, Some(3), "{said}");
    let (said, code) = ran(&["paths", "-m", "<init>", "--criterion", "all-branches"]);
    assert!(said.contains("unsupported operations"), "{said}");
    assert_eq!(code, Some(3), "{said}");
}
