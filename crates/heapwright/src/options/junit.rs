//! Option group: how JUnit tests are written.

use clap::{Args, ValueEnum};

/// How JUnit tests are written.
#[derive(Args, Clone, Copy, Debug, Default)]
pub struct JunitArgs {
    /// The JUnit that tests are written for [default: 5]
    #[arg(long, value_name = "4|5", value_parser = clap::value_parser!(u8).range(4..=5))]
    pub junit: Option<u8>,
    /// What is done with tests before they are written
    #[arg(
        long,
        value_enum,
        value_name = "CHECK",
        default_value_t,
        hide_default_value = true
    )]
    pub junit_check: JunitCheck,
}

/// What is done with tests before they are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum JunitCheck {
    /// They are compiled and run by the JDK; what does not hold there is left out [default]
    #[default]
    Run,
    /// Nothing
    None,
}
