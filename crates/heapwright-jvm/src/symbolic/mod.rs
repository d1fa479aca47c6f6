//! Instructions with symbolic operands, outside of the interpreter loop.
//!
//! Invariant: an instruction without a result has had no effect. It stops with [`Exit::Branch`]
//! if a condition is open, with [`Exit::Symbolic`] if an operand has to be fixed, and runs again
//! afterwards.

mod branch_successors;
mod total_terms;

use crate::choice::Place;
use crate::class::{ClassId, Code, Loader, MethodId};
use crate::descriptor::{CACHED_BOXES, Kind, split_method};
use crate::heap::{ELEMENTS, Ref};
use crate::instr::{Instr, Meaning, Operand, Reg};
use crate::machine::{
    Comparison, ConditionTruth, Machine, Operation, SlotLocation, is_symbolic, term_of,
};
use crate::natives::{Native, nothing};
use crate::replaced::{Intrinsic, ReplacedCall};
use crate::vm::{Exit, Fault, StaticSite, Vm};
use crate::writes::WrittenPlace;

pub use branch_successors::BranchSuccessor;

/// Outcome of an instruction with a symbolic operand.
pub(crate) enum SymbolicOutcome {
    /// Done.
    Next,
    /// Jumps by a distance in instructions.
    Jump(i32),
    /// Its operands have changed form: runs it again.
    Again,
    /// Calls this method.
    Call(MethodId),
    /// Stops the run before the instruction.
    Stop(Exit),
}

impl Vm {
    /// Tells natives whether slots may be symbolic from now on. Not part of the state.
    pub fn set_symbolic(&mut self, symbolic: bool) {
        self.symbolic = symbolic;
    }

    /// Whether the running method is one of the library.
    pub(crate) fn is_in_library(&self) -> bool {
        let running = self.state.frames.last();
        running.is_some_and(|frame| {
            let class = self.method(frame.method).class;
            self.class(class).loader == Loader::Boot
        })
    }

    /// Slot at a spot.
    #[must_use]
    pub fn slot_at(&self, spot: SlotLocation) -> u64 {
        match spot {
            SlotLocation::Register(register) => self.state.registers[register as usize],
            SlotLocation::Word(word) => self.heap.load(word),
            SlotLocation::Element(array, index) => self
                .shadow_word(array, index)
                .map_or(0, |word| self.heap.load(word)),
            SlotLocation::Length(array) => self.slot_of_place(array, Place::Length),
        }
    }

    /// Replaces the symbolic slot at a spot by a value or another symbolic slot.
    pub fn settle_at(&mut self, spot: SlotLocation, slot: u64) {
        match spot {
            SlotLocation::Register(register) => self.state.registers[register as usize] = slot,
            SlotLocation::Word(word) => self.heap.store(word, slot),
            SlotLocation::Element(array, index) if is_symbolic(slot) => {
                if let Some(word) = self.shadow_word(array, index) {
                    self.heap.store(word, slot);
                }
            }
            SlotLocation::Element(array, index) => self.choose(array, Place::Element(index), slot),
            SlotLocation::Length(array) => self.choose(array, Place::Length, slot),
        }
    }

    /// Arena word of the shadow slot of an array's element.
    fn shadow_word(&self, array: Ref, index: u32) -> Option<u32> {
        let shadow = self.heap.array_shadow(array);
        let is_in = !shadow.is_null() && index.saturating_add(1) < self.heap.array_length(shadow);
        is_in.then(|| shadow.0 + ELEMENTS + 1 + index)
    }

    /// Symbolic slot of an array's element.
    pub(crate) fn symbolic_element(&self, array: Ref, index: u32) -> Option<u64> {
        let slot = self.heap.load(self.shadow_word(array, index)?);
        is_symbolic(slot).then_some(slot)
    }

    /// Stores a symbolic slot in an array, which gets a shadow if it has none.
    fn store_symbolic(&mut self, array: Ref, index: u32, slot: u64) -> Result<(), Fault> {
        if self.heap.array_shadow(array).is_null() {
            let longs = self.known().longs;
            let room = self.heap.array_length(array) + 1;
            let shadow = self.heap.allocate_array(longs, room, 8, false)?;
            self.heap.set_array_shadow(array, shadow);
        }
        let word = self.shadow_word(array, index);
        self.heap.store(
            word.ok_or_else(|| Fault::unsupported("an element past its array"))?,
            slot,
        );
        Ok(())
    }

    /// Stores a slot, concrete or symbolic, in an array element.
    pub(crate) fn store_element(&mut self, array: Ref, index: u32, slot: u64) -> Result<(), Fault> {
        if is_symbolic(slot) {
            return self.store_symbolic(array, index, slot);
        }
        self.settle_element(array, index);
        let kind = self.element_kind(self.heap.class_of(array));
        let at = self.heap.elements(array) + u64::from(index) * u64::from(kind.element_bytes());
        self.set_array_slot(at, kind, slot);
        Ok(())
    }

    /// Sets the symbolic length of an array that has a shadow.
    pub fn set_length(&mut self, array: Ref, slot: u64) {
        let shadow = self.heap.array_shadow(array);
        if is_symbolic(slot) && !shadow.is_null() {
            self.heap.store(shadow.0 + ELEMENTS, slot);
        }
    }

    /// Whether an array can store all objects of a class.
    pub(crate) fn takes(&self, array: Ref, class: ClassId) -> bool {
        let element = self.element_class(self.heap.class_of(array));
        element.is_some_and(|element| self.is_subclass(class, element))
    }

    /// For the loop: ensures that the arguments of a native are concrete, and the texts among them are
    /// known. The second word of a long or double is ignored; it may hold a term of another path. A
    /// native that does nothing looks at none of its arguments.
    pub(crate) fn settle_native<M: Machine>(
        &mut self,
        machine: &mut M,
        method: MethodId,
        native: Native,
        first: usize,
    ) -> Option<Exit> {
        if std::ptr::fn_addr_eq(native, nothing as Native) {
            return None;
        }
        if M::TOTAL
            && let Some(exit) = self.refuse_terms(machine, method, first)
        {
            return Some(exit);
        }
        let words = usize::from(self.method(method).argument_words);
        let arguments = &self.state.registers[first..first + words];
        if arguments.iter().any(|&slot| is_symbolic(slot)) {
            let mut places = self.argument_places(method).into_iter();
            let exit = places.find_map(|place| self.settle_arguments(machine, first + place, 1));
            if exit.is_some() {
                return exit;
            }
        }
        self.settle_texts(method, first)
    }

    /// Ensures that a number of one-word arguments are concrete.
    pub(crate) fn settle_arguments<M: Machine>(
        &mut self,
        machine: &mut M,
        first: usize,
        words: usize,
    ) -> Option<Exit> {
        for register in first..first + words {
            if let Some(term) = term_of(self.state.registers[register]) {
                match machine.value(term) {
                    Some(value) => self.state.registers[register] = value,
                    None => return Some(Exit::Symbolic(SlotLocation::Register(register as u32))),
                }
            }
        }
        None
    }

    /// First word of each argument of a method, receiver included.
    fn argument_places(&self, method: MethodId) -> Vec<usize> {
        let this = self.method(method);
        let parameters = split_method(self.text(this.descriptor)).unwrap_or_default();
        let receiver = (!this.is_static()).then_some(1);
        let words = parameters.0.iter().map(|text| Kind::of(text).words());
        let mut next = 0;
        let places = receiver.into_iter().chain(words).map(|words| {
            let place = next;
            next += usize::from(words);
            place
        });
        places.collect()
    }

    /// Runs one instruction that has a symbolic operand or loads a symbolic array element.
    pub(crate) fn symbolic_step<M: Machine>(
        &mut self,
        machine: &mut M,
        instr: Instr,
        base: usize,
    ) -> Result<SymbolicOutcome, Fault> {
        let mut open = None;
        let mut settled = false;
        let mut settle = |reg: Reg| {
            let register = base + reg as usize;
            if let Some(term) = term_of(self.state.registers[register]) {
                match machine.value(term) {
                    Some(value) => {
                        self.state.registers[register] = value;
                        settled = true;
                    }
                    None => open = open.or(Some(SlotLocation::Register(register as u32))),
                }
            }
        };
        let meaning = instr.meaning();
        match meaning {
            Meaning::Compute { a, b, .. }
            | Meaning::Compare { a, b, .. }
            | Meaning::Identify { a, b, .. } => {
                settle(a);
                if let Operand::Register(b) = b {
                    settle(b);
                }
            }
            Meaning::Load { array, index, .. } => {
                settle(array);
                settle(index);
            }
            _ => match instr {
                // Special case for the most common of the other instructions.
                Instr::GetField { a, .. } => settle(a),
                _ => instr.reads().for_each(settle),
            },
        }
        if settled && open.is_none() {
            return Ok(SymbolicOutcome::Again);
        }
        let mut step = SymbolicStep {
            vm: self,
            machine,
            base,
            open,
        };
        step.run(instr, meaning)
    }
}

struct SymbolicStep<'a, M> {
    vm: &'a mut Vm,
    machine: &'a mut M,
    base: usize,
    /// Location of the first symbolic operand.
    open: Option<SlotLocation>,
}

impl<M: Machine> SymbolicStep<'_, M> {
    fn get(&self, reg: Reg) -> u64 {
        self.vm.state.registers[self.base + reg as usize]
    }

    fn set(&mut self, reg: Reg, slot: u64) {
        self.vm.state.registers[self.base + reg as usize] = slot;
    }

    /// Stops the run because the operand must be fixed first.
    fn need(&self) -> Result<SymbolicOutcome, Fault> {
        match self.open {
            Some(spot) => Ok(SymbolicOutcome::Stop(Exit::Symbolic(spot))),
            None => Err(Fault::unsupported("a symbolic value in an odd place")),
        }
    }

    #[inline(always)]
    fn run(&mut self, instr: Instr, meaning: Meaning) -> Result<SymbolicOutcome, Fault> {
        match meaning {
            Meaning::Compute {
                operation,
                kind,
                d,
                a,
                b,
            } if M::TOTAL || is_linear(operation, kind) => {
                let (a, b) = (self.get(a), self.operand(b));
                self.compute(operation, kind, d, a, b)
            }
            Meaning::Compare {
                comparison,
                a,
                b,
                to,
            } => {
                let (a, b) = (self.get(a), self.operand(b));
                let answer = self.machine.compare(comparison, Kind::Int, a, b);
                self.jump_if(answer, true, to)
            }
            Meaning::Identify { wanted, a, b, to } => {
                let answer = self.same(self.get(a), self.operand(b))?;
                self.jump_if(answer, wanted, to)
            }
            Meaning::Load { d, array, index } if M::TOTAL => self.load_at(d, array, index),
            Meaning::Load { d, array, index } => self.load(d, array, index),
            Meaning::Store {
                array,
                index,
                value,
            } if M::TOTAL => self.store_at(array, index, value),
            Meaning::Store {
                array,
                index,
                value,
            } => self.store(array, index, value),
            _ => self.run_on_references(instr),
        }
    }

    /// Runs an instruction without a common meaning.
    fn run_on_references(&mut self, instr: Instr) -> Result<SymbolicOutcome, Fault> {
        match instr {
            Instr::PutFieldBoolean { a, b, word } => self.put(a, b, word, Kind::Boolean),
            Instr::PutFieldByte { a, b, word } => self.put(a, b, word, Kind::Byte),
            Instr::PutFieldChar { a, b, word } => self.put(a, b, word, Kind::Char),
            Instr::PutFieldShort { a, b, word } => self.put(a, b, word, Kind::Short),
            Instr::CheckCast { a, class } => self.cast(a, class),
            Instr::InstanceOf { d, class } => self.instance_of(d, ClassId(class)),
            Instr::GetField { d, a, word } => self.get_field(d, a, word),
            Instr::InvokeSpecial { a, method }
            | Instr::InvokeVirtual { a, method }
            | Instr::InvokeInterface { a, method } => self.call(a, MethodId(method), instr),
            Instr::PutStaticChecked { a, site } => self.put_static(a, site),
            Instr::MultiANewArray { d, dimensions, .. } => self.fix_lengths(d, dimensions),
            Instr::Switch { a, table } if M::TOTAL => self.switch(a, table),
            Instr::ArrayLength { d, a } if M::TOTAL => self.array_length(d, a),
            Instr::NewArray { d, class } if M::TOTAL => self.new_array(d, ClassId(class)),
            _ => self.need(),
        }
    }

    #[inline(always)]
    fn operand(&self, operand: Operand) -> u64 {
        match operand {
            Operand::Register(reg) => self.get(reg),
            Operand::Constant(value) => u64::from(value as u32),
        }
    }

    fn compute(
        &mut self,
        operation: Operation,
        kind: Kind,
        d: Reg,
        a: u64,
        b: u64,
    ) -> Result<SymbolicOutcome, Fault> {
        let result = match (operation, kind) {
            (Operation::Neg, Kind::Int | Kind::Long) => {
                self.machine.operate(Operation::Sub, kind, 0, a)
            }
            (Operation::Div | Operation::Rem, Kind::Int | Kind::Long) => {
                if let Some(step) = self.check_divisor(kind, b)? {
                    return Ok(step);
                }
                self.machine.operate(operation, kind, a, b)
            }
            _ => self.machine.operate(operation, kind, a, b),
        };
        match result {
            Some(result) => {
                self.set(d, result);
                Ok(SymbolicOutcome::Next)
            }
            None => self.need(),
        }
    }

    fn jump_if(
        &self,
        answer: ConditionTruth,
        wanted: bool,
        to: i32,
    ) -> Result<SymbolicOutcome, Fault> {
        match answer {
            ConditionTruth::Known(holds) if holds == wanted => Ok(SymbolicOutcome::Jump(to)),
            ConditionTruth::Known(_) => Ok(SymbolicOutcome::Next),
            ConditionTruth::Open => Ok(SymbolicOutcome::Stop(Exit::Branch)),
            ConditionTruth::Unable => self.need(),
        }
    }

    /// Whether two references are equal.
    fn same(&mut self, a: u64, b: u64) -> Result<ConditionTruth, Fault> {
        for (input, object) in [(a, b), (b, a)] {
            if let (Some(input), None) = (term_of(input), term_of(object)) {
                self.note_held(input, Ref::from_slot(object));
            }
        }
        Ok(match (term_of(a), term_of(b)) {
            (Some(left), Some(right)) if left == right => ConditionTruth::Known(true),
            (Some(term), None) => self.machine.is_one_of(term, &[Ref::from_slot(b)]),
            (None, Some(term)) => self.machine.is_one_of(term, &[Ref::from_slot(a)]),
            (None, None) => {
                let (a, b) = (Ref::from_slot(a), Ref::from_slot(b));
                match self.vm.has_given_value(self.machine, a, b) {
                    true => self.same_given(a, b)?,
                    false => self.same_box(a, b)?,
                }
            }
            _ => ConditionTruth::Unable,
        })
    }

    /// Notes that an input which a term stands for could be an object.
    fn note_held(&mut self, input: u32, object: Ref) {
        if !M::HAS_INPUTS || object.is_null() {
            return;
        }
        let first_made = self.machine.first_made();
        if let Some(bound) = self.machine.type_bound(input) {
            return self.vm.note_held_input(bound, first_made, object);
        }
        for candidate in self.machine.candidates(input) {
            if candidate != object {
                self.vm.note_held(self.machine, candidate, object);
            }
        }
    }

    /// Whether two objects are the same, one of them a value that the run was given. The library
    /// compares references to spare a comparison of values: it finds them different.
    fn same_given(&mut self, a: Ref, b: Ref) -> Result<ConditionTruth, Fault> {
        let frame = self.vm.state.frames.last();
        let class = frame.map(|frame| self.vm.method(frame.method).class);
        if !class.is_some_and(|class| self.vm.is_app_class(class)) {
            return Ok(ConditionTruth::Known(false));
        }
        let (given, other) = match self.machine.is_given_value(a) {
            true => (a, b),
            false => (b, a),
        };
        let kind = Kind::of_box(self.vm.class_name(self.vm.heap.class_of(other)));
        if self.machine.is_given_value(other) {
            let kind = kind.unwrap_or(Kind::Int);
            let objects = [given, other];
            return Ok(self.machine.is_same_value(kind, objects, None, false));
        }
        if !self.vm.may_be_given(self.machine.first_made(), other) {
            return Ok(ConditionTruth::Known(false));
        }
        let contents = match kind {
            Some(_) => self.vm.read_box_slot(other).into_iter().collect(),
            None if self.vm.has_known_text(other.slot()) => {
                let units = self.vm.string_units(other);
                let units = units.iter().map(|&unit| u64::from(unit));
                // Behind the last character comes none, so that a string is never a single number.
                let length = std::iter::once(units.len() as u64);
                length.chain(units).chain([0]).collect()
            }
            None => return Ok(ConditionTruth::Known(false)),
        };
        let contents: Vec<u64> = contents;
        let is_cached = self.vm.is_symbolic_box(other);
        let kind = kind.unwrap_or(Kind::Int);
        let objects = [given, other];
        Ok(self
            .machine
            .is_same_value(kind, objects, Some(&contents), is_cached))
    }

    /// Whether two boxes, one of them made for a term, would be the same object.
    fn same_box(&mut self, a: Ref, b: Ref) -> Result<ConditionTruth, Fault> {
        let word = self.vm.word_of(self.vm.heap.class_of(a), "value")?;
        let (left, right) = (self.vm.heap.field(a, word), self.vm.heap.field(b, word));
        if !(self.vm.is_shared_box(a)? && self.vm.is_shared_box(b)?) {
            return Ok(ConditionTruth::Known(false));
        }
        if M::TOTAL {
            return Ok(self.equal_boxes(a, left, right));
        }
        let concrete =
            |machine: &mut M, slot| term_of(slot).map_or(Some(slot), |term| machine.value(term));
        let values = (concrete(self.machine, left), concrete(self.machine, right));
        if let (Some(left), Some(right)) = values {
            return Ok(ConditionTruth::Known(left == right));
        }
        let kind = Kind::of_box(self.vm.class_name(self.vm.heap.class_of(a)));
        let kind = if kind == Some(Kind::Long) {
            Kind::Long
        } else {
            Kind::Int
        };
        Ok(self.machine.compare(Comparison::Eq, kind, left, right))
    }

    /// Whether two boxes of a class made at different times are the same object. They are if
    /// their values are equal and the class caches the box of that value (JLS §5.1.7).
    fn equal_boxes(&mut self, a: Ref, left: u64, right: u64) -> ConditionTruth {
        let kind = Kind::of_box(self.vm.class_name(self.vm.heap.class_of(a)));
        let kind = match kind {
            Some(Kind::Long) => Kind::Long,
            Some(Kind::Byte | Kind::Char | Kind::Short | Kind::Int) => Kind::Int,
            _ => return ConditionTruth::Unable,
        };
        let number = |value: i64| match kind {
            Kind::Long => value as u64,
            _ => u64::from(value as u32),
        };
        let (least, greatest) = (number(*CACHED_BOXES.start()), number(*CACHED_BOXES.end()));
        let symbolic = if is_symbolic(left) { left } else { right };
        for (comparison, a, b) in [
            (Comparison::Eq, left, right),
            (Comparison::Ge, symbolic, least),
            (Comparison::Le, symbolic, greatest),
        ] {
            match self.machine.compare(comparison, kind, a, b) {
                ConditionTruth::Known(true) => {}
                answer => return answer,
            }
        }
        ConditionTruth::Known(true)
    }

    fn load(&mut self, d: Reg, a: Reg, b: Reg) -> Result<SymbolicOutcome, Fault> {
        if self.open.is_some() {
            return self.need();
        }
        let (array, index) = (Ref::from_slot(self.get(a)), self.get(b) as u32);
        match self.vm.symbolic_element(array, index) {
            None => self.need(),
            Some(slot) => {
                let known = term_of(slot).and_then(|term| self.machine.value(term));
                match known {
                    Some(value) => {
                        self.vm
                            .settle_at(SlotLocation::Element(array, index), value);
                        Ok(SymbolicOutcome::Again)
                    }
                    None => {
                        self.set(d, slot);
                        Ok(SymbolicOutcome::Next)
                    }
                }
            }
        }
    }

    /// Array and index of a store of a symbolic value, if they are concrete and valid; otherwise
    /// the plain code raises the exception.
    fn place(&self, a: Reg, b: Reg) -> Option<(Ref, u32)> {
        let (array, index) = (self.get(a), self.get(b));
        if is_symbolic(array) || is_symbolic(index) || Ref::from_slot(array).is_null() {
            return None;
        }
        let array = Ref::from_slot(array);
        let fits = self.vm.unset_length(array).is_none()
            && (index as u32) < self.vm.heap.array_length(array);
        fits.then_some((array, index as u32))
    }

    fn store(&mut self, a: Reg, b: Reg, c: Reg) -> Result<SymbolicOutcome, Fault> {
        let Some((array, index)) = self.place(a, b) else {
            return self.need();
        };
        let slot = self.get(c);
        let stored = match self.vm.element_kind(self.vm.heap.class_of(array)) {
            Kind::Reference => self.storable(array, slot),
            kind if kind.is_narrow() => {
                let narrow = Operation::Convert(kind);
                self.machine.operate(narrow, Kind::Int, slot, 0)
            }
            _ => Some(slot),
        };
        match stored {
            Some(slot) => {
                self.vm.store_symbolic(array, index, slot)?;
                Ok(SymbolicOutcome::Next)
            }
            None => self.need(),
        }
    }

    /// Returns the slot itself if it is a term and the array can store all its candidates.
    fn storable(&mut self, array: Ref, slot: u64) -> Option<u64> {
        let mut candidates = self.machine.candidates(term_of(slot)?).into_iter();
        let fits = candidates.all(|object| self.vm.check_store(array, object).is_ok());
        fits.then_some(slot)
    }

    fn put(&mut self, a: Reg, b: Reg, word: u16, kind: Kind) -> Result<SymbolicOutcome, Fault> {
        let (object, slot) = (self.get(a), self.get(b));
        if is_symbolic(object) || Ref::from_slot(object).is_null() {
            return self.need();
        }
        let narrowed = self
            .machine
            .operate(Operation::Convert(kind), Kind::Int, slot, 0);
        match narrowed {
            Some(slot) => {
                let object = Ref::from_slot(object);
                self.note(WrittenPlace::Field(object, u32::from(word)));
                self.vm.heap.set_field(object, u32::from(word), slot);
                Ok(SymbolicOutcome::Next)
            }
            None => self.need(),
        }
    }

    /// Notes a write for a search that merges states.
    fn note(&mut self, place: WrittenPlace) {
        if self.vm.notes_writes {
            self.vm.note_write(place);
        }
    }

    /// Narrows a value stored in a static field that is narrower than an int.
    fn put_static(&mut self, a: Reg, site: u32) -> Result<SymbolicOutcome, Fault> {
        let StaticSite { class, at, kind } = self.vm.static_sites[site as usize];
        self.vm.initialize(class)?;
        let slot = self.get(a);
        match self
            .machine
            .operate(Operation::Convert(kind), Kind::Int, slot, 0)
        {
            Some(narrowed) => {
                self.note(WrittenPlace::Static(at));
                self.vm.heap.store(at, narrowed);
                Ok(SymbolicOutcome::Next)
            }
            None => self.need(),
        }
    }

    /// Fixes the lengths of an array of arrays first.
    fn fix_lengths(&mut self, d: Reg, dimensions: u8) -> Result<SymbolicOutcome, Fault> {
        for reg in d..d + Reg::from(dimensions) {
            let register = (self.base + reg as usize) as u32;
            if let Some(term) = term_of(self.get(reg)) {
                match self.machine.value(term) {
                    Some(value) => self.set(reg, value),
                    None => {
                        return Ok(SymbolicOutcome::Stop(Exit::Symbolic(
                            SlotLocation::Register(register),
                        )));
                    }
                }
            }
        }
        Ok(SymbolicOutcome::Again)
    }

    /// Runs an `instanceof` with the same result for all candidates.
    fn instance_of(&mut self, d: Reg, class: ClassId) -> Result<SymbolicOutcome, Fault> {
        let Some(term) = term_of(self.get(d)) else {
            return self.need();
        };
        if let Some(bound) = self.machine.type_bound(term) {
            if !self.vm.is_subclass(bound, class) {
                return self.need();
            }
            return match self.machine.is_one_of(term, &[Ref::NULL]) {
                ConditionTruth::Known(is_null) => {
                    self.set(d, u64::from(!is_null));
                    Ok(SymbolicOutcome::Next)
                }
                ConditionTruth::Open => Ok(SymbolicOutcome::Stop(Exit::Branch)),
                ConditionTruth::Unable => self.need(),
            };
        }
        let candidates = self.machine.candidates(term);
        self.note_types(&candidates, class);
        let mut objects = candidates.iter().filter(|object| !object.is_null());
        let is = |object: &Ref| self.vm.is_subclass(self.vm.heap.class_of(*object), class);
        let all = objects.clone().all(is);
        if !all && objects.any(is) {
            return self.need();
        }
        if all && candidates.contains(&Ref::NULL) {
            return match self.machine.is_one_of(term, &[Ref::NULL]) {
                ConditionTruth::Open => Ok(SymbolicOutcome::Stop(Exit::Branch)),
                _ => self.need(),
            };
        }
        self.set(d, u64::from(all));
        Ok(SymbolicOutcome::Next)
    }

    /// Candidates of a reference that is not null; `Err` is the step to take if it may be null.
    fn objects(&mut self, term: u32) -> Result<Vec<Ref>, Result<SymbolicOutcome, Fault>> {
        let candidates = self.machine.candidates(term);
        if !candidates.contains(&Ref::NULL) {
            return Ok(candidates);
        }
        Err(match self.machine.is_one_of(term, &[Ref::NULL]) {
            ConditionTruth::Open => Ok(SymbolicOutcome::Stop(Exit::Branch)),
            _ => self.need(),
        })
    }

    /// Reads a field that holds a number in each candidate of the reference.
    fn get_field(&mut self, d: Reg, a: Reg, word: u16) -> Result<SymbolicOutcome, Fault> {
        let Some(term) = term_of(self.get(a)) else {
            return self.need();
        };
        let objects = match self.objects(term) {
            Ok(objects) => objects,
            Err(step) => return step,
        };
        let Some(kind) = self.field_kind(&objects, word) else {
            return self.need();
        };
        let mut values = Vec::with_capacity(objects.len());
        for object in objects {
            match self.vm.read_slot(object.0 + u32::from(word)) {
                Ok(slot) => values.push((object, slot)),
                Err(_) => return self.need(),
            }
        }
        match self.machine.field_of(term, &values, kind) {
            Some(slot) => {
                self.set(d, slot);
                Ok(SymbolicOutcome::Next)
            }
            None => self.need(),
        }
    }

    /// Integral kind of a field of objects that all have one class.
    fn field_kind(&self, objects: &[Ref], word: u16) -> Option<Kind> {
        let class = self.one_class(objects)?;
        let display = self.vm.class(class).display.iter();
        let mut fields = display.flat_map(|&class| &self.vm.class(class).fields);
        let field = fields.find(|field| !field.is_static() && field.word == u32::from(word))?;
        let is_integral = matches!(
            field.kind,
            Kind::Boolean | Kind::Byte | Kind::Char | Kind::Short | Kind::Int | Kind::Long
        );
        is_integral.then_some(field.kind)
    }

    fn one_class(&self, objects: &[Ref]) -> Option<ClassId> {
        let class = self.vm.heap.class_of(*objects.first()?);
        objects
            .iter()
            .all(|&object| self.vm.heap.class_of(object) == class)
            .then_some(class)
    }

    /// Runs a call on a receiver whose candidates all have one class.
    fn call(&mut self, a: Reg, method: MethodId, instr: Instr) -> Result<SymbolicOutcome, Fault> {
        let Some(term) = term_of(self.get(a)) else {
            return self.need();
        };
        if self.machine.opaque_texts()
            && self.machine.type_bound(term) == Some(self.vm.known().string)
        {
            let first = self.base + usize::from(a);
            match self.vm.call_on_text(self.machine, method, first)? {
                ReplacedCall::Done(value) => {
                    self.set(a, value);
                    return Ok(SymbolicOutcome::Next);
                }
                ReplacedCall::Stop(exit) => return Ok(SymbolicOutcome::Stop(exit)),
                _ => {}
            }
        }
        if self.vm.method(method).replaced == Some(Intrinsic::InputText)
            && let ReplacedCall::Done(text) =
                self.vm
                    .defer_text(self.machine, method, self.base + usize::from(a))
        {
            self.set(a, text);
            return Ok(SymbolicOutcome::Next);
        }
        let objects = match self.objects(term) {
            Ok(objects) => objects,
            Err(step) => return step,
        };
        let Some(class) = self.one_class(&objects) else {
            return self.need();
        };
        let mut inputs = objects.iter();
        if inputs.any(|&object| self.machine.type_of_others(object).is_some()) {
            let is_virtual = !matches!(instr, Instr::InvokeSpecial { .. });
            self.vm.note_call_of_other(method, is_virtual);
        }
        let selected = match instr {
            Instr::InvokeSpecial { .. } => method,
            Instr::InvokeVirtual { .. } => {
                let index = self.vm.method(method).vtable_index;
                let vtable = &self.vm.class(class).vtable;
                match index.and_then(|index| vtable.get(index as usize)) {
                    Some(&selected) => selected,
                    None => return self.need(),
                }
            }
            _ => self.vm.select_interface(class, method)?,
        };
        // Natives and monitors need the object itself.
        let called = self.vm.method(selected);
        let is_plain = matches!(called.code, Code::Translated(_) | Code::Bytecode(_))
            && called.flags & crate::class::flags::SYNCHRONIZED == 0;
        if is_plain {
            Ok(SymbolicOutcome::Call(selected))
        } else {
            self.need()
        }
    }

    /// Notes that objects of unknown classes in place of some may not be of a class, or be of it.
    fn note_types(&mut self, objects: &[Ref], class: ClassId) {
        for &object in objects {
            if let Some(bound) = self.machine.type_of_others(object) {
                self.vm.note_type_of_other(bound, class);
            }
        }
    }

    /// Runs a cast that all candidates pass.
    fn cast(&mut self, a: Reg, class: u32) -> Result<SymbolicOutcome, Fault> {
        let Some(term) = term_of(self.get(a)) else {
            return self.need();
        };
        let passes = match self.machine.type_bound(term) {
            Some(bound) => self.vm.is_subclass(bound, ClassId(class)),
            None => {
                let candidates = self.machine.candidates(term);
                self.note_types(&candidates, ClassId(class));
                let vm = &*self.vm;
                let passes =
                    |object: &Ref| vm.is_subclass(vm.heap.class_of(*object), ClassId(class));
                candidates
                    .iter()
                    .all(|object| object.is_null() || passes(object))
            }
        };
        if passes {
            Ok(SymbolicOutcome::Next)
        } else {
            self.need()
        }
    }
}

/// Whether a machine without terms for every operation may have one for this: sums, products, and
/// operations that preserve the number.
fn is_linear(operation: Operation, kind: Kind) -> bool {
    use Operation::{Add, Convert, Mul, Neg, Sign, Sub};
    match operation {
        Add | Sub | Mul | Neg | Sign => matches!(kind, Kind::Int | Kind::Long),
        Convert(to) => !matches!(
            (kind, to),
            (Kind::Float | Kind::Double, _) | (_, Kind::Float | Kind::Double)
        ),
        _ => false,
    }
}
