//! Time that the JVM takes for a trial, so that enough of a limit is left for the next one.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Clock of trials, shared by whoever tries tests and whoever has to end in time. A machine that
/// is busy or slow shows it in the first trial, which warms up the JVM.
#[derive(Clone, Debug, Default)]
pub struct TrialPace(Arc<Mutex<Clock>>);

#[derive(Debug, Default)]
struct Clock {
    /// Begin of the trial in progress.
    begun: Option<Instant>,
    /// Time that trials took: that of the last one, and of those before at half the weight for each
    /// one since.
    taken: Duration,
}

impl TrialPace {
    /// Time to expect of a trial: what the ones before took, and at least what the one in progress
    /// has taken already. Zero before the first one.
    #[must_use]
    pub fn expected(&self) -> Duration {
        let clock = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let running = clock.begun.map(|begun| begun.elapsed());
        clock.taken.max(running.unwrap_or_default())
    }

    /// Notes that a trial begins, unless one is in progress.
    pub(crate) fn begin(&self) {
        let mut clock = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        clock.begun.get_or_insert_with(Instant::now);
    }

    /// Notes that the trial in progress has ended, if there is one.
    pub(crate) fn end(&self) {
        let mut clock = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(begun) = clock.begun.take() {
            clock.taken = begun.elapsed().max(clock.taken / 2);
        }
    }
}
