//! Static fields whose objects a method modifies.
//!
//! Invariant: only analysed code counts. Objects are distinguished by their type alone, so a change
//! of one object is a change of all objects of its type. The type of an object that only final fields
//! lead to is its class.

use std::collections::BTreeSet;

use heapwright_code::CallTarget;
use heapwright_jvm::class::{Field, flags};
use heapwright_jvm::descriptor::{self, Kind};
use heapwright_jvm::{ClassId, MethodId, Ref, Vm};
use rustc_hash::{FxHashMap, FxHashSet};

use super::program::CallableCode;
use crate::sequences::analysis::effects::FieldKey;
use crate::sequences::analysis::method_code::MethodEffects;
use crate::statements::is_value_class;

/// The package of classes that only native code changes.
const ATOMIC: &str = "java/util/concurrent/atomic/";

impl CallableCode {
    /// Finds the methods that read a static field and modify an object reachable from it, directly
    /// or through callees.
    pub(super) fn find_held_changes(&mut self, vm: &mut Vm) {
        let mut changes = FxHashMap::default();
        let initialized: FxHashSet<ClassId> = vm.initialized_classes().into_iter().collect();
        let mut codes: Vec<(&MethodId, &MethodEffects)> = self.codes.iter().collect();
        codes.sort_by_key(|(method, _)| method.0);
        for (&method, code) in codes {
            let mut held = Vec::new();
            for &field in &code.effects.static_uses {
                if self.is_own(vm, field.class) {
                    let types = types_behind(vm, field, initialized.contains(&field.class));
                    held.extend((!types.is_empty()).then_some((field, types)));
                }
            }
            if held.is_empty() {
                continue;
            }
            let changed = self.changed_by(vm, method);
            let sets_atomic = code.calls.iter().any(|&call| sets_atomic(vm, call));
            held.retain(|(_, types)| {
                let is_part =
                    |&class: &ClassId| types.iter().any(|part| part.can_have_fields(vm, class));
                let is_atomic = |part: &HeldType| vm.class_name(part.class).starts_with(ATOMIC);
                changed.iter().any(is_part)
                    || sets_atomic && types.iter().any(is_atomic)
                    || code
                        .effects
                        .stores
                        .iter()
                        .any(|&array| types.iter().any(|part| part.class == array))
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
fn sets_atomic(vm: &Vm, call: CallTarget) -> bool {
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

/// Type of an object reachable from a static field.
struct HeldType {
    class: ClassId,
    /// Whether the object has exactly this class.
    is_exact: bool,
}

impl HeldType {
    /// Whether objects of the type can have fields that a class declares.
    fn can_have_fields(&self, vm: &Vm, declaring: ClassId) -> bool {
        vm.is_subclass(self.class, declaring)
            || !self.is_exact && vm.is_subclass(declaring, self.class)
    }
}

/// Content of a reference field.
enum Content {
    /// The object that a final field holds for ever.
    Object(Ref),
    /// Any object of the type of this descriptor.
    Any(String),
}

/// Returns the types of objects reachable from a static field through fields of the program.
/// Strings and boxes are excluded.
fn types_behind(vm: &mut Vm, field: FieldKey, is_initialized: bool) -> Vec<HeldType> {
    const DEPTH: usize = 3;
    let mut types: Vec<HeldType> = Vec::new();
    let mut open = contents(vm, field.class, |vm, own| {
        let is_it = own.is_static() && own.name == field.name;
        is_it.then(|| is_initialized.then(|| vm.heap.load(own.word)))
    });
    for _ in 0..DEPTH {
        for content in std::mem::take(&mut open) {
            let (class, object) = match content {
                Content::Object(object) if object.is_null() => continue,
                Content::Object(object) => (vm.heap.class_of(object), Some(object)),
                Content::Any(descriptor) => {
                    let class = vm.load_class(descriptor::class_name(&descriptor));
                    let Ok(class) = class else { continue };
                    (class, None)
                }
            };
            let is_exact = object.is_some();
            let is_any = vm.class(class).super_class.is_none() && !vm.class(class).is_interface();
            let is_known = types
                .iter()
                .any(|known| known.class == class && (is_exact || !known.is_exact));
            if is_any || is_value_class(vm, class) || is_known && !is_exact {
                continue;
            }
            if !is_known {
                types.push(HeldType { class, is_exact });
            }
            for above in vm.class(class).display.clone() {
                if vm.is_app_class(above) {
                    open.extend(contents(vm, above, |vm, own| {
                        let value = || object.map(|object| vm.heap.field(object, own.word));
                        (!own.is_static()).then(value)
                    }));
                }
            }
        }
    }
    types
}

/// Contents of some reference fields that a class declares: `value` selects them, and returns the
/// value if there is one.
fn contents(
    vm: &Vm,
    class: ClassId,
    value: impl Fn(&Vm, &Field) -> Option<Option<u64>>,
) -> Vec<Content> {
    let fields = vm.class(class).fields.iter();
    let fields = fields.filter(|field| field.kind == Kind::Reference);
    let contents = fields.filter_map(|field| {
        let is_final = field.flags & flags::FINAL != 0;
        Some(match value(vm, field)? {
            Some(slot) if is_final => Content::Object(Ref::from_slot(slot)),
            _ => Content::Any(vm.text(field.descriptor).to_owned()),
        })
    });
    contents.collect()
}
