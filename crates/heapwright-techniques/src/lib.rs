//! Placeholder, filled by the first change of this crate.
