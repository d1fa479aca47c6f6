//! `heapwright verify FILE.jpf`: requests in the form of Java PathFinder's settings.

use std::fs;
use std::path::PathBuf;

use expect_test::{Expect, expect};
use heapwright_testkit::fixtures::without_seconds;
use heapwright_testkit::jdk::jdks;
use heapwright_testkit::verified::assert_throws;
use tempfile::TempDir;

use crate::common::{program, summary_of, text};
use crate::verify::classes;

/// Folder with a file.
fn jpf(settings: &str) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("none")).unwrap();
    let file = folder.path().join("speed.jpf");
    fs::write(&file, settings).unwrap();
    (folder, file)
}

/// Settings of the class `Speed`, with the class path of the fixtures.
fn speed(further: &str) -> String {
    let classes = classes();
    format!("target = verify.Speed\nclasspath = ${{config_path}}/none;{classes}\n{further}")
}

fn run(settings: &str, options: &[&str]) -> std::process::Output {
    let (folder, _file) = jpf(settings);
    program()
        .current_dir(folder.path())
        .args(["verify", "--jdk", jdks()[0].home.to_str().unwrap()])
        .args(options)
        .arg("speed.jpf")
        .output()
        .unwrap()
}

fn prints(settings: &str, options: &[&str], status: i32, expected: &Expect) {
    let output = run(settings, options);
    let err = text(&output.stderr);
    expected.assert_eq(&without_seconds(&format!("{}{err}", text(&output.stdout))));
    assert_eq!(output.status.code(), Some(status), "{err}");
}

#[test]
fn arguments_of_a_method_are_inputs_and_others_are_as_passed() {
    let settings = speed(
        "symbolic.method = verify.Speed.check(sym#con)\n\
         symbolic.min_int = 0\nsymbolic.max_int = 300\n\
         listener = gov.nasa.jpf.symbc.SymbolicListener\nvm.storage.class = nil\n",
    );
    prints(
        &settings,
        &[],
        1,
        &expect![[r#"
            false: no-exception
              java.lang.IllegalStateException: too fast
                at verify.Speed.check(int, int):10
                at verify.Speed.main(java.lang.String[]):51
              speed = 137 at verify.Speed.check(int, int):9
            2 paths in 1 search; … s
            heapwright: speed.jpf: without effect here: listener, vm.storage.class
            heapwright: speed.jpf: inputs are within symbolic.max_int, symbolic.min_int"#]],
    );
    let summary = summary_of(&run(&settings, &["--json"]));
    assert_eq!(summary["violation"]["inputs"][0]["value"], 137, "{summary}");
    assert_throws("verify.Speed.check(137, 60)", "IllegalStateException");
}

#[test]
fn ranges_bound_the_inputs() {
    let method = "symbolic.method = verify.Speed.check(sym#con)\n";
    let settings = speed(&format!("{method}symbolic.max_int = 136\n"));
    prints(
        &settings,
        &[],
        0,
        &expect![[r#"
        true: no-exception
        1 path in 1 search; … s
        heapwright: speed.jpf: inputs are within symbolic.max_int"#]],
    );
    let settings = speed(&format!("{method}symbolic.max_int_speed = 136\n"));
    assert_eq!(summary_of(&run(&settings, &["--json"]))["verdict"], "true");
    let settings = speed(&format!("{method}symbolic.max_int_allowed = 136\n"));
    assert_eq!(summary_of(&run(&settings, &["--json"]))["verdict"], "false");
}

#[test]
fn arguments_of_every_type_are_inputs() {
    let settings = speed(
        "symbolic.method = verify.Speed.add(sym#sym#sym#sym#sym#sym#sym#sym)\n\
         symbolic.max_double = 1.7\n",
    );
    let summary = summary_of(&run(&settings, &["--json"]));
    assert_eq!(summary["verdict"], "false", "{summary}");
    let inputs = summary["violation"]["inputs"].as_array().unwrap();
    let values: Vec<String> = inputs
        .iter()
        .map(|input| format!("{} {}", input["name"], input["value"]))
        .collect();
    expect![[r#"
        "amount" 5
        "factor" 1.5000000000000002
        "label" "kmh"
        "isOn" true
        "unit" 107
        "lane" -2
        "count" 300
        "share" 0.25"#]]
    .assert_eq(&values.join("\n"));
}

#[test]
fn an_argument_is_an_input_once_a_call() {
    let settings = speed(
        "symbolic.method = verify.Speed.brake(sym)\n\
         symbolic.min_int = 0\nsymbolic.max_int = 255\n",
    );
    let violation = summary_of(&run(&settings, &["--json"]))["violation"].take();
    let inputs = violation["inputs"].as_array().unwrap();
    assert_eq!(inputs.len(), 1, "{violation}");
    assert_eq!(inputs[0]["line"], 28, "{violation}");
    let speed_now = inputs[0]["value"].as_i64().unwrap();
    assert_throws(
        &format!("verify.Speed.brake({speed_now})"),
        "IllegalStateException",
    );

    let settings = speed(
        "symbolic.method = verify.Speed.brake(sym), verify.Speed.gear(sym)\n\
         symbolic.min_int = 0\nsymbolic.max_int = 200\n",
    );
    let violation = summary_of(&run(&settings, &["--json"]))["violation"].take();
    let values: Vec<_> = violation["inputs"].as_array().unwrap().iter().collect();
    assert_eq!(values.len(), 2, "{violation}");
    assert_eq!(values[1]["value"], 3, "{violation}");
    assert_throws("verify.Speed.gear(3)", "IllegalStateException");
}

#[test]
fn arguments_come_from_the_file_or_the_command_line() {
    let check = "symbolic.method = verify.Speed.check(sym#con)\n";
    let settings = speed(&format!("{check}target.args = 20\n"));
    let summary = summary_of(&run(&settings, &["--json"]));
    assert_eq!(summary["violation"]["inputs"][0]["value"], 97, "{summary}");
    let (folder, _file) = jpf(&settings);
    let output = program()
        .current_dir(folder.path())
        .args([
            "verify",
            "--json",
            "--jdk",
            jdks()[0].home.to_str().unwrap(),
        ])
        .args(["speed.jpf", "30"])
        .output()
        .unwrap();
    let summary = summary_of(&output);
    assert_eq!(summary["violation"]["inputs"][0]["value"], 107, "{summary}");
}

#[test]
fn nothing_is_symbolic_without_settings() {
    prints(
        &speed(""),
        &[],
        0,
        &expect![[r#"
        true: no-exception
        1 path in 1 search; … s"#]],
    );
}

#[test]
fn wrong_files_are_named() {
    for (settings, parts) in [
        (
            "classpath = .\n".to_owned(),
            &["speed.jpf", "no target"][..],
        ),
        (
            speed("symbolic.method = verify.Speed.none(sym)\n"),
            &["verify.Speed", "none"],
        ),
        (
            speed("symbolic.method = verify.Speed.check(sym)\n"),
            &["check", "1 parameter"],
        ),
        (
            speed("symbolic.method = verify.None.check(sym)\n"),
            &["verify.None"],
        ),
        (
            speed("symbolic.method = verify.Speed.firstOf(sym)\n"),
            &["verify.Speed.firstOf(int[])", "cannot be symbolic"],
        ),
        (
            "target = verify.Speed\nclasspath = ${jpf-symbc}/build\n".to_owned(),
            &["speed.jpf", "${jpf-symbc}", "-p"],
        ),
    ] {
        let output = run(&settings, &[]);
        let err = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{settings}: {err}");
        for part in parts {
            assert!(err.contains(part), "{part:?} is not in {err:?}");
        }
    }
    let output = program().args(["verify", "none.jpf"]).output().unwrap();
    assert!(text(&output.stderr).contains("none.jpf"), "{output:?}");
    assert_eq!(output.status.code(), Some(2));
}
