//! Stubs for parameters of functional interfaces that no class of the system implements. A test
//! writes each as a lambda that returns one fixed value.
//!
//! Invariant: a test can write every input formed here, and the compiler accepts it for the
//! parameter.

use std::collections::BTreeMap;

use heapwright_explore::symbolic::Alternative;
use heapwright_jvm::descriptor::{self, Kind};
use heapwright_jvm::{ClassId, Vm};
use rustc_hash::FxHashMap;

use super::injected;
use crate::functional::{AnswerInput, functional, stub_objects};
use crate::packages::TestPackage;
use crate::signatures::{Signature, Type, Variables};
use crate::statements::{Invokable, is_value};
use crate::symbolic::ClassUniverse;

/// The generated stub classes.
#[derive(Clone, Debug, Default)]
pub(in crate::sequences) struct LambdaStubs {
    /// The objects over which parameters of each class range, in order.
    alternatives: BTreeMap<u32, (ClassId, Vec<Alternative>)>,
    /// Whether lambdas implement each type of a parameter so far.
    are_functional: FxHashMap<ClassId, bool>,
}

impl LambdaStubs {
    /// Lets inputs be objects of the generated classes.
    pub fn offer(&self, classes: &mut ClassUniverse) {
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
            || Kind::of(&taken.descriptor) != Kind::Reference
            || taken.descriptor.starts_with('[')
            || is_value(vm, &taken.descriptor)
        {
            return None;
        }
        let Ok(interface) = vm.load_class(descriptor::class_name(&taken.descriptor)) else {
            return None;
        };
        let is_functional = self.are_functional.entry(interface);
        if !*is_functional.or_insert_with(|| !functional(vm, interface).is_empty()) {
            return None;
        }
        // Only listed classes are candidates for a wide type. The interface stands for its stubs.
        let mut listed = taken.classes.iter().flatten();
        if listed.any(|&class| class != classes[0] && class != interface) {
            return None;
        }
        let implements = |&class: &ClassId| {
            taken.classes.is_none()
                && class != classes[0]
                && !vm.class(class).is_abstract()
                && vm.is_subclass(class, interface)
        };
        if !TestPackage::of(vm, classes[0]).names(vm, interface) || classes.iter().any(implements) {
            return None;
        }
        let (declared, variables) = declared(vm, invokable, place);
        let declared = (&declared, &variables);
        let stubs = stub_objects(vm, interface, declared, &|vm, text| is_value(vm, text))?;
        if let Some(held) = stubs.held.filter(|held| !values.contains(held)) {
            values.push(held);
        }
        let alternatives = (stubs.bound, stubs.alternatives);
        self.alternatives.insert(stubs.bound.0, alternatives);
        Some(stubs.bound)
    }
}

/// Returns the declared type of a parameter, and the bounds of the type variables there.
pub(in crate::sequences) fn declared(
    vm: &Vm,
    invokable: &Invokable,
    place: usize,
) -> (Type, Variables) {
    let taken = &invokable.parameters[place];
    if let Some(field) = &taken.injects {
        return injected::declared(vm, field);
    }
    let plain = (Type::of_descriptor(&taken.descriptor), Default::default());
    if let Some((before, inputs)) = invokable.script_inputs() {
        let input = place.checked_sub(before).and_then(|at| inputs.get(at));
        if let Some((method, AnswerInput::Object | AnswerInput::Later)) = input {
            return (method.declared.clone(), Variables::new());
        }
    }
    let Some(method) = invokable.kind.method() else {
        return plain;
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
