//! Digests of what a run left behind: equal where its outcome and the heaps reachable from its
//! objects are the same up to isomorphism.
//!
//! **Invariant:** runs with the same digest cannot be told apart by observations of the outcome, of
//! calls of stubs, of what their arguments were like at the time, of the objects that statements gave and of the values they took, unless static state differs.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use heapwright_explore::symbolic::PathOutcome;
use heapwright_explore::{Canonicalizer, SizeLimits};
use heapwright_jvm::descriptor::{self, Kind};
use heapwright_jvm::prologues::NotedCall;
use heapwright_jvm::{Ref, Vm};
use rustc_hash::FxHasher;

use super::replay::ReplayedRun;
use crate::sequences::model::Concrete;
use crate::symbolic::InputValue;

/// Fields of exceptions that tell where they were thrown, which no test asserts.
const PLACES: [&str; 3] = ["backtrace", "stackTrace", "depth"];

/// Fields with views of collections, which are created at the first use.
const VIEWS: [&str; 6] = [
    "descendingMap",
    "entrySet",
    "entrySetView",
    "keySet",
    "navigableKeySet",
    "values",
];

/// Maximum number of objects of a class, and of elements of an array, in a digest.
const MOST_OBJECTS: u32 = 256;
const MOST_ELEMENTS: u32 = 1_024;

/// Whether the slot of a reference holds one, and is not open.
pub(super) fn is_object(slot: u64) -> bool {
    slot >> 32 == 0
}

/// Maker of digests.
pub(super) struct Digests {
    canonicalizer: Canonicalizer,
    /// Number of calls of stubs before the runs.
    calls_before: usize,
}

impl Digests {
    /// Creates a maker of digests for runs from the machine's present state.
    pub fn new(vm: &Vm) -> Digests {
        let omits = |class: &str, field: &str| {
            class == "java.lang.Throwable" && PLACES.contains(&field)
                || class.starts_with("java.util.") && VIEWS.contains(&field)
        };
        Digests {
            canonicalizer: Canonicalizer::new(
                vm,
                Arc::default(),
                Arc::new(omits),
                SizeLimits {
                    objects: MOST_OBJECTS,
                    array_length: MOST_ELEMENTS,
                    ..SizeLimits::none()
                },
            ),
            calls_before: 0,
        }
    }

    /// Lets runs begin at the machine's present state.
    pub fn begin(&mut self, vm: &Vm) {
        self.canonicalizer.set_base(vm);
        self.calls_before = vm.noted_calls().len();
    }

    /// Returns the digest of a run at its end, given the kind of its result and the objects of its
    /// statements; `None` if these hold too much.
    pub fn of(
        &mut self,
        vm: &mut Vm,
        ran: &ReplayedRun<'_, '_>,
        concrete: &Concrete,
        (kind, objects): (Kind, &[Option<Ref>]),
    ) -> Option<u64> {
        let mut hasher = FxHasher::default();
        let mut roots: Vec<Ref> = Vec::new();
        match *ran.outcome {
            PathOutcome::Threw(exception) => {
                0_u8.hash(&mut hasher);
                roots.push(exception);
            }
            PathOutcome::Returned(slot) => {
                1_u8.hash(&mut hasher);
                match kind {
                    Kind::Void => {}
                    Kind::Reference if is_object(slot) => roots.push(Ref::from_slot(slot)),
                    _ => slot.hash(&mut hasher),
                }
            }
            _ => 2_u8.hash(&mut hasher),
        }
        roots.extend(objects.iter().flatten().copied());
        let values = concrete.input.roots.iter().zip(ran.values);
        let values = values.filter(|((_, value), slot)| {
            matches!(value, InputValue::Object(_)) && is_object(**slot)
        });
        roots.extend(values.map(|(_, &slot)| Ref::from_slot(slot)));
        for (number, &root) in roots.iter().enumerate() {
            // The same object as an earlier one is the same in the other run, too.
            let earlier = roots[..number].iter().position(|&other| other == root);
            earlier.hash(&mut hasher);
            if earlier.is_some() || root.is_null() {
                continue;
            }
            self.hash_object(vm, root, &mut hasher)?;
        }
        let calls = vm.noted_calls()[self.calls_before..].to_vec();
        for (number, call) in (self.calls_before..).zip(&calls) {
            call.method.hash(&mut hasher);
            self.hash_arguments(vm, call, &mut hasher)?;
            // Arguments may have changed since.
            if let Some(point) = vm.noted_point(number)
                && vm.is_changed_since(point)
            {
                vm.at_point(point, |vm| self.hash_arguments(vm, call, &mut hasher))?;
            }
        }
        Some(hasher.finish())
    }

    /// Hashes the arguments of a call, its receiver apart.
    fn hash_arguments(&mut self, vm: &Vm, call: &NotedCall, hasher: &mut FxHasher) -> Option<()> {
        let text = vm.text(vm.method(call.method).descriptor);
        let (parameters, _) = descriptor::split_method(text).unwrap_or_default();
        let mut word = 1;
        for parameter in parameters {
            let kind = Kind::of(parameter);
            let slot = call.arguments[word];
            word += usize::from(kind.words());
            match kind {
                Kind::Reference if slot != 0 && is_object(slot) => {
                    self.hash_object(vm, Ref::from_slot(slot), hasher)?;
                }
                _ => slot.hash(hasher),
            }
        }
        Some(())
    }

    /// Returns the digest of an object of the run with all that it holds; `None` if it holds too much,
    /// or is older than the run.
    pub fn of_object(&mut self, vm: &Vm, object: Ref) -> Option<u64> {
        let is_of_run = !object.is_null() && self.canonicalizer.is_above_base(vm, object);
        let mut hasher = FxHasher::default();
        is_of_run.then(|| self.hash_object(vm, object, &mut hasher))??;
        Some(hasher.finish())
    }

    fn hash_object(&mut self, vm: &Vm, object: Ref, hasher: &mut FxHasher) -> Option<()> {
        let class = vm.heap.class_of(object);
        if vm.class_name(class) == "java/lang/String" {
            vm.string_units(object).hash(hasher);
        } else if let Some((_, slot)) = vm.unboxed(object) {
            (class, slot).hash(hasher);
        } else if self.canonicalizer.is_above_base(vm, object) {
            let form = self.canonicalizer.form(vm, object).ok()?;
            form.compared.hash(hasher);
        } else {
            object.hash(hasher);
        }
        Some(())
    }
}
