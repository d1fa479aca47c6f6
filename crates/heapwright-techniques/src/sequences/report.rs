//! Report of one request: its tests, and the fate of every goal.

use std::collections::{BTreeMap, BTreeSet};

use heapwright_suite::Suite;

use super::explore::{SearchCounts, SearchOutcome};
use super::goals::GoalTable;
use super::model::{Memory, Phases};
use super::suite::SuiteCoverage;
use crate::findings::Failing;
use crate::mutation::Mutant;
use crate::observe::Obstacle;
use crate::symbolic::CutCounts;

/// Report of one request.
pub struct SequencesReport {
    /// The goals of the criterion.
    pub goals: GoalTable,
    /// The fate of each goal, by its number.
    pub fates: Vec<GoalStatus>,
    /// The goals that each test reaches.
    pub goals_of: Vec<Vec<usize>>,
    /// The branches that each test covers, and their total number; empty where goals are branches.
    pub branches: (Vec<BTreeSet<usize>>, u64),
    /// The mutants, and those that each test notices, if they were asked for.
    pub mutation: Option<Mutation>,
    /// Numbers of cuts that may cause a goal to be missed. The unit is paths or, where sequences do
    /// not range over everything callable, invokables.
    pub cut: CutCounts,
    /// Outcome of the search.
    pub ending: SearchOutcome,
    /// Counts of the search's work.
    pub counts: SearchCounts,
    /// Numbers of states met, and of those among them that other states subsume.
    pub states: (u64, u64),
    /// Number of solver queries.
    pub queries: u64,
    /// Time by phase.
    pub phases: Phases,
    /// Memory by phase.
    pub memory: Memory,
    /// What the tests cover, line by line, if it was asked for.
    pub coverage: Option<SuiteCoverage>,
    /// The tests, as scripts.
    pub suite: Suite,
    /// Tests that fail: the shortest of each method, kind of failure and exception.
    pub failing: Failing,
    /// Reasons why sequences are in no test.
    pub obstacles: Vec<Obstacle>,
    /// Numbers of calls that did not return, by outcome.
    pub abnormal_outcomes: BTreeMap<String, u64>,
}

/// Mutants, and the tests that notice them.
#[derive(Clone, Debug, Default)]
pub struct Mutation {
    /// The mutants of the code under test.
    pub mutants: Vec<Mutant>,
    /// The numbers of the mutants that each test notices.
    pub kills_of: Vec<Vec<usize>>,
    /// The numbers of the mutants that existing tests notice.
    pub killed_before: BTreeSet<usize>,
}

impl Mutation {
    /// Returns the number of mutants that are proved equivalent.
    #[must_use]
    pub fn equivalent(&self) -> usize {
        let equivalent = self.mutants.iter().filter(|mutant| mutant.is_equivalent);
        equivalent.count()
    }

    /// Returns the numbers of the mutants that some test notices, existing ones included.
    #[must_use]
    pub fn killed(&self) -> BTreeSet<usize> {
        let own = self.kills_of.iter().flatten();
        own.chain(&self.killed_before).copied().collect()
    }
}

/// Fate of a goal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GoalStatus {
    /// The test with this number reaches it.
    Covered(usize),
    /// A test that was there before reaches it.
    CoveredBefore,
    /// Only runs that end with a failing assertion reach it.
    Assertion,
    /// A run reaches it, but no test can state the outcome; holds the reason.
    NotAsserted(String),
    /// No sequence of any length reaches it; holds the reason.
    Infeasible(String),
    /// No sequence of up to this many statements reached it; 0 if not even all shortest ones were
    /// tried.
    Open(u32),
}

impl SequencesReport {
    /// Drops all tests whose numbers are not listed; `why` becomes the reason for goals that they
    /// alone cover.
    pub fn retain_tests(&mut self, tests: &BTreeSet<usize>, why: &str) {
        for (goal, fate) in self.fates.iter_mut().enumerate() {
            if let GoalStatus::Covered(number) = fate
                && !tests.contains(number)
            {
                let mut others = tests.iter();
                let other = others.find(|&&test| self.goals_of[test].contains(&goal));
                *fate = match other {
                    Some(&test) => GoalStatus::Covered(test),
                    None => GoalStatus::NotAsserted(why.to_owned()),
                };
            }
        }
        let kills_of = self.mutation.iter_mut().flat_map(|it| &mut it.kills_of);
        for (number, kills) in kills_of.enumerate() {
            if !tests.contains(&number) {
                kills.clear();
            }
        }
        for (number, covered) in self.branches.0.iter_mut().enumerate() {
            if !tests.contains(&number) {
                covered.clear();
            }
        }
    }

    /// Numbers of branches covered and of branches in all, where goals are not branches.
    #[must_use]
    pub fn branch_counts(&self) -> (u64, u64) {
        let covered: BTreeSet<&usize> = self.branches.0.iter().flatten().collect();
        (covered.len() as u64, self.branches.1)
    }
}
