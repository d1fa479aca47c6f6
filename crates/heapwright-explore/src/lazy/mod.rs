//! Search on symbolic values: `--search lazy`.
//!
//! Entries stay open until the program tells their values apart. A branch on integers splits the
//! path in two, and only if both sides are possible; a reference is chosen (null, an object used
//! already, or the next one of its class that is not) when its identity is needed, and a test for
//! null or for membership in a collection splits it without choosing. A leaf on which the predicate
//! holds is a *cube*: chosen references, and relations over what is still open.
//!
//! Invariants: every structure the predicate accepts is in exactly one cube, up to isomorphism: the
//! program is deterministic, so a structure has one path, and along a path objects are numbered in
//! the order in which they are chosen. No result depends on where a slice of instructions ends.

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

use heapwright_jvm::machine::{Spot, term_of};
use heapwright_jvm::passes::Cut;
use heapwright_jvm::{Exit, Limit, MarkId, MethodId, Ref, Vm};
use heapwright_solve::count::Counter;
use heapwright_solve::{Count, Mark, TermId, Var};
use rustc_hash::FxHashMap;

use crate::criterion::{Coverage, InClass};
use crate::korat::{End, Leaf, Progress, SearchError, Visit};
use crate::search::Search;
use crate::space::StateSpace;
use crate::span::{Guide, Span};

pub use calls::{AtEnd, Cube};
use classes::Classes;
use cube::Open;
use machine::{Condition, LazyMachine, Meaning, integer};
use merge::Merged;
use passes::Turn;
use references::ReferenceCounter;
use start::meaning;

/// Instructions between two questions whether to go on: some hundredths of a second.
const SLICE: u64 = 1_000_000;
/// What a leaf counts towards a slice besides its instructions.
const LEAF: u64 = 64;

/// What was left open at a point of the path, and what is tried of it now.
enum Fork {
    /// A condition: first it holds, then it does not.
    Branch { condition: Condition, holds: bool },
    /// The value of a variable, ascending.
    Value { variable: Var, value: i64 },
    /// The value of an entry that is no variable: the number of a choice.
    Choice { entry: u32, value: u32 },
}

struct Node {
    fork: Fork,
    mark: MarkId,
    store: Mark,
    terms: usize,
    used: usize,
    /// What the predicate had answered before, if it had.
    answer: Option<u64>,
    turn: Rc<Turn>,
}

/// The question whether a search is to go on.
type Ask<'f> = dyn FnMut(&mut LazySearch<'_>) -> ControlFlow<()> + 'f;

/// A search over the cubes of a state space.
pub struct LazySearch<'a> {
    space: &'a StateSpace,
    predicate: MethodId,
    step_limit: u64,
    meanings: Vec<Meaning>,
    machine: LazyMachine<'a>,
    /// The entries of each object that has some, in order.
    entries_of: FxHashMap<Ref, Vec<u32>>,
    /// For each class domain how many of its objects are used.
    used: Vec<u32>,
    /// What the words held before the search that nothing chooses.
    fixed: Vec<(u32, u64)>,
    /// What `used` was, newest last.
    used_before: Vec<(u32, u32)>,
    stack: Vec<Node>,
    /// For each entry that is no variable its value, once chosen.
    chosen: Vec<Option<u32>>,
    counts_only: bool,
    /// Whether cubes are visited as they are.
    by_cubes: bool,
    /// The open part of the cube that is visited, and how many structures it has.
    cube: Option<(Open, Count)>,
    /// The criterion and the classes of the structures so far.
    classes: Option<Box<Classes>>,
    counter: Counter,
    references: ReferenceCounter,
    progress: Progress,
    /// Instructions between two questions whether to go on.
    slice: u64,
    unasked: u64,
    /// The part of the tree that is searched.
    guide: Guide,
    /// Whether the path has taken a side that is not possible.
    is_dead: bool,
    /// How many structures of the current cube were visited before this one, and what was counted
    /// before it.
    taken: u64,
    before: Progress,
    /// Whether the library's classes that the predicate needs are initialised.
    is_warm: bool,
    /// Where the passes of the predicate begin, if they can take turns.
    cuts: Rc<[Cut]>,
    /// How far they have come.
    turn: Rc<Turn>,
    /// Whether the run stands before what looks like the end of its pass and is not.
    is_past_cut: bool,
    /// Whether the limit on instructions is not that of the whole run.
    is_limited: bool,
}

impl<'a> LazySearch<'a> {
    /// A search for the structures of `space` on which `predicate`, a boolean method of the root
    /// without parameters, holds. One run may take `step_limit` instructions.
    #[must_use]
    pub fn new(space: &'a StateSpace, predicate: MethodId, step_limit: u64) -> LazySearch<'a> {
        let mut entries_of: FxHashMap<Ref, Vec<u32>> = FxHashMap::default();
        for (number, entry) in (0..).zip(&space.entries) {
            entries_of.entry(entry.object).or_default().push(number);
        }
        let meanings: Vec<Meaning> = (0..space.entries.len())
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
            stack: Vec::new(),
            chosen: vec![None; space.entries.len()],
            counts_only: false,
            by_cubes: false,
            cube: None,
            classes: None,
            counter: Counter::default(),
            progress: Progress::default(),
            slice: SLICE,
            unasked: 0,
            guide: Guide::default(),
            is_dead: false,
            taken: 0,
            before: Progress::default(),
            is_warm: false,
            cuts: Rc::new([]),
            turn: Rc::new(Turn::new(&[])),
            is_past_cut: false,
            is_limited: false,
        }
    }

    /// Asks for the counts alone: cubes are counted, not expanded, and one visit stands for all
    /// structures of a cube, whose open fields stay open.
    #[must_use]
    pub fn counts_only(mut self) -> Self {
        self.counts_only = true;
        self
    }

    /// Asks whether to go on after so many instructions, at least one.
    #[must_use]
    pub fn with_slice(mut self, steps: u64) -> LazySearch<'a> {
        self.slice = steps.max(1);
        self
    }

    /// Searches this part of the tree only.
    pub fn start_at(&mut self, span: Span) {
        self.guide.span = span;
    }

    /// Gives away what is untried at the oldest fork with something left; `None` if there is none.
    /// What comes back is behind all that this search still goes through, and may be nothing.
    pub fn split(&mut self) -> Option<Span> {
        if !self.is_warm || !self.guide.has_arrived() {
            return None;
        }
        let (place, next) = (self.guide.span.fixed..self.stack.len())
            .find_map(|place| Some((place, self.least_next(&self.stack[place].fork)?)))?;
        let mut path: Vec<i64> = self.path().take(place).collect();
        path.push(next);
        self.guide.span.fixed = place + 1;
        Some(Span { path, fixed: place })
    }

    /// A number that no alternative between it and the one taken has, if there may be one left.
    fn least_next(&self, fork: &Fork) -> Option<i64> {
        match *fork {
            Fork::Branch { holds, .. } => holds.then_some(1),
            Fork::Value { variable, value } => {
                let is_reference = self.meanings[variable.0 as usize] == Meaning::Reference;
                let choices = self.choices(variable.0);
                let has_more = if is_reference {
                    value + 1 < choices.len() as i64
                } else {
                    let wide = self.meanings[variable.0 as usize] == Meaning::Long;
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

    /// What was left of the tree when the search was stopped.
    #[must_use]
    pub fn rest(&self) -> Option<&Span> {
        self.guide.rest.as_ref()
    }

    /// The alternatives taken: of a branch 0 if its condition holds, 1 if not; else the value or
    /// the number of the choice.
    fn path(&self) -> impl Iterator<Item = i64> {
        self.stack.iter().map(|node| match node.fork {
            Fork::Branch { holds, .. } => i64::from(!holds),
            Fork::Value { value, .. } => value,
            Fork::Choice { value, .. } => value.into(),
        })
    }

    /// The alternatives at the first fork past the path of the span; some may turn out not to be
    /// possible. None if the path leads to a leaf.
    ///
    /// # Errors
    /// The predicate cannot be called, or the span is of another search.
    pub fn alternatives(&mut self, vm: &mut Vm) -> Result<Vec<i64>, SearchError> {
        vm.set_symbolic(true);
        // Once they are known, the leaf need not be reached.
        let mut until_told = |search: &mut LazySearch<'_>| {
            if search.guide.is_told() {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        };
        let result = self.warm_up(vm, &mut until_told).and_then(|_| {
            self.guide.ask();
            let visit = &mut |_: &mut Vm, _: &Leaf, _: &mut LazySearch<'_>| ControlFlow::Break(());
            let end = self.walk_from_root(vm, &mut until_told, visit);
            let alternatives = self.guide.told();
            end.map(|_| alternatives)
        });
        vm.set_symbolic(false);
        result
    }

    /// The counts so far: `explored` are leaves.
    #[must_use]
    pub fn progress(&self) -> &Progress {
        &self.progress
    }

    /// An estimate of the share of the search that is behind, from 0 to 1: as if all sides of a
    /// fork led to equally many leaves.
    #[must_use]
    pub fn share_seen(&self) -> f64 {
        let (mut seen, mut width) = (0.0, 1.0);
        for node in &self.stack {
            let (before, all) = match node.fork {
                Fork::Branch { holds, .. } => (u32::from(!holds), 2),
                Fork::Value { variable, value } => {
                    let choices = self.choices(variable.0).len() as u32;
                    let below = self.choices(variable.0).iter();
                    let is_reference = self.meanings[variable.0 as usize] == Meaning::Reference;
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
            };
            width /= f64::from(all);
            seen += f64::from(before) * width;
        }
        seen
    }

    /// Visits every leaf, and of a cube (unless only counts are wanted) every structure, the
    /// machine standing at its end with all reachable fields set. A visitor that breaks off ends
    /// the search, as does `ask`, which is called now and then, also while a run of the predicate
    /// is under way. Afterwards the machine stands where it stood before.
    ///
    /// # Errors
    /// The predicate cannot be called.
    pub fn run(
        &mut self,
        vm: &mut Vm,
        mut ask: impl FnMut(&mut LazySearch<'_>) -> ControlFlow<()>,
        mut visit: impl FnMut(&mut Vm, &Leaf, &mut LazySearch<'_>) -> Visit,
    ) -> Result<End, SearchError> {
        // Visitors run on what is set.
        let mut visit = |vm: &mut Vm, leaf: &Leaf, search: &mut LazySearch<'_>| {
            vm.set_symbolic(false);
            let visited = visit(vm, leaf, search);
            vm.set_symbolic(true);
            visited
        };
        vm.set_symbolic(true);
        let result = self.warm_up(vm, &mut ask).and_then(|go_on| {
            if go_on.is_break() {
                self.guide.begin();
                self.stop();
                return Ok(End::Interrupted);
            }
            self.walk_from_root(vm, &mut ask, &mut visit)
        });
        vm.set_symbolic(false);
        result
    }

    fn walk_from_root(
        &mut self,
        vm: &mut Vm,
        ask: &mut Ask<'_>,
        visit: &mut impl FnMut(&mut Vm, &Leaf, &mut LazySearch<'_>) -> Visit,
    ) -> Result<End, SearchError> {
        let root = vm.mark();
        let (store, terms) = (self.machine.store.mark(), self.machine.terms.len());
        self.note_fixed(vm);
        self.open_all(vm);
        self.guide.begin();
        self.progress = Progress::default();
        self.taken = 0;
        self.is_dead = false;
        if let Some(classes) = &mut self.classes {
            classes.clear();
        }
        let result = self.walk(vm, ask, visit);
        if !matches!(result, Ok(End::Complete)) {
            self.stop();
        }
        vm.undo_to(root);
        vm.forget(root);
        self.machine.store.undo_to(store);
        self.machine.terms.truncate(terms);
        self.start_over();
        result
    }

    /// The place of the current structure, and what was counted before it.
    #[must_use]
    pub fn here(&self) -> (Span, Progress) {
        if self.taken == 0 {
            return self.guide.here(self.path());
        }
        // The structures of a cube are one more fork: their number is the alternative.
        let mut path: Vec<i64> = self.path().collect();
        path.push(self.taken as i64);
        let fixed = self.guide.span.fixed;
        (Span { path, fixed }, self.before.clone())
    }

    fn stop(&mut self) {
        let here = self.here();
        self.progress = self.guide.stop(here);
    }

    fn start_over(&mut self) {
        self.machine.open = None;
        self.machine.decided = None;
        self.turn = Rc::new(Turn::new(&self.cuts));
        self.stack.clear();
        self.used.fill(0);
        self.used_before.clear();
        self.chosen.fill(None);
    }

    fn walk(
        &mut self,
        vm: &mut Vm,
        ask: &mut Ask<'_>,
        visit: &mut impl FnMut(&mut Vm, &Leaf, &mut LazySearch<'_>) -> Visit,
    ) -> Result<End, SearchError> {
        vm.call(self.predicate, &[self.space.root.slot()])
            .map_err(|exit| SearchError::NotCallable(vm.exit_text(&exit)))?;
        let mut run = self.run_to_leaf(vm, ask);
        loop {
            let ControlFlow::Continue(leaf) = run else {
                return Ok(End::Interrupted);
            };
            if self.guide.misfits || leaf != Leaf::Valid && !self.guide.has_arrived() {
                return Err(SearchError::Misfit);
            }
            let start = vm.steps();
            let visited = match &leaf {
                _ if self.is_dead => ControlFlow::Continue(()),
                Leaf::Refused(exit) if self.is_real() => {
                    self.progress.count_refused(exit);
                    visit(vm, &leaf, self)
                }
                Leaf::Valid => match self.criterion() {
                    None => match self.visit_cube(vm, ask, visit)? {
                        Some(visited) => visited,
                        None => return Ok(End::Interrupted),
                    },
                    Some(criterion) => match self.visit_classes(criterion, vm, ask, visit)? {
                        None => ControlFlow::Continue(()),
                        Some(end) => return Ok(end),
                    },
                },
                _ => {
                    self.progress.explored += 1;
                    self.visit_other(vm, &leaf, visit)
                }
            };
            if visited.is_break() {
                return Ok(End::ByVisitor);
            }
            let visit_steps = vm.steps() - start;
            self.is_dead = false;
            let before = self.progress.clone();
            let Some(answer) = self.advance(vm) else {
                return Ok(End::Complete);
            };
            self.guide.set_out(self.stack.len(), before);
            self.unasked += LEAF + visit_steps;
            if self.unasked >= self.slice && self.asked(ask).is_break() {
                return Ok(End::Interrupted);
            }
            run = match answer {
                Some(answer) => ControlFlow::Continue(self.answered(vm, answer)),
                None => self.run_to_leaf(vm, ask),
            };
        }
    }

    fn visit_other(
        &mut self,
        vm: &mut Vm,
        leaf: &Leaf,
        visit: &mut impl FnMut(&mut Vm, &Leaf, &mut LazySearch<'_>) -> Visit,
    ) -> Visit {
        match leaf {
            Leaf::Threw(_) if self.is_real() => {
                self.progress.threw += 1;
                visit(vm, leaf, self)
            }
            _ => visit(vm, &Leaf::Invalid, self),
        }
    }

    #[cold]
    fn asked(&mut self, ask: &mut Ask<'_>) -> ControlFlow<()> {
        self.unasked = 0;
        ask(self)
    }

    /// Whether any structure takes this path: the store may have overlooked that none does.
    fn is_real(&mut self) -> bool {
        self.machine.store.solution(&[]).is_some()
    }

    /// Runs the predicate to its end, taking the first side of every fork.
    fn run_to_leaf(&mut self, vm: &mut Vm, ask: &mut Ask<'_>) -> ControlFlow<(), Leaf> {
        vm.limit_steps(self.step_limit.min(self.slice));
        let mut before = vm.steps();
        self.guide.rebased = false;
        let leaf = loop {
            if std::mem::take(&mut self.guide.rebased) {
                before = vm.steps();
                vm.limit_steps(self.step_limit.min(self.slice));
            }
            if self.is_dead {
                break Leaf::Invalid;
            }
            let left = self.step_limit.saturating_sub(vm.steps() - before);
            self.prepare(vm, left.min(self.slice));
            let exit = vm.run(&mut self.machine);
            let Some(exit) = self.take_turns(vm, exit) else {
                continue;
            };
            match exit {
                Exit::Branch => {
                    if let Some(condition) = self.machine.open.take() {
                        match self.merge(vm, &condition) {
                            Merged::Once => {}
                            Merged::Ended => break Leaf::Invalid,
                            Merged::Not => self.branch(vm, condition),
                        }
                    }
                }
                Exit::Symbolic(spot) => self.settle(vm, spot),
                Exit::Choice(entry) => self.choose_first(vm, entry, None),
                Exit::Done(answer) => break self.answered(vm, answer),
                Exit::Threw(exception) => break Leaf::Threw(exception),
                Exit::Limit(Limit::Steps) if vm.steps() - before < self.step_limit => {
                    if self.asked(ask).is_break() {
                        return ControlFlow::Break(());
                    }
                    let left = self.step_limit - (vm.steps() - before);
                    vm.limit_steps(left.min(self.slice));
                }
                exit => break Leaf::Refused(Box::new(exit)),
            }
        };
        vm.break_at(None);
        let steps = vm.steps() - before;
        self.unasked += steps;
        // What was answered with before a fork on the path is no part of this run.
        if !std::mem::take(&mut self.guide.rebased) {
            self.progress.steps += steps;
        }
        ControlFlow::Continue(leaf)
    }

    /// Chooses a value for what is open in a slot, or puts it there if all is chosen.
    fn settle(&mut self, vm: &mut Vm, spot: Spot) {
        let term = TermId(term_of(vm.slot_at(spot)).unwrap_or_default());
        match self.machine.open_variable(term) {
            Some(variable) => self.choose_value(vm, variable, None),
            None => {
                let value = heapwright_jvm::Machine::value(&mut self.machine, term.0);
                vm.settle_at(spot, value.unwrap_or_default());
            }
        }
    }

    /// The leaf for what the predicate returned.
    fn answered(&mut self, vm: &mut Vm, answer: u64) -> Leaf {
        if self.settled(vm, answer) as u32 == 0 {
            Leaf::Invalid
        } else {
            Leaf::Valid
        }
    }

    /// What a method returned, which may itself still be open: then it is chosen.
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

impl Search for LazySearch<'_> {
    fn progress(&self) -> &Progress {
        self.progress()
    }

    fn share_seen(&self) -> f64 {
        self.share_seen()
    }

    fn coverage(&self) -> Option<&Coverage> {
        self.coverage()
    }

    fn class(&self) -> Option<InClass> {
        self.classes.as_ref()?.current
    }

    fn stopped_in_criterion(&self) -> bool {
        let classes = self.classes.as_ref();
        classes.is_some_and(|classes| classes.is_stopped)
    }

    fn here(&self) -> (Span, Progress) {
        self.here()
    }

    fn split(&mut self) -> Option<Span> {
        self.split()
    }
}
