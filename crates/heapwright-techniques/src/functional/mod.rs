//! Functional interfaces: the method that a lambda implements, classes that stand for lambdas which
//! return one value, and the JDK's comparators.
//!
//! Invariant: a generated class of an interface and an answer's type is defined once on a machine.

mod class_file;

use heapwright_jvm::class::flags;
use heapwright_jvm::descriptor;
use heapwright_jvm::{ClassId, MethodId, Ref, Vm};

use crate::signatures::{Signature, Type, Variables};
use crate::target::find_class;

/// Package of the generated classes.
const PACKAGE: &str = "heapwright/lambdas/";

/// The JDK comparators that tests can write: the class and the field that hold each, and the method
/// that returns it.
const COMPARATORS: [(&str, &str, &str); 2] = [
    (
        "java.util.Comparators$NaturalOrderComparator",
        "INSTANCE",
        "naturalOrder",
    ),
    (
        "java.util.Collections$ReverseComparator",
        "REVERSE_ORDER",
        "reverseOrder",
    ),
];

pub(crate) const COMPARATOR: &str = "java/util/Comparator";

/// Returns the class whose objects stand for lambdas of an interface that return the value of their
/// only field, of type `field`; without one they return null or nothing. `None` if no class file can
/// have such names.
pub(crate) fn stub_class(
    vm: &mut Vm,
    interface: ClassId,
    methods: &[MethodId],
    field: Option<&str>,
) -> Option<ClassId> {
    let name = class_name(vm, interface, field);
    let class = match vm.loaded_class(&name) {
        Some(class) => class,
        None => {
            let signatures = methods.iter().map(|&method| {
                let this = vm.method(method);
                (
                    vm.text(this.name).to_owned(),
                    vm.text(this.descriptor).to_owned(),
                )
            });
            let signatures: Vec<(String, String)> = signatures.collect();
            let implemented = vm.class_name(interface).to_owned();
            let bytes = class_file::class_file(&name, &implemented, field, &signatures);
            vm.define_class(&name, bytes).ok()?
        }
    };
    vm.initialize_now(class).ok()?;
    Some(class)
}

/// Whether a class was generated for lambdas.
pub(crate) fn is_stub(vm: &Vm, class: ClassId) -> bool {
    vm.class_name(class).starts_with(PACKAGE)
}

/// Whether javac accepts the natural order as the comparator: for a type variable, or for a class
/// that implements `Comparable`.
pub(crate) fn compares_itself(vm: &mut Vm, declared: &Type, variables: &Variables) -> bool {
    let Type::Class(_, arguments) = declared else {
        return false;
    };
    match &arguments[..] {
        [] | [Type::Variable(_) | Type::Any] => true,
        [Type::Extends(bound) | Type::Super(bound)] if matches!(**bound, Type::Variable(_)) => true,
        [compared] => {
            let name = compared.erased(variables);
            let comparable = vm.load_class("java/lang/Comparable");
            let class = vm.load_class(descriptor::class_name(&name));
            let both = class.ok().zip(comparable.ok());
            both.is_some_and(|(class, comparable)| vm.is_subclass(class, comparable))
        }
        _ => false,
    }
}

/// Returns the JDK's comparators, if their fields exist.
pub(crate) fn comparators(vm: &mut Vm) -> Vec<Ref> {
    let mut found = Vec::new();
    for (class, field, _) in COMPARATORS {
        if let Ok(class) = find_class(vm, class)
            && vm.initialize_now(class).is_ok()
            && let Some(field) = vm.find_field(class, field)
        {
            found.push(Ref::from_slot(vm.heap.load(field.word)));
        }
    }
    found
}

/// Returns the method of `Comparator` that returns a constant.
pub(crate) fn comparator(class: &str, field: &str) -> Option<&'static str> {
    let is_this = |known: &&(&str, &str, &str)| known.0 == class && known.1 == field;
    Some(COMPARATORS.iter().find(is_this)?.2)
}

/// Returns the name of the class generated for an interface and a field type; unique for each pair.
fn class_name(vm: &Vm, interface: ClassId, field: Option<&str>) -> String {
    let letters = |text: &str| {
        let letters = text.chars().map(|letter| match letter {
            '_' => "_1".to_owned(),
            '/' => "_".to_owned(),
            ';' => "_2".to_owned(),
            letter => letter.to_string(),
        });
        letters.collect::<String>()
    };
    let interface = letters(vm.class_name(interface));
    let field = letters(field.unwrap_or_default());
    format!("{PACKAGE}{interface}$${field}")
}

/// Returns the abstract methods of an interface that one lambda implements together. Empty if two
/// have different names or parameters, or one is generic (JLS §9.8, §15.27.3).
pub(crate) fn functional(vm: &Vm, interface: ClassId) -> Vec<MethodId> {
    let mut found: Vec<MethodId> = Vec::new();
    let this = vm.class(interface);
    if !this.is_interface() || this.flags & flags::ANNOTATION != 0 {
        return found;
    }
    let object = vm.loaded_class("java/lang/Object");
    let above = &vm.class(interface).all_interfaces;
    // The interface's own methods come first: their types are the most specific.
    let all =
        std::iter::once(interface).chain(above.iter().copied().filter(|&one| one != interface));
    for class in all {
        for &method in &vm.class(class).methods {
            let this = vm.method(method);
            let (name, descriptor) = (vm.text(this.name), vm.text(this.descriptor));
            let is_of_objects =
                object.is_some_and(|object| vm.declared_method(object, name, descriptor).is_some());
            let has_default = vm
                .resolve_method(interface, this.name, this.descriptor)
                .is_some_and(|found| !vm.method(found).is_abstract());
            let is_known = |&other: &MethodId| {
                let other = vm.method(other);
                (other.name, other.descriptor) == (this.name, this.descriptor)
            };
            if this.is_abstract() && !is_of_objects && !has_default && !found.iter().any(is_known) {
                found.push(method);
            }
        }
    }
    let signature = |method: MethodId| Signature::of(vm, method);
    let erased =
        |method: MethodId| signature(method).erased_in(vm, interface, vm.method(method).class);
    let is_one = found.windows(2).all(|pair| {
        vm.method(pair[0]).name == vm.method(pair[1]).name && erased(pair[0]) == erased(pair[1])
    }) && !found.iter().any(|&method| signature(method).is_generic);
    let is_open = found
        .iter()
        .all(|&method| vm.method(method).flags & flags::PUBLIC != 0);
    match is_one && is_open {
        true => found,
        false => Vec::new(),
    }
}
