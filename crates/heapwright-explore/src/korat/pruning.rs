//! Pruning by a criterion: the extra pop of `koratPlus()` (section 3 of the Korat+ paper).
//!
//! A structure falls into the same class as any other that agrees with it on all that the criterion
//! read. The next relevant candidate therefore differs in one of those choices, and all choices
//! after the newest of them are dropped. The order of the choices is unchanged, so no class is
//! missed.

use std::ops::ControlFlow;

use heapwright_jvm::{ClassId, Limit, Place, Ref, Vm};

use super::KoratSearch;
use crate::criterion::{Coverage, Criterion, InClass, NoClass};
use crate::depth_first::TreeCallback;
use crate::search::Search;

/// Criterion of a search and its results.
pub(super) struct PruningClasses {
    criterion: Criterion,
    /// Whether candidates with a known class are left out.
    prunes: bool,
    pub(super) coverage: Coverage,
    /// Class of the current candidate, if it is a structure and the criterion gave a result.
    pub(super) current: Option<InClass>,
    /// Number of choices on the stack, up to the newest one that the current candidate's class
    /// depends on; all of them if that is unknown.
    pub(super) kept: usize,
    /// Value of each entry on the stack.
    held: Vec<u64>,
    /// JDK classes that are initialised once the criterion has run; present only before the search.
    pub(super) initialized: Option<Vec<ClassId>>,
}

/// Reads of the criterion on a structure.
#[derive(Default)]
struct Reads {
    /// One more than the stack index of the newest choice that was read.
    newest: usize,
    /// Whether an entry outside the structure was read.
    outside: bool,
}

impl PruningClasses {
    pub(super) fn new(criterion: Criterion, prunes: bool) -> PruningClasses {
        PruningClasses {
            criterion,
            prunes,
            coverage: Coverage::default(),
            current: None,
            kept: usize::MAX,
            held: Vec::new(),
            initialized: None,
        }
    }

    /// Resets the knowledge about the candidate, as the next one begins.
    pub(super) fn leave_candidate(&mut self) {
        self.current = None;
        self.kept = usize::MAX;
    }

    /// Withdraws the current candidate, which the visitor did not accept.
    pub(super) fn forget_candidate(&mut self) {
        if self.current.is_some_and(|class| class.is_first) {
            self.coverage.classes.pop();
        }
    }

    /// Runs the criterion on the structure at which the machine stands, and goes back. Returns the
    /// limit that it reached, if any; stops where `ask` breaks off.
    pub(super) fn classify<'a>(
        &mut self,
        search: &mut KoratSearch<'a>,
        vm: &mut Vm,
        ask: &mut TreeCallback<'_, KoratSearch<'a>>,
    ) -> ControlFlow<(), Option<Limit>> {
        let mut reads = Reads::default();
        let (answer, is_changed) = vm.with_mark(|vm| {
            self.unset(search, vm);
            let held = &self.held;
            let root = search.space.root;
            let answer = self.criterion.classify(vm, root, |vm| {
                search.run_in_slices(vm, ask, |search, vm, variable| {
                    answer_read(search, vm, held, variable, &mut reads);
                })
            })?;
            if let Some(classes) = &mut self.initialized {
                *classes = vm.begun_library_classes();
            }
            ControlFlow::Continue((answer, self.is_changed(search, vm)))
        })?;
        let mut candidate = search.leaf();
        candidate += 1;
        if let Err(NoClass::Limit(limit)) = answer {
            return ControlFlow::Continue(Some(limit));
        }
        if answer.is_ok() && self.prunes && reads.newest > 0 && !reads.outside {
            self.kept = reads.newest;
        }
        let has_read = reads.newest > 0 || reads.outside;
        self.current = self
            .coverage
            .enter(&candidate, answer, has_read, is_changed);
        ControlFlow::Continue(None)
    }

    /// Makes every choice on the stack unset again, so that reads of it are observed.
    fn unset(&mut self, search: &KoratSearch<'_>, vm: &mut Vm) {
        self.held.clear();
        for node in &search.trail.forks {
            let entry = &search.space.entries[node.entry as usize];
            self.held.push(slot_at(vm, entry.object, entry.place));
            vm.add_variable(entry.object, entry.place);
        }
    }

    /// Whether an entry of the structure has another value than before the criterion ran.
    fn is_changed(&self, search: &KoratSearch<'_>, vm: &Vm) -> bool {
        search
            .trail
            .forks
            .iter()
            .zip(&self.held)
            .any(|(node, &held)| {
                let entry = &search.space.entries[node.entry as usize];
                !vm.is_unset_place(entry.object, entry.place)
                    && slot_at(vm, entry.object, entry.place) != held
            })
    }
}

/// Restores the value of an unset entry. An entry without a choice is no part of the structure and
/// gets its first value.
fn answer_read(
    search: &KoratSearch<'_>,
    vm: &mut Vm,
    held: &[u64],
    variable: u32,
    reads: &mut Reads,
) {
    // The entries have the first variables, the choices on the stack the following ones.
    let Some(place) = (variable as usize).checked_sub(search.space.entries.len()) else {
        search.set(vm, variable, 0);
        reads.outside = true;
        return;
    };
    let entry = &search.space.entries[search.trail.forks[place].entry as usize];
    vm.choose(entry.object, entry.place, held[place]);
    reads.newest = reads.newest.max(place + 1);
}

/// Returns the content of a place.
fn slot_at(vm: &Vm, object: Ref, place: Place) -> u64 {
    match place {
        Place::Field(word) => vm.heap.field(object, word),
        Place::Length => vm.heap.array_length(object).into(),
        Place::Element(index) => {
            let kind = vm.array_element_kind(vm.heap.class_of(object));
            let bytes = u64::from(kind.element_bytes());
            vm.array_slot(vm.heap.elements(object) + u64::from(index) * bytes, kind)
        }
    }
}
