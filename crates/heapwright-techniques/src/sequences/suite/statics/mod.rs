//! Static state: what class initialisation has left in static fields and the objects behind them, what
//! tests change of it, and statements that put it back.
//!
//! A statement that puts something back is one like any other: a field is stored, an element is, a
//! collection is cleared. What no such statement can put back says why.

mod restore;
mod state;

use std::collections::{BTreeMap, BTreeSet};

use heapwright_jvm::{ClassId, Vm};
use rustc_hash::FxHashSet;

use super::minimal::Test;
use super::replay::Replayer;
use crate::Error;
use crate::sequences::model::Concrete;
use crate::sequences::plan::Plan;
use restore::reset;
use state::Reader;

/// What tests change of static state, put back as one.
#[derive(Clone, Debug)]
pub(super) struct Change {
    /// The class with the static field that leads to it.
    pub class: ClassId,
    /// What it is: `a.B.count`.
    pub name: String,
    /// The statements that put it back; or why there are none.
    pub reset: Result<Concrete, String>,
    /// The tests that change it, ascending.
    pub by: BTreeSet<usize>,
}

/// What some tests change, roots first. Classes that they initialize are so from now on; the plan has
/// what statements that put something back are made of.
///
/// # Errors
/// A class is not there any more, or no memory is left.
pub(in crate::sequences) fn changes(
    vm: &mut Vm,
    plan: &mut Plan,
    replayer: &mut Replayer<'_>,
    tests: &[Test],
) -> Result<Vec<Change>, Error> {
    let mut known: FxHashSet<ClassId> = vm.initialized_classes().into_iter().collect();
    for test in tests {
        let seen = replayer.run(vm, &test.concrete, &mut |vm, _| vm.initialized_classes())?;
        for class in seen.into_iter().flatten() {
            if !known.insert(class) {
                continue;
            }
            // One that fails would not do so a second time.
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
