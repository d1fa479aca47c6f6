//! Set-up shared by the tests of all crates: JDKs, compiled fixtures, JUnit, coverage, the
//! corpus, public projects, applications with faults, seeded faults and those put in by hand, review
//! sheets, the hunt for false claims.

pub mod assembly;
pub mod browser;
pub mod corpus;
pub mod coverage;
pub mod faults;
pub mod fixtures;
pub mod gradle;
pub mod hunt;
pub mod jars;
mod java_server;
pub mod jdk;
pub mod junit;
pub mod languages;
pub mod mutation_by_pit;
pub mod plugins;
mod process;
pub mod programs;
pub mod projects;
pub mod python;
pub mod quality;
pub mod random;
pub mod review;
pub mod seeded;
pub mod servers;
pub mod services;
mod shuffled;
pub mod target;
pub mod verified;
