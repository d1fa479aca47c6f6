//! Bounds and limits that end a path or cut something off beside it.

use std::collections::BTreeMap;

use heapwright_explore::symbolic::{Bound, InputCut, PathEnd, PathOutcome};
use heapwright_jvm::{Chance, Limit};
use serde::{Deserialize, Serialize};

/// Bound or limit that has cut something off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum CutBy {
    /// Iterations of loops and levels of recursion.
    Loops,
    /// Frames of followed methods.
    Depth,
    /// Decisions on a path.
    Decisions,
    /// Values tried for one that must be fixed.
    Values,
    /// Work of the solver.
    Work,
    /// Instructions of a run.
    Steps,
    /// Memory.
    Memory,
    /// Elements of an array that the program creates with an open length.
    Room,
    /// Another limit of the machine.
    Machine,
    /// Objects of a class in an input.
    Objects,
    /// Lengths of strings and arrays in an input.
    Lengths,
    /// Objects of library classes of which none are created.
    Types,
    /// Objects of abstract classes and interfaces that nothing implements.
    Implementations,
    /// Objects of subclasses in other packages, and arrays of subclasses.
    Subclasses,
    /// Inputs that are objects which static fields refer to.
    Held,
    /// Lambdas other than those that return one value.
    Lambdas,
    /// Characters beyond Latin-1.
    Characters,
    /// Values of static fields, and of what they refer to, other than those that class initialisers
    /// leave.
    Statics,
    /// Unsupported operations.
    Refusals,
    /// Pairs beyond an estimate.
    Estimate,
    /// Statements of a sequence.
    Statements,
    /// Elements of strings, arrays and collections that are arguments.
    Elements,
    /// Paths of one call on one state.
    PathsPerCall,
    /// Statements after a call that threw an exception.
    Thrown,
    /// Values not found within the solver's limits.
    Solutions,
    /// Argument objects: of other classes, or of classes of which none can be created.
    Arguments,
    /// Subclasses that call constructors of abstract classes under test.
    Extensions,
    /// Combinations of arguments of one call.
    Combinations,
    /// Restrictions by the request on the statements of sequences.
    Selection,
    /// Effects of library code that the data-flow analysis does not read.
    Effects,
    /// Calls on objects that share static state.
    Shared,
    /// Schedules of threads other than the machine's.
    Schedules,
    /// Values of a source of the world other than the machine's.
    World(Chance),
    /// Violations of a property that a run on their inputs does not confirm.
    Replay,
    /// Numbers in strings whose other characters are not those of the number.
    Numbers,
}

/// Number of paths cut by each bound or limit.
pub type CutCounts = BTreeMap<CutBy, u64>;

impl CutBy {
    /// Returns the cause for a bound of inputs.
    #[must_use]
    pub fn input(cut: InputCut) -> CutBy {
        match cut {
            InputCut::Objects => CutBy::Objects,
            InputCut::Lengths => CutBy::Lengths,
            InputCut::Types => CutBy::Types,
            InputCut::Implementations => CutBy::Implementations,
            InputCut::Subclasses => CutBy::Subclasses,
            InputCut::Lambdas => CutBy::Lambdas,
            InputCut::Characters => CutBy::Characters,
        }
    }

    /// Returns the cause for a source of the world that the path has read.
    #[must_use]
    pub fn world(chance: Chance) -> CutBy {
        match chance {
            Chance::Subclasses => CutBy::Subclasses,
            Chance::Held => CutBy::Held,
            chance => CutBy::World(chance),
        }
    }

    /// Returns the cause of a path's early end, if any.
    #[must_use]
    pub fn end(outcome: &PathOutcome) -> Option<CutBy> {
        Some(match outcome {
            PathOutcome::Bounded(Bound::Loops) => CutBy::Loops,
            PathOutcome::Bounded(Bound::Decisions) => CutBy::Decisions,
            PathOutcome::Bounded(Bound::Values) => CutBy::Values,
            PathOutcome::Bounded(Bound::Work) => CutBy::Work,
            PathOutcome::Limit(Limit::Steps) => CutBy::Steps,
            PathOutcome::Limit(Limit::Heap) => CutBy::Memory,
            PathOutcome::Limit(Limit::ArrayLength) => CutBy::Room,
            PathOutcome::Limit(_) => CutBy::Machine,
            PathOutcome::Refused(_) | PathOutcome::Deadlocked(_) => CutBy::Refusals,
            PathOutcome::Returned(_)
            | PathOutcome::Threw(_)
            | PathOutcome::Exited(_)
            | PathOutcome::Unmade(_) => {
                return None;
            }
        })
    }

    /// Returns all cuts beside a path, and the cause of its early end.
    pub(crate) fn of(end: &PathEnd) -> Vec<CutBy> {
        let inputs = end.cuts.iter().map(CutBy::input);
        CutBy::end(&end.outcome).into_iter().chain(inputs).collect()
    }

    /// Returns the name in machine-readable output.
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
            CutBy::Implementations => "implementations",
            CutBy::Subclasses => "subclasses",
            CutBy::Held => "held_inputs",
            CutBy::Lambdas => "lambdas",
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
            CutBy::Extensions => "extensions",
            CutBy::Combinations => "combinations",
            CutBy::Selection => "selection",
            CutBy::Effects => "library_effects",
            CutBy::Shared => "shared_statics",
            CutBy::Schedules => "schedules",
            CutBy::World(chance) => chance.name(),
            CutBy::Replay => "unconfirmed",
            CutBy::Numbers => "numbers",
        }
    }

    /// Returns the option that raises the bound; `None` if there is none.
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
            CutBy::Arguments | CutBy::Extensions => "--system",
            CutBy::Types
            | CutBy::Implementations
            | CutBy::Subclasses
            | CutBy::Held
            | CutBy::Lambdas
            | CutBy::Statics
            | CutBy::Machine
            | CutBy::Refusals
            | CutBy::Combinations
            | CutBy::Selection
            | CutBy::Effects
            | CutBy::Shared
            | CutBy::Schedules
            | CutBy::World(_)
            | CutBy::Replay
            | CutBy::Numbers => return None,
        })
    }

    /// Whether it cuts off something beside paths that themselves run to their end.
    #[must_use]
    pub fn is_beside(self) -> bool {
        matches!(self, CutBy::Objects | CutBy::Lengths) || self.is_documented()
    }

    /// Whether it is a documented exclusion from every claim, independent of the request.
    #[must_use]
    pub fn is_documented(self) -> bool {
        matches!(
            self,
            CutBy::Types
                | CutBy::Implementations
                | CutBy::Subclasses
                | CutBy::Held
                | CutBy::Lambdas
                | CutBy::Characters
                | CutBy::Statics
                | CutBy::World(_)
                | CutBy::Thrown
                | CutBy::Arguments
                | CutBy::Selection
                | CutBy::Effects
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
            CutBy::Machine => "runs that a limit of the machine ended",
            CutBy::Objects => "more objects",
            CutBy::Lengths => "longer strings and arrays",
            CutBy::Types => "objects of other types",
            CutBy::Implementations => "objects of types that nothing implements",
            CutBy::Subclasses => "objects of further subclasses",
            CutBy::Held => "inputs that static fields refer to",
            CutBy::Lambdas => "lambdas that return more than one value",
            CutBy::Characters => "characters past Latin-1",
            CutBy::Statics => "other values of static fields",
            CutBy::Refusals => "unsupported operations",
            CutBy::Estimate => "pairs past the estimate",
            CutBy::Statements => "longer sequences",
            CutBy::Elements => "longer strings, arrays and collections",
            CutBy::PathsPerCall => "more paths of a call",
            CutBy::Thrown => "statements after a call that threw",
            CutBy::Solutions => "values that the solver did not find",
            CutBy::Arguments => "other objects as arguments",
            CutBy::Extensions => "other subclasses of abstract classes",
            CutBy::Combinations => "more combinations of arguments",
            CutBy::Selection => "statements that the request excludes",
            CutBy::Effects => "effects of library code that is not analysed",
            CutBy::Shared => "calls on objects that share static state",
            CutBy::Schedules => "other schedules of threads",
            CutBy::World(chance) => return write!(f, "other values of {chance}"),
            CutBy::Replay => "violations that a run on their inputs does not confirm",
            CutBy::Numbers => "strings that nobody has found for a number",
        };
        match self.option() {
            Some(option) => write!(f, "{what} ({option})"),
            None => f.write_str(what),
        }
    }
}
