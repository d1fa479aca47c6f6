//! The command line of Heapwright: parse, call, print, exit code.

#[macro_use]
mod stderr;

mod api;
mod check;
mod check_file;
mod check_report;
mod checksum;
mod claim;
mod cli;
mod config;
mod enumerate;
mod exit;
mod fault;
mod fields;
mod findings;
mod head;
mod inputs;
mod interrupt;
mod items;
mod junit;
mod korat;
mod merge;
mod nearest;
mod output;
mod paths;
mod prefix;
mod progress;
mod run;
mod sequences;
mod shard;
mod smallest;
mod summary;
mod symbolic;

use clap::Parser;

use cli::{Cli, Source, Verb};
use exit::ExitCode;

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
            output::remove_temporary();
            eprintln!("heapwright: {fault}");
            if wants_json {
                let summary = serde_json::json!({
                    "verb": verb,
                    "status": "fault",
                    "fault": { "message": fault.message, "place": fault.place },
                    "version": env!("CARGO_PKG_VERSION"),
                });
                // Whoever does not read it sees the exit code.
                let _ = output::print(&format!("{summary}\n"));
            }
            ExitCode::Fault.into()
        }
    }
}

/// Does what a verb says; the process's exit code.
fn run(verb: Verb) -> std::process::ExitCode {
    let result = match verb {
        Verb::Check(arguments) => {
            config::check(*arguments).and_then(|arguments| check::run(&arguments))
        }
        Verb::Enumerate(arguments) => {
            config::enumerate(*arguments).and_then(|arguments| match arguments.from {
                Source::Invariant => enumerate::run(&arguments),
                Source::Api => api::enumerate(&arguments),
            })
        }
        Verb::Builders(arguments) => {
            config::builders(*arguments).and_then(|arguments| api::builders(&arguments))
        }
        Verb::Compare(arguments) => {
            config::compare(*arguments).and_then(|arguments| api::compare(&arguments))
        }
        Verb::Fields(arguments) => {
            config::fields(*arguments).and_then(|arguments| fields::run(&arguments))
        }
        Verb::Paths(arguments) => {
            config::paths(*arguments).and_then(|arguments| paths::run(&arguments))
        }
        Verb::Sequences(arguments) => {
            config::sequences(*arguments).and_then(|arguments| sequences::run(&arguments))
        }
        Verb::Merge(arguments) => merge::run(&arguments),
        Verb::Korat(arguments) => korat::run(&arguments),
        Verb::Run(arguments) if arguments.symbolic.symbolic => symbolic::run(&arguments),
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
