//! The search over a method's paths by many workers.
//!
//! Invariant: what is found comes in the order in which one worker finds it, whatever the number
//! of workers.

use std::cell::RefCell;
use std::ops::ControlFlow;

use heapwright_explore::symbolic::{
    Beyond, PathEnd, SolverError, Statistics, Stopper, SymbolicError, SymbolicSearch,
};
use heapwright_explore::{End, News, Progress, Span, Workers};
use heapwright_jvm::Vm;

use super::{Ending, Path, Report, Request, Target};
use crate::Error;
use crate::parts::{PATIENCE, StopOnPanic};

/// Most items that a worker keeps before it hands them out.
const BATCH: usize = 64;
/// About how many bytes an item takes.
const BYTES: u64 = 1_000;

/// Who searches, and who watches.
pub struct Crew<'a> {
    /// Workers, at least one.
    pub jobs: usize,
    /// Makes the machines of further workers, where there is room for them.
    pub more: &'a (dyn Fn() -> Option<Vm> + Sync),
    /// Says whether to stop; asked by the workers.
    pub stops: &'a (dyn Fn() -> bool + Sync),
    /// Sees where the search stands.
    pub watch: &'a mut (dyn FnMut(&Progress, f64) + Send),
}

/// What workers make of the paths they come to.
pub(crate) trait Harvest: Sync {
    /// What is made of a path.
    type Item: Send;
    /// What is summed up over a part of the search.
    type Sum: Send + Default;

    /// Whether paths come with what was cut off beside them.
    const NOTES_CUTS: bool = false;

    /// The method, on a further machine.
    fn target(&self, vm: &mut Vm) -> Result<Target, Error>;

    /// What is made of the path at whose end a search stands, if anything.
    fn visit(
        &self,
        vm: &mut Vm,
        target: &Target,
        end: &PathEnd,
        search: &mut SymbolicSearch<'_>,
        sum: &mut Self::Sum,
    ) -> Result<Option<Self::Item>, Error>;
}

/// Takes what workers have made, in the order of the paths.
pub(crate) trait Taker<H: Harvest>: Send {
    /// Takes an item; breaks off if no more are wanted.
    fn take(&mut self, item: H::Item) -> Result<ControlFlow<()>, Error>;

    /// Takes what came of a part, behind its items.
    fn finished(&mut self, part: Part<H::Sum>);
}

/// What came of a part.
pub(crate) struct Part<S> {
    pub end: End,
    pub progress: Progress,
    pub solver: Statistics,
    pub fixed_at: std::collections::BTreeMap<String, u64>,
    pub beyond: Beyond,
    pub sum: S,
}

type Pool<H> = Workers<<H as Harvest>::Item, Result<Part<<H as Harvest>::Sum>, Error>>;

/// Searches the paths of a target. How it ended: by the visitor if the taker broke off.
///
/// # Errors
/// The method cannot be called, the solver cannot be used, or what harvest or taker say.
pub(crate) fn search<H: Harvest>(
    vm: &mut Vm,
    request: &Request,
    target: &Target,
    crew: &mut Crew<'_>,
    harvest: &H,
    taker: &mut impl Taker<H>,
) -> Result<End, Error> {
    let workers: Pool<H> = Workers::new([Span::default()]);
    let desk = Desk {
        request,
        workers: &workers,
        stops: crew.stops,
        harvest,
        stopper: Stopper::default(),
    };
    let (watch, more) = (&mut *crew.watch, crew.more);
    let mut watch = |progress: &Progress, share| {
        // Solvers do not look up from their questions by themselves.
        if desk.is_stopped() {
            desk.stopper.stop();
        }
        watch(progress, share);
    };
    let taken = std::thread::scope(|scope| {
        for _ in 1..crew.jobs {
            scope.spawn(|| {
                let _guard = StopOnPanic(&workers);
                // Where there is no room for another machine the first worker does it alone.
                if let Some(mut vm) = more()
                    && let Ok(target) = harvest.target(&mut vm)
                {
                    desk.work(&mut vm, &target);
                }
            });
        }
        let taker = scope.spawn(|| {
            let _guard = StopOnPanic(&workers);
            let taken = take_all(&workers, &mut watch, taker);
            workers.stop();
            desk.stopper.stop();
            taken
        });
        let guard = StopOnPanic(&workers);
        desk.work(vm, target);
        drop(guard);
        taker.join()
    });
    taken.unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}

/// Takes items and parts, in their order.
fn take_all<H: Harvest>(
    workers: &Pool<H>,
    watch: &mut (dyn FnMut(&Progress, f64) + Send),
    taker: &mut impl Taker<H>,
) -> Result<End, Error> {
    loop {
        match workers.next(PATIENCE) {
            News::Items(items) => {
                for item in items {
                    if taker.take(item)?.is_break() {
                        return Ok(End::ByVisitor);
                    }
                }
            }
            News::Finished(part) => {
                let part = part?;
                let is_whole = part.end == End::Complete;
                taker.finished(part);
                if !is_whole {
                    return Ok(End::Interrupted);
                }
            }
            News::Nothing => {
                let (progress, share) = workers.progress();
                watch(&progress, share);
            }
            News::End => {
                return Ok(match workers.is_stopped() {
                    true => End::Interrupted,
                    false => End::Complete,
                });
            }
        }
    }
}

/// What all workers have.
struct Desk<'a, H: Harvest> {
    request: &'a Request,
    workers: &'a Pool<H>,
    stops: &'a (dyn Fn() -> bool + Sync),
    harvest: &'a H,
    stopper: Stopper,
}

impl<H: Harvest> Desk<'_, H> {
    /// One worker: goes through parts as long as there are some.
    fn work(&self, vm: &mut Vm, target: &Target) {
        let mut search = target.search(self.request);
        search.stop_by(self.stopper.clone());
        if H::NOTES_CUTS {
            search.note_cuts(self.request.limits, self.stopper.clone());
        }
        let mut before = Statistics::default();
        while let Some(span) = self.workers.take() {
            search.start_at(span.clone());
            let mut sum = H::Sum::default();
            let result = self.search(vm, target, &mut search, &span, &mut sum);
            let solver = *search.statistics();
            let result = result.map(|end| Part {
                end,
                progress: search.progress().clone(),
                solver: solver.since(&before),
                fixed_at: search.take_fixed_at(),
                beyond: search.take_beyond(),
                sum,
            });
            before = solver;
            self.workers.finish(&span, result);
        }
    }

    fn search(
        &self,
        vm: &mut Vm,
        target: &Target,
        search: &mut SymbolicSearch<'_>,
        span: &Span,
        sum: &mut H::Sum,
    ) -> Result<End, Error> {
        let batch: RefCell<Vec<H::Item>> = RefCell::default();
        let mut failure = None;
        let mut ask = |search: &mut SymbolicSearch<'_>| {
            self.hand_out(span, &mut batch.borrow_mut());
            let noted = self
                .workers
                .note(span, search.progress(), search.share_seen());
            if noted == Some(true)
                && let Some(part) = search.split()
            {
                self.workers.give(span, part);
            }
            match noted.is_none() || self.is_stopped() {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        };
        let mut visit = |vm: &mut Vm, end: &PathEnd, search: &mut SymbolicSearch<'_>| match self
            .harvest
            .visit(vm, target, end, search, sum)
        {
            Ok(item) => {
                let mut batch = batch.borrow_mut();
                batch.extend(item);
                if batch.len() >= BATCH {
                    self.hand_out(span, &mut batch);
                }
                match self.is_stopped() {
                    true => ControlFlow::Break(()),
                    false => ControlFlow::Continue(()),
                }
            }
            Err(error) => {
                failure = Some(error);
                ControlFlow::Break(())
            }
        };
        let end = search.run(vm, &mut ask, &mut visit)?;
        self.hand_out(span, &mut batch.borrow_mut());
        match failure {
            None => Ok(end),
            Some(Error::Symbolic(SymbolicError::Solver(SolverError::Stopped))) => {
                Ok(End::Interrupted)
            }
            Some(error) => Err(error),
        }
    }

    fn hand_out(&self, span: &Span, batch: &mut Vec<H::Item>) {
        if !batch.is_empty() {
            let bytes = batch.len() as u64 * BYTES;
            self.workers.hand_out(span, batch, bytes);
        }
    }

    fn is_stopped(&self) -> bool {
        if (self.stops)() {
            self.workers.stop();
        }
        self.workers.is_stopped()
    }
}

/// Searches the paths of the target with this number among those of a request and hands each to
/// `take`, which may break off: that path does not count.
///
/// # Errors
/// The method cannot be called, or the solver cannot be used.
pub fn explore(
    vm: &mut Vm,
    request: &Request,
    targets: &[Target],
    number: usize,
    crew: &mut Crew<'_>,
    take: &mut (dyn FnMut(Path) -> ControlFlow<()> + Send),
) -> Result<Report, Error> {
    let mut paths = Paths {
        report: Report {
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

/// Makes data of every path.
struct AllPaths<'a> {
    request: &'a Request,
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

/// Hands paths out and counts them.
struct Paths<'a> {
    report: Report,
    take: &'a mut (dyn FnMut(Path) -> ControlFlow<()> + Send),
}

impl Taker<AllPaths<'_>> for Paths<'_> {
    /// Hands a path out; it counts if the taker goes on.
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

    fn finished(&mut self, part: Part<()>) {
        let report = &mut self.report;
        report.decisions += part.progress.choices;
        report.solver.add(&part.solver);
        for (place, times) in part.fixed_at {
            *report.fixed_at.entry(place).or_default() += times;
        }
    }
}
