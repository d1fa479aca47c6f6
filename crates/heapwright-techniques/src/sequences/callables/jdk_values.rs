//! Members of the JDK that create objects for parameters. Methods of a program usually return such
//! objects only if they received them as arguments.
//!
//! Invariant: they are added only for parameters declared with one of the types in the table, and
//! none of their objects' other methods is called.

use std::collections::BTreeSet;

use heapwright_jvm::{ClassId, MethodId, Vm, descriptor};

use super::invokables::MemberScope;
use crate::statements::jdk_values::{self, JdkMaker, JdkMember, for_type};
use crate::statements::{AccessedField, Invokable, StatementKind};

/// Members that make objects.
#[derive(Clone, Debug, Default)]
pub(in crate::sequences) struct Makers {
    /// Methods and constructors, with their owners.
    pub methods: Vec<(ClassId, MethodId)>,
    /// Static fields.
    pub constants: Vec<AccessedField>,
}

impl Makers {
    /// Returns the number of members.
    pub fn count(&self) -> usize {
        self.methods.len() + self.constants.len()
    }

    /// Adds the members to a scope; returns whether one is new there.
    pub fn add_to(self, scope: &mut MemberScope) -> bool {
        let before = scope.factories.len() + scope.constants.len();
        for method in self.methods {
            if !scope.factories.contains(&method) {
                scope.factories.push(method);
            }
        }
        for constant in self.constants {
            if !scope.constants.contains(&constant) {
                scope.constants.push(constant);
            }
        }
        scope.factories.len() + scope.constants.len() > before
    }
}

/// Returns the members that create values for parameters, and for their own parameters, in the
/// order of the invokables. The system's `classes` are excluded, since their own methods are
/// invokables.
pub(in crate::sequences) fn makers(
    vm: &mut Vm,
    invokables: &[Invokable],
    classes: &[ClassId],
) -> Makers {
    let mut makers = Makers::default();
    let taken = invokables.iter().flat_map(|one| &one.parameters);
    // Objects with contents are made for their types.
    let taken = taken.filter(|taken| !taken.is_receiver && taken.contents.is_empty());
    let mut types: Vec<String> = Vec::new();
    for taken in taken {
        if !types.contains(&taken.descriptor) {
            types.push(taken.descriptor.clone());
        }
    }
    let mut at = 0;
    while at < types.len() {
        for maker in for_type(vm, &types[at]) {
            if let Some(parameters) = add(vm, &maker, classes, &mut makers) {
                types.extend(parameters);
                let mut known = BTreeSet::new();
                types.retain(|one| known.insert(one.clone()));
            }
        }
        at += 1;
    }
    makers
}

/// Adds a member, and returns the types of its parameters and its receiver; `None` if it is known or
/// cannot be used.
fn add(
    vm: &mut Vm,
    maker: &JdkMaker,
    classes: &[ClassId],
    makers: &mut Makers,
) -> Option<Vec<String>> {
    match maker.member(vm)? {
        JdkMember::Constant(constant) => {
            if !classes.contains(&constant.class) && !makers.constants.contains(&constant) {
                makers.constants.push(constant);
            }
            None
        }
        JdkMember::Call(call) => {
            let member = (call.class, call.method);
            if classes.contains(&call.class) || makers.methods.contains(&member) {
                return None;
            }
            makers.methods.push(member);
            let receiver = call.has_receiver();
            let receiver = receiver.then(|| descriptor::of_class(vm.class_name(call.class)));
            Some(call.parameters(vm).into_iter().chain(receiver).collect())
        }
    }
}

/// Returns strings for the arguments of a maker.
pub(in crate::sequences) fn texts(vm: &Vm, invokable: &Invokable) -> &'static [&'static str] {
    match invokable.kind {
        StatementKind::Call(call) => jdk_values::texts(vm, call),
        _ => &[],
    }
}

/// Returns the classes of the objects that are created for parameters of a type.
pub(in crate::sequences) fn created_for(vm: &mut Vm, descriptor: &str) -> Vec<ClassId> {
    let makers = for_type(vm, descriptor).into_iter();
    makers
        .filter_map(|maker| vm.load_class(maker.created()).ok())
        .collect()
}
