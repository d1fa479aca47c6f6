//! Set-up of the engine's tests: compiled Java sources, and machines that run them.

pub mod hostile;

use std::path::Path;

use heapwright_jvm::{Config, Jdk, MethodId, Vm};
use heapwright_testkit::fixtures::Fixture;
use heapwright_testkit::jdk;

/// Heap limit of a test, in bytes.
pub const HEAP_BYTES: u64 = 64 << 20;

/// All JDKs found.
pub fn jdks() -> Vec<Jdk> {
    jdk::all_jdks()
        .iter()
        .map(|found| Jdk::at(&found.home).unwrap())
        .collect()
}

/// Fixture with sources of `tests/java`, compiled for every supported JDK.
pub fn fixture(sources: &[&str]) -> Fixture {
    let java = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/java");
    let sources = sources.iter().map(|source| java.join(source));
    let none = Fixture::new(&["--release", "17", "-nowarn", "-proc:none"]);
    sources.fold(none, Fixture::file)
}

/// Creates a machine with a small heap and stack and one folder as its class path.
pub fn machine(jdk: &Jdk, classes: &Path, set: impl FnOnce(&mut Config)) -> Vm {
    let mut config = Config::new(jdk.clone(), vec![classes.to_owned()]);
    config.max_heap_bytes = HEAP_BYTES;
    config.max_frames = 400;
    set(&mut config);
    Vm::new(config).unwrap()
}

/// First method of a class with this name.
pub fn method(vm: &mut Vm, class: &str, name: &str) -> MethodId {
    let class = vm.load_class(class).unwrap();
    let found = vm
        .class(class)
        .methods
        .iter()
        .copied()
        .find(|&method| vm.text(vm.method(method).name) == name);
    found.unwrap_or_else(|| panic!("no method {name}"))
}
