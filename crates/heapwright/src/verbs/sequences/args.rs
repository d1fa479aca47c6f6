//! Options of `sequences`.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};
use heapwright_techniques::adjust::Adjustment;
use heapwright_techniques::sequences::{BoundExtension, CoverageCriterion, MemberAccess};
use heapwright_techniques::symbolic::CutBy;

use crate::options::{
    AfterWriteArgs, CommonArgs, JobArgs, JunitArgs, MAX_STEPS, OperatorGroupName, OracleArgs,
    ReportArgs, Strings, TestWorldArgs, parse_number_or_none, parse_time, parse_time_or_none,
};

/// Options of `sequences`.
#[derive(Args, Clone, Debug)]
#[command(
    mut_arg("json", |arg| arg.conflicts_with("print")),
    mut_arg("job", |arg| arg.conflicts_with_all(["print", "time_limit", "json"]))
)]
pub struct SequencesArgs {
    #[command(flatten)]
    pub common: CommonArgs,
    /// Class under test, by its binary name, or a pattern for classes of the class path: com.acme.*
    /// matches a package, com.acme.** all packages below it and member classes, too (repeatable)
    #[arg(short = 'c', long = "class", value_name = "CLASS", required = true)]
    pub classes: Vec<String>,
    /// Method under test, by its name or as 'remove(int)', constructors as '<init>' (repeatable)
    /// [default: all of the class that tests may call]
    #[arg(short, long = "method", value_name = "METHOD")]
    pub methods: Vec<String>,
    /// Test member classes of the class, too
    #[arg(long)]
    pub members: bool,
    /// Coverage criterion of the tests
    #[arg(long, alias = "goal", value_enum, value_name = "CRITERION", default_value_t = CoverageCriterionName::Branches)]
    pub criterion: CoverageCriterionName,
    /// Access of tests to the class under test
    #[arg(long, value_enum, value_name = "ACCESS", default_value_t = AccessName::Public)]
    pub access: AccessName,
    /// Further class that sequences may use (repeatable) [default: those that are needed to call
    /// the class under test]
    #[arg(long = "system", value_name = "CLASS")]
    pub system: Vec<String>,
    /// Use only invokables that match this regular expression, as 'Board\..*' or 'put\(.*'
    /// (repeatable)
    #[arg(long, value_name = "PATTERN")]
    pub include: Vec<String>,
    /// Exclude invokables that match this regular expression (repeatable)
    #[arg(long, value_name = "PATTERN")]
    pub exclude: Vec<String>,
    /// Static method that every sequence begins with, as a.b.Fixture.create
    #[arg(long, value_name = "CLASS.METHOD")]
    pub setup: Option<String>,
    /// Values for arguments of a primitive type, as int=0,1,-1 (repeatable) [default: all]
    #[arg(long, value_name = "TYPE=A,B,…", allow_hyphen_values = true)]
    pub values: Vec<String>,
    /// Values of classes and parameters in the settings file.
    #[arg(skip)]
    pub given: Vec<Adjustment>,
    /// Pass no null arguments
    #[arg(long)]
    pub no_null: bool,
    /// Allow statements after one that threw an exception
    #[arg(long)]
    pub after_exceptions: bool,
    /// Reading of an array element at a symbolic index: fix the index, or leave it to the solver
    #[arg(long, value_enum, value_name = "READING", default_value_t = HeapName::Reason)]
    pub heap: HeapName,
    /// Maximum number of statements of a sequence [default: 10, then 20 for the remaining goals]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub max_length: Option<u32>,
    /// Maximum number of paths of one call on one state since the last that reached something new;
    /// in all with --criterion paths; the thesis has 10 [default: 64]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub paths_per_call: Option<u32>,
    /// Maximum number of paths in all
    #[arg(long, value_name = "N", default_value_t = 300_000, value_parser = clap::value_parser!(u64).range(1..))]
    pub max_paths: u64,
    /// Maximum number of elements of an array that the program allocates with a symbolic length; 0
    /// for empty ones only [default: 64]
    #[arg(long, value_name = "N")]
    pub max_array: Option<u32>,
    /// Maximum number of elements of an array and characters of a string that is an argument; 0 for
    /// empty ones only [default: 3; then 8 and 16 for the remaining goals, in strings and arrays of
    /// values]
    #[arg(long, value_name = "N")]
    pub max_elements: Option<u32>,
    /// Maximum number of times that a branch is decided both ways in one call [default: 10]
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u32).range(1..))]
    pub loop_k: Option<u32>,
    /// Maximum number of instructions of one run [default: 10 million]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub max_steps: Option<u64>,
    /// Characters of strings in arguments
    #[arg(long, value_enum, value_name = "CHARACTERS", default_value = "latin1")]
    pub strings: Strings,
    /// Options of reports.
    #[command(flatten)]
    pub reports: ReportArgs,
    /// Maximum work of the solver per query, in its own units; beyond it the result is unknown
    /// [default: 80000; the thesis has 10 s, about 4000000]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub solver_work: Option<u64>,
    /// Maximum time of the solver per query, converted to work, as 10s
    #[arg(long, value_name = "TIME", value_parser = parse_time, hide = true, conflicts_with = "solver_work")]
    pub solver_timeout: Option<Duration>,
    /// Seed of the random search
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
    /// Stop after this time for each method under test, as 30s or 5m [default: no limit; the thesis
    /// has 5m]
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    pub time_per_method: Option<Duration>,
    /// Stop after this time with each class, as 30s or 5m; none for no limit [default: 30s; no
    /// limit for a single class with another time limit]
    #[arg(long, value_name = "TIME", value_parser = parse_time_or_none)]
    pub time_per_class: Option<Duration>,
    /// Stop with a class once no goal was reached for N times the work up to the last one; none for no
    /// such end
    #[arg(long, value_name = "N", value_parser = parse_number_or_none, default_value = "none")]
    pub patience: u32,
    /// Boolean method that decides whether an object is well-formed, or none [default: repOK,
    /// repOk, checkRep, invariant or isValid]
    #[arg(long, value_name = "NAME")]
    pub invariant: Option<String>,
    #[command(flatten)]
    pub oracles: OracleArgs,
    /// Write tests, too, that show nothing but what a compiler, a tool or the JVM does: of generated
    /// members, and of nulls that no code guards against
    #[arg(
        long,
        value_name = "TRUTH",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "true",
        default_value = "true",
        action = clap::ArgAction::Set
    )]
    pub boilerplate: bool,
    /// Assert fields, too, where a call changed them and no observer shows it
    #[arg(long)]
    pub assert_fields: bool,
    /// Make requests to controllers of Spring through a stand-alone MockMvc, where tests call their
    /// handlers with what a request can say
    #[arg(long)]
    pub mvc: bool,
    /// Also look for tests that notice small changes of the code (mutants), by the operators of this
    /// group, and assert what it takes to notice them
    #[arg(long, value_enum, value_name = "GROUP", conflicts_with = "print")]
    pub mutants: Option<OperatorGroupName>,
    /// Print the definitions, uses, parameter types and result types of each invokable, and explore
    /// nothing
    #[arg(long, group = "print")]
    pub print_analysis: bool,
    /// Print the candidate sequences of the methods under test up to --max-length as trees, and
    /// explore nothing
    #[arg(long, group = "print")]
    pub print_candidates: bool,
    /// Print, instead of tests, the paths observed in the methods under test and their callees, as
    /// one tree per method
    #[arg(long, group = "print")]
    pub print_tree: bool,
    /// Print the result for each goal
    #[arg(long)]
    pub table: bool,
    /// End with exit code 3 where a limit has ended the run or goals are open, whatever was written
    #[arg(long, default_value = "true", hide = true)]
    pub strict: bool,
    /// Output format of the tests
    #[arg(long, value_enum, value_name = "FORMAT", conflicts_with = "print")]
    pub format: Option<TestFormat>,
    /// File for the tests [default: standard output]; for junit the folder
    #[arg(short, long, value_name = "PATH", conflicts_with = "print")]
    pub output: Option<PathBuf>,
    /// Options of tests.
    #[command(flatten)]
    pub junit: JunitArgs,
    /// Formatters of tests.
    #[command(flatten)]
    pub after_write: AfterWriteArgs,
    /// Job instead of a run.
    #[command(flatten)]
    pub job: JobArgs,
}

/// Options that leave out work which was done before.
#[derive(Args, Debug)]
pub struct EarlierArgs {
    /// Test only classes whose source files differ from this revision of git, as HEAD~1 or
    /// origin/main; files that are not committed or not tracked count, too
    #[arg(long, value_name = "REV")]
    pub changed_since: Option<String>,
    /// Run existing tests first, those in the folder of -o among them, and add only tests that cover
    /// or notice something further; of generated files what no longer compiles is removed
    #[arg(long)]
    pub update: bool,
    /// Take the behaviour that the code has now: tests of generated files that fail are removed, and
    /// replaced
    #[arg(long, requires = "update")]
    pub accept: bool,
    /// Folders and jars of further existing tests, compiled, separated as the platform does
    /// (repeatable); what they need, JUnit included, is on the class path or on that of tests
    #[arg(long, value_name = "PATH", requires = "update")]
    pub tests: Vec<String>,
    /// World of existing tests.
    #[command(flatten)]
    pub world: TestWorldArgs,
    /// Folders of the project's compiled tests, together with which the new ones are tried, in one
    /// virtual machine and in several orders, separated as the platform does (repeatable) [default:
    /// those of the build]
    #[arg(long, value_name = "PATH")]
    pub try_with: Vec<String>,
    /// Run the tests of the project's build in the end, and take back new tests that fail there or
    /// turn it red
    #[arg(long)]
    pub run_build: bool,
    /// Search again where the result of an earlier run holds still, and store no result
    #[arg(long)]
    pub no_cache: bool,
}

/// Default limits of statements of a sequence: first, and for the remaining goals.
const MAX_LENGTH: u32 = 10;
const LONGER: u32 = 20;
/// Default limits of elements of arrays and characters of strings: first, and for the remaining
/// goals.
const MAX_ELEMENTS: u32 = 3;
const MORE_ELEMENTS: [u32; 2] = [8, 16];
/// Default of [`SequencesArgs::generation_length`].
const GENERATION_LENGTH: u32 = 32;
/// Default of [`SequencesArgs::random_length`].
const RANDOM_LENGTH: u32 = 48;
/// Default limit of paths of a call.
const PATHS_PER_CALL: u32 = 64;
/// Default limit of elements of an array that the program allocates.
const MAX_ARRAY: u32 = 64;
/// Default limit of both-way decisions of a branch.
const LOOPS: u32 = 10;

impl SequencesArgs {
    /// Limit of statements of a sequence.
    pub fn max_length(&self) -> u32 {
        self.max_length.unwrap_or(MAX_LENGTH)
    }

    /// Limit of elements of arrays and characters of strings.
    pub fn max_elements(&self) -> u32 {
        self.max_elements.unwrap_or(MAX_ELEMENTS)
    }

    /// Limit of paths of one call on one state that reach nothing new.
    pub fn paths_per_call(&self) -> u32 {
        self.paths_per_call.unwrap_or(PATHS_PER_CALL)
    }

    /// Limit of elements of an array that the program allocates with a symbolic length.
    pub fn max_array(&self) -> u32 {
        self.max_array.unwrap_or(MAX_ARRAY)
    }

    /// Limit of times that a branch is decided both ways in one call.
    pub fn loop_k(&self) -> u32 {
        self.loop_k.unwrap_or(LOOPS)
    }

    /// Whether the user set a bound; work is never part of a claim.
    pub fn is_asked(&self, by: CutBy) -> bool {
        match by {
            CutBy::Statements => self.max_length.is_some(),
            CutBy::Elements => self.max_elements.is_some(),
            CutBy::PathsPerCall => self.paths_per_call.is_some(),
            CutBy::Loops => self.loop_k.is_some(),
            CutBy::Room => self.max_array.is_some(),
            _ => false,
        }
    }

    /// Larger bounds to try for the remaining goals, where the user set none.
    pub fn further(&self) -> Vec<BoundExtension> {
        let mut further = Vec::new();
        if self.max_elements.is_none() {
            further.extend(MORE_ELEMENTS.map(BoundExtension::Elements));
        }
        if self.max_length.is_none() {
            further.push(BoundExtension::Statements(LONGER));
        }
        further
    }

    /// Maximum number of elements of strings and arrays in the search by generations: the user's
    /// bound, if there is one.
    pub fn generation_length(&self) -> u32 {
        self.max_elements.unwrap_or(GENERATION_LENGTH)
    }

    /// Maximum number of statements of a sequence in the random search: the user's bound, if there
    /// is one.
    pub fn random_length(&self) -> u32 {
        self.max_length.unwrap_or(RANDOM_LENGTH)
    }

    /// Multiple of the work up to the last goal behind which a class is given up, if any is.
    pub fn patience(&self) -> Option<u32> {
        Some(self.patience).filter(|most| *most < u32::MAX)
    }

    /// Whether an analysis is printed instead of tests.
    pub fn prints(&self) -> bool {
        self.print_analysis || self.print_candidates
    }

    /// Whether JUnit tests are written.
    pub fn is_junit(&self) -> bool {
        match self.format {
            Some(format) => format == TestFormat::Junit,
            None => self.output.is_some(),
        }
    }

    /// Limit of instructions of one run.
    pub fn max_steps(&self) -> u64 {
        self.max_steps.unwrap_or(MAX_STEPS)
    }
}

/// Coverage criterion of tests.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum CoverageCriterionName {
    /// Each branch of conditional jumps and switches
    Branches,
    /// Each source line
    Statements,
    /// Each path through a method under test
    Paths,
    /// Both sides of the boundary of each comparison of integers
    Boundaries,
    /// Each arithmetic instruction that overflows
    Overflow,
    /// Each instruction that throws an exception itself
    Exceptions,
    /// Each pair of a write of a field of the class and a read that can see its value
    DefUse,
}

impl CoverageCriterionName {
    /// Plural noun for the goals of the criterion.
    pub fn goals(self) -> &'static str {
        match self {
            CoverageCriterionName::Branches => "branches",
            CoverageCriterionName::Statements => "lines",
            CoverageCriterionName::Paths => "paths",
            CoverageCriterionName::Boundaries => "boundaries",
            CoverageCriterionName::Overflow => "overflows",
            CoverageCriterionName::Exceptions => "exceptions",
            CoverageCriterionName::DefUse => "define-use pairs",
        }
    }

    /// The same where numbers of branches stand beside it: methods without a branch are goals, too.
    pub fn noun(self) -> &'static str {
        match self {
            CoverageCriterionName::Branches => "goals",
            other => other.goals(),
        }
    }
}

impl From<CoverageCriterionName> for CoverageCriterion {
    fn from(name: CoverageCriterionName) -> CoverageCriterion {
        match name {
            CoverageCriterionName::Branches => CoverageCriterion::Branches,
            CoverageCriterionName::Statements => CoverageCriterion::Statements,
            CoverageCriterionName::Paths => CoverageCriterion::Paths,
            CoverageCriterionName::Boundaries => CoverageCriterion::Boundaries,
            CoverageCriterionName::Overflow => CoverageCriterion::Overflow,
            CoverageCriterionName::Exceptions => CoverageCriterion::Exceptions,
            CoverageCriterionName::DefUse => CoverageCriterion::DefUse,
        }
    }
}

/// Access of tests to the class under test; they are in its package.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum AccessName {
    /// Public members
    Public,
    /// Also package-private members
    Package,
    /// Also protected members
    Protected,
    /// All members
    Private,
}

impl From<AccessName> for MemberAccess {
    fn from(name: AccessName) -> MemberAccess {
        match name {
            AccessName::Public => MemberAccess::Public,
            AccessName::Package => MemberAccess::Package,
            AccessName::Protected => MemberAccess::Protected,
            AccessName::Private => MemberAccess::Private,
        }
    }
}

/// Reading of array elements at symbolic indices.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum HeapName {
    /// Fix the index to each value in turn
    Simulate,
    /// Leave the index to the solver
    Reason,
}

/// Output format of tests.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum TestFormat {
    /// Statements and outcome of each test
    Text,
    /// A JUnit test class
    Junit,
}
