//! Whether a module is compiled.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crate::Module;

/// Extensions of sources of languages of the JVM.
const SOURCES: [&str; 4] = ["java", "kt", "scala", "groovy"];

/// State of the compiled classes of a module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Compilation {
    /// It has no sources.
    NoSources,
    /// No class is in its output folders.
    Missing,
    /// A source file is newer than all of its classes.
    Stale(PathBuf),
    /// No source file is newer than its classes.
    Current,
}

impl Module {
    /// State of its compiled classes, by the times of files.
    #[must_use]
    pub fn compilation(&self) -> Compilation {
        compilation(&self.sources, &self.outputs, &|_| true)
    }

    /// State of the compiled classes of its tests, without test classes that were generated here.
    #[must_use]
    pub fn test_compilation(&self) -> Compilation {
        let is_own = |file: &Path| {
            let name = file
                .file_stem()
                .map(OsStr::to_string_lossy)
                .unwrap_or_default();
            !name.contains("Heapwright")
        };
        compilation(&self.test_sources, &self.test_outputs, &is_own)
    }

    /// Whether classes of its tests are there.
    #[must_use]
    pub fn has_compiled_tests(&self) -> bool {
        let mut outputs = self.test_outputs.iter();
        outputs.any(|output| !files(output, &["class"]).is_empty())
    }

    /// Binary names of the classes in its output folders, in no order.
    #[must_use]
    pub fn classes(&self) -> Vec<String> {
        let mut names = Vec::new();
        for output in &self.outputs {
            for (_, file) in files(output, &["class"]) {
                let relative = file
                    .strip_prefix(output)
                    .unwrap_or(&file)
                    .with_extension("");
                let parts = relative.iter().map(OsStr::to_string_lossy);
                let parts: Vec<_> = parts.collect();
                names.push(parts.join("."));
            }
        }
        names
    }
}

/// State of the classes in output folders, of those sources that are `meant`.
fn compilation(
    sources: &[PathBuf],
    outputs: &[PathBuf],
    is_meant: &dyn Fn(&Path) -> bool,
) -> Compilation {
    let newest = |folders: &[PathBuf], extensions: &[&str]| {
        let files = folders.iter().flat_map(|folder| files(folder, extensions));
        let files = files.filter(|(_, file)| is_meant(file));
        files.max_by(|one, other| one.0.cmp(&other.0))
    };
    match (newest(sources, &SOURCES), newest(outputs, &["class"])) {
        (None, None) => Compilation::NoSources,
        (None, Some(_)) => Compilation::Current,
        (Some(_), None) => Compilation::Missing,
        (Some((time, file)), Some((compiled, _))) if time > compiled => Compilation::Stale(file),
        (Some(_), Some(_)) => Compilation::Current,
    }
}

/// Files below a folder with one of those extensions, and the times of their last change. What
/// cannot be read has none.
fn files(folder: &Path, extensions: &[&str]) -> Vec<(SystemTime, PathBuf)> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            let Ok(metadata) = fs::metadata(&path) else {
                continue;
            };
            let extension = path.extension().and_then(OsStr::to_str).unwrap_or_default();
            if metadata.is_dir() {
                folders.push(path);
            } else if extensions.contains(&extension) {
                found.push((metadata.modified().unwrap_or(SystemTime::UNIX_EPOCH), path));
            }
        }
    }
    found
}
