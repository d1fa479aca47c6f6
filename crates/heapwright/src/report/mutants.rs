//! Mutants in reports.

use schemars::JsonSchema;
use serde::Serialize;

/// A mutant that no test notices.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct AliveMutant {
    /// Binary name of the class.
    pub class: String,
    /// Name of the method.
    pub method: String,
    /// Source line, if the class file has it.
    pub line: Option<u16>,
    /// PIT's name of the operator.
    pub operator: &'static str,
    /// Description of the change.
    pub description: String,
}
