//! Contents of arrays as terms (McCarthy 1962): those of a new array, those that differ from others
//! in one element, and open ones, of whose elements an induction assumes facts.
//!
//! An element is selected by comparing its index with those of the writes, newest first. Contents do
//! not change, so that states may share them.

use std::rc::Rc;

use heapwright_jvm::descriptor::Kind;
use heapwright_jvm::machine::symbolic_slot;
use heapwright_jvm::replaced::ElementsText;
use heapwright_jvm::{ClassId, Comparison, Machine, MethodId, Ref};
use heapwright_solve::smt::{Term, Unary};
use rustc_hash::FxHashMap;

use super::induction::{Atom, Candidate};
use super::machine::SymbolicMachine;
use super::names::Name;
use super::texts::Segment;

/// Most writes that are compared with the index of an element.
const MAX_WRITES: usize = 4096;
/// Most writes that may or may not be those of an element.
const MAX_OPEN: usize = 256;

/// Most writes in the characters of a string.
const MAX_TEXT_WRITES: usize = 8;

/// Number of the contents of a new array.
const NEW: u32 = 0;

/// Write of an element.
#[derive(Clone, Copy, Debug)]
pub(super) struct Write {
    /// Contents that the others of the elements are from.
    before: u32,
    index: u64,
    slot: u64,
}

/// What is assumed of each element of open contents.
#[derive(Clone, Debug, Default)]
pub(super) struct ElementFacts {
    /// Register by which the candidates name the array.
    pub array: u16,
    /// Candidates, each with a range.
    pub candidates: Vec<Candidate>,
    /// Terms of the other values in them.
    pub terms: FxHashMap<Atom, Term>,
}

#[derive(Clone, Debug)]
pub(super) enum Contents {
    Written(Write),
    /// Any elements of which these facts hold; references to objects of the class.
    Open(ClassId, Rc<ElementFacts>),
    /// Characters of a string, with its slot.
    Chars(Rc<[Segment]>, u64),
    /// Strings that a method makes of these arguments and of the index.
    Made(MethodId, Rc<[u64]>),
}

/// Element of open contents that was looked at.
#[derive(Clone, Copy, Debug)]
struct ReadElement {
    contents: u32,
    index: u64,
    slot: u64,
}

/// Position to which the store can be restored.
#[derive(Clone, Copy, Debug)]
pub(super) struct ContentsMark {
    contents: usize,
    read: usize,
}

/// Contents, numbered from 1 in the order of their creation.
#[derive(Debug, Default)]
pub(super) struct ContentsStore {
    contents: Vec<Contents>,
    /// Elements of open contents, each with its facts among the conditions of the path.
    read: Vec<ReadElement>,
}

impl ContentsStore {
    pub fn mark(&self) -> ContentsMark {
        ContentsMark {
            contents: self.contents.len(),
            read: self.read.len(),
        }
    }

    pub fn undo_to(&mut self, mark: ContentsMark) {
        self.undo_reads(mark);
        self.contents.truncate(mark.contents);
    }

    /// Forgets elements whose facts are no conditions of the path any more.
    pub fn undo_reads(&mut self, mark: ContentsMark) {
        self.read.truncate(mark.read);
    }

    /// Contents with another element; `None` if there are too many.
    pub fn write(&mut self, before: u32, index: u64, slot: u64) -> Option<u32> {
        // What a write replaces needs no comparison any more.
        let before = match self.at(before) {
            Some(Contents::Written(write)) if write.index == index => write.before,
            _ => before,
        };
        self.add(Contents::Written(Write {
            before,
            index,
            slot,
        }))
    }

    /// Contents of which nothing is known but the class of the elements; `None` if there are too
    /// many.
    pub fn open(&mut self, class: ClassId) -> Option<u32> {
        self.add(Contents::Open(class, Rc::default()))
    }

    /// Sets what is assumed of open contents at which nothing has looked.
    pub fn set_facts(&mut self, contents: u32, facts: ElementFacts) {
        let place = contents.checked_sub(1);
        let contents = place.and_then(|place| self.contents.get_mut(place as usize));
        if let Some(Contents::Open(_, known)) = contents {
            *known = Rc::new(facts);
        }
    }

    pub fn add(&mut self, contents: Contents) -> Option<u32> {
        self.contents.push(contents);
        u32::try_from(self.contents.len()).ok()
    }

    /// String whose characters are these contents, but for some writes.
    pub fn text(&self, contents: u32) -> Option<ElementsText> {
        let mut written = Vec::new();
        let mut contents = contents;
        for _ in 0..MAX_TEXT_WRITES {
            match self.at(contents)? {
                Contents::Written(write) => {
                    written.insert(0, (write.index, write.slot));
                    contents = write.before;
                }
                &Contents::Chars(_, text) => return Some(ElementsText { text, written }),
                _ => return None,
            }
        }
        None
    }

    fn at(&self, contents: u32) -> Option<&Contents> {
        let place = contents.checked_sub(1)?;
        self.contents.get(place as usize)
    }
}

impl SymbolicMachine {
    /// Slot of an element; `None` if too many writes may be those of it.
    pub(super) fn selected(&mut self, contents: u32, kind: Kind, index: u64) -> Option<u64> {
        let mut open: Vec<(Term, u64)> = Vec::new();
        let mut contents = contents;
        let mut last = None;
        for _ in 0..MAX_WRITES {
            let write = match self.contents.at(contents) {
                Some(&Contents::Written(write)) => write,
                Some(Contents::Open(class, facts)) => {
                    let (class, facts) = (*class, Rc::clone(facts));
                    last = Some(self.open_element(contents, class, &facts, kind, index));
                    break;
                }
                Some(Contents::Chars(text, _)) => {
                    let text = Rc::clone(text);
                    let place = self.term(index, Kind::Int);
                    let char = self.char_at(&text, place)?;
                    last = Some(self.slot(char));
                    break;
                }
                Some(Contents::Made(method, arguments)) => {
                    let method = *method;
                    let arguments: Vec<u64> = arguments.iter().copied().chain([index]).collect();
                    last = self.defer_string(method, &arguments);
                    break;
                }
                None => {
                    last = (contents == NEW).then_some(0);
                    break;
                }
            };
            let is_this = self.compared(Comparison::Eq, Kind::Int, index, write.index);
            match self.settled(is_this) {
                Some(true) => {
                    last = Some(write.slot);
                    break;
                }
                Some(false) => {}
                None if open.len() < MAX_OPEN => open.push((is_this, write.slot)),
                None => return None,
            }
            contents = write.before;
        }
        let mut chosen = last?;
        for (condition, slot) in open.into_iter().rev() {
            chosen = self.either(kind, condition, slot, chosen)?;
        }
        Some(chosen)
    }

    /// Element of open contents.
    fn open_element(
        &mut self,
        contents: u32,
        class: ClassId,
        facts: &ElementFacts,
        kind: Kind,
        index: u64,
    ) -> u64 {
        let mut read = self.contents.read.iter();
        if let Some(known) = read.find(|read| (read.contents, read.index) == (contents, index)) {
            return known.slot;
        }
        let name = Name::from("an element".to_owned());
        let slot = match kind {
            Kind::Reference => {
                let is_null = self.nullness(name);
                symbolic_slot(self.references.add_unknown(class, is_null))
            }
            _ => self.variable(name, kind),
        };
        let at = self.term(index, Kind::Int);
        let element = self.compared_element(kind, slot);
        for candidate in &facts.candidates {
            let mut value = |_: &mut _, atom| match atom {
                Atom::Index => Some(at),
                Atom::Element(array) if array == facts.array => element,
                atom => facts.terms.get(&atom).copied(),
            };
            if let Some(holds) = candidate.term(&mut self.pool, &mut value)
                && self.settled(holds).is_none()
            {
                self.require(holds);
            }
        }
        self.contents.read.push(ReadElement {
            contents,
            index,
            slot,
        });
        slot
    }

    /// Term of an element in facts; that of a reference is 1, or 0 for null.
    pub(super) fn compared_element(&mut self, kind: Kind, slot: u64) -> Option<Term> {
        if kind != Kind::Reference {
            return Some(self.term(slot, kind));
        }
        let is_null = self.is_among(slot, &[Ref::NULL])?;
        let is_object = self.pool.not(is_null);
        Some(self.pool.unary(Unary::BoolToInt, is_object))
    }
}
