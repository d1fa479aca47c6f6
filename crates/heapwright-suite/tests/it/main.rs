//! Integration tests of the crate.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod arrangement;
mod drawings;
mod flows;
mod junit_runs;
mod labels;
mod model;
mod requests;
mod scripts;
mod siblings;
mod snapshots;
mod suites;
