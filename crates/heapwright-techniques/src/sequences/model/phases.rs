//! What each phase of the search costs: time, and the memory of what it holds.

use std::time::Duration;

/// Time by phase.
#[derive(Clone, Copy, Debug, Default)]
pub struct Phases {
    /// Forming candidate sequences.
    pub generating: Duration,
    /// Running them, the solver's questions included.
    pub searching: Duration,
    /// Asking the solver which ways paths can go.
    pub solving: Duration,
    /// Holding states against each other.
    pub matching: Duration,
    /// Proving that goals cannot be reached.
    pub proving: Duration,
    /// Making tests.
    pub tests: Duration,
}

impl Phases {
    /// Running alone.
    #[must_use]
    pub fn running(&self) -> Duration {
        self.searching
            .saturating_sub(self.solving)
            .saturating_sub(self.matching)
    }
}

/// Memory by phase, in bytes: of what each holds, at its most, as its parts are counted. The allocator's
/// own needs, the code of classes and the solver behind are not in it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Memory {
    /// Components: sequences, with the paths through them and the verdicts on these.
    pub generating: u64,
    /// Objects of one run.
    pub running: u64,
    /// Terms of one run.
    pub solving: u64,
    /// States that others are held against.
    pub matching: u64,
}
