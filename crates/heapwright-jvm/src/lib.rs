//! Java virtual machine that forks at choices and goes back.
//!
//! [`Vm`] runs Java bytecode with the JDK's own library. [`Vm::mark`] and [`Vm::undo_to`] restore
//! an earlier state at the cost of the changes since. [`Vm::run`] returns before an instruction
//! with an unset operand. The meaning of a choice is up to the caller.

mod assembler;
pub mod boot;
mod bytecode;
mod chains;
pub mod choice;
pub mod class;
pub mod classfile;
pub mod classpath;
mod concat;
pub mod descriptor;
mod fdlibm;
pub mod heap;
mod helpful;
mod indy;
pub mod instr;
pub mod interp;
pub mod jdk;
mod joins;
mod keys;
pub mod launch;
pub mod link;
pub mod listing;
pub mod machine;
pub mod name;
pub mod natives;
mod optimize;
pub mod passes;
mod pattern;
pub mod probes;
mod record;
pub mod replaced;
pub mod state;
mod string;
mod symbolic;
mod throw;
mod translate;
mod verify;
pub mod vm;

pub use choice::Place;
pub use class::{ClassId, MethodId};
pub use heap::Ref;
pub use jdk::Jdk;
pub use machine::{Answer, Choosing, Comparison, Machine, Operation, Plain, Spot};
pub use state::MarkId;
pub use symbolic::Side;
pub use vm::{Config, Exit, Limit, Output, Seen, Vm};
