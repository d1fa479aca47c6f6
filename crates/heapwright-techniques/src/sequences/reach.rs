//! What the code under test can come to, instruction by instruction: from a place in a method to others
//! in it and in those that it calls.
//!
//! Invariant: what is left out is not come to, but for what code calls that is not known: that is as if
//! somebody else called it. A call that may lead to several methods leads to all.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use heapwright_jvm::class::flags;
use heapwright_jvm::descriptor::Kind;
use heapwright_jvm::listing::{Invoke, Listing, Step, Test};
use heapwright_jvm::probes::Visit;
use heapwright_jvm::{ClassId, MethodId, Vm};
use rustc_hash::{FxHashMap, FxHashSet};

use super::goals::{Goal, Goals};
use super::places::ways;
use super::program::{bodies, initializer, overrides_library, program, within_home};
use super::world::{Cause, calls_nobody, cause, causes_of};

/// A place in code.
pub(super) type Site = (MethodId, u16);

/// What the code under test can lead to.
#[derive(Clone)]
pub(super) struct Code {
    /// The classes that share a private member with the class under test: its outermost class and all in it.
    pub classes: Rc<Vec<ClassId>>,
    /// The code of these and of all classes of the program that it leads to.
    pub listings: Rc<BTreeMap<MethodId, Listing>>,
    /// What comes next in the same method, instruction by instruction, and what is called.
    next: Rc<BTreeMap<Site, Vec<Site>>>,
    /// Where a call is made, what comes next in the same method.
    after: Rc<BTreeMap<Site, Vec<Site>>>,
    /// Methods that library code may call, or that are handed to it.
    pub handed: Rc<BTreeSet<MethodId>>,
    /// Methods that class initializers call.
    initial: Rc<BTreeSet<MethodId>>,
    pub callers: Rc<BTreeMap<MethodId, Vec<MethodId>>>,
    /// Where what it does is not decided by what it is given alone, and by what besides.
    pub causes: Rc<Vec<(Site, Cause)>>,
    /// Where it calls what may call anything: the library, on what it is not known.
    leaving: Rc<Vec<Site>>,
    /// The words of static fields of reference type that it writes.
    pub shown: Rc<Vec<u32>>,
    /// Where it compares references.
    comparing: Rc<Vec<Site>>,
    /// The words of static fields that switch assertions off, if it has some.
    pub switches: Rc<Vec<u32>>,
    known: Rc<RefCell<FxHashMap<Site, Rc<FxHashSet<Site>>>>>,
}

impl Code {
    /// Reads it; none if it is too much. Classes that it is in are loaded.
    pub fn read(vm: &mut Vm, class: ClassId, goals: &Goals) -> Option<Code> {
        let mut listings: BTreeMap<MethodId, Listing> = goals.listings.clone();
        // Who else calls private methods: whatever is in the same outermost class.
        let classes = within_home(vm, class);
        for other in program(vm, &classes)? {
            for method in vm.class(other).methods.clone() {
                let is_initializer = vm.text(vm.method(method).name) == "<clinit>";
                if !is_initializer && let Ok(listing) = vm.listing(method) {
                    listings.entry(method).or_insert(listing);
                }
            }
        }
        let mut handed = BTreeSet::new();
        // What library code may call by itself.
        let mut called_back = BTreeSet::new();
        for (&method, listing) in &listings {
            let this = vm.method(method);
            if this.flags & flags::PRIVATE == 0 && !this.is_static() {
                handed.insert(method);
                if overrides_library(vm, method) {
                    called_back.insert(method);
                }
            }
            called_back.extend(bodies(vm, listing));
        }
        handed.extend(&called_back);
        let mut initial = BTreeSet::new();
        // Class initializers are no calls: what they call is called from without.
        for &class in &classes {
            let Some(listing) = initializer(vm, class) else {
                continue;
            };
            for listed in &listing.instructions {
                if let Step::Invoke(_, member) = &listed.step {
                    initial.extend(vm.named_method(member));
                }
            }
            handed.extend(bodies(vm, &listing));
        }
        handed.extend(&initial);
        let mut next: BTreeMap<Site, Vec<Site>> = BTreeMap::new();
        let mut after: BTreeMap<Site, Vec<Site>> = BTreeMap::new();
        let mut callers: BTreeMap<MethodId, Vec<MethodId>> = BTreeMap::new();
        let mut causes = Vec::new();
        let mut leaving = Vec::new();
        let mut comparing = Vec::new();
        let mut switches = Vec::new();
        let mut shown = Vec::new();
        for (&method, listing) in &listings {
            causes.extend(causes_of(vm, method, listing));
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
                switches.extend(switch(vm, &listed.step));
                if let Some(cause) = cause(vm, &listed.step) {
                    causes.push(((method, listed.at), cause));
                }
                let own = |&other: &MethodId| (other, 0);
                match &listed.step {
                    Step::Invoke(how, member) => {
                        let called = vm.named_method(member);
                        // Another class may have its own.
                        let name = called.filter(|_| *how == Invoke::Virtual);
                        let name = name.map(|called| vm.method(called).name);
                        let same_name = |other: &&MethodId| Some(vm.method(**other).name) == name;
                        match called.filter(|called| listings.contains_key(called)) {
                            Some(called) => {
                                sites.push((called, 0));
                                let callers = callers.entry(called).or_default();
                                if !callers.contains(&method) {
                                    callers.push(method);
                                }
                                sites.extend(handed.iter().filter(same_name).map(own));
                            }
                            None if calls_nobody(member) => {}
                            None => {
                                leaving.push((method, listed.at));
                                // Of an abstract method these are the ones that have code.
                                sites.extend(handed.iter().filter(same_name).map(own));
                                sites.extend(called_back.iter().map(own));
                            }
                        }
                    }
                    Step::PutField(member, true) => {
                        let field = vm.named_field(member);
                        let field = field.filter(|field| field.kind == Kind::Reference);
                        shown.extend(field.map(|field| field.word));
                    }
                    Step::Branch(Test::Same(_), _) => comparing.push((method, listed.at)),
                    // A concatenation asks for texts, a record for hash codes.
                    Step::Dynamic(..) => sites.extend(called_back.iter().map(own)),
                    _ => {}
                }
                next.insert((method, listed.at), sites);
            }
        }
        switches.sort_unstable();
        switches.dedup();
        shown.sort_unstable();
        shown.dedup();
        Some(Code {
            initial: initial.into(),
            shown: shown.into(),
            comparing: comparing.into(),
            switches: switches.into(),
            classes: classes.into(),
            listings: listings.into(),
            next: next.into(),
            after: after.into(),
            handed: handed.into(),
            callers: callers.into(),
            causes: causes.into(),
            leaving: leaving.into(),
            known: Rc::default(),
        })
    }

    /// Whether what a method does is decided by what it is given alone.
    pub fn is_closed(&self, method: MethodId) -> bool {
        let reached = self.reachable_from(method, 0);
        !self.causes.iter().any(|(site, _)| reached.contains(site))
    }

    /// Whether class initializers could come by a site.
    pub fn is_initial(&self, site: Site) -> bool {
        let mut initial = self.initial.iter();
        initial.any(|&method| self.reachable_from(method, 0).contains(&site))
    }

    /// Whether a method may compare references, or what it calls.
    pub fn compares(&self, method: MethodId) -> bool {
        let reached = self.reachable_from(method, 0);
        self.comparing.iter().any(|site| reached.contains(site))
    }

    /// Whether nothing but the place where it is looked for is a goal's: not so of a line that the compiler has
    /// made several copies of, one of which may be run without the first.
    pub fn is_whole(&self, goal: Goal) -> bool {
        let Goal::Line(method, first) = goal else {
            return true;
        };
        let Some(listing) = self.listings.get(&method) else {
            return false;
        };
        let line_at = |at: u16| Some(listing.instructions[listing.place(at)?].line);
        let line = line_at(first);
        let mut reached = FxHashSet::default();
        let mut open = vec![(method, 0)];
        while let Some(site) = open.pop() {
            if site.0 == method && site.1 != first && reached.insert(site) {
                if line_at(site.1) == line {
                    return false;
                }
                open.extend(self.next.get(&site).into_iter().flatten());
            }
        }
        true
    }

    /// What can be come to from a place, itself included, in the frame that is there and those called.
    pub fn reachable_from(&self, method: MethodId, at: u16) -> Rc<FxHashSet<Site>> {
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
    pub fn reaches(&self, (method, at): Site, is_top: bool, wanted: &[Site]) -> bool {
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
    pub fn points(&self, vm: &Vm, goals: &Goals) -> FxHashMap<u32, Site> {
        let numbers = goals.probes();
        let sites = numbers.map(|number| {
            let point = vm.point(number);
            (number, (point.method, point.at))
        });
        sites.collect()
    }

    /// Whether the frames of a path could still come by a site, so many being there.
    pub fn is_still_reachable(
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
        let mut others = frames.iter().filter(|frame| !is_probed(frame.method));
        others.any(|frame| from_start(frame.method))
    }

    /// Whether the frames of a path could still call what is not known, and that any method: the library's
    /// are such themselves.
    pub fn may_leave(&self, vm: &Vm, points: &FxHashMap<u32, Site>, visits: &[Visit]) -> bool {
        let mut frames = vm.frames().iter();
        frames.any(|frame| !self.next.contains_key(&(frame.method, 0)))
            || (self.leaving.iter()).any(|&site| self.is_still_reachable(vm, points, visits, site))
    }
}

/// The word of the static field that says whether assertions are off, if an instruction reads that.
fn switch(vm: &mut Vm, step: &Step) -> Option<u32> {
    let Step::GetField(field, true) = step else {
        return None;
    };
    let field = Some(field).filter(|field| field.name == "$assertionsDisabled")?;
    let (class, word) = vm
        .named_field(field)
        .map(|field| (field.class, field.word))?;
    vm.initialize_now(class).ok()?;
    Some(word)
}
