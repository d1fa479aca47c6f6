//! What the program's exit status says.

/// The exit statuses; `run` passes on the program's own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExitCode {
    /// Done.
    Done = 0,
    /// A counterexample, a failing behaviour or a mismatch was found.
    Found = 1,
    /// The request was wrong: usage, class not found, unreadable input.
    Usage = 2,
    /// A limit was hit and the result is partial.
    Partial = 3,
    /// There is nothing to generate.
    Nothing = 4,
    /// A fault of ours.
    Fault = 70,
}

impl From<ExitCode> for std::process::ExitCode {
    fn from(code: ExitCode) -> Self {
        std::process::ExitCode::from(code as u8)
    }
}
