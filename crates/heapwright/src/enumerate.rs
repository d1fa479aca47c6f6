//! `heapwright enumerate`.

use std::ops::ControlFlow;
use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Context, ensure};
use heapwright_explore::{Leaf, Progress, Search};
use heapwright_jvm::{Ref, Vm};
use heapwright_suite::dot;
use heapwright_suite::junit::{JunitOptions, JunitVersion, write_junit};
use heapwright_suite::svg::{Drawing, draw_sheet};
use heapwright_suite::{Case, Structure, Suite, jsonl};
use heapwright_techniques::Error;
use heapwright_techniques::invariant::{CriterionRequest, Enumeration, Outcome, Request};
use heapwright_techniques::korat_api;
use heapwright_techniques::observe::Observer;
use heapwright_techniques::read::StructureReader;
use heapwright_techniques::target;

use crate::cli::{EnumerateArgs, Format};
use crate::interrupt::Interrupt;
use crate::output::{Output, grouped, print, write_file};
use crate::progress::ProgressLine;
use crate::summary::{self, Report};
use crate::{exit, nearest};

/// Most structures drawn in one picture.
const MAX_DRAWINGS: u64 = 2_000;

/// Enumerates the structures of a class.
///
/// # Errors
/// The request is wrong or its output cannot be written.
pub fn run(arguments: &EnumerateArgs) -> anyhow::Result<ExitCode> {
    ensure!(
        !(arguments.json && arguments.format.is_some() && arguments.output.is_none()),
        "--json writes the summary to standard output: say with -o where the structures go"
    );
    let start = Instant::now();
    let mut config = arguments.class_path.config()?;
    config.embedded = korat_api::CLASSES;
    config.assertions = true;
    let mut vm = Vm::new(config)?;
    let request = Request {
        class: arguments.class.clone(),
        invariant: arguments.invariant.clone(),
        bounds: arguments.bounds.request()?,
        criterion: arguments.eq_class.clone().map(|method| CriterionRequest {
            method,
            prunes: true,
        }),
        step_limit: arguments.max_steps,
    };
    let prepared = Enumeration::prepare(&mut vm, &request);
    let enumeration = match prepared {
        Ok(enumeration) => enumeration,
        Err(error) => return Err(explain(&vm, error)),
    };
    if arguments.explain_bounds {
        print(&enumeration.bounds.explain(&vm))?;
        return Ok(ExitCode::SUCCESS);
    }
    let report = generate(&mut vm, &enumeration, arguments).map_err(|error| {
        match error.downcast::<Error>() {
            Ok(error) => explain(&vm, error),
            Err(error) => error,
        }
    })?;
    summary::warn(&vm, &enumeration, &report.outcome, arguments.strategy());
    summary::print_summary(&vm, &enumeration, arguments, &report, start)?;
    let progress = report.outcome.progress;
    Ok(
        if progress.refused > 0 || summary::has_unanswered(&report.outcome) {
            exit::ExitCode::Usage.into()
        } else if report.stopped_by.is_some() {
            exit::ExitCode::Partial.into()
        } else if arguments.format.is_some() && progress.valid == 0 {
            exit::ExitCode::Nothing.into()
        } else {
            ExitCode::SUCCESS
        },
    )
}

/// An error with what might have been meant.
pub fn explain(vm: &Vm, error: Error) -> anyhow::Error {
    let hint = match &error {
        Error::ClassNotFound(name) => nearest::classes(vm, name),
        Error::MethodNotFound { candidates, .. } if candidates.is_empty() => String::new(),
        Error::MethodNotFound { candidates, .. } => format!("; it has {}", candidates.join(", ")),
        _ => String::new(),
    };
    anyhow::anyhow!("{error}{hint}")
}

fn generate(
    vm: &mut Vm,
    enumeration: &Enumeration,
    arguments: &EnumerateArgs,
) -> anyhow::Result<Report> {
    match arguments.format.filter(|_| !arguments.count) {
        None => {
            let (outcome, stopped_by) = search(vm, enumeration, arguments, |_, _| Ok(()))?;
            Ok(Report {
                outcome,
                stopped_by,
                tests: None,
            })
        }
        Some(Format::Junit) => write_tests(vm, enumeration, arguments),
        Some(format @ (Format::Svg | Format::Dot)) => draw(vm, enumeration, arguments, format),
        Some(format) => write_lines(vm, enumeration, arguments, format),
    }
}

/// Runs the search, each valid structure handed to `visit`, up to `--limit` or an interruption.
fn search(
    vm: &mut Vm,
    enumeration: &Enumeration,
    arguments: &EnumerateArgs,
    mut visit: impl FnMut(&mut Vm, Ref) -> anyhow::Result<()>,
) -> anyhow::Result<(Outcome, Option<&'static str>)> {
    let interrupt = Interrupt::watch(arguments.time_limit)?;
    let mut line = ProgressLine::new(arguments.format.is_some() && arguments.output.is_none());
    let mut failure = None;
    let mut stopped_by = None;
    let mut kept = 0;
    let mut is_new_past_limit = false;
    let mut progress = Progress::default();
    let ask = |search: &mut dyn Search| {
        line.update(search);
        match interrupt.reason() {
            Some(_) => ControlFlow::Break(()),
            None => ControlFlow::Continue(()),
        }
    };
    let counts_only = arguments.limit.is_none() && (arguments.count || arguments.format.is_none());
    let outcome = if counts_only {
        enumeration.count(vm, arguments.strategy(), ask)
    } else {
        enumeration.search(vm, arguments.strategy(), ask, |vm, leaf, search| {
            let before = std::mem::replace(&mut progress, search.progress());
            if *leaf != Leaf::Valid {
                return ControlFlow::Continue(());
            }
            let is_first = search.class().is_some_and(|class| class.is_first);
            if arguments.one_per_class && !is_first {
                return ControlFlow::Continue(());
            }
            if arguments.limit == Some(kept) {
                stopped_by = Some("--limit");
                is_new_past_limit = is_first;
                progress = before;
                return ControlFlow::Break(());
            }
            kept += 1;
            if let Err(error) = visit(vm, enumeration.space.root) {
                failure = Some(error);
                return ControlFlow::Break(());
            }
            // Drawing and calling may take longer than the search.
            match interrupt.reason() {
                Some(_) => ControlFlow::Break(()),
                None => ControlFlow::Continue(()),
            }
        })
    };
    line.clear();
    let mut outcome = outcome?;
    if let Some(error) = failure {
        return Err(error);
    }
    if stopped_by.is_some() {
        // The structure past the limit only showed that there are more.
        outcome.progress = progress;
        if let Some(coverage) = &mut outcome.coverage
            && is_new_past_limit
        {
            coverage.classes.pop();
        }
    }
    let stopped_by = stopped_by.or_else(|| summary::stopped_by(outcome.end, &interrupt));
    Ok((outcome, stopped_by))
}

fn write_lines(
    vm: &mut Vm,
    enumeration: &Enumeration,
    arguments: &EnumerateArgs,
    format: Format,
) -> anyhow::Result<Report> {
    let mut reader = StructureReader::new(vm, enumeration.class);
    let mut output = Output::open(arguments.output.as_deref())?;
    let (outcome, stopped_by) = search(vm, enumeration, arguments, |vm, root| {
        let structure = reader.read(vm, root).structure;
        let line = match format {
            Format::Jsonl => jsonl::line(&structure),
            _ => structure.to_string(),
        };
        output.write_line(line.trim_end())
    })?;
    output.finish()?;
    Ok(Report {
        outcome,
        stopped_by,
        tests: None,
    })
}

fn draw(
    vm: &mut Vm,
    enumeration: &Enumeration,
    arguments: &EnumerateArgs,
    format: Format,
) -> anyhow::Result<Report> {
    let mut reader = StructureReader::new(vm, enumeration.class);
    let mut structures: Vec<Structure> = Vec::new();
    let (outcome, stopped_by) = search(vm, enumeration, arguments, |vm, root| {
        ensure!(
            (structures.len() as u64) < MAX_DRAWINGS,
            "more than {} structures to draw: draw the first ones with --limit N, or count them with --count",
            grouped(MAX_DRAWINGS)
        );
        structures.push(reader.read(vm, root).structure);
        Ok(())
    })?;
    let captions: Vec<String> = (1..=structures.len())
        .map(|number| number.to_string())
        .collect();
    let drawings: Vec<Drawing<'_>> = structures
        .iter()
        .zip(&captions)
        .map(|(structure, caption)| Drawing { structure, caption })
        .collect();
    let mut output = Output::open(arguments.output.as_deref())?;
    let text = match format {
        Format::Dot => dot::write(&drawings),
        _ => draw_sheet(&drawings),
    };
    output.write_line(text.trim_end())?;
    output.finish()?;
    Ok(Report {
        outcome,
        stopped_by,
        tests: None,
    })
}

fn write_tests(
    vm: &mut Vm,
    enumeration: &Enumeration,
    arguments: &EnumerateArgs,
) -> anyhow::Result<Report> {
    let folder = arguments
        .output
        .as_deref()
        .context("--format junit writes files: say with -o into which folder")?;
    let callables = target::methods_under_test(vm, enumeration.class, enumeration.invariant);
    let mut reader = StructureReader::new(vm, enumeration.class);
    let mut observer = Observer::new(
        vm,
        enumeration.class,
        enumeration.invariant,
        &callables,
        &enumeration.bounds,
        arguments.max_steps,
    )?;
    let mut suite = Suite {
        class_under_test: reader.class_sig(vm, enumeration.class),
        invariant: Some(enumeration.invariant_sig(vm)),
        cases: Vec::new(),
        uses_deprecated: vm.mentions(enumeration.class, "Ljava/lang/Deprecated;"),
    };
    let mut tests = 0;
    let (outcome, stopped_by) = search(vm, enumeration, arguments, |vm, root| {
        let snapshot = reader.read(vm, root);
        let calls = observer.observe(vm, &mut reader, root, &snapshot);
        tests += calls.len().max(1) as u64;
        ensure!(
            tests <= arguments.max_tests,
            "more than {} tests: take the first structures only with --limit N, raise --max-tests, \
             or count the structures with --count",
            grouped(arguments.max_tests)
        );
        suite.cases.push(Case {
            input: snapshot.structure,
            calls,
        });
        Ok(())
    })?;
    let options = JunitOptions {
        version: if arguments.junit == 4 {
            JunitVersion::Four
        } else {
            JunitVersion::Five
        },
        ..JunitOptions::default()
    };
    if suite.cases.is_empty() {
        return Ok(Report {
            outcome,
            stopped_by,
            tests: Some(0),
        });
    }
    let written = write_junit(&suite, &options)?;
    for file in &written.files {
        write_file(&folder.join(&file.path), file.contents.as_bytes())?;
    }
    if let Some(skipped) = written.skipped.first() {
        eprintln!(
            "heapwright: {} of {} structures are in no test: {}",
            grouped(written.skipped.len() as u64),
            grouped(suite.cases.len() as u64),
            skipped.reason
        );
    }
    if observer.dropped > 0 {
        eprintln!(
            "heapwright: {} calls are in no test: they came to no answer that a test could assert",
            grouped(observer.dropped)
        );
    }
    Ok(Report {
        outcome,
        stopped_by,
        tests: Some(written.tests),
    })
}
