//! Set-up shared by the tests of all crates: JDKs, jars, compiling and running Java.
//!
//! Everything panics with a message that says what to install; nothing here is for production.

pub mod jdk;
pub mod junit;
