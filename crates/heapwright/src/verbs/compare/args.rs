//! Arguments of `compare`.

use std::path::PathBuf;

use clap::Args;
use heapwright_techniques::adjust::Adjustments;

use crate::options::{ApiArgs, CommonArgs};

/// Arguments of `compare`.
#[derive(Args, Debug)]
pub struct CompareArgs {
    #[command(flatten)]
    pub common: CommonArgs,
    /// The class, by its binary name, and further ones whose structures are arguments (repeatable)
    #[arg(short = 'c', long = "class", value_name = "CLASS", required = true)]
    pub class: Vec<String>,
    /// The boolean method that says whether a structure is well formed [default: repOK, repOk,
    /// checkRep, invariant or isValid]
    #[arg(long, value_name = "NAME")]
    pub invariant: Option<String>,
    /// N objects a class, integers 0 to N-1
    #[arg(long, value_name = "N")]
    pub scope: u32,
    /// The Korat finitization method that bounds the invariant's search [default: bounds derived from
    /// the scope, primitive fields having the values they have in structures that were built]
    #[arg(long, value_name = "NAME")]
    pub finitization: Option<String>,
    /// Its arguments, separated by commas
    #[arg(long, value_name = "A,B,…", allow_hyphen_values = true)]
    pub args: Option<String>,
    /// Let calls pass through structures of up to K objects more when something seems not to be built
    #[arg(long, value_name = "K", default_value_t = 2)]
    pub headroom: u32,
    /// Witnesses shown of each kind
    #[arg(long, value_name = "N", default_value_t = 3)]
    pub witnesses: usize,
    /// Draw the witnesses into this file, as SVG
    #[arg(short = 'o', long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Most instructions of one call or run of the invariant [default: 200,000 and 100 million]
    #[arg(long, value_name = "N")]
    pub max_steps: Option<u64>,
    #[command(flatten)]
    pub api: ApiArgs,
    /// What the file says of derived bounds
    #[arg(skip)]
    pub adjustments: Adjustments,
}
