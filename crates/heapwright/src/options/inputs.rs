//! Options of symbolic inputs and limits of paths, for `paths` and `run --symbolic`. `sequences`
//! and `fields` share some of them.

use clap::{Args, ValueEnum};
use heapwright_explore::symbolic::{InputBounds, Limits};
use heapwright_techniques::symbolic::CutBy;

/// Default limit of instructions of one run.
pub const MAX_STEPS: u64 = 10_000_000;

/// Domains of inputs and limits of a path, except for the scope and the loop bound.
#[derive(Args, Debug)]
#[group(id = "of-inputs", multiple = true)]
pub struct InputArgs {
    /// Maximum number of values tried for a symbolic value that must be concrete [default: 16]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub max_values: Option<u32>,
    /// Maximum number of elements of an array that the program allocates with a symbolic length
    /// [default: 16]
    #[arg(long, value_name = "N")]
    pub max_array: Option<u32>,
    /// Maximum number of decisions on a path [default: 10000]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub max_decisions: Option<u32>,
    /// Maximum number of instructions of one run [default: 10 million]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub max_steps: Option<u64>,
    /// Semantics of int and long arithmetic
    #[arg(long, value_enum, value_name = "READING", default_value = "java")]
    pub integers: Integers,
    /// Characters of strings in inputs
    #[arg(long, value_enum, value_name = "CHARACTERS", default_value = "latin1")]
    pub strings: Strings,
    /// Maximum work of the solver per query, in its own units; beyond it the result is unknown
    /// [default: 4000000]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub solver_work: Option<u64>,
}

impl InputArgs {
    /// Bounds of inputs; `scope` limits objects of a class and elements of an array.
    pub fn bounds(&self, scope: Option<u32>) -> InputBounds {
        let default = InputBounds::default();
        let scope = scope.unwrap_or(default.objects);
        InputBounds {
            objects: scope,
            length: scope,
            room: self.max_array.unwrap_or(default.room),
            values: self.max_values.unwrap_or(default.values),
            decisions: self.max_decisions.unwrap_or(default.decisions),
            utf16: self.strings == Strings::Utf16,
            unbounded: self.integers == Integers::Unbounded,
            ..default
        }
    }

    /// Whether the user set the bound `by`; `scope` is the option for objects and lengths.
    pub fn is_asked(&self, by: CutBy, scope: Option<u32>) -> bool {
        match by {
            CutBy::Objects | CutBy::Lengths => scope.is_some(),
            CutBy::Values => self.max_values.is_some(),
            CutBy::Room => self.max_array.is_some(),
            CutBy::Decisions => self.max_decisions.is_some(),
            CutBy::Steps => self.max_steps.is_some(),
            CutBy::Work => self.solver_work.is_some(),
            _ => false,
        }
    }

    /// Limit of instructions of one run.
    pub fn max_steps(&self) -> u64 {
        self.max_steps.unwrap_or(MAX_STEPS)
    }

    /// Warns that Java may take other paths than those found, if integers are unbounded.
    pub fn warn(&self) {
        if self.integers == Integers::Unbounded {
            notice!(
                "integers are unbounded: where arithmetic would overflow, Java may take \
                 another path than the one shown"
            );
        }
    }
}

/// Limits of a solver query with this much work.
pub fn limits(work: Option<u64>) -> Limits {
    Limits {
        work: work.unwrap_or(Limits::default().work),
    }
}

/// Semantics of int and long arithmetic.
#[derive(ValueEnum, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Integers {
    /// Java's, which wraps
    #[default]
    Java,
    /// Mathematical integers, which agree with Java's only where nothing overflows
    Unbounded,
}

/// Characters of strings.
#[derive(ValueEnum, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Strings {
    /// Latin-1
    #[default]
    Latin1,
    /// UTF-16; a path forks where the library distinguishes the two layouts of strings
    Utf16,
}
