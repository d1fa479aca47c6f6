//! Places that a stretch of code writes to, for a search that merges the states behind it.

use rustc_hash::FxHashSet;

use crate::class::{Class, Loader, MethodId};
use crate::descriptor::Kind;
use crate::heap::{ELEMENTS, Ref};
use crate::state::MarkId;
use crate::vm::{Exit, Fault, Vm};

/// Place that code wrote to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum WrittenPlace {
    /// Word of an object's fields.
    Field(Ref, u32),
    /// Word of a static field.
    Static(u32),
    /// Element of an array.
    Element(Ref, u32),
    /// Contents of an array that are a term.
    Contents(Ref),
}

impl Vm {
    /// Sets whether symbolic runs note the places that they write to; returns what was set before.
    pub fn note_writes(&mut self, notes: bool) -> bool {
        std::mem::replace(&mut self.notes_writes, notes)
    }

    /// Places noted, oldest first; going back does not remove them.
    #[must_use]
    pub fn written(&self) -> &[WrittenPlace] {
        &self.written
    }

    /// Forgets the places noted after the first `count`.
    pub fn forget_written(&mut self, count: usize) {
        self.written.truncate(count);
    }

    /// Notes a write by an instruction.
    pub(crate) fn note_write(&mut self, place: WrittenPlace) {
        if self.written.last() != Some(&place) {
            self.written.push(place);
        }
    }

    /// Kind of the values of a place; `None` if it is unknown.
    #[must_use]
    pub fn kind_of_place(&self, place: WrittenPlace) -> Option<Kind> {
        match place {
            WrittenPlace::Field(object, word) => {
                let classes = &self.class(self.heap.class_of(object)).display;
                let fields = classes.iter().flat_map(|&class| &self.class(class).fields);
                let mut fields = fields.filter(|field| !field.is_static());
                fields
                    .find(|field| field.word == word)
                    .map(|field| field.kind)
            }
            WrittenPlace::Static(at) => {
                let mut sites = self.static_sites.iter();
                sites.find(|site| site.at == at).map(|site| site.kind)
            }
            WrittenPlace::Element(array, _) => Some(self.element_kind(self.heap.class_of(array))),
            WrittenPlace::Contents(_) => None,
        }
    }

    /// Value of a place.
    #[must_use]
    pub fn value_at(&self, place: WrittenPlace) -> u64 {
        match place {
            WrittenPlace::Field(object, word) => self.heap.field(object, word),
            WrittenPlace::Static(at) => self.heap.load(at),
            WrittenPlace::Element(array, index) => {
                self.slot_of_place(array, crate::choice::Place::Element(index))
            }
            WrittenPlace::Contents(array) => self.contents(array).unwrap_or_default().into(),
        }
    }

    /// Writes a value of a place's kind.
    ///
    /// # Errors
    /// There is no memory for a symbolic element.
    pub fn set_value_at(&mut self, place: WrittenPlace, slot: u64) -> Result<(), Exit> {
        match place {
            WrittenPlace::Field(object, word) => self.heap.set_field(object, word, slot),
            WrittenPlace::Static(at) => self.heap.store(at, slot),
            WrittenPlace::Element(array, index) => {
                let stored = self.store_element(array, index, slot);
                stored.map_err(|fault| match fault {
                    Fault::Stop(exit) => *exit,
                    other => Exit::Unsupported(self.fault_text(&other)),
                })?;
            }
            WrittenPlace::Contents(array) => self.set_contents(array, slot as u32),
        }
        if self.notes_writes {
            self.note_write(place);
        }
        Ok(())
    }

    /// Whether an object was made after a mark.
    #[must_use]
    pub fn is_younger(&self, mark: MarkId, object: Ref) -> bool {
        self.heap.is_younger(mark.index(), object.0)
    }

    /// Whether anything older than a mark was changed since, other than these places, frames, output,
    /// literals and counts of steps.
    #[must_use]
    pub fn has_other_changes(&self, mark: MarkId, places: &[WrittenPlace]) -> bool {
        self.has_hidden_changes(mark)
            || self.heap.changed_words_since(mark.index()).any(|word| {
                !places.iter().any(|&place| self.covers(place, word))
                    && !self.literals.values().any(|&cell| cell == word)
            })
    }

    /// States of the program's classes that were initialised since a mark and run no code then.
    pub fn plain_initializations(&self, mark: MarkId) -> impl Iterator<Item = WrittenPlace> {
        let words: FxHashSet<u32> = self.heap.changed_words_since(mark.index()).collect();
        let is_plain = move |class: &&Class| {
            let is_own = class.loader == Loader::App && class.clinit.is_none();
            is_own && words.contains(&class.statics)
        };
        let plain = self.classes.iter().filter(is_plain);
        plain.map(|class| WrittenPlace::Static(class.statics))
    }

    /// Whether a word belongs to a place.
    fn covers(&self, place: WrittenPlace, word: u32) -> bool {
        match place {
            WrittenPlace::Field(object, field) => word == object.0 + field,
            WrittenPlace::Static(at) => word == at,
            WrittenPlace::Contents(array) => word == self.heap.array_shadow(array).0 + ELEMENTS + 1,
            WrittenPlace::Element(array, _) => {
                let kind = self.element_kind(self.heap.class_of(array));
                let bytes =
                    u64::from(self.heap.array_length(array)) * u64::from(kind.element_bytes());
                let end = (self.heap.elements(array) + bytes).div_ceil(8) as u32;
                let shadow = self.heap.array_shadow(array);
                let in_shadow = !shadow.is_null() && {
                    let start = (self.heap.elements(shadow) >> 3) as u32;
                    (start..start + self.heap.array_length(shadow)).contains(&word)
                };
                (array.0..end).contains(&word) || in_shadow
            }
        }
    }

    /// Slot of a register of the innermost frame.
    #[must_use]
    pub fn register(&self, register: u16) -> u64 {
        let base = self.state.frames.last().map_or(0, |frame| frame.base);
        let at = base as usize + usize::from(register);
        self.state.registers.get(at).copied().unwrap_or_default()
    }

    /// Sets a register of the innermost frame. The newest mark must have been set in this frame, or
    /// the frame must be younger.
    pub fn set_register(&mut self, register: u16, slot: u64) {
        let base = self.state.frames.last().map_or(0, |frame| frame.base);
        let at = base as usize + usize::from(register);
        if let Some(place) = self.state.registers.get_mut(at) {
            *place = slot;
        }
    }

    /// Kind of a method's result.
    #[must_use]
    pub fn result_kind(&self, method: MethodId) -> Kind {
        self.method(method).result
    }
}
