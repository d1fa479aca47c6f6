//! State space of a bounded exhaustive search: the slots that are chosen, and their domains.
//!
//! The vocabulary is Korat's (ISSTA 2002; restated in section 2.1 of the Korat+ paper). An *entry*
//! is a field of an object of the finitization. A *class domain* is a row of interchangeable
//! objects of one class. A *domain* is the ordered list of values of an entry.

use heapwright_jvm::descriptor::Kind;
use heapwright_jvm::{Place, Ref, Vm};
use num_bigint::BigUint;

/// Number of a class domain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ClassDomainId(pub u32);

/// Row of objects of one class (or of its subclasses).
#[derive(Clone, Debug)]
pub struct ClassDomain {
    /// Objects, in the order of their first use.
    pub objects: Vec<Ref>,
    /// Whether the objects are interchangeable, so that only the next unused one need be tried.
    pub in_isomorphism_check: bool,
    /// Whether the objects differ in their numbers alone: all are made alike, none is the root, and
    /// none belongs to another class domain.
    pub is_uniform: bool,
}

/// Value that an entry can take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    /// Content of the slot.
    pub slot: u64,
    /// Class domain and index in it, if the value is an object.
    pub object: Option<(ClassDomainId, u32)>,
}

/// Ordered values of an entry; at least one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Domain {
    /// Kind of the slots.
    pub kind: Kind,
    /// Values, in order.
    pub choices: Vec<Choice>,
}

impl Domain {
    /// Creates a domain of primitive slots.
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

/// Place whose value is chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The object.
    pub object: Ref,
    /// The field, or the part of an array.
    pub place: Place,
    /// Number of the entry's domain.
    pub domain: u32,
    /// Constant value of the entry throughout the search, if it is not chosen: an array that
    /// belongs to the object alone.
    pub fixed: Option<Ref>,
    /// Whether a place that is not chosen refers to the object, so that the program may reach it by
    /// a path that the entries do not show.
    pub is_shared: bool,
}

/// Complete state space of a search.
#[derive(Clone, Debug, Default)]
pub struct StateSpace {
    /// Root object: the invariant's receiver.
    pub root: Ref,
    /// Words of the arena that no search chooses: the other fields of the objects, and all that is
    /// reachable from them.
    pub fixed_words: Vec<u32>,
    /// Class domains, by number.
    pub class_domains: Vec<ClassDomain>,
    /// Domains, by number.
    pub domains: Vec<Domain>,
    /// Entries; those of one object are visited in this order.
    pub entries: Vec<Entry>,
}

impl StateSpace {
    /// Number of candidates if every combination counts as one.
    #[must_use]
    pub fn candidates(&self) -> BigUint {
        let open = self.entries.iter().filter(|entry| entry.fixed.is_none());
        open.map(|entry| self.domains[entry.domain as usize].choices.len())
            .product()
    }

    /// Initial index of an entry. An entry with a constant value keeps the index of that value
    /// among its choices.
    #[must_use]
    pub fn fixed_index(&self, entry: usize) -> u32 {
        let entry = &self.entries[entry];
        let choices = &self.domains[entry.domain as usize].choices;
        let is_own = |choice: &Choice| entry.fixed.is_some_and(|array| array.slot() == choice.slot);
        choices.iter().position(is_own).unwrap_or(0) as u32
    }

    /// Makes every entry's place unset; entry `n` becomes choice variable `n`.
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
