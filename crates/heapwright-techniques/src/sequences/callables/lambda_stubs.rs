//! Stubs for parameters of functional interfaces that no class of the system implements. A test
//! writes each as a lambda that returns one fixed value.
//!
//! Each such type gets a generated class whose one field is the returned value. The field is
//! therefore open like any value, part of the path's heap, and undone with it. A comparator may
//! also be one of the JDK's.
//!
//! Invariant: a test can write every input formed here, and the compiler accepts it for the
//! parameter.

use std::collections::BTreeMap;

use heapwright_explore::symbolic::Alternative;
use heapwright_jvm::class::flags;
use heapwright_jvm::descriptor::{self, Kind};
use heapwright_jvm::{ClassId, MethodId, Ref, Vm};

use super::generics::{Signature, Type, Variables};
use super::lambda_classes::class_file;
use crate::packages::TestPackage;
use crate::sequences::model::{Invokable, What, is_value};
use crate::symbolic::Classes;

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

const COMPARATOR: &str = "java/util/Comparator";

/// A lambda stub of a functional interface.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::sequences) struct Answering {
    /// The functional interface.
    pub interface: ClassId,
    /// Number of parameters of its method.
    pub parameters: usize,
    /// The result of its method.
    pub answer: Answer,
}

/// The result of a lambda stub.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::sequences) enum Answer {
    /// None: the method is `void`.
    Nothing,
    /// Null.
    Null,
    /// The value of the stub's field.
    Held,
}

/// The generated stub classes, by their binary names.
#[derive(Clone, Debug, Default)]
pub(in crate::sequences) struct Answers {
    made: BTreeMap<String, Answering>,
    /// The objects over which parameters of each class range, in order.
    alternatives: BTreeMap<u32, (ClassId, Vec<Alternative>)>,
}

impl Answers {
    /// Returns the stub that a generated class implements.
    pub fn of(&self, class: &str) -> Option<&Answering> {
        self.made.get(class)
    }

    /// Lets inputs be objects of the generated classes.
    pub fn offer(&self, classes: &mut Classes) {
        for (bound, alternatives) in self.alternatives.values() {
            classes.offer(*bound, alternatives.clone());
        }
    }

    /// Returns the class that the engine uses for a parameter if a lambda stub may be its argument.
    /// No class of the system except the one under test may then implement the interface. `values`
    /// collects the types of the returned values.
    pub fn stand_for(
        &mut self,
        vm: &mut Vm,
        invokable: &Invokable,
        place: usize,
        classes: &[ClassId],
        values: &mut Vec<String>,
    ) -> Option<ClassId> {
        let taken = &invokable.takes[place];
        if taken.is_receiver
            || !taken.contents.is_empty()
            || taken
                .classes
                .as_ref()
                .is_some_and(|tried| tried.iter().any(|&class| class != classes[0]))
            || Kind::of(&taken.descriptor) != Kind::Reference
            || taken.descriptor.starts_with('[')
            || is_value(vm, &taken.descriptor)
        {
            return None;
        }
        let Ok(interface) = vm.load_class(descriptor::class_name(&taken.descriptor)) else {
            return None;
        };
        // Only listed classes are candidates for a wide type; none are listed here.
        let implements = |&class: &ClassId| {
            taken.classes.is_none()
                && class != classes[0]
                && !vm.class(class).is_abstract()
                && vm.is_subclass(class, interface)
        };
        if !vm.class(interface).is_interface()
            || !TestPackage::of(vm, classes[0]).names(vm, interface)
            || classes.iter().any(implements)
        {
            return None;
        }
        let methods = functional(vm, interface);
        let &method = methods.first()?;
        let (declared, variables) = declared(vm, invokable, place);
        let own = Signature::of(vm, method);
        if own.is_generic {
            return None;
        }
        let of = vm.method(method).class;
        let returned = own.returned_in(vm, &declared, of).erased(&variables);
        let answer = match Kind::of(&returned) {
            Kind::Void => Answer::Nothing,
            Kind::Reference if returned.starts_with('[') || !is_value(vm, &returned) => {
                Answer::Null
            }
            _ => Answer::Held,
        };
        let field = (answer == Answer::Held).then_some(returned.as_str());
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
                let bytes = class_file(&name, &implemented, field, &signatures);
                // Some names are not possible in a generated class file.
                let Ok(class) = vm.define_class(&name, bytes) else {
                    return None;
                };
                class
            }
        };
        if vm.initialize_now(class).is_err() {
            return None;
        }
        if field.is_some() && !values.contains(&returned) {
            values.push(returned);
        }
        let parameters = own.parameters.len();
        let answering = Answering {
            interface,
            parameters,
            answer,
        };
        self.made.insert(vm.binary_name(class), answering);
        let mut alternatives = Vec::new();
        if vm.class_name(interface) == COMPARATOR && compares_itself(vm, &declared, &variables) {
            alternatives.extend(comparators(vm).into_iter().map(Alternative::Known));
        }
        let bound = match alternatives.is_empty() {
            true => class,
            // To the engine, an object from several alternatives is just a comparator.
            false => interface,
        };
        alternatives.push(Alternative::New(class));
        self.alternatives.insert(bound.0, (bound, alternatives));
        Some(bound)
    }
}

/// Returns the declared type of a parameter, and the bounds of the type variables there.
pub(in crate::sequences) fn declared(
    vm: &Vm,
    invokable: &Invokable,
    place: usize,
) -> (Type, Variables) {
    let taken = &invokable.takes[place];
    let plain = (Type::of_descriptor(&taken.descriptor), Default::default());
    let method = match invokable.what {
        What::Constructor(_, method) | What::Instance(_, method) | What::Static(_, method) => {
            method
        }
        _ => return plain,
    };
    let mut signature = Signature::of(vm, method);
    let before = invokable
        .takes
        .len()
        .saturating_sub(signature.parameters.len());
    match place.checked_sub(before) {
        Some(place) if place < signature.parameters.len() => {
            (signature.parameters.swap_remove(place), signature.variables)
        }
        _ => plain,
    }
}

/// Whether javac accepts the natural order as the comparator: for a type variable, or for a class
/// that implements `Comparable`.
fn compares_itself(vm: &mut Vm, declared: &Type, variables: &Variables) -> bool {
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
fn comparators(vm: &mut Vm) -> Vec<Ref> {
    let mut found = Vec::new();
    for (class, field, _) in COMPARATORS {
        if let Ok(class) = crate::target::find_class(vm, class)
            && vm.initialize_now(class).is_ok()
            && let Some(field) = vm.find_field(class, field)
        {
            found.push(Ref::from_slot(vm.heap.load(field.word)));
        }
    }
    found
}

/// Returns the method of `Comparator` that returns a constant.
pub(in crate::sequences) fn comparator(class: &str, field: &str) -> Option<&'static str> {
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
    format!("heapwright/lambdas/{interface}$${field}")
}

/// Returns the abstract methods of an interface that one lambda implements together. Empty if two
/// have different names or parameters, or one is generic (JLS §9.8, §15.27.3).
pub(in crate::sequences) fn functional(vm: &Vm, interface: ClassId) -> Vec<MethodId> {
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
