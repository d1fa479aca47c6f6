//! Progress line of a search on the standard error of a terminal.

use std::io::{self, IsTerminal};
use std::time::{Duration, Instant};

use heapwright_explore::{Count, Progress};
use indicatif::{ProgressBar, ProgressStyle};

use crate::files::grouped;
use crate::messages::Verbosity;

/// Minimum interval between two updates.
const INTERVAL: Duration = Duration::from_millis(200);

/// Progress line that overwrites itself; hidden where standard error is not a terminal.
pub struct ProgressLine {
    /// None where nothing is shown.
    bar: Option<ProgressBar>,
    start: Instant,
    last: Instant,
}

impl ProgressLine {
    /// Creates a line, shown if there is a terminal for it that nothing else is written to meanwhile.
    #[must_use]
    pub fn new(writes_to_standard_output: bool) -> ProgressLine {
        let is_mixed = writes_to_standard_output && io::stdout().is_terminal();
        let is_shown = io::stderr().is_terminal() && !is_mixed && Verbosity::Notices.is_shown();
        let now = Instant::now();
        ProgressLine {
            bar: is_shown.then(bar),
            start: now,
            last: now,
        }
    }

    /// Shows the state of a search and the share of it that is behind, if an update is due.
    pub fn update(&mut self, progress: &Progress, share: f64) {
        self.show(|time| text(&progress.explored, &progress.valid, time, share));
    }

    /// Shows the state of a search whose end cannot be foreseen, if an update is due.
    pub fn update_counts(&mut self, explored: u64, structures: u64) {
        self.show(|time| {
            let rate = explored as f64 / time.as_secs_f64().max(0.001);
            format!(
                "{} sequences, {} structures, {}/s",
                grouped(explored),
                grouped(structures),
                grouped(rate as u64)
            )
        });
    }

    fn show(&mut self, text: impl FnOnce(Duration) -> String) {
        if let Some(bar) = &self.bar
            && self.last.elapsed() >= INTERVAL
        {
            self.last = Instant::now();
            bar.set_message(text(self.start.elapsed()));
        }
    }

    /// Erases the line.
    pub fn clear(&mut self) {
        if let Some(shown) = &mut self.bar {
            shown.finish_and_clear();
            // A finished bar shows nothing more.
            *shown = bar();
        }
    }
}

/// Creates a bar that consists of its message.
fn bar() -> ProgressBar {
    let bar = ProgressBar::new_spinner();
    match ProgressStyle::with_template("{msg}") {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
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
