//! Methods of the library that classes of the program inherit and that change their objects: nothing
//! else fills a class that extends a list or a map.
//!
//! Invariant: they are public, take values or objects of the program, and are few for each class.

use heapwright_jvm::descriptor::{self, Kind};
use heapwright_jvm::listing::ListedOperation;
use heapwright_jvm::{ClassId, MethodId, Vm};
use rustc_hash::FxHashSet;

use super::collections::filler;
use crate::statements::{CallKind, MethodCall, is_public, is_value};

/// Maximum number of methods of a class.
const MAX_METHODS: usize = 6;
/// Classes whose methods change nothing that code of their subclasses looks at.
const EXCLUDED: [&str; 4] = [
    "java/lang/Object",
    "java/lang/Throwable",
    "java/lang/Thread",
    "java/lang/Enum",
];
/// Depth of the calls followed from a method to a write.
const MAX_DEPTH: usize = 4;
/// Maximum number of methods looked at for one.
const MAX_LOOKED_AT: usize = 200;

/// Returns those of a class's calls that run library code which changes the object: the method that
/// fills a collection first, then those with few parameters.
pub(super) fn builders(vm: &mut Vm, class: ClassId, calls: &[MethodCall]) -> Vec<MethodId> {
    if !vm.is_app_class(class) {
        return Vec::new();
    }
    let filler = filler(vm, class).map(|(method, _)| method);
    let mut found: Vec<((bool, bool, usize), MethodId)> = Vec::new();
    for call in calls {
        let this = vm.method(call.method);
        let owner = this.class;
        let is_candidate = call.kind == CallKind::Instance
            && !vm.is_app_class(owner)
            && !this.is_abstract()
            && is_public(this)
            && !EXCLUDED.contains(&vm.class_name(owner))
            && !matches!(vm.text(this.name), "toString" | "hashCode" | "equals");
        if !is_candidate {
            continue;
        }
        let parameters = call.parameters_in(vm);
        let is_simple = parameters
            .iter()
            .all(|parameter| takes_values(vm, parameter));
        if is_simple && changes(vm, call.method) {
            let count = parameters.len();
            let rank = (Some(call.method) != filler, count == 0, count);
            found.push((rank, call.method));
        }
    }
    // The sort is stable: others stay in the order of the calls.
    found.sort_by_key(|&(rank, _)| rank);
    found.truncate(MAX_METHODS);
    found.into_iter().map(|(_, method)| method).collect()
}

/// Whether arguments of a type are values or objects of the program.
fn takes_values(vm: &mut Vm, descriptor: &str) -> bool {
    if let Some(element) = descriptor.strip_prefix('[') {
        return Kind::of(element) != Kind::Reference;
    }
    let class = |vm: &mut Vm| vm.load_class(descriptor::class_name(descriptor)).ok();
    is_value(vm, descriptor) || class(vm).is_some_and(|class| vm.is_app_class(class))
}

/// Whether a method writes a field of an object or an element of an array, or calls a method that
/// does; what constructors write is left out.
fn changes(vm: &mut Vm, method: MethodId) -> bool {
    let mut seen = FxHashSet::default();
    let mut open = vec![(method, 0)];
    while let Some((method, depth)) = open.pop() {
        if !seen.insert(method) || seen.len() > MAX_LOOKED_AT {
            continue;
        }
        let Ok(listing) = vm.listing(method) else {
            continue;
        };
        for listed in &listing.instructions {
            match &listed.step {
                ListedOperation::PutField(_, false) | ListedOperation::ArrayStore(_) => {
                    return true;
                }
                ListedOperation::Invoke(_, member)
                    if depth < MAX_DEPTH && member.name != "<init>" =>
                {
                    open.extend(vm.named_method(member).map(|called| (called, depth + 1)));
                }
                _ => {}
            }
        }
    }
    false
}
