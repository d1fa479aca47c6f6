//! Exit statuses of the program.

use serde::{Deserialize, Serialize};

/// Exit status of the process; `run` passes on that of the Java program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ExitCode {
    /// Success.
    Done = 0,
    /// The run found a counterexample, a failing behaviour or a mismatch.
    Found = 1,
    /// The request was wrong: usage, class not found, unreadable input.
    Usage = 2,
    /// A limit was hit and the result is partial.
    Partial = 3,
    /// There is nothing to generate.
    Nothing = 4,
    /// Internal fault of the program (a panic).
    Fault = 70,
}

impl From<ExitCode> for std::process::ExitCode {
    fn from(code: ExitCode) -> Self {
        std::process::ExitCode::from(code as u8)
    }
}
