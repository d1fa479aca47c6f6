//! Terms for conditions, sums and choices of ints, and for a run of elements that is shifted by an
//! open distance.
//!
//! A condition is an int that is 1 if it holds, else 0. Operands may be concrete or symbolic.

use crate::descriptor::Kind;
use crate::heap::HeapFull;
use crate::machine::{Comparison, ConditionTruth, Machine, Operation, is_symbolic};
use crate::vm::{Exit, Fault};

use super::ReplacedCall;

/// Reason why a replaced call has no result now.
pub(super) enum Unresolved {
    /// The call goes on in another way, or stops.
    Call(ReplacedCall),
    Fault(Fault),
}

impl From<Fault> for Unresolved {
    fn from(fault: Fault) -> Unresolved {
        Unresolved::Fault(fault)
    }
}

impl From<HeapFull> for Unresolved {
    fn from(full: HeapFull) -> Unresolved {
        Unresolved::Fault(full.into())
    }
}

/// Result of a replaced call, or of a part of it.
pub(super) type Resolved<T> = Result<T, Unresolved>;

/// The plain code runs.
pub(super) const PLAIN: Unresolved = Unresolved::Call(ReplacedCall::Plain);

/// Outcome of a replaced call that returns this value.
pub(super) fn called(result: Resolved<u64>) -> Result<ReplacedCall, Fault> {
    match result {
        Ok(value) => Ok(ReplacedCall::Done(value)),
        Err(Unresolved::Call(call)) => Ok(call),
        Err(Unresolved::Fault(fault)) => Err(fault),
    }
}

/// Slot of an int.
pub(super) fn int(value: u32) -> u64 {
    u64::from(value)
}

/// Builder of terms; `Err` if the machine has no such term, so that the plain code runs.
pub(super) struct Terms<'a, M> {
    pub machine: &'a mut M,
}

impl<M: Machine> Terms<'_, M> {
    pub fn is(&mut self, comparison: Comparison, a: u64, b: u64) -> Resolved<u64> {
        let is = self.machine.comparison_as_int(comparison, Kind::Int, a, b);
        is.ok_or(PLAIN)
    }

    /// Whether `a` is less than `b`.
    pub fn less(&mut self, a: u64, b: u64) -> Resolved<u64> {
        self.is(Comparison::Lt, a, b)
    }

    /// Whether `a` is at most `b`.
    pub fn at_most(&mut self, a: u64, b: u64) -> Resolved<u64> {
        self.is(Comparison::Le, a, b)
    }

    pub fn same(&mut self, a: u64, b: u64) -> Resolved<u64> {
        self.is(Comparison::Eq, a, b)
    }

    fn operate(&mut self, operation: Operation, a: u64, b: u64) -> Resolved<u64> {
        let result = self.machine.operate(operation, Kind::Int, a, b);
        result.ok_or(PLAIN)
    }

    pub fn both(&mut self, a: u64, b: u64) -> Resolved<u64> {
        match (a, b) {
            (0, _) | (_, 0) => Ok(0),
            (1, other) | (other, 1) => Ok(other),
            _ => self.operate(Operation::And, a, b),
        }
    }

    pub fn either(&mut self, a: u64, b: u64) -> Resolved<u64> {
        match (a, b) {
            (1, _) | (_, 1) => Ok(1),
            (0, other) | (other, 0) => Ok(other),
            _ => self.operate(Operation::Or, a, b),
        }
    }

    pub fn not(&mut self, condition: u64) -> Resolved<u64> {
        self.same(condition, 0)
    }

    pub fn sum(&mut self, a: u64, b: u64) -> Resolved<u64> {
        match (a, b) {
            (0, other) | (other, 0) => Ok(other),
            _ => self.operate(Operation::Add, a, b),
        }
    }

    pub fn difference(&mut self, a: u64, b: u64) -> Resolved<u64> {
        match b {
            0 => Ok(a),
            _ => self.operate(Operation::Sub, a, b),
        }
    }

    pub fn masked(&mut self, a: u64, mask: u32) -> Resolved<u64> {
        self.operate(Operation::And, a, int(mask))
    }

    /// Narrows an int.
    pub fn narrow(&mut self, a: u64, kind: Kind) -> Resolved<u64> {
        self.operate(Operation::Convert(kind), a, 0)
    }

    /// `a` if the condition holds, else `b`; both have this kind.
    pub fn choose(&mut self, kind: Kind, condition: u64, a: u64, b: u64) -> Resolved<u64> {
        match condition {
            0 => return Ok(b),
            1 => return Ok(a),
            _ if a == b => return Ok(a),
            _ => {}
        }
        let chosen = self.machine.if_then_else(kind, condition, 1, a, b);
        chosen.ok_or(PLAIN)
    }

    /// First of several ints whose condition holds, else `otherwise`; a tree of choices.
    pub fn first(&mut self, cases: &[(u64, u64)], otherwise: u64) -> Resolved<u64> {
        let (any, found) = self.any(cases)?;
        self.choose(Kind::Int, any, found, otherwise)
    }

    /// Whether any case holds, and the int of the first such case.
    fn any(&mut self, cases: &[(u64, u64)]) -> Resolved<(u64, u64)> {
        match cases {
            [] => Ok((0, 0)),
            [only] => Ok(*only),
            _ => {
                let (low, high) = cases.split_at(cases.len() / 2);
                let (low, high) = (self.any(low)?, self.any(high)?);
                let any = self.either(low.0, high.0)?;
                Ok((any, self.choose(Kind::Int, low.0, low.1, high.1)?))
            }
        }
    }

    /// Whether any condition holds.
    pub fn any_of(&mut self, conditions: &[u64]) -> Resolved<u64> {
        match conditions {
            [] => Ok(0),
            [only] => Ok(*only),
            _ => {
                let (low, high) = conditions.split_at(conditions.len() / 2);
                let (low, high) = (self.any_of(low)?, self.any_of(high)?);
                self.either(low, high)
            }
        }
    }

    /// Truth of a condition on this path; stops the run if it is open.
    pub fn decide(&mut self, condition: u64) -> Resolved<bool> {
        if !is_symbolic(condition) {
            return Ok(condition != 0);
        }
        match self
            .machine
            .compare(Comparison::Ne, Kind::Int, condition, 0)
        {
            ConditionTruth::Known(holds) => Ok(holds),
            ConditionTruth::Open => Err(Unresolved::Call(ReplacedCall::Stop(Exit::Branch))),
            ConditionTruth::Unable => Err(PLAIN),
        }
    }

    /// Continues if a condition holds on this path; otherwise the plain code runs.
    pub fn require(&mut self, condition: u64) -> Resolved<()> {
        match self.decide(condition)? {
            true => Ok(()),
            false => Err(PLAIN),
        }
    }

    /// Elements from a distance on: the element at `place` is that at `place + distance`, 0 past
    /// the end. The distance is not negative.
    pub fn shifted_down(
        &mut self,
        kind: Kind,
        elements: &[u64],
        distance: u64,
    ) -> Resolved<Vec<u64>> {
        self.shifted(kind, elements.to_vec(), distance, false)
    }

    /// Elements behind a gap: the element at `place` is that at `place - distance`, 0 in the gap.
    /// Elements past the room are dropped. The distance is not negative.
    pub fn shifted_up(
        &mut self,
        kind: Kind,
        elements: &[u64],
        distance: u64,
        room: u32,
    ) -> Resolved<Vec<u64>> {
        let mut all = elements.to_vec();
        all.resize(room as usize, 0);
        self.shifted(kind, all, distance, true)
    }

    /// Shifts elements by one power of two after the other, as a barrel shifter does.
    fn shifted(
        &mut self,
        kind: Kind,
        elements: Vec<u64>,
        distance: u64,
        is_up: bool,
    ) -> Resolved<Vec<u64>> {
        let all = |elements: &[u64], step: usize| -> Vec<u64> {
            let places = 0..elements.len();
            let from = |place: usize| match is_up {
                true => place.checked_sub(step),
                false => place.checked_add(step),
            };
            let moved = places.map(|place| from(place).and_then(|from| elements.get(from)));
            moved.map(|slot| slot.copied().unwrap_or(0)).collect()
        };
        if !is_symbolic(distance) {
            return Ok(all(&elements, distance as u32 as usize));
        }
        let mut shifted = elements;
        let mut step = 1;
        while step <= shifted.len() {
            let bit = self.masked(distance, step as u32)?;
            let is_set = self.is(Comparison::Ne, bit, 0)?;
            let further = all(&shifted, step);
            for (place, &far) in further.iter().enumerate() {
                shifted[place] = self.choose(kind, is_set, far, shifted[place])?;
            }
            step *= 2;
        }
        Ok(shifted)
    }
}
