//! Compiles the Java side of the trial, which compiles and runs tests, and lists its class files in `$OUT_DIR/runner.rs`.

use std::process::ExitCode;

fn main() -> ExitCode {
    heapwright_embed::embed("runner")
}
