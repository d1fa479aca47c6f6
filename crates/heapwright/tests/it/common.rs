//! Set-up of the tests of the command line: the program, and parsers of its output.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

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
