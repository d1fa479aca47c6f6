//! Parallel checking: many workers, each with its own machine, call methods on the parts of one
//! search.
//!
//! Invariant: a complete search has the counts and findings of a single worker. So has a search
//! that ends at a candidate on which the invariant reaches a limit. Parts are added up in their
//! order, and the calls of a method depend only on the part. Methods that do not end are the
//! exception: one worker calls them once more. If the user stops a search, all finished work
//! counts.

use std::convert::Infallible;
use std::ops::ControlFlow;

use heapwright_explore::{End, Leaf, Search, SearchState, Span, Workers};
use heapwright_jvm::Vm;

use super::{CallInputs, CheckRequest, Checker, MethodCheckResults};
use crate::Error;
use crate::invariant::{Enumeration, EnumerationOutcome};
use crate::parallel;
use crate::parts::from;

/// Workers, and callbacks of a check.
pub struct WorkerConfig<'a> {
    /// Number of workers, at least one.
    pub jobs: usize,
    /// Creates the machines of further workers, if there is memory for them.
    pub more: &'a (dyn Fn() -> Option<(Vm, Enumeration)> + Sync),
    /// Whether to stop; called by the workers.
    pub stops: &'a (dyn Fn() -> bool + Sync),
    /// Receives the state of the search.
    pub watch: &'a mut (dyn FnMut(&SearchState) + Send),
}

/// Calls to make.
#[derive(Clone, Debug)]
pub struct CallTask {
    /// Kind of search that provides the inputs.
    pub calls: CallInputs,
    /// Parts of its tree, in order.
    pub spans: Vec<Span>,
    /// Whether the calls independent of any structure are made, too, after the search is complete.
    pub alone: bool,
}

impl CallTask {
    /// Task of all calls.
    #[must_use]
    pub fn whole(calls: CallInputs) -> CallTask {
        CallTask::parts(calls, vec![Span::default(), CallTask::alone()])
    }

    /// Task of some parts, in their order.
    #[must_use]
    pub fn parts(calls: CallInputs, mut spans: Vec<Span>) -> CallTask {
        let alone = spans.pop_if(|last| *last == CallTask::alone()).is_some();
        CallTask {
            calls,
            spans,
            alone,
        }
    }

    /// Pseudo-part, after all others, of the calls independent of any structure.
    #[must_use]
    pub fn alone() -> Span {
        Span::below(vec![i64::MAX])
    }
}

/// Results of a part.
struct CheckedPart {
    outcome: EnumerationOutcome,
    found: MethodCheckResults,
    rest: Option<Span>,
}

type CheckWorkers<'a> = parallel::WorkerPool<'a, Infallible, Result<CheckedPart, Error>>;

/// Makes the requested calls. `checker` was created from the same request; afterwards it holds the
/// results, and the machine's state is restored. Returns the outcome of the search and its
/// remaining parts.
///
/// # Errors
/// The invariant cannot be called.
pub fn check(
    vm: &mut Vm,
    enumeration: &Enumeration,
    checker: &mut Checker,
    request: &CheckRequest,
    task: &CallTask,
    crew: &mut WorkerConfig<'_>,
) -> Result<(EnumerationOutcome, Vec<Span>), Error> {
    checker.make_seconds(vm, enumeration, &mut || asked(crew.stops))?;
    let mut whole = by_parts(vm, enumeration, checker, request, task, crew)?;
    let is_stopped = matches!(whole.outcome.end, End::Interrupted | End::ByVisitor);
    if whole.parts > 1
        && !is_stopped
        && let Some((end, left)) = repeat_endless(vm, enumeration, checker, request, task, crew)?
    {
        (whole.outcome.end, whole.left) = (end, left);
    }
    if task.alone && whole.left.is_empty() {
        let before = checker.found.clone();
        let mut ask = || asked(crew.stops);
        checker.call_without_structure(vm, &enumeration.space, &mut ask);
        checker.call_on_pairs(vm, enumeration, &mut ask)?;
        if (crew.stops)() {
            // Some of the calls may be missing: all are repeated by the run that resumes.
            checker.found = before;
            whole.outcome.end = End::Interrupted;
            whole.left.push(CallTask::alone());
        }
    } else if task.alone {
        whole.left.push(CallTask::alone());
    }
    Ok((whole.outcome, whole.left))
}

/// Repeats the calls of methods that did not end, which parts of a search skip independently, in the
/// order of the whole search, and replaces their results. Returns how the search ended and what is
/// left of it; none if every method ended.
///
/// # Errors
/// The invariant cannot be called.
pub fn repeat_endless(
    vm: &mut Vm,
    enumeration: &Enumeration,
    checker: &mut Checker,
    request: &CheckRequest,
    task: &CallTask,
    crew: &mut WorkerConfig<'_>,
) -> Result<Option<(End, Vec<Span>)>, Error> {
    let endless = checker.found.endless();
    if endless.is_empty() {
        return Ok(None);
    }
    let found = checker.take_found();
    checker.active.clone_from(&endless);
    let mut alone = WorkerConfig {
        jobs: 1,
        more: crew.more,
        stops: crew.stops,
        watch: crew.watch,
    };
    let again = by_parts(vm, enumeration, checker, request, task, &mut alone)?;
    let again_found = std::mem::replace(&mut checker.found, found);
    checker.found.replace(&endless, again_found);
    Ok(Some((again.outcome.end, again.left)))
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
    request: &CheckRequest,
    task: &CallTask,
    crew: &mut WorkerConfig<'_>,
) -> Result<PartsOutcome, Error> {
    // Results of an earlier search are not of this one.
    checker.take_found();
    let mut whole = MergedParts {
        spans: &task.spans,
        outcome: EnumerationOutcome::nothing(enumeration.invariant),
        found: checker.nothing(),
        parts: 0,
        left: Vec::new(),
        watch: &mut *crew.watch,
    };
    let (more, calls) = (crew.more, task.calls);
    let (_, workers) = parallel::search(
        task.spans.iter().cloned(),
        crew.jobs,
        crew.stops,
        |pool| work(pool, calls, vm, enumeration, checker),
        &|pool| {
            // Without memory for another machine, the first worker works alone.
            if let Some((mut vm, enumeration)) = more()
                && let Ok(mut checker) = Checker::new(&mut vm, &enumeration, request)
                && checker
                    .make_seconds(&mut vm, &enumeration, &mut || pool.asked())
                    .is_ok()
            {
                work(pool, calls, &mut vm, &enumeration, &mut checker);
            }
        },
        &mut whole,
    )?;
    whole.take_left(workers)?;
    checker.found = std::mem::take(&mut whole.found);
    Ok(PartsOutcome {
        outcome: whole.outcome,
        parts: whole.parts,
        left: whole.left,
    })
}

/// Processes parts until there are none.
fn work(
    pool: &CheckWorkers<'_>,
    calls: CallInputs,
    vm: &mut Vm,
    enumeration: &Enumeration,
    checker: &mut Checker,
) {
    let mut first = None;
    if let Err(error) = checker.warm_up(vm, enumeration, &mut || pool.asked()) {
        first = Some(error);
    }
    let mut cubes = enumeration.cubes();
    let mut structures = match calls {
        CallInputs::OnCubes { always } => {
            checker.weighs_costs = !always;
            checker.leave_open(enumeration.space.root, &mut cubes);
            None
        }
        CallInputs::OnStructures(strategy) => Some(enumeration.explorer(strategy, false)),
    };
    pool.work(|span| {
        let mut ask = |search: &mut dyn Search| pool.share(span, search);
        let (outcome, rest) = match (first.take(), &mut structures) {
            (Some(error), _) => (Err(error), None),
            (None, None) => {
                cubes.start_at(span.clone());
                let outcome = enumeration.search_cubes(vm, &mut cubes, ask, |vm, cube| {
                    checker.visit_cube(vm, cube, &enumeration.space, &mut || pool.asked())
                });
                (outcome, cubes.rest().cloned())
            }
            (None, Some(search)) => {
                search.start_at(span.clone());
                let mut visit = |vm: &mut Vm, leaf: &Leaf, _: &dyn Search| match leaf {
                    Leaf::Valid => checker.visit(vm, &enumeration.space, &mut || pool.asked()),
                    _ => ControlFlow::Continue(()),
                };
                let outcome = enumeration.run(vm, &mut **search, &mut ask, &mut visit);
                (outcome, search.rest().cloned())
            }
        };
        let mut found = checker.take_found();
        found.findings.set_place(&span.path);
        outcome.map(|outcome| CheckedPart {
            outcome,
            found,
            rest,
        })
    });
}

/// Results of a search by parts.
struct PartsOutcome {
    outcome: EnumerationOutcome,
    parts: usize,
    /// Remaining parts of the search.
    left: Vec<Span>,
}

/// Adds up the parts, in their order.
struct MergedParts<'a> {
    spans: &'a [Span],
    outcome: EnumerationOutcome,
    found: MethodCheckResults,
    parts: usize,
    left: Vec<Span>,
    watch: &'a mut (dyn FnMut(&SearchState) + Send),
}

impl parallel::Collector<Infallible, Result<CheckedPart, Error>> for MergedParts<'_> {
    type Error = Error;

    fn take(&mut self, item: Infallible) -> Result<ControlFlow<()>, Error> {
        match item {}
    }

    fn finish(
        &mut self,
        part: Result<CheckedPart, Error>,
        _: &Workers<Infallible, Result<CheckedPart, Error>>,
    ) -> Result<ControlFlow<()>, Error> {
        self.add(part?);
        if !matches!(self.outcome.end, End::Limit(_)) {
            return Ok(ControlFlow::Continue(()));
        }
        // Results of later parts are dropped.
        let place = self.left.pop();
        let spans = self.spans;
        self.left
            .extend(place.into_iter().flat_map(|place| from(place, spans)));
        Ok(ControlFlow::Break(()))
    }

    fn watch(
        &mut self,
        workers: &Workers<Infallible, Result<CheckedPart, Error>>,
    ) -> ControlFlow<()> {
        let mut state = workers.state();
        state.progress += &self.outcome.progress;
        (self.watch)(&state);
        ControlFlow::Continue(())
    }
}

impl MergedParts<'_> {
    /// Adds the parts finished after an unfinished one, when the search was stopped.
    fn take_left(
        &mut self,
        workers: Workers<Infallible, Result<CheckedPart, Error>>,
    ) -> Result<(), Error> {
        if matches!(self.outcome.end, End::Limit(_)) {
            return Ok(());
        }
        for (span, part) in workers.into_remaining() {
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

    fn add(&mut self, part: CheckedPart) {
        self.outcome.add(part.outcome);
        self.found.add(part.found);
        self.left.extend(part.rest);
        self.parts += 1;
    }
}
