//! The techniques, one module each: what the choices are, and what a leaf of the search means.
//!
//! - [`invariant`]: every structure an invariant accepts (Korat);
//! - [`api`]: every structure that calls of public methods build (BEAPI);
//! - [`compare`]: the invariant held against the API;
//! - [`builders`]: the few methods that build as much as all;
//! - [`symbolic`]: every path of a method with symbolic inputs;
//! - [`fields`]: few structures in which every field holds what it can;
//! - [`sequences`]: sequences of calls that reach what a criterion asks for;
//! - [`check`]: every method on each of them, with every argument, each run judged.
//!
//! They share [`target`] (the class under test and its methods), [`bounds`] (what a search chooses
//! from; [`derive`] makes bounds from a number, [`adjust`] holds what a user says of them), [`arguments`] (what methods are called with), [`read`] (objects of the engine as plain data) and [`observe`] (calling a method and
//! saying what came of it), [`shown`] (objects as their `toString` shows them), [`contracts`],
//! [`misuse`] and [`findings`] (what is a fault without anybody having said so).

pub mod adjust;
mod alike;
pub mod api;
pub mod arguments;
pub mod bounds;
pub mod builders;
pub mod check;
pub mod compare;
pub mod contracts;
mod depth;
pub mod derive;
pub mod digits;
mod error;
mod explain;
pub mod fields;
pub mod findings;
pub mod finitization;
pub mod invariant;
pub mod korat_api;
pub mod misuse;
pub mod nothing;
pub mod observe;
mod packages;
mod parallel;
pub mod parts;
pub mod paths;
pub mod read;
pub mod sequences;
pub mod shown;
pub mod symbolic;
pub mod target;
mod watch;

pub use error::Error;
pub use packages::{hidden_names, takes_tests};
