//! A suite of tests made of what exploring found.
//!
//! `pipeline` is the way there: `replay` runs a sequence with values, `minimal` takes statements away,
//! `null_filling` puts objects in the place of null, and `selection` keeps as few tests as are needed.
//! `writer` and `script` make scripts of them: `statements` and `observers` say what stands in one, `typing`
//! adds type arguments. `oracles` judge what comes of a test, and `failing` keeps tests that fail apart. `statics` finds static state that tests change, and
//! `resets` decides which of it is put back before each test.

mod failing;
mod minimal;
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
mod typing;
mod writer;

pub(super) use selection::Selection;
