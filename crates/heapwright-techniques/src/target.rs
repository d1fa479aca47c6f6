//! The class under test: lookup of the class, its invariant and the methods to call.

use heapwright_code::nested_classes;
use heapwright_jvm::class::{Method, flags};
use heapwright_jvm::classfile::InnerClassInfo;

use heapwright_jvm::link::LoadError;
use heapwright_jvm::{ClassId, MethodId, Vm};
use rustc_hash::FxHashSet;

use crate::Error;

/// The usual names of an invariant, in order of precedence.
pub const INVARIANT_NAMES: [&str; 5] = ["repOK", "repOk", "checkRep", "invariant", "isValid"];

/// Loads a class by its binary name (`a.b.Tree$Node`) or its source name (`a.b.Tree.Node`).
///
/// # Errors
/// There is none, or it cannot be used.
pub fn find_class(vm: &mut Vm, name: &str) -> Result<ClassId, Error> {
    let mut internal = name.replace('.', "/");
    loop {
        match vm.load_class(&internal) {
            Ok(class) => return Ok(class),
            Err(LoadError::NotFound(missing)) if vm.text(missing) == internal => {
                // A member class may have its source name.
                match internal.rfind('/') {
                    Some(slash) => internal.replace_range(slash..=slash, "$"),
                    None => return Err(Error::ClassNotFound(name.to_owned())),
                }
            }
            Err(LoadError::NotFound(missing)) => {
                let reason = format!(
                    "it needs {}, which is missing",
                    vm.text(missing).replace('/', ".")
                );
                return Err(Error::BadClass {
                    class: name.to_owned(),
                    reason,
                });
            }
            Err(LoadError::Invalid(reason)) => {
                return Err(Error::BadClass {
                    class: name.to_owned(),
                    reason,
                });
            }
            Err(LoadError::TooNew { name: of, major }) => {
                let of = vm.text(of).to_owned();
                return Err(Error::BadClass {
                    class: of.replace('/', "."),
                    reason: vm.too_new(major),
                });
            }
            Err(LoadError::HeapFull) => {
                return Err(Error::BadClass {
                    class: name.to_owned(),
                    reason: "no memory is left".to_owned(),
                });
            }
        }
    }
}

/// Returns a class under test, and if asked for its nested classes, those of methods included.
pub(crate) fn classes_under_test(vm: &mut Vm, class: ClassId, has_members: bool) -> Vec<ClassId> {
    let own = vm.class_name(class).to_owned();
    let mut classes = nested_classes(vm, class);
    classes.retain(|&other| {
        let member = vm.class_name(other).strip_prefix(&own);
        member.is_some_and(|rest| rest.is_empty() || has_members && rest.starts_with('$'))
    });
    classes
}

/// Whether a class is local or anonymous: the compiler numbers it, and other code cannot name it.
pub(crate) fn is_local(vm: &Vm, class: ClassId) -> bool {
    let file = vm.class(class).file.as_ref();
    file.is_some_and(|file| file.info.enclosing.is_some())
}

/// Whether one of some classes overrides a method of another class.
pub(crate) fn is_overridden(vm: &Vm, classes: &[ClassId], method: MethodId) -> bool {
    !overriding(vm, classes, method).is_empty()
}

/// Returns the methods that some classes declare, and that override a method of another class.
pub(crate) fn overriding(vm: &Vm, classes: &[ClassId], method: MethodId) -> Vec<MethodId> {
    let this = vm.method(method);
    let (class, key) = (this.class, (this.name, this.descriptor));
    let closed = flags::STATIC | flags::PRIVATE | flags::FINAL;
    if this.flags & closed != 0 || vm.text(this.name) == "<init>" {
        return Vec::new();
    }
    let below = classes
        .iter()
        .filter(|&&other| other != class && vm.is_subclass(other, class));
    let own = below.filter_map(|&other| vm.class(other).method_index.get(&key).copied());
    own.collect()
}

/// Returns the methods that code outside of some classes may call on an object of one of them:
/// those that override one of another class.
pub(crate) fn called_back(vm: &Vm, classes: &[ClassId], class: ClassId) -> Vec<MethodId> {
    let class = vm.class(class);
    let above = class.display.iter().chain(&class.all_interfaces);
    let outside = above.copied().filter(|above| !classes.contains(above));
    let outside: Vec<ClassId> = outside.collect();
    let overrides = |&method: &MethodId| {
        let this = vm.method(method);
        let key = (this.name, this.descriptor);
        let mut above = outside.iter().map(|&above| vm.class(above));
        vm.text(this.name) != "<init>" && above.any(|above| above.method_index.contains_key(&key))
    };
    class.methods.iter().copied().filter(overrides).collect()
}

/// Returns the declared and inherited methods of a class, except `Object`'s. Methods overridden in
/// a subclass are omitted. Subclasses come first, and each class's methods are in declaration
/// order.
#[must_use]
pub fn methods(vm: &Vm, class: ClassId) -> Vec<MethodId> {
    methods_like(vm, class, &|_| true)
}

/// Returns those of the [`methods`] of a class that fit by their names and descriptors.
pub(crate) fn methods_like(
    vm: &Vm,
    class: ClassId,
    fits: &dyn Fn(&Method) -> bool,
) -> Vec<MethodId> {
    let mut found: Vec<MethodId> = Vec::new();
    let mut known = FxHashSet::default();
    let mut classes: Vec<ClassId> = vm.class(class).display.iter().rev().copied().collect();
    classes.retain(|&class| vm.class_name(class) != "java/lang/Object");
    classes.extend(
        vm.class(class)
            .all_interfaces
            .iter()
            .filter(|&&interface| interface != class),
    );
    for class in classes {
        for &method in &vm.class(class).methods {
            let this = vm.method(method);
            let signature = (this.name, this.descriptor);
            let is_found = fits(this) && this.index.is_some() && !makes_public(vm, method);
            if is_found && known.insert(signature) {
                found.push(method);
            }
        }
    }
    found
}

/// Whether a method is a bridge that only makes a method of a non-public superclass public; the
/// inherited method is then used instead.
fn makes_public(vm: &Vm, method: MethodId) -> bool {
    let this = vm.method(method);
    let class = vm.class(this.class);
    let Some(above) = class
        .super_class
        .filter(|_| this.flags & flags::BRIDGE != 0)
    else {
        return false;
    };
    let inherits = vm.class(above).display.iter().any(|&above| {
        let above = vm.class(above);
        let mut methods = above.methods.iter().map(|&method| vm.method(method));
        above.flags & flags::PUBLIC == 0
            && methods.any(|other| (other.name, other.descriptor) == (this.name, this.descriptor))
    });
    // A bridge for an overriding method with other types is accompanied by that method.
    let mut beside = class.methods.iter().map(|&method| vm.method(method));
    inherits && !beside.any(|other| other.name == this.name && other.flags & flags::BRIDGE == 0)
}

/// The name of the trivial invariant, unless a class has a method with that name.
pub const NO_INVARIANT: &str = "none";

/// Finds the invariant of a class: a boolean method without parameters called `name`, or the first
/// of [`INVARIANT_NAMES`]. For `none`, unless a method has that name, returns a static method that
/// accepts any object.
///
/// # Errors
/// There is none.
pub fn find_invariant(vm: &mut Vm, class: ClassId, name: Option<&str>) -> Result<MethodId, Error> {
    let fitting: Vec<MethodId> = methods(vm, class)
        .into_iter()
        .filter(|&method| {
            let this = vm.method(method);
            vm.text(this.descriptor) == "()Z" && !this.is_static() && !this.is_abstract()
        })
        .collect();
    let named = |name: &str| {
        fitting
            .iter()
            .copied()
            .find(|&method| vm.text(vm.method(method).name) == name)
    };
    let found = match name {
        Some(name) => named(name),
        None => INVARIANT_NAMES.into_iter().find_map(named),
    };
    let found = match name {
        Some(NO_INVARIANT) => found.or_else(|| anything(vm)),
        _ => found,
    };
    found.ok_or_else(|| Error::MethodNotFound {
        class: vm.binary_name(class),
        what: "invariant (a boolean instance method without parameters)",
        name: name.map_or_else(|| INVARIANT_NAMES.join(", "), str::to_owned),
        candidates: fitting
            .iter()
            .map(|&method| vm.text(vm.method(method).name).to_owned())
            .collect(),
    })
}

/// Returns the method that accepts any object; `None` if its class is not on the class path.
fn anything(vm: &mut Vm) -> Option<MethodId> {
    let class = vm.load_class("heapwright/Anything").ok()?;
    vm.declared_method(class, "holds", "(Ljava/lang/Object;)Z")
}

/// Finds the criterion of a class: the method called `name` without parameters and with a result.
///
/// # Errors
/// There is none.
pub fn find_criterion(vm: &Vm, class: ClassId, name: &str) -> Result<MethodId, Error> {
    let fitting: Vec<MethodId> = methods(vm, class)
        .into_iter()
        .filter(|&method| {
            let this = vm.method(method);
            let descriptor = vm.text(this.descriptor);
            descriptor.starts_with("()")
                && descriptor != "()V"
                && !this.is_static()
                && !this.is_abstract()
                && this.flags & (flags::SYNTHETIC | flags::BRIDGE) == 0
        })
        .collect();
    let name_of = |method: MethodId| vm.text(vm.method(method).name);
    fitting
        .iter()
        .copied()
        .find(|&method| name_of(method) == name)
        .ok_or_else(|| Error::MethodNotFound {
            class: vm.binary_name(class),
            what: "criterion (an instance method without parameters that returns something)",
            name: name.to_owned(),
            candidates: fitting
                .iter()
                .map(|&method| name_of(method).to_owned())
                .collect(),
        })
}

/// Returns the attributes of a member, local or anonymous class; `None` for other classes.
pub(crate) fn inner_class(vm: &Vm, class: ClassId) -> Option<&InnerClassInfo> {
    let file = vm.class(class).file.as_ref()?;
    let mut inner_classes = file.info.inner_classes.iter();
    inner_classes.find(|inner| vm.text(inner.inner) == vm.class_name(class))
}

/// Whether a class is inner, so that its objects need an outer object before `new`.
pub(crate) fn needs_outer(vm: &Vm, class: ClassId) -> bool {
    is_inner(vm, class) && !is_inner_of_interface(vm, class)
}

/// Whether a class is inner and a member of an interface, as Scala's compiler writes it. Java takes
/// such a class for a static one: no source code creates its objects.
pub(crate) fn is_inner_of_interface(vm: &Vm, class: ClassId) -> bool {
    let outer = inner_class(vm, class).and_then(|inner| inner.outer);
    let outer = outer.and_then(|outer| vm.loaded_class(vm.text(outer)));
    is_inner(vm, class) && outer.is_some_and(|outer| vm.class(outer).is_interface())
}

/// Whether a class is inner, or an interface that a compiler of another language does not call static.
pub(crate) fn is_inner(vm: &Vm, class: ClassId) -> bool {
    inner_class(vm, class).is_some_and(|inner| inner.flags & flags::STATIC == 0)
}
