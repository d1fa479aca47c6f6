//! What is observed at a probe: facts that only grow, so that those of several runs can be joined.

use std::collections::BTreeSet;

/// Number of targets that have a bit.
const BITS: usize = 64;

/// What was observed at a probe.
#[derive(Clone, Debug, Default)]
pub(crate) struct Fact {
    is_reached: bool,
    /// Targets of the jump that were taken, by number.
    targets: u64,
    further_targets: BTreeSet<usize>,
    /// Probes of the same frame that were passed just before, by number.
    before: Vec<u32>,
}

impl Fact {
    /// Notes that control comes here, and from which probe of the same frame.
    pub fn reach(&mut self, before: Option<u32>) {
        self.is_reached = true;
        if let Some(before) = before
            && !self.before.contains(&before)
        {
            self.before.push(before);
        }
    }

    /// Notes that the jump behind the probe goes to a target.
    pub fn go(&mut self, target: usize) {
        match target {
            0..BITS => self.targets |= 1 << target,
            _ => {
                self.further_targets.insert(target);
            }
        }
    }

    pub fn is_reached(&self) -> bool {
        self.is_reached
    }

    pub fn went(&self, target: usize) -> bool {
        match target {
            0..BITS => self.targets & 1 << target != 0,
            _ => self.further_targets.contains(&target),
        }
    }

    pub fn came_from(&self, probe: u32) -> bool {
        self.before.contains(&probe)
    }

    /// Adds what another run has observed.
    pub fn join(&mut self, other: Fact) {
        self.is_reached |= other.is_reached;
        self.targets |= other.targets;
        self.further_targets.extend(other.further_targets);
        for before in other.before {
            self.reach(Some(before));
        }
    }
}
