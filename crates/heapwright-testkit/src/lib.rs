//! Set-up shared by the tests of every crate: JDKs and the Java they run, JUnit.

pub mod assembly;
pub mod fixtures;
pub mod jdk;
pub mod junit;
