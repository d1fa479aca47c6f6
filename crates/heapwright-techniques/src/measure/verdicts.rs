//! Verdicts on mutants, shared by all machines. They only go from open to killed, so that the result
//! does not depend on the order in which tests run.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// Killer of a mutant that no test has killed yet.
const OPEN: usize = usize::MAX;
/// Killer of a mutant that is killed between two tests.
const BETWEEN: usize = usize::MAX - 1;

/// Verdicts on the mutants of a request, by number.
pub(super) struct Verdicts {
    /// The first test that is known to kill each; [`OPEN`] if there is none.
    killers: Vec<AtomicUsize>,
    doubted: Vec<AtomicBool>,
}

impl Verdicts {
    /// All mutants are open.
    pub fn new(mutants: usize) -> Verdicts {
        Verdicts {
            killers: (0..mutants).map(|_| AtomicUsize::new(OPEN)).collect(),
            doubted: (0..mutants).map(|_| AtomicBool::new(false)).collect(),
        }
    }

    /// Whether no test has killed a mutant yet.
    pub fn is_open(&self, mutant: usize) -> bool {
        self.killers[mutant].load(Ordering::Relaxed) == OPEN
    }

    /// Notes that the test with this number fails on a mutant; `None` for what is between tests.
    pub fn kill(&self, mutant: usize, test: Option<usize>) {
        self.killers[mutant].fetch_min(test.unwrap_or(BETWEEN), Ordering::Relaxed);
    }

    /// Number of a test that kills a mutant, if one is known. Where several do, it depends on which
    /// were run first.
    pub fn killer(&self, mutant: usize) -> Option<usize> {
        let killer = self.killers[mutant].load(Ordering::Relaxed);
        (killer < BETWEEN).then_some(killer)
    }

    /// Notes that a test of a mutant could not run to its end.
    pub fn doubt(&self, mutant: usize) {
        self.doubted[mutant].store(true, Ordering::Relaxed);
    }

    /// Whether a mutant is open because a test could not run to its end.
    pub fn is_doubted(&self, mutant: usize) -> bool {
        self.is_open(mutant) && self.doubted[mutant].load(Ordering::Relaxed)
    }
}
