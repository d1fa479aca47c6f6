//! Options of `enumerate`.

use std::path::PathBuf;

use clap::Args;
use heapwright_explore::Strategy;
use heapwright_techniques::observe::ObservedCalls;

use crate::files::shard::{Shard, parse_shard};
use crate::options::{
    ApiArgs, BoundsArgs, CommonArgs, ContractsName, Format, JobArgs, JunitArgs, ReportArgs,
    SearchName, SpillArgs,
};

/// Source of structures.
#[derive(clap::ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// All structures that the class's invariant accepts
    Invariant,
    /// All structures that calls of its public methods build
    Api,
}

/// Options of `enumerate`.
#[derive(Args, Debug)]
#[command(
    mut_arg("report", |arg| arg.conflicts_with("shard")),
    mut_arg("job", |arg| arg.conflicts_with_all([
        "shard", "resume", "limit", "eq_class", "time_limit", "explain_bounds", "json",
    ]))
)]
pub struct EnumerateArgs {
    #[command(flatten)]
    pub common: CommonArgs,
    /// Class under test, by its binary name; from the API also further classes whose structures are
    /// arguments (repeatable)
    #[arg(short = 'c', long = "class", value_name = "CLASS", required = true)]
    pub class: Vec<String>,
    /// Source of structures
    #[arg(long, value_enum, default_value = "invariant")]
    pub from: Source,
    /// Boolean method that decides whether a structure is well-formed, or none: every structure
    /// within the bounds is [default: repOK, repOk, checkRep, invariant or isValid]
    #[arg(long, value_name = "NAME")]
    pub invariant: Option<String>,
    /// Contracts to check where tests are written of structures from the API
    #[arg(long, value_enum, default_value_t, hide_default_value = true)]
    pub contracts: ContractsName,
    #[command(flatten)]
    pub bounds: BoundsArgs,
    /// Search for structures
    #[arg(long, value_enum, default_value = "lazy")]
    pub search: SearchName,
    /// Method whose result is a structure's equivalence class: candidates known to fall into a
    /// covered class are left out (Korat+ with --search korat)
    #[arg(long, value_name = "METHOD")]
    pub eq_class: Option<String>,
    /// Retain only the first structure of each class
    #[arg(long, requires = "eq_class")]
    pub one_per_class: bool,
    /// Count structures without writing them
    #[arg(long, conflicts_with = "format")]
    pub count: bool,
    /// Output format of structures
    #[arg(long, value_enum)]
    pub format: Option<Format>,
    /// Options of reports.
    #[command(flatten)]
    pub reports: ReportArgs,
    /// Options of tests.
    #[command(flatten)]
    pub junit: JunitArgs,
    /// File to write, or for JUnit the folder [default: standard output]
    #[arg(short = 'o', long, value_name = "PATH")]
    pub output: Option<PathBuf>,
    /// Stop after N structures
    #[arg(long, value_name = "N")]
    pub limit: Option<u64>,
    /// Method that tests of structures from the invariant call, by its name or as 'remove(int)'
    /// (repeatable) [default: all public ones]
    #[arg(long = "call", value_name = "METHOD")]
    pub calls: Vec<String>,
    /// Method without parameters, as toString, that these tests call after each call; they assert
    /// the result, and so the state (repeatable)
    #[arg(long, value_name = "METHOD")]
    pub observe: Vec<String>,
    /// Build the inputs of JUnit tests by public calls instead of setting fields, if a search
    /// from the API of at most 2,000,000 sequences finds them
    #[arg(long)]
    pub prefer_api: bool,
    /// Maximum number of tests written, those of the smallest structures [default: 20000]
    #[arg(long, value_name = "N")]
    pub max_tests: Option<u64>,
    /// Maximum number of instructions of one run of the invariant or a method [default: 100
    /// million]
    #[arg(long, value_name = "N")]
    pub max_steps: Option<u64>,
    /// Resume a stopped run with the same class, bounds and options
    #[arg(long, value_name = "PREFIX", conflicts_with = "eq_class")]
    pub resume: Option<String>,
    /// Search the I-th of N parts of about the same size, and write the input of `merge` to the
    /// file named with -o
    #[arg(long, value_name = "I/N", value_parser = parse_shard, requires = "output", conflicts_with_all = ["resume", "eq_class", "limit"])]
    pub shard: Option<Shard>,
    #[command(flatten)]
    pub job: JobArgs,
    #[command(flatten)]
    pub api: ApiArgs,
    #[command(flatten)]
    pub spill: SpillArgs,
}

impl EnumerateArgs {
    /// Calls that tests make.
    pub fn observed_calls(&self) -> ObservedCalls<'_> {
        ObservedCalls {
            methods: &self.calls,
            then: &self.observe,
        }
    }

    /// Output format of structures; none if they are only counted.
    pub fn format(&self) -> Option<Format> {
        self.format.filter(|_| !self.count)
    }

    /// Whether structures are counted without visiting each.
    pub fn counts_only(&self) -> bool {
        self.limit.is_none() && self.format().is_none() && self.reports.report.is_none()
    }

    /// Limit of instructions of one run.
    pub fn max_steps(&self) -> u64 {
        self.max_steps.unwrap_or(100_000_000)
    }

    /// Strategy of the search.
    pub fn strategy(&self) -> Strategy {
        self.search.strategy()
    }
}
