//! Searches and comparisons in the bytes of strings with open characters or an open length, as one
//! term instead of a path for each character.
//!
//! Invariant: a term ranges over the characters that an array has room for. Each method therefore
//! decides first that the length lies within the room; that records what the bounds of inputs cut.

use crate::choice::Place;
use crate::descriptor::Kind;
use crate::heap::Ref;
use crate::machine::{Comparison, Machine, is_symbolic};
use crate::vm::{Exit, Fault, Vm};

use super::strings::settled;
use super::terms::{PLAIN, Resolved, Terms, Unresolved, called, int};
use super::{CharacterTable, ReplacedCall, TableKey};

/// Most pairs of characters that a term compares; beyond it the plain code runs.
const MAX_PAIRS: u32 = 1 << 14;

/// Search or comparison in the bytes of strings. If strings are in UTF-16, two bytes are a
/// character, and numbers are those of characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextSearch {
    /// First place of a string: `(byte[], byte[])`.
    Text,
    /// First place of a string from an index on: `(byte[], int, byte[], int, int)`.
    TextFrom,
    /// Last place of a string up to an index, same parameters.
    LastText,
    /// First place of a byte in a range: `(byte[], int, int, int)`.
    Char,
    /// Last place of a byte up to an index: `(byte[], int, int)`.
    LastChar,
    /// Lexicographic comparison of two prefixes: `(byte[], byte[], int, int)`.
    Order,
    /// Comparison of two regions that ignores case: `(byte[], int, byte[], int, int)`.
    RegionWithoutCase,
    /// Whether a range has negative bytes: `(byte[], int, int)`.
    Negatives,
    /// Number of bytes before the first negative one in a range: `(byte[], int, int)`.
    Positives,
}

/// Array whose length or elements may be open.
#[derive(Clone, Copy)]
pub(super) struct OpenArray {
    pub array: Ref,
    /// Number of elements there is room for.
    pub room: u32,
    /// Slot of the length.
    pub length: u64,
}

impl Vm {
    /// Searches strings if something in them, or an argument, is open.
    pub(super) fn search_text<M: Machine>(
        &mut self,
        machine: &mut M,
        search: TextSearch,
        first: usize,
    ) -> Result<ReplacedCall, Fault> {
        if !M::TOTAL {
            return Ok(ReplacedCall::Plain);
        }
        called(match search {
            TextSearch::Text => self.find_text(machine, first),
            TextSearch::TextFrom => self.find_text_from(machine, first, false),
            TextSearch::LastText => self.find_text_from(machine, first, true),
            TextSearch::Char => self.find_char(machine, first),
            TextSearch::LastChar => self.find_last_char(machine, first),
            TextSearch::Order => self.order(machine, first),
            TextSearch::RegionWithoutCase => self.same_region(machine, first),
            TextSearch::Negatives => self.find_negative(machine, first, false),
            TextSearch::Positives => self.find_negative(machine, first, true),
        })
    }

    /// Object in a register; the plain code runs if it is null.
    pub(super) fn object_at<M: Machine>(
        &mut self,
        machine: &mut M,
        register: usize,
    ) -> Resolved<Ref> {
        if let Some(exit) = self.settle_arguments(machine, register, 1) {
            return Err(Unresolved::Call(ReplacedCall::Stop(exit)));
        }
        let object = Ref::from_slot(self.state.registers[register]);
        match object.is_null() {
            true => Err(PLAIN),
            false => Ok(object),
        }
    }

    /// Array in a register.
    pub(super) fn open_array_at<M: Machine>(
        &mut self,
        machine: &mut M,
        register: usize,
    ) -> Resolved<OpenArray> {
        let array = self.object_at(machine, register)?;
        Ok(self.open_array(machine, array))
    }

    pub(super) fn open_array<M: Machine>(&self, machine: &mut M, array: Ref) -> OpenArray {
        OpenArray {
            array,
            room: self.heap.array_length(array),
            length: settled(machine, self.slot_of_place(array, Place::Length)),
        }
    }

    /// Number in a register.
    pub(super) fn number_at<M: Machine>(&self, machine: &mut M, register: usize) -> u64 {
        settled(machine, self.state.registers[register])
    }

    /// Whether bytes may be open.
    pub(super) fn are_open(&self, bytes: OpenArray) -> bool {
        !self.heap.array_shadow(bytes.array).is_null()
    }

    /// Runs the plain code unless some bytes or numbers are open; else decides that the lengths lie
    /// within their room.
    pub(super) fn within_room<M: Machine>(
        &self,
        machine: &mut M,
        all: &[OpenArray],
        numbers: &[u64],
    ) -> Resolved<()> {
        let is_open = all.iter().any(|&bytes| self.are_open(bytes));
        if !is_open && !numbers.iter().any(|&number| is_symbolic(number)) {
            return Err(PLAIN);
        }
        let mut terms = Terms { machine };
        for bytes in all {
            if is_symbolic(bytes.length) {
                let is_within = terms.at_most(bytes.length, int(bytes.room))?;
                terms.require(is_within)?;
            }
        }
        Ok(())
    }

    fn byte(&self, bytes: OpenArray, place: u32) -> u64 {
        self.slot_of_place(bytes.array, Place::Element(place))
    }

    /// Latin-1 character at a place.
    pub(super) fn latin1<M: Machine>(
        &self,
        terms: &mut Terms<'_, M>,
        bytes: OpenArray,
        place: u32,
    ) -> Resolved<u64> {
        terms.masked(self.byte(bytes, place), 0xFF)
    }

    /// Elements of bytes, those past the length included.
    pub(super) fn elements_of(&self, bytes: OpenArray) -> Vec<u64> {
        (0..bytes.room)
            .map(|place| self.byte(bytes, place))
            .collect()
    }

    /// Table of a static method of `Character` for Latin-1 characters.
    pub(super) fn latin1_table<M: Machine>(
        &mut self,
        machine: &mut M,
        name: &str,
    ) -> Resolved<CharacterTable> {
        let method = self.method_named("java/lang/Character", name, "(I)I")?;
        let wanted = TableKey { method, radix: 0 };
        match self.tables.get(&wanted) {
            Some(Some([latin1, _])) => Ok(latin1.clone()),
            None if machine.wants_table(wanted) => {
                Err(Unresolved::Call(ReplacedCall::Stop(Exit::Branch)))
            }
            _ => Err(PLAIN),
        }
    }

    fn find_text<M: Machine>(&mut self, machine: &mut M, first: usize) -> Resolved<u64> {
        let text = self.open_array_at(machine, first)?;
        let wanted = self.open_array_at(machine, first + 1)?;
        self.within_room(machine, &[text, wanted], &[])?;
        let found = self.places(machine, text, text.length, wanted, wanted.length)?;
        Terms { machine }.first(&found, int(u32::MAX))
    }

    /// Conditions that the wanted bytes are at each place of the text, with the places.
    fn places<M: Machine>(
        &self,
        machine: &mut M,
        text: OpenArray,
        count: u64,
        wanted: OpenArray,
        wanted_count: u64,
    ) -> Resolved<Vec<(u64, u64)>> {
        if text.room.saturating_add(1).saturating_mul(wanted.room) > MAX_PAIRS {
            return Err(PLAIN);
        }
        let mut terms = Terms { machine };
        let mut found = Vec::new();
        let least = match is_symbolic(wanted_count) {
            true => 0,
            false => wanted_count as u32,
        };
        let starts = (text.room + 1).saturating_sub(least);
        for place in 0..starts {
            let end = terms.sum(wanted_count, int(place))?;
            let mut all = terms.at_most(end, count)?;
            // Places past the room do not occur: the text ends before.
            for at in 0..wanted.room.min(text.room - place) {
                let same = terms.same(self.byte(text, place + at), self.byte(wanted, at))?;
                let is_past = terms.at_most(wanted_count, int(at))?;
                let holds = terms.either(is_past, same)?;
                all = terms.both(all, holds)?;
            }
            found.push((all, int(place)));
        }
        Ok(found)
    }

    fn find_text_from<M: Machine>(
        &mut self,
        machine: &mut M,
        first: usize,
        is_last: bool,
    ) -> Resolved<u64> {
        let text = self.open_array_at(machine, first)?;
        let count = self.number_at(machine, first + 1);
        let wanted = self.open_array_at(machine, first + 2)?;
        let wanted_count = self.number_at(machine, first + 3);
        let bound = self.number_at(machine, first + 4);
        self.within_room(machine, &[text, wanted], &[count, wanted_count, bound])?;
        // Other arguments make the plain code fail.
        let mut terms = Terms { machine };
        let mut valid = terms.at_most(1, wanted_count)?;
        let ordered = [
            (wanted_count, wanted.length),
            (0, count),
            (count, text.length),
        ];
        for (a, b) in ordered {
            let is_within = terms.at_most(a, b)?;
            valid = terms.both(valid, is_within)?;
        }
        let last = terms.difference(count, wanted_count)?;
        let (is_inner, from_start) = match is_last {
            true => (terms.at_most(bound, last)?, 1),
            false => (1, terms.at_most(0, bound)?),
        };
        valid = terms.both(valid, is_inner)?;
        valid = terms.both(valid, from_start)?;
        terms.require(valid)?;
        let mut found = self.places(machine, text, count, wanted, wanted_count)?;
        let mut terms = Terms { machine };
        for (holds, place) in &mut found {
            let is_in = match is_last {
                true => terms.at_most(*place, bound)?,
                false => terms.at_most(bound, *place)?,
            };
            *holds = terms.both(*holds, is_in)?;
        }
        if is_last {
            found.reverse();
        }
        terms.first(&found, int(u32::MAX))
    }

    fn find_char<M: Machine>(&mut self, machine: &mut M, first: usize) -> Resolved<u64> {
        let text = self.open_array_at(machine, first)?;
        let wanted = self.number_at(machine, first + 1);
        let from = self.number_at(machine, first + 2);
        let end = self.number_at(machine, first + 3);
        self.within_room(machine, &[text], &[wanted, from, end])?;
        let mut terms = Terms { machine };
        let is_valid = terms.at_most(0, from)?;
        let is_within = terms.at_most(end, text.length)?;
        let both = terms.both(is_valid, is_within)?;
        terms.require(both)?;
        let wanted = terms.narrow(wanted, Kind::Byte)?;
        let mut found = Vec::new();
        for place in 0..text.room {
            let is_from = terms.at_most(from, int(place))?;
            let is_before = terms.less(int(place), end)?;
            let same = terms.same(self.byte(text, place), wanted)?;
            let is_in = terms.both(is_from, is_before)?;
            found.push((terms.both(is_in, same)?, int(place)));
        }
        terms.first(&found, int(u32::MAX))
    }

    fn find_last_char<M: Machine>(&mut self, machine: &mut M, first: usize) -> Resolved<u64> {
        let text = self.open_array_at(machine, first)?;
        let wanted = self.number_at(machine, first + 1);
        let last = self.number_at(machine, first + 2);
        self.within_room(machine, &[text], &[wanted, last])?;
        let mut terms = Terms { machine };
        let is_latin1 = terms.is(Comparison::Below, wanted, 0x100)?;
        terms.require(is_latin1)?;
        let wanted = terms.narrow(wanted, Kind::Byte)?;
        let mut found = Vec::new();
        for place in (0..text.room).rev() {
            let is_up_to = terms.at_most(int(place), last)?;
            let is_before = terms.less(int(place), text.length)?;
            let same = terms.same(self.byte(text, place), wanted)?;
            let is_in = terms.both(is_up_to, is_before)?;
            found.push((terms.both(is_in, same)?, int(place)));
        }
        terms.first(&found, int(u32::MAX))
    }

    fn order<M: Machine>(&mut self, machine: &mut M, first: usize) -> Resolved<u64> {
        let a = self.open_array_at(machine, first)?;
        let b = self.open_array_at(machine, first + 1)?;
        let counts = [2, 3].map(|place| self.number_at(machine, first + place));
        self.within_room(machine, &[a, b], &counts)?;
        let mut terms = Terms { machine };
        let [a_count, b_count] = counts;
        let a_within = terms.at_most(a_count, a.length)?;
        let b_within = terms.at_most(b_count, b.length)?;
        let within = terms.both(a_within, b_within)?;
        terms.require(within)?;
        let mut differing = Vec::new();
        for place in 0..a.room.min(b.room) {
            let in_a = terms.less(int(place), a_count)?;
            let in_b = terms.less(int(place), b_count)?;
            let in_both = terms.both(in_a, in_b)?;
            let differs = terms.is(Comparison::Ne, self.byte(a, place), self.byte(b, place))?;
            let holds = terms.both(in_both, differs)?;
            let left = self.latin1(&mut terms, a, place)?;
            let right = self.latin1(&mut terms, b, place)?;
            differing.push((holds, terms.difference(left, right)?));
        }
        let longer = terms.difference(a_count, b_count)?;
        terms.first(&differing, longer)
    }

    fn same_region<M: Machine>(&mut self, machine: &mut M, first: usize) -> Resolved<u64> {
        let a = self.open_array_at(machine, first)?;
        let a_start = self.number_at(machine, first + 1);
        let b = self.open_array_at(machine, first + 2)?;
        let b_start = self.number_at(machine, first + 3);
        let count = self.number_at(machine, first + 4);
        if is_symbolic(a_start) || is_symbolic(b_start) {
            return Err(PLAIN);
        }
        self.within_room(machine, &[a, b], &[count])?;
        // Characters of Latin-1 are equal without case if their lower-case forms are.
        let table = self.latin1_table(machine, "toLowerCase")?;
        let mut terms = Terms { machine };
        let mut valid = 1;
        for (bytes, start) in [(a, a_start), (b, b_start)] {
            let is_start = terms.at_most(0, start)?;
            let rest = terms.difference(bytes.length, start)?;
            let is_within = terms.at_most(count, rest)?;
            valid = terms.both(valid, is_start)?;
            valid = terms.both(valid, is_within)?;
        }
        terms.require(valid)?;
        let (a_start, b_start) = (a_start as u32, b_start as u32);
        let most = (a.room.saturating_sub(a_start)).min(b.room.saturating_sub(b_start));
        let mut differing = Vec::new();
        for place in 0..most {
            let left = self.latin1(&mut terms, a, a_start + place)?;
            let right = self.latin1(&mut terms, b, b_start + place)?;
            let mut lower = |character| match is_symbolic(character) {
                true => terms.machine.look_up(character, &table).ok_or(PLAIN),
                false => Ok(table.at(character as u32)),
            };
            let (left, right) = (lower(left)?, lower(right)?);
            let differs = terms.is(Comparison::Ne, left, right)?;
            let is_in = terms.less(int(place), count)?;
            differing.push(terms.both(is_in, differs)?);
        }
        let differs = terms.any_of(&differing)?;
        terms.not(differs)
    }

    fn find_negative<M: Machine>(
        &mut self,
        machine: &mut M,
        first: usize,
        counts: bool,
    ) -> Resolved<u64> {
        let text = self.open_array_at(machine, first)?;
        let from = self.number_at(machine, first + 1);
        let count = self.number_at(machine, first + 2);
        self.within_room(machine, &[text], &[from, count])?;
        let mut terms = Terms { machine };
        let mut valid = terms.at_most(0, from)?;
        let rest = terms.difference(text.length, from)?;
        for (a, b) in [(from, text.length), (0, count), (count, rest)] {
            let holds = terms.at_most(a, b)?;
            valid = terms.both(valid, holds)?;
        }
        terms.require(valid)?;
        let end = terms.sum(from, count)?;
        let mut found = Vec::new();
        for place in 0..text.room {
            let is_from = terms.at_most(from, int(place))?;
            let is_before = terms.less(int(place), end)?;
            let is_negative = terms.less(self.byte(text, place), 0)?;
            let is_in = terms.both(is_from, is_before)?;
            let number = terms.difference(int(place), from)?;
            found.push((terms.both(is_in, is_negative)?, number));
        }
        if counts {
            return terms.first(&found, count);
        }
        let conditions: Vec<u64> = found.iter().map(|case| case.0).collect();
        terms.any_of(&conditions)
    }
}
