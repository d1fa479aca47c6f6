//! Claims and counts of searches for structures.

use heapwright_explore::{Count, Coverage, End, FailureCount, Strategy};
use heapwright_jvm::{Limit, Vm};
use heapwright_techniques::empty_bounds::outside;
use heapwright_techniques::invariant::{Enumeration, EnumerationOutcome};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use super::claim::Claim;
use super::summary::{Digits, Exact};
use crate::api::InputsSummary;
use crate::files::grouped;
use crate::interrupt::StopSignal;

/// Summary of a search for structures.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct StructuresSummary {
    /// Search: `lazy` or `korat`.
    pub search: String,
    /// Structures that the invariant accepts.
    pub valid: Exact,
    /// Leaves of the lazy search that stand for them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cubes: Option<u64>,
    /// Leaves on which the invariant threw an exception.
    pub threw: u64,
    /// Leaves on which the invariant came to no answer.
    pub refused: u64,
    /// Size of the whole state space: a number, past 2^53 a text of its digits.
    pub candidates: Digits,
    /// Instructions that the search took.
    pub steps: u64,
    /// Bounds, as `[bounds]` of heapwright.toml has them.
    pub bounds: Json,
    /// Prefix from which a stopped search resumes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resume: Option<String>,
    /// Shards that were merged.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shards: Option<usize>,
    /// Equivalence classes found, with `--eq-class`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub classes_found: Option<usize>,
    /// How inputs of tests are made, with `--prefer-api`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prefer_api: Option<InputsSummary>,
}

/// Bounds that a claim about structures names.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClaimBounds {
    /// Bounds, in the form of `--explain-bounds` and of `[bounds]` in heapwright.toml.
    pub bounds: Json,
    /// Types of which no field holds an object.
    pub null_only: Vec<String>,
    /// Library classes with inherited fields that the search does not choose.
    pub inherited: Vec<String>,
}

impl ClaimBounds {
    /// Bounds of a search.
    pub fn of(vm: &Vm, enumeration: &Enumeration) -> ClaimBounds {
        let bounds = &enumeration.bounds;
        let explained: Json = toml::from_str(&bounds.explain(vm)).unwrap_or_default();
        ClaimBounds {
            bounds: explained["bounds"].clone(),
            null_only: bounds.null_only(vm),
            inherited: bounds.inherited(vm),
        }
    }

    /// Returns a copy with further types that have only null.
    pub fn with_null_only<'t>(&self, types: impl Iterator<Item = &'t String>) -> ClaimBounds {
        let mut all = self.clone();
        for name in types {
            if !all.null_only.contains(name) {
                all.null_only.push(name.clone());
            }
        }
        all
    }

    /// Claim of a search that was stopped by a limit or finished; `unanswered` describes leaves
    /// without a result.
    pub fn claim(&self, stopped_by: Option<&str>, unanswered: Option<String>) -> Claim {
        let mut claim = Claim::ended(stopped_by);
        if !self.null_only.is_empty() {
            claim = claim.with_exclusion(format!("objects of {}", self.null_only.join(", ")));
        }
        if !self.inherited.is_empty() {
            let classes = self.inherited.join(", ");
            claim =
                claim.with_exclusion(format!("other values of what is inherited from {classes}"));
        }
        match unanswered {
            Some(leaves) => claim.with_gap(format!("an answer on {leaves}")),
            None => claim,
        }
    }
}

/// Option or key that ended a search early.
pub fn stopped_by(end: End, interrupt: &StopSignal) -> Option<&'static str> {
    match end {
        End::Complete => None,
        End::ByVisitor | End::Interrupted => interrupt.reason(),
        End::Limit(Limit::Steps) => Some("--max-steps"),
        End::Limit(Limit::Heap) => Some("--max-memory"),
        End::Limit(Limit::Monitor) => Some("a monitor's levels"),
        End::Limit(Limit::ArrayLength) => Some("the length of an array"),
    }
}

/// Noun for the leaves of a search.
fn leaf_noun(strategy: Strategy, count: &Count) -> &'static str {
    match (strategy, *count == Count::ONE) {
        (Strategy::Korat, true) => "candidate",
        (Strategy::Korat, false) => "candidates",
        (Strategy::Lazy, true) => "leaf",
        (Strategy::Lazy, false) => "leaves",
    }
}

/// Text of a number of leaves of a search.
pub fn leaves(strategy: Strategy, count: impl Into<Count>) -> String {
    let count = count.into();
    format!("{} {}", grouped(&count), leaf_noun(strategy, &count))
}

/// Text of the number of leaves without a result, if there are some.
pub fn unanswered(strategy: Strategy, count: u64) -> Option<String> {
    (count > 0).then(|| leaves(strategy, count))
}

/// Unit in which a search counts.
pub fn unit(strategy: Strategy) -> &'static str {
    leaf_noun(strategy, &Count::ZERO)
}

/// Name of a search on the command line.
pub fn search_name(strategy: Strategy) -> &'static str {
    match strategy {
        Strategy::Korat => "korat",
        Strategy::Lazy => "lazy",
    }
}

/// Warns of leaves on which the invariant threw an exception or had no result.
pub fn warn(
    vm: &mut Vm,
    enumeration: &Enumeration,
    outcome: &EnumerationOutcome,
    strategy: Strategy,
) {
    let leaf = leaf_noun(strategy, &Count::ONE);
    let progress = &outcome.progress;
    if let Some(thrown) = &outcome.thrown {
        notice!(
            "the invariant threw an exception on {}, counted as not valid; \
             the first is {leaf} {}: {}",
            leaves(strategy, progress.threw),
            grouped(&thrown.leaf),
            thrown.text
        );
    }
    if let Some(refused) = &outcome.refused {
        notice!(
            "the invariant came to no answer on {}, left out; \
             the first is {leaf} {}: {}",
            leaves(strategy, progress.refused),
            grouped(&refused.leaf),
            refused.text
        );
    }
    if let (Some((criterion, _)), Some(coverage)) = (enumeration.criterion, &outcome.coverage) {
        warn_of_criterion(&vm.method_text(criterion.method()), coverage, strategy);
    }
    warn_of_nothing(vm, enumeration, outcome);
    if let End::Limit(limit) = outcome.end {
        let mut leaves = progress.leaves();
        leaves += 1;
        notice!(
            "stopped: {} on {leaf} {} ({limit}); --max-steps and --max-memory raise the limits",
            vm.method_text(outcome.last_run),
            grouped(leaves)
        );
    }
}

/// Explains an empty result: derived bounds may be smaller than what the class allocates.
fn warn_of_nothing(vm: &mut Vm, enumeration: &Enumeration, outcome: &EnumerationOutcome) {
    let is_derived = enumeration.bounds.scope.is_some();
    let is_whole = outcome.end == End::Complete && outcome.progress.refused == 0;
    if !is_derived || !is_whole || !outcome.progress.valid.is_zero() {
        return;
    }
    let name = vm.simple_name(enumeration.class);
    match outside(vm, enumeration).as_slice() {
        [] => notice!(
            "the invariant holds for no structure within the bounds, which --explain-bounds shows"
        ),
        found => notice!(
            "no structure is within the bounds; in a new {name} {}: a larger --scope or \
             [bounds.fields] of heapwright.toml allows that, --explain-bounds shows the bounds",
            found.join(", ")
        ),
    }
}

/// Warns of structures on which the criterion behaved in a way that makes its classes unreliable.
fn warn_of_criterion(criterion: &str, coverage: &Coverage, strategy: Strategy) {
    let unread = "read nothing that is chosen, so that it tells no two structures apart,";
    let changed = "changed the structure, which was undone,";
    for (trouble, what) in [
        (&coverage.unanswered, "named no class for the structure"),
        (&coverage.independent, unread),
        (&coverage.changed, changed),
    ] {
        if trouble.count > 0 {
            notice!("the criterion {criterion} {}", on(trouble, what, strategy));
        }
    }
}

fn on(trouble: &FailureCount, what: &str, strategy: Strategy) -> String {
    let times = match strategy {
        Strategy::Korat => leaves(strategy, trouble.count),
        // A lazy leaf may represent several structures, so structures are counted.
        Strategy::Lazy if trouble.count == 1 => "1 structure".to_owned(),
        Strategy::Lazy => format!("{} structures", grouped(trouble.count)),
    };
    let leaf = leaf_noun(strategy, &Count::ONE);
    let mut text = format!(
        "{what} on {times}; the first is {leaf} {}",
        grouped(&trouble.candidate)
    );
    if !trouble.text.is_empty() {
        text.push_str(": ");
        text.push_str(&trouble.text);
    }
    text
}

/// Whether the criterion returned no class for some structure.
pub fn has_unanswered(outcome: &EnumerationOutcome) -> bool {
    let coverage = outcome.coverage.as_ref();
    coverage.is_some_and(|coverage| coverage.unanswered.count > 0)
}
