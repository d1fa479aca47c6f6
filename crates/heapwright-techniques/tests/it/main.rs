//! Tests of the crate as its users see it.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod api;
mod candidates;
mod cases;
mod check;
mod common;
mod cubes;
mod damaged;
mod derived;
mod fields;
mod forms;
mod generated;
mod guided;
mod interrupted;
mod lazy;
mod logic_mutants;
mod other_jdks;
mod parsed_texts;
mod parts;
mod paths;
mod refusals;
mod rounds;
mod slices;
mod spans;
mod spilled;
mod stopped;
mod symbolic;
mod texts;
mod trees;
mod verify;
