//! Induction over iterations of loops and over calls of recursive methods.
//!
//! A run is cut at the head of a loop and at the beginning of a recursive method. At the head of a
//! loop, what the iterations change becomes open, invariants are assumed of it, and the run goes on.
//! Where it comes to the head again, it ends: the state is one of those that were assumed. A call is
//! replaced by its contract, and the method's body runs on a path of its own, with open arguments,
//! up to its return (Hoare's rules of loops and of recursive procedures, partial correctness).
//!
//! Nothing is known of an object whose class is open but the invariant of the class (`objects`).
//!
//! Invariants are guessed, and what a search refutes is dropped (Houdini, Flanagan and Leino 2001).
//! What is open is found out in the same way: a search that meets a change of anything else opens it.
//! **Invariant: a search that was complete and has changed nothing of an [`Induction`] stands for all
//! runs**, but for those that exhaust the stack or the memory.

mod candidates;
mod guesses;
mod objects;
mod samples;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use heapwright_jvm::descriptor::Kind;
use heapwright_jvm::machine::{SlotLocation, is_symbolic};
use heapwright_jvm::{ClassId, Frame, MarkId, MethodId, Ref, Vm, WrittenPlace};
use heapwright_solve::smt::{Binary, Satisfiability, Term};
use rustc_hash::{FxHashMap, FxHashSet};

use self::candidates::Summand;
use self::candidates::integer_sort;
pub use self::candidates::{Atom, Candidate, InstanceField};
use self::guesses::{Output, Sample, Values};
pub use self::objects::OpenClass;
use self::objects::Referent;
use super::contents::ElementFacts;
use super::forks::StepResult;
use super::names::Name;
use super::references::References;
use super::{Fork, PathOutcome, SymbolicError, SymbolicSearch, WalkEnd};

/// Most iterations that run before a loop is cut, as what happens once, such as the initialisation
/// of a class, is no part of the later ones.
const MAX_PEELED: u32 = 2;
/// Most constants of a method that values are compared with.
const MAX_CONSTANTS: usize = 16;

/// What is cut at a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CutKind {
    /// Loop, at its head.
    Loop,
    /// Recursive method, at its beginning.
    Call,
}

/// Place at which runs are cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CutPoint {
    /// The method.
    pub method: MethodId,
    /// Bytecode index.
    pub at: u16,
    /// What is cut.
    pub kind: CutKind,
}

/// Branch at which the bound of iterations and recursion has ended a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Repetition {
    /// Method of the branch.
    pub method: MethodId,
    /// Bytecode index of the branch.
    pub at: u16,
    /// Whether it was repeated in further frames of the method, instead of one.
    pub is_recursion: bool,
}

/// What is known of a cut point.
#[derive(Clone, Debug)]
pub struct Summary {
    /// The point.
    pub point: CutPoint,
    /// Registers that differ from one arrival to the next.
    open: BTreeSet<u16>,
    /// Static fields that do.
    places: BTreeSet<WrittenPlace>,
    /// Registers that refer to arrays whose contents do.
    contents: BTreeSet<u16>,
    /// What open registers, static fields and results of reference kind refer to.
    referents: BTreeMap<Atom, Referent>,
    /// Iterations that run before the cut.
    peeled: u32,
    /// Candidates at the point.
    entry: Option<Vec<Candidate>>,
    /// Candidates behind a call.
    exit: Option<Vec<Candidate>>,
    /// Candidates that do not hold.
    refuted: FxHashSet<Candidate>,
    samples: Option<Vec<Sample>>,
}

impl Summary {
    /// Invariants at the point; of a method, what holds of the arguments of its calls.
    #[must_use]
    pub fn entry(&self) -> &[Candidate] {
        self.entry.as_deref().unwrap_or_default()
    }

    /// What holds behind a call of a method.
    #[must_use]
    pub fn exit(&self) -> &[Candidate] {
        self.exit.as_deref().unwrap_or_default()
    }

    /// Iterations of a loop that run before the invariants hold.
    #[must_use]
    pub fn peeled(&self) -> u32 {
        self.peeled
    }

    /// What the open value of reference kind refers to.
    fn referent(&self, atom: Atom) -> Referent {
        self.referents.get(&atom).copied().unwrap_or_default()
    }

    /// Forgets what was guessed, as more has become open.
    fn forget(&mut self) {
        (self.entry, self.exit, self.samples) = (None, None, None);
        self.refuted.clear();
    }
}

/// Cut points, with what the searches so far have learnt.
#[derive(Clone, Debug, Default)]
pub struct Induction {
    summaries: Vec<Summary>,
    /// Open classes.
    classes: BTreeMap<ClassId, OpenClass>,
    /// Objects of classes that can be open, of those before the first that a search makes.
    earlier_objects: Vec<Ref>,
    first_object: Ref,
    /// Probes of the points.
    probes: FxHashMap<u32, usize>,
    is_changed: bool,
    /// Whether the rest of the search is in vain.
    is_over: bool,
    /// Whether nothing is guessed any more.
    is_final: bool,
    /// Whether the elements of arrays are guessed at. Most proofs need no such facts, which are many.
    guesses_elements: bool,
    /// Whether remainders are guessed at, and facts where a value is a constant. Likewise.
    guesses_cases: bool,
    repetition: Option<Repetition>,
    obstacle: Option<String>,
}

impl Induction {
    /// Adds a cut point.
    pub fn cut(&mut self, point: CutPoint) {
        self.summaries.push(Summary {
            point,
            open: BTreeSet::new(),
            places: BTreeSet::new(),
            contents: BTreeSet::new(),
            referents: BTreeMap::new(),
            peeled: 0,
            entry: None,
            exit: None,
            refuted: FxHashSet::default(),
            samples: None,
        });
    }

    /// Cut points with what is known of them.
    #[must_use]
    pub fn summaries(&self) -> &[Summary] {
        &self.summaries
    }

    /// Open classes with what is known of their objects.
    #[must_use]
    pub fn classes(&self) -> &BTreeMap<ClassId, OpenClass> {
        &self.classes
    }

    /// Prepares a search: inserts probes at the points. No method with a cut point may have a frame.
    pub fn prepare(&mut self, vm: &mut Vm) {
        self.probes.clear();
        let methods: BTreeSet<MethodId> =
            self.summaries.iter().map(|all| all.point.method).collect();
        for method in methods {
            let own = self.summaries.iter().enumerate();
            let own = own.filter(|(_, summary)| summary.point.method == method);
            let own: Vec<(usize, u16)> =
                own.map(|(cut, summary)| (cut, summary.point.at)).collect();
            let places: Vec<u16> = own.iter().map(|&(_, at)| at).collect();
            let first = vm.probe(method, &places);
            let probes = (first..).zip(own).map(|(probe, (cut, _))| (probe, cut));
            self.probes.extend(probes);
        }
        vm.note_writes(true);
        self.note_objects(vm);
        // Weaker arguments allow weaker results.
        for summary in self.summaries.iter_mut().filter(|_| !self.is_final) {
            summary.exit = None;
        }
        (self.is_changed, self.is_over) = (false, false);
        self.repetition = None;
    }

    /// Removes the probes from the machine.
    pub fn remove(&mut self, vm: &mut Vm) {
        for summary in &self.summaries {
            vm.probe(summary.point.method, &[]);
        }
        self.probes.clear();
        vm.note_writes(false);
        vm.forget_written(0);
        vm.break_below(0);
        vm.break_at(None);
    }

    /// Whether the last search has changed anything, so that another one is needed.
    #[must_use]
    pub fn is_changed(&self) -> bool {
        self.is_changed
    }

    /// Returns and resets the branch at which a bound has ended a path of the last search.
    pub fn take_repetition(&mut self) -> Option<Repetition> {
        self.repetition.take()
    }

    /// Why no induction is possible, if it is not.
    #[must_use]
    pub fn obstacle(&self) -> Option<&str> {
        self.obstacle.as_deref()
    }

    /// Guesses at the elements of arrays from now on; returns whether that is new.
    pub fn guess_elements(&mut self) -> bool {
        let has_arrays = |summary: &&mut Summary| !summary.contents.is_empty();
        let mut filled = self.summaries.iter_mut().filter(has_arrays).peekable();
        if self.guesses_elements || filled.peek().is_none() {
            return false;
        }
        filled.for_each(Summary::forget);
        self.guesses_elements = true;
        true
    }

    /// Lets another iteration run before each loop is cut; returns whether that is possible.
    pub fn peel(&mut self) -> bool {
        let loops = self.summaries.iter_mut();
        let mut loops = loops.filter(|summary| summary.point.kind == CutKind::Loop);
        let mut is_peeled = false;
        for summary in loops.by_ref().filter(|summary| summary.peeled < MAX_PEELED) {
            summary.peeled += 1;
            summary.forget();
            is_peeled = true;
        }
        is_peeled
    }

    /// Guesses at remainders, and at what holds where a value is a constant, from now on; returns
    /// whether that is new.
    pub fn guess_cases(&mut self) -> bool {
        let loops = self.summaries.iter_mut();
        let loops = loops.filter(|summary| summary.point.kind == CutKind::Loop);
        let mut loops = loops.peekable();
        if self.guesses_cases || loops.peek().is_none() {
            return false;
        }
        loops.for_each(Summary::forget);
        self.guesses_cases = true;
        true
    }

    /// Number of candidates that are left.
    #[must_use]
    pub fn count(&self) -> usize {
        let counts = self.summaries.iter();
        let counts = counts.map(|all| all.entry().len() + all.exit().len());
        let of_classes = self.classes.values().map(|open| open.facts.len());
        counts.chain(of_classes).sum()
    }

    /// The same without the candidates at some places of all that are left, and without guesses.
    #[must_use]
    pub fn without(&self, places: &Range<usize>) -> Induction {
        let mut reduced = self.clone();
        reduced.is_final = true;
        let mut next = 0;
        let mut reduce = |candidates: &mut Vec<Candidate>| {
            candidates.retain(|_| {
                next += 1;
                !places.contains(&(next - 1))
            });
        };
        for summary in &mut reduced.summaries {
            reduce(summary.entry.get_or_insert_default());
            reduce(summary.exit.get_or_insert_default());
        }
        for open in reduced.classes.values_mut() {
            reduce(&mut open.facts);
        }
        reduced
    }

    fn learn(&mut self) {
        (self.is_changed, self.is_over) = (true, true);
    }

    fn give_up(&mut self, reason: &str) {
        self.obstacle.get_or_insert_with(|| reason.to_owned());
        self.is_over = true;
    }
}

/// Values of a state at a cut point.
#[derive(Clone, Debug, Default)]
struct CutState {
    registers: Vec<(u16, Kind, u64)>,
    /// Lengths of the arrays in registers.
    lengths: Vec<(u16, u64)>,
    places: Vec<(WrittenPlace, Kind, u64)>,
    /// Integers in open fields of the objects in registers.
    fields: Vec<(u16, InstanceField, Kind, u64)>,
    /// Arrays whose contents are open, by register.
    contents: Vec<ArrayContents>,
}

/// Array at a cut point.
#[derive(Clone, Copy, Debug)]
struct ArrayContents {
    register: u16,
    array: Ref,
    kind: Kind,
    contents: u32,
}

/// Loop or body on the path, with the state in which it began.
#[derive(Clone, Debug)]
pub(super) struct Activation {
    cut: usize,
    frame: Frame,
    /// Number of frames, its own included.
    depth: usize,
    mark: MarkId,
    /// Iterations to run before the loop is cut, that which runs included.
    peeling: u32,
    is_body: bool,
    /// Instruction to which a body returns.
    behind: u32,
    /// State before anything became open.
    old: CutState,
    /// State that stands for all.
    start: CutState,
    written: usize,
    /// Place noted last before, with its value if it is a field.
    last_written: Option<(WrittenPlace, Option<u64>)>,
    objects: usize,
}

/// How a run goes on that has come to a cut point.
enum Arrival {
    /// Past it.
    Pass,
    /// It ends.
    End,
    /// With the contract of the method, and on another path with its body.
    Call(usize),
    /// With the contract of the method.
    Contract(usize),
}

impl SymbolicSearch<'_> {
    /// Sets the cut points of the search.
    pub fn induct(&mut self, induction: Induction) {
        self.machine.cut_probes = induction.probes.keys().copied().collect();
        self.induction = Some(Box::new(induction));
    }

    /// Returns what the search has learnt, and resets it.
    pub fn take_induction(&mut self) -> Option<Induction> {
        self.machine.cut_probes.clear();
        self.induction.take().map(|induction| *induction)
    }

    /// Whether the rest of the search is in vain.
    pub(super) fn is_induction_over(&self) -> bool {
        let induction = self.induction.as_ref();
        induction.is_some_and(|induction| induction.is_over)
    }

    /// Notes that a bound has ended a path at the running branch.
    pub(super) fn note_repetition(&mut self, vm: &Vm) {
        let Some(frame) = vm.frames().last() else {
            return;
        };
        let is_recursion = self.visits.is_recursive(frame.pc);
        if let Some(induction) = &mut self.induction {
            let (method, at) = vm.site(frame);
            induction.repetition.get_or_insert(Repetition {
                method,
                at,
                is_recursion,
            });
            induction.is_over = true;
        }
    }

    /// Notes the end of a path within a body, which is not its return.
    pub(super) fn note_end(&mut self, outcome: &PathOutcome) {
        let is_end = matches!(outcome, PathOutcome::Returned(_) | PathOutcome::Threw(_));
        if is_end && self.activations.iter().any(|activation| activation.is_body) {
            self.give_up("a recursive method throws an exception");
        }
    }

    fn give_up(&mut self, reason: &str) {
        if let Some(induction) = &mut self.induction {
            induction.give_up(reason);
        }
    }

    /// Sets the activations of a fork again, or none.
    pub(super) fn set_activations(&mut self, vm: &mut Vm, activations: Vec<Activation>) {
        self.activations = activations;
        if self.induction.is_some() {
            vm.break_at(None);
            vm.break_below(self.body_depth());
        }
    }

    /// Number of frames with the innermost body, 0 if there is none.
    fn body_depth(&self) -> usize {
        let mut bodies = self.activations.iter().rev();
        let body = bodies.find(|activation| activation.is_body);
        body.map_or(0, |body| body.depth)
    }

    /// Drops the activations of frames that have ended; must be called before a mark is set.
    pub(super) fn drop_activations(&mut self, vm: &Vm) {
        if self.activations.is_empty() {
            return;
        }
        let kept = vm.frames_since_mark();
        let ended = self.activations.extract_if(.., |all| all.depth > kept);
        if ended.into_iter().any(|activation| activation.is_body) {
            self.give_up("a recursive method throws an exception");
        }
    }

    /// Goes on at a cut point.
    pub(super) fn arrive(&mut self, vm: &mut Vm, probe: u32) -> StepResult {
        self.drop_activations(vm);
        let Some(mut induction) = self.induction.take() else {
            return Ok(None);
        };
        let arrival = match induction.probes.get(&probe) {
            Some(&cut) => self.arrive_at(vm, &mut induction, cut),
            None => Ok(Arrival::Pass),
        };
        let is_over = induction.is_over;
        self.induction = Some(induction);
        match arrival? {
            _ if is_over => Ok(Some(WalkEnd::Dead)),
            Arrival::Pass => {
                self.machine.passes_cut = true;
                Ok(None)
            }
            Arrival::End => Ok(Some(WalkEnd::Dead)),
            Arrival::Contract(cut) => self.enter_contract(vm, cut),
            Arrival::Call(cut) => {
                if let Some(bound) = self.push(vm, Fork::Call { cut }, false) {
                    return Ok(Some(WalkEnd::Leaf(PathOutcome::Bounded(bound))));
                }
                match self.guided(2) {
                    Some(0) => self.enter_contract(vm, cut),
                    Some(_) => self.take_body(vm),
                    None => Ok(Some(WalkEnd::Dead)),
                }
            }
        }
    }

    fn arrive_at(
        &mut self,
        vm: &mut Vm,
        induction: &mut Induction,
        cut: usize,
    ) -> Result<Arrival, SymbolicError> {
        match induction.summaries[cut].point.kind {
            CutKind::Loop => self.arrive_at_loop(vm, induction, cut),
            CutKind::Call => self.arrive_at_call(vm, induction, cut),
        }
    }

    fn arrive_at_loop(
        &mut self,
        vm: &mut Vm,
        induction: &mut Induction,
        cut: usize,
    ) -> Result<Arrival, SymbolicError> {
        let depth = vm.frames().len();
        let mut before = self.activations.iter();
        let before = before.rposition(|all| all.cut == cut && all.depth == depth);
        let Some(now) = self.cut_state(vm, induction, cut) else {
            induction.give_up("the types of local variables are unknown");
            return Ok(Arrival::End);
        };
        let peeling = match before {
            None => induction.summaries[cut].peeled,
            Some(before) if self.activations[before].peeling > 0 => {
                let activation = self.activations.remove(before);
                activation.peeling - 1
            }
            Some(before) => {
                let activation = self.activations[before].clone();
                if self.is_covered(vm, induction, cut, &activation, &now) {
                    self.check_entry(vm, induction, cut, &now, &activation.old)?;
                }
                return Ok(Arrival::End);
            }
        };
        self.visits.visit(vm, false);
        let mut activation = Activation {
            cut,
            frame: vm.frames()[depth - 1],
            depth,
            mark: vm.mark(),
            peeling,
            is_body: false,
            behind: 0,
            old: now.clone(),
            start: now.clone(),
            written: vm.written().len(),
            last_written: last_written(vm),
            objects: self.inputs.objects.len(),
        };
        if peeling == 0 {
            if induction.summaries[cut].entry.is_none() {
                self.guess_entry(vm, induction, cut, &now);
            }
            self.check_entry(vm, induction, cut, &now, &now)?;
            if induction.is_over {
                return Ok(Arrival::End);
            }
            match self.open(vm, induction, cut, &now) {
                Some(start) => activation.start = start,
                None => {
                    induction.give_up("a static field or an array cannot be open");
                    return Ok(Arrival::End);
                }
            }
            let entry = induction.summaries[cut].entry();
            let terms = self.atoms(&activation.start, &activation.old, None);
            self.assume_all(entry, &terms);
            for all in &activation.start.contents {
                let is_of = |candidate: &&Candidate| {
                    let range = candidate.range.as_ref();
                    range.is_some_and(|range| range.array == all.register)
                };
                let facts = ElementFacts {
                    array: all.register,
                    candidates: entry.iter().filter(is_of).cloned().collect(),
                    terms: terms.clone(),
                };
                self.machine.contents.set_facts(all.contents, facts);
            }
        }
        self.activations.push(activation);
        Ok(Arrival::Pass)
    }

    fn arrive_at_call(
        &mut self,
        vm: &mut Vm,
        induction: &mut Induction,
        cut: usize,
    ) -> Result<Arrival, SymbolicError> {
        let frame = vm.frames()[vm.frames().len() - 1];
        let Some(now) = self.cut_state(vm, induction, cut) else {
            induction.give_up("the type of a static field is unknown");
            return Ok(Arrival::End);
        };
        if !vm.is_plain_call(&frame) {
            induction.give_up("a recursive method is called by the machine");
            return Ok(Arrival::End);
        }
        let mut bodies = self.activations.iter();
        let body = bodies.rposition(|all| all.cut == cut && all.is_body);
        if let Some(body) = body {
            let activation = self.activations[body].clone();
            if !self.is_covered(vm, induction, cut, &activation, &now) {
                return Ok(Arrival::End);
            }
            self.check_entry(vm, induction, cut, &now, &activation.old)?;
            return Ok(Arrival::Contract(cut));
        }
        if induction.summaries[cut].entry.is_none() {
            self.guess_entry(vm, induction, cut, &now);
        }
        self.check_entry(vm, induction, cut, &now, &now)?;
        if induction.is_over {
            return Ok(Arrival::End);
        }
        if induction.summaries[cut].exit.is_none() {
            self.guess_exit(vm, induction, cut, &now);
        }
        Ok(Arrival::Call(cut))
    }

    /// Replaces a call by its contract.
    fn enter_contract(&mut self, vm: &mut Vm, cut: usize) -> StepResult {
        self.enter(vm, cut, |search, vm, induction, old| {
            let summary = &induction.summaries[cut];
            let mut now = old.clone();
            search.open_places(vm, summary, &mut now)?;
            search.open_objects(vm, induction)?;
            induction.add_fields(vm, &search.machine.references, &mut now);
            let result = match vm.result_kind(summary.point.method) {
                Kind::Void => None,
                Kind::Reference => {
                    let slot = search.any_object(vm, summary.referent(Atom::Result));
                    Some((Kind::Reference, slot))
                }
                kind => {
                    let name = Name::from("the result of a call".to_owned());
                    Some((kind, search.machine.variable(name, kind)))
                }
            };
            let terms = search.atoms(&now, &old, result);
            search.assume_all(summary.exit(), &terms);
            vm.return_with(result.map(|(_, slot)| slot));
            Some(())
        })
    }

    /// Enters the body of a method with open arguments; the newest fork is that of the call.
    pub(super) fn take_body(&mut self, vm: &mut Vm) -> StepResult {
        let Some(node) = self.trail.forks.last_mut() else {
            return Ok(Some(WalkEnd::Dead));
        };
        node.taken = 1;
        let (&Fork::Call { cut }, mark) = (&node.fork, node.mark) else {
            return Ok(Some(WalkEnd::Dead));
        };
        self.enter(vm, cut, |search, vm, induction, old| {
            let start = search.open(vm, induction, cut, &old)?;
            let terms = search.atoms(&start, &old, None);
            search.assume_all(induction.summaries[cut].entry(), &terms);
            let [.., caller, frame] = vm.frames() else {
                return None;
            };
            search.activations.push(Activation {
                cut,
                frame: *frame,
                depth: vm.frames().len(),
                mark,
                peeling: 0,
                is_body: true,
                behind: caller.pc + 1,
                old,
                start,
                written: vm.written().len(),
                last_written: last_written(vm),
                objects: search.inputs.objects.len(),
            });
            vm.break_below(search.body_depth());
            search.machine.passes_cut = true;
            Some(())
        })
    }

    /// Goes on at the beginning of a method, given what is known of it and the state.
    fn enter(
        &mut self,
        vm: &mut Vm,
        cut: usize,
        go_on: impl FnOnce(&mut Self, &mut Vm, &Induction, CutState) -> Option<()>,
    ) -> StepResult {
        let Some(mut induction) = self.induction.take() else {
            return Ok(Some(WalkEnd::Dead));
        };
        let state = self.cut_state(vm, &induction, cut);
        let went = state.and_then(|state| go_on(self, vm, &induction, state));
        if went.is_none() {
            induction.give_up("a static field cannot be open");
        }
        self.induction = Some(induction);
        Ok(went.is_none().then_some(WalkEnd::Dead))
    }

    /// Checks the contract of a method whose body has returned, and ends the path.
    pub(super) fn end_body(&mut self, vm: &mut Vm) -> StepResult {
        vm.break_at(None);
        let mut bodies = self.activations.iter().rev();
        let body = bodies.find(|activation| activation.is_body).cloned();
        let (Some(body), Some(mut induction)) = (body, self.induction.take()) else {
            return Ok(Some(WalkEnd::Dead));
        };
        let result = self.check_exit(vm, &mut induction, &body);
        self.induction = Some(induction);
        result.map(|()| Some(WalkEnd::Dead))
    }

    fn check_exit(
        &mut self,
        vm: &mut Vm,
        induction: &mut Induction,
        body: &Activation,
    ) -> Result<(), SymbolicError> {
        let cut = body.cut;
        let mut now = body.start.clone();
        for (place, _, slot) in &mut now.places {
            *slot = vm.value_at(*place);
        }
        let returned = vm.frames().last().map(|frame| frame.pc);
        if vm.frames().len() + 1 != body.depth || returned != Some(body.behind) {
            induction.give_up("a recursive method throws an exception");
            return Ok(());
        }
        if !self.is_covered(vm, induction, cut, body, &body.start) {
            return Ok(());
        }
        let kind = vm.result_kind(body.frame.method);
        let result = (kind != Kind::Void).then(|| (kind, vm.result_of(&body.frame)));
        if let Some((Kind::Reference, slot)) = result {
            let seen = self.machine.referent(vm, slot);
            if induction.widen(vm, cut, Atom::Result, seen) {
                return Ok(());
            }
        }
        if !self.check_objects(vm, induction)? {
            return Ok(());
        }
        induction.add_fields(vm, &self.machine.references, &mut now);
        let terms = self.atoms(&now, &body.start, result);
        let summary = &mut induction.summaries[cut];
        let mut exit = summary.exit.take().unwrap_or_default();
        let refuted = self.refuted(&exit, &terms)?;
        induction.is_changed |= !refuted.is_empty();
        exit.retain(|candidate| !refuted.contains(candidate));
        summary.refuted.extend(refuted);
        summary.exit = Some(exit);
        Ok(())
    }

    /// Values at a cut point at which the run stands; `None` if their types are unknown.
    fn cut_state(&self, vm: &mut Vm, induction: &Induction, cut: usize) -> Option<CutState> {
        let summary = &induction.summaries[cut];
        let pc = vm.frames().last()?.pc;
        let registers = match summary.point.kind {
            CutKind::Loop => vm.registers_at(summary.point.method, pc)?,
            CutKind::Call => vm.parameter_registers(summary.point.method),
        };
        let mut state = CutState::default();
        for (register, kind) in registers {
            let slot = vm.register(register);
            state.registers.push((register, kind, slot));
            let slot = self.machine.references.current(slot);
            if kind == Kind::Reference && !is_symbolic(slot) && slot != 0 {
                let object = Ref::from_slot(slot);
                if vm.class_name(vm.heap.class_of(object)).starts_with('[') {
                    let length = vm.slot_at(SlotLocation::Length(object));
                    state.lengths.push((register, length));
                    if summary.contents.contains(&register) {
                        let kind = vm.array_element_kind(vm.heap.class_of(object));
                        state.contents.push(ArrayContents {
                            register,
                            array: object,
                            kind,
                            contents: vm.contents(object)?,
                        });
                    }
                }
            }
        }
        for &place in &summary.places {
            let kind = vm.kind_of_place(place)?;
            state.places.push((place, kind, vm.value_at(place)));
        }
        induction.add_fields(vm, &self.machine.references, &mut state);
        Some(state)
    }

    /// Whether a state is one of those that an activation stands for, but for the candidates. What
    /// differs is learnt otherwise.
    fn is_covered(
        &mut self,
        vm: &mut Vm,
        induction: &mut Induction,
        cut: usize,
        activation: &Activation,
        now: &CutState,
    ) -> bool {
        // A setting is the same in each iteration.
        if vm.chances_read().any(|chance| !chance.is_setting()) || vm.has_threads() {
            induction.give_up("a loop or a recursive method reads what differs from run to run");
            return false;
        }
        if self.inputs.objects.len() != activation.objects || self.cuts.iter().next().is_some() {
            induction.give_up("a loop or a recursive method reads objects that are inputs");
            return false;
        }
        let mut opened = Vec::new();
        let same = activation.start.registers.iter().zip(&now.registers);
        for (&(register, _, before), &(_, _, slot)) in same {
            let references = &self.machine.references;
            if references.current(before) == references.current(slot) {
                continue;
            }
            if !induction.summaries[cut].open.contains(&register) {
                opened.push(register);
            }
        }
        let fields = induction.open_fields(vm, activation.mark);
        let noted = &vm.written()[activation.written..];
        let mut new_fields = induction.new_fields(vm, noted, activation.mark, &self.met);
        let summary = &mut induction.summaries[cut];
        let mut places: Vec<WrittenPlace> = summary.places.iter().copied().collect();
        places.extend(fields);
        places.extend(vm.plain_initializations(activation.mark));
        let arrays = activation.start.contents.iter();
        places.extend(arrays.map(|all| WrittenPlace::Contents(all.array)));
        let mut written = Vec::new();
        let mut filled: Vec<(u16, WrittenPlace)> = Vec::new();
        if vm.has_other_changes(activation.mark, &places) {
            written = vm.written()[activation.written..].to_vec();
            // Repetitions are not noted.
            if let Some((place, before)) = activation.last_written
                && before.is_none_or(|before| vm.value_at(place) != before)
            {
                written.push(place);
            }
            if summary.point.kind == CutKind::Loop {
                filled = arrays_in(&written, &activation.start, &self.machine.references);
            }
            new_fields = induction.new_fields(vm, &written, activation.mark, &self.met);
            written.retain(|&place| {
                matches!(place, WrittenPlace::Static(_)) && vm.kind_of_place(place).is_some()
            });
            let mut known = written.clone();
            known.extend(&new_fields);
            known.extend(&places);
            known.extend(filled.iter().map(|all| all.1));
            let summary = &mut induction.summaries[cut];
            if vm.has_other_changes(activation.mark, &known) {
                if summary.point.kind == CutKind::Loop && summary.peeled < MAX_PEELED {
                    summary.peeled += 1;
                    induction.learn();
                    return false;
                }
                induction.give_up("a loop or a recursive method changes objects");
                return false;
            }
        }
        for &place in &new_fields {
            if let WrittenPlace::Field(object, word) = place {
                induction.open_field(vm, vm.heap.class_of(object), word);
            }
        }
        let summary = &mut induction.summaries[cut];
        let is_known = |(register, _): &(u16, WrittenPlace)| summary.contents.contains(register);
        filled.retain(|all| !is_known(all));
        let is_same = opened.is_empty() && written.is_empty() && filled.is_empty();
        if is_same && new_fields.is_empty() {
            return true;
        }
        if !new_fields.is_empty() {
            // Their values are compared at all points.
            induction.summaries.iter_mut().for_each(Summary::forget);
        }
        let summary = &mut induction.summaries[cut];
        summary
            .contents
            .extend(filled.iter().map(|(register, _)| register));
        summary.open.extend(opened);
        summary.places.extend(written);
        summary.forget();
        induction.learn();
        false
    }

    /// Opens what differs from one arrival to the next; returns the state. `None` if a static field
    /// cannot be written.
    fn open(
        &mut self,
        vm: &mut Vm,
        induction: &Induction,
        cut: usize,
        now: &CutState,
    ) -> Option<CutState> {
        let summary = &induction.summaries[cut];
        let mut start = now.clone();
        for (register, kind, slot) in &mut start.registers {
            if summary.open.contains(register) {
                *slot = match kind {
                    Kind::Reference => {
                        let referent = summary.referent(Atom::Register(*register));
                        self.any_object(vm, referent)
                    }
                    _ => {
                        let name = Name::from("a variable".to_owned());
                        self.machine.variable(name, *kind)
                    }
                };
                vm.set_register(*register, *slot);
            }
        }
        self.open_places(vm, summary, &mut start)?;
        for all in &mut start.contents {
            let class = vm.element_class(vm.heap.class_of(all.array))?;
            all.contents = self.machine.contents.open(class)?;
            let place = WrittenPlace::Contents(all.array);
            vm.set_value_at(place, all.contents.into()).ok()?;
        }
        self.open_objects(vm, induction)?;
        induction.add_fields(vm, &self.machine.references, &mut start);
        Some(start)
    }

    /// Opens the static fields of a state; `None` if one cannot be written.
    fn open_places(&mut self, vm: &mut Vm, summary: &Summary, state: &mut CutState) -> Option<()> {
        for (place, kind, slot) in &mut state.places {
            *slot = match kind {
                Kind::Reference => self.any_object(vm, summary.referent(Atom::Place(*place))),
                _ => {
                    let name = Name::from("a static field".to_owned());
                    self.machine.variable(name, *kind)
                }
            };
            vm.set_value_at(*place, *slot).ok()?;
        }
        Some(())
    }

    /// Terms of the integers of a state.
    fn atoms(
        &mut self,
        now: &CutState,
        old: &CutState,
        result: Option<(Kind, u64)>,
    ) -> FxHashMap<Atom, Term> {
        let registers = now.registers.iter();
        let registers = registers.map(|&(at, kind, slot)| (Atom::Register(at), kind, slot));
        let old_registers = old.registers.iter();
        let old_registers =
            old_registers.map(|&(at, kind, slot)| (Atom::OldRegister(at), kind, slot));
        let places = now.places.iter();
        let places = places.map(|&(at, kind, slot)| (Atom::Place(at), kind, slot));
        let old_places = old.places.iter();
        let old_places = old_places.map(|&(at, kind, slot)| (Atom::OldPlace(at), kind, slot));
        let lengths = now.lengths.iter();
        let lengths = lengths.map(|&(at, slot)| (Atom::Length(at), Kind::Int, slot));
        let result = result.map(|(kind, slot)| (Atom::Result, kind, slot));
        let all = registers
            .chain(old_registers)
            .chain(places)
            .chain(old_places);
        let fields = now.fields.iter();
        let fields = fields.map(|&(at, field, kind, slot)| (Atom::FieldOf(at, field), kind, slot));
        let old_fields = old.fields.iter();
        let old_fields =
            old_fields.map(|&(at, field, kind, slot)| (Atom::OldFieldOf(at, field), kind, slot));
        let all = all.chain(fields).chain(old_fields).chain(lengths);
        let all: Vec<(Atom, Kind, u64)> = all.chain(result).collect();
        let is_compared = |kind: Kind| integer_sort(kind).is_some() || kind == Kind::Reference;
        let compared = all.into_iter().filter(|(_, kind, _)| is_compared(*kind));
        let terms = compared.filter_map(|(atom, kind, slot)| {
            Some((atom, self.machine.compared_element(kind, slot)?))
        });
        terms.collect()
    }

    /// Adds an index and the element there of each array whose contents are open.
    fn add_elements(&mut self, now: &CutState, terms: &mut FxHashMap<Atom, Term>) {
        if now.contents.is_empty() {
            return;
        }
        let name = Name::from("an index".to_owned());
        let index = self.machine.variable(name, Kind::Int);
        terms.insert(Atom::Index, self.machine.term(index, Kind::Int));
        for all in &now.contents {
            let element = self.machine.selected(all.contents, all.kind, index);
            let term = element.and_then(|slot| self.machine.compared_element(all.kind, slot));
            terms.extend(term.map(|term| (Atom::Element(all.register), term)));
        }
    }

    fn candidate_term(
        &mut self,
        candidate: &Candidate,
        terms: &FxHashMap<Atom, Term>,
    ) -> Option<Term> {
        let mut value = |_: &mut _, atom| terms.get(&atom).copied();
        candidate.term(&mut self.machine.pool, &mut value)
    }

    fn assume_all(&mut self, candidates: &[Candidate], terms: &FxHashMap<Atom, Term>) {
        let is_of_state = |candidate: &&Candidate| candidate.range.is_none();
        for candidate in candidates.iter().filter(is_of_state) {
            if let Some(term) = self.candidate_term(candidate, terms)
                && self.machine.settled(term).is_none()
            {
                self.machine.require(term);
            }
        }
    }

    /// Drops the candidates at a point, and those of classes, that a state refutes.
    fn check_entry(
        &mut self,
        vm: &mut Vm,
        induction: &mut Induction,
        cut: usize,
        now: &CutState,
        old: &CutState,
    ) -> Result<(), SymbolicError> {
        if self.widen_referents(vm, induction, cut, now) || !self.check_objects(vm, induction)? {
            return Ok(());
        }
        let mut terms = self.atoms(now, old, None);
        self.add_elements(now, &mut terms);
        let summary = &mut induction.summaries[cut];
        let mut entry = summary.entry.take().unwrap_or_default();
        let refuted = self.refuted(&entry, &terms)?;
        induction.is_changed |= !refuted.is_empty();
        entry.retain(|candidate| !refuted.contains(candidate));
        summary.refuted.extend(refuted);
        summary.entry = Some(entry);
        Ok(())
    }

    /// Candidates that may fail on the path. One that has no term does.
    fn refuted(
        &mut self,
        candidates: &[Candidate],
        terms: &FxHashMap<Atom, Term>,
    ) -> Result<FxHashSet<Candidate>, SymbolicError> {
        let mut refuted = FxHashSet::default();
        let mut open: Vec<(Term, &Candidate)> = Vec::new();
        for candidate in candidates {
            match self.candidate_term(candidate, terms) {
                None => {
                    refuted.insert(candidate.clone());
                }
                Some(term) => match self.machine.settled(term) {
                    Some(true) => {}
                    Some(false) => {
                        refuted.insert(candidate.clone());
                    }
                    None => open.push((term, candidate)),
                },
            }
        }
        while !open.is_empty() {
            let mut all = self.machine.pool.bool(true);
            for &(term, _) in &open {
                all = self.machine.pool.binary(Binary::And, all, term);
            }
            let fails = self.machine.pool.not(all);
            let (solver, pool) = (&mut self.machine.solver, &self.machine.pool);
            let mark = solver.mark();
            solver.assert(pool, fails);
            let verdict = solver.feasibility(pool)?;
            let model = match verdict {
                Satisfiability::Sat => solver.model(pool)?,
                _ => None,
            };
            solver.undo_to(mark);
            if verdict == Satisfiability::Unsat {
                break;
            }
            let before = open.len();
            if let Some(model) = model {
                open.retain(|&(term, candidate)| {
                    let holds = self.machine.pool.evaluate(term, &model) == 1;
                    if !holds {
                        refuted.insert(candidate.clone());
                    }
                    holds
                });
            }
            if open.len() == before {
                for (term, candidate) in std::mem::take(&mut open) {
                    let (_, fails) = self.sides(term)?;
                    if fails != Satisfiability::Unsat {
                        refuted.insert(candidate.clone());
                    }
                }
            }
        }
        Ok(refuted)
    }

    /// Guesses candidates at a point from its values.
    fn guess_entry(&mut self, vm: &Vm, induction: &mut Induction, cut: usize, now: &CutState) {
        let summary = &mut induction.summaries[cut];
        let mut constants = method_constants(vm, summary.point.method);
        constants.extend([-1, 1]);
        let mut values = Values {
            open: Vec::new(),
            fixed: Vec::new(),
            constants: Vec::new(),
        };
        let mut entry: Vec<Candidate> = Vec::new();
        for &(register, kind, slot) in &now.registers {
            let Some(is_long) = is_long(kind) else {
                if summary.open.contains(&register) && kind == Kind::Reference {
                    entry.push(guesses::is_object(Atom::Register(register)));
                }
                continue;
            };
            if summary.open.contains(&register) {
                values.open.push((Atom::Register(register), is_long));
                values.fixed.push((Atom::OldRegister(register), is_long));
                let term = self.machine.term(slot, kind);
                let (least, most) = self.machine.solver.bounds(&self.machine.pool, term);
                // Those of the type say nothing.
                let extremes = [i32::MIN.into(), i32::MAX.into(), i64::MIN, i64::MAX];
                let bounds = [least, most].into_iter();
                constants.extend(bounds.filter(|bound| !extremes.contains(bound)));
            } else {
                values.fixed.push((Atom::Register(register), is_long));
            }
        }
        if summary.point.kind == CutKind::Loop {
            values.add_fields(now);
            for &(place, kind, _) in &now.places {
                if kind == Kind::Reference {
                    entry.push(guesses::is_object(Atom::Place(place)));
                }
                if let Some(is_long) = is_long(kind) {
                    values.open.push((Atom::Place(place), is_long));
                    values.fixed.push((Atom::OldPlace(place), is_long));
                }
            }
        }
        let lengths = now.lengths.iter();
        values
            .fixed
            .extend(lengths.map(|&(register, _)| (Atom::Length(register), false)));
        values.constants = constants.into_iter().collect();
        if induction.guesses_cases {
            entry.extend(guesses::cases(&values));
        }
        entry.extend(guesses::relations(&values));
        for all in now.contents.iter().filter(|_| induction.guesses_elements) {
            entry.extend(guesses::element_facts(all.register, all.kind, &values));
        }
        entry.retain(|candidate| !summary.refuted.contains(candidate));
        summary.entry = Some(entry);
    }

    /// Guesses candidates behind a call from samples.
    fn guess_exit(&mut self, vm: &mut Vm, induction: &mut Induction, cut: usize, now: &CutState) {
        let mut probes = induction.probes.iter();
        let Some(probe) = probes.find(|all| *all.1 == cut).map(|all| *all.0) else {
            return;
        };
        let summary = &mut induction.summaries[cut];
        let integers = |&(register, kind, _): &(u16, Kind, u64)| {
            Some((Atom::Register(register), is_long(kind)?))
        };
        let parameters: Vec<(Atom, bool)> = now.registers.iter().filter_map(integers).collect();
        let mut outputs = Vec::new();
        if let Some(is_long) = is_long(vm.result_kind(summary.point.method)) {
            let sum = vec![Summand::Plus(Atom::Result)];
            outputs.push(Output { sum, is_long });
        }
        for &(place, kind, _) in &now.places {
            if let Some(is_long) = is_long(kind) {
                let change = [Atom::Place(place), Atom::OldPlace(place)];
                let sum = vec![Summand::Plus(change[0]), Summand::Minus(change[1])];
                outputs.push(Output { sum, is_long });
            }
        }
        let constants: Vec<i64> = method_constants(vm, summary.point.method)
            .into_iter()
            .collect();
        let most = guesses::most_argument(summary.entry(), &parameters);
        if summary.samples.is_none() {
            summary.samples = Some(self.sample(vm, probe, now, &constants, 0..=most));
        }
        let entry = summary.entry();
        let is_call = |sample: &&Sample| {
            let value = |atom| sample.argument(&parameters, atom);
            entry
                .iter()
                .all(|candidate| candidate.fact.holds(&value) != Some(false))
        };
        let samples = summary.samples.iter().flatten().filter(is_call);
        let samples: Vec<Sample> = samples.cloned().collect();
        let is_possible = |candidate: &Candidate| !summary.refuted.contains(candidate);
        let mut exit = guesses::facts(
            &samples,
            &parameters,
            &outputs,
            &constants,
            summary.entry(),
            &is_possible,
        );
        let mut further = Vec::new();
        if vm.result_kind(summary.point.method) == Kind::Reference {
            further.push(guesses::is_object(Atom::Result));
        }
        if !now.fields.is_empty() {
            let mut values = Values {
                open: Vec::new(),
                fixed: parameters.clone(),
                constants: constants.clone(),
            };
            values.add_fields(now);
            further.extend(guesses::relations(&values));
        }
        exit.extend(further.into_iter().filter(|all| is_possible(all)));
        summary.exit = Some(exit);
    }
}

impl Values {
    /// Adds the fields of a state, and their former values.
    fn add_fields(&mut self, state: &CutState) {
        for &(register, field, kind, _) in &state.fields {
            if let Some(is_long) = is_long(kind) {
                self.open.push((Atom::FieldOf(register, field), is_long));
                self.fixed
                    .push((Atom::OldFieldOf(register, field), is_long));
            }
        }
    }
}

/// Arrays among written places whose contents are terms, with the registers that refer to them.
fn arrays_in(
    written: &[WrittenPlace],
    state: &CutState,
    references: &References,
) -> Vec<(u16, WrittenPlace)> {
    let mut found = Vec::new();
    for &place in written {
        let WrittenPlace::Contents(array) = place else {
            continue;
        };
        let mut registers = state.registers.iter();
        let register = registers.find(|&&(_, kind, slot)| {
            kind == Kind::Reference && references.current(slot) == array.slot()
        });
        if let Some(&(register, ..)) = register
            && !found.contains(&(register, place))
        {
            found.push((register, place));
        }
    }
    found
}

/// Place that was noted last, with its value if it is a field.
fn last_written(vm: &Vm) -> Option<(WrittenPlace, Option<u64>)> {
    let place = *vm.written().last()?;
    let is_field = matches!(place, WrittenPlace::Static(_) | WrittenPlace::Field(..));
    Some((place, is_field.then(|| vm.value_at(place))))
}

/// Whether the integers of a kind are `long`; `None` for other kinds.
fn is_long(kind: Kind) -> Option<bool> {
    integer_sort(kind).map(|_| kind == Kind::Long)
}

/// Integers that a method's code names, and 0.
fn method_constants(vm: &Vm, method: MethodId) -> BTreeSet<i64> {
    use heapwright_jvm::listing::ListedOperation;
    let mut constants = BTreeSet::new();
    for listed in vm.listing(method).unwrap_or_default().instructions {
        match listed.step {
            ListedOperation::Number(Kind::Long, bits) => {
                constants.insert(bits as i64);
            }
            ListedOperation::Number(kind, bits) if integer_sort(kind).is_some() => {
                constants.insert(i64::from(bits as i32));
            }
            ListedOperation::Increment(_, number) => {
                constants.insert(i64::from(number));
            }
            _ => {}
        }
        if constants.len() >= MAX_CONSTANTS {
            break;
        }
    }
    constants.insert(0);
    constants
}
