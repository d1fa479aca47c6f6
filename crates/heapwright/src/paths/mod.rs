//! `heapwright paths`.

mod args;
mod printed;
mod request;
mod told;
mod written;

use std::cell::RefCell;
use std::process::ExitCode;
use std::time::Instant;

use anyhow::{bail, ensure};
use heapwright_jvm::Vm;
use heapwright_techniques::paths::{self, Criterion, Goal, Report, Request, Subject, Watch};
use heapwright_techniques::{Error, korat_api};
use serde_json::json;

use crate::exit;
use crate::interrupt::Interrupt;
use crate::junit::TestWriter;
use crate::output::{counted, print};
use crate::progress::ProgressLine;
use crate::symbolic::explain_run;

use args::CaseFormat;
pub use args::PathsArgs;
use printed::printed;
use request::request;
use told::Whole;

/// How much of the time that is left reading methods may take before those that were read are searched.
const READING: f64 = 0.3;
/// How much of the time that is left one method may take where others wait.
const SHARE: f64 = 0.5;

/// Looks for the paths that a criterion asks for.
///
/// # Errors
/// The request is wrong, the solver cannot be used, or the output cannot be written.
pub fn run(arguments: &PathsArgs) -> anyhow::Result<ExitCode> {
    let start = Instant::now();
    ensure!(
        arguments.format != CaseFormat::Junit || arguments.output.is_some(),
        "--format junit writes files: say with -o into which folder"
    );
    ensure!(
        !(arguments.json && arguments.format == CaseFormat::Svg && arguments.output.is_none()),
        "--json writes the summary to standard output: say with -o where the drawing goes"
    );
    let request = request(arguments)?;
    let interrupt = Interrupt::watch(arguments.time_limit, &arguments.class_path, 1)?;
    let mut config = arguments.class_path.config()?;
    config.embedded = korat_api::CLASSES;
    config.assertions = true;
    let mut search = Search {
        vm: Vm::new(config.clone())?,
        request: &request,
        interrupt: &interrupt,
        line: RefCell::new(ProgressLine::new(arguments.output.is_none())),
        found: Vec::new(),
    };
    let Some(round) = search.read()? else {
        return stopped(arguments, interrupt.reason());
    };
    if round.subjects.is_empty() {
        eprintln!(
            "heapwright: {}",
            crate::symbolic::nothing(&mut search.vm, &arguments.class)
        );
        return Ok(exit::ExitCode::Nothing.into());
    }
    if let Some(text) = printed(arguments, &request, &round.subjects, &round.goals) {
        print(&text)?;
        return Ok(exit::ExitCode::Done.into());
    }
    let is_junit = arguments.format == CaseFormat::Junit;
    let writer = is_junit.then(|| TestWriter::new("Paths", arguments.junit, &config));
    let mut left = search.explore(round)?;
    while left > 0
        && interrupt.reason().is_none()
        && let Some(round) = search.read()?
    {
        left = search.explore(round)?;
    }
    search.line.borrow_mut().clear();
    arguments.inputs.warn();
    let by = interrupt.reason().unwrap_or("--time-limit");
    if left > 0 {
        let methods = counted(left as u64, "method");
        eprintln!("heapwright: {methods} not looked at: {by} ended the run before");
    }
    let Search { mut vm, found, .. } = search;
    let is_cut = left > 0 || found.iter().any(|(_, report)| report.tally.is_stopped);
    let whole = Whole {
        arguments,
        writer: writer.as_ref(),
        interrupt: &interrupt,
        found: &found,
        stopped_by: is_cut.then_some(by),
        start,
    };
    whole.write(&mut vm)
}

/// A search of one method after the other, in rounds: some are read, then searched, before others are read.
struct Search<'a> {
    vm: Vm,
    request: &'a Request,
    interrupt: &'a Interrupt,
    line: RefCell<ProgressLine>,
    /// What came of the methods so far.
    found: Vec<(Subject, Report)>,
}

/// Methods that were read.
struct Round {
    subjects: Vec<Subject>,
    /// The goals of each.
    goals: Vec<Vec<Goal>>,
    /// How many methods are to be read after them.
    unread: usize,
}

impl Search<'_> {
    /// Reads further methods; nothing if it was stopped before the first.
    fn read(&mut self) -> anyhow::Result<Option<Round>> {
        let reading = self.interrupt.within_share(READING);
        // Points may be in any method.
        let is_of_points = matches!(self.request.criterion, Criterion::ProgramPoints(_));
        let suffices = || !is_of_points && reading.reason().is_some();
        let stops = || self.interrupt.reason().is_some();
        let begun = self.found.len();
        let read = paths::subjects(&mut self.vm, self.request, begun, &stops, &suffices);
        let (subjects, unread) = match read {
            Err(Error::Stopped) => return Ok(None),
            read => read.map_err(|error| explain_run(&self.vm, error))?,
        };
        let goals = goals(&mut self.vm, self.request, &subjects)?;
        Ok(Some(Round {
            subjects,
            goals,
            unread,
        }))
    }

    /// Searches the methods of a round, and says how many are left, unread ones included.
    fn explore(&mut self, round: Round) -> anyhow::Result<usize> {
        let mut left = round.subjects.len() + round.unread;
        for (mut subject, goals) in round.subjects.into_iter().zip(round.goals) {
            left -= 1;
            // None takes the time of all others.
            let share = match left {
                0 => self.interrupt.clone(),
                _ => self.interrupt.within_share(SHARE),
            };
            let watch = Watch {
                stops: &|| share.reason().is_some(),
                closes: &|| share.is_over(),
                explored: &|explored| self.line.borrow_mut().update_counts(explored, 0),
            };
            for (class, reason) in subject.target.refused_classes() {
                eprintln!(
                    "heapwright: {}: no object of {class} is made: {reason}",
                    subject.target.name
                );
            }
            // What a method before came by is no goal any more.
            let goals: Vec<Goal> = goals
                .into_iter()
                .filter(|&goal| !told::is_reached(&self.found, subject.key(goal)))
                .collect();
            let report = subject.explore(&mut self.vm, self.request, &goals, watch);
            let report = report.map_err(|error| explain_run(&self.vm, error))?;
            self.found.push((subject, report));
            if self.interrupt.reason().is_some() {
                break;
            }
        }
        Ok(left)
    }
}

/// Says that the run was to stop before anything was looked for.
fn stopped(arguments: &PathsArgs, by: Option<&'static str>) -> anyhow::Result<ExitCode> {
    if arguments.json {
        let summary = json!({ "class": arguments.class, "status": "stopped", "stopped_by": by });
        print(&format!("{summary}\n"))?;
    }
    let reason = by.unwrap_or_default();
    eprintln!("heapwright: stopped by {reason} before anything ran");
    Ok(exit::ExitCode::Partial.into())
}

/// The goals of each method. A point must be one of some method; one that is none of a method's is
/// left out there.
fn goals(vm: &mut Vm, request: &Request, subjects: &[Subject]) -> anyhow::Result<Vec<Vec<Goal>>> {
    let Criterion::ProgramPoints(points) = &request.criterion else {
        let goals = subjects.iter().map(|subject| subject.goals(vm, request));
        return goals
            .collect::<Result<_, _>>()
            .map_err(|error| explain_run(vm, error));
    };
    let mut goals = vec![Vec::new(); subjects.len()];
    for point in points {
        let mut wrong = None;
        let mut is_any = false;
        let one = Request {
            criterion: Criterion::ProgramPoints(vec![point.clone()]),
            ..request.clone()
        };
        for (subject, goals) in subjects.iter().zip(&mut goals) {
            match subject.goals(vm, &one) {
                Ok(found) => {
                    is_any = true;
                    goals.extend(found);
                }
                Err(error) => wrong = wrong.or(Some(error)),
            }
        }
        if let Some(wrong) = wrong.filter(|_| !is_any) {
            bail!("--point {point}: {wrong}");
        }
    }
    Ok(goals)
}
