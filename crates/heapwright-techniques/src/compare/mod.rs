//! Comparison of the invariant with the API: the structures that the invariant accepts, and those
//! built by calls, under the same naming (Politano et al. 2023, §4.3).
//!
//! Both sets are compared by canonical forms on one machine. The search from the invariant takes
//! the values of primitive fields and array elements from the built structures. Both sets therefore
//! range over the same values. For a built structure outside these bounds, the invariant itself is
//! run. A structure that only the invariant accepts may be built by calls through larger
//! structures: [`Comparison::scope_artefacts`] counts these.

mod explain;
mod observed;

use std::ops::ControlFlow;

use heapwright_explore::{CanonicalForm, Count, FormSet, Leaf, NotMade, Strategy};
use heapwright_jvm::Vm;
use heapwright_suite::Structure;
use rustc_hash::FxHashSet;

use crate::Error;
use crate::adjust::Adjustments;
use crate::api::{Break, Pools, Prepared, SearchEnd, StructureRef};
use crate::invariant::{BoundsRequest, Enumeration, EnumerationOutcome};
use crate::read::StructureReader;

pub use explain::{FieldDifference, Rejection};
use observed::observed;

/// Most retained forms of structures that only the invariant accepts.
const MOST_KEPT: usize = 2_000_000;

/// Relation between the two sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SetRelation {
    /// The sets are equal.
    Equal,
    /// The API builds a proper subset of the accepted structures: the invariant is too weak, or the
    /// API is incomplete.
    ApiInInvariant,
    /// The invariant accepts a proper subset of the built structures: it is too strong.
    InvariantInApi,
    /// Each set has a structure that the other lacks.
    Neither,
    /// Both sets are empty.
    Nothing,
}

impl SetRelation {
    /// Returns the verdict's name in machine-readable output.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            SetRelation::Equal => "equal",
            SetRelation::ApiInInvariant => "api-in-invariant",
            SetRelation::InvariantInApi => "invariant-in-api",
            SetRelation::Neither => "neither",
            SetRelation::Nothing => "nothing",
        }
    }
}

/// Parameters of a comparison, besides the built structures.
#[derive(Clone, Debug)]
pub struct CompareRequest {
    /// Name of the invariant, unless it is one of the usual ones.
    pub invariant: Option<String>,
    /// Bounds of its search; `None` to derive them from the built structures.
    pub bounds: Option<BoundsRequest>,
    /// Most objects of each class.
    pub scope: u32,
    /// User's adjustments of derived bounds.
    pub adjustments: Adjustments,
    /// Most instructions of a run of the invariant.
    pub step_limit: u64,
    /// Number of witnesses of each kind.
    pub witnesses: usize,
}

/// Structure that the API builds and the invariant rejects.
#[derive(Clone, Debug)]
pub struct ApiWitness {
    /// Identification of the structure.
    pub built: StructureRef,
    /// Structure of the witness.
    pub structure: Structure,
    /// Place of the rejection.
    pub rejection: Rejection,
}

/// Structure that the invariant accepts and the API does not build.
#[derive(Clone, Debug)]
pub struct InvariantWitness {
    /// Structure of the witness.
    pub structure: Structure,
    /// Nearest comparable structure that the API builds, if any.
    pub nearest: Option<StructureRef>,
    /// Fields in which they differ.
    pub differences: Vec<FieldDifference>,
}

/// Result of a comparison.
pub struct Comparison {
    /// Relation between the sets, without structures built in a larger scope.
    pub verdict: SetRelation,
    /// Number of structures that the API builds.
    pub api: u64,
    /// Number of structures that the invariant accepts.
    pub invariant: u64,
    /// Number of structures in both sets.
    pub common: u64,
    /// Number of common structures outside the bounds of the search from the invariant. Further
    /// similar structures may be in the invariant's set alone.
    pub outside: u64,
    /// Number of structures in the API's set alone.
    pub api_only: u64,
    /// Number of structures in the invariant's set alone, in any scope.
    pub invariant_only: u64,
    /// Number of these that the API builds by calls through larger structures.
    pub scope_artefacts: u64,
    /// Outcome of the search from the invariant.
    pub outcome: EnumerationOutcome,
    /// Smallest structures in the API's set alone.
    pub api_witnesses: Vec<ApiWitness>,
    /// Smallest structures in the invariant's set alone.
    pub invariant_witnesses: Vec<InvariantWitness>,
}

/// Search from the invariant, compared with a pool.
pub struct InvariantSide {
    /// Enumeration of the accepted structures.
    pub enumeration: Enumeration,
    /// Structures in the invariant's set alone, smallest first.
    pub only: FormSet,
    /// Their number, as not all may be retained.
    pub only_count: u64,
    /// Positions in the pool of the common structures.
    pub common: FxHashSet<usize>,
    /// Outcome of the search.
    pub outcome: EnumerationOutcome,
}

/// Searches from the invariant, and divides the structures by membership in the pool.
///
/// # Errors
/// There is no invariant, or its bounds cannot be searched.
pub fn search_invariant(
    vm: &mut Vm,
    prepared: &mut Prepared,
    pools: &Pools,
    request: &CompareRequest,
    ask: &mut dyn FnMut(&Count) -> ControlFlow<()>,
) -> Result<InvariantSide, Error> {
    let bounds = match &request.bounds {
        Some(bounds) => bounds.clone(),
        None => {
            let said = observed(vm, prepared, pools, &request.adjustments);
            BoundsRequest::Adjusted(request.scope, said)
        }
    };
    let enumeration = Enumeration::prepare(
        vm,
        &crate::invariant::StructuresRequest {
            class: prepared.class.clone(),
            invariant: request.invariant.clone(),
            bounds,
            criterion: None,
            step_limit: request.step_limit,
        },
    )?;
    let pool = pools.find(&prepared.class.replace('.', "/"));
    let root = enumeration.space.root;
    let mut side = ComparedParts::default();
    let canonicalizer = &mut prepared.caller.canonicalizer;
    let mut failure = None;
    let outcome = enumeration.search(
        vm,
        Strategy::Lazy,
        |search| ask(&search.progress().explored),
        |vm, leaf, _| {
            if *leaf == Leaf::Valid
                && let Ok(form) = canonicalizer.form(vm, root)
            {
                match pool.map_or(Ok(None), |pool| pools.place_of(pool, form.compared)) {
                    Ok(Some(place)) => {
                        side.common.insert(place);
                    }
                    Ok(None) => side.keep(form),
                    Err(error) => {
                        failure = Some(error);
                        return ControlFlow::Break(());
                    }
                }
            }
            ControlFlow::Continue(())
        },
    )?;
    if let Some(error) = failure {
        return Err(Break::from(error).into());
    }
    Ok(InvariantSide {
        enumeration,
        only: side.only,
        only_count: side.only_count,
        common: side.common,
        outcome,
    })
}

#[derive(Default)]
struct ComparedParts {
    only: FormSet,
    only_count: u64,
    common: FxHashSet<usize>,
}

impl ComparedParts {
    fn keep(&mut self, form: CanonicalForm<'_>) {
        if self.only.len() >= MOST_KEPT {
            self.only_count += 1;
            return;
        }
        let hash = FormSet::hash(form.compared);
        self.only_count += u64::from(self.only.insert(hash, form, &[]));
    }
}

impl InvariantSide {
    /// Compares the sets; `larger` has the structures built with room for more objects, if
    /// requested.
    ///
    /// # Errors
    /// Memory is exhausted when a witness is created again.
    pub fn compare(
        self,
        vm: &mut Vm,
        prepared: &mut Prepared,
        pools: &Pools,
        larger: Option<&Pools>,
        request: &CompareRequest,
    ) -> Result<Comparison, Error> {
        let name = prepared.class.replace('.', "/");
        let pool = pools.find(&name);
        let class = self.enumeration.class;
        let mut reader = StructureReader::new(vm, class);
        let mut api_only: Vec<(usize, u32)> = Vec::new();
        let (mut api, mut outside) = (0, 0);
        if let Some(pool) = pool {
            let count = pools.get(pool as u32).len();
            api = count as u64;
            for index in 0..count as u32 {
                let built = StructureRef {
                    pool: pool as u32,
                    index,
                };
                let Some(record) = pools.record(built).map_err(Break::from)? else {
                    continue;
                };
                let record = record.get();
                let place = pools.place_of(pool, record.form.compared);
                if place
                    .map_err(Break::from)?
                    .is_some_and(|place| self.common.contains(&place))
                {
                    continue;
                }
                match self.accepts(vm, prepared, pools, built, request.step_limit)? {
                    true => outside += 1,
                    false => api_only.push((record.form.compared.len(), index)),
                }
            }
        }
        let larger = larger.and_then(|pools| Some((pools, pools.find(&name)?)));
        let is_artefact = |compared: &[u8]| {
            let place = larger.map_or(Ok(None), |(pools, pool)| pools.place_of(pool, compared));
            place.map_err(Break::from).map(|place| place.is_some())
        };
        let mut only: Vec<CanonicalForm<'_>> = Vec::new();
        let mut artefacts = 0;
        for record in self.only.from(0) {
            match is_artefact(record.form.compared)? {
                true => artefacts += 1,
                false => only.push(record.form),
            }
        }
        only.sort_by_key(|form| form.compared.len());
        api_only.sort_unstable();
        let invariant_only = self.only_count - artefacts;
        let common = self.common.len() as u64 + outside;
        let verdict = match (api_only.is_empty(), invariant_only == 0) {
            (true, true) if common + artefacts == 0 => SetRelation::Nothing,
            (true, true) => SetRelation::Equal,
            (true, false) => SetRelation::ApiInInvariant,
            (false, true) => SetRelation::InvariantInApi,
            (false, false) => SetRelation::Neither,
        };
        let mut comparison = Comparison {
            verdict,
            api,
            invariant: common + self.only_count,
            common,
            outside,
            api_only: api_only.len() as u64,
            invariant_only,
            scope_artefacts: artefacts,
            outcome: self.outcome,
            api_witnesses: Vec::new(),
            invariant_witnesses: Vec::new(),
        };
        for &(_, index) in api_only.iter().take(request.witnesses) {
            let built = StructureRef {
                pool: pool.unwrap_or(0) as u32,
                index,
            };
            let witness = vm.with_mark(|vm| {
                let root = prepared.caller.make(vm, pools, built)?;
                Ok::<_, Error>(ApiWitness {
                    built,
                    structure: reader.read(vm, root).structure,
                    rejection: explain::rejection(vm, self.enumeration.invariant, root),
                })
            });
            comparison.api_witnesses.push(witness?);
        }
        let mut nearest = explain::Neighbours::new(vm, prepared, pools, pool, class);
        for form in only.into_iter().take(request.witnesses) {
            let witness = vm.with_mark(|vm| {
                let made = prepared.caller.canonicalizer.make(vm, class, form);
                let root = made.map_err(|_: NotMade| Break::HeapFull)?;
                let structure = reader.read(vm, root).structure;
                let invariant = self.enumeration.invariant;
                Ok::<_, Error>(nearest.explain(vm, invariant, root, structure))
            });
            comparison.invariant_witnesses.push(witness?);
        }
        Ok(comparison)
    }
}

impl InvariantSide {
    /// Whether the invariant accepts a built structure, by running it.
    fn accepts(
        &self,
        vm: &mut Vm,
        prepared: &mut Prepared,
        pools: &Pools,
        built: StructureRef,
        step_limit: u64,
    ) -> Result<bool, Error> {
        vm.with_mark(|vm| {
            let root = prepared.caller.make(vm, pools, built)?;
            let invariant = self.enumeration.invariant;
            Ok(explain::accepts(vm, invariant, root, step_limit))
        })
    }
}

/// Whether a search from the API was exhaustive.
#[must_use]
pub fn is_whole(ended: SearchEnd) -> bool {
    ended == SearchEnd::Complete
}
