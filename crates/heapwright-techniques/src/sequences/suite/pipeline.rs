//! Pipeline from the search's results to a suite: replay, minimisation, replacement of null,
//! selection.

use std::collections::BTreeSet;

use heapwright_jvm::Vm;

use super::minimal::{SequenceTest, shortened};
use super::null_filling::with_objects;
use super::replay::Replayer;
use super::selection::Selection;
use crate::Error;
use crate::sequences::explore::FoundSequence;
use crate::sequences::goals::{Goal, GoalTable, steered_search};
use crate::sequences::model::{Concrete, CoverageCriterion, SequencesRequest};
use crate::sequences::plan::{RequestSubject, SearchPlan};
use crate::statements::StatementKind;
use crate::watch::Watches;

/// Sequences that reach no new goals, but may notice mutants.
pub(in crate::sequences) struct FurtherSequences {
    /// Sequences such as people write first, few of each method.
    pub usual: Vec<Concrete>,
    /// Those from which the random search varied others.
    pub varied: Vec<Concrete>,
}

impl RequestSubject {
    /// Generates a suite from the sequences found; where mutants are left, `further` ones are tried, too.
    /// Existing tests cover the goals in `before`.
    ///
    /// # Errors
    /// A class is missing, or no memory is left.
    pub(in crate::sequences) fn make_suite(
        &self,
        vm: &mut Vm,
        request: &SequencesRequest,
        (goals, before): (&mut GoalTable, &BTreeSet<usize>),
        found: Vec<FoundSequence>,
        further: &FurtherSequences,
        watches: Watches<'_>,
    ) -> Result<Selection, Error> {
        let watch = watches.writing;
        let mut replayer = self.replayer(vm, request, goals, &self.plan);
        let (asserting, clean): (Vec<FoundSequence>, Vec<FoundSequence>) =
            found.into_iter().partition(|found| found.fails_assertion);
        let concrete =
            |found: Vec<FoundSequence>| found.into_iter().map(|found| found.concrete).collect();
        let (asserting, clean) = (concrete(asserting), concrete(clean));
        let tests = shortened(vm, &self.plan, &mut replayer, goals, clean, watch)?;
        let mut tests = with_objects(vm, &self.plan, &mut replayer, goals, tests, watch.closes)?;
        self.add_constructed(goals, &mut tests);
        self.select(
            vm,
            request,
            (goals, before),
            (tests, asserting),
            further,
            watches,
        )
    }

    /// Creates a replayer for sequences of a plan that has the classes of this subject.
    pub(super) fn replayer<'a>(
        &'a self,
        vm: &mut Vm,
        request: &SequencesRequest,
        goals: &mut GoalTable,
        plan: &'a SearchPlan,
    ) -> Replayer<'a> {
        let search = steered_search(
            vm,
            &self.plan,
            request,
            goals,
            Default::default(),
            Default::default(),
        );
        Replayer::new(plan, search)
    }

    /// Adds the entry goals of constructors that a test calls before the call under test.
    pub(super) fn add_constructed(&self, goals: &GoalTable, tests: &mut [SequenceTest]) {
        for test in tests {
            let statements = &test.concrete.statements;
            let front = &statements[..statements.len().saturating_sub(1)];
            for statement in front {
                if let StatementKind::Call(call) = self.plan.invokables[statement.invokable].kind
                    && call.is_constructor()
                    && let Some(goal) = goals.number(Goal::Entry(call.method))
                    && let Err(place) = test.goals.binary_search(&goal)
                {
                    test.goals.insert(place, goal);
                }
            }
        }
    }

    /// Returns the branches that each test covers, and the number of all branches. Methods without one do
    /// not count.
    pub(in crate::sequences) fn branches(
        &self,
        vm: &mut Vm,
        request: &SequencesRequest,
        tests: &[SequenceTest],
    ) -> Result<(Vec<BTreeSet<usize>>, u64), Error> {
        let mut goals =
            GoalTable::new(vm, &self.methods, &self.whole, CoverageCriterion::Branches)?;
        let mut replayer = self.replayer(vm, request, &mut goals, &self.plan);
        let mut covered = Vec::new();
        for test in tests {
            let reached = replayer.reached(vm, &mut goals, &test.concrete)?;
            let reached = reached.into_iter().flatten();
            let is_branch = |goal: &usize| matches!(goals.all[*goal], Goal::Branch(..));
            covered.push(reached.filter(is_branch).collect());
        }
        let all = goals.all.iter();
        let all = all.filter(|goal| matches!(goal, Goal::Branch(..)));
        Ok((covered, all.count() as u64))
    }
}
