//! `heapwright enumerate`: structures from the invariant or from the API.

mod api;
mod api_report;
mod api_tests;
mod args;
mod gallery;
mod invariant;
mod items;
mod report;

use std::process::ExitCode;

use anyhow::ensure;

pub use api_report::ApiSummary;
pub use args::{EnumerateArgs, Source};

/// Enumerates structures, from the invariant or the API.
///
/// # Errors
/// The request is wrong or its output cannot be written.
pub fn run(arguments: &EnumerateArgs) -> anyhow::Result<ExitCode> {
    match arguments.from {
        Source::Invariant => invariant::run(arguments),
        Source::Api => {
            ensure!(
                arguments.reports.report.is_none(),
                "--report draws structures from the invariant: leave out --from api"
            );
            api::run(arguments)
        }
    }
}
