//! Compiles the Java runner of the trial, and lists its class files in `$OUT_DIR/runner.rs`.

use std::process::ExitCode;

fn main() -> ExitCode {
    heapwright_embed::embed("runner")
}
