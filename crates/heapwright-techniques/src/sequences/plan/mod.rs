//! Input of the search, derived from a request before anything runs.
//!
//! `search_plan` holds the relevant invokables and translates statements for the engine. `role`
//! describes each invokable's role, `taking` the sources of its arguments. `arrays` and
//! `class_literals` supply arrays and class literals as arguments. `unconstructible` finds objects
//! that no sequence can create. `subject` combines class, methods, analysis and plan for a request.

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
