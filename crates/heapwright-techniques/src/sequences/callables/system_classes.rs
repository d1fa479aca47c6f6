//! Finds the system under test if the user did not name it: the classes whose objects are needed to
//! call the class under test.

use heapwright_jvm::class::flags;
use heapwright_jvm::descriptor::{self, Kind};
use heapwright_jvm::listing::ListedOperation;
use heapwright_jvm::{ClassId, MethodId, Vm};
use rustc_hash::{FxHashMap, FxHashSet};

use super::builder_setters::setters;
use crate::packages::{Packages, is_of_library, load_package, package_of, takes_tests};
use crate::statements::is_value_class;
use crate::target::inner_class;

/// Number of methods, over all classes reached through parameters, at which no further class is
/// added. Nearer classes come first. Each method may be a statement of a sequence, and those of
/// distant classes are seldom useful.
const MANY_METHODS: usize = 6_000;

/// The classes whose members sequences use.
#[derive(Clone, Debug, Default)]
pub struct System {
    /// The classes by distance, the class under test first.
    pub classes: Vec<ClassId>,
    /// Number of classes at the boundary that were left out; 0 if none was.
    pub left_out: usize,
}

/// Finds the class under test, its member classes, and transitively the parameter classes of
/// constructors and methods. An abstract class brings the concrete subclasses in its package. A
/// method with a parameter of a type such as `Object` brings the classes in its casts and
/// `instanceof` tests. Library classes are included only if they are public and in the package of
/// the class under test; those of the libraries of Kotlin and Scala only for a class of these. `methods` are further methods whose parameters are needed. If `stops`
/// returns true, the result is what has been found so far.
pub fn system(
    vm: &mut Vm,
    class: ClassId,
    methods: &[MethodId],
    stops: &dyn Fn() -> bool,
) -> System {
    let mut finder = SystemClassFinder {
        package: package_of(vm, class),
        under_test: class,
        packages: Packages::default(),
        found: vec![class],
        known: [class].into_iter().collect(),
        methods: 0,
        left_out: 0,
    };
    for &method in methods {
        finder.enter_parameters(vm, method);
    }
    let mut at = 0;
    while at < finder.found.len() && !stops() {
        let class = finder.found[at];
        at += 1;
        finder.look_at(vm, class);
    }
    System {
        classes: finder.found,
        left_out: finder.left_out,
    }
}

/// Returns methods of other public classes in the package of the class under test that lead to
/// objects of the system. These are the methods that return one. Instance methods also need static
/// methods that return their receiver or, without any, its constructors; setters of the receiver are
/// found, too.
pub fn factories(vm: &mut Vm, system: &[ClassId]) -> Vec<(ClassId, MethodId)> {
    let Some(&under_test) = system.first().filter(|&&class| vm.is_app_class(class)) else {
        return Vec::new();
    };
    let is_wanted: FxHashSet<ClassId> = system.iter().copied().collect();
    let package = package_of(vm, under_test);
    let mut others = load_package(vm, &package);
    others.retain(|&class| {
        let flags = inner_class(vm, class).map_or(vm.class(class).flags, |inner| inner.flags);
        flags & flags::PUBLIC != 0 && !vm.class(class).is_abstract() && !is_wanted.contains(&class)
    });
    let methods = others.iter().flat_map(|&class| {
        let own = vm.class(class).methods.iter();
        own.map(move |&method| (class, method))
    });
    let given = methods.filter_map(|of| Some((given(vm, of.1)?, of)));
    let given: Vec<(ClassId, (ClassId, MethodId))> = given.collect();
    let is_static = |vm: &Vm, method: MethodId| vm.method(method).is_static();
    let wanted = given.iter().filter(|(given, _)| is_wanted.contains(given));
    let mut found: Vec<(ClassId, MethodId)> = wanted.map(|&(_, of)| of).collect();
    let mut leading: FxHashMap<ClassId, Vec<(ClassId, MethodId)>> = FxHashMap::default();
    for &(given, of) in given.iter().filter(|(_, of)| is_static(vm, of.1)) {
        leading.entry(given).or_default().push(of);
    }
    let mut owners: Vec<ClassId> = found
        .iter()
        .filter(|&&(_, method)| !is_static(vm, method))
        .map(|&(owner, _)| owner)
        .collect();
    owners.dedup();
    for owner in owners {
        match leading.get(&owner) {
            Some(leading) => found.extend(leading),
            None => {
                let own = vm.class(owner).methods.iter().copied();
                let is_constructor =
                    |method: &MethodId| vm.text(vm.method(*method).name) == "<init>";
                found.extend(own.filter(is_constructor).map(|method| (owner, method)));
            }
        }
    }
    let setters = setters(vm, &found);
    found.extend(setters);
    found
}

/// Returns the class of the object that a non-synthetic method returns.
fn given(vm: &Vm, method: MethodId) -> Option<ClassId> {
    let this = vm.method(method);
    let (_, result) = descriptor::split_method(vm.text(this.descriptor))?;
    let is_object = this.flags & flags::SYNTHETIC == 0 && Kind::of(result) == Kind::Reference;
    let class = is_object.then(|| vm.loaded_class(descriptor::class_name(result)));
    class.flatten()
}

/// Whether further classes may be added to a list that begins with the class under test.
pub(in crate::sequences) fn has_room(vm: &Vm, classes: &[ClassId]) -> bool {
    let methods = classes
        .iter()
        .skip(1)
        .map(|&class| vm.class(class).methods.len());
    methods.sum::<usize>() < MANY_METHODS
}

struct SystemClassFinder {
    /// The package of the class under test, with a slash at its end.
    package: String,
    under_test: ClassId,
    packages: Packages,
    found: Vec<ClassId>,
    /// Classes found, and classes left out.
    known: FxHashSet<ClassId>,
    /// Number of methods of the classes found, except the class under test.
    methods: usize,
    left_out: usize,
}

impl SystemClassFinder {
    fn look_at(&mut self, vm: &mut Vm, class: ClassId) {
        for method in vm.class(class).methods.clone() {
            let this = vm.method(method);
            let hidden = flags::PRIVATE | flags::SYNTHETIC | flags::BRIDGE;
            if this.flags & hidden == 0 {
                self.enter_parameters(vm, method);
            }
        }
        if vm.class(class).is_abstract() {
            for below in self.packages.concrete(vm, class) {
                self.enter(vm, below);
            }
        }
        for above in vm.class(class).display.clone() {
            // Inherited methods may take further classes.
            if vm.is_app_class(above) && above != class {
                for method in vm.class(above).methods.clone() {
                    if vm.text(vm.method(method).name) != "<init>" {
                        self.enter_parameters(vm, method);
                    }
                }
            }
        }
        self.enter_members(vm, class);
    }

    fn enter_parameters(&mut self, vm: &mut Vm, method: MethodId) {
        let text = vm.text(vm.method(method).descriptor).to_owned();
        let parameters = descriptor::split_method(&text).unwrap_or_default().0;
        for parameter in parameters {
            let element = parameter.trim_start_matches('[');
            if Kind::of(element) != Kind::Reference {
                continue;
            }
            let Ok(class) = vm.load_class(descriptor::class_name(element)) else {
                continue;
            };
            self.enter(vm, class);
            if is_wide(vm, class) {
                self.enter_casts(vm, method);
            }
        }
    }

    /// Adds the classes to which a method's code casts, or which it tests with `instanceof`.
    fn enter_casts(&mut self, vm: &mut Vm, method: MethodId) {
        let Ok(listing) = vm.listing(method) else {
            return;
        };
        for listed in listing.instructions {
            if let ListedOperation::CheckCast(name) | ListedOperation::InstanceOf(name) =
                listed.step
                && !name.starts_with('[')
                && let Ok(class) = vm.load_class(&name)
            {
                self.enter(vm, class);
            }
        }
    }

    /// Adds the member classes of a class; only public ones of a library class.
    fn enter_members(&mut self, vm: &mut Vm, class: ClassId) {
        let Some(file) = vm.class(class).file.clone() else {
            return;
        };
        let own = vm.class(class).name;
        for inner in &file.info.inner_classes {
            let is_open = takes_tests(vm, class) || inner.flags & flags::PUBLIC != 0;
            if inner.outer == Some(own) && is_open {
                let name = vm.text(inner.inner).to_owned();
                if let Ok(member) = vm.load_class(&name) {
                    self.enter(vm, member);
                }
            }
        }
    }

    fn enter(&mut self, vm: &Vm, class: ClassId) {
        let is_near = !vm.is_app_class(self.under_test) && package_of(vm, class) == self.package;
        let flags = vm.class(class).flags;
        let is_open = flags & flags::PUBLIC != 0 && !vm.class(class).is_abstract();
        let is_usable = (vm.is_app_class(class) || is_near && is_open)
            && flags & (flags::SYNTHETIC | flags::ANNOTATION) == 0
            && !is_of_library(vm, class, self.under_test)
            && inner_class(vm, class).is_none_or(|inner| inner.outer.is_some())
            && !is_value_class(vm, class);
        if !is_usable || !self.known.insert(class) {
            return;
        }
        if self.methods >= MANY_METHODS {
            self.left_out += 1;
            return;
        }
        self.methods += vm.class(class).methods.len();
        self.found.push(class);
    }
}

/// Whether a type says little about suitable arguments: `Object`, and the library's interfaces and
/// abstract classes.
pub(in crate::sequences) fn is_wide(vm: &Vm, class: ClassId) -> bool {
    let is_library = vm.class(class).file.is_some() && !vm.is_app_class(class);
    is_library && (vm.class(class).is_abstract() || vm.class_name(class) == "java/lang/Object")
}
