//! Sets of canonical forms that are larger than memory, in files.
//!
//! Duplicates are detected late, as in external-memory breadth-first search (Munagala and Ranade
//! 1999; Korf 2004): [`Candidates`] collects forms in memory and writes them as sorted runs. From
//! time to time, one pass over all runs and the sorted runs of the [`KnownForms`] tells which are
//! new. These go to a [`RecordLog`], in the order in which they were added.
//!
//! Several processes detect duplicates together if each owns the forms of a range of hashes
//! ([`divide`], [`settle`]), as in parallel breadth-first search (Stern and Dill 1995; Korf and
//! Schultze 2005).
//!
//! **Invariant: equality of all bytes decides.** No digest stands for a form.
//!
//! **Invariant: the system removes the files, however the process ends.** They have no name where
//! the system allows that. Every block has a checksum, so that damage is an error and never a
//! result.

mod blocks;
mod candidates;
mod exchange;
mod known;
mod log;
mod records;
mod run;
#[cfg(test)]
mod tests;

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use thiserror::Error;

pub use candidates::Candidates;
pub use exchange::{OwnerRange, divide, settle};
pub use known::KnownForms;
pub use log::RecordLog;
pub use records::{LoggedRecord, RecordBlock, RecordBytes};
pub use run::SortedRun;

/// Reason why a set on disk cannot go on.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum SpillError {
    /// A file cannot be created or written.
    #[error("failed to write structures into {folder}, with {} there: {reason}", bytes(*.written))]
    Write {
        /// Folder of the files.
        folder: String,
        /// Bytes on disk before.
        written: u64,
        /// The system's reason.
        reason: String,
    },
    /// A file cannot be read.
    #[error("failed to read structures back from {folder}: {reason}")]
    Read {
        /// Folder of the files.
        folder: String,
        /// The system's reason, or that the contents are damaged.
        reason: String,
    },
    /// A log has as many records as can be numbered.
    #[error("more than 4,294,967,295 structures of a class cannot be numbered")]
    TooMany,
    /// The user stopped the run.
    #[error("stopped while structures were compared")]
    Stopped,
}

/// Says whether the run is to stop.
pub type StopQuestion = Arc<dyn Fn() -> bool + Send + Sync>;

/// Formats a size for messages.
fn bytes(count: u64) -> String {
    match count {
        0..0x10_0000 => format!("{} KiB", count >> 10),
        0x10_0000..0x4000_0000 => format!("{} MiB", count >> 20),
        _ => format!("{:.1} GiB", count as f64 / f64::from(1 << 30)),
    }
}

/// Folder of the files of a set, and the sizes of these.
#[derive(Debug)]
pub struct SpillFolder {
    path: PathBuf,
    in_use: AtomicU64,
    peak: AtomicU64,
}

impl SpillFolder {
    /// Creates a description of a folder, which must exist when the first file is written.
    #[must_use]
    pub fn new(path: &Path) -> Arc<SpillFolder> {
        Arc::new(SpillFolder {
            path: path.to_owned(),
            in_use: AtomicU64::new(0),
            peak: AtomicU64::new(0),
        })
    }

    /// Size of all files in bytes.
    #[must_use]
    pub fn in_use(&self) -> u64 {
        self.in_use.load(Ordering::Relaxed)
    }

    /// Greatest size of all files so far in bytes.
    #[must_use]
    pub fn peak(&self) -> u64 {
        self.peak.load(Ordering::Relaxed)
    }

    fn grow(&self, bytes: u64) {
        let after = self.in_use.fetch_add(bytes, Ordering::Relaxed) + bytes;
        self.peak.fetch_max(after, Ordering::Relaxed);
    }

    fn shrink(&self, bytes: u64) {
        self.in_use.fetch_sub(bytes, Ordering::Relaxed);
    }

    fn failed_to_write(&self, error: &io::Error) -> SpillError {
        SpillError::Write {
            folder: self.path.display().to_string(),
            written: self.in_use(),
            reason: error.to_string(),
        }
    }

    fn failed_to_read(&self, reason: impl ToString) -> SpillError {
        SpillError::Read {
            folder: self.path.display().to_string(),
            reason: reason.to_string(),
        }
    }
}
