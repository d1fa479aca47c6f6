//! Programs of `benches/svcomp`, which run `heapwright verify` on the tasks of the competition.

use std::path::PathBuf;
use std::process::Command;

use expect_test::expect;
use heapwright_testkit::fixtures::project;
use heapwright_testkit::jdk::compilers;
use heapwright_testkit::python::{Python, interpreter};

use crate::common::{program, sources_of, text};

fn folder() -> PathBuf {
    project().join("benches/svcomp")
}

/// Command with the program and a compiler on its path, apart from the folder of the sources.
fn with_path(mut command: Command) -> Command {
    let program = PathBuf::from(program().get_program());
    let javac = compilers()[0].home.join("bin");
    let path = std::env::var_os("PATH").unwrap_or_default();
    let own = [program.parent().unwrap().to_owned(), javac];
    let all = own.into_iter().chain(std::env::split_paths(&path));
    command.env("PATH", std::env::join_paths(all).unwrap());
    command.env("PYTHONDONTWRITEBYTECODE", "1");
    command
}

#[test]
#[ignore = "servers: Python"]
fn the_table_judges_verdicts_as_the_competition_does() {
    let output = tempfile::tempdir().unwrap();
    let jdk = &compilers()[0].home;
    let measure = |further: &[&str]| {
        let mut command = Command::new(interpreter());
        command.arg(folder().join("svcomp.py"));
        command.arg("--heapwright").arg(program().get_program());
        command
            .arg("--jdk")
            .arg(jdk)
            .arg("--output")
            .arg(output.path());
        command.args(["--seconds", "120"]).args(further);
        command.arg(sources_of("svcomp"));
        with_path(command)
    };
    let table = measure(&["--peer", "guess=echo true"]).output().unwrap();
    assert!(table.status.success(), "{}", text(&table.stderr));
    // Medians are times.
    let printed = text(&table.stdout);
    let lines = printed.lines().map(|line| match line.rfind(" | ") {
        Some(end) if line.ends_with('|') => &line[..end],
        _ => line,
    });
    let lines: Vec<&str> = lines.collect();
    expect![[r#"
        | tool | folder | tasks | right | wrong | score | of
        | --- | --- | ---: | ---: | ---: | ---: | ---:
        | guess | . | 3 | 2 | 1 | -28 | 5
        | guess | all | 3 | 2 | 1 | -28 | 5
        | heapwright | . | 3 | 2 | 1 | -13 | 5
        | heapwright | all | 3 | 2 | 1 | -13 | 5

        Wrong: heapwright says false of claimed

        Wrong: guess says true of fails"#]]
    .assert_eq(&lines.join("\n"));
    // Rows that are there are not run again.
    let again = measure(&["--peer", "guess=false"]).output().unwrap();
    assert_eq!(text(&again.stdout), printed);
}

#[test]
#[ignore = "servers: Python"]
fn a_task_is_compiled_and_has_a_verdict_and_a_witness() {
    let output = tempfile::tempdir().unwrap();
    let witness = output.path().join("witness.graphml");
    let tasks = sources_of("svcomp");
    let task = |name: &str| {
        let mut command = Command::new(interpreter());
        command.arg(folder().join("heapwright-svcomp"));
        command
            .arg("--property")
            .arg(tasks.join("properties/assert_java.prp"));
        command
            .args(["--time-limit", "120s", "--witness"])
            .arg(&witness);
        command.arg(project().join("crates/heapwright-techniques/verifiers"));
        command.arg(tasks.join(name));
        with_path(command).output().unwrap()
    };
    let holds = task("holds");
    assert_eq!(
        text(&holds.stdout).trim(),
        "TRUE",
        "{}",
        text(&holds.stderr)
    );
    let fails = task("fails");
    let printed = text(&fails.stdout);
    assert_eq!(
        printed.lines().last(),
        Some("FALSE"),
        "{}",
        text(&fails.stderr)
    );
    assert!(
        printed.contains(r#""what": "java.lang.AssertionError""#),
        "{printed}"
    );
    assert!(witness.exists());
    // Without a class there is no verdict.
    let none = task("properties");
    assert_eq!(text(&none.stdout).trim(), "UNKNOWN");
    assert!(
        text(&none.stderr).contains("class Main not found"),
        "{none:?}"
    );
}

#[test]
#[ignore = "servers: Python"]
fn the_tool_info_is_one_that_benchexec_accepts() {
    let output = tempfile::tempdir().unwrap();
    let mut written = Vec::new();
    for (name, printed) in [
        ("true", "\nTRUE\n"),
        ("false", "{\n}\nFALSE\n"),
        ("unknown", "\nUNKNOWN\n"),
        ("uncompiled", "UNKNOWN: the sources do not compile\n"),
        ("broken", "Traceback\n"),
    ] {
        let file = output.path().join(name);
        std::fs::write(&file, printed).unwrap();
        written.push(file);
    }
    let python = Python::with(&["benchexec==3.35"]);
    let mut command = with_path(python.command());
    let benches = project().join("benches");
    let paths = [python.packages(), &benches];
    command.env("PYTHONPATH", std::env::join_paths(paths).unwrap());
    command.args(["-m", "benchexec.test_tool_info", "svcomp.heapwright"]);
    command
        .arg("--no-container")
        .arg("--tool-directory")
        .arg(folder());
    command.arg("--tool-output").args(written);
    command
        .arg("--task-definition")
        .arg(sources_of("svcomp").join("holds.yml"));
    command.current_dir(output.path());
    let run = command.output().unwrap();
    assert!(run.status.success(), "{run:?}");
    // The module prints on standard error.
    let printed = text(&run.stderr).replace(output.path().to_str().unwrap(), "OUTPUT");
    let printed = printed.replace(project().to_str().unwrap(), "PROJECT");
    let printed = printed.replace(env!("CARGO_PKG_VERSION"), "VERSION");
    expect![[r#"
        Name of tool module: “svcomp.heapwright”
        Full name of tool module: “svcomp.heapwright”
        Documentation of tool module:
        	Heapwright, by the wrapper that compiles the sources first.
        Name of tool: “Heapwright”
        Executable: “PROJECT/benches/svcomp/heapwright-svcomp”
        WARNING: Path to executable is absolute, this might be problematic in scenarios where runs are distributed to other machines.
        Version: “VERSION”
        Working directory: “.”
        Working directory (absolute path): “OUTPUT”
        Program files:
        	“PROJECT/benches/svcomp/heapwright-svcomp”
        	“PROJECT/benches/svcomp/tasks.py”
        Program files (absolute paths):
        	“PROJECT/benches/svcomp/heapwright-svcomp”
        	“PROJECT/benches/svcomp/tasks.py”
        WARNING: Tool-info module does not support tasks without options, property file, and resource limits: “a task without a property”
        WARNING: Tool-info module does not support tasks with command-line options: “a task without a property”
        Command line with property file:
        	“['PROJECT/benches/svcomp/heapwright-svcomp', '--property', 'PROPERTY.PRP', 'INPUT.FILE']”
        WARNING: Tool-info module does not support tasks with multiple input files: “a task without a property”
        WARNING: Tool-info module does not support tasks with CPU-time limit: “a task without a property”
        Command line SV-Benchmarks task:
        	“['PROJECT/benches/svcomp/heapwright-svcomp', '--property', 'PROPERTY.PRP', '--time-limit', '850s', 'INPUT.FILE']”
        WARNING: Tool-info module does not support task from PROJECT/crates/heapwright/tests/svcomp/holds.yml without property file: “a task without a property”
        Command line for PROJECT/crates/heapwright/tests/svcomp/holds.yml with property PROJECT/crates/heapwright/tests/svcomp/properties/assert_java.prp:
        	“['PROJECT/benches/svcomp/heapwright-svcomp', '--property', 'PROJECT/crates/heapwright/tests/svcomp/properties/assert_java.prp', 'PROJECT/crates/heapwright-techniques/verifiers', 'PROJECT/crates/heapwright/tests/svcomp/holds']”
        Result of analyzing tool output in “OUTPUT/true”:
        	“true”
        Result of analyzing tool output in “OUTPUT/false”:
        	“false”
        Result of analyzing tool output in “OUTPUT/unknown”:
        	“unknown”
        Result of analyzing tool output in “OUTPUT/uncompiled”:
        	“unknown”
        Result of analyzing tool output in “OUTPUT/broken”:
        	“ERROR”
    "#]].assert_eq(&printed);
}
