//! What an argument is taken from.

use heapwright_jvm::{ClassId, Vm};

/// What an argument is taken from.
#[derive(Clone, Debug)]
pub struct Taking {
    /// Whether it is a value that the source of a test can write down.
    pub is_open: bool,
    /// Whether it may be null.
    pub is_nullable: bool,
    /// Whether two of its values can be equal and not the same: it is a reference.
    pub has_identity: bool,
    /// The class whose objects it can be, if any: none of an enum whose constants are written down.
    pub(super) bound: Option<ClassId>,
    /// These only, and their subclasses.
    pub(super) only: Option<Vec<ClassId>>,
    /// What a collection that is made for it holds.
    pub(super) contents: Vec<String>,
    /// What it is declared as to the engine, where a lambda stands for it.
    pub(super) stands: Option<String>,
}

impl Taking {
    /// Whether it takes what holds this: of collections made for arguments only those that hold what it
    /// says.
    #[must_use]
    pub fn holds(&self, contents: &[String]) -> bool {
        contents.is_empty() || self.contents == contents
    }

    /// Whether it takes an object of a class.
    #[must_use]
    pub fn accepts(&self, vm: &Vm, class: ClassId) -> bool {
        let is_kind = |bound: ClassId| vm.is_subclass(class, bound);
        self.bound.is_some_and(is_kind)
            && self
                .only
                .as_ref()
                .is_none_or(|only| only.iter().copied().any(is_kind))
    }

    /// Whether it takes the values that another one takes.
    #[must_use]
    pub fn takes(&self, vm: &Vm, other: &Taking) -> bool {
        let both = self.bound.zip(other.bound);
        other.is_open && both.is_some_and(|(own, other)| vm.is_subclass(other, own))
    }
}
