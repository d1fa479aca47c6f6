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
use heapwright_jvm::descriptor::{self, Kind};
use heapwright_jvm::{ClassId, Vm};

use crate::functional::{COMPARATOR, comparators, compares_itself, functional, stub_class};
use crate::packages::TestPackage;
use crate::sequences::model::{Invokable, StatementKind, StubResult, is_value};
use crate::signatures::{Signature, Type, Variables};
use crate::symbolic::Classes;

/// A lambda stub of a functional interface.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::sequences) struct LambdaStub {
    /// The functional interface.
    pub interface: ClassId,
    /// Number of parameters of its method.
    pub parameters: usize,
    /// The result of its method.
    pub answer: StubResult,
}

/// The generated stub classes, by their binary names.
#[derive(Clone, Debug, Default)]
pub(in crate::sequences) struct LambdaStubs {
    made: BTreeMap<String, LambdaStub>,
    /// The objects over which parameters of each class range, in order.
    alternatives: BTreeMap<u32, (ClassId, Vec<Alternative>)>,
}

impl LambdaStubs {
    /// Returns the stub that a generated class implements.
    pub fn of(&self, class: &str) -> Option<&LambdaStub> {
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
    pub fn stub_type_for(
        &mut self,
        vm: &mut Vm,
        invokable: &Invokable,
        place: usize,
        classes: &[ClassId],
        values: &mut Vec<String>,
    ) -> Option<ClassId> {
        let taken = &invokable.parameters[place];
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
        let answer = StubResult::of(vm, &returned);
        let field = (answer == StubResult::Held).then_some(returned.as_str());
        let class = stub_class(vm, interface, &methods, field)?;
        if field.is_some() && !values.contains(&returned) {
            values.push(returned);
        }
        let parameters = own.parameters.len();
        let answering = LambdaStub {
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
    let taken = &invokable.parameters[place];
    let plain = (Type::of_descriptor(&taken.descriptor), Default::default());
    let method = match invokable.kind {
        StatementKind::Constructor(_, method)
        | StatementKind::Instance(_, method)
        | StatementKind::Static(_, method) => method,
        _ => return plain,
    };
    let mut signature = Signature::of(vm, method);
    let before = invokable
        .parameters
        .len()
        .saturating_sub(signature.parameters.len());
    match place.checked_sub(before) {
        Some(place) if place < signature.parameters.len() => {
            (signature.parameters.swap_remove(place), signature.variables)
        }
        _ => plain,
    }
}
