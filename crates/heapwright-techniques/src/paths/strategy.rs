//! Whether paths are looked for along the criterion's traces, or picked out of all.

use super::rules::Program;
use super::{Criterion, Request};

/// How paths are looked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Strategy {
    /// As a look at the rules says.
    #[default]
    Auto,
    /// Along the traces of the criterion.
    Guided,
    /// All paths, of which those that the criterion needs are kept.
    Standard,
}

/// What was chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chosen {
    /// Whether paths are looked for along traces.
    pub is_guided: bool,
    /// Why so.
    pub reason: String,
}

/// Chooses.
pub(super) fn choose(program: &Program, request: &Request) -> Chosen {
    let chosen = |is_guided, reason: &str| Chosen {
        is_guided,
        reason: reason.to_owned(),
    };
    match (&request.criterion, request.strategy) {
        (Criterion::AllPaths, _) => chosen(false, "all paths are wanted"),
        (Criterion::Trace(..), _) => chosen(true, "a trace is given"),
        (_, Strategy::Guided) => chosen(true, "asked for"),
        (_, Strategy::Standard) => chosen(false, "asked for"),
        (Criterion::AllLocalPaths, Strategy::Auto) => match program.flows.len() {
            1 => chosen(false, "the method calls none that is followed: all its paths are local"),
            _ => chosen(true, "calls are free parts of local traces"),
        },
        (_, Strategy::Auto) => chosen(true, "paths that cannot reach a point any more are left"),
    }
}
