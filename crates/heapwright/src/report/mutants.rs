//! Mutants in reports.

use std::borrow::Cow;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A mutant that no test notices.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct AliveMutant {
    /// Binary name of the class.
    pub class: String,
    /// Name of the method.
    pub method: String,
    /// Source line, if the class file has it.
    pub line: Option<u16>,
    /// PIT's name of the operator.
    pub operator: Cow<'static, str>,
    /// Description of the change.
    pub description: String,
}
