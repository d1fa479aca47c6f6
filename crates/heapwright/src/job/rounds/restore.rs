//! Results of a search in rounds, as those of one process.

use std::collections::BTreeSet;
use std::sync::Arc;

use anyhow::{Context, bail, ensure};
use heapwright_explore::ClassNumbers;
use heapwright_explore::external::RecordBlock;
use heapwright_jvm::ReadSource;
use heapwright_techniques::api::ApiSearch;

use super::super::Job;
use super::objects::{all_reads, get};
use super::state::{RoundState, Step};
use crate::api::{ApiSearchJob, ApiSearchResult, claim};
use crate::files::counted;
use crate::interrupt::StopSignal;

/// Reads the structures, counts and findings of a search that has ended. Returns them with the
/// static fields that code has read.
///
/// # Errors
/// The search has not ended, or an object is missing or damaged.
pub fn restore(
    job: &Job,
    wanted: &ApiSearchJob,
    interrupt: &StopSignal,
) -> anyhow::Result<(ApiSearchResult, BTreeSet<ReadSource>)> {
    let place = job.store.place();
    let mut state = RoundState::new(job, false)?;
    let ended = match state.advance(job)? {
        Step::Ended(ended) => ended,
        Step::Tasks(open) => {
            let first = open.first().context("no task is open")?;
            bail!(
                "the search has not ended: round {} lacks {}, the first is {first}; \
                 `heapwright work {place}` goes on with it",
                first.round,
                counted(open.len() as u64, "task"),
            );
        }
    };
    let history = state.history;
    let numbers = Arc::new(ClassNumbers::agreed(&job.rounds()?.classes));
    let (mut vm, mut prepared) = wanted.machine(&numbers, interrupt)?;
    prepared.initialize(&mut vm, &history.initialized);
    let mut search = ApiSearch::new(&wanted.request);
    search.spill_settings.clone_from(&wanted.spill);
    for class in &history.classes {
        for segment in &*class.segments {
            let records = RecordBlock::new(get(&job.store, &segment.object)?);
            for record in records.iter() {
                search.restore(&class.class, record.form, record.origin)?;
            }
        }
    }
    let findings = prepared.findings_of(&history.findings);
    let counts = (history.tally, history.round);
    let outcome = search.restored(counts, findings, ended)?;
    let found = search.pools.lengths().into_iter().map(|count| count as u64);
    let stated = history.classes.iter().map(|class| class.known);
    ensure!(
        found.eq(stated),
        "the structures in {place} are not those that its results state: plan the job again"
    );
    let stopped_by = claim::stopped_by(&outcome, None);
    let restored = ApiSearchResult {
        vm,
        prepared,
        search,
        outcome,
        stopped_by,
    };
    Ok((restored, all_reads(job)?))
}
