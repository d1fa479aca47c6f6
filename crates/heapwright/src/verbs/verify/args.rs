//! Options of `verify`.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum, ValueHint};

use crate::options::{ClassPathArgs, OutputArgs, parse_time};

use super::property::PropertyArg;

/// When states behind branches are merged.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum Merge {
    /// Where a search has too many paths
    Auto,
    /// In all searches
    Always,
    /// In none
    Never,
}

impl Merge {
    /// Setting for all searches; `None` to decide by their paths.
    pub fn setting(self) -> Option<bool> {
        match self {
            Merge::Auto => None,
            Merge::Always => Some(true),
            Merge::Never => Some(false),
        }
    }
}

/// What a program reads from outside.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum World {
    /// Inputs of any value
    Open,
    /// One value, which leaves the verdict unknown
    Fixed,
}

/// Options of `verify`.
#[derive(Args, Debug)]
pub struct VerifyArgs {
    #[command(flatten)]
    pub class_path: ClassPathArgs,
    #[command(flatten)]
    pub output: OutputArgs,
    /// Class of a method with open arguments, in place of a main method
    #[arg(
        short,
        long,
        value_name = "CLASS",
        requires = "method",
        conflicts_with = "main"
    )]
    pub class: Option<String>,
    /// Method with open arguments, by its name or as 'remove(int)'
    #[arg(short, long, value_name = "METHOD", requires = "class")]
    pub method: Option<String>,
    /// Property: `assertions`, `no-runtime-exception`, `no-exception`, `no-deadlock`, or a property file of the
    /// Competition on Software Verification [default: assertions; of a .jpf file
    /// no-exception]
    #[arg(long, value_name = "NAME|FILE")]
    pub property: Option<PropertyArg>,
    /// Accept the bounds: say `true up to` them of the first search that is complete but for what they
    /// cut off
    #[arg(long)]
    pub bounded: bool,
    /// Maximum number of characters of a string, of elements of an array and of objects of a class
    /// in inputs [default: 3, then more]
    #[arg(long, value_name = "N")]
    pub scope: Option<u32>,
    /// Maximum number of iterations of a loop, or of nested calls of a method, by decisions on
    /// inputs [default: 4, then more]
    #[arg(long, value_name = "K")]
    pub loop_k: Option<u32>,
    /// Maximum number of elements of an array that the program makes with an open length
    /// [default: 16, then more]
    #[arg(long, value_name = "N")]
    pub max_array: Option<u32>,
    /// Maximum number of values tried for an open value that must be concrete
    /// [default: 16, then more]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub max_values: Option<u32>,
    /// Maximum number of instructions of one run [default: 2 million, then more]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub max_steps: Option<u64>,
    /// Maximum work of the solver per query, in its own units [default: 4000000]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub solver_work: Option<u64>,
    /// Merge the states behind branches, so that independent branches do not multiply paths
    #[arg(long, value_enum, value_name = "WHEN", default_value = "auto")]
    pub merge: Merge,
    /// Values of the clock, standard input, environment variables, random numbers and sockets
    #[arg(long, value_enum, value_name = "VALUES", default_value = "open")]
    pub world: World,
    /// Stop after this time, as 30s or 5m
    #[arg(long, value_name = "TIME", value_parser = parse_time, default_value = "60s")]
    pub time_limit: Duration,
    /// Number of workers, each with an engine [default: one a core]
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub jobs: Option<u16>,
    /// Write a witness of the verdict to this file, in the GraphML format of the Competition on
    /// Software Verification
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub witness: Option<PathBuf>,
    /// Write a JUnit test that makes the run of a violation again to this folder, with a stand-in of
    /// the library that plays the inputs back
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub junit: Option<PathBuf>,
    /// Class with the main method, or a .jpf file of Java PathFinder, which names it
    #[arg(value_name = "MAIN", required_unless_present = "class")]
    pub main: Option<String>,
    /// Arguments of the program
    #[arg(
        value_name = "ARGS",
        trailing_var_arg = true,
        allow_hyphen_values = true
    )]
    pub arguments: Vec<String>,
}
