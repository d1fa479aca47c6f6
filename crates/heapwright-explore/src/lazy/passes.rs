//! Interleaved execution of a predicate's passes.
//!
//! A predicate that traverses its structure in passes (`Vm::cuts`) builds it in the first pass, and
//! later passes refuse most results. Each pass is a predicate of its own, and the whole is their
//! conjunction. Before a reference is chosen, the later passes therefore run ahead as far as the
//! chosen part allows. Structures that they refuse are abandoned early, and their work is shared by
//! all continuations.
//!
//! A pass that runs ahead chooses no reference and no value, and decides no comparison of two
//! integers; it waits instead. An outcome other than true or false counts only in its turn. The
//! schedule depends on the path alone.

use std::rc::Rc;

use heapwright_jvm::descriptor::Kind;
use heapwright_jvm::machine::{SlotLocation, term_of};
use heapwright_jvm::passes::{PassCut, SuspendedFrames};
use heapwright_jvm::state::Frame;
use heapwright_jvm::{Exit, Limit, Place, Ref, Vm};
use heapwright_solve::{TermId, Var};

use super::machine::Condition;
use super::{EntryMeaning, LazySearch};
use crate::space::{Entry, StateSpace};

/// Most instructions that a pass runs ahead before it waits: it may be in a cycle that the first
/// pass has not refused yet.
const EARLY_STEPS: u64 = 500;

/// Progress of a pass.
#[derive(Clone)]
enum Stage {
    /// The pass has not begun.
    Ahead,
    /// The pass waits.
    Parked(Rc<SuspendedFrames>, Wait),
    /// The pass has returned true, so that the next one follows.
    Done,
    /// The pass ended with this outcome.
    Ended(Exit),
}

/// Event that a waiting pass depends on.
#[derive(Clone, Copy)]
enum Wait {
    /// A reference has fewer than this many values.
    Variable(Var, u32),
    /// An entry is chosen.
    Entry(u32),
    /// The pass is the first that is not done.
    Turn,
}

/// Progress of the passes on the current path.
#[derive(Clone)]
pub(super) struct PassSchedule {
    /// Pass whose turn it is: those before it are done.
    first: usize,
    /// Pass that runs.
    running: usize,
    /// Whether the other passes have run as far as they can.
    is_settled: bool,
    /// Instructions run ahead since the pass last waited.
    spent: u64,
    stages: Vec<Stage>,
}

impl PassSchedule {
    pub fn new(cuts: &[PassCut]) -> PassSchedule {
        PassSchedule {
            first: 0,
            running: 0,
            is_settled: false,
            spent: 0,
            stages: vec![Stage::Ahead; cuts.len() + 1],
        }
    }

    /// Whether the running pass runs ahead of its turn.
    fn is_early(&self) -> bool {
        self.running > self.first
    }
}

/// Returns all objects that a structure may contain.
fn objects(space: &StateSpace) -> Vec<Ref> {
    let mut objects = vec![space.root];
    for entry in &space.entries {
        objects.push(entry.object);
        objects.extend(entry.fixed);
    }
    for domain in &space.domains {
        if domain.kind == Kind::Reference {
            objects.extend(
                domain
                    .choices
                    .iter()
                    .map(|choice| Ref::from_slot(choice.slot)),
            );
        }
    }
    objects.sort_unstable_by_key(|object| object.0);
    objects.dedup();
    objects
}

impl LazySearch<'_> {
    /// Finds the starts of the predicate's passes; empty if the passes cannot run in any order.
    pub(super) fn find_cuts(&mut self, vm: &mut Vm) -> Vec<PassCut> {
        // The contents of an array depend on its length, which the first pass may have to check
        // before.
        let has_arrays = |entry: &Entry| !matches!(entry.place, Place::Field(_));
        if self.space.entries.iter().any(has_arrays) {
            return Vec::new();
        }
        let cuts = vm.cuts(self.predicate, vm.heap.class_of(self.space.root));
        if cuts.is_empty() || !heapwright_code::is_pure(vm, self.predicate, &objects(self.space)) {
            return Vec::new();
        }
        let mark = vm.mark();
        let can_begin = cuts.iter().all(|cut| {
            let begun = vm.begin_at(&mut self.machine, cut, self.space.root);
            vm.undo_to(mark);
            begun
        });
        vm.forget(mark);
        if can_begin { cuts } else { Vec::new() }
    }

    /// Sets a breakpoint at the end of the running pass.
    pub(super) fn watch_for_cut(&self, vm: &mut Vm) {
        let next = self.cuts.get(self.turn.running);
        vm.break_at(next.and_then(PassCut::place));
    }

    /// Prepares a run of at most `left` more instructions; see `watch_for_cut`.
    pub(super) fn prepare(&mut self, vm: &mut Vm, left: u64) {
        self.watch_for_cut(vm);
        if self.is_past_cut {
            vm.break_at(None);
            vm.limit_steps(1);
        } else if self.turn.is_early() {
            // At least one instruction runs after a decision, even if the budget is spent.
            vm.limit_steps((EARLY_STEPS - self.turn.spent).max(1));
            self.is_limited = true;
        } else if std::mem::take(&mut self.is_limited) {
            vm.limit_steps(left);
        }
    }

    /// Handles a stop of a pass; returns `None` if another pass runs now.
    pub(super) fn take_turns(&mut self, vm: &mut Vm, exit: Exit) -> Option<Exit> {
        if self.cuts.is_empty() {
            return Some(exit);
        }
        if std::mem::take(&mut self.is_past_cut) {
            self.is_limited = true;
            if exit == Exit::Limit(Limit::Steps) {
                return None;
            }
        }
        if exit == Exit::Break && !self.cuts[self.turn.running].is_at(vm.frames()) {
            // The breakpoint was reached in another call of the same method.
            self.is_past_cut = true;
            return None;
        }
        if self.turn.is_early() {
            Rc::make_mut(&mut self.turn).spent = EARLY_STEPS - vm.steps_left();
            return self.early(vm, exit);
        }
        match &exit {
            Exit::Break => self.next_pass(vm),
            Exit::Branch | Exit::Symbolic(_) | Exit::Choice(_) => {
                if self.wait(vm, &exit).is_none() {
                    return Some(exit);
                }
                if std::mem::take(&mut Rc::make_mut(&mut self.turn).is_settled) {
                    return Some(exit);
                }
                if self.begin_round(vm) {
                    None
                } else {
                    Some(exit)
                }
            }
            _ => Some(exit),
        }
    }

    /// Returns the choice that a stopped run waits for, if any.
    fn wait(&self, vm: &Vm, exit: &Exit) -> Option<Wait> {
        match *exit {
            Exit::Branch => match &self.machine.open {
                Some(Condition::OneOf(variable, _)) => Some(self.wait_for(*variable)),
                _ => None,
            },
            Exit::Symbolic(spot) => {
                let variable = self.open_variable_at(vm, spot)?;
                Some(match self.meanings[variable.0 as usize] {
                    EntryMeaning::Reference => self.wait_for(variable),
                    _ => Wait::Turn,
                })
            }
            Exit::Choice(entry) => Some(Wait::Entry(entry)),
            _ => None,
        }
    }

    fn wait_for(&self, variable: Var) -> Wait {
        Wait::Variable(variable, self.machine.store.size(variable))
    }

    fn open_variable_at(&self, vm: &Vm, spot: SlotLocation) -> Option<Var> {
        let term = term_of(vm.slot_at(spot))?;
        self.machine.open_variable(TermId(term))
    }

    /// Handles a stop of a pass that runs ahead.
    fn early(&mut self, vm: &mut Vm, exit: Exit) -> Option<Exit> {
        let waits = exit == Exit::Branch && self.compares_several();
        let wait = self.wait(vm, &exit);
        if let Some(wait) = wait.or(waits.then_some(Wait::Turn)) {
            self.machine.open = None;
            let parked = Rc::new(vm.park());
            self.leave(vm, Stage::Parked(parked, wait));
            return None;
        }
        let stage = match exit {
            Exit::Branch | Exit::Symbolic(_) | Exit::Done(0) => return Some(exit),
            Exit::Limit(_) => Stage::Parked(Rc::new(vm.park()), Wait::Turn),
            Exit::Break => {
                vm.park();
                Stage::Done
            }
            exit => {
                vm.abandon();
                Stage::Ended(exit)
            }
        };
        self.leave(vm, stage);
        None
    }

    /// Whether the open condition relates several integers, one of them with more than two values
    /// left. Either side is then possible in nearly every structure, so that deciding it early
    /// refuses few.
    fn compares_several(&self) -> bool {
        let Some(Condition::Sum(sum, _)) = &self.machine.open else {
            return false;
        };
        let sizes = sum
            .terms
            .iter()
            .map(|&(variable, _)| self.machine.store.size(variable));
        let open: Vec<u32> = sizes.filter(|&size| size > 1).collect();
        open.len() > 1 && open.iter().any(|&size| size > 2)
    }

    /// Lets the later passes run ahead; false if none can.
    fn begin_round(&mut self, vm: &mut Vm) -> bool {
        let first = self.turn.first;
        let Some(next) = self.ready(vm.frames(), first + 1) else {
            return false;
        };
        self.machine.open = None;
        let parked = Rc::new(vm.park());
        Rc::make_mut(&mut self.turn).stages[first] = Stage::Parked(parked, Wait::Turn);
        self.go_on(vm, next);
        true
    }

    /// Suspends the running pass, and resumes the next one or the one whose turn it is.
    fn leave(&mut self, vm: &mut Vm, stage: Stage) {
        let turn = Rc::make_mut(&mut self.turn);
        turn.stages[turn.running] = stage;
        let (first, running) = (turn.first, turn.running);
        let Stage::Parked(parked, _) = turn.stages[first].clone() else {
            return;
        };
        match self.ready(parked.frames(), running + 1) {
            Some(next) => self.go_on(vm, next),
            None => {
                self.go_on(vm, first);
                Rc::make_mut(&mut self.turn).is_settled = true;
            }
        }
    }

    /// First pass from `from` that can run, given the position of the pass whose turn it is.
    fn ready(&self, frames: &[Frame], from: usize) -> Option<usize> {
        (from..self.turn.stages.len()).find(|&pass| match &self.turn.stages[pass] {
            Stage::Ahead => self.cuts[pass - 1].is_ahead(frames),
            Stage::Parked(_, Wait::Variable(variable, size)) => {
                self.machine.store.size(*variable) != *size
            }
            Stage::Parked(_, Wait::Entry(entry)) => self.chosen[*entry as usize].is_some(),
            _ => false,
        })
    }

    /// Resumes a pass, or begins it; there must be no frames.
    fn go_on(&mut self, vm: &mut Vm, pass: usize) {
        let turn = Rc::make_mut(&mut self.turn);
        (turn.running, turn.spent) = (pass, 0);
        self.is_limited = true;
        match self.turn.stages[pass].clone() {
            Stage::Parked(parked, _) => vm.resume(&parked),
            _ => {
                let begun = vm.begin_at(&mut self.machine, &self.cuts[pass - 1], self.space.root);
                assert!(begun, "a pass begins like the predicate");
            }
        }
    }

    /// Continues with the next pass, after the current one returned true.
    fn next_pass(&mut self, vm: &mut Vm) -> Option<Exit> {
        loop {
            let turn = Rc::make_mut(&mut self.turn);
            turn.first += 1;
            turn.running = turn.first;
            turn.is_settled = false;
            match turn.stages[turn.first].clone() {
                Stage::Ahead if !vm.frames().is_empty() => return None,
                Stage::Done => vm.abandon(),
                Stage::Ended(exit) => {
                    vm.abandon();
                    return Some(exit);
                }
                Stage::Ahead | Stage::Parked(..) => {
                    vm.abandon();
                    let first = turn.first;
                    self.go_on(vm, first);
                    return None;
                }
            }
        }
    }
}
