//! Proofs that no sequence reaches a goal.
//!
//! A method is run on objects and arguments all of which are open: whatever state sequences lead to is
//! among them. If no path comes by a goal, and none was left before it could have, no sequence does. A
//! private method is also seen through those that call it, which give it less than everything. What is left
//! then is looked for on objects as all calls leave them (`kept`).
//!
//! Invariant: what is said to be infeasible is. A path that is not followed counts for every goal that
//! its frames could still come by, as the code says; so does one that looks at an input of which not all
//! values are known. Code with static state proves nothing.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::rc::Rc;

use heapwright_explore::End;
use heapwright_explore::symbolic::{
    Alternative, Bounds, Facts, Limits, Outcome, PathEnd, Steering, Stopper, SymbolicSearch,
    Universe,
};
use heapwright_jvm::class::{Loader, flags};
use heapwright_jvm::descriptor::{self, Kind};
use heapwright_jvm::probes::Visit;
use heapwright_jvm::{ClassId, MethodId, Side, Vm};
use rustc_hash::FxHashMap;

use super::goals::{Goal, Goals};
use super::kept;
use super::reach::{Code, Site};
use super::{Request, Watch};
use crate::Error;
use crate::derive::constants_of_initialized;
use crate::symbolic::{Classes, target_of};

/// How often a loop goes round before a path is left.
const LOOPS: u32 = 1;
/// Most paths of one method.
const MAX_PATHS: u64 = 500;
/// Most instructions of one path.
const MAX_STEPS: u64 = 100_000;
/// Most objects of a class on a path: more than paths come to.
const MAX_OBJECTS: u32 = 1_000;
/// Most work of the solver for one question.
const MAX_QUERY: u64 = 200_000;
/// Most work of the solver for all proofs: two or three seconds.
const MAX_WORK: u64 = 2_500_000;
/// So many instructions count as one unit of its work.
const STEPS: u64 = 16;
/// How many callers up a private method is seen through.
const MAX_CALLERS: u32 = 2;

/// Why each of some goals is infeasible; those of which nothing is proved are left out.
///
/// # Errors
/// Code cannot be read, or the solver cannot be used.
pub fn prove(
    vm: &mut Vm,
    code: &Code,
    request: &Request,
    goals: &mut Goals,
    open: &[usize],
    watch: Watch<'_>,
) -> Result<BTreeMap<usize, String>, Error> {
    let wanted = open
        .iter()
        .filter(|&&goal| matches!(goals.all[goal], Goal::Branch(..) | Goal::Line(..)));
    let mut wanted: Vec<usize> = wanted.copied().collect();
    let mut proved = BTreeMap::new();
    wanted.retain(|&goal| code.is_whole(goals.all[goal]));
    if wanted.is_empty() {
        return Ok(proved);
    }
    goals.probe_calls(vm);
    let points = code.points(vm, goals);
    let mut prover = Prover {
        runner: Runner {
            request,
            goals,
            code,
            points: points.into(),
            sought: Sought::new(goals).into(),
            watch,
            work_left: MAX_WORK.into(),
        },
        vm,
        wanted: wanted.clone(),
        known: BTreeMap::new(),
    };
    for &goal in &wanted {
        if (watch.stops)() {
            return Ok(proved);
        }
        let method = prover.runner.goals.all[goal].method();
        if let Some(by) = prover.is_infeasible(method, goal, MAX_CALLERS)? {
            proved.insert(goal, by);
        }
    }
    let left = wanted.into_iter();
    let left = left.filter(|goal| !proved.contains_key(goal)).collect();
    proved.extend(kept::prove(prover.vm, &prover.runner, left)?);
    Ok(proved)
}

/// Runs methods on open objects.
pub(super) struct Runner<'a> {
    request: &'a Request,
    pub goals: &'a Goals,
    pub code: &'a Code,
    /// Where probes stand.
    pub points: Rc<FxHashMap<u32, Site>>,
    pub sought: Rc<Sought>,
    pub watch: Watch<'a>,
    /// How much the solver and the engine may still work.
    work_left: Cell<u64>,
}

/// What is done with a path of an open run; it says whether more are wanted.
pub(super) type Look<'f> =
    dyn FnMut(&mut Vm, &PathEnd, &mut SymbolicSearch<'_>) -> Result<bool, Error> + 'f;

impl Runner<'_> {
    /// Follows the paths of a method on an open object of a class, or a new one, of whose inputs facts
    /// hold, with assertions on and off. `cuts` is told where a path looks at an input of which not all values are
    /// tried. Whether all paths were run.
    pub fn run(
        &self,
        vm: &mut Vm,
        call: (ClassId, MethodId),
        facts: &Rc<Facts>,
        follower: Option<&Follower>,
        cuts: &dyn Fn(&Vm),
        look: &mut Look<'_>,
    ) -> Result<bool, Error> {
        let before = vm.chances();
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
        // What the time or an identity hash code decides is another path on another machine.
        Ok(is_whole && vm.chances() == before)
    }

    fn run_once(
        &self,
        vm: &mut Vm,
        (class, method): (ClassId, MethodId),
        facts: &Rc<Facts>,
        follower: Option<&Follower>,
        cuts: &dyn Fn(&Vm),
        look: &mut Look<'_>,
    ) -> Result<bool, Error> {
        let Ok(target) = target_of(vm, class, method) else {
            return Ok(false);
        };
        if self.work_left.get() == 0 {
            return Ok(false);
        }
        let universe = Known {
            classes: target.universe(),
            has_identity: self.code.compares(method),
            cuts,
        };
        let bounds = Bounds {
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
        search.know(Rc::clone(facts));
        let stopper = Stopper::default();
        search.stop_by(stopper.clone());
        if let Some(follower) = follower {
            search.steer(Box::new(follower.clone()));
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
            Some(error) => Err(error),
            // What cannot be run proves nothing.
            None => Ok(matches!(end, Ok(End::Complete))),
        }
    }

    /// Whether the frames of the path that runs could still come by a site.
    pub fn can_reach(&self, vm: &Vm, site: Site) -> bool {
        let visits = vm.visits();
        self.code.is_still_reachable(vm, &self.points, visits, site)
    }

    /// Whether they could still call what is not known, and that any method.
    pub fn may_leave(&self, vm: &Vm) -> bool {
        self.code.may_leave(vm, &self.points, vm.visits())
    }

    /// Where a goal is.
    pub fn site(&self, goal: usize) -> Site {
        let goal = &self.goals.all[goal];
        (goal.method(), goal.at())
    }
}

/// Whether a path did not come to its end.
pub(super) fn is_cut(outcome: &Outcome) -> bool {
    !matches!(outcome, Outcome::Returned(_) | Outcome::Threw(_))
}

/// The classes of objects that a class's methods are called on: it and its subclasses; none if not all are
/// known, or there is none.
pub(super) fn receivers(vm: &mut Vm, class: ClassId) -> Result<Vec<ClassId>, Error> {
    if is_open_interface(vm, class) {
        return Ok(Vec::new());
    }
    let descriptor = descriptor::of_class(vm.class_name(class));
    let classes = Classes::reachable(vm, class, None, &[descriptor])?;
    let alternatives = classes.alternatives(vm, class).into_iter();
    let made = alternatives.map(|alternative| match alternative {
        Alternative::New(class) => class,
        Alternative::Known(object) => vm.heap.class_of(object),
    });
    let mut made: Vec<ClassId> = made.collect();
    made.dedup();
    Ok(made)
}

/// Whether no other class names a method: a private one, and one that older compilers make for those around
/// it.
pub(super) fn is_inner(vm: &Vm, method: MethodId) -> bool {
    let this = vm.method(method);
    let is_access = this.is_static()
        && this.flags & flags::SYNTHETIC != 0
        && vm.text(this.name).starts_with("access$");
    this.flags & flags::PRIVATE != 0 || is_access
}

/// Whether anybody's lambda may be of a class: an interface that does not say which classes are of it.
fn is_open_interface(vm: &Vm, class: ClassId) -> bool {
    let class = vm.class(class);
    let is_sealed = class
        .file
        .as_ref()
        .is_some_and(|file| file.info.permitted.is_some());
    class.is_interface() && !is_sealed
}

/// Whether what a type's values are never changes: primitives, strings, boxes, and constants of enums all of
/// whose fields are such and final.
pub(super) fn is_constant(vm: &mut Vm, descriptor: &str) -> bool {
    let name = descriptor::class_name(descriptor);
    if Kind::of(descriptor) != Kind::Reference
        || name == "java/lang/String"
        || Kind::of_box(name).is_some()
    {
        return true;
    }
    let class = vm.load_class(name);
    class.is_ok_and(|class| {
        vm.class(class).flags & flags::ENUM != 0
            && vm.initialize_now(class).is_ok()
            && !has_changing_constants(vm, class, &mut vec![])
    })
}

/// Whether a class is an enum whose constants may have changed since they were made; not so of those
/// that are `seen`.
fn has_changing_constants(vm: &mut Vm, class: ClassId, seen: &mut Vec<ClassId>) -> bool {
    if vm.class(class).flags & flags::ENUM == 0 || seen.contains(&class) {
        return false;
    }
    seen.push(class);
    // A constant may have a body, with fields of its own.
    let constants = constants_of_initialized(vm, class).unwrap_or_default();
    if constants.iter().any(|(_, constant)| constant.is_null()) {
        return true;
    }
    let bodies = constants
        .iter()
        .map(|&(_, constant)| vm.heap.class_of(constant));
    let mut classes: Vec<ClassId> = vm
        .class(class)
        .display
        .clone()
        .into_iter()
        .chain(bodies)
        .collect();
    classes.sort_unstable_by_key(|class| class.0);
    classes.dedup();
    let own = classes.iter().filter(|&&class| vm.is_app_class(class));
    let fields = own.flat_map(|&class| &vm.class(class).fields);
    let fields = fields.filter(|field| !field.is_static());
    let fields = fields.map(|field| (field.flags, vm.text(field.descriptor).to_owned()));
    let fields: Vec<(u16, String)> = fields.collect();
    fields.into_iter().any(|(field, descriptor)| {
        let held = match Kind::of(&descriptor) {
            Kind::Reference => vm.load_class(descriptor::class_name(&descriptor)).ok(),
            _ => None,
        };
        let is_enum = held.is_some_and(|held| vm.class(held).flags & flags::ENUM != 0);
        field & flags::FINAL == 0
            || match held.filter(|_| is_enum) {
                Some(held) => has_changing_constants(vm, held, seen),
                None => !is_constant(vm, &descriptor),
            }
    })
}

struct Prover<'a> {
    runner: Runner<'a>,
    vm: &'a mut Vm,
    /// The goals that are sought.
    wanted: Vec<usize>,
    /// Of the goals in a method those that no path from another one comes by.
    known: BTreeMap<(MethodId, MethodId), BTreeSet<usize>>,
}

impl Prover<'_> {
    /// Why no call of a method comes by a goal, if that is proved.
    fn is_infeasible(
        &mut self,
        method: MethodId,
        goal: usize,
        callers: u32,
    ) -> Result<Option<String>, Error> {
        let pair = (method, self.runner.goals.all[goal].method());
        if !self.known.contains_key(&pair) {
            let missed = self.missed(method, pair.1)?;
            self.known.insert(pair, missed);
        }
        let name = self.vm.text(self.vm.method(method).name).to_owned();
        if self.known[&pair].contains(&goal) {
            return Ok(Some(format!("no call of {name} does, on whatever object")));
        }
        if !is_inner(self.vm, method) || callers == 0 || self.runner.code.handed.contains(&method) {
            return Ok(None);
        }
        let all = self
            .runner
            .code
            .callers
            .get(&method)
            .cloned()
            .unwrap_or_default();
        if all.is_empty() || all.contains(&method) {
            return Ok(None);
        }
        let mut names = Vec::new();
        for caller in all {
            if self.is_infeasible(caller, goal, callers - 1)?.is_none() {
                return Ok(None);
            }
            names.push(self.vm.text(self.vm.method(caller).name).to_owned());
        }
        names.dedup();
        Ok(Some(format!(
            "none of those that call {name} does, on whatever object: {}",
            names.join(", ")
        )))
    }

    /// Of the goals in a method those that no path from another one comes by, on an object of whatever class.
    /// With few goals paths can be ended early.
    fn missed(&mut self, method: MethodId, within: MethodId) -> Result<BTreeSet<usize>, Error> {
        let (vm, runner) = (&mut *self.vm, &self.runner);
        let wanted = self.wanted.iter().copied();
        let wanted = wanted.filter(|&goal| runner.goals.all[goal].method() == within);
        let left: BTreeSet<usize> = wanted.collect();
        let left = Rc::new(RefCell::new(left));
        let declaring = vm.method(method).class;
        let name = vm.text(vm.method(method).name);
        let is_maker = name == "<init>";
        let classes = match vm.method(method).is_static() {
            true => vec![declaring],
            false => receivers(vm, declaring)?,
        };
        // What a class below has its constructor write before it calls this one is not known.
        let is_below = is_maker && classes != [declaring];
        if classes.is_empty() || is_below || !runner.code.is_closed(method) {
            return Ok(BTreeSet::new());
        }
        for class in classes {
            let retain = |vm: &Vm| {
                left.borrow_mut()
                    .retain(|&goal| !runner.can_reach(vm, runner.site(goal)));
            };
            let mut look = |vm: &mut Vm, end: &PathEnd, _: &mut SymbolicSearch<'_>| {
                if is_cut(&end.outcome) {
                    retain(vm);
                }
                Ok(!left.borrow().is_empty())
            };
            let follower = Follower {
                log: Vec::new(),
                left: Rc::clone(&left),
                points: Rc::clone(&runner.points),
                code: runner.code.clone(),
                sought: Rc::clone(&runner.sought),
            };
            let call = (class, method);
            let none = Rc::new(Facts::default());
            let is_whole = runner.run(vm, call, &none, Some(&follower), &retain, &mut look)?;
            if !is_whole {
                return Ok(BTreeSet::new());
            }
        }
        let left = left.borrow().clone();
        Ok(left)
    }
}

/// Goals by where they show.
pub(super) struct Sought {
    /// By the jump, and where it leads.
    branches: FxHashMap<(Site, u16), usize>,
    lines: FxHashMap<Site, usize>,
    /// Where each is.
    sites: Vec<Site>,
}

impl Sought {
    fn new(goals: &Goals) -> Sought {
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

    /// The goals that a path comes by with the last of some visits.
    pub fn come_by(&self, points: &FxHashMap<u32, Site>, log: &[Visit]) -> Vec<usize> {
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

/// What is known of the objects that inputs can be.
struct Known<'a> {
    classes: &'a Classes,
    /// Whether it may matter which of two equal boxes one is.
    has_identity: bool,
    /// Told where there are others than those that are tried.
    cuts: &'a dyn Fn(&Vm),
}

impl Universe for Known<'_> {
    fn alternatives(&self, vm: &mut Vm, bound: ClassId) -> Vec<Alternative> {
        // Of arrays and strings only short ones are tried; constants of an enum are as they were made.
        let alternatives = self.classes.alternatives(vm, bound);
        let name = vm.class_name(bound);
        let is_box = Kind::of_box(name).is_some() && !self.has_identity;
        let is_own = vm.class(bound).loader == Loader::App && !name.starts_with('[');
        let is_whole = is_box
            || is_own
                && !alternatives.is_empty()
                && !is_open_interface(vm, bound)
                && !has_changing_constants(vm, bound, &mut Vec::new());
        if !is_whole {
            (self.cuts)(vm);
        }
        alternatives
    }
}

/// Follows a path, notes the goals that it comes by and ends it where no goal is left for it.
#[derive(Clone)]
pub(super) struct Follower {
    log: Vec<Visit>,
    /// The goals that no path has come by.
    left: Rc<RefCell<BTreeSet<usize>>>,
    points: Rc<FxHashMap<u32, Site>>,
    code: Code,
    sought: Rc<Sought>,
}

impl Steering for Follower {
    fn begin(&mut self) {
        self.log.clear();
    }

    fn visit(&mut self, visit: Visit) -> bool {
        self.log.push(visit);
        if !self.points.contains_key(&visit.point) {
            return true;
        }
        let mut left = self.left.borrow_mut();
        for goal in self.sought.come_by(&self.points, &self.log) {
            left.remove(&goal);
        }
        let wanted: Vec<Site> = left.iter().map(|&goal| self.sought.sites[goal]).collect();
        let mut below = visit.depth + 1;
        for other in self.log.iter().rev() {
            if other.depth < below {
                let is_top = below == visit.depth + 1;
                below = other.depth;
                let site = self.points.get(&other.point);
                if site.is_none_or(|&site| self.code.reaches(site, is_top, &wanted)) {
                    return true;
                }
                if below == 1 {
                    return false;
                }
            }
        }
        // Of frames without probes nothing is known.
        true
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

    fn holds_first(&self, _: MethodId, _: Side, _: Side) -> Option<bool> {
        None
    }

    fn bounds(&self, _: MethodId) -> bool {
        false
    }
}
