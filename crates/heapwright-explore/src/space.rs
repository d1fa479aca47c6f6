//! The state space of a bounded exhaustive search: which slots are chosen, and from what.
//!
//! The vocabulary is Korat's (ISSTA 2002; restated in section 2.1 of the Korat+ paper): an *entry*
//! is a field of an object of the finitization, a *class domain* a row of interchangeable objects
//! of one class, a *domain* the values an entry ranges over, in order.

use heapwright_jvm::descriptor::Kind;
use heapwright_jvm::{Place, Ref, Vm};
use num_bigint::BigUint;

/// The number of a class domain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ClassDomainId(pub u32);

/// A row of objects of one class (or of its subclasses).
#[derive(Clone, Debug)]
pub struct ClassDomain {
    /// The objects, in the order in which they are first used.
    pub objects: Vec<Ref>,
    /// Whether the objects are interchangeable, so that only the next unused one need be tried.
    pub in_isomorphism_check: bool,
    /// Whether nothing but their numbers tells the objects apart: all are made alike, none is the
    /// root, and none belongs to another class domain.
    pub is_uniform: bool,
}

/// A value an entry can take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    /// What the slot then holds.
    pub slot: u64,
    /// Of an object: its class domain and its place there.
    pub object: Option<(ClassDomainId, u32)>,
}

/// The values an entry ranges over, in order; at least one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Domain {
    /// What sort of slots they are for.
    pub kind: Kind,
    /// The values.
    pub choices: Vec<Choice>,
}

impl Domain {
    /// A domain of primitive slots.
    #[must_use]
    pub fn of_slots(kind: Kind, slots: impl IntoIterator<Item = u64>) -> Domain {
        Domain {
            kind,
            choices: slots
                .into_iter()
                .map(|slot| Choice { slot, object: None })
                .collect(),
        }
    }
}

/// A place that is chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The object.
    pub object: Ref,
    /// The field, or the part of an array.
    pub place: Place,
    /// The number of its domain.
    pub domain: u32,
    /// The value it keeps through the whole search, if it is none of the choices: an array of its
    /// own.
    pub fixed: Option<Ref>,
    /// Whether something that is not chosen refers to the object, so that the program may come to
    /// it by a way that the entries do not show.
    pub is_shared: bool,
}

/// All that a search chooses from.
#[derive(Clone, Debug, Default)]
pub struct StateSpace {
    /// The root object: the invariant's receiver.
    pub root: Ref,
    /// Words of the arena that no search chooses: the other fields of the objects, and what they
    /// lead to.
    pub fixed_words: Vec<u32>,
    /// The class domains.
    pub class_domains: Vec<ClassDomain>,
    /// The domains.
    pub domains: Vec<Domain>,
    /// The entries; those of one object are met in this order.
    pub entries: Vec<Entry>,
}

impl StateSpace {
    /// How many candidates there are if every combination is one.
    #[must_use]
    pub fn candidates(&self) -> BigUint {
        let open = self.entries.iter().filter(|entry| entry.fixed.is_none());
        open.map(|entry| self.domains[entry.domain as usize].choices.len())
            .product()
    }

    /// The index at which an entry starts, and where it stays if it has a value of its own: the
    /// place of that among the choices of its kind.
    #[must_use]
    pub fn fixed_index(&self, entry: usize) -> u32 {
        let entry = &self.entries[entry];
        let choices = &self.domains[entry.domain as usize].choices;
        let is_own = |choice: &Choice| entry.fixed.is_some_and(|array| array.slot() == choice.slot);
        choices.iter().position(is_own).unwrap_or(0) as u32
    }

    /// Makes every entry's place unset; entry `n` is choice variable `n` from then on.
    pub fn unset_all(&self, vm: &mut Vm) {
        for (number, entry) in self.entries.iter().enumerate() {
            let first = match entry.fixed {
                Some(array) => array.slot(),
                None => self.domains[entry.domain as usize].choices[0].slot,
            };
            if entry.fixed.is_some() || !matches!(entry.place, Place::Field(_)) {
                vm.choose(entry.object, entry.place, first);
            }
            if entry.fixed.is_some() {
                vm.skip_variable();
            } else {
                let variable = vm.add_variable(entry.object, entry.place);
                assert_eq!(
                    variable as usize, number,
                    "entries are entered once, in order"
                );
            }
        }
    }
}
