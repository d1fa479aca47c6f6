//! What ends a run before its end: Ctrl-C and the like, `--time-limit` and `--max-memory`.
//!
//! Each only ever raises a flag that whatever works looks at; what was found so far is finished. What does
//! not look up in time is ended with the process, which leaves no file behind that is not whole.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::Context;
use heapwright_techniques::parts::Stop;

use crate::exit::ExitCode;
use crate::files::remove_temporary;
use crate::options::ClassPathArgs;

const NOTHING: u8 = 0;
const KEYS: u8 = 1;
const TIME: u8 = 2;
const MEMORY: u8 = 3;
const OUTPUT: u8 = 4;

/// The exit status of a process that Ctrl-C has ended, as shells know it.
const ENDED_BY_KEYS: i32 = 130;
/// Time between two looks at the clock and at the memory.
const PATIENCE: Duration = Duration::from_millis(20);
/// How long whoever works may take to look up and to finish once the time or the memory is used up; half of
/// it to write what was found.
const GRACE: Duration = Duration::from_millis(1_700);
/// And once Ctrl-C was pressed.
const GRACE_AFTER_KEYS: Duration = Duration::from_millis(900);
/// The part of either after which no more tests are made, and that after which no more are tried: a busy machine needs
/// the rest to write what was seen to hold.
const MAKING: f64 = 0.4;
const TRYING: f64 = 0.55;
/// How much time is short: parts of what was found come to their end before the whole does.
const SHORT: Duration = Duration::from_secs(10);
/// How much of the time is kept for what was found, if that is not much of it.
const RESERVE: Duration = Duration::from_secs(5);
/// The least limit of the memory of the process: what the program may need by itself.
const OWN_BYTES: u64 = 160 << 20;

/// Whether the run is to stop.
#[derive(Clone, Debug)]
pub struct Interrupt {
    raised: Arc<AtomicU8>,
    /// Whether what was found is left as it is.
    over: Arc<AtomicBool>,
    /// Whether what was found is written as it is.
    spent: Arc<AtomicBool>,
    /// When the whole run is to stop, and when a part of it; which option says so.
    whole: Option<Deadline>,
    part: Option<Deadline>,
}

/// A time that is up.
#[derive(Clone, Copy, Debug)]
struct Deadline {
    /// When what was found is left as it is.
    end: Instant,
    /// When no more is looked for, so that there is time to write what was found.
    closing: Instant,
    option: &'static str,
}

impl Deadline {
    /// So much time from now on; none if that never ends.
    fn after(time: Duration, option: &'static str) -> Option<Deadline> {
        let now = Instant::now();
        Some(Deadline {
            end: now.checked_add(time)?,
            closing: now.checked_add(time - RESERVE.min(time / 4))?,
            option,
        })
    }
}

impl Interrupt {
    /// Listens to Ctrl-C from now on, to the clock if there is a limit, and to what the process takes in
    /// memory: so much with one engine, and with each more as much as its Java objects may take, so that
    /// no result depends on how many there are. The first Ctrl-C asks the run to stop, the second ends the process.
    ///
    /// # Errors
    /// The system has no room for a handler or a thread.
    pub fn watch(
        limit: Option<Duration>,
        memory: &ClassPathArgs,
        engines: usize,
    ) -> anyhow::Result<Interrupt> {
        let raised = Arc::new(AtomicU8::new(NOTHING));
        let by_keys = Arc::clone(&raised);
        ctrlc::set_handler(move || {
            if by_keys.swap(KEYS, Ordering::Relaxed) == KEYS {
                remove_temporary();
                std::process::exit(ENDED_BY_KEYS);
            }
        })
        .context("failed to listen to Ctrl-C")?;
        let whole = limit.and_then(|limit| Deadline::after(limit, "--time-limit"));
        let (over, spent) = (Arc::<AtomicBool>::default(), Arc::<AtomicBool>::default());
        let guard = Guard {
            raised: Arc::clone(&raised),
            over: Arc::clone(&over),
            spent: Arc::clone(&spent),
            deadline: whole.map(|whole| whole.end),
            memory: memory.max_memory().max(OWN_BYTES)
                + memory.max_heap() * (engines as u64).saturating_sub(1),
        };
        thread::Builder::new()
            .name("limits".to_owned())
            .spawn(move || guard.watch())
            .context("failed to start a clock")?;
        Ok(Interrupt {
            raised,
            over,
            spent,
            whole,
            part: None,
        })
    }

    /// Of a run that nothing stops.
    #[must_use]
    pub fn never() -> Interrupt {
        Interrupt {
            raised: Arc::new(AtomicU8::new(NOTHING)),
            whole: None,
            part: None,
            over: Arc::default(),
            spent: Arc::default(),
        }
    }

    /// The same for a part of the run, which has this much time from now on, as an option says.
    #[must_use]
    pub fn within(&self, limit: Option<(Duration, &'static str)>) -> Interrupt {
        Interrupt {
            part: limit.and_then(|(limit, option)| Deadline::after(limit, option)),
            ..self.clone()
        }
    }

    /// The same for a part of the run that has this share of the time that is left.
    #[must_use]
    pub fn within_share(&self, share: f64) -> Interrupt {
        let deadline = [self.part, self.whole].into_iter().flatten().next();
        let part = deadline.map(|deadline| {
            let now = Instant::now();
            let own = deadline
                .closing
                .saturating_duration_since(now)
                .mul_f64(share);
            Deadline {
                closing: now + own,
                ..deadline
            }
        });
        Interrupt {
            part,
            ..self.clone()
        }
    }

    /// What asks the run to look for no more, if anything does. Of a time the last part is for what was
    /// found.
    #[must_use]
    pub fn reason(&self) -> Option<&'static str> {
        let raised = name_of(self.raised.load(Ordering::Relaxed));
        raised.or_else(|| {
            let now = Instant::now();
            let mut own = [self.part, self.whole].into_iter().flatten();
            let past = own.find(|deadline| now >= deadline.closing);
            past.map(|deadline| deadline.option)
        })
    }

    /// Says on whatever thread whether to look for no more.
    #[must_use]
    pub fn stop(&self) -> Stop {
        let interrupt = self.clone();
        Arc::new(move || interrupt.reason().is_some())
    }

    /// Says on whatever thread whether the run is to end as it stands.
    #[must_use]
    pub fn over(&self) -> Stop {
        let interrupt = self.clone();
        Arc::new(move || interrupt.is_over())
    }

    /// Whether the run is to end as it stands.
    #[must_use]
    pub fn is_over(&self) -> bool {
        let part = self.part.is_some_and(|part| Instant::now() >= part.end);
        part || self.over.load(Ordering::Relaxed)
    }

    /// Whether no time is left but for writing what was seen to hold.
    #[must_use]
    pub fn is_spent(&self) -> bool {
        let is_past = |part: Deadline| Instant::now() >= part.end + GRACE.mul_f64(TRYING);
        self.part.is_some_and(is_past) || self.spent.load(Ordering::Relaxed)
    }

    /// Whether little time is left.
    #[must_use]
    pub fn is_short(&self) -> bool {
        let mut deadlines = [self.part, self.whole].into_iter().flatten();
        let soon = Instant::now() + SHORT;
        self.is_raised() || deadlines.any(|deadline| deadline.end <= soon)
    }

    /// How long whoever leads the run may wait for those that were told to stop.
    #[must_use]
    pub fn patience(&self) -> Duration {
        match self.raised.load(Ordering::Relaxed) {
            KEYS => GRACE_AFTER_KEYS / 2,
            _ => GRACE / 2,
        }
    }

    /// Asks the run to stop where something cannot be written.
    ///
    /// # Errors
    /// That.
    pub fn or_stop<T>(&self, written: anyhow::Result<T>) -> anyhow::Result<T> {
        if written.is_err() {
            self.raised.store(OUTPUT, Ordering::Relaxed);
        }
        written
    }

    /// Whether the whole run is to stop, whatever its parts may.
    #[must_use]
    pub fn is_raised(&self) -> bool {
        self.raised.load(Ordering::Relaxed) != NOTHING
    }
}

fn name_of(raised: u8) -> Option<&'static str> {
    match raised {
        KEYS => Some("Ctrl-C"),
        TIME => Some("--time-limit"),
        MEMORY => Some("--max-memory"),
        OUTPUT => Some("output that nobody reads"),
        _ => None,
    }
}

/// Who raises the flag, and ends the process if nobody looks at it.
struct Guard {
    raised: Arc<AtomicU8>,
    over: Arc<AtomicBool>,
    spent: Arc<AtomicBool>,
    deadline: Option<Instant>,
    /// Most bytes that the process is to take.
    memory: u64,
}

impl Guard {
    fn watch(&self) {
        let mut since = None;
        loop {
            thread::sleep(PATIENCE);
            let taken = status_bytes("VmRSS:").unwrap_or(0);
            if taken > self.memory {
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
                GRACE_AFTER_KEYS
            } else {
                GRACE
            };
            for (flag, part) in [(&self.over, MAKING), (&self.spent, TRYING)] {
                flag.fetch_or(since.elapsed() > grace.mul_f64(part), Ordering::Relaxed);
            }
            if since.elapsed() > grace || taken > self.memory / 100 * 108 {
                end(raised);
            }
        }
    }

    fn raise(&self, what: u8) {
        let (set, get) = (Ordering::Relaxed, Ordering::Relaxed);
        let _ = self.raised.compare_exchange(NOTHING, what, set, get);
    }
}

/// Ends the process that did not end by itself.
fn end(raised: u8) -> ! {
    let reason = name_of(raised).unwrap_or_default();
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

/// A size of the process that the system knows by this name, where it says so.
pub fn status_bytes(name: &str) -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix(name))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes * 1024)
}
