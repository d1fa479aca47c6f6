//! Results of all parts of a job, in the order of the tree.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use anyhow::{Context, bail, ensure};
use heapwright_explore::Span;
use serde::de::DeserializeOwned;

use super::forest::Resolved;
use super::{Job, result};

/// Bytes of results beyond which those read are read again.
const MOST_KEPT: usize = 256 << 20;

/// Place of a subtree in a result.
struct SubtreePlace {
    span: Span,
    /// Number of the result.
    result: usize,
    /// Range of its lines in bytes.
    lines: std::ops::Range<usize>,
}

/// Results of all parts of a job.
pub struct Merged<'a> {
    job: &'a Job,
    results: Vec<String>,
    subtrees: Vec<SubtreePlace>,
}

impl Merged<'_> {
    /// Reads which subtrees the results of all parts have.
    ///
    /// # Errors
    /// A part has no result, or a result is damaged.
    pub fn read(job: &Job) -> anyhow::Result<Merged<'_>> {
        Merged::of(job, job.forest()?.resolve_all())
    }

    /// Reads which subtrees these results have.
    ///
    /// # Errors
    /// A part has no result, or a result is damaged.
    pub fn of(job: &Job, resolved: Resolved) -> anyhow::Result<Merged<'_>> {
        let place = job.store.place();
        resolved.check_complete(place)?;
        let mut merged = Merged {
            job,
            results: resolved.results,
            subtrees: Vec::new(),
        };
        for number in 0..merged.results.len() {
            merged.index(number)?;
        }
        merged
            .subtrees
            .sort_by(|one, other| one.span.cmp(&other.span));
        let mut pairs = merged.subtrees.windows(2);
        if let Some(pair) = pairs.find(|pair| pair[0].span == pair[1].span) {
            bail!(
                "{place}/{} and {place}/{} both have the subtree {}: remove one",
                merged.results[pair[0].result],
                merged.results[pair[1].result],
                pair[0].span
            );
        }
        Ok(merged)
    }

    /// Finds the subtrees of a result.
    fn index(&mut self, number: usize) -> anyhow::Result<()> {
        let name = &self.results[number];
        let content = result::read(self.job, name)?;
        let damaged = || format!("{}/{name} is damaged", self.job.store.place());
        ensure!(result::footer_of(&content).is_some(), damaged());
        let mut at = 0;
        for line in content.split_inclusive(|&byte| byte == b'\n') {
            let start = at;
            at += line.len();
            match (line.first(), self.subtrees.last_mut()) {
                (Some(b'#'), _) => {
                    let text = String::from_utf8_lossy(&line[1..]);
                    let span = text.trim_end().parse().with_context(damaged)?;
                    self.subtrees.push(SubtreePlace {
                        span,
                        result: number,
                        lines: at..at,
                    });
                }
                // The footer follows the last record.
                (_, Some(last))
                    if last.result == number && start == last.lines.end && at < content.len() =>
                {
                    last.lines.end = at;
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Passes each item and each subtree's record on, in the order of the tree.
    ///
    /// # Errors
    /// A result cannot be read any more, or `item` or `record` fails.
    pub fn each<R: DeserializeOwned>(
        &self,
        item: &mut dyn FnMut(&str) -> anyhow::Result<()>,
        record: &mut dyn FnMut(R) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        let (mut kept, mut bytes) = (BTreeMap::new(), 0);
        for subtree in &self.subtrees {
            let name = &self.results[subtree.result];
            if bytes > MOST_KEPT {
                kept.clear();
                bytes = 0;
            }
            let content: &Vec<u8> = match kept.entry(subtree.result) {
                Entry::Occupied(known) => known.into_mut(),
                Entry::Vacant(place) => {
                    let content = result::read(self.job, name)?;
                    bytes += content.len();
                    place.insert(content)
                }
            };
            let damaged = || format!("{}/{name} is damaged", self.job.store.place());
            let lines = content.get(subtree.lines.clone()).unwrap_or_default();
            let text = std::str::from_utf8(lines).with_context(damaged)?;
            let mut is_ended = false;
            for line in text.lines() {
                ensure!(!is_ended, damaged());
                match line.strip_prefix('=') {
                    Some(line) => item(line)?,
                    None => {
                        record(serde_json::from_str(line).with_context(damaged)?)?;
                        is_ended = true;
                    }
                }
            }
            ensure!(is_ended, damaged());
        }
        Ok(())
    }
}
