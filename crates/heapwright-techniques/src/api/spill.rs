//! Structures on disk, where memory is too small for them.
//!
//! When the structures take more than [`SpillSettings::in_memory`], all of them go to disk. From
//! then on the structures that calls leave are candidates, of which is found out later whether they
//! are new ([`heapwright_explore::external`]): at the end of each iteration, and before they take
//! too much of the disk.
//!
//! **Invariant: structures, their order, their origins and all counts are those of a search in
//! memory.** Candidates are retained in the order of their calls.

use std::path::PathBuf;
use std::sync::Arc;

use heapwright_explore::external::{Candidates, RecordLog, SpillError, SpillFolder};
use heapwright_explore::{CanonicalForm, Record};

use super::pools::Pools;
use crate::parts::StopCheck;

/// Part of the memory limit that structures in memory may take before they go to disk.
const IN_MEMORY: u64 = 3;
/// Part of it that candidates take. Sorting takes as much again.
const FOR_CANDIDATES: u64 = 8;
/// Structures moved to disk between two questions whether to stop.
const LOOK_UP: u32 = 1 << 14;
/// Most structures of a class, since their numbers have 32 bits.
const MOST_STRUCTURES: u64 = u32::MAX as u64;
/// First byte of numbers that take more than one.
const LONG: u8 = u8::MAX;

/// Where structures go for which there is no memory.
#[derive(Clone, Debug)]
pub struct SpillSettings {
    /// Folder of the files.
    pub folder: PathBuf,
    /// Memory limit of the search in bytes.
    pub memory: u64,
}

impl SpillSettings {
    /// Bytes of structures in memory from which they go to disk.
    #[must_use]
    pub fn in_memory(&self) -> u64 {
        self.memory / IN_MEMORY
    }
}

/// Candidates of a search whose structures are on disk.
pub(super) struct Spill {
    folder: Arc<SpillFolder>,
    candidates: Candidates,
    /// Internal names of the classes of pools; those behind the existing pools have candidates
    /// only.
    classes: Vec<Box<str>>,
    /// Form of a candidate, behind the number of its pool.
    key: Vec<u8>,
    /// Origin of a candidate, behind the byte that tells whether its sequence differs from that of
    /// the candidate before it.
    origin: Vec<u8>,
    /// Sequence of the candidates added next, and that of the last candidate.
    sequence: u64,
    last_sequence: Option<u64>,
    /// Sequences of candidates.
    undecided: u64,
    /// Whether the last sequence has built something new, and the number of those that have since
    /// it was last asked for.
    has_built: bool,
    building: u64,
    stop: StopCheck,
    /// First error, after which nothing is added.
    failure: Option<SpillError>,
}

/// Writes the number of a pool, in one byte if it is small.
fn put_pool(key: &mut Vec<u8>, pool: usize) {
    match u8::try_from(pool) {
        Ok(small) if small != LONG => key.push(small),
        _ => {
            key.push(LONG);
            key.extend_from_slice(&(pool as u32).to_be_bytes());
        }
    }
}

/// Reads the number of a pool, and returns the form behind it.
fn take_pool(key: &[u8]) -> Option<(usize, &[u8])> {
    match key {
        [LONG, a, b, c, d, form @ ..] => {
            let pool = u32::from_be_bytes([*a, *b, *c, *d]);
            Some((pool as usize, form))
        }
        [small, form @ ..] => Some((usize::from(*small), form)),
        [] => None,
    }
}

/// Form of a structure with the number of its pool, as known forms have it.
pub(super) fn key_of(pool: usize, compared: &[u8]) -> Vec<u8> {
    let mut key = Vec::with_capacity(compared.len() + 1);
    put_pool(&mut key, pool);
    key.extend_from_slice(compared);
    key
}

impl Spill {
    /// Moves the structures of all pools to disk.
    ///
    /// # Errors
    /// The disk is full. The pools are then as before.
    pub fn begin(
        settings: &SpillSettings,
        matching: bool,
        stop: Option<StopCheck>,
        pools: &mut Pools,
    ) -> Result<Spill, SpillError> {
        let folder = SpillFolder::new(&settings.folder);
        let memory = settings.memory / FOR_CANDIDATES;
        let stop = stop.unwrap_or_else(|| Arc::new(|| false));
        let mut spill = Spill {
            candidates: Candidates::new(&folder, memory, matching, Arc::clone(&stop))?,
            folder,
            classes: pools.iter().map(|pool| pool.class.clone()).collect(),
            key: Vec::new(),
            origin: Vec::new(),
            sequence: 0,
            last_sequence: None,
            undecided: 0,
            has_built: false,
            building: 0,
            stop,
            failure: None,
        };
        let mut logs = Vec::new();
        for (number, pool) in pools.iter().enumerate() {
            let mut log = RecordLog::new(&spill.folder)?;
            for (index, record) in (0u32..).zip(pool.in_memory().from(0)) {
                log.append(record.form, record.origin)?;
                if matching {
                    spill.add_to(number, record.form, &[])?;
                }
                if index.is_multiple_of(LOOK_UP) && (spill.stop)() {
                    return Err(SpillError::Stopped);
                }
            }
            log.seal()?;
            logs.push(log);
        }
        let known = pools.known_forms();
        let all_new = &mut |_: bool, _: Record<'_>| Ok(());
        let forms = spill.candidates.resolve(known, all_new)?;
        spill.candidates.clear()?;
        pools.store(logs, forms);
        (spill.last_sequence, spill.undecided) = (None, 0);
        Ok(spill)
    }

    /// Adds a candidate, of the same sequence as the one before it unless
    /// [`Spill::next_sequence`] was called. An error is retained for [`Spill::check`].
    pub fn add(&mut self, class: &str, form: CanonicalForm<'_>, origin: &[u8]) {
        if self.failure.is_some() {
            return;
        }
        let pool = self.classes.iter().position(|known| **known == *class);
        let pool = pool.unwrap_or_else(|| {
            self.classes.push(class.into());
            self.classes.len() - 1
        });
        self.failure = self.add_to(pool, form, origin).err();
    }

    fn add_to(
        &mut self,
        pool: usize,
        form: CanonicalForm<'_>,
        origin: &[u8],
    ) -> Result<(), SpillError> {
        self.key.clear();
        put_pool(&mut self.key, pool);
        self.key.extend_from_slice(form.compared);
        let starts = self.last_sequence != Some(self.sequence);
        self.origin.clear();
        self.origin.push(u8::from(starts));
        self.origin.extend_from_slice(origin);
        let form = CanonicalForm {
            compared: &self.key,
            omitted: form.omitted,
        };
        if self.candidates.add(form, &self.origin)? {
            self.undecided += u64::from(starts);
            self.last_sequence = Some(self.sequence);
        }
        Ok(())
    }

    /// Marks the start of another sequence.
    pub fn next_sequence(&mut self) {
        self.sequence += 1;
    }

    /// Returns the first error since the last check.
    ///
    /// # Errors
    /// A candidate could not be added.
    pub fn check(&mut self) -> Result<(), SpillError> {
        self.failure.take().map_or(Ok(()), Err)
    }

    /// Whether candidates take so much of the disk that they should be compared now.
    pub fn is_due(&self, pools: &Pools) -> bool {
        self.candidates.is_due(pools.disk_size())
    }

    /// Adds the new ones among the candidates to the pools.
    ///
    /// # Errors
    /// The disk is full, a file is damaged, or the user stopped the search. The pools are then as
    /// before.
    pub fn resolve(&mut self, pools: &mut Pools) -> Result<(), SpillError> {
        self.check()?;
        if self.candidates.is_empty() {
            return Ok(());
        }
        for class in &self.classes {
            pools.enter_stored(class, &self.folder)?;
        }
        let before = pools.lengths();
        let (mut building, mut has_built) = (0, self.has_built);
        let (mut logs, known) = pools.stored();
        let mut keep = |is_new: bool, record: Record<'_>| {
            let ([starts, origin @ ..], Some((pool, compared))) =
                (record.origin, take_pool(record.form.compared))
            else {
                return Ok(());
            };
            has_built &= *starts == 0;
            if !is_new {
                return Ok(());
            }
            building += u64::from(!has_built);
            has_built = true;
            let form = CanonicalForm {
                compared,
                omitted: record.form.omitted,
            };
            match logs.get_mut(pool) {
                Some(log) if log.len() >= MOST_STRUCTURES => Err(SpillError::TooMany),
                Some(log) => log.append(form, origin),
                None => Ok(()),
            }
        };
        let resolved = self.candidates.resolve(known, &mut keep);
        let sealed = resolved.and_then(|forms| {
            logs.iter_mut().try_for_each(|log| log.seal())?;
            Ok(forms)
        });
        match sealed {
            Ok(forms) => {
                forms.into_iter().for_each(|forms| known.add(forms));
                self.building += building;
                (self.has_built, self.undecided) = (has_built, 0);
                self.candidates.clear()?;
                known.merge(&self.folder, &*self.stop)
            }
            Err(error) => {
                for (log, before) in logs.iter_mut().zip(before) {
                    log.truncate(before as u64)?;
                }
                Err(error)
            }
        }
    }

    /// Does the same as [`Spill::resolve`], and retains an error for [`Spill::check`].
    pub fn resolve_soon(&mut self, pools: &mut Pools) {
        self.failure = self.resolve(pools).err();
    }

    /// Number of sequences that built something new, since it was last asked for.
    pub fn take_building(&mut self) -> u64 {
        std::mem::take(&mut self.building)
    }

    /// Number of sequences of which it is not known whether they built something new.
    pub fn undecided(&self) -> u64 {
        self.undecided
    }

    /// Memory in use in bytes.
    pub fn memory(&self) -> u64 {
        self.candidates.memory()
    }

    /// Greatest size of the files so far in bytes.
    pub fn peak_disk(&self) -> u64 {
        self.folder.peak()
    }
}
