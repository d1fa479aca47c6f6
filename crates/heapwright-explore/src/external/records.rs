//! Records as one byte string, in order.

use std::sync::Arc;

use crate::canonical::CanonicalForm;
use crate::reached::{self, Record};

/// Records that are written.
#[derive(Default)]
pub struct RecordBytes {
    bytes: Vec<u8>,
}

impl RecordBytes {
    /// Appends a record.
    pub fn append(&mut self, form: CanonicalForm<'_>, origin: &[u8]) {
        reached::put_record(&mut self.bytes, form, origin);
    }

    /// The records as a byte string.
    #[must_use]
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }
}

/// Records that are read.
pub struct RecordBlock {
    bytes: Vec<u8>,
    starts: Vec<u32>,
}

impl RecordBlock {
    /// Creates a block from the byte string of its records, less than 4 GiB.
    #[must_use]
    pub fn new(bytes: Vec<u8>) -> RecordBlock {
        let mut starts = Vec::new();
        let mut at = 0;
        while at < bytes.len() {
            starts.push(at as u32);
            at = reached::record(&bytes, at).1;
        }
        RecordBlock { bytes, starts }
    }

    /// Number of records.
    #[must_use]
    pub fn len(&self) -> usize {
        self.starts.len()
    }

    /// Whether there are no records.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.starts.is_empty()
    }

    /// Memory in use in bytes.
    #[must_use]
    pub fn memory(&self) -> usize {
        self.bytes.capacity() + self.starts.capacity() * size_of::<u32>()
    }

    /// Iterates over the records in order.
    pub fn iter(&self) -> impl Iterator<Item = Record<'_>> {
        let starts = self.starts.iter();
        starts.map(|&start| reached::record(&self.bytes, start as usize).0)
    }
}

/// Record of a block.
#[derive(Clone)]
pub struct LoggedRecord {
    block: Arc<RecordBlock>,
    start: usize,
}

impl LoggedRecord {
    /// Record of a block with this number, if there is one.
    #[must_use]
    pub fn of(block: &Arc<RecordBlock>, number: usize) -> Option<LoggedRecord> {
        let start = *block.starts.get(number)? as usize;
        let block = Arc::clone(block);
        Some(LoggedRecord { block, start })
    }

    /// The record.
    #[must_use]
    pub fn get(&self) -> Record<'_> {
        reached::record(&self.block.bytes, self.start).0
    }
}
