//! Files of blocks with checksums.

use std::fs::File;
use std::io::{ErrorKind, Read, Seek, SeekFrom, Write};
use std::sync::{Arc, Mutex, PoisonError};

use super::{SpillError, SpillFolder};

/// Size in bytes from which a block is written.
pub const BLOCK: usize = 1 << 14;
/// Bytes before each block: its length and its checksum.
const HEAD: usize = 8;

/// File of blocks, which is removed with this value.
pub struct BlockFile {
    folder: Arc<SpillFolder>,
    file: Mutex<File>,
    /// Size in bytes.
    end: u64,
    /// Block with its head, while it is written.
    framed: Vec<u8>,
}

impl BlockFile {
    /// Creates an empty file.
    ///
    /// # Errors
    /// The folder is missing or cannot be written.
    pub fn new(folder: &Arc<SpillFolder>) -> Result<BlockFile, SpillError> {
        let file = tempfile::tempfile_in(&folder.path);
        Ok(BlockFile {
            folder: Arc::clone(folder),
            file: Mutex::new(file.map_err(|error| folder.failed_to_write(&error))?),
            end: 0,
            framed: Vec::new(),
        })
    }

    /// Size in bytes.
    pub fn size(&self) -> u64 {
        self.end
    }

    /// Appends a block and returns its place.
    ///
    /// # Errors
    /// The disk is full, or the file cannot be written.
    pub fn append(&mut self, block: &[u8]) -> Result<u64, SpillError> {
        self.framed.clear();
        self.framed
            .extend_from_slice(&(block.len() as u32).to_le_bytes());
        self.framed
            .extend_from_slice(&crc32fast::hash(block).to_le_bytes());
        self.framed.extend_from_slice(block);
        let place = self.end;
        let file = self.file.get_mut().unwrap_or_else(PoisonError::into_inner);
        let written = file
            .seek(SeekFrom::Start(place))
            .and_then(|_| file.write_all(&self.framed));
        written.map_err(|error| self.folder.failed_to_write(&error))?;
        let size = self.framed.len() as u64;
        self.end += size;
        self.folder.grow(size);
        Ok(place)
    }

    /// Reads the block at a place.
    ///
    /// # Errors
    /// The block is damaged, or the file cannot be read.
    pub fn read(&self, place: u64, block: &mut Vec<u8>) -> Result<(), SpillError> {
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        let mut head = [0; HEAD];
        let read = file.seek(SeekFrom::Start(place)).and_then(|_| {
            file.read_exact(&mut head)?;
            let [a, b, c, d, ..] = head;
            let length = u64::from(u32::from_le_bytes([a, b, c, d]));
            if length > self.end {
                return Err(ErrorKind::InvalidData.into());
            }
            block.clear();
            block.resize(length as usize, 0);
            file.read_exact(block)
        });
        drop(file);
        let [.., a, b, c, d] = head;
        match read {
            Ok(()) if crc32fast::hash(block) == u32::from_le_bytes([a, b, c, d]) => Ok(()),
            Err(error)
                if !matches!(
                    error.kind(),
                    ErrorKind::UnexpectedEof | ErrorKind::InvalidData
                ) =>
            {
                Err(self.folder.failed_to_read(error))
            }
            _ => Err(self.folder.failed_to_read("a temporary file is damaged")),
        }
    }

    /// Removes all blocks from this place on.
    ///
    /// # Errors
    /// The file cannot be changed.
    pub fn truncate(&mut self, place: u64) -> Result<(), SpillError> {
        let file = self.file.get_mut().unwrap_or_else(PoisonError::into_inner);
        let cut = file.set_len(place);
        cut.map_err(|error| self.folder.failed_to_write(&error))?;
        self.folder.shrink(self.end - place);
        self.end = place;
        Ok(())
    }

    /// Changes a byte.
    #[cfg(test)]
    pub fn damage(&mut self, place: u64) {
        let file = self.file.get_mut().unwrap();
        let mut byte = [0];
        file.seek(SeekFrom::Start(place)).unwrap();
        file.read_exact(&mut byte).unwrap();
        file.seek(SeekFrom::Start(place)).unwrap();
        file.write_all(&[!byte[0]]).unwrap();
    }
}

impl Drop for BlockFile {
    fn drop(&mut self) {
        self.folder.shrink(self.end);
    }
}
