//! Integration tests of the command line.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod api;
mod api_junit;
mod argument_file;
mod bad_input;
mod book;
mod calls;
mod check;
mod ci;
mod claims;
mod common;
mod config;
mod conformance;
mod enumerate;
mod failures;
mod fields;
mod formatters;
mod generate;
mod generate_unseen;
mod generate_update;
mod given_values;
#[cfg(feature = "network")]
mod google_storage;
mod gradle_plugin;
mod hand_made_faults;
mod hunt;
mod jdk_classes;
mod job_folders;
mod job_rounds;
mod job_stages;
mod jobs;
mod junit_check;
mod korat;
mod koratplus;
#[cfg(unix)]
mod kubernetes;
mod large_counts;
mod limits;
mod maven_plugin;
#[cfg(feature = "network")]
mod mcp;
mod measure;
mod measure_jvm;
mod measure_kotlin;
mod measure_versions;
mod measure_world;
mod mockito;
mod mvc;
mod no_invariant;
#[cfg(feature = "network")]
mod object_stores;
mod oracles;
mod other_jdks;
mod packages;
mod paths;
#[cfg(unix)]
mod progress;
mod project;
mod quality_tables;
#[cfg(target_os = "linux")]
mod ray;
mod reports;
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
mod services;
mod shell;
#[cfg(target_os = "linux")]
mod slurm;
mod solver;
mod spilled;
mod summaries;
mod svcomp;
mod symbolic;
mod together;
mod verify;
mod verify_induction;
mod verify_jpf;
mod verify_libraries;
mod verify_numbers;
mod verify_outputs;
mod verify_random;
mod verify_tables;
mod verify_texts;
mod verify_world;
mod wild;
mod worlds;
