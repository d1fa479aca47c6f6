//! Arguments of `run`.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use crate::options::{ClassPathArgs, InputArgs, MessageArgs, parse_time};

/// Arguments of `run`.
#[derive(Args, Debug)]
#[command(mut_group("of-inputs", |group| group.requires("symbolic")))]
pub struct RunArgs {
    #[command(flatten)]
    pub class_path: ClassPathArgs,
    #[command(flatten)]
    pub messages: MessageArgs,
    /// Check `assert` statements
    #[arg(long = "enable-assertions", visible_alias = "ea")]
    pub assertions: bool,
    /// Translate one instruction to one, without the passes that make the code faster
    #[arg(long, hide = true)]
    pub unoptimized: bool,
    /// Write the register code of the main class's methods to standard error after the run
    #[arg(long, hide = true)]
    pub disassemble: bool,
    #[command(flatten)]
    pub symbolic: SymbolicArgs,
    /// The class with the main method
    #[arg(value_name = "MAIN", required_unless_present = "symbolic")]
    pub main: Option<String>,
    /// Its arguments
    #[arg(
        value_name = "ARGS",
        trailing_var_arg = true,
        allow_hyphen_values = true
    )]
    pub arguments: Vec<String>,
}

/// What paths are written as.
#[derive(clap::ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum PathFormat {
    /// A line a path: how it ends, its conditions, an input
    Text,
    /// Its conditions as a script in SMT-LIB 2
    Smt2,
}

/// Arguments of `run --symbolic`.
#[derive(Args, Debug)]
#[group(id = "of-symbolic", multiple = true)]
pub struct SymbolicArgs {
    /// Run methods with symbolic inputs: every path, with an input that takes it
    // That MAIN does not go with it is said by the verb: a conflict would drop what others require.
    #[arg(long, requires = "class")]
    pub symbolic: bool,
    /// The class (with --symbolic)
    #[arg(short, long, value_name = "CLASS", requires = "symbolic")]
    pub class: Option<String>,
    /// A method, by its name or as 'remove(int)' (repeatable) [default: all public ones]
    #[arg(short, long = "method", value_name = "METHOD", requires = "symbolic")]
    pub methods: Vec<String>,
    /// Most new objects of a class, elements of an array and characters of a string in an input
    /// [default: 3]
    #[arg(long, value_name = "N", requires = "symbolic")]
    pub scope: Option<u32>,
    /// Most times that a loop goes round, or a method calls itself, by decisions on symbolic values
    /// [default: 10]
    #[arg(long, value_name = "K", requires = "symbolic")]
    pub loop_k: Option<u32>,
    #[command(flatten)]
    pub inputs: InputArgs,
    /// Stop after so many paths
    #[arg(long, value_name = "N", requires = "symbolic", value_parser = clap::value_parser!(u64).range(1..))]
    pub limit: Option<u64>,
    /// Stop after this time, as 30s or 5m
    #[arg(long, value_name = "TIME", value_parser = parse_time, requires = "symbolic")]
    pub time_limit: Option<Duration>,
    /// Workers, each with an engine [default: one a core]
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..), requires = "symbolic")]
    pub jobs: Option<u16>,
    /// What paths are written as
    #[arg(
        long,
        value_enum,
        value_name = "FORMAT",
        default_value = "text",
        requires = "symbolic"
    )]
    pub format: PathFormat,
    /// Write the paths there instead of standard output
    #[arg(short, long, value_name = "FILE", requires = "symbolic")]
    pub output: Option<PathBuf>,
    /// Print one JSON object and nothing else
    #[arg(long, requires = "symbolic")]
    pub json: bool,
}
