//! Packages: their classes, for searches of subclasses, and the members that tests in a package can
//! name.

use heapwright_jvm::class::{Loader, flags};
use heapwright_jvm::{ClassId, MethodId, Vm};
use rustc_hash::FxHashMap;

use crate::functional::{functional, is_stub};
use crate::signatures::of_class;
use crate::target::inner_class;

/// Maximum number of subclasses in other packages that are created for a type.
const MAX_FOREIGN: usize = 8;

/// Cache of the classes of packages.
#[derive(Default)]
pub(crate) struct Packages {
    classes: FxHashMap<String, Vec<ClassId>>,
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
        let classes = self.classes(vm, package).iter().copied();
        classes
            .filter(|&other| {
                other != class && !vm.class(other).is_abstract() && vm.is_subclass(other, class)
            })
            .collect()
    }

    /// Returns the concrete subclasses of a class in other packages of the class path, the nearest
    /// first, and whether there are more than these.
    pub fn foreign_subclasses(&mut self, vm: &mut Vm, class: ClassId) -> (Vec<ClassId>, bool) {
        let package = package_of(vm, class);
        if vm.class(class).flags & flags::FINAL != 0 || !self.is_extensible(vm, class, &package) {
            return (Vec::new(), false);
        }
        let mut found = Vec::new();
        for name in vm.class_path().subtypes(vm.class_name(class)) {
            // A class that cannot be loaded has no objects.
            if package_in(&name) != package
                && let Ok(below) = vm.load_class(&name)
                && !vm.class(below).is_abstract()
                && vm.is_subclass(below, class)
            {
                if found.len() == MAX_FOREIGN {
                    return (found, true);
                }
                found.push(below);
            }
        }
        (found, false)
    }

    /// Whether other packages can extend a class or one of its subtypes in its package.
    fn is_extensible(&mut self, vm: &mut Vm, class: ClassId, package: &str) -> bool {
        let classes = self.classes(vm, package).iter();
        let mut below = classes.filter(|&&other| vm.is_subclass(other, class));
        below.any(|&other| access(vm, other) & (flags::PUBLIC | flags::PROTECTED) != 0)
    }

    /// Returns the classes of a package that can be loaded.
    fn classes(&mut self, vm: &mut Vm, package: &str) -> &[ClassId] {
        self.classes
            .entry(package.to_owned())
            .or_insert_with(|| load_package(vm, package))
    }
}

/// Returns the package of a class, with a slash at its end; empty for the unnamed package.
pub(crate) fn package_of(vm: &Vm, class: ClassId) -> String {
    package_in(vm.class_name(class)).to_owned()
}

/// Returns the package in an internal name, with a slash at its end; empty for the unnamed package.
fn package_in(name: &str) -> &str {
    name.rfind('/').map_or("", |slash| &name[..=slash])
}

/// Returns the access flags of a class, for a member class those of its declaration.
fn access(vm: &Vm, class: ClassId) -> u16 {
    inner_class(vm, class).map_or(vm.class(class).flags, |inner| inner.flags)
}

/// Whether only classes with the same outermost class can name a class.
pub(crate) fn is_hidden(vm: &Vm, class: ClassId) -> bool {
    // Local classes have no access flags of their own.
    let inner = inner_class(vm, class);
    inner.is_some_and(|inner| inner.outer.is_none() || inner.flags & flags::PRIVATE != 0)
}

/// Whether classes that are not on the class path may extend or implement a class of the program, or
/// a loaded one below it.
pub(crate) fn is_extensible(vm: &Vm, class: ClassId) -> bool {
    let mut loaded = vm.loaded_classes();
    vm.is_app_class(class)
        && loaded.any(|below| vm.is_subclass(below, class) && takes_subclasses(vm, below))
}

/// Whether classes that are not on the class path may extend or implement just this class.
fn takes_subclasses(vm: &Vm, class: ClassId) -> bool {
    let this = vm.class(class);
    let Some(file) = this.file.as_ref() else {
        return false;
    };
    let opens = |&method: &MethodId| {
        let method = vm.method(method);
        let closed = flags::PRIVATE | flags::SYNTHETIC;
        vm.text(method.name) == "<init>" && method.flags & closed == 0
    };
    this.flags & (flags::FINAL | flags::ENUM) == 0
        && file.info.permitted.is_none()
        && !is_hidden(vm, class)
        && (this.is_interface() || this.methods.iter().any(opens))
}

/// Whether tests of a class can be in its package; false for packages of the JDK and those that a
/// jar's signature or seal closes.
#[must_use]
pub fn takes_tests(vm: &Vm, class: ClassId) -> bool {
    vm.is_app_class(class) && !vm.class_path().is_closed(vm.class_name(class))
}

/// Packages of the standard libraries of other languages, which are on the class path.
const LANGUAGES: [&str; 2] = ["kotlin/", "scala/"];

/// Whether a class belongs to the standard library of another language, in which the class under
/// test is not.
fn is_of_language(vm: &Vm, class: ClassId, under_test: ClassId) -> bool {
    let language = |class: ClassId| {
        let name = vm.class_name(class);
        LANGUAGES.iter().find(|package| name.starts_with(**package))
    };
    language(class).is_some() && language(class) != language(under_test)
}

/// Whether a class is of the standard library of another language, or of a library of the program.
/// Sequences make its objects as arguments, but are not made of its other methods.
pub(crate) fn is_of_library(vm: &Vm, class: ClassId, under_test: ClassId) -> bool {
    is_of_language(vm, class, under_test) || vm.class_path().is_of_library(vm.class_name(class))
}

/// Whether a class is a generic one of a library of the program, of which no lambda is an object: what an
/// object of it holds is said by its type arguments.
pub(crate) fn is_generic_of_library(vm: &Vm, class: ClassId) -> bool {
    vm.class_path().is_of_library(vm.class_name(class))
        && !of_class(vm, class).0.is_empty()
        && functional(vm, class).is_empty()
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
        let is_open =
            access & flags::PUBLIC != 0 || access & flags::PRIVATE == 0 && self.has(vm, class);
        is_open && vm.is_class_published(class)
    }

    /// Whether tests can name a class, ignoring the access of its enclosing classes.
    pub fn names(&self, vm: &Vm, class: ClassId) -> bool {
        self.opens(vm, class, access(vm, class))
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

/// Returns the classes of a package that can be loaded, abstract ones too.
pub(crate) fn load_package(vm: &mut Vm, package: &str) -> Vec<ClassId> {
    let names = vm.class_path().names_in(package);
    // A class that cannot be loaded has no objects.
    let loaded = names.iter().filter_map(|name| vm.load_class(name).ok());
    loaded.collect()
}
