//! The techniques, one module each: what the choices are, and what a leaf of the search means.
//!
//! - [`invariant`]: every structure an invariant accepts (Korat).
//!
//! They share [`target`] (the class under test and its methods), [`bounds`] (what a search chooses
//! from), [`read`] (objects of the engine as plain data) and [`observe`] (calling a method and
//! saying what came of it), [`shown`] (objects as their `toString` shows them).

pub mod bounds;
pub mod derive;
mod error;
pub mod finitization;
pub mod invariant;
pub mod korat_api;
pub mod observe;
pub mod parts;
pub mod read;
pub mod shown;
pub mod target;

pub use error::Error;
