//! `heapwright paths`: test cases for the paths that a criterion selects.

mod args;
mod case_tests;
mod drawings;
mod job;
mod printed;
mod progress;
mod report;
mod request;
mod results;
mod summary;

use std::cell::Cell;
use std::collections::BTreeSet;
use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, bail, ensure};
use heapwright_jvm::{Config, Vm};
use heapwright_techniques::Error;
use heapwright_techniques::paths::methods::{self, MethodCrew};
use heapwright_techniques::paths::{
    self, GoalKey, GoalResult, PathCriterion, PathSubject, PathsReport, PathsRequest, ReachGoal,
    Watch,
};
use heapwright_techniques::target::find_class;

use crate::exit;
use crate::files::prefix::Fingerprint;
use crate::files::print;
use crate::files::results::ResultFile;
use crate::files::shard::Shard;
use crate::interrupt::StopSignal;
use crate::job::{JobSearch, Merged};
use crate::junit::TestWriter;
use crate::progress::ProgressLines;
use crate::report::claim::Claim;
use crate::report::explain::explain_run;
use crate::report::output;
use crate::report::summary::Head;
use crate::solver;

use args::CaseFormat;
pub use args::PathsArgs;
use printed::printed;
use progress::MethodsProgress;
pub use report::PathsReporter;
use request::request;
pub use results::PathsResults;
pub use summary::PathsSummary;

/// Fraction of the remaining time for reading methods before those read are searched.
const READING: f64 = 0.3;
/// Fraction of the remaining time that one method may take while others wait.
const SHARE: f64 = 0.5;
/// Time that the first worker works alone: about the start-up time of a further worker.
const HEAD_START: Duration = Duration::from_millis(100);

/// Opens the search for paths as one that a job divides.
///
/// # Errors
/// The request is wrong.
pub fn job_search(arguments: &PathsArgs) -> anyhow::Result<Box<dyn JobSearch + '_>> {
    Ok(Box::new(job::PathSearch::open(arguments)?))
}

/// Writes and reports the results of a job, as those of one run.
///
/// # Errors
/// A result cannot be read, or the output cannot be written.
pub fn merge(arguments: &PathsArgs, merged: &Merged<'_>) -> anyhow::Result<ExitCode> {
    job::merge(arguments, merged)
}

/// Searches for the paths that a criterion selects.
///
/// # Errors
/// The request is wrong, the solver cannot be used, or the output cannot be written.
pub fn run(arguments: &PathsArgs) -> anyhow::Result<ExitCode> {
    let start = Instant::now();
    output::check_folder(&arguments.reports)?;
    ensure!(
        arguments.format != CaseFormat::Junit || arguments.output.is_some(),
        "--format junit writes files: name their folder with -o"
    );
    ensure!(
        !(arguments.common.output.json
            && arguments.format == CaseFormat::Svg
            && arguments.output.is_none()),
        "--json writes the summary to standard output: name the file of the drawing with -o"
    );
    ensure!(
        arguments.shard.is_none() || arguments.format != CaseFormat::Svg,
        "--shard writes cases for merge, which draws none: leave out --format svg"
    );
    let request = request(arguments)?;
    let jobs = arguments.common.jobs();
    let interrupt = arguments.common.watch(jobs)?;
    solver::notice_if_missing();
    let config = arguments.common.class_path.exploring()?;
    let mut search = PathsRun {
        vm: Vm::new(config.clone())?,
        common: SharedContext {
            config: &config,
            jobs,
            request: &request,
            shard: arguments.shard,
            interrupt: &interrupt,
            progress: MethodsProgress::new(ProgressLines::new(arguments.output.is_none())),
        },
        begun: 0,
        found: Vec::new(),
        reached: BTreeSet::new(),
    };
    let fingerprint = match arguments.shard {
        Some(_) => match search.fingerprint(arguments)? {
            None => return stopped(arguments, interrupt.reason()),
            fingerprint => fingerprint,
        },
        None => None,
    };
    let Some(round) = search.read()? else {
        return stopped(arguments, interrupt.reason());
    };
    if round.subjects.is_empty() && arguments.shard.is_none() {
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
    let tries_tests = arguments.format == CaseFormat::Junit && arguments.shard.is_none();
    let writer = match tries_tests {
        true => TestWriter::new(TESTS, &arguments.junit, &config, &interrupt)?,
        false => TestWriter::untried(TESTS),
    };
    let mut left = search.explore(round)?;
    while left > 0
        && interrupt.reason().is_none()
        && let Some(round) = search.read()?
    {
        left = search.explore(round)?;
    }
    search.common.progress.clear();
    arguments.inputs.warn();
    let by = interrupt.reason().unwrap_or("--time-limit");
    let PathsRun { mut vm, found, .. } = search;
    let is_cut = left > 0 || found.iter().any(|one| one.2.tally.is_stopped);
    let stopped_by = is_cut.then_some(by);
    let file = arguments.output.as_deref();
    let mut results = PathsResults::of(arguments, &mut vm, &found, left, stopped_by)?;
    results.warn();
    if let Some((fingerprint, shard)) = fingerprint.zip(arguments.shard) {
        let results_file = ResultFile::new(&fingerprint, shard, &results.timed(start));
        results_file.write(file.context("--shard needs -o")?)?;
        results.select();
    }
    if arguments.format == CaseFormat::Svg {
        drawings::write_drawings(&vm, &found, file)?;
    }
    let reporter = PathsReporter {
        results,
        verb: "paths",
        json: arguments.common.output.json,
        output: file,
        shards: None,
        start: Some(start),
    };
    if arguments.reports.report.is_some() {
        let mut run = output::begin("paths", &reporter.results.claim(), start.elapsed());
        drawings::add_graphs(&mut vm, &found, &arguments.class, &mut run);
        output::write(&arguments.reports, run, arguments.common.output.json)?;
    }
    match arguments.shard {
        Some(_) => reporter.print_shard(),
        None => reporter.write((&writer, &interrupt)),
    }
}

/// Infix of the names of test classes.
pub const TESTS: &str = "Paths";

/// Search in rounds: some methods are read, then searched, before others are read.
struct PathsRun<'a> {
    vm: Vm,
    common: SharedContext<'a>,
    /// Number of methods that previous rounds have read and searched.
    begun: usize,
    /// Reports of the methods so far, each with the method's number.
    found: Vec<(usize, PathSubject, PathsReport)>,
    /// Goals reached so far.
    reached: BTreeSet<GoalKey>,
}

/// Data that all workers share.
struct SharedContext<'a> {
    /// Configuration of the engines.
    config: &'a Config,
    /// Number of workers, at least one.
    jobs: usize,
    request: &'a PathsRequest,
    /// Shard that limits which methods are searched, if any.
    shard: Option<Shard>,
    interrupt: &'a StopSignal,
    progress: MethodsProgress,
}

/// Methods of a round, those of other shards excluded.
struct MethodRound {
    /// Number of each method.
    numbers: Vec<usize>,
    subjects: Vec<PathSubject>,
    /// Goals of each method.
    goals: Vec<Vec<ReachGoal>>,
    /// Number of methods read, those of other shards included.
    read: usize,
    /// Number of methods left to read after this round.
    unread: usize,
}

impl PathsRun<'_> {
    /// Reads further methods; returns none if it was stopped before the first.
    fn read(&mut self) -> anyhow::Result<Option<MethodRound>> {
        let SharedContext {
            request, interrupt, ..
        } = self.common;
        let reading = interrupt.within_share(READING);
        // Points may be in any method, so all methods are read.
        let is_of_points = matches!(request.criterion, PathCriterion::ProgramPoints(_));
        let suffices = || !is_of_points && reading.reason().is_some();
        let stops = || interrupt.reason().is_some();
        let begun = self.begun;
        let read = paths::subjects(&mut self.vm, request, begun, &stops, &suffices);
        let (subjects, unread) = match read {
            Err(Error::Stopped) => return Ok(None),
            read => read.map_err(|error| explain_run(&self.vm, error))?,
        };
        let goals = goals(&mut self.vm, request, &subjects)?;
        let mut round = MethodRound {
            numbers: Vec::new(),
            subjects: Vec::new(),
            goals: Vec::new(),
            read: subjects.len(),
            unread: (begun + subjects.len()..begun + subjects.len() + unread)
                .filter(|&number| self.common.is_own(number))
                .count(),
        };
        for (number, (subject, goals)) in (begun..).zip(subjects.into_iter().zip(goals)) {
            if self.common.is_own(number) {
                round.numbers.push(number);
                round.subjects.push(subject);
                round.goals.push(goals);
            }
        }
        Ok(Some(round))
    }

    /// Identity of the search, for shards; none if it is stopped before.
    fn fingerprint(&mut self, arguments: &PathsArgs) -> anyhow::Result<Option<Fingerprint>> {
        let SharedContext {
            request, interrupt, ..
        } = self.common;
        let stops = || interrupt.reason().is_some();
        let inputs = match paths::input_classes(&mut self.vm, request, &stops) {
            Err(Error::Stopped) => return Ok(None),
            inputs => inputs.map_err(|error| explain_run(&self.vm, error))?,
        };
        let class = find_class(&mut self.vm, &arguments.class);
        let class = class.map_err(|error| explain_run(&self.vm, error))?;
        let fingerprint = request::fingerprint(arguments, request, &self.vm, class, inputs);
        Ok(Some(fingerprint))
    }

    /// Searches the methods of a round. Returns the number of methods left, unread ones included.
    fn explore(&mut self, round: MethodRound) -> anyhow::Result<usize> {
        let MethodRound {
            numbers,
            mut subjects,
            goals,
            read,
            unread,
        } = round;
        for subject in &subjects {
            for (class, reason) in subject.target.refused_classes() {
                let name = &subject.target.name;
                notice!("{name}: no object of {class} is made: {reason}");
            }
        }
        let all = subjects.len() + unread;
        let (common, first) = (&self.common, self.begun);
        let begun = AtomicUsize::new(0);
        let look = |vm: &mut Vm, subject: &mut PathSubject, goals: &[ReachGoal]| {
            let left = all.saturating_sub(begun.fetch_add(1, Ordering::Relaxed) + 1);
            common.search_method(vm, subject, goals, left)
        };
        let crew = MethodCrew {
            jobs: common.jobs,
            head_start: HEAD_START,
            more: &|| common.more(first, read),
            stops: &|| common.interrupt.reason().is_some(),
            is_independent: common.request.is_independent,
            look: &look,
        };
        let reports = methods::explore(&mut self.vm, &mut subjects, &goals, &self.reached, &crew);
        let reports = reports.map_err(|error| explain_run(&self.vm, error))?;
        let done = reports.len();
        for ((number, subject), report) in numbers.into_iter().zip(subjects).zip(reports) {
            for (goal, reached) in &report.goals {
                if matches!(reached, GoalResult::By(_)) {
                    self.reached.insert(subject.key(&self.vm, *goal));
                }
            }
            self.found.push((number, subject, report));
        }
        self.begun += read;
        Ok(all - done)
    }
}

impl SharedContext<'_> {
    /// Whether the method with this number is of the shard.
    fn is_own(&self, number: usize) -> bool {
        let is_of = |shard: Shard| number % shard.of == shard.number - 1;
        self.shard.is_none_or(is_of)
    }

    /// Searches one method; `left` is the number of methods after it.
    fn search_method(
        &self,
        vm: &mut Vm,
        subject: &mut PathSubject,
        goals: &[ReachGoal],
        left: usize,
    ) -> Result<PathsReport, Error> {
        // No method takes the time of all others.
        let share = match left {
            0 => self.interrupt.clone(),
            _ => self.interrupt.within_share(SHARE),
        };
        let running = self.progress.begin(subject.target.name.clone(), left);
        let watch = Watch {
            stops: &|| share.reason().is_some(),
            closes: &|| share.is_over(),
            ends: &|| share.is_late(),
            explored: &|explored| running.update(explored),
        };
        subject.explore(vm, self.request, goals, watch)
    }

    /// Creates a further engine that has read `count` methods, starting at index `first`.
    fn more(&self, first: usize, count: usize) -> Option<(Vm, Vec<PathSubject>)> {
        let mut vm = Vm::new(self.config.clone()).ok()?;
        let stops = || self.interrupt.reason().is_some();
        let asked = Cell::new(0);
        let suffices = || asked.replace(asked.get() + 1) >= count;
        let read = paths::subjects(&mut vm, self.request, first, &stops, &suffices);
        let own = (first..).zip(read.ok()?.0);
        let own = own.filter(|(number, _)| self.is_own(*number));
        Some((vm, own.map(|(_, subject)| subject).collect()))
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
    subjects: &[PathSubject],
) -> anyhow::Result<Vec<Vec<ReachGoal>>> {
    let PathCriterion::ProgramPoints(points) = &request.criterion else {
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
            criterion: PathCriterion::ProgramPoints(vec![point.clone()]),
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
