//! Probes: places in methods at which a run notes that it came by.
//!
//! A probe is an instruction of its own in front of the bytecode at an index. What was noted is part
//! of the reversible state, so that what is noted since a mark is gone when a machine goes back to it.
//! Methods without probes run as they did.

use crate::class::{ClassId, Code, MethodId};
use crate::vm::Vm;

/// A place that has a probe.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Point {
    /// The method.
    pub method: MethodId,
    /// The bytecode index before which the probe stands.
    pub at: u16,
}

/// A run has come by a probe.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Visit {
    /// How many frames there were, the probed method's included.
    pub depth: u32,
    /// The number of the point, see [`Vm::probe`].
    pub point: u32,
    /// The class of the exception that the code from here on handles; of a handler's first probe.
    pub thrown: Option<ClassId>,
}

impl Vm {
    /// Puts probes into a method, before the instructions at these bytecode indices, in place of
    /// those that it had. They are numbered in the order of `places` from the number that is given
    /// back on. No frame of the method is to be on the stack.
    pub fn probe(&mut self, method: MethodId, places: &[u16]) -> u32 {
        let first = self.points.len() as u32;
        let points = places.iter().map(|&at| Point { method, at });
        self.points.extend(points);
        self.probed.insert(method, first..self.points.len() as u32);
        let this = &mut self.methods[method.0 as usize];
        if let (Code::Translated(_), Some(index)) = (&this.code, this.index) {
            this.code = Code::Bytecode(index);
        }
        first
    }

    /// The place of a probe.
    #[must_use]
    pub fn point(&self, number: u32) -> Point {
        self.points[number as usize]
    }

    /// The number of the point before an instruction of a method, if it has a probe.
    pub(crate) fn point_at(&self, method: MethodId, at: u16) -> Option<u32> {
        let numbers = self.probed.get(&method)?.clone();
        numbers
            .into_iter()
            .find(|&number| self.points[number as usize].at == at)
    }

    /// The probes that the run has come by since it began, oldest first.
    #[must_use]
    pub fn visits(&self) -> &[Visit] {
        &self.state.visits
    }
}
