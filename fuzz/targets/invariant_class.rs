//! Any bytes as the class under test of a search.

#![no_main]

#[path = "../../crates/heapwright-techniques/tests/it/common/enumerated.rs"]
mod enumerated;
#[path = "../../crates/heapwright-jvm/tests/it/common/hostile.rs"]
#[expect(dead_code, reason = "programs and jars are run by other targets")]
mod hostile;

use std::cell::RefCell;

use heapwright_jvm::Jdk;
use hostile::Hostile;
use libfuzzer_sys::fuzz_target;

thread_local! {
    static MACHINE: RefCell<Hostile> = {
        let jdk = Jdk::find(None).expect("a JDK");
        RefCell::new(Hostile::new(enumerated::config(jdk)))
    };
}

fuzz_target!(|bytes: &[u8]| {
    MACHINE.with_borrow_mut(|machine| {
        let _ = machine.with(bytes, enumerated::enumerate);
    });
});
