//! Results of calls: counts for each method, and the findings.

use heapwright_explore::Count;
use heapwright_suite::Contract;
use serde::{Deserialize, Serialize};

use super::counterexample::{Counterexample, SmallestCounterexamples};
use super::seconds::GivenStructures;

/// Results of the calls of one method.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CallTally {
    /// The method with its parameter types: `remove(int)`.
    pub method: String,
    /// Argument tuples on a structure, if the number is the same on each.
    pub tuples: Option<u64>,
    /// Structures on which it was called.
    #[serde(with = "crate::digits")]
    pub structures: Count,
    /// Calls.
    #[serde(with = "crate::digits")]
    pub calls: Count,
    /// Runs made for the calls: one run on a cube represents many calls.
    pub runs: u64,
    /// Calls that the method rejected by an expected exception.
    #[serde(with = "crate::digits")]
    pub rejected: Count,
    /// Calls without a verdict because the engine does not support something they need.
    pub refused: u64,
    /// Calls without a verdict because of a limit of the engine.
    #[serde(default)]
    pub limited: u64,
    /// Calls that failed.
    #[serde(with = "crate::digits")]
    pub failed: Count,
    /// Structures on which it was not called, because it did not end on one no larger.
    #[serde(with = "crate::digits")]
    pub left_out: Count,
    /// The other implementation it is compared with.
    pub compared_with: Option<String>,
    /// Values of each parameter, for people.
    #[serde(default)]
    pub arguments: Vec<String>,
    /// Parameter types that were given only null.
    pub null_only: Vec<String>,
    /// Parameter types of whose objects only some are arguments, no bound naming the others.
    #[serde(default)]
    pub sampled: Vec<String>,
    /// Structures that it was given besides its receiver.
    pub seconds: Option<GivenStructures>,
    /// First unsupported feature that a call needed.
    pub first_refused: Option<String>,
    /// First limit that prevented a verdict on a call.
    #[serde(default)]
    pub first_limited: Option<String>,
    /// Contract that the calls check, if any.
    #[serde(default)]
    pub contract: Option<Contract>,
}

impl CallTally {
    /// Returns the counts alone.
    fn counts(&self) -> CallTally {
        CallTally {
            structures: self.structures.clone(),
            calls: self.calls.clone(),
            runs: self.runs,
            rejected: self.rejected.clone(),
            refused: self.refused,
            limited: self.limited,
            failed: self.failed.clone(),
            left_out: self.left_out.clone(),
            ..CallTally::default()
        }
    }

    /// Adds the results of later calls.
    pub fn add(&mut self, later: &CallTally) {
        self.structures += &later.structures;
        self.calls += &later.calls;
        self.runs += later.runs;
        self.rejected += &later.rejected;
        self.refused += later.refused;
        self.limited += later.limited;
        self.failed += &later.failed;
        self.left_out += &later.left_out;
        for (own, later) in [
            (&mut self.first_refused, &later.first_refused),
            (&mut self.first_limited, &later.first_limited),
        ] {
            *own = own.take().or_else(|| later.clone());
        }
    }
}

/// Counts of some calls, without findings.
pub(super) struct CallCounts(Count, Vec<CallTally>);

/// Results of the calls on some structures.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct MethodCheckResults {
    /// Structures visited.
    #[serde(with = "crate::digits")]
    pub structures: Count,
    /// Results of each method, in the order of the class.
    pub tallies: Vec<CallTally>,
    pub(super) findings: SmallestCounterexamples,
}

impl MethodCheckResults {
    /// Adds the results of later calls.
    pub(super) fn add(&mut self, later: MethodCheckResults) {
        self.add_counts(&later);
        self.findings.add(later.findings);
    }

    /// Adds the results of another shard of the same search; the order does not matter.
    pub fn add_shard(&mut self, other: MethodCheckResults) {
        self.add_counts(&other);
        self.findings.add_shard(other.findings);
    }

    /// Saves the counts, for `go_back`.
    pub(super) fn counts(&self) -> CallCounts {
        let tallies = self.tallies.iter().map(CallTally::counts).collect();
        CallCounts(self.structures.clone(), tallies)
    }

    /// Restores saved counts.
    pub(super) fn go_back(&mut self, CallCounts(structures, tallies): CallCounts) {
        self.structures = structures;
        for (tally, counts) in self.tallies.iter_mut().zip(tallies) {
            *tally = CallTally {
                method: std::mem::take(&mut tally.method),
                tuples: tally.tuples,
                compared_with: tally.compared_with.take(),
                arguments: std::mem::take(&mut tally.arguments),
                null_only: std::mem::take(&mut tally.null_only),
                sampled: std::mem::take(&mut tally.sampled),
                seconds: tally.seconds.take(),
                first_refused: tally.first_refused.take(),
                first_limited: tally.first_limited.take(),
                contract: tally.contract,
                ..counts
            };
        }
    }

    fn add_counts(&mut self, other: &MethodCheckResults) {
        self.structures += &other.structures;
        for (tally, other) in self.tallies.iter_mut().zip(&other.tallies) {
            tally.add(other);
        }
    }

    /// Returns a smallest counterexample for each method and kind of failure, ordered by size, then
    /// by method.
    #[must_use]
    pub fn counterexamples(&self) -> Vec<&Counterexample> {
        self.findings.smallest_first(true)
    }

    /// Returns the findings by memory limits, which are no counterexamples.
    #[must_use]
    pub fn exhausted(&self) -> Vec<&Counterexample> {
        self.findings.smallest_first(false)
    }

    /// First unsupported feature that a call needed, of the first method with such a call.
    #[must_use]
    pub fn refused(&self) -> Option<String> {
        self.first_of(|tally| tally.first_refused.as_ref())
    }

    /// First limit that prevented a verdict on a call, of the first method with such a call.
    #[must_use]
    pub fn limited(&self) -> Option<String> {
        self.first_of(|tally| tally.first_limited.as_ref())
    }

    fn first_of(&self, what: impl Fn(&CallTally) -> Option<&String>) -> Option<String> {
        let mut tallies = self.tallies.iter();
        tallies.find_map(|tally| Some(format!("{}: {}", tally.method, what(tally)?)))
    }

    /// Indices of the methods that did not end.
    pub(super) fn endless(&self) -> Vec<usize> {
        let all = 0..self.tallies.len();
        all.filter(|&index| self.findings.endless_from(index).is_some())
            .collect()
    }

    /// Replaces the results of some methods.
    pub(super) fn replace(&mut self, methods: &[usize], mut again: MethodCheckResults) {
        for &index in methods {
            self.tallies[index] = std::mem::take(&mut again.tallies[index]);
        }
        self.findings.replace(methods, again.findings);
    }
}
