//! Equivalence classes of cubes: pruning by a criterion (Korat+) with open values.
//!
//! At a cube the criterion runs once for each of its paths. Each run begins at the start and
//! follows the alternatives of the run before, with the newest alternative that has a successor
//! advanced. The structures at a run's end are of one class, and one of them is retained.
//!
//! Then the newest forks are dropped whose other sides hold no new class: those since which no
//! constraint bears on what the criterion read. A structure on such a side agrees with one of the
//! cube on all that was read, so its class occurs in the cube. Pruning depends on the cube alone,
//! not on other parts of the search.

use std::ops::ControlFlow;

use heapwright_jvm::descriptor::Kind;
use heapwright_jvm::machine::{SlotLocation, symbolic_slot, term_of};
use heapwright_jvm::{ClassId, Exit, Limit, Machine, MarkId, Vm};
use heapwright_solve::{Assignments, Mark, TermId, Var};

use super::cube::{CubeTraversal, OpenEntries};
use super::machine::Condition;
use super::{EntryMeaning, Fork, LazySearch};
use crate::criterion::{ClassName, Coverage, Criterion, InClass, NoClass};
use crate::depth_first::{Tree, TreeCallback, Visitor};
use crate::progress::{End, Leaf, Progress, SearchError};
use crate::span::ReplayStep;

/// Criterion of a search and its results.
pub(super) struct CubeClasses {
    criterion: Criterion,
    /// Whether forks are dropped whose sides hold no new class.
    prunes: bool,
    pub coverage: Coverage,
    /// Class of the current structure.
    pub current: Option<InClass>,
    /// Whether the criterion has reached a limit.
    pub is_stopped: bool,
    /// Path below which the rest is left out, if that extends beyond the span.
    pub left_out: Option<Vec<i64>>,
    /// JDK classes that are initialised once the criterion has run; present only before the search.
    pub initialized: Option<Vec<ClassId>>,
}

impl CubeClasses {
    /// Resets all results.
    pub fn clear(&mut self) {
        self.coverage = Coverage::default();
        self.current = None;
        self.is_stopped = false;
        self.left_out = None;
    }
}

/// State at the beginning of a cube's runs.
struct Start {
    mark: MarkId,
    store: Mark,
    terms: usize,
    used: usize,
}

/// Forks of a run of the criterion.
#[derive(Default)]
struct CriterionRun {
    /// Alternatives, and whether each has a successor.
    path: Vec<(i64, bool)>,
    /// Number of alternatives taken so far.
    taken: usize,
    /// Entries chosen during the run that are no variables.
    chosen: Vec<u32>,
}

impl CriterionRun {
    /// Alternative at the next fork: that of the path, otherwise the first. `next` returns the
    /// least alternative after a given one.
    fn take(&mut self, next: impl Fn(Option<i64>) -> Option<i64>) -> Option<i64> {
        let wanted = self.path.get(self.taken).map(|&(item, _)| item);
        let found = next(wanted.and_then(|item| item.checked_sub(1)));
        let Some(item) = found else {
            self.path.truncate(self.taken);
            return None;
        };
        let taken = (item, next(found).is_some());
        match self.path.get_mut(self.taken) {
            Some(known) => *known = taken,
            None => self.path.push(taken),
        }
        self.taken += 1;
        found
    }

    /// Advances to the next run; false if there is none.
    fn advance(&mut self) -> bool {
        self.taken = 0;
        while let Some((item, has_next)) = self.path.last_mut() {
            if *has_next {
                *item += 1;
                return true;
            }
            self.path.pop();
        }
        false
    }
}

/// Observations at a cube.
#[derive(Default)]
struct CubeObservations {
    /// Number of ends with structures.
    ends: u64,
    /// Whether any run has read each entry.
    reads: Vec<bool>,
    /// Whether the class of some end may depend on more than these entries.
    is_doubtful: bool,
}

impl<'a> LazySearch<'a> {
    /// Classifies each cube with `criterion`, and retains one structure of each of its ends there.
    /// With `prunes`, parts of the tree without other classes are left out. The step limit of the
    /// predicate applies to the criterion as well.
    #[must_use]
    pub fn with_criterion(mut self, criterion: Criterion, prunes: bool) -> LazySearch<'a> {
        self.classes = Some(Box::new(CubeClasses {
            criterion,
            prunes,
            coverage: Coverage::default(),
            current: None,
            is_stopped: false,
            left_out: None,
            initialized: None,
        }));
        self
    }

    pub(super) fn criterion(&self) -> Option<Criterion> {
        self.classes.as_ref().map(|classes| classes.criterion)
    }

    /// Visits a structure for each of the criterion's ends at the current cube; returns the end of
    /// the search, if it ends here.
    pub(super) fn visit_classes(
        &mut self,
        criterion: Criterion,
        vm: &mut Vm,
        ask: &mut TreeCallback<'_, Self>,
        visit: &mut Visitor<'_, Self>,
    ) -> Result<Option<End>, SearchError> {
        if let Some(place) = self.changed_place(vm) {
            return Err(SearchError::Changes(place));
        }
        self.trail.progress.count_explored(Self::LEAF);
        let skipped = match self.trail.guide.next() {
            ReplayStep::Path(item, true) => u64::try_from(item).unwrap_or_default(),
            ReplayStep::Path(..) => return Err(SearchError::Misfit),
            ReplayStep::Free => 0,
        };
        let mut seen = CubeObservations {
            reads: vec![false; self.space.entries.len()],
            ..CubeObservations::default()
        };
        let end = self.go_through_ends(criterion, vm, &mut seen, skipped, ask, visit);
        self.machine.reads = None;
        if let Some(classes) = &mut self.classes {
            classes.current = None;
        }
        if end.is_some() {
            return Ok(end);
        }
        self.taken = 0;
        if seen.ends == 0 {
            return Ok(visit(vm, &Leaf::Invalid, self)
                .is_break()
                .then_some(End::ByVisitor));
        }
        self.leave_out(&seen);
        Ok(None)
    }

    fn go_through_ends(
        &mut self,
        criterion: Criterion,
        vm: &mut Vm,
        seen: &mut CubeObservations,
        skipped: u64,
        ask: &mut TreeCallback<'_, Self>,
        visit: &mut Visitor<'_, Self>,
    ) -> Option<End> {
        let start = Start {
            mark: vm.mark(),
            store: self.machine.store.mark(),
            terms: self.machine.terms.len(),
            used: self.used_before.len(),
        };
        let mut run = CriterionRun::default();
        if skipped > 0 {
            self.trail.progress = Progress::default();
            (self.taken, self.before) = (skipped, self.trail.progress.clone());
        }
        loop {
            self.reopen(vm);
            self.machine.reads = Some(vec![false; self.space.entries.len()]);
            let root = self.space.root;
            let called = |vm: &mut Vm| self.run_called(vm, ask, &mut run);
            let ControlFlow::Continue(answer) = criterion.classify(vm, root, called) else {
                return Some(End::Interrupted);
            };
            let reads = self.machine.reads.take().unwrap_or_default();
            for (all, &read) in seen.reads.iter_mut().zip(&reads) {
                *all |= read;
            }
            let forks = run.path.len();
            if !self.is_dead {
                let is_changed = self.changed_place(vm).is_some();
                self.note_initialized(vm);
                vm.undo_to(start.mark);
                if let (true, Err(NoClass::Limit(limit))) = (self.is_real(), &answer) {
                    self.note_limit();
                    return Some(End::Limit(*limit));
                }
                if self.complete(vm, &mut run) {
                    seen.ends += 1;
                    seen.is_doubtful |= answer.is_err() || !reads.contains(&true);
                    if seen.ends > skipped {
                        self.enter_class(answer, reads.contains(&true), is_changed);
                        self.trail.progress.valid += 1;
                        self.trail.progress.cubes += u64::from(seen.ends == 1);
                        if visit(vm, &Leaf::Valid, self).is_break() {
                            self.forget_class();
                            return Some(End::ByVisitor);
                        }
                        (self.taken, self.before) = (seen.ends, self.trail.progress.clone());
                    } else if seen.ends == skipped {
                        self.trail.progress = Progress::default();
                    }
                    run.path.truncate(forks);
                }
            }
            self.is_dead = false;
            self.go_back(vm, &start, &mut run);
            if !run.advance() {
                vm.forget(start.mark);
                return None;
            }
        }
    }

    fn go_back(&mut self, vm: &mut Vm, start: &Start, run: &mut CriterionRun) {
        vm.undo_to(start.mark);
        self.machine.store.undo_to(start.store);
        self.machine.terms.truncate(start.terms);
        self.machine.open = None;
        self.machine.decided = None;
        self.forget_use(start.used);
        for entry in run.chosen.drain(..) {
            self.chosen[entry as usize] = None;
        }
    }

    /// Records the criterion's result on a structure.
    fn enter_class(
        &mut self,
        answer: Result<ClassName, NoClass>,
        has_read: bool,
        is_changed: bool,
    ) {
        let leaf = self.trail.progress.leaves();
        let Some(classes) = &mut self.classes else {
            return;
        };
        classes.current = classes.coverage.enter(&leaf, answer, has_read, is_changed);
    }

    /// Withdraws the current structure, which the visitor did not accept.
    fn forget_class(&mut self) {
        if let Some(classes) = &mut self.classes
            && classes.current.is_some_and(|class| class.is_first)
        {
            classes.coverage.classes.pop();
        }
    }

    fn note_limit(&mut self) {
        if let Some(classes) = &mut self.classes {
            classes.is_stopped = true;
        }
    }

    fn note_initialized(&mut self, vm: &Vm) {
        if let Some(classes) = &mut self.classes
            && let Some(initialized) = &mut classes.initialized
        {
            *initialized = vm.begun_library_classes();
        }
    }

    /// Makes all entries symbolic in the heap, including those with a value, so that reads are
    /// observed.
    fn reopen(&self, vm: &mut Vm) {
        for (number, entry) in (0_u32..).zip(&self.space.entries) {
            if self.meanings[number as usize] != EntryMeaning::Chosen {
                vm.set_symbolic_place(entry.object, entry.place, symbolic_slot(number));
            } else if self.chosen[number as usize].is_some() {
                vm.add_variable(entry.object, entry.place);
            } else {
                vm.skip_variable();
            }
        }
    }

    /// Runs the criterion's current call to its end. If the path is infeasible, the search is
    /// marked dead and the result is meaningless.
    fn run_called(
        &mut self,
        vm: &mut Vm,
        ask: &mut TreeCallback<'_, Self>,
        run: &mut CriterionRun,
    ) -> ControlFlow<(), Exit> {
        let start = vm.steps();
        vm.limit_steps(self.step_limit.min(self.trail.slice));
        let exit = loop {
            if self.is_dead {
                break Exit::Limit(Limit::Steps);
            }
            match vm.run(&mut self.machine) {
                Exit::Branch => {
                    if let Some(condition) = self.machine.open.take() {
                        self.decide(&condition, run);
                    }
                }
                Exit::Symbolic(spot) => self.settle_read(vm, spot, run),
                Exit::Choice(variable) => self.read_entry(vm, variable, run),
                Exit::Done(slot) => {
                    let slot = self.settle_answer(slot, run);
                    if !self.is_dead {
                        break Exit::Done(slot);
                    }
                }
                Exit::Limit(Limit::Steps) if vm.steps() - start < self.step_limit => {
                    self.asked(ask)?;
                    let left = self.step_limit - (vm.steps() - start);
                    vm.limit_steps(left.min(self.trail.slice));
                }
                exit => break exit,
            }
        };
        self.trail.steps_since_ask += vm.steps() - start;
        self.trail.progress.steps += vm.steps() - start;
        ControlFlow::Continue(exit)
    }

    fn decide(&mut self, condition: &Condition, run: &mut CriterionRun) {
        let (store, used) = (self.machine.store.mark(), self.used_before.len());
        let mut holds = self.assume(condition, true);
        if !holds {
            self.machine.store.undo_to(store);
        } else if run.take(|last| (0..2).find(|&side| Some(side) > last)) == Some(1) {
            self.machine.store.undo_to(store);
            self.forget_use(used);
            holds = false;
            self.is_dead = !self.assume(condition, false);
        }
        self.machine.decided = Some(holds);
    }

    fn settle_read(&mut self, vm: &mut Vm, spot: SlotLocation, run: &mut CriterionRun) {
        let term = term_of(vm.slot_at(spot)).unwrap_or_default();
        match self.machine.open_variable(TermId(term)) {
            Some(variable) => self.fix_read(variable, run),
            None => {
                let value = self.machine.value(term);
                vm.settle_at(spot, value.unwrap_or_default());
            }
        }
    }

    fn settle_answer(&mut self, slot: u64, run: &mut CriterionRun) -> u64 {
        let Some(term) = term_of(slot) else {
            return slot;
        };
        while let Some(variable) = self.machine.open_variable(TermId(term)) {
            self.fix_read(variable, run);
            if self.is_dead {
                return 0;
            }
        }
        self.machine.value(term).unwrap_or_default()
    }

    /// Fixes a variable that is read.
    fn fix_read(&mut self, variable: Var, run: &mut CriterionRun) {
        self.machine.note_read(variable);
        self.is_dead = match run.take(|last| self.next_value(variable, last)) {
            Some(value) => !self.fix(variable, value),
            None => true,
        };
    }

    /// Sets an entry that is no variable: to its value if it has one, otherwise to the next.
    fn read_entry(&mut self, vm: &mut Vm, variable: u32, run: &mut CriterionRun) {
        let entries = self.space.entries.len() as u32;
        let Some(entry) = variable.checked_sub(entries) else {
            self.machine.note_read(Var(variable));
            self.choose_next(vm, variable, run);
            return;
        };
        self.machine.note_read(Var(entry));
        if let Some(value) = self.chosen[entry as usize] {
            self.choose(vm, entry, value);
        }
    }

    fn choose_next(&mut self, vm: &mut Vm, entry: u32, run: &mut CriterionRun) {
        let after = |last: Option<i64>| self.open_choices(entry).find(|&value| Some(value) > last);
        match run.take(after) {
            Some(value) => {
                self.choose(vm, entry, value as u32);
                run.chosen.push(entry);
            }
            None => self.is_dead = true,
        }
    }

    /// Chooses all that the criterion left open; false if nothing is left to choose.
    fn complete(&mut self, vm: &mut Vm, run: &mut CriterionRun) -> bool {
        for &entry in &run.chosen {
            if let Some(value) = self.chosen[entry as usize] {
                let place = &self.space.entries[entry as usize];
                let slot = self.choices(entry)[value as usize].slot;
                vm.choose(place.object, place.place, slot);
            }
        }
        while !self.is_dead {
            let mut open = OpenEntries::default();
            match self.look(vm, &mut open) {
                CubeTraversal::Nothing => return self.write_first(vm, &open),
                CubeTraversal::Reference(variable) => self.fix_read(variable, run),
                CubeTraversal::Entry(entry) => self.choose_next(vm, entry, run),
            }
        }
        false
    }

    /// Writes the first structure of the open ones to the heap, unless only counts are wanted;
    /// returns whether there is one.
    fn write_first(&mut self, vm: &mut Vm, open: &OpenEntries) -> bool {
        let variables = [&open.references[..], &open.integers].concat();
        let mut assignments = Assignments::new(std::mem::take(&mut self.machine.store), &variables);
        let is_there = assignments.advance();
        if is_there && !self.counts_only {
            self.write_chosen(vm, |variable| assignments.store().least(variable));
            for &(variable, value) in assignments.values() {
                let entry = &self.space.entries[variable.0 as usize];
                vm.choose(
                    entry.object,
                    entry.place,
                    self.machine.slot_of(variable, value),
                );
            }
        }
        self.machine.store = assignments.into_store();
        is_there
    }

    /// Drops the newest forks whose other sides hold only classes of the cube.
    fn leave_out(&mut self, seen: &CubeObservations) {
        if seen.is_doubtful || !self.classes.as_ref().is_some_and(|classes| classes.prunes) {
            return;
        }
        let mut kept = self.trail.forks.len();
        let mut moves_references = false;
        while kept > 0 && !self.matters(kept - 1, &seen.reads, &mut moves_references) {
            kept -= 1;
        }
        let fixed = self.trail.guide.span.fixed;
        if kept < fixed {
            let path = self.path().take(kept).collect();
            if let Some(classes) = &mut self.classes {
                classes.left_out = Some(path);
            }
        }
        for node in self.trail.forks.drain(kept..) {
            if let Fork::Choice { entry, .. } = node.fork {
                self.chosen[entry as usize] = None;
            }
        }
    }

    /// Whether a constraint made at a fork or after it bears on entries that were read.
    fn matters(&self, place: usize, reads: &[bool], moves_references: &mut bool) -> bool {
        let node = &self.trail.forks[place];
        if let Fork::Choice { entry, .. } = node.fork {
            if reads[entry as usize] {
                return true;
            }
            *moves_references |= self.is_reference(entry);
        }
        let store = &self.machine.store;
        if store.bears_on(node.store, |variable| reads[variable.0 as usize]) {
            return true;
        }
        let mut changed = store.changed_since(node.store);
        *moves_references |= changed.any(|variable| self.is_reference(variable.0));
        // The possible objects of a reference depend on the number of used objects.
        *moves_references
            && (0..reads.len()).any(|entry| {
                reads[entry]
                    && self.is_reference(entry as u32)
                    && self.chosen[entry].is_none()
                    && (self.meanings[entry] == EntryMeaning::Chosen
                        || store.fixed(Var(entry as u32)).is_none())
            })
    }

    fn is_reference(&self, entry: u32) -> bool {
        let entry = &self.space.entries[entry as usize];
        self.space.domains[entry.domain as usize].kind == Kind::Reference
    }
}
