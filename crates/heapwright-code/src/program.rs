//! The classes of the program that the code of some classes leads to.
//!
//! **Invariant:** code of the returned classes refers to no program class that is missing from
//! them.

use heapwright_jvm::listing::{ListedOperation, Listing};
use heapwright_jvm::{ClassId, Vm};

/// Maximum number of classes whose code is read.
const MAX_CLASSES: usize = 500;

/// Returns the name of the outermost class around a class.
#[must_use]
pub fn outermost_class_name(name: &str) -> &str {
    name.split('$').next().unwrap_or(name)
}

/// Returns the given classes and all program classes that their code refers to, subclasses
/// included. `None` if subclasses make them more than 500.
pub fn program(vm: &mut Vm, classes: &[ClassId]) -> Option<Vec<ClassId>> {
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
                        ListedOperation::Invoke(_, member)
                        | ListedOperation::GetField(member, _)
                        | ListedOperation::PutField(member, _) => vec![&member.class],
                        ListedOperation::Dynamic(_, _, members) => {
                            members.iter().map(|member| &member.class).collect()
                        }
                        ListedOperation::New(name) => vec![name],
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

/// Returns the outermost class around a class and all classes nested in it, as far as they can be
/// loaded.
pub fn nested_classes(vm: &mut Vm, class: ClassId) -> Vec<ClassId> {
    let own = outermost_class_name(vm.class_name(class)).to_owned();
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
        let names: Vec<String> = names
            .filter(|name| outermost_class_name(name) == own)
            .collect();
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

/// Code of the class initialiser; `None` if the class has none.
#[must_use]
pub fn initializer(vm: &Vm, class: ClassId) -> Option<Listing> {
    let mut methods = vm.class(class).methods.iter().copied();
    let found = methods.find(|&method| vm.text(vm.method(method).name) == "<clinit>");
    vm.listing(found?).ok()
}
