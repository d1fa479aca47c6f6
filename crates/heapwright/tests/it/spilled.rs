//! Searches from the API whose structures have no room in memory: what they write, and what
//! becomes of their files.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use heapwright_testkit::fixtures;
use heapwright_testkit::jdk::jdks;
use serde_json::Value;

use crate::common::{program, summary_of, text};

/// Scope in which the structures take more than a third of a megabyte, and one that takes long.
const LARGE: &str = "6";
#[cfg(target_os = "linux")]
const ENDLESS: &str = "9";

fn command(verb: &[&str], folder: &Path) -> Command {
    let mut command = program();
    command.args(verb).arg("--no-config").arg("--jdk");
    command
        .arg(&jdks()[0].home)
        .arg("-p")
        .arg(fixtures::classes());
    command
        .args(["-c", "compare.Pool"])
        .arg("--spill-dir")
        .arg(folder);
    command
}

/// Summary without the keys that change from run to run.
fn settled(summary: &Value) -> Value {
    let mut summary = summary.clone();
    let changing = [
        "seconds",
        "peak_memory_bytes",
        "bytes_per_structure",
        "peak_disk_bytes",
        "files",
    ];
    for key in changing {
        summary.as_object_mut().unwrap().remove(key);
    }
    summary
}

#[test]
#[ignore = "long"]
fn the_same_is_written_whatever_the_memory() {
    let folder = tempfile::tempdir().unwrap();
    let (spill, out) = (folder.path().join("spill"), folder.path().join("out"));
    std::fs::create_dir(&spill).unwrap();
    let write = |more: &[&str]| {
        let mut command = command(&["enumerate", "--from", "api"], &spill);
        command
            .args(["--scope", LARGE, "--format", "text", "--json", "-o"])
            .arg(&out);
        let output = command.args(more).output().unwrap();
        (std::fs::read(&out).unwrap(), summary_of(&output))
    };
    let (expected, summary) = write(&[]);
    assert_eq!(summary["peak_disk_bytes"], 0);
    for jobs in ["1", "2"] {
        let (found, small) = write(&["--max-memory", "1m", "-j", jobs]);
        assert_eq!(settled(&small), settled(&summary), "-j {jobs}");
        assert!(
            small["peak_disk_bytes"].as_u64().unwrap() > 100_000,
            "{small}"
        );
        assert!(found == expected, "-j {jobs}: other structures");
    }
    assert_eq!(std::fs::read_dir(&spill).unwrap().count(), 0);
}

#[test]
#[ignore = "long"]
fn comparisons_are_the_same_whatever_the_memory() {
    let folder = tempfile::tempdir().unwrap();
    let compare = |more: &[&str]| {
        let mut command = command(&["compare", "--json"], folder.path());
        let arguments = ["--scope", LARGE];
        summary_of(&command.args(arguments).args(more).output().unwrap())
    };
    let small = compare(&["--max-memory", "1m"]);
    assert_eq!(small["verdict"], "equal");
    assert_eq!(settled(&small), settled(&compare(&[])));
}

/// The system refuses files of more than 64 KiB.
#[cfg(unix)]
#[test]
#[ignore = "long"]
fn a_full_disk_ends_the_search_with_what_it_has() {
    let folder = tempfile::tempdir().unwrap();
    let verb = [
        "enumerate",
        "--from",
        "api",
        "--format",
        "text",
        "--scope",
        LARGE,
    ];
    let whole = command(&verb, folder.path()).output().unwrap();
    let whole = text(&whole.stdout);
    for jobs in ["1", "2"] {
        let mut inner = command(&verb, folder.path());
        inner.args(["--max-memory", "1m", "-j", jobs]);
        let mut limited = Command::new("sh");
        limited.args(["-c", "trap '' XFSZ; ulimit -f 128; exec \"$0\" \"$@\""]);
        limited.arg(inner.get_program()).args(inner.get_args());
        limited.envs(
            inner
                .get_envs()
                .filter_map(|(key, value)| Some((key, value?))),
        );
        let output = limited.output().unwrap();
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(3), "-j {jobs}: {said}");
        for part in [
            "failed to write structures into",
            "--spill-dir",
            "stopped by --spill-dir",
        ] {
            assert!(said.contains(part), "-j {jobs}: {said}");
        }
        let found = text(&output.stdout);
        assert!(found.lines().count() > 1_000, "-j {jobs}: {said}");
        assert!(
            whole.starts_with(&found) && found.len() < whole.len(),
            "-j {jobs}"
        );
    }
}

#[test]
fn a_missing_folder_is_made_before_the_search() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    std::fs::write(&file, "").unwrap();
    for (place, code) in [(folder.path().join("new/deep"), 0), (file.join("none"), 2)] {
        let mut command = command(&["enumerate", "--from", "api"], &place);
        command.args(["--scope", LARGE, "--max-memory", "1m"]);
        let output = command.output().unwrap();
        assert_eq!(output.status.code(), Some(code), "{output:?}");
        assert_eq!(place.is_dir(), code == 0);
        let said = text(&output.stderr);
        assert_eq!(said.contains(place.to_str().unwrap()), code != 0, "{said}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn no_file_is_left_after_a_signal() {
    use nix::sys::signal::{Signal, kill};
    use nix::unistd::Pid;

    for (signal, expected) in [(Signal::SIGINT, Some(3)), (Signal::SIGKILL, None)] {
        let folder = tempfile::tempdir().unwrap();
        let mut command = command(&["enumerate", "--from", "api", "--count"], folder.path());
        command.args(["--scope", ENDLESS, "--max-memory", "1m"]);
        let child = command
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn();
        let mut child = child.unwrap();
        let files = format!("/proc/{}/fd", child.id());
        let has_file = || {
            let entries = std::fs::read_dir(&files).into_iter().flatten().flatten();
            let mut targets = entries.filter_map(|entry| std::fs::read_link(entry.path()).ok());
            targets.any(|target| target.starts_with(folder.path()))
        };
        let end = Instant::now() + Duration::from_secs(600);
        while !has_file() {
            if Instant::now() > end || child.try_wait().unwrap().is_some() {
                child.kill().unwrap();
                panic!("nothing went to disk: {:?}", child.wait_with_output());
            }
            std::thread::sleep(Duration::from_millis(2));
        }
        kill(Pid::from_raw(child.id() as i32), signal).unwrap();
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), expected, "{output:?}");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}
