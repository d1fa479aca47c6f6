//! Korat's search on choice points with undo: `--search korat`; with a criterion, Korat+'s.
//!
//! The order of choices, the isomorphism rule and both counts are exactly those of Korat 1.0. The
//! cost differs: a candidate runs from the newest changed choice, not from the start. Fields that
//! the predicate never read are chosen without running it, since a deterministic predicate would
//! give the same result.
//!
//! Runs are divided into slices of instructions, with a call of `ask` in between. No result depends
//! on the slice boundaries.

mod pruning;

use std::ops::ControlFlow;

use heapwright_jvm::{Choosing, ClassId, Exit, Limit, MarkId, MethodId, Place, Ref, Vm};
use heapwright_solve::Count;
use rustc_hash::FxHashMap;

use crate::criterion::{Coverage, Criterion};
use crate::depth_first::{CriterionResults, LEAF, Trail, Tree, TreeCallback, Visitor};
use crate::progress::{End, Leaf, SearchError};
use crate::search::Search;
use crate::space::{Choice, ClassDomainId, Domain, Entry, StateSpace};
use crate::span::ReplayStep;
use pruning::PruningClasses;

/// Most candidates tried before the search to find a structure for the criterion.
const WARM_UP: u64 = 1_000;

/// Choice on the path to the current candidate.
pub struct KoratNode {
    entry: u32,
    value: u32,
    mark: MarkId,
    /// Whether the predicate had already returned: the field is reachable but was not read.
    is_unread: bool,
}

/// Search over the candidates of a state space.
pub struct KoratSearch<'a> {
    space: &'a StateSpace,
    predicate: MethodId,
    /// Most instructions of one run of the predicate.
    step_limit: u64,
    /// Number of each object with entries.
    objects: FxHashMap<Ref, usize>,
    /// Entries of each of these objects, in order.
    entries_of: Vec<Vec<u32>>,
    /// Number of the last traversal that visited each of these objects.
    visited: Vec<u64>,
    /// Number of traversals of the objects so far.
    walks: u64,
    /// Stack of a traversal: objects, each with the index of its next entry.
    open: Vec<(usize, usize)>,
    /// Whether the values of each domain are objects.
    holds_objects: Vec<bool>,
    trail: Trail<KoratNode>,
    /// Whether only counts are needed: unread fields of primitive type are then multiplied out
    /// instead of chosen.
    counts_only: bool,
    /// Whether each entry is on the stack of choices.
    chosen: Vec<bool>,
    /// Criterion, and the classes of the structures so far.
    classes: Option<Box<PruningClasses>>,
    /// Whether the machine runs the criterion instead of the predicate.
    in_criterion: bool,
}

impl<'a> KoratSearch<'a> {
    /// Creates a search for the candidates of `space` that satisfy `predicate`, a boolean method of
    /// the root without parameters. One run takes at most `step_limit` instructions.
    #[must_use]
    pub fn new(space: &'a StateSpace, predicate: MethodId, step_limit: u64) -> KoratSearch<'a> {
        let mut objects: FxHashMap<Ref, usize> = FxHashMap::default();
        let mut entries_of: Vec<Vec<u32>> = Vec::new();
        for (number, entry) in space.entries.iter().enumerate() {
            let object = *objects.entry(entry.object).or_insert_with(|| {
                entries_of.push(Vec::new());
                entries_of.len() - 1
            });
            entries_of[object].push(number as u32);
        }
        let holds_objects =
            |domain: &Domain| domain.choices.iter().any(|choice| choice.object.is_some());
        KoratSearch {
            space,
            predicate,
            step_limit,
            objects,
            visited: vec![0; entries_of.len()],
            entries_of,
            walks: 0,
            open: Vec::new(),
            holds_objects: space.domains.iter().map(holds_objects).collect(),
            trail: Trail::default(),
            counts_only: false,
            chosen: vec![false; space.entries.len()],
            classes: None,
            in_criterion: false,
        }
    }

    /// Classifies each structure with `criterion`. With `prunes`, candidates that agree with a
    /// structure on all that the criterion read of it are left out, as their class is known. The
    /// step limit of the predicate applies to the criterion as well.
    #[must_use]
    pub fn with_criterion(mut self, criterion: Criterion, prunes: bool) -> KoratSearch<'a> {
        self.classes = Some(Box::new(PruningClasses::new(criterion, prunes)));
        self
    }

    /// State space of the search.
    #[must_use]
    pub fn space(&self) -> &'a StateSpace {
        self.space
    }

    /// Restricts the search to counting: one visit then stands for all candidates that differ in
    /// unread fields of primitive type, which stay unset.
    #[must_use]
    pub fn counts_only(mut self) -> Self {
        self.counts_only = true;
        self
    }

    /// Choices on the path to the current candidate, in order: the numbers of entry and value.
    #[must_use]
    pub fn prefix(&self) -> Vec<(u32, u32)> {
        self.trail
            .forks
            .iter()
            .map(|node| (node.entry, node.value))
            .collect()
    }

    /// Entries that the predicate has read on the current candidate, in the order of their first
    /// reads. Constant arrays are not choices and do not appear.
    pub fn accessed(&self) -> impl Iterator<Item = u32> {
        self.trail
            .forks
            .iter()
            .filter(|node| !node.is_unread)
            .map(|node| node.entry)
    }

    /// Current candidate as Korat writes it: the index of each entry's value, 0 for one that is not
    /// chosen. A constant array has its number among the arrays.
    #[must_use]
    pub fn vector(&self) -> Vec<u32> {
        let mut vector: Vec<u32> = (0..self.space.entries.len())
            .map(|entry| self.space.fixed_index(entry))
            .collect();
        for node in &self.trail.forks {
            vector[node.entry as usize] = node.value;
        }
        vector
    }

    /// Classifies the structure at which the machine stands, if there is a criterion; returns the
    /// limit that the criterion reached, if any.
    fn classify(
        &mut self,
        vm: &mut Vm,
        ask: &mut TreeCallback<'_, Self>,
    ) -> ControlFlow<(), Option<Limit>> {
        let Some(mut classes) = self.classes.take() else {
            return ControlFlow::Continue(None);
        };
        self.in_criterion = true;
        let result = classes.classify(self, vm, ask);
        self.in_criterion = matches!(result, ControlFlow::Continue(Some(_)));
        self.classes = Some(classes);
        result
    }

    /// Drops the choices on which the class of the current candidate does not depend.
    fn prune(&mut self) {
        let Some(classes) = &mut self.classes else {
            return;
        };
        let kept = classes.kept.min(self.trail.forks.len());
        classes.leave_candidate();
        for node in self.trail.forks.drain(kept..) {
            self.chosen[node.entry as usize] = false;
        }
    }

    /// Runs the called method to its end, with `choose` for each unset place, and calls `ask` after
    /// each slice.
    fn run_in_slices(
        &mut self,
        vm: &mut Vm,
        ask: &mut TreeCallback<'_, Self>,
        mut choose: impl FnMut(&mut Self, &mut Vm, u32),
    ) -> ControlFlow<(), Exit> {
        vm.limit_steps(self.step_limit.min(self.trail.slice));
        let mut before = vm.steps();
        self.trail.guide.rebased = false;
        let exit = loop {
            match vm.run(&mut Choosing) {
                Exit::Choice(variable) => {
                    choose(self, vm, variable);
                    if std::mem::take(&mut self.trail.guide.rebased) {
                        before = vm.steps();
                        vm.limit_steps(self.step_limit.min(self.trail.slice));
                    }
                }
                Exit::Limit(Limit::Steps) if vm.steps() - before < self.step_limit => {
                    self.asked(ask)?;
                    let left = self.step_limit - (vm.steps() - before);
                    vm.limit_steps(left.min(self.trail.slice));
                }
                exit => break exit,
            }
        };
        let steps = vm.steps() - before;
        self.trail.progress.steps += steps;
        self.trail.steps_since_ask += steps;
        ControlFlow::Continue(exit)
    }

    fn choose_first(&mut self, vm: &mut Vm, entry: u32, after_answer: bool) {
        let value = match self.trail.guide.next() {
            ReplayStep::Path(value, _) => self.replayed(entry, value),
            ReplayStep::Free if self.trail.guide.wants_alternatives() => {
                let values = self.values(entry);
                self.trail.guide.record_alternatives(values) as u32
            }
            ReplayStep::Free => 0,
        };
        let mark = vm.mark();
        self.set(vm, entry, value);
        self.chosen[entry as usize] = true;
        self.trail.push(KoratNode {
            entry,
            value,
            mark,
            is_unread: after_answer,
        });
    }

    /// Value of an entry that the path names. The steps up to a value other than the first were
    /// counted by the search that took the first.
    fn replayed(&mut self, entry: u32, value: i64) -> u32 {
        if !self.values(entry).contains(&value) {
            self.trail.guide.misfits = true;
            return 0;
        }
        if value > 0 {
            self.trail.rebase();
        }
        value as u32
    }

    /// Values that an entry takes if it is chosen next.
    fn values(&self, entry: u32) -> Vec<i64> {
        let next = |&value: &u32| self.next_value(&self.trail.forks, entry, value);
        std::iter::successors(Some(0), next)
            .map(i64::from)
            .collect()
    }

    fn set(&self, vm: &mut Vm, entry: u32, value: u32) {
        let entry = &self.space.entries[entry as usize];
        let choice = self.space.domains[entry.domain as usize].choices[value as usize];
        vm.choose(entry.object, entry.place, choice.slot);
    }

    fn choices(&self, entry: u32) -> &'a [Choice] {
        &self.space.domains[self.space.entries[entry as usize].domain as usize].choices
    }

    fn choice(&self, node: &KoratNode) -> Choice {
        self.choices(node.entry)[node.value as usize]
    }

    /// Value of an entry after `value`, chosen after those of `before`. Of interchangeable objects
    /// only those used before and one more are tried (`nonIsoMax` of the paper).
    fn next_value(&self, before: &[KoratNode], entry: u32, value: u32) -> Option<u32> {
        let choices = self.choices(entry);
        let next = value + 1;
        if next as usize >= choices.len() {
            return None;
        }
        let Some((domain, index)) = choices[value as usize].object else {
            return Some(next);
        };
        if !self.space.class_domains[domain.0 as usize].in_isomorphism_check {
            return Some(next);
        }
        let used = before
            .iter()
            .filter_map(|node| match self.choice(node).object {
                Some((other, index)) if other == domain => Some(index),
                _ => None,
            });
        if used.max().is_some_and(|most| index <= most) {
            return Some(next);
        }
        // The next candidate is the first object of the following class domain.
        self.first_of_next_domain(choices, value, domain)
    }

    fn first_of_next_domain(
        &self,
        choices: &[Choice],
        value: u32,
        domain: ClassDomainId,
    ) -> Option<u32> {
        let rest = &choices[value as usize..];
        let offset = rest
            .iter()
            .position(|choice| choice.object.is_none_or(|(other, _)| other != domain))?;
        Some(value + offset as u32)
    }

    /// Chooses the first value of every entry that is reachable from the root and was not read,
    /// depth first, the entries of an object in order. Returns the number of candidates of this
    /// leaf.
    fn choose_unread(&mut self, vm: &mut Vm) -> Count {
        let mut candidates = Count::ONE;
        // A criterion may read fields that the predicate did not.
        let multiplies = self.counts_only && self.classes.is_none();
        self.walks += 1;
        self.open.clear();
        let mut arrived = self.objects.get(&self.space.root).copied();
        loop {
            if let Some(object) = arrived.take()
                && self.visited[object] != self.walks
            {
                self.visited[object] = self.walks;
                self.open.push((object, 0));
            }
            let Some((object, next)) = self.open.last_mut() else {
                return candidates;
            };
            let Some(&entry) = self.entries_of[*object].get(*next) else {
                self.open.pop();
                continue;
            };
            *next += 1;
            let Entry {
                object,
                place,
                domain,
                fixed,
                ..
            } = self.space.entries[entry as usize];
            if let Place::Element(index) = place
                && index >= vm.heap.array_length(object)
            {
                continue;
            }
            if !self.chosen[entry as usize] && fixed.is_none() {
                // The length of an array determines its elements.
                let is_plain = !self.holds_objects[domain as usize] && place != Place::Length;
                let values = self.choices(entry).len() as u64;
                if multiplies && is_plain {
                    candidates = &candidates * values;
                } else {
                    self.choose_first(vm, entry, true);
                }
            }
            if fixed.is_some() || self.holds_objects[domain as usize] {
                let target = vm.reference_at(object, place);
                if !target.is_null() {
                    arrived = self.objects.get(&target).copied();
                }
            }
        }
    }
}

impl Tree for KoratSearch<'_> {
    type Fork = KoratNode;
    type Stop = Leaf;
    type Leaf = Leaf;
    type Error = SearchError;
    type Mark = ();

    const IS_SYMBOLIC: bool = false;
    const LEAF: u64 = LEAF;

    fn trail(&self) -> &Trail<KoratNode> {
        &self.trail
    }

    fn trail_mut(&mut self) -> &mut Trail<KoratNode> {
        &mut self.trail
    }

    fn taken(fork: &KoratNode) -> i64 {
        fork.value.into()
    }

    fn next_alternative(&self, fork: usize) -> Option<i64> {
        let node = &self.trail.forks[fork];
        let next = self.next_value(&self.trail.forks[..fork], node.entry, node.value);
        next.map(i64::from)
    }

    fn place(&self, fork: usize) -> (u32, u32) {
        let (before, node) = (&self.trail.forks[..fork], &self.trail.forks[fork]);
        let next = |&value: &u32| self.next_value(before, node.entry, value);
        let (mut smaller, mut all) = (0, 0);
        for value in std::iter::successors(Some(0), next) {
            smaller += u32::from(value < node.value);
            all += 1;
        }
        (smaller, all)
    }

    fn mark(&mut self) {}

    fn enter(&mut self, vm: &mut Vm) -> Result<(), SearchError> {
        self.space.unset_all(vm);
        vm.call(self.predicate, &[self.space.root.slot()])
            .map_err(|exit| SearchError::NotCallable(vm.exit_text(&exit)))
    }

    fn leave(&mut self, (): ()) {
        self.chosen.fill(false);
    }

    /// Runs the predicate on the first candidate; with a criterion, on candidates up to the first
    /// structure.
    fn warm_up_runs(
        &mut self,
        vm: &mut Vm,
        ask: &mut TreeCallback<'_, Self>,
        initialized: &mut Vec<ClassId>,
    ) -> Result<ControlFlow<()>, SearchError> {
        let most = self.classes.as_mut().map_or(1, |classes| {
            classes.initialized = Some(Vec::new());
            WARM_UP
        });
        let end = self.walk(vm, ask, &mut |vm, leaf, search| {
            if *leaf == Leaf::Valid || search.leaf() >= most {
                *initialized = vm.begun_library_classes();
                return ControlFlow::Break(());
            }
            ControlFlow::Continue(())
        });
        if let Some(classes) = &mut self.classes {
            classes.coverage = Coverage::default();
            classes.leave_candidate();
            initialized.extend(classes.initialized.take().into_iter().flatten());
        }
        Ok(match end? {
            End::Interrupted => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        })
    }

    fn run_to_leaf(
        &mut self,
        vm: &mut Vm,
        ask: &mut TreeCallback<'_, Self>,
    ) -> Result<ControlFlow<(), Leaf>, SearchError> {
        let exit = self.run_in_slices(vm, ask, |search, vm, entry| {
            search.choose_first(vm, entry, false);
        });
        Ok(exit.map_continue(|exit| match exit {
            Exit::Done(0) => Leaf::Invalid,
            Exit::Done(_) => Leaf::Valid,
            Exit::Threw(exception) => Leaf::Threw(exception),
            exit => Leaf::Refused(Box::new(exit)),
        }))
    }

    fn visit_leaf(
        &mut self,
        vm: &mut Vm,
        leaf: Leaf,
        ask: &mut TreeCallback<'_, Self>,
        visit: &mut Visitor<'_, Self>,
    ) -> Result<Option<End>, SearchError> {
        match &leaf {
            Leaf::Valid => {
                let candidates = self.choose_unread(vm);
                if !self.trail.guide.fits() {
                    return Err(SearchError::Misfit);
                }
                match self.classify(vm, ask) {
                    ControlFlow::Continue(None) => {}
                    ControlFlow::Continue(Some(limit)) => return Ok(Some(End::Limit(limit))),
                    ControlFlow::Break(()) => return Ok(Some(End::Interrupted)),
                }
                self.trail.progress.explored += &candidates;
                self.trail.progress.valid += &candidates;
                self.trail.progress.leaf_cost += Self::LEAF;
            }
            _ if !self.trail.guide.fits() => return Err(SearchError::Misfit),
            Leaf::Threw(_) => {
                self.trail.progress.count_explored(Self::LEAF);
                self.trail.progress.threw += 1;
            }
            Leaf::Invalid => self.trail.progress.count_explored(Self::LEAF),
            Leaf::Refused(exit) => self.trail.progress.count_refused(exit, Self::LEAF),
        }
        let start = vm.steps();
        if visit(vm, &leaf, self).is_break() {
            if let Some(classes) = &mut self.classes {
                classes.forget_candidate();
            }
            return Ok(Some(End::ByVisitor));
        }
        self.trail.steps_since_ask += vm.steps() - start;
        self.prune();
        Ok(None)
    }

    /// Takes the next alternative; a choice made after the predicate's return keeps its result.
    fn advance(&mut self, vm: &mut Vm) -> Result<Option<Option<Leaf>>, SearchError> {
        while self.trail.forks.len() > self.trail.guide.span.fixed
            && let Some(node) = self.trail.forks.pop()
        {
            if let Some(value) = self.next_value(&self.trail.forks, node.entry, node.value) {
                vm.undo_to(node.mark);
                self.set(vm, node.entry, value);
                let answer = node.is_unread.then_some(Leaf::Valid);
                self.trail.push(KoratNode { value, ..node });
                return Ok(Some(answer));
            }
            self.chosen[node.entry as usize] = false;
        }
        Ok(None)
    }

    /// Pruning by a criterion depends on earlier structures, so its search cannot be split.
    fn has_parts(&self) -> bool {
        self.classes.is_none() && !self.in_criterion
    }

    fn criterion_results(&self) -> Option<CriterionResults<'_>> {
        self.classes.as_ref().map(|classes| CriterionResults {
            coverage: &classes.coverage,
            current: classes.current,
            is_stopped: self.in_criterion,
            left_out: None,
        })
    }
}
