//! Suites of ordinary classes catch logic faults that were put in by hand. `cargo faults` tries
//! all of them.

use std::path::PathBuf;
use std::time::Duration;

use heapwright_testkit::faults::{Generator, subjects};
use heapwright_testkit::jdk::compilers;

/// Asserts that the suite that a verb generates for a package catches faults.
fn catches(verb: &[&str], package: &str, faults: &[&str]) {
    let folder = tempfile::tempdir().unwrap();
    let generator = Generator {
        program: PathBuf::from(env!("CARGO_BIN_EXE_heapwright")),
        arguments: verb.iter().map(|&word| word.to_owned()).collect(),
        time_limit: Duration::from_secs(60),
        jdk: compilers()[0].clone(),
        folder: folder.path().to_owned(),
    };
    let subject = subjects()
        .into_iter()
        .find(|subject| subject.package == package);
    let caught = generator.catches(&subject.unwrap());
    assert_eq!(caught.wrong, [""; 0], "{caught}");
    for &fault in faults {
        assert!(caught.faults[fault].is_some(), "{fault}: {caught}");
    }
}

#[test]
#[ignore = "long"]
fn a_suite_catches_faults() {
    let verb = ["sequences", "--format", "junit"];
    catches(&verb, "banking", &["fee-each-time", "half-a-transfer"]);
}

/// They show where there are several reservations, some of them changed, shipped or cancelled.
#[test]
#[ignore = "long"]
fn a_suite_in_large_states_catches_faults() {
    let faults = [
        "own-quantity-in-the-way",
        "reorders-by-stock",
        "still-reserved",
    ];
    catches(&["generate"], "inventory", &faults);
}

/// The letter i, which the search tries first, has another capital in Turkish.
#[test]
#[ignore = "long"]
fn a_suite_that_holds_in_every_language_catches_faults() {
    catches(&["generate"], "numerals", &["small-letters"]);
}
