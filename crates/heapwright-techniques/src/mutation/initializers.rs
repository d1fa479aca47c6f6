//! Methods that run in the static initializer of their class before any test, as PIT sees it:
//! private ones to which calls lead from `<clinit>` through private ones.
//!
//! **Invariant:** calls whose result, a function, is kept for later are not followed, as it runs
//! when a test does.

use std::collections::BTreeSet;

use heapwright_jvm::class::flags;
use heapwright_jvm::descriptor;
use heapwright_jvm::listing::{Invoke, ListedMember, ListedOperation, Listing};
use heapwright_jvm::{ClassId, MethodId, Vm};

/// Types of functions outside `java.util.function`.
const FUNCTIONS: [&str; 6] = [
    "java/io/FileFilter",
    "java/io/FilenameFilter",
    "java/io/ObjectInputFilter",
    "java/lang/Runnable",
    "java/util/Comparator",
    "java/util/concurrent/Callable",
];

/// Whether a method is private, and the static initializer of its class runs it.
pub(super) fn runs_in_initializer(vm: &Vm, method: MethodId) -> bool {
    let this = vm.method(method);
    if this.flags & flags::PRIVATE == 0 {
        return false;
    }
    let class = vm.class(this.class);
    let initializer = class.methods.iter().copied();
    let mut initializer = initializer.filter(|&of| vm.text(vm.method(of).name) == "<clinit>");
    let mut open: Vec<MethodId> = initializer.next().into_iter().collect();
    let mut reached = BTreeSet::new();
    while let Some(from) = open.pop() {
        if let Ok(listing) = vm.listing(from) {
            for called in followed_calls(vm, this.class, &listing) {
                if reached.insert(called) {
                    open.push(called);
                }
            }
        }
    }
    reached.contains(&method)
}

/// The private methods of a class that a method of it calls, or hands on as lambdas.
fn followed_calls(vm: &Vm, class: ClassId, listing: &Listing) -> Vec<MethodId> {
    let steps = &listing.instructions;
    let is_kept =
        |place: usize| (place..steps.len()).any(|later| keeps_function(vm, class, listing, later));
    let own = vm.class(class).methods.iter().copied();
    let own: Vec<MethodId> = own
        .filter(|&of| vm.method(of).flags & flags::PRIVATE != 0)
        .collect();
    let called = |member: &ListedMember| {
        own.iter().copied().find(|&of| {
            let of = vm.method(of);
            member.class == vm.class_name(class)
                && member.name == vm.text(of.name)
                && member.descriptor == vm.text(of.descriptor)
        })
    };
    let mut found = Vec::new();
    let mut kept = Vec::new();
    for (place, listed) in steps.iter().enumerate() {
        let (members, makes): (&[ListedMember], bool) = match &listed.step {
            ListedOperation::Invoke(kind, member) => (
                std::slice::from_ref(member),
                *kind == Invoke::Static && returns_function(&member.descriptor),
            ),
            ListedOperation::Dynamic(_, made, handed) => (handed, returns_function(made)),
            _ => continue,
        };
        let all = members.iter().filter_map(called);
        match makes && is_kept(place) {
            true => kept.extend(all),
            false => found.extend(all),
        }
    }
    found.retain(|method| !kept.contains(method));
    found
}

fn returns_function(method: &str) -> bool {
    descriptor::split_method(method)
        .is_some_and(|(_, result)| is_function(descriptor::class_name(result)))
}

fn is_function(class: &str) -> bool {
    class.starts_with("java/util/function/") || FUNCTIONS.contains(&class)
}

/// Whether an instruction stores a constant of an enum, or a value with a function, in a static
/// field.
fn keeps_function(vm: &Vm, class: ClassId, listing: &Listing, place: usize) -> bool {
    let step = |place: usize| listing.instructions.get(place).map(|listed| &listed.step);
    let Some(ListedOperation::PutField(field, true)) = step(place) else {
        return false;
    };
    let is_made = place.checked_sub(1).and_then(step).is_some_and(
        |before| matches!(before, ListedOperation::Invoke(_, member) if member.name == "<init>"),
    );
    let fields = vm.class(class).fields.iter();
    let mut named = fields.filter(|of| vm.text(of.name) == field.name);
    is_made
        || named.any(|of| {
            let signature = of.signature.map_or("", |signature| vm.text(signature));
            let types = signature.split(['<', '>', ';', '+', '-', '*']);
            let mut types = types.map(|part| part.trim_start_matches('['));
            types.any(|part| part.strip_prefix('L').is_some_and(is_function))
        })
}
