//! Set-up shared by the tests of every crate: JDKs and the Java they run, compiled fixtures, JUnit, coverage.

pub mod assembly;
pub mod coverage;
pub mod fixtures;
pub mod jars;
pub mod jdk;
pub mod junit;
pub mod random;
mod target;
pub mod wild;
