//! Stubs for parameters and receivers of abstract classes and interfaces of which nothing else
//! creates an object. A test writes each as an anonymous class.
//!
//! Each such type gets two generated classes. The statement of a stub is a call of its constructor, and
//! the values that its methods return are open like arguments. In the first class each method returns
//! the same on every call. In the second one methods follow scripts: calls return different values,
//! objects or a parameter, or throw. Functional interfaces, of which lambdas are objects, get the second
//! class alone.

use std::collections::BTreeSet;

use heapwright_jvm::class::flags;
use heapwright_jvm::listing::ListedOperation;
use heapwright_jvm::name::Sym;
use heapwright_jvm::{ClassId, MethodId, Vm, descriptor};

use super::collections::ArgumentCollection;
use super::invokables::MemberScope;
use super::lambda_stubs::declared;
use crate::functional::{COMPARATOR, StubResult, functional};
use crate::packages::{TestPackage, is_of_library};
use crate::sequences::analysis::static_analysis::Analysis;
use crate::signatures::Type;
use crate::statements::{
    AnonymousClass, Invokable, ParameterSpec, Scripted, anonymous_classes, extended_type, is_value,
};

/// Maximum number of types with different type arguments of which a class has stubs.
const MAX_TYPES: usize = 3;

/// Returns the stubs for parameters and receivers without objects, which `lacking` lists as numbers
/// of invokables with places, in their order; then those for parameters that take lambdas.
pub(in crate::sequences) fn needed(
    vm: &mut Vm,
    analysis: &Analysis,
    lacking: &[(usize, usize)],
    lambdas: &[(usize, usize)],
    scope: &MemberScope,
) -> Vec<ArgumentCollection> {
    let invokables = &analysis.invokables;
    let called = Called::new(vm, analysis);
    let is_scripted = |vm: &Vm, method: MethodId| called.contains(vm, method);
    let package = TestPackage::of(vm, scope.classes[0]);
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
        let mut stubs = Vec::new();
        for declared in extended(vm, invokables, class, taken) {
            stubs.extend(anonymous_classes(vm, class, &declared, &package, None));
            // What a stub returns is a plain stub.
            if invokables[number].scripted_stub().is_none() {
                let scripted = Scripted {
                    follows: &is_scripted,
                    defaults: &called_defaults(vm, class, scope),
                };
                stubs.extend(anonymous_classes(
                    vm,
                    class,
                    &declared,
                    &package,
                    Some(scripted),
                ));
            }
        }
        needed.extend(stubs.into_iter().map(ArgumentCollection::anonymous));
    }
    for &(number, place) in lambdas {
        let taken = &invokables[number].parameters[place];
        let Ok(class) = vm.load_class(descriptor::class_name(&taken.descriptor)) else {
            continue;
        };
        // A comparator with answers that differ would break its contract.
        let is_comparator = vm.class_name(class) == COMPARATOR;
        if is_comparator || functional(vm, class).is_empty() {
            continue;
        }
        let (declared, variables) = declared(vm, &invokables[number], place);
        let declared = extended_type(vm, class, &declared, &variables);
        for stub in anonymous_classes(vm, class, &declared, &package, Some(Scripted::ALL)) {
            // What a stub returns is a lambda, unless that could only return null.
            if invokables[number].stub.is_some() && !returns_made(vm, &stub) {
                continue;
            }
            let mut known = needed.iter().chain(&scope.supports);
            let is_this = |known: &ArgumentCollection| {
                known
                    .anonymous_class()
                    .is_some_and(|one| one.class == stub.class)
            };
            if !known.any(is_this) {
                needed.push(ArgumentCollection::anonymous(stub));
            }
        }
    }
    needed
}

/// Returns the default methods of a library's interface that the code of the system calls itself. What
/// they do is the library's, so that a stub answers in their place.
fn called_defaults(vm: &mut Vm, class: ClassId, scope: &MemberScope) -> Vec<MethodId> {
    if !vm.class(class).is_interface() || !is_of_library(vm, class, scope.classes[0]) {
        return Vec::new();
    }
    let above = vm.class(class).all_interfaces.iter().copied();
    let types = std::iter::once(class).chain(above);
    let types = types.filter(|&above| vm.is_app_class(above));
    let methods = types.flat_map(|above| vm.class(above).methods.iter().copied());
    let defaults = methods.filter(|&method| {
        let this = vm.method(method);
        let closed = flags::STATIC | flags::PRIVATE | flags::ABSTRACT | flags::SYNTHETIC;
        this.flags & closed == 0
            && vm.resolve_method(class, this.name, this.descriptor) == Some(method)
    });
    let mut defaults: Vec<MethodId> = defaults.collect();
    if !defaults.is_empty() {
        let called = called_directly(vm, &scope.classes);
        defaults.retain(|&method| {
            let this = vm.method(method);
            let text = |symbol| vm.text(symbol).to_owned();
            called.contains(&(text(this.name), text(this.descriptor)))
        });
    }
    defaults
}

/// Returns the names and descriptors of the methods that the code of the system calls itself.
pub(in crate::sequences) fn called_directly(
    vm: &Vm,
    classes: &[ClassId],
) -> BTreeSet<(String, String)> {
    let methods = classes.iter().flat_map(|&class| &vm.class(class).methods);
    let mut called = BTreeSet::new();
    for &method in methods {
        let listing = vm.listing(method).into_iter();
        for listed in listing.flat_map(|listing| listing.instructions) {
            if let ListedOperation::Invoke(_, member) = listed.step {
                called.insert((member.name, member.descriptor));
            }
        }
    }
    called
}

/// Whether a stub returns an object of a class, which is no stub itself.
fn returns_made(vm: &mut Vm, stub: &AnonymousClass) -> bool {
    stub.methods.iter().any(|method| {
        let class = vm.load_class(descriptor::class_name(&method.returns));
        let is_concrete = class.is_ok_and(|class| !vm.class(class).is_abstract());
        method.answer == StubResult::Object && is_concrete
    })
}

/// Methods that the system's code calls, by name and descriptor.
struct Called(BTreeSet<(Sym, Sym)>);

impl Called {
    fn new(vm: &Vm, analysis: &Analysis) -> Called {
        let effects = (0..analysis.invokables.len()).map(|number| analysis.flows.effects(number));
        let called = effects.flat_map(|effects| &effects.called);
        let called = called.map(|&method| {
            let this = vm.method(method);
            (this.name, this.descriptor)
        });
        Called(called.collect())
    }

    fn contains(&self, vm: &Vm, method: MethodId) -> bool {
        let this = vm.method(method);
        self.0.contains(&(this.name, this.descriptor))
    }
}

/// Returns the types that stubs for a parameter extend: those of all parameters of the class, each with
/// its type arguments. A receiver, which has none, is raw if they differ, and so are stubs for too many.
fn extended(
    vm: &mut Vm,
    invokables: &[Invokable],
    class: ClassId,
    needed: &ParameterSpec,
) -> Vec<Type> {
    let mut types: Vec<Type> = Vec::new();
    for invokable in invokables {
        for (place, taken) in invokable.parameters.iter().enumerate() {
            if taken.descriptor == needed.descriptor && !taken.is_receiver {
                let (declared, variables) = declared(vm, invokable, place);
                let one = extended_type(vm, class, &declared, &variables);
                if !types.contains(&one) {
                    types.push(one);
                }
            }
        }
    }
    let max = if needed.is_receiver { 1 } else { MAX_TYPES };
    match (1..=max).contains(&types.len()) {
        true => types,
        false => vec![Type::Class(vm.class_name(class).to_owned(), Vec::new())],
    }
}
