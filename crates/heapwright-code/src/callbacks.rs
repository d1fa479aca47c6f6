//! What code that is not looked at may call by itself: bodies of lambdas, and methods that override the library's.

use heapwright_jvm::descriptor::{self, Kind, is_value_class};
use heapwright_jvm::listing::{Listing, Member, Step};
use heapwright_jvm::{ClassId, MethodId, Vm};

/// The methods that code hands to others: bodies of lambdas, and methods that are referred to.
pub fn bodies(vm: &mut Vm, listing: &Listing) -> Vec<MethodId> {
    let mut bodies = Vec::new();
    for listed in &listing.instructions {
        if let Step::Dynamic(_, _, members) = &listed.step {
            bodies.extend(members.iter().filter_map(|member| vm.named_method(member)));
        }
    }
    bodies
}

/// Whether a class or interface of the library has a method that one of the program's overrides, or may in a
/// subclass.
#[must_use]
pub fn overrides_library(vm: &Vm, method: MethodId) -> bool {
    let this = vm.method(method);
    let (name, class) = (this.name, this.class);
    if vm.text(name) == "<init>" {
        return false;
    }
    let below = vm
        .loaded_classes()
        .filter(|&other| vm.is_subclass(other, class));
    let mut above = below.flat_map(|below| {
        let class = vm.class(below);
        class.display.iter().chain(&class.all_interfaces).copied()
    });
    above.any(|above| {
        !vm.is_app_class(above)
            && (vm.class(above).methods.iter()).any(|&other| vm.method(other).name == name)
    })
}

/// The methods of a class of the program, own and inherited, that override what the library declares.
pub fn overriding(vm: &mut Vm, class: ClassId) -> Vec<MethodId> {
    let this = vm.class(class);
    let above = this.display.iter().chain(&this.all_interfaces).copied();
    let library: Vec<ClassId> = above.filter(|&above| !vm.is_app_class(above)).collect();
    let mut found = Vec::new();
    for above in library {
        for method in vm.class(above).methods.clone() {
            let method = vm.select(class, method);
            found.extend(method.filter(|method| !found.contains(method)));
        }
    }
    found.retain(|&method| vm.is_app_class(vm.method(method).class));
    found
}

/// Whether a method of the library calls none of the program's: one on numbers and strings alone.
#[must_use]
pub fn calls_nobody(member: &Member) -> bool {
    let is_value = |name: &str| {
        is_value_class(name) || Kind::of(name.trim_start_matches('[')) != Kind::Reference
    };
    let class = &member.class[..];
    let is_thrown = class.ends_with("Exception") || class.ends_with("Error");
    let is_own = match &member.name[..] {
        "requireNonNull" => {
            return class == "java/util/Objects" && !member.descriptor.contains("Supplier");
        }
        "getClass" => return true,
        "<init>" if class == "java/lang/Object" => return true,
        "<init>" if is_thrown => class.starts_with("java/"),
        _ => {
            let others = [
                "java/lang/Math",
                "java/lang/StringBuilder",
                "java/lang/System",
                "java/util/Arrays",
            ];
            is_value(class) || others.contains(&class)
        }
    };
    let taken = descriptor::split_method(&member.descriptor);
    let mut taken = taken.into_iter().flat_map(|(takes, _)| takes);
    is_own && taken.all(|taken| is_value(descriptor::class_name(taken)))
}
