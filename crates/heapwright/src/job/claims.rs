//! Claims, by which workers tell one another what they do, and failures of parts.

use std::collections::BTreeMap;
use std::time::Duration;

use super::{Job, PartId};

/// Folders of claims, `running/PART_WORKER`, of failures, `failed/PART/DIGEST`, and of workers that
/// have nothing to do, `waiting/WORKER`.
pub const RUNNING: &str = "running";
pub const FAILED: &str = "failed";
pub const WAITING: &str = "waiting";
/// Time after which a claim that was not renewed is void.
const VOID_AFTER: Duration = Duration::from_secs(90);
/// Failures of a part after which no worker takes it by itself.
const MOST_FAILURES: usize = 3;

/// Claims and failures of parts.
pub struct Claims {
    /// Workers of each part that have not ended.
    pub running: BTreeMap<PartId, Vec<String>>,
    /// Number of failures of each part.
    pub failed: BTreeMap<PartId, usize>,
    /// Number of workers that have nothing to do.
    pub waiting: usize,
}

impl Claims {
    /// Reads the claims.
    ///
    /// # Errors
    /// The storage does not list them.
    pub fn read(job: &Job) -> anyhow::Result<Claims> {
        let mut failed = BTreeMap::new();
        for listed in job.store.list(FAILED)? {
            if let Some((part, _)) = of_part(&listed.name, '/') {
                *failed.entry(part).or_default() += 1;
            }
        }
        Ok(Claims {
            running: Claims::running(job)?,
            failed,
            waiting: fresh(job, WAITING)?.len(),
        })
    }

    /// Reads the workers of each part alone.
    ///
    /// # Errors
    /// The storage does not list them.
    pub fn running(job: &Job) -> anyhow::Result<BTreeMap<PartId, Vec<String>>> {
        let mut running: BTreeMap<PartId, Vec<String>> = BTreeMap::new();
        for name in fresh(job, RUNNING)? {
            if let Some((part, worker)) = of_part(&name, '_') {
                running.entry(part).or_default().push(worker.to_owned());
            }
        }
        Ok(running)
    }

    /// Whether no worker takes a part by itself any more.
    pub fn has_failed(&self, part: &PartId) -> bool {
        self.failed
            .get(part)
            .is_some_and(|&count| count >= MOST_FAILURES)
    }

    /// Whether no worker searches a part, and any takes it.
    pub fn is_free(&self, part: &PartId) -> bool {
        !self.running.contains_key(part) && !self.has_failed(part)
    }

    /// Those of the parts that have failed so often that no worker takes them, each with the last
    /// reason.
    ///
    /// # Errors
    /// The storage does not give the reasons.
    pub fn failed_of(&self, job: &Job, parts: &[PartId]) -> anyhow::Result<Vec<(PartId, String)>> {
        let reasons = Claims::reasons(job)?;
        let failed = parts.iter().filter(|part| self.has_failed(part));
        let with_reason = failed.map(|part| {
            let of_part = reasons.iter().rev().find(|(failed, _)| failed == part);
            let reason = of_part.map_or("", |(_, reason)| reason.trim_end());
            (part.clone(), reason.to_owned())
        });
        Ok(with_reason.collect())
    }

    /// Reasons of the failures of parts.
    ///
    /// # Errors
    /// The storage does not give them.
    fn reasons(job: &Job) -> anyhow::Result<Vec<(PartId, String)>> {
        let mut reasons = Vec::new();
        for listed in job.store.list(FAILED)? {
            let part = listed
                .name
                .split('/')
                .nth(1)
                .and_then(|part| part.parse().ok());
            if let (Some(part), Some(text)) = (part, job.store.get(&listed.name)?) {
                reasons.push((part, String::from_utf8_lossy(&text).into_owned()));
            }
        }
        Ok(reasons)
    }
}

/// Names of the claims in a folder that are not void, by the storage's clock.
fn fresh(job: &Job, folder: &str) -> anyhow::Result<Vec<String>> {
    let now = job.store.now();
    let mut all = job.store.list(folder)?;
    all.retain(|claim| {
        let age = now.duration_since(claim.modified).unwrap_or_default();
        age < VOID_AFTER
    });
    Ok(all.into_iter().map(|claim| claim.name).collect())
}

/// Part in a name as `FOLDER/PART`, and what follows it after `end`.
fn of_part(name: &str, end: char) -> Option<(PartId, &str)> {
    let (part, rest) = name.split_once('/')?.1.split_once(end)?;
    Some((part.parse().ok()?, rest))
}
