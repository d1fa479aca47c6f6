//! Field coverage: a small suite in which each field takes all its possible values.
//!
//! The invariant is run on a symbolic structure, smaller structures first. A structure is retained
//! if it has a new *pair*: a field refers to an object that it referred to in no earlier structure.
//! The search of a scope ends when it is exhausted, or when an estimate from small scopes predicts
//! hardly any new pairs (tranScoping).
//!
//! Structures are ordered by scope (most objects of a class), then by their number of objects.
//! Within a size, new objects precede existing ones, and these precede null. For each number of
//! objects the tree of paths is searched again within that bound. The tree grows so fast that this
//! costs little, and less than resuming wherever the bound was met. Large sizes may be searched
//! together, with the results sorted afterwards.

mod collector;
mod estimate;
mod harvest;
mod pairs;
mod parts;
mod sizes;

use std::collections::{BTreeMap, BTreeSet};

use heapwright_explore::End;
use heapwright_jvm::{ClassId, MethodId, Vm};
use serde::{Deserialize, Serialize};

use crate::Error;
use crate::symbolic::{self, Crew, CutCounts, RunInput, Target};
use crate::target::{find_class, find_invariant};

use collector::RoundCollector;
pub use estimate::{Estimate, NoEstimate, Regression};
pub use pairs::{FieldName, NotAPair, Pair, PairGraph, PairValue, Vocabulary};
pub use parts::{PartOfRound, RoundParts};
pub use sizes::FieldsState;
use sizes::SizeBySize;

/// Pairs that a suite must cover.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PairCriterion {
    /// All pairs of any structure.
    Exhaustive,
    /// Pairs that do not refer to null.
    NonNull,
    /// Given pairs.
    Given(BTreeSet<Pair>),
}

impl PairCriterion {
    /// Whether a pair is to be covered.
    #[must_use]
    pub fn wants(&self, pair: &Pair) -> bool {
        match self {
            PairCriterion::Exhaustive => true,
            PairCriterion::NonNull => pair.is_object(),
            PairCriterion::Given(pairs) => pairs.contains(pair),
        }
    }
}

/// Measure of work for time estimates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clock {
    /// Instructions and solver queries, which are reproducible.
    Work,
    /// Wall-clock time in milliseconds.
    Wall,
}

/// Condition for ending the search of a scope early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Policy {
    /// Estimated quantity.
    pub estimate: Estimate,
    /// Function fitted for the estimate.
    pub regression: Regression,
    /// Largest scope searched exhaustively; the estimate is based on the scopes from 1 to it.
    pub small_scope: u32,
    /// Measure of time.
    pub clock: Clock,
}

/// Parameters of a search.
#[derive(Clone, Debug)]
pub struct FieldsRequest {
    /// Class and limits of runs and solver; its methods and the number of objects are ignored.
    pub paths: symbolic::SymbolicRequest,
    /// Name of the invariant, unless it is one of the usual ones.
    pub invariant: Option<String>,
    /// Largest scope: objects of a class, at least 1.
    pub scope: u32,
    /// Pairs to cover.
    pub criterion: PairCriterion,
    /// Condition for an early end; without one the search is exhaustive.
    pub policy: Option<Policy>,
    /// Whether large sizes may be searched together in an exhaustive search. This saves time, but
    /// an interrupted search has then explored all of them in part.
    pub sweeps: bool,
}

/// Structure of the suite.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Member {
    /// Structure, with the root `this`.
    pub input: RunInput,
    /// Pairs first covered by this structure.
    pub adds: Vec<Pair>,
}

/// Reason why the search of a scope was not exhaustive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ScopeCut {
    /// The estimate was reached.
    Estimate,
    /// All requested pairs are covered.
    Covered,
    /// The search was interrupted.
    Interrupted,
}

/// Coverage of a field at a scope.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FieldRow {
    /// Name of the field.
    pub name: String,
    /// Number of its requested pairs in the suite.
    pub pairs: u64,
    /// Number of pairs according to the estimate.
    pub predicted: Option<u64>,
}

/// Result of a scope. All counts are from the start of the search.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// Most objects of a class.
    pub scope: u32,
    /// Number of structures in the suite.
    pub suite_size: usize,
    /// Number of paths of the invariant.
    pub explored: u64,
    /// Number of valid structures among these.
    pub valid: u64,
    /// Number of queries to the solver.
    pub queries: u64,
    /// Work until the last new pair, in the measure of the policy.
    pub work: u64,
    /// Estimated work of this scope.
    pub predicted_work: Option<u64>,
    /// Wall-clock time in seconds; 0 if the row was read from data.
    #[serde(skip)]
    pub seconds: f64,
    /// Reason for a search that was not exhaustive.
    pub cut: Option<ScopeCut>,
    /// Reference fields.
    pub fields: Vec<FieldRow>,
}

/// Result of the search.
#[derive(Clone, Debug)]
pub struct FieldsReport {
    /// One row for each scope, from 1.
    pub rows: Vec<Row>,
    /// Suite of the last scope.
    pub suite: Vec<Member>,
    /// Pairs covered by the suite.
    pub covered: BTreeSet<Pair>,
    /// Time of each discovery, in seconds from the start, with the field.
    pub found: Vec<(f64, String)>,
    /// First scope with an estimated time beyond 2⁵³; from there, scopes are searched exhaustively.
    pub first_unbounded_scope: Option<u32>,
    /// Requested pairs that were not found.
    pub missing: Vec<Pair>,
    /// Reference fields that the invariant never read, and that are null in every structure.
    pub never_read: Vec<String>,
    /// Number of abandoned paths, and the bound or limit of the first.
    pub bounded: (u64, Option<String>),
    /// Number of refused paths, and the reason of the first.
    pub refused: (u64, Option<String>),
    /// Number of paths that threw an exception, and the class of the first.
    pub threw: (u64, Option<String>),
    /// Paths whose feasibility the solver could not decide.
    pub unknown: u64,
    /// Number of paths cut by each bound or limit; for an estimate the number of scopes it ended.
    pub cut: CutCounts,
    /// Reason for the end of the search.
    pub end: End,
}

/// Invariant of a class whose paths are searched.
pub struct InvariantSubject {
    /// Class under test.
    pub class: ClassId,
    /// Invariant of the class.
    pub invariant: MethodId,
    target: Target,
    /// Names of its classes and fields.
    pub vocabulary: Vocabulary,
}

impl InvariantSubject {
    /// Resolves the invariant that a request names.
    ///
    /// # Errors
    /// There is no such class or invariant, the class was declared to have none, or no object of it
    /// can be created.
    pub fn find(
        vm: &mut Vm,
        class: &str,
        invariant: Option<&str>,
    ) -> Result<InvariantSubject, Error> {
        let name = class;
        let class = find_class(vm, class)?;
        vm.initialize_now(class).map_err(|reason| Error::BadClass {
            class: name.to_owned(),
            reason,
        })?;
        let invariant = find_invariant(vm, class, invariant)?;
        // The placeholder for the absence of an invariant is static.
        if vm.method(invariant).is_static() {
            return Err(Error::Bounds(
                "--invariant none: which values fields are to have is what an invariant accepts; \
                 enumerate and check take a class without one"
                    .to_owned(),
            ));
        }
        let target = symbolic::predicate(vm, class, invariant)?;
        let vocabulary = Vocabulary::new(vm, class, target.universe(), target.predicate_reads());
        Ok(InvariantSubject {
            class,
            invariant,
            target,
            vocabulary,
        })
    }

    /// Classes of which no object can be created, each with the reason.
    #[must_use]
    pub fn refused_classes(&self) -> &[(String, String)] {
        self.target.refused_classes()
    }
}

/// Searches the scopes from 1 to that of the request.
///
/// # Errors
/// The invariant cannot be called, the solver cannot be used, or there is no estimate.
pub fn search(
    vm: &mut Vm,
    request: &FieldsRequest,
    subject: &InvariantSubject,
    crew: &mut Crew<'_>,
) -> Result<FieldsReport, Error> {
    let mut sizes = SizeBySize::new(request, &subject.vocabulary)?;
    let mut end = End::Complete;
    let jobs = crew.jobs;
    while let Some(round) = sizes.round() {
        crew.jobs = if sizes.is_in_order() { 1 } else { jobs };
        let paths = sizes.paths(round);
        let harvester = sizes.harvester(round);
        let mut taking = RoundCollector::new(&mut sizes.state, &harvester);
        let ended = symbolic::search(vm, &paths, &subject.target, crew, &harvester, &mut taking);
        let beyond = taking.take_all(matches!(ended, Ok(End::Complete)))?;
        end = ended?;
        if end != End::Complete {
            break;
        }
        sizes.end_round(beyond)?;
    }
    crew.jobs = jobs;
    Ok(sizes.state.report(end, &subject.vocabulary))
}

/// Rejects pairs of unknown fields.
fn known_fields(vocabulary: &Vocabulary, pairs: &BTreeSet<Pair>) -> Result<(), Error> {
    let known: BTreeSet<&str> = vocabulary.fields().collect();
    match pairs.iter().find(|pair| !known.contains(&pair.field[..])) {
        None => Ok(()),
        Some(pair) => {
            let known: Vec<&str> = known.into_iter().collect();
            Err(Error::Bounds(format!(
                "there is no reference field {} (of the pair {pair}); there are {}",
                pair.field,
                known.join(", ")
            )))
        }
    }
}

/// Number of pairs of each field.
#[must_use]
pub fn by_field<'a>(pairs: impl IntoIterator<Item = &'a Pair>) -> BTreeMap<String, u64> {
    let mut counts: BTreeMap<String, u64> = BTreeMap::new();
    for pair in pairs {
        *counts.entry(pair.field.clone()).or_default() += 1;
    }
    counts
}
