//! Options of `compare`.

use std::path::PathBuf;

use clap::Args;
use heapwright_techniques::adjust::Adjustments;

use crate::options::{ApiArgs, CommonArgs, SpillArgs};

/// Options of `compare`.
#[derive(Args, Debug)]
pub struct CompareArgs {
    #[command(flatten)]
    pub common: CommonArgs,
    /// Class under test, by its binary name, and further classes whose structures are arguments
    /// (repeatable)
    #[arg(short = 'c', long = "class", value_name = "CLASS", required = true)]
    pub class: Vec<String>,
    /// Boolean method that decides whether a structure is well-formed [default: repOK, repOk,
    /// checkRep, invariant or isValid]
    #[arg(long, value_name = "NAME")]
    pub invariant: Option<String>,
    /// Bounds of structures: N objects a class, integers 0 to N-1
    #[arg(long, value_name = "N")]
    pub scope: u32,
    /// Korat finitization method that bounds the invariant's search [default: bounds derived from
    /// the scope; primitive fields have the values that occur in structures built by calls]
    #[arg(long, value_name = "NAME")]
    pub finitization: Option<String>,
    /// Arguments of the finitization method, separated by commas
    #[arg(long, value_name = "A,B,…", allow_hyphen_values = true)]
    pub args: Option<String>,
    /// Allow calls to pass through structures with up to K more objects if a structure seems not to
    /// be built
    #[arg(long, value_name = "K", default_value_t = 2)]
    pub headroom: u32,
    /// Number of witnesses shown of each kind
    #[arg(long, value_name = "N", default_value_t = 3)]
    pub witnesses: usize,
    /// Draw the witnesses into this file, as SVG
    #[arg(short = 'o', long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Maximum number of instructions of one call or run of the invariant [default: 200,000 and 100
    /// million]
    #[arg(long, value_name = "N")]
    pub max_steps: Option<u64>,
    #[command(flatten)]
    pub api: ApiArgs,
    #[command(flatten)]
    pub spill: SpillArgs,
    /// Adjustments of derived bounds in the settings file.
    #[arg(skip)]
    pub adjustments: Adjustments,
}
