//! What stands for object stores in a program that was built without the feature `network`.

use anyhow::bail;
use object_store::Error;

use super::store::OpenedStorage;

/// Refuses the storage at a URL.
///
/// # Errors
/// Always: this program has no object stores.
pub fn open(place: &str) -> anyhow::Result<OpenedStorage> {
    bail!("{place}: this program was built without object stores (the feature `network`)")
}

/// Whether a request failed since the bucket is missing.
pub fn lacks_bucket(_: &Error) -> bool {
    false
}

/// Whether another worker may have disturbed a request.
pub fn is_disturbed(_: &Error) -> bool {
    false
}

/// Reason of a failure in one line.
pub fn reason(error: &Error) -> String {
    error.to_string()
}
