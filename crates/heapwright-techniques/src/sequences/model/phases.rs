//! Costs of each phase of the search: time, and memory of its data.

use std::time::Duration;

/// Time by phase.
#[derive(Clone, Copy, Debug, Default)]
pub struct Phases {
    /// Forming candidate sequences.
    pub generating: Duration,
    /// Running them, including the solver's queries.
    pub searching: Duration,
    /// Querying the solver about the feasible sides of branches.
    pub solving: Duration,
    /// Comparing states with each other.
    pub matching: Duration,
    /// Proving that goals are infeasible.
    pub proving: Duration,
    /// Generating tests from the sequences found.
    pub tests: Duration,
}

impl Phases {
    /// Time of running alone, without solving and matching.
    #[must_use]
    pub fn running(&self) -> Duration {
        self.searching
            .saturating_sub(self.solving)
            .saturating_sub(self.matching)
    }
}

/// Peak memory by phase in bytes, as counted by its parts. It excludes the allocator's overhead,
/// the code of classes and the solver's library.
#[derive(Clone, Copy, Debug, Default)]
pub struct Memory {
    /// Components: sequences, with the paths through them and the verdicts on these.
    pub generating: u64,
    /// Objects of one run.
    pub running: u64,
    /// Terms of one run.
    pub solving: u64,
    /// States with which others are compared.
    pub matching: u64,
}
