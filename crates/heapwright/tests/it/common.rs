//! Set-up of the tests of the command line: the program, and how what it prints is read.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

/// The program.
pub fn program() -> Command {
    Command::new(env!("CARGO_BIN_EXE_heapwright"))
}

/// The folder of sources that only one module's tests need.
pub fn sources_of(module: &str) -> PathBuf {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    tests.join(module)
}

/// What was printed, as text.
pub fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// The summary that `--json` prints.
pub fn summary_of(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("no summary: {output:?}"))
}
