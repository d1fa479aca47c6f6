//! Progress of a run on the standard error of a terminal: a line that sums it up, and a line for each
//! worker.

use std::io::{self, IsTerminal};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use heapwright_explore::{PartState, Progress, SearchState};
use heapwright_techniques::api::ApiProgress;
use heapwright_techniques::measure::{MeasurePhase, MeasureState};
use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::files::{counted, grouped};
use crate::messages::Verbosity;

/// Minimum interval between two updates.
const INTERVAL: Duration = Duration::from_millis(200);
/// Maximum number of times that lines are drawn in a second: each of them at each update.
const DRAWS: u8 = 60;
/// Most workers that have a line of their own.
const MOST_WORKERS: usize = 8;
/// Most characters of a path of choices; the last ones of a longer path are shown.
const MOST_OF_PATH: usize = 30;

/// Lines of progress that overwrite themselves; hidden where standard error is not a terminal.
pub struct ProgressLines {
    /// None where nothing is shown.
    shown: Option<ShownLines>,
    start: Instant,
    last: Instant,
}

/// Lines on a terminal.
struct ShownLines {
    all: MultiProgress,
    summary: ProgressBar,
    workers: Vec<ProgressBar>,
}

/// Text of the lines.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct ProgressText {
    /// The line that sums up the run.
    pub summary: String,
    /// What each worker does.
    pub workers: Vec<String>,
}

impl ProgressLines {
    /// Creates lines, shown if there is a terminal for them that nothing else is written to
    /// meanwhile.
    #[must_use]
    pub fn new(writes_to_standard_output: bool) -> ProgressLines {
        let is_mixed = writes_to_standard_output && io::stdout().is_terminal();
        let is_shown = io::stderr().is_terminal() && !is_mixed && Verbosity::Notices.is_shown();
        let now = Instant::now();
        ProgressLines {
            shown: is_shown.then(ShownLines::new),
            start: now,
            last: now,
        }
    }

    /// Shows the state of a search by one worker and the share of it that is behind, if an update is
    /// due.
    pub fn update(&mut self, progress: &Progress, share: f64) {
        self.show(|time| summary(progress, time, share).into());
    }

    /// Shows the state of a search and of its workers, if an update is due.
    pub fn update_search(&mut self, state: &SearchState) {
        self.show(|time| ProgressText {
            summary: summary(&state.progress, time, state.share),
            // A single worker does what the summary says.
            workers: match &state.parts[..] {
                [_] => Vec::new(),
                parts => parts.iter().map(part).collect(),
            },
        });
    }

    /// Shows the state of a search whose end cannot be foreseen, if an update is due; `noun`
    /// names one of what was explored.
    pub fn update_count(&mut self, explored: u64, noun: &str) {
        self.show(|time| at_rate(explored, noun, time).into());
    }

    /// Shows the state of a search through the API, if an update is due.
    pub fn update_api(&mut self, progress: &ApiProgress) {
        self.show(|time| api_summary(progress, time).into());
    }

    /// Shows lines, if an update is due; `text` makes them from the time since the start.
    pub fn show(&mut self, text: impl FnOnce(Duration) -> ProgressText) {
        if let Some(shown) = &mut self.shown
            && self.last.elapsed() >= INTERVAL
        {
            self.last = Instant::now();
            shown.set(&text(self.start.elapsed()));
        }
    }

    /// Erases the lines, so that something else can be written. The next update shows them again.
    pub fn clear(&mut self) {
        if let Some(shown) = &mut self.shown {
            // What cannot be erased is not shown either.
            let _ = shown.all.clear();
            *shown = ShownLines::new();
        }
    }
}

/// Does some work, and shows the lines that `text` makes meanwhile.
pub fn show_during<T>(
    mut lines: ProgressLines,
    text: impl Fn(Duration) -> ProgressText + Send,
    work: impl FnOnce() -> T,
) -> T {
    if lines.shown.is_none() {
        return work();
    }
    thread::scope(|scope| {
        let (is_going_on, end) = mpsc::channel::<()>();
        scope.spawn(move || {
            while end.recv_timeout(INTERVAL) == Err(RecvTimeoutError::Timeout) {
                lines.show(&text);
            }
            lines.clear();
        });
        let done = work();
        drop(is_going_on);
        done
    })
}

impl From<String> for ProgressText {
    fn from(summary: String) -> ProgressText {
        ProgressText {
            summary,
            workers: Vec::new(),
        }
    }
}

impl From<MeasureState> for ProgressText {
    fn from(state: MeasureState) -> ProgressText {
        let what = match state.phase {
            MeasurePhase::Tests => "test classes run",
            MeasurePhase::Mutants => "parts of the tests run on mutants",
        };
        ProgressText {
            summary: format!(
                "{} of {} {what}",
                grouped(state.done as u64),
                grouped(state.total as u64)
            ),
            workers: state.workers.into_iter().flatten().collect(),
        }
    }
}

impl ShownLines {
    fn new() -> ShownLines {
        let all = MultiProgress::with_draw_target(ProgressDrawTarget::stderr_with_hz(DRAWS));
        ShownLines {
            summary: all.add(line()),
            workers: Vec::new(),
            all,
        }
    }

    fn set(&mut self, text: &ProgressText) {
        self.summary.set_message(text.summary.clone());
        let texts = worker_lines(&text.workers);
        while self.workers.len() > texts.len() {
            if let Some(line) = self.workers.pop() {
                self.all.remove(&line);
            }
        }
        while self.workers.len() < texts.len() {
            self.workers.push(self.all.add(line()));
        }
        for (line, text) in self.workers.iter().zip(texts) {
            line.set_message(text);
        }
    }
}

/// Lines of the workers: of the first ones, and the number of the others.
fn worker_lines(workers: &[String]) -> Vec<String> {
    let most = match workers.len() {
        ..=MOST_WORKERS => MOST_WORKERS,
        _ => MOST_WORKERS - 1,
    };
    let own = workers.iter().take(most).map(|text| format!("  {text}"));
    let others = workers.len().saturating_sub(most);
    let others = (others > 0).then(|| format!("  and {others} further workers"));
    own.chain(others).collect()
}

/// Creates a line that consists of its message, as far as the terminal is wide.
fn line() -> ProgressBar {
    let bar = ProgressBar::new_spinner();
    match ProgressStyle::with_template("{wide_msg}") {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}

/// Number a second.
fn rate(count: f64, time: Duration) -> String {
    grouped((count / time.as_secs_f64().max(0.001)) as u64)
}

/// Count of what was explored, and its rate.
pub fn at_rate(explored: u64, noun: &str, time: Duration) -> String {
    let rate = rate(explored as f64, time);
    format!("{}, {rate} a second", counted(explored, noun))
}

fn api_summary(progress: &ApiProgress, time: Duration) -> String {
    format!(
        "iteration {}: {}, {}",
        progress.iterations,
        counted(progress.structures, "structure"),
        at_rate(progress.tally.explored, "sequence", time)
    )
}

fn summary(progress: &Progress, time: Duration, share: f64) -> String {
    format!(
        "{} explored, {} valid, {} a second, about {:.1} % of the search",
        grouped(&progress.explored),
        grouped(&progress.valid),
        rate(progress.explored.about(), time),
        share * 100.0
    )
}

/// Line of a worker: the choices of its part, its counts, and where it is in the whole search.
fn part(part: &PartState) -> String {
    let fixed = &part.span.path[..part.span.fixed];
    let path: Vec<String> = fixed.iter().map(i64::to_string).collect();
    let path = path.join(".");
    let place = match path.char_indices().nth_back(MOST_OF_PATH - 1) {
        _ if path.is_empty() => "from the root".to_owned(),
        Some((from, _)) if from > 0 => {
            let last = &path[from..];
            // A choice of which only the last digits fit would be read as another one.
            let whole = last.split_once('.').map_or(last, |(_, whole)| whole);
            format!("below …{whole}")
        }
        _ => format!("below {path}"),
    };
    format!(
        "{place}: {} explored, {} valid, at {:.1} %",
        grouped(&part.progress.explored),
        grouped(&part.progress.valid),
        part.share * 100.0
    )
}

#[cfg(test)]
mod tests {
    use heapwright_explore::Span;

    use super::*;

    fn counts(explored: u64, valid: u64) -> Progress {
        Progress {
            explored: explored.into(),
            valid: valid.into(),
            ..Progress::default()
        }
    }

    #[test]
    fn says_how_far() {
        assert_eq!(
            summary(&counts(1_200_000, 34), Duration::from_secs(2), 0.125),
            "1,200,000 explored, 34 valid, 600,000 a second, about 12.5 % of the search"
        );
    }

    #[test]
    fn says_how_far_the_api_has_built() {
        let progress = ApiProgress {
            structures: 1_200,
            iterations: 4,
            ..ApiProgress::default()
        };
        assert_eq!(
            api_summary(&progress, Duration::from_secs(2)),
            "iteration 4: 1,200 structures, 0 sequences, 0 a second"
        );
    }

    #[test]
    fn says_where_a_worker_is() {
        let at = |path: Vec<i64>| {
            part(&PartState {
                span: Span::below(path),
                progress: counts(1_200, 3),
                share: 0.5,
            })
        };
        assert_eq!(
            at(vec![]),
            "from the root: 1,200 explored, 3 valid, at 50.0 %"
        );
        assert_eq!(
            at(vec![0, 12]),
            "below 0.12: 1,200 explored, 3 valid, at 50.0 %"
        );
        assert_eq!(
            at((0..20).collect()),
            "below …10.11.12.13.14.15.16.17.18.19: 1,200 explored, 3 valid, at 50.0 %"
        );
    }

    #[test]
    fn the_first_workers_have_lines() {
        let workers: Vec<String> = (0..10).map(|number| number.to_string()).collect();
        assert_eq!(worker_lines(&workers[..8]).len(), 8);
        let lines = worker_lines(&workers);
        assert_eq!(lines.len(), 8);
        assert_eq!(lines[6..], ["  6", "  and 3 further workers"]);
    }
}
