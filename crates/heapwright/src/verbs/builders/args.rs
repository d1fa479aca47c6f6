//! Arguments of `builders`.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use crate::options::{ApiArgs, ClassPathArgs, ConfigArgs, parse_time};

/// Arguments of `builders`.
#[derive(Args, Debug)]
pub struct BuildersArgs {
    #[command(flatten)]
    pub config: ConfigArgs,
    #[command(flatten)]
    pub class_path: ClassPathArgs,
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
    /// Stop after this time, as 500ms, 30s or 2m
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    pub time_limit: Option<Duration>,
    /// Workers that make calls [default: one a core]
    #[arg(short = 'j', long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub jobs: Option<u16>,
    /// One summary object on standard output
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub api: ApiArgs,
}
