//! Strings made from strings with open characters or an open length.
//!
//! Invariant: the result is a new object, or the receiver, in the same cases as in the plain code.
//! Whether anything changes is therefore decided first.

use crate::descriptor::Kind;
use crate::heap::Ref;
use crate::machine::{Comparison, Machine, is_symbolic};
use crate::vm::{Fault, Vm};

use super::ReplacedCall;
use super::copies::MAX_COPIED;
use super::searches::OpenArray;
use super::strings::settled;
use super::terms::{PLAIN, Resolved, Terms, called, int};

/// Languages with a casing of their own (`StringLatin1.toLowerCase`).
const OWN_CASING: [&str; 3] = ["tr", "az", "lt"];

/// String made from another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DerivedText {
    /// `StringLatin1.toLowerCase(string, bytes, locale)`.
    Lower,
    /// `StringLatin1.toUpperCase(string, bytes, locale)`.
    Upper,
    /// `StringLatin1.replace(bytes, old, new)`; null if nothing changes.
    Replaced,
    /// `StringLatin1.trim(bytes)`; null if nothing changes.
    Trimmed,
    /// New string of two strings.
    Joined,
}

impl Vm {
    /// Makes a string from an open one.
    pub(super) fn derive_text<M: Machine>(
        &mut self,
        machine: &mut M,
        text: DerivedText,
        first: usize,
    ) -> Result<ReplacedCall, Fault> {
        if !M::TOTAL {
            return Ok(ReplacedCall::Plain);
        }
        called(match text {
            DerivedText::Lower => self.change_case(machine, first, "toLowerCase"),
            DerivedText::Upper => self.change_case(machine, first, "toUpperCaseEx"),
            DerivedText::Replaced => self.replace_char(machine, first),
            DerivedText::Trimmed => self.trim(machine, first),
            DerivedText::Joined => self.join(machine, first),
        })
    }

    fn change_case<M: Machine>(
        &mut self,
        machine: &mut M,
        first: usize,
        name: &str,
    ) -> Resolved<u64> {
        let bytes = self.open_array_at(machine, first + 1)?;
        let (text, locale) = (self.state.registers[first], self.state.registers[first + 2]);
        if is_symbolic(text) || bytes.room > MAX_COPIED || self.has_own_casing(locale)? {
            return Err(PLAIN);
        }
        self.within_room(machine, &[bytes], &[])?;
        let table = self.latin1_table(machine, name)?;
        let mut terms = Terms { machine };
        let (mut changes, mut misfits, mut elements) = (Vec::new(), Vec::new(), Vec::new());
        for place in 0..bytes.room {
            let before = self.latin1(&mut terms, bytes, place)?;
            let after = match is_symbolic(before) {
                true => terms.machine.look_up(before, &table).ok_or(PLAIN)?,
                false => table.at(before as u32),
            };
            let is_in = terms.less(int(place), bytes.length)?;
            let differs = terms.is(Comparison::Ne, before, after)?;
            changes.push(terms.both(is_in, differs)?);
            let is_latin1 = terms.is(Comparison::Below, after, 0x100)?;
            let is_not = terms.not(is_latin1)?;
            misfits.push(terms.both(is_in, is_not)?);
            elements.push(terms.narrow(after, Kind::Byte)?);
        }
        let is_changed = terms.any_of(&changes)?;
        if is_same(&mut terms, is_changed)? {
            return Ok(text);
        }
        let misfits = terms.any_of(&misfits)?;
        let all_fit = terms.not(misfits)?;
        terms.require(all_fit)?;
        self.new_latin1(&mut terms, bytes, bytes.length, &elements)
    }

    /// Whether a locale, if it is one, has a casing of its own.
    fn has_own_casing(&mut self, locale: u64) -> Resolved<bool> {
        if is_symbolic(locale) || locale == 0 {
            return Ok(true);
        }
        let mut object = Ref::from_slot(locale);
        for field in ["baseLocale", "language"] {
            let word = self.word_of(self.heap.class_of(object), field)?;
            match self.concrete(object, word) {
                Some(held) if !held.is_null() => object = held,
                _ => return Ok(true),
            }
        }
        let language = self.string_text(object);
        Ok(OWN_CASING.contains(&language.as_str()))
    }

    fn replace_char<M: Machine>(&mut self, machine: &mut M, first: usize) -> Resolved<u64> {
        let bytes = self.open_array_at(machine, first)?;
        let old = self.number_at(machine, first + 1);
        let new = self.number_at(machine, first + 2);
        if bytes.room > MAX_COPIED {
            return Err(PLAIN);
        }
        self.within_room(machine, &[bytes], &[old, new])?;
        let mut terms = Terms { machine };
        for character in [old, new] {
            let is_latin1 = terms.is(Comparison::Below, character, 0x100)?;
            terms.require(is_latin1)?;
        }
        let (old, new) = (
            terms.narrow(old, Kind::Byte)?,
            terms.narrow(new, Kind::Byte)?,
        );
        let (mut changes, mut elements) = (Vec::new(), Vec::new());
        for (place, before) in (0..).zip(self.elements_of(bytes)) {
            let is_in = terms.less(int(place), bytes.length)?;
            let is_old = terms.same(before, old)?;
            changes.push(terms.both(is_in, is_old)?);
            elements.push(terms.choose(Kind::Byte, is_old, new, before)?);
        }
        let is_changed = terms.any_of(&changes)?;
        match is_same(&mut terms, is_changed)? {
            true => Ok(0),
            false => self.new_latin1(&mut terms, bytes, bytes.length, &elements),
        }
    }

    fn trim<M: Machine>(&mut self, machine: &mut M, first: usize) -> Resolved<u64> {
        let bytes = self.open_array_at(machine, first)?;
        if bytes.room > MAX_COPIED {
            return Err(PLAIN);
        }
        self.within_room(machine, &[bytes], &[])?;
        let mut terms = Terms { machine };
        let mut starts = Vec::new();
        for place in 0..bytes.room {
            let character = self.latin1(&mut terms, bytes, place)?;
            let is_in = terms.less(int(place), bytes.length)?;
            let is_shown = terms.less(int(' ' as u32), character)?;
            starts.push((terms.both(is_in, is_shown)?, int(place)));
        }
        // A blank string has a result of its own.
        let conditions: Vec<u64> = starts.iter().map(|case| case.0).collect();
        let is_shown = terms.any_of(&conditions)?;
        terms.require(is_shown)?;
        let start = terms.first(&starts, 0)?;
        let ends = starts
            .iter()
            .rev()
            .map(|&(holds, place)| (holds, place + 1));
        let ends: Vec<(u64, u64)> = ends.collect();
        let end = terms.first(&ends, 0)?;
        let is_led = terms.less(0, start)?;
        let is_followed = terms.less(end, bytes.length)?;
        let is_changed = terms.either(is_led, is_followed)?;
        if is_same(&mut terms, is_changed)? {
            return Ok(0);
        }
        let elements = self.elements_of(bytes);
        let elements = terms.shifted_down(Kind::Byte, &elements, start)?;
        let length = terms.difference(end, start)?;
        let length = settled(terms.machine, length);
        self.new_latin1(&mut terms, bytes, length, &elements)
    }

    fn join<M: Machine>(&mut self, machine: &mut M, first: usize) -> Resolved<u64> {
        let left = self.latin1_text_at(machine, first)?;
        let right = self.latin1_text_at(machine, first + 1)?;
        let room = left.room + right.room;
        if room > MAX_COPIED {
            return Err(PLAIN);
        }
        self.within_room(machine, &[left, right], &[])?;
        let mut terms = Terms { machine };
        let end = self.elements_of(right);
        let end = terms.shifted_up(Kind::Byte, &end, left.length, room)?;
        let mut elements = Vec::new();
        let start = self.elements_of(left);
        for (place, &behind) in end.iter().enumerate() {
            let element = match start.get(place) {
                Some(&before) => {
                    let is_before = terms.less(int(place as u32), left.length)?;
                    terms.choose(Kind::Byte, is_before, before, behind)?
                }
                None => behind,
            };
            elements.push(element);
        }
        let length = terms.sum(left.length, right.length)?;
        let length = settled(terms.machine, length);
        self.new_latin1(&mut terms, left, length, &elements)
    }

    /// Bytes of the string in a register, if it is a Latin-1 string on this path.
    fn latin1_text_at<M: Machine>(
        &mut self,
        machine: &mut M,
        register: usize,
    ) -> Resolved<OpenArray> {
        let text = self.object_at(machine, register)?;
        if self.heap.class_of(text) != self.known().string {
            return Err(PLAIN);
        }
        let coder = self.heap.field(text, self.known().string_coder);
        let coder = settled(machine, coder);
        let mut terms = Terms { machine };
        let is_latin1 = terms.same(coder, 0)?;
        terms.require(is_latin1)?;
        let value = self.heap.field(text, self.known().string_value);
        let value = settled(machine, value);
        if is_symbolic(value) || value == 0 {
            return Err(PLAIN);
        }
        Ok(self.open_array(machine, Ref::from_slot(value)))
    }

    /// Creates a Latin-1 string; its bytes have the class of those that are given.
    fn new_latin1<M: Machine>(
        &mut self,
        terms: &mut Terms<'_, M>,
        like: OpenArray,
        length: u64,
        elements: &[u64],
    ) -> Resolved<u64> {
        let known = *self.known();
        let class = self.heap.class_of(like.array);
        let bytes = self.array_with(terms, class, length, elements)?;
        let words = self.class(known.string).instance_words;
        let text = self.heap.allocate(known.string, words, false)?;
        self.heap.set_field(text, known.string_value, bytes.slot());
        Ok(text.slot())
    }
}

/// Whether nothing changes on this path. This side comes first, because its terms are simpler.
fn is_same<M: Machine>(terms: &mut Terms<'_, M>, is_changed: u64) -> Resolved<bool> {
    let is_same = terms.not(is_changed)?;
    terms.decide(is_same)
}
