//! Matches of regular expressions with strings at whose characters nothing has looked.
//!
//! `Matcher.match` and `Matcher.search` are all through which a matcher comes to its state. It is
//! set as they set it, with terms of the machine for places.

use crate::class::MethodId;
use crate::heap::Ref;
use crate::machine::{Machine, is_symbolic};
use crate::vm::Vm;
use crate::writes::WrittenPlace;

use super::opaque_texts::{MatchKind, TextPart, TextQuery, ask_any, is_opaque};
use super::strings::settled;
use super::terms::{PLAIN, Resolved, Terms};

/// No group, as an int.
const NONE: u64 = u32::MAX as u64;
/// `Matcher.ENDANCHOR`
const TO_THE_END: u64 = 1;

impl Vm {
    /// `Matcher.match(from, anchor)` or `Matcher.search(from)`
    pub(super) fn match_text<M: Machine>(
        &mut self,
        machine: &mut M,
        method: MethodId,
        first: usize,
    ) -> Resolved<u64> {
        let matcher = self.object_at(machine, first)?;
        let class = self.heap.class_of(matcher);
        let field = |vm: &Vm, machine: &mut M, name: &str| -> Resolved<u64> {
            Ok(settled(
                machine,
                vm.heap.field(matcher, vm.word_of(class, name)?),
            ))
        };
        let text = field(self, machine, "text")?;
        let text = self.text_in_slot(machine, text)?;
        if !is_opaque(&text) {
            return Err(PLAIN);
        }
        let pattern = Ref::from_slot(field(self, machine, "parentPattern")?);
        let units = self.units_of_pattern(pattern)?;
        let from = self.number_at(machine, first + 1);
        let kind = match self.method(method).argument_words {
            2 => MatchKind::Search,
            _ => match self.number_at(machine, first + 2) {
                TO_THE_END => MatchKind::Whole,
                _ => MatchKind::Start,
            },
        };
        let region = [field(self, machine, "from")?, field(self, machine, "to")?];
        self.is_whole_region(machine, &text, region)?;
        let has_usual_bounds = [("transparentBounds", 0), ("anchoringBounds", 1)];
        for (name, usual) in has_usual_bounds {
            if field(self, machine, name)? != usual {
                return Err(PLAIN);
            }
        }
        if kind == MatchKind::Whole && from != 0 {
            return Err(PLAIN);
        }
        let pattern = vec![TextPart::Known(units)];
        let (is_found, places) = machine
            .text_match(kind, &text, &pattern, from)
            .ok_or(PLAIN)?;
        let is_found = Terms { machine }.decide(is_found)?;
        self.set_match(matcher, is_found, &places)?;
        let texts = vec![text, pattern];
        for (property, name) in (0..).zip(["hitEnd", "requireEnd"]) {
            let numbers = [from, kind as u64, property];
            let slot = ask_any(machine, TextQuery::HitsEnd, texts.clone(), &numbers)?;
            let word = self.word_of(class, name)?;
            self.set_noted(matcher, word, slot);
        }
        Ok(u64::from(is_found))
    }

    /// Characters of the expression of a pattern without flags.
    fn units_of_pattern(&self, pattern: Ref) -> Resolved<Vec<u16>> {
        if pattern.is_null() {
            return Err(PLAIN);
        }
        let class = self.heap.class_of(pattern);
        let [flags, text] = ["flags", "pattern"].map(|name| {
            let word = self.word_of(class, name);
            word.map(|word| self.heap.field(pattern, word))
        });
        let (flags, text) = (flags?, text?);
        if flags != 0 || is_symbolic(text) || text == 0 {
            return Err(PLAIN);
        }
        self.known_units(Ref::from_slot(text)).ok_or(PLAIN)
    }

    /// Continues if a region is a whole string.
    fn is_whole_region<M: Machine>(
        &mut self,
        machine: &mut M,
        text: &[TextPart],
        [start, end]: [u64; 2],
    ) -> Resolved<()> {
        let length = ask_any(machine, TextQuery::Length, vec![text.to_vec()], &[])?;
        let mut terms = Terms { machine };
        let is_first = terms.same(start, 0)?;
        let is_last = terms.same(end, length)?;
        let is_whole = terms.both(is_first, is_last)?;
        terms.require(is_whole)
    }

    /// Sets the places of a matcher behind a match, or an attempt.
    fn set_match(&mut self, matcher: Ref, is_found: bool, places: &[u64]) -> Resolved<()> {
        let class = self.heap.class_of(matcher);
        let word = |vm: &Vm, name: &str| vm.word_of(class, name);
        let groups = Ref::from_slot(self.heap.field(matcher, word(self, "groups")?));
        for place in 0..self.heap.array_length(groups) {
            let slot = match is_found {
                true => places.get(place as usize).copied().unwrap_or(NONE),
                false => NONE,
            };
            self.store_element(groups, place, slot)?;
            if self.notes_writes {
                self.note_write(WrittenPlace::Element(groups, place));
            }
        }
        if is_found {
            for (name, place) in [("first", 0), ("last", 1)] {
                let slot = places.get(place).copied().ok_or(PLAIN)?;
                self.set_noted(matcher, word(self, name)?, slot);
            }
        } else {
            self.set_noted(matcher, word(self, "first")?, NONE);
        }
        let last = self.heap.field(matcher, word(self, "last")?);
        self.set_noted(matcher, word(self, "oldLast")?, last);
        let changes = word(self, "modCount")?;
        let count = self.heap.field(matcher, changes);
        if !is_symbolic(count) {
            let count = (count as u32).wrapping_add(1);
            self.set_noted(matcher, changes, count.into());
        }
        Ok(())
    }
}
