//! File with one shard's result, for `heapwright merge`.
//!
//! The first line is a JSON header. Each part of the tree that the shard searched has a line with
//! its number (`#12`), followed by one line per structure (`=` and its text). The last lines are
//! the counts as JSON and a checksum; a file without them is truncated.

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail, ensure};
use heapwright_explore::{Count, Part, Progress, Span};
use heapwright_jvm::ReadSource;
use serde::{Deserialize, Serialize};

use crate::files::Output;
use crate::files::checksum::{self, Checksum};
use crate::report::structures::ClaimBounds;
use crate::report::summary::Digits;

/// Number of a shard and number of all shards: `2/4`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shard {
    /// Number of the shard, from 1.
    pub number: usize,
    /// Number of shards.
    pub of: usize,
}

/// Maximum number of shards.
const MAX_SHARDS: usize = 1_024;

/// Instructions of the trials by which the shards of a search are planned, in each of them: some
/// tenths of a second.
pub const PARTITION_EFFORT: u64 = 100_000_000;

/// Subtrees of the part with this number, from 1, with their numbers among those of all parts.
pub fn numbered(parts: Vec<Part>, number: usize) -> Vec<(usize, Span)> {
    let mut all: Vec<(Span, usize)> = Vec::new();
    for (part, number) in parts.into_iter().zip(1..) {
        all.extend(part.spans.into_iter().map(|span| (span, number)));
    }
    all.sort();
    let own = (0..).zip(all).filter(|(_, (_, part))| *part == number);
    own.map(|(place, (span, _))| (place, span)).collect()
}

/// Parses a shard, as `2/4`.
///
/// # Errors
/// The text is no shard, or there are too many shards.
pub fn parse_shard(text: &str) -> anyhow::Result<Shard> {
    let numbers = text.split_once('/').and_then(|(number, of)| {
        let (number, of) = (number.parse().ok()?, of.parse().ok()?);
        (1..=of).contains(&number).then_some(Shard { number, of })
    });
    let shard = numbers.context("a shard is its number and the number of shards, as 1/4 to 4/4")?;
    ensure!(
        shard.of <= MAX_SHARDS,
        "there are at most {MAX_SHARDS} shards"
    );
    Ok(shard)
}

/// First line of a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Header {
    /// Fingerprint of the search, as at the start of a prefix.
    pub heapwright_shard: String,
    /// Shard that wrote the file.
    pub shard: Shard,
    /// Class under test.
    pub class: String,
    /// Search: `korat` or `lazy`.
    pub search: String,
    /// Format of the structures; none if they are only counted.
    pub format: Option<String>,
    /// Size of the whole space: a number, or a string of digits.
    pub candidates: Option<Digits>,
    /// Bounds of the structures.
    pub within: ClaimBounds,
}

/// Counts at the end of a file.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Footer {
    #[serde(with = "digits")]
    pub explored: Count,
    #[serde(with = "digits")]
    pub valid: Count,
    pub cubes: u64,
    pub threw: u64,
    pub refused: u64,
    #[serde(default)]
    pub limited: u64,
    pub steps: u64,
    pub choices: u64,
    /// Wall-clock time in seconds.
    pub seconds: f64,
    /// Reason why the search was stopped, if it was.
    pub stopped_by: Option<String>,
    /// Remaining parts of a stopped search.
    pub left: Vec<String>,
    /// Static fields that the invariant has read.
    #[serde(default)]
    pub reads: BTreeSet<ReadSource>,
}

impl Footer {
    /// Footer of a search.
    pub fn new(
        progress: &Progress,
        seconds: f64,
        stopped_by: Option<&str>,
        left: &[Span],
        reads: BTreeSet<ReadSource>,
    ) -> Footer {
        Footer {
            explored: progress.explored.clone(),
            valid: progress.valid.clone(),
            cubes: progress.cubes,
            threw: progress.threw,
            refused: progress.refused,
            limited: progress.limited,
            steps: progress.steps,
            choices: progress.choices,
            seconds,
            stopped_by: stopped_by.map(str::to_owned),
            left: left.iter().map(Span::to_string).collect(),
            reads,
        }
    }

    /// Counts of the search.
    pub fn progress(&self) -> Progress {
        Progress {
            explored: self.explored.clone(),
            valid: self.valid.clone(),
            cubes: self.cubes,
            threw: self.threw,
            refused: self.refused,
            limited: self.limited,
            steps: self.steps,
            choices: self.choices,
            ..Progress::default()
        }
    }
}

/// Serialisation of counts as JSON numbers with all their digits.
mod digits {
    use heapwright_explore::Count;
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use crate::files::json_number;

    pub fn serialize<S: Serializer>(count: &Count, serializer: S) -> Result<S::Ok, S::Error> {
        json_number(count).serialize(serializer)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Count, D::Error> {
        let number = serde_json::Number::deserialize(deserializer)?;
        number.to_string().parse().map_err(D::Error::custom)
    }
}

/// Writer of the structures of a shard, in order.
pub struct ShardWriter<'a> {
    output: Output,
    checksum: Checksum,
    parts: &'a [(usize, Span)],
    /// Number of the part written last.
    last: Option<usize>,
}

impl<'a> ShardWriter<'a> {
    /// Writes the header of a file.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn new(
        output: Output,
        header: &Header,
        parts: &'a [(usize, Span)],
    ) -> anyhow::Result<ShardWriter<'a>> {
        let mut writer = ShardWriter {
            output,
            checksum: Checksum::default(),
            parts,
            last: None,
        };
        writer.write_line(&serde_json::to_string(header)?)?;
        Ok(writer)
    }

    fn write_line(&mut self, line: &str) -> anyhow::Result<()> {
        self.checksum.add(line);
        self.output.write_line(line)
    }

    /// Writes the structure at a position of the tree.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn write(&mut self, place: &Span, line: &str) -> anyhow::Result<()> {
        let after = self
            .parts
            .partition_point(|(_, part)| part.path <= place.path);
        let number = after.checked_sub(1).map(|place| self.parts[place].0);
        if number != self.last {
            self.last = number;
            let number = number.unwrap_or_default();
            self.write_line(&format!("#{number}"))?;
        }
        self.write_line(&format!("={line}"))
    }

    /// Writes the counts and the checksum, and gives the file its final name.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn finish(mut self, footer: &Footer) -> anyhow::Result<()> {
        self.write_line(&serde_json::to_string(footer)?)?;
        self.output.write_line(&self.checksum.line())?;
        self.output.finish()
    }
}

/// Sequential reader of a shard's file.
pub struct ShardReader {
    /// Path of the file.
    pub path: PathBuf,
    /// First line of the file.
    pub header: Header,
    lines: std::io::Lines<BufReader<std::fs::File>>,
    /// Number of the part that the next structures belong to.
    pub part: Option<usize>,
    /// Counts, once they are read.
    pub footer: Option<Footer>,
}

impl ShardReader {
    /// Checks a whole file, then opens it and reads up to its first part.
    ///
    /// # Errors
    /// The file cannot be read, is no file of a shard, or is truncated or damaged.
    pub fn open(path: &Path) -> anyhow::Result<ShardReader> {
        let mut reader = ShardReader::start(path)?;
        checksum::check(path)?;
        while reader.footer.is_none() {
            reader.next_structure()?;
        }
        ShardReader::start(path)
    }

    fn start(path: &Path) -> anyhow::Result<ShardReader> {
        let file = std::fs::File::open(path)
            .with_context(|| format!("failed to read {}", path.display()))?;
        let mut lines = BufReader::new(file).lines();
        let header = match lines.next() {
            Some(Ok(line)) => serde_json::from_str(&line).ok(),
            _ => None,
        };
        let header = header
            .with_context(|| format!("{} is no file that --shard has written", path.display()))?;
        let mut reader = ShardReader {
            path: path.to_owned(),
            header,
            lines,
            part: None,
            footer: None,
        };
        if let Some(line) = reader.next_structure()? {
            bail!("{} is damaged: {line:?} belongs to no part", path.display());
        }
        Ok(reader)
    }

    /// Reads the next structure of the current part. At the end of the part, sets the next part or
    /// the footer and returns none.
    ///
    /// # Errors
    /// The file cannot be read, is truncated or damaged.
    pub fn next_structure(&mut self) -> anyhow::Result<Option<String>> {
        let path = self.path.display();
        let Some(line) = self.lines.next() else {
            bail!("{path} is cut off: run that shard again");
        };
        let line = line.with_context(|| format!("failed to read {path}"))?;
        if let Some(structure) = line.strip_prefix('=') {
            return Ok(Some(structure.to_owned()));
        }
        let before = self.part.take();
        if let Some(number) = line.strip_prefix('#') {
            self.part = number.parse().ok().filter(|&part| before < Some(part));
        } else {
            self.footer = serde_json::from_str(&line).ok();
        }
        ensure!(
            self.part.is_some() || self.footer.is_some(),
            "{path} is damaged: {line:?} is none of its lines"
        );
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_shards() {
        let shard = parse_shard("2/4").unwrap();
        assert_eq!((shard.number, shard.of), (2, 4));
        for text in ["", "1", "0/2", "3/2", "a/b", "1/2/3", "-1/2", "1/1025"] {
            assert!(parse_shard(text).is_err(), "{text}");
        }
    }
}
