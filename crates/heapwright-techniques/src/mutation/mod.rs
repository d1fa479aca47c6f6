//! Mutants of bytecode: small changes of methods that tests should notice.
//!
//! [`operators`] names the changes, as PIT does, and finds where they apply, with those of
//! [`logic`]; [`filters`] leaves out what the compiler made and what changes nothing, and
//! [`equivalence`] proves of some that no test can notice them. A mutant is a [`Change`] of one
//! instruction, which the engine makes and takes back in place ([`heapwright_jvm::patches`]).

mod equivalence;
mod filters;
mod initializers;
mod logic;
mod operators;
mod variables;

use std::collections::BTreeMap;

use heapwright_jvm::listing::Listing;
use heapwright_jvm::patches::{Change, Patch};
use heapwright_jvm::{MethodId, Vm};

use crate::Error;
use equivalence::Equivalence;
use filters::Filter;
pub use filters::{is_all_marked, is_generated, is_marked, is_of_kotlin, labels, made_by_tools};
pub use operators::{MutationOperator, OperatorGroup};

/// A mutant.
#[derive(Clone, Debug)]
pub struct Mutant {
    /// The method.
    pub method: MethodId,
    /// The bytecode index of the changed instruction.
    pub at: u16,
    /// Its source line, if the class file has it.
    pub line: Option<u16>,
    /// The operator.
    pub operator: MutationOperator,
    /// Description of the change, in PIT's words.
    pub description: String,
    /// The change.
    pub change: Change,
    /// Whether the code alone proves that no test can notice it.
    pub is_equivalent: bool,
}

/// Returns the mutants of a method by the operators of a group, in the order of its code.
///
/// # Errors
/// The method's code cannot be read.
pub fn mutants(vm: &mut Vm, method: MethodId, group: OperatorGroup) -> Result<Vec<Mutant>, Error> {
    let listing = match vm.listing(method) {
        Ok(listing) => listing,
        // Abstract, native and generated methods have no code.
        Err(_) if vm.method(method).index.is_none() => return Ok(Vec::new()),
        Err(_) if vm.method(method).is_abstract() || vm.method(method).is_native() => {
            return Ok(Vec::new());
        }
        Err(reason) => {
            return Err(Error::BadClass {
                class: vm.binary_name(vm.method(method).class),
                reason: format!("{}: {reason}", vm.method_text(method)),
            });
        }
    };
    Ok(mutants_of(vm, method, &listing, group))
}

/// Does the same as [`mutants`] for a method whose code has been read.
pub fn mutants_of(
    vm: &mut Vm,
    method: MethodId,
    listing: &Listing,
    group: OperatorGroup,
) -> Vec<Mutant> {
    let Some(filter) = Filter::new(vm, method, listing) else {
        return Vec::new();
    };
    let mut logic = match group {
        OperatorGroup::Logic => logic::changes(vm, method, listing),
        _ => BTreeMap::new(),
    };
    let equivalence = Equivalence::of(listing);
    let mut found = Vec::new();
    for (place, listed) in listing.instructions.iter().enumerate() {
        let changes = operators::changes(vm, method, listing, place);
        let of_logic = logic.remove(&place).unwrap_or_default();
        for (operator, description, change) in changes.into_iter().chain(of_logic) {
            if group.contains(operator) && !filter.leaves_out(place, operator, change) {
                found.push(Mutant {
                    method,
                    at: listed.at,
                    line: listed.line,
                    operator,
                    description,
                    change,
                    is_equivalent: equivalence.proves(place, change),
                });
            }
        }
    }
    found
}

impl Mutant {
    /// Prepares the change of the code. `None` if the instruction is unreachable.
    ///
    /// # Errors
    /// The method's code is invalid, or no memory is left.
    pub fn patch(&self, vm: &mut Vm) -> Result<Option<Patch>, Error> {
        let patch = vm.prepare_patch(self.method, self.at, self.change);
        patch.map_err(|fault| Error::BadClass {
            class: vm.binary_name(vm.method(self.method).class),
            reason: format!("{fault:?}"),
        })
    }
}
