//! Facts about the objects of a class: their possible classes, and whether their fields change.

use heapwright_explore::symbolic::Alternative;
use heapwright_jvm::class::flags;
use heapwright_jvm::descriptor::{self, Kind};
use heapwright_jvm::{ClassId, MethodId, Vm};

use crate::Error;
use crate::derive::constants_of_initialized;
use crate::symbolic::ClassUniverse;

/// Returns the possible classes of a receiver: the class and its subclasses. Empty if not all are
/// known, as with library classes, or there are none.
pub(in crate::sequences) fn receivers(vm: &mut Vm, class: ClassId) -> Result<Vec<ClassId>, Error> {
    if !vm.is_app_class(class) || is_open_interface(vm, class) {
        return Ok(Vec::new());
    }
    let Some(alternatives) = ClassUniverse::all_of(vm, class)? else {
        return Ok(Vec::new());
    };
    let made = alternatives
        .into_iter()
        .map(|alternative| match alternative {
            Alternative::New(class) => class,
            Alternative::Known(object) => vm.heap.class_of(object),
        });
    let mut made: Vec<ClassId> = made.collect();
    made.dedup();
    Ok(made)
}

/// Whether no other class calls a method by name: a private method, or an accessor that older
/// compilers generate for nested classes.
pub(in crate::sequences) fn is_inner(vm: &Vm, method: MethodId) -> bool {
    let this = vm.method(method);
    let is_access = this.is_static()
        && this.flags & flags::SYNTHETIC != 0
        && vm.text(this.name).starts_with("access$");
    this.flags & flags::PRIVATE != 0 || is_access
}

/// Whether a lambda may implement a class: an interface that is not sealed.
pub(in crate::sequences) fn is_open_interface(vm: &Vm, class: ClassId) -> bool {
    let class = vm.class(class);
    let is_sealed = class
        .file
        .as_ref()
        .is_some_and(|file| file.info.permitted.is_some());
    class.is_interface() && !is_sealed
}

/// Whether a type's values are immutable: primitives, strings, boxes, and enum constants whose
/// fields are all final and immutable.
pub(in crate::sequences) fn is_constant(vm: &mut Vm, descriptor: &str) -> bool {
    let name = descriptor::class_name(descriptor);
    if Kind::of(descriptor) != Kind::Reference || descriptor::is_value_class(name) {
        return true;
    }
    let class = vm.load_class(name);
    class.is_ok_and(|class| {
        vm.class(class).flags & flags::ENUM != 0
            && vm.initialize_now(class).is_ok()
            && !has_changing_constants(vm, class, &mut vec![])
    })
}

/// Whether a class is an enum with mutable constants; false for classes in `seen`.
pub(in crate::sequences) fn has_changing_constants(
    vm: &mut Vm,
    class: ClassId,
    seen: &mut Vec<ClassId>,
) -> bool {
    if vm.class(class).flags & flags::ENUM == 0 || seen.contains(&class) {
        return false;
    }
    seen.push(class);
    // A constant may have a class body with fields of its own.
    let constants = constants_of_initialized(vm, class).unwrap_or_default();
    if constants.iter().any(|(_, constant)| constant.is_null()) {
        return true;
    }
    let bodies = constants
        .iter()
        .map(|&(_, constant)| vm.heap.class_of(constant));
    let mut classes: Vec<ClassId> = vm
        .class(class)
        .display
        .clone()
        .into_iter()
        .chain(bodies)
        .collect();
    classes.sort_unstable_by_key(|class| class.0);
    classes.dedup();
    let own = classes.iter().filter(|&&class| vm.is_app_class(class));
    let fields = own.flat_map(|&class| &vm.class(class).fields);
    let fields = fields.filter(|field| !field.is_static());
    let fields = fields.map(|field| (field.flags, vm.text(field.descriptor).to_owned()));
    let fields: Vec<(u16, String)> = fields.collect();
    fields.into_iter().any(|(field, descriptor)| {
        let held = match Kind::of(&descriptor) {
            Kind::Reference => vm.load_class(descriptor::class_name(&descriptor)).ok(),
            _ => None,
        };
        let is_enum = held.is_some_and(|held| vm.class(held).flags & flags::ENUM != 0);
        field & flags::FINAL == 0
            || match held.filter(|_| is_enum) {
                Some(held) => has_changing_constants(vm, held, seen),
                None => !is_constant(vm, &descriptor),
            }
    })
}
