//! Options of `fields`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use heapwright_techniques::fields::{Clock, Regression};
use heapwright_techniques::observe::ObservedCalls;
use heapwright_techniques::symbolic::CutBy;

use crate::options::{ApiArgs, CommonArgs, Format, JobArgs, JunitArgs, MAX_STEPS, OracleArgs};

/// Options of `fields`.
#[derive(Args, Debug)]
#[command(
    mut_arg("job", |arg| arg.conflicts_with_all(["pairs", "measure", "plot", "time_limit", "json"]))
)]
pub struct FieldsArgs {
    #[command(flatten)]
    pub common: CommonArgs,
    /// Class under test, by its binary name
    #[arg(short, long, value_name = "CLASS")]
    pub class: String,
    /// Boolean method that decides whether a structure is well-formed [default: repOK, repOk,
    /// checkRep, invariant or isValid]
    #[arg(long, value_name = "NAME")]
    pub invariant: Option<String>,
    /// Maximum number of objects of a class: all scopes from 1 up to N are searched [default: 5]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub scope: Option<u32>,
    /// Pairs of an object's field and its referent to cover
    #[arg(long, value_enum, default_value_t = PairCriterionName::Exhaustive)]
    pub criterion: PairCriterionName,
    /// Cover only the pairs in FILE: one a line, as 'left: Node0 -> Node1'
    #[arg(long, value_name = "FILE", conflicts_with = "criterion")]
    pub pairs: Option<PathBuf>,
    /// Measure how many of the pairs to cover are in the structures in FILE, which `--format jsonl`
    /// of this or another verb wrote; without --scope up to as many objects as the largest of them
    /// has
    #[arg(long, value_name = "FILE", conflicts_with_all = ["format", "output", "estimate", "plot"])]
    pub measure: Option<PathBuf>,
    /// End a scope at the number of pairs predicted from the small scopes (size), or after the work
    /// predicted to find all pairs (time)
    #[arg(long, value_enum, default_value_t = EstimateName::None)]
    pub estimate: EstimateName,
    /// Function fitted to the small scopes; average is the mean of linear and quadratic for sizes,
    /// of quadratic and exponential for time
    #[arg(long, value_enum, default_value_t = RegressionName::Average)]
    pub regression: RegressionName,
    /// Search the scopes from 1 to N completely, for the estimate
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..))]
    pub small_scope: u32,
    /// Measure of time: work, which is the same on every machine, or wall-clock time
    #[arg(long, value_enum, default_value_t = ClockName::Work)]
    pub clock: ClockName,
    /// Maximum number of iterations of a loop, or of nested calls of a method, by decisions on
    /// symbolic values [default: 1000]
    #[arg(long, value_name = "K")]
    pub loop_k: Option<u32>,
    /// Maximum number of instructions of one run of the invariant [default: 10 million]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub max_steps: Option<u64>,
    /// Maximum work of the solver per query, in its own units; beyond it the result is unknown
    /// [default: 4000000]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub solver_work: Option<u64>,
    /// Output format of the suite [default: it is not written]
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub format: Option<Format>,
    /// File for the suite [default: standard output]; for junit the folder
    #[arg(short, long, value_name = "PATH")]
    pub output: Option<PathBuf>,
    /// Method that tests call, by its name or as 'remove(int)' (repeatable) [default: all public
    /// ones]
    #[arg(short, long = "method", value_name = "METHOD")]
    pub methods: Vec<String>,
    /// Method without parameters, as toString, that tests call after each call; they assert the
    /// result, and so the state (repeatable)
    #[arg(long, value_name = "METHOD")]
    pub observe: Vec<String>,
    /// Options of tests.
    #[command(flatten)]
    pub judged: OracleArgs,
    #[command(flatten)]
    pub junit: JunitArgs,
    /// Maximum number of tests written [default: 20000]
    #[arg(long, value_name = "N")]
    pub max_tests: Option<u64>,
    /// Set the fields of tests' inputs, even if calls of public methods could build them
    #[arg(long)]
    pub no_api: bool,
    #[command(flatten)]
    pub job: JobArgs,
    /// API settings of the settings file.
    #[arg(skip)]
    pub api: ApiArgs,
    /// Draw the pairs found over time, and the predictions, as SVG
    #[arg(long, value_name = "FILE")]
    pub plot: Option<PathBuf>,
}

/// Default scope.
const SCOPE: u32 = 5;
/// Default limit of iterations of a loop.
const LOOPS: u32 = 1_000;

impl FieldsArgs {
    /// Calls that tests make.
    pub fn observed_calls(&self) -> ObservedCalls<'_> {
        ObservedCalls {
            methods: &self.methods,
            then: &self.observe,
        }
    }

    /// Maximum number of objects of a class.
    pub fn scope(&self) -> u32 {
        self.scope.unwrap_or(SCOPE)
    }

    /// Limit of iterations of a loop.
    pub fn loop_k(&self) -> u32 {
        self.loop_k.unwrap_or(LOOPS)
    }

    /// Whether the user set a bound. Every claim names the scope and the estimate; solver work is
    /// never part of a claim.
    pub fn is_asked(&self, by: CutBy) -> bool {
        match by {
            CutBy::Lengths | CutBy::Estimate => true,
            CutBy::Loops => self.loop_k.is_some(),
            _ => false,
        }
    }

    /// Limit of instructions of one run.
    pub fn max_steps(&self) -> u64 {
        self.max_steps.unwrap_or(MAX_STEPS)
    }
}

/// Pairs to cover.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum PairCriterionName {
    /// All pairs that some structure has
    Exhaustive,
    /// Pairs with a referent other than null
    NonNull,
}

/// Quantity to estimate.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum EstimateName {
    /// Number of pairs of each field
    Size,
    /// Work that finds all pairs
    Time,
    /// Nothing: every scope is searched completely
    None,
}

/// Function that is fitted for the estimate.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum RegressionName {
    /// Straight line
    Linear,
    /// Parabola
    Quadratic,
    /// Mean of two of the others
    Average,
    /// Exponential
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

/// Measure of time.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClockName {
    /// Instructions and queries to the solver
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
