//! Damaged class files: the search ends in a result or in an error.

use std::fs;
use std::panic::{self, AssertUnwindSafe};
use std::path::Path;

use heapwright_jvm::Jdk;
use heapwright_testkit::fixtures::Fixture;
use heapwright_testkit::jdk::jdks;
use heapwright_testkit::random::Random;

use crate::common::enumerated;
use crate::common::hostile::Hostile;

#[test]
fn a_byte_of_a_class_under_test_wrong() {
    damage(300);
}

#[test]
#[ignore = "long"]
fn any_byte_of_a_class_under_test_wrong() {
    damage(3_000);
}

/// Enumerates structures of a number of classes, each with a byte that is wrong.
fn damage(mutants: usize) {
    let java = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/java/M0000.java");
    let classes = Fixture::new(&["--release", "17"]).file(java).classes();
    let whole = fs::read(classes.join("M0000.class")).unwrap();
    let jdk = Jdk::at(&jdks()[0].home).unwrap();
    let mut hostile = Hostile::new(enumerated::config(jdk.clone()));
    assert_eq!(hostile.with(&whole, enumerated::enumerate).unwrap(), 10);
    let mut random = Random::new(4);
    let (mut found, mut refused) = (0, 0);
    let mut panics: Vec<String> = Vec::new();
    for _ in 0..mutants {
        let mut bytes = whole.clone();
        let at = random.below(bytes.len() as u64) as usize;
        bytes[at] ^= 1 + random.below(255) as u8;
        let searched = AssertUnwindSafe(|| hostile.with(&bytes, enumerated::enumerate));
        match panic::catch_unwind(searched) {
            Ok(Ok(structures)) => found += structures.min(1),
            Ok(Err(error)) => {
                assert!(!error.to_string().is_empty());
                refused += 1;
            }
            Err(_) => {
                panics.push(format!("byte {at} from {} to {}", whole[at], bytes[at]));
                hostile = Hostile::new(enumerated::config(jdk.clone()));
            }
        }
    }
    eprintln!("{found} with structures, {refused} refused");
    assert!(
        panics.is_empty(),
        "{} of {mutants} mutants:\n{}",
        panics.len(),
        panics.join("\n")
    );
    assert!(
        found > mutants / 30 && refused > mutants / 30,
        "{found} {refused}"
    );
}
