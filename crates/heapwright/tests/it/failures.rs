//! Tests that fail: where they are, how they are disabled, and which behaviours are none.

use std::path::{Path, PathBuf};
use std::process::Output;
use std::sync::OnceLock;

use heapwright_testkit::fixtures::{Fixture, compile, files};
use heapwright_testkit::jdk::{compilers, jdks};
use heapwright_testkit::junit;
use serde_json::{Value, json};

use crate::common::{program, summary_of, text};
use crate::summaries::faults;

/// A class of which a persistence framework makes objects without a value.
const CUSTOMER: &str = "package oracles;
    public class Customer {
        private String email;
        protected Customer() {}
        public Customer(String email) {
            if (email == null) { throw new IllegalArgumentException(\"email\"); }
            this.email = email;
        }
        @Override public int hashCode() { return email.hashCode(); }
        @Override public boolean equals(Object other) {
            return other instanceof Customer && email.equals(((Customer) other).email);
        }
    }";

fn classes() -> &'static Path {
    static CLASSES: OnceLock<PathBuf> = OnceLock::new();
    CLASSES.get_or_init(|| {
        Fixture::new(&["-g", "--release", "17"])
            .package("oracles")
            .text("Customer", CUSTOMER)
            .classes()
    })
}

/// Generates tests of a class into `src/test/java` of a folder.
fn generate(folder: &Path, class: &str, arguments: &[&str]) -> (Output, Value) {
    let output = program()
        .current_dir(folder)
        .args(["generate", "--no-config", "--json", "-c", class, "-p"])
        .arg(classes())
        .arg("--jdk")
        .arg(&jdks()[0].home)
        .args(["-o", "src/test/java"])
        .args(arguments)
        .output()
        .unwrap();
    let summary = summary_of(&output);
    assert_eq!(faults(&summary, "generate"), Vec::<String>::new());
    (output, summary)
}

/// Java files of a folder, as paths in it.
fn sources(folder: &Path) -> Vec<String> {
    let all = files(folder, "java").into_iter().map(|file| {
        let file = file.strip_prefix(folder).unwrap();
        file.to_str().unwrap().to_owned()
    });
    let mut all: Vec<String> = all.collect();
    all.sort();
    all
}

const TESTS: &str = "src/test/java/oracles/CellsHeapwrightTest.java";
const FAILURES: &str = "src/test/java/oracles/CellsHeapwrightFailureTest.java";

/// The build decides where failing tests are; the summary and the messages name the file.
#[test]
#[ignore = "long"]
fn failing_tests_are_outside_of_the_test_tree() {
    for (build, place) in [
        (Some("pom.xml"), "target/heapwright/failures"),
        (Some("build.gradle"), "build/heapwright/failures"),
        (None, "src/test/java-failures"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        if let Some(build) = build {
            std::fs::write(folder.path().join(build), "").unwrap();
        }
        let (output, summary) = generate(folder.path(), "oracles.Cells", &["--time-limit", "20s"]);
        assert_eq!(output.status.code(), Some(1), "{output:?}");
        let file = format!("{place}/oracles/CellsHeapwrightFailureTest.java");
        let mut wanted = vec![TESTS.to_owned(), file.clone()];
        wanted.sort();
        assert_eq!(sources(folder.path()), wanted);
        let found = &summary["failing_behaviours"];
        assert_eq!(found.as_array().map(Vec::len), Some(1), "{found}");
        let found = &found[0];
        assert_eq!(found["file"], json!(file));
        assert_eq!(
            (&found["rank"], &found["sure"]),
            (&json!("index"), &json!(true))
        );
        let name = found["reproducer"].as_str().unwrap();
        assert!(
            name.starts_with("oracles.CellsHeapwrightFailureTest.newest_"),
            "{name}"
        );
        let messages = text(&output.stderr);
        assert!(messages.contains(&format!("({file})\n")), "{messages}");
    }
}

/// Beside the tests, they are disabled in the way of the framework, and compile.
#[test]
#[ignore = "long"]
fn failing_tests_in_the_test_tree_are_disabled() {
    let jars = junit::jars();
    for (version, annotation) in [
        ("5", "@Disabled(\"java.lang.ArrayIndexOutOfBoundsException"),
        ("4", "@Ignore(\"java.lang.ArrayIndexOutOfBoundsException"),
        (
            "testng",
            "@Test(enabled = false, description = \"java.lang.ArrayIndexOutOfBoundsException",
        ),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let arguments = ["--failures", "tests", "--junit", version];
        let (output, _) = generate(folder.path(), "oracles.Cells", &arguments);
        assert_eq!(output.status.code(), Some(1), "{output:?}");
        assert_eq!(sources(folder.path()), [FAILURES, TESTS]);
        let failing = folder.path().join(FAILURES);
        let text = std::fs::read_to_string(&failing).unwrap();
        assert!(text.contains(annotation), "{text}");
        if version == "testng" {
            continue;
        }
        let built = folder.path().join("built");
        let class_path = [
            jars.console.clone(),
            jars.junit4.clone(),
            jars.hamcrest.clone(),
            classes().to_owned(),
        ];
        let options = ["-Xlint:all", "-Werror", "--release", "17"];
        compile(&compilers()[0], &[failing], &class_path, &built, &options);
        if version == "5" {
            let java = jdks()[0].home.join("bin/java");
            let report = junit::run_console_with(&java, &[built], &[classes().to_owned()]);
            assert_eq!((report.succeeded, report.failed), (0, 0), "{report:?}");
            assert!(report.output.contains("1 tests skipped"), "{report:?}");
        }
    }
    let folder = tempfile::tempdir().unwrap();
    let arguments = ["--failures", "failing"];
    generate(folder.path(), "oracles.Cells", &arguments);
    let text = std::fs::read_to_string(folder.path().join(FAILURES)).unwrap();
    assert!(!text.contains("Disabled"), "{text}");
}

/// What a run no longer finds is gone from the folder of failures.
#[test]
#[ignore = "long"]
fn failures_are_those_of_the_last_run() {
    let folder = tempfile::tempdir().unwrap();
    generate(folder.path(), "oracles.Cells", &[]);
    assert_eq!(sources(folder.path()).len(), 2);
    let expected = ["--expect-exception", "ArrayIndexOutOfBoundsException"];
    let (output, _) = generate(folder.path(), "oracles.Cells", &expected);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert_eq!(sources(folder.path()), [TESTS]);
}

/// Guards refuse calls; the tests assert their exceptions. Faults come with the surest first.
#[test]
#[ignore = "long"]
fn guards_are_no_faults() {
    let folder = tempfile::tempdir().unwrap();
    let generate = |methods: &str| {
        let arguments = ["--include", methods, "--access", "package"];
        let limits = ["--mutants", "none", "--max-paths", "3000"];
        let arguments = [&arguments[..], &limits].concat();
        generate(folder.path(), "oracles.Guarded", &arguments)
    };
    let (output, summary) = generate("refuse.*");
    assert_eq!(summary["failing_behaviours"], json!([]));
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let tests = folder
        .path()
        .join("src/test/java/oracles/GuardedHeapwrightTest.java");
    let tests = std::fs::read_to_string(tests).unwrap();
    for asserted in [
        "assertThrows(RuntimeException.class, () -> Guarded.refuseAlways())",
        "assertThrows(RuntimeException.class, () -> Guarded.refuseByThrow(",
    ] {
        assert!(tests.contains(asserted), "{asserted}: {tests}");
    }
    let (output, summary) = generate("fault.*");
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let found = summary["failing_behaviours"].as_array().unwrap();
    let ranks: Vec<&str> = found
        .iter()
        .map(|one| one["rank"].as_str().unwrap())
        .collect();
    let order = [
        "contract",
        "invariant",
        "index",
        "cast",
        "arithmetic",
        "null",
        "other",
    ];
    let place = |rank: &&str| order.iter().position(|one| one == rank).unwrap();
    assert!(ranks.is_sorted_by_key(place), "{ranks:?}");
    for rank in ["invariant", "index", "cast", "null"] {
        assert!(ranks.contains(&rank), "no {rank}: {ranks:?}");
    }
    let is_sure = |one: &Value| one["sure"].as_bool().unwrap();
    let sure: Vec<&str> = found
        .iter()
        .filter(|one| is_sure(one))
        .map(|one| one["rank"].as_str().unwrap())
        .collect();
    assert!(sure.iter().all(|rank| !["null", "other"].contains(rank)));
    // What is not sure to be a fault is reported, and no more.
    let (output, summary) = generate("faultOfNull.*");
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert_eq!(summary["failing_behaviours"][0]["rank"], "null");
    let messages = text(&output.stderr);
    assert!(messages.contains("perhaps a fault: "), "{messages}");
}

/// The null that a framework replaces is no sure fault of `hashCode` and `equals`.
#[test]
fn objects_without_values_are_no_sure_fault() {
    let folder = tempfile::tempdir().unwrap();
    let limits = ["--mutants", "none", "--time-limit", "20s"];
    let (output, summary) = generate(folder.path(), "oracles.Customer", &limits);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let found = summary["failing_behaviours"].as_array().unwrap();
    assert!(!found.is_empty(), "{summary}");
    for one in found {
        assert_eq!(
            (&one["rank"], &one["sure"]),
            (&json!("null"), &json!(false))
        );
    }
}
