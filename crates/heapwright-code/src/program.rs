//! The code that calls of a class can lead to: its classes, and the methods that others call by themselves.
//!
//! Invariant: a class of the program that is left out is led to by no code of those that are not.

use heapwright_jvm::listing::{Listing, Step};
use heapwright_jvm::{ClassId, MethodId, Vm};

use super::places::home;

/// Most classes whose code is looked at.
const MAX_CLASSES: usize = 500;

/// Some classes and all of the program that their code leads to, subclasses among them; none if they are
/// too many.
pub(super) fn program(vm: &mut Vm, classes: &[ClassId]) -> Option<Vec<ClassId>> {
    let mut found = classes.to_vec();
    let mut place = 0;
    loop {
        while let Some(&class) = found.get(place) {
            place += 1;
            for method in vm.class(class).methods.clone() {
                let Ok(listing) = vm.listing(method) else {
                    continue;
                };
                for listed in &listing.instructions {
                    let names = match &listed.step {
                        Step::Invoke(_, member)
                        | Step::GetField(member, _)
                        | Step::PutField(member, _) => vec![&member.class],
                        Step::Dynamic(_, _, members) => {
                            members.iter().map(|member| &member.class).collect()
                        }
                        Step::New(name) => vec![name],
                        _ => continue,
                    };
                    for name in names {
                        if let Ok(class) = vm.load_class(name)
                            && vm.is_app_class(class)
                            && !found.contains(&class)
                        {
                            found.push(class);
                        }
                    }
                }
            }
        }
        let subclasses = vm.loaded_classes().filter(|&class| {
            let mut above = found.iter();
            vm.is_app_class(class)
                && !found.contains(&class)
                && above.any(|&above| vm.is_subclass(class, above))
        });
        let subclasses: Vec<ClassId> = subclasses.collect();
        if subclasses.is_empty() {
            return Some(found);
        }
        found.extend(subclasses);
        if found.len() > MAX_CLASSES {
            return None;
        }
    }
}

/// The outermost class around a class and all in it, as far as they can be loaded.
pub(super) fn within_home(vm: &mut Vm, class: ClassId) -> Vec<ClassId> {
    let own = home(vm.class_name(class)).to_owned();
    let mut found: Vec<ClassId> = vm.load_class(&own).into_iter().collect();
    if !found.contains(&class) {
        found.push(class);
    }
    let mut place = 0;
    while let Some(&class) = found.get(place) {
        place += 1;
        let file = vm.class(class).file.clone();
        let inner = file.iter().flat_map(|file| &file.info.inner_classes);
        let names = inner.map(|inner| vm.text(inner.inner).to_owned());
        let names: Vec<String> = names.filter(|name| home(name) == own).collect();
        for name in names {
            if let Ok(member) = vm.load_class(&name)
                && !found.contains(&member)
            {
                found.push(member);
            }
        }
    }
    found
}

/// The code of a class initializer, if there is one.
pub(super) fn initializer(vm: &Vm, class: ClassId) -> Option<Listing> {
    let mut methods = vm.class(class).methods.iter().copied();
    let found = methods.find(|&method| vm.text(vm.method(method).name) == "<clinit>");
    vm.listing(found?).ok()
}

/// The methods that code hands to others: bodies of lambdas, and methods that are referred to.
pub(super) fn bodies(vm: &mut Vm, listing: &Listing) -> Vec<MethodId> {
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
pub(super) fn overrides_library(vm: &Vm, method: MethodId) -> bool {
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
