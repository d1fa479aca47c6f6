//! `java.lang.String` objects: creation, reading, interning. Strings are compact: Latin-1 if
//! every character fits a byte, else UTF-16 (the JDK's `COMPACT_STRINGS`).

use crate::ClassId;
use crate::class::MethodId;
use crate::classfile::Constant;
use crate::descriptor::{Kind, STRING, split_method};
use crate::heap::{Ref, UNSET_TAG};
use crate::machine::{SlotLocation, is_symbolic};
use crate::vm::{Exit, Fault, Vm};

impl Vm {
    fn build_string(&mut self, units: &[u16], permanent: bool) -> Result<Ref, Fault> {
        let known = *self.known();
        let latin = units.iter().all(|&unit| unit < 256);
        let bytes: Vec<u8> = if latin {
            units.iter().map(|&unit| unit as u8).collect()
        } else {
            units.iter().flat_map(|unit| unit.to_le_bytes()).collect()
        };
        let value = self
            .heap
            .allocate_array(known.bytes, bytes.len() as u32, 1, permanent)?;
        let words = self.class(known.string).instance_words;
        let string = self.heap.allocate(known.string, words, permanent)?;
        let at = self.heap.elements(value);
        if permanent {
            for (index, chunk) in bytes.chunks(8).enumerate() {
                let mut word = [0; 8];
                word[..chunk.len()].copy_from_slice(chunk);
                self.heap
                    .store_initial((at >> 3) as u32 + index as u32, u64::from_le_bytes(word));
            }
            self.heap
                .store_initial(string.0 + known.string_value, value.slot());
            self.heap
                .store_initial(string.0 + known.string_coder, u64::from(!latin));
        } else {
            self.heap.write_bytes(at, &bytes);
            self.heap
                .set_field(string, known.string_value, value.slot());
            self.heap
                .set_field(string, known.string_coder, u64::from(!latin));
        }
        Ok(string)
    }

    /// Creates a string object.
    ///
    /// # Errors
    /// The heap is full.
    pub fn new_string(&mut self, text: &str) -> Result<Ref, Fault> {
        let units: Vec<u16> = text.encode_utf16().collect();
        self.build_string(&units, false)
    }

    /// Creates a string object of UTF-16 units, which may contain unpaired surrogates.
    ///
    /// # Errors
    /// The heap is full.
    pub fn new_string_utf16(&mut self, units: &[u16]) -> Result<Ref, Fault> {
        self.build_string(units, false)
    }

    /// Texts of the string literals of a class, in the order of its constants, and internal names of
    /// the classes that it refers to.
    #[must_use]
    pub fn literals_of(&self, class: ClassId) -> (Vec<Vec<u16>>, Vec<String>) {
        let (mut texts, mut names) = (Vec::new(), Vec::new());
        if let Some(file) = &self.class(class).file {
            for constant in &file.info.pool {
                match *constant {
                    Constant::Str(text) => texts.extend(file.utf16(text)),
                    Constant::Class(name) => {
                        let name = file.utf16(name);
                        names.extend(name.and_then(|name| String::from_utf16(&name).ok()));
                    }
                    _ => {}
                }
            }
        }
        (texts, names)
    }

    /// Permanent string object of a literal. It is interned only after a call of
    /// [`Vm::interned_literal`] or [`Vm::enter_literal`].
    pub(crate) fn literal(&mut self, units: &[u16]) -> Result<Ref, Fault> {
        let cell = self.literal_cell(units)?;
        Ok(Ref::from_slot(self.heap.load(cell + 1)))
    }

    /// Arena words of a literal: the interned string for it (0 before its first use), and the
    /// permanent object.
    pub(crate) fn literal_cell(&mut self, units: &[u16]) -> Result<u32, Fault> {
        if let Some(&cell) = self.literals.get(units) {
            return Ok(cell);
        }
        let string = self.build_string(units, true)?;
        let cell = self.heap.allocate_cells(2)?;
        self.heap.store_initial(cell + 1, string.slot());
        self.literals.insert(units.into(), cell);
        Ok(cell)
    }

    /// Returns the interned string of a literal: its permanent object, unless the program has
    /// interned another one before. This order is reversible.
    pub(crate) fn enter_literal(&mut self, cell: u32) -> Ref {
        let known = Ref::from_slot(self.heap.load(cell));
        if !known.is_null() {
            return known;
        }
        let string = self.intern_string(Ref::from_slot(self.heap.load(cell + 1)));
        self.heap.store(cell, string.slot());
        string
    }

    /// Interned string with some text, as a literal of a program yields it.
    ///
    /// # Errors
    /// The heap is full.
    pub fn interned_literal(&mut self, units: &[u16]) -> Result<Ref, Fault> {
        let cell = self.literal_cell(units)?;
        Ok(self.enter_literal(cell))
    }

    /// `String.intern`.
    pub(crate) fn intern_string(&mut self, string: Ref) -> Ref {
        let units = self.string_units(string);
        *self.interned.entry(units.into()).or_insert(string)
    }

    /// UTF-16 units of a string object that is not null.
    #[must_use]
    pub fn string_units(&self, string: Ref) -> Vec<u16> {
        let known = self.known();
        let value = Ref::from_slot(self.heap.field(string, known.string_value));
        if value.is_null() {
            return Vec::new();
        }
        let bytes = self.heap.byte_elements(value);
        if self.heap.field(string, known.string_coder) == 0 {
            bytes.iter().map(|&byte| u16::from(byte)).collect()
        } else {
            bytes
                .chunks_exact(2)
                .map(|pair| u16::from_le_bytes([pair[0], pair[1]]))
                .collect()
        }
    }

    /// Whether all characters of the string object in a slot are known: neither the slot nor a part of
    /// the string is unset or a term.
    pub(crate) fn has_known_text(&self, slot: u64) -> bool {
        let is_known = !is_symbolic(slot) && (slot >> 32) as u32 != UNSET_TAG;
        is_known && self.open_part_of(Ref::from_slot(slot)).is_none()
    }

    /// Exit that asks for a part of a string object which is unset or a term.
    fn open_part_of(&self, string: Ref) -> Option<Exit> {
        let known = self.known();
        for word in [string.0 + known.string_value, string.0 + known.string_coder] {
            if let Some(variable) = self.unset_variable(word) {
                return Some(Exit::Choice(variable));
            }
            if is_symbolic(self.heap.load(word)) {
                return Some(Exit::Symbolic(SlotLocation::Word(word)));
            }
        }
        let bytes = Ref::from_slot(self.heap.field(string, known.string_value));
        if bytes.is_null() {
            return None;
        }
        let length = self.heap.array_length(bytes);
        match self.check_elements(bytes, 0, length) {
            Err(Fault::Stop(exit)) => Some(*exit),
            _ => None,
        }
    }

    /// For the loop: ensures that the strings that a native is given are known, once its arguments are
    /// concrete: it reads them as a whole.
    pub(crate) fn settle_texts(&self, method: MethodId, first: usize) -> Option<Exit> {
        let this = self.method(method);
        let descriptor = self.text(this.descriptor);
        // Methods of all objects do not look at the characters.
        let is_text = this.class == self.known().string;
        if !is_text && !descriptor.contains(STRING) {
            return None;
        }
        let (parameters, _) = split_method(descriptor)?;
        let receiver = (!this.is_static()).then_some((first, is_text));
        let mut place = first + usize::from(!this.is_static());
        let parameters = parameters.into_iter().map(|parameter| {
            let argument = place;
            place += usize::from(Kind::of(parameter).words());
            (argument, parameter == STRING)
        });
        let mut texts = receiver.into_iter().chain(parameters);
        texts.find_map(|(place, is_text)| {
            let object = Ref::from_slot(self.state.registers[place]);
            let is_there = is_text && !object.is_null();
            is_there.then(|| self.open_part_of(object)).flatten()
        })
    }

    /// Text of a string object that is not null; unpaired surrogates become U+FFFD.
    #[must_use]
    pub fn string_text(&self, string: Ref) -> String {
        String::from_utf16_lossy(&self.string_units(string))
    }
}
