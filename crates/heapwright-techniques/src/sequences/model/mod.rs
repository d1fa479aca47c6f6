//! Data shared by all layers: requests, invokables, statements, sequences with values.
//!
//! **Invariant:** this module neither reads code nor runs it.

mod concrete;
mod invokable;
mod phases;
mod request;
mod statement;
mod value_types;

pub use concrete::Concrete;
pub use invokable::{
    AnonymousClass, AnonymousMethod, Field, Invokable, ParameterSpec, StatementKind, Stub,
};
pub use phases::{Memory, Phases};
pub use request::{Access, BoundExtension, Bounds, Criterion, SequencesRequest, Values};
pub use statement::{Argument, Statement, StatementSet};
pub(super) use value_types::{
    has_elements, has_lengths, is_any, is_enum, is_plain, is_plain_or_any, is_short, is_value,
    is_value_class,
};
