//! Runs the search for a subject, under the limits of a watch.

use std::collections::BTreeSet;

use heapwright_explore::symbolic::Stopper;
use heapwright_jvm::Vm;

use super::outcome::{Explored, SearchCounts};
use super::random::RandomSettings;
use super::search::Explorer;
use crate::Error;
use crate::findings::Declared;
use crate::sequences::goals::rarity::SharedBranchCounts;
use crate::sequences::goals::reachability::Open;
use crate::sequences::goals::{GoalTable, steered_search};
use crate::sequences::model::{CoverageCriterion, SequencesRequest};
use crate::sequences::plan::RequestSubject;
use crate::watch::Watch;

impl RequestSubject {
    /// Runs the search of a request. Returns the result, and the numbers of the goals that existing
    /// tests cover.
    ///
    /// Such a goal counts as reached from the start where existing tests notice all mutants of its
    /// method. Elsewhere sequences that reach it are of use for those that notice a mutant.
    ///
    /// # Errors
    /// Code cannot be read, or the solver cannot be used.
    pub(in crate::sequences) fn explore(
        &self,
        vm: &mut Vm,
        request: &SequencesRequest,
        watch: Watch<'_>,
    ) -> Result<(Explored, BTreeSet<usize>), Error> {
        let mut goals = GoalTable::new(vm, &self.methods, &self.whole, request.criterion)?;
        let (mut before, mut settled) = (BTreeSet::new(), Vec::new());
        if let Some(existing) = &request.existing {
            before = goals.covered_before(vm, existing);
            settled.extend(before.iter().copied().filter(|&goal| {
                let of_method = existing.of(vm, goals.all[goal].method());
                of_method.is_none_or(|of| of.noticed.len() == of.mutants)
            }));
        }
        // What existing tests come to is known of branches alone.
        if request.mutants.is_some()
            && request.criterion == CoverageCriterion::Branches
            && request.existing.is_none()
        {
            goals.add_places();
        }
        let stopper = Stopper::default();
        let open = Open::default();
        let branch_counts = SharedBranchCounts::default();
        let mut search = steered_search(
            vm,
            &self.plan,
            request,
            &mut goals,
            open.clone(),
            branch_counts.clone(),
        );
        search.stop_by(stopper.clone());
        let settings = RandomSettings {
            seed: request.seed,
            declared: Declared::new(vm, self.class, &request.expected)?,
            utf16: request.values.utf16,
            // Without mutants, what a usual case shows beside its goals is in no test.
            begins_usual: request.mutants.is_some(),
        };
        let mut explorer = Explorer::new(
            &self.plan,
            &self.analysis.criteria,
            (request.bounds, settings),
            search,
            goals,
            open,
            branch_counts,
        );
        explorer.effects = self.analysis.flows.all_effects();
        explorer.progress.refuses_nulls = self.refuses_nulls(request);
        explorer.settle(&settled);
        let mut stops = |counts: &SearchCounts| {
            (watch.explored)(counts.paths);
            (watch.stops)()
        };
        let chances = vm.nondeterministic_reads();
        let ran_threads = vm.run_threads(true);
        let ending = watch.over(&stopper, || explorer.explore(vm, &mut stops));
        vm.run_threads(ran_threads);
        let ending = ending?;
        let chances = vm.nondeterministic_reads() - chances;
        let mut explored = explorer.finish(vm, ending, chances);
        explored.goals.close_paths();
        Ok((explored, before))
    }
}
