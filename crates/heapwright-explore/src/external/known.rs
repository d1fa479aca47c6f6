//! Forms that are known, as few sorted runs without numbers.

use std::cmp::Ordering;
use std::sync::Arc;

use super::run::{RunCursor, RunWriter, SortedRun};
use super::{SpillError, SpillFolder};

/// Strings merged between two questions whether to stop.
pub(super) const SLICE: u32 = 1 << 14;

/// Set of strings on disk.
#[derive(Default)]
pub struct KnownForms {
    /// Disjoint runs, each more than twice as long as the next.
    runs: Vec<SortedRun>,
}

impl KnownForms {
    /// Creates an empty set.
    #[must_use]
    pub fn new() -> KnownForms {
        KnownForms::default()
    }

    /// Size on disk in bytes.
    #[must_use]
    pub fn size(&self) -> u64 {
        self.runs.iter().map(SortedRun::size).sum()
    }

    /// Memory in use in bytes.
    #[must_use]
    pub fn memory(&self) -> u64 {
        self.runs.iter().map(SortedRun::memory).sum()
    }

    /// A number of the string that no other one of the set has; `None` if it is not in the set.
    ///
    /// # Errors
    /// A file is damaged or cannot be read.
    pub fn place_of(&self, key: &[u8]) -> Result<Option<u64>, SpillError> {
        let mut before = 0;
        for run in &self.runs {
            if let Some(position) = run.position_of(key)? {
                return Ok(Some(before + position));
            }
            before += run.len();
        }
        Ok(None)
    }

    /// Cursors over all runs.
    pub(super) fn cursors(&self) -> Result<Vec<RunCursor<'_>>, SpillError> {
        self.runs.iter().map(SortedRun::cursor).collect()
    }

    /// Adds new forms, none of which is in the set.
    pub fn add(&mut self, new: SortedRun) {
        if !new.is_empty() {
            self.runs.push(new);
        }
    }

    /// Merges runs until each is more than twice as long as the next, or `stop` says that the run
    /// is to stop.
    ///
    /// # Errors
    /// The disk is full, or a file is damaged. The set is as before.
    pub fn merge(
        &mut self,
        folder: &Arc<SpillFolder>,
        stop: &dyn Fn() -> bool,
    ) -> Result<(), SpillError> {
        while let [.., one, other] = self.runs.as_slice()
            && one.len() <= 2 * other.len()
        {
            let Some(merged) = merged(one, other, folder, stop)? else {
                return Ok(());
            };
            self.runs.truncate(self.runs.len() - 2);
            self.runs.push(merged);
        }
        Ok(())
    }

    /// The runs.
    #[cfg(test)]
    pub fn runs(&mut self) -> &mut [SortedRun] {
        &mut self.runs
    }
}

/// Merges two disjoint runs; `None` if `stop` says so.
fn merged(
    one: &SortedRun,
    other: &SortedRun,
    folder: &Arc<SpillFolder>,
    stop: &dyn Fn() -> bool,
) -> Result<Option<SortedRun>, SpillError> {
    let (mut one, mut other) = (one.cursor()?, other.cursor()?);
    let mut writer = RunWriter::new(folder, false)?;
    let mut count = 0u32;
    loop {
        let first = match (one.key(), other.key()) {
            (Some(first), Some(second)) if first.cmp(second) == Ordering::Less => &mut one,
            (Some(_), None) => &mut one,
            (_, Some(_)) => &mut other,
            (None, None) => return writer.finish().map(Some),
        };
        writer.push(first.key().unwrap_or_default(), 0)?;
        first.next()?;
        count += 1;
        if count.is_multiple_of(SLICE) && stop() {
            return Ok(None);
        }
    }
}
