//! Pools: values of primitive types and strings, of which arguments are made.

use heapwright_jvm::descriptor::Kind;

use crate::bounds::{Bounds, Range};

/// Values of primitive types, as slots, and strings.
#[derive(Clone, Debug)]
pub struct ValuePool {
    primitives: Vec<(Kind, Vec<u64>)>,
    /// Strings.
    pub strings: Vec<String>,
}

impl ValuePool {
    /// Creates a pool with the slots that a function gives for each primitive type.
    pub fn new(slots: impl Fn(Kind) -> Vec<u64>, strings: Vec<String>) -> ValuePool {
        let primitives = Kind::NEWARRAY.into_iter();
        ValuePool {
            primitives: primitives.map(|kind| (kind, slots(kind))).collect(),
            strings,
        }
    }

    /// Creates a pool with the values that the fields of structures have, and three strings.
    #[must_use]
    pub fn of_bounds(bounds: &Bounds) -> ValuePool {
        let strings = ["", "a", "b"].map(str::to_owned).to_vec();
        ValuePool::new(|kind| primitive_values(kind, bounds), strings)
    }

    /// The values of a primitive type.
    #[must_use]
    pub fn slots(&self, kind: Kind) -> Vec<u64> {
        let own = self.primitives.iter().find(|(own, _)| *own == kind);
        own.map(|(_, slots)| slots.clone()).unwrap_or_default()
    }
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
