//! Reports of runs as plain owned data, and pure functions from them to text.
//!
//! This crate knows none of our others and does not access the disk. Callers fill a [`Run`], and a
//! writer turns it into text:
//!
//! - [`site`] writes pages for people,
//! - [`sarif`] writes findings for code scanning,
//! - [`junit`] writes outcomes of tests,
//! - [`jacoco`] and [`cobertura`] write coverage,
//! - [`mutations`] writes mutants with the schema of Stryker's viewers,
//! - [`witness`] writes witnesses of verdicts on programs,
//! - [`json`] writes the data itself,
//! - [`markdown`] writes a summary for people, [`annotations`] lines for GitHub's runner.
//!
//! Every writer is deterministic: equal data gives equal text. Paths in these texts have slashes.

pub mod annotations;
pub mod cobertura;
mod findings;
mod history;
pub mod jacoco;
pub mod json;
pub mod junit;
pub mod markdown;
mod model;
pub mod mutations;
pub mod sarif;
pub mod site;
#[cfg(test)]
mod tests;
mod totals;
pub mod witness;
mod xml;

pub use history::{HistoryEntry, history_text, read_history};
pub use model::{
    Behaviour, BehaviourRank, Class, Code, Drawing, DrawnStructure, Ending, Fate, Goal, Line,
    Method, Mutant, MutantFate, Run, RunPart, Share, SourceFile, Test, TestOutcome,
};
pub use totals::{ClassTotals, Totals};
