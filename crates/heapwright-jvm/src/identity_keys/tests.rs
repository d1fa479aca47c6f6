//! Recognition of identity keys.

use std::path::Path;

use heapwright_testkit::fixtures::Fixture;
use heapwright_testkit::jdk::all_jdks;

use crate::{Config, Jdk, Vm};

#[test]
fn keys_that_stand_for_what_they_hold() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/java/Keys.java");
    let fixture = Fixture::new(&["--release", "17", "-nowarn"]).file(source);
    let classes = fixture.classes();
    for jdk in all_jdks() {
        let jdk = Jdk::at(&jdk.home).unwrap();
        let mut vm = Vm::new(Config::new(jdk, vec![classes.clone()])).unwrap();
        let mut check = |name: &str, held: Option<&str>| {
            let class = vm.load_class(name).unwrap();
            let found = vm.identity_key(class);
            let word = held.map(|held| vm.word_of(class, held).unwrap());
            assert_eq!(found, word, "{name}");
            assert_eq!(vm.identity_key(class), found, "{name}, asked again");
        };
        for name in ["Keys$ByPattern", "Keys$Below", "Keys$BySameClass"] {
            check(name, Some("held"));
        }
        for name in [
            "Plain",
            "ByClass",
            "HashAlone",
            "OtherHash",
            "Mixed",
            "Contrary",
            "OtherClass",
            "ByEquals",
            "Tired",
            "Endless",
            "ByRecord",
        ] {
            check(&format!("Keys${name}"), None);
        }
        check("java/lang/Object", None);
        check("java/lang/Integer", None);
    }
}
