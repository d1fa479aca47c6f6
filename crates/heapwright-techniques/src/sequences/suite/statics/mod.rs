//! Static state: values that class initialisation leaves in static fields and objects reachable
//! from them, changes by tests, and statements that restore them.
//!
//! Restoring uses ordinary statements: they store fields and elements, or clear collections. A
//! value that no such statement can restore has a reason instead.

mod restore;
mod state;

use std::collections::{BTreeMap, BTreeSet};

use heapwright_jvm::{ClassId, Vm};
use rustc_hash::FxHashSet;

use super::minimal::SequenceTest;
use super::replay::Replayer;
use crate::Error;
use crate::sequences::model::Concrete;
use crate::sequences::plan::SearchPlan;
use restore::reset;
use state::Reader;

/// A change of static state by tests, restored as a unit.
#[derive(Clone, Debug)]
pub(super) struct Change {
    /// The class with the static field from which it is reachable.
    pub class: ClassId,
    /// The display name, such as `a.B.count`.
    pub name: String,
    /// The statements that restore it, or the reason why there are none.
    pub reset: Result<Concrete, String>,
    /// The tests that change it, ascending.
    pub by: BTreeSet<usize>,
}

/// Returns the changes that some tests make, roots first. Classes that tests initialise stay
/// initialised. Invokables needed to restore state are added to the plan.
///
/// # Errors
/// A class is missing, or no memory is left.
pub(in crate::sequences) fn changes(
    vm: &mut Vm,
    plan: &mut SearchPlan,
    replayer: &mut Replayer<'_>,
    tests: &[SequenceTest],
) -> Result<Vec<Change>, Error> {
    let mut known: FxHashSet<ClassId> = vm.initialized_classes().into_iter().collect();
    for test in tests {
        let seen = replayer.run(vm, &test.concrete, &mut |vm, _| vm.initialized_classes())?;
        for class in seen.into_iter().flatten() {
            if !known.insert(class) {
                continue;
            }
            // A failing initialiser fails only on its first run, hence the trial.
            if vm.with_mark(|vm| vm.initialize_now(class).is_ok()) {
                let _ = vm.initialize_now(class);
            }
        }
    }
    let state = Reader::read(vm);
    if state.cells.is_empty() {
        return Ok(Vec::new());
    }
    let mut found: BTreeMap<usize, (BTreeSet<u32>, BTreeSet<usize>)> = BTreeMap::new();
    for (number, test) in tests.iter().enumerate() {
        let seen = replayer.run(vm, &test.concrete, &mut |vm, _| {
            let cells = state.cells.iter();
            let changed = cells.filter(|cell| cell.spot.slot(vm) != cell.slot);
            let changed = changed.map(|cell| (cell.holder, cell.spot.index()));
            changed.collect::<Vec<_>>()
        })?;
        for (holder, index) in seen.into_iter().flatten() {
            let change = found.entry(holder).or_default();
            change.0.insert(index);
            change.1.insert(number);
        }
    }
    let mut changes = Vec::new();
    for (holder, (indices, by)) in found {
        let holder = &state.holders[holder];
        let Some(first) = holder.path.first() else {
            continue;
        };
        changes.push(Change {
            class: first.class,
            name: holder.name(vm),
            reset: reset(vm, plan, holder, &indices),
            by,
        });
    }
    Ok(changes)
}
