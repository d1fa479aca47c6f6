//! Analyses compared with `javac`'s rules and with code whose properties are known.

#![expect(
    clippy::unwrap_used,
    reason = "a test ends where what it needs is missing"
)]

mod calls;
mod flow;
mod purity;

use std::path::Path;

use heapwright_jvm::listing::Listing;
use heapwright_jvm::{ClassId, Config, Jdk, MethodId, Vm};
use heapwright_testkit::fixtures::Fixture;
use heapwright_testkit::jdk::all_jdks;

/// Creates a machine with `Sample` and its nested classes loaded.
fn sample() -> Vm {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/java/Sample.java");
    let classes = Fixture::new(&["--release", "17"]).file(source).classes();
    let jdk = Jdk::find(Some(&all_jdks()[0].home)).unwrap();
    let mut vm = Vm::new(Config::new(jdk, vec![classes])).unwrap();
    for class in ["Sample", "Sample$Square", "Sample$Cube", "Sample$Round"] {
        vm.load_class(class).unwrap();
    }
    vm
}

/// Returns the method of a class with a name.
fn method(vm: &mut Vm, class: &str, name: &str) -> MethodId {
    let class: ClassId = vm.load_class(class).unwrap();
    let mut methods = vm.class(class).methods.iter().copied();
    let found = methods.find(|&method| vm.text(vm.method(method).name) == name);
    found.unwrap()
}

/// Returns the code of a method of `Sample`.
fn listing(vm: &mut Vm, name: &str) -> Listing {
    let method = method(vm, "Sample", name);
    vm.listing(method).unwrap()
}
