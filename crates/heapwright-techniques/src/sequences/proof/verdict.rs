//! Reasons why goals are infeasible: a proof for the goal, or an exhausted search.

use std::collections::BTreeMap;

use heapwright_jvm::{ReadSource, Vm};

use super::subject_code::SubjectCode;
use super::{completeness, infeasibility};
use crate::Error;
use crate::sequences::explore::{Explored, SearchOutcome};
use crate::sequences::goals::Goal;
use crate::sequences::model::SequencesRequest;
use crate::sequences::plan::RequestSubject;
use crate::watch::Watch;

impl RequestSubject {
    /// Whether states are compared with all static state that code has read and that can change.
    fn compares_statics(&self, vm: &Vm) -> bool {
        let compared = self.plan.statics.iter();
        let compared: Vec<String> = compared.map(|&class| vm.binary_name(class)).collect();
        vm.reads().iter().all(|read| match read {
            ReadSource::Static(name) => {
                let class = name.rsplit_once('.').map(|(class, _)| class);
                class.is_some_and(|class| compared.iter().any(|one| one == class))
            }
            ReadSource::World(_) => true,
        })
    }

    /// Returns the reasons why goals are infeasible; goals without a proof are left out.
    ///
    /// An exhausted search proves nothing about a goal on a path for which the solver found no
    /// values.
    ///
    /// # Errors
    /// Code cannot be read, or the solver cannot be used.
    pub(in crate::sequences) fn infeasible(
        &self,
        vm: &mut Vm,
        request: &SequencesRequest,
        watch: Watch<'_>,
        explored: &mut Explored,
        open: &[usize],
        is_static_seen: bool,
    ) -> Result<BTreeMap<usize, String>, Error> {
        // A stopped search, or code that is too large, proves nothing.
        let code = match explored.ending {
            SearchOutcome::Stopped => None,
            _ => SubjectCode::read(vm, self.class, &explored.goals),
        };
        let Some(code) = code else {
            return Ok(BTreeMap::new());
        };
        let is_all = explored.nondeterministic_results == 0
            && !self.is_cut
            && self.compares_statics(vm)
            && completeness::is_all(vm, &self.analysis, &code, &self.whole)?;
        let is_closed = is_all && is_static_seen && explored.is_closed();
        let mut reasons =
            infeasibility::prove(vm, &code, request, &mut explored.goals, open, watch)?;
        // Class initialisers run before all sequences.
        let is_of_calls =
            |goal: Goal| code.is_whole(goal) && !code.graph.is_initial((goal.method(), goal.at()));
        for &goal in open {
            if is_closed
                && !explored.unsolved.contains(&goal)
                && is_of_calls(explored.goals.all[goal])
            {
                let closed = || "no sequence leads to a state that shorter ones do not".to_owned();
                reasons.entry(goal).or_insert_with(closed);
            }
        }
        Ok(reasons)
    }
}
