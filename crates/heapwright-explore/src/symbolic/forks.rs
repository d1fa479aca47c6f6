//! Forks of a path: splitting it, fixing open values, going back and taking the next alternative.

use std::rc::Rc;

use heapwright_jvm::descriptor::Kind;
use heapwright_jvm::machine::{SlotLocation, term_of};
use heapwright_jvm::{ClassId, Limit, Machine, Ref, Vm};
use heapwright_solve::smt::{Binary, Satisfiability, Term};

use super::cuts::{Cuts, InputCut};
use super::entry::Receiver;
use super::inputs::{BeyondBounds, ReferenceTarget, is_value, own_first};
use super::machine::{Decision, InputObject, REFERENCES};
use super::merge::Merged;
use super::predicate::one_for_all_met;
use super::steering::{SITES, Untaken};
use super::{Bound, Fork, PathOutcome, SymbolicError, SymbolicNode, SymbolicSearch, Task, WalkEnd};
use crate::span::ReplayStep;

/// Result of a fork: `None` to run on, or the end of the path.
pub(super) type StepResult = Result<Option<WalkEnd>, SymbolicError>;

impl SymbolicSearch<'_> {
    /// Splits the path on a condition both sides of which are possible.
    pub(super) fn branch(&mut self, vm: &mut Vm, condition: Term) -> StepResult {
        // Conditions that follow from the path make no fork, but may take work all the same.
        if self.is_work_exhausted() {
            self.record_unfinished();
            return Ok(Some(WalkEnd::Leaf(PathOutcome::Bounded(Bound::Work))));
        }
        let fails_first = match self.holds_first(vm) {
            Some(holds_first) => !holds_first,
            None => {
                self.bounds.new_first && self.machine.is_nullness(condition)
                    || self.machine.is_unusual_layout(condition)
            }
        };
        let condition = match fails_first {
            true => self.machine.pool.not(condition),
            false => condition,
        };
        let decision = self.decide(condition)?;
        let opposite = self.machine.pool.not(condition);
        match (decision.holds, decision.fails) {
            (Satisfiability::Unsat, Satisfiability::Unsat) => return Ok(Some(WalkEnd::Dead)),
            (Satisfiability::Unsat, _) => {
                self.machine.learn(opposite);
                return Ok(None);
            }
            (_, Satisfiability::Unsat) => {
                self.machine.learn(condition);
                return Ok(None);
            }
            _ => {}
        }
        if !fails_first && let Some(merged) = self.merge(vm, condition)? {
            return self.enter_merged(vm, merged);
        }
        let fork = Fork::Branch {
            condition,
            fails: decision.fails,
        };
        let sides = vm.sides().map(|(method, holds, fails)| match fails_first {
            true => [(method, fails), (method, holds)],
            false => [(method, holds), (method, fails)],
        });
        if let Some(bound) = self.push(vm, fork, true) {
            return Ok(Some(WalkEnd::Leaf(PathOutcome::Bounded(bound))));
        }
        if let Some(node) = self.trail.forks.last_mut() {
            [node.untaken.first, node.untaken.other] = match sides {
                Some([first, other]) => [Some(first), Some(other)],
                None => [None, None],
            };
        }
        let is_free = self.trail.guide.has_arrived();
        match self.guided(2) {
            Some(0) if is_free && self.leaves_first_out() => self.take_other_side(),
            Some(0) => {
                self.unknown += u32::from(decision.holds == Satisfiability::Unknown);
                self.machine.assume(condition);
            }
            Some(_) => self.take_other_side(),
            None => return Ok(Some(WalkEnd::Dead)),
        }
        Ok(None)
    }

    /// Condition, which can hold, with whether it can fail; `None` if it cannot, which is then known.
    pub(super) fn undecided(
        &mut self,
        condition: Term,
    ) -> Result<Option<(Term, Satisfiability)>, SymbolicError> {
        let (_, fails) = self.sides(condition)?;
        if fails == Satisfiability::Unsat {
            self.machine.learn(condition);
            return Ok(None);
        }
        Ok(Some((condition, fails)))
    }

    /// Goes on with a merged state, and leaves the inputs that it does not stand for to another side.
    fn enter_merged(&mut self, vm: &mut Vm, merged: Merged) -> StepResult {
        let condition = match merged.condition {
            Some(condition) => self.undecided(condition)?,
            None => None,
        };
        if let Some((condition, fails)) = condition {
            let fork = Fork::Branch { condition, fails };
            if let Some(bound) = self.push(vm, fork, false) {
                return Ok(Some(WalkEnd::Leaf(PathOutcome::Bounded(bound))));
            }
            match self.guided(2) {
                Some(0) => self.machine.assume(condition),
                Some(_) => {
                    self.take_other_side();
                    return Ok(None);
                }
                None => return Ok(Some(WalkEnd::Dead)),
            }
        }
        Ok(match self.set_merged(vm, &merged) {
            Ok(()) => None,
            Err(exit) => Some(WalkEnd::Leaf(PathOutcome::Refused(vm.exit_text(&exit)))),
        })
    }

    /// Adds a condition to the path that the program assumes; ends the path if it cannot hold.
    pub(super) fn assume(&mut self, vm: &Vm, condition: Term) -> StepResult {
        let (holds, _) = self.sides(condition)?;
        if holds == Satisfiability::Unsat {
            return Ok(Some(self.end_unwanted(vm)));
        }
        self.unknown += u32::from(holds == Satisfiability::Unknown);
        self.machine.assume(condition);
        Ok(None)
    }

    /// Ends a path whose inputs the program does not want. It is reported if it has cut off others,
    /// of which there may be some that the program wants.
    pub(super) fn end_unwanted(&self, vm: &Vm) -> WalkEnd {
        let has_cut = self.cuts != Cuts::default()
            || vm.chances_read().next().is_some()
            || vm.has_threads()
            || vm.has_term_arrays()
            || self.has_opaque_texts();
        match has_cut && self.machine.without_lengths.is_some() {
            true => WalkEnd::Leaf(PathOutcome::Exited("an assumption".to_owned())),
            false => WalkEnd::Dead,
        }
    }

    /// Whether steering tries the true side of the running branch first; `None` if it has no
    /// preference.
    fn holds_first(&self, vm: &Vm) -> Option<bool> {
        if self.is_before {
            return None;
        }
        let (method, holds, fails) = vm.sides()?;
        self.machine.steering.holds_first(method, holds, fails)
    }

    /// Whether steering leaves out the first side of the newest fork.
    fn leaves_first_out(&self) -> bool {
        let newest = self.trail.forks.last();
        newest.is_some_and(|node| self.machine.steering.leaves_first_out(&node.untaken))
    }

    fn take_other_side(&mut self) {
        if let Some(node) = self.trail.forks.last_mut()
            && let Fork::Branch { condition, fails } = node.fork
        {
            node.taken = 1;
            self.unknown += u32::from(fails == Satisfiability::Unknown);
            let opposite = self.machine.pool.not(condition);
            self.machine.assume(opposite);
        }
    }

    /// Alternative that the replayed path names at a fork with this many; the first one past the
    /// path.
    pub(super) fn guided(&mut self, alternatives: usize) -> Option<usize> {
        match self.trail.guide.next() {
            ReplayStep::Free if self.trail.guide.wants_alternatives() => Some(
                self.trail
                    .guide
                    .record_alternatives((0..alternatives as i64).collect())
                    as usize,
            ),
            ReplayStep::Free => Some(0),
            ReplayStep::Path(item, is_last) => {
                if item != 0 {
                    self.trail.rebase();
                }
                let item = usize::try_from(item)
                    .ok()
                    .filter(|&item| item < alternatives);
                if item.is_none() && !is_last {
                    self.trail.guide.misfits = true;
                }
                item
            }
        }
    }

    /// Whether steering bounds the loops of the running code.
    fn is_bounded_elsewhere(&self, vm: &Vm) -> bool {
        let steering = &self.machine.steering;
        let mut frame = vm.frames().last().into_iter();
        self.is_before || frame.any(|frame| steering.bounds(frame.method))
    }

    /// Enters a fork, unless a bound is reached; returns that bound.
    pub(super) fn push(&mut self, vm: &mut Vm, fork: Fork, is_branch: bool) -> Option<Bound> {
        if self.trail.forks.len() >= self.bounds.decisions as usize {
            return Some(Bound::Decisions);
        }
        if self.is_work_exhausted() {
            self.record_unfinished();
            return Some(Bound::Work);
        }
        self.drop_activations(vm);
        let before = self.visits.clone();
        let times = self
            .visits
            .visit(vm, is_branch && !self.is_bounded_elsewhere(vm));
        if times > self.bounds.loops.saturating_add(1) {
            self.note_repetition(vm);
            self.visits = before;
            return Some(Bound::Loops);
        }
        let untaken = self.untaken(vm);
        self.trail.push(SymbolicNode {
            fork,
            taken: 0,
            mark: vm.mark(),
            machine: self.machine.mark(),
            inputs: self.inputs.objects.len(),
            met: self.met.len(),
            roots: self.roots.len(),
            made: self.made.len(),
            new_object: self.new_object,
            injected: Rc::clone(&self.injected),
            verdicts: self.verdicts.len(),
            visits: self.visits.clone(),
            untaken,
            steps: vm.steps() - self.begun,
            unknown: self.unknown,
            fixed: self.fixed,
            cuts: self.cuts,
            holds: self.holds,
            is_before: self.is_before,
            activations: self.activations.clone(),
            written: vm.written().len(),
        });
        None
    }

    /// Describes the positions of the frames whose methods steering knows.
    fn untaken(&self, vm: &Vm) -> Untaken {
        if self.is_before {
            return Untaken::default();
        }
        let steering = &self.machine.steering;
        let frames = vm.frames();
        let known = frames.iter().rev();
        let known = known.filter(|frame| steering.knows(frame.method));
        let sites = known.take(SITES).map(|frame| vm.site(frame));
        let top = frames.last();
        Untaken {
            other: None,
            first: None,
            sites: sites.collect(),
            is_called: top.is_some_and(|top| !steering.knows(top.method)),
        }
    }

    /// Fixes the value at a spot that needs a concrete one.
    pub(super) fn fix(&mut self, vm: &mut Vm, spot: SlotLocation) -> StepResult {
        let slot = vm.slot_at(spot);
        let current = self.machine.references.current(slot);
        let Some(number) = term_of(current) else {
            vm.settle_at(spot, current);
            return Ok(None);
        };
        if current != slot {
            vm.settle_at(spot, current);
        }
        if let Some(value) = self.machine.value(number) {
            vm.settle_at(spot, value);
            return Ok(None);
        }
        if number >= REFERENCES {
            return self.fix_reference(vm, number);
        }
        self.fix_value(vm, Term::from_number(number))
    }

    /// Fixes a needed value: first one that the solver gives, then others.
    pub(super) fn fix_value(&mut self, vm: &mut Vm, term: Term) -> StepResult {
        let place = vm.running_at().into_iter().next().unwrap_or_default();
        let fork = Fork::Value {
            term,
            tried: Vec::new(),
            has_more: true,
        };
        if let Some(bound) = self.push(vm, fork, false) {
            return Ok(Some(WalkEnd::Leaf(PathOutcome::Bounded(bound))));
        }
        *self.fixed_at.entry(place).or_default() += 1;
        let first = self.next_value()?;
        let wanted = match self.trail.guide.next() {
            ReplayStep::Free if self.trail.guide.wants_alternatives() => {
                self.trail.guide.record_alternatives(vec![0, 1])
            }
            ReplayStep::Free => 0,
            ReplayStep::Path(item, _) => item,
        };
        if wanted == 0 {
            return Ok(first);
        }
        self.trail.rebase();
        let mut went = first;
        for _ in 0..wanted {
            let more = matches!(
                self.trail.forks.last(),
                Some(SymbolicNode {
                    fork: Fork::Value { has_more: true, .. },
                    ..
                })
            );
            if !more {
                return Ok(Some(WalkEnd::Dead));
            }
            self.back_to_fork(vm);
            // The values before were found by the search that took them.
            self.rebased_at = Some(self.statistics().queries);
            went = self.next_value()?;
        }
        Ok(went)
    }

    /// Takes the next value of the newest fork, in the state of that fork.
    fn next_value(&mut self) -> StepResult {
        let Some(SymbolicNode {
            fork: Fork::Value { term, tried, .. },
            ..
        }) = self.trail.forks.last()
        else {
            return Ok(Some(WalkEnd::Dead));
        };
        let (term, tried) = (*term, tried.clone());
        for &value in &tried {
            let is = self.equals(term, value);
            let is_not = self.machine.pool.not(is);
            self.machine.assume(is_not);
        }
        if self.is_work_exhausted() {
            self.record_unfinished();
            self.tried(None);
            return Ok(Some(WalkEnd::Leaf(PathOutcome::Bounded(Bound::Work))));
        }
        if tried.len() >= self.bounds.values as usize {
            self.tried(None);
            return Ok(Some(WalkEnd::Leaf(PathOutcome::Bounded(Bound::Values))));
        }
        let before = self.statistics().work;
        let model = self.machine.solver.model(&self.machine.pool);
        self.worked += self.statistics().work - before;
        let Some(model) = model? else {
            self.tried(None);
            self.unknown += 1;
            return Ok(Some(WalkEnd::Leaf(PathOutcome::Bounded(Bound::Values))));
        };
        let value = self.machine.pool.evaluate(term, &model);
        let is = self.equals(term, value);
        let decision = self.machine.solver.decide(&self.machine.pool, is)?;
        self.cut_lengths(is, decision)?;
        let others = decision.fails;
        self.tried(Some((value, others != Satisfiability::Unsat)));
        if tried.is_empty() && others == Satisfiability::Unsat {
            self.machine.learn(is);
        } else {
            self.fixed += 1;
            self.machine.assume(is);
        }
        self.machine.note(term, value);
        Ok(None)
    }

    /// Records a value of the newest fork, and whether there are more.
    fn tried(&mut self, value: Option<(u64, bool)>) {
        if let Some(SymbolicNode {
            fork: Fork::Value {
                tried, has_more, ..
            },
            taken,
            ..
        }) = self.trail.forks.last_mut()
        {
            *taken = tried.len() as i64;
            *has_more = value.is_some_and(|(_, more)| more);
            tried.extend(value.map(|(value, _)| value));
        }
    }

    fn equals(&mut self, term: Term, value: u64) -> Term {
        let sort = self.machine.pool.sort(term);
        let value = self.machine.pool.constant(sort, value);
        self.machine.pool.binary(Binary::Same, term, value)
    }

    /// Resolves a reference to its possible targets.
    pub(super) fn fix_reference(&mut self, vm: &mut Vm, number: u32) -> StepResult {
        if self.machine.references.unknown(number).is_some() {
            let limit = PathOutcome::Limit(Limit::ArrayLength);
            return Ok(Some(WalkEnd::Leaf(limit)));
        }
        // The characters would be unrelated to what is known of them.
        if self.machine.is_base(number) {
            let limit = PathOutcome::Limit(Limit::ArrayLength);
            return Ok(Some(WalkEnd::Leaf(limit)));
        }
        if let Some(text) = self.machine.references.text(number) {
            return Ok(match vm.call_nested(text.method, &text.arguments, number) {
                Ok(()) => None,
                Err(exit) => Some(WalkEnd::Leaf(PathOutcome::Refused(vm.exit_text(&exit)))),
            });
        }
        if let Some((first, change)) = self.machine.references.change(number) {
            vm.take_back(&change);
            return Ok(
                match vm.call_nested(change.method, &change.arguments, first) {
                    Ok(()) => None,
                    Err(exit) => Some(WalkEnd::Leaf(PathOutcome::Refused(vm.exit_text(&exit)))),
                },
            );
        }
        let targets = match self.machine.references.open(number).cloned() {
            Some(open) if let Some(end) = open.older_than => {
                self.existing_targets(vm, &open, end)?
            }
            Some(open) => {
                let (null, other) = self.sides(open.is_null)?;
                let texts = self.texts();
                let (mut targets, beyond) = match other {
                    Satisfiability::Unsat => Default::default(),
                    _ => (self.inputs).targets(vm, &open, self.universe, &self.bounds, &texts),
                };
                if self.is_predicate() {
                    one_for_all_met(&mut targets);
                }
                if self.is_unread(&open) {
                    targets.retain(|target| match target {
                        ReferenceTarget::New(class) => !is_value(vm, *class),
                        ReferenceTarget::Known(object) => !is_value(vm, vm.heap.class_of(*object)),
                        _ => true,
                    });
                }
                if self.is_script() {
                    own_first(&mut targets);
                }
                self.beyond.add(beyond);
                if other != Satisfiability::Unsat {
                    self.cut_objects(vm, &open, beyond);
                }
                if null != Satisfiability::Unsat {
                    let at = if self.bounds.new_first {
                        targets.len()
                    } else {
                        0
                    };
                    targets.insert(at, ReferenceTarget::Null);
                }
                if targets.is_empty() && beyond == BeyondBounds::default() {
                    let class = vm.binary_name(open.bound);
                    let reason = format!("no object of {class} can be made for {}", open.name);
                    let is_cut = other != Satisfiability::Unsat
                        && self.universe.beyond(vm, open.bound).is_some();
                    let outcome = if is_cut {
                        PathOutcome::Unmade
                    } else {
                        PathOutcome::Refused
                    };
                    return Ok(Some(WalkEnd::Leaf(outcome(reason))));
                }
                targets
            }
            None => {
                let mut targets = Vec::new();
                for (condition, slot) in self.machine.groups(number) {
                    let (holds, _) = self.sides(condition)?;
                    if holds != Satisfiability::Unsat {
                        let is_unknown = holds == Satisfiability::Unknown;
                        targets.push(ReferenceTarget::One(condition, slot, is_unknown));
                    }
                }
                targets
            }
        };
        match targets[..] {
            [] => return Ok(Some(WalkEnd::Dead)),
            [only] if !self.is_fork_anywhere(vm, number) => {
                return self.take_target(vm, number, only);
            }
            _ => {}
        }
        let fork = Fork::Reference {
            number,
            targets: targets.clone(),
        };
        if let Some(bound) = self.push(vm, fork, false) {
            return Ok(Some(WalkEnd::Leaf(PathOutcome::Bounded(bound))));
        }
        match self.guided(targets.len()) {
            Some(taken) => {
                if let Some(node) = self.trail.forks.last_mut() {
                    node.taken = taken as i64;
                }
                self.take_target(vm, number, targets[taken])
            }
            None => Ok(Some(WalkEnd::Dead)),
        }
    }

    /// Whether resolving a reference is a fork even if there is a single target here. After other
    /// preceding statements it could be an input, and the same statements must then take the same
    /// path.
    fn is_fork_anywhere(&self, vm: &Vm, number: u32) -> bool {
        let open = self.machine.references.open(number);
        self.is_script() && open.is_some_and(|open| !is_value(vm, open.bound))
    }

    /// Decides whether a condition can hold, and whether it can fail.
    pub(super) fn sides(
        &mut self,
        condition: Term,
    ) -> Result<(Satisfiability, Satisfiability), SymbolicError> {
        Ok(match self.machine.settled(condition) {
            Some(true) => (Satisfiability::Sat, Satisfiability::Unsat),
            Some(false) => (Satisfiability::Unsat, Satisfiability::Sat),
            None => {
                let decision = self.decide(condition)?;
                (decision.holds, decision.fails)
            }
        })
    }

    fn take_target(&mut self, vm: &mut Vm, number: u32, target: ReferenceTarget) -> StepResult {
        if let ReferenceTarget::One(condition, slot, is_unknown) = target {
            self.unknown += u32::from(is_unknown);
            self.machine.assume(condition);
            self.machine.references.choose(number, slot);
            return Ok(None);
        }
        let Some(open) = self.machine.references.open(number).cloned() else {
            return Ok(Some(WalkEnd::Dead));
        };
        if target == ReferenceTarget::Null {
            if self.machine.settled(open.is_null).is_none() {
                self.machine.assume(open.is_null);
            }
            self.machine.references.choose(number, 0);
            return Ok(None);
        }
        self.machine.require_object(open.is_null);
        let object = match target {
            ReferenceTarget::Met(input) => {
                let met = &self.inputs.objects[input];
                let decision = Decision::Same(open.name, met.name.clone());
                self.machine.decisions.push(decision);
                met.object
            }
            ReferenceTarget::AnyMet => {
                let slot = self.any_met(vm, &open, None);
                self.machine.references.choose(number, slot);
                return Ok(None);
            }
            ReferenceTarget::Known(object) => {
                vm.note_known_object(object);
                let decision = Decision::Known(open.name, object);
                self.machine.decisions.push(decision);
                object
            }
            ReferenceTarget::New(class) => {
                if !self.bounds.utf16 && vm.class_name(class) == "java/lang/String" {
                    self.cut(InputCut::Characters);
                }
                let machine = &mut self.machine;
                match self
                    .inputs
                    .make(vm, machine, class, open.name, &self.bounds)
                {
                    Ok(object) => {
                        self.note_given(number, object);
                        self.note_others(vm, object, open.bound);
                        object
                    }
                    Err(heapwright_jvm::Exit::Limit(limit)) => {
                        return Ok(Some(WalkEnd::Leaf(PathOutcome::Limit(limit))));
                    }
                    Err(exit) => {
                        let reason = vm.exit_text(&exit);
                        return Ok(Some(WalkEnd::Leaf(PathOutcome::Refused(reason))));
                    }
                }
            }
            ReferenceTarget::Unmet(class) => match self.meet(vm, class) {
                Ok(object) => {
                    self.note_others(vm, object, open.bound);
                    object
                }
                Err(end) => return Ok(Some(end)),
            },
            ReferenceTarget::Null | ReferenceTarget::One(..) => return Ok(Some(WalkEnd::Dead)),
        };
        self.machine.references.choose(number, object.slot());
        Ok(None)
    }

    /// Records a new string or box, unless the program asked for it: then it is an object of its own.
    fn note_given(&mut self, number: u32, object: Ref) {
        let asked = self.machine.asked.iter();
        let mut asked = asked.filter(|asked| asked.kind == Kind::Reference);
        let is_asked = asked.any(|asked| {
            term_of(asked.slot).is_some_and(|asked| self.machine.references.last(asked) == number)
        });
        let input = self.inputs.objects.last();
        if let Some(input) = input.filter(|it| it.object == object && it.has_identity && !is_asked)
        {
            let contents = input.slots.iter().map(|&(_, slot)| slot);
            let name = input.name.clone();
            self.machine.give(object, name, contents.collect());
        }
    }

    /// Records an object of a type, in place of which there may be others: of classes that are not on
    /// the class path, or older ones. A method that takes no objects has none but those that its code makes, and structures are
    /// of the classes on the class path.
    fn note_others(&mut self, vm: &Vm, object: Ref, bound: ClassId) {
        let takes_objects = match self.task {
            Task::Method(entry) => {
                let mut parameters = entry.parameters.iter();
                let has_reference = parameters.any(|it| Kind::of(it) == Kind::Reference);
                let takes_objects = has_reference || matches!(entry.receiver, Receiver::Open(_));
                takes_objects && entry.predicate.is_none()
            }
            Task::Script(_) => true,
        };
        if takes_objects && self.notes_others {
            let has_others =
                self.universe.beyond(vm, bound).is_none() && self.universe.is_extensible(vm, bound);
            self.machine.inputs.push(InputObject {
                object,
                bound,
                has_others,
            });
        }
    }

    /// Restores the state in which the newest fork was entered.
    pub(super) fn back_to_fork(&mut self, vm: &mut Vm) {
        if let Some(node) = self.trail.forks.last() {
            vm.undo_to(node.mark);
            self.machine.undo_to(&node.machine);
            self.inputs.objects.truncate(node.inputs);
            self.met.truncate(node.met);
            self.roots.truncate(node.roots);
            self.made.truncate(node.made);
            self.new_object = node.new_object;
            self.injected = Rc::clone(&node.injected);
            let done = node.made;
            self.thrown.retain(|thrown| thrown.0 < done);
            self.verdicts.truncate(node.verdicts);
            self.is_between = false;
            self.visits = node.visits.clone();
            self.ran = 0;
            self.begun = vm.steps() - node.steps;
            (self.unknown, self.fixed) = (node.unknown, node.fixed);
            self.cuts = node.cuts;
            self.holds = node.holds;
            self.is_before = node.is_before;
            let activations = node.activations.clone();
            vm.forget_written(node.written);
            self.set_activations(vm, activations);
        }
    }

    /// Takes the next alternative of the newest fork, in the current state.
    pub(super) fn take_next(&mut self, vm: &mut Vm) -> StepResult {
        let Some(node) = self.trail.forks.last_mut() else {
            return Ok(Some(WalkEnd::Dead));
        };
        match &node.fork {
            Fork::Branch { .. } => {
                self.take_other_side();
                Ok(None)
            }
            Fork::Value { .. } => self.next_value(),
            Fork::Among { .. } => {
                self.take_among(vm);
                Ok(None)
            }
            Fork::Call { .. } => self.take_body(vm),
            Fork::Reference { number, targets } => {
                node.taken += 1;
                let (number, target) = (*number, targets[node.taken as usize]);
                self.take_target(vm, number, target)
            }
            Fork::Step { .. } => {
                self.leaves = None;
                node.taken += 1;
                let taken = node.taken as usize;
                Ok(self.take_step(vm, taken))
            }
        }
    }
}
