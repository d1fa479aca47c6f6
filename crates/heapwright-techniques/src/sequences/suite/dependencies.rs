//! Classes of the program besides those under test, initialised ahead of the runs that need them,
//! instead of in each of these runs anew.
//!
//! An initialiser that runs ahead does not see what a test did before, and the test does not see it
//! run. A JVM tries the tests in the end.

use std::collections::BTreeSet;

use heapwright_jvm::{ClassId, Vm};
use rustc_hash::FxHashSet;

use crate::packages::home;
use crate::sequences::goals::GoalTable;

/// The classes that runs were seen to initialise.
#[derive(Debug, Default)]
pub(super) struct Dependencies {
    /// Names of the outermost classes with code under test: their initialisers stay in the runs.
    own: BTreeSet<String>,
    known: FxHashSet<ClassId>,
    /// Those found since the last initialisation.
    new: Vec<ClassId>,
}

impl Dependencies {
    /// No class yet, for the code that has these goals.
    pub(super) fn new(vm: &Vm, goals: &GoalTable) -> Dependencies {
        let own = goals.methods.iter();
        Dependencies {
            own: own
                .map(|&method| home(vm, vm.method(method).class).to_owned())
                .collect(),
            ..Dependencies::default()
        }
    }

    /// Notes the classes that are initialised at the end of a run.
    pub(super) fn note(&mut self, vm: &Vm) {
        for class in vm.initialized_classes() {
            if vm.is_app_class(class)
                && !self.own.contains(home(vm, class))
                && self.known.insert(class)
            {
                self.new.push(class);
            }
        }
    }

    /// Initialises the classes found since the last time, for good.
    pub(super) fn initialize(&mut self, vm: &mut Vm) {
        for class in self.new.drain(..) {
            // An initialiser's failure recurs when a run uses the class.
            let _ = vm.initialize_now(class);
        }
    }
}
