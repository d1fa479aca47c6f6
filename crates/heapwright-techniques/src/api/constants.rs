//! Constants that a user gives as arguments: the contents of static final fields.

use heapwright_jvm::class::flags;
use heapwright_jvm::descriptor::{self, Kind};
use heapwright_jvm::{ClassId, Ref, Vm};
use heapwright_suite::Literal;

use crate::Error;
use crate::read::StructureReader;
use crate::target::find_class;

/// Content of a field, with its literal in tests.
pub(super) struct FieldConstant {
    /// The object.
    pub object: Ref,
    /// The field, as a literal.
    pub literal: Literal,
}

/// Finds the constant in a field, `a.B.FIELD`, that tests of a class `under_test` can name.
/// Initialises its class permanently.
///
/// # Errors
/// There is no such field, tests cannot name it, or its content is null, a primitive or mutable.
pub(super) fn find(vm: &mut Vm, text: &str, under_test: ClassId) -> Result<FieldConstant, Error> {
    let wrong = |reason: &str| refused(text, reason);
    let (owner, name) = text
        .rsplit_once('.')
        .ok_or_else(|| wrong("a field is a.B.FIELD"))?;
    let class = find_class(vm, owner)?;
    vm.initialize_now(class).map_err(|reason| Error::BadClass {
        class: owner.to_owned(),
        reason,
    })?;
    let fields = vm.class(class).fields.iter();
    let static_fields = fields.filter(|field| field.is_static());
    let Some(field) = static_fields
        .clone()
        .find(|field| vm.text(field.name) == name)
    else {
        let names: Vec<&str> = static_fields
            .filter(|field| field.kind == Kind::Reference)
            .map(|field| vm.text(field.name))
            .collect();
        let there = match names.is_empty() {
            true => "none".to_owned(),
            false => names.join(", "),
        };
        return Err(wrong(&format!(
            "{owner} has no static field {name}; those that hold objects: {there}"
        )));
    };
    if field.flags & flags::FINAL == 0 {
        return Err(wrong("it is not final: calls could change it"));
    }
    if field.kind != Kind::Reference {
        return Err(wrong("it holds no object"));
    }
    let object = Ref::from_slot(vm.heap.load(field.word));
    let field_type = descriptor::to_java(vm.text(field.descriptor));
    let is_private = field.flags & flags::PRIVATE != 0;
    let is_public = field.flags & flags::PUBLIC != 0;
    if object.is_null() {
        return Err(wrong("it is null: --null adds null"));
    }
    let class = StructureReader::new(vm, under_test).class_sig(vm, class);
    let package = |name: &str| name.rsplit_once('.').map(|(package, _)| package.to_owned());
    let is_beside = package(&class.name) == package(&vm.binary_name(under_test));
    if class.source_name.is_none() || is_private || !(is_public || is_beside) {
        return Err(wrong("tests cannot name it: make it and its class public"));
    }
    Ok(FieldConstant {
        object,
        literal: Literal::StaticField {
            class,
            name: name.to_owned(),
            field_type,
        },
    })
}

/// Error about a field that gives no value.
pub(super) fn refused(field: &str, reason: &str) -> Error {
    Error::Bounds(format!("--values-of {field}: {reason}"))
}
