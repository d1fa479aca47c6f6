//! Methods that code outside of the analysis may call by itself: lambda bodies and overrides of
//! library methods. Library methods that access fields no instruction names.

use heapwright_jvm::descriptor::{self, Kind, is_value_class};
use heapwright_jvm::listing::{ListedMember, ListedOperation, Listing};
use heapwright_jvm::{ClassId, MethodId, Vm};

/// Returns the methods that code hands to others: lambda bodies and targets of method references.
pub fn lambda_bodies(vm: &mut Vm, listing: &Listing) -> Vec<MethodId> {
    let mut bodies = Vec::new();
    for listed in &listing.instructions {
        if let ListedOperation::Dynamic(_, _, members) = &listed.step {
            bodies.extend(members.iter().filter_map(|member| vm.named_method(member)));
        }
    }
    bodies
}

/// Whether the library declares a method with this one's name in a supertype of its class or of a
/// loaded subclass.
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

/// Returns the program's methods, declared by a class or inherited, that override a method of the
/// library.
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
    found.retain(|&method| {
        let this = vm.method(method);
        vm.is_app_class(this.class) && !vm.text(this.name).starts_with('<')
    });
    found
}

/// Whether a library method can call no method of the program, because it uses numbers, strings
/// and other values alone.
#[must_use]
pub fn calls_no_program_code(member: &ListedMember) -> bool {
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

/// Whether a library method may read and write fields that no instruction names: through handles,
/// field updaters, reflection or memory addresses.
#[must_use]
pub fn accesses_unnamed_fields(member: &ListedMember) -> bool {
    let class = &member.class[..];
    let is_reflective =
        class.starts_with("java/lang/reflect/") && class != "java/lang/reflect/Array";
    is_reflective
        || class.starts_with("java/lang/invoke/")
        || class.ends_with("FieldUpdater")
        || class.ends_with("/misc/Unsafe")
}
