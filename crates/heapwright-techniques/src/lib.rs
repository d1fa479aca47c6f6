//! The techniques, one module each: what the choices are, and what a leaf of the search means.

pub mod korat_api;
