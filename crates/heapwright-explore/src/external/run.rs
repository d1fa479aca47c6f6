//! Sorted runs: strings in ascending order, each without the prefix that it shares with the one
//! before it, and with a number if the run has numbers.

use std::cmp::Ordering;
use std::sync::Arc;

use super::blocks::{BLOCK, BlockFile};
use super::{SpillError, SpillFolder};
use crate::reached::{put_length, take_length};

/// Different strings in ascending order.
pub struct SortedRun {
    file: BlockFile,
    blocks: Vec<RunBlock>,
    /// Memory of the blocks' first strings in bytes.
    key_bytes: usize,
    has_numbers: bool,
    len: u64,
}

/// Block of a run; its first string is whole.
struct RunBlock {
    place: u64,
    /// Position of its first string in the run.
    first: u64,
    key: Box<[u8]>,
}

/// Run that is being written.
pub struct RunWriter {
    run: SortedRun,
    block: Vec<u8>,
    /// First string of the block, and its position in the run.
    first: (Box<[u8]>, u64),
    last: Vec<u8>,
}

impl RunWriter {
    /// Creates an empty run.
    ///
    /// # Errors
    /// The folder cannot be written.
    pub fn new(folder: &Arc<SpillFolder>, has_numbers: bool) -> Result<RunWriter, SpillError> {
        Ok(RunWriter {
            run: SortedRun {
                file: BlockFile::new(folder)?,
                blocks: Vec::new(),
                key_bytes: 0,
                has_numbers,
                len: 0,
            },
            block: Vec::new(),
            first: (Box::default(), 0),
            last: Vec::new(),
        })
    }

    /// Appends a string greater than all before it; `number` is ignored in a run without numbers.
    ///
    /// # Errors
    /// The disk is full, or the file cannot be written.
    pub fn push(&mut self, key: &[u8], number: u64) -> Result<(), SpillError> {
        debug_assert!(self.run.len == 0 || *key > *self.last, "ascending strings");
        let shared = match self.block.is_empty() {
            true => {
                self.first = (key.into(), self.run.len);
                0
            }
            false => {
                let pairs = key.iter().zip(&self.last);
                pairs.take_while(|(one, other)| one == other).count()
            }
        };
        put_length(&mut self.block, shared);
        put_length(&mut self.block, key.len() - shared);
        self.block.extend_from_slice(&key[shared..]);
        if self.run.has_numbers {
            put_length(&mut self.block, number as usize);
        }
        self.last.clear();
        self.last.extend_from_slice(key);
        self.run.len += 1;
        match self.block.len() >= BLOCK {
            true => self.write_block(),
            false => Ok(()),
        }
    }

    fn write_block(&mut self) -> Result<(), SpillError> {
        let place = self.run.file.append(&self.block)?;
        let (key, first) = std::mem::take(&mut self.first);
        self.run.add_block(RunBlock { place, first, key });
        self.block.clear();
        Ok(())
    }

    /// Ends the run.
    ///
    /// # Errors
    /// The disk is full, or the file cannot be written.
    pub fn finish(mut self) -> Result<SortedRun, SpillError> {
        if !self.block.is_empty() {
            self.write_block()?;
        }
        Ok(self.run)
    }
}

impl SortedRun {
    /// Number of strings.
    pub fn len(&self) -> u64 {
        self.len
    }

    /// Whether there are no strings.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Size on disk in bytes.
    pub fn size(&self) -> u64 {
        self.file.size()
    }

    /// Memory in use in bytes.
    pub fn memory(&self) -> u64 {
        (self.blocks.capacity() * size_of::<RunBlock>() + self.key_bytes) as u64
    }

    fn add_block(&mut self, block: RunBlock) {
        self.key_bytes += block.key.len();
        self.blocks.push(block);
    }

    /// Cursor at the first string.
    ///
    /// # Errors
    /// The file is damaged or cannot be read.
    pub fn cursor(&self) -> Result<RunCursor<'_>, SpillError> {
        let mut cursor = self.before_first();
        cursor.next()?;
        Ok(cursor)
    }

    /// Cursor before the first string.
    fn before_first(&self) -> RunCursor<'_> {
        RunCursor {
            run: self,
            next_block: 0,
            block: Vec::new(),
            at: 0,
            key: Vec::new(),
            number: 0,
            position: 0,
            is_over: self.is_empty(),
        }
    }

    /// Position of a string in the run.
    ///
    /// # Errors
    /// The file is damaged or cannot be read.
    pub fn position_of(&self, key: &[u8]) -> Result<Option<u64>, SpillError> {
        let mut cursor = self.before_first();
        Ok(match cursor.seek(key)? {
            true => Some(cursor.position - 1),
            false => None,
        })
    }

    /// The run as a byte string: whether it has numbers, then each block behind its length.
    ///
    /// # Errors
    /// The file is damaged or cannot be read.
    pub fn to_bytes(&self) -> Result<Vec<u8>, SpillError> {
        let mut bytes = Vec::with_capacity(self.size() as usize + 1);
        bytes.push(u8::from(self.has_numbers));
        let mut block = Vec::new();
        for RunBlock { place, .. } in &self.blocks {
            self.file.read(*place, &mut block)?;
            put_length(&mut bytes, block.len());
            bytes.extend_from_slice(&block);
        }
        Ok(bytes)
    }

    /// Creates a run from a byte string of [`SortedRun::to_bytes`], which is not damaged.
    ///
    /// # Errors
    /// The disk is full, or the folder cannot be written.
    pub fn from_bytes(bytes: &[u8], folder: &Arc<SpillFolder>) -> Result<SortedRun, SpillError> {
        let has_numbers = bytes.first() == Some(&1);
        let mut run = RunWriter::new(folder, has_numbers)?.run;
        let mut at = 1;
        while at < bytes.len() {
            let length = take_length(bytes, &mut at);
            let block = &bytes[at..at + length];
            at += length;
            let place = run.file.append(block)?;
            let (first, mut key) = (run.len, None);
            let mut within = 0;
            while within < block.len() {
                take_length(block, &mut within);
                let length = take_length(block, &mut within);
                let string = &block[within..within + length];
                key.get_or_insert(string);
                within += length;
                if has_numbers {
                    take_length(block, &mut within);
                }
                run.len += 1;
            }
            let key = key.unwrap_or_default().into();
            run.add_block(RunBlock { place, first, key });
        }
        Ok(run)
    }

    /// Changes a byte of the file.
    #[cfg(test)]
    pub fn damage(&mut self, place: u64) {
        self.file.damage(place);
    }
}

/// Place in a run, which only moves on.
pub struct RunCursor<'a> {
    run: &'a SortedRun,
    next_block: usize,
    block: Vec<u8>,
    at: usize,
    key: Vec<u8>,
    number: u64,
    /// Position behind the current string.
    position: u64,
    is_over: bool,
}

impl RunCursor<'_> {
    /// The current string; `None` at the end of the run.
    pub fn key(&self) -> Option<&[u8]> {
        (!self.is_over).then_some(&self.key)
    }

    /// Number of the current string.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// Moves to the next string.
    ///
    /// # Errors
    /// The file is damaged or cannot be read.
    pub fn next(&mut self) -> Result<(), SpillError> {
        if self.at == self.block.len() {
            let Some(block) = self.run.blocks.get(self.next_block) else {
                self.is_over = true;
                return Ok(());
            };
            self.run.file.read(block.place, &mut self.block)?;
            (self.at, self.position) = (0, block.first);
            self.next_block += 1;
        }
        let shared = take_length(&self.block, &mut self.at);
        let length = take_length(&self.block, &mut self.at);
        self.key.truncate(shared);
        self.key
            .extend_from_slice(&self.block[self.at..self.at + length]);
        self.at += length;
        if self.run.has_numbers {
            self.number = take_length(&self.block, &mut self.at) as u64;
        }
        self.position += 1;
        Ok(())
    }

    /// Moves to the first string, from the current one on, that is not below `key`. Returns whether
    /// it is `key`. Blocks that cannot have it are not read.
    ///
    /// # Errors
    /// The file is damaged or cannot be read.
    pub fn seek(&mut self, key: &[u8]) -> Result<bool, SpillError> {
        let later = &self.run.blocks[self.next_block..];
        if later.first().is_some_and(|block| *block.key <= *key) {
            let passed = later.partition_point(|block| *block.key <= *key);
            self.next_block += passed - 1;
            self.at = self.block.len();
            self.next()?;
        }
        while !self.is_over {
            match self.key.as_slice().cmp(key) {
                Ordering::Less => self.next()?,
                Ordering::Equal => return Ok(true),
                Ordering::Greater => return Ok(false),
            }
        }
        Ok(false)
    }
}
