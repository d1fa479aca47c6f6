//! Z3 in process: one solver that follows the path, and fresh ones for answers that are shown.

#[expect(
    unsafe_code,
    reason = "Z3 is a C library; every block says why it is safe"
)]
mod library;

pub(super) use library::{Context, Library, Solver};
