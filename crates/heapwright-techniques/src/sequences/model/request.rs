//! What a user asks for: the class under test, what is to be reached, and how far the search goes.

use std::collections::BTreeMap;

use heapwright_explore::symbolic::{self, Limits};
use regex::Regex;

/// What is asked for.
#[derive(Clone, Debug)]
pub struct Request {
    /// The binary name of the class under test.
    pub class: String,
    /// The method that says whether an object is well formed, or `none`; else one with a usual name, if there is one.
    pub invariant: Option<String>,
    /// Exceptions by which methods may refuse a call, besides the usual ones.
    pub expected: Vec<String>,
    /// Whether nobody asks for the contracts of `equals` and its like.
    pub leaves_contracts: bool,
    /// The methods under test: `name` or `name(int,java.lang.String)`; none for all that are called.
    pub methods: Vec<String>,
    /// Further classes that sequences are made of.
    pub system: Vec<String>,
    /// What tests may use.
    pub access: Access,
    /// Only invokables that fit one of these, if there are some.
    pub include: Vec<Regex>,
    /// No invokables that fit one of these.
    pub exclude: Vec<Regex>,
    /// A static method that every sequence begins with: `a.b.Fixture.create`.
    pub setup: Option<String>,
    /// What is to be reached.
    pub criterion: Criterion,
    /// How far sequences go.
    pub bounds: Bounds,
    /// How large values get, and runs.
    pub values: symbolic::Bounds,
    /// How exploring goes further, one after the other, where these leave something.
    pub further: Vec<Further>,
    /// Values that types range over.
    pub pools: Values,
    /// How far the solver goes.
    pub limits: Limits,
    /// Instructions that one run may take.
    pub step_limit: u64,
    /// Whether tests assert fields that no observer shows.
    pub asserts_fields: bool,
}

/// What tests may use; each includes those before it. Tests live in the package of the class under
/// test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Access {
    /// `public` members.
    Public,
    /// Those without a modifier.
    Package,
    /// `protected` ones.
    Protected,
    /// All.
    Private,
}

/// What is wanted of tests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Criterion {
    /// Each way on from conditional jumps and switches.
    #[default]
    Branches,
    /// Each source line; each instruction's place where the class file has no lines.
    Statements,
    /// Each path through a method under test.
    Paths,
    /// Each instruction that throws by itself.
    Exceptions,
    /// Both sides of the edge of each comparison of integers: of `a < b` that `a` is `b` and that it is
    /// one less.
    Boundaries,
    /// Each arithmetic instruction on integers that wraps.
    Overflow,
    /// Each read of a field of the class with each write whose value it can be.
    DefUse,
}

impl Criterion {
    /// Whether paths split where the program itself does not ask.
    #[must_use]
    pub fn splits(self) -> bool {
        matches!(
            self,
            Criterion::Boundaries | Criterion::Overflow | Criterion::Exceptions
        )
    }
}

/// How far sequences go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// Most statements of a sequence.
    pub length: u32,
    /// Most paths of one call on one component; no limit if 0.
    pub paths: u32,
    /// Whether references may be null where an object could stand.
    pub nulls: bool,
    /// Whether statements may follow one that threw.
    pub after_exceptions: bool,
    /// Most paths in all.
    pub all_paths: u64,
    /// The solver's work for all paths of one call on one component, before others have their turn; no
    /// bound if 0.
    pub work: u64,
}

/// What is longer where something is left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Further {
    /// Strings and arrays of values that are arguments, up to so many elements.
    Elements(u32),
    /// Sequences, up to so many statements.
    Statements(u32),
}

/// Values that a type ranges over, by descriptor.
pub type Values = BTreeMap<String, Vec<u64>>;
