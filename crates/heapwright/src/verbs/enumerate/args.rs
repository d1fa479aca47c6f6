//! Arguments of `enumerate`.

use std::path::PathBuf;

use clap::Args;
use heapwright_explore::Strategy;

use crate::files::shard::{Shard, parse_shard};
use crate::options::{ApiArgs, BoundsArgs, CommonArgs, ContractsName, Format, JunitArgs, Search};

/// Where structures come from.
#[derive(clap::ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// Everything the class's invariant accepts
    Invariant,
    /// Everything that calls of its public methods build
    Api,
}

/// Arguments of `enumerate`.
#[derive(Args, Debug)]
pub struct EnumerateArgs {
    #[command(flatten)]
    pub common: CommonArgs,
    /// The class, by its binary name; from the API also further ones whose structures are arguments
    /// (repeatable)
    #[arg(short = 'c', long = "class", value_name = "CLASS", required = true)]
    pub class: Vec<String>,
    /// Where structures come from
    #[arg(long, value_enum, default_value = "invariant")]
    pub from: Source,
    /// The boolean method that says whether a structure is well formed, or none: every structure
    /// within the bounds is [default: repOK, repOk, checkRep, invariant or isValid]
    #[arg(long, value_name = "NAME")]
    pub invariant: Option<String>,
    /// Which contracts are asked for where tests are written of structures from the API
    #[arg(long, value_enum, default_value_t, hide_default_value = true)]
    pub contracts: ContractsName,
    #[command(flatten)]
    pub bounds: BoundsArgs,
    /// How the choices are made
    #[arg(long, value_enum, default_value = "lazy")]
    pub search: Search,
    /// The method whose value names a structure's equivalence class: what is known to fall into a
    /// class covered already is left out (Korat+ with --search korat)
    #[arg(long, value_name = "METHOD")]
    pub eq_class: Option<String>,
    /// Keep the first structure of each class
    #[arg(long, requires = "eq_class")]
    pub one_per_class: bool,
    /// Count only
    #[arg(long, conflicts_with = "format")]
    pub count: bool,
    /// What structures are written as
    #[arg(long, value_enum)]
    pub format: Option<Format>,
    /// How tests are written
    #[command(flatten)]
    pub junit: JunitArgs,
    /// The file, or for JUnit the folder, that is written [default: standard output]
    #[arg(short = 'o', long, value_name = "PATH")]
    pub output: Option<PathBuf>,
    /// Stop after N structures
    #[arg(long, value_name = "N")]
    pub limit: Option<u64>,
    /// Make the inputs of JUnit tests by calls of public methods, not by setting fields, where a search
    /// from the API of at most 2,000,000 sequences finds them
    #[arg(long)]
    pub prefer_api: bool,
    /// Write no more tests than this: refuse [default: 20000]
    #[arg(long, value_name = "N")]
    pub max_tests: Option<u64>,
    /// Most instructions of one run of the invariant or a method [default: 100 million]
    #[arg(long, value_name = "N")]
    pub max_steps: Option<u64>,
    /// Go on where a run with the same class, bounds and options was stopped
    #[arg(long, value_name = "PREFIX", conflicts_with = "eq_class")]
    pub resume: Option<String>,
    /// Search the I-th of N parts of about the same size, and write what `merge` takes to the file
    /// named with -o
    #[arg(long, value_name = "I/N", value_parser = parse_shard, requires = "output", conflicts_with_all = ["resume", "eq_class", "limit"])]
    pub shard: Option<Shard>,
    #[command(flatten)]
    pub api: ApiArgs,
}

impl EnumerateArgs {
    /// What structures are written as, if they are.
    pub fn format(&self) -> Option<Format> {
        self.format.filter(|_| !self.count)
    }

    /// Whether structures are counted without going through each.
    pub fn counts_only(&self) -> bool {
        self.limit.is_none() && self.format().is_none()
    }

    /// Most instructions of one run.
    pub fn max_steps(&self) -> u64 {
        self.max_steps.unwrap_or(100_000_000)
    }

    /// The search that is run.
    pub fn strategy(&self) -> Strategy {
        self.search.strategy()
    }
}
