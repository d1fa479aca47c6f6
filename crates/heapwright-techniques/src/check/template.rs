//! Templates: structures copied off the heap that can be made again, any number of times, on the
//! same machine.
//!
//! Objects without state of their own are shared, not copied: strings, boxes, enum constants and
//! classes.

use heapwright_jvm::class::{Loader, Shape, flags};
use heapwright_jvm::descriptor::Kind;
use heapwright_jvm::heap::HeapFull;
use heapwright_jvm::{ClassId, Place, Ref, Vm};
use rustc_hash::FxHashMap;

/// All objects reachable from an object, that object first.
pub(super) struct Template(Vec<TemplateObject>);

/// One object.
struct TemplateObject {
    class: ClassId,
    /// Length of an array.
    length: Option<u32>,
    /// Fields by word, or elements by byte offset.
    slots: Vec<(u64, Kind, TemplateSlot)>,
}

/// Content of a field or an element.
enum TemplateSlot {
    /// A primitive, or a shared object.
    Same(u64),
    /// The object with this number.
    Made(usize),
}

impl Template {
    /// Copies a structure off the heap. Unset slots are left at zero or null.
    pub fn of(vm: &Vm, root: Ref) -> Template {
        let mut order = vec![root];
        let mut numbers: FxHashMap<Ref, usize> = FxHashMap::default();
        numbers.insert(root, 0);
        let mut parts = Vec::new();
        while let Some(&object) = order.get(parts.len()) {
            let mut part = part(vm, object);
            for (_, kind, slot) in &mut part.slots {
                if let (Kind::Reference, TemplateSlot::Same(target)) = (*kind, &*slot) {
                    let target = Ref::from_slot(*target);
                    if vm.heap.is_permanent(target) || is_value(vm, target) {
                        continue;
                    }
                    let number = *numbers.entry(target).or_insert_with(|| {
                        order.push(target);
                        order.len() - 1
                    });
                    *slot = TemplateSlot::Made(number);
                }
            }
            parts.push(part);
        }
        Template(parts)
    }

    /// Makes the structure of new objects and returns its root.
    ///
    /// # Errors
    /// The heap has no room for it.
    pub fn make(&self, vm: &mut Vm) -> Result<Ref, HeapFull> {
        let mut made = Vec::with_capacity(self.0.len());
        for part in &self.0 {
            made.push(match part.length {
                Some(length) => {
                    let bytes = vm.array_element_kind(part.class).element_bytes();
                    vm.heap.allocate_array(part.class, length, bytes, false)?
                }
                None => {
                    let words = vm.class(part.class).instance_words;
                    vm.heap.allocate(part.class, words, false)?
                }
            });
        }
        for (part, &object) in self.0.iter().zip(&made) {
            for (place, kind, slot) in &part.slots {
                let slot = match slot {
                    TemplateSlot::Same(slot) => *slot,
                    TemplateSlot::Made(number) => made[*number].slot(),
                };
                match part.length {
                    Some(_) => {
                        let start = vm.heap.elements(object);
                        vm.set_array_slot(start + place, *kind, slot);
                    }
                    None => vm.heap.set_field(object, *place as u32, slot),
                }
            }
        }
        Ok(made[0])
    }
}

/// Copies all that is reachable from `root`.
pub(super) fn copy(vm: &mut Vm, root: Ref) -> Result<Ref, HeapFull> {
    Template::of(vm, root).make(vm)
}

/// Reads an object's fields or elements; null and zero are left out.
fn part(vm: &Vm, object: Ref) -> TemplateObject {
    let class = vm.heap.class_of(object);
    if let Shape::Array(_) = vm.class(class).shape {
        let kind = vm.array_element_kind(class);
        let bytes = u64::from(kind.element_bytes());
        let length = vm.heap.array_length(object);
        let start = vm.heap.elements(object);
        let places = (0..u64::from(length)).map(|index| index * bytes);
        let slots = places.map(|place| {
            let slot = vm.array_slot(start + place, kind);
            (place, kind, TemplateSlot::Same(slot))
        });
        return TemplateObject {
            class,
            length: Some(length),
            slots: set(slots),
        };
    }
    let this = vm.class(class).display.iter();
    let fields = this.flat_map(|&above| vm.class(above).fields.iter());
    let fields = fields
        .filter(|field| !field.is_static() && !vm.is_unset_place(object, Place::Field(field.word)));
    let slots = fields.map(|field| {
        let slot = vm.heap.field(object, field.word);
        (u64::from(field.word), field.kind, TemplateSlot::Same(slot))
    });
    TemplateObject {
        class,
        length: None,
        slots: set(slots),
    }
}

fn set(slots: impl Iterator<Item = (u64, Kind, TemplateSlot)>) -> Vec<(u64, Kind, TemplateSlot)> {
    slots
        .filter(|(_, _, slot)| !matches!(slot, TemplateSlot::Same(0)))
        .collect()
}

/// Whether an object is a value: a string, a box, an enum constant.
fn is_value(vm: &Vm, object: Ref) -> bool {
    let class = vm.heap.class_of(object);
    let this = vm.class(class);
    let is_enum = this
        .display
        .iter()
        .any(|&above| vm.class_name(above) == "java/lang/Enum");
    let is_library_value = this.loader == Loader::Boot
        && (vm.class_name(class) == "java/lang/String" || vm.unboxed(object).is_some());
    is_enum || is_library_value || this.flags & flags::ENUM != 0
}
