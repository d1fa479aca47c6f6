//! Arguments of `builders`.

use std::path::PathBuf;

use clap::Args;

use crate::options::{ApiArgs, CommonArgs};

/// Arguments of `builders`.
#[derive(Args, Debug)]
pub struct BuildersArgs {
    #[command(flatten)]
    pub common: CommonArgs,
    /// The class, by its binary name, and further ones whose structures are arguments (repeatable)
    #[arg(short = 'c', long = "class", value_name = "CLASS", required = true)]
    pub class: Vec<String>,
    /// N objects a class, integers 0 to N-1
    #[arg(long, value_name = "N", default_value_t = 5)]
    pub scope: u32,
    /// Write the builders into this file of settings, which is made if it is not there
    #[arg(short = 'o', long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Most instructions of one call [default: 200,000]
    #[arg(long, value_name = "N")]
    pub max_steps: Option<u64>,
    #[command(flatten)]
    pub api: ApiArgs,
}
