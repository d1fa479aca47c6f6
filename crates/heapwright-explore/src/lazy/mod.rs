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
use heapwright_jvm::{ClassId, Exit, Limit, MarkId, MethodId, Ref, Vm};
use heapwright_solve::count::Counter;
use heapwright_solve::{Count, Mark, TermId, Var};
use rustc_hash::FxHashMap;

use crate::depth_first::{Ask, Classified, Trail, Tree, Visitor};
use crate::progress::{End, Leaf, Progress, SearchError, Visit};
use crate::space::StateSpace;

pub use calls::{AtEnd, Cube};
use classes::Classes;
use cube::Open;
use machine::{Condition, LazyMachine, Meaning, integer};
use merge::Merged;
use passes::Turn;
use references::ReferenceCounter;
use start::meaning;

/// What was left open at a point of the path, and what is tried of it now.
enum Fork {
    /// A condition: first it holds, then it does not.
    Branch { condition: Condition, holds: bool },
    /// The value of a variable, ascending.
    Value { variable: Var, value: i64 },
    /// The value of an entry that is no variable: the number of a choice.
    Choice { entry: u32, value: u32 },
}

pub struct Node {
    fork: Fork,
    mark: MarkId,
    store: Mark,
    terms: usize,
    used: usize,
    /// What the predicate had answered before, if it had.
    answer: Option<u64>,
    turn: Rc<Turn>,
}

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
    trail: Trail<Node>,
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
    /// Whether the path has taken a side that is not possible.
    is_dead: bool,
    /// How many structures of the current cube were visited before this one, and what was counted
    /// before it.
    taken: u64,
    before: Progress,
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

    fn visit_other(&mut self, vm: &mut Vm, leaf: &Leaf, visit: &mut Visitor<'_, Self>) -> Visit {
        match leaf {
            Leaf::Threw(_) if self.is_real() => {
                self.trail.progress.threw += 1;
                visit(vm, leaf, self)
            }
            _ => visit(vm, &Leaf::Invalid, self),
        }
    }

    /// Whether any structure takes this path: the store may have overlooked that none does.
    fn is_real(&mut self) -> bool {
        self.machine.store.solution(&[]).is_some()
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

impl Tree for LazySearch<'_> {
    type Fork = Node;
    type Stop = Leaf;
    type Leaf = Leaf;
    type Error = SearchError;
    type Mark = (Mark, usize);

    const IS_SYMBOLIC: bool = true;
    const LEAF: u64 = 64;

    fn trail(&self) -> &Trail<Node> {
        &self.trail
    }

    fn trail_mut(&mut self) -> &mut Trail<Node> {
        &mut self.trail
    }

    /// Of a branch 0 if its condition holds, 1 if not; else the value or the number of the choice.
    fn taken(node: &Node) -> i64 {
        match node.fork {
            Fork::Branch { holds, .. } => i64::from(!holds),
            Fork::Value { value, .. } => value,
            Fork::Choice { value, .. } => value.into(),
        }
    }

    fn untaken(&self, fork: usize) -> Option<i64> {
        match self.trail.forks[fork].fork {
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

    fn place(&self, fork: usize) -> (u32, u32) {
        match self.trail.forks[fork].fork {
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
        self.turn = Rc::new(Turn::new(&self.cuts));
        self.used.fill(0);
        self.used_before.clear();
        self.chosen.fill(None);
        self.taken = 0;
        self.is_dead = false;
    }

    fn try_out(
        &mut self,
        vm: &mut Vm,
        ask: &mut Ask<'_, Self>,
        initialized: &mut Vec<ClassId>,
    ) -> Result<ControlFlow<()>, SearchError> {
        self.go_on_first_paths(vm, ask, initialized)
    }

    fn settle_in(&mut self, vm: &mut Vm) {
        self.cuts = self.find_cuts(vm).into();
        self.turn = Rc::new(Turn::new(&self.cuts));
    }

    fn run_to_leaf(
        &mut self,
        vm: &mut Vm,
        ask: &mut Ask<'_, Self>,
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
        self.trail.unasked += steps;
        // What was answered with before a fork on the path is no part of this run.
        if !std::mem::take(&mut self.trail.guide.rebased) {
            self.trail.progress.steps += steps;
        }
        Ok(ControlFlow::Continue(leaf))
    }

    fn meet(
        &mut self,
        vm: &mut Vm,
        leaf: Leaf,
        ask: &mut Ask<'_, Self>,
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
                self.trail.progress.count_refused(exit);
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
                self.trail.progress.explored += 1;
                self.visit_other(vm, &leaf, visit)
            }
        };
        if visited.is_break() {
            return Ok(Some(End::ByVisitor));
        }
        self.trail.unasked += vm.steps() - start;
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

    fn classified(&self) -> Option<Classified<'_>> {
        self.classes.as_ref().map(|classes| Classified {
            coverage: &classes.coverage,
            current: classes.current,
            is_stopped: classes.is_stopped,
            left_out: classes.left_out.as_deref(),
        })
    }
}
