//! Arguments of `paths`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use heapwright_techniques::paths::{Refinement, Strategy};

use crate::options::{CommonArgs, InputArgs, JunitArgs, OracleArgs};

/// Arguments of `paths`.
#[derive(Args, Debug)]
#[command(mut_arg("json", |arg| arg.conflicts_with("print")))]
pub struct PathsArgs {
    #[command(flatten)]
    pub common: CommonArgs,
    /// The class, by its binary name
    #[arg(short, long, value_name = "CLASS")]
    pub class: String,
    /// A method, by its name or as 'remove(int)' (repeatable) [default: all public ones]
    #[arg(short, long = "method", value_name = "METHOD")]
    pub methods: Vec<String>,
    /// Which paths are wanted [default: program-points with --point, else all-local-paths]
    #[arg(long, value_enum)]
    pub criterion: Option<CriterionName>,
    /// A point that some path is to come by: Class:line, line, method@offset or
    /// Class.method@offset (repeatable)
    #[arg(long = "point", value_name = "POINT", conflicts_with = "trace")]
    pub points: Vec<String>,
    /// Follow this trace instead, as --print-rules names the rules; _ stands for a part that is free
    #[arg(long, value_name = "TERM", conflicts_with = "criterion")]
    pub trace: Option<String>,
    /// The first path of the trace only
    #[arg(long, requires = "trace")]
    pub first: bool,
    /// How the paths are looked for: along the traces of the criterion, or by going through all and
    /// keeping those that it needs
    #[arg(long, value_enum, default_value_t = StrategyName::Auto)]
    pub strategy: StrategyName,
    /// The same as --strategy standard
    #[arg(long, conflicts_with_all = ["strategy", "trace"])]
    pub unguided: bool,
    /// What is known of values as traces are made: nothing, variables whose values guards bear on, or
    /// all
    /// [default: modes; of what is printed none]
    #[arg(long, value_enum)]
    pub refine: Option<RefineName>,
    /// Most times that the test of a loop is run, and most frames of a method at a time
    #[arg(long, value_name = "K", default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..))]
    pub loop_k: u32,
    /// Most frames of methods of the program at a time [default: no limit]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub max_depth: Option<u32>,
    /// Receivers are those for which this boolean method holds [default name: repOK, repOk, checkRep,
    /// invariant or isValid]
    #[arg(long, value_name = "NAME", num_args = 0..=1)]
    #[expect(clippy::option_option, reason = "absent, without a name, with a name")]
    pub precondition: Option<Option<String>>,
    /// Most new objects of a class, elements of an array and characters of a string in an input
    /// [default: 3]
    #[arg(long, value_name = "N")]
    pub scope: Option<u32>,
    #[command(flatten)]
    pub inputs: InputArgs,
    /// Print the rules that the method and what it calls are read as, and search nothing
    #[arg(long, group = "print")]
    pub print_rules: bool,
    /// Print the trace abstraction, and search nothing
    #[arg(long, group = "print")]
    pub print_trace_abstraction: bool,
    /// Print the slice of the trace abstraction for the criterion, and search nothing
    #[arg(long, group = "print")]
    pub print_slice: bool,
    /// Print which variables of predicates are bound by guards or constants, and search nothing
    #[arg(long, group = "print")]
    pub print_modes: bool,
    /// What the cases are written as
    #[arg(
        long,
        value_enum,
        value_name = "FORMAT",
        default_value = "text",
        conflicts_with = "print"
    )]
    pub format: CaseFormat,
    /// The file that the cases are written to [default: standard output]; of junit the folder
    #[arg(short, long, value_name = "PATH", conflicts_with = "print")]
    pub output: Option<PathBuf>,
    /// How tests are written
    #[command(flatten)]
    pub judged: OracleArgs,
    #[command(flatten)]
    pub junit: JunitArgs,
}

/// Which paths are wanted.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum CriterionName {
    /// All
    AllPaths,
    /// One for each path through the method itself, whatever what it calls does
    AllLocalPaths,
    /// One by each point, unless one before came by
    ProgramPoints,
    /// One by each way on from the conditional jumps and switches of the class
    AllBranches,
    /// One by each instruction of the class
    AllStatements,
}

/// How paths are looked for.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum StrategyName {
    /// As the control flow suggests
    Auto,
    /// Along the traces of the criterion: each alone, then those that are left together
    Guided,
    /// Along all traces of the criterion at a time
    Together,
    /// Through all paths
    Standard,
}

impl From<StrategyName> for Strategy {
    fn from(name: StrategyName) -> Strategy {
        match name {
            StrategyName::Auto => Strategy::Auto,
            StrategyName::Guided => Strategy::Guided,
            StrategyName::Together => Strategy::Together,
            StrategyName::Standard => Strategy::Standard,
        }
    }
}

/// What is known of values as traces are made.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum RefineName {
    /// Nothing
    None,
    /// Variables that guards bear on, or that hold constants
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

/// What cases are written as.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum CaseFormat {
    /// How each ends, its conditions, an input, its trace
    Text,
    /// Its conditions as a script in SMT-LIB 2
    Smt2,
    /// A JUnit test class
    Junit,
    /// The control flow of the methods, with the ways that are covered, as SVG
    Svg,
}
