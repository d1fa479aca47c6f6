//! Result of a part: what was found in each subtree, and what is left.
//!
//! The first line is a header. Each subtree has a line with its prefix (`#2/0.1`), a line for each
//! item (`=` and its text) and a line with the verb's record. The last line says what is left and what
//! it took. The name of a result has a digest of all of it.

use anyhow::{Context, ensure};
use heapwright_explore::Span;
use serde::{Deserialize, Serialize};

use super::{FORMAT, Job, PlannedPart, digest};

/// First line of a result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PartHeader {
    /// Format of results.
    pub heapwright_part: u32,
    /// Digest of the plan.
    pub plan: String,
    /// Identity of the search.
    pub search: String,
    /// Version of the JDK.
    pub jdk: String,
}

impl PartHeader {
    /// Header of the results of a job.
    pub fn of(job: &Job) -> PartHeader {
        PartHeader {
            heapwright_part: FORMAT,
            plan: job.id.clone(),
            search: job.plan.search.clone(),
            jdk: job.plan.jdk.clone(),
        }
    }
}

/// Last line of a result.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct PartFooter {
    /// Parts that are left.
    pub left: Vec<PlannedPart>,
    /// Instructions that the search took.
    pub steps: u64,
    /// Wall-clock seconds.
    pub seconds: f64,
}

/// Writer of a result.
pub struct ResultWriter {
    text: Vec<u8>,
}

impl ResultWriter {
    /// Begins the result of a part.
    ///
    /// # Errors
    /// Never: a header is always text.
    pub fn new(job: &Job) -> anyhow::Result<ResultWriter> {
        let mut writer = ResultWriter { text: Vec::new() };
        writer.line("", &serde_json::to_string(&PartHeader::of(job))?);
        Ok(writer)
    }

    fn line(&mut self, mark: &str, line: &str) {
        for text in [mark, line, "\n"] {
            self.text.extend_from_slice(text.as_bytes());
        }
    }

    /// Begins a subtree.
    pub fn begin(&mut self, span: &Span) {
        self.line("#", &span.to_string());
    }

    /// Adds an item of the subtree, a line.
    pub fn item(&mut self, line: &str) {
        self.line("=", line);
    }

    /// Ends the subtree with the verb's record.
    ///
    /// # Errors
    /// Never: a record is always text.
    pub fn end(&mut self, record: &impl Serialize) -> anyhow::Result<()> {
        self.line("", &serde_json::to_string(record)?);
        Ok(())
    }

    /// Number of bytes so far.
    pub fn len(&self) -> usize {
        self.text.len()
    }

    /// Goes back to so many bytes.
    pub fn truncate(&mut self, bytes: usize) {
        self.text.truncate(bytes);
    }

    /// Ends the result; returns its content.
    ///
    /// # Errors
    /// Never: a footer is always text.
    pub fn finish(mut self, footer: &PartFooter) -> anyhow::Result<Vec<u8>> {
        self.line("", &serde_json::to_string(footer)?);
        Ok(self.text)
    }
}

/// Reads a result and compares it with the digest in its name.
///
/// # Errors
/// It cannot be read, is damaged, or is of another job.
pub fn read(job: &Job, name: &str) -> anyhow::Result<Vec<u8>> {
    let place = job.store.place();
    let content = job.store.get(name)?;
    let content = content.with_context(|| format!("{place}/{name} is missing"))?;
    let stated = name
        .rsplit('/')
        .next()
        .and_then(|last| last.split_once('-'));
    ensure!(
        stated.is_some_and(|(stated, _)| stated == digest(&content)),
        "{place}/{name} is damaged: remove it, and `heapwright work {place}` searches that part again"
    );
    let head = content.split(|&byte| byte == b'\n').next();
    let head: Option<PartHeader> = head.and_then(|line| serde_json::from_slice(line).ok());
    ensure!(
        head.as_ref() == Some(&PartHeader::of(job)),
        "{place}/{name} is no result of this job: remove it"
    );
    Ok(content)
}

/// Reads the last line of a result.
///
/// # Errors
/// See [`read`].
pub fn read_footer(job: &Job, name: &str) -> anyhow::Result<PartFooter> {
    let content = read(job, name)?;
    footer_of(&content).with_context(|| format!("{}/{name} is damaged", job.store.place()))
}

/// Last line of a result.
pub fn footer_of(content: &[u8]) -> Option<PartFooter> {
    let lines = content.strip_suffix(b"\n")?;
    let last = lines.rsplit(|&byte| byte == b'\n').next()?;
    serde_json::from_slice(last).ok()
}
