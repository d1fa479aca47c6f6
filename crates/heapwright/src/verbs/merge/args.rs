//! Options of `merge`.

use std::path::PathBuf;

use clap::Args;

use crate::options::OutputArgs;

/// Options of `merge`.
#[derive(Args, Debug)]
pub struct MergeArgs {
    /// Folder or URL of a job, or files of all shards
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
    /// File for structures or cases [default: standard output]; of `check`, and of `paths` with
    /// `--format junit`, the folder for tests and drawings
    #[arg(short = 'o', long, value_name = "PATH")]
    pub output: Option<PathBuf>,
    /// JDK whose library is run for a job, of the same version as that of the plan [default:
    /// JAVA_HOME, else java on the PATH]
    #[arg(long, value_name = "DIR")]
    pub jdk: Option<PathBuf>,
    #[command(flatten)]
    pub out: OutputArgs,
}
