//! The folder in which a program runs: it sees the host's files below, and changes copies in memory.
//!
//! Invariant: what was read once stays as it was, whatever becomes of the host's file; links that lead
//! out of the folder are not there.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use super::{Attributes, number_of};
use crate::natives::START_MILLIS;

/// Folder of the host in which a program runs.
#[derive(Clone, Debug)]
pub(super) struct WorkingFolder {
    /// Absolute path, as the program sees it.
    path: PathBuf,
    /// The same without links.
    canonical: PathBuf,
    /// Contents of files that were read, by path.
    contents: Arc<Mutex<BTreeMap<String, Arc<Vec<u8>>>>>,
}

impl WorkingFolder {
    /// # Errors
    /// There is no such folder.
    pub fn new(path: &Path) -> std::io::Result<WorkingFolder> {
        let canonical = path.canonicalize()?;
        if !canonical.is_dir() {
            return Err(std::io::ErrorKind::NotADirectory.into());
        }
        let has_parent = path
            .components()
            .any(|part| part == std::path::Component::ParentDir);
        Ok(WorkingFolder {
            // Paths of programs are normalised.
            path: match has_parent {
                true => canonical.clone(),
                false => std::path::absolute(path)?,
            },
            canonical,
            contents: Arc::default(),
        })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whether a normalised path is in the folder.
    pub fn covers(&self, path: &str) -> bool {
        Path::new(path).starts_with(&self.path)
    }

    /// The folder around it, unless that is the root of all.
    pub fn around(&self) -> Option<&Path> {
        self.path
            .parent()
            .filter(|around| around.parent().is_some())
    }

    fn leads_out(&self, path: &Path) -> bool {
        let target = path.canonicalize();
        target.map_or(true, |target| !target.starts_with(&self.canonical))
    }

    /// Attributes of the host's file at a path. All were written when the program starts: other times
    /// would make runs differ.
    pub fn attributes(&self, path: &str) -> Option<Attributes> {
        if self.leads_out(Path::new(path)) {
            return None;
        }
        let metadata = fs::metadata(path).ok()?;
        let is_folder = metadata.is_dir();
        Some(Attributes {
            is_folder,
            length: match self.content_read(path) {
                Some(content) => content.len() as u64,
                None if is_folder => 4096,
                None => metadata.len(),
            },
            modified: START_MILLIS as i64,
            permissions: if is_folder { 0o755 } else { 0o644 },
            number: number_of(path),
            is_installed: true,
        })
    }

    /// Names in the host's folder at a path.
    pub fn names(&self, path: &str) -> Vec<String> {
        let entries = fs::read_dir(path).into_iter().flatten().flatten();
        let entries = entries.filter(|entry| {
            let is_link = entry.file_type().is_ok_and(|kind| kind.is_symlink());
            !is_link || !self.leads_out(&entry.path())
        });
        entries
            .map(|entry| entry.file_name().to_string_lossy().into_owned())
            .collect()
    }

    fn content_read(&self, path: &str) -> Option<Arc<Vec<u8>>> {
        let contents = self.contents.lock();
        let contents = contents.unwrap_or_else(PoisonError::into_inner);
        contents.get(path).cloned()
    }

    /// Content of the host's file at a path, as it was when it was read first.
    pub fn content(&self, path: &str) -> std::io::Result<Arc<Vec<u8>>> {
        if let Some(content) = self.content_read(path) {
            return Ok(content);
        }
        let content = Arc::new(fs::read(path)?);
        let contents = self.contents.lock();
        let mut contents = contents.unwrap_or_else(PoisonError::into_inner);
        Ok(contents.entry(path.to_owned()).or_insert(content).clone())
    }
}
