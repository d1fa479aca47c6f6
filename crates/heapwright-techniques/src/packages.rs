//! The classes of a package, for whoever looks for subclasses.

use heapwright_jvm::class::{Loader, flags};
use heapwright_jvm::{ClassId, Vm};
use rustc_hash::FxHashMap;

/// The concrete classes of each package looked through.
#[derive(Default)]
pub(crate) struct Packages {
    concrete: FxHashMap<String, Vec<ClassId>>,
}

impl Packages {
    /// The class itself and its subclasses in its package, as far as they have objects.
    pub fn concrete(&mut self, vm: &mut Vm, class: ClassId) -> Vec<ClassId> {
        if !vm.class(class).is_abstract() && vm.class(class).flags & flags::FINAL != 0 {
            return vec![class];
        }
        let package = package_of(vm, class);
        let mut concrete = self.subclasses(vm, class, &package);
        if !vm.class(class).is_abstract() {
            concrete.insert(0, class);
        }
        concrete
    }

    /// The concrete subclasses of a class in a package, itself apart.
    pub fn subclasses(&mut self, vm: &mut Vm, class: ClassId, package: &str) -> Vec<ClassId> {
        if !self.concrete.contains_key(package) {
            let found = load_package(vm, package);
            self.concrete.insert(package.to_owned(), found);
        }
        self.concrete[package]
            .iter()
            .copied()
            .filter(|&other| other != class && vm.is_subclass(other, class))
            .collect()
    }
}

/// The package of a class, with a slash at its end; nothing for the unnamed one.
pub(crate) fn package_of(vm: &Vm, class: ClassId) -> String {
    let name = vm.class_name(class).rsplit_once('/');
    name.map_or(String::new(), |(package, _)| format!("{package}/"))
}

/// Whether tests of a class can be in its package: not in one of the JDK's, nor where all classes of the package need
/// the signature of a jar.
#[must_use]
pub fn takes_tests(vm: &Vm, class: ClassId) -> bool {
    vm.is_app_class(class) && !vm.class_path().is_signed(vm.class_name(class))
}

/// The classes of `java.lang` that classes of a class's package hide, by their simple names, in order.
#[must_use]
pub fn hidden_names(vm: &mut Vm, class: ClassId) -> Vec<String> {
    let package = package_of(vm, class);
    if vm.class(class).loader != Loader::App {
        return Vec::new();
    }
    let names = vm.class_path().names_in(&package).into_iter();
    let mut hidden: Vec<String> = names
        .filter_map(|name| {
            let simple = name.strip_prefix(&package)?.to_owned();
            let is_hidden =
                !simple.contains('$') && vm.load_class(&format!("java/lang/{simple}")).is_ok();
            is_hidden.then_some(simple)
        })
        .collect();
    hidden.sort_unstable();
    hidden.dedup();
    hidden
}

/// The outermost class around one, by its internal name.
pub(crate) fn home(vm: &Vm, class: ClassId) -> &str {
    let name = vm.class_name(class);
    name.split('$').next().unwrap_or(name)
}

/// The classes of a package of which there can be objects, but for those that cannot be loaded.
pub(crate) fn load_package(vm: &mut Vm, package: &str) -> Vec<ClassId> {
    let names = vm.class_path().names_in(package);
    // A class that cannot be loaded has no objects, either.
    let loaded = names.iter().filter_map(|name| vm.load_class(name).ok());
    let loaded: Vec<ClassId> = loaded.collect();
    loaded
        .into_iter()
        .filter(|&class| !vm.class(class).is_abstract())
        .collect()
}
