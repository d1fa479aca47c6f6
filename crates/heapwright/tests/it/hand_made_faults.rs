//! Suites of ordinary classes catch logic faults that were put in by hand. `cargo faults` tries
//! all of them.

use std::path::PathBuf;
use std::time::Duration;

use heapwright_testkit::faults::{Generator, subjects};
use heapwright_testkit::jdk::compilers;

#[test]
fn a_suite_catches_faults() {
    let folder = tempfile::tempdir().unwrap();
    let generator = Generator {
        program: PathBuf::from(env!("CARGO_BIN_EXE_heapwright")),
        arguments: ["sequences", "--format", "junit"]
            .map(str::to_owned)
            .to_vec(),
        time_limit: Duration::from_secs(60),
        jdk: compilers()[0].clone(),
        folder: folder.path().to_owned(),
    };
    let subject = subjects()
        .into_iter()
        .find(|subject| subject.package == "banking");
    let caught = generator.catches(&subject.unwrap());
    assert_eq!(caught.wrong, [""; 0], "{caught}");
    for fault in ["fee-each-time", "half-a-transfer"] {
        assert!(caught.faults[fault].is_some(), "{caught}");
    }
}
