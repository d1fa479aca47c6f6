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
fn any_byte_of_a_class_under_test_wrong() {
    const MUTANTS: usize = 3_000;
    let java = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/java/M0000.java");
    let classes = Fixture::new(&["--release", "17"]).file(java).classes();
    let whole = fs::read(classes.join("M0000.class")).unwrap();
    let jdk = Jdk::at(&jdks()[0].home).unwrap();
    let mut hostile = Hostile::new(enumerated::config(jdk.clone()));
    assert_eq!(hostile.with(&whole, enumerated::enumerate).unwrap(), 10);
    let mut random = Random::new(4);
    let (mut found, mut refused) = (0, 0);
    let mut panics: Vec<String> = Vec::new();
    for _ in 0..MUTANTS {
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
        "{} of {MUTANTS} mutants:\n{}",
        panics.len(),
        panics.join("\n")
    );
    assert!(found > 100 && refused > 100, "{found} {refused}");
}
