//! What the code under test can come to, instruction by instruction: from a place in a method to others
//! in it and in those that it calls.
//!
//! Invariant: what is left out is not come to, but for what code calls that is not known: that is as if
//! somebody else called it. A call that may lead to several methods leads to all.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use heapwright_jvm::class::flags;
use heapwright_jvm::descriptor::{self, Kind};
use heapwright_jvm::listing::{Listing, Member, Step};
use heapwright_jvm::probes::Visit;
use heapwright_jvm::{ClassId, MethodId, Vm};
use rustc_hash::{FxHashMap, FxHashSet};

use super::goals::Goals;
use super::places::{home, ways};
use super::prove;

/// Most classes whose code is looked at.
const MAX_CLASSES: usize = 500;

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
    pub callers: Rc<BTreeMap<MethodId, Vec<MethodId>>>,
    /// Where it reads static state that may change, asks for hash codes, or for what the world is like.
    changing: Rc<Vec<Site>>,
    /// Where it calls what may call anything: the library, on what it is not known.
    leaving: Rc<Vec<Site>>,
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
        let mut changing = Vec::new();
        let mut leaving = Vec::new();
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
                        changing.push((method, listed.at));
                    }
                    Step::Invoke(_, member) if asks_the_world(member) => {
                        changing.push((method, listed.at));
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
                            None if calls_nobody(member) => {}
                            None => leaving.push((method, listed.at)),
                        }
                    }
                    Step::GetField(field, true) if field.name != "$assertionsDisabled" => {
                        let known = vm.named_field(field);
                        let field_flags = known.map_or(0, |field| field.flags);
                        let is_constant = field_flags & flags::FINAL != 0;
                        // Tables of switches and the constants of an enum, which only its initialiser
                        // fills.
                        let is_table = is_constant && field_flags & flags::SYNTHETIC != 0;
                        if !is_table && (!is_constant || !prove::is_constant(vm, &field.descriptor))
                        {
                            changing.push((method, listed.at));
                        }
                    }
                    _ => {}
                }
                next.insert((method, listed.at), sites);
            }
        }
        Some(Code {
            classes: classes.into(),
            listings: listings.into(),
            next: next.into(),
            after: after.into(),
            handed: handed.into(),
            callers: callers.into(),
            changing: changing.into(),
            leaving: leaving.into(),
            known: Rc::default(),
        })
    }

    /// Whether what a method does is decided by what it is given alone.
    pub fn is_closed(&self, method: MethodId) -> bool {
        let reached = self.reachable_from(method, 0);
        !self.changing.iter().any(|site| reached.contains(site))
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

/// Whether a method of the library calls none of the program's: one on numbers and strings alone.
fn calls_nobody(member: &Member) -> bool {
    let is_value = |name: &str| {
        let element = name.trim_start_matches('[');
        name == "java/lang/String"
            || Kind::of_box(name).is_some()
            || Kind::of(element) != Kind::Reference
    };
    let class = &member.class[..];
    let is_thrown = class.ends_with("Exception") || class.ends_with("Error");
    let is_own = match &member.name[..] {
        "requireNonNull" => {
            return class == "java/util/Objects" && !member.descriptor.contains("Supplier");
        }
        "getClass" => return true,
        "<init>" if class == "java/lang/Object" => return true,
        "<init>" if is_thrown => class.starts_with("java/"),
        _ => {
            let others = [
                "java/lang/Math",
                "java/lang/StringBuilder",
                "java/lang/System",
                "java/util/Arrays",
            ];
            is_value(class) || others.contains(&class)
        }
    };
    let taken = descriptor::split_method(&member.descriptor);
    let mut taken = taken.into_iter().flat_map(|(takes, _)| takes);
    is_own && taken.all(|taken| is_value(descriptor::class_name(taken)))
}

/// Whether a method of the library says something else each time, or on each machine.
fn asks_the_world(member: &Member) -> bool {
    let class = &member.class[..];
    let worlds = [
        "java/io/",
        "java/nio/",
        "java/net/",
        "java/time/",
        "java/util/concurrent/",
    ];
    let others = [
        "java/lang/System",
        "java/lang/Runtime",
        "java/lang/Thread",
        "java/util/Random",
        "java/util/UUID",
        "java/util/Locale",
        "java/util/TimeZone",
        "java/util/Date",
        "java/util/Calendar",
    ];
    worlds.iter().any(|world| class.starts_with(world))
        || others.contains(&class) && member.name != "arraycopy"
        || class == "java/lang/Math" && member.name == "random"
}

/// Some classes and all of the program that their code leads to, subclasses among them; none if they are
/// too many.
fn program(vm: &mut Vm, classes: &[ClassId]) -> Option<Vec<ClassId>> {
    let mut found = classes.to_vec();
    let mut place = 0;
    loop {
        while let Some(&class) = found.get(place) {
            place += 1;
            for method in vm.class(class).methods.clone() {
                let Ok(listing) = vm.listing(method) else {
                    continue;
                };
                for listed in &listing.instructions {
                    let names = match &listed.step {
                        Step::Invoke(_, member)
                        | Step::GetField(member, _)
                        | Step::PutField(member, _) => vec![&member.class],
                        Step::Dynamic(_, _, members) => {
                            members.iter().map(|member| &member.class).collect()
                        }
                        Step::New(name) => vec![name],
                        _ => continue,
                    };
                    for name in names {
                        if let Ok(class) = vm.load_class(name)
                            && vm.is_app_class(class)
                            && !found.contains(&class)
                        {
                            found.push(class);
                        }
                    }
                }
            }
        }
        let subclasses = vm.loaded_classes().filter(|&class| {
            let mut above = found.iter();
            vm.is_app_class(class)
                && !found.contains(&class)
                && above.any(|&above| vm.is_subclass(class, above))
        });
        let subclasses: Vec<ClassId> = subclasses.collect();
        if subclasses.is_empty() {
            return Some(found);
        }
        found.extend(subclasses);
        if found.len() > MAX_CLASSES {
            return None;
        }
    }
}

/// The outermost class around a class and all in it, as far as they can be loaded.
fn within_home(vm: &mut Vm, class: ClassId) -> Vec<ClassId> {
    let own = home(vm.class_name(class)).to_owned();
    let mut found: Vec<ClassId> = vm.load_class(&own).into_iter().collect();
    if !found.contains(&class) {
        found.push(class);
    }
    let mut place = 0;
    while let Some(&class) = found.get(place) {
        place += 1;
        let file = vm.class(class).file.clone();
        let inner = file.iter().flat_map(|file| &file.info.inner_classes);
        let names = inner.map(|inner| vm.text(inner.inner).to_owned());
        let names: Vec<String> = names.filter(|name| home(name) == own).collect();
        for name in names {
            if let Ok(member) = vm.load_class(&name)
                && !found.contains(&member)
            {
                found.push(member);
            }
        }
    }
    found
}
