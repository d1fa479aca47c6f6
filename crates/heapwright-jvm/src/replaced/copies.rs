//! Copies of parts of arrays at open indices, as one term for each element instead of a path for
//! each index.
//!
//! Invariant: an element past the length of an array is not read.

use crate::class::ClassId;
use crate::descriptor::Kind;
use crate::heap::Ref;
use crate::machine::{Comparison, Machine, is_symbolic};
use crate::vm::{Exit, Fault, Limit, Vm};

use super::ReplacedCall;
use super::searches::OpenArray;
use super::terms::{PLAIN, Resolved, Terms, Unresolved, called, int};

/// Most elements of a copy with an open index; beyond it the plain code runs.
pub(super) const MAX_COPIED: u32 = 1 << 12;
/// Maximum known length of a copy of an array with open elements.
const MAX_KNOWN: u32 = 1 << 20;

/// Most elements that are put at an open index one by one.
const FEW: u32 = 4;

/// Copy of elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArrayCopy {
    /// `System.arraycopy`.
    Into,
    /// `Arrays.copyOf(array, length)`.
    Prefix,
    /// `Arrays.copyOfRange(array, from, to)`.
    Range,
    /// Stores Latin-1 characters in an array of characters: `(byte[], int, char[], int, int)`.
    Inflated,
}

/// Part of an array that is written.
struct Target {
    array: Ref,
    room: u32,
    start: u64,
}

impl Vm {
    /// Copies elements if an index or a length is open.
    pub(super) fn copy_elements<M: Machine>(
        &mut self,
        machine: &mut M,
        copy: ArrayCopy,
        first: usize,
    ) -> Result<ReplacedCall, Fault> {
        if !M::TOTAL {
            return Ok(ReplacedCall::Plain);
        }
        called(match copy {
            ArrayCopy::Into => self.copy_into(machine, first, false),
            ArrayCopy::Inflated => self.copy_into(machine, first, true),
            ArrayCopy::Prefix => {
                let end = self.number_at(machine, first + 1);
                self.copy_of(machine, first, 0, end)
            }
            ArrayCopy::Range => {
                let from = self.number_at(machine, first + 1);
                let end = self.number_at(machine, first + 2);
                self.copy_of(machine, first, from, end)
            }
        })
    }

    /// Array and start in two registers.
    fn copied_at<M: Machine>(
        &mut self,
        machine: &mut M,
        register: usize,
    ) -> Resolved<(OpenArray, u64)> {
        let object = self.object_at(machine, register)?;
        let kind = self.element_kind(self.heap.class_of(object));
        if matches!(kind, Kind::Void | Kind::Reference) {
            return Err(PLAIN);
        }
        let array = self.open_array(machine, object);
        Ok((array, self.number_at(machine, register + 1)))
    }

    fn copy_into<M: Machine>(
        &mut self,
        machine: &mut M,
        first: usize,
        inflates: bool,
    ) -> Resolved<u64> {
        // Most copies are of concrete parts.
        let count = self.number_at(machine, first + 4);
        let (from, from_start) = self.copied_at(machine, first)?;
        let (to, to_start) = self.copied_at(machine, first + 2)?;
        let numbers = [from_start, to_start, count, from.length, to.length];
        if !numbers.iter().any(|&number| is_symbolic(number)) {
            return Err(PLAIN);
        }
        let kind = self.element_kind(self.heap.class_of(to.array));
        let from_kind = self.element_kind(self.heap.class_of(from.array));
        if !inflates && kind != from_kind {
            return Err(PLAIN);
        }
        if from.room.max(to.room) > MAX_COPIED {
            return Err(PLAIN);
        }
        self.within_room(machine, &[from, to], &numbers)?;
        let mut terms = Terms { machine };
        let mut valid = terms.at_most(0, count)?;
        for (array, start) in [(from, from_start), (to, to_start)] {
            let rest = terms.difference(array.length, start)?;
            for (a, b) in [(0, start), (start, array.length), (count, rest)] {
                let holds = terms.at_most(a, b)?;
                valid = terms.both(valid, holds)?;
            }
        }
        terms.require(valid)?;
        let mut elements = self.elements_of(from);
        if inflates {
            for element in &mut elements {
                *element = terms.masked(*element, 0xFF)?;
            }
        }
        let target = Target {
            array: to.array,
            room: to.room,
            start: to_start,
        };
        let changed = self.copied(&mut terms, kind, &elements, from_start, count, &target)?;
        for (place, slot) in changed {
            self.store_element(to.array, place, slot)?;
        }
        Ok(0)
    }

    /// New values of the elements of a target to which so many elements are copied.
    fn copied<M: Machine>(
        &self,
        terms: &mut Terms<'_, M>,
        kind: Kind,
        elements: &[u64],
        start: u64,
        count: u64,
        target: &Target,
    ) -> Resolved<Vec<(u32, u64)>> {
        let source = terms.shifted_down(kind, elements, start)?;
        let most = match is_symbolic(start) {
            true => elements.len() as u32,
            false => (elements.len() as u32).saturating_sub(start as u32),
        };
        let most = match is_symbolic(count) {
            true => most,
            false => most.min(count as u32),
        };
        let before =
            |place: u32| self.slot_of_place(target.array, crate::choice::Place::Element(place));
        let mut changed = Vec::new();
        if !is_symbolic(target.start) {
            let first = target.start as u32;
            for at in 0..most.min(target.room.saturating_sub(first)) {
                let is_in = terms.less(int(at), count)?;
                let place = first + at;
                let slot = terms.choose(kind, is_in, source[at as usize], before(place))?;
                changed.push((place, slot));
            }
            return Ok(changed);
        }
        if most <= FEW {
            for place in 0..target.room {
                let mut slot = before(place);
                for at in 0..most.min(place + 1) {
                    let is_here = terms.same(target.start, int(place - at))?;
                    let is_in = terms.less(int(at), count)?;
                    let both = terms.both(is_here, is_in)?;
                    slot = terms.choose(kind, both, source[at as usize], slot)?;
                }
                changed.push((place, slot));
            }
            return Ok(changed);
        }
        let moved = terms.shifted_up(kind, &source, target.start, target.room)?;
        let end = terms.sum(target.start, count)?;
        for place in 0..target.room {
            let is_from = terms.at_most(target.start, int(place))?;
            let is_before = terms.less(int(place), end)?;
            let is_in = terms.both(is_from, is_before)?;
            let slot = terms.choose(kind, is_in, moved[place as usize], before(place))?;
            changed.push((place, slot));
        }
        Ok(changed)
    }

    fn copy_of<M: Machine>(
        &mut self,
        machine: &mut M,
        first: usize,
        from: u64,
        end: u64,
    ) -> Resolved<u64> {
        let array = self.open_array_at(machine, first)?;
        let numbers = [from, end, array.length];
        if !numbers.iter().any(|&number| is_symbolic(number)) {
            return Err(PLAIN);
        }
        if array.room > MAX_COPIED {
            return Err(PLAIN);
        }
        self.within_room(machine, &[array], &numbers)?;
        let mut terms = Terms { machine };
        let mut valid = 1;
        for (a, b) in [(0, from), (from, array.length), (from, end)] {
            let holds = terms.at_most(a, b)?;
            valid = terms.both(valid, holds)?;
        }
        terms.require(valid)?;
        let is_inner = terms.at_most(end, array.length)?;
        let is_inner = terms.decide(is_inner)?;
        let length = terms.difference(end, from)?;
        let length = super::strings::settled(terms.machine, length);
        let room = self.room_of(&mut terms, length, if is_inner { array.room } else { 0 })?;
        let class = self.heap.class_of(array.array);
        let kind = self.element_kind(class);
        let mut elements = self.elements_of(array);
        if !is_inner {
            for (place, element) in (0..).zip(&mut elements) {
                let is_in = terms.less(int(place), array.length)?;
                *element = terms.choose(kind, is_in, *element, 0)?;
            }
        }
        let mut elements = terms.shifted_down(kind, &elements, from)?;
        elements.resize(room as usize, 0);
        let copy = self.array_with(&mut terms, class, length, &elements)?;
        Ok(copy.slot())
    }

    /// Room for an array of a length that is not negative, and at most `known` unless that is 0.
    pub(super) fn room_of<M: Machine>(
        &self,
        terms: &mut Terms<'_, M>,
        length: u64,
        known: u32,
    ) -> Resolved<u32> {
        let stopped = || {
            Err(Unresolved::Call(ReplacedCall::Stop(Exit::Limit(
                Limit::ArrayLength,
            ))))
        };
        if !is_symbolic(length) {
            return match length as u32 {
                room if room <= MAX_KNOWN => Ok(room),
                _ => stopped(),
            };
        }
        let most = terms.machine.greatest_now(length);
        if known > 0 && most >= known {
            return Ok(known);
        }
        let room = match most {
            most if most <= MAX_COPIED => most,
            _ => terms.machine.max_new_array_length(),
        };
        let is_within = terms.is(Comparison::Le, length, int(room))?;
        match terms.decide(is_within)? {
            true => Ok(room),
            false if known > 0 => Ok(known),
            false => stopped(),
        }
    }

    /// Creates an array of a primitive kind. If the length is open, there is room for all elements
    /// that are given; otherwise those past the length are dropped.
    pub(super) fn array_with<M: Machine>(
        &mut self,
        terms: &mut Terms<'_, M>,
        class: ClassId,
        length: u64,
        elements: &[u64],
    ) -> Resolved<Ref> {
        if !is_symbolic(length) {
            let bytes = self.element_kind(class).element_bytes();
            let array = self
                .heap
                .allocate_array(class, length as u32, bytes, false)?;
            for (place, &slot) in (0..length as u32).zip(elements) {
                self.store_element(array, place, slot)?;
            }
            return Ok(array);
        }
        let mut read = Vec::with_capacity(elements.len());
        for (place, &slot) in (0..).zip(elements) {
            let is_in = terms.less(int(place), length)?;
            read.push(terms.machine.assuming(is_in, slot));
        }
        let array = self.new_choice_array(class, elements.len() as u32)?;
        self.set_length(array, length);
        for (place, slot) in (0..).zip(read) {
            self.store_element(array, place, slot)?;
        }
        Ok(array)
    }
}
