//! Processing of one round's paths by the workers.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{PoisonError, RwLock};
use std::time::Instant;

use heapwright_explore::QUERY;
use heapwright_explore::symbolic::{
    PathCosts, PathEnd, PathOutcome, SymbolicError, SymbolicSearch,
};
use heapwright_jvm::{Place, Vm};
use serde::{Deserialize, Serialize};

use super::collector::CollectorState;
use super::{FieldName, FieldsRequest, InvariantSubject, Pair, PairGraph, Vocabulary};
use crate::Error;
use crate::symbolic::{CutBy, CutCounts, Ending, Harvest, RunInput, Target, limit_text};

/// Size of a structure: the objects of its most frequent class, and all objects.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(super) struct ScopeSize {
    pub scope: u32,
    pub objects: u32,
}

impl ScopeSize {
    /// Size by the number of all objects, and of those of the most frequent class.
    fn of((objects, scope): (u32, u32)) -> ScopeSize {
        ScopeSize { scope, objects }
    }
}

/// Sizes of the structures sought in one search of the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SizeRound {
    /// A single size.
    Of(ScopeSize),
    /// A size and all larger ones.
    From(ScopeSize),
}

impl SizeRound {
    fn has(self, size: ScopeSize) -> bool {
        match self {
            SizeRound::Of(wanted) => size == wanted,
            SizeRound::From(least) => size >= least,
        }
    }
}

/// Event within a part of a round that the collector must see.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct RoundEvent {
    pub size: ScopeSize,
    /// Pairs unknown at the time of their discovery.
    pub pairs: Vec<Pair>,
    /// Structure with these pairs; none if there are no pairs, or no values were found for it.
    pub structure: Option<RunInput>,
    /// Counts of this part, including this path.
    pub so_far: RoundTally,
}

impl RoundEvent {
    /// Counts for the size in this part.
    pub fn counts(&self) -> PairPathCounts {
        self.so_far.of_size(self.size)
    }
}

/// Counts of paths.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub(super) struct PairPathCounts {
    pub explored: u64,
    pub valid: u64,
    pub queries: u64,
    pub work: u64,
}

impl From<PathCosts> for PairPathCounts {
    fn from(costs: PathCosts) -> PairPathCounts {
        PairPathCounts {
            queries: costs.queries,
            work: costs.steps + costs.queries * QUERY,
            ..PairPathCounts::default()
        }
    }
}

impl PairPathCounts {
    pub fn add(&mut self, other: &PairPathCounts) {
        self.explored += other.explored;
        self.valid += other.valid;
        self.queries += other.queries;
        self.work += other.work;
    }
}

/// Counts of a part of a round.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct RoundTally {
    #[serde(with = "entries")]
    pub sizes: BTreeMap<ScopeSize, PairPathCounts>,
    /// Number of paths cut by each bound or limit.
    pub cuts: CutCounts,
    pub bounded: u64,
    pub bounded_by: Option<String>,
    pub refused: u64,
    pub refused_by: Option<String>,
    pub threw: u64,
    pub exception: Option<String>,
    pub unknown: u64,
    /// Fields that were read.
    pub read: BTreeSet<String>,
}

/// Part of a round that is being searched.
#[derive(Default)]
pub(super) struct PartInProgress {
    pub tally: RoundTally,
    /// Pairs in structures passed on, by their size.
    pairs: BTreeMap<ScopeSize, BTreeSet<Pair>>,
    /// Number of predicted times that have elapsed.
    over: usize,
}

/// Serialises a map as the sequence of its entries: keys of JSON are texts.
mod entries {
    use std::collections::BTreeMap;

    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub fn serialize<K: Serialize, V: Serialize, S: Serializer>(
        map: &BTreeMap<K, V>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(map)
    }

    pub fn deserialize<'de, K, V, D>(deserializer: D) -> Result<BTreeMap<K, V>, D::Error>
    where
        K: Deserialize<'de> + Ord,
        V: Deserialize<'de>,
        D: Deserializer<'de>,
    {
        let entries: Vec<(K, V)> = Vec::deserialize(deserializer)?;
        Ok(entries.into_iter().collect())
    }
}

impl RoundTally {
    /// Counts for a size.
    pub fn of_size(&self, size: ScopeSize) -> PairPathCounts {
        self.sizes.get(&size).copied().unwrap_or_default()
    }

    /// Adds the counts of a later part.
    pub fn add(&mut self, other: &RoundTally) {
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

/// Harvest of a round.
pub(super) struct Harvester<'a> {
    request: &'a FieldsRequest,
    pub round: SizeRound,
    /// Pairs of structures that precede all those still sought.
    pub covered: RwLock<BTreeSet<Pair>>,
    vocabulary: Vocabulary,
    /// Predicted times of scopes without a row, from the start of the round.
    times: Vec<u64>,
    /// Start of the round, if wall-clock time is measured.
    began: Option<Instant>,
}

impl Harvester<'_> {
    pub fn new<'a>(
        request: &'a FieldsRequest,
        state: &CollectorState<'_>,
        round: SizeRound,
    ) -> Harvester<'a> {
        let (times, began) = state.times();
        Harvester {
            request,
            round,
            covered: RwLock::new(state.collected.covered.clone()),
            vocabulary: state.vocabulary.clone(),
            times,
            began,
        }
    }

    /// Whether another predicted time has elapsed.
    fn is_over(&self, counts: &PairPathCounts, part: &mut PartInProgress) -> bool {
        let before = part.over;
        if before < self.times.len() {
            let now = self.began.map(|began| began.elapsed().as_millis() as u64);
            let now = now.unwrap_or(counts.work);
            let over = self.times.iter().filter(|&&time| now >= time);
            part.over = over.count().max(before);
        }
        part.over > before
    }

    fn is_new(&self, pair: &Pair, handed_out: &BTreeSet<Pair>) -> bool {
        let covered = self.covered.read().unwrap_or_else(PoisonError::into_inner);
        self.request.criterion.wants(pair) && !handed_out.contains(pair) && !covered.contains(pair)
    }

    /// Records the fields that the path read, until all are known to be read.
    fn note_read(&self, vm: &Vm, search: &SymbolicSearch<'_>, tally: &mut RoundTally) {
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

    /// Counts the costs of infeasible paths before the current one.
    fn count_dead_ends(&self, search: &mut SymbolicSearch<'_>, tally: &mut RoundTally) {
        for (counts, costs) in search.take_dead_ends() {
            let size = ScopeSize::of(counts);
            if self.round.has(size) {
                tally.sizes.entry(size).or_default().add(&costs.into());
            }
        }
    }

    /// Counts the outcome of a path; returns whether it represents a valid structure.
    fn count_end(&self, vm: &Vm, end: &PathEnd, tally: &mut RoundTally) -> bool {
        tally.unknown += u64::from(end.unknown > 0);
        for by in CutBy::of(end) {
            let by = match by {
                // The number of objects is reported with each scope.
                CutBy::Objects => continue,
                // No option sets the number of decisions and of values tried.
                CutBy::Decisions | CutBy::Values => CutBy::Machine,
                by => by,
            };
            *tally.cuts.entry(by).or_default() += 1;
        }
        match &end.outcome {
            PathOutcome::Returned(answer) => return *answer != 0,
            PathOutcome::Threw(exception) => {
                tally.threw += 1;
                let class = || vm.binary_name(vm.heap.class_of(*exception));
                tally.exception.get_or_insert_with(class);
            }
            PathOutcome::Bounded(bound) => {
                tally.bounded += 1;
                let bound = || Ending::Bounded(*bound).to_string();
                tally.bounded_by.get_or_insert_with(bound);
            }
            PathOutcome::Limit(limit) => {
                tally.bounded += 1;
                tally.bounded_by.get_or_insert_with(|| limit_text(*limit));
            }
            PathOutcome::Refused(reason)
            | PathOutcome::Exited(reason)
            | PathOutcome::Deadlocked(reason)
            | PathOutcome::Unmade(reason) => {
                tally.refused += 1;
                tally.refused_by.get_or_insert_with(|| reason.clone());
            }
        }
        false
    }
}

impl Harvest for Harvester<'_> {
    const NOTES_CUTS: bool = true;

    type Item = RoundEvent;
    type Sum = PartInProgress;

    fn target(&self, vm: &mut Vm) -> Result<Target, Error> {
        let invariant = self.request.invariant.as_deref();
        Ok(InvariantSubject::find(vm, &self.request.paths.class, invariant)?.target)
    }

    fn end_part(&self, search: &mut SymbolicSearch<'_>, part: &mut PartInProgress) {
        self.count_dead_ends(search, &mut part.tally);
    }

    fn visit(
        &self,
        vm: &mut Vm,
        target: &Target,
        end: &PathEnd,
        search: &mut SymbolicSearch<'_>,
        part: &mut PartInProgress,
    ) -> Result<Option<RoundEvent>, Error> {
        self.count_dead_ends(search, &mut part.tally);
        let size = ScopeSize::of(search.counts());
        if !self.round.has(size) {
            return Ok(None);
        }
        self.note_read(vm, search, &mut part.tally);
        let is_valid = self.count_end(vm, end, &mut part.tally);
        let counts = part.tally.sizes.entry(size).or_default();
        counts.add(&PairPathCounts {
            explored: 1,
            valid: u64::from(is_valid),
            ..search.costs_of_path().into()
        });
        let counts = *counts;
        let is_over = self.is_over(&counts, part);
        let (pairs, structure) = match is_valid {
            true => self.structure(vm, target, search, part.pairs.entry(size).or_default())?,
            false => (Vec::new(), None),
        };
        let is_worth_it = is_over || !pairs.is_empty();
        Ok(is_worth_it.then(|| RoundEvent {
            size,
            pairs,
            structure,
            so_far: part.tally.clone(),
        }))
    }
}

impl Harvester<'_> {
    /// New pairs of the current valid structure, and the structure itself, if values are found.
    fn structure(
        &self,
        vm: &mut Vm,
        target: &Target,
        search: &mut SymbolicSearch<'_>,
        handed_out: &mut BTreeSet<Pair>,
    ) -> Result<(Vec<Pair>, Option<RunInput>), Error> {
        let shape = target.input(vm, search, &Default::default());
        let pairs = self.vocabulary.pairs(&PairGraph::from(&shape)).into_iter();
        let new = pairs.filter(|pair| self.is_new(pair, handed_out));
        let new: Vec<Pair> = new.collect();
        if new.is_empty() {
            return Ok((new, None));
        }
        let model = search.small_model(0..self.request.scope);
        let Some(model) = model.map_err(SymbolicError::from)? else {
            return Ok((new, None));
        };
        let input = target.input(vm, search, &model);
        handed_out.extend(new.iter().cloned());
        Ok((new, Some(input)))
    }
}
