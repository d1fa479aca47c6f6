//! Summary of `compare` for programs.

use heapwright_techniques::compare::FieldDifference;
use schemars::JsonSchema;
use serde::Serialize;

/// The invariant's structures and the API's, compared.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct CompareSummary {
    /// Verdict: which of the two sets contains the other.
    pub verdict: &'static str,
    /// Structures that the API builds.
    pub api_structures: u64,
    /// Structures that the invariant accepts.
    pub invariant_structures: u64,
    /// Structures in both sets.
    pub common: u64,
    /// Structures of the API outside the invariant's bounds.
    pub outside_bounds: u64,
    /// Structures only from the API.
    pub api_only: u64,
    /// Structures only from the invariant.
    pub invariant_only: u64,
    /// Structures of the invariant that the API builds through larger ones.
    pub scope_artefacts: u64,
    /// Smallest structures only from the API.
    pub api_witnesses: Vec<ApiWitnessSummary>,
    /// Smallest structures only from the invariant.
    pub invariant_witnesses: Vec<InvariantWitnessSummary>,
}

/// A structure that the invariant rejects.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ApiWitnessSummary {
    /// The structure.
    pub structure: String,
    /// Calls that build it.
    pub calls: String,
    /// Places at which the invariant returned, innermost first.
    pub rejected_at: Vec<String>,
    /// Why the invariant came to no answer; null if it rejected.
    pub no_answer: Option<String>,
}

/// A structure that no calls build.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct InvariantWitnessSummary {
    /// The structure.
    pub structure: String,
    /// Nearest structure that calls build; null if there is none.
    pub nearest: Option<BuiltStructure>,
    /// Fields in which the two differ.
    pub differences: Vec<DifferenceSummary>,
}

/// A structure and the calls that build it.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct BuiltStructure {
    /// The structure.
    pub structure: String,
    /// Calls that build it.
    pub calls: String,
}

/// A field in which two structures differ.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct DifferenceSummary {
    /// Number of the object.
    object: usize,
    /// Binary name of its class.
    class: String,
    /// Name of the field.
    field: String,
    /// Value in the witness.
    here: String,
    /// Value in the nearest structure.
    there: String,
    /// Place at which the invariant reads it; null if it does not.
    read_at: Option<String>,
}

impl DifferenceSummary {
    /// Summary of a difference.
    pub fn of(difference: &FieldDifference) -> DifferenceSummary {
        DifferenceSummary {
            object: difference.object,
            class: difference.class.clone(),
            field: difference.field.clone(),
            here: difference.here.clone(),
            there: difference.there.clone(),
            read_at: difference.read_at.clone(),
        }
    }
}
