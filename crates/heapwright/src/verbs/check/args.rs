//! Arguments of `check`.

use std::path::PathBuf;

use clap::Args;
use heapwright_explore::Strategy;
use heapwright_techniques::check::Calls;

use crate::files::shard::{Shard, parse_shard};
use crate::options::{ApiArgs, BoundsArgs, CommonArgs, JunitArgs, OracleArgs, Search};

/// Arguments of `check`.
#[derive(Args, Debug)]
pub struct CheckArgs {
    #[command(flatten)]
    pub common: CommonArgs,
    /// The class, by its binary name
    #[arg(short = 'c', long = "class", value_name = "CLASS")]
    pub class: String,
    /// A method to call, as name or name(int,java.lang.String) (repeatable) [default: all public
    /// instance methods, constructors with parameters, and static methods that take or return
    /// objects of the class]
    #[arg(short = 'm', long = "method", value_name = "METHOD")]
    pub methods: Vec<String>,
    /// The boolean method that says whether a structure is well formed, or none: every structure
    /// within the bounds is [default: repOK, repOk, checkRep, invariant or isValid]
    #[arg(long, value_name = "NAME")]
    pub invariant: Option<String>,
    #[command(flatten)]
    pub bounds: BoundsArgs,
    #[command(flatten)]
    pub judged: OracleArgs,
    /// A static method that says whether a call did what it should: NAME where one method is
    /// checked, else METHOD=NAME (repeatable)
    #[arg(long = "oracle", value_name = "[METHOD=]NAME")]
    pub oracles: Vec<String>,
    /// Another implementation with the same methods: each call is made on an object of it, too, that
    /// is made of the structure, and must come to the same
    #[arg(long, value_name = "CLASS")]
    pub against: Option<String>,
    /// How tests are written
    #[command(flatten)]
    pub junit: JunitArgs,
    /// The folder that reproducers and drawings are written into [default: none are written]; with
    /// --shard the file for `merge`
    #[arg(short = 'o', long, value_name = "DIR")]
    pub output: Option<PathBuf>,
    /// Make the structures of reproducers by calls of public methods, not by setting fields, where a
    /// search from the API of at most 2,000,000 sequences finds them
    #[arg(long, requires = "output", conflicts_with = "shard")]
    pub prefer_api: bool,
    /// What the file with settings says of the API
    #[arg(skip)]
    pub api: ApiArgs,
    /// Most instructions of one run of the invariant or a method: one that takes more does not end
    /// [default: 10 million]
    #[arg(long, value_name = "N")]
    pub max_steps: Option<u64>,
    /// Go on where a run with the same class, bounds and options was stopped
    #[arg(long, value_name = "PREFIX")]
    pub resume: Option<String>,
    /// Make the calls on the I-th of N parts of about the same size, and write what `merge` takes to the
    /// file named with -o
    #[arg(long, value_name = "I/N", value_parser = parse_shard, requires = "output", conflicts_with_all = ["resume", "junit"])]
    pub shard: Option<Shard>,
    /// How structures are found; with lazy a run may stand for many calls
    #[arg(long, value_enum, default_value_t = Search::Lazy, hide = true)]
    pub search: Search,
}

impl CheckArgs {
    /// What calls are made on.
    pub fn calls(&self) -> Calls {
        match self.search {
            Search::Lazy => Calls::OnCubes { always: false },
            Search::Korat => Calls::OnStructures(Strategy::Korat),
        }
    }

    /// The search that is run.
    pub fn strategy(&self) -> Strategy {
        self.search.strategy()
    }
}

impl CheckArgs {
    /// Most instructions of one run.
    pub fn max_steps(&self) -> u64 {
        self.max_steps.unwrap_or(10_000_000)
    }
}
