//! Requests of a user: the class under test, the criterion, and the bounds of the search.

use std::collections::BTreeMap;
use std::sync::Arc;

use heapwright_explore::symbolic::{self, Limits};
use regex::Regex;

use crate::adjust::Adjustment;
use crate::existing::ExistingCoverage;
use crate::makers::MakerIndex;
use crate::mutation::OperatorGroup;

/// A user's request.
#[derive(Clone, Debug)]
pub struct SequencesRequest {
    /// The binary name of the class under test.
    pub class: String,
    /// The method that checks whether an object is well formed, or `none`; by default one with a
    /// usual name, if any.
    pub invariant: Option<String>,
    /// Exceptions that methods may throw to refuse a call, in addition to the usual ones.
    pub expected: Vec<String>,
    /// Whether the contracts of `equals` and similar methods are not checked.
    pub leaves_contracts: bool,
    /// The methods under test: `name` or `name(int,java.lang.String)`; empty for all callable ones.
    pub methods: Vec<String>,
    /// Whether member classes of the class are under test, too.
    pub tests_members: bool,
    /// Further classes whose members sequences may use.
    pub system: Vec<String>,
    /// The access level of members that tests may use.
    pub access: MemberAccess,
    /// If not empty, only invokables that match one of these are used.
    pub include: Vec<Regex>,
    /// Invokables that match one of these are not used.
    pub exclude: Vec<Regex>,
    /// A static method called first in every sequence: `a.b.Fixture.create`.
    pub setup: Option<String>,
    /// The coverage criterion.
    pub criterion: CoverageCriterion,
    /// Bounds of sequences.
    pub bounds: SequenceBounds,
    /// Bounds of values and of runs.
    pub values: symbolic::InputBounds,
    /// Extensions of the bounds, applied one after the other while goals are left.
    pub further: Vec<BoundExtension>,
    /// Values over which types range.
    pub pools: ValuesByType,
    /// Values that are preferred: of a class, of a parameter or field of a class, or of any of that name.
    pub given: Vec<Adjustment>,
    /// Limits of the solver.
    pub limits: Limits,
    /// Maximum number of instructions in one run.
    pub step_limit: u64,
    /// Seed of the random search.
    pub seed: u64,
    /// Whether tests assert fields that no observer reveals.
    pub asserts_fields: bool,
    /// Whether tests may show nothing but what a compiler, a tool or the virtual machine does: generated
    /// members, and nulls that no code guards against.
    pub has_boilerplate: bool,
    /// The operators whose mutants tests should notice; `None` for no mutation analysis.
    pub mutants: Option<OperatorGroup>,
    /// What existing tests cover and notice; tests are to add something to it. `None` if there are
    /// no such tests.
    pub existing: Option<Arc<ExistingCoverage>>,
    /// Whether the report has the lines that tests cover.
    pub covers_lines: bool,
    /// The index of the class path, which requests with the same class path share.
    pub makers: Arc<MakerIndex>,
}

impl SequencesRequest {
    /// Whether a test must not end with the exception of a null that no code guards against. Where
    /// exceptions or paths are what is wanted, it may.
    #[must_use]
    pub fn refuses_nulls(&self) -> bool {
        let is_wanted = matches!(
            self.criterion,
            CoverageCriterion::Exceptions | CoverageCriterion::Paths
        );
        !self.has_boilerplate && !is_wanted
    }

    /// Whether all code of the class and of its nested classes is under test.
    #[must_use]
    pub fn tests_all_code(&self) -> bool {
        self.tests_members && self.methods.is_empty()
    }
}

/// Access level of members that tests may use; each includes those before it. Tests are in the
/// package of the class under test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum MemberAccess {
    /// `public` members.
    Public,
    /// Members without an access modifier.
    Package,
    /// `protected` members.
    Protected,
    /// All members.
    Private,
}

impl MemberAccess {
    /// Returns the name, as options have it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            MemberAccess::Public => "public",
            MemberAccess::Package => "package",
            MemberAccess::Protected => "protected",
            MemberAccess::Private => "private",
        }
    }
}

/// Coverage criterion.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CoverageCriterion {
    /// Each outgoing edge of conditional jumps and switches.
    #[default]
    Branches,
    /// Each source line; each instruction where the class file has no line numbers.
    Statements,
    /// Each path through a method under test.
    Paths,
    /// Each instruction that itself throws an exception.
    Exceptions,
    /// Both sides of the boundary of each integer comparison: for `a < b`, `a` equal to `b` and `a`
    /// one less.
    Boundaries,
    /// Each arithmetic instruction on integers that overflows.
    Overflow,
    /// Each pair of a read of a field of the class and a write whose value it may see.
    DefUse,
}

impl CoverageCriterion {
    /// Whether paths also fork where the program itself does not branch.
    #[must_use]
    pub fn splits(self) -> bool {
        matches!(
            self,
            CoverageCriterion::Boundaries
                | CoverageCriterion::Overflow
                | CoverageCriterion::Exceptions
        )
    }
}

/// Bounds of sequences.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SequenceBounds {
    /// Maximum number of statements in a sequence.
    pub length: u32,
    /// Maximum number of paths of one call on one component; 0 for no limit.
    pub paths: u32,
    /// Whether references may be null where an object is possible.
    pub nulls: bool,
    /// Whether statements may follow one that throws.
    pub after_exceptions: bool,
    /// Maximum number of paths in all.
    pub all_paths: u64,
    /// Solver work for all paths of one call on one component before other calls have their turn; 0
    /// for no bound.
    pub work: u64,
    /// Maximum number of elements of strings and arrays in the search by generations.
    pub generation_length: u32,
    /// Maximum number of statements in a sequence of the random search.
    pub random_length: u32,
    /// Effort without a new goal behind which the search ends, as a multiple of the effort up to the
    /// last new one; `None` for no bound.
    pub patience: Option<u32>,
}

/// Least effort in vain behind which a search is given up.
const LEAST_IN_VAIN: u64 = 100_000_000;

impl SequenceBounds {
    /// Whether a search is given up that has made an effort, in instructions, of `all` altogether and
    /// of `in_vain` since it last gained.
    pub(in crate::sequences) fn gives_up(&self, all: u64, in_vain: u64) -> bool {
        let useful = all - in_vain;
        let is_past = |most: u32| in_vain >= useful.saturating_mul(most.into()).max(LEAST_IN_VAIN);
        self.patience.is_some_and(is_past)
    }
}

/// A larger bound for a further round, used while goals are left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoundExtension {
    /// Maximum number of elements of strings, and of arrays of values, as arguments.
    Elements(u32),
    /// Maximum number of statements in a sequence.
    Statements(u32),
}

/// Values over which a type ranges, by descriptor.
pub type ValuesByType = BTreeMap<String, Vec<u64>>;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn searches_are_given_up_for_a_multiple_of_what_was_of_use() {
        let bounds = |patience| SequenceBounds {
            length: 1,
            paths: 0,
            nulls: true,
            after_exceptions: false,
            all_paths: 1,
            work: 0,
            generation_length: 0,
            random_length: 0,
            patience,
        };
        let (none, three) = (bounds(None), bounds(Some(3)));
        assert!(!none.gives_up(u64::MAX, u64::MAX));
        assert!(!three.gives_up(LEAST_IN_VAIN, LEAST_IN_VAIN - 1));
        assert!(three.gives_up(LEAST_IN_VAIN, LEAST_IN_VAIN));
        let useful = LEAST_IN_VAIN;
        assert!(!three.gives_up(useful * 4 - 1, useful * 3 - 1));
        assert!(three.gives_up(useful * 4, useful * 3));
    }
}
