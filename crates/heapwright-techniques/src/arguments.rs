//! Arguments of methods: for each parameter the values over which it ranges, taken from the bounds
//! of the structures.

use std::sync::Arc;

use heapwright_jvm::class::flags;
use heapwright_jvm::descriptor::{self, Kind};
use heapwright_jvm::{ClassId, Ref, Vm};
use heapwright_suite::{Literal, Value};

use crate::Error;
use crate::bounds::{Bounds, Range};
use crate::derive::constants_of;
use crate::read::{Snapshot, StructureReader, value};
use crate::target::find_class;

/// A value of a parameter.
#[derive(Clone, Debug)]
pub struct Argument {
    /// Its form for the engine.
    pub slot: u64,
    /// Its form in a test.
    pub literal: Literal,
}

/// The range of a parameter.
#[derive(Clone, Debug)]
pub enum Parameter {
    /// These values; `wide` ones take two words.
    Values {
        /// The values, in order.
        arguments: Vec<Argument>,
        /// Whether the parameter is a `long` or a `double`.
        wide: bool,
    },
    /// Null, and all objects of the structure that are instances of a class.
    Objects {
        /// The class.
        class: ClassId,
        /// Further values, placed after null and before the objects.
        made: Vec<Argument>,
    },
}

impl Parameter {
    /// Returns the range of a parameter type. Primitives range over the values of fields of their
    /// kind. Boxes, `Object`, `Number` and `Comparable` range over boxes of these, or null. Strings
    /// range over a small pool, enums over their constants. Arrays are null. Other types are null
    /// or objects of the structure.
    ///
    /// # Errors
    /// The parameter's class cannot be used.
    pub fn of(
        vm: &mut Vm,
        reader: &mut StructureReader,
        descriptor: &str,
        bounds: &Bounds,
    ) -> Result<Parameter, Error> {
        let kind = Kind::of(descriptor);
        if kind != Kind::Reference {
            let arguments = primitive_values(kind, bounds)
                .into_iter()
                .map(|slot| Argument {
                    slot,
                    literal: Literal::Value(value(kind, slot, |_| Value::Null)),
                })
                .collect();
            return Ok(Parameter::Values {
                arguments,
                wide: kind.words() == 2,
            });
        }
        let mut arguments = vec![null()];
        let boxed = Kind::NEWARRAY
            .into_iter()
            .find(|kind| format!("L{};", kind.box_class()) == descriptor);
        let boxed = match descriptor {
            "Ljava/lang/Object;" | "Ljava/lang/Number;" | "Ljava/lang/Comparable;" => {
                Some(Kind::Int)
            }
            _ => boxed,
        };
        if let Some(kind) = boxed {
            for slot in primitive_values(kind, bounds) {
                let object = vm.boxed(kind, slot).map_err(Error::Bounds)?;
                arguments.push(Argument {
                    slot: object.slot(),
                    literal: Literal::Boxed(value(kind, slot, |_| Value::Null)),
                });
            }
        } else if descriptor == "Ljava/lang/String;" {
            for text in ["", "a", "b"] {
                let object = vm
                    .new_string(text)
                    .map_err(|_| Error::Bounds("no memory for strings".to_owned()))?;
                arguments.push(Argument {
                    slot: object.slot(),
                    literal: Literal::String(text.to_owned()),
                });
            }
        } else if !descriptor.starts_with('[') {
            let name = descriptor::class_name(descriptor).replace('/', ".");
            let class = find_class(vm, &name)?;
            if vm.class(class).flags & flags::ENUM == 0 {
                return Ok(Parameter::Objects {
                    class,
                    made: Vec::new(),
                });
            }
            let sig = reader.class_sig(vm, class);
            for (name, object) in constants_of(vm, class)? {
                arguments.push(Argument {
                    slot: object.slot(),
                    literal: Literal::EnumConstant {
                        class: Arc::clone(&sig),
                        name,
                    },
                });
            }
        }
        Ok(Parameter::Values {
            arguments,
            wide: false,
        })
    }

    /// Returns the minimum number of values over all structures.
    pub(crate) fn least(&self) -> usize {
        match self {
            Parameter::Values { arguments, .. } => arguments.len(),
            Parameter::Objects { made, .. } => 1 + made.len(),
        }
    }

    /// Returns the maximum number of values over all structures within the bounds.
    pub(crate) fn most(&self, vm: &Vm, bounds: &Bounds) -> usize {
        let Parameter::Objects { class, .. } = self else {
            return self.least();
        };
        let classes = bounds.classes.iter();
        let classes = classes.filter(|bound| vm.is_subclass(bound.class, *class));
        let objects = classes.map(|bound| bound.count as usize).sum::<usize>();
        self.least() + objects
    }

    /// Returns the values of the parameter on a structure.
    fn values(&self, vm: &Vm, snapshot: &Snapshot) -> Vec<Argument> {
        match self {
            Parameter::Values { arguments, .. } => arguments.clone(),
            Parameter::Objects { class, made } => {
                let mut values = vec![null()];
                values.extend(made.iter().cloned());
                values.extend(objects_of(vm, snapshot, *class));
                values
            }
        }
    }
}

/// Returns the values of each parameter on a structure.
pub(crate) fn ranges(vm: &Vm, parameters: &[Parameter], snapshot: &Snapshot) -> Vec<Vec<Argument>> {
    let parameters = parameters.iter();
    parameters
        .map(|parameter| parameter.values(vm, snapshot))
        .collect()
}

/// Returns all combinations of arguments if they are the same on every structure.
#[must_use]
pub fn fixed_tuples(parameters: &[Parameter]) -> Option<Vec<Vec<Argument>>> {
    let ranges: Option<Vec<Vec<Argument>>> = parameters
        .iter()
        .map(|parameter| match parameter {
            Parameter::Values { arguments, .. } => Some(arguments.clone()),
            Parameter::Objects { .. } => None,
        })
        .collect();
    ranges.map(|ranges| combinations(&ranges).collect())
}

/// Returns the number of combinations of values, saturating.
pub(crate) fn ways<T>(ranges: &[Vec<T>]) -> u64 {
    let sizes = ranges.iter().map(|range| range.len() as u64);
    sizes.fold(1, u64::saturating_mul)
}

/// Enumerates all combinations of values lazily, the last one varying fastest; there may be too
/// many for memory.
pub(crate) fn combinations<T: Clone>(ranges: &[Vec<T>]) -> impl Iterator<Item = Vec<T>> {
    let is_none = ranges.iter().any(Vec::is_empty);
    let mut next = (!is_none).then(|| vec![0; ranges.len()]);
    std::iter::from_fn(move || {
        let places = next.as_mut()?;
        let values = places.iter().zip(ranges);
        let tuple = values.map(|(&place, range)| range[place].clone()).collect();
        let mut counters = places.iter_mut().zip(ranges).rev();
        let has_next = counters.any(|(place, range)| {
            *place = (*place + 1) % range.len();
            *place > 0
        });
        if !has_next {
            next = None;
        }
        Some(tuple)
    })
}

/// Returns the slots of a call on `receiver`.
#[must_use]
pub fn slots(receiver: Ref, parameters: &[Parameter], arguments: &[Argument]) -> Vec<u64> {
    let mut slots = vec![receiver.slot()];
    for (argument, parameter) in arguments.iter().zip(parameters) {
        slots.push(argument.slot);
        if matches!(parameter, Parameter::Values { wide: true, .. }) {
            slots.push(0);
        }
    }
    slots
}

/// Returns the argument null.
pub(crate) fn null() -> Argument {
    Argument {
        slot: 0,
        literal: Literal::Value(Value::Null),
    }
}

fn objects_of(vm: &Vm, snapshot: &Snapshot, class: ClassId) -> Vec<Argument> {
    let mut found: Vec<(usize, Ref)> = snapshot
        .numbers
        .iter()
        .filter(|(object, _)| vm.is_subclass(vm.heap.class_of(**object), class))
        .map(|(&object, &number)| (number, object))
        .collect();
    found.sort_unstable_by_key(|&(number, _)| number);
    let objects = found.into_iter().map(|(number, object)| Argument {
        slot: object.slot(),
        literal: Literal::Value(Value::Ref(number)),
    });
    objects.collect()
}

/// Returns the values of an argument of a primitive kind. These are the values of fields of that
/// kind, else those of integer fields, else 0 and 1.
fn primitive_values(kind: Kind, bounds: &Bounds) -> Vec<u64> {
    if kind == Kind::Boolean {
        return vec![0, 1];
    }
    let own = match kind {
        Kind::Float | Kind::Double => floating_values(kind, bounds),
        _ => bounds.values_of(kind),
    };
    if !own.is_empty() {
        return own;
    }
    let ints: Vec<i32> = match bounds.values_of(Kind::Int) {
        ints if ints.is_empty() => vec![0, 1],
        ints => ints.into_iter().map(|slot| slot as u32 as i32).collect(),
    };
    let mut slots: Vec<u64> = ints
        .into_iter()
        .map(|int| match kind {
            Kind::Byte => u64::from(i32::from(int as i8) as u32),
            Kind::Short => u64::from(i32::from(int as i16) as u32),
            Kind::Char => u64::from('a' as u32).wrapping_add(int as u64) & 0xFFFF,
            Kind::Long => i64::from(int) as u64,
            Kind::Float => u64::from((int as f32).to_bits()),
            Kind::Double => f64::from(int).to_bits(),
            _ => u64::from(int as u32),
        })
        .collect();
    slots.dedup();
    slots
}

fn floating_values(kind: Kind, bounds: &Bounds) -> Vec<u64> {
    let mut values = Vec::new();
    for field in &bounds.fields {
        if let Range::Slots(range, slots) = &field.range
            && *range == kind
        {
            values.extend(
                slots
                    .iter()
                    .copied()
                    .filter(|slot| !values.contains(slot))
                    .collect::<Vec<_>>(),
            );
        }
    }
    values
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn combinations_are_numbers_with_a_digit_a_range() {
        let ranges = [vec![0, 1], vec![0, 1, 2], vec![0], vec![0, 1, 2, 3]];
        let all: Vec<Vec<u32>> = combinations(&ranges).collect();
        assert_eq!(all.len() as u64, ways(&ranges));
        for (number, tuple) in (0..).zip(&all) {
            let digits = tuple.iter().zip(&ranges);
            let value = digits.fold(0, |value, (digit, range)| {
                value * range.len() as u32 + digit
            });
            assert_eq!(value, number, "{tuple:?}");
        }
        assert_eq!(
            combinations::<u32>(&[]).collect::<Vec<_>>(),
            [Vec::<u32>::new()]
        );
        assert_eq!(combinations(&[vec![1], Vec::new()]).next(), None);
        let endless = vec![vec![0, 1]; 80];
        assert_eq!(ways(&endless), u64::MAX);
        assert_eq!(
            combinations(&endless)
                .nth(2)
                .map(|tuple| tuple[77..].to_vec()),
            Some(vec![0, 1, 0])
        );
    }
}
