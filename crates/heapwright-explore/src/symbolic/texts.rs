//! Strings whose characters nothing has looked at, of any length, as terms.
//!
//! A string is a sequence of segments: characters, and slices of *bases*, which are inputs, texts of
//! numbers and what cannot be divided further. What is asked about strings becomes a term, or a
//! variable that satisfies some facts. Invariant: the facts hold for all strings that a run may have,
//! of any characters, so that answers are an abstraction of what Java answers.
//!
//! A string that exists is no longer than `Integer.MAX_VALUE`: otherwise a run would have ended with
//! an `OutOfMemoryError`.

mod equality;
mod guesses;
mod makers;
mod matching;
mod numbers;
mod patterns;
mod searches;
mod splits;
mod units;

use std::rc::Rc;

use heapwright_jvm::ClassId;
use heapwright_jvm::descriptor::Kind;
use heapwright_jvm::machine::symbolic_slot;
use heapwright_jvm::replaced::{MatchKind, Text, TextMaker, TextPart, TextQuery};
use heapwright_solve::smt::{Assignment, Binary, Term, Unary};

use super::machine::SymbolicMachine;
use matching::Matched;
use numbers::lengths_of_numbers;
use patterns::Pattern;
use units::{AllowedUnits, UnitSet};

/// Most characters of a base that are terms.
const MAX_CHARS: usize = 48;
/// Most segments that an open place is looked for in.
const MAX_SEGMENTS: usize = 64;
/// Most characters of a string that is guessed.
const MAX_GUESSED: u64 = 1 << 17;

/// Part of a string.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Segment {
    /// This character, an int.
    Char(Term),
    /// Part of a base, which begins at a place in it.
    Slice {
        base: usize,
        start: Term,
        length: Term,
    },
}

/// Origin of a base.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Origin {
    /// An input.
    Open(u32),
    /// Text of the number in a slot, to a base.
    Number(Kind, u64, u64),
    /// Text of the bits of the number in a slot, so many for a digit.
    Digits(Kind, u64, u32),
    /// Text of the number in a slot with so many decimal places.
    Decimal(u64, u64),
    /// String made of others and of ints.
    Made(TextMaker, Vec<Vec<Segment>>, Vec<Term>),
}

/// Fact about strings on a path.
#[derive(Clone, Debug)]
pub(super) enum TextEntry {
    /// String that slices are parts of, with its length.
    Base { origin: Origin, length: Term },
    /// Character of a base at a place.
    Char { base: usize, place: Term, is: Term },
    /// Characters that a slice has.
    All(Rc<AllowedUnits>),
    /// Attempt of a match.
    Matched(Rc<Matched>),
    /// Reference that stands for the bytes of the string in a slot.
    Held { bytes: u32, text: u64 },
    /// Answer to a question, by strings and ints.
    Answer {
        query: Question,
        texts: Vec<Vec<Segment>>,
        numbers: Vec<Term>,
        is: Term,
    },
}

/// Question that has a variable as its answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Question {
    Query(TextQuery),
    /// Whether what is left of two strings is equal.
    EqualRest,
    /// Whether there are no surrogates.
    NoSurrogates,
    /// Number of parts, which agrees with what follows the part of this number.
    SplitAt(usize),
    /// First place of a stripped string, and the place behind it.
    StripStart(TextMaker),
    StripEnd(TextMaker),
}

impl SymbolicMachine {
    /// Answer to a question about strings.
    pub(super) fn answer(
        &mut self,
        query: TextQuery,
        texts: &[Text],
        numbers: &[u64],
    ) -> Option<Term> {
        let texts: Option<Vec<Vec<Segment>>> =
            texts.iter().map(|text| self.segments(text)).collect();
        let texts = texts?;
        let numbers: Vec<Term> = numbers
            .iter()
            .map(|&slot| self.term(slot, Kind::Int))
            .collect();
        let truth = match (query, &texts[..], &numbers[..]) {
            (TextQuery::Length, [text], []) => return Some(self.total(text)),
            (TextQuery::Char, [text], &[place]) => return self.char_at(text, place),
            (TextQuery::Hash, [text], []) => return self.hash(text),
            (TextQuery::Order | TextQuery::OrderWithoutCase, [a, b], []) => {
                return self.order(query, a, b);
            }
            (TextQuery::Find, [text, wanted], &[from]) => return self.find(text, wanted, from),
            (TextQuery::FindLast, [text, wanted], &[from]) => {
                return self.find_last(text, wanted, from);
            }
            (TextQuery::Equal, [a, b], []) => self.equal_segments(a, b)?,
            (TextQuery::EqualWithoutCase, [a, b], []) => self.equal_without_case(a, b)?,
            (TextQuery::Starts, [text, wanted], &[place]) => self.stands_at(text, wanted, place)?,
            (TextQuery::Ends, [text, wanted], []) => self.ends_with(text, wanted)?,
            (TextQuery::IsBlank, [text], []) => {
                let (start, end) = self.stripped(TextMaker::Strip, text)?;
                self.same(start, end)
            }
            (TextQuery::IsPattern, [pattern], []) => {
                let pattern = self.known_chars(pattern)?;
                let pattern = Pattern::read(&pattern)?;
                self.pool.bool(pattern.root.lengths().0 > 0)
            }
            (TextQuery::SplitCount, [text, pattern], &[limit]) => {
                let limit = self.pool.constant_of(limit)? as u32 as i32;
                return self.split_count(text, pattern, limit);
            }
            (TextQuery::IsNumber, [text], &[radix]) => {
                let radix = self.pool.constant_of(radix)? as u32;
                self.is_number(text, radix)
            }
            (TextQuery::IsAscii, [text], []) => {
                self.only_has(Question::Query(query), text, &UnitSet::of(&[(0, 0x7F)]))?
            }
            (TextQuery::IsPaired, [text], []) => self.is_paired(text)?,
            (TextQuery::IsUrl, [text], []) => self.is_url(text)?,
            (TextQuery::Bytes, [text], &[charset]) => return self.byte_count(text, charset),
            (TextQuery::HitsEnd, [text, pattern], numbers) => {
                let question = Question::Query(query);
                self.recalled(question, &[text, pattern], numbers, Kind::Boolean)
                    .0
            }
            _ => return None,
        };
        Some(self.pool.unary(Unary::BoolToInt, truth))
    }

    /// Whether there is a match in a string from a place on, and the places of its groups.
    pub(super) fn match_of(
        &mut self,
        kind: MatchKind,
        text: &Text,
        pattern: &Text,
        from: u64,
    ) -> Option<(Term, Vec<Term>)> {
        let [text, pattern] = [text, pattern].map(|text| self.segments(text));
        let (text, pattern) = (text?, self.known_chars(&pattern?)?);
        let from = self.term(from, Kind::Int);
        let matched = self.matched(kind, &text, &pattern, from)?;
        let is_found = self.pool.unary(Unary::BoolToInt, matched.is_found);
        Some((is_found, matched.places.as_flattened().to_vec()))
    }

    /// Reference for the bytes of a string, and a coder that may be either.
    pub(super) fn held(&mut self, bytes: ClassId, text: u64) -> (u64, u64) {
        let is_null = self.pool.bool(false);
        let bytes = self.references.add_unknown(bytes, is_null);
        self.texts.push(TextEntry::Held { bytes, text });
        let coder = format!("coder of text {}", self.texts.len());
        (symbolic_slot(bytes), self.coder(coder.into()))
    }

    /// String whose bytes a reference stands for.
    pub(super) fn text_held_by(&self, reference: u32) -> Option<u64> {
        self.texts.iter().find_map(|entry| match *entry {
            TextEntry::Held { bytes, text } if bytes == reference => Some(text),
            _ => None,
        })
    }

    /// Whether an input is a base.
    pub(super) fn is_base(&self, input: u32) -> bool {
        self.texts.iter().any(|entry| {
            matches!(entry, TextEntry::Base { origin: Origin::Open(open), .. } if *open == input)
        })
    }

    /// Inputs that are bases, with characters that they have under a model.
    pub(super) fn guessed_texts(&self, model: &Assignment) -> Vec<(u32, Vec<u16>)> {
        let value = |term: Term| self.pool.evaluate(term, model);
        let bases = self.texts.iter().enumerate();
        let bases = bases.filter_map(|(number, entry)| match entry {
            TextEntry::Base {
                origin: Origin::Open(input),
                length,
            } => Some((number, *input, *length)),
            _ => None,
        });
        let guessed = bases.map(|(base, input, length)| {
            let length = value(length).min(MAX_GUESSED) as usize;
            (input, self.guessed_units(base, length, &value))
        });
        guessed.collect()
    }

    /// Segments of a string; `None` if it has too many.
    pub(super) fn segments(&mut self, text: &[TextPart]) -> Option<Vec<Segment>> {
        let mut segments = Vec::new();
        for part in text {
            match part {
                TextPart::Known(units) => {
                    let units = units.iter();
                    let chars = units.map(|&unit| Segment::Char(self.pool.int(unit.into())));
                    segments.extend(chars);
                }
                &TextPart::Char(slot) => {
                    let char = self.term(slot, Kind::Char);
                    segments.push(Segment::Char(char));
                }
                &TextPart::Open(input) => segments.push(self.whole(Origin::Open(input))),
                &TextPart::Number(kind, slot, radix) => {
                    segments.push(self.printed(Origin::Number(kind, slot, radix)));
                }
                &TextPart::Digits(kind, slot, bits) => {
                    segments.push(self.printed(Origin::Digits(kind, slot, bits)));
                }
                &TextPart::Decimal(slot, places) => {
                    segments.push(self.printed(Origin::Decimal(slot, places)));
                }
                TextPart::Made(maker, texts, numbers) => {
                    let made = self.made(*maker, texts, numbers)?;
                    segments.extend(made);
                }
            }
        }
        self.unite(&mut segments);
        Some(segments)
    }

    /// Unites slices that follow one another in one base.
    fn unite(&mut self, segments: &mut Vec<Segment>) {
        let mut united: Vec<Segment> = Vec::with_capacity(segments.len());
        for &segment in segments.iter() {
            if let Segment::Slice {
                base,
                start,
                length,
            } = segment
            {
                if self.is_zero(length) {
                    continue;
                }
                if let Some(&Segment::Slice {
                    base: before,
                    start: from,
                    length: first,
                }) = united.last()
                    && before == base
                {
                    let end = self.plus(from, first);
                    if end == start {
                        let length = self.plus(first, length);
                        united.pop();
                        united.push(Segment::Slice {
                            base,
                            start: from,
                            length,
                        });
                        continue;
                    }
                }
            }
            united.push(segment);
        }
        *segments = united;
    }

    /// Slice that is a whole base.
    fn whole(&mut self, origin: Origin) -> Segment {
        let base = self.base(origin);
        Segment::Slice {
            base,
            start: self.pool.int(0),
            length: self.length_of(base),
        }
    }

    /// Number of the base with an origin, whose length is a variable if it is new.
    fn base(&mut self, origin: Origin) -> usize {
        if let Some(known) = self.known_base(&origin) {
            return known;
        }
        let name = format!("length of text {}", self.texts.len() + 1);
        let length = self.variable(name.into(), Kind::Int);
        let length = self.term(length, Kind::Int);
        let (least, most) = match origin {
            Origin::Number(kind, _, radix) => lengths_of_numbers(kind, radix),
            Origin::Digits(kind, _, bits) => {
                (1, i32::from(kind.words()) * 32_u32.div_ceil(bits) as i32)
            }
            Origin::Decimal(_, places) => (3, places as u32 as i32 + 312),
            Origin::Open(_) | Origin::Made(..) => (0, i32::MAX),
        };
        let (least, most) = (self.pool.int(least), self.pool.int(most));
        for (a, b) in [(least, length), (length, most)] {
            let fact = self.at_most(a, b);
            self.state(fact);
        }
        self.add_base(origin, length)
    }

    fn add_base(&mut self, origin: Origin, length: Term) -> usize {
        self.texts.push(TextEntry::Base { origin, length });
        self.has_abstracted = true;
        self.texts.len() - 1
    }

    fn known_base(&self, origin: &Origin) -> Option<usize> {
        let mut entries = self.texts.iter();
        entries.position(
            |entry| matches!(entry, TextEntry::Base { origin: known, .. } if known == origin),
        )
    }

    fn length_of(&mut self, base: usize) -> Term {
        match self.texts[base] {
            TextEntry::Base { length, .. } => length,
            _ => self.pool.int(0),
        }
    }

    /// Answer to a question; a variable of a kind if it is new, which is then true.
    fn recalled(
        &mut self,
        query: Question,
        texts: &[&[Segment]],
        numbers: &[Term],
        kind: Kind,
    ) -> (Term, bool) {
        let known = self.known_answer(query, texts, numbers);
        if let Some(known) = known {
            return (known, false);
        }
        let is = self.new_answer(kind);
        self.texts.push(TextEntry::Answer {
            query,
            texts: texts.iter().map(|text| text.to_vec()).collect(),
            numbers: numbers.to_vec(),
            is,
        });
        (is, true)
    }

    /// Variable of a kind.
    fn new_answer(&mut self, kind: Kind) -> Term {
        let name = format!("answer {}", self.variables.len() + 1);
        let slot = self.variable(name.into(), kind);
        match kind {
            Kind::Boolean => self.truth_of(slot),
            _ => self.term(slot, kind),
        }
    }

    fn known_answer(
        &self,
        query: Question,
        texts: &[&[Segment]],
        numbers: &[Term],
    ) -> Option<Term> {
        self.texts.iter().find_map(|entry| match entry {
            TextEntry::Answer {
                query: known,
                texts: of,
                numbers: at,
                is,
            } if *known == query && at[..] == *numbers && of[..] == *texts => Some(*is),
            _ => None,
        })
    }

    /// Length of a string that exists: it is not negative.
    fn total(&mut self, text: &[Segment]) -> Term {
        let mut sum = self.pool.int(0);
        let zero = sum;
        for &segment in text {
            let length = self.length_of_segment(segment);
            sum = self.plus(sum, length);
            let fact = self.at_most(zero, sum);
            self.state(fact);
        }
        sum
    }

    /// Sum of the lengths of segments.
    fn sum(&mut self, text: &[Segment]) -> Term {
        let zero = self.pool.int(0);
        text.iter().fold(zero, |sum, &segment| {
            let length = self.length_of_segment(segment);
            self.plus(sum, length)
        })
    }

    fn length_of_segment(&mut self, segment: Segment) -> Term {
        match segment {
            Segment::Char(_) => self.pool.int(1),
            Segment::Slice { length, .. } => length,
        }
    }

    /// Character at a place that is within a string.
    pub(super) fn char_at(&mut self, text: &[Segment], place: Term) -> Option<Term> {
        if text.len() > MAX_SEGMENTS && self.pool.constant_of(place).is_none() {
            return None;
        }
        let Some((&first, rest)) = text.split_first() else {
            return Some(self.pool.int(0));
        };
        let length = self.length_of_segment(first);
        let is_here = self.less(place, length);
        if self.settled(is_here) == Some(false) {
            let place = self.minus(place, length);
            return self.char_at(rest, place);
        }
        let here = match first {
            Segment::Char(char) => char,
            Segment::Slice { base, start, .. } => {
                let place = self.plus(start, place);
                self.char_of(base, place)?
            }
        };
        if rest.is_empty() || self.settled(is_here) == Some(true) {
            return Some(here);
        }
        let behind = self.minus(place, length);
        let behind = self.char_at(rest, behind)?;
        Some(self.pool.ite(is_here, here, behind))
    }

    /// Character of a base at a place; any one where the place is not within it.
    fn char_of(&mut self, base: usize, place: Term) -> Option<Term> {
        let TextEntry::Base { origin, .. } = self.texts[base].clone() else {
            return None;
        };
        let others: Vec<(Term, Term)> = self.chars_of(base).collect();
        if let Some(&(_, known)) = others.iter().find(|other| other.0 == place) {
            return Some(known);
        }
        if others.len() >= MAX_CHARS {
            return None;
        }
        let char = match self.char_below(&origin, place)? {
            Some(char) => char,
            None => {
                let name = format!("character {}", self.texts.len() + 1);
                let slot = self.character(name.into(), Kind::Char);
                let char = self.term(slot, Kind::Char);
                for (other, known) in others {
                    let is_same_place = self.same(place, other);
                    let is_same = self.same(char, known);
                    self.if_then(is_same_place, is_same);
                }
                char
            }
        };
        self.texts.push(TextEntry::Char {
            base,
            place,
            is: char,
        });
        self.is_possible(base, place, char);
        Some(char)
    }

    /// Character of a string that is made of others character by character.
    fn char_below(&mut self, origin: &Origin, place: Term) -> Option<Option<Term>> {
        let Origin::Made(maker, texts, numbers) = origin else {
            return Some(None);
        };
        match maker {
            TextMaker::ReplaceChar => {
                let before = self.char_at(&texts[0], place)?;
                let is_replaced = self.same(before, numbers[0]);
                Some(Some(self.pool.ite(is_replaced, numbers[1], before)))
            }
            TextMaker::ReplaceAll => {
                let Some((units, to)) = self.exchanged(texts) else {
                    return Some(None);
                };
                let before = self.char_at(&texts[0], place)?;
                let is_replaced = self.is_unit_of(before, &units);
                Some(Some(self.pool.ite(is_replaced, to, before)))
            }
            TextMaker::Part => {
                let place = self.plus(numbers[0], place);
                self.char_at(&texts[0], place).map(Some)
            }
            TextMaker::Reverse => {
                let one = self.pool.int(1);
                let length = self.total(&texts[0]);
                let last = self.minus(length, one);
                let place = self.minus(last, place);
                let opposite = self.char_at(&texts[0], place)?;
                let is_plain = self.has_no_surrogates(&texts[0])?;
                let any = self.character("a character".to_owned().into(), Kind::Char);
                let any = self.term(any, Kind::Char);
                Some(Some(self.pool.ite(is_plain, opposite, any)))
            }
            _ => Some(None),
        }
    }

    /// Places and characters of a base that are terms.
    fn chars_of(&self, base: usize) -> impl Iterator<Item = (Term, Term)> {
        self.texts.iter().filter_map(move |entry| match *entry {
            TextEntry::Char {
                base: of,
                place,
                is,
            } if of == base => Some((place, is)),
            _ => None,
        })
    }

    /// States that a condition holds.
    fn state(&mut self, condition: Term) {
        if self.settled(condition) != Some(true) {
            self.require(condition);
        }
    }

    fn if_then(&mut self, condition: Term, holds: Term) {
        if self.settled(condition) == Some(false) {
            return;
        }
        let fails = self.pool.not(condition);
        let fact = self.pool.binary(Binary::Or, fails, holds);
        self.state(fact);
    }

    fn both(&mut self, a: Term, b: Term) -> Term {
        self.pool.binary(Binary::And, a, b)
    }

    fn either_of(&mut self, a: Term, b: Term) -> Term {
        self.pool.binary(Binary::Or, a, b)
    }

    fn same(&mut self, a: Term, b: Term) -> Term {
        self.pool.binary(Binary::Eq, a, b)
    }

    fn less(&mut self, a: Term, b: Term) -> Term {
        self.pool.binary(Binary::Lt, a, b)
    }

    fn at_most(&mut self, a: Term, b: Term) -> Term {
        self.pool.binary(Binary::Le, a, b)
    }

    fn plus(&mut self, a: Term, b: Term) -> Term {
        self.pool.binary(Binary::Add, a, b)
    }

    fn minus(&mut self, a: Term, b: Term) -> Term {
        self.pool.binary(Binary::Sub, a, b)
    }

    fn is_zero(&self, term: Term) -> bool {
        self.pool.constant_of(term) == Some(0)
    }
}
