//! Choice between a guided search along the criterion's traces and a filter on all paths.

use super::{PathCriterion, PathSubject, PathsRequest};

/// Search strategy.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PathStrategy {
    /// Chosen by an estimate from the rules.
    #[default]
    Auto,
    /// Along the criterion's traces: each separately, then the rest together.
    Guided,
    /// Along all traces of the criterion together.
    Together,
    /// Enumeration of all paths; those that the criterion needs are retained.
    Standard,
}

/// Strategy chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChosenStrategy {
    /// Whether the search follows traces.
    pub is_guided: bool,
    /// Whether traces are searched for separately first.
    pub is_one_by_one: bool,
    /// Reason for the choice.
    pub reason: String,
}

/// Beyond this number, too many traces are infeasible for separate searches to pay off.
const MANY: u64 = 6;

impl PathSubject {
    /// Chooses the strategy for a request.
    pub(super) fn choose(&self, request: &PathsRequest) -> ChosenStrategy {
        let chosen = |is_guided, is_one_by_one, reason: String| ChosenStrategy {
            is_guided,
            is_one_by_one,
            reason,
        };
        let asked = || "as asked for".to_owned();
        match (&request.criterion, request.strategy) {
            (PathCriterion::AllPaths, _) => chosen(false, false, "all paths are wanted".to_owned()),
            (PathCriterion::Trace(..), _) => chosen(true, true, "a trace is given".to_owned()),
            (_, PathStrategy::Guided) => chosen(true, true, asked()),
            (_, PathStrategy::Together) => chosen(true, false, asked()),
            (_, PathStrategy::Standard) => chosen(false, false, asked()),
            (PathCriterion::AllLocalPaths, PathStrategy::Auto) => {
                let calls = self
                    .program
                    .predicates
                    .iter()
                    .flat_map(|predicate| &predicate.rules);
                if calls.map(|rule| rule.calls().count()).sum::<usize>() == 0 {
                    let reason = "the method calls none that is followed: all its paths are local";
                    return chosen(false, false, reason.to_owned());
                }
                let (traces, has_more) = self.count_traces(request, request.refinement, MANY);
                match has_more {
                    true => {
                        let reason =
                            format!("more than {MANY} local traces: they are followed together");
                        chosen(true, false, reason)
                    }
                    false => chosen(
                        true,
                        true,
                        format!("{traces} local traces: each is followed alone"),
                    ),
                }
            }
            (_, PathStrategy::Auto) => {
                let reason = "paths that cannot reach a point any more are abandoned";
                chosen(true, true, reason.to_owned())
            }
        }
    }
}
