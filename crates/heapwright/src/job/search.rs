//! What a job needs of a search: its parts, and their search for a limited time.

use std::cmp::Reverse;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, bail, ensure};
use heapwright_explore::{Part, Span};
use heapwright_jvm::Jdk;
use heapwright_techniques::parts::StopCheck;

use super::classes::{self, CLASSES, LocalClasses, TEST_CLASSES};
use super::rounds;
use super::{
    EFFORT, EFFORT_OF_PART, FORMAT, Job, PLAN, Plan, PlannedClasses, PlannedPart, PlannedSolver,
    ResultWriter, StageCache, StagedSearch, Store,
};
use crate::cli::{Cli, Verb};
use crate::files::{counted, grouped, print};
use crate::interrupt::StopSignal;
use crate::options::JobArgs;
use crate::verbs::enumerate::Source;
use crate::verbs::sequences::{self, ClassSearch};
use crate::verbs::{check, enumerate, fields, paths};

/// Bytes of a result from which its part is divided.
const MOST_BYTES: usize = 32 << 20;

/// Search that is divided into parts.
pub trait JobSearch {
    /// Binary name of the class under test.
    fn class(&self) -> String;

    /// Identity of the search.
    fn identity(&self) -> String;

    /// Whether a solver decides what the search finds.
    fn uses_solver(&self) -> bool;

    /// The search as one in stages, if it is one. What follows is about the tree that was entered.
    fn staged(&mut self) -> Option<&mut dyn StagedSearch> {
        None
    }

    /// All parts of the search.
    fn whole(&self) -> Vec<Span>;

    /// Divides parts of the search into `count` ones; some may be empty.
    ///
    /// # Errors
    /// The search cannot be run.
    fn divide(&mut self, spans: &[Span], count: usize, effort: u64) -> anyhow::Result<Vec<Part>>;

    /// Searches a part until it is done or the slice is over, and adds its items and its record to
    /// the result. Returns what is left of it, and the work that it took, in instructions.
    ///
    /// # Errors
    /// The search cannot be run.
    fn search(
        &mut self,
        span: &Span,
        slice: &Slice,
        result: &mut ResultWriter,
    ) -> anyhow::Result<(Vec<Span>, u64)>;
}

/// Time in which a worker searches before it writes a result.
#[derive(Clone)]
pub struct Slice {
    end: Option<Instant>,
    /// Earlier end if other workers have nothing to do.
    shared_end: Option<Instant>,
    is_awaited: Arc<AtomicBool>,
    is_full: Arc<AtomicBool>,
    interrupt: StopSignal,
}

impl Slice {
    /// Slice of this length from now on; a sixth of it if others wait, which `is_awaited` tells.
    pub fn new(length: Duration, is_awaited: &Arc<AtomicBool>, interrupt: &StopSignal) -> Slice {
        let now = Instant::now();
        Slice {
            end: now.checked_add(length),
            shared_end: now.checked_add(length / 6),
            is_awaited: Arc::clone(is_awaited),
            is_full: Arc::default(),
            interrupt: interrupt.clone(),
        }
    }

    /// Tells of the size of the result so far.
    pub fn note_size(&self, result: &ResultWriter) {
        if result.len() > MOST_BYTES {
            self.is_full.store(true, Ordering::Relaxed);
        }
    }

    /// Whether it is over.
    pub fn is_over(&self) -> bool {
        let end = match self.is_awaited.load(Ordering::Relaxed) {
            true => self.shared_end,
            false => self.end,
        };
        self.is_full.load(Ordering::Relaxed)
            || end.is_some_and(|end| Instant::now() >= end)
            || self.interrupt.reason().is_some()
    }

    /// Whether the whole run is to stop.
    pub fn is_interrupted(&self) -> bool {
        self.interrupt.reason().is_some()
    }

    /// Signal that stops the whole run.
    pub fn interrupt(&self) -> &StopSignal {
        &self.interrupt
    }

    /// Thread-safe predicate: whether it is over.
    pub fn stop(&self) -> StopCheck {
        let slice = self.clone();
        Arc::new(move || slice.is_over())
    }
}

/// Number of the method or class that a part stands for, which is its first choice.
pub fn number_of(span: &Span) -> Option<usize> {
    let first = span.path.first();
    first.and_then(|&number| usize::try_from(number).ok())
}

/// Divides subtrees that are not cut any further into `count` parts of about the same work, which
/// `expected` tells in instructions.
pub fn even_parts(spans: &[Span], count: usize, expected: impl Fn(&Span) -> u64) -> Vec<Part> {
    let mut sized: Vec<(u64, &Span)> = spans.iter().map(|span| (expected(span), span)).collect();
    sized.sort_by_key(|(steps, _)| Reverse(*steps));
    let empty = Part {
        spans: Vec::new(),
        steps: 0,
        is_known: false,
    };
    let mut parts = vec![empty; count.max(1)];
    for (steps, span) in sized {
        if let Some(part) = parts.iter_mut().min_by_key(|part| part.steps) {
            part.steps += steps.max(1);
            part.spans.push(span.clone());
        }
    }
    for part in &mut parts {
        part.spans.sort_unstable();
    }
    parts
}

/// Opens the search of a command line.
///
/// # Errors
/// The verb has no parts, or the request is wrong.
pub fn open(cli: &Cli) -> anyhow::Result<Box<dyn JobSearch + '_>> {
    Ok(match &cli.verb {
        Verb::Enumerate(arguments) => enumerate::job_search(arguments)?,
        Verb::Check(arguments) => check::job_search(arguments)?,
        Verb::Paths(arguments) => paths::job_search(arguments)?,
        Verb::Fields(arguments) => fields::job_search(arguments)?,
        Verb::Sequences(arguments) => Box::new(ClassSearch::open(arguments)?),
        Verb::Generate(arguments) => Box::new(ClassSearch::open(&arguments.sequences)?),
        other => bail!("{} has no parts that a job could have", other.name()),
    })
}

/// Plans a job of the command line, with its class path, in a new folder.
///
/// # Errors
/// The folder holds a job, the request is wrong, or the storage does not take it.
fn start(cli: &mut Cli, place: &str, count: usize) -> anyhow::Result<Job> {
    let named = planned_classes(&cli.verb)?;
    let store = Store::open(place, true)?;
    ensure!(
        store.get(PLAN)?.is_none(),
        "{place} holds a job: name another folder, or remove it"
    );
    let settings = cli.settings.as_ref().map(|file| {
        std::fs::read_to_string(file).with_context(|| format!("failed to read {}", file.display()))
    });
    let words = cli.words.iter().map(|word| {
        let text = word.to_str().map(str::to_owned);
        text.with_context(|| format!("{} is not in UTF-8", word.to_string_lossy()))
    });
    let class_path = cli
        .verb
        .class_path()
        .context("the verb has no class path")?;
    let config = class_path.config()?;
    let tests = cli.verb.junit_mut().map(|junit| junit.libraries());
    let tests = tests.unwrap_or_default();
    let mut job = Job {
        plan: Plan {
            format: FORMAT,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            jdk: config.jdk.version.clone(),
            solver: PlannedSolver::Unused,
            verb: cli.verb.name().to_owned(),
            class: String::new(),
            words: words.collect::<anyhow::Result<_>>()?,
            settings: settings.transpose()?,
            class_path: classes::copy(&store, &config, &config.class_path, CLASSES)?,
            test_class_path: classes::copy(&store, &config, &tests, TEST_CLASSES)?,
            classes: named,
            search: String::new(),
            parts: Vec::new(),
            is_staged: false,
            rounds: None,
        },
        store: Arc::new(store),
        id: String::new(),
        stages: StageCache::default(),
    };
    // The search that is planned is that of the copied classes.
    let local = LocalClasses::fetch(&job)?;
    let own = job.command_line(Some(&local), Some(&config.jdk.home))?;
    if let Verb::Enumerate(arguments) = &own.verb
        && arguments.from == Source::Api
    {
        let (search, identity) = enumerate::round_search(arguments)?;
        job.plan.rounds = Some(rounds::plan(&search)?);
        job.plan.parts = vec![PlannedPart::default(); count];
        job.plan.class = search.request.classes.first().cloned().unwrap_or_default();
        job.plan.search = identity;
        return Job::create(job.store, job.plan);
    }
    let mut search = open(&own)?;
    job.plan.is_staged = search.staged().is_some();
    job.plan.parts = match job.plan.is_staged {
        true => vec![PlannedPart::default(); count],
        false => {
            let whole = search.whole();
            let effort = EFFORT.max(EFFORT_OF_PART * count as u64);
            // Schedulers count on as many parts as they asked for: some may be empty.
            let parts = search.divide(&whole, count, effort)?;
            parts.iter().map(PlannedPart::of).collect()
        }
    };
    (job.plan.search, job.plan.class) = (search.identity(), search.class());
    if search.uses_solver() {
        job.plan.solver = PlannedSolver::of_machine()?;
    }
    Job::create(job.store, job.plan)
}

/// Classes of a verb that works on each by itself.
fn planned_classes(verb: &Verb) -> anyhow::Result<Option<PlannedClasses>> {
    Ok(match verb {
        Verb::Sequences(arguments) => Some(sequences::planned(arguments, None)?),
        Verb::Generate(arguments) => {
            let earlier = Some(&arguments.earlier);
            Some(sequences::planned(&arguments.sequences, earlier)?)
        }
        _ => None,
    })
}

/// Search of a job on this machine.
pub struct LocalSearch {
    /// Class path.
    classes: LocalClasses,
    /// JDK.
    jdk: Jdk,
}

impl LocalSearch {
    /// Fetches what a search needs, with this JDK or the one of the environment.
    ///
    /// # Errors
    /// The JDK is not that of the plan, or the class path is another.
    pub fn fetch(job: &Job, jdk: Option<&PathBuf>) -> anyhow::Result<LocalSearch> {
        let jdk = Jdk::find(jdk.map(PathBuf::as_path))?;
        ensure!(
            jdk.version == job.plan.jdk,
            "the job in {} is for JDK {}, and {} is {}: name the other with --jdk DIR",
            job.store.place(),
            job.plan.jdk,
            jdk.home.display(),
            jdk.version
        );
        let classes = LocalClasses::fetch(job)?;
        Ok(LocalSearch { classes, jdk })
    }

    /// Command line of the search.
    ///
    /// # Errors
    /// The options are none of this version.
    pub fn command_line(&self, job: &Job) -> anyhow::Result<Cli> {
        job.command_line(Some(&self.classes), Some(&self.jdk.home))
    }
}

/// Checks that a search is that of the plan.
///
/// # Errors
/// It is another.
pub fn check_identity(job: &Job, search: &dyn JobSearch) -> anyhow::Result<()> {
    check_same(job, &search.identity())
}

/// Checks that a search with this identity is that of the plan.
///
/// # Errors
/// It is another.
pub fn check_same(job: &Job, own: &str) -> anyhow::Result<()> {
    let planned = &job.plan.search;
    ensure!(
        planned == own,
        "the search is not that of the job in {}: {own}, not {planned}; plan the job again",
        job.store.place()
    );
    Ok(())
}

/// Checks that this machine has the solver of the plan.
///
/// # Errors
/// It has another version, or one has a solver and the other none.
pub fn check_solver(job: &Job) -> anyhow::Result<()> {
    let planned = &job.plan.solver;
    if *planned == PlannedSolver::Unused {
        return Ok(());
    }
    let own = PlannedSolver::of_machine()?;
    ensure!(
        *planned == own,
        "the job in {} was planned with {planned}, and this machine has {own}, with which results \
         may differ: name the library of the former in HEAPWRIGHT_Z3, or plan the job again",
        job.store.place()
    );
    Ok(())
}

/// Plans a job, and prints what was planned.
///
/// # Errors
/// The job cannot be planned, or standard output cannot be written to.
pub fn plan(cli: &mut Cli, arguments: &JobArgs) -> anyhow::Result<ExitCode> {
    let place = arguments.job.as_deref().unwrap_or_default();
    let job = start(cli, place, arguments.parts as usize)?;
    let steps: u64 = job.plan.parts.iter().map(|part| part.steps).sum();
    if let Some(steps) = job.plan.steps() {
        print(&format!(
            "{}: a search in {steps}, for {} at a time; to search: heapwright work {place}\n",
            job.plan.class,
            counted(job.plan.parts.len() as u64, "worker"),
        ))?;
        return Ok(ExitCode::SUCCESS);
    }
    print(&format!(
        "{}: {} of about {} instructions in all; to search them: heapwright work {place}\n",
        job.plan.class,
        counted(job.plan.parts.len() as u64, "part"),
        grouped(steps),
    ))?;
    Ok(ExitCode::SUCCESS)
}
