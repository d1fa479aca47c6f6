//! Results of verbs, for people and for programs.

pub mod calls;
pub mod claim;
pub mod coverage;
pub mod excerpt;
pub mod explain;
pub mod findings;
pub mod mutants;
pub mod output;
pub mod paths;
pub mod reproducers;
pub mod structures;
pub mod summary;
