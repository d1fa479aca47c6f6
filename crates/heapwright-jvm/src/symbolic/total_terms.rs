//! Instructions on a machine that has a term for every operation.
//!
//! An exception of an instruction is a branch here. An access of an array at an open index is a
//! choice among its elements. Invariant: as in the parent module.

use super::{SymbolicOutcome, SymbolicStep};
use crate::choice::Place;
use crate::class::ClassId;
use crate::descriptor::Kind;
use crate::heap::Ref;
use crate::instr::{Reg, SwitchTable};

use crate::machine::{
    ArrayTerms, Comparison, ConditionTruth, Machine, Operation, SlotLocation, is_symbolic, term_of,
};
use crate::vm::{Exit, Fault, Limit};
use crate::writes::WrittenPlace;

/// Maximum number of elements that an open index may name; beyond it the index is fixed first.
const MAX_CHOICE: u32 = 4096;

/// Outcome of a check: `None` to continue, or the step to take.
type TermCheck = Result<Option<SymbolicOutcome>, Fault>;

/// Truth of a condition if it is known; else returns the step to take.
macro_rules! decide {
    ($self:ident, $answer:expr) => {
        match $answer {
            ConditionTruth::Known(holds) => holds,
            ConditionTruth::Open => return Ok(Some(SymbolicOutcome::Stop(Exit::Branch))),
            ConditionTruth::Unable => return $self.need().map(Some),
        }
    };
}

impl<M: Machine> SymbolicStep<'_, M> {
    /// Object in a register; null if it is open.
    fn object(&self, reg: Reg) -> Result<Ref, Fault> {
        let slot = self.get(reg);
        if is_symbolic(slot) {
            return Ok(Ref::NULL);
        }
        let object = Ref::from_slot(slot);
        if object.is_null() {
            return Err(Fault::Raise("java/lang/NullPointerException", None));
        }
        Ok(object)
    }

    /// Length of an array, or of one of several.
    pub(super) fn array_length(&mut self, d: Reg, a: Reg) -> Result<SymbolicOutcome, Fault> {
        let length = match term_of(self.get(a)) {
            None => self.vm.symbolic_length(self.object(a)?),
            Some(term) => {
                let arrays = match self.objects(term) {
                    Ok(arrays) => arrays,
                    Err(step) => return step,
                };
                let length = |array| (array, self.vm.slot_of_place(array, Place::Length));
                let lengths: Vec<(Ref, u64)> = arrays.into_iter().map(length).collect();
                self.machine.field_of(term, &lengths, Kind::Int)
            }
        };
        match length {
            Some(slot) => {
                self.set(d, slot);
                Ok(SymbolicOutcome::Next)
            }
            None => self.need(),
        }
    }

    /// Compares an integer divisor with 0.
    pub(super) fn check_divisor(&mut self, kind: Kind, divisor: u64) -> TermCheck {
        let is_zero = if is_symbolic(divisor) {
            decide!(self, self.machine.compare(Comparison::Eq, kind, divisor, 0))
        } else {
            divisor == 0
        };
        if is_zero {
            let message = Some("/ by zero".to_owned());
            return Err(Fault::Raise("java/lang/ArithmeticException", message));
        }
        Ok(None)
    }

    /// Runs a switch as one branch for each target.
    pub(super) fn switch(&mut self, a: Reg, table: u32) -> Result<SymbolicOutcome, Fault> {
        let slot = self.get(a);
        let groups = groups(&self.vm.switches[table as usize]);
        for (target, keys) in &groups.targets {
            match self.machine.is_number_of(slot, keys) {
                ConditionTruth::Known(true) => return Ok(SymbolicOutcome::Jump(*target)),
                ConditionTruth::Known(false) => {}
                ConditionTruth::Open => return Ok(SymbolicOutcome::Stop(Exit::Branch)),
                ConditionTruth::Unable => return self.need(),
            }
        }
        Ok(SymbolicOutcome::Jump(groups.default))
    }

    /// Creates an array of open length. Arrays of the library have room for the greatest length if
    /// that is small; those of the program, for the maximum of the bounds. The contents of longer
    /// ones are terms, or the run ends.
    pub(super) fn new_array(&mut self, d: Reg, class: ClassId) -> Result<SymbolicOutcome, Fault> {
        let length = self.get(d);
        let most = self.machine.greatest_now(length);
        let (is_small, is_in_library) = (most <= MAX_CHOICE, self.vm.is_in_library());
        let terms = match self.machine.array_terms() {
            _ if is_in_library => ArrayTerms::None,
            // A wider search has room for those that cannot be long.
            ArrayTerms::Long if is_small => ArrayTerms::None,
            terms => terms,
        };
        let room = match is_small && is_in_library {
            true => most,
            false => self.machine.max_new_array_length(),
        };
        if let Some(step) = self.check_length(length)? {
            return Ok(step);
        }
        let is_within = terms != ArrayTerms::All
            && match self
                .machine
                .compare(Comparison::Le, Kind::Int, length, room.into())
            {
                ConditionTruth::Known(is_within) => is_within,
                ConditionTruth::Open => return Ok(SymbolicOutcome::Stop(Exit::Branch)),
                ConditionTruth::Unable => return self.need(),
            };
        let array = match is_within {
            true => self.vm.new_choice_array(class, room)?,
            false if terms == ArrayTerms::None => {
                return Ok(SymbolicOutcome::Stop(Exit::Limit(Limit::ArrayLength)));
            }
            false => self.vm.new_term_array(class)?,
        };
        self.vm.set_length(array, length);
        self.set(d, array.slot());
        Ok(SymbolicOutcome::Next)
    }

    /// Throws an exception if the length of a new array is negative.
    fn check_length(&mut self, length: u64) -> TermCheck {
        let less = Comparison::Lt;
        if decide!(self, self.machine.compare(less, Kind::Int, length, 0)) {
            return Err(self.vm.raise_size(self.machine, length)?);
        }
        Ok(None)
    }

    /// Compares an index with the length of its array.
    fn check_index(&mut self, array: Ref, index: u64) -> TermCheck {
        let room = self.vm.heap.array_length(array);
        let length = self.vm.symbolic_length(array);
        let bound = length.unwrap_or(u64::from(room));
        let is_open = is_symbolic(index);
        let is_within = if is_open || length.is_some() {
            let below = Comparison::Below;
            decide!(self, self.machine.compare(below, Kind::Int, index, bound))
        } else {
            (index as u32) < room
        };
        let is_term = self.vm.contents(array).is_some();
        if is_within && is_open && length.is_some() && !is_term {
            // The elements that there is room for are all that bounded inputs have. Longer ones
            // differ, which this decision shows.
            let most = u64::from(room);
            let below = Comparison::Below;
            if !decide!(self, self.machine.compare(below, Kind::Int, index, most)) {
                return Ok(Some(SymbolicOutcome::Stop(Exit::Limit(Limit::ArrayLength))));
            }
        }
        if is_within && (is_open || is_term || (index as u32) < room) {
            return Ok(None);
        }
        Err(self.vm.raise_index(self.machine, index, bound)?)
    }

    /// Number of elements of an array that an index within its bounds may name.
    fn choices(&self, array: Ref, index: u64) -> u32 {
        let past = self.machine.greatest(index).saturating_add(1);
        past.min(self.vm.heap.array_length(array))
    }

    /// Fixes an index if it may name too many elements for a choice by term.
    fn too_many(&self, array: Ref, index: u64, b: Reg) -> Option<SymbolicOutcome> {
        let is_much = is_symbolic(index) && self.choices(array, index) > MAX_CHOICE;
        let register = SlotLocation::Register((self.base + b as usize) as u32);
        is_much.then_some(SymbolicOutcome::Stop(Exit::Symbolic(register)))
    }

    /// Checks the array and the index of an element access; `Err` is the step to take.
    fn element(&mut self, a: Reg, b: Reg) -> Result<Result<(Ref, u64), SymbolicOutcome>, Fault> {
        let (array, index) = (self.object(a)?, self.get(b));
        if array.is_null() {
            return self.need().map(Err);
        }
        if let Some(step) = self.check_index(array, index)? {
            return Ok(Err(step));
        }
        let much = self.too_many(array, index, b);
        Ok(much.map_or(Ok((array, index)), Err))
    }

    pub(super) fn load_at(&mut self, d: Reg, a: Reg, b: Reg) -> Result<SymbolicOutcome, Fault> {
        let (array, index) = match self.element(a, b)? {
            Ok(element) => element,
            Err(step) => return Ok(step),
        };
        let kind = self.vm.element_kind(self.vm.heap.class_of(array));
        if let Some(contents) = self.vm.contents(array) {
            let Some(slot) = self.machine.element_of(contents, kind, index) else {
                return Ok(SymbolicOutcome::Stop(Exit::Limit(Limit::ArrayLength)));
            };
            self.set(d, slot);
            return Ok(SymbolicOutcome::Next);
        }
        if !is_symbolic(index) {
            let slot = self.vm.slot_of_place(array, Place::Element(index as u32));
            self.set(d, slot);
            return Ok(SymbolicOutcome::Next);
        }
        let places = 0..self.choices(array, index);
        let element = |place| self.vm.slot_of_place(array, Place::Element(place));
        let elements: Vec<u64> = places.map(element).collect();
        let Some(chosen) = self.machine.select(kind, index, &elements) else {
            return Ok(SymbolicOutcome::Stop(Exit::Symbolic(self.spot(b))));
        };
        self.set(d, chosen);
        Ok(SymbolicOutcome::Next)
    }

    fn spot(&self, reg: Reg) -> SlotLocation {
        SlotLocation::Register((self.base + reg as usize) as u32)
    }

    pub(super) fn store_at(&mut self, a: Reg, b: Reg, c: Reg) -> Result<SymbolicOutcome, Fault> {
        let (array, index) = match self.element(a, b)? {
            Ok(element) => element,
            Err(step) => return Ok(step),
        };
        let kind = self.vm.element_kind(self.vm.heap.class_of(array));
        let Some(slot) = self.element_value(array, kind, self.get(c))? else {
            return Ok(SymbolicOutcome::Stop(Exit::Symbolic(self.spot(c))));
        };
        if let Some(contents) = self.vm.contents(array) {
            let Some(changed) = self.machine.with_element(contents, index, slot) else {
                return Ok(SymbolicOutcome::Stop(Exit::Limit(Limit::ArrayLength)));
            };
            self.note(WrittenPlace::Contents(array));
            self.vm.set_contents(array, changed);
            return Ok(SymbolicOutcome::Next);
        }
        if !is_symbolic(index) {
            self.note(WrittenPlace::Element(array, index as u32));
            self.vm.store_element(array, index as u32, slot)?;
            return Ok(SymbolicOutcome::Next);
        }
        let mut changed = Vec::new();
        for place in 0..self.choices(array, index) {
            let before = self.vm.slot_of_place(array, Place::Element(place));
            match self.machine.if_then_else(kind, index, place, slot, before) {
                Some(either) => changed.push(either),
                None => return Ok(SymbolicOutcome::Stop(Exit::Symbolic(self.spot(b)))),
            }
        }
        for (place, slot) in (0..).zip(changed) {
            self.note(WrittenPlace::Element(array, place));
            self.vm.store_element(array, place, slot)?;
        }
        Ok(SymbolicOutcome::Next)
    }

    /// Value that a store puts into an element: narrowed, or checked (JVMS §6.5.aastore). `None`
    /// if it must be fixed first.
    fn element_value(&mut self, array: Ref, kind: Kind, slot: u64) -> Result<Option<u64>, Fault> {
        if kind != Kind::Reference {
            return Ok(match is_symbolic(slot) && kind.is_narrow() {
                true => {
                    let narrow = Operation::Convert(kind);
                    self.machine.operate(narrow, Kind::Int, slot, 0)
                }
                false => Some(slot),
            });
        }
        let Some(term) = term_of(slot) else {
            self.vm.check_store(array, Ref::from_slot(slot))?;
            return Ok(Some(slot));
        };
        let fits = match self.machine.type_bound(term) {
            Some(class) => self.vm.takes(array, class),
            None => {
                let candidates = self.machine.candidates(term);
                let mut candidates = candidates.into_iter();
                candidates.all(|object| self.vm.check_store(array, object).is_ok())
            }
        };
        Ok(fits.then_some(slot))
    }
}

/// Keys of a switch by target, targets in the order of their least keys.
struct Groups {
    targets: Vec<(i32, Vec<i32>)>,
    default: i32,
}

fn groups(table: &SwitchTable) -> Groups {
    let (keys, targets, default): (Vec<i32>, _, _) = match table {
        SwitchTable::Dense {
            low,
            targets,
            default,
        } => {
            let keys = (0..targets.len() as i32).map(|at| low.wrapping_add(at));
            (keys.collect(), targets, *default)
        }
        SwitchTable::Sparse {
            keys,
            targets,
            default,
        } => (keys.clone(), targets, *default),
    };
    let mut groups: Vec<(i32, Vec<i32>)> = Vec::new();
    for (key, &target) in keys.into_iter().zip(targets) {
        if target == default {
            continue;
        }
        match groups.iter_mut().find(|group| group.0 == target) {
            Some(group) => group.1.push(key),
            None => groups.push((target, vec![key])),
        }
    }
    Groups {
        targets: groups,
        default,
    }
}
