//! Builders of strings at whose characters nothing has looked.
//!
//! The bytes of such a builder are a reference that the machine holds a string for
//! ([`Machine::hold_text`]). Invariant: nothing but these methods knows that string; plain code that
//! needs the bytes ends the path as cut. The builder's count is the length of the string, and its
//! coder is open.

use crate::class::MethodId;
use crate::descriptor::{Kind, split_method};
use crate::heap::Ref;
use crate::machine::{Machine, is_symbolic, term_of};
use crate::vm::{Fault, Vm};
use crate::writes::WrittenPlace;

use super::ReplacedCall;
use super::opaque_texts::{STRING, TEXTS, TextQuery, ask_any, is_opaque, within};
use super::strings::settled;
use super::terms::{PLAIN, Resolved, Terms, called};

const TEXT: &str = "Ljava/lang/String;";

impl Vm {
    /// Calls a method of a builder that holds, or is given, a string at whose characters nothing has
    /// looked.
    pub(super) fn call_on_builder<M: Machine>(
        &mut self,
        machine: &mut M,
        method: MethodId,
        first: usize,
    ) -> Result<ReplacedCall, Fault> {
        if !machine.opaque_texts() {
            return Ok(ReplacedCall::Plain);
        }
        let is_concatenation = self
            .frames()
            .last()
            .is_some_and(|frame| self.concatenations.contains_key(&frame.method));
        let receiver = self.state.registers[first];
        if is_concatenation || is_symbolic(receiver) || receiver == 0 {
            return Ok(ReplacedCall::Plain);
        }
        let builder = Ref::from_slot(receiver);
        called(match self.text(self.method(method).name) {
            "<init>" => self.begin_builder(machine, builder, first),
            "append" => self.append_opaque(machine, method, builder, first),
            "charAt" => self.char_of_builder(machine, builder, first),
            "insert" | "delete" | "deleteCharAt" | "replace" | "setCharAt" | "setLength" => {
                self.change_builder(machine, method, builder, first)
            }
            "reverse" => self.reverse_builder(machine, builder),
            "substring" => self.part_of_builder(machine, builder, method, first),
            "indexOf" => self.find_in_builder(machine, TextQuery::Find, builder, first),
            "lastIndexOf" => self.find_in_builder(machine, TextQuery::FindLast, builder, first),
            _ => self.built(machine, builder),
        })
    }

    /// Initialises a builder with an open string.
    fn begin_builder<M: Machine>(
        &mut self,
        machine: &mut M,
        builder: Ref,
        first: usize,
    ) -> Resolved<u64> {
        if !is_opaque(&self.opaque_at(machine, first + 1)?) {
            return Err(PLAIN);
        }
        let start = self.literal(&[])?.slot();
        let text = self.state.registers[first + 1];
        self.hold(machine, builder, start, text)?;
        Ok(0)
    }

    fn append_opaque<M: Machine>(
        &mut self,
        machine: &mut M,
        method: MethodId,
        builder: Ref,
        first: usize,
    ) -> Resolved<u64> {
        let descriptor = self.text(self.method(method).descriptor);
        let (parameters, _) = split_method(descriptor).ok_or(PLAIN)?;
        let parameter = parameters[0].to_owned();
        let held = self.text_in(machine, builder)?;
        if Kind::of(&parameter) != Kind::Reference {
            let text = self.method_named(STRING, "valueOf", &format!("({parameter}){TEXT}"))?;
            let before = held.ok_or(PLAIN)?;
            let words = usize::from(Kind::of(&parameter).words());
            let value = self.state.registers[first + 1..first + 1 + words].to_vec();
            let text = machine.defer_string(text, &value).ok_or(PLAIN)?;
            self.hold(machine, builder, before, text)?;
            return Ok(builder.slot());
        }
        let text = self.opaque_at(machine, first + 1)?;
        let before = match held {
            Some(text) => text,
            None if is_opaque(&text) => self.known_so_far(builder)?,
            None => return Err(PLAIN),
        };
        let text = self.state.registers[first + 1];
        self.hold(machine, builder, before, text)?;
        Ok(builder.slot())
    }

    fn char_of_builder<M: Machine>(
        &mut self,
        machine: &mut M,
        builder: Ref,
        first: usize,
    ) -> Resolved<u64> {
        let held = self.text_in(machine, builder)?.ok_or(PLAIN)?;
        let index = settled(machine, self.state.registers[first + 1]);
        let text = self.text_of(machine, held, 0).ok_or(PLAIN)?;
        let length = ask_any(machine, TextQuery::Length, vec![text.clone()], &[])?;
        let mut terms = Terms { machine };
        let is_behind = terms.at_most(0, index)?;
        let is_before = terms.less(index, length)?;
        let is_within = terms.both(is_behind, is_before)?;
        // The plain code throws an exception before it needs the bytes.
        terms.require(is_within)?;
        ask_any(machine, TextQuery::Char, vec![text], &[index])
    }

    /// String that a builder holds.
    fn built<M: Machine>(&mut self, machine: &mut M, builder: Ref) -> Resolved<u64> {
        self.text_in(machine, builder)?.ok_or(PLAIN)
    }

    fn text_in<M: Machine>(&mut self, machine: &mut M, builder: Ref) -> Resolved<Option<u64>> {
        let word = self.word_of(self.heap.class_of(builder), "value")?;
        let bytes = term_of(self.heap.field(builder, word));
        Ok(bytes.and_then(|bytes| machine.held_text(bytes)))
    }

    /// String object of the characters of a builder, which are known.
    fn known_so_far(&mut self, builder: Ref) -> Resolved<u64> {
        let class = self.heap.class_of(builder);
        let mut fields = [0; 3];
        for (slot, name) in fields.iter_mut().zip(["value", "count", "coder"]) {
            *slot = self.heap.field(builder, self.word_of(class, name)?);
        }
        let [value, count, coder] = fields;
        if fields.iter().any(|&slot| is_symbolic(slot)) || value == 0 {
            return Err(PLAIN);
        }
        let bytes = Ref::from_slot(value);
        if !self.heap.array_shadow(bytes).is_null() {
            return Err(PLAIN);
        }
        let bytes = self.heap.byte_elements(bytes);
        let units: Vec<u16> = match coder {
            0 => bytes.iter().map(|&byte| byte.into()).collect(),
            _ => bytes
                .chunks_exact(2)
                .map(|pair| u16::from_le_bytes([pair[0], pair[1]]))
                .collect(),
        };
        let units = units.get(..count as usize).ok_or(PLAIN)?.to_vec();
        Ok(self.literal(&units)?.slot())
    }

    /// Replaces a part of the string that a builder holds: by nothing, or by an argument.
    fn change_builder<M: Machine>(
        &mut self,
        machine: &mut M,
        method: MethodId,
        builder: Ref,
        first: usize,
    ) -> Resolved<u64> {
        let name = self.text(self.method(method).name).to_owned();
        let is_void = matches!(name.as_str(), "setCharAt" | "setLength");
        let result = if is_void { 0 } else { builder.slot() };
        let words = usize::from(self.method(method).argument_words);
        let registers = self.state.registers[first..first + words].to_vec();
        let second = registers.get(2).map_or(0, |&slot| settled(machine, slot));
        let start = settled(machine, registers[1]);
        let argument = match name.as_str() {
            "insert" | "setCharAt" => Some(second),
            "replace" => registers.get(3).copied(),
            _ => None,
        };
        let descriptor = self.text(self.method(method).descriptor);
        let (parameters, _) = split_method(descriptor).ok_or(PLAIN)?;
        let is_char = parameters
            .get(1)
            .is_some_and(|kind| Kind::of(kind) == Kind::Char);
        let argument = match argument {
            Some(char) if is_char => Some(self.deferred(machine, "valueOf", "(C)", &[char])?),
            argument => argument,
        };
        let is_opened = match argument {
            Some(text) => is_opaque(&self.text_in_slot(machine, text)?),
            None => false,
        };
        let held = match self.text_in(machine, builder)? {
            Some(text) => text,
            None if is_opened => self.known_so_far(builder)?,
            None => return Err(PLAIN),
        };
        let text = self.text_of(machine, held, 0).ok_or(PLAIN)?;
        let length = ask_any(machine, TextQuery::Length, vec![text], &[])?;
        let mut terms = Terms { machine };
        let end = match name.as_str() {
            "insert" => start,
            "deleteCharAt" | "setCharAt" => terms.sum(start, 1)?,
            "setLength" => length,
            _ => {
                let is_within = terms.at_most(second, length)?;
                terms.choose(Kind::Int, is_within, second, length)?
            }
        };
        // The plain code throws an exception before it needs the bytes.
        let is_within = within(&mut terms, &[0, start, end, length])?;
        terms.require(is_within)?;
        let front = self.deferred(machine, "substring", "(II)", &[held, 0, start])?;
        let back = self.deferred(machine, "substring", "(I)", &[held, end])?;
        let texts: Vec<u64> = [front].into_iter().chain(argument).chain([back]).collect();
        let changed = self.joined_slots(machine, &texts)?;
        self.hold_alone(machine, builder, changed)?;
        Ok(result)
    }

    fn reverse_builder<M: Machine>(&mut self, machine: &mut M, builder: Ref) -> Resolved<u64> {
        let held = self.text_in(machine, builder)?.ok_or(PLAIN)?;
        let reversed = self.method_named(TEXTS, "reversed", &format!("({TEXT}){TEXT}"))?;
        let reversed = machine.defer_string(reversed, &[held]).ok_or(PLAIN)?;
        self.hold_alone(machine, builder, reversed)?;
        Ok(builder.slot())
    }

    fn part_of_builder<M: Machine>(
        &mut self,
        machine: &mut M,
        builder: Ref,
        method: MethodId,
        first: usize,
    ) -> Resolved<u64> {
        let held = self.text_in(machine, builder)?.ok_or(PLAIN)?;
        let text = self.text_of(machine, held, 0).ok_or(PLAIN)?;
        let length = ask_any(machine, TextQuery::Length, vec![text], &[])?;
        let start = settled(machine, self.state.registers[first + 1]);
        let end = match self.method(method).argument_words {
            3 => settled(machine, self.state.registers[first + 2]),
            _ => length,
        };
        let mut terms = Terms { machine };
        let is_within = within(&mut terms, &[0, start, end, length])?;
        terms.require(is_within)?;
        self.deferred(machine, "substring", "(II)", &[held, start, end])
    }

    fn find_in_builder<M: Machine>(
        &mut self,
        machine: &mut M,
        query: TextQuery,
        builder: Ref,
        first: usize,
    ) -> Resolved<u64> {
        let wanted = self.opaque_at(machine, first + 1)?;
        let held = match self.text_in(machine, builder)? {
            Some(text) => text,
            None if is_opaque(&wanted) => self.known_so_far(builder)?,
            None => return Err(PLAIN),
        };
        let text = self.text_of(machine, held, 0).ok_or(PLAIN)?;
        let from = match query {
            TextQuery::Find => 0,
            _ => ask_any(machine, TextQuery::Length, vec![text.clone()], &[])?,
        };
        ask_any(machine, query, vec![text, wanted], &[from])
    }

    /// Makes a builder hold the concatenation of two strings.
    fn hold<M: Machine>(
        &mut self,
        machine: &mut M,
        builder: Ref,
        before: u64,
        text: u64,
    ) -> Resolved<()> {
        let joined = self.joined_slots(machine, &[before, text])?;
        self.hold_alone(machine, builder, joined)
    }

    /// Makes a builder hold a string.
    fn hold_alone<M: Machine>(
        &mut self,
        machine: &mut M,
        builder: Ref,
        joined: u64,
    ) -> Resolved<()> {
        let parts = self.text_of(machine, joined, 0).ok_or(PLAIN)?;
        let length = ask_any(machine, TextQuery::Length, vec![parts], &[])?;
        let bytes = self
            .load_class("[B")
            .map_err(|error| self.load_fault(error))?;
        let (value, coder) = machine.hold_text(bytes, joined).ok_or(PLAIN)?;
        let class = self.heap.class_of(builder);
        for (name, slot) in [("value", value), ("coder", coder), ("count", length)] {
            let word = self.word_of(class, name)?;
            self.set_noted(builder, word, slot);
        }
        Ok(())
    }

    /// Sets a field, and notes that it was written.
    pub(super) fn set_noted(&mut self, object: Ref, word: u32, slot: u64) {
        self.heap.set_field(object, word, slot);
        if self.notes_writes {
            self.note_write(WrittenPlace::Field(object, word));
        }
    }
}
