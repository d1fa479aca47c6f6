//! Options that say what open inputs range over and how much work a path may take: those of `paths` and
//! `run --symbolic`; what `sequences` and `fields` share of them.

use clap::{Args, ValueEnum};
use heapwright_explore::symbolic::{Bounds, Limits};
use heapwright_techniques::symbolic::CutBy;

/// Instructions that one run may take if nothing else is said.
pub const MAX_STEPS: u64 = 10_000_000;

/// What inputs range over, besides how large they are and how often loops go round.
#[derive(Args, Debug)]
#[group(id = "of-inputs", multiple = true)]
pub struct InputArgs {
    /// Most values tried of one that must be fixed [default: 16]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub max_values: Option<u32>,
    /// Most elements of an array that the program makes with a symbolic length [default: 16]
    #[arg(long, value_name = "N")]
    pub max_array: Option<u32>,
    /// Most decisions on a path [default: 10000]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub max_decisions: Option<u32>,
    /// Most instructions in one run [default: 10 million]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub max_steps: Option<u64>,
    /// What arithmetic on ints and longs does past their ranges
    #[arg(long, value_enum, value_name = "READING", default_value = "java")]
    pub integers: Integers,
    /// What characters strings in inputs have
    #[arg(long, value_enum, value_name = "CHARACTERS", default_value = "latin1")]
    pub strings: Strings,
    /// Most work of the solver for one question, in its own units; past it the answer is unknown
    /// [default: 4000000]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub solver_work: Option<u64>,
}

impl InputArgs {
    /// The bounds of inputs with so many objects of a class and elements of an array.
    pub fn bounds(&self, scope: Option<u32>) -> Bounds {
        let default = Bounds::default();
        let scope = scope.unwrap_or(default.objects);
        Bounds {
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

    /// Whether somebody asked for a bound, `scope` being what was said of objects and lengths.
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

    /// Most instructions of one run.
    pub fn max_steps(&self) -> u64 {
        self.max_steps.unwrap_or(MAX_STEPS)
    }

    /// Says where Java may take another path than those that were found.
    pub fn warn(&self) {
        if self.integers == Integers::Unbounded {
            notice!(
                "integers are unbounded: where arithmetic would overflow, Java may take \
                 another path than the one shown"
            );
        }
    }
}

/// The limits of a question to the solver, of so much work.
pub fn limits(work: Option<u64>) -> Limits {
    Limits {
        work: work.unwrap_or(Limits::default().work),
    }
}

/// What arithmetic on ints and longs is read as.
#[derive(ValueEnum, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Integers {
    /// As Java's: it wraps
    #[default]
    Java,
    /// As that of mathematical integers, which Java's is only where nothing overflows
    Unbounded,
}

/// What characters strings have.
#[derive(ValueEnum, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Strings {
    /// Those of Latin-1
    #[default]
    Latin1,
    /// All; a path forks where the library tells the two layouts of strings apart
    Utf16,
}
