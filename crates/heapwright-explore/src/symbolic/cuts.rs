//! Inputs that the bounds cut off beside a path.
//!
//! A path without recorded cuts is the same under any bounds. The effect of bounded lengths shows
//! where a side of a branch is infeasible but would be feasible without them. A second solver holds
//! the path's conditions without those bounds. An unknown result counts as a cut.

use heapwright_jvm::Vm;
use heapwright_solve::smt::{Decision, Limits, PathSolver, Satisfiability, Stopper, Term};

use super::inputs::BeyondBounds;
use super::references::OpenReference;
use super::{SymbolicError, SymbolicSearch};

/// Kind of inputs that a bound cuts off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum InputCut {
    /// Objects past [`InputBounds::objects`](super::InputBounds::objects) or
    /// [`InputBounds::all_objects`](super::InputBounds::all_objects).
    Objects,
    /// Strings and arrays longer than [`InputBounds::length`](super::InputBounds::length).
    Lengths,
    /// Objects of classes that the universe does not create.
    Types,
    /// Objects of abstract classes and interfaces that nothing in the universe implements.
    Implementations,
    /// Objects of subclasses that the universe does not create.
    Subclasses,
    /// Lambdas other than those that return one value.
    Lambdas,
    /// Characters past Latin-1, without [`InputBounds::utf16`](super::InputBounds::utf16).
    Characters,
}

impl InputCut {
    const ALL: [InputCut; 7] = [
        InputCut::Objects,
        InputCut::Lengths,
        InputCut::Types,
        InputCut::Implementations,
        InputCut::Subclasses,
        InputCut::Lambdas,
        InputCut::Characters,
    ];
}

/// Set of the kinds of inputs cut off beside a path.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cuts(u8);

impl Cuts {
    /// Whether the set contains `cut`.
    #[must_use]
    pub fn has(self, cut: InputCut) -> bool {
        self.0 & 1 << cut as u8 != 0
    }

    fn insert(&mut self, cut: InputCut) {
        self.0 |= 1 << cut as u8;
    }

    /// Iterates over the members.
    pub fn iter(self) -> impl Iterator<Item = InputCut> {
        InputCut::ALL.into_iter().filter(move |&cut| self.has(cut))
    }
}

impl SymbolicSearch<'_> {
    /// Enables recording of what the bounds of inputs cut off. Queries of the second solver have
    /// these limits and are ended by the stopper.
    pub fn note_cuts(&mut self, limits: Limits, stopper: Stopper) {
        let mut solver = PathSolver::new(limits);
        solver.stop_by(stopper);
        self.machine.without_lengths = Some(solver);
        self.note_unknown_classes();
    }

    /// Enables notes of what inputs may do that are of classes which are not on the class path.
    pub fn note_unknown_classes(&mut self) {
        self.notes_others = true;
    }

    /// Records a cut beside the path.
    pub(super) fn cut(&mut self, cut: InputCut) {
        if self.machine.without_lengths.is_some() && !self.cuts.has(cut) {
            self.cuts.insert(cut);
            self.machine.steering.cut(cut);
        }
    }

    /// Records further objects that a non-null reference could be.
    pub(super) fn cut_objects(&mut self, vm: &Vm, open: &OpenReference, beyond: BeyondBounds) {
        if beyond != BeyondBounds::default() {
            self.cut(InputCut::Objects);
        }
        if let Some(cut) = self.universe.beyond(vm, open.bound) {
            self.cut(cut);
        }
    }

    /// Records a cut if an infeasible side would be feasible with longer strings and arrays.
    pub(super) fn cut_lengths(
        &mut self,
        condition: Term,
        decision: Decision,
    ) -> Result<(), SymbolicError> {
        let sides = [decision.holds, decision.fails];
        let is_bounded = self.machine.has_bounded_lengths() && !self.cuts.has(InputCut::Lengths);
        let Some(solver) = &mut self.machine.without_lengths else {
            return Ok(());
        };
        if !is_bounded || !sides.contains(&Satisfiability::Unsat) {
            return Ok(());
        }
        let longer = solver.decide(&self.machine.pool, condition)?;
        let longer = [longer.holds, longer.fails];
        let mut both = sides.into_iter().zip(longer);
        if both
            .any(|(side, longer)| side == Satisfiability::Unsat && longer != Satisfiability::Unsat)
        {
            self.cut(InputCut::Lengths);
        }
        Ok(())
    }
}
