//! What ends a run before its end: Ctrl-C and `--time-limit`.
//!
//! Either only ever raises a flag that the search looks at; what was found so far is finished.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};

const NOTHING: u8 = 0;
const KEYS: u8 = 1;
const TIME: u8 = 2;

/// The exit status of a process that Ctrl-C has ended, as shells know it.
const ENDED_BY_KEYS: i32 = 130;

/// Whether the run is to stop.
#[derive(Clone, Debug)]
pub struct Interrupt {
    raised: Arc<AtomicU8>,
    /// When it is to stop, whatever happens.
    deadline: Option<Instant>,
}

impl Interrupt {
    /// Listens to Ctrl-C from now on, and to the clock if there is a limit. The first Ctrl-C asks
    /// the run to stop, the second ends the process.
    ///
    /// # Errors
    /// The system has no room for a handler or a thread.
    pub fn watch(limit: Option<Duration>) -> anyhow::Result<Interrupt> {
        let raised = Arc::new(AtomicU8::new(NOTHING));
        let by_keys = Arc::clone(&raised);
        ctrlc::set_handler(move || {
            if by_keys.swap(KEYS, Ordering::Relaxed) == KEYS {
                std::process::exit(ENDED_BY_KEYS);
            }
        })
        .context("failed to listen to Ctrl-C")?;
        if let Some(limit) = limit {
            let by_time = Arc::clone(&raised);
            thread::Builder::new()
                .name("time limit".to_owned())
                .spawn(move || {
                    thread::sleep(limit);
                    let _ = by_time.compare_exchange(
                        NOTHING,
                        TIME,
                        Ordering::Relaxed,
                        Ordering::Relaxed,
                    );
                })
                .context("failed to start a clock")?;
        }
        Ok(Interrupt {
            raised,
            deadline: None,
        })
    }

    /// Of a run that nothing stops.
    #[must_use]
    pub fn never() -> Interrupt {
        Interrupt {
            raised: Arc::new(AtomicU8::new(NOTHING)),
            deadline: None,
        }
    }

    /// The same for a part of the run, which has this much time from now on.
    #[must_use]
    pub fn within(&self, limit: Option<Duration>) -> Interrupt {
        Interrupt {
            raised: Arc::clone(&self.raised),
            deadline: limit.and_then(|limit| Instant::now().checked_add(limit)),
        }
    }

    /// What asks the run to stop, if anything does.
    #[must_use]
    pub fn reason(&self) -> Option<&'static str> {
        match self.raised.load(Ordering::Relaxed) {
            KEYS => Some("Ctrl-C"),
            TIME => Some("--time-limit"),
            _ if self.deadline.is_some_and(|end| Instant::now() >= end) => Some("--time-limit"),
            _ => None,
        }
    }
}

/// A time, as `30s`, `2m`, `500ms` or `1h`.
///
/// # Errors
/// It is none.
pub fn parse_time(text: &str) -> anyhow::Result<Duration> {
    let digits = text.trim_end_matches(|letter: char| letter.is_ascii_alphabetic());
    let unit: u64 = match &text[digits.len()..] {
        "ms" => 1,
        "s" => 1_000,
        "m" => 60_000,
        "h" => 3_600_000,
        _ => bail!("a time is a number with ms, s, m or h behind it"),
    };
    let number: u64 = digits
        .parse()
        .context("a time is a number with ms, s, m or h behind it")?;
    let time = number
        .checked_mul(unit)
        .context("a time of that length never ends")?;
    Ok(Duration::from_millis(time))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_times() {
        for (text, milliseconds) in [
            ("30s", 30_000),
            ("2m", 120_000),
            ("500ms", 500),
            ("1h", 3_600_000),
            ("0s", 0),
        ] {
            assert_eq!(
                parse_time(text).unwrap(),
                Duration::from_millis(milliseconds)
            );
        }
        for text in [
            "",
            "s",
            "30",
            "1.5s",
            "-1s",
            "3d",
            "99999999999999999999s",
            "18446744073709551615h",
        ] {
            assert!(parse_time(text).is_err(), "{text}");
        }
    }
}
