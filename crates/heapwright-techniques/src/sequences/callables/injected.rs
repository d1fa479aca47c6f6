//! Fields that a library fills after construction: dependencies that a container injects, settings, and
//! identifiers that a database gives.
//!
//! Such a field has an annotation that can be read at run time, and no code of its class writes it. No
//! library is known by name.

use heapwright_jvm::class::flags;
use heapwright_jvm::listing::ListedOperation;
use heapwright_jvm::{ClassId, Vm};
use rustc_hash::FxHashSet;

use super::collections::contents_of;
use crate::signatures::{Type, Variables, of_class};
use crate::statements::{AccessedField, ParameterSpec};
use crate::target::is_inner;

/// Maximum number of such fields of a class; those of one with more stay as its constructor leaves them.
const MAX_FIELDS: usize = 16;

/// Returns the parameters that stand for such fields of a class and its superclasses in the program, those
/// of superclasses first.
pub(super) fn injected(vm: &mut Vm, class: ClassId) -> Vec<ParameterSpec> {
    let this = vm.class(class);
    if this.is_abstract() || this.flags & flags::ENUM != 0 || is_inner(vm, class) {
        return Vec::new();
    }
    let mut above = vec![class];
    above.extend(std::iter::successors(this.super_class, |&class| {
        vm.class(class).super_class
    }));
    above.reverse();
    let mut fields = Vec::new();
    for class in above.into_iter().filter(|&class| vm.is_app_class(class)) {
        fields.extend(of_one(vm, class));
    }
    if fields.len() > MAX_FIELDS {
        return Vec::new();
    }
    let mut parameters = Vec::new();
    for field in fields {
        let (declared, variables) = declared(vm, &field);
        let mut parameter = ParameterSpec::argument(&field.descriptor, &field.name);
        parameter.contents = contents_of(vm, &declared, &variables);
        parameter.injects = Some(field);
        parameters.push(parameter);
    }
    parameters
}

/// Returns the declared type of a field, and the bounds of the type variables there.
pub(super) fn declared(vm: &Vm, field: &AccessedField) -> (Type, Variables) {
    let found = vm.find_field(field.class, &field.name);
    let signature = found.and_then(|found| found.signature);
    let text = signature.map_or(&*field.descriptor, |signature| vm.text(signature));
    let variables = of_class(vm, field.class).0;
    (Type::of_descriptor(text), variables.into_iter().collect())
}

fn of_one(vm: &Vm, class: ClassId) -> Vec<AccessedField> {
    let this = vm.class(class);
    let fixed = flags::STATIC | flags::FINAL | flags::SYNTHETIC;
    let fields = this.fields.iter();
    let annotated = fields.filter(|field| field.is_annotated && field.flags & fixed == 0);
    let mut annotated: Vec<AccessedField> = annotated
        .map(|field| AccessedField {
            class,
            name: vm.text(field.name).to_owned(),
            descriptor: vm.text(field.descriptor).to_owned(),
            is_static: false,
        })
        .collect();
    if annotated.is_empty() {
        return annotated;
    }
    let mut written = FxHashSet::default();
    for &method in &this.methods {
        let listing = vm.listing(method).unwrap_or_default();
        let steps = listing.instructions.into_iter().map(|listed| listed.step);
        written.extend(steps.filter_map(|step| match step {
            ListedOperation::PutField(field, false) => Some(field.name),
            _ => None,
        }));
    }
    annotated.retain(|field| !written.contains(&field.name));
    annotated
}
