//! Tests of classes of the JDK: they pass, and are in packages of their own, since JVMs load
//! classes of `java.*` only from the JDK.

use std::path::Path;

use heapwright_testkit::fixtures::{compile, files};
use heapwright_testkit::jdk::{compilers, jdks};
use heapwright_testkit::junit;

use crate::common::program;

/// Verbs with the classes that they write tests of.
const WRITTEN: [(&str, &str, &[&str]); 4] = [
    (
        "paths",
        "java.util.OptionalInt",
        &["-m", "of", "-m", "empty"],
    ),
    (
        "fields",
        "java.util.LinkedList",
        &["--invariant", "isEmpty", "--scope", "1"],
    ),
    (
        "enumerate",
        "java.util.LinkedList",
        &["--invariant", "isEmpty", "--scope", "1", "--prefer-api"],
    ),
    ("sequences", "java.util.OptionalInt", &["-m", "isPresent"]),
];

fn written(verb: &str, class: &str, arguments: &[&str], source: &Path) -> usize {
    let nothing = tempfile::tempdir().unwrap();
    let output = program()
        .args([
            verb,
            "--no-config",
            "--json",
            "--format",
            "junit",
            "-c",
            class,
        ])
        .args(arguments)
        .args(["--jdk", jdks()[0].home.to_str().unwrap(), "-p"])
        .arg(nothing.path())
        .arg("-o")
        .arg(source)
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(0), "{verb}: {output:?}");
    let summary: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    summary["tests"].as_u64().unwrap() as usize
}

#[test]
fn tests_of_them_pass() {
    for (verb, class, arguments) in WRITTEN {
        let folder = tempfile::tempdir().unwrap();
        let (source, built) = (folder.path().join("source"), folder.path().join("built"));
        let tests = written(verb, class, arguments, &source);
        assert!(tests > 0, "{verb}");
        let sources = files(&source, "java");
        for file in &sources {
            let below = file.strip_prefix(&source).unwrap();
            assert!(
                below.starts_with("heapwright/java/util"),
                "{verb}: {below:?}"
            );
        }
        let class_path = [junit::jars().console];
        let options = ["-Xlint:all", "-Werror", "--release", "17"];
        compile(&compilers()[0], &sources, &class_path, &built, &options);
        for jdk in jdks() {
            let java = jdk.home.join("bin/java");
            let report = junit::run_console(&java, std::slice::from_ref(&built));
            let counts = (report.found, report.succeeded);
            assert_eq!(counts, (tests, tests), "{verb}: {}", report.output);
        }
    }
}
