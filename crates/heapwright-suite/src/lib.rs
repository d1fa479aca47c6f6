//! Structures and test cases as plain owned data, and pure functions from them to text.
//!
//! This crate does not depend on the engine and does not access the disk. Callers fill the model
//! ([`Structure`], [`Suite`]), and a writer turns it into text:
//!
//! - [`junit`] writes test classes for JUnit 5 and 4, in the style of a project,
//! - [`svg`] writes drawings, [`dot`] the same for Graphviz, [`boxes`] as text for terminals,
//! - [`flow`] draws control-flow graphs with the coverage of tests, [`plot`] counts over time,
//! - [`jsonl`] writes JSON Lines,
//! - the `Display` of [`Structure`] is one line for messages.
//!
//! Every writer is deterministic: equal data gives equal text.

pub mod boxes;
mod case;
pub mod dot;
mod error;
pub mod exchange;
pub mod flow;
pub mod jsonl;
pub mod junit;
pub mod literal;
mod mocks;
pub mod plot;
mod script;
mod sequence;
mod structure;
pub mod svg;
mod text;
pub mod tokens;
pub mod types;
mod variables;

pub use case::{
    Call, CallOutcome, Case, CollectionKind, ContentsKind, Contract, Conversion, Counterpart,
    InvariantSig, Label, Literal, MethodSig, Requirement, Suite,
};
pub use error::ModelError;
pub use literal::plain;
pub use script::{
    Action, AllCalls, FieldAccess, Observation, Script, Setting, Statement, StubCalls,
};
pub use sequence::{
    AnonymousBody, AnonymousMethod, CONSTRUCTOR, CallSyntax, Casts, Input, Sequence, Step,
    StubOutcome,
};
pub use structure::{
    Access, Body, ClassSig, Construction, Field, FieldSig, Object, Structure, Value,
};
pub use variables::property_of;
