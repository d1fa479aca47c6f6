//! Calls by many workers, each with a machine of its own, on the parts of one search.
//!
//! Invariant: a search that comes to its end, or to a candidate on which the invariant reaches a
//! limit, counts and finds what one worker would. Parts are added up in their order, and what a
//! method is called on depends on nothing outside the part, but for methods that do not end: those
//! are called once more by one worker. Of a search that somebody stops, whatever was done counts.

use std::ops::ControlFlow;

use heapwright_explore::{End, Leaf, News, Progress, Search, Span, Workers};
use heapwright_jvm::Vm;

use super::{Calls, Checker, Found, Request};
use crate::Error;
use crate::invariant::{Enumeration, Outcome};
use crate::parts::{PATIENCE, StopOnPanic};

/// Who makes the calls, and who watches.
pub struct Crew<'a> {
    /// Workers, at least one.
    pub jobs: usize,
    /// Makes the machines of further workers, where there is room for them.
    pub more: &'a (dyn Fn() -> Option<(Vm, Enumeration)> + Sync),
    /// Says whether to stop; asked by the workers.
    pub stops: &'a (dyn Fn() -> bool + Sync),
    /// Sees where the search stands: the counts, and an estimate of the share that is behind.
    pub watch: &'a mut (dyn FnMut(&Progress, f64) + Send),
}

/// What came of a part.
struct Part {
    outcome: Outcome,
    found: Found,
}

type Pool = Workers<(), Result<Part, Error>>;

/// Makes the calls that are asked for. `checker` was made from the same request; afterwards it holds
/// what was found, and the machine stands where it stood.
///
/// # Errors
/// The invariant cannot be called.
pub fn check(
    vm: &mut Vm,
    enumeration: &Enumeration,
    checker: &mut Checker,
    request: &Request,
    calls: Calls,
    crew: &mut Crew<'_>,
) -> Result<Outcome, Error> {
    checker.make_seconds(vm, enumeration, &mut || asked(crew.stops))?;
    let (mut outcome, parts) = by_parts(vm, enumeration, checker, request, calls, crew)?;
    let endless = checker.found.endless();
    let is_stopped = matches!(outcome.end, End::Interrupted | End::ByVisitor);
    if parts > 1 && !endless.is_empty() && !is_stopped {
        let found = checker.take_found();
        checker.active.clone_from(&endless);
        let mut alone = Crew {
            jobs: 1,
            more: crew.more,
            stops: crew.stops,
            watch: crew.watch,
        };
        let (again, _) = by_parts(vm, enumeration, checker, request, calls, &mut alone)?;
        let again_found = std::mem::replace(&mut checker.found, found);
        checker.found.replace(&endless, again_found);
        outcome.end = again.end;
    }
    checker.call_alone(vm, &enumeration.space, &mut || asked(crew.stops));
    Ok(outcome)
}

/// Whether to go on.
fn asked(stops: &dyn Fn() -> bool) -> ControlFlow<()> {
    match stops() {
        true => ControlFlow::Break(()),
        false => ControlFlow::Continue(()),
    }
}

/// Gives what the search came to, and in how many parts.
fn by_parts(
    vm: &mut Vm,
    enumeration: &Enumeration,
    checker: &mut Checker,
    request: &Request,
    calls: Calls,
    crew: &mut Crew<'_>,
) -> Result<(Outcome, usize), Error> {
    let workers: Pool = Workers::new([Span::default()]);
    let desk = Desk {
        workers: &workers,
        calls,
        stops: crew.stops,
    };
    let mut whole = Whole {
        outcome: Outcome::nothing(enumeration.invariant),
        found: checker.nothing(),
        parts: 0,
    };
    let (watch, more) = (&mut *crew.watch, crew.more);
    let taken = std::thread::scope(|scope| {
        for _ in 1..crew.jobs {
            scope.spawn(|| {
                let _guard = StopOnPanic(&workers);
                // Where there is no room for another machine the first worker does it alone.
                if let Some((mut vm, enumeration)) = more()
                    && let Ok(mut checker) = Checker::new(&mut vm, &enumeration, request)
                    && checker
                        .make_seconds(&mut vm, &enumeration, &mut || desk.asked())
                        .is_ok()
                {
                    desk.work(&mut vm, &enumeration, &mut checker);
                }
            });
        }
        let taker = scope.spawn(|| {
            let _guard = StopOnPanic(&workers);
            let taken = whole.take_all(&workers, watch);
            workers.stop();
            taken
        });
        let guard = StopOnPanic(&workers);
        desk.work(vm, enumeration, checker);
        drop(guard);
        taker.join()
    });
    taken.unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
    whole.take_left(workers)?;
    checker.found = whole.found;
    Ok((whole.outcome, whole.parts))
}

/// What all workers have.
struct Desk<'a> {
    workers: &'a Pool,
    calls: Calls,
    stops: &'a (dyn Fn() -> bool + Sync),
}

impl Desk<'_> {
    /// One worker: goes through parts as long as there are some.
    fn work(&self, vm: &mut Vm, enumeration: &Enumeration, checker: &mut Checker) {
        let mut first = None;
        if let Err(error) = checker.warm_up(vm, enumeration, &mut || self.asked()) {
            first = Some(error);
        }
        let mut cubes = enumeration.cubes();
        let mut structures = match self.calls {
            Calls::OnCubes { always } => {
                checker.weighs_costs = !always;
                checker.leave_open(enumeration.space.root, &mut cubes);
                None
            }
            Calls::OnStructures(strategy) => Some(enumeration.explorer(strategy, false)),
        };
        while let Some(span) = self.workers.take() {
            let mut ask = |search: &mut dyn Search| self.split(&span, search);
            let outcome = match (first.take(), &mut structures) {
                (Some(error), _) => Err(error),
                (None, None) => {
                    cubes.start_at(span.clone());
                    enumeration.search_cubes(vm, &mut cubes, ask, |vm, cube| {
                        checker.visit_cube(vm, cube, &enumeration.space, &mut || self.asked())
                    })
                }
                (None, Some(search)) => {
                    search.start_at(span.clone());
                    enumeration.run(vm, &mut **search, &mut ask, &mut |vm, leaf, _| match leaf {
                        Leaf::Valid => checker.visit(vm, &enumeration.space, &mut || self.asked()),
                        _ => ControlFlow::Continue(()),
                    })
                }
            };
            let found = checker.take_found();
            let part = outcome.map(|outcome| Part { outcome, found });
            self.workers.finish(&span, part);
        }
    }

    /// Between two slices of a search: gives part of it away if somebody has nothing to do.
    fn split(&self, span: &Span, search: &mut dyn Search) -> ControlFlow<()> {
        let (progress, share) = (search.progress(), search.share_seen());
        let is_wanted = self.workers.note(span, progress, share) == Some(true);
        if is_wanted && let Some(part) = search.split() {
            self.workers.give(span, part);
        }
        self.asked()
    }

    fn asked(&self) -> ControlFlow<()> {
        if (self.stops)() {
            self.workers.stop();
        }
        match self.workers.is_stopped() {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    }
}

/// Adds up the parts, in their order.
struct Whole {
    outcome: Outcome,
    found: Found,
    parts: usize,
}

impl Whole {
    fn take_all(
        &mut self,
        workers: &Pool,
        watch: &mut dyn FnMut(&Progress, f64),
    ) -> Result<(), Error> {
        loop {
            match workers.next(PATIENCE) {
                News::Finished(part) => {
                    self.add(part?);
                    if matches!(self.outcome.end, End::Limit(_)) {
                        return Ok(());
                    }
                }
                News::Items(_) | News::Nothing => {}
                News::End => return Ok(()),
            }
            let (mut progress, share) = workers.progress();
            progress += &self.outcome.progress;
            watch(&progress, share);
        }
    }

    /// Takes what was done behind a part that was not, after somebody has stopped the search.
    fn take_left(&mut self, workers: Pool) -> Result<(), Error> {
        if matches!(self.outcome.end, End::Limit(_)) {
            return Ok(());
        }
        for (_, part) in workers.left() {
            match part {
                Some(part) => self.add(part?),
                None => self.outcome.end = End::Interrupted,
            }
        }
        Ok(())
    }

    fn add(&mut self, part: Part) {
        self.outcome.add(part.outcome);
        self.found.add(part.found);
        self.parts += 1;
    }
}
