//! Workers: they claim parts, search them slice by slice and write results.

use std::fmt;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use heapwright_explore::Span;

use super::claims::{Claims, FAILED, WAITING};
use super::find::{Found, Listing};
use super::forest::{self, PartId};
use super::rounds::{RoundState, Step};
use super::search::{self, JobSearch, LocalSearch, Slice};
use super::stages;
use super::store::StoreKind;
use super::{Job, PartFooter, PlannedPart, ResultWriter, digest};
use crate::fault;
use crate::interrupt::StopSignal;

/// Time between two renewals of a claim.
const RENEWAL: Duration = Duration::from_secs(20);
/// Time between two looks of a worker that has nothing to do, in a folder and in an object store.
const PATIENCE: Duration = Duration::from_millis(500);
const REMOTE_PATIENCE: Duration = Duration::from_secs(3);
/// Most parts into which the rest of a part is divided.
const MOST_PARTS: u64 = 8;

/// Parts to search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Work {
    /// All.
    All,
    /// A planned part and what is left of it, then all.
    From(usize),
    /// A planned part, and what is left of it.
    Part(usize),
    /// The next planned part that no worker has begun, and what is left of it.
    Next,
}

/// Work that was done.
#[derive(Clone, Copy, Debug, Default)]
pub struct WorkOutcome {
    /// Results written.
    pub results: u64,
    /// Instructions that the search took.
    pub steps: u64,
    /// Whether parts failed here.
    pub has_failures: bool,
    /// Whether nothing is left of what was asked for.
    pub is_done: bool,
}

/// Searches parts with some engines until nothing is left of them.
///
/// # Errors
/// The JDK or the class path is not that of the plan, or the storage cannot be used.
pub fn work(
    job: &Job,
    wanted: &Work,
    (engines, slice): (usize, Duration),
    jdk: Option<&PathBuf>,
    interrupt: &StopSignal,
) -> anyhow::Result<WorkOutcome> {
    search::check_solver(job)?;
    let local = LocalSearch::fetch(job, jdk)?;
    let crew = Crew::new(job, &local, wanted, slice, interrupt);
    let ended = thread::scope(|scope| {
        scope.spawn(|| crew.renew());
        let workers: Vec<_> = (0..engines)
            .map(|engine| {
                let mut worker = Worker::new(&crew, engine);
                scope.spawn(move || worker.run())
            })
            .collect();
        let joined: Vec<_> = workers.into_iter().map(|worker| worker.join()).collect();
        crew.is_ended.store(true, Ordering::Relaxed);
        joined
    });
    for worker in ended {
        worker.unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
    }
    let is_done = match (&job.plan.rounds, wanted) {
        (Some(_), _) => matches!(RoundState::new(job, false)?.advance(job)?, Step::Ended(_)),
        (None, Work::Part(number)) => {
            let resolved = job.forest()?.resolve(PartId::Planned(*number));
            resolved.open.is_empty()
        }
        (None, Work::All | Work::From(_) | Work::Next) => {
            job.forest()?.resolve_all().open.is_empty()
        }
    };
    Ok(WorkOutcome {
        results: crew.results.into_inner(),
        steps: crew.steps.into_inner(),
        has_failures: crew.has_failures.into_inner(),
        is_done,
    })
}

/// What the engines of a process share.
pub(super) struct Crew<'a> {
    pub(super) job: &'a Job,
    pub(super) local: &'a LocalSearch,
    pub(super) wanted: &'a Work,
    slice: Duration,
    pub(super) interrupt: &'a StopSignal,
    /// Names of the claims of this process.
    own: Mutex<Vec<String>>,
    /// Whether other workers have nothing to do.
    is_awaited: Arc<AtomicBool>,
    is_ended: AtomicBool,
    results: AtomicU64,
    steps: AtomicU64,
    has_failures: AtomicBool,
}

impl<'a> Crew<'a> {
    pub(super) fn new(
        job: &'a Job,
        local: &'a LocalSearch,
        wanted: &'a Work,
        slice: Duration,
        interrupt: &'a StopSignal,
    ) -> Crew<'a> {
        Crew {
            job,
            local,
            wanted,
            slice,
            interrupt,
            own: Mutex::default(),
            is_awaited: Arc::default(),
            is_ended: AtomicBool::new(false),
            results: AtomicU64::new(0),
            steps: AtomicU64::new(0),
            has_failures: AtomicBool::new(false),
        }
    }

    fn own(&self) -> MutexGuard<'_, Vec<String>> {
        self.own.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Renews the claims of this process, and looks for others that wait, until it ends.
    fn renew(&self) {
        let mut last = Instant::now();
        while !self.is_ended.load(Ordering::Relaxed) {
            thread::sleep(PATIENCE / 5);
            if last.elapsed() < RENEWAL.min(self.slice / 4).max(PATIENCE) {
                continue;
            }
            last = Instant::now();
            // A claim only keeps others from the same work.
            if let Ok(claims) = Claims::read(self.job) {
                self.is_awaited.store(claims.waiting > 0, Ordering::Relaxed);
            }
            // The lock is not held over the loop.
            let own = self.own().clone();
            for claim in own {
                let _ = self.job.store.put(&claim, Vec::new());
                // It may have been released meanwhile. It cannot be claimed again before it is removed.
                let own = self.own();
                if !own.contains(&claim) {
                    let _ = self.job.store.remove(&claim);
                }
            }
        }
    }

    /// Writes a claim, and renews it from now on.
    pub(super) fn claim(&self, name: String) -> anyhow::Result<()> {
        self.own().push(name.clone());
        let written = self.job.store.put(&name, Vec::new());
        if written.is_err() {
            self.own().retain(|own| *own != name);
        }
        written
    }

    /// Time between two looks of a worker that has nothing to do.
    pub(super) fn patience(&self) -> Duration {
        match self.job.store.kind() {
            StoreKind::Folder => PATIENCE,
            StoreKind::Objects | StoreKind::WebDav => REMOTE_PATIENCE,
        }
    }

    /// Waits for this time, or until the run is to stop.
    pub(super) fn pause(&self, time: Duration) {
        let start = Instant::now();
        while start.elapsed() < time && self.interrupt.reason().is_none() {
            thread::sleep(time.min(PATIENCE / 5));
        }
    }

    /// Counts a result, and the instructions or calls that it took.
    pub(super) fn count(&self, steps: u64) {
        self.results.fetch_add(1, Ordering::Relaxed);
        self.steps.fetch_add(steps, Ordering::Relaxed);
    }

    pub(super) fn release(&self, name: &str) -> anyhow::Result<()> {
        self.own().retain(|own| own != name);
        self.job.store.remove(name)
    }
}

/// Engine of a process.
pub(super) struct Worker<'a> {
    pub(super) crew: &'a Crew<'a>,
    pub(super) name: String,
    /// Planned part that it has begun, for [`Work::Next`].
    pub(super) begun: Option<usize>,
    /// Results that it has listed.
    pub(super) listing: Listing,
}

impl Worker<'_> {
    pub(super) fn new<'a>(crew: &'a Crew<'a>, engine: usize) -> Worker<'a> {
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
        let nanoseconds = now.unwrap_or_default().as_nanos();
        let unique = format!("{}-{engine}-{nanoseconds}", std::process::id());
        Worker {
            crew,
            name: format!("{}-{}", host(), &digest(unique.as_bytes())[..8]),
            begun: None,
            listing: Listing::default(),
        }
    }

    /// Searches parts until there are none.
    fn run(&mut self) -> anyhow::Result<()> {
        let Crew { job, local, .. } = self.crew;
        if job.plan.rounds.is_some() {
            return self.run_rounds();
        }
        let cli = local.command_line(job)?;
        let mut search = search::open(&cli)?;
        search::check_identity(job, &*search)?;
        let waiting = format!("{WAITING}/{}", self.name);
        let mut waits = false;
        while self.crew.interrupt.reason().is_none() {
            match self.find()? {
                Found::Part(part) => {
                    if std::mem::take(&mut waits) {
                        self.crew.release(&waiting)?;
                    }
                    let claim = self.claim_name(&part);
                    let searched = fault::catch(|| self.search_part(&mut *search, &part));
                    let released = self.crew.release(&claim);
                    let failed = match searched {
                        Ok(Ok(())) => None,
                        Ok(Err(error)) => match error.downcast::<PartFailure>() {
                            Ok(failure) => Some(failure.0),
                            // The storage cannot be used: other parts would fail, too.
                            Err(error) => return Err(error),
                        },
                        Err(fault) => Some(fault.to_string()),
                    };
                    released?;
                    if let Some(reason) = failed {
                        self.fail(&part, &reason)?;
                        drop(search);
                        search = search::open(&cli)?;
                    }
                }
                Found::Others => {
                    if !std::mem::replace(&mut waits, true) {
                        self.crew.claim(waiting.clone())?;
                    }
                    self.crew.pause(self.crew.patience());
                }
                Found::Nothing => break,
            }
        }
        match waits {
            true => self.crew.release(&waiting),
            false => Ok(()),
        }
    }

    /// Searches a part and what is left of it, until something is left for others.
    fn search_part(&self, search: &mut dyn JobSearch, part: &PartId) -> anyhow::Result<()> {
        let (crew, forest) = (self.crew, &self.listing.forest);
        if let PartId::Stage(number) = part {
            return stages::make(crew.job, search, *number, forest);
        }
        if let Some(stage) = forest.stage_of(part) {
            let stage = crew.job.stage(stage)?;
            stages::staged(crew.job, search)?.enter(&stage.state)?;
        }
        let planned = crew.job.part(part, forest)?;
        let (mut length, spans) = (crew.slice, planned.spans()?);
        loop {
            let slice = Slice::new(length, &crew.is_awaited, crew.interrupt);
            let failure = |error: anyhow::Error| PartFailure(format!("{error:#}"));
            let searched = self.search_slice(search, &spans, &slice).map_err(failure)?;
            let Some((result, left, steps)) = searched else {
                // A slice that is too short for a single run of the program gets longer.
                if crew.interrupt.reason().is_some() {
                    return Ok(());
                }
                length *= 2;
                continue;
            };
            let name = forest::name(part, &result, left, steps);
            crew.job.store.put(&name, result)?;
            crew.results.fetch_add(1, Ordering::Relaxed);
            return Ok(());
        }
    }

    /// Searches spans for a slice. Returns the result, the number of parts that are left and the
    /// instructions that it took; none if all is left.
    pub(super) fn search_slice(
        &self,
        search: &mut dyn JobSearch,
        spans: &[Span],
        slice: &Slice,
    ) -> anyhow::Result<Option<(Vec<u8>, usize, u64)>> {
        let start = Instant::now();
        let mut result = ResultWriter::new(self.crew.job)?;
        let (mut left, mut steps) = (Vec::new(), 0);
        for span in spans {
            if slice.is_over() {
                left.push(span.clone());
                continue;
            }
            let before = result.len();
            let (rest, taken) = search.search(span, slice, &mut result)?;
            if rest == [span.clone()] {
                // The slice was over before the first leaf: others have the subtree as a whole.
                result.truncate(before);
            }
            left.extend(rest);
            steps += taken;
        }
        if !spans.is_empty() && left == spans {
            return Ok(None);
        }
        self.crew.steps.fetch_add(steps, Ordering::Relaxed);
        let parts = match left.is_empty() {
            true => Vec::new(),
            false => {
                let is_awaited = self.crew.is_awaited.load(Ordering::Relaxed);
                divide(search, &left, steps, is_awaited)?
            }
        };
        let count = parts.len();
        let result = result.finish(&PartFooter {
            left: parts,
            steps,
            seconds: start.elapsed().as_secs_f64(),
        })?;
        Ok(Some((result, count, steps)))
    }

    /// Notes that a part failed.
    pub(super) fn fail(&self, part: &PartId, reason: &str) -> anyhow::Result<()> {
        notice!("part {part} failed: {reason}");
        self.crew.has_failures.store(true, Ordering::Relaxed);
        let text = format!("{}: {reason}\n", self.name);
        let name = digest(format!("{text}{:?}", SystemTime::now()).as_bytes());
        self.crew
            .job
            .store
            .put(&format!("{FAILED}/{part}/{name}"), text.into_bytes())
    }
}

/// Divides what is left of a part after a slice of `slice` instructions of work: by its size, or into
/// as many parts as possible if other workers have nothing to do. There are two parts at least:
/// estimates of uneven trees may be far too small, and one part after the other would be searched by
/// one worker at a time.
fn divide(
    search: &mut dyn JobSearch,
    left: &[Span],
    slice: u64,
    is_awaited: bool,
) -> anyhow::Result<Vec<PlannedPart>> {
    // Estimates may take a tenth of the time of the search.
    let effort = slice / 10;
    let count = match is_awaited {
        true => MOST_PARTS,
        false => {
            let whole = search.divide(left, 1, effort / 2)?;
            let steps: u64 = whole.iter().map(|part| part.steps).sum();
            (steps / slice.max(1)).clamp(2, MOST_PARTS)
        }
    };
    let parts = search.divide(left, count as usize, effort / 2)?;
    let parts = parts.iter().filter(|part| !part.spans.is_empty());
    Ok(parts.map(PlannedPart::of).collect())
}

/// Name of this machine, as far as it is one of an object.
fn host() -> String {
    let name = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    let is_plain = |letter: &char| letter.is_ascii_alphanumeric() || *letter == '-';
    let plain: String = name.chars().filter(is_plain).collect();
    match plain.is_empty() {
        true => "worker".to_owned(),
        false => plain,
    }
}

/// Failure of a part, which other parts do not share.
#[derive(Debug)]
struct PartFailure(String);

impl fmt::Display for PartFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for PartFailure {}
