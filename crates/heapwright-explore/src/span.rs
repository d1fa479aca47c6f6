//! Parts of a search's tree, as text and as work units (section 4 of the design).
//!
//! A *path* is the list of alternatives taken at the forks, from the root. It can be replayed from
//! the start on any engine. Invariant: the order of paths, compared item by item, is the order of
//! the search. Hence the rest of a search is "this path and all after it", and a part can be cut in
//! two at any fork.

use std::fmt;
use std::str::FromStr;

use crate::progress::Progress;

/// Part of a search's tree: the subtree below the first `fixed` alternatives of `path`, without the
/// paths before `path`. The default is the whole tree.
///
/// The last alternative of `path` is a lower bound at its fork: no alternative with that number,
/// nor a greater one, need exist.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Span {
    /// Alternatives at the forks, from the root.
    pub path: Vec<i64>,
    /// Number of leading alternatives that are fixed; at most the length of `path`.
    pub fixed: usize,
}

impl Span {
    /// Returns the whole subtree below a path.
    #[must_use]
    pub fn below(path: Vec<i64>) -> Span {
        Span {
            fixed: path.len(),
            path,
        }
    }
}

impl Span {
    /// Cuts the part at each fork of its path: the rest of each fork's alternatives is a part. Their
    /// union is this part, in reverse order of the search; of a whole subtree it is the part itself.
    #[must_use]
    pub fn by_forks(&self) -> Vec<Span> {
        let Some(last) = self.path.len().checked_sub(1) else {
            return vec![self.clone()];
        };
        if self.fixed > last {
            return vec![self.clone()];
        }
        let mut parts: Vec<Span> = (self.fixed..last)
            .map(|fork| {
                let mut path = self.path[..=fork].to_vec();
                path[fork] += 1;
                Span { path, fixed: fork }
            })
            .collect();
        parts.push(Span {
            path: self.path.clone(),
            fixed: last,
        });
        parts
    }
}

impl fmt::Display for Span {
    /// Writes a span as `2/0.1.4`: the number of fixed alternatives, then all of them. An
    /// alternative repeated in a row is written once, with its count: `0/0_12.1`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/", self.fixed)?;
        for (number, run) in self.path.chunk_by(|a, b| a == b).enumerate() {
            let point = if number == 0 { "" } else { "." };
            write!(f, "{point}{}", run[0])?;
            if run.len() > 1 {
                write!(f, "_{}", run.len())?;
            }
        }
        Ok(())
    }
}

/// Error for a text that is not a span.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a prefix of choices")]
pub struct ParseSpanError;

/// Most alternatives accepted when a path is parsed; far more than any search makes.
const MAX_PATH: usize = 1 << 24;

impl FromStr for Span {
    type Err = ParseSpanError;

    fn from_str(text: &str) -> Result<Span, ParseSpanError> {
        let (fixed, items) = text.split_once('/').ok_or(ParseSpanError)?;
        let fixed = fixed.parse().map_err(|_| ParseSpanError)?;
        let mut path: Vec<i64> = Vec::new();
        for item in items.split('.').filter(|_| !items.is_empty()) {
            let (alternative, times) = item.split_once('_').unwrap_or((item, "1"));
            let alternative: i64 = alternative.parse().map_err(|_| ParseSpanError)?;
            let times: usize = times.parse().map_err(|_| ParseSpanError)?;
            if times == 0 || times > MAX_PATH - path.len() {
                return Err(ParseSpanError);
            }
            path.extend(std::iter::repeat_n(alternative, times));
        }
        if fixed > path.len() {
            return Err(ParseSpanError);
        }
        Ok(Span { path, fixed })
    }
}

/// Instruction for a search at its next fork.
pub(crate) enum ReplayStep {
    /// Take the first alternative.
    Free,
    /// Take this alternative of the path; the flag says whether it is the path's last item.
    Path(i64, bool),
}

/// Position of a search in its span.
#[derive(Default)]
pub(crate) struct Guide {
    pub span: Span,
    /// Number of the path's alternatives taken so far.
    replayed: usize,
    /// Whether the path has contained an item that is no alternative of its fork.
    pub misfits: bool,
    /// Whether counting was restarted: the steps up to here were counted by the search that took
    /// this path first.
    pub rebased: bool,
    /// Number of choices, and the counts, at the start of the path to the current leaf.
    start: (usize, Progress),
    /// Rest of the span when the search was stopped.
    pub rest: Option<Span>,
    /// Alternatives at the first fork past the path, if requested.
    asked: Option<Vec<i64>>,
}

impl Guide {
    /// Begins a walk over the span.
    pub fn begin(&mut self) {
        self.replayed = 0;
        self.misfits = false;
        self.rebased = false;
        self.rest = None;
        self.start = (self.span.path.len(), Progress::default());
    }

    /// Returns the instruction for the next fork.
    pub fn next(&mut self) -> ReplayStep {
        match self.span.path.get(self.replayed) {
            None => ReplayStep::Free,
            Some(&item) => {
                self.replayed += 1;
                ReplayStep::Path(item, self.has_arrived())
            }
        }
    }

    /// Whether the whole path was replayed.
    pub fn has_arrived(&self) -> bool {
        self.replayed >= self.span.path.len()
    }

    /// Whether the path ends at or before the leaf that was reached.
    pub fn fits(&self) -> bool {
        self.has_arrived() && !self.misfits
    }

    /// Records the start of the path to a new leaf, after this many choices.
    pub fn begin_leaf(&mut self, choices: usize, progress: Progress) {
        self.start = (choices, progress);
    }

    /// Counts before the path to the current leaf.
    pub fn before(&self) -> &Progress {
        &self.start.1
    }

    /// Start of the path to the current leaf, as a prefix of `path`, and the counts before it.
    pub fn here(&self, path: impl Iterator<Item = i64>) -> (Span, Progress) {
        let path = if self.has_arrived() {
            path.take(self.start.0.max(self.span.fixed)).collect()
        } else {
            self.span.path.clone()
        };
        let fixed = self.span.fixed;
        (Span { path, fixed }, self.start.1.clone())
    }

    /// Requests the alternatives at the first fork past the path from the next walk.
    pub fn request_alternatives(&mut self) {
        self.asked = Some(Vec::new());
    }

    /// Whether the current fork is the one whose alternatives are requested.
    pub fn wants_alternatives(&self) -> bool {
        self.has_arrived() && self.asked.as_ref().is_some_and(Vec::is_empty)
    }

    /// Whether the requested alternatives are known.
    pub fn has_alternatives(&self) -> bool {
        self.asked.as_ref().is_some_and(|asked| !asked.is_empty())
    }

    /// Records the requested alternatives; returns the first.
    pub fn record_alternatives(&mut self, alternatives: Vec<i64>) -> i64 {
        let first = alternatives.first().copied().unwrap_or_default();
        self.asked = Some(alternatives);
        first
    }

    /// Takes the requested alternatives; empty if there was no such fork.
    pub fn take_alternatives(&mut self) -> Vec<i64> {
        self.asked.take().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_read_back() {
        for (path, fixed, text) in [
            (vec![], 0, "0/"),
            (vec![0, 0, 0, 1], 2, "2/0_3.1"),
            (vec![-5, 7, 7], 0, "0/-5.7_2"),
        ] {
            let span = Span { path, fixed };
            assert_eq!(span.to_string(), text);
            assert_eq!(text.parse(), Ok(span));
        }
        for text in [
            "",
            "1",
            "1/",
            "/",
            "0/a",
            "0/1..2",
            "0/1_0",
            "0/1_99999999999",
            "0/0_16777217",
            "-1/0",
        ] {
            assert_eq!(text.parse::<Span>(), Err(ParseSpanError), "{text}");
        }
    }

    #[test]
    fn a_rest_is_cut_at_its_forks() {
        let cut = |text: &str| -> Vec<String> {
            let parts = text.parse::<Span>().unwrap().by_forks();
            parts.iter().map(Span::to_string).collect()
        };
        assert_eq!(cut("0/"), ["0/"]);
        assert_eq!(cut("2/0.1"), ["2/0.1"]);
        assert_eq!(cut("1/0.3.5.2"), ["1/0.4", "2/0.3.6", "3/0.3.5.2"]);
    }

    #[test]
    fn order_is_that_of_the_search() {
        let span = |path: &[i64], fixed| Span {
            path: path.to_vec(),
            fixed,
        };
        assert!(span(&[0, 1], 2) < span(&[0, 1, 0], 0));
        assert!(span(&[0, 1, 9], 0) < span(&[0, 2], 0));
    }
}
