//! Option group: the file with settings.

use std::path::PathBuf;

use clap::Args;

/// Where settings are.
#[derive(Args, Debug)]
pub struct ConfigArgs {
    /// The file with settings [default: heapwright.toml in this folder or above, up to the one with
    /// a build file]
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Read no file with settings
    #[arg(long, conflicts_with = "config")]
    pub no_config: bool,
}
