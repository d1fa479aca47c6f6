//! `heapwright enumerate`: structures from the invariant or from the API.

mod api;
mod api_report;
mod api_tests;
mod args;
mod gallery;
mod invariant;
mod items;
mod job;
mod report;

use std::process::ExitCode;

use anyhow::ensure;

use crate::api::ApiSearchJob;
use crate::job::{Job, JobSearch, Merged};

pub use api_report::ApiSummary;
pub use args::{EnumerateArgs, Source};

/// Enumerates structures, from the invariant or the API.
///
/// # Errors
/// The request is wrong or its output cannot be written.
pub fn run(arguments: &EnumerateArgs) -> anyhow::Result<ExitCode> {
    match arguments.from {
        Source::Invariant => invariant::run(arguments, None),
        Source::Api => {
            ensure!(
                arguments.reports.report.is_none(),
                "--report draws structures from the invariant: leave out --from api"
            );
            api::run(arguments)
        }
    }
}

/// Search from the API that a job runs in rounds, with its identity.
///
/// # Errors
/// The request is wrong, or a job cannot fulfil it.
pub fn round_search(arguments: &EnumerateArgs) -> anyhow::Result<(ApiSearchJob, String)> {
    api::round_search(arguments)
}

/// Writes and reports the structures of a search from the API in rounds, as those of one run.
///
/// # Errors
/// The search has not ended, a result cannot be read, or the output cannot be written.
pub fn merge_rounds(arguments: &EnumerateArgs, job: &Job) -> anyhow::Result<ExitCode> {
    api::merge(arguments, job)
}

/// Opens the search for structures as one that a job divides.
///
/// # Errors
/// The request is wrong.
pub fn job_search(arguments: &EnumerateArgs) -> anyhow::Result<Box<dyn JobSearch + '_>> {
    Ok(Box::new(job::StructureSearch::open(arguments)?))
}

/// Writes and reports the results of a job, as those of one run.
///
/// # Errors
/// A result cannot be read, or the output cannot be written.
pub fn merge(arguments: &EnumerateArgs, merged: &Merged<'_>) -> anyhow::Result<ExitCode> {
    invariant::run(arguments, Some(merged))
}
