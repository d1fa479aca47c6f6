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

use std::collections::BTreeSet;

use heapwright_jvm::class::flags;
use heapwright_jvm::name::Sym;
use heapwright_jvm::{ClassId, MethodId, Vm};

use crate::sequences::model::Invokable;
use closure::Closure;
use program::Program;

/// A field, by the class that declares it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FieldKey {
    /// The class.
    pub class: ClassId,
    /// The field's name.
    pub name: Sym,
}

/// What an invokable may do. The order of the sets is that of loading: whoever shows them sorts them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Effects {
    /// Instance fields written; of an object that is made all of them.
    pub defines: BTreeSet<FieldKey>,
    /// Instance fields read.
    pub uses: BTreeSet<FieldKey>,
    /// Static fields written.
    pub static_defines: BTreeSet<FieldKey>,
    /// Static fields read.
    pub static_uses: BTreeSet<FieldKey>,
    /// Classes of arrays with elements written.
    pub stores: BTreeSet<ClassId>,
    /// Classes of arrays with elements read.
    pub loads: BTreeSet<ClassId>,
    /// Classes that the code of the system casts to or asks for.
    pub casts: BTreeSet<ClassId>,
    /// Methods that the code of the system calls, as declared; those that can be overridden.
    pub called: BTreeSet<MethodId>,
    /// Strings that the code of the system compares with.
    pub texts: BTreeSet<String>,
}

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
