//! Forks of a path: splitting it, choosing, going back and taking the next alternative.

use std::rc::Rc;

use heapwright_jvm::Vm;
use heapwright_solve::{Mark, Var};

use super::machine::{Condition, EntryMeaning};
use super::{Fork, LazyNode, LazySearch};
use crate::space::Choice;
use crate::span::ReplayStep;

impl<'a> LazySearch<'a> {
    pub(super) fn push(&mut self, vm: &mut Vm, fork: Fork, answer: Option<u64>) {
        let store = self.machine.store.mark();
        self.push_since(vm, fork, answer, store);
    }

    /// Enters a fork for which the store was at `store`.
    pub(super) fn push_since(&mut self, vm: &mut Vm, fork: Fork, answer: Option<u64>, store: Mark) {
        self.trail.push(LazyNode {
            fork,
            mark: vm.mark(),
            store,
            terms: self.machine.terms.len(),
            used: self.used_before.len(),
            answer,
            turn: Rc::clone(&self.turn),
        });
    }

    /// Splits the path on an open condition. A condition that cannot hold causes no split. For one
    /// that must hold, the other side proves infeasible when it is tried.
    pub(super) fn fork(&mut self, vm: &mut Vm, condition: Condition) {
        let before = self.machine.store.mark();
        let used = self.used_before.len();
        if !self.assume(&condition, true) {
            self.machine.store.undo_to(before);
            self.machine.decided = Some(false);
            return;
        }
        self.machine.decided = Some(true);
        let fork = Fork::Branch {
            condition,
            holds: true,
        };
        self.push_since(vm, fork, None, before);
        if let Some(node) = self.trail.forks.last_mut() {
            node.used = used;
        }
    }

    /// Splits like `fork`, and takes the side that the replayed path names.
    pub(super) fn branch(&mut self, vm: &mut Vm, condition: Condition) {
        let top = self.trail.forks.len();
        self.fork(vm, condition);
        if self.trail.forks.len() == top {
            return;
        }
        let holds = match self.trail.guide.next() {
            ReplayStep::Path(alternative @ (0 | 1), _) => alternative == 0,
            ReplayStep::Path(..) => {
                self.trail.guide.misfits = true;
                true
            }
            ReplayStep::Free if self.trail.guide.wants_alternatives() => {
                self.trail.guide.record_alternatives(vec![0, 1]) == 0
            }
            ReplayStep::Free => true,
        };
        if holds {
            return;
        }
        self.undo_to(vm, top);
        if let Fork::Branch { holds, .. } = &mut self.trail.forks[top].fork {
            *holds = false;
        }
        let possible = self.take(vm, top);
        self.took_other(possible);
    }

    /// Handles an alternative other than the first: the search that took the first has counted the
    /// path up to here, and an infeasible side is no leaf.
    pub(super) fn took_other(&mut self, possible: bool) {
        self.trail.rebase();
        self.is_dead = !possible;
    }

    pub(super) fn assume(&mut self, condition: &Condition, holds: bool) -> bool {
        let possible = self.machine.assume(condition, holds);
        if let Condition::OneOf(variable, _) = condition
            && possible
        {
            self.note_use(*variable);
        }
        possible
    }

    /// Marks the object that a reference was fixed to as used.
    pub(super) fn note_use(&mut self, variable: Var) {
        if let Some(value) = self.machine.store.fixed(variable) {
            self.note_object(self.choices(variable.0)[value as usize]);
        }
    }

    pub(super) fn note_object(&mut self, choice: Choice) {
        if let Some((domain, index)) = choice.object
            && index >= self.used[domain.0 as usize]
        {
            self.used_before
                .push((domain.0, self.used[domain.0 as usize]));
            self.used[domain.0 as usize] = index + 1;
        }
    }

    /// Fixes a variable to its least possible value; the path is dead if there is none.
    pub(super) fn choose_value(&mut self, vm: &mut Vm, variable: Var, answer: Option<u64>) {
        let Some(first) = self.next_value(variable, None) else {
            self.is_dead = true;
            return;
        };
        let value = match self.trail.guide.next() {
            ReplayStep::Path(item, is_last) => self.replayed(
                item,
                is_last,
                self.next_value(variable, Some(item.saturating_sub(1))),
            ),
            ReplayStep::Free if self.trail.guide.wants_alternatives() => {
                let next = |&value: &i64| self.next_value(variable, Some(value));
                let values = std::iter::successors(Some(first), next).collect();
                Some(self.trail.guide.record_alternatives(values))
            }
            ReplayStep::Free => Some(first),
        };
        let Some(value) = value else {
            self.took_other(false);
            return;
        };
        self.push(vm, Fork::Value { variable, value }, answer);
        let possible = self.fix(variable, value);
        if value != first {
            self.took_other(possible);
        } else if !possible {
            // No structure takes this path, but the next value may be feasible.
            self.is_dead = true;
        }
    }

    /// Alternative for an item of the replayed path: the item itself, or for the last item the next
    /// possible one.
    pub(super) fn replayed(&mut self, item: i64, is_last: bool, found: Option<i64>) -> Option<i64> {
        if !is_last && found != Some(item) {
            self.trail.guide.misfits = true;
        }
        found
    }

    pub(super) fn fix(&mut self, variable: Var, value: i64) -> bool {
        let possible = self.machine.store.restrict(variable, &[value], true);
        if possible && self.meanings[variable.0 as usize] == EntryMeaning::Reference {
            self.note_use(variable);
        }
        possible
    }

    /// Value of a variable to try after `last`; of interchangeable unused objects only the first is
    /// tried.
    pub(super) fn next_value(&self, variable: Var, last: Option<i64>) -> Option<i64> {
        let is_reference = self.meanings[variable.0 as usize] == EntryMeaning::Reference;
        let choices = self.choices(variable.0);
        self.machine.store.values(variable).find(|&value| {
            last.is_none_or(|last| value > last)
                && (!is_reference || self.is_open_to(choices[value as usize]))
        })
    }

    /// Whether an object can be chosen: it is used already, is the next unused one, or is
    /// distinguishable.
    pub(super) fn is_open_to(&self, choice: Choice) -> bool {
        choice.object.is_none_or(|(domain, index)| {
            index <= self.used[domain.0 as usize]
                || !self.space.class_domains[domain.0 as usize].in_isomorphism_check
        })
    }

    pub(super) fn choices(&self, entry: u32) -> &'a [Choice] {
        match self.space.entries.get(entry as usize) {
            Some(entry) => &self.space.domains[entry.domain as usize].choices,
            // Arguments of calls have no choices.
            None => &[],
        }
    }

    pub(super) fn choose_first(&mut self, vm: &mut Vm, entry: u32, answer: Option<u64>) {
        let value = match self.trail.guide.next() {
            ReplayStep::Path(item, is_last) => {
                let found = self.open_choices(entry).find(|&value| value >= item);
                self.replayed(item, is_last, found)
            }
            ReplayStep::Free if self.trail.guide.wants_alternatives() => {
                let values = self.open_choices(entry).collect();
                Some(self.trail.guide.record_alternatives(values))
            }
            ReplayStep::Free => Some(0),
        };
        let Some(value) = value else {
            self.took_other(false);
            return;
        };
        let value = value as u32;
        self.push(vm, Fork::Choice { entry, value }, answer);
        self.choose(vm, entry, value);
        if value > 0 {
            self.took_other(true);
        }
    }

    /// Numbers of the choices that are possible for an entry now.
    pub(super) fn open_choices(&self, entry: u32) -> impl Iterator<Item = i64> {
        let choices = (0_i64..).zip(self.choices(entry));
        choices
            .filter(|&(_, &choice)| self.is_open_to(choice))
            .map(|(number, _)| number)
    }

    pub(super) fn choose(&mut self, vm: &mut Vm, entry: u32, value: u32) {
        let place = &self.space.entries[entry as usize];
        let slot = self.choices(entry)[value as usize].slot;
        vm.choose(place.object, place.place, slot);
        self.chosen[entry as usize] = Some(value);
        self.note_object(self.choices(entry)[value as usize]);
    }

    pub(super) fn undo_to(&mut self, vm: &mut Vm, place: usize) {
        let node = &self.trail.forks[place];
        vm.undo_to(node.mark);
        self.machine.store.undo_to(node.store);
        self.machine.terms.truncate(node.terms);
        self.turn = Rc::clone(&node.turn);
        self.is_past_cut = false;
        self.is_limited = true;
        let used = node.used;
        self.forget_use(used);
    }

    pub(super) fn forget_use(&mut self, kept: usize) {
        while self.used_before.len() > kept {
            if let Some((domain, before)) = self.used_before.pop() {
                self.used[domain as usize] = before;
            }
        }
    }

    /// Takes the next alternative of the newest fork above `floor` that has one. Returns the
    /// predicate's result before that fork, if it had one; `None` if no alternative is left.
    pub(super) fn advance_above(&mut self, vm: &mut Vm, floor: usize) -> Option<Option<u64>> {
        while self.trail.forks.len() > floor {
            let top = self.trail.forks.len() - 1;
            self.machine.store.undo_to(self.trail.forks[top].store);
            let next = match &self.trail.forks[top].fork {
                Fork::Branch { holds: false, .. } => None,
                Fork::Branch { condition, .. } => Some(Fork::Branch {
                    condition: condition.clone(),
                    holds: false,
                }),
                &Fork::Value { variable, value } => {
                    // The next value is determined in the state in which the first was chosen.
                    self.forget_use(self.trail.forks[top].used);
                    self.next_value(variable, Some(value))
                        .map(|value| Fork::Value { variable, value })
                }
                &Fork::Choice { entry, value } => {
                    self.forget_use(self.trail.forks[top].used);
                    (value + 1..self.choices(entry).len() as u32)
                        .find(|&value| self.is_open_to(self.choices(entry)[value as usize]))
                        .map(|value| Fork::Choice { entry, value })
                }
            };
            let Some(fork) = next else {
                if let Fork::Choice { entry, .. } = self.trail.forks[top].fork {
                    self.chosen[entry as usize] = None;
                }
                self.trail.forks.pop();
                continue;
            };
            self.undo_to(vm, top);
            self.trail.forks[top].fork = fork;
            if self.take(vm, top) {
                return Some(self.trail.forks[top].answer);
            }
        }
        None
    }

    /// Applies the current alternative of a fork; false if it proves infeasible.
    pub(super) fn take(&mut self, vm: &mut Vm, place: usize) -> bool {
        match &self.trail.forks[place].fork {
            Fork::Branch { condition, holds } => {
                let (condition, holds) = (condition.clone(), *holds);
                let possible = self.assume(&condition, holds);
                self.machine.decided = possible.then_some(holds);
                possible
            }
            &Fork::Value { variable, value } => self.fix(variable, value),
            &Fork::Choice { entry, value } => {
                self.choose(vm, entry, value);
                true
            }
        }
    }
}
