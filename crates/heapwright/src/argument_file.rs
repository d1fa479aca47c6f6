//! Argument files: `heapwright @FILE` takes arguments from a file, so that a command line may be
//! longer than the system allows.

use std::ffi::OsString;
use std::fs;

use anyhow::Context;

/// Replaces a first argument `@FILE` by the lines of that file, one argument each, in UTF-8. What
/// stands behind it follows them. Everywhere else `@` has no meaning.
///
/// # Errors
/// The file cannot be read.
pub fn expand(words: Vec<OsString>) -> anyhow::Result<Vec<OsString>> {
    let first = words.get(1).map(|word| word.to_string_lossy());
    let Some(path) = first.as_ref().and_then(|word| word.strip_prefix('@')) else {
        return Ok(words);
    };
    let text = fs::read_to_string(path)
        .with_context(|| format!("failed to read arguments from the file {path}"))?;
    let lines = text.lines().map(OsString::from);
    let behind = words[2..].iter().cloned();
    Ok(words[..1]
        .iter()
        .cloned()
        .chain(lines)
        .chain(behind)
        .collect())
}
