//! Static state: values that class initialisation leaves in static fields and objects reachable
//! from them, changes by tests, and statements that restore them.
//!
//! Restoring uses ordinary statements: they store fields and elements, or clear collections. A
//! value that no such statement can restore has a reason instead. `settings` does the same for
//! settings of the virtual machine, which test classes put back behind each test.

mod restore;
mod settings;
mod state;

use std::collections::{BTreeMap, BTreeSet};

use heapwright_jvm::descriptor::Kind;
use heapwright_jvm::{ClassId, Ref, Vm};
use rustc_hash::FxHashSet;

use super::minimal::SequenceTest;
use super::replay::Replayer;
use crate::Error;
use crate::sequences::model::Concrete;
use crate::sequences::plan::SearchPlan;
use restore::reset;
pub(super) use settings::SettingsBefore;
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
}

/// The changes that tests make.
#[derive(Clone, Debug, Default)]
pub(super) struct Changes {
    /// The changes, roots first.
    pub found: Vec<Change>,
    /// The numbers of tests, ascending: for each state that some test leaves, one that leaves it.
    pub representatives: Vec<usize>,
}

/// Returns the changes that some tests make. Classes that tests initialise stay initialised.
/// Invokables needed to restore state are added to the plan.
///
/// # Errors
/// A class is missing, or no memory is left.
pub(in crate::sequences) fn changes(
    vm: &mut Vm,
    plan: &mut SearchPlan,
    replayer: &mut Replayer<'_>,
    tests: &[SequenceTest],
) -> Result<Changes, Error> {
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
        return Ok(Changes::default());
    }
    let mut found: BTreeMap<usize, BTreeSet<u32>> = BTreeMap::new();
    let mut representatives = Vec::new();
    let mut states_left = FxHashSet::default();
    for (number, test) in tests.iter().enumerate() {
        let seen = replayer.run(vm, &test.concrete, &mut |vm, _| {
            let slots = state.cells.iter().map(|cell| cell.spot.slot(vm));
            let slots = slots.enumerate();
            let changed = slots.filter(|&(place, slot)| slot != state.cells[place].slot);
            changed.collect::<Vec<_>>()
        })?;
        let left = seen.unwrap_or_default();
        if left.is_empty() {
            continue;
        }
        for &(place, _) in &left {
            let cell = &state.cells[place];
            let indices = found.entry(cell.holder).or_default();
            indices.insert(cell.spot.index());
        }
        // References to new objects do not tell what is in the objects.
        let is_told = |&(place, slot): &(usize, u64)| {
            state.cells[place].kind != Kind::Reference || Ref::from_slot(slot).is_null()
        };
        if !left.iter().all(is_told) || states_left.insert(left) {
            representatives.push(number);
        }
    }
    let mut changes = Vec::new();
    for (holder, indices) in found {
        let holder = &state.holders[holder];
        let Some(first) = holder.path.first() else {
            continue;
        };
        changes.push(Change {
            class: first.class,
            name: holder.name(vm),
            reset: reset(vm, plan, holder, &indices),
        });
    }
    Ok(Changes {
        found: changes,
        representatives,
    })
}
