//! Integration tests of the engine.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod bad_input;
mod common;
mod disassembly;
mod ends;
mod going_back;
mod jars;
mod probes;
mod refusals;
mod releases;
mod resources;
mod verify;
mod verify_library;
