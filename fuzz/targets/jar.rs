//! Any bytes as a jar on the class path: opened, its classes listed and read.

#![no_main]

#[path = "../../crates/heapwright-jvm/tests/it/common/hostile.rs"]
#[expect(dead_code, reason = "classes are run by other targets")]
mod hostile;

use std::fs;
use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;

static FOLDER: LazyLock<tempfile::TempDir> =
    LazyLock::new(|| tempfile::tempdir().expect("a folder"));

fuzz_target!(|bytes: &[u8]| {
    let path = FOLDER.path().join("any.jar");
    fs::write(&path, bytes).expect("a jar");
    let _ = hostile::read_jar(&path);
});
