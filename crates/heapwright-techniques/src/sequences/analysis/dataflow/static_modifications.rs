//! Static fields whose objects a method modifies.
//!
//! Invariant: only analysed code counts. Objects are distinguished by their type alone, so a change
//! of one object is a change of all objects of its type.

use std::collections::BTreeSet;

use heapwright_code::Call;
use heapwright_jvm::descriptor::{self, Kind};
use heapwright_jvm::name::Sym;
use heapwright_jvm::{ClassId, MethodId, Vm};
use rustc_hash::{FxHashMap, FxHashSet};

use super::program::Program;
use crate::sequences::analysis::effects::FieldKey;
use crate::sequences::analysis::method_code::Code;
use crate::statements::is_value_class;

/// The package of classes that only native code changes.
const ATOMIC: &str = "java/util/concurrent/atomic/";

impl Program {
    /// Finds the methods that read a static field and modify an object reachable from it, directly
    /// or through callees.
    pub(super) fn find_held_changes(&mut self, vm: &mut Vm) {
        let mut changes = FxHashMap::default();
        let mut codes: Vec<(&MethodId, &Code)> = self.codes.iter().collect();
        codes.sort_by_key(|(method, _)| method.0);
        for (&method, code) in codes {
            let mut held = Vec::new();
            for &field in &code.effects.static_uses {
                if self.is_own(vm, field.class) {
                    let types = types_behind(vm, field);
                    held.extend((!types.is_empty()).then_some((field, types)));
                }
            }
            if held.is_empty() {
                continue;
            }
            let changed = self.changed_by(vm, method);
            let sets_atomic = code.calls.iter().any(|&call| sets_atomic(vm, call));
            held.retain(|(_, types)| {
                let is_part = |&class: &ClassId| {
                    let mut types = types.iter();
                    types.any(|&part| vm.is_subclass(class, part) || vm.is_subclass(part, class))
                };
                let is_atomic = |&class: &ClassId| vm.class_name(class).starts_with(ATOMIC);
                changed.iter().any(is_part)
                    || sets_atomic && types.iter().any(is_atomic)
                    || code
                        .effects
                        .stores
                        .iter()
                        .any(|array| types.contains(array))
            });
            changes.insert(method, held.into_iter().map(|(field, _)| field).collect());
        }
        self.held_changes = changes;
    }

    /// Returns the classes whose instance fields a method writes, directly or through callees.
    /// Writes in constructors do not count.
    fn changed_by(&self, vm: &Vm, method: MethodId) -> BTreeSet<ClassId> {
        let mut changed = BTreeSet::new();
        let mut known = FxHashSet::default();
        let mut open = vec![method];
        while let Some(method) = open.pop() {
            let is_making = vm.text(vm.method(method).name).starts_with('<');
            let Some(code) = self.codes.get(&method).filter(|_| !is_making) else {
                continue;
            };
            changed.extend(code.effects.defines.iter().map(|field| field.class));
            let callees = self.callees.get(&method).into_iter().flatten().copied();
            open.extend(callees.filter(|&callee| known.insert(callee)));
        }
        changed
    }
}

/// Whether a call can set a number that is not in a field written by bytecode.
fn sets_atomic(vm: &Vm, call: Call) -> bool {
    let this = vm.method(call.named());
    let name = vm.text(this.name);
    let reads = [
        "get",
        "getPlain",
        "getAcquire",
        "getOpaque",
        "intValue",
        "longValue",
        "toString",
    ];
    vm.class_name(this.class).starts_with(ATOMIC) && !reads.contains(&name)
}

/// Returns the types of objects reachable from a static field through fields of the program.
/// Strings and boxes are excluded.
fn types_behind(vm: &mut Vm, field: FieldKey) -> Vec<ClassId> {
    const DEPTH: usize = 3;
    let mut types: Vec<ClassId> = Vec::new();
    let fields = |vm: &Vm, class: ClassId, is_static: bool| -> Vec<(Sym, String)> {
        let fields = vm.class(class).fields.iter();
        let fields = fields.filter(|field| field.is_static() == is_static);
        let fields = fields.filter(|field| field.kind == Kind::Reference);
        fields
            .map(|field| (field.name, vm.text(field.descriptor).to_owned()))
            .collect()
    };
    let own = fields(vm, field.class, true).into_iter();
    let own = own.filter(|(name, _)| *name == field.name);
    let mut open: Vec<String> = own.map(|(_, descriptor)| descriptor).collect();
    for _ in 0..DEPTH {
        for descriptor in std::mem::take(&mut open) {
            let Ok(class) = vm.load_class(descriptor::class_name(&descriptor)) else {
                continue;
            };
            let is_any = vm.class(class).super_class.is_none() && !vm.class(class).is_interface();
            if is_any || is_value_class(vm, class) || types.contains(&class) {
                continue;
            }
            types.push(class);
            if vm.is_app_class(class) {
                open.extend(
                    fields(vm, class, false)
                        .into_iter()
                        .map(|(_, descriptor)| descriptor),
                );
            }
        }
    }
    types
}
