//! Packages: their classes, for searches of subclasses, and the members that tests in a package can
//! name.

use heapwright_jvm::class::{Loader, flags};
use heapwright_jvm::{ClassId, Vm};
use rustc_hash::FxHashMap;

use crate::functional::is_stub;
use crate::target::inner_class;

/// Cache of the concrete classes of packages.
#[derive(Default)]
pub(crate) struct Packages {
    concrete: FxHashMap<String, Vec<ClassId>>,
}

impl Packages {
    /// Returns the class and its subclasses in its package, without abstract ones.
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

    /// Returns the concrete proper subclasses of a class in a package.
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

/// Returns the package of a class, with a slash at its end; empty for the unnamed package.
pub(crate) fn package_of(vm: &Vm, class: ClassId) -> String {
    let name = vm.class_name(class).rsplit_once('/');
    name.map_or(String::new(), |(package, _)| format!("{package}/"))
}

/// Whether tests of a class can be in its package; false for packages of the JDK and of signed
/// jars.
#[must_use]
pub fn takes_tests(vm: &Vm, class: ClassId) -> bool {
    vm.is_app_class(class) && !vm.class_path().is_signed(vm.class_name(class))
}

/// The package of a class's tests, if that may contain other classes too.
pub(crate) struct TestPackage(Option<String>);

impl TestPackage {
    /// Determines the package for tests of a class.
    pub fn of(vm: &Vm, under_test: ClassId) -> TestPackage {
        TestPackage(takes_tests(vm, under_test).then(|| package_of(vm, under_test)))
    }

    /// Whether a class is in the package.
    pub fn has(&self, vm: &Vm, class: ClassId) -> bool {
        let package = self.0.as_ref();
        let is_own = vm.class(class).loader == Loader::App;
        is_own
            && !is_stub(vm, class)
            && package.is_some_and(|package| package_of(vm, class) == *package)
    }

    /// Whether tests can use a class, or a constructor that it declares, with these access flags.
    pub fn opens(&self, vm: &Vm, class: ClassId, access: u16) -> bool {
        access & flags::PUBLIC != 0 || access & flags::PRIVATE == 0 && self.has(vm, class)
    }

    /// Whether tests can name a class, ignoring the access of its enclosing classes.
    pub fn names(&self, vm: &Vm, class: ClassId) -> bool {
        let access = inner_class(vm, class).map_or(vm.class(class).flags, |inner| inner.flags);
        self.opens(vm, class, access)
    }
}

/// Returns the sorted simple names of `java.lang` classes that classes of a class's package hide.
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

/// Returns the internal name of the outermost class that encloses one.
pub(crate) fn home(vm: &Vm, class: ClassId) -> &str {
    heapwright_code::outermost_class_name(vm.class_name(class))
}

/// Returns the concrete classes of a package that can be loaded.
pub(crate) fn load_package(vm: &mut Vm, package: &str) -> Vec<ClassId> {
    let names = vm.class_path().names_in(package);
    // A class that cannot be loaded has no objects.
    let loaded = names.iter().filter_map(|name| vm.load_class(name).ok());
    let loaded: Vec<ClassId> = loaded.collect();
    loaded
        .into_iter()
        .filter(|&class| !vm.class(class).is_abstract())
        .collect()
}
