//! The effects of code: the fields and array elements that it may define and use.

use std::collections::BTreeSet;

use heapwright_jvm::name::Sym;
use heapwright_jvm::{ClassId, MethodId};

/// A field, by the class that declares it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FieldKey {
    /// The class.
    pub class: ClassId,
    /// The field's name.
    pub name: Sym,
}

/// What an invokable may do. The order of the sets is that of loading: whoever shows them sorts them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Effects {
    /// Instance fields written; of an object that is made all of them.
    pub defines: BTreeSet<FieldKey>,
    /// Instance fields read.
    pub uses: BTreeSet<FieldKey>,
    /// Static fields written.
    pub static_defines: BTreeSet<FieldKey>,
    /// Static fields read.
    pub static_uses: BTreeSet<FieldKey>,
    /// Classes of arrays with elements written.
    pub stores: BTreeSet<ClassId>,
    /// Classes of arrays with elements read.
    pub loads: BTreeSet<ClassId>,
    /// Classes that the code of the system casts to or asks for.
    pub casts: BTreeSet<ClassId>,
    /// Methods that the code of the system calls, as declared; those that can be overridden.
    pub called: BTreeSet<MethodId>,
    /// Strings that the code of the system compares with.
    pub texts: BTreeSet<String>,
}
