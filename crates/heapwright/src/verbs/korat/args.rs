//! Korat 1.0's options, with its names and letters, and some of Heapwright's.
//!
//! An option without a meaning here is rejected or noted by name, never ignored silently.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::bail;
use clap::{ArgAction, Args};

use crate::options::{ClassPathArgs, parse_time};

/// Options of `korat`.
#[derive(Args, Debug)]
#[command(disable_help_flag = true)]
pub struct KoratArgs {
    #[command(flatten)]
    pub class_path: ClassPathArgs,
    /// Class under test, by its binary name
    #[arg(
        short = 'c',
        long = "class",
        value_name = "CLASS",
        required_unless_present = "config"
    )]
    pub class: Option<String>,
    /// Arguments of the finitization method, separated by commas
    #[arg(short = 'a', long, value_name = "A,B,…", allow_hyphen_values = true)]
    pub args: Option<String>,
    /// Finitization method [default: fin and the class's name]
    #[arg(short = 'n', long, value_name = "NAME")]
    pub finitization: Option<String>,
    /// Predicate
    #[arg(short = 'r', long, value_name = "NAME", default_value = "repOK")]
    pub predicate: String,
    /// Stop after N structures; never if N is not positive
    #[arg(short = 'M', long = "maxStructs", value_name = "N", allow_negative_numbers = true, default_value_t = -1)]
    pub max_structs: i64,
    /// Print each structure, as its toString shows it
    #[arg(short = 'z', long)]
    pub print: bool,
    /// Print the state space, and each candidate with the fields that were read
    #[arg(short = 'D', long = "printCandVects")]
    pub print_vectors: bool,
    /// Print the counts and the candidate after every N candidates; never if N is not positive
    #[arg(short = 'g', long, value_name = "N", allow_negative_numbers = true, default_value_t = -1)]
    pub progress: i64,
    /// Begin with candidate N of the search, counted from 0; -1 is none
    #[arg(short = 'A', long = "cvStart", value_name = "N", allow_negative_numbers = true, default_value_t = -1, value_parser = clap::value_parser!(i64).range(-1..))]
    pub start: i64,
    /// End before candidate N of the search, counted from 0; -1 is none
    #[arg(short = 'e', long = "cvEnd", value_name = "N", allow_negative_numbers = true, default_value_t = -1, value_parser = clap::value_parser!(i64).range(-1..))]
    pub end: i64,
    /// Read options from a file, too; those given here override it
    #[arg(short = 'G', long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Leave out candidates known to fall into a covered equivalence class
    #[arg(short = 'q', long = "eqClassPruning")]
    pub eq_class_pruning: bool,
    /// Print the equivalence classes covered
    #[arg(short = 'i', long = "eqClassInfo")]
    pub eq_class_info: bool,
    /// Method whose result is a structure's equivalence class
    #[arg(
        short = 'Q',
        long = "eqClass",
        value_name = "NAME",
        default_value = "eqClass"
    )]
    pub eq_class: String,
    /// Maximum number of instructions of one run of the predicate
    #[arg(long, value_name = "N", default_value_t = 100_000_000)]
    pub max_steps: u64,
    /// Stop after this time, as 500ms, 30s or 2m
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    pub time_limit: Option<Duration>,
    /// Print help
    #[arg(short = '?', short_alias = 'h', long, action = ArgAction::Help)]
    pub help: Option<bool>,
    #[command(flatten)]
    pub other: UnsupportedArgs,
}

/// Options of Korat that have no effect here, or that are rejected.
#[derive(Args, Debug)]
#[command(next_help_heading = "Options of Korat's that do nothing here, or are refused")]
pub struct UnsupportedArgs {
    /// No effect, noted: no file of candidate vectors is written
    #[arg(short = 'w', long = "cvWrite")]
    write: bool,
    /// No effect, noted
    #[arg(
        short = 'W',
        long = "cvWriteNum",
        value_name = "N",
        allow_negative_numbers = true
    )]
    write_number: Option<String>,
    /// No effect, noted
    #[arg(short = 'd', long = "cvDelta")]
    delta: bool,
    /// No effect, noted
    #[arg(
        short = 'F',
        long = "cvFullFormatRatio",
        value_name = "N",
        allow_negative_numbers = true
    )]
    full_format_ratio: Option<String>,
    /// No effect, noted
    #[arg(
        short = 'x',
        long = "cvExpected",
        value_name = "N",
        allow_negative_numbers = true
    )]
    expected: Option<String>,
    /// No effect, noted
    #[arg(short = 'B', long = "dumpBytecodes")]
    dump: bool,
    /// Unsupported: an error
    #[arg(short = 'f', long = "cvFile", value_name = "FILE")]
    file: Option<String>,
    /// Unsupported: an error
    #[arg(short = 'E', long = "excludePackages", value_name = "PACKAGES")]
    exclude: Option<String>,
    /// Unsupported: an error
    #[arg(short = 'l', long = "listeners", value_name = "CLASSES")]
    listeners: Option<String>,
    /// Unsupported: an error
    #[arg(short = 's', long = "serialize", value_name = "FILE")]
    serialize: Option<String>,
    /// Unsupported: an error
    #[arg(short = 'v', long = "visualize")]
    visualize: bool,
}

impl UnsupportedArgs {
    /// Returns a note for each option given that has no effect here.
    ///
    /// # Errors
    /// An option was given that is not supported.
    pub fn notes(&self) -> anyhow::Result<Vec<String>> {
        for (is_given, name, instead) in [
            (
                self.file.is_some(),
                "cvFile",
                "--cvStart and --cvEnd count the candidates of the search itself",
            ),
            (
                self.exclude.is_some(),
                "excludePackages",
                "reads of fields count wherever the program makes them",
            ),
            (
                self.listeners.is_some(),
                "listeners",
                "`enumerate --format` hands over the structures",
            ),
            (
                self.serialize.is_some(),
                "serialize",
                "`enumerate --format jsonl` writes the structures",
            ),
            (
                self.visualize,
                "visualize",
                "`enumerate --format svg` draws the structures",
            ),
        ] {
            if is_given {
                bail!("--{name} is not supported: {instead}");
            }
        }
        let no_file = "no file of candidate vectors is written; --cvStart needs none";
        let notes = [
            (self.write, "cvWrite", no_file),
            (self.write_number.is_some(), "cvWriteNum", no_file),
            (self.delta, "cvDelta", no_file),
            (
                self.full_format_ratio.is_some(),
                "cvFullFormatRatio",
                no_file,
            ),
            (self.expected.is_some(), "cvExpected", no_file),
            (
                self.dump,
                "dumpBytecodes",
                "no bytecode is changed, so none is dumped",
            ),
        ];
        Ok(notes
            .into_iter()
            .filter(|(is_given, ..)| *is_given)
            .map(|(_, name, reason)| format!("--{name} does nothing: {reason}"))
            .collect())
    }
}
