//! Stubs for parameters and receivers of abstract classes and interfaces of which nothing else
//! creates an object. A test writes each as an anonymous class.
//!
//! Each such type gets a generated class. The statement of a stub is a call of its constructor, and the
//! values that its methods return are open like arguments.

use heapwright_jvm::{ClassId, Vm, descriptor};

use super::collections::ArgumentCollection;
use super::invokables::MemberScope;
use super::lambda_stubs::declared;
use crate::packages::TestPackage;
use crate::signatures::Type;
use crate::statements::{Invokable, anonymous_classes, extended_type, is_value};

/// Returns the stubs for parameters and receivers without objects, which `lacking` lists as numbers
/// of invokables with places, in their order.
pub(in crate::sequences) fn needed(
    vm: &mut Vm,
    invokables: &[Invokable],
    lacking: &[(usize, usize)],
    scope: &MemberScope,
) -> Vec<ArgumentCollection> {
    let mut needed: Vec<ArgumentCollection> = Vec::new();
    for &(number, place) in lacking {
        let taken = &invokables[number].parameters[place];
        let Ok(class) = vm.load_class(descriptor::class_name(&taken.descriptor)) else {
            continue;
        };
        let is_known = |support: &ArgumentCollection| support.class == class;
        if needed.iter().chain(&scope.supports).any(is_known) || is_value(vm, &taken.descriptor) {
            continue;
        }
        let declared = extended(vm, invokables, class, &taken.descriptor);
        let package = TestPackage::of(vm, scope.classes[0]);
        let stubs = anonymous_classes(vm, class, &declared, &package);
        needed.extend(stubs.into_iter().map(ArgumentCollection::anonymous));
    }
    needed
}

/// Returns the type that a stub extends: with the type arguments of all parameters of the class, or
/// raw if they differ.
fn extended(vm: &Vm, invokables: &[Invokable], class: ClassId, descriptor: &str) -> Type {
    let mut types: Vec<Type> = Vec::new();
    for invokable in invokables {
        for (place, taken) in invokable.parameters.iter().enumerate() {
            if taken.descriptor == descriptor && !taken.is_receiver {
                let (declared, variables) = declared(vm, invokable, place);
                let one = extended_type(vm, class, &declared, &variables);
                if !types.contains(&one) {
                    types.push(one);
                }
            }
        }
    }
    match <[Type; 1]>::try_from(types) {
        Ok([only]) => only,
        Err(_) => Type::Class(vm.class_name(class).to_owned(), Vec::new()),
    }
}
