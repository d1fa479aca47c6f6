//! Compiles the Java sides of techniques, and lists their class files in `$OUT_DIR/NAME.rs`: the finitization interface of
//! the `korat` search under `java/`, the driver of JUnit under `driver/`, and the libraries by whose methods programs ask
//! for inputs under `verifiers/`.

use std::process::ExitCode;

fn main() -> ExitCode {
    let korat = heapwright_embed::embed("korat_api");
    let driver = heapwright_embed::embed_against("driver", "driver", Some("stand-ins"));
    let verifiers = heapwright_embed::embed_against("verifiers", "verifiers", None);
    let mut all = [korat, driver, verifiers].into_iter();
    all.find(|&code| code != ExitCode::SUCCESS)
        .unwrap_or(ExitCode::SUCCESS)
}
