//! Forms of which it is not known yet whether they are new.

use std::sync::Arc;

use super::known::SLICE;
use super::run::{RunCursor, RunWriter, SortedRun};
use super::{KnownForms, RecordLog, SpillError, SpillFolder, StopQuestion};
use crate::canonical::CanonicalForm;
use crate::reached::{self, FormSet, Record};

/// Most sorted runs at a time, since a merge looks at all of them for each string.
const MOST_RUNS: usize = 16;
/// Runs below which a search for new ones is not worth the pass over the known ones.
const FEW_RUNS: usize = 4;
/// Most memory of candidates in bytes: positions in it fit 32 bits, and sorting takes no longer than
/// a run may take to stop.
const MOST_MEMORY: u64 = 1 << 29;
/// Memory that a candidate takes in the hash table, in bytes, on average.
const IN_TABLE: usize = 10;

/// Candidates in the order in which they were added. Those that are equal to one in memory are
/// dropped at once.
pub struct Candidates {
    folder: Arc<SpillFolder>,
    /// Memory from which candidates are written, in bytes.
    memory: u64,
    matching: bool,
    stop: StopQuestion,
    recent: FormSet,
    /// Candidates that are not in memory, in order.
    written: RecordLog,
    /// The same as sorted runs, with their numbers.
    runs: Vec<SortedRun>,
}

/// Beginning of a form, for comparisons without access to the form itself.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct SortKey {
    start: [u64; 2],
    /// Position in memory.
    place: u32,
    /// Number among the forms in memory.
    number: u32,
}

impl SortKey {
    fn new(key: &[u8], place: usize, number: usize) -> SortKey {
        let mut bytes = [0; 16];
        let length = key.len().min(16);
        bytes[..length].copy_from_slice(&key[..length]);
        let all = u128::from_be_bytes(bytes);
        SortKey {
            start: [(all >> 64) as u64, all as u64],
            place: place as u32,
            number: number as u32,
        }
    }
}

impl Candidates {
    /// Creates an empty collection that takes about this memory in bytes, and as much again while
    /// it writes. Without `matching` all candidates count as new. When `stop` says so, whatever
    /// takes long ends with [`SpillError::Stopped`].
    ///
    /// # Errors
    /// The folder cannot be written.
    pub fn new(
        folder: &Arc<SpillFolder>,
        memory: u64,
        matching: bool,
        stop: StopQuestion,
    ) -> Result<Candidates, SpillError> {
        Ok(Candidates {
            folder: Arc::clone(folder),
            memory: memory.min(MOST_MEMORY),
            matching,
            stop,
            recent: FormSet::default(),
            written: RecordLog::new(folder)?,
            runs: Vec::new(),
        })
    }

    /// Whether there are no candidates.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.recent.is_empty() && self.written.is_empty()
    }

    /// Memory in use in bytes.
    #[must_use]
    pub fn memory(&self) -> u64 {
        self.recent.memory() + self.written.memory()
    }

    /// Whether so much is on disk, beside `known` bytes of known structures, that duplicates are to
    /// be removed.
    #[must_use]
    pub fn is_due(&self, known: u64) -> bool {
        self.runs.len() >= MOST_RUNS
            || self.runs.len() >= FEW_RUNS && self.written.size() >= known / 8
            || !self.matching && !self.written.is_empty()
    }

    /// Adds a candidate; returns whether it differs from all in memory.
    ///
    /// # Errors
    /// The disk is full, or a file cannot be written.
    pub fn add(&mut self, form: CanonicalForm<'_>, origin: &[u8]) -> Result<bool, SpillError> {
        let is_added = match self.matching {
            true => {
                let hash = FormSet::hash(form.compared);
                self.recent.insert(hash, form, origin)
            }
            false => {
                self.recent.append(form, origin);
                true
            }
        };
        let used = self.recent.bytes().len() + self.recent.len() * IN_TABLE;
        if used as u64 >= self.memory {
            self.write()?;
        }
        Ok(is_added)
    }

    /// Writes the candidates that are in memory.
    fn write(&mut self) -> Result<(), SpillError> {
        let first = self.written.len();
        if self.matching {
            let bytes = self.recent.bytes();
            let key = |sorted: &SortKey| {
                let (record, _) = reached::record(bytes, sorted.place as usize);
                record.form.compared
            };
            let mut order: Vec<SortKey> = Vec::with_capacity(self.recent.len());
            for (number, (place, record)) in self.recent.with_places().enumerate() {
                order.push(SortKey::new(record.form.compared, place, number));
            }
            order.sort_unstable_by(|one, other| {
                let starts = one.start.cmp(&other.start);
                starts.then_with(|| key(one).cmp(key(other)))
            });
            let mut run = RunWriter::new(&self.folder, true)?;
            for (count, sorted) in order.iter().enumerate() {
                self.look_up(count)?;
                run.push(key(sorted), first + u64::from(sorted.number))?;
            }
            self.runs.push(run.finish()?);
        }
        for (count, (_, record)) in self.recent.with_places().enumerate() {
            self.look_up(count)?;
            self.written.append(record.form, record.origin)?;
        }
        self.recent.clear();
        Ok(())
    }

    /// Fails from time to time if the run is to stop.
    fn look_up(&self, count: usize) -> Result<(), SpillError> {
        match count.is_multiple_of(SLICE as usize) && (self.stop)() {
            true => Err(SpillError::Stopped),
            false => Ok(()),
        }
    }

    /// Finds out which candidates are new, and passes all candidates to `keep` in the order in
    /// which they were added, with whether each is new. Returns the new forms, which are to be
    /// added to `known`.
    ///
    /// # Errors
    /// The disk is full, a file is damaged, or the run is to stop; `keep` may have
    /// been called before.
    pub fn resolve(
        &mut self,
        known: &KnownForms,
        keep: &mut dyn FnMut(bool, Record<'_>) -> Result<(), SpillError>,
    ) -> Result<Option<SortedRun>, SpillError> {
        if !self.recent.is_empty() {
            self.write()?;
        }
        let mut new = vec![0u64; (self.written.len() as usize).div_ceil(64)];
        let run = match self.matching {
            true => Some(self.new_ones(known, &mut new)?),
            false => {
                new.fill(u64::MAX);
                None
            }
        };
        self.runs.clear();
        let mut number = 0;
        self.written.scan(|record| {
            let is_new = new[number / 64] >> (number % 64) & 1 != 0;
            number += 1;
            self.look_up(number)?;
            keep(is_new, record)
        })?;
        Ok(run)
    }

    /// Removes all candidates.
    ///
    /// # Errors
    /// A file cannot be changed.
    pub fn clear(&mut self) -> Result<(), SpillError> {
        self.recent.clear();
        self.runs.clear();
        self.written.truncate(0)
    }

    /// Sets the bits of new candidates, and returns the run of these.
    fn new_ones(&self, known: &KnownForms, new: &mut [u64]) -> Result<SortedRun, SpillError> {
        let runs = self.runs.iter().map(SortedRun::cursor);
        let mut runs: Vec<RunCursor<'_>> = runs.collect::<Result<_, _>>()?;
        let mut known = known.cursors()?;
        let mut writer = RunWriter::new(&self.folder, false)?;
        let mut key = Vec::new();
        let mut count = 0;
        // The first of equal candidates is in the first of their runs.
        while let Some(least) = least(&runs) {
            key.clear();
            key.extend_from_slice(runs[least].key().unwrap_or_default());
            let number = runs[least].number() as usize;
            for run in &mut runs[least..] {
                if run.key() == Some(&key) {
                    run.next()?;
                }
            }
            let mut is_known = false;
            for run in &mut known {
                is_known = is_known || run.seek(&key)?;
            }
            if !is_known {
                new[number / 64] |= 1 << (number % 64);
                writer.push(&key, 0)?;
            }
            count += 1;
            self.look_up(count)?;
        }
        writer.finish()
    }

    /// Answers that the run is to stop.
    #[cfg(test)]
    pub(super) fn stop_now(&mut self) {
        self.stop = Arc::new(|| true);
    }

    /// Files of the candidates.
    #[cfg(test)]
    pub(super) fn parts(&mut self) -> (&mut RecordLog, &mut [SortedRun]) {
        (&mut self.written, &mut self.runs)
    }
}

/// The first cursor whose string is the least.
fn least(runs: &[RunCursor<'_>]) -> Option<usize> {
    let mut least: Option<(usize, &[u8])> = None;
    for (index, run) in runs.iter().enumerate() {
        if let Some(key) = run.key()
            && least.is_none_or(|(_, other)| key < other)
        {
            least = Some((index, key));
        }
    }
    least.map(|(index, _)| index)
}
