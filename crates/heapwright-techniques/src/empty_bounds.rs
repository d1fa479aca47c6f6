//! Explains why derived bounds may permit no structure: values in a new object of the class that
//! lie outside them.

use heapwright_jvm::class::Shape;
use heapwright_jvm::descriptor::Kind;
use heapwright_jvm::{Place, Plain, Ref, Vm};

use crate::bounds::{Bounds, FieldBound, Range, construct};
use crate::explain::slot_text;
use crate::invariant::Enumeration;

/// Maximum number of objects examined.
const MAX_OBJECTS: usize = 1 << 12;
/// Maximum number of instructions of the invariant.
const STEPS: u64 = 10_000_000;

/// Returns the values outside the bounds in an object that the no-argument constructor creates and
/// the invariant accepts. There is one line for each field and value; empty if there is no such
/// object.
#[must_use]
pub fn outside(vm: &mut Vm, enumeration: &Enumeration) -> Vec<String> {
    let class = enumeration.class;
    if enumeration.bounds.scope.is_none() || vm.declared_method(class, "<init>", "()V").is_none() {
        return Vec::new();
    }
    vm.limit_steps(STEPS);
    let found = vm.with_mark(|vm| {
        if let Ok(root) = construct(vm, class, Some(class))
            && let Ok(()) = vm.call(enumeration.invariant, &[root.slot()])
            && matches!(vm.run(&mut Plain), heapwright_jvm::Exit::Done(answer) if answer as u32 != 0)
        {
            outside_of(vm, &enumeration.bounds, root)
        } else {
            Vec::new()
        }
    });
    vm.abandon();
    vm.limit_steps(u64::MAX);
    found
}

/// Compares each field of the objects reachable from a root with its range.
fn outside_of(vm: &Vm, bounds: &Bounds, root: Ref) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut objects = vec![root];
    let mut next = 0;
    while let Some(&object) = objects.get(next) {
        next += 1;
        let class = vm.heap.class_of(object);
        let of_class = |field: &&FieldBound| bounds.classes[field.class].class == class;
        for field in bounds.fields.iter().filter(of_class) {
            let slot = vm.heap.field(object, field.field.word);
            if let Some(what) = misfit(vm, bounds, &field.range, slot) {
                let name = format!("{}.{}", vm.binary_name(class), vm.text(field.field.name));
                let line = format!("{name} holds {what}");
                if !found.contains(&line) {
                    found.push(line);
                }
            } else if field.field.kind == Kind::Reference {
                let target = Ref::from_slot(slot);
                let is_new = !target.is_null() && !objects.contains(&target);
                if is_new && objects.len() < MAX_OBJECTS {
                    objects.push(target);
                }
            }
        }
    }
    found
}

/// Describes the part of a value that is outside a range, if any.
fn misfit(vm: &Vm, bounds: &Bounds, range: &Range, slot: u64) -> Option<String> {
    let object = || Ref::from_slot(slot);
    match range {
        Range::Slots(kind, slots) => {
            let is_there = slots.contains(&slot);
            (!is_there).then(|| format!("{}, which is none of its values", slot_text(*kind, slot)))
        }
        Range::Objects { null, .. } if object().is_null() => (!null).then(|| "null".to_owned()),
        Range::Objects { classes, .. } => {
            let class = vm.heap.class_of(object());
            let is_there = classes.iter().any(|&known| {
                let known = &bounds.classes[known];
                known.class == class || !known.is_own && vm.is_subclass(class, known.class)
            });
            (!is_there).then(|| format!("a {}", vm.binary_name(class)))
        }
        Range::Arrays { .. } if object().is_null() => Some("null, not an array".to_owned()),
        Range::Arrays {
            lengths, elements, ..
        } => {
            let array = object();
            if !matches!(vm.class(vm.heap.class_of(array)).shape, Shape::Array(_)) {
                return None;
            }
            let length = vm.heap.array_length(array);
            if !lengths.contains(&length) {
                return Some(format!("an array of length {length}"));
            }
            let mut all = 0..length;
            all.find_map(|index| {
                let slot = vm.slot_of_place(array, Place::Element(index));
                misfit(vm, bounds, elements, slot)
            })
        }
    }
}
