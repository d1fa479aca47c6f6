//! What tests are to reach in the code under test, and what a run reached of it.
//!
//! Code under test is the methods under test and what they call of the same outermost class without its
//! being public. Probes stand where goals need them; a run is read from the probes that it came by. A
//! branch of an assertion's switch is no goal: no test chooses it.

use std::collections::{BTreeMap, BTreeSet};

use heapwright_explore::symbolic::{Answered, Event, Question};
use heapwright_jvm::class::flags;
use heapwright_jvm::descriptor::Kind;
use heapwright_jvm::listing::{Invoke, Listing, Member, Step, Switch, Test};
use heapwright_jvm::probes::Visit;
use heapwright_jvm::{ClassId, Comparison, MethodId, Operation, Ref, Vm};
use rustc_hash::FxHashMap;

use super::places::{
    branches, can_throw, edge_of, edges, exceptions, home, is_call, lines, ways, wraps, wraps_at,
};
use super::string_switch;
use super::tree::{ConstraintTrees, PathId, RunEnd};
use crate::Error;

/// What is wanted of tests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Criterion {
    /// Each way on from conditional jumps and switches.
    #[default]
    Branches,
    /// Each source line; each instruction's place where the class file has no lines.
    Statements,
    /// Each path through a method under test.
    Paths,
    /// Each instruction that throws by itself.
    Exceptions,
    /// Both sides of the edge of each comparison of integers: of `a < b` that `a` is `b` and that it is
    /// one less.
    Boundaries,
    /// Each arithmetic instruction on integers that wraps.
    Overflow,
    /// Each read of a field of the class with each write whose value it can be.
    DefUse,
}

impl Criterion {
    /// Whether paths split where the program itself does not ask.
    #[must_use]
    pub fn splits(self) -> bool {
        matches!(
            self,
            Criterion::Boundaries | Criterion::Overflow | Criterion::Exceptions
        )
    }
}

/// Something to be reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Goal {
    /// From the jump at a bytecode index to that at another, the number of the way on.
    Branch(MethodId, u16, u16, u16),
    /// The line that begins at a bytecode index.
    Line(MethodId, u16),
    /// The instruction at a bytecode index throws.
    Exception(MethodId, u16),
    /// The comparison at a bytecode index is of two integers so far apart.
    Edge(MethodId, u16, Side),
    /// The arithmetic at a bytecode index wraps.
    Wrap(MethodId, u16),
    /// The field that is written at the one place is read at the other, before it is written again.
    Pair(Site, Site),
    /// A path of a method under test.
    Path(PathId),
    /// A method is entered: of one without anything else to reach.
    Entry(MethodId),
}

/// A place in code: the method, and a bytecode index.
pub type Site = (MethodId, u16);

/// How far apart two integers are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Side {
    /// The first is one less.
    Below,
    /// They are equal.
    Equal,
    /// The first is one more.
    Above,
}

impl Goal {
    /// The method that it lies in.
    #[must_use]
    pub fn method(self) -> MethodId {
        match self {
            Goal::Branch(method, ..)
            | Goal::Line(method, _)
            | Goal::Exception(method, _)
            | Goal::Edge(method, ..)
            | Goal::Wrap(method, _)
            | Goal::Pair(_, (method, _))
            | Goal::Entry(method) => method,
            Goal::Path(path) => path.method,
        }
    }

    /// The bytecode index that it is about; the first for a method as a whole.
    #[must_use]
    pub fn at(self) -> u16 {
        match self {
            Goal::Branch(_, at, ..)
            | Goal::Line(_, at)
            | Goal::Exception(_, at)
            | Goal::Edge(_, at, _)
            | Goal::Wrap(_, at)
            | Goal::Pair(_, (_, at)) => at,
            Goal::Path(..) | Goal::Entry(_) => 0,
        }
    }
}

/// The goals of some methods.
pub struct Goals {
    /// What is wanted.
    pub criterion: Criterion,
    /// Methods under test, then those that they call.
    pub methods: Vec<MethodId>,
    /// Their code.
    pub listings: BTreeMap<MethodId, Listing>,
    /// All that there is to reach, in the order of methods and of code. Paths are not among them:
    /// they show as they are found.
    pub all: Vec<Goal>,
    /// The paths that were seen, whatever is wanted.
    pub trees: ConstraintTrees,
    /// Whether a path that is new is a goal.
    grows: bool,
    numbers: FxHashMap<Goal, usize>,
    /// The numbers of its probes.
    probes: Vec<u32>,
    /// Which of its methods each calls.
    calls: BTreeMap<MethodId, Vec<MethodId>>,
}

impl Goals {
    /// The goals of methods under test. Their code gets probes.
    ///
    /// # Errors
    /// Code cannot be read.
    pub fn new(vm: &mut Vm, under_test: &[MethodId], criterion: Criterion) -> Result<Goals, Error> {
        let mut goals = Goals {
            criterion,
            methods: Vec::new(),
            listings: BTreeMap::new(),
            all: Vec::new(),
            trees: ConstraintTrees::default(),
            grows: criterion == Criterion::Paths,
            numbers: FxHashMap::default(),
            probes: Vec::new(),
            calls: BTreeMap::new(),
        };
        goals.close(vm, under_test)?;
        for method in goals.methods.clone() {
            let listing = &goals.listings[&method];
            let own = match criterion {
                Criterion::Branches => branches(method, listing),
                Criterion::Statements => lines(method, listing),
                Criterion::Exceptions => exceptions(method, listing, vm.method(method).is_static()),
                Criterion::Boundaries => edges(method, listing),
                Criterion::Overflow => wraps(method, listing),
                Criterion::Paths | Criterion::DefUse => Vec::new(),
            };
            let is_bare =
                own.is_empty() && criterion == Criterion::Branches && under_test.contains(&method);
            goals.all.extend(own);
            if is_bare {
                goals.all.push(Goal::Entry(method));
            }
        }
        if criterion == Criterion::DefUse {
            goals.all = goals.pairs(vm, under_test)?;
        }
        let numbered = goals.all.iter().copied().zip(0..);
        goals.numbers = numbered.collect();
        Ok(goals)
    }

    /// Finds the methods that belong to those under test.
    fn close(&mut self, vm: &mut Vm, under_test: &[MethodId]) -> Result<(), Error> {
        let mut open: Vec<MethodId> = under_test.iter().rev().copied().collect();
        let mut known: BTreeSet<MethodId> = BTreeSet::new();
        while let Some(method) = open.pop() {
            if vm.method(method).index.is_none()
                || vm.method(method).is_abstract()
                || vm.method(method).is_native()
                || !known.insert(method)
            {
                continue;
            }
            let listing = vm.listing(method).map_err(|reason| Error::BadClass {
                class: vm.binary_name(vm.method(method).class),
                reason: format!("{}: {reason}", vm.method_text(method)),
            })?;
            let mut called = Vec::new();
            for listed in &listing.instructions {
                let members = match &listed.step {
                    Step::Invoke(_, member) => std::slice::from_ref(member),
                    Step::Dynamic(_, _, handed) => handed,
                    _ => continue,
                };
                for member in members {
                    // Of other classes nothing is under test.
                    if home(&member.class) == home(vm.class_name(vm.method(method).class)) {
                        called.extend(vm.named_method(member));
                    }
                }
            }
            called.retain(|&other| {
                let this = vm.method(other);
                let is_public = this.flags & flags::PUBLIC != 0;
                let is_same =
                    home(vm.class_name(this.class)) == home(vm.class_name(vm.method(method).class));
                is_same && (!is_public || under_test.contains(&other))
            });
            self.methods.push(method);
            self.listings.insert(method, listing);
            open.extend(called.iter().rev());
            self.calls.insert(method, called);
        }
        Ok(())
    }

    /// Each write of a field of the outermost class with each read of it in code under test.
    fn pairs(&mut self, vm: &mut Vm, under_test: &[MethodId]) -> Result<Vec<Goal>, Error> {
        let Some(&first) = under_test.first() else {
            return Ok(Vec::new());
        };
        let own = vm.class_name(vm.method(first).class).to_owned();
        let classes: Vec<_> = vm.loaded_classes().collect();
        let used = self.methods.clone();
        for class in classes {
            if home(vm.class_name(class)) != home(&own) {
                continue;
            }
            let methods = crate::target::methods(vm, class);
            let all = methods
                .into_iter()
                .chain(crate::target::without_receiver(vm, class));
            for method in all {
                if vm.method(method).class == class
                    && !self.listings.contains_key(&method)
                    && let Ok(listing) = vm.listing(method)
                {
                    self.methods.push(method);
                    self.listings.insert(method, listing);
                }
            }
        }
        let mut pairs = Vec::new();
        for &reader in &used {
            for read in &self.listings[&reader].instructions {
                let Step::GetField(field, is_static) = &read.step else {
                    continue;
                };
                if home(&field.class) != home(&own) || field.name.starts_with('$') {
                    continue;
                }
                let defines = |step: &Step| matches!(step, Step::PutField(other, s) if other == field && s == is_static);
                for &writer in &self.methods {
                    let listing = &self.listings[&writer];
                    let writes = listing.instructions.iter();
                    let writes = writes.filter(|listed| defines(&listed.step));
                    pairs.extend(
                        writes.map(|write| Goal::Pair((writer, write.at), (reader, read.at))),
                    );
                }
            }
        }
        Ok(pairs)
    }

    /// What is asked at the instruction at a place, if anything.
    fn question(&self, method: MethodId, place: usize) -> Option<Question> {
        let instructions = &self.listings[&method].instructions;
        let step = &instructions[place].step;
        match (self.criterion, step) {
            (_, Step::Branch(Test::Same(_), _)) => Some(Question::Same),
            (Criterion::Boundaries, _) => edge_of(instructions, place).map(Question::Edge),
            (Criterion::Overflow, Step::Operate(operation, kind)) if wraps_at(step) => {
                Some(Question::Wraps(*operation, *kind, None))
            }
            (Criterion::Overflow, Step::Increment(_, by)) => {
                Some(Question::Wraps(Operation::Add, Kind::Int, Some(*by)))
            }
            (Criterion::Exceptions, Step::Invoke(how, member))
                if *how != Invoke::Static && member.name != "<init>" =>
            {
                Some(Question::Null)
            }
            (Criterion::DefUse, Step::GetField(_, is_static) | Step::PutField(_, is_static)) => {
                Some(match is_static {
                    true => Question::Runs,
                    false => Question::Object,
                })
            }
            _ => None,
        }
    }

    /// Puts the probes into a machine's code; what is asked at which.
    pub fn probe(&mut self, vm: &mut Vm) -> Vec<(u32, Question)> {
        self.probe_at(vm, &|_| false)
    }

    /// As [`Goals::probe`], and one at each call.
    pub(super) fn probe_calls(&mut self, vm: &mut Vm) {
        self.probe_at(vm, &|step| matches!(step, Step::Invoke(..)));
    }

    fn probe_at(&mut self, vm: &mut Vm, is_probed: &dyn Fn(&Step) -> bool) -> Vec<(u32, Question)> {
        let mut questions = Vec::new();
        self.probes.clear();
        for (&method, listing) in &self.listings {
            let mut places: BTreeSet<u16> = BTreeSet::from([0]);
            let mut asked = Vec::new();
            for (place, listed) in listing.instructions.iter().enumerate() {
                if let Some(question) = self.question(method, place) {
                    places.insert(listed.at);
                    asked.push((listed.at, question));
                }
                let follows = ways(listing, listed.at);
                if follows.len() > 1 {
                    places.insert(listed.at);
                    places.extend(follows);
                }
                if is_probed(&listed.step) {
                    places.insert(listed.at);
                }
                let throws = matches!(self.criterion, Criterion::Exceptions | Criterion::Paths);
                if throws && (can_throw(&listed.step) || is_call(&listed.step)) {
                    places.insert(listed.at);
                }
                if matches!(listed.step, Step::Return(_)) {
                    places.insert(listed.at);
                }
            }
            if self.criterion == Criterion::Statements {
                places.extend(lines(method, listing).into_iter().map(Goal::at));
            }
            places.extend(listing.handlers.iter().map(|handler| handler.target));
            let places: Vec<u16> = places.into_iter().collect();
            let first = vm.probe(method, &places);
            self.probes.extend(first..first + places.len() as u32);
            for (at, question) in asked {
                let place = places.binary_search(&at).unwrap_or_default() as u32;
                questions.push((first + place, question));
            }
        }
        questions
    }

    /// The methods that a call of one can lead to, itself included.
    #[must_use]
    pub fn led_to(&self, method: MethodId) -> BTreeSet<MethodId> {
        let mut reached = BTreeSet::new();
        let mut open = vec![method];
        while let Some(method) = open.pop() {
            if reached.insert(method) {
                open.extend(self.calls.get(&method).into_iter().flatten());
            }
        }
        reached
    }

    /// Whether all that can be known to be wanted is reached: of paths there may always be more.
    #[must_use]
    pub fn are_done(&self, reached: &[Option<bool>]) -> bool {
        self.criterion != Criterion::Paths && reached.iter().all(|reached| *reached == Some(true))
    }

    /// The numbers of the probes that were put in last.
    pub(super) fn probes(&self) -> impl Iterator<Item = u32> {
        self.probes.iter().copied()
    }

    /// The number of a goal.
    #[must_use]
    pub fn number(&self, goal: Goal) -> Option<usize> {
        self.numbers.get(&goal).copied()
    }

    /// Forgets the paths that were seen: exploring begins anew.
    pub fn forget_paths(&mut self) {
        self.trees = ConstraintTrees::default();
        if self.criterion == Criterion::Paths {
            self.all.clear();
            self.numbers.clear();
        }
    }

    /// Paths that are new from here on are no goals: exploring is over.
    pub fn close_paths(&mut self) {
        self.grows = false;
    }

    /// Enters the path that a call of a method under test took into the trees; its goal, if it is one.
    fn path(&mut self, vm: &Vm, method: MethodId, visits: &[Visit], end: RunEnd) -> Option<usize> {
        let entered = self.trees.enter(vm, &self.listings, method, visits, end);
        let goal = Goal::Path(entered?);
        if self.grows && !self.numbers.contains_key(&goal) {
            self.numbers.insert(goal, self.all.len());
            self.all.push(goal);
        }
        self.number(goal)
    }

    /// Notes how far a call of a method under test was followed.
    pub fn left(&mut self, vm: &Vm, method: MethodId, visits: &[Visit]) {
        self.path(vm, method, visits, RunEnd::Left);
    }

    /// What a run reached, as numbers of goals, ascending: the probes that the call of a method under
    /// test came by, what was answered at them, from which event on by this call, and the class of the
    /// exception that it ended by.
    pub fn reached(
        &mut self,
        vm: &Vm,
        method: MethodId,
        (visits, events, own): (&[Visit], &[Event], usize),
        thrown: Option<ClassId>,
    ) -> Vec<usize> {
        let mut reached: BTreeSet<usize> = BTreeSet::new();
        self.read_events(vm, events, own, &mut reached);
        let of = |visit: &Visit| {
            let point = vm.point(visit.point);
            (point.method, point.at)
        };
        for (place, visit) in visits.iter().enumerate() {
            let (method, at) = of(visit);
            let next = visits.get(place + 1);
            let mut hit = |goal| reached.extend(self.numbers.get(&goal).copied());
            if at == 0 {
                hit(Goal::Entry(method));
            }
            match self.criterion {
                Criterion::Statements => hit(Goal::Line(method, at)),
                Criterion::Branches => {
                    if let Some(next) = next.filter(|next| next.depth == visit.depth)
                        && of(next).0 == method
                        && next.thrown.is_none()
                        && let Some(listing) = self.listings.get(&method)
                    {
                        let to = of(next).1;
                        let ways = ways(listing, at);
                        let way = ways.iter().position(|&way| way == to);
                        if let Some(way) = way.filter(|_| ways.len() > 1) {
                            hit(Goal::Branch(method, at, to, way as u16));
                        }
                    }
                }
                Criterion::Exceptions => {
                    // Whatever throws has a probe, so that the last one before a handler did; what is
                    // called may have none, and throw.
                    let ends = next.map_or(thrown.is_some(), |next| next.thrown.is_some());
                    let listing = self.listings.get(&method);
                    let step = listing.and_then(|listing| {
                        let place = listing.place(at)?;
                        Some(&listing.instructions[place].step)
                    });
                    if ends && step.is_some_and(|step| !is_call(step)) {
                        hit(Goal::Exception(method, at));
                    }
                }
                _ => {}
            }
        }
        let end = thrown.map_or(RunEnd::Returned, RunEnd::Threw);
        reached.extend(self.path(vm, method, visits, end));
        reached.into_iter().collect()
    }

    fn read_events(&self, vm: &Vm, events: &[Event], own: usize, reached: &mut BTreeSet<usize>) {
        let mut written: FxHashMap<(Option<Ref>, &Member), Site> = FxHashMap::default();
        for (number, event) in events.iter().enumerate() {
            let point = vm.point(event.point);
            let (method, at) = (point.method, point.at);
            let mut hit = |goal| {
                if number >= own {
                    reached.extend(self.numbers.get(&goal).copied());
                }
            };
            let object = match event.answer {
                Answered::Below => {
                    hit(Goal::Edge(method, at, Side::Below));
                    continue;
                }
                Answered::Equal => {
                    hit(Goal::Edge(method, at, Side::Equal));
                    continue;
                }
                Answered::Above => {
                    hit(Goal::Edge(method, at, Side::Above));
                    continue;
                }
                Answered::Wraps => {
                    hit(Goal::Wrap(method, at));
                    continue;
                }
                Answered::Null => {
                    hit(Goal::Exception(method, at));
                    continue;
                }
                Answered::Same(..) => continue,
                Answered::Object(object) => Some(object),
                Answered::Runs => None,
            };
            let Some(listing) = self.listings.get(&method) else {
                continue;
            };
            let step = listing
                .place(at)
                .map(|place| &listing.instructions[place].step);
            match step {
                Some(Step::PutField(field, _)) => {
                    written.insert((object, field), (method, at));
                }
                Some(Step::GetField(field, _)) => {
                    if let Some(&site) = written.get(&(object, field)) {
                        hit(Goal::Pair(site, (method, at)));
                    }
                }
                _ => {}
            }
        }
    }

    /// The source line of a goal.
    #[must_use]
    pub fn line(&self, goal: Goal) -> Option<u16> {
        let listing = self.listings.get(&goal.method())?;
        let place = listing.place(goal.at())?;
        listing.instructions[place].line
    }

    /// A goal for people: `put:31 key < parent.key holds`.
    #[must_use]
    pub fn text(&self, vm: &Vm, goal: Goal) -> String {
        let this = vm.method(goal.method());
        let name = vm.text(this.name);
        let place = match self.line(goal) {
            Some(line) => format!("{name}:{line}"),
            None => format!("{name}@{}", goal.at()),
        };
        let Some(listing) = self.listings.get(&goal.method()) else {
            return place;
        };
        let step = listing.place(goal.at());
        let step = step.map(|place| &listing.instructions[place].step);
        match (goal, step) {
            (Goal::Branch(_, at, to, _), Some(Step::Branch(test, _))) => {
                let jumps = ways(listing, at).last() == Some(&to);
                format!("{place} {}", test_text(*test, jumps))
            }
            (Goal::Branch(.., way), Some(Step::Switch(switch))) => {
                format!("{place} {}", case_text(listing, switch, way))
            }
            (Goal::Exception(..), Some(step)) => format!("{place} {}", throws_text(step)),
            (Goal::Edge(_, _, side), _) => {
                let side = match side {
                    Side::Below => "one less",
                    Side::Equal => "equal",
                    Side::Above => "one more",
                };
                format!("{place} {side}")
            }
            (Goal::Wrap(..), _) => format!("{place} wraps"),
            (Goal::Pair(write, _), Some(Step::GetField(field, _))) => {
                let line = self.line(Goal::Line(write.0, write.1));
                let writer = vm.text(vm.method(write.0).name);
                let writer = match line {
                    Some(line) => format!("{writer}:{line}"),
                    None => format!("{writer}@{}", write.1),
                };
                format!("{place} reads {} of {writer}", field.name)
            }
            (Goal::Path(path), _) => format!("{name} path {}", path.number),
            (Goal::Entry(_), _) => format!("{name} is called"),
            _ => place,
        }
    }
}

fn test_text(test: Test, jumps: bool) -> String {
    let (text, is_positive) = match test {
        Test::Compare(comparison) | Test::WithZero(comparison) => {
            let (positive, text) = match comparison {
                Comparison::Eq => (true, "equal"),
                Comparison::Ne => (false, "equal"),
                Comparison::Lt => (true, "less"),
                Comparison::Ge => (false, "less"),
                Comparison::Gt => (true, "greater"),
                Comparison::Le => (false, "greater"),
                Comparison::Below => (true, "below"),
            };
            (text, positive)
        }
        Test::Same(positive) => ("the same", positive),
        Test::Null(positive) => ("null", positive),
    };
    let not = if is_positive == jumps { "" } else { "not " };
    format!("{not}{text}")
}

fn case_text(listing: &Listing, switch: &Switch, way: u16) -> String {
    let mut seen = Vec::new();
    for case in &switch.pairs {
        if !seen.contains(&case.1) {
            seen.push(case.1);
        }
        if seen.len() == usize::from(way) + 1 {
            return string_switch::case_text(listing, switch, case.1)
                .unwrap_or_else(|| format!("case {}", case.0));
        }
    }
    "default".to_owned()
}

fn throws_text(step: &Step) -> String {
    let text = match step {
        Step::ArrayLoad(_) | Step::ArrayStore(_) => "throws: null, or an index out of bounds",
        Step::CheckCast(_) => "throws: not of the class",
        Step::NewArray(..) => "throws: a negative size",
        Step::Operate(..) => "throws: divided by zero",
        Step::Invoke(_, member) => return format!("throws: null.{}()", member.name),
        _ => "throws: null",
    };
    text.to_owned()
}
