//! Bounded exhaustive checking. Every method is called on every structure with every argument tuple
//! within the bounds, and each run is judged.
//!
//! The parts are loosely coupled. `calls` determines the calls, with arguments from
//! [`crate::arguments`]. `judge` and `oracle` judge one run. [`CallTally`] and [`Counterexample`] hold
//! the results. The search provides structures: it stops at each and calls [`Checker::visit`].
//!
//! Calls run on the structure itself: the machine makes the call, evaluates it, and undoes it.

mod against;
mod calls;
mod counterexample;
mod cubes;
mod found;
mod jobs;
mod judge;
mod oracle;
mod seconds;
mod template;
mod ways;
mod why;

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::sync::Arc;

use heapwright_explore::{LazySearch, Leaf, Search, StateSpace, Strategy};
use heapwright_jvm::{ClassId, MarkId, MethodId, Ref, Vm};
use heapwright_suite::ClassSig;

use crate::Error;
use crate::bounds::Bounds;
use crate::contracts::Contracts;
use crate::invariant::Enumeration;
use crate::read::{Snapshot, StructureReader};
use crate::statements::Skipped;
use calls::{MethodUnderTest, Tuple};
use counterexample::{FailingCall, size_of};
use judge::{CallVerdict, CheckedStructure, Judge, Limited};
use seconds::SecondStructures;

use calls::select;

pub use counterexample::Counterexample;
pub use found::{CallTally, MethodCheckResults};
pub use jobs::{CallTask, WorkerConfig, check, repeat_endless};
pub use judge::{CallFailure, ContinueCallback};
pub use seconds::GivenStructures;

/// Structures on which calls are made before the search, to find the library classes that they
/// need.
const WARM_UP: u64 = 64;
/// Most candidates explored to find these structures.
const WARM_UP_CANDIDATES: u64 = 50_000;
/// Calls of one method on one structure between two checks whether to stop.
const ASKS: usize = 256;

/// Methods to check, with their oracles and options.
#[derive(Clone, Debug, Default)]
pub struct CheckRequest {
    /// Methods, as `name` or `name(int,java.lang.String)`; if empty, all public ones.
    pub methods: Vec<String>,
    /// Exceptions by which methods may reject a call, besides the usual ones.
    pub expected: Vec<String>,
    /// Oracles: `NAME`, or `METHOD=NAME` where several methods are checked.
    pub oracles: Vec<String>,
    /// Other implementation that the class is compared with, by its binary name.
    pub against: Option<String>,
    /// Whether the contracts of `equals`, `hashCode` and similar methods are not checked. If
    /// methods are named, only their contracts are checked.
    pub leaves_contracts: bool,
    /// Most instructions of one run; a method that takes more is judged not to end.
    pub step_limit: u64,
}

/// Inputs of the calls: structures or cubes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CallInputs {
    /// Each structure by itself, in the order of a search.
    OnStructures(Strategy),
    /// The cubes of the lazy search: open values stay open until a run distinguishes them.
    OnCubes {
        /// Whether calls are made on cubes even where calls on the structures cost less.
        always: bool,
    },
}

/// Calls methods on the structures that a search provides, and collects the results.
pub struct Checker {
    operations: Vec<MethodUnderTest>,
    judge: Judge,
    reader: StructureReader,
    class_sig: Arc<ClassSig>,
    skipped: Vec<Skipped>,
    warnings: Vec<String>,
    /// Binary name of the other implementation.
    against: Option<String>,
    found: MethodCheckResults,
    /// Indices of the methods that are called during the search.
    active: Vec<usize>,
    /// Whether calls are made on structures where that costs less.
    weighs_costs: bool,
    /// Library classes initialised so far, during the warm-up only.
    initialized: Option<BTreeSet<ClassId>>,
    /// Whether the second structures were made, and whether the library is warm.
    has_seconds: bool,
    is_warm: bool,
}

impl Checker {
    /// Prepares the operations and the judge.
    ///
    /// # Errors
    /// A method, exception or oracle that is named does not exist.
    pub fn new(
        vm: &mut Vm,
        enumeration: &Enumeration,
        request: &CheckRequest,
    ) -> Result<Checker, Error> {
        let (class, invariant) = (enumeration.class, enumeration.invariant);
        let root = enumeration.space.root;
        let bounds: &Bounds = &enumeration.bounds;
        let mut reader = StructureReader::new(vm, class);
        let class_sig = reader.class_sig(vm, class);
        let mut operations = Vec::new();
        let mut skipped = Vec::new();
        for method in select(vm, class, Some(invariant), &request.methods)? {
            match MethodUnderTest::prepare(vm, &mut reader, class, root, method, bounds) {
                Ok(operation) => operations.push(operation),
                Err(skip) => skipped.push(skip),
            }
        }
        oracle::assign(vm, class, &mut operations, &request.oracles)?;
        let warnings = match &request.against {
            Some(name) => against::assign(vm, &mut reader, class, &mut operations, name)?,
            None => Vec::new(),
        };
        if !request.leaves_contracts {
            let called: Vec<MethodId> =
                operations.iter().map(|called| called.call.method).collect();
            for asked in Contracts::of(vm, class)?.iter() {
                let is_wanted = request.methods.is_empty() || called.contains(&asked.method);
                let asking = MethodUnderTest::asking(vm, class, root, asked).filter(|_| is_wanted);
                operations.extend(asking);
            }
        }
        let judge = Judge::new(vm, class, invariant, &request.expected, request.step_limit)?;
        let mut checker = Checker {
            active: (0..operations.len())
                .filter(|&index| operations[index].is_of_search())
                .collect(),
            operations,
            judge,
            reader,
            class_sig,
            skipped,
            warnings,
            against: request.against.clone(),
            found: MethodCheckResults::default(),
            weighs_costs: true,
            initialized: None,
            has_seconds: false,
            is_warm: false,
        };
        checker.found = checker.nothing();
        Ok(checker)
    }

    /// Does what searches of parts do once on each machine, before the first: makes second structures
    /// and initialises library classes.
    ///
    /// # Errors
    /// The invariant cannot be called.
    pub fn prepare(&mut self, vm: &mut Vm, enumeration: &Enumeration) -> Result<(), Error> {
        let mut go_on = || ControlFlow::Continue(());
        self.make_seconds(vm, enumeration, &mut go_on)?;
        self.warm_up(vm, enumeration, &mut go_on)
    }

    /// Makes the second structures for methods that take them as arguments. Runs once on each
    /// machine, before its search.
    fn make_seconds(
        &mut self,
        vm: &mut Vm,
        enumeration: &Enumeration,
        ask: &mut ContinueCallback<'_>,
    ) -> Result<(), Error> {
        let takes_some = |operation: &MethodUnderTest| !operation.second_places.is_empty();
        if std::mem::replace(&mut self.has_seconds, true) {
            return Ok(());
        }
        if !self.operations.iter().any(takes_some) {
            return Ok(());
        }
        let seconds = SecondStructures::make(vm, &mut self.reader, enumeration, ask)?;
        for operation in &mut self.operations {
            if takes_some(operation) {
                let (structures, given) = seconds.for_method(operation);
                operation.give_seconds(enumeration.space.root, structures);
                operation.given = Some(given);
            }
        }
        self.found = self.nothing();
        Ok(())
    }

    /// Makes all calls on the structure at the root of `space` and restores the machine's state.
    /// Calls `ask` periodically; if `ask` breaks off, nothing is counted.
    pub fn visit(
        &mut self,
        vm: &mut Vm,
        space: &StateSpace,
        ask: &mut ContinueCallback<'_>,
    ) -> ControlFlow<()> {
        let counts = self.found.counts();
        self.found.structures += 1;
        let flow = self.call_each(vm, space, &self.active.clone(), true, ask);
        if flow.is_break() {
            self.found.go_back(counts);
        }
        flow
    }

    /// Makes the calls of some methods. Without `counts`, only failures are recorded.
    fn call_each(
        &mut self,
        vm: &mut Vm,
        space: &StateSpace,
        operations: &[usize],
        counts: bool,
        ask: &mut ContinueCallback<'_>,
    ) -> ControlFlow<()> {
        vm.with_mark(|vm| {
            let before = match self.operations.iter().any(MethodUnderTest::needs_before) {
                true => template::copy(vm, space.root).ok(),
                false => None,
            };
            let mark = vm.mark();
            let mut here = CurrentStructure {
                site: CheckedStructure {
                    before,
                    ..CheckedStructure::of(space)
                },
                mark,
                snapshot: None,
            };
            for &index in operations {
                self.call_all(vm, &mut here, index, counts, ask)?;
            }
            ControlFlow::Continue(())
        })
    }

    /// Makes the calls that are independent of any structure.
    fn call_without_structure(
        &mut self,
        vm: &mut Vm,
        space: &StateSpace,
        ask: &mut ContinueCallback<'_>,
    ) {
        let mark = vm.mark();
        let mut here = CurrentStructure {
            site: CheckedStructure::of(space),
            mark,
            snapshot: Some(Snapshot::default()),
        };
        for index in 0..self.operations.len() {
            if self.operations[index].is_independent()
                && self.call_all(vm, &mut here, index, true, ask).is_break()
            {
                break;
            }
        }
        vm.undo_to(mark);
        vm.forget(mark);
    }

    /// Checks the contracts of two structures, on pairs of some small structures.
    fn call_on_pairs(
        &mut self,
        vm: &mut Vm,
        enumeration: &Enumeration,
        ask: &mut ContinueCallback<'_>,
    ) -> Result<(), Error> {
        let numbered = self.operations.iter().enumerate();
        let asking = numbered.filter(|(_, operation)| operation.checks_pair_contract());
        let asking: Vec<usize> = asking.map(|(index, _)| index).collect();
        if asking.is_empty() {
            return Ok(());
        }
        vm.with_mark(|vm| {
            let made = seconds::for_pairs(vm, &mut self.reader, enumeration, ask)?;
            for &index in &asking {
                self.operations[index].give_seconds(enumeration.space.root, Arc::clone(&made));
            }
            for first in made.iter() {
                let space = StateSpace {
                    root: first.object,
                    ..enumeration.space.clone()
                };
                if self.call_each(vm, &space, &asking, true, ask).is_break() {
                    break;
                }
            }
            Ok(())
        })
    }

    /// Calls one method with all its argument tuples.
    fn call_all(
        &mut self,
        vm: &mut Vm,
        here: &mut CurrentStructure<'_>,
        index: usize,
        counts: bool,
        ask: &mut ContinueCallback<'_>,
    ) -> ControlFlow<()> {
        // Short runs never call `ask` themselves.
        ask()?;
        let MethodCheckResults {
            tallies, findings, ..
        } = &mut self.found;
        let tally = &mut tallies[index];
        if let Some(size) = findings.endless_from(index)
            && size_of(&here.snapshot(vm, &mut self.reader).structure) >= size
        {
            tally.left_out += 1;
            return ControlFlow::Continue(());
        }
        let operation = &self.operations[index];
        let own;
        let tuples: &[Tuple] = match &operation.tuples.fixed {
            Some(fixed) => fixed,
            None => {
                let root = here.site.space.root;
                let snapshot = here.snapshot(vm, &mut self.reader);
                own = operation.tuples.on(vm, root, snapshot);
                &own
            }
        };
        let mut unseen = CallTally::default();
        let tally = if counts { tally } else { &mut unseen };
        tally.structures += u64::from(!operation.is_independent());
        for (number, tuple) in tuples.iter().enumerate() {
            if number % ASKS == ASKS - 1 {
                ask()?;
            }
            let judgement = self.judge.judge(vm, here.site, operation, tuple, ask)?;
            if let Some(initialized) = &mut self.initialized {
                initialized.extend(vm.begun_library_classes());
            }
            let mut verdict = judgement.verdict;
            let mut no_verdict_reason = verdict.no_verdict_reason(vm);
            vm.undo_to(here.mark);
            if let CallVerdict::Failed(failure) = verdict
                && failure.is_overflow(vm)
            {
                let call = (operation, tuple);
                let judge = &self.judge;
                let is_sure = judge.overflows_any_stack(vm, here.site, call, failure, ask)?;
                vm.undo_to(here.mark);
                if !is_sure {
                    verdict = CallVerdict::Limited(Limited::Depth);
                    no_verdict_reason = verdict.no_verdict_reason(vm);
                }
            }
            tally.calls += 1;
            tally.runs += 1;
            match verdict {
                CallVerdict::Good => {}
                CallVerdict::Rejected => tally.rejected += 1,
                CallVerdict::Refused(_) => {
                    tally.refused += 1;
                    tally.first_refused = tally.first_refused.take().or(no_verdict_reason);
                }
                CallVerdict::Limited(_) => {
                    tally.limited += 1;
                    tally.first_limited = tally.first_limited.take().or(no_verdict_reason);
                }
                CallVerdict::Failed(failure) => {
                    match failure.is_fault() {
                        true => tally.failed += 1,
                        false => tally.limited += 1,
                    }
                    let again = FailingCall {
                        judge: &self.judge,
                        index,
                        operation,
                        tuple,
                        failure,
                    };
                    findings.enter(vm, &mut self.reader, here, again, ask)?;
                    if failure.is_endless() {
                        break;
                    }
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// Empty results, before the first call.
    fn nothing(&self) -> MethodCheckResults {
        let tally = |operation: &MethodUnderTest| CallTally {
            method: operation.name.clone(),
            tuples: operation
                .tuples
                .fixed
                .as_ref()
                .map(|fixed| fixed.len() as u64),
            compared_with: self.against.clone().filter(|_| operation.twin.is_some()),
            arguments: operation.ranges.clone(),
            null_only: operation.null_only.clone(),
            sampled: operation.sampled.clone(),
            seconds: operation.given.clone(),
            contract: operation.asked.map(|asked| asked.contract),
            ..CallTally::default()
        };
        MethodCheckResults {
            tallies: self.operations.iter().map(tally).collect(),
            ..MethodCheckResults::default()
        }
    }

    /// Takes the results and resets them.
    fn take_found(&mut self) -> MethodCheckResults {
        let nothing = self.nothing();
        std::mem::replace(&mut self.found, nothing)
    }

    /// Leaves integer arguments open in calls on the cubes of a search.
    fn leave_open(&mut self, root: Ref, search: &mut LazySearch<'_>) {
        for operation in &mut self.operations {
            operation.leave_open(root, |values, wide| search.add_argument(values, wide));
        }
    }

    /// Initialises permanently the library classes that calls on the first structures need, so that
    /// no call initialises them again.
    fn warm_up(
        &mut self,
        vm: &mut Vm,
        enumeration: &Enumeration,
        ask: &mut ContinueCallback<'_>,
    ) -> Result<(), Error> {
        if std::mem::replace(&mut self.is_warm, true) {
            return Ok(());
        }
        self.initialized = Some(BTreeSet::new());
        let asked = std::cell::RefCell::new(ask);
        let ask_search = |_: &dyn Search| (asked.borrow_mut())();
        enumeration.search(vm, Strategy::Lazy, ask_search, |vm, leaf, search| {
            if *leaf == Leaf::Valid {
                self.visit(vm, &enumeration.space, &mut **asked.borrow_mut())?;
            }
            // If structures are rare, the first one suffices.
            let is_long = search.progress().explored >= WARM_UP_CANDIDATES;
            match self.found.structures.word() {
                Some(0) => ControlFlow::Continue(()),
                Some(1..WARM_UP) if !is_long => ControlFlow::Continue(()),
                _ => ControlFlow::Break(()),
            }
        })?;
        for class in self.initialized.take().unwrap_or_default() {
            // A failure recurs when a method needs the class.
            let _ = vm.initialize_now(class);
        }
        self.take_found();
        Ok(())
    }

    /// Results so far.
    #[must_use]
    pub fn found(&self) -> &MethodCheckResults {
        &self.found
    }

    /// Sets the results, as those of other machines.
    pub fn set_found(&mut self, found: MethodCheckResults) {
        self.found = found;
    }

    /// Methods that are not called.
    #[must_use]
    pub fn skipped(&self) -> &[Skipped] {
        &self.skipped
    }

    /// Parts that are not compared with the other implementation, one sentence each.
    #[must_use]
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// Signature of the class under test, for tests.
    #[must_use]
    pub fn class_sig(&self) -> Arc<ClassSig> {
        Arc::clone(&self.class_sig)
    }
}

/// Structure on which calls are made.
struct CurrentStructure<'a> {
    site: CheckedStructure<'a>,
    /// State of the machine before each call.
    mark: MarkId,
    /// The structure as data, read on first use.
    snapshot: Option<Snapshot>,
}

impl CurrentStructure<'_> {
    /// Returns the structure as data; the machine must be at the mark.
    fn snapshot(&mut self, vm: &mut Vm, reader: &mut StructureReader) -> &Snapshot {
        let root = self.site.space.root;
        self.snapshot.get_or_insert_with(|| reader.read(vm, root))
    }
}
