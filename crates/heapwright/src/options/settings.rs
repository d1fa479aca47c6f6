//! Option group: the settings file.

use std::path::PathBuf;

use clap::Args;

/// Location of the settings file.
#[derive(Args, Clone, Debug)]
pub struct ConfigArgs {
    /// Settings file [default: heapwright.toml in this folder or above, up to the one with a build
    /// file]
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Read no settings file
    #[arg(long, conflicts_with = "config")]
    pub no_config: bool,
}
