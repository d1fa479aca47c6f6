//! Unresolved references: inputs, and elements selected by an open index.

use std::rc::Rc;

use heapwright_jvm::machine::{symbolic_slot, term_of};
use heapwright_jvm::replaced::DeferredMapChange;
use heapwright_jvm::{ClassId, MethodId, Ref};
use heapwright_solve::smt::Term;

use super::machine::REFERENCES;
use super::names::Name;

/// Input of reference type.
#[derive(Clone, Debug)]
pub(super) struct OpenReference {
    /// Declared class.
    pub bound: ClassId,
    /// Access path in a program.
    pub name: Name,
    /// Condition that the reference is null.
    pub is_null: Term,
    /// Objects that the reference is not.
    pub excluded: Vec<Ref>,
    /// End of the heap when an induction made the reference, which is then no input: its object
    /// existed, and is of exactly the class.
    pub older_than: Option<u32>,
}

#[derive(Clone, Debug)]
enum Reference {
    Open(OpenReference),
    /// First alternative whose condition holds; the last condition is true.
    Choice(Vec<(Term, u64)>),
    /// Any object of a class, or null; nothing but its nullness can be asked for.
    Unknown {
        bound: ClassId,
        is_null: Term,
    },
    /// String that a method computes from these arguments.
    Text(DeferredText),
    /// Value of the first open field of a deferred change.
    Change(Rc<DeferredMapChange>),
    /// Value of another open field of the change; holds the number of the first.
    Changed(u32),
}

/// String whose computation is deferred.
#[derive(Clone, Debug)]
pub(super) struct DeferredText {
    /// Static method that computes it.
    pub method: MethodId,
    /// Arguments, one slot for each word.
    pub arguments: Vec<u64>,
}

/// References of a path, by number.
#[derive(Debug)]
pub(super) struct References {
    references: Vec<Reference>,
    /// Resolution of each reference: an object, null, or another reference.
    chosen: Vec<Option<u64>>,
    /// Resolved references, oldest first.
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
        self.undo_choices(mark.1);
        self.references.truncate(mark.0);
        self.chosen.truncate(mark.0);
    }

    /// Undoes the resolutions since a mark, of which this is the second part.
    pub fn undo_choices(&mut self, mark: usize) {
        for place in self.trail.drain(mark..) {
            self.chosen[place as usize] = None;
        }
    }

    pub fn add_open(&mut self, open: OpenReference) -> u32 {
        self.add(Reference::Open(open))
    }

    pub fn add_unknown(&mut self, bound: ClassId, is_null: Term) -> u32 {
        self.add(Reference::Unknown { bound, is_null })
    }

    /// Class of an unknown object, and the condition that it is null instead.
    pub fn unknown(&self, number: u32) -> Option<(ClassId, Term)> {
        match self.at(number) {
            Some(&Reference::Unknown { bound, is_null }) => Some((bound, is_null)),
            _ => None,
        }
    }

    pub fn add_text(&mut self, text: DeferredText) -> u32 {
        self.add(Reference::Text(text))
    }

    /// Adds a deferred change; returns a reference for each open field.
    pub fn add_change(&mut self, change: DeferredMapChange) -> Vec<u64> {
        let open = change.open;
        let first = self.add(Reference::Change(Rc::new(change)));
        let others = (1..open).map(|_| self.add(Reference::Changed(first)));
        std::iter::once(first)
            .chain(others)
            .map(symbolic_slot)
            .collect()
    }

    /// Returns the change that a reference is a result of, and the number of its first result.
    pub fn change(&self, number: u32) -> Option<(u32, Rc<DeferredMapChange>)> {
        match self.at(number)? {
            Reference::Change(change) => Some((number, Rc::clone(change))),
            Reference::Changed(first) => self.change(*first),
            _ => None,
        }
    }

    /// Returns the deferred string of a reference.
    pub fn text(&self, number: u32) -> Option<&DeferredText> {
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

    /// Returns an input that is not resolved.
    pub fn open(&self, number: u32) -> Option<&OpenReference> {
        match self.at(number) {
            Some(Reference::Open(open)) => Some(open),
            _ => None,
        }
    }

    /// Input of which a string is computed without anything else: the string itself, or the one
    /// argument of a deferred computation.
    pub fn input_below(&self, number: u32) -> Option<u32> {
        let mut number = number;
        while let Some(text) = self.text(number) {
            let [argument] = text.arguments[..] else {
                return None;
            };
            number = term_of(argument)?;
        }
        self.open(number).map(|_| number)
    }

    pub fn is_choice(&self, number: u32) -> bool {
        matches!(self.at(number), Some(Reference::Choice(_)))
    }

    /// Alternatives of a reference to one of several, with conditions; the first that holds counts.
    pub fn alternatives(&self, number: u32) -> &[(Term, u64)] {
        match self.at(number) {
            Some(Reference::Choice(alternatives)) => alternatives,
            _ => &[],
        }
    }

    /// Resolution of a reference.
    pub fn chosen(&self, number: u32) -> Option<u64> {
        let place = number.checked_sub(REFERENCES)?;
        *self.chosen.get(place as usize)?
    }

    /// Resolves a slot to an object, null, or an unresolved reference.
    pub fn current(&self, slot: u64) -> u64 {
        let mut slot = slot;
        while let Some(next) = term_of(slot).and_then(|number| self.chosen(number)) {
            slot = next;
        }
        slot
    }

    /// Last reference in a chain of resolutions.
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
