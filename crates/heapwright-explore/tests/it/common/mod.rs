//! Set-up of the searches' tests: machines with small classes, and outcomes of runs as text.

pub mod inputs;
pub mod structures;

use std::ops::ControlFlow;

use heapwright_explore::{End, Search, Span, Tree};
use heapwright_jvm::descriptor::Kind;
use heapwright_jvm::{Config, Exit, Jdk, MethodId, Plain, Ref, Vm};
use heapwright_testkit::fixtures::Fixture;
use heapwright_testkit::jdk::jdks;

/// Steps of a run that no method here reaches.
pub const ENOUGH: u64 = 1_000_000;

/// Creates a machine with the classes of a Java source, none of which is public.
pub fn machine(source: &str) -> Vm {
    let fixture = Fixture::new(&["-g", "--release", "17", "-nowarn"]);
    let classes = fixture.text("Source", source).classes();
    let jdk = Jdk::find(Some(&jdks()[0].home)).unwrap();
    let mut config = Config::new(jdk, vec![classes]);
    config.max_heap_bytes = 64 << 20;
    Vm::new(config).unwrap()
}

/// First method of a class with this name; the class is initialised.
pub fn method(vm: &mut Vm, class: &str, name: &str) -> MethodId {
    let class = vm.load_class(class).unwrap();
    vm.initialize_now(class).unwrap();
    let mut methods = vm.class(class).methods.iter().copied();
    let found = methods.find(|&method| vm.text(vm.method(method).name) == name);
    found.unwrap_or_else(|| panic!("no method {name}"))
}

/// Runs a method on concrete values.
pub fn run(vm: &mut Vm, method: MethodId, slots: &[u64], steps: u64) -> Exit {
    vm.limit_steps(steps);
    match vm.call(method, slots) {
        Ok(()) => vm.run(&mut Plain),
        Err(exit) => exit,
    }
}

/// Does something, and takes all of it back.
pub fn undone<T>(vm: &mut Vm, work: impl FnOnce(&mut Vm) -> T) -> T {
    let mark = vm.mark();
    let result = work(vm);
    vm.undo_to(mark);
    vm.forget(mark);
    vm.abandon();
    result
}

/// Value of a primitive kind as text; all NaNs are alike.
pub fn number(kind: Kind, slot: u64) -> String {
    match kind {
        Kind::Void => "void".to_owned(),
        Kind::Long => (slot as i64).to_string(),
        Kind::Float => format!("{:?}", f32::from_bits(slot as u32)),
        Kind::Double => format!("{:?}", f64::from_bits(slot)),
        _ => (slot as u32 as i32).to_string(),
    }
}

/// Exception as text.
pub fn thrown(vm: &Vm, exception: Ref) -> String {
    format!("throws {}", vm.binary_name(vm.heap.class_of(exception)))
}

/// Callback that never interrupts a search.
pub fn go_on<T>(_: &mut T) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

/// Describes a leaf.
pub type Describe<'a, T> = &'a dyn Fn(&mut Vm, &<T as Tree>::Leaf, &mut T) -> String;

/// Descriptions of the leaves of a part of a tree, in order.
pub fn leaves<T: Tree>(
    vm: &mut Vm,
    search: &mut T,
    part: Span,
    describe: Describe<'_, T>,
) -> Vec<String>
where
    T::Error: std::fmt::Debug,
{
    let mut found = Vec::new();
    search.start_at(part);
    let end = search.run(vm, &mut go_on, &mut |vm, leaf, search| {
        found.push(describe(vm, leaf, search));
        ControlFlow::Continue(())
    });
    assert_eq!(end.unwrap(), End::Complete);
    found
}
