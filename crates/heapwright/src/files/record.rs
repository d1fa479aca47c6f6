//! Outcome of the search of a subtree as data, for results that are merged.

use std::collections::BTreeSet;

use anyhow::bail;
use heapwright_explore::{Count, End, Progress};
use heapwright_jvm::{MethodId, ReadSource};
use heapwright_techniques::digits;
use heapwright_techniques::invariant::{EnumerationOutcome, InvariantIncident};
use serde::{Deserialize, Serialize};

/// Outcome of the search of a subtree, or of what was searched of it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct OutcomeRecord {
    #[serde(with = "digits")]
    explored: Count,
    #[serde(with = "digits")]
    valid: Count,
    cubes: u64,
    threw: u64,
    refused: u64,
    limited: u64,
    steps: u64,
    choices: u64,
    /// First exception of the invariant.
    first_thrown: Option<InvariantIncident>,
    /// First refused operation of the invariant.
    first_refused: Option<InvariantIncident>,
    /// Static fields that code has read.
    pub reads: BTreeSet<ReadSource>,
}

impl OutcomeRecord {
    /// Record of an outcome.
    ///
    /// # Errors
    /// A limit ended the search at a place from which it cannot go on.
    pub fn of(
        outcome: &EnumerationOutcome,
        reads: BTreeSet<ReadSource>,
    ) -> anyhow::Result<OutcomeRecord> {
        if let End::Limit(limit) = outcome.end {
            bail!("the search ended at a limit: {limit}");
        }
        let progress = outcome.progress.clone();
        Ok(OutcomeRecord {
            explored: progress.explored,
            valid: progress.valid,
            cubes: progress.cubes,
            threw: progress.threw,
            refused: progress.refused,
            limited: progress.limited,
            steps: progress.steps,
            choices: progress.choices,
            first_thrown: outcome.thrown.clone(),
            first_refused: outcome.refused.clone(),
            reads,
        })
    }

    /// Outcome of a subtree whose rest other records have.
    pub fn into_outcome(self, invariant: MethodId) -> EnumerationOutcome {
        EnumerationOutcome {
            progress: Progress {
                explored: self.explored,
                valid: self.valid,
                cubes: self.cubes,
                threw: self.threw,
                refused: self.refused,
                limited: self.limited,
                steps: self.steps,
                choices: self.choices,
                ..Progress::default()
            },
            thrown: self.first_thrown,
            refused: self.first_refused,
            ..EnumerationOutcome::nothing(invariant)
        }
    }
}
