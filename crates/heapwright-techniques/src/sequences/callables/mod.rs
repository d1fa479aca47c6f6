//! Members that tests may call, and objects for their arguments.
//!
//! `system_classes` finds the classes of the system under test and `invokables` lists their
//! members, with those that `hidden_members` finds in types of results and those of the library that
//! change objects of classes which inherit them (`inherited`), and the fields that a container fills
//! (`injected`). `makers` finds other
//! members of the class path that make objects, `builder_setters` those that such objects need
//! first. `collections`, `jdk_values`, `lambda_stubs` and `anonymous_stubs` supply objects for
//! parameters that the system has none of.

pub(super) mod anonymous_stubs;
pub(super) mod builder_setters;
pub(super) mod collections;
mod hidden_members;
mod inherited;
mod injected;
pub(super) mod invokables;
pub(super) mod jdk_values;
pub(super) mod lambda_stubs;
pub(super) mod makers;
pub(super) mod system_classes;
