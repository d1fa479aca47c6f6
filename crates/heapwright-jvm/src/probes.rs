//! Probes: positions in methods that a run reports when it passes them.
//!
//! A probe is an instruction of its own before the bytecode at an index. Visits are part of the
//! reversible state, so going back to a mark removes those made since. Methods without probes are
//! unchanged.

use crate::class::{ClassId, MethodId};
use crate::vm::Vm;

/// Position of a probe.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProbePoint {
    /// The method.
    pub method: MethodId,
    /// Bytecode index of the instruction behind the probe.
    pub at: u16,
}

/// Visit of a probe by a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProbeVisit {
    /// Number of frames, the probed method's included; those of threads other than the main one have
    /// greater numbers.
    pub depth: u32,
    /// Number of the point, see [`Vm::probe`].
    pub point: u32,
    /// Class of the exception that is being handled; only at a handler's first probe.
    pub thrown: Option<ClassId>,
}

impl Vm {
    /// Inserts probes into a method before the instructions at these bytecode indices, instead of
    /// its previous probes. They are numbered in the order of `places`, from the returned number
    /// on. The method must have no frame on the stack.
    pub fn probe(&mut self, method: MethodId, places: &[u16]) -> u32 {
        let first = self.points.len() as u32;
        let points = places.iter().map(|&at| ProbePoint { method, at });
        self.points.extend(points);
        self.probed.insert(method, first..self.points.len() as u32);
        self.translate_again(method);
        first
    }

    /// Position of a probe.
    #[must_use]
    pub fn point(&self, number: u32) -> ProbePoint {
        self.points[number as usize]
    }

    /// Number of the probe before an instruction of a method, if there is one.
    pub(crate) fn point_at(&self, method: MethodId, at: u16) -> Option<u32> {
        let numbers = self.probed.get(&method)?.clone();
        numbers
            .into_iter()
            .find(|&number| self.points[number as usize].at == at)
    }

    /// Probes that the run has visited so far, oldest first.
    #[must_use]
    pub fn visits(&self) -> &[ProbeVisit] {
        &self.state.visits
    }
}
