//! `heapwright check`.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use heapwright_explore::Progress;
use heapwright_jvm::{Config, Vm};
use heapwright_suite::Suite;
use heapwright_suite::junit::{JunitOptions, JunitVersion, write_junit};
use heapwright_suite::svg::{Drawing, draw_sheet};
use heapwright_techniques::Error;
use heapwright_techniques::check::{self, Checker, Counterexample, Crew};
use heapwright_techniques::invariant::{Enumeration, Request};
use heapwright_techniques::korat_api;

use crate::check_report::{self, Report};
use crate::cli::{CheckArgs, jobs};
use crate::enumerate::explain;
use crate::interrupt::Interrupt;
use crate::output::{print, write_file};
use crate::progress::ProgressLine;
use crate::{exit, summary};

/// Checks the methods of a class.
///
/// # Errors
/// The request is wrong or its output cannot be written.
pub fn run(arguments: &CheckArgs) -> anyhow::Result<ExitCode> {
    let start = Instant::now();
    let mut config = arguments.class_path.config()?;
    config.embedded = korat_api::CLASSES;
    config.assertions = true;
    let mut vm = Vm::new(config.clone())?;
    let request = Request {
        class: arguments.class.clone(),
        invariant: arguments.invariant.clone(),
        bounds: arguments.bounds.request()?,
        criterion: None,
        step_limit: arguments.max_steps(),
    };
    if arguments.bounds.explain_bounds {
        let prepared = Enumeration::prepare(&mut vm, &request);
        let enumeration = prepared.map_err(|error| explain(&vm, error))?;
        print(&enumeration.bounds.explain(&vm))?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut report = match search(&mut vm, &config, &request, arguments) {
        Ok(report) => report,
        Err(error) => {
            return Err(match error.downcast::<Error>() {
                Ok(error) => explain(&vm, error),
                Err(error) => error,
            });
        }
    };
    let strategy = arguments.strategy();
    summary::warn(&vm, &report.enumeration, &report.outcome, strategy);
    report.warn();
    if let Some(folder) = &arguments.output {
        report.files = write(&vm, &report, folder, arguments.junit.unwrap_or(5))?;
    }
    check_report::print_report(&vm, &report, arguments, start)?;
    Ok(exit_code(&report))
}

fn search(
    vm: &mut Vm,
    config: &Config,
    structures: &Request,
    arguments: &CheckArgs,
) -> anyhow::Result<Report> {
    let enumeration = Enumeration::prepare(vm, structures)?;
    let request = check::Request {
        methods: arguments.methods.clone(),
        expected: arguments.expected.clone(),
        oracles: arguments.oracles.clone(),
        against: arguments.against.clone(),
        step_limit: arguments.max_steps(),
    };
    enumeration.look_for_dependence(vm)?;
    let mut checker = Checker::new(vm, &enumeration, &request)?;
    let interrupt = Interrupt::watch(arguments.time_limit)?;
    let mut line = ProgressLine::new(false);
    let mut crew = Crew {
        jobs: jobs(arguments.jobs),
        more: &|| {
            let mut vm = Vm::new(config.clone()).ok()?;
            let enumeration = Enumeration::prepare(&mut vm, structures).ok()?;
            Some((vm, enumeration))
        },
        stops: &|| interrupt.reason().is_some(),
        watch: &mut |progress: &Progress, share| line.update(progress, share),
    };
    let calls = arguments.calls();
    let outcome = check::check(vm, &enumeration, &mut checker, &request, calls, &mut crew);
    line.clear();
    let outcome = outcome?;
    Ok(Report {
        stopped_by: summary::stopped_by(outcome.end, &interrupt),
        enumeration,
        checker,
        outcome,
        files: Vec::new(),
    })
}

fn exit_code(report: &Report) -> ExitCode {
    let tallies = report.checker.tallies();
    let code = if !report.checker.counterexamples().is_empty() {
        exit::ExitCode::Found
    } else if report.outcome.progress.refused + report.refused_calls() > 0 {
        exit::ExitCode::Usage
    } else if report.stopped_by.is_some() {
        exit::ExitCode::Partial
    } else if tallies.iter().all(|tally| tally.calls == 0) {
        exit::ExitCode::Nothing
    } else {
        exit::ExitCode::Done
    };
    code.into()
}

/// Writes the reproducers as one test class, and a drawing of each counterexample beside it. Gives
/// the files.
fn write(vm: &Vm, report: &Report, folder: &Path, junit: u8) -> anyhow::Result<Vec<PathBuf>> {
    let counterexamples = report.checker.counterexamples();
    if counterexamples.is_empty() {
        return Ok(Vec::new());
    }
    let class = report.enumeration.class;
    let suite = Suite {
        class_under_test: report.checker.class_sig(),
        invariant: report.enumeration.invariant_sig(vm),
        cases: counterexamples.iter().map(|found| found.case()).collect(),
        uses_deprecated: vm.mentions(class, "Ljava/lang/Deprecated;"),
    };
    let name = vm.simple_name(class).replace('.', "");
    let options = JunitOptions {
        version: match junit {
            4 => JunitVersion::Four,
            _ => JunitVersion::Five,
        },
        test_class: Some(format!("{name}CounterexampleTest")),
        ..JunitOptions::default()
    };
    let written = write_junit(&suite, &options)?;
    let mut files = Vec::new();
    for file in &written.files {
        let path = folder.join(&file.path);
        write_file(&path, file.contents.as_bytes())?;
        files.push(path);
    }
    for skipped in &written.skipped {
        eprintln!(
            "heapwright: {} is in no test: {}",
            counterexamples[skipped.case].call_text(),
            skipped.reason
        );
    }
    let package = vm.class_name(class).rsplit_once('/');
    let folder = package.map_or(folder.to_owned(), |(package, _)| folder.join(package));
    for (number, found) in (1..).zip(counterexamples) {
        let path = folder.join(format!("{name}Counterexample{number}.svg"));
        write_file(&path, drawing(found).as_bytes())?;
        files.push(path);
    }
    Ok(files)
}

fn drawing(found: &Counterexample) -> String {
    let before = format!("before {}", found.call_text());
    let reason = found.reason.lines().next().unwrap_or_default();
    let after = format!("after: {reason}");
    let drawings = [
        Drawing {
            structure: &found.before,
            caption: &before,
        },
        Drawing {
            structure: &found.after,
            caption: &after,
        },
    ];
    format!("<!-- Written by Heapwright. -->\n{}", draw_sheet(&drawings))
}
