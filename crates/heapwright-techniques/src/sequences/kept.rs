//! Facts about a class's fields that every call keeps, and what follows of goals.
//!
//! Each method is a set of paths on open objects, each with what it asks of the fields before and what it
//! leaves in them (the summaries of Buy et al., thesis, 4.1.2). They are put together to a fixpoint:
//! facts are supposed of all objects before a call, and those that some path need not keep are dropped, until
//! all paths keep all that are left, constructors among them (Flanagan and Leino's Houdini). So no
//! sequence leads to an object of which they do not hold, and a goal that no call then comes by is
//! infeasible.
//!
//! Invariant: only fields count that nothing but the code that is run can write. A path that is not followed
//! to its end keeps no fact about what could still be written.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use heapwright_explore::symbolic::{Claim, Fact, Facts, Outcome, PathEnd, SymbolicSearch};
use heapwright_jvm::class::flags;
use heapwright_jvm::descriptor::{self, Kind};
use heapwright_jvm::listing::{Listing, Step};
use heapwright_jvm::{ClassId, Comparison, MethodId, Vm};

use super::prove::{Runner, is_cut, receivers};
use super::reach::{Code, Site};
use crate::Error;
use crate::target::{inner_class, methods};

/// Most paths that are run for facts.
const MAX_PATHS: u64 = 20_000;
/// Most fields of a class that are held against each other.
const MAX_FIELDS: usize = 8;
/// Most constants that a field is held against.
const MAX_CONSTANTS: usize = 8;
/// Most facts that a reason names.
const MAX_TOLD: usize = 3;
/// What could write fields and is no instruction that does.
const UNSEEN_WRITERS: [&str; 3] = ["VarHandle", "FieldUpdater", "misc/Unsafe"];

/// Why each of some goals is infeasible by what all calls keep; those of which nothing is proved are left
/// out.
///
/// # Errors
/// Code cannot be read, or the solver cannot be used.
pub(super) fn prove(
    vm: &mut Vm,
    runner: &Runner<'_>,
    mut wanted: BTreeSet<usize>,
) -> Result<BTreeMap<usize, String>, Error> {
    // What other classes call is not run.
    wanted.retain(|&goal| {
        let method = vm.method(runner.goals.all[goal].method());
        runner.code.classes.contains(&method.class)
    });
    let mut fields = Fields::of(vm, runner.code);
    if wanted.is_empty() || fields.all.is_empty() {
        return Ok(BTreeMap::new());
    }
    let (calls, others): (Vec<_>, Vec<_>) = calls(vm, runner.code)?
        .into_iter()
        .partition(|call| runner.code.is_closed(call.1));
    let unseen = [unseen(vm, runner.code)?, others].concat();
    // What is not run may come by all that it leads to, and write all fields there.
    wanted.retain(|&goal| {
        let mut unseen = unseen.iter();
        !unseen.any(|&(_, method)| {
            let reached = runner.code.reachable_from(method, 0);
            reached.contains(&runner.site(goal))
        })
    });
    for &(class, method) in &unseen {
        let reached = runner.code.reachable_from(method, 0);
        let is_new = is_maker(vm, method);
        fields.all.retain(|field| {
            let mut writes = field.writes.iter();
            let is_new = is_new && vm.is_subclass(class, field.class);
            !is_new && !writes.any(|site| reached.contains(site))
        });
    }
    let mut keeper = Keeper {
        facts: Rc::new(fields.candidates()),
        fields,
        runner,
        wanted,
        paths: 0,
    };
    let (makers, others): (Vec<_>, Vec<_>) =
        calls.into_iter().partition(|call| is_maker(vm, call.1));
    // What constructors leave is what there is to suppose.
    while let Round::Dropped = keeper.round(vm, &makers)? {}
    let all = [makers, others].concat();
    loop {
        match keeper.round(vm, &all)? {
            Round::Dropped => {}
            Round::Left => return Ok(BTreeMap::new()),
            Round::Kept(left) => return Ok(keeper.told(vm, &left)),
        }
    }
}

/// What all calls, each once, come to.
enum Round {
    /// Some facts were dropped.
    Dropped,
    /// All facts are kept; no call comes by these goals.
    Kept(BTreeSet<usize>),
    /// It is too much, or it was stopped.
    Left,
}

/// Methods that are called on objects of which none are known: of interfaces on lambdas, of abstract
/// classes on whatever somebody makes of them.
fn unseen(vm: &mut Vm, code: &Code) -> Result<Vec<(ClassId, MethodId)>, Error> {
    let mut unseen = Vec::new();
    for &class in code.classes.iter() {
        if receivers(vm, class)?.is_empty() {
            let own = vm.class(class).methods.iter().copied();
            let called = own.filter(|&method| {
                let this = vm.method(method);
                !this.is_static() && !this.is_abstract()
            });
            unseen.extend(called.map(|method| (class, method)));
        }
    }
    Ok(unseen)
}

/// What other code can call: a method, and the class of the object on which it is, or that is made; what
/// class initializers call is among them.
fn calls(vm: &mut Vm, code: &Code) -> Result<Vec<(ClassId, MethodId)>, Error> {
    let mut calls = Vec::new();
    let mut handed = BTreeSet::clone(&code.handed);
    for &class in code.classes.iter() {
        if let Some(listing) = initializer(vm, class) {
            for listed in &listing.instructions {
                match &listed.step {
                    Step::Invoke(_, member) => handed.extend(vm.named_method(member)),
                    Step::Dynamic(_, _, members) => {
                        for member in members {
                            handed.extend(vm.named_method(member));
                        }
                    }
                    _ => {}
                }
            }
        }
    }
    for &class in code.classes.iter() {
        let receivers = receivers(vm, class)?;
        let own = vm.class(class).methods.clone();
        for method in own {
            let this = vm.method(method);
            let is_inner = this.flags & flags::PRIVATE != 0 && !handed.contains(&method);
            if this.is_static() && !is_inner && vm.text(this.name) != "<clinit>" {
                calls.push((class, method));
            }
        }
        for receiver in receivers {
            let made = vm.class(receiver).methods.iter().copied();
            let makers = made.filter(|&method| is_maker(vm, method));
            calls.extend(makers.map(|method| (receiver, method)));
            for method in methods(vm, receiver) {
                let this = vm.method(method);
                let is_inner = this.flags & flags::PRIVATE != 0 && !handed.contains(&method);
                let is_own = code.classes.contains(&this.class);
                if is_own && !this.is_static() && !this.is_abstract() && !is_inner {
                    calls.push((receiver, method));
                }
            }
        }
    }
    let mut seen = BTreeSet::new();
    calls.retain(|(class, method)| seen.insert((class.0, method.0)));
    Ok(calls)
}

/// Whether a method is a constructor.
fn is_maker(vm: &Vm, method: MethodId) -> bool {
    vm.text(vm.method(method).name) == "<init>"
}

/// The code of a class initializer, if there is one.
fn initializer(vm: &Vm, class: ClassId) -> Option<Listing> {
    let mut methods = vm.class(class).methods.iter().copied();
    let found = methods.find(|&method| vm.text(vm.method(method).name) == "<clinit>");
    vm.listing(found?).ok()
}

/// The fields that nothing but the code under test writes.
struct Fields {
    all: Vec<Field>,
}

struct Field {
    class: ClassId,
    word: u32,
    kind: Kind,
    name: String,
    /// Where it is written.
    writes: Vec<Site>,
    /// The constants that are written to it, and those of the code that writes it.
    stored: BTreeSet<i64>,
    beside: BTreeSet<i64>,
}

impl Field {
    fn is_integral(&self) -> bool {
        matches!(
            self.kind,
            Kind::Int | Kind::Short | Kind::Byte | Kind::Char | Kind::Long
        )
    }

    /// The kind in which it is compared.
    fn compared(&self) -> Kind {
        match self.kind {
            Kind::Long => Kind::Long,
            _ => Kind::Int,
        }
    }

    fn is_to(&self, comparison: Comparison, value: i64) -> Claim {
        Claim::IsTo(comparison, self.compared(), self.word, value)
    }
}

impl Fields {
    fn of(vm: &mut Vm, code: &Code) -> Fields {
        let mut all: Vec<Field> = Vec::new();
        for &class in code.classes.iter() {
            // Local classes have no flags of their own that say so.
            let is_hidden = inner_class(vm, class)
                .is_some_and(|inner| inner.outer.is_none() || inner.flags & flags::PRIVATE != 0);
            for field in &vm.class(class).fields {
                let is_own = is_hidden || field.flags & (flags::PRIVATE | flags::FINAL) != 0;
                if !field.is_static() && is_own {
                    all.push(Field {
                        class,
                        word: field.word,
                        kind: field.kind,
                        name: vm.text(field.name).to_owned(),
                        writes: Vec::new(),
                        stored: BTreeSet::new(),
                        beside: BTreeSet::new(),
                    });
                }
            }
        }
        let is_unseen = |class: &str| UNSEEN_WRITERS.iter().any(|one| class.contains(one));
        for (&method, listing) in code.listings.iter() {
            let steps = listing.instructions.iter().map(|listed| &listed.step);
            let number = |step: &Step| match *step {
                Step::Number(Kind::Long, bits) => Some(bits as i64),
                Step::Number(Kind::Float | Kind::Double, _) => None,
                Step::Number(_, bits) => Some(i64::from(bits as u32 as i32)),
                _ => None,
            };
            let numbers: BTreeSet<i64> = steps.clone().filter_map(number).collect();
            let mut before: Option<i64> = None;
            for listed in &listing.instructions {
                match &listed.step {
                    Step::PutField(member, false) => {
                        let found = vm.named_field(member);
                        let found = found.map(|field| (field.class, field.word));
                        let field = all
                            .iter_mut()
                            .find(|field| Some((field.class, field.word)) == found);
                        if let Some(field) = field {
                            field.writes.push((method, listed.at));
                            field.stored.extend(before);
                            field.beside.extend(&numbers);
                        }
                    }
                    Step::Invoke(_, member) if is_unseen(&member.class) => {
                        return Fields { all: Vec::new() };
                    }
                    _ => {}
                }
                before = number(&listed.step);
            }
        }
        for &class in code.classes.iter() {
            if let Some(listing) = initializer(vm, class) {
                for listed in &listing.instructions {
                    if let Step::PutField(member, false) = &listed.step {
                        let found = vm.named_field(member);
                        let found = found.map(|field| (field.class, field.word));
                        all.retain(|field| Some((field.class, field.word)) != found);
                    }
                }
            }
        }
        Fields { all }
    }

    /// Facts that may hold.
    fn candidates(&self) -> Facts {
        let mut facts = Facts::default();
        let classes: BTreeSet<u32> = self.all.iter().map(|field| field.class.0).collect();
        for class in classes.into_iter().map(ClassId) {
            let own: Vec<&Field> = self
                .all
                .iter()
                .filter(|field| field.class == class)
                .collect();
            let mut of_class = Vec::new();
            for field in &own {
                alone(field, &mut of_class);
            }
            if own.len() <= MAX_FIELDS {
                for (place, first) in own.iter().enumerate() {
                    for second in &own[place + 1..] {
                        together(first, second, &mut of_class);
                    }
                }
            }
            facts.insert(class, of_class);
        }
        facts
    }
}

/// What may be said of one field.
fn alone(field: &Field, facts: &mut Vec<Fact>) {
    if field.kind == Kind::Reference {
        facts.push(Fact::Not(Claim::Null(field.word)));
        return;
    }
    if !field.is_integral() {
        return;
    }
    let mut few: Vec<i64> = field.stored.iter().copied().take(MAX_CONSTANTS).collect();
    let is = |values: &[i64]| {
        let values = values.iter();
        Fact::Any(
            values
                .map(|&value| field.is_to(Comparison::Eq, value))
                .collect(),
        )
    };
    if few.len() > 1 {
        facts.push(is(&few));
    }
    if !few.is_empty() && !few.contains(&0) {
        few.insert(few.partition_point(|&value| value < 0), 0);
        facts.push(is(&few));
    }
    let least: BTreeSet<i64> = [-1, 0, 1].into_iter().chain(few.first().copied()).collect();
    let bound = |comparison, value| Fact::Any(vec![field.is_to(comparison, value)]);
    facts.extend(least.into_iter().map(|value| bound(Comparison::Ge, value)));
    let most = field.beside.iter().copied().rev();
    let most = most.filter(|&value| value != i64::MAX && value != i64::from(i32::MAX));
    let most = most.take(MAX_CONSTANTS);
    facts.extend(most.map(|value| bound(Comparison::Le, value)));
}

/// What may be said of two fields of an object.
fn together(first: &Field, second: &Field, facts: &mut Vec<Fact>) {
    let is_reference = |field: &Field| field.kind == Kind::Reference;
    let is_zero = |field: &Field| match field.kind {
        Kind::Reference => Some(Claim::Null(field.word)),
        Kind::Float | Kind::Double => None,
        _ => Some(field.is_to(Comparison::Eq, 0)),
    };
    if is_reference(first) || is_reference(second) {
        let both = is_zero(first).zip(is_zero(second));
        facts.extend(both.map(|(first, second)| Fact::Alike(first, second)));
    } else if first.is_integral() && first.kind == second.kind {
        for (first, second) in [(first, second), (second, first)] {
            let kind = first.compared();
            let claim = Claim::NotGreater(kind, first.word, second.word);
            facts.push(Fact::Any(vec![claim]));
        }
    }
}

struct Keeper<'a> {
    /// Those that are supposed.
    facts: Rc<Facts>,
    fields: Fields,
    runner: &'a Runner<'a>,
    /// The goals that are sought.
    wanted: BTreeSet<usize>,
    /// Paths run so far.
    paths: u64,
}

impl Keeper<'_> {
    /// Runs each of some calls on what is supposed.
    fn round(&mut self, vm: &mut Vm, calls: &[(ClassId, MethodId)]) -> Result<Round, Error> {
        let left = RefCell::new(self.wanted.clone());
        let before = self.count();
        for &call in calls {
            if before == 0 || self.paths > MAX_PATHS || (self.runner.watch.stops)() {
                return Ok(Round::Left);
            }
            self.call(vm, call, &left)?;
        }
        Ok(match self.count() < before {
            true => Round::Dropped,
            false => Round::Kept(left.into_inner()),
        })
    }

    fn count(&self) -> usize {
        self.facts.values().map(Vec::len).sum()
    }

    /// Runs a call, drops the facts that it need not keep, and the goals that it can come by.
    fn call(
        &mut self,
        vm: &mut Vm,
        call: (ClassId, MethodId),
        left: &RefCell<BTreeSet<usize>>,
    ) -> Result<(), Error> {
        let runner = self.runner;
        let method = call.1;
        let facts = Rc::clone(&self.facts);
        // Fields about which nothing is known behind the call.
        let lost: RefCell<BTreeSet<usize>> = RefCell::default();
        let broken: RefCell<BTreeSet<(u32, usize)>> = RefCell::default();
        let can_start = |site: &Site| runner.code.reachable_from(method, 0).contains(site);
        let lose = |is_lost: &dyn Fn(&Site) -> bool| {
            let fields = self.fields.all.iter().enumerate();
            let gone = fields.filter(|(_, field)| field.writes.iter().any(is_lost));
            lost.borrow_mut().extend(gone.map(|(number, _)| number));
        };
        let come_by = |vm: &Vm| {
            let visits = vm.visits();
            let mut left = left.borrow_mut();
            for end in 1..=visits.len() {
                for goal in runner.sought.come_by(&runner.points, &visits[..end]) {
                    left.remove(&goal);
                }
            }
        };
        let cut = |vm: &Vm| {
            left.borrow_mut()
                .retain(|&goal| !runner.can_reach(vm, runner.site(goal)));
        };
        // Behind an input that is known in part the path stands for others that go other ways.
        let cuts = |vm: &Vm| {
            come_by(vm);
            cut(vm);
            lose(&can_start);
        };
        let mut paths = 0;
        let returned = descriptor::split_method(vm.text(vm.method(method).descriptor));
        let kind = returned.map_or(Kind::Void, |(_, result)| Kind::of(result));
        let is_new = is_maker(vm, method);
        let mut look = |vm: &mut Vm, end: &PathEnd, search: &mut SymbolicSearch<'_>| {
            paths += 1;
            come_by(vm);
            if is_cut(&end.outcome) {
                cut(vm);
                // What is called back finds objects as they are then.
                match runner.may_leave(vm) {
                    true => lose(&can_start),
                    false => lose(&|&site| runner.can_reach(vm, site)),
                }
            }
            let mut roots = Vec::new();
            match end.outcome {
                Outcome::Returned(slot) if kind == Kind::Reference => roots.push(slot),
                Outcome::Threw(exception) => roots.push(exception.slot()),
                _ => {}
            }
            // What is being made is nobody's if that throws.
            if !matches!(end.outcome, Outcome::Threw(_)) || !is_new {
                roots.extend(search.receiver().map(|object| object.slot()));
            }
            for object in search.within_reach(vm, &roots) {
                let class = vm.heap.class_of(object);
                for above in vm.class(class).display.clone() {
                    let Some(facts) = facts.get(&above) else {
                        continue;
                    };
                    let gone = search.broken(vm, object, facts)?;
                    broken
                        .borrow_mut()
                        .extend(gone.into_iter().map(|place| (above.0, place)));
                }
            }
            Ok(true)
        };
        let is_whole = runner.run(vm, call, &facts, None, &cuts, &mut look)?;
        if !is_whole {
            let sites = |goal: usize| runner.site(goal);
            left.borrow_mut().retain(|&goal| !can_start(&sites(goal)));
            lose(&can_start);
            let fields = self.fields.all.iter().enumerate();
            let of_new = fields.filter(|(_, field)| is_new && vm.is_subclass(call.0, field.class));
            lost.borrow_mut().extend(of_new.map(|(number, _)| number));
        }
        self.paths += paths;
        let (lost, broken) = (lost.into_inner(), broken.into_inner());
        self.drop_facts(&lost, &broken);
        Ok(())
    }

    fn drop_facts(&mut self, lost: &BTreeSet<usize>, broken: &BTreeSet<(u32, usize)>) {
        if lost.is_empty() && broken.is_empty() {
            return;
        }
        let mut facts = Facts::clone(&self.facts);
        for (class, facts) in &mut facts {
            let mut place = 0;
            facts.retain(|fact| {
                place += 1;
                let is_lost = lost.iter().any(|&field| {
                    let field = &self.fields.all[field];
                    field.class == *class && fact.is_about(field.word)
                });
                !is_lost && !broken.contains(&(class.0, place - 1))
            });
        }
        self.facts = facts.into();
    }

    /// Why goals are infeasible.
    fn told(&self, vm: &mut Vm, goals: &BTreeSet<usize>) -> BTreeMap<usize, String> {
        let mut told = BTreeMap::new();
        for &goal in goals {
            let method = self.runner.goals.all[goal].method();
            let mut read = Vec::new();
            if let Some(listing) = self.runner.code.listings.get(&method) {
                for listed in &listing.instructions {
                    if let Step::GetField(member, false) = &listed.step {
                        let found = vm.named_field(member);
                        read.extend(found.map(|field| (field.class, field.word)));
                    }
                }
            }
            let fields = self.fields.all.iter();
            let fields = fields.filter(|field| read.contains(&(field.class, field.word)));
            let of_fields: Vec<Vec<String>> = fields.map(|field| self.of_field(field)).collect();
            // Of each field one, then more.
            let longest = of_fields.iter().map(Vec::len).max().unwrap_or(0);
            let mut facts: Vec<&String> = Vec::new();
            for place in 0..longest {
                for fact in of_fields.iter().filter_map(|facts| facts.get(place)) {
                    if !facts.contains(&fact) && facts.len() < MAX_TOLD {
                        facts.push(fact);
                    }
                }
            }
            let facts: Vec<&str> = facts.into_iter().map(|fact| &fact[..]).collect();
            let facts = match facts.is_empty() {
                true => "what all calls keep".to_owned(),
                false => facts.join(", "),
            };
            told.insert(goal, format!("no call does, as all calls keep {facts}"));
        }
        told
    }

    /// What is known of a field, the strongest first.
    fn of_field(&self, field: &Field) -> Vec<String> {
        let facts = self.facts.get(&field.class);
        let own = facts.into_iter().flatten();
        let own: Vec<&Fact> = own.filter(|fact| fact.is_about(field.word)).collect();
        let name = |word: u32| {
            let mut fields = self.fields.all.iter();
            let found = fields.find(|other| (other.class, other.word) == (field.class, word));
            found.map_or("?", |found| &found.name[..])
        };
        let mut told = Vec::new();
        let values = own.iter().find_map(|fact| match fact {
            Fact::Any(claims) if claims.len() > 1 => Some(claims),
            _ => None,
        });
        if let Some(claims) = values {
            let values = claims.iter().filter_map(|claim| match claim {
                Claim::IsTo(_, _, _, value) => Some(value.to_string()),
                _ => None,
            });
            let values: Vec<String> = values.collect();
            told.push(format!("{} one of {}", field.name, values.join(", ")));
            return told;
        }
        let (mut least, mut most) = (None, None);
        for fact in &own {
            match fact {
                Fact::Not(Claim::Null(_)) => told.push(format!("{} not null", field.name)),
                Fact::Any(claims) => match claims[..] {
                    [Claim::IsTo(Comparison::Ge, _, _, value)] => least = least.max(Some(value)),
                    [Claim::IsTo(Comparison::Le, _, _, value)] => {
                        most = Some(most.map_or(value, |most: i64| most.min(value)));
                    }
                    [Claim::NotGreater(_, first, second)] => {
                        told.push(format!("{} <= {}", name(first), name(second)));
                    }
                    _ => {}
                },
                Fact::Alike(first, second) => {
                    let of = |claim: &Claim| match *claim {
                        Claim::Null(word) => format!("{} == null", name(word)),
                        Claim::IsTo(_, _, word, value) => format!("{} == {value}", name(word)),
                        Claim::NotGreater(..) => String::new(),
                    };
                    told.push(format!("{} where {}", of(first), of(second)));
                }
                Fact::Not(_) => {}
            }
        }
        let most = most.map(|most| format!("{} <= {most}", field.name));
        let least = least.map(|least| format!("{} >= {least}", field.name));
        told.splice(0..0, least.into_iter().chain(most));
        told
    }
}
