//! Generates a test suite from the results of the search.
//!
//! `pipeline` combines the steps. `replay` runs a sequence with values, `minimal` removes
//! statements, `stub_scripts` simplifies what stubs do, `null_filling` replaces null arguments by objects, and `selection` retains as few
//! tests as are needed, and `mutants` tells which changes of the code they notice. `writer` and `script` produce scripts. Their contents come from
//! `statements` and `observers`, their type arguments from `typing`. `oracles` judge the outcome of
//! a test, and `failing` collects failing tests. `statics` finds static state that tests change,
//! and `resets` determines the part to restore before each test.

mod failing;
mod minimal;
mod mutants;
mod null_filling;
mod observers;
mod oracles;
mod pipeline;
mod replay;
mod resets;
mod script;
mod selection;
mod statements;
mod statics;
mod stub_scripts;
mod typing;
mod writer;

pub(super) use selection::Selection;
