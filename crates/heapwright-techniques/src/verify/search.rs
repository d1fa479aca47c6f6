//! One search with given bounds, which ends at the first violation.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use heapwright_explore::End;
use heapwright_explore::symbolic::{PathEnd, PathOutcome, SolverError, Statistics, SymbolicSearch};
use heapwright_jvm::{Chance, Ref, Vm};

use super::replay::replay;
use super::trials;
use super::violation::{inputs, place_at};
use super::{Found, Program, Property, Round, SearchSettings, TimeLimit, VerifyRequest, Violation};
use crate::Error;
use crate::symbolic::{
    self, Contents, Crew, CutBy, CutCounts, Harvest, InputValue, SymbolicPart, SymbolicRequest,
    Taker, Target,
};
use crate::target::find_class;

/// Work of the solver to tell that a path is infeasible, and to find inputs.
const WORK: u64 = 100_000_000;

/// Range of the values that a counterexample has where it can.
const SMALL: std::ops::Range<u32> = 0..16;

/// Instructions of a replay for each of the search's limit: a merged state spares some.
const REPLAY_STEPS: u64 = 16;

/// Most violations by strings of any length that are looked for until one is confirmed.
const MAX_GUESSES: usize = 4;

/// First violation that a search has found.
pub(super) struct Counterexample {
    pub violation: Violation,
    /// Whether the path rests on numbers in strings; see [`InputBounds::abstracts_numbers`]. The
    /// inputs are then a guess.
    ///
    /// [`InputBounds::abstracts_numbers`]: heapwright_explore::symbolic::InputBounds::abstracts_numbers
    pub is_abstract: bool,
}

/// Searches all paths; returns the first violation, too, as a run on its inputs confirms it.
pub(super) fn run(
    vm: &mut Vm,
    request: &VerifyRequest,
    settings: SearchSettings,
    limit: Option<TimeLimit>,
    crew: &mut Crew<'_>,
    solver: &mut Statistics,
) -> Result<(Round, Option<Found>), Error> {
    let until = limit.map(|limit| Instant::now() + limit.time);
    let is_cut = AtomicBool::new(limit.is_some_and(|limit| !limit.only_if_cut));
    let all_stops = crew.stops;
    let stops = || {
        let is_over = |until| is_cut.load(Ordering::Relaxed) && Instant::now() >= until;
        all_stops() || until.is_some_and(is_over)
    };
    let paths = paths_request(request, settings);
    let judged = JudgedPaths {
        request,
        paths: &paths,
        runs_started_first: settings.runs_started_first,
        work: WORK,
        is_cut: &is_cut,
    };
    let target = judged.target(vm)?;
    let mut crew = Crew {
        jobs: crew.jobs,
        more: crew.more,
        stops: &stops,
        watch: &mut *crew.watch,
    };
    // What strings of any length are guessed to be may be wrong on one path and right on the next.
    let guesses = match settings.bounds.opaque_texts {
        true => MAX_GUESSES,
        false => 1,
    };
    let mut skipped = 0;
    loop {
        let mut first = First::skipping(skipped);
        let end = symbolic::search(vm, &paths, &target, &mut crew, &judged, &mut first)?;
        solver.add(&first.solver);
        let mut round = Round {
            settings,
            is_complete: end == End::Complete,
            paths: first.sum.paths,
            cut: first.sum.cut,
            refused: first.sum.refused,
            chances: first.sum.chances,
            has_abstracted: first.has_abstracted,
        };
        let Some(found) = first.counterexample else {
            if skipped == 0 {
                return Ok((round, None));
            }
            *round.cut.entry(CutBy::Numbers).or_default() += 1;
            return Ok((round, Some(Found::Guessed)));
        };
        let limit = settings.step_limit.saturating_mul(REPLAY_STEPS);
        let violates = |vm: &Vm, outcome: &PathOutcome| judged.violates(vm, outcome);
        let confirmed = replay(vm, &target, &found.violation, limit, all_stops, &violates)?;
        match confirmed {
            Some(Some(what)) => {
                let violation = Box::new(Violation {
                    what,
                    ..found.violation
                });
                return Ok((round, Some(Found::Violation(violation))));
            }
            Some(None) if found.is_abstract && skipped + 1 < guesses && !stops() => {
                skipped += 1;
                continue;
            }
            Some(None) => {}
            // The search has not come to its end.
            None => return Ok((round, None)),
        }
        let (by, found) = match found.is_abstract {
            true => (CutBy::Numbers, Found::Guessed),
            false => (CutBy::Replay, Found::Unconfirmed),
        };
        *round.cut.entry(by).or_default() += 1;
        return Ok((round, Some(found)));
    }
}

/// Runs a main method on its own literals; returns a run that violates the property.
///
/// # Errors
/// There is no such class, or no memory for a literal.
pub(super) fn try_literals(
    vm: &mut Vm,
    request: &VerifyRequest,
    settings: SearchSettings,
    crew: &Crew<'_>,
) -> Result<Option<Box<Violation>>, Error> {
    if matches!(request.program, Program::Method(_)) {
        return Ok(None);
    }
    let paths = paths_request(request, settings);
    let judged = JudgedPaths {
        request,
        paths: &paths,
        runs_started_first: settings.runs_started_first,
        work: WORK,
        is_cut: &AtomicBool::new(false),
    };
    let target = judged.target(vm)?;
    let class = find_class(vm, &request.class)?;
    let violates = |vm: &Vm, outcome: &PathOutcome| judged.violates(vm, outcome);
    let limit = settings.step_limit;
    let tried = trials::attempt(vm, class, &target, &violates, limit, crew.stops)?;
    Ok(tried.map(Box::new))
}

/// Request of the paths of a program within bounds.
pub(super) fn paths_request(request: &VerifyRequest, settings: SearchSettings) -> SymbolicRequest {
    SymbolicRequest {
        class: request.class.clone(),
        methods: match &request.program {
            Program::Main(_) => Vec::new(),
            Program::Method(method) => vec![method.clone()],
        },
        bounds: settings.bounds,
        limits: request.limits,
        step_limit: settings.step_limit,
        scripts: false,
        merges: settings.merges,
    }
}

/// Harvest of violations.
pub(super) struct JudgedPaths<'a> {
    pub request: &'a VerifyRequest,
    pub paths: &'a SymbolicRequest,
    pub runs_started_first: bool,
    /// Work of the solver to tell that a path which was cut or violates the property is infeasible.
    pub work: u64,
    /// Set once a bound has cut something off.
    pub is_cut: &'a AtomicBool,
}

/// What the paths without a violation have in common.
#[derive(Debug, Default)]
pub(super) struct PathSum {
    pub paths: u64,
    pub cut: CutCounts,
    pub refused: BTreeMap<String, u64>,
    pub chances: BTreeSet<Chance>,
}

impl PathSum {
    /// Adds another sum.
    pub(super) fn add(&mut self, other: PathSum) {
        self.paths += other.paths;
        for (by, count) in other.cut {
            *self.cut.entry(by).or_default() += count;
        }
        for (reason, count) in other.refused {
            *self.refused.entry(reason).or_default() += count;
        }
        self.chances.extend(other.chances);
    }
}

impl JudgedPaths<'_> {
    /// Whether the end of a path violates the property.
    fn violates(&self, vm: &Vm, outcome: &PathOutcome) -> bool {
        match (outcome, self.request.property) {
            (PathOutcome::Threw(thrown), Property::Assertions) => {
                is_a(vm, *thrown, "java/lang/AssertionError")
            }
            (PathOutcome::Threw(thrown), Property::NoRuntimeException) => {
                is_a(vm, *thrown, "java/lang/RuntimeException")
            }
            (PathOutcome::Threw(_), Property::NoException) => true,
            (PathOutcome::Deadlocked(_), Property::NoDeadlock) => true,
            _ => false,
        }
    }

    /// Adds a path to the sum; returns whether it violates the property, as far as the solver can
    /// tell.
    pub(super) fn judge(
        &self,
        vm: &Vm,
        end: &PathEnd,
        search: &mut SymbolicSearch<'_>,
        sum: &mut PathSum,
    ) -> Result<bool, Error> {
        sum.paths += 1;
        let violates = self.violates(vm, &end.outcome);
        let is_cut = CutBy::end(&end.outcome).is_some() || end.cuts.iter().next().is_some();
        // The solver has decided a side of each branch by less work.
        if (end.unknown > 0 && is_cut || violates)
            && search.is_infeasible(self.work).map_err(solver_error)?
        {
            return Ok(false);
        }
        for by in CutBy::of(end) {
            *sum.cut.entry(by).or_default() += 1;
            self.is_cut.store(true, Ordering::Relaxed);
        }
        match &end.outcome {
            PathOutcome::Refused(reason) | PathOutcome::Unmade(reason) => {
                *sum.refused.entry(reason.clone()).or_default() += 1;
            }
            _ => {}
        }
        let sees_exhaustion =
            || self.request.property == Property::NoException || vm.handles_exhaustion().is_some();
        for chance in vm.chances_read() {
            // A full stack ends a run; only what handles that goes on.
            if chance == Chance::StackDepth && !sees_exhaustion() {
                continue;
            }
            if !chance.is_setting() {
                *sum.cut.entry(CutBy::world(chance)).or_default() += 1;
            }
            sum.chances.insert(chance);
        }
        if vm.has_threads() {
            *sum.cut.entry(CutBy::Schedules).or_default() += 1;
        }
        // Where a machine has no memory for a long array or string, the program goes on with an error.
        if (vm.has_term_arrays() || search.has_opaque_texts()) && sees_exhaustion() {
            *sum.cut.entry(CutBy::Machine).or_default() += 1;
        }
        // Where another machine has a larger stack, the run goes on.
        if let PathOutcome::Threw(thrown) = end.outcome
            && !violates
            && is_a(vm, thrown, "java/lang/StackOverflowError")
        {
            *sum.cut.entry(CutBy::Machine).or_default() += 1;
        }
        Ok(violates)
    }
}

/// Whether an object is an instance of a class or of one of its subclasses.
fn is_a(vm: &Vm, object: Ref, name: &str) -> bool {
    let class = vm.heap.class_of(object);
    let mut classes = vm.class(class).display.iter();
    classes.any(|&class| vm.class_name(class) == name)
}

impl Harvest for JudgedPaths<'_> {
    /// Violation, and the number of paths of its part up to it.
    type Item = (Counterexample, u64);
    type Sum = PathSum;
    const NOTES_CUTS: bool = true;
    const HAS_MODELS: bool = false;

    fn target(&self, vm: &mut Vm) -> Result<Target, Error> {
        vm.run_started_first(self.runs_started_first);
        vm.track_hash_order(true);
        // What the library reads at its start is no part of the program's run.
        vm.begin_fresh(matches!(self.request.program, Program::Main(_)));
        vm.forget_chances();
        for method in &self.request.opened {
            method.open(vm)?;
        }
        match &self.request.program {
            Program::Main(arguments) => symbolic::program(vm, &self.paths.class, arguments),
            Program::Method(_) => Ok(symbolic::targets(vm, self.paths)?.swap_remove(0)),
        }
    }

    fn visit(
        &self,
        vm: &mut Vm,
        target: &Target,
        end: &PathEnd,
        search: &mut SymbolicSearch<'_>,
        sum: &mut PathSum,
    ) -> Result<Option<(Counterexample, u64)>, Error> {
        if !self.judge(vm, end, search, sum)? {
            return Ok(None);
        }
        search.set_model_work(WORK);
        let Some(model) = search.small_model(SMALL).map_err(solver_error)? else {
            *sum.cut.entry(CutBy::Solutions).or_default() += 1;
            return Ok(None);
        };
        let (asked, mut inputs) = inputs(vm, search, target, &model);
        for (place, text) in search.abstract_texts(&model) {
            if let InputValue::Object(number) = asked[place].value {
                inputs.objects[number].contents = Contents::Text(text);
            }
        }
        let (what, thrown, trace) = described(vm, &end.outcome);
        let violation = Violation {
            what,
            thrown,
            trace,
            asked,
            inputs,
        };
        let counterexample = Counterexample {
            violation,
            is_abstract: search.is_abstract(),
        };
        Ok(Some((counterexample, sum.paths)))
    }
}

fn solver_error(error: SolverError) -> Error {
    Error::Symbolic(error.into())
}

/// Text of the end of a run, and class and frames of an exception.
pub(super) fn described(
    vm: &Vm,
    outcome: &PathOutcome,
) -> (String, Option<String>, Vec<super::Place>) {
    match outcome {
        PathOutcome::Threw(thrown) => {
            let frames = vm.trace_of(*thrown).into_iter();
            let places = frames.map(|(method, line)| place_at(vm, method, line));
            let class = vm.binary_name(vm.heap.class_of(*thrown));
            (vm.exception_text(*thrown), Some(class), places.collect())
        }
        PathOutcome::Deadlocked(what) => {
            let what = what.strip_prefix("deadlock: ").unwrap_or(what);
            (what.to_owned(), None, Vec::new())
        }
        _ => (String::new(), None, Vec::new()),
    }
}

/// Taker of the first violation behind some that were not confirmed.
struct First {
    skipped: usize,
    counterexample: Option<Counterexample>,
    has_abstracted: bool,
    sum: PathSum,
    solver: Statistics,
}

impl First {
    fn skipping(skipped: usize) -> First {
        First {
            skipped,
            counterexample: None,
            has_abstracted: false,
            sum: PathSum::default(),
            solver: Statistics::default(),
        }
    }
}

impl Taker<JudgedPaths<'_>> for First {
    fn take(&mut self, (found, paths): (Counterexample, u64)) -> Result<ControlFlow<()>, Error> {
        if self.skipped > 0 {
            self.skipped -= 1;
            return Ok(ControlFlow::Continue(()));
        }
        self.sum.paths += paths;
        self.counterexample = Some(found);
        Ok(ControlFlow::Break(()))
    }

    fn finished(&mut self, part: SymbolicPart<PathSum>) {
        self.sum.add(part.sum);
        self.has_abstracted |= part.has_abstracted;
        self.solver.add(&part.solver);
    }
}
