//! Summaries of `fields` for programs.

use std::collections::BTreeMap;

use heapwright_techniques::fields::Row;
use schemars::JsonSchema;
use serde::Serialize;

use super::report::cut_text;
use crate::api::InputsSummary;
use crate::report::findings::FailingBehaviour;

/// Structures that cover pairs of fields.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct FieldsSummary {
    /// Structures of the suite of the last scope.
    pub suite_size: usize,
    /// Paths that the solver could not tell to be possible.
    pub unknown: u64,
    /// Paths on which a bound cut something off, by the bound.
    pub cut: BTreeMap<&'static str, u64>,
    /// Paths that were not followed to their end.
    pub bounded: u64,
    /// Paths that were refused.
    pub refused: u64,
    /// Paths that threw an exception.
    pub threw: u64,
    /// Fields that the invariant never reads.
    pub never_read: Vec<String>,
    /// Pairs asked for that were not found.
    pub missing: Vec<String>,
    /// Scopes, from 1 up.
    pub scopes: Vec<ScopeSummary>,
    /// Failing behaviours, where tests are written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failing_behaviours: Option<Vec<FailingBehaviour>>,
    /// How inputs of tests are made, where tests are written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prefer_api: Option<InputsSummary>,
}

/// Result of one scope.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ScopeSummary {
    /// The scope.
    scope: u32,
    /// Structures of its suite.
    suite_size: usize,
    /// Paths explored.
    explored: u64,
    /// Valid ones among them.
    valid: u64,
    /// Queries to the solver.
    solver_queries: u64,
    /// Work, in instructions and the solver's units.
    work: u64,
    /// Estimated work, with `--estimate time`.
    #[serde(skip_serializing_if = "Option::is_none")]
    predicted_work: Option<u64>,
    /// Wall-clock seconds.
    seconds: f64,
    /// `estimate`, `pairs` or `interrupted`; null if the scope was searched whole.
    stopped_by: Option<&'static str>,
    /// Pairs by field.
    fields: BTreeMap<String, PairsSummary>,
}

/// Pairs of a field.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct PairsSummary {
    /// Pairs found.
    pairs: u64,
    /// Estimated pairs, with `--estimate size`.
    #[serde(skip_serializing_if = "Option::is_none")]
    predicted: Option<u64>,
}

impl ScopeSummary {
    /// Summary of a scope.
    pub fn of(row: &Row) -> ScopeSummary {
        let fields = row.fields.iter().map(|field| {
            let pairs = PairsSummary {
                pairs: field.pairs,
                predicted: field.predicted,
            };
            (field.name.clone(), pairs)
        });
        ScopeSummary {
            scope: row.scope,
            suite_size: row.suite_size,
            explored: row.explored,
            valid: row.valid,
            solver_queries: row.queries,
            work: row.work,
            predicted_work: row.predicted_work,
            seconds: row.seconds,
            stopped_by: row.cut.map(cut_text),
            fields: fields.collect(),
        }
    }
}

/// Coverage of pairs by given structures, with `--measure`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct MeasureSummary {
    /// Structures read.
    pub structures: u64,
    /// Wanted pairs that they cover.
    pub covered: usize,
    /// Pairs wanted.
    pub wanted: usize,
    /// Pairs that they have besides.
    pub others: usize,
    /// Wanted pairs that they lack.
    pub missing: Vec<String>,
    /// Coverage by field.
    pub fields: BTreeMap<String, CoverageSummary>,
}

/// Coverage of a field's pairs.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct CoverageSummary {
    /// Wanted pairs covered.
    pub pairs: u64,
    /// Pairs wanted.
    pub wanted: u64,
}
