//! Who watches a search, and stops it.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use heapwright_explore::symbolic::Stopper;

/// Who watches a search.
#[derive(Clone, Copy)]
pub struct Watch<'a> {
    /// Says whether to stop.
    pub stops: &'a (dyn Fn() -> bool + Sync),
    /// Sees how many paths there were so far in the search at hand.
    pub explored: &'a dyn Fn(u64),
}

/// Time between two questions whether to stop, for a solver that does not look up by itself.
const PATIENCE: Duration = Duration::from_millis(50);

impl Watch<'_> {
    /// Does some work, and stops the solver at its question where it is to stop.
    pub(crate) fn over<T>(&self, stopper: &Stopper, work: impl FnOnce() -> T) -> T {
        let is_done = AtomicBool::new(false);
        let stops = self.stops;
        std::thread::scope(|scope| {
            let watcher = scope.spawn(|| {
                while !is_done.load(Ordering::Relaxed) {
                    if stops() {
                        stopper.stop();
                        return;
                    }
                    std::thread::park_timeout(PATIENCE);
                }
            });
            let result = work();
            is_done.store(true, Ordering::Relaxed);
            watcher.thread().unpark();
            result
        })
    }
}
