//! File with one shard's results as plain data, for `heapwright merge`: one line of JSON and its
//! checksum.

use std::path::Path;

use anyhow::Context;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::files::Output;
use crate::files::checksum::{self, Checksum};
use crate::files::prefix::Fingerprint;
use crate::files::shard::{Header, Shard};
use crate::report::structures::ClaimBounds;

/// Results of a verb that are plain data.
pub trait ShardResults: Clone + Serialize + DeserializeOwned {
    /// Verb, and format name in the header of its files.
    const VERB: &'static str;

    /// Binary name of the class under test.
    fn class(&self) -> &str;

    /// Search that found the results.
    fn search(&self) -> &str;
}

/// Result file of one shard.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ResultFile<R> {
    /// Identity of the search and of the shard.
    pub header: Header,
    /// Results of the shard.
    pub results: R,
}

/// Beginning of a result file.
#[derive(Deserialize)]
struct FileStart {
    header: Header,
}

impl<R: ShardResults> ResultFile<R> {
    /// Creates the file of a shard.
    pub fn new(fingerprint: &Fingerprint, shard: Shard, results: &R) -> ResultFile<R> {
        ResultFile {
            header: Header {
                heapwright_shard: fingerprint.to_string(),
                shard,
                class: results.class().to_owned(),
                search: results.search().to_owned(),
                format: Some(R::VERB.to_owned()),
                candidates: None,
                within: ClaimBounds::default(),
            },
            results: results.clone(),
        }
    }

    /// Writes the file; it appears only when it is complete.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn write(&self, path: &Path) -> anyhow::Result<()> {
        let mut output = Output::open(Some(path))?;
        let text = serde_json::to_string(self)?;
        let mut checksum = Checksum::default();
        checksum.add(&text);
        output.write_line(&text)?;
        output.write_line(&checksum.line())?;
        output.finish()
    }

    /// Reads a file; none if it is not a file of this verb.
    ///
    /// # Errors
    /// The file cannot be read, is truncated or damaged.
    pub fn read(path: &Path) -> anyhow::Result<Option<ResultFile<R>>> {
        let text =
            std::fs::read(path).with_context(|| format!("failed to read {}", path.display()))?;
        if !text.starts_with(b"{\"header\":") {
            return Ok(None);
        }
        checksum::check(path)?;
        let line = text.split(|&byte| byte == b'\n').next().unwrap_or_default();
        let damaged = || format!("{} is damaged", path.display());
        let FileStart { header } = serde_json::from_slice(line).with_context(damaged)?;
        if header.format.as_deref() != Some(R::VERB) {
            return Ok(None);
        }
        Ok(Some(serde_json::from_slice(line).with_context(damaged)?))
    }
}
