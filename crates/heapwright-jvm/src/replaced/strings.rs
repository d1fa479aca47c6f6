//! Strings with open characters or an open layout (JEP 254).
//!
//! A string has a coder and bytes. With coder 0 each byte is a Latin-1 character; with coder 1
//! two bytes are a character, the lower half first. If the coder is open, the bytes are one of
//! two arrays, of which the one with Latin-1 characters is first.

use crate::choice::Place;
use crate::descriptor::Kind;
use crate::heap::Ref;
use crate::machine::{
    Comparison, ConditionTruth, Machine, Operation, SlotLocation, is_symbolic, term_of,
};
use crate::vm::{Exit, Fault, Vm};

use super::ReplacedCall;

/// Maximum number of characters for an open index; in a longer string the index is fixed first.
const MAX_CHARS: u32 = 4096;

/// Layout of a string.
struct StringLayout {
    /// Slot of the coder.
    coder: u64,
    /// Bytes for each coder that the string can have.
    bytes: [Option<Ref>; 2],
}

impl Vm {
    /// `String.equals` as a single condition, where a string has an open layout or open UTF-16
    /// characters.
    pub(super) fn compare_texts<M: Machine>(
        &mut self,
        machine: &mut M,
        first: usize,
    ) -> Result<ReplacedCall, Fault> {
        let (receiver, other) = (self.state.registers[first], self.state.registers[first + 1]);
        if !M::TOTAL || is_symbolic(receiver) || receiver == 0 {
            return Ok(ReplacedCall::Plain);
        }
        let text = Ref::from_slot(receiver);
        if let Some(term) = term_of(other)
            && machine.value(term).is_none()
            && machine.type_bound(term) != Some(self.known().string)
        {
            return Ok(ReplacedCall::Plain);
        }
        if let Some(exit) = self.settle_arguments(machine, first + 1, 1) {
            return Ok(ReplacedCall::Stop(exit));
        }
        let other = Ref::from_slot(self.state.registers[first + 1]);
        if other.is_null() || self.heap.class_of(other) != self.heap.class_of(text) {
            return Ok(ReplacedCall::Plain);
        }
        if !self.may_be_wide(machine, text) && !self.may_be_wide(machine, other) {
            return Ok(ReplacedCall::Plain);
        }
        let equal = self.equal_texts(machine, text, other);
        Ok(equal.map_or(ReplacedCall::Plain, ReplacedCall::Done))
    }

    /// `StringUTF16.getChar`: selects among characters instead of bytes.
    pub(super) fn char_of<M: Machine>(
        &mut self,
        machine: &mut M,
        first: usize,
    ) -> Result<ReplacedCall, Fault> {
        if !M::TOTAL {
            return Ok(ReplacedCall::Plain);
        }
        if let Some(exit) = self.settle_arguments(machine, first, 1) {
            return Ok(ReplacedCall::Stop(exit));
        }
        let bytes = Ref::from_slot(self.state.registers[first]);
        let index = settled(machine, self.state.registers[first + 1]);
        let is_open = |array| !self.heap.array_shadow(array).is_null();
        if bytes.is_null() || !is_symbolic(index) && !is_open(bytes) {
            return Ok(ReplacedCall::Plain);
        }
        let room = self.heap.array_length(bytes) / 2;
        let length = self.slot_of_place(bytes, Place::Length);
        let Some(length) = machine.operate(Operation::Shr, Kind::Int, length, 1) else {
            return Ok(ReplacedCall::Plain);
        };
        match machine.compare(Comparison::Below, Kind::Int, index, length) {
            ConditionTruth::Known(true) => {}
            ConditionTruth::Open => return Ok(ReplacedCall::Stop(Exit::Branch)),
            // The call throws an exception.
            _ => return Ok(ReplacedCall::Plain),
        }
        if !is_symbolic(index) {
            let place = index as u32;
            let character = (place < room).then(|| self.wide_char(machine, bytes, place));
            return Ok(character
                .flatten()
                .map_or(ReplacedCall::Plain, ReplacedCall::Done));
        }
        // Longer inputs have other characters at an open index, which this decision shows.
        match machine.compare(Comparison::Below, Kind::Int, index, room.into()) {
            ConditionTruth::Known(true) => {}
            ConditionTruth::Open => return Ok(ReplacedCall::Stop(Exit::Branch)),
            _ => return Ok(ReplacedCall::Plain),
        }
        if room > MAX_CHARS {
            let index = SlotLocation::Register(first as u32 + 1);
            return Ok(ReplacedCall::Stop(Exit::Symbolic(index)));
        }
        let characters = (0..room).map(|place| self.wide_char(machine, bytes, place));
        let characters: Option<Vec<u64>> = characters.collect();
        let chosen = characters.and_then(|all| machine.select(Kind::Char, index, &all));
        Ok(chosen.map_or(ReplacedCall::Plain, ReplacedCall::Done))
    }

    /// Whether the characters or the layout of a string are open.
    pub(super) fn is_open_text<M: Machine>(&self, machine: &mut M, text: Ref) -> bool {
        let layout = self.text_layout(machine, text);
        let open = |array: &Ref| !self.heap.array_shadow(*array).is_null();
        layout.is_some_and(|layout| layout.bytes.iter().flatten().any(open))
    }

    /// Whether a string with open characters may be in UTF-16.
    fn may_be_wide<M: Machine>(&self, machine: &mut M, text: Ref) -> bool {
        let layout = self.text_layout(machine, text);
        let wide = layout.and_then(|layout| layout.bytes[1]);
        wide.is_some_and(|array| !self.heap.array_shadow(array).is_null())
    }

    /// Layout of a string; `None` if it cannot be determined.
    fn text_layout<M: Machine>(&self, machine: &mut M, text: Ref) -> Option<StringLayout> {
        let known = self.known();
        let coder = settled(machine, self.heap.field(text, known.string_coder));
        let value = settled(machine, self.heap.field(text, known.string_value));
        let arrays = match term_of(value) {
            Some(term) => machine.candidates(term),
            None => vec![Ref::from_slot(value)],
        };
        let bytes = match (is_symbolic(coder), &arrays[..]) {
            (_, arrays) if arrays.contains(&Ref::NULL) => return None,
            (true, &[latin1, utf16]) => [Some(latin1), Some(utf16)],
            (false, &[latin1]) if coder == 0 => [Some(latin1), None],
            (false, &[utf16]) => [None, Some(utf16)],
            _ => return None,
        };
        Some(StringLayout { coder, bytes })
    }

    /// 1 if two strings are equal, else 0; `None` if there is no such term.
    pub(super) fn equal_texts<M: Machine>(&self, machine: &mut M, a: Ref, b: Ref) -> Option<u64> {
        if a == b {
            return Some(1);
        }
        let (a, b) = (self.text_layout(machine, a)?, self.text_layout(machine, b)?);
        let mut any = 0;
        for coder in [0, 1] {
            let (Some(left), Some(right)) = (a.bytes[coder], b.bytes[coder]) else {
                continue;
            };
            let mut all = match coder {
                0 => self.equal_arrays(machine, left, right)?,
                _ => self.equal_chars(machine, left, right)?,
            };
            for layout in [&a, &b] {
                let is = machine.comparison_as_int(
                    Comparison::Eq,
                    Kind::Int,
                    layout.coder,
                    coder as u64,
                )?;
                all = machine.operate(Operation::And, Kind::Int, is, all)?;
            }
            any = machine.operate(Operation::Or, Kind::Int, any, all)?;
        }
        Some(any)
    }

    /// 1 if the bytes of two UTF-16 strings hold the same characters, else 0.
    fn equal_chars<M: Machine>(&self, machine: &mut M, a: Ref, b: Ref) -> Option<u64> {
        let length = |array| self.slot_of_place(array, Place::Length);
        let mut all = machine.comparison_as_int(Comparison::Eq, Kind::Int, length(a), length(b))?;
        let room = |array| self.heap.array_length(array) / 2;
        for place in 0..room(a).min(room(b)) {
            let left = self.wide_char(machine, a, place)?;
            let right = self.wide_char(machine, b, place)?;
            let same = machine.comparison_as_int(Comparison::Eq, Kind::Int, left, right)?;
            let start = u64::from(place) * 2;
            let end = machine.comparison_as_int(Comparison::Le, Kind::Int, length(a), start)?;
            let holds = machine.operate(Operation::Or, Kind::Int, same, end)?;
            all = machine.operate(Operation::And, Kind::Int, all, holds)?;
        }
        Some(all)
    }

    /// Character in the bytes of a UTF-16 string.
    fn wide_char<M: Machine>(&self, machine: &mut M, bytes: Ref, place: u32) -> Option<u64> {
        let mut half = |place| {
            let byte = self.slot_of_place(bytes, Place::Element(place));
            machine.operate(Operation::And, Kind::Int, byte, 0xFF)
        };
        let (low, high) = (half(2 * place)?, half(2 * place + 1)?);
        let high = machine.operate(Operation::Shl, Kind::Int, high, 8)?;
        machine.operate(Operation::Or, Kind::Int, high, low)
    }
}

/// Value of a slot if the path fixes it, else the slot.
pub(super) fn settled<M: Machine>(machine: &mut M, slot: u64) -> u64 {
    term_of(slot).map_or(slot, |term| machine.value(term).unwrap_or(slot))
}
