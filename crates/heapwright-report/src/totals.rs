//! Totals of a run, and of a class.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::model::{Class, Fate, MutantFate, Run, Share, Test, TestOutcome};

/// Counts of a class, or of several.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ClassTotals {
    /// Bytecode instructions.
    pub instructions: Share,
    /// Branches, infeasible ones included.
    pub branches: Share,
    /// Source lines.
    pub lines: Share,
    /// Goals of generated tests, infeasible ones aside.
    pub goals: Share,
    /// Goals that are proved infeasible.
    pub infeasible: u64,
    /// Mutants, those that are like the original code aside.
    pub mutants: Share,
    /// Mutants that are alive.
    pub alive: u64,
}

/// Counts of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Totals {
    /// Classes under test, nested ones included.
    pub classes: u64,
    /// Tests.
    pub tests: u64,
    /// Tests that pass, or were written and not run.
    pub passed: u64,
    /// Tests that fail.
    pub failed: u64,
    /// Tests that were skipped.
    pub skipped: u64,
    /// Failing behaviours.
    pub behaviours: u64,
    /// Sums over the classes.
    pub code: ClassTotals,
}

impl ClassTotals {
    /// Counts of a class.
    #[must_use]
    pub fn of(class: &Class) -> ClassTotals {
        let mut totals = ClassTotals::default();
        for method in &class.methods {
            totals.instructions += method.instructions;
            totals.branches += method.branches;
        }
        for line in class.lines() {
            totals.lines += Share {
                covered: u64::from(line.is_covered()),
                total: 1,
            };
        }
        for goal in &class.goals {
            match goal.fate {
                Fate::Infeasible(_) => totals.infeasible += 1,
                Fate::Covered(_) | Fate::CoveredBefore => {
                    totals.goals += Share {
                        covered: 1,
                        total: 1,
                    };
                }
                Fate::NotReached(_) => totals.goals.total += 1,
            }
        }
        for mutant in &class.mutants {
            if mutant.fate != MutantFate::Equivalent {
                totals.mutants += Share {
                    covered: u64::from(mutant.fate.is_killed()),
                    total: 1,
                };
            }
            totals.alive += u64::from(mutant.fate.is_alive());
        }
        totals
    }

    /// Counts of several classes.
    #[must_use]
    pub fn of_all<'a>(classes: impl IntoIterator<Item = &'a Class>) -> ClassTotals {
        let mut totals = ClassTotals::default();
        for class in classes {
            totals += ClassTotals::of(class);
        }
        totals
    }
}

impl std::ops::AddAssign for ClassTotals {
    fn add_assign(&mut self, other: ClassTotals) {
        self.instructions += other.instructions;
        self.branches += other.branches;
        self.lines += other.lines;
        self.goals += other.goals;
        self.infeasible += other.infeasible;
        self.mutants += other.mutants;
        self.alive += other.alive;
    }
}

impl Totals {
    /// Counts of a run.
    #[must_use]
    pub fn of(run: &Run) -> Totals {
        let tests = |is_such: fn(&TestOutcome) -> bool| {
            let of = |test: &&Test| is_such(&test.outcome);
            run.tests.iter().filter(of).count() as u64
        };
        Totals {
            classes: run.classes.len() as u64,
            tests: run.tests.len() as u64,
            passed: tests(|it| matches!(it, TestOutcome::Passed | TestOutcome::Written)),
            failed: tests(|it| matches!(it, TestOutcome::Failed(_))),
            skipped: tests(|it| matches!(it, TestOutcome::Skipped(_))),
            behaviours: run.behaviours.len() as u64,
            code: ClassTotals::of_all(&run.classes),
        }
    }
}
