//! Searches over strings of any length, where no bound on their lengths suffices.
//!
//! Such a search takes what methods of strings return for an abstraction, as long as nothing looks at
//! the characters. Invariant: it counts only if it is complete, or if its violation is confirmed.

use std::collections::BTreeSet;
use std::time::Duration;

use heapwright_explore::symbolic::{InputBounds, Statistics};
use heapwright_jvm::Vm;

use super::induction::Prover;
use super::{Found, Invariant, Round, SearchSettings, VerifyRequest, Violation, search};
use crate::Error;
use crate::symbolic::{Crew, CutBy};

/// Part of the instructions of a path that suffices where nothing looks at characters.
const FEW: u64 = 16;

/// Searches over strings of any length, between those with bounds.
#[derive(Default)]
pub(super) struct TextSearches {
    /// Whether another one would find no more.
    is_over: bool,
    prover: Prover,
}

/// What a search over strings of any length has found out.
pub(super) enum TextOutcome {
    Violation(Round, Box<Violation>),
    /// Nothing violates the property; by these invariants, or all paths.
    Proven(Round, Vec<Invariant>),
    Undecided,
}

impl TextSearches {
    /// Whether another search may find out more than one that these bounds have cut.
    pub(super) fn is_hopeful(&self, cut: &BTreeSet<CutBy>) -> bool {
        let is_bounded = [CutBy::Lengths, CutBy::Characters];
        !self.is_over && is_bounded.iter().any(|by| cut.contains(by))
    }

    /// Searches for at most so much processor time.
    ///
    /// # Errors
    /// The solver cannot be used.
    pub(super) fn attempt(
        &mut self,
        vm: &mut Vm,
        request: &VerifyRequest,
        settings: SearchSettings,
        time: Duration,
        crew: &mut Crew<'_>,
        solver: &mut Statistics,
    ) -> Result<TextOutcome, Error> {
        let settings = SearchSettings {
            bounds: InputBounds {
                opaque_texts: true,
                abstracts_numbers: true,
                ..settings.bounds
            },
            merges: false,
            ..settings
        };
        let few_steps = SearchSettings {
            step_limit: settings.step_limit / FEW,
            ..settings
        };
        let (round, found) = crew.alone(time, |crew| {
            let (round, found) = search::run(vm, request, few_steps, None, crew, solver)?;
            let is_short = found.is_none() && round.cut.contains_key(&CutBy::Steps);
            match is_short && round.is_complete {
                true => search::run(vm, request, settings, None, crew, solver),
                false => Ok((round, found)),
            }
        })?;
        if let Some(Found::Violation(violation)) = found {
            return Ok(TextOutcome::Violation(round, violation));
        }
        let is_whole = found.is_none() && round.is_complete && round.refused.is_empty();
        if is_whole && round.cut.is_empty() {
            return Ok(TextOutcome::Proven(round, Vec::new()));
        }
        let is_repeated = round.cut.keys().eq([&CutBy::Loops]);
        self.is_over = found.is_some() || round.is_complete && !is_repeated;
        if is_whole && is_repeated && self.prover.is_hopeful() {
            let prover = &mut self.prover;
            let proof = prover.attempt(vm, request, settings, time, crew, solver)?;
            if let Some(invariants) = proof {
                return Ok(TextOutcome::Proven(round, invariants));
            }
        }
        Ok(TextOutcome::Undecided)
    }
}
