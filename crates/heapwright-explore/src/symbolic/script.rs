//! Sequences of statements on open values, in which the last statement is a choice.
//!
//! The statements before it belong to a path known already. The results of the queries on that path
//! are supplied, so that nothing is solved twice.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

use heapwright_jvm::descriptor::Kind;
use heapwright_jvm::machine::term_of;
use heapwright_jvm::{ClassId, Exit, HeapPoint, Limit, MethodId, Ref, SlotLocation, Vm};
use heapwright_solve::smt::{Assignment, Binary, Decision, Satisfiability, Term};

use super::inputs::{self, Inputs};
use super::steering::Lookahead;
use super::{
    Fork, InputBounds, Limits, PathOutcome, SymbolicError, SymbolicNode, SymbolicSearch, Task,
    Universe, Visits, WalkEnd,
};
use crate::depth_first::Tree;

/// Feasibility of the two sides of a condition: that it holds, and that it fails.
pub type SideVerdicts = (Satisfiability, Satisfiability);

/// Statements in order, and the candidates for the last.
#[derive(Clone, Debug, Default)]
pub struct SearchScript {
    /// Leading statements, in order.
    pub steps: Vec<ScriptStep>,
    /// Candidates for the last statement; empty if the script ends with `steps`.
    pub next: Vec<ScriptStep>,
    /// Results of the queries on the path through `steps`.
    pub known_results: Vec<SideVerdicts>,
    /// Whether a statement may follow one that threw an exception.
    pub after_exceptions: bool,
    /// Whether the path ends where a statement throws an exception, as if it were the last one.
    pub ends_at_exception: bool,
    /// Solver work for all paths of one last statement; beyond it no more are followed. Unbounded
    /// if 0.
    pub work: u64,
}

/// Statement of a script.
#[derive(Clone, Debug, PartialEq)]
pub struct ScriptStep {
    /// Operation of the statement.
    pub action: ScriptAction,
    /// Operands: the receiver if there is one, then the arguments, or the value stored. Before the
    /// arguments of a constructor come the values that the fields in `injected` get.
    pub operands: Vec<ScriptOperand>,
    /// Words of fields that are set when the constructor has returned.
    pub injected: Vec<u32>,
    /// Classes that the operands' objects must have; `None` for operands of any class. The objects
    /// that a statement makes may have another class in each run.
    pub bounds: Vec<Option<ClassId>>,
    /// Strings that open references may be while the statement runs, besides those with open
    /// characters. They are interned.
    pub texts: Arc<[Ref]>,
    /// Whether queries at probes that may split the path are evaluated while it runs.
    pub asks: bool,
}

/// Operation of a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScriptAction {
    /// Creates an object of a class and calls this constructor.
    Construct(ClassId, MethodId),
    /// Calls a method, dispatched on its receiver's class.
    Call(MethodId),
    /// Calls a static method.
    CallStatic(MethodId),
    /// Reads an instance field, at this word; like all that takes a receiver, it ends the path
    /// where that is null.
    Load(u32),
    /// Writes an instance field, at this word.
    Store(u32),
    /// Reads a static field, at this word of the heap.
    LoadStatic(u32),
    /// Writes a static field, at this word of the heap.
    StoreStatic(u32),
    /// Creates an array of a class from its operands.
    NewArray(ClassId),
    /// Writes the element at this index of a known array; the path ends if the array is too short.
    StoreElement(u32),
}

impl ScriptAction {
    /// Whether the first operand is the object on which it operates.
    fn has_receiver(self) -> bool {
        match self {
            ScriptAction::Call(_)
            | ScriptAction::Load(_)
            | ScriptAction::Store(_)
            | ScriptAction::StoreElement(_) => true,
            ScriptAction::Construct(..)
            | ScriptAction::CallStatic(_)
            | ScriptAction::LoadStatic(_)
            | ScriptAction::StoreStatic(_)
            | ScriptAction::NewArray(_) => false,
        }
    }
}

/// Operand of a statement.
#[derive(Clone, Debug, PartialEq)]
pub enum ScriptOperand {
    /// Input, completely open.
    Open {
        /// Descriptor of its type.
        descriptor: String,
        /// Name of the input.
        name: String,
        /// Allowed values; all if empty. Primitives only. A single one is a constant of the run.
        values: Vec<u64>,
        /// Whether it may be null.
        is_nullable: bool,
    },
    /// Result of the statement with this number.
    Made(usize),
    /// Result of any one of the statements with these numbers. [`SymbolicSearch::one_of`] says
    /// which one it was on a path.
    OneOf(Vec<usize>),
    /// Null.
    Null,
    /// Same value as the input with this number, in the order in which statements received them.
    Again(usize),
    /// Constant slot; the flag says whether it takes two words.
    Known(u64, bool),
}

/// Position of a run at which a statement began.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StatementStart {
    /// Number of probes that the run had passed.
    pub visits: usize,
    /// Number of events that the path had.
    pub events: usize,
    /// Point of the heap, if calls are noted.
    pub point: Option<HeapPoint>,
}

/// Operand that is the result of any one of several statements.
#[derive(Clone, Debug)]
pub(super) struct AnyMade {
    /// Statement that receives it; the next field is the operand's number.
    step: usize,
    operand: usize,
    slot: u64,
    /// Candidate statements.
    steps: Vec<usize>,
}

impl<'a> SymbolicSearch<'a> {
    /// Creates a search over the paths of scripts, given to it by [`SymbolicSearch::follow`]. One
    /// run takes at most `step_limit` instructions. The classes of a script must be initialised.
    #[must_use]
    pub fn of_scripts(
        universe: &'a dyn Universe,
        bounds: InputBounds,
        limits: Limits,
        step_limit: u64,
    ) -> SymbolicSearch<'a> {
        let task = Task::Script(SearchScript::default().into());
        let mut search = SymbolicSearch::of(task, universe, bounds, limits, step_limit, false);
        // First runs for each script would not pay off, as it has few paths.
        search.trail.is_warm = true;
        search
    }

    /// Sets the greatest length of input strings and arrays; returns the previous one.
    pub fn set_max_length(&mut self, length: u32) -> u32 {
        std::mem::replace(&mut self.bounds.length, length)
    }

    /// Sets the script to search.
    pub fn follow(&mut self, script: SearchScript) {
        self.task = Task::Script(script.into());
        self.left.clear();
        self.overlong = None;
        self.worked = 0;
    }

    /// Index of the last statement that the path took; `None` if the path ended before.
    #[must_use]
    pub fn last(&self) -> Option<usize> {
        let mut nodes = self.trail.forks.iter();
        let step = nodes.find(|node| matches!(node.fork, Fork::Step { .. }))?;
        usize::try_from(step.taken).ok()
    }

    /// Alternatives taken on the path.
    #[must_use]
    pub fn taken(&self) -> Vec<i64> {
        self.path().collect()
    }

    /// Results of the path's queries.
    #[must_use]
    pub fn verdicts(&self) -> &[SideVerdicts] {
        &self.verdicts
    }

    /// Index of the fork that chose the last statement.
    #[must_use]
    pub fn place_of_last(&self) -> usize {
        let mut nodes = self.trail.forks.iter();
        let is_step = |node: &SymbolicNode| matches!(node.fork, Fork::Step { .. });
        nodes.position(is_step).unwrap_or(self.trail.forks.len())
    }

    /// Result of the statement with this number: an object or null; `None` if it is unresolved, or
    /// there is no such statement.
    #[must_use]
    pub fn object(&self, step: usize) -> Option<Ref> {
        let slot = *self.made.get(step)?;
        let slot = self.machine.references.current(slot);
        let is_known = term_of(slot).is_none();
        is_known.then(|| Ref::from_slot(slot))
    }

    /// Statement that supplied an operand declared as the result of one of several, identified by
    /// statement and operand number. `None` for other operands.
    #[must_use]
    pub fn one_of(&self, step: usize, operand: usize, model: &Assignment) -> Option<usize> {
        let mut all = self.any_made.iter();
        let any = all.find(|any| (any.step, any.operand) == (step, operand))?;
        let object = Ref::from_slot(self.value(any.slot, model)?);
        let mut steps = any.steps.iter().copied();
        steps.find(|&step| self.object(step) == Some(object))
    }

    /// Positions of the run at which its statements began, in order.
    #[must_use]
    pub fn starts(&self) -> &[StatementStart] {
        // Going back leaves those of later statements.
        &self.starts[..self.starts.len().min(self.made.len() + 1)]
    }

    /// Number of statements that the path completed.
    #[must_use]
    pub fn completed(&self) -> usize {
        self.made.len()
    }

    /// Number of probes that the run had passed when the last statement began.
    #[must_use]
    pub fn visits_before(&self) -> usize {
        self.starts().last().map_or(0, |start| start.visits)
    }

    /// Number of events that the path had when the last statement began.
    #[must_use]
    pub fn events_before(&self) -> usize {
        self.starts().last().map_or(0, |start| start.events)
    }

    /// Point of the heap at which the last statement began, if calls are noted.
    #[must_use]
    pub fn point_before(&self) -> Option<HeapPoint> {
        self.starts().last()?.point
    }

    /// Memory of the path's terms in bytes.
    #[must_use]
    pub fn term_bytes(&self) -> u64 {
        self.machine.pool.bytes() as u64
    }

    /// Time spent deciding the feasible sides of conditions.
    #[must_use]
    pub fn solving(&self) -> Duration {
        self.solving
    }

    /// Makes unexamined nullable inputs non-null, so that a model yields a meaningful test.
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
                if decision.fails == Satisfiability::Sat {
                    machine.require_object(is_null);
                }
            }
        }
    }

    /// Last statements with paths left because their solver work was used up.
    #[must_use]
    pub fn left(&self) -> &BTreeSet<usize> {
        &self.left
    }

    /// Records that the last statement has paths left, if its solver work is used up.
    pub(super) fn record_unfinished(&mut self) {
        if self.is_work_exhausted() {
            self.left.extend(self.last());
        }
    }

    /// Whether the solver work for the last statement is used up.
    pub(super) fn is_work_exhausted(&self) -> bool {
        let Task::Script(script) = &self.task else {
            return false;
        };
        script.work > 0 && self.worked >= script.work && self.made.len() >= script.steps.len()
    }

    /// Class of the exception that a statement before the last one threw.
    #[must_use]
    pub fn thrown(&self, step: usize) -> Option<ClassId> {
        let found = self.thrown.iter().find(|thrown| thrown.0 == step);
        found.map(|thrown| thrown.1)
    }

    /// Ends the search for paths of the last statement. Only sides that steering still wants are
    /// followed, within this extent.
    pub fn leave(&mut self, extent: Lookahead) {
        self.leaves = Some(extent);
    }

    /// Decides the feasible sides of a condition; known results are used on the path through
    /// `steps`.
    pub(super) fn decide(&mut self, condition: Term) -> Result<Decision, SymbolicError> {
        let place = self.verdicts.len();
        let known = match &self.task {
            Task::Script(script) => script.known_results.get(place).copied(),
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

    /// Begins the next statement, or ends the path.
    pub(super) fn next_step(&mut self, vm: &mut Vm) -> Option<WalkEnd> {
        let Task::Script(script) = &self.task else {
            return Some(WalkEnd::Dead);
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
            let last = self.machine.references.current(last);
            // Whoever runs a known sequence looks at its result.
            let number = term_of(last).filter(|_| script.next.is_empty());
            let text = number.and_then(|number| self.machine.references.text(number));
            if let Some((number, text)) = number.zip(text) {
                let made = vm.call_nested(text.method, &text.arguments, number);
                return made
                    .err()
                    .map(|exit| WalkEnd::Leaf(PathOutcome::Refused(vm.exit_text(&exit))));
            }
            return Some(WalkEnd::Leaf(PathOutcome::Returned(last)));
        }
        let count = script.next.len();
        if let Some(bound) = self.push(vm, Fork::Step { count }, false) {
            return Some(WalkEnd::Leaf(PathOutcome::Bounded(bound)));
        }
        let Some(taken) = self.guided(count) else {
            return Some(WalkEnd::Dead);
        };
        if let Some(node) = self.trail.forks.last_mut() {
            node.taken = taken as i64;
        }
        self.take_step(vm, taken)
    }

    /// Begins one of the candidates for the last statement.
    pub(super) fn take_step(&mut self, vm: &mut Vm, taken: usize) -> Option<WalkEnd> {
        let Task::Script(script) = &self.task else {
            return Some(WalkEnd::Dead);
        };
        let script = script.clone();
        self.begin_step(vm, &script.next[taken])
    }

    /// Completes a statement.
    pub(super) fn end_step(&mut self, vm: &mut Vm, exit: &Exit) -> Option<WalkEnd> {
        let Task::Script(script) = &self.task else {
            return Some(WalkEnd::Dead);
        };
        let last = script.steps.len() + usize::from(!script.next.is_empty());
        let is_last = self.made.len() + 1 >= last;
        match *exit {
            Exit::Threw(exception) if is_last || script.ends_at_exception => {
                return Some(WalkEnd::Leaf(PathOutcome::Threw(exception)));
            }
            Exit::Threw(_) if !script.after_exceptions => return Some(WalkEnd::Dead),
            Exit::Threw(exception) => {
                let class = vm.heap.class_of(exception);
                self.thrown.push((self.made.len(), class));
                self.made.push(0);
            }
            Exit::Done(answer) => {
                let is_new = self
                    .step()
                    .is_some_and(|step| matches!(step.action, ScriptAction::Construct(..)));
                if is_new {
                    let object = Ref::from_slot(self.new_object);
                    for &(word, slot) in &*self.injected {
                        vm.heap.set_field(object, word, slot);
                    }
                }
                self.made.push(match is_new {
                    true => self.new_object,
                    false => answer,
                });
            }
            _ => self.made.push(0),
        }
        self.is_between = true;
        None
    }

    /// Whether the untried alternatives at a fork are wanted. Once enough paths of the last
    /// statement were taken, only sides that steering wants are.
    pub(super) fn is_wanted(&self, node: &SymbolicNode) -> bool {
        let is_step = matches!(node.fork, Fork::Step { .. });
        if is_step || self.is_work_exhausted() {
            return is_step;
        }
        let Some(extent) = self.leaves else {
            return true;
        };
        self.machine.steering.wants(&node.untaken, extent)
    }

    /// Running statement.
    fn step(&self) -> Option<&ScriptStep> {
        let Task::Script(script) = &self.task else {
            return None;
        };
        let step = script.steps.get(self.made.len());
        step.or_else(|| script.next.get(self.last()?))
    }

    /// Strings that open references may be while the current statement runs.
    pub(super) fn texts(&self) -> Arc<[Ref]> {
        self.step()
            .map_or_else(Arc::default, |step| step.texts.clone())
    }

    /// Whether a slot with a known object has one of a class.
    fn fits(&self, vm: &Vm, slot: u64, bound: ClassId) -> bool {
        let known = self.machine.references.current(slot);
        term_of(known).is_some()
            || known == 0
            || vm.is_subclass(vm.heap.class_of(Ref::from_slot(known)), bound)
    }

    fn begin_step(&mut self, vm: &mut Vm, step: &ScriptStep) -> Option<WalkEnd> {
        self.visits = Visits::default();
        self.ran = 0;
        self.machine.asks = step.asks;
        self.starts.truncate(self.made.len());
        self.starts.push(StatementStart {
            visits: vm.visits().len(),
            events: self.machine.events.len(),
            point: vm.present_point(),
        });
        self.worked = 0;
        let mut slots = Vec::new();
        if let ScriptAction::Construct(class, _) = step.action {
            match inputs::new_object(vm, class) {
                Ok(object) => {
                    self.new_object = object.slot();
                    slots.push(object.slot());
                }
                Err(exit) => return Some(stopped(vm, &exit)),
            }
        }
        let mut injected = Vec::new();
        let begun = self.made.len();
        self.any_made.retain(|any| any.step < begun);
        for (place, operand) in step.operands.iter().enumerate() {
            let (slot, is_wide) = self.operand(vm, place, operand);
            let bound = step.bounds.get(place).copied().flatten();
            if matches!(operand, ScriptOperand::Made(_))
                && let Some(bound) = bound
                && !self.fits(vm, slot, bound)
            {
                return Some(WalkEnd::Dead);
            }
            if let Some(&word) = step.injected.get(place) {
                injected.push((word, slot));
                continue;
            }
            slots.push(slot);
            let is_call = matches!(
                step.action,
                ScriptAction::Construct(..) | ScriptAction::Call(_) | ScriptAction::CallStatic(_)
            );
            if is_wide && is_call {
                slots.push(0);
            }
        }
        self.injected = injected.into();
        if step.action.has_receiver() {
            // Nothing can be done on null.
            let receiver = self.machine.references.current(slots[0]);
            if term_of(receiver).is_some() || receiver == 0 {
                return Some(WalkEnd::Dead);
            }
            slots[0] = receiver;
        }
        let called = match step.action {
            ScriptAction::Construct(_, method) | ScriptAction::CallStatic(method) => Some(method),
            ScriptAction::Call(method) => {
                let class = vm.heap.class_of(Ref::from_slot(slots[0]));
                match vm.select(class, method) {
                    Some(method) => Some(method),
                    None => return Some(WalkEnd::Dead),
                }
            }
            ScriptAction::StoreElement(index) => {
                if vm.heap.array_length(Ref::from_slot(slots[0])) <= index {
                    return Some(WalkEnd::Dead);
                }
                None
            }
            _ => None,
        };
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

    /// Executes a statement that calls no method.
    fn at_once(&mut self, vm: &mut Vm, action: ScriptAction, slots: &[u64]) -> Result<u64, Exit> {
        let object = |at: usize| Ref::from_slot(slots.get(at).copied().unwrap_or_default());
        match action {
            ScriptAction::Load(word) => return Ok(vm.heap.field(object(0), word)),
            ScriptAction::Store(word) => vm.heap.set_field(object(0), word, slots[1]),
            ScriptAction::LoadStatic(word) => return Ok(vm.heap.load(word)),
            ScriptAction::StoreStatic(word) => vm.heap.store(word, slots[0]),
            ScriptAction::NewArray(class) => {
                let full = |_| Exit::Limit(Limit::Heap);
                let kind = vm.array_element_kind(class);
                let length = slots.len() as u32;
                let bytes = kind.element_bytes();
                let array = vm.heap.allocate_array(class, length, bytes, false);
                let array = array.map_err(full)?;
                for (index, &slot) in (0..).zip(slots) {
                    let place = SlotLocation::Element(array, index);
                    vm.settle_at(place, slot);
                }
                return Ok(array.slot());
            }
            ScriptAction::StoreElement(index) => {
                vm.settle_at(SlotLocation::Element(object(0), index), slots[1]);
            }
            ScriptAction::Construct(..) | ScriptAction::Call(_) | ScriptAction::CallStatic(_) => {}
        }
        Ok(0)
    }

    /// Creates the operand that is the result of any one of some statements, for the beginning
    /// statement.
    fn any_made(&mut self, operand: usize, steps: &[usize]) -> u64 {
        let objects: Vec<Ref> = steps.iter().filter_map(|&step| self.object(step)).collect();
        let step = self.made.len();
        // The name cannot occur in a program.
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

    /// Returns the slot of an operand of the beginning statement, and whether it takes two words.
    fn operand(&mut self, vm: &mut Vm, place: usize, operand: &ScriptOperand) -> (u64, bool) {
        match operand {
            ScriptOperand::Null => (0, false),
            ScriptOperand::OneOf(steps) => (self.any_made(place, steps), false),
            ScriptOperand::Again(input) => {
                (self.roots.get(*input).copied().unwrap_or_default(), false)
            }
            ScriptOperand::Known(slot, is_wide) => (*slot, *is_wide),
            ScriptOperand::Made(step) => (self.made.get(*step).copied().unwrap_or_default(), false),
            ScriptOperand::Open {
                descriptor,
                name,
                values,
                is_nullable,
            } => {
                let kind = Kind::of(descriptor);
                if let [value] = values[..]
                    && kind != Kind::Reference
                {
                    self.roots.push(value);
                    return (value, kind.words() == 2);
                }
                let name = name.clone().into();
                let slot = Inputs::open(vm, &mut self.machine, descriptor, name);
                self.roots.push(slot);
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

    /// Restricts a value to those given.
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

fn stopped(vm: &mut Vm, exit: &Exit) -> WalkEnd {
    match exit {
        Exit::Limit(limit) => WalkEnd::Leaf(PathOutcome::Limit(*limit)),
        exit => WalkEnd::Leaf(PathOutcome::Refused(vm.exit_text(exit))),
    }
}
