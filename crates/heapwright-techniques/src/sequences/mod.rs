//! Generates tests through the public interface: sequences of statements that reach a criterion's
//! goals.
//!
//! The modules are layers. From the lowest to the highest:
//!
//! 1. `model`: requests, sequences with values;
//! 2. `callables`: the members that tests may call, and the objects for their arguments;
//! 3. `analysis`: static analyses of the code;
//! 4. [`plan`]: the input of the search, and the subject of a request;
//! 5. [`goals`]: the goals of a criterion, and the goals that a run reached;
//! 6. [`explore`]: the search;
//! 7. `proof`: proofs that goals are infeasible;
//! 8. `suite`: the tests.
//!
//! **Invariant:** a module imports only from modules listed before it.

mod analysis;
mod callables;
pub mod explore;
mod goal_status;
pub mod goals;
mod model;
pub mod plan;
mod proof;
mod report;
mod suite;

use std::time::Instant;

use heapwright_jvm::Vm;

use crate::Error;
pub use crate::watch::{Watch, Watches};

pub use crate::statements::{AccessedField, Invokable, ParameterSpec, StatementKind};
pub use analysis::candidates::Candidates;
pub use analysis::criteria::Criteria;
pub use analysis::dataflow::{FlowAnalysis, Flows};
pub use analysis::effects::{Effects, FieldKey};
pub use analysis::static_analysis::{Analysis, tree_text};
pub use callables::invokables::MemberScope;
pub use callables::system_classes::{System, system};
use explore::SearchOutcome;
pub use model::{
    BoundExtension, CoverageCriterion, MemberAccess, Memory, Phases, SequenceBounds,
    SequencesRequest, ValuesByType,
};
pub use plan::{RequestSubject, check_given, subject};
pub use report::{GoalStatus, Mutation, SequencesReport};
pub use suite::{ReceiverStates, SuiteCoverage, goals_and_branches};

impl RequestSubject {
    /// Explores, generates tests from the sequences found, and reports the fate of each goal.
    ///
    /// # Errors
    /// Code cannot be read, or the solver cannot be used.
    pub fn run(
        &self,
        vm: &mut Vm,
        request: &SequencesRequest,
        watches: Watches<'_>,
    ) -> Result<SequencesReport, Error> {
        let (mut explored, before) = self.explore(vm, request, watches.exploring)?;
        let watch = watches.writing;

        let start = Instant::now();
        let found = std::mem::take(&mut explored.found);
        let further = suite::FurtherSequences {
            usual: std::mem::take(&mut explored.usual),
            varied: std::mem::take(&mut explored.varied),
        };
        let goals = (&mut explored.goals, &before);
        let mut selection = self.make_suite(vm, request, goals, found, &further, watches)?;
        let is_late = (watch.closes)();
        if is_late || selection.is_cut_short() {
            explored.ending = SearchOutcome::Stopped;
        }
        let (mut fates, obstacles) = goal_status::of_tests(&explored, &selection, &before, is_late);
        explored.goals.drop_places();
        let listed = explored.goals.listed();
        fates.truncate(listed);
        explored.unsolved.retain(|&goal| goal < listed);
        for test in &mut selection.tests {
            test.goals.retain(|&goal| goal < listed);
        }
        let branches = match request.criterion {
            CoverageCriterion::Branches => Default::default(),
            _ => self.branches(vm, request, &selection.tests)?,
        };
        explored.phases.tests = start.elapsed();

        let start = Instant::now();
        let open = goal_status::open(&fates);
        let is_static_seen = selection.is_static_seen;
        let infeasible =
            self.infeasible(vm, request, watch, &mut explored, &open, is_static_seen)?;
        let unsolved = goal_status::settle(&mut fates, &open, infeasible, &explored.unsolved);
        explored.phases.proving = start.elapsed();

        let coverage = match request.covers_lines {
            true => {
                let tests = (&selection.tests[..], &selection.suite.scripts[..]);
                Some(self.coverage(vm, request, &mut explored.goals, tests, watch)?)
            }
            false => None,
        };
        let mutation = selection.mutants.map(|table| {
            let (mutants, killed_before) = table.into_requested();
            let kills = selection
                .tests
                .iter()
                .map(|test| test.kills.iter().copied());
            let kills_of = kills.map(|kills| kills.filter(|&it| it < mutants.len()).collect());
            let mutation = Mutation {
                kills_of: kills_of.collect(),
                mutants,
                killed_before,
            };
            debug_assert!(
                !mutation
                    .killed()
                    .iter()
                    .any(|&it| mutation.mutants[it].is_equivalent),
                "a test notices a mutant that is proved equivalent"
            );
            mutation
        });
        Ok(SequencesReport {
            mutation,
            cut: self.cuts(request, &explored, &fates, unsolved),
            goals: explored.goals,
            fates,
            goals_of: selection.tests.into_iter().map(|test| test.goals).collect(),
            branches,
            ending: explored.ending,
            counts: explored.counts,
            states: explored.states,
            queries: explored.queries,
            phases: explored.phases,
            memory: explored.memory,
            coverage,
            suite: selection.suite,
            failing: selection.failing,
            obstacles,
            abnormal_outcomes: explored.mishaps,
        })
    }
}
