//! Infers invariants by a fixed point: facts are dropped until every call preserves all remaining
//! ones.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use heapwright_code::CodeLocation;
use heapwright_explore::symbolic::{Facts, PathEnd, PathOutcome, SymbolicSearch};
use heapwright_jvm::descriptor::{self, Kind};
use heapwright_jvm::{ClassId, MethodId, Vm};

use super::fields::InvariantFields;
use crate::Error;
use crate::sequences::analysis::receivers::{is_inner, receivers};
use crate::sequences::proof::runner::{Runner, is_cut, open_reads};
use crate::sequences::proof::subject_code::SubjectCode;
use crate::target::methods;

/// Maximum number of paths run for the inference.
const MAX_PATHS: u64 = 20_000;

/// Returns the reasons why goals are infeasible given the facts that all calls preserve. Goals
/// without a proof are left out.
///
/// # Errors
/// Code cannot be read, or the solver cannot be used.
pub(in crate::sequences::proof) fn prove(
    vm: &mut Vm,
    runner: &Runner<'_>,
    mut wanted: BTreeSet<usize>,
) -> Result<BTreeMap<usize, String>, Error> {
    // Methods of other classes are not run.
    wanted.retain(|&goal| {
        let method = vm.method(runner.goals.all[goal].method());
        runner.code.graph.classes.contains(&method.class)
    });
    let mut fields = InvariantFields::of(vm, runner.code);
    if wanted.is_empty() || fields.all.is_empty() {
        return Ok(BTreeMap::new());
    }
    let (calls, others): (Vec<_>, Vec<_>) = calls(vm, runner.code)?
        .into_iter()
        .partition(|call| runner.code.is_closed(call.1));
    let unseen = [unseen(vm, runner.code)?, others].concat();
    // Methods that are not run may reach all goals, and write all fields, reachable from them.
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
    // Constructors alone come first: the facts after them are the initial hypothesis.
    while let InferenceRound::Dropped = inference.round(vm, &makers)? {}
    let all = [makers, others].concat();
    loop {
        match inference.round(vm, &all)? {
            InferenceRound::Dropped => {}
            InferenceRound::Left => return Ok(BTreeMap::new()),
            InferenceRound::Kept(left) => return Ok(inference.report(vm, &left)),
        }
    }
}

/// Result of running all calls once.
enum InferenceRound {
    /// Some facts were dropped.
    Dropped,
    /// All facts are preserved, and no call reaches these goals.
    Kept(BTreeSet<usize>),
    /// A limit was exceeded, or the inference was stopped.
    Left,
}

/// Returns methods with unknown receivers: lambdas for interfaces, unknown subclasses for abstract
/// classes.
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

/// Returns the calls that other code can make: a method with the class of its receiver or new
/// object. Methods called by class initialisers are included.
fn calls(vm: &mut Vm, code: &SubjectCode) -> Result<Vec<(ClassId, MethodId)>, Error> {
    let mut calls = Vec::new();
    let handed = &code.graph.externally_callable;
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
    /// The facts assumed.
    pub(super) facts: Rc<Facts>,
    pub(super) fields: InvariantFields,
    pub(super) runner: &'a Runner<'a>,
    /// The goals to prove infeasible.
    wanted: BTreeSet<usize>,
    /// Number of paths run so far.
    paths: u64,
}

impl InvariantInference<'_> {
    /// Runs each of some calls under the assumed facts.
    fn round(
        &mut self,
        vm: &mut Vm,
        calls: &[(ClassId, MethodId)],
    ) -> Result<InferenceRound, Error> {
        let left = RefCell::new(self.wanted.clone());
        let before = self.count();
        for &call in calls {
            if before == 0 || self.paths > MAX_PATHS || (self.runner.watch.stops)() {
                return Ok(InferenceRound::Left);
            }
            self.call(vm, call, &left)?;
        }
        Ok(match self.count() < before {
            true => InferenceRound::Dropped,
            false => InferenceRound::Kept(left.into_inner()),
        })
    }

    fn count(&self) -> usize {
        self.facts.values().map(Vec::len).sum()
    }

    /// Runs a call; drops facts that it may break and goals that it may reach.
    fn call(
        &mut self,
        vm: &mut Vm,
        call: (ClassId, MethodId),
        left: &RefCell<BTreeSet<usize>>,
    ) -> Result<(), Error> {
        let runner = self.runner;
        let method = call.1;
        let facts = Rc::clone(&self.facts);
        // Fields about which nothing is known after the call.
        let lost: RefCell<BTreeSet<usize>> = RefCell::default();
        let broken: RefCell<BTreeSet<(u32, usize)>> = RefCell::default();
        let can_start =
            |site: &CodeLocation| runner.code.graph.reachable_from(method, 0).contains(site);
        let lose = |is_lost: &dyn Fn(&CodeLocation) -> bool| {
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
        // Removes the goals that come after what an unknown class does on the path, if it does
        // anything: it sees objects in their state at that time.
        let follow_open = |vm: &Vm| {
            let visits = vm.visits();
            let is_open = |end: &usize| {
                let site = runner.points.get(&visits[end - 1].point);
                site.is_some_and(|site| runner.code.open_sites.contains(site))
            };
            let ends = (1..=visits.len()).filter(is_open);
            let ends = ends.chain(open_reads(vm.read_positions()));
            let ends: Vec<usize> = ends.collect();
            for &end in &ends {
                left.borrow_mut().retain(|&goal| {
                    let site = runner.site(goal);
                    match end {
                        0 => !can_start(&site),
                        _ => !(runner.code).may_follow(&runner.points, &visits[..end], site),
                    }
                });
            }
            !ends.is_empty()
        };
        let cut = |vm: &Vm| {
            left.borrow_mut()
                .retain(|&goal| !runner.can_reach(vm, runner.site(goal)));
        };
        // An input that is only partly known represents further paths.
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
            if follow_open(vm) {
                lose(&can_start);
            }
            if is_cut(&end.outcome) {
                cut(vm);
                // Code that is called back sees the objects in their current state.
                match runner.may_leave(vm) {
                    true => lose(&can_start),
                    false => lose(&|&site| runner.can_reach(vm, site)),
                }
            }
            let mut roots = Vec::new();
            match end.outcome {
                PathOutcome::Returned(slot) if kind == Kind::Reference => roots.push(slot),
                PathOutcome::Threw(exception) => roots.push(exception.slot()),
                _ => {}
            }
            // If a constructor throws, the new object is not accessible.
            if !matches!(end.outcome, PathOutcome::Threw(_)) || !is_new {
                roots.extend(search.receiver().map(|object| object.slot()));
            }
            // Objects in static fields are accessible to other code.
            roots.extend(
                runner
                    .code
                    .exposed_statics
                    .iter()
                    .map(|&word| vm.heap.load(word)),
            );
            for object in search.within_reach(vm, &roots) {
                let class = vm.heap.class_of(object);
                for above in vm.class(class).display.clone() {
                    let Some(facts) = facts.get(&above) else {
                        continue;
                    };
                    let gone = search.violated(vm, object, facts)?;
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
