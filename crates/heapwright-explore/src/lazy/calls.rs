//! Calls on all structures of a cube at once.
//!
//! All references of the cube that lead to further objects are chosen, so its structures differ
//! only in values: integers, and references to objects without entries. These stay open, as may the
//! arguments of a call. A run splits where it distinguishes values, below the cube's own forks. Its
//! end stands for as many inputs as there are assignments left.
//!
//! Invariant: the ends of a call's runs together cover each input exactly once.

use std::ops::ControlFlow;

use heapwright_jvm::machine::{symbolic_slot, term_of};
use heapwright_jvm::{Exit, Limit, MarkId, MethodId, Vm};
use heapwright_solve::{Count, Domain, Mark, SumInterpretation, Var};

use super::cube::OpenEntries;
use super::{EntryMeaning, LazySearch};
use crate::depth_first::{SLICE, Visitor};
use crate::progress::{Leaf, Visit};

/// Cube at which the search stands.
pub struct Cube<'s, 'a> {
    search: &'s mut LazySearch<'a>,
    open: OpenEntries,
    structures: Count,
    /// Mark of the machine before the call.
    before: Option<MarkId>,
}

/// Callbacks of a call's runs.
pub trait AtEnd {
    /// Reason for stopping the calls.
    type Stop;

    /// Called at intervals during a run.
    ///
    /// # Errors
    /// Breaks with a reason to stop.
    fn ask(&mut self) -> ControlFlow<Self::Stop>;

    /// Called at the end of a run, with the machine at that state. Further calls are allowed and
    /// are undone afterwards.
    ///
    /// # Errors
    /// Breaks with a reason to stop.
    fn ended(
        &mut self,
        cube: &mut Cube<'_, '_>,
        vm: &mut Vm,
        exit: Exit,
    ) -> ControlFlow<Self::Stop>;
}

/// Run of a call, with its forks.
struct CallRun {
    mark: MarkId,
    store: Mark,
    terms: usize,
    used: usize,
    /// Length of the trail below the run's own forks.
    floor: usize,
    /// Whether the method's result must be fixed.
    is_question: bool,
    step_limit: u64,
    /// Instructions up to each of the run's forks.
    steps: Vec<u64>,
    /// Work since the last call of `ask`, in instructions.
    unasked: u64,
}

/// Cost of a stop of a run for a decision, in instructions.
const STOP: u64 = 2_000;

impl<'a> LazySearch<'a> {
    /// Visits cubes without expanding them, through [`LazySearch::cube`]. References that lead to
    /// further objects are chosen; all else is open, with its first value in the heap.
    #[must_use]
    pub fn by_cubes(mut self) -> Self {
        self.by_cubes = true;
        self
    }

    /// Adds an argument for calls: an integer (a long if `wide`) that ranges over `values`. Returns
    /// its slot; `None` if the values are not distinct or lie too far apart.
    pub fn add_argument(&mut self, values: &[i64], wide: bool) -> Option<u64> {
        let domain = Domain::new(values.iter().copied())?;
        let mut distinct = values.to_vec();
        distinct.sort_unstable();
        distinct.dedup();
        if distinct.len() < values.len() {
            return None;
        }
        let (meaning, sort) = match wide {
            true => (EntryMeaning::Long, SumInterpretation::Long),
            false => (EntryMeaning::Int, SumInterpretation::Int),
        };
        self.meanings.push(meaning);
        Some(symbolic_slot(self.machine.add_argument(&domain, sort).0))
    }

    /// Takes the visited cube, once in each visit.
    pub fn cube(&mut self) -> Option<Cube<'_, 'a>> {
        let (open, structures) = self.cube.take()?;
        Some(Cube {
            search: self,
            open,
            structures,
            before: None,
        })
    }

    pub(super) fn visit_whole(
        &mut self,
        vm: &mut Vm,
        open: OpenEntries,
        structures: Count,
        visit: &mut Visitor<'_, Self>,
    ) -> Visit {
        vm.with_mark(|vm| {
            self.write_chosen(vm, |variable| self.machine.store.least(variable));
            self.cube = Some((open, structures));
            let visited = visit(vm, &Leaf::Valid, self);
            self.cube = None;
            visited
        })
    }

    /// Runs to the end, taking the first alternative of every fork.
    fn run_on<E: AtEnd>(
        &mut self,
        vm: &mut Vm,
        run: &mut CallRun,
        at_end: &mut E,
    ) -> ControlFlow<E::Stop, Exit> {
        let start = vm.steps() - run.steps.last().copied().unwrap_or(0);
        loop {
            let taken = vm.steps() - start;
            vm.limit_steps(run.step_limit.saturating_sub(taken).min(SLICE));
            let exit = vm.run(&mut self.machine);
            run.unasked += vm.steps() - start - taken + STOP;
            if run.unasked >= SLICE {
                run.unasked = 0;
                at_end.ask()?;
            }
            let taken = vm.steps() - start;
            match exit {
                Exit::Branch => {
                    if let Some(condition) = self.machine.open.take() {
                        self.fork(vm, condition);
                    }
                }
                Exit::Symbolic(spot) => self.settle(vm, spot),
                // An entry unreachable from the root has its first value, as in the visit of single
                // structures.
                Exit::Choice(entry) => {
                    let place = &self.space.entries[entry as usize];
                    vm.choose(place.object, place.place, self.choices(entry)[0].slot);
                }
                Exit::Limit(Limit::Steps) if taken < run.step_limit => {}
                Exit::Done(answer) if run.is_question => {
                    let answer = self.settled(vm, answer);
                    run.steps.resize(self.trail.forks.len() - run.floor, taken);
                    return ControlFlow::Continue(Exit::Done(answer));
                }
                exit => return ControlFlow::Continue(exit),
            }
            if self.is_dead {
                return ControlFlow::Continue(Exit::Limit(Limit::Steps));
            }
            run.steps.resize(self.trail.forks.len() - run.floor, taken);
        }
    }
}

impl Cube<'_, '_> {
    /// Number of structures of the cube.
    #[must_use]
    pub fn structures(&self) -> &Count {
        &self.structures
    }

    /// Whether the structures differ in integers alone, so that the same objects are reachable.
    #[must_use]
    pub fn has_one_shape(&self) -> bool {
        self.open.references.is_empty()
    }

    /// Visits each structure with all its fields set, in the order of a search that expands its
    /// cubes.
    pub fn expand(&mut self, vm: &mut Vm, mut visit: impl FnMut(&mut Vm) -> Visit) -> Visit {
        let progress = self.search.trail.progress.clone();
        let visited = self.search.expand(vm, &self.open, &mut |vm, leaf, _| {
            if *leaf == Leaf::Valid {
                visit(vm)
            } else {
                ControlFlow::Continue(())
            }
        });
        (self.search.trail.progress, self.search.taken) = (progress, 0);
        visited.unwrap_or(ControlFlow::Continue(()))
    }

    /// Makes the cube's open entries symbolic in the heap while `calls` makes calls.
    pub fn with_open<T>(&mut self, vm: &mut Vm, calls: impl FnOnce(&mut Self, &mut Vm) -> T) -> T {
        vm.with_mark(|vm| {
            for &variable in self.open.integers.iter().chain(&self.open.references) {
                if self.search.machine.store.fixed(variable).is_none() {
                    let entry = &self.search.space.entries[variable.0 as usize];
                    vm.set_symbolic_place(entry.object, entry.place, symbolic_slot(variable.0));
                }
            }
            self.before = Some(vm.mark());
            vm.set_symbolic(true);
            let result = calls(self, vm);
            vm.set_symbolic(false);
            result
        })
    }

    /// Calls a method and explores all its runs, each of at most `step_limit` instructions.
    /// Afterwards the machine is in its initial state again.
    ///
    /// # Errors
    /// Breaks off with the reason given by `at_end`.
    pub fn call<E: AtEnd>(
        &mut self,
        vm: &mut Vm,
        (method, slots): (MethodId, &[u64]),
        is_question: bool,
        step_limit: u64,
        at_end: &mut E,
    ) -> ControlFlow<E::Stop> {
        let search = &mut self.search;
        let mut run = CallRun {
            mark: vm.mark(),
            store: search.machine.store.mark(),
            terms: search.machine.terms.len(),
            used: search.used_before.len(),
            floor: search.trail.forks.len(),
            is_question,
            step_limit,
            steps: Vec::new(),
            unasked: 0,
        };
        let flow = match vm.call(method, slots) {
            Ok(()) => self.go_through(vm, &mut run, at_end),
            Err(exit) => at_end.ended(self, vm, exit),
        };
        let search = &mut self.search;
        search.trail.forks.truncate(run.floor);
        search.machine.store.undo_to(run.store);
        search.machine.terms.truncate(run.terms);
        search.machine.open = None;
        search.machine.decided = None;
        search.forget_use(run.used);
        vm.undo_to(run.mark);
        vm.forget(run.mark);
        flow
    }

    fn go_through<E: AtEnd>(
        &mut self,
        vm: &mut Vm,
        run: &mut CallRun,
        at_end: &mut E,
    ) -> ControlFlow<E::Stop> {
        let mut exit = self.search.run_on(vm, run, at_end)?;
        loop {
            if std::mem::take(&mut self.search.is_dead) {
                // The result of the run is unknown.
                exit = Exit::Limit(Limit::Steps);
            }
            at_end.ended(self, vm, exit)?;
            let search = &mut self.search;
            let Some(answer) = search.advance_above(vm, run.floor) else {
                return ControlFlow::Continue(());
            };
            run.steps.truncate(search.trail.forks.len() - run.floor);
            exit = match answer {
                Some(answer) => {
                    let answer = search.settled(vm, answer);
                    let steps = run.steps.last().copied().unwrap_or(0);
                    run.steps
                        .resize(search.trail.forks.len() - run.floor, steps);
                    Exit::Done(answer)
                }
                None => search.run_on(vm, run, at_end)?,
            };
        }
    }

    /// Whether the structure is unmodified since the beginning of the call.
    #[must_use]
    pub fn is_untouched(&self, vm: &Vm) -> bool {
        self.before.is_some_and(|mark| vm.is_untouched_since(mark))
    }

    /// Number of inputs that the ended run stands for: structures, times the values of the
    /// arguments among these slots. 0 if the run is infeasible.
    pub fn inputs(&mut self, slots: &[u64]) -> Count {
        let LazySearch {
            counter, machine, ..
        } = &mut *self.search;
        let mut variables = [&self.open.integers[..], &self.open.references].concat();
        variables.extend(slots.iter().filter_map(|&slot| term_of(slot)).map(Var));
        counter.count(&machine.store, &variables)
    }
}
