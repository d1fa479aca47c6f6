//! Starts of the passes of small predicates.

use std::path::Path;

use heapwright_testkit::fixtures::Fixture;
use heapwright_testkit::jdk::all_jdks;

use crate::{Config, Jdk, Machine, MethodId, Ref, Vm};

/// Machine on which runs stop at requested positions.
struct Symbolic;

impl Machine for Symbolic {
    const CHOOSES: bool = true;
    const SYMBOLIC: bool = true;
}

/// Calls `see` for each JDK, with a machine whose class path has `Predicates`.
fn for_machines(mut see: impl FnMut(&mut Vm)) {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/java/Predicates.java");
    let fixture = Fixture::new(&["--release", "17", "-nowarn"]).file(source);
    let classes = fixture.classes();
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

fn method(vm: &mut Vm, name: &str) -> MethodId {
    let class = vm.load_class("Predicates").unwrap();
    let methods = &vm.class(class).methods;
    let is_named = |method: &&MethodId| vm.text(vm.method(**method).name) == name;
    *methods.iter().find(is_named).unwrap()
}

/// Method chains to the passes of a predicate except the first, each with a note if `true` can be
/// returned without passing them.
fn passes(vm: &mut Vm, predicate: &str) -> Vec<String> {
    let method = method(vm, predicate);
    let class = vm.method(method).class;
    let cuts = vm.cuts(method, class);
    let lines = cuts.iter().map(|cut| {
        let names = cut.levels.iter().map(|level| {
            let name = vm.method(level.method).name;
            vm.text(name).to_owned()
        });
        let names = names.collect::<Vec<_>>().join(" > ");
        let is_certain = cut.is_ahead(&[]);
        names + if is_certain { "" } else { ", maybe" }
    });
    lines.collect()
}

#[test]
fn passes_begin_where_nothing_but_the_receiver_is_live() {
    let cases: [(&str, &[&str]); 9] = [
        ("oneByOne", &["oneByOne"]),
        ("conjunction", &["conjunction", "conjunction"]),
        ("inline", &["inline"]),
        (
            "nested",
            &[
                "nested > conjunction, maybe",
                "nested > conjunction, maybe",
                "nested, maybe",
                "nested > inline, maybe",
            ],
        ),
        ("keeps", &[]),
        ("accepts", &["accepts, maybe"]),
        ("repeats", &[]),
        ("forgets", &[]),
        ("always", &[]),
    ];
    for_machines(|vm| {
        for (predicate, expected) in &cases {
            assert_eq!(passes(vm, predicate), *expected, "{predicate}");
        }
    });
}

#[test]
fn a_pass_begins_with_the_frames_that_lead_there() {
    for_machines(|vm| {
        let receiver = new(vm, "Predicates");
        let predicate = method(vm, "nested");
        let cuts = vm.cuts(predicate, vm.heap.class_of(receiver));
        assert!(!cuts.is_empty());
        for cut in &cuts {
            assert!(vm.begin_at(&mut Symbolic, cut, receiver));
            assert!(cut.is_at(vm.frames()));
            let parked = vm.park();
            assert!(vm.frames().is_empty() && cut.is_at(parked.frames()));
            vm.resume(&parked);
            vm.abandon();
        }
        vm.call(predicate, &[receiver.slot()]).unwrap();
        for cut in &cuts {
            assert!(!cut.is_at(vm.frames()));
        }
    });
}
