//! A verb again and again: each time that classes on its class path have changed.

use std::ffi::OsString;
use std::fs;
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::thread;
use std::time::{Duration, SystemTime};

use crate::exit::ExitCode;
use crate::subprocess::{Subprocess, raised_by_keys};

/// Interval between two looks at the class path. A change is complete when two looks are the same.
const LOOK: Duration = Duration::from_millis(300);

/// Runs of a verb on a class path that changes.
pub struct WatchRun {
    /// Command line without the program and `--watch`.
    words: Vec<OsString>,
    /// Folders and jars that are watched.
    entries: Vec<PathBuf>,
}

/// Files of the class path, each with its size and the time of its last change.
type Seen = Vec<(PathBuf, u64, Option<SystemTime>)>;

impl WatchRun {
    /// Runs of a command line on these entries of its class path. `words` are those of the whole
    /// command line.
    pub fn new(words: &[OsString], entries: Vec<PathBuf>) -> WatchRun {
        let words = words[1..].iter().filter(|word| *word != "--watch");
        WatchRun {
            words: words.cloned().collect(),
            entries,
        }
    }

    /// State of the class path now. What cannot be read is not there.
    fn seen(&self) -> Seen {
        let mut seen = Vec::new();
        let mut paths = self.entries.clone();
        while let Some(path) = paths.pop() {
            let Ok(metadata) = fs::metadata(&path) else {
                continue;
            };
            if metadata.is_dir() {
                let entries = fs::read_dir(&path).into_iter().flatten().flatten();
                paths.extend(entries.map(|entry| entry.path()));
            } else {
                seen.push((path, metadata.len(), metadata.modified().ok()));
            }
        }
        seen.sort();
        seen
    }
}

/// Runs the verb, and again after each change, until Ctrl-C. A change ends a run early. Returns the
/// exit code of the last run.
///
/// # Errors
/// A process cannot be started.
pub fn run(run: &WatchRun) -> anyhow::Result<std::process::ExitCode> {
    let is_interrupted = raised_by_keys()?;
    let is_over = || is_interrupted.load(Ordering::Relaxed);
    loop {
        let before = run.seen();
        let process = Subprocess::start(&run.words, false)?;
        let looked = std::cell::Cell::new(std::time::Instant::now());
        let is_outdated = || {
            let is_due = looked.get().elapsed() >= LOOK;
            if is_due {
                looked.set(std::time::Instant::now());
            }
            is_due && run.seen() != before
        };
        let ended = process.wait(&|| is_over() || is_outdated())?;
        let code = ended.status.code().and_then(|code| u8::try_from(code).ok());
        let code = code.unwrap_or(ExitCode::Partial as u8);
        notice!("exit code {code}; waiting for other classes, Ctrl-C ends it");
        let mut last = before.clone();
        loop {
            if is_over() {
                return Ok(code.into());
            }
            thread::sleep(LOOK);
            let now = run.seen();
            if now != before && now == last {
                break;
            }
            last = now;
        }
        notice!("classes have changed");
    }
}
