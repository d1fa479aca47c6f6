//! What exploring works with, put together from a request before anything runs.
//!
//! `search_plan` holds the invokables that matter and their statements for the engine, `role` the part that
//! each of them plays, `taking` the origins of its arguments. `arrays` and `class_literals` supply arrays and
//! classes as arguments; `unconstructible` tells objects that no sequence makes. `subject` puts class, methods,
//! analysis and plan together for a request.

mod arrays;
mod class_literals;
mod role;
mod search_plan;
mod subject;
mod taking;
pub(super) mod unconstructible;

pub use role::Role;
pub use search_plan::Plan;
pub use subject::{Subject, subject};
pub use taking::Taking;
