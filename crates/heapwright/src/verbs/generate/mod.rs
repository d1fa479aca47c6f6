//! `heapwright generate`: a small and strong suite for one or several classes.
//!
//! The search is that of `sequences`. The suite is one for branches and mutants, member classes are
//! tested with their class, and tests call what their package may.

use std::process::ExitCode;

use clap::Args;

use super::sequences::{self, EarlierArgs, SequencesArgs};

/// Options of `generate`.
#[derive(Args, Debug)]
#[command(
    mut_arg("mutants", |arg| arg.default_value("defaults")),
    mut_arg("members", |arg| arg.default_value("true").hide(true)),
    mut_arg("access", |arg| arg.default_value("protected")),
    mut_arg("patience", |arg| arg.default_value("4")),
    mut_arg("boilerplate", |arg| arg.default_value("false")),
    mut_arg("strict", |arg| arg.default_value("false").hide(false)),
    mut_arg("job", |arg| arg.conflicts_with("update"))
)]
pub struct GenerateArgs {
    #[command(flatten)]
    pub sequences: SequencesArgs,
    #[command(flatten)]
    pub earlier: EarlierArgs,
}

/// Generates tests.
///
/// # Errors
/// The request is wrong, the solver cannot be used, or the output cannot be written.
pub fn run(arguments: &GenerateArgs) -> anyhow::Result<ExitCode> {
    sequences::run_as("generate", &arguments.sequences, Some(&arguments.earlier))
}
