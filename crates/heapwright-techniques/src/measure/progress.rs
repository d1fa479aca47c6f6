//! State of a measurement while it runs, for an observer on another thread.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// State of a running measurement, shared with its observer.
#[derive(Debug, Default)]
pub struct MeasureProgress(Mutex<MeasureState>);

/// Phase of a measurement.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MeasurePhase {
    /// The tests run on the original code.
    #[default]
    Tests,
    /// The tests run on mutants.
    Mutants,
}

/// State of a measurement.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MeasureState {
    /// The phase.
    pub phase: MeasurePhase,
    /// Number of pieces of work that are done in this phase: each is a test class, or a share of its
    /// tests.
    pub done: usize,
    /// Number of pieces of this phase.
    pub total: usize,
    /// Binary name of the test class at which each worker is; `None` for one without work.
    pub workers: Vec<Option<String>>,
}

impl MeasureProgress {
    /// The current state.
    #[must_use]
    pub fn state(&self) -> MeasureState {
        self.lock().clone()
    }

    /// Begins a phase.
    pub(super) fn begin(&self, phase: MeasurePhase, total: usize, workers: usize) {
        *self.lock() = MeasureState {
            phase,
            done: 0,
            total,
            workers: vec![None; workers],
        };
    }

    /// Notes that a worker begins a piece of work.
    pub(super) fn take(&self, worker: usize, class: &str) {
        self.lock().workers[worker] = Some(class.to_owned());
    }

    /// Notes that a worker has done its piece.
    pub(super) fn finish(&self, worker: usize) {
        let mut state = self.lock();
        state.workers[worker] = None;
        state.done += 1;
    }

    fn lock(&self) -> MutexGuard<'_, MeasureState> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
