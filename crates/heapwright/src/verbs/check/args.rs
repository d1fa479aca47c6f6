//! Options of `check`.

use std::path::PathBuf;

use clap::Args;
use heapwright_explore::Strategy;
use heapwright_techniques::check::CallInputs;

use crate::files::shard::{Shard, parse_shard};
use crate::options::{
    ApiArgs, BoundsArgs, CommonArgs, JobArgs, JunitArgs, OracleArgs, ReportArgs, SearchName,
};

/// Options of `check`.
#[derive(Args, Debug)]
#[command(
    mut_arg("report", |arg| arg.conflicts_with("shard")),
    mut_arg("job", |arg| arg.conflicts_with_all([
        "shard", "resume", "time_limit", "explain_bounds", "json",
    ]))
)]
pub struct CheckArgs {
    #[command(flatten)]
    pub common: CommonArgs,
    /// Class under test, by its binary name
    #[arg(short = 'c', long = "class", value_name = "CLASS")]
    pub class: String,
    /// Method to call, as name or name(int,java.lang.String) (repeatable) [default: all public
    /// instance methods, constructors with parameters, and static methods that take or return
    /// objects of the class]
    #[arg(short = 'm', long = "method", value_name = "METHOD")]
    pub methods: Vec<String>,
    /// Boolean method that decides whether a structure is well-formed, or none: every structure
    /// within the bounds is [default: repOK, repOk, checkRep, invariant or isValid]
    #[arg(long, value_name = "NAME")]
    pub invariant: Option<String>,
    #[command(flatten)]
    pub bounds: BoundsArgs,
    #[command(flatten)]
    pub judged: OracleArgs,
    /// Static method that decides whether a call behaved correctly: NAME if one method is checked,
    /// else METHOD=NAME (repeatable)
    #[arg(long = "oracle", value_name = "[METHOD=]NAME")]
    pub oracles: Vec<String>,
    /// Another implementation with the same methods: each call is repeated on an object of it built
    /// from the structure, and must have the same outcome
    #[arg(long, value_name = "CLASS")]
    pub against: Option<String>,
    /// Options of tests.
    #[command(flatten)]
    pub junit: JunitArgs,
    /// Options of reports.
    #[command(flatten)]
    pub reports: ReportArgs,
    /// Folder for reproducers and drawings [default: none are written]; with --shard the file for
    /// `merge`
    #[arg(short = 'o', long, value_name = "DIR")]
    pub output: Option<PathBuf>,
    /// Draw the structures of counterexamples as boxes and arrows
    #[arg(long, conflicts_with = "json")]
    pub draw: bool,
    /// Build the structures of reproducers by public calls instead of setting fields, if a search
    /// from the API of at most 2,000,000 sequences finds them
    #[arg(long, requires = "output", conflicts_with = "shard")]
    pub prefer_api: bool,
    /// API settings of the settings file.
    #[arg(skip)]
    pub api: ApiArgs,
    /// Maximum number of instructions of one run of the invariant or a method: one that takes more
    /// does not end [default: 10 million]
    #[arg(long, value_name = "N")]
    pub max_steps: Option<u64>,
    /// Resume a stopped run with the same class, bounds and options
    #[arg(long, value_name = "PREFIX")]
    pub resume: Option<String>,
    /// Make the calls on the I-th of N parts of about the same size, and write the input of `merge`
    /// to the file named with -o
    #[arg(long, value_name = "I/N", value_parser = parse_shard, requires = "output", conflicts_with_all = ["resume", "junit"])]
    pub shard: Option<Shard>,
    #[command(flatten)]
    pub job: JobArgs,
    /// Search for structures; with lazy one run may represent many calls
    #[arg(long, value_enum, default_value_t = SearchName::Lazy, hide = true)]
    pub search: SearchName,
}

impl CheckArgs {
    /// Objects of the calls: leaves of the lazy search, or structures.
    pub fn calls(&self) -> CallInputs {
        match self.search {
            SearchName::Lazy => CallInputs::OnCubes { always: false },
            SearchName::Korat => CallInputs::OnStructures(Strategy::Korat),
        }
    }

    /// Strategy of the search.
    pub fn strategy(&self) -> Strategy {
        self.search.strategy()
    }
}

impl CheckArgs {
    /// Limit of instructions of one run.
    pub fn max_steps(&self) -> u64 {
        self.max_steps.unwrap_or(10_000_000)
    }
}
