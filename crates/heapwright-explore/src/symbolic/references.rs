//! References that nobody has looked at: inputs, and what one of several elements is.

use std::rc::Rc;

use heapwright_jvm::machine::{symbolic_slot, term_of};
use heapwright_jvm::replaced::Change;
use heapwright_jvm::{ClassId, MethodId, Ref};
use heapwright_solve::smt::Term;

use super::machine::REFERENCES;
use super::names::Name;

/// An input of reference type.
#[derive(Clone, Debug)]
pub(super) struct OpenReference {
    /// The class that its objects are of.
    pub bound: ClassId,
    /// As a program would say it.
    pub name: Name,
    /// The condition that it is null.
    pub is_null: Term,
    /// Objects that it is not.
    pub excluded: Vec<Ref>,
}

#[derive(Clone, Debug)]
enum Reference {
    Open(OpenReference),
    /// The first whose condition holds; the last one's does.
    Choice(Vec<(Term, u64)>),
    /// The string that a method makes of these arguments.
    Text(Text),
    /// What the first of the fields holds that a change puts off.
    Change(Rc<Change>),
    /// What another of them holds: the reference to the first.
    Changed(u32),
}

/// A string that nobody has looked at.
#[derive(Clone, Debug)]
pub(super) struct Text {
    /// The static method that makes it.
    pub method: MethodId,
    /// Its arguments, a slot for each word.
    pub arguments: Vec<u64>,
}

/// The references of a path, by number.
#[derive(Debug)]
pub(super) struct References {
    references: Vec<Reference>,
    /// What each has come to: an object, null, or another reference.
    chosen: Vec<Option<u64>>,
    /// Those that have come to something, oldest first.
    trail: Vec<u32>,
    /// `java.lang.Object`.
    pub object_class: ClassId,
    /// `java.lang.String`.
    pub string_class: ClassId,
}

impl Default for References {
    fn default() -> References {
        References {
            references: Vec::new(),
            chosen: Vec::new(),
            trail: Vec::new(),
            object_class: ClassId(0),
            string_class: ClassId(0),
        }
    }
}

impl References {
    pub fn mark(&self) -> (usize, usize) {
        (self.references.len(), self.trail.len())
    }

    pub fn undo_to(&mut self, mark: (usize, usize)) {
        for place in self.trail.drain(mark.1..) {
            self.chosen[place as usize] = None;
        }
        self.references.truncate(mark.0);
        self.chosen.truncate(mark.0);
    }

    pub fn add_open(&mut self, open: OpenReference) -> u32 {
        self.add(Reference::Open(open))
    }

    pub fn add_text(&mut self, text: Text) -> u32 {
        self.add(Reference::Text(text))
    }

    /// A change that is put off: a reference for each field that is open.
    pub fn add_change(&mut self, change: Change) -> Vec<u64> {
        let open = change.open;
        let first = self.add(Reference::Change(Rc::new(change)));
        let others = (1..open).map(|_| self.add(Reference::Changed(first)));
        std::iter::once(first)
            .chain(others)
            .map(symbolic_slot)
            .collect()
    }

    /// The change of which a reference is a result, and the number of the first of these.
    pub fn change(&self, number: u32) -> Option<(u32, Rc<Change>)> {
        match self.at(number)? {
            Reference::Change(change) => Some((number, Rc::clone(change))),
            Reference::Changed(first) => self.change(*first),
            _ => None,
        }
    }

    /// A string that nobody has looked at.
    pub fn text(&self, number: u32) -> Option<&Text> {
        match self.at(number) {
            Some(Reference::Text(text)) => Some(text),
            _ => None,
        }
    }

    pub fn add_choice(&mut self, alternatives: Vec<(Term, u64)>) -> u32 {
        self.add(Reference::Choice(alternatives))
    }

    fn add(&mut self, reference: Reference) -> u32 {
        self.references.push(reference);
        self.chosen.push(None);
        REFERENCES + self.references.len() as u32 - 1
    }

    fn at(&self, number: u32) -> Option<&Reference> {
        let place = number.checked_sub(REFERENCES)?;
        self.references.get(place as usize)
    }

    /// An input that has come to nothing yet.
    pub fn open(&self, number: u32) -> Option<&OpenReference> {
        match self.at(number) {
            Some(Reference::Open(open)) => Some(open),
            _ => None,
        }
    }

    pub fn is_choice(&self, number: u32) -> bool {
        matches!(self.at(number), Some(Reference::Choice(_)))
    }

    /// What a reference that is one of several can be, with conditions; the first that holds
    /// counts.
    pub fn alternatives(&self, number: u32) -> &[(Term, u64)] {
        match self.at(number) {
            Some(Reference::Choice(alternatives)) => alternatives,
            _ => &[],
        }
    }

    /// What a reference has come to.
    pub fn chosen(&self, number: u32) -> Option<u64> {
        let place = number.checked_sub(REFERENCES)?;
        *self.chosen.get(place as usize)?
    }

    /// What a slot has come to: an object, null, or a reference that has come to nothing.
    pub fn current(&self, slot: u64) -> u64 {
        let mut slot = slot;
        while let Some(next) = term_of(slot).and_then(|number| self.chosen(number)) {
            slot = next;
        }
        slot
    }

    /// The last of the references that one has come to.
    pub fn last(&self, number: u32) -> u32 {
        term_of(self.current(symbolic_slot(number))).unwrap_or(number)
    }

    pub fn choose(&mut self, number: u32, slot: u64) {
        if let Some(place) = number.checked_sub(REFERENCES) {
            self.chosen[place as usize] = Some(slot);
            self.trail.push(place);
        }
    }
}
