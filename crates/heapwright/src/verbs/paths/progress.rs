//! Progress of the methods that workers search.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::files::{counted, grouped};
use crate::progress::{ProgressLines, ProgressText, at_rate};

/// Lines of progress that all workers update.
pub struct MethodsProgress(Mutex<MethodsState>);

struct MethodsState {
    lines: ProgressLines,
    counts: MethodCounts,
}

/// Methods and paths so far.
#[derive(Default)]
struct MethodCounts {
    /// Number of methods searched, those left unfinished included.
    done: usize,
    /// Number of paths of these methods.
    paths: u64,
    /// Name and number of paths of each method that a worker is at, by a number given to it.
    running: BTreeMap<usize, (String, u64)>,
    /// Number of methods begun.
    begun: usize,
    /// Number of methods that no worker has begun.
    left: usize,
}

/// Method that a worker is at. Dropping it notes that its search has ended.
pub struct RunningMethod<'a> {
    all: &'a MethodsProgress,
    number: usize,
}

impl MethodsProgress {
    /// Creates the progress of a search without methods yet.
    #[must_use]
    pub fn new(lines: ProgressLines) -> MethodsProgress {
        MethodsProgress(Mutex::new(MethodsState {
            lines,
            counts: MethodCounts::default(),
        }))
    }

    /// Notes that a worker begins a method; `left` is the number of methods that no worker has begun.
    pub fn begin(&self, name: String, left: usize) -> RunningMethod<'_> {
        let counts = &mut self.lock().counts;
        let number = counts.begun;
        counts.begun += 1;
        counts.left = left;
        counts.running.insert(number, (name, 0));
        RunningMethod { all: self, number }
    }

    /// Erases the lines.
    pub fn clear(&self) {
        self.lock().lines.clear();
    }

    fn lock(&self) -> MutexGuard<'_, MethodsState> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl RunningMethod<'_> {
    /// Notes the number of paths found so far, and shows it if an update is due.
    pub fn update(&self, paths: u64) {
        let MethodsState { lines, counts } = &mut *self.all.lock();
        if let Some(running) = counts.running.get_mut(&self.number) {
            running.1 = paths;
        }
        lines.show(|time| counts.text(time));
    }
}

impl Drop for RunningMethod<'_> {
    fn drop(&mut self) {
        let counts = &mut self.all.lock().counts;
        if let Some((_, paths)) = counts.running.remove(&self.number) {
            counts.done += 1;
            counts.paths += paths;
        }
    }
}

impl MethodCounts {
    fn text(&self, time: Duration) -> ProgressText {
        let running: u64 = self.running.values().map(|running| running.1).sum();
        let workers = self.running.values();
        ProgressText {
            summary: format!(
                "{} of {} methods, {}",
                grouped(self.done as u64),
                grouped((self.begun + self.left) as u64),
                at_rate(self.paths + running, "path", time)
            ),
            workers: workers
                .map(|(name, paths)| format!("{name}: {}", counted(*paths, "path")))
                .collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn says_at_which_methods_workers_are() {
        let progress = MethodsProgress::new(ProgressLines::new(true));
        let first = progress.begin("first()".to_owned(), 3);
        first.update(1_000);
        drop(first);
        let second = progress.begin("second(int)".to_owned(), 2);
        let third = progress.begin("third()".to_owned(), 1);
        third.update(1_300);
        second.update(200);
        let text = progress.lock().counts.text(Duration::from_secs(2));
        assert_eq!(text.summary, "1 of 4 methods, 2,500 paths, 1,250 a second");
        assert_eq!(
            text.workers,
            ["second(int): 200 paths", "third(): 1,300 paths"]
        );
    }
}
