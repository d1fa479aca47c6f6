//! Structures and test cases as plain owned data, and pure functions from them to text.
//!
//! Nothing in this crate knows the engine, and nothing in it touches the disk: what runs a program
//! fills the model ([`Structure`], [`Suite`]), a writer turns it into text:
//!
//! - [`junit`] writes test classes for JUnit 5 and 4,
//! - [`svg`] writes drawings, [`dot`] the same for Graphviz,
//! - [`flow`] draws control-flow graphs and what tests take of them, [`plot`] counts over time,
//! - [`jsonl`] writes JSON Lines,
//! - the `Display` of [`Structure`] is one line for messages.
//!
//! Every writer gives the same text for the same data.

mod case;
pub mod dot;
mod error;
pub mod flow;
pub mod jsonl;
pub mod junit;
mod literal;
pub mod plot;
mod script;
mod sequence;
mod structure;
pub mod svg;
mod text;
pub mod types;
mod variables;

pub use case::{
    Call, Case, Contract, Conversion, Counterpart, Holder, InvariantSig, Label, Literal, MethodSig,
    Outcome, Requirement, Suite,
};
pub use error::ModelError;
pub use literal::plain;
pub use script::{Action, FieldAccess, Observation, Script, Statement};
pub use sequence::{CONSTRUCTOR, Casts, Input, Sequence, Spelling, Step};
pub use structure::{
    Access, Body, ClassSig, Construction, Field, FieldSig, Object, Structure, Value,
};
