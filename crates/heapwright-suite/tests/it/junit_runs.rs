//! Generated tests, compiled with `-Xlint:all -Werror` and run by JUnit on every JDK found.

use std::fs;
use std::path::{Path, PathBuf};

use heapwright_suite::junit::{
    AssertionLibrary, FileKind, JunitOptions, JunitOutput, JunitVersion, write_junit,
};
use heapwright_suite::{CallOutcome, Suite, Value};
use heapwright_testkit::fixtures::{Fixture, compile};
use heapwright_testkit::jdk::{Jdk, compilers, jdks, repeat_on_others};
use heapwright_testkit::junit::{
    LauncherReport, assertj, jars, run_console, run_console_with, run_testng, testng,
};

use crate::{labels, model, scripts, siblings, suites};

/// Compiles with all warnings as errors.
fn javac(jdk: &Jdk, release: u32, classpath: &[PathBuf], classes: &Path, sources: &[PathBuf]) {
    let release = release.to_string();
    let options = ["-Xlint:all", "-Werror", "--release", &release];
    compile(jdk, sources, classpath, classes, &options);
}

/// Classes under test of the suites.
fn classes(compiler: &Jdk) -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/java");
    let sources = [
        "shelf/SearchTree",
        "shelf/Ring",
        "shelf/Base",
        "shelf/Int",
        "shelf/Field",
        "shelf/Depot",
        "shelf/deep/Tag",
        "HeapArray",
    ];
    let strict = Fixture::new(&["-Xlint:all", "-Werror", "--release", "17"]).by(compiler);
    let sources = sources.map(|name| root.join(format!("{name}.java")));
    sources.into_iter().fold(strict, Fixture::file).classes()
}

/// Writes, compiles and runs suites together on a JDK.
fn run(jdk: &Jdk, outputs: &[JunitOutput]) -> LauncherReport {
    let built = build(jdk, outputs, &[]);
    run_console(
        &jdk.home.join("bin/java"),
        &[built.test.clone(), built.main.clone()],
    )
}

/// Compiled suites.
struct BuiltSuites {
    /// Holds the folder of the tests.
    _folder: tempfile::TempDir,
    test: PathBuf,
    main: PathBuf,
}

/// Writes and compiles suites together, with further libraries.
fn build(jdk: &Jdk, outputs: &[JunitOutput], libraries: &[PathBuf]) -> BuiltSuites {
    // A runtime without a compiler runs the output of the oldest compiler.
    let compiler = if jdk.has_compiler() {
        jdk
    } else {
        &compilers()[0]
    };
    let folder = tempfile::tempdir().unwrap();
    let main = classes(compiler);
    let test = folder.path().join("test");
    fs::create_dir_all(&test).unwrap();
    let mut sources = Vec::new();
    for file in outputs.iter().flat_map(|output| &output.files) {
        assert!(file.contents.is_ascii(), "{}", file.path);
        let root = match file.kind {
            FileKind::Source => folder.path().join("source"),
            FileKind::Resource => test.clone(),
        };
        let path = root.join(&file.path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, &file.contents).unwrap();
        if file.kind == FileKind::Source {
            sources.push(path);
        }
    }
    let jars = jars();
    let own = [main.clone(), jars.console, jars.junit4, jars.hamcrest];
    let classpath = [&own[..], libraries].concat();
    // For the oldest release, and for the newest, which may have other warnings.
    if compiler.feature > 17 {
        javac(compiler, compiler.feature, &classpath, &test, &sources);
    }
    javac(compiler, 17, &classpath, &test, &sources);
    BuiltSuites {
        _folder: folder,
        test,
        main,
    }
}

fn all_suites() -> Vec<Suite> {
    vec![
        suites::search_tree(),
        suites::ring(),
        suites::heap_array(),
        suites::everything(),
        suites::nested(),
        suites::shadowing(),
        suites::unnamed(),
        suites::literals(),
        labels::labelled(),
        suites::constructors(),
        scripts::all(),
        scripts::many(),
        siblings::all(),
    ]
}

/// Writes each suite as methods and as data, for one JUnit version.
fn write_all(version: JunitVersion, assertions: AssertionLibrary) -> Vec<JunitOutput> {
    let mut outputs = Vec::new();
    let number = match version {
        JunitVersion::Four => 4,
        JunitVersion::Five => 5,
        JunitVersion::TestNg => 7,
    };
    let large = [
        suites::many_search_trees(),
        suites::huge_heap_array(),
        suites::bulky(),
        suites::many_constants(),
    ];
    for (index, suite) in all_suites().iter().chain(&large).enumerate() {
        for (form, limit) in [("Methods", 1000), ("Data", 0)] {
            let options = JunitOptions {
                version,
                assertions,
                test_class: Some(format!("Case{index}{form}{number}Test")),
                package: None,
                max_structures_in_source: limit,
                max_methods_per_class: 40,
                ..JunitOptions::default()
            };
            let output = write_junit(suite, &options).unwrap();
            assert_eq!(output.skipped, []);
            outputs.push(output);
        }
    }
    outputs
}

#[test]
#[ignore = "long"]
fn generated_tests_pass() {
    let outputs: Vec<JunitOutput> = [JunitVersion::Five, JunitVersion::Four]
        .into_iter()
        .flat_map(|version| write_all(version, AssertionLibrary::Framework))
        .collect();
    let expected: usize = outputs.iter().map(|output| output.tests()).sum();
    for output in &outputs {
        for method in &output.methods {
            let text = &output.files[method.file].contents;
            let lines: Vec<&str> = text.lines().collect();
            let own = &lines[method.lines.start - 1..method.lines.end - 1];
            let heads = own
                .iter()
                .filter(|line| line.contains(&format!(" void {}(", method.name)));
            assert_eq!(
                (heads.count(), own[0].trim_start().starts_with('@')),
                (1, true),
                "{method:?}"
            );
        }
    }
    let report = run(&jdks()[0], &outputs);
    assert_eq!(
        (report.found, report.succeeded, report.failed),
        (expected, expected, 0),
        "{}",
        report.output
    );
    assert!(!report.output.contains("WARNING"), "{}", report.output);
}

#[test]
#[ignore = "servers: a second JDK"]
fn generated_tests_pass_on_other_jdks() {
    repeat_on_others(&["junit_runs::generated_tests_pass"]);
}

#[test]
#[ignore = "long"]
fn assertions_of_assertj_pass() {
    let jdk = compilers().into_iter().next().expect("a JDK is installed");
    let outputs: Vec<JunitOutput> = [JunitVersion::Five, JunitVersion::Four]
        .into_iter()
        .flat_map(|version| write_all(version, AssertionLibrary::AssertJ))
        .collect();
    let built = build(&jdk, &outputs, &assertj());
    let further = [assertj(), vec![built.main.clone()]].concat();
    let java = jdk.home.join("bin/java");
    let report = run_console_with(&java, std::slice::from_ref(&built.test), &further);
    let expected: usize = outputs.iter().map(JunitOutput::tests).sum();
    assert_eq!(
        (report.found, report.succeeded),
        (expected, expected),
        "{}",
        report.output
    );
}

#[test]
#[ignore = "long"]
fn tests_for_testng_pass() {
    let jdk = compilers().into_iter().next().expect("a JDK is installed");
    let outputs = write_all(JunitVersion::TestNg, AssertionLibrary::Framework);
    let built = build(&jdk, &outputs, &testng());
    let files = outputs.iter().flat_map(|output| &output.files);
    let sources = files.filter(|file| file.kind == FileKind::Source);
    let classes = sources.map(|file| file.path.trim_end_matches(".java").replace('/', "."));
    let classes: Vec<String> = classes.collect();
    let class_path = [built.test.clone(), built.main.clone()];
    let report = run_testng(&jdk.home.join("bin/java"), &class_path, &classes);
    let expected: usize = outputs.iter().map(JunitOutput::tests).sum();
    assert_eq!(
        (report.found, report.succeeded, report.failed),
        (expected, expected, 0),
        "{}",
        report.output
    );
}

/// Each wrong expectation, in each form, makes exactly one test fail.
#[test]
fn wrong_expectations_fail() {
    let jdk = compilers().into_iter().next().expect("a JDK is installed");
    let wrong: [fn(&mut Suite); 5] = [
        // Another result.
        |suite| suite.cases[1].calls[0].outcome = model::returns(Value::Boolean(false)),
        // No exception where one is thrown.
        |suite| suite.cases[0].calls[2].outcome = model::returns(Value::Int(0)),
        // An exception where none is thrown.
        |suite| suite.cases[1].calls[2].outcome = model::throws("java.lang.IllegalStateException"),
        // Another exception.
        |suite| {
            suite.cases[0].calls[2].outcome = CallOutcome::Threw {
                class: model::hidden("shelf.SearchTree$Empty"),
                refuses: false,
            }
        },
        // The invariant afterwards.
        |suite| suite.cases[2].calls[0].invariant_holds_after = false,
    ];
    let mut outputs = Vec::new();
    for (index, spoil) in wrong.iter().enumerate() {
        for (version, number) in [(JunitVersion::Five, 5), (JunitVersion::Four, 4)] {
            for (form, limit) in [("Methods", 50), ("Data", 0)] {
                let mut suite = suites::search_tree();
                spoil(&mut suite);
                let options = JunitOptions {
                    version,
                    test_class: Some(format!("Wrong{index}{form}{number}Test")),
                    max_structures_in_source: limit,
                    ..JunitOptions::default()
                };
                outputs.push(write_junit(&suite, &options).unwrap());
            }
        }
    }
    for (index, suite) in scripts::wrong().iter().enumerate() {
        for (version, number) in [(JunitVersion::Five, 5), (JunitVersion::Four, 4)] {
            let options = JunitOptions {
                version,
                test_class: Some(format!("WrongScript{index}For{number}Test")),
                ..JunitOptions::default()
            };
            outputs.push(write_junit(suite, &options).unwrap());
        }
    }
    let tests: usize = outputs.iter().map(|output| output.tests()).sum();
    let report = run(&jdk, &outputs);
    assert_eq!(
        (report.found, report.succeeded, report.failed),
        (tests, tests - outputs.len(), outputs.len()),
        "{}",
        report.output
    );
}
