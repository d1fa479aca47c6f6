//! Static analyses of bytecode: control flow, call targets, guards, nullness and purity, without running
//! anything.
//!
//! **Invariant:** claims that code is infeasible, unreachable, or without reads or writes rest on
//! this crate alone. Control flow, dispatch and call-backs are therefore modelled once.

mod callbacks;
mod control_flow;
mod dispatch;
mod guards;
mod nullness;
mod program;
mod purity;
mod reads;
mod resources;
mod string_switch;
mod supergraph;
mod throwing;

pub use callbacks::{
    accesses_unnamed_fields, calls_no_program_code, lambda_bodies, overrides_library, overriding,
};
pub use control_flow::{ControlFlow, branch_targets};
pub use dispatch::{CallTarget, ClassHierarchyAnalysis, Lambda, RapidTypeAnalysis, call, types_of};
pub use guards::GuardedCode;
pub use nullness::{Operands, operands, shuffled};
pub use program::{initializer, nested_classes, outermost_class_name, program};
pub use purity::is_pure;
pub use reads::PlaceReads;
pub use resources::closing_code;
pub use string_switch::{case_of_strings, inner_jumps};
pub use supergraph::{CodeLocation, Supergraph};
pub use throwing::{Thrown, can_throw, thrown};
