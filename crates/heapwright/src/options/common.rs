//! Option group: options of every verb that searches.

use std::time::Duration;

use clap::Args;

use super::limits::parse_time;
use super::{ClassPathArgs, ConfigArgs};
use crate::interrupt::StopSignal;
use crate::messages::Verbosity;

/// Settings, class path, limits and messages of a verb that searches.
#[derive(Args, Clone, Debug)]
pub struct CommonArgs {
    #[command(flatten)]
    pub config: ConfigArgs,
    #[command(flatten)]
    pub class_path: ClassPathArgs,
    /// Stop after this time, as 500ms, 30s or 2m
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    pub time_limit: Option<Duration>,
    /// Number of workers, each with an engine and its memory; results do not depend on it [default:
    /// one a core]
    #[arg(short = 'j', long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub jobs: Option<u16>,
    #[command(flatten)]
    pub output: OutputArgs,
}

impl CommonArgs {
    /// Number of workers: one a core by default.
    pub fn jobs(&self) -> usize {
        super::limits::jobs(self.jobs)
    }

    /// Watches for signals and the limits of a run with so many engines.
    ///
    /// # Errors
    /// Signals cannot be handled.
    pub fn watch(&self, engines: usize) -> anyhow::Result<StopSignal> {
        StopSignal::watch(self.time_limit, &self.class_path, engines)
    }
}

/// Options of standard output and standard error.
#[derive(Args, Clone, Copy, Debug, Default)]
pub struct OutputArgs {
    /// Print one summary object on standard output and nothing else there
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub messages: MessageArgs,
}

/// Verbosity of standard error.
#[derive(Args, Clone, Copy, Debug, Default)]
pub struct MessageArgs {
    /// Write details to standard error: the JDK, the class path, the settings
    #[arg(short = 'v', long)]
    pub verbose: bool,
    /// Write nothing but errors to standard error
    #[arg(short = 'q', long, conflicts_with = "verbose")]
    pub quiet: bool,
}

impl MessageArgs {
    /// Verbosity level that the options select.
    pub fn level(self) -> Verbosity {
        match (self.quiet, self.verbose) {
            (true, _) => Verbosity::Errors,
            (_, true) => Verbosity::Details,
            _ => Verbosity::Notices,
        }
    }
}
