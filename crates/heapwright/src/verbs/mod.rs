//! Verbs, a folder each: options, implementation and report.

pub mod builders;
pub mod check;
pub mod compare;
pub mod completions;
pub mod doctor;
pub mod enumerate;
pub mod fields;
pub mod generate;
pub mod init;
pub mod job;
pub mod korat;
pub mod list;
pub mod man;
#[cfg(feature = "network")]
pub mod mcp;
pub mod measure;
pub mod merge;
pub mod paths;
pub mod run;
pub mod schema;
pub mod sequences;
pub mod status;
pub mod verify;
pub mod work;
