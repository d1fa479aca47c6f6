//! Messages on standard error: errors always, notices unless `--quiet`, details with `--verbose`.
//!
//! A closed standard error is no fault: where the standard library's macros panic, these write nothing.

use std::sync::atomic::{AtomicU8, Ordering};

/// Verbosity of the process, a [`Level`].
static LEVEL: AtomicU8 = AtomicU8::new(Level::Notices as u8);

/// How much is written to standard error.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// Errors alone.
    Errors,
    /// Notices of results and progress, too.
    Notices,
    /// Details of the run, too.
    Details,
}

impl Level {
    /// Makes this the verbosity of the process.
    pub fn set(self) {
        LEVEL.store(self as u8, Ordering::Relaxed);
    }

    /// Whether messages of this level are written.
    pub fn is_shown(self) -> bool {
        self as u8 <= LEVEL.load(Ordering::Relaxed)
    }
}

/// Writes to standard error, whether or not anyone reads it.
pub fn write(text: std::fmt::Arguments<'_>) {
    use std::io::Write as _;
    let _ = std::io::stderr().write_fmt(text);
}

/// Writes a report for people beside standard output, which is taken by something else.
pub fn report(text: &str) {
    if Level::Notices.is_shown() {
        write(format_args!("{text}"));
    }
}

/// Writes an error: why a request, a class or the program failed.
macro_rules! error {
    ($($text:tt)*) => {
        $crate::messages::write(format_args!("heapwright: {}\n", format_args!($($text)*)))
    };
}

/// Writes a notice: what a user should know of the results.
macro_rules! notice {
    ($($text:tt)*) => {
        if $crate::messages::Level::Notices.is_shown() {
            $crate::messages::write(format_args!("heapwright: {}\n", format_args!($($text)*)));
        }
    };
}

/// Writes a detail: what the run stands on.
macro_rules! detail {
    ($($text:tt)*) => {
        if $crate::messages::Level::Details.is_shown() {
            $crate::messages::write(format_args!("heapwright: {}\n", format_args!($($text)*)));
        }
    };
}
