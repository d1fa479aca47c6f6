//! Proofs that no sequence reaches a goal.
//!
//! A method is run on objects and arguments all of which are open: whatever state sequences lead to is
//! among them. If no path comes by a goal, and none was left before it could have, no sequence does. A
//! private method is also seen through those that call it, which give it less than everything.
//!
//! Invariant: what is said to be infeasible is. A path that is not followed counts for every goal that
//! its frames could still come by, as the code says; a type of which not all objects are known ends the
//! proof, as does code with static state.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::rc::Rc;

use heapwright_explore::End;
use heapwright_explore::symbolic::{
    Alternative, Bounds, Outcome, PathEnd, Steering, Stopper, SymbolicSearch, Universe,
};
use heapwright_jvm::class::{Loader, flags};
use heapwright_jvm::descriptor::{self, Kind};
use heapwright_jvm::listing::{Listing, Step};
use heapwright_jvm::probes::Visit;
use heapwright_jvm::{ClassId, MethodId, Side, Vm};
use rustc_hash::{FxHashMap, FxHashSet};

use super::goals::{Goal, Goals};
use super::places::{home, ways};
use super::{Request, Watch};
use crate::Error;
use crate::symbolic::{Classes, target_of};
use crate::target::{methods, without_receiver};

/// How often a loop goes round before a path is left.
const LOOPS: u32 = 1;
/// Most paths of one method.
const MAX_PATHS: u64 = 500;
/// Most instructions of one path.
const MAX_STEPS: u64 = 100_000;
/// Most objects of a class on a path: more than paths come to.
const MAX_OBJECTS: u32 = 1_000;
/// How many callers up a private method is seen through.
const MAX_CALLERS: u32 = 2;

/// Why each of some goals is infeasible; those of which nothing is proved are left out.
///
/// # Errors
/// Code cannot be read, or the solver cannot be used.
pub fn prove(
    vm: &mut Vm,
    class: ClassId,
    request: &Request,
    goals: &mut Goals,
    open: &[usize],
    watch: Watch<'_>,
) -> Result<BTreeMap<usize, String>, Error> {
    let wanted = open
        .iter()
        .filter(|&&goal| matches!(goals.all[goal], Goal::Branch(..) | Goal::Line(..)));
    let wanted: Vec<usize> = wanted.copied().collect();
    let mut proved = BTreeMap::new();
    if wanted.is_empty() {
        return Ok(proved);
    }
    goals.probe_calls(vm);
    let code = Code::read(vm, class, goals);
    if code.has_statics {
        return Ok(proved);
    }
    let mut prover = Prover {
        vm,
        class,
        request,
        goals,
        code,
        watch,
        wanted: wanted.clone(),
        known: BTreeMap::new(),
    };
    for goal in wanted {
        if (watch.stops)() {
            break;
        }
        let method = prover.goals.all[goal].method();
        if let Some(by) = prover.is_infeasible(method, goal, MAX_CALLERS)? {
            proved.insert(goal, by);
        }
    }
    Ok(proved)
}

struct Prover<'a> {
    vm: &'a mut Vm,
    class: ClassId,
    request: &'a Request,
    goals: &'a Goals,
    code: Code,
    watch: Watch<'a>,
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
        let pair = (method, self.goals.all[goal].method());
        if !self.known.contains_key(&pair) {
            let missed = self.missed(method, pair.1)?;
            self.known.insert(pair, missed);
        }
        let name = self.vm.text(self.vm.method(method).name).to_owned();
        if self.known[&pair].contains(&goal) {
            return Ok(Some(format!("no call of {name} does, on whatever object")));
        }
        let is_private = self.vm.method(method).flags & flags::PRIVATE != 0;
        if !is_private || callers == 0 || self.code.handed.contains(&method) {
            return Ok(None);
        }
        let all = self.code.callers.get(&method).cloned().unwrap_or_default();
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

    /// Of the goals in a method those that no path from another one comes by. With few goals paths
    /// can be ended early.
    fn missed(&mut self, method: MethodId, within: MethodId) -> Result<BTreeSet<usize>, Error> {
        let vm = &mut *self.vm;
        let wanted = self.wanted.iter().copied();
        let wanted = wanted.filter(|&goal| self.goals.all[goal].method() == within);
        let wanted: BTreeSet<usize> = wanted.collect();
        let Ok(target) = target_of(vm, self.class, method) else {
            return Ok(BTreeSet::new());
        };
        let universe = Known {
            classes: target.universe(),
            is_partial: Cell::new(false),
        };
        let left = Rc::new(RefCell::new(wanted));
        let bounds = Bounds {
            objects: MAX_OBJECTS,
            length: self.request.values.length,
            loops: LOOPS,
            ..self.request.values
        };
        let mut search = target.search_in(&universe, bounds, self.request.limits, MAX_STEPS);
        search.leave_models_out();
        let stopper = Stopper::default();
        search.stop_by(stopper.clone());
        let points = Rc::new(self.code.points(vm, self.goals));
        search.steer(Box::new(Follower {
            log: Vec::new(),
            left: Rc::clone(&left),
            points: Rc::clone(&points),
            code: self.code.clone(),
            sought: Rc::new(Sought::new(self.goals)),
        }));
        let (code, goals, stops) = (&self.code, self.goals, self.watch.stops);
        let mut paths = 0;
        let mut ask = |_: &mut SymbolicSearch<'_>| match stops() {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        };
        let mut visit = |vm: &mut Vm, end: &PathEnd, _: &mut SymbolicSearch<'_>| {
            paths += 1;
            let is_cut = !matches!(end.outcome, Outcome::Returned(_) | Outcome::Threw(_));
            if is_cut {
                let visits = vm.visits().to_vec();
                left.borrow_mut().retain(|&goal| {
                    let target = (goals.all[goal].method(), goals.all[goal].at());
                    !code.is_still_reachable(vm, &points, &visits, target)
                });
            }
            match paths >= MAX_PATHS || left.borrow().is_empty() {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        };
        let end = self
            .watch
            .over(&stopper, || search.run(vm, &mut ask, &mut visit));
        drop(search);
        // What cannot be run proves nothing.
        let is_whole = matches!(end, Ok(End::Complete)) && !universe.is_partial.get();
        let left = left.borrow().clone();
        Ok(if is_whole { left } else { BTreeSet::new() })
    }
}

/// Goals by where they show.
struct Sought {
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
}

/// What is known of the objects that inputs can be.
struct Known<'a> {
    classes: &'a Classes,
    /// Whether there are others than those of some input that was asked for.
    is_partial: Cell<bool>,
}

impl Universe for Known<'_> {
    fn alternatives(&self, vm: &mut Vm, bound: ClassId) -> Vec<Alternative> {
        let name = vm.class_name(bound).to_owned();
        // Of arrays and strings only short ones are tried.
        let alternatives = self.classes.alternatives(vm, bound);
        // An interface that is not sealed anybody may implement: by a lambda, or in a test.
        let this = vm.class(bound);
        let is_sealed = this
            .file
            .as_ref()
            .is_some_and(|file| file.info.permitted.is_some());
        let is_known = this.loader == Loader::App
            && !alternatives.is_empty()
            && (is_sealed || !this.is_interface());
        let is_whole = !name.starts_with('[') && (Kind::of_box(&name).is_some() || is_known);
        if !is_whole {
            self.is_partial.set(true);
        }
        alternatives
    }
}

/// A place in code.
type Site = (MethodId, u16);

/// What the code under test can lead to.
#[derive(Clone)]
struct Code {
    /// What comes next in the same method, instruction by instruction, and what is called.
    next: Rc<BTreeMap<Site, Vec<Site>>>,
    /// Where a call is made, what comes next in the same method.
    after: Rc<BTreeMap<Site, Vec<Site>>>,
    /// Methods that library code may call, or that are handed to it.
    handed: Rc<BTreeSet<MethodId>>,
    callers: Rc<BTreeMap<MethodId, Vec<MethodId>>>,
    has_statics: bool,
    known: Rc<RefCell<FxHashMap<Site, Rc<FxHashSet<Site>>>>>,
}

impl Code {
    fn read(vm: &mut Vm, class: ClassId, goals: &Goals) -> Code {
        let mut listings: BTreeMap<MethodId, Listing> = goals.listings.clone();
        // Who else calls private methods: whatever is in the same outermost class.
        let own = home(vm.class_name(class)).to_owned();
        let classes: Vec<ClassId> = vm.loaded_classes().collect();
        for other in classes {
            if home(vm.class_name(other)) != own {
                continue;
            }
            let all = methods(vm, other);
            for method in all.into_iter().chain(without_receiver(vm, other)) {
                if vm.method(method).class == other
                    && let Ok(listing) = vm.listing(method)
                {
                    listings.entry(method).or_insert(listing);
                }
            }
        }
        let mut handed = BTreeSet::new();
        for (&method, listing) in &listings {
            let this = vm.method(method);
            if this.flags & flags::PRIVATE == 0 && !this.is_static() {
                handed.insert(method);
            }
            let members = listing
                .instructions
                .iter()
                .filter_map(|listed| match &listed.step {
                    Step::Dynamic(_, _, members) => Some(members.clone()),
                    _ => None,
                });
            let members: Vec<_> = members.flatten().collect();
            handed.extend(members.iter().filter_map(|member| vm.named_method(member)));
        }
        let mut next: BTreeMap<Site, Vec<Site>> = BTreeMap::new();
        let mut after: BTreeMap<Site, Vec<Site>> = BTreeMap::new();
        let mut callers: BTreeMap<MethodId, Vec<MethodId>> = BTreeMap::new();
        let mut has_statics = false;
        for (&method, listing) in &listings {
            for (place, listed) in listing.instructions.iter().enumerate() {
                let mut to: Vec<u16> = ways(listing, listed.at);
                if let Step::Goto(target) = listed.step {
                    to.push(target);
                } else if listed.step.falls_through()
                    && let Some(next) = listing.instructions.get(place + 1)
                {
                    to.push(next.at);
                }
                let covered = |handler: &&heapwright_jvm::listing::Handler| {
                    (handler.start..handler.end).contains(&listed.at)
                };
                let handlers = listing.handlers.iter().filter(covered);
                to.extend(handlers.map(|handler| handler.target));
                let mut sites: Vec<Site> = to.into_iter().map(|at| (method, at)).collect();
                if matches!(listed.step, Step::Invoke(..)) {
                    after.insert((method, listed.at), sites.clone());
                }
                match &listed.step {
                    // Hash codes are others on each machine, but for those of strings.
                    Step::Invoke(_, member)
                        if matches!(&member.name[..], "hashCode" | "identityHashCode")
                            && member.class != "java/lang/String" =>
                    {
                        has_statics = true;
                    }
                    Step::Invoke(_, member) => {
                        let called = vm.named_method(member);
                        match called.filter(|called| listings.contains_key(called)) {
                            Some(called) => {
                                sites.push((called, 0));
                                let callers = callers.entry(called).or_default();
                                if !callers.contains(&method) {
                                    callers.push(method);
                                }
                                // Another class may have its own.
                                let overriding = handed.iter().filter(|&&other| {
                                    vm.method(other).name == vm.method(called).name
                                });
                                sites.extend(overriding.map(|&other| (other, 0)));
                            }
                            None if member.class.starts_with("java/lang/") => {}
                            None => sites.extend(handed.iter().map(|&other| (other, 0))),
                        }
                    }
                    Step::GetField(field, true) if field.name != "$assertionsDisabled" => {
                        let known = vm.named_field(field);
                        let field_flags = known.map_or(0, |field| field.flags);
                        let is_constant = field_flags & flags::FINAL != 0;
                        // Tables of switches and the constants of an enum, which only its initialiser
                        // fills.
                        let is_table = is_constant && field_flags & flags::SYNTHETIC != 0;
                        let name = descriptor::class_name(&field.descriptor);
                        let is_value = Kind::of(&field.descriptor) != Kind::Reference
                            || name == "java/lang/String"
                            || Kind::of_box(name).is_some();
                        let is_enum = vm
                            .load_class(name)
                            .is_ok_and(|class| vm.class(class).flags & flags::ENUM != 0);
                        has_statics |= !is_table && (!is_constant || !(is_value || is_enum));
                    }
                    _ => {}
                }
                next.insert((method, listed.at), sites);
            }
        }
        Code {
            next: next.into(),
            after: after.into(),
            handed: handed.into(),
            callers: callers.into(),
            has_statics,
            known: Rc::default(),
        }
    }

    /// What can be come to from a place, itself included, in the frame that is there and those called.
    fn reachable_from(&self, method: MethodId, at: u16) -> Rc<FxHashSet<Site>> {
        let start = (method, at);
        if let Some(known) = self.known.borrow().get(&start) {
            return Rc::clone(known);
        }
        let mut reached = FxHashSet::default();
        let mut open = vec![start];
        while let Some(site) = open.pop() {
            if reached.insert(site) {
                open.extend(self.next.get(&site).into_iter().flatten());
            }
        }
        let reached = Rc::new(reached);
        self.known.borrow_mut().insert(start, Rc::clone(&reached));
        reached
    }

    /// Whether some of the sites can be come to in a frame that was last seen at a place. One below
    /// another frame is at a call: of that it makes it is past the beginning.
    fn reaches(&self, (method, at): Site, is_top: bool, wanted: &[Site]) -> bool {
        let from = |method: MethodId, at: u16| {
            let reached = self.reachable_from(method, at);
            wanted.iter().any(|site| reached.contains(site))
        };
        match self.after.get(&(method, at)).filter(|_| !is_top) {
            None => from(method, at),
            Some(sites) => sites.iter().any(|&(method, at)| from(method, at)),
        }
    }

    /// Where probes stand, by their numbers.
    fn points(&self, vm: &Vm, goals: &Goals) -> FxHashMap<u32, Site> {
        let numbers = goals.probes();
        let sites = numbers.map(|number| {
            let point = vm.point(number);
            (number, (point.method, point.at))
        });
        sites.collect()
    }

    /// Whether the frames of a path could still come by a site, so many being there.
    fn is_still_reachable(
        &self,
        vm: &Vm,
        points: &FxHashMap<u32, Site>,
        visits: &[Visit],
        target: Site,
    ) -> bool {
        let frames = vm.frames();
        let mut below = frames.len() as u32 + 1;
        for visit in visits.iter().rev() {
            if visit.depth < below {
                let is_top = below == frames.len() as u32 + 1;
                below = visit.depth;
                if let Some(&site) = points.get(&visit.point)
                    && self.reaches(site, is_top, &[target])
                {
                    return true;
                }
            }
        }
        let is_probed = |method: MethodId| points.values().any(|site| site.0 == method);
        let from_start = |method: MethodId| self.reachable_from(method, 0).contains(&target);
        let others = frames.iter().filter(|frame| !is_probed(frame.method));
        if others.clone().any(|frame| from_start(frame.method)) {
            return true;
        }
        // Other code may call what is handed to it.
        let mut others = others.filter(|frame| !self.next.contains_key(&(frame.method, 0)));
        others.next().is_some() && self.handed.iter().any(|&method| from_start(method))
    }
}

/// Follows a path, notes the goals that it comes by and ends it where no goal is left for it.
struct Follower {
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
        let Some(&(method, at)) = self.points.get(&visit.point) else {
            return true;
        };
        let mut left = self.left.borrow_mut();
        if let Some(line) = self.sought.lines.get(&(method, at)) {
            left.remove(line);
        }
        if let [.., before, _] = self.log[..]
            && before.depth == visit.depth
            && let Some(&jump) = self.points.get(&before.point)
            && jump.0 == method
            && let Some(branch) = self.sought.branches.get(&(jump, at))
        {
            left.remove(branch);
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
