//! The command line of Heapwright: parse, call, print, exit code.

#[macro_use]
mod stderr;

mod api;
mod cli;
mod config;
mod exit;
mod fault;
mod files;
mod interrupt;
mod junit;
mod options;
mod progress;
mod report;
mod smallest;
mod verbs;

use clap::Parser;

use cli::{Cli, Verb};
use exit::ExitCode;
use verbs::{builders, check, compare, enumerate, fields, korat, merge, paths, run, sequences};

fn main() -> std::process::ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            // Help and version are no errors and go to standard output.
            let code = if error.use_stderr() {
                ExitCode::Usage
            } else {
                ExitCode::Done
            };
            let _ = error.print();
            return code.into();
        }
    };
    fault::listen();
    let (verb, wants_json) = (cli.verb.name(), cli.verb.wants_json());
    match fault::catch(|| run(cli.verb)) {
        Ok(code) => code,
        Err(fault) => {
            files::remove_temporary();
            eprintln!("heapwright: {fault}");
            if wants_json {
                let summary = serde_json::json!({
                    "verb": verb,
                    "status": "fault",
                    "fault": { "message": fault.message, "place": fault.place },
                    "version": env!("CARGO_PKG_VERSION"),
                });
                // Whoever does not read it sees the exit code.
                let _ = files::print(&format!("{summary}\n"));
            }
            ExitCode::Fault.into()
        }
    }
}

/// Does what a verb says; the process's exit code.
fn run(verb: Verb) -> std::process::ExitCode {
    let result = match verb {
        Verb::Check(arguments) => config::check(*arguments).and_then(|it| check::run(&it)),
        Verb::Enumerate(arguments) => {
            config::enumerate(*arguments).and_then(|it| enumerate::run(&it))
        }
        Verb::Builders(arguments) => config::builders(*arguments).and_then(|it| builders::run(&it)),
        Verb::Compare(arguments) => config::compare(*arguments).and_then(|it| compare::run(&it)),
        Verb::Fields(arguments) => config::fields(*arguments).and_then(|it| fields::run(&it)),
        Verb::Paths(arguments) => config::paths(*arguments).and_then(|it| paths::run(&it)),
        Verb::Sequences(arguments) => {
            config::sequences(*arguments).and_then(|it| sequences::run(&it))
        }
        Verb::Merge(arguments) => merge::run(&arguments),
        Verb::Korat(arguments) => korat::run(&arguments),
        Verb::Run(arguments) => run::run(&arguments),
    };
    match result {
        Ok(code) => code,
        // Whoever read the output has enough of it.
        Err(error) if is_broken_pipe(&error) => ExitCode::Done.into(),
        Err(error) => {
            eprintln!("heapwright: {error:#}");
            ExitCode::Usage.into()
        }
    }
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error
        .downcast_ref::<std::io::Error>()
        .is_some_and(|error| error.kind() == std::io::ErrorKind::BrokenPipe)
}
