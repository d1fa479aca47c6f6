//! Arguments of `merge`.

use std::path::PathBuf;

use clap::Args;

use crate::options::OutputArgs;

/// Arguments of `merge`.
#[derive(Args, Debug)]
pub struct MergeArgs {
    /// The files of all shards
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
    /// The file that structures are written to [default: standard output]; of `check` the folder for
    /// reproducers and drawings
    #[arg(short = 'o', long, value_name = "PATH")]
    pub output: Option<PathBuf>,
    #[command(flatten)]
    pub out: OutputArgs,
}
