//! Totals of earlier runs, for the trend.

use serde::{Deserialize, Serialize};

use crate::model::Run;
use crate::totals::Totals;

/// Totals of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct HistoryEntry {
    /// Verb that was called.
    pub verb: String,
    /// Version of the program.
    pub version: String,
    /// Start of the run, in seconds since 1970-01-01 UTC.
    pub started: u64,
    /// Wall-clock seconds.
    pub seconds: f64,
    /// Whether the run was stopped before its end.
    pub is_stopped: bool,
    /// Totals.
    pub totals: Totals,
}

impl HistoryEntry {
    /// Totals of a run.
    #[must_use]
    pub fn of(run: &Run) -> HistoryEntry {
        HistoryEntry {
            verb: run.verb.clone(),
            version: run.version.clone(),
            started: run.started,
            seconds: run.seconds,
            is_stopped: run.stopped_by().is_some(),
            totals: Totals::of(run),
        }
    }
}

/// Text of a history, an entry a line.
#[must_use]
pub fn history_text(history: &[HistoryEntry]) -> String {
    // Plain data always has a JSON text.
    let lines: Vec<String> = history
        .iter()
        .filter_map(|entry| serde_json::to_string(entry).ok())
        .collect();
    format!("[\n{}\n]\n", lines.join(",\n"))
}

/// Reads the text of a history.
///
/// # Errors
/// It is no history.
pub fn read_history(text: &str) -> Result<Vec<HistoryEntry>, serde_json::Error> {
    serde_json::from_str(text)
}
