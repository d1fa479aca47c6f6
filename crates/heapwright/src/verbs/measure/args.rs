//! Options of `measure`.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};
use heapwright_techniques::measure::MeasuredOn;

use crate::options::{CommonArgs, OperatorGroupName, ReportArgs, TestWorldArgs, parse_time};

/// Where tests run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum OnName {
    /// On the engine, and what does not pass there on a JVM
    Auto,
    /// On the engine; a JVM only says whether a test that fails there does so as well
    Engine,
    /// On a JVM
    Jvm,
}

impl From<OnName> for MeasuredOn {
    fn from(name: OnName) -> MeasuredOn {
        match name {
            OnName::Auto => MeasuredOn::Both,
            OnName::Engine => MeasuredOn::Engine,
            OnName::Jvm => MeasuredOn::Jvm,
        }
    }
}

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
    /// Where tests run: on Heapwright's engine, on a JVM, or on a JVM what does not pass on the engine
    #[arg(long, value_enum, value_name = "WHERE", default_value = "auto")]
    pub on: OnName,
    /// Argument of the JVM, as --jvm-arg=-Xmx2g or --jvm-arg=-Dkey=value (repeatable)
    #[arg(long = "jvm-arg", value_name = "ARGUMENT", allow_hyphen_values = true)]
    pub jvm_args: Vec<String>,
    /// Argument that the build gives the JVM of its tests (repeatable) [default: those of the build]
    #[arg(
        long = "test-jvm-arg",
        value_name = "ARGUMENT",
        allow_hyphen_values = true
    )]
    pub test_jvm_args: Vec<String>,
    /// Time without a report after which a test on a JVM does not end, as 10s; there a test is run that
    /// does not pass on the engine
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = parse_time)]
    pub jvm_timeout: Duration,
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
