//! Calls of the library's methods end as on a JVM, or are refused with a named reason. `cargo
//! calls` makes all of them.

use std::path::PathBuf;
use std::time::Duration;

use heapwright_testkit::corpus::{Trial, try_calls};
use heapwright_testkit::jdk::compilers;

#[test]
#[ignore = "long"]
fn calls_of_the_library_end_as_on_a_jvm() -> std::io::Result<()> {
    let folder = tempfile::tempdir()?;
    let trial = Trial {
        program: PathBuf::from(env!("CARGO_BIN_EXE_heapwright")),
        folder: folder.path().to_owned(),
        jdk: compilers()[0].clone(),
        runtimes: Vec::new(),
        time_limit: Duration::ZERO,
        jobs: 1,
    };
    let calls = try_calls(&trial, 17, &trial.folder.join("calls"));
    assert!(calls.different.is_empty(), "{calls}");
    assert!(calls.equal > 600, "{calls}");
    Ok(())
}
