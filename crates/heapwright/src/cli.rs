//! The arguments of each verb.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, bail};
use clap::{Args, Parser, Subcommand};

use heapwright_explore::Strategy;
use heapwright_jvm::{Config, Jdk};
use heapwright_techniques::adjust::Adjustments;
use heapwright_techniques::check::Calls;
use heapwright_techniques::invariant::BoundsRequest;

use crate::api::{ApiArgs, BuildersArgs, CompareArgs};
use crate::fields::FieldsArgs;
use crate::inputs::InputArgs;
use crate::interrupt::parse_time;
use crate::junit::JunitArgs;
use crate::korat::KoratArgs;
use crate::paths::PathsArgs;
use crate::sequences::SequencesArgs;
use crate::shard::{Shard, parse_shard};

/// Tests for Java code that builds and walks object structures: every behaviour up to a bound.
#[derive(Parser, Debug)]
#[command(name = "heapwright", version, disable_help_subcommand = true)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub verb: Verb,
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
        }
    }

    /// Whether standard output is for one object of JSON.
    #[must_use]
    pub fn wants_json(&self) -> bool {
        match self {
            Verb::Enumerate(arguments) => arguments.json,
            Verb::Check(arguments) => arguments.json,
            Verb::Builders(arguments) => arguments.json,
            Verb::Compare(arguments) => arguments.json,
            Verb::Fields(arguments) => arguments.json,
            Verb::Paths(arguments) => arguments.json,
            Verb::Sequences(arguments) => arguments.json,
            Verb::Merge(arguments) => arguments.json,
            Verb::Run(arguments) => arguments.symbolic.json,
            Verb::Korat(_) => false,
        }
    }
}

/// Where classes come from.
#[derive(Args, Debug)]
pub struct ClassPathArgs {
    /// Folders and jars, separated as the platform does (repeatable)
    #[arg(short = 'p', long = "classpath", value_name = "PATH")]
    pub class_path: Vec<String>,
    /// What the file with settings says instead
    #[arg(skip)]
    pub file_class_path: Vec<PathBuf>,
    /// The JDK whose library is run: 17, 21 or 25 [default: JAVA_HOME, else java on the PATH]
    #[arg(long, value_name = "DIR")]
    pub jdk: Option<PathBuf>,
    /// Most memory, as 512m or 2g; Java objects of an engine have three quarters of it [default: 2g]
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    pub max_memory: Option<u64>,
}

impl ClassPathArgs {
    /// The configuration of a machine.
    ///
    /// # Errors
    /// There is no JDK of a supported version.
    pub fn config(&self) -> anyhow::Result<Config> {
        let jdk = Jdk::find(self.jdk.as_deref())?;
        let mut paths = self.file_class_path.clone();
        for entry in &self.class_path {
            paths.extend(std::env::split_paths(entry).filter(|path| !path.as_os_str().is_empty()));
        }
        if paths.is_empty() {
            paths.push(PathBuf::from("."));
        }
        let mut config = Config::new(jdk, paths);
        // The rest is for what is found, the solver and the program itself.
        config.max_heap_bytes = self.max_heap();
        Ok(config)
    }

    /// Most bytes for the Java objects of an engine.
    #[must_use]
    pub fn max_heap(&self) -> u64 {
        self.max_memory() / 4 * 3
    }

    /// Most bytes that the process may take with one engine.
    #[must_use]
    pub fn max_memory(&self) -> u64 {
        self.max_memory.unwrap_or(2 << 30)
    }
}

/// What is a fault though nobody has written it down.
#[derive(Args, Clone, Debug, Default)]
pub struct OracleArgs {
    /// An exception by which methods may refuse a call (repeatable), besides
    /// IllegalArgumentException, IllegalStateException, NoSuchElementException,
    /// UnsupportedOperationException, those in the method's throws clause, and
    /// NullPointerException where an argument is null
    #[arg(long = "expect-exception", value_name = "CLASS")]
    pub expected: Vec<String>,
    /// Which contracts are asked for
    #[arg(long, value_enum, default_value_t, hide_default_value = true)]
    pub contracts: ContractsName,
}

impl OracleArgs {
    /// Whether no contracts are asked for.
    pub fn leaves_contracts(&self) -> bool {
        self.contracts == ContractsName::None
    }
}

/// Which contracts are asked for.
#[derive(clap::ValueEnum, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ContractsName {
    /// Those of equals, hashCode, compareTo, toString and clone, where code of the program defines them [default]
    #[default]
    All,
    /// None
    None,
}

/// What structures are written as.
#[derive(clap::ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// A line of text a structure
    Text,
    /// A line of JSON a structure
    Jsonl,
    /// One drawing of all structures
    Svg,
    /// One Graphviz graph of all structures
    Dot,
    /// A JUnit test class
    Junit,
}

/// Where structures come from.
#[derive(clap::ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// Everything the class's invariant accepts
    Invariant,
    /// Everything that calls of its public methods build
    Api,
}

/// How the choices are made.
#[derive(clap::ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum Search {
    /// Fields stay open until the invariant tells their values apart: far fewer leaves
    Lazy,
    /// Each field gets a value at its first read, in Korat's order
    Korat,
}

/// How large structures are.
#[derive(Args, Debug)]
pub struct BoundsArgs {
    /// Derive bounds: N objects a class, integers 0 to N-1
    #[arg(long, value_name = "N")]
    pub scope: Option<u32>,
    /// The Korat finitization method that gives the bounds [default: fin and the class's name]
    #[arg(long, value_name = "NAME")]
    pub finitization: Option<String>,
    /// Its arguments, separated by commas
    #[arg(long, value_name = "A,B,…", allow_hyphen_values = true)]
    pub args: Option<String>,
    /// Print the bounds as [bounds] of heapwright.toml, each line with where it comes from, and
    /// search nothing
    #[arg(long)]
    pub explain_bounds: bool,
    /// What the file says of derived bounds
    #[arg(skip)]
    pub adjustments: Adjustments,
}

impl BoundsArgs {
    /// Where the bounds come from.
    ///
    /// # Errors
    /// Both ways are asked for, or none.
    pub fn request(&self) -> anyhow::Result<BoundsRequest> {
        match (self.scope, &self.args) {
            (Some(scope), None) if self.finitization.is_none() => {
                Ok(BoundsRequest::Adjusted(scope, self.adjustments.clone()))
            }
            (Some(_), _) => bail!(
                "--scope derives bounds, --finitization and --args use the class's own: give one of them"
            ),
            (None, None) if self.finitization.is_none() => bail!(
                "say how large: --scope N derives bounds, --args A,B,… calls the class's finitization method"
            ),
            (None, args) => {
                let arguments_given = match args.as_deref() {
                    None | Some("") => Vec::new(),
                    Some(list) => list.split(',').map(str::to_owned).collect(),
                };
                Ok(BoundsRequest::Finitization {
                    name: self.finitization.clone(),
                    arguments: arguments_given,
                })
            }
        }
    }

    /// The bounds in a summary: ` (scope 3)`, or nothing.
    #[must_use]
    pub fn shown(&self) -> String {
        match (self.scope, self.args.as_deref()) {
            (Some(scope), _) => format!(" (scope {scope})"),
            (None, None | Some("")) => String::new(),
            (None, Some(given)) => format!(" ({given})"),
        }
    }
}

/// Where settings are.
#[derive(Args, Debug)]
pub struct ConfigArgs {
    /// The file with settings [default: heapwright.toml in this folder or above, up to the one with
    /// a build file]
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Read no file with settings
    #[arg(long, conflicts_with = "config")]
    pub no_config: bool,
}

/// Arguments of `enumerate`.
#[derive(Args, Debug)]
pub struct EnumerateArgs {
    #[command(flatten)]
    pub config: ConfigArgs,
    #[command(flatten)]
    pub class_path: ClassPathArgs,
    /// The class, by its binary name; from the API also further ones whose structures are arguments
    /// (repeatable)
    #[arg(short = 'c', long = "class", value_name = "CLASS", required = true)]
    pub class: Vec<String>,
    /// Where structures come from
    #[arg(long, value_enum, default_value = "invariant")]
    pub from: Source,
    /// The boolean method that says whether a structure is well formed, or none: every structure
    /// within the bounds is [default: repOK, repOk, checkRep, invariant or isValid]
    #[arg(long, value_name = "NAME")]
    pub invariant: Option<String>,
    /// Which contracts are asked for where tests are written of structures from the API
    #[arg(long, value_enum, default_value_t, hide_default_value = true)]
    pub contracts: ContractsName,
    #[command(flatten)]
    pub bounds: BoundsArgs,
    /// How the choices are made
    #[arg(long, value_enum, default_value = "lazy")]
    pub search: Search,
    /// The method whose value names a structure's equivalence class: what is known to fall into a
    /// class covered already is left out (Korat+ with --search korat)
    #[arg(long, value_name = "METHOD")]
    pub eq_class: Option<String>,
    /// Keep the first structure of each class
    #[arg(long, requires = "eq_class")]
    pub one_per_class: bool,
    /// Count only
    #[arg(long, conflicts_with = "format")]
    pub count: bool,
    /// What structures are written as
    #[arg(long, value_enum)]
    pub format: Option<Format>,
    /// How tests are written
    #[command(flatten)]
    pub junit: JunitArgs,
    /// The file, or for JUnit the folder, that is written [default: standard output]
    #[arg(short = 'o', long, value_name = "PATH")]
    pub output: Option<PathBuf>,
    /// Stop after N structures
    #[arg(long, value_name = "N")]
    pub limit: Option<u64>,
    /// Make the inputs of JUnit tests by calls of public methods, not by setting fields, where a search
    /// from the API of at most 2,000,000 sequences finds them
    #[arg(long)]
    pub prefer_api: bool,
    /// Write no more tests than this: refuse [default: 20000]
    #[arg(long, value_name = "N")]
    pub max_tests: Option<u64>,
    /// Most instructions of one run of the invariant or a method [default: 100 million]
    #[arg(long, value_name = "N")]
    pub max_steps: Option<u64>,
    /// Stop after this time, as 500ms, 30s or 2m
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    pub time_limit: Option<Duration>,
    /// Workers, each with an engine and its memory [default: one a core]
    #[arg(short = 'j', long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub jobs: Option<u16>,
    /// Go on where a run with the same class, bounds and options was stopped
    #[arg(long, value_name = "PREFIX", conflicts_with = "eq_class")]
    pub resume: Option<String>,
    /// Search the I-th of N parts of about the same size, and write what `merge` takes to the file
    /// named with -o
    #[arg(long, value_name = "I/N", value_parser = parse_shard, requires = "output", conflicts_with_all = ["resume", "eq_class", "limit"])]
    pub shard: Option<Shard>,
    /// One summary object on standard output
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub api: ApiArgs,
}

/// Arguments of `check`.
#[derive(Args, Debug)]
pub struct CheckArgs {
    #[command(flatten)]
    pub config: ConfigArgs,
    #[command(flatten)]
    pub class_path: ClassPathArgs,
    /// The class, by its binary name
    #[arg(short = 'c', long = "class", value_name = "CLASS")]
    pub class: String,
    /// A method to call, as name or name(int,java.lang.String) (repeatable) [default: all public
    /// instance methods, constructors with parameters, and static methods that take or return
    /// objects of the class]
    #[arg(short = 'm', long = "method", value_name = "METHOD")]
    pub methods: Vec<String>,
    /// The boolean method that says whether a structure is well formed, or none: every structure
    /// within the bounds is [default: repOK, repOk, checkRep, invariant or isValid]
    #[arg(long, value_name = "NAME")]
    pub invariant: Option<String>,
    #[command(flatten)]
    pub bounds: BoundsArgs,
    #[command(flatten)]
    pub judged: OracleArgs,
    /// A static method that says whether a call did what it should: NAME where one method is
    /// checked, else METHOD=NAME (repeatable)
    #[arg(long = "oracle", value_name = "[METHOD=]NAME")]
    pub oracles: Vec<String>,
    /// Another implementation with the same methods: each call is made on an object of it, too, that
    /// is made of the structure, and must come to the same
    #[arg(long, value_name = "CLASS")]
    pub against: Option<String>,
    /// How tests are written
    #[command(flatten)]
    pub junit: JunitArgs,
    /// The folder that reproducers and drawings are written into [default: none are written]; with
    /// --shard the file for `merge`
    #[arg(short = 'o', long, value_name = "DIR")]
    pub output: Option<PathBuf>,
    /// Make the structures of reproducers by calls of public methods, not by setting fields, where a
    /// search from the API of at most 2,000,000 sequences finds them
    #[arg(long, requires = "output", conflicts_with = "shard")]
    pub prefer_api: bool,
    /// What the file with settings says of the API
    #[arg(skip)]
    pub api: ApiArgs,
    /// Most instructions of one run of the invariant or a method: one that takes more does not end
    /// [default: 10 million]
    #[arg(long, value_name = "N")]
    pub max_steps: Option<u64>,
    /// Stop after this time, as 500ms, 30s or 2m
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    pub time_limit: Option<Duration>,
    /// Workers, each with an engine and its memory [default: one a core]
    #[arg(short = 'j', long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub jobs: Option<u16>,
    /// Go on where a run with the same class, bounds and options was stopped
    #[arg(long, value_name = "PREFIX")]
    pub resume: Option<String>,
    /// Make the calls on the I-th of N parts of about the same size, and write what `merge` takes to the
    /// file named with -o
    #[arg(long, value_name = "I/N", value_parser = parse_shard, requires = "output", conflicts_with_all = ["resume", "junit"])]
    pub shard: Option<Shard>,
    /// How structures are found; with lazy a run may stand for many calls
    #[arg(long, value_enum, default_value_t = Search::Lazy, hide = true)]
    pub search: Search,
    /// One summary object on standard output
    #[arg(long)]
    pub json: bool,
}

impl CheckArgs {
    /// What calls are made on.
    pub fn calls(&self) -> Calls {
        match self.search {
            Search::Lazy => Calls::OnCubes { always: false },
            Search::Korat => Calls::OnStructures(Strategy::Korat),
        }
    }

    /// The search that is run.
    pub fn strategy(&self) -> Strategy {
        match self.search {
            Search::Lazy => Strategy::Lazy,
            Search::Korat => Strategy::Korat,
        }
    }
}

impl EnumerateArgs {
    /// What structures are written as, if they are.
    pub fn format(&self) -> Option<Format> {
        self.format.filter(|_| !self.count)
    }

    /// Whether structures are counted without going through each.
    pub fn counts_only(&self) -> bool {
        self.limit.is_none() && self.format().is_none()
    }

    /// Most instructions of one run.
    pub fn max_steps(&self) -> u64 {
        self.max_steps.unwrap_or(100_000_000)
    }

    /// How many workers there are.
    pub fn jobs(&self) -> usize {
        jobs(self.jobs)
    }

    /// The search that is run.
    pub fn strategy(&self) -> Strategy {
        match self.search {
            Search::Lazy => Strategy::Lazy,
            Search::Korat => Strategy::Korat,
        }
    }
}

impl CheckArgs {
    /// Most instructions of one run.
    pub fn max_steps(&self) -> u64 {
        self.max_steps.unwrap_or(10_000_000)
    }
}

/// How many workers there are: one a core, unless the user says.
pub fn jobs(given: Option<u16>) -> usize {
    let cores = || std::thread::available_parallelism().map_or(1, |cores| cores.get());
    given.map_or_else(cores, |jobs| jobs as usize)
}

/// Arguments of `merge`.
#[derive(Args, Debug)]
pub struct MergeArgs {
    /// The files of all shards
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
    /// The file that structures are written to [default: standard output]; of `check` the folder for
    /// reproducers and drawings
    #[arg(short = 'o', long, value_name = "PATH")]
    pub output: Option<PathBuf>,
    /// One summary object on standard output
    #[arg(long)]
    pub json: bool,
}

/// Arguments of `run`.
#[derive(Args, Debug)]
#[command(mut_group("of-inputs", |group| group.requires("symbolic")))]
pub struct RunArgs {
    #[command(flatten)]
    pub class_path: ClassPathArgs,
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

/// A size in bytes, with a suffix k, m or g.
pub fn parse_size(text: &str) -> anyhow::Result<u64> {
    let (digits, factor) = match text.to_ascii_lowercase() {
        text if text.ends_with('k') => (text[..text.len() - 1].to_owned(), 1 << 10),
        text if text.ends_with('m') => (text[..text.len() - 1].to_owned(), 1 << 20),
        text if text.ends_with('g') => (text[..text.len() - 1].to_owned(), 1 << 30),
        text => (text, 1),
    };
    let number: u64 = digits
        .parse()
        .context("a size is a number with k, m or g behind it")?;
    number
        .checked_mul(factor)
        .filter(|&size| size >= 1 << 20)
        .context("a size is at least 1m")
}
