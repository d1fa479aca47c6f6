//! Summary of `measure` for programs.

use heapwright_techniques::measure::Counters;
use schemars::JsonSchema;
use serde::Serialize;

use crate::report::mutants::AliveMutant;

/// Coverage and mutation score of classes by existing tests.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct TestsSummary {
    /// Whether coverage, killed mutants and their share are only lower bounds, as not all tests were
    /// run to their end, or not on all mutants.
    pub lower_bound: bool,
    #[serde(flatten)]
    pub coverage: CoverageCounts,
    /// Mutants of the code, if they were asked for.
    pub mutants: u64,
    /// Mutants on which a test fails, does not end or exhausts memory.
    pub killed: u64,
    /// Share of the mutants that are killed; none if there are none.
    pub mutation_score: Option<f64>,
    /// Mutants that no test reaches; they are alive, too.
    pub mutants_not_reached: u64,
    /// Mutants that no test kills, but whose tests could not all be run to their end.
    pub mutants_unknown: u64,
    /// Mutants on which no test was run before the run was stopped.
    pub mutants_untried: u64,
    /// Mutants that no test kills, those aside on which none was run.
    pub mutants_alive: Vec<AliveMutant>,
    /// Tests that pass.
    pub tests_passed: usize,
    /// Tests that fail on the original code, on a JVM as well; they judge no mutants.
    pub tests_failed: usize,
    /// Tests that were not run, or not to their end.
    pub tests_skipped: usize,
    /// Those of them that could not be run, or not to their end.
    pub tests_not_run: usize,
    /// The failing tests.
    pub failing: Vec<TestReason>,
    /// The tests that were not run, or not to their end.
    pub skipped: Vec<TestReason>,
    /// Test classes of which further tests were not run.
    pub lost: Vec<TestReason>,
    /// The classes under test with code, nested ones by themselves.
    pub by_class: Vec<ClassCounts>,
}

/// Test with the reason for its outcome.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct TestReason {
    /// Name of the test or group of tests.
    pub test: String,
    /// The exception, or why it was skipped.
    pub reason: String,
    /// Whether it could not be run, rather than that its framework skips it.
    pub refused: bool,
}

/// Counts of a class.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ClassCounts {
    /// Binary name.
    pub class: String,
    #[serde(flatten)]
    pub coverage: CoverageCounts,
    /// Mutants of its code.
    pub mutants: u64,
    /// Killed mutants.
    pub killed: u64,
}

/// Coverage with JaCoCo's definitions.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub struct CoverageCounts {
    /// Bytecode instructions that tests execute.
    pub instructions_covered: u64,
    /// Bytecode instructions.
    pub instructions_total: u64,
    /// Branches that tests take.
    pub branches_covered: u64,
    /// Branches.
    pub branches_total: u64,
    /// Source lines of which tests execute an instruction.
    pub lines_covered: u64,
    /// Source lines with code.
    pub lines_total: u64,
}

impl From<Counters> for CoverageCounts {
    fn from(counters: Counters) -> CoverageCounts {
        CoverageCounts {
            instructions_covered: counters.instructions.covered,
            instructions_total: counters.instructions.total,
            branches_covered: counters.branches.covered,
            branches_total: counters.branches.total,
            lines_covered: counters.lines.covered,
            lines_total: counters.lines.total,
        }
    }
}
