//! Watches a search, and stops it.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::Thread;
use std::time::Duration;

use heapwright_explore::symbolic::Stopper;

/// Callbacks that watch a search.
#[derive(Clone, Copy)]
pub struct Watch<'a> {
    /// Tells whether to stop searching.
    pub stops: &'a (dyn Fn() -> bool + Sync),
    /// Tells whether to leave the results as they are: their tests are generated without more ado.
    pub closes: &'a (dyn Fn() -> bool + Sync),
    /// Tells whether further tests take the time that is needed to try them: no more than a few are
    /// generated.
    pub ends: &'a (dyn Fn() -> bool + Sync),
    /// Receives the number of paths so far in the current search.
    pub explored: &'a dyn Fn(u64),
}

/// Watches of the phases in which tests are generated.
#[derive(Clone, Copy)]
pub struct Watches<'a> {
    /// Watches the search for goals.
    pub exploring: Watch<'a>,
    /// Watches the search for tests that notice further mutants.
    pub varying: Watch<'a>,
    /// Watches how tests are made plain.
    pub polishing: Watch<'a>,
    /// Watches what comes after these.
    pub writing: Watch<'a>,
}

/// Interval between checks for a solver, which does not check by itself.
const PATIENCE: Duration = Duration::from_millis(50);

/// Number of tests that are generated even if no time is left.
const FEWEST: usize = 4;

impl Watch<'_> {
    /// Whether to generate no more tests than `generated`.
    pub(crate) fn has_enough(&self, generated: usize) -> bool {
        generated >= FEWEST && (self.ends)()
    }

    /// Runs `work`, and interrupts the solver's query when the search is to stop.
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
            let _done = Done {
                flag: &is_done,
                watcher: watcher.thread(),
            };
            work()
        })
    }
}

/// Ends the watcher with the work, even if that panics.
struct Done<'a> {
    flag: &'a AtomicBool,
    watcher: &'a Thread,
}

impl Drop for Done<'_> {
    fn drop(&mut self) {
        self.flag.store(true, Ordering::Relaxed);
        self.watcher.unpark();
    }
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};

    use super::*;

    /// What was found has tests as long as these can still be tried.
    #[test]
    fn results_that_are_left_as_they_are_have_tests() {
        let enough = |closes: bool, ends: bool| {
            let watch = Watch {
                stops: &|| true,
                closes: &|| closes,
                ends: &|| ends,
                explored: &|_| {},
            };
            [0, FEWEST - 1, FEWEST, 1_000].map(|generated| watch.has_enough(generated))
        };
        assert_eq!(enough(false, false), [false; 4]);
        assert_eq!(enough(true, false), [false; 4]);
        assert_eq!(enough(true, true), [false, false, true, true]);
    }

    #[test]
    fn a_panic_ends_the_watch() {
        let watch = Watch {
            stops: &|| false,
            closes: &|| false,
            ends: &|| false,
            explored: &|_| {},
        };
        let stopper = Stopper::default();
        let work = || watch.over(&stopper, || -> u32 { panic!("as if of ours") });
        let caught = catch_unwind(AssertUnwindSafe(work));
        let message = caught.expect_err("a panic");
        assert_eq!(message.downcast_ref(), Some(&"as if of ours"));
    }
}
