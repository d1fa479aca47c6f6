//! The fixpoint: facts are dropped until every call keeps all that are left.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use heapwright_code::Site;
use heapwright_explore::symbolic::{Facts, Outcome, PathEnd, SymbolicSearch};
use heapwright_jvm::descriptor::{self, Kind};
use heapwright_jvm::{ClassId, MethodId, Vm};

use super::fields::Fields;
use crate::Error;
use crate::sequences::analysis::receivers::{is_inner, receivers};
use crate::sequences::proof::runner::{Runner, is_cut};
use crate::sequences::proof::subject_code::SubjectCode;
use crate::target::methods;

/// Most paths that are run for facts.
const MAX_PATHS: u64 = 20_000;

/// Why each of some goals is infeasible by what all calls keep; those of which nothing is proved are left
/// out.
///
/// # Errors
/// SubjectCode cannot be read, or the solver cannot be used.
pub(in crate::sequences::proof) fn prove(
    vm: &mut Vm,
    runner: &Runner<'_>,
    mut wanted: BTreeSet<usize>,
) -> Result<BTreeMap<usize, String>, Error> {
    // What other classes call is not run.
    wanted.retain(|&goal| {
        let method = vm.method(runner.goals.all[goal].method());
        runner.code.graph.classes.contains(&method.class)
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
            let reached = runner.code.graph.reachable_from(method, 0);
            reached.contains(&runner.site(goal))
        })
    });
    for &(class, method) in &unseen {
        let reached = runner.code.graph.reachable_from(method, 0);
        let is_new = is_maker(vm, method);
        fields.all.retain(|field| {
            let mut writes = field.writes.iter();
            let is_new = is_new && vm.is_subclass(class, field.class);
            !is_new && !writes.any(|site| reached.contains(site))
        });
    }
    let mut inference = InvariantInference {
        facts: Rc::new(fields.candidates()),
        fields,
        runner,
        wanted,
        paths: 0,
    };
    let (makers, others): (Vec<_>, Vec<_>) =
        calls.into_iter().partition(|call| is_maker(vm, call.1));
    // What constructors leave is what there is to suppose.
    while let Round::Dropped = inference.round(vm, &makers)? {}
    let all = [makers, others].concat();
    loop {
        match inference.round(vm, &all)? {
            Round::Dropped => {}
            Round::Left => return Ok(BTreeMap::new()),
            Round::Kept(left) => return Ok(inference.report(vm, &left)),
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
fn unseen(vm: &mut Vm, code: &SubjectCode) -> Result<Vec<(ClassId, MethodId)>, Error> {
    let mut unseen = Vec::new();
    for &class in code.graph.classes.iter() {
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
fn calls(vm: &mut Vm, code: &SubjectCode) -> Result<Vec<(ClassId, MethodId)>, Error> {
    let mut calls = Vec::new();
    let handed = &code.graph.handed;
    for &class in code.graph.classes.iter() {
        let receivers = receivers(vm, class)?;
        let own = vm.class(class).methods.clone();
        for method in own {
            let this = vm.method(method);
            let is_inner = is_inner(vm, method) && !handed.contains(&method);
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
                let is_inner = is_inner(vm, method) && !handed.contains(&method);
                let is_own = code.graph.classes.contains(&this.class);
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

pub(super) struct InvariantInference<'a> {
    /// Those that are supposed.
    pub(super) facts: Rc<Facts>,
    pub(super) fields: Fields,
    pub(super) runner: &'a Runner<'a>,
    /// The goals that are sought.
    wanted: BTreeSet<usize>,
    /// Paths run so far.
    paths: u64,
}

impl InvariantInference<'_> {
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
        let can_start = |site: &Site| runner.code.graph.reachable_from(method, 0).contains(site);
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
            // What static fields hold others find.
            roots.extend(runner.code.shown.iter().map(|&word| vm.heap.load(word)));
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
}
