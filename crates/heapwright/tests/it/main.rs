//! Integration tests of the command line.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod api;
mod api_junit;
mod bad_input;
mod book;
mod calls;
mod check;
mod claims;
mod common;
mod config;
mod conformance;
mod enumerate;
mod fields;
mod generate;
mod generate_update;
mod hand_made_faults;
mod jdk_classes;
mod jobs;
mod junit_check;
mod korat;
mod koratplus;
mod large_counts;
mod limits;
mod measure;
mod no_invariant;
mod oracles;
mod paths;
mod quality_tables;
mod run_bad_input;
mod sequences;
mod sequences_fates;
mod sequences_junit;
mod sequences_kept;
mod sequences_languages;
mod sequences_minimal;
mod sequences_mocks;
mod sequences_random;
mod sequences_readable;
mod sequences_several;
mod sequences_stubs;
mod sequences_tree;
mod sequences_values;
mod summaries;
mod symbolic;
mod wild;
