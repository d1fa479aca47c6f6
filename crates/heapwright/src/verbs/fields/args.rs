//! Arguments of `fields`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use heapwright_techniques::fields::{Clock, Regression};
use heapwright_techniques::symbolic::CutBy;

use crate::options::{ApiArgs, CommonArgs, Format, JunitArgs, MAX_STEPS, OracleArgs};

/// Arguments of `fields`.
#[derive(Args, Debug)]
pub struct FieldsArgs {
    #[command(flatten)]
    pub common: CommonArgs,
    /// The class, by its binary name
    #[arg(short, long, value_name = "CLASS")]
    pub class: String,
    /// The boolean method that says whether a structure is well formed [default: repOK, repOk,
    /// checkRep, invariant or isValid]
    #[arg(long, value_name = "NAME")]
    pub invariant: Option<String>,
    /// Objects of a class: all scopes from 1 up to N are searched [default: 5]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub scope: Option<u32>,
    /// Which pairs of an object and what its field refers to are to be covered
    #[arg(long, value_enum, default_value_t = CriterionName::Exhaustive)]
    pub criterion: CriterionName,
    /// Cover the pairs in FILE only: one a line, as 'left: Node0 -> Node1'
    #[arg(long, value_name = "FILE", conflicts_with = "criterion")]
    pub pairs: Option<PathBuf>,
    /// Say how much of what is to be covered the structures in FILE cover, which `--format jsonl` of
    /// this or another verb wrote; without --scope up to as many objects as the largest of them has
    #[arg(long, value_name = "FILE", conflicts_with_all = ["format", "output", "estimate", "plot"])]
    pub measure: Option<PathBuf>,
    /// End a scope when as many pairs are found as small scopes lead to expect (size), or when the
    /// work is done in which they lead to expect all (time)
    #[arg(long, value_enum, default_value_t = EstimateName::None)]
    pub estimate: EstimateName,
    /// The function that is laid through the small scopes; an average is that of linear and quadratic
    /// for sizes, of quadratic and exponential for time
    #[arg(long, value_enum, default_value_t = RegressionName::Average)]
    pub regression: RegressionName,
    /// The scopes from 1 to N are searched whole, for the estimate
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..))]
    pub small_scope: u32,
    /// What time is measured by: by work, which is the same everywhere, or on the wall
    #[arg(long, value_enum, default_value_t = ClockName::Work)]
    pub clock: ClockName,
    /// Most times that a loop goes round, or a method calls itself, by decisions on symbolic values
    /// [default: 1000]
    #[arg(long, value_name = "K")]
    pub loop_k: Option<u32>,
    /// Most instructions of one run of the invariant [default: 10 million]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub max_steps: Option<u64>,
    /// Most work of the solver for one question, in its own units; past it the answer is unknown
    /// [default: 4000000]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub solver_work: Option<u64>,
    /// What the suite is written as [default: it is not]
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub format: Option<Format>,
    /// The file that the suite is written to [default: standard output]; of junit the folder
    #[arg(short, long, value_name = "PATH")]
    pub output: Option<PathBuf>,
    /// A method that tests call, by its name or as 'remove(int)' (repeatable) [default: all public
    /// ones]
    #[arg(short, long = "method", value_name = "METHOD")]
    pub methods: Vec<String>,
    /// How tests are written
    #[command(flatten)]
    pub judged: OracleArgs,
    #[command(flatten)]
    pub junit: JunitArgs,
    /// Most tests that are written [default: 20000]
    #[arg(long, value_name = "N")]
    pub max_tests: Option<u64>,
    /// Set the fields of tests' inputs, even where calls of public methods would make them
    #[arg(long)]
    pub no_api: bool,
    /// What the file with settings says of the API
    #[arg(skip)]
    pub api: ApiArgs,
    /// Draw the pairs found over time, and the predictions, as SVG
    #[arg(long, value_name = "FILE")]
    pub plot: Option<PathBuf>,
}

/// The scope if nothing is said.
const SCOPE: u32 = 5;
/// Most times that a loop goes round, if nothing is said.
const LOOPS: u32 = 1_000;

impl FieldsArgs {
    /// Objects of a class.
    pub fn scope(&self) -> u32 {
        self.scope.unwrap_or(SCOPE)
    }

    /// Most times that a loop goes round.
    pub fn loop_k(&self) -> u32 {
        self.loop_k.unwrap_or(LOOPS)
    }

    /// Whether a bound was asked for. What is within the scope, and up to where it is estimated, each claim says; how
    /// much work is done is never part of one.
    pub fn is_asked(&self, by: CutBy) -> bool {
        match by {
            CutBy::Lengths | CutBy::Estimate => true,
            CutBy::Loops => self.loop_k.is_some(),
            _ => false,
        }
    }

    /// Most instructions of one run.
    pub fn max_steps(&self) -> u64 {
        self.max_steps.unwrap_or(MAX_STEPS)
    }
}

/// Which pairs are to be covered.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum CriterionName {
    /// All that some structure has
    Exhaustive,
    /// Those that do not refer to null
    NonNull,
}

/// What is estimated.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum EstimateName {
    /// How many pairs each field has
    Size,
    /// How much work it takes to find them
    Time,
    /// Nothing: every scope is searched whole
    None,
}

/// How it is estimated.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum RegressionName {
    /// A straight line
    Linear,
    /// A parabola
    Quadratic,
    /// The mean of two of the others
    Average,
    /// An exponential
    Exponential,
}

impl From<RegressionName> for Regression {
    fn from(name: RegressionName) -> Regression {
        match name {
            RegressionName::Linear => Regression::Linear,
            RegressionName::Quadratic => Regression::Quadratic,
            RegressionName::Average => Regression::Average,
            RegressionName::Exponential => Regression::Exponential,
        }
    }
}

/// What time is measured by.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClockName {
    /// Instructions and questions to the solver
    Work,
    /// Milliseconds
    Wall,
}

impl From<ClockName> for Clock {
    fn from(name: ClockName) -> Clock {
        match name {
            ClockName::Work => Clock::Work,
            ClockName::Wall => Clock::Wall,
        }
    }
}
