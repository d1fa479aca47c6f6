//! Korat's search on choice points with undo: `--search korat`.
//!
//! The order of choices, the isomorphism rule and what is counted are Korat 1.0's, so that both
//! counts agree with it exactly. What differs is the cost: a candidate is not run from the start
//! but from the newest choice that changes, and fields that the predicate never read are chosen
//! without running it at all (a deterministic predicate would answer the same).

use std::ops::ControlFlow;

use heapwright_jvm::{Choosing, ClassId, Exit, MarkId, MethodId, Place, Ref, Vm};
use rustc_hash::FxHashMap;

use crate::space::{Choice, ClassDomainId, Domain, Entry, StateSpace};

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
    /// The run ended in another way: the candidate can be neither kept nor dropped.
    Undecided(Exit),
}

/// Counts of a search so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Candidates on which the predicate was decided.
    pub explored: u64,
    /// Those on which it holds.
    pub valid: u64,
    /// Those on which it threw an exception.
    pub threw: u64,
    /// Bytecode instructions run.
    pub steps: u64,
    /// Choices made.
    pub choices: u64,
}

/// What a visitor says to a candidate.
pub type Visit = ControlFlow<()>;

/// Why a search could not go on.
#[derive(Debug, thiserror::Error)]
pub enum SearchError {
    /// A run of the predicate came to no answer.
    #[error("the invariant came to no answer on candidate {candidate}: {reason}")]
    Undecided {
        /// The candidate's number, from 1.
        candidate: u64,
        /// How the run ended.
        exit: Exit,
        /// The same as text.
        reason: String,
    },
    /// The predicate cannot be called.
    #[error("the invariant cannot be run: {0}")]
    NotCallable(String),
}

/// A search over the candidates of a state space.
pub struct KoratSearch<'a> {
    space: &'a StateSpace,
    predicate: MethodId,
    /// Instructions one run of the predicate may take.
    step_limit: u64,
    /// The entries of each object, in order.
    entries_of: FxHashMap<Ref, Vec<u32>>,
    /// For each domain whether its values are objects.
    holds_objects: Vec<bool>,
    stack: Vec<Node>,
    /// Whether only the counts are wanted: fields of primitive type that the predicate never read
    /// are then multiplied out instead of chosen.
    counts_only: bool,
    /// For each entry whether it is on the stack.
    chosen: Vec<bool>,
    progress: Progress,
}

impl<'a> KoratSearch<'a> {
    /// A search for the candidates of `space` on which `predicate`, a boolean method of the root
    /// without parameters, holds. One run may take `step_limit` instructions.
    #[must_use]
    pub fn new(space: &'a StateSpace, predicate: MethodId, step_limit: u64) -> KoratSearch<'a> {
        let mut entries_of: FxHashMap<Ref, Vec<u32>> = FxHashMap::default();
        for (number, entry) in space.entries.iter().enumerate() {
            entries_of
                .entry(entry.object)
                .or_default()
                .push(number as u32);
        }
        let holds_objects =
            |domain: &Domain| domain.choices.iter().any(|choice| choice.object.is_some());
        KoratSearch {
            space,
            predicate,
            step_limit,
            entries_of,
            holds_objects: space.domains.iter().map(holds_objects).collect(),
            stack: Vec::new(),
            counts_only: false,
            chosen: vec![false; space.entries.len()],
            progress: Progress::default(),
        }
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
    pub fn progress(&self) -> Progress {
        self.progress
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

    /// Visits every candidate in Korat's order, the machine standing at its end: all reachable
    /// fields of a valid one are set. A visitor that breaks off ends the search. Afterwards the
    /// machine stands where it stood before.
    ///
    /// # Errors
    /// A run came to no answer.
    pub fn run(
        &mut self,
        vm: &mut Vm,
        mut visit: impl FnMut(&mut Vm, &Leaf, &Progress) -> Visit,
    ) -> Result<(), SearchError> {
        self.warm_up(vm)?;
        let root = vm.mark();
        self.space.unset_all(vm);
        let result = self.walk(vm, &mut visit);
        vm.undo_to(root);
        vm.forget(root);
        self.stack.clear();
        self.chosen.fill(false);
        result
    }

    fn walk(
        &mut self,
        vm: &mut Vm,
        visit: &mut impl FnMut(&mut Vm, &Leaf, &Progress) -> Visit,
    ) -> Result<(), SearchError> {
        vm.call(self.predicate, &[self.space.root.slot()])
            .map_err(|exit| SearchError::NotCallable(vm.exit_text(&exit)))?;
        let mut leaf = self.run_to_leaf(vm);
        loop {
            match &leaf {
                Leaf::Valid => {
                    let candidates = self.choose_unread(vm);
                    self.progress.explored += candidates;
                    self.progress.valid += candidates;
                }
                Leaf::Threw(_) => {
                    self.progress.explored += 1;
                    self.progress.threw += 1;
                }
                Leaf::Invalid => self.progress.explored += 1,
                Leaf::Undecided(exit) => {
                    return Err(SearchError::Undecided {
                        candidate: self.progress.explored + 1,
                        reason: vm.exit_text(exit),
                        exit: exit.clone(),
                    });
                }
            }
            if visit(vm, &leaf, &self.progress).is_break() {
                return Ok(());
            }
            match self.advance(vm) {
                None => return Ok(()),
                // The predicate has answered before this choice: its answer stands.
                Some(true) => leaf = Leaf::Valid,
                Some(false) => leaf = self.run_to_leaf(vm),
            }
        }
    }

    /// Runs the predicate to its end, choosing the first value of each entry it comes upon.
    fn run_to_leaf(&mut self, vm: &mut Vm) -> Leaf {
        vm.limit_steps(self.step_limit);
        let before = vm.steps();
        let leaf = loop {
            match vm.run(&mut Choosing) {
                Exit::Choice(entry) => self.choose_first(vm, entry, false),
                Exit::Done(answer) => {
                    break if answer == 0 {
                        Leaf::Invalid
                    } else {
                        Leaf::Valid
                    };
                }
                Exit::Threw(exception) => break Leaf::Threw(exception),
                exit => break Leaf::Undecided(exit),
            }
        };
        self.progress.steps += vm.steps() - before;
        leaf
    }

    fn choose_first(&mut self, vm: &mut Vm, entry: u32, after_answer: bool) {
        let mark = vm.mark();
        self.set(vm, entry, 0);
        self.chosen[entry as usize] = true;
        self.stack.push(Node {
            entry,
            value: 0,
            mark,
            after_answer,
        });
        self.progress.choices += 1;
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
        while let Some(node) = self.stack.pop() {
            if let Some(value) = self.next_value(&node) {
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

    /// The value after a node's, its entry being the last on the stack: of interchangeable objects
    /// only those used before it and one more are tried (`nonIsoMax` of the paper).
    fn next_value(&self, node: &Node) -> Option<u32> {
        let choices = self.choices(node.entry);
        let next = node.value + 1;
        if next as usize >= choices.len() {
            return None;
        }
        let Some((domain, index)) = choices[node.value as usize].object else {
            return Some(next);
        };
        if !self.space.class_domains[domain.0 as usize].in_isomorphism_check {
            return Some(next);
        }
        let used = self
            .stack
            .iter()
            .filter_map(|node| match self.choice(node).object {
                Some((other, index)) if other == domain => Some(index),
                _ => None,
            });
        if used.max().is_some_and(|most| index <= most) {
            return Some(next);
        }
        // The first object of the class domain that comes next.
        self.first_of_next_domain(choices, node.value, domain)
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
    fn choose_unread(&mut self, vm: &mut Vm) -> u64 {
        let mut candidates: u64 = 1;
        let mut visited: Vec<Ref> = Vec::new();
        // Entries of the objects on the way down that are still to be looked at.
        let mut open: Vec<(Ref, usize)> = Vec::new();
        let mut arrived = Some(self.space.root);
        loop {
            if let Some(object) = arrived.take()
                && !visited.contains(&object)
            {
                visited.push(object);
                open.push((object, 0));
            }
            let Some((object, next)) = open.last_mut() else {
                return candidates;
            };
            let Some(&entry) = self
                .entries_of
                .get(object)
                .and_then(|entries| entries.get(*next))
            else {
                open.pop();
                continue;
            };
            *next += 1;
            let Entry {
                object,
                place,
                domain,
                fixed,
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
                match candidates.checked_mul(values) {
                    Some(product) if self.counts_only && is_plain => candidates = product,
                    _ => self.choose_first(vm, entry, true),
                }
            }
            if fixed.is_some() || self.holds_objects[domain as usize] {
                let target = vm.reference_at(object, place);
                arrived = Some(target).filter(|target| self.entries_of.contains_key(target));
            }
        }
    }

    /// Runs the predicate once on the first candidate and goes back; then initialises the JDK's
    /// classes it needed, for good: what their initialisers do shows nowhere, and the search need
    /// not do it again for each candidate.
    fn warm_up(&mut self, vm: &mut Vm) -> Result<(), SearchError> {
        let mark = vm.mark();
        self.space.unset_all(vm);
        let called = vm.call(self.predicate, &[self.space.root.slot()]);
        let mut classes: Vec<ClassId> = Vec::new();
        if called.is_ok() {
            let _ = self.run_to_leaf(vm);
            classes = vm.initialized_library_classes();
        }
        vm.undo_to(mark);
        vm.forget(mark);
        vm.abandon();
        self.stack.clear();
        self.chosen.fill(false);
        self.progress = Progress::default();
        called.map_err(|exit| SearchError::NotCallable(vm.exit_text(&exit)))?;
        for class in classes {
            // A failure shows again, in its place, when the predicate is run.
            let _ = vm.initialize_now(class);
        }
        Ok(())
    }
}
