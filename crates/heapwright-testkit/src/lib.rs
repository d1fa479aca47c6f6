//! Set-up shared by the tests of every crate: JDKs and the Java they run.

pub mod jdk;
