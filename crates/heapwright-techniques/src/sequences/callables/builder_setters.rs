//! Setters of builders: methods that return their receiver's type, so that calls can be chained. A
//! method such as `build()` often rejects a builder on which they were not called.
//!
//! Invariant: they are public, and few for each builder.

use heapwright_jvm::class::flags;
use heapwright_jvm::descriptor::{self, Kind};
use heapwright_jvm::{ClassId, MethodId, Vm};

/// Maximum number of setters of a builder.
const MAX_SETTERS: usize = 24;
/// Maximum number of parameters of a setter.
const MAX_PARAMETERS: usize = 3;

/// Returns the setters of the builders among the owners of methods that make objects, those with
/// few parameters first.
pub(in crate::sequences) fn setters(
    vm: &mut Vm,
    makers: &[(ClassId, MethodId)],
) -> Vec<(ClassId, MethodId)> {
    let mut builders: Vec<ClassId> = Vec::new();
    for &(owner, method) in makers {
        let this = vm.method(method);
        let is_builder = !this.is_static() && vm.text(this.name) != "<init>";
        if is_builder && vm.is_app_class(owner) && !builders.contains(&owner) {
            builders.push(owner);
        }
    }
    let mut found = Vec::new();
    for builder in builders {
        found.extend(
            setters_of(vm, builder)
                .into_iter()
                .map(|one| (builder, one)),
        );
    }
    found
}

fn setters_of(vm: &mut Vm, builder: ClassId) -> Vec<MethodId> {
    let this = vm.class(builder);
    let above = this.display.iter().rev().chain(&this.all_interfaces);
    let above = above.copied().filter(|&one| one != builder);
    let mut classes = vec![builder];
    classes.extend(above.filter(|&class| vm.is_app_class(class)));
    let mut setters: Vec<(usize, MethodId)> = Vec::new();
    for class in classes {
        for method in vm.class(class).methods.clone() {
            let this = vm.method(method);
            let (name, types) = (this.name, this.descriptor);
            let is_hidden = this.flags & flags::PUBLIC == 0 || this.flags & flags::SYNTHETIC != 0;
            let Some((parameters, result)) = descriptor::split_method(vm.text(types)) else {
                continue;
            };
            let count = parameters.len();
            let is_fitting = (1..=MAX_PARAMETERS).contains(&count);
            let result = result.to_owned();
            let is_known = |&(_, other): &(usize, MethodId)| {
                let other = vm.method(other);
                (other.name, other.descriptor) == (name, types)
            };
            if is_hidden || this.is_static() || !is_fitting || setters.iter().any(is_known) {
                continue;
            }
            if is_above(vm, &result, builder) {
                setters.push((count, method));
            }
        }
    }
    // The sort is stable: others stay in declaration order, those of subclasses first.
    setters.sort_by_key(|&(count, _)| count);
    setters.truncate(MAX_SETTERS);
    setters.into_iter().map(|(_, method)| method).collect()
}

/// Whether a type is a class of the program that a builder is, or extends.
fn is_above(vm: &mut Vm, descriptor: &str, builder: ClassId) -> bool {
    if Kind::of(descriptor) != Kind::Reference || descriptor.starts_with('[') {
        return false;
    }
    let class = vm.load_class(descriptor::class_name(descriptor));
    class.is_ok_and(|class| vm.is_app_class(class) && vm.is_subclass(builder, class))
}
