//! What a report may claim: which bounds have cut something off, and whether somebody asked for that.

use std::collections::BTreeSet;

use heapwright_techniques::symbolic::CutBy;
use serde_json::{Value as Json, json};

use crate::exit::ExitCode;

/// How a search over paths has ended. It is complete if nothing was cut off but by bounds that were
/// asked for, which the text then names.
pub struct Claim {
    stopped_by: Option<&'static str>,
    cut: BTreeSet<CutBy>,
    is_asked_for: bool,
}

impl Claim {
    /// Of a search that was stopped, or by whose bounds something was cut off.
    pub fn new(
        stopped_by: Option<&'static str>,
        cut: BTreeSet<CutBy>,
        is_asked: impl Fn(CutBy) -> bool,
    ) -> Claim {
        let is_asked_for = cut.iter().all(|&by| by.is_documented() || is_asked(by));
        Claim {
            stopped_by,
            cut,
            is_asked_for,
        }
    }

    /// The status for programs.
    pub fn status(&self) -> &'static str {
        match (self.stopped_by, self.is_asked_for) {
            (Some(_), _) => "stopped",
            (None, true) => "complete",
            (None, false) => "partial",
        }
    }

    /// The exit code, where the search was not complete.
    pub fn exit_code(&self) -> Option<ExitCode> {
        (self.status() != "complete").then_some(ExitCode::Partial)
    }

    /// Adds what the JSON summary says of it.
    pub fn add_to(&self, summary: &mut Json) {
        summary["status"] = json!(self.status());
        if let Some(by) = self.stopped_by {
            summary["stopped_by"] = json!(by);
        }
    }
}

impl std::fmt::Display for Claim {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if let Some(by) = self.stopped_by {
            return write!(f, "stopped by {by}");
        }
        f.write_str(self.status())?;
        if self.cut.is_empty() {
            return Ok(());
        }
        let cut: Vec<String> = self.cut.iter().map(CutBy::to_string).collect();
        write!(f, ", without {}", cut.join(", "))
    }
}
