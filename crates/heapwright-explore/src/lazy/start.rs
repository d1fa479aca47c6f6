//! Preparation of the search: the representation of each entry, and a first run.

use std::ops::ControlFlow;

use heapwright_jvm::descriptor::Kind;
use heapwright_jvm::machine::symbolic_slot;
use heapwright_jvm::{ClassId, Place, Ref, Vm};
use heapwright_solve::Domain;
use rustc_hash::FxHashSet;

use super::LazySearch;
use super::machine::{EntryMeaning, integer};
use crate::depth_first::{Tree, TreeCallback};
use crate::progress::{End, Leaf, SearchError};
use crate::space::{Choice, StateSpace};

/// Most leaves tried before the search to find a structure for the criterion.
const WARM_UP: u64 = 1_000;

impl LazySearch<'_> {
    /// Makes every entry open.
    pub(super) fn open_all(&self, vm: &mut Vm) {
        for (number, entry) in (0_u32..).zip(&self.space.entries) {
            let choices = &self.space.domains[entry.domain as usize].choices;
            let first = entry.fixed.map_or(choices[0].slot, Ref::slot);
            if entry.fixed.is_some() || !matches!(entry.place, Place::Field(_)) {
                vm.choose(entry.object, entry.place, first);
            }
            if entry.fixed.is_some() {
                vm.skip_variable();
            } else if self.meanings[number as usize] == EntryMeaning::Chosen {
                vm.add_variable(entry.object, entry.place);
            } else {
                vm.set_symbolic_place(entry.object, entry.place, symbolic_slot(number));
            }
        }
    }

    /// Runs the predicate once, taking the first alternatives; with a criterion, up to the first
    /// structure.
    pub(super) fn go_on_first_paths(
        &mut self,
        vm: &mut Vm,
        ask: &mut TreeCallback<'_, Self>,
        initialized: &mut Vec<ClassId>,
    ) -> Result<ControlFlow<()>, SearchError> {
        let Some(classes) = &mut self.classes else {
            let leaf = self.run_to_leaf(vm, ask)?;
            *initialized = vm.begun_library_classes();
            return Ok(leaf.map_continue(|_| ()));
        };
        classes.initialized = Some(Vec::new());
        let end = self.walk(vm, ask, &mut |vm, leaf, search| {
            if *leaf != Leaf::Valid && search.trail.progress.explored < WARM_UP {
                return ControlFlow::Continue(());
            }
            *initialized = vm.begun_library_classes();
            ControlFlow::Break(())
        });
        if let Some(classes) = &mut self.classes {
            initialized.extend(classes.initialized.take().into_iter().flatten());
        }
        Ok(match end? {
            End::Interrupted => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        })
    }
}

/// Returns the representation of an entry in the store.
pub(super) fn meaning(space: &StateSpace, entry: usize) -> EntryMeaning {
    let entry = &space.entries[entry];
    let domain = &space.domains[entry.domain as usize];
    if entry.fixed.is_some() || entry.place == Place::Length || entry.is_shared {
        return EntryMeaning::Chosen;
    }
    let wide = match domain.kind {
        // If objects are distinguishable but tried in the order of first use, that order is the
        // order in which entries are read.
        Kind::Reference => {
            let is_free = |choice: &Choice| {
                choice.object.is_none_or(|(domain, _)| {
                    let domain = &space.class_domains[domain.0 as usize];
                    domain.is_uniform || !domain.in_isomorphism_check
                })
            };
            return if domain.choices.iter().all(is_free) {
                EntryMeaning::Reference
            } else {
                EntryMeaning::Chosen
            };
        }
        Kind::Float | Kind::Double | Kind::Void => return EntryMeaning::Chosen,
        Kind::Long => true,
        _ => false,
    };
    let values = || {
        domain
            .choices
            .iter()
            .map(|choice| integer(choice.slot, wide))
    };
    let distinct: FxHashSet<i64> = values().collect();
    // Two choices with one value are two candidates, which a set of values cannot represent.
    if distinct.len() < domain.choices.len() || Domain::new(values()).is_none() {
        EntryMeaning::Chosen
    } else if wide {
        EntryMeaning::Long
    } else {
        EntryMeaning::Int
    }
}
