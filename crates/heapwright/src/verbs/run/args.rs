//! Options of `run`.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use crate::options::{ClassPathArgs, InputArgs, MessageArgs, parse_pair, parse_time};

/// Options of `run`.
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
    /// Translate bytecode without optimisation passes, one instruction for one
    #[arg(long, hide = true)]
    pub unoptimized: bool,
    /// Collect garbage whenever this number of words of objects have been allocated
    #[arg(long, value_name = "WORDS", hide = true, conflicts_with = "symbolic")]
    pub collect_every: Option<u32>,
    /// Write the register code of the main class's methods to standard error after the run
    #[arg(long, hide = true)]
    pub disassemble: bool,
    /// Set a system property, such as user.timezone or user.language (repeatable)
    #[arg(short = 'D', value_name = "KEY=VALUE", value_parser = parse_pair, conflicts_with = "symbolic")]
    pub properties: Vec<(String, String)>,
    /// Folder of which the program sees a copy as the root of its file system [default: an empty one]
    #[arg(long, value_name = "DIR", conflicts_with = "symbolic")]
    pub files: Option<PathBuf>,
    #[command(flatten)]
    pub symbolic: SymbolicArgs,
    /// Class with the main method
    #[arg(value_name = "MAIN", required_unless_present = "symbolic")]
    pub main: Option<String>,
    /// Arguments of the program
    #[arg(
        value_name = "ARGS",
        trailing_var_arg = true,
        allow_hyphen_values = true
    )]
    pub arguments: Vec<String>,
}

/// Output format of paths.
#[derive(clap::ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum PathFormat {
    /// Outcome, conditions and input of each path, on one line
    Text,
    /// Conditions of each path as a script in SMT-LIB 2
    Smt2,
}

/// Options of `run --symbolic`.
#[derive(Args, Debug)]
#[group(id = "of-symbolic", multiple = true)]
pub struct SymbolicArgs {
    /// Explore every path of methods with symbolic inputs, and find an input for each
    // The verb itself rejects MAIN: `conflicts_with` would disable options that require this one.
    #[arg(long, requires = "class")]
    pub symbolic: bool,
    /// Class under test, by its binary name (with --symbolic)
    #[arg(short, long, value_name = "CLASS", requires = "symbolic")]
    pub class: Option<String>,
    /// Method under test, by its name or as 'remove(int)' (repeatable) [default: all public ones]
    #[arg(short, long = "method", value_name = "METHOD", requires = "symbolic")]
    pub methods: Vec<String>,
    /// Maximum number of new objects of a class, elements of an array and characters of a string in
    /// an input [default: 3]
    #[arg(long, value_name = "N", requires = "symbolic")]
    pub scope: Option<u32>,
    /// Maximum number of iterations of a loop, or of nested calls of a method, by decisions on
    /// symbolic values [default: 10]
    #[arg(long, value_name = "K", requires = "symbolic")]
    pub loop_k: Option<u32>,
    #[command(flatten)]
    pub inputs: InputArgs,
    /// Stop after N paths
    #[arg(long, value_name = "N", requires = "symbolic", value_parser = clap::value_parser!(u64).range(1..))]
    pub limit: Option<u64>,
    /// Stop after this time, as 30s or 5m
    #[arg(long, value_name = "TIME", value_parser = parse_time, requires = "symbolic")]
    pub time_limit: Option<Duration>,
    /// Number of workers, each with an engine [default: one a core]
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..), requires = "symbolic")]
    pub jobs: Option<u16>,
    /// Output format of paths
    #[arg(
        long,
        value_enum,
        value_name = "FORMAT",
        default_value = "text",
        requires = "symbolic"
    )]
    pub format: PathFormat,
    /// Write the paths to this file instead of standard output
    #[arg(short, long, value_name = "FILE", requires = "symbolic")]
    pub output: Option<PathBuf>,
    /// Print one JSON object and nothing else
    #[arg(long, requires = "symbolic")]
    pub json: bool,
}
