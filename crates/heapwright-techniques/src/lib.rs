//! The techniques, one module each: the choices of the search, and the meaning of a leaf.
//!
//! - [`invariant`]: all structures that an invariant accepts (Korat);
//! - [`api`]: all structures that calls of public methods build (BEAPI);
//! - [`compare`]: the invariant compared with the API;
//! - [`builders`]: a small set of methods that builds as much as all of them;
//! - [`symbolic`]: all paths of a method with symbolic inputs;
//! - [`fields`]: few structures in which every field takes each of its feasible values;
//! - [`sequences`]: sequences of calls that reach the goals of a criterion;
//! - [`verify`]: whether any inputs of a program violate a property;
//! - [`measure`]: coverage and mutation score of existing tests;
//! - [`mutation`]: small changes of code that tests should notice;
//! - [`check`]: every method on each structure, with every argument, each run judged.
//!
//! They share the following modules. [`target`] finds the class under test and its methods.
//! [`statements`] is the model of what tests call with what.
//! [`bounds`] defines the choices of a search; [`derive`] derives them from a number, and
//! [`adjust`] holds the user's adjustments. [`arguments`] provides the arguments of methods: values
//! of their declared types.
//! [`read`] converts objects of the engine to plain data, and [`shown`] to the text of their
//! `toString`. `coverage` counts what runs cover, [`existing`] is what tests cover that were there
//! before. [`observe`] calls a method
//! and describes the outcome. [`parsed_texts`] has texts that parsers accept. [`contracts`], [`misuse`] and [`findings`] define faults that need no
//! specification.

pub mod adjust;
pub mod api;
pub mod arguments;
pub mod bounds;
pub mod builders;
pub mod check;
pub mod compare;
pub mod contracts;
mod coverage;
mod depth;
pub mod derive;
pub mod digits;
pub mod empty_bounds;
mod error;
pub mod existing;
mod explain;
pub mod fields;
pub mod findings;
pub mod finitization;
mod functional;
mod interchangeability;
pub mod invariant;
pub mod korat_api;
pub mod makers;
pub mod measure;
pub mod misuse;
pub mod mutation;
pub mod observe;
mod packages;
mod parallel;
pub mod parsed_texts;
pub mod parts;
pub mod paths;
pub mod read;
pub mod sequences;
pub mod shown;
mod signatures;
pub mod statements;
pub mod symbolic;
pub mod target;
pub mod verify;
mod watch;

pub use error::Error;
pub use packages::{hidden_names, takes_tests};
