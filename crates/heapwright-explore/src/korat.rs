//! Korat's search on choice points with undo: `--search korat`; with a criterion, Korat+'s.
//!
//! The order of choices, the isomorphism rule and what is counted are Korat 1.0's, so that both
//! counts agree with it exactly. What differs is the cost: a candidate is not run from the start
//! but from the newest choice that changes, and fields that the predicate never read are chosen
//! without running it at all (a deterministic predicate would answer the same).
//!
//! Runs go in slices of instructions, with a question between them whether to go on. No result
//! depends on where a slice ends.

mod pruning;

use std::ops::ControlFlow;

use heapwright_jvm::{Choosing, ClassId, Exit, Limit, MarkId, MethodId, Place, Ref, Vm};
use heapwright_solve::Count;
use rustc_hash::FxHashMap;

use crate::criterion::{Coverage, Criterion, InClass};
use crate::search::Search;
use crate::space::{Choice, ClassDomainId, Domain, Entry, StateSpace};
use crate::span::{Guide, Guided, Span};
use pruning::Classes;

/// Instructions between two questions whether to go on: some hundredths of a second.
const SLICE: u64 = 1_000_000;
/// What a candidate counts towards a slice besides its instructions.
const CANDIDATE: u64 = 64;
/// Most candidates gone through before the search to find a structure for the criterion.
const WARM_UP: u64 = 1_000;

/// A choice made on the path to the current candidate.
struct Node {
    entry: u32,
    value: u32,
    mark: MarkId,
    /// Whether the predicate had already answered: the field is reachable but was not read.
    after_answer: bool,
}

/// How a candidate's run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Leaf {
    /// The predicate holds.
    Valid,
    /// The predicate does not hold.
    Invalid,
    /// The predicate threw this exception, which counts as not holding.
    Threw(Ref),
    /// The run came upon something that is refused, is broken or ends the program, or it reached a
    /// limit: the candidate can be neither kept nor dropped.
    Refused(Box<Exit>),
}

/// Counts of a search so far.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Candidates, or leaves of a lazy search, on which the predicate was decided.
    pub explored: Count,
    /// Structures on which it holds.
    pub valid: Count,
    /// Leaves of a lazy search that stand for valid structures.
    pub cubes: u64,
    /// Those on which it threw an exception.
    pub threw: u64,
    /// Candidates on which the predicate came to no answer, because it came upon something that is
    /// refused or reached a limit.
    pub refused: u64,
    /// Those of them on which it reached a limit of one run.
    pub limited: u64,
    /// Bytecode instructions run.
    pub steps: u64,
    /// Choices made.
    pub choices: u64,
    /// Questions that a symbolic search asked its solver on the way to the leaves.
    pub queries: u64,
}

impl Progress {
    /// Counts a leaf on which the predicate came to no answer.
    pub(crate) fn count_refused(&mut self, exit: &Exit) {
        self.refused += 1;
        self.limited += u64::from(matches!(exit, Exit::Limit(_)));
    }

    /// Leaves come to, those without an answer included.
    #[must_use]
    pub fn leaves(&self) -> Count {
        let mut leaves = self.explored.clone();
        leaves += self.refused;
        leaves
    }
}

impl std::ops::AddAssign<&Progress> for Progress {
    fn add_assign(&mut self, other: &Progress) {
        self.explored += &other.explored;
        self.valid += &other.valid;
        self.cubes += other.cubes;
        self.threw += other.threw;
        self.refused += other.refused;
        self.limited += other.limited;
        self.steps += other.steps;
        self.choices += other.choices;
    }
}

/// What a visitor says to a candidate. One that breaks off has not taken it: it is not counted.
pub type Visit = ControlFlow<()>;

/// The question whether a search is to go on.
type Ask<'f> = dyn FnMut(&mut KoratSearch<'_>) -> ControlFlow<()> + 'f;

/// How a search has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// Every candidate was visited.
    Complete,
    /// The visitor broke off.
    ByVisitor,
    /// Between two slices the answer was to stop.
    Interrupted,
    /// The criterion has reached this limit after the last candidate visited.
    Limit(Limit),
}

/// Why a search could not go on.
#[derive(Debug, thiserror::Error)]
pub enum SearchError {
    /// The predicate cannot be called.
    #[error("the invariant cannot be run: {0}")]
    NotCallable(String),
    /// The predicate leaves a change behind; where, for people.
    #[error(
        "the invariant changes the structure ({0}), which the lazy search cannot follow: let it \
         put back what it changes, or use --search korat"
    )]
    Changes(String),
    /// The search was to start at a path that its tree does not have.
    #[error("the prefix leads to choices that this search does not make")]
    Misfit,
}

/// A search over the candidates of a state space.
pub struct KoratSearch<'a> {
    space: &'a StateSpace,
    predicate: MethodId,
    /// Instructions one run of the predicate may take.
    step_limit: u64,
    /// The number of each object with entries.
    objects: FxHashMap<Ref, usize>,
    /// The entries of each of these objects, in order.
    entries_of: Vec<Vec<u32>>,
    /// For each of them the walk that was last there.
    visited: Vec<u64>,
    /// How many walks over the objects there were.
    walks: u64,
    /// The objects on the way down a walk, with the place among the entries of each.
    open: Vec<(usize, usize)>,
    /// For each domain whether its values are objects.
    holds_objects: Vec<bool>,
    stack: Vec<Node>,
    /// Whether only the counts are wanted: fields of primitive type that the predicate never read
    /// are then multiplied out instead of chosen.
    counts_only: bool,
    /// For each entry whether it is on the stack.
    chosen: Vec<bool>,
    progress: Progress,
    /// The criterion and the classes of the structures so far.
    classes: Option<Box<Classes>>,
    /// Whether the machine runs the criterion, not the predicate.
    in_criterion: bool,
    /// Instructions between two questions whether to go on.
    slice: u64,
    /// Instructions since the last question.
    unasked: u64,
    /// The part of the tree that is searched.
    guide: Guide,
    /// Whether the library's classes that the predicate needs are initialised.
    is_warm: bool,
}

impl<'a> KoratSearch<'a> {
    /// A search for the candidates of `space` on which `predicate`, a boolean method of the root
    /// without parameters, holds. One run may take `step_limit` instructions.
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
            stack: Vec::new(),
            counts_only: false,
            chosen: vec![false; space.entries.len()],
            progress: Progress::default(),
            classes: None,
            in_criterion: false,
            slice: SLICE,
            unasked: 0,
            guide: Guide::default(),
            is_warm: false,
        }
    }

    /// Asks whether to go on after so many instructions, at least one.
    #[must_use]
    pub fn with_slice(mut self, steps: u64) -> KoratSearch<'a> {
        self.slice = steps.max(1);
        self
    }

    /// Asks `criterion` for the class of each structure and, if it `prunes`, leaves out candidates
    /// that fall into a class known already because they agree with a structure on all that the
    /// criterion has read of it. A run of the criterion may take as many instructions as one of the
    /// predicate.
    #[must_use]
    pub fn with_criterion(mut self, criterion: Criterion, prunes: bool) -> KoratSearch<'a> {
        self.classes = Some(Box::new(Classes::new(criterion, prunes)));
        self
    }

    /// Searches this part of the tree only. There must be no criterion: what it prunes depends on
    /// what was found before.
    pub fn start_at(&mut self, span: Span) {
        self.guide.span = span;
    }

    /// Gives away what is untried at the oldest choice with something left; `None` if there is
    /// none. What comes back is behind all that this search still goes through.
    pub fn split(&mut self) -> Option<Span> {
        if !self.is_warm || !self.guide.has_arrived() || self.classes.is_some() {
            return None;
        }
        let (place, value) = (self.guide.span.fixed..self.stack.len()).find_map(|place| {
            let node = &self.stack[place];
            self.next_value(&self.stack[..place], node.entry, node.value)
                .map(|value| (place, value))
        })?;
        let mut path: Vec<i64> = self.path().take(place).collect();
        path.push(value.into());
        self.guide.span.fixed = place + 1;
        Some(Span { path, fixed: place })
    }

    /// The place of the current leaf, and what was counted before it.
    #[must_use]
    pub fn here(&self) -> (Span, Progress) {
        self.guide.here(self.path())
    }

    /// Nothing: where there is a criterion the whole tree is one part.
    #[must_use]
    pub fn left_out(&self) -> Option<&[i64]> {
        None
    }

    /// What was left of the tree when the search was stopped.
    #[must_use]
    pub fn rest(&self) -> Option<&Span> {
        self.guide.rest.as_ref()
    }

    /// The alternatives taken.
    fn path(&self) -> impl Iterator<Item = i64> {
        self.stack.iter().map(|node| node.value.into())
    }

    /// The alternatives at the first fork past the path of the span; some may turn out not to be
    /// possible. None if the path leads to a leaf.
    ///
    /// # Errors
    /// The predicate cannot be called, or the span is of another search.
    pub fn alternatives(&mut self, vm: &mut Vm) -> Result<Vec<i64>, SearchError> {
        // Once they are known, the leaf need not be reached.
        let mut until_told = |search: &mut KoratSearch<'_>| {
            if search.guide.is_told() {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        };
        let _ = self.warm_up(vm, &mut until_told)?;
        self.guide.ask();
        let end = self.walk_from_root(vm, &mut until_told, &mut |_, _, _| ControlFlow::Break(()));
        let alternatives = self.guide.told();
        end.map(|_| alternatives)
    }

    /// What is searched.
    #[must_use]
    pub fn space(&self) -> &'a StateSpace {
        self.space
    }

    /// Asks for the counts alone: one visit then stands for all candidates that differ in fields of
    /// primitive type which the predicate did not read, and those fields stay unset.
    #[must_use]
    pub fn counts_only(mut self) -> Self {
        self.counts_only = true;
        self
    }

    /// The counts so far.
    #[must_use]
    pub fn progress(&self) -> &Progress {
        &self.progress
    }

    /// What the criterion has said so far, if there is one.
    #[must_use]
    pub fn coverage(&self) -> Option<&Coverage> {
        self.classes.as_ref().map(|classes| &classes.coverage)
    }

    /// The class of the current candidate, if it is a structure and the criterion has named one.
    #[must_use]
    pub fn class(&self) -> Option<InClass> {
        self.classes.as_ref()?.current
    }

    /// Whether the limit that ended the search was reached by the criterion.
    #[must_use]
    pub fn stopped_in_criterion(&self) -> bool {
        self.in_criterion
    }

    /// The number of the current candidate, from 1.
    #[must_use]
    pub fn candidate(&self) -> Count {
        self.progress.leaves()
    }

    /// The choices on the way to the current candidate, in the order in which they were made: the
    /// entry's number and the value's.
    #[must_use]
    pub fn prefix(&self) -> Vec<(u32, u32)> {
        self.stack
            .iter()
            .map(|node| (node.entry, node.value))
            .collect()
    }

    /// The entries that the predicate has read on the current candidate, in the order in which it
    /// first did. Arrays of an object's own are no choices and do not appear.
    pub fn accessed(&self) -> impl Iterator<Item = u32> {
        self.stack
            .iter()
            .filter(|node| !node.after_answer)
            .map(|node| node.entry)
    }

    /// The current candidate as Korat writes it: for each entry the index of its value, 0 where
    /// none is chosen; of an array of an object's own its number among the arrays.
    #[must_use]
    pub fn vector(&self) -> Vec<u32> {
        let mut vector: Vec<u32> = (0..self.space.entries.len())
            .map(|entry| self.space.fixed_index(entry))
            .collect();
        for node in &self.stack {
            vector[node.entry as usize] = node.value;
        }
        vector
    }

    /// An estimate of the share of the search that is behind, from 0 to 1: as if all values of a
    /// choice led to equally many candidates.
    #[must_use]
    pub fn share_seen(&self) -> f64 {
        let (mut seen, mut width) = (0.0, 1.0);
        for (depth, node) in self.stack.iter().enumerate() {
            let before = &self.stack[..depth];
            let mut value = Some(0);
            let (mut smaller, mut all) = (0, 0);
            while let Some(tried) = value {
                smaller += u32::from(tried < node.value);
                all += 1;
                value = self.next_value(before, node.entry, tried);
            }
            width /= f64::from(all);
            seen += f64::from(smaller) * width;
        }
        seen
    }

    /// Visits every candidate in Korat's order, the machine standing at its end: all reachable
    /// fields of a valid one are set. A visitor that breaks off ends the search, as does `ask`,
    /// which is called now and then, also while a run of the predicate is under way. Afterwards
    /// the machine stands where it stood before.
    ///
    /// # Errors
    /// The predicate cannot be called.
    pub fn run(
        &mut self,
        vm: &mut Vm,
        mut ask: impl FnMut(&mut KoratSearch<'_>) -> ControlFlow<()>,
        mut visit: impl FnMut(&mut Vm, &Leaf, &KoratSearch<'_>) -> Visit,
    ) -> Result<End, SearchError> {
        if self.warm_up(vm, &mut ask)?.is_break() {
            self.guide.begin();
            self.progress = {
                let here = self.here();
                self.guide.stop(here)
            };
            return Ok(End::Interrupted);
        }
        self.walk_from_root(vm, &mut ask, &mut visit)
    }

    fn walk_from_root(
        &mut self,
        vm: &mut Vm,
        ask: &mut Ask<'_>,
        visit: &mut impl FnMut(&mut Vm, &Leaf, &KoratSearch<'_>) -> Visit,
    ) -> Result<End, SearchError> {
        let root = vm.mark();
        self.space.unset_all(vm);
        self.guide.begin();
        self.progress = Progress::default();
        let result = self.walk(vm, ask, visit);
        if !matches!(result, Ok(End::Complete)) {
            self.progress = {
                let here = self.here();
                self.guide.stop(here)
            };
        }
        vm.undo_to(root);
        vm.forget(root);
        self.stack.clear();
        self.chosen.fill(false);
        result
    }

    fn walk(
        &mut self,
        vm: &mut Vm,
        ask: &mut Ask<'_>,
        visit: &mut impl FnMut(&mut Vm, &Leaf, &KoratSearch<'_>) -> Visit,
    ) -> Result<End, SearchError> {
        vm.call(self.predicate, &[self.space.root.slot()])
            .map_err(|exit| SearchError::NotCallable(vm.exit_text(&exit)))?;
        let mut run = self.run_to_leaf(vm, ask);
        loop {
            let ControlFlow::Continue(leaf) = run else {
                return Ok(End::Interrupted);
            };
            match &leaf {
                Leaf::Valid => {
                    let candidates = self.choose_unread(vm);
                    if !self.guide.fits() {
                        return Err(SearchError::Misfit);
                    }
                    match self.classify(vm, ask) {
                        ControlFlow::Continue(None) => {}
                        ControlFlow::Continue(Some(limit)) => return Ok(End::Limit(limit)),
                        ControlFlow::Break(()) => return Ok(End::Interrupted),
                    }
                    self.progress.explored += &candidates;
                    self.progress.valid += &candidates;
                }
                _ if !self.guide.fits() => return Err(SearchError::Misfit),
                Leaf::Threw(_) => {
                    self.progress.explored += 1;
                    self.progress.threw += 1;
                }
                Leaf::Invalid => self.progress.explored += 1,
                Leaf::Refused(exit) => self.progress.count_refused(exit),
            }
            let start = vm.steps();
            if visit(vm, &leaf, self).is_break() {
                if let Some(classes) = &mut self.classes {
                    classes.forget_candidate();
                }
                return Ok(End::ByVisitor);
            }
            let visit_steps = vm.steps() - start;
            self.prune();
            let before = self.progress.clone();
            let Some(after_answer) = self.advance(vm) else {
                return Ok(End::Complete);
            };
            self.guide.set_out(self.stack.len(), before);
            self.unasked += CANDIDATE + visit_steps;
            if self.unasked >= self.slice && self.asked(ask).is_break() {
                return Ok(End::Interrupted);
            }
            // Where the predicate has answered before this choice its answer stands.
            run = if after_answer {
                ControlFlow::Continue(Leaf::Valid)
            } else {
                self.run_to_leaf(vm, ask)
            };
        }
    }

    /// Has the criterion, if there is one, name the class of the structure at which the machine
    /// stands; comes back with the limit it has reached if it did.
    fn classify(&mut self, vm: &mut Vm, ask: &mut Ask<'_>) -> ControlFlow<(), Option<Limit>> {
        let Some(mut classes) = self.classes.take() else {
            return ControlFlow::Continue(None);
        };
        self.in_criterion = true;
        let result = classes.classify(self, vm, ask);
        self.in_criterion = matches!(result, ControlFlow::Continue(Some(_)));
        self.classes = Some(classes);
        result
    }

    /// Drops the choices that the class of the current candidate does not depend on.
    fn prune(&mut self) {
        let Some(classes) = &mut self.classes else {
            return;
        };
        let kept = classes.kept.min(self.stack.len());
        classes.leave_candidate();
        for node in self.stack.drain(kept..) {
            self.chosen[node.entry as usize] = false;
        }
    }

    #[cold]
    fn asked(&mut self, ask: &mut Ask<'_>) -> ControlFlow<()> {
        self.unasked = 0;
        ask(self)
    }

    /// Runs the predicate to its end, choosing the first value of each entry it comes upon.
    fn run_to_leaf(&mut self, vm: &mut Vm, ask: &mut Ask<'_>) -> ControlFlow<(), Leaf> {
        let exit = self.run_in_slices(vm, ask, |search, vm, entry| {
            search.choose_first(vm, entry, false);
        })?;
        ControlFlow::Continue(match exit {
            Exit::Done(0) => Leaf::Invalid,
            Exit::Done(_) => Leaf::Valid,
            Exit::Threw(exception) => Leaf::Threw(exception),
            exit => Leaf::Refused(Box::new(exit)),
        })
    }

    /// Runs what was called to its end, with `choose` for each unset place it comes upon, and asks
    /// now and then whether to go on.
    fn run_in_slices(
        &mut self,
        vm: &mut Vm,
        ask: &mut Ask<'_>,
        mut choose: impl FnMut(&mut Self, &mut Vm, u32),
    ) -> ControlFlow<(), Exit> {
        vm.limit_steps(self.step_limit.min(self.slice));
        let mut before = vm.steps();
        self.guide.rebased = false;
        let exit = loop {
            match vm.run(&mut Choosing) {
                Exit::Choice(variable) => {
                    choose(self, vm, variable);
                    if std::mem::take(&mut self.guide.rebased) {
                        before = vm.steps();
                        vm.limit_steps(self.step_limit.min(self.slice));
                    }
                }
                Exit::Limit(Limit::Steps) if vm.steps() - before < self.step_limit => {
                    self.asked(ask)?;
                    let left = self.step_limit - (vm.steps() - before);
                    vm.limit_steps(left.min(self.slice));
                }
                exit => break exit,
            }
        };
        let steps = vm.steps() - before;
        self.progress.steps += steps;
        self.unasked += steps;
        ControlFlow::Continue(exit)
    }

    fn choose_first(&mut self, vm: &mut Vm, entry: u32, after_answer: bool) {
        let value = match self.guide.next() {
            Guided::Path(value, _) => self.replayed(entry, value),
            Guided::Free if self.guide.is_asked() => {
                let values = self.values(entry);
                self.guide.note(values) as u32
            }
            Guided::Free => 0,
        };
        let mark = vm.mark();
        self.set(vm, entry, value);
        self.chosen[entry as usize] = true;
        self.stack.push(Node {
            entry,
            value,
            mark,
            after_answer,
        });
        self.progress.choices += 1;
    }

    /// The value of an entry that the path names. What led to one that is not the first was counted
    /// by whoever took the first.
    fn replayed(&mut self, entry: u32, value: i64) -> u32 {
        if !self.values(entry).contains(&value) {
            self.guide.misfits = true;
            return 0;
        }
        if value > 0 {
            self.progress = Progress::default();
            self.guide.rebased = true;
        }
        value as u32
    }

    /// The values that an entry takes if it is chosen next.
    fn values(&self, entry: u32) -> Vec<i64> {
        let next = |&value: &u32| self.next_value(&self.stack, entry, value);
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

    fn choice(&self, node: &Node) -> Choice {
        self.choices(node.entry)[node.value as usize]
    }

    /// Goes to the next candidate: back over the choices that have no value left, newest first.
    /// Says whether the predicate had already answered before the choice that changes; `None` if
    /// there is no candidate left.
    fn advance(&mut self, vm: &mut Vm) -> Option<bool> {
        while self.stack.len() > self.guide.span.fixed
            && let Some(node) = self.stack.pop()
        {
            if let Some(value) = self.next_value(&self.stack, node.entry, node.value) {
                vm.undo_to(node.mark);
                self.set(vm, node.entry, value);
                let after_answer = node.after_answer;
                self.stack.push(Node { value, ..node });
                self.progress.choices += 1;
                return Some(after_answer);
            }
            self.chosen[node.entry as usize] = false;
        }
        None
    }

    /// The value that an entry takes after `value`, chosen after those of `before`: of
    /// interchangeable objects only those used before it and one more are tried (`nonIsoMax` of
    /// the paper).
    fn next_value(&self, before: &[Node], entry: u32, value: u32) -> Option<u32> {
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
        // The first object of the class domain that comes next.
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
    /// depth first, an object's entries in order. Returns how many candidates this leaf stands for.
    fn choose_unread(&mut self, vm: &mut Vm) -> Count {
        let mut candidates = Count::ONE;
        // A criterion may read what the predicate did not.
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
                // An array's length decides which elements there are.
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

    /// Runs the predicate on the first candidate, where there is a criterion up to the first
    /// structure, and goes back; then initialises the JDK's classes they needed, for good: what
    /// their initialisers do shows nowhere, and the search need not do it again for each candidate.
    fn warm_up(&mut self, vm: &mut Vm, ask: &mut Ask<'_>) -> Result<ControlFlow<()>, SearchError> {
        if self.is_warm {
            return Ok(ControlFlow::Continue(()));
        }
        let span = std::mem::take(&mut self.guide.span);
        self.guide.begin();
        let most = self.classes.as_mut().map_or(1, |classes| {
            classes.initialized = Some(Vec::new());
            WARM_UP
        });
        let mark = vm.mark();
        self.space.unset_all(vm);
        let mut initialized: Vec<ClassId> = Vec::new();
        let end = self.walk(vm, ask, &mut |vm, leaf, search| {
            if *leaf == Leaf::Valid || search.candidate() >= most {
                initialized = vm.initialized_library_classes();
                return ControlFlow::Break(());
            }
            ControlFlow::Continue(())
        });
        vm.undo_to(mark);
        vm.forget(mark);
        vm.abandon();
        self.guide.span = span;
        self.stack.clear();
        self.chosen.fill(false);
        self.progress = Progress::default();
        if let Some(classes) = &mut self.classes {
            classes.coverage = Coverage::default();
            classes.leave_candidate();
            initialized.extend(classes.initialized.take().into_iter().flatten());
        }
        if end? == End::Interrupted {
            return Ok(ControlFlow::Break(()));
        }
        for class in initialized {
            // A failure shows again, in its place, when the predicate is run.
            let _ = vm.initialize_now(class);
        }
        self.is_warm = true;
        Ok(ControlFlow::Continue(()))
    }
}

impl Search for KoratSearch<'_> {
    fn progress(&self) -> &Progress {
        self.progress()
    }

    fn share_seen(&self) -> f64 {
        self.share_seen()
    }

    fn coverage(&self) -> Option<&Coverage> {
        self.coverage()
    }

    fn class(&self) -> Option<InClass> {
        self.class()
    }

    fn stopped_in_criterion(&self) -> bool {
        self.stopped_in_criterion()
    }

    fn here(&self) -> (Span, Progress) {
        self.here()
    }

    fn split(&mut self) -> Option<Span> {
        self.split()
    }
}
