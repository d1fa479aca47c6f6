//! Entry point of the command line: parses, calls the verb, prints errors and sets the exit code.

#[macro_use]
mod messages;

mod after_write;
mod api;
mod argument_file;
mod case_limit;
mod cli;
mod compiled_tests;
mod exit;
mod fault;
mod files;
mod interrupt;
mod job;
mod junit;
mod modules;
mod mvc;
mod options;
mod progress;
mod project;
mod report;
mod settings;
mod solver;
mod subprocess;
mod verbs;
mod watch;

use std::ffi::OsString;

use cli::Verb;
use exit::ExitCode;
use report::summary::FaultSummary;
use settings::{CommandLine, ParseError};
use verbs::{
    builders, check, compare, completions, doctor, enumerate, fields, generate, init,
    job as job_verb, korat, list, man, measure, merge, paths, run, schema, sequences, status,
    verify, work,
};

fn main() -> std::process::ExitCode {
    interrupt::started();
    let words: Vec<OsString> = std::env::args_os().collect();
    let parsed = argument_file::expand(words).map_err(ParseError::Settings);
    let cli = match parsed.and_then(|words| settings::parse(&words)) {
        Ok(CommandLine::Verb(cli)) => *cli,
        Ok(CommandLine::Watch(run)) => return watch::run(&run).unwrap_or_else(failed),
        Ok(CommandLine::Modules(run)) => return modules::run(&run).unwrap_or_else(failed),
        Err(ParseError::CommandLine(error)) => {
            // Help and version are not errors; they go to standard output.
            let code = if error.use_stderr() {
                ExitCode::Usage
            } else {
                ExitCode::Done
            };
            let _ = error.print();
            return code.into();
        }
        Err(ParseError::Settings(error)) => {
            error!("{error:#}");
            return ExitCode::Usage.into();
        }
    };
    fault::install_panic_hook();
    let (verb, output) = (cli.verb.name(), cli.verb.output());
    output.messages.level().set();
    if let Some(file) = &cli.settings {
        detail!("settings of {}", file.display());
    }
    for detail in &cli.project.details {
        detail!("{detail}");
    }
    for notice in &cli.project.notices {
        notice!("{notice}");
    }
    match fault::catch(|| run(cli)) {
        Ok(code) => code,
        Err(fault) => {
            files::remove_temporary();
            error!("{fault}");
            if output.json {
                // A failed write is ignored: the exit code reports the fault, too.
                let _ = FaultSummary::print(verb, fault);
            }
            ExitCode::Fault.into()
        }
    }
}

/// Runs a verb and returns the exit code of the process.
fn run(mut cli: cli::Cli) -> std::process::ExitCode {
    if let Some(planned) = cli.verb.job().cloned() {
        return job::plan(&mut cli, &planned).unwrap_or_else(failed);
    }
    let result = match &cli.verb {
        Verb::Generate(arguments) => generate::run(arguments),
        Verb::Enumerate(arguments) => enumerate::run(arguments),
        Verb::Check(arguments) => check::run(arguments),
        Verb::Builders(arguments) => builders::run(arguments),
        Verb::Compare(arguments) => compare::run(arguments),
        Verb::Fields(arguments) => fields::run(arguments),
        Verb::Paths(arguments) => paths::run(arguments),
        Verb::Sequences(arguments) => sequences::run(arguments),
        Verb::Measure(arguments) => measure::run(arguments),
        Verb::Work(arguments) => work::run(arguments),
        Verb::Status(arguments) => status::run(arguments),
        Verb::Job(arguments) => job_verb::run(arguments),
        Verb::Merge(arguments) => merge::run(arguments),
        Verb::Korat(arguments) => korat::run(arguments),
        Verb::Run(arguments) => run::run(arguments),
        Verb::Verify(arguments) => verify::run(arguments),
        Verb::List(arguments) => list::run(arguments),
        Verb::Doctor(arguments) => doctor::run(arguments),
        Verb::Init(arguments) => init::run(arguments),
        #[cfg(feature = "network")]
        Verb::Mcp => verbs::mcp::run(),
        #[cfg(not(feature = "network"))]
        Verb::Mcp => Err(anyhow::anyhow!(
            "this program was built without the server (the feature `network`)"
        )),
        Verb::Schema(arguments) => schema::run(arguments),
        Verb::Completions(arguments) => completions::run(arguments),
        Verb::Man(arguments) => man::run(arguments),
    };
    result.unwrap_or_else(failed)
}

/// Reports the failure of a verb and returns its exit code.
fn failed(error: anyhow::Error) -> std::process::ExitCode {
    // A closed pipe means that the reader needs no more output.
    if is_broken_pipe(&error) {
        return ExitCode::Done.into();
    }
    error!("{error:#}");
    ExitCode::Usage.into()
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error
        .downcast_ref::<std::io::Error>()
        .is_some_and(|error| error.kind() == std::io::ErrorKind::BrokenPipe)
}
