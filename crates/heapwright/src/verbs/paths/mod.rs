//! `heapwright paths`: test cases for the paths that a criterion selects.

mod args;
mod printed;
mod report;
mod request;
mod summary;
mod written;

use std::cell::Cell;
use std::collections::BTreeSet;
use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use anyhow::{bail, ensure};
use heapwright_jvm::{Config, Vm};
use heapwright_techniques::Error;
use heapwright_techniques::paths::methods::{self, Crew};
use heapwright_techniques::paths::{
    self, Criterion, Goal, Key, PathsReport, PathsRequest, Reached, Subject, Watch,
};

use crate::exit;
use crate::files::{counted, print};
use crate::interrupt::StopSignal;
use crate::junit::TestWriter;
use crate::progress::ProgressLine;
use crate::report::claim::Claim;
use crate::report::explain::explain_run;
use crate::report::summary::Head;

use args::CaseFormat;
pub use args::PathsArgs;
use printed::printed;
use report::PathsResults;
use request::request;
pub use summary::PathsSummary;

/// Fraction of the remaining time for reading methods before those read are searched.
const READING: f64 = 0.3;
/// Fraction of the remaining time that one method may take while others wait.
const SHARE: f64 = 0.5;
/// Time that the first worker works alone: about the start-up time of a further worker.
const HEAD_START: Duration = Duration::from_millis(100);

/// Searches for the paths that a criterion selects.
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
        !(arguments.common.output.json
            && arguments.format == CaseFormat::Svg
            && arguments.output.is_none()),
        "--json writes the summary to standard output: say with -o where the drawing goes"
    );
    let request = request(arguments)?;
    let jobs = arguments.common.jobs();
    let interrupt = arguments.common.watch(jobs)?;
    let config = arguments.common.class_path.exploring()?;
    let mut search = Search {
        vm: Vm::new(config.clone())?,
        common: SharedContext {
            config: &config,
            jobs,
            request: &request,
            interrupt: &interrupt,
            line: Mutex::new(ProgressLine::new(arguments.output.is_none())),
        },
        found: Vec::new(),
        reached: BTreeSet::new(),
    };
    let Some(round) = search.read()? else {
        return stopped(arguments, interrupt.reason());
    };
    if round.subjects.is_empty() {
        notice!(
            "{}",
            crate::report::explain::nothing_to_run(&mut search.vm, &arguments.class)
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
    search.common.line().clear();
    arguments.inputs.warn();
    let by = interrupt.reason().unwrap_or("--time-limit");
    if left > 0 {
        let methods = counted(left as u64, "method");
        notice!("{methods} not looked at: {by} ended the run before");
    }
    let Search { mut vm, found, .. } = search;
    let is_cut = left > 0 || found.iter().any(|(_, report)| report.tally.is_stopped);
    let whole = PathsResults {
        arguments,
        writer: writer.as_ref(),
        interrupt: &interrupt,
        found: &found,
        stopped_by: is_cut.then_some(by),
        start,
    };
    whole.write(&mut vm)
}

/// Search in rounds: some methods are read, then searched, before others are read.
struct Search<'a> {
    vm: Vm,
    common: SharedContext<'a>,
    /// Reports of the methods so far.
    found: Vec<(Subject, PathsReport)>,
    /// Goals reached so far.
    reached: BTreeSet<Key>,
}

/// Data that all workers share.
struct SharedContext<'a> {
    /// Configuration of the engines.
    config: &'a Config,
    /// Number of workers, at least one.
    jobs: usize,
    request: &'a PathsRequest,
    interrupt: &'a StopSignal,
    line: Mutex<ProgressLine>,
}

/// Methods of a round.
struct Round {
    subjects: Vec<Subject>,
    /// Goals of each method.
    goals: Vec<Vec<Goal>>,
    /// Number of methods left to read after this round.
    unread: usize,
}

impl Search<'_> {
    /// Reads further methods; returns none if it was stopped before the first.
    fn read(&mut self) -> anyhow::Result<Option<Round>> {
        let SharedContext {
            request, interrupt, ..
        } = self.common;
        let reading = interrupt.within_share(READING);
        // Points may be in any method, so all methods are read.
        let is_of_points = matches!(request.criterion, Criterion::ProgramPoints(_));
        let suffices = || !is_of_points && reading.reason().is_some();
        let stops = || interrupt.reason().is_some();
        let begun = self.found.len();
        let read = paths::subjects(&mut self.vm, request, begun, &stops, &suffices);
        let (subjects, unread) = match read {
            Err(Error::Stopped) => return Ok(None),
            read => read.map_err(|error| explain_run(&self.vm, error))?,
        };
        let goals = goals(&mut self.vm, request, &subjects)?;
        Ok(Some(Round {
            subjects,
            goals,
            unread,
        }))
    }

    /// Searches the methods of a round. Returns the number of methods left, unread ones included.
    fn explore(&mut self, round: Round) -> anyhow::Result<usize> {
        let Round {
            mut subjects,
            goals,
            unread,
        } = round;
        for subject in &subjects {
            for (class, reason) in subject.target.refused_classes() {
                let name = &subject.target.name;
                notice!("{name}: no object of {class} is made: {reason}");
            }
        }
        let all = subjects.len() + unread;
        let (common, first, count) = (&self.common, self.found.len(), subjects.len());
        let begun = AtomicUsize::new(0);
        let look = |vm: &mut Vm, subject: &mut Subject, goals: &[Goal]| {
            let left = all.saturating_sub(begun.fetch_add(1, Ordering::Relaxed) + 1);
            common.search_method(vm, subject, goals, left)
        };
        let crew = Crew {
            jobs: common.jobs,
            head_start: HEAD_START,
            more: &|| common.more(first, count),
            stops: &|| common.interrupt.reason().is_some(),
            look: &look,
        };
        let reports = methods::explore(&mut self.vm, &mut subjects, &goals, &self.reached, &crew);
        let reports = reports.map_err(|error| explain_run(&self.vm, error))?;
        for (subject, report) in subjects.into_iter().zip(reports) {
            for (goal, reached) in &report.goals {
                if matches!(reached, Reached::By(_)) {
                    self.reached.insert(subject.key(&self.vm, *goal));
                }
            }
            self.found.push((subject, report));
        }
        Ok(all - (self.found.len() - first))
    }
}

impl SharedContext<'_> {
    /// Searches one method; `left` is the number of methods after it.
    fn search_method(
        &self,
        vm: &mut Vm,
        subject: &mut Subject,
        goals: &[Goal],
        left: usize,
    ) -> Result<PathsReport, Error> {
        // No method takes the time of all others.
        let share = match left {
            0 => self.interrupt.clone(),
            _ => self.interrupt.within_share(SHARE),
        };
        let watch = Watch {
            stops: &|| share.reason().is_some(),
            closes: &|| share.is_over(),
            explored: &|explored| self.line().update_counts(explored, 0),
        };
        subject.explore(vm, self.request, goals, watch)
    }

    /// Creates a further engine that has read `count` methods, starting at index `first`.
    fn more(&self, first: usize, count: usize) -> Option<(Vm, Vec<Subject>)> {
        let mut vm = Vm::new(self.config.clone()).ok()?;
        let stops = || self.interrupt.reason().is_some();
        let asked = Cell::new(0);
        let suffices = || asked.replace(asked.get() + 1) >= count;
        let read = paths::subjects(&mut vm, self.request, first, &stops, &suffices);
        Some((vm, read.ok()?.0))
    }

    fn line(&self) -> MutexGuard<'_, ProgressLine> {
        self.line.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Reports that the run was stopped before the search began.
fn stopped(arguments: &PathsArgs, by: Option<&'static str>) -> anyhow::Result<ExitCode> {
    if arguments.common.output.json {
        let claim = Claim::ended(Some(by.unwrap_or("a signal")));
        let head = Head::new(&arguments.class, &claim, 0.0).explored(0, "paths");
        head.without_keys::<PathsSummary>().print("paths")?;
    }
    let reason = by.unwrap_or_default();
    notice!("stopped by {reason} before anything ran");
    Ok(exit::ExitCode::Partial.into())
}

/// Goals of each method. A point must be in some method, and is a goal only of methods that contain
/// it.
fn goals(
    vm: &mut Vm,
    request: &PathsRequest,
    subjects: &[Subject],
) -> anyhow::Result<Vec<Vec<Goal>>> {
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
        let one = PathsRequest {
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
