//! Options of `paths`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use heapwright_techniques::paths::{PathStrategy, Refinement};
use serde::{Deserialize, Serialize};

use crate::files::shard::{Shard, parse_shard};
use crate::options::{CommonArgs, InputArgs, JobArgs, JunitArgs, OracleArgs, ReportArgs};

/// Options of `paths`.
#[derive(Args, Debug)]
#[command(
    mut_arg("json", |arg| arg.conflicts_with("print")),
    mut_arg("report", |arg| arg.conflicts_with_all(["print", "shard", "job"])),
    mut_arg("job", |arg| arg.conflicts_with_all(["print", "shard", "time_limit", "json"]))
)]
pub struct PathsArgs {
    #[command(flatten)]
    pub common: CommonArgs,
    /// Class under test, by its binary name
    #[arg(short, long, value_name = "CLASS")]
    pub class: String,
    /// Method under test, by its name or as 'remove(int)' (repeatable) [default: all public ones]
    #[arg(short, long = "method", value_name = "METHOD")]
    pub methods: Vec<String>,
    /// Paths to find [default: program-points with --point, else all-local-paths]
    #[arg(long, value_enum)]
    pub criterion: Option<PathCriterionName>,
    /// Program point that some path must reach: Class:line, line, method@offset or
    /// Class.method@offset (repeatable)
    #[arg(long = "point", value_name = "POINT", conflicts_with = "trace")]
    pub points: Vec<String>,
    /// Follow this trace instead, with the names of rules from --print-rules; _ is a wildcard
    #[arg(long, value_name = "TERM", conflicts_with = "criterion")]
    pub trace: Option<String>,
    /// Find only the first path of the trace
    #[arg(long, requires = "trace")]
    pub first: bool,
    /// Search strategy: follow the traces of the criterion, or explore all paths and retain those
    /// that it needs
    #[arg(long, value_enum, default_value_t = StrategyName::Auto)]
    pub strategy: StrategyName,
    /// Use the same as --strategy standard
    #[arg(long, conflicts_with_all = ["strategy", "trace"])]
    pub unguided: bool,
    /// Values tracked while traces are generated: none, variables that guards depend on, or all
    /// [default: modes; none for printed output]
    #[arg(long, value_enum)]
    pub refine: Option<RefineName>,
    /// Options of reports.
    #[command(flatten)]
    pub reports: ReportArgs,
    /// Maximum number of evaluations of a loop's test, and of simultaneous frames of a method
    #[arg(long, value_name = "K", default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..))]
    pub loop_k: u32,
    /// Maximum number of simultaneous frames of methods of the program [default: no limit]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub max_depth: Option<u32>,
    /// Boolean method that receivers must satisfy [default name: repOK, repOk, checkRep, invariant
    /// or isValid]
    #[arg(long, value_name = "NAME", num_args = 0..=1)]
    #[expect(clippy::option_option, reason = "absent, without a name, with a name")]
    pub precondition: Option<Option<String>>,
    /// Maximum number of new objects of a class, elements of an array and characters of a string in
    /// an input [default: 3]
    #[arg(long, value_name = "N")]
    pub scope: Option<u32>,
    #[command(flatten)]
    pub inputs: InputArgs,
    /// Print the rules of the method and its callees, and search nothing
    #[arg(long, group = "print")]
    pub print_rules: bool,
    /// Print the trace abstraction, and search nothing
    #[arg(long, group = "print")]
    pub print_trace_abstraction: bool,
    /// Print the slice of the trace abstraction for the criterion, and search nothing
    #[arg(long, group = "print")]
    pub print_slice: bool,
    /// Print the variables of predicates that guards or constants bind, and search nothing
    #[arg(long, group = "print")]
    pub print_modes: bool,
    /// Output format of the cases
    #[arg(
        long,
        value_enum,
        value_name = "FORMAT",
        default_value = "text",
        conflicts_with = "print"
    )]
    pub format: CaseFormat,
    /// File for the cases [default: standard output]; for junit the folder; with --shard the file
    /// for `merge`
    #[arg(short, long, value_name = "PATH", conflicts_with = "print")]
    pub output: Option<PathBuf>,
    /// Search every N-th method, from the I-th on, and write the input of `merge` to the file named
    /// with -o
    #[arg(long, value_name = "I/N", value_parser = parse_shard, requires = "output", conflicts_with_all = ["print", "junit"])]
    pub shard: Option<Shard>,
    #[command(flatten)]
    pub job: JobArgs,
    /// Options of tests.
    #[command(flatten)]
    pub judged: OracleArgs,
    #[command(flatten)]
    pub junit: JunitArgs,
}

/// Paths to find.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum PathCriterionName {
    /// All paths
    AllPaths,
    /// One path for each path through the method itself, whatever its callees do
    AllLocalPaths,
    /// One path to each point that no earlier path reaches
    ProgramPoints,
    /// One path along each branch of the conditional jumps and switches of the class
    AllBranches,
    /// One path to each instruction of the class
    AllStatements,
}

/// Search strategy.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum StrategyName {
    /// Choice from the control flow of the method
    Auto,
    /// Along the traces of the criterion: each alone, then the remaining ones together
    Guided,
    /// Along all traces of the criterion together
    Together,
    /// Through all paths
    Standard,
}

impl From<StrategyName> for PathStrategy {
    fn from(name: StrategyName) -> PathStrategy {
        match name {
            StrategyName::Auto => PathStrategy::Auto,
            StrategyName::Guided => PathStrategy::Guided,
            StrategyName::Together => PathStrategy::Together,
            StrategyName::Standard => PathStrategy::Standard,
        }
    }
}

/// Values tracked while traces are generated.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum RefineName {
    /// No values
    None,
    /// Variables that guards depend on, or that hold constants
    Modes,
    /// All variables
    Full,
}

impl From<RefineName> for Refinement {
    fn from(name: RefineName) -> Refinement {
        match name {
            RefineName::None => Refinement::None,
            RefineName::Modes => Refinement::Modes,
            RefineName::Full => Refinement::Full,
        }
    }
}

/// Output format of cases.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum CaseFormat {
    /// Outcome, conditions, input and trace of each case
    Text,
    /// Conditions of each case as a script in SMT-LIB 2
    Smt2,
    /// A JUnit test class
    Junit,
    /// Control flow of the methods with the covered branches, as SVG
    Svg,
}
