//! What existing tests cover and notice, by names that hold on every machine.
//!
//! [`crate::measure`] finds it out, [`crate::sequences`] looks for tests that add something to it.

use std::collections::{BTreeMap, BTreeSet};

use heapwright_jvm::{MethodId, Vm};

use crate::coverage::ExecutedPlaces;

/// What existing tests cover and notice.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ExistingCoverage(BTreeMap<MethodName, ExistingMethodCoverage>);

/// Binary name of the class, with slashes, name and descriptor of a method.
type MethodName = (String, String, String);

/// What existing tests cover and notice of a method.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ExistingMethodCoverage {
    /// Whether a test enters it.
    pub is_entered: bool,
    /// Edges of jumps and switches that tests take, each by the bytecode indices of its ends.
    pub branches: BTreeSet<(u16, u16)>,
    /// What tests execute of its code, for coverage.
    pub(crate) executed: ExecutedPlaces,
    /// Numbers of the mutants that tests notice, in the order in which
    /// [`crate::mutation::mutants_of`] has those by all operators.
    pub noticed: BTreeSet<usize>,
    /// Number of its mutants by all operators; 0 if none were asked for.
    pub mutants: usize,
}

impl ExistingCoverage {
    /// Adds what tests cover and notice of a method.
    pub(crate) fn add(&mut self, vm: &Vm, method: MethodId, coverage: ExistingMethodCoverage) {
        self.0.insert(name_of(vm, method), coverage);
    }

    /// What tests cover and notice of a method; `None` for methods that were not measured.
    #[must_use]
    pub fn of(&self, vm: &Vm, method: MethodId) -> Option<&ExistingMethodCoverage> {
        self.0.get(&name_of(vm, method))
    }
}

fn name_of(vm: &Vm, method: MethodId) -> MethodName {
    let declared = vm.method(method);
    (
        vm.class_name(declared.class).to_owned(),
        vm.text(declared.name).to_owned(),
        vm.text(declared.descriptor).to_owned(),
    )
}
