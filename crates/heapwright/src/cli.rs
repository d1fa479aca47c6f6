//! The arguments of each verb.

use std::path::PathBuf;

use clap::{Parser, Subcommand};

use crate::options::OutputArgs;
use crate::verbs::builders::BuildersArgs;
use crate::verbs::check::CheckArgs;
use crate::verbs::compare::CompareArgs;
use crate::verbs::enumerate::EnumerateArgs;
use crate::verbs::fields::FieldsArgs;
use crate::verbs::korat::KoratArgs;
use crate::verbs::merge::MergeArgs;
use crate::verbs::paths::PathsArgs;
use crate::verbs::run::RunArgs;
use crate::verbs::schema::SchemaArgs;
use crate::verbs::sequences::SequencesArgs;

/// Tests for Java code that builds and walks object structures: every behaviour up to a bound.
#[derive(Parser, Debug)]
#[command(name = "heapwright", version, disable_help_subcommand = true)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub verb: Verb,
    /// The file whose settings were added to the command line.
    #[arg(skip)]
    pub settings: Option<PathBuf>,
}

/// The verbs.
#[derive(Subcommand, Debug)]
pub enum Verb {
    /// Enumerate every structure within bounds, up to isomorphism
    Enumerate(Box<EnumerateArgs>),
    /// Call every method on every structure with every argument within bounds, and report what
    /// breaks the invariant, throws what it should not, does not end or fails an oracle
    Check(Box<CheckArgs>),
    /// Find the few methods that build as much as the whole API
    Builders(Box<BuildersArgs>),
    /// Hold a class's invariant against what its API builds
    Compare(Box<CompareArgs>),
    /// Find a few structures in which each field refers to whatever it can refer to
    Fields(Box<FieldsArgs>),
    /// Find the paths of methods that a criterion asks for, without walking the rest
    Paths(Box<PathsArgs>),
    /// Find sequences of calls that reach every branch of a class, and write them as tests
    Sequences(Box<SequencesArgs>),
    /// Put the files of all shards of a search together
    Merge(MergeArgs),
    /// Korat 1.0's command line: the same options, counts and output
    Korat(Box<KoratArgs>),
    /// Run a main method as `java` would; or, with --symbolic, every path of a method
    Run(Box<RunArgs>),
    /// Print the JSON Schema of what a verb writes with --json
    Schema(SchemaArgs),
}

impl Verb {
    /// Its name on the command line.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Verb::Enumerate(_) => "enumerate",
            Verb::Check(_) => "check",
            Verb::Builders(_) => "builders",
            Verb::Compare(_) => "compare",
            Verb::Fields(_) => "fields",
            Verb::Paths(_) => "paths",
            Verb::Sequences(_) => "sequences",
            Verb::Merge(_) => "merge",
            Verb::Run(_) => "run",
            Verb::Korat(_) => "korat",
            Verb::Schema(_) => "schema",
        }
    }

    /// What it writes to standard output and standard error.
    #[must_use]
    pub fn output(&self) -> OutputArgs {
        match self {
            Verb::Enumerate(arguments) => arguments.common.output,
            Verb::Check(arguments) => arguments.common.output,
            Verb::Builders(arguments) => arguments.common.output,
            Verb::Compare(arguments) => arguments.common.output,
            Verb::Fields(arguments) => arguments.common.output,
            Verb::Paths(arguments) => arguments.common.output,
            Verb::Sequences(arguments) => arguments.common.output,
            Verb::Merge(arguments) => arguments.out,
            Verb::Run(arguments) => OutputArgs {
                json: arguments.symbolic.json,
                messages: arguments.messages,
            },
            Verb::Korat(_) | Verb::Schema(_) => OutputArgs::default(),
        }
    }
}
