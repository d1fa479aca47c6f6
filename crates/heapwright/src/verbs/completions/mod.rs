//! `heapwright completions`: the script by which a shell completes command lines.

use std::process::ExitCode;

use clap::{Args, CommandFactory};
use clap_complete::Shell;

use crate::cli::Cli;
use crate::files::print;

/// Options of `completions`.
#[derive(Args, Debug)]
pub struct CompletionsArgs {
    /// Shell to complete in
    #[arg(value_enum, value_name = "SHELL")]
    shell: Shell,
}

/// Prints the script of a shell.
///
/// # Errors
/// Standard output cannot be written to.
pub fn run(arguments: &CompletionsArgs) -> anyhow::Result<ExitCode> {
    let mut script = Vec::new();
    clap_complete::generate(
        arguments.shell,
        &mut Cli::command(),
        "heapwright",
        &mut script,
    );
    print(&String::from_utf8_lossy(&script))?;
    Ok(ExitCode::SUCCESS)
}
