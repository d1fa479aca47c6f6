//! Input of the search, derived from a request before anything runs.
//!
//! `search_plan` holds the relevant invokables and translates statements for the engine. `role`
//! describes each invokable's role, `argument_source` the sources of its arguments. `arrays`,
//! `answers` and `class_literals` supply arrays, objects that stubs return and class literals as
//! arguments, `given_values` what a user prefers. `known_steps` translates sequences with values for the engine. `unconstructible` finds
//! objects that no sequence can create. `subject` combines class, methods, analysis and plan for a
//! request.

mod answers;
mod argument_source;
mod arrays;
mod class_literals;
mod given_values;
mod known_steps;
mod parsed_texts;
mod role;
mod search_plan;
mod subject;
pub(super) mod unconstructible;

pub use argument_source::ArgumentSource;
pub use given_values::{GivenValue, check_given};
pub use role::InvokableRole;
pub use search_plan::SearchPlan;
pub use subject::{RequestSubject, subject};
