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
mod cube;
mod machine;
mod merge;
mod references;

use std::ops::ControlFlow;

use heapwright_jvm::descriptor::Kind;
use heapwright_jvm::machine::{Spot, symbolic_slot, term_of};
use heapwright_jvm::{ClassId, Exit, Limit, MarkId, MethodId, Place, Ref, Vm};
use heapwright_solve::count::Counter;
use heapwright_solve::{Domain, Mark, TermId, Var};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::criterion::Coverage;
use crate::korat::{End, InClass, Leaf, Progress, SearchError, Visit};
use crate::search::Search;
use crate::space::{Choice, StateSpace};
use crate::span::{Guide, Guided, Span};

pub use calls::{AtEnd, Cube};
use cube::Open;
use machine::{Condition, LazyMachine, Meaning, integer};
use merge::Merged;
use references::ReferenceCounter;

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
    cube: Option<(Open, u64)>,
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
            counter: Counter::default(),
            progress: Progress::default(),
            slice: SLICE,
            unasked: 0,
            guide: Guide::default(),
            is_dead: false,
            taken: 0,
            before: Progress::default(),
            is_warm: false,
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
    pub fn progress(&self) -> Progress {
        self.progress
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
    /// The predicate cannot be called, or there are too many structures to count.
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
        (Span { path, fixed }, self.before)
    }

    fn stop(&mut self) {
        let here = self.here();
        self.progress = self.guide.stop(here);
    }

    fn start_over(&mut self) {
        self.machine.open = None;
        self.machine.decided = None;
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
            let visited = match &leaf {
                _ if self.is_dead => ControlFlow::Continue(()),
                Leaf::Refused(exit) if self.is_real() => {
                    if let Exit::Limit(limit) = **exit {
                        return Ok(End::Limit(limit));
                    }
                    self.progress.refused += 1;
                    visit(vm, &leaf, self)
                }
                Leaf::Valid => self.visit_cube(vm, visit)?,
                _ => {
                    self.progress.explored += 1;
                    self.visit_other(vm, &leaf, visit)
                }
            };
            if visited.is_break() {
                return Ok(End::ByVisitor);
            }
            self.is_dead = false;
            let before = self.progress;
            let Some(answer) = self.advance(vm) else {
                return Ok(End::Complete);
            };
            self.guide.set_out(self.stack.len(), before);
            self.unasked += LEAF;
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
            match vm.run(&mut self.machine) {
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

    fn push(&mut self, vm: &mut Vm, fork: Fork, answer: Option<u64>) {
        let store = self.machine.store.mark();
        self.push_since(vm, fork, answer, store);
    }

    /// As `push`, the store having stood at `store` before.
    fn push_since(&mut self, vm: &mut Vm, fork: Fork, answer: Option<u64>, store: Mark) {
        self.stack.push(Node {
            fork,
            mark: vm.mark(),
            store,
            terms: self.machine.terms.len(),
            used: self.used_before.len(),
            answer,
        });
        self.progress.choices += 1;
    }

    /// Splits the path on a condition that may hold for some of what is open and not for the rest.
    /// Where it cannot hold there is nothing to split; where it must, the other side is found to
    /// be impossible when its turn comes.
    fn fork(&mut self, vm: &mut Vm, condition: Condition) {
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
        if let Some(node) = self.stack.last_mut() {
            node.used = used;
        }
    }

    /// As `fork`, with the side that the path names.
    fn branch(&mut self, vm: &mut Vm, condition: Condition) {
        let top = self.stack.len();
        self.fork(vm, condition);
        if self.stack.len() == top {
            return;
        }
        let holds = match self.guide.next() {
            Guided::Path(alternative @ (0 | 1), _) => alternative == 0,
            Guided::Path(..) => {
                self.guide.misfits = true;
                true
            }
            Guided::Free if self.guide.is_asked() => self.guide.note(vec![0, 1]) == 0,
            Guided::Free => true,
        };
        if holds {
            return;
        }
        self.undo_to(vm, top);
        if let Fork::Branch { holds, .. } = &mut self.stack[top].fork {
            *holds = false;
        }
        let possible = self.take(vm, top);
        self.took_other(possible);
    }

    /// Another than the first side of a fork was taken: what led here was counted by whoever took
    /// the first, and what is not possible is no leaf.
    fn took_other(&mut self, possible: bool) {
        self.progress = Progress::default();
        self.guide.rebased = true;
        self.is_dead = !possible;
    }

    fn assume(&mut self, condition: &Condition, holds: bool) -> bool {
        let possible = self.machine.assume(condition, holds);
        if let Condition::OneOf(variable, _) = condition
            && possible
        {
            self.note_use(*variable);
        }
        possible
    }

    /// Counts the object that a reference has come to as used.
    fn note_use(&mut self, variable: Var) {
        if let Some(value) = self.machine.store.fixed(variable) {
            self.note_object(self.choices(variable.0)[value as usize]);
        }
    }

    fn note_object(&mut self, choice: Choice) {
        if let Some((domain, index)) = choice.object
            && index >= self.used[domain.0 as usize]
        {
            self.used_before
                .push((domain.0, self.used[domain.0 as usize]));
            self.used[domain.0 as usize] = index + 1;
        }
    }

    /// Fixes a variable to the least value it can take; the path is dead if there is none.
    fn choose_value(&mut self, vm: &mut Vm, variable: Var, answer: Option<u64>) {
        let Some(first) = self.next_value(variable, None) else {
            self.is_dead = true;
            return;
        };
        let value = match self.guide.next() {
            Guided::Path(item, is_last) => self.replayed(
                item,
                is_last,
                self.next_value(variable, Some(item.saturating_sub(1))),
            ),
            Guided::Free if self.guide.is_asked() => {
                let next = |&value: &i64| self.next_value(variable, Some(value));
                let values = std::iter::successors(Some(first), next).collect();
                Some(self.guide.note(values))
            }
            Guided::Free => Some(first),
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
            // No structure takes this path; the next value may be one.
            self.is_dead = true;
        }
    }

    /// The alternative for an item of the path: that itself, or of the last item the next one.
    fn replayed(&mut self, item: i64, is_last: bool, found: Option<i64>) -> Option<i64> {
        if !is_last && found != Some(item) {
            self.guide.misfits = true;
        }
        found
    }

    fn fix(&mut self, variable: Var, value: i64) -> bool {
        let possible = self.machine.store.restrict(variable, &[value], true);
        if possible && self.meanings[variable.0 as usize] == Meaning::Reference {
            self.note_use(variable);
        }
        possible
    }

    /// The value of a variable that is tried after `last`: of interchangeable objects that are not
    /// used yet only the first.
    fn next_value(&self, variable: Var, last: Option<i64>) -> Option<i64> {
        let is_reference = self.meanings[variable.0 as usize] == Meaning::Reference;
        let choices = self.choices(variable.0);
        self.machine.store.values(variable).find(|&value| {
            last.is_none_or(|last| value > last)
                && (!is_reference || self.is_open_to(choices[value as usize]))
        })
    }

    /// Whether an object can be chosen: it is used already, or the next one, or told apart.
    fn is_open_to(&self, choice: Choice) -> bool {
        choice.object.is_none_or(|(domain, index)| {
            index <= self.used[domain.0 as usize]
                || !self.space.class_domains[domain.0 as usize].in_isomorphism_check
        })
    }

    fn choices(&self, entry: u32) -> &'a [Choice] {
        match self.space.entries.get(entry as usize) {
            Some(entry) => &self.space.domains[entry.domain as usize].choices,
            // An argument of a call.
            None => &[],
        }
    }

    fn choose_first(&mut self, vm: &mut Vm, entry: u32, answer: Option<u64>) {
        let value = match self.guide.next() {
            Guided::Path(item, is_last) => {
                let found = self.open_choices(entry).find(|&value| value >= item);
                self.replayed(item, is_last, found)
            }
            Guided::Free if self.guide.is_asked() => {
                let values = self.open_choices(entry).collect();
                Some(self.guide.note(values))
            }
            Guided::Free => Some(0),
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

    /// The numbers of the choices that can be made of an entry now.
    fn open_choices(&self, entry: u32) -> impl Iterator<Item = i64> {
        let choices = (0_i64..).zip(self.choices(entry));
        choices
            .filter(|&(_, &choice)| self.is_open_to(choice))
            .map(|(number, _)| number)
    }

    fn choose(&mut self, vm: &mut Vm, entry: u32, value: u32) {
        let place = &self.space.entries[entry as usize];
        let slot = self.choices(entry)[value as usize].slot;
        vm.choose(place.object, place.place, slot);
        self.chosen[entry as usize] = Some(value);
        self.note_object(self.choices(entry)[value as usize]);
    }

    fn undo_to(&mut self, vm: &mut Vm, place: usize) {
        let node = &self.stack[place];
        vm.undo_to(node.mark);
        self.machine.store.undo_to(node.store);
        self.machine.terms.truncate(node.terms);
        self.forget_use(node.used);
    }

    fn forget_use(&mut self, kept: usize) {
        while self.used_before.len() > kept {
            if let Some((domain, before)) = self.used_before.pop() {
                self.used[domain as usize] = before;
            }
        }
    }

    /// Goes to the next side of the newest fork that has one; what the predicate had answered
    /// before that fork, if it had. `None` if nothing is left.
    fn advance(&mut self, vm: &mut Vm) -> Option<Option<u64>> {
        self.advance_above(vm, self.guide.span.fixed)
    }

    /// As `advance`, for the forks above `floor` alone.
    fn advance_above(&mut self, vm: &mut Vm, floor: usize) -> Option<Option<u64>> {
        while self.stack.len() > floor {
            let top = self.stack.len() - 1;
            self.machine.store.undo_to(self.stack[top].store);
            let next = match &self.stack[top].fork {
                Fork::Branch { holds: false, .. } => None,
                Fork::Branch { condition, .. } => Some(Fork::Branch {
                    condition: condition.clone(),
                    holds: false,
                }),
                &Fork::Value { variable, value } => {
                    // Values are looked for as things stood when the first was chosen.
                    self.forget_use(self.stack[top].used);
                    self.next_value(variable, Some(value))
                        .map(|value| Fork::Value { variable, value })
                }
                &Fork::Choice { entry, value } => {
                    self.forget_use(self.stack[top].used);
                    (value + 1..self.choices(entry).len() as u32)
                        .find(|&value| self.is_open_to(self.choices(entry)[value as usize]))
                        .map(|value| Fork::Choice { entry, value })
                }
            };
            let Some(fork) = next else {
                if let Fork::Choice { entry, .. } = self.stack[top].fork {
                    self.chosen[entry as usize] = None;
                }
                self.stack.pop();
                continue;
            };
            self.undo_to(vm, top);
            self.stack[top].fork = fork;
            if self.take(vm, top) {
                return Some(self.stack[top].answer);
            }
        }
        None
    }

    /// Does what a fork says now; false if that turns out not to be possible.
    fn take(&mut self, vm: &mut Vm, place: usize) -> bool {
        match &self.stack[place].fork {
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

    /// Makes every entry open.
    fn open_all(&self, vm: &mut Vm) {
        for (number, entry) in (0_u32..).zip(&self.space.entries) {
            let choices = &self.space.domains[entry.domain as usize].choices;
            let first = entry.fixed.map_or(choices[0].slot, Ref::slot);
            if entry.fixed.is_some() || !matches!(entry.place, Place::Field(_)) {
                vm.choose(entry.object, entry.place, first);
            }
            if entry.fixed.is_some() {
                vm.skip_variable();
            } else if self.meanings[number as usize] == Meaning::Chosen {
                vm.add_variable(entry.object, entry.place);
            } else {
                vm.set_symbolic_place(entry.object, entry.place, symbolic_slot(number));
            }
        }
    }

    /// Runs the predicate once, taking the first sides, and goes back; then initialises the JDK's
    /// classes it needed, for good: what their initialisers do shows nowhere.
    fn warm_up(&mut self, vm: &mut Vm, ask: &mut Ask<'_>) -> Result<ControlFlow<()>, SearchError> {
        if self.is_warm {
            return Ok(ControlFlow::Continue(()));
        }
        let span = std::mem::take(&mut self.guide.span);
        self.guide.begin();
        let mark = vm.mark();
        let start = (self.machine.store.mark(), self.machine.terms.len());
        self.open_all(vm);
        let called = vm.call(self.predicate, &[self.space.root.slot()]);
        let mut classes: Vec<ClassId> = Vec::new();
        let mut answer = ControlFlow::Continue(());
        if called.is_ok() {
            if self.run_to_leaf(vm, ask).is_break() {
                answer = ControlFlow::Break(());
            }
            classes = vm.initialized_library_classes();
        }
        vm.undo_to(mark);
        vm.forget(mark);
        vm.abandon();
        self.machine.store.undo_to(start.0);
        self.machine.terms.truncate(start.1);
        self.start_over();
        self.guide.span = span;
        self.progress = Progress::default();
        called.map_err(|exit| SearchError::NotCallable(vm.exit_text(&exit)))?;
        for class in classes {
            // A failure shows again, in its place, when the predicate is run.
            let _ = vm.initialize_now(class);
        }
        self.is_warm = answer.is_continue();
        Ok(answer)
    }
}

impl Search for LazySearch<'_> {
    fn progress(&self) -> Progress {
        self.progress()
    }

    fn share_seen(&self) -> f64 {
        self.share_seen()
    }

    fn coverage(&self) -> Option<&Coverage> {
        None
    }

    fn class(&self) -> Option<InClass> {
        None
    }

    fn stopped_in_criterion(&self) -> bool {
        false
    }

    fn here(&self) -> (Span, Progress) {
        self.here()
    }

    fn split(&mut self) -> Option<Span> {
        self.split()
    }
}

/// What stands for an entry in the store.
fn meaning(space: &StateSpace, entry: usize) -> Meaning {
    let entry = &space.entries[entry];
    let domain = &space.domains[entry.domain as usize];
    if entry.fixed.is_some() || entry.place == Place::Length || entry.is_shared {
        return Meaning::Chosen;
    }
    let wide = match domain.kind {
        // Where objects are told apart but tried in the order of their first use, that order is
        // the order in which the entries are read.
        Kind::Reference => {
            let is_free = |choice: &Choice| {
                choice.object.is_none_or(|(domain, _)| {
                    let domain = &space.class_domains[domain.0 as usize];
                    domain.is_uniform || !domain.in_isomorphism_check
                })
            };
            return if domain.choices.iter().all(is_free) {
                Meaning::Reference
            } else {
                Meaning::Chosen
            };
        }
        Kind::Float | Kind::Double | Kind::Void => return Meaning::Chosen,
        Kind::Long => true,
        _ => false,
    };
    let values = || {
        domain
            .choices
            .iter()
            .map(|choice| integer(choice.slot, wide))
    };
    let distinct: FxHashSet<i64> = values().collect();
    // Two choices of one value are two candidates, which a set of values does not say.
    if distinct.len() < domain.choices.len() || Domain::new(values()).is_none() {
        Meaning::Chosen
    } else if wide {
        Meaning::Long
    } else {
        Meaning::Int
    }
}
