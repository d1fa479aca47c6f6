//! Runs methods on open receivers and arguments, within the known classes.
//!
//! Invariant: the caller sees every path, and is notified where a path represents others that are
//! not run.

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::rc::Rc;

use heapwright_code::CodeLocation;
use heapwright_explore::symbolic::{
    Alternative, Facts, InputBounds, Limits, PathEnd, PathOutcome, SolverError, Steering, Stopper,
    SymbolicError, SymbolicSearch, Universe,
};
use heapwright_explore::{End, Tree};
use heapwright_jvm::class::Loader;
use heapwright_jvm::descriptor::Kind;
use heapwright_jvm::probes::ProbeVisit;
use heapwright_jvm::{Chance, ClassId, MethodId, ReadPosition, Vm};
use rustc_hash::FxHashMap;

use super::subject_code::SubjectCode;
use crate::Error;
use crate::packages::is_extensible;
use crate::sequences::analysis::receivers::{has_changing_constants, is_open_interface};
use crate::sequences::goals::{Goal, GoalTable};
use crate::sequences::model::SequencesRequest;
use crate::symbolic::{ClassUniverse, target_of};
use crate::watch::Watch;

/// Maximum number of iterations of a loop, and of levels of a recursion, on a path.
const LOOPS: u32 = 1;
/// Maximum number of paths of one method.
const MAX_PATHS: u64 = 500;
/// Maximum number of instructions of one path.
const MAX_STEPS: u64 = 100_000;
/// Maximum number of objects of a class on a path; larger than paths need.
const MAX_OBJECTS: u32 = 1_000;
/// Maximum solver work for one query.
const MAX_QUERY: u64 = 200_000;
/// Maximum solver work for all proofs, two or three seconds.
const MAX_WORK: u64 = 2_500_000;
/// Number of instructions that count as one unit of solver work.
const STEPS: u64 = 16;

/// Runner of methods on open objects.
pub(super) struct Runner<'a> {
    request: &'a SequencesRequest,
    pub goals: &'a GoalTable,
    pub code: &'a SubjectCode,
    /// The locations of probes.
    pub points: Rc<FxHashMap<u32, CodeLocation>>,
    pub sought: Rc<Sought>,
    pub watch: Watch<'a>,
    /// Remaining work of the solver and the engine.
    work_left: Cell<u64>,
}

/// Visitor of the paths of an open run; returns whether it wants more.
pub(super) type PathVisitor<'f> =
    dyn FnMut(&mut Vm, &PathEnd, &mut SymbolicSearch<'_>) -> Result<bool, Error> + 'f;

impl<'a> Runner<'a> {
    /// Prepares to run code whose calls have probes.
    pub fn new(
        vm: &Vm,
        code: &'a SubjectCode,
        request: &'a SequencesRequest,
        goals: &'a GoalTable,
        watch: Watch<'a>,
    ) -> Runner<'a> {
        Runner {
            request,
            goals,
            code,
            points: code.points(vm, goals).into(),
            sought: Sought::new(goals).into(),
            watch,
            work_left: MAX_WORK.into(),
        }
    }

    /// Follows the paths of a method on an open object of a class, or on a new one. The facts hold
    /// for the inputs; runs are repeated with assertions disabled. `cuts` is called where a path
    /// reads an input of which not all values are tried. Returns whether all paths were run.
    pub fn run(
        &self,
        vm: &mut Vm,
        call: (ClassId, MethodId),
        facts: &Rc<Facts>,
        follower: Option<&Follower>,
        cuts: &dyn Fn(&Vm),
        look: &mut PathVisitor<'_>,
    ) -> Result<bool, Error> {
        let reads = |vm: &Vm| (vm.nondeterministic_reads(), vm.open_static_reads());
        let before = reads(vm);
        let mut is_whole = self.run_once(vm, call, facts, follower, cuts, look)?;
        let switches = self.code.switches.iter();
        let is_on: Vec<(u32, u64)> = switches.map(|&word| (word, vm.heap.load(word))).collect();
        if is_whole && !is_on.is_empty() {
            for &(word, _) in &is_on {
                vm.heap.store(word, 1);
            }
            let off = self.run_once(vm, call, facts, follower, cuts, look);
            for (word, value) in is_on {
                vm.heap.store(word, value);
            }
            is_whole = off?;
        }
        // Results that depend on the world, or on what other calls have left, vary.
        Ok(is_whole && reads(vm) == before)
    }

    fn run_once(
        &self,
        vm: &mut Vm,
        (class, method): (ClassId, MethodId),
        facts: &Rc<Facts>,
        follower: Option<&Follower>,
        cuts: &dyn Fn(&Vm),
        look: &mut PathVisitor<'_>,
    ) -> Result<bool, Error> {
        let Ok(target) = target_of(vm, class, method) else {
            return Ok(false);
        };
        if self.work_left.get() == 0 {
            return Ok(false);
        }
        let universe = KnownObjects {
            classes: target.universe(),
            has_identity: self.code.compares(method),
            cuts,
        };
        let bounds = InputBounds {
            objects: MAX_OBJECTS,
            length: self.request.values.length,
            loops: LOOPS,
            ..self.request.values
        };
        let limits = Limits {
            work: self.request.limits.work.min(MAX_QUERY),
        };
        let mut search = target.search_in(&universe, bounds, limits, MAX_STEPS);
        search.leave_models_out();
        search.note_unknown_classes();
        vm.forget_chances();
        search.assume_facts_initially(Rc::clone(facts));
        let stopper = Stopper::default();
        search.stop_by(stopper.clone());
        if let Some(follower) = follower {
            search.steer(follower.clone());
        }
        let (begun, left) = (vm.steps(), self.work_left.get());
        let (stops, mut paths, mut failure) = (self.watch.stops, 0, None);
        // A path may be long.
        let mut ask =
            |search: &mut SymbolicSearch<'_>| match stops() || search.statistics().work > left {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            };
        let work = |vm: &Vm, search: &SymbolicSearch<'_>| {
            search.statistics().work + (vm.steps() - begun) / STEPS
        };
        let mut visit = |vm: &mut Vm, end: &PathEnd, search: &mut SymbolicSearch<'_>| {
            paths += 1;
            let wants_more = look(vm, end, search).unwrap_or_else(|error| {
                failure = Some(error);
                false
            });
            match paths < MAX_PATHS && wants_more && work(vm, search) < left {
                true => ControlFlow::Continue(()),
                false => ControlFlow::Break(()),
            }
        };
        let end = self
            .watch
            .over(&stopper, || search.run(vm, &mut ask, &mut visit));
        let left = left.saturating_sub(work(vm, &search));
        self.work_left.set(left);
        match failure {
            // A run that fails, or is stopped in a query of `look`, proves nothing.
            Some(Error::Symbolic(SymbolicError::Solver(SolverError::Stopped))) => Ok(false),
            Some(error) => Err(error),
            None => Ok(matches!(end, Ok(End::Complete))),
        }
    }

    /// Whether the frames of the current path could still reach a site.
    pub fn can_reach(&self, vm: &Vm, site: CodeLocation) -> bool {
        let visits = vm.visits();
        self.code.is_still_reachable(vm, &self.points, visits, site)
    }

    /// Whether they could still call unknown code, which may call any method.
    pub fn may_leave(&self, vm: &Vm) -> bool {
        self.code.may_call_unknown(vm, &self.points, vm.visits())
    }

    /// Returns the location of a goal.
    pub fn site(&self, goal: usize) -> CodeLocation {
        let goal = &self.goals.all[goal];
        (goal.method(), goal.at())
    }
}

/// Whether a path was cut before its end.
pub(in crate::sequences) fn is_cut(outcome: &PathOutcome) -> bool {
    !matches!(outcome, PathOutcome::Returned(_) | PathOutcome::Threw(_))
}

/// Goals by location.
pub(super) struct Sought {
    /// By the jump and its target.
    branches: FxHashMap<(CodeLocation, u16), usize>,
    lines: FxHashMap<CodeLocation, usize>,
    /// The location of each goal.
    sites: Vec<CodeLocation>,
}

impl Sought {
    fn new(goals: &GoalTable) -> Sought {
        let mut sought = Sought {
            branches: FxHashMap::default(),
            lines: FxHashMap::default(),
            sites: Vec::new(),
        };
        for (number, &goal) in goals.all.iter().enumerate() {
            let site = (goal.method(), goal.at());
            match goal {
                Goal::Branch(_, _, to, _) => drop(sought.branches.insert((site, to), number)),
                Goal::Line(..) => drop(sought.lines.insert(site, number)),
                _ => {}
            }
            sought.sites.push(site);
        }
        sought
    }

    /// Returns the goals that a path reaches with the last of its visits.
    pub fn come_by(&self, points: &FxHashMap<u32, CodeLocation>, log: &[ProbeVisit]) -> Vec<usize> {
        let mut reached = Vec::new();
        let [.., visit] = log else {
            return reached;
        };
        let Some(&(method, at)) = points.get(&visit.point) else {
            return reached;
        };
        reached.extend(self.lines.get(&(method, at)));
        if let [.., before, _] = log
            && before.depth == visit.depth
            && let Some(&jump) = points.get(&before.point)
            && jump.0 == method
        {
            reached.extend(self.branches.get(&(jump, at)));
        }
        reached
    }
}

/// The known objects of inputs.
struct KnownObjects<'a> {
    classes: &'a ClassUniverse,
    /// Whether the identity of equal boxes may matter.
    has_identity: bool,
    /// Called for types with objects that are not tried.
    cuts: &'a dyn Fn(&Vm),
}

impl Universe for KnownObjects<'_> {
    fn alternatives(&self, vm: &mut Vm, bound: ClassId) -> Vec<Alternative> {
        // Only short arrays and strings are tried, and enum constants only in their initial state.
        let alternatives = self.classes.alternatives(vm, bound);
        let name = vm.class_name(bound);
        let is_box = Kind::of_box(name).is_some() && !self.has_identity;
        let is_own = vm.class(bound).loader == Loader::App && !name.starts_with('[');
        let is_extended = vm.class(bound).is_abstract() && is_extensible(vm, bound);
        let is_whole = is_box
            || is_own
                && !alternatives.is_empty()
                && !is_open_interface(vm, bound)
                && !is_extended
                && !has_changing_constants(vm, bound, &mut Vec::new());
        if !is_whole {
            (self.cuts)(vm);
        }
        alternatives
    }

    fn is_extensible(&self, vm: &Vm, bound: ClassId) -> bool {
        is_extensible(vm, bound)
    }
}

/// Follows a path, removes the goals that it reaches, and abandons it when no goal is reachable.
#[derive(Clone)]
pub(super) struct Follower {
    log: Vec<ProbeVisit>,
    /// The goals that no path has reached.
    left: Rc<RefCell<BTreeSet<usize>>>,
    points: Rc<FxHashMap<u32, CodeLocation>>,
    code: SubjectCode,
    sought: Rc<Sought>,
}

impl Follower {
    /// Creates a follower that removes reached goals from `left`.
    pub fn new(runner: &Runner<'_>, left: Rc<RefCell<BTreeSet<usize>>>) -> Follower {
        Follower {
            log: Vec::new(),
            left,
            points: Rc::clone(&runner.points),
            code: runner.code.clone(),
            sought: Rc::clone(&runner.sought),
        }
    }

    /// Removes the goals that may follow what an unknown class does at the last of these visits.
    fn retain(&self, visits: &[ProbeVisit]) {
        self.left.borrow_mut().retain(|&goal| {
            let site = self.sought.sites[goal];
            !self.code.may_follow(&self.points, visits, site)
        });
    }
}

/// Returns the number of visits before a path first meets what unknown subclasses do. The program's own
/// code may be known to do so without a run, library code is not.
pub(super) fn open_reads(reads: &[ReadPosition]) -> impl Iterator<Item = usize> {
    let open = reads.iter();
    let open = open.filter(|read| read.chance == Some(Chance::Subclasses));
    open.map(|read| read.visits)
}

impl Steering for Follower {
    fn begin(&mut self) {
        self.log.clear();
    }

    fn visit(&mut self, visit: ProbeVisit) -> bool {
        self.log.push(visit);
        if !self.points.contains_key(&visit.point) {
            return true;
        }
        for goal in self.sought.come_by(&self.points, &self.log) {
            self.left.borrow_mut().remove(&goal);
        }
        let is_open = |visit: &ProbeVisit| {
            let site = self.points.get(&visit.point);
            site.is_some_and(|site| self.code.open_sites.contains(site))
        };
        if is_open(&visit) {
            self.retain(&self.log);
        }
        let left = self.left.borrow();
        let wanted: Vec<CodeLocation> = left.iter().map(|&goal| self.sought.sites[goal]).collect();
        let mut below = visit.depth + 1;
        for other in self.log.iter().rev() {
            if other.depth < below {
                let is_top = below == visit.depth + 1;
                below = other.depth;
                let site = self.points.get(&other.point);
                if site.is_none_or(|&site| self.code.graph.reaches(site, is_top, &wanted)) {
                    return true;
                }
                if below == 1 {
                    return false;
                }
            }
        }
        // Frames without probes may reach anything.
        true
    }

    fn note_reads(&mut self, reads: &[ReadPosition]) {
        for end in open_reads(reads) {
            self.retain(&self.log[..end.min(self.log.len())]);
        }
    }

    fn is_over(&self) -> bool {
        self.left.borrow().is_empty()
    }

    fn mark(&self) -> usize {
        self.log.len()
    }

    fn undo_to(&mut self, mark: usize) {
        self.log.truncate(mark);
    }
}
