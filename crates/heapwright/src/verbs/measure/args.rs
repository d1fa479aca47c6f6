//! Options of `measure`.

use std::path::PathBuf;

use clap::Args;

use crate::options::{CommonArgs, OperatorGroupName, ReportArgs, TestWorldArgs};

/// Options of `measure`.
#[derive(Args, Debug)]
pub struct MeasureArgs {
    #[command(flatten)]
    pub common: CommonArgs,
    /// Class under test, by its binary name, or a pattern for classes of the class path: com.acme.*
    /// matches a package, com.acme.** all packages below it; nested classes belong to theirs
    /// (repeatable)
    #[arg(short = 'c', long = "class", value_name = "CLASS", required = true)]
    pub classes: Vec<String>,
    /// Method under test, by its name or as 'remove(int)' (repeatable) [default: all methods of the
    /// classes]
    #[arg(short, long = "method", value_name = "METHOD")]
    pub methods: Vec<String>,
    /// Folders and jars of compiled tests, separated as the platform does (repeatable); what they
    /// need, JUnit included, is on the class path
    #[arg(long, value_name = "PATH", required = true)]
    pub tests: Vec<String>,
    /// Run only test classes that match this pattern, as *Test or com.acme.** (repeatable)
    #[arg(long = "test-class", value_name = "PATTERN")]
    pub test_classes: Vec<String>,
    /// Operators of the mutants
    #[arg(long, value_enum, value_name = "GROUP", default_value = "defaults")]
    pub mutants: OperatorGroupName,
    /// Maximum number of instructions of a test; a mutant may execute 20 times as many as its test
    /// on the original code, and 100,000 more
    #[arg(long, value_name = "N", default_value_t = 1_000_000_000, value_parser = clap::value_parser!(u64).range(1..))]
    pub max_steps: u64,
    /// Folder of which tests see a copy as the root of their file system [default: an empty one]
    #[arg(long, value_name = "DIR")]
    pub files: Option<PathBuf>,
    /// World of the tests.
    #[command(flatten)]
    pub world: TestWorldArgs,
    /// Options of reports.
    #[command(flatten)]
    pub reports: ReportArgs,
}
