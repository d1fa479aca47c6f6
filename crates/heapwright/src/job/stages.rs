//! Searches in stages: trees one after the other, each of which depends on what was found in those
//! before.
//!
//! A stage has the state of the search before it and the parts of its tree. When all of them have
//! results, a worker makes the next stage from these. The stage after the last tree has no parts.
//!
//! **Invariant: a stage is a function of the plan and of the stages before.** It is written as a whole or not
//! at all, and two workers that make one write the same.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Context, ensure};
use heapwright_explore::Part;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::forest::Forest;
use super::{EFFORT_OF_PART, Job, JobSearch, Merged, PlannedPart, StoreKind, digest};

/// Folder of stages: `stages/NUMBER-PARTS-BYTES-DIGEST`, from 0.
const STAGES: &str = "stages";
/// Work of a part of a stage, in instructions, at least: some tenths of a second.
const LEAST_OF_PART: u64 = 20_000_000;
/// Instructions of the trials by which a stage is divided, at least.
const EFFORT: u64 = 50_000_000;

/// Search of trees one after the other, each of which depends on what was found in those before.
pub trait StagedSearch {
    /// Enters the tree of a state; of null the first.
    ///
    /// # Errors
    /// The state is none of this search.
    fn enter(&mut self, state: &Value) -> anyhow::Result<()>;

    /// Whether the tree that was entered is behind the last one.
    fn is_over(&self) -> bool;

    /// Number of structures found before the tree that was entered.
    fn found(&self) -> u64;

    /// State after the tree that was entered, whose results are given.
    ///
    /// # Errors
    /// A result cannot be read.
    fn advance(&self, results: &Merged<'_>) -> anyhow::Result<Value>;
}

/// Stage of a search.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Stage {
    /// Digest of the plan.
    plan: String,
    /// Number of structures found before it.
    pub found: u64,
    /// State of the search before it.
    pub state: Value,
    /// Parts of its tree; none if the search has ended.
    pub parts: Vec<PlannedPart>,
}

/// Stage in a listing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedStage {
    /// Number of its parts.
    pub parts: usize,
    name: String,
}

/// Stages that were read.
#[derive(Default)]
pub struct StageCache(Mutex<BTreeMap<String, Arc<Stage>>>);

/// Lists the stages of a job in order, up to the first that is missing.
///
/// # Errors
/// The storage does not list them, or two with one number differ.
pub fn list(job: &Job) -> anyhow::Result<Vec<ListedStage>> {
    let mut known: BTreeMap<usize, ListedStage> = BTreeMap::new();
    for object in job.store.list(STAGES)? {
        let Some((number, bytes, stage)) = listed(&object.name) else {
            continue;
        };
        // A shorter one is being uploaded, or its worker was killed meanwhile.
        if job.store.kind() == StoreKind::WebDav && object.size < bytes {
            continue;
        }
        let (place, name) = (job.store.place(), stage.name.clone());
        if let Some(other) = known.insert(number, stage) {
            anyhow::bail!(
                "{place}/{} and {place}/{name} are not of one search: plan the job again",
                other.name
            );
        }
    }
    let in_order = known.into_iter().enumerate();
    let in_order = in_order.take_while(|(place, (number, _))| place == number);
    Ok(in_order.map(|(_, (_, stage))| stage).collect())
}

/// Number and bytes of the stage that a name denotes, and the stage.
fn listed(name: &str) -> Option<(usize, u64, ListedStage)> {
    let stage = name.strip_prefix(STAGES)?.strip_prefix('/')?;
    let texts: Vec<&str> = stage.split('-').collect();
    let [number, parts, bytes, _] = texts[..] else {
        return None;
    };
    let stage = ListedStage {
        parts: parts.parse().ok()?,
        name: name.to_owned(),
    };
    Some((number.parse().ok()?, bytes.parse().ok()?, stage))
}

/// Reads a stage.
///
/// # Errors
/// It cannot be read, is damaged, or is of another job.
pub fn read(job: &Job, listed: &ListedStage) -> anyhow::Result<Arc<Stage>> {
    let name = &listed.name;
    let known = job.stages.0.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(stage) = known.get(name) {
        return Ok(Arc::clone(stage));
    }
    drop(known);
    let place = job.store.place();
    let content = job.store.get(name)?;
    let content = content.with_context(|| format!("{place}/{name} is missing"))?;
    let damaged = || {
        format!(
            "{place}/{name} is damaged: remove it, and `heapwright work {place}` makes it again"
        )
    };
    ensure!(name.ends_with(&digest(&content)), damaged());
    let stage: Stage = serde_json::from_slice(&content).with_context(damaged)?;
    ensure!(
        stage.plan == job.id,
        "{place}/{name} is no stage of this job: remove it"
    );
    let stage = Arc::new(stage);
    let mut known = job.stages.0.lock().unwrap_or_else(PoisonError::into_inner);
    known.insert(name.clone(), Arc::clone(&stage));
    Ok(stage)
}

/// Makes the stage with this number from the results of that before.
///
/// # Errors
/// A result cannot be read, the search cannot be run, or the storage does not take the stage.
pub fn make(
    job: &Job,
    search: &mut dyn JobSearch,
    number: usize,
    forest: &Forest,
) -> anyhow::Result<()> {
    let before = match number.checked_sub(1) {
        None => None,
        Some(last) => Some((last, job.stage(last, forest)?)),
    };
    let staged = staged(job, search)?;
    let state = match before {
        None => Value::Null,
        Some((last, stage)) => {
            staged.enter(&stage.state)?;
            let resolved = forest.resolve_stage(last);
            staged.advance(&Merged::of(job, resolved)?)?
        }
    };
    staged.enter(&state)?;
    let (is_over, found) = (staged.is_over(), staged.found());
    let parts = match is_over {
        true => Vec::new(),
        false => divide(search, job.plan.parts.len())?,
    };
    let stage = Stage {
        plan: job.id.clone(),
        found,
        state,
        parts,
    };
    let content = serde_json::to_vec(&stage)?;
    let (parts, bytes) = (stage.parts.len(), content.len());
    let name = format!("{STAGES}/{number}-{parts}-{bytes}-{}", digest(&content));
    job.store.put(&name, content)
}

/// Divides the tree of a stage into up to so many parts, fewer if it is known to be small.
fn divide(search: &mut dyn JobSearch, most: usize) -> anyhow::Result<Vec<PlannedPart>> {
    let whole = search.whole();
    let effort = EFFORT.max(EFFORT_OF_PART * most as u64);
    let mut parts = search.divide(&whole, most, effort)?;
    parts.retain(|part| !part.spans.is_empty());
    if parts.iter().all(|part| part.is_known) {
        let steps: u64 = parts.iter().map(|part| part.steps).sum();
        let count = (steps / LEAST_OF_PART).max(1) as usize;
        if count == 1 {
            let spans = whole.iter().map(ToString::to_string).collect();
            return Ok(vec![PlannedPart { spans, steps }]);
        }
        let few = parts.chunks(parts.len().div_ceil(count));
        let few = few.map(|parts| Part {
            spans: parts.iter().flat_map(|part| part.spans.clone()).collect(),
            steps: parts.iter().map(|part| part.steps).sum(),
            is_known: true,
        });
        parts = few.collect();
    }
    Ok(parts.iter().map(PlannedPart::of).collect())
}

/// The search as one in stages.
///
/// # Errors
/// It is none.
pub fn staged<'a>(
    job: &Job,
    search: &'a mut dyn JobSearch,
) -> anyhow::Result<&'a mut dyn StagedSearch> {
    let place = job.store.place();
    let staged = search.staged();
    staged.with_context(|| format!("{place} holds a job of no search in stages"))
}
