//! Generates a test suite from the results of the search.
//!
//! `pipeline` combines the steps. `replay` runs a sequence with values, `minimal` removes
//! statements, `stub_scripts` simplifies what stubs do, `null_filling` replaces null arguments by
//! objects, `selection` retains as few tests as are needed, by `cover`, `mutants` tells which
//! changes of the code they notice by what `digests` tell apart and which `questions` are asked,
//! `answers` which goals observers reach. `rich_search` looks for tests in large states, by their
//! `richness`, and `kill_search` for tests that notice further mutants. `writer`, `script` and
//! `scripts` produce scripts of `statements`, with their type arguments from `typing`.
//!
//! `candidates` collects what a test can assert, and chooses among it. Observers are in
//! `observers`, with arguments from `used_values`, accessors of library classes in `library`, parts
//! of exceptions in `thrown`, fields in `fields`. `values` writes objects by their contents.
//!
//! `oracles` judge the outcome of a test, and `failing` collects failing tests. `statics` finds
//! static state that tests change, and `resets` determines the part to restore before each test.
//! `dependencies` are initialised ahead of the runs. `coverage` notes what the chosen tests execute.

mod answers;
mod candidates;
mod cover;
mod coverage;
mod dependencies;
mod digests;
mod failing;
mod fields;
mod kill_search;
mod library;
mod minimal;
mod mutants;
mod null_filling;
mod observers;
mod oracles;
mod pipeline;
mod plain;
mod questions;
mod replay;
mod resets;
mod rich_search;
mod richness;
mod script;
mod scripts;
mod selection;
mod statements;
mod statics;
mod stub_calls;
mod stub_scripts;
mod thrown;
mod typing;
mod used_values;
mod values;
mod writer;

pub use coverage::{ReceiverStates, SuiteCoverage, goals_and_branches};
pub(super) use pipeline::FurtherSequences;
pub(super) use selection::Selection;
