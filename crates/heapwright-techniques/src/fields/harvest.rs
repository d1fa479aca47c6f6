//! What workers make of the paths of one round.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{PoisonError, RwLock};
use std::time::Instant;

use heapwright_explore::Search;
use heapwright_explore::symbolic::{Outcome, PathEnd, SymbolicError, SymbolicSearch};
use heapwright_jvm::{Place, Vm};

use super::taking::State;
use super::{FieldName, Graph, Pair, Request, Subject, Vocabulary};
use crate::Error;
use crate::symbolic::{CutBy, CutCounts, Ending, Harvest, Input, Target, limit_text};

/// What a question to the solver counts as, in instructions.
const QUERY: u64 = 1_000;

/// How large a structure is: the objects of the class of which it has most, and all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Size {
    pub scope: u32,
    pub objects: u32,
}

/// The structures that are looked for in one search of the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Round {
    /// Those of a size.
    Of(Size),
    /// Those of a size or a larger one.
    From(Size),
}

impl Round {
    fn has(self, size: Size) -> bool {
        match self {
            Round::Of(wanted) => size == wanted,
            Round::From(least) => size >= least,
        }
    }
}

/// A moment of a part of a round at which something is to be taken.
pub(super) struct Found {
    pub size: Size,
    /// A structure with pairs that were not known where it was found.
    pub structure: Option<(Input, Vec<Pair>)>,
    /// What was counted of this size in this part up to here, this path included.
    pub counts: Counts,
}

/// What paths came to.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Counts {
    pub explored: u64,
    pub valid: u64,
    pub queries: u64,
    pub work: u64,
}

impl Counts {
    pub fn add(&mut self, other: &Counts) {
        self.explored += other.explored;
        self.valid += other.valid;
        self.queries += other.queries;
        self.work += other.work;
    }
}

/// What is counted in a part of a round.
#[derive(Clone, Debug, Default)]
pub(super) struct Tally {
    pub sizes: BTreeMap<Size, Counts>,
    /// Paths on which something was cut off, by what did it.
    pub cuts: CutCounts,
    pub bounded: u64,
    pub bounded_by: Option<String>,
    pub refused: u64,
    pub refused_by: Option<String>,
    pub threw: u64,
    pub exception: Option<String>,
    pub unknown: u64,
    /// Pairs in structures that were handed out, by their size.
    pairs: BTreeMap<Size, BTreeSet<Pair>>,
    /// Fields that were looked at.
    pub read: BTreeSet<String>,
    /// What the search had counted at the last leaf.
    before: (u64, u64),
    /// How many of the predicted times are over.
    over: usize,
}

impl Tally {
    /// Adds what another part counted behind this one.
    pub fn add(&mut self, other: &Tally) {
        for (size, counts) in &other.sizes {
            self.sizes.entry(*size).or_default().add(counts);
        }
        for (by, count) in &other.cuts {
            *self.cuts.entry(*by).or_default() += count;
        }
        self.bounded += other.bounded;
        self.refused += other.refused;
        self.threw += other.threw;
        self.unknown += other.unknown;
        for (own, others) in [
            (&mut self.bounded_by, &other.bounded_by),
            (&mut self.refused_by, &other.refused_by),
            (&mut self.exception, &other.exception),
        ] {
            if own.is_none() {
                own.clone_from(others);
            }
        }
        self.read.extend(other.read.iter().cloned());
    }
}

/// What workers do with the paths of a round.
pub(super) struct Harvester<'a> {
    request: &'a Request,
    pub round: Round,
    /// Pairs of structures that come before all that are still looked for.
    pub covered: RwLock<BTreeSet<Pair>>,
    vocabulary: Vocabulary,
    /// The predicted times of scopes without a row, counted from the start of the round.
    times: Vec<u64>,
    /// When the round began, if time is measured by the clock on the wall.
    began: Option<Instant>,
}

impl Harvester<'_> {
    pub fn new<'a>(request: &'a Request, state: &State<'_>, round: Round) -> Harvester<'a> {
        let (times, began) = state.times();
        Harvester {
            request,
            round,
            covered: RwLock::new(state.covered.clone()),
            vocabulary: state.vocabulary.clone(),
            times,
            began,
        }
    }

    /// Whether another of the predicted times is over.
    fn is_over(&self, counts: &Counts, tally: &mut Tally) -> bool {
        let before = tally.over;
        if before < self.times.len() {
            let now = self.began.map(|began| began.elapsed().as_millis() as u64);
            let now = now.unwrap_or(counts.work);
            let over = self.times.iter().filter(|&&time| now >= time);
            tally.over = over.count().max(before);
        }
        tally.over > before
    }

    fn is_new(&self, pair: &Pair, handed_out: &BTreeSet<Pair>) -> bool {
        let covered = self.covered.read().unwrap_or_else(PoisonError::into_inner);
        self.request.criterion.wants(pair) && !handed_out.contains(pair) && !covered.contains(pair)
    }

    /// Notes the fields that the path looked at, as long as there are some that none did.
    fn note_read(&self, vm: &Vm, search: &SymbolicSearch<'_>, tally: &mut Tally) {
        if tally.read.len() == self.vocabulary.fields().count() {
            return;
        }
        for input in search.input_objects() {
            let class = vm.binary_name(input.class);
            let display = &vm.class(input.class).display;
            let declared = display.iter().flat_map(|&class| &vm.class(class).fields);
            let declared: Vec<_> = declared.filter(|field| !field.is_static()).collect();
            for &(place, slot) in &input.slots {
                let name = match place {
                    Place::Element(index) => FieldName::Element(index as usize),
                    Place::Field(word) => {
                        let Some(field) = declared.iter().find(|field| field.word == word) else {
                            continue;
                        };
                        let owner = vm.binary_name(field.class);
                        FieldName::Field(Some(owner), vm.text(field.name).to_owned())
                    }
                    Place::Length => continue,
                };
                if let Some(name) = self.vocabulary.field(&class, &name)
                    && search.was_read(slot)
                {
                    tally.read.insert(name.to_owned());
                }
            }
        }
    }

    /// Counts how a path ended; whether it stands for a valid structure.
    fn count_end(&self, vm: &Vm, end: &PathEnd, tally: &mut Tally) -> bool {
        tally.unknown += u64::from(end.unknown > 0);
        for by in CutBy::of(end) {
            let by = match by {
                // Each scope says how many objects there are.
                CutBy::Objects => continue,
                // No option says how many decisions a path has, and how many values are tried.
                CutBy::Decisions | CutBy::Values => CutBy::Machine,
                by => by,
            };
            *tally.cuts.entry(by).or_default() += 1;
        }
        match &end.outcome {
            Outcome::Returned(answer) => return *answer != 0,
            Outcome::Threw(exception) => {
                tally.threw += 1;
                let class = || vm.binary_name(vm.heap.class_of(*exception));
                tally.exception.get_or_insert_with(class);
            }
            Outcome::Bounded(bound) => {
                tally.bounded += 1;
                let bound = || Ending::Bounded(*bound).to_string();
                tally.bounded_by.get_or_insert_with(bound);
            }
            Outcome::Limit(limit) => {
                tally.bounded += 1;
                tally.bounded_by.get_or_insert_with(|| limit_text(*limit));
            }
            Outcome::Refused(reason) | Outcome::Exited(reason) | Outcome::Unmade(reason) => {
                tally.refused += 1;
                tally.refused_by.get_or_insert_with(|| reason.clone());
            }
        }
        false
    }
}

impl Harvest for Harvester<'_> {
    const NOTES_CUTS: bool = true;

    type Item = Found;
    type Sum = Tally;

    fn target(&self, vm: &mut Vm) -> Result<Target, Error> {
        let invariant = self.request.invariant.as_deref();
        Ok(Subject::find(vm, &self.request.paths.class, invariant)?.target)
    }

    fn visit(
        &self,
        vm: &mut Vm,
        target: &Target,
        end: &PathEnd,
        search: &mut SymbolicSearch<'_>,
        tally: &mut Tally,
    ) -> Result<Option<Found>, Error> {
        let progress = search.progress();
        let now = (progress.steps, progress.queries);
        // What leads to the first leaf of a part is counted from there on.
        let (steps, queries) = (
            now.0.checked_sub(tally.before.0).unwrap_or(now.0),
            now.1.checked_sub(tally.before.1).unwrap_or(now.1),
        );
        tally.before = now;
        let (objects, scope) = search.counts();
        let size = Size { scope, objects };
        if !self.round.has(size) {
            return Ok(None);
        }
        self.note_read(vm, search, tally);
        let is_valid = self.count_end(vm, end, tally);
        let counts = tally.sizes.entry(size).or_default();
        counts.add(&Counts {
            explored: 1,
            valid: u64::from(is_valid),
            queries,
            work: steps + queries * QUERY,
        });
        let counts = *counts;
        let is_over = self.is_over(&counts, tally);
        let structure = match is_valid {
            true => self.structure(vm, target, search, size, tally)?,
            false => None,
        };
        let is_worth_it = is_over || structure.is_some();
        Ok(is_worth_it.then_some(Found {
            size,
            structure,
            counts,
        }))
    }
}

impl Harvester<'_> {
    /// The valid structure at hand, if it has new pairs.
    fn structure(
        &self,
        vm: &mut Vm,
        target: &Target,
        search: &mut SymbolicSearch<'_>,
        size: Size,
        tally: &mut Tally,
    ) -> Result<Option<(Input, Vec<Pair>)>, Error> {
        let shape = target.input(vm, search, &Default::default());
        let handed_out = tally.pairs.entry(size).or_default();
        let pairs = self.vocabulary.pairs(&Graph::from(&shape)).into_iter();
        let new = pairs.filter(|pair| self.is_new(pair, handed_out));
        let new: Vec<Pair> = new.collect();
        if new.is_empty() {
            return Ok(None);
        }
        let model = search.small_model(0..self.request.scope);
        let Some(model) = model.map_err(SymbolicError::from)? else {
            tally.unknown += 1;
            return Ok(None);
        };
        let input = target.input(vm, search, &model);
        handed_out.extend(new.iter().cloned());
        Ok(Some((input, new)))
    }
}
