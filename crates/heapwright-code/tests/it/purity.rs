//! Purity of methods.

use std::path::Path;

use heapwright_code::is_pure;
use heapwright_jvm::{Config, Jdk, Ref, Vm};
use heapwright_testkit::fixtures::Fixture;
use heapwright_testkit::jdk::all_jdks;

use crate::method;

/// Calls `see` for each JDK, with a machine whose class path has `Predicates`.
fn for_machines(mut see: impl FnMut(&mut Vm)) {
    let jvm = Path::new(env!("CARGO_MANIFEST_DIR")).join("../heapwright-jvm");
    let source = jvm.join("tests/java/Predicates.java");
    let classes = Fixture::new(&["--release", "17", "-nowarn"])
        .file(source)
        .classes();
    for jdk in all_jdks() {
        let jdk = Jdk::at(&jdk.home).unwrap();
        see(&mut Vm::new(Config::new(jdk, vec![classes.clone()])).unwrap());
    }
}

fn new(vm: &mut Vm, class: &str) -> Ref {
    let class = vm.load_class(class).unwrap();
    vm.initialize_now(class).unwrap();
    let words = vm.class(class).instance_words;
    vm.heap.allocate(class, words, false).unwrap()
}

#[test]
fn what_writes_to_the_structure_is_not_pure() {
    for_machines(|vm| {
        let receiver = new(vm, "Predicates");
        let cell = new(vm, "Predicates$Cell");
        let ints = vm.load_class("[I").unwrap();
        let ints = vm.heap.allocate_array(ints, 1, 4, false).unwrap();
        let mut check = |name: &str, objects: &[Ref], expected: bool| {
            let method = method(vm, "Predicates", name);
            assert_eq!(is_pure(vm, method, objects), expected, "{name}");
        };
        let structure = [receiver, cell];
        for name in ["nested", "collects", "counts", "says"] {
            check(name, &structure, true);
        }
        for name in [
            "writesItself",
            "marks",
            "marksNew",
            "counted",
            "readsShared",
            "keepsTime",
            "calls",
            "far",
        ] {
            check(name, &structure, false);
        }
        // Without cells in the structure, a write to a new cell cannot change it.
        check("marksNew", &[receiver], true);
        check("counts", &[receiver, cell, ints], false);
        check("nested", &[receiver, cell, ints], true);
    });
}
