//! The search over a method's paths by many workers.
//!
//! Invariant: paths come in the order in which one worker finds them, whatever the number of
//! workers.

use std::ops::ControlFlow;

use heapwright_explore::symbolic::{Statistics, SymbolicSearch};
use heapwright_explore::{End, News, Progress, Span, Workers};
use heapwright_jvm::Vm;

use super::{Ending, Path, Report, Request, Target};
use crate::Error;
use crate::parts::{PATIENCE, StopOnPanic};

/// Most paths that a worker keeps before it hands them out.
const BATCH: usize = 64;
/// About how many bytes a path takes.
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

/// What came of a part.
struct Part {
    end: End,
    progress: Progress,
    solver: Statistics,
    fixed_at: std::collections::BTreeMap<String, u64>,
}

type Pool = Workers<Path, Result<Part, Error>>;

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
    let workers: Pool = Workers::new([Span::default()]);
    let desk = Desk {
        request,
        workers: &workers,
        stops: crew.stops,
    };
    let mut report = Report {
        end: End::Complete,
        paths: 0,
        bounded: 0,
        unknown: 0,
        fixed: 0,
        refused: 0,
        decisions: 0,
        solver: Statistics::default(),
        fixed_at: Default::default(),
    };
    let (watch, more) = (&mut *crew.watch, crew.more);
    let taken = std::thread::scope(|scope| {
        for _ in 1..crew.jobs {
            scope.spawn(|| {
                let _guard = StopOnPanic(&workers);
                // Where there is no room for another machine the first worker does it alone.
                if let Some(mut vm) = more()
                    && let Ok(targets) = super::targets(&mut vm, request)
                {
                    desk.work(&mut vm, &targets[number]);
                }
            });
        }
        let taker = scope.spawn(|| {
            let _guard = StopOnPanic(&workers);
            let taken = report.take_all(&workers, watch, take);
            workers.stop();
            taken
        });
        let guard = StopOnPanic(&workers);
        desk.work(vm, &targets[number]);
        drop(guard);
        taker.join()
    });
    taken.unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
    Ok(report)
}

/// What all workers have.
struct Desk<'a> {
    request: &'a Request,
    workers: &'a Pool,
    stops: &'a (dyn Fn() -> bool + Sync),
}

impl Desk<'_> {
    /// One worker: goes through parts as long as there are some.
    fn work(&self, vm: &mut Vm, target: &Target) {
        let mut search = target.search(self.request);
        let mut before = Statistics::default();
        while let Some(span) = self.workers.take() {
            search.start_at(span.clone());
            let result = self.search(vm, target, &mut search, &span);
            let solver = *search.statistics();
            let result = result.map(|end| Part {
                end,
                progress: search.progress().clone(),
                solver: solver.since(&before),
                fixed_at: search.take_fixed_at(),
            });
            before = solver;
            self.workers.finish(&span, result);
        }
    }

    fn search<'t>(
        &self,
        vm: &mut Vm,
        target: &Target,
        search: &mut SymbolicSearch<'t>,
        span: &Span,
    ) -> Result<End, Error> {
        let mut batch: Vec<Path> = Vec::new();
        let batch_cell = std::cell::RefCell::new(&mut batch);
        let mut ask = |search: &mut SymbolicSearch<'_>| {
            self.hand_out(span, &mut batch_cell.borrow_mut());
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
        let mut visit = |vm: &mut Vm, end: &_, search: &SymbolicSearch<'_>| {
            let path = target.path(vm, end, search, self.request.scripts);
            let mut batch = batch_cell.borrow_mut();
            batch.push(path);
            if batch.len() >= BATCH {
                self.hand_out(span, &mut batch);
            }
            match self.is_stopped() {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        };
        let end = search.run(vm, &mut ask, &mut visit)?;
        self.hand_out(span, &mut batch);
        Ok(end)
    }

    fn hand_out(&self, span: &Span, batch: &mut Vec<Path>) {
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

impl Report {
    /// Takes paths and adds up parts, in their order.
    fn take_all(
        &mut self,
        workers: &Pool,
        watch: &mut (dyn FnMut(&Progress, f64) + Send),
        take: &mut (dyn FnMut(Path) -> ControlFlow<()> + Send),
    ) -> Result<(), Error> {
        loop {
            match workers.next(PATIENCE) {
                News::Items(paths) => {
                    for path in paths {
                        if self.take(path, take).is_break() {
                            self.end = End::ByVisitor;
                            return Ok(());
                        }
                    }
                }
                News::Finished(part) => {
                    let part = part?;
                    self.decisions += part.progress.choices;
                    self.solver.add(&part.solver);
                    for (place, times) in part.fixed_at {
                        *self.fixed_at.entry(place).or_default() += times;
                    }
                    if part.end != End::Complete {
                        self.end = part.end;
                        return Ok(());
                    }
                }
                News::Nothing => {
                    let (progress, share) = workers.progress();
                    watch(&progress, share);
                }
                News::End => {
                    if workers.is_stopped() {
                        self.end = End::Interrupted;
                    }
                    return Ok(());
                }
            }
        }
    }

    /// Hands a path out; it counts if the taker goes on.
    fn take(
        &mut self,
        path: Path,
        take: &mut (dyn FnMut(Path) -> ControlFlow<()> + Send),
    ) -> ControlFlow<()> {
        let bounded = matches!(path.ending, Ending::Bounded(_) | Ending::Limit(_));
        let refused = matches!(path.ending, Ending::Refused(_));
        let (unknown, fixed) = (path.unknown > 0, path.fixed > 0);
        take(path)?;
        self.paths += 1;
        self.bounded += u64::from(bounded);
        self.refused += u64::from(refused);
        self.unknown += u64::from(unknown);
        self.fixed += u64::from(fixed);
        ControlFlow::Continue(())
    }
}
