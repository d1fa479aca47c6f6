//! Static data flow of invokables: the fields and array elements that each may write and read,
//! including all callees (§4.3.1).
//!
//! Invariant: effects depend on the class path and the system under test, not on the classes loaded
//! before. A virtual call resolves to methods of the system's classes and of classes instantiated
//! in analysed code.
//!
//! Library code is analysed only for classes whose objects are part of the system's state, such as
//! the lists in its fields. Other library code may call what program classes override of the
//! library, on the objects that it is given.

mod closure;
mod program;
mod static_modifications;

use heapwright_jvm::class::flags;
use heapwright_jvm::{ClassId, Vm};

use super::effects::{Effects, FieldKey};
use crate::statements::Invokable;
use closure::Closure;
use program::CallableCode;

/// The effects of all invokables, by number.
#[derive(Clone, Debug)]
pub struct Flows {
    effects: Vec<Effects>,
    is_whole: bool,
}

/// Data-flow analysis of a system that grows: what is known of a smaller one stays.
#[derive(Default)]
pub struct FlowAnalysis(CallableCode);

impl FlowAnalysis {
    /// Computes the effects of each invokable; `classes` are those of the system under test. Both
    /// contain those of earlier calls. The effects are incomplete if `stops` returns true.
    pub fn flows(
        &mut self,
        vm: &mut Vm,
        invokables: &[Invokable],
        classes: &[ClassId],
        stops: &dyn Fn() -> bool,
    ) -> Flows {
        let FlowAnalysis(program) = self;
        program.extend(vm, invokables, classes);
        loop {
            // The targets of a call depend on instantiated classes and on the state's types, hence
            // a fixed point.
            let before = program.extent();
            program.follow(vm, invokables, stops);
            if before == program.extent() || stops() {
                break;
            }
        }
        let is_whole = program.has_all_effects() && !stops();
        program.find_held_changes(vm);
        let closure = Closure::of(vm, program);
        let effects = invokables
            .iter()
            .map(|invokable| program.effects(vm, &closure, invokable));
        Flows {
            effects: effects.collect(),
            is_whole,
        }
    }
}

impl Flows {
    /// Whether the invokables have no other effects: no library code that was not analysed may call
    /// methods of the program or change its objects. Reflection and handles are left out.
    #[must_use]
    pub fn are_whole(&self) -> bool {
        self.is_whole
    }

    /// Returns the effects of an invokable.
    ///
    /// # Panics
    /// There is no such invokable.
    #[must_use]
    pub fn effects(&self, invokable: usize) -> &Effects {
        &self.effects[invokable]
    }

    /// Returns the effects of all invokables, in their order.
    #[must_use]
    pub fn all_effects(&self) -> &[Effects] {
        &self.effects
    }
}

/// Whether a field is synthetic: the assertion status, a switch table, or the outer object, which
/// is a constructor argument.
fn is_synthetic(vm: &Vm, key: FieldKey) -> bool {
    let mut fields = vm.class(key.class).fields.iter();
    fields.any(|field| field.name == key.name && field.flags & flags::SYNTHETIC != 0)
}
