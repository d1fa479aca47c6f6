//! Records on disk, in the order in which they were added.

use std::sync::{Arc, Mutex, PoisonError};

use super::blocks::{BLOCK, BlockFile};
use super::{LoggedRecord, RecordBlock, SpillError, SpillFolder};
use crate::canonical::CanonicalForm;
use crate::reached::{self, Record};

/// Blocks that are retained after they were read.
const CACHED: usize = 64;

/// Records in a file.
pub struct RecordLog {
    file: BlockFile,
    /// Place of each block, and the number of its first record.
    blocks: Vec<(u64, u64)>,
    /// Records that are not written yet, and the number of the first.
    open: Vec<u8>,
    open_first: u64,
    len: u64,
    /// The block at `number % CACHED` that was last read, with its number.
    cache: Mutex<Vec<Option<CachedBlock>>>,
}

/// Block, with its number.
type CachedBlock = (usize, Arc<RecordBlock>);

impl RecordLog {
    /// Creates an empty log.
    ///
    /// # Errors
    /// The folder cannot be written.
    pub fn new(folder: &Arc<SpillFolder>) -> Result<RecordLog, SpillError> {
        Ok(RecordLog {
            file: BlockFile::new(folder)?,
            blocks: Vec::new(),
            open: Vec::new(),
            open_first: 0,
            len: 0,
            cache: Mutex::new(vec![None; CACHED]),
        })
    }

    /// Number of records.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.len
    }

    /// Whether there are no records.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Size on disk in bytes.
    #[must_use]
    pub fn size(&self) -> u64 {
        self.file.size()
    }

    /// Memory in use in bytes, without the cache of constant size.
    #[must_use]
    pub fn memory(&self) -> u64 {
        (self.open.capacity() + self.blocks.capacity() * size_of::<(u64, u64)>()) as u64
    }

    /// Appends a record.
    ///
    /// # Errors
    /// The disk is full, or the file cannot be written.
    pub fn append(&mut self, form: CanonicalForm<'_>, origin: &[u8]) -> Result<(), SpillError> {
        reached::put_record(&mut self.open, form, origin);
        self.len += 1;
        match self.open.len() >= BLOCK {
            true => self.seal(),
            false => Ok(()),
        }
    }

    /// Writes the records that are only in memory.
    ///
    /// # Errors
    /// The disk is full, or the file cannot be written.
    pub fn seal(&mut self) -> Result<(), SpillError> {
        if self.open.is_empty() {
            return Ok(());
        }
        let place = self.file.append(&self.open)?;
        self.blocks.push((place, self.open_first));
        self.open.clear();
        self.open_first = self.len;
        Ok(())
    }

    /// Removes all records from number `len` on, with which a block begins since the log was sealed
    /// there.
    ///
    /// # Errors
    /// The file cannot be changed.
    pub fn truncate(&mut self, len: u64) -> Result<(), SpillError> {
        let kept = self.blocks.partition_point(|&(_, first)| first < len);
        if let Some(&(place, first)) = self.blocks.get(kept) {
            debug_assert_eq!(first, len, "the log was sealed there");
            self.file.truncate(place)?;
        }
        self.blocks.truncate(kept);
        self.open.clear();
        (self.open_first, self.len) = (len, len);
        let cache = self.cache.get_mut();
        cache.unwrap_or_else(PoisonError::into_inner).fill(None);
        Ok(())
    }

    /// Record with this number, if there is one.
    ///
    /// # Errors
    /// The file is damaged or cannot be read.
    pub fn get(&self, number: u64) -> Result<Option<LoggedRecord>, SpillError> {
        if number >= self.len {
            return Ok(None);
        }
        let (block, first) = match number >= self.open_first {
            true => {
                let block = Arc::new(RecordBlock::new(self.open.clone()));
                (block, self.open_first)
            }
            false => {
                let index = self.blocks.partition_point(|&(_, first)| first <= number) - 1;
                (self.block(index)?, self.blocks[index].1)
            }
        };
        Ok(LoggedRecord::of(&block, (number - first) as usize))
    }

    fn block(&self, index: usize) -> Result<Arc<RecordBlock>, SpillError> {
        let lock = || self.cache.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((number, block)) = &lock()[index % CACHED]
            && *number == index
        {
            return Ok(Arc::clone(block));
        }
        let mut bytes = Vec::new();
        self.file.read(self.blocks[index].0, &mut bytes)?;
        let block = Arc::new(RecordBlock::new(bytes));
        lock()[index % CACHED] = Some((index, Arc::clone(&block)));
        Ok(block)
    }

    /// Visits all records in order.
    ///
    /// # Errors
    /// The file is damaged or cannot be read, or `visit` fails.
    pub fn scan(
        &self,
        mut visit: impl FnMut(Record<'_>) -> Result<(), SpillError>,
    ) -> Result<(), SpillError> {
        let mut block = Vec::new();
        let mut each = |bytes: &[u8]| {
            let mut at = 0;
            while at < bytes.len() {
                let (record, next) = reached::record(bytes, at);
                visit(record)?;
                at = next;
            }
            Ok(())
        };
        for &(place, _) in &self.blocks {
            self.file.read(place, &mut block)?;
            each(&block)?;
        }
        each(&self.open)
    }

    /// Changes a byte of the file.
    #[cfg(test)]
    pub fn damage(&mut self, place: u64) {
        self.file.damage(place);
    }
}
