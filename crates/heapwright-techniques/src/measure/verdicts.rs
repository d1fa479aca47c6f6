//! Verdicts on mutants, shared by all machines. They only go from open to killed, so that the result
//! does not depend on the order in which tests run.

use std::sync::atomic::{AtomicBool, Ordering};

/// Verdicts on the mutants of a request, by number.
pub(super) struct Verdicts {
    killed: Vec<AtomicBool>,
    doubted: Vec<AtomicBool>,
}

impl Verdicts {
    /// All mutants are open.
    pub fn new(mutants: usize) -> Verdicts {
        let flags = || (0..mutants).map(|_| AtomicBool::new(false)).collect();
        Verdicts {
            killed: flags(),
            doubted: flags(),
        }
    }

    /// Whether no test has killed a mutant yet.
    pub fn is_open(&self, mutant: usize) -> bool {
        !self.killed[mutant].load(Ordering::Relaxed)
    }

    /// Notes that a test fails on a mutant.
    pub fn kill(&self, mutant: usize) {
        self.killed[mutant].store(true, Ordering::Relaxed);
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
