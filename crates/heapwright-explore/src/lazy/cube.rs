//! Cubes: counting and enumerating their structures.

use std::ops::ControlFlow;

use heapwright_jvm::descriptor::Kind;
use heapwright_jvm::{Place, Ref, Vm};
use heapwright_solve::{Assignments, Count, Var};
use rustc_hash::FxHashSet;

use super::references::{ReferenceSort, Used};
use super::{EntryMeaning, LazySearch};
use crate::depth_first::{Tree, TreeCallback, Visitor};
use crate::progress::{Leaf, Progress, SearchError, Visit};
use crate::span::ReplayStep;

/// Values written before the expansion of a cube restarts its trail.
const REWRITE: usize = 1 << 16;

/// Instructions of a slice that correspond to one step of counting.
const INSTRUCTIONS_PER_STEP: u64 = 100;

/// Result of a traversal of a cube's reachable entries.
pub(super) enum CubeTraversal {
    /// This reference must be chosen to determine what is reachable.
    Reference(Var),
    /// This entry must be chosen likewise: the length of an array, or a value that is no variable.
    Entry(u32),
    /// All reachable entries are known.
    Nothing,
}

/// Open part of a cube.
#[derive(Default)]
pub(super) struct OpenEntries {
    /// Reachable integers.
    pub integers: Vec<Var>,
    /// Reachable references that are not chosen: their values are all distinguishable and lead to
    /// no further entries.
    pub references: Vec<Var>,
    /// Sorts of references that do lead to further entries, where these are only counted.
    sorts: Vec<ReferenceSort>,
    /// Entries that are neither variables nor chosen.
    entries: Vec<u32>,
}

impl LazySearch<'_> {
    /// Counts the current cube and visits it, or each of its structures. Returns `None` if `ask`
    /// breaks off before it is counted.
    pub(super) fn visit_cube(
        &mut self,
        vm: &mut Vm,
        ask: &mut TreeCallback<'_, Self>,
        visit: &mut Visitor<'_, Self>,
    ) -> Result<Option<Visit>, SearchError> {
        if let Some(place) = self.changed_place(vm) {
            return Err(SearchError::Changes(place));
        }
        let open = loop {
            let mut open = OpenEntries::default();
            match self.look(vm, &mut open) {
                _ if self.is_dead => return Ok(Some(ControlFlow::Continue(()))),
                CubeTraversal::Nothing => break open,
                CubeTraversal::Reference(variable) => {
                    self.choose_value(vm, variable, Some(1));
                }
                CubeTraversal::Entry(entry) => self.choose_first(vm, entry, Some(1)),
            }
        };
        let is_whole = self.counts_only || self.by_cubes;
        if self.trail.guide.misfits || is_whole && !self.trail.guide.has_arrived() {
            return Err(SearchError::Misfit);
        }
        if !is_whole {
            self.trail.progress.count_explored(Self::LEAF);
            return self.expand(vm, &open, visit).map(Some);
        }
        let Some(ways) = self.count(&open, ask) else {
            return Ok(None);
        };
        self.trail.progress.count_explored(Self::LEAF);
        self.trail.progress.valid += &ways;
        self.trail.progress.cubes += u64::from(!ways.is_zero());
        Ok(Some(match ways.is_zero() {
            true => visit(vm, &Leaf::Invalid, self),
            false if self.counts_only => visit(vm, &Leaf::Valid, self),
            false => self.visit_whole(vm, open, ways, visit),
        }))
    }

    /// Traverses the entries reachable from the root, depth first, those of an object in order.
    pub(super) fn look(&self, vm: &Vm, open: &mut OpenEntries) -> CubeTraversal {
        let mut seen: FxHashSet<Ref> = FxHashSet::default();
        let mut levels: Vec<(&[u32], usize)> = Vec::new();
        let mut arrived = Some(self.space.root);
        loop {
            if let Some(object) = arrived.take()
                && let Some(entries) = self.entries_of.get(&object)
                && seen.insert(object)
            {
                levels.push((entries, 0));
            }
            let Some((entries, next)) = levels.last_mut() else {
                return CubeTraversal::Nothing;
            };
            let Some(&number) = entries.get(*next) else {
                levels.pop();
                continue;
            };
            *next += 1;
            let entry = &self.space.entries[number as usize];
            if let Place::Element(index) = entry.place
                && index >= vm.heap.array_length(entry.object)
            {
                continue;
            }
            if entry.fixed.is_some() {
                arrived = entry.fixed;
                continue;
            }
            let variable = Var(number);
            match self.meanings[number as usize] {
                EntryMeaning::Int | EntryMeaning::Long => open.integers.push(variable),
                EntryMeaning::Reference => match self.machine.store.fixed(variable) {
                    Some(value) => {
                        let choice = self.choices(number)[value as usize];
                        arrived = Some(Ref::from_slot(choice.slot)).filter(|at| !at.is_null());
                    }
                    None if self.leads_somewhere(variable) => match self.sort_of(variable) {
                        Some(sort) if self.counts_only => open.sorts.push(sort),
                        _ => return CubeTraversal::Reference(variable),
                    },
                    None => open.references.push(variable),
                },
                EntryMeaning::Chosen => match self.chosen[number as usize] {
                    Some(value) => {
                        let choice = self.choices(number)[value as usize];
                        if choice.object.is_some() {
                            arrived = Some(Ref::from_slot(choice.slot));
                        }
                    }
                    None if self.counts_only && self.is_plain(number) => open.entries.push(number),
                    None => return CubeTraversal::Entry(number),
                },
            }
        }
    }

    /// Whether a reference must be chosen to determine the structure's shape: one of its possible
    /// objects is interchangeable with others, or has entries.
    fn leads_somewhere(&self, variable: Var) -> bool {
        let choices = self.choices(variable.0);
        self.machine.store.values(variable).any(|value| {
            choices[value as usize].object.is_some_and(|(domain, _)| {
                self.space.class_domains[domain.0 as usize].in_isomorphism_check
                    || self
                        .entries_of
                        .contains_key(&Ref::from_slot(choices[value as usize].slot))
            })
        })
    }

    /// Whether an entry's value does not affect which other entries are reachable.
    fn is_plain(&self, entry: u32) -> bool {
        let entry = &self.space.entries[entry as usize];
        let kind = self.space.domains[entry.domain as usize].kind;
        entry.place != Place::Length && kind != Kind::Reference
    }

    /// Returns the sort of an open reference, if such references can be counted.
    fn sort_of(&self, variable: Var) -> Option<ReferenceSort> {
        let choices = self.choices(variable.0);
        let mut sort = ReferenceSort {
            plain: 0,
            domains: Vec::new(),
        };
        // For each class domain: the number of possible used objects, and of possible others.
        let mut held: Vec<(u32, u32, u32)> = Vec::new();
        for value in self.machine.store.values(variable) {
            let choice = choices[value as usize];
            let object = choice.object;
            let Some((domain, index)) = object.filter(|_| choice.slot != self.space.root.slot())
            else {
                sort.plain += 1;
                continue;
            };
            if !self.references.covers(domain.0) {
                return None;
            }
            let place = held.iter().position(|known| known.0 == domain.0);
            let place = place.unwrap_or_else(|| {
                held.push((domain.0, 0, 0));
                held.len() - 1
            });
            if index < self.used[domain.0 as usize] {
                held[place].1 += 1;
            } else {
                held[place].2 += 1;
            }
        }
        for (domain, old, new) in held {
            let used = self.used[domain as usize];
            let size = self.space.class_domains[domain as usize].objects.len() as u32;
            sort.domains.push(match new {
                0 if used < size => (domain, Used::Only(old)),
                _ if new == size - used => (domain, Used::AllBut(used - old)),
                _ => return None,
            });
        }
        sort.domains.sort_unstable();
        Some(sort)
    }

    /// Counts the structures of a cube; `None` if `ask` ends the count.
    fn count(&mut self, open: &OpenEntries, ask: &mut TreeCallback<'_, Self>) -> Option<Count> {
        let variables = [&open.integers[..], &open.references].concat();
        let mut ways = self.counter.count(&self.machine.store, &variables);
        if ways.is_zero() {
            return Some(ways);
        }
        let most = (self.trail.slice / INSTRUCTIONS_PER_STEP).max(1);
        let sorts = loop {
            match self.references.count(&open.sorts, &self.used, most) {
                Some(sorts) => break sorts,
                None if self.asked(ask).is_break() => return None,
                None => {}
            }
        };
        ways = &ways * &sorts;
        for &entry in &open.entries {
            ways = &ways * self.choices(entry).len() as u64;
        }
        Some(ways)
    }

    /// Visits each structure of the cube with all its fields set.
    pub(super) fn expand(
        &mut self,
        vm: &mut Vm,
        open: &OpenEntries,
        visit: &mut Visitor<'_, Self>,
    ) -> Result<Visit, SearchError> {
        let mut variables = open.references.clone();
        variables.extend(&open.integers);
        let mark = vm.mark();
        let skipped = match self.trail.guide.next() {
            ReplayStep::Path(item, true) => {
                self.trail.progress = Progress::default();
                u64::try_from(item).unwrap_or_default()
            }
            ReplayStep::Path(..) => return Err(SearchError::Misfit),
            ReplayStep::Free => 0,
        };
        let mut visited = ControlFlow::Continue(());
        let store = std::mem::take(&mut self.machine.store);
        let mut assignments = Assignments::new(store, &variables);
        let mut seen = 0;
        while seen < skipped && assignments.advance() {
            seen += 1;
        }
        // The first structure is written completely.
        let mut written = REWRITE;
        while visited.is_continue() && assignments.advance() {
            seen += 1;
            let changed = if written < REWRITE {
                assignments.changed()
            } else {
                // Undoing empties the trail, which would otherwise grow without bound.
                vm.undo_to(mark);
                self.write_chosen(vm, |variable| assignments.store().least(variable));
                written = 0;
                assignments.values()
            };
            written += changed.len();
            for &(variable, value) in changed {
                let entry = &self.space.entries[variable.0 as usize];
                let slot = self.machine.slot_of(variable, value);
                vm.choose(entry.object, entry.place, slot);
            }
            (self.taken, self.before) = (seen - 1, self.trail.progress.clone());
            self.trail.progress.cubes += u64::from(seen == 1);
            self.trail.progress.valid += 1;
            self.trail.progress.leaf_cost += Self::LEAF;
            visited = visit(vm, &Leaf::Valid, self);
        }
        if visited.is_continue() {
            self.taken = 0;
        }
        self.machine.store = assignments.into_store();
        vm.undo_to(mark);
        vm.forget(mark);
        if seen == 0 {
            return Ok(visit(vm, &Leaf::Invalid, self));
        }
        Ok(visited)
    }

    /// Writes the values of the fixed variables to the heap.
    pub(super) fn write_chosen(&self, vm: &mut Vm, value: impl Fn(Var) -> i64) {
        for (number, entry) in (0_u32..).zip(&self.space.entries) {
            if matches!(self.meanings[number as usize], EntryMeaning::Chosen)
                || entry.fixed.is_some()
            {
                continue;
            }
            // Open variables get their least value, in case an unreachable one is read.
            let variable = Var(number);
            let slot = self.machine.slot_of(variable, value(variable));
            vm.choose(entry.object, entry.place, slot);
        }
    }
}
