//! Writes the chosen tests: each asserts what it takes so that the suite notices the mutants and
//! reaches the goals for which its tests were chosen.
//!
//! Invariant: a mutant is noticed, and a goal answered, by the first test that can; later tests
//! need not assert it again.

use std::collections::BTreeSet;

use heapwright_jvm::Vm;
use heapwright_suite::Script;

use super::answers::AnswersLeft;
use super::minimal::SequenceTest;
use super::mutants::{MutantTable, TestKills};
use super::replay::Replayer;
use super::writer::ScriptWriter;
use crate::Error;
use crate::observe::Obstacle;
use crate::sequences::goals::GoalTable;
use crate::watch::Watch;

/// Written tests, and the reasons against others.
#[derive(Default)]
pub(super) struct WrittenTests {
    /// The written tests, with the goals that their observers reach added, and their scripts.
    pub tests: Vec<(SequenceTest, Script)>,
    /// Tests that cannot be written, with the reasons.
    pub failed: Vec<(SequenceTest, Obstacle)>,
    /// Tests for which no time is left.
    pub late: Vec<SequenceTest>,
    /// The goals that observers were to reach, of which no assertion is possible after all.
    pub lost: BTreeSet<usize>,
}

impl ScriptWriter<'_> {
    /// Writes tests, in their order, as long as there is time. `obstacles` has the reasons why some
    /// cannot be retained. Existing tests cover the goals in `before`.
    ///
    /// # Errors
    /// A class is missing, or no memory is left.
    pub(super) fn write_tests(
        &mut self,
        vm: &mut Vm,
        (replayer, goals): (&mut Replayer<'_>, &GoalTable),
        mutants: Option<&MutantTable>,
        (tests, obstacles): (Vec<SequenceTest>, Vec<Option<Obstacle>>),
        before: &BTreeSet<usize>,
        watch: Watch<'_>,
    ) -> Result<WrittenTests, Error> {
        let mut answers = AnswersLeft::new(&tests, before);
        // The mutants that earlier tests notice.
        let mut noticed = mutants.map_or_else(BTreeSet::new, |table| table.killed_before.clone());
        let mut written = WrittenTests::default();
        for (number, (mut test, obstacle)) in tests.into_iter().zip(obstacles).enumerate() {
            if watch.has_enough(number) {
                written.late.push(test);
                continue;
            }
            if let Some(obstacle) = obstacle {
                written.failed.push((test, obstacle));
                continue;
            }
            let mut kills = match mutants {
                Some(table) => {
                    let run = (&mut *replayer, goals);
                    let is_left =
                        |mutant| test.kills.contains(&mutant) && !noticed.contains(&mutant);
                    self.judge(vm, run, table, &test.concrete, &is_left, watch)?
                }
                None => TestKills::default(),
            };
            noticed.extend(kills.noticed.keys().copied());
            kills.asked = answers.take(&test);
            match self.script(vm, replayer, &test, &kills)? {
                Ok((script, answered)) => {
                    let is_left = |goal: &usize| !answered.contains(goal);
                    written.lost.extend(kills.asked.into_keys().filter(is_left));
                    test.goals.extend(answered);
                    test.goals.sort_unstable();
                    written.tests.push((test, script));
                }
                Err(obstacle) => written.failed.push((test, obstacle)),
            }
        }
        Ok(written)
    }
}
