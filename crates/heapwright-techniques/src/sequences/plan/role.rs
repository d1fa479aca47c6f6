//! Role of an invokable in a plan.

use std::sync::Arc;

use heapwright_jvm::{MethodId, Ref};

use super::argument_source::ArgumentSource;
use crate::statements::HeldType;

/// Role of an invokable in a plan.
#[derive(Clone, Debug)]
pub struct InvokableRole {
    /// The display name.
    pub name: String,
    /// The method under test that it calls, if any.
    pub under_test: Option<MethodId>,
    /// Whether its only effect is a result that no invokable takes.
    pub is_idle: bool,
    /// The sources of its arguments.
    pub takes: Vec<ArgumentSource>,
    /// Whether its result is an object that further statements may take.
    pub gives_object: bool,
    /// The contents of its result, if that is a collection and they are known.
    pub contents: Vec<HeldType>,
    /// Whether they are those of a method's declaration, and not what the object was created for.
    pub is_declared: bool,
    /// Whether the search covers only some values of its arguments.
    pub is_partial: bool,
    /// Whether it takes strings or arrays of values, of which only short ones are tried.
    pub has_lengths: bool,
    /// Whether it takes, creates or fills strings, arrays or collections, of which only short ones
    /// are tried.
    pub has_elements: bool,
    /// Whether it takes objects of a type with further objects that are not tried.
    pub has_others: bool,
    /// The increase of cost at which it is called.
    pub delay: usize,
    /// The strings with which its code compares, and some that parsers in it accept.
    pub(super) texts: Arc<[Ref]>,
    /// What parsers accept, by the place of the parameter.
    pub(super) parsed: Vec<Parsed>,
}

/// Strings for a parameter that parsers accept.
#[derive(Clone, Debug, Default)]
pub struct Parsed {
    pub texts: Vec<Ref>,
    /// Whether code parses this parameter by its name.
    pub is_sure: bool,
}

impl InvokableRole {
    /// Returns the role of a hidden invokable, which no sequence uses.
    pub(super) fn hidden() -> InvokableRole {
        InvokableRole {
            name: String::new(),
            under_test: None,
            is_idle: true,
            takes: Vec::new(),
            gives_object: false,
            contents: Vec::new(),
            is_declared: true,
            is_partial: false,
            has_lengths: false,
            has_elements: false,
            has_others: false,
            delay: 0,
            texts: Arc::default(),
            parsed: Vec::new(),
        }
    }
}
