//! The static data flow of invokables: the fields and array elements that each of them may define and
//! use, through all that it may call (§4.3.1).
//!
//! Invariant: what an invokable has is a function of the class path and the system under test, not of
//! what was loaded before: a virtual call reaches what the classes of the system and those made in
//! code that was followed have for it.
//!
//! Of the library what is followed is the code of classes whose objects are part of the state of the
//! system's, such as the lists in its fields; what else the library keeps is no business of a test.

mod closure;
mod held;
mod program;

use heapwright_jvm::class::flags;
use heapwright_jvm::{ClassId, Vm};

use super::effects::{Effects, FieldKey};
use crate::sequences::model::Invokable;
use closure::Closure;
use program::Program;

/// The effects of all invokables, by their numbers.
#[derive(Clone, Debug)]
pub struct Flows {
    effects: Vec<Effects>,
}

impl Flows {
    /// Works out what each invokable may do; `classes` are those of the system under test. Where it `stops`
    /// something is missing.
    pub fn new(
        vm: &mut Vm,
        invokables: &[Invokable],
        classes: &[ClassId],
        stops: &dyn Fn() -> bool,
    ) -> Flows {
        let mut program = Program::new(vm, invokables, classes);
        loop {
            // What a call reaches depends on what is made and held anywhere.
            let before = program.extent();
            program.follow(vm, invokables, stops);
            if before == program.extent() || stops() {
                break;
            }
        }
        program.find_held_changes(vm);
        let closure = Closure::of(vm, &program);
        let effects = invokables
            .iter()
            .map(|invokable| program.effects(vm, &closure, invokable));
        Flows {
            effects: effects.collect(),
        }
    }

    /// What the invokable with a number may do.
    ///
    /// # Panics
    /// There is no such invokable.
    #[must_use]
    pub fn effects(&self, invokable: usize) -> &Effects {
        &self.effects[invokable]
    }
}

/// Whether a field is the compiler's: whether assertions are on, tables of switches, the object around
/// one, which is an argument of its constructor.
fn is_synthetic(vm: &Vm, key: FieldKey) -> bool {
    let mut fields = vm.class(key.class).fields.iter();
    fields.any(|field| field.name == key.name && field.flags & flags::SYNTHETIC != 0)
}
