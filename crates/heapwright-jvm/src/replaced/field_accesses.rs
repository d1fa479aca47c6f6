//! Accesses of `Unsafe` to fields, on which the library's atomics and locks stand.

use super::ReplacedCall;
use crate::class::Shape;
use crate::descriptor::Kind;
use crate::heap::Ref;
use crate::machine::{Comparison, ConditionTruth, Machine, is_symbolic};
use crate::vm::{Exit, Vm};

/// Access of `Unsafe` to a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FieldAccess {
    /// Reads it.
    Get,
    /// Writes it.
    Put,
    /// Writes it if it holds the expected number, which is a branch.
    CompareAndSet,
}

impl Vm {
    /// Reads or writes a field that may hold a symbolic slot. The plain code is for array elements
    /// and unset fields.
    pub(super) fn access_field<M: Machine>(
        &mut self,
        machine: &mut M,
        access: FieldAccess,
        kind: Kind,
        first: usize,
    ) -> ReplacedCall {
        // An argument of two words is in the first one.
        let [object, offset, value] = [1, 2, 4].map(|at| self.state.registers[first + at]);
        let is_fixed = !is_symbolic(object) && object != 0 && !is_symbolic(offset);
        if !is_fixed || !offset.is_multiple_of(8) {
            return ReplacedCall::Plain;
        }
        let object = Ref::from_slot(object);
        if let Shape::Array(_) = self.class(self.heap.class_of(object)).shape {
            return ReplacedCall::Plain;
        }
        let word = (u64::from(object.0)).wrapping_add((offset as i64 / 8) as u64) as u32;
        if self.unset_variable(word).is_some() {
            return ReplacedCall::Plain;
        }
        if access != FieldAccess::Put {
            self.note_static_at(object, word);
        }
        let old = self.heap.load(word);
        if access == FieldAccess::Get {
            return ReplacedCall::Done(old);
        }
        if access == FieldAccess::Put {
            self.heap.store(word, value);
            return ReplacedCall::Done(0);
        }
        let new = self.state.registers[first + 4 + usize::from(kind.words())];
        let is_open = is_symbolic(old) || is_symbolic(value);
        let is_equal = match old == value {
            true => ConditionTruth::Known(true),
            false if is_open => machine.compare(Comparison::Eq, kind, old, value),
            false => ConditionTruth::Known(false),
        };
        match is_equal {
            ConditionTruth::Known(true) => {
                self.heap.store(word, new);
                ReplacedCall::Done(1)
            }
            ConditionTruth::Known(false) => ReplacedCall::Done(0),
            ConditionTruth::Open => ReplacedCall::Stop(Exit::Branch),
            ConditionTruth::Unable => ReplacedCall::Plain,
        }
    }
}
