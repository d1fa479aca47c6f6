//! Pools: the structures built, by class, with the origin of each.

use std::sync::Arc;

use heapwright_explore::bits::{BitReader, BitWriter, width_of};
use heapwright_explore::external::{
    KnownForms, LoggedRecord, RecordLog, SortedRun, SpillError, SpillFolder,
};
use heapwright_explore::{CanonicalForm, FormSet, Record};

use super::operations::ApiOperation;
use super::spill::key_of;

/// Structure, identified by its pool and its number there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StructureRef {
    /// Its pool.
    pub pool: u32,
    /// Its number in the pool, in order of discovery.
    pub index: u32,
}

/// Role of a structure in the call that built it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StructureRole {
    /// The receiver, or the object constructed.
    Receiver,
    /// The argument with this index among the sources of the operation.
    Source(usize),
    /// The result.
    Result,
}

/// Last call of the sequence that builds a structure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    /// Number of the operation.
    pub operation: usize,
    /// Combination of its values.
    pub way: u64,
    /// Structures it was called with, in the order of its sources.
    pub parents: Vec<StructureRef>,
    /// Role of the structure in the call.
    pub output: StructureRole,
}

impl Origin {
    /// Appends the origin to `bits`.
    pub fn put(&self, bits: &mut BitWriter, operations: &[ApiOperation]) {
        let output = match self.output {
            StructureRole::Receiver => 0,
            StructureRole::Result => 1,
            StructureRole::Source(place) => 2 + place as i32,
        };
        bits.put(self.operation as u32, width_of(operations.len()));
        bits.put(
            self.way as u32,
            width_of(operations[self.operation].ways as usize),
        );
        bits.put_int(output);
        for parent in &self.parents {
            bits.put_int(parent.pool as i32);
            let width = 32 - parent.index.leading_zeros();
            bits.put(width, 6);
            bits.put(parent.index, width);
        }
    }

    /// Reads an origin written by [`Origin::put`].
    pub fn take(bytes: &[u8], operations: &[ApiOperation]) -> Origin {
        let mut bits = BitReader::new(bytes);
        let operation = bits.take(width_of(operations.len())) as usize;
        let way = u64::from(bits.take(width_of(operations[operation].ways as usize)));
        let output = match bits.take_int() {
            0 => StructureRole::Receiver,
            1 => StructureRole::Result,
            place => StructureRole::Source(place as usize - 2),
        };
        let parents = operations[operation].structures.iter().map(|_| {
            let pool = bits.take_int() as u32;
            let width = bits.take(6);
            StructureRef {
                pool,
                index: bits.take(width),
            }
        });
        Origin {
            operation,
            way,
            parents: parents.collect(),
            output,
        }
    }
}

/// Structures of a class that are elsewhere.
pub trait StructureSource: Send + Sync {
    /// Record of the structure with this number, if there is one.
    ///
    /// # Errors
    /// It cannot be read.
    fn record(&self, index: u64) -> Result<Option<LoggedRecord>, SpillError>;
}

/// The structures of one class, all in memory, all on disk or all elsewhere.
pub struct StructurePool {
    /// Internal name of the class.
    pub class: Box<str>,
    /// The structures in memory.
    reached: FormSet,
    /// The structures on disk.
    stored: Option<RecordLog>,
    /// The structures elsewhere, which are `known` ones.
    source: Option<Arc<dyn StructureSource>>,
    /// Number of structures before the last iteration.
    pub old: usize,
    /// Number of structures after it.
    pub known: usize,
}

impl StructurePool {
    fn new(class: &str) -> StructurePool {
        StructurePool {
            class: class.into(),
            reached: FormSet::default(),
            stored: None,
            source: None,
            old: 0,
            known: 0,
        }
    }

    /// Number of structures.
    #[must_use]
    pub fn len(&self) -> usize {
        match (&self.stored, &self.source) {
            (Some(log), _) => log.len() as usize,
            (None, Some(_)) => self.known,
            (None, None) => self.reached.len(),
        }
    }

    /// Whether there are no structures.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The structures in memory.
    #[must_use]
    pub fn in_memory(&self) -> &FormSet {
        &self.reached
    }
}

/// Record of a structure.
pub enum PoolRecord<'a> {
    /// In memory.
    InMemory(Record<'a>),
    /// Read from disk or from elsewhere.
    Read(LoggedRecord),
}

impl PoolRecord<'_> {
    /// The record.
    #[must_use]
    pub fn get(&self) -> Record<'_> {
        match self {
            PoolRecord::InMemory(record) => *record,
            PoolRecord::Read(record) => record.get(),
        }
    }
}

/// All structures.
#[derive(Default)]
pub struct Pools {
    pools: Vec<StructurePool>,
    /// Forms of the structures on disk, behind the numbers of their pools.
    known: KnownForms,
    /// Whether the structures are on disk.
    is_stored: bool,
}

impl Pools {
    /// Creates the pool of a class, behind the others, whose structures are elsewhere: `old` ones
    /// from before the last iteration, `known` ones in all.
    pub fn add_source(
        &mut self,
        class: &str,
        (old, known): (usize, usize),
        source: Arc<dyn StructureSource>,
    ) {
        let mut pool = StructurePool::new(class);
        (pool.old, pool.known, pool.source) = (old, known, Some(source));
        self.pools.push(pool);
    }

    /// Copies pools that are in memory.
    pub(super) fn copy_in_memory(&self) -> Pools {
        debug_assert!(!self.is_stored, "structures on disk have one owner");
        let pools = self.pools.iter().map(|pool| StructurePool {
            class: pool.class.clone(),
            reached: pool.reached.clone(),
            stored: None,
            source: pool.source.clone(),
            ..*pool
        });
        Pools {
            pools: pools.collect(),
            ..Pools::default()
        }
    }

    /// Iterates over the pools, in the order of their first structures.
    pub fn iter(&self) -> impl Iterator<Item = &StructurePool> {
        self.pools.iter()
    }

    /// Number of pools.
    pub fn len(&self) -> usize {
        self.pools.len()
    }

    /// Whether there are no pools.
    pub fn is_empty(&self) -> bool {
        self.pools.is_empty()
    }

    /// Adds the structures of other pools in memory, which are not present yet, in their order.
    pub fn absorb(&mut self, other: &Pools, matching: bool) {
        for pool in other.iter() {
            let into = self.enter(&pool.class);
            for record in pool.reached.from(0) {
                let hash = FormSet::hash(record.form.compared);
                self.insert(into, hash, record.form, record.origin, matching);
            }
        }
    }

    /// Forms of the structures on disk.
    pub(super) fn known_forms(&self) -> &KnownForms {
        &self.known
    }

    /// Replaces the structures in memory by logs of them, one for each pool, with their forms.
    pub(super) fn store(&mut self, logs: Vec<RecordLog>, forms: Option<SortedRun>) {
        for (pool, log) in self.pools.iter_mut().zip(logs) {
            pool.reached = FormSet::default();
            pool.stored = Some(log);
        }
        forms.into_iter().for_each(|forms| self.known.add(forms));
        self.is_stored = true;
    }

    /// The structures on disk by pool, and their forms.
    pub(super) fn stored(&mut self) -> (Vec<&mut RecordLog>, &mut KnownForms) {
        let logs = self.pools.iter_mut();
        let logs = logs.filter_map(|pool| pool.stored.as_mut()).collect();
        (logs, &mut self.known)
    }

    /// Creates the pool of a class on disk if necessary.
    ///
    /// # Errors
    /// The folder cannot be written.
    pub(super) fn enter_stored(
        &mut self,
        class: &str,
        folder: &Arc<SpillFolder>,
    ) -> Result<(), SpillError> {
        if self.find(class).is_none() {
            let mut pool = StructurePool::new(class);
            pool.stored = Some(RecordLog::new(folder)?);
            self.pools.push(pool);
        }
        Ok(())
    }

    /// Size of the structures on disk in bytes.
    pub(super) fn disk_size(&self) -> u64 {
        let logs = self.pools.iter().filter_map(|pool| pool.stored.as_ref());
        logs.map(RecordLog::size).sum()
    }

    /// A number of a structure that no other structure of its pool has; `None` if the pool has no
    /// such structure.
    ///
    /// # Errors
    /// The files are damaged or cannot be read.
    pub fn place_of(&self, pool: usize, compared: &[u8]) -> Result<Option<usize>, SpillError> {
        if !self.is_stored {
            return Ok(self.pools[pool].reached.place_of(compared));
        }
        let place = self.known.place_of(&key_of(pool, compared))?;
        Ok(place.map(|place| place as usize))
    }

    /// Returns the pool with a number.
    pub fn get(&self, pool: u32) -> &StructurePool {
        &self.pools[pool as usize]
    }

    /// Returns the number of the pool of a class.
    pub fn find(&self, class: &str) -> Option<usize> {
        self.pools.iter().position(|pool| &*pool.class == class)
    }

    /// Returns the number of the pool of a class and creates the pool if necessary.
    pub fn enter(&mut self, class: &str) -> usize {
        self.find(class).unwrap_or_else(|| {
            self.pools.push(StructurePool::new(class));
            self.pools.len() - 1
        })
    }

    /// Returns the record of a structure, if there is one.
    ///
    /// # Errors
    /// The files are damaged or cannot be read.
    pub fn record(&self, built: StructureRef) -> Result<Option<PoolRecord<'_>>, SpillError> {
        let pool = self.get(built.pool);
        Ok(match (&pool.stored, &pool.source) {
            (Some(log), _) => log.get(built.index.into())?.map(PoolRecord::Read),
            (None, Some(source)) => source.record(built.index.into())?.map(PoolRecord::Read),
            (None, None) => {
                let record = pool.reached.get(built.index as usize);
                record.map(PoolRecord::InMemory)
            }
        })
    }

    /// Whether a pool in memory contains a structure.
    pub fn contains(&self, pool: usize, hash: u64, compared: &[u8]) -> bool {
        self.pools[pool].reached.contains(hash, compared)
    }

    /// Inserts a structure into a pool in memory if it is new, or in any case without matching.
    /// Returns whether it was inserted.
    pub fn insert(
        &mut self,
        pool: usize,
        hash: u64,
        form: CanonicalForm<'_>,
        origin: &[u8],
        matching: bool,
    ) -> bool {
        let reached = &mut self.pools[pool].reached;
        if matching {
            return reached.insert(hash, form, origin);
        }
        reached.append(form, origin);
        true
    }

    /// Begins an iteration: the structures of the last one become new, all others old. Returns
    /// whether any structure is new.
    pub fn begin_iteration(&mut self) -> bool {
        let mut has_new = false;
        for pool in &mut self.pools {
            pool.old = pool.known;
            pool.known = pool.len();
            has_new |= pool.known > pool.old;
        }
        has_new
    }

    /// Number of new structures.
    pub fn new_structures(&self) -> usize {
        self.pools.iter().map(|pool| pool.known - pool.old).sum()
    }

    /// Marks all structures as new, except the first ones of each pool that `old` counts.
    pub fn mark_new(&mut self, old: &[usize]) {
        for (number, pool) in self.pools.iter_mut().enumerate() {
            pool.old = old.get(number).copied().unwrap_or(0);
            pool.known = pool.len();
        }
    }

    /// Restricts each pool to its first `most` structures.
    pub fn limit(&mut self, most: usize) {
        for pool in &mut self.pools {
            pool.known = pool.known.min(most);
            pool.old = pool.old.min(most);
        }
    }

    /// Number of structures in each pool.
    pub fn lengths(&self) -> Vec<usize> {
        self.pools.iter().map(|pool| pool.len()).collect()
    }

    /// Memory in use, in bytes.
    pub fn memory(&self) -> u64 {
        let of_pool = |pool: &StructurePool| {
            let log = pool.stored.as_ref().map_or(0, RecordLog::memory);
            pool.reached.memory() + log
        };
        self.pools.iter().map(of_pool).sum::<u64>() + self.known.memory()
    }
}
