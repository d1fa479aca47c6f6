//! Command line: the verbs and the options of each.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::{Parser, Subcommand};

use crate::options::{ClassPathArgs, JobArgs, JunitArgs, OutputArgs};
use crate::project::ProjectOptions;
use crate::verbs::builders::BuildersArgs;
use crate::verbs::check::CheckArgs;
use crate::verbs::compare::CompareArgs;
use crate::verbs::completions::CompletionsArgs;
use crate::verbs::doctor::DoctorArgs;
use crate::verbs::enumerate::EnumerateArgs;
use crate::verbs::fields::FieldsArgs;
use crate::verbs::generate::GenerateArgs;
use crate::verbs::init::InitArgs;
use crate::verbs::job::JobVerbArgs;
use crate::verbs::korat::KoratArgs;
use crate::verbs::list::ListArgs;
use crate::verbs::man::ManArgs;
use crate::verbs::measure::MeasureArgs;
use crate::verbs::merge::MergeArgs;
use crate::verbs::paths::PathsArgs;
use crate::verbs::run::RunArgs;
use crate::verbs::schema::SchemaArgs;
use crate::verbs::sequences::SequencesArgs;
use crate::verbs::status::StatusArgs;
use crate::verbs::verify::VerifyArgs;
use crate::verbs::work::WorkArgs;

/// Generates tests for Java code that builds and walks object structures: every behaviour up to a
/// bound.
#[derive(Parser, Debug)]
#[command(
    name = "heapwright",
    version,
    disable_help_subcommand = true,
    after_help = "heapwright @FILE takes the arguments, the verb among them, from the lines of a file."
)]
pub struct Cli {
    /// Verb to run.
    #[command(subcommand)]
    pub verb: Verb,
    /// Settings file whose options were added to the command line.
    #[arg(skip)]
    pub settings: Option<PathBuf>,
    /// Words of the command line, with those of settings and build.
    #[arg(skip)]
    pub words: Vec<OsString>,
    /// What the build of the project added to the command line.
    #[arg(skip)]
    pub project: ProjectOptions,
}

/// Verbs of the command line.
#[derive(Subcommand, Debug)]
pub enum Verb {
    /// Generate a small suite of tests that covers a class and notices changes of its code
    Generate(Box<GenerateArgs>),
    /// Enumerate every structure within bounds, up to isomorphism
    Enumerate(Box<EnumerateArgs>),
    /// Call every method on every structure with every argument within bounds, and report broken
    /// invariants, unexpected exceptions, endless calls and failed oracles
    Check(Box<CheckArgs>),
    /// Find a minimal set of methods that builds as many structures as the whole API
    Builders(Box<BuildersArgs>),
    /// Compare the structures that a class's invariant accepts with those that its API builds
    Compare(Box<CompareArgs>),
    /// Find a few structures in which each field has every referent that it can have
    Fields(Box<FieldsArgs>),
    /// Find the paths of methods that a criterion selects, without exploring the rest
    Paths(Box<PathsArgs>),
    /// Find sequences of calls that reach every branch of a class, and write them as tests
    Sequences(Box<SequencesArgs>),
    /// Run existing tests of JUnit, and measure their coverage and mutation score
    Measure(Box<MeasureArgs>),
    /// Search the parts of a job that `--job` has planned, as one of several workers
    Work(WorkArgs),
    /// Say how far a job is: what is done, running and failed, and the time left
    Status(StatusArgs),
    /// Write what a scheduler needs to run the workers of a job
    Job(JobVerbArgs),
    /// Merge the results of a job, or the files of all shards of a search
    Merge(MergeArgs),
    /// Run Korat 1.0's command line: the same options, counts and output
    Korat(Box<KoratArgs>),
    /// Run a main method as `java` does, or with --symbolic explore every path of a method
    Run(Box<RunArgs>),
    /// Verify a program that asks for its inputs: whether any of them violate a property
    Verify(Box<VerifyArgs>),
    /// List the classes of a project or class path, and what can be done for each
    List(ListArgs),
    /// Say what was found of all that a run can need, and what to do about the rest
    Doctor(DoctorArgs),
    /// Write a settings file with comments for a project
    Init(InitArgs),
    /// Serve coding agents: generate, check, measure and explain as tools of the Model Context
    /// Protocol, on standard input and output
    Mcp,
    /// Print the JSON Schema of the summary that a verb writes with --json
    Schema(SchemaArgs),
    /// Print the script that completes command lines in a shell
    Completions(CompletionsArgs),
    /// Write manual pages, one of the program and one of each verb
    Man(ManArgs),
}

impl Verb {
    /// Name of the verb on the command line.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Verb::Generate(_) => "generate",
            Verb::Enumerate(_) => "enumerate",
            Verb::Check(_) => "check",
            Verb::Builders(_) => "builders",
            Verb::Compare(_) => "compare",
            Verb::Fields(_) => "fields",
            Verb::Paths(_) => "paths",
            Verb::Sequences(_) => "sequences",
            Verb::Measure(_) => "measure",
            Verb::Work(_) => "work",
            Verb::Status(_) => "status",
            Verb::Job(_) => "job",
            Verb::Merge(_) => "merge",
            Verb::Run(_) => "run",
            Verb::Verify(_) => "verify",
            Verb::Korat(_) => "korat",
            Verb::List(_) => "list",
            Verb::Doctor(_) => "doctor",
            Verb::Init(_) => "init",
            Verb::Mcp => "mcp",
            Verb::Schema(_) => "schema",
            Verb::Completions(_) => "completions",
            Verb::Man(_) => "man",
        }
    }

    /// Options of the verb for standard output and standard error.
    #[must_use]
    pub fn output(&self) -> OutputArgs {
        match self {
            Verb::Generate(arguments) => arguments.sequences.common.output,
            Verb::Enumerate(arguments) => arguments.common.output,
            Verb::Check(arguments) => arguments.common.output,
            Verb::Builders(arguments) => arguments.common.output,
            Verb::Compare(arguments) => arguments.common.output,
            Verb::Fields(arguments) => arguments.common.output,
            Verb::Paths(arguments) => arguments.common.output,
            Verb::Sequences(arguments) => arguments.common.output,
            Verb::Measure(arguments) => arguments.common.output,
            Verb::Work(arguments) => arguments.output,
            Verb::Status(arguments) => arguments.output,
            Verb::Merge(arguments) => arguments.out,
            Verb::Run(arguments) => OutputArgs {
                json: arguments.symbolic.json,
                messages: arguments.messages,
            },
            Verb::Verify(arguments) => arguments.output,
            Verb::List(arguments) => arguments.output,
            Verb::Doctor(arguments) => arguments.output,
            Verb::Korat(_)
            | Verb::Job(_)
            | Verb::Init(_)
            | Verb::Mcp
            | Verb::Schema(_)
            | Verb::Completions(_)
            | Verb::Man(_) => OutputArgs::default(),
        }
    }

    /// Job that is to be planned instead of a search.
    #[must_use]
    pub fn job(&self) -> Option<&JobArgs> {
        let job = match self {
            Verb::Enumerate(arguments) => &arguments.job,
            Verb::Check(arguments) => &arguments.job,
            Verb::Paths(arguments) => &arguments.job,
            Verb::Fields(arguments) => &arguments.job,
            Verb::Sequences(arguments) => &arguments.job,
            Verb::Generate(arguments) => &arguments.sequences.job,
            _ => return None,
        };
        job.job.is_some().then_some(job)
    }

    /// File or folder for the result of a verb whose search a job can divide.
    #[must_use]
    pub fn job_output(&self) -> Option<&Path> {
        match self {
            Verb::Enumerate(arguments) => arguments.output.as_deref(),
            Verb::Check(arguments) => arguments.output.as_deref(),
            Verb::Paths(arguments) => arguments.output.as_deref(),
            Verb::Fields(arguments) => arguments.output.as_deref(),
            Verb::Sequences(arguments) => arguments.output.as_deref(),
            Verb::Generate(arguments) => arguments.sequences.output.as_deref(),
            _ => None,
        }
    }

    /// Class path of a verb whose search a job can divide.
    pub fn class_path_mut(&mut self) -> Option<&mut ClassPathArgs> {
        match self {
            Verb::Enumerate(arguments) => Some(&mut arguments.common.class_path),
            Verb::Check(arguments) => Some(&mut arguments.common.class_path),
            Verb::Paths(arguments) => Some(&mut arguments.common.class_path),
            Verb::Fields(arguments) => Some(&mut arguments.common.class_path),
            Verb::Sequences(arguments) => Some(&mut arguments.common.class_path),
            Verb::Generate(arguments) => Some(&mut arguments.sequences.common.class_path),
            _ => None,
        }
    }

    /// Options of tests of a verb whose search a job can divide.
    pub fn junit_mut(&mut self) -> Option<&mut JunitArgs> {
        match self {
            Verb::Enumerate(arguments) => Some(&mut arguments.junit),
            Verb::Check(arguments) => Some(&mut arguments.junit),
            Verb::Paths(arguments) => Some(&mut arguments.junit),
            Verb::Fields(arguments) => Some(&mut arguments.junit),
            verb => verb.sequences_mut().map(|arguments| &mut arguments.junit),
        }
    }

    /// Options of a verb that generates tests for classes, each by itself.
    pub fn sequences_mut(&mut self) -> Option<&mut SequencesArgs> {
        match self {
            Verb::Sequences(arguments) => Some(arguments),
            Verb::Generate(arguments) => Some(&mut arguments.sequences),
            _ => None,
        }
    }

    /// Class path of the verb, if it has one.
    #[must_use]
    pub fn class_path(&self) -> Option<&ClassPathArgs> {
        Some(match self {
            Verb::Generate(arguments) => &arguments.sequences.common.class_path,
            Verb::Enumerate(arguments) => &arguments.common.class_path,
            Verb::Check(arguments) => &arguments.common.class_path,
            Verb::Builders(arguments) => &arguments.common.class_path,
            Verb::Compare(arguments) => &arguments.common.class_path,
            Verb::Fields(arguments) => &arguments.common.class_path,
            Verb::Paths(arguments) => &arguments.common.class_path,
            Verb::Sequences(arguments) => &arguments.common.class_path,
            Verb::Measure(arguments) => &arguments.common.class_path,
            Verb::Korat(arguments) => &arguments.class_path,
            Verb::Run(arguments) => &arguments.class_path,
            Verb::Verify(arguments) => &arguments.class_path,
            Verb::List(arguments) => &arguments.class_path,
            Verb::Work(_)
            | Verb::Status(_)
            | Verb::Job(_)
            | Verb::Merge(_)
            | Verb::Doctor(_)
            | Verb::Init(_)
            | Verb::Mcp
            | Verb::Schema(_)
            | Verb::Completions(_)
            | Verb::Man(_) => return None,
        })
    }
}
