//! Whether paths are looked for along the criterion's traces, or picked out of all.

use super::{Criterion, Request, Subject};

/// How paths are looked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Strategy {
    /// As a look at the rules says.
    #[default]
    Auto,
    /// Along the traces of the criterion: each alone, then those that are left together.
    Guided,
    /// Along all traces of the criterion at a time.
    Together,
    /// All paths, of which those that the criterion needs are kept.
    Standard,
}

/// What was chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chosen {
    /// Whether paths are looked for along traces.
    pub is_guided: bool,
    /// Whether traces are looked for alone first.
    pub is_one_by_one: bool,
    /// Why so.
    pub reason: String,
}

/// Of more traces too many are those that no input takes: looking for each alone would lose.
const MANY: u64 = 6;

impl Subject {
    /// Chooses.
    pub(super) fn choose(&self, request: &Request) -> Chosen {
        let chosen = |is_guided, is_one_by_one, reason: String| Chosen {
            is_guided,
            is_one_by_one,
            reason,
        };
        let asked = || "as asked for".to_owned();
        match (&request.criterion, request.strategy) {
            (Criterion::AllPaths, _) => chosen(false, false, "all paths are wanted".to_owned()),
            (Criterion::Trace(..), _) => chosen(true, true, "a trace is given".to_owned()),
            (_, Strategy::Guided) => chosen(true, true, asked()),
            (_, Strategy::Together) => chosen(true, false, asked()),
            (_, Strategy::Standard) => chosen(false, false, asked()),
            (Criterion::AllLocalPaths, Strategy::Auto) => {
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
            (_, Strategy::Auto) => {
                let reason = "paths that cannot come to a point any more are left";
                chosen(true, true, reason.to_owned())
            }
        }
    }
}
