//! Serialises counts as strings of digits, for the program's own files.

use heapwright_explore::Count;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serializer};

/// Writes a count.
///
/// # Errors
/// The serializer fails.
pub fn serialize<S: Serializer>(count: &Count, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(count)
}

/// Reads a count.
///
/// # Errors
/// The string is no count.
pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Count, D::Error> {
    let digits = String::deserialize(deserializer)?;
    digits.parse().map_err(D::Error::custom)
}
