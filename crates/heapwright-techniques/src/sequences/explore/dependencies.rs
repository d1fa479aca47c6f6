//! Classes of the program besides those under test, initialised ahead of the runs that need them,
//! instead of in each of these runs anew.
//!
//! An initialiser that runs ahead does not see what a sequence did before, and a sequence does not
//! see it run. Therefore only searches that claim nothing do so: their sequences become tests that a
//! JVM tries.

use std::collections::BTreeSet;

use heapwright_jvm::{ClassId, Vm};

use crate::packages::home;
use crate::sequences::goals::GoalTable;

/// The classes that runs were seen to initialise.
#[derive(Debug, Default)]
pub struct Dependencies {
    /// Names of the outermost classes with code under test: their initialisers stay in the runs.
    own: BTreeSet<String>,
    /// The classes, in the order of their numbers.
    found: BTreeSet<u32>,
    /// Those found since the last initialisation.
    new: Vec<ClassId>,
}

impl Dependencies {
    /// No class yet, for the code that has these goals.
    pub fn new(vm: &Vm, goals: &GoalTable) -> Dependencies {
        let own = goals.methods.iter();
        Dependencies {
            own: own
                .map(|&method| home(vm, vm.method(method).class).to_owned())
                .collect(),
            ..Dependencies::default()
        }
    }

    /// Notes the classes that are initialised at the end of a run.
    pub fn note(&mut self, vm: &Vm) {
        for class in vm.initialized_classes() {
            if vm.is_app_class(class)
                && !self.found.contains(&class.0)
                && !self.own.contains(home(vm, class))
            {
                self.found.insert(class.0);
                self.new.push(class);
            }
        }
    }

    /// Initialises the classes found since the last time.
    pub fn initialize_new(&mut self, vm: &mut Vm) {
        for class in self.new.drain(..) {
            // An initialiser's failure recurs when a run uses the class.
            let _ = vm.initialize_now(class);
        }
    }

    /// Initialises all classes found, in a state in which none may be.
    pub fn initialize_all(&mut self, vm: &mut Vm) {
        self.new = self.found.iter().map(|&class| ClassId(class)).collect();
        self.initialize_new(vm);
    }
}
