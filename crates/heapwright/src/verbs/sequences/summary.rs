//! Summaries of `sequences` for programs, of a class and of several.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::iter::Sum;
use std::ops::Add;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::report::findings::FailingBehaviour;
use crate::report::mutants::AliveMutant;
use crate::report::summary::Body;

/// Tests by sequences of calls for a class.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct SequencesSummary {
    /// Coverage criterion.
    pub criterion: Cow<'static, str>,
    #[serde(flatten)]
    pub totals: Totals,
    /// Share of the feasible branches that tests cover; 1 if there are none.
    pub branch_coverage: f64,
    /// Share of the mutants, but for equivalent ones, that tests notice; none if there are none.
    pub mutation_score: Option<f64>,
    /// Goals that no test covers.
    pub goals_not_covered: Vec<GoalNotCovered>,
    /// Mutants that no test notices.
    pub mutants_alive: Vec<AliveMutant>,
    /// Tests that were removed from generated files: earlier ones, with `--update`, and new ones that
    /// fail together with the tests of the project, or make these fail.
    pub tests_removed: Vec<RemovedTest>,
    /// Tests of generated files that stay although they fail, with `--update`.
    pub tests_changed: Vec<ChangedTest>,
    /// Tests that were left out before they were written.
    pub dropped: usize,
    /// Whether the tests were run on a JVM.
    pub verified: bool,
    /// Whether this is the result of an earlier run, which holds still.
    pub cached: bool,
    /// Most statements of a sequence explored.
    pub max_length: u32,
    /// Paths that were taken.
    pub paths: u64,
    /// Paths that a bound cut off.
    pub paths_cut: u64,
    /// Parts that were cut off, by the bound.
    pub cut: BTreeMap<Cow<'static, str>, u64>,
    /// Paths that were refused.
    pub paths_refused: u64,
    /// Failing behaviours.
    pub failing_behaviours: Vec<FailingBehaviour>,
    /// Failing behaviours that break the invariant.
    pub invariant_broken: usize,
    /// Paths in the constraint trees.
    pub tree_paths: u64,
    /// Nodes of the constraint trees.
    pub tree_nodes: u64,
    /// States after sequences.
    pub states: u64,
    /// States left out since another subsumes them.
    pub states_subsumed: u64,
    /// Wall-clock seconds by phase.
    pub seconds_by_phase: SecondsByPhase,
    /// Most memory by phase, in bytes.
    pub bytes_by_phase: BytesByPhase,
}

/// Goal that no test covers.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct GoalNotCovered {
    /// Method, line and side of the goal, as `insert:12 less`.
    pub goal: String,
    /// What is known of it.
    pub status: NotCovered,
    /// Reason, a text.
    pub reason: String,
}

/// What is known of a goal that no test covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum NotCovered {
    /// No sequence of any length reaches it.
    Infeasible,
    /// No sequence that was tried reaches it.
    NotReached,
    /// Only runs that end with a failing assertion reach it.
    AssertionFails,
    /// Runs reach it, but no test can state their outcome.
    NotAsserted,
}

/// Test that was removed from a generated file.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct RemovedTest {
    /// Name of the file.
    pub file: String,
    /// Name of the method, behind that of its nested class.
    pub test: String,
    /// Reason, as an exception or an error of the compiler.
    pub reason: String,
}

/// Test of a generated file that fails, since the code behaves in another way now. It stays.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ChangedTest {
    /// Name of the file.
    pub file: String,
    /// Name of the method, behind that of its nested class.
    pub test: String,
    /// Value or exception that the test expects; the assertion where its message names none; null if
    /// neither is known.
    pub expected: Option<String>,
    /// Value or exception that there is now.
    pub actual: String,
}

/// Counts that add up over classes.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct Totals {
    /// Goals that a test covers.
    pub goals_covered: u64,
    /// Goals that are proved infeasible.
    pub goals_infeasible: u64,
    /// Goals that existing tests cover, with `--update`; they count as covered.
    pub goals_covered_before: u64,
    /// Goals.
    pub goals_total: u64,
    /// Branches that a test covers.
    pub branches_covered: u64,
    /// Branches that are proved infeasible.
    pub branches_infeasible: u64,
    /// Branches of the class.
    pub branches_total: u64,
    /// Mutants of the code, if they were asked for.
    pub mutants: u64,
    /// Mutants that a test notices.
    pub killed: u64,
    /// Mutants that existing tests notice, with `--update`; they count as noticed.
    pub killed_before: u64,
    /// Mutants that are proved to be like the original code.
    pub mutants_equivalent: u64,
    /// Tests that stay in generated files, with `--update`.
    pub tests_kept: u64,
    /// Sequences generated.
    pub sequences_generated: u64,
    /// Sequences explored.
    pub sequences_explored: u64,
}

impl Totals {
    /// Share of the feasible branches that tests cover; 1 if there are none.
    pub fn branch_coverage(&self) -> f64 {
        let feasible = self.branches_total.saturating_sub(self.branches_infeasible);
        match feasible {
            0 => 1.0,
            feasible => self.branches_covered as f64 / feasible as f64,
        }
    }

    /// Share of the mutants, but for equivalent ones, that tests notice; none if there are none.
    pub fn mutation_score(&self) -> Option<f64> {
        let different = self.mutants.saturating_sub(self.mutants_equivalent);
        (different > 0).then(|| self.killed as f64 / different as f64)
    }
}

impl Add for Totals {
    type Output = Totals;

    fn add(self, other: Totals) -> Totals {
        Totals {
            goals_covered: self.goals_covered + other.goals_covered,
            goals_infeasible: self.goals_infeasible + other.goals_infeasible,
            goals_covered_before: self.goals_covered_before + other.goals_covered_before,
            goals_total: self.goals_total + other.goals_total,
            branches_covered: self.branches_covered + other.branches_covered,
            branches_infeasible: self.branches_infeasible + other.branches_infeasible,
            branches_total: self.branches_total + other.branches_total,
            mutants: self.mutants + other.mutants,
            killed: self.killed + other.killed,
            killed_before: self.killed_before + other.killed_before,
            mutants_equivalent: self.mutants_equivalent + other.mutants_equivalent,
            tests_kept: self.tests_kept + other.tests_kept,
            sequences_generated: self.sequences_generated + other.sequences_generated,
            sequences_explored: self.sequences_explored + other.sequences_explored,
        }
    }
}

impl Sum for Totals {
    fn sum<I: Iterator<Item = Totals>>(all: I) -> Totals {
        all.fold(Totals::default(), Add::add)
    }
}

/// Wall-clock seconds by phase.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
pub struct SecondsByPhase {
    pub analysis: f64,
    pub generating: f64,
    pub running: f64,
    pub solving: f64,
    pub matching: f64,
    pub proving: f64,
    pub tests: f64,
}

/// Most memory by phase, in bytes.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
pub struct BytesByPhase {
    pub generating: u64,
    pub running: u64,
    pub solving: u64,
    pub matching: u64,
}

/// Tests by sequences of calls for several classes.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct SequencesOfClasses {
    /// Coverage criterion.
    pub criterion: &'static str,
    #[serde(flatten)]
    pub totals: Totals,
    /// Share of the feasible branches that tests cover; 1 if there are none.
    pub branch_coverage: f64,
    /// Share of the mutants, but for equivalent ones, that tests notice; none if there are none.
    pub mutation_score: Option<f64>,
    /// Parts that were cut off, by the bound.
    pub cut: BTreeMap<Cow<'static, str>, u64>,
    /// Results, class by class.
    pub by_class: Vec<Body<SequencesSummary>>,
    /// Classes left out since their sources have not changed.
    pub classes_not_changed: usize,
    /// Classes for which the result of an earlier run holds still.
    pub classes_cached: usize,
    /// Classes about which nothing can be said.
    pub classes_failed: usize,
    /// Classes that the run did not come to.
    pub classes_not_begun: usize,
    /// Faults of Heapwright's own.
    pub faults: Vec<ClassFault>,
}

/// A fault of Heapwright's own in the work on a class.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ClassFault {
    /// Binary name of the class.
    pub class: String,
    /// Message of the panic.
    pub message: String,
    /// Place in the sources of Heapwright.
    pub place: String,
}
