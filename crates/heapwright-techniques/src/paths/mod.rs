//! Guided generation of test cases (paper: *A framework for guided test case generation in
//! constraint logic programming*): the paths of a method that a criterion demands.
//!
//! The method and its callees are translated to rules (`build`, `flow`, `rules`). A trace lists the
//! rules that a path takes. A criterion is a set of traces, parts of which may be free. The machine
//! follows them (`steer`): a fixed block admits only its rule, a free part admits all. An
//! infeasible prefix excludes all traces that begin with it.

mod build;
mod coverage;
mod flow;
mod follow;
mod goals;
mod graph;
mod live;
mod local;
pub mod methods;
mod modes;
mod names;
mod points;
mod print;
mod reach;
mod refine;
mod replay;
mod rules;
mod search;
mod slice;
mod steer;
mod strategy;
mod term;
mod test_names;
mod translate;
mod values;

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::ops::ControlFlow;
use std::rc::Rc;
use std::time::Instant;

use heapwright_jvm::{ClassId, MethodId, Vm};
use serde::{Deserialize, Serialize};

use crate::Error;
use crate::symbolic::{self, CutBy, Target};
use crate::target::find_invariant;
use follow::ExceptionClasses;
use goals::Retention;
use local::TraceTree;
use refine::Refine;
use search::Searcher;
use steer::Wanted;

pub use crate::watch::Watch;
pub use coverage::{CoveragePoint, PointKind};
pub use flow::{BlockExit, BlockGraph, EdgeCondition, To};
pub use graph::flow_graph;
pub use local::Traces;
pub use modes::Modes;
pub use points::Point;
pub use reach::ReachGoal;
pub use refine::Refinement;
pub use replay::RunTrace;
pub use rules::{PredicateId, PredicatePoint, RuleProgram};
pub use search::{PathTally, RetainedPath};
pub use slice::Slice;
pub use steer::Depths;
pub use strategy::{ChosenStrategy, PathStrategy};
pub use term::{Pattern, TraceTerm};
pub use test_names::test_name;

/// Selection of paths.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PathCriterion {
    /// All paths.
    AllPaths,
    /// One path for each trace of the method's own rules (definition 7).
    AllLocalPaths,
    /// One path for each point not reached by an earlier path (definition 8).
    ProgramPoints(Vec<Point>),
    /// One path for each uncovered outgoing edge of a conditional jump or switch of the class.
    AllBranches,
    /// One path for each uncovered block of the class.
    AllStatements,
    /// Paths of a trace; only the first if the flag is set.
    Trace(TraceTerm, bool),
}

/// Parameters of a generation.
#[derive(Clone, Debug)]
pub struct PathsRequest {
    /// Bounds on inputs and runs, the class and its methods.
    pub symbolic: symbolic::SymbolicRequest,
    /// Predicate that receivers must satisfy: a named one, or one of the usual names.
    pub precondition: Option<Option<String>>,
    /// Selection of paths.
    pub criterion: PathCriterion,
    /// Bounds on loops and recursion.
    pub depths: Depths,
    /// Search strategy.
    pub strategy: PathStrategy,
    /// Use of values in the generation of traces.
    pub refinement: Refinement,
    /// Whether the methods' results are independent of each other: goals that an earlier method
    /// reached remain goals, and the first path to every goal is retained.
    pub is_independent: bool,
}

/// Method translated to rules.
pub struct PathSubject {
    /// Method with its possible inputs.
    pub target: Target,
    /// Rules of the method and its callees.
    pub program: Rc<RuleProgram>,
    /// Time of the translation in milliseconds.
    pub translation_ms: f64,
    classes: Rc<ExceptionClasses>,
    first: u32,
}

/// Identification of a goal that is independent of the method under test and of the machine.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct GoalKey {
    /// Method that contains the goal.
    pub method: String,
    /// Bytecode index of the goal's block.
    pub at: u16,
    /// Target of an edge: a bytecode index, or `u16::MAX` for leaving the method.
    pub to: Option<u16>,
}

/// Class, name and descriptor of a method.
fn identity(vm: &Vm, method: MethodId) -> String {
    let method = vm.method(method);
    let (name, descriptor) = (vm.text(method.name), vm.text(method.descriptor));
    format!("{}.{name}{descriptor}", vm.class_name(method.class))
}

/// Methods read, each with its number of blocks.
type ProgramShape = Vec<(String, usize)>;

/// Result for a criterion's goal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum GoalResult {
    /// Reached by the case with this number.
    By(usize),
    /// Unreachable: nothing was cut off at a point from which it could be reached.
    Infeasible,
    /// Not reached; these bounds cut off paths that could lead to it.
    Cut(BTreeSet<CutBy>),
    /// Not reached; the solver could not decide some conditions.
    Unknown,
    /// The search was stopped.
    Stopped,
    /// The goal was not searched for.
    NotAsked,
}

/// Result of the search over a method's paths.
#[derive(Clone, Debug, Default)]
pub struct PathsReport {
    /// Retained cases, in the order of discovery.
    pub cases: Vec<RetainedPath>,
    /// Number of cases before those not needed were removed.
    pub before_filter: usize,
    /// Goals of the criterion, if any, with their results.
    pub goals: Vec<(ReachGoal, GoalResult)>,
    /// Statistics of the searches.
    pub tally: PathTally,
    /// Traces passed to the machine.
    pub traces: Traces,
    /// Whether code without a covering case is unreachable, unless a limit was hit.
    pub is_about_all: bool,
    /// Strategy used, and the reason.
    pub chosen: Option<ChosenStrategy>,
}

/// Translates the methods that a request names, without the first `begun`, unless `stops`. After
/// `suffices`, returns those read so far, at least one; also returns how many were not read.
///
/// # Errors
/// There is no such class, method or precondition, its code cannot be read, or the translation was
/// stopped before any was read.
pub fn subjects(
    vm: &mut Vm,
    request: &PathsRequest,
    begun: usize,
    stops: &dyn Fn() -> bool,
    suffices: &dyn Fn() -> bool,
) -> Result<(Vec<PathSubject>, usize), Error> {
    let mut targets = named(vm, request, stops)?;
    if let Some(name) = &request.precondition {
        let class = crate::target::find_class(vm, &request.symbolic.class)?;
        let predicate = find_invariant(vm, class, name.as_deref()).map_err(|error| match error {
            Error::MethodNotFound { class, name, .. } => Error::Bounds(format!(
                "--precondition: class {class} has no boolean instance method without parameters \
                 called {name}"
            )),
            error => error,
        })?;
        targets.retain(|target| target.method() != predicate);
        for target in &mut targets {
            target.require(predicate);
        }
    }
    let all = targets.len().saturating_sub(begun);
    let mut read = Vec::new();
    for target in targets.into_iter().skip(begun) {
        if suffices() && !read.is_empty() {
            break;
        }
        match PathSubject::read(vm, target, stops) {
            Err(Error::Stopped) if !read.is_empty() => break,
            subject => read.push(subject?),
        }
    }
    let unread = all - read.len();
    Ok((read, unread))
}

/// Returns the classes of the objects that inputs of the requested methods may have.
///
/// # Errors
/// The errors of [`subjects`].
pub fn input_classes(
    vm: &mut Vm,
    request: &PathsRequest,
    stops: &dyn Fn() -> bool,
) -> Result<Vec<ClassId>, Error> {
    let targets = named(vm, request, stops)?;
    let made = targets.iter().flat_map(|target| target.universe().made());
    Ok(made.collect())
}

/// Methods that a request names; a method without code is an error.
fn named(
    vm: &mut Vm,
    request: &PathsRequest,
    stops: &dyn Fn() -> bool,
) -> Result<Vec<Target>, Error> {
    let found = symbolic::targets_until(vm, &request.symbolic, stops);
    let class = crate::target::find_class(vm, &request.symbolic.class)?;
    for name in &request.symbolic.methods {
        let plain = name.split('(').next().unwrap_or(name);
        let own = vm.class(class).methods.iter().copied();
        let named: Vec<MethodId> = own
            .filter(|&method| vm.text(vm.method(method).name) == plain)
            .collect();
        let without = |method: &MethodId| {
            let this = vm.method(*method);
            this.is_native() || this.is_abstract()
        };
        if let Some(&first) = named.first().filter(|_| named.iter().all(without)) {
            let what = match vm.method(first).is_native() {
                true => "native",
                false => "abstract: name a class that implements it",
            };
            return Err(Error::BadClass {
                class: request.symbolic.class.clone(),
                reason: format!("{} has no bytecode, it is {what}", vm.method_text(first)),
            });
        }
    }
    found
}

impl PathSubject {
    fn read(vm: &mut Vm, target: Target, stops: &dyn Fn() -> bool) -> Result<PathSubject, Error> {
        let start = Instant::now();
        let method = target.method();
        let class = vm.method(method).class;
        let program = build::program(vm, class, method, target.universe(), stops)?;
        let classes = ExceptionClasses::new(vm, &program.flows);
        let translation_ms = start.elapsed().as_secs_f64() * 1e3;
        Ok(PathSubject {
            target,
            program: Rc::new(program),
            translation_ms,
            classes: Rc::new(classes),
            first: 0,
        })
    }

    /// Method under test.
    #[must_use]
    pub fn method(&self) -> MethodId {
        self.target.method()
    }

    /// Inserts probes into the blocks of all its methods.
    fn probe(&mut self, vm: &mut Vm) {
        let flows = self.program.flows.iter();
        let firsts: Vec<u32> = flows
            .map(|flow| vm.probe(flow.method, &flow.places()))
            .collect();
        self.first = firsts.first().copied().unwrap_or_default();
    }

    /// Reconstructs a run from the probes that it recorded, on any machine that has run the method
    /// after [`PathSubject::explore`]. `thrown` is the class of the exception that ended it, if
    /// any.
    #[must_use]
    pub fn replay(&self, vm: &Vm, thrown: Option<ClassId>) -> RunTrace {
        replay::replay(
            &self.program,
            &self.classes,
            self.first,
            vm.visits(),
            thrown,
        )
    }

    /// Returns the goals of a criterion.
    ///
    /// # Errors
    /// A point does not belong to the method; the text lists alternatives.
    pub fn goals(&self, vm: &mut Vm, request: &PathsRequest) -> Result<Vec<ReachGoal>, Error> {
        let class = &request.symbolic.class;
        let own: Vec<bool> = self
            .program
            .flows
            .iter()
            .map(|flow| vm.binary_name(vm.method(flow.method).class) == *class)
            .collect();
        let is_own = |method: usize| own[method];
        match &request.criterion {
            PathCriterion::ProgramPoints(points) => {
                let mut goals = Vec::new();
                for point in points {
                    let found = point
                        .goals(vm, &self.program, class)
                        .map_err(Error::Bounds)?;
                    goals.extend(found);
                }
                Ok(goals)
            }
            PathCriterion::AllBranches => Ok(coverage::branches(&self.program, &is_own)),
            PathCriterion::AllStatements => Ok(coverage::statements(&self.program, &is_own)),
            PathCriterion::AllPaths | PathCriterion::AllLocalPaths | PathCriterion::Trace(..) => {
                Ok(Vec::new())
            }
        }
    }

    /// Identifies a goal independently of the method under test and of the machine.
    #[must_use]
    pub fn key(&self, vm: &Vm, goal: ReachGoal) -> GoalKey {
        let (method, block) = goal.place();
        let flow = &self.program.flows[method];
        let at = |block: usize| {
            let first = flow.blocks[block].instructions.start;
            flow.listing.instructions[first].at
        };
        let to = match goal {
            ReachGoal::Block(..) => None,
            ReachGoal::Exit(_, _, exit) => Some(match flow.blocks[block].exits[exit].to {
                To::Block(to) => at(to),
                To::Return | To::Throw => u16::MAX,
            }),
        };
        GoalKey {
            method: identity(vm, flow.method),
            at: at(block),
            to,
        }
    }

    /// Shape as read: each method with its number of blocks.
    fn shape(&self, vm: &Vm) -> ProgramShape {
        let flows = self.program.flows.iter();
        let shape = flows.map(|flow| (identity(vm, flow.method), flow.blocks.len()));
        shape.collect()
    }

    /// Returns the blocks and branches of methods, and the goals of the criterion, with the results
    /// of a report.
    #[must_use]
    pub fn points(&self, report: &PathsReport, methods: &BTreeSet<usize>) -> Vec<CoveragePoint> {
        let program = &self.program;
        let is_measured = |method: usize| methods.contains(&method);
        let goals = report.goals.iter();
        let mut kinds: BTreeMap<ReachGoal, PointKind> =
            goals.map(|one| (one.0, PointKind::Unmeasured)).collect();
        for goal in coverage::statements(program, &is_measured) {
            let (method, block) = goal.place();
            let count = program.flows[method].blocks[block].instructions.len();
            kinds.insert(goal, PointKind::Instructions(count as u64));
        }
        let branches = coverage::branches(program, &is_measured).into_iter();
        kinds.extend(branches.map(|goal| (goal, PointKind::Branch)));
        let points = kinds.into_iter().map(|(goal, kind)| CoveragePoint {
            goal,
            kind,
            reached: self.reached(report, goal),
        });
        points.collect()
    }

    /// Result of a place.
    fn reached(&self, report: &PathsReport, goal: ReachGoal) -> GoalResult {
        let is_asked = report.is_about_all && report.goals.is_empty();
        let known = report.goals.iter().find(|one| one.0 == goal);
        let case = || report.cases.iter().position(|case| case.reaches(goal));
        match known {
            Some((_, reached)) => reached.clone(),
            None => match case() {
                Some(case) => GoalResult::By(case),
                None if is_asked => goals::missed(&self.program, &report.tally, goal),
                None => GoalResult::NotAsked,
            },
        }
    }

    /// Slice of the trace abstraction for a criterion.
    #[must_use]
    pub fn slice(&self, criterion: &PathCriterion, goals: &[ReachGoal]) -> Slice {
        let program = &self.program;
        match criterion {
            PathCriterion::AllPaths | PathCriterion::Trace(..) => Slice::whole(program),
            PathCriterion::AllLocalPaths => Slice::local(program, 0),
            _ => Slice::towards_goals(program, goals),
        }
    }

    /// Traces of the slice for local paths, or of the whole abstraction.
    fn traces(&self, request: &PathsRequest, refinement: Refinement) -> TraceTree {
        let program = &self.program;
        let is_kept = match request.criterion {
            PathCriterion::AllLocalPaths => TraceTree::own(program),
            _ => vec![true; program.flows.len()],
        };
        let is_unbounded = request.symbolic.bounds.unbounded;
        let refine = Refine::new(program, refinement, is_unbounded);
        TraceTree::new(Rc::clone(program), is_kept, request.depths.loops, refine)
    }

    /// Counts the traces of the slice for local paths, or of the whole abstraction, up to `most`;
    /// returns whether there are more.
    #[must_use]
    pub fn count_traces(
        &self,
        request: &PathsRequest,
        refinement: Refinement,
        most: u64,
    ) -> (u64, bool) {
        self.traces(request, refinement).count(most)
    }

    /// Searches for the wanted paths; for goals, those that reach `goals`.
    ///
    /// # Errors
    /// The method cannot be called, the solver cannot be used, or the trace does not belong to the
    /// method.
    pub fn explore(
        &mut self,
        vm: &mut Vm,
        request: &PathsRequest,
        goals: &[ReachGoal],
        watch: Watch<'_>,
    ) -> Result<PathsReport, Error> {
        self.probe(vm);
        let chosen = self.choose(request);
        let program = (&self.program, &self.classes);
        let (depths, first) = (request.depths, self.first);
        let (target, symbolic) = (&self.target, &request.symbolic);
        let searcher = Searcher::new(target, symbolic, program, depths, first, watch);
        let stopper = searcher.stopper.clone();
        // Identity hash codes that only decide places in hash tables prove nothing wrong.
        vm.track_hash_order(true);
        let looked = watch.over(&stopper, || {
            self.look(vm, &searcher, request, goals, &chosen)
        });
        vm.track_hash_order(false);
        let mut report = looked?;
        report.chosen = Some(chosen);
        let whole = [PathCriterion::AllPaths, PathCriterion::AllLocalPaths];
        report.is_about_all = whole.contains(&request.criterion);
        if report.goals.is_empty() {
            // Cases are ordered by trace, independently of the search order.
            report
                .cases
                .sort_by(|one, other| one.run.trace.cmp(&other.run.trace));
        }
        Ok(report)
    }

    fn look(
        &self,
        vm: &mut Vm,
        searcher: &Searcher<'_>,
        request: &PathsRequest,
        goals: &[ReachGoal],
        chosen: &ChosenStrategy,
    ) -> Result<PathsReport, Error> {
        let is_guided = chosen.is_guided;
        match &request.criterion {
            PathCriterion::AllPaths => all(vm, searcher, &mut |_| true),
            PathCriterion::AllLocalPaths if is_guided => {
                let local = self.traces(request, request.refinement);
                self.local(vm, searcher, local, chosen.is_one_by_one)
            }
            PathCriterion::AllLocalPaths => {
                let mut seen = HashSet::new();
                let program = &self.program;
                all(vm, searcher, &mut |case| {
                    let own = case.run.trace.part(program, &|method| method == 0);
                    seen.insert(own.to_string())
                })
            }
            PathCriterion::Trace(term, is_first) => {
                let start = self.program.starts[0];
                let pattern = term.resolve(&self.program, start);
                let pattern =
                    pattern.map_err(|wrong| Error::Bounds(format!("--trace: {wrong}")))?;
                trace(vm, searcher, pattern, *is_first)
            }
            _ => {
                let retention = match request.is_independent {
                    true => Retention::Firsts,
                    false => Retention::Needed,
                };
                match is_guided {
                    true => {
                        let is_one_by_one = chosen.is_one_by_one;
                        goals::towards(vm, searcher, goals, is_one_by_one, retention)
                    }
                    false => goals::towards_unguided(vm, searcher, goals, retention),
                }
            }
        }
    }

    /// Searches for the traces of the method's own rules: each separately while little work is
    /// wasted, then the rest together.
    fn local(
        &self,
        vm: &mut Vm,
        searcher: &Searcher<'_>,
        local: TraceTree,
        is_one_by_one: bool,
    ) -> Result<PathsReport, Error> {
        let local = Rc::new(RefCell::new(local));
        let wanted = || Wanted::Local(Rc::clone(&local));
        let mut report = PathsReport::default();
        let mut left = WASTE;
        let program = &self.program;
        let mut seen: HashSet<String> = HashSet::new();
        let mut keep = |cases: &mut Vec<RetainedPath>, case: RetainedPath| {
            let kept = |method| local.borrow().is_kept(method);
            let is_new = seen.insert(case.run.trace.part(program, &kept).to_string());
            if is_new {
                cases.push(case);
            }
            is_new
        };
        while is_one_by_one && left > 0 && !report.tally.is_stopped {
            if local.borrow_mut().begin_single_search().is_none() {
                break;
            }
            let before = report.cases.len();
            let cases = &mut report.cases;
            let tally =
                searcher.search(vm, wanted(), left, &mut |case| match keep(cases, case) {
                    true => ControlFlow::Break(()),
                    false => ControlFlow::Continue(()),
                })?;
            report.tally.add(&tally);
            if report.cases.len() == before {
                let ended = tally.pruned.by_bounds + tally.pruned.by_criterion;
                left = left.saturating_sub((tally.explored + ended).max(1));
            }
            local.borrow_mut().end_aim(tally.is_whole);
        }
        local.borrow_mut().end_aim(false);
        if !report.tally.is_stopped && !local.borrow_mut().is_done(TraceTree::ROOT) {
            let cases = &mut report.cases;
            let tally = searcher.search(vm, wanted(), u64::MAX, &mut |case| {
                keep(cases, case);
                match local.borrow_mut().is_done(TraceTree::ROOT) {
                    true => ControlFlow::Break(()),
                    false => ControlFlow::Continue(()),
                }
            })?;
            report.tally.add(&tally);
        }
        report.before_filter = report.cases.len();
        report.traces = local.borrow_mut().traces();
        Ok(report)
    }
}

/// Most paths explored without success, in total, in separate searches for traces.
const WASTE: u64 = 16;

/// Explores all paths and retains some.
fn all(
    vm: &mut Vm,
    searcher: &Searcher<'_>,
    is_kept: &mut dyn FnMut(&RetainedPath) -> bool,
) -> Result<PathsReport, Error> {
    let mut report = PathsReport::default();
    let tally = searcher.search(vm, Wanted::All, u64::MAX, &mut |case| {
        report.before_filter += 1;
        if is_kept(&case) {
            report.cases.push(case);
        }
        ControlFlow::Continue(())
    })?;
    report.tally = tally;
    Ok(report)
}

fn trace(
    vm: &mut Vm,
    searcher: &Searcher<'_>,
    pattern: Pattern,
    is_first: bool,
) -> Result<PathsReport, Error> {
    let mut report = PathsReport::default();
    let wanted = Wanted::Trace(Rc::new(pattern));
    let tally = searcher.search(vm, wanted, u64::MAX, &mut |case| {
        report.cases.push(case);
        match is_first {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    })?;
    report.before_filter = report.cases.len();
    report.tally = tally;
    Ok(report)
}

impl RetainedPath {
    /// Whether the case reaches a goal.
    #[must_use]
    pub fn reaches(&self, goal: ReachGoal) -> bool {
        match goal {
            ReachGoal::Block(method, block) => self.run.blocks.contains(&(method, block)),
            ReachGoal::Exit(method, block, exit) => self.run.exits.contains(&(method, block, exit)),
        }
    }
}
