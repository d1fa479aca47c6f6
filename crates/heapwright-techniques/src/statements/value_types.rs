//! Types whose values can be literals in a test: primitives, strings, boxes, enum constants, arrays
//! of these.
//!
//! **Invariant:** a result depends on the type alone, not on the classes loaded before.

use heapwright_jvm::descriptor::{self, Kind};
use heapwright_jvm::{ClassId, Vm};

use super::{Invokable, StatementKind};
use crate::derive::constants_of;

/// Whether values of a type can be written in a test's source: primitives, strings, boxes, enum
/// constants, their common supertypes, and arrays of these.
pub(crate) fn is_value(vm: &mut Vm, descriptor: &str) -> bool {
    if Kind::of(descriptor) != Kind::Reference || is_plain(descriptor) {
        return true;
    }
    if let Some(element) = descriptor.strip_prefix('[') {
        return is_value(vm, element);
    }
    let name = descriptor::class_name(descriptor);
    if is_any(name) {
        return true;
    }
    let class = vm.load_class(name);
    class.is_ok_and(|class| is_enum(vm, class))
}

/// Whether values of a type are objects that can be written in a test's source, and not arrays.
pub(crate) fn is_object_value(vm: &mut Vm, descriptor: &str) -> bool {
    descriptor.starts_with('L') && is_value(vm, descriptor)
}

/// Whether a class is an enum with constants.
pub(crate) fn is_enum(vm: &mut Vm, class: ClassId) -> bool {
    constants_of(vm, class).is_ok_and(|constants| !constants.is_empty())
}

/// Whether an invokable takes strings or arrays.
pub(crate) fn has_lengths(invokable: &Invokable) -> bool {
    let mut takes = invokable
        .parameters
        .iter()
        .map(|taken| &taken.descriptor[..]);
    takes.any(|descriptor| is_short(descriptor) || is_any(descriptor::class_name(descriptor)))
}

/// Whether the search covers all values of a type except for their lengths.
pub(crate) fn is_short(descriptor: &str) -> bool {
    descriptor.starts_with('[') || descriptor == "Ljava/lang/String;"
}

/// Whether an invokable takes strings or arrays, or creates or fills arrays or collections.
pub(crate) fn has_elements(invokable: &Invokable) -> bool {
    let is_array = matches!(
        invokable.kind,
        StatementKind::NewArray(_) | StatementKind::StoreElement(_)
    );
    is_array || !invokable.contents.is_empty() || has_lengths(invokable)
}

/// Whether values of a type are, or may be, strings or boxes.
pub(crate) fn is_plain_or_any(descriptor: &str) -> bool {
    is_any(descriptor::class_name(descriptor)) || is_plain(descriptor)
}

/// Whether a library class or interface is a supertype of strings or boxes.
pub(crate) fn is_any(name: &str) -> bool {
    matches!(
        name,
        "java/lang/Object" | "java/lang/Number" | "java/lang/Comparable" | "java/lang/CharSequence"
    )
}

/// Whether a type is a string or a box.
pub(crate) fn is_plain(descriptor: &str) -> bool {
    descriptor::is_value_class(descriptor::class_name(descriptor))
}

/// Whether the objects of a class are strings or boxes, which are immutable and need no call to be
/// created.
pub(crate) fn is_value_class(vm: &Vm, class: ClassId) -> bool {
    descriptor::is_value_class(vm.class_name(class))
}
