//! Formats bounds as the `[bounds]` table of a `heapwright.toml`, each line with its origin.
//!
//! Derived bounds survive the round trip through this text and [`crate::adjust`] unchanged.

use std::collections::BTreeSet;

use heapwright_jvm::class::Shape;
use heapwright_jvm::descriptor::Kind;
use heapwright_jvm::{Ref, Vm};

use crate::bounds::{Bounds, ClassBound, Range};
use crate::derive::constants_of_initialized;

impl Bounds {
    /// Formats the bounds as TOML: the objects of each class and the range of each field, with
    /// their origins. Bounds that `[bounds]` cannot express become comments.
    #[must_use]
    pub fn explain(&self, vm: &Vm) -> String {
        let mut text = match self.scope {
            Some(scope) => format!("[bounds]\nscope = {scope}\n"),
            None => {
                "# From the finitization; [bounds] of heapwright.toml adjusts derived bounds.\n"
                    .to_owned()
            }
        };
        text.push_str("\n[bounds.objects]\n");
        let mut seen = BTreeSet::new();
        for (number, bound) in self.classes.iter().enumerate() {
            let is_array = matches!(vm.class(bound.class).shape, Shape::Array(_));
            if is_array && self.scope.is_some() {
                // Each field of array type has its own array.
                continue;
            }
            let key = vm.binary_name(bound.class);
            let mut why = bound.origin.clone();
            if number == self.root {
                let is_alone = bound.count == 1;
                why.push_str(if is_alone {
                    "; the root"
                } else {
                    "; the first is the root"
                });
            }
            let value = objects_text(vm, bound);
            let can_be_said = seen.insert(key.clone()) && !is_array;
            push_line(&mut text, can_be_said, &key, &value, &why);
        }
        text.push_str("\n[bounds.fields]\n");
        let mut lines = Vec::new();
        let mut seen = BTreeSet::new();
        // If a subclass's field hides another of the same name, the key denotes the subclass's
        // field.
        for field in self.fields.iter().rev() {
            let key = format!(
                "{}.{}",
                vm.binary_name(self.classes[field.class].class),
                vm.text(field.field.name)
            );
            let value = self.range_text(vm, &field.range);
            let can_be_said = seen.insert(key.clone());
            let mut line = String::new();
            push_line(&mut line, can_be_said, &key, &value, &field.origin);
            lines.push(line);
        }
        text.extend(lines.into_iter().rev());
        text
    }

    fn range_text(&self, vm: &Vm, range: &Range) -> String {
        match range {
            Range::Slots(kind, slots) => slots_text(*kind, slots),
            Range::Objects { null, classes } => {
                let mut parts = Vec::new();
                if *null || classes.is_empty() {
                    parts.push("null".to_owned());
                }
                for &class in classes {
                    parts.push(vm.binary_name(self.classes[class].class));
                }
                list(parts.iter().map(|part| quoted(part)))
            }
            Range::Arrays {
                lengths, elements, ..
            } => {
                let lengths: Vec<u64> = lengths.iter().map(|&length| u64::from(length)).collect();
                format!(
                    "{{ length = {}, element = {} }}",
                    slots_text(Kind::Int, &lengths),
                    self.range_text(vm, elements)
                )
            }
        }
    }
}

fn push_line(text: &mut String, can_be_said: bool, key: &str, value: &str, why: &str) {
    let comment = if can_be_said { "" } else { "# " };
    let why = why.replace(|c: char| c.is_control(), " ");
    text.push_str(&format!("{comment}{} = {value} # {why}\n", quoted(key)));
}

/// Formats the number of objects of a class, or the objects themselves.
fn objects_text(vm: &Vm, bound: &ClassBound) -> String {
    let name = vm.class_name(bound.class);
    let total = bound.count as usize + bound.added.len();
    if name == "java/lang/String" {
        let strings = bound.added.iter().map(|&string| vm.string_text(string));
        return list(strings.map(|string| quoted(&string)));
    }
    if let Some(kind) = Kind::of_box(name) {
        let slots = bound.added.iter().filter_map(|&object| vm.unboxed(object));
        let slots: Vec<u64> = slots.map(|(_, slot)| slot).collect();
        return slots_text(kind, &slots);
    }
    match constants_of_initialized(vm, bound.class) {
        Some(constants) => {
            let name = |object: &Ref| {
                let found = constants.iter().find(|(_, constant)| constant == object);
                found.map(|(name, _)| quoted(name))
            };
            list(bound.added.iter().filter_map(name))
        }
        None => total.to_string(),
    }
}

/// Formats primitive values as a range if they are consecutive, else as a list.
fn slots_text(kind: Kind, slots: &[u64]) -> String {
    let ascending = slots
        .windows(2)
        .all(|pair| signed(kind, pair[0]).checked_add(1) == Some(signed(kind, pair[1])));
    if let [first, _, .., last] | [first, last] = slots
        && ascending
        && !matches!(kind, Kind::Boolean | Kind::Float | Kind::Double)
    {
        if kind != Kind::Char {
            return format!("\"{}..{}\"", signed(kind, *first), signed(kind, *last));
        }
        if let (Some(first), Some(last)) = (letter(*first), letter(*last)) {
            return quoted(&format!("{first}..{last}"));
        }
    }
    list(slots.iter().map(|&slot| slot_text(kind, slot)))
}

pub(crate) fn slot_text(kind: Kind, slot: u64) -> String {
    let float = |text: String| text.replace("NaN", "nan");
    match kind {
        Kind::Boolean => (slot != 0).to_string(),
        Kind::Float => float(format!("{:?}", f32::from_bits(slot as u32))),
        Kind::Double => float(format!("{:?}", f64::from_bits(slot))),
        Kind::Char => match letter(slot) {
            Some(letter) => quoted(&letter.to_string()),
            None => slot.to_string(),
        },
        kind => signed(kind, slot).to_string(),
    }
}

/// Returns the character that a `char` value denotes, unless it is half a surrogate pair.
fn letter(slot: u64) -> Option<char> {
    char::from_u32(slot as u32)
}

pub(crate) fn signed(kind: Kind, slot: u64) -> i64 {
    if kind == Kind::Long {
        slot as i64
    } else {
        i64::from(slot as u32 as i32)
    }
}

/// Formats a TOML array.
fn list(items: impl Iterator<Item = String>) -> String {
    let items: Vec<String> = items.collect();
    format!("[{}]", items.join(", "))
}

/// Formats a TOML basic string.
fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            c if c.is_control() => quoted.push_str(&format!("\\u{:04X}", u32::from(c))),
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}
