//! Options of `builders`.

use std::path::PathBuf;

use clap::Args;

use crate::options::{ApiArgs, CommonArgs};

/// Options of `builders`.
#[derive(Args, Debug)]
pub struct BuildersArgs {
    #[command(flatten)]
    pub common: CommonArgs,
    /// Class under test, by its binary name, and further classes whose structures are arguments
    /// (repeatable)
    #[arg(short = 'c', long = "class", value_name = "CLASS", required = true)]
    pub class: Vec<String>,
    /// Bounds of structures: N objects a class, integers 0 to N-1
    #[arg(long, value_name = "N", default_value_t = 5)]
    pub scope: u32,
    /// Write the builders into this settings file, which is created if it does not exist
    #[arg(short = 'o', long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Maximum number of instructions of one call [default: 200,000]
    #[arg(long, value_name = "N")]
    pub max_steps: Option<u64>,
    #[command(flatten)]
    pub api: ApiArgs,
}
