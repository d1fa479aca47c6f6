//! Input strings in the layout of the JDK (JEP 254): one byte for each character if all are
//! Latin-1, indicated by the coder 0, otherwise two.
//!
//! If strings may hold any characters, the coder is open and the value is one of two arrays, the
//! Latin-1 one first. A path then forks where the program reads characters, but not at the length.
//! The arrays have separate variables: the characters of a Latin-1 string are unrelated to those of
//! the other array. A string that is not Latin-1 has at least one character beyond Latin-1, as the
//! JDK guarantees.

use heapwright_jvm::descriptor::Kind;
use heapwright_jvm::machine::symbolic_slot;
use heapwright_jvm::{ClassId, Exit, Limit, Place, Ref, SlotLocation, Vm};
use heapwright_solve::smt::{Binary, Term, Unary};

use super::inputs::{InputBounds, Inputs, at_most, new_object};
use super::machine::SymbolicMachine;
use super::names::Name;

/// Last character of Latin-1, which is also the mask of a byte.
const LATIN1_MAX: i32 = 0xFF;
/// Most characters of a string with two bytes for each.
const MAX_WIDE: i32 = i32::MAX / 2;

/// Builder of an input string.
struct InputStringBuilder<'a> {
    vm: &'a mut Vm,
    machine: &'a mut SymbolicMachine,
    name: &'a Name,
    /// Class `byte[]`.
    bytes: ClassId,
    /// Greatest number of characters.
    most: u32,
    /// Length in characters.
    length: Term,
}

impl Inputs {
    /// Creates a string; its initial contents are its length and its characters.
    pub(super) fn make_string(
        &mut self,
        vm: &mut Vm,
        machine: &mut SymbolicMachine,
        name: &Name,
        bounds: &InputBounds,
    ) -> Result<(Ref, Vec<(Place, u64)>), Exit> {
        let refused = |what: &str| Exit::Unsupported(format!("a String without {what}"));
        let class = |vm: &mut Vm, name: &str, what: &str| {
            let class = vm.load_class(name);
            class.map_err(|_| refused(what))
        };
        let string = class(vm, "java/lang/String", "its class")?;
        let bytes = class(vm, "[B", "its bytes")?;
        let word = |vm: &Vm, field: &str| {
            let field = vm.find_field(string, field);
            let word = field.map(|field| field.word);
            word.ok_or_else(|| refused("its value"))
        };
        let (value, coder) = (word(vm, "value")?, word(vm, "coder")?);
        let length = machine.variable(name.field(&"length".into()), Kind::Int);
        at_most(machine, length, bounds.length);
        let object = new_object(vm, string)?;
        let length_term = machine.term(length, Kind::Int);
        let mut maker = InputStringBuilder {
            vm,
            machine,
            name,
            bytes,
            most: bounds.length,
            length: length_term,
        };
        let (array, characters) = maker.latin1()?;
        let (held, characters) = if bounds.utf16 {
            let (coder_slot, held, characters) = maker.either(array, &characters)?;
            maker.vm.heap.set_field(object, coder, coder_slot);
            (held, characters)
        } else {
            (array.slot(), characters)
        };
        maker.vm.heap.set_field(object, value, held);
        let mut slots = vec![(Place::Length, length)];
        for (index, character) in (0..).zip(characters) {
            slots.push((Place::Element(index), machine.slot(character)));
        }
        Ok((object, slots))
    }
}

impl InputStringBuilder<'_> {
    /// Creates the array of Latin-1 bytes; returns it with its characters.
    fn latin1(&mut self) -> Result<(Ref, Vec<Term>), Exit> {
        let array = self.array(self.most, self.length)?;
        let mut characters = Vec::new();
        for index in 0..self.most {
            let byte = self.machine.character(self.name.element(index), Kind::Byte);
            self.vm.settle_at(SlotLocation::Element(array, index), byte);
            let byte = self.machine.term(byte, Kind::Byte);
            let mask = self.machine.pool.int(LATIN1_MAX);
            characters.push(self.machine.pool.binary(Binary::And, byte, mask));
        }
        Ok((array, characters))
    }

    /// Creates the array of UTF-16 bytes, low byte first as on little-endian machines; returns it
    /// with its characters.
    fn utf16(&mut self, coder: Term) -> Result<(Ref, Vec<Term>), Exit> {
        let room = self.most.checked_mul(2).ok_or(Exit::Limit(Limit::Heap))?;
        // The shift by the coder, which is 1, tells it from shifts of the program, which may overflow.
        let length = self.machine.pool.binary(Binary::Shl, self.length, coder);
        let array = self.array(room, length)?;
        let name = self.name.field(&"chars".into());
        let mut characters = Vec::new();
        for index in 0..self.most {
            let character = self.machine.variable(name.element(index), Kind::Char);
            let character = self.machine.term(character, Kind::Char);
            let eight = self.machine.pool.int(8);
            let high = self.machine.pool.binary(Binary::Shr, character, eight);
            for (place, half) in [(2 * index, character), (2 * index + 1, high)] {
                let byte = self.machine.pool.unary(Unary::IntToByte, half);
                let byte = self.machine.slot(byte);
                self.vm.settle_at(SlotLocation::Element(array, place), byte);
            }
            characters.push(character);
        }
        Ok((array, characters))
    }

    /// Returns the coder, the value selected from the two arrays, and the characters.
    fn either(&mut self, latin1: Ref, characters: &[Term]) -> Result<(u64, u64, Vec<Term>), Exit> {
        let coder_name = self.name.field(&"coder".into());
        let coder = self.machine.coder(coder_name);
        let coder_term = self.machine.term(coder, Kind::Int);
        let (utf16, wide) = self.utf16(coder_term)?;
        let pool = &mut self.machine.pool;
        let (zero, last) = (pool.int(0), pool.int(LATIN1_MAX));
        let is_latin1 = pool.binary(Binary::Eq, coder_term, zero);
        // In a string beyond the bound, the character past Latin-1 may be one that is not there: so
        // cuts by the bound are found.
        let most = pool.int(self.most as i32);
        let is_longer = pool.binary(Binary::Lt, most, self.length);
        let mut as_it_must = pool.binary(Binary::Or, is_latin1, is_longer);
        for (index, &character) in (0..).zip(&wide) {
            let index = pool.int(index);
            let is_there = pool.binary(Binary::Lt, index, self.length);
            let is_past = pool.binary(Binary::Lt, last, character);
            let both = pool.binary(Binary::And, is_there, is_past);
            as_it_must = pool.binary(Binary::Or, as_it_must, both);
        }
        let both = characters.iter().zip(&wide);
        let characters = both.map(|(&a, &b)| pool.ite(is_latin1, a, b)).collect();
        let otherwise = pool.bool(true);
        let most_wide = pool.int(MAX_WIDE);
        let is_within = pool.binary(Binary::Le, self.length, most_wide);
        let fits = pool.binary(Binary::Or, is_latin1, is_within);
        self.machine.require(as_it_must);
        self.machine.require(fits);
        let alternatives = vec![(is_latin1, latin1.slot()), (otherwise, utf16.slot())];
        let value = self.machine.references.add_choice(alternatives);
        Ok((coder, symbolic_slot(value), characters))
    }

    /// Creates an array of bytes with open elements.
    fn array(&mut self, room: u32, length: Term) -> Result<Ref, Exit> {
        let array = self.vm.new_choice_array(self.bytes, room);
        let array = array.map_err(|_| Exit::Limit(Limit::Heap))?;
        let length = self.machine.slot(length);
        self.vm.set_length(array, length);
        Ok(array)
    }
}
