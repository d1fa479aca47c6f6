//! The data of a run as JSON, whose schema is that of [`Run`].

use crate::model::Run;
use crate::sarif::pretty;

/// Data of a run.
#[must_use]
pub fn json(run: &Run) -> String {
    pretty(run)
}
