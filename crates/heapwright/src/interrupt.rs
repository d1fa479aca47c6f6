//! Early end of a run: Ctrl-C, `--time-limit` and `--max-memory`.
//!
//! A limit only raises a flag that the workers poll; results found so far are then written. Where
//! nobody polls the flag in time, the process is ended, with the last words that the run has left.
//! No partial file remains.

mod last_words;

use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::Context;
use heapwright_solve::smt::limit_memory;
use heapwright_techniques::parts::StopCheck;
use heapwright_trial::TrialPace;

use crate::exit::ExitCode;
use crate::files::remove_temporary;
use crate::options::ClassPathArgs;

use last_words::LastWords;

const NOTHING: u8 = 0;
const KEYS: u8 = 1;
const TIME: u8 = 2;
const MEMORY: u8 = 3;
const OUTPUT: u8 = 4;

/// What a run that Ctrl-C ended was stopped by.
pub const CTRL_C: &str = "Ctrl-C";
/// Exit status of a process that Ctrl-C ended: 128 + SIGINT, as in shells.
const ENDED_BY_KEYS: i32 = 130;
/// Interval between two checks of the clock and of the memory.
const POLL_INTERVAL: Duration = Duration::from_millis(20);
/// Time for workers to notice that the time or memory is used up, and to finish. Half of it is for
/// writing results.
const GRACE: Duration = Duration::from_millis(1_700);
/// Grace time after Ctrl-C.
const GRACE_AFTER_KEYS: Duration = Duration::from_millis(900);
/// Fractions of the grace time after which no more tests are generated, and no more are tried. A
/// busy machine needs the rest to write the tests that passed.
const GENERATE_FRACTION: f64 = 0.4;
const TRIAL_FRACTION: f64 = 0.55;
/// Time past the end of a part of the run, within the whole, in which what it has found is still written
/// and tried: a busy machine loses nothing to its share.
pub const LENIENCE: Duration = Duration::from_secs(15);
/// Remaining time that counts as short: partial tasks are then ended before the whole run.
const SHORT: Duration = Duration::from_secs(10);
/// Time reserved for writing results: at most this, and at most a quarter of the limit.
const RESERVE: Duration = Duration::from_secs(5);
/// Fraction of the reserved time that is left to a JVM for trying the tests generated. It grows
/// with the time that a JVM was seen to take on this machine, up to a fraction of the limit.
const RESERVE_FOR_TRIAL: f64 = 0.6;
const MOST_FOR_TRIAL: f64 = 0.3;
/// Part of the process's memory limit that solvers may take.
const SOLVER_PART: u64 = 4;
/// Minimum of the process's memory limit: the needs of the program itself, in bytes.
const OWN_BYTES: u64 = 160 << 20;

/// Time at which the process began, from which its time limit counts.
static START: OnceLock<Instant> = OnceLock::new();

/// Time at which the process began, or at which this was first asked.
pub fn started() -> Instant {
    *START.get_or_init(Instant::now)
}

/// Stop signal of a run or of a part of it, shared by its threads.
#[derive(Clone, Debug)]
pub struct StopSignal {
    raised: Arc<AtomicU8>,
    /// Set when results are to be left as they are: no more tests are generated.
    over: Arc<AtomicBool>,
    /// Set when only writing is left: no more tests are tried.
    spent: Arc<AtomicBool>,
    /// Deadlines of the whole run and of a part of it, each with the option that sets it.
    whole: Option<Deadline>,
    part: Option<Deadline>,
    /// The clock of the trials of tests, once there is one.
    trials: Arc<OnceLock<TrialPace>>,
    late: Arc<LateLimits>,
    last_words: LastWords,
}

/// Limits that may be known only after the run has begun.
#[derive(Debug)]
struct LateLimits {
    /// Memory limit of the process in bytes.
    memory: AtomicU64,
    /// Grace time after Ctrl-C in milliseconds.
    grace_after_keys: AtomicU64,
}

impl Default for LateLimits {
    fn default() -> LateLimits {
        LateLimits {
            memory: AtomicU64::new(u64::MAX),
            grace_after_keys: AtomicU64::new(GRACE_AFTER_KEYS.as_millis() as u64),
        }
    }
}

/// Deadline that an option sets.
#[derive(Clone, Copy, Debug)]
struct Deadline {
    /// Time at which the run or its part is to end, and the time that it has in all.
    end: Instant,
    time: Duration,
    /// Time at which the search stops earlier than the end requires, if it does.
    search_end: Option<Instant>,
    option: &'static str,
}

impl Deadline {
    /// Deadline `time` after `start`; none if the clock cannot represent it.
    fn after(start: Instant, time: Duration, option: &'static str) -> Option<Deadline> {
        Some(Deadline {
            end: start.checked_add(time)?,
            time,
            search_end: None,
            option,
        })
    }

    /// Time reserved for writing results, that for trying them included.
    fn reserve(&self) -> Duration {
        RESERVE.min(self.time / 4)
    }

    /// Time at which results are left as they are, so that the rest remains for trying them. A
    /// trial is expected to take the time `trial`.
    fn over(&self, trial: Duration) -> Instant {
        let least = self.reserve().mul_f64(RESERVE_FOR_TRIAL);
        self.end - trial.min(self.time.mul_f64(MOST_FOR_TRIAL)).max(least)
    }

    /// Time at which the search stops, so that the rest remains for writing results.
    fn closing(&self, trial: Duration) -> Instant {
        let closing = self.over(trial) - self.reserve().mul_f64(1.0 - RESERVE_FOR_TRIAL);
        self.search_end.map_or(closing, |end| end.min(closing))
    }
}

impl StopSignal {
    /// Starts to watch for Ctrl-C, for the time limit if there is one, and for the memory limit.
    /// The first Ctrl-C asks the run to stop, the second ends the process. The memory limit is that
    /// of one engine plus a heap for each further engine, so that no result depends on their
    /// number.
    ///
    /// # Errors
    /// The system cannot install a handler or start a thread.
    pub fn watch(
        limit: Option<Duration>,
        memory: &ClassPathArgs,
        engines: usize,
    ) -> anyhow::Result<StopSignal> {
        let signal = StopSignal::watch_time(limit)?;
        signal.limit_memory(memory, engines);
        Ok(signal)
    }

    /// Does the same as [`StopSignal::watch`] without the memory limit, as long as that is not known.
    ///
    /// # Errors
    /// See there.
    pub fn watch_time(limit: Option<Duration>) -> anyhow::Result<StopSignal> {
        let raised = Arc::new(AtomicU8::new(NOTHING));
        let by_keys = Arc::clone(&raised);
        ctrlc::set_handler(move || {
            if by_keys.swap(KEYS, Ordering::Relaxed) == KEYS {
                remove_temporary();
                std::process::exit(ENDED_BY_KEYS);
            }
        })
        .context("failed to listen to Ctrl-C")?;
        let whole = limit.and_then(|limit| Deadline::after(started(), limit, "--time-limit"));
        let (over, spent) = (Arc::<AtomicBool>::default(), Arc::<AtomicBool>::default());
        let late = Arc::<LateLimits>::default();
        let last_words = LastWords::default();
        let guard = LimitWatchdog {
            raised: Arc::clone(&raised),
            over: Arc::clone(&over),
            spent: Arc::clone(&spent),
            deadline: whole.map(|whole| whole.end),
            late: Arc::clone(&late),
            last_words: last_words.clone(),
        };
        thread::Builder::new()
            .name("limits".to_owned())
            .spawn(move || guard.watch())
            .context("failed to start a clock")?;
        Ok(StopSignal {
            raised,
            over,
            spent,
            whole,
            part: None,
            trials: Arc::default(),
            late,
            last_words,
        })
    }

    /// Limits the memory from now on, see [`StopSignal::watch`].
    pub fn limit_memory(&self, memory: &ClassPathArgs, engines: usize) {
        let memory = memory.max_memory().max(OWN_BYTES)
            + memory.max_heap() * (engines as u64).saturating_sub(1);
        limit_memory(memory / SOLVER_PART);
        self.late.memory.store(memory, Ordering::Relaxed);
    }

    /// Gives the run this time after Ctrl-C from now on.
    pub fn set_grace_after_keys(&self, grace: Duration) {
        let millis = grace.as_millis() as u64;
        self.late.grace_after_keys.store(millis, Ordering::Relaxed);
    }

    /// Has `words` write what the run has to say if the process is ended while the run does not look
    /// up; they are given what ends it. They replace those left before.
    pub fn leave_last_words(&self, words: impl FnOnce(&'static str) + Send + 'static) {
        self.last_words.set(Some(Box::new(words)));
    }

    /// Takes the last words back: the run is about to write its results.
    pub fn take_last_words_back(&self) {
        self.last_words.set(None);
    }

    /// Leaves as much time for a trial of tests as this clock tells.
    pub fn expect_trials(&self, pace: TrialPace) {
        let _ = self.trials.set(pace);
    }

    /// Time that a trial is expected to take.
    fn trial(&self) -> Duration {
        self.trials
            .get()
            .map(TrialPace::expected)
            .unwrap_or_default()
    }

    /// The deadlines, that of the part first.
    fn deadlines(&self) -> impl Iterator<Item = Deadline> {
        [self.part, self.whole].into_iter().flatten()
    }

    /// Signal that is never raised by a limit.
    #[must_use]
    pub fn never() -> StopSignal {
        StopSignal {
            raised: Arc::new(AtomicU8::new(NOTHING)),
            whole: None,
            part: None,
            over: Arc::default(),
            spent: Arc::default(),
            trials: Arc::default(),
            late: Arc::default(),
            last_words: LastWords::default(),
        }
    }

    /// Derives the signal for a part of the run with this time from now on, and the option that
    /// sets it.
    #[must_use]
    pub fn within(&self, limit: Option<(Duration, &'static str)>) -> StopSignal {
        StopSignal {
            part: limit.and_then(|(limit, option)| Deadline::after(Instant::now(), limit, option)),
            ..self.clone()
        }
    }

    /// Derives the signal for work of which nothing counts but the whole: the limit of the run stops
    /// it, and does not shorten it before.
    #[must_use]
    pub fn unshortened(&self) -> StopSignal {
        StopSignal {
            whole: None,
            ..self.clone()
        }
    }

    /// Derives the signal for all but the last part of the run, which is for something else.
    #[must_use]
    pub fn reserving(&self, rest: Duration) -> StopSignal {
        let whole = self.whole.map(|whole| Deadline {
            end: whole.end.checked_sub(rest).unwrap_or(whole.end),
            ..whole
        });
        StopSignal {
            whole,
            ..self.clone()
        }
    }

    /// Derives the signal for all but the last part of the run, for which the search makes room. What it
    /// has found is still written and tried in that time.
    #[must_use]
    pub fn searching_before(&self, rest: Duration) -> StopSignal {
        let whole = self.whole.map(|whole| Deadline {
            search_end: whole.end.checked_sub(rest + whole.reserve()),
            ..whole
        });
        StopSignal {
            whole,
            ..self.clone()
        }
    }

    /// Time at which the whole run is to end, if it has a limit.
    #[must_use]
    pub fn end_of_run(&self) -> Option<Instant> {
        started().checked_add(self.whole?.time)
    }

    /// This share of the time that the search of the whole run has left, and the option that limits it.
    #[must_use]
    pub fn share(&self, share: f64) -> Option<(Duration, &'static str)> {
        let whole = self.whole?;
        let end = whole.search_end.map(|end| end + whole.reserve());
        let left = end
            .unwrap_or(whole.end)
            .saturating_duration_since(Instant::now());
        Some((left.mul_f64(share), whole.option))
    }

    /// Derives the signal for a part of the run that has this share of the remaining time.
    #[must_use]
    pub fn within_share(&self, share: f64) -> StopSignal {
        let part = self.deadlines().next().map(|deadline| {
            let now = Instant::now();
            let left = deadline.closing(self.trial());
            let own = left.saturating_duration_since(now).mul_f64(share);
            Deadline {
                search_end: Some(now + own),
                ..deadline
            }
        });
        StopSignal {
            part,
            ..self.clone()
        }
    }

    /// Reason to search no further, if there is one. The last part of a time limit is reserved for
    /// writing results.
    #[must_use]
    pub fn reason(&self) -> Option<&'static str> {
        let raised = name_of(self.raised.load(Ordering::Relaxed));
        raised.or_else(|| {
            let (now, trial) = (Instant::now(), self.trial());
            let past = self
                .deadlines()
                .find(|deadline| now >= deadline.closing(trial));
            past.map(|deadline| deadline.option)
        })
    }

    /// Returns a thread-safe predicate: whether to search no further.
    #[must_use]
    pub fn stop(&self) -> StopCheck {
        let interrupt = self.clone();
        Arc::new(move || interrupt.reason().is_some())
    }

    /// Returns a thread-safe predicate: whether to leave the results as they are.
    #[must_use]
    pub fn over(&self) -> StopCheck {
        let interrupt = self.clone();
        Arc::new(move || interrupt.is_over())
    }

    /// Whether to leave the results as they are.
    #[must_use]
    pub fn is_over(&self) -> bool {
        let (now, trial) = (Instant::now(), self.trial());
        let is_past = |whole: Deadline| now >= whole.over(trial);
        self.is_part_past(Duration::ZERO)
            || self.whole.is_some_and(is_past)
            || self.over.load(Ordering::Relaxed)
    }

    /// Whether the time for trying the results is running out.
    #[must_use]
    pub fn is_late(&self) -> bool {
        let (now, trial) = (Instant::now(), self.trial());
        let is_past = |whole: Deadline| {
            let over = whole.over(trial);
            now >= over + (whole.end - over) / 2
        };
        self.is_part_past(LENIENCE / 2)
            || self.whole.is_some_and(is_past)
            || self.spent.load(Ordering::Relaxed)
    }

    /// Whether the remaining time suffices only for writing tests that passed.
    #[must_use]
    pub fn is_spent(&self) -> bool {
        self.is_part_past(LENIENCE) || self.spent.load(Ordering::Relaxed)
    }

    /// Whether the part has ended this long ago.
    fn is_part_past(&self, since: Duration) -> bool {
        let is_past = |part: Deadline| Instant::now() >= part.end + since;
        self.part.is_some_and(is_past)
    }

    /// Whether little time is left, or the run was asked to stop.
    #[must_use]
    pub fn is_short(&self) -> bool {
        let soon = Instant::now() + SHORT;
        self.is_raised() || self.deadlines().any(|deadline| deadline.end <= soon)
    }

    /// Time for the coordinating thread to wait for workers that were asked to stop.
    #[must_use]
    pub fn grace_time(&self) -> Duration {
        match self.raised.load(Ordering::Relaxed) {
            KEYS => GRACE_AFTER_KEYS / 2,
            _ => GRACE / 2,
        }
    }

    /// Asks the run to stop if a write failed.
    ///
    /// # Errors
    /// The error of the failed write.
    pub fn stop_on_error<T>(&self, written: anyhow::Result<T>) -> anyhow::Result<T> {
        if written.is_err() {
            self.raised.store(OUTPUT, Ordering::Relaxed);
        }
        written
    }

    /// What made the whole run stop; deadlines of parts are ignored.
    #[must_use]
    pub fn reason_raised(&self) -> Option<&'static str> {
        name_of(self.raised.load(Ordering::Relaxed))
    }

    /// Whether the whole run is to stop; deadlines of parts are ignored.
    #[must_use]
    pub fn is_raised(&self) -> bool {
        self.raised.load(Ordering::Relaxed) != NOTHING
    }
}

fn name_of(raised: u8) -> Option<&'static str> {
    match raised {
        KEYS => Some(CTRL_C),
        TIME => Some("--time-limit"),
        MEMORY => Some("--max-memory"),
        OUTPUT => Some("closed output"),
        _ => None,
    }
}

/// Watchdog: raises the flag, and ends the process if the run does not stop in time.
struct LimitWatchdog {
    raised: Arc<AtomicU8>,
    over: Arc<AtomicBool>,
    spent: Arc<AtomicBool>,
    deadline: Option<Instant>,
    late: Arc<LateLimits>,
    last_words: LastWords,
}

impl LimitWatchdog {
    fn watch(&self) {
        let mut since = None;
        loop {
            thread::sleep(POLL_INTERVAL);
            let taken = status_bytes("VmRSS:").unwrap_or(0);
            let memory = self.late.memory.load(Ordering::Relaxed);
            if taken > memory {
                self.raise(MEMORY);
            }
            if self.deadline.is_some_and(|end| Instant::now() >= end) {
                self.raise(TIME);
            }
            let raised = self.raised.load(Ordering::Relaxed);
            if raised == NOTHING {
                continue;
            }
            let since = since.get_or_insert_with(Instant::now);
            let grace = if raised == KEYS {
                Duration::from_millis(self.late.grace_after_keys.load(Ordering::Relaxed))
            } else {
                GRACE
            };
            for (flag, part) in [
                (&self.over, GENERATE_FRACTION),
                (&self.spent, TRIAL_FRACTION),
            ] {
                flag.fetch_or(since.elapsed() > grace.mul_f64(part), Ordering::Relaxed);
            }
            if since.elapsed() > grace || taken > (memory / 100).saturating_mul(108) {
                let reason = name_of(raised).unwrap_or_default();
                self.last_words.say_and_then(reason, || end(raised, reason));
            }
        }
    }

    fn raise(&self, what: u8) {
        let (set, get) = (Ordering::Relaxed, Ordering::Relaxed);
        let _ = self.raised.compare_exchange(NOTHING, what, set, get);
    }
}

/// Ends the process after the run did not stop in time.
fn end(raised: u8, reason: &str) -> ! {
    notice!(
        "ended by {reason} while at work that does not look up: what was not written by then is \
         lost"
    );
    remove_temporary();
    std::process::exit(match raised {
        KEYS => ENDED_BY_KEYS,
        _ => ExitCode::Partial as i32,
    })
}

/// Size in bytes of this name in `/proc/self/status`; none where the system does not report it.
pub fn status_bytes(name: &str) -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix(name))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes * 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Seconds before the end at which the search stops and at which no more tests are generated,
    /// given the limit and the time that a trial takes.
    fn reserved(limit: u64, trial: u64) -> (f64, f64) {
        let deadline =
            Deadline::after(Instant::now(), Duration::from_secs(limit), "--time-limit").unwrap();
        let before = |at: Instant| {
            let left = deadline.end.duration_since(at).as_secs_f64();
            (left * 100.0).round() / 100.0
        };
        let trial = Duration::from_secs(trial);
        (
            before(deadline.closing(trial)),
            before(deadline.over(trial)),
        )
    }

    #[test]
    fn a_slow_trial_has_the_time_that_it_takes_within_limits() {
        assert_eq!(reserved(30, 0), (5.0, 3.0));
        assert_eq!(reserved(30, 2), (5.0, 3.0));
        assert_eq!(reserved(30, 6), (8.0, 6.0));
        assert_eq!(reserved(30, 600), (11.0, 9.0));
        assert_eq!(reserved(4, 0), (1.0, 0.6));
        assert_eq!(reserved(4, 600), (1.6, 1.2));
    }

    #[test]
    fn a_share_ends_the_search_earlier_and_leaves_the_rest() {
        let mut signal = StopSignal::never();
        signal.whole = Deadline::after(Instant::now(), Duration::from_secs(30), "--time-limit");
        let before = signal.searching_before(Duration::from_secs(10));
        let (left, _) = before.share(0.5).unwrap();
        assert!(left.as_millis().abs_diff(10_000) < 1_000, "{left:?}");
        assert!(!before.is_over() && before.reason().is_none());
        let part = signal.within_share(0.0);
        assert_eq!(part.reason(), Some("--time-limit"));
        assert!(!part.is_over() && signal.reason().is_none());
    }
}
