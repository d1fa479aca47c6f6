//! What ended a path, or cut something off beside it: by which bound or limit.

use std::collections::BTreeMap;

use heapwright_explore::symbolic::{Bound, Cut, Outcome, PathEnd};
use heapwright_jvm::Limit;

/// A bound or limit that has cut something off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CutBy {
    /// Iterations of loops and levels of recursion.
    Loops,
    /// Frames of methods that are followed.
    Depth,
    /// Decisions on a path.
    Decisions,
    /// Values tried of one that must be fixed.
    Values,
    /// Work of the solver.
    Work,
    /// Instructions of a run.
    Steps,
    /// Memory.
    Memory,
    /// Elements of an array that the program makes with an open length.
    Room,
    /// Another limit of the machine.
    Machine,
    /// Objects of a class in an input.
    Objects,
    /// Lengths of strings and arrays in an input.
    Lengths,
    /// Objects of the library's classes, of which none are made.
    Types,
    /// Characters past Latin-1.
    Characters,
    /// Values of static fields other than those that class initialisers leave.
    Statics,
    /// What is not supported.
    Refusals,
    /// Pairs past an estimate.
    Estimate,
    /// Statements of a sequence.
    Statements,
    /// Elements of strings, arrays and collections that are arguments.
    Elements,
    /// Paths of one call on one state.
    PathsPerCall,
    /// Statements behind a call that threw.
    Thrown,
    /// Values that the solver found in its limits.
    Solutions,
    /// Objects that are arguments: of other classes, or of those of which none can be made.
    Arguments,
    /// Combinations of arguments of one call.
    Combinations,
    /// What a request says that sequences are made of.
    Selection,
    /// Calls on objects that share static state.
    Shared,
}

/// On how many paths something was cut off, by what did it.
pub type CutCounts = BTreeMap<CutBy, u64>;

impl CutBy {
    /// What a bound of inputs cuts off.
    #[must_use]
    pub fn input(cut: Cut) -> CutBy {
        match cut {
            Cut::Objects => CutBy::Objects,
            Cut::Lengths => CutBy::Lengths,
            Cut::Types => CutBy::Types,
            Cut::Characters => CutBy::Characters,
        }
    }

    /// What has ended a path before its end, if anything has.
    #[must_use]
    pub fn end(outcome: &Outcome) -> Option<CutBy> {
        Some(match outcome {
            Outcome::Bounded(Bound::Loops) => CutBy::Loops,
            Outcome::Bounded(Bound::Decisions) => CutBy::Decisions,
            Outcome::Bounded(Bound::Values) => CutBy::Values,
            Outcome::Bounded(Bound::Work) => CutBy::Work,
            Outcome::Limit(Limit::Steps) => CutBy::Steps,
            Outcome::Limit(Limit::Heap) => CutBy::Memory,
            Outcome::Limit(Limit::ArrayLength) => CutBy::Room,
            Outcome::Limit(_) => CutBy::Machine,
            Outcome::Refused(_) => CutBy::Refusals,
            Outcome::Returned(_) | Outcome::Threw(_) | Outcome::Exited(_) | Outcome::Unmade(_) => {
                return None;
            }
        })
    }

    /// All that was cut off beside a path, and what has ended it.
    pub(crate) fn of(end: &PathEnd) -> Vec<CutBy> {
        let inputs = end.cuts.iter().map(CutBy::input);
        CutBy::end(&end.outcome).into_iter().chain(inputs).collect()
    }

    /// The name for programs.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            CutBy::Loops => "loops",
            CutBy::Depth => "depth",
            CutBy::Decisions => "decisions",
            CutBy::Values => "values",
            CutBy::Work => "work",
            CutBy::Steps => "steps",
            CutBy::Memory => "memory",
            CutBy::Room => "array_room",
            CutBy::Machine => "machine",
            CutBy::Objects => "objects",
            CutBy::Lengths => "lengths",
            CutBy::Types => "library_types",
            CutBy::Characters => "characters",
            CutBy::Statics => "static_fields",
            CutBy::Refusals => "refused",
            CutBy::Estimate => "estimate",
            CutBy::Statements => "statements",
            CutBy::Elements => "elements",
            CutBy::PathsPerCall => "paths_per_call",
            CutBy::Thrown => "after_exceptions",
            CutBy::Solutions => "solutions",
            CutBy::Arguments => "arguments",
            CutBy::Combinations => "combinations",
            CutBy::Selection => "selection",
            CutBy::Shared => "shared_statics",
        }
    }

    /// The option that lifts it; none if there is none.
    #[must_use]
    pub fn option(self) -> Option<&'static str> {
        Some(match self {
            CutBy::Loops => "--loop-k",
            CutBy::Depth => "--max-depth",
            CutBy::Decisions => "--max-decisions",
            CutBy::Values => "--max-values",
            CutBy::Work => "--solver-work",
            CutBy::Steps => "--max-steps",
            CutBy::Memory => "--max-memory",
            CutBy::Room => "--max-array",
            CutBy::Objects | CutBy::Lengths => "--scope",
            CutBy::Characters => "--strings utf16",
            CutBy::Estimate => "--estimate",
            CutBy::Statements => "--max-length",
            CutBy::Elements => "--max-elements",
            CutBy::PathsPerCall => "--paths-per-call",
            CutBy::Thrown => "--after-exceptions",
            CutBy::Solutions => "--solver-work",
            CutBy::Arguments => "--system",
            CutBy::Types
            | CutBy::Statics
            | CutBy::Machine
            | CutBy::Refusals
            | CutBy::Combinations
            | CutBy::Selection
            | CutBy::Shared => return None,
        })
    }

    /// Whether it cuts off something beside paths, which themselves go to their end.
    #[must_use]
    pub fn is_beside(self) -> bool {
        matches!(self, CutBy::Objects | CutBy::Lengths) || self.is_documented()
    }

    /// Whether every claim leaves out what it cuts off, and says so, nobody having asked for it.
    #[must_use]
    pub fn is_documented(self) -> bool {
        matches!(
            self,
            CutBy::Types
                | CutBy::Characters
                | CutBy::Statics
                | CutBy::Thrown
                | CutBy::Arguments
                | CutBy::Selection
        )
    }
}

impl std::fmt::Display for CutBy {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let what = match self {
            CutBy::Loops => "more iterations",
            CutBy::Depth => "more frames",
            CutBy::Decisions => "more decisions",
            CutBy::Values => "more values",
            CutBy::Work => "more work of the solver",
            CutBy::Steps => "longer runs",
            CutBy::Memory => "more memory",
            CutBy::Room => "longer arrays that the program makes",
            CutBy::Machine => "what a limit of the machine ended",
            CutBy::Objects => "more objects",
            CutBy::Lengths => "longer strings and arrays",
            CutBy::Types => "other objects of the library",
            CutBy::Characters => "characters past Latin-1",
            CutBy::Statics => "other values of static fields",
            CutBy::Refusals => "what is not supported",
            CutBy::Estimate => "what is past the estimate",
            CutBy::Statements => "longer sequences",
            CutBy::Elements => "longer strings, arrays and collections",
            CutBy::PathsPerCall => "more paths of a call",
            CutBy::Thrown => "statements behind a call that threw",
            CutBy::Solutions => "values that the solver did not find",
            CutBy::Arguments => "other objects as arguments",
            CutBy::Combinations => "more combinations of arguments",
            CutBy::Selection => "what the request leaves out",
            CutBy::Shared => "calls on objects that share static state",
        };
        match self.option() {
            Some(option) => write!(f, "{what} ({option})"),
            None => f.write_str(what),
        }
    }
}
