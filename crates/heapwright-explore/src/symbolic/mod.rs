//! Search over the paths of a method whose inputs are symbolic.
//!
//! Primitive inputs keep their full range; what is asked of them is decided by the solver. Inputs
//! of reference type are made as the run comes to look at them (`inputs`). A leaf is a path: the
//! conditions under which it is taken, and how the run ends.
//!
//! Invariants: every input within the bounds takes exactly one path; a path depends on the method,
//! the bounds and the limits alone, so that it is the same wherever it is walked. Where the solver
//! cannot tell whether a side is possible it is taken for possible, and the path is marked.

mod arithmetic;
mod forks;
mod inputs;
mod machine;
mod names;
mod predicate;
mod references;
mod said;
mod steering;
mod store;
mod strings;
mod unbounded;
mod visits;

use std::ops::ControlFlow;

use heapwright_jvm::descriptor::Kind;
use heapwright_jvm::machine::term_of;
use heapwright_jvm::{ClassId, Exit, Limit, MarkId, MethodId, Ref, Vm};
use heapwright_solve::smt::{Pool, Term, Verdict};

use crate::korat::{End, Progress};
use crate::span::{Guide, Span};

pub use heapwright_solve::smt::{Assignment, Limits, SolverError, Statistics, Stopper};

pub use inputs::{Alternative, Beyond, Bounds, InputObject, Universe};
use inputs::{Inputs, Target};
pub use machine::{Decision, Variable};
use machine::{MachineMark, REFERENCES, SymbolicMachine};
pub use names::Name;
pub use steering::Steering;
pub use store::Store;
use visits::Visits;

/// Instructions between two questions whether to go on: some hundredths of a second.
const SLICE: u64 = 1_000_000;
/// Most paths run before the search.
const WARM_UP: u32 = 32;
/// Most work of the solver before the search, past which no further path is run.
const WARM_UP_WORK: u64 = 20_000;
/// What a leaf counts towards a slice besides its instructions.
const LEAF: u64 = 5_000;
/// What a unit of the solver's work counts towards a slice.
const WORK: u64 = 10;

/// What is run: a method and what its inputs are.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The method.
    pub method: MethodId,
    /// Its receiver.
    pub receiver: Receiver,
    /// The descriptors of the parameters.
    pub parameters: Vec<String>,
    /// The parameters' names.
    pub names: Vec<String>,
    /// A predicate of the receiver without parameters: only receivers for which it returns 1, not
    /// 0, are inputs. It runs before the method, and its loops are not bounded.
    pub precondition: Option<MethodId>,
    /// Whether it is a predicate: on a path on which it returns 1, not 0, all references that it
    /// looked at are chosen; paths come without a model.
    pub is_predicate: bool,
}

/// What a method is called on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Receiver {
    /// Nothing: it is static.
    None,
    /// An input of this class, which has instances.
    Open(ClassId),
    /// A new object of this class, for a constructor.
    Blank(ClassId),
}

/// How a path ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The method returned; its slot, 0 if void.
    Returned(u64),
    /// It threw this exception.
    Threw(Ref),
    /// It was not followed further, because of this bound.
    Bounded(Bound),
    /// A limit of one run was reached.
    Limit(Limit),
    /// The run came upon something that is refused.
    Refused(String),
}

/// Why a path was not followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Bound {
    /// [`Bounds::loops`]
    Loops,
    /// [`Bounds::decisions`]
    Decisions,
    /// [`Bounds::values`]
    Values,
}

/// A path, at whose end the machine stands.
#[derive(Clone, Debug)]
pub struct PathEnd {
    /// How the run ended.
    pub outcome: Outcome,
    /// Values under which it goes this way; `None` if the solver found none in its limits, and of
    /// a predicate's path.
    pub model: Option<Assignment>,
    /// Sides on the path of which the solver could not tell whether they are possible.
    pub unknown: u32,
    /// Values that had to be fixed where a term would have gone on.
    pub fixed: u32,
}

/// What is tried at a fork.
enum Fork {
    /// A condition: first it holds, then it does not.
    Branch { condition: Term, fails: Verdict },
    /// The value of a term: those tried; whether there are more.
    Value {
        term: Term,
        tried: Vec<u64>,
        has_more: bool,
    },
    /// What a reference comes to.
    Reference { number: u32, targets: Vec<Target> },
    /// Whether a reference is one of some objects: first it is not, then it is.
    Among { number: u32, objects: Vec<Ref> },
}

struct Node {
    fork: Fork,
    /// The number of the alternative taken.
    taken: i64,
    mark: MarkId,
    machine: MachineMark,
    inputs: usize,
    visits: Visits,
    /// Instructions of the path up to here.
    steps: u64,
    unknown: u32,
    fixed: u32,
    holds: bool,
    is_before: bool,
}

/// What ends the way to a leaf.
enum Stop {
    Leaf(Outcome),
    /// No input takes the path.
    Dead,
}

/// The question whether a search is to go on.
type Ask<'f> = dyn FnMut(&mut SymbolicSearch<'_>) -> ControlFlow<()> + 'f;

/// What is done with a path.
type Visit<'f> = dyn FnMut(&mut Vm, &PathEnd, &mut SymbolicSearch<'_>) -> ControlFlow<()> + 'f;

/// Why a search could not go on.
#[derive(Debug, thiserror::Error)]
pub enum SymbolicError {
    /// The method cannot be called.
    #[error("the method cannot be run: {0}")]
    NotCallable(String),
    /// The solver cannot be used.
    #[error(transparent)]
    Solver(#[from] SolverError),
    /// The search was to start at a path that its tree does not have.
    #[error("the prefix leads to choices that this search does not make")]
    Misfit,
}

/// A search over the paths of a method.
pub struct SymbolicSearch<'a> {
    entry: &'a Entry,
    universe: &'a dyn Universe,
    bounds: Bounds,
    step_limit: u64,
    machine: SymbolicMachine,
    inputs: Inputs,
    /// The slots of the receiver, if there is one, and of the parameters.
    roots: Vec<u64>,
    /// The slots of the method's arguments.
    arguments: Vec<u64>,
    stack: Vec<Node>,
    visits: Visits,
    /// Instructions since the run stopped.
    ran: u64,
    /// The instructions that had been run when the path began, had it been run without going back.
    begun: u64,
    unknown: u32,
    fixed: u32,
    /// Whether the predicate has said yes, and references that it looked at are chosen.
    holds: bool,
    /// Whether the precondition runs, not yet the method.
    is_before: bool,
    beyond: Beyond,
    /// Where values had to be fixed, with how often.
    fixed_at: std::collections::BTreeMap<String, u64>,
    progress: Progress,
    guide: Guide,
    unasked: u64,
    /// Questions to the solver that were counted, or are somebody else's to count.
    counted: u64,
    is_warm: bool,
}

impl<'a> SymbolicSearch<'a> {
    /// A search over the paths of `entry`. One run may take `step_limit` instructions.
    #[must_use]
    pub fn new(
        entry: &'a Entry,
        universe: &'a dyn Universe,
        bounds: Bounds,
        limits: Limits,
        step_limit: u64,
    ) -> SymbolicSearch<'a> {
        SymbolicSearch {
            entry,
            universe,
            bounds,
            step_limit,
            machine: SymbolicMachine::new(limits, &bounds, entry.is_predicate),
            inputs: Inputs::default(),
            roots: Vec::new(),
            arguments: Vec::new(),
            stack: Vec::new(),
            visits: Visits::default(),
            ran: 0,
            begun: 0,
            unknown: 0,
            fixed: 0,
            holds: false,
            is_before: false,
            beyond: Beyond::default(),
            fixed_at: std::collections::BTreeMap::new(),
            progress: Progress::default(),
            guide: Guide::default(),
            unasked: 0,
            counted: 0,
            is_warm: false,
        }
    }

    /// From now on this ends the question that the solver is at, and with it the search.
    pub fn stop_by(&mut self, stopper: Stopper) {
        self.machine.solver.stop_by(stopper);
    }

    /// From now on this says where paths may go.
    pub fn steer(&mut self, steering: Box<dyn Steering>) {
        self.machine.steering = Some(steering);
    }

    /// Searches this part of the tree only.
    pub fn start_at(&mut self, span: Span) {
        self.guide.span = span;
    }

    /// What was left of the tree when the search was stopped.
    #[must_use]
    pub fn rest(&self) -> Option<&Span> {
        self.guide.rest.as_ref()
    }

    /// The counts so far: `explored` are paths.
    #[must_use]
    pub fn progress(&self) -> &Progress {
        &self.progress
    }

    /// What the solver was asked.
    #[must_use]
    pub fn statistics(&self) -> &Statistics {
        self.machine.solver.statistics()
    }

    /// Where values had to be fixed where a term would have gone on, with how often.
    #[must_use]
    pub fn fixed_at(&self) -> &std::collections::BTreeMap<String, u64> {
        &self.fixed_at
    }

    /// As [`SymbolicSearch::fixed_at`]; it counts anew from here on.
    pub fn take_fixed_at(&mut self) -> std::collections::BTreeMap<String, u64> {
        std::mem::take(&mut self.fixed_at)
    }

    /// What inputs there would be with larger bounds; it looks anew from here on.
    pub fn take_beyond(&mut self) -> Beyond {
        std::mem::take(&mut self.beyond)
    }

    /// How many new objects the input has in all, and of the class of which it has most; strings
    /// and boxes do not count.
    #[must_use]
    pub fn counts(&self) -> (u32, u32) {
        self.inputs.counts()
    }

    /// Values under which the path at whose end the search stands is taken; `None` if the solver
    /// finds none in its limits. Numbers are from 0 up to below `wanted`, as far as that goes one
    /// by one, in the order in which they were made.
    ///
    /// # Errors
    /// The solver cannot be used.
    pub fn small_model(&mut self, wanted: u32) -> Result<Option<Assignment>, SolverError> {
        for place in 0..self.machine.variables.len() {
            for bound in self.machine.range(place, wanted) {
                let decision = self.machine.solver.decide(&self.machine.pool, bound)?;
                if decision.holds == Verdict::Sat && decision.fails != Verdict::Unsat {
                    self.machine.require(bound);
                }
            }
        }
        self.machine.solver.model(&self.machine.pool)
    }

    /// The terms of the path.
    #[must_use]
    pub fn pool(&self) -> &Pool {
        &self.machine.pool
    }

    /// The variables of the path.
    #[must_use]
    pub fn variables(&self) -> &[Variable] {
        &self.machine.variables
    }

    /// What was decided on the path, oldest first.
    #[must_use]
    pub fn decisions(&self) -> &[Decision] {
        &self.machine.decisions
    }

    /// The conditions of the path, those of the inputs' bounds among them.
    #[must_use]
    pub fn conditions(&self) -> &[Term] {
        self.machine.solver.conditions()
    }

    /// The slots of the receiver, if that is an input, and of the parameters, at the start.
    #[must_use]
    pub fn roots(&self) -> &[u64] {
        &self.roots
    }

    /// The input objects of the path, in the order in which they were made.
    #[must_use]
    pub fn input_objects(&self) -> &[InputObject] {
        &self.inputs.objects
    }

    /// What a slot holds under a model: bits, an object's reference, or null. A reference that
    /// was never looked at is null if the model says so, else `None`: any object will do.
    #[must_use]
    pub fn value(&self, slot: u64, model: &Assignment) -> Option<u64> {
        let slot = self.machine.references.current(slot);
        let Some(number) = term_of(slot) else {
            return Some(slot);
        };
        if let Some(fixed) = self.machine.fixed(number) {
            return Some(fixed);
        }
        if number < REFERENCES {
            return Some(self.pool().evaluate(Term::from_number(number), model));
        }
        if let Some(open) = self.machine.references.open(number) {
            return (self.pool().evaluate(open.is_null, model) == 1).then_some(0);
        }
        let alternatives = self.machine.references.alternatives(number);
        let holds = |&&(condition, _): &&(Term, u64)| self.pool().evaluate(condition, model) == 1;
        let (_, slot) = alternatives.iter().find(holds)?;
        self.value(*slot, model)
    }

    /// Whether the path looked at a slot of reference type, be it only whether it is null.
    #[must_use]
    pub fn was_read(&self, slot: u64) -> bool {
        let references = &self.machine.references;
        term_of(slot).is_none_or(|number| {
            references.chosen(number).is_some()
                || references
                    .open(number)
                    .is_some_and(|open| self.machine.settled(open.is_null).is_some())
        })
    }

    /// The class of what an open reference stands for.
    #[must_use]
    pub fn bound_of(&self, slot: u64) -> Option<ClassId> {
        let number = inputs::reference_in(&self.machine, slot)?;
        if self.machine.references.text(number).is_some() {
            return Some(self.machine.references.string_class);
        }
        Some(self.machine.references.open(number)?.bound)
    }

    /// The term of a symbolic slot of primitive kind.
    #[must_use]
    pub fn term_of(&self, slot: u64) -> Option<Term> {
        let number = term_of(slot).filter(|&number| number < REFERENCES)?;
        Some(Term::from_number(number))
    }

    /// Gives away what is untried at the oldest fork with something left; `None` if there is none.
    pub fn split(&mut self) -> Option<Span> {
        if !self.is_warm || !self.guide.has_arrived() {
            return None;
        }
        let from = self.guide.span.fixed;
        let place = (from..self.stack.len()).find(|&place| self.has_more(&self.stack[place]))?;
        let mut path: Vec<i64> = self.path().take(place).collect();
        path.push(self.stack[place].taken + 1);
        self.guide.span.fixed = place + 1;
        Some(Span { path, fixed: place })
    }

    fn has_more(&self, node: &Node) -> bool {
        match &node.fork {
            Fork::Branch { .. } | Fork::Among { .. } => node.taken == 0,
            Fork::Value { has_more, .. } => *has_more,
            Fork::Reference { targets, .. } => (node.taken as usize) + 1 < targets.len(),
        }
    }

    fn path(&self) -> impl Iterator<Item = i64> {
        self.stack.iter().map(|node| node.taken)
    }

    /// Where the search stands, and what was counted before.
    #[must_use]
    pub fn here(&self) -> (Span, Progress) {
        self.guide.here(self.path())
    }

    /// An estimate of the share of the search that is behind, from 0 to 1.
    #[must_use]
    pub fn share_seen(&self) -> f64 {
        let (mut seen, mut width) = (0.0, 1.0);
        for node in &self.stack {
            let all = match &node.fork {
                Fork::Branch { .. } | Fork::Among { .. } => 2,
                Fork::Value { .. } => self.bounds.values.max(1) as usize,
                Fork::Reference { targets, .. } => targets.len().max(1),
            };
            width /= all as f64;
            seen += node.taken as f64 * width;
        }
        seen
    }

    /// Visits every path, the machine standing at its end. A visitor that breaks off ends the
    /// search, as does `ask`, which is called now and then. Afterwards the machine stands where it
    /// stood before.
    ///
    /// # Errors
    /// The method cannot be called, the solver cannot be used, or the span is of another search.
    pub fn run(
        &mut self,
        vm: &mut Vm,
        ask: &mut Ask<'_>,
        visit: &mut Visit<'_>,
    ) -> Result<End, SymbolicError> {
        vm.set_symbolic(true);
        let result = self.warm_up(vm, ask).and_then(|()| {
            self.guide.begin();
            self.progress = Progress::default();
            if let Some(steering) = &mut self.machine.steering {
                steering.begin();
            }
            let result = self.below_root(vm, &mut |search, vm| {
                search.walk(vm, ask, visit).or_else(interrupted)
            });
            if !matches!(result, Ok(End::Complete)) {
                let here = self.here();
                self.progress = self.guide.stop(here);
            }
            self.stack.clear();
            result
        });
        vm.set_symbolic(false);
        result.or_else(interrupted)
    }

    /// Does something with the inputs made and the method called, and goes back.
    fn below_root<T>(
        &mut self,
        vm: &mut Vm,
        work: &mut dyn FnMut(&mut Self, &mut Vm) -> Result<T, SymbolicError>,
    ) -> Result<T, SymbolicError> {
        let root = vm.mark();
        let machine = self.machine.mark();
        self.begun = vm.steps();
        let result = self.call(vm).and_then(|()| work(self, vm));
        vm.undo_to(root);
        vm.forget(root);
        vm.abandon();
        self.machine.undo_to(&machine);
        self.inputs.objects.clear();
        self.visits = Visits::default();
        self.ran = 0;
        (self.unknown, self.fixed, self.holds) = (0, 0, false);
        self.is_before = false;
        result
    }

    /// Runs some paths and goes back; then initialises the JDK's classes it needed, for good: what
    /// their initialisers do shows nowhere.
    fn warm_up(&mut self, vm: &mut Vm, ask: &mut Ask<'_>) -> Result<(), SymbolicError> {
        if self.is_warm {
            return Ok(());
        }
        let span = std::mem::take(&mut self.guide.span);
        self.guide.begin();
        let mut initialized: Vec<ClassId> = Vec::new();
        let walked = self.below_root(vm, &mut |search, vm| {
            for _ in 0..WARM_UP {
                let run = search.run_to_leaf(vm, ask)?;
                initialized.extend(vm.initialized_library_classes());
                let is_enough = search.statistics().work > WARM_UP_WORK;
                if run.is_break() || is_enough || search.advance(vm)?.is_none() {
                    break;
                }
            }
            Ok(())
        });
        self.stack.clear();
        self.guide.span = span;
        self.fixed_at.clear();
        self.beyond = Beyond::default();
        walked?;
        for class in initialized {
            // A failure shows again, in its place, when the method is run.
            let _ = vm.initialize_now(class);
        }
        self.is_warm = true;
        Ok(())
    }

    /// Makes the inputs and calls the method.
    fn call(&mut self, vm: &mut Vm) -> Result<(), SymbolicError> {
        let not_callable = |vm: &Vm, exit: &Exit| SymbolicError::NotCallable(vm.exit_text(exit));
        let references = &mut self.machine.references;
        for (name, class) in [
            ("java/lang/Object", &mut references.object_class),
            ("java/lang/String", &mut references.string_class),
        ] {
            if let Ok(loaded) = vm.load_class(name) {
                *class = loaded;
            }
        }
        self.roots.clear();
        let mut slots = Vec::new();
        let receiver = match self.entry.receiver {
            Receiver::None => Ok(None),
            Receiver::Blank(class) => inputs::new_object(vm, class).map(Some),
            Receiver::Open(class) => {
                let (machine, name) = (&mut self.machine, "this".to_owned().into());
                let made = self.inputs.make(vm, machine, class, name, &self.bounds);
                // That there is a receiver is no decision.
                self.machine.decisions.clear();
                made.map(Some)
            }
        };
        let receiver = receiver.map_err(|exit| not_callable(vm, &exit))?;
        if let Some(receiver) = receiver {
            slots.push(receiver.slot());
            if matches!(self.entry.receiver, Receiver::Open(_)) {
                self.roots.push(receiver.slot());
            }
        }
        for (parameter, name) in self.entry.parameters.iter().zip(&self.entry.names) {
            let name = name.clone().into();
            let slot = Inputs::open(vm, &mut self.machine, parameter, name);
            self.roots.push(slot);
            slots.push(slot);
            if Kind::of(parameter).words() == 2 {
                slots.push(0);
            }
        }
        let called = match self.entry.precondition {
            Some(predicate) => {
                self.is_before = true;
                vm.call(predicate, &slots[..1])
            }
            None => vm.call(self.entry.method, &slots),
        };
        self.arguments = slots;
        called.map_err(|exit| not_callable(vm, &exit))
    }

    /// The precondition is decided: calls the method if it holds.
    fn after_precondition(
        &mut self,
        vm: &mut Vm,
        exit: Exit,
    ) -> Result<Option<Stop>, SymbolicError> {
        let Exit::Done(answer) = exit else {
            return Ok(Some(Stop::Dead));
        };
        if !self.is_yes(answer)? {
            return Ok(Some(Stop::Dead));
        }
        self.is_before = false;
        vm.call(self.entry.method, &self.arguments)
            .map_err(|exit| SymbolicError::NotCallable(vm.exit_text(&exit)))?;
        Ok(None)
    }

    fn walk(
        &mut self,
        vm: &mut Vm,
        ask: &mut Ask<'_>,
        visit: &mut Visit<'_>,
    ) -> Result<End, SymbolicError> {
        let mut run = self.run_to_leaf(vm, ask)?;
        loop {
            let ControlFlow::Continue(stop) = run else {
                return Ok(End::Interrupted);
            };
            if self.guide.misfits {
                return Err(SymbolicError::Misfit);
            }
            if let Stop::Leaf(outcome) = stop
                && self.end_path(vm, outcome, visit)?.is_break()
            {
                return Ok(End::ByVisitor);
            }
            let steering = self.machine.steering.as_ref();
            if steering.is_some_and(|steering| steering.is_over()) {
                return Ok(End::ByVisitor);
            }
            let before = self.progress.clone();
            let Some(next) = self.advance(vm)? else {
                return Ok(End::Complete);
            };
            self.guide.set_out(self.stack.len(), before);
            self.unasked += LEAF;
            if self.unasked >= SLICE {
                self.unasked = 0;
                if ask(self).is_break() {
                    return Ok(End::Interrupted);
                }
            }
            run = match next {
                None => self.run_to_leaf(vm, ask)?,
                Some(stop) => ControlFlow::Continue(stop),
            };
        }
    }

    /// Hands a path to the visitor, unless no input takes it.
    fn end_path(
        &mut self,
        vm: &mut Vm,
        outcome: Outcome,
        visit: &mut Visit<'_>,
    ) -> Result<ControlFlow<()>, SymbolicError> {
        self.progress.explored += 1;
        let mut model = None;
        if !self.entry.is_predicate {
            model = self.machine.solver.model(&self.machine.pool)?;
        }
        if matches!(outcome, Outcome::Refused(_)) {
            self.progress.refused += 1;
        }
        let end = PathEnd {
            outcome,
            model,
            unknown: self.unknown,
            fixed: self.fixed,
        };
        vm.set_symbolic(false);
        let visited = visit(vm, &end, self);
        vm.set_symbolic(true);
        self.counted = self.statistics().queries;
        Ok(visited)
    }

    /// Runs to the end of a path, taking the first side of every fork.
    fn run_to_leaf(
        &mut self,
        vm: &mut Vm,
        ask: &mut Ask<'_>,
    ) -> Result<ControlFlow<(), Stop>, SymbolicError> {
        let mut start = vm.steps();
        let mut work = self.statistics().work;
        self.limit_steps(vm);
        let stop = loop {
            if self.holds {
                match self.choose_what_is_left(vm)? {
                    None => continue,
                    Some(stop) => break stop,
                }
            }
            let before = vm.steps();
            let exit = vm.run(&mut self.machine);
            self.ran += vm.steps() - before;
            if matches!(exit, Exit::Branch | Exit::Symbolic(_)) {
                self.visits.stop(std::mem::take(&mut self.ran));
            }
            let went = match exit {
                Exit::Branch => match self.machine.open.take() {
                    Some(condition) => self.branch(vm, condition)?,
                    None => self.split_among(vm)?,
                },
                Exit::Symbolic(spot) => self.fix(vm, spot)?,
                Exit::Aside(number, value) => {
                    self.end_aside(vm, number, value);
                    None
                }
                Exit::Pruned => Some(Stop::Dead),
                exit @ (Exit::Done(_) | Exit::Threw(_)) if self.is_before => {
                    self.after_precondition(vm, exit)?
                }
                Exit::Done(answer) if self.entry.is_predicate => self.answer(answer)?,
                Exit::Done(answer) => Some(Stop::Leaf(Outcome::Returned(answer))),
                Exit::Threw(exception) => Some(Stop::Leaf(Outcome::Threw(exception))),
                Exit::Limit(Limit::Steps) if vm.steps() - self.begun < self.step_limit => {
                    if ask(self).is_break() {
                        return Ok(ControlFlow::Break(()));
                    }
                    None
                }
                Exit::Limit(limit) => Some(Stop::Leaf(Outcome::Limit(limit))),
                exit => Some(Stop::Leaf(Outcome::Refused(vm.exit_text(&exit)))),
            };
            if let Some(stop) = went {
                break stop;
            }
            let before = std::mem::replace(&mut work, self.statistics().work);
            self.unasked += (work - before) * WORK;
            if self.unasked >= SLICE {
                self.unasked = 0;
                if ask(self).is_break() {
                    return Ok(ControlFlow::Break(()));
                }
            }
            // What led to another than a first side was counted by whoever took that.
            if std::mem::take(&mut self.guide.rebased) {
                start = vm.steps();
                self.counted = self.statistics().queries;
            }
            self.limit_steps(vm);
        };
        self.count_steps(vm, start);
        let queries = self.statistics().queries;
        self.progress.queries += queries - self.counted;
        self.counted = queries;
        Ok(ControlFlow::Continue(stop))
    }

    /// Lets the machine run for a slice, or until the path has as many instructions as it may.
    fn limit_steps(&self, vm: &mut Vm) {
        let left = self.step_limit.saturating_sub(vm.steps() - self.begun);
        vm.limit_steps(left.min(SLICE));
    }

    fn count_steps(&mut self, vm: &Vm, start: u64) {
        let steps = vm.steps() - start;
        self.progress.steps += steps;
        self.unasked += steps;
    }
}

/// The end of a search whose solver was stopped.
fn interrupted(error: SymbolicError) -> Result<End, SymbolicError> {
    match error {
        SymbolicError::Solver(SolverError::Stopped) => Ok(End::Interrupted),
        error => Err(error),
    }
}
