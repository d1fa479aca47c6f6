//! `heapwright man`: manual pages, one of the program and one of each verb.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;
use clap::{Args, CommandFactory, ValueHint};

use crate::cli::Cli;

/// Options of `man`.
#[derive(Args, Debug)]
pub struct ManArgs {
    /// Folder for the pages
    #[arg(short = 'o', long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    output: PathBuf,
}

/// Writes the pages.
///
/// # Errors
/// The folder cannot be written to.
pub fn run(arguments: &ManArgs) -> anyhow::Result<ExitCode> {
    let folder = &arguments.output;
    let failed = || format!("failed to write manual pages to {}", folder.display());
    std::fs::create_dir_all(folder).with_context(failed)?;
    clap_mangen::generate_to(Cli::command(), folder).with_context(failed)?;
    Ok(ExitCode::SUCCESS)
}
