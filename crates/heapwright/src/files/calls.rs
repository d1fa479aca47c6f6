//! File with one shard's result of `check`, for `heapwright merge`: one line of JSON and its
//! checksum.

use std::path::Path;

use anyhow::Context;
use serde::{Deserialize, Serialize};

use crate::files::Output;
use crate::files::checksum::{self, Checksum};
use crate::files::prefix::Fingerprint;
use crate::files::shard::{Header, Shard};
use crate::report::calls::CheckResults;
use crate::report::structures::ClaimBounds;

/// Format name in the header of such a file.
const FORMAT: &str = "check";

/// Result file of one shard of `check`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct CheckFile {
    /// Identity of the search and of the shard.
    pub header: Header,
    /// Results of the shard.
    pub results: CheckResults,
}

impl CheckFile {
    /// Creates the file of a shard.
    pub fn new(fingerprint: &Fingerprint, shard: Shard, results: &CheckResults) -> CheckFile {
        CheckFile {
            header: Header {
                heapwright_shard: fingerprint.to_string(),
                shard,
                class: results.class.name.clone(),
                search: results.search.clone(),
                format: Some(FORMAT.to_owned()),
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

    /// Reads a file; none if it is not a file of `check`.
    ///
    /// # Errors
    /// The file cannot be read, is truncated or damaged.
    pub fn read(path: &Path) -> anyhow::Result<Option<CheckFile>> {
        let text =
            std::fs::read(path).with_context(|| format!("failed to read {}", path.display()))?;
        if !text.starts_with(b"{\"header\":") {
            return Ok(None);
        }
        checksum::check(path)?;
        let line = text.split(|&byte| byte == b'\n').next().unwrap_or_default();
        let file = serde_json::from_slice(line);
        Ok(Some(file.with_context(|| {
            format!("{} is damaged", path.display())
        })?))
    }
}
