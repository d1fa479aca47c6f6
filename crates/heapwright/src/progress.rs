//! Progress line of a search on the standard error of a terminal.

use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

use heapwright_explore::{Count, Progress};

use crate::files::grouped;

/// Minimum interval between two updates.
const INTERVAL: Duration = Duration::from_millis(200);

/// Progress line that overwrites itself; hidden where standard error is not a terminal.
pub struct ProgressLine {
    is_shown: bool,
    start: Instant,
    last: Instant,
    /// Width of the displayed line in characters.
    width: usize,
}

impl ProgressLine {
    /// Creates a line. It is shown if standard error is a terminal and results go elsewhere.
    #[must_use]
    pub fn new(writes_to_standard_output: bool) -> ProgressLine {
        let is_mixed = writes_to_standard_output && io::stdout().is_terminal();
        let now = Instant::now();
        ProgressLine {
            is_shown: io::stderr().is_terminal() && !is_mixed,
            start: now,
            last: now,
            width: 0,
        }
    }

    /// Shows the progress of a search and the share explored, at most once an interval.
    pub fn update(&mut self, progress: &Progress, share: f64) {
        if !self.is_shown || self.last.elapsed() < INTERVAL {
            return;
        }
        self.last = Instant::now();
        let line = text(
            &progress.explored,
            &progress.valid,
            self.start.elapsed(),
            share,
        );
        // A closed terminal is no reason to stop.
        let _ = write!(io::stderr(), "\r{line:<width$}", width = self.width);
        self.width = line.chars().count();
    }

    /// Shows the progress of a search of unknown length, at most once an interval.
    pub fn update_counts(&mut self, explored: u64, structures: u64) {
        if !self.is_shown || self.last.elapsed() < INTERVAL {
            return;
        }
        self.last = Instant::now();
        let rate = explored as f64 / self.start.elapsed().as_secs_f64().max(0.001);
        let line = format!(
            "{} sequences, {} structures, {}/s",
            grouped(explored),
            grouped(structures),
            grouped(rate as u64)
        );
        let _ = write!(io::stderr(), "\r{line:<width$}", width = self.width);
        self.width = line.chars().count();
    }

    /// Erases the line.
    pub fn clear(&mut self) {
        if self.width > 0 {
            let _ = write!(io::stderr(), "\r{:width$}\r", "", width = self.width);
            self.width = 0;
        }
    }
}

fn text(explored: &Count, valid: &Count, time: Duration, share: f64) -> String {
    let rate = explored.about() / time.as_secs_f64().max(0.001);
    format!(
        "{} explored, {} valid, {} a second, about {:.1} % of the search",
        grouped(explored),
        grouped(valid),
        grouped(rate as u64),
        share * 100.0
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn says_how_far() {
        assert_eq!(
            text(&1_200_000.into(), &34.into(), Duration::from_secs(2), 0.125),
            "1,200,000 explored, 34 valid, 600,000 a second, about 12.5 % of the search"
        );
    }
}
