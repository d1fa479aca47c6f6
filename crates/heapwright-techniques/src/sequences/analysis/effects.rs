//! Effects of code: the fields and array elements that it may write and read.

use std::collections::BTreeSet;

use heapwright_jvm::name::Sym;
use heapwright_jvm::{ClassId, MethodId};

use crate::parsed_texts::ParsedText;

/// A field, by its declaring class.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FieldKey {
    /// The class.
    pub class: ClassId,
    /// The field's name.
    pub name: Sym,
}

/// Effects of an invokable. The sets are ordered by loading, so output must sort them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Effects {
    /// Instance fields written; all fields of objects that are created.
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
    /// Classes in casts and `instanceof` tests of the system's code.
    pub casts: BTreeSet<ClassId>,
    /// Overridable methods that the system's code calls, as declared.
    pub called: BTreeSet<MethodId>,
    /// Strings with which the system's code compares.
    pub texts: BTreeSet<String>,
    /// Texts that the system's code parses.
    pub parsed: BTreeSet<ParsedText>,
}
