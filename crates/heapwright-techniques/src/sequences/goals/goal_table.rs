//! The goals of the methods under test, and the code that contains them.
//!
//! Code under test is the methods under test and their non-public callees with the same outermost
//! class, and what local and anonymous classes in it override of these; or all code of whole
//! classes that a compiler did not make, whether these methods lead to it or not. Branches on
//! whether assertions are enabled are no goals, since tests cannot choose them.

use std::collections::{BTreeMap, BTreeSet};

use heapwright_code::{nested_classes, outermost_class_name};
use heapwright_jvm::class::flags;
use heapwright_jvm::descriptor;
use heapwright_jvm::listing::{ListedOperation, Listing};
use heapwright_jvm::{ClassId, MethodId, Vm};
use rustc_hash::{FxHashMap, FxHashSet};

use super::goal::Goal;
use super::goal_sites::{branches, edges, exceptions, lines, places, wraps};
use super::trees::ConstraintTrees;
use crate::Error;
use crate::existing::ExistingCoverage;
use crate::mutation::is_generated;
use crate::sequences::model::CoverageCriterion;
use crate::target::{called_back, is_local, is_overridden, overriding};

/// The goals of some methods.
pub struct GoalTable {
    /// The criterion.
    pub criterion: CoverageCriterion,
    /// The methods under test, then their callees.
    pub methods: Vec<MethodId>,
    /// Their code.
    pub listings: BTreeMap<MethodId, Listing>,
    /// All goals, in the order of methods and code. Paths are appended as they are found.
    pub all: Vec<Goal>,
    /// The number of goals at the end that are none of the criterion: places that tests should come
    /// to, too, as far as that takes little.
    further: usize,
    /// All paths seen so far, under any criterion.
    pub trees: ConstraintTrees,
    /// Whether a newly seen path becomes a goal.
    pub(super) grows: bool,
    pub(super) numbers: FxHashMap<Goal, usize>,
    /// The numbers of the probes.
    pub(super) probes: Vec<u32>,
    /// The callees of each method, among these methods.
    calls: BTreeMap<MethodId, Vec<MethodId>>,
}

impl GoalTable {
    /// Collects the goals of methods under test; of all code of classes that are `whole`, if there
    /// are any. Code gets probes later.
    ///
    /// # Errors
    /// Code cannot be read.
    pub fn new(
        vm: &mut Vm,
        under_test: &[MethodId],
        whole: &[ClassId],
        criterion: CoverageCriterion,
    ) -> Result<GoalTable, Error> {
        let mut goals = GoalTable {
            criterion,
            methods: Vec::new(),
            listings: BTreeMap::new(),
            all: Vec::new(),
            further: 0,
            trees: ConstraintTrees::default(),
            grows: criterion == CoverageCriterion::Paths,
            numbers: FxHashMap::default(),
            probes: Vec::new(),
            calls: BTreeMap::new(),
        };
        let entered = goals.collect_methods(vm, under_test, whole)?;
        for method in goals.methods.clone() {
            let listing = &goals.listings[&method];
            let own = match criterion {
                CoverageCriterion::Branches => branches(method, listing),
                CoverageCriterion::Statements => lines(method, listing),
                CoverageCriterion::Exceptions => {
                    exceptions(method, listing, vm.method(method).is_static())
                }
                CoverageCriterion::Boundaries => edges(method, listing),
                CoverageCriterion::Overflow => wraps(method, listing),
                CoverageCriterion::Paths | CoverageCriterion::DefUse => Vec::new(),
            };
            let is_bare = own.is_empty()
                && criterion == CoverageCriterion::Branches
                && entered.contains(&method);
            goals.all.extend(own);
            if is_bare {
                goals.all.push(Goal::Entry(method));
            }
        }
        if criterion == CoverageCriterion::DefUse {
            goals.all = goals.pairs(vm, under_test)?;
        }
        let numbered = goals.all.iter().copied().zip(0..);
        goals.numbers = numbered.collect();
        Ok(goals)
    }

    /// Adds the places of code for which no branch stands as further goals: handlers, and the returns
    /// of methods that have goals or callers. Nothing leads to others, such as private constructors.
    pub(in crate::sequences) fn add_places(&mut self) {
        let with_goals = self.all.iter().map(|goal| goal.method());
        let called = self.calls.values().flatten().copied();
        let entered: BTreeSet<MethodId> = with_goals.chain(called).collect();
        let listings = self.methods.iter().filter_map(|&method| {
            let listing = self.listings.get(&method)?;
            Some(places(method, listing, entered.contains(&method)))
        });
        let added: Vec<Goal> = listings.flatten().collect();
        let numbered = added.iter().copied().zip(self.all.len()..);
        self.numbers.extend(numbered);
        self.further += added.len();
        self.all.extend(added);
    }

    /// Removes the further goals.
    pub(in crate::sequences) fn drop_places(&mut self) {
        for goal in self.all.split_off(self.listed()) {
            self.numbers.remove(&goal);
        }
        self.further = 0;
    }

    /// Returns the number of the goals of the criterion, which come before further ones.
    #[must_use]
    pub fn listed(&self) -> usize {
        self.all.len() - self.further
    }

    /// Collects the methods under test and their callees. Returns those that other code calls: the
    /// methods under test, and what overrides these or methods of other classes.
    fn collect_methods(
        &mut self,
        vm: &mut Vm,
        under_test: &[MethodId],
        whole: &[ClassId],
    ) -> Result<BTreeSet<MethodId>, Error> {
        let is_above = |method: &MethodId| {
            let this = vm.method(*method);
            vm.class(this.class).is_abstract() && vm.text(this.name) == "<init>"
        };
        let called = under_test.iter().copied();
        let mut entered: BTreeSet<MethodId> = called.filter(|it| !is_above(it)).collect();
        let mut lambdas = Vec::new();
        let nested = match whole.is_empty() {
            true => nameless_classes(vm, under_test),
            false => whole.to_vec(),
        };
        // What is left of whole classes comes last: nothing leads to it.
        let mut open: Vec<MethodId> = written(vm, whole);
        // An invariant says what holds: it is under test only where the request names it, or code calls it.
        for &class in whole {
            let invariant = crate::target::find_invariant(vm, class, None);
            open.retain(|method| !invariant.as_ref().is_ok_and(|one| one == method));
        }
        open.reverse();
        open.extend(under_test.iter().rev());
        let mut known: BTreeSet<MethodId> = BTreeSet::new();
        while let Some(method) = open.pop() {
            if vm.method(method).index.is_none()
                || vm.method(method).is_native()
                || !known.insert(method)
            {
                continue;
            }
            let is_foreign =
                is_overridden(vm, whole, method) && !whole.contains(&vm.method(method).class);
            if vm.method(method).is_abstract() || is_foreign {
                let overriding = overriding(vm, &nested, method);
                if is_foreign {
                    entered.extend(overriding.iter().filter(|&&own| !is_made(vm, own)));
                }
                open.extend(overriding.iter().rev());
                self.calls.insert(method, overriding);
                continue;
            }
            let listing = vm.listing(method).map_err(|reason| Error::BadClass {
                class: vm.binary_name(vm.method(method).class),
                reason: format!("{}: {reason}", vm.method_text(method)),
            })?;
            let mut called = Vec::new();
            // A test calls an override on an object of a class below, which it may not name.
            let overrides = overriding(vm, &nested, method);
            if under_test.contains(&method) {
                entered.extend(overrides.iter().filter(|&&own| !is_made(vm, own)));
            }
            for listed in &listing.instructions {
                let members = match &listed.step {
                    ListedOperation::Invoke(_, member) => std::slice::from_ref(member),
                    ListedOperation::Dynamic(name, made, handed) => {
                        let (_, made) = descriptor::split_method(made).unwrap_or_default();
                        let bodies = handed.iter().filter_map(|body| vm.named_method(body));
                        lambdas.extend(bodies.map(|body| (name.clone(), made.to_owned(), body)));
                        handed
                    }
                    _ => continue,
                };
                for member in members {
                    // Methods of other classes are not under test.
                    if outermost_class_name(&member.class)
                        == outermost_class_name(vm.class_name(vm.method(method).class))
                    {
                        called.extend(vm.named_method(member));
                    }
                }
            }
            called.retain(|&other| {
                let this = vm.method(other);
                let is_public = this.flags & flags::PUBLIC != 0;
                let is_same = outermost_class_name(vm.class_name(this.class))
                    == outermost_class_name(vm.class_name(vm.method(method).class));
                match whole.is_empty() {
                    true => is_same && (!is_public || under_test.contains(&other)),
                    false => {
                        // A bridge or an accessor leads to other code.
                        let leads_on = this.flags & flags::SYNTHETIC != 0;
                        whole.contains(&this.class) && (leads_on || !is_made(vm, other))
                    }
                }
            });
            let overriding = called
                .iter()
                .flat_map(|&other| overriding(vm, &nested, other));
            let mut further: Vec<MethodId> = overriding.collect();
            let is_constructor = |&&other: &&MethodId| vm.text(vm.method(other).name) == "<init>";
            for &made in called
                .iter()
                .filter(|_| !whole.is_empty())
                .filter(is_constructor)
            {
                let own = called_back(vm, whole, vm.method(made).class);
                entered.extend(own.iter().filter(|&&own| !is_made(vm, own)));
                // What tests call themselves is nothing to which those that make the object lead.
                match is_called_by_tests(vm, under_test, vm.method(made).class) {
                    true => open.extend(own),
                    false => further.extend(own),
                }
            }
            called.extend(further);
            called.extend(overrides);
            self.methods.push(method);
            self.listings.insert(method, listing);
            open.extend(called.iter().rev());
            self.calls.insert(method, called);
        }
        self.link_lambdas(vm, under_test, &lambdas);
        Ok(entered)
    }

    /// Records the lambda bodies that a call of an abstract method under test may run. Each lambda
    /// is given by the method that it implements, its type and its body.
    fn link_lambdas(
        &mut self,
        vm: &mut Vm,
        under_test: &[MethodId],
        lambdas: &[(String, String, MethodId)],
    ) {
        for &method in under_test {
            let this = vm.method(method);
            if !this.is_abstract() {
                continue;
            }
            let (class, name) = (this.class, vm.text(this.name).to_owned());
            let mut bodies = Vec::new();
            for (implemented, made, body) in lambdas {
                let made = vm.loaded_class(descriptor::class_name(made));
                let is_own = made.is_some_and(|made| vm.is_subclass(made, class));
                if *implemented == name && is_own && self.listings.contains_key(body) {
                    bodies.push(*body);
                }
            }
            self.calls.entry(method).or_default().extend(bodies);
        }
    }

    /// Returns all pairs of a write and a read of a field of the outermost class, with the read in
    /// code under test.
    fn pairs(&mut self, vm: &mut Vm, under_test: &[MethodId]) -> Result<Vec<Goal>, Error> {
        let Some(&first) = under_test.first() else {
            return Ok(Vec::new());
        };
        let own = vm.class_name(vm.method(first).class).to_owned();
        let classes: Vec<_> = vm.loaded_classes().collect();
        let used = self.methods.clone();
        for class in classes {
            if outermost_class_name(vm.class_name(class)) != outermost_class_name(&own) {
                continue;
            }
            let methods = crate::target::methods(vm, class);
            let all = methods
                .into_iter()
                .chain(crate::statements::without_receiver(vm, class));
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
                let ListedOperation::GetField(field, is_static) = &read.step else {
                    continue;
                };
                if outermost_class_name(&field.class) != outermost_class_name(&own)
                    || field.name.starts_with('$')
                {
                    continue;
                }
                let defines = |step: &ListedOperation| matches!(step, ListedOperation::PutField(other, s) if other == field && s == is_static);
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

    /// Returns the given methods and those that call one of them directly or indirectly.
    #[must_use]
    pub fn leading_to(&self, some: impl Iterator<Item = MethodId>) -> FxHashSet<MethodId> {
        let mut callers: FxHashMap<MethodId, Vec<MethodId>> = FxHashMap::default();
        for (&caller, callees) in &self.calls {
            for &callee in callees {
                callers.entry(callee).or_default().push(caller);
            }
        }
        let mut leading = FxHashSet::default();
        let mut open: Vec<MethodId> = some.collect();
        while let Some(method) = open.pop() {
            if leading.insert(method) {
                open.extend(callers.get(&method).into_iter().flatten());
            }
        }
        leading
    }

    /// Whether all known goals are reached; never true for paths, since there may be further ones.
    #[must_use]
    pub fn are_done(&self, reached: &[Option<bool>]) -> bool {
        self.criterion != CoverageCriterion::Paths
            && reached.iter().all(|reached| *reached == Some(true))
    }

    /// Whether all known goals of the criterion are reached.
    #[must_use]
    pub fn are_listed_done(&self, reached: &[Option<bool>]) -> bool {
        self.are_done(&reached[..self.listed().min(reached.len())])
    }

    /// Returns the numbers of the goals that existing tests cover: branches, and entries of methods.
    #[must_use]
    pub fn covered_before(&self, vm: &Vm, existing: &ExistingCoverage) -> BTreeSet<usize> {
        let numbered = self.all.iter().enumerate();
        let covered = numbered.filter(|(_, goal)| {
            let before = existing.of(vm, goal.method());
            before.is_some_and(|before| match goal {
                Goal::Branch(_, at, to, _) => before.branches.contains(&(*at, *to)),
                Goal::Entry(_) => before.is_entered,
                _ => false,
            })
        });
        covered.map(|(number, _)| number).collect()
    }

    /// Returns the number of a goal.
    #[must_use]
    pub fn number(&self, goal: Goal) -> Option<usize> {
        self.numbers.get(&goal).copied()
    }

    /// Discards all paths before a new search.
    pub fn forget_paths(&mut self) {
        self.trees = ConstraintTrees::default();
        if self.criterion == CoverageCriterion::Paths {
            self.all.clear();
            self.numbers.clear();
        }
    }

    /// Stops further paths from becoming goals, after the search.
    pub fn close_paths(&mut self) {
        self.grows = false;
    }
}

/// Returns the local and anonymous classes around methods, such as those of an enum's constants: no
/// test can name them, so that their code runs through methods that they override alone.
fn nameless_classes(vm: &mut Vm, under_test: &[MethodId]) -> Vec<ClassId> {
    let Some(&first) = under_test.first() else {
        return Vec::new();
    };
    let mut classes = nested_classes(vm, vm.method(first).class);
    classes.retain(|&class| is_local(vm, class));
    classes
}

/// Returns the methods of classes that no compiler made, in declaration order.
fn written(vm: &Vm, classes: &[ClassId]) -> Vec<MethodId> {
    let declared = classes.iter().flat_map(|&class| &vm.class(class).methods);
    let has_code = |method: &MethodId| vm.listing(*method).is_ok() && !is_made(vm, *method);
    declared.copied().filter(has_code).collect()
}

/// Whether the compiler made a method.
fn is_made(vm: &Vm, method: MethodId) -> bool {
    let listing = vm.listing(method);
    listing.is_ok_and(|listing| is_generated(vm, method, &listing))
}

/// Whether methods under test are those of a class, or such that it overrides.
fn is_called_by_tests(vm: &Vm, under_test: &[MethodId], class: ClassId) -> bool {
    let mut under_test = under_test.iter();
    under_test
        .any(|&method| vm.method(method).class == class || is_overridden(vm, &[class], method))
}
