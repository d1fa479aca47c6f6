//! The part that an invokable plays in a plan.

use std::sync::Arc;

use heapwright_jvm::{MethodId, Ref};

use super::taking::Taking;

/// The part that an invokable plays in a plan.
#[derive(Clone, Debug)]
pub struct Role {
    /// What it is called.
    pub name: String,
    /// The method under test that it calls, if it does.
    pub under_test: Option<MethodId>,
    /// Whether nothing takes what it gives, though it is there for nothing else.
    pub is_idle: bool,
    /// What its arguments are taken from.
    pub takes: Vec<Taking>,
    /// Whether it gives an object that further statements may take.
    pub gives_object: bool,
    /// Whether it takes some of its arguments' values only.
    pub is_partial: bool,
    /// Whether it takes strings or arrays of values, of which only short ones are tried.
    pub has_lengths: bool,
    /// Whether it takes or is about strings, arrays or collections, of which only short ones are tried.
    pub has_elements: bool,
    /// Whether it takes objects of a type of which there may be others than those that are tried.
    pub has_others: bool,
    /// The strings that its code compares with.
    pub(super) texts: Arc<[Ref]>,
}

impl Role {
    /// The role of what no sequence is made of, and that compares nothing.
    pub(super) fn hidden() -> Role {
        Role {
            name: String::new(),
            under_test: None,
            is_idle: true,
            takes: Vec::new(),
            gives_object: false,
            is_partial: false,
            has_lengths: false,
            has_elements: false,
            has_others: false,
            texts: Arc::default(),
        }
    }
}
