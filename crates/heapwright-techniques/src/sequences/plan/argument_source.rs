//! Source of an argument.

use heapwright_jvm::{ClassId, Vm};

use super::given_values::GivenValue;
use super::role::InvokableRole;
use crate::statements::HeldType;

/// Source of an argument.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ArgumentSource {
    /// Whether the argument is open, that is, a value that a test can write in its source.
    pub is_open: bool,
    /// Whether it may be null.
    pub is_nullable: bool,
    /// Whether two of its values can be equal and not identical: it is a reference to a string or
    /// box.
    pub has_identity: bool,
    /// The class of the objects that it accepts from statements; `None` for primitives, and for
    /// values that are always written in the source.
    pub(super) bound: Option<ClassId>,
    /// The only classes tried, with their subclasses; `None` for all.
    pub(super) only: Option<Vec<ClassId>>,
    /// The contents of a collection created for it.
    pub(in crate::sequences) contents: Vec<HeldType>,
    /// The declared type for the engine, if a lambda stub or only one class literal may be the
    /// argument.
    pub(super) stub_type: Option<String>,
    /// Classes that extend its type with other type arguments, those of stubs among them.
    pub(super) refused: Vec<ClassId>,
    /// Values that a user gives for it, or for its elements or content; empty if there are none.
    pub(super) given: Vec<GivenValue>,
}

impl ArgumentSource {
    /// Whether it accepts what a statement makes, by its contents. What a statement declares to return
    /// may hold more than the declaration of a parameter says, if that says nothing.
    #[must_use]
    pub fn holds(&self, made: &InvokableRole) -> bool {
        let contents = &made.contents;
        contents.is_empty()
            || self.contents == *contents
            || made.is_declared && self.may_hold(contents)
    }

    /// Whether it may accept an object with these contents.
    pub(super) fn may_hold(&self, contents: &[HeldType]) -> bool {
        let holds_any = |held: &HeldType| held.descriptor == "Ljava/lang/Object;";
        contents.is_empty() || self.contents == contents || self.contents.iter().all(holds_any)
    }

    /// Whether it accepts an object of a class.
    #[must_use]
    pub fn accepts(&self, vm: &Vm, class: ClassId) -> bool {
        let is_kind = |bound: ClassId| vm.is_subclass(class, bound);
        self.bound.is_some_and(is_kind)
            && !self.refused.iter().copied().any(is_kind)
            && self
                .only
                .as_ref()
                .is_none_or(|only| only.iter().copied().any(is_kind))
    }

    /// Whether it accepts the open values of another argument.
    #[must_use]
    pub fn takes(&self, vm: &Vm, other: &ArgumentSource) -> bool {
        let both = self.bound.zip(other.bound);
        other.is_open && both.is_some_and(|(own, other)| vm.is_subclass(other, own))
    }
}
