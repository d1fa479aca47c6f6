//! Detection of duplicates by several processes, each of which owns a range of hashes.
//!
//! **Invariant: of equal candidates the first one counts**, in the order of their runs, as in a set
//! that one process fills in this order. Which process owns a form has no influence on that.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::Arc;

use super::known::SLICE;
use super::run::{RunCursor, RunWriter};
use super::{RecordBlock, SortedRun, SpillError, SpillFolder};
use crate::reached::FormSet;

/// One of some ranges of equal size into which the hashes of forms are divided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OwnerRange {
    /// Number of the range, from 0.
    pub number: u32,
    /// Number of all ranges.
    pub of: u32,
}

impl OwnerRange {
    /// Number of the range, among `of` ones, that a form belongs to.
    #[must_use]
    pub fn owner(compared: &[u8], of: u32) -> u32 {
        let product = u128::from(FormSet::hash(compared)) * u128::from(of);
        (product >> 64) as u32
    }

    /// Whether a form belongs to the range.
    #[must_use]
    pub fn owns(self, compared: &[u8]) -> bool {
        OwnerRange::owner(compared, self.of) == self.number
    }

    /// Whether a form may belong to both ranges.
    #[must_use]
    pub fn overlaps(self, other: OwnerRange) -> bool {
        let begins_before_end = |one: OwnerRange, other: OwnerRange| {
            u64::from(one.number) * u64::from(other.of)
                < u64::from(other.number + 1) * u64::from(one.of)
        };
        begins_before_end(self, other) && begins_before_end(other, self)
    }
}

/// Sorts the forms of candidates, no two of which are equal, by owner. Each run has the numbers of
/// the candidates in the block; there is none of an owner without candidates.
///
/// # Errors
/// The folder cannot be written.
pub fn divide(
    candidates: &RecordBlock,
    owners: u32,
    folder: &Arc<SpillFolder>,
) -> Result<Vec<Option<SortedRun>>, SpillError> {
    let forms = candidates.iter().map(|record| record.form.compared);
    let mut forms: Vec<(&[u8], u32)> = forms.zip(0..).collect();
    forms.sort_unstable();
    let mut writers: Vec<Option<RunWriter>> = (0..owners).map(|_| None).collect();
    for (form, number) in forms {
        let place = &mut writers[OwnerRange::owner(form, owners) as usize];
        let writer = match place {
            Some(writer) => writer,
            None => place.insert(RunWriter::new(folder, true)?),
        };
        writer.push(form, u64::from(number))?;
    }
    let runs = writers.into_iter().map(|run| run.map(RunWriter::finish));
    runs.map(Option::transpose).collect()
}

/// Finds the candidates that are new, and passes the number of the run and of the candidate of each
/// to `keep`, in the order of their forms. Returns the forms of a range of hashes that are new,
/// together with those of the known runs from number `merged` on.
///
/// `known` are runs of different forms, some of which may be outside of the range; all candidates
/// are within it.
///
/// # Errors
/// The disk is full, a file is damaged, or `stop` says that the run is to stop.
pub fn settle(
    candidates: &[SortedRun],
    (known, merged): (&[SortedRun], usize),
    range: OwnerRange,
    folder: &Arc<SpillFolder>,
    stop: &dyn Fn() -> bool,
    keep: &mut dyn FnMut(usize, u64),
) -> Result<SortedRun, SpillError> {
    let mut seekers = known.iter().map(SortedRun::cursor);
    let mut seekers = seekers.by_ref().collect::<Result<Vec<_>, _>>()?;
    let mut new = RunWriter::new(folder, false)?;
    let mut last: Option<Vec<u8>> = None;
    let mut cursors = Merge::new(candidates)?;
    while let Some((form, run, number)) = cursors.current() {
        if last.as_deref() != Some(form) {
            let mut is_known = false;
            for seeker in &mut seekers {
                is_known = is_known || seeker.seek(form)?;
            }
            if !is_known {
                new.push(form, 0)?;
                keep(run, number);
            }
            let last = last.get_or_insert_default();
            last.clear();
            last.extend_from_slice(form);
        }
        cursors.next(stop)?;
    }
    let new = new.finish()?;
    if merged == known.len() {
        return Ok(new);
    }
    let mut all = RunWriter::new(folder, false)?;
    let (later, new) = (&known[merged..], [new]);
    let mut cursors = Merge::new(later.iter().chain(&new))?;
    while let Some((form, ..)) = cursors.current() {
        if range.owns(form) {
            all.push(form, 0)?;
        }
        cursors.next(stop)?;
    }
    all.finish()
}

/// Strings of several runs in ascending order, equal ones in the order of their runs.
struct Merge<'a> {
    cursors: Vec<RunCursor<'a>>,
    /// Current strings of the cursors that are not at their end, with the number of each cursor.
    heap: BinaryHeap<Reverse<(Vec<u8>, usize)>>,
    count: u32,
}

impl<'a> Merge<'a> {
    fn new(runs: impl IntoIterator<Item = &'a SortedRun>) -> Result<Merge<'a>, SpillError> {
        let cursors = runs.into_iter().map(SortedRun::cursor);
        let cursors: Vec<RunCursor<'_>> = cursors.collect::<Result<_, _>>()?;
        let first = cursors.iter().enumerate();
        let first = first.filter_map(|(run, cursor)| Some(Reverse((cursor.key()?.to_vec(), run))));
        Ok(Merge {
            heap: first.collect(),
            cursors,
            count: 0,
        })
    }

    /// The least string, with its run and its number there.
    fn current(&self) -> Option<(&[u8], usize, u64)> {
        let Reverse((form, run)) = self.heap.peek()?;
        Some((form, *run, self.cursors[*run].number()))
    }

    fn next(&mut self, stop: &dyn Fn() -> bool) -> Result<(), SpillError> {
        self.count = self.count.wrapping_add(1);
        if self.count.is_multiple_of(SLICE) && stop() {
            return Err(SpillError::Stopped);
        }
        let Some(Reverse((mut form, run))) = self.heap.pop() else {
            return Ok(());
        };
        let cursor = &mut self.cursors[run];
        cursor.next()?;
        if let Some(key) = cursor.key() {
            form.clear();
            form.extend_from_slice(key);
            self.heap.push(Reverse((form, run)));
        }
        Ok(())
    }
}
