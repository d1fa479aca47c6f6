//! Statements run one after the other, on open values: which one comes last is a choice.
//!
//! The statements that lead up to it are those of a path known before. How the questions on that path
//! were decided comes with them, so that nothing is solved twice.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

use heapwright_jvm::descriptor::Kind;
use heapwright_jvm::machine::term_of;
use heapwright_jvm::{ClassId, Exit, Limit, MethodId, Ref, Spot, Vm};
use heapwright_solve::smt::{Assignment, Binary, Decision, Term, Verdict};

use super::inputs::{self, Inputs};
use super::steering::Extent;
use super::{
    Bounds, Fork, Limits, Node, Outcome, Stop, SymbolicError, SymbolicSearch, Task, Universe,
    Visits,
};
use crate::depth_first::Tree;

/// Which sides of a question are possible: that it holds, that it fails.
pub type Decided = (Verdict, Verdict);

/// Statements in order, and what may come after them.
#[derive(Clone, Debug, Default)]
pub struct Script {
    /// Those that come first, in order.
    pub steps: Vec<Step>,
    /// Those of which one is last; none if it ends with `steps`.
    pub next: Vec<Step>,
    /// How the questions on the way through `steps` were decided.
    pub verdicts: Vec<Decided>,
    /// Whether a statement may follow one that threw.
    pub after_exceptions: bool,
    /// The solver's work for all paths of one last statement; none are followed when it is done. No bound
    /// if 0.
    pub work: u64,
}

/// A statement.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// What it does.
    pub action: Action,
    /// What it does it with: the receiver if there is one, then arguments, or the value stored.
    pub operands: Vec<Operand>,
    /// Strings that open references may be while it runs, beside those all of whose characters are
    /// open. They are of the table of strings.
    pub texts: Arc<[Ref]>,
    /// Whether questions at probes that may split the path are asked while it runs.
    pub asks: bool,
}

/// What a statement does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// Makes an object of a class and calls this constructor.
    Construct(ClassId, MethodId),
    /// Calls a method of its receiver: what the receiver's class has in its place.
    Call(MethodId),
    /// Calls a static method.
    CallStatic(MethodId),
    /// Reads an instance field, at this word.
    Load(u32),
    /// Writes an instance field, at this word.
    Store(u32),
    /// Reads a static field, at this word of the heap.
    LoadStatic(u32),
    /// Writes a static field, at this word of the heap.
    StoreStatic(u32),
    /// Makes an array of a class that holds its operands.
    NewArray(ClassId),
    /// Writes the element at this index of an array that is known and that long; else the path ends.
    StoreElement(u32),
}

/// What a statement is given.
#[derive(Clone, Debug, PartialEq)]
pub enum Operand {
    /// An input, all of it open.
    Open {
        /// The descriptor of its type.
        descriptor: String,
        /// What it is called.
        name: String,
        /// The values it ranges over; any if there are none. Primitives only.
        values: Vec<u64>,
        /// Whether it may be null.
        is_nullable: bool,
    },
    /// What the statement with this number made or returned.
    Made(usize),
    /// What one of the statements with these numbers made or returned, whichever. Which one it was on a
    /// path [`SymbolicSearch::one_of`] says.
    OneOf(Vec<usize>),
    /// Null.
    Null,
    /// The same as the input with this number, in the order in which statements were given them.
    Again(usize),
    /// This slot, of a value of two words or of one.
    Known(u64, bool),
}

/// An operand that is what one of several statements gave.
#[derive(Clone, Debug)]
pub(super) struct AnyMade {
    /// The statement that it is given to, and as which of its operands.
    step: usize,
    operand: usize,
    slot: u64,
    /// The statements.
    steps: Vec<usize>,
}

impl<'a> SymbolicSearch<'a> {
    /// A search over the paths of scripts, which [`SymbolicSearch::follow`] gives it. One run may take
    /// `step_limit` instructions. The classes of a script are initialized.
    #[must_use]
    pub fn of_scripts(
        universe: &'a dyn Universe,
        bounds: Bounds,
        limits: Limits,
        step_limit: u64,
    ) -> SymbolicSearch<'a> {
        let task = Task::Script(Script::default().into());
        let mut search = SymbolicSearch::of(task, universe, bounds, limits, step_limit, false);
        // Each script would be run in vain: its paths are few.
        search.trail.is_warm = true;
        search
    }

    /// From now on strings and arrays that are inputs have this length at most.
    pub fn lengthen(&mut self, length: u32) {
        self.bounds.length = length;
    }

    /// The script that is searched from now on.
    pub fn follow(&mut self, script: Script) {
        self.task = Task::Script(script.into());
        self.left.clear();
        self.worked = 0;
    }

    /// Which of the last statements the path took; none if it ended before.
    #[must_use]
    pub fn last(&self) -> Option<usize> {
        let mut nodes = self.trail.forks.iter();
        let step = nodes.find(|node| matches!(node.fork, Fork::Step { .. }))?;
        usize::try_from(step.taken).ok()
    }

    /// The alternatives that the path took.
    #[must_use]
    pub fn taken(&self) -> Vec<i64> {
        self.path().collect()
    }

    /// How the questions of the path were decided.
    #[must_use]
    pub fn verdicts(&self) -> &[Decided] {
        &self.verdicts
    }

    /// The place on the path of the choice of the last statement.
    #[must_use]
    pub fn place_of_last(&self) -> usize {
        let mut nodes = self.trail.forks.iter();
        let is_step = |node: &Node| matches!(node.fork, Fork::Step { .. });
        nodes.position(is_step).unwrap_or(self.trail.forks.len())
    }

    /// What the statement with this number made or returned: an object or null, none if which one is
    /// open, or it gave no reference.
    #[must_use]
    pub fn object(&self, step: usize) -> Option<Ref> {
        let slot = *self.made.get(step)?;
        let slot = self.machine.references.current(slot);
        let is_known = term_of(slot).is_none();
        is_known.then(|| Ref::from_slot(slot))
    }

    /// Which statement gave what an operand is that may be what one of several gave, if that is open or was
    /// decided on the path: the operand is the one with this number of the statement.
    #[must_use]
    pub fn one_of(&self, step: usize, operand: usize, model: &Assignment) -> Option<usize> {
        let mut all = self.any_made.iter();
        let any = all.find(|any| (any.step, any.operand) == (step, operand))?;
        let object = Ref::from_slot(self.value(any.slot, model)?);
        let mut steps = any.steps.iter().copied();
        steps.find(|&step| self.object(step) == Some(object))
    }

    /// How many probes the run had come by as the last statement began.
    #[must_use]
    pub fn visits_before(&self) -> usize {
        self.visits_before
    }

    /// How many answers the path had given to questions at probes as the last statement began.
    #[must_use]
    pub fn events_before(&self) -> usize {
        self.events_before
    }

    /// What the terms of the path take in memory.
    #[must_use]
    pub fn term_bytes(&self) -> u64 {
        self.machine.pool.bytes() as u64
    }

    /// The time that it took to decide which ways paths can go.
    #[must_use]
    pub fn solving(&self) -> Duration {
        self.solving
    }

    /// Makes inputs that may be null, and that nobody has looked at, objects: a model is then of a test
    /// that says what it means.
    pub fn prefer_objects(&mut self) {
        for place in 0..self.roots.len() {
            let slot = self.roots[place];
            if let Some(number) = inputs::reference_in(&self.machine, slot)
                && let Some(open) = self.machine.references.open(number)
                && let is_null = open.is_null
                && self.machine.settled(is_null).is_none()
            {
                let machine = &mut self.machine;
                let decision = machine.solver.decide_at_once(&machine.pool, is_null);
                if decision.fails == Verdict::Sat {
                    machine.require_object(is_null);
                }
            }
        }
    }

    /// The last statements of which paths are left because the solver had worked enough for them.
    #[must_use]
    pub fn left(&self) -> &BTreeSet<usize> {
        &self.left
    }

    /// Notes of the last statement that paths of it are left, if the solver's work is why.
    pub(super) fn leave_work(&mut self) {
        if self.is_worked_off() {
            self.left.extend(self.last());
        }
    }

    /// Whether the solver has worked as much for the last statement as it is to.
    pub(super) fn is_worked_off(&self) -> bool {
        let Task::Script(script) = &self.task else {
            return false;
        };
        script.work > 0 && self.worked >= script.work && self.made.len() >= script.steps.len()
    }

    /// The class of the exception that a statement before the last one ended by.
    #[must_use]
    pub fn thrown(&self, step: usize) -> Option<ClassId> {
        let found = self.thrown.iter().find(|thrown| thrown.0 == step);
        found.map(|thrown| thrown.1)
    }

    /// Of the last statement no more paths are wanted, but for those by sides that whoever steers still
    /// waits for something behind, no further than this.
    pub fn leave(&mut self, extent: Extent) {
        self.leaves = Some(extent);
    }

    /// Which way a condition can turn out; on the way through a script's statements it is known.
    pub(super) fn decide(&mut self, condition: Term) -> Result<Decision, SymbolicError> {
        let place = self.verdicts.len();
        let known = match &self.task {
            Task::Script(script) => script.verdicts.get(place).copied(),
            Task::Method(_) => None,
        };
        let decision = match known {
            Some((holds, fails)) => Decision { holds, fails },
            None => {
                let (start, before) = (Instant::now(), self.statistics().work);
                let decision = self.machine.solver.decide(&self.machine.pool, condition);
                self.solving += start.elapsed();
                self.worked += self.statistics().work - before;
                let decision = decision?;
                self.cut_lengths(condition, decision)?;
                decision
            }
        };
        self.verdicts.push((decision.holds, decision.fails));
        Ok(decision)
    }

    /// Begins the statement that comes next, or ends the path.
    pub(super) fn next_step(&mut self, vm: &mut Vm) -> Option<Stop> {
        let Task::Script(script) = &self.task else {
            return Some(Stop::Dead);
        };
        let script = script.clone();
        self.is_between = false;
        let place = self.made.len();
        if let Some(step) = script.steps.get(place) {
            return self.begin_step(vm, step);
        }
        let is_over = place > script.steps.len() || script.next.is_empty();
        if is_over {
            let last = self.made.last().copied().unwrap_or_default();
            return Some(Stop::Leaf(Outcome::Returned(last)));
        }
        let count = script.next.len();
        if let Some(bound) = self.push(vm, Fork::Step { count }, false) {
            return Some(Stop::Leaf(Outcome::Bounded(bound)));
        }
        let Some(taken) = self.guided(count) else {
            return Some(Stop::Dead);
        };
        if let Some(node) = self.trail.forks.last_mut() {
            node.taken = taken as i64;
        }
        self.take_step(vm, taken)
    }

    /// Begins one of the statements that may be last.
    pub(super) fn take_step(&mut self, vm: &mut Vm, taken: usize) -> Option<Stop> {
        let Task::Script(script) = &self.task else {
            return Some(Stop::Dead);
        };
        let script = script.clone();
        self.begin_step(vm, &script.next[taken])
    }

    /// A statement has come to its end.
    pub(super) fn end_step(&mut self, vm: &Vm, exit: &Exit) -> Option<Stop> {
        let Task::Script(script) = &self.task else {
            return Some(Stop::Dead);
        };
        let last = script.steps.len() + usize::from(!script.next.is_empty());
        let is_last = self.made.len() + 1 >= last;
        match *exit {
            Exit::Threw(exception) if is_last => {
                return Some(Stop::Leaf(Outcome::Threw(exception)));
            }
            Exit::Threw(_) if !script.after_exceptions => return Some(Stop::Dead),
            Exit::Threw(exception) => {
                let class = vm.heap.class_of(exception);
                self.thrown.push((self.made.len(), class));
                self.made.push(0);
            }
            Exit::Done(answer) => {
                let is_new = self
                    .step()
                    .is_some_and(|step| matches!(step.action, Action::Construct(..)));
                self.made.push(match is_new {
                    true => self.arguments.first().copied().unwrap_or_default(),
                    false => answer,
                });
            }
            _ => self.made.push(0),
        }
        self.is_between = true;
        None
    }

    /// Whether what is untried at a fork is wanted: when enough paths were taken of the last statement,
    /// only sides that somebody still waits for.
    pub(super) fn is_wanted(&self, node: &Node) -> bool {
        let is_step = matches!(node.fork, Fork::Step { .. });
        if is_step || self.is_worked_off() {
            return is_step;
        }
        let Some(extent) = self.leaves else {
            return true;
        };
        let steering = self.machine.steering.as_ref();
        steering.is_some_and(|steering| steering.wants(&node.untaken, extent))
    }

    /// The statement that runs.
    fn step(&self) -> Option<&Step> {
        let Task::Script(script) = &self.task else {
            return None;
        };
        let step = script.steps.get(self.made.len());
        step.or_else(|| script.next.get(self.last()?))
    }

    /// The strings that open references may be while the statement runs that does.
    pub(super) fn texts(&self) -> Arc<[Ref]> {
        self.step()
            .map_or_else(Arc::default, |step| step.texts.clone())
    }

    fn begin_step(&mut self, vm: &mut Vm, step: &Step) -> Option<Stop> {
        self.visits = Visits::default();
        self.ran = 0;
        self.machine.asks = step.asks;
        self.visits_before = vm.visits().len();
        self.events_before = self.machine.events.len();
        self.worked = 0;
        let mut slots = Vec::new();
        if let Action::Construct(class, _) = step.action {
            match inputs::new_object(vm, class) {
                Ok(object) => slots.push(object.slot()),
                Err(exit) => return Some(stopped(vm, &exit)),
            }
        }
        let begun = self.made.len();
        self.any_made.retain(|any| any.step < begun);
        for (place, operand) in step.operands.iter().enumerate() {
            let (slot, is_wide) = self.operand(vm, place, operand);
            slots.push(slot);
            let is_call = matches!(
                step.action,
                Action::Construct(..) | Action::Call(_) | Action::CallStatic(_)
            );
            if is_wide && is_call {
                slots.push(0);
            }
        }
        let called = match step.action {
            Action::Construct(_, method) | Action::CallStatic(method) => Some(method),
            Action::Call(method) => {
                let receiver = self.machine.references.current(slots[0]);
                let is_known = term_of(receiver).is_none();
                if !is_known || receiver == 0 {
                    return Some(Stop::Dead);
                }
                slots[0] = receiver;
                let class = vm.heap.class_of(Ref::from_slot(receiver));
                match vm.select(class, method) {
                    Some(method) => Some(method),
                    None => return Some(Stop::Dead),
                }
            }
            Action::StoreElement(index) => {
                let array = self.machine.references.current(slots[0]);
                let is_known = term_of(array).is_none() && array != 0;
                if !is_known || vm.heap.array_length(Ref::from_slot(array)) <= index {
                    return Some(Stop::Dead);
                }
                slots[0] = array;
                None
            }
            _ => None,
        };
        self.arguments.clone_from(&slots);
        let done = match called {
            Some(method) => match vm.call(method, &slots) {
                Ok(()) => return None,
                Err(exit) => Err(exit),
            },
            None => self.at_once(vm, step.action, &slots),
        };
        match done {
            Ok(made) => {
                self.made.push(made);
                self.is_between = true;
                None
            }
            Err(exit) => Some(stopped(vm, &exit)),
        }
    }

    /// What a statement does that calls nothing.
    fn at_once(&mut self, vm: &mut Vm, action: Action, slots: &[u64]) -> Result<u64, Exit> {
        let object = |at: usize| Ref::from_slot(slots.get(at).copied().unwrap_or_default());
        match action {
            Action::Load(word) => return Ok(vm.heap.field(object(0), word)),
            Action::Store(word) => vm.heap.set_field(object(0), word, slots[1]),
            Action::LoadStatic(word) => return Ok(vm.heap.load(word)),
            Action::StoreStatic(word) => vm.heap.store(word, slots[0]),
            Action::NewArray(class) => {
                let full = |_| Exit::Limit(Limit::Heap);
                let kind = vm.array_element_kind(class);
                let length = slots.len() as u32;
                let bytes = kind.element_bytes();
                let array = vm.heap.allocate_array(class, length, bytes, false);
                let array = array.map_err(full)?;
                for (index, &slot) in (0..).zip(slots) {
                    let place = Spot::Element(array, index);
                    vm.settle_at(place, slot);
                }
                return Ok(array.slot());
            }
            Action::StoreElement(index) => {
                vm.settle_at(Spot::Element(object(0), index), slots[1]);
            }
            Action::Construct(..) | Action::Call(_) | Action::CallStatic(_) => {}
        }
        Ok(0)
    }

    /// What one of some statements gave, as an operand of the one that begins.
    fn any_made(&mut self, operand: usize, steps: &[usize]) -> u64 {
        let objects: Vec<Ref> = steps.iter().filter_map(|&step| self.object(step)).collect();
        let step = self.made.len();
        // As no program says it.
        let name = format!("{step}#{operand}").into();
        let slot = self.machine.any_of(&name, &objects);
        self.any_made.push(AnyMade {
            step,
            operand,
            slot,
            steps: steps.to_vec(),
        });
        slot
    }

    /// The slot of the operand at a place of the statement that begins, and whether it takes two words.
    fn operand(&mut self, vm: &mut Vm, place: usize, operand: &Operand) -> (u64, bool) {
        match operand {
            Operand::Null => (0, false),
            Operand::OneOf(steps) => (self.any_made(place, steps), false),
            Operand::Again(input) => (self.roots.get(*input).copied().unwrap_or_default(), false),
            Operand::Known(slot, is_wide) => (*slot, *is_wide),
            Operand::Made(step) => (self.made.get(*step).copied().unwrap_or_default(), false),
            Operand::Open {
                descriptor,
                name,
                values,
                is_nullable,
            } => {
                let name = name.clone().into();
                let slot = Inputs::open(vm, &mut self.machine, descriptor, name);
                self.roots.push(slot);
                let kind = Kind::of(descriptor);
                if kind == Kind::Reference {
                    if !is_nullable
                        && let Some(number) = inputs::reference_in(&self.machine, slot)
                        && let Some(open) = self.machine.references.open(number)
                    {
                        let is_null = open.is_null;
                        self.machine.require_object(is_null);
                    }
                } else if !values.is_empty() {
                    self.restrict(slot, kind, values);
                }
                (slot, kind.words() == 2)
            }
        }
    }

    /// Lets a value be one of some only.
    fn restrict(&mut self, slot: u64, kind: Kind, values: &[u64]) {
        let machine = &mut self.machine;
        let term = machine.term(slot, kind);
        let mut any = machine.pool.bool(false);
        for &value in values {
            let value = machine.term(value, kind);
            let is = machine.pool.binary(Binary::Same, term, value);
            any = machine.pool.binary(Binary::Or, any, is);
        }
        machine.require(any);
    }
}

fn stopped(vm: &mut Vm, exit: &Exit) -> Stop {
    match exit {
        Exit::Limit(limit) => Stop::Leaf(Outcome::Limit(*limit)),
        exit => Stop::Leaf(Outcome::Refused(vm.exit_text(exit))),
    }
}
