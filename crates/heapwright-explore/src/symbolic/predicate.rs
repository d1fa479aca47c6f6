//! References in a predicate's input. The choice among several existing objects stays open until it
//! matters, and is made at the end of a path on which the predicate holds.

use heapwright_jvm::machine::{symbolic_slot, term_of};
use heapwright_jvm::{Place, Ref, Vm};
use heapwright_solve::smt::{Satisfiability, Term};

use super::forks::StepResult;
use super::inputs::{self, Alternative, InputObject, ReferenceTarget};
use super::references::OpenReference;
use super::{
    EntryPoint, Fork, PathOutcome, SymbolicError, SymbolicNode, SymbolicSearch, Task, WalkEnd,
};

impl SymbolicSearch<'_> {
    /// Splits the path on whether a reference is one of some objects.
    pub(super) fn split_among(&mut self, vm: &mut Vm) -> StepResult {
        let Some((number, objects)) = self.machine.among.take() else {
            return Ok(None);
        };
        let Some(open) = self.machine.references.open(number).cloned() else {
            return Ok(Some(WalkEnd::Dead));
        };
        let alternatives = self.universe.alternatives(vm, open.bound);
        let has_known = alternatives
            .iter()
            .any(|one| matches!(one, Alternative::Known(_)));
        let has_given = objects.iter().any(|&object| self.machine.is_given(object));
        if has_known || has_given || !self.texts().is_empty() {
            return self.fix_reference(vm, number);
        }
        let (_, other) = self.sides(open.is_null)?;
        let is_met = |input: &InputObject| {
            objects.contains(&input.object) && inputs::can_be(vm, &open, input)
        };
        if other == Satisfiability::Unsat || !self.inputs.objects.iter().any(is_met) {
            self.exclude(number, open, &objects);
            return Ok(None);
        }
        let fork = Fork::Among {
            number,
            objects: objects.clone(),
        };
        if let Some(bound) = self.push(vm, fork, false) {
            return Ok(Some(WalkEnd::Leaf(PathOutcome::Bounded(bound))));
        }
        match self.guided(2) {
            Some(0) => self.exclude(number, open, &objects),
            Some(_) => self.take_among(vm),
            None => return Ok(Some(WalkEnd::Dead)),
        }
        Ok(None)
    }

    /// Records that a reference is none of some objects.
    fn exclude(&mut self, number: u32, open: OpenReference, objects: &[Ref]) {
        let references = &mut self.machine.references;
        let mut open = open;
        open.excluded.extend(objects);
        let next = references.add_open(open);
        references.choose(number, symbolic_slot(next));
    }

    /// Resolves the reference of the newest fork to one of the objects.
    pub(super) fn take_among(&mut self, vm: &Vm) {
        let Some(SymbolicNode {
            fork: Fork::Among { number, objects },
            taken,
            ..
        }) = self.trail.forks.last_mut()
        else {
            return;
        };
        *taken = 1;
        let (number, objects) = (*number, objects.clone());
        let Some(open) = self.machine.references.open(number).cloned() else {
            return;
        };
        self.machine.require_object(open.is_null);
        let slot = self.any_met(vm, &open, Some(&objects));
        self.machine.references.choose(number, slot);
    }

    /// Creates a reference to any existing object that `open` can be; restricted to `of`, if given.
    pub(super) fn any_met(&mut self, vm: &Vm, open: &OpenReference, of: Option<&[Ref]>) -> u64 {
        let fits = |input: &&InputObject| {
            of.is_none_or(|of| of.contains(&input.object)) && inputs::can_be(vm, open, input)
        };
        let met = self.inputs.objects.iter().filter(fits);
        let met: Vec<Ref> = met.map(|input| input.object).collect();
        self.machine.any_of(&open.name, &met)
    }

    /// Handles a predicate's result: if it can be true, the path assumes that it is.
    pub(super) fn answer(&mut self, answer: u64) -> StepResult {
        if !self.is_yes(answer)? {
            return Ok(Some(WalkEnd::Leaf(PathOutcome::Returned(0))));
        }
        self.holds = true;
        Ok(None)
    }

    /// Whether a predicate's result can be true; if so, the path assumes that it is.
    pub(super) fn is_yes(&mut self, answer: u64) -> Result<bool, SymbolicError> {
        let truth = self.machine.truth_of(answer);
        let (holds, _) = self.sides(truth)?;
        if holds == Satisfiability::Unsat {
            return Ok(false);
        }
        self.unknown += u32::from(holds == Satisfiability::Unknown);
        if self.machine.settled(truth).is_none() {
            self.machine.assume(truth);
        }
        Ok(true)
    }

    /// Resolves the next open reference that the predicate examined, then the lengths of arrays, then
    /// references that it did not read on this path; ends the path if none is left.
    pub(super) fn resolve_remaining(&mut self, vm: &mut Vm) -> StepResult {
        let (machine, references) = (&self.machine, &self.machine.references);
        let slots = self.inputs.objects.iter().flat_map(|input| &input.slots);
        let slots = slots
            .map(|&(_, slot)| slot)
            .chain(self.roots.iter().copied());
        let open = slots.filter_map(|slot| term_of(references.current(slot)));
        let left = open.filter(|&number| {
            let is_open = |open: &OpenReference| match machine.settled(open.is_null) {
                Some(is_null) => !is_null,
                None => !open.excluded.is_empty(),
            };
            references.is_choice(number) || references.open(number).is_some_and(is_open)
        });
        if let Some(number) = left.min() {
            return self.fix_reference(vm, number);
        }
        let arrays = self.inputs.objects.iter().filter(|input| !input.is_value);
        let mut lengths = arrays.filter_map(|input| match input.slots.first() {
            Some(&(Place::Length, slot)) => term_of(slot),
            _ => None,
        });
        if let Some(number) = lengths.find(|&number| machine.fixed(number).is_none()) {
            return self.fix_value(vm, Term::from_number(number));
        }
        match self.next_unread(vm) {
            Some(number) => self.fix_reference(vm, number),
            None => Ok(Some(WalkEnd::Leaf(PathOutcome::Returned(1)))),
        }
    }

    /// Next reference at a place that the predicate reads, but not on this path, and that can be an
    /// object. The lengths of arrays are fixed.
    fn next_unread(&self, vm: &Vm) -> Option<u32> {
        let Task::Method(EntryPoint {
            predicate: Some(reads),
            ..
        }) = self.task
        else {
            return None;
        };
        let (machine, references) = (&self.machine, &self.machine.references);
        let unread = self.inputs.objects.iter().flat_map(|input| {
            let length = input.slots.first().and_then(|&(place, slot)| match place {
                Place::Length => machine.fixed(term_of(slot)?),
                _ => None,
            });
            let read = input.slots.iter().filter(move |&&(place, _)| {
                let is_within = match place {
                    Place::Element(index) => length.is_none_or(|length| u64::from(index) < length),
                    _ => true,
                };
                is_within && reads.has(vm, input.class, place)
            });
            read.filter_map(|&(_, slot)| term_of(references.current(slot)))
        });
        let is_object = |&number: &u32| {
            let open = references.open(number);
            open.is_some_and(|open| self.is_unread(open) && !inputs::is_value(vm, open.bound))
        };
        unread.filter(is_object).min()
    }

    /// Whether a predicate that returned true has not read a reference.
    pub(super) fn is_unread(&self, open: &OpenReference) -> bool {
        self.holds && self.machine.settled(open.is_null).is_none() && open.excluded.is_empty()
    }

    /// Completes a deferred computation: references to its result are resolved to the value.
    pub(super) fn end_aside(&mut self, vm: &Vm, number: u32, value: u64) {
        let references = &mut self.machine.references;
        let Some((first, change)) = references.change(number) else {
            references.choose(number, value);
            return;
        };
        for (number, &(word, _)) in (first..).zip(&change.before[..change.open]) {
            references.choose(number, vm.heap.field(change.map, word));
        }
    }
}

/// Replaces several existing objects among the targets by a single target for all of them.
pub(super) fn one_for_all_met(targets: &mut Vec<ReferenceTarget>) {
    let is_met = |target: &ReferenceTarget| matches!(target, ReferenceTarget::Met(_));
    if targets.iter().filter(|target| is_met(target)).count() < 2 {
        return;
    }
    if let Some(first) = targets.iter().position(is_met) {
        targets[first] = ReferenceTarget::AnyMet;
        targets.retain(|target| !is_met(target));
    }
}
