//! What a request comes to: tests, and what became of every goal.

use std::collections::{BTreeMap, BTreeSet};

use heapwright_suite::Suite;

use super::explore::{Counts, Ending};
use super::goals::Goals;
use super::model::{Memory, Phases};
use crate::findings::Failing;
use crate::observe::Obstacle;
use crate::symbolic::CutCounts;

/// What came of a request.
pub struct Report {
    /// What was to be reached.
    pub goals: Goals,
    /// What became of each.
    pub fates: Vec<Fate>,
    /// The goals that each test reaches.
    pub goals_of: Vec<Vec<usize>>,
    /// The branches that each test covers, and how many there are; none where goals are branches.
    pub branches: (Vec<BTreeSet<usize>>, u64),
    /// What was cut off for which a goal may be missed: on how many paths or, where sequences were not made of all
    /// there is, at how many invokables.
    pub cut: CutCounts,
    /// How exploring ended.
    pub ending: Ending,
    /// What was done.
    pub counts: Counts,
    /// States met, and those of them that others subsume.
    pub states: (u64, u64),
    /// What solvers were asked.
    pub queries: u64,
    /// Time by phase.
    pub phases: Phases,
    /// Memory by phase.
    pub memory: Memory,
    /// The tests, as scripts.
    pub suite: Suite,
    /// Tests that fail: the shortest of each method, kind of failure and exception.
    pub failing: Failing,
    /// Why sequences are in no test.
    pub obstacles: Vec<Obstacle>,
    /// How calls ended otherwise than by returning, with how often.
    pub mishaps: BTreeMap<String, u64>,
}

/// What became of a goal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fate {
    /// The test with this number reaches it.
    Covered(usize),
    /// It is reached only on runs that end by an assertion that fails.
    Assertion,
    /// It is reached, and no test can say what comes of it; why.
    Untold(String),
    /// No sequence reaches it, of whatever length; why.
    Infeasible(String),
    /// No sequence of up to so many statements was seen to reach it: 0 where not even the shortest were all tried.
    Open(u32),
}

impl Report {
    /// Leaves out the tests that are not among those with these numbers: what they alone cover is in no test, and why.
    pub fn keep(&mut self, tests: &BTreeSet<usize>, why: &str) {
        for (goal, fate) in self.fates.iter_mut().enumerate() {
            if let Fate::Covered(number) = fate
                && !tests.contains(number)
            {
                let mut others = tests.iter();
                let other = others.find(|&&test| self.goals_of[test].contains(&goal));
                *fate = match other {
                    Some(&test) => Fate::Covered(test),
                    None => Fate::Untold(why.to_owned()),
                };
            }
        }
        for (number, covered) in self.branches.0.iter_mut().enumerate() {
            if !tests.contains(&number) {
                covered.clear();
            }
        }
    }

    /// How many branches tests cover, and how many there are, where goals are something else.
    #[must_use]
    pub fn branch_counts(&self) -> (u64, u64) {
        let covered: BTreeSet<&usize> = self.branches.0.iter().flatten().collect();
        (covered.len() as u64, self.branches.1)
    }
}
