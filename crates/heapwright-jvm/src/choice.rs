//! Unset slots: fields, and lengths and elements of arrays, whose value is not chosen yet.
//!
//! An unset field holds a mark and the number of its choice variable. Array elements are packed
//! and have no room for a mark. An array of choices therefore has a second object, its *shadow*,
//! with a slot for its length and one for each element. The slot of a chosen element is 0, and
//! the value is in the array. Every reader checks first: the interpreter if its machine chooses,
//! natives always.

use crate::class::{MethodId, Shape};
use crate::descriptor::{Kind, split_method};
use crate::heap::{ELEMENTS, HeapFull, Ref, UNSET_TAG, unset_slot};
use crate::machine::{Machine, SlotLocation, is_symbolic, term_of};
use crate::vm::{Exit, Fault, Limit, Vm};

/// High half of the word of a shadow that holds the contents of an array as a term; neither that of
/// a symbolic slot nor that of an unset one.
const CONTENTS_TAG: u32 = 0x7FF6_B1D3;

/// Location whose value can be chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Place {
    /// Field, by its word relative to the object's header. A static field belongs to the null
    /// object, with its word relative to the start of the arena.
    Field(u32),
    /// Length of an array.
    Length,
    /// Element of an array.
    Element(u32),
}

impl Vm {
    /// Creates an array whose length and elements can be chosen, with room for `most` elements.
    ///
    /// # Errors
    /// The heap is full.
    pub fn new_choice_array(
        &mut self,
        class: crate::class::ClassId,
        most: u32,
    ) -> Result<Ref, HeapFull> {
        let bytes = self.element_kind(class).element_bytes();
        let array = self.heap.allocate_array(class, most, bytes, false)?;
        let longs = self.known().longs;
        let shadow = self.heap.allocate_array(longs, most + 1, 8, false)?;
        self.heap.set_array_shadow(array, shadow);
        Ok(array)
    }

    /// Allocates an array without elements whose length is to be set, and whose contents are a term
    /// of the machine: 0 for those of a new array.
    pub(crate) fn new_term_array(&mut self, class: crate::class::ClassId) -> Result<Ref, HeapFull> {
        let bytes = self.element_kind(class).element_bytes();
        let array = self.heap.allocate_array(class, 0, bytes, false)?;
        let longs = self.known().longs;
        let shadow = self.heap.allocate_array(longs, 2, 8, false)?;
        self.heap.set_array_shadow(array, shadow);
        self.set_contents(array, 0);
        self.has_term_arrays = true;
        Ok(array)
    }

    /// Whether the contents of any array have been a term.
    #[must_use]
    pub fn has_term_arrays(&self) -> bool {
        self.has_term_arrays
    }

    /// Contents of an array, if they are a term.
    #[must_use]
    pub fn contents(&self, array: Ref) -> Option<u32> {
        let shadow = self.heap.array_shadow(array);
        if shadow.is_null() || self.heap.array_length(shadow) < 2 {
            return None;
        }
        let word = self.heap.load(shadow.0 + ELEMENTS + 1);
        ((word >> 32) as u32 == CONTENTS_TAG).then_some(word as u32)
    }

    /// Sets the contents of an array whose contents are a term.
    pub fn set_contents(&mut self, array: Ref, contents: u32) {
        let shadow = self.heap.array_shadow(array);
        let word = u64::from(CONTENTS_TAG) << 32 | u64::from(contents);
        self.heap.store(shadow.0 + ELEMENTS + 1, word);
    }

    /// Stops a call by a method outside of the interpreter of an array whose contents are a term, or
    /// of a string that stands for one: it would find no elements.
    pub(crate) fn refuse_terms<M: Machine>(
        &self,
        machine: &mut M,
        method: MethodId,
        first: usize,
    ) -> Option<Exit> {
        if !self.has_term_arrays && !machine.opaque_texts() {
            return None;
        }
        let this = self.method(method);
        // Methods of all objects do not look at the elements.
        if self.class_name(this.class) == "java/lang/Object" {
            return None;
        }
        let parameters = split_method(self.text(this.descriptor))
            .unwrap_or_default()
            .0;
        let mut place = first + usize::from(!this.is_static());
        let receiver = (!this.is_static()).then(|| self.state.registers[first]);
        let receiver = receiver.filter(|&slot| !is_symbolic(slot));
        if receiver.is_some_and(|slot| self.is_held_text(machine, slot)) {
            return Some(Exit::Limit(Limit::ArrayLength));
        }
        for parameter in parameters {
            let kind = Kind::of(parameter);
            let slot = self.state.registers[place];
            let is_object = kind == Kind::Reference && !is_symbolic(slot) && slot != 0;
            if is_object
                && (self.is_term_array(Ref::from_slot(slot)) || self.is_held_text(machine, slot))
            {
                return Some(Exit::Limit(Limit::ArrayLength));
            }
            place += usize::from(kind.words());
        }
        None
    }

    /// Whether a concrete slot holds a string whose bytes are a term.
    fn is_held_text<M: Machine>(&self, machine: &mut M, slot: u64) -> bool {
        let text = Ref::from_slot(slot);
        if text.is_null() || self.heap.class_of(text) != self.known().string {
            return false;
        }
        let bytes = term_of(self.heap.field(text, self.known().string_value));
        bytes.is_some_and(|bytes| machine.held_text(bytes).is_some())
    }

    fn is_term_array(&self, object: Ref) -> bool {
        let class = self.class(self.heap.class_of(object));
        matches!(class.shape, Shape::Array(_)) && self.contents(object).is_some()
    }

    /// The arena word that holds the choice mark of a place.
    fn slot_of(&self, object: Ref, place: Place) -> u32 {
        let shadow = || self.heap.array_shadow(object).0 + ELEMENTS;
        match place {
            Place::Field(word) => object.0 + word,
            Place::Length => shadow(),
            Place::Element(index) => shadow() + 1 + index,
        }
    }

    /// Adds a choice variable for a place and makes the place unset. Variables are numbered from
    /// 0 in the order of addition. An array element or length must already have its first value,
    /// which stays until another is chosen.
    pub fn add_variable(&mut self, object: Ref, place: Place) -> u32 {
        let word = self.slot_of(object, place);
        let variable = self.state.variables.len() as u32;
        self.state.variables.push(word);
        self.heap.store(word, unset_slot(variable));
        variable
    }

    /// Skips a variable number.
    pub fn skip_variable(&mut self) {
        self.state.variables.push(0);
    }

    /// Puts a symbolic slot at a place, and uses up a variable number for it.
    pub fn set_symbolic_place(&mut self, object: Ref, place: Place, slot: u64) {
        let word = self.slot_of(object, place);
        self.state.variables.push(0);
        self.heap.store(word, slot);
    }

    /// Sets the value of a place: 64 bits of a long or double, 32 bits of any other kind.
    pub fn choose(&mut self, object: Ref, place: Place, slot: u64) {
        let word = self.slot_of(object, place);
        match place {
            Place::Field(_) => self.heap.store(word, slot),
            Place::Length => {
                self.heap.store(word, 0);
                self.heap.set_array_length(object, slot as u32);
            }
            Place::Element(index) => {
                self.heap.store(word, 0);
                let kind = self.element_kind(self.heap.class_of(object));
                let at =
                    self.heap.elements(object) + u64::from(index) * u64::from(kind.element_bytes());
                self.write_at(at, kind, slot, true);
            }
        }
    }

    /// Returns the slot of a place. The slot of a symbolic element is in the shadow, any other in
    /// the array.
    #[must_use]
    pub fn slot_of_place(&self, object: Ref, place: Place) -> u64 {
        match place {
            Place::Field(word) => self.heap.field(object, word),
            Place::Length => self
                .symbolic_length(object)
                .unwrap_or_else(|| u64::from(self.heap.array_length(object))),
            Place::Element(index) => self.symbolic_element(object, index).unwrap_or_else(|| {
                let kind = self.element_kind(self.heap.class_of(object));
                let at =
                    self.heap.elements(object) + u64::from(index) * u64::from(kind.element_bytes());
                self.array_slot(at, kind)
            }),
        }
    }

    /// Returns the reference in a field or an element.
    #[must_use]
    pub fn reference_at(&self, object: Ref, place: Place) -> Ref {
        match place {
            Place::Field(word) => Ref::from_slot(self.heap.field(object, word)),
            Place::Length => Ref::NULL,
            Place::Element(index) => Ref(self
                .heap
                .load32(self.heap.elements(object) + 4 * u64::from(index))),
        }
    }

    /// Whether the choice variable's slot is the arena word `word`.
    #[inline]
    pub(crate) fn is_unset(&self, word: u32, variable: u32) -> bool {
        self.state.variables.get(variable as usize) == Some(&word)
    }

    /// Returns the variable of an unset slot.
    pub(crate) fn unset_variable(&self, word: u32) -> Option<u32> {
        let value = self.heap.load(word);
        let variable = value as u32;
        ((value >> 32) as u32 == UNSET_TAG && self.is_unset(word, variable)).then_some(variable)
    }

    /// Returns the variable of an array's length if it is unset.
    pub(crate) fn unset_length(&self, array: Ref) -> Option<u32> {
        let shadow = self.heap.array_shadow(array);
        if shadow.is_null() {
            None
        } else {
            self.unset_variable(shadow.0 + ELEMENTS)
        }
    }

    /// Returns the symbolic slot of an array's length.
    pub(crate) fn symbolic_length(&self, array: Ref) -> Option<u64> {
        let shadow = self.heap.array_shadow(array);
        if shadow.is_null() {
            return None;
        }
        let slot = self.heap.load(shadow.0 + ELEMENTS);
        is_symbolic(slot).then_some(slot)
    }

    /// Returns the variable of an array's element if it is unset. An index beyond the room of the
    /// array has none.
    pub(crate) fn unset_element(&self, array: Ref, index: u32) -> Option<u32> {
        let shadow = self.heap.array_shadow(array);
        if shadow.is_null() || index.saturating_add(1) >= self.heap.array_length(shadow) {
            return None;
        }
        self.unset_variable(shadow.0 + ELEMENTS + 1 + index)
    }

    /// Marks an element as chosen because it is about to be written.
    pub(crate) fn settle_element(&mut self, array: Ref, index: u32) {
        let shadow = self.heap.array_shadow(array);
        if !shadow.is_null() && index.saturating_add(1) < self.heap.array_length(shadow) {
            let word = shadow.0 + ELEMENTS + 1 + index;
            if self.heap.load(word) != 0 {
                self.heap.store(word, 0);
            }
        }
    }

    /// For natives: checks that the length of an array is chosen and then, as far as they are within
    /// it, a range of its elements.
    pub(crate) fn check_elements(&self, array: Ref, from: u32, count: u32) -> Result<(), Fault> {
        if self.heap.array_shadow(array).is_null() {
            return Ok(());
        }
        if self.contents(array).is_some() {
            return Err(Fault::Stop(Box::new(Exit::Limit(Limit::ArrayLength))));
        }
        if let Some(variable) = self.unset_length(array) {
            return Err(Fault::Stop(Box::new(Exit::Choice(variable))));
        }
        if self.symbolic_length(array).is_some() {
            return Err(Fault::Stop(Box::new(Exit::Symbolic(SlotLocation::Length(
                array,
            )))));
        }
        let end = from
            .saturating_add(count)
            .min(self.heap.array_length(array));
        if let Some(variable) = (from..end).find_map(|index| self.unset_element(array, index)) {
            return Err(Fault::Stop(Box::new(Exit::Choice(variable))));
        }
        match (from..end).find(|&index| self.symbolic_element(array, index).is_some()) {
            None => Ok(()),
            Some(index) => Err(Fault::Stop(Box::new(Exit::Symbolic(
                SlotLocation::Element(array, index),
            )))),
        }
    }

    /// For natives that copy: returns the symbolic elements of a range, by their index in it.
    pub(crate) fn symbolic_run(
        &self,
        array: Ref,
        from: u32,
        count: u32,
    ) -> Result<Vec<(u32, u64)>, Fault> {
        if self.heap.array_shadow(array).is_null() {
            return Ok(Vec::new());
        }
        let mut run = from..from.saturating_add(count);
        if let Some(variable) = run.find_map(|index| self.unset_element(array, index)) {
            return Err(Fault::Stop(Box::new(Exit::Choice(variable))));
        }
        let symbolic = |place| Some((place, self.symbolic_element(array, from + place)?));
        Ok((0..count).filter_map(symbolic).collect())
    }

    /// Copies an array, symbolic slots included.
    pub(crate) fn clone_array(&mut self, array: Ref) -> Result<Ref, Fault> {
        let class = self.heap.class_of(array);
        let bytes = self.element_kind(class).element_bytes();
        let length = self.symbolic_length(array);
        if let Some((length, contents)) = length.zip(self.contents(array)) {
            let copy = self.new_term_array(class)?;
            self.set_length(copy, length);
            self.set_contents(copy, contents);
            return Ok(copy);
        }
        if length.is_none() {
            self.checked_length(array)?;
        }
        let room = self.heap.array_length(array);
        let symbolic = self.symbolic_run(array, 0, room)?;
        let copy = match length {
            None => self.heap.allocate_array(class, room, bytes, false)?,
            Some(slot) => {
                let copy = self.new_choice_array(class, room)?;
                self.set_length(copy, slot);
                copy
            }
        };
        let (from, to) = (self.heap.elements(array), self.heap.elements(copy));
        let size = u64::from(room) * u64::from(bytes);
        self.heap.copy_bytes(from, to, size);
        for (index, slot) in symbolic {
            self.store_element(copy, index, slot)?;
        }
        Ok(copy)
    }

    /// For natives: returns the length of an array; a fault if it is unset.
    pub(crate) fn checked_length(&self, array: Ref) -> Result<u32, Fault> {
        self.check_elements(array, 0, 0)?;
        Ok(self.heap.array_length(array))
    }

    /// For natives: marks a range of elements as chosen because it is about to be written.
    pub(crate) fn settle_elements(&mut self, array: Ref, from: u32, count: u32) {
        if !self.heap.array_shadow(array).is_null() {
            for index in from..from.saturating_add(count) {
                self.settle_element(array, index);
            }
        }
    }

    /// Whether a place is unset.
    #[must_use]
    pub fn is_unset_place(&self, object: Ref, place: Place) -> bool {
        self.unset_variable(self.slot_of(object, place)).is_some()
    }

    /// Class of the elements of an array class; `None` if it is none.
    #[must_use]
    pub fn element_class(&self, class: crate::class::ClassId) -> Option<crate::class::ClassId> {
        match self.class(class).shape {
            Shape::Array(element) => Some(element),
            _ => None,
        }
    }

    /// Kind of an array class's elements.
    #[must_use]
    pub fn array_element_kind(&self, class: crate::class::ClassId) -> Kind {
        self.element_kind(class)
    }
}
