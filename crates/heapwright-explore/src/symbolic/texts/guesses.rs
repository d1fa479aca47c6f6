//! Characters of inputs under a model: those that are terms, those of what is made of the input
//! character by character, and any that agree with the facts.

use heapwright_jvm::replaced::TextMaker;
use heapwright_solve::smt::Term;

use super::super::machine::SymbolicMachine;
use super::units::{Allowed, AllowedUnits};
use super::{Origin, Segment, TextEntry};

/// Characters that are tried first where none is known.
const USUAL: [u16; 6] = [0x61, 0x62, 0x30, 0x20, 0x2D, 0x41];
/// Most strings that are made of one another.
const MAX_NESTED: usize = 16;

impl SymbolicMachine {
    /// Conditions under which guesses are more often right: a string that is made of another character
    /// by character is as long.
    pub(in crate::symbolic) fn likely_texts(&mut self) -> Vec<Term> {
        let made =
            self.texts.iter().filter_map(|entry| match entry {
                TextEntry::Base {
                    origin:
                        Origin::Made(
                            TextMaker::Lower | TextMaker::Upper | TextMaker::UrlDecoded,
                            texts,
                            _,
                        ),
                    length,
                } => Some((texts[0].clone(), *length)),
                _ => None,
            });
        let made: Vec<(Vec<Segment>, Term)> = made.collect();
        let likely = made.into_iter().map(|(text, length)| {
            let before = self.sum(&text);
            self.same(before, length)
        });
        likely.collect()
    }

    /// Characters of an input.
    pub(super) fn guessed_units(
        &self,
        base: usize,
        length: usize,
        value: &impl Fn(Term) -> u64,
    ) -> Vec<u16> {
        let mut known: Vec<Option<u16>> = vec![None; length];
        // Characters of the input itself come first.
        for is_own in [true, false] {
            for entry in &self.texts {
                if let TextEntry::Char {
                    base: of,
                    place,
                    is,
                } = *entry
                    && (of == base) == is_own
                    && let Some((below, place)) = self.place_below(of, value(place), value)
                    && below == base
                    && let Some(unit @ None) = known.get_mut(place as usize)
                {
                    *unit = Some(value(is) as u16);
                }
            }
        }
        let facts = self.texts.iter().filter_map(|entry| match entry {
            TextEntry::All(fact) if fact.base == base && value(fact.condition) != 0 => {
                Some(&**fact)
            }
            _ => None,
        });
        let facts: Vec<&AllowedUnits> = facts.collect();
        let units = (0..).zip(known);
        units
            .map(|(place, unit)| unit.unwrap_or_else(|| fitting(&facts, place, value)))
            .collect()
    }

    /// Input, and the place in it, of a character that is made of one alone.
    fn place_below(
        &self,
        base: usize,
        place: u64,
        value: &impl Fn(Term) -> u64,
    ) -> Option<(usize, u64)> {
        let (mut base, mut place) = (base, place);
        for _ in 0..MAX_NESTED {
            let TextEntry::Base { origin, .. } = &self.texts[base] else {
                return None;
            };
            match origin {
                Origin::Open(_) => return Some((base, place)),
                Origin::Made(
                    TextMaker::Lower | TextMaker::Upper | TextMaker::UrlDecoded,
                    texts,
                    _,
                ) => {
                    (base, place) = slice_at(&texts[0], place, value)?;
                }
                Origin::Made(TextMaker::Reverse, texts, _) => {
                    let lengths = texts[0].iter().map(|segment| match *segment {
                        Segment::Char(_) => 1,
                        Segment::Slice { length, .. } => value(length),
                    });
                    let total: u64 = lengths.sum();
                    let place = total.checked_sub(place.checked_add(1)?)?;
                    (base, _) = slice_at(&texts[0], place, value)?;
                    return Some((base, place));
                }
                _ => return None,
            }
        }
        None
    }
}

/// Base of the slice that has a place of a string, and the place in it.
fn slice_at(text: &[Segment], place: u64, value: &impl Fn(Term) -> u64) -> Option<(usize, u64)> {
    let mut left = place;
    for segment in text {
        match *segment {
            Segment::Char(_) => left = left.checked_sub(1)?,
            Segment::Slice {
                base,
                start,
                length,
            } => {
                if left < value(length) {
                    return Some((base, value(start) + left));
                }
                left -= value(length);
            }
        }
    }
    None
}

/// Character at a place that facts allow, or any one.
fn fitting(facts: &[&AllowedUnits], place: u64, value: &impl Fn(Term) -> u64) -> u16 {
    let is_in = |ends: [Term; 2]| value(ends[0]) <= place && place < value(ends[1]);
    let here = facts
        .iter()
        .filter(|fact| is_in([fact.start, fact.end]) && fact.within.is_none_or(is_in));
    let allowed: Vec<&Allowed> = here.map(|fact| &fact.allowed).collect();
    let fits = |unit: &u16| {
        allowed.iter().all(|allowed| match allowed {
            Allowed::Units(units) => units.contains(*unit),
            Allowed::Other(other) => value(*other) != u64::from(*unit),
        })
    };
    let firsts = allowed.iter().filter_map(|allowed| match allowed {
        Allowed::Units(units) => units.first(),
        Allowed::Other(_) => None,
    });
    let candidates = USUAL.into_iter().chain(firsts);
    candidates.into_iter().find(fits).unwrap_or(USUAL[0])
}
