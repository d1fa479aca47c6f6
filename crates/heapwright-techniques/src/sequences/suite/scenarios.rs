//! Scenarios: in which states, how often and with which result the code of the call under test runs.
//! Branches and mutants are often covered in the smallest state; faults show in larger ones.
//!
//! A scenario is one of
//! - a place that one call passes twice (loops; cf. boundary-interior testing, Howden 1975);
//! - a place that is passed where the receiver held several objects of a class, or an array with
//!   several elements;
//! - a kind of result of a method: null, zero, positive, empty, one element, several (cf. output
//!   coverage, Rojas et al., "Combining Multiple Coverage Criteria in Search-Based Unit Test
//!   Generation", SSBSE 2015).
//!
//! **Invariant:** scenarios depend on the run alone. A number is a digest of one.

use std::collections::BTreeSet;
use std::hash::{Hash, Hasher};

use heapwright_explore::symbolic::PathOutcome;
use heapwright_jvm::class::Shape;
use heapwright_jvm::descriptor::Kind;
use heapwright_jvm::{MethodId, Ref, Vm};
use rustc_hash::{FxHashMap, FxHasher};

use super::digests::Digests;
use super::replay::{ReplayedRun, Replayer};
use super::richness::elements;
use super::writer::ScriptWriter;
use crate::Error;
use crate::sequences::model::Concrete;

/// Returns a number that stands for something.
pub(super) fn digest(scenario: impl Hash) -> u64 {
    let mut hasher = FxHasher::default();
    scenario.hash(&mut hasher);
    hasher.finish()
}

impl ScriptWriter<'_> {
    /// Returns the scenarios of the last call of a sequence.
    ///
    /// # Errors
    /// A class is missing, or no memory is left.
    pub(super) fn scenarios(
        &mut self,
        vm: &mut Vm,
        replayer: &mut Replayer<'_>,
        concrete: &Concrete,
    ) -> Result<BTreeSet<u64>, Error> {
        let last = concrete.statements.last();
        let Some(method) = last.and_then(|last| self.plan.roles[last.invokable].under_test) else {
            return Ok(BTreeSet::new());
        };
        self.digests.begin(vm);
        let has_many = self.has_many_before(vm, replayer, concrete)?;
        let found = replayer.run(vm, concrete, &mut |vm, ran| {
            let mut times: FxHashMap<u32, u32> = FxHashMap::default();
            for visit in &vm.visits()[ran.search.visits_before()..] {
                *times.entry(visit.point).or_default() += 1;
            }
            let mut found = BTreeSet::new();
            for (&point, &times) in &times {
                found.extend((times > 1).then(|| digest((1_u8, point))));
                found.extend(has_many.then(|| digest((2_u8, point))));
            }
            let result = self.kind_of_result(vm, ran, method);
            found.insert(digest((3_u8, method, result)));
            found
        })?;
        Ok(found.unwrap_or_default())
    }

    /// Whether the receiver of the last call held several of something before it.
    fn has_many_before(
        &mut self,
        vm: &mut Vm,
        replayer: &mut Replayer<'_>,
        concrete: &Concrete,
    ) -> Result<bool, Error> {
        let mut shorter = concrete.clone();
        let Some(last) = shorter.statements.pop() else {
            return Ok(false);
        };
        let count = shorter.statements.len();
        let receiver = self.receiver(&last, count);
        let Some(receiver) = receiver.filter(|&receiver| receiver < count) else {
            return Ok(false);
        };
        let left = shorter.input.roots.len().saturating_sub(last.open());
        shorter.input.roots.truncate(left);
        let seen = replayer.run(vm, &shorter, &mut |vm, ran| {
            let object = ran.search.object(receiver);
            object.is_some_and(|object| has_many(vm, &mut self.digests, object))
        })?;
        Ok(seen.unwrap_or(false))
    }

    /// Returns the kind of the result of a call.
    fn kind_of_result(
        &mut self,
        vm: &mut Vm,
        ran: &ReplayedRun<'_, '_>,
        method: MethodId,
    ) -> (u32, u64) {
        match (ran.outcome, vm.method(method).result) {
            (PathOutcome::Threw(exception), _) => (0, u64::from(vm.heap.class_of(*exception).0)),
            (_, Kind::Void) => (1, 0),
            (PathOutcome::Returned(slot), Kind::Reference) => {
                let object = Ref::from_slot(*slot);
                kind_of_object(vm, &mut self.digests, object)
            }
            (PathOutcome::Returned(slot), kind) => (2, sign(kind, *slot)),
            _ => (3, 0),
        }
    }
}

/// Returns 0 for zero or false, 1 for a positive number or true, and 2 for others.
fn sign(kind: Kind, slot: u64) -> u64 {
    let is_positive = match kind {
        Kind::Float => f32::from_bits(slot as u32) > 0.0,
        Kind::Double => f64::from_bits(slot) > 0.0,
        Kind::Long => slot as i64 > 0,
        _ => slot as u32 as i32 > 0,
    };
    match (slot, is_positive) {
        (0, _) => 0,
        (_, true) => 1,
        (_, false) => 2,
    }
}

fn kind_of_object(vm: &mut Vm, digests: &mut Digests, object: Ref) -> (u32, u64) {
    if object.is_null() {
        return (4, 0);
    }
    if let Some((kind, slot)) = vm.unboxed(object) {
        return (5, sign(kind, slot));
    }
    let class = vm.heap.class_of(object);
    let size = match vm.class(class).shape {
        Shape::Array(_) => vm.heap.array_length(object).min(2),
        _ if vm.class_name(class) == "java/lang/String" => {
            vm.string_units(object).len().min(1) as u32
        }
        _ => u32::from(has_many(vm, digests, object)),
    };
    (6 + size, u64::from(class.0))
}

/// Whether several objects of one class are reachable from an object, or several elements of an
/// array are neither zero nor null.
fn has_many(vm: &Vm, digests: &mut Digests, object: Ref) -> bool {
    let mut classes = BTreeSet::new();
    for &object in digests.reachable(vm, object) {
        let class = vm.heap.class_of(object);
        let is_many = match vm.class(class).shape {
            Shape::Array(_) => {
                let held = elements(vm, object, class).filter(|&slot| slot != 0);
                held.take(2).count() == 2
            }
            _ => !classes.insert(class),
        };
        if is_many {
            return true;
        }
    }
    false
}
