//! Arguments of `sequences`.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};
use heapwright_techniques::sequences::{Access, Criterion, Further};
use heapwright_techniques::symbolic::CutBy;

use crate::options::{
    CommonArgs, JunitArgs, MAX_STEPS, OracleArgs, Strings, parse_time, parse_time_or_none,
};

/// Arguments of `sequences`.
#[derive(Args, Debug)]
#[command(mut_arg("json", |arg| arg.conflicts_with("print")))]
pub struct SequencesArgs {
    #[command(flatten)]
    pub common: CommonArgs,
    /// The class under test, by its binary name, or those of the class path that fit a pattern: com.acme.* is
    /// a package's, com.acme.** all below it and member classes (repeatable)
    #[arg(short = 'c', long = "class", value_name = "CLASS", required = true)]
    pub classes: Vec<String>,
    /// A method under test, by its name or as 'remove(int)', constructors as '<init>' (repeatable)
    /// [default: all of the class that tests may call]
    #[arg(short, long = "method", value_name = "METHOD")]
    pub methods: Vec<String>,
    /// What tests are to reach
    #[arg(long, alias = "goal", value_enum, value_name = "CRITERION", default_value_t = CriterionName::Branches)]
    pub criterion: CriterionName,
    /// What tests may use
    #[arg(long, value_enum, value_name = "ACCESS", default_value_t = AccessName::Public)]
    pub access: AccessName,
    /// A further class that sequences are made of (repeatable) [default: those that are needed to call
    /// the class under test]
    #[arg(long = "system", value_name = "CLASS")]
    pub system: Vec<String>,
    /// Only invokables that fit this regular expression, as 'Board\..*' or 'put\(.*' (repeatable)
    #[arg(long, value_name = "PATTERN")]
    pub include: Vec<String>,
    /// No invokables that fit this regular expression (repeatable)
    #[arg(long, value_name = "PATTERN")]
    pub exclude: Vec<String>,
    /// A static method that every sequence begins with, as a.b.Fixture.create
    #[arg(long, value_name = "CLASS.METHOD")]
    pub setup: Option<String>,
    /// Values that arguments of a primitive type are taken from, as int=0,1,-1 (repeatable) [default:
    /// all]
    #[arg(long, value_name = "TYPE=A,B,…", allow_hyphen_values = true)]
    pub values: Vec<String>,
    /// No argument is null
    #[arg(long)]
    pub no_null: bool,
    /// Statements may follow one that threw
    #[arg(long)]
    pub after_exceptions: bool,
    /// How an element at an open index is read: fixing the index, or leaving it to the solver
    #[arg(long, value_enum, value_name = "READING", default_value_t = HeapName::Reason)]
    pub heap: HeapName,
    /// Most statements of a sequence [default: 10, then 20 for what that leaves]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub max_length: Option<u32>,
    /// Most paths of one call on one state since the last that reached something new, with --criterion paths
    /// in all; the thesis has 10 [default: 64]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub paths_per_call: Option<u32>,
    /// Most paths in all
    #[arg(long, value_name = "N", default_value_t = 300_000, value_parser = clap::value_parser!(u64).range(1..))]
    pub max_paths: u64,
    /// Most elements of an array that the program makes with an open length; 0 for empty ones alone
    /// [default: 64]
    #[arg(long, value_name = "N")]
    pub max_array: Option<u32>,
    /// Most elements of an array and characters of a string that is an argument, 0 for empty ones alone
    /// [default: 3; of values, for what that leaves, 8 and 16]
    #[arg(long, value_name = "N")]
    pub max_elements: Option<u32>,
    /// Most times that a branch is decided both ways in one call [default: 10]
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u32).range(1..))]
    pub loop_k: Option<u32>,
    /// Most instructions in one run [default: 10 million]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub max_steps: Option<u64>,
    /// What characters strings in arguments have
    #[arg(long, value_enum, value_name = "CHARACTERS", default_value = "latin1")]
    pub strings: Strings,
    /// Most work of the solver for one question, in its own units; past it the answer is unknown
    /// [default: 80000; the thesis has 10 s, about 4000000]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub solver_work: Option<u64>,
    /// The same by the time that it takes about, as 10s
    #[arg(long, value_name = "TIME", value_parser = parse_time, hide = true, conflicts_with = "solver_work")]
    pub solver_timeout: Option<Duration>,
    /// Stop after this time for each method under test, as 30s or 5m [default: no limit; the thesis has
    /// 5m]
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    pub time_per_method: Option<Duration>,
    /// Stop after this time with each class, as 30s or 5m; none for no limit [default: 30s, but for one class
    /// with another limit of time]
    #[arg(long, value_name = "TIME", value_parser = parse_time_or_none)]
    pub time_per_class: Option<Duration>,
    /// The boolean method that says whether an object is well formed, or none [default: repOK, repOk, checkRep,
    /// invariant or isValid]
    #[arg(long, value_name = "NAME")]
    pub invariant: Option<String>,
    #[command(flatten)]
    pub oracles: OracleArgs,
    /// Assert fields too: what a call changed that no observer shows
    #[arg(long)]
    pub assert_fields: bool,
    /// Print what each invokable defines, uses, takes and gives, and explore nothing
    #[arg(long, group = "print")]
    pub print_analysis: bool,
    /// Print the candidate sequences of the methods under test up to --max-length as trees, and explore
    /// nothing
    #[arg(long, group = "print")]
    pub print_candidates: bool,
    /// Print in place of tests the paths that the methods under test and what they call were seen to
    /// take, as a tree a method
    #[arg(long, group = "print")]
    pub print_tree: bool,
    /// Print what became of each goal
    #[arg(long)]
    pub table: bool,
    /// What the tests are written as
    #[arg(long, value_enum, value_name = "FORMAT", conflicts_with = "print")]
    pub format: Option<TestFormat>,
    /// The file that the tests are written to [default: standard output]; of junit the folder
    #[arg(short, long, value_name = "PATH", conflicts_with = "print")]
    pub output: Option<PathBuf>,
    /// How tests are written
    #[command(flatten)]
    pub junit: JunitArgs,
}

/// Most statements of a sequence, if nothing else is said; and for what that leaves.
const MAX_LENGTH: u32 = 10;
const LONGER: u32 = 20;
/// Most elements of arrays and characters of strings, if nothing else is said; and for what that leaves.
const MAX_ELEMENTS: u32 = 3;
const MORE_ELEMENTS: [u32; 2] = [8, 16];
/// Most paths of a call, if nothing else is said.
const PATHS_PER_CALL: u32 = 64;
/// Most elements of an array that the program makes, if nothing else is said.
const MAX_ARRAY: u32 = 64;
/// Most times that a branch is decided both ways, if nothing else is said.
const LOOPS: u32 = 10;

impl SequencesArgs {
    /// Most statements of a sequence.
    pub fn max_length(&self) -> u32 {
        self.max_length.unwrap_or(MAX_LENGTH)
    }

    /// Most elements of arrays and characters of strings.
    pub fn max_elements(&self) -> u32 {
        self.max_elements.unwrap_or(MAX_ELEMENTS)
    }

    /// Most paths of one call on one state in vain.
    pub fn paths_per_call(&self) -> u32 {
        self.paths_per_call.unwrap_or(PATHS_PER_CALL)
    }

    /// Most elements of an array that the program makes with an open length.
    pub fn max_array(&self) -> u32 {
        self.max_array.unwrap_or(MAX_ARRAY)
    }

    /// Most times that a branch is decided both ways in one call.
    pub fn loop_k(&self) -> u32 {
        self.loop_k.unwrap_or(LOOPS)
    }

    /// Whether somebody asked for a bound; how much work is done is never part of a claim.
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

    /// How exploring goes further where these leave something.
    pub fn further(&self) -> Vec<Further> {
        let mut further = Vec::new();
        if self.max_elements.is_none() {
            further.extend(MORE_ELEMENTS.map(Further::Elements));
        }
        if self.max_length.is_none() {
            further.push(Further::Statements(LONGER));
        }
        further
    }

    /// Whether something is printed in the place of tests.
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

    /// Most instructions of one run.
    pub fn max_steps(&self) -> u64 {
        self.max_steps.unwrap_or(MAX_STEPS)
    }
}

/// What is wanted of tests.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum CriterionName {
    /// Each way on from conditional jumps and switches
    Branches,
    /// Each source line
    Statements,
    /// Each path through a method under test
    Paths,
    /// Both sides of the edge of each comparison of integers
    Boundaries,
    /// Each arithmetic instruction that wraps
    Overflow,
    /// Each instruction that throws by itself
    Exceptions,
    /// Each read of a field of the class with each write whose value it can be
    DefUse,
}

impl CriterionName {
    /// What such goals are called.
    pub fn goals(self) -> &'static str {
        match self {
            CriterionName::Branches => "branches",
            CriterionName::Statements => "lines",
            CriterionName::Paths => "paths",
            CriterionName::Boundaries => "boundaries",
            CriterionName::Overflow => "overflows",
            CriterionName::Exceptions => "exceptions",
            CriterionName::DefUse => "define-use pairs",
        }
    }
}

impl From<CriterionName> for Criterion {
    fn from(name: CriterionName) -> Criterion {
        match name {
            CriterionName::Branches => Criterion::Branches,
            CriterionName::Statements => Criterion::Statements,
            CriterionName::Paths => Criterion::Paths,
            CriterionName::Boundaries => Criterion::Boundaries,
            CriterionName::Overflow => Criterion::Overflow,
            CriterionName::Exceptions => Criterion::Exceptions,
            CriterionName::DefUse => Criterion::DefUse,
        }
    }
}

/// What tests may use of a class; they are in the package of the class under test.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum AccessName {
    /// What is public
    Public,
    /// And what has no modifier
    Package,
    /// And what is protected
    Protected,
    /// Everything
    Private,
}

impl From<AccessName> for Access {
    fn from(name: AccessName) -> Access {
        match name {
            AccessName::Public => Access::Public,
            AccessName::Package => Access::Package,
            AccessName::Protected => Access::Protected,
            AccessName::Private => Access::Private,
        }
    }
}

/// How elements at open indices are read.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum HeapName {
    /// One index after the other
    Simulate,
    /// All at once
    Reason,
}

/// What tests are written as.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum TestFormat {
    /// The statements of each, and how it ends
    Text,
    /// A JUnit test class
    Junit,
}
