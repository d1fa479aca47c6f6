//! `heapwright sequences`: tests by sequences of calls for one or several classes.

mod args;
mod build_run;
mod cache;
mod changed;
mod existing;
mod job;
mod new_tests;
mod report;
mod request;
mod run_report;
mod several;
mod sources;
mod summary;
mod together;

use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, anyhow, ensure};
use heapwright_jvm::Vm;
use heapwright_jvm::classpath::{ClassPath, is_of_jdk};
use heapwright_report::RunPart;
use heapwright_techniques::Error;
use heapwright_techniques::makers::MakerIndex;
use heapwright_techniques::sequences::{self, Watch, Watches};

use crate::after_write;
use crate::exit;
use crate::files::{Output, check_writable, grouped, print};
use crate::interrupt::StopSignal;
use crate::junit::TestWriter;
use crate::messages;
use crate::mvc::MvcTests;
use crate::options::{JunitCheck, OperatorGroupName, named_classes};
use crate::progress::ProgressLines;
use crate::project;
use crate::report::claim::Claim;
use crate::report::explain::{explain_run, nearest_of};
use crate::report::output;
use crate::report::summary::Head;
use crate::solver;

#[cfg(feature = "network")]
pub use args::CoverageCriterionName;
use args::TestFormat;
pub use args::{EarlierArgs, SequencesArgs};
use cache::{Cache, TimeLimits};
use changed::{ChangedFiles, is_member};
use existing::ExistingTests;
pub use job::{ClassSearch, merge, planned};
use new_tests::NewTests;
use report::{ClassReport, SequencesResults, conclusion};
pub use summary::{SequencesOfClasses, SequencesSummary};
use together::ModuleTrial;

/// Searches for sequences that reach the goals.
///
/// # Errors
/// The request is wrong, the solver cannot be used, or the output cannot be written.
pub fn run(arguments: &SequencesArgs) -> anyhow::Result<ExitCode> {
    run_as("sequences", arguments, None)
}

/// Does the same as [`run`], with the name of the verb for summaries, and options that leave out
/// what was done before.
///
/// # Errors
/// The same as for [`run`].
pub fn run_as(
    verb: &'static str,
    arguments: &SequencesArgs,
    earlier: Option<&EarlierArgs>,
) -> anyhow::Result<ExitCode> {
    check(arguments)?;
    check_given(arguments)?;
    let (classes, not_changed) = chosen(arguments, earlier)?;
    let engines = arguments.common.jobs().min(classes.len()).max(1);
    let limit = arguments.common.time_limit.filter(|_| arguments.is_junit());
    let runs_build = earlier.is_some_and(|earlier| earlier.run_build);
    if runs_build {
        let folder = std::env::current_dir().context("failed to find the current folder")?;
        ensure!(
            project::is_in_project(&folder) && arguments.output.is_some(),
            "--run-build runs the tests of a build of Maven or Gradle: no build file is in this folder or above"
        );
    }
    let mut reserve = after_write::reserve(&arguments.after_write, limit);
    if runs_build {
        reserve += build_run::reserve(limit);
    }
    let interrupt = arguments.common.watch(engines)?.reserving(reserve);
    if !arguments.prints() {
        solver::notice_if_missing();
    }
    let writer = writer(arguments, &interrupt)?;
    let writer = writer.as_ref();
    let trial = match (earlier, writer) {
        (Some(earlier), Some(writer)) => {
            ModuleTrial::begin(arguments, earlier, writer, &interrupt)?
        }
        _ => None,
    };
    let whole = &interrupt;
    let interrupt = match &trial {
        Some(trial) => whole.searching_before(trial.time()),
        None => whole.clone(),
    };
    let existing = match earlier.filter(|earlier| earlier.update) {
        Some(earlier) => ExistingTests::find(arguments, earlier, &classes, writer, &interrupt)?,
        None => ExistingTests::default(),
    };
    let is_cached = earlier.is_some_and(|earlier| !earlier.no_cache) && writer.is_some();
    let output = arguments.output.as_deref().filter(|_| is_cached);
    let cache = output
        .map(|output| Cache::open(output, arguments))
        .transpose()?;
    let job = SequencesJob {
        arguments,
        writer,
        existing: &existing,
        cache: cache.as_ref(),
        classes: classes.len(),
        interrupt: &interrupt,
        share: 1.0,
        makers: &Arc::default(),
    };
    let completion = TestCompletion {
        arguments,
        writer,
        trial,
        runs_build,
        interrupt: whole,
    };
    // The form of a summary depends on what was asked for, not on what has changed.
    let ([class], 0) = (&classes[..], not_changed) else {
        return several::run(verb, job, (&classes, not_changed), completion);
    };
    let start = Instant::now();
    let line = std::cell::RefCell::new(ProgressLines::new(arguments.output.is_none()));
    let explored = |paths| line.borrow_mut().update_count(paths, "path");
    let mut told = job.explore(class, &explored)?;
    line.borrow_mut().clear();
    completion.complete(&mut [&mut told])?;
    report_on(verb, arguments, told, start.elapsed())
}

/// What is done with all test classes of a run after they are written.
struct TestCompletion<'a> {
    arguments: &'a SequencesArgs,
    writer: Option<&'a TestWriter>,
    /// Trial together with the tests of the project, if there is one.
    trial: Option<ModuleTrial<'a>>,
    /// Whether the tests of the build are run.
    runs_build: bool,
    interrupt: &'a StopSignal,
}

impl TestCompletion<'_> {
    /// Tries the tests together with those of the project, formats them, and runs the build.
    ///
    /// # Errors
    /// A file cannot be read or written.
    fn complete(self, told: &mut [&mut ClassReport]) -> anyhow::Result<()> {
        if let Some(trial) = self.trial {
            trial.settle(told)?;
        }
        format(
            self.arguments,
            told.iter().map(|told| &**told),
            self.interrupt,
        );
        if let (true, Some(folder), Some(writer)) =
            (self.runs_build, &self.arguments.output, self.writer)
        {
            let new = NewTests::of(told, folder, writer)?;
            let build_arguments = &self.arguments.common.class_path.project.build_arguments;
            build_run::settle(new, build_arguments, told, self.interrupt)?;
        }
        Ok(())
    }
}

/// Checks what does not depend on the classes.
///
/// # Errors
/// Options do not go together, or the folder of the tests or of the report cannot be used.
fn check(arguments: &SequencesArgs) -> anyhow::Result<()> {
    ensure!(
        arguments.format != Some(TestFormat::Junit) || arguments.output.is_some(),
        "--format junit writes files: name their folder with -o"
    );
    if let Some(folder) = &arguments.output {
        check_writable(folder)?;
    }
    output::check_folder(&arguments.reports)
}

/// Checks values of the settings. Of several modules each has only some of the classes.
///
/// # Errors
/// A class is not there, or a value does not fit what it is for.
fn check_given(arguments: &SequencesArgs) -> anyhow::Result<()> {
    if arguments.given.is_empty() {
        return Ok(());
    }
    let mut vm = Vm::new(arguments.common.class_path.exploring()?)?;
    let is_of_many = arguments.common.class_path.project.module.is_some();
    sequences::check_given(&mut vm, &arguments.given, is_of_many)
        .map_err(|error| explain_run(&vm, error))
}

/// Reports on a run for one class.
///
/// # Errors
/// The output cannot be written.
fn report_on(
    verb: &'static str,
    arguments: &SequencesArgs,
    told: ClassReport,
    elapsed: Duration,
) -> anyhow::Result<ExitCode> {
    for notice in &told.notices {
        notice!("{notice}");
    }
    if !arguments.is_junit() && !arguments.common.output.json {
        write_lines(arguments, [&told.lines[..]])?;
    }
    let claim = told.result.as_ref().map(|result| result.head.claim());
    let claim = claim.unwrap_or_else(|| Claim::ended(None));
    write_reports(verb, arguments, &claim, elapsed, told.part.clone())?;
    let conclusion = conclusion(arguments, [&told]).unwrap_or_default();
    match told.result {
        Some(result) if arguments.common.output.json => result.print(verb)?,
        _ if arguments.output.is_some() => print(&(told.summary + &conclusion))?,
        _ => messages::report(&told.summary),
    }
    Ok(told.code.unwrap_or(exit::ExitCode::Done).into())
}

/// Classes that are asked for, and the number of those among them that have not changed and are left
/// out.
///
/// # Errors
/// A pattern fits no class, none is current, or the class path or the revision cannot be read.
fn chosen(
    arguments: &SequencesArgs,
    earlier: Option<&EarlierArgs>,
) -> anyhow::Result<(Vec<String>, usize)> {
    let named = named_classes(&arguments.classes, &arguments.common.class_path)?;
    ensure_any_known(&named, arguments)?;
    let named = match arguments.members {
        true => without_members(named, arguments)?,
        false => named,
    };
    let named = match arguments.is_junit() {
        true => sources::current(named, arguments)?,
        false => named,
    };
    let all = named.len();
    let classes = match earlier.and_then(|earlier| earlier.changed_since.as_deref()) {
        Some(revision) => changed(named, revision, arguments)?,
        None => named,
    };
    let not_changed = all - classes.len();
    Ok((classes, not_changed))
}

/// Checks that one of the classes is there, before anything reads the whole class path.
///
/// # Errors
/// None is.
fn ensure_any_known(classes: &[String], arguments: &SequencesArgs) -> anyhow::Result<()> {
    let Some(first) = classes.first() else {
        return Ok(());
    };
    let config = arguments.common.class_path.exploring()?;
    let class_path = ClassPath::open(&config.class_path, config.embedded, config.jdk.feature)?;
    let is_known = |class: &String| {
        is_of_jdk(&class.replace('.', "/")) || sources::class_file(class, &class_path).is_some()
    };
    if classes.iter().any(is_known) {
        return Ok(());
    }
    let own = &arguments.common.class_path.project.own_classes;
    let own = ClassPath::open(own, &[], config.jdk.feature)?;
    let nearest = nearest_of(&[&own, &class_path], first);
    Err(anyhow!("{}{nearest}", Error::ClassNotFound(first.clone())))
}

/// Those of the classes that are named, or no members of others among them, with which they are
/// tested.
fn without_members(named: Vec<String>, arguments: &SequencesArgs) -> anyhow::Result<Vec<String>> {
    let is_inside = |class: &String| {
        let is_named = arguments.classes.contains(class);
        let mut ends = class.match_indices('$').map(|(end, _)| end);
        !is_named && ends.any(|end| named.iter().any(|other| *other == class[..end]))
    };
    if !named.iter().any(is_inside) {
        return Ok(named);
    }
    let config = arguments.common.class_path.config()?;
    let class_path = ClassPath::open(&config.class_path, &[], config.jdk.feature)?;
    let is_tested_apart = |class: &&String| !is_inside(class) || !is_member(class, &class_path);
    Ok(named.iter().filter(is_tested_apart).cloned().collect())
}

/// Those of the classes whose sources have changed since a revision. The others are reported.
fn changed(
    mut classes: Vec<String>,
    revision: &str,
    arguments: &SequencesArgs,
) -> anyhow::Result<Vec<String>> {
    let config = arguments.common.class_path.config()?;
    let class_path = ClassPath::open(&config.class_path, &[], config.jdk.feature)?;
    let files = ChangedFiles::since(revision)?;
    let named = classes.len();
    classes.retain(|class| files.has_source_of(class, &class_path));
    match named - classes.len() {
        0 => {}
        others if others == named => {
            notice!(
                "no class that was asked for has changed since {revision}: nothing to generate"
            );
        }
        1 => notice!("1 class not changed since {revision}: not tested"),
        others => notice!(
            "{} classes not changed since {revision}: not tested",
            grouped(others as u64)
        ),
    }
    Ok(classes)
}

/// Writes the reports of a run that are asked for, with the data of its classes.
fn write_reports(
    verb: &str,
    arguments: &SequencesArgs,
    claim: &Claim,
    elapsed: Duration,
    parts: impl IntoIterator<Item = RunPart>,
) -> anyhow::Result<()> {
    if arguments.reports.report.is_none() {
        return Ok(());
    }
    let mut run = output::begin(verb, claim, elapsed);
    run.has_coverage = true;
    run.has_mutants = arguments
        .mutants
        .and_then(OperatorGroupName::group)
        .is_some();
    for mut part in parts {
        run_report::relocate(&mut part);
        run.add(part);
    }
    output::write(&arguments.reports, run, arguments.common.output.json)
}

/// Runs the formatter on the files of tests that were written for classes.
fn format<'r>(
    arguments: &SequencesArgs,
    reports: impl IntoIterator<Item = &'r ClassReport>,
    interrupt: &StopSignal,
) {
    let Some(output) = &arguments.output else {
        return;
    };
    let written = reports.into_iter().filter(|report| !report.is_cached());
    let written = written.flat_map(|report| report.files.iter().cloned());
    let changed = after_write::run(
        &arguments.after_write,
        &arguments.common.class_path.project.build_arguments,
        (written.collect(), output),
        interrupt,
    );
    cache::refresh(output, &changed);
}

/// Writes lines to a file or to standard output.
fn write_lines<'l>(
    arguments: &SequencesArgs,
    parts: impl IntoIterator<Item = &'l [String]>,
) -> anyhow::Result<()> {
    let mut output = Output::open(arguments.output.as_deref())?;
    for line in parts.into_iter().flatten() {
        output.write_line(line)?;
    }
    output.finish()
}

/// Creates the writer of tests, if tests are requested.
fn writer(arguments: &SequencesArgs, interrupt: &StopSignal) -> anyhow::Result<Option<TestWriter>> {
    if !arguments.is_junit() {
        return Ok(None);
    }
    let config = arguments.common.class_path.config()?;
    let writer = TestWriter::new(KIND, &arguments.junit, &config, interrupt)?;
    let writer = writer.with_sources(&arguments.reports.sources);
    if !arguments.mvc {
        return Ok(Some(writer));
    }
    ensure!(
        arguments.junit.junit_check == JunitCheck::Run,
        "--mvc: a JVM has to make the requests: leave out --junit-check none"
    );
    let libraries = arguments.junit.libraries();
    Ok(Some(writer.with_mvc(MvcTests::new(&libraries, &config)?)))
}

/// Infix of the names of test classes.
const KIND: &str = "Heapwright";
/// Share of the search for goals in the time of a class, if mutants are looked for, too.
const EXPLORING: f64 = 0.5;
/// Share of the searches, that for tests which notice further mutants included.
const VARYING: f64 = 0.8;
/// Share behind which tests are no longer made plain; in the rest few of them are chosen.
const POLISHING: f64 = 0.92;
/// Default time limit of a class.
const TIME_PER_CLASS: Duration = Duration::from_secs(30);

/// Time that the analysis of a class has at least, and then the search, whatever its share is: what was
/// begun is to come to tests.
const FOR_ANALYSIS: Duration = Duration::from_secs(6);
const FOR_SEARCH: Duration = Duration::from_millis(1_200);

/// Parameters of the work on each class.
#[derive(Clone, Copy)]
struct SequencesJob<'a> {
    arguments: &'a SequencesArgs,
    /// Writer of tests, if tests are requested.
    writer: Option<&'a TestWriter>,
    /// Tests that were there before.
    existing: &'a ExistingTests,
    /// Results of earlier runs, if they may be used.
    cache: Option<&'a Cache<'a>>,
    /// Number of classes of the run.
    classes: usize,
    interrupt: &'a StopSignal,
    /// Share of a class in the time that is left to all when it begins.
    share: f64,
    /// Index of the class path, for all classes.
    makers: &'a Arc<MakerIndex>,
}

impl SequencesJob<'_> {
    /// Time limit of a class by itself; none for no limit.
    fn time_per_class(&self) -> Option<Duration> {
        let arguments = self.arguments;
        let has_whole = arguments.common.time_limit.is_some();
        let has_other = has_whole || arguments.time_per_method.is_some();
        let by_default = (!has_other).then_some(TIME_PER_CLASS);
        let own = arguments.time_per_class.or(by_default);
        own.filter(|time| *time < Duration::MAX)
    }

    /// Time limits of a class by the options. All classes have the same part of that of the run.
    fn time_limits(&self) -> TimeLimits {
        let classes = u32::try_from(self.classes.max(1)).unwrap_or(u32::MAX);
        let whole = self.arguments.common.time_limit;
        TimeLimits::new([
            whole.map(|time| time / classes),
            self.time_per_class(),
            self.arguments.time_per_method,
        ])
    }

    /// Remaining time of a class with `methods` methods after `behind` has passed of its share, with the
    /// option that sets it.
    fn limit(
        &self,
        methods: u32,
        share: Option<(Duration, &'static str)>,
        behind: Duration,
    ) -> Option<(Duration, &'static str)> {
        let own = self.time_per_class();
        let own = own.map(|time| (time.saturating_sub(behind), "--time-per-class"));
        let by_methods = self.arguments.time_per_method;
        let by_methods = by_methods.and_then(|time| time.checked_mul(methods));
        let by_methods = by_methods.map(|time| (time, "--time-per-method"));
        let share = share.map(|(time, option)| (time.saturating_sub(behind), option));
        own.or(share).into_iter().chain(by_methods).min()
    }

    /// Explores sequences for one class.
    fn explore(&self, class: &str, explored: &dyn Fn(u64)) -> anyhow::Result<ClassReport> {
        let SequencesJob {
            arguments,
            interrupt,
            ..
        } = *self;
        let mut request = request::request(arguments, class, self.makers)?;
        request.existing.clone_from(&self.existing.coverage);
        if self.existing.is_cut {
            request.mutants = None;
        }
        let entry = self.cache.map(|cache| {
            let existing = self.existing.description(class);
            cache.entry(&request, &existing, self.time_limits())
        });
        if let Some(told) = entry.as_ref().and_then(|entry| entry.result()) {
            return Ok(told);
        }
        let mut config = arguments.common.class_path.exploring()?;
        // The first class does so for all, and it is no part of its own time.
        let class_path = ClassPath::open(&config.class_path, config.embedded, config.jdk.feature)?;
        let is_late = || interrupt.reason().is_some();
        if self.makers.prepare(&class_path, &is_late).is_err() {
            return Ok(stopped(class, interrupt.reason()));
        }
        let start = Instant::now();
        let share = interrupt.share(self.share);
        let at_least = |least: Duration| share.map(|(time, option)| (time.max(least), option));
        if let Some(writer) = self.writer {
            writer.set_up(&mut config);
        }
        let mut vm = Vm::new(config)?;
        let analysis =
            interrupt.within(self.limit(u32::MAX, at_least(FOR_ANALYSIS), Duration::ZERO));
        let stops = || analysis.reason().is_some();
        let subject = match sequences::subject(&mut vm, &request, &stops) {
            Err(Error::Stopped) => return Ok(stopped(class, analysis.reason())),
            subject => subject.map_err(|error| explain_run(&vm, error))?,
        };
        let mut notices = subject.notices.clone();
        let text = match (arguments.print_analysis, arguments.print_candidates) {
            (true, _) => Some(subject.analysis_text(&vm)),
            (_, true) => Some(subject.candidates_text(&vm, arguments.max_length() as usize)),
            _ => None,
        };
        if let Some(text) = text {
            return Ok(ClassReport {
                lines: text.lines().map(str::to_owned).collect(),
                notices,
                code: Some(exit::ExitCode::Done),
                ..ClassReport::default()
            });
        }
        if subject.methods.is_empty() {
            let is_filtered = !(arguments.include.is_empty() && arguments.exclude.is_empty());
            notices.push(match is_filtered {
                true => {
                    format!("nothing to run: --include and --exclude leave no method of {class}")
                }
                false => crate::report::explain::nothing_to_run(&mut vm, class),
            });
            return Ok(ClassReport {
                notices,
                code: Some(exit::ExitCode::Nothing),
                ..ClassReport::default()
            });
        }
        let analysed = start.elapsed();
        let methods = u32::try_from(subject.methods.len()).unwrap_or(u32::MAX);
        let share = at_least(analysed + FOR_SEARCH);
        let interrupt = interrupt.within(self.limit(methods, share, analysed));
        let watch = Watch {
            stops: &|| interrupt.reason().is_some(),
            closes: &|| interrupt.is_over(),
            ends: &|| interrupt.is_late(),
            explored,
        };
        // Mutants need time after the search for branches.
        let share = interrupt.within_share(match request.mutants {
            Some(_) => EXPLORING,
            None => 1.0,
        });
        let exploring = Watch {
            stops: &|| share.reason().is_some(),
            ..watch
        };
        let varying_share = interrupt.within_share(match request.mutants {
            Some(_) => VARYING,
            None => 1.0,
        });
        let varying = Watch {
            stops: &|| varying_share.reason().is_some(),
            ..watch
        };
        let polishing_share = interrupt.within_share(POLISHING);
        let polishing = Watch {
            stops: &|| polishing_share.reason().is_some(),
            ..watch
        };
        let watches = Watches {
            exploring,
            varying,
            polishing,
            writing: watch,
        };
        let report = subject.run(&mut vm, &request, watches);
        let report = report.map_err(|error| explain_run(&vm, error))?;
        let whole = SequencesResults {
            arguments,
            writer: self.writer,
            existing: self.existing,
            interrupt: &interrupt,
            class,
            subject: &subject,
            report,
            stopped_by: share.reason(),
            unwritten_by: None,
            dropped: 0,
            is_verified: false,
            analysed,
            start,
        };
        if let (Some(entry), Some((by, totals, failing))) = (&entry, whole.cut(&vm))
            && let Some(told) = entry.better((&by, &totals), &failing)
        {
            return Ok(told);
        }
        let mut told = whole.into_report(&mut vm)?;
        told.steps = vm.steps();
        told.notices.splice(0..0, notices);
        if interrupt.reason() == Some("--time-per-class") && arguments.time_per_class.is_none() {
            told.notices.push(format!(
                "stopped after {} s, which a class has where nothing is said: --time-per-class 5m gives it more, \
                 none as long as it takes",
                TIME_PER_CLASS.as_secs()
            ));
        }
        if let Some(entry) = entry
            && !entry.store(&told)
        {
            detail!("{class}: the result is not stored for later runs");
        }
        Ok(told)
    }
}

/// Report of a class if the run was stopped before the search began.
fn stopped(class: &str, by: Option<&'static str>) -> ClassReport {
    let reason = by.unwrap_or("a signal");
    let claim = Claim::ended(Some(reason));
    let head = Head::new(class, &claim, 0.0).explored(0, "paths");
    ClassReport {
        notices: vec![format!("stopped by {reason} before anything ran")],
        result: Some(head.without_keys()),
        code: Some(exit::ExitCode::Partial),
        is_unsearched: true,
        ..ClassReport::default()
    }
}
