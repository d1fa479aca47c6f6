//! Option group: generation of JUnit tests.

use clap::{Args, ValueEnum};

/// Options of JUnit tests.
#[derive(Args, Clone, Copy, Debug, Default)]
pub struct JunitArgs {
    /// Version of JUnit that tests are written for [default: 5]
    #[arg(long, value_name = "4|5", value_parser = clap::value_parser!(u8).range(4..=5))]
    pub junit: Option<u8>,
    /// Check of tests before they are written
    #[arg(
        long,
        value_enum,
        value_name = "CHECK",
        default_value_t,
        hide_default_value = true
    )]
    pub junit_check: JunitCheck,
}

/// Check of tests before they are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum JunitCheck {
    /// Compile and run tests with the JDK, and leave out those that do not hold there [default]
    #[default]
    Run,
    /// No check
    None,
}
