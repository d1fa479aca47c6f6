//! Questions that another thread ends before their end.
//!
//! The safety of what is here: a context is handed to `Z3_interrupt` alone, which any thread may
//! call at any time, and only between its registration and its removal, for which a lock is taken;
//! whoever registers one holds it until it has removed it.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::functions::{Functions, RawContext};

/// Ends the questions that solvers are at, those that hold it or a clone of it.
#[derive(Clone, Debug, Default)]
pub struct Stopper(Arc<Shared>);

#[derive(Debug, Default)]
struct Shared {
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
    /// From now on questions end without an answer. One that begins at this very moment may miss it:
    /// whoever waits for it says so again.
    pub fn stop(&self) {
        self.0.is_stopped.store(true, Ordering::Relaxed);
        for running in self.running().iter() {
            // SAFETY: see the module.
            unsafe { (running.functions.interrupt)(running.context) }
        }
    }

    /// Whether it was asked to.
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.0.is_stopped.load(Ordering::Relaxed)
    }

    /// Runs a question of a context that the caller holds, unless it is too late for one.
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

/// Takes a context back when the question has ended, however it has.
struct Registered<'a>(&'a Stopper, *mut RawContext);

impl Drop for Registered<'_> {
    fn drop(&mut self) {
        self.0.running().retain(|running| running.context != self.1);
    }
}
