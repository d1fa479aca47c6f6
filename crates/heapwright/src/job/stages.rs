//! Searches in stages: trees one after the other, each of which depends on what was found in those
//! before.
//!
//! A stage is a part whose result has the state of the search before its tree, and leaves the parts of this
//! tree. When all of them have results, a worker makes the next stage from these. The stage after the last
//! tree leaves no parts.
//!
//! **Invariant:** each of two stages with one number is right. Which of them a part is of, its identity tells.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::Context;
use heapwright_explore::Part;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::forest::{self, Forest, PartId};
use super::{Job, JobSearch, Merged, PartFooter, PlannedPart, ResultWriter, result};

/// Work of a part of a stage, in instructions, at least. With a solver, paths count as so many that this
/// is some tenths of a second.
const LEAST_OF_PART: u64 = 200_000_000;
/// Instructions of the trials by which a stage is divided, at least, and for each part.
const EFFORT: u64 = 200_000_000;
const EFFORT_OF_PART: u64 = 2_500_000;

/// Search of trees one after the other, each of which depends on what was found in those before.
pub trait StagedSearch {
    /// Enters the tree of a state; of null the first.
    ///
    /// # Errors
    /// The state is none of this search.
    fn enter(&mut self, state: &Value) -> anyhow::Result<()>;

    /// Whether the tree that was entered is behind the last one.
    ///
    /// # Errors
    /// The state is none of this search.
    fn is_over(&mut self) -> anyhow::Result<bool>;

    /// Number of structures found before the tree that was entered.
    fn found(&self) -> u64;

    /// State after the tree that was entered, whose results are given.
    ///
    /// # Errors
    /// A result cannot be read.
    fn advance(&mut self, results: &Merged<'_>) -> anyhow::Result<Value>;
}

/// State of a search before the tree of a stage.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Stage {
    /// Number of structures found before.
    pub found: u64,
    /// What the search says of it.
    pub state: Value,
}

/// Stages that were read.
#[derive(Default)]
pub struct StageCache(Mutex<BTreeMap<String, Arc<Stage>>>);

/// Reads the stage of a result with this name.
///
/// # Errors
/// It cannot be read, is damaged, or is of another job.
pub fn read(job: &Job, name: &str) -> anyhow::Result<Arc<Stage>> {
    let mut known = job.stages.0.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(stage) = known.get(name) {
        return Ok(Arc::clone(stage));
    }
    let content = result::read(job, name)?;
    let stage = content.split(|&byte| byte == b'\n').nth(1);
    let stage = stage.and_then(|line| serde_json::from_slice(line).ok());
    let damaged = || format!("{}/{name} is damaged", job.store.place());
    let stage: Arc<Stage> = Arc::new(stage.with_context(damaged)?);
    known.insert(name.to_owned(), Arc::clone(&stage));
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
    let staged = staged(job, search)?;
    let state = match number.checked_sub(1) {
        None => Value::Null,
        Some(last) => {
            let before = forest.resolve_stages().into_iter().nth(last);
            let mut before = before.with_context(|| format!("there is no stage {last}"))?;
            before.check_complete(job.store.place())?;
            let own = before.results.remove(0);
            staged.enter(&read(job, &own)?.state)?;
            staged.advance(&Merged::of(job, before)?)?
        }
    };
    staged.enter(&state)?;
    let (is_over, found) = (staged.is_over()?, staged.found());
    let parts = match is_over {
        true => Vec::new(),
        false => divide(search, job.plan.parts.len())?,
    };
    let left = parts.len();
    let mut result = ResultWriter::new(job)?;
    result.end(&Stage { found, state })?;
    let result = result.finish(&PartFooter {
        left: parts,
        ..PartFooter::default()
    })?;
    let name = forest::name(&PartId::Stage(number), &result, left, 0);
    job.store.put(&name, result)
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
