//! Tests with mocks: on the engine, each release of Mockito does what it does on a JVM.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::process::Command;

use heapwright_testkit::fixtures::{Fixture, project};
use heapwright_testkit::jars::resolved;
use heapwright_testkit::jdk::compilers;
use heapwright_testkit::junit::{self, join};
use serde_json::Value;

use crate::common::{program, summary_of};

/// What a test is called without its class and parameters.
fn method(test: &str) -> String {
    let name = test.split('(').next().unwrap_or(test);
    name.rsplit('.').next().unwrap_or(name).to_owned()
}

/// Runs the tests in some folders on a JVM and by `measure`, with libraries by their coordinates; returns what `measure`
/// reports. The same tests fail.
fn agree(libraries: &[&str], folders: &[&str]) -> Value {
    let classes = Fixture::new(&["-g", "-nowarn"]).package("mocked").classes();
    let mut jars: Vec<PathBuf> = libraries
        .iter()
        .flat_map(|library| resolved(library))
        .collect();
    jars.dedup();
    let junit = junit::jars();
    let mut tests = Fixture::new(&["-g", "-nowarn", "-Xlint:none"]).against(&classes);
    for jar in jars.iter().chain([&junit.console, &junit.junit4]) {
        tests = tests.against(jar);
    }
    for folder in folders {
        tests = tests.folder(&project().join("fixtures/tests/mocked").join(folder));
    }
    let tests = tests.classes();

    let mut java = Command::new(compilers()[0].home.join("bin/java"));
    // Release 1 defines classes by reflection.
    java.arg("--add-opens=java.base/java.lang=ALL-UNNAMED");
    let whole: Vec<PathBuf> = [tests.clone(), classes.clone()]
        .into_iter()
        .chain(jars)
        .collect();
    let selection = ["--scan-classpath".into(), tests.clone().into_os_string()];
    let report = junit::launch(java, &whole, &selection);
    let lines = report
        .output
        .lines()
        .filter(|line| line.contains("MethodSource ["));
    let named = lines.filter_map(|line| line.split("methodName = '").nth(1)?.split('\'').next());
    let on_jvm: BTreeSet<String> = named.map(str::to_owned).collect();
    assert!(report.succeeded >= 30, "{}", report.output);

    let path = [vec![junit.console, junit.junit4, junit.hamcrest], whole].concat();
    let mut measure = program();
    measure
        .args(["measure", "--no-config", "--json", "-p"])
        .arg(join(&path));
    for class in ["Car", "Garage", "Greeter", "Mailer", "Times"] {
        measure.args(["-c", &format!("mocked.{class}")]);
    }
    measure
        .arg("--jdk")
        .arg(&compilers()[0].home)
        .arg("--tests")
        .arg(tests);
    let output = measure.output().unwrap();
    let summary = summary_of(&output);
    let of = |key: &str| summary[key].as_array().unwrap().clone();
    let failing = of("failing").into_iter().chain(of("skipped"));
    let here: BTreeSet<String> = failing
        .map(|test| method(test["test"].as_str().unwrap()))
        .collect();
    assert_eq!(here, on_jvm, "{summary:#}\n{}", report.output);
    assert_eq!(summary["tests_passed"], report.succeeded, "{summary:#}");
    summary
}

#[test]
#[ignore = "servers: Maven Central"]
fn release_1() {
    agree(&["org.mockito:mockito-core:1.10.19"], &["basic"]);
}

#[test]
#[ignore = "servers: Maven Central"]
fn release_2() {
    // Of that release's own Byte Buddy, no class file of Java 17 is read.
    let libraries = [
        "net.bytebuddy:byte-buddy:1.11.13",
        "net.bytebuddy:byte-buddy-agent:1.11.13",
        "org.mockito:mockito-junit-jupiter:2.28.2",
    ];
    agree(&libraries, &["basic", "newer", "jupiter"]);
}

#[test]
#[ignore = "servers: Maven Central"]
fn release_3() {
    let subclass = ["org.mockito:mockito-junit-jupiter:3.12.4"];
    agree(&subclass, &["basic", "newer", "jupiter"]);
    let inline = ["org.mockito:mockito-inline:3.12.4", subclass[0]];
    agree(&inline, &["basic", "newer", "inline", "jupiter"]);
}

#[test]
#[ignore = "servers: Maven Central"]
fn release_4() {
    let subclass = ["org.mockito:mockito-junit-jupiter:4.11.0"];
    agree(&subclass, &["basic", "newer", "jupiter"]);
    let inline = ["org.mockito:mockito-inline:4.11.0", subclass[0]];
    agree(&inline, &["basic", "newer", "inline", "jupiter"]);
}

#[test]
#[ignore = "servers: Maven Central"]
fn release_5() {
    let libraries = ["org.mockito:mockito-junit-jupiter:5.14.2"];
    let summary = agree(
        &libraries,
        &["basic", "newer", "inline", "jupiter", "records"],
    );
    assert_eq!(summary["failing"], serde_json::json!([]), "{summary:#}");
    // The others: bounds that no test has, objects that are equal to themselves, and results of what is mocked.
    assert_eq!(
        (&summary["killed"], &summary["mutants"]),
        (&24.into(), &35.into()),
        "{summary:#}"
    );
}
