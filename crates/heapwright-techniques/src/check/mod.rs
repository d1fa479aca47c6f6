//! Exhaustive inputs put to use: each method is called on every structure with every argument
//! within the bounds, and each run is judged.
//!
//! Four parts that know little of each other: what is called (`calls`, with arguments from
//! [`crate::arguments`]), the judgement of one run (`judge`, `oracle`), what was found
//! ([`Tally`], [`Counterexample`]), and the search that provides structures, which only has to
//! stop at each and call [`Checker::visit`].
//!
//! A run is made on the structure itself: the machine calls, looks, and goes back.

mod calls;
mod counterexample;
mod cubes;
mod judge;
mod oracle;

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::sync::Arc;

use heapwright_explore::{Leaf, Search, StateSpace, Strategy};
use heapwright_jvm::{ClassId, MarkId, Vm};
use heapwright_suite::ClassSig;
use rustc_hash::FxHashMap;

use crate::Error;
use crate::bounds::Bounds;
use crate::invariant::{Enumeration, Outcome};
use crate::read::{Snapshot, StructureReader};
use calls::{Operation, Tuple};
use counterexample::{Again, Findings, Size, size_of};
use judge::{Judge, Site, Verdict};

pub use calls::Skipped;
pub use counterexample::Counterexample;
pub use judge::{Ask, Failure};

/// Structures on which calls are made before the search, to see which of the library's classes
/// they need.
const WARM_UP: u64 = 64;
/// Candidates among which these structures are looked for.
const WARM_UP_CANDIDATES: u64 = 50_000;

/// What is to be checked, and against what.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// Methods, as `name` or `name(int,java.lang.String)`; none for all public ones.
    pub methods: Vec<String>,
    /// Exceptions by which methods may refuse a call, besides the usual ones.
    pub expected: Vec<String>,
    /// Oracles: `NAME`, or `METHOD=NAME` where several methods are checked.
    pub oracles: Vec<String>,
    /// Most instructions of one run; a method that takes more does not end.
    pub step_limit: u64,
}

/// What calls are made on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Calls {
    /// On each structure by itself, in the order of a search.
    OnStructures(Strategy),
    /// On the cubes of the lazy search: values that are open stay so until a run tells them apart.
    OnCubes {
        /// Whether that is done even where calls on the structures cost less.
        always: bool,
    },
}

/// What came of the calls of one method.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// The method with its parameters: `remove(int)`.
    pub method: String,
    /// The argument tuples a structure, if they are as many on each.
    pub tuples: Option<u64>,
    /// Structures on which it was called.
    pub structures: u64,
    /// Calls.
    pub calls: u64,
    /// Runs that were made for them: one on a cube stands for many calls.
    pub runs: u64,
    /// Calls that the method refused by an exception that is expected.
    pub rejected: u64,
    /// Calls that came upon something that the engine refuses: nothing is known of them.
    pub refused: u64,
    /// Calls that failed.
    pub failed: u64,
    /// Structures on which it was not called because it did not end on one no larger.
    pub left_out: u64,
    /// The types of its parameters that were given nothing but null.
    pub null_only: Vec<String>,
}

/// Calls methods on the structures that a search provides, and keeps what it finds.
pub struct Checker {
    operations: Vec<Operation>,
    judge: Judge,
    reader: StructureReader,
    class_sig: Arc<ClassSig>,
    skipped: Vec<Skipped>,
    structures: u64,
    tallies: Vec<Tally>,
    findings: Findings,
    /// For each method and size of structures the runs that its calls on the last cube took.
    runs_on: FxHashMap<(usize, Size), u64>,
    /// Whether calls are made on structures where that costs less.
    weighs_costs: bool,
    /// The first thing a call came upon that is refused.
    refused: Option<String>,
    /// While the checker warms up, the library's classes that were initialised.
    initialized: Option<BTreeSet<ClassId>>,
}

impl Checker {
    /// Works out what is called and what it is held to.
    ///
    /// # Errors
    /// A method, exception or oracle that is named does not exist.
    pub fn new(
        vm: &mut Vm,
        enumeration: &Enumeration,
        request: &Request,
    ) -> Result<Checker, Error> {
        let (class, invariant) = (enumeration.class, enumeration.invariant);
        let root = enumeration.space.root;
        let bounds: &Bounds = &enumeration.bounds;
        let mut reader = StructureReader::new(vm, class);
        let class_sig = reader.class_sig(vm, class);
        let mut operations = Vec::new();
        let mut skipped = Vec::new();
        for method in calls::select(vm, class, invariant, &request.methods)? {
            match Operation::prepare(vm, &mut reader, class, root, method, bounds) {
                Ok(operation) => operations.push(operation),
                Err(skip) => skipped.push(skip),
            }
        }
        oracle::assign(vm, class, &mut operations, &request.oracles)?;
        let judge = Judge::new(vm, class, invariant, &request.expected, request.step_limit)?;
        let mut checker = Checker {
            operations,
            judge,
            reader,
            class_sig,
            skipped,
            structures: 0,
            tallies: Vec::new(),
            findings: Findings::default(),
            runs_on: FxHashMap::default(),
            weighs_costs: true,
            refused: None,
            initialized: None,
        };
        checker.start_over();
        Ok(checker)
    }

    /// Makes all calls on the structure that stands at the root of `space`. Afterwards the machine
    /// stands where it stood. `ask` may break off; it is called now and then.
    pub fn visit(&mut self, vm: &mut Vm, space: &StateSpace, ask: &mut Ask<'_>) -> ControlFlow<()> {
        self.structures += 1;
        let all = 0..self.operations.len();
        self.call_each(vm, space, all, ask)
    }

    /// Makes the calls of some methods.
    fn call_each(
        &mut self,
        vm: &mut Vm,
        space: &StateSpace,
        operations: impl IntoIterator<Item = usize>,
        ask: &mut Ask<'_>,
    ) -> ControlFlow<()> {
        let outer = vm.mark();
        let has_oracle = self.operations.iter().any(|call| call.oracle.is_some());
        let before = match has_oracle {
            true => oracle::copy(vm, space.root).ok(),
            false => None,
        };
        let mark = vm.mark();
        let mut here = Here {
            site: Site { space, before },
            mark,
            snapshot: None,
        };
        let mut flow = ControlFlow::Continue(());
        for index in operations {
            flow = self.call_all(vm, &mut here, index, ask);
            if flow.is_break() {
                break;
            }
        }
        vm.undo_to(outer);
        vm.forget(outer);
        flow
    }

    /// Calls one method with all its arguments.
    fn call_all(
        &mut self,
        vm: &mut Vm,
        here: &mut Here<'_>,
        index: usize,
        ask: &mut Ask<'_>,
    ) -> ControlFlow<()> {
        if let Some(size) = self.findings.endless_from(index)
            && size_of(&here.snapshot(vm, &mut self.reader).structure) >= size
        {
            self.tallies[index].left_out += 1;
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
        self.tallies[index].structures += 1;
        for tuple in tuples {
            let judgement = self.judge.judge(vm, here.site, operation, tuple, ask)?;
            if let Some(initialized) = &mut self.initialized {
                initialized.extend(vm.initialized_library_classes());
            }
            let refused = match &judgement.verdict {
                Verdict::Refused(exit) if self.refused.is_none() => Some(vm.exit_text(exit)),
                _ => None,
            };
            vm.undo_to(here.mark);
            let tally = &mut self.tallies[index];
            tally.calls += 1;
            tally.runs += 1;
            match judgement.verdict {
                Verdict::Good => {}
                Verdict::Rejected => tally.rejected += 1,
                Verdict::Refused(_) => {
                    tally.refused += 1;
                    if let Some(what) = refused {
                        self.refused = Some(format!("{}: {what}", operation.name));
                    }
                }
                Verdict::Failed(failure) => {
                    tally.failed += 1;
                    let again = Again {
                        judge: &self.judge,
                        index,
                        operation,
                        tuple,
                        failure,
                    };
                    self.findings
                        .enter(vm, &mut self.reader, here, again, ask)?;
                    if failure.is_endless() {
                        break;
                    }
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// Forgets all that was found.
    fn start_over(&mut self) {
        let tally = |operation: &Operation| Tally {
            method: operation.name.clone(),
            tuples: operation
                .tuples
                .fixed
                .as_ref()
                .map(|fixed| fixed.len() as u64),
            null_only: operation.null_only.clone(),
            ..Tally::default()
        };
        self.tallies = self.operations.iter().map(tally).collect();
        self.structures = 0;
        self.findings = Findings::default();
        self.refused = None;
        self.initialized = None;
    }

    /// Initialises, for good, the library's classes that calls on the first structures need, so
    /// that no call does it again.
    fn warm_up(
        &mut self,
        vm: &mut Vm,
        enumeration: &Enumeration,
        ask_search: impl FnMut(&dyn Search) -> ControlFlow<()>,
        ask: &mut Ask<'_>,
    ) -> Result<(), Error> {
        self.initialized = Some(BTreeSet::new());
        enumeration.search(vm, Strategy::Lazy, ask_search, |vm, leaf, search| {
            if *leaf == Leaf::Valid {
                self.visit(vm, &enumeration.space, ask)?;
            }
            // Where structures are rare, the first must do.
            let is_long = search.progress().explored >= WARM_UP_CANDIDATES;
            match self.structures {
                0 => ControlFlow::Continue(()),
                1..WARM_UP if !is_long => ControlFlow::Continue(()),
                _ => ControlFlow::Break(()),
            }
        })?;
        for class in self.initialized.take().unwrap_or_default() {
            // A failure shows again, in its place, when a method needs the class.
            let _ = vm.initialize_now(class);
        }
        self.start_over();
        Ok(())
    }

    /// What came of each method, in the order of the class.
    #[must_use]
    pub fn tallies(&self) -> &[Tally] {
        &self.tallies
    }

    /// The methods that are not called.
    #[must_use]
    pub fn skipped(&self) -> &[Skipped] {
        &self.skipped
    }

    /// Structures visited.
    #[must_use]
    pub fn structures(&self) -> u64 {
        self.structures
    }

    /// The first thing that a call came upon and that the engine refuses.
    #[must_use]
    pub fn refused(&self) -> Option<&str> {
        self.refused.as_deref()
    }

    /// A smallest counterexample for each method and kind of failure, the smallest structures
    /// first, among equals the one found first.
    #[must_use]
    pub fn counterexamples(&self) -> Vec<&Counterexample> {
        self.findings.smallest_first()
    }

    /// What tests must know of the class under test.
    #[must_use]
    pub fn class_sig(&self) -> Arc<ClassSig> {
        Arc::clone(&self.class_sig)
    }
}

impl Enumeration {
    /// Lets a checker make its calls, on structures or on cubes. `ask_search` and `ask` may end the search; they are
    /// called now and then, between candidates and between calls. Afterwards the machine stands
    /// where it stood.
    ///
    /// # Errors
    /// The invariant cannot be called.
    pub fn check(
        &self,
        vm: &mut Vm,
        checker: &mut Checker,
        calls: Calls,
        mut ask_search: impl FnMut(&dyn Search) -> ControlFlow<()>,
        ask: &mut Ask<'_>,
    ) -> Result<Outcome, Error> {
        checker.warm_up(vm, self, &mut ask_search, ask)?;
        let strategy = match calls {
            Calls::OnCubes { always } => {
                checker.weighs_costs = !always;
                return self.check_cubes(vm, checker, ask_search, ask);
            }
            Calls::OnStructures(strategy) => strategy,
        };
        self.search(vm, strategy, ask_search, |vm, leaf, _| match leaf {
            Leaf::Valid => checker.visit(vm, &self.space, ask),
            _ => ControlFlow::Continue(()),
        })
    }
}

/// The structure on which calls are made.
struct Here<'a> {
    site: Site<'a>,
    /// Where the machine stands before each call.
    mark: MarkId,
    /// The structure as data, once somebody has asked for it.
    snapshot: Option<Snapshot>,
}

impl Here<'_> {
    /// The structure as data; the machine must stand at the mark.
    fn snapshot(&mut self, vm: &mut Vm, reader: &mut StructureReader) -> &Snapshot {
        let root = self.site.space.root;
        self.snapshot.get_or_insert_with(|| reader.read(vm, root))
    }
}
