//! Sets of UTF-16 units, and facts that all characters of a part of a string are in one.
//!
//! Such a fact holds of each character that is a term, now or later.

use std::rc::Rc;

use heapwright_jvm::descriptor::Kind;
use heapwright_jvm::replaced::TextQuery;
use heapwright_solve::smt::Term;

use super::super::machine::SymbolicMachine;
use super::{Question, Segment, TextEntry};

/// Set of UTF-16 units, as ranges in their order that do not touch.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::symbolic) struct UnitSet(Vec<(u16, u16)>);

/// Surrogates: units of which two are a character beyond the Basic Multilingual Plane.
const SURROGATES: (u16, u16) = (0xD800, 0xDFFF);

impl UnitSet {
    pub fn of(ranges: &[(u16, u16)]) -> UnitSet {
        let mut sorted = ranges.to_vec();
        sorted.sort_unstable();
        let mut united: Vec<(u16, u16)> = Vec::new();
        for (first, last) in sorted {
            match united.last_mut() {
                Some(before) if u32::from(first) <= u32::from(before.1) + 1 => {
                    before.1 = before.1.max(last);
                }
                _ => united.push((first, last)),
            }
        }
        UnitSet(united)
    }

    pub fn unit(unit: u16) -> UnitSet {
        UnitSet(vec![(unit, unit)])
    }

    pub fn union(&self, other: &UnitSet) -> UnitSet {
        UnitSet::of(&[&self.0[..], &other.0].concat())
    }

    pub fn complement(&self) -> UnitSet {
        let mut next = 0;
        let mut rest = Vec::new();
        for &(first, last) in &self.0 {
            if next < u32::from(first) {
                rest.push((next as u16, first - 1));
            }
            next = u32::from(last) + 1;
        }
        if next <= u16::MAX.into() {
            rest.push((next as u16, u16::MAX));
        }
        UnitSet(rest)
    }

    /// Units of this set that are not in another.
    pub fn without(&self, other: &UnitSet) -> UnitSet {
        self.complement().union(other).complement()
    }

    /// Units of this set that are characters of their own.
    pub fn without_surrogates(&self) -> UnitSet {
        self.without(&UnitSet(vec![SURROGATES]))
    }

    pub fn contains(&self, unit: u16) -> bool {
        let mut ranges = self.0.iter();
        ranges.any(|&(first, last)| (first..=last).contains(&unit))
    }

    /// The unit, if it is the only one.
    pub fn only(&self) -> Option<u16> {
        match self.0[..] {
            [(first, last)] if first == last => Some(first),
            _ => None,
        }
    }

    /// A unit of the set that reads well, if there is one.
    pub fn first(&self) -> Option<u16> {
        let printable = (0x20..0x7F).find(|&unit| self.contains(unit));
        printable.or_else(|| self.0.first().map(|range| range.0))
    }
}

/// Characters that a part of a string may have.
#[derive(Clone, Debug)]
pub(in crate::symbolic) enum Allowed {
    Units(Rc<UnitSet>),
    /// Any but this one.
    Other(Term),
}

impl Allowed {
    pub fn units(units: UnitSet) -> Allowed {
        Allowed::Units(Rc::new(units))
    }
}

/// Fact that the characters of a slice are allowed ones where a condition holds.
#[derive(Clone, Debug)]
pub(in crate::symbolic) struct AllowedUnits {
    pub condition: Term,
    pub base: usize,
    /// First place of the slice in the base, and the place behind it.
    pub start: Term,
    pub end: Term,
    /// Another range of places that the slice is restricted to.
    pub within: Option<[Term; 2]>,
    pub allowed: Allowed,
}

impl SymbolicMachine {
    /// States that where a condition holds, the characters of a string from a place up to another
    /// are allowed ones. The places are then within the string, or its ends.
    pub(super) fn all_are(
        &mut self,
        condition: Term,
        text: &[Segment],
        range: Option<[Term; 2]>,
        allowed: &Allowed,
    ) {
        if self.settled(condition) == Some(false) {
            return;
        }
        let mut before = self.pool.int(0);
        for &segment in text {
            match segment {
                Segment::Char(char) => {
                    let is_in = self.is_in_range(before, range);
                    let is_allowed = self.is_allowed(char, allowed);
                    let condition = self.both(condition, is_in);
                    self.if_then(condition, is_allowed);
                }
                Segment::Slice {
                    base,
                    start,
                    length,
                } => {
                    let shift = self.minus(start, before);
                    let within = range.map(|ends| ends.map(|end| self.plus(end, shift)));
                    let fact = AllowedUnits {
                        condition,
                        base,
                        start,
                        end: self.plus(start, length),
                        within,
                        allowed: allowed.clone(),
                    };
                    let chars: Vec<(Term, Term)> = self.chars_of(base).collect();
                    for (place, char) in chars {
                        self.is_allowed_at(&fact, place, char);
                    }
                    self.texts.push(TextEntry::All(Rc::new(fact)));
                }
            }
            let length = self.length_of_segment(segment);
            before = self.plus(before, length);
        }
    }

    /// States that all characters of a new base are in a set.
    pub(super) fn base_has(&mut self, base: usize, units: UnitSet) {
        let fact = AllowedUnits {
            condition: self.pool.bool(true),
            base,
            start: self.pool.int(0),
            end: self.length_of(base),
            within: None,
            allowed: Allowed::units(units),
        };
        self.texts.push(TextEntry::All(Rc::new(fact)));
    }

    /// Facts about a new character of a base.
    pub(super) fn is_possible(&mut self, base: usize, place: Term, char: Term) {
        let facts = self.texts.iter().filter_map(|entry| match entry {
            TextEntry::All(fact) if fact.base == base => Some(Rc::clone(fact)),
            _ => None,
        });
        let facts: Vec<Rc<AllowedUnits>> = facts.collect();
        for fact in facts {
            self.is_allowed_at(&fact, place, char);
        }
    }

    fn is_allowed_at(&mut self, fact: &AllowedUnits, place: Term, char: Term) {
        let is_in = self.is_in_range(place, Some([fact.start, fact.end]));
        let is_within = self.is_in_range(place, fact.within);
        let is_in = self.both(is_in, is_within);
        let condition = self.both(fact.condition, is_in);
        let is_allowed = self.is_allowed(char, &fact.allowed);
        self.if_then(condition, is_allowed);
    }

    /// Whether a place is in a range, which ends before its second end.
    fn is_in_range(&mut self, place: Term, range: Option<[Term; 2]>) -> Term {
        let Some([start, end]) = range else {
            return self.pool.bool(true);
        };
        let is_behind = self.at_most(start, place);
        let is_before = self.less(place, end);
        self.both(is_behind, is_before)
    }

    fn is_allowed(&mut self, char: Term, allowed: &Allowed) -> Term {
        match allowed {
            Allowed::Units(units) => self.is_unit_of(char, units),
            &Allowed::Other(other) => {
                let is_same = self.same(char, other);
                self.pool.not(is_same)
            }
        }
    }

    /// Whether a character is in a set.
    pub(super) fn is_unit_of(&mut self, char: Term, units: &UnitSet) -> Term {
        let mut is_any = self.pool.bool(false);
        for &(first, last) in &units.0 {
            let [least, most] = [first, last].map(|unit| self.pool.int(unit.into()));
            let is_in = match (first, last) {
                (0, u16::MAX) => self.pool.bool(true),
                (0, _) => self.at_most(char, most),
                (_, u16::MAX) => self.at_most(least, char),
                _ if first == last => self.same(char, least),
                _ => {
                    let is_behind = self.at_most(least, char);
                    let is_before = self.at_most(char, most);
                    self.both(is_behind, is_before)
                }
            };
            is_any = self.either_of(is_any, is_in);
        }
        is_any
    }

    /// Condition that a string has characters of a set alone.
    pub(super) fn only_has(
        &mut self,
        question: Question,
        text: &[Segment],
        units: &UnitSet,
    ) -> Option<Term> {
        let (is, is_new) = self.recalled(question, &[text], &[], Kind::Boolean);
        if is_new {
            self.all_are(is, text, None, &Allowed::units(units.clone()));
            self.has_any(is, text, &units.complement())?;
        }
        Some(is)
    }

    /// States that a string has a character of a set unless a condition holds.
    fn has_any(&mut self, unless: Term, text: &[Segment], units: &UnitSet) -> Option<()> {
        let place = self.new_answer(Kind::Int);
        let ends = [self.pool.int(0), self.total(text)];
        let is_in = self.is_in_range(place, Some(ends));
        let char = self.char_at(text, place)?;
        let is_one = self.is_unit_of(char, units);
        let has_one = self.both(is_in, is_one);
        let fact = self.either_of(unless, has_one);
        self.state(fact);
        Some(())
    }

    /// Condition that the surrogates of a string are pairs.
    pub(super) fn is_paired(&mut self, text: &[Segment]) -> Option<Term> {
        let question = Question::Query(TextQuery::IsPaired);
        let (is, is_new) = self.recalled(question, &[text], &[], Kind::Boolean);
        if is_new {
            self.has_any(is, text, &UnitSet(vec![SURROGATES]))?;
        }
        Some(is)
    }

    /// Condition that `URLDecoder` can decode a string.
    pub(super) fn is_url(&mut self, text: &[Segment]) -> Option<Term> {
        let question = Question::Query(TextQuery::IsUrl);
        let (is, is_new) = self.recalled(question, &[text], &[], Kind::Boolean);
        if is_new {
            self.has_any(is, text, &UnitSet::unit(b'%'.into()))?;
        }
        Some(is)
    }

    /// Number of bytes of a string in UTF-8, or in a charset of a byte for each character, which is 1.
    pub(super) fn byte_count(&mut self, text: &[Segment], charset: Term) -> Option<Term> {
        let is_single = self.pool.constant_of(charset)? == 1;
        let question = Question::Query(TextQuery::Bytes);
        let (count, is_new) = self.recalled(question, &[text], &[charset], Kind::Int);
        if is_new {
            let zero = self.pool.int(0);
            let length = self.total(text);
            let (less, more) = if is_single {
                (count, length)
            } else {
                (length, count)
            };
            for (a, b) in [(less, more), (zero, count)] {
                let fact = self.at_most(a, b);
                self.state(fact);
            }
            let are_empty = [length, count].map(|number| self.same(number, zero));
            self.equivalent(are_empty[0], are_empty[1]);
        }
        Some(count)
    }

    /// Whether a string has no surrogates.
    pub(super) fn has_no_surrogates(&mut self, text: &[Segment]) -> Option<Term> {
        let units = UnitSet(vec![SURROGATES]).complement();
        self.only_has(Question::NoSurrogates, text, &units)
    }
}
