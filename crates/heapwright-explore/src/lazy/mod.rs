//! Search on symbolic values: `--search lazy`.
//!
//! Entries stay open until the program distinguishes their values. A branch on integers splits the
//! path only if both sides are feasible. A reference is chosen when its identity is needed: null, a
//! used object, or the next unused one of its class. A test for null or for membership in a
//! collection splits the path without choosing. A leaf that satisfies the predicate is a *cube*:
//! chosen references, and relations over the open entries.
//!
//! Invariants: every accepted structure is in exactly one cube, up to isomorphism. The program is
//! deterministic, so a structure has one path, and objects are numbered in the order in which the
//! path chooses them. No result depends on the boundaries of slices.

mod calls;
mod changes;
mod classes;
mod cube;
mod forks;
mod machine;
mod merge;
mod passes;
mod references;
mod start;

use std::ops::ControlFlow;
use std::rc::Rc;

use heapwright_jvm::machine::{SlotLocation, term_of};
use heapwright_jvm::passes::PassCut;
use heapwright_jvm::{ClassId, Exit, Limit, MarkId, MethodId, Ref, Vm};
use heapwright_solve::count::Counter;
use heapwright_solve::{Count, Mark, TermId, Var};
use rustc_hash::FxHashMap;

use crate::depth_first::{CriterionResults, LEAF, Trail, Tree, TreeCallback, Visitor};
use crate::progress::{End, Leaf, Progress, SearchError, Visit};
use crate::space::StateSpace;

pub use calls::{AtEnd, Cube};
use classes::CubeClasses;
use cube::OpenEntries;
use machine::{Condition, EntryMeaning, LazyMachine, integer};
use merge::MergeOutcome;
use passes::PassSchedule;
use references::ReferenceCounter;
use start::meaning;

/// Open entity at a point of the path, with the alternative tried.
enum Fork {
    /// Condition: it holds first, then fails.
    Branch { condition: Condition, holds: bool },
    /// Value of a variable, ascending.
    Value { variable: Var, value: i64 },
    /// Value of an entry that is no variable: the number of a choice.
    Choice { entry: u32, value: u32 },
}

pub struct LazyNode {
    fork: Fork,
    mark: MarkId,
    store: Mark,
    terms: usize,
    used: usize,
    /// Result of the predicate before the fork, if it had returned.
    answer: Option<u64>,
    turn: Rc<PassSchedule>,
}

/// Search over the cubes of a state space.
pub struct LazySearch<'a> {
    space: &'a StateSpace,
    predicate: MethodId,
    step_limit: u64,
    meanings: Vec<EntryMeaning>,
    machine: LazyMachine<'a>,
    /// Entries of each object that has any, in order.
    entries_of: FxHashMap<Ref, Vec<u32>>,
    /// Number of used objects of each class domain.
    used: Vec<u32>,
    /// Contents, before the search, of the words that are not chosen.
    fixed: Vec<(u32, u64)>,
    /// Undo log of `used`, newest last.
    used_before: Vec<(u32, u32)>,
    trail: Trail<LazyNode>,
    /// Value of each chosen entry that is no variable.
    chosen: Vec<Option<u32>>,
    counts_only: bool,
    /// Whether cubes are visited without expansion.
    by_cubes: bool,
    /// Open part of the visited cube, and its number of structures.
    cube: Option<(OpenEntries, Count)>,
    /// Criterion, and the classes of the structures so far.
    classes: Option<Box<CubeClasses>>,
    counter: Counter,
    references: ReferenceCounter,
    /// Whether the path has taken an infeasible side.
    is_dead: bool,
    /// Number of structures of the current cube visited before this one, and the counts before it.
    taken: u64,
    before: Progress,
    /// Starts of the predicate's passes, if these can be interleaved.
    cuts: Rc<[PassCut]>,
    /// Progress of the passes.
    turn: Rc<PassSchedule>,
    /// Whether the run stands before a point that resembles the end of its pass but is not.
    is_past_cut: bool,
    /// Whether the step limit set differs from that of the whole run.
    is_limited: bool,
}

impl<'a> LazySearch<'a> {
    /// Creates a search for the structures of `space` that satisfy `predicate`, a boolean method of
    /// the root without parameters. One run takes at most `step_limit` instructions.
    #[must_use]
    pub fn new(space: &'a StateSpace, predicate: MethodId, step_limit: u64) -> LazySearch<'a> {
        let mut entries_of: FxHashMap<Ref, Vec<u32>> = FxHashMap::default();
        for (number, entry) in (0..).zip(&space.entries) {
            entries_of.entry(entry.object).or_default().push(number);
        }
        let meanings: Vec<EntryMeaning> = (0..space.entries.len())
            .map(|entry| meaning(space, entry))
            .collect();
        LazySearch {
            space,
            predicate,
            step_limit,
            machine: LazyMachine::new(space, &meanings),
            meanings,
            references: ReferenceCounter::new(space, &entries_of),
            entries_of,
            used: vec![0; space.class_domains.len()],
            fixed: Vec::new(),
            used_before: Vec::new(),
            trail: Trail::default(),
            chosen: vec![None; space.entries.len()],
            counts_only: false,
            by_cubes: false,
            cube: None,
            classes: None,
            counter: Counter::default(),
            is_dead: false,
            taken: 0,
            before: Progress::default(),
            cuts: Rc::new([]),
            turn: Rc::new(PassSchedule::new(&[])),
            is_past_cut: false,
            is_limited: false,
        }
    }

    /// Restricts the search to counting: cubes are not expanded. One visit stands for all
    /// structures of a cube, whose open fields stay open.
    #[must_use]
    pub fn counts_only(mut self) -> Self {
        self.counts_only = true;
        self
    }

    fn visit_other(&mut self, vm: &mut Vm, leaf: &Leaf, visit: &mut Visitor<'_, Self>) -> Visit {
        match leaf {
            Leaf::Threw(_) if self.is_real() => {
                self.trail.progress.threw += 1;
                visit(vm, leaf, self)
            }
            _ => visit(vm, &Leaf::Invalid, self),
        }
    }

    /// Whether any structure takes this path; the store may have missed a contradiction.
    fn is_real(&mut self) -> bool {
        self.machine.store.solution(&[]).is_some()
    }

    /// Chooses a value for an open variable in a slot, or stores the value if all are chosen.
    fn settle(&mut self, vm: &mut Vm, spot: SlotLocation) {
        let term = TermId(term_of(vm.slot_at(spot)).unwrap_or_default());
        match self.machine.open_variable(term) {
            Some(variable) => self.choose_value(vm, variable, None),
            None => {
                let value = heapwright_jvm::Machine::value(&mut self.machine, term.0);
                vm.settle_at(spot, value.unwrap_or_default());
            }
        }
    }

    /// Leaf for the predicate's result.
    fn answered(&mut self, vm: &mut Vm, answer: u64) -> Leaf {
        if self.settled(vm, answer) as u32 == 0 {
            Leaf::Invalid
        } else {
            Leaf::Valid
        }
    }

    /// Returns a method's result, fixing it if it is open.
    fn settled(&mut self, vm: &mut Vm, answer: u64) -> u64 {
        let mut slot = answer;
        while let Some(term) = term_of(slot) {
            if self.is_dead {
                return 0;
            }
            match heapwright_jvm::Machine::value(&mut self.machine, term) {
                Some(value) => slot = value,
                None => match self.machine.open_variable(TermId(term)) {
                    Some(open) => self.choose_value(vm, open, Some(answer)),
                    None => return 0,
                },
            }
        }
        slot
    }
}

impl Tree for LazySearch<'_> {
    type Fork = LazyNode;
    type Stop = Leaf;
    type Leaf = Leaf;
    type Error = SearchError;
    type Mark = (Mark, usize);

    const IS_SYMBOLIC: bool = true;
    const LEAF: u64 = LEAF;

    fn trail(&self) -> &Trail<LazyNode> {
        &self.trail
    }

    fn trail_mut(&mut self) -> &mut Trail<LazyNode> {
        &mut self.trail
    }

    /// Alternative number: 0 for a branch whose condition holds, 1 if it fails; otherwise the value
    /// or the choice's number.
    fn taken(node: &LazyNode) -> i64 {
        match node.fork {
            Fork::Branch { holds, .. } => i64::from(!holds),
            Fork::Value { value, .. } => value,
            Fork::Choice { value, .. } => value.into(),
        }
    }

    fn next_alternative(&self, fork: usize) -> Option<i64> {
        match self.trail.forks[fork].fork {
            Fork::Branch { holds, .. } => holds.then_some(1),
            Fork::Value { variable, value } => {
                let is_reference = self.meanings[variable.0 as usize] == EntryMeaning::Reference;
                let choices = self.choices(variable.0);
                let has_more = if is_reference {
                    value + 1 < choices.len() as i64
                } else {
                    let wide = self.meanings[variable.0 as usize] == EntryMeaning::Long;
                    choices
                        .iter()
                        .any(|choice| integer(choice.slot, wide) > value)
                };
                has_more.then_some(value + 1)
            }
            Fork::Choice { entry, value } => {
                let next = value + 1;
                ((next as usize) < self.choices(entry).len()).then_some(next.into())
            }
        }
    }

    fn place(&self, fork: usize) -> (u32, u32) {
        match self.trail.forks[fork].fork {
            Fork::Branch { holds, .. } => (u32::from(!holds), 2),
            Fork::Value { variable, value } => {
                let choices = self.choices(variable.0).len() as u32;
                let below = self.choices(variable.0).iter();
                let is_reference = self.meanings[variable.0 as usize] == EntryMeaning::Reference;
                let before = if is_reference {
                    value as u32
                } else {
                    below
                        .filter(|choice| integer(choice.slot, true) < value)
                        .count() as u32
                };
                (before, choices.max(1))
            }
            Fork::Choice { entry, value } => (value, self.choices(entry).len() as u32),
        }
    }

    fn begin(&mut self) {
        if let Some(classes) = &mut self.classes {
            classes.clear();
        }
    }

    fn mark(&mut self) -> (Mark, usize) {
        (self.machine.store.mark(), self.machine.terms.len())
    }

    fn enter(&mut self, vm: &mut Vm) -> Result<(), SearchError> {
        self.note_fixed(vm);
        self.open_all(vm);
        vm.call(self.predicate, &[self.space.root.slot()])
            .map_err(|exit| SearchError::NotCallable(vm.exit_text(&exit)))
    }

    fn leave(&mut self, (store, terms): (Mark, usize)) {
        self.machine.store.undo_to(store);
        self.machine.terms.truncate(terms);
        self.machine.open = None;
        self.machine.decided = None;
        self.turn = Rc::new(PassSchedule::new(&self.cuts));
        self.used.fill(0);
        self.used_before.clear();
        self.chosen.fill(None);
        self.taken = 0;
        self.is_dead = false;
    }

    fn warm_up_runs(
        &mut self,
        vm: &mut Vm,
        ask: &mut TreeCallback<'_, Self>,
        initialized: &mut Vec<ClassId>,
    ) -> Result<ControlFlow<()>, SearchError> {
        self.go_on_first_paths(vm, ask, initialized)
    }

    fn after_warm_up(&mut self, vm: &mut Vm) {
        self.cuts = self.find_cuts(vm).into();
        self.turn = Rc::new(PassSchedule::new(&self.cuts));
    }

    fn run_to_leaf(
        &mut self,
        vm: &mut Vm,
        ask: &mut TreeCallback<'_, Self>,
    ) -> Result<ControlFlow<(), Leaf>, SearchError> {
        vm.limit_steps(self.step_limit.min(self.trail.slice));
        let mut before = vm.steps();
        self.trail.guide.rebased = false;
        let leaf = loop {
            if std::mem::take(&mut self.trail.guide.rebased) {
                before = vm.steps();
                vm.limit_steps(self.step_limit.min(self.trail.slice));
            }
            if self.is_dead {
                break Leaf::Invalid;
            }
            let left = self.step_limit.saturating_sub(vm.steps() - before);
            self.prepare(vm, left.min(self.trail.slice));
            let exit = vm.run(&mut self.machine);
            let Some(exit) = self.take_turns(vm, exit) else {
                continue;
            };
            match exit {
                Exit::Branch => {
                    if let Some(condition) = self.machine.open.take() {
                        match self.merge(vm, &condition) {
                            MergeOutcome::Once => {}
                            MergeOutcome::Ended => break Leaf::Invalid,
                            MergeOutcome::Not => self.branch(vm, condition),
                        }
                    }
                }
                Exit::Symbolic(spot) => self.settle(vm, spot),
                Exit::Choice(entry) => self.choose_first(vm, entry, None),
                Exit::Done(answer) => break self.answered(vm, answer),
                Exit::Threw(exception) => break Leaf::Threw(exception),
                Exit::Limit(Limit::Steps) if vm.steps() - before < self.step_limit => {
                    if self.asked(ask).is_break() {
                        return Ok(ControlFlow::Break(()));
                    }
                    let left = self.step_limit - (vm.steps() - before);
                    vm.limit_steps(left.min(self.trail.slice));
                }
                exit => break Leaf::Refused(Box::new(exit)),
            }
        };
        vm.break_at(None);
        let steps = vm.steps() - before;
        self.trail.steps_since_ask += steps;
        // Instructions before a fork on the replayed path are not part of this search.
        if !std::mem::take(&mut self.trail.guide.rebased) {
            self.trail.progress.steps += steps;
        }
        Ok(ControlFlow::Continue(leaf))
    }

    fn visit_leaf(
        &mut self,
        vm: &mut Vm,
        leaf: Leaf,
        ask: &mut TreeCallback<'_, Self>,
        visit: &mut Visitor<'_, Self>,
    ) -> Result<Option<End>, SearchError> {
        let guide = &self.trail.guide;
        if guide.misfits || leaf != Leaf::Valid && !guide.has_arrived() {
            return Err(SearchError::Misfit);
        }
        let start = vm.steps();
        let visited = match &leaf {
            _ if self.is_dead => ControlFlow::Continue(()),
            Leaf::Refused(exit) if self.is_real() => {
                self.trail.progress.count_refused(exit, Self::LEAF);
                visit(vm, &leaf, self)
            }
            Leaf::Valid => match self.criterion() {
                None => match self.visit_cube(vm, ask, visit)? {
                    Some(visited) => visited,
                    None => return Ok(Some(End::Interrupted)),
                },
                Some(criterion) => match self.visit_classes(criterion, vm, ask, visit)? {
                    None => ControlFlow::Continue(()),
                    end => return Ok(end),
                },
            },
            _ => {
                self.trail.progress.count_explored(Self::LEAF);
                self.visit_other(vm, &leaf, visit)
            }
        };
        if visited.is_break() {
            return Ok(Some(End::ByVisitor));
        }
        self.trail.steps_since_ask += vm.steps() - start;
        self.is_dead = false;
        Ok(None)
    }

    fn advance(&mut self, vm: &mut Vm) -> Result<Option<Option<Leaf>>, SearchError> {
        let Some(answer) = self.advance_above(vm, self.trail.guide.span.fixed) else {
            return Ok(None);
        };
        Ok(Some(answer.map(|answer| self.answered(vm, answer))))
    }

    fn within_leaf(&self) -> Option<(u64, &Progress)> {
        (self.taken > 0).then_some((self.taken, &self.before))
    }

    fn criterion_results(&self) -> Option<CriterionResults<'_>> {
        self.classes.as_ref().map(|classes| CriterionResults {
            coverage: &classes.coverage,
            current: classes.current,
            is_stopped: classes.is_stopped,
            left_out: classes.left_out.as_deref(),
        })
    }
}
