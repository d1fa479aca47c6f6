//! The Gradle plugin: real builds of the projects in `java/samples` by Gradle 8, with the program
//! that was built. This Gradle runs no tests, so that JUnit's console launcher runs those that it has
//! compiled.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use heapwright_testkit::fixtures::files;
use heapwright_testkit::gradle::run_gradle;
use heapwright_testkit::jdk::compilers;
use heapwright_testkit::junit::{assertj, run_console_with, run_testng};
use heapwright_testkit::languages::KOTLIN;
use heapwright_testkit::plugins::PluginRepository;
use serde_json::Value;
use tempfile::TempDir;

use crate::common::text;

/// Copy of a sample.
struct Build {
    folder: TempDir,
    plugins: PluginRepository,
}

impl Build {
    fn of(sample: &str) -> Build {
        let folder = tempfile::tempdir().unwrap();
        PluginRepository::copy_sample(sample, folder.path());
        let plugins = PluginRepository::installed();
        Build { folder, plugins }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn run(&self, arguments: &[&str]) -> Output {
        let program = Path::new(env!("CARGO_BIN_EXE_heapwright"));
        let all = [&["--configuration-cache", "--continue"], arguments].concat();
        run_gradle(
            &self.plugins,
            self.folder.path(),
            program.parent().unwrap(),
            &all,
        )
    }

    /// Runs Gradle, which has to succeed; returns its output.
    fn succeed(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        let log = text(&output.stdout);
        assert!(output.status.success(), "{log}{}", text(&output.stderr));
        log
    }

    /// Runs Gradle, which has to fail; returns its errors.
    fn fail(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        let errors = text(&output.stderr);
        assert!(!output.status.success(), "{errors}");
        errors
    }

    /// Summary of a task.
    fn summary(&self, module: &str, file: &str) -> Value {
        let path = self
            .path(module)
            .join("build/reports/heapwright")
            .join(file);
        let text = fs::read_to_string(&path).unwrap_or_else(|_| panic!("{}", path.display()));
        serde_json::from_str(&text).unwrap()
    }

    /// Number of tests of a module, all of which have to pass.
    fn passing_tests(&self, module: &str, libraries: &[PathBuf]) -> u64 {
        let classes = |of: &str| self.path(module).join("build/classes").join(of);
        let java = compilers()[0].home.join("bin").join("java");
        let further = [&[classes("java/main")], libraries].concat();
        let report = run_console_with(&java, &[classes("java/test")], &further);
        assert_eq!(report.succeeded, report.found, "{}", report.output);
        report.succeeded as u64
    }
}

/// Tests are generated into the test sources, compiled and pass; a second build does nothing, from
/// the configuration cache; and a missing test is written again.
#[test]
#[ignore = "servers: Gradle"]
fn tests_are_generated_and_measured() {
    let build = Build::of("single");
    let generate = [
        "heapwrightGenerate",
        "--classes=com.acme.Turn*",
        "testClasses",
    ];
    let log = build.succeed(&generate);
    assert!(log.contains("Configuration cache entry stored"), "{log}");
    let generated = build.summary("", "heapwrightGenerate/heapwright-generate.json");
    assert_eq!(generated["class"], "com.acme.Turnstile");
    assert_eq!(generated["goals_covered"], generated["goals_total"]);
    // One test of the project is written by hand.
    let tests = build.passing_tests("", &[]);
    assert_eq!(tests, generated["tests"].as_u64().unwrap() + 1);

    let log = build.succeed(&generate);
    assert!(log.contains("Configuration cache entry reused"), "{log}");
    assert!(log.contains("3 actionable tasks: 3 up-to-date"), "{log}");
    let written = build.path("src/test/java/com/acme/TurnstileHeapwrightTest.java");
    fs::remove_file(&written).unwrap();
    build.succeed(&[&generate[..], &["heapwrightMeasure"]].concat());
    assert!(written.is_file());
    let measured = build.summary("", "heapwrightMeasure/heapwright-measure.json");
    assert_eq!(measured["tests_passed"], tests);
}

/// A counterexample fails the build; a wrong pattern says so.
#[test]
#[ignore = "servers: Gradle"]
fn a_counterexample_fails_the_build() {
    let build = Build::of("single");
    let finding =
        "com.acme.Purse.take(int): breaks the invariant repOK: take(1) on Purse{coins: 0}";
    let errors = build.fail(&["heapwrightCheck"]);
    assert!(errors.contains(finding), "{errors}");
    let summary = build.summary("", "heapwrightCheck/heapwright-check-com.acme.Purse.json");
    assert_eq!(summary["counterexamples"][0]["method"], "take(int)");
    let script = build.path("build.gradle");
    let text = fs::read_to_string(&script).unwrap();
    let ignored = "\nheapwrightCheck {\n    failOnCounterexample = false\n}\n";
    fs::write(&script, text + ignored).unwrap();
    let log = build.succeed(&["heapwrightCheck"]);
    assert!(log.contains(finding), "{log}");
    let log = build.succeed(&["heapwrightCheck"]);
    assert!(
        !log.contains(finding) && log.contains("2 up-to-date"),
        "{log}"
    );
    let errors = build.fail(&["heapwrightGenerate", "--classes=com.acme.none.*"]);
    assert!(
        errors.contains("fits targetClasses com.acme.none.*"),
        "{errors}"
    );
}

/// Modules that make their tests in each build, one with classes of the other.
#[test]
#[ignore = "servers: Gradle"]
fn modules_are_tested_one_by_one() {
    let build = Build::of("multi");
    build.succeed(&["testClasses"]);
    let libraries = [
        &[build.path("stock/build/classes/java/main")],
        &assertj()[..],
    ]
    .concat();
    for module in ["stock", "shop"] {
        let summary = build.summary(module, "heapwrightGenerate/heapwright-generate.json");
        assert_eq!(summary["goals_covered"], summary["goals_total"], "{module}");
        let written = build
            .path(module)
            .join("build/generated/sources/heapwright");
        assert_eq!(files(&written, "java").len(), 1, "{module}");
        assert_eq!(
            summary["tests"],
            build.passing_tests(module, &libraries),
            "{module}"
        );
    }
    let log = build.succeed(&["testClasses"]);
    assert!(log.contains("7 actionable tasks: 7 up-to-date"), "{log}");
}

/// Tests are written for TestNG where the project has it, and compiled by the build.
#[test]
#[ignore = "servers: Gradle"]
fn a_project_with_testng_is_tested() {
    let build = Build::of("single");
    let script = build.path("build.gradle");
    let text_of_script = fs::read_to_string(&script).unwrap();
    let with_testng = text_of_script
        .replace(
            "org.junit.jupiter:junit-jupiter:5.11.4",
            "org.testng:testng:7.10.2",
        )
        .replace("useJUnitPlatform()", "useTestNG()");
    assert_ne!(with_testng, text_of_script);
    fs::write(&script, with_testng).unwrap();
    fs::remove_file(build.path("src/test/java/com/acme/PurseTest.java")).unwrap();
    build.succeed(&[
        "heapwrightGenerate",
        "--classes=com.acme.Turn*",
        "testClasses",
    ]);
    let summary = build.summary("", "heapwrightGenerate/heapwright-generate.json");
    assert_eq!(summary["goals_covered"], summary["goals_total"]);
    let java = compilers()[0].home.join("bin").join("java");
    let paths = ["main", "test"].map(|of| build.path("build/classes/java").join(of));
    let tests = ["com.acme.TurnstileHeapwrightTest".to_owned()];
    let report = run_testng(&java, &paths, &tests);
    assert_eq!(report.succeeded, report.found, "{}", report.output);
    assert_eq!(summary["tests"], report.found);
}

/// Kotlin's classes are tested like Java's, by tests in Java.
#[test]
#[ignore = "servers: Gradle"]
fn a_project_in_kotlin_is_tested() {
    let build = Build::of("kotlin");
    build.succeed(&["heapwrightGenerate", "testClasses"]);
    let summary = build.summary("", "heapwrightGenerate/heapwright-generate.json");
    let classes = ["com.acme.Thermostat", "com.acme.ThermostatKt"];
    assert_eq!(summary["classes"], Value::from(classes.to_vec()));
    let [_, library] = KOTLIN.class_path();
    let libraries = [build.path("build/classes/kotlin/main"), library];
    assert_eq!(summary["tests"], build.passing_tests("", &libraries));
}
