//! Counts of calls by outcome, and the faults found.

use std::ops::AddAssign;

use heapwright_explore::OutOfScope;
use heapwright_jvm::MethodId;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use super::checks::Violation;
use super::pools::Origin;

/// Calls of a method without an end after which its step limit is reduced.
pub(super) const OFTEN: u64 = 64;

/// Counts of calls by outcome.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct OutcomeTally {
    /// Sequences executed.
    pub explored: u64,
    /// Sequences discarded because the last call threw an exception that is misuse.
    pub misuse: u64,
    /// Sequences discarded because they left a structure out of scope.
    pub out_of_scope: u64,
    /// Least length of an array that exceeded the scope, if a structure was discarded for that.
    pub too_long: Option<u32>,
    /// Sequences that failed.
    pub failed: u64,
    /// Sequences that needed something the engine does not support.
    pub refused: u64,
    /// Sequences that built a new structure.
    pub building: u64,
}

impl OutcomeTally {
    /// Counts a sequence that left a structure out of scope.
    pub fn discard(&mut self, outside: OutOfScope) {
        self.out_of_scope += 1;
        if let OutOfScope::ArrayLength(length) = outside {
            self.too_long = Some(self.too_long.map_or(length, |least| least.min(length)));
        }
    }

    /// Returns the sum of two tallies.
    #[must_use]
    pub fn plus(mut self, other: OutcomeTally) -> OutcomeTally {
        self += other;
        self
    }
}

impl AddAssign for OutcomeTally {
    fn add_assign(&mut self, other: OutcomeTally) {
        self.explored += other.explored;
        self.misuse += other.misuse;
        self.out_of_scope += other.out_of_scope;
        self.too_long = [self.too_long, other.too_long].into_iter().flatten().min();
        self.failed += other.failed;
        self.refused += other.refused;
        self.building += other.building;
    }
}

/// Fault of a call.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum CallFault {
    /// It threw an exception of this class, by binary name.
    Throws(String),
    /// It did not end within the step limit.
    DoesNotEnd,
    /// It filled the Java heap.
    FillsMemory,
    /// It needed something the engine does not support.
    Refused(String),
    /// Its result depends on more than structures and arguments, as described.
    Nondeterministic(String),
    /// The structure it built fails a check.
    Violates(Violation),
}

/// First call of an operation with a fault, and the number of such calls.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallFinding {
    /// The faulty method.
    pub method: MethodId,
    /// The call.
    pub call: Origin,
    /// The fault.
    pub fault: CallFault,
    /// Description: the exception with its message, or similar.
    pub text: String,
    /// Calls of the operation with this fault.
    pub count: u64,
}

/// Faults found, in order of discovery.
#[derive(Clone, Debug, Default)]
pub struct CallFindings {
    list: Vec<CallFinding>,
    index: FxHashMap<(MethodId, CallFault), usize>,
}

impl CallFindings {
    /// Returns the findings.
    #[must_use]
    pub fn list(&self) -> &[CallFinding] {
        &self.list
    }

    /// Returns the methods that have often not ended; the step limit of their later calls is
    /// reduced.
    #[must_use]
    pub fn endless(&self) -> Vec<MethodId> {
        let often = |finding: &&CallFinding| {
            finding.fault == CallFault::DoesNotEnd && finding.count >= OFTEN
        };
        self.list
            .iter()
            .filter(often)
            .map(|finding| finding.method)
            .collect()
    }

    /// Counts a known fault; returns whether it is known.
    pub(super) fn knows(&mut self, method: MethodId, fault: &CallFault) -> bool {
        match self.index.get(&(method, fault.clone())) {
            Some(&at) => {
                self.list[at].count += 1;
                true
            }
            None => false,
        }
    }

    /// Adds a new fault.
    pub(super) fn add(&mut self, finding: CallFinding) {
        self.index
            .insert((finding.method, finding.fault.clone()), self.list.len());
        self.list.push(finding);
    }

    /// Adds later findings.
    pub fn append(&mut self, other: CallFindings) {
        for finding in other.list {
            match self.index.get(&(finding.method, finding.fault.clone())) {
                Some(&at) => self.list[at].count += finding.count,
                None => self.add(finding),
            }
        }
    }
}
