//! Comparison of whole arrays.

use crate::choice::Place;
use crate::descriptor::Kind;
use crate::heap::Ref;
use crate::machine::{Comparison, Machine, Operation};
use crate::vm::{Fault, Vm};

use super::ReplacedCall;

impl Vm {
    /// Compares two arrays of one primitive kind by a single condition, whatever their length.
    pub(super) fn compare_arrays<M: Machine>(
        &mut self,
        machine: &mut M,
        first: usize,
    ) -> Result<ReplacedCall, Fault> {
        if !M::TOTAL {
            return Ok(ReplacedCall::Plain);
        }
        // The plain code reads both arguments, too.
        if let Some(exit) = self.settle_arguments(machine, first, 2) {
            return Ok(ReplacedCall::Stop(exit));
        }
        let (a, b) = (self.state.registers[first], self.state.registers[first + 1]);
        if a == 0 || b == 0 || a == b {
            return Ok(ReplacedCall::Plain);
        }
        let (a, b) = (Ref::from_slot(a), Ref::from_slot(b));
        if self.heap.array_shadow(a).is_null() && self.heap.array_shadow(b).is_null() {
            return Ok(ReplacedCall::Plain);
        }
        let equal = self.equal_arrays(machine, a, b);
        Ok(equal.map_or(ReplacedCall::Plain, ReplacedCall::Done))
    }

    /// 1 if two arrays have equal contents, else 0; `None` if the machine has no such term.
    pub(super) fn equal_arrays<M: Machine>(&self, machine: &mut M, a: Ref, b: Ref) -> Option<u64> {
        let kind = self.element_kind(self.heap.class_of(a));
        let compared = if kind == Kind::Long {
            Kind::Long
        } else {
            Kind::Int
        };
        let length = |array| self.slot_of_place(array, Place::Length);
        let mut all = machine.comparison_as_int(Comparison::Eq, Kind::Int, length(a), length(b))?;
        let room = |array| self.heap.array_length(array);
        for place in 0..room(a).min(room(b)) {
            let element = |array| self.slot_of_place(array, Place::Element(place));
            let same =
                machine.comparison_as_int(Comparison::Eq, compared, element(a), element(b))?;
            let end =
                machine.comparison_as_int(Comparison::Le, Kind::Int, length(a), place.into())?;
            let holds = machine.operate(Operation::Or, Kind::Int, same, end)?;
            all = machine.operate(Operation::And, Kind::Int, all, holds)?;
        }
        Some(all)
    }
}
