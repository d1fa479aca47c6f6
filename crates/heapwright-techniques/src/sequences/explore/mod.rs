//! Exploring sequences on the engine, the short and the varied ones first.
//!
//! A sequence builds a *component*: objects that the calls of the sequence tie together, in the state in
//! which one path through it leaves them. A further call takes its objects from one component, or joins
//! several. So only sequences whose invokables have data flow between them are formed (thesis, 4.3.3). A
//! component that an earlier one subsumes goes no further: this drops other orders of the same calls
//! (4.3.4) and calls that change nothing (Table 4.4).
//!
//! `exploration` starts `search`, the loop over `costs`, `component_tuples` enumerates what is joined, and `calls` lists the
//! calls on it. `recorder` records each path; `further` raises bounds where something is left.

mod calls;
mod component;
mod component_tuples;
mod costs;
mod exploration;
mod further;
mod outcome;
mod progress;
mod recorder;
mod search;

pub use outcome::{Counts, Ending, Explored, Found};
