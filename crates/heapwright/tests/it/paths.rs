//! `heapwright paths`: the output, shards, settings, and messages on bad input.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;
use std::sync::OnceLock;

use expect_test::{Expect, expect};
use heapwright_testkit::fixtures::{Fixture, compile, files, without_seconds};
use heapwright_testkit::jdk::{compilers, jdks};
use heapwright_testkit::junit;
use serde_json::Value;

use crate::common::{
    has_ended_by_itself, program, summary_of, text, with_enough_time, without_measures,
};

/// The fixtures of the package `paths`.
fn classes() -> &'static Path {
    static CLASSES: OnceLock<PathBuf> = OnceLock::new();
    let fixture = Fixture::new(&["-g", "-nowarn", "--release", "17"]).package("paths");
    CLASSES.get_or_init(|| fixture.classes())
}

fn heapwright(class: &str, arguments: &[&str]) -> Output {
    program()
        .args([
            "paths",
            "--no-config",
            "--junit-check",
            "none",
            "-c",
            class,
            "-p",
        ])
        .arg(classes())
        .args(["--jdk", jdks()[0].home.to_str().unwrap()])
        .args(arguments)
        .output()
        .unwrap()
}

fn printed(class: &str, arguments: &[&str]) -> String {
    let output = heapwright(class, arguments);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    text(&output.stdout)
}

fn summary(class: &str, arguments: &[&str]) -> Value {
    let output = heapwright(class, &[arguments, &["--json"]].concat());
    summary_of(&output)
}

fn number(summary: &Value, key: &str) -> u64 {
    let number = summary[key].as_u64();
    number.unwrap_or_else(|| panic!("no {key} in {summary}"))
}

/// Outcome, conditions and trace of each case.
fn cases(summary: &Value) -> Vec<String> {
    let paths = summary["paths"].as_array().unwrap().iter();
    let said = |path: &Value, key: &str| path[key].as_str().unwrap().to_owned();
    paths
        .map(|path| {
            let (outcome, condition) = (said(path, "outcome"), said(path, "condition"));
            format!("{outcome} if {condition}: {}", said(path, "trace"))
        })
        .collect()
}

const LCM: [&str; 2] = ["-m", "lcm"];

fn of_lcm(arguments: &[&str]) -> Vec<&'static str> {
    let all = LCM.into_iter();
    all.chain(
        arguments
            .iter()
            .map(|one| -> &'static str { one.to_string().leak() }),
    )
    .collect()
}

#[test]
fn what_replaces_a_search_is_printed() {
    let rules = printed("paths.Lcm", &of_lcm(&["--print-rules"]));
    let first = "% lcm\nlcm([A,B],[R],_,_,E,lcm(1,[T])) :-  % line 6\n    A #>= B,\n";
    assert!(rules.starts_with(first), "{rules}");
    let slice = printed("paths.Lcm", &of_lcm(&["--print-slice"]));
    assert!(slice.ends_with("% 6 traces with --loop-k 2\n"), "{slice}");
    expect![[r#"
        % towards lcm, line 14
        lcm(lcm(1,[T])) :- cont_11(T).
        lcm(lcm(2,[T])) :- cont_11(T).
        cont_11(cont_11(1,[T1,T])) :- check_11(T).
        check_11(check_11(1,[T1,T])) :- div_13(T).
        div_13(div_13(2,[])).
    "#]]
    .assert_eq(&printed(
        "paths.Lcm",
        &of_lcm(&["--print-slice", "--point", "15"]),
    ));
    let power =
        |arguments: &[&str]| printed("paths.Power", &[&["-m", "power"], arguments].concat());
    expect![[r#"
        <power, {This = dynamic, B = dynamic, E = static}>
        <loop_17, {B = dynamic, E = static, Pow = dynamic, I = static}>
    "#]]
    .assert_eq(&power(&["--print-modes"]));
    expect![[r#"
        power([E],power(1,[])) :- E #< 0.
        power([E],power(2,[T])) :- E #>= 0, loop_17([E,1],T).
        loop_17([E,I],loop_17(1,[])) :- I #> E.
        loop_17([E,I],loop_17(2,[T])) :- I #=< E, loop_17([E,I+1],T).
        % 3 traces with --loop-k 2
    "#]]
    .assert_eq(&power(&["--print-trace-abstraction", "--refine", "modes"]));
}

#[test]
fn tests_pass_on_real_machines() {
    let folder = tempfile::tempdir().unwrap();
    for version in ["5", "4"] {
        let source = folder.path().join(format!("source{version}"));
        let mut tests = 0;
        for (class, more) in [
            ("Lcm", &["--criterion", "all-paths"][..]),
            ("NodeSequence", &["--precondition"]),
            ("SortedListPriorityQueue", &["--precondition"]),
            ("BinarySearchTree", &["--precondition"]),
            ("HeapPriorityQueue", &["--precondition", "--scope", "2"]),
            ("SmallExceptions", &[]),
            ("SmallCalls", &["--criterion", "all-branches"]),
            ("SmallLambdas", &["--criterion", "all-paths"]),
        ] {
            let class = format!("paths.{class}");
            let to = ["--format", "junit", "--junit", version, "-o"];
            let arguments = [&to[..], &[source.to_str().unwrap()], more].concat();
            tests += number(&summary(&class, &arguments), "tests");
        }
        let is_regression = |file: &PathBuf| !file.to_string_lossy().ends_with("FailureTest.java");
        let sources: Vec<PathBuf> = files(&source, "java")
            .into_iter()
            .filter(is_regression)
            .collect();
        let jars = junit::jars();
        let class_path = [jars.console, classes().to_owned()];
        let built = folder.path().join(format!("built{version}"));
        let options = ["-Xlint:all", "-Werror", "--release", "17"];
        compile(&compilers()[0], &sources, &class_path, &built, &options);
        for jdk in jdks() {
            let java = jdk.home.join("bin").join("java");
            let report = junit::run_console_with(
                &java,
                std::slice::from_ref(&built),
                &[classes().to_owned()],
            );
            assert_eq!(
                (report.failed, report.succeeded),
                (0, tests as usize),
                "JDK {}",
                jdk.feature
            );
        }
    }
}

#[test]
fn tests_are_named_after_paths() {
    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().to_str().unwrap();
    printed("paths.Lcm", &of_lcm(&["--format", "junit", "-o", source]));
    let file = files(folder.path(), "java").remove(0);
    expect![[r#"
        package paths;

        import static org.junit.jupiter.api.Assertions.assertEquals;

        import org.junit.jupiter.api.Test;

        /** Behaviour of paths.Lcm, written by Heapwright. */
        class LcmPathsTest {
            @Test
            void lcm_aAtLeastB_returnsZero() {
                // if b <= a && b == 0 && a != 0
                // takes
                //     lcm(1,[cont_11(1,[gcd(1,[loop_21(1,[abs(1,[])])]),check_11(1,[abs(1,[]),div_13(1,[])])])])
                assertEquals(0, Lcm.lcm(1, 0));
            }

            @Test
            void lcm_aAtLeastB_arithmeticCaught_returnsMinusOne() {
                // if b <= a && b == 0 && a == 0
                // takes
                //     lcm(1,[cont_11(1,[gcd(1,[loop_21(1,[abs(1,[])])]),check_11(1,[abs(1,[]),div_13(2,[])])])])
                assertEquals(-1, Lcm.lcm(0, 0));
            }

            @Test
            void lcm_aLessThanB_returnsZero() {
                // if a < b && a == 0
                // takes
                //     lcm(2,[cont_11(1,[gcd(1,[loop_21(1,[abs(1,[])])]),check_11(1,[abs(1,[]),div_13(1,[])])])])
                assertEquals(0, Lcm.lcm(0, 1));
            }
        }
        // Checksum 25db21ba of what Heapwright wrote: edited files are not overwritten.
    "#]]
    .assert_eq(&fs::read_to_string(file).unwrap());
}

#[test]
fn control_flow_is_drawn() {
    let drawing = printed("paths.Lcm", &of_lcm(&["--format", "svg"]));
    assert!(drawing.starts_with("<svg") && drawing.trim_end().ends_with("</svg>"));
    for said in [
        "paths.Lcm.lcm(int, int)",
        "line 11",
        "ArithmeticException",
        "&lt;",
        "×2",
    ] {
        assert!(drawing.contains(said), "{said} in {drawing}");
    }
    let folder = tempfile::tempdir().unwrap();
    let to = folder.path().to_str().unwrap();
    printed("paths.Lcm", &["--format", "svg", "-o", to]);
    let names = files(folder.path(), "svg");
    assert_eq!(names.len(), 4, "{names:?}");
}

/// Checks standard error and the exit code.
fn says(class: &str, arguments: &[&str], code: i32, message: &Expect) {
    let output = heapwright(class, arguments);
    assert_eq!(output.status.code(), Some(code), "{output:?}");
    message.assert_eq(&without_seconds(&text(&output.stderr)));
}

#[test]
fn what_is_not_reached_is_said_with_why() {
    says(
        "paths.Odd",
        &["-m", "callsForeign"],
        3,
        &expect![[r#"
            callsForeign(int): 1 case, standard (the method calls none that is followed: all its paths are local); 2 paths run to the end, 0 left before it, 1 question to the solver
              1 path refused: they meet an unsupported operation
              not covered: callsForeign, line 12: not reached without unsupported operations
              not covered: callsForeign, line 11, on to line 12: not reached without unsupported operations
            5 of 8 instructions, 1 of 2 branches covered; … s; partial, without unsupported operations"#]],
    );
    says(
        "paths.Odd",
        &["-m", "hundred"],
        4,
        &expect![[r#"
            hundred(int): 0 cases, standard (the method calls none that is followed: all its paths are local); 0 paths run to the end, 1 left before it, 0 questions to the solver
              1 path left: --loop-k or --max-depth
              every path runs a loop or a recursion more often than --loop-k 2 allows: raise it
              not covered: hundred, line 19: not reached without more iterations (--loop-k)
              not covered: hundred, line 20: not reached without more iterations (--loop-k)
              not covered: hundred, line 21: not reached without more iterations (--loop-k)
              not covered: hundred, line 23: not reached without more iterations (--loop-k)
              not covered: hundred, line 20, on to line 23: not reached without more iterations (--loop-k)
              not covered: hundred, line 20, on to line 21: not reached without more iterations (--loop-k)
            0 of 15 instructions, 0 of 2 branches covered; … s; complete, without more iterations (--loop-k)"#]],
    );
}

#[test]
fn wrong_requests_are_refused() {
    for (arguments, message) in [
        (
            &["--criterion", "program-points"][..],
            expect!["heapwright: --criterion program-points needs points: name them with --point"],
        ),
        (
            &["--criterion", "all-paths", "--point", "6"],
            expect!["heapwright: --point requires --criterion program-points"],
        ),
        (
            &["--point", "18"],
            expect![
                "heapwright: --point paths.Lcm:18: line 18 of paths.Lcm has no code that the method can reach; the nearest lines with reachable code: 15 and 21"
            ],
        ),
        (
            &["--point", "here"],
            expect![[
                r#"heapwright: --point: "here" is no point: write Class:line, method@offset or Class.method@offset"#
            ]],
        ),
        (
            &["--trace", "lcm(3,[_])"],
            expect!["heapwright: --trace: lcm has the rules 1 to 2, not 3"],
        ),
        (
            &["--trace", "lcm(1,["],
            expect!["heapwright: --trace: expected a predicate or _ at column 8, found the end"],
        ),
        (
            &["--format", "junit"],
            expect!["heapwright: --format junit writes files: name their folder with -o"],
        ),
        (
            &["--precondition"],
            expect![
                "heapwright: --precondition: class paths.Lcm has no boolean instance method without parameters called repOK, repOk, checkRep, invariant, isValid"
            ],
        ),
    ] {
        says("paths.Lcm", &of_lcm(arguments), 2, &message);
    }
}

#[test]
fn settings_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let settings = "invariant = \"repOk\"\nmax-steps = 100000\n\n[bounds]\nscope = 1\n";
    fs::write(folder.path().join("heapwright.toml"), settings).unwrap();
    let with = |arguments: &[&str]| {
        let output = program()
            .current_dir(folder.path())
            .args([
                "paths",
                "-c",
                "paths.BinarySearchTree",
                "-m",
                "find",
                "--json",
                "-p",
            ])
            .arg(classes())
            .args(["--jdk", jdks()[0].home.to_str().unwrap()])
            .args(arguments)
            .output()
            .unwrap();
        let summary: Value = serde_json::from_slice(&output.stdout).unwrap();
        cases(&summary)
    };
    let all = ["--criterion", "all-paths", "--precondition"];
    let said = [&all[..], &["--no-config", "--scope", "1"]].concat();
    let more = [&all[..], &["--scope", "3"]].concat();
    assert_eq!(with(&all), with(&said));
    // The command line overrides the file.
    assert_ne!(with(&all), with(&more));
}

#[test]
fn a_search_can_be_stopped() {
    let run = |limit: &str| {
        heapwright(
            "paths.HeapPriorityQueue",
            &[
                "--criterion",
                "all-paths",
                "--loop-k",
                "40",
                "--scope",
                "9",
                "--time-limit",
                limit,
                "--json",
            ],
        )
    };
    let output = with_enough_time(1_000, run, has_ended_by_itself);
    assert_eq!(output.status.code(), Some(3), "{output:?}");
    let summary: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(summary["status"], "stopped");
    assert_eq!(summary["stopped_by"], "--time-limit");
}

/// Runs all shards and returns their files. The number of workers differs between them.
fn shards(folder: &Path, class: &str, arguments: &[&str], of: usize) -> Vec<PathBuf> {
    let files = (1..=of).map(|number| {
        let file = folder.join(format!("{number} of {of}"));
        let (shard, jobs) = (format!("{number}/{of}"), number.to_string());
        let own = ["--shard", &shard, "-o", file.to_str().unwrap(), "-j", &jobs];
        let output = heapwright(class, &[arguments, &own].concat());
        assert!(output.status.code() != Some(2), "{output:?}");
        file
    });
    files.collect()
}

fn merge(files: &[PathBuf], arguments: &[&str]) -> Output {
    let mut merge = program();
    merge.arg("merge").args(files).args(arguments);
    merge.output().unwrap()
}

/// Removes what may differ from one run: times, and counts of work if shards repeat some.
fn comparable(summary: &Value, is_repeated: bool) -> Value {
    let mut summary = without_measures(summary.clone());
    let keys = summary.as_object_mut().unwrap();
    keys.retain(|key, _| !["verb", "files", "shards", "translation_ms"].contains(&key.as_str()));
    if is_repeated {
        let work = [
            "explored",
            "pruned",
            "before_filter",
            "solver",
            "methods",
            "limited",
            "refused",
            "unknown",
            "fixed",
        ];
        keys.retain(|key, _| !work.contains(&key.as_str()) && !key.starts_with("traces"));
    }
    summary
}

#[test]
#[ignore = "long"]
fn shards_make_one_run() {
    let points = ["--point", "30", "--point", "44"];
    let runs: [(&str, &[&str], bool); 9] = [
        ("Lcm", &[], false),
        ("NodeSequence", &["--criterion", "all-local-paths"], false),
        ("SmallCalls", &["--criterion", "all-paths"], false),
        ("SmallCalls", &["--criterion", "all-branches"], true),
        ("BinarySearchTree", &["--criterion", "all-branches"], true),
        (
            "HeapPriorityQueue",
            &["--criterion", "all-statements"],
            true,
        ),
        (
            "NodeSequence",
            &["--criterion", "all-branches", "--unguided"],
            true,
        ),
        ("SmallExceptions", &["--criterion", "all-statements"], true),
        ("SortedListPriorityQueue", &points, true),
    ];
    let folder = tempfile::tempdir().unwrap();
    for (class, arguments, is_repeated) in runs {
        let class = format!("paths.{class}");
        let whole = heapwright(&class, &[arguments, &["--json"]].concat());
        for of in [1, 2, 3] {
            let mut files = shards(folder.path(), &class, arguments, of);
            files.reverse();
            let merged = merge(&files, &["--json"]);
            assert_eq!(merged.status.code(), whole.status.code(), "{class}");
            let (whole, merged) = (summary_of(&whole), summary_of(&merged));
            assert_eq!(merged["shards"], of);
            assert_eq!(
                comparable(&merged, is_repeated),
                comparable(&whole, is_repeated),
                "{class} {arguments:?} in {of}"
            );
        }
    }
}

#[test]
fn shards_give_the_same_files() {
    let class = "paths.BinarySearchTree";
    let folder = tempfile::tempdir().unwrap();
    for format in ["text", "smt2", "junit"] {
        let arguments = ["--criterion", "all-branches", "--format", format];
        let shards = shards(folder.path(), class, &arguments, 2);
        let (whole, merged) = (
            folder.path().join(format!("whole-{format}")),
            folder.path().join(format!("merged-{format}")),
        );
        let to = ["-o", whole.to_str().unwrap()];
        let one = heapwright(class, &[&arguments[..], &to].concat());
        let together = merge(&shards, &["-o", merged.to_str().unwrap()]);
        assert_eq!(together.status.code(), one.status.code(), "{together:?}");
        let contents = |path: &Path| match path.is_dir() {
            false => vec![fs::read(path).unwrap()],
            true => {
                let files = files(path, "java").into_iter();
                files.map(|file| fs::read(file).unwrap()).collect()
            }
        };
        let (whole, merged) = (contents(&whole), contents(&merged));
        assert!(!whole.is_empty(), "{format}");
        assert_eq!(merged, whole, "{format}");
    }
}

#[test]
fn shards_of_different_requests_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let class = "paths.SmallCalls";
    let [one, two] = &shards(folder.path(), class, &[], 2)[..] else {
        panic!("two shards");
    };
    let refused = |files: &[&PathBuf], arguments: &[&str], expected: &str| {
        let files: Vec<PathBuf> = files.iter().copied().cloned().collect();
        let output = merge(&files, arguments);
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        assert!(said.contains(expected), "{expected} in {said}");
    };
    refused(&[one], &[], "shard 2/2 is missing");
    refused(&[one, one, two], &[], "are both shard 1/2");
    let other = folder.path().join("other");
    fs::create_dir(&other).unwrap();
    for (class, arguments, expected) in [
        (
            class,
            &["--criterion", "all-branches"][..],
            "the request (counts, structures, calls or paths) differs",
        ),
        (class, &["--loop-k", "3"], "the bounds or invariant differs"),
        ("paths.SmallLoops", &[], "of class paths.SmallLoops"),
    ] {
        let others = shards(&other, class, arguments, 2);
        refused(&[one, &others[1]], &[], expected);
    }
    let three = shards(&other, class, &[], 3);
    refused(&[one, &three[1]], &[], "one of 2 shards");
    let whole = fs::read(two).unwrap();
    let cut = folder.path().join("cut");
    fs::write(&cut, &whole[..whole.len() / 2]).unwrap();
    refused(&[one, &cut], &[], "cut off");
    fs::write(&cut, "else").unwrap();
    refused(&[one, &cut], &[], "is of paths, and others are not");
    let junit = shards(&other, class, &["--format", "junit"], 1);
    refused(&[&junit[0]], &[], "name their folder with -o");
    for (arguments, expected) in [
        (&["--shard", "3/2", "-o", "x"][..], "a shard is its number"),
        (&["--shard", "1/2"], "--output"),
        (
            &["--shard", "1/2", "-o", "x", "--format", "svg"],
            "leave out --format svg",
        ),
        (
            &["--shard", "1/2", "-o", "x", "--junit", "4"],
            "cannot be used with",
        ),
    ] {
        let output = heapwright(class, arguments);
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        let said = text(&output.stderr);
        assert!(said.contains(expected), "{expected} in {said}");
    }
}

#[test]
fn stopped_shards_are_merged_as_far_as_they_came() {
    let folder = tempfile::tempdir().unwrap();
    let class = "paths.BinarySearchTree";
    // Far more than any machine does in the time.
    let arguments = ["--criterion", "all-paths", "--loop-k", "20", "--scope", "8"];
    let files = shards(
        folder.path(),
        class,
        &[&arguments[..], &["--time-limit", "400ms"]].concat(),
        2,
    );
    // A shard that was stopped before it could identify its search has no file.
    if files.iter().all(|file| file.is_file()) {
        let merged = merge(&files, &["--json"]);
        assert_eq!(merged.status.code(), Some(3), "{merged:?}");
        let summary = summary_of(&merged);
        assert_eq!(summary["status"], "stopped");
        assert_eq!(summary["stopped_by"], "--time-limit");
    }
}
