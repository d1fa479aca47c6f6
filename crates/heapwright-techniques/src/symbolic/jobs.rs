//! Parallel search over a method's paths.
//!
//! Invariant: results arrive in the order in which a single worker finds them, whatever the number
//! of workers.

use std::cell::RefCell;
use std::marker::PhantomData;
use std::ops::ControlFlow;
use std::time::Duration;

use cpu_time::ProcessTime;
use heapwright_explore::symbolic::{
    BeyondBounds, PathEnd, SolverError, Statistics, Stopper, SymbolicError, SymbolicSearch,
};
use heapwright_explore::{
    End, Part, Progress, Search, SearchState, Span, Tree, Workers, partition,
};
use heapwright_jvm::Vm;

use super::{Ending, Path, SymbolicReport, SymbolicRequest, Target};
use crate::Error;
use crate::parallel::{self, Batch, Collected};

/// Approximate size of an item in bytes.
const BYTES: u64 = 1_000;

/// Configuration of the workers and of the progress observer.
pub struct Crew<'a> {
    /// Number of workers, at least one.
    pub jobs: usize,
    /// Creates the machines of further workers, if there is memory for them.
    pub more: &'a (dyn Fn() -> Option<Vm> + Sync),
    /// Whether to stop; called by the workers.
    pub stops: &'a (dyn Fn() -> bool + Sync),
    /// Receives the state of the search.
    pub watch: &'a mut (dyn FnMut(&SearchState) + Send),
}

impl Crew<'_> {
    /// Runs with one worker, and stops when the process has taken so much processor time: other
    /// programs on the machine do not shorten it.
    pub(crate) fn alone<T>(&mut self, time: Duration, run: impl FnOnce(&mut Crew<'_>) -> T) -> T {
        let begun = ProcessTime::try_now();
        let is_over = || match &begun {
            Ok(begun) => begun.try_elapsed().is_ok_and(|elapsed| elapsed >= time),
            Err(_) => true,
        };
        let all_stops = self.stops;
        let mut crew = Crew {
            jobs: 1,
            more: self.more,
            stops: &|| all_stops() || is_over(),
            watch: &mut *self.watch,
        };
        run(&mut crew)
    }
}

/// Processing of paths by workers.
pub(crate) trait Harvest: Sync {
    /// Result of a path.
    type Item: Send;
    /// Sum over a part of the search.
    type Sum: Send + Default;

    /// Whether cuts beside paths are recorded.
    const NOTES_CUTS: bool = false;

    /// Whether a model is sought for each path.
    const HAS_MODELS: bool = true;

    /// Resolves the method on a further machine.
    fn target(&self, vm: &mut Vm) -> Result<Target, Error>;

    /// Prepares a worker's search.
    fn begin(&self, search: &mut SymbolicSearch<'_>) {
        let _ = search;
    }

    /// Takes from the search what it has counted beside paths, at the end of a part.
    fn end_part(&self, search: &mut SymbolicSearch<'_>, sum: &mut Self::Sum) {
        let _ = (search, sum);
    }

    /// Takes from a worker's search what it has learnt.
    fn finish(&self, search: &mut SymbolicSearch<'_>) {
        let _ = search;
    }

    /// Processes the current path; returns its result, if any.
    fn visit(
        &self,
        vm: &mut Vm,
        target: &Target,
        end: &PathEnd,
        search: &mut SymbolicSearch<'_>,
        sum: &mut Self::Sum,
    ) -> Result<Option<Self::Item>, Error>;
}

/// Consumer of the workers' results, in the order of the paths.
pub(crate) trait Taker<H: Harvest>: Send {
    /// Consumes an item; breaks off if no more are wanted.
    fn take(&mut self, item: H::Item) -> Result<ControlFlow<()>, Error>;

    /// Consumes the result of a part, after its items.
    fn finished(&mut self, part: SymbolicPart<H::Sum>);
}

/// Result of a part.
pub(crate) struct SymbolicPart<S> {
    pub end: End,
    /// What is left of the part, unless the end is [`End::Complete`].
    pub rest: Option<Span>,
    pub progress: Progress,
    pub solver: Statistics,
    pub fixed_at: std::collections::BTreeMap<String, u64>,
    pub beyond: BeyondBounds,
    pub has_abstracted: bool,
    pub sum: S,
}

/// Collector of items and parts. It also stops the solvers when the search is to stop, as they do
/// not check during a query.
struct PartCollector<'a, H, K> {
    taker: &'a mut K,
    watch: &'a mut (dyn FnMut(&SearchState) + Send),
    stopper: &'a Stopper,
    /// Reason for an early end.
    end: End,
    harvest: PhantomData<fn(H)>,
}

type SymbolicPartResult<H> = Result<SymbolicPart<<H as Harvest>::Sum>, Error>;

impl<H: Harvest, K: Taker<H>> parallel::Collector<H::Item, SymbolicPartResult<H>>
    for PartCollector<'_, H, K>
{
    type Error = Error;

    fn take(&mut self, item: H::Item) -> Result<ControlFlow<()>, Error> {
        self.end = End::ByVisitor;
        self.taker.take(item)
    }

    fn finish(
        &mut self,
        part: SymbolicPartResult<H>,
        _: &Workers<H::Item, SymbolicPartResult<H>>,
    ) -> Result<ControlFlow<()>, Error> {
        let part = part?;
        let is_whole = part.end == End::Complete;
        self.end = End::Interrupted;
        self.taker.finished(part);
        Ok(match is_whole {
            true => ControlFlow::Continue(()),
            false => ControlFlow::Break(()),
        })
    }

    fn stop(&mut self) {
        self.stopper.stop();
    }

    fn watch(&mut self, workers: &Workers<H::Item, SymbolicPartResult<H>>) -> ControlFlow<()> {
        (self.watch)(&workers.state());
        ControlFlow::Continue(())
    }
}

/// Searches the paths of a target. Returns the reason for the end: the visitor, if the taker broke
/// off.
///
/// # Errors
/// The method cannot be called, the solver cannot be used, or the harvest or the taker fails.
pub(crate) fn search<H: Harvest, K: Taker<H>>(
    vm: &mut Vm,
    request: &SymbolicRequest,
    target: &Target,
    crew: &mut Crew<'_>,
    harvest: &H,
    taker: &mut K,
) -> Result<End, Error> {
    let stopper = Stopper::default();
    let worker = Worker {
        request,
        harvest,
        stopper: &stopper,
    };
    let mut taking = PartCollector {
        taker,
        watch: &mut *crew.watch,
        stopper: &stopper,
        end: End::Interrupted,
        harvest: PhantomData,
    };
    let more = crew.more;
    let (collected, _) = parallel::search(
        [Span::default()],
        crew.jobs,
        crew.stops,
        |pool| worker.work(pool, vm, target),
        &|pool| {
            // If there is no memory for another machine, the first worker does all the work.
            if let Some(mut vm) = more()
                && let Ok(target) = harvest.target(&mut vm)
            {
                worker.work(pool, &mut vm, &target);
            }
        },
        &mut taking,
    )?;
    Ok(match collected {
        Collected::All => End::Complete,
        Collected::UpToStop => End::Interrupted,
        Collected::UpToBreak => taking.end,
    })
}

type SymbolicWorkers<'a, H> = parallel::WorkerPool<'a, <H as Harvest>::Item, SymbolicPartResult<H>>;

/// Worker that explores parts of the tree.
struct Worker<'a, H> {
    request: &'a SymbolicRequest,
    harvest: &'a H,
    stopper: &'a Stopper,
}

impl<H: Harvest> Worker<'_, H> {
    /// Explores parts until none is left.
    fn work(&self, pool: &SymbolicWorkers<'_, H>, vm: &mut Vm, target: &Target) {
        let mut parts = PartSearch::new(self.request, target, self.harvest, self.stopper);
        pool.work(|span| {
            let batch: RefCell<Batch<H::Item>> = RefCell::default();
            let mut ask = |search: &mut SymbolicSearch<'_>| {
                pool.hand_out(span, &mut batch.borrow_mut());
                pool.share(span, search)
            };
            let mut take = |item| {
                let mut batch = batch.borrow_mut();
                batch.push(item, BYTES);
                pool.hand_out_full(span, &mut batch);
            };
            let part = parts.search(vm, span, &mut ask, &|| pool.asked(), &mut take);
            pool.hand_out(span, &mut batch.borrow_mut());
            part
        });
        self.harvest.finish(&mut parts.search);
    }
}

/// Search of parts of the tree, one after the other.
pub(crate) struct PartSearch<'a, H> {
    harvest: &'a H,
    target: &'a Target,
    search: SymbolicSearch<'a>,
    /// Statistics of the parts before.
    before: Statistics,
}

impl<'a, H: Harvest> PartSearch<'a, H> {
    pub fn new(
        request: &SymbolicRequest,
        target: &'a Target,
        harvest: &'a H,
        stopper: &Stopper,
    ) -> PartSearch<'a, H> {
        let mut search = target.search(request);
        search.stop_by(stopper.clone());
        if !H::HAS_MODELS {
            search.leave_models_out();
        }
        if H::NOTES_CUTS {
            search.note_cuts(request.limits, stopper.clone());
        }
        harvest.begin(&mut search);
        PartSearch {
            harvest,
            target,
            search,
            before: Statistics::default(),
        }
    }

    /// Searches a part. `ask` may end it between two slices, `goes_on` before each path; that path is
    /// not harvested.
    ///
    /// # Errors
    /// The method cannot be called, the solver cannot be used, or the harvest fails.
    pub fn search(
        &mut self,
        vm: &mut Vm,
        span: &Span,
        ask: &mut SearchCallback<'_>,
        goes_on: &dyn Fn() -> ControlFlow<()>,
        take: &mut dyn FnMut(H::Item),
    ) -> Result<SymbolicPart<H::Sum>, Error> {
        let (harvest, target) = (self.harvest, self.target);
        self.search.start_at(span.clone());
        let mut sum = H::Sum::default();
        let mut failure = None;
        let mut visit = |vm: &mut Vm, end: &PathEnd, search: &mut SymbolicSearch<'_>| {
            goes_on()?;
            match harvest.visit(vm, target, end, search, &mut sum) {
                Ok(item) => {
                    item.into_iter().for_each(&mut *take);
                    ControlFlow::Continue(())
                }
                Err(error) => {
                    failure = Some(error);
                    ControlFlow::Break(())
                }
            }
        };
        let ended = self.search.run(vm, ask, &mut visit);
        let end = match failure {
            None => ended?,
            Some(Error::Symbolic(SymbolicError::Solver(SolverError::Stopped))) => End::Interrupted,
            Some(error) => return Err(error),
        };
        let search = &mut self.search;
        harvest.end_part(search, &mut sum);
        let solver = *search.statistics();
        let since = solver.since(&self.before);
        self.before = solver;
        Ok(SymbolicPart {
            end,
            rest: search.rest().cloned(),
            progress: search.progress().clone(),
            solver: since,
            fixed_at: search.take_fixed_at(),
            beyond: search.take_beyond(),
            has_abstracted: search.has_abstracted(),
            sum,
        })
    }

    /// Divides some parts into `count` ones; see [`partition`].
    ///
    /// # Errors
    /// The method cannot be called, or the solver cannot be used.
    pub fn divide(
        &mut self,
        vm: &mut Vm,
        spans: &[Span],
        count: usize,
        effort: u64,
    ) -> Result<Vec<Part>, Error> {
        let parts = partition(&mut self.search, vm, spans, count, effort)?;
        // What was tried is not searched.
        self.search.take_beyond();
        self.search.take_fixed_at();
        self.search.take_dead_ends();
        Ok(parts)
    }
}

/// Callback between two slices.
type SearchCallback<'f> = dyn FnMut(&mut SymbolicSearch<'_>) -> ControlFlow<()> + 'f;

/// Searches the paths of the target with this number among those of a request. Passes each to
/// `take`, which may break off; the path at that point is not counted.
///
/// # Errors
/// The method cannot be called, or the solver cannot be used.
pub fn explore(
    vm: &mut Vm,
    request: &SymbolicRequest,
    targets: &[Target],
    number: usize,
    crew: &mut Crew<'_>,
    take: &mut (dyn FnMut(Path) -> ControlFlow<()> + Send),
) -> Result<SymbolicReport, Error> {
    let mut paths = Paths {
        report: SymbolicReport {
            end: End::Complete,
            paths: 0,
            bounded: 0,
            unknown: 0,
            fixed: 0,
            refused: 0,
            decisions: 0,
            solver: Statistics::default(),
            fixed_at: Default::default(),
            cut: Default::default(),
        },
        take,
    };
    let all = AllPaths { request, number };
    paths.report.end = search(vm, request, &targets[number], crew, &all, &mut paths)?;
    Ok(paths.report)
}

/// Harvest that converts every path to data.
struct AllPaths<'a> {
    request: &'a SymbolicRequest,
    number: usize,
}

impl Harvest for AllPaths<'_> {
    type Item = Path;
    type Sum = ();
    const NOTES_CUTS: bool = true;

    fn target(&self, vm: &mut Vm) -> Result<Target, Error> {
        Ok(super::targets(vm, self.request)?.swap_remove(self.number))
    }

    fn visit(
        &self,
        vm: &mut Vm,
        target: &Target,
        end: &PathEnd,
        search: &mut SymbolicSearch<'_>,
        _: &mut (),
    ) -> Result<Option<Path>, Error> {
        let path = target.path(vm, end, search, self.request.scripts);
        Ok(Some(path))
    }
}

/// Taker that passes paths on and counts them.
struct Paths<'a> {
    report: SymbolicReport,
    take: &'a mut (dyn FnMut(Path) -> ControlFlow<()> + Send),
}

impl Taker<AllPaths<'_>> for Paths<'_> {
    /// Passes a path on; it is counted unless the callback breaks off.
    fn take(&mut self, path: Path) -> Result<ControlFlow<()>, Error> {
        let bounded = matches!(path.ending, Ending::Bounded(_) | Ending::Limit(_));
        let refused = matches!(path.ending, Ending::Refused(_));
        let (unknown, fixed) = (path.unknown > 0, path.fixed > 0);
        let cuts = path.cuts.clone();
        if (self.take)(path).is_break() {
            return Ok(ControlFlow::Break(()));
        }
        let report = &mut self.report;
        report.paths += 1;
        report.bounded += u64::from(bounded);
        report.refused += u64::from(refused);
        report.unknown += u64::from(unknown);
        report.fixed += u64::from(fixed);
        for by in cuts {
            *report.cut.entry(by).or_default() += 1;
        }
        Ok(ControlFlow::Continue(()))
    }

    fn finished(&mut self, part: SymbolicPart<()>) {
        let report = &mut self.report;
        report.decisions += part.progress.choices;
        report.solver.add(&part.solver);
        for (place, times) in part.fixed_at {
            *report.fixed_at.entry(place).or_default() += times;
        }
    }
}
