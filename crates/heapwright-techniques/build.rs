//! Compiles the Java side of the `korat` search, the finitization interface under `java/`, and the driver of JUnit under
//! `driver/`, and lists their class files in `$OUT_DIR/korat_api.rs` and `$OUT_DIR/driver.rs`.

use std::process::ExitCode;

fn main() -> ExitCode {
    let korat = heapwright_embed::embed("korat_api");
    let driver = heapwright_embed::embed_against("driver", "driver", Some("stand-ins"));
    match korat == ExitCode::SUCCESS {
        true => driver,
        false => korat,
    }
}
