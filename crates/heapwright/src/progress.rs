//! The line on a terminal's standard error that says how far a search is.

use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

use heapwright_explore::{Count, Progress};

use crate::files::grouped;

/// Time between two updates.
const INTERVAL: Duration = Duration::from_millis(200);

/// A line that is written over itself; nothing where standard error is no terminal.
pub struct ProgressLine {
    is_shown: bool,
    start: Instant,
    last: Instant,
    /// Letters of the line that stands there.
    width: usize,
}

impl ProgressLine {
    /// A line, shown if there is a terminal for it that nothing else is written to meanwhile.
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

    /// Shows where a search stands, with the share that is behind, if it is time to.
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
        // A terminal that is gone is no reason to stop.
        let _ = write!(io::stderr(), "\r{line:<width$}", width = self.width);
        self.width = line.chars().count();
    }

    /// Shows where a search stands whose end cannot be foreseen, if it is time to.
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

    /// Takes the line away.
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
