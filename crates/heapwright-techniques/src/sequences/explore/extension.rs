//! Extends the search when it is exhausted and goals are left: more solver work, then larger bounds
//! on strings, arrays and sequences.
//!
//! Invariant: reached goals stay reached, and the lengths reported as complete do not shrink.

use heapwright_jvm::Vm;

use super::component::{CallPurpose, ComponentJob};
use super::generational::Share;
use super::outcome::{SearchCounts, SearchOutcome};
use super::progress::ProgressSnapshot;
use super::search::Explorer;
use crate::Error;
use crate::sequences::model::{BoundExtension, CoverageCriterion};
use crate::statements::Statement;

/// Maximum numbers of paths and of units of solver work (about two seconds) in one extension.
const FURTHER_PATHS: u64 = 4_000;
const FURTHER_WORK: u64 = 800_000;
/// Factors of the solver work at the end, for paths to goals that nothing else reaches: per query,
/// and per call.
const PATIENCE_AT_END: u64 = 10;
const WORK_AT_END: u64 = 20;
/// Maximum solver work for all these calls, about ten seconds.
const MOST_AT_END: u64 = 4_000_000;
/// Maximum number of paths for them beyond the usual limit.
const PATHS_AT_END: u64 = 1_000;

impl Explorer<'_> {
    /// Explores until `stops` returns true or the request's patience ends: goal-directed, then by
    /// cost. Then extends the search while goals are left.
    ///
    /// # Errors
    /// The solver cannot be used.
    pub fn explore(
        &mut self,
        vm: &mut Vm,
        stops: &mut dyn FnMut(&SearchCounts) -> bool,
    ) -> Result<SearchOutcome, Error> {
        let mut is_in_vain = false;
        let ending = self.explore_until(vm, &mut |counts| {
            is_in_vain |= counts.is_in_vain;
            is_in_vain || stops(counts)
        })?;
        Ok(match ending {
            SearchOutcome::Stopped if is_in_vain => SearchOutcome::InVain,
            _ => ending,
        })
    }

    fn explore_until(
        &mut self,
        vm: &mut Vm,
        stops: &mut dyn FnMut(&SearchCounts) -> bool,
    ) -> Result<SearchOutcome, Error> {
        self.run_usual(vm, stops)?;
        self.explore_goal_directed(vm, stops)?;
        let mut ending = match self.search_randomly(vm, stops)?.is_break()
            || self.search_generations(vm, Share::Equal, stops)?.is_break()
        {
            true => SearchOutcome::Stopped,
            false => self.explore_by_cost(vm, stops)?,
        };
        if !matches!(ending, SearchOutcome::AllReached | SearchOutcome::Stopped) {
            ending = self.solve_again(vm, ending, stops)?;
            ending = self.finish_generations(vm, ending, stops)?;
        }
        for further in self.plan.further.clone() {
            let has_more = match further {
                // Values were tried up to a bounded length only.
                BoundExtension::Elements(_) => self.has_any(|role| role.has_lengths),
                BoundExtension::Statements(_) => ending == SearchOutcome::Length,
            };
            // Under the path criterion, the user's bounds determine the paths that are wanted.
            let is_bounded = self.progress.goals.criterion == CoverageCriterion::Paths;
            if !matches!(ending, SearchOutcome::Closed | SearchOutcome::Length)
                || is_bounded
                || !has_more
            {
                continue;
            }
            self.go_further(further);
            let most_paths = self.progress.counts.paths + FURTHER_PATHS;
            let most_work = self.progress.counts.work + FURTHER_WORK;
            let mut is_stopped = false;
            let ended = self.explore_by_cost(vm, &mut |counts| {
                is_stopped |= stops(counts);
                is_stopped || counts.paths >= most_paths || counts.work >= most_work
            })?;
            match (ended, further) {
                (SearchOutcome::AllReached, _) => ending = ended,
                (SearchOutcome::Stopped, _) if is_stopped => ending = ended,
                (SearchOutcome::Closed, BoundExtension::Statements(_)) => ending = ended,
                _ => {}
            }
        }
        let ending = match ending {
            SearchOutcome::AllReached | SearchOutcome::Stopped | SearchOutcome::Paths => ending,
            _ => self.finish_randomly(vm, ending, stops)?,
        };
        // How a search for further goals ended does not matter.
        let progress = &self.progress;
        Ok(match progress.goals.are_listed_done(&progress.reached) {
            true => SearchOutcome::AllReached,
            false => ending,
        })
    }

    /// Restarts the search with a larger bound for the open goals.
    fn go_further(&mut self, further: BoundExtension) {
        match further {
            BoundExtension::Elements(length) => {
                self.search.set_max_length(length);
            }
            BoundExtension::Statements(length) => {
                self.search.set_max_length(self.plan.max_elements as u32);
                self.bounds.length = length;
            }
        }
        self.before = ProgressSnapshot {
            reached: self.progress.reached.clone(),
            found: self.progress.found.len(),
            counts: self.progress.counts.clone(),
            mishaps: self.progress.mishaps.clone(),
        };
        self.forget();
    }

    /// Repeats the calls with paths to goals for which the solver found no values, with more work
    /// for the solver.
    fn solve_again(
        &mut self,
        vm: &mut Vm,
        ending: SearchOutcome,
        stops: &mut dyn FnMut(&SearchCounts) -> bool,
    ) -> Result<SearchOutcome, Error> {
        let bounds = self.bounds;
        let (counts, mishaps) = (self.progress.counts.clone(), self.progress.mishaps.clone());
        let limits = self.search.scale_limits(PATIENCE_AT_END);
        let most_work = self.progress.counts.work + MOST_AT_END;
        self.bounds.all_paths = bounds
            .all_paths
            .max(self.progress.counts.paths + PATHS_AT_END);
        let mut done: Vec<(Vec<usize>, Statement)> = Vec::new();
        let mut ending = ending;
        for (goal, call) in self.progress.unsolved.clone() {
            if self.progress.reached[goal].is_some() || done.contains(&call) {
                continue;
            }
            if self.progress.counts.work >= most_work {
                break;
            }
            done.push(call.clone());
            let (parts, call) = call;
            let job = ComponentJob {
                parts,
                calls: Some(vec![(call, CallPurpose::Test)]),
                is_repeated: true,
                work: bounds.work.saturating_mul(WORK_AT_END),
                values: None,
            };
            if stops(&self.progress.counts) || self.work(vm, &job, 0, stops)?.is_break() {
                ending = SearchOutcome::Stopped;
                break;
            }
        }
        self.bounds = bounds;
        self.search.set_limits(limits);
        // These paths were already counted.
        self.progress.drop_counts(counts, mishaps);
        Ok(match self.progress.goals.are_done(&self.progress.reached) {
            true => SearchOutcome::AllReached,
            false => ending,
        })
    }
}
