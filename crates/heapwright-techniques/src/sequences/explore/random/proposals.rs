//! Proposals of sequences to run: variations of those of the pool, and sequences that begin anew.

use heapwright_jvm::Vm;

use super::RandomSearch;
use super::drafts::{Draft, Drafter};
use crate::sequences::model::Concrete;

/// Shares of sequences that begin anew, of those that are varied rather than extended, and of two
/// sequences joined among those that are extended, in percent.
const ANEW: usize = 8;
const VARIED: usize = 65;
const JOINED: usize = 10;
/// Share of calls under test among those appended; the others influence them.
const TESTED: usize = 70;
/// Share of values that an earlier argument of the same type has, in percent.
const AGAIN_VALUES: usize = 30;

impl<'a> RandomSearch<'a> {
    /// Returns a new sequence: a variation of one of the pool, or one that begins anew.
    pub(super) fn propose(&mut self, vm: &mut Vm) -> Option<Concrete> {
        let chosen = match self.random.is_likely(ANEW) {
            true => None,
            false => self.pool.choose(&mut self.random, &self.frontier),
        };
        let Some(chosen) = chosen else {
            return self.begun(vm);
        };
        let member = &self.pool.members[chosen];
        let (draft, throws) = (member.draft.clone(), member.throws);
        // Calls that take no object of a sequence have nothing to do with it.
        let is_extended = !draft.objects.is_empty() || self.plan.is_loose;
        if !is_extended || throws || self.random.is_likely(VARIED) {
            return self.varied(vm, &draft);
        }
        let mut extended = draft;
        if self.random.is_likely(JOINED) {
            let other = self.random.below(self.pool.members.len());
            let other = self.pool.members[other].draft.clone();
            extended = self.drafter().join(&extended, &other)?;
        }
        let called = match self.random.is_likely(TESTED) {
            true => self.tested.clone(),
            false => self.building.clone(),
        };
        let before = extended.concrete.statements.len();
        self.drafter().append_some(vm, &mut extended, &called);
        (extended.concrete.statements.len() > before).then_some(extended.concrete)
    }

    /// Returns a sequence that begins anew, with a call of a method under test.
    fn begun(&mut self, vm: &mut Vm) -> Option<Concrete> {
        let invokable = *self.random.pick(&self.tested)?;
        let setup = self.plan.setup;
        let mut drafter = self.drafter();
        let mut draft = Draft::default();
        let mut calls = setup.into_iter().chain([invokable]);
        let is_made = calls.all(|call| drafter.append(vm, &mut draft, call));
        is_made.then_some(draft.concrete)
    }

    /// Returns a variation of a sequence with the same last call.
    pub(super) fn varied(&mut self, vm: &mut Vm, draft: &Draft) -> Option<Concrete> {
        let building = self.building.clone();
        self.drafter().varied(vm, draft, &building)
    }

    pub(super) fn drafter(&mut self) -> Drafter<'_, 'a> {
        Drafter {
            plan: self.plan,
            criteria: self.criteria,
            values: &self.values,
            random: &mut self.random,
            first: usize::from(self.plan.setup.is_some()),
            length: self.length,
            again: AGAIN_VALUES,
        }
    }
}
