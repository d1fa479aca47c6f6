//! Objects that no sequence gives, and why: said before anything runs, from what invokables take and
//! give alone.
//!
//! Invariant: what is called missing no statement of the plan makes, whatever stands before it.

use std::collections::BTreeSet;

use heapwright_jvm::class::flags;
use heapwright_jvm::descriptor::{self, Kind};
use heapwright_jvm::{ClassId, Vm};

use super::invokables::What;
use super::plan::Plan;
use crate::check::name_of;

/// A sentence for each class whose objects methods under test need and no sequence gives, in the order
/// of those methods.
pub fn missing(vm: &mut Vm, plan: &Plan) -> Vec<String> {
    let given = given(vm, plan);
    let mut seen = BTreeSet::new();
    let mut sentences = Vec::new();
    for (number, invokable) in plan.invokables.iter().enumerate() {
        if plan.under_test[number].is_none() {
            continue;
        }
        for (taken, taking) in invokable.takes.iter().zip(&plan.takes[number]) {
            let has_some = given.iter().any(|&class| taking.accepts(vm, class));
            let is_object = Kind::of(&taken.descriptor) == Kind::Reference;
            if taking.is_open || has_some || !is_object || taken.descriptor.starts_with('[') {
                continue;
            }
            if let Ok(class) = vm.load_class(descriptor::class_name(&taken.descriptor))
                && seen.insert(class.0)
            {
                let reason = reason(vm, plan, class);
                let name = vm.binary_name(class);
                sentences.push(format!("no object of {name} can be made: {reason}"));
            }
        }
    }
    sentences
}

/// The classes of which statements give objects: those that call what needs none first.
fn given(vm: &mut Vm, plan: &Plan) -> Vec<ClassId> {
    let mut given: Vec<ClassId> = Vec::new();
    loop {
        let before = given.len();
        for (number, invokable) in plan.invokables.iter().enumerate() {
            let takes = invokable.takes.iter().zip(&plan.takes[number]);
            let mut receivers = takes.filter(|(taken, _)| taken.is_receiver);
            let Some(gives) = &invokable.gives else {
                continue;
            };
            if Kind::of(gives) == Kind::Reference
                && receivers.all(|(_, taking)| given.iter().any(|&class| taking.accepts(vm, class)))
                && let Ok(class) = vm.load_class(descriptor::class_name(gives))
                && !given.contains(&class)
            {
                given.push(class);
                // What is declared as a class may be one below it.
                let below = plan
                    .invokables
                    .iter()
                    .filter_map(|other| owner(&other.what));
                let below: Vec<ClassId> = below
                    .filter(|&other| other != class && vm.is_subclass(other, class))
                    .collect();
                let is_made = matches!(invokable.what, What::Constructor(..));
                given.extend(below.into_iter().filter(|_| !is_made));
            }
        }
        if given.len() == before {
            return given;
        }
    }
}

/// The class whose member a statement is.
fn owner(what: &What) -> Option<ClassId> {
    match what {
        What::Constructor(class, _)
        | What::Instance(class, _)
        | What::Static(class, _)
        | What::Constant(class, _) => Some(*class),
        What::LoadField(field) | What::StoreField(field) => Some(field.class),
        What::NewArray(_) | What::StoreElement(_) => None,
    }
}

/// Why no statement gives an object of a class.
fn reason(vm: &Vm, plan: &Plan, class: ClassId) -> String {
    let this = vm.class(class);
    if this.flags & flags::INTERFACE != 0 {
        return "it is an interface, and nothing that implements it is known; --system names a class"
            .to_owned();
    }
    if this.is_abstract() {
        return "it is abstract, and nothing that extends it is known; --system names a class"
            .to_owned();
    }
    let of_class = |what: &What| matches!(what, What::Constructor(of, _) if *of == class);
    let callable: Vec<&What> = plan
        .invokables
        .iter()
        .map(|invokable| &invokable.what)
        .filter(|what| of_class(what))
        .collect();
    if !callable.is_empty() {
        return "its constructor needs an object that cannot be made either".to_owned();
    }
    let own = this.methods.iter().copied();
    let constructors = own.filter(|&method| vm.text(vm.method(method).name) == "<init>");
    let hidden: Vec<String> = constructors
        .map(|method| {
            let access = match vm.method(method).flags {
                bits if bits & flags::PRIVATE != 0 => "private",
                bits if bits & flags::PROTECTED != 0 => "protected",
                bits if bits & flags::PUBLIC != 0 => "left out",
                _ => "for its package",
            };
            format!("{} is {access}", name_of(vm, method))
        })
        .collect();
    format!(
        "{}, and nothing that may be called returns one; --access says what may be, --include and \
         --exclude what of it",
        hidden.join(", ")
    )
}
