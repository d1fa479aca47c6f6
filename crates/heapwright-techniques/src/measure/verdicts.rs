//! Verdicts on mutants, shared by all machines.
//!
//! Invariant: the killer of a mutant is the first of its killers in the order of the turns, and of
//! the tests in a turn, whatever the number of machines: a turn leaves out only mutants that are
//! killed in it or before it.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// Killer of a mutant that no test has killed yet.
const OPEN: u64 = u64::MAX;
/// Number in place of a test's for a mutant that is killed between two tests.
const BETWEEN: u32 = u32::MAX;

/// Verdicts on the mutants of a request, by number.
pub(super) struct Verdicts {
    /// First killer of each that is known: the turn in the high half, the test in the low half;
    /// [`OPEN`] if there is none.
    killers: Vec<AtomicU64>,
    tried: Vec<AtomicBool>,
    doubted: Vec<AtomicBool>,
}

impl Verdicts {
    /// All mutants are open.
    pub fn new(mutants: usize) -> Verdicts {
        Verdicts {
            killers: (0..mutants).map(|_| AtomicU64::new(OPEN)).collect(),
            tried: (0..mutants).map(|_| AtomicBool::new(false)).collect(),
            doubted: (0..mutants).map(|_| AtomicBool::new(false)).collect(),
        }
    }

    /// Whether no test has killed a mutant yet.
    pub fn is_open(&self, mutant: usize) -> bool {
        self.killers[mutant].load(Ordering::Relaxed) == OPEN
    }

    /// Whether no test of this turn, or of one before it, has killed a mutant yet.
    pub fn is_open_in(&self, turn: u32, mutant: usize) -> bool {
        let killer = self.killers[mutant].load(Ordering::Relaxed);
        killer == OPEN || killer >> u32::BITS > u64::from(turn)
    }

    /// Notes that in this turn the test with this number fails on a mutant; `None` for what is
    /// between tests.
    pub fn kill(&self, mutant: usize, turn: u32, test: Option<usize>) {
        let test = test.map_or(BETWEEN, |test| u32::try_from(test).unwrap_or(BETWEEN));
        let killer = u64::from(turn) << u32::BITS | u64::from(test);
        self.killers[mutant].fetch_min(killer, Ordering::Relaxed);
    }

    /// Number of the first test that kills a mutant.
    pub fn killer(&self, mutant: usize) -> Option<usize> {
        let killer = self.killers[mutant].load(Ordering::Relaxed);
        let test = killer & u64::from(u32::MAX);
        (test != u64::from(BETWEEN)).then_some(test as usize)
    }

    /// Notes that a test was run on a mutant.
    pub fn try_on(&self, mutant: usize) {
        self.tried[mutant].store(true, Ordering::Relaxed);
    }

    /// Whether a test was run on a mutant.
    pub fn is_tried(&self, mutant: usize) -> bool {
        self.tried[mutant].load(Ordering::Relaxed)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_killer_stays() {
        let verdicts = Verdicts::new(1);
        assert!(verdicts.is_open(0) && verdicts.killer(0).is_none());
        verdicts.kill(0, 7, Some(2));
        assert_eq!((verdicts.is_open(0), verdicts.killer(0)), (false, Some(2)));
        assert!(verdicts.is_open_in(6, 0) && !verdicts.is_open_in(7, 0));
        verdicts.kill(0, 6, Some(9));
        assert!(verdicts.is_open_in(5, 0) && !verdicts.is_open_in(6, 0));
        assert_eq!(verdicts.killer(0), Some(9));
        verdicts.kill(0, 6, None);
        verdicts.kill(0, 8, Some(0));
        assert_eq!(verdicts.killer(0), Some(9));
        verdicts.kill(0, 1, None);
        assert_eq!((verdicts.is_open(0), verdicts.killer(0)), (false, None));
    }
}
