//! Values of fields in the built structures, as bounds of the search from the invariant.

use std::collections::{BTreeMap, BTreeSet};

use heapwright_jvm::class::{Field, Shape};
use heapwright_jvm::descriptor::Kind;
use heapwright_jvm::{ClassId, Place, Ref, Vm};

use crate::adjust::{Adjustment, Adjustments, Setting, SettingValue};
use crate::api::{Pools, Prepared, StructureRef};

/// Most values of a field that are distinguished.
const MOST_VALUES: usize = 4_096;

/// Observed values of a field or element.
enum Seen {
    /// Values of a primitive kind.
    Values(Kind, BTreeSet<u64>),
    /// Lengths of arrays, and the observed values of their elements.
    Arrays(BTreeSet<u64>, Box<Seen>),
}

/// Observed values of each field of primitive type, or of arrays of such, in the built structures.
/// The user's adjustments take precedence.
pub(super) fn observed(
    vm: &mut Vm,
    prepared: &mut Prepared,
    pools: &Pools,
    said: &Adjustments,
) -> Adjustments {
    let mut fields: BTreeMap<(ClassId, String), Seen> = BTreeMap::new();
    let built = (0..).zip(pools.iter()).flat_map(|(pool, structures)| {
        (0..structures.len() as u32).map(move |index| StructureRef { pool, index })
    });
    let mut note = |vm: &mut Vm, built: StructureRef| {
        if prepared.caller.make(vm, pools, built).is_ok() {
            for &object in prepared.caller.canonicalizer.objects() {
                note_fields(vm, object, &mut fields);
            }
        }
    };
    vm.with_mark(|vm| {
        for built in built {
            vm.with_mark(|vm| note(vm, built));
        }
    });
    let mut all = said.clone();
    for ((class, field), seen) in fields {
        let key = format!("{}.{field}", vm.binary_name(class));
        let is_said = said.fields.iter().any(|said| said.key == key);
        let Some(setting) = seen.setting().filter(|_| !is_said) else {
            continue;
        };
        all.fields.push(Adjustment {
            key,
            place: "the structures that were built".to_owned(),
            setting,
        });
    }
    all
}

fn note_fields(vm: &Vm, object: Ref, fields: &mut BTreeMap<(ClassId, String), Seen>) {
    let class = vm.heap.class_of(object);
    if vm.class(class).shape != Shape::Instance || !vm.is_app_class(class) {
        return;
    }
    for &above in &vm.class(class).display {
        for field in &vm.class(above).fields {
            if field.is_static() || !vm.is_app_class(above) {
                continue;
            }
            let key = (class, vm.text(field.name).to_owned());
            if !fields.contains_key(&key)
                && let Some(seen) = Seen::nothing(field_type(vm, field))
            {
                fields.insert(key.clone(), seen);
            }
            if let Some(seen) = fields.get_mut(&key) {
                seen.note(vm, vm.heap.field(object, field.word));
            }
        }
    }
}

fn field_type<'a>(vm: &'a Vm, field: &Field) -> &'a str {
    vm.text(field.descriptor)
}

impl Seen {
    /// Empty observation for a type; `None` for objects that are not arrays of values.
    fn nothing(descriptor: &str) -> Option<Seen> {
        if let Some(element) = descriptor.strip_prefix('[') {
            let elements = Box::new(Seen::nothing(element)?);
            return Some(Seen::Arrays(BTreeSet::new(), elements));
        }
        let kind = Kind::of(descriptor);
        (kind != Kind::Reference).then(|| Seen::Values(kind, BTreeSet::new()))
    }

    fn note(&mut self, vm: &Vm, slot: u64) {
        match self {
            Seen::Values(_, slots) => {
                if slots.len() < MOST_VALUES {
                    slots.insert(slot);
                }
            }
            Seen::Arrays(lengths, elements) => {
                let array = Ref::from_slot(slot);
                if array.is_null() {
                    return;
                }
                let length = vm.heap.array_length(array);
                lengths.insert(length.into());
                for index in 0..length {
                    elements.note(vm, vm.slot_of_place(array, Place::Element(index)));
                }
            }
        }
    }

    /// Setting for the observed values; `None` if there are none, or bounds cannot list values of
    /// the kind.
    fn setting(&self) -> Option<Setting> {
        Some(match self {
            Seen::Values(_, slots) if slots.is_empty() => return None,
            Seen::Values(kind, slots) => Setting::Items(items(*kind, slots)?),
            Seen::Arrays(lengths, _) if lengths.is_empty() => return None,
            Seen::Arrays(lengths, elements) => {
                // If all arrays are empty, any element value will do.
                let none = || Setting::Items(vec![SettingValue::Integer(0)]);
                Setting::Array {
                    lengths: items(Kind::Int, lengths)?,
                    elements: Box::new(elements.setting().unwrap_or_else(none)),
                }
            }
        })
    }
}

/// Values of a field as a setting; `None` if bounds cannot list values of the kind.
fn items(kind: Kind, slots: &BTreeSet<u64>) -> Option<Vec<SettingValue>> {
    let integers = |of: fn(u64) -> i64| {
        let mut integers: Vec<i64> = slots.iter().map(|&slot| of(slot)).collect();
        integers.sort_unstable();
        integers.into_iter().map(SettingValue::Integer).collect()
    };
    Some(match kind {
        Kind::Boolean => slots
            .iter()
            .map(|&slot| SettingValue::Boolean(slot != 0))
            .collect(),
        Kind::Byte | Kind::Short | Kind::Int => integers(|slot| i64::from(slot as u32 as i32)),
        Kind::Char => integers(|slot| slot as i64),
        Kind::Long => integers(|slot| slot as i64),
        Kind::Float => slots
            .iter()
            .map(|&slot| SettingValue::Float(f64::from(f32::from_bits(slot as u32))))
            .collect(),
        Kind::Double => slots
            .iter()
            .map(|&slot| SettingValue::Float(f64::from_bits(slot)))
            .collect(),
        Kind::Reference | Kind::Void => return None,
    })
}
