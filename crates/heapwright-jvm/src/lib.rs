//! Java virtual machine that forks at choices and goes back.
//!
//! [`Vm`] runs Java bytecode with the JDK's own library. [`Vm::mark`] and [`Vm::undo_to`] restore
//! an earlier state at the cost of the changes since. [`Vm::run`] returns before an instruction
//! with an unset operand. The meaning of a choice is up to the caller.

mod assembler;
pub mod boot;
mod bootstraps;
mod bytecode;
mod chains;
mod chances;
pub mod choice;
pub mod class;
pub mod classfile;
pub mod classpath;
mod collector;
mod compression;
mod concat;
mod cut_points;
pub mod descriptor;
mod fdlibm;
pub mod files;
mod finalizers;
pub mod heap;
mod helpful;
mod identity_keys;
mod indy;
pub mod instr;
pub mod interp;
pub mod jdk;
mod joins;
pub mod launch;
pub mod link;
pub mod listing;
mod loaders;
pub mod machine;
mod manifest;
mod merging;
pub mod name;
pub mod natives;
mod optimize;
pub mod passes;
pub mod patches;
mod pattern;
pub mod probes;
pub mod prologues;
mod record;
pub mod replaced;
pub mod rewriting;
pub mod state;
mod statics;
mod string;
mod subtypes;
mod symbolic;
mod threads;
mod throw;
mod translate;
mod verify;
pub mod vm;
mod writes;

pub use chances::{Chance, ReadPosition, ReadSource};
pub use choice::Place;
pub use class::{ClassId, MethodId};
pub use heap::{HeapPoint, Ref};
pub use jdk::Jdk;
pub use machine::{
    ArrayTerms, Choosing, Comparison, ConditionTruth, InputRequest, Machine, Operation, Plain,
    SlotLocation,
};
pub use merging::MergePoint;
pub use state::{Frame, MarkId};
pub use symbolic::BranchSuccessor;
pub use vm::{Config, Exit, ImplicitReads, Limit, PrintedText, Vm};
pub use writes::WrittenPlace;
