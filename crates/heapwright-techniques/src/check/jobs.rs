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
use crate::parts::{PATIENCE, StopOnPanic, from};

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

/// What calls are made on.
#[derive(Clone, Debug)]
pub struct Task {
    /// How the search's structures are taken.
    pub calls: Calls,
    /// The parts of its tree, in order.
    pub spans: Vec<Span>,
    /// Whether the calls that have nothing to do with a structure are made, too: once the search has
    /// come to its end.
    pub alone: bool,
}

impl Task {
    /// All that there is.
    #[must_use]
    pub fn whole(calls: Calls) -> Task {
        Task::parts(calls, vec![Span::default(), Task::alone()])
    }

    /// What some parts name, in their order.
    #[must_use]
    pub fn parts(calls: Calls, mut spans: Vec<Span>) -> Task {
        let alone = spans.pop_if(|last| *last == Task::alone()).is_some();
        Task {
            calls,
            spans,
            alone,
        }
    }

    /// The part, behind all others, that stands for the calls that have nothing to do with a
    /// structure.
    #[must_use]
    pub fn alone() -> Span {
        Span::below(vec![i64::MAX])
    }
}

/// What came of a part.
struct Part {
    outcome: Outcome,
    found: Found,
    rest: Option<Span>,
}

type Pool = Workers<(), Result<Part, Error>>;

/// Makes the calls that are asked for. `checker` was made from the same request; afterwards it holds
/// what was found, and the machine stands where it stood. Gives what the search came to, and what is
/// left of it.
///
/// # Errors
/// The invariant cannot be called.
pub fn check(
    vm: &mut Vm,
    enumeration: &Enumeration,
    checker: &mut Checker,
    request: &Request,
    task: &Task,
    crew: &mut Crew<'_>,
) -> Result<(Outcome, Vec<Span>), Error> {
    checker.make_seconds(vm, enumeration, &mut || asked(crew.stops))?;
    let mut whole = by_parts(vm, enumeration, checker, request, task, crew)?;
    let endless = checker.found.endless();
    let is_stopped = matches!(whole.outcome.end, End::Interrupted | End::ByVisitor);
    if whole.parts > 1 && !endless.is_empty() && !is_stopped {
        let found = checker.take_found();
        checker.active.clone_from(&endless);
        let mut alone = Crew {
            jobs: 1,
            more: crew.more,
            stops: crew.stops,
            watch: crew.watch,
        };
        let again = by_parts(vm, enumeration, checker, request, task, &mut alone)?;
        let again_found = std::mem::replace(&mut checker.found, found);
        checker.found.replace(&endless, again_found);
        (whole.outcome.end, whole.left) = (again.outcome.end, again.left);
    }
    if task.alone && whole.left.is_empty() {
        let mut ask = || asked(crew.stops);
        checker.call_alone(vm, &enumeration.space, &mut ask);
        checker.call_on_pairs(vm, enumeration, &mut ask)?;
    } else if task.alone {
        whole.left.push(Task::alone());
    }
    Ok((whole.outcome, whole.left))
}

/// Whether to go on.
fn asked(stops: &dyn Fn() -> bool) -> ControlFlow<()> {
    match stops() {
        true => ControlFlow::Break(()),
        false => ControlFlow::Continue(()),
    }
}

fn by_parts(
    vm: &mut Vm,
    enumeration: &Enumeration,
    checker: &mut Checker,
    request: &Request,
    task: &Task,
    crew: &mut Crew<'_>,
) -> Result<Whole, Error> {
    let workers: Pool = Workers::new(task.spans.iter().cloned());
    let desk = Desk {
        workers: &workers,
        calls: task.calls,
        stops: crew.stops,
    };
    let mut whole = Whole {
        outcome: Outcome::nothing(enumeration.invariant),
        found: checker.nothing(),
        parts: 0,
        left: Vec::new(),
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
            let taken = whole.take_all(&task.spans, &workers, watch);
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
    checker.found = std::mem::take(&mut whole.found);
    Ok(whole)
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
            let (outcome, rest) = match (first.take(), &mut structures) {
                (Some(error), _) => (Err(error), None),
                (None, None) => {
                    cubes.start_at(span.clone());
                    let outcome = enumeration.search_cubes(vm, &mut cubes, ask, |vm, cube| {
                        checker.visit_cube(vm, cube, &enumeration.space, &mut || self.asked())
                    });
                    (outcome, cubes.rest().cloned())
                }
                (None, Some(search)) => {
                    search.start_at(span.clone());
                    let mut visit = |vm: &mut Vm, leaf: &Leaf, _: &dyn Search| match leaf {
                        Leaf::Valid => checker.visit(vm, &enumeration.space, &mut || self.asked()),
                        _ => ControlFlow::Continue(()),
                    };
                    let outcome = enumeration.run(vm, &mut **search, &mut ask, &mut visit);
                    (outcome, search.rest().cloned())
                }
            };
            let mut found = checker.take_found();
            found.findings.set_place(&span.path);
            let part = outcome.map(|outcome| Part {
                outcome,
                found,
                rest,
            });
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
    /// What is left of the search.
    left: Vec<Span>,
}

impl Whole {
    fn take_all(
        &mut self,
        spans: &[Span],
        workers: &Pool,
        watch: &mut dyn FnMut(&Progress, f64),
    ) -> Result<(), Error> {
        loop {
            match workers.next(PATIENCE) {
                News::Finished(part) => {
                    self.add(part?);
                    if matches!(self.outcome.end, End::Limit(_)) {
                        // What others have done behind it is not taken.
                        let place = self.left.pop();
                        self.left
                            .extend(place.into_iter().flat_map(|place| from(place, spans)));
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
        for (span, part) in workers.left() {
            match part {
                Some(part) => self.add(part?),
                None => {
                    self.outcome.end = End::Interrupted;
                    self.left.push(span);
                }
            }
        }
        self.left.sort();
        Ok(())
    }

    fn add(&mut self, part: Part) {
        self.outcome.add(part.outcome);
        self.found.add(part.found);
        self.left.extend(part.rest);
        self.parts += 1;
    }
}
