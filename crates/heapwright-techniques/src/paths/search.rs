//! Search for the wanted paths.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::rc::Rc;

use heapwright_explore::symbolic::{
    PathEnd, PathOutcome, SolverError, Statistics, Stopper, SymbolicError, SymbolicSearch,
};
use heapwright_explore::{End, Search, Span, Tree};
use heapwright_jvm::Vm;

use super::follow::ExceptionClasses;
use super::replay::{RunTrace, replay};
use super::rules::RuleProgram;
use super::steer::{CutPlaces, Depths, PathFilter, Pruned, Wanted, strategy};
use super::term::TraceTerm;
use crate::Error;
use crate::symbolic::{CutBy, Path, SymbolicRequest, Target};
use crate::watch::Watch;

/// Retained path.
#[derive(Clone, Debug)]
pub struct RetainedPath {
    /// Outcome and conditions of the path, and an input that takes it.
    pub path: Path,
    /// Trace of the path.
    pub trace: TraceTerm,
    /// Coverage, and the trace in parts.
    pub run: RunTrace,
}

/// Statistics of a search.
#[derive(Clone, Debug, Default)]
pub struct PathTally {
    /// Paths run to their end, or to a limit of the machine.
    pub explored: u64,
    /// Paths abandoned, by reason.
    pub pruned: Pruned,
    /// Paths ended by a bound or limit of the machine.
    pub limited: u64,
    /// Paths that met something that is refused.
    pub refused: u64,
    /// Paths with a side whose feasibility the solver could not decide.
    pub unknown: u64,
    /// Paths on which a value was fixed.
    pub fixed: u64,
    /// Number of queries to the solver.
    pub queries: u64,
    /// Statistics of the solver, including trials before the search.
    pub solver: Statistics,
    /// Whether the search was stopped early.
    pub is_stopped: bool,
    /// Whether there is no further path.
    pub is_whole: bool,
    /// Places where paths were cut off, by cause.
    pub cut_at: BTreeMap<CutBy, CutPlaces>,
    /// Node of the last retained path among the trace prefixes towards a goal.
    pub tried: Option<u32>,
}

impl PathTally {
    /// Adds the statistics of another search.
    pub fn add(&mut self, other: &PathTally) {
        self.explored += other.explored;
        self.pruned.by_bounds += other.pruned.by_bounds;
        self.pruned.by_criterion += other.pruned.by_criterion;
        self.limited += other.limited;
        self.refused += other.refused;
        self.unknown += other.unknown;
        self.fixed += other.fixed;
        self.queries += other.queries;
        self.solver.add(&other.solver);
        self.is_stopped |= other.is_stopped;
        for (&by, places) in &other.cut_at {
            self.cut_at.entry(by).or_default().add(places);
        }
    }
}

/// Context common to all searches over a method's paths.
pub struct Searcher<'a> {
    /// Method with its possible inputs.
    target: &'a Target,
    /// Bounds on inputs and runs.
    request: &'a SymbolicRequest,
    /// Rules of the method.
    pub program: Rc<RuleProgram>,
    /// Exception classes that the rules name.
    classes: Rc<ExceptionClasses>,
    /// Bounds on loops and recursion.
    pub depths: Depths,
    /// Number of the first probe.
    first: u32,
    /// Observer of the search.
    watch: Watch<'a>,
    /// Handle that ends the solver's current query.
    pub stopper: Stopper,
    /// Machine and solver of all searches, which retain their knowledge between searches.
    search: RefCell<SymbolicSearch<'a>>,
}

impl<'a> Searcher<'a> {
    /// Creates a searcher for the paths of a method; its probes are numbered from `first`.
    pub fn new(
        target: &'a Target,
        request: &'a SymbolicRequest,
        program: (&Rc<RuleProgram>, &Rc<ExceptionClasses>),
        depths: Depths,
        first: u32,
        watch: Watch<'a>,
    ) -> Searcher<'a> {
        let stopper = Stopper::default();
        let mut search = target.search(request);
        search.stop_by(stopper.clone());
        search.note_cuts(request.limits, stopper.clone());
        Searcher {
            target,
            request,
            program: Rc::clone(program.0),
            classes: Rc::clone(program.1),
            depths,
            first,
            watch,
            stopper,
            search: RefCell::new(search),
        }
    }

    /// Whether the search is to stop.
    pub fn stops(&self) -> bool {
        (self.watch.stops)()
    }

    /// Passes the wanted paths among the first `most` to `take`, which may break off.
    ///
    /// # Errors
    /// The method cannot be called, or the solver cannot be used.
    pub fn search(
        &self,
        vm: &mut Vm,
        wanted: Wanted,
        most: u64,
        take: &mut dyn FnMut(RetainedPath) -> ControlFlow<()>,
    ) -> Result<PathTally, Error> {
        let (program, classes) = (&self.program, &self.classes);
        let filter = PathFilter::new(program, classes, wanted, self.depths, self.first);
        let filter = Rc::new(filter);
        let mut tally = PathTally::default();
        let seen = Cell::new(0);
        let mut search = self.search.borrow_mut();
        let before = *search.statistics();
        search.start_at(Span::default());
        search.steer(strategy(&filter, most));
        let mut ask = |_: &mut SymbolicSearch<'_>| {
            let pruned = filter.pruned.get();
            (self.watch.explored)(seen.get() + pruned.by_bounds + pruned.by_criterion);
            match (self.watch.stops)() {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        };
        let mut visit = |vm: &mut Vm, end: &PathEnd, search: &mut SymbolicSearch<'_>| {
            seen.set(seen.get() + 1);
            let thrown = match &end.outcome {
                PathOutcome::Returned(_) => None,
                PathOutcome::Threw(exception) => Some(vm.heap.class_of(*exception)),
                cut => {
                    match cut {
                        PathOutcome::Refused(_)
                        | PathOutcome::Exited(_)
                        | PathOutcome::Deadlocked(_)
                        | PathOutcome::Unmade(_) => tally.refused += 1,
                        _ => tally.limited += 1,
                    }
                    if let Some(by) = CutBy::end(cut) {
                        filter.cut(by);
                    }
                    return ControlFlow::Continue(());
                }
            };
            tally.unknown += u64::from(end.unknown > 0);
            tally.fixed += u64::from(end.fixed > 0);
            if !filter.take(thrown) {
                return ControlFlow::Continue(());
            }
            tally.tried = Some(filter.tried());
            let run = replay(program, classes, self.first, vm.visits(), thrown);
            take(RetainedPath {
                path: self.target.path(vm, end, search, self.request.scripts),
                trace: run.trace.term(program),
                run,
            })
        };
        let run = search.run(vm, &mut ask, &mut visit);
        let end = match run {
            Ok(end) => end,
            Err(SymbolicError::Solver(SolverError::Stopped)) => End::Interrupted,
            Err(error) => return Err(error.into()),
        };
        tally.pruned = filter.pruned.get();
        tally.cut_at = filter.cut_at.take();
        if !self.target.refused_classes().is_empty() {
            // Objects of refused classes are missing from the start.
            let cut = tally.cut_at.entry(CutBy::Refusals).or_default();
            cut.frames.insert(Default::default());
        }
        tally.explored = seen.get();
        tally.queries = search.progress().queries;
        tally.solver = search.statistics().since(&before);
        tally.is_stopped = end == End::Interrupted;
        tally.is_whole = end == End::Complete;
        Ok(tally)
    }
}
