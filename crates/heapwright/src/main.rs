//! The command line of Heapwright: parse, call, print, exit code.

mod cli;
mod exit;
mod nearest;
mod run;

use clap::Parser;

use cli::{Cli, Verb};
use exit::ExitCode;

fn main() -> std::process::ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            // Help and version are no errors and go to standard output.
            let code = if error.use_stderr() { ExitCode::Usage } else { ExitCode::Done };
            let _ = error.print();
            return code.into();
        }
    };
    let result = match cli.verb {
        Verb::Run(arguments) => run::run(&arguments),
    };
    match result {
        Ok(code) => code,
        Err(error) => {
            eprintln!("heapwright: {error:#}");
            ExitCode::Usage.into()
        }
    }
}
