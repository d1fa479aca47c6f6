//! Goals that observers reach: a test that asserts an observer's answer covers the observer's code,
//! so that accessors and questions need no tests of their own.
//!
//! Invariant: a goal counts as answered only by a test that asserts one of its observations.

use std::collections::{BTreeMap, BTreeSet};

use heapwright_jvm::Vm;
use heapwright_suite::Observation;

use super::candidates::Candidate;
use super::minimal::SequenceTest;
use super::questions::Answer;
use super::replay::Replayer;
use super::script::Inspected;
use super::writer::ScriptWriter;
use crate::Error;
use crate::observe::is_same;
use crate::sequences::goals::GoalTable;
use crate::sequences::model::CoverageCriterion;

impl ScriptWriter<'_> {
    /// Notes with a test the goals that its earlier statements reach, and those that observers
    /// reach at its end.
    ///
    /// # Errors
    /// A class is missing, or no memory is left.
    pub(super) fn note_goals_beside(
        &mut self,
        vm: &mut Vm,
        (replayer, goals): (&mut Replayer<'_>, &GoalTable),
        test: &mut SequenceTest,
    ) -> Result<(), Error> {
        // Goals of other criteria are about single calls.
        if goals.criterion != CoverageCriterion::Branches {
            return Ok(());
        }
        self.answers = Some(Vec::new());
        let seen = replayer.run(vm, &test.concrete, &mut |vm, ran| {
            let events = ran.search.events();
            let passed = goals.places(vm, (vm.visits(), events, 0), ran.thrown(vm));
            let seen = self.look(vm, ran, &test.concrete, Inspected::Observers);
            seen.map(|seen| (passed, seen.candidates))
        });
        let answers = self.answers.take().unwrap_or_default();
        let Some(Ok((passed, candidates))) = seen? else {
            return Ok(());
        };
        let reached: BTreeSet<usize> = test.goals.drain(..).chain(passed).collect();
        test.goals = reached.into_iter().collect();
        test.answered = BTreeMap::new();
        for Answer {
            observation,
            visits,
            ..
        } in answers
        {
            let is_known = |candidate: &Candidate| is_same(&candidate.observation, &observation);
            if !candidates.iter().any(is_known) {
                continue;
            }
            for goal in goals.places(vm, (&visits, &[], 0), None) {
                if test.goals.binary_search(&goal).is_err() {
                    let by = test.answered.entry(goal).or_default();
                    by.push(observation.clone());
                }
            }
        }
        Ok(())
    }
}

/// Goals that observers are to reach, shared out among tests: each to the first test that can.
pub(super) struct AnswersLeft {
    /// The goals that tests reach, or were told to have observers reach.
    covered: BTreeSet<usize>,
}

impl AnswersLeft {
    /// Begins with the goals that tests reach by themselves, and those that existing tests cover.
    pub(super) fn new(tests: &[SequenceTest], before: &BTreeSet<usize>) -> AnswersLeft {
        let reached = tests.iter().flat_map(|test| &test.goals);
        AnswersLeft {
            covered: reached.chain(before).copied().collect(),
        }
    }

    /// Takes the goals that a test is to reach with observations, each with those that do.
    pub(super) fn take(&mut self, test: &SequenceTest) -> BTreeMap<usize, Vec<Observation>> {
        let mut taken = test.answered.clone();
        taken.retain(|goal, _| self.covered.insert(*goal));
        taken
    }
}

/// Removes goals from those that observers reach in any test: what one test cannot assert, others
/// mostly cannot either, and trying each takes long.
pub(super) fn forget_answers(tests: &mut [SequenceTest], goals: &BTreeSet<usize>) {
    for test in tests {
        test.answered.retain(|goal, _| !goals.contains(goal));
    }
}
