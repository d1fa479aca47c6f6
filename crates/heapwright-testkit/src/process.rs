//! Processes with a time limit, and their resource use.

use std::fs::{self, File};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// Result of a process.
pub(crate) struct Ended {
    /// Exit status; `None` if it was killed at the time limit.
    pub(crate) status: Option<ExitStatus>,
    /// Elapsed time.
    pub(crate) took: Duration,
    /// Maximum observed memory, in bytes; 0 if the system does not report it.
    pub(crate) peak_memory: u64,
    /// Standard output.
    pub(crate) output: String,
    /// Standard error.
    pub(crate) errors: String,
}

const POLL: Duration = Duration::from_millis(10);

/// Runs a command for at most `limit`, after which it is killed with all that it has started; `log` names the files of its output.
///
/// # Panics
/// It cannot be started or the files cannot be written.
pub(crate) fn run(mut command: Command, limit: Duration, log: &Path) -> Ended {
    let file = |extension| {
        let path = log.with_extension(extension);
        let file = File::create(&path);
        let file =
            file.unwrap_or_else(|error| panic!("failed to write {}: {error}", path.display()));
        (path, file)
    };
    let ((output, to_output), (errors, to_errors)) = (file("out"), file("err"));
    command
        .stdin(Stdio::null())
        .stdout(to_output)
        .stderr(to_errors);
    let start = Instant::now();
    let child = command.spawn();
    let mut child = child.unwrap_or_else(|error| panic!("failed to start {command:?}: {error}"));
    let mut peak_memory = 0;
    let status = loop {
        peak_memory = peak_memory.max(peak_of(&child));
        match child.try_wait() {
            Ok(Some(status)) => break Some(status),
            Ok(None) if start.elapsed() < limit => thread::sleep(POLL),
            _ => {
                end(&mut child);
                break None;
            }
        }
    };
    let read =
        |path: &Path| String::from_utf8_lossy(&fs::read(path).unwrap_or_default()).into_owned();
    Ended {
        status,
        took: start.elapsed(),
        peak_memory,
        output: read(&output),
        errors: read(&errors),
    }
}

/// Peak of a process's resident memory so far, as reported by Linux.
fn peak_of(child: &Child) -> u64 {
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|line| line.trim().trim_end_matches(" kB").parse::<u64>().ok());
    kilobytes.unwrap_or(0) * 1024
}

/// Kills a process and, on Linux, its descendants.
fn end(child: &mut Child) {
    let mut open = vec![child.id()];
    let mut descendants = Vec::new();
    while let Some(parent) = open.pop() {
        let threads = fs::read_dir(format!("/proc/{parent}/task"));
        for thread in threads.into_iter().flatten().flatten() {
            let children = fs::read_to_string(thread.path().join("children"));
            let children = children.unwrap_or_default();
            let children = children.split_whitespace();
            open.extend(children.filter_map(|id| id.parse::<u32>().ok()));
        }
        descendants.push(parent.to_string());
    }
    // Some may have ended meanwhile.
    let killing = Command::new("kill").arg("-9").args(&descendants).status();
    let _ = (killing, child.kill());
    let _ = child.wait();
}
