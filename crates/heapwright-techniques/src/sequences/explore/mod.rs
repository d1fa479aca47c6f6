//! Explores sequences on the engine, in the order of a cost that favours short and varied ones.
//!
//! A sequence builds a *component*: objects that its calls connect, in the state at the end of one
//! path. A further call takes its objects from one component, or joins several. Therefore only
//! sequences whose invokables have data flow between them are formed (thesis, 4.3.3). A component
//! that an earlier one subsumes is dropped: this removes other orders of the same calls (4.3.4) and
//! calls without effect (Table 4.4).
//!
//! `exploration` starts `search`, the loop over `costs`; in large systems `goal_directed` precedes
//! it, and where receivers have collaborators, `collaborators`. `component_tuples` enumerates tuples of components, `calls` lists the calls on them, and
//! `call_run` runs these. `recorder` records each path; `fixed_values` repeats calls on which the
//! solver stood still, `generational` searches longer inputs, and `extension` raises bounds while
//! goals are left. `random` varies sequences with values, which `concrete_run` runs; `shares`
//! divides the effort.

mod call_run;
mod calls;
mod collaborators;
mod component;
mod component_tuples;
mod concrete_run;
mod costs;
mod exploration;
mod extension;
mod fixed_values;
mod fractions;
mod generational;
mod goal_directed;
mod outcome;
mod populated;
mod progress;
mod random;
mod recorder;
mod search;
mod shares;

pub(super) use concrete_run::run_known;
pub(super) use random::{Neighbours, aligned, named, simplified, tidied, usual};

pub use outcome::{Explored, FoundSequence, SearchCounts, SearchOutcome};
