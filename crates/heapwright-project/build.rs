//! Compiles the extension of Maven, and lists its class files in `$OUT_DIR/extension.rs`.

use std::process::ExitCode;

fn main() -> ExitCode {
    heapwright_embed::embed_against("extension", "java", Some("declarations"))
}
