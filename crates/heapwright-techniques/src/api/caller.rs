//! Calls on structures on one machine, and the processing of their results.

mod foresee;
mod keep;

use std::fmt;

use heapwright_explore::bits::BitWriter;
use heapwright_explore::external::SpillError;
use heapwright_explore::{CanonicalForm, Canonicalizer, NotMade, Record};
use heapwright_jvm::{ClassId, Exit, Limit, MarkId, MethodId, Plain, Ref, Vm};
use rustc_hash::FxHashMap;

use super::checks::Checks;
use super::findings::{CallFault, CallFinding, CallFindings, OutcomeTally};
use super::nondeterminism;
use super::operations::{ApiOperation, OperandSource};
use super::paths::DecisionTrees;
use super::pools::{Origin, Pools, StructureRef, StructureRole};
use super::values::Literals;
use crate::Error;
use crate::arguments::Mutable;
use crate::depth;
use crate::misuse::Misuse;
use crate::observe::Obstacle;
use crate::parts::StopCheck;
use crate::statements::CallKind;

/// Divisor of the step limit for methods that have often not ended.
const IMPATIENCE: u64 = 64;

/// Source and destination of structures.
pub trait Board {
    /// Structures of earlier iterations, and those of this one as far as they are known here.
    fn pools(&self) -> &Pools;

    /// Whether a structure of a class is known already.
    fn is_known(&self, class: &str, hash: u64, compared: &[u8]) -> bool;

    /// Adds a structure; returns whether it is new as far as is known here.
    fn add(&mut self, class: &str, hash: u64, form: CanonicalForm<'_>, origin: &[u8]) -> bool;

    /// Marks the start of another sequence for the structures added next.
    fn next_sequence(&mut self) {}

    /// Whether calls of an operation are to be made on the visited structure; `explored` is the
    /// number of calls so far.
    fn wants(&mut self, _operation: usize, _explored: u64) -> bool {
        true
    }

    /// Operations that add nothing to any structure.
    fn closed(&self) -> &[usize] {
        &[]
    }
}

/// Reason why calls were broken off.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Break {
    /// A call initialised these classes, by internal name. They must be initialised beforehand, and
    /// all calls repeated.
    Initialized(Vec<String>),
    /// A structure could not be rebuilt because the heap is full.
    HeapFull,
    /// Structures cannot be stored on disk, or read from it.
    Disk(SpillError),
    /// The user stopped the search.
    Stopped,
}

impl From<SpillError> for Break {
    fn from(error: SpillError) -> Break {
        match error {
            SpillError::Stopped => Break::Stopped,
            error => Break::Disk(error),
        }
    }
}

impl fmt::Display for Break {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Break::Initialized(names) => {
                write!(formatter, "{} had to be initialised", names.join(", "))
            }
            Break::HeapFull => formatter.write_str("no memory is left to make a structure again"),
            Break::Disk(error) => error.fmt(formatter),
            Break::Stopped => SpillError::Stopped.fmt(formatter),
        }
    }
}

impl From<Break> for Error {
    fn from(broken: Break) -> Error {
        Error::Bounds(broken.to_string())
    }
}

/// Calls between two checks whether to stop.
const CALLS_PER_QUESTION: u32 = 64;

/// Makes calls on one machine.
pub struct Caller {
    /// Operations to call.
    pub operations: Vec<ApiOperation>,
    /// Whether each operation is enabled.
    enabled: Vec<bool>,
    /// Recipes of arrays and collections among the values, by slot.
    mutable: FxHashMap<u64, Mutable>,
    /// Classes whose structures are retained.
    pub classes: Vec<ClassId>,
    /// Computes canonical forms.
    pub canonicalizer: Canonicalizer,
    /// Rule that decides which exceptions are misuse.
    pub misuse: Misuse,
    /// Step limit of one call.
    pub step_limit: u64,
    /// Methods that have often not ended in earlier iterations.
    pub endless: Vec<MethodId>,
    /// Checks on structures.
    pub checks: Checks,
    /// Counts of calls by outcome.
    pub tally: OutcomeTally,
    /// Faults found.
    pub findings: CallFindings,
    /// Callback that decides whether to stop, if there is one.
    pub stop: Option<StopCheck>,
    /// Calls since its last invocation.
    unasked: u32,
    /// Recorded paths of calls, where they are enabled.
    pub paths: Option<Box<DecisionTrees>>,
    /// Internal name of each class whose structures are retained; `None` for other classes.
    kept: FxHashMap<ClassId, Option<Box<str>>>,
    loaded: FxHashMap<Box<str>, ClassId>,
    initializations: u64,
    slots: Vec<u64>,
    origin: BitWriter,
    left: Vec<(StructureRole, Ref)>,
    /// Whether the last call produced a structure that was not known.
    has_left_new: bool,
}

/// Call about to be made.
struct PendingCall<'a> {
    operation: usize,
    /// Method selected by dispatch on the receiver.
    method: MethodId,
    parents: &'a [StructureRef],
    /// Objects of the parents on the heap.
    objects: &'a [Ref],
    mark: MarkId,
}

impl Caller {
    /// Creates a caller with all operations enabled. `literals` has their values.
    #[must_use]
    pub fn new(
        operations: Vec<ApiOperation>,
        literals: &Literals,
        classes: Vec<ClassId>,
        canonicalizer: Canonicalizer,
        misuse: Misuse,
        step_limit: u64,
    ) -> Caller {
        Caller {
            enabled: vec![true; operations.len()],
            operations,
            mutable: literals.mutable.clone(),
            classes,
            canonicalizer,
            misuse,
            step_limit,
            endless: Vec::new(),
            checks: Checks::default(),
            tally: OutcomeTally::default(),
            findings: CallFindings::default(),
            stop: None,
            unasked: 0,
            paths: None,
            kept: FxHashMap::default(),
            loaded: FxHashMap::default(),
            initializations: 0,
            slots: Vec::new(),
            origin: BitWriter::default(),
            left: Vec::new(),
            has_left_new: false,
        }
    }

    /// Enables these operations and no others.
    pub fn enable(&mut self, operations: &[usize]) {
        self.enabled.fill(false);
        for &operation in operations {
            self.enabled[operation] = true;
        }
    }

    /// Makes all calls that need no structure.
    ///
    /// # Errors
    /// See [`Break`].
    pub fn start(&mut self, vm: &mut Vm, board: &mut impl Board) -> Result<(), Break> {
        self.initializations = vm.initializations();
        let mark = vm.mark();
        let mut flow = Ok(());
        for operation in 0..self.operations.len() {
            let needs_none = self.operations[operation].structures.is_empty();
            if self.enabled[operation] && needs_none && board.wants(operation, self.tally.explored)
            {
                let site = PendingCall {
                    operation,
                    method: self.operations[operation].call.method,
                    parents: &[],
                    objects: &[],
                    mark,
                };
                flow = self.call_all(vm, board, &site);
                if flow.is_err() {
                    break;
                }
            }
        }
        vm.undo_to(mark);
        vm.forget(mark);
        flow
    }

    /// Makes all calls in which `lead` is the first structure of the last iteration.
    ///
    /// # Errors
    /// See [`Break`].
    pub fn visit(
        &mut self,
        vm: &mut Vm,
        board: &mut impl Board,
        lead: StructureRef,
    ) -> Result<(), Break> {
        self.initializations = vm.initializations();
        vm.with_mark(|vm| self.visit_marked(vm, board, lead))
    }

    fn visit_marked(
        &mut self,
        vm: &mut Vm,
        board: &mut impl Board,
        lead: StructureRef,
    ) -> Result<(), Break> {
        let start = vm.heap.end();
        let object = self.make(vm, board.pools(), lead)?;
        if let Some(paths) = &mut self.paths {
            paths.look_at(vm, start, object, self.canonicalizer.objects());
        }
        let class = vm.heap.class_of(object);
        self.examine(vm, board.pools(), lead, object)?;
        let mark = vm.mark();
        if self.paths.is_some() {
            self.settle(vm, board.closed(), (lead, object), mark)?;
        }
        for operation in 0..self.operations.len() {
            if !self.enabled[operation] || !board.wants(operation, self.tally.explored) {
                continue;
            }
            for place in 0..self.operations[operation].structures.len() {
                if !self.accepts(vm, operation, place, class) {
                    continue;
                }
                let count = self.operations[operation].structures.len();
                if count == 1 {
                    let site = PendingCall {
                        operation,
                        method: self.reached(vm, operation, object),
                        parents: &[lead],
                        objects: &[object],
                        mark,
                    };
                    self.call_all(vm, board, &site)?;
                } else {
                    let mut parents = vec![lead; count];
                    let mut objects = vec![Ref::NULL; count];
                    objects[place] = object;
                    self.combine(vm, board, operation, place, 0, &mut parents, &mut objects)?;
                }
            }
        }
        vm.undo_to(mark);
        vm.forget(mark);
        Ok(())
    }

    /// Runs the requested checks on a structure.
    fn examine(
        &mut self,
        vm: &mut Vm,
        pools: &Pools,
        built: StructureRef,
        object: Ref,
    ) -> Result<(), Break> {
        let class = vm.heap.class_of(object);
        if self
            .checks
            .class()
            .is_none_or(|checked| !vm.is_subclass(class, checked))
        {
            return Ok(());
        }
        let (violations, flow) = vm.with_mark(|vm| {
            let copy = self.make(vm, pools, built)?;
            let checks = std::mem::take(&mut self.checks);
            let violations = checks.violations(vm, object, copy, self.step_limit);
            self.checks = checks;
            Ok::<_, Break>((violations, self.look_for_initialized(vm)))
        })?;
        for violation in violations {
            let (method, text) = (violation.method, violation.text(vm));
            let fault = CallFault::Violates(violation);
            if !self.findings.knows(method, &fault)
                && let Some(record) = pools.record(built)?
            {
                let finding = CallFinding {
                    method,
                    call: Origin::take(record.get().origin, &self.operations),
                    fault,
                    text,
                    count: 1,
                };
                self.findings.add(finding);
            }
        }
        flow
    }

    fn accepts(&self, vm: &Vm, operation: usize, place: usize, class: ClassId) -> bool {
        let operation = &self.operations[operation];
        match &operation.sources[operation.structures[place]].0 {
            OperandSource::Structures(wanted) => vm.is_subclass(class, *wanted),
            OperandSource::Values(_) => false,
        }
    }

    /// Selects the method by dispatch on the receiver, if the operation has one.
    fn reached(&self, vm: &mut Vm, operation: usize, receiver: Ref) -> MethodId {
        let call = self.operations[operation].call;
        if !call.has_receiver() {
            return call.method;
        }
        let class = vm.heap.class_of(receiver);
        vm.select(class, call.method).unwrap_or(call.method)
    }

    /// Fills the structure arguments from `next` on, except the lead's. Arguments before the lead
    /// range over old structures, those after it over all.
    #[expect(clippy::too_many_arguments, reason = "the tuple that is being made")]
    fn combine(
        &mut self,
        vm: &mut Vm,
        board: &mut impl Board,
        operation: usize,
        lead: usize,
        next: usize,
        parents: &mut Vec<StructureRef>,
        objects: &mut Vec<Ref>,
    ) -> Result<(), Break> {
        if next == objects.len() {
            let mark = vm.mark();
            let site = PendingCall {
                operation,
                method: self.reached(vm, operation, objects[0]),
                parents,
                objects,
                mark,
            };
            let flow = self.call_all(vm, board, &site);
            vm.undo_to(mark);
            vm.forget(mark);
            return flow;
        }
        if next == lead {
            return self.combine(vm, board, operation, lead, next + 1, parents, objects);
        }
        for pool in 0..board.pools().iter().count() as u32 {
            let this = board.pools().get(pool);
            let last = if next < lead { this.old } else { this.known };
            if last == 0 {
                continue;
            }
            let class = self.class_named(vm, &this.class);
            if class.is_none_or(|class| !self.accepts(vm, operation, next, class)) {
                continue;
            }
            for index in 0..last as u32 {
                parents[next] = StructureRef { pool, index };
                vm.with_mark(|vm| {
                    objects[next] = self.make(vm, board.pools(), parents[next])?;
                    self.combine(vm, board, operation, lead, next + 1, parents, objects)
                })?;
            }
        }
        Ok(())
    }

    fn class_named(&mut self, vm: &mut Vm, name: &str) -> Option<ClassId> {
        if let Some(&known) = self.loaded.get(name) {
            return Some(known);
        }
        let class = vm.load_class(name).ok()?;
        self.loaded.insert(name.into(), class);
        Some(class)
    }

    /// Rebuilds a structure: from its form or, where that is impossible, by its calls.
    ///
    /// # Errors
    /// The heap is full, or the structure cannot be read from disk.
    pub fn make(&mut self, vm: &mut Vm, pools: &Pools, built: StructureRef) -> Result<Ref, Break> {
        let Some(record) = pools.record(built)? else {
            return Err(Break::HeapFull);
        };
        let record = record.get();
        let Some(class) = self.class_named(vm, &pools.get(built.pool).class) else {
            return Err(Break::HeapFull);
        };
        let start = vm.mark();
        match self.canonicalizer.make(vm, class, record.form) {
            Ok(root) => {
                vm.forget(start);
                Ok(root)
            }
            Err(NotMade::HeapFull) => Err(Break::HeapFull),
            Err(NotMade::Unknown) => {
                vm.undo_to(start);
                vm.forget(start);
                self.replay(vm, pools, record)
            }
        }
    }

    /// Rebuilds a structure by the calls that built it.
    fn replay(&mut self, vm: &mut Vm, pools: &Pools, record: Record<'_>) -> Result<Ref, Break> {
        let origin = Origin::take(record.origin, &self.operations);
        let mut objects = Vec::new();
        for &parent in &origin.parents {
            objects.push(self.make(vm, pools, parent)?);
        }
        let site = PendingCall {
            operation: origin.operation,
            method: match objects.first() {
                Some(&receiver) => self.reached(vm, origin.operation, receiver),
                None => self.operations[origin.operation].call.method,
            },
            parents: &origin.parents,
            objects: &objects,
            mark: vm.mark(),
        };
        self.place(&site);
        let receiver = self.begin(vm, &site, origin.way).ok_or(Break::HeapFull)?;
        let exit = self.run(vm, site.method);
        vm.forget(site.mark);
        match (origin.output, exit) {
            (StructureRole::Result, Exit::Done(result)) => Ok(Ref::from_slot(result)),
            (StructureRole::Receiver, _) => Ok(receiver),
            (StructureRole::Source(place), _) => {
                let operation = &self.operations[origin.operation];
                let at = operation
                    .structures
                    .iter()
                    .position(|&other| other == place);
                Ok(objects[at.unwrap_or(0)])
            }
            _ => Err(Break::HeapFull),
        }
    }

    /// Puts the structures of a call into their slots.
    fn place(&mut self, site: &PendingCall<'_>) {
        let operation = &self.operations[site.operation];
        self.slots.clear();
        self.slots.resize(operation.slots, 0);
        for (&source, object) in operation.structures.iter().zip(site.objects) {
            self.slots[operation.sources[source].1] = object.slot();
        }
    }

    /// Puts the values of a call into their slots, arrays and collections made anew, and allocates
    /// the object to be constructed.
    /// Returns the receiver, null for a static method; `None` if the heap is full.
    fn begin(&mut self, vm: &mut Vm, site: &PendingCall<'_>, way: u64) -> Option<Ref> {
        let operation = &self.operations[site.operation];
        operation.fill(way, &mut self.slots);
        for &at in &operation.mutable {
            if let Some(mutable) = self.mutable.get(&self.slots[at]) {
                self.slots[at] = mutable.make(vm).ok()?.slot();
            }
        }
        match operation.call.kind {
            CallKind::Constructor => {
                let class = operation.call.class;
                let words = vm.class(class).instance_words;
                let object = vm.heap.allocate(class, words, false).ok()?;
                self.slots[0] = object.slot();
                Some(object)
            }
            CallKind::Static => Some(Ref::NULL),
            CallKind::Instance => Some(site.objects[0]),
        }
    }

    fn run(&mut self, vm: &mut Vm, method: MethodId) -> Exit {
        vm.limit_steps(self.step_limit_of(method));
        match vm.call(method, &self.slots) {
            Ok(()) => vm.run(&mut Plain),
            Err(exit) => exit,
        }
    }

    fn step_limit_of(&self, method: MethodId) -> u64 {
        match self.endless.contains(&method) {
            true => self.step_limit / IMPATIENCE,
            false => self.step_limit,
        }
    }

    /// Makes a call with all combinations of values.
    fn call_all(
        &mut self,
        vm: &mut Vm,
        board: &mut impl Board,
        site: &PendingCall<'_>,
    ) -> Result<(), Break> {
        let is_repeated = |way| {
            let parents = site.parents.iter();
            let mut places = parents.map(|parent| parent.index);
            way < nondeterminism::WAYS && places.all(|index| index < nondeterminism::STRUCTURES)
        };
        self.place(site);
        let may_be_foreseen = self.look_ahead(vm, site);
        for way in 0..self.operations[site.operation].ways {
            self.look_up()?;
            if is_repeated(way) {
                self.call_one(vm, board, site, way)?;
                self.repeat(vm, site, way);
            } else if !may_be_foreseen || !self.is_foreseen(vm, board, site, way)? {
                self.call_one(vm, board, site, way)?;
            }
        }
        Ok(())
    }

    /// Breaks off if the user stops the search.
    fn look_up(&mut self) -> Result<(), Break> {
        self.unasked += 1;
        if self.unasked < CALLS_PER_QUESTION {
            return Ok(());
        }
        self.unasked = 0;
        match self.stop.as_ref().is_some_and(|stop| stop()) {
            true => Err(Break::Stopped),
            false => Ok(()),
        }
    }

    /// Makes a call with one combination of values.
    fn call_one(
        &mut self,
        vm: &mut Vm,
        board: &mut impl Board,
        site: &PendingCall<'_>,
        way: u64,
    ) -> Result<(), Break> {
        let has_null = self.operations[site.operation].fill(way, &mut self.slots);
        let overflows = vm.caught_overflows();
        let mut ended = self.begin_and_run(vm, site, way);
        let mut depends_on_depth = vm.caught_overflows() != overflows;
        if !depends_on_depth && Caller::is_overflow(vm, &ended.0) {
            vm.undo_to(site.mark);
            ended = depth::on_a_deep_stack(vm, |vm, times| {
                let limit = self.step_limit;
                self.step_limit = limit.saturating_mul(times);
                let ended = self.begin_and_run(vm, site, way);
                self.step_limit = limit;
                ended
            });
            depends_on_depth = !Caller::is_overflow(vm, &ended.0);
        }
        self.tally.explored += 1;
        let flow = self.look_for_initialized(vm);
        if flow.is_ok() {
            match depends_on_depth {
                true => self.refuse(site, way, Obstacle::Depth.to_string()),
                false => self.judge(vm, board, site, way, has_null, ended),
            }
        }
        vm.undo_to(site.mark);
        flow
    }

    /// Makes a call; returns its outcome and the receiver.
    fn begin_and_run(&mut self, vm: &mut Vm, site: &PendingCall<'_>, way: u64) -> (Exit, Ref) {
        match self.begin(vm, site, way) {
            Some(receiver) => (self.run(vm, site.method), receiver),
            None => (Exit::Limit(Limit::Heap), Ref::NULL),
        }
    }

    fn is_overflow(vm: &Vm, exit: &Exit) -> bool {
        match exit {
            Exit::Threw(exception) => depth::is_overflow(vm, vm.heap.class_of(*exception)),
            _ => false,
        }
    }

    /// Repeats a call at other times, to detect a different result.
    fn repeat(&mut self, vm: &mut Vm, site: &PendingCall<'_>, way: u64) {
        let mut left = Vec::new();
        for (hashes, nanos) in nondeterminism::OTHERS {
            vm.skip_identity_hashes(hashes);
            if nanos > 0 {
                vm.pass_time(nanos);
            }
            if let Some(receiver) = self.begin(vm, site, way) {
                let exit = self.run(vm, site.method);
                left.push(nondeterminism::ReceiverState::of(vm, &exit, receiver));
                if let Exit::Limit(_) = exit {
                    vm.undo_to(site.mark);
                    return;
                }
            }
            vm.undo_to(site.mark);
        }
        if let Some(text) = nondeterminism::difference(&left) {
            let method = self.operations[site.operation].call.method;
            let fault = CallFault::Nondeterministic(text.clone());
            if !self.findings.knows(method, &fault) {
                let call = self.origin_of(site, way, StructureRole::Receiver);
                self.findings.add(CallFinding {
                    method,
                    call,
                    fault,
                    text,
                    count: 1,
                });
            }
        }
    }

    /// Breaks off if the call has initialised classes.
    fn look_for_initialized(&mut self, vm: &Vm) -> Result<(), Break> {
        if vm.initializations() == self.initializations {
            return Ok(());
        }
        self.initializations = vm.initializations();
        let names: Vec<String> = vm
            .initialized_classes()
            .into_iter()
            .filter(|&class| !vm.class(class).stays_initialized)
            .map(|class| vm.class_name(class).to_owned())
            .collect();
        match names.is_empty() {
            true => Ok(()),
            false => Err(Break::Initialized(names)),
        }
    }
}
