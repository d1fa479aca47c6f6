//! Set-up of the tests of the command line: the program, and parsers of its output.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use heapwright_testkit::jdk::jdks;
use serde_json::Value;

/// Command that runs the program, or the one that `HEAPWRIGHT_PROGRAM` names: that of a release has
/// no debug assertions.
pub fn program() -> Command {
    let other = std::env::var_os("HEAPWRIGHT_PROGRAM");
    Command::new(other.unwrap_or_else(|| env!("CARGO_BIN_EXE_heapwright").into()))
}

/// Folder of sources that only one module's tests need.
pub fn sources_of(module: &str) -> PathBuf {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    tests.join(module)
}

/// Output as text.
pub fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Longest time limit that a run is given, in milliseconds.
const LONGEST_LIMIT: u64 = 128_000;

/// Runs with a time limit, which is doubled until the outcome is one that the limit suffices for: a slow machine
/// needs more time than a fast one.
pub fn with_enough_time(
    milliseconds: u64,
    run: impl Fn(&str) -> Output,
    is_enough: impl Fn(&Output) -> bool,
) -> Output {
    let mut limit = milliseconds;
    loop {
        let output = run(&format!("{limit}ms"));
        if is_enough(&output) || limit >= LONGEST_LIMIT {
            return output;
        }
        limit *= 2;
    }
}

/// Whether a run ended by itself: one that a busy machine does not let look at its time limit is ended.
pub fn has_ended_by_itself(output: &Output) -> bool {
    !text(&output.stderr).contains("ended by --time-limit while")
}

/// Runs a command and checks its time. The time that its threads wait for a processor does not count.
pub fn in_time(command: &mut Command, most: Duration) -> Output {
    command.stdin(Stdio::null());
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let start = Instant::now();
    let child = command.spawn().unwrap();
    let id = child.id();
    let run = thread::spawn(move || {
        let output = child.wait_with_output().unwrap();
        (output, start.elapsed())
    });
    let mut waited = Duration::ZERO;
    while !run.is_finished() {
        waited = waited.max(waited_for_processor(id));
        thread::sleep(Duration::from_millis(10));
    }
    let (output, took) = run.join().unwrap();
    assert!(
        took <= most + waited,
        "{took:?}, {waited:?} without a processor: {command:?}: {output:?}"
    );
    output
}

/// Time that the threads of a process have waited for a processor; none where the system does not tell.
pub fn waited_for_processor(process: u32) -> Duration {
    let threads = std::fs::read_dir(format!("/proc/{process}/task"));
    let threads = threads.into_iter().flatten().flatten();
    let waited = threads.filter_map(|thread| {
        let times = std::fs::read_to_string(thread.path().join("schedstat")).ok()?;
        times.split(' ').nth(1)?.parse::<u64>().ok()
    });
    Duration::from_nanos(waited.sum())
}

/// Waits until a process has worked for so many hundredths of a second.
#[cfg(target_os = "linux")]
pub fn wait_for_work(process: u32, hundredths: u64) {
    let stat = format!("/proc/{process}/stat");
    let worked = || {
        let stat = std::fs::read_to_string(&stat).unwrap();
        // Field 14 is the user time.
        let ticks = stat.split(' ').nth(13).unwrap();
        ticks.parse::<u64>().unwrap() >= hundredths
    };
    while !worked() {
        thread::sleep(Duration::from_millis(20));
    }
}

/// Summary that `--json` prints.
pub fn summary_of(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("no summary: {output:?}"))
}

/// JDK with which numbers of paths are written down.
const JDK_OF_PATHS: u32 = 17;

/// Text without the numbers of paths in searches, if it is of another JDK: its library has other
/// branches.
pub fn without_paths(text: &str) -> String {
    if jdks()[0].feature == JDK_OF_PATHS {
        return text.to_owned();
    }
    let lines = text.split_inclusive('\n').map(|line| {
        let paths = line.find(" paths in ");
        &line[paths.unwrap_or(0)..]
    });
    lines.collect()
}

/// Summary without times and memory, which differ between runs.
pub fn without_measures(mut summary: Value) -> Value {
    match &mut summary {
        Value::Object(keys) => {
            keys.retain(|key, _| !key.starts_with("seconds") && key != "peak_memory_bytes");
            for value in keys.values_mut() {
                *value = without_measures(value.take());
            }
        }
        Value::Array(values) => {
            for value in values {
                *value = without_measures(value.take());
            }
        }
        _ => {}
    }
    summary
}
