//! Any bytes as a class file: loaded, verified, linked, run.

#![no_main]

#[path = "../../crates/heapwright-jvm/tests/it/common/hostile.rs"]
#[expect(dead_code, reason = "jars are read by another target")]
mod hostile;

use std::cell::RefCell;

use heapwright_jvm::{Config, Jdk};
use hostile::Hostile;
use libfuzzer_sys::fuzz_target;

thread_local! {
    static MACHINE: RefCell<Hostile> = {
        let jdk = Jdk::find(None).expect("a JDK");
        RefCell::new(Hostile::new(Config::new(jdk, Vec::new())))
    };
}

fuzz_target!(|bytes: &[u8]| {
    MACHINE.with_borrow_mut(|machine| machine.with(bytes, hostile::run));
});
