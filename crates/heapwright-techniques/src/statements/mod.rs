//! What tests call with what: members, statements with their arguments, and sequences of them. All
//! techniques share it.
//!
//! A [`MethodCall`] or another [`StatementKind`] with its parameters is an [`Invokable`]; with
//! arguments it is a [`Statement`].

mod anonymous;
mod call;
pub(crate) mod containers;
mod invokable;
pub(crate) mod jdk_values;
mod members;
mod statement;
mod value_types;
pub(crate) mod written;

pub use anonymous::{AnonymousClass, AnonymousMethod};
pub(crate) use anonymous::{Scripted, anonymous_classes, extended_type, type_arguments};
pub use call::{CallKind, MethodCall};
pub use invokable::{AccessedField, HeldType, Invokable, ParameterSpec, StatementKind, Stub};
pub(crate) use members::without_its_types;
pub(crate) use members::{
    MemberFilter, callables, concrete_methods, is_public, names_of, pick, selected_methods,
    selected_questions,
};
pub use members::{
    Skipped, expression, method_name, methods_under_test, name_of, short_name, without_receiver,
};
pub use statement::{Statement, StatementArgument, StatementSet, open_places};
pub(crate) use value_types::{
    has_elements, has_lengths, is_any, is_enum, is_object_value, is_plain, is_plain_or_any,
    is_short, is_value, is_value_class,
};
