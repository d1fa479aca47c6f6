//! The class path of a job, as files in its storage: a jar is copied, a folder is packed.

use std::fs::{self, File};
use std::io::{Cursor, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, ensure};
use heapwright_jvm::Config;
use heapwright_jvm::classpath::ClassPath;
use serde::{Deserialize, Serialize};
use tempfile::TempDir;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipArchive, ZipWriter};

use super::{Job, Store, sha256};

/// Folders of the class path's files, and of those that only tests need.
pub const CLASSES: &str = "classes";
pub const TEST_CLASSES: &str = "test-classes";

/// Entry of the class path in the storage.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CopiedEntry {
    /// Name of the object: a jar, or a packed folder.
    pub file: String,
    /// Whether it is a packed folder.
    pub is_folder: bool,
    /// SHA-256 of the object.
    pub sha256: String,
}

/// Copies the entries of a class path into a folder of the storage.
///
/// # Errors
/// An entry cannot be read, or the storage does not take it.
pub fn copy(
    store: &Store,
    config: &Config,
    paths: &[PathBuf],
    folder: &str,
) -> anyhow::Result<Vec<CopiedEntry>> {
    let class_path = ClassPath::open(paths, &[], config.jdk.feature)?;
    let mut entries = Vec::new();
    for (number, path) in class_path.paths().enumerate() {
        let is_folder = path.is_dir();
        let read = || format!("failed to read {}", path.display());
        let content = match is_folder {
            true => pack(path)?,
            false => fs::read(path).with_context(read)?,
        };
        let kind = if is_folder { "zip" } else { "jar" };
        let file = format!("{folder}/{number:03}.{kind}");
        let entry = CopiedEntry {
            sha256: sha256(&content),
            file,
            is_folder,
        };
        store.put(&entry.file, content)?;
        entries.push(entry);
    }
    Ok(entries)
}

/// Archive of the files of a folder, in the order of their names.
fn pack(folder: &Path) -> anyhow::Result<Vec<u8>> {
    let mut files = Vec::new();
    list(folder, &mut files)?;
    files.sort();
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default()
        .compression_method(CompressionMethod::Deflated)
        .last_modified_time(zip::DateTime::default());
    for file in files {
        let name = file
            .strip_prefix(folder)?
            .to_string_lossy()
            .replace('\\', "/");
        archive.start_file(name, options)?;
        let content = fs::read(&file);
        let content = content.with_context(|| format!("failed to read {}", file.display()))?;
        archive.write_all(&content)?;
    }
    Ok(archive.finish()?.into_inner())
}

/// Files of a folder and below.
fn list(folder: &Path, files: &mut Vec<PathBuf>) -> anyhow::Result<()> {
    let read = || format!("failed to read the folder {}", folder.display());
    for entry in fs::read_dir(folder).with_context(read)? {
        let path = entry.with_context(read)?.path();
        match path.is_dir() {
            true => list(&path, files)?,
            false => files.push(path),
        }
    }
    Ok(())
}

/// Class path of a job on this machine.
pub struct LocalClasses {
    /// Folders and jars.
    pub paths: Vec<PathBuf>,
    /// Those that only tests need.
    pub test_paths: Vec<PathBuf>,
    /// Folder that holds them, removed in the end.
    _folder: TempDir,
}

impl LocalClasses {
    /// Copies the class path of a job to this machine.
    ///
    /// # Errors
    /// A file is not what was planned, or cannot be written.
    pub fn fetch(job: &Job) -> anyhow::Result<LocalClasses> {
        let made = tempfile::Builder::new().prefix("heapwright-job-").tempdir();
        let folder = made.context("failed to make a folder for the class path")?;
        Ok(LocalClasses {
            paths: fetch(job, &job.plan.class_path, folder.path())?,
            test_paths: fetch(job, &job.plan.test_class_path, folder.path())?,
            _folder: folder,
        })
    }
}

/// Copies entries of a class path into a folder of this machine.
fn fetch(job: &Job, entries: &[CopiedEntry], folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let mut paths = Vec::new();
    for entry in entries {
        let place = format!("{}/{}", job.store.place(), entry.file);
        let content = job.store.get(&entry.file)?;
        let content = content.with_context(|| {
            format!("{place} is missing: it is of the class path; plan the job again")
        })?;
        ensure!(
            sha256(&content) == entry.sha256,
            "{place} is not what was planned, its SHA-256 is another: the class path has \
                 changed; plan the job again"
        );
        let path = folder.join(entry.file.replace('/', "-"));
        if entry.is_folder {
            let opened = ZipArchive::new(Cursor::new(content));
            opened.and_then(|mut archive| archive.extract(&path))
        } else {
            let written = File::create(&path).and_then(|mut file| file.write_all(&content));
            written.map_err(Into::into)
        }
        .with_context(|| format!("failed to write {}", path.display()))?;
        paths.push(path);
    }
    Ok(paths)
}
