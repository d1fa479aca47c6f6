//! Members of other classes that make objects for parameters without any, found in the index of the
//! class path.
//!
//! Invariant: they are public, and no class of the system declares them.

use heapwright_jvm::{ClassId, Vm};

use super::builder_setters::setters;
use super::invokables::MemberScope;
use super::jdk_values::Makers;
use crate::Error;
use crate::makers::{Declaration, DeclarationKind, MakerIndex};
use crate::packages::TestPackage;
use crate::statements::AccessedField;
use crate::target::needs_outer;

/// Maximum number of makers for a type, without and with parameters. Those without often make only
/// empty objects, which nothing can fill if their class is immutable.
const MAX_MAKERS: usize = 3;

/// Returns what makes objects of a class or its subtypes from other ones; methods of other objects
/// only if nothing else does, with the setters of these objects.
///
/// # Errors
/// `stops` returned true before the class path was read.
pub(in crate::sequences) fn makers_of(
    vm: &mut Vm,
    index: &MakerIndex,
    wanted: ClassId,
    scope: &MemberScope,
    stops: &dyn Fn() -> bool,
) -> Result<Makers, Error> {
    let name = vm.class_name(wanted).to_owned();
    let mut makers = Makers::default();
    let mut room = [MAX_MAKERS; 2];
    for declaration in index.of(vm, &name, stops)? {
        let is_needless = makers.count() > 0 && declaration.kind == DeclarationKind::Method;
        if room == [0; 2] || is_needless {
            break;
        }
        let room = &mut room[usize::from(declaration.parameters > 0)];
        if *room == 0 {
            continue;
        }
        let is_kin = |vm: &mut Vm, name: &str| {
            let class = vm.load_class(name).ok();
            class.is_some_and(|class| {
                vm.is_app_class(class)
                    && (vm.is_subclass(class, wanted) || vm.is_subclass(wanted, class))
            })
        };
        // A wrapper needs what is wanted.
        if !declaration.taken().into_iter().any(|name| is_kin(vm, name)) {
            let before = makers.count();
            add(vm, &declaration, scope, wanted, &mut makers);
            *room -= makers.count() - before;
        }
    }
    makers.methods.extend(setters(vm, &makers.methods));
    Ok(makers)
}

/// Adds a member if tests can use it.
fn add(
    vm: &mut Vm,
    declaration: &Declaration,
    scope: &MemberScope,
    wanted: ClassId,
    makers: &mut Makers,
) {
    let package = TestPackage::of(vm, scope.classes[0]);
    // The members of the system's classes are invokables, or were left out.
    let Ok(owner) = vm.load_class(&declaration.owner) else {
        return;
    };
    let is_made = declaration.kind != DeclarationKind::Method || owner != wanted;
    let is_own = scope.classes.contains(&owner) || !is_made;
    let is_inner = declaration.kind == DeclarationKind::Constructor && needs_outer(vm, owner);
    if is_own || is_inner || !vm.is_app_class(owner) || !package.names(vm, owner) {
        return;
    }
    if vm.initialize_now(owner).is_err() {
        return;
    }
    if declaration.kind == DeclarationKind::Constant {
        makers.constants.push(AccessedField {
            class: owner,
            name: declaration.name.clone(),
            descriptor: declaration.descriptor.clone(),
            is_static: true,
        });
    } else if let Some(method) =
        vm.declared_method(owner, &declaration.name, &declaration.descriptor)
    {
        makers.methods.push((owner, method));
    }
}
