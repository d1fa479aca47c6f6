//! Messages on standard error: errors always, notices unless `--quiet`, details with `--verbose`.
//!
//! A closed standard error is ignored; the macros of the standard library would panic.

use std::sync::atomic::{AtomicU8, Ordering};

/// Verbosity of the process, a [`Verbosity`].
static LEVEL: AtomicU8 = AtomicU8::new(Verbosity::Notices as u8);

/// Verbosity of standard error.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verbosity {
    /// Errors only.
    Errors,
    /// Errors, and notices of results and progress.
    Notices,
    /// All of these, and details of the run.
    Details,
}

impl Verbosity {
    /// Sets the verbosity of the process.
    pub fn set(self) {
        LEVEL.store(self as u8, Ordering::Relaxed);
    }

    /// Whether messages of this level are written.
    pub fn is_shown(self) -> bool {
        self as u8 <= LEVEL.load(Ordering::Relaxed)
    }
}

/// Writes to standard error and ignores failures.
pub fn write(text: std::fmt::Arguments<'_>) {
    use std::io::Write as _;
    let _ = std::io::stderr().write_fmt(text);
}

/// Writes a report for people to standard error; standard output has other content.
pub fn report(text: &str) {
    if Verbosity::Notices.is_shown() {
        write(format_args!("{text}"));
    }
}

/// Writes an error: the reason why a request, a class or the program failed.
macro_rules! error {
    ($($text:tt)*) => {
        $crate::messages::write(format_args!("heapwright: {}\n", format_args!($($text)*)))
    };
}

/// Writes a notice that affects how a user reads the results.
macro_rules! notice {
    ($($text:tt)*) => {
        if $crate::messages::Verbosity::Notices.is_shown() {
            $crate::messages::write(format_args!("heapwright: {}\n", format_args!($($text)*)));
        }
    };
}

/// Writes a detail: the inputs and settings of the run.
macro_rules! detail {
    ($($text:tt)*) => {
        if $crate::messages::Verbosity::Details.is_shown() {
            $crate::messages::write(format_args!("heapwright: {}\n", format_args!($($text)*)));
        }
    };
}
