//! Slots that nobody has chosen yet: fields, and the lengths and elements of arrays.
//!
//! An unset field holds a mark and the number of its choice variable. Array elements are packed and
//! have no room for that: an array that is chosen has a second object, its *shadow*, with a slot
//! for its length and one for each element; once chosen, the slot is 0 and the value stands in the
//! array. Whatever reads looks first: the interpreter where its machine chooses, natives always.

use crate::descriptor::Kind;
use crate::heap::{ELEMENTS, HeapFull, Ref, UNSET_TAG, unset_slot};
use crate::machine::{Spot, is_symbolic};
use crate::vm::{Exit, Fault, Vm};

/// A place whose value can be chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Place {
    /// A field: its word, counted from the object's header. A static field counts as one of null,
    /// its word counted from the start of the arena.
    Field(u32),
    /// The length of an array.
    Length,
    /// An element of an array.
    Element(u32),
}

impl Vm {
    /// An array whose length and elements can be chosen, with room for `most` elements.
    ///
    /// # Errors
    /// No memory is left.
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

    /// The word of the arena that says whether a place is chosen.
    fn slot_of(&self, object: Ref, place: Place) -> u32 {
        let shadow = || self.heap.array_shadow(object).0 + ELEMENTS;
        match place {
            Place::Field(word) => object.0 + word,
            Place::Length => shadow(),
            Place::Element(index) => shadow() + 1 + index,
        }
    }

    /// Enters a choice variable for a place and makes the place unset. Variables are numbered from
    /// 0 in the order of entry. An array element or length that is unset must have been given its
    /// first value: it stands there until another is chosen.
    pub fn add_variable(&mut self, object: Ref, place: Place) -> u32 {
        let word = self.slot_of(object, place);
        let variable = self.state.variables.len() as u32;
        self.state.variables.push(word);
        self.heap.store(word, unset_slot(variable));
        variable
    }

    /// Leaves out a number of a choice variable.
    pub fn skip_variable(&mut self) {
        self.state.variables.push(0);
    }

    /// Lets a symbolic slot stand for a place, which takes the number of a choice variable.
    pub fn set_symbolic_place(&mut self, object: Ref, place: Place, slot: u64) {
        let word = self.slot_of(object, place);
        self.state.variables.push(0);
        self.heap.store(word, slot);
    }

    /// Gives a place its value; a long or double as 64 bits, all else as 32.
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

    /// The slot of a place: of an element that is symbolic its shadow's, else what the array holds.
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

    /// The reference that stands in a field or an element.
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

    /// Whether the choice variable has its slot at `word` of the arena.
    #[inline]
    pub(crate) fn is_unset(&self, word: u32, variable: u32) -> bool {
        self.state.variables.get(variable as usize) == Some(&word)
    }

    /// The variable of an unset slot.
    pub(crate) fn unset_variable(&self, word: u32) -> Option<u32> {
        let value = self.heap.load(word);
        let variable = value as u32;
        ((value >> 32) as u32 == UNSET_TAG && self.is_unset(word, variable)).then_some(variable)
    }

    /// The variable of an array's length if that is unset.
    pub(crate) fn unset_length(&self, array: Ref) -> Option<u32> {
        let shadow = self.heap.array_shadow(array);
        if shadow.is_null() {
            None
        } else {
            self.unset_variable(shadow.0 + ELEMENTS)
        }
    }

    /// The symbolic slot that stands for an array's length.
    pub(crate) fn symbolic_length(&self, array: Ref) -> Option<u64> {
        let shadow = self.heap.array_shadow(array);
        if shadow.is_null() {
            return None;
        }
        let slot = self.heap.load(shadow.0 + ELEMENTS);
        is_symbolic(slot).then_some(slot)
    }

    /// The variable of an array's element if that is unset. An index past the room of the array has
    /// none.
    pub(crate) fn unset_element(&self, array: Ref, index: u32) -> Option<u32> {
        let shadow = self.heap.array_shadow(array);
        if shadow.is_null() || index.saturating_add(1) >= self.heap.array_length(shadow) {
            return None;
        }
        self.unset_variable(shadow.0 + ELEMENTS + 1 + index)
    }

    /// Marks an element as chosen: it is about to be written.
    pub(crate) fn settle_element(&mut self, array: Ref, index: u32) {
        let shadow = self.heap.array_shadow(array);
        if !shadow.is_null() && index.saturating_add(1) < self.heap.array_length(shadow) {
            let word = shadow.0 + ELEMENTS + 1 + index;
            if self.heap.load(word) != 0 {
                self.heap.store(word, 0);
            }
        }
    }

    /// For natives: looks to it that the length of an array and a run of its elements are chosen.
    pub(crate) fn check_elements(&self, array: Ref, from: u32, count: u32) -> Result<(), Fault> {
        if self.heap.array_shadow(array).is_null() {
            return Ok(());
        }
        let unset = self.unset_length(array).or_else(|| {
            (from..from.saturating_add(count)).find_map(|index| self.unset_element(array, index))
        });
        if let Some(variable) = unset {
            return Err(Fault::Stop(Box::new(Exit::Choice(variable))));
        }
        if self.symbolic_length(array).is_some() {
            return Err(Fault::Stop(Box::new(Exit::Symbolic(Spot::Length(array)))));
        }
        let mut run = from..from.saturating_add(count);
        match run.find(|&index| self.symbolic_element(array, index).is_some()) {
            None => Ok(()),
            Some(index) => Err(Fault::Stop(Box::new(Exit::Symbolic(Spot::Element(
                array, index,
            ))))),
        }
    }

    /// For natives that copy: the elements of a run that are symbolic, by their place in it.
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

    /// A copy of an array, what is symbolic of it included.
    pub(crate) fn clone_array(&mut self, array: Ref) -> Result<Ref, Fault> {
        let class = self.heap.class_of(array);
        let bytes = self.element_kind(class).element_bytes();
        let length = self.symbolic_length(array);
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

    /// For natives: the length of an array, once chosen.
    pub(crate) fn checked_length(&self, array: Ref) -> Result<u32, Fault> {
        self.check_elements(array, 0, 0)?;
        Ok(self.heap.array_length(array))
    }

    /// For natives: marks a run of elements as chosen that is about to be written.
    pub(crate) fn settle_elements(&mut self, array: Ref, from: u32, count: u32) {
        if !self.heap.array_shadow(array).is_null() {
            for index in from..from.saturating_add(count) {
                self.settle_element(array, index);
            }
        }
    }

    /// Whether a place holds no chosen value.
    #[must_use]
    pub fn is_unset_place(&self, object: Ref, place: Place) -> bool {
        self.unset_variable(self.slot_of(object, place)).is_some()
    }

    /// The kind of an array class's elements.
    #[must_use]
    pub fn array_element_kind(&self, class: crate::class::ClassId) -> Kind {
        self.element_kind(class)
    }
}
