//! Arrays and strings of one another, where nothing has looked at the characters.
//!
//! The elements of such an array are terms of the machine ([`Machine::text_elements`]).

use crate::class::MethodId;
use crate::descriptor::split_method;
use crate::heap::Ref;
use crate::machine::{Machine, is_symbolic};
use crate::vm::Vm;

use super::opaque_texts::{
    MatchKind, STRING, TEXTS, Text, TextMaker, TextPart, TextQuery, ask, ask_any, is_opaque, within,
};
use super::strings::settled;
use super::terms::{PLAIN, Resolved, Terms, int};

const TEXT: &str = "Ljava/lang/String;";
/// Most elements of an array of known length.
const MAX_ELEMENTS: u32 = 1 << 8;
/// Most strings that are joined.
const MAX_JOINED: u32 = 32;

/// Elements of an array.
#[derive(Clone, Debug)]
pub enum TextElements {
    /// Characters of a string, or bytes where all are of ASCII, with its slot.
    Chars(Text, u64),
    /// Strings that a method makes of these arguments and of the index.
    Made(MethodId, Vec<u64>),
    /// Any values.
    Any(crate::class::ClassId),
}

/// String in the elements of an array, and the elements that were written since.
#[derive(Clone, Debug)]
pub struct ElementsText {
    /// Slot of the string.
    pub text: u64,
    /// Index and value of each, oldest first.
    pub written: Vec<(u64, u64)>,
}

impl Vm {
    /// `String.toCharArray`
    pub(super) fn chars_of_text<M: Machine>(
        &mut self,
        machine: &mut M,
        text: Text,
        slot: u64,
    ) -> Resolved<u64> {
        let length = ask(machine, TextQuery::Length, vec![text.clone()], &[])?;
        if is_symbolic(length) {
            return self.elements(machine, "[C", length, TextElements::Chars(text, slot));
        }
        let length = length as u32;
        if length > MAX_ELEMENTS {
            return Err(PLAIN);
        }
        let class = self.class_of_elements("[C")?;
        let array = self.heap.allocate_array(class, length, 2, false)?;
        for place in 0..length {
            let char = ask_any(machine, TextQuery::Char, vec![text.clone()], &[int(place)])?;
            self.store_element(array, place, char)?;
        }
        Ok(array.slot())
    }

    /// `String.getBytes` in a charset of which the bytes are known.
    pub(super) fn bytes_of_text<M: Machine>(
        &mut self,
        machine: &mut M,
        method: MethodId,
        text: Text,
        first: usize,
    ) -> Resolved<u64> {
        let charset = self.charset_at(machine, method, first)?;
        let is_ascii = ask(machine, TextQuery::IsAscii, vec![text.clone()], &[])?;
        if (Terms { machine }).decide(is_ascii)? {
            let length = ask(machine, TextQuery::Length, vec![text.clone()], &[])?;
            let slot = self.state.registers[first];
            let elements = TextElements::Chars(text, slot);
            return match is_symbolic(length) {
                true => self.elements(machine, "[B", length, elements),
                false => Err(PLAIN),
            };
        }
        let length = ask(machine, TextQuery::Bytes, vec![text], &[charset])?;
        let class = self.class_of_elements("[B")?;
        self.elements(machine, "[B", length, TextElements::Any(class))
    }

    /// Charset of a conversion: 0 for UTF-8, 1 for one of a byte for each character.
    fn charset_at<M: Machine>(
        &mut self,
        machine: &mut M,
        method: MethodId,
        first: usize,
    ) -> Resolved<u64> {
        let descriptor = self.text(self.method(method).descriptor).to_owned();
        let (parameters, _) = split_method(&descriptor).ok_or(PLAIN)?;
        let slot = match parameters.first() {
            None => {
                let class = self.loaded_class("java/nio/charset/Charset").ok_or(PLAIN)?;
                let field = self.find_field(class, "defaultCharset").ok_or(PLAIN)?;
                self.heap.load(field.word)
            }
            Some(_) => settled(machine, self.state.registers[first + 1]),
        };
        match self.charset_name(slot).ok_or(PLAIN)?.as_str() {
            "UTF-8" | "UTF8" | "sun/nio/cs/UTF_8" => Ok(0),
            "US-ASCII" | "ISO-8859-1" | "sun/nio/cs/US_ASCII" | "sun/nio/cs/ISO_8859_1" => Ok(1),
            _ => Err(PLAIN),
        }
    }

    /// Known name of a charset in capital letters, or the name of its class.
    pub(super) fn charset_name(&self, slot: u64) -> Option<String> {
        if is_symbolic(slot) || slot == 0 {
            return None;
        }
        let object = Ref::from_slot(slot);
        let class = self.heap.class_of(object);
        if class != self.known().string {
            return Some(self.class_name(class).to_owned());
        }
        let units = self.known_units(object)?;
        Some(String::from_utf16(&units).ok()?.to_ascii_uppercase())
    }

    fn class_of_elements(&mut self, name: &str) -> Resolved<crate::class::ClassId> {
        let class = self.load_class(name);
        Ok(class.map_err(|error| self.load_fault(error))?)
    }

    /// Array of an open length.
    fn elements<M: Machine>(
        &mut self,
        machine: &mut M,
        class: &str,
        length: u64,
        elements: TextElements,
    ) -> Resolved<u64> {
        let class = self.class_of_elements(class)?;
        let contents = machine.text_elements(elements).ok_or(PLAIN)?;
        let array = self.new_term_array(class)?;
        self.set_length(array, length);
        self.set_contents(array, contents);
        Ok(array.slot())
    }

    /// `String.split` by an expression that matches no empty string.
    pub(super) fn split<M: Machine>(
        &mut self,
        machine: &mut M,
        text: Text,
        first: usize,
        limit: u64,
    ) -> Resolved<u64> {
        let limit = settled(machine, limit);
        if is_symbolic(limit) || !is_opaque(&text) {
            return Err(PLAIN);
        }
        let pattern = self.opaque_at(machine, first + 1)?;
        let count = ask(
            machine,
            TextQuery::SplitCount,
            vec![text, pattern],
            &[limit],
        )?;
        let descriptor = format!("({TEXT}{TEXT}II){TEXT}");
        let part = self.method_named(TEXTS, "part", &descriptor)?;
        let [text, pattern] = [0, 1].map(|place| self.state.registers[first + place]);
        let elements = TextElements::Made(part, vec![text, pattern, limit]);
        self.elements(machine, "[Ljava/lang/String;", count, elements)
    }

    /// `String.replaceAll`
    pub(super) fn all_replaced<M: Machine>(
        &mut self,
        machine: &mut M,
        method: MethodId,
        text: &Text,
        first: usize,
    ) -> Resolved<u64> {
        self.pattern_at(machine, text, first)?;
        self.made(machine, method, first)
    }

    /// `String.replaceFirst`
    pub(super) fn first_replaced<M: Machine>(
        &mut self,
        machine: &mut M,
        text: Text,
        first: usize,
    ) -> Resolved<u64> {
        let pattern = self.pattern_at(machine, &text, first)?;
        let matched = machine.text_match(MatchKind::Search, &text, &pattern, 0);
        let (is_found, places) = matched.ok_or(PLAIN)?;
        let [text, replacement] = [0, 2].map(|place| self.state.registers[first + place]);
        if !(Terms { machine }).decide(is_found)? {
            return Ok(text);
        }
        let [start, end, ..] = places[..] else {
            return Err(PLAIN);
        };
        let front = self.deferred(machine, "substring", "(II)", &[text, 0, start])?;
        let back = self.deferred(machine, "substring", "(I)", &[text, end])?;
        self.joined_slots(machine, &[front, replacement, back])
    }

    /// Regular expression in the register behind that of an open string; what replaces its matches is
    /// meant as it is.
    fn pattern_at<M: Machine>(
        &mut self,
        machine: &mut M,
        text: &Text,
        first: usize,
    ) -> Resolved<Text> {
        let pattern = self.opaque_at(machine, first + 1)?;
        let replacement = self.opaque_at(machine, first + 2)?;
        let is_special = |part: &TextPart| match part {
            TextPart::Known(units) => units.iter().any(|&unit| matches!(unit, 0x24 | 0x5C)),
            _ => true,
        };
        if !is_opaque(text) || replacement.iter().any(is_special) {
            return Err(PLAIN);
        }
        let is_usable = ask_any(machine, TextQuery::IsPattern, vec![pattern.clone()], &[])?;
        match is_usable {
            0 => Err(PLAIN),
            _ => Ok(pattern),
        }
    }

    /// `String.regionMatches`
    pub(super) fn region_matches<M: Machine>(
        &mut self,
        machine: &mut M,
        method: MethodId,
        text: Text,
        first: usize,
    ) -> Resolved<u64> {
        let ignores = self.method(method).argument_words > 5;
        let start = first + 1 + usize::from(ignores);
        let ignores_case = match ignores {
            true => settled(machine, self.state.registers[first + 1]),
            false => 0,
        };
        let other = self.opaque_at(machine, start + 1)?;
        let [place, other_place, count] = [0, 2, 3].map(|at| self.number_at(machine, start + at));
        if is_symbolic(ignores_case) || !is_opaque(&text) && !is_opaque(&other) {
            return Err(PLAIN);
        }
        let mut parts = Vec::new();
        for (text, place) in [(text, place), (other, other_place)] {
            let length = ask_any(machine, TextQuery::Length, vec![text.clone()], &[])?;
            let mut terms = Terms { machine };
            let end = terms.sum(place, count)?;
            let is_within = within(&mut terms, &[0, place, end, length])?;
            let is_counted = terms.less(0, count)?;
            if !terms.decide(is_counted)? {
                return Err(PLAIN);
            }
            if !terms.decide(is_within)? {
                return Ok(0);
            }
            parts.push(vec![TextPart::Made(
                TextMaker::Part,
                vec![text],
                vec![place, end],
            )]);
        }
        let query = match ignores_case {
            0 => TextQuery::Equal,
            _ => TextQuery::EqualWithoutCase,
        };
        ask_any(machine, query, parts, &[])
    }

    /// Constructor of a string of another one, or of the characters in an array.
    pub(super) fn construct_text<M: Machine>(
        &mut self,
        machine: &mut M,
        first: usize,
    ) -> Resolved<u64> {
        let [this, other] =
            [0, 1].map(|place| settled(machine, self.state.registers[first + place]));
        if is_symbolic(this) {
            return Err(PLAIN);
        }
        let text = match is_symbolic(other) || other == 0 {
            true => {
                self.opaque_at(machine, first + 1)?;
                other
            }
            false => self.text_of_elements(machine, Ref::from_slot(other))?,
        };
        let parts = self.text_of(machine, text, 0).ok_or(PLAIN)?;
        if !is_opaque(&parts) {
            return Err(PLAIN);
        }
        let bytes = self.class_of_elements("[B")?;
        let (value, coder) = machine.hold_text(bytes, text).ok_or(PLAIN)?;
        let known = *self.known();
        let this = Ref::from_slot(this);
        self.set_noted(this, known.string_value, value);
        self.set_noted(this, known.string_coder, coder);
        Ok(0)
    }

    /// String of the elements of an array.
    fn text_of_elements<M: Machine>(&mut self, machine: &mut M, array: Ref) -> Resolved<u64> {
        if self.heap.class_of(array) == self.known().string {
            return Ok(array.slot());
        }
        let contents = self.contents(array).ok_or(PLAIN)?;
        let length = self.symbolic_length(array).ok_or(PLAIN)?;
        let elements = machine.elements_text(contents).ok_or(PLAIN)?;
        let mut text = elements.text;
        for (index, char) in elements.written {
            let mut terms = Terms { machine };
            let behind = terms.sum(index, 1)?;
            let char = self.deferred(machine, "valueOf", "(C)", &[char])?;
            let front = self.deferred(machine, "substring", "(II)", &[text, 0, index])?;
            let back = self.deferred(machine, "substring", "(II)", &[text, behind, length])?;
            text = self.joined_slots(machine, &[front, char, back])?;
        }
        Ok(text)
    }

    /// Defers the string that a method of `String` makes.
    pub(super) fn deferred<M: Machine>(
        &mut self,
        machine: &mut M,
        name: &str,
        parameters: &str,
        arguments: &[u64],
    ) -> Resolved<u64> {
        let method = self.method_named(STRING, name, &format!("{parameters}{TEXT}"))?;
        machine.defer_string(method, arguments).ok_or(PLAIN)
    }

    /// Defers the concatenation of strings of which at least one is open.
    pub(super) fn joined_if_open<M: Machine>(
        &mut self,
        machine: &mut M,
        texts: &[u64],
    ) -> Resolved<u64> {
        let mut is_open = false;
        for &text in texts {
            is_open |= is_opaque(&self.text_in_slot(machine, text)?);
        }
        match is_open {
            true => self.joined_slots(machine, texts),
            false => Err(PLAIN),
        }
    }

    /// Defers the concatenation of strings.
    pub(super) fn joined_slots<M: Machine>(
        &mut self,
        machine: &mut M,
        texts: &[u64],
    ) -> Resolved<u64> {
        let Some((&first, rest)) = texts.split_first() else {
            return Ok(self.literal(&[])?.slot());
        };
        let mut joined = first;
        for &text in rest {
            joined = self.deferred(machine, "concat", &format!("({TEXT})"), &[joined, text])?;
        }
        Ok(joined)
    }

    /// `String.join(prefix, suffix, delimiter, elements, size)`
    pub(super) fn join_texts<M: Machine>(
        &mut self,
        machine: &mut M,
        first: usize,
    ) -> Resolved<u64> {
        let [prefix, suffix, delimiter] =
            [0, 1, 2].map(|place| self.state.registers[first + place]);
        let elements = self.object_at(machine, first + 3)?;
        let size = self.number_at(machine, first + 4);
        if is_symbolic(size) || size as u32 > MAX_JOINED || self.contents(elements).is_some() {
            return Err(PLAIN);
        }
        let mut texts = vec![prefix];
        for place in 0..size as u32 {
            if place > 0 {
                texts.push(delimiter);
            }
            texts.push(self.slot_of_place(elements, crate::choice::Place::Element(place)));
        }
        texts.push(suffix);
        self.joined_if_open(machine, &texts)
    }

    /// Text of a number in the digits of its bits.
    pub(super) fn digits<M: Machine>(
        &mut self,
        machine: &mut M,
        method: MethodId,
        first: usize,
    ) -> Resolved<u64> {
        match is_symbolic(settled(machine, self.state.registers[first])) {
            true => self.made(machine, method, first),
            false => Err(PLAIN),
        }
    }
}
