//! `heapwright sequences`.

mod args;
mod request;
mod told;

use std::process::ExitCode;
use std::time::Instant;

use anyhow::ensure;
use heapwright_jvm::Vm;
use heapwright_techniques::korat_api;
use heapwright_techniques::sequences::{self, Watch};

use crate::exit;
use crate::interrupt::Interrupt;
use crate::output::print;
use crate::progress::ProgressLine;
use crate::symbolic::explain_run;

pub use args::SequencesArgs;
use args::TestFormat;
use told::Whole;

/// Looks for sequences that reach what is wanted.
///
/// # Errors
/// The request is wrong, the solver cannot be used, or the output cannot be written.
pub fn run(arguments: &SequencesArgs) -> anyhow::Result<ExitCode> {
    let start = Instant::now();
    ensure!(
        arguments.format != Some(TestFormat::Junit) || arguments.output.is_some(),
        "--format junit writes files: say with -o into which folder"
    );
    let mut config = arguments.class_path.config()?;
    config.embedded = korat_api::CLASSES;
    config.assertions = true;
    let mut vm = Vm::new(config)?;
    let request = request::request(arguments)?;
    let subject = sequences::subject(&mut vm, &request);
    let subject = subject.map_err(|error| explain_run(&vm, error))?;
    for notice in &subject.notices {
        eprintln!("heapwright: {notice}");
    }
    if arguments.print_analysis {
        print(&subject.analysis_text(&vm))?;
        return Ok(exit::ExitCode::Done.into());
    }
    if arguments.print_candidates {
        print(&subject.candidates_text(&vm, arguments.max_length as usize))?;
        return Ok(exit::ExitCode::Done.into());
    }
    if subject.methods.is_empty() {
        let class = &arguments.class;
        let is_filtered = !(arguments.include.is_empty() && arguments.exclude.is_empty());
        eprintln!(
            "heapwright: {}",
            match is_filtered {
                true =>
                    format!("nothing to run: --include and --exclude leave no method of {class}"),
                false => crate::symbolic::nothing(&mut vm, class),
            }
        );
        return Ok(exit::ExitCode::Nothing.into());
    }
    let analysed = start.elapsed();
    let methods = u32::try_from(subject.methods.len()).unwrap_or(u32::MAX);
    let by_methods = arguments.time_per_method.map(|time| time * methods);
    let limit = by_methods.into_iter().chain(arguments.time_limit).min();
    let interrupt = Interrupt::watch(limit)?;
    let line = std::cell::RefCell::new(ProgressLine::new(arguments.output.is_none()));
    let watch = Watch {
        stops: &|| interrupt.reason().is_some(),
        explored: &|paths| line.borrow_mut().update_counts(paths, 0),
    };
    let report = subject.run(&mut vm, &request, watch);
    let report = report.map_err(|error| explain_run(&vm, error))?;
    line.borrow_mut().clear();
    let whole = Whole {
        arguments,
        subject: &subject,
        report: &report,
        stopped_by: interrupt.reason(),
        analysed,
        start,
    };
    whole.write(&mut vm)
}
