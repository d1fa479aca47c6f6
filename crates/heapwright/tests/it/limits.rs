//! Limits hold and nothing is fatal: limits of time and memory, signals, unread output, file names
//! that are not valid Unicode.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use heapwright_testkit::fixtures::{Fixture, without_seconds};
use heapwright_testkit::jdk::jdks;

#[cfg(target_os = "linux")]
use crate::common::wait_for_work;
use crate::common::{
    has_ended_by_itself, in_time, program, waited_for_processor, with_enough_time,
};

/// Tolerance of a time limit.
const LATE: Duration = Duration::from_secs(2);
/// Time to end after a signal.
const SOON: Duration = Duration::from_millis(1_500);

const LOOPING: &str = "
public class Looping {
    int x;
    static int y = never();
    static int never() { while (true) { } }
    public boolean repOK() { return x >= y; }
    public int act(int z) { return x + z; }
}
";

/// A class with more structures than a search can enumerate.
const VAST: &str = "
public class Vast {
    int a, b, c, d;
    Vast next, other;
    public boolean repOK() { return (a * 31 + b * 17 + c * 7 + d) % 3 != 1; }
}
";

const EATER: &str = "
public class Eater {
    int x;
    public boolean repOK() {
        Object[] all = null;
        while (x == 1) all = new Object[] {all, new int[1000]};
        return true;
    }
}
";

/// A class with many hard solver queries.
fn hard() -> String {
    let mut text = "public class Hard {\n    long s;\n".to_owned();
    for n in 0..80 {
        let _ = writeln!(
            text,
            "    public int f{n}(long a, long b, long c) {{\n        \
                 if (a * b * c == 1{n}123456789123L && a * a + b * b == c * 1{n}7L + s) return 1;\n        \
                 s = a * b;\n        return 0;\n    }}"
        );
    }
    text + "}\n"
}

/// Classes of 501 methods, each of which leads to the next class.
fn wide() -> String {
    let mut text = "public class Wide {\n    public void take(Far0 far) { }\n}\n".to_owned();
    for n in 0..14 {
        let _ = writeln!(
            text,
            "class Far{n} {{\n    public void next(Far{} far) {{ }}",
            n + 1
        );
        for method in 0..499 {
            let _ = writeln!(text, "    public int m{method}(int x) {{ return x; }}");
        }
        text += "}\n";
    }
    text + "class Far14 { }\n"
}

/// A class whose methods have more combinations of arguments than fit into memory.
fn many() -> String {
    let mut text = "public class Many {\n    int v;\n".to_owned();
    for ty in ["Many", "Object", "int"] {
        let parameters: Vec<String> = (0..22).map(|n| format!("{ty} p{n}")).collect();
        let _ = writeln!(
            text,
            "    public boolean of{}({}) {{ return p0 == p1; }}",
            ty.to_lowercase(),
            parameters.join(", ")
        );
    }
    text + "    public int one(int x) { return x < v ? x : v; }\n}\n"
}

fn classes() -> &'static Path {
    static CLASSES: OnceLock<PathBuf> = OnceLock::new();
    CLASSES.get_or_init(|| {
        Fixture::new(&["-g"])
            .text("Looping", LOOPING)
            .text("Vast", VAST)
            .text("Eater", EATER)
            .text("Hard", &hard())
            .text("Wide", &wide())
            .text("Many", &many())
            .classes()
    })
}

fn heapwright(arguments: &[&str]) -> Command {
    let mut command = program();
    command.args(arguments).args(["--no-config", "--jdk"]);
    command.arg(&jdks()[0].home).arg("-p").arg(classes());
    command
}

/// Time of a limit in milliseconds.
fn time(limit: &str) -> Duration {
    let milliseconds = limit.strip_suffix("ms").unwrap();
    Duration::from_millis(milliseconds.parse().unwrap())
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

#[test]
fn a_static_initializer_that_never_ends_is_named() {
    let verbs: [&[&str]; 5] = [
        &["sequences"],
        &["paths"],
        &["enumerate", "--scope", "2"],
        &["check", "--scope", "2"],
        &["enumerate", "--from", "api", "--scope", "2"],
    ];
    for verb in verbs {
        let run = |limit: &str| {
            let mut command =
                heapwright(&[verb, &["-c", "Looping", "--time-limit", limit]].concat());
            in_time(&mut command, time(limit) + LATE)
        };
        // A machine may be too slow to come to the limit of instructions.
        let is_refused = |output: &Output| output.status.code() == Some(2);
        let output = with_enough_time(2_000, run, is_refused);
        assert_eq!(output.status.code(), Some(2), "{verb:?}: {output:?}");
        let error = text(&output.stderr);
        let reason = "Looping.<clinit>(): the limit of instructions in one run was reached";
        assert!(error.contains(reason), "{verb:?}: {error}");
    }
}

#[test]
fn a_time_limit_holds() {
    let verbs: [&[&str]; 3] = [
        &[
            "enumerate",
            "-c",
            "Vast",
            "--scope",
            "6",
            "--search",
            "korat",
        ],
        &["check", "-c", "Vast", "--scope", "6"],
        &["sequences", "-c", "Hard"],
    ];
    for verb in verbs {
        let out = tempfile::tempdir().unwrap();
        let run = |limit: &str| {
            let mut command = heapwright(&[verb, &["--time-limit", limit]].concat());
            if verb[0] == "sequences" {
                command.arg("-o").arg(out.path());
            }
            in_time(&mut command, time(limit) + LATE)
        };
        let output = with_enough_time(1_000, run, has_ended_by_itself);
        assert_eq!(output.status.code(), Some(3), "{verb:?}: {output:?}");
        let said = text(&output.stdout) + &text(&output.stderr);
        assert!(said.contains("by --time-limit"), "{verb:?}: {said}");
    }
}

#[test]
fn a_limit_before_anything_ran_is_told() {
    for verb in ["sequences", "paths"] {
        let run = |limit: &str| {
            let mut command = heapwright(&[verb, "-c", "Hard", "--time-limit", limit, "--json"]);
            in_time(&mut command, time(limit) + LATE)
        };
        let output = with_enough_time(1, run, has_ended_by_itself);
        assert_eq!(output.status.code(), Some(3), "{verb}: {output:?}");
        let said = text(&output.stderr);
        assert!(
            said.contains("stopped by --time-limit before anything ran"),
            "{verb}: {said}"
        );
        let summary: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(summary["status"], "stopped", "{verb}: {summary}");
        assert_eq!(summary["stopped_by"], "--time-limit", "{verb}: {summary}");
    }
}

/// A class file that nobody writes holds up whoever reads it.
#[cfg(unix)]
#[test]
#[ignore = "long"]
fn a_verdict_is_printed_even_where_nothing_looks_at_the_limit() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("Held.class");
    nix::unistd::mkfifo(&file, nix::sys::stat::Mode::S_IRWXU).unwrap();
    let verify = |further: &[&str]| {
        let mut command = program();
        command.args(["verify", "--time-limit", "500ms", "--jdk"]);
        command.arg(&jdks()[0].home).arg("-p").arg(folder.path());
        let output = command.args(further).arg("Held").output().unwrap();
        assert_eq!(output.status.code(), Some(3), "{output:?}");
        let said = text(&output.stderr);
        assert!(said.contains("ended by --time-limit while"), "{said}");
        text(&output.stdout)
    };
    assert_eq!(
        without_seconds(&verify(&[])),
        "unknown: assertions; stopped by --time-limit\n0 paths in 0 searches; … s"
    );
    let summary: serde_json::Value = serde_json::from_str(&verify(&["--json"])).unwrap();
    assert_eq!(summary["verdict"], "unknown", "{summary}");
    assert_eq!(summary["status"], "stopped", "{summary}");
    assert_eq!(summary["stopped_by"], "--time-limit", "{summary}");
}

#[test]
fn parameters_lead_so_far_and_no_further() {
    let of = |class: &str| {
        let output = heapwright(&["sequences", "--print-analysis", "-c", class]).output();
        let output = output.unwrap();
        assert_eq!(output.status.code(), Some(0), "{class}: {output:?}");
        (text(&output.stdout), text(&output.stderr))
    };
    // The first twelve classes have 6,012 methods, constructors included.
    let (analysis, said) = of("Wide");
    assert!(
        said.contains(
            "sequences are made of Wide and the 12 classes nearest to it alone: parameters lead to further \
             ones, 1 next, which --system adds"
        ),
        "{said}"
    );
    assert!(analysis.contains("Far11.m0(int)") && !analysis.contains("Far12.m0(int)"));
    let (analysis, said) = of("Far11");
    assert!(!said.contains("nearest"), "{said}");
    assert!(analysis.contains("Far13.m0(int)"));
}

#[test]
fn each_of_several_classes_has_its_time() {
    let arguments = ["sequences", "-c", "Hard", "-c", "Vast"];
    let run = |limit: &str| {
        let mut command = heapwright(&arguments);
        command.args(["--time-per-class", limit, "--json"]);
        in_time(&mut command, 2 * time(limit) + LATE)
    };
    // The second has time enough on a machine that is not too slow.
    let is_second_done = |output: &Output| {
        let summary: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap_or_default();
        let classes = summary["by_class"].as_array();
        classes.is_some_and(|classes| classes[1]["stopped_by"].is_null())
    };
    let output = with_enough_time(1_000, run, is_second_done);
    assert_eq!(output.status.code(), Some(3), "{output:?}");
    let summary: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let classes = summary["by_class"].as_array().unwrap();
    let stopped: Vec<&serde_json::Value> =
        classes.iter().map(|class| &class["stopped_by"]).collect();
    assert_eq!(stopped[0], "--time-per-class");
    assert!(stopped[1].is_null(), "{summary}");
    assert_eq!(summary["faults"], serde_json::json!([]));
}

#[cfg(target_os = "linux")]
#[test]
fn a_signal_ends_a_run_the_first_time() {
    let searches: [&[&str]; 2] = [
        &[
            "enumerate",
            "-c",
            "Vast",
            "--scope",
            "6",
            "--search",
            "korat",
            "--format",
            "jsonl",
        ],
        &["sequences", "-c", "Hard"],
    ];
    for search in searches {
        for signal in ["-TERM", "-INT"] {
            let out = tempfile::tempdir().unwrap();
            let mut command = heapwright(search);
            command.arg("-o").arg(out.path().join("found"));
            command.stdout(Stdio::piped()).stderr(Stdio::piped());
            let mut child = command.spawn().unwrap();
            wait_for_work(child.id(), 50);
            let id = child.id().to_string();
            let sent = Command::new("kill").arg(signal).arg(id).status();
            assert!(sent.unwrap().success());
            let code = wait(&mut child, SOON);
            assert_eq!(code, Some(3), "{search:?} {signal}");
            let left = fs::read_dir(out.path()).unwrap().flatten();
            let mut left = left.map(|entry| entry.file_name());
            assert!(
                !left.any(|name| name.to_string_lossy().starts_with(".heapwright-")),
                "{search:?}"
            );
        }
    }
}

/// Exit code of a process that ends in time. The time that its threads wait for a processor does not count.
fn wait(child: &mut Child, most: Duration) -> Option<i32> {
    let start = Instant::now();
    let before = waited_for_processor(child.id());
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            return status.code();
        }
        let waited = waited_for_processor(child.id()).saturating_sub(before);
        if start.elapsed() > most + waited {
            child.kill().unwrap();
            panic!("it goes on");
        }
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn the_memory_of_the_process_is_bounded() {
    let mut command = heapwright(&["enumerate", "-c", "Eater", "--scope", "2", "--json"]);
    command.args(["--max-memory", "300m"]);
    let output = command.output().unwrap();
    assert_eq!(output.status.code(), Some(3), "{output:?}");
    let summary: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(
        (&summary["status"], &summary["refused"]),
        (&"partial".into(), &1.into())
    );
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("(--max-memory)"), "{said}");
    if let Some(peak) = summary["peak_memory_bytes"].as_u64() {
        assert!(peak <= (300 << 20) / 10 * 11, "{peak}");
    }
}

#[test]
fn more_combinations_of_arguments_than_fit_are_left_out_and_told() {
    let out = tempfile::tempdir().unwrap();
    let folder = out.path().to_str().unwrap();
    let scope = ["--scope", "3", "--invariant", "none"];
    let junit = ["--format", "junit", "--junit-check", "none", "-o", folder];
    let fifty = ["--max-tests", "50"];
    let verbs: [(&[&[&str]], &[&str]); 4] = [
        (
            &[&["check"], &scope],
            &["is not called: its parameters have more than 47662 combinations of values"],
        ),
        (
            &[&["enumerate"], &scope, &junit, &fifty],
            &[
                "calls are in no test: of each method no more than 4,096 are made on a structure",
                "are not written: --max-tests 50 has no room for them",
            ],
        ),
        (
            &[&["enumerate", "--from", "api", "--scope", "3"]],
            &["is not called: its parameters have more than 16777216 combinations of values"],
        ),
        (&[&["sequences"], &junit], &[]),
    ];
    for (verb, told) in verbs {
        let mut command = heapwright(&verb.concat());
        command.args(["-c", "Many", "--json", "--max-memory", "300m"]);
        let output = command.output().unwrap();
        let said = text(&output.stderr);
        for told in told {
            assert!(said.contains(told), "{verb:?}: {said}");
        }
        let summary: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        if let Some(peak) = summary["peak_memory_bytes"].as_u64() {
            assert!(peak <= (300 << 20) / 10 * 11, "{verb:?}: {peak}");
        }
        match verb[0][0] {
            "sequences" => {
                // Both sides of the comparison of the first two parameters, and of the plain
                // method's branch.
                assert!(summary["tests"].as_u64() >= Some(6), "{summary}");
                // All that is left is covered whatever was not tried.
                assert_eq!(summary["status"], "complete", "{summary}");
            }
            _ if verb.contains(&&fifty[..]) => assert_eq!(summary["tests"], 50, "{summary}"),
            _ => assert!(summary["stopped_by"].is_null(), "{verb:?}: {summary}"),
        }
    }
}

#[test]
fn output_that_nobody_reads_is_no_fault() {
    let verbs: [&[&str]; 3] = [
        &[
            "enumerate",
            "-c",
            "Vast",
            "--scope",
            "2",
            "--format",
            "jsonl",
        ],
        &["sequences", "-c", "Vast"],
        &[
            "check",
            "-c",
            "Eater",
            "--scope",
            "2",
            "--max-steps",
            "1000",
        ],
    ];
    for verb in verbs {
        for closed in ["output", "error", "both"] {
            let mut command = heapwright(verb);
            command.stdout(Stdio::piped()).stderr(Stdio::piped());
            let mut child = command.spawn().unwrap();
            if closed != "error" {
                drop(child.stdout.take());
            }
            if closed != "output" {
                drop(child.stderr.take());
            }
            let output = child.wait_with_output().unwrap();
            let code = output.status.code().unwrap();
            assert!([0, 1, 3, 4].contains(&code), "{verb:?} {closed}: {code}");
            assert_eq!(text(&output.stderr).matches("panicked").count(), 0);
        }
    }
}

#[cfg(unix)]
#[test]
fn names_that_are_no_text_are_refused_or_taken() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    let odd = OsStr::from_bytes(b"V\xFFst");
    let mut command = heapwright(&["enumerate", "--scope", "1"]);
    let output = command.arg("-c").arg(odd).output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    let out = tempfile::tempdir().unwrap();
    let mut command = heapwright(&[
        "enumerate",
        "-c",
        "Vast",
        "--scope",
        "1",
        "--format",
        "jsonl",
    ]);
    let file = out.path().join(odd);
    let output = command.arg("-o").arg(&file).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert!(fs::metadata(&file).unwrap().len() > 0);
}
