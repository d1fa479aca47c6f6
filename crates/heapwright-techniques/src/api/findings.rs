//! What calls came to, and what went wrong.

use std::ops::AddAssign;

use heapwright_explore::OutOfScope;
use heapwright_jvm::MethodId;
use rustc_hash::FxHashMap;

use super::checks::Violation;
use super::pools::Origin;

/// Calls of a method that did not end after which it gets fewer instructions.
const OFTEN: u64 = 64;
/// What calls came to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Sequences executed.
    pub explored: u64,
    /// Of them, discarded because the last call ended by an exception that is misuse.
    pub misuse: u64,
    /// Discarded because they left a structure out of scope.
    pub out_of_scope: u64,
    /// The least length of an array that was too long for the scope, if that is what put a structure out of it.
    pub too_long: Option<u32>,
    /// That failed.
    pub failed: u64,
    /// That came upon something the engine refuses.
    pub refused: u64,
    /// That built a structure nobody had built before.
    pub building: u64,
}

impl Tally {
    /// Counts one that left a structure out of scope.
    pub fn discard(&mut self, outside: OutOfScope) {
        self.out_of_scope += 1;
        if let OutOfScope::ArrayLength(length) = outside {
            self.too_long = Some(self.too_long.map_or(length, |least| least.min(length)));
        }
    }

    /// The sum of two.
    #[must_use]
    pub fn plus(mut self, other: Tally) -> Tally {
        self += other;
        self
    }
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Tally) {
        self.explored += other.explored;
        self.misuse += other.misuse;
        self.out_of_scope += other.out_of_scope;
        self.too_long = [self.too_long, other.too_long].into_iter().flatten().min();
        self.failed += other.failed;
        self.refused += other.refused;
        self.building += other.building;
    }
}

/// What went wrong with a call.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Fault {
    /// It threw an exception of this class, by binary name.
    Throws(String),
    /// It did not end within the limit of instructions.
    DoesNotEnd,
    /// It took all memory for Java objects.
    FillsMemory,
    /// It came upon something the engine refuses.
    Refused(String),
    /// What it leaves depends on more than structures and arguments: how.
    Unsteady(String),
    /// What it built fails a check.
    Violates(Violation),
}

/// The first call of an operation that went wrong in some way, and how many did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The method that went wrong.
    pub method: MethodId,
    /// The call.
    pub call: Origin,
    /// What went wrong.
    pub fault: Fault,
    /// The exception with its message, or the like.
    pub text: String,
    /// Calls of the operation that went wrong in this way.
    pub count: u64,
}

/// What was found to be wrong, in the order in which it was found.
#[derive(Clone, Debug, Default)]
pub struct Findings {
    list: Vec<Finding>,
    index: FxHashMap<(MethodId, Fault), usize>,
}

impl Findings {
    /// The findings.
    #[must_use]
    pub fn list(&self) -> &[Finding] {
        &self.list
    }

    /// The methods that have often not ended: later calls of them get fewer instructions.
    #[must_use]
    pub fn endless(&self) -> Vec<MethodId> {
        let often =
            |finding: &&Finding| finding.fault == Fault::DoesNotEnd && finding.count >= OFTEN;
        self.list
            .iter()
            .filter(often)
            .map(|finding| finding.method)
            .collect()
    }

    /// Counts a fault that is known, and says whether it is.
    pub(super) fn knows(&mut self, method: MethodId, fault: &Fault) -> bool {
        match self.index.get(&(method, fault.clone())) {
            Some(&at) => {
                self.list[at].count += 1;
                true
            }
            None => false,
        }
    }

    /// Adds a fault that is not known.
    pub(super) fn add(&mut self, finding: Finding) {
        self.index
            .insert((finding.method, finding.fault.clone()), self.list.len());
        self.list.push(finding);
    }

    /// Adds what was found after these.
    pub fn append(&mut self, other: Findings) {
        for finding in other.list {
            match self.index.get(&(finding.method, finding.fault.clone())) {
                Some(&at) => self.list[at].count += finding.count,
                None => self.add(finding),
            }
        }
    }
}
