//! Summary of `paths` for programs.

use schemars::JsonSchema;
use serde::Serialize;

use crate::report::findings::FailingBehaviour;
use crate::report::paths::PathSummary;

/// Paths that a criterion asks for.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct PathsSummary {
    /// Most times that the test of a loop is run.
    pub loop_k: u32,
    /// Strategies that were used.
    pub strategy: String,
    /// Test cases: a path with an input that takes it.
    pub cases: u64,
    /// Paths that were not followed to their end.
    pub pruned: u64,
    /// Paths found before those that cover nothing new were left out.
    pub before_filter: u64,
    /// Bytecodes of the methods and their callees.
    pub bytecodes: u64,
    /// Milliseconds that reading them took.
    pub translation_ms: f64,
    /// Traces that were generated.
    pub traces_generated: u64,
    /// Traces that no input takes.
    pub traces_infeasible: u64,
    /// Instructions of the class that cases cover.
    pub instructions_covered: u64,
    /// Instructions of the class.
    pub instructions_total: u64,
    /// Branches of the class that cases cover.
    pub branches_covered: u64,
    /// Branches of the class.
    pub branches_total: u64,
    /// Paths that a bound or limit ended.
    pub limited: u64,
    /// Paths that were refused.
    pub refused: u64,
    /// Paths that the solver could not tell to be possible.
    pub unknown: u64,
    /// Paths on which values were fixed.
    pub fixed: u64,
    /// Bounds that cut something off.
    pub cut: Vec<&'static str>,
    /// Goals that no case covers.
    pub uncovered: Vec<UncoveredSummary>,
    /// Methods.
    pub methods: Vec<MethodSummary>,
    /// Cases.
    pub paths: Vec<PathSummary>,
    /// Failing behaviours, where tests are written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failing_behaviours: Option<Vec<FailingBehaviour>>,
    /// Shards that were merged.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shards: Option<usize>,
}

/// A goal that no case covers.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct UncoveredSummary {
    /// The method.
    pub method: String,
    /// The goal.
    pub point: String,
    /// Why no case covers it.
    pub reason: String,
}

/// The search of a method.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct MethodSummary {
    /// The method.
    pub method: String,
    /// Cases found.
    pub cases: usize,
    /// Paths explored.
    pub explored: u64,
    /// `guided`, `together` or `standard`; null if nothing was searched for.
    pub strategy: Option<String>,
    /// Why this strategy was chosen.
    pub reason: Option<String>,
}
