//! What the bounds of inputs cut off beside a path.
//!
//! A path on which nothing is noted is what it is under any bounds. That lengths are bounded shows
//! where a side of a branch is not possible and would be without: a second solver has the
//! conditions of the path but for those. An answer that is open counts as cut.

use heapwright_jvm::Vm;
use heapwright_solve::smt::{Decision, Limits, PathSolver, Stopper, Term, Verdict};

use super::inputs::Beyond;
use super::references::OpenReference;
use super::{SymbolicError, SymbolicSearch};

/// What a bound cuts off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Cut {
    /// Objects past [`Bounds::objects`](super::Bounds::objects) or
    /// [`Bounds::all_objects`](super::Bounds::all_objects).
    Objects,
    /// Strings and arrays longer than [`Bounds::length`](super::Bounds::length).
    Lengths,
    /// Objects of classes that the universe does not make.
    Types,
    /// Characters past Latin-1, without [`Bounds::utf16`](super::Bounds::utf16).
    Characters,
}

impl Cut {
    const ALL: [Cut; 4] = [Cut::Objects, Cut::Lengths, Cut::Types, Cut::Characters];
}

/// What was cut off beside a path.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cuts(u8);

impl Cuts {
    /// Whether this was.
    #[must_use]
    pub fn has(self, cut: Cut) -> bool {
        self.0 & 1 << cut as u8 != 0
    }

    fn insert(&mut self, cut: Cut) {
        self.0 |= 1 << cut as u8;
    }

    /// All that was.
    pub fn iter(self) -> impl Iterator<Item = Cut> {
        Cut::ALL.into_iter().filter(move |&cut| self.has(cut))
    }
}

impl SymbolicSearch<'_> {
    /// From now on it is noted what the bounds of inputs cut off. Questions about longer ones are of
    /// these limits and end by the stopper.
    pub fn note_cuts(&mut self, limits: Limits, stopper: Stopper) {
        let mut solver = PathSolver::new(limits);
        solver.stop_by(stopper);
        self.machine.without_lengths = Some(solver);
    }

    /// Notes that something is cut off beside the path.
    pub(super) fn cut(&mut self, cut: Cut) {
        if self.machine.without_lengths.is_some() && !self.cuts.has(cut) {
            self.cuts.insert(cut);
            if let Some(steering) = &mut self.machine.steering {
                steering.cut(cut);
            }
        }
    }

    /// Notes what more a reference that is not null could be.
    pub(super) fn cut_objects(&mut self, vm: &Vm, open: &OpenReference, beyond: Beyond) {
        if beyond != Beyond::default() {
            self.cut(Cut::Objects);
        }
        if !self.universe.is_whole(vm, open.bound) {
            self.cut(Cut::Types);
        }
    }

    /// Notes whether a side that is not possible would be if strings and arrays were longer.
    pub(super) fn cut_lengths(
        &mut self,
        condition: Term,
        decision: Decision,
    ) -> Result<(), SymbolicError> {
        let sides = [decision.holds, decision.fails];
        let is_bounded = self.machine.has_bounded_lengths() && !self.cuts.has(Cut::Lengths);
        let Some(solver) = &mut self.machine.without_lengths else {
            return Ok(());
        };
        if !is_bounded || !sides.contains(&Verdict::Unsat) {
            return Ok(());
        }
        let longer = solver.decide(&self.machine.pool, condition)?;
        let longer = [longer.holds, longer.fails];
        let mut both = sides.into_iter().zip(longer);
        if both.any(|(side, longer)| side == Verdict::Unsat && longer != Verdict::Unsat) {
            self.cut(Cut::Lengths);
        }
        Ok(())
    }
}
