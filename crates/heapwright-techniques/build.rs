//! Compiles the Java side of the `korat` search, the finitization interface under `java/`, and lists its class files in
//! `$OUT_DIR/korat_api.rs`.

use std::process::ExitCode;

fn main() -> ExitCode {
    heapwright_embed::embed("korat_api")
}
