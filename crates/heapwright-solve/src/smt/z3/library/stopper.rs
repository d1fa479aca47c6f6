//! Stopping of queries by another thread.
//!
//! Safety invariant: a context is passed to `Z3_interrupt` alone, which any thread may call at any
//! time. This happens only between its registration and its removal, under a lock. The thread that
//! registers a context holds it until it has removed it.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::functions::{Functions, RawContext};

/// Handle that stops the current queries of all solvers that hold it or a clone of it.
#[derive(Clone, Debug, Default)]
pub struct Stopper(Arc<StopperState>);

#[derive(Debug, Default)]
struct StopperState {
    is_stopped: AtomicBool,
    running: Mutex<Vec<Running>>,
}

#[derive(Debug)]
struct Running {
    context: *mut RawContext,
    functions: Functions,
}

// SAFETY: see the module.
unsafe impl Send for Running {}

impl Stopper {
    /// Stops all queries from now on. A query that begins at the same moment may miss the signal; a
    /// thread that waits for it must call `stop` again.
    pub fn stop(&self) {
        self.0.is_stopped.store(true, Ordering::Relaxed);
        for running in self.running().iter() {
            // SAFETY: see the module.
            unsafe { (running.functions.interrupt)(running.context) }
        }
    }

    /// Whether `stop` was called.
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.0.is_stopped.load(Ordering::Relaxed)
    }

    /// Runs a query in a context that the caller holds, unless `stop` was called.
    pub(super) fn watch<T>(
        &self,
        functions: Functions,
        context: *mut RawContext,
        question: impl FnOnce() -> T,
    ) -> Option<T> {
        self.running().push(Running { context, functions });
        let _registered = Registered(self, context);
        (!self.is_stopped()).then(question)
    }

    fn running(&self) -> MutexGuard<'_, Vec<Running>> {
        self.0
            .running
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

/// Guard that removes a context when its query ends, even by a panic.
struct Registered<'a>(&'a Stopper, *mut RawContext);

impl Drop for Registered<'_> {
    fn drop(&mut self) {
        self.0.running().retain(|running| running.context != self.1);
    }
}
